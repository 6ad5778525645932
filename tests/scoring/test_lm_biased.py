"""Attention biases: what the network computes by every way into it, no token of the future, and who refuses such a model."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import GPT2Config, GPT2LMHeadModel

from gapsmith.scoring.lm import (
    BatchEngine,
    BiasedGpt2Config,
    BiasedGpt2ForCausalLM,
    LanguageModel,
    Request,
    TreeEngine,
    bundled_directory,
    find_source,
    keep_attention,
    kept_attention,
)
from gapsmith.scoring.lm.canary import one_by_one, tree_fault
from gapsmith.scoring.lm.rows import prepared
from gapsmith.scoring.lm.trie import Trie
from tests.slow_gpt2 import slow_gpt2, slow_loss

SHAPE: dict[str, Any] = {
    "n_embd": 16,
    "n_layer": 2,
    "n_head": 2,
    "n_positions": 64,
    "vocab_size": 60,
    "bos_token_id": 0,
    "eos_token_id": 0,
    "initializer_range": 0.4,
}
IDS = (0, 7, 31, 7, 50, 2, 2, 19, 44, 5)
PATHS = ("eager", "sdpa")


def network(slopes: Sequence[float] | None, path: str = "eager", **shape: Any) -> Any:
    torch.manual_seed(3)
    made: Any = BiasedGpt2ForCausalLM(
        BiasedGpt2Config(**(SHAPE | shape), recency_slopes=None if slopes is None else list(slopes))
    )
    made.set_attn_implementation(path)
    return made.eval()


def vanilla(path: str) -> Any:
    torch.manual_seed(3)
    made: Any = GPT2LMHeadModel(GPT2Config(**SHAPE))
    made.set_attn_implementation(path)
    return made.eval()


def loss_and_gradients(net: Any, ids: Sequence[int] = IDS) -> tuple[torch.Tensor, list[torch.Tensor]]:
    net.zero_grad()
    row = torch.tensor([ids])
    loss = torch.nn.functional.cross_entropy(net(row).logits[0, :-1], row[0, 1:], reduction="sum")
    loss.backward()  # type: ignore[no-untyped-call]  # torch does not say its types
    return loss.detach(), [parameter.grad.clone() for parameter in net.parameters()]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("slopes", [(0.6,), (0.9, 0.3)])
def test_recency_is_its_formula_in_loss_and_gradient(path: str, slopes: tuple[float, ...]) -> None:
    net = network(slopes, path)
    fast, gradients = loss_and_gradients(net)
    net.zero_grad()
    logits, attention = slow_gpt2(net, IDS, slopes)
    slow = slow_loss(logits, IDS)
    slow.backward()  # type: ignore[no-untyped-call]  # torch does not say its types
    assert float(fast) == pytest.approx(float(slow.detach()), rel=1e-5)
    for found, parameter in zip(gradients, net.parameters(), strict=True):
        assert torch.allclose(found, parameter.grad, atol=2e-5, rtol=1e-4)
    keep_attention(net, [1], [1])
    net(torch.tensor([IDS]))
    assert torch.allclose(kept_attention(net)[0][0, 0], attention[1][1], atol=1e-6)


@pytest.mark.parametrize("path", PATHS)
def test_a_slope_of_zero_is_a_plain_gpt2_bit_for_bit_on_the_same_path(path: str) -> None:
    plain, gradients = loss_and_gradients(vanilla(path))
    for slopes in (None, [0.0], [0.0, 0.0]):
        loss, found = loss_and_gradients(network(slopes, path))
        assert torch.equal(loss, plain)
        assert all(torch.equal(a, b) for a, b in zip(found, gradients, strict=True))
    kept = network(None, path)
    keep_attention(kept, [0], [1])
    loss, _ = loss_and_gradients(kept)
    assert torch.equal(loss, plain) if path == "eager" else float(loss) == pytest.approx(float(plain), rel=1e-6)
    other, _ = loss_and_gradients(vanilla(PATHS[1 - PATHS.index(path)]))
    assert float(other) == pytest.approx(float(plain), abs=1e-6 * len(IDS), rel=1e-6)


@pytest.mark.parametrize("kept", [False, True])
@pytest.mark.parametrize("slopes", [None, (0.9, 0.3)])
@pytest.mark.parametrize("path", PATHS)
def test_no_token_sees_the_future_by_any_way_into_the_network(path: str, slopes: Any, *, kept: bool) -> None:
    net = network(slopes, path)
    keep_attention(net, [0, 1] if kept else None, [0])
    changed = (*IDS[:6], *(41, 42, 43, 44))
    both = torch.tensor([IDS, changed])
    ways: dict[str, Any] = {
        "bare": lambda rows: net(rows, use_cache=False).logits,
        "masked": lambda rows: net(rows, attention_mask=torch.ones_like(rows)).logits,
        "padded": lambda rows: net(rows, attention_mask=(torch.arange(10) < 9).long().expand(2, -1)).logits[:, :9],
        "body": lambda rows: net.base_model(rows).last_hidden_state,
    }
    with torch.inference_mode():
        for name, way in ways.items():
            first, second = way(both)
            assert torch.equal(first[:6], second[:6]), name
            assert not torch.allclose(first[6], second[6]), name
        # Token by token, with what was read before kept.
        whole, cache, steps = net(both[:1]).logits, None, []
        for token in IDS:
            out = net(torch.tensor([[token]]), cache=cache, use_cache=True)
            cache = out.cache
            steps.append(out.logits[0, 0])
        assert torch.allclose(torch.stack(steps), whole[0], atol=1e-5)


def saved(folder: Path, slopes: Sequence[float] | None) -> Path:
    network(slopes, vocab_size=8192, n_head=4).save_pretrained(folder)
    for file in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(bundled_directory() / file, folder / file)
    return folder


@pytest.mark.parametrize("slopes", [(0.6,), (0.9, 0.81, 0.5, 0.0)])
def test_tree_batches_and_single_texts_agree_on_a_biased_network(tmp_path: Path, slopes: tuple[float, ...]) -> None:
    model = LanguageModel(find_source(str(saved(tmp_path, slopes))), device="cpu")
    assert model.network.config.recency_slopes == list(slopes)
    requests = [Request(text) for text in ("The lion slept.", "The lion slept at noon.", "The gazelles", "Soon, they left.")]
    requests += [Request("Soon.", context="The lion slept at noon."), Request("They left.", context="The lion slept at noon.")]
    tree = TreeEngine(model, notice=pytest.fail, stretch=5)
    found = [
        {(own.context, own.text): own.values for chunk in engine.score(requests) for own in chunk}
        for engine in (tree, BatchEngine(model, batch_size=4))
    ]
    _, rows = prepared(model, requests)
    for row in rows:
        alone = one_by_one(model, row)[row.first - 1 :]
        for values in found:
            assert values[row.text.context, row.text.text] == pytest.approx(alone, abs=1e-4)


def test_a_tree_that_forgets_the_bias_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = LanguageModel(find_source(str(saved(tmp_path, (0.6,)))), device="cpu")
    engine = TreeEngine(model, notice=pytest.fail)
    monkeypatch.setattr(model.network, "distance_bias", lambda *_: None)
    fault = tree_fault(model, lambda rows: list(engine._run(Trie.from_rows(rows), 7)))
    assert fault is not None
    assert "differ" in fault


def test_the_bias_is_part_of_what_a_scorer_is(tmp_path: Path) -> None:
    digests = set()
    for number, slopes in enumerate((None, (0.6,), (0.0,))):
        digests.add(LanguageModel(find_source(str(saved(tmp_path / str(number), slopes))), device="cpu").identity()["weights"])
    assert len(digests) == 3


def test_other_attention_is_refused() -> None:
    net = network((0.6,))
    with pytest.raises(ValueError, match="would drop the bias"):
        net.set_attn_implementation("flash_attention_2")
    with pytest.raises(ValueError, match="slopes do not fit"):
        net.set_slopes([0.1, 0.2, 0.3])


@pytest.mark.full
def test_a_program_that_does_not_know_gapsmith_refuses_the_network(tmp_path: Path) -> None:
    network((0.6,)).save_pretrained(tmp_path)
    program = f"import transformers; transformers.AutoModelForCausalLM.from_pretrained({str(tmp_path)!r}, local_files_only=True)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "gapsmith_gpt2" in done.stderr
