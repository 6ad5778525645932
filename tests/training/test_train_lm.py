"""`gapsmith train lm`: each architecture, what comes out, going on after a kill, and what is refused."""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gapsmith.bank.tokens import Tokens
from gapsmith.scoring.lm import Request, open_engine
from gapsmith.training import checkpoints
from tests.conftest import CommandOutcome
from tests.interface import expect_results
from tests.printed import result, results
from tests.processes import Program as Process
from tests.processes import wait_for
from tests.training.conftest import some_text

Program = Callable[..., CommandOutcome]
SENTENCES = ("Ann saw the ball again.", "Bob left.", "The zebra, naïve as ever, sneezed!")


def entries(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "log.jsonl").read_text("utf-8").splitlines()]


def losses(out: Path) -> list[tuple[int, float | None, float | None]]:
    return [(entry["step"], entry.get("loss"), entry.get("valid_loss")) for entry in entries(out)]


def scores(model: Path, texts: tuple[str, ...] = SENTENCES, **options: Any) -> dict[str, Tokens]:
    engine = open_engine(str(model), device="cpu", **options)
    return {tokens.text: tokens for chunk in engine.score([Request(text) for text in texts]) for tokens in chunk}


@pytest.mark.parametrize("architecture", ["gpt2", "lstm"])
def test_a_network_learns_and_is_scored_like_any_model(
    architecture: str, corpus: Path, request: pytest.FixtureRequest, gapsmith: Program, tmp_path: Path, painted: None
) -> None:
    config, out = request.getfixturevalue(f"{architecture}_config"), tmp_path / "model"
    done = gapsmith("train", "lm", corpus, "--config", config, "--out", out, "--set", "run.steps=40", "--json")
    assert done.code == 0, done.err
    made = expect_results(done.out)[0]
    curve = losses(out)
    first, last = curve[0][2], curve[-1][2]
    assert first is not None
    assert last is not None
    assert first == pytest.approx(np.log(300), abs=0.3)
    assert last < first - 0.5
    assert made["steps"] == 40
    assert made["valid_loss_nats"] == min(valid for _, _, valid in curve[1:] if valid is not None)
    found = scores(out)
    assert all(tokens.reason is None and np.isfinite(tokens.values).all() for tokens in found.values())
    # It has learnt the text it read, not just to be less surprised.
    assert found[SENTENCES[0]].values.mean() < found[SENTENCES[2]].values.mean()
    card = (out / "README.md").read_text("utf-8")
    assert re.search(r"Validation loss \d\.\d{4} nats per token at step", card)
    assert "<svg" in (out / "curves.svg").read_text("utf-8")


def test_the_folder_of_a_gpt2_is_one_of_transformers(corpus: Path, gpt2_config: Path, gapsmith: Program, tmp_path: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    out = tmp_path / "model"
    assert gapsmith("train", "lm", corpus, "--config", gpt2_config, "--out", out, "--set", "run.store=float16").code == 0
    tokenizer: Any = AutoTokenizer.from_pretrained(out)
    model: Any = AutoModelForCausalLM.from_pretrained(out)
    assert (tokenizer.bos_token, tokenizer.eos_token, model.config.model_type) == ("<|endoftext|>",) * 2 + ("gpt2",)
    assert model.dtype is torch.float16
    ids = tokenizer(SENTENCES[0])["input_ids"]
    assert tokenizer.decode(ids) == SENTENCES[0]
    with torch.inference_mode():
        logits = model.float()(torch.tensor([[tokenizer.bos_token_id, *ids]])).logits[0, :-1]
    nats = -logits.log_softmax(-1)[range(len(ids)), ids]
    assert scores(out)[SENTENCES[0]].values == pytest.approx(nats.numpy(), abs=1e-4)


@pytest.mark.full
@pytest.mark.parametrize("architecture", ["gpt2", "lstm"])
def test_a_killed_run_goes_on_to_the_same_losses_and_weights(
    architecture: str, corpus: Path, request: pytest.FixtureRequest, tmp_path: Path, gapsmith: Program
) -> None:
    config = request.getfixturevalue(f"{architecture}_config")
    steps = ("--set", "run.steps=60", "--set", "run.checkpoint_every=7", "--set", "run.evaluate_every=20")
    whole, killed = tmp_path / "whole", tmp_path / "killed"

    def arguments(out: Path) -> list[object]:
        return ["train", "lm", corpus, "--config", config, "--out", out, *steps]

    assert gapsmith(*arguments(whole)).code == 0
    log = killed / "log.jsonl"
    with Process(*arguments(killed), folder=tmp_path) as process:
        # Kill it in the middle: beyond a checkpoint, before the end.
        wait_for(lambda: log.is_file() and log.read_bytes().count(b"\n") >= 11, process)
    assert 10 <= len(entries_so_far(log)) < 64
    assert not (killed / "model.safetensors").exists()
    assert (killed / "tokens.npz").is_file()
    assert gapsmith(*arguments(killed)).code == 0
    assert losses(killed) == losses(whole)
    assert not (killed / "tokens.npz").exists()
    assert (killed / "model.safetensors").read_bytes() == (whole / "model.safetensors").read_bytes()


def entries_so_far(log: Path) -> list[bytes]:
    return [line for line in log.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]


@pytest.mark.full
def test_the_same_command_gives_the_same_model_and_another_seed_another(
    corpus: Path, gpt2_config: Path, gapsmith: Program, tmp_path: Path
) -> None:
    weights = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        done = gapsmith("train", "lm", corpus, "-c", gpt2_config, "-o", tmp_path / name, "--set", f"run.seed={seed}")
        assert done.code == 0, done.err
        weights.append((tmp_path / name / "model.safetensors").read_bytes())
    assert weights[0] == weights[1] != weights[2]


def test_training_stops_when_the_validation_loss_no_longer_falls(
    corpus: Path, gpt2_config: Path, gapsmith: Program, tmp_path: Path
) -> None:
    out = tmp_path / "model"
    # At this rate the model gets worse from the first steps on.
    sets = (
        "schedule.learning_rate=5.0",
        "schedule.shape=constant",
        "schedule.warmup=0",
        "run.steps=200",
        "run.patience=8",
    )
    done = gapsmith("train", "lm", corpus, "-c", gpt2_config, "-o", out, "--json", *(x for s in sets for x in ("--set", s)))
    assert done.code == 0, done.err
    made = result(done.out)
    assert made["stopped_early"] == "patience"
    assert made["steps"] == made["chosen_step"] + 8
    valid = {step: loss for step, _, loss in losses(out) if loss is not None and step}
    assert min(valid, key=lambda step: valid[step]) == made["chosen_step"]
    # The model is the best checkpoint, not the last one.
    best = out / "checkpoints" / f"step-{made['chosen_step']:08d}" / "model.safetensors"
    assert (out / "model.safetensors").read_bytes() == best.read_bytes()


@pytest.mark.full
def test_a_run_can_be_given_more_steps_only_while_the_rate_is_constant(
    corpus: Path, gpt2_config: Path, gapsmith: Program, tmp_path: Path
) -> None:
    constant = ("--set", "schedule.shape=trapezoid", "--set", "schedule.decay=4")
    out, once = tmp_path / "grown", tmp_path / "once"
    command = ("train", "lm", corpus, "-c", gpt2_config)
    assert gapsmith(*command, "-o", once, "--set", "schedule.shape=constant", "--set", "run.steps=20").code == 0
    assert gapsmith(*command, "-o", out, "--set", "schedule.shape=constant").code == 0
    assert gapsmith(*command, "-o", out, "--set", "schedule.shape=constant", "--set", "run.steps=20").code == 0
    assert (out / "model.safetensors").read_bytes() == (once / "model.safetensors").read_bytes()
    late = gapsmith(*command, "-o", out, *constant, "--set", "run.steps=22")
    assert late.code == 2
    assert "other learning rates" in late.err
    fewer = gapsmith(*command, "-o", out, "--set", "schedule.shape=constant", "--set", "run.steps=12")
    assert fewer.code == 2


@pytest.mark.full
def test_a_run_can_be_finished_where_it_is(corpus: Path, gpt2_config: Path, gapsmith: Program, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = ("train", "lm", corpus, "-c", gpt2_config, "-o", out, "--set", "run.steps=4000")
    early = gapsmith(*command, "--finish")
    assert early.code == 1
    assert "no checkpoint yet" in early.err
    log = out / "log.jsonl"
    with Process(*command, folder=tmp_path) as process:
        wait_for(lambda: log.is_file() and log.read_bytes().count(b"\n") >= 12, process)
    done = gapsmith(*command, "--finish", "--json")
    assert done.code == 0, done.err
    made = result(done.out)
    assert made["stopped_early"] == "asked"
    assert 8 <= made["steps"] < 4000
    best = out / "checkpoints" / f"step-{made['chosen_step']:08d}" / "model.safetensors"
    assert (out / "model.safetensors").read_bytes() == best.read_bytes()
    assert "of 4,000, since training was ended there" in (out / "README.md").read_text("utf-8")


def test_a_model_goes_on_from_another_one(corpus: Path, gpt2_config: Path, gapsmith: Program, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    assert gapsmith("train", "lm", corpus, "-c", gpt2_config, "-o", first).code == 0
    config = tmp_path / "on.toml"
    config.write_text("[rows]\nlength = 48\nvalidation_share = 0.1\n[run]\nsteps = 4\nbatch = 4\nevaluate_every = 2\n")
    command = ("train", "lm", corpus, "-c", config, "-o", second, "--init", first)
    done = gapsmith(*command)
    assert done.code == 0, done.err
    # It begins where the other one ended, with its tokenizer.
    assert losses(second)[0][2] == pytest.approx(losses(first)[-1][2], abs=1e-4)
    assert (second / "tokenizer.json").read_text() == (first / "tokenizer.json").read_text()
    assert "It began with the weights of first" in (second / "README.md").read_text("utf-8")
    both = gapsmith("train", "lm", corpus, "-c", gpt2_config, "-o", tmp_path / "third", "--init", first)
    assert both.code == 2
    assert "[network] and [tokenizer]" in both.err
    long = gapsmith(*command[:-4], "-o", tmp_path / "fourth", "--init", first, "--set", "rows.length=49")
    assert long.code == 2
    assert "at most 48 tokens" in long.err


@pytest.mark.parametrize("late", [True, False])
def test_a_request_to_stop_after_the_last_step_is_no_failure(
    late: bool, corpus: Path, gpt2_config: Path, gapsmith: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The model is written and said; before that, what was learnt is kept, and nothing half is left."""
    real, seen = checkpoints.save_model, []

    def save(network: Any, tokenizer: Any, folder: Path, **more: Any) -> None:
        real(network, tokenizer, folder, **more)
        seen.append(folder)
        if ("step-" not in folder.name) == late:
            signal.raise_signal(signal.SIGTERM)

    for module in ("lm", "checkpoints"):
        monkeypatch.setattr(f"gapsmith.training.{module}.save_model", save)
    out = tmp_path / "out"
    done = gapsmith("train", "lm", corpus, "-c", gpt2_config, "-o", out)
    assert seen
    assert done.code == (0 if late else 130), done.err
    assert (out / "model.safetensors").exists() == late
    assert not [path for path in out.rglob(".*") if path.is_dir()]


def test_what_does_not_fit_is_refused_with_the_key_and_leaves_nothing_behind(
    corpus: Path, gpt2_config: Path, gapsmith: Program, tmp_path: Path
) -> None:
    def refused(*more: object, text: str, code: int = 2) -> None:
        done = gapsmith("train", "lm", corpus, "-c", gpt2_config, "-o", tmp_path / "out", *more)
        assert (done.code, text in done.err, "Traceback" in done.err) == (code, True, False), done.err
        assert not (tmp_path / "out" / "model.safetensors").exists()

    refused("--set", "network.hidden=0", text="network.hidden")
    refused("--set", "run.stepz=3", text="run.stepz")
    refused("--set", "stride=3", text="--set")
    refused("--set", 'network.architecture="rnn"', text="network")
    refused("--set", "network.hidden=17", text="heads")
    refused("--config", tmp_path / "none.toml", text="is given twice")
    refused("--set", 'tokenizer.path="nowhere"', text="nowhere")
    refused("--device", "cuda:9", text="cuda:9")
    refused("--valid", tmp_path / "no.txt", text="no.txt")
    refused("--lines", "words", text="--lines")
    refused("--set", "schedule.learning_rate=1e30", text="loss became", code=1)


def test_files_that_cannot_be_read_name_the_line(gpt2_config: Path, gapsmith: Program, tmp_path: Path) -> None:
    broken, empty, cut = tmp_path / "broken.txt", tmp_path / "empty.txt", tmp_path / "cut.txt.xz"
    broken.write_bytes(b"Good.\nB\xe4d.\n")
    empty.write_text("\n \n")
    cut.write_bytes(b"\xfd7zXZ\x00nothing")
    for path, text in ((broken, "broken.txt, line 2: not UTF-8"), (empty, "holds no text"), (cut, "cut.txt.xz")):
        done = gapsmith("train", "lm", path, "-c", gpt2_config, "-o", tmp_path / f"out-{path.stem}")
        assert done.code in (1, 2)
        assert text in done.err
        assert "Traceback" not in done.err


def test_a_folder_with_another_run_or_other_files_is_left_alone(
    corpus: Path, gpt2_config: Path, gapsmith: Program, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    assert gapsmith("train", "lm", corpus, "-c", gpt2_config, "-o", out).code == 0
    before = (out / "model.safetensors").read_bytes()
    other = gapsmith("train", "lm", corpus, "-c", gpt2_config, "-o", out, "--set", "run.batch=2")
    assert other.code == 2
    assert "run.batch" in other.err
    corpus.write_text(some_text(10), encoding="utf-8")
    changed = gapsmith("train", "lm", corpus, "-c", gpt2_config, "-o", out)
    assert changed.code == 2
    assert "train differs" in changed.err
    assert (out / "model.safetensors").read_bytes() == before
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.tex").write_text("x")
    assert gapsmith("train", "lm", corpus, "-c", gpt2_config, "-o", mine).code == 2
    assert [path.name for path in mine.iterdir() if path.name != "lock"] == ["thesis.tex"]


@pytest.mark.full
def test_two_commands_do_not_train_into_one_folder(corpus: Path, gpt2_config: Path, gapsmith: Program, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = ("train", "lm", corpus, "-c", gpt2_config, "-o", out, "--set", "run.steps=4000")
    with Process(*command, folder=tmp_path) as process:
        wait_for((out / "log.jsonl").is_file, process)
        second = gapsmith(*command)
        assert process.poll() is None
    assert second.code == 1
    assert "another command" in second.err
    # The lock does not outlive its owner.
    assert "another command" not in gapsmith(*command, "--finish").err


@pytest.mark.full
def test_what_a_full_disk_stops_goes_on_from_the_checkpoint_before(
    corpus: Path, gpt2_config: Path, gapsmith: Program, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    command = ["train", "lm", str(corpus), "-c", str(gpt2_config), "-o", str(out)]
    # No file of this process may grow beyond so many bytes: enough for all but the optimiser's state.
    for number, limit in enumerate((60_000, 1_000)):
        limited = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (limit, limit))
        with Process(*command, folder=tmp_path / str(number), before=limited) as process:
            assert process.wait() == 1
        assert "Make room" in process.err
        assert "Traceback" not in process.err
        assert not (out / "model.safetensors").exists()
    assert gapsmith(*command).code == 0
    assert not [path.name for path in (out / "checkpoints").iterdir() if path.name.startswith(".")]


@pytest.mark.full
def test_a_damaged_checkpoint_is_named(corpus: Path, gpt2_config: Path, gapsmith: Program, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = ("train", "lm", corpus, "-c", gpt2_config, "-o", out, "--set", "schedule.shape=constant")
    assert gapsmith(*command).code == 0
    (out / "checkpoints" / "step-00000012" / "optimizer.safetensors").write_bytes(b"no")
    done = gapsmith(*command, "--set", "run.steps=14")
    assert done.code == 1
    assert "step-00000012" in done.err


def test_accuracy_on_the_bank_is_measured_at_every_evaluation(
    corpus: Path, gpt2_config: Path, gapsmith: Program, tmp_path: Path
) -> None:
    workspace, out = tmp_path / "ws", tmp_path / "out"
    assert gapsmith("init", workspace).code == 0
    assert gapsmith("generate", "embedded_wh", "-n", 4, "--seed", 1, "--provider", "lexicon", "-w", workspace).code == 0
    command = ("train", "lm", corpus, "-c", gpt2_config, "-o", out, "-w", workspace, "--evaluate", "embedded_wh")
    nothing = gapsmith(*command)
    assert nothing.code == 1
    assert "approved" in nothing.err
    done = gapsmith(*command, "--all", "--set", "rows.length=64")
    assert done.code == 0, done.err
    measured = [(entry["step"], entry["measured"]) for entry in entries(out) if "measured" in entry]
    assert [step for step, _ in measured] == [4, 8, 12]
    assert set(measured[0][1]) >= {"embedded_wh W1", "embedded_wh W2"}
    assert all(value is None or 0.0 <= value <= 1.0 for _, values in measured for value in values.values())
    # The accuracies are those that `analyze` gives for the finished model, and the bank itself has no score of a checkpoint.
    assert gapsmith("score", "--model", out, "--all", "-w", workspace).code == 0
    analysed = gapsmith("analyze", "-p", "embedded_wh", "--all", "--model", out, "--json", "-w", workspace)
    assert analysed.code == 0, analysed.err
    assert analysed.err.count("Several scorers") == 0
    found = results(analysed.out)
    contrasts = {entry["contrast"]["name"]: entry for entry in _contrasts(found)}
    assert contrasts["W1"]["accuracy"]["estimate"] == measured[-1][1]["embedded_wh W1"]


def _contrasts(found: Any) -> list[dict[str, Any]]:
    """The objects that describe a contrast, wherever they are."""
    if isinstance(found, dict):
        own = [found] if {"contrast", "accuracy"} <= set(found) else []
        return own + [entry for value in found.values() for entry in _contrasts(value)]
    return [entry for value in found for entry in _contrasts(value)] if isinstance(found, list) else []


@pytest.mark.full
def test_two_processes_train_what_one_does(corpus: Path, gpt2_config: Path, gapsmith: Program, tmp_path: Path) -> None:
    """Under ``accelerate launch`` on two processors; nothing is random in a network without dropout."""
    pytest.importorskip("accelerate", reason="needs the extra accelerate")
    script = tmp_path / "program.py"
    script.write_text("from gapsmith.app.cli.app import main\n\nmain()\n")
    options = ("-c", gpt2_config, "--set", "network.dropout=0.0", "--set", "run.steps=6", "--device", "cpu")
    launch = [
        sys.executable,
        "-m",
        "accelerate.commands.launch",
        "--cpu",
        "--num_machines",
        "1",
        "--num_processes",
        "2",
    ]
    launch += ["--mixed_precision", "no", "--dynamo_backend", "no", str(script), "train", "lm", str(corpus)]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2]), "OMP_NUM_THREADS": "1"}
    several = [*launch, *map(str, options), "--out", str(tmp_path / "two")]
    done = subprocess.run(several, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert gapsmith("train", "lm", corpus, *options, "--out", tmp_path / "one").code == 0
    for (step, loss, valid), (same, other, other_valid) in zip(losses(tmp_path / "two"), losses(tmp_path / "one"), strict=True):
        assert step == same
        assert loss == pytest.approx(other, abs=1e-4)
        assert valid == pytest.approx(other_valid, abs=1e-4)
