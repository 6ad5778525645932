"""What multiplies: packed products give what the default ones give, and which is taken is measured once and kept."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import gapsmith as api
from gapsmith.app.stages.scoring import in_words
from gapsmith.scoring.lm import KERNELS, ModelError, Request, kernel_cache, kernels, known_choices, open_engine
from gapsmith.templates import ConfigError
from tests.scoring.conftest import save_tiny, save_tiny_gpt2
from tests.scoring.measuring import bits, defined_bits, measured

TEXTS = (
    "I know who the story about is likely to amuse soon.",
    "I know who the story about Mary is likely to amuse soon.",
    "Soon.",
)
SIZES = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "max_position_embeddings": 64}
ROTARY = SIZES | {"intermediate_size": 64, "num_key_value_heads": 2}
ARCHITECTURES: dict[str, dict[str, Any]] = {
    "GPT2": {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 64},
    "GPTNeoX": SIZES | {"intermediate_size": 64},
    "OPT": SIZES | {"ffn_dim": 64, "word_embed_proj_dim": 32},
    "Llama": ROTARY,
    "Qwen2": ROTARY,
}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of this test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return kernel_cache()


def plain(network: Any, ids: list[int]) -> list[float]:
    """Bits of all tokens but the first, one at a time, with nothing kept or padded."""
    import torch

    found = []
    for place in range(1, len(ids)):
        with torch.inference_mode():
            logits = network(torch.tensor([ids[:place]])).logits[0, -1]
        found.append(-float(torch.log_softmax(logits, 0)[ids[place]]) / math.log(2.0))
    return found


def a_choice(kernel: str) -> Callable[[Sequence[tuple[int, int]]], kernels.KernelChoice]:
    return lambda shapes: kernels.KernelChoice(kernel, 2.0, 5e-7, 3e-7, tuple(shapes))


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_packed_products_equal_plain_loops_in_float64(architecture: str, tmp_path: Path) -> None:
    """By tree, by batches and by the bare network."""
    import torch
    from transformers import AutoModelForCausalLM

    save_tiny(tmp_path, architecture, **ARCHITECTURES[architecture])
    loader: Any = AutoModelForCausalLM
    exact = loader.from_pretrained(tmp_path, dtype=torch.float64).eval()
    expected: dict[str, list[float]] = {}
    for engine in ("tree", "batches"):
        opened: Any = open_engine(str(tmp_path), engine=engine, device="cpu", kernel="packed", batch_size=2)
        found = measured(opened, TEXTS)
        assert opened.provenance["engine"] == f"{engine}/1"
        assert opened.provenance["kernel"] == "packed"
        network = opened.language_model.network
        assert not [layer for layer in network.modules() if type(layer).__name__ in ("Linear", "Conv1D", "OutputLayer")]
        for tokens in found.values():
            ids = [0, *(tokens.ids or ())]
            expected.setdefault(tokens.text, plain(exact, ids))
            for place, value in enumerate(bits(tokens), 1):
                assert value == pytest.approx(expected[tokens.text][place - 1], abs=1e-4)
            with torch.inference_mode():
                bare = torch.log_softmax(network(torch.tensor([ids[:-1]])).logits[0, -1].double(), 0)
            assert -float(bare[ids[-1]]) / math.log(2.0) == pytest.approx(bits(tokens)[-1], abs=1e-4)


def test_kernels_in_float32_are_one_scorer_and_bf16_is_another(tiny_gpt2: Path) -> None:
    told: list[str] = []
    engines = {kernel: open_engine(str(tiny_gpt2), device="cpu", kernel=kernel, notice=told.append) for kernel in KERNELS}
    identities = {kernel: dict(engine.identity) for kernel, engine in engines.items()}
    assert identities["auto"] == identities["default"] == identities["packed"]
    assert identities["bf16"] == identities["default"] | {"dtype": "float32, bf16 products"}
    list(engines["bf16"].score([Request(TEXTS[0])]))
    assert engines["bf16"].provenance["rounding"]["measured"]
    assert "in float32, bf16 products values are rounded" in " ".join(told)


def test_a_model_that_reads_few_tokens_at_a_time_is_packed_too(tmp_path: Path) -> None:
    save_tiny_gpt2(tmp_path, n_positions=8)
    opened: Any = open_engine(str(tmp_path), device="cpu", kernel="packed")
    assert len(measured(opened, ["the cat"])) == 1
    assert opened.provenance["kernel"] == "packed"


def test_no_engine_multiplies_with_fewer_bits_because_the_process_may(tiny_gpt2: Path) -> None:
    import torch

    backends: Any = torch.backends
    places = (backends.mkldnn.matmul, backends.cuda.matmul, backends.cudnn.conv, backends.cudnn.rnn)
    seen: list[str] = []
    for kernel, engine in (("default", "tree"), ("default", "batches"), ("packed", "tree"), ("packed", "batches")):
        opened: Any = open_engine(str(tiny_gpt2), engine=engine, device="cpu", kernel=kernel)
        before = measured(opened, TEXTS)
        opened.language_model.network.base_model.register_forward_hook(
            lambda *_: seen.extend(place.fp32_precision for place in places)
        )
        torch.set_float32_matmul_precision("medium")
        try:
            for text, tokens in measured(opened, TEXTS).items():
                assert defined_bits(tokens) == pytest.approx(defined_bits(before[text]), abs=1e-5)
            assert torch.get_float32_matmul_precision() == "medium"
        finally:
            torch.set_float32_matmul_precision("highest")
    assert set(seen) == {"ieee"}


def test_the_choice_is_measured_once_and_kept(tiny_gpt2: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    times: list[tuple[tuple[int, int], ...]] = []

    def counted(shapes: tuple[tuple[int, int], ...]) -> kernels.KernelChoice:
        times.append(shapes)
        return a_choice("packed")(shapes)

    monkeypatch.setattr(kernels, "measure", counted)
    for _ in range(2):
        opened = open_engine(str(tiny_gpt2), device="cpu", kernel="auto")
        measured(opened, TEXTS)
        assert opened.provenance["kernel"] == "packed"
    assert times == [((32, 32), (32, 8192))], "once, for the smallest and the largest matrix"
    assert [choice.kernel for choice in known_choices()] == ["packed"]
    assert not [path for path in cache.parent.iterdir() if path != cache], "nothing half written stays"


@pytest.mark.parametrize("broken", ["", "{", '{"choices": [1]}', '{"choices": {"KEY": {"kernel": "fastest"}}}', "[]"])
def test_a_broken_cache_is_made_again(broken: str, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "measure", a_choice("packed"))
    shapes = ((32, 32), (32, 64))
    kernels.chosen_for(shapes)
    (key,) = json.loads(cache.read_text("utf-8"))["choices"]
    cache.write_text(broken.replace("KEY", key.replace('"', "")), "utf-8")
    monkeypatch.setattr(kernels, "measure", a_choice("default"))
    assert kernels.chosen_for(shapes).kernel == "default"
    assert [choice.kernel for choice in known_choices()] == ["default"]


def test_what_was_chosen_elsewhere_is_not_taken(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another processor, version of torch, or model has its own choice."""
    monkeypatch.setattr(kernels, "measure", a_choice("packed"))
    kernels.chosen_for(((32, 32), (32, 64)))
    kernels.chosen_for(((32, 32), (32, 128)))
    monkeypatch.setattr(kernels, "_processor", lambda: "another processor")
    kernels.chosen_for(((32, 32), (32, 64)))
    assert len(json.loads(cache.read_text("utf-8"))["choices"]) == 3
    assert len(known_choices()) == 1


def test_the_measured_choice_keeps_to_the_rule() -> None:
    found = kernels.measure(((128, 128), (256, 256)))
    is_exact = found.bits <= 2 * found.default_bits + kernels.MORE_BITS
    assert (found.kernel == "packed") is (found.times_as_fast >= kernels.FASTER and is_exact)
    assert 0 < found.default_bits < 1e-5


def test_faulty_packed_products_are_not_used_and_said(tiny_gpt2: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "measure", a_choice("packed"))
    packed = kernels.packed
    expected = measured(open_engine(str(tiny_gpt2), device="cpu", kernel="default"), TEXTS)

    def spoilt(network: Any, kernel: str) -> Any:
        network, more = packed(network, kernel)
        network.get_output_embeddings().register_forward_hook(lambda _, __, logits: logits * 1.5)
        return network, more

    monkeypatch.setattr(kernels, "packed", spoilt)
    opened = open_engine(str(tiny_gpt2), device="cpu", kernel="auto")
    for text, tokens in measured(opened, TEXTS).items():
        assert defined_bits(tokens) == defined_bits(expected[text])
    assert opened.provenance["kernel"] == "default"
    assert "its values differ by" in opened.provenance["kernel_because"]
    with pytest.raises(ModelError, match="cannot be run with --kernel packed: with packed products its values differ"):
        measured(open_engine(str(tiny_gpt2), device="cpu", kernel="packed"), TEXTS)


@pytest.mark.parametrize(("free", "why"), [(None, "does not say how much memory is free"), (1000, "over half of the memory")])
def test_where_copies_may_not_fit_the_default_stays_and_score_says_so(
    free: int | None, why: str, tiny_gpt2: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernels, "measure", a_choice("packed"))
    monkeypatch.setattr(kernels, "_free_memory", lambda: free)
    with api.open_workspace(tmp_path / "study", create=True) as study:
        api.generate(study, "lan_pg", 1)
        (report,) = api.score(study, str(tiny_gpt2), everything=True, device="cpu", kernel="auto").reports
    assert report.provenance["kernel"] == "default"
    assert why in next(line for line in in_words(report) if line.startswith("torch's default products"))
    # By name it is taken all the same.
    opened = open_engine(str(tiny_gpt2), device="cpu", kernel="packed")
    measured(opened, TEXTS)
    assert opened.provenance["kernel"] == "packed"


def test_a_kernel_that_is_slower_for_one_shape_is_not_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    class Clock:
        """Goes on by what a product costs."""

        now = 0.0

        def process_time(self) -> float:
            return self.now

    clock = Clock()
    monkeypatch.setattr(kernels, "time", clock)
    packing: Any = kernels._packing()
    forward = packing.forward
    linear = torch.nn.Linear.forward

    def packed(self: Any, rows: Any) -> Any:
        clock.now += cost[self.in_features][0]
        return forward(self, rows)

    def default(self: Any, rows: Any) -> Any:
        clock.now += cost[self.in_features][1]
        return linear(self, rows)

    monkeypatch.setattr(packing, "forward", packed)
    monkeypatch.setattr(torch.nn.Linear, "forward", default)
    shapes = ((256, 256), (512, 512))
    cost = {256: (3.0, 2.0), 512: (1.0, 900.0)}
    assert kernels.measure(shapes).kernel == "default"
    cost = {256: (2.0, 2.0), 512: (1.0, 900.0)}
    assert kernels.measure(shapes).kernel == "packed"


def test_a_model_without_linear_layers_says_so(tiny_gpt2: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "_linear_layers", lambda _: [])
    opened = open_engine(str(tiny_gpt2), device="cpu", kernel="auto")
    measured(opened, TEXTS)
    assert opened.provenance["kernel"] == "default"
    with pytest.raises(ModelError, match="--kernel packed cannot be used here"):
        measured(open_engine(str(tiny_gpt2), device="cpu", kernel="packed"), TEXTS)


def test_packed_weights_are_counted_and_never_saved(tiny_gpt2: Path) -> None:
    opened: Any = open_engine(str(tiny_gpt2), device="cpu", kernel="packed")
    measured(opened, TEXTS)
    # The output layer is tied to the embedding, which stays.
    assert opened.provenance["kernel_more_bytes"] >= 4 * 32 * 8192
    assert not [name for name in opened.language_model.network.state_dict() if "c_attn" in name or "lm_head" in name]


@pytest.mark.parametrize("kernel", ["packed", "bf16"])
def test_a_kernel_that_cannot_be_had_is_refused(kernel: str, tiny_gpt2: Path) -> None:
    with pytest.raises(ConfigError, match=f"--kernel {kernel} is for float32 on the processor, not for bfloat16 on cpu"):
        open_engine(str(tiny_gpt2), device="cpu", dtype="bfloat16", kernel=kernel)
    with pytest.raises(ConfigError, match="there is no kernel 'fast'"):
        open_engine(str(tiny_gpt2), device="cpu", kernel="fast")
