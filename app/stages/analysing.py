"""Analyses, comparisons, mixed models, and what contrasts hang on: for the command line, Python and study files alike."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from gapsmith.app.analyzed import Analyzed
from gapsmith.app.chosen import models_compared, preferred_model
from gapsmith.app.requests.base import UNSET, Unset, said, said_or_none
from gapsmith.app.requests.measuring import AnalysisRequest, Analyze
from gapsmith.app.requests.parts import ModelledBy
from gapsmith.app.services import QUIET, Services
from gapsmith.app.settings import Settings
from gapsmith.app.slor import slor_tables
from gapsmith.app.stages.looking import look_or_say
from gapsmith.app.stages.selecting import selection_of
from gapsmith.app.workspace import Workspace
from gapsmith.bank import Bank, ItemFilter
from gapsmith.scoring.analysis import (
    AXES,
    CORRECT,
    Analysis,
    AnalysisOptions,
    analyze_all,
    choose,
)
from gapsmith.templates import ConfigError, GapsmithError

# What not every analysis is asked for is imported where it is.
if TYPE_CHECKING:
    from gapsmith.scoring import UnigramTables
    from gapsmith.scoring.analysis import ModelFrame, Modelling, RunComparison, Sensitivity
    from gapsmith.scoring.observations import RoleWords
    from gapsmith.stats import Alternative, DoubleBar, FormulaComparison, MixedFit, TieRule


@dataclass(frozen=True, slots=True)
class AnalysisSource:
    """Where items are read: a bank, with the settings and the folder of a workspace where it is that of one."""

    bank: Bank
    settings: Settings
    root: Path | None

    @classmethod
    def of(cls, source: Workspace | Bank) -> AnalysisSource:
        """The source behind what a function was given."""
        if isinstance(source, Workspace):
            return cls(source.bank, source.settings, source.root)
        return cls(source, Settings(), None)


def analyze(source: Workspace | Bank, request: Analyze, services: Services = QUIET) -> Analyzed:
    """What was asked for: the analyses of all paradigms under one model, or a comparison, mixed models, or checks.

    Raises `GapsmithError` where nothing is scored, a paradigm that was named has no items, and for words that nothing has."""
    work = Analyzing(AnalysisSource.of(source), request, services)
    work.look()
    if request.formula:
        fits, models = work.modelled()
        return Analyzed(request, fits=fits, models=models, notes=tuple(work.notes))
    if request.sensitivity:
        return Analyzed(request, checks=work.checked_again(), notes=tuple(work.notes))
    if request.compares:
        return Analyzed(request, comparisons=work.compared(), notes=tuple(work.notes))
    return Analyzed(request, work.analysed(), notes=tuple(work.notes))


class Analyzing:
    """The work on one request for analyses."""

    def __init__(self, source: AnalysisSource, request: AnalysisRequest, services: Services, *, by_word: bool = False) -> None:
        self._bank, self._settings = source.bank, source.settings
        self._request = request
        self._services = services
        self._paradigms = request.paradigm
        selection_of(self._bank, request)
        self.notes: list[str] = []
        """What was said of choices that nobody made."""
        self._analyses: tuple[Analysis, ...] | None = None
        self.unigrams: UnigramTables = slor_tables(source.root, said_or_none(request.unigram), self._note, self._doubt)
        regions = request.regions if isinstance(request, Analyze) else UNSET
        self.options = AnalysisOptions(
            all_items=request.everything,
            dataset=request.dataset[0] if len(request.dataset) == 1 else None,
            design=said_or_none(request.design),
            contrasts=request.contrast,
            # The request knows these words only.
            alternative=cast("Alternative | Literal['expected'] | None", said_or_none(request.alternative)),
            confidence=request.confidence,
            holm=not request.uncorrected,
            permutations=request.permutations,
            seed=request.seed,
            ties=cast("TieRule", request.ties),
            complete=request.complete,
            where=request.where,
            measure=said_or_none(request.measure),
            corrected=request.corrected,
            convention=request.convention,
            by_region=said(regions, True),
            by_word=by_word,
            roles=self._roles(source.root),
        )
        if request.words == "roles":
            roles = self.options.roles
            self._note(f"Words of roles: {'every item has slots' if roles is None else roles.told}.")

    def _roles(self, root: Path | None) -> RoleWords | None:
        if self._request.words != "roles":
            return None
        # Here, since it loads the rules, which most analyses do without.
        from gapsmith.app.role_words import role_words

        return role_words(self._bank, self._request.paradigm, root)

    def _note(self, message: str) -> None:
        if message not in self.notes:
            self.notes.append(message)
            self._services.note(message)

    def _doubt(self, message: str) -> None:
        self.notes.append(message)
        self._services.warn(message)

    def look(self) -> None:
        """Say what others decided that is left out, or put a look at it on record. Raises `BankError` where the approved items are narrowed
        by what they are, which would tell what others decided on single ones."""
        by = [name.strip() for name in self._request.by]
        narrowed = [f"--where {name}={value}" for name, value in self._request.where.items()]
        narrowed += [f"--by {name}" for name in by if name not in AXES]
        for name in self._paradigms or self._bank.paradigms.names():
            if narrowed and not self._request.everything and not self._request.look:
                self._bank.gate.expect_to_tell_items(narrowed[0], ItemFilter(paradigm=name))
            look_or_say(self._bank, ItemFilter(paradigm=name), self._services, look=self._request.look)

    def analysed(self) -> tuple[Analysis, ...]:
        """The analyses under one model, made once, as their reader may see them. Raises `GapsmithError`."""
        return tuple(own.for_reader() for own in self._whole())

    def _whole(self) -> tuple[Analysis, ...]:
        if self._analyses is None:
            self._analyses = self._analyse()
        return self._analyses

    def _analyse(self) -> tuple[Analysis, ...]:
        found = analyze_all(
            self._bank,
            self._paradigms,
            model=self._request.model[0] if self._request.model else None,
            scorer_id=said_or_none(self._request.scorer),
            preferred=preferred_model(self._settings),
            options=self.options,
            unigrams=self.unigrams,
            datasets=self._request.dataset if len(self._request.dataset) > 1 else (),
        )
        for message in found.notes:
            self._note(message)
        for name, problem in found.left_out:
            self._note(f"{name} was left out: {problem.message}")
        return found.analyses

    def compared(self) -> tuple[RunComparison, ...]:
        """A comparison for each paradigm, as its reader may see it; one that nobody named and that cannot be compared is left out, and said.

        Raises `GapsmithError`."""
        from gapsmith.scoring.analysis import compare, corrected_comparisons, read_kinds

        request = self._request
        names = list(self._paradigms or self._bank.paradigms.names())
        if not names:
            raise GapsmithError("There are no items here yet.", hint="Make some with `gapsmith generate` or `gapsmith import`.")
        by = [name.strip() for name in request.by]
        if request.contexts and "context" not in by:
            by.append("context")
        models = models_compared(self._settings, request.model, all_side_by_side="model" in by)
        kinds = None if isinstance(request.kinds, Unset) else read_kinds(request.kinds)
        found: list[RunComparison] = []
        problems: list[GapsmithError] = []
        self._bank.datasets.expect(request.dataset, self._paradigms)
        for name in names:
            there = set(self._bank.items.datasets(name))
            own = [dataset for dataset in request.dataset if dataset in there]
            if request.dataset and not own:
                continue
            try:
                found.append(
                    compare(
                        self._bank,
                        name,
                        models=models,
                        datasets=own,
                        by=by,
                        contexts=list(request.contexts),
                        scorer_id=said_or_none(request.scorer),
                        options=self.options,
                        unigrams=self.unigrams,
                        kinds=kinds,
                    )
                )
            except GapsmithError as error:
                if self._paradigms or len(names) == 1:
                    raise
                problems.append(error)
                self._note(f"{name} was left out: {error.message}")
        if not found:
            if problems:
                raise problems[0]
            raise GapsmithError(f"no item is in data set {' or '.join(request.dataset)}", hint=f"Paradigms: {', '.join(names)}.")
        # What one command tests is one run, whatever paradigm it is of.
        return tuple(
            replace(own, runs=tuple(replace(run, analysis=run.analysis.for_reader()) for run in own.runs))
            for own in corrected_comparisons(found)
        )

    def checked_again(self) -> tuple[Sensitivity, ...]:
        """What each analysis hangs on. Raises `GapsmithError`."""
        from gapsmith.scoring.analysis import sensitivity

        return tuple(
            sensitivity(
                self._bank,
                analysis.paradigm.name,
                scorer_id=analysis.scorer_id,
                options=self.options,
                unigrams=self.unigrams,
            )
            for analysis in self._whole()
        )

    def modelled(self) -> tuple[tuple[MixedFit, ...], tuple[FormulaComparison, ...]]:
        """The mixed models of each paradigm, and, of several formulas, how they compare. A formula that does not fit a paradigm has the
        reason, unless it fits none. Raises `GapsmithError`."""
        from gapsmith.stats import without_fit

        fits: list[MixedFit] = []
        compared: list[FormulaComparison] = []
        problems: list[tuple[str, GapsmithError]] = []
        for analysis in self._whole():
            own: list[MixedFit] = []
            for formula in self._request.formula:
                try:
                    own.append(self._fitted(analysis, formula))
                except GapsmithError as error:
                    problems.append((analysis.paradigm.name, error))
                    own.append(without_fit(formula, error.message))
            fits += own
            if sum(fit.undefined is None for fit in own) > 1:
                compared.append(self._models_compared(analysis, own))
            elif len(own) > 1:
                self._note(f"The models of {analysis.paradigm.name} are not compared: fewer than two of them have a fit.")
        if len(problems) == len(fits):
            raise problems[0][1]
        for name, problem in problems:
            self._note(f"{name} has no mixed model: {problem.message}")
        return tuple(fits), tuple(compared)

    def _models_compared(self, analysis: Analysis, fits: list[MixedFit]) -> FormulaComparison:
        responses = {fit.formula.partition("~")[0].strip() for fit in fits if fit.undefined is None}
        if len(responses) > 1:
            raise ConfigError(
                f"the formulas are of different responses ({', '.join(sorted(responses))}), so their models cannot be compared",
                hint="Ask for them one by one.",
            )
        from gapsmith.scoring.analysis import compare_formulas

        return compare_formulas(fits, self._frame(analysis, fits[0].formula), self._how)

    @property
    def _how(self) -> Modelling:
        return modelling_of(self._request)

    def _fitted(self, analysis: Analysis, formula: str) -> MixedFit:
        from gapsmith.scoring.analysis import columns_of_items, fit_formula

        frame = self._frame(analysis, formula)
        if analysis.by_total_only and (names := columns_of_items(formula, frame)):
            self._bank.gate.expect_to_tell_items(f"--formula with {names[0]}", ItemFilter(paradigm=analysis.paradigm.name))
        return fit_formula(formula, frame, self._how)

    def _frame(self, analysis: Analysis, formula: str) -> ModelFrame:
        from gapsmith.scoring import FrameWish
        from gapsmith.scoring.analysis import item_frame, sentence_frame

        picked = choose(self._bank, analysis.paradigm.name, self.options).picked
        selection = ItemFilter(paradigm=analysis.paradigm.name, ids=tuple(item.id for item in picked))
        if formula.split("~")[0].strip() == CORRECT:
            return item_frame(picked, [analysis], rows=self._request.rows)
        wish = FrameWish(
            scorer=analysis.scorer_id,
            design=self.options.design,
            measures=(self.options.measure or "sum",),
            corrected=self.options.corrected,
            convention=self.options.convention,
        )
        named = not analysis.by_total_only
        return sentence_frame(self._bank, selection, wish, self.unigrams, rows=self._request.rows, named=named)


def modelling_of(request: ModelledBy) -> Modelling:
    """How a request wants formulas read."""
    from gapsmith.scoring.analysis import Modelling

    # The request knows these words only.
    return Modelling(double_bar=cast("DoubleBar", request.double_bar), reduce=said_or_none(request.reduce))
