"""An analysis as text of 80 columns, for the terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from gapsmith.scoring.analysis import Analysis, about, after_plan, describe_scorer, label, plan_lines
from gapsmith.scoring.report.items import dataset_line, item_sentences
from gapsmith.scoring.report.sentences import criterion_legend, did_sentence, outcome_of
from gapsmith.scoring.report.tables import (
    Table,
    absence_table,
    contrast_tables,
    criteria_table,
    fixed_word_tables,
    lines_table,
    more_tests,
    parts_table,
    render_text,
)
from gapsmith.templates import weighted_sum


def analysis_text(analysis: Analysis, *, width: int = 80) -> str:
    """Tables, what the contrasts are, what came out and what to be careful about."""
    title = f"{analysis.paradigm.name}: {analysis.paradigm.title}"
    blocks = [
        f"{title}\n{'=' * min(len(title), width)}",
        _wrapped(plan_lines(analysis), width, ""),
        _wrapped([line for line in [dataset_line(analysis)] if line], width, ""),
        _wrapped([item_sentences(analysis)[0], f"Scored by {describe_scorer(analysis.scorer)}."], width, ""),
    ]
    parts = [table for result in analysis.of_kind("did") if (table := parts_table(result)) is not None]
    criteria = criteria_table(analysis)
    lines = lines_table(analysis)
    words = (*((lines,) if lines is not None else ()), *fixed_word_tables(analysis))
    absence = absence_table(analysis)
    tables = (
        *contrast_tables(analysis),
        *((absence,) if absence is not None else ()),
        *words,
        *parts,
        *((criteria,) if criteria is not None else ()),
    )
    if analysis.contrasts:
        tables += (more_tests(analysis),)
    blocks += [render_table(table, width) for table in tables]
    blocks.append(_legend(analysis, width))
    said = [outcome_of(analysis).sentence, *(did_sentence(result) for result in analysis.of_kind("did"))]
    blocks.append("\n\n".join(_wrapped([sentence], width, "") for sentence in said if sentence))
    if caveats := after_plan(analysis):
        blocks.append("Before you use these numbers:\n" + _wrapped(caveats, width, "- "))
    return "\n\n".join(block.rstrip() for block in blocks if block) + "\n"


def render_table(table: Table, width: int = 80) -> str:
    """A table with its notes, as lines for a terminal."""
    return render_text(table, width=width) + _wrapped(table.notes, width, "  ")


def _legend(analysis: Analysis, width: int) -> str:
    lines = []
    for result in analysis.contrasts:
        contrast = result.contrast
        name = label(contrast) if label(contrast) == contrast.name else f"{label(contrast)} ({contrast.name})"
        says = about(contrast) if about(contrast) != contrast.name else weighted_sum(contrast.terms)
        lines.append(f"{name}: {says}")
    same: dict[str, list[str]] = {}
    for own in analysis.criteria:
        name, _, says = criterion_legend(own.criterion).partition(": ")
        same.setdefault(says, []).append(name)
    lines += [f"{', '.join(names)}: {says}" for says, names in same.items()]
    return _wrapped(lines, width, "")


def _wrapped(lines: Iterable[str], width: int, mark: str) -> str:
    indent = " " * len(mark) if mark.strip() else mark
    return "\n".join(
        textwrap.fill(line, width, initial_indent=mark, subsequent_indent=indent or "  " * bool(mark)) for line in lines
    )
