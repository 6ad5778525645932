"""From a number of the report to its items, from an item to all that was done with it; and every condition word by word."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag

import pytest

from gapsmith.bank import Bank, Finding, ItemFilter, NewItem, Severity, Verdict
from gapsmith.scoring.analysis import AnalysisOptions, analyze
from gapsmith.scoring.report import Trail, make_report, render_html, write_report, write_trail
from gapsmith.templates import load_paradigm, realise
from tests.scoring.analysing import approve, filled_bank, published_bits, score, slots_of
from tests.scoring.reporting import DAY, Page


@pytest.fixture
def bank(tmp_path: Path) -> Bank:
    """Four items of one call: 1 is excluded by Ann after a look at the scores, 2 is edited, 3 has a finding."""
    bank = Bank.open(tmp_path / "bank.sqlite", create=True)
    paradigm = load_paradigm("subject_pg")
    stream = slots_of("subject_pg")
    items = [NewItem(own, realise(paradigm, own)) for own in (next(stream) for _ in range(4))]
    run = bank.runs.begin(
        kind="generate",
        paradigm_id=bank.paradigms.register(paradigm),
        provider="openai",
        model="writer-1",
        identity="one",
        parameters={"temperature": 0.5},
        prompt_name="slots.v2",
        prompt_text="Write <items>, please.",
    )
    call = bank.runs.intend(run.id, 0, {"members": 4})
    ids = bank.runs.reply(call, outcome="ok", reply='{"raw": "<b>as it came</b>"}', items=items)
    bank.runs.finish(run.id)
    other = next(stream)
    bank.items.revise(ids[1], slots=other, sentences=realise(paradigm, other), author="bea", note="a better verb")
    place = Finding("L209", Severity.INFO, "an odd <word>")
    bank.findings.replace("subject_pg", {ids[2]: [place]}, ruleset="r1")
    bank.review.peek(ids[0], "scores", author="ann")
    bank.decisions.decide([ids[0]], Verdict.EXCLUDE, author="ann", kind="person", reason="implausible")
    approve(bank, ids[1:])
    score(bank, "subject_pg", published_bits)
    return bank


def test_every_number_leads_to_its_items_and_every_item_to_its_making(bank: Bank, tmp_path: Path) -> None:
    with bank:
        analyses = [analyze(bank, "subject_pg")]
        trail = Trail(bank, analyses)
        folder = tmp_path / "out"
        files = write_report(make_report(analyses, made_on=DAY, trail=trail), folder)
        written = write_trail(bank, analyses, trail, folder)
        ids = bank.items.ids(ItemFilter(paradigm="subject_pg"))
    pages = {path.resolve(): Page(path.read_text(encoding="utf-8")) for path in (files.html, *written)}
    targets = 0
    for path, page in pages.items():
        names = [tag for tag, _ in page.tags]
        assert not {"script", "link", "img", "iframe"} & set(names)
        [policy] = [a["content"] for _, a in page.tags if a.get("http-equiv") == "Content-Security-Policy"]
        assert policy == "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
        for tag, attributes in page.tags:
            if tag != "a":
                continue
            where, fragment = urldefrag(str(attributes["href"]))
            target = (path.parent / where).resolve() if where else path
            assert target in pages, (path.name, where)
            if fragment:
                assert fragment in [a.get("id") for _, a in pages[target].tags], (path.name, where, fragment)
            targets += 1
    assert targets > 50
    report = pages[files.html.resolve()]
    led = {str(a.get("href")) for tag, a in report.tags if tag == "a"}
    assert {f"items/subject_pg-contrast-{name}.html" for name in ("P1", "P4", "did")} <= led
    assert "items/subject_pg-condition-pf_pg1_pg2.html" in led
    assert f"items/subject_pg-records-1.html#item-{ids[3]}" in led

    listed = next(page for path, page in pages.items() if path.name == "subject_pg-contrast-P1.html")
    value = analyses[0].contrasts[0].values
    assert f"{min(value.values()):+.2f}".replace("-", "−") in listed.text
    records = next(page for path, page in pages.items() if path.name == "subject_pg-records-1.html").text
    first, second, third, _ = records.split("Item ")[1:]
    assert "excluded, implausible · not analysed" in first
    assert "exclude by ann (person)" in first
    assert "implausible; after seeing scores" in first
    assert "Edited by bea" in second
    assert "a better verb" in second
    assert "Finding L209 (info): an odd <word>" in third
    assert "run 1, call 1" in third
    assert "chosen" in records
    run = next(page for path, page in pages.items() if path.name == "run-1.html").text
    assert '{"raw": "<b>as it came</b>"}' in run
    assert "Write <items>, please." in run
    assert "slots.v2" in run


def test_a_page_is_written_before_the_next_one_is_made(bank: Bank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All pages of a large set at once are larger than all that was computed."""
    trail_module = import_module("gapsmith.scoring.report.trail")
    real, there = trail_module._record, []

    def record(*given: Any, **more: Any) -> Any:
        there.append(len(list((tmp_path / "items").glob("*-records-*.html"))))
        return real(*given, **more)

    for module in (trail_module, import_module("gapsmith.scoring.report.links")):
        monkeypatch.setattr(module, "PER_PAGE", 1)
    monkeypatch.setattr(trail_module, "_record", record)
    with bank:
        analyses = [analyze(bank, "subject_pg")]
        write_trail(bank, analyses, Trail(bank, analyses), tmp_path)
    assert there == [0, 1, 2, 3]


def test_pages_of_an_earlier_report_go(bank: Bank, tmp_path: Path) -> None:
    with bank:
        analyses = [analyze(bank, "subject_pg")]
        write_trail(bank, analyses, Trail(bank, analyses), tmp_path)
        fewer = [replace(analyses[0], contrasts=analyses[0].contrasts[:1])]
        written = write_trail(bank, fewer, Trail(bank, fewer), tmp_path)
    assert {path.name for path in (tmp_path / "items").glob("*.html")} == {path.name for path in written}


def test_every_condition_stands_word_by_word(tmp_path: Path) -> None:
    with filled_bank(tmp_path / "bank.sqlite", "subject_pg", 20, published_bits) as bank:
        plain = analyze(bank, "subject_pg")
        analysis = analyze(bank, "subject_pg", options=AnalysisOptions(by_word=True))
    assert plain.words == ()
    paradigm = analysis.paradigm
    assert list(dict.fromkeys(own.condition for own in analysis.words)) == [c.name for c in paradigm.conditions]
    for condition in paradigm.conditions:
        sentence = analysis.example.sentence(condition.name)
        assert sentence is not None
        own = [mean for mean in analysis.words if mean.condition == condition.name]
        assert " ".join(mean.word for mean in own).replace(" .", ".") == sentence.text
        # The words of a critical region of one word are its region.
        [critical] = [mean for mean in own if mean.region == condition.critical]
        [region] = [c for c in analysis.conditions if c.name == condition.name]
        assert critical.mean == pytest.approx(region.result.estimate)
        assert critical.ci_low == pytest.approx(region.result.ci_low)
        assert critical.n == region.result.n
    page = render_html(make_report([analysis], made_on=DAY))
    start = page.index('<figure class="wide" id="subject_pg-words">')
    figure = page[start : page.index("</figure>", start)]
    for text in (
        "+F +G1 +G2: ",
        "who",
        "that",
        "Surprisal by condition and word (bits)",
        "Differences by contrast and word (bits)",
    ):
        assert text in figure
    # What is said of a critical region of one word is the mean of the items' values, to the bit; other words are not compared.
    for result in analysis.of_kind("wh-effect"):
        [there] = [
            own
            for own in analysis.word_differences
            if own.contrast == result.contrast.name
            and own.region == paradigm.condition(result.contrast.terms[0].condition).critical
        ]
        assert there.mean == pytest.approx(result.ttest.estimate)
        assert "filler" not in {own.region for own in analysis.word_differences if own.contrast == result.contrast.name}


@pytest.mark.usefixtures("painted")
@pytest.mark.full
def test_the_words_below_a_panel_are_those_of_its_condition(tmp_path: Path) -> None:
    with filled_bank(tmp_path / "bank.sqlite", "subject_pg", 5, published_bits) as bank:
        analysis = analyze(bank, "subject_pg", options=AnalysisOptions(by_word=True))
    page = render_html(make_report([replace(analysis, contrasts=analysis.contrasts[:1])], made_on=DAY))
    start = page.index('id="subject_pg-words"')
    drawn = page[start : page.index("</svg>", start)]
    fillers = [own.word for own in analysis.words if own.region == "filler"]
    for word in set(fillers):
        # As text in the drawing, besides title and description.
        assert drawn.count(f">{word}</text>") == fillers.count(word)


@pytest.mark.full
def test_boundary_mass_moves_the_numbers_where_it_was_measured(gapsmith: Callable[..., Any]) -> None:
    assert gapsmith("init").code == 0
    assert gapsmith("generate", "embedded_wh", "-n", "6", "--seed", "1").code == 0
    assert gapsmith("lint", "--fail-on", "never").code == 0
    assert gapsmith("decide", "--policy", "clean").code == 0
    assert gapsmith("score", "--model", "bundled").code == 0
    refused = gapsmith("analyze", "--corrected", "--json")
    assert "gapsmith score --boundary" in refused.out + refused.err
    before = gapsmith("analyze", "--sensitivity")
    assert "gapsmith score --boundary" in before.out
    assert gapsmith("score", "--model", "bundled", "--boundary").code == 0
    plain, corrected = gapsmith("analyze"), gapsmith("analyze", "--corrected")
    assert (plain.code, corrected.code) == (0, 0)
    assert plain.out != corrected.out
    after = gapsmith("analyze", "--sensitivity")
    assert "corrected for word boundaries" in after.out
    assert "gapsmith score --boundary" not in after.out
    # What needs no normal distribution stands beside the t test.
    for text in ("Wilcoxon", "sign flips", "p flips"):
        assert text in plain.out
