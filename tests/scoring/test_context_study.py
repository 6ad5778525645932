"""Studies of contexts: what is drawn, what counts as right, and what the numbers come to."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats

from gapsmith import check_bank
from gapsmith.app.context_studies import ContextStudy, sample_of_running_text
from gapsmith.bank import Bank, ItemFilter, NewItem
from gapsmith.bank.item_names import naming
from gapsmith.parsing.parser import open_parser
from gapsmith.scoring.context_pool import suite_of
from gapsmith.scoring.context_study import CONDITIONS, StudyPlan, effects_of, least_length, log_lengths
from gapsmith.scoring.context_study.context_effects import changes, length_regression, mean_change, most_affected
from gapsmith.scoring.context_study.outcomes import LackingOutcome, PairOutcome
from gapsmith.scoring.context_study.similarity import f1, similarity_of
from gapsmith.scoring.contexts import read_running, step_contexts
from gapsmith.scoring.lm import Request, open_engine
from gapsmith.scoring.perturbing import Perturbation, perturb
from gapsmith.scoring.report import read_effects
from gapsmith.stats import MixedFit, correlation, fit_mixed
from gapsmith.templates import load_paradigm, realise, sample
from gapsmith.templates.errors import ConfigError, GapsmithError
from tests.interface import expect_results, expect_table
from tests.scoring.analysing import add_items
from tests.scoring.conftest import save_tiny_gpt2

SUITES = (
    "agreement_pp",
    "agreement_relative",
    "determiner_noun",
    "reflexive_gender",
    "reflexive_number",
    "pronoun_case",
    "npi_ever",
    "wh_gap",
    "wh_filled",
    "participle",
)


@pytest.fixture(scope="module")
def wide_gpt2(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_gpt2(tmp_path_factory.mktemp("wide"), n_positions=128)


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bank]:
    """Three suites of pairs."""
    with Bank.open(tmp_path_factory.mktemp("study") / "bank.sqlite", create=True) as opened:
        for name in ("agreement_pp", "npi_ever", "participle"):
            paradigm = load_paradigm(name)
            items = [NewItem(slots, realise(paradigm, slots), dataset=name) for slots in islice(sample(paradigm, 1), 8)]
            add_items(opened, paradigm, items, identity=name)
        yield opened


@pytest.fixture(scope="module")
def study(bank: Bank, wide_gpt2: Path) -> ContextStudy:
    """A study with everything in it, scored."""
    engine = open_engine(str(wide_gpt2), notice=lambda _: None)
    plan = StudyPlan(lengths=(20, 60), everything=True, perturbed=2, crossed=2)
    made = ContextStudy.of(bank, engine, str(wide_gpt2), plan)
    made.score(made.selected)
    return made


def rows_of(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def scorer_of(bank: Bank) -> int:
    return bank.scores.scorers()[-1].id


def test_ten_suites_of_a_hundred_pairs_are_shipped() -> None:
    pairs: set[tuple[str, ...]] = set()
    for name in SUITES:
        paradigm = load_paradigm(name)
        for slots in islice(sample(paradigm, 1), 100):
            right, wrong = realise(paradigm, slots)
            assert right.text != wrong.text
            assert {c.name: c.expected for c in paradigm.conditions} == {"right": "ok", "wrong": "*"}
            pairs.add((right.text, wrong.text))
    assert len(pairs) >= 1_000


def test_the_sample_of_running_text_fills_contexts_of_a_thousand_tokens() -> None:
    sentences = read_running(sample_of_running_text())
    assert len(set(sentences)) > 500
    assert sum(len(sentence.split()) for sentence in sentences) > 10_000


def test_every_type_is_drawn_from_where_it_says(bank: Bank, study: ContextStudy) -> None:
    status = {}
    home = {}
    for item in bank.items.iterate():
        for sentence in item.sentences:
            status[sentence.text] = {"right": "acceptable", "wrong": "unacceptable"}[sentence.condition]
            home[sentence.text] = item.dataset
    running = set(read_running(sample_of_running_text()))
    assert set(study.drawn.conditions) == {condition.name for condition in CONDITIONS}
    for condition in CONDITIONS:
        made = study.drawn.conditions[condition.name].made
        for (item_id, step), context in bank.contexts.assigned(made.id).items():
            item = bank.items.get(item_id)
            sentences = bank.contexts.sentences(context)
            assert not sentences or step
            # A sentence of running text may be longer than a short context should be.
            assert sentences or not step or condition.member is None
            assert not set(sentences) & {s.text for s in item.sentences}
            for text in sentences:
                if condition.member is None:
                    assert text in running
                else:
                    assert status[text] == condition.member.value
                    assert (home[text] == item.dataset) == (condition.kind.value == "matched")
    for source, drawn in study.drawn.crossed.items():
        for (item_id, _), context in bank.contexts.assigned(drawn.made.id).items():
            assert bank.items.get(item_id).dataset != source
            assert {home[text] for text in bank.contexts.sentences(context)} <= {source}


def test_perturbed_contexts_are_the_same_sentences_with_something_added(bank: Bank, study: ContextStudy) -> None:
    plain = bank.contexts.assigned(study.drawn.conditions["matched acceptable"].made.id)
    for (name, how), drawn in study.drawn.perturbed.items():
        if name != "matched acceptable":
            continue
        items = {item for item, _ in bank.contexts.assigned(drawn.made.id)}
        assert len(items) == 6
        for item in items:
            before = bank.contexts.sentences(plain[item, 2])
            after = bank.contexts.sentences(bank.contexts.assigned(drawn.made.id)[item, 2])
            assert len(after) <= len(before) + 1
            both = list(zip(before, after, strict=False))
            assert both
            assert all(changed == perturb(text, how, 1) for text, changed in both)


@pytest.mark.parametrize("how", [own for own in Perturbation if own is not Perturbation.NONE])
def test_a_perturbation_keeps_the_words_and_the_names(how: Perturbation) -> None:
    for text in ("The farmer near Mary is tired.", "Mary left!", "She saw him", "I know what fell."):
        found = perturb(text, how, 3)
        assert found == perturb(text, how, 3)
        assert found != text
        for word in text.rstrip(".!").split():
            assert word in found or word.lower() in found
        assert "Mary" in found or "Mary" not in text
    assert perturb("The cat sat.", Perturbation.NONE) == "The cat sat."


def test_right_and_wrong_are_those_of_texts_scored_alone(bank: Bank, study: ContextStudy, wide_gpt2: Path) -> None:
    results = study.results(scorer_of(bank))
    engine = open_engine(str(wide_gpt2), engine="batches", notice=lambda _: None)
    some = results.outcomes[:: len(results.outcomes) // 25]
    contexts = {own.context: bank.contexts.text(own.context) if own.context else "" for own in some}
    texts = {own.item: {s.condition: s.text for s in bank.items.get(own.item).sentences} for own in some}
    requests = [Request(text, contexts[own.context]) for own in some for text in texts[own.item].values()]
    alone = {(t.context, t.text): t for chunk in engine.score(requests) for t in chunk}
    assert len({own.cell for own in some}) > 5
    for own in some:
        bits = {c: alone[contexts[own.context], text].bits for c, text in texts[own.item].items()}
        assert own.correct == (bits["right"].sum() < bits["wrong"].sum())
        assert own.margin == pytest.approx(2 ** bits["right"].mean() - 2 ** bits["wrong"].mean(), rel=1e-4)


def outcome(suite: str, item: int, name: str, target: int, correct: bool, tokens: int | None = None) -> PairOutcome:
    cell = (name, target, 0) if target else ("", 0, 0)
    return PairOutcome(suite, item, "preferred", cell, target * 100 + item, target if tokens is None else tokens, correct, None)


def test_changes_are_over_the_same_items() -> None:
    given = [
        outcome("a", 1, "", 0, True),
        outcome("a", 2, "", 0, False),
        outcome("b", 3, "", 0, True),
        outcome("a", 1, "m", 10, True, 9),
        outcome("a", 2, "m", 10, True, 11),
        outcome("b", 3, "m", 10, False),
        outcome("b", 4, "m", 10, True),
    ]
    found = {own.suite: own for own in changes(given, {"m": "matched acceptable"})}
    assert (found["a"].accuracy, found["a"].delta, found["a"].tokens, found["a"].n) == (1.0, 0.5, 10.0, 2)
    # Item 4 was not measured behind nothing, so no change is known of it.
    assert (found["b"].accuracy, found["b"].delta, found["b"].n) == (0.0, -1.0, 1)


@pytest.mark.full
def test_the_regression_on_counts_is_the_one_on_single_answers_and_finds_what_was_planted() -> None:
    rng = np.random.default_rng(5)
    names = {own.name: own.name for own in CONDITIONS[:4]}
    given, rows = [], []
    for suite in range(6):
        base = rng.normal(0.5, 0.7)
        for condition in names:
            match, acceptability = condition.split()
            for target in (10, 40, 160):
                slope = 0.5 * (1 if acceptability == "acceptable" else -1) * (1.6 if match == "matched" else 0.4)
                p = 1 / (1 + math.exp(-(base + slope * math.log(target / 10))))
                for item in range(12):
                    correct = bool(rng.random() < p)
                    given.append(outcome(f"s{suite}", item, condition, target, correct))
                    rows.append((int(correct), f"s{suite}", match, acceptability, math.log(target)))
    fit = length_regression(given, names)
    assert isinstance(fit, MixedFit)
    columns = dict(zip(("y", "suite", "match", "acceptability", "log_length"), map(list, zip(*rows, strict=True)), strict=True))
    levels = {"match": ("matched", "mismatched"), "acceptability": ("acceptable", "unacceptable")}
    single = fit_mixed("y ~ log_length * match * acceptability + (1 | suite)", columns, levels=levels, family="binomial")
    for own, other in zip(fit.coefficients, single.coefficients, strict=True):
        assert own.name == other.name
        assert own.estimate == pytest.approx(other.estimate, abs=2e-3)
    by_name = {own.name: own for own in fit.coefficients}
    assert by_name["log_length:acceptability[acceptable]"].estimate > 0
    assert by_name["log_length:acceptability[acceptable]"].p < 0.001
    assert by_name["log_length:match[matched]:acceptability[acceptable]"].p < 0.05


@pytest.mark.full
def test_effects_page_and_tables(bank: Bank, study: ContextStudy, tmp_path: Path) -> None:
    results = study.results(scorer_of(bank))
    page = study.write(results, tmp_path / "page").page.read_text(encoding="utf-8")
    effects = read_effects(tmp_path / "page")
    assert {"delta matched acceptable", "p three-way", "r baseline acceptable", "rho perturbed unacceptable"} <= set(effects)
    assert {"r tokens matched acceptable", "r labels mismatched acceptable", "rho labels suites"} <= set(effects)
    for name in ("points", "suites", "outcomes"):
        expect_table(f"{name}.csv of contexts", (tmp_path / "page" / f"{name}.csv").read_text(encoding="utf-8"))
    points = rows_of(tmp_path / "page" / "points.csv")
    # Nothing, and five types at two lengths; tokens are those that there are.
    assert len(points) == 11
    of_suites = rows_of(tmp_path / "page" / "suites.csv")
    longest = [float(row["delta"]) for row in of_suites if (row["condition"], row["target"]) == ("matched acceptable", "60")]
    assert effects["delta matched acceptable"].estimate == pytest.approx(np.mean(longest))
    outcomes = rows_of(tmp_path / "page" / "outcomes.csv")
    assert {(row["item_uid"], row["text_digest"]) for row in outcomes} <= {
        tuple(naming(item).values()) for item in bank.items.iterate(ItemFilter())
    }
    n_empty = sum(not n for own in study.drawn.conditions.values() for ns in own.realised.values() for n in ns)
    assert len(outcomes) == 24 * 11 - n_empty
    baseline = {}
    for suite in {row["suite"] for row in outcomes}:
        own = [int(row["correct"]) for row in outcomes if row["suite"] == suite and row["target"] == "0"]
        baseline[suite] = np.mean(own)
    assert baseline == pytest.approx(dict(results.baseline))
    for name in ("change", "accuracy", "match", "baseline", "margins", "perturbed", "matrix"):
        assert (tmp_path / "page" / f"context-{name}.png").read_bytes()[:4] == b"\x89PNG"
        assert f"(context-{name}.png)" in page
    assert "log\\_length:match\\[matched\\]:acceptability" in page
    ups = most_affected(results, "matched acceptable", rising=True)
    assert [own.mean for own in ups] == sorted((own.mean for own in ups), reverse=True)
    for effect in effects.values():
        if effect.n_given is not None:
            assert effect.n_given + sum(one.n_out for one in effect.restrictions) == 24
        # A difference of shares lies between -1 and 1, however few suites there are.
        if effect.contrast.startswith("delta") and effect.ci is not None:
            assert -1 <= effect.ci[0] <= effect.ci[1] <= 1
        # Instances of one suite, or behind one context, are not independent: r describes, and nothing follows from its p.
        if "by instance" in effect.details["title"]:
            assert not effect.interpretable
            assert "are of 2 suites" in effect.note or "are of 3 suites" in effect.note, effect.note
    # Of an item whose outcomes have no value the effects say so, and why.
    gone = results.outcomes[0].item
    lacking = tuple(
        LackingOutcome(own.item, own.prediction, own.cell, "it was lost") for own in results.outcomes if own.item == gone
    )
    kept = tuple(own for own in results.outcomes if own.item != gone)
    less = {own.contrast: own for own in effects_of(replace(results, outcomes=kept, lacking=lacking))}
    for name in ("delta matched acceptable", "p three-way", "r baseline acceptable"):
        before, now = effects[name].n_given, less[name].n_given
        assert before is not None
        assert now == before - 1
        assert any("it was lost" in own.phrase and own.n_out == 1 for own in less[name].restrictions)
        assert now + sum(own.n_out for own in less[name].restrictions) == 24
    # The same again changes nothing, and draws nothing anew.
    again = ContextStudy.of(bank, study.engine, study.model, study.plan)
    assert again.score(again.selected).n_scored == 0
    assert effects_of(again.results(scorer_of(bank))) == effects_of(results)


def overlap(first: list[object], second: list[object]) -> float:
    """2 × shared / all, each occurrence counted, by crossing out."""
    rest = list(second)
    for one in first:
        if one in rest:
            rest.remove(one)
    return 2 * (len(second) - len(rest)) / (len(first) + len(second))


@pytest.mark.full
def test_overlap_of_prefix_and_target_is_that_of_all_their_sentences(bank: Bank, study: ContextStudy) -> None:
    """Each instance worked out anew: a context's sentences against the item's acceptable ones, by words and by relations."""
    results, parser = study.results(scorer_of(bank)), open_parser("embedded")
    found = similarity_of(bank, results, str.split, parser)
    wanted: dict[int, list[str]] = {}
    for item in study.items:
        conditions = bank.paradigms.reading(item.paradigm_id).condition_by_name
        wanted[item.id] = [s.text for s in item.sentences if conditions[s.condition].expected == "ok"]

    @cache
    def relations(text: str) -> list[object]:
        (parse,) = parser.parse([text])
        return [token.relation for token in parse.tokens if token.upos != "PUNCT"]

    for condition in ("matched acceptable", "mismatched acceptable", "unrelated"):
        name = results.drawn.conditions[condition].made.name
        rows = [own for own in results.outcomes if own.cell[:2] == (name, 60)]
        assert len(rows) == len(study.items)
        for measure, bag in (("tokens", str.split), ("labels", relations)):
            values = [
                np.mean(
                    [
                        overlap(list(bag(before)), list(bag(target)))
                        for before in bank.contexts.sentences(own.context)
                        for target in wanted[own.item]
                    ]
                )
                for own in rows
            ]
            expected = scipy_stats.pointbiserialr([own.correct for own in rows], values).statistic
            assert found.instances[measure, condition].estimate == pytest.approx(expected)


def test_the_matrix_is_right_cell_by_cell(bank: Bank, study: ContextStudy) -> None:
    """Each change from texts scored alone; the overlap of two suites near that of all their pairs of sentences, and the
    correlation that of the table."""
    results = study.results(scorer_of(bank))
    similarity = similarity_of(bank, results, str.split, None)
    right = {own.item: own.correct for own in results.outcomes if not own.context}
    acceptable: dict[str, list[str]] = {suite: [] for suite in results.drawn.suites}
    for item in study.items:
        conditions = bank.paradigms.reading(item.paradigm_id).condition_by_name
        acceptable[results.drawn.items[item.id]] += [s.text for s in item.sentences if conditions[s.condition].expected == "ok"]
    engine = open_engine(str(study.model), notice=lambda _: None)
    assert set(results.matrix) == {(a, b) for a in acceptable for b in acceptable if a != b}
    for (suite, source), change in results.matrix.items():
        crossed = results.drawn.crossed[source].made
        gains = []
        for (item_id, step), context in bank.contexts.assigned(crossed.id).items():
            if step == 0 or results.drawn.items[item_id] != suite:
                continue
            (item,) = [own for own in study.items if own.id == item_id]
            conditions = bank.paradigms.reading(item.paradigm_id).condition_by_name
            before = " ".join(bank.contexts.sentences(context))
            bits = {}
            for sentence in item.sentences:
                ((scored,),) = engine.score([Request(sentence.text, before)])
                bits[conditions[sentence.condition].expected] = float(scored.values.sum())
            gains.append((bits["ok"] < bits["*"]) - right[item_id])
        assert change.n == len(gains) > 0
        assert change.delta == pytest.approx(np.mean(gains))
        pairs = [overlap(list(a.split()), list(b.split())) for a in acceptable[suite] for b in acceptable[source] if a != b]
        assert similarity.suites[suite, source].tokens == pytest.approx(np.mean(pairs), abs=0.05)
    cells = list(results.matrix)
    rho = scipy_stats.spearmanr(
        [similarity.suites[cell].tokens for cell in cells], [results.matrix[cell].delta for cell in cells]
    ).statistic
    assert similarity.phenomena["tokens"].estimate == pytest.approx(rho)


def test_another_study_of_the_same_name_is_refused(bank: Bank, study: ContextStudy) -> None:
    with pytest.raises(ConfigError, match="already"):
        ContextStudy.of(bank, study.engine, study.model, StudyPlan(lengths=(20, 60), seed=2, everything=True))


@pytest.mark.full
def test_shared_contexts_are_a_factor_of_the_regression(bank: Bank, study: ContextStudy, tmp_path: Path) -> None:
    plan = StudyPlan(name="shared", lengths=(20, 40), everything=True, shared=2)
    made = ContextStudy.of(bank, study.engine, study.model, plan)
    made.score(made.selected)
    results = made.results(scorer_of(bank))
    assert isinstance(results.regression, MixedFit)
    assert "(1 | context)" in results.regression.formula
    assert {own.cell[2] for own in results.outcomes} == {0, 1, 2}
    made.write(results, tmp_path)
    written = {(row["context_number"], row["draw"], row["target"]) for row in rows_of(tmp_path / "outcomes.csv")}
    kept = {
        (str(number), str(cell.step.draw), str(cell.step.target or 0))
        for cell in step_contexts(bank, [own.made.name for own in results.drawn.conditions.values()])
        for number in cell.contexts.values()
        if number or not cell.step.number
    }
    assert written == kept, "the numbers of the bank, and which of the shared contexts each is"


def test_overlap_and_correlations_are_the_textbooks() -> None:
    from collections import Counter

    assert f1(Counter("aab"), Counter("abc")) == pytest.approx(2 * 2 / 6)
    assert f1(Counter(), Counter()) == 0.0
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=40), rng.normal(size=40)
    hits = (x + y > 0).astype(float)
    first, second, truths = x.tolist(), y.tolist(), hits.tolist()
    assert correlation(first, second).p == pytest.approx(scipy_stats.pearsonr(x, y).pvalue)
    assert correlation(first, second, kind="spearman").estimate == pytest.approx(scipy_stats.spearmanr(x, y).statistic)
    biserial = correlation(first, truths, kind="point-biserial")
    assert biserial.estimate == pytest.approx(scipy_stats.pointbiserialr(hits, x).statistic)
    assert biserial.ci == pytest.approx(tuple(scipy_stats.pearsonr(x, hits).confidence_interval()))
    assert correlation([1.0, 1.0, 1.0], [1.0, 2.0, 3.0]).undefined == "the first variable does not vary"
    with pytest.raises(ValueError, match="0 or 1"):
        correlation(first, second, kind="point-biserial")


def test_lengths_follow_from_the_window() -> None:
    assert log_lengths(1000) == (125, 250, 500, 1000)
    assert log_lengths(3) == (1, 3)
    # Below what most sentences are long, hardly any pair has a context: as many lengths from there.
    assert log_lengths(104, least=13) == (13, 26, 52, 104)
    assert log_lengths(104, least=31) == (31, 46, 69, 104)
    assert log_lengths(20, least=31) == (20,)
    assert (least_length([10] * 9 + [60]), least_length([]), least_length([30])) == (6, 1, 16)


def test_a_sample_of_each_suite_has_the_whole_design(gapsmith: Callable[..., Any], tmp_path: Path, wide_gpt2: Path) -> None:
    """Fewer items, all types and lengths, and contexts of all items; the time is told before anything is scored."""
    gapsmith("init", ".")
    for name in ("npi_ever", "participle"):
        gapsmith("generate", name, "-n", "6", "--seed", "1", "-d", name)
    said = ("context", "study", "--all", "-m", str(wide_gpt2), "--lengths", "20,40", "--perturbed", "0", "--crossed", "0")
    done = gapsmith(*said, "--sample", "2", "--name", "some")
    assert done.code == 0, done.err
    assert "that takes about" in done.err
    assert "8 of 12 items: a sample of at most 2 of each suite was asked for" in done.err
    with Bank.open(tmp_path / "bank.sqlite") as bank:
        sets = [own for own in bank.contexts.sets() if own.name.startswith("some")]
        assert len(sets) == len(CONDITIONS)
        measured = {item for own in sets for item, _ in bank.contexts.assigned(own.id)}
        assert len(measured) == 4
        texts = {sentence.text for item in bank.items.iterate() for sentence in item.sentences if item.id not in measured}
        matched = next(own for own in sets if own.name == "some: matched acceptable")
        drawn = [bank.contexts.text(context) for context in set(bank.contexts.assigned(matched.id).values())]
        assert any(text in own for own in drawn for text in texts)
    # With other items under one name it would be another study.
    assert gapsmith(*said, "--name", "some").code != 0


def test_a_change_is_no_larger_than_accuracy_leaves_room_for() -> None:
    falls, rises = mean_change([-0.1, -0.9], [0.6, 0.6]), mean_change([0.05, 0.35], [0.7, 0.6])
    assert falls.ci is not None
    assert rises.ci is not None
    assert falls.ci[0] == pytest.approx(-0.6)
    assert rises.ci[1] == pytest.approx(0.35)


CROWS = """id,sent_more,sent_less,stereo_antistereo,bias_type
0,The rich boy was lazy.,The poor boy was lazy.,stereo,socioeconomic
1,The old man was slow at work.,The young man was slow at work.,stereo,age
2,My old aunt forgot my name.,My young aunt forgot my name.,stereo,age
3,The poor woman stole the bag.,The rich woman stole the bag.,stereo,socioeconomic
4,The old driver missed the sign.,The young driver missed the sign.,stereo,age
5,The poor family was loud.,The rich family was loud.,stereo,socioeconomic
"""
SUITE_CONDITIONS = ("what_gap", "that_gap", "what_nogap", "that_nogap")


def suite_json() -> dict[str, Any]:
    """A suite with criteria over critical regions, as SyntaxGym has them."""
    items = []
    for number, (subject, verb, thing) in enumerate(
        [("the lion", "devoured", "the goat"), ("the thief", "took", "the ring"), ("the cook", "spilt", "the soup")], 1
    ):
        conditions = []
        for name in SUITE_CONDITIONS:
            contents = [
                "I know",
                name.split("_")[0],
                f"{subject} {verb}",
                thing if "nogap" in name else "",
                "at noon",
                ".",
            ]
            regions = [{"region_number": n, "content": c} for n, c in enumerate(contents, 1)]
            conditions.append({"condition_name": name, "regions": regions})
        items.append({"item_number": number, "conditions": conditions})
    names = ("prefix", "comp", "clause", "object", "time", "end")
    return {
        "meta": {"name": "object_gap", "metric": "sum"},
        "region_meta": {str(n): name for n, name in enumerate(names, 1)},
        "predictions": [
            {"type": "formula", "formula": "(4;%what_nogap%) > (4;%that_nogap%)"},
            {"type": "formula", "formula": "(5;%what_gap%) < (5;%that_gap%)"},
        ],
        "items": items,
    }


@pytest.mark.full
def test_any_set_of_the_bank(gapsmith: Callable[..., Any], tmp_path: Path, wide_gpt2: Path) -> None:
    """Pairs taken apart by an attribute, a suite with criteria, and the eight permutations, each by one command."""
    assert gapsmith("init", ".").code == 0
    (tmp_path / "crows.csv").write_text(CROWS, encoding="utf-8")
    (tmp_path / "suite.json").write_text(json.dumps(suite_json()), encoding="utf-8")
    assert gapsmith("import", "crows.csv").code == 0
    assert gapsmith("import", "suite.json").code == 0
    assert gapsmith("generate", "subject_pg", "-n", "3", "-d", "eight").code == 0
    common = ("--all", "--model", wide_gpt2, "--lengths", "12,24", "--perturbed", "0", "--crossed", "0")
    found = gapsmith("study", "context", "-d", "crows", "--suites-by", "bias_type", "--name", "bias", *common)
    assert found.code == 0, found.err
    with Bank.open(tmp_path / "bank.sqlite") as bank:
        items = {item.id: item for item in bank.items.iterate() if item.dataset == "crows"}
        home = {s.text: suite_of(item, "bias_type") for item in items.values() for s in item.sentences}
        for kind, same in (("matched", True), ("mismatched", False)):
            made = bank.contexts.find(f"bias: {kind} unacceptable")
            texts = [
                (item, text)
                for (item, _), context in bank.contexts.assigned(made.id).items()
                for text in bank.contexts.sentences(context)
            ]
            assert texts
            assert all((home[text] == suite_of(items[item], "bias_type")) == same for item, text in texts)
            # The more stereotypical sentence is the unacceptable one.
            assert any(text.startswith(("The old man", "The rich boy")) for _, text in texts)
    rows = rows_of(tmp_path / "bias" / "points.csv")
    # Not every suite has a sentence of running text that is short enough.
    assert {row["suites"] for row in rows if row["condition"] != "unrelated"} == {"2"}

    found = gapsmith("study", "context", "-d", "suite", "--name", "gym", *common)
    assert found.code == 0, found.err
    # Nobody said what is acceptable in that suite, so only running text is left, and that is said.
    assert "no item has acceptable sentences" in found.err
    outcomes = rows_of(tmp_path / "gym" / "outcomes.csv")
    assert len({row["prediction"] for row in outcomes}) == 2

    found = gapsmith("study", "context", "-p", "subject_pg", "-c", "P1", "-c", "did", "--name", "gaps", *common)
    assert found.code == 0, found.err
    outcomes = rows_of(tmp_path / "gaps" / "outcomes.csv")
    assert {row["prediction"] for row in outcomes} == {"P1", "did"}
    assert "matched" in {row["match"] for row in outcomes}
    page = (tmp_path / "gaps" / "contexts.md").read_text(encoding="utf-8")
    assert "there is one suite only" in page
    assert check_bank(tmp_path, report=tmp_path / "gaps").changed == ()
    assert {"contexts.md", "effects.json", "outcomes.csv"} <= set(
        json.loads((tmp_path / "gaps" / "manifest.json").read_text("utf-8"))["files"]
    )

    planned = gapsmith("study", "context", "-d", "eight", "--name", "dry", *common, "--seed", "9", "--dry-run", "--json")
    assert planned.code == 0, planned.err
    assert expect_results(planned.out)[0]["n_texts"] > 0
    assert not (tmp_path / "dry").exists()
    # It leaves nothing, so that the lengths can be changed under the same name.
    with Bank.open(tmp_path / "bank.sqlite") as bank:
        assert not [own.name for own in bank.contexts.sets() if own.name.startswith("dry")]
    # Of many items the hours are told by some of them, before contexts are drawn for all.
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("gapsmith.app.stages.context_effects._MANY", 1)
        patched.setattr("gapsmith.app.stages.context_effects._OF_EACH", 2)
        by_some = gapsmith("study", "context", "-d", "eight", "--name", "dry", *common, "--seed", "9", "--dry-run", "--json")
    assert "multiplied up from 2 items; drawing the contexts comes on top" in by_some.err
    (estimate,) = expect_results(by_some.out)
    assert estimate["by_items"] == 2
    assert estimate["n_texts"] == pytest.approx(expect_results(planned.out)[0]["n_texts"], rel=0.2)
    changed = ("--all", "--model", wide_gpt2, "--lengths", "10,20", "--perturbed", "0", "--crossed", "0")
    found = gapsmith("study", "context", "-d", "eight", "--name", "dry", *changed, "--seed", "9")
    assert found.code == 0, found.err
    assert gapsmith("study", "context", "-d", "nosuch", *common).code != 0
    reported = gapsmith("report", "-d", "eight", "--all", "--contexts", "gaps: matched acceptable", "-m", wide_gpt2)
    assert reported.code == 0, reported.err
    html = (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert "Accuracy by context" in html
    assert "behind contexts" in html


@pytest.mark.full
def test_items_whose_context_is_empty_are_left_out_and_counted(
    gapsmith: Callable[..., Any], tmp_path: Path, wide_gpt2: Path
) -> None:
    """One sentence of the text is so long that it is in no short context; the first to come ends a context."""
    assert gapsmith("init", ".").code == 0
    assert gapsmith("generate", "agreement_pp", "-n", "6", "--seed", "1", "-d", "near").code == 0
    assert gapsmith("generate", "participle", "-n", "6", "--seed", "1", "-d", "forms").code == 0
    long = " ".join(["word"] * 25) + "."
    (tmp_path / "text.txt").write_text(f"It rained.\n{long}\nShe slept.\n{long} Again.\n", encoding="utf-8")
    found = gapsmith(
        "context",
        "study",
        "--all",
        "--model",
        wide_gpt2,
        "--lengths",
        "8,40",
        "--perturbed",
        "0",
        "--crossed",
        "0",
        "--text",
        "text.txt",
        "--lines",
        "--name",
        "pairs",
    )
    assert found.code == 0, found.err
    with Bank.open(tmp_path / "bank.sqlite") as bank:
        made = bank.contexts.find("pairs: unrelated")
        own = bank.contexts.assigned(made.id)
        empty = {item for (item, step), context in own.items() if step == 1 and context == 0}
        labels = {(i.paradigm, i.dataset, i.label): i.id for i in bank.items.iterate()}
    assert 0 < len(empty) < 12
    rows = rows_of(tmp_path / "pairs" / "outcomes.csv")
    # Data set and label, by which the long frame knows an item too.
    assert {(row["paradigm"], row["dataset"], row["item"]) for row in rows} == set(labels)
    assert all((row["tokens"] == "0") == (row["target"] == "0") for row in rows)
    step_contexts = [row for row in rows if row["match"] == "unrelated"]
    short = [labels[row["paradigm"], row["dataset"], row["item"]] for row in step_contexts if row["target"] == "8"]
    assert sorted(short) == sorted(set(labels.values()) - empty)
    points = rows_of(tmp_path / "pairs" / "points.csv")
    (point,) = [row for row in points if (row["condition"], row["target"]) == ("unrelated", "8")]
    assert int(point["n"]) == 12 - len(empty)
    # Two suites give t intervals that end far beyond what an accuracy can be.
    assert all(0 <= float(row[end]) <= 1 for row in points for end in ("accuracy_low", "accuracy_high") if row[end])
    assert {"0.0", "1.0"} <= {row["accuracy_low"] for row in points} | {row["accuracy_high"] for row in points}
    said = f"unrelated to 8 tokens: no sentence was short enough for {len(empty)} of 12 items, left out there."
    assert said in found.err
    assert said in (tmp_path / "pairs" / "contexts.md").read_text(encoding="utf-8")
    effects = read_effects(tmp_path / "pairs")
    related = [row for row in rows if row["match"] in ("matched", "mismatched")]
    assert effects["p three-way"].n == len(related)
    assert effects["p length unrelated"].n == len(step_contexts)
    # Of shared contexts the first is empty at 8 tokens, which is shown before 40 all the same.
    found = gapsmith(
        "context",
        "study",
        "--all",
        "--model",
        wide_gpt2,
        "--lengths",
        "8,40",
        "--perturbed",
        "0",
        "--crossed",
        "0",
        "--text",
        "text.txt",
        "--lines",
        "--name",
        "shared",
        "--shared-contexts",
        "2",
    )
    assert found.code == 0, found.err
    assert "unrelated to 8 tokens: no sentence was short enough for 12 of 24 pairs of an item" in found.err
    points = rows_of(tmp_path / "shared" / "points.csv")
    assert [(row["target"], row["n"]) for row in points if row["condition"] == "unrelated"] == [
        ("8", "12"),
        ("40", "24"),
    ]


@pytest.mark.full
def test_contexts_of_one_length_have_no_p_of_length(gapsmith: Callable[..., Any], tmp_path: Path, wide_gpt2: Path) -> None:
    assert gapsmith("init", ".").code == 0
    assert gapsmith("generate", "agreement_pp", "-n", "3", "-d", "near").code == 0
    assert gapsmith("generate", "participle", "-n", "3", "-d", "forms").code == 0
    (tmp_path / "text.txt").write_text("It rained.\n", encoding="utf-8")
    found = gapsmith(
        "context",
        "study",
        "--all",
        "--model",
        wide_gpt2,
        "--lengths",
        "10,20",
        "--perturbed",
        "0",
        "--crossed",
        "0",
        "--text",
        "text.txt",
        "--lines",
        "--name",
        "rain",
    )
    assert found.code == 0, found.err
    effect = read_effects(tmp_path / "rain")["p length unrelated"]
    assert effect.p is None
    assert "do not differ" in (effect.undefined or "")


def test_what_cannot_be_studied_is_said(bank: Bank, study: ContextStudy, tmp_path: Path) -> None:
    with pytest.raises(GapsmithError, match="no data set"):
        ContextStudy.of(bank, study.engine, study.model, study.plan, datasets=["nosuch"])
    plan = StudyPlan(name="x", lengths=(10,), everything=True, predictions=("nosuch",))
    with pytest.raises(ConfigError, match="no contrast or criterion"):
        ContextStudy.of(bank, study.engine, study.model, plan)
    for wrong, says in (
        ({"suites_by": "nosuch"}, "takes nothing apart"),
        ({"name": "../x"}, "cannot be called"),
        ({"shared": 0}, "are none"),
        ({"lengths": (20, 10)}, "ascending"),
    ):
        odd = StudyPlan(**{"name": "x", "lengths": (10,), "everything": True, **wrong})  # type: ignore[arg-type]  # wrong on purpose
        with pytest.raises(ConfigError, match=says):
            ContextStudy.of(bank, study.engine, study.model, odd)
    with pytest.raises(GapsmithError, match="no items for a study"):
        ContextStudy.of(bank, study.engine, study.model, StudyPlan(name="x", lengths=(10,)))
