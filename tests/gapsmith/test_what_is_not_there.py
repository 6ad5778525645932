"""A data set that is not there, and a bank that is none, are told in one way, whatever is asked of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import gapsmith as api
from gapsmith.app.requests.base import entries
from gapsmith.app.stages.catalogue import STAGES, own_name, typed
from gapsmith.templates import ConfigError
from tests.conftest import CommandOutcome

Run = Callable[..., CommandOutcome]

LEAST: dict[str, tuple[tuple[str, ...], dict[str, object]]] = {
    "decide": (("approve", "1"), {"verdict": "approve", "items": "1"}),
    "judge new": (("s.toml", "--to", "ann"), {"file": "s.toml", "to": "ann"}),
    "judge results": (("s.toml",), {"file": "s.toml"}),
    "packet make": (("p.xlsx", "--for", "ann"), {"file": "p.xlsx", "annotator": "ann"}),
    "annotations": (("decisions",), {"what": "decisions"}),
    "assign": (("--to", "ann"), {"to": "ann", "overlap": 0.0}),
    "import-scores": (("scores.csv", "--model", "m"), {"file": "scores.csv", "model": "m"}),
    "import": (("items.csv",), {"file": "items.csv"}),
    "packet take": (("p.xlsx",), {"file": "p.xlsx"}),
    "context draw": (
        ("near", "--type", "unrelated", "--lengths", "20"),
        {"name": "near", "type": "unrelated", "lengths": 20},
    ),
    "generate": (("lan_pg", "-n", "2"), {"paradigm": "lan_pg"}),
    "runs watch": (("1",), {"run": 1}),
    "dataset load": (("gaps40",), {"name": "gaps40"}),
    "dataset recognise": (("down",), {"folder": "down"}),
    "paradigm new": (("mine",), {"name": "mine"}),
    "dataset rename": (("nonesuch", "other"), {"name": "nonesuch", "new": "other"}),
    "dataset remove": (("nonesuch",), {"name": "nonesuch"}),
    "bank merge": (("other.sqlite",), {"sources": "other.sqlite"}),
    "bank log": (("log.jsonl",), {"file": "log.jsonl"}),
    "context add": (("rain", "lines.txt"), {"name": "rain", "file": "lines.txt"}),
    "context show": (("rain",), {"name": "rain"}),
    "paradigm diff": (("lan_pg",), {"name": "lan_pg"}),
    "paradigm update": (("lan_pg",), {"name": "lan_pg"}),
    "runs show": (("1",), {"run": 1}),
    "runs item": (("1",), {"label": "1"}),
    "plan freeze": (("lan_pg",), {"paradigm": "lan_pg"}),
}
"""What a stage needs said, typed and as keywords."""
MADE_BY = {"import": "makes the data set", "generate": "makes the data set", "plan freeze": "may come before it"}
"""Stages whose data set need not be there."""
NO_BANK = {
    "train lm": "reads corpora before a bank",
    "train grid": "reads a grid and corpora before a bank",
    "reproduce": "has a workspace of its own",
    "bank restore": "puts a copy in the place of whatever is there",
    "doctor": "says it among all else; tests/scoring/test_doctor.py",
} | dict.fromkeys(
    ("paradigm list", "paradigm show", "paradigm check", "prompt list", "prompt show", "prompt copy"), "opens no bank"
)
"""Stages that this says nothing of."""
NAMED_SO = {"dataset rename", "dataset remove"}
"""Stages that take a data set by its place."""


def _choosing() -> list[str]:
    return [name for name, stage in STAGES.items() if "dataset" in {e.name for e in entries(stage.request_type())}]


@pytest.mark.parametrize("name", sorted({*_choosing(), *NAMED_SO} - set(MADE_BY)))
def test_a_data_set_that_is_not_there_is_told_in_one_way(name: str, gapsmith: Run, tmp_path: Path) -> None:
    assert gapsmith("generate", "lan_pg", "-n", "2", "--seed", "1").code == 0
    (tmp_path / "scores.csv").write_text("item,token,surprisal\n", encoding="utf-8")
    words, said = LEAST.get(name, ((), {}))
    told = "there is no data set 'nonesuch'", "Data sets here: generated."
    stage = STAGES[name]
    if stage.command:
        done = gapsmith(*typed(name).split(), *words, *([] if name in NAMED_SO else ["-d", "nonesuch"]))
        assert (done.code, done.err.strip()) == (2, f"error: {told[0]}\n{told[1]}"), name
    function = getattr(api, stage.python or own_name(name))
    with api.open_workspace(tmp_path) as study, pytest.raises(ConfigError) as refused:
        function(study, **said, **({} if name in NAMED_SO else {"dataset": "nonesuch"}))
    assert (refused.value.message, refused.value.hint) == told


def test_a_data_set_of_another_paradigm_is_none_of_this_one(gapsmith: Run) -> None:
    assert gapsmith("generate", "lan_pg", "-n", "2", "-d", "mine").code == 0
    assert gapsmith("generate", "lan_atb", "-n", "2", "-d", "yours").code == 0
    done = gapsmith("decide", "approve", "1", "-p", "lan_pg", "-d", "yours")
    assert done.err.strip() == "error: there is no data set 'yours' of lan_pg\nData sets of lan_pg: mine."


@pytest.mark.parametrize(
    "name", sorted(name for name, stage in STAGES.items() if stage.source and stage.command and name not in NO_BANK)
)
def test_a_bank_that_is_none_is_told_in_one_way(name: str, gapsmith: Run, tmp_path: Path) -> None:
    assert gapsmith("init").code == 0
    (tmp_path / "items.csv").write_text("item,condition,sentence\n1,a,He left.\n1,b,He leave.\n", encoding="utf-8")
    bank = tmp_path / "bank.sqlite"
    bank.write_bytes(b"no bank at all " * 400)
    told = gapsmith("show")
    assert (told.code, str(bank) in told.err) == (2, True)
    done = gapsmith(*typed(name).split(), *LEAST.get(name, ((), {}))[0])
    # An import has said by then what the file is.
    assert (done.code, done.err[done.err.index("error: ") :]) == (told.code, told.err)
    assert bank.read_bytes() == b"no bank at all " * 400
