"""What `analyze` and `report` ask for and get: analyses, or comparisons of several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from gapsmith.app.chosen import models_compared, preferred_model
from gapsmith.app.cli.console import note
from gapsmith.app.slor import slor_tables
from gapsmith.app.workspace import Workspace
from gapsmith.scoring import UnigramTables
from gapsmith.scoring.analysis import Analysis, AnalysisOptions, RunComparison, Sensitivity, analyze_all, compare, sensitivity
from gapsmith.stats import MixedFit
from gapsmith.templates import ConfigError, GapsmithError


class Asked:
    """Whose numbers: one model and data set, or several of them side by side."""

    def __init__(
        self,
        options: AnalysisOptions,
        *,
        models: Sequence[str] | None,
        datasets: Sequence[str] | None,
        by: Sequence[str] | None,
        scorer: int | None,
        corpus: Path | None = None,
        contexts: Sequence[str] | None = None,
    ) -> None:
        self.models = list(dict.fromkeys(models or ()))
        self.datasets = list(dict.fromkeys(datasets or ()))
        self.by = [name.strip() for name in by or ()]
        self.contexts = list(dict.fromkeys(contexts or ()))
        if self.contexts and "context" not in self.by:
            self.by.append("context")
        self.scorer = scorer
        self.corpus = corpus
        self.unigrams: UnigramTables | None = None
        """What SLOR takes away, by scorer, once it was looked for and said."""
        self.options = replace(options, dataset=self.datasets[0] if len(self.datasets) == 1 else None)

    @property
    def compares(self) -> bool:
        """Whether several are asked for."""
        return bool(self.by) or len(self.models) > 1 or len(self.datasets) > 1


def parse_where(given: Sequence[str] | None) -> dict[str, str]:
    """``NAME=VALUE`` as a mapping. Raises `ConfigError`."""
    found = {}
    for entry in given or ():
        name, equals, value = entry.partition("=")
        if not equals or not name.strip():
            raise ConfigError(f"--where {entry!r} is not NAME=VALUE", hint="For instance --where depth=2.")
        found[name.strip()] = value.strip()
    return found


def analysed(ws: Workspace, paradigms: Sequence[str] | None, asked: Asked) -> tuple[Analysis, ...]:
    """The analyses of the workspace's items under one model; notes and what was left out go to stderr. Raises `GapsmithError`."""
    found = analyze_all(
        ws.bank,
        paradigms or (),
        model=asked.models[0] if asked.models else None,
        scorer_id=asked.scorer,
        preferred=preferred_model(ws.settings),
        options=asked.options,
        unigrams=_unigrams(ws, asked),
    )
    for message in found.notes:
        note(message)
    for name, problem in found.left_out:
        note(f"{name} was left out: {problem.message}")
    return found.analyses


def compared(ws: Workspace, paradigms: Sequence[str] | None, asked: Asked) -> tuple[RunComparison, ...]:
    """A comparison for each paradigm; one that nobody named and that cannot be compared is left out, and said.

    Raises `GapsmithError`."""
    names = list(dict.fromkeys(paradigms or ws.bank.paradigms.names()))
    if not names:
        raise GapsmithError("There are no items here yet.", hint="Make some with `gapsmith generate` or `gapsmith import`.")
    models = models_compared(ws.settings, asked.models, all_side_by_side="model" in asked.by)
    found: list[RunComparison] = []
    problems: list[GapsmithError] = []
    for name in names:
        there = set(ws.bank.items.datasets(name))
        if not paradigms and asked.datasets and not there.intersection(asked.datasets):
            continue
        try:
            found.append(
                compare(
                    ws.bank,
                    name,
                    models=models,
                    datasets=asked.datasets,
                    by=asked.by,
                    contexts=asked.contexts,
                    scorer_id=asked.scorer,
                    options=asked.options,
                    unigrams=_unigrams(ws, asked),
                )
            )
        except GapsmithError as error:
            if paradigms or len(names) == 1:
                raise
            problems.append(error)
            note(f"{name} was left out: {error.message}")
    if not found:
        if problems:
            raise problems[0]
        raise ConfigError(f"No paradigm has a data set {asked.datasets[0]!r}.", hint=f"Paradigms: {', '.join(names)}.")
    return tuple(found)


def _unigrams(ws: Workspace, asked: Asked) -> UnigramTables:
    """What SLOR takes away, with a note on what was counted."""
    if asked.unigrams is None:
        asked.unigrams = slor_tables(ws.root, asked.corpus, note)
    return asked.unigrams


def checked_again(ws: Workspace, paradigms: Sequence[str] | None, asked: Asked) -> tuple[Sensitivity, ...]:
    """What each analysis hangs on. Raises `GapsmithError`."""
    _one_only(asked, "--sensitivity")
    return tuple(
        sensitivity(
            ws.bank,
            analysis.paradigm.name,
            scorer_id=analysis.scorer_id,
            options=asked.options,
            unigrams=_unigrams(ws, asked),
        )
        for analysis in analysed(ws, paradigms, asked)
    )


def fitted(ws: Workspace, paradigms: Sequence[str] | None, asked: Asked, formula: str) -> tuple[MixedFit, ...]:
    """The mixed model of each paradigm. Raises `GapsmithError`."""
    from gapsmith.bank import ItemFilter
    from gapsmith.scoring import FrameWish
    from gapsmith.scoring.analysis import CORRECT, choose, fit_formula, item_frame, sentence_frame

    _one_only(asked, "--formula")
    fits = []
    for analysis in analysed(ws, paradigms, asked):
        options = asked.options
        picked = choose(ws.bank, analysis.paradigm.name, options).picked
        selection = ItemFilter(paradigm=analysis.paradigm.name, ids=tuple(item.id for item in picked))
        if formula.split("~")[0].strip() == CORRECT:
            frame = item_frame(picked, [analysis])
        else:
            wish = FrameWish(
                scorer=analysis.scorer_id,
                design=options.design,
                measures=(options.measure or "sum",),
                corrected=options.corrected,
            )
            frame = sentence_frame(ws.bank, selection, wish, slor_tables(ws.root, asked.corpus))
        fits.append(fit_formula(formula, frame))
    return tuple(fits)


def _one_only(asked: Asked, flag: str) -> None:
    if asked.compares:
        raise ConfigError(f"{flag} is about one model and data set", hint="Leave --by out, and name one of each.")
