"""The tree of prefixes against one text at a time: values, what is run, what is shared, and when batches stand in."""

from __future__ import annotations

import importlib
import math
import random
from collections.abc import Generator, Sequence
from dataclasses import replace
from pathlib import Path
from threading import enumerate as enumerate_threads
from threading import get_ident
from typing import Any, cast

import numpy as np
import pytest

from gapsmith.bank.tokens import Tokens
from gapsmith.scoring.lm import BatchEngine, LanguageModel, Request, TreeEngine, find_source, open_engine
from gapsmith.scoring.lm.canary import tree_fault
from gapsmith.scoring.lm.errors import ModelError
from gapsmith.scoring.lm.rows import prepared
from gapsmith.scoring.lm.trie import Trie
from gapsmith.templates import BosPolicy
from gapsmith.templates.errors import ConfigError
from tests.parts import first_of
from tests.scoring.conftest import save_tiny
from tests.scoring.measuring import bits

SIZES = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "max_position_embeddings": 1100}
ROTARY = SIZES | {"intermediate_size": 64, "num_key_value_heads": 2}
ARCHITECTURES: dict[str, dict[str, Any]] = {
    "GPT2": {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 1100},
    "GPTNeoX": SIZES | {"intermediate_size": 64, "rotary_pct": 0.25},
    "OPT": SIZES | {"ffn_dim": 64, "word_embed_proj_dim": 16},
    "Llama": ROTARY,
    "Qwen2": ROTARY,
    "Qwen3": ROTARY | {"head_dim": 8},
}

FRAMES = (
    "I know who the story about is likely to amuse soon.",
    "I know who the story about is likely to amuse you soon.",
    "I know who the story about Mary is likely to amuse soon.",
    "I know that the story about Mary is likely to amuse you soon.",
    "I know who the story about is likely to amuse soon",
    "I know who the story about",
    "Soon.",
    "I",
    "Sunrise",
    "They'll remember whom we've met in 1987, won't they?",
    "The naïve waiter — 😀 — brought 日本 to Zoë's café.",
    "  two  spaces, and a\ttab \n",
)
LONG = " ".join(["The lion devoured the gazelle at sunrise, and nobody said that it was a pity."] * 48)
# Of 1,000 tokens and a few more.
CONTEXTS = ("It rained.", "It rained. They left.", LONG, LONG + " It rained.", LONG[:2000])
REQUESTS = (
    *(Request(text) for text in FRAMES),
    *(Request(text) for text in FRAMES[:3]),
    *(Request(text, context) for context in CONTEXTS for text in FRAMES[: 4 if len(context) < 100 else 2]),
    Request("Soon.", context=FRAMES[0]),
)


@pytest.fixture(scope="module", params=list(ARCHITECTURES))
def model_directory(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random model of each architecture that a tree is for."""
    name: str = request.param
    return save_tiny(tmp_path_factory.mktemp(name), name, spread=0.15, **ARCHITECTURES[name])


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random GPT-2."""
    return save_tiny(tmp_path_factory.mktemp("tree"), "GPT2", **ARCHITECTURES["GPT2"])


def scored(engine: TreeEngine | BatchEngine, requests: Sequence[Request]) -> dict[tuple[str, str], Tokens]:
    """By context and text."""
    return {(tokens.context, tokens.text): tokens for chunk in engine.score(requests) for tokens in chunk}


def tree(directory: Path, *, stretch: int = 256, bos: BosPolicy = BosPolicy.BOS) -> TreeEngine:
    """The engine, which must not fall back."""
    return TreeEngine(LanguageModel(find_source(str(directory)), device="cpu", bos=bos), notice=pytest.fail, stretch=stretch)


def one_text(network: Any, tokenizer: Any, request: Request, *, bos: bool) -> list[float | None]:
    """-log2 p by one forward pass over context and text alone: no mask, no positions, no cache; softmax in float64."""
    import torch

    tokenizer.encode_special_tokens = True
    before = tokenizer.encode(request.context, add_special_tokens=False).ids if request.context else []
    joined = f"{request.context} {request.text}" if request.context else request.text
    ids = tokenizer.encode(joined, add_special_tokens=False).ids
    assert ids[: len(before)] == before
    ids = [0, *ids] if bos else ids
    first = len(before) + bos
    start = max(first, 1)
    with torch.inference_mode():
        logs = torch.log_softmax(network(torch.tensor([ids])).logits[0, start - 1 :].double(), -1)
    values: list[float | None] = [-float(logs[place - start, ids[place]]) / math.log(2.0) for place in range(start, len(ids))]
    return [None, *values] if first == 0 else values


def distance(a: Sequence[float | None], b: Sequence[float | None]) -> float:
    """The largest difference; infinite where they are not defined at the same places."""
    if [value is None for value in a] != [value is None for value in b]:
        return math.inf
    pairs = [(x, y) for x, y in zip(a, b, strict=True) if x is not None and y is not None]
    return max((abs(x - y) for x, y in pairs), default=0.0)


@pytest.mark.parametrize("bos", first_of(BosPolicy))
def test_every_token_is_what_one_text_at_a_time_gives(model_directory: Path, bos: BosPolicy) -> None:
    transformers: Any = importlib.import_module("transformers")
    network = transformers.AutoModelForCausalLM.from_pretrained(model_directory).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(model_directory).backend_tokenizer
    found = scored(tree(model_directory, bos=bos), REQUESTS)
    assert len(found) == len({(request.context, request.text) for request in REQUESTS})
    n_long = 0
    for request in REQUESTS:
        tokens = found[request.context, request.text]
        spaced = bos is BosPolicy.SPACE and not request.context
        read = replace(request, text=f" {request.text}") if spaced else request
        expected = one_text(network, tokenizer, read, bos=bos is not BosPolicy.NONE)
        if len(expected) == 1 and bos is BosPolicy.NONE and not request.context:
            assert "without BOS" in (tokens.reason or "")
        assert distance(bits(tokens), expected) < 1e-4, request
        n_long += len(request.context) >= len(LONG)
    assert n_long == 4


def test_no_value_depends_on_where_the_stretches_are_cut(tiny: Path) -> None:
    requests = [*REQUESTS[:18], Request("Soon.", CONTEXTS[1], boundary=True), Request("Soon.", boundary=True)]
    whole = scored(tree(tiny), requests)
    for stretch in (1, 2, 5, 31):
        cut = scored(tree(tiny, stretch=stretch), requests)
        for key, tokens in whole.items():
            assert distance(bits(cut[key]), bits(tokens)) < 1e-4
            if tokens.boundary is not None:
                assert cut[key].boundary == pytest.approx(tokens.boundary, abs=1e-4)


def side_by_side(directory: Path, monkeypatch: pytest.MonkeyPatch) -> TreeEngine:
    """The engine, with few texts enough for tries that run side by side, and small stretches."""
    monkeypatch.setattr("gapsmith.scoring.lm.tree.STREAM_TEXTS", 4)
    return tree(directory, stretch=5)


def test_tries_side_by_side_give_the_same(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    alone = scored(tree(tiny), REQUESTS)
    n_threads = torch.get_num_threads()
    torch.set_num_threads(3)
    try:
        engine, threads = side_by_side(tiny, monkeypatch), set[int]()
        chunks = engine.score(REQUESTS)
        first = next(chunks)
        engine.language_model.network.base_model.register_forward_hook(lambda *_: threads.add(get_ident()))
        together = [*first, *(tokens for chunk in chunks for tokens in chunk)]
        assert torch.get_num_threads() == 3
    finally:
        torch.set_num_threads(n_threads)
    assert len(threads) > 1
    assert get_ident() not in threads
    assert len(together) == len(alone)
    for tokens in together:
        assert distance(bits(tokens), bits(alone[tokens.context, tokens.text])) < 1e-4


@pytest.mark.parametrize("end", ["closed", "failed"])
def test_nothing_runs_on_when_tries_side_by_side_are_left(tiny: Path, end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    n_threads, precision = torch.get_num_threads(), torch.get_float32_matmul_precision()
    torch.set_num_threads(2)
    torch.set_float32_matmul_precision("medium")
    before = set(enumerate_threads())

    def fails(*_: object) -> None:
        raise torch.OutOfMemoryError

    try:
        engine = side_by_side(tiny, monkeypatch)
        chunks = cast("Generator[list[Tokens]]", engine.score(REQUESTS))
        assert next(chunks)
        if end == "closed":
            chunks.close()
        else:
            engine.language_model.network.base_model.register_forward_hook(fails)
            with pytest.raises(ModelError, match="do not fit into the memory of cpu"):
                list(chunks)
        for thread in set(enumerate_threads()) - before:
            thread.join(timeout=10)
            assert not thread.is_alive()
        assert (torch.get_num_threads(), torch.get_float32_matmul_precision()) == (2, "medium")
    finally:
        torch.set_num_threads(n_threads)
        torch.set_float32_matmul_precision(precision)


def test_a_gpu_with_room_takes_a_trie_in_few_launches(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted on the processor, with the sizes of a GPU."""
    requests = [Request(f"{a} {b} {c}.") for a in FRAMES[:4] for b in FRAMES[:6] for c in FRAMES[:6]]
    launches: dict[int | None, tuple[int, int]] = {}
    values = []
    for free in (None, 2**29, 2**36):
        monkeypatch.setattr(LanguageModel, "free_on_gpu", lambda _, free=free: free)
        engine = TreeEngine(LanguageModel(find_source(str(tiny)), device="cpu"), notice=pytest.fail)
        scored(engine, requests[:1])
        network, calls = engine.language_model.network, {"body": 0, "head": 0}
        for name, module in (("body", network.base_model), ("head", network.get_output_embeddings())):
            module.register_forward_hook(lambda *_, name=name, calls=calls: calls.update({name: calls[name] + 1}))
        values.append([bits(tokens) for _, tokens in sorted(scored(engine, requests).items())])
        launches[free] = calls["body"], calls["head"]
    rows = prepared(engine.language_model, requests)[1]
    n_steps = len(Trie.from_rows(rows).step_nodes)
    assert launches[None] == (-(-n_steps // 256), -(-n_steps // 256))
    assert launches[2**29] == launches[None], "a small GPU is as a processor"
    assert launches[2**36] == (-(-n_steps // 2048), -(-n_steps // 2048))
    for one, other in zip(values[0], values[2], strict=True):
        assert distance(one, other) < 1e-4


def test_equal_values_in_whatever_order_texts_are_asked_for(tiny: Path) -> None:
    engine = tree(tiny, stretch=16)
    requests = [*REQUESTS[:20], *(Request(text, FRAMES[1], spans=((0, 5),)) for text in FRAMES[:6])]
    first = scored(engine, requests)
    shuffler = random.Random(5)
    for _ in range(20):
        shuffler.shuffle(requests)
        again = scored(engine, requests)
        assert again.keys() == first.keys()
        assert all(np.array_equal(again[key].values, first[key].values) for key in first)


class Counted:
    """How many tokens the body of a network reads, and how many rows its output layer gets."""

    def __init__(self, engine: TreeEngine) -> None:
        self.read, self.predicted, self.widest = 0, 0, 0
        list(engine.score([Request("The weights are loaded, and the canary sings.")]))
        network = engine.language_model.network
        network.base_model.wte.register_forward_hook(self._reads)
        network.get_output_embeddings().register_forward_hook(self._predicts)

    def _reads(self, _: Any, inputs: tuple[Any, ...], __: Any) -> None:
        self.read += inputs[0].numel()
        self.widest = max(self.widest, inputs[0].numel())

    def _predicts(self, _: Any, inputs: tuple[Any, ...], __: Any) -> None:
        self.predicted += inputs[0].shape[0]


def prefixes(engine: TreeEngine, requests: Sequence[Request], *, whole: bool = False) -> set[tuple[int, ...]]:
    """All that stands before a token of the requests; with `whole` the requests themselves too."""
    _, rows = prepared(engine.language_model, requests)
    return {row.ids[:n] for row in rows for n in range(1, len(row.ids) + whole)}


def test_every_prefix_runs_once_and_nothing_runs_that_predicts_nothing(tiny: Path) -> None:
    engine = tree(tiny, stretch=9)
    counted = Counted(engine)
    requests = [*(Request(text) for text in FRAMES), *(Request(text, CONTEXTS[1]) for text in FRAMES)]
    scored(engine, requests)
    assert counted.read == len(prefixes(engine, requests))
    behind = {ids[:n] for ids in _rows(engine, requests[len(FRAMES) :]) for n in range(_before(engine), len(ids))}
    alone = prefixes(engine, requests[: len(FRAMES)])
    assert counted.predicted == len(behind | alone)
    assert counted.widest <= 9
    assert len(prefixes(engine, requests)) < sum(len(ids) - 1 for ids in _rows(engine, requests)) / 1.5


def _rows(engine: TreeEngine, requests: Sequence[Request]) -> list[tuple[int, ...]]:
    return [row.ids for row in prepared(engine.language_model, requests)[1]]


def _before(engine: TreeEngine) -> int:
    (row,) = prepared(engine.language_model, [Request("Soon.", CONTEXTS[1])])[1]
    return row.first


def test_what_may_follow_a_text_costs_a_pass_only_where_it_is_wanted(tiny: Path) -> None:
    engine = tree(tiny)
    counted = Counted(engine)
    requests = [Request(text, boundary=True) for text in FRAMES[:6]]
    scored(engine, requests)
    assert counted.read == counted.predicted == len(prefixes(engine, requests, whole=True))


def test_wanted_characters_only(tiny: Path) -> None:
    engine = tree(tiny)
    text = FRAMES[1]
    at = text.index("you")
    full = scored(engine, [Request(text)])["", text]
    counted = Counted(engine)
    part = scored(engine, [Request(text, spans=((at, at + 3), (0, 1)))])["", text]
    assert part.asked is not None
    wanted = [text[start:end].strip() for (start, end), asked in zip(part.spans, part.asked, strict=True) if asked]
    assert wanted == ["I", "you"]
    assert part.reason is None
    assert part.values[part.asked] == pytest.approx(full.values[part.asked], abs=1e-5)
    assert not part.values[~part.asked].any()
    assert counted.predicted == 2
    assert counted.read == part.asked.nonzero()[0][-1] + 1
    batches = scored(BatchEngine(engine.language_model), [Request(text, spans=((at, at + 3), (0, 1)))])["", text]
    assert batches.asked is not None
    assert np.array_equal(batches.asked, part.asked)
    assert batches.values == pytest.approx(part.values, abs=1e-5)


def test_prefixes_run_once_also_where_only_some_characters_are_wanted(tiny: Path) -> None:
    """What follows the wanted characters is cut off, so that texts in order of all their tokens would be out of order."""
    engine = tree(tiny)
    counted = Counted(engine)
    beginning = "I know who the story"
    texts = [f"{beginning} {rest}" for rest in ("about is old.", "about Mary is old.", "is new.", "was told.", "will amuse.")]
    requests = [Request(text, spans=((len(beginning), len(beginning) + 1 + n % 3 * 9),)) for n, text in enumerate(texts)]
    requests += [Request(text, spans=((0, 6),)) for text in FRAMES[:4]]
    asked = {key: tokens.asked for key, tokens in scored(engine, requests).items()}
    before = set()
    for row in prepared(engine.language_model, requests)[1]:
        own = asked[row.text.context, row.text.text]
        last = len(row.text.ids) - 1 if own is None else int(own.nonzero()[0][-1])
        before |= {row.ids[:n] for n in range(1, row.first + last + 1)}
    assert counted.read == len(before)


def test_several_wishes_for_one_text_are_one_answer(tiny: Path) -> None:
    engine = tree(tiny)
    wishes = [Request("I know.", spans=((0, 1),)), Request("I know.", spans=((6, 7),), boundary=True)]
    (tokens,) = (tokens for chunk in engine.score(wishes) for tokens in chunk)
    assert (tokens.asked is not None and tokens.asked.tolist()) == [True, False, True]
    assert tokens.boundary is not None
    (whole,) = (tokens for chunk in engine.score([*wishes, Request("I know.")]) for tokens in chunk)
    assert whole.asked is None


def test_characters_that_no_token_begins_in_are_no_fault(tiny: Path) -> None:
    for engine in (tree(tiny), BatchEngine(tree(tiny).language_model)):
        (tokens,) = (tokens for chunk in engine.score([Request("I know.", spans=((3, 5),))]) for tokens in chunk)
        assert tokens.asked is not None
        assert not tokens.asked.any()
        assert tokens.reason is None


def test_context_and_text_are_joined_by_one_space_and_offsets_are_of_the_text(tiny: Path) -> None:
    engine = tree(tiny)
    text, context = "They saw John's “dog”.", "It rained."
    behind, joined = scored(engine, [Request(text, context)])[context, text], f"{context} {text}"
    whole = scored(engine, [Request(joined)])["", joined]
    n = len(behind.values)
    assert (behind.ids or ()) == (whole.ids or ())[-n:]
    assert behind.values == pytest.approx(whole.values[-n:], abs=1e-5)
    begin = len(context) + 1
    assert np.array_equal(behind.spans, np.maximum(whole.spans[-n:] - begin, 0))
    assert behind.spans[0].tolist() == [0, 4]


def test_what_is_longer_than_the_window_is_named(tiny_gpt2: Path) -> None:
    requests = [Request("a" + " a" * 70), Request("Soon.", context="a" + " a" * 63), Request("Soon.")]
    found = scored(tree(tiny_gpt2), requests)
    assert "71 tokens, more than the model's window of 64" in (found["", requests[0].text].reason or "")
    assert "3 tokens behind a context of 64, more than" in (found[requests[1].context, "Soon."].reason or "")
    for key in (("", requests[0].text), (requests[1].context, "Soon.")):
        assert set(bits(found[key])) == {None}
    assert None not in bits(found["", "Soon."])
    for bos, most in ((BosPolicy.BOS, 64), (BosPolicy.NONE, 65)):
        fits = "a" + " a" * (most - 1)
        own = scored(tree(tiny_gpt2, bos=bos), [Request(fits)])["", fits]
        assert bits(own)[-1] is not None


def test_attention_that_adds_its_mask_gives_the_same(tmp_path: Path) -> None:
    """Eager attention adds whatever mask it is given, so that a boolean one is wrong by half a bit without an error."""
    save_tiny(tmp_path, "OPT", spread=0.15, **ARCHITECTURES["OPT"])
    plain, eager = tree(tmp_path), tree(tmp_path)
    eager.language_model.network.set_attn_implementation("eager")
    expected = scored(plain, REQUESTS[:14])
    for key, tokens in scored(eager, REQUESTS[:14]).items():
        assert distance(bits(tokens), bits(expected[key])) < 1e-4


def _ignore_mask(kwargs: dict[str, Any]) -> dict[str, Any]:
    return kwargs | {"attention_mask": None}


def _ignore_positions(kwargs: dict[str, Any]) -> dict[str, Any]:
    return kwargs | {"position_ids": None}


def _see_all(kwargs: dict[str, Any]) -> dict[str, Any]:
    mask = kwargs["attention_mask"]
    return kwargs | {"attention_mask": mask * 0.0 if mask is not None and mask.ndim == 4 else mask}


def _refuse(kwargs: dict[str, Any]) -> dict[str, Any]:
    if getattr(kwargs["attention_mask"], "ndim", 2) == 4:
        raise ValueError("masks of four dimensions are not taken")
    return kwargs


@pytest.mark.parametrize("damage", [_ignore_mask, _ignore_positions, _see_all, _refuse])
def test_a_model_that_misreads_the_tree_is_noticed_and_run_in_batches(tiny: Path, damage: Any) -> None:
    told: list[str] = []
    model = LanguageModel(find_source(str(tiny)), device="cpu")
    body = model.network.base_model
    whole, body.forward = body.forward, lambda *ids, **kwargs: whole(*ids, **damage(kwargs))
    engine = TreeEngine(model, notice=told.append)
    found = scored(engine, REQUESTS[:6])
    assert len(told) == 1
    assert str(tiny) in told[0]
    assert engine.provenance["engine"] == "batches/1"
    assert engine.provenance["instead_of"] == "tree/1"
    body.forward = whole
    for key, tokens in scored(tree(tiny), REQUESTS[:6]).items():
        assert distance(bits(found[key]), bits(tokens)) < 1e-4
    scored(engine, REQUESTS[:1])
    assert len(told) == 1


def test_a_sound_tree_has_no_fault(tiny: Path) -> None:
    engine = tree(tiny)
    assert tree_fault(engine.language_model, lambda rows: list(engine._run(Trie.from_rows(rows), 3))) is None


def test_engines_by_name(tiny: Path, tmp_path: Path) -> None:
    assert open_engine(str(tiny)).provenance["engine"] == "tree/1"
    assert open_engine(str(tiny), engine="batches").provenance["engine"] == "batches/1"
    assert open_engine(str(tiny)).identity == open_engine(str(tiny), engine="batches").identity
    with pytest.raises(ConfigError, match="no engine 'trees'"):
        open_engine(str(tiny), engine="trees")
    with pytest.raises(ConfigError, match="stretch of 0"):
        tree(tiny, stretch=0)
    save_tiny(tmp_path, "Bloom", hidden_size=32, n_layer=2, n_head=4)
    with pytest.raises(ConfigError, match="models of kind bloom"):
        open_engine(str(tmp_path), engine="tree")
