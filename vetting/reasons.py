"""The reasons of one exclusion, which the bank keeps as one text, and the rule for them that holds wherever somebody decides."""

from __future__ import annotations

from collections.abc import Sequence

from gapsmith.templates import ConfigError

REASON_SEPARATOR = "; "
"""Between them."""
OTHER = "other"
"""The reason that asks for words of its own."""


def reasons_of(reason: str | None) -> tuple[str, ...]:
    """The single reasons of an exclusion."""
    return tuple(part for part in (reason or "").split(REASON_SEPARATOR) if part)


def checked_reason(reason: str, comment: str | None, known: Sequence[str]) -> str:
    """The reasons of an exclusion spelt as they are known (none known: as they stand). Raises `ConfigError` for one that there is not, and
    for `OTHER` without words."""
    said = [one.strip() for one in reasons_of(reason)]
    spelt = {one.casefold(): one for one in known}
    if known and (unknown := [one for one in said if one.casefold() not in spelt]):
        raise ConfigError(
            f"{unknown[0]!r} is no reason for an exclusion here",
            hint=f"Reasons are: {', '.join(known)}. Write {OTHER} and the words as a comment, or add it to `reasons` in review.toml.",
        )
    found = [spelt.get(one.casefold(), one) for one in said]
    if known and OTHER in found and not (comment or "").strip():
        raise ConfigError(f"the reason {OTHER!r} says nothing by itself", hint="Write as a comment what is the matter.")
    return REASON_SEPARATOR.join(found)
