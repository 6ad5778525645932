"""Training: a corpus from several sources, a language model from text, a parser from a treebank."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gapsmith.app.chosen import device_for
from gapsmith.app.requests.base import Unset, said, said_or_none
from gapsmith.app.requests.learning import TrainAudit, TrainCorpus, TrainCounts, TrainLm, TrainParser
from gapsmith.app.services import QUIET, Services
from gapsmith.app.workspace import Workspace, find_workspace, open_workspace, settings_of
from gapsmith.bank import written_whole
from gapsmith.parsing import Attachment, ParserProgress, TrainingPlan, make_parser
from gapsmith.scoring import accuracy_by_step
from gapsmith.scoring.analysis.posh import printed_size, printed_tokens
from gapsmith.templates import ConfigError
from gapsmith.training import PARSES_FILE, TrainedModel, find_corpus, kept_parses, load_config
from gapsmith.training import train_lm as trained
from gapsmith.training.corpus import (
    CorpusCount,
    FilterLeak,
    MixedSource,
    count_corpus,
    load_recipe,
    mix_corpus,
    open_audit,
    open_filters,
)

if TYPE_CHECKING:
    import pandas

Report = Callable[[Mapping[str, Any]], None]
"""Told of every step: its number, and what was measured there."""


@dataclass(frozen=True, slots=True)
class CorpusMade:
    """A corpus that was mixed: ``train.txt``, ``valid.txt`` and ``manifest.json`` in a folder."""

    request: TrainCorpus
    folder: Path
    sources: tuple[MixedSource, ...]
    """What was taken of each."""

    @property
    def words(self) -> int:
        """In the training text."""
        return sum(source.words for source in self.sources)

    def to_frame(self) -> pandas.DataFrame:
        """A row for each source: name, format, licence, words, valid_words, sentences, available, filtered."""
        import pandas

        columns = ("name", "format", "licence", "words", "valid_words", "sentences", "available", "filtered")
        return pandas.DataFrame([{name: getattr(source, name) for name in columns} for source in self.sources])

    def _repr_html_(self) -> str:
        html: str = self.to_frame().to_html(index=False, escape=True)
        return html


@dataclass(frozen=True, slots=True)
class CorpusAudited:
    """Sentences of a filtered corpus that were drawn, or what a reader found in them."""

    request: TrainAudit
    candidates: Mapping[str, int]
    """By filter, how many sentences there are that it may have missed."""
    drawn: Mapping[str, int]
    """By filter, how many of them are on the sheet."""
    put_back: Mapping[str, int]
    """By filter, how many such sentences were put back on purpose; they are not drawn."""
    leaks: tuple[FilterLeak, ...] = ()
    """What a reader found; nothing before that."""
    sheet: Path | None = None
    """What was written."""

    def to_frame(self) -> pandas.DataFrame:
        """A row for each filter: filter, what, candidates, read, leaks, unclear, rate, low, high, published; before anybody has read it
        filter, candidates, drawn, put_back."""
        import pandas

        return pandas.DataFrame(self.rows())

    def rows(self) -> list[dict[str, Any]]:
        """As the frame has them."""
        if self.leaks:
            return [own.as_data() for own in self.leaks]
        return [
            {"filter": name, "candidates": n, "drawn": self.drawn[name], "put_back": self.put_back[name]}
            for name, n in self.candidates.items()
        ]

    def _repr_html_(self) -> str:
        html: str = self.to_frame().to_html(index=False, escape=True)
        return html


@dataclass(frozen=True, slots=True)
class CorporaCounted:
    """Sizes of corpora beside the printed ones."""

    request: TrainCounts
    counts: tuple[CorpusCount, ...]

    def sizes(self) -> list[dict[str, Any]]:
        """Table 4: a row for each corpus: corpus, recipe, scale, sentences, words, words_per_sentence, printed_sentences,
        printed_words_per_sentence (None where the paper has none)."""
        return [
            {
                "corpus": own.corpus,
                "recipe": own.recipe,
                "scale": own.scale,
                "sentences": own.sentences,
                "words": own.words,
                "words_per_sentence": own.words_per_sentence,
                "printed_sentences": printed.get("sentences"),
                "printed_words_per_sentence": printed.get("words_per_sentence"),
            }
            for own in self.counts
            for printed in (printed_size(own.recipe),)
        ]

    def tokens(self) -> list[dict[str, Any]]:
        """Table 9: a row for each corpus and vocabulary: corpus, recipe, scale, vocabulary, entries, tokens, printed_tokens."""
        return [
            {
                "corpus": own.corpus,
                "recipe": own.recipe,
                "scale": own.scale,
                "vocabulary": size,
                "entries": own.entries[size],
                "tokens": tokens,
                "printed_tokens": printed_tokens(own.recipe, size),
            }
            for own in self.counts
            for size, tokens in own.tokens.items()
        ]

    def to_frame(self) -> pandas.DataFrame:
        """`sizes` as a frame."""
        import pandas

        return pandas.DataFrame(self.sizes())

    def _repr_html_(self) -> str:
        html: str = self.to_frame().to_html(index=False, escape=True)
        return html


@dataclass(frozen=True, slots=True)
class ModelMade:
    """A language model that was trained, or counted."""

    request: TrainLm
    model: TrainedModel

    @property
    def folder(self) -> Path:
        """What `score` takes for a model."""
        return self.model.directory


@dataclass(frozen=True, slots=True)
class ParserMade:
    """A parser that was trained."""

    request: TrainParser
    folder: Path
    size: int
    """Bytes, with everything that it needs."""
    test: Attachment
    """How it does on the test sentences."""


def train_corpus(request: TrainCorpus, services: Services = QUIET) -> CorpusMade:
    """Mix the corpus into a folder that is not there yet. Raises `ConfigError` where a source is missing, and `GapsmithError`
    where one has too few words."""
    paths = {name: Path(path) for name, path in request.sources.items()}
    recipe = load_recipe(request.recipe).with_given(paths, request.licences, scale=request.scale)
    filters = open_filters(request.filters or recipe.filter, request.parser, kept_parses(request.out.resolve().parent))
    if filters is not None:
        services.note(f"parses are kept in {request.out.parent / PARSES_FILE}")
    mixed = mix_corpus(
        recipe,
        request.out,
        seed=request.seed,
        valid_share=request.valid_share,
        filters=filters,
        put_back=filters.shares if filters is not None and (request.put_back or recipe.put_back) else {},
        say=services.note,
    )
    silent = [made.name for made in mixed if not made.licence and not made.documents]
    if silent:
        services.note(f"no licence is stated for {', '.join(silent)}: --licence NAME=TEXT keeps it in the manifest")
    return CorpusMade(request, request.out, tuple(mixed))


def train_audit(request: TrainAudit, services: Services = QUIET) -> CorpusAudited:
    """Draw the sheet, or count what it says. Raises `ConfigError` where corpus and filters do not go together or the sheet is there already,
    and `FormatError` for a sheet that was drawn from something else or is not filled in."""
    seed = said(request.seed, 1)
    audit = open_audit(request.corpus, request.filters, n=said(request.sentences, 1000), seed=seed)
    if not isinstance(request.answers, Unset):
        leaks = audit.read(request.answers)
        named = {own.filter: own for own in leaks}
        return CorpusAudited(
            request, {n: own.candidates for n, own in named.items()}, {n: own.read for n, own in named.items()}, {}, tuple(leaks)
        )
    out = request.out
    assert not isinstance(out, Unset)
    if out.exists():
        raise ConfigError(f"{out} is there already", hint="Choose another --out: a sheet may have answers in it.")
    samples = audit.samples()
    try:
        with written_whole(out) as building:
            building.write_text(audit.sheet(samples), encoding="utf-8")
    except OSError as error:
        raise ConfigError(
            f"{out} cannot be written ({error.strerror or error})", hint="Make room, or choose another --out."
        ) from None
    services.note(f"drawn with seed {seed}: {out}")
    return CorpusAudited(
        request,
        {own.filter.name: own.candidates for own in samples},
        {own.filter.name: len(own.drawn) for own in samples},
        {own.filter.name: own.put_back for own in samples},
        sheet=out,
    )


def train_counts(request: TrainCounts, services: Services = QUIET) -> CorporaCounted:
    """Count the corpora. Raises `ConfigError` for a folder that is none."""
    sizes = tuple(dict.fromkeys(request.vocabulary))
    return CorporaCounted(request, tuple(count_corpus(folder, sizes, say=services.note) for folder in request.corpora))


def train_lm(source: Workspace | str | os.PathLike[str] | None, request: TrainLm, services: Services = QUIET) -> ModelMade:
    """Train, or go on with the run that is in the folder. `source` is a workspace or where one is (None: from here upwards): its
    settings hold, and its items are those of `evaluate`.

    What `services.hand` has under ``training``, is opened with the number of steps and gives what is told of each of them. Raises
    `ConfigError` where the folder holds another run or something else, and `TrainingError`."""
    config = load_config(request.config, request.overrides)
    at = None if source is None or isinstance(source, Workspace) else Path(source)
    settings = source.settings if isinstance(source, Workspace) else settings_of(find_workspace(at))
    place = device_for(settings, said_or_none(request.device))
    corpus = find_corpus(request.corpora, request.valid, lines="sentences" if request.lines == "sentences" else "paragraphs")
    shown = (services.hand or {}).get("training", _told(services))
    with ExitStack() as stack:
        hooks = []
        if request.evaluate:
            bank_file = _bank_file(source, at)
            evaluated = accuracy_by_step(
                bank_file, request.evaluate, everything=request.everything, device=place, say=services.note
            )
            hooks.append(stack.enter_context(evaluated))
        report: Report = stack.enter_context(shown(config.run.steps))
        made = trained(
            config,
            corpus,
            request.out,
            init=said_or_none(request.init),
            device=place,
            evaluations=hooks,
            report=report,
            say=services.note,
            finish=request.finish,
        )
    return ModelMade(request, made)


def _bank_file(source: Workspace | str | os.PathLike[str] | None, at: Path | None) -> Path:
    if isinstance(source, Workspace):
        return source.bank.path
    with open_workspace(at) as workspace:
        return workspace.bank.path


def _told(services: Services) -> Callable[[int], AbstractContextManager[Report]]:
    @contextmanager
    def shown(steps: int) -> Iterator[Report]:
        with services.progress("training", steps) as advance:
            yield lambda entry: advance(entry["step"], total=entry.get("of", steps))

    return shown


def train_parser(request: TrainParser, services: Services = QUIET) -> ParserMade:
    """Train the parser and write it into a folder that is new or empty. Raises `GapsmithError`."""
    plan = TrainingPlan(steps=request.steps, seed=request.seed, evaluate_every=min(200, request.steps))
    with services.progress("training", request.steps) as advance:

        def tell(progress: ParserProgress) -> None:
            found = progress.attachment
            services.note(f"step {progress.step:,}: dev UPOS {found.upos:.1f}, UAS {found.uas:.1f}, LAS {found.las:.1f}")
            advance(progress.step, total=request.steps)

        made = make_parser(request.treebank, request.out, plan, tell, lambda: advance(request.steps, total=request.steps))
    return ParserMade(request, request.out, made.size, made.test)
