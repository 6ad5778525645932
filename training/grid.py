"""A grid: learners that differ in what is under study, each with several seeds, trained one by one and scored like any model."""

from __future__ import annotations

import importlib
import importlib.resources
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import islice
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Any

from gapsmith.bank import PassingFolder
from gapsmith.parsing import Parser, open_parser
from gapsmith.scoring import accuracy_by_step
from gapsmith.templates import ConfigError, GapsmithError, file_sha256, made_of, no_such, read_json, text_of
from gapsmith.training.biases import biases_of
from gapsmith.training.checkpoints import Checkpoints
from gapsmith.training.config import NgramShape, TrainingConfig, config_tables, parse_config
from gapsmith.training.encoding import encode_corpus
from gapsmith.training.errors import TrainingError
from gapsmith.training.grid_texts import GridText, grid_text
from gapsmith.training.learning import Lesson, learn, text_stream
from gapsmith.training.lm import train_lm
from gapsmith.training.log import TrainingLog
from gapsmith.training.machine import Machine
from gapsmith.training.networks import new_network
from gapsmith.training.parses import kept_parses
from gapsmith.training.planting import Planter, plant_corpus
from gapsmith.training.text import CorpusFiles, Lines, find_corpus, paragraphs
from gapsmith.training.tokenizer import end_token_id, given_tokenizer, train_bpe

DONE_FILE = "cell.json"
_SAMPLE_WORDS = 20_000
"""Words of a corpus from which the rate of training is measured."""
_STEPS = 50
"""As many are enough for a rate, however little time they took."""
_CELL_KEYS = ("corpus", "valid", "lines", "config", "facts")
_SCALED = (
    ("run", "steps"),
    ("run", "evaluate_every"),
    ("run", "patience"),
    ("schedule", "warmup"),
    ("schedule", "decay"),
    ("bias", "dyck", "steps"),
    ("bias", "dyck", "warmup"),
)
"""What is counted in steps."""
FACTS = ("corpus", "size_million", "filtered")

Say = Callable[[str], None]


@dataclass(frozen=True)
class Cell:
    """One learner with one seed."""

    kind: str
    """What it is called in the file; its seeds are of one kind."""
    seed: int
    config: TrainingConfig
    corpus: CorpusFiles
    facts: Mapping[str, str] = field(default_factory=dict)
    """What the model of table 12 wants to know of it: corpus, size_million, filtered."""
    note: str = ""
    """What its file says of all its cells; its card says so, too."""

    @property
    def name(self) -> str:
        """What its folder is called: ``recency-seed1``."""
        return f"{self.kind}-seed{self.seed}"

    def record(self) -> dict[str, Any]:
        """All that decides what comes out, as JSON keeps it."""
        files = {"train": self.corpus.train, "valid": self.corpus.valid}
        digests = {
            key: [_digest(path, path.stat().st_size, path.stat().st_mtime_ns) for path in paths] for key, paths in files.items()
        }
        return {"cell": self.name, "config": self.config.as_data(), "lines": self.corpus.lines, **digests}


@cache
def _digest(path: Path, _size: int, _written: int) -> str:
    """Of a file that may be in many cells, once."""
    return file_sha256(path)


@dataclass(frozen=True, slots=True)
class CellOutcome:
    """What became of a cell."""

    name: str
    kind: str
    seed: int
    folder: Path
    seconds: float = 0.0
    """What training it took in this run; 0 for one that was done before."""
    valid_loss: float | None = None
    problem: str = ""
    """Why it is not done; empty where it is."""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class CellEstimate:
    """How long cells of one kind take, by training on a piece of their text."""

    kind: str
    cells: int
    tokens: float
    """That one of them reads, about."""
    rate: float
    """Tokens a second."""
    parsing: float = 0.0
    """Seconds that are spent on parsing, once for all of them."""

    @property
    def seconds(self) -> float:
        """Of all of them, one after the other."""
        return self.cells * self.tokens / self.rate + self.parsing


def grid_names() -> list[str]:
    """The grids that ship with gapsmith."""
    folder = importlib.resources.files("gapsmith.training.grids")
    return sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml"))


@dataclass(frozen=True)
class LearnerGrid:
    """What a grid's file says, before any text has been looked for."""

    file: Path
    """What messages call it."""
    folder: Path
    """From where its paths are seen."""
    shared: Mapping[str, Any]
    common: Mapping[str, Any]
    kinds: Mapping[str, Mapping[str, Any]]
    texts: Mapping[str, GridText]
    """Texts that it makes itself."""
    seeds: tuple[int, ...]
    factor: float
    """Words and steps are so many times what the file says."""

    @property
    def evaluated(self) -> tuple[str, ...]:
        """Of what is asked for at evaluations, the data sets or paradigms that its cells are measured on; empty: all. Raises
        `ConfigError`."""
        return tuple(_paths(str(self.file), "grid.evaluate", self.shared.get("evaluate")))

    def wanted(self, only: Sequence[str] = ()) -> list[str]:
        """The cells' kinds, or those of `only`. Raises `ConfigError` for one that is not there."""
        missing = [name for name in only if name not in self.kinds]
        if missing:
            raise ConfigError(f"{self.file}: there is no cell {missing[0]!r}", hint=f"There are: {', '.join(self.kinds)}.")
        return [kind for kind in self.kinds if not only or kind in only]

    def texts_of(self, only: Sequence[str] = ()) -> dict[str, GridText]:
        """The texts of its own that these cells read, with as many words as are wanted."""
        named = {
            name
            for kind in self.wanted(only)
            for key in ("corpus", "valid")
            for name in _paths(f"{self.file}: cell.{kind}", key, self.kinds[kind].get(key, self.shared.get(key)))
        }
        return {name: text.scaled(self.factor) for name, text in self.texts.items() if name in named}


def read_grid(file: Path, minutes: float | None = None) -> LearnerGrid:
    """A grid's file, or the grid of that name that ships, whose paths are seen from the working folder. `minutes` scales words and steps of
    a grid that says for how many it was made.

    Raises `ConfigError` naming file and key.
    """
    folder = file.parent
    try:
        if not file.is_file() and str(file) in grid_names():
            text = (importlib.resources.files("gapsmith.training.grids") / f"{file}.toml").read_text("utf-8")
            folder = Path()
        elif not file.exists():
            raise ConfigError(f"there is no grid {str(file)!r}", hint=f"Give a TOML file, or one of {', '.join(grid_names())}.")
        else:
            text = text_of(file, "utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: cannot be read as UTF-8 text ({error})") from None
    return made_of(text, str(file), lambda told: _grid(told, file, folder, minutes), what="a grid")


def _grid(told: Mapping[str, Any], file: Path, folder: Path, minutes: float | None) -> LearnerGrid:
    shared, common, texts, cells = (_table(told, name, file) for name in ("grid", "all", "text", "cell"))
    tables, keys = ("grid", "all", "text", "cell"), (*_CELL_KEYS, "seeds", "minutes", "note", "evaluate")
    for name in told:
        if name not in tables:
            raise no_such(f"{file}: {name}: there is no such key", "A grid has the tables", name, tables, place=(name,))
    for name in shared:
        if name not in keys:
            raise no_such(f"{file}: grid.{name}: there is no such key", "Keys there", name, keys, place=("grid", name))
    seeds = shared.get("seeds", [1])
    if (
        not isinstance(seeds, list)
        or not seeds
        or not all(type(s) is int and s >= 0 for s in seeds)
        or len(set(seeds)) < len(seeds)
    ):
        raise ConfigError(
            f"{file}: grid.seeds = {seeds!r} are not different whole numbers",
            hint="For example seeds = [1, 2, 3].",
            place=("grid", "seeds"),
        )
    if not cells:
        raise ConfigError(f"{file}: there is no cell", hint="Add a table [cell.NAME] for each learner; it may be empty.")
    made = {name: grid_text(f"{file}: text.{name}", _table(texts, name, file)) for name in texts}
    kinds = {kind: _table(cells, kind, file) for kind in cells}
    return LearnerGrid(file, folder, shared, common, kinds, made, tuple(seeds), _factor(file, shared, minutes))


def _factor(file: Path, shared: Mapping[str, Any], minutes: float | None) -> float:
    made_for = shared.get("minutes")
    if made_for is not None and not (type(made_for) in (int, float) and made_for > 0):
        raise ConfigError(f"{file}: grid.minutes = {made_for!r} is no number of minutes", place=("grid", "minutes"))
    if minutes is None:
        return 1.0
    if made_for is None:
        raise ConfigError(
            f"{file}: does not say for how many minutes it was made, so its words and steps cannot be scaled",
            hint="Say minutes = … in [grid], or leave --minutes out.",
        )
    return minutes / float(made_for)


def load_grid(file: Path | LearnerGrid, only: Sequence[str] = (), *, texts: Path | None = None) -> list[Cell]:
    """The cells of a grid's file, in its order, all seeds of a cell together; `only` takes some of them. `texts`: the folder of what
    `make_texts` has made.

    Paths in it are seen from where it lies. Raises `ConfigError` naming file, cell and key.
    """
    grid = file if isinstance(file, LearnerGrid) else read_grid(file)
    return [cell for kind in grid.wanted(only) for cell in _cells(grid, kind, texts)]


def _cells(grid: LearnerGrid, kind: str, texts: Path | None) -> Iterator[Cell]:
    file, shared, own = grid.file, grid.shared, grid.kinds[kind]
    where = f"{file}: cell.{kind}"
    if (
        not kind
        or not all(letter.isalnum() or letter in "._+-" for letter in kind)
        or "seed" in kind.casefold()
        or kind[0] in ".-"
    ):
        raise ConfigError(
            f"{where}: {kind!r} cannot be the name of a cell: it becomes a folder's, with -seed and a number behind it",
            hint="Take letters, digits and . _ + -, without the word seed.",
        )
    asked = {key: own.get(key, shared.get(key)) for key in _CELL_KEYS}
    base = asked["config"]
    if base is not None and not isinstance(base, str):
        raise ConfigError(f"{where}: config = {base!r} is no name of a configuration")
    beside = None if base is None else grid.folder / base
    tables = {} if base is None or beside is None else config_tables(str(beside) if beside.is_file() else base)
    tables = _merged(_merged(tables, grid.common), {key: value for key, value in own.items() if key not in _CELL_KEYS})
    tables = _scaled(tables, grid.factor)
    facts = {str(key): str(value) for key, value in dict(asked["facts"] or {}).items()}
    wrong = [key for key in facts if key not in FACTS]
    if wrong:
        raise ConfigError(f"{where}: facts.{wrong[0]}: there is no such key", hint=f"Facts are {', '.join(FACTS)}.")
    if grid.factor != 1.0 and "size_million" in facts:
        try:
            facts["size_million"] = f"{float(facts['size_million']) * grid.factor:.6g}"
        except ValueError:
            raise ConfigError(f"{where}: facts.size_million = {facts['size_million']!r} is no number") from None
    lines = asked["lines"] or "paragraphs"
    if lines not in ("paragraphs", "sentences"):
        raise ConfigError(f"{where}: lines = {lines!r} is neither paragraphs nor sentences")
    known: Lines = "sentences" if lines == "sentences" else "paragraphs"
    corpus, valid = (
        [texts / path if texts and path in grid.texts else grid.folder / path for path in _paths(where, key, asked[key])]
        for key in ("corpus", "valid")
    )
    if not corpus:
        raise ConfigError(f"{where}: no corpus is named", hint='Say corpus = ["folder/"] there, or in [grid] for all cells.')
    files = find_corpus(corpus, valid, lines=known)
    for seed in grid.seeds:
        config = parse_config(_merged(tables, {"run": {"seed": seed}}), where)
        biases_of(config.bias).check(config)
        yield Cell(kind, seed, config, files, facts, str(shared.get("note", "")))


def _paths(where: str, key: str, given: Any) -> list[str]:
    paths = [given] if isinstance(given, str) else [] if given is None else given
    if not isinstance(paths, list) or not all(isinstance(path, str) and path for path in paths):
        raise ConfigError(f"{where}: {key} = {given!r} are no names")
    return paths


def _table(tables: Mapping[str, Any], name: str, file: Path) -> dict[str, Any]:
    found = tables.get(name, {})
    if not isinstance(found, dict):
        raise ConfigError(f"{file}: {name} is no table", place=(name,))
    return found


def _scaled(tables: Mapping[str, Any], factor: float) -> dict[str, Any]:
    """All that is counted in steps, so many times."""
    made = dict(tables)
    for way in _SCALED if factor != 1.0 else ():
        table: Any = tables
        for name in way[:-1]:
            table = table.get(name, {}) if isinstance(table, Mapping) else {}
        value = table.get(way[-1]) if isinstance(table, Mapping) else None
        if type(value) is int and value > 0:
            scaled: dict[str, Any] = {way[-1]: max(1, round(value * factor))}
            for name in reversed(way[:-1]):
                scaled = {name: scaled}
            made = _merged(made, scaled)
    return made


def _merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Tables within tables; what is said above holds."""
    merged = dict(below)
    for key, value in above.items():
        old = merged.get(key)
        merged[key] = _merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged


# --- training ---


@dataclass(frozen=True, slots=True)
class Examination:
    """On which items of a bank checkpoints are measured at every evaluation; see `gapsmith.scoring.accuracy_by_step`."""

    bank_file: Path
    names: tuple[str, ...]
    everything: bool = False
    of_epochs: bool = False
    """Only of cells that are trained by epochs."""


def run_grid(
    cells: Sequence[Cell],
    out: Path,
    *,
    examination: Examination | None = None,
    device: str = "auto",
    workers: int = 1,
    ray: str | None = None,
    say: Say = lambda _: None,
    done: Callable[[CellOutcome], None] = lambda _: None,
) -> list[CellOutcome]:
    """Train every cell that is not done into a folder of its own below `out`, and say what became of each, in the order of `cells`.

    One process trains all of them after one another; several `workers` are processes with one thread each; `ray` is the address of a
    cluster whose machines see the same files (empty: this machine). A cell that fails leaves the others alone, and all that it has
    learnt is kept: run it again. `done` is told of each as it ends.
    """
    out.mkdir(parents=True, exist_ok=True)
    parse_first(cells, out, say)
    found: dict[str, CellOutcome] = {}
    wanted: list[Cell] = []
    for cell in cells:
        kept = cell_done(cell, out)
        if kept is None:
            wanted.append(cell)
        else:
            found[cell.name] = kept
    if found:
        say(f"{len(found)} of {len(cells)} cells are done")
    train = partial(train_cell, out=out.resolve() if ray is not None else out, device=device, examination=examination)
    for outcome in _trained(wanted, train, workers, ray, say):
        found[outcome.name] = replace(outcome, folder=out / outcome.name)
        done(found[outcome.name])
    return [found[cell.name] for cell in cells]


_Train = Callable[..., CellOutcome]


def _trained(cells: Sequence[Cell], train: _Train, workers: int, ray: str | None, say: Say) -> Iterator[CellOutcome]:
    if ray is not None:
        yield from _on_ray(cells, train, ray)
    elif workers == 1 or len(cells) < 2:
        for number, cell in enumerate(cells, 1):
            say(f"{cell.name}, {number} of {len(cells)}")
            yield train(cell, say=say)
    else:
        yield from _in_processes(cells, train, workers)


def _in_processes(cells: Sequence[Cell], train: _Train, workers: int) -> Iterator[CellOutcome]:
    # A fresh process for each: torch is not to be forked, and its threads are set before it is imported.
    others = set(active_children())
    with ProcessPoolExecutor(min(workers, len(cells)), mp_context=get_context("spawn"), initializer=_one_thread) as pool:
        running: dict[Future[CellOutcome], Cell] = {pool.submit(train, cell): cell for cell in cells}
        try:
            while running:
                ended, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in ended:
                    cell = running.pop(future)
                    problem = future.exception()
                    # A process that was killed takes the others with it; what their cells have learnt is on disk.
                    yield future.result() if problem is None else _failed(cell, f"its process ended ({type(problem).__name__})")
        except BaseException:
            # Asked to stop, as by a scheduler that tells this process alone: what a cell has learnt is on disk, and waiting for it would be
            # waiting for hours.
            for child in set(active_children()) - others:
                child.terminate()
            raise
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _one_thread() -> None:
    os.environ["OMP_NUM_THREADS"] = "1"
    import torch

    torch.set_num_threads(1)


def _on_ray(cells: Sequence[Cell], train: _Train, address: str) -> Iterator[CellOutcome]:
    try:
        ray: Any = importlib.import_module("ray")
    except ImportError as error:
        raise ConfigError("Ray is not installed", hint="Install it: pip install 'gapsmith[ray]'") from error
    if not ray.is_initialized():
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        ray.init(address=address or None, log_to_driver=False)
    needs = {"num_gpus": 1} if ray.cluster_resources().get("GPU") else {"num_cpus": 1}
    remote = ray.remote(_plainly).options(max_retries=3, **needs)
    running = {remote.remote(train, cell): cell for cell in cells}
    while running:
        (ended, *_), _ = ray.wait(list(running))
        cell = running.pop(ended)
        try:
            yield ray.get(ended)
        except Exception as error:  # noqa: BLE001 - whatever a machine of the cluster raises is one cell's problem
            yield _failed(cell, f"on Ray: {str(error).strip().splitlines()[-1]}")


def _plainly(train: _Train, cell: Cell) -> CellOutcome:
    """What Ray calls, which takes functions and no objects that can be called."""
    return train(cell)


def train_cell(
    cell: Cell, *, out: Path, device: str = "auto", examination: Examination | None = None, say: Say | None = None
) -> CellOutcome:
    """Train one cell, or go on with it. What goes wrong is in what comes out."""
    folder = out / cell.name
    began = time.monotonic()
    try:
        with ExitStack() as stack:
            hooks = []
            # Cells that are not trained by epochs are evaluated for their loss alone: they are scored when they are done.
            if examination is not None and (cell.config.run.epochs is not None or not examination.of_epochs):
                asked = examination.bank_file, examination.names
                hook = accuracy_by_step(*asked, everything=examination.everything, device=device, say=say or _unheard)
                hooks.append(stack.enter_context(hook))
            made = train_lm(cell.config, cell.corpus, folder, device=device, evaluations=hooks, say=say, parses=kept_parses(out))
        if cell.note:
            with (folder / "README.md").open("a", encoding="utf-8") as card:
                card.write(f"\n**{cell.note}**\n")
        told = {"valid_loss": made.valid_loss, "seconds": time.monotonic() - began, "note": cell.note, "read": dict(made.read)}
        record = cell.record() | told
        (folder / DONE_FILE).write_text(json.dumps(record, indent=1), encoding="utf-8")
    except GapsmithError as error:
        return _failed(cell, error.message, error.hint or "")
    except OSError as error:
        return _failed(
            cell, f"{error.filename or folder}: {error.strerror or error}", "Make room, then run the same command again."
        )
    return CellOutcome(cell.name, cell.kind, cell.seed, folder, time.monotonic() - began, made.valid_loss)


def _unheard(message: str) -> None:
    del message


def _failed(
    cell: Cell, problem: str, hint: str = "Run the same command again: it goes on from the last checkpoint."
) -> CellOutcome:
    return CellOutcome(cell.name, cell.kind, cell.seed, Path(cell.name), problem=problem, hint=hint)


def cell_done(cell: Cell, out: Path) -> CellOutcome | None:
    """What became of a cell that was trained before as it is asked for now; None where it is to be trained."""
    folder = out / cell.name
    try:
        record: dict[str, Any] = read_json(text_of(folder / DONE_FILE, "utf-8"))
    except (OSError, ValueError):
        return None
    asked = json.loads(json.dumps(cell.record()))
    if any(record.get(key) != value for key, value in asked.items()) or not (folder / "model.safetensors").is_file():
        return None
    return CellOutcome(cell.name, cell.kind, cell.seed, folder, valid_loss=record.get("valid_loss"))


# --- parses ---


def parse_first(cells: Sequence[Cell], out: Path, say: Say) -> None:
    """Parse once what several cells want parsed, so that none waits for another; goes on where it was stopped."""
    wanted: dict[str, dict[Path, Lines]] = {}
    for cell in cells:
        planting = cell.config.bias.planting
        if planting is not None and cell_done(cell, out) is None:
            wanted.setdefault(planting.parser, {}).update(dict.fromkeys(cell.corpus.train, cell.corpus.lines))
    parses = kept_parses(out)
    for name, files in wanted.items():
        parser = open_parser(name)
        sentences = (sentence for path, lines in files.items() for text in paragraphs(path, lines) for sentence in text)
        n = 0
        while block := list(islice(sentences, 2_000)):
            parses(parser, block)
            n += len(block)
            if n % 20_000 == 0:
                say(f"{n:,} sentences parsed with {name}")


def _parsed_now(parser: Parser, sentences: Sequence[str]) -> Mapping[str, Any]:
    return dict(zip(sentences, parser.parse(sentences), strict=True))


# --- how long it takes ---


class _EnoughError(Exception):
    """Ends a measured run."""


def calibrate(
    cells: Sequence[Cell], *, device: str = "auto", threads: int | None = None, seconds: float = 20.0
) -> list[CellEstimate]:
    """How long every kind of cell takes: each is trained on the first words of its text for its share of so many seconds.

    With `threads`, as many as a process will have. Tokens are estimated from a tokenizer of that piece of text; n-grams are left out,
    since counting takes seconds. Cells that stop early take less.
    """
    import torch

    kinds = {cell.kind: cell for cell in reversed(cells) if not isinstance(cell.config.network, NgramShape)}
    before = torch.get_num_threads()
    if threads is not None:
        torch.set_num_threads(threads)
    try:
        sizes: dict[tuple[Path, ...], tuple[int, int]] = {}
        found = []
        for kind, cell in reversed(kinds.items()):
            files = cell.corpus.train
            if files not in sizes:
                sizes[files] = _size(cell.corpus)
            n = sum(own.kind == kind for own in cells)
            found.append(_estimate(cell, n, sizes[files], device, max(min(1.0, seconds), seconds / len(kinds))))
        return found
    finally:
        torch.set_num_threads(before)


def _size(corpus: CorpusFiles) -> tuple[int, int]:
    """Words and sentences."""
    words = sentences = 0
    for path in corpus.train:
        for paragraph in paragraphs(path, corpus.lines):
            sentences += len(paragraph)
            words += sum(len(sentence.split()) for sentence in paragraph)
    return words, sentences


def _estimate(cell: Cell, n_cells: int, size: tuple[int, int], device: str, seconds: float) -> CellEstimate:
    from gapsmith.scoring.lm import choose_device

    config, run, rows = cell.config, cell.config.run, cell.config.rows
    choice = config.tokenizer
    if choice is None or config.network is None or isinstance(config.network, NgramShape):
        raise ConfigError(f"{cell.name} has no [network] or no [tokenizer]", hint="A cell of a grid trains a new network.")
    piece = _piece(cell.corpus)
    tokenizer = (
        given_tokenizer(Path(choice.path).expanduser())
        if choice.path is not None
        else train_bpe((" ".join(paragraph) for paragraph in piece), choice.vocabulary)
    )
    end = end_token_id(tokenizer, cell.name)
    corpus = encode_corpus(piece, tokenizer, name=", ".join(path.name for path in cell.corpus.train))
    biases = biases_of(config.bias)
    planter, parsing = None, 0.0
    planting = config.bias.planting
    if planting is not None:
        parser = open_parser(planting.parser)
        sentences = [sentence for paragraph in piece for sentence in paragraph]
        began = time.monotonic()
        trees = plant_corpus(sentences, tokenizer, parser, parses=_parsed_now, say=_unheard)
        parsing = (time.monotonic() - began) / len(sentences) * size[1]
        planter = Planter(trees)
    vocabulary = choice.vocabulary if choice.path is None else tokenizer.get_vocab_size()
    network = new_network(config.network, vocabulary=vocabulary, length=rows.length, end=end, seed=run.seed, biases=biases)
    measured = replace(
        config, run=replace(run, steps=10**9, evaluate_every=10**9, checkpoint_every=10**9, log_every=1, patience=0)
    )
    times: list[tuple[float, int]] = []

    def tell(entry: Mapping[str, Any]) -> None:
        times.append((time.monotonic(), entry["tokens"]))
        if len(times) > _STEPS or (len(times) > 2 and times[-1][0] - times[0][0] > seconds):
            raise _EnoughError

    with PassingFolder() as folder, suppress(_EnoughError):
        learn(
            measured,
            network,
            tokenizer,
            Lesson(text_stream(measured, corpus, end), (), biases, planter),
            machine=Machine(choose_device(device)),
            checkpoints=Checkpoints(folder / "checkpoints"),
            log=TrainingLog(folder / "log.jsonl"),
            report=tell,
        )
    # The first step warms up.
    rate = (times[-1][1] - times[0][1]) / (times[-1][0] - times[0][0])
    per_word = corpus.n_tokens / corpus.n_words
    if run.epochs is not None:
        tokens = run.epochs * (size[0] * per_word + 2 * size[1])
    else:
        tokens = run.steps * times[-1][1] / len(times)
    if biases.before is not None:
        tokens += biases.before.settings.steps * run.batch * rows.length
    return CellEstimate(cell.kind, n_cells, tokens, rate, parsing)


def _piece(corpus: CorpusFiles) -> list[list[str]]:
    """The first paragraphs, of so many words in all."""
    piece: list[list[str]] = []
    words = 0
    for paragraph in (text for path in corpus.train for text in paragraphs(path, corpus.lines)):
        piece.append(paragraph)
        words += sum(len(sentence.split()) for sentence in paragraph)
        if words >= _SAMPLE_WORDS:
            break
    if not piece:
        raise TrainingError(f"{corpus.train[0]} holds no text", hint="Give files with text.")
    return piece
