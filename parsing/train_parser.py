"""Train the embedded parser on a UD treebank: a spaCy pipeline without word vectors, small enough to ship.

One window encoder (spaCy's hash embeddings and maxout convolutions) is shared by a tagger, a morphologizer and an arc-eager
transition parser (Nivre 2003; pseudo-projective after Nivre & Nilsson 2005). The tagger gives the fine tags.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gapsmith.parsing.card import CARD, card_text
from gapsmith.parsing.conllu import read_treebank
from gapsmith.parsing.embedded import open_embedded, save_small
from gapsmith.parsing.errors import ParserError, TreebankError
from gapsmith.parsing.evaluation import Attachment, attachment
from gapsmith.parsing.model import ROOT, Parse
from gapsmith.parsing.plan import ParserProgress, TrainingPlan
from gapsmith.parsing.spacy_pipeline import one_sentence, tokens_of
from gapsmith.templates import expect_file


@dataclass(frozen=True, slots=True)
class Trained:
    """A parser that was written: its size in bytes with everything that it needs, and how it does on the test sentences."""

    size: int
    test: Attachment


def make_parser(
    treebank: Path,
    out: Path,
    plan: TrainingPlan,
    tell: Callable[[ParserProgress], None] = lambda _: None,
    trained: Callable[[], None] = lambda: None,
) -> Trained:
    """Train on a treebank's folder and write the parser and its card into `out`, which is new or empty; `trained` is called when the
    last step is done.

    What is measured is what was written: the folder is opened again for the test sentences.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise ParserError(f"{out} is there already, and not empty.", hint="Give a new folder with --out.")
    splits = splits_of(treebank)
    nlp, best = train_parser(splits, plan, tell)
    trained()
    size = save_small(nlp, out)
    gold = [sentence.parse for sentence in read_treebank(splits["test"])]
    found = attachment(gold, parses_of(open_embedded(out).nlp, gold))
    (out / CARD).write_text(card_text(splits, plan, best, found, size), encoding="utf-8")
    return Trained(size, found)


def splits_of(treebank: Path) -> dict[str, Path]:
    """The files `train`, `dev` and `test` of a treebank's folder (`*train.conllu`, `*train.conllu.xz`, …)."""
    found = {}
    if treebank.exists():
        expect_file(treebank)
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
    splits: dict[str, Path], plan: TrainingPlan, tell: Callable[[ParserProgress], None] = lambda _: None
) -> tuple[Any, ParserProgress]:
    """The trained spaCy pipeline with the weights that were best on the development sentences, and how good these are.

    The same plan, treebank, spaCy and machine give the same weights.
    """
    from spacy.training.loop import train_while_improving
    from spacy.util import load_model_from_config
    from thinc.api import Adam, fix_random_seed, warmup_linear

    fix_random_seed(plan.seed)
    data = {split: [sentence.parse for sentence in read_treebank(splits[split])] for split in ("train", "dev")}
    nlp = load_model_from_config(_config(plan), auto_fill=True)
    examples = {split: [_example(nlp, parse) for parse in data[split]] for split in ("train", "dev")}
    nlp.initialize(lambda: examples["train"])
    rate: Any = warmup_linear(plan.learning_rate, min(plan.warmup, plan.steps // 8), plan.steps)
    optimizer = Adam(
        learn_rate=rate,
        L2=0.01,
        L2_is_weight_decay=True,
        grad_clip=1.0,
        use_averages=True,
    )

    def evaluate() -> tuple[float, Attachment]:
        found = attachment(data["dev"], parses_of(nlp, data["dev"]))
        return found.las, found

    best: tuple[bytes, ParserProgress] | None = None
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
        progress = ParserProgress(info["step"], info["epoch"], info["other_scores"], is_best)
        if is_best:
            with nlp.use_params(optimizer.averages):
                best = nlp.to_bytes(), progress
        tell(progress)
    assert best is not None  # step 0 is evaluated
    return nlp.from_bytes(best[0]), best[1]


def parses_of(nlp: Any, gold: Sequence[Parse]) -> list[Parse]:
    """What the pipeline says of sentences whose words are given."""
    docs = nlp.pipe(_words(nlp, parse) for parse in gold)
    return [Parse(parse.text, tuple(tokens_of(doc))) for parse, doc in zip(gold, docs, strict=True)]


def _words(nlp: Any, parse: Parse) -> Any:
    return one_sentence(nlp.vocab, [(token.text, token.start) for token in parse.tokens])


def _example(nlp: Any, parse: Parse) -> Any:
    from spacy.tokens import Doc
    from spacy.training import Example

    tokens = parse.tokens
    words = _words(nlp, parse)
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

    sizes: Any = compounding(300, 1500, 1.002)
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
                "min_action_freq": plan.rare,
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
