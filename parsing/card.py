"""The card of a trained parser: what it learnt from, how, how good it is, and on what terms it may be passed on."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

from gapsmith.parsing.conllu import read_treebank
from gapsmith.parsing.evaluation import Attachment
from gapsmith.parsing.plan import ParserProgress, TrainingPlan
from gapsmith.templates import file_sha256

CARD = "MODEL_CARD.md"


def card_text(splits: Mapping[str, Path], plan: TrainingPlan, best: ParserProgress, test: Attachment, size: int) -> str:
    """The card in Markdown, from what was used and measured."""
    lines = [
        "# A small dependency parser of English, trained with `gapsmith train parser`",
        "",
        "## What it learnt from",
        "",
        "| split | file | sentences | words | SHA-256 |",
        "|---|---|---|---|---|",
    ]
    for split, path in splits.items():
        sizes = [len(sentence.parse.tokens) for sentence in read_treebank(path)]
        digest = file_sha256(path)[:16]
        lines.append(f"| {split} | {path.name} | {len(sizes):,} | {sum(sizes):,} | {digest}… |")
    rows = ", ".join(str(number) for number in plan.rows)
    warmup = min(plan.warmup, plan.steps // 8)
    lines += [
        "",
        "Words of multi-word tokens are words of their own; empty nodes and the enhanced graph are left out.",
        "",
        "## How it was trained",
        "",
        f"A spaCy pipeline without word vectors: an encoder of width {plan.width} and depth {plan.depth} over hashed",
        f"norm, prefix, suffix and shape (rows {rows}), shared by a tagger, a morphologizer and a transition parser",
        f"with {plan.hidden} hidden units. {plan.steps:,} steps of Adam, rate {plan.learning_rate} after {warmup} steps of",
        f"warm-up and then falling to 0, dropout {plan.dropout}, batches of 300 to 1,500 words, seed {plan.seed}; the",
        f"averaged weights of step {best.step:,}, the best by LAS on the dev sentences (looked at every",
        f"{plan.evaluate_every} steps). spaCy {version('spacy')}, thinc {version('thinc')},",
        f"Python {platform.python_version()}.",
        "",
        f"Stored in float16, {size / 1e6:.2f} MB with everything that it needs; computed in float32.",
        "",
        "## How good it is",
        "",
        "Percent of words, the division into words given; measured on what was written.",
        "",
        "| | UPOS | UAS | LAS | UAS without punctuation | LAS without punctuation | words |",
        "|---|---|---|---|---|---|---|",
        _row("dev", best.attachment),
        _row("test", test),
        "",
        "UAS and LAS count every word, LAS full labels with their subtypes.",
        "",
        "## On what terms",
        "",
        "The weights are made from the treebank, so treat this folder as a work that builds on it: pass it on under the",
        "treebank's licence, with its attribution. What you parse with it is yours.",
        "",
    ]
    return "\n".join(lines)


def _row(name: str, found: Attachment) -> str:
    shares = (found.upos, found.uas, found.las, found.uas_words, found.las_words)
    return f"| {name} | {' | '.join(f'{share:.1f}' for share in shares)} | {found.words:,} |"
