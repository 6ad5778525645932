"""Reading items whose regions are stored, against aligning them anew at every read as release 0.1.0 did.

The second figure is a lower bound of what that release took: reading as today, and aligning every sentence on top.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from gapsmith.bank import Bank, NewItem
from gapsmith.templates import align, load_paradigm, realise, sample

_ITEMS = 1_500
_ROUNDS = 5


def main() -> None:
    """Print the processor time of both, the best of several interleaved rounds, and their ratio."""
    paradigm = load_paradigm("subject_pg")
    items = [NewItem(slots, realise(paradigm, slots)) for slots in islice(sample(paradigm, 1), _ITEMS)]
    with TemporaryDirectory() as folder, Bank.open(Path(folder) / "bank.sqlite", create=True) as bank:
        run = bank.runs.begin(
            kind="generate", paradigm_id=bank.paradigms.register(paradigm), provider="x", identity="x", parameters={}
        )
        bank.runs.reply(bank.runs.intend(run.id, 0, {}), outcome="ok", reply=None, items=items)

        def stored() -> int:
            return sum(len(item.sentences) for item in bank.items.iterate())

        def aligned() -> int:
            return sum(
                align(paradigm, s.condition, s.text, item.slots or {}, s.source).regions is not None
                for item in bank.items.iterate()
                for s in item.sentences
            )

        rounds = [(_seconds(stored), _seconds(aligned)) for _ in range(_ROUNDS)]
    first, second = (min(times) for times in zip(*rounds, strict=True))
    print(f"{_ITEMS:,} items of 8 sentences: {first:.3f} s with stored regions, {second:.3f} s aligned at every read")
    print(f"ratio {second / first:.1f}")


def _seconds(work: Callable[[], int]) -> float:
    began = time.process_time()
    assert work() == 8 * _ITEMS
    return time.process_time() - began


if __name__ == "__main__":
    main()
