"""Surprisals of the batch engine against a computation that does one text at a time and pads nothing."""

from __future__ import annotations

import importlib
import math
import shutil
from pathlib import Path
from typing import Any

import pytest

from bank.records import TokenScores
from scoring.lm import BatchEngine, BosPolicy, Engine, LanguageModel, find_source, open_engine
from templates.errors import ConfigError

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


def scored(engine: Engine, texts: tuple[str, ...] = TEXTS) -> dict[str, TokenScores]:
    return {scores.text: scores for block in engine.score(texts) for scores in block}


def bits_of(scores: TokenScores) -> list[float]:
    return [token.surprisal_bits for token in scores.tokens if token.surprisal_bits is not None]


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


@pytest.mark.parametrize("bos", list(BosPolicy))
def test_equals_one_text_at_a_time(model_directory: Path, bos: BosPolicy) -> None:
    found = scored(open_engine(str(model_directory), bos=bos, batch_size=4))
    assert set(found) == set(TEXTS)
    for text in TEXTS:
        expected = naive(model_directory, text, bos=bos is BosPolicy.BOS)
        assert bits_of(found[text]) == pytest.approx(expected, abs=1e-4)


def test_no_value_depends_on_the_batch(model_directory: Path) -> None:
    model = LanguageModel(find_source(str(model_directory)))
    together = scored(BatchEngine(model, batch_size=len(TEXTS)))
    for size in (1, 2, 3):
        apart = scored(BatchEngine(model, batch_size=size), tuple(reversed(TEXTS)))
        for text in TEXTS:
            assert bits_of(apart[text]) == pytest.approx(bits_of(together[text]), abs=1e-4)


def test_probabilities_of_all_continuations_add_up_to_one(tiny_gpt2: Path) -> None:
    """Over one-token continuations of a context, 2 ** -bits sums to the share of the vocabulary that was tried."""
    import torch
    from transformers import AutoModelForCausalLM

    words = ("soon", "eventually", "Mary", "Anna", "the", "you")
    found = scored(open_engine(str(tiny_gpt2)), tuple(f"I know {word}" for word in words))
    last = [scores.tokens[2] for scores in found.values() if len(scores.tokens) == 3]
    assert len(last) >= 4
    loader: Any = AutoModelForCausalLM
    network = loader.from_pretrained(tiny_gpt2).eval()
    context = [0, *(token.token_id for token in next(iter(found.values())).tokens[:2])]
    with torch.inference_mode():
        share = torch.softmax(network(torch.tensor([context])).logits[0, -1].double(), 0)
    expected = float(sum(share[token.token_id] for token in last))
    assert sum(2.0 ** -(token.surprisal_bits or 0.0) for token in last) == pytest.approx(expected, rel=1e-4)


def test_exactly_one_bos_even_where_the_tokenizer_adds_its_own(tiny_llama: Path) -> None:
    from transformers import AutoTokenizer

    tokenizer: Any = AutoTokenizer.from_pretrained(tiny_llama)
    assert tokenizer("I know").input_ids[0] == tokenizer.bos_token_id
    scores = scored(open_engine(str(tiny_llama)), ("I know",))["I know"]
    assert [token.token for token in scores.tokens] == ["▁I", "▁know"]
    assert bits_of(scores) == pytest.approx(naive(tiny_llama, "I know", bos=True), abs=1e-4)


def test_without_bos_the_first_token_is_undefined_and_says_why(model_directory: Path) -> None:
    scores = scored(open_engine(str(model_directory), bos=BosPolicy.NONE), ("I know who",))["I know who"]
    assert scores.tokens[0].surprisal_bits is None
    assert all(token.surprisal_bits is not None for token in scores.tokens[1:])
    assert scores.reason is not None
    assert "BOS" in scores.reason


def test_tokens_name_their_characters(model_directory: Path) -> None:
    for text, scores in scored(open_engine(str(model_directory))).items():
        covered = {place for token in scores.tokens for place in range(token.start, token.end)}
        assert {place for place, char in enumerate(text) if not char.isspace()} <= covered
    emoji = scored(open_engine(str(model_directory)), ("a 😀 b",))["a 😀 b"]
    shared = [token for token in emoji.tokens if (token.start, token.end) == (2, 3)]
    assert len(shared) == 4, "the four bytes of the emoji share its one character"


def test_every_distinct_text_once_in_blocks_with_progress(tiny_gpt2: Path) -> None:
    steps: list[int] = []
    blocks = list(open_engine(str(tiny_gpt2), batch_size=3).score([*TEXTS, *TEXTS], steps.append))
    assert [len(block) for block in blocks] == steps
    assert sorted(scores.text for block in blocks for scores in block) == sorted(TEXTS)


def test_the_window_is_filled_and_never_overrun(tiny_gpt2: Path) -> None:
    """A window of 64: BOS and 63 tokens are read to predict the 64th, so 64 tokens are the most."""
    for bos, most in ((BosPolicy.BOS, 64), (BosPolicy.NONE, 65)):
        fits, over = "a" + " a" * (most - 1), "a" + " a" * most
        found = scored(open_engine(str(tiny_gpt2), bos=bos), (fits, over, "a short one"))
        assert len(found[fits].tokens) == most
        assert found[fits].tokens[-1].surprisal_bits is not None
        assert [token.surprisal_bits for token in found[over].tokens] == [None] * (most + 1)
        assert "window of 64" in (found[over].reason or "")
        assert found["a short one"].tokens[-1].surprisal_bits is not None


def test_a_text_without_words_is_undefined(tiny_gpt2: Path) -> None:
    for text in ("", "  \n"):
        scores = scored(open_engine(str(tiny_gpt2)), (text,))[text]
        assert (scores.tokens, scores.reason) == ((), "the text is empty")


def test_end_of_sequence_stands_in_for_a_missing_bos(tiny_llama: Path, tmp_path: Path) -> None:
    transformers: Any = importlib.import_module("transformers")
    shutil.copytree(tiny_llama, tmp_path, dirs_exist_ok=True)
    (tmp_path / "tokenizer_config.json").unlink()
    file = str(tiny_llama / "tokenizer.json")
    transformers.PreTrainedTokenizerFast(tokenizer_file=file, eos_token="</s>").save_pretrained(tmp_path)
    engine = open_engine(str(tmp_path))
    assert engine.settings.extra["bos_token"] == "</s>"
    assert engine.settings.extra["bos_from"] == "eos"
    assert len(bits_of(scored(engine, ("I know",))["I know"])) == 2


def test_settings_say_what_decides_the_values(tiny_gpt2: Path) -> None:
    engine = open_engine(str(tiny_gpt2))
    settings = engine.settings
    assert settings.model == str(tiny_gpt2)
    assert settings.revision.startswith("sha256:")
    assert (settings.dtype, settings.bos, settings.engine) == ("float32", "bos", "batches/1")
    assert settings.extra["window"] == 64
    assert settings.extra["bos_from"] == "bos"
    assert "batch_size" not in settings.extra
    assert open_engine(str(tiny_gpt2), batch_size=2).settings == settings
    assert open_engine(str(tiny_gpt2), bos=BosPolicy.NONE).settings != settings
    assert open_engine(str(tiny_gpt2), dtype="bfloat16", batch_size=2).settings.extra["batch_size"] == 2


def test_half_precision_is_close_and_is_not_called_float32(tiny_gpt2: Path) -> None:
    exact = scored(open_engine(str(tiny_gpt2)), TEXTS[:2])
    rough = scored(open_engine(str(tiny_gpt2), dtype="bfloat16"), TEXTS[:2])
    differences = [
        abs(a - b) for text in TEXTS[:2] for a, b in zip(bits_of(exact[text]), bits_of(rough[text]), strict=True)
    ]
    assert 1e-4 < max(differences) < 1.0


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
    scores = scored(open_engine(str(tmp_path)), TEXTS[:1])[TEXTS[0]]
    assert len(scores.tokens) > 10
    assert bits_of(scores) == []
    assert "no finite probability" in (scores.reason or "")


def test_a_batch_needs_a_text(tiny_gpt2: Path) -> None:
    with pytest.raises(ConfigError, match="batch of 0"):
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
        ours = scored(open_engine(str(directory)), texts)
        for text, pairs in zip(texts, theirs, strict=True):
            assert bits_of(ours[text]) == pytest.approx([value for _, value in pairs[1:]], abs=1e-4)
