"""Rows, schedules, the chunked loss and sentence boundaries."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gapsmith.training.config import Schedule, config_names, load_config
from gapsmith.training.encoding import EncodedCorpus, encode_corpus
from gapsmith.training.packing import CorpusPosition, RowStream, pack
from gapsmith.training.schedule import learning_rate, same_until
from gapsmith.training.sentences import split_sentences
from gapsmith.training.tokenizer import END, train_bpe

TEXT = (
    "Ann saw the ball. It was red. She took it home again.",
    "Bob left.",
    "Kim wanted the book, and Lee wanted the tree; nobody could say why either of them wanted anything at all that day.",
)


@pytest.fixture(scope="module")
def encoded() -> tuple[EncodedCorpus, int]:
    paragraphs = [split_sentences(text) for text in TEXT]
    tokenizer = train_bpe(TEXT, 320)
    return encode_corpus(paragraphs, tokenizer, name="text"), int(tokenizer.token_to_id(END) or 0)


@pytest.mark.parametrize("end_within", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("length", [8, 16, 50, 400])
def test_every_row_begins_with_a_sentence_and_every_sentence_is_read_whole(
    encoded: tuple[EncodedCorpus, int], length: int, end_within: float
) -> None:
    corpus, end = encoded
    rows = pack(corpus, length=length, end=end, end_within=end_within, rng=np.random.default_rng(1))
    assert rows.shape[1] == length
    sentences = [tuple(corpus.bare[n].tolist()) for n in range(len(corpus.bare))]
    spaced = [tuple(corpus.spaced[n].tolist()) for n in range(len(corpus.spaced))]
    for row in rows.tolist():
        assert row[0] == end
        assert any(tuple(row[1 : 1 + len(s)]) == s[: length - 1] for s in sentences)
    # Whole in some row, in one form or the other; longer ones from their first token on.
    for bare, other in zip(sentences, spaced, strict=True):
        if len(other) + 1 < length:
            assert any(_within(form, row) for row in rows.tolist() for form in (bare, other))


def _within(part: tuple[int, ...], row: list[int]) -> bool:
    return any(tuple(row[n : n + len(part)]) == part for n in range(len(row)))


def test_end_tokens_stand_between_paragraphs_and_nowhere_else_unless_asked(encoded: tuple[EncodedCorpus, int]) -> None:
    corpus, end = encoded
    total = int(corpus.bare.starts[-1])
    (row,) = pack(corpus, length=total + 40, end=end, end_within=0.0, rng=np.random.default_rng(1))[:1]
    first_pass = row[: total + len(TEXT)].tolist()
    assert first_pass.count(end) == len(TEXT)
    (cut,) = pack(corpus, length=total + 40, end=end, end_within=1.0, rng=np.random.default_rng(1))[:1]
    assert cut[: total + len(corpus.opens)].tolist().count(end) == len(corpus.opens)


def test_a_stream_goes_on_from_any_place(encoded: tuple[EncodedCorpus, int]) -> None:
    corpus, end = encoded

    def stream(place: CorpusPosition) -> RowStream:
        return RowStream(corpus, length=12, end=end, end_within=0.3, seed=5, place=place)

    whole = stream(CorpusPosition())
    batches, places = [], []
    for batch in itertools.islice(whole.batches(3), 20):
        batches.append(batch)
        places.append(whole.place)
    assert whole.place.epoch > 1
    for number in (0, 4, 11):
        rest = list(itertools.islice(stream(places[number]).batches(3), 20 - number - 1))
        assert all((a.ids == b.ids).all() for a, b in zip(rest, batches[number + 1 :], strict=True))


@pytest.mark.parametrize("has_bias", [True, False])
def test_the_chunked_loss_and_its_gradients_are_those_of_cross_entropy(has_bias: bool) -> None:
    import torch
    from torch.nn import functional

    from gapsmith.training.loss import _ChunkedCrossEntropy

    generator = torch.Generator().manual_seed(1)
    values = [torch.randn(size, generator=generator, dtype=torch.float64) for size in ((1100, 5), (13, 5), (13,))]
    targets = torch.randint(0, 13, (1100,), generator=generator)

    def run(ours: bool) -> list[torch.Tensor]:
        hidden, weight, bias = (value.clone().requires_grad_() for value in values)
        if ours:
            # torch does not say its types
            loss = _ChunkedCrossEntropy.apply(hidden, weight, bias if has_bias else None, targets, 1100)  # type: ignore[no-untyped-call]
        else:
            loss = functional.cross_entropy(functional.linear(hidden, weight, bias if has_bias else None), targets)
        (3.0 * loss).backward()
        return [loss.detach().double(), *(leaf.grad for leaf in (hidden, weight, bias) if leaf.grad is not None)]

    for got, expected in zip(run(True), run(False), strict=True):
        assert torch.allclose(got.double(), expected, atol=1e-5)


def test_schedules_by_hand() -> None:
    linear = Schedule(shape="linear", learning_rate=1.0, warmup=2)
    assert [learning_rate(linear, step, 6) for step in range(1, 7)] == pytest.approx([0.5, 1.0, 0.75, 0.5, 0.25, 0.0])
    trapezoid = Schedule(shape="trapezoid", learning_rate=1.0, decay=2)
    assert [learning_rate(trapezoid, step, 5) for step in range(1, 6)] == pytest.approx([1.0, 1.0, 1.0, 0.5, 0.0])
    cosine = Schedule(shape="cosine", learning_rate=2.0)
    assert [learning_rate(cosine, step, 4) for step in (2, 4)] == pytest.approx([1.0, 0.0])
    assert learning_rate(Schedule(shape="constant", learning_rate=0.3), 99, 100) == 0.3


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 40), st.integers(0, 20))
@settings(deadline=None, max_examples=60)
def test_schedules_are_the_same_until_the_earlier_decay(old: int, new: int, at: int, decay: int) -> None:
    schedule = Schedule(shape="trapezoid", learning_rate=1.0, decay=decay)
    step = min(at, old, new)
    rates = [[learning_rate(schedule, n, steps) for n in range(1, step + 1)] for steps in (old, new)]
    assert same_until((schedule, old), (schedule, new), step) == (rates[0] == rates[1])
    assert same_until((schedule, old), (schedule, new), 0)


@pytest.mark.parametrize(
    ("text", "n"),
    [
        ("He left. She stayed.", 2),
        ("Mr. Smith met Dr. Jones at St. Mary's.", 1),
        ("J. R. Ewing left. Then what?", 2),
        ('"Go!" he said. "Why?" "Because."', 3),
        ("It cost 3.50 dollars. 7 men paid.", 2),
        ("He said no. and left", 1),
        ("   ", 0),
        ("“Really?” She laughed… He did not.", 3),
    ],
)
def test_sentences(text: str, n: int) -> None:
    found = split_sentences(text)
    assert len(found) == n, found
    assert " ".join(found) == " ".join(text.split())


def test_the_named_configurations_have_the_sizes_of_the_paper() -> None:
    assert {"mini", "xs", "xxs", "small", "gulordava", "kneser-ney", "add-one"} <= set(config_names())
    sizes = {"mini": (512, 8, 4, 2048), "xs": (512, 8, 6, 2048), "xxs": (512, 4, 6, 2048), "small": (768, 12, 12, 3072)}
    for name, (hidden, heads, layers, feed_forward) in sizes.items():
        config = load_config(name)
        shape = config.as_data()["network"]
        assert (shape["hidden"], shape["heads"], shape["layers"], shape["feed_forward"]) == (
            hidden,
            heads,
            layers,
            feed_forward,
        )
        assert (config.run.steps, config.run.batch, config.run.patience, config.rows.length) == (
            100_000,
            32,
            6_000,
            512,
        )
        assert (config.schedule.learning_rate, config.schedule.warmup, config.optimiser.weight_decay) == (
            1e-4,
            4_000,
            0.1,
        )
        assert config.tokenizer is not None
        assert config.tokenizer.vocabulary == 32_768
    lstm = load_config("gulordava").as_data()["network"]
    assert (lstm["hidden"], lstm["layers"], lstm["dropout"], lstm["tied"]) == (650, 2, 0.2, True)


def test_every_named_network_can_be_made() -> None:
    import torch

    from gapsmith.training.config import Gpt2Shape, LstmShape
    from gapsmith.training.networks import new_network

    counts = {}
    for name in ("mini", "xxs", "gulordava"):
        shape = load_config(name).network
        assert isinstance(shape, Gpt2Shape | LstmShape)
        with torch.device("meta"):
            network = new_network(shape, vocabulary=32_768, length=512, end=0, seed=1)
        counts[name] = sum(parameter.numel() for parameter in network.parameters())
    assert counts["mini"] == 32_768 * 512 + 512 * 512 + 4 * (12 * 512 * 512 + 13 * 512) + 2 * 512
    assert counts["gulordava"] == 32_768 * 650 + 32_768 + 2 * (8 * 650 * 650 + 8 * 650)


def test_rows_longer_than_the_text_repeat_it() -> None:
    corpus = encode_corpus([["a b"]], train_bpe(["a b"], 260), name="text")
    rows = pack(corpus, length=20, end=0, end_within=0.0, rng=np.random.default_rng(1))
    once = [0, *corpus.bare[0].tolist()]
    assert rows.tolist() == [(once * 20)[:20]]
