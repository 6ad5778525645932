"""`gapsmith score`: token surprisals of the items' sentences under a language model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import DatasetOption, JsonOption, ParadigmOption, WorkspaceOption
from gapsmith.templates import COUNT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gapsmith.bank import Bank
    from gapsmith.scoring import ScoreReport, Selected
    from gapsmith.scoring.lm import Engine

SHOWN = 5
"""How many sentences without a value are named."""


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("score")(score)


def score(
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            "-m",
            help="A model of the Hugging Face hub, a directory, or `bundled` (default: `model` of the settings, else gpt2); "
            "with an engine of an installed package, what that one takes (default: its own).",
            show_default=False,
        ),
    ] = None,
    paradigm: ParadigmOption = None,
    dataset: DatasetOption = None,
    everything: Annotated[bool, typer.Option("--all", help="All items, not only the approved ones.")] = False,
    bos: Annotated[bool, typer.Option("--bos/--no-bos", help="Put one beginning-of-sequence token before each sentence.")] = True,
    dtype: Annotated[
        str | None,
        typer.Option("--dtype", help="float32 (default), bfloat16 or float16.", show_default=False),
    ] = None,
    device: Annotated[
        str | None,
        typer.Option("--device", help="auto (default), cpu, cuda, cuda:1, mps.", show_default=False),
    ] = None,
    engine: Annotated[
        str,
        typer.Option(
            "--engine",
            help="tree (what sentences share is computed once), batches, or auto: tree where the model can be run so; or an "
            "engine of an installed package, by its name in `gapsmith doctor`.",
        ),
    ] = "auto",
    place: Annotated[
        str | None,
        typer.Option(
            "--on",
            help="ray: all processors or GPUs of this machine, one model each; ray=ADDRESS: those of a running cluster.",
            show_default=False,
        ),
    ] = None,
    batch_size: Annotated[
        int | None,
        typer.Option(
            "--batch-size",
            parser=given(COUNT),
            help="Sentences per forward pass of batches (default 32).",
            show_default=False,
        ),
    ] = None,
    revision: Annotated[
        list[str] | None,
        typer.Option(
            "--revision",
            help="Commit, tag or branch of a model of the hub; may be given several times, and each is a scorer of its own.",
            show_default=False,
        ),
    ] = None,
    remove_downloads: Annotated[
        bool,
        typer.Option("--remove-downloads", help="Remove each revision that had to be fetched, once it has scored everything."),
    ] = False,
    boundary: Annotated[
        bool,
        typer.Option(
            "--boundary",
            help="Measure the probability of word boundaries too, for `analyze --corrected`; adds to what was scored without.",
        ),
    ] = False,
    critical_only: Annotated[
        bool,
        typer.Option(
            "--critical-only",
            help="Only the words that contrasts and criteria are about: faster; a later run without it adds the rest.",
        ),
    ] = False,
    contexts: Annotated[
        list[str] | None,
        typer.Option(
            "--contexts",
            help="In the contexts of this set too (`gapsmith context`); repeatable.",
            show_default=False,
        ),
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Say how many tokens that is and how long it will take; keep nothing."),
    ] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Score the approved items with a language model: the surprisal of every token, in bits.

    Each distinct sentence is scored once and kept at once. Run it again to go on after a stop: what the same
    model has scored with the same settings is not scored again.
    """
    from dataclasses import asdict

    from gapsmith.app.cli.console import note, print_json
    from gapsmith.app.interrupts import stoppable
    from gapsmith.app.workspace import open_workspace

    with open_workspace(workspace) as ws, stoppable():
        from gapsmith.app.chosen import scoring
        from gapsmith.bank import ItemFilter
        from gapsmith.scoring import FailedScoresError, select_texts
        from gapsmith.scoring.lm import ENGINES, BosPolicy, remove_from_cache, shadows_hub_name
        from gapsmith.templates import ConfigError

        chosen = scoring(ws.settings, model=model, dtype=dtype, device=device, batch_size=batch_size, engine=engine)
        name = chosen.model
        is_ours = ENGINES.is_own(engine)
        if dry_run and not is_ours:
            raise ConfigError(
                f"--dry-run counts tokens, and those of engine {engine} are known only to it",
                hint="Leave --dry-run out.",
            )
        selected = select_texts(
            ws.bank,
            ItemFilter(paradigm=paradigm, dataset=dataset),
            everything=everything,
            critical_only=critical_only,
            contexts=contexts or (),
        )
        if selected.n_outside:
            note(f"{_n(selected.n_outside, 'item')} not in the context set: scored behind nothing only.")
        if is_ours and shadows_hub_name(name):
            note(f"{name} is a directory here, so that is what scores: ./{name}, not the model of this name on the hub.")
        reports = []
        predicted = []
        failures: list[FailedScoresError] = []
        for version in list(dict.fromkeys(revision)) if revision else [None]:
            fetched = remove_downloads and not _is_here(name, version)
            opened = chosen.open(
                revision=version,
                bos=BosPolicy.BOS if bos else BosPolicy.NONE,
                notice=note,
                opener=_opener(place),
            )
            if dry_run:
                from gapsmith.app.predicting import predict

                found = predict(ws.bank, opened, selected, name, boundary=boundary)
                predicted.append(found)
                note(found.in_words)
                continue
            title = f"scoring with {name}{f' {version}' if version else ''}"
            try:
                report = _scored(ws.bank, opened, selected, title, revision=version, boundary=boundary)
            except FailedScoresError as error:
                failures.append(error)
                report = error.report
            reports.append(report)
            for line in as_lines(report):
                note(line)
            if fetched and not failures:
                freed = remove_from_cache(name, opened.revision)
                note(f"removed {name} {version or opened.revision[:12]} from the cache: {freed / 1e6:,.0f} MB")
    if dry_run:
        if as_json:
            print_json([asdict(found) for found in predicted])
        return
    if as_json:
        print_json([as_data(report) for report in reports] if revision and len(revision) > 1 else as_data(reports[0]))
    for failure in failures[:1]:
        raise failure


def _opener(place: str | None) -> Callable[..., Engine]:
    """What opens an engine here, or on Ray."""
    from functools import partial

    from gapsmith.scoring.lm import RayEngine, open_engine
    from gapsmith.templates import ConfigError

    if place is None:
        return open_engine
    kind, _, address = place.partition("=")
    if kind != "ray":
        raise ConfigError(f"there is no place {place!r} to score on", hint="Say --on ray or --on ray=ADDRESS.")
    return partial(RayEngine, address or None)


def _scored(bank: Bank, engine: Engine, selected: Selected, title: str, *, revision: str | None, boundary: bool) -> ScoreReport:
    """Score with a progress bar."""
    from gapsmith.app.cli.console import progress_bar
    from gapsmith.scoring import score_selected

    with progress_bar(title, selected.n_wanted) as bar:
        task = bar.task_ids[0]
        return score_selected(
            bank,
            engine,
            selected,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
            revision=revision,
            boundary=boundary,
        )


def _is_here(name: str, revision: str | None) -> bool:
    """Whether the model need not be fetched."""
    from gapsmith.scoring.lm import ModelNotInReachError, find_source

    try:
        find_source(name, revision=revision, download=False)
    except ModelNotInReachError:
        return False
    return True


def as_data(report: ScoreReport) -> dict[str, object]:
    """The report as JSON takes it."""
    return {
        "scorer": report.scorer_id,
        "model": report.scorer.model,
        "revision": report.scorer.revision,
        "identity": dict(report.scorer.identity),
        "provenance": dict(report.provenance),
        "items": report.n_items,
        "sentences": report.n_sentences,
        "texts": report.n_texts,
        "contexts": report.n_contexts,
        "already_scored": report.n_present,
        "scored_now": report.n_scored,
        "seconds": report.seconds,
        "without_value": [{"text": text, "reason": why} for text, why in report.undefined.items()],
        "partly_without_value": [{"text": text, "reason": why} for text, why in report.partial.items()],
        "failed": [{"text": text, "reason": why} for text, why in report.failed.items()],
    }


def as_lines(report: ScoreReport) -> list[str]:
    """The report in words."""
    scorer = report.scorer
    start = "no BOS" if scorer.bos == "none" else f"BOS {scorer.identity.get('bos_token', '')}".strip()
    if scorer.identity.get("bos_from") == "eos":
        start += " (the end-of-sequence token, since the tokenizer names no other)"
    counted = f"{_n(report.n_items, 'item')}, {_n(report.n_sentences, 'sentence')}, {report.n_texts:,} " + (
        f"behind {_n(report.n_contexts, 'context')} and behind nothing" if report.n_contexts else "of them different"
    )
    done = f"{report.n_scored:,} scored now in {report.seconds:.1f} s, {report.n_present:,} already there"
    # Engines of installed packages need not know of number formats, devices and tokens.
    dtype = [scorer.dtype] if "dtype" in scorer.identity else []
    device = [f"on {report.provenance['device']}"] if "device" in report.provenance else []
    how = [" ".join(dtype + device), start if "bos" in scorer.identity else ""]
    lines = [
        f"{counted}: {done}",
        f"model {', '.join([f'{scorer.model} ({scorer.revision[:19]})', *filter(None, how)])}",
    ]
    lines += _undefined_lines(report.undefined, "without a value")
    lines += _undefined_lines(report.partial, "in which some tokens have no value")
    return lines


def _undefined_lines(found: Mapping[str, str], what: str) -> list[str]:
    """One line where all have the same reason, else the first few of them."""
    if not found:
        return []
    reasons = set(found.values())
    if len(reasons) == 1:
        return [f"{_n(len(found), 'sentence')} {what}: {reasons.pop()}"]
    shown = [f"  {_end(text)!r}: {why}" for text, why in list(found.items())[:SHOWN]]
    more = [f"  and {len(found) - SHOWN:,} more, which --json lists"] if len(found) > SHOWN else []
    return [f"{_n(len(found), 'sentence')} {what}:", *shown, *more]


def _end(text: str) -> str:
    """A text, or the end of what is long with its context."""
    return text if len(text) <= 200 else f"…{text[-200:]}"


def _n(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
