"""Words of the report: they follow from the numbers, and say what is known of the model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from zlib import crc32

import pytest

from gapsmith.bank import Bank, ItemFilter, NewItem
from gapsmith.scoring.analysis import AnalysisOptions, analyze
from gapsmith.scoring.analysis import Conclusion as Says
from gapsmith.scoring.analysis.regions import condition_means
from gapsmith.scoring.observations import observe
from gapsmith.scoring.report import (
    did_sentence,
    make_report,
    note_on,
    outcome_of,
    overall,
    parts_table,
    render_html,
    render_markdown,
)
from gapsmith.scoring.report.markdown import markdown_text
from gapsmith.scoring.report.numbers import bits, minus, p_value
from gapsmith.scoring.report.sentences import PatternVerdict as Found
from gapsmith.scoring.report.settings import settings_tables
from gapsmith.scoring.report.tables import condition_table
from gapsmith.templates import Sentence, load_paradigm, parse_paradigm, realise, sample
from tests.making import made_scorer
from tests.scoring.analysing import SCORER, add_items, approve, filled_bank, published_bits, score, slots_of, spread
from tests.scoring.fake_hub import COMMIT
from tests.scoring.reporting import DAY, Page, analysed, effects, flat


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
def test_the_conclusion_follows_from_the_numbers(tmp_path: Path, means: Sequence[float], finding: Found, phrase: str) -> None:
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


@pytest.mark.full
def test_an_interaction_that_misleads_is_explained_in_the_summary(tmp_path: Path) -> None:
    # The filler does nothing; gap 1 lowers what follows it, which the 2x2 design counts as the filler's work.
    def gap1_only(position: int, sentence: Sentence, region: str) -> float:
        _, gap1, gap2 = sentence.condition.split("_")
        noise = crc32(f"{sentence.text} {region}".encode()) % 1_000 / 5_000
        return 20.0 + noise + (3.0 if gap1 == "pg1" and gap2 == "mg2" and region == "gap2" else 0.0)

    with filled_bank(tmp_path / "bank.sqlite", "subject_pg", 20, gap1_only) as bank:
        analysis = analyze(bank, "subject_pg")
    did = analysis.of_kind("did")[0]
    assert did.accuracy.estimate == 1.0
    sentence = did_sentence(did)
    assert "only that of gap1 has its interval above 0; that of filler does not" in sentence
    assert outcome_of(analysis).finding is Found.NOT_SHOWN
    brief = render_html(make_report([analysis], made_on=DAY)).split("<nav")[0]
    assert "only that of gap1 has its interval above 0; that of filler does not" in brief


def test_where_two_orders_of_taking_apart_disagree_neither_is_believed(tmp_path: Path) -> None:
    """The cost is there only with the filler and an open gap 1 together: each order gives it to another factor."""

    def together(position: int, sentence: Sentence, region: str) -> float:
        noise = crc32(f"{sentence.text} {region}".encode()) % 1_000 / 5_000
        return 20.0 + noise + (3.0 if sentence.condition == "pf_pg1_mg2" and region == "gap2" else 0.0)

    with filled_bank(tmp_path / "bank.sqlite", "subject_pg", 20, together) as bank:
        sentence = did_sentence(analyze(bank, "subject_pg").of_kind("did")[0])
    assert "filler and gap1 interact" in sentence
    assert "Of the two parts, only" not in sentence


def test_the_published_means_come_apart_in_two_ways_that_disagree(tmp_path: Path) -> None:
    """DiD is 5.17 bits. Filler first leaves gap 1 a part of +1.24, gap 1 first one of -2.55: neither is believed."""

    def published(position: int, sentence: Sentence, region: str) -> float:
        more = 1.24 + (position % 3 - 1) / 10 if "_pg1_mg2" in sentence.condition and region == "gap2" else 0.0
        return published_bits(position, sentence, region) + more

    with filled_bank(tmp_path / "bank.sqlite", "subject_pg", 33, published) as bank:
        analysis = analyze(bank, "subject_pg")
    did = analysis.of_kind("did")[0]
    assert did.ttest.estimate == pytest.approx(5.17)
    said = minus(did_sentence(did))
    for number, way in enumerate(did.paths):
        assert [round(part.ttest.estimate or 0.0, 2) for part in way] == ([3.93, 1.24], [-2.55, 7.72])[number]
    # Words repeat, so what is said of a part is the estimate of their model, as its interval is.
    told = [
        minus(f"{part.test.estimate:+.2f} when {part.plan.changes} changes with {part.plan.holds} held at {part.plan.at}")
        for way in did.paths
        for part in way
    ]
    assert any(part.test.estimate != pytest.approx(part.ttest.estimate, abs=0.01) for way in did.paths for part in way)
    for part in (
        *told,
        "which need not add up",
        "with filler held at −F (interval above 0)",
        "with filler held at +F (interval below 0, the other side than what is expected)",
        "not corrected for several tests",
        "filler and gap1 interact, and no part of the mean is the work of one of them alone",
    ):
        assert part in said
    assert "Of the two parts, only" not in said
    assert "reliably" not in said
    assert said in Page(render_html(make_report([analysis], made_on=DAY))).text


def test_no_headline_counts_a_contrast_of_different_words(tmp_path: Path) -> None:
    """Delta sets an adverb against an object: its sign is that of the words, whatever the model knows."""

    def adverbs_cost(position: int, sentence: Sentence, region: str) -> float:
        return 5.0 + crc32(sentence.text.encode()) % 1_000 / 500 + (6.0 if sentence.condition.endswith("mg") else 0.0)

    with filled_bank(tmp_path / "bank.sqlite", "lan_pg", 60, adverbs_cost) as bank:
        analysis = analyze(bank, "lan_pg")
        one = analyze(bank, "lan_pg", options=AnalysisOptions(contrasts=("delta_pf",)))
        both = analyze(bank, "lan_pg", options=AnalysisOptions(contrasts=("delta_pf", "did")))
    delta = analysis.contrasts[0]
    assert (delta.verdict, delta.n_unlike) == (Says.UNLIKE, 60)
    whole = outcome_of(analysis)
    assert whole.finding is Found.NOT_SHOWN
    said = "the predicted contrast DiD did not come out as expected, and there is no evidence of the opposite either"
    # In the same sentence: for which words; so many that their slots are named, and the words in the tables.
    assert (
        f"{said}, for the equally weighted mean over 2 words of the slot 'name1', 5 words of the slot 'np_verb', 2 words of the slot 'name2'"
        in whole.sentence
    )
    assert "2 words of the slot 'name1' (Bob, John), " in analysis.contrasts[1].main.scope
    assert whole.sentence.endswith(" Not counted: Delta(+F) (different words).")
    assert outcome_of(one).sentence == "Delta(+F) compares different words and is not counted."
    assert outcome_of(both).sentence == (
        "Of the contrasts you asked for, 0 of 1 came out as expected. Delta(+F) compares different words and is not counted."
    )


def only_p1_and_p4(position: int, sentence: Sentence, region: str) -> float:
    """The 2x2 interaction lies below 0 for every item, all of it with the filler's change."""
    _, _, gap2 = sentence.condition.split("_")
    noise = crc32(f"{sentence.text} {region}".encode()) % 1_000 / 5_000
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
    own = tmp_path / "paradigms" / "subject_pg.toml"
    own.parent.mkdir()
    own.write_text("[[contrasts]]".join([head, *contrasts]), encoding="utf-8")
    paradigm = load_paradigm(str(own))
    with Bank.open(tmp_path / "bank.sqlite", create=True) as bank:
        items = [NewItem(s, realise(paradigm, s)) for s in islice(slots_of("subject_pg"), 20)]
        approve(bank, add_items(bank, paradigm, items))
        score(bank, "subject_pg", only_p1_and_p4)
        result = analyze(bank, "subject_pg").of_kind("did")[0]
    assert result.contrast.expected == -1
    assert result.accuracy.estimate == 1.0
    sentence = did_sentence(result)
    assert "is below 0 in 100%" in sentence
    assert "above 0 in" not in sentence
    assert "only that of filler has its interval below 0; that of gap1 does not" in sentence
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
        whole = analyze(bank, "subject_pg")
    alone = replace(whole, contrasts=whole.contrasts[:1])
    assert (
        "tests: the predicted wh-effect P1 ran the other way, for the equally weighted mean over 2 prepositions"
        in outcome_of(alone).sentence
    )


def test_a_headline_about_one_paradigm_names_the_effect(tmp_path: Path) -> None:
    titled = "the effect of “Subject parasitic gap, eight permutations”."
    for number, (means, said) in enumerate(
        [((2.0, 3.0, 0.0, 0.0), "does not show"), ((-2.0, 0.0, 0.0, 4.0), "shows only in part")]
    ):
        outcome = outcome_of(analysed(tmp_path / f"{number}.sqlite", *means))
        assert overall([outcome]) == f"The model chosen {said} {titled}"


def test_a_selection_of_contrasts_says_nothing_of_the_pattern(tmp_path: Path) -> None:
    with filled_bank(tmp_path / "bank.sqlite", "subject_pg", 20, effects(-2.0, 3.0, 1.0, 4.0)) as bank:
        said = {
            options: outcome_of(analyze(bank, "subject_pg", options=AnalysisOptions(contrasts=options)))
            for options in (("P1",), ("P1", "P2"), ("P1", "P3"), ("P3",))
        }
        design = outcome_of(analyze(bank, "subject_pg", options=AnalysisOptions(design="lan2x2")))
    assert {outcome.finding for outcome in (*said.values(), design)} == {Found.SELECTION}
    assert not [outcome for outcome in (*said.values(), design) if "pattern" in outcome.sentence]
    assert [outcome.sentence for outcome in said.values()] == [
        "Of the contrasts you asked for, 1 of 1 came out as expected.",
        "Of the contrasts you asked for, 1 of 2 came out as expected and 1 ran the other way.",
        "Of the contrasts you asked for that have an expected sign, 1 of 1 came out as expected.",
        "The contrast you asked for is exploratory, without an expected sign.",
    ]
    assert "some of the contrasts of" in overall([design])


def test_what_models_are_worth() -> None:
    bundled = note_on(made_scorer(SCORER, model="bundled"))
    assert bundled.toy
    assert "6.9 million parameters" in bundled.what
    assert "too small for claims" in bundled.worth
    gpt2 = note_on(made_scorer(SCORER, model="openai-community/gpt2", revision=COMMIT))
    assert (gpt2.toy, "124 million" in gpt2.what) == (False, True)
    assert "model card" in note_on(made_scorer(SCORER, model="my/own", revision=COMMIT)).worth


def test_a_directory_is_not_the_model_whose_name_it_has() -> None:
    own = note_on(made_scorer(SCORER, model="gpt2", revision=f"sha256:{'0' * 64}"))
    assert "OpenAI" not in own.what
    assert "knows only by its name" in own.what
    assert "OpenAI" in note_on(made_scorer(SCORER, model="gpt2", revision=COMMIT)).what


def test_numbers_as_people_read_them() -> None:
    assert [bits(value) for value in (0.254, -0.004, 0.0, None)] == ["+0.25", "-0.00", "0.00", "–"]
    assert [p_value(p) for p in (0.00025, 0.00009, 1.0, 0.0, None)] == [".0003", "< .0001", "1.0000", "< .0001", "–"]
    assert minus("S(+F) - S(-F), -0.25, wh-effect, two-sided") == "S(+F) − S(−F), −0.25, wh-effect, two-sided"


AGREEMENT = """name = "agreement"
title = "Number agreement"

[factors.noun]
levels = { sg = "+S", pl = "-S" }

[status]
sg = "ok"
pl = "*"

[[regions]]
name = "subject"
when = { sg = "the {person}", pl = "the {person}s" }

[[regions]]
name = "verb"
text = "has"

[[regions]]
name = "rest"
text = "been to {place}"

[critical]
sg = "verb"
pl = "verb"

[slots.person]
description = "a regular noun for a person"
example = "teacher"
words = ["teacher", "doctor", "sailor", "singer"]

[slots.place]
description = "a place"
example = "Rome"
words = ["Rome", "Lima", "Oslo", "Bonn"]

[designs.both]
conditions = "all"

[[contrasts]]
name = "A1"
title = "agreement at the verb"
formula = "sg - pl"
expected = "negative"
design = "both"
shares_critical = true
kind = "contrast"
"""


def test_a_paradigm_without_filler_and_gap_is_not_described_with_them(tmp_path: Path) -> None:
    paradigm = parse_paradigm(AGREEMENT, path="agreement.toml")
    with Bank.open(tmp_path / "bank.sqlite", create=True) as bank:
        items = [NewItem(slots, realise(paradigm, slots)) for slots in islice(sample(paradigm, 1), 8)]
        approve(bank, add_items(bank, paradigm, items))
        score(bank, "agreement", lambda position, s, _: 9.0 + position % 3 * (s.condition == "sg"))
        report = make_report([analyze(bank, "agreement")], made_on=DAY)
    pages = (Page(render_html(report)).text, render_markdown(report))
    for text in pages:
        assert not re.search(r"filler|wh-effect|\bgap\b|1 contrasts", text)
        assert "the critical region, where surprisal is compared" in text
        assert "Contrast at the critical region" in text
    assert report.sections[0].figures[1].drawing.alt.startswith("Mean of the contrast in bits with its 95% interval. ")


def test_a_paradigm_with_filler_and_gap_is(tmp_path: Path) -> None:
    report = make_report([analysed(tmp_path / "bank.sqlite", -2.0, -3.0, 1.0, 4.0)], made_on=DAY)
    for text in (Page(render_html(report)).text, render_markdown(report)):
        for said in ("A wh-effect is the surprisal", "the filler or what stands in its place", "an open gap"):
            assert said in text
    alt = report.sections[0].figures[1].drawing.alt
    assert alt.startswith("Mean wh-effect in bits with its 95% interval, for 4 contrasts. ")


def test_a_headline_says_in_which_items_it_was_tested(tmp_path: Path) -> None:
    """All contrasts of `embwhq` are about items of one depth, a quarter of them."""

    def expected(position: int, sentence: Sentence, region: str) -> float:
        noise = crc32(f"{sentence.text} {region}".encode()) % 1_000 / 500
        return 9.0 + noise + (2.0 if sentence.condition in ("ml_pg", "pl_mg") else 0.0)

    with filled_bank(tmp_path / "bank.sqlite", "embwhq", 40, expected) as bank:
        analysis = analyze(bank, "embwhq")
        items = list(bank.items.iterate(ItemFilter(paradigm="embwhq")))
        observed = observe(bank, items, analysis.paradigm, bank.scores.scorer(analysis.scorer_id))
    outcome = outcome_of(analysis)
    # Its conditions are those of the same items.
    assert {own.result.n for own in analysis.conditions} == {10}
    assert [own.status for own in analysis.conditions] == ["ok", "*", "*", "ok"]
    assert "10 of 40 items: depth = 0, as in the contrasts" in condition_table(analysis).notes
    free = condition_means(analysis.paradigm, observed, analysis.options)
    assert len(free[0].statuses) > 1
    assert sum(number for _, number in free[0].statuses) == 40
    assert outcome.over == "the 10 of 40 items with depth = 0"
    assert "tests in the 10 of 40 items with depth = 0: both predicted wh-effects came out as expected." in outcome.sentence
    assert outcome.sentence.endswith("Not counted: did (no wh-effect). 30 of 40 items enter no test of a contrast.")
    assert overall([outcome]).endswith("object gap” in the 10 of 40 items with depth = 0.")


def test_the_settings_name_the_model_that_a_verdict_is_from(tmp_path: Path) -> None:
    """A t test is named only beside it where words repeat, with what was fixed, what was random and how it was estimated."""
    with filled_bank(tmp_path / "bank.sqlite", "lan_pg", 60, by_sentence) as bank:
        analysis = analyze(bank, "lan_pg")
        plain = analyze(bank, "lan_pg", options=AnalysisOptions(holm=False))
    rows = {row[0]: row[1] for table in settings_tables(analysis) for row in table.rows}
    did = next(result for result in analysis.contrasts if result.contrast.name == "did")
    assert did.words.these is not None
    said = rows["test of did"]
    for use in did.words.slots:
        fixed, random = f"{use.named} fixed (sum coded)", f"a random intercept by {use.named}"
        assert {"fixed": fixed in said, "random": random in said, "left out": use.named not in said}[use.use]
    assert did.words.these.scope in said
    assert ("REML" in said) is bool(did.words.of_use("random"))
    assert f"residual {did.words.these.details['residual_sd'] ** 2:.3g}" in said
    assert rows["t test"].startswith("no verdict is from it; one-sample")
    assert rows["verdicts"] == "from p as corrected, at alpha = 0.05"
    rows = {row[0]: row[1] for table in settings_tables(plain) for row in table.rows}
    assert rows["verdicts"] == "from p, not corrected, at alpha = 0.05"


def by_sentence(position: int, sentence: Sentence, region: str) -> float:
    """Values that differ by sentence and by nothing else."""
    return 5.0 + crc32(f"{sentence.text} {region}".encode()) % 1_000 / 500
