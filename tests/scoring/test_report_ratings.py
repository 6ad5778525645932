"""Acceptability judgements beside surprisals: whose count, what they come to, and what the report says of them."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean

import pytest
from scipy.stats import spearmanr

from gapsmith.bank import ItemFilter, NewItem
from gapsmith.scoring.analysis import analysis_json, analyze
from gapsmith.scoring.report import make_report, render_html, render_markdown
from gapsmith.stats import rank_correlation
from gapsmith.templates import load_paradigm
from gapsmith.vetting.review import Session
from gapsmith.vetting.review.norming import CATEGORIES, Scale, judge_trial, stimuli
from tests.scoring.analysing import add_items, approve, filled_bank
from tests.scoring.reporting import DAY, Page, effects


def test_ratings_stand_beside_surprisals_in_the_report(tmp_path: Path) -> None:
    with filled_bank(tmp_path / "bank.sqlite", "subject_pg", 6, effects(-2.0, -3.0, 1.0, 4.0, n=6)) as bank:
        ann, bo = Session(bank, "ann"), Session(bank, "bo")
        said: dict[tuple[str, int], list[int]] = {}
        for session in (ann, bo):
            for i, one in enumerate(stimuli(session)[:40]):
                value = 1 + (len(one.text) + i) % 7
                judge_trial(session, one, str(value), Scale.likert(7), 1.0)
                said.setdefault((one.condition, one.item_id), []).append(value)
        judge_trial(ann, stimuli(ann)[0], "?", CATEGORIES, 1.0)
        # Beside the other sentences, in sight of what is expected: no rating.
        left = stimuli(ann)[-1]
        view = ann.view(left.item_id)
        ann.judge(view, next(row for row in view.rows if row.condition == left.condition), "ok")
        # A text that is not there any more.
        edited = bank.items.get(2)
        bank.items.revise(2, slots=None, sentences=edited.sentences[:7], author="ann")
        analysis = analyze(bank, "subject_pg")
        keys = {item.id: item.label for item in bank.items.iterate(ItemFilter())}
    likert = next(scale for scale in analysis.ratings if scale.points == 7)
    words = next(scale for scale in analysis.ratings if scale.points is None)
    assert likert.n_people == 2
    assert (words.n_people, sum(own.n_ratings for own in words.conditions)) == (1, 1)
    known = {place: values for place, values in said.items() if place[1] != 2}
    surprisal = {own.name: {key.label: value for key, value in own.values.items()} for own in analysis.conditions}
    for own in likert.conditions:
        here = {item: values for (condition, item), values in known.items() if condition == own.name}
        assert own.n_ratings == sum(map(len, here.values()))
        assert own.rating.estimate == pytest.approx(fmean(fmean(values) for values in here.values()))
        assert own.measure == pytest.approx(fmean(surprisal[own.name][keys[item]] for item in here))
    pairs = [(fmean(values), surprisal[condition][keys[item]]) for (condition, item), values in known.items()]
    rho = likert.correlation
    first, second = zip(*pairs, strict=True)
    assert rho.estimate is not None
    assert rho.estimate == pytest.approx(float(spearmanr(list(first), list(second)).statistic))
    assert (rho.n, rho.p) == (len(pairs), None)
    assert rho.ci_low is not None
    assert rho.ci_high is not None
    assert rho.ci_low <= rho.estimate <= rho.ci_high
    assert analysis_json(analysis)["ratings"][1]["points"] == 7
    report = make_report([analysis], made_on=DAY)
    page = Page(render_html(report)).text
    for text in (page, render_markdown(report)):
        assert "Acceptability (1 to 7) beside surprisal (bits)" in text
        assert f"over {len(pairs)} sentences of 5 items" in text
        assert "2 people; sentences shown one at a time" in text


def test_a_correlation_that_is_none_says_why() -> None:
    assert rank_correlation([1.0, 2.0], [2.0, 1.0], "ab").undefined == "fewer than three observations"
    assert rank_correlation([1.0, 1.0, 1.0], [2.0, 1.0, 3.0], "abc").undefined == "one of the two never varies"
    alone = rank_correlation([1.0, 2.0, 3.0], [2.0, 4.0, 9.0], "aaa")
    assert (alone.estimate, alone.ci) == (1.0, None)
    again = rank_correlation([1.0, 2.0, 3.0, 2.0], [2.0, 4.0, 3.0, 1.0], "abcd")
    assert again == rank_correlation([1.0, 2.0, 3.0, 2.0], [2.0, 4.0, 3.0, 1.0], "abcd"), "the same interval every time"


@pytest.mark.full
def test_nobody_has_judged_is_no_table(tmp_path: Path) -> None:
    with filled_bank(tmp_path / "bank.sqlite", "subject_pg", 4, effects(-2.0, -3.0, 1.0, 4.0, n=4)) as bank:
        bank.decisions.judge(1, "pf_pg1_pg2", "9", author="ann", points=9, alone=True)
        bank.items.revise(1, slots=None, sentences=bank.items.get(1).sentences[1:], author="ann")
        analysis = analyze(bank, "subject_pg")
    assert analysis.ratings == ()
    assert "Acceptability" not in render_markdown(make_report([analysis], made_on=DAY))


def test_an_item_that_was_rated_in_two_data_sets_is_one(tmp_path: Path) -> None:
    """The ratings of both copies are ratings of the same sentences: more people, and no more sentences."""
    with filled_bank(tmp_path / "bank.sqlite", "subject_pg", 6, effects(-2.0, -3.0, 1.0, 4.0, n=6)) as bank:
        items = list(bank.items.iterate(ItemFilter()))
        again = [NewItem(own.slots, own.sentences, label=own.label, dataset="again") for own in items]
        approve(bank, add_items(bank, load_paradigm("subject_pg"), again, identity="again"))
        for name in ("ann", "bo"):
            session = Session(bank, name)
            for i, one in enumerate(stimuli(session)):
                if (bank.items.get(one.item_id).dataset == "again") == (name == "bo"):
                    judge_trial(session, one, str(1 + i % 7), Scale.likert(7), 1.0)
        analysis = analyze(bank, "subject_pg")
    (scale,) = analysis.ratings
    assert scale.n_people == 2
    assert [own.n_ratings for own in scale.conditions] == [12] * len(scale.conditions)
    assert scale.correlation.n == sum(own.n_measured for own in scale.conditions) == 6 * len(scale.conditions)
    assert scale.correlation.n_given == 6
