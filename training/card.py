"""The card of a trained model: what it is, what it read, how it was trained, and what it came to."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from gapsmith.templates import VERSION, count
from gapsmith.training.biases import Biases
from gapsmith.training.config import Gpt2Shape, LstmShape, NgramShape, TrainingConfig
from gapsmith.training.encoding import EncodedCorpus
from gapsmith.training.log import TrainingLog

if TYPE_CHECKING:
    from gapsmith.training.trained import TrainedModel


def write_card(
    model: TrainedModel,
    config: TrainingConfig,
    facts: Mapping[str, Any],
    *,
    train: EncodedCorpus,
    valid: EncodedCorpus | None,
    log: TrainingLog,
    curves: str | None,
    biases: Biases,
) -> None:
    """Write README.md, a model card in the form of the Hugging Face hub, into the model's folder."""
    lines = ["---", "language: en", "library_name: transformers", "tags:", "- gapsmith", "---", ""]
    lines += [
        f"# {model.directory.resolve().name}",
        "",
        f"{_what(config, facts)}, trained with `gapsmith train lm`.",
        "",
    ]
    lines += ["## What it read", ""]
    read = f"{count(train.n_words, 'word')}, {count(train.n_tokens, 'token')}, {count(len(train.opens), 'sentence')}"
    lines += [f"{read} in {int(train.opens.sum()):,} paragraphs.", "", "| file | SHA-256 | use |", "|---|---|---|"]
    lines += [
        f"| {entry['file']} | `{entry['sha256']}` | {use} |"
        for key, use in (("train", "training"), ("valid", "validation"))
        for entry in facts[key]
    ]
    if not facts["valid"] and valid is not None:
        lines += ["", f"{int(valid.opens.sum()):,} more paragraphs of these files were held out for validation."]
    lines += ["", *_licences(facts)]
    lines += ["## How it was trained", "", *_settings(facts["config"])]
    if facts["init"] is not None:
        lines += [f"It began with the weights of {facts['init']['model']} (`{facts['init']['revision']}`).", ""]
    lines += _bias(biases)
    lines += ["## What it came to", "", *_losses(model, config, valid, log)]
    lines += [f"![losses by step]({curves})", ""] if curves else []
    used = ", ".join(f"{name} {version(name)}" for name in ("torch", "transformers", "tokenizers", "numpy"))
    lines += [f"Made with gapsmith {VERSION}, {used}.", ""]
    (model.directory / "README.md").write_text("\n".join(lines), encoding="utf-8")


def _what(config: TrainingConfig, facts: Mapping[str, Any]) -> str:
    shape = config.network
    if isinstance(shape, Gpt2Shape):
        return f"A GPT-2 of {shape.layers} layers, {shape.heads} heads and {shape.hidden} dimensions"
    if isinstance(shape, LstmShape):
        return f"An LSTM of {shape.layers} layers of {shape.hidden} units (to be opened with gapsmith)"
    if isinstance(shape, NgramShape):
        return f"A {shape.order}-gram model with {shape.smoothing} smoothing (to be opened with gapsmith)"
    return f"A language model with the shape and tokenizer of {facts['init']['model']}"


def _licences(facts: Mapping[str, Any]) -> list[str]:
    words: Counter[tuple[str, str]] = Counter()
    for manifest in facts["corpora"]:
        for source in manifest.get("sources", ()):
            listed = source["documents"].values()
            for entry in listed or [source]:
                words[source["name"], entry["licence"] or "not stated"] += entry["words"]
    if not words:
        return [
            "Licences of these files are not known to gapsmith: `gapsmith train corpus` keeps them in a manifest.",
            "",
        ]
    rows = [f"| {name} | {n:,} | {licence} |" for (name, licence), n in words.items()]
    return ["| source | words | licence |", "|---|---|---|", *rows, ""]


def _settings(tables: Mapping[str, Mapping[str, Any]]) -> list[str]:
    rows = [f"| {table}.{key} | {value} |" for table, entries in tables.items() for key, value in _flat(entries)]
    return ["| setting | value |", "|---|---|", *rows, ""]


def _bias(biases: Biases) -> list[str]:
    says = [bias.says for bias in biases.members if bias.says]
    if not says:
        return []
    lines = [f"Its bias: {'; '.join(says)}."]
    if biases.loss is not None or biases.attention is not None:
        lines.append("Other programs refuse it, since they would drop the bias: it is opened with gapsmith.")
    if biases.attention is not None:
        scored, other = (
            ("slopes as trained", "slope 0") if biases.attention.test_slope == "trained" else ("slope 0", "slopes as trained")
        )
        lines.append(f"It is scored with {scored}; a folder in this one has the same weights with {other}.")
    return [" ".join(lines), "", "![shares of attention](attention.svg)", ""]


def _flat(entries: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in entries.items():
        if isinstance(value, Mapping):
            yield from ((f"{key}.{inner}", own) for inner, own in _flat(value))
        else:
            yield key, value


def _losses(model: TrainedModel, config: TrainingConfig, valid: EncodedCorpus | None, log: TrainingLog) -> list[str]:
    lines: list[str] = []
    planned = config.run.steps
    if model.steps:
        ends = {
            "": "all that were planned",
            "patience": f"of {planned:,}, since the validation loss had stopped falling",
            "asked": f"of {planned:,}, since training was ended there",
        }
        lines.append(f"{model.steps:,} steps were trained, {ends[model.stopped_early]}.")
    if model.valid_loss is not None and valid is not None:
        bits = model.valid_loss / math.log(2.0)
        why = "the last" if config.run.choose == "last" else "as the lowest"
        at = "" if model.chosen_step is None else f" at step {model.chosen_step:,}, whose weights these are, {why}"
        # A row of a single sentence also predicts that it ends.
        n_tokens = valid.n_tokens + (len(valid.opens) if config.rows.unit == "sentences" else 0)
        lines.append(
            f"Validation loss {model.valid_loss:.4f} nats per token{at}; {bits * n_tokens / valid.n_bytes:.3f} bits per "
            f"byte and {bits * n_tokens / valid.n_words:.2f} bits per word of the held-out text."
        )
    slopes = next((entry["valid_loss_slope_0"] for entry in reversed(log.entries()) if "valid_loss_slope_0" in entry), None)
    if slopes is not None:
        lines.append(f"At the last evaluation the validation loss was {slopes:.4f} with slope 0.")
    last = next((entry["measured"] for entry in reversed(log.entries()) if "measured" in entry), None)
    if last:
        lines += ["", "| measured at the last evaluation | |", "|---|---|"]
        lines += [f"| {name} | {'undefined' if value is None else f'{value:.3f}'} |" for name, value in last.items()]
    return [*lines, ""]
