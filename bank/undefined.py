"""The only place that decides whether a token without a value is so by the nature of the text, or because a computation failed.

Reasons are kept with the scores as text, so what a run of last year left is judged
here too. Whatever is not known here as being in the nature of things has failed.
"""

from __future__ import annotations

import re

NOTHING_BEFORE = "without BOS the first token has no context, so its surprisal is undefined"
"""Why the first token of a text has no value where the model reads no beginning of the sequence."""
NO_WORDS = "the text is empty"
"""Why a text of nothing but white space has none."""
PART = "only the critical regions were scored (`gapsmith score` without --critical-only adds the rest)"
"""Why a token has no value where nobody asked for it."""
NO_REASON = "no reason was given"
"""What is said where an engine leaves a token without a value and does not say why."""

_AND = "; and "
_OVER_WINDOW = re.compile(r"the text has \d+ tokens(?: behind a context of \d+)?, more than the model's window of \d+ can hold")


def over_window(n_tokens: int, n_before: int, window: int) -> str:
    """Why a text has no values that is longer, with its context, than the model can read."""
    behind = f" behind a context of {n_before}" if n_before else ""
    return f"the text has {n_tokens} tokens{behind}, more than the model's window of {window} can hold"


def together(*reasons: str) -> str | None:
    """Several reasons as the one that is kept; None for none."""
    return _AND.join(reasons) or None


def has_failed(reason: str) -> bool:
    """Whether the computation failed, for at least one of the tokens that the reason is about."""
    known = {NOTHING_BEFORE, NO_WORDS, PART}
    return not all(one in known or _OVER_WINDOW.fullmatch(one) for one in reason.split(_AND))
