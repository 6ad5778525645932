"""Train the embedded parser on a UD treebank: a spaCy pipeline without word vectors, small enough to ship.

One window encoder (Honnibal & Montani's hash embeddings and maxout convolutions) is shared by a tagger, a morphologizer and an
arc-eager transition parser (Nivre 2003; pseudo-projective after Nivre & Nilsson 2005). The tagger is there for what it teaches the
encoder and for its fine tags.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parsing.conllu import TreebankSentence, read_treebank
from parsing.errors import TreebankError
from parsing.evaluation import Attachment, attachment
from parsing.model import ROOT, Parse, Scheme, Token

__all__ = ["Progress", "TrainingPlan", "splits_of", "train_parser"]


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """What decides the weights, with the treebank. The defaults are those of the parser that ships."""

    steps: int = 2400
    evaluate_every: int = 200
    seed: int = 1
    width: int = 96
    depth: int = 4
    rows: tuple[int, int, int, int] = (5000, 1000, 2500, 2500)
    """Rows of the hash embeddings of the norm, the prefix, the suffix and the shape of a word."""
    hidden: int = 128
    dropout: float = 0.1
    learning_rate: float = 0.002
    warmup: int = 250


@dataclass(frozen=True, slots=True)
class Progress:
    """How far training is: after `step` steps the averaged weights have `attachment` on the development sentences."""

    step: int
    epoch: int
    attachment: Attachment
    best: bool


def splits_of(treebank: Path) -> dict[str, Path]:
    """The files `train`, `dev` and `test` of a treebank's folder (`*train.conllu`, `*train.conllu.xz`, …)."""
    found = {}
    for split in ("train", "dev", "test"):
        files = sorted({*treebank.glob(f"*{split}.conllu"), *treebank.glob(f"*{split}.conllu.xz")})
        if len(files) != 1:
            have = ", ".join(file.name for file in files) or "none"
            raise TreebankError(
                f"{treebank} should hold one {split}.conllu (or .conllu.xz); it holds {have}.",
                hint="Give the folder of one UD treebank, for instance UD_English-EWT as released.",
            )
        found[split] = files[0]
    return found


def train_parser(
    splits: dict[str, Path], plan: TrainingPlan, tell: Callable[[Progress], None] = lambda _: None
) -> tuple[Any, list[TreebankSentence]]:
    """The trained spaCy pipeline with the weights that were best on the development sentences, and the test sentences.

    The same plan, treebank, spaCy and machine give the same weights.
    """
    from spacy.training.loop import train_while_improving
    from spacy.util import fix_random_seed, load_model_from_config
    from thinc.api import Adam, warmup_linear

    fix_random_seed(plan.seed)
    data = {split: list(read_treebank(path)) for split, path in splits.items()}
    nlp = load_model_from_config(_config(plan), auto_fill=True)
    examples = {split: [_example(nlp, sentence.parse) for sentence in data[split]] for split in ("train", "dev")}
    nlp.initialize(lambda: examples["train"])
    optimizer = Adam(
        learn_rate=warmup_linear(plan.learning_rate, plan.warmup, plan.steps),
        L2=0.01,
        L2_is_weight_decay=True,
        grad_clip=1.0,
        use_averages=True,
    )

    def evaluate() -> tuple[float, Attachment]:
        found = attachment(gold_dev, parses_of(nlp, gold_dev))
        return found.las, found

    gold_dev = [sentence.parse for sentence in data["dev"]]
    best: bytes | None = None
    steps = train_while_improving(
        nlp,
        optimizer,
        _batches(examples["train"], random.Random(plan.seed)),
        evaluate,
        dropout=plan.dropout,
        eval_frequency=plan.evaluate_every,
        accumulate_gradient=1,
        patience=0,
        max_steps=plan.steps,
        exclude=[],
        annotating_components=[],
        before_update=None,
    )
    for _, info, is_best in steps:
        if is_best is None:
            continue
        if is_best:
            with nlp.use_params(optimizer.averages):
                best = nlp.to_bytes()
        tell(Progress(info["step"], info["epoch"], info["other_scores"], is_best))
    assert best is not None  # step 0 is evaluated
    return nlp.from_bytes(best), data["test"]


def parses_of(nlp: Any, gold: Sequence[Parse]) -> list[Parse]:
    """What the pipeline says of sentences whose words are given."""
    return [
        Parse(
            parse.text,
            tuple(
                Token(
                    text=mine.text,
                    start=mine.start,
                    end=mine.end,
                    upos=found.pos_,
                    head=ROOT if found.head.i == found.i else found.head.i,
                    relation=relation_of(found.dep_),
                    xpos=found.tag_,
                    feats=str(found.morph),
                )
                for mine, found in zip(parse.tokens, doc, strict=True)
            ),
            Scheme.UD,
        )
        for parse, doc in zip(gold, nlp.pipe(_doc(nlp, parse) for parse in gold), strict=True)
    ]


def relation_of(label: str) -> str:
    """spaCy writes ROOT where UD writes root."""
    return "root" if label == "ROOT" else label


def _doc(nlp: Any, parse: Parse) -> Any:
    from spacy.tokens import Doc

    tokens = parse.tokens
    spaces = [
        index + 1 < len(tokens) and tokens[index + 1].start > token.end for index, token in enumerate(tokens)
    ]
    return Doc(
        nlp.vocab,
        words=[token.text for token in tokens],
        spaces=spaces,
        sent_starts=[index == 0 for index in range(len(tokens))],
    )


def _example(nlp: Any, parse: Parse) -> Any:
    from spacy.tokens import Doc
    from spacy.training import Example

    tokens = parse.tokens
    words = _doc(nlp, parse)
    gold = Doc(
        nlp.vocab,
        words=[token.text for token in tokens],
        spaces=[bool(token.whitespace_) for token in words],
        tags=[token.xpos for token in tokens],
        pos=[token.upos for token in tokens],
        morphs=[token.feats for token in tokens],
        heads=[index if token.head == ROOT else token.head for index, token in enumerate(tokens)],
        deps=["ROOT" if token.head == ROOT else token.relation for token in tokens],
    )
    return Example(words, gold)


def _batches(examples: Sequence[Any], order: random.Random) -> Iterator[tuple[int, list[Any]]]:
    """Epoch and batch, without end: batches of 300 words that grow to 1,500."""
    from spacy.training.batchers import minibatch_by_words
    from thinc.api import compounding

    sizes = compounding(300, 1500, 1.002)
    epoch = 0
    shuffled = list(examples)
    while True:
        order.shuffle(shuffled)
        for batch in minibatch_by_words(shuffled, size=sizes, tolerance=0.2, discard_oversize=False):
            yield epoch, batch
        epoch += 1


def _config(plan: TrainingPlan) -> dict[str, Any]:
    listener = {"@architectures": "spacy.Tok2VecListener.v1", "width": plan.width, "upstream": "*"}
    tagger = {"@architectures": "spacy.Tagger.v2", "nO": None, "normalize": False, "tok2vec": listener}
    return {
        "nlp": {"lang": "en", "pipeline": ["tok2vec", "tagger", "morphologizer", "parser"]},
        "components": {
            "tok2vec": {
                "factory": "tok2vec",
                "model": {
                    "@architectures": "spacy.Tok2Vec.v2",
                    "embed": {
                        "@architectures": "spacy.MultiHashEmbed.v2",
                        "width": plan.width,
                        "attrs": ["NORM", "PREFIX", "SUFFIX", "SHAPE"],
                        "rows": list(plan.rows),
                        "include_static_vectors": False,
                    },
                    "encode": {
                        "@architectures": "spacy.MaxoutWindowEncoder.v2",
                        "width": plan.width,
                        "depth": plan.depth,
                        "window_size": 1,
                        "maxout_pieces": 3,
                    },
                },
            },
            "tagger": {"factory": "tagger", "model": tagger},
            "morphologizer": {"factory": "morphologizer", "model": tagger},
            "parser": {
                "factory": "parser",
                "min_action_freq": 10,
                "model": {
                    "@architectures": "spacy.TransitionBasedParser.v2",
                    "state_type": "parser",
                    "extra_state_tokens": False,
                    "hidden_width": plan.hidden,
                    "maxout_pieces": 3,
                    "use_upper": True,
                    "nO": None,
                    "tok2vec": listener,
                },
            },
        },
    }
