"""Tasks for lm-evaluation-harness: which pairs, which files, what they say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from bank.formats.foreign import ForeignItem, ForeignSentence, ForeignSet
from scoring.lm_eval import PairTask, pairs_compared, tasks_of, write_lm_eval
from templates import ConfigError
from templates.formula import parse_formula


def _items() -> ForeignSet:
    def item(label: str, kind: str, *conditions: str) -> ForeignItem:
        return ForeignItem(label, tuple(ForeignSentence(c, f"{label} {c}.") for c in conditions), {"kind": kind})

    entries = (item("1", "x y", "good", "bad"), item("2", "x-y", "good", "bad", "worse"), item("3", "z", "good"))
    return ForeignSet("bank", entries, ("good", "bad", "worse"), name="my set")


def test_criteria_over_two_whole_sentences_are_pairs_the_less_surprising_one_first() -> None:
    criteria = [
        parse_formula(text)
        for text in (
            "a@* < b@sentence",
            "(*;%c%) > (*;%d%)",
            "a@sentence < b@sentence",
            "a < b",
            "a@* = b@*",
            "a@* < b@* & c@* < d@*",
            "a@* - b@*",
            "a@* < 3",
        )
    ]
    assert pairs_compared(criteria) == (("a", "b"), ("d", "c"))


def test_tasks_by_pair_and_by_attribute_have_names_of_their_own() -> None:
    assert tasks_of(_items(), [("good", "bad")]) == (
        PairTask("my_set", (("1", "1 good.", "1 bad."), ("2", "2 good.", "2 bad."))),
    )
    several = tasks_of(_items(), [("good", "bad"), ("good", "worse")])
    assert [(task.name, len(task.pairs)) for task in several] == [
        ("my_set_good_over_bad", 2),
        ("my_set_good_over_worse", 1),
    ]
    split = tasks_of(_items(), [("good", "bad")], by="kind")
    assert [(task.name, len(task.pairs)) for task in split] == [("my_set_x_y", 1), ("my_set_x_y_2", 1)]
    with pytest.raises(ConfigError, match="no item has both members"):
        tasks_of(_items(), [("good", "best")])


def test_the_folder_holds_tasks_that_name_their_data_and_a_group_over_them(tmp_path: Path) -> None:
    folder = tmp_path / "tasks"
    write_lm_eval(folder, "no", tasks_of(_items(), [("good", "bad"), ("good", "worse")]))
    group = yaml.safe_load((folder / "_no.yaml").read_text())
    assert group["group"] == "no"
    assert group["aggregate_metric_list"][0] == {"metric": "acc", "aggregation": "mean", "weight_by_size": False}
    for name in group["task"]:
        task = yaml.safe_load((folder / f"{name}.yaml").read_text())
        assert (task["task"], task["output_type"], task["doc_to_target"]) == (name, "multiple_choice", 0)
        assert (task["doc_to_text"], task["target_delimiter"]) == ("", "")
        assert task["doc_to_choice"] == "{{[sentence_good, sentence_bad]}}"
        rows = (folder / task["dataset_kwargs"]["data_files"]["test"]).read_text().splitlines()
        assert all(set(json.loads(row)) == {"item", "sentence_good", "sentence_bad"} for row in rows)
    assert "--tasks no" in (folder / "README.md").read_text()
    with pytest.raises(ConfigError, match="there is something already"):
        write_lm_eval(folder, "no", ())


def test_a_single_task_needs_no_group(tmp_path: Path) -> None:
    write_lm_eval(tmp_path / "t", "x", tasks_of(_items(), [("good", "bad")]))
    assert sorted(path.name for path in (tmp_path / "t").iterdir()) == ["README.md", "data", "my_set.yaml"]
    assert "--tasks my_set" in (tmp_path / "t" / "README.md").read_text()
