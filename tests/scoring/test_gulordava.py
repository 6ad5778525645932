"""Checkpoints of word-level LSTMs in the form of Gulordava et al.: converted without running them, scored as a plain loop scores them, and
refused where they are more, or less, than tensors."""

from __future__ import annotations

import io
import math
import os
import pickle
import struct
import sys
import types
import warnings
from collections import OrderedDict
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gapsmith.scoring.lm import ModelError, convert_gulordava, open_engine
from gapsmith.templates import BosPolicy, ConfigError
from tests.conftest import CommandOutcome
from tests.interface import expect_results
from tests.printed import results
from tests.scoring.measuring import bits, measured

Run = Callable[..., CommandOutcome]

WORDS = (
    *("<unk>", "<eos>", ".", ",", "the", "I", "know", "who", "that", "'s", "n't", "did", "John", "story", "about", "Mary"),
    *("is", "likely", "to", "amuse", "Anna", "soon", "Mr.", "no.", "'t", "of", "``"),
)
HIDDEN = 5


def _network(tied: bool) -> Any:
    """A network with the parts that theirs has, of a class that pickles as ``model.RNNModel``."""
    import torch
    from torch import nn

    class RNNModel(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.drop = nn.Dropout(0.2)
            self.encoder = nn.Embedding(len(WORDS), HIDDEN)
            self.rnn = nn.LSTM(HIDDEN, HIDDEN, 2, dropout=0.2)
            self.decoder = nn.Linear(HIDDEN, len(WORDS))
            if tied:
                self.decoder.weight = self.encoder.weight
            self.rnn_type, self.nhid, self.nlayers = "LSTM", HIDDEN, 2

    RNNModel.__module__, RNNModel.__qualname__ = "model", "RNNModel"
    torch.manual_seed(1)
    network = RNNModel()
    with torch.no_grad():
        for weight in network.parameters():
            weight.mul_(3.0)
    return network


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Writes a checkpoint beside a vocab.txt."""
    import torch

    (tmp_path / "vocab.txt").write_text("\n".join(WORDS), encoding="utf-8")

    def write(*, tied: bool = False, zipped: bool = False, state: bool = False) -> Path:
        network = _network(tied)
        module = types.ModuleType("model")
        module.RNNModel = type(network)  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "model", module)
        path = tmp_path / "checkpoint.pt"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that the source of a class that was made here cannot be put beside it
            torch.save(network.state_dict() if state else network, path, _use_new_zipfile_serialization=zipped)
        np.savez(tmp_path / "tensors.npz", **{name: own.numpy() for name, own in network.state_dict().items()})
        return path

    return write


def _sigmoid(z: np.ndarray) -> np.ndarray:
    return np.asarray(1 / (1 + np.exp(-z)))


def _plain(folder: Path, ids: list[int]) -> list[float]:
    """Bits of every id but the first: an LSTM in plain arithmetic, one word after the other."""
    tensors = {name: own.astype(np.float64) for name, own in np.load(folder / "tensors.npz").items()}
    states = [(np.zeros(HIDDEN), np.zeros(HIDDEN)) for _ in range(2)]
    found = []
    for this, following in pairwise(ids):
        x = tensors["encoder.weight"][this]
        for layer, (h, c) in enumerate(states):
            own = {name: tensors[f"rnn.{name}_l{layer}"] for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")}
            gates = own["weight_ih"] @ x + own["bias_ih"] + own["weight_hh"] @ h + own["bias_hh"]
            enter, keep, new, out = np.split(gates, 4)
            c = _sigmoid(keep) * c + _sigmoid(enter) * np.tanh(new)
            x = _sigmoid(out) * np.tanh(c)
            states[layer] = x, c
        logits = tensors["decoder.weight"] @ x + tensors["decoder.bias"]
        found.append(float(np.log(np.exp(logits).sum()) - logits[following]) / math.log(2))
    return found


@pytest.mark.parametrize(
    "form",
    [{}, {"zipped": True}, {"tied": True}, {"state": True}, {"state": True, "zipped": True, "tied": True}],
    ids=["old", "zip", "old, tied", "old, state", "zip, state, tied"],
)
def test_scores_are_those_of_a_plain_loop(form: dict[str, bool], files: Callable[..., Path], tmp_path: Path) -> None:
    made = convert_gulordava(files(**form), tmp_path / "vocab.txt", tmp_path / "out")
    assert (made.words, made.hidden, made.layers, made.tied) == (len(WORDS), HIDDEN, 2, form.get("tied", False))
    texts = {
        "I know who that is.": ["I", "know", "who", "that", "is", "."],
        "Mary's story, did n't Mr. John know?": ["Mary", "'s", "story", ",", "did", "n't", "Mr.", "John", "know", "<unk>"],
        "Didn't Jim say no.": ["<unk>", "n't", "<unk>", "<unk>", "<unk>", "."],
        "``the story didn't": ["``", "the", "story", "did", "n't"],
    }
    for bos in (BosPolicy.BOS, BosPolicy.NONE):
        engine = open_engine(str(tmp_path / "out"), device="cpu", bos=bos, notice=pytest.fail)
        found = {tokens.text: tokens for tokens in measured(engine, list(texts)).values()}
        for text, words in texts.items():
            assert engine.pieces(found[text].ids or ()) == tuple(words)
            ids = [WORDS.index(word) for word in words]
            expected = _plain(tmp_path, [WORDS.index("<eos>"), *ids] if bos is BosPolicy.BOS else ids)
            got = bits(found[text])
            assert got[len(got) - len(expected) :] == pytest.approx(expected, abs=1e-4)
    assert engine.identity["unknown"] == "<unk>"


def _old(top: bytes, numbers: dict[str, np.ndarray]) -> bytes:
    """A file of torch before 1.6 around a pickle."""
    head = (0x1950A86A20F9469CFC6C, 1001, {"protocol_version": 1001, "little_endian": True, "type_sizes": {}})
    parts = [*(pickle.dumps(one, 2) for one in head), top, pickle.dumps(list(numbers), 2)]
    parts += [struct.pack("<q", own.size) + own.astype("<f4").tobytes() for own in numbers.values()]
    return b"".join(parts)


def _as_torch_03_wrote(network: Any) -> bytes:
    """The network as torch 0.3 wrote one that was trained on a GPU: parameters around tensors, and the functions it computed with."""
    numbers: dict[str, np.ndarray] = {}

    class Named:
        """Pickles as a name, which cannot be imported here."""

        def __init__(self, module: str, name: str) -> None:
            self.own = f"c{module}\n{name}\n".encode()

    class Call:
        def __init__(self, what: Named, arguments: tuple[Any, ...], state: Any = None, *, new: bool = False) -> None:
            self.parts = what, arguments, state, new

    class Storage:
        def __init__(self, key: str) -> None:
            self.key = key

    def written(own: Any) -> bytes:
        if isinstance(own, Named):
            return own.own
        if isinstance(own, Storage):
            told = ("storage", Named("torch.cuda", "FloatStorage"), own.key, "cuda:0", numbers[own.key].size, None)
            return written(told) + b"Q"
        if isinstance(own, Call):
            what, arguments, state, new = own.parts
            state_of = b"" if state is None else written(state) + b"b"
            return written(what) + written(arguments) + (b"\x81" if new else b"R") + state_of
        if isinstance(own, tuple):
            return b"(" + b"".join(map(written, own)) + b"t"
        if isinstance(own, dict):
            return b"}(" + b"".join(written(name) + written(value) for name, value in own.items()) + b"u"
        return pickle.dumps(own, 2)[2:-1].replace(b"q\x00", b"")

    def parameter(name: str, own: Any) -> Call:
        numbers[name] = own.detach().numpy()
        size = tuple(own.shape)
        tensor = Call(Named("torch._utils", "_rebuild_tensor"), (Storage(name), 0, size, own.stride()))
        return Call(Named("torch.nn.parameter", "Parameter"), (tensor,), (True, False, {}))

    backend = Call(Named("torch.nn.backends.thnn", "_get_thnn_function_backend"), ())
    kinds = {"encoder": "sparse.Embedding", "rnn": "rnn.LSTM", "decoder": "linear.Linear"}
    parts = {}
    for name, kind in kinds.items():
        module, _, own = kind.partition(".")
        held = {key: parameter(f"{name}.{key}", value) for key, value in getattr(network, name).named_parameters()}
        state = {"_backend": backend, "_parameters": held, "_buffers": {}, "_modules": {}, "training": False}
        parts[name] = Call(Named(f"torch.nn.modules.{module}", own), (), state, new=True)
    whole = Call(Named("model", "RNNModel"), (), {"_backend": backend, "_parameters": {}, "_modules": parts}, new=True)
    return _old(b"\x80\x02" + written(whole) + b".", numbers)


def test_a_checkpoint_as_torch_03_wrote_it(files: Callable[..., Path], tmp_path: Path) -> None:
    """Such names are not there any more in the torch of today."""
    files()
    (tmp_path / "old.pt").write_bytes(_as_torch_03_wrote(_network(tied=False)))
    convert_gulordava(tmp_path / "old.pt", tmp_path / "vocab.txt", tmp_path / "out")
    (tokens,) = measured(open_engine(str(tmp_path / "out"), device="cpu"), ["the story"]).values()
    assert bits(tokens) == pytest.approx(_plain(tmp_path, [WORDS.index(word) for word in ("<eos>", "the", "story")]), abs=1e-4)


class _Calls:
    def __init__(self, what: Callable[..., Any], *arguments: Any) -> None:
        self.what = what, arguments

    def __reduce__(self) -> Any:
        return self.what


@pytest.mark.parametrize(
    ("what", "named"),
    [
        (os.system, "posix.system"),
        (eval, "(?:builtins|__builtin__).eval"),
        (getattr, "(?:builtins|__builtin__).getattr"),
        (__import__, "(?:builtins|__builtin__).__import__"),
    ],
)
def test_what_is_no_tensor_is_refused_by_name(
    what: Callable[..., Any], named: str, files: Callable[..., Path], tmp_path: Path
) -> None:
    """In an old file, in a zip, and before the network in the very first pickle; nothing is run."""
    import torch

    files()
    mark = tmp_path / "was-run"
    hostile = _Calls(what, f"open({str(mark)!r}, 'w')" if what is eval else f"touch {mark}")
    top = pickle.dumps({"encoder.weight": hostile}, 2)
    (tmp_path / "old.pt").write_bytes(_old(top, {}))
    (tmp_path / "bare.pt").write_bytes(pickle.dumps(hostile, 2))
    torch.save({"encoder.weight": hostile}, tmp_path / "zip.pt")
    for name in ("old.pt", "bare.pt", "zip.pt"):
        with pytest.raises(ModelError, match=rf"{name} wants to use {named}, .*nothing of it was run"):
            convert_gulordava(tmp_path / name, tmp_path / "vocab.txt", tmp_path / "out")
    assert not mark.exists()
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("zipped", [False, True])
def test_a_file_that_is_cut_short_or_changed_is_refused_with_a_sentence(
    zipped: bool, files: Callable[..., Path], tmp_path: Path
) -> None:
    """At every length there is, and with every stretch turned over: a sentence or a model, never anything else."""
    whole = files(zipped=zipped).read_bytes()
    path = tmp_path / "damaged.pt"
    for place in range(0, len(whole), 331):
        turned = bytes(byte ^ 0xFF for byte in whole[place : place + 3])
        for content in (whole[:place], whole[:place] + turned + whole[place + 3 :]):
            path.write_bytes(content)
            out = tmp_path / f"out{place}{len(content)}"
            said = _refusal(path, tmp_path / "vocab.txt", out)
            assert (str(path) in said) if said else (len(content) == len(whole) and (out / "model.safetensors").is_file())


def _refusal(path: Path, vocabulary: Path, out: Path) -> str:
    """What is said of a file; empty where it is converted."""
    try:
        convert_gulordava(path, vocabulary, out)
    except ModelError as error:
        return error.message
    return ""


def _state(network: Any, **changes: Any) -> bytes:
    import torch

    stream = io.BytesIO()
    torch.save(OrderedDict({**network.state_dict(), **changes}), stream)
    return stream.getvalue()


def test_one_number_does_not_become_a_tensor_that_fills_the_memory(tmp_path: Path) -> None:
    """Strides of 0 let a storage of one number be read as any number of entries."""
    import torch

    (tmp_path / "vocab.txt").write_text("<unk>\n<eos>\n", encoding="utf-8")
    torch.save({"encoder.weight": torch.zeros(1).expand(10**12)}, tmp_path / "vast.pt")
    with pytest.raises(ModelError, match="more entries than the 1 numbers of its storage"):
        convert_gulordava(tmp_path / "vast.pt", tmp_path / "vocab.txt", tmp_path / "lstm")
    assert not (tmp_path / "lstm").exists()


def test_what_does_not_go_together_is_said(files: Callable[..., Path], tmp_path: Path, gapsmith: Run) -> None:
    import torch

    good, vocabulary, network = files(), tmp_path / "vocab.txt", _network(tied=False)
    weights = tmp_path / "other.pt"
    gates = torch.nn.GRU(HIDDEN, HIDDEN).weight_hh_l0.data
    others: dict[str, tuple[dict[str, Any], str]] = {
        "it has tensors of another network": ({"wte.weight": torch.ones(2, 2)}, "tensor 'wte.weight'"),
        "a GRU": ({"rnn.weight_hh_l0": gates}, "body.layers.weight_hh_l0 is of shape (15, 5)"),
        "numbers that are none": ({"decoder.bias": torch.full((len(WORDS),), float("nan"))}, "entries that are no numbers"),
        "whole numbers": ({"decoder.bias": torch.ones(len(WORDS), dtype=torch.int64)}, "has whole numbers in it"),
    }
    for changes, said in others.values():
        weights.write_bytes(_state(network, **changes))
        outcome = gapsmith("model", "convert", str(weights), str(vocabulary), "--out", "out")
        assert (outcome.code, said in " ".join(outcome.err.split())) == (1, True), outcome.err
    texts = {
        "\n".join(WORDS[:-1]): f"knows {len(WORDS)} words, and {vocabulary} has {len(WORDS) - 1}",
        "\n".join(WORDS).replace("<eos>", "<s>"): "lacks <eos>",
    }
    for text, said in texts.items():
        vocabulary.write_text(text, encoding="utf-8")
        with pytest.raises(ModelError) as raised:
            convert_gulordava(good, vocabulary, tmp_path / "out")
        assert said in raised.value.message
    vocabulary.write_bytes(b"\xff\xfe")
    with pytest.raises(ModelError, match="no text in UTF-8"):
        convert_gulordava(good, vocabulary, tmp_path / "out")
    with pytest.raises(ConfigError, match="is there already"):
        convert_gulordava(good, vocabulary, tmp_path)


def test_a_word_that_the_model_does_not_know_is_said_and_counted(
    files: Callable[..., Path], tmp_path: Path, gapsmith: Run
) -> None:
    """When it scores, by sentence; in the analysis, by item; the correction for word boundaries is refused; every way of asking for a
    number goes."""
    outcome = gapsmith("model", "convert", str(files()), str(tmp_path / "vocab.txt"), "--out", "lstm", "--json")
    assert expect_results(outcome.out)[0]["words"] == len(WORDS)
    gapsmith("init", ".")
    (tmp_path / "pairs.csv").write_text(
        "sentence_good,sentence_bad\nJohn is likely to know.,John is likely to knows.\nMary did know.,Mary did story.\n",
        encoding="utf-8",
    )
    assert gapsmith("import", "pairs.csv", "--first", "good").code == 0
    outcome = gapsmith("score", "--all", "--model", "./lstm")
    assert outcome.code == 0
    assert "1 sentence with words that the model does not know, read as <unk>: knows 1" in " ".join(outcome.err.split())
    (told,) = results(gapsmith("score", "--all", "--model", "./lstm", "--json").out)
    assert told["unknown_words"] == [{"text": "John is likely to knows.", "words": ["knows"]}]
    outcome = gapsmith("analyze", "--all", "--json")
    (found,) = results(outcome.out)
    assert [entry["words"] for entry in found["items"]["unknown"]] == [{"knows": 1}]
    assert any("does not know, in 1 of 2 items: knows 1. Each is read as <unk>" in caveat for caveat in found["caveats"])
    outcome = gapsmith("score", "--all", "--model", "./lstm", "--boundary")
    assert outcome.code != 0
    assert "knows whole words" in outcome.err
    outcome = gapsmith("explain-number", "Jim did know.", "--model", "./lstm", "--like", "minicons")
    assert (outcome.code, "does not know Jim" in outcome.out) == (0, True)
    assert gapsmith("score", "--all", "--model", "./lstm", "--convention", "minicons", "--dry-run").code == 0
