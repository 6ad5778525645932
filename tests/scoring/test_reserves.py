"""What a headline says beside its verdict: what the cells cannot tell apart, the word that an effect hangs on, the words that are left, and
that words are not known. Each has data that make it true, and data that make it false."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from gapsmith.bank import ItemFilter
from gapsmith.scoring.analysis import Analysis, AnalysisOptions, analysis_json, analyze, compare
from gapsmith.scoring.report import contrast_sentence, contrast_tables, outcome_of
from gapsmith.scoring.report.comparison import comparison_tables
from gapsmith.scoring.report.sentences import overall
from gapsmith.scoring.report.tables import fixed_word_tables, parts_table
from gapsmith.stats import Result, WordTest
from gapsmith.templates import Sentence
from tests.scoring.analysing import RegionBits, approve, by_name, filled_bank, published_bits

FEW = AnalysisOptions(permutations=19, by_region=False)


def noise(sentence: Sentence) -> float:
    """A number that is another one for each sentence, below 1."""
    return crc32(sentence.text.encode()) % 1_000 / 1_000


def costly(*objects: str) -> RegionBits:
    """Behind a filler, these words cost 4 bits more where the gap should be."""
    return lambda _, sentence, region: (
        5.0
        + noise(sentence)
        + len(region)
        + (4.0 if sentence.condition == "pf_mg" and sentence.text.split()[-2] in objects else 0.0)
    )


def lan(path: Path, bits: RegionBits, without: str = "\n", n: int = 90) -> Analysis:
    """The analysis of a sample of the grammar's items, those with this text in their sentences not approved."""
    with filled_bank(path, "lan_pg", n, bits, approved=False) as bank:
        approve(bank, [item.id for item in bank.items.iterate(ItemFilter()) if without not in item.sentences[0].text])
        return analyze(bank, "lan_pg", options=FEW)


@pytest.fixture(scope="module")
def of_kim(tmp_path_factory: pytest.TempPathFactory) -> Analysis:
    """One object word has all of the effect, and no item with one of the frames is approved."""
    return lan(tmp_path_factory.mktemp("kim") / "bank.sqlite", costly("Kim"), without="failure")


@pytest.fixture(scope="module")
def of_all(tmp_path_factory: pytest.TempPathFactory) -> Analysis:
    """Every object word has the effect, and every item is approved."""
    return lan(tmp_path_factory.mktemp("all") / "bank.sqlite", costly("Kim", "us", "you"))


@pytest.fixture(scope="module")
def eight(tmp_path_factory: pytest.TempPathFactory) -> Analysis:
    """A design that has the conditions in between."""
    path = tmp_path_factory.mktemp("eight") / "bank.sqlite"
    with filled_bank(path, "subject_pg", 33, published_bits) as bank:
        return analyze(bank, "subject_pg", options=FEW)


def test_a_headline_says_what_its_cells_cannot_tell_apart(of_all: Analysis, eight: Analysis) -> None:
    """Lan's four cells fill gap 1 exactly where there is no filler; the eight of `subject_pg` have it both ways."""
    outcome = outcome_of(of_all)
    together = "filler or complementizer and gap 1 (parasitic) vary together"
    assert f"In the four cells of DiD, {together}, so the design cannot tell" in outcome.sentence
    assert f"({together} in these four cells" in overall([outcome])
    assert "vary together" not in outcome_of(eight).sentence
    # Nothing was found that could be of either.
    nothing = replace(of_all, contrasts=tuple(replace(r, verdict=type(r.verdict).NO_EVIDENCE) for r in of_all.contrasts))
    assert "vary together" not in outcome_of(nothing).sentence


def test_a_headline_names_the_one_word_that_an_effect_hangs_on(of_kim: Analysis, of_all: Analysis) -> None:
    did = by_name(of_kim)["did"]
    assert [own.word for own in did.hangs_on] == ["Kim"]
    assert "Without 'Kim' (object), the interval of DiD over the other words of that slot is not wholly above 0." in (
        outcome_of(of_kim).sentence
    )
    assert "DiD not without 'Kim' (object)" in overall([outcome_of(of_kim)])
    assert by_name(of_all)["did"].hangs_on == ()
    assert "Without" not in outcome_of(of_all).sentence


def test_a_headline_counts_the_words_that_are_left(of_kim: Analysis, of_all: Analysis) -> None:
    left = {own.slot: (own.n_left, own.n_all) for own in of_kim.items.words_left}
    assert left["np_frame"] == (5, 6)
    assert left["np"][0] < left["np"][1]
    assert "5 of 6 of 'np_frame'" in outcome_of(of_kim).sentence
    assert "5 of 6 of 'np_frame'" in overall([outcome_of(of_kim)])
    assert of_all.items.words_left == ()
    assert "are left" not in outcome_of(of_all).sentence


def test_a_scope_speaks_of_parts_and_not_of_texts_built_of_them(of_kim: Analysis, of_all: Analysis) -> None:
    """With five frames all parts are fixed; six are a sample, and the verdict is over other frames."""
    fixed, sampled = (contrast_sentence(by_name(own)["did"]) for own in (of_kim, of_all))
    assert "over other words" not in fixed
    assert "with how the slot 'np' combines np_frame and np_verb as a random part" in fixed
    assert "over other words of the slot 'np_frame', with how the slot 'np' combines" in sampled


def test_means_by_word_are_the_models_and_say_so(of_kim: Analysis) -> None:
    did = by_name(of_kim)["did"]
    table = next(own for own in fixed_word_tables(of_kim) if own.caption.startswith("By word of object"))
    assert table.caption.endswith("means of the model (bits)")
    shown = {row[0]: row[-1] for row in table.rows}
    assert {own.word: f"{own.modelled:+.2f}" for own in did.words.fixed if own.slot == "object"}.items() <= shown.items()
    # Without a model they are the items'.
    described = tuple(
        replace(
            r, words=replace(r.words, kind="described", these=None, fixed=tuple(replace(f, modelled=None) for f in r.words.fixed))
        )
        for r in of_kim.contrasts
    )
    raw = next(own for own in fixed_word_tables(replace(of_kim, contrasts=described)) if "object" in own.caption)
    assert raw.caption.endswith("raw means of items (bits)")


def test_a_part_that_runs_the_other_way_is_named_in_sentence_and_tables(eight: Analysis) -> None:
    did = by_name(eight)["did"]
    assert did.paths

    def parts(*sides: float) -> Analysis:
        tests = [Result(test="t test", n=33, estimate=side, ci=(side - 0.5, side + 0.5)) for side in sides]
        path = tuple(replace(part, test=test) for part, test in zip(did.paths[0], tests, strict=True))
        return replace(eight, contrasts=tuple(replace(r, paths=(path,)) if r.paths else r for r in eight.contrasts))

    said = "taken apart, that of filler with gap1 at +G1 is -1.00 [-1.50, -0.50], wholly on the other side of 0 than what is expected"
    for own, is_there in ((parts(-1.0, 4.0), True), (parts(0.2, 4.0), False)):
        result = by_name(own)["did"]
        notes = [note for table in contrast_tables(own) for note in table.notes]
        apart = parts_table(result)
        assert apart is not None
        assert (said in contrast_sentence(result)) is is_there
        assert (f"DiD: {said}" in notes) is is_there
        assert (said in apart.notes) is is_there


def test_that_words_are_not_known_stands_at_every_verdict(eight: Analysis) -> None:
    unknown = replace(eight, contrasts=tuple(replace(r, words=WordTest("unknown")) for r in eight.contrasts))
    for own, is_marked in ((unknown, True), (eight, False)):
        outcome = outcome_of(own)
        assert ("share is not known, so they are taken as independent" in outcome.sentence) is is_marked
        assert ("(shared words unknown)" in overall([outcome])) is is_marked
        assert ("(shared words unknown)" in contrast_sentence(own.contrasts[0])) is is_marked
        assert {entry["mark"] for entry in analysis_json(own)["contrasts"]} == ({"shared words unknown"} if is_marked else {""})


def test_runs_side_by_side_say_the_same(tmp_path: Path) -> None:
    """Marks of unknown words, a part that runs the other way, and intervals that are not corrected."""
    with filled_bank(tmp_path / "bank.sqlite", "subject_pg", 33, published_bits) as bank:
        found = compare(bank, "subject_pg", by=["preposition"], options=replace(FEW, contrasts=("did",)))

    def shown(**fields: Any) -> str:
        runs = tuple(
            replace(run, analysis=replace(run.analysis, contrasts=tuple(replace(r, **fields) for r in run.analysis.contrasts)))
            for run in found.runs
        )
        table = comparison_tables(replace(found, runs=runs))[0]
        return "\n".join("; ".join(row) for row in table.rows) + "\n".join(table.notes)

    (path, _) = by_name(found.runs[0].analysis)["did"].paths
    below = Result(test="t test", n=33, estimate=-1.0, ci=(-1.5, -0.5))
    for piece, true, false in (
        ("; (", {"words": WordTest("unknown")}, {"words": WordTest("items")}),
        ("in brackets", {"words": WordTest("unknown")}, {"words": WordTest("items")}),
        (
            "DiD: taken apart, a part is wholly on the other side",
            {"paths": ((replace(path[0], test=below), path[1]),)},
            {"paths": ()},
        ),
        ("intervals are not corrected", {"family": "the 2 tests of this run, unplanned"}, {"family": ""}),
    ):
        assert piece in shown(**true)
        assert piece not in shown(**false)


def test_a_table_says_that_intervals_are_not_corrected_where_verdicts_are(eight: Analysis) -> None:
    alone = replace(eight, contrasts=tuple(replace(r, p_holm=r.p_raw) for r in eight.contrasts))
    for own, is_said in ((eight, True), (alone, False)):
        tables = contrast_tables(own)
        assert tables
        assert all(any("intervals are not corrected" in note for note in table.notes) is is_said for table in tables)
