"""Scoring the items of a workspace with a language model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

from gapsmith.app.chosen import scoring
from gapsmith.app.predicting import ScoringEstimate, predict
from gapsmith.app.requests.base import said_or_none
from gapsmith.app.requests.measuring import Score
from gapsmith.app.services import QUIET, Services
from gapsmith.app.stages.selecting import selection_of
from gapsmith.app.workspace import Workspace
from gapsmith.bank import Bank, in_frequency
from gapsmith.parsing import cluster_at
from gapsmith.scoring import FailedScoresError, ScoreReport, Selected, score_selected, select_texts
from gapsmith.scoring.lm import (
    ENGINES,
    Engine,
    ModelNotInReachError,
    PhaseTime,
    RayEngine,
    adds_bos,
    find_source,
    measured_phases,
    open_engine,
    phase,
    phase_lines,
    remove_from_cache,
    shadows_hub_name,
)
from gapsmith.templates import BosPolicy, ConfigError, count, find_convention


@dataclass(frozen=True, slots=True)
class Scored:
    """What scoring did, for each revision of the model."""

    request: Score
    reports: tuple[ScoreReport, ...] = ()
    estimates: tuple[ScoringEstimate, ...] = ()
    """Of a dry run."""
    failure: FailedScoresError | None = None
    """Sentences whose computation failed, in this run or an earlier one; all others have values."""
    phases: tuple[PhaseTime, ...] = ()
    """What took how long, where that was asked for; all revisions together. What came before the stage, such as the start of the
    program, is none of it."""

    @property
    def n_scored(self) -> int:
        """How many texts were measured now."""
        return sum(report.n_scored for report in self.reports)

    def __iter__(self) -> Iterator[ScoreReport]:
        return iter(self.reports)

    def __len__(self) -> int:
        return len(self.reports)

    def __getitem__(self, place: int) -> ScoreReport:
        return self.reports[place]


def score(workspace: Workspace, request: Score, services: Services = QUIET) -> Scored:
    """Raises `gapsmith.scoring.FailedScoresError`, whose `report` says what was done, where the computation failed for a sentence, in
    this run or an earlier one, or no sentence has a value; what has values is kept. Raises `ConfigError` for what nobody can do."""
    found = scored(workspace, request, services)
    if found.failure is not None:
        raise found.failure
    return found


def scored(workspace: Workspace, request: Score, services: Services) -> Scored:
    """The same; a failure is in what comes out."""
    if not request.profile:
        return _scored(workspace, request, services)
    with measured_phases() as phases:
        found = replace(_scored(workspace, request, services), phases=phases.times)
    for line in phase_lines(found.phases):
        services.note(line)
    return found


def _scored(workspace: Workspace, request: Score, services: Services) -> Scored:
    chosen = scoring(workspace.settings, request, model=said_or_none(request.model), engine=request.engine)
    is_ours = ENGINES.is_own(request.engine)
    if request.dry_run and not is_ours:
        raise ConfigError(
            f"--dry-run counts tokens, and those of engine {request.engine} are known only to it", hint="Leave --dry-run out."
        )
    opener = _opener(said_or_none(request.on))
    with phase("bank: items and texts"):
        bank, selection = workspace.bank, selection_of(workspace.bank, request)
        # Else tables that have all items would tell by what has no score which of them others approved.
        withheld = not request.everything and bool(bank.gate.hidden(selection))
        if withheld:
            services.note(f"Every item is scored, approved or not: which ones others approved is not told to {bank.reader} yet.")
        selected = select_texts(
            bank,
            selection,
            everything=request.everything or withheld,
            critical_only=request.critical_only,
            contexts=request.contexts,
        )
    if selected.n_outside:
        services.note(f"{count(selected.n_outside, 'item')} not in the context set: scored behind nothing only.")
    if is_ours and shadows_hub_name(chosen.model):
        services.note(
            f"{chosen.model} is a directory here, so that is what scores: ./{chosen.model}, not the model of this name on the hub."
        )
    reports: list[ScoreReport] = []
    estimates: list[ScoringEstimate] = []
    failures: list[FailedScoresError] = []
    for version, policy in product(request.revision or (None,), _policies(request)):
        fetched = request.remove_downloads and not _is_here(chosen.model, version)
        engine = chosen.open(revision=version, bos=policy, notice=services.note, opener=opener)
        if policy is BosPolicy.NONE and request.convention and is_ours and adds_bos(engine):
            services.note(
                f"the tokenizer of {chosen.model} puts a BOS token before every text unasked: so it is for these conventions, too"
            )
            engine = chosen.open(revision=version, bos=BosPolicy.BOS, notice=services.note, opener=opener)
        if request.dry_run:
            estimates.append(predict(workspace.bank, engine, selected, chosen.model, boundary=request.boundary))
            services.note(estimates[-1].in_words)
            continue
        title = f"scoring with {chosen.model}{f' {version}' if version else ''}"
        try:
            report = _shown(workspace.bank, engine, selected, title, services, revision=version, boundary=request.boundary)
        except FailedScoresError as error:
            failures.append(error)
            report = error.report
        reports.append(report)
        for line in in_words(report):
            services.note(line)
        if fetched and not failures:
            freed = remove_from_cache(chosen.model, engine.revision)
            services.note(f"removed {chosen.model} {version or engine.revision[:12]} from the cache: {freed / 1e6:,.0f} MB")
    return Scored(request, tuple(reports), tuple(estimates), failures[0] if failures else None)


def _policies(request: Score) -> tuple[BosPolicy, ...]:
    """How sentences begin, once for each way that is asked for."""
    if not request.convention:
        return (BosPolicy.BOS if request.bos else BosPolicy.NONE,)
    return tuple(dict.fromkeys(find_convention(name).beginning for name in request.convention))


def _opener(place: str | None) -> Callable[..., Engine]:
    """What opens an engine here, or on Ray."""
    if place is None:
        return open_engine
    return partial(RayEngine, cluster_at(place, "score"))


def _shown(
    bank: Bank, engine: Engine, selected: Selected, title: str, services: Services, *, revision: str | None, boundary: bool
) -> ScoreReport:
    with services.progress(title, selected.n_wanted) as advance:
        return score_selected(bank, engine, selected, progress=advance, revision=revision, boundary=boundary)


def _is_here(name: str, revision: str | None) -> bool:
    """Whether the model need not be fetched."""
    try:
        find_source(name, revision=revision, download=False)
    except ModelNotInReachError:
        return False
    return True


SHOWN = 5
"""How many sentences without a value are named."""


def in_words(report: ScoreReport) -> list[str]:
    """The report in words."""
    scorer = report.scorer
    start = "no BOS" if scorer.bos == "none" else f"BOS {scorer.identity.get('bos_token', '')}".strip()
    start += " and a space" if scorer.bos == BosPolicy.SPACE else ""
    if scorer.identity.get("bos_from") == "eos":
        start += " (the end-of-sequence token, since the tokenizer names no other)"
    counted = f"{count(report.n_items, 'item')}, {count(report.n_sentences, 'sentence')}, {report.n_texts:,} " + (
        f"behind {count(report.n_contexts, 'context')} and behind nothing" if report.n_contexts else "of them different"
    )
    done = f"{report.n_scored:,} scored now in {report.seconds:.1f} s, {report.n_present:,} already there"
    # Engines of installed packages need not know of number formats, devices and tokens.
    dtype = [scorer.dtype] if "dtype" in scorer.identity else []
    device = [f"on {report.provenance['device']}"] if "device" in report.provenance else []
    kernel = report.provenance.get("kernel", "default")
    products = [] if kernel == "default" else [f"{kernel} products"]
    how = [" ".join(dtype + device), *products, start if "bos" in scorer.identity else ""]
    lines = [
        f"{counted}: {done}",
        f"model {', '.join([f'{scorer.model} ({scorer.revision[:19]})', *filter(None, how)])}",
    ]
    if because := report.provenance.get("kernel_because"):
        lines.append(f"torch's default products, and not packed ones: {because}")
    if report.unknown:
        words = Counter(word for own in report.unknown.values() for word in own)
        lines.append(
            f"{count(len(report.unknown), 'sentence')} with words that the model does not know, read as"
            f" {scorer.identity.get('unknown')}: {in_frequency(words)}"
        )
    lines += _undefined_lines(report.undefined, "without a value")
    lines += _undefined_lines(report.partial, "in which some tokens have no value")
    return lines


def _undefined_lines(found: Mapping[str, str], what: str) -> list[str]:
    """One line where all have the same reason, else the first few of them."""
    if not found:
        return []
    reasons = set(found.values())
    if len(reasons) == 1:
        return [f"{count(len(found), 'sentence')} {what}: {reasons.pop()}"]
    shown = [f"  {_end(text)!r}: {why}" for text, why in list(found.items())[:SHOWN]]
    more = [f"  and {len(found) - SHOWN:,} more, which --json lists"] if len(found) > SHOWN else []
    return [f"{count(len(found), 'sentence')} {what}:", *shown, *more]


def _end(text: str) -> str:
    """A text, or the end of what is long with its context."""
    return text if len(text) <= 200 else f"…{text[-200:]}"
