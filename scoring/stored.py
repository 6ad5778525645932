"""What an engine computes in the form in which the bank keeps it: bits per token, and settings per scorer."""

from __future__ import annotations

from bank.records import ScorerSettings, TokenScore, TokenScores
from scoring.lm import Engine, Tokens, in_bits

__all__ = ["settings_of", "token_scores"]


def settings_of(engine: Engine) -> ScorerSettings:
    """All that decides the values. The batch size does so in half precision only, and is named only there."""
    identity, provenance = engine.identity, engine.provenance
    names = ("device", "torch", "transformers", "tokenizers")
    extra = {"window": identity["window"]} | {name: provenance[name] for name in names}
    extra |= {name: identity[name] for name in ("bos_token", "bos_from") if name in identity}
    if identity["dtype"] != "float32" and "batch_size" in provenance:
        extra["batch_size"] = provenance["batch_size"]
    return ScorerSettings(
        model=engine.model,
        revision=engine.revision,
        dtype=identity["dtype"],
        bos=identity["bos"],
        engine=provenance["engine"],
        extra=extra,
    )


def token_scores(engine: Engine, tokens: Tokens) -> TokenScores:
    """The tokens with their surprisal in bits, None where they have none."""
    ids = tokens.ids or ()
    bits: list[float | None] = in_bits(tokens.values).tolist()
    if tokens.asked is not None:
        bits = [value if asked else None for value, asked in zip(bits, tokens.asked.tolist(), strict=True)]
    made = zip(tokens.spans.tolist(), bits, ids, engine.pieces(ids), strict=True)
    return TokenScores(
        text=tokens.text,
        tokens=tuple(TokenScore(start, end, value, number, piece) for (start, end), value, number, piece in made),
        reason=tokens.reason,
    )
