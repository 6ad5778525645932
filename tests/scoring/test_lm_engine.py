"""Surprisals of the batch engine against a computation that does one text at a time and pads nothing."""

from __future__ import annotations

import importlib
import math
import shutil
from pathlib import Path
from typing import Any

import pytest

from gapsmith.scoring.lm import BatchEngine, LanguageModel, Request, find_source, in_bits, open_engine
from gapsmith.templates import BosPolicy
from gapsmith.templates.errors import ConfigError
from tests.parts import first_of
from tests.scoring.measuring import bits, defined_bits, measured, measured_one

TEXTS = (
    "I know who the story about is likely to amuse soon.",
    "I know that the story about Mary is likely to amuse Anna soon.",
    "Soon.",
    "The naïve waiter — 😀 — brought 日本 to Zoë's café.",
    "  two  spaces, and a\ttab \n",
    "they know <s> and <|endoftext|> as words",
    "A",
)


@pytest.fixture(params=["tiny_gpt2", "tiny_llama"])
def model_directory(request: pytest.FixtureRequest) -> Path:
    """Two architectures, one whose tokenizer adds BOS by itself."""
    directory: Path = request.getfixturevalue(request.param)
    return directory


def naive(directory: Path, text: str, *, bos: bool) -> list[float]:
    """-log2 p by the chain rule: one forward pass per token, float64 softmax, no mask, no positions, no padding."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer: Any = AutoTokenizer.from_pretrained(directory)
    loader: Any = AutoModelForCausalLM
    network = loader.from_pretrained(directory, dtype=torch.float32).eval()
    tokenizer.backend_tokenizer.encode_special_tokens = True
    ids = tokenizer.backend_tokenizer.encode(text, add_special_tokens=False).ids
    ids = [tokenizer.bos_token_id, *ids] if bos else ids
    values = []
    for place in range(1, len(ids)):
        with torch.inference_mode():
            last = network(torch.tensor([ids[:place]])).logits[0, -1].double()
        values.append(-float(torch.log_softmax(last, 0)[ids[place]]) / math.log(2))
    return values


@pytest.mark.parametrize("bos", first_of(BosPolicy))
def test_equals_one_text_at_a_time(model_directory: Path, bos: BosPolicy) -> None:
    found = measured(open_engine(str(model_directory), bos=bos, batch_size=4), TEXTS)
    assert set(found) == set(TEXTS)
    for text in TEXTS:
        read = f" {text}" if bos is BosPolicy.SPACE else text
        expected = naive(model_directory, read, bos=bos is not BosPolicy.NONE)
        assert defined_bits(found[text]) == pytest.approx(expected, abs=1e-4)


def test_no_value_depends_on_the_batch(model_directory: Path) -> None:
    model = LanguageModel(find_source(str(model_directory)))
    together = measured(BatchEngine(model, batch_size=len(TEXTS)), TEXTS)
    for size in (1, 2, 3):
        apart = measured(BatchEngine(model, batch_size=size), tuple(reversed(TEXTS)))
        for text in TEXTS:
            assert defined_bits(apart[text]) == pytest.approx(defined_bits(together[text]), abs=1e-4)


def test_probabilities_of_all_continuations_add_up_to_one(tiny_gpt2: Path) -> None:
    """Over one-token continuations of a context, 2 ** -bits sums to the share of the vocabulary that was tried."""
    import torch
    from transformers import AutoModelForCausalLM

    words = ("soon", "eventually", "Mary", "Anna", "the", "you")
    found = measured(open_engine(str(tiny_gpt2)), tuple(f"I know {word}" for word in words))
    three = [tokens for tokens in found.values() if len(tokens.values) == 3]
    last = [((tokens.ids or ())[2], defined_bits(tokens)[2]) for tokens in three]
    assert len(last) >= 4
    loader: Any = AutoModelForCausalLM
    network = loader.from_pretrained(tiny_gpt2).eval()
    context = [0, *(three[0].ids or ())[:2]]
    with torch.inference_mode():
        share = torch.softmax(network(torch.tensor([context])).logits[0, -1].double(), 0)
    expected = float(sum(share[number] for number, _ in last))
    assert sum(2.0**-value for _, value in last) == pytest.approx(expected, rel=1e-4)


def test_exactly_one_bos_even_where_the_tokenizer_adds_its_own(tiny_llama: Path) -> None:
    from transformers import AutoTokenizer

    tokenizer: Any = AutoTokenizer.from_pretrained(tiny_llama)
    assert tokenizer("I know").input_ids[0] == tokenizer.bos_token_id
    engine = open_engine(str(tiny_llama))
    scores = measured_one(engine, "I know")
    assert engine.pieces(scores.ids or ()) == ("▁I", "▁know")
    assert defined_bits(scores) == pytest.approx(naive(tiny_llama, "I know", bos=True), abs=1e-4)


def test_without_bos_the_first_token_is_undefined_and_says_why(model_directory: Path) -> None:
    scores = measured_one(open_engine(str(model_directory), bos=BosPolicy.NONE), "I know who")
    assert [value is None for value in bits(scores)] == [True] + [False] * (len(scores.values) - 1)
    assert scores.reason is not None
    assert "BOS" in scores.reason


def test_tokens_name_their_characters(model_directory: Path) -> None:
    for text, scores in measured(open_engine(str(model_directory)), TEXTS).items():
        covered = {place for start, end in scores.spans.tolist() for place in range(start, end)}
        assert {place for place, char in enumerate(text) if not char.isspace()} <= covered
    emoji = measured_one(open_engine(str(model_directory)), "a 😀 b")
    assert emoji.spans.tolist().count([2, 3]) == 4, "the four bytes of the emoji share its one character"


def test_every_distinct_text_comes_once(tiny_gpt2: Path) -> None:
    chunks = list(open_engine(str(tiny_gpt2), batch_size=3).score([Request(text) for text in (*TEXTS, *TEXTS)]))
    assert sorted(tokens.text for chunk in chunks for tokens in chunk) == sorted(TEXTS)


def test_the_window_is_filled_and_never_overrun(tiny_gpt2: Path) -> None:
    """A window of 64: BOS and 63 tokens are read to predict the 64th, so 64 tokens are the most."""
    for bos, most in ((BosPolicy.BOS, 64), (BosPolicy.NONE, 65)):
        fits, over = "a" + " a" * (most - 1), "a" + " a" * most
        found = measured(open_engine(str(tiny_gpt2), bos=bos), (fits, over, "a short one"))
        assert len(found[fits].values) == most
        assert bits(found[fits])[-1] is not None
        assert bits(found[over]) == [None] * (most + 1)
        assert "window of 64" in (found[over].reason or "")
        assert bits(found["a short one"])[-1] is not None


def test_a_text_without_words_is_undefined(tiny_gpt2: Path) -> None:
    for text in ("", "  \n"):
        scores = measured_one(open_engine(str(tiny_gpt2)), text)
        assert (len(scores.values), scores.ids, scores.reason) == (0, (), "the text is empty")


def test_end_of_sequence_stands_in_for_a_missing_bos(tiny_llama: Path, tmp_path: Path) -> None:
    transformers: Any = importlib.import_module("transformers")
    shutil.copytree(tiny_llama, tmp_path, dirs_exist_ok=True)
    (tmp_path / "tokenizer_config.json").unlink()
    file = str(tiny_llama / "tokenizer.json")
    transformers.PreTrainedTokenizerFast(tokenizer_file=file, eos_token="</s>").save_pretrained(tmp_path)
    engine = open_engine(str(tmp_path))
    assert (engine.identity["bos_token"], engine.identity["bos_from"]) == ("</s>", "eos")
    assert len(defined_bits(measured_one(engine, "I know"))) == 2


def test_a_scorer_is_what_decides_the_values_and_nothing_of_how_they_are_computed(tiny_gpt2: Path, tmp_path: Path) -> None:
    engine = open_engine(str(tiny_gpt2))
    assert (engine.model, engine.revision[:7]) == (str(tiny_gpt2), "sha256:")
    identity, provenance = dict(engine.identity), engine.provenance
    assert {identity[name][:7] for name in ("weights", "tokenizer")} == {"sha256:"}
    assert (identity["dtype"], identity["bos"], identity["window"]) == ("float32", "bos", 64)
    assert {"engine", "device", "torch", "network", "tokenizers"} <= set(provenance)
    assert set(identity).isdisjoint({"engine", "device", "torch", "network", "tokenizers", "batch_size"})
    assert open_engine(str(tiny_gpt2), batch_size=2).identity == identity
    assert open_engine(str(tiny_gpt2), bos=BosPolicy.NONE).identity != identity
    assert open_engine(str(tiny_gpt2), dtype="bfloat16").identity != identity
    shutil.copytree(tiny_gpt2, tmp_path / "copy")
    assert open_engine(str(tmp_path / "copy")).identity == identity
    (tmp_path / "copy" / "special_tokens_map.json").write_text("{}", "utf-8")
    changed = open_engine(str(tmp_path / "copy")).identity
    assert {name for name in identity if identity[name] != changed[name]} == {"tokenizer"}


def test_batches_give_the_values_that_were_stored_before_to_the_last_digit(tiny_gpt2: Path) -> None:
    """Bits in float64 from nats in float32, by logsumexp minus logit over one padded batch, as banks of 0.1.0 hold them."""
    import torch

    engine = BatchEngine(LanguageModel(find_source(str(tiny_gpt2)), device="cpu"))
    found = measured(engine, TEXTS)
    rows = sorted(([0, *(found[text].ids or ())] for text in TEXTS), key=len, reverse=True)
    width = len(rows[0]) - 1
    ids = torch.zeros((len(rows), width + 1), dtype=torch.long)
    for number, row in enumerate(rows):
        ids[number, : len(row)] = torch.tensor(row)
    with torch.inference_mode():
        logits = engine.language_model.network(
            input_ids=ids[:, :-1],
            use_cache=False,
            position_ids=torch.arange(width).expand(len(rows), -1),
        ).logits
        stored = {}
        for number, row in enumerate(rows):
            own, targets = logits[number, : len(row) - 1], ids[number, 1 : len(row)]
            nats = torch.logsumexp(own, dim=-1) - own.gather(-1, targets[:, None])[:, 0]
            stored[tuple(row[1:])] = (nats.double() / math.log(2.0)).tolist()
    for text in TEXTS:
        assert bits(found[text]) == stored[found[text].ids or ()]
        assert found[text].values.dtype == "float32"
        assert in_bits(found[text].values).dtype == "float64"


@pytest.mark.parametrize("name", ["tree", "batches"])
def test_half_precision_says_how_close_it_is(tiny_gpt2: Path, name: str) -> None:
    exact = measured(open_engine(str(tiny_gpt2)), TEXTS[:2])
    told: list[str] = []
    engine = open_engine(str(tiny_gpt2), dtype="bfloat16", engine=name, notice=told.append)
    rough = measured(engine, TEXTS[:2])
    differences = [
        abs(a - b) for text in TEXTS[:2] for a, b in zip(defined_bits(exact[text]), defined_bits(rough[text]), strict=True)
    ]
    assert 1e-4 < max(differences) < 1.0
    rounding = engine.provenance["rounding"]
    assert 1e-4 < rounding["mean_bits"] < rounding["largest_bits"] < 1.0
    assert len(told) == 1
    assert f"differ from float32 by {rounding['mean_bits']:.3f} bits on average" in told[0]
    measured(engine, TEXTS[:1])
    assert len(told) == 1


def test_values_that_are_no_numbers_become_none_with_a_reason(tiny_gpt2: Path, tmp_path: Path) -> None:
    import torch
    from transformers import GPT2LMHeadModel

    loader: Any = GPT2LMHeadModel
    network = loader.from_pretrained(tiny_gpt2)
    with torch.no_grad():
        network.transformer.wpe.weight[0] = float("nan")
    network.save_pretrained(tmp_path)
    for file in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(tiny_gpt2 / file, tmp_path / file)
    scores = measured_one(open_engine(str(tmp_path)), TEXTS[0])
    assert len(scores.values) > 10
    assert defined_bits(scores) == []
    assert "no finite probability" in (scores.reason or "")


def test_a_batch_needs_a_text(tiny_gpt2: Path) -> None:
    with pytest.raises(ConfigError, match="batch_size: 0 is not a whole number from 1"):
        open_engine(str(tiny_gpt2), batch_size=0)


@pytest.mark.filterwarnings("ignore")
def test_agrees_with_minicons(tiny_gpt2: Path, tiny_llama: Path) -> None:
    """minicons puts a BOS of its own before one that the tokenizer adds, so it is told not to for the Llama."""
    scorer: Any = pytest.importorskip("minicons.scorer")
    texts = TEXTS[:3]
    for directory, add in ((tiny_gpt2, True), (tiny_llama, False)):
        theirs = scorer.IncrementalLMScorer(str(directory), "cpu").token_score(
            list(texts), bos_token=add, prob=False, surprisal=True, base_two=True
        )
        ours = measured(open_engine(str(directory)), texts)
        for text, pairs in zip(texts, theirs, strict=True):
            assert defined_bits(ours[text]) == pytest.approx([value for _, value in pairs[1:]], abs=1e-4)
