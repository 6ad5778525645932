"""What an engine says of texts, in the form that tests read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gapsmith.bank.tokens import Tokens
from gapsmith.scoring.lm import Engine, Request, in_bits
from gapsmith.scoring.observations import ItemKey, Observations, ObservedItem, ObservedSentence, Producer
from gapsmith.templates import MEASURES, MeasuredText, Place, RegionSpan


def measured(engine: Engine, texts: Sequence[str | Request]) -> dict[str, Tokens]:
    """The tokens of every text, by text."""
    requests = [Request(text) if isinstance(text, str) else text for text in texts]
    return {tokens.text: tokens for chunk in engine.score(requests) for tokens in chunk}


def measured_one(engine: Engine, request: str | Request) -> Tokens:
    """The tokens of one text."""
    (tokens,) = measured(engine, [request]).values()
    return tokens


def bits(tokens: Tokens) -> list[float | None]:
    """Surprisal in bits per token, None where none was asked or defined."""
    values: list[float] = in_bits(tokens.values).tolist()
    asked = [True] * len(values) if tokens.asked is None else tokens.asked.tolist()
    return [value if there else None for value, there in zip(values, asked, strict=True)]


def defined_bits(tokens: Tokens) -> list[float]:
    """Those of `bits` that are defined."""
    return [value for value in bits(tokens) if value is not None]


def one_item(
    measured: Mapping[str, MeasuredText | None],
    regions: Mapping[str, Sequence[RegionSpan] | None],
    *,
    critical: Mapping[str, str] | None = None,
    numbers: Mapping[str, str] | None = None,
) -> Observations:
    """The table of one item with these sentences, by condition."""
    rows = {
        name: ObservedSentence("" if text is None else text.text, regions[name], text, (critical or {}).get(name))
        for name, text in measured.items()
    }
    return Observations([ObservedItem(ItemKey("made", "1"), rows)], Producer("made", "made"), numbers=numbers)


def numbers_of(table: Observations, condition: str, *places: Place, by: str = "sum") -> dict[str, float | str]:
    """What the first item has at each place: a number, or why there is none."""
    found: dict[str, float | str] = {}
    for place in places:
        column = table.column(condition, place, MEASURES[by])
        found[str(place)] = float(column.value[0]) if not column.reason[0] else table.reasons[column.reason[0]]
    return found
