"""Learners with biases: what each adds, held against its formula; going on after a stop; controls that are a plain network."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from gapsmith.parsing import Parse, Token
from gapsmith.scoring.lm import keep_attention
from gapsmith.templates import ConfigError
from gapsmith.training import find_corpus, load_config, train_lm
from gapsmith.training.biases import biases_of
from gapsmith.training.config import Dyck, Gpt2Shape
from gapsmith.training.config import load_config as load
from gapsmith.training.dyck import DyckStream, draw_symbols
from gapsmith.training.encoding import encode_corpus
from gapsmith.training.loss import NextTokenLoss
from gapsmith.training.networks import new_network
from gapsmith.training.packing import CorpusPosition, SentenceStream, sentence_batch
from gapsmith.training.planting import Planter, plant_corpus, tree_distances
from gapsmith.training.tokenizer import train_bpe
from tests.parts import first_of
from tests.slow_gpt2 import slow_gpt2, slow_loss
from tests.training.conftest import some_text

CONFIG = """
[network]
architecture = "gpt2"
hidden = 16
layers = 2
heads = 2
dropout = 0.1

[tokenizer]
vocabulary = 280

[rows]
length = 24
unit = "sentences"
validation_share = 0.1

[schedule]
learning_rate = 1e-2

[run]
epochs = 3
batch = 16
checkpoint_every = 2
log_every = 1
"""


class StoppedError(Exception):
    """What a kill is here: nothing after it is done."""


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text(some_text(40), encoding="utf-8")
    return path


def run(text: Path, out: Path, *sets: str, stop: tuple[str, int] | None = None, **options: Any) -> Any:
    """Train into `out`; `stop` ends it as a kill would, once a step of a phase (``brackets`` or ``text``) is told."""
    config = text.parent / "config.toml"
    config.write_text(CONFIG, encoding="utf-8")

    def tell(entry: Mapping[str, Any]) -> None:
        if stop == (entry.get("phase", "text"), entry["step"]):
            raise StoppedError

    asked: dict[str, Any] = {"device": "cpu", "report": tell} | options
    return train_lm(load_config(str(config), list(sets)), find_corpus([text]), out, **asked)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What an epoch over the text makes without a bias."""
    folder = tmp_path_factory.mktemp("plain")
    (folder / "text.txt").write_text(some_text(40), encoding="utf-8")
    run(folder / "text.txt", folder / "plain", "run.epochs=1")
    return folder / "plain"


def log(out: Path) -> list[dict[str, Any]]:
    entries = [json.loads(line) for line in (out / "log.jsonl").read_text("utf-8").splitlines()]
    return [{key: value for key, value in entry.items() if key != "seconds"} for entry in entries]


def weights(out: Path) -> bytes:
    return (out / "model.safetensors").read_bytes()


# --- rows of sentences ---


def test_a_pass_has_every_sentence_once_between_end_tokens_and_in_batches_of_like_length() -> None:
    paragraphs = [[line] for line in some_text(70).splitlines()]
    tokenizer = train_bpe((p[0] for p in paragraphs), 300)
    corpus = encode_corpus(paragraphs, tokenizer, name="text")
    stream = SentenceStream(corpus, length=30, end=0, seed=1, size=8, place=CorpusPosition())
    assert stream.per_epoch == 9
    batches = [next(stream.batches(8)) for _ in range(9)]
    assert stream.place == CorpusPosition(1, 0)
    seen = [number for batch in batches for number in (batch.sentences if batch.sentences is not None else [])]
    assert sorted(seen) == list(range(70))
    for batch in batches:
        assert batch.sentences is not None
        for number, row in zip(batch.sentences, batch.ids, strict=True):
            own = [0, *corpus.bare[number].tolist(), 0]
            assert row[row >= 0].tolist() == own[:30]
            assert (row[len(own) :] == -1).all()
    # Sorted, the padding is little; in random order it would be a third of everything.
    assert sum(batch.n_tokens for batch in batches) > 0.9 * sum(batch.ids.size for batch in batches)
    again = SentenceStream(corpus, length=30, end=0, seed=1, size=8, place=CorpusPosition(0, 5))
    assert np.array_equal(next(again.batches(8)).ids, batches[5].ids)


# --- shuffled Dyck ---


def test_brackets_close_only_what_is_open_and_never_lie_deeper_than_allowed() -> None:
    settings = Dyck(types=5, depth=4)
    rng = np.random.default_rng(2)
    opened = n_free = 0
    for _ in range(60):
        counts, depth = [0] * 5, 0
        for symbol in draw_symbols(settings, 200, rng):
            opens = symbol < 5
            n_free += 0 < depth < 4
            opened += opens and 0 < depth < 4
            assert opens if depth == 0 else True
            assert not opens if depth == 4 else True
            counts[symbol % 5] += 1 if opens else -1
            depth += 1 if opens else -1
            assert min(counts) >= 0
    assert opened / n_free == pytest.approx(0.5, abs=0.02)


def test_rows_of_brackets_are_numbers_put_through_the_tokenizer() -> None:
    tokenizer = train_bpe(["1 2 3 10 11 12"], 300)
    settings = Dyck(types=12)
    batch = next(DyckStream(settings, tokenizer, length=40, end=0, seed=3, place=CorpusPosition()).batches(4))
    assert batch.ids.shape == (4, 40)
    assert (batch.ids[:, 0] == 0).all()
    for row in batch.ids.tolist():
        numbers = [int(word) for word in tokenizer.decode(row[1:]).split()][:-1]
        assert all(0 <= number < 24 for number in numbers)
        assert numbers[0] < 12
        assert (
            tokenizer.encode(" ".join(map(str, numbers)), add_special_tokens=False).ids
            == row[1:][: len(tokenizer.encode(" ".join(map(str, numbers)), add_special_tokens=False).ids)]
        )
    assert len({tuple(row) for row in batch.ids.tolist()}) == 4


# --- tree planting ---

SENTENCE = "The old cat saw unbelievably tiny mice."
HEADS = (2, 2, 3, -1, 5, 6, 3, 3)


def a_parse() -> Parse:
    words = ["The", "old", "cat", "saw", "unbelievably", "tiny", "mice", "."]
    tokens, at = [], 0
    for word, head in zip(words, HEADS, strict=True):
        start = SENTENCE.index(word, at)
        at = start + len(word)
        tokens.append(Token(word, start, at, "X", head, "dep"))
    return Parse(SENTENCE, tuple(tokens))


class OneParser:
    """A parser that knows one sentence."""

    name = identity = "one"

    def parse(self, texts: Any) -> Any:
        return iter([a_parse() for _ in texts])


def slow_divergence(attention: torch.Tensor, words: list[int]) -> torch.Tensor:
    """The sum over words of KL(S || A), word by word; `words` of each token of the row, 0 the beginning, 9 the end."""
    parents = {1 + word: 1 + head for word, head in enumerate(HEADS) if head >= 0} | {0: 4, 9: 4}

    def way(word: int) -> list[int]:
        return [word, *way(parents[word])] if word in parents else [word]

    def edges(a: int, b: int) -> int:
        meeting = next(word for word in way(a) if word in way(b))
        return way(a).index(meeting) + way(b).index(meeting)

    total = torch.zeros(())
    for word in range(1, 10):
        before = range(word)
        target = torch.tensor([math.exp(-edges(word, other)) for other in before])
        target = target / target.sum()
        mass = torch.stack(
            [
                sum(
                    (
                        attention[place - 1, key]
                        for place, own in enumerate(words)
                        if own == word
                        for key, of in enumerate(words)
                        if of == other and key < len(attention)
                    ),
                    start=torch.zeros(()),
                )
                for other in before
            ]
        )
        mass = mass / mass.sum()
        total = total + (target * (target / mass).log()).sum()
    return total


def test_planting_is_its_formula_in_loss_and_gradient() -> None:
    tokenizer = train_bpe([SENTENCE, "the cat saw mice"], 280)
    corpus = encode_corpus([[SENTENCE]], tokenizer, name="text")
    trees = plant_corpus(
        [SENTENCE], tokenizer, OneParser(), parses=lambda p, texts: dict(zip(texts, p.parse(texts), strict=True)), say=print
    )
    batch = sentence_batch(corpus, np.array([0, 0]), length=60, end=0)
    planted = Planter(trees).plant(batch, "cpu")
    assert planted.n_words == 18
    config = Gpt2Shape(hidden=16, layers=2, heads=2, dropout=0.0)
    biases = biases_of(load_bias("bias.planting.layers=[0, 1]", "bias.planting.heads=[1]"))
    net = new_network(config, vocabulary=280, length=60, end=0, seed=1, biases=biases)
    with torch.no_grad():
        for parameter in net.parameters():
            if parameter.ndim > 1:
                parameter.normal_(0.0, 0.3)
    net.set_attn_implementation("eager")
    keep_attention(net, net.config.planted_layers, net.config.planted_heads)
    loss, divergence = NextTokenLoss(net)(
        torch.from_numpy(batch.ids).long(), batch.n_targets, padded=True, trees=planted, n_words=planted.n_words
    )
    (loss + 0.5 * divergence).backward()
    found = [parameter.grad.clone() for parameter in net.parameters()]
    net.zero_grad()

    row = batch.ids[0].tolist()
    words = [0, *(trees.words[0] + 1).tolist(), 9]
    # More tokens than words, so that sums over the tokens of a word count.
    assert len(words) > 14
    logits, attention = slow_gpt2(net, row[:-1])
    slow = slow_loss(torch.cat([logits, logits[:1]]), row) / (len(row) - 1)
    apart = (slow_divergence(attention[0][1], words) + slow_divergence(attention[1][1], words)) / 2 / 9
    (slow + 0.5 * apart).backward()  # type: ignore[no-untyped-call]  # torch does not say its types
    assert float(loss.detach()) == pytest.approx(float(slow.detach()), rel=1e-5)
    assert float(divergence.detach()) == pytest.approx(float(apart.detach()), rel=1e-5)
    for gradient, parameter in zip(found, net.parameters(), strict=True):
        assert torch.allclose(gradient, parameter.grad, atol=1e-5, rtol=1e-3)


def load_bias(*sets: str) -> Any:
    return load("mini", list(sets)).bias


def test_distances_in_a_tree_are_edges_and_the_ends_hang_on_the_root() -> None:
    distances = tree_distances(np.array(HEADS))
    assert distances[4].tolist() == [1, 2, 2, 1, 0, 3, 2, 1, 1, 1]
    assert (distances[0, 9], distances[1, 2], distances[5, 9]) == (2, 2, 4)
    assert np.array_equal(distances, distances.T)


# --- controls ---


@pytest.mark.parametrize(
    "sets",
    first_of(
        [
            ("bias.linear.start=0.0", "bias.planting.weight=0.0"),
            ("bias.planting.weight=0.0",),
            ("bias.recency.start=0.0",),
            ("bias.constant.slopes=[0.0]",),
        ]
    ),
)
def test_a_bias_of_no_weight_trains_a_plain_network_bit_for_bit(
    text: Path, plain: Path, tmp_path: Path, sets: tuple[str, ...]
) -> None:
    run(text, tmp_path / "biased", "run.epochs=1", *sets)
    biased = log(tmp_path / "biased")
    assert [{k: v for k, v in entry.items() if k != "divergence"} for entry in biased] == log(plain)
    assert weights(plain) == weights(tmp_path / "biased")
    assert json.loads((plain / "config.json").read_text())["model_type"] == "gpt2"
    assert json.loads((tmp_path / "biased" / "config.json").read_text())["model_type"] == "gapsmith_gpt2"


def test_planting_brings_attention_nearer_to_the_trees(text: Path, tmp_path: Path) -> None:
    ends = []
    for weight in (0.0, 5.0):
        run(text, tmp_path / str(weight), "run.epochs=2", f"bias.planting.weight={weight}")
        ends.append(log(tmp_path / str(weight))[-1]["divergence"])
    assert ends[1] < 0.8 * ends[0]


def test_slopes_follow_their_rule_from_epoch_to_epoch() -> None:
    def slopes(*sets: str) -> list[Any]:
        attention = biases_of(load_bias(*sets)).attention
        assert attention is not None
        return [attention.slopes(epoch, 10, 8) for epoch in (0, 1, 9)]

    assert slopes("bias.recency.rate=0.6") == [[1.0], [pytest.approx(0.6)], [pytest.approx(0.0101, abs=1e-4)]]
    assert slopes("bias.linear.start=0.9") == [[0.9], [pytest.approx(0.8)], [pytest.approx(0.0)]]
    first, _, last = slopes("bias.constant.test_slope=0")
    assert first == last == [pytest.approx(0.9**head) for head in range(1, 9)]


# --- going on ---


@pytest.mark.full
@pytest.mark.parametrize(
    "stops",
    [
        [("brackets", 3), ("text", 3), ("text", 6)],
        [("brackets", 3), ("brackets", 4), ("text", 1), ("text", 5), ("text", 7), ("text", 8)],
    ],
    ids=["once in a phase", "again and again"],
)
def test_a_stopped_run_goes_on_over_phases_and_epochs_to_the_same_losses_and_weights(
    text: Path, tmp_path: Path, stops: list[tuple[str, int]]
) -> None:
    sets = ("bias.dyck.steps=4", "bias.dyck.types=6", "bias.planting.weight=0.5", "bias.recency.rate=0.5", "run.choose=last")
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    run(text, whole, *sets)
    for stop in stops:
        with pytest.raises(StoppedError):
            run(text, stopped, *sets, stop=stop)
        # What was learnt of brackets is no other run's.
        with pytest.raises(ConfigError, match=r"run\.seed differs"):
            run(text, stopped, *sets, "run.seed=2")
        with pytest.raises(ConfigError, match="other learning rates"):
            run(text, stopped, *sets, "schedule.learning_rate=0.1")
        assert not (stopped / "model.safetensors").exists()
    run(text, stopped, *sets)
    assert log(stopped) == log(whole)
    assert log(stopped / "dyck") == log(whole / "dyck")
    assert weights(stopped) == weights(whole)
    # Three epochs, an evaluation after each, and slopes of the last.
    evaluated = [entry for entry in log(whole) if "valid_loss" in entry]
    assert len(evaluated) == 4
    assert all("valid_loss_slope_0" in entry for entry in evaluated)
    assert json.loads((whole / "config.json").read_text())["recency_slopes"] == [0.25]
    assert json.loads((whole / "slope-0" / "config.json").read_text())["recency_slopes"] is None
    assert weights(whole / "slope-0") == weights(whole)


def test_brackets_come_before_the_text_and_leave_a_plain_gpt2(text: Path, plain: Path, tmp_path: Path) -> None:
    run(text, tmp_path / "dyck", "bias.dyck.steps=30", "run.epochs=1")
    brackets = [entry["loss"] for entry in log(tmp_path / "dyck" / "dyck")]
    assert brackets[-1] < brackets[0] - 0.5
    assert json.loads((tmp_path / "dyck" / "config.json").read_text())["model_type"] == "gpt2"
    # Not the losses of a network that has seen nothing.
    assert log(tmp_path / "dyck")[0] != log(plain)[0]


def test_a_model_is_scored_with_the_slope_that_is_asked_for(text: Path, tmp_path: Path) -> None:
    run(text, tmp_path / "m", "run.epochs=1", "bias.recency.test_slope=0")
    assert json.loads((tmp_path / "m" / "config.json").read_text())["recency_slopes"] is None
    assert json.loads((tmp_path / "m" / "slope-trained" / "config.json").read_text())["recency_slopes"] == [1.0]


def test_hooks_are_asked_with_the_trained_slope_and_without(text: Path, tmp_path: Path) -> None:
    def hook(folder: Path) -> dict[str, float]:
        slopes = json.loads((folder / "config.json").read_text())["recency_slopes"]
        assert (folder / "model.safetensors").is_file()
        assert (folder / "tokenizer.json").is_file()
        return {"slope": slopes[0] if slopes else 0.0}

    run(text, tmp_path / "m", "run.epochs=2", "bias.recency.rate=0.5", evaluations=[hook])
    measured = [entry["measured"] for entry in log(tmp_path / "m") if "measured" in entry]
    assert measured == [{"slope": 1.0, "slope, slope 0": 0.0}, {"slope": 0.5, "slope, slope 0": 0.0}]
    assert not [path for path in (tmp_path / "m" / "checkpoints").iterdir() if path.name.startswith(".")]


# --- what is refused ---


@pytest.mark.parametrize(
    ("sets", "says"),
    [
        (("bias.recency.rate=0.6", "bias.linear.start=1.0"), "one at a time"),
        (("bias.planting.layers=[2]",), "bias.planting.layers = .* a network with 2"),
        (("bias.planting.heads=[]",), "bias.planting.heads"),
        (("bias.planting.weight=0.5", "rows.unit=stream", "run.epochs=1"), "a tree is one of a sentence"),
        (("rows.unit=stream",), "passes are counted over rows of sentences"),
        (("bias.constant.slopes=[0.1, 0.2, 0.3]",), "3 do not fit 2 heads"),
        (("bias.dyck.steps=4", "bias.dyck.warmup=5"), "do not fit into 4"),
        (("bias.dykc.steps=4",), "no such key"),
        (("bias.recency.rate=1.5",), "bias.recency.rate"),
        (("bias.recency.test_slope=1",), "bias.recency.test_slope"),
        (("network.architecture=lstm", "network.heads=2"), "network.heads"),
    ],
)
def test_biases_that_do_not_go_with_the_rest_are_refused(text: Path, tmp_path: Path, sets: tuple[str, ...], says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        run(text, tmp_path / "m", *sets)
    assert not (tmp_path / "m").exists()


def test_text_without_sentence_ends_is_not_cut_into_sentences_and_nothing_is_lost(text: Path, tmp_path: Path) -> None:
    text.write_text(text.read_text().replace(".", ""), encoding="utf-8")
    with pytest.raises(ConfigError, match=r"no sentence ends in text\.txt: of 36 lines none") as refused:
        run(text, tmp_path / "m")
    assert "--lines sentences" in str(refused.value.hint)


def test_another_seed_or_bias_is_refused_in_a_folder_that_holds_a_run(text: Path, tmp_path: Path) -> None:
    run(text, tmp_path / "m", "run.epochs=1", "bias.recency.rate=0.5")
    before = weights(tmp_path / "m")
    for sets, says in (
        (("run.epochs=1", "bias.recency.rate=0.5", "run.seed=2"), "run.seed differs"),
        (("run.epochs=1", "bias.recency.rate=0.6"), "bias.recency differs"),
        (("run.epochs=1",), "bias.recency differs"),
        (("run.epochs=2", "bias.recency.rate=0.5"), "run.epochs differs"),
    ):
        with pytest.raises(ConfigError, match=says):
            run(text, tmp_path / "m", *sets)
    assert weights(tmp_path / "m") == before


@pytest.mark.full
@pytest.mark.usefixtures("painted")
def test_a_figure_shows_what_the_bias_does_to_attention(text: Path, tmp_path: Path) -> None:
    shown = {}
    for name, sets in {
        "near": ("bias.recency.start=3.0",),
        "planted": ("bias.planting.weight=5.0", "rows.validation_share=0.0"),
        "none": (),
    }.items():
        run(text, tmp_path / name, "run.epochs=1", *sets)
        shown[name] = json.loads((tmp_path / name / "attention.json").read_text())
        assert "<svg" in (tmp_path / name / "attention.svg").read_text("utf-8")
    # With a slope, the token itself gets more than without, and attention sums to one where all distances are told apart.
    near = shown["near"]["by_distance"]
    assert near["layer 1"][0] > 2 * near["layer 1, slope 0"][0]
    assert near["layer 1"][0] > 2 * shown["none"]["by_distance"]["layer 1"][0]
    planted = shown["planted"]["by_edges"]
    assert set(planted) == {"layer 1", "layer 2", "layer 2, planted head 1"}
    assert planted["layer 2, planted head 1"][0] > planted["layer 1"][0]
    assert shown["none"]["by_edges"] == {}
