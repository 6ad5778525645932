"""The report: words that follow from the numbers, pages that stand alone, and text that stays text."""

from __future__ import annotations

import io
import re
import shutil
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from html.parser import HTMLParser
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from matplotlib.colors import to_rgb
from PIL import Image

from bank import Bank, Finding, NewItem, Severity, Verdict
from scoring.analysis import Analysis, AnalysisOptions, ItemKey, analyze
from scoring.report import (
    contrast_tables,
    did_sentence,
    figures_of,
    make_report,
    note_on,
    outcome_of,
    overall,
    parts_table,
    render_html,
    render_markdown,
    render_text,
    write_report,
)
from scoring.report.markdown import markdown_cell, markdown_text
from scoring.report.numbers import bits, minus, p_value
from scoring.report.style import PAIR
from scoring.report.words import Finding as Found
from templates import Sentence, Source, load_paradigm, parse_paradigm, realise
from tests.scoring.analysing import SCORER, add_items, approve, filled_bank, score, slots_of, spread
from tests.scoring.fake_hub import COMMIT

DAY = date(2026, 11, 21)
HOSTILE = "<script>alert('x')</script> & \"q\" {{ 7*191 }} $\\frac{1}{2}$ ]]> | `code` [a](http://x.y) -->"
VOID = {"meta", "link", "br", "img", "input", "hr"}


def effects(*means: float, n: int = 20, t: float = 6.0) -> Callable[[int, Sentence, str], float]:
    """Surprisals of `subject_pg` whose wh-effects P1 to P4 have these means, each with |t| = `t` (0 mean: no effect)."""
    order = [("pg1", "pg2"), ("mg1", "pg2"), ("pg1", "mg2"), ("mg1", "mg2")]
    values = {
        gaps: spread(mean, t, n) if mean else [v - 1.0 for v in spread(1.0, 2.0, n)]
        for gaps, mean in zip(order, means, strict=True)
    }

    def chosen(position: int, sentence: Sentence, region: str) -> float:
        filler, gap1, gap2 = sentence.condition.split("_")
        if region != ("adverb" if gap2 == "pg2" else "gap2"):
            return 2.0 + position / 10
        return 20.0 + (values[gap1, gap2][position] if filler == "pf" else 0.0)

    return chosen


def analysed(path: Path, *means: float, n: int = 20) -> Analysis:
    """The analysis of a bank with these wh-effects."""
    with filled_bank(path, "subject_pg", n, effects(*means, n=n)) as bank:
        return analyze(bank, "subject_pg")


@pytest.fixture(scope="module")
def analysis(tmp_path_factory: pytest.TempPathFactory) -> Analysis:
    """20 items that show the published pattern."""
    return analysed(tmp_path_factory.mktemp("shown") / "bank.sqlite", -2.0, -3.0, 1.0, 4.0)


@pytest.fixture(scope="module")
def html(analysis: Analysis) -> str:
    """Its report."""
    return render_html(make_report([analysis], made_on=DAY))


class Page(HTMLParser):
    """Collects tags, attributes and text, and checks that elements are closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.words.append(data)

    @property
    def text(self) -> str:
        """All words on the page."""
        return " ".join(" ".join(self.words).split())


@pytest.mark.parametrize(
    ("means", "finding", "phrase"),
    [
        ((-2.0, -3.0, 1.0, 4.0), Found.SHOWN, "all three predicted wh-effects came out as expected"),
        ((2.0, 3.0, 1.0, 0.0), Found.NOT_SHOWN, "none came out as expected, two ran the other way and one gave no"),
        ((0.0, 0.0, 0.0, 0.0), Found.NOT_SHOWN, "none came out as expected, and there is no evidence of the opposite"),
        ((-2.0, 0.0, 0.0, 4.0), Found.PARTLY, "two came out as expected and one gave no evidence either way"),
        ((-2.0, 2.0, 0.0, 4.0), Found.NOT_SHOWN, "two came out as expected and one ran the other way"),
    ],
)
def test_the_conclusion_follows_from_the_numbers(
    tmp_path: Path, means: Sequence[float], finding: Found, phrase: str
) -> None:
    outcome = outcome_of(analysed(tmp_path / "bank.sqlite", *means))
    assert outcome.finding is finding
    assert phrase in outcome.sentence
    assert ("does not show" in outcome.sentence) == (finding is Found.NOT_SHOWN)


def test_two_paradigms_are_told_apart_in_one_sentence(tmp_path: Path) -> None:
    control = spread(-1.0, -6.0, 12), spread(2.0, 7.0, 12)

    def control_bits(position: int, sentence: Sentence, region: str) -> float:
        gap = sentence.condition.endswith("pg")
        if region != ("time" if gap else "gap"):
            return 2.0
        return 20.0 + (control[0 if gap else 1][position] if sentence.condition.startswith("pf") else 0.0)

    with filled_bank(tmp_path / "bank.sqlite", "subject_pg", 12, effects(2.0, 3.0, 0.0, 0.0, n=12)) as bank:
        paradigm = load_paradigm("embedded_wh")
        from templates import sample

        stream = sample(paradigm, 1)
        slots = [next(stream) for _ in range(12)]
        approve(bank, add_items(bank, paradigm, [NewItem(s, realise(paradigm, s)) for s in slots]))
        score(bank, "embedded_wh", control_bits)
        both = [analyze(bank, name) for name in ("subject_pg", "embedded_wh")]
    said = overall([outcome_of(one) for one in both])
    assert said == (
        "The model chosen shows the effect of “Embedded wh-question, simple object gap”, but does not show that of "
        "“Subject parasitic gap, eight permutations”."
    )
    report = make_report(both, made_on=DAY)
    assert report.headline == said
    assert minus(said) in Page(render_html(report)).text
    assert markdown_text(said) in render_markdown(report)


def test_an_interaction_that_misleads_is_explained_in_the_summary(tmp_path: Path) -> None:
    # The filler does nothing; gap 1 lowers what follows it, which the 2x2 design counts as the filler's work.
    def gap1_only(position: int, sentence: Sentence, region: str) -> float:
        _, gap1, gap2 = sentence.condition.split("_")
        noise = (position * len(sentence.text) % 7 - 3) / 50
        return 20.0 + noise + (3.0 if gap1 == "pg1" and gap2 == "mg2" and region == "gap2" else 0.0)

    with filled_bank(tmp_path / "bank.sqlite", "subject_pg", 20, gap1_only) as bank:
        analysis = analyze(bank, "subject_pg")
    did = analysis.of_kind("did")[0]
    assert did.accuracy.proportion == 1.0
    sentence = did_sentence(did)
    assert "its success comes from gap1, not from filler" in sentence
    assert outcome_of(analysis).finding is Found.NOT_SHOWN
    brief = render_html(make_report([analysis], made_on=DAY)).split("<nav")[0]
    assert "its success comes from gap1, not from filler" in brief


def test_the_page_stands_alone_and_is_well_formed(html: str) -> None:
    page = Page(html)
    names = {tag for tag, _ in page.tags}
    assert not names & {"script", "link", "img", "iframe", "object"}
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


def test_every_figure_has_a_text_alternative_with_its_numbers(analysis: Analysis, html: str) -> None:
    drawings = figures_of(analysis)
    assert [drawing.name for drawing in drawings] == [
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
    assert "P1: -2.00 [" in drawings[0].alt
    assert "adverb 18.00" in drawings[2].alt
    assert "Difference: preamble 0.00" in drawings[2].alt
    # Behind every curve stands a table with the same numbers.
    assert html.count("The numbers of this figure") == 4


def test_two_series_stay_apart_in_grey() -> None:
    one, other = PAIR
    assert one["marker"] != other["marker"]
    assert one["linestyle"] != other["linestyle"]
    assert one["markerfacecolor"] != other["markerfacecolor"]
    lightness = [0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (to_rgb(s["color"]) for s in PAIR)]
    assert abs(lightness[0] - lightness[1]) > 0.15


def hostile_bank(path: Path) -> Iterator[Bank]:
    """Items, labels, reasons and comments that try to be markup."""
    paradigm = load_paradigm("subject_pg")
    text = paradigm.text.replace("Subject parasitic gap, eight permutations", "<b>Bold</b> & $x^2$ | `t`")
    text = text.replace('name = "P1"', 'name = "P<1>/../$x"')
    paradigm = parse_paradigm(text.replace('title = "island head"', 'title = "<i>head</i> $a_b$"'), path="own.toml")
    with filled_bank(path, "subject_pg", 1) as bank:
        from templates import sample

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
        score(bank, "subject_pg", bits, scorer=replace(SCORER, model="<model>", extra={"k": HOSTILE}))
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


def test_markdown_tables_keep_their_columns(analysis: Analysis) -> None:
    lines = render_markdown(make_report([analysis], made_on=DAY)).splitlines()
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


def test_equal_banks_give_equal_reports_but_for_the_date(tmp_path: Path, analysis: Analysis, html: str) -> None:
    again = analysed(tmp_path / "bank.sqlite", -2.0, -3.0, 1.0, 4.0)
    runs = [replace(run, started_at="", finished_at="") for run, _ in again.account.runs]
    same = [
        replace(one, account=replace(one.account, runs=tuple((run, 20) for run in runs))) for one in (analysis, again)
    ]
    first, second = (make_report([one], made_on=DAY) for one in same)
    assert render_html(first) == render_html(second)
    assert render_markdown(first) == render_markdown(second)
    assert [f.drawing for f in first.sections[0].figures] == [f.drawing for f in second.sections[0].figures]
    later = render_html(make_report([analysis], made_on=date(2027, 1, 1)))
    assert later.replace("2027-01-01", "2026-11-21") == html


def flat(*_: object) -> float:
    """The same surprisal everywhere: no variance anywhere."""
    return 3.0


def test_undefined_results_are_dashes_and_reasons(tmp_path: Path) -> None:
    with filled_bank(tmp_path / "bank.sqlite", "subject_pg", 1, flat) as bank:
        one = analyze(bank, "subject_pg")
    with filled_bank(tmp_path / "flat.sqlite", "subject_pg", 4, flat) as bank:
        none = analyze(bank, "subject_pg")
    with filled_bank(tmp_path / "part.sqlite", "subject_pg", 4) as bank:
        score(bank, "subject_pg", flat, skip=frozenset({"pf_pg1_pg2"}))
        part = analyze(bank, "subject_pg")
    for analysis, reason in ((one, "at least two"), (none, "no variance"), (part, "no items")):
        report = make_report([analysis], made_on=DAY)
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
        bank.findings.replace("subject_pg", {ids[2]: [Finding("L310", Severity.WARNING, "x")]}, ruleset="r1")
        analysis = analyze(bank, "subject_pg", options=AnalysisOptions(holm=True))
    text = Page(render_html(make_report([analysis], made_on=DAY))).text
    for expected in (
        "implausible", "Anna", "odd pair", "L310", "Possessive gerund", "18 approved items of 20",
        analysis.paradigm.digest, "lexicon", "float32", "one beginning-of-sequence token", "seed 20250", "Holm", "scipy",
        "Before you use these numbers", "chosen is a model that this report knows only by its name",
        "kept, removed",
    ):  # fmt: skip
        assert expected in text, expected


def test_what_models_are_worth() -> None:
    bundled = note_on(replace(SCORER, model="bundled"))
    assert bundled.toy
    assert "6.9 million parameters" in bundled.what
    assert "too small for claims" in bundled.worth
    gpt2 = note_on(replace(SCORER, model="openai-community/gpt2", revision=COMMIT))
    assert (gpt2.toy, "124 million" in gpt2.what) == (False, True)
    assert "model card" in note_on(replace(SCORER, model="my/own", revision=COMMIT)).worth


def test_a_directory_is_not_the_model_whose_name_it_has() -> None:
    own = note_on(replace(SCORER, model="gpt2", revision=f"sha256:{'0' * 64}"))
    assert "OpenAI" not in own.what
    assert "knows only by its name" in own.what
    assert "OpenAI" in note_on(replace(SCORER, model="gpt2", revision=COMMIT)).what


def test_many_items_are_drawn_as_quantiles_and_listed_by_their_ends(analysis: Analysis) -> None:
    values = {ItemKey("generated", str(number)): value for number, value in enumerate(spread(-2.0, -6.0, 301))}
    many = tuple(replace(result, values=values, n_items=301) for result in analysis.contrasts)
    texts = {key: f"Sentence {key.label}." for key in values}
    report = make_report([replace(analysis, contrasts=many, texts=texts)], made_on=DAY)
    assert "box holds the middle half" in report.sections[0].figures[0].caption
    listed = report.sections[0].values
    assert [row[0] for row in listed.rows] == [str(number) for number in (*range(10), *range(291, 301))]
    assert "301 items" in listed.caption


def test_tables_fit_a_terminal_of_80_columns(analysis: Analysis) -> None:
    many = [replace(r, n_items=8064, ttest=replace(r.ttest, t=-105.46, df=8063)) for r in analysis.contrasts]
    wide = replace(analysis, contrasts=tuple(many))
    for table in contrast_tables(wide):
        assert max(len(line) for line in render_text(table).splitlines()) <= 80


def test_files_are_written_where_they_are_asked_for(
    tmp_path: Path, gapsmith: Callable[..., Any], analysis: Analysis
) -> None:
    files = write_report(make_report([analysis], made_on=DAY), tmp_path / "out" / "deep")
    assert files.html.read_text(encoding="utf-8").startswith("<!doctype html>")
    markdown = files.markdown.read_text(encoding="utf-8")
    for target in re.findall(r"\]\((figures/[^)]+)\)", markdown):
        assert (files.markdown.parent / target).is_file()
    assert len(files.figures) == 12
    filled_bank(tmp_path / "bank.sqlite", "embedded_wh", 6, lambda position, *_: float(position)).close()
    (tmp_path / "gapsmith.toml").write_text("", encoding="utf-8")
    done = gapsmith("report", "--paradigm", "embedded_wh")
    assert done.code == 0, done.err
    assert Path(done.out.strip()) == tmp_path / "report" / "report.html"
    assert "The model chosen was not tested on" in done.err
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


def test_numbers_as_people_read_them() -> None:
    assert [bits(value) for value in (0.254, -0.004, 0.0, None)] == ["+0.25", "-0.00", "0.00", "–"]
    assert [p_value(p) for p in (0.00025, 0.00009, 1.0, 0.0, None)] == [".0003", "< .0001", "1.0000", "< .0001", "–"]
    assert minus("S(+F) - S(-F), -0.25, wh-effect, two-sided") == "S(+F) − S(−F), −0.25, wh-effect, two-sided"


def only_p1_and_p4(position: int, sentence: Sentence, region: str) -> float:
    """The 2x2 interaction lies below 0 for every item, all of it with the filler's change."""
    _, _, gap2 = sentence.condition.split("_")
    noise = (position * len(sentence.text) % 7 - 3) / 50
    if region != ("adverb" if gap2 == "pg2" else "gap2"):
        return 2.0
    return 20.0 + noise + (3.0 if sentence.condition.startswith("pf") and gap2 == "mg2" else 0.0)


def test_an_interaction_expected_below_0_is_described_below_0(tmp_path: Path) -> None:
    text = load_paradigm("subject_pg").text
    head, *contrasts = text.split("[[contrasts]]")
    did = next(number for number, contrast in enumerate(contrasts) if 'name = "did"' in contrast)
    changed = contrasts[did].replace('expected = "positive"', 'expected = "negative"')
    formula = next(line for line in changed.splitlines() if line.startswith("formula"))
    signs = str.maketrans("+-", "-+")
    changed = changed.replace(formula, f'formula = "- {formula.split(chr(34))[1].translate(signs)}"')
    contrasts[did] = changed
    paradigm = parse_paradigm("[[contrasts]]".join([head, *contrasts]), path="below.toml")
    with Bank.open(tmp_path / "bank.sqlite", create=True) as bank:
        items = [NewItem(s, realise(paradigm, s)) for s in islice(slots_of("subject_pg"), 20)]
        approve(bank, add_items(bank, paradigm, items))
        score(bank, "subject_pg", only_p1_and_p4)
        result = analyze(bank, "subject_pg").of_kind("did")[0]
    assert result.contrast.expected == -1
    assert result.accuracy.proportion == 1.0
    sentence = did_sentence(result)
    assert "is below 0 in 100.0%" in sentence
    assert "above 0 in" not in sentence
    assert "its success comes from filler, not from gap1" in sentence
    table = parts_table(result)
    assert table is not None
    assert table.columns[-1] == "share < 0"
    assert {row[-1] for row in table.rows if row[1] == "filler"} == {"20 of 20"}


def test_one_item_and_one_prediction_are_spoken_of_as_one(tmp_path: Path) -> None:
    with filled_bank(tmp_path / "one.sqlite", "subject_pg", 1, flat) as bank:
        one = analyze(bank, "subject_pg")
        everything = analyze(bank, "subject_pg", options=AnalysisOptions(all_items=True))
    text = Page(render_html(make_report([one], made_on=DAY))).text
    assert "One item is few" in text
    assert "1 approved item of 1 was analysed" in text
    assert "1 paradigm, 1 approved item" in text
    assert not re.search(r"\b1 (approved )?items\b", text)
    assert "The only item was analysed" in Page(render_html(make_report([everything], made_on=DAY))).text
    with filled_bank(tmp_path / "p1.sqlite", "subject_pg", 20, effects(2.0, 0.0, 0.0, 0.0)) as bank:
        alone = analyze(bank, "subject_pg", options=AnalysisOptions(contrasts=("P1",)))
    assert "of one predicted wh-effect, none came out" in outcome_of(alone).sentence


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
