"""What goes out for experiments with people and for the hub."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from gapsmith.bank.formats.dataset_folder import CardFacts, write_dataset_folder
from gapsmith.bank.formats.foreign import ForeignItem, ForeignSentence, ForeignSet, GivenRegion
from gapsmith.bank.formats.lists import latin_square, write_jspsych, write_pcibex
from gapsmith.templates import ConfigError

pytestmark = pytest.mark.fast

CONDITIONS = ("a", "b", "c")


def _item(label: str, *conditions: str, **attributes: Any) -> ForeignItem:
    return ForeignItem(label, tuple(ForeignSentence(name, f"{label} in {name}.") for name in conditions), attributes)


def _set(*items: ForeignItem, **more: Any) -> ForeignSet:
    return ForeignSet("bank", items, CONDITIONS, name="ours", **more)


def test_every_list_has_every_item_once_and_every_condition_as_often() -> None:
    made = latin_square(_set(*(_item(str(n), *CONDITIONS) for n in range(1, 10))))
    assert [one.group for one in made.lists] == ["A", "B", "C"]
    assert (made.left_out, made.unbalanced) == ((), 0)
    for one in made.lists:
        assert sorted(trial.item for trial in one.trials) == [str(n) for n in range(1, 10)]
        assert Counter(trial.condition for trial in one.trials) == {"a": 3, "b": 3, "c": 3}
    seen = Counter((trial.item, trial.condition) for one in made.lists for trial in one.trials)
    assert set(seen.values()) == {1}
    assert len(seen) == 27


def test_items_that_cannot_be_shown_in_every_condition_are_left_out_by_name() -> None:
    doubled = _item("2", "a", "b", "c", "a")
    blank = ForeignItem("3", tuple(ForeignSentence(name, " ") for name in CONDITIONS))
    made = latin_square(_set(_item("1", *CONDITIONS), doubled, blank, _item("4", "a", "b")))
    assert (made.left_out, made.unbalanced) == (("2", "3", "4"), 1)
    two = latin_square(_set(_item("1", *CONDITIONS), _item("4", "a", "b")), conditions=("b", "a"))
    assert [[(t.item, t.condition) for t in sorted(one.trials, key=lambda t: t.item)] for one in two.lists] == [
        [("1", "b"), ("4", "a")],
        [("1", "a"), ("4", "b")],
    ]
    with pytest.raises(ConfigError, match="no condition 'd'"):
        latin_square(_set(_item("1", *CONDITIONS)), conditions=("a", "d"))
    with pytest.raises(ConfigError, match="no item of ours has exactly one sentence"):
        latin_square(_set(_item("1", "a")))


def test_fillers_stand_on_every_list_spread_between_the_items() -> None:
    fillers = [ForeignItem(f"f{n}", (ForeignSentence("", f"Filler {n}."),)) for n in range(8)]
    items = _set(*(_item(str(n), *CONDITIONS) for n in range(3)))
    made = latin_square(items, fillers=fillers)
    for one in made.lists:
        assert {trial.item for trial in one.trials if trial.is_filler} == {f"f{n}" for n in range(8)}
        gaps = "".join("f" if trial.is_filler else "." for trial in one.trials).split(".")
        assert [len(gap) for gap in gaps] == [2, 2, 2, 2]
    assert [t.item for t in made.lists[0].trials] != [t.item for t in made.lists[1].trials]
    assert latin_square(items, fillers=fillers) == made
    assert latin_square(items, fillers=fillers, seed=2) != made


def test_lists_for_pcibex_and_jspsych() -> None:
    filler = ForeignItem("f", (ForeignSentence("", "=Filler, yes."),))
    made = latin_square(_set(_item("1", *CONDITIONS, depth=2, group="x")), fillers=[filler])
    stream = io.StringIO(newline="")
    assert write_pcibex(stream, made) == 6
    rows = list(csv.DictReader(io.StringIO(stream.getvalue(), newline="")))
    assert list(rows[0]) == ["group", "item", "condition", "sentence", "type", "depth", "attribute_group"]
    # An item's own group stays beside the list's.
    assert {r["attribute_group"] for r in rows if r["item"] == "1"} == {"x"}
    assert {(r["group"], r["item"], r["condition"], r["sentence"], r["type"], r["depth"]) for r in rows if r["group"] == "B"} == {
        ("B", "1", "b", "1 in b.", "item", "2"),
        ("B", "f", "filler", "=Filler, yes.", "filler", ""),
    }
    text = io.StringIO()
    assert write_jspsych(text, made.lists[2]) == 2
    trial = next(entry for entry in json.loads(text.getvalue()) if entry["item"] == "1")
    assert trial == {
        "group": "C",
        "item": "1",
        "condition": "c",
        "sentence": "1 in c.",
        "type": "item",
        "depth": 2,
        "attribute_group": "x",
    }


def _card(folder: Path) -> tuple[dict[str, Any], str]:
    _, head, body = (folder / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    return yaml.safe_load(head), body


def test_a_folder_for_the_hub_has_a_row_per_sentence_and_a_card(tmp_path: Path) -> None:
    regions = (GivenRegion("np", 0, 1), GivenRegion("gap", 1, 1))
    item = ForeignItem(
        "1",
        (
            ForeignSentence("a", "1 | x.", regions, attributes={"rt": 3}),
            ForeignSentence("b", "Yes.", attributes={"rt": "-"}),
        ),
        {"condition": "mine", "deep": {"x": [1]}},
    )
    items = _set(item, expected={"a": "ok"}, predictions=("(1;%a%) > 0",), metric="mean")
    facts = CardFacts('A "set": of ours', "About it.", license="cc-by-4.0", citation="@misc{x}", made="By hand.")
    assert write_dataset_folder(tmp_path / "out", items, facts) == 2
    rows = [json.loads(line) for line in (tmp_path / "out" / "data.jsonl").read_text().splitlines()]
    assert rows[0] == {
        "item": "1",
        "condition": "a",
        "expected": "ok",
        "sentence": "1 | x.",
        "regions": [{"name": "np", "start": 0, "end": 1}, {"name": "gap", "start": 1, "end": 1}],
        "attribute_condition": "mine",
        "deep": '{"x": [1]}',
        "rt": "3",
    }
    assert (rows[1]["regions"], rows[1]["expected"], rows[1]["rt"]) == (None, None, "-")
    head, body = _card(tmp_path / "out")
    assert head["pretty_name"] == 'A "set": of ours'
    assert head["configs"][0]["data_files"] == [{"split": "test", "path": "data.jsonl"}]
    assert (head["license"], head["size_categories"]) == ("cc-by-4.0", ["n<1K"])
    for part in ("About it.", "1 items, 2 sentences", "| a | ok | 1 |", "`(1;%a%) > 0`", "By hand.", "@misc{x}"):
        assert part in body


def test_pairs_are_a_row_each_and_an_open_licence_is_said(tmp_path: Path) -> None:
    pairs = ForeignSet("blimp", (_item("1", "good", "bad", UID="x"), _item("2", "good", "bad", UID="y")), ("good", "bad"))
    assert write_dataset_folder(tmp_path / "out", pairs, CardFacts("Pairs")) == 2
    rows = [json.loads(line) for line in (tmp_path / "out" / "data.jsonl").read_text().splitlines()]
    assert rows[0] == {"item": "1", "sentence_good": "1 in good.", "sentence_bad": "1 in bad.", "UID": "x"}
    head, body = _card(tmp_path / "out")
    assert "license" not in head
    assert "Not stated yet" in body


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("x")
    with pytest.raises(ConfigError, match="there is something already"):
        write_dataset_folder(tmp_path, _set(_item("1", "a")), CardFacts("x"))
    with pytest.raises(ConfigError, match="no sentences to write"):
        write_dataset_folder(tmp_path / "new", _set(ForeignItem("1", (), {}, {"verb": "be"})), CardFacts("x"))
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
