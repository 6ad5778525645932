"""Items and their numbers for other programs: as files, or as a DataFrame."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gapsmith.app.exporting import Exported, citation_of, formats, is_format, write_whole
from gapsmith.app.exporting import export as export_items
from gapsmith.app.requests.base import Unset, said_or_none
from gapsmith.app.requests.outgoing import Export, Framed, MakeFrame
from gapsmith.app.services import QUIET, Services
from gapsmith.app.slor import slor_tables
from gapsmith.app.stages.analysing import AnalysisSource
from gapsmith.app.stages.export_numbers import check_numbers, export_numbers
from gapsmith.app.stages.selecting import selection_of
from gapsmith.app.treebank_export import export_treebank
from gapsmith.app.workspace import Workspace
from gapsmith.bank import Bank, ItemFilter, ItemStatus, Unfinished, only_paradigm, unfinished
from gapsmith.scoring import FrameWish
from gapsmith.scoring.report import NUMBERS, long_frame
from gapsmith.templates import ConfigError, count, listed

if TYPE_CHECKING:
    import pandas

_TREEBANK = "conllu"
GOING_OUT = "that go out"


def export(source: Workspace | Bank, request: Export, services: Services = QUIET, *, keep: bool = True) -> Exported:
    """Write the selected items, or their numbers, to the file or folder `out`; without one, what comes out has the `content`.

    Approved means: as far as who reads the bank may see; a warning says so where what others decided is left out. Raises
    `GapsmithError`; what was there stays then."""
    # Who keeps no table, as the command, needs no memory for one of millions of words.
    kind = said_or_none(request.kind)
    if kind in NUMBERS:
        check_numbers(request)
    elif kind not in (None, _TREEBANK) and not is_format(kind):
        known = dict.fromkeys([*formats(), *NUMBERS, _TREEBANK])
        raise ConfigError(f"there is no format {kind!r}", hint=f"There are: {', '.join(known)}.")
    if not isinstance(request.scorer, Unset) and (kind not in NUMBERS or kind == "decisions"):
        raise ConfigError(
            f"--scorer is for tables of a model's numbers, and {kind or 'the file as it came in'} is none",
            hint=f"Leave it out, or name one of {', '.join(own for own in NUMBERS if own != 'decisions')}.",
        )
    if not isinstance(request.on, Unset) and kind != _TREEBANK:
        raise ConfigError("--on says where sentences are parsed", hint="Leave it out, or export conllu.")
    citation_of(request)
    here = AnalysisSource.of(source)
    if kind is not None and (kind in NUMBERS or kind == _TREEBANK):
        here.bank.gate.expect_to_tell_origins(
            f"export {kind}", "Your own are in `gapsmith annotations decisions --mine`." if kind == "decisions" else ""
        )
    status = said_or_none(request.status) or (None if kind == "decisions" else ItemStatus.APPROVED.value)
    selection = _selected(here.bank, request, ItemStatus(status) if status is not None else None, services)
    if kind == _TREEBANK:
        done = _treebank(here.bank, selection, request, services)
    elif kind is not None and kind in NUMBERS:
        done = export_numbers(here, kind, selection, request, services, keep=keep)
    else:
        done = export_items(here.bank, selection, request)
    if not isinstance(request.out, Unset):
        if not done.is_folder:
            write_whole(request.out, done.content)
        done = replace(done, out=request.out, chosen=kind is not None)
    _tell(done, services, defused=request.defuse)
    return done


def frame(source: Workspace | Bank, request: MakeFrame, services: Services = QUIET) -> pandas.DataFrame:
    """A frame is of one form: raises `GapsmithError` where no item is approved or the items were made with forms whose factors or
    conditions differ, and `ConfigError` for an unknown paradigm, data set, measure or model.

    ``attrs["notes"]`` of the frame says what was counted for SLOR; a warning, where that is a stand-in, or lacking."""
    here = AnalysisSource.of(source)
    here.bank.gate.expect_to_tell_origins("a frame of numbers")
    selection = _selected(here.bank, request, ItemStatus.APPROVED, services)
    wish = FrameWish(
        model=said_or_none(request.model),
        scorer=said_or_none(request.scorer),
        design=said_or_none(request.design),
        measures=request.measure or ("sum",),
        critical_only=request.critical_only,
        whole=request.whole,
        corrected=request.corrected,
        convention=request.convention,
        contexts=request.contexts,
    )
    made = long_frame(here.bank, selection, wish, slor_tables(here.root, said_or_none(request.unigram)))
    for doubt in made.doubts:
        services.warn(doubt)
    table = made.table.as_pandas()
    if made.notes:
        table.attrs["notes"] = list(made.notes)
    return table


def _selected(bank: Bank, request: Framed, status: ItemStatus | None, services: Services) -> ItemFilter:
    """Which items with that status (None: with any), of the paradigm or of the only one; that others' decisions are left out is said.
    Raises `GapsmithError`."""
    dataset = selection_of(bank, request).dataset
    name = said_or_none(request.paradigm) or only_paradigm(bank, dataset)
    bank.paradigms.newest(name)
    statuses = () if request.everything or status is None else (status,)
    # To an annotator, leaving calibration items out would tell which these are.
    in_results = not request.everything and bank.gate.may_tell_calibration
    selection = ItemFilter(paradigm=name, dataset=dataset, statuses=statuses, in_results=in_results)
    wanted = replace(selection, statuses=())
    if n := bank.items.count(replace(wanted, in_results=False)) - bank.items.count(wanted):
        services.note(f"{count(n, 'calibration item')} left out; -d with a data set of nothing else takes them, and --all.")
    if status is ItemStatus.APPROVED and statuses and bank.gate.shared_out and bank.gate.lead == bank.reader:
        # Whoever has shared items out takes what comes out for all that was read.
        waiting = (ItemStatus.PENDING, ItemStatus.FLAGGED, ItemStatus.DISPUTED)
        found = [(n, one.value) for one in waiting if (n := bank.items.count(replace(wanted, statuses=(one,))))]
        if found:
            services.note(
                f"Left out, since nobody has settled them: {listed([f'{n:,} {word}' for n, word in found])}; `gapsmith lab` says whose they are."
            )
    if status in (None, ItemStatus.APPROVED) and (told := unfinished_in(bank, selection).told(GOING_OUT)):
        services.warn(told)
    if request.look:
        if looked := bank.gate.look(selection):
            services.note(f"On record: {bank.reader} has looked at what others said of {count(looked, 'item')}.")
    elif line := bank.gate.left_out(selection):
        # It changes what goes out, which outlives this reading.
        services.warn(line)
    return selection


def unfinished_in(bank: Bank, selection: ItemFilter) -> Unfinished:
    """What of the shares is unread or not locked among which the selected items are."""
    return unfinished(bank, paradigm=selection.paradigm, dataset=selection.dataset, taken=bank.items.ids(selection))


def _treebank(bank: Bank, selection: ItemFilter, request: Export, services: Services) -> Exported:
    made = export_treebank(bank, selection, request.parser, on=said_or_none(request.on), services=services)
    if made.blank:
        services.warn(f"Left out {count(len(made.blank), 'sentence')} without a word: {', '.join(made.blank)}")
    return Exported(made.content, made.sentences, 0, format=_TREEBANK, n_items=made.items)


def _tell(done: Exported, services: Services, *, defused: bool) -> None:
    """What one should know of the file that was written."""
    if done.in_words:
        services.note(done.in_words)
    for said in done.notes:
        services.note(said)
    if done.versions > 1:
        services.note(f"The items were made with {done.versions} versions of the paradigm; each was read with its own.")
    if done.left_out:
        services.warn(
            f"{count(done.left_out, 'sentence')} not in it: the paradigm has no such condition; `gapsmith lint` names them."
        )
    if done.shared_labels:
        stand = "stands" if done.shared_labels == 1 else "stand"
        services.warn(
            f"{count(done.shared_labels, 'id')} {stand} for items of several data sets, which this format does not name; "
            "write one data set with --dataset NAME."
        )
    if done.formulas and not defused:
        services.warn(
            f"{count(done.formulas, 'cell')} would be run as {'a formula' if done.formulas == 1 else 'formulas'} by a "
            "spreadsheet; --defuse puts an apostrophe there."
        )
    if done.unfit:
        does, lacks = ("is", "has") if len(done.unfit) == 1 else ("are", "have")
        labels = ", ".join(done.unfit[:10]) + (" …" if len(done.unfit) > 10 else "")
        services.warn(
            f"{count(len(done.unfit), 'item')} {does} not in it, since {done.format} needs {done.needs}, which "
            f"{'it does' if lacks == 'has' else 'they do'} not have: {labels}"
        )
