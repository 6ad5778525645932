"""The numbers that `gapsmith export` writes: which table, and in which kind of file."""

from __future__ import annotations

import io
import time
from dataclasses import replace
from pathlib import Path

from gapsmith.app.exporting import Exported, finished, write_whole
from gapsmith.app.r_check import check_contrasts_in_r, check_in_r
from gapsmith.app.requests.base import UNSET, Unset, said_or_none
from gapsmith.app.requests.outgoing import Export
from gapsmith.app.services import Services
from gapsmith.app.slor import slor_tables
from gapsmith.app.stages.analysing import AnalysisSource, modelling_of
from gapsmith.bank import ItemFilter, find_items, request_line
from gapsmith.scoring import FrameWish, expect_to_tell_scored, scorers_of, scorers_to_tell
from gapsmith.scoring.analysis import (
    AXES,
    Analysis,
    AnalysisOptions,
    TestsForR,
    analyze,
    compare,
    corrected_together,
    fit_formula,
    n_variances,
    r_material,
    sentence_frame,
    tests_for_r,
)
from gapsmith.scoring.report import NumbersMade, difference_table, make_numbers
from gapsmith.templates import ConfigError, listed

_WITH_CONTEXTS = ("long", "parquet", "differences")
_MANY_VARIANCES = 20
"""From about here on a fit takes a minute or more, and R, which tries many more places, several times as long."""
_KINDS = (".csv", ".parquet", ".md", ".tex")


def check_numbers(request: Export) -> None:
    """Refuse what tables of numbers cannot be asked for. Raises `ConfigError`."""
    kind = said_or_none(request.kind)
    if len(request.model) > 1 and kind != "differences":
        raise ConfigError(
            f"several models are for differences, not for {kind}",
            hint="Name one with --model, or leave it out for all of them.",
        )
    if request.formula is not UNSET and kind != "r":
        raise ConfigError(
            "--formula is for r",
            hint="`gapsmith export r --formula ... -o FOLDER`; or fit it here: `gapsmith analyze --formula ...`.",
        )
    if request.checked and kind != "r":
        raise ConfigError("--check is for r", hint="`gapsmith export r --check -o FOLDER`.")
    if request.check_minutes != 10.0 and not request.checked:
        raise ConfigError("--check-minutes belongs to --check", hint="`gapsmith export r --check -o FOLDER`.")
    if request.contexts and kind not in _WITH_CONTEXTS:
        raise ConfigError(
            f"--contexts is for {', '.join(_WITH_CONTEXTS)}; {kind} are of sentences that nothing stands before",
            hint="Leave --contexts out, or `gapsmith export long --contexts NAME`.",
        )
    if kind == "r" and request.out is UNSET:
        raise ConfigError("the script and its data are two files", hint="Name a folder for them: -o FOLDER.")
    _ending(request)


def _ending(request: Export) -> str:
    """In which kind of file a table goes out. Raises `ConfigError`."""
    if request.kind in ("r", "parquet"):
        return ".parquet"
    if isinstance(request.out, Unset):
        return ".csv"
    ending = request.out.suffix.lower()
    if ending not in _KINDS:
        raise ConfigError(
            f"{request.out}: numbers are not written as {ending or 'a file without an ending'}",
            hint=f"Name a file that ends in {', '.join(_KINDS)}.",
        )
    return ending


_BY_ITEM = ("items", "differences", "r")
"""What has a row for each of the items that everybody's decisions approve; other tables have those that the reader may see approved."""


def export_numbers(
    source: AnalysisSource, kind: str, selection: ItemFilter, request: Export, services: Services, *, keep: bool
) -> Exported:
    """The numbers of that kind, as the ending of `out` wants them written; CSV for stdout. `keep` says whether somebody will ask for the
    table itself. Raises `GapsmithError`."""
    wish = FrameWish(
        model=next(iter(request.model), None),
        models=request.model,
        scorer=said_or_none(request.scorer),
        design=said_or_none(request.design),
        measures=request.measure,
        critical_only=request.critical_only,
        whole=request.whole,
        corrected=request.corrected,
        convention=request.convention,
        contexts=request.contexts,
        holm=not request.uncorrected,
    )
    corpus = said_or_none(request.unigram)
    if kind in _BY_ITEM and selection.statuses:
        source.bank.gate.expect_to_tell_items(f"export {kind}", replace(selection, statuses=()))
    if kind == "r":
        return _r(source, selection, wish, request, services)
    ending = _ending(request)
    analyses = _analyses(source, selection, wish, corpus, services) if kind in ("tests", "items", "conditions") else ()
    found: NumbersMade
    if kind == "differences":
        found = _differences(source, selection, wish, request, services, keep=keep)
    else:
        tables = slor_tables(source.root, corpus)
        found = make_numbers(kind, source.bank, selection, wish, analyses=analyses, unigrams=tables, keep=keep)
    for message in found.notes:
        services.note(message)
    table = found.table
    if ending == ".csv":
        with io.BytesIO() as held, io.TextIOWrapper(held, encoding="utf-8", newline="") as stream:
            rows = table.write_csv(stream)
            stream.flush()
            content = held.getvalue()
        done = finished(content, rows, excel=request.excel, defused=request.defuse)
    elif ending == ".parquet":
        done = Exported(table.as_parquet(), len(table.rows), 0)
    else:
        text = table.as_markdown() if ending == ".md" else table.as_latex()
        done = Exported(text.encode(), len(table.rows), 0)
    return replace(done, format=kind, table=table if keep else None, versions=found.versions, left_out=found.left_out)


def _r(source: AnalysisSource, selection: ItemFilter, wish: FrameWish, request: Export, services: Services) -> Exported:
    """A folder with ``model.R`` and its data."""
    assert isinstance(request.out, Path)
    out = request.out
    formula = said_or_none(request.formula) or "auto"
    frame = sentence_frame(
        source.bank, selection, wish, slor_tables(source.root, said_or_none(request.unigram)), rows=request.rows
    )
    expect_to_tell_scored(source.bank, [] if frame.scorer is None else [frame.scorer], selection, "export r")
    how = modelling_of(request)
    for message in frame.notes:
        services.note(message)
    tests = _tests_for_r(source, selection, wish, frame.scorer, said_or_none(request.unigram), services)
    fit = None
    if request.checked or how.reduces(formula):
        if (variances := n_variances(formula, frame, how)) > _MANY_VARIANCES:
            services.note(
                f"The model has {variances} variances over {len(frame.columns['value']):,} rows: fitting it takes minutes; --formula names a "
                "smaller one."
            )
        began = time.monotonic()
        fit = fit_formula(formula, frame, how)
        took = time.monotonic() - began
    material = r_material(formula, frame, how, fit)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"{out}: cannot be made a folder ({error.strerror})", hint="Name another with -o FOLDER.") from None
    about = f"# {material.response} is {frame.about}.\n"
    write_whole(out / "model.R", f"{_comment()}{about}{material.script}".encode())
    write_whole(out / material.data_file, material.data.encode())
    services.note(f"Wrote {out / 'model.R'} and {out / material.data_file}: {material.formula}")
    services.note(f"{material.response} there is {frame.about}.")
    if tests.material is not None:
        write_whole(out / "contrasts.R", f"{_comment()}{tests.material.script}".encode())
        write_whole(out / tests.material.data_file, tests.material.data.encode())
        services.note(
            f"Wrote {out / 'contrasts.R'} and {out / tests.material.data_file}: the report's tests of {listed(list(tests.tests))}, "
            "each by its own measure."
        )
    if tests.left_out:
        services.note(f"Not in {out / 'contrasts.R'}: {listed(tests.left_out)}.")
    if fit is not None and request.checked:
        if tests.material is not None:
            services.note(check_contrasts_in_r(out, tests.tests, request.check_minutes))
        services.note(
            f"R fits model.R now, for {request.check_minutes:g} minutes at most (--check-minutes); here it took {took:.0f} s."
        )
        found = check_in_r(out, fit, request.check_minutes)
        services.note(found.said)
        if found.log_likelihood < found.ours - 1e-3:
            services.warn("R's search stopped lower than the one here; its estimates are those of another place.")
    return Exported(b"", 0, 0, format="r")


def _tests_for_r(
    source: AnalysisSource,
    selection: ItemFilter,
    wish: FrameWish,
    scorer: int | None,
    corpus: Path | None,
    services: Services,
) -> TestsForR:
    """The tests of the report for the same scorer; none, with the reason, for items that no report is about."""
    try:
        (analysis,) = _analyses(source, selection, replace(wish, model=None, scorer=scorer), corpus, services)
    except ConfigError as error:
        return TestsForR(None, {}, (f"the contrasts, since {error.message}",))
    return tests_for_r(analysis)


def _comment() -> str:
    return f"# {said}\n" if (said := request_line()) else ""


def _differences(
    source: AnalysisSource, selection: ItemFilter, wish: FrameWish, request: Export, services: Services, *, keep: bool
) -> NumbersMade:
    """Every item in two models, revisions, data sets or contexts."""
    axis = said_or_none(request.by) or ("context" if wish.contexts else "model")
    if axis not in AXES:
        raise ConfigError(f"no item is the same in two values of {axis!r}", hint=f"--by is one of {', '.join(AXES)}.")
    if axis == "dataset" and selection.dataset is not None:
        raise ConfigError(
            f"--dataset {selection.dataset} leaves one data set, and --by dataset holds several against each other",
            hint="Leave one of the two out.",
        )
    assert selection.paradigm is not None
    found = compare(
        source.bank,
        selection.paradigm,
        models=wish.models,
        scorer_id=wish.scorer,
        by=[axis],
        contexts=wish.contexts,
        options=_options(selection, wish),
        unigrams=slor_tables(source.root, said_or_none(request.unigram), services.note),
        datasets=[selection.dataset] if selection.dataset is not None else (),
    )
    return NumbersMade(difference_table(found, keep=keep), notes=found.notes)


def _options(selection: ItemFilter, wish: FrameWish) -> AnalysisOptions:
    """What the analysis of the selected items is asked for. Raises `ConfigError`."""
    if selection.statuses and [status.value for status in selection.statuses] != ["approved"]:
        raise ConfigError("the analysis is of approved items or of all", hint="Leave --status out, or say --all.")
    if len(wish.measures) > 1:
        raise ConfigError(
            f"{', '.join(wish.measures)} are several measures, and a test is of one",
            hint="Name one with --measure, or none: then each contrast and criterion keeps its own.",
        )
    return AnalysisOptions(
        all_items=not selection.statuses,
        dataset=selection.dataset,
        design=wish.design,
        holm=wish.holm,
        measure=next(iter(wish.measures), None),
        corrected=wish.corrected,
        convention=wish.convention,
        by_region=False,
    )


def _analyses(
    source: AnalysisSource, selection: ItemFilter, wish: FrameWish, corpus: Path | None, services: Services
) -> tuple[Analysis, ...]:
    """The analysis of the selected items under each model that scored them, or under the one that is asked for."""
    assert selection.paradigm is not None
    options = _options(selection, wish)

    # The analysis takes the approved items whoever asks, and leaves out which these are.
    items = find_items(source.bank, replace(selection, statuses=(), standing=selection.statuses))
    scorers = scorers_of(source.bank, items, items.design(wish.design).conditions, wish)
    if not scorers:
        analyze(source.bank, selection.paradigm, options=options)
    if options.all_items:
        scorers, withheld = scorers_to_tell(source.bank, scorers, selection, "--all")
        for line in withheld:
            services.note(line)
    tables = slor_tables(source.root, corpus, services.note)
    found = [analyze(source.bank, selection.paradigm, scorer_id=one, options=options, unigrams=tables) for one in scorers]
    return corrected_together(found)
