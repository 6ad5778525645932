"""`gapsmith import`: which paradigm a file's sentences are of, and a new one where none fits."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gapsmith.app.workspace import BANK
from gapsmith.bank import (
    Bank,
    Current,
    Fit,
    Imported,
    ItemFilter,
    NewItems,
    Unread,
    best_fit,
    fit_set,
    has_just_these,
    import_set,
    other_gaps,
    predictions_beyond,
)
from gapsmith.bank.formats import BAD, GOOD, RECORDS, ForeignSet, ReadOptions, draft_paradigm, slug
from gapsmith.templates import (
    ConfigError,
    FormatError,
    GapsmithError,
    Paradigm,
    ParadigmError,
    first_of,
    load_paradigm,
    paradigm_files,
    parse_paradigm,
)

_LABELS = 12
"""So many labels are said with their conditions."""


@dataclass(frozen=True, slots=True)
class Brought:
    """What came in from a file."""

    paradigm: Paradigm
    dataset: str
    imported: Imported
    notes: tuple[str, ...]
    """What the file was taken for, and what a person should look at."""
    unread: tuple[Unread, ...]
    """Sentences that do not read back, each with its reason."""


@dataclass(frozen=True, slots=True)
class ParadigmChoice:
    """The paradigm that a file's items will be of."""

    fit: Fit
    drafted: str | None = None
    """The text of its file, where it is a new one that has to be written."""
    notes: tuple[str, ...] = ()
    """What to tell of how it was chosen."""
    to_do: tuple[str, ...] = ()
    """What a person should look at: in a new one, or in the file's predictions."""

    def write_draft(self) -> Path | None:
        """Write the new paradigm's file; None where there is none to write. Raises `ConfigError` where one has come there."""
        if self.drafted is None:
            return None
        path = Path(self.fit.paradigm.path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8") as stream:
                stream.write(self.drafted)
        except FileExistsError:
            raise ConfigError(f"{path}: came into being just now", hint="Run the same command again.") from None
        except OSError as error:
            raise ConfigError(f"{path}: cannot be written ({error.strerror})", hint="Nothing was imported.") from None
        return path


def choose_paradigm(
    found: ForeignSet, root: Path, name: str | None, file: str, *, dataset: str | None = None, update: bool = False
) -> ParadigmChoice:
    """The paradigm of that name; else, with `update`, the one that the data set is of; else the one that every row names in its
    column `sentence_type`; else the one among the workspace's and the shipped ones whose words make the sentences; else one
    drafted for the workspace in `root`.

    One without words of its own, such as a draft, takes a file only where it is named, and where the same regions are empty in
    the same conditions as in its items. Raises `FormatError` where a named one does not have what the file names or has other
    gaps, where a new one would make a second data set of that name, and for slots of none."""
    if name is not None:
        return _chosen(found, _named(found, load_paradigm(name, root), root, file))
    if update and dataset is not None and (bound := _paradigm_of(root, dataset)) is not None:
        fit = _named(found, bound, root, file)
        return _chosen(found, fit, f"taken for items of {bound.name}, of which data set {dataset} is")
    reasons: list[str] = []
    kind = found.only_type
    if kind is not None and kind in paradigm_files(root):
        named = load_paradigm(kind, root)
        # The members of a pair are called good and bad whatever they are sentences of.
        if not _is_pairs(found) or named.resolve_label(GOOD) is not None:
            of_column = fit_set(found, named, file)
            if not (other := _other_gaps(found, of_column, root)):
                return _chosen(found, of_column, _taken(named, "as all rows say in the column sentence_type"))
            reasons.append(_not_taken(named, other))
    notes: list[str] = []
    kept = _kept_in_bank(root)
    candidates = list(_candidates(root, kept, notes))
    best, why = best_fit(found, candidates, file)
    if best is not None:
        return _chosen(found, best, *notes, _taken(best.paradigm, *why))
    if not found.conditions:
        raise FormatError(
            f"{file}: {why[0]}" if why else f"{file}: holds slots that are those of no paradigm here",
            hint="Name the paradigm with --paradigm to see what does not fit. Nothing was imported.",
        )
    reasons += why
    if (before := _as_before(found, root, kept, file)) is not None:
        return _chosen(found, before, *notes, f"taken for items of {before.paradigm.name}, as before")
    given = [has_just_these(found, one, file) for one in candidates if one.given]
    alike = [fit for fit in given if fit is not None]
    if _is_pairs(found):
        stem = _stem(found)
        ours = next((one for one in reversed(alike) if re.fullmatch(rf"{stem}(_\d+)?", one.paradigm.name)), None)
        if ours is not None:
            # It is named after no file, and measures whole sentences, or the word at which the members part.
            return _chosen(found, ours, *notes, _taken(ours.paradigm, "the paradigm of minimal pairs of all files"))
    if dataset is not None:
        _expect_other_dataset(root, dataset, alike, file)
    for like in alike:
        one = like.paradigm
        if other := _other_gaps(found, like, root):
            reasons.append(_not_taken(one, other))
        else:
            what = "conditions and regions" if like.regions else "conditions"
            reasons.append(f"{one.name} has these {what} too, and is taken only where it is named: --paradigm {one.name}")
    return _drafted(found, root, kept, file, (*notes, *reasons))


def _drafted(
    found: ForeignSet, root: Path, kept: Mapping[str, Current | None], file: str, notes: Sequence[str]
) -> ParadigmChoice:
    """A new paradigm for the file. Raises `FormatError` where none can be made of it."""
    draft = draft_paradigm(_titled(found), name=_free_name(found, root, kept), file=Path(file).name)
    path = root / "paradigms" / f"{draft.name}.toml"
    try:
        paradigm = parse_paradigm(draft.text, path=str(path))
    except ParadigmError as error:
        # The draft is not written, so nobody can look up a line of it.
        what = re.sub(rf"^{re.escape(str(path))}(, line \d+)?: ", "", error.message)
        raise FormatError(
            f"{file}: no paradigm can be drafted for it: {what}",
            hint=f"Change that in the file; or have `gapsmith paradigm draft {shlex.quote(file)} -o mine.toml` write "
            "the paradigm, correct it (docs/paradigms.md) and name it with --paradigm. Nothing was imported.",
        ) from None
    fit = Fit(paradigm, draft.conditions, draft.regions, paradigm.designs[0])
    said = f"no paradigm here is taken for them, so paradigms/{draft.name}.toml is drafted"
    to_do = tuple(f"paradigms/{draft.name}.toml, {note}" for note in draft.notes)
    return ParadigmChoice(fit, draft.text, (*notes, said, *_labels(fit)), to_do)


def _named(found: ForeignSet, paradigm: Paradigm, root: Path, file: str) -> Fit:
    """How the file's labels are those of a paradigm that somebody named. Raises `FormatError` where its gaps lie elsewhere."""
    fit = fit_set(found, paradigm, file)
    if other := _other_gaps(found, fit, root):
        raise FormatError(
            f"{file}: {_not_taken(paradigm, other)}",
            hint="In a paradigm of their own these items are measured where their own gap is: import the file without --paradigm "
            "and --update, into a data set of another name. Nothing was imported.",
        )
    return fit


def _not_taken(paradigm: Paradigm, other: Sequence[str]) -> str:
    more = f", and {len(other) - 2} more" if len(other) > 2 else ""
    return f"its gaps lie elsewhere than those of the items of {paradigm.name}: {'; '.join(other[:2])}{more}"


def _other_gaps(found: ForeignSet, fit: Fit, root: Path) -> list[str]:
    """Where the file has other gaps than the items of a paradigm without words of its own; for others the words decide."""
    if not fit.paradigm.given or not fit.regions or not (root / BANK).is_file() or _is_pairs(found):
        return []
    with Bank.open(root / BANK) as bank:
        if fit.paradigm.name not in bank.paradigms.names():
            return []
        items = bank.items.iterate(ItemFilter(paradigm=fit.paradigm.name))
        return other_gaps(found, fit, (item.sentences for item in items))


def _paradigm_of(root: Path, dataset: str) -> Paradigm | None:
    """The paradigm that a data set is of; None where there is no such data set. Raises `BankError` for several of that name."""
    if not (root / BANK).is_file():
        return None
    with Bank.open(root / BANK) as bank:
        if not any(one.name == dataset for one in bank.datasets.all()):
            return None
        return bank.paradigms.current(bank.datasets.find(dataset).paradigm).paradigm


def _expect_other_dataset(root: Path, dataset: str, alike: Sequence[Fit], file: str) -> None:
    """Refuse a new paradigm for a data set that is there, of one that could have been meant."""
    if not alike or not (root / BANK).is_file():
        return
    with Bank.open(root / BANK) as bank:
        homes = [one.paradigm for one in bank.datasets.all() if one.name == dataset]
    if home := next((fit.paradigm.name for fit in alike if fit.paradigm.name in homes), None):
        raise FormatError(
            f"{file}: data set {dataset!r} is there already, of {home}, which has the conditions and regions of this file",
            hint=f"--update, if the file is that data set corrected; --paradigm {home}, if its items go beside those; "
            "--dataset NAME, if it is another set. Nothing was imported.",
        )


def _chosen(found: ForeignSet, fit: Fit, *notes: str) -> ParadigmChoice:
    """A paradigm that is there, with what the file says beyond it: predictions of its own are kept for the export only."""
    to_do: list[str] = []
    missing = [c.name for c in fit.paradigm.conditions if c.name not in fit.conditions.values()]
    if fit.paradigm.given and missing:
        to_do.append(f"the file has no sentence in {', '.join(missing)} of {fit.paradigm.name}")
    for prediction in predictions_beyond(found, fit):
        if prediction.formula is None:
            to_do.append(f"{prediction.name} of the file is left out: {prediction.why}")
        else:
            said = f"{prediction.formula} by {prediction.measure}"
            to_do.append(f"{prediction.name} of the file is none of {fit.paradigm.name}, and not tested: {said}")
    return ParadigmChoice(fit, None, (*notes, *_labels(fit)), tuple(to_do))


def _labels(fit: Fit) -> list[str]:
    """What the file's labels were taken for, where they are not the names of the conditions."""
    said = [f"{label} is {name}" for label, name in fit.conditions.items() if label != name]
    return [f"labels: {first_of(said, _LABELS)}"] if said else []


def keep(
    bank: Bank,
    found: ForeignSet,
    choice: ParadigmChoice,
    made: NewItems,
    *,
    file: str,
    dataset: str,
    said: Mapping[str, object],
    update: bool = False,
    our_ids: bool = False,
    progress: Callable[[int], None] = lambda _: None,
) -> Imported:
    """Store the items, and the drafted paradigm's file with them or not at all. Raises `GapsmithError`."""
    drafted = choice.write_draft()
    try:
        return import_set(
            bank,
            found,
            choice.fit,
            made.items,
            file=file,
            dataset=dataset,
            said=said,
            update=update,
            our_ids=our_ids,
            progress=progress,
        )
    except BaseException:
        if drafted is not None and choice.fit.paradigm.name not in bank.paradigms.names():
            drafted.unlink(missing_ok=True)
        raise


def said_of(options: ReadOptions, format: str | None) -> dict[str, object]:
    """What the user said of the file, as the run keeps it."""
    return {
        "as": format,
        "encoding": options.encoding,
        "sheet": options.sheet,
        "first": options.first,
        "attributes": list(options.attributes),
        "regions": list(options.regions),
        "condition_columns": list(options.condition_columns),
    }


def _taken(paradigm: Paradigm, why: str) -> str:
    title = f" ({paradigm.title})" if paradigm.title != paradigm.name else ""
    return f"taken for items of {paradigm.name}{title}: {why}; --paradigm names another one"


def _candidates(root: Path, kept: Mapping[str, Current | None], notes: list[str]) -> Iterator[Paradigm]:
    # A file of the same kind again is of the paradigm that the first one was of, though that one's file be gone.
    yield from (current.paradigm for current in kept.values() if current is not None and current.where == "bank")
    for name in paradigm_files(root):
        try:
            yield load_paradigm(name, root)
        except ParadigmError as error:
            notes.append(f"paradigm {name} cannot be read and is not tried: {error.message}")


def _is_pairs(found: ForeignSet) -> bool:
    """Whether it holds minimal pairs, in regions, if any, that say where their members part."""
    if set(found.conditions) != {GOOD, BAD} or found.predictions:
        return False
    return not found.regions or found.shape == RECORDS


def _titled(found: ForeignSet) -> ForeignSet:
    # Pairs of all files are of one paradigm, which is named after none of them.
    return replace(found, name="Minimal pairs") if _is_pairs(found) else found


def _stem(found: ForeignSet) -> str:
    stem = slug(_titled(found).name, set()) or "drafted"
    return f"{stem}_with_regions" if _is_pairs(found) and found.regions else stem


def _free_name(found: ForeignSet, root: Path, kept: Iterable[str]) -> str:
    stem = _stem(found)
    # Items and results are kept by the name inside a file, also where the file is gone.
    taken = {*paradigm_files(root), *(path.stem for path in (root / "paradigms").glob("*.toml")), *kept}
    return slug(stem, taken)


def _as_before(found: ForeignSet, root: Path, kept: Mapping[str, Current | None], file: str) -> Fit | None:
    """The paradigm without words of its own that this very file came in with, where it still has what the file names: a draft
    whose predictions were edited since is no reason for another one."""
    if not kept:
        return None
    with Bank.open(root / BANK) as bank:
        runs = [run for run in bank.runs.all() if run.kind == "import" and run.parameters.get("sha256") == found.digest]
    current = kept.get(runs[-1].paradigm) if runs else None
    if current is None or not current.paradigm.given:
        return None
    try:
        return fit_set(found, current.paradigm, file)
    except GapsmithError:
        return None


def _kept_in_bank(root: Path) -> dict[str, Current | None]:
    """The paradigms that the workspace has items of, as they stand today; None for one that cannot be read."""
    found: dict[str, Current | None] = {}
    if (root / BANK).is_file():
        with Bank.open(root / BANK) as bank:
            for name in bank.paradigms.names():
                try:
                    found[name] = bank.paradigms.current(name)
                except GapsmithError:
                    found[name] = None
    return found
