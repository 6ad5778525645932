"""n-gram models against counts and formulas written out for a handful of sentences."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gapsmith.scoring.lm import Request, open_engine
from gapsmith.templates import BosPolicy
from tests.conftest import CommandOutcome
from tests.training.conftest import some_text

Program = Callable[..., CommandOutcome]
TESTED = ("Ann saw the ball.", "Lee left the zebra again.", "ball the saw", "Qx!")


class Reference:
    """Counting with dictionaries, smoothing by recursion."""

    def __init__(self, sentences: list[list[int]], order: int, vocabulary: int) -> None:
        self.order, self.vocabulary = order, vocabulary
        self.raw: list[Counter[tuple[int, ...]]] = [Counter() for _ in range(order + 1)]
        for ids in sentences:
            marked = [0, *ids, 0]
            for stop in range(2, len(marked) + 1):
                for size in range(1, min(order, stop) + 1):
                    self.raw[size][tuple(marked[stop - size : stop])] += 1
        self.starts = {gram for ids in sentences for size in range(2, order + 1) for gram in [tuple([0, *ids, 0][:size])]}
        self.adjusted = [self._adjusted(size) for size in range(order + 1)]

    def _adjusted(self, size: int) -> Counter[tuple[int, ...]]:
        if size == self.order or size == 0:
            return self.raw[size]
        before = Counter(gram[1:] for gram in self.raw[size + 1])
        return Counter({gram: self.raw[size][gram] if gram in self.starts else before[gram] for gram in self.raw[size]})

    def add_one(self, history: tuple[int, ...], token: int) -> float:
        history = history[-(self.order - 1) :] if self.order > 1 else ()
        table = self.raw[len(history) + 1]
        total = sum(count for gram, count in table.items() if gram[:-1] == history)
        return (table[(*history, token)] + 1) / (total + self.vocabulary)

    def discount(self, size: int, count: int) -> float:
        n = [sum(1 for c in self.adjusted[size].values() if c == k) for k in (1, 2, 3, 4)]
        if 0 in n:
            return 0.5
        share = n[0] / (n[0] + 2 * n[1])
        three = [k - (k + 1) * share * n[k] / n[k - 1] for k in (1, 2, 3)]
        if not all(0 < d < k for k, d in enumerate(three, 1)):
            return 0.5
        return three[min(count, 3) - 1]

    def kneser_ney(self, history: tuple[int, ...], token: int) -> float:
        history = history[-(self.order - 1) :] if self.order > 1 else ()
        return self._interpolated(history, token)

    def _interpolated(self, history: tuple[int, ...], token: int) -> float:
        size = len(history) + 1
        table = {gram: count for gram, count in self.adjusted[size].items() if gram[:-1] == history and count}
        lower = self._interpolated(history[1:], token) if history else 1.0 / self.vocabulary
        total = sum(table.values())
        if not total:
            return lower
        spared = sum(self.discount(size, count) for count in table.values())
        own = table.get((*history, token), 0)
        return ((own - self.discount(size, own)) if own else 0.0) / total + spared / total * lower


@pytest.mark.parametrize(("smoothing", "order"), [("add-one", 1), ("add-one", 3), ("kneser-ney", 1), ("kneser-ney", 4)])
def test_surprisals_are_those_of_the_formulas(smoothing: str, order: int, gapsmith: Program, tmp_path: Path) -> None:
    text, out = tmp_path / "text.txt", tmp_path / "model"
    lines = [line for line in some_text(300).replace(". ", ".\n").splitlines() if line]
    text.write_text("\n".join(lines) + "\n", encoding="utf-8")
    config = tmp_path / "n.toml"
    config.write_text(
        f'[network]\narchitecture = "ngram"\norder = {order}\nsmoothing = "{smoothing}"\n'
        "[tokenizer]\nvocabulary = 290\n[rows]\nvalidation_share = 0.0\n"
    )
    done = gapsmith("train", "lm", text, "-c", config, "-o", out)
    assert done.code == 0, done.err
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(out / "tokenizer.json"))
    reference = Reference([tokenizer.encode(line).ids for line in lines], order, tokenizer.get_vocab_size())
    formula = reference.add_one if smoothing == "add-one" else reference.kneser_ney
    for policy, begin in ((BosPolicy.BOS, (0,)), (BosPolicy.NONE, ())):
        engine = open_engine(str(out), device="cpu", bos=policy)
        for chunk in engine.score([Request(sentence) for sentence in TESTED]):
            for tokens in chunk:
                ids = tokens.ids or ()
                for place in range(0 if begin else 1, len(ids)):
                    expected = -math.log(formula((*begin, *ids[:place]), ids[place]))
                    assert float(tokens.values[place]) == pytest.approx(expected, abs=2e-5)


@pytest.mark.parametrize("smoothing", ["add-one", "kneser-ney"])
def test_probabilities_sum_to_one_and_held_out_text_is_measured(
    smoothing: str, corpus: Path, gapsmith: Program, tmp_path: Path
) -> None:
    import torch

    from gapsmith.scoring.lm import LanguageModel, find_source

    out = tmp_path / "model"
    done = gapsmith(
        *("train", "lm", corpus, "-c", smoothing, "-o", out, "--set", "tokenizer.vocabulary=280"),
        *("--set", "rows.validation_share=0.2"),
    )
    assert done.code == 0, done.err
    assert "validation loss" in done.err
    network: Any = LanguageModel(find_source(str(out)), device="cpu").network
    logits = network(input_ids=torch.randint(0, 280, (3, 9), generator=torch.Generator().manual_seed(2))).logits
    assert torch.allclose(logits.exp().sum(-1), torch.ones(3, 9), atol=1e-5)


def test_an_ngram_model_scores_and_analyses_like_any_other(corpus: Path, gapsmith: Program, tmp_path: Path) -> None:
    out, workspace = tmp_path / "model", tmp_path / "ws"
    assert gapsmith("train", "lm", corpus, "-c", "kneser-ney", "-o", out, "--set", "tokenizer.vocabulary=300").code == 0
    assert gapsmith("init", workspace).code == 0
    assert gapsmith("generate", "embedded_wh", "-n", 5, "--seed", 1, "--provider", "lexicon", "-w", workspace).code == 0
    scored = gapsmith("score", "--model", out, "--all", "-w", workspace)
    assert scored.code == 0, scored.err
    analysed = gapsmith("analyze", "-p", "embedded_wh", "--all", "-w", workspace)
    assert analysed.code == 0, analysed.err
    assert "W1" in analysed.out
    again = gapsmith("train", "lm", corpus, "-c", "kneser-ney", "-o", out, "--set", "tokenizer.vocabulary=300")
    assert again.code == 0, again.err
