"""The LSTMs of Gulordava et al. (2018), "Colorless green recurrent networks dream hierarchically", as folders that score like any model.

Their checkpoints hold a whole network of theirs: an embedding, LSTM layers and a linear layer over a vocabulary of whole words. The folder
has its tensors unchanged (`gapsmith.scoring.lm.lstm`), and a tokenizer of its vocabulary. Of their files this was read in the repository
facebookresearch/colorlessgreenRNNs at dbffbf0 (`src/language_models/`, `data/`): the vocabulary is split at white space, a word's place in it
is its number, and a word that is not in it is ``<unk>``; texts have full stops, commas, *'s* and *n't* as words of their own, keep capitals, and
end in ``<eos>``; a file is read from a state of zeros on, and the state is kept from sentence to sentence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gapsmith.bank import written_whole
from gapsmith.scoring.lm.errors import ModelError
from gapsmith.scoring.lm.lstm import LstmConfig, LstmForCausalLM
from gapsmith.scoring.lm.pickled import read_tensors
from gapsmith.templates import ConfigError, file_sha256, text_of

UNKNOWN = "<unk>"
END = "<eos>"
_NAME = re.compile(r"rnn\.(weight_ih|weight_hh|bias_ih|bias_hh)_l(\d+)")
_OTHERS = {"encoder.weight": "body.embedding.weight", "decoder.weight": "head.weight", "decoder.bias": "head.bias"}
_OPENING, _CLOSING = r"""["'“‘(\[{$#]""", r"""[.,;:!?%)\]}"'”’…]"""


@dataclass(frozen=True, slots=True)
class ConvertedModel:
    """A folder that was made of a checkpoint."""

    folder: Path
    words: int
    """In the vocabulary, ``<unk>`` and ``<eos>`` among them."""
    hidden: int
    layers: int
    tied: bool
    """Whether embedding and output have one matrix."""


def convert_gulordava(checkpoint: Path, vocabulary: Path, out: Path) -> ConvertedModel:
    """Make the folder `out` of a checkpoint and its ``vocab.txt``. Nothing in the checkpoint is run.

    Raises `ModelError` where one of both is not what it should be or they do not go together, and `ConfigError` where `out` cannot be written or
    is there already.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise ConfigError(f"{out} is there already", hint="Name a new folder with --out.")
    words = _words(vocabulary)
    tensors = _renamed(checkpoint, read_tensors(checkpoint))
    config = _config(checkpoint, vocabulary, tensors, words)
    if config.tie_word_embeddings:
        del tensors["head.weight"]
    made = ConvertedModel(
        out, len(words), int(config.hidden_size), int(config.num_hidden_layers), bool(config.tie_word_embeddings)
    )
    try:
        with written_whole(out) as folder:
            _save(config, tensors, words, folder)
            (folder / "README.md").write_text(_card(made, config), encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{out} cannot be written ({error.strerror or error})", hint="Name another folder.") from None
    return made


def _words(vocabulary: Path) -> tuple[str, ...]:
    try:
        words = tuple(text_of(vocabulary, "utf-8").split())
    except OSError as error:
        raise ModelError(f"{vocabulary} cannot be read: {error.strerror or error}", hint="Check the path.") from None
    except UnicodeDecodeError:
        raise ModelError(f"{vocabulary} is no text in UTF-8", hint="Give the vocab.txt that was published beside it.") from None
    absent = [word for word in (UNKNOWN, END) if word not in words]
    if absent:
        raise ModelError(
            f"{vocabulary} lacks {' and '.join(absent)}, which the vocabularies of these models have",
            hint="Give the vocab.txt that was published beside the checkpoint.",
        )
    return words


def _renamed(checkpoint: Path, tensors: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[np.float32]]:
    """The tensors in float32, named as in `gapsmith.scoring.lm.lstm`."""
    found: dict[str, NDArray[np.float32]] = {}
    for name, own in tensors.items():
        layer = _NAME.fullmatch(name)
        if name not in _OTHERS and layer is None:
            raise ModelError(
                f"{checkpoint} has a tensor {name!r}, which the networks of Gulordava et al. have not",
                hint="Give a checkpoint of theirs, or of a network of the same parts.",
            )
        if not np.issubdtype(own.dtype, np.floating):
            raise ModelError(f"{checkpoint}: the tensor {name} has whole numbers in it", hint="Fetch it again.")
        renamed = _OTHERS[name] if layer is None else f"body.layers.{name.removeprefix('rnn.')}"
        found[renamed] = np.array(own, dtype=np.float32)
        if not np.isfinite(found[renamed]).all():
            raise ModelError(f"{checkpoint}: the tensor {name} has entries that are no numbers", hint="Fetch it again.")
    return found


def _config(checkpoint: Path, vocabulary: Path, tensors: Mapping[str, NDArray[np.float32]], words: tuple[str, ...]) -> LstmConfig:
    """The sizes of the network; all tensors have the shapes that follow from them."""
    embedding, recurrent = tensors.get("body.embedding.weight"), tensors.get("body.layers.weight_hh_l0")
    head = tensors.get("head.weight")
    if embedding is None or recurrent is None or head is None or embedding.ndim != 2 or recurrent.ndim != 2:
        raise ModelError(
            f"{checkpoint} has no embedding, no LSTM or no output layer", hint="Give a checkpoint of Gulordava et al.'s."
        )
    if len(embedding) != len(words):
        raise ModelError(
            f"{checkpoint} knows {len(embedding):,} words, and {vocabulary} has {len(words):,}: they do not belong together",
            hint="Give the vocab.txt of the same language that was published beside it.",
        )
    (size, width), hidden = embedding.shape, recurrent.shape[1]
    layers = sum(name.startswith("body.layers.weight_hh") for name in tensors)
    shapes: dict[str, tuple[int, ...]] = {
        "body.embedding.weight": (size, width),
        "head.weight": (size, hidden),
        "head.bias": (size,),
    }
    for layer in range(layers):
        shapes |= {
            f"body.layers.weight_ih_l{layer}": (4 * hidden, hidden if layer else width),
            f"body.layers.weight_hh_l{layer}": (4 * hidden, hidden),
            f"body.layers.bias_ih_l{layer}": (4 * hidden,),
            f"body.layers.bias_hh_l{layer}": (4 * hidden,),
        }
    unlike = [name for name, shape in shapes.items() if name not in tensors or tensors[name].shape != shape]
    unlike += [name for name in tensors if name not in shapes]
    if unlike:
        there = tensors.get(unlike[0])
        raise ModelError(
            f"{checkpoint} is no LSTM with {layers} layers of {hidden} units: {unlike[0]} is "
            f"{'missing' if there is None else f'of shape {there.shape}'}",
            hint="Networks of other kinds (GRU, tanh) are not converted.",
        )
    return LstmConfig(
        vocab_size=size,
        hidden_size=hidden,
        embedding_size=width,
        num_hidden_layers=layers,
        tie_word_embeddings=head.shape == embedding.shape and bool((head == embedding).all()),
        eos_token_id=words.index(END),
        made_of={"checkpoint": file_sha256(checkpoint), "vocabulary": file_sha256(vocabulary)},
    )


def _save(config: LstmConfig, tensors: Mapping[str, NDArray[np.float32]], words: tuple[str, ...], folder: Path) -> None:
    import torch
    from transformers import PreTrainedTokenizerFast

    from gapsmith.scoring.lm.model import quiet

    with quiet():
        with torch.device("meta"):
            network = LstmForCausalLM(config)
        state = {name: torch.from_numpy(own) for name, own in tensors.items()}
        network.load_state_dict(state, strict=False, assign=True)
        network.tie_weights()
        network.save_pretrained(folder)
        fast: Any = PreTrainedTokenizerFast
        fast(tokenizer_object=word_tokenizer(words), eos_token=END, unk_token=UNKNOWN).save_pretrained(folder)


def word_tokenizer(words: tuple[str, ...]) -> Any:
    """A tokenizer of whole words (the `tokenizers` library's): at white space, marks at the edges of words and *'s*, *n't* and the like set off.

    What the vocabulary has with a full stop (*Mr.*) stays whole within a text; at its end the stop is a word, as at the end of a sentence.
    """
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers

    abbreviations = sorted({word for word in words if word.endswith(".") and word[0].isalnum()}, key=len, reverse=True)
    kept = "|".join(re.escape(word) for word in abbreviations)
    pieces = [
        *([rf"(?<!\S)(?:{kept})(?={_CLOSING}*\s+\S)"] if kept else []),
        r"n't(?!\w)",
        r"'(?:s|m|d|re|ve|ll)(?!\w)",
        r"\.\.\.|--|``|''",
        rf"(?<![^\s{_OPENING[1:]}){_OPENING}",
        rf"{_CLOSING}(?={_CLOSING}*(?:\s|\z))",
    ]
    tokenizer: Any = Tokenizer(models.WordLevel({word: number for number, word in enumerate(words)}, unk_token=UNKNOWN))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex("|".join(pieces)), "isolated"), pre_tokenizers.WhitespaceSplit()]
    )
    return tokenizer


def _card(made: ConvertedModel, config: Any) -> str:
    shared = "one matrix" if made.tied else "a matrix each"
    return f"""# A word-level LSTM, converted

Made by `gapsmith model convert` of a checkpoint of the kind of Gulordava, Bojanowski, Grave, Linzen and Baroni (2018),
"Colorless green recurrent networks dream hierarchically". The tensors are those of the checkpoint, in float32.

| | |
|---|---|
| network | LSTM, {made.layers} layers of {made.hidden} units, embedding and output with {shared} |
| vocabulary | {made.words:,} whole words, `{UNKNOWN}` and `{END}` among them |
| checkpoint, SHA-256 | {config.made_of["checkpoint"]} |
| vocabulary, SHA-256 | {config.made_of["vocabulary"]} |

Every sentence is read by itself, from a state of zeros and behind `{END}`; with `--no-bos`, behind nothing, and its first word
has no value. The authors' script reads a file of sentences on and on, each with `{END}` at its end. A word that the vocabulary
lacks is read as `{UNKNOWN}`, whose surprisal says nothing of that word.

Weights and vocabulary stand under the terms of whoever published them.
"""
