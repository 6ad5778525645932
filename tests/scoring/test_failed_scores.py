"""A score that failed fails at every run and at every door that scores; what is undefined by nature does not."""

from __future__ import annotations

import ast
import importlib
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gapsmith as gapsmith_package
from gapsmith.app.workspace import make_workspace, open_workspace
from gapsmith.bank import Bank, Tokens
from gapsmith.bank.records import ItemFilter
from gapsmith.bank.undefined import NO_WORDS, NOTHING_BEFORE, PART, has_failed, over_window, together
from gapsmith.scoring import accuracy_by_step
from gapsmith.scoring.lm import Request, open_engine
from gapsmith.scoring.observations import measured_text
from gapsmith.scoring.score_run import FailedScoresError, score_selected, select_texts
from gapsmith.templates import BosPolicy
from gapsmith.templates.measures import corrected_bits
from tests.conftest import CommandOutcome
from tests.printed import result
from tests.rooms import ROOMS, trees_of, walked
from tests.scoring.analysing import filled_bank
from tests.scoring.conftest import save_tiny_gpt2

Run = Callable[..., CommandOutcome]
PARADIGM = "embedded_wh"
N_TEXTS = 16


def save_broken(folder: Path, *, token: int | None = None) -> Path:
    """A model that gives no numbers: at all, or from one token on."""
    import torch

    save_tiny_gpt2(folder, n_positions=128)
    loader: Any = importlib.import_module("transformers").GPT2LMHeadModel
    network = loader.from_pretrained(folder)
    with torch.no_grad():
        if token is None:
            network.transformer.wpe.weight[0] = float("nan")
        else:
            # Weights that the head does not share, so that only what is read after the token is lost.
            network.config.tie_word_embeddings = False
            network.lm_head.weight = torch.nn.Parameter(network.lm_head.weight.detach().clone())
            network.transformer.wte.weight[token] = float("nan")
    network.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_broken(tmp_path_factory.mktemp("broken"))


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with approved items of one paradigm."""
    folder = tmp_path_factory.mktemp("filled")
    make_workspace(folder)
    (folder / "bank.sqlite").unlink(missing_ok=True)
    filled_bank(folder / "bank.sqlite", PARADIGM, 4).close()
    return folder


@pytest.fixture
def workspace(filled: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(filled, tmp_path / "study"))


@pytest.fixture
def bank(workspace: Path) -> Iterator[Bank]:
    with Bank.open(workspace / "bank.sqlite") as opened:
        yield opened


def by_command(workspace: Path, broken: Path, gapsmith: Run) -> None:
    for _ in range(2):
        done = gapsmith("score", "-m", broken, "--device", "cpu", "-w", workspace, "--json")
        assert (done.code, "no finite probability" in done.err) == (1, True), done.err
        report = result(done.out)
        assert len(report["failed"]) == len(report["without_value"]) == report["texts"] == N_TEXTS
        assert "another number format" in done.err
    assert "Traceback" not in done.err


def by_function(workspace: Path, broken: Path, _run: Run) -> None:
    for _ in range(2):
        with (
            open_workspace(workspace) as study,
            pytest.raises(FailedScoresError, match="no finite probability") as caught,
        ):
            gapsmith_package.score(study, str(broken), device="cpu")
        assert caught.value.exit_code == 1
        assert len(caught.value.report.failed) == N_TEXTS


def by_context_study(workspace: Path, broken: Path, gapsmith: Run) -> None:
    for _ in range(2):
        command = ("study", "context", "-m", broken, "--device", "cpu", "--lengths", "20", "--all", "-w", workspace)
        done = gapsmith(*command, "--perturbed", "0", "--crossed", "0")
        assert (done.code, "no finite probability" in done.err) == (1, True), done.err
        assert not (workspace / "study" / "contexts.md").exists()
    assert "Traceback" not in done.err


def by_training(workspace: Path, broken: Path, _run: Run) -> None:
    said: list[str] = []
    bank_file = workspace / "bank.sqlite"
    with accuracy_by_step(bank_file, [PARADIGM], device="cpu", say=said.append) as measure:
        for _ in range(2):
            found = measure(broken)
            assert found
            assert set(found.values()) == {None}
    assert len(said) == 2
    assert all("no finite probability" in one for one in said)


DOORS: dict[str, Callable[[Path, Path, Run], None]] = {
    "app/stages/scoring.py": by_command,
    "app/stages/scoring.py, from Python": by_function,
    "app/context_studies.py": by_context_study,
    "scoring/learning_curve.py": by_training,
}
"""What scores, by the module that calls the run."""


def callers(name: str) -> set[str]:
    """The modules of ours that call a function of that name."""
    found = set()
    for module, tree in trees_of(*ROOMS, "tools"):
        for node in walked(tree):
            called = node.func if isinstance(node, ast.Call) else None
            if name in (getattr(called, "id", ""), getattr(called, "attr", "")):
                found.add(module)
    return found


def test_every_door_that_scores_is_walked_here() -> None:
    assert callers("score_selected") == {door.partition(",")[0] for door in DOORS}


@pytest.mark.parametrize("door", DOORS)
def test_what_failed_fails_at_every_door_and_every_run(door: str, workspace: Path, broken: Path, gapsmith: Run) -> None:
    DOORS[door](workspace, broken, gapsmith)


def test_what_failed_only_in_part_fails_too_and_the_rest_is_kept(bank: Bank, tmp_path: Path) -> None:
    texts = select_texts(bank, ItemFilter()).texts
    whole = open_engine(str(save_tiny_gpt2(tmp_path / "whole", n_positions=128)), device="cpu")
    ids = [whole_tokens.ids or () for chunk in whole.score([Request(text) for text in texts]) for whole_tokens in chunk]
    # A token that some of the sentences have and others have not.
    token = next(own for own in ids[0] if 0 < sum(own in other for other in ids) < len(ids))
    engine = open_engine(str(save_broken(tmp_path / "partly", token=token)), device="cpu", engine="batches")
    for _ in range(2):
        with pytest.raises(FailedScoresError, match=r"failed for \d+ of 16 sentences") as caught:
            score_selected(bank, engine, select_texts(bank, ItemFilter()))
        report = caught.value.report
        assert set(report.failed) == set(report.partial) | set(report.undefined)
        assert 0 < len(report.failed) < len(texts)
        assert report.n_present + report.n_scored == len(texts)
    assert report.n_scored == len(report.failed), "what failed is tried again, and nothing else"


class Mending:
    """A scorer that fails for some sentences, until it is mended."""

    model, revision = "mending", "1"

    def __init__(self, fails: Sequence[str], reason: str = "the graphics card was taken away") -> None:
        self.identity = {"model": self.model}
        self.provenance = {"engine": "mending"}
        self.fails, self.reason = fails, reason

    def pieces(self, ids: Sequence[int]) -> tuple[str, ...]:
        return tuple(map(str, ids))

    def score(self, requests: Sequence[Any]) -> Iterator[list[Tokens]]:
        for request in requests:
            if request.text in self.fails:
                nothing = np.zeros(0, dtype=np.float32)
                yield [Tokens(request.text, request.context, np.zeros((0, 2), dtype=np.int32), (), nothing, reason=self.reason)]
            else:
                spans = np.array([[0, len(request.text)]], dtype=np.int32)
                yield [Tokens(request.text, request.context, spans, (1,), np.ones(1, dtype=np.float32))]


def test_what_failed_is_measured_once_it_can_be(bank: Bank) -> None:
    selected = select_texts(bank, ItemFilter())
    engine: Any = Mending(selected.texts[:3])
    with pytest.raises(FailedScoresError, match="graphics card"):
        score_selected(bank, engine, selected)
    engine.fails = ()
    report = score_selected(bank, engine, selected)
    assert (report.n_present, report.n_scored, dict(report.failed)) == (N_TEXTS - 3, 3, {})
    assert all(own.n_values == 1 for own in bank.scores.get(report.scorer_id, selected.texts).values())
    assert score_selected(bank, engine, selected).n_scored == 0


def test_what_is_undefined_by_nature_is_told_at_every_run_and_is_no_failure(bank: Bank, tmp_path: Path) -> None:
    selected = select_texts(bank, ItemFilter())
    model = save_tiny_gpt2(tmp_path / "model", n_positions=128)
    engine = open_engine(str(model), device="cpu", bos=BosPolicy.NONE)
    for _ in range(2):
        report = score_selected(bank, engine, selected)
        assert set(report.partial) == set(selected.texts)
        assert not report.failed
    assert report.n_scored == 0


def test_where_no_sentence_has_a_value_the_run_fails_every_time(bank: Bank, tmp_path: Path) -> None:
    engine = open_engine(str(save_tiny_gpt2(tmp_path / "narrow", n_positions=4)), device="cpu")
    for _ in range(2):
        with pytest.raises(FailedScoresError, match=r"none of the 16 sentences has a value: .*window of 4") as caught:
            score_selected(bank, engine, select_texts(bank, ItemFilter()))
        assert not caught.value.report.failed


@pytest.mark.parametrize(
    ("reason", "failed"),
    [
        (NOTHING_BEFORE, False),
        (NO_WORDS, False),
        (PART, False),
        (over_window(90, 0, 64), False),
        (over_window(90, 12, 64), False),
        ("the model gave no finite probability for 2 of 9 tokens, the first of them 'Ġknow'", True),
        (
            together("the model gave no finite probability for 2 of 9 tokens, the first of them 'a'", NOTHING_BEFORE),
            True,
        ),
        ("the tokenizer gave token 9000, the model knows 8192: they do not belong together", True),
        ("something that no engine of ours says", True),
    ],
)
def test_which_reasons_are_failures(reason: str, failed: bool) -> None:
    assert has_failed(reason) is failed


@pytest.mark.parametrize("first", [{"critical_only": True, "boundary": True}, {"critical_only": False, "boundary": False}])
def test_the_mass_of_boundaries_is_never_taken_for_0_where_it_was_not_measured(
    bank: Bank, tmp_path: Path, first: dict[str, bool]
) -> None:
    """Parts with the mass and without it, one after the other, come to what one run with it comes to."""
    engine = open_engine(str(save_tiny_gpt2(tmp_path / "model", n_positions=128)), device="cpu")
    part = select_texts(bank, ItemFilter(), critical_only=first["critical_only"])
    score_selected(bank, engine, part, boundary=first["boundary"])
    rest = select_texts(bank, ItemFilter(), critical_only=not first["critical_only"])
    report = score_selected(bank, engine, rest, boundary=not first["boundary"])
    texts = select_texts(bank, ItemFilter()).texts
    kept = bank.scores.get(report.scorer_id, texts)
    alone = {own.text: own for chunk in engine.score([Request(t, boundary=True) for t in texts]) for own in chunk}
    for text in texts:
        assert kept[text].n_values == len(kept[text].values)
        expected = corrected_bits(measured_text(alone[text]))
        assert corrected_bits(measured_text(kept[text])).tolist() == pytest.approx(expected.tolist(), abs=1e-3)
