"""Whether this machine computes the surprisals that a separate computation in float64 gave for the bundled model."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from bank.records import TokenScores
from scoring.lm.model import BosPolicy
from scoring.lm.opening import open_engine
from scoring.lm.sources import BUNDLED, bundled_directory

__all__ = ["TOLERANCE_BITS", "GoldenCheck", "check_golden"]

TOLERANCE_BITS = 1e-3
"""How far a value may lie from its golden value. Float32 lies about 1e-5 away; a fault of any kind, far more."""


@dataclass(frozen=True, slots=True)
class GoldenCheck:
    """The outcome of a comparison with the golden values."""

    n_texts: int
    n_values: int
    largest_difference_bits: float | None
    """None where the tokens already differ, so that there is nothing to compare."""
    problem: str | None
    """What is wrong, naming the sentence and the token; None where all is well."""


def check_golden(model: str = BUNDLED) -> GoldenCheck:
    """Score the golden sentences on the processor, with and without BOS, and compare with the golden values.

    `model` is the bundled model or a copy of it. The golden values come from ``tests/reference/golden_bundled.py``, which
    uses neither torch nor transformers.
    """
    entries: list[dict[str, Any]] = json.loads((bundled_directory() / "golden.json").read_text("utf-8"))["entries"]
    texts = [str(entry["text"]) for entry in entries]
    n_values, largest, worst = 0, 0.0, ""
    for policy, column in ((BosPolicy.BOS, "bits_bos"), (BosPolicy.NONE, "bits_none")):
        engine = open_engine(model, bos=policy, device="cpu")
        found = {scores.text: scores for block in engine.score(texts) for scores in block}
        for entry in entries:
            scores = found[entry["text"]]
            problem = _token_problem(entry, scores, entry[column])
            if problem is not None:
                return GoldenCheck(len(texts), n_values, None, problem)
            for token, expected in zip(scores.tokens, entry[column], strict=True):
                if token.surprisal_bits is None:
                    continue
                n_values += 1
                if abs(token.surprisal_bits - expected) > largest:
                    largest = abs(token.surprisal_bits - expected)
                    worst = f"{token.token!r} in {scores.text!r}: {token.surprisal_bits:.4f}, not {expected:.4f} bits"
    return GoldenCheck(len(texts), n_values, largest, worst if largest > TOLERANCE_BITS else None)


def _token_problem(entry: dict[str, Any], scores: TokenScores, bits: list[float | None]) -> str | None:
    ids = [token.token_id for token in scores.tokens]
    spans = [[token.start, token.end] for token in scores.tokens]
    undefined = [n for n, token in enumerate(scores.tokens) if token.surprisal_bits is None]
    if ids != entry["ids"]:
        return f"{scores.text!r} becomes the tokens {ids} instead of {entry['ids']}"
    if spans != entry["spans"]:
        return f"the tokens of {scores.text!r} cover {spans} instead of {entry['spans']}"
    if undefined != [n for n, value in enumerate(bits) if value is None]:
        return f"of {scores.text!r} the tokens {undefined} have no value: {scores.reason}"
    return None
