"""The commands: generate, prompt, runs and serve-fake, as a user meets them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gapsmith import generate, open_workspace
from gapsmith.app.generated import pace
from gapsmith.bank import Bank, ItemFilter, Verdict
from gapsmith.prompts import RunCounts
from gapsmith.prompts.fake import Behaviour, FakeServer
from gapsmith.templates import Paradigm, lexicon_for, load_paradigm
from tests.conftest import CommandOutcome
from tests.printed import result, results
from tests.prompts.generating import KEY

Run = Callable[..., CommandOutcome]


@pytest.fixture
def fake(lan_pg: Paradigm, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeServer]:
    """A stand-in server, and a key in the environment."""
    monkeypatch.setenv("GEMINI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with FakeServer(lan_pg) as server:
        yield server


def model_flags(fake: FakeServer, provider: str = "openai", model: str = "fake-model") -> list[object]:
    url = fake.url if provider == "gemini" else fake.openai_url
    return ["--provider", provider, "--model", model, "--base-url", url]


def test_generate_makes_a_workspace_says_so_and_keeps_stdout_clean(gapsmith: Run) -> None:
    done = gapsmith("generate", "subject_pg", "-n", 3)
    assert done.code == 0
    assert done.out == ""
    assert "Made a workspace" in done.err
    assert "3 new items" in done.err
    assert Path("gapsmith.toml").is_file()
    again = gapsmith("generate", "subject_pg", "-n", 3)
    assert again.code == 0
    assert "Already there" in again.err


def test_how_it_goes_is_told_in_rate_cost_and_time_left(gapsmith: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    tally = RunCounts(100, in_bank=40, kept=20, cost_usd=0.012)
    assert pace(tally, 60.0) == "20 items/min, $0.0120, 3 min left"
    tally.calls_of_unknown_cost = 1
    assert pace(tally, 600.0) == "2.0 items/min, $0.0120 and 1 call of unknown cost, 30 min left"
    assert pace(RunCounts(None), 0.0) == "0.0 items/min"
    monkeypatch.setattr("gapsmith.app.cli.console._SILENCE_S", 0.0)
    assert "items/min" in gapsmith("generate", "lan_pg", "-n", 600).err


def test_generate_as_json_is_one_object(gapsmith: Run) -> None:
    data = result(gapsmith("generate", "subject_pg", "-n", 3, "--json").out)
    assert (data["ending"], data["kept"], data["in_bank"], data["target"]) == ("complete", 3, 3, 3)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nothing_pg"], "no paradigm"),
        (["subject_pg", "--mode", "poems"], "--mode: there is no 'poems'"),
        (["subject_pg", "--provider", "gemni"], "Did you mean gemini"),
        (["subject_pg", "--provider", "gemini", "--model", "m"], "no key for Gemini"),
        (["subject_pg", "--provider", "openai", "--model", "m"], "no key for OpenAI"),
        (["subject_pg", "--all"], "is sampled"),
        (["subject_pg", "--prompt", "none.v1.jinja", "--provider", "openai"], "no such file"),
        (["subject_pg", "--model", "gemini-2.5-pro"], "Name the provider too"),
    ],
)
def test_wrong_usage_is_exit_code_2(gapsmith: Run, arguments: list[str], complaint: str) -> None:
    done = gapsmith("generate", *arguments)
    assert done.code == 2
    assert complaint in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("provider", ["gemini", "openai"])
def test_from_generation_to_lint_and_the_way_back_to_the_raw_answer(gapsmith: Run, fake: FakeServer, provider: str) -> None:
    done = gapsmith("generate", "lan_pg", "-n", 12, *model_flags(fake, provider))
    assert done.code == 0, done.err
    assert "12 new items" in done.err
    assert "cost of 2 calls unknown" in done.err
    gapsmith("lint", "-p", "lan_pg")
    (listed,) = results(gapsmith("runs", "list", "--json").out)
    assert (listed["asked"], listed["returned"], listed["read_back"], listed["linted"]) == (12, 12, 12, 12)
    assert listed["prompt"] == "slots.v2"
    assert listed["cost_usd"] is None
    origin = result(gapsmith("runs", "item", "5", "--json").out)
    assert (origin["provider"], origin["model"], origin["prompt"]) == (provider, "fake-model", "slots.v2")
    assert origin["reply"].startswith('{"items"')
    shown = gapsmith("runs", "show", 1, "--call", 0).out
    assert "--- the prompt ---" in shown
    assert origin["reply"] in gapsmith("runs", "show", 1, "--call", origin["call"]).out
    assert origin["answered_by"] == "fake-model"
    assert "answered by: fake-model" in shown
    assert "structure: json_schema" in shown
    told = result(gapsmith("runs", "show", 1, "--call", 0, "--json").out)["details"]
    assert told["response_id"] == ("fake-1" if provider == "gemini" else "chatcmpl-fake")


def test_approved_items_and_prices_give_the_cost_per_approved_item(gapsmith: Run, fake: FakeServer) -> None:
    Path("own.toml").write_text(
        '[[price]]\nprovider = "openai"\nmodel = "fake-model"\ninput = 1.0\noutput = 10.0\nas_of = 2026-01-01\n'
    )
    assert gapsmith("generate", "lan_pg", "-n", 4, *model_flags(fake), "--prices", "own.toml").code == 0
    with Bank.open(Path("bank.sqlite")) as bank:
        ids = bank.items.ids()
        bank.decisions.decide(ids[:2], Verdict.APPROVE, author="me")
        bank.decisions.decide(ids[2:], Verdict.EXCLUDE, author="me", reason="other")
    (listed,) = results(gapsmith("runs", "list", "--json").out)
    assert (listed["approved"], listed["excluded"]) == (2, 2)
    assert listed["cost_usd"] > 0
    assert listed["cost_per_approved_usd"] == pytest.approx(listed["cost_usd"] / 2)
    assert "per approved item" in gapsmith("runs", "show", 1).out


def test_a_provider_s_failure_is_exit_code_3_with_a_message_and_no_key(gapsmith: Run, fake: FakeServer) -> None:
    fake.fixed_error = (401, {"error": {"message": f"Incorrect key {KEY}", "code": "invalid_api_key"}})
    done = gapsmith("generate", "lan_pg", "-n", 4, *model_flags(fake))
    assert done.code == 3
    assert "does not accept the key" in done.err
    assert "OPENAI_API_KEY" in done.err
    everything = done.out + done.err + gapsmith("runs", "show", 1, "--call", 0).out
    assert KEY not in everything
    for file in Path().glob("**/*"):
        assert not file.is_file() or KEY.encode() not in file.read_bytes()


def test_a_dry_run_leaves_nothing_behind(gapsmith: Run, fake: FakeServer) -> None:
    done = gapsmith("generate", "subject_pg", "-n", 25, "--dry-run", *model_flags(fake))
    assert done.code == 0
    assert "calls: 3 of 10 items" in done.out
    assert "cost: unknown" in done.out
    assert "Write exactly 10 new item sets" in done.out
    assert not fake.requests
    assert list(Path().iterdir()) == []
    data = result(gapsmith("generate", "subject_pg", "-n", 25, "--dry-run", "--json", *model_flags(fake)).out)
    assert data["calls"] == 3
    assert data["cost_usd"] is None


def test_few_items_for_a_contrast_are_told_before_anything_is_made(gapsmith: Run, tmp_path: Path) -> None:
    few = "W1, W2 and did will have 3 of 9 items (depth = 0): ask for 10 of them with -n 37, or make only such items with"
    done = gapsmith("generate", "embwhq", "-n", 9, "--dry-run", "--json")
    assert f'{few} --choose "embedding=none"' in " ".join(done.err.split())
    done = gapsmith("generate", "embwhq", "-n", 9)
    said = " ".join(done.err.split())
    assert said.count(few) == 1
    assert said.index(few) < said.index("9 new items")
    with (
        open_workspace(tmp_path / "python", create=True) as workspace,
        pytest.warns(UserWarning, match="W1, W2 and did will have 3 of 9 items"),
    ):
        generate(workspace, "embwhq", n=9)
    # By default there are enough, and nobody is told what they chose.
    for enough in (["embwhq", "--new-run"], ["embwhq", "-n", 5, "--choose", "embedding=b"], ["subject_pg", "-n", 2]):
        assert "will have" not in gapsmith("generate", *enough).err


def test_a_dry_run_knows_the_price_of_a_known_model(gapsmith: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", KEY)
    done = gapsmith("generate", "subject_pg", "--dry-run", "--provider", "gemini", "--model", "gemini-2.5-pro")
    assert re.search(r"cost: \$0\.\d+, by the price of 20\d\d", done.out)


def test_settings_stand_in_for_flags_and_are_no_settings_for_the_lexicon(gapsmith: Run, fake: FakeServer) -> None:
    gapsmith("init")
    Path("gapsmith.toml").write_text(
        f'provider = "openai"\nprovider_model = "from-settings"\nbase_url = "{fake.openai_url}"\nn_per_call = 2\n'
    )
    assert gapsmith("generate", "lan_pg", "-n", 4).code == 0
    assert {seen.body["model"] for seen in fake.requests} == {"from-settings"}
    assert len(fake.requests) == 2
    assert gapsmith("generate", "lan_pg", "-n", 4, "--provider", "lexicon").code == 0
    assert len(fake.requests) == 2
    runs = results(gapsmith("runs", "list", "--json").out)
    assert [(run["provider"], run["items"]) for run in runs] == [("openai", 4), ("lexicon", 4)]


def test_an_address_from_a_workspace_gets_a_key_only_after_its_owner_s_yes(gapsmith: Run, fake: FakeServer) -> None:
    gapsmith("init")
    host = fake.url.removeprefix("http://")
    Path("gapsmith.toml").write_text(
        f'provider = "openai"\nprovider_model = "m"\nbase_url = "{fake.openai_url}"\n', encoding="utf-8"
    )

    def key_sent(n: int, *flags: object) -> tuple[bool, str]:
        done = gapsmith("generate", "lan_pg", "-n", n, *flags)
        assert done.code == 0, done.err
        return KEY in str(fake.requests[-1].headers), done.err

    sent, said = key_sent(2)
    assert not sent
    assert f"requests go to {host}, without the key in OPENAI_API_KEY" in said
    assert f"--send-key-to {host}" in said
    assert key_sent(3, "--send-key-to", host)[0]
    assert key_sent(4, "--send-key-to", "127.0.0.1")[0]
    assert key_sent(5, "--base-url", fake.openai_url)[0]
    settings = Path(os.environ["GAPSMITH_CONFIG"])
    settings.write_text('send_key_to = ["other.example"]\n', encoding="utf-8")
    assert not key_sent(6)[0]
    settings.write_text(f'send_key_to = ["other.example", "{host}"]\n', encoding="utf-8")
    sent, said = key_sent(7)
    assert sent
    assert f"Requests go to {host}, with the key in OPENAI_API_KEY." in said


def test_an_address_of_the_user_s_own_gets_the_key(gapsmith: Run, fake: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    flags = ["--provider", "openai", "--model", "m"]
    gapsmith("init")
    settings = Path(os.environ["GAPSMITH_CONFIG"])
    settings.write_text(f'base_url = "{fake.openai_url}"\n', encoding="utf-8")
    assert gapsmith("generate", "lan_pg", "-n", 2, *flags).code == 0
    Path("gapsmith.toml").write_text('base_url = "http://other.example/v1"\n', encoding="utf-8")
    monkeypatch.setenv("GAPSMITH_BASE_URL", fake.openai_url)
    assert gapsmith("generate", "lan_pg", "-n", 3, *flags).code == 0
    monkeypatch.delenv("GAPSMITH_BASE_URL")
    Path("gapsmith.toml").write_text("", encoding="utf-8")
    settings.write_text("", encoding="utf-8")
    monkeypatch.setenv("OPENAI_BASE_URL", fake.openai_url)
    assert gapsmith("generate", "lan_pg", "-n", 4, *flags).code == 0
    assert [KEY in str(seen.headers) for seen in fake.requests] == [True, True, True]


@pytest.mark.parametrize(
    ("settings", "flags", "complaint"),
    [
        ('send_key_to = ["other.example"]', [], "not for a workspace to say"),
        ('base_url = "http://other.example/v1"', ["--send-key-to", "evil.example"], "not where requests go"),
        ("", ["--send-key-to", "evil.example"], "not where requests go"),
    ],
)
def test_a_yes_in_the_wrong_place_is_refused(
    gapsmith: Run, fake: FakeServer, settings: str, flags: list[str], complaint: str
) -> None:
    gapsmith("init")
    Path("gapsmith.toml").write_text(settings, encoding="utf-8")
    done = gapsmith("generate", "lan_pg", "-n", 2, "--provider", "openai", "--model", "m", *flags)
    assert done.code == 2
    assert complaint in done.err


def test_control_characters_of_an_answer_do_not_reach_the_terminal(gapsmith: Run, fake: FakeServer) -> None:
    fake.fixed_body = {"choices": [{"message": {"content": "\x1b[31m[bold]nothing[/bold]"}, "finish_reason": "stop"}]}
    assert gapsmith("generate", "lan_pg", "-n", 4, *model_flags(fake)).code == 3
    shown = gapsmith("runs", "show", 1, "--call", 0).out
    assert "\\x1b[31m[bold]nothing[/bold]" in shown
    assert "\x1b" not in shown


def test_runs_show_lists_the_calls_with_their_outcome(gapsmith: Run, lan_pg: Paradigm, fake: FakeServer) -> None:
    script = lambda seen: Behaviour.TRUNCATED if seen.number == 0 else Behaviour.WELL  # noqa: E731 - reads best in place
    with FakeServer(lan_pg, script=script) as limping:
        assert gapsmith("generate", "lan_pg", "-n", 10, *model_flags(limping)).code == 0
    shown = gapsmith("runs", "show", 1).out
    assert "truncated" in shown
    data = result(gapsmith("runs", "show", 1, "--json").out)
    assert [call["outcome"] for call in data["calls_made"]] == ["truncated", "ok"]
    assert data["failed_calls"] == 1
    missing = gapsmith("runs", "show", 1, "--call", 7)
    assert (missing.code, "no call 7" in missing.err) == (2, True)
    assert gapsmith("runs", "show", 9).code == 2


def test_an_item_that_is_not_there_or_not_the_only_one_is_said(gapsmith: Run) -> None:
    gapsmith("generate", "subject_pg", "-n", 2)
    gapsmith("generate", "embedded_wh", "-n", 2)
    both = gapsmith("runs", "item", "1")
    assert both.code == 2
    assert "subject_pg/generated, embedded_wh/generated" in both.err
    assert gapsmith("runs", "item", "77").code == 2
    assert gapsmith("runs", "item", "1", "-p", "subject_pg").code == 0


@pytest.mark.full
def test_runs_list_keeps_its_words_and_numbers_on_a_small_terminal(
    gapsmith: Run, fake: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("own.toml").write_text(
        '[[price]]\nprovider = "gemini"\nmodel = "gemini-2.5-flash-lite"\ninput = 1000.0\noutput = 1000.0\nas_of = 2026-01-01\n'
    )
    with FakeServer(load_paradigm("embedded_wh")) as other:
        flags = ["--provider", "gemini", "--base-url", other.url, "--model", "gemini-2.5-flash-lite"]
        flags += ["--mode", "sentences", "--prices", "own.toml"]
        assert gapsmith("generate", "embedded_wh", "-n", 2, *flags).code == 0
    long_name = "org/A-Rather-Long-Name-70B-Instruct"
    assert gapsmith("generate", "lan_pg", "-n", 2, *model_flags(fake, model=long_name)).code == 0
    assert gapsmith("generate", "lan_pg", "--all", "--dataset", "all").code == 0
    with Bank.open(Path("bank.sqlite")) as bank:
        bank.decisions.decide(bank.items.ids()[:2], Verdict.APPROVE, author="me")
        paid = bank.runs.calls(1)[0].cost_usd
    for width in (80, 120):
        monkeypatch.setenv("COLUMNS", str(width))
        shown = gapsmith("runs", "list").out
        assert "…" not in shown
        assert max(map(len, shown.splitlines())) <= width
        words = shown.split()
        for word in ("embedded_wh", "gemini", "gemini-2.5-flash-lite", "sentences.v1", "openai", "lexicon", "unknown"):
            assert word in words
        assert words.count("8064") == 4
        assert f"${paid:.4f}" in words
        assert long_name in "".join(words), "a name that is longer than the column goes on in the next line"


def test_runs_list_of_a_new_workspace_says_there_are_none(gapsmith: Run) -> None:
    gapsmith("init")
    done = gapsmith("runs", "list")
    assert (done.code, done.out) == (0, "")
    assert "no runs yet" in done.err
    assert results(gapsmith("runs", "list", "--json").out) == []


def test_prompts_are_listed_shown_copied_and_used(gapsmith: Run, fake: FakeServer) -> None:
    gapsmith("init")
    listed: list[dict[str, Any]] = results(gapsmith("prompt", "list", "--json").out)
    assert {prompt["mode"] for prompt in listed} == {"slots", "sentences"}
    assert "{{ n }}" in gapsmith("prompt", "show", "slots").out
    rendered = gapsmith("prompt", "show", "sentences", "-p", "subject_pg", "--design", "lan2x2", "-n", 3).out
    assert "exactly 3 new item sets" in rendered
    assert "subject_pg,1,PFMG,I know who the story about is likely to amuse Anna soon." in rendered
    copied = Path(gapsmith("prompt", "copy", "slots").out.strip())
    copied.write_text(copied.read_text(encoding="utf-8") + "Be kind.\n", encoding="utf-8")
    assert gapsmith("generate", "lan_pg", "-n", 2, *model_flags(fake)).code == 0
    assert fake.requests[-1].prompt.rstrip().endswith("Be kind.")
    own = Path("mine.v3.jinja")
    own.write_text("{# mode: slots — mine #}\nexactly {{ n }} items of {{ paradigm.name }}", encoding="utf-8")
    assert gapsmith("generate", "lan_pg", "-n", 2, "--prompt", own, *model_flags(fake)).code == 0
    assert fake.requests[-1].prompt == "exactly 2 items of lan_pg\n"
    assert results(gapsmith("runs", "list", "--json").out)[-1]["prompt"] == "mine.v3"


def test_prompts_and_models_are_compared(gapsmith: Run, fake: FakeServer) -> None:
    Path("own.toml").write_text(
        '[[price]]\nprovider = "openai"\nmodel = "fake-model"\ninput = 1.0\noutput = 10.0\nas_of = 2026-01-01\n'
    )
    assert gapsmith("runs", "compare").code == 2
    for n in (4, 6):
        assert gapsmith("generate", "lan_pg", "-n", n, "--prices", "own.toml", *model_flags(fake)).code == 0
    assert gapsmith("generate", "lan_pg", "-n", 2, "--mode", "sentences", *model_flags(fake)).code == 0
    with Bank.open(Path("bank.sqlite")) as bank:
        bank.decisions.decide(bank.items.ids()[:5], Verdict.APPROVE, author="me")
        paid = sum(call.cost_usd or 0 for run in (1, 2) for call in bank.runs.calls(run))
    slots, sentences = results(gapsmith("runs", "compare", "--json").out)
    assert (slots["runs"], slots["asked"], slots["items"], slots["approved"]) == ([1, 2], 10, 10, 5)
    assert slots["cost_per_approved_usd"] == pytest.approx(paid / 5)
    assert (sentences["prompt"], sentences["items"], sentences["cost_usd"]) == ("sentences.v1", 2, None)
    shown = gapsmith("runs", "compare", 1, 3).out
    assert "slots.v2" in shown
    assert "sentences.v1" in shown
    assert len(results(gapsmith("runs", "compare", 3, "--json").out)) == 1
    assert gapsmith("runs", "compare", 9).code == 2


def test_a_prompt_that_asks_for_what_is_not_there_sends_nothing(gapsmith: Run, fake: FakeServer) -> None:
    Path("bad.v1.jinja").write_text("{# mode: slots — x #}\n{{ colour }}", encoding="utf-8")
    done = gapsmith("generate", "lan_pg", "--prompt", "bad.v1.jinja", *model_flags(fake))
    assert done.code == 2
    assert "colour" in done.err
    assert not fake.requests


def test_serve_fake_lets_the_whole_path_be_tried_without_a_key(gapsmith: Run) -> None:
    command = [sys.executable, "-c", "from gapsmith.app.cli.app import main; main()", "serve-fake", "lan_pg"]
    command += ["--port", "0", "--latency", "0", "--misbehave", "prose", "--every", "2"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment) as server:
        try:
            assert server.stdout is not None
            for _ in range(2):
                line = server.stdout.readline().decode().split()
                assert line[0] == "gapsmith"
                done = gapsmith(*line[1:], "-n", 3, "--n-per-call", 1)
                assert done.code == 0, done.err
        finally:
            server.terminate()
    assert [run["items"] for run in results(gapsmith("runs", "list", "--json").out)] == [3, 3]


def test_serve_fake_refuses_what_it_does_not_know(gapsmith: Run) -> None:
    done = gapsmith("serve-fake", "lan_pg", "--misbehave", "badly")
    assert done.code == 2
    assert "truncated" in done.err


def test_the_commands_import_no_sdk_until_one_is_needed() -> None:
    probe = (
        "import sys; from gapsmith.app.cli.app import main; sys.argv = ['gapsmith', 'generate', '--help']\n"
        "try: main()\nexcept SystemExit: pass\n"
        "heavy = {'openai', 'google.genai', 'torch', 'textual', 'pandas', 'jinja2'} & set(sys.modules)\n"
        "sys.exit(f'imported: {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_band_of_frequency_is_part_of_the_order(gapsmith: Run) -> None:
    verbs = lexicon_for("experiencer_verbs")
    for band, least, most in (("rare", 0.0, 1.0), ("frequent", 10.0, float("inf"))):
        assert gapsmith("generate", "subject_pg", "-n", 8, "--band", band, "-d", band).code == 0
        with Bank.open(Path("bank.sqlite")) as bank:
            items = list(bank.items.iterate(ItemFilter(dataset=band)))
        rates = [verbs.by_form[(item.slots or {})["verb"]].per_million for item in items]
        assert len(rates) == 8
        assert all(rate is not None and least <= rate < most for rate in rates)
    assert gapsmith("generate", "subject_pg", "-n", 8).code == 0
    same = gapsmith("generate", "subject_pg", "-n", 8, "--band", "plain")
    assert "Already there" in same.err, "plain is the default"
    assert "band=rare" in gapsmith("runs", "show", 1).out
    assert "band" not in gapsmith("runs", "show", 3).out


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("subject_pg", "--band", "common"), "There are: frequent, plain, rare, any."),
        (("lan_pg", "--band", "rare"), "paradigm whose items are sampled"),
        (("subject_pg", "--band", "rare", "--provider", "openai", "--model", "m"), "It goes with the provider lexicon"),
    ],
)
def test_a_band_that_means_nothing_is_refused(gapsmith: Run, command: tuple[str, ...], said: str) -> None:
    refused = gapsmith("generate", *command, "-n", 3)
    assert refused.code == 2
    assert said in refused.err
