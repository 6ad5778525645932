"""Token counts of calls, and how they add up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call or of several. None: the provider did not say."""

    input_tokens: int | None = None
    """The whole prompt, cached part included."""
    cached_tokens: int | None = None
    """The part of `input_tokens` that the provider had in its cache."""
    output_tokens: int | None = None
    """What was written as the answer, without the thinking."""
    thinking_tokens: int | None = None
    """What was written before the answer and not shown; charged like output."""

    def __add__(self, other: Usage) -> Usage:
        def total(name: str) -> int | None:
            mine, theirs = getattr(self, name), getattr(other, name)
            return None if mine is None and theirs is None else (mine or 0) + (theirs or 0)

        return Usage(*(total(f.name) for f in fields(self)))

    def within(self, *, input_tokens: int, output_tokens: int) -> Usage:
        """These counts, none of them above what is plausible: so many for the prompt, so many for answer and thinking each."""

        def least(count: int | None, most: int) -> int | None:
            return None if count is None else max(0, min(count, most))

        return Usage(
            least(self.input_tokens, input_tokens),
            least(self.cached_tokens, input_tokens),
            least(self.output_tokens, output_tokens),
            least(self.thinking_tokens, output_tokens),
        )

    @property
    def is_reported(self) -> bool:
        """Whether the provider gave any count."""
        return any(getattr(self, f.name) is not None for f in fields(self))

    @property
    def charged_output(self) -> int:
        """Answer and thinking together, as providers charge them."""
        return (self.output_tokens or 0) + (self.thinking_tokens or 0)

    def as_counts(self) -> dict[str, int]:
        """The counts that are known, by name, as the bank keeps them."""
        return {f.name: value for f in fields(self) if (value := getattr(self, f.name)) is not None}

    @staticmethod
    def from_counts(counts: Mapping[str, int]) -> Usage:
        """The inverse of `as_counts`; other names in the mapping are left alone."""
        return Usage(*(counts.get(f.name) for f in fields(Usage)))
