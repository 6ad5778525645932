"""The test of a mean over items whose words repeat: which words are fixed, which random, and what is said of it."""

from __future__ import annotations

import csv
import json
import math
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize
from scipy import stats as scipy_stats

from gapsmith.stats import (
    SlotUse,
    default_formula,
    fit_mixed,
    kind_columns,
    one_sample_t,
    pilot_of,
    repeated_slots,
    word_slots,
    word_test,
)
from gapsmith.stats.components import fit_components
from gapsmith.templates import load_paradigm

REFERENCE_FILES = Path(__file__).parent.parent / "reference"
REFERENCE: dict[str, Any] = json.loads((REFERENCE_FILES / "crossing_reference.json").read_text(encoding="utf-8"))["sets"]
SLOTS = ("noun", "linker", "verb", "object", "adverb")


def reference_set(name: str) -> tuple[np.ndarray[Any, Any], list[dict[str, str]]]:
    """The values and the words of one of the sets that R has read."""
    with (REFERENCE_FILES / "crossing_data.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["set"] == name]
    return np.array([float(row["value"]) for row in rows]), [{slot: row[slot] for slot in SLOTS} for row in rows]


def drawn(
    n: int, sizes: dict[str, int], seed: int = 1, *, by: dict[str, float] | None = None
) -> tuple[Any, list[dict[str, str]]]:
    """Values and words drawn at random; `by` gives slots whose words move the values."""
    rng = np.random.default_rng(seed)
    words = [{slot: f"{slot}{rng.integers(k)}" for slot, k in sizes.items()} for _ in range(n)]
    moves = {slot: rng.normal(0, sd, sizes[slot]) for slot, sd in (by or {}).items()}
    values = [0.4 + rng.normal() + sum(own[int(row[slot].removeprefix(slot))] for slot, own in moves.items()) for row in words]
    return np.array(values), words


def used(values: Any, words: list[dict[str, str]], **options: Any) -> dict[str, str]:
    return {slot.name: slot.use for slot in word_test(values, words, **options).slots}


@pytest.mark.parametrize("name", sorted(REFERENCE))
def test_random_words_are_lme4s(name: str) -> None:
    block = REFERENCE[name]
    values, words = reference_set(name)
    factors = [np.unique([row[slot] for row in words], return_inverse=True)[1] for slot in block["slots"]]
    found = fit_components(values, np.ones((len(values), 1)), factors)
    assert found.converged
    assert found.coefficients[0] == pytest.approx(block["estimate"], rel=1e-6)
    assert math.sqrt(found.covariance[0, 0]) == pytest.approx(block["se"], rel=1e-4)
    assert found.df[0] == pytest.approx(block["df"], rel=1e-3)
    # Never below what lme4 found, and never another place.
    assert -found.deviance / 2 == pytest.approx(block["log_likelihood"], abs=1e-4)
    assert bool((found.variances == 0).any()) is block["singular"]


def test_the_model_of_words_is_that_of_the_formula() -> None:
    """Few words are fixed, the nouns random, as `crossing_reference` has them; the mean is equally weighted over the fixed words."""
    values, words = reference_set("exhaustive")
    found = word_test(values, words)
    assert {slot.name: slot.use for slot in found.slots} == {
        "noun": "random",
        "linker": "fixed",
        "verb": "fixed",
        "object": "fixed",
        "adverb": "fixed",
    }
    frame = pd.DataFrame(words).assign(value=values)
    other = fit_mixed("value ~ linker + verb + object + adverb + (1 | noun)", frame).coefficient("(Intercept)")
    assert found.these is not None
    assert found.these.estimate == pytest.approx(other.estimate, rel=1e-5)
    assert found.these.statistic == pytest.approx(other.statistic, rel=1e-4)
    assert found.these.df == pytest.approx(other.df, rel=1e-3)
    assert found.these.p == pytest.approx(other.p, rel=1e-3)
    # Line 2: all are samples of few words.
    wider = fit_mixed("value ~ adverb + (1 | noun) + (1 | linker) + (1 | verb) + (1 | object)", frame).coefficient("(Intercept)")
    assert found.others is not None
    assert found.others.estimate == pytest.approx(wider.estimate, rel=1e-5)
    # Two adverbs do not tell how adverbs vary.
    assert (found.others.ci, found.others.p, found.others.interpretable) == (None, None, False)
    assert "two words do not tell" in str(found.others.undefined)


def test_fixed_words_alone_are_a_linear_model() -> None:
    values, words = drawn(60, {"adverb": 4, "preposition": 2}, by={"adverb": 1.0})
    found = word_test(values, words, closed={"preposition"})
    frame = pd.DataFrame(words)
    columns = [np.ones(60)]
    for slot in ("adverb", "preposition"):
        levels = sorted(set(frame[slot]))
        columns += [(frame[slot] == level).to_numpy(float) - (frame[slot] == levels[-1]).to_numpy(float) for level in levels[:-1]]
    matrix = np.column_stack(columns)
    beta, rest, *_ = np.linalg.lstsq(matrix, values, rcond=None)
    variance = rest[0] / (60 - matrix.shape[1]) * np.linalg.inv(matrix.T @ matrix)[0, 0]
    assert found.these is not None
    assert found.these.estimate == pytest.approx(beta[0])
    assert found.these.se == pytest.approx(math.sqrt(variance))
    assert found.these.df == pytest.approx(60 - matrix.shape[1])
    assert {one.word: one.n for one in found.fixed if one.slot == "adverb"} == frame["adverb"].value_counts().to_dict()


def test_means_by_word_and_without_a_word_are_the_models() -> None:
    """The same model with other columns: of a slot one word apart and the others sum coded, the first coefficient is their mean."""
    values, words = drawn(80, {"noun": 9, "adverb": 4, "object": 3}, by={"adverb": 1.0, "noun": 0.8})
    found = word_test(values, words)
    codes = {slot: np.unique([row[slot] for row in words], return_inverse=True)[1] for slot in ("noun", "adverb", "object")}

    def coded(slot: str, *, apart: int | None = None) -> list[Any]:
        """Columns of a slot whose other words are sum coded."""
        kept = [code for code in range(int(codes[slot].max()) + 1) if code != apart]
        own = [np.where(codes[slot] == code, 1.0, 0.0) - (codes[slot] == kept[-1]) for code in kept[:-1]]
        return own if apart is None else [*own, (codes[slot] == apart).astype(float)]

    for place, word in enumerate(sorted({row["adverb"] for row in words})):
        matrix = np.column_stack([np.ones(80), *coded("adverb", apart=place), *coded("object")])
        fit = fit_components(values, matrix, [codes["noun"]])
        (own,) = [one for one in found.fixed if one.word == word]
        half = scipy_stats.t.ppf(0.975, fit.df[0]) * math.sqrt(fit.covariance[0, 0])
        expected = (fit.coefficients[0], fit.coefficients[0] - half, fit.coefficients[0] + half)
        assert own.without == pytest.approx(expected, rel=1e-6)
        # The word's own column is how far it lies from the mean of the others.
        assert own.modelled == pytest.approx(fit.coefficients[0] + fit.coefficients[3], rel=1e-6)
        assert own.modelled != pytest.approx(own.mean, abs=1e-3)
    hanging = {one.word for one in found.hangs_on(1)}
    assert hanging == {one.word for one in found.fixed if one.without is not None and one.without[1] <= 0}


def test_both_sides_of_0_is_said_of_the_models_means() -> None:
    """Where one verb has most of the values of a word, their plain mean says what the verb does."""
    kept = [("soon", "saw")] * 9 + [("soon", "met"), ("now", "saw")] + [("now", "met")] * 9
    words = [{"adverb": adverb, "verb": verb} for adverb, verb in kept]
    values = [(3.0 if verb == "saw" else -1.0) + n % 3 / 10 for n, (_, verb) in enumerate(kept)]
    found = word_test(values, words)
    raw = {one.word: one.mean for one in found.fixed if one.slot == "adverb"}
    assert min(raw.values()) < 0 < max(raw.values())
    assert found.both_sides == ("verb",)


def test_a_slot_whose_parts_are_told_stands_for_how_they_combine() -> None:
    values, words = drawn(90, {"frame": 3, "verb": 4, "noun": 8})
    built = [{**row, "np": f"{row['frame']} {row['verb']}"} for row in words]
    parts = {"np": ("frame", "verb")}
    whole, told = word_test(values, built), word_test(values, built, parts=parts)
    assert whole.these is not None
    assert told.these is not None
    assert "over other nouns and other words of the slot 'np'" in whole.these.scope
    assert "over other nouns, with how the slot 'np' combines frame and verb as a random part" in told.these.scope
    # It is the same model; what is said of it differs.
    assert told.these.estimate == whole.these.estimate
    # A part that is left out of the model is none that it could stand beside.
    alone = word_test(values, [{"np": row["np"], "noun": row["noun"]} for row in built], parts=parts)
    assert alone.these is not None
    assert "over other words of the slot 'np'" in alone.these.scope


def test_the_rule_looks_at_the_words() -> None:
    sizes = {"noun": 30, "verb": 8, "adverb": 5, "preposition": 2, "auxiliary": 9}
    values, words = drawn(80, sizes)
    uses = {"noun": "random", "verb": "random", "adverb": "fixed", "preposition": "fixed", "auxiliary": "random"}
    assert used(values, words) == uses
    # All words of a closed slot are there, however many.
    assert used(values, words, closed={"auxiliary"}) == {**uses, "auxiliary": "fixed"}
    # A word of its own for each item says nothing of words, and nor does one that never changes.
    own = [{**row, "name": f"name{n}", "that": "that"} for n, row in enumerate(words)]
    found = word_test(values, own)
    assert {slot.name: slot.use for slot in found.slots} == {**uses, "name": "left out"}
    (name,) = found.of_use("left out")
    assert isinstance(name, SlotUse)
    assert name.why == "each item has its own word"
    assert set(repeated_slots(own)) == set(uses)
    assert {use.name for use in word_slots(own)} >= set(uses)
    # Nothing but the words decides: neither the values nor their number.
    assert used(values * 0 + np.arange(80), words) == uses == used(*drawn(800, sizes))


def two_halves(seed: int = 3) -> tuple[Any, list[dict[str, str]]]:
    """Values of items of which half have a slot `head` and half a slot `heads`, and whose kinds differ by 1.5."""
    values, words = drawn(90, {"head": 9, "place": 8}, seed, by={"head": 0.8, "place": 0.5})
    rows = [{"heads" if n % 3 else "head": row["head"] + "s" * bool(n % 3), "place": row["place"]} for n, row in enumerate(words)]
    return values + np.array([1.5 * ("head" in row) for row in rows]), rows


def test_a_slot_that_some_items_lack_is_no_word_of_theirs() -> None:
    """The absence is a fixed column and the words are those of the items that have the slot, as in a plain likelihood."""
    values, rows = two_halves()
    found = word_test(values, rows)
    assert [(slot.name, slot.use, slot.n_words, slot.n_lacking) for slot in found.slots] == [
        ("head", "random", 9, 60),
        ("place", "random", 8, 0),
        ("heads", "random", 9, 30),
    ]
    has = np.array(["head" in row for row in rows])
    matrix = np.column_stack([np.ones(90), np.where(has, 1.0, -1.0)])
    shared = []
    for slot in ("head", "place", "heads"):
        of = np.array([row.get(slot, "") for row in rows])
        shared.append((of[:, None] == of) & (of != "")[:, None])
    identity = np.eye(90)

    def fitted(logs: Any) -> tuple[float, float, float]:
        covariance = sum(math.exp(log) * own for log, own in zip(logs, [*shared, identity], strict=True))
        inverse = np.linalg.inv(covariance)
        inside = np.linalg.inv(matrix.T @ inverse @ matrix)
        beta = inside @ matrix.T @ inverse @ values
        rest = values - matrix @ beta
        deviance = np.linalg.slogdet(covariance)[1] - np.linalg.slogdet(inside)[1] + rest @ inverse @ rest
        return float(deviance), float(beta[0]), math.sqrt(inside[0, 0])

    minimize: Any = optimize.minimize
    best = minimize(lambda logs: fitted(logs)[0], np.zeros(4), method="Nelder-Mead", tol=1e-9)
    _, estimate, se = fitted(best.x)
    assert found.these is not None
    assert found.these.estimate == pytest.approx(estimate, rel=1e-4)
    assert found.these.se == pytest.approx(se, rel=1e-3)
    assert list(found.these.details["sds"].values()) == pytest.approx(np.exp(best.x[:3] / 2), rel=1e-2)
    # What a plan for more items takes from it has the same fixed columns, and words where items have them.
    pilot = pilot_of(found.these, found, rows)
    assert pilot is not None
    assert pilot.n_columns == 2
    assert pilot.inflation == pytest.approx(90 * np.linalg.inv(matrix.T @ matrix)[0, 0])
    chances = [(own.sum() - own.diagonal().sum()) / (90 * 89) for own in shared]
    assert [slot.repeat for slot in pilot.slots] == pytest.approx(chances)
    # It weights the kinds equally, and both are shown.
    assert found.these.scope.endswith("equally for items with head and with heads")
    assert [(own.named, own.n) for own in found.kinds] == [("with head", 30), ("with heads", 60)]
    assert [own.mean for own in found.kinds] == pytest.approx([values[has].mean(), values[~has].mean()])


def test_parts_of_lans_island_subjects_are_lme4s() -> None:
    """lmer(y ~ name1 + np_frame + np_verb + gap1 + linker + verb + gap2 + adverb + (1 | np)), lme4 1.1-31, lmerTest: .14692915, .01024829,
    df 12.000, t 14.336945."""
    kept = json.loads((REFERENCE_FILES / "lan_did.json").read_text(encoding="utf-8"))
    paradigm = load_paradigm("lan_pg")
    rows = [paradigm.in_parts(dict(zip(kept["slots"], own, strict=True))) for own in product(*kept["slots"].values())]
    found = word_test(kept["values"], rows, others=False)
    line = found.these
    assert line is not None
    assert [use.name for use in found.of_use("random")] == ["np"]
    assert [line.estimate, line.se, line.df, line.statistic] == pytest.approx(
        [0.1469291493, 0.01024828865, 12.0, 14.33694487], rel=1e-5
    )


def test_where_no_word_repeats_kinds_of_items_are_said() -> None:
    """The t test counts them by their number, and does not weight them equally as a model of words does."""
    rows = [{"heads" if n % 3 else "head": f"w{n}"} for n in range(30)]
    found = word_test(np.arange(30.0), rows)
    assert (found.kind, found.these) == ("items", None)
    assert [(own.named, own.n) for own in found.kinds] == [("with head", 10), ("with heads", 20)]
    assert found.by_number == "over kinds of items by their number (10 with head and 20 with heads)"
    assert word_test(np.arange(30.0), [{"head": f"w{n}"} for n in range(30)]).by_number == ""


def test_columns_of_kinds_make_the_formulas_effect_that_of_the_test() -> None:
    """Two conditions of items of two kinds: the effect of the model of sentences, crossed with the kind, is the test of the difference."""
    values, rows = two_halves()
    found, said, _ = kind_columns(rows)
    assert list(found) == ["with_head"]
    assert found["with_head"] == [1.0 if "head" in row else -1.0 for row in rows]
    assert said == "equally for items with head and with heads"
    item = np.random.default_rng(4).normal(size=len(values))
    frame: dict[str, list[Any]] = {
        "y": [*(item + values / 2), *(item - values / 2)],
        "code": [0.5] * len(values) + [-0.5] * len(values),
        "item": [str(n) for n in range(len(values))] * 2,
        "with_head": found["with_head"] * 2,
    }
    for slot in ("head", "heads", "place"):
        frame[slot] = [row.get(slot, "none") for row in rows] * 2
        frame[f"{slot}_read"] = [int(slot in row) for row in rows] * 2
    reads = {slot: f"{slot}_read" for slot in ("head", "heads")}
    about: dict[str, Any] = {
        "response": "y",
        "factors": ["code"],
        "slots": ["head", "heads", "place"],
        "read": reads,
        "word": None,
    }
    formula = default_formula(frame, **about, held=list(found), structure="uncorrelated")
    assert formula.startswith("y ~ code * with_head + ")
    row = fit_mixed(formula, frame).coefficients[1]
    line = word_test(values, rows).these
    assert line is not None
    assert row.name == "code"
    assert row.estimate == pytest.approx(line.estimate, rel=1e-4)
    assert row.se == pytest.approx(line.se, rel=1e-3)
    assert row.df == pytest.approx(line.df, rel=1e-2)
    # Without the column the estimate is another one.
    alone = fit_mixed(default_formula(frame, **about, structure="uncorrelated"), frame).coefficients[1]
    assert abs(alone.estimate - row.estimate) > 0.01
    # Three kinds that no two slots tell apart have codes; words that are held fixed may tell already.
    assert list(kind_columns([{"abc"[n % 3]: f"w{n // 3 % 7}"} for n in range(90)])[0]) == ["kind_1", "kind_2"]
    told = [{**row, "number": "sg" if "head" in row else "pl"} for row in rows]
    assert kind_columns(told, ["number"])[:2] == ({}, "")


def test_fixed_slots_that_lack_each_other_share_one_column() -> None:
    """What the kinds differ by is fixed once; the mean is that of both kinds' means over their words."""
    values, rows = two_halves()
    few = [{("x" if "head" in row else "y"): str(n % 4), "place": row["place"]} for n, row in enumerate(rows)]
    found = word_test(values, few, closed={"place"})
    assert [(slot.name, slot.use, slot.words) for slot in found.slots] == [
        ("x", "fixed", ("0", "1", "2", "3")),
        ("place", "fixed", tuple(f"place{n}" for n in range(8))),
        ("y", "fixed", ("0", "1", "2", "3")),
    ]
    assert found.these is not None
    assert found.these.df == pytest.approx(90 - 1 - 7 - 1 - 3 - 3)
    # Three kinds, each with a slot of its own, count alike; what is asked of two kinds is itself their column.
    three = [{"abc"[n % 3]: f"w{n // 3 % 7}"} for n in range(90)]
    alike = word_test(values, three).these
    assert alike is not None
    assert alike.scope.endswith("equally for 3 kinds of items (" + alike.scope.rsplit("(", 1)[-1])
    assert alike.estimate == pytest.approx(np.mean([values[kind::3].mean() for kind in range(3)]), abs=0.2)
    between = word_test(values, rows, between=[float("head" in row) for row in rows]).these
    assert between is not None
    assert "equally" not in between.scope
    assert between.estimate is not None


def test_words_are_counted_as_one_counts_them() -> None:
    """Where a slot's name is what one calls its words; else they are words of that slot."""
    one = SlotUse("preposition", (), 2, ("about", "of"), closed=False, use="fixed")
    assert (one.counted, one.others) == ("2 prepositions", "other prepositions")
    name = SlotUse("name1", ("name2",), 2, ("Bob", "John"), closed=False, use="fixed")
    assert name.counted == "2 words of the slot 'name1' (with name2)"
    assert name.others == "other words of the slot 'name1' (with name2)"


def test_slots_that_go_word_by_word_are_one() -> None:
    values, words = drawn(50, {"noun": 7, "verb": 8})
    twin = [{**row, "plural": row["noun"] + "s"} for row in words]
    found = word_test(values, twin)
    assert [slot.named for slot in found.slots] == ["noun (with plural)", "verb"]
    alone = word_test(values, words)
    assert found.these is not None
    assert alone.these is not None
    assert (found.these.estimate, found.these.p) == (alone.these.estimate, alone.these.p)
    assert "other nouns (with plural)" in found.these.scope


def test_words_that_differ_within_an_observation_are_not_what_it_depends_on() -> None:
    """Two items with one observation that name different adverbs: whichever came first would be taken, so neither is."""
    values, words = drawn(60, {"noun": 12, "verb": 7, "adverb": 3}, by={"verb": 0.5})
    both = [row for row in words for _ in range(2)]
    other = [{**row, "adverb": "other"} if n % 2 else row for n, row in enumerate(both)]
    keys = np.repeat(range(60), 2).tolist()
    found = word_test(np.repeat(values, 2), other, observations=keys)
    assert {slot.name: slot.use for slot in found.slots} == {"noun": "random", "verb": "random", "adverb": "left out"}
    assert [slot.why for slot in found.of_use("left out")] == ["what is measured does not depend on it"]
    turned = word_test(np.repeat(values, 2)[::-1], other[::-1], observations=keys[::-1])
    alone = word_test(values, [{slot: row[slot] for slot in ("noun", "verb")} for row in words])
    assert found.these is not None
    assert turned.these is not None
    assert alone.these is not None
    assert (turned.these.estimate, turned.these.p) == (found.these.estimate, found.these.p)
    assert found.these.p == pytest.approx(alone.these.p)


def test_the_two_lines_have_names_of_their_own() -> None:
    for sizes in ({"noun": 12, "adverb": 3}, {"noun": 12, "adverb": 2}):
        found = word_test(*drawn(60, sizes))
        assert found.these is not None
        assert found.others is not None
        assert (found.these.test, found.others.test) == ("mixed model of words", "mixed model of words, others too")


def test_without_repeated_words_the_t_test_is_the_test() -> None:
    found = word_test([1.0, 2.0, 4.0], [{"noun": word, "that": "that"} for word in ("dog", "cat", "cow")])
    assert (found.kind, found.these, found.others) == ("items", None, None)
    assert not found.repeats
    assert word_test([1.0], [{}]).kind == "items"
    assert word_test([], []).kind == "items"


@pytest.mark.parametrize(
    ("n", "sizes", "why"),
    [(8, {"adverb": 5, "linker": 3}, "too few beside the words to hold fixed"), (5, {"verb": 2}, "too few beside")],
)
def test_too_few_observations_beside_the_words_give_no_verdict(n: int, sizes: dict[str, int], why: str) -> None:
    words = [{slot: f"w{item % k}" for slot, k in sizes.items()} for item in range(n)]
    found = word_test([float(value) for value in range(n)], words)
    assert (found.kind, found.these) == ("described", None)
    assert why in found.why
    assert found.fixed


def test_fixed_words_that_do_not_come_apart_give_no_verdict() -> None:
    words = [{"a": f"a{n % 4}", "b": f"b{n % 4 // 2}"} for n in range(40)]
    found = word_test(np.arange(40.0), words)
    assert found.kind == "described"
    assert "do not come apart" in found.why


def test_values_that_words_reproduce_have_a_reason() -> None:
    grid = [{"noun": f"n{row}", "verb": f"v{column}"} for row in range(7) for column in range(8)]
    added = [float(row["noun"][1:]) + 10 * float(row["verb"][1:]) for row in grid]
    huge = [1e200 * (1 + n) for n in range(56)]
    for own, why in ((added, "nothing is left for the residuals"), ([2.0] * 56, "no variance"), (huge, "too large")):
        line = word_test(own, grid).these
        assert line is not None
        assert (line.p, line.ci, line.interpretable) == (None, None, False)
        assert line.undefined
        assert why in line.undefined


def test_observations_that_several_items_share_count_once() -> None:
    values, words = drawn(60, {"noun": 12, "verb": 7}, by={"verb": 0.5})
    once = word_test(values, words, observations=list(range(60)))
    twice = word_test(
        np.repeat(values, 2), [row for row in words for _ in range(2)], observations=np.repeat(range(60), 2).tolist()
    )
    assert once.these is not None
    assert twice.these is not None
    assert (twice.these.n, twice.these.n_given) == (60, 120)
    assert (twice.these.estimate, twice.these.df, twice.these.p) == (once.these.estimate, once.these.df, once.these.p)


@settings(deadline=None, max_examples=25)
@given(st.integers(14, 60), st.integers(0, 10_000), st.sampled_from([1e-3, 1.0, 1e4]))
def test_neither_order_nor_unit_nor_names_of_words_move_anything(n: int, seed: int, unit: float) -> None:
    values, words = drawn(n, {"noun": 9, "verb": 6, "adverb": 3}, seed, by={"noun": 0.4})
    found = word_test(values, words)
    order = np.random.default_rng(seed).permutation(n)
    renamed = [{slot: word[::-1] for slot, word in words[at].items()} for at in order]
    again = word_test(values[order] * unit, renamed)
    assert again.kind == found.kind
    if found.these is None or found.these.p is None:
        return
    assert again.these is not None
    assert again.these.estimate == pytest.approx((found.these.estimate or 0) * unit, rel=1e-6)
    assert again.these.p == pytest.approx(found.these.p, rel=1e-4)
    assert again.these.df == pytest.approx(found.these.df, rel=1e-3)


def test_more_words_narrow_what_is_said_of_other_words() -> None:
    values, words = drawn(300, {"noun": 30, "adverb": 5}, by={"adverb": 0.4})
    others = word_test(values, words).others
    assert others is not None
    assert others.details["half_width_wanted"] < others.details["half_width"]
    assert "No verdict over other words (adverb: 5 words)" in others.note
    assert not others.interpretable


@pytest.mark.parametrize(
    ("share", "n"), [(0.3, 20), *(pytest.param(*own, marks=pytest.mark.full) for own in ((0.0, 20), (0.3, 60)))]
)
def test_the_mean_is_rejected_as_often_as_said_where_the_t_test_is_not(share: float, n: int) -> None:
    """400 sets of mean 0 whose verbs carry a share of the variance; the limits are those of 400 draws at .05."""
    rejected = dict.fromkeys(("words", "items"), 0)
    for seed in range(400):
        rng = np.random.default_rng([seed, n])
        verbs = rng.integers(8, size=n)
        values = rng.normal(0, math.sqrt(1 - share), n) + rng.normal(0, math.sqrt(share), 8)[verbs]
        line = word_test(values, [{"verb": str(verb)} for verb in verbs], others=False).these
        assert line is not None
        rejected["words"] += line.p is not None and line.p < 0.05
        rejected["items"] += (one_sample_t(values).p or 1) < 0.05
    assert rejected["words"] <= 34
    assert (rejected["items"] > 40) is (share > 0)


def test_kinds_of_items_are_compared_over_their_words() -> None:
    """The slope between two kinds of items is that of the formula, with the words of both."""
    values, words = drawn(80, {"noun": 12, "verb": 4}, by={"noun": 0.5})
    kind = [float(n % 2) for n in range(80)]
    found = word_test(values + 0.3 * np.array(kind), words, between=kind)
    frame = pd.DataFrame(words).assign(value=values + 0.3 * np.array(kind), kind=kind)
    other = fit_mixed("value ~ kind + verb + (1 | noun)", frame).coefficient("kind")
    assert found.these is not None
    assert found.these.estimate == pytest.approx(other.estimate, rel=1e-5)
    assert found.these.df == pytest.approx(other.df, rel=1e-3)
    assert found.these.p == pytest.approx(other.p, rel=1e-3)
    assert found.fixed == ()
    assert found.others is not None
    assert "half_width_wanted" not in found.others.details
    # Where no word repeats it is a linear model: the t test of two groups.
    alone = word_test(values, [{}] * 80, between=kind)
    groups = values[1::2], values[::2]
    assert alone.kind == "items"
    assert alone.these is not None
    assert alone.these.p == pytest.approx(scipy_stats.ttest_ind(*groups).pvalue)
    with pytest.raises(ValueError, match="two different"):
        word_test(values, words, between=[1.0] * 80)


def test_what_is_between_kinds_of_items_is_not_taken_for_the_slots_that_they_lack() -> None:
    """Two kinds of islands, each with a slot of its own, against items with neither: each kind counts alike, however many items it has."""
    rng = np.random.default_rng(3)
    kinds = ["bridge"] * 30 + ["noun"] * 24 + ["question"] * 12
    slots: dict[str, dict[str, str]] = {"bridge": {}, "noun": {"noun": "n"}, "question": {"asking": "a"}}
    words = [
        {slot: f"{word}{n % 3}" for slot, word in slots[kind].items()} | {"time": f"t{n % 3}"} for n, kind in enumerate(kinds)
    ]
    values = rng.normal(size=66) + np.array([{"bridge": 0.0, "noun": 1.0, "question": 3.0}[kind] for kind in kinds])
    found = word_test(values, words, between=[float(kind != "bridge") for kind in kinds])
    assert found.these is not None
    assert found.these.estimate is not None
    means = [values[[own == kind for own in kinds]].mean() for kind in slots]
    assert found.these.estimate == pytest.approx((means[1] + means[2]) / 2 - means[0], abs=0.02)
    assert "equally for kinds of items" in found.these.scope
    # Depth decides alone which slots there are: no kind is left to be held equal.
    deep = [
        {"time": f"t{n % 7}"} | ({"first": f"f{n % 8}"} if n >= 20 else {}) | ({"second": f"s{n % 9}"} if n >= 40 else {})
        for n in range(60)
    ]
    depth = word_test(rng.normal(size=60) + np.repeat([0.0, 1.0, 2.0], 20), deep, between=np.repeat([0.0, 1.0, 2.0], 20).tolist())
    assert depth.these is not None
    assert depth.these.estimate == pytest.approx(1.0, abs=0.5)
    assert "equally" not in depth.these.scope


def test_an_observation_of_two_kinds_of_items_counts_for_each() -> None:
    found = word_test([1.0, 1.0, 2.0, 3.5], [{}] * 4, observations=["a", "a", "b", "c"], between=[0, 1, 1, 0])
    assert found.these is not None
    assert (found.these.n, found.these.n_given) == (4, 4)


def test_rows_must_be_one_per_value() -> None:
    with pytest.raises(ValueError, match="2 items with words for 1 values"):
        word_test([1.0], [{}, {}])
    with pytest.raises(ValueError, match="alternative"):
        word_test([1.0], [{}], alternative="up")


def test_the_example_of_the_page_is_what_comes_of_its_values() -> None:
    """The DiD of Lan et al.'s filtered set, kept with its words: t over the items, and for the words that are held fixed."""
    kept = json.loads((REFERENCE_FILES / "lan_did.json").read_text(encoding="utf-8"))
    rows = [dict(zip(kept["slots"], words, strict=True)) for words in product(*kept["slots"].values())]
    over_items, over_words = one_sample_t(kept["values"]), word_test(kept["values"], rows).these
    assert over_words is not None
    page = (Path(__file__).parents[2] / "docs" / "statistics" / "words-that-repeat.md").read_text(encoding="utf-8")
    assert f"t({over_items.df:.0f}) = {over_items.statistic:.2f} over the items" in page
    assert f"t({over_words.df:.1f}) = {over_words.statistic:.2f};" in page
