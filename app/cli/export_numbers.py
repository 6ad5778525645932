"""The numbers that `gapsmith export` writes: which table, and in which kind of file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from gapsmith.templates import ConfigError

if TYPE_CHECKING:
    from gapsmith.app.exporting import Exported
    from gapsmith.app.workspace import Workspace
    from gapsmith.bank import ItemFilter
    from gapsmith.scoring import FrameWish
    from gapsmith.scoring.analysis import Analysis, AnalysisOptions
    from gapsmith.scoring.report import NumbersMade

_WITH_CONTEXTS = ("long", "parquet", "differences")
_KINDS = (".csv", ".parquet", ".md", ".tex")


def export_numbers(
    ws: Workspace,
    kind: str,
    selection: ItemFilter,
    wish: FrameWish,
    out: Path | None,
    *,
    corpus: Path | None,
    excel: bool,
    defused: bool,
    formula: str | None,
    by: str | None = None,
) -> Exported:
    """The numbers of that kind, as the ending of `out` wants them written; CSV for stdout. `corpus` is what SLOR's tokens are counted
    in. Raises `GapsmithError`."""
    from gapsmith.app.cli.console import note
    from gapsmith.app.exporting import Exported, finished
    from gapsmith.app.slor import slor_tables
    from gapsmith.scoring.report import make_numbers

    if formula is not None and kind != "r":
        raise ConfigError(
            "--formula is for r",
            hint="`gapsmith export r --formula ... -o FOLDER`; or fit it here: `gapsmith analyze --formula ...`.",
        )
    if wish.contexts and kind not in _WITH_CONTEXTS:
        raise ConfigError(
            f"--contexts is for {', '.join(_WITH_CONTEXTS)}; {kind} are of sentences that nothing stands before",
            hint="Leave --contexts out, or `gapsmith export long --contexts NAME`.",
        )
    if kind == "r":
        return _r(ws, selection, wish, out, corpus, formula or "auto")
    ending = ".parquet" if kind == "parquet" else out.suffix.lower() if out is not None else ".csv"
    if out is not None and kind != "parquet" and ending not in _KINDS:
        raise ConfigError(
            f"{out}: numbers are not written as {ending or 'a file without an ending'}",
            hint=f"Name a file that ends in {', '.join(_KINDS)}.",
        )
    analyses = _analyses(ws, selection, wish, corpus) if kind in ("tests", "items", "conditions") else ()
    found: NumbersMade
    if kind == "differences":
        found = _differences(ws, selection, wish, corpus, by)
    else:
        tables = slor_tables(ws.root, corpus)
        found = make_numbers(kind, ws.bank, selection, wish, analyses=analyses, unigrams=tables)
    for message in found.notes:
        note(message)
    table = found.table
    rows = len(table.rows)
    if ending == ".parquet":
        done = Exported(table.as_parquet(), rows, 0)
    elif ending == ".md":
        done = Exported(table.as_markdown().encode(), rows, 0)
    elif ending == ".tex":
        done = Exported(table.as_latex().encode(), rows, 0)
    else:
        done = finished(table.as_csv().encode(), rows, excel=excel, defused=defused)
    return replace(done, format=kind, versions=found.versions, left_out=found.left_out)


def _r(ws: Workspace, selection: ItemFilter, wish: FrameWish, out: Path | None, corpus: Path | None, formula: str) -> Exported:
    """A folder with ``model.R`` and its data."""
    from gapsmith.app.cli.console import note
    from gapsmith.app.exporting import Exported, write_whole
    from gapsmith.app.slor import slor_tables
    from gapsmith.scoring.analysis import r_material, sentence_frame

    if out is None:
        raise ConfigError("the script and its data are two files", hint="Name a folder for them: -o FOLDER.")
    frame = sentence_frame(ws.bank, selection, wish, slor_tables(ws.root, corpus))
    material = r_material(formula, frame)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"{out}: cannot be made a folder ({error.strerror})", hint="Name another with -o FOLDER.") from None
    write_whole(out / "model.R", material.script.encode())
    write_whole(out / material.data_file, material.data.encode())
    for message in frame.notes:
        note(message)
    note(f"Wrote {out / 'model.R'} and {out / material.data_file}: {material.formula}")
    return Exported(b"", 0, 0, format="r")


def _differences(ws: Workspace, selection: ItemFilter, wish: FrameWish, corpus: Path | None, by: str | None) -> NumbersMade:
    """Every item in two models, revisions, data sets or contexts."""
    from gapsmith.app.cli.console import note
    from gapsmith.app.slor import slor_tables
    from gapsmith.scoring.analysis import AXES, compare
    from gapsmith.scoring.report import NumbersMade, difference_table

    axis = by or ("context" if wish.contexts else "model")
    if axis not in AXES:
        raise ConfigError(f"no item is the same in two values of {axis!r}", hint=f"--by is one of {', '.join(AXES)}.")
    if axis == "dataset" and selection.dataset is not None:
        raise ConfigError(
            f"--dataset {selection.dataset} leaves one data set, and --by dataset holds several against each other",
            hint="Leave one of the two out.",
        )
    assert selection.paradigm is not None
    found = compare(
        ws.bank,
        selection.paradigm,
        models=wish.models,
        by=[axis],
        contexts=wish.contexts,
        options=_options(selection, wish),
        unigrams=slor_tables(ws.root, corpus, note),
        datasets=[selection.dataset] if selection.dataset is not None else (),
    )
    return NumbersMade(difference_table(found), notes=found.notes)


def _options(selection: ItemFilter, wish: FrameWish) -> AnalysisOptions:
    """What the analysis of the selected items is asked for. Raises `ConfigError`."""
    from gapsmith.scoring.analysis import AnalysisOptions

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
        by_region=False,
    )


def _analyses(ws: Workspace, selection: ItemFilter, wish: FrameWish, corpus: Path | None) -> tuple[Analysis, ...]:
    """The analysis of the selected items under each model that scored them, or under the one that is asked for."""
    from gapsmith.app.cli.console import note
    from gapsmith.app.slor import slor_tables
    from gapsmith.bank import find_items
    from gapsmith.scoring import scorers_of
    from gapsmith.scoring.analysis import analyze

    assert selection.paradigm is not None
    options = _options(selection, wish)

    # The analysis takes the approved items whoever asks, and leaves out which these are.
    source = find_items(ws.bank, replace(selection, statuses=(), standing=selection.statuses))
    scorers = scorers_of(ws.bank, source, source.design(wish.design).conditions, wish)
    if not scorers:
        analyze(ws.bank, selection.paradigm, options=options)
    tables = slor_tables(ws.root, corpus, note)
    return tuple(
        analyze(ws.bank, selection.paradigm, scorer_id=scorer_id, options=options, unigrams=tables) for scorer_id in scorers
    )
