"""The published checkpoint of Gulordava et al. (2018), for whoever has it: ``GULORDAVA_FILES=FOLDER`` names a folder with the English
``hidden650_batch128_dropout0.2_lr20.0.pt`` and its ``vocab.txt`` (github.com/facebookresearch/colorlessgreenRNNs, ``data/README.md``)."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from gapsmith.scoring.lm import convert_gulordava, open_engine
from gapsmith.templates import BosPolicy
from tests.scoring.measuring import bits, measured

FOLDER = "GULORDAVA_FILES"
TEXTS = ("I know who the story about Mary is likely to amuse soon.", "The bridge was built in 1932 by the city.")


@pytest.mark.full
def test_the_published_checkpoint_is_scored_as_torch_scores_its_tensors(tmp_path: Path) -> None:
    if FOLDER not in os.environ:
        pytest.skip(f"needs the published files: {FOLDER}=FOLDER with the English checkpoint and its vocab.txt")
    import torch
    from safetensors.torch import load_file

    folder = Path(os.environ[FOLDER])
    (checkpoint,) = sorted(folder.glob("*.pt"))
    made = convert_gulordava(checkpoint, folder / "vocab.txt", tmp_path / "out")
    assert (made.words, made.hidden, made.layers) == (50_001, 650, 2)
    tensors = load_file(tmp_path / "out" / "model.safetensors")
    lstm = torch.nn.LSTM(650, 650, 2)
    lstm.load_state_dict({name.removeprefix("body.layers."): own for name, own in tensors.items() if ".layers." in name})
    engine = open_engine(str(tmp_path / "out"), device="cpu", bos=BosPolicy.BOS, notice=pytest.fail)
    words = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")
    means = []
    for tokens in measured(engine, list(TEXTS)).values():
        # The words stand in the file's own order, by which the network knows them.
        ids = [words.index(piece) for piece in ("<eos>", *engine.pieces(tokens.ids or ()))]
        with torch.no_grad():
            hidden, _ = lstm(tensors["body.embedding.weight"][ids[:-1]])
            head = tensors.get("head.weight", tensors["body.embedding.weight"])
            logs = torch.log_softmax(hidden @ head.T + tensors["head.bias"], dim=-1) / np.log(2)
        expected = [-float(logs[place, word]) for place, (_, word) in enumerate(pairwise(ids))]
        assert bits(tokens)[-len(expected) :] == pytest.approx(expected, abs=1e-3)
        means.append(float(np.mean(expected)))
    # Chance is 15.6 bits a word, and a vocabulary in another order than the network's gives no less.
    assert max(means) < 12
