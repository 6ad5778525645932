"""Token spans: what is accepted, what is refused, and that real tokenizers are accepted on any text."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gapsmith.scoring.lm import BUNDLED, LanguageModel, Request, find_source
from gapsmith.scoring.lm.alignment import span_problem

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data" / "gpt2-tokenizer"


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("I know", [(0, 1), (1, 6)]),
        ("I know", [(0, 1), (2, 6)]),
        (" I", [(0, 0), (1, 2)]),
        ("a😀", [(0, 1), (1, 2), (1, 2), (1, 2), (1, 2)]),
        (" 😀b", [(0, 2), (1, 2), (2, 3)]),
        ("xe\u0301y", [(0, 3), (1, 3), (3, 4)]),
        ("", []),
        ("  ", []),
    ],
)
def test_spans_that_can_be_believed(text: str, spans: list[tuple[int, int]]) -> None:
    assert span_problem(text, spans) is None


@pytest.mark.parametrize(
    ("text", "spans", "message"),
    [
        ("I know", [(0, 1)], "no token covers 'know' at character 1"),
        ("I know", [(1, 6)], "no token covers 'I' at character 0"),
        ("I know it", [(0, 1), (6, 9)], "no token covers 'know'"),
        ("I know", [(0, 1), (1, 6), (0, 1)], "token 3 lies before token 2"),
        ("I know", [(0, 1), (1, 7)], "token 2 lies outside the text"),
        ("I know", [(0, 4), (2, 6)], "both claim 'kn'"),
        ("I know", [], "no token covers 'I know'"),
    ],
)
def test_spans_that_cannot(text: str, spans: list[tuple[int, int]], message: str) -> None:
    assert message in (span_problem(text, spans) or "")


BUNDLED_MODEL = LanguageModel(find_source(BUNDLED), device="cpu")


@given(st.text(max_size=40))
@settings(max_examples=100, deadline=None)
def test_the_bundled_tokenizer_aligns_with_any_text(text: str) -> None:
    encoded = BUNDLED_MODEL.encode([Request(text)])[0]
    if text.strip():
        assert encoded.problem is None
        assert span_problem(text, encoded.spans) is None
        first = next(char for char in text if not char.isspace())
        assert text[encoded.spans[0][0] : encoded.spans[-1][1]].strip().startswith(first)
    else:
        assert encoded.problem == "the text is empty"


@given(texts=st.lists(st.text(alphabet="aé😀日 .'\u0301", max_size=12), max_size=6))
@settings(max_examples=50, deadline=None)
def test_texts_encoded_together_are_as_if_alone(texts: list[str]) -> None:
    together = BUNDLED_MODEL.encode([Request(text) for text in texts])
    apart = [BUNDLED_MODEL.encode([Request(text)])[0] for text in texts]
    assert [(t.ids, t.spans, t.problem) for t in together] == [(t.ids, t.spans, t.problem) for t in apart]


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the GPT-2 tokenizer files beside the checkout")
@given(st.text(max_size=40))
@settings(max_examples=80, deadline=None)
def test_the_gpt2_tokenizer_aligns_with_any_text(text: str) -> None:
    encoding = _gpt2_tokenizer().encode(text, add_special_tokens=False)
    assert span_problem(text, encoding.offsets) is None


def _gpt2_tokenizer() -> Any:
    if not _CACHE:
        transformers: Any = importlib.import_module("transformers")
        made = transformers.GPT2TokenizerFast(vocab=str(SHARED / "vocab.json"), merges=str(SHARED / "merges.txt"))
        assert len(made) == 50257
        _CACHE.append(made.backend_tokenizer)
    return _CACHE[0]


_CACHE: list[Any] = []
