"""What attention goes to: measured on text that was held out, and drawn."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gapsmith.templates import FormatError, read_json, text_of
from gapsmith.training.packing import NOTHING, Batch
from gapsmith.training.planting import Planter, tree_distances

ATTENTION_FILE = "attention.json"
FIGURE_FILE = "attention.svg"
FARTHEST = 24
"""Tokens of distance that are told apart."""
_ROWS = 64


@dataclass(frozen=True)
class Attention:
    """Shares of attention, each the mean over the places of a text that have something at that distance."""

    by_distance: Mapping[str, list[float | None]]
    """By the name of a group of heads: the share that goes to the token itself, to the one before it, and so on; None where no place has any."""
    by_edges: Mapping[str, list[float | None]]
    """The share that goes to a word so many edges of the dependency tree away from the word that is predicted, from one edge on; empty
    where no trees are known."""


def measure_attention(
    network: Any, batches: Sequence[Batch], planter: Planter | None = None, planted: Sequence[Batch] = ()
) -> Attention:
    """Of a network in evaluation: by layer, all heads together; planted heads by themselves; and where slopes act, without them too.

    `planted`: batches of sentences whose trees the `planter` has.
    """
    import torch

    from gapsmith.scoring.lm import keep_attention, kept_attention

    device = next(network.parameters()).device
    config = network.config
    before = config._attn_implementation
    # Of both kinds of network, the one attention function that can keep what it gives.
    network.set_attn_implementation("gapsmith_eager")
    training = network.training
    network.eval()

    def kept(batch: Batch) -> list[NDArray[np.float64]]:
        rows = torch.from_numpy(batch.ids[:, :-1].clip(min=0)).long().to(device)
        with torch.inference_mode():
            network.base_model(input_ids=rows, use_cache=False)
        return [own.double().cpu().numpy() for own in kept_attention(network)]

    try:
        keep_attention(network, range(config.n_layer), range(config.n_head))
        found = _by_distance(batches, kept, config)
        slopes = getattr(config, "recency_slopes", None)
        if slopes and any(slopes):
            network.set_slopes(None)
            found |= {f"{name}, slope 0": shares for name, shares in _by_distance(batches, kept, config).items()}
            network.set_slopes(slopes)
        edges = {} if planter is None else _by_edges(planted, kept, config, planter)
    finally:
        keep_attention(network, None)
        network.set_attn_implementation(before)
        network.train(training)
    return Attention(found, edges)


def _groups(kept: list[NDArray[np.float64]], config: Any) -> dict[str, NDArray[np.float64]]:
    """(n, positions, positions) of each group of heads."""
    groups = {f"layer {number + 1}": own.mean(1) for number, own in enumerate(kept)}
    for layer in getattr(config, "planted_layers", None) or ():
        for head in config.planted_heads:
            groups[f"layer {layer + 1}, planted head {head + 1}"] = kept[layer][:, head]
    return groups


def _by_distance(batches: Sequence[Batch], kept: Any, config: Any) -> dict[str, list[float | None]]:
    sums: dict[str, NDArray[np.float64]] = {}
    counts = np.zeros(FARTHEST)
    for batch in _some(batches):
        there = batch.ids[:, :-1] != NOTHING
        groups = _groups(kept(batch), config)
        for distance in range(min(FARTHEST, there.shape[1])):
            places = there[:, distance:]
            counts[distance] += places.sum()
            for name, attention in groups.items():
                along = np.diagonal(attention, -distance, axis1=1, axis2=2)
                sums.setdefault(name, np.zeros(FARTHEST))[distance] += along[places].sum()
    return {name: [_share(s, c) for s, c in zip(own, counts, strict=True)] for name, own in sums.items()}


def _by_edges(batches: Sequence[Batch], kept: Any, config: Any, planter: Planter) -> dict[str, list[float | None]]:
    sums: dict[str, NDArray[np.float64]] = {}
    counts = np.zeros(8)
    for batch in _some(batches):
        groups = _groups(kept(batch), config)
        for row, number in enumerate(() if batch.sentences is None else batch.sentences.tolist()):
            words, heads = planter.tree(number, batch.ids[row])
            edges = tree_distances(heads)
            for query in range(len(words) - 1):
                word = words[query + 1]
                earlier = words[: query + 1]
                far = np.where(earlier < word, edges[word, earlier], 0).astype(np.int64)
                for distance in np.unique(far[(far > 0) & (far < 8)]):
                    counts[distance] += 1
                    for name, attention in groups.items():
                        share = attention[row, query, : query + 1][far == distance].sum()
                        sums.setdefault(name, np.zeros(8))[distance] += share
    return {name: [_share(s, c) for s, c in zip(own[1:], counts[1:], strict=True)] for name, own in sums.items()}


def _share(total: float, n: float) -> float | None:
    return float(total / n) if n else None


def _some(batches: Sequence[Batch]) -> list[Batch]:
    """The first rows: enough for means that hold still."""
    found: list[Batch] = []
    n = 0
    for batch in batches:
        if n < _ROWS:
            found.append(batch.some(slice(0, _ROWS - n)))
            n += len(found[-1].ids)
    return found


def save_attention(attention: Attention, folder: Path, title: str) -> None:
    """Keep what was measured beside the model, and draw it."""
    (folder / ATTENTION_FILE).write_text(json.dumps(asdict(attention), indent=1), encoding="utf-8")
    draw_attention({title: attention}, folder / FIGURE_FILE)


def load_attention(folder: Path) -> Attention | None:
    """What was measured of the model in a folder; None where nothing was. Raises `FormatError`."""
    file = folder / ATTENTION_FILE
    if not file.is_file():
        return None
    try:
        return Attention(**read_json(text_of(file, "utf-8")))
    except (ValueError, TypeError) as error:
        raise FormatError(f"{file}: is not what attention was measured to be ({error})") from None


def draw_attention(models: Mapping[str, Attention], path: Path) -> None:
    """A row for each model: shares by distance in the text, and by edges in the tree where these are known, as SVG."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(9, 3.2 * len(models)), layout="constrained")
    grid = figure.subplots(len(models), 2, squeeze=False)
    for (title, attention), (left, right) in zip(models.items(), grid, strict=True):
        parts = ((left, attention.by_distance, 0, "tokens back"), (right, attention.by_edges, 1, "edges of the tree away"))
        for axes, shares, first, label in parts:
            for name, own in shares.items():
                points = [(place, share) for place, share in enumerate(own, first) if share is not None]
                axes.plot(*zip(*points, strict=True), label=name, lw=1.2, ls=_line(name), marker=".")
            axes.set_xlabel(label)
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
            axes.set_ylabel("share of attention")
            if shares:
                axes.legend(frameon=False, fontsize="x-small")
            else:
                axes.text(0.5, 0.5, "no trees are known", ha="center", transform=axes.transAxes, fontsize="small")
        left.set_title(title, fontsize="small", loc="left")
    figure.savefig(path, metadata={"Date": None})


def _line(name: str) -> str:
    return ":" if name.endswith("slope 0") else "--" if "planted" in name else "-"


def draw_grid(folders: Mapping[str, Path], path: Path) -> None:
    """The attention of several models below one another, as far as it was measured. Raises `FormatError`."""
    found = {name: own for name, folder in folders.items() if (own := load_attention(folder)) is not None}
    if found:
        draw_attention(found, path)
