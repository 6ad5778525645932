"""Effects of a study as every other result: rows with all digits, a table for people, and the file that studies' numbers are read from.

An effect is a `gapsmith.stats.Result`; `contrast` is the name that studies' files call it by, and its details may say ``title``, the
effect in words, and ``shown``, where p and not the estimate is what the effect is about.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from gapsmith.bank import request_mark
from gapsmith.scoring.analysis import plain_data, result_row
from gapsmith.scoring.report.number_tables import NumberTable
from gapsmith.scoring.report.numbers import p_value
from gapsmith.scoring.report.tables import Table
from gapsmith.stats import Restriction, Result
from gapsmith.templates import DocumentError, FormatError, bytes_of, read_json

EFFECTS_FILE = "effects.json"
OVER_WORDS = ", over words"
"""What follows the name of an effect where its test is what its words allow, beside the test of the paper."""


def effect_title(effect: Result) -> str:
    """An effect in words."""
    return str(effect.details.get("title", effect.contrast))


def effect_number(effect: Result) -> float | None:
    """What an effect is about: its estimate, or its p."""
    return effect.p if effect.details.get("shown") == "p" else effect.estimate


def effect_value(effect: Result) -> str:
    """The same as tables show it: shares in points."""
    value = effect_number(effect)
    if value is None:
        return f"none ({effect.undefined})" if effect.undefined else "none"
    if effect.details.get("shown") == "p":
        return p_value(value)
    return f"{100 * value:+.1f}" if effect.unit == "share" else f"{value:+.2f}"


def results_table(caption: str, results: Sequence[Result]) -> NumberTable:
    """Results with all digits, a row each, as `gapsmith export tests` has those of an analysis; for CSV, Parquet, Markdown and LaTeX."""
    rows = [{**result_row(own), "title": effect_title(own)} for own in results]
    columns = tuple(dict.fromkeys(name for row in rows for name in row))
    return NumberTable(columns, rows, caption)


def shown_effects(caption: str, effects: Sequence[Result]) -> Table:
    """Effects as a page, the report and the terminal show them, with what restricts them below."""
    rows = []
    for own in effects:
        is_share, is_p = own.unit == "share", own.details.get("shown") == "p"
        scale, digits = (100, 1) if is_share else (1, 2)
        ends = "" if own.ci is None or is_p else "[" + ", ".join(f"{scale * end:+.{digits}f}" for end in own.ci) + "]"
        p = "" if own.p is None or is_p else p_value(own.p)
        # Of a regression that there is none of nobody counts rows.
        n = "" if is_p and own.p is None else f"{own.n:,}"
        rows.append((effect_title(own), effect_value(own), ends, p, n))
    notes = (f"{effect_title(own)}: {restriction}" for own in effects for restriction in own.restrictions)
    return Table(caption, ("what", "value", "95% CI", "p", "n"), tuple(rows), frozenset({1, 2, 3, 4}), tuple(notes))


def write_effects(folder: Path, effects: Sequence[Result], **about: Any) -> Path:
    """Write ``effects.json`` into the folder: every effect with all of its fields, under the name that studies' files call it by; its
    path. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    said = [{"name": own.contrast, **plain_data(own)} for own in effects]
    path = folder / EFFECTS_FILE
    path.write_text(json.dumps({**about, **request_mark(), "effects": said}, indent=1) + "\n", encoding="utf-8")
    return path


def read_effects(folder: Path) -> dict[str, Result]:
    """The effects that a study left in a folder, by name. Raises OSError, and `FormatError` where the file holds none."""
    file = folder / EFFECTS_FILE
    try:
        return {str(own["name"]): _result(own) for own in read_json(bytes_of(file))["effects"]}
    except (DocumentError, KeyError, TypeError) as error:
        raise FormatError(f"{file}: does not hold a study's effects ({error})", hint="Run the study again.") from None


def _result(said: dict[str, Any]) -> Result:
    """A result as `plain_data` has written it."""
    known = {own.name for own in fields(Result)}
    data: dict[str, Any] = {name: tuple(own) if isinstance(own, list) else own for name, own in said.items() if name in known}
    data["restrictions"] = tuple(Restriction(**own) for own in said["restrictions"])
    return Result(**data)
