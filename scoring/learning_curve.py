"""Accuracy on the items of a bank while a model is trained: an evaluation hook for `training`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from gapsmith.bank import Bank, ItemFilter, PassingFolder, snapshot
from gapsmith.scoring.analysis.results import AnalysisOptions
from gapsmith.scoring.analysis.run import analyze
from gapsmith.scoring.lm import open_engine
from gapsmith.scoring.score_run import FailedScoresError, score_selected, select_texts

Hook = Callable[[Path], Mapping[str, float | None]]


@contextmanager
def accuracy_by_step(
    bank_file: Path,
    names: Sequence[str],
    *,
    everything: bool = False,
    device: str = "auto",
    say: Callable[[str], None] = lambda _: None,
) -> Iterator[Hook]:
    """A hook that scores a checkpoint on the items of paradigms or data sets and gives each contrast's share of items as expected, and
    each criterion's share of items for which it holds. `names` are those of paradigms, or else of data sets.

    The items are those the bank has now, approved ones unless `everything`; they are read from a copy, so that scores of
    checkpoints do not fill the bank. Where a checkpoint's scores fail, what follows from them is undefined, and `say` is told
    why: training goes on. It is told, too, for how many items a contrast has no value, and why. Raises `NothingToScoreError` at once
    where there is no such item, and `BankError` for a name that the bank does not have.
    """
    with PassingFolder() as folder, Bank.open(snapshot(bank_file, folder)) as bank:
        parts = [part for name in names for part in _parts(bank, name)]
        for part in parts:
            select_texts(bank, ItemFilter(paradigm=part.paradigm, dataset=part.dataset), everything=everything)

        def measure(checkpoint: Path) -> Mapping[str, float | None]:
            return _accuracies(bank, checkpoint, parts, everything=everything, device=device, say=say)

        yield measure


@dataclass(frozen=True, slots=True)
class _Part:
    """Items that are measured together."""

    title: str
    paradigm: str
    dataset: str | None = None


def _parts(bank: Bank, name: str) -> list[_Part]:
    """The items of a paradigm; or those of a data set, which may have several paradigms."""
    if name in bank.paradigms.names():
        return [_Part(name, name)]
    owners = [dataset.paradigm for dataset in bank.datasets.all() if dataset.name == name]
    if not owners:
        bank.datasets.expect([name])
    return [_Part(name if len(owners) == 1 else f"{name}, {owner}", owner, name) for owner in owners]


def _accuracies(
    bank: Bank,
    checkpoint: Path,
    parts: Sequence[_Part],
    *,
    everything: bool,
    device: str,
    say: Callable[[str], None],
) -> dict[str, float | None]:
    # Always the same kernel, so that a curve does not differ by what was faster on a machine.
    engine = open_engine(str(checkpoint), device=device, kernel="default")
    found: dict[str, float | None] = {}
    for part in parts:
        selected = select_texts(bank, ItemFilter(paradigm=part.paradigm, dataset=part.dataset), everything=everything)
        try:
            report = score_selected(bank, engine, selected)
        except FailedScoresError as error:
            say(f"{checkpoint.name}, {part.title}: not measured, {error.message}")
            known = bank.paradigms.current(part.paradigm).paradigm
            names = [own.name for own in known.contrasts] + [own.name for own in known.criteria]
            found |= dict.fromkeys(f"{part.title} {name}" for name in names)
            continue
        # What is wanted are counts; the permutation test that comes with an analysis is kept short.
        options = AnalysisOptions(all_items=everything, dataset=part.dataset, permutations=99, by_region=False)
        analysis = analyze(bank, part.paradigm, scorer_id=report.scorer_id, options=options)
        told = [(own.contrast.name, own.accuracy, own.n_undefined, own.restrictions) for own in analysis.contrasts]
        told += [(own.criterion.name, own.share, own.share.n_undefined, own.restrictions) for own in analysis.criteria]
        for title, share, n_undefined, restrictions in told:
            name = f"{part.title} {title}"
            found[name] = share.estimate
            if n_undefined:
                lacking = "; ".join(str(lack) for lack in restrictions if lack.is_lack)
                say(f"{checkpoint.name}, {name}: {lacking}")
    return found
