"""One training run from corpus to model folder: `gapsmith train lm`."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gapsmith.bank import PREFIX, PassingFolder, take_away, written_whole
from gapsmith.parsing import MemoryParseStore, Parser, open_parser, parsed
from gapsmith.templates import ConfigError, count, file_sha256, read_json, text_of
from gapsmith.training.attention import measure_attention, save_attention
from gapsmith.training.biases import Biases, biases_of
from gapsmith.training.card import write_card
from gapsmith.training.checkpoints import Checkpoints, copy_with_slopes, load_weights, save_model
from gapsmith.training.config import Gpt2Shape, NgramShape, TrainingConfig, parse_config
from gapsmith.training.dyck import DyckStream
from gapsmith.training.encoding import EncodedCorpus, encode_corpus, load_encoded, save_encoded
from gapsmith.training.errors import TrainingError
from gapsmith.training.learning import (
    Evaluation,
    Lesson,
    Report,
    TrainingOutcome,
    held_out_batches,
    learn,
    text_stream,
)
from gapsmith.training.log import TrainingLog, draw_curves
from gapsmith.training.machine import Machine, open_machine
from gapsmith.training.packing import CorpusPosition, Stream, batches_per_epoch
from gapsmith.training.parses import Parses
from gapsmith.training.planting import Planter, SentenceTrees, load_trees, plant_corpus, save_trees
from gapsmith.training.schedule import same_until
from gapsmith.training.text import CorpusFiles, paragraphs
from gapsmith.training.tokenizer import end_token_id, given_tokenizer, save_tokenizer, train_bpe
from gapsmith.training.trained import TrainedModel

if TYPE_CHECKING:
    from tokenizers import Tokenizer

RUN_FILE = "run.json"
LOG_FILE = "log.jsonl"
TOKENS_FILE = "tokens.npz"
TREES_FILE = "trees.npz"
DYCK_FOLDER = "dyck"
OTHER_SLOPE = {"trained": "slope-0", 0: "slope-trained"}
"""Where the finished model lies with the slopes that `test_slope` does not say."""
WEIGHTS = "model.safetensors"
CURVES_FILE = "curves.svg"


def train_lm(
    config: TrainingConfig,
    corpus: CorpusFiles,
    out: Path,
    *,
    init: str | None = None,
    device: str = "auto",
    evaluations: Sequence[Evaluation] = (),
    report: Report | None = None,
    say: Callable[[str], None] | None = None,
    finish: bool = False,
    parses: Parses | None = None,
) -> TrainedModel:
    """Train a language model on `corpus` into the folder `out`, or go on with the run that is there.

    `init` is a model to start from (a directory, ``bundled`` or a name of the hub), with its shape and tokenizer. `say` is
    told in words what happens. `parses` gives trees of sentences where a bias wants them (default: they are parsed). `finish` makes
    the model from the best checkpoint there is, without another step. Raises `ConfigError` where the folder holds another run or
    something else, or what is asked for does not go together, and `TrainingError`.
    """
    machine = open_machine(device)
    tell = say if say is not None and machine.rank == 0 else _silent
    biases = biases_of(config.bias)
    biases.check(config)
    _check_rows(config, machine)
    with _locked(out, machine):
        planting = config.bias.planting
        parser = None if planting is None else open_parser(planting.parser)
        facts = _facts(config, corpus, init, parser)
        run = _begin(out, config, facts, machine)
        if run:
            tell(f"going on from step {run:,} of {config.run.steps:,} in {out}")
        network, tokenizer = _model_and_tokenizer(config, corpus, out, init, machine, tell, biases)
        end = end_token_id(tokenizer, str(out))
        train, valid = _encoded(config, corpus, tokenizer, out, machine, tell)
        log = TrainingLog(out / LOG_FILE)
        if isinstance(config.network, NgramShape):
            from gapsmith.training.ngrams import count_model

            if machine.world > 1:
                raise ConfigError("n-grams are counted by one process", hint="Run the command without accelerate.")
            loss = count_model(
                config.network,
                train,
                valid,
                out,
                vocabulary=tokenizer.get_vocab_size(),
                end=end,
                n_valid=config.rows.validation_rows,
            )
            save_tokenizer(tokenizer, out, window=None)
            log.cut_after(-1)
            log.add({"step": 0} | ({} if loss is None else {"valid_loss": loss}))
            made = TrainedModel(out, 0, None, loss, stopped_early="")
        else:
            config = _with_epochs(config, train)
            planter = None
            if parser is not None:
                planter = Planter(_trees(config, corpus, tokenizer, parser, out, tell, parses or _parsed))
            checkpoints = Checkpoints(out / "checkpoints")
            if biases.before is not None and checkpoints.newest() is None and not finish:
                _before_text(config, biases, network, tokenizer, out, end=end, machine=machine, report=report, say=tell)
            lesson = Lesson(
                text_stream(config, train, end), () if valid is None else held_out_batches(valid, config, end), biases, planter
            )
            outcome = learn(
                config,
                network,
                tokenizer,
                lesson,
                machine=machine,
                checkpoints=checkpoints,
                log=log,
                evaluations=evaluations,
                report=report,
                finish=finish,
            )
            if report is not None and machine.rank == 0:
                # What may have stopped early has no more steps than these; its checkpoints are there.
                report({"step": outcome.state.step, "of": outcome.state.step, "is_over": True})
            made = _finish(config, biases, outcome, network, tokenizer, out, machine)
            if machine.rank == 0 and isinstance(config.network, Gpt2Shape):
                sentences = [] if planter is None else [next(lesson.stream(CorpusPosition()).batches(config.run.batch))]
                found = measure_attention(network, lesson.held_out or sentences, planter, sentences)
                save_attention(found, out, f"{out.resolve().name}: bias {biases.name}")
        sizes = {"sentences": len(train.opens), "words": train.n_words, "tokens": train.n_tokens}
        made = replace(made, read=sizes | {"vocabulary": tokenizer.get_vocab_size()})
        if machine.rank == 0:
            for name in (TOKENS_FILE, TREES_FILE):
                (out / name).unlink(missing_ok=True)
            if made.steps:
                draw_curves(log, out / CURVES_FILE)
            curves = CURVES_FILE if made.steps else None
            write_card(made, config, facts, train=train, valid=valid, log=log, curves=curves, biases=biases)
        return made


def _silent(message: str) -> None:
    del message


def _check_rows(config: TrainingConfig, machine: Machine) -> None:
    """Raise `ConfigError` where what is asked of rows does not go together."""
    sentences = config.rows.unit == "sentences"
    if config.run.epochs is not None and not sentences:
        raise ConfigError(
            "run.epochs: passes are counted over rows of sentences, and rows.unit is 'stream'",
            hint='Say --set rows.unit="sentences", or run.steps instead of run.epochs.',
        )
    if sentences and machine.world > 1:
        raise ConfigError(
            "rows of sentences are trained by one process: their batches are not shared evenly", hint="Run it without accelerate."
        )


def _with_epochs(config: TrainingConfig, train: EncodedCorpus) -> TrainingConfig:
    """The configuration with the steps that its epochs are."""
    run = config.run
    if run.epochs is None:
        return config
    each = batches_per_epoch(train, run.batch)
    return replace(config, run=replace(run, steps=run.epochs * each, evaluate_every=each))


def _parsed(parser: Parser, sentences: Sequence[str]) -> Mapping[str, Any]:
    return parsed(MemoryParseStore(), parser, sentences)


def _trees(
    config: TrainingConfig,
    corpus: CorpusFiles,
    tokenizer: Tokenizer,
    parser: Parser,
    out: Path,
    say: Callable[[str], None],
    parses: Parses,
) -> SentenceTrees:
    """The trees of the training sentences; kept in `out` until the run is finished."""
    kept = out / TREES_FILE
    if kept.is_file():
        return load_trees(kept)
    say(f"parsing the training text with {parser.name}")
    texts, _ = _read(config, corpus)
    trees = plant_corpus((s for paragraph in texts for s in paragraph), tokenizer, parser, parses=parses, say=say)
    save_trees(kept, trees)
    return trees


def _before_text(
    config: TrainingConfig,
    biases: Biases,
    network: Any,
    tokenizer: Tokenizer,
    out: Path,
    *,
    end: int,
    machine: Machine,
    report: Report | None,
    say: Callable[[str], None],
) -> None:
    """Train on brackets first, from the newest checkpoint of that on, with no other bias and an optimiser of its own."""
    if biases.before is None:
        return
    own, run = biases.before.settings, config.run
    rate = config.schedule.learning_rate if own.learning_rate is None else own.learning_rate
    phase = replace(
        config,
        schedule=replace(config.schedule, learning_rate=rate, warmup=own.warmup, decay=min(config.schedule.decay, own.steps)),
        run=replace(run, steps=own.steps, epochs=None, evaluate_every=own.steps, patience=0, choose="last"),
    )
    if biases.attention is not None:
        network.set_slopes(None)

    def stream(place: CorpusPosition) -> Stream:
        return DyckStream(own, tokenizer, length=config.rows.length, end=end, seed=run.seed, place=place)

    folder = out / DYCK_FOLDER
    folder.mkdir(exist_ok=True)
    say(f"training on {own.types} kinds of brackets for {count(own.steps, 'step')}, before the text")
    learn(
        phase,
        network,
        tokenizer,
        Lesson(stream),
        machine=machine,
        checkpoints=Checkpoints(folder / "checkpoints"),
        log=TrainingLog(folder / LOG_FILE),
        report=None if report is None else (lambda entry: report({**entry, "phase": "brackets"})),
    )


def _facts(config: TrainingConfig, corpus: CorpusFiles, init: str | None, parser: Parser | None) -> dict[str, Any]:
    """All that decides the result, as JSON keeps it."""
    from gapsmith.scoring.lm import find_source

    tokenizer = config.tokenizer
    return {
        "config": config.as_data(),
        "lines": corpus.lines,
        "train": [{"file": path.name, "sha256": file_sha256(path)} for path in corpus.train],
        "valid": [{"file": path.name, "sha256": file_sha256(path)} for path in corpus.valid],
        "tokenizer": None if tokenizer is None or tokenizer.path is None else _tokenizer_digest(Path(tokenizer.path)),
        "init": None if init is None else {"model": Path(init).name, "revision": find_source(init).revision},
        "corpora": list(corpus.manifests),
        **({} if parser is None else {"parser": parser.identity}),
    }


def _tokenizer_digest(path: Path) -> str | None:
    file = path / "tokenizer.json" if path.is_dir() else path
    return file_sha256(file) if file.is_file() else None


def _begin(out: Path, config: TrainingConfig, facts: Mapping[str, Any], machine: Machine) -> int | None:
    """Make `out` a run's folder, or check that the run in it is this one; the step it is at, None for a new one."""
    file = out / RUN_FILE
    if not file.is_file():
        for _ in take_away(out, f".{PREFIX}"):
            pass
        others = [path.name for path in out.iterdir() if path.name != _LOCK]
        if others:
            raise ConfigError(f"{out} is not empty and holds no training run ({others[0]})", hint="Choose another --out.")
        _write_run(file, facts, machine)
        return None
    state = Checkpoints(out / "checkpoints").newest()
    on_brackets = state is None and Checkpoints(out / DYCK_FOLDER / "checkpoints").newest() is not None
    if state is None and not on_brackets and not (out / WEIGHTS).is_file():
        # Stopped before anything was learnt: there is nothing to go on from, and nothing to lose.
        if machine.rank == 0:
            for name in ("tokenizer.json", TOKENS_FILE, TREES_FILE):
                (out / name).unlink(missing_ok=True)
        _write_run(file, facts, machine)
        return None
    try:
        kept: dict[str, Any] = read_json(text_of(file, "utf-8"))
        # Until biases had a table of their own, a network said here that it had none.
        kept["config"].get("network", {}).pop("bias", None)
        before = parse_config(kept["config"], str(file))
    except (ValueError, KeyError, TypeError) as error:
        raise TrainingError(f"{file} cannot be read ({error})", hint="Choose another --out.") from None
    _check_same(out, kept, facts)
    at = 0 if state is None else state.step
    if config.run.epochs is not None or on_brackets:
        differs = before.schedule != config.schedule
    else:
        old, new = (before.schedule, before.run.steps), (config.schedule, config.run.steps)
        differs = config.run.steps < at or not same_until(old, new, at)
    if differs:
        where = "before the text" if on_brackets else f"at step {at:,}"
        raise ConfigError(
            f"the run in {out} is {where}, and up to there the new schedule has other learning rates",
            hint="A run can be given more or fewer steps only while the learning rate is constant. Choose another --out.",
        )
    _write_run(file, facts, machine)
    return at


def _write_run(file: Path, facts: Mapping[str, Any], machine: Machine) -> None:
    machine.wait()
    if machine.rank == 0:
        with written_whole(file) as building:
            building.write_text(json.dumps(facts, indent=1, ensure_ascii=False), encoding="utf-8")
    machine.wait()


_MAY_CHANGE = {("run", "steps"), ("run", "log_every")}


def _check_same(out: Path, kept: Mapping[str, Any], facts: Mapping[str, Any]) -> None:
    """Raise `ConfigError` naming the first thing in which the run in `out` differs, but for the schedule."""
    differing = [name for name in ("lines", "train", "valid", "tokenizer", "init", "parser") if kept.get(name) != facts.get(name)]
    old, new = kept["config"], facts["config"]
    for table in sorted(set(old) | set(new)):
        keys = set(old.get(table, {})) | set(new.get(table, {}))
        differing += [
            f"{table}.{key}"
            for key in sorted(keys)
            if old.get(table, {}).get(key) != new.get(table, {}).get(key)
            and table != "schedule"
            and (table, key) not in _MAY_CHANGE
        ]
    if differing:
        raise ConfigError(
            f"{out} holds another training run: {', '.join(differing)} differ{'' if len(differing) > 1 else 's'}",
            hint="Choose another --out, or say what was said when that run began (run.json in it).",
        )


def _model_and_tokenizer(
    config: TrainingConfig,
    corpus: CorpusFiles,
    out: Path,
    init: str | None,
    machine: Machine,
    say: Callable[[str], None],
    biases: Biases,
) -> tuple[Any, Tokenizer]:
    from gapsmith.training.networks import load_network, new_network, window_of

    if init is not None:
        if config.network is not None or config.tokenizer is not None:
            raise ConfigError(
                f"with --init, shape and tokenizer are those of {init}",
                hint="Leave the tables [network] and [tokenizer] out of the configuration.",
            )
        network, tokenizer, _ = load_network(init)
        window = window_of(network)
        if window is not None and config.rows.length > window:
            raise ConfigError(
                f"rows.length = {config.rows.length}: {init} reads at most {window} tokens",
                hint=f"Say --set rows.length={window}.",
            )
        return network, tokenizer
    if config.network is None:
        raise ConfigError("the configuration has no table [network]", hint="Add it, or give a model with --init.")
    tokenizer = _tokenizer(config, corpus, out, machine, say)
    if isinstance(config.network, NgramShape):
        return None, tokenizer
    network = new_network(
        config.network,
        vocabulary=tokenizer.get_vocab_size(),
        length=config.rows.length,
        end=end_token_id(tokenizer, str(out)),
        seed=config.run.seed,
        biases=biases,
    )
    return network, tokenizer


def _tokenizer(config: TrainingConfig, corpus: CorpusFiles, out: Path, machine: Machine, say: Callable[[str], None]) -> Tokenizer:
    choice = config.tokenizer
    if choice is None:
        raise ConfigError(
            "the configuration has no table [tokenizer]",
            hint="Say [tokenizer] vocabulary = 8192, or path = a directory with a tokenizer.json.",
        )
    if choice.path is not None:
        return given_tokenizer(Path(choice.path).expanduser())
    file = out / "tokenizer.json"
    if machine.rank == 0 and not file.is_file():
        say(f"training a tokenizer of {choice.vocabulary:,} entries")
        with written_whole(file) as building:
            building.write_text(train_bpe(_texts(corpus), choice.vocabulary).to_str(), encoding="utf-8")
    machine.wait()
    return given_tokenizer(file)


def _texts(corpus: CorpusFiles) -> Iterator[str]:
    return (" ".join(sentences) for path in corpus.train for sentences in paragraphs(path, corpus.lines))


def _encoded(
    config: TrainingConfig,
    corpus: CorpusFiles,
    tokenizer: Tokenizer,
    out: Path,
    machine: Machine,
    say: Callable[[str], None],
) -> tuple[EncodedCorpus, EncodedCorpus | None]:
    """The training text and the text that is held out; kept in `out` until the run is finished."""
    kept = out / TOKENS_FILE
    if kept.is_file():
        texts = load_encoded(kept)
    else:
        say("reading and tokenising the corpus")
        texts = _encode(config, corpus, tokenizer)
        if machine.rank == 0:
            save_encoded(kept, texts)
    machine.wait()
    train = texts["train"]
    say(f"{count(train.n_words, 'word')}, {count(train.n_tokens, 'token')} in {count(len(train.opens), 'sentence')}")
    return train, texts.get("valid")


def _encode(config: TrainingConfig, corpus: CorpusFiles, tokenizer: Tokenizer) -> dict[str, EncodedCorpus]:
    names = ", ".join(path.name for path in corpus.train)
    read, spared = _read(config, corpus)
    if corpus.valid:
        spared = (text for path in corpus.valid for text in paragraphs(path, corpus.lines))
        names_of_spared = ", ".join(path.name for path in corpus.valid)
    else:
        names_of_spared = names
    ends = _EndsSeen(read)
    found = {"train": encode_corpus(ends, tokenizer, name=names)}
    if config.rows.unit == "sentences" and corpus.lines == "paragraphs" and not ends.seen:
        raise ConfigError(
            f"no sentence ends in {names}: of {count(ends.n, 'line')} none has a full stop, question mark or exclamation mark at its end",
            hint="Say --lines sentences if each line is one, or --set rows.unit=stream.",
        )
    if corpus.valid or spared:
        found["valid"] = encode_corpus(spared, tokenizer, name=names_of_spared)
    return found


class _EndsSeen:
    """Paragraphs as they come, and whether any sentence of them ended in a mark that ends sentences."""

    def __init__(self, texts: Iterable[list[str]]) -> None:
        self._texts, self.seen, self.n = texts, False, 0

    def __iter__(self) -> Iterator[list[str]]:
        for paragraph in self._texts:
            self.n += 1
            self.seen = self.seen or any(_END.search(sentence) for sentence in paragraph)
            yield paragraph


_END = re.compile(r"[.!?…][\"'”’)\]]*$")


def _read(config: TrainingConfig, corpus: CorpusFiles) -> tuple[Iterable[list[str]], Iterable[list[str]]]:
    """The paragraphs to train on, and those of the same files that are held out."""
    texts: Iterator[list[str]] = (text for path in corpus.train for text in paragraphs(path, corpus.lines))
    return (texts, []) if corpus.valid else _split(list(texts), config)


def _split(texts: list[list[str]], config: TrainingConfig) -> tuple[list[list[str]], list[list[str]]]:
    """The paragraphs to train on, and a random share of them to hold out: at least one where the share is not 0."""
    import numpy as np

    share = config.rows.validation_share
    if share == 0.0 or len(texts) < 2:
        return texts, []
    rng = np.random.default_rng([config.run.seed, 1])
    chosen = set(rng.permutation(len(texts))[: max(1, round(share * len(texts)))].tolist())
    return [t for n, t in enumerate(texts) if n not in chosen], [t for n, t in enumerate(texts) if n in chosen]


def _finish(
    config: TrainingConfig,
    biases: Biases,
    outcome: TrainingOutcome,
    network: Any,
    tokenizer: Tokenizer,
    out: Path,
    machine: Machine,
) -> TrainedModel:
    """Write the chosen weights as the model of the folder, and where slopes act in it, once more with those that it is not scored with."""
    state = outcome.state
    if machine.rank == 0:
        load_weights(network, outcome.checkpoint)
        slopes = getattr(network.config, "recency_slopes", None)
        at_test = biases.attention is None or biases.attention.test_slope == "trained"
        if biases.attention is not None and not at_test:
            network.set_slopes(None)
        with PassingFolder(out) as building:
            save_model(network, tokenizer, building, dtype=config.run.store)
            for file in sorted(building.iterdir()):
                file.replace(out / file.name)
        if slopes and any(slopes):
            other = out / OTHER_SLOPE["trained" if at_test else 0]
            shutil.rmtree(other, ignore_errors=True)
            copy_with_slopes(out, other, None if at_test else slopes)
    machine.wait()
    chosen = state.step if state.best_step is None or config.run.choose == "last" else state.best_step
    losses = {entry["step"]: entry["valid_loss"] for entry in TrainingLog(out / LOG_FILE).entries() if "valid_loss" in entry}
    return TrainedModel(out, state.step, chosen, losses.get(chosen, state.best_loss), outcome.stopped_early)


_LOCK = "lock"


@contextmanager
def _locked(out: Path, machine: Machine) -> Iterator[None]:
    """Keep a second command out of the folder for as long as this one runs, however it ends."""
    try:
        import fcntl
    except ImportError:  # no such locks on Windows
        fcntl = None  # type: ignore[assignment]  # declared otherwise by the library
    try:
        out.mkdir(parents=True, exist_ok=True)
        with (out / _LOCK).open("w") as stream:
            if fcntl is not None and machine.rank == 0:
                try:
                    fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    raise TrainingError(
                        f"another command is training into {out}", hint="Wait for it, or choose another --out."
                    ) from None
            # The lock lasts as long as the file is open.
            yield
    except OSError as error:
        # Texts and checkpoints have errors of their own; what is left are the small files of the folder.
        raise TrainingError(
            f"{error.filename or out}: {error.strerror or error}",
            hint="Make room, or choose another --out; then run the same command again.",
        ) from None
