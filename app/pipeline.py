"""The stages of the pipeline as functions of an open workspace: what the commands of the same names do, without a terminal.

import gapsmith

with gapsmith.open_workspace("study", create=True) as study:
    gapsmith.generate(study, "embedded_wh", n=40, seed=1)
    gapsmith.lint(study)
    gapsmith.decide(study, policy="clean")
    gapsmith.score(study, "bundled")
    for result in gapsmith.analyze(study, "embedded_wh").contrasts:
        print(result.contrast.name, result.ttest.estimate, result.p)
    table = gapsmith.frame(study, "embedded_wh")
    gapsmith.export(study, "items.csv")
    gapsmith.report(study)
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

from gapsmith.app.workspace import Workspace
from gapsmith.bank import DEFAULT_DATASET, Bank, ItemFilter, ItemStatus, Severity, Verdict
from gapsmith.templates import (
    COUNT,
    DOLLARS,
    NUMBER_IN_BANK,
    PER_MINUTE,
    SEED,
    TEMPERATURE,
    TIMEOUT,
    TOP_P,
    ConfigError,
    Paradigm,
    numbers_checked,
)

if TYPE_CHECKING:
    import pandas

    from gapsmith.app.exporting import Exported, ExportOptions
    from gapsmith.app.reporting import Reported
    from gapsmith.bank import Brought
    from gapsmith.bank.formats import ReadOptions
    from gapsmith.prompts import GenerationOutcome
    from gapsmith.scoring import ScoreReport
    from gapsmith.scoring.analysis import Analysis, AnalysisOptions
    from gapsmith.vetting import Decided, LintReport

E = TypeVar("E", Severity, Verdict)


@numbers_checked
def generate(
    workspace: Workspace,
    paradigm: str | Paradigm,
    n: Annotated[int | None, COUNT] = None,
    *,
    seed: Annotated[int | None, SEED] = None,
    dataset: str = DEFAULT_DATASET,
    everything: bool = False,
    provider: str | None = None,
    model: str | None = None,
    base_url: str | None = None,
    send_key_to: str | None = None,
    temperature: Annotated[float | None, TEMPERATURE] = None,
    top_p: Annotated[float | None, TOP_P] = None,
    tier: str | None = None,
    api: str | None = None,
    extra_body: str | None = None,
    thinking: str | None = None,
    max_output_tokens: Annotated[int | None, COUNT] = None,
    n_per_call: Annotated[int | None, COUNT] = None,
    concurrency: Annotated[int | None, COUNT] = None,
    rpm: Annotated[float | None, PER_MINUTE] = None,
    tpm: Annotated[float | None, PER_MINUTE] = None,
    max_cost: Annotated[float | None, DOLLARS] = None,
    timeout: Annotated[float | None, TIMEOUT] = None,
    free: bool = False,
    prices: str | Path | None = None,
) -> GenerationOutcome:
    """Make items and keep them: `n` of them (40 by default), or with `everything` all that an exhaustive paradigm has.

    The provider ``lexicon``, which is taken where neither you nor the settings name one, combines word lists, offline and for a
    seed always the same; ``gemini`` and ``openai`` ask a model, with the keys of the environment. What you do not say of asking
    it, the settings say: the rest of the arguments are the flags of ``gapsmith generate``. The same call again, or the same
    command, goes on where it stopped. Raises `GapsmithError`.
    """
    from gapsmith.app.chosen import Asking, generation_order
    from gapsmith.app.generation import carry_out
    from gapsmith.prompts import Order, prepare

    asked = Asking(
        provider=provider,
        model=model,
        base_url=base_url,
        send_key_to=send_key_to,
        temperature=temperature,
        top_p=top_p,
        tier=tier,
        api=api,
        extra_body=extra_body,
        thinking=thinking,
        max_output_tokens=max_output_tokens,
        n_per_call=n_per_call,
        concurrency=concurrency,
        rpm=rpm,
        tpm=tpm,
        max_cost=max_cost,
        timeout=timeout,
        free=free,
        prices=_path(prices),
    )
    made_of = workspace.paradigm(paradigm) if isinstance(paradigm, str) else paradigm
    wanted = Order(paradigm=made_of, n=n, everything=everything, seed=seed, dataset=dataset)
    order = generation_order(workspace, wanted, asked)
    prepared = prepare(order, workspace.bank, workspace=workspace.root, environment=os.environ)
    for said in prepared.provider.notes:
        if said.startswith("warning: "):
            # Such as a key that is held back, which the command prints.
            warnings.warn(said.removeprefix("warning: "), stacklevel=3)
    return carry_out(prepared, workspace.bank)


def import_file(
    workspace: Workspace,
    file: str | Path,
    *,
    paradigm: str | None = None,
    dataset: str | None = None,
    update: bool = False,
    our_ids: bool = False,
    format: str | None = None,
    options: ReadOptions | None = None,
) -> Brought:
    """Bring the items of a file in: a suite, pairs, regions, slots, or a table of sentences; CSV, xlsx, JSON, text.

    What it is, is found out, unless `format` or `options` say so; without `paradigm` the one that fits is taken, or one is
    drafted into the workspace's ``paradigms/``. The data set is called after the file unless `dataset` names it. With `update`,
    items that are there get a new revision: found by uid where the file has it, else by ids that are the file's own or, with
    `our_ids`, are said to be this bank's. Raises `GapsmithError` where the file cannot be understood; nothing is
    imported then.
    """
    from gapsmith.bank import ImportOrder, ImportPlace, bring_in
    from gapsmith.bank.formats import ReadOptions

    asked = options or ReadOptions()
    order = ImportOrder(Path(file), paradigm, dataset, update=update, our_ids=our_ids, format=format, options=asked)
    return bring_in(ImportPlace.of(workspace.root, workspace.bank), order)


def lint(workspace: Workspace, paradigm: str | None = None, *, dataset: str | None = None) -> LintReport:
    """Read the items with every rule that the workspace's settings allow, and keep what is found in the bank."""
    from gapsmith.app.chosen import lint_rules
    from gapsmith.vetting import lint_bank
    from gapsmith.vetting.rules import load_knowledge

    rules = lint_rules(workspace.settings)
    return lint_bank(
        workspace.bank,
        ItemFilter(paradigm=paradigm, dataset=dataset),
        knowledge=load_knowledge(workspace.root),
        rules=rules,
        store=not (rules.select or rules.ignore),
    )


def decide(
    workspace: Workspace,
    verdict: str | None = None,
    items: Sequence[str] = (),
    *,
    policy: str | None = None,
    severity: str = "warning",
    by: str | None = None,
    reason: str | None = None,
    comment: str | None = None,
    paradigm: str | None = None,
    dataset: str | None = None,
) -> Decided:
    """Decide on items: either a `verdict` (approve, exclude, flag) on the `items` with these ids, as the person `by` (by default
    the settings' annotator), or ``policy="clean"``, which approves what has been linted without a finding at `severity` or above.

    Raises `ConfigError` where neither or both are given, for an unknown word, and where nobody is named.
    """
    from gapsmith.app.chosen import rulesets
    from gapsmith.app.settings import author_of
    from gapsmith.vetting import decide_by_policy, decide_selected, resolve_labels

    if (verdict is None) == (policy is None):
        raise ConfigError("say what to decide, in one way", hint='A verdict with items, or policy="clean".')
    bank, selection = workspace.bank, ItemFilter(paradigm=paradigm, dataset=dataset)
    if policy is not None:
        if policy != "clean":
            raise ConfigError(f"there is no policy {policy!r}", hint="There is one: clean.")
        worst = _word(Severity, severity)
        return decide_by_policy(bank, selection, severity=worst, rulesets=rulesets(workspace))
    author = author_of(workspace.settings, by)
    if not author:
        raise ConfigError("nobody is named who decides", hint='Say by="your name", or set `annotator` in gapsmith.toml.')
    assert verdict is not None
    chosen = _word(Verdict, verdict)
    ids = resolve_labels(bank, list(items), selection)
    if not ids:
        raise ConfigError("which items?", hint="Give the ids of items. Nothing was decided.")
    return decide_selected(bank, ids, chosen, author=author, reason=reason, comment=comment)


@numbers_checked
def score(
    workspace: Workspace,
    model: str | None = None,
    *,
    revision: str | None = None,
    paradigm: str | None = None,
    dataset: str | None = None,
    everything: bool = False,
    dtype: str | None = None,
    device: str | None = None,
    batch_size: Annotated[int | None, COUNT] = None,
) -> ScoreReport:
    """Measure the surprisal of every token of the approved items (of all of them with `everything`) that is not there yet.

    `model` is a model of the Hugging Face hub, a directory or ``bundled``; by default that of the settings, else gpt2. `dtype`
    (float32), `device` (auto) and `batch_size` are those of the settings, too, where nothing is said. Raises
    `gapsmith.scoring.score_run.FailedScoresError`, which has the report, where the computation failed for a sentence, in this run or an
    earlier one, or no sentence has a value; what has values is kept.
    """
    from gapsmith.app.chosen import scoring
    from gapsmith.scoring import score_selected, select_texts

    selected = select_texts(workspace.bank, ItemFilter(paradigm=paradigm, dataset=dataset), everything=everything)
    chosen = scoring(workspace.settings, model=model, dtype=dtype, device=device, batch_size=batch_size)
    engine = chosen.open(revision=revision)
    return score_selected(workspace.bank, engine, selected, revision=revision)


@numbers_checked
def analyze(
    source: Workspace | Bank,
    paradigm: str,
    *,
    model: str | None = None,
    scorer_id: Annotated[int | None, NUMBER_IN_BANK] = None,
    options: AnalysisOptions | None = None,
    unigram: str | Path | None = None,
) -> Analysis:
    """Every contrast of the paradigm over its approved items under one model: see `gapsmith.scoring.analysis.analyze`. Where neither model
    nor scorer is named, that of the workspace's settings is taken if it has scored any of the items.

    `unigram` is the corpus behind SLOR (`gapsmith.scoring.UnigramTables`); where the table is a stand-in, or lacking, a `UserWarning` and the
    analysis' `notes` say so."""
    from gapsmith.app.slor import slor_tables
    from gapsmith.scoring.analysis import analyze_all

    tables = slor_tables(_root(source), _path(unigram))
    found = analyze_all(
        _bank(source),
        [paradigm],
        model=model,
        scorer_id=scorer_id,
        preferred=_preferred(source),
        options=options,
        unigrams=tables,
    )
    for doubt in tables.doubts:
        # Said of the line that called, not of the check before this function.
        warnings.warn(doubt, stacklevel=3)
    (analysis,) = found.analyses
    return replace(analysis, notes=(*found.notes, *tables.notes))


def frame(
    source: Workspace | Bank,
    paradigm: str | None = None,
    *,
    dataset: str | None = None,
    model: str | None = None,
    measures: Sequence[str] = ("sum",),
    everything: bool = False,
    critical_only: bool = False,
    whole: bool = False,
    corrected: bool = False,
    unigram: str | Path | None = None,
    contexts: Sequence[str] = (),
) -> pandas.DataFrame:
    """The long frame: one row per item, condition, region, model and measure, as `gapsmith export long` writes it.

    The columns are described in docs/analysis.md; `observation` names what a value was computed from, so that
    ``table.query("critical").drop_duplicates(["condition", "observation"])`` has each measurement once. Approved items, or with
    `everything` all of them; every model that measured any of them, or `model`. `critical_only` leaves out the other regions,
    `whole` adds the whole sentence as region ``*``. `contexts` names context sets, whose values follow those of no context.
    `unigram` is the corpus behind SLOR (`gapsmith.scoring.UnigramTables`): ``attrs["notes"]`` of the frame says what was counted, and a
    `UserWarning` where that is a stand-in, or lacking. A frame is of one form: raises `GapsmithError` where no item is approved
    or the items were made with forms whose factors or conditions differ, and `ConfigError` for an unknown paradigm, data set,
    measure or model.
    """
    from gapsmith.app.slor import slor_tables
    from gapsmith.scoring import FrameWish
    from gapsmith.scoring.report import long_frame

    bank = _bank(source)
    selection = _selection(bank, paradigm, dataset, everything=everything)
    wish = FrameWish(
        model=model,
        measures=tuple(measures),
        critical_only=critical_only,
        whole=whole,
        corrected=corrected,
        contexts=tuple(contexts),
    )
    _warn_of_left_out(bank, selection)
    made = long_frame(bank, selection, wish, slor_tables(_root(source), _path(unigram)))
    for doubt in made.doubts:
        warnings.warn(doubt, stacklevel=2)
    table = made.table.as_pandas()
    if made.notes:
        table.attrs["notes"] = list(made.notes)
    return table


def _path(given: str | Path | None) -> Path | None:
    return None if given is None else Path(given)


def _preferred(source: Workspace | Bank) -> str | None:
    """The model of the settings, which a bank by itself has not."""
    from gapsmith.app.chosen import preferred_model

    return preferred_model(source.settings) if isinstance(source, Workspace) else None


def _root(source: Workspace | Bank) -> Path | None:
    """The folder of the workspace, which a bank by itself has not."""
    return source.root if isinstance(source, Workspace) else None


def export(
    source: Workspace | Bank,
    out: str | Path,
    kind: str | None = None,
    *,
    paradigm: str | None = None,
    dataset: str | None = None,
    everything: bool = False,
    design: str | None = None,
    options: ExportOptions | None = None,
) -> Exported:
    """Write the approved items (all of them with `everything`) to the file or folder `out`.

    Approved means: as far as who reads the bank may see; a `UserWarning` says so where what others decided is left out.
    `kind` is a format that ``gapsmith export --help`` names (csv, suite, pcibex, hub, ...); without one the items go out as the
    file that they came from. Numbers are not for here: `frame` gives them, and `analyze` the tests. Raises `GapsmithError`.
    """
    from gapsmith.app.exporting import export as going_out
    from gapsmith.app.exporting import write_whole

    bank, path = _bank(source), Path(out)
    selection = _selection(bank, paradigm, dataset, everything=everything)
    _warn_of_left_out(bank, selection)
    done = going_out(bank, kind, selection, design=design, out=path, options=options)
    if not done.is_folder:
        write_whole(path, done.content)
    return done


def report(
    workspace: Workspace,
    folder: str | Path | None = None,
    paradigms: Sequence[str] = (),
    *,
    model: str | None = None,
    options: AnalysisOptions | None = None,
    unigram: str | Path | None = None,
) -> Reported:
    """Analyse these paradigms, or all that have items, under one model, and write ``report.html``, ``report.md``, figures and a
    page for every item into `folder` (``report/`` in the workspace). `unigram` is as for `analyze`. Raises `GapsmithError`.

    Several models or data sets side by side are for ``gapsmith report``.
    """
    from gapsmith.app.reporting import write_analyses
    from gapsmith.app.slor import slor_tables
    from gapsmith.scoring.analysis import AnalysisOptions, analyze_all

    tables = slor_tables(workspace.root, _path(unigram))
    found = analyze_all(
        workspace.bank,
        paradigms,
        model=model,
        preferred=_preferred(workspace),
        options=options or AnalysisOptions(by_word=True),
        unigrams=tables,
    )
    where = workspace.root / "report" if folder is None else Path(folder)
    for doubt in tables.doubts:
        warnings.warn(doubt, stacklevel=2)
    left_out = [f"{name} was left out: {problem.message}" for name, problem in found.left_out]
    return write_analyses(workspace.bank, found.analyses, where, notes=(*found.notes, *left_out, *tables.notes))


def _selection(bank: Bank, paradigm: str | None, dataset: str | None, *, everything: bool) -> ItemFilter:
    """The approved items, or all of them, of the paradigm or of the only one. Raises `GapsmithError`."""
    from gapsmith.bank import only_paradigm

    name = paradigm or only_paradigm(bank, dataset)
    bank.paradigms.newest(name)
    statuses = () if everything else (ItemStatus.APPROVED,)
    return ItemFilter(paradigm=name, dataset=dataset, statuses=statuses)


def _warn_of_left_out(bank: Bank, selection: ItemFilter) -> None:
    """Say that what others decided is left out, where it is (`gapsmith.bank.seeing`)."""
    how = f" and open it again, or record a look: bank.gate.look(ItemFilter(paradigm={selection.paradigm!r}))"
    if said := bank.gate.left_out(selection, how=how):
        warnings.warn(said, stacklevel=3)


def _bank(source: Workspace | Bank) -> Bank:
    return source.bank if isinstance(source, Workspace) else source


def _word(kind: type[E], word: str) -> E:
    try:
        return kind(word)
    except ValueError:
        raise ConfigError(f"there is no {kind.__name__.lower()} {word!r}", hint=f"There are: {', '.join(kind)}.") from None
