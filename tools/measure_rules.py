"""How often each rule's findings are right on blind items: ``python -m tools.measure_rules`` writes what the rules' pages show of it.

The items are those of writers who saw neither rules nor lists. Of those in the frame of `subject_pg` (`vetting/gold/blind`) a finding is
right where its code names the flaw of its item (`codes.csv` beside them), of those in any frame (`vetting/gold/frames`) where it says a word
that the writer named as the flaw; an error or a warning is wrong where it does not, or the item is sound. Rules have been mended in
sight of most of these items, so the figures are no unseen ones; `docs/rules.md` has those by writer.
"""

from __future__ import annotations

import csv

from benchmarks.blind_frames import right_and_wrong
from gapsmith.vetting import audit, read_gold, shipped_gold
from gapsmith.vetting.rules import BLIND_PRECISION_FILE, load_knowledge


def rows() -> list[dict[str, str]]:
    """A row for each rule that said something of a blind item, by set."""
    items = [item for path in shipped_gold() if path.parent.name == "blind" for item in read_gold(path)]
    counts = {("subject_pg", code): (one.right, one.wrong) for code, one in audit(items, load_knowledge()).codes.items()}
    of_frames = right_and_wrong()
    counts |= {("frames", code): (right, wrong) for code, (right, wrong) in of_frames.codes.items()}
    number = {"subject_pg": len(items), "frames": of_frames.n_items}
    return [
        {"code": code, "set": own, "total": str(right + wrong), "right": str(right), "items": str(number[own])}
        for (own, code), (right, wrong) in sorted(counts.items(), key=lambda entry: entry[0][::-1])
        if right + wrong
    ]


def main() -> None:
    """Write the table."""
    with BLIND_PRECISION_FILE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ("code", "set", "total", "right", "items"), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows())


if __name__ == "__main__":
    main()
