"""What installed packages add: found by name, used, and harmless where they are broken."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gapsmith.app.doctor import Check, CheckState, examine
from gapsmith.bank import Severity
from gapsmith.bank.formats.catalogue import FORMATS, Format, read_foreign, recognise, written
from gapsmith.bank.formats.foreign import ForeignSet
from gapsmith.bank.formats.source import SourceFile
from gapsmith.bank.tokens import Tokens
from gapsmith.prompts import CallRequest, FailureKind, Mode, Provider, ProviderError, ProviderOptions, Reply, build_provider
from gapsmith.prompts.providers.registry import PROVIDERS
from gapsmith.scoring.lm import ENGINES, EngineKind, Request, open_engine
from gapsmith.templates import ConfigError, load_paradigm
from gapsmith.templates.measures import MEASURES, Measure, MeasuredText, measure
from gapsmith.templates.plugins import Plugin, PluginError, PluginWarning, Registry
from gapsmith.vetting.rules import Hit, ItemRule, ItemView, RulePack, RulePage
from gapsmith.vetting.rules.packs import PACKS, AllRules

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = ROOT / "tests" / "fixtures" / "example_plugin"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example package, installed into a folder of its own."""
    folder = tmp_path_factory.mktemp("plugin")
    shutil.copytree(EXAMPLE, folder / "source", ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    subprocess.run(
        [*command, "--disable-pip-version-check", "--target", str(folder / "site"), str(folder / "source")], check=True
    )
    return folder / "site"


def _run(installed: Path, code: str, *arguments: str) -> str:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(installed)])}
    done = subprocess.run([sys.executable, "-c", code, *arguments], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_installed_measure_is_used_by_its_name(installed: Path) -> None:
    code = """
import numpy as np
from gapsmith.templates.measures import MEASURES, MeasuredText, measure
text = MeasuredText("a b c", np.array([[0, 1], [1, 3], [3, 5]], dtype=np.int32), np.array([1.0, 2.0, 4.0]))
print(measure(text, (0, 5), MEASURES.find("total_of_two")).number, MEASURES.origin("total_of_two"), list(MEASURES)[-1])
"""
    assert _run(installed, code).split() == ["3.0", "gapsmith-example", "total_of_two"]


def test_an_installed_format_recognises_reads_and_writes(installed: Path, tmp_path: Path) -> None:
    path = tmp_path / "paper.txt"
    path.write_text("What did he say she saw?\n*What did he ask who saw?\n")
    code = """
import sys
from pathlib import Path
from gapsmith.bank.formats.catalogue import read_foreign, recognise, written
from gapsmith.bank.formats.source import SourceFile
path = Path(sys.argv[1])
print(recognise(SourceFile(path))[1])
found = read_foreign(SourceFile(path))
path.with_name("out.txt").write_bytes(written(found).content)
print([s.text for s in found.items[0].sentences])
print(path.read_text() == path.with_name("out.txt").read_text())
"""
    lines = _run(installed, code, str(path)).splitlines()
    assert lines[1:] == ["['What did he say she saw?', 'What did he ask who saw?']", "True"]
    assert lines[0] == "pairs with an asterisk before the bad member"


def test_an_installed_provider_answers(installed: Path) -> None:
    code = """
import asyncio
from gapsmith.prompts import CallRequest, Mode, ProviderOptions, build_provider, provider_names
from gapsmith.templates import load_paradigm
provider = build_provider("fixed", ProviderOptions(load_paradigm("embedded_wh"), model="soon"))
reply = asyncio.run(provider.call(CallRequest(0, 0, 2, Mode.SLOTS)))
print(provider_names()[-1], reply.text.count("soon"))
"""
    name, count = _run(installed, code).split()
    assert name == "fixed"
    assert int(count) >= 2


_LOOPBACK = """
import json, sys, threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import islice
from gapsmith.templates import load_paradigm, sample
seen, answers = [], []
paradigm = load_paradigm("embedded_wh")
class Server(BaseHTTPRequestHandler):
    def log_message(self, *_): pass
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        seen.append((self.path, self.headers["x-api-key"], self.headers["anthropic-version"], body))
        status, headers, answer = answers.pop(0)
        text = answer if isinstance(answer, str) else json.dumps(answer)
        self.send_response(status)
        for name, value in headers.items(): self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text.encode())
server = HTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}"
def message(text, reason="end_turn"):
    usage = {"input_tokens": 10, "cache_read_input_tokens": 5, "output_tokens": 7}
    content = [{"type": "text", "text": text}]
    return 200, {}, {"id": "msg_1", "type": "message", "model": "m-1", "content": content, "stop_reason": reason, "usage": usage}
def error(status, kind, words, **headers):
    return status, headers, {"type": "error", "error": {"type": kind, "message": words}}
"""


@pytest.mark.full
def test_the_provider_over_http_speaks_the_messages_api(installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-of-the-test")
    code = f"""{_LOOPBACK}
from gapsmith.app.cli.app import main
items = [dict(slots) for slots in islice(sample(paradigm, 1), 2)]
answers += [message(json.dumps({{"items": items}}))]
sys.argv = ["gapsmith", "generate", "embedded_wh", "-n", "2", "--provider", "anthropic", "--model", "m", "--temperature", "0.5",
            "--base-url", url, "-w", sys.argv[1]]
try: main()
except SystemExit as end: print(end.code)
((path, key, version, body),) = seen
form = "must fit this schema" in str(body["messages"])
print(path, key, version, body["model"], body["temperature"], body["max_tokens"] > 0, form)
from pathlib import Path
from gapsmith.bank import Bank
with Bank.open(Path(sys.argv[-1]) / "bank.sqlite") as bank:
    (run,) = bank.runs.all()
    (call,) = bank.runs.calls(run.id)
    print(bank.items.count(), call.usage["input_tokens"], call.usage["cached_tokens"], call.usage["output_tokens"], call.outcome)
"""
    lines = _run(installed, code, str(tmp_path / "ws")).splitlines()
    assert lines == ["0", "/v1/messages sk-ant-of-the-test 2023-06-01 m 0.5 True True", "2 15 5 7 ok"]


def test_the_provider_over_http_tells_failures_apart(installed: Path) -> None:
    code = f"""{_LOOPBACK}
import asyncio
from gapsmith.prompts import CallRequest, Mode, ProviderError, ProviderOptions, build_provider
environment = {{"ANTHROPIC_API_KEY": "sk-ant-of-the-test"}}
provider = build_provider("anthropic", ProviderOptions(paradigm, model="m", base_url=url, environment=environment))
answers += [
    error(429, "rate_limit_error", "slow down", **{{"retry-after": "7"}}),
    error(529, "overloaded_error", "Overloaded"),
    error(401, "authentication_error", "invalid x-api-key sk-ant-of-the-test"),
    error(404, "not_found_error", "model: m"),
    error(400, "invalid_request_error", "max_tokens: too large"),
    (302, {{"Location": "http://127.0.0.1:1/"}}, ""),
    (200, {{"Content-Type": "text/html"}}, "<html>"),
    message("half an it", "max_tokens"),
    message("I would rather not.", "refusal"),
    message(""),
    message("x", "pause_turn"),
]
async def all_of_them():
    while answers:
        try: await provider.call(CallRequest(0, 0, 2, Mode.SLOTS, prompt="p"))
        except ProviderError as failure:
            assert "sk-ant" not in str(failure), failure
            print(failure.kind.value, failure.retry_after_s or "", failure.reply or "")
    await provider.close()
asyncio.run(all_of_them())
"""
    assert [line.strip() for line in _run(installed, code).splitlines()] == [
        "minute_limit 7.0",
        "server_error",
        "bad_key",
        "unknown_model",
        "bad_request",
        "redirected",
        "garbled",
        "truncated  half an it",
        "safety  I would rather not.",
        "empty",
        "odd_ending  x",
    ]


def test_an_installed_rule_pack_is_asked_selected_and_explained(installed: Path) -> None:
    code = """
from gapsmith.templates import load_paradigm
from tests.vetting.linting import lint, with_words
from gapsmith.vetting.rules import RULES, RuleSelection, load_knowledge, page, ruleset_of
findings = lint(with_words(verb="viz"), "X")
print(sorted({f.code for f in findings}), findings[0].remedy, "XLAT001" in RULES, page("XLAT001").title)
print(ruleset_of(RuleSelection(("X",)), load_knowledge()).split(";")[0].rpartition("-")[0])
"""
    lines = _run(installed, code).splitlines()
    assert lines == ["['XLAT001'] Take it out. True Latin word", "XLAT001@latin-0.1.0"]


def test_an_installed_engine_scores(installed: Path) -> None:
    code = """
from gapsmith.scoring.lm import Request, open_engine
from gapsmith.scoring.observations import measured_text
from gapsmith.templates.measures import MEASURES, measure
engine = open_engine("letters", engine="letters")
((tokens,),) = engine.score([Request("I know Nora.")])
text = measured_text(tokens)
print(round(measure(text, (2, 6), MEASURES["sum"]).number, 6), round(measure(text, (0, 12), MEASURES["max"]).number, 6))
"""
    assert _run(installed, code).split() == ["4.0", "5.0"]


@pytest.mark.parametrize(
    ("code", "page", "says"),
    [
        ("T001", "T001", "T001: its codes have to be X"),
        ("XA001", "XA002", "XA001: the rule has no page"),
    ],
)
def test_a_rule_pack_that_does_not_fit_stops_the_linter_by_name(
    monkeypatch: pytest.MonkeyPatch, code: str, page: str, says: str
) -> None:
    text = RulePage(page, "t", "s", (), (), "r", "m", ())
    pack = RulePack("odd", "1", (ItemRule(code, Severity.ERROR, _nothing),), {page: text})
    monkeypatch.setattr("tests.test_plugins.ODD", pack, raising=False)
    offered = EntryPoints([EntryPoint("odd", "tests.test_plugins:ODD", "gapsmith.rules")])
    monkeypatch.setattr("gapsmith.templates.plugins.entry_points", lambda **chosen: offered.select(**chosen))
    monkeypatch.setattr(PACKS, "_loaded", {})
    with pytest.raises(ConfigError, match="rule pack 'odd'") as caught:
        list(AllRules())
    assert says in caught.value.message


def _nothing(view: ItemView) -> Iterator[Hit]:
    yield from ()


def test_names_are_listed_without_importing_anything(installed: Path) -> None:
    code = """
import sys
from gapsmith.templates.plugins import Registry
from gapsmith.prompts.providers.registry import PROVIDERS
before = set(sys.modules)
names = list(PROVIDERS)
print("fixed" in names, {name for name in set(sys.modules) - before if "gapsmith_example" in name or "openai" in name})
"""
    assert _run(installed, code).split() == ["True", "set()"]


def _registry(monkeypatch: pytest.MonkeyPatch, *points: tuple[str, str]) -> Registry[int]:
    offered = EntryPoints([EntryPoint(name, value, "gapsmith.numbers") for name, value in points])
    monkeypatch.setattr("gapsmith.templates.plugins.entry_points", lambda **chosen: offered.select(**chosen))
    return Registry("gapsmith.numbers", "number", int, {"one": 1, "max": "sys:maxsize"})


def test_ours_come_first_and_win_and_a_stranger_of_that_name_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = _registry(monkeypatch, ("zero", "os:O_RDONLY"), ("one", "os:O_RDWR"), ("two", "os:O_RDWR"))
    assert dict(numbers) == {"one": 1, "max": sys.maxsize, "two": os.O_RDWR, "zero": os.O_RDONLY}
    assert numbers.shadowed == (Plugin("number", "one", "os"),)
    with pytest.warns(PluginWarning, match="number 'one' of os is not used: names of gapsmith's own cannot be taken"):
        assert numbers.find("one") == 1
    # Warnings are errors in tests: it is said once.
    assert (numbers.find("one"), numbers.find("two")) == (1, os.O_RDWR)
    assert (numbers.origin("one"), numbers.origin("two")) == ("gapsmith", "os")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("absent", "number 'absent' of no_such_module needs no_such_module, which cannot be imported"),
        ("wrong", "number 'wrong' of json is a function, not an int"),
        ("lost", "number 'lost' of json cannot be loaded (AttributeError"),
        ("stale", "number 'stale' of json.no_such_part cannot be loaded (ModuleNotFoundError"),
        ("twice", "json and os both offer number 'twice'"),
        ("tow", "there is no number 'tow'"),
    ],
)
def test_what_cannot_be_used_stops_nothing_but_itself(monkeypatch: pytest.MonkeyPatch, name: str, says: str) -> None:
    numbers = _registry(
        monkeypatch,
        ("absent", "no_such_module:x"),
        ("wrong", "json:dumps"),
        ("lost", "json:nothing"),
        ("stale", "json.no_such_part:x"),
        ("twice", "json:dumps"),
        ("twice", "os:O_RDWR"),
        ("two", "os:O_RDWR"),
    )
    assert numbers.find("two") == os.O_RDWR
    with pytest.raises(ConfigError) as caught:
        numbers.find(name)
    assert says in caught.value.message
    assert name != "tow" or "Did you mean two?" in caught.value.hint


def _install(monkeypatch: pytest.MonkeyPatch, registry: Registry[Any], **objects: object) -> None:
    """A package that offers these objects; a text is taken as the place of one."""
    points = []
    for name, offered in objects.items():
        if not isinstance(offered, str):
            monkeypatch.setattr(f"tests.test_plugins.{name.upper()}", offered, raising=False)
        value = offered if isinstance(offered, str) else f"tests.test_plugins:{name.upper()}"
        points.append(EntryPoint(name, value, registry.group))
    found = EntryPoints(points)
    monkeypatch.setattr("gapsmith.templates.plugins.entry_points", lambda **chosen: found.select(**chosen))
    monkeypatch.setattr(registry, "_loaded", {})
    monkeypatch.setattr(registry, "_told", set())


def _holds(error: ConfigError, says: str) -> None:
    """That an error names package, thing, deed and what to do."""
    assert says in error.message
    assert "of tests.test_plugins" in error.message
    assert "pip uninstall tests.test_plugins" in error.hint


_TWO = MeasuredText("a b", np.array([[0, 1], [1, 3]], dtype=np.int32), np.array([1.0, 2.0]))


@pytest.mark.parametrize(
    ("compute", "says"),
    [
        (lambda *_: 1 / 0, "measure 'odd' of tests.test_plugins: compute failed (ZeroDivisionError: division by zero)"),
        (lambda *_: sys.exit(0), "compute failed (SystemExit: 0)"),
        (lambda *_: "hello", "compute gave a str, not a number"),
        (lambda bits, *_: bits, "compute gave a ndarray, not a number"),
    ],
)
def test_a_measure_that_fails_is_named(monkeypatch: pytest.MonkeyPatch, compute: Callable[..., Any], says: str) -> None:
    _install(monkeypatch, MEASURES, odd=Measure("other", "t", "bits", compute))
    with pytest.raises(PluginError) as caught:
        measure(_TWO, (0, 3), MEASURES.find("odd"))
    _holds(caught.value, says)


def test_a_measure_has_the_name_by_which_it_is_asked_for_and_nan_is_said_to_be_nan(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _install(monkeypatch, MEASURES, odd=Measure("other", "oddity", "bits", lambda *_: float("nan")))
    by = MEASURES.find("odd")
    assert by.name == "odd"
    assert measure(_TWO, (0, 3), by).reason == "the oddity is not defined here: it comes out as NaN, which is no number"


class _Engine:
    """Does what it is told to do."""

    model, revision, identity = "m", "1", {"kept": "little"}
    provenance: Mapping[str, Any] = {}

    def __init__(self, answer: Callable[[], Any]) -> None:
        self._answer = answer

    def pieces(self, _: Any) -> tuple[str, ...]:
        return ()

    def score(self, _: Any) -> Any:
        return self._answer()


def _tokens(text: str) -> Tokens:
    return Tokens(text, "", np.array([[0, len(text)]], dtype=np.int32), None, np.array([1.0], dtype=np.float32))


@pytest.mark.parametrize(
    ("opened", "says"),
    [
        (lambda *_: 1 / 0, "engine 'odd' of tests.test_plugins: open('m', …) failed (ZeroDivisionError"),
        (lambda *_: 42, "opens an int, which lacks model, revision"),
        (lambda *_: _Engine(lambda: 1 / 0), "score failed (ZeroDivisionError"),
        (lambda *_: _Engine(lambda: [[1.0]]), "score gave a list, not a list of Tokens"),
        (
            lambda *_: _Engine(lambda: [[_tokens("no")]]),
            "score gave a text that was not asked for, or gave it twice: 'no'",
        ),
        (lambda *_: _Engine(list), "score gave no tokens of 'yes'"),
    ],
)
def test_an_engine_that_fails_is_named(monkeypatch: pytest.MonkeyPatch, opened: Callable[..., Any], says: str) -> None:
    _install(monkeypatch, ENGINES, odd=EngineKind("odd", opened))
    with pytest.raises(PluginError) as caught:
        list(open_engine("m", engine="odd").score([Request("yes")]))
    _holds(caught.value, says)


def test_values_of_engines_and_models_are_kept_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    def opened(name: str, _: object) -> Any:
        engine = _Engine(list)
        engine.model = name
        return engine

    _install(monkeypatch, ENGINES, odd=EngineKind("odd", opened), even=EngineKind("even", opened))
    called = [("a", "odd"), ("b", "odd"), ("a", "even")]
    identities = [dict(open_engine(model, engine=engine).identity) for model, engine in called]
    assert len({str(identity) for identity in identities}) == 3
    assert {identity["kept"] for identity in identities} == {"little"}


def test_an_installed_engine_scores_with_its_own_model_or_with_one_that_is_named(installed: Path, tmp_path: Path) -> None:
    code = """
import os, sys
from pathlib import Path
from gapsmith.app.cli.app import main
os.environ["GAPSMITH_MODEL"] = "gpt2"
def told(*words):
    sys.argv = ["gapsmith", *words, "-w", "ws"]
    try: main()
    except SystemExit as end: print(words[0], end.code)
told("generate", "embedded_wh", "-n", "2")
sys.stderr = sys.stdout
told("score", "--engine", "letters", "--all")
told("score", "--engine", "letters", "--all", "-m", "words")
told("score", "--engine", "letters", "--all", "--dry-run")
from gapsmith.bank import Bank
with Bank.open(Path("ws/bank.sqlite")) as bank:
    print([scorer.model for scorer in bank.scores.scorers()])
told("analyze", "--all")
"""
    said = _run(installed, f"import os; os.chdir({str(tmp_path)!r})\n{code}")
    assert "model letters (1)\n" in said
    assert "there is no model 'words' of letters" in said
    assert "--dry-run counts tokens" in said
    assert "['letters']" in said
    assert "Scored by letters" in said
    assert "gpt2" not in said


def test_an_installed_engine_without_a_model_of_its_own_takes_none_from_the_settings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from gapsmith.scoring.lm import model_for

    _install(monkeypatch, ENGINES, odd=EngineKind("odd", lambda *_: _Engine(list)))
    assert (model_for("auto", None), model_for("tree", None, "mine")) == ("gpt2", "mine")
    assert model_for("odd", "theirs", "mine") == "theirs"
    with pytest.raises(ConfigError, match=r"engine 'odd' of tests\.test_plugins does not say which model"):
        model_for("odd", None, "mine")


def _format(**does: Any) -> Format:
    usual: Mapping[str, Any] = {"recognise": lambda _: None, "read": lambda *_: None, "write": lambda *_: ()}
    return Format("other", "odd", **{**usual, **does}, suffix=".txt")


_PAIRS = "good,bad\nI know who left.,I know who left it.\nShe asked what he saw.,She asked what he saw it.\n"


def test_a_format_that_cannot_be_loaded_stops_nothing_unless_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _install(monkeypatch, FORMATS, gone="tests.no_such_module:GONE")
    path = tmp_path / "pairs.csv"
    path.write_text(_PAIRS)
    with pytest.warns(PluginWarning, match="format 'gone' of .* cannot be loaded .*; it is left out") as warned:
        items = read_foreign(SourceFile(path))
    assert len(warned) == 1
    # Warnings are errors in tests: it is said once.
    assert recognise(SourceFile(path))[0].name == items.shape == "pair_table"
    assert written(items).content == path.read_bytes()
    for asked in (lambda: read_foreign(SourceFile(path), format="gone"), lambda: written(items, "gone")):
        with pytest.raises(ConfigError, match=r"format 'gone' of tests\.no_such_module cannot be loaded"):
            asked()


def test_an_export_loads_no_other_format_than_the_one_that_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, gapsmith: Callable[..., Any]
) -> None:
    gapsmith("generate", "embedded_wh", "-n", "2")
    _install(monkeypatch, FORMATS, gone="tests.no_such_module:GONE")
    assert gapsmith("export", "csv", "--all").code == 0
    done = gapsmith("export", "gone", "--all")
    assert (done.code, "format 'gone' of tests.no_such_module cannot be loaded" in done.err) == (2, True)


def test_the_program_says_a_warning_about_a_package_in_its_own_words(
    monkeypatch: pytest.MonkeyPatch, gapsmith: Callable[..., Any], tmp_path: Path
) -> None:
    _install(monkeypatch, FORMATS, gone="tests.no_such_module:GONE")
    (tmp_path / "pairs.csv").write_text(_PAIRS)
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        done = gapsmith("paradigm", "draft", "pairs.csv")
    assert done.code == 0
    assert done.err.startswith("warning: format 'gone' of tests.no_such_module cannot be loaded (")
    assert "PluginWarning" not in done.err


@pytest.mark.parametrize(
    ("does", "says"),
    [
        ({"recognise": lambda _: 1 / 0}, "recognise failed (ZeroDivisionError"),
        ({"recognise": lambda _: "odd", "read": lambda *_: 42}, "read gave an int, not a ForeignSet"),
        ({"recognise": lambda _: "odd", "read": lambda *_: 1 / 0}, "read failed (ZeroDivisionError"),
    ],
)
def test_a_format_that_fails_to_read_is_named_with_the_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, does: dict[str, Any], says: str
) -> None:
    _install(monkeypatch, FORMATS, odd=_format(**does))
    path = tmp_path / "pairs.csv"
    path.write_text(_PAIRS)
    with pytest.raises(PluginError) as caught:
        read_foreign(SourceFile(path))
    _holds(caught.value, f"{path}: format 'odd' of tests.test_plugins: {says}")


@pytest.mark.parametrize(
    ("does", "says"),
    [
        ({"write": lambda *_: 1 / 0}, "write failed (ZeroDivisionError"),
        ({"write": lambda *_: None}, "write gave nothing (None), not a tuple of the labels"),
        ({"write": None, "rows": lambda _: ["a"]}, "rows gave a str, not a list of cells"),
    ],
)
def test_a_format_that_fails_to_write_is_named(monkeypatch: pytest.MonkeyPatch, does: dict[str, Any], says: str) -> None:
    _install(monkeypatch, FORMATS, odd=_format(**does))
    with pytest.raises(PluginError) as caught:
        written(ForeignSet("odd", (), ()), "odd")
    _holds(caught.value, says)


def _pack(check: Callable[..., Any], **given: Any) -> RulePack:
    text = RulePage("XA001", "t", "s", (), (), "r", "m", ())
    return RulePack("odd", "1", (ItemRule("XA001", Severity.ERROR, check),), {"XA001": text}, **given)


def _fails(_: ItemView) -> Iterator[Hit]:
    raise KeyError("oh")


@pytest.mark.parametrize(
    ("check", "says"),
    [
        (_fails, "rule pack 'odd' of tests.test_plugins: rule XA001 failed (KeyError: 'oh')"),
        (lambda _: 42, "rule XA001 failed (TypeError: 'int' object is not iterable)"),
        (lambda _: ["hello"], "rule XA001 gave a str, not a Hit"),
    ],
)
def test_a_rule_that_fails_is_named(monkeypatch: pytest.MonkeyPatch, check: Callable[..., Any], says: str) -> None:
    _install(monkeypatch, PACKS, odd=_pack(check))
    rule = AllRules()["XA001"]
    assert isinstance(rule, ItemRule)
    with pytest.raises(PluginError) as caught:
        list(rule.check(None))  # type: ignore[arg-type]
    _holds(caught.value, says)


def test_a_rule_pack_without_its_list_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _install(monkeypatch, PACKS, odd=_pack(_nothing, lists=(tmp_path / "gone.csv",)))
    with pytest.raises(PluginError) as caught:
        list(AllRules())
    _holds(caught.value, f"its word list {tmp_path / 'gone.csv'} cannot be read (FileNotFoundError")


def test_of_two_packs_with_a_rule_of_the_same_code_both_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    _install(monkeypatch, PACKS, odd=_pack(_nothing), even=_pack(_nothing))
    with pytest.raises(ConfigError) as caught:
        list(AllRules())
    assert caught.value.message == (
        "rule pack 'even' of tests.test_plugins and rule pack 'odd' of tests.test_plugins both have a rule XA001"
    )
    (found,) = [check for check in _of_plugins() if check.state is CheckState.PROBLEM]
    assert found.detail == caught.value.message


class _Provider(Provider):
    name = "other"
    paid = False

    def __init__(self, _: ProviderOptions) -> None:
        self.secrets = ("sk-of-the-test",)

    async def call(self, _: CallRequest) -> Any:
        raise KeyError("sk-of-the-test")


class _GivesANumber(_Provider):
    async def call(self, _: CallRequest) -> Any:
        return 42


class _GivesAReplyOfANumber(_Provider):
    async def call(self, _: CallRequest) -> Any:
        return Reply(42)  # type: ignore[arg-type]


class _CannotBeBuilt(_Provider):
    def __init__(self, _: ProviderOptions) -> None:
        raise ValueError("oh")


class _Abstract(Provider):
    name = "other"


_OPTIONS = ProviderOptions(load_paradigm("embedded_wh"))


@pytest.mark.parametrize(
    ("offered", "says"),
    [
        (_Provider, "provider 'odd' of tests.test_plugins: call failed (KeyError: "),
        (_GivesANumber, "provider 'odd' of tests.test_plugins: call gave an int, not a Reply"),
        (_GivesAReplyOfANumber, "call gave a Reply whose text is an int, not a str"),
    ],
)
def test_a_provider_that_fails_in_a_call_is_named_in_the_failure_of_that_call(
    monkeypatch: pytest.MonkeyPatch, offered: type, says: str
) -> None:
    _install(monkeypatch, PROVIDERS, odd=offered)
    provider = build_provider("odd", _OPTIONS)
    with pytest.raises(ProviderError) as caught:
        asyncio.run(provider.call(CallRequest(0, 0, 2, Mode.SLOTS)))
    assert (caught.value.kind, provider.name) == (FailureKind.INTERNAL, "odd")
    assert says in caught.value.message
    assert "sk-of-the-test" not in str(caught.value)
    assert caught.value.hint == "Mend the package, or remove it: pip uninstall tests.test_plugins"


@pytest.mark.parametrize(
    ("offered", "says"),
    [
        (_Abstract, "is abstract: it does not define __init__, call"),
        (_CannotBeBuilt, "cannot be built (ValueError: oh)"),
        (int, "is not a subclass of gapsmith.prompts.Provider"),
    ],
)
def test_a_provider_that_cannot_be_built_is_named(monkeypatch: pytest.MonkeyPatch, offered: type, says: str) -> None:
    _install(monkeypatch, PROVIDERS, odd=offered)
    with pytest.raises(PluginError) as caught:
        build_provider("odd", _OPTIONS)
    _holds(caught.value, says)


def _of_plugins() -> list[Check]:
    """What the doctor says of them; it looks no further."""
    found = []
    for check in examine():
        if check.area == "device":
            break
        found += [check] if check.area == "plug-ins" else []
    return found


def test_the_doctor_lists_what_is_installed_and_why_it_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    fine = Measure("fine", "t", "bits", lambda *_: 1.0)
    _install(monkeypatch, MEASURES, fine=fine, sum=fine, number="os:O_RDWR", gone="tests.no_such_module:GONE")
    says = {check.name: (check.state, check.detail, check.hint) for check in _of_plugins()}
    mend = "Mend the package, or remove it: pip uninstall "
    assert says.pop("measure gone")[0] is CheckState.PROBLEM
    assert says == {
        "measure fine": (CheckState.OK, "of tests.test_plugins, used", ""),
        "measure number": (CheckState.PROBLEM, "measure 'number' of os is an int, not a Measure", f"{mend}os"),
        "measure sum": (
            CheckState.NOTE,
            "of tests.test_plugins, not used: the name is taken by gapsmith's own",
            "Its author can give it another name. To remove it: pip uninstall tests.test_plugins",
        ),
    }


def test_a_package_installed_twice_on_the_path_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _registry(monkeypatch, ("two", "os:O_RDWR"), ("two", "os:O_RDWR")).find("two") == os.O_RDWR
