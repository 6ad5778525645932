"""Surprisals of the bundled model, computed without torch, transformers or tokenizers.

A forward pass of GPT-2 (Radford et al. 2019; pre-norm blocks, tanh GELU, tied embeddings) in float64 numpy over the
float16 weights, which are read from the safetensors file byte by byte, and a byte-level BPE tokeniser of its own.
`gapsmith doctor` and the tests compare the engine with what it wrote:

    python tests/reference/golden_bundled.py            # rewrites scoring/bundled/golden.json
    python tests/reference/golden_bundled.py --check    # compares and changes nothing

The values in the repository were made with numpy 2.4.6.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import struct
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

MODEL = Path(__file__).resolve().parents[2] / "scoring" / "bundled"
GOLDEN = MODEL / "golden.json"

TEXTS = (
    "I know who the story about is likely to amuse soon.",
    "I know that the story about Mary is likely to amuse Anna soon.",
    "I know who John's talking to is about to annoy you soon",
    "I know that John's talking to Mary is about to annoy soon",
    "I know what the lion devoured at sunrise.",
    "I know that the lion devoured the gazelle at sunrise.",
    "They'll remember whom we've met in 1987, won't they?",
    "The naïve waiter brought Zoë a café crème — twice!",
    "She wrote 日本 and 😀 on the wall.",
)


def read_safetensors(path: Path) -> dict[str, Array]:
    """Every tensor of the file, in float64. Layout: header length (u64), JSON header, raw little-endian data."""
    raw = path.read_bytes()
    (length,) = struct.unpack("<Q", raw[:8])
    header: dict[str, Any] = json.loads(raw[8 : 8 + length])
    kinds = {"F16": "<f2", "F32": "<f4", "F64": "<f8"}
    tensors: dict[str, Array] = {}
    for name, entry in header.items():
        if name != "__metadata__":
            start, end = entry["data_offsets"]
            data = np.frombuffer(raw[8 + length + start : 8 + length + end], dtype=kinds[entry["dtype"]])
            tensors[name] = data.astype(np.float64).reshape(entry["shape"])
    return tensors


class BytePairs:
    """Byte-level BPE after GPT-2: bytes are written as printable characters, then merged by rank within a word."""

    # [^\W\d_] is "a letter" and [^\s\w]|_ "neither letter, digit nor space", as far as the texts above need it.
    words = re.compile(r"'s|'t|'re|'ve|'m|'ll|'d| ?[^\W\d_]+| ?\d+| ?(?:[^\s\w]|_)+|\s+(?!\S)|\s+")

    def __init__(self, path: Path) -> None:
        model: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["model"]
        self.ids: dict[str, int] = model["vocab"]
        pairs = (tuple(m.split(" ")) if isinstance(m, str) else tuple(m) for m in model["merges"])
        self.ranks = {pair: rank for rank, pair in enumerate(pairs)}
        plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
        others = [byte for byte in range(256) if byte not in plain]
        self.letters = {byte: chr(byte) for byte in plain} | {byte: chr(256 + n) for n, byte in enumerate(others)}

    def encode(self, text: str) -> list[tuple[int, int, int]]:
        """(token id, start, end) per token; a token covers every character of which it has a byte."""
        found: list[tuple[int, int, int]] = []
        for match in self.words.finditer(text):
            owners = [match.start() + n for n, char in enumerate(match[0]) for _ in char.encode()]
            place = 0
            for piece in self._merge([self.letters[byte] for byte in match[0].encode()]):
                found.append((self.ids[piece], owners[place], owners[place + len(piece) - 1] + 1))
                place += len(piece)
        return found

    def _merge(self, pieces: list[str]) -> list[str]:
        while len(pieces) > 1:
            ranked = [(self.ranks.get(pair, math.inf), n) for n, pair in enumerate(pairwise(pieces))]
            rank, n = min(ranked)
            if rank == math.inf:
                break
            pieces = [*pieces[:n], pieces[n] + pieces[n + 1], *pieces[n + 2 :]]
        return pieces


class Network:
    """GPT-2 in float64."""

    def __init__(self, directory: Path) -> None:
        config: dict[str, Any] = json.loads((directory / "config.json").read_text(encoding="utf-8"))
        self.heads, self.layers = int(config["n_head"]), int(config["n_layer"])
        self.epsilon = float(config["layer_norm_epsilon"])
        self.weights = {
            name.removeprefix("transformer."): tensor
            for name, tensor in read_safetensors(directory / "model.safetensors").items()
        }

    def bits(self, ids: list[int]) -> list[float]:
        """-log2 p(ids[n] | ids[:n]) for n = 1, 2, …"""
        w = self.weights
        x = w["wte.weight"][ids[:-1]] + w["wpe.weight"][: len(ids) - 1]
        for layer in range(self.layers):
            x = x + self._attention(self._norm(x, f"h.{layer}.ln_1"), f"h.{layer}.attn")
            hidden = self._linear(self._norm(x, f"h.{layer}.ln_2"), f"h.{layer}.mlp.c_fc")
            hidden = 0.5 * hidden * (1.0 + np.tanh(math.sqrt(2.0 / math.pi) * (hidden + 0.044715 * hidden**3)))
            x = x + self._linear(hidden, f"h.{layer}.mlp.c_proj")
        logits = self._norm(x, "ln_f") @ w["wte.weight"].T
        largest = logits.max(axis=-1)
        normaliser = largest + np.log(np.exp(logits - largest[:, None]).sum(axis=-1))
        wanted = logits[np.arange(len(ids) - 1), ids[1:]]
        return [float(value) for value in (normaliser - wanted) / math.log(2.0)]

    def _norm(self, x: Array, name: str) -> Array:
        centred = x - x.mean(axis=-1, keepdims=True)
        scale = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + self.epsilon)
        normed: Array = centred / scale * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]
        return normed

    def _linear(self, x: Array, name: str) -> Array:
        return x @ self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]

    def _attention(self, x: Array, name: str) -> Array:
        length, width = x.shape
        size = width // self.heads
        # (3, heads, tokens, size)
        query, key, value = self._linear(x, f"{name}.c_attn").reshape(length, 3, self.heads, size).transpose(1, 2, 0, 3)
        scores = query @ key.transpose(0, 2, 1) / math.sqrt(size)
        scores = np.where(np.tri(length, dtype=bool), scores, -np.inf)
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        mixed = (scores / scores.sum(axis=-1, keepdims=True)) @ value
        return self._linear(mixed.transpose(1, 0, 2).reshape(length, width), f"{name}.c_proj")


def compute(texts: tuple[str, ...] = TEXTS, directory: Path = MODEL) -> list[dict[str, Any]]:
    """The golden entries of `texts`: tokens with characters and surprisal in bits, with and without BOS."""
    config: dict[str, Any] = json.loads((directory / "config.json").read_text(encoding="utf-8"))
    pairs, network = BytePairs(directory / "tokenizer.json"), Network(directory)
    entries: list[dict[str, Any]] = []
    for text in texts:
        tokens = pairs.encode(text)
        ids = [token for token, _, _ in tokens]
        entries.append(
            {
                "text": text,
                "ids": ids,
                "spans": [[start, end] for _, start, end in tokens],
                "bits_bos": network.bits([int(config["bos_token_id"]), *ids]),
                "bits_none": [None, *network.bits(ids)],
            }
        )
    return entries


def main() -> int:
    """Write the golden file, or with --check compare it with what is computed now."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare only")
    entries = compute()
    if parser.parse_args().check:
        kept = json.loads(GOLDEN.read_text(encoding="utf-8"))["entries"]
        same = len(kept) == len(entries) and all(_close(a, b) for a, b in zip(kept, entries, strict=True))
        print("same" if same else "different")
        return 0 if same else 1
    about = "Surprisal in bits in float64, by tests/reference/golden_bundled.py: numpy only, no torch, no transformers."
    lines = ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in entries)
    GOLDEN.write_text(f'{{"about": {json.dumps(about)},\n"entries": [\n{lines}\n]}}\n', encoding="utf-8")
    return 0


def _close(kept: dict[str, Any], now: dict[str, Any]) -> bool:
    if any(kept[key] != now[key] for key in ("text", "ids", "spans")):
        return False
    pairs = [
        *zip(kept["bits_bos"], now["bits_bos"], strict=True),
        *zip(kept["bits_none"], now["bits_none"], strict=True),
    ]
    return all((a is None and b is None) or abs(a - b) < 1e-9 for a, b in pairs)


if __name__ == "__main__":
    sys.exit(main())
