"""The mass of word beginnings and the correction made of it, against the definition."""

from __future__ import annotations

import importlib
import string
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gapsmith.bank.tokens import Tokens
from gapsmith.scoring.lm import BUNDLED, LanguageModel, Request, begins_word, corrected, find_source, open_engine
from gapsmith.scoring.lm.boundary import word_beginnings
from gapsmith.templates.errors import ConfigError
from tests.scoring.conftest import save_tiny
from tests.scoring.measuring import measured_one

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data" / "gpt2-tokenizer"
BEGINNERS = " \t\n\v\f\r" + string.punctuation

TEXTS = (
    "I know who left sooner.",
    "John's “dog” — that is, Zoë's — can't bark!",
    "😀😀 a\u00a0b  c\td",
    "x",
)


def defined(directory: Path, text: str, context: str) -> list[float]:
    """-log of the probability of a token that begins with a beginner, or ends the text: by decoding every token."""
    import torch

    transformers: Any = importlib.import_module("transformers")
    tokenizer = transformers.AutoTokenizer.from_pretrained(directory)
    network = transformers.AutoModelForCausalLM.from_pretrained(directory).eval()
    pieces = [tokenizer.backend_tokenizer.decode([n], skip_special_tokens=False) for n in range(len(tokenizer))]
    starts = [n for n, piece in enumerate(pieces) if (piece[:1] and piece[0] in BEGINNERS) or n == tokenizer.eos_token_id]
    before = tokenizer.backend_tokenizer.encode(context, add_special_tokens=False).ids if context else []
    joined = f"{context} {text}" if context else text
    ids = [tokenizer.bos_token_id, *tokenizer.backend_tokenizer.encode(joined, add_special_tokens=False).ids]
    with torch.inference_mode():
        shares = torch.softmax(network(torch.tensor([ids])).logits[0].double(), -1)[:, starts].sum(-1)
    values: list[float] = (-shares.log()).tolist()
    return values[len(before) :]


@pytest.mark.parametrize("engine", ["tree", "batches"])
@pytest.mark.parametrize("context", ["", "It rained."])
def test_the_mass_is_that_of_all_tokens_that_begin_a_word(tiny_gpt2: Path, engine: str, context: str) -> None:
    opened = open_engine(str(tiny_gpt2), engine=engine, device="cpu")
    for text in TEXTS:
        tokens = measured_one(opened, Request(text, context, boundary=True))
        assert tokens.boundary is not None
        assert len(tokens.boundary) == len(tokens.values) + 1
        assert tokens.boundary == pytest.approx(defined(tiny_gpt2, text, context), abs=1e-4)
        plain = measured_one(opened, Request(text, context))
        assert plain.boundary is None
        assert plain.values == pytest.approx(tokens.values, abs=1e-5)


def test_corrected_values_move_the_mass_from_before_a_word_to_after_it() -> None:
    tokens = Tokens(
        text="they saw dogs.",
        context="",
        spans=np.array([(0, 4), (4, 8), (8, 11), (11, 13), (13, 14)], dtype=np.int32),
        ids=None,
        values=np.array([5.0, 4.0, 3.0, 2.0, 1.0], dtype=np.float32),
        boundary=np.array([0.5, 0.25, 0.125, 0.75, 0.375, 0.0625], dtype=np.float32),
    )
    assert begins_word(tokens).tolist() == [False, True, True, False, True]
    # "they" is the beginning, "dogs" has two tokens, the full stop ends it and is itself ended by the end.
    assert corrected(tokens).tolist() == [
        5.0 + 0.25,
        4.0 - 0.25 + 0.125,
        3.0 - 0.125,
        2.0 + 0.375,
        1.0 - 0.375 + 0.0625,
    ]
    assert corrected(tokens).sum() == pytest.approx(tokens.values.sum() + 0.0625)


def test_behind_a_context_the_first_token_begins_a_word_too(tiny_gpt2: Path) -> None:
    opened = open_engine(str(tiny_gpt2))
    tokens = measured_one(opened, Request("Soon they left.", "It rained.", boundary=True))
    assert tokens.boundary is not None
    assert begins_word(tokens)[0]
    expected = float(tokens.values.sum()) - float(tokens.boundary[0]) + float(tokens.boundary[-1])
    assert corrected(tokens).sum() == pytest.approx(expected)


def test_a_word_that_may_go_on_is_less_probable_than_its_tokens(tiny_gpt2: Path) -> None:
    """p(word) sums to at most one over words, also where one word is the beginning of another."""
    opened = open_engine(str(tiny_gpt2))
    words = ("so", "soon", "sooner", "the", "they", "them", "theme", "a", "an", "and", "any")
    found = {word: measured_one(opened, Request(word, "I know", boundary=True)) for word in words}
    raw = sum(float(np.exp(-tokens.values.astype(float).sum())) for tokens in found.values())
    fixed = {word: float(np.exp(-corrected(tokens).sum())) for word, tokens in found.items()}
    for word, tokens in found.items():
        assert tokens.boundary is not None
        # What was left to words that go on is taken away, what was lost to no word at all is given back.
        given_back = float(np.exp(tokens.boundary[0]))
        assert fixed[word] <= float(np.exp(-tokens.values.astype(float).sum())) * given_back
    assert 0.0 < sum(fixed.values()) < 1.0
    assert raw > 0.0


def test_only_where_it_was_computed(tiny_gpt2: Path) -> None:
    opened = open_engine(str(tiny_gpt2))
    with pytest.raises(ValueError, match="without the boundary mass"):
        corrected(measured_one(opened, "I know."))
    part = measured_one(opened, Request("I know who.", spans=((2, 6),), boundary=True))
    assert part.boundary is not None
    assert (part.boundary != 0.0).tolist() == [False, True, True, False, False]
    whole = measured_one(opened, Request("I know who.", boundary=True))
    assert corrected(part)[1] == pytest.approx(corrected(whole)[1], abs=1e-5)
    assert corrected(part)[[0, 2, 3]].tolist() == [0.0, 0.0, 0.0]


def test_tokenizers_that_do_not_mark_beginnings_are_refused() -> None:
    with pytest.raises(ConfigError, match="of mine does not mark"):
        word_beginnings("mine", ["low", "er</w>", "##ing"], special=[], ends=[])
    with_bytes = ["<unk>", "</s>", "▁I", "now", ".", "<0x20>", "<0x2E>", "<0x41>", "čas", None]
    assert word_beginnings("mine", with_bytes, special=[0, 1], ends=[1]) == [1, 2, 4, 5, 6]
    assert word_beginnings("mine", ["Ġ", "Ġknow", "now", "Ċ", "č", "ģ", "âĢĶ", "<|x|>", "<"], special=[7], ends=[]) == [
        0,
        1,
        3,
        4,
        8,
    ]


@cache
def plain() -> LanguageModel:
    """The bundled model."""
    return LanguageModel(find_source(BUNDLED), device="cpu")


_GPT2: list[LanguageModel] = []


def gpt2_like(tmp_path_factory: pytest.TempPathFactory) -> LanguageModel:
    """A tiny random model with the tokenizer of GPT-2."""
    if not _GPT2:
        if not SHARED.is_dir():
            pytest.skip(f"the tokenizer of GPT-2 is not at {SHARED}")
        directory = tmp_path_factory.mktemp("real-tokenizer")
        save_tiny(directory, "GPT2", vocab_size=50257, n_embd=8, n_layer=1, n_head=1, n_positions=256)
        (directory / "tokenizer.json").unlink()
        transformers: Any = importlib.import_module("transformers")
        files = {"vocab": str(SHARED / "vocab.json"), "merges": str(SHARED / "merges.txt")}
        transformers.GPT2TokenizerFast(**files).save_pretrained(directory)
        _GPT2.append(LanguageModel(find_source(str(directory)), device="cpu"))
    return _GPT2[0]


WORDS = st.sampled_from(
    [
        "John's",
        "“quoted”",
        '"so"',
        "— dash —",
        "word-by-word",
        "naïve",
        "Zoë",
        "é",
        "😀",
        "👩\u200d🚀",
        "日本",
        "  ",
        "\t",
        "\n",
        "I",
        "soon",
        "can't",
        "...",
        "?!",
        "\xa0",
        "1987",
        "<s>",
        "<|endoftext|>",
        "don’t",
        "_",
        "Ġ",
        "▁",
    ]
)
TEXT = st.one_of(st.text(max_size=25), st.lists(WORDS, max_size=8).map(" ".join), st.lists(WORDS, max_size=8).map("".join))


def check_alignment(model: LanguageModel, text: str, context: str) -> None:
    """What must hold of every text behind every context."""
    (encoded,) = model.encode([Request(text, context, boundary=True)])
    if not text.strip():
        assert encoded.problem == "the text is empty"
        return
    joined = f"{context} {text}" if context else text
    (whole,) = model.encode([Request(joined)])
    if encoded.problem is not None:
        # Only where one token holds the last character of the context and the first of the text.
        begin = len(joined) - len(text)
        assert any(start < begin < end and joined[start:begin].strip() for start, end in whole.spans), encoded.problem
        return
    assert encoded.before + encoded.ids == whole.ids
    covered = {place for start, end in encoded.spans for place in range(start, end)}
    assert {place for place, char in enumerate(text) if not char.isspace()} <= covered
    assert all(0 <= start <= end <= len(text) for start, end in encoded.spans)
    values = np.zeros(len(encoded.ids), dtype=np.float32)
    tokens = Tokens(text, context, np.array(encoded.spans, dtype=np.int32).reshape(-1, 2), encoded.ids, values)
    of_text = begins_word(tokens).tolist()
    by_id = [number in set(model.beginnings.tolist()) for number in encoded.ids]
    assert of_text[1:] == by_id[1:], model.pieces(encoded.ids)
    assert of_text[0] == bool(context)


@pytest.mark.full
@pytest.mark.shared
@given(TEXT, st.one_of(st.just(""), TEXT))
@example("John's dog — “naïve” 😀.", "It rained.")
@example(" I", "  ")
@settings(max_examples=50, deadline=None)
def test_real_gpt2_tokens_keep_to_their_text(tmp_path_factory: pytest.TempPathFactory, text: str, context: str) -> None:
    check_alignment(gpt2_like(tmp_path_factory), text, context)


@given(TEXT, st.one_of(st.just(""), TEXT))
@settings(max_examples=50, deadline=None)
def test_bundled_tokens_keep_to_their_text(text: str, context: str) -> None:
    check_alignment(plain(), text, context)
