"""What is set holds at every door that it is meant for: each field of the settings, at each command and each function.

Every door is gone through with everything set, up to the place where what was set has to have arrived: the order that is about
to be carried out, the engine that is about to be opened. A new field, command or function has to be entered here."""

from __future__ import annotations

import ast
import json
import os
import shutil
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import pytest

import gapsmith as api
from gapsmith.app.generated import UnfinishedRunError
from gapsmith.app.settings import Settings, load_settings
from gapsmith.bank import Bank, ItemFilter
from gapsmith.prompts.fake import Behaviour, FakeServer
from gapsmith.templates import Paradigm, load_paradigm
from gapsmith.templates.errors import ConfigError, GapsmithError
from tests.conftest import CommandOutcome
from tests.gapsmith.walking import commands, functions
from tests.prompts.generating import KEY
from tests.rooms import ROOMS, trees_of, walked
from tests.scoring.conftest import save_tiny_gpt2

Run = Callable[..., CommandOutcome]
Seen = Mapping[str, Callable[[tuple[Any, ...], dict[str, Any]], object]]

HOST = "127.0.0.1:9"
"""Nothing answers there, and nothing is sent to it here."""

SET: Mapping[str, tuple[str, object]] = {
    "model": ('"bundled"', "bundled"),
    "device": ('"cpu"', "cpu"),
    "dtype": ('"bfloat16"', "bfloat16"),
    "kernel": ('"packed"', "packed"),
    "batch_size": ("7", 7),
    "annotator": ('"ann"', "ann"),
    "provider": ('"openai"', "openai"),
    "provider_model": ('"m"', "m"),
    "base_url": (f'"http://{HOST}/v1"', f"http://{HOST}/v1"),
    "send_key_to": (f'["{HOST}"]', True),
    "temperature": ("0.7", 0.7),
    "top_p": ("0.9", 0.9),
    "tier": ('"flex"', "flex"),
    "api": ('"responses"', "responses"),
    "extra_body": ("'{\"min_p\": 0.05}'", '{"min_p": 0.05}'),
    "free_hosts": (f'["{HOST}"]', True),
    "thinking": ('"low"', "low"),
    "max_output_tokens": ("777", 777),
    "timeout": ("33.0", 33.0),
    "n_per_call": ("3", 3),
    "concurrency": ("2", 2),
    "rpm": ("50", 50),
    "tpm": ("5000", 5000),
    "max_cost": ("0.5", 0.5),
    "parser": ('"spacy:en"', "spacy:en"),
    "fail_on": ('"never"', "never"),
    "rules": ('{ L310 = "off" }', (("L310", "off"),)),
}
"""What each field is set to, and what has to arrive."""

EVERYWHERE = {"limits"}
"""What holds for whatever any door reads: tests/gapsmith/test_boundary.py."""
USER_ONLY = {"send_key_to", "free_hosts"}


class ReachedError(GapsmithError):
    """The door leads where it should."""


@dataclass(frozen=True)
class Door:
    """A way in: a command or a function, where it is stopped, and how each setting is seen there."""

    name: str
    go: Callable[[Run, api.Workspace], object]
    stop: str
    seen: Seen


def _order(name: str, position: int = 0) -> Callable[[tuple[Any, ...], dict[str, Any]], object]:
    return lambda args, _: getattr(args[position], name)


def _named(name: str) -> Callable[[tuple[Any, ...], dict[str, Any]], object]:
    return lambda _, given: given[name]


ASKING = {
    name: name
    for name in (
        "base_url",
        "temperature",
        "top_p",
        "tier",
        "api",
        "extra_body",
        "thinking",
        "max_output_tokens",
        "concurrency",
        "rpm",
        "tpm",
    )
} | {"send_key_to": "send_key", "timeout": "timeout_s", "max_cost": "max_cost_usd", "free_hosts": "free"}
GENERATION = {
    field: _order(own)
    for field, own in (ASKING | {"provider": "provider", "provider_model": "model", "n_per_call": "n_per_call"}).items()
}
JUDGING = {field: _order(own, 4) for field, own in ASKING.items()}
WATCHING = {"timeout": _named("timeout_s"), "send_key_to": _named("send_key"), "base_url": _named("send_key")}
RULES = {"rules": lambda _, given: given["rules"].settings}
ENGINE = {"model": "name", "dtype": "dtype", "device": "device", "batch_size": "batch_size", "kernel": "kernel"}
SCORING = {field: _named(own) for field, own in ENGINE.items()}
RUNNING = {field: own for field, own in SCORING.items() if field != "model"}
PREFERRED = {"model": _named("preferred")}
BY = {"annotator": _named("author")}
READER = {"annotator": _order("reader")}


def typed(*words: object) -> Callable[[Run, api.Workspace], object]:
    return lambda run, _: run(*words)


DOORS = [
    Door("generate", typed("generate", "lan_pg", "-n", 4), "gapsmith.app.stages.generating.prepare", GENERATION),
    Door("gapsmith.generate", lambda _, ws: api.generate(ws, "lan_pg", 4), "gapsmith.app.stages.generating.prepare", GENERATION),
    Door("generate", typed("generate", "lan_pg", "-n", 4), "gapsmith.app.advising.Adviser", RULES),
    Door("gapsmith.generate", lambda _, ws: api.generate(ws, "lan_pg", 4), "gapsmith.app.advising.Adviser", RULES),
    Door("prompt show", typed("prompt", "show", "slots", "-p", "lan_pg"), "gapsmith.app.advising.Adviser", RULES),
    Door("runs watch", typed("runs", "watch", 2), "gapsmith.app.stages.watching.prepare_watch", WATCHING),
    Door("gapsmith.runs_watch", lambda _, ws: api.runs_watch(ws, 2), "gapsmith.app.stages.watching.prepare_watch", WATCHING),
    Door("lint", typed("lint", "--judge", "openai:m"), "gapsmith.app.stages.judging.ask_judge", JUDGING),
    Door("gapsmith.lint", lambda _, ws: api.lint(ws, judge="openai:m"), "gapsmith.app.stages.judging.ask_judge", JUDGING),
    Door("lint", typed("lint"), "gapsmith.app.stages.linting.lint_bank", RULES),
    Door("gapsmith.lint", lambda _, ws: api.lint(ws), "gapsmith.app.stages.linting.lint_bank", RULES),
    Door("score", typed("score", "--all"), "gapsmith.app.stages.scoring.open_engine", SCORING),
    Door("gapsmith.score", lambda _, ws: api.score(ws, everything=True), "gapsmith.app.stages.scoring.open_engine", SCORING),
    Door(
        "context draw",
        typed("context", "draw", "c", "--type", "unrelated", "--lengths", 5, "--all"),
        "gapsmith.scoring.lm.open_engine",
        SCORING,
    ),
    Door("context add", typed("context", "add", "c", "lines.txt", "--all"), "gapsmith.scoring.lm.open_engine", SCORING),
    Door(
        "gapsmith.draw_contexts",
        lambda _, ws: api.draw_contexts(ws, "c", type="unrelated", lengths=5, everything=True),
        "gapsmith.scoring.lm.open_engine",
        SCORING,
    ),
    Door("context study", typed("study", "context", "--all"), "gapsmith.scoring.lm.open_engine", SCORING),
    Door(
        "gapsmith.study_contexts",
        lambda _, ws: api.study_contexts(ws, everything=True),
        "gapsmith.scoring.lm.open_engine",
        SCORING,
    ),
    Door(
        "gapsmith.explain_number",
        lambda _, __: api.explain_number("It is.", "minicons"),
        "gapsmith.scoring.lm.open_engine",
        RUNNING,
    ),
    Door(
        "gapsmith.licensing",
        lambda _, ws: api.licensing(ws, "lan_pg"),
        "gapsmith.scoring.analysis.licensing_effects.licensed_sentences",
        {"model": _named("model")},
    ),
    Door("audit", typed("audit", "pairs.csv", "--model", "bundled"), "gapsmith.scoring.lm.open_engine", RUNNING),
    Door("gapsmith.audit", lambda *_: api.audit("pairs.csv", model="bundled"), "gapsmith.scoring.lm.open_engine", RUNNING),
    Door("explain-number", typed("explain-number", "It is.", "--like", "minicons"), "gapsmith.scoring.lm.open_engine", RUNNING),
    Door(
        "train lm",
        typed("train", "lm", "lines.txt", "--config", "mini", "--out", "model"),
        "gapsmith.app.stages.training.trained",
        {"device": _named("device")},
    ),
    Door(
        "gapsmith.train_lm",
        lambda _, ws: api.train_lm(ws, "lines.txt", config="mini", out="model"),
        "gapsmith.app.stages.training.trained",
        {"device": _named("device")},
    ),
    Door(
        "train grid",
        typed("train", "grid", "grid.toml", "--out", "models"),
        "gapsmith.app.stages.learner_grid.calibrate",
        {"device": _named("device")},
    ),
    Door(
        "gapsmith.train_grid",
        lambda _, ws: api.train_grid(ws, "grid.toml", out="models"),
        "gapsmith.app.stages.learner_grid.calibrate",
        {"device": _named("device")},
    ),
    Door("analyze", typed("analyze"), "gapsmith.app.stages.analysing.analyze_all", PREFERRED),
    Door("gapsmith.analyze", lambda _, ws: api.analyze(ws, "lan_pg"), "gapsmith.app.stages.analysing.analyze_all", PREFERRED),
    Door("power", typed("power"), "gapsmith.app.stages.power.analyze_all", PREFERRED),
    Door("gapsmith.power", lambda _, ws: api.power(ws), "gapsmith.app.stages.power.analyze_all", PREFERRED),
    Door("report", typed("report"), "gapsmith.app.stages.analysing.analyze_all", PREFERRED),
    Door("gapsmith.report", lambda _, ws: api.report(ws), "gapsmith.app.stages.analysing.analyze_all", PREFERRED),
    Door(
        "licensing",
        typed("study", "licensing", "-p", "lan_pg"),
        "gapsmith.scoring.analysis.licensing_effects.licensed_sentences",
        {"model": _named("model")},
    ),
    Door("decide", typed("decide", "approve", "1"), "gapsmith.app.stages.deciding_items.decide_selected", BY),
    Door(
        "gapsmith.decide",
        lambda _, ws: api.decide(ws, "approve", ["1"]),
        "gapsmith.app.stages.deciding_items.decide_selected",
        BY,
    ),
    Door("review", typed("review"), "gapsmith.vetting.review.Session", {"annotator": lambda args, _: args[1]}),
    Door("review", typed("review"), "gapsmith.vetting.parser_for_review", {"parser": lambda args, _: args[0]}),
    Door("lab", typed("lab"), "gapsmith.app.stages.lab_view.lab_page", READER),
    Door("gapsmith.lab", lambda _, ws: api.lab(ws), "gapsmith.app.stages.lab_view.lab_page", READER),
    Door(
        "judge new",
        typed("judge", "new", "s.toml", "--to", "ben"),
        "gapsmith.app.stages.acceptability.sheet",
        {"annotator": lambda args, _: args[1].reader},
    ),
    Door(
        "gapsmith.new_judging",
        lambda _, ws: api.new_judging(ws, "s.toml", "ben"),
        "gapsmith.app.stages.acceptability.sheet",
        {"annotator": lambda args, _: args[1].reader},
    ),
    Door(
        "judge results",
        lambda run, _: [run("judge", "new", "s.toml", "--to", "ben"), run("judge", "results", "s.toml")][1],
        "gapsmith.app.stages.acceptability._expect_seen",
        READER,
    ),
    Door(
        "gapsmith.judging_results",
        lambda _, ws: [api.new_judging(ws, "s.toml", "ben"), api.judging_results(ws, "s.toml")][1],
        "gapsmith.app.stages.acceptability._expect_seen",
        READER,
    ),
    Door("agreement", typed("agreement"), "gapsmith.app.stages.agreeing.look_at_others", READER),
    Door("gapsmith.agreement", lambda _, ws: api.agreement(ws), "gapsmith.app.stages.agreeing.look_at_others", READER),
    Door("annotations", typed("annotations", "decisions"), "gapsmith.app.stages.agreeing.look_at_others", READER),
    Door(
        "gapsmith.annotation_table",
        lambda _, ws: api.annotation_table(ws, "decisions"),
        "gapsmith.app.stages.agreeing.look_at_others",
        READER,
    ),
    Door(
        "assign",
        typed("assign", "--to", "ben", "--to", "cleo"),
        "gapsmith.bank.assignments.AssignmentTable.assign",
        {"annotator": _named("by")},
    ),
    Door("plan freeze", typed("plan", "freeze", "lan_pg"), "gapsmith.bank.plans.PlanTable.freeze", {"annotator": _named("by")}),
    Door(
        "gapsmith.freeze_plan",
        lambda _, ws: api.freeze_plan(ws, "lan_pg"),
        "gapsmith.bank.plans.PlanTable.freeze",
        {"annotator": _named("by")},
    ),
    Door("bank lead", typed("bank", "lead", "ben"), "gapsmith.bank.seeing.Gate.hand_on", READER),
    Door(
        "gapsmith.assign",
        lambda _, ws: api.assign(ws, ["ben", "cleo"]),
        "gapsmith.bank.assignments.AssignmentTable.assign",
        {"annotator": _named("by")},
    ),
    Door("dataset rename", typed("dataset", "rename", "generated", "b"), "gapsmith.bank.datasets.DatasetTable.rename", BY),
    Door(
        "gapsmith.rename_dataset",
        lambda _, ws: api.rename_dataset(ws, "generated", "b"),
        "gapsmith.bank.datasets.DatasetTable.rename",
        BY,
    ),
    Door(
        "gapsmith.remove_dataset",
        lambda _, ws: api.remove_dataset(ws, "generated"),
        "gapsmith.bank.datasets.DatasetTable.remove",
        BY,
    ),
    Door(
        "gapsmith.undo_dataset",
        lambda _, ws: api.undo_dataset(ws),
        "gapsmith.bank.review.ReviewTable.next_action",
        {"annotator": lambda args, _: args[1]},
    ),
    Door("dataset remove", typed("dataset", "remove", "generated"), "gapsmith.bank.datasets.DatasetTable.remove", BY),
    Door(
        "dataset undo",
        typed("dataset", "undo"),
        "gapsmith.bank.review.ReviewTable.next_action",
        {"annotator": lambda args, _: args[1]},
    ),
    Door("paradigm update", typed("paradigm", "update", "lan_pg"), "gapsmith.app.stages.designs.update_items", BY),
    Door(
        "gapsmith.update_paradigm",
        lambda _, ws: api.update_paradigm(ws, "lan_pg"),
        "gapsmith.app.stages.designs.update_items",
        BY,
    ),
    Door("gapsmith.lead_bank", lambda _, ws: api.lead_bank(ws, "ben"), "gapsmith.bank.seeing.Gate.hand_on", READER),
    Door(
        "gapsmith.add_contexts",
        lambda _, ws: api.add_contexts(ws, "c", "lines.txt", everything=True),
        "gapsmith.scoring.lm.open_engine",
        SCORING,
    ),
    Door(
        "gapsmith.show_prompt",
        lambda _, ws: api.show_prompt(ws, "slots", paradigm="lan_pg"),
        "gapsmith.app.advising.Adviser",
        RULES,
    ),
]

BEHAVED = {
    "lint": {"fail_on"},
    "decide": {"rules"},
    "gapsmith.decide": {"rules"},
    "review": {"rules"},
    "next": {"model", "annotator"},
    "gapsmith.next_step": {"model", "annotator"},
}
"""What has a test of its own below, or in test_next.py."""

WITHOUT = {
    # Commands that carry out others, by their own doors.
    "demo",
    "publish",
    "gapsmith.publish",
    "reproduce",
    "studies",
    # Nothing that can be set is asked here: files, lists, counts, every model there is, a server of our own.
    "init",
    "paradigm list",
    "paradigm show",
    "paradigm check",
    "paradigm diff",
    "paradigm draft",
    "paradigm new",
    "prompt list",
    "prompt copy",
    "plan list",
    "import",
    "dataset list",
    "dataset load",
    "dataset recognise",
    "bank check",
    "bank backup",
    "bank restore",
    "bank log",
    "bank merge",
    "show",
    "rule",
    "packet make",
    "packet take",
    "context list",
    "context show",
    "import-scores",
    "count-constructions",
    "posh",
    "export",
    "runs list",
    "runs compare",
    "runs show",
    "runs item",
    "model convert",
    "train corpus",
    "train audit",
    "train counts",
    "train parser",
    "gapsmith.convert_model",
    "gapsmith.draft_paradigm",
    "gapsmith.new_paradigm",
    "gapsmith.recognise_datasets",
    "gapsmith.train_audit",
    "gapsmith.train_corpus",
    "gapsmith.train_counts",
    "gapsmith.train_parser",
    "doctor",
    "serve-fake",
    *(
        f"gapsmith.{name}"
        for name in (
            "back_up_bank",
            "check_bank",
            "check_paradigm",
            "compare_runs",
            "copy_prompt",
            "diff_paradigm",
            "list_plans",
            "doctor",
            "explain_rules",
            "list_contexts",
            "list_datasets",
            "list_paradigms",
            "list_prompts",
            "list_runs",
            "list_studies",
            "log_bank",
            "make_workspace",
            "restore_bank",
            "show_contexts",
            "show_items",
            "show_paradigm",
            "show_run",
            "trace_item",
        )
    ),
    "gapsmith.AnalysisOptions",
    "gapsmith.Bank",
    "gapsmith.count_constructions",
    "gapsmith.GapsmithError",
    "gapsmith.ItemFilter",
    "gapsmith.Paradigm",
    "gapsmith.Request",
    "gapsmith.Workspace",
    "gapsmith.expand",
    "gapsmith.export",
    "gapsmith.frame",
    "gapsmith.posh",
    "gapsmith.reproduce",
    "gapsmith.import_file",
    "gapsmith.import_scores",
    "gapsmith.load_dataset",
    "gapsmith.make_packet",
    "gapsmith.merge_banks",
    "gapsmith.take_packet",
    "gapsmith.load_paradigm",
    "gapsmith.open_engine",
    "gapsmith.open_workspace",
    "gapsmith.read_back",
    "gapsmith.realise",
    "gapsmith.sample",
}

TWINS = {
    name: f"gapsmith.{name}"
    for name in ("generate", "score", "lint", "audit", "decide", "analyze", "report", "agreement", "assign")
} | {"runs watch": "gapsmith.runs_watch", "annotations": "gapsmith.annotation_table"}
ONLY_COMMANDS = {"fail_on"}
"""An exit code."""


def honoured(door: str) -> set[str]:
    seen = {field for one in DOORS if one.name == door for field in one.seen}
    return seen | BEHAVED.get(door, set())


@pytest.fixture(autouse=True)
def _no_setting_of_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel of all other tests is a variable, which would win over files."""
    monkeypatch.delenv("GAPSMITH_KERNEL")


def test_every_field_every_command_and_every_function_is_entered_here() -> None:
    own = {entry.name for entry in fields(Settings) if not entry.metadata.get("derived")}
    assert own - EVERYWHERE == set(SET)
    doors = {door.name for door in DOORS} | set(BEHAVED)
    assert doors.isdisjoint(WITHOUT)
    assert {*commands(), *functions()} == doors | WITHOUT
    assert {field for door in doors for field in honoured(door)} == own - EVERYWHERE


@pytest.mark.parametrize("name", TWINS)
def test_a_function_honours_what_the_command_of_its_name_does(name: str) -> None:
    only = ONLY_COMMANDS if name == "lint" else set()
    assert honoured(name) - only == honoured(TWINS[name])


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the bank stands with which each test begins, as soon as the first of them has made it."""
    return tmp_path_factory.mktemp("everywhere") / "bank.sqlite"


@pytest.fixture
def workspace(gapsmith: Run, lan_pg: Paradigm, monkeypatch: pytest.MonkeyPatch, kept: Path) -> Iterator[api.Workspace]:
    """Items, a run with a batch, and everything set: in the workspace's file, and what is for the user in the user's."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    if not kept.exists():
        _fill(gapsmith, lan_pg)
        shutil.copyfile("bank.sqlite", kept)
    else:
        assert gapsmith("init").code == 0
        shutil.copyfile(kept, "bank.sqlite")
    Path("lines.txt").write_text("It rains today.\nIt is cold here.\n" * 20, encoding="utf-8")
    Path("grid.toml").write_text('[grid]\nconfig = "mini"\ncorpus = "lines.txt"\n[cell.plain]\n', encoding="utf-8")
    Path("pairs.csv").write_text("good,bad\nThe man sleeps.,The man sleep.\n", encoding="utf-8")
    own = Path(os.environ["GAPSMITH_CONFIG"])
    own.write_text("".join(f"{name} = {text}\n" for name, (text, _) in SET.items() if name != "base_url"), encoding="utf-8")
    written = "".join(f"{name} = {text}\n" for name, (text, _) in SET.items() if name not in USER_ONLY)
    Path("gapsmith.toml").write_text(written, encoding="utf-8")
    assert tomllib.loads(written)["max_cost"] == 0.5
    monkeypatch.setattr("gapsmith.app.cli.review._need_terminal", lambda: None)
    with api.open_workspace(".") as opened:
        yield opened


def _fill(gapsmith: Run, lan_pg: Paradigm) -> None:
    """Items here, and a run with a batch."""
    gapsmith("generate", "lan_pg", "-n", 4, "-w", ".")
    with FakeServer(lan_pg) as fake:
        asked = ["--provider", "openai", "--model", "m", "--base-url", fake.openai_url, "--batch", "-n", 2]
        assert gapsmith("generate", "lan_pg", *asked).code == 0
    with Bank.open(Path("bank.sqlite")) as bank, bank.transaction():
        bank.db.execute("UPDATE run SET parameters = json_set(parameters, '$.base_url', ?) WHERE id = 2", (f"http://{HOST}/v1",))


@pytest.fixture
def lan_pg() -> Paradigm:
    """An exhaustive paradigm, whose items are quick to draw."""
    return load_paradigm("lan_pg")


@pytest.mark.parametrize("door", DOORS, ids=[f"{door.name} to {door.stop.rpartition('.')[2]}" for door in DOORS])
def test_what_is_set_arrives(door: Door, gapsmith: Run, workspace: api.Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    arrived: list[tuple[tuple[Any, ...], dict[str, Any]]] = []

    def reached(*args: Any, **given: Any) -> object:
        arrived.append((args, given))
        raise ReachedError("here")

    monkeypatch.setattr(door.stop, reached)
    if door.name.startswith("gapsmith."):
        with pytest.raises(ReachedError):
            door.go(gapsmith, workspace)
    else:
        done = door.go(gapsmith, workspace)
        assert isinstance(done, CommandOutcome)
        assert arrived, done.err
    args, given = arrived[0]
    expected = {field: SET[field][1] for field in door.seen}
    if door.name in ("runs watch", "gapsmith.runs_watch"):
        # The address that the bank names gets the key where the user's own settings agree to it.
        expected["base_url"] = True
    assert {field: see(args, given) for field, see in door.seen.items()} == expected


def test_an_address_of_a_workspace_gets_no_key_unless_the_user_says_so_at_any_door(
    gapsmith: Run, workspace: api.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = Path(os.environ["GAPSMITH_CONFIG"])
    own.write_text("", encoding="utf-8")
    without = [door for door in DOORS if "send_key_to" in door.seen]
    asking = {"generate", "lint", "runs watch"}
    assert {door.name for door in without} == {*asking, *(TWINS[name] for name in asking)}
    with api.open_workspace(workspace.root) as ws:
        for door in without:
            sent: list[object] = []

            def reached(*args: Any, _door: Door = door, _sent: list[object] = sent, **given: Any) -> object:
                _sent.append(_door.seen["send_key_to"](args, given))
                raise ReachedError("here")

            with monkeypatch.context() as patched:
                patched.setattr(door.stop, reached)
                try:
                    door.go(gapsmith, ws)
                except ReachedError:
                    assert door.name.startswith("gapsmith.")
            assert sent == [False], door.name


def test_no_limit_is_walked_round_from_python(gapsmith: Run, lan_pg: Paradigm, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same settings, from the terminal and from Python: the same refusal, and not one request."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    gapsmith("init")
    with FakeServer(lan_pg) as fake:
        priced = (
            '[[price]]\nprovider = "openai"\nmodel = "m"\ninput = 100.0\noutput = 100.0\nas_of = 2026-01-01\n'
            f'base_url = "{fake.openai_url}"\n'
        )
        Path("prices.toml").write_text(priced, encoding="utf-8")
        Path(os.environ["GAPSMITH_CONFIG"]).write_text(f'base_url = "{fake.openai_url}"\n', encoding="utf-8")
        Path("gapsmith.toml").write_text(
            'max_cost = 0.0001\nmax_output_tokens = 500\nprovider = "openai"\nprovider_model = "m"\n', encoding="utf-8"
        )
        assert "--max-cost" in gapsmith("generate", "lan_pg", "-n", 4).err
        with api.open_workspace(".") as ws:
            with pytest.raises(UnfinishedRunError, match="--max-cost") as stopped:
                api.generate(ws, "lan_pg", 4)
            assert stopped.value.generated.ending.value == "budget"
            with pytest.raises(UnfinishedRunError, match="--max-cost"):
                api.generate(ws, "lan_pg", 5, max_cost=0.0001)
            with pytest.raises(ConfigError, match="max_cost: nan"):
                api.generate(ws, "lan_pg", 6, max_cost=float("nan"))
        assert not fake.requests
        Path("gapsmith.toml").write_text("max_cost = nan\n", encoding="utf-8")
        with pytest.raises(ConfigError, match="max_cost: nan is not a number above 0"):
            api.open_workspace(".")
        Path("gapsmith.toml").write_text("", encoding="utf-8")
        with api.open_workspace(".") as ws:
            assert (
                api.generate(ws, "lan_pg", 4, provider="openai", model="m", max_cost=9.0, max_output_tokens=500).tally.kept == 4
            )
        assert [KEY in str(seen.headers) for seen in fake.requests] == [True]


def test_the_same_order_from_both_doors_is_one_run(gapsmith: Run, lan_pg: Paradigm, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    gapsmith("init")
    with FakeServer(lan_pg) as fake:
        asked = ["--provider", "openai", "--model", "m", "--base-url", fake.openai_url, "--temperature", 0.5]
        assert gapsmith("generate", "lan_pg", "-n", 3, *asked).code == 0
        n = len(fake.requests)
        with api.open_workspace(".") as ws:
            again = api.generate(ws, "lan_pg", 3, provider="openai", model="m", base_url=fake.openai_url, temperature=0.5)
        assert again.ending.value == "already there"
        assert len(fake.requests) == n


def test_keys_tiers_and_redirects_are_from_python_as_from_the_command(
    gapsmith: Run, lan_pg: Paradigm, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    gapsmith("init")
    with FakeServer(lan_pg) as fake:
        host = fake.url.removeprefix("http://")
        Path("gapsmith.toml").write_text(
            f'provider = "openai"\nprovider_model = "m"\nbase_url = "{fake.openai_url}"\ntier = "flex"\n',
            encoding="utf-8",
        )
        with api.open_workspace(".") as ws:
            with pytest.warns(UserWarning, match=f"requests go to {host}, without the key in OPENAI_API_KEY"):
                api.generate(ws, "lan_pg", 2)
            api.generate(ws, "lan_pg", 3, send_key_to=host)
            api.generate(ws, "lan_pg", 4, base_url=fake.openai_url)
            with pytest.raises(ConfigError, match="not where requests go"):
                api.generate(ws, "lan_pg", 5, send_key_to="evil.example")
        assert [KEY in str(seen.headers) for seen in fake.requests] == [False, True, True]
        assert {seen.body["service_tier"] for seen in fake.requests} == {"flex"}
    with FakeServer(lan_pg, script=lambda _: Behaviour.REDIRECT) as fake:
        Path("gapsmith.toml").write_text("", encoding="utf-8")
        with api.open_workspace(".") as ws, pytest.raises(UnfinishedRunError, match="redirect"):
            api.generate(ws, "lan_pg", 6, provider="openai", model="m", base_url=fake.openai_url)
        n = len(fake.requests)
        typed = gapsmith("generate", "lan_pg", "-n", 7, "--provider", "openai", "--model", "m", "--base-url", fake.openai_url)
        assert typed.code == 3
        assert len(fake.requests) == 2 * n


def test_scores_from_both_doors_are_of_one_scorer(gapsmith: Run, tmp_path: Path) -> None:
    gapsmith("generate", "lan_pg", "-n", 1)
    # A processor without bfloat16 takes a minute for the bundled model in it.
    model = save_tiny_gpt2(tmp_path / "tiny", n_positions=128)
    Path("gapsmith.toml").write_text(f'model = {json.dumps(str(model))}\ndtype = "bfloat16"\ndevice = "cpu"\n', encoding="utf-8")
    assert gapsmith("score", "--all").code == 0
    with api.open_workspace(".") as ws:
        report = api.score(ws, everything=True)
        assert report.n_scored == 0
        assert [scorer.dtype for scorer in ws.bank.scores.scorers()] == ["bfloat16"]


def test_what_lint_makes_of_a_rule_holds_for_decisions_and_after_edits(gapsmith: Run) -> None:
    """A policy takes what was linted by the rules of the settings, and so does the review after an edit."""
    from gapsmith.app.chosen import rulesets
    from gapsmith.app.cli.review import _relinter

    gapsmith("generate", "lan_pg", "-n", 4)
    Path("gapsmith.toml").write_text('fail_on = "never"\n[rules]\nL = "error"\nT = "off"\n', encoding="utf-8")
    assert gapsmith("lint").code == 0
    with api.open_workspace(".") as ws:
        wanted = rulesets(ws)["lan_pg"]
        assert not ws.bank.findings.unlinted(ruleset=wanted)
        _relinter(ws)(ws.bank, ws.bank.items.ids(ItemFilter()))
        assert not ws.bank.findings.unlinted(ruleset=wanted)
        decided = api.decide(ws, policy="clean")
    with Bank.open(Path("bank.sqlite")) as bank:
        assert decided.approved + decided.left == bank.items.count(ItemFilter())
    assert gapsmith("decide", "--policy", "clean").code == 0


def test_a_finding_ends_with_the_code_that_is_set(gapsmith: Run) -> None:
    gapsmith("generate", "subject_pg", "-n", 12)
    Path("gapsmith.toml").write_text('fail_on = "info"\n', encoding="utf-8")
    strict = gapsmith("lint").code
    Path("gapsmith.toml").write_text('fail_on = "never"\n', encoding="utf-8")
    assert (strict, gapsmith("lint").code) == (1, 0)


def test_only_one_module_reads_the_fields_of_the_settings() -> None:
    """Whoever needs a setting asks `gapsmith.app.chosen`, which both doors ask."""
    names = {entry.name for entry in fields(Settings)}
    found = []
    for name, tree in trees_of(*ROOMS):
        if name in ("app/chosen.py", "app/settings.py"):
            continue
        for node in walked(tree):
            if (
                isinstance(node, ast.Attribute)
                and node.attr in {*names, "with_flags"}
                and isinstance(node.value, ast.Attribute)
                and node.value.attr == "settings"
            ):
                found.append(f"{name}, line {node.lineno}: settings.{node.attr}")
    assert not found


@pytest.mark.filterwarnings("always::gapsmith.app.settings.SettingsWarning")
def test_a_variable_that_is_no_setting_is_a_warning_and_ends_nothing(gapsmith: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAPSMITH_MAX_COSTS", "3")
    monkeypatch.setenv("GAPSMITH_OF_ANOTHER_VERSION", "x")
    done = gapsmith("generate", "lan_pg", "-n", 2)
    assert done.code == 0, done.err
    assert "warning: the environment variable GAPSMITH_MAX_COSTS is no setting of gapsmith" in done.err
    assert "Did you mean GAPSMITH_MAX_COST?" in done.err
    assert "GAPSMITH_OF_ANOTHER_VERSION" in done.err
    with pytest.warns(UserWarning, match="GAPSMITH_MAX_COSTS"):
        assert load_settings().max_cost is None
