"""From analyses to a report: one HTML file that needs nothing else, and a Markdown file with its figures beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType

from jinja2 import Environment, PackageLoader, StrictUndefined

from gapsmith.scoring.analysis import Analysis, RunComparison, Sensitivity
from gapsmith.scoring.report.comparison import ComparisonSection, comparison_section
from gapsmith.scoring.report.drawing import figure_name
from gapsmith.scoring.report.leftovers import remember, remove_earlier
from gapsmith.scoring.report.links import Trail
from gapsmith.scoring.report.markdown import markdown_cell, markdown_table, markdown_text
from gapsmith.scoring.report.models import ModelNote, note_on
from gapsmith.scoring.report.rendering import minus_markup, prose_markup
from gapsmith.scoring.report.robustness_tables import RobustnessSection, robustness_sections
from gapsmith.scoring.report.sections import Section, section_of
from gapsmith.scoring.report.sentences import overall
from gapsmith.scoring.report.settings import software_table
from gapsmith.scoring.report.tables import Table
from gapsmith.stats import FormulaComparison, MixedFit
from gapsmith.templates import count

_QUESTION = (
    "Each item has a sentence for every condition of a design, and these sentences differ in what the design changes. Where "
    "knowledge of the grammar makes a word easier or harder to expect, its surprisal should fall or rise"
)
_CHANGE = "; a contrast is that change, item by item."
_READING = "“No evidence” means that p is not below alpha; it does not mean that there is no effect."
_WH_EFFECT = (
    "A wh-effect is the surprisal with a filler minus the surprisal without one, on the same words: below 0 the filler "
    "made them easier, above 0 harder."
)


@dataclass(frozen=True, slots=True)
class Report:
    """Everything on the page, before it is one."""

    title: str
    date: str
    scope: str
    headline: str
    question: str
    reading: str
    model: ModelNote
    sections: tuple[Section, ...]
    comparisons: tuple[ComparisonSection, ...]
    """Models, revisions, data sets or kinds of items side by side."""
    robustness: tuple[RobustnessSection, ...]
    """Mixed models, and what the contrasts hang on, where that was asked for."""
    software: Table
    folder: str
    """Where the Markdown file finds its figures."""


@dataclass(frozen=True, slots=True)
class ReportFiles:
    """What was written where."""

    html: Path
    markdown: Path
    figures: tuple[Path, ...]


def make_report(
    analyses: Sequence[Analysis],
    *,
    made_on: date,
    comparisons: Sequence[RunComparison] = (),
    trail: Trail | None = None,
    fits: Sequence[MixedFit] = (),
    models: Sequence[FormulaComparison] = (),
    checks: Sequence[Sensitivity] = (),
    readers: Mapping[str, Table] = MappingProxyType({}),
) -> Report:
    """The report on these analyses, which must all be under one scorer, and on comparisons, with the mixed models of each analysis
    and checks of what it hangs on; `readers` has who decided on the items, by `Analysis.part`. Raises ValueError otherwise.

    With a `trail`, whose pages `gapsmith.scoring.report.trail` writes, the numbers lead to their items."""
    if not analyses:
        raise ValueError("a report needs at least one analysis")
    if len({analysis.scorer_id for analysis in analyses}) > 1:
        raise ValueError("a report is about one scorer; make one for each")
    sections = tuple(section_of(analysis, trail, readers.get(analysis.part)) for analysis in analyses)
    outcomes = [section.outcome for section in sections]
    model = note_on(analyses[0].scorer)
    paradigms = list(dict.fromkeys(analysis.paradigm.name for analysis in analyses))
    names = " and ".join(paradigms)
    n_items = sum(analysis.items.n_selected for analysis in analyses)
    which = count(n_items, "item" if analyses[0].options.all_items else "approved item")
    whatever = ", whatever was decided of them" if analyses[0].options.all_items else ""
    accounts = [analysis.account for analysis in analyses]
    if not any(account.n_by_people or account.n_left_out for account in accounts):
        whatever += ", no decision by a person"
    return Report(
        title=f"{analyses[0].scorer.model} on {names}",
        date=made_on.isoformat(),
        scope=f"{count(len(paradigms), 'paradigm')}, {which}{whatever}",
        headline=overall(outcomes, toy=model.toy),
        question=_QUESTION + (_CHANGE if any(one.contrasts for one in analyses) else "."),
        reading=_reading(analyses),
        model=model,
        sections=sections,
        comparisons=tuple(comparison_section(found, trail) for found in comparisons),
        robustness=robustness_sections(analyses, fits, checks, models),
        software=software_table(),
        folder="figures",
    )


def render_html(report: Report) -> str:
    """One HTML page with its styles and figures inside; every word that came from a file or a model is escaped."""
    environment = _environment(autoescape=True)
    css = (resources.files("gapsmith.scoring.report") / "templates" / "style.css").read_text(encoding="utf-8")
    return environment.get_template("report.html.j2").render(report=report, css=css)


def render_markdown(report: Report) -> str:
    """The same contents as Markdown, its figures as PNG files in `Report.folder`."""
    environment = _environment(autoescape=False)
    text = environment.get_template("report.md.j2").render(report=report)
    text = re.sub(r"[ \t]+\n", "\n", text)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def write_report(report: Report, folder: Path) -> ReportFiles:
    """Write ``report.html``, ``report.md`` and the figures into `folder`, which is made if it is not there.

    Figures of an earlier report there are removed first, unless they were changed since. Raises OSError.
    """
    figures_folder = folder / report.folder
    figures_folder.mkdir(parents=True, exist_ok=True)
    remove_earlier(figures_folder)
    written = []
    drawings = [figure.drawing for section in report.sections for figure in section.all_figures]
    drawings += [drawing for compared in report.comparisons for drawing, _ in compared.figures]
    for drawing in drawings:
        png = figures_folder / f"{drawing.name}.png"
        png.write_bytes(drawing.png)
        svg = figures_folder / f"{drawing.name}.svg"
        svg.write_text(drawing.svg, encoding="utf-8")
        written += [png, svg]
    remember(figures_folder, written)
    html, markdown = folder / "report.html", folder / "report.md"
    html.write_text(render_html(report), encoding="utf-8")
    markdown.write_text(render_markdown(report), encoding="utf-8")
    return ReportFiles(html, markdown, tuple(written))


@cache
def _environment(*, autoescape: bool) -> Environment:
    # Reading the templates takes longer than filling in a report of one set.
    environment = Environment(
        loader=PackageLoader("gapsmith.scoring.report", "templates"),
        autoescape=autoescape,
        undefined=StrictUndefined,
        trim_blocks=False,
        keep_trailing_newline=True,
    )
    environment.filters |= {"minus": minus_markup, "prose": prose_markup, "anchor": figure_name}
    environment.filters |= {"md": markdown_text, "cell": markdown_cell, "table": markdown_table}
    return environment


def _reading(analyses: Sequence[Analysis]) -> str:
    """How the sentences of these analyses are to be read; criteria have no test and no change."""
    said = [_READING] if any(one.contrasts for one in analyses) else []
    return " ".join([*said, *([_WH_EFFECT] if any(one.of_kind("wh-effect") for one in analyses) else [])])
