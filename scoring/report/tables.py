"""The tables of an analysis as rows of text: the terminal, the Markdown and the HTML report show the same cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.analysis import TABLES, Analysis, ContrastPart, ContrastResult, label
from scoring.report.numbers import bits, count, interval, p_value, percent, percent_interval, plain, share

__all__ = ["Table", "accuracy_table", "contrast_tables", "effect_table", "parts_table", "render_text"]

EXPECTED = {-1: "< 0", 0: "–", 1: "> 0"}


@dataclass(frozen=True, slots=True)
class Table:
    """Cells as text, with a caption. `numeric` columns are aligned to the right."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: frozenset[int] = frozenset()
    notes: tuple[str, ...] = ()

    @property
    def compact(self) -> bool:
        """Whether all cells are short, so that none needs to be broken into lines."""
        return all(len(cell) <= 28 for row in self.rows for cell in row)


def contrast_tables(analysis: Analysis) -> list[Table]:
    """The wh-effects, other contrasts, and preferences with interactions, where the paradigm has them."""
    confidence = f"{100 * analysis.options.confidence:g}%"
    tables = []
    effects, choices, others = (analysis.of_kind(*kinds) for kinds in TABLES)
    if effects:
        tables.append(effect_table("wh-effects (bits)", effects, confidence))
    if choices:
        tables.append(accuracy_table("Preferences and interactions (bits)", choices, confidence))
    if others:
        tables.append(effect_table("Other contrasts (bits)", others, confidence))
    return tables


def effect_table(caption: str, results: Sequence[ContrastResult], confidence: str) -> Table:
    """Mean, interval, t, df, p, dz, n and verdict of each contrast."""
    corrected = any(result.p_holm is not None for result in results)
    rows = [
        (
            label(result.contrast),
            EXPECTED[result.contrast.expected],
            bits(result.ttest.estimate),
            interval(*result.interval),
            plain(result.statistic),
            _degrees(result.df),
            p_value(result.p),
            bits(result.ttest.effect),
            f"{result.n_items:,}",
            result.verdict.value,
        )
        for result in results
    ]
    columns = (
        "", "exp", "mean", f"{confidence} CI", "t", "df", "p Holm" if corrected else "p", "dz", "n", "verdict",
    )  # fmt: skip
    return Table(caption, columns, tuple(rows), frozenset({2, 3, 4, 5, 6, 7, 8}), _test_notes(results, corrected))


def accuracy_table(caption: str, results: Sequence[ContrastResult], confidence: str) -> Table:
    """Mean, share of items with the expected sign and its Wilson interval, t, df, p, n and verdict."""
    corrected = any(result.p_holm is not None for result in results)
    rows = [
        (
            label(result.contrast),
            EXPECTED[result.contrast.expected],
            bits(result.ttest.estimate),
            percent(result.accuracy.estimate),
            percent_interval(result.accuracy.ci_low, result.accuracy.ci_high),
            plain(result.statistic),
            _degrees(result.df),
            p_value(result.p),
            f"{result.n_items:,}",
            result.verdict.value,
        )
        for result in results
    ]
    columns = (
        "", "exp", "mean", "share", f"Wilson {confidence}", "t", "df", "p Holm" if corrected else "p", "n", "verdict",
    )  # fmt: skip
    notes = ["share: items whose value has the expected sign (above 0 where exploratory), with Wilson's interval"]
    if any(result.accuracy.details["ties"] for result in results):
        rule = results[0].accuracy.details["tie_rule"]
        ties = ", ".join(
            f"{label(r.contrast)}: {r.accuracy.details['ties']:,}" for r in results if r.accuracy.details["ties"]
        )
        how = "count as misses" if rule == "wrong" else "are left out of the share"
        notes.append(f"values of exactly 0 {how} ({ties})")
    notes += _test_notes(results, corrected)
    return Table(caption, columns, tuple(rows), frozenset({2, 3, 4, 5, 6, 7, 8}), tuple(notes))


def parts_table(result: ContrastResult) -> Table | None:
    """The contrast taken apart, one pair of rows for each way to do it; None where it cannot be."""
    if not result.paths:
        return None
    rows = [
        _part_row(part, "" if position else f"way {number}")
        for number, path in enumerate(result.paths, start=1)
        for position, part in enumerate(path)
    ]
    columns = (
        "",
        "what changes",
        "what is held",
        "mean",
        f"{100 * result.ttest.confidence:g}% CI",
        "t",
        "p",
        f"share {EXPECTED[result.accuracy.details['direction']]}",
    )
    caption = f"{label(result.contrast)} taken apart: in either way, the two parts add up to {bits(result.ttest.estimate)} bits"
    return Table(caption, columns, tuple(rows), frozenset({3, 4, 5, 6, 7}))


def _part_row(part: ContrastPart, way: str) -> tuple[str, ...]:
    test = part.ttest
    return (
        way,
        part.plan.changes,
        f"{part.plan.holds} at {part.plan.at}",
        bits(test.estimate),
        interval(test.ci_low, test.ci_high),
        plain(test.statistic),
        p_value(test.p),
        share(part.accuracy.details["successes"], part.accuracy.n),
    )


def _degrees(value: float | None) -> str:
    """Degrees of freedom: whole for a t test, with one decimal for a mixed model."""
    return "–" if value is None else f"{value:.0f}" if float(value).is_integer() else f"{value:.1f}"


def _test_notes(results: Sequence[ContrastResult], corrected: bool) -> tuple[str, ...]:
    """What a reader has to know about the p values and the missing items of these rows."""
    notes = ["exp: the side that knowledge of the grammar predicts"]
    sided = sorted({result.alternative for result in results})
    if sided == ["two-sided"]:
        notes.append("p two-sided")
    else:
        notes.append(
            "p: " + "; ".join(f"{label(r.contrast)} {r.alternative}" for r in results) + "; intervals two-sided"
        )
    if any(result.crossed is not None for result in results):
        notes.append(
            "t, df, p and intervals: mixed model with the words of each slot as random effects (crossed words)"
        )
    if corrected:
        notes[-1] += f", corrected by Holm over the {_tests(results)} of this table; verdicts follow it"
    for result in results:
        for undefined in result.undefined:
            notes.append(
                f"{label(result.contrast)}: {undefined.count:,} without a value ({undefined.condition}: {undefined.reason})"
            )
    return tuple(notes)


def _tests(results: Sequence[ContrastResult]) -> str:
    return count(sum(result.p_holm is not None for result in results), "test")


def render_text(table: Table, *, width: int = 80) -> str:
    """The table as lines for a terminal, columns two spaces apart, or one where it would be wider than `width`."""
    lines = [table.columns, *table.rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(table.columns))]
    gap = "  " if sum(widths) + 2 * (len(widths) - 1) <= width else " "
    shown = [table.caption]
    for line in lines:
        cells = (cell.rjust(widths[i]) if i in table.numeric else cell.ljust(widths[i]) for i, cell in enumerate(line))
        shown.append(gap.join(cells).rstrip())
    return "\n".join(shown) + "\n"
