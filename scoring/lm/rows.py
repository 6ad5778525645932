"""From a text to the row of tokens that a network reads, and from what it says back to the text's tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.lm.encoding import Encoded
from scoring.lm.engine import Tokens
from scoring.lm.model import Beginning, LanguageModel

__all__ = ["NO_CONTEXT", "Row", "tokens_of", "why_undefined"]

NO_CONTEXT = "without BOS the first token has no context, so its surprisal is undefined"


def why_undefined(text: Encoded, model: LanguageModel) -> str | None:
    """Why no token of the text can have a value, or None."""
    if text.problem is not None:
        return text.problem
    row = Row.of(text, model.beginning)
    if model.window is not None and row.n_read > model.window:
        behind = f" behind a context of {len(text.before)}" if text.before else ""
        return f"the text has {len(text.ids)} tokens{behind}, more than the model's window of {model.window} can hold"
    return NO_CONTEXT if len(row.ids) == 1 else None


@dataclass(frozen=True, slots=True)
class Row:
    """BOS (where there is one), the context's tokens and the text's tokens in a row."""

    text: Encoded
    ids: tuple[int, ...]
    first: int
    """The place of the text's first token."""

    @classmethod
    def of(cls, text: Encoded, beginning: Beginning | None) -> Row:
        """The row of a text."""
        prefix = () if beginning is None else (beginning.token_id,)
        return cls(text, (*prefix, *text.before, *text.ids), len(prefix) + len(text.before))

    @property
    def n_read(self) -> int:
        """How many tokens the network reads: the last one is only predicted, unless what may follow it is wanted."""
        return len(self.ids) if self.text.boundary else len(self.ids) - 1

    def tokens(
        self,
        values: NDArray[np.float32],
        masses: NDArray[np.float32] | None,
        pieces: Callable[[Sequence[int]], tuple[str, ...]],
    ) -> Tokens:
        """The text's tokens.

        `values` (len(ids) - 1,): nats of every token of the row but its first. `masses` (len(ids),): nats of a word
        beginning after each token of the row; None where they are not wanted.
        """
        text, reasons = self.text, []
        asked = text.wanted.copy()
        own = np.zeros(len(text.ids), dtype=np.float32)
        skipped = 1 if self.first == 0 else 0
        own[skipped:] = values[self.first + skipped - 1 :]
        before_and_after = None
        if masses is not None:
            before_and_after = np.zeros(len(text.ids) + 1, dtype=np.float32)
            before_and_after[skipped:] = masses[self.first + skipped - 1 :]
        finite = np.isfinite(own)
        if before_and_after is not None:
            sound = np.isfinite(before_and_after)
            finite &= sound[:-1] & sound[1:]
        broken = np.flatnonzero(asked & ~finite)
        if len(broken):
            (piece,) = pieces([text.ids[broken[0]]])
            reasons.append(
                f"the model gave no finite probability for {len(broken)} of {len(text.ids)} tokens, the first of them "
                f"{piece!r}"
            )
            asked[broken] = False
        if skipped and asked[0]:
            reasons.append(NO_CONTEXT)
            asked[0] = False
        return tokens_of(text, own, asked, before_and_after, reason="; and ".join(reasons) or None)


def tokens_of(
    text: Encoded,
    values: NDArray[np.float32] | None = None,
    asked: NDArray[np.bool_] | None = None,
    boundary: NDArray[np.float32] | None = None,
    *,
    reason: str | None,
) -> Tokens:
    """`Tokens` that are zero wherever nothing was asked; with no `values` nothing is defined."""
    n = len(text.ids)
    if values is None or asked is None:
        values, asked = np.zeros(n, dtype=np.float32), np.zeros(n, dtype=np.bool_)
        boundary = np.zeros(n + 1, dtype=np.float32) if text.boundary else None
    if boundary is not None:
        beside = np.append(asked, False) | np.insert(asked, 0, False)
        boundary = np.where(beside, boundary, np.float32(0.0))
    return Tokens(
        text=text.text,
        context=text.context,
        spans=np.array(text.spans, dtype=np.int32).reshape(n, 2),
        ids=text.ids,
        values=np.where(asked, values, np.float32(0.0)),
        asked=None if n and bool(asked.all()) else asked,
        boundary=boundary,
        reason=reason,
    )
