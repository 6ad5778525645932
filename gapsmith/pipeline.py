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
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from bank import DEFAULT_DATASET, Bank, ItemFilter, Severity, Verdict
from gapsmith.workspace import Workspace
from templates import Paradigm
from templates.errors import ConfigError

if TYPE_CHECKING:
    import pandas

    from prompts import Outcome
    from scoring.analysis import Analysis, AnalysisOptions
    from scoring.score_run import ScoreReport
    from vetting.decide import Decided
    from vetting.lint_run import LintReport

E = TypeVar("E", Severity, Verdict)


def generate(
    workspace: Workspace,
    paradigm: str | Paradigm,
    n: int | None = None,
    *,
    seed: int | None = None,
    dataset: str = DEFAULT_DATASET,
    provider: str = "lexicon",
    model: str | None = None,
    everything: bool = False,
) -> Outcome:
    """Make items and keep them: `n` of them (40 by default), or with `everything` all that an exhaustive paradigm has.

    The provider ``lexicon`` combines word lists, offline and for a seed always the same; ``gemini`` and ``openai`` ask a model,
    with the keys of the environment. The same call again goes on where it stopped. Raises `GapsmithError`.
    """
    from gapsmith.generation import carry_out
    from prompts import Order, prepare

    order = Order(
        paradigm=workspace.paradigm(paradigm) if isinstance(paradigm, str) else paradigm,
        provider=provider,
        n=n,
        everything=everything,
        model=model,
        seed=seed,
        dataset=dataset,
    )
    prepared = prepare(order, workspace.bank, workspace=workspace.root, environment=os.environ)
    return carry_out(prepared, workspace.bank)


def lint(workspace: Workspace, paradigm: str | None = None, *, dataset: str | None = None) -> LintReport:
    """Read the items with every rule that the workspace's settings allow, and keep what is found in the bank."""
    from vetting.lint_run import lint_bank
    from vetting.rules import RuleSelection, load_knowledge

    rules = RuleSelection().with_settings(workspace.settings.rules)
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
    from vetting.decide import decide_by_policy, decide_selected, resolve_labels
    from vetting.lint_run import stored_ruleset
    from vetting.rules import RuleSelection, load_knowledge

    if (verdict is None) == (policy is None):
        raise ConfigError("say what to decide, in one way", hint='A verdict with items, or policy="clean".')
    bank, selection = workspace.bank, ItemFilter(paradigm=paradigm, dataset=dataset)
    if policy is not None:
        if policy != "clean":
            raise ConfigError(f"there is no policy {policy!r}", hint="There is one: clean.")
        knowledge = load_knowledge(workspace.root)
        rules = RuleSelection().with_settings(workspace.settings.rules)
        rulesets = {name: stored_ruleset(bank, name, rules, knowledge) for name in bank.paradigms.names()}
        return decide_by_policy(bank, selection, severity=_word(Severity, severity), rulesets=rulesets)
    author = by or workspace.settings.annotator
    if not author:
        raise ConfigError(
            "nobody is named who decides", hint='Say by="your name", or set `annotator` in gapsmith.toml.'
        )
    assert verdict is not None
    chosen = _word(Verdict, verdict)
    ids = resolve_labels(bank, list(items), selection)
    if not ids:
        raise ConfigError("which items?", hint="Give the ids of items. Nothing was decided.")
    return decide_selected(bank, ids, chosen, author=author, reason=reason, comment=comment)


def score(
    workspace: Workspace,
    model: str | None = None,
    *,
    revision: str | None = None,
    paradigm: str | None = None,
    dataset: str | None = None,
    everything: bool = False,
    device: str = "auto",
) -> ScoreReport:
    """Measure the surprisal of every token of the approved items (of all of them with `everything`) that is not there yet.

    `model` is a model of the Hugging Face hub, a directory or ``bundled``; by default that of the settings, else gpt2.
    """
    from scoring.lm import open_engine
    from scoring.score_run import score_selected, select_texts

    selected = select_texts(workspace.bank, ItemFilter(paradigm=paradigm, dataset=dataset), everything=everything)
    engine = open_engine(model or workspace.settings.model or "gpt2", revision=revision, device=device)
    return score_selected(workspace.bank, engine, selected, revision=revision)


def analyze(
    source: Workspace | Bank,
    paradigm: str,
    *,
    model: str | None = None,
    scorer_id: int | None = None,
    options: AnalysisOptions | None = None,
) -> Analysis:
    """Every contrast of the paradigm over its approved items under one model: see `scoring.analysis.analyze`."""
    from scoring.analysis import analyze as analyze_bank

    return analyze_bank(_bank(source), paradigm, model=model, scorer_id=scorer_id, options=options)


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
    `unigram` is the corpus behind SLOR (`gapsmith.unigrams`). A frame is of one
    form: raises `GapsmithError` where no item is approved or the items were made with forms whose factors or conditions differ,
    and `ConfigError` for an unknown paradigm, data set, measure or model.
    """
    from bank import ItemStatus
    from gapsmith.cli.export import only_paradigm
    from gapsmith.export_source import nothing_selected
    from gapsmith.number_exports import FrameWish, long_frame

    bank = _bank(source)
    names = bank.paradigms.names()
    if paradigm is None and len(names) > 1:
        raise ConfigError(
            f"the bank has items of {len(names)} paradigms", hint=f"Name one of them: {', '.join(names)}."
        )
    name = paradigm or only_paradigm(names)
    if name not in names:
        raise ConfigError(
            f"there are no items of {name!r}", hint=f"Paradigms with items: {', '.join(names) or 'none'}."
        )
    statuses = () if everything else (ItemStatus.APPROVED,)
    selection = ItemFilter(paradigm=name, dataset=dataset, statuses=statuses)
    if not bank.items.ids(selection):
        raise nothing_selected(
            bank, selection, "Approve items with gapsmith.decide, or take all of them with everything=True."
        )
    wish = FrameWish(
        model=model, measures=tuple(measures), critical_only=critical_only, whole=whole, corrected=corrected,
        corpus=None if unigram is None else Path(unigram), contexts=tuple(contexts),
    )  # fmt: skip
    return long_frame(bank, selection, wish).table.as_pandas()


def _bank(source: Workspace | Bank) -> Bank:
    return source.bank if isinstance(source, Workspace) else source


def _word(kind: type[E], word: str) -> E:
    try:
        return kind(word)
    except ValueError:
        raise ConfigError(
            f"there is no {kind.__name__.lower()} {word!r}", hint=f"There are: {', '.join(kind)}."
        ) from None
