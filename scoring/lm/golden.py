"""Whether this machine computes the surprisals that a separate computation in float64 gave for the bundled model."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from gapsmith.bank import Tokens
from gapsmith.scoring.lm.engine import Request, in_bits
from gapsmith.scoring.lm.opening import open_engine
from gapsmith.scoring.lm.sources import BUNDLED, bundled_directory
from gapsmith.templates import BosPolicy

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


def check_golden(model: str = BUNDLED, *, kernel: str | None = None) -> GoldenCheck:
    """Score the golden sentences on the processor, with and without BOS, and compare with the golden values.

    `model` is the bundled model or a copy of it, `kernel` what multiplies (see `EngineOptions`). The golden values come from
    ``tests/reference/golden_bundled.py``, which uses neither torch nor transformers.
    """
    entries: list[dict[str, Any]] = json.loads((bundled_directory() / "golden.json").read_text("utf-8"))["entries"]
    texts = [str(entry["text"]) for entry in entries]
    n_values, largest, worst = 0, 0.0, ""
    for policy, column in ((BosPolicy.BOS, "bits_bos"), (BosPolicy.NONE, "bits_none")):
        engine = open_engine(model, bos=policy, device="cpu", kernel=kernel)
        found = {tokens.text: tokens for chunk in engine.score([Request(text) for text in texts]) for tokens in chunk}
        for entry in entries:
            tokens = found[entry["text"]]
            problem = _token_problem(entry, tokens, entry[column])
            if problem is not None:
                return GoldenCheck(len(texts), n_values, None, problem)
            bits = in_bits(tokens.values)
            for number, expected in enumerate(entry[column]):
                if expected is None:
                    continue
                n_values += 1
                difference = abs(float(bits[number]) - expected)
                if difference > largest:
                    (piece,) = engine.pieces([entry["ids"][number]])
                    largest = difference
                    worst = f"{piece!r} in {tokens.text!r}: {bits[number]:.4f}, not {expected:.4f} bits"
    return GoldenCheck(len(texts), n_values, largest, worst if largest > TOLERANCE_BITS else None)


def _token_problem(entry: dict[str, Any], tokens: Tokens, bits: list[float | None]) -> str | None:
    ids, spans = list(tokens.ids or ()), tokens.spans.tolist()
    undefined = [] if tokens.asked is None else [n for n, asked in enumerate(tokens.asked) if not asked]
    if ids != entry["ids"]:
        return f"{tokens.text!r} becomes the tokens {ids} instead of {entry['ids']}"
    if spans != entry["spans"]:
        return f"the tokens of {tokens.text!r} cover {spans} instead of {entry['spans']}"
    if undefined != [n for n, value in enumerate(bits) if value is None]:
        return f"of {tokens.text!r} the tokens {undefined} have no value: {tokens.reason}"
    return None
