"""Accuracy on the items of a bank while a model is trained: an evaluation hook for `training`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from gapsmith.bank import Bank, ItemFilter, snapshot
from gapsmith.scoring.analysis.results import AnalysisOptions
from gapsmith.scoring.analysis.run import analyze
from gapsmith.scoring.lm import open_engine
from gapsmith.scoring.score_run import FailedScoresError, score_selected, select_texts

Hook = Callable[[Path], Mapping[str, float | None]]


@contextmanager
def accuracy_by_step(
    bank_file: Path,
    paradigms: Sequence[str],
    *,
    everything: bool = False,
    device: str = "auto",
    say: Callable[[str], None] = lambda _: None,
) -> Iterator[Hook]:
    """A hook that scores a checkpoint on the items of `paradigms` and gives each contrast's share of items as expected.

    The items are those the bank has now, approved ones unless `everything`; they are read from a copy, so that scores of
    checkpoints do not fill the bank. Where a checkpoint's scores fail, what follows from them is undefined, and `say` is told
    why: training goes on. It is told, too, for how many items a contrast has no value, and why. Raises `NothingToScoreError` at once
    where a paradigm has no such item.
    """
    with TemporaryDirectory(prefix="gapsmith-") as folder, Bank.open(snapshot(bank_file, Path(folder))) as bank:
        for paradigm in paradigms:
            select_texts(bank, ItemFilter(paradigm=paradigm), everything=everything)

        def measure(checkpoint: Path) -> Mapping[str, float | None]:
            return _accuracies(bank, checkpoint, paradigms, everything=everything, device=device, say=say)

        yield measure


def _accuracies(
    bank: Bank,
    checkpoint: Path,
    paradigms: Sequence[str],
    *,
    everything: bool,
    device: str,
    say: Callable[[str], None],
) -> dict[str, float | None]:
    # Always the same kernel, so that a curve does not differ by what was faster on a machine.
    engine = open_engine(str(checkpoint), device=device, kernel="default")
    found: dict[str, float | None] = {}
    for paradigm in paradigms:
        selected = select_texts(bank, ItemFilter(paradigm=paradigm), everything=everything)
        try:
            report = score_selected(bank, engine, selected)
        except FailedScoresError as error:
            say(f"{checkpoint.name}, {paradigm}: not measured, {error.message}")
            known = bank.paradigms.current(paradigm).paradigm
            found |= dict.fromkeys(f"{paradigm} {contrast.name}" for contrast in known.contrasts)
            continue
        # What is wanted are counts; the permutation test that comes with an analysis is kept short.
        options = AnalysisOptions(all_items=everything, permutations=99)
        analysis = analyze(bank, paradigm, scorer_id=report.scorer_id, options=options)
        for result in analysis.contrasts:
            name = f"{paradigm} {result.contrast.name}"
            found[name] = result.accuracy.estimate
            if result.n_undefined:
                lacking = "; ".join(str(own) for own in result.restrictions if own.is_lack)
                say(f"{checkpoint.name}, {name}: {lacking}")
    return found
