"""From a text to the row of tokens that a network reads, and from what it says back to the text's tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gapsmith.bank import NOTHING_BEFORE, Tokens, over_window, together
from gapsmith.scoring.lm.encoding import Encoded
from gapsmith.scoring.lm.engine import Request
from gapsmith.scoring.lm.model import Beginning, LanguageModel
from gapsmith.scoring.lm.phases import phase


@dataclass(frozen=True, slots=True)
class TokenRow:
    """BOS (where there is one), the context's tokens and the text's tokens in a row."""

    text: Encoded
    ids: tuple[int, ...]
    first: int
    """The place of the text's first token."""

    @classmethod
    def from_encoded(cls, text: Encoded, beginning: Beginning | None) -> TokenRow:
        """The row of a text."""
        prefix = () if beginning is None else (beginning.token_id,)
        return cls(text, (*prefix, *text.before, *text.ids), len(prefix) + len(text.before))

    @property
    def n_read(self) -> int:
        """How many tokens the network reads: the last one is only predicted, unless what may follow it is wanted."""
        return len(self.ids) if self.text.boundary else len(self.ids) - 1

    @property
    def n_undefined(self) -> int:
        """1 where the text's first token has nothing before it, so that it has no value; else 0."""
        return 1 if self.first == 0 else 0

    def tokens(
        self,
        values: NDArray[np.float32],
        masses: NDArray[np.float32] | None,
        pieces: Callable[[Sequence[int]], tuple[str, ...]],
    ) -> Tokens:
        """The text's tokens.

        `values`: nats of the text's tokens that are wanted, anything for the others. `masses`: nats of a word beginning
        before the first of them and after each; None where they are not wanted. The first `n_undefined` of both are left
        out.
        """
        text, reasons = self.text, []
        asked = text.wanted.copy()
        nothing = np.zeros(self.n_undefined, dtype=np.float32)
        padded = np.concatenate([nothing, values])
        before_and_after = None if masses is None else np.concatenate([nothing, masses])
        finite = np.isfinite(padded)
        if before_and_after is not None:
            sound = np.isfinite(before_and_after)
            finite &= sound[:-1] & sound[1:]
        broken = np.flatnonzero(asked & ~finite)
        if len(broken):
            (piece,) = pieces([text.ids[broken[0]]])
            reasons.append(
                f"the model gave no finite probability for {len(broken)} of {len(text.ids)} tokens, the first of them {piece!r}"
            )
            asked[broken] = False
        if self.n_undefined and asked[0]:
            reasons.append(NOTHING_BEFORE)
            asked[0] = False
        return _tokens(text, padded, asked, before_and_after, reason=together(*reasons))


def prepared(model: LanguageModel, requests: Sequence[Request]) -> tuple[list[Tokens], list[TokenRow]]:
    """The tokens of the texts that need no network, because nothing of them is wanted or defined, and the other rows."""
    done: list[Tokens] = []
    rows: list[TokenRow] = []
    with phase("texts to tokens"):
        encoded = model.encode(requests)
    for text in encoded:
        reason = _why_undefined(text, model)
        if reason is None and text.wanted.any():
            rows.append(TokenRow.from_encoded(text, model.beginning))
        else:
            done.append(_tokens(text, reason=reason))
    return done, rows


def _why_undefined(text: Encoded, model: LanguageModel) -> str | None:
    """Why no token of the text can have a value, or None."""
    if text.problem is not None:
        return text.problem
    row = TokenRow.from_encoded(text, model.beginning)
    if model.window is not None and row.n_read > model.window:
        return over_window(len(text.ids), len(text.before), model.window)
    return NOTHING_BEFORE if len(row.ids) == 1 else None


def _tokens(
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
