"""The report: pages that stand alone, text that stays text, and files where they belong."""

from __future__ import annotations

import io
import re
import shutil
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from PIL import Image

from gapsmith.bank import Bank, Finding, NewItem, Severity, Verdict
from gapsmith.scoring.analysis import Analysis, AnalysisOptions, analyze
from gapsmith.scoring.observations import ItemKey
from gapsmith.scoring.report import (
    Report,
    contrast_tables,
    make_report,
    outcome_of,
    render_html,
    render_markdown,
    render_text,
    write_report,
)
from gapsmith.scoring.report.figures import effect_figure
from gapsmith.scoring.report.markdown import markdown_cell, markdown_text
from gapsmith.scoring.report.numbers import bits
from gapsmith.scoring.report.sentences import PatternVerdict as Found
from gapsmith.scoring.report.style import PAIR
from gapsmith.templates import Sentence, Source, load_paradigm, realise
from tests.conftest import painting
from tests.making import made_scorer
from tests.scoring.analysing import SCORER, add_items, approve, filled_bank, score, spread
from tests.scoring.reporting import DAY, Page, analysed, effects, flat

HOSTILE = "<script>alert('x')</script> & \"q\" {{ 7*191 }} $\\frac{1}{2}$ ]]> | `code` [a](http://x.y) -->"


@pytest.fixture(scope="module")
def analysis(tmp_path_factory: pytest.TempPathFactory) -> Analysis:
    """20 items that show the published pattern."""
    return analysed(tmp_path_factory.mktemp("shown") / "bank.sqlite", -2.0, -3.0, 1.0, 4.0)


@pytest.fixture(scope="module")
def report(analysis: Analysis) -> Report:
    """Its report, with its figures."""
    with painting():
        return make_report([analysis], made_on=DAY)


@pytest.fixture(scope="module")
def html(report: Report) -> str:
    """The page of that report."""
    return render_html(report)


def first_contrast(analysis: Analysis) -> Analysis:
    """An analysis with three figures instead of six, for what does not hang on them."""
    return replace(analysis, contrasts=analysis.contrasts[:1])


def test_the_page_stands_alone_and_is_well_formed(html: str) -> None:
    page = Page(html)
    names = {tag for tag, _ in page.tags}
    assert not names & {"script", "link", "img", "iframe", "object"}
    [policy] = [a["content"] for tag, a in page.tags if a.get("http-equiv") == "Content-Security-Policy"]
    assert (policy or "").startswith("default-src 'none';")
    for tag, attributes in page.tags:
        for name, value in attributes.items():
            assert not name.startswith("on"), (tag, name)
            if name in {"src", "href", "xlink:href", "data", "action"}:
                assert str(value).startswith("#"), (tag, name, value)
            assert "url(http" not in str(value)
    assert "@import" not in html
    ids = [attributes["id"] for _, attributes in page.tags if attributes.get("id")]
    assert len(ids) == len(set(ids))
    for _, attributes in page.tags:
        for name in ("href", "xlink:href", "aria-labelledby"):
            for target in str(attributes.get(name) or "").split():
                assert target.removeprefix("#") in ids
    assert {"lang": "en"} in [attributes for tag, attributes in page.tags if tag == "html"]


def test_who_has_a_keyboard_skips_the_head_and_sees_where_they_are(html: str) -> None:
    page = Page(html)
    assert next(attributes for tag, attributes in page.tags if tag == "a")["href"] == "#the-content"
    assert {"id": "the-content", "tabindex": "-1"} in [attributes for tag, attributes in page.tags if tag == "main"]
    assert re.search(r"a:focus-visible, summary:focus-visible, \.scroll:focus-visible \{ outline: [^}]*solid", html)
    assert not [attributes for _, attributes in page.tags if int(attributes.get("tabindex") or 0) > 0], "an order of its own"


def test_every_figure_has_a_text_alternative_with_its_numbers(report: Report, html: str) -> None:
    drawings = [figure.drawing for figure in report.sections[0].figures]
    drawings += [curve.drawing for curve in report.sections[0].curves]
    assert [drawing.name for drawing in drawings] == [
        "subject_pg-summary",
        "subject_pg-effects",
        "subject_pg-shares",
        *(f"subject_pg-regions-P{number}" for number in range(1, 5)),
    ]
    for drawing in drawings:
        root = ET.fromstring(drawing.svg)
        space = "{http://www.w3.org/2000/svg}"
        title, description = root.find(f"{space}title"), root.find(f"{space}desc")
        assert title is not None
        assert title.text == drawing.title
        assert description is not None
        assert description.text == drawing.alt
        assert root.get("role") == "img"
        assert root.get("viewBox")
        assert drawing.svg in html
        image = Image.open(io.BytesIO(drawing.png))
        assert (image.format, image.width > 500) == ("PNG", True)
    assert f"P1: {bits(report.sections[0].analysis.contrasts[0].estimate)} [" in drawings[0].alt
    assert "adverb 18.00" in drawings[3].alt
    assert "Difference: preamble 0.00" in drawings[3].alt
    # Behind every curve stands a table with the same numbers.
    assert html.count("The numbers of this figure") == 4


def test_on_paper_nothing_is_folded_scrolled_or_cut_in_two(html: str) -> None:
    printed = html[html.index("@media print") : html.index("</style>")]
    assert "details::details-content { content-visibility: visible; block-size: auto; }" in printed
    assert ".scroll { overflow: visible; }" in printed
    (whole,) = re.findall(r"([^{}]+)\{ break-inside: avoid; \}", printed)
    assert {"tr", ".scroll", ".notes", "figcaption", "figure svg"} <= {part.strip() for part in whole.split(",")}
    # A figure higher than the page would be cut, and its heading and caption stand on pages of their own.
    assert re.search(r"figure svg \{ max-height: \d+cm; break-after: avoid; \}", printed)


def test_two_series_stay_apart_in_grey() -> None:
    one, other = PAIR
    assert one["marker"] != other["marker"]
    assert one["linestyle"] != other["linestyle"]
    assert one["markerfacecolor"] != other["markerfacecolor"]
    lightness = [0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (to_rgb(s["color"]) for s in PAIR)]
    assert abs(lightness[0] - lightness[1]) > 0.15


def test_points_stand_side_by_side_by_a_rule_that_knows_no_groups(analysis: Analysis, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a point stands sideways hangs on the order of the values alone, and neighbours in value never bunch."""
    drawn: list[Figure] = []

    def keep(size: tuple[float, float], paint: Callable[[Figure], None]) -> tuple[str, bytes]:
        drawn.append(Figure(figsize=size))
        paint(drawn[-1])
        return '<svg viewBox="0 0 1 1"></svg>', b""

    def points(values: list[float], names: list[str]) -> list[tuple[float, float]]:
        own = {ItemKey("generated", name): value for name, value in zip(names, values, strict=True)}
        effect_figure(analysis, [replace(result, values=own) for result in analysis.contrasts[:2]])
        _, second = (line for line in drawn[-1].axes[0].lines if line.get_marker() == ".")
        return sorted((float(y), float(x) - 1) for x, y in np.asarray(second.get_xydata()))

    monkeypatch.setattr("gapsmith.scoring.report.drawing._rendered", keep)
    names = [f"item {number}" for number in range(40)]
    two_groups = [(number % 2) * 5 + number / 100 for number in range(40)]
    found = points(two_groups, names)
    assert points(two_groups[::-1], names[20:] + names[:20]) == found
    sideways = [x for _, x in found]
    assert sorted(x for _, x in points([value**2 for value in two_groups], names)) == pytest.approx(sorted(sideways))
    # Inside the shaded side of its contrast, beside the mean and not under it.
    assert -0.42 < min(sideways) < max(sideways) < 0.05
    width = max(sideways) - min(sideways)
    for group in (sideways, sideways[:20], sideways[20:], sideways[10:20]):
        edges = sorted(group)
        gaps = [after - before for before, after in pairwise(edges)]
        assert max(gaps) < 3 * 0.3 / len(group)
        assert edges[-1] - edges[0] > 0.75 * width
    order = [first < second for first, second in combinations(sideways, 2)]
    assert abs(2 * sum(order) / len(order) - 1) < 0.1


def hostile_bank(path: Path) -> Iterator[Bank]:
    """Items, labels, reasons and comments that try to be markup."""
    paradigm = load_paradigm("subject_pg")
    text = paradigm.text.replace("Subject parasitic gap, eight permutations", "<b>Bold</b> & $x^2$ | `t`")
    text = text.replace('name = "P1"', 'name = "P<1>/../$x"')
    own = path.parent / "paradigms" / "subject_pg.toml"
    own.parent.mkdir()
    own.write_text(text.replace('title = "island head"', 'title = "<i>head</i> $a_b$"'), encoding="utf-8")
    paradigm = load_paradigm(str(own))
    with filled_bank(path, "subject_pg", 1) as bank:
        from gapsmith.templates import sample

        stream = sample(paradigm, 7)
        items = []
        for number in range(5):
            slots = next(stream)
            cells = list(realise(paradigm, slots))
            if number == 0:
                cells = [Sentence(c.condition, f"{HOSTILE} {c.text}", None, Source.IMPORTED) for c in cells]
            items.append(NewItem(slots, tuple(cells), label=f"{number}<img src=x onerror=alert(1)>"))
        ids = add_items(bank, paradigm, items, identity=HOSTILE)
        approve(bank, ids)
        bank.decisions.decide(ids[3:4], Verdict.EXCLUDE, author="<u>A</u>", reason=HOSTILE, comment=HOSTILE)
        bank.findings.replace("subject_pg", {ids[0]: [Finding("X<1>", Severity.WARNING, HOSTILE)]}, ruleset="r")
        bits = effects(-2.0, -3.0, 1.0, 4.0)
        score(bank, "subject_pg", bits, scorer=made_scorer(SCORER, model="<model>", k=HOSTILE))
        yield bank


def test_hostile_text_stays_text(tmp_path: Path) -> None:
    for bank in hostile_bank(tmp_path / "bank.sqlite"):
        report = make_report([analyze(bank, "subject_pg")], made_on=DAY)
        text = render_html(report)
    page = Page(text)
    names = {tag for tag, _ in page.tags}
    assert not names & {"script", "img", "b", "i", "u", "model"}
    assert not any(name.startswith("on") for _, attributes in page.tags for name in attributes)
    assert " ".join(HOSTILE.split()) in page.text
    assert "1337" not in page.text
    assert "<b>Bold</b> & $x^2$ | `t`" in page.text
    files = write_report(report, tmp_path / "out")
    assert {file.parent for file in files.figures} == {tmp_path / "out" / "figures"}
    for line in files.markdown.read_text(encoding="utf-8").splitlines():
        bare = re.sub(r"\\[\\`*_\[\]<|~$&!#]", "", line)
        assert "<" not in bare
        assert "](" not in bare or bare.startswith(("![", "*"))


def test_markdown_tables_keep_their_columns(report: Report) -> None:
    lines = render_markdown(report).splitlines()
    width, rows = 0, 0
    for line in lines:
        if not line.startswith("|"):
            width = 0
            continue
        columns = len(re.findall(r"(?<!\\)\|", line))
        width = width or columns
        assert columns == width, line
        rows += 1
    assert rows > 60
    assert markdown_cell("a|b") == r"a\|b"
    assert markdown_text("- not a list") == r"\- not a list"
    assert markdown_text("1. not a list") == r"\1. not a list" or markdown_text("1. not a list") == r"1\. not a list"


@pytest.mark.usefixtures("painted")
@pytest.mark.full
def test_equal_banks_give_equal_reports_but_for_the_date(tmp_path: Path, analysis: Analysis) -> None:
    again = first_contrast(analysed(tmp_path / "bank.sqlite", -2.0, -3.0, 1.0, 4.0))
    runs = [replace(run, started_at="", finished_at="") for run, _ in again.account.runs]
    same = [
        replace(one, account=replace(one.account, runs=tuple((run, 20) for run in runs)))
        for one in (first_contrast(analysis), again)
    ]
    first, second = (make_report([one], made_on=DAY) for one in same)
    assert render_html(first) == render_html(second)
    assert render_markdown(first) == render_markdown(second)
    assert [f.drawing for f in first.sections[0].figures] == [f.drawing for f in second.sections[0].figures]
    later = render_html(make_report(same[:1], made_on=date(2027, 1, 1)))
    assert later.replace("2027-01-01", "2026-11-21") == render_html(first)


def test_undefined_results_are_dashes_and_reasons(tmp_path: Path) -> None:
    with filled_bank(tmp_path / "bank.sqlite", "subject_pg", 1, flat) as bank:
        one = analyze(bank, "subject_pg")
    with filled_bank(tmp_path / "flat.sqlite", "subject_pg", 4, flat) as bank:
        none = analyze(bank, "subject_pg")
    with filled_bank(tmp_path / "part.sqlite", "subject_pg", 4) as bank:
        score(bank, "subject_pg", flat, skip=frozenset({"pf_pg1_pg2"}))
        part = analyze(bank, "subject_pg")
    for analysis, reason in ((one, "at least two"), (none, "no variance"), (part, "no items")):
        report = make_report([first_contrast(analysis)], made_on=DAY)
        for text in (Page(render_html(report)).text, render_markdown(report)):
            assert not re.search(r"\b(nan|NaN|inf|None)\b", text)
            assert reason in text
        assert "P1" in render_html(report)
    assert outcome_of(one).finding is Found.UNTESTED


def test_scores_of_the_critical_region_alone_say_what_they_cannot_show(tmp_path: Path) -> None:
    with filled_bank(tmp_path / "bank.sqlite", "embedded_wh", 6) as bank:

        def critical_only(position: int, sentence: Sentence, region: str) -> float | None:
            gap = sentence.condition.endswith("pg")
            return float(position) + len(sentence.condition) if region == ("time" if gap else "gap") else None

        score(bank, "embedded_wh", critical_only)
        report = make_report([analyze(bank, "embedded_wh")], made_on=DAY)
    assert report.sections[0].curves == ()
    assert "only the critical region was scored" in Page(render_html(report)).text


def test_exclusions_findings_and_settings_are_on_the_page(tmp_path: Path) -> None:
    with filled_bank(tmp_path / "bank.sqlite", "subject_pg", 20, effects(-2.0, -3.0, 1.0, 4.0)) as bank:
        ids = bank.items.ids()
        bank.decisions.decide(ids[:2], Verdict.EXCLUDE, author="Anna", reason="implausible", comment="odd pair")
        bank.findings.replace(
            "subject_pg",
            {ids[2]: [Finding("L310", Severity.WARNING, "x", title="Possessive gerund")]},
            ruleset="r1",
            of_sets={"generated": [Finding("C110", Severity.WARNING, "one verb is in most of the items")]},
        )
        analysis = analyze(bank, "subject_pg", options=AnalysisOptions(holm=True))
    text = Page(render_html(make_report([analysis], made_on=DAY))).text
    for expected in (
        "implausible",
        "Anna",
        "odd pair",
        "L310",
        "Possessive gerund",
        "18 approved items of 20",
        analysis.paradigm.digest,
        "lexicon",
        "float32",
        "one beginning-of-sequence token",
        "seed 20250",
        "Holm",
        "scipy",
        "Before you use these numbers",
        "chosen is a model that this report knows only by its name",
        "kept, removed",
        "one verb is in most of the items",
        "18 by policy clean, 0 by a person; 2 excluded",
        "no decision by a person",
    ):
        assert expected in text, expected


def test_findings_about_a_set_are_those_of_the_data_set(tmp_path: Path) -> None:
    with filled_bank(tmp_path / "bank.sqlite", "subject_pg", 20, effects(-2.0, -3.0, 1.0, 4.0)) as bank:
        found = [Finding("C120", Severity.INFO, "words of unequal length", title="Unequal length")]
        bank.findings.replace("subject_pg", {}, ruleset="r1", of_sets={"generated": found})
        whole, one = (analyze(bank, "subject_pg", options=AnalysisOptions(dataset=d)) for d in (None, "generated"))
    for analysis in (whole, one):
        text = Page(render_html(make_report([first_contrast(analysis)], made_on=DAY))).text
        assert "C120 Unequal length info words of unequal length" in text


def test_many_items_are_drawn_as_quantiles_and_listed_by_their_ends(analysis: Analysis) -> None:
    values = {ItemKey("generated", str(number)): value for number, value in enumerate(spread(-2.0, -6.0, 301))}
    many = tuple(replace(result, values=values, n_items=301) for result in analysis.contrasts)
    texts = {key: f"Sentence {key.label}." for key in values}
    report = make_report([replace(analysis, contrasts=many, texts=texts)], made_on=DAY)
    assert "box holds the middle half" in report.sections[0].figures[1].caption
    listed = report.sections[0].values
    assert [row[0] for row in listed.rows] == [str(number) for number in (*range(10), *range(291, 301))]
    assert "301 items" in listed.caption


def test_tables_fit_a_terminal_of_80_columns(analysis: Analysis) -> None:
    many = [replace(r, n_items=8064, ttest=replace(r.ttest, statistic=-105.46, df=8063)) for r in analysis.contrasts]
    wide = replace(analysis, contrasts=tuple(many))
    for table in contrast_tables(wide):
        assert max(len(line) for line in render_text(table).splitlines()) <= 80


def test_files_are_written_where_they_are_asked_for(tmp_path: Path, gapsmith: Callable[..., Any], analysis: Analysis) -> None:
    files = write_report(make_report([analysis], made_on=DAY), tmp_path / "out" / "deep")
    assert files.html.read_text(encoding="utf-8").startswith("<!doctype html>")
    markdown = files.markdown.read_text(encoding="utf-8")
    for target in re.findall(r"\]\((figures/[^)]+)\)", markdown):
        assert (files.markdown.parent / target).is_file()
    assert len(files.figures) == 14
    filled_bank(tmp_path / "bank.sqlite", "embedded_wh", 6, lambda position, *_: float(position)).close()
    (tmp_path / "gapsmith.toml").write_text("", encoding="utf-8")
    done = gapsmith("report", "--paradigm", "embedded_wh")
    assert done.code == 0, done.err
    assert Path(done.out.strip()) == tmp_path / "report" / "report.html"
    assert "The model chosen was not tested on" in done.err
    file = gapsmith("report", "-p", "embedded_wh", "-o", "mine.html")
    assert (file.code, file.out) == (2, "")
    assert "--out mine" in file.err
    assert not (tmp_path / "mine.html").exists()
    shutil.rmtree(tmp_path / "report")
    (tmp_path / "report").write_text("in the way", encoding="utf-8")
    blocked = gapsmith("report")
    assert (blocked.code, blocked.out) == (2, "")
    assert "--out" in blocked.err


def test_a_report_is_about_one_scorer(analysis: Analysis) -> None:
    with pytest.raises(ValueError, match="one scorer"):
        make_report([analysis, replace(analysis, scorer_id=99)], made_on=DAY)
    with pytest.raises(ValueError, match="at least one"):
        make_report([], made_on=DAY)


def test_figures_of_an_earlier_report_go_and_nothing_else(tmp_path: Path, analysis: Analysis) -> None:
    folder = tmp_path / "out"
    write_report(make_report([analysis], made_on=DAY), folder)
    figures = folder / "figures"
    mine, edited = figures / "my-effects.png", figures / "subject_pg-regions-P2.svg"
    mine.write_bytes(b"mine")
    edited.write_text("edited by hand", encoding="utf-8")
    fewer = replace(analysis, contrasts=analysis.contrasts[:1])
    files = write_report(make_report([fewer], made_on=DAY), folder)
    left = {path.name for path in figures.glob("[!.]*")}
    assert left == {*(path.name for path in files.figures), mine.name, edited.name}
    assert "subject_pg-shares.png" not in left
    assert edited.read_text(encoding="utf-8") == "edited by hand"
