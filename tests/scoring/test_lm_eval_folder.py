"""Tasks for lm-evaluation-harness: which pairs, which files, what they say."""

from __future__ import annotations

import json
import os
import subprocess
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import yaml

from gapsmith.bank import Bank, NewItem
from gapsmith.bank.formats.foreign import ForeignItem, ForeignSentence, ForeignSet
from gapsmith.bank.outgoing import outgoing_set
from gapsmith.scoring.lm_eval import PairTask, pairs_compared, tasks_of, wh_effect_tasks, write_lm_eval
from gapsmith.templates import ConfigError, load_paradigm, realise, sample
from gapsmith.templates.formula import parse_formula
from tests.scoring.analysing import add_items


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
        assert (task["task"], task["output_type"], task["doc_to_target"]) == (name, "multiple_choice", "gold")
        assert (task["doc_to_text"], task["target_delimiter"], task["doc_to_choice"]) == ("", "", "choices")
        rows = rows_of(folder, task)
        assert all(" good." in row["choices"][row["gold"]] for row in rows)
    # Of two pairs one has the good sentence first, of one pair either.
    assert sorted(row["gold"] for row in rows_of(folder, yaml.safe_load((folder / f"{group['task'][0]}.yaml").read_text()))) == [
        0,
        1,
    ]
    assert "--tasks no" in (folder / "README.md").read_text()
    with pytest.raises(ConfigError, match="there is something already"):
        write_lm_eval(folder, "no", ())


def rows_of(folder: Path, task: dict[str, Any]) -> list[dict[str, Any]]:
    return [json.loads(row) for row in (folder / task["dataset_kwargs"]["data_files"]["test"]).read_text().splitlines()]


@pytest.fixture(scope="module")
def wh_tasks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Nine items of the eight permutations: P1, P2 and P4 have a predicted sign."""
    paradigm = load_paradigm("subject_pg")
    folder = tmp_path_factory.mktemp("wh") / "tasks"
    with Bank.open(folder.parent / "bank.sqlite", create=True) as bank:
        add_items(bank, paradigm, [NewItem(s, realise(paradigm, s)) for s in islice(sample(paradigm, seed=2), 9)])
        going = outgoing_set(bank.items.iterate(), paradigm, paradigm.designs[0], file=None, name="wh")
        write_lm_eval(folder, "wh", wh_effect_tasks(going.items, paradigm), seed=7)
    return folder


def test_wh_effects_are_one_critical_word_behind_two_beginnings(wh_tasks: Path) -> None:
    tasks = [yaml.safe_load(file.read_text()) for file in sorted(wh_tasks.glob("[!_]*.yaml"))]
    assert [task["task"].rsplit("_", 1)[1] for task in tasks] == ["P1", "P2", "P4"]
    for task in tasks:
        assert (task["doc_to_text"], task["doc_to_target"], task["doc_to_choice"]) == (
            "gold",
            "continuation",
            "choices",
        )
        # A length in characters of what stands before the word would say nothing.
        assert [metric["metric"] for metric in task["metric_list"]] == ["acc"]
        rows = rows_of(wh_tasks, task)
        assert len(rows) == 9
        assert abs(sum(row["gold"] for row in rows) - 4.5) == 0.5
        for row in rows:
            good = row["choices"][row["gold"]]
            filler = " that " if task["task"].endswith("P4") else " who "
            assert filler in good
            assert filler not in row["choices"][1 - row["gold"]]
            assert row["continuation"][0] == " "
            assert not any(choice.endswith(" ") for choice in row["choices"])


def test_lm_eval_builds_the_requests_that_are_meant(wh_tasks: Path) -> None:
    python = os.environ.get("LM_EVAL_PYTHON")
    if not python:
        pytest.skip("LM_EVAL_PYTHON names the Python of an environment with lm_eval")
    script = Path(__file__).parents[1] / "reference" / "lm_eval_requests.py"
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {"HF_HUB_OFFLINE": "1"}
    done = subprocess.run([python, str(script), str(wh_tasks)], capture_output=True, text=True, check=True, env=env)
    built = json.loads(done.stdout.splitlines()[-1])
    for name, documents in built.items():
        rows = {row["item"]: row for row in rows_of(wh_tasks, yaml.safe_load((wh_tasks / f"{name}.yaml").read_text()))}
        for document in documents:
            row = rows[document["item"]]
            assert document["requests"] == [[choice, row["continuation"]] for choice in row["choices"]]
            assert (document["right"], document["wrong"]) == (1.0, 0.0)


def test_a_single_task_needs_no_group(tmp_path: Path) -> None:
    write_lm_eval(tmp_path / "t", "x", tasks_of(_items(), [("good", "bad")]))
    assert sorted(path.name for path in (tmp_path / "t").iterdir()) == ["README.md", "data", "my_set.yaml"]
    assert "--tasks my_set" in (tmp_path / "t" / "README.md").read_text()
