"""Names, labels and attributes as nobody should write them: they change no number, and no two items or groups become one."""

from __future__ import annotations

import csv
import io
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from gapsmith.app.cli.app import app
from gapsmith.app.workspace import make_workspace
from gapsmith.bank import Bank, ItemFilter, NewItem
from gapsmith.scoring import FrameWish
from gapsmith.scoring.analysis import (
    AnalysisOptions,
    RunComparison,
    compare,
    item_pairs,
    licensed_sentences,
    licensing,
    sentence_frame,
)
from gapsmith.scoring.analysis.names import item_names
from gapsmith.scoring.observations import ItemKey
from gapsmith.stats import Result
from gapsmith.templates import load_paradigm, realise, sample
from tests.making import made_scorer, made_tokens, registered
from tests.printed import results
from tests.scoring.analysing import SCORER, add_items

ODD = ("a, b", '"q"', "x/y", "0", "= 2", "<b>", "it's", "é|\u202eno", "(none)", "nan", "-1", "\N{SNOWMAN}")
PLAIN = tuple(str(number) for number in range(len(ODD)))
ALL = AnalysisOptions(all_items=True, permutations=99)


def filled(folder: Path, labels: Sequence[str], attributes: Sequence[Mapping[str, Any]], sets: Sequence[str]) -> Path:
    """Items of embwhq without embedding, scored by two models, with these labels, attributes and data sets."""
    make_workspace(folder)
    paradigm = load_paradigm("embwhq")
    fillings = (one for one in sample(paradigm, 2) if paradigm.attributes_of(one)["depth"] == 0)
    own = zip(labels, attributes, sets, fillings, strict=False)
    with Bank.open(folder / "bank.sqlite", create=True) as bank:
        for number, (label, more, dataset, filling) in enumerate(own):
            given = {**paradigm.attributes_of(filling), **more}
            add_items(
                bank,
                paradigm,
                [NewItem(filling, realise(paradigm, filling), label, dataset, attributes=given)],
                identity=str(number),
            )
        texts = {one.text for item in bank.items.iterate() for one in item.sentences}
        for model in ("first", "second"):
            scorer = registered(bank, made_scorer(SCORER, model=model))
            block = bank.scores.block(scorer, {"engine": "tree/1"})
            tokens = [made_tokens(text, list(_cut(text, model))) for text in sorted(texts)]
            bank.scores.add(scorer, tokens, block=block)
    return folder


def _cut(text: str, model: str) -> Iterator[tuple[int, int, float]]:
    at = 0
    for word in text.split(" "):
        end = at + len(word)
        yield at, end, 2 + 9 * zlib.crc32(f"{model} {text[:end]}".encode()) / 2**32
        at = end + 1


NOTHING: tuple[Mapping[str, Any], ...] = ({},) * len(ODD)
SETS = ("one", "two") * (len(ODD) // 2)


def _numbers(found: RunComparison) -> list[tuple[Any, ...]]:
    return [(own.contrast, own.test, own.estimate, own.p, own.n, own.n_given) for own in found.differences]


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return filled(tmp_path_factory.mktemp("odd") / "w", ODD, NOTHING, SETS)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return filled(tmp_path_factory.mktemp("plain") / "w", PLAIN, NOTHING, SETS)


def test_labels_change_no_number(odd: Path, plain: Path) -> None:
    made = []
    for folder in (odd, plain):
        with Bank.open(folder / "bank.sqlite") as bank:
            models = compare(bank, "embwhq", by=("model",), options=ALL)
            sets = compare(bank, "embwhq", by=("dataset",), options=ALL)
            _, sentences, notes = licensed_sentences(bank, "embwhq", model="first", all_items=True, unigrams=lambda _: "no table")
            effects = [replace(own.test) for own in licensing("first", sentences, notes).effects]
            pairs = [sum(1 for _ in item_pairs(one)) for one in (models, sets)]
            made.append((_numbers(models), _numbers(sets), effects, pairs))
    assert made[0] == made[1]
    assert made[0][0]


def test_labels_come_out_as_they_are(odd: Path) -> None:
    done = CliRunner().invoke(app, ["export", "differences", "--all", "--by", "model", "-w", str(odd)])
    assert done.exit_code == 0, done.output
    assert {row["item"] for row in csv.DictReader(io.StringIO(done.stdout))} == set(ODD)


def _turned(own: Result) -> tuple[Any, ...]:
    return own.contrast, own.test, None if own.estimate is None else -own.estimate, own.p, own.n, own.n_given, own.restrictions


@pytest.mark.parametrize(("what", "names"), [("models", ("first", "second")), ("datasets", ("one", "two"))])
def test_the_order_in_which_things_are_named_turns_a_difference_and_no_more(what: str, names: tuple[str, str], odd: Path) -> None:
    with Bank.open(odd / "bank.sqlite") as bank:
        one, other = (
            compare(
                bank,
                "embwhq",
                options=ALL,
                models=order if what == "models" else ("first",),
                datasets=order if what != "models" else (),
            )
            for order in (names, names[::-1])
        )
    straight = [(*_turned(own)[:2], own.estimate, *_turned(own)[3:]) for own in one.differences]
    assert straight
    for before, now in zip(straight, map(_turned, other.differences), strict=True):
        assert before[:2] == now[:2]
        assert before[2] == pytest.approx(now[2], abs=1e-12)
        assert before[3] == pytest.approx(now[3], rel=1e-9)
        assert before[4:] == now[4:]


def test_what_has_no_value_of_an_attribute_is_a_group_of_its_own(tmp_path: Path) -> None:
    attributes = [{"noun": noun} if noun is not None else {} for noun in ("nan", "2", "(none)", None, "", "10") * 2]
    folder = filled(tmp_path / "w", PLAIN, attributes, ("one",) * len(PLAIN))
    with Bank.open(folder / "bank.sqlite") as bank:
        found = compare(bank, "embwhq", by=("noun",), options=ALL)
        assert [run.group for run in found.runs] == [f"noun = {own}" for own in ("2", "10", '"(none)"', "(none)", "nan")]
        assert sum(run.analysis.items.n_selected for run in found.runs) == len(PLAIN)
    done = CliRunner().invoke(app, ["analyze", "--all", "--by", "noun", "-m", "first", "--json", "-w", str(folder)])
    assert done.exit_code == 0, done.output
    assert {run["group"] for own in results(done.stdout) for run in own["runs"]} == {run.group for run in found.runs}


def test_values_that_read_as_other_keys_are_other_groups(tmp_path: Path) -> None:
    attributes = [{"a": "1, b = 2", "b": "3"}, {"a": "1", "b": "2, b = 3"}] * (len(PLAIN) // 2)
    folder = filled(tmp_path / "w", PLAIN, attributes, ("one",) * len(PLAIN))
    with Bank.open(folder / "bank.sqlite") as bank:
        found = compare(bank, "embwhq", by=("a", "b", "model"), options=ALL)
    groups = {run.group for run in found.runs}
    assert len(groups) == 2
    assert {(own.model, own.group) for own in found.differences} == {("second - first", group) for group in groups}


def test_items_of_two_sets_whose_names_run_into_each_other_stay_two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No new data set gets such a name; banks from before have them."""
    monkeypatch.setattr("gapsmith.bank.datasets.as_name", lambda name, *_, **__: name)
    labels, sets = ("b/c", "c", *PLAIN[2:]), ("a", "a/b", *("a",) * (len(PLAIN) - 2))
    joined, apart = filled(tmp_path / "w", labels, NOTHING, sets), filled(tmp_path / "v", PLAIN, NOTHING, ("a", "d", *sets[2:]))
    made = []
    for folder in (joined, apart):
        with Bank.open(folder / "bank.sqlite") as bank:
            _, sentences, _ = licensed_sentences(bank, "embwhq", model="first", all_items=True, unigrams=lambda _: "no table")
            frame = sentence_frame(bank, ItemFilter(paradigm="embwhq"), FrameWish(model="first"))
            made.append(([own.test for own in licensing("first", sentences).effects], len(set(frame.columns["item"]))))
    assert made[0] == made[1]
    assert made[0][1] == len(PLAIN)
    keys = [ItemKey("a", "b/c"), ItemKey("a/b", "c"), ItemKey("a", "1")]
    assert list(item_names(keys, several=True).values()) == ['"a" "b/c"', '"a/b" "c"', "a/1"]
