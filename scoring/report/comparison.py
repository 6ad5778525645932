"""Several models, revisions, data sets or kinds of items side by side: tables, a figure and a learning curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gapsmith.scoring.analysis import ComparedRun, ContrastResult, CriterionResult, RunComparison, label, step_of
from gapsmith.scoring.report.comparison_items import csv_of, from_report, most_different, page_of
from gapsmith.scoring.report.context_curve import context_curve
from gapsmith.scoring.report.drawing import Drawing, draw, figure_name
from gapsmith.scoring.report.links import FOLDER, Trail
from gapsmith.scoring.report.numbers import bits, interval, minus, p_value, percent, percent_interval, plain, share, unit_of
from gapsmith.scoring.report.sentences import verdict_mark
from gapsmith.scoring.report.style import DARK, GREY, INK, PAIR
from gapsmith.scoring.report.tables import (
    NOT_CORRECTED,
    Table,
    bracket_notes,
    bracketed,
    degrees,
    is_doubted,
    render_text,
    with_links,
)
from gapsmith.stats import Restriction, Result
from gapsmith.templates import MEASURES

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

_TITLES = {"model": "model", "revision": "revision", "dataset": "data set", "context": "context", "group": "items"}
_MARKERS = "osD^vPX*"
_OF_SHARES = ("McNemar", "chi-square", "Fisher")
_LINES = ("-", (0, (5, 2)), (0, (1, 1)), (0, (5, 1, 1, 1)))


@dataclass(frozen=True, slots=True)
class ComparisonSection:
    """A comparison as a report shows it."""

    title: str
    name: str
    """For links within the page."""
    notes: tuple[str, ...]
    tables: tuple[Table, ...]
    figures: tuple[tuple[Drawing, str], ...]
    """Drawings with their captions."""
    items: tuple[Table, ...]
    """The items that differ most between each two runs."""
    every_item: str
    """The file with the differences of all items; empty where there is none."""


def comparison_section(found: RunComparison, trail: Trail | None = None) -> ComparisonSection:
    """Tables and figures of a comparison, whose rows lead along the `trail` to their items."""
    figures = []
    if found.contrasts:
        caption = "Mean and interval of each contrast, side by side; filled where it is as expected."
        figures.append((_effects(found), caption))
    curve = learning_curve(found)
    if curve is not None:
        figures.append((curve, "Each contrast over the revisions of the model, with its interval; 0 is no effect."))
    behind = context_curve(found)
    if behind is not None:
        figures.append((behind, "Share of items as expected over the tokens of the context, with its interval."))
    axes = " and ".join(_TITLES[axis] for axis in found.varying) or "run"
    return ComparisonSection(
        title=f"{found.paradigm.title}, by {axes}",
        name=f"compared-{found.paradigm.name}",
        notes=found.notes,
        tables=tuple(_led(found, table, trail) for table in comparison_tables(found)),
        figures=tuple(figures),
        items=tuple(from_report(table) for table in most_different(found, trail)),
        every_item=f"{FOLDER}/{csv_of(found.paradigm.name)}" if trail is not None else "",
    )


def _led(found: RunComparison, table: Table, trail: Trail | None) -> Table:
    """The table with a link from each contrast to the page that has it item by item."""
    if trail is None:
        return table
    names = {label(found.paradigm.contrast(name)): name for name in found.contrasts}
    pages = {shown: f"{FOLDER}/{page_of(found.paradigm.name, name)}" for shown, name in names.items()}
    return with_links(table, pages)


def comparison_tables(found: RunComparison) -> list[Table]:
    """One row per contrast and run, and one per difference between runs."""
    axes = found.varying
    rows = []
    for name in found.contrasts:
        shown = ""
        for run in found.runs:
            result = run.result(name)
            if result is None:
                continue
            called = label(result.contrast)
            rows.append((called if called != shown else "", *(run.place(axis) for axis in axes), *_cells(result)))
            shown = called
    columns = (
        "",
        *(_TITLES[axis] for axis in axes),
        "mean",
        f"{_confidence(found)} CI",
        "t",
        "df",
        "p",
        "share",
        "n",
        "verdict",
    )
    first = len(axes) + 1
    notes = [
        "share: items whose value has the expected sign (above 0 where exploratory)",
        *_measured_by(found),
        *_restricted(found),
    ]
    every = [own for run in found.runs for own in run.analysis.contrasts]
    against: dict[str, list[str]] = {}
    for run in found.runs:
        for own in run.analysis.contrasts:
            if own.against:
                against.setdefault(label(own.contrast), []).append(_called(found, run))
    notes += [
        f"{name}: taken apart, a part is wholly on the other side of 0 than what is expected, or its mean ({'; '.join(runs)})"
        for name, runs in against.items()
    ]
    families = ", ".join(dict.fromkeys(own.family for own in every if own.family))
    if families:
        follow = "verdicts follow Holm's" if any(own.by_holm for own in every) else "verdicts follow it; Holm's would be"
        notes += [f"p: not corrected; {follow}, over {families}", NOT_CORRECTED]
    notes += bracket_notes([own for own in every if is_doubted(own)])
    tables = [
        Table(
            f"Contrasts side by side ({_unit(found)})",
            columns,
            tuple(rows),
            frozenset(range(first, first + 7)),
            tuple(notes),
        )
    ]
    if not found.contrasts:
        tables.clear()
    if any(run.analysis.criteria for run in found.runs):
        tables.append(_criteria(found))
    if "context" in axes:
        tables.append(_accuracy_by_context(found))
    if found.over_models:
        tables.append(_over_models_table(found))
    if found.shares:
        tables.append(_shares_table(found))
    if any(not own.context for own in found.differences):
        tables.append(_difference_table(found))
    return tables


def _over_models_table(found: RunComparison) -> Table:
    """The mean of each contrast over seeds or models, and how their kinds differ."""
    rows: list[tuple[str, ...]] = []
    notes: dict[str, list[str]] = {}
    shown = ""
    for own in found.over_models:
        called = _label_of(found, own.contrast)
        where = ", ".join(part for part in (own.dataset, own.group, own.context) if part)
        what = own.details["what"] if "level" in own.details else f"mean of {len(own.details['models'])}"
        rows.append(
            (
                called if called != shown else "",
                what,
                where,
                bits(own.estimate),
                interval(own.ci_low, own.ci_high),
                plain(own.statistic),
                degrees(own.df),
                _bracketed(own),
                p_value(own.p_adj),
                plain(own.details["sd_models"]),
                f"{own.n:,}",
            )
        )
        shown = called
        notes.setdefault(own.scope, []).append(called)
        for said in (*own.notes, *((own.undefined,) if own.undefined else ())):
            notes.setdefault(f"{what}: {said}", [])
        # Why items were not asked for stands beside the contrasts.
        for one in own.restrictions:
            if one.is_lack:
                notes.setdefault(f"{called}: {one}", [])
    columns: tuple[str, ...] = ("", "over", "of", "mean", f"{_confidence(found)} CI", "t", "df", "p", "p Holm", "SD", "n")
    if not any(row[2] for row in rows):
        columns, rows = (*columns[:2], *columns[3:]), [(*row[:2], *row[3:]) for row in rows]
    labels = len(dict.fromkeys(own.contrast for own in found.over_models))
    scopes = [
        scope if not names or len(set(names)) == labels else f"{', '.join(dict.fromkeys(names))}: {scope}"
        for scope, names in notes.items()
        if scope
    ]
    assumed = dict.fromkeys(
        said for own in found.over_models for said in own.assumes if "add" in said or "sample of their" in said
    )
    said = (
        f"mean: in {_unit(found)}, each model counting alike within its kind; SD: of what models of one kind do",
        *_said_of_family(found.over_models),
        *scopes,
        *(f"assumed: {own}" for own in assumed),
    )
    return Table("Over models", columns, tuple(rows), frozenset(range(len(columns) - 8, len(columns))), said)


def _shares_table(found: RunComparison) -> Table:
    """The share of items as expected, or of which a criterion is true, over seeds or models, and how their kinds differ."""
    rows: list[tuple[str, ...]] = []
    scopes: dict[str, list[str]] = {}
    said: dict[str, None] = {}
    shown = ""
    for own in found.shares:
        called = _label_of(found, own.contrast)
        where = ", ".join(part for part in (own.dataset, own.group, own.context) if part)
        differs = "level" in own.details
        what = own.details["what"] if differs else f"share over {len(own.details['models'])}"
        number = bits(own.estimate) if differs else percent(own.estimate)
        ends = interval(own.ci_low, own.ci_high) if differs or own.ci is None else percent_interval(*own.ci)
        observed = "" if differs else percent(own.details["observed"])
        p = (_bracketed(own), p_value(own.p_adj)) if differs else ("", "")
        sd = plain(own.details.get("sd_models"))
        rows.append(
            (called if called != shown else "", what, where, observed, number, ends, degrees(own.df), *p, sd, f"{own.n:,}")
        )
        shown = called
        scopes.setdefault(own.scope, []).append(called)
        said |= dict.fromkeys(f"{called}, {what}: {one}" for one in (*own.notes, *((own.undefined,) if own.undefined else ())))
    columns: tuple[str, ...] = (
        "", "over", "of", "observed", "typical", f"{_confidence(found)} CI", "df", "p", "p Holm", "SD", "n"
    )  # fmt: skip
    if not any(row[2] for row in rows):
        columns, rows = (*columns[:2], *columns[3:]), [(*row[:2], *row[3:]) for row in rows]
    labels = len(dict.fromkeys(own.contrast for own in found.shares))
    of = [s if len(set(n)) == labels else f"{', '.join(dict.fromkeys(n))}: {s}" for s, n in scopes.items() if s]
    assumed = dict.fromkeys(one for own in found.shares for one in own.assumes if "words" not in one)
    notes = (
        "observed: the mean of the models' shares of items",
        "typical: the share for a typical item, model and word, from a logistic model with items, models and words crossed",
        "differences, and SD of what models of one kind do, in log-odds",
        *(_said_of_family([own for own in found.shares if own.p is not None])),
        *of,
        *(f"assumed: {one}" for one in assumed),
        *said,
    )
    return Table("Shares over models", columns, tuple(rows), frozenset(range(len(columns) - 8, len(columns))), notes)


def _bracketed(own: Result) -> str:
    """p, in brackets where nothing may be concluded from it."""
    return p_value(own.p) if own.interpretable or own.p is None else f"({p_value(own.p)})"


def _said_of_family(found: Sequence[Result]) -> tuple[str, ...]:
    families = ", ".join(dict.fromkeys(own.family for own in found if own.family))
    return (f"p Holm: corrected over {families}", NOT_CORRECTED) if families else ()


def _accuracy_by_context(found: RunComparison) -> Table:
    """For each prediction and context: realised tokens, share with its interval, and its difference from no context."""
    axes = found.varying
    deltas = {
        (own.contrast, own.model, own.dataset, own.group, own.context): own
        for own in found.differences
        if own.context and own.test.startswith("McNemar")
    }
    rows = []
    both: list[ContrastResult | CriterionResult] = []
    for name in (*found.contrasts, *(criterion.name for criterion in found.paradigm.criteria)):
        for run in found.runs:
            result = run.result(name)
            criterion = next((own for own in run.analysis.criteria if own.criterion.name == name), None)
            if result is None and criterion is None:
                continue
            of = result if result is not None else criterion
            assert of is not None
            of_items = of.accuracy if isinstance(of, ContrastResult) else of.share
            both.append(of)
            delta = deltas.get((name, run.model, run.dataset, run.group, run.context))
            length = run.analysis.context_length
            called = label(result.contrast) if result is not None else name
            change: tuple[str, ...] = ("", "", "")
            if delta is not None and delta.ci is not None:
                ends = _percent_interval(*delta.ci)
                change = (
                    _percent_points(delta.estimate),
                    ends,
                    p_value(delta.p) if delta.interpretable else f"({p_value(delta.p)})",
                )
            rows.append(
                (
                    called,
                    *(run.place(axis) for axis in axes),
                    plain(length, 1),
                    percent(of_items.estimate),
                    bracketed(percent_interval(of_items.ci_low, of_items.ci_high), of.words.may_repeat),
                    f"{of_items.n:,}",
                    *change,
                )
            )
    columns = (
        "",
        *(_TITLES[axis] for axis in axes),
        "tokens",
        "accuracy",
        f"Wilson {_confidence(found)}",
        "n",
        "delta",
        f"{_confidence(found)} CI",
        "p",
    )
    notes = (
        "tokens: real length of the contexts on average; accuracy: share of items as expected, or of which the criterion holds",
        "delta: accuracy minus that of the same items without a context, in percentage points",
        "p: McNemar's exact test; interval: Agresti and Min's",
        *bracket_notes(both),
    )
    first = len(axes) + 1
    return Table("Accuracy by context", columns, tuple(rows), frozenset(range(first, first + 7)), notes)


def _criteria(found: RunComparison) -> Table:
    """The share of items of which each criterion is true, in each run."""
    rows = []
    for criterion in found.paradigm.criteria:
        for run in found.runs:
            result = next((one for one in run.analysis.criteria if one.criterion.name == criterion.name), None)
            if result is not None:
                own = result.share
                places = (run.place(axis) for axis in found.varying)
                ends = bracketed(percent_interval(own.ci_low, own.ci_high), result.words.may_repeat)
                share_of = (percent(own.estimate), ends)
                rows.append((criterion.name, *places, *share_of, f"{own.n:,}", f"{own.n_undefined:,}"))
    axes = tuple(_TITLES[axis] for axis in found.varying)
    columns = ("", *axes, "holds", f"Wilson {_confidence(found)}", "n", "undefined")
    numeric = frozenset(range(len(axes) + 1, len(axes) + 5))
    brackets = bracket_notes([one for run in found.runs for one in run.analysis.criteria])
    return Table("Criteria side by side", columns, tuple(rows), numeric, (*_measured_by(found), *_restricted(found), *brackets))


def _unit(found: RunComparison) -> str:
    """What the contrasts' values are in."""
    return unit_of(own.contrast.measure for run in found.runs for own in run.analysis.contrasts)


def _restricted(found: RunComparison) -> tuple[str, ...]:
    """Why runs, or some of their contrasts and criteria, are about some of the items only: in each line the predictions, where these
    are not all, and the runs, where these are not all."""
    every: list[list[str]] = []
    restricted: dict[str, dict[int, list[str]]] = {}
    for number, run in enumerate(found.runs):
        own: list[tuple[str, tuple[Restriction, ...]]] = []
        own += [(label(result.contrast), result.restrictions) for result in run.analysis.contrasts]
        own += [(result.criterion.name, result.restrictions) for result in run.analysis.criteria]
        every.append([name for name, _ in own])
        for name, restrictions in own:
            for restriction in restrictions:
                if not restriction.is_lack:
                    restricted.setdefault(str(restriction), {}).setdefault(number, []).append(name)
    lines = []
    for said, having in restricted.items():
        for names in dict.fromkeys(map(tuple, having.values())):
            runs = [number for number, some in having.items() if tuple(some) == names]
            which = "" if all(list(names) == every[number] for number in runs) else ", ".join(names)
            where = "" if len(runs) == len(found.runs) else "; ".join(_called(found, found.runs[number]) for number in runs)
            about = f"{which} ({where})" if which and where else which or where
            lines.append(f"{about}: {said}" if about else said)
    return tuple(lines)


def _called(found: RunComparison, run: ComparedRun) -> str:
    return ", ".join(filter(None, map(run.place, found.varying)))


def _measured_by(found: RunComparison) -> tuple[str, ...]:
    """By what everything was measured, where that was asked for in place of what the paradigm says."""
    asked = found.runs[0].analysis.options.measure
    return () if asked is None else (f"measured by {asked}: {MEASURES.find(asked).title}",)


def _cells(result: ContrastResult) -> tuple[str, ...]:
    hits = result.accuracy.details["successes"]
    return (
        bits(result.estimate),
        bracketed(interval(*result.interval), is_doubted(result)),
        plain(result.statistic),
        degrees(result.df),
        bracketed(p_value(result.p_raw), is_doubted(result)),
        share(hits, result.accuracy.n),
        f"{result.n_distinct:,}",
        result.verdict.value,
    )


def _difference_table(found: RunComparison) -> Table:
    rows: list[tuple[str, ...]] = []
    notes: dict[str, None] = {}
    for own in found.differences:
        if own.context:
            # Those are beside the accuracies.
            continue
        where = ", ".join(part for part in (own.dataset, own.group) if part)
        compared = own.model if " - " in own.model else f"{own.dataset}"
        where = where if " - " in own.model else own.group
        in_bits = not own.test.startswith(_OF_SHARES)
        estimate = bits(own.estimate) if in_bits else _percent_points(own.estimate)
        ends = interval(own.ci_low, own.ci_high) if in_bits else _percent_interval(own.ci_low, own.ci_high)
        contrast = _label_of(found, own.contrast)
        test = (_bracketed(own), p_value(own.p_adj))
        rows.append((contrast, compared, where, own.test, estimate, ends, plain(own.statistic), *test, f"{own.n:,}"))
        notes.update(dict.fromkeys(own.notes))
        # Why items were not asked for stands beside the contrasts.
        notes.update(dict.fromkeys(f"{contrast}: {one}" for one in own.restrictions if one.is_lack))
    columns: tuple[str, ...] = (
        "",
        "compared",
        "of",
        "test",
        "difference",
        f"{_confidence(found)} CI",
        "statistic",
        "p",
        "p Holm",
        "n",
    )
    if not any(row[2] for row in rows):
        columns, rows = (*columns[:2], *columns[3:]), [(*row[:2], *row[3:]) for row in rows]
    said = [
        f"paired t test: difference in {_unit(found)}, item by item; Welch's t test: between the means of two data sets",
        "shares: difference in percentage points",
        *_said_of_family([own for own in found.differences if not own.context]),
    ]
    if any(not own.interpretable and own.p is not None for own in found.differences if not own.context):
        said.append("p in brackets: nothing may be concluded from it, for the reason below")
    numeric = frozenset(range(len(columns) - 6, len(columns)))
    return Table("Differences", columns, tuple(rows), numeric, (*said, *notes))


def _percent_points(value: float | None) -> str:
    """A difference of shares as ``+12.5``, in percentage points."""
    return "–" if value is None else f"{100 * value:+.1f}"


def _percent_interval(low: float | None, high: float | None) -> str:
    return "–" if low is None or high is None else f"[{_percent_points(low)}, {_percent_points(high)}]"


def comparison_text(found: RunComparison, *, width: int = 80) -> str:
    """The comparison for a terminal."""
    import textwrap

    axes = ", ".join(_TITLES[axis] for axis in found.varying) or "one run"
    title = f"{found.paradigm.name}: {found.paradigm.title}, by {axes}"
    blocks = [f"{title}\n{'=' * min(len(title), width)}"]
    for table in comparison_tables(found):
        notes = "\n".join(textwrap.fill(note, width, initial_indent="  ", subsequent_indent="    ") for note in table.notes)
        blocks.append(render_text(table, width=width) + notes)
    if found.notes:
        lines = [textwrap.fill(note, width, initial_indent="- ", subsequent_indent="  ") for note in found.notes]
        blocks.append("Before you use these numbers:\n" + "\n".join(lines))
    return "\n\n".join(block.rstrip() for block in blocks) + "\n"


def learning_curve(found: RunComparison) -> Drawing | None:
    """Each contrast over the revisions of one model; None where there are not two revisions with a number in their names, or
    more than one model, data set or group, and for a paradigm of criteria alone."""
    steps = {run.revision: step for run in found.runs if (step := step_of(run.revision)) is not None}
    lacking = any(run.revision not in steps for run in found.runs)
    if not found.contrasts or len(set(steps.values())) < 2 or lacking or found.varying != ("revision",):
        return None
    runs = sorted(found.runs, key=lambda run: steps[run.revision])
    alt = f"Contrasts over revisions, mean in {_unit(found)}. " + " ".join(
        f"{name}: {', '.join(f'{run.revision} {_mean(run, name)}' for run in runs)}." for name in found.contrasts
    )

    def paint(figure: Canvas) -> None:
        axes = figure.add_subplot()
        axes.axhline(0, color=INK, linewidth=1)
        for number, name in enumerate(found.contrasts):
            points = [
                (steps[run.revision], own.estimate, own.interval)
                for run in runs
                if (own := run.result(name)) is not None and own.estimate is not None
            ]
            if not points:
                continue
            x, y = [p[0] for p in points], [p[1] for p in points]
            color = (DARK, str(PAIR[1]["color"]), INK, GREY)[number % 4]
            axes.plot(
                x,
                y,
                color=color,
                marker=_MARKERS[number % len(_MARKERS)],
                linestyle=_LINES[number // 4 % len(_LINES)],
                label=minus(_label_of(found, name)),
            )
            bounds = [(at, low, high) for at, _, (low, high) in points if low is not None and high is not None]
            if bounds:
                axes.fill_between(
                    [b[0] for b in bounds],
                    [b[1] for b in bounds],
                    [b[2] for b in bounds],
                    color=color,
                    alpha=0.12,
                    linewidth=0,
                )
        axes.set_xticks([steps[run.revision] for run in runs], [run.revision for run in runs])
        axes.set_xlabel("revision")
        axes.set_ylabel(_unit(found))
        axes.legend()

    name = figure_name(found.paradigm.name, "revisions")
    return draw(name, f"{found.paradigm.title} over revisions of {runs[0].model}", alt, size=(6.4, 4.2), paint=paint)


def _effects(found: RunComparison) -> Drawing:
    """Mean and interval of each contrast in each run."""
    alt = f"Mean of each contrast in {_unit(found)}. " + " ".join(
        f"{name}: {', '.join(f'{_run_label(found, run)} {_mean(run, name)}' for run in found.runs)}." for name in found.contrasts
    )
    n = len(found.runs)

    def paint(figure: Canvas) -> None:
        axes = figure.add_subplot()
        axes.axhline(0, color=INK, linewidth=1)
        for number, run in enumerate(found.runs):
            color = (DARK, str(PAIR[1]["color"]), INK, GREY)[number % 4]
            labelled = False
            for place, name in enumerate(found.contrasts):
                result = run.result(name)
                if result is None or result.estimate is None:
                    continue
                x, mean = place + (number - (n - 1) / 2) * min(0.2, 0.8 / n), result.estimate
                low, high = result.interval
                if low is not None and high is not None:
                    axes.errorbar([x], [mean], yerr=[[mean - low], [high - mean]], color=color, capsize=3, fmt="none")
                face = color if verdict_mark(result.verdict) == "✓" else "white"
                axes.plot(
                    [x],
                    [mean],
                    marker=_MARKERS[number % len(_MARKERS)],
                    linestyle="none",
                    color=color,
                    markerfacecolor=face,
                    label=None if labelled else minus(_run_label(found, run)),
                )
                labelled = True
        axes.set_xticks(range(len(found.contrasts)), [minus(_label_of(found, name)) for name in found.contrasts])
        axes.set_ylabel(_unit(found))
        axes.legend(fontsize=8.5)

    size = (max(6.4, 1.0 + 0.35 * n * len(found.contrasts)), 4.2)
    name = figure_name(found.paradigm.name, "compared")
    return draw(name, f"{found.paradigm.title}, side by side", alt, size=size, paint=paint)


def _mean(run: ComparedRun, name: str) -> str:
    result = run.result(name)
    return bits(None) if result is None else f"{bits(result.estimate)} {interval(*result.interval)}"


def _label_of(found: RunComparison, name: str) -> str:
    """What a contrast is called; a criterion by its name."""
    return name if name in found.criteria else label(found.paradigm.contrast(name))


def _run_label(found: RunComparison, run: ComparedRun) -> str:
    return ", ".join(run.place(axis) for axis in found.varying if run.place(axis)) or run.model


def _confidence(found: RunComparison) -> str:
    return f"{100 * found.runs[0].analysis.options.confidence:g}%"
