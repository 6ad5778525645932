"""How often each rule's findings are right on blind items: ``python -m tools.measure_rules`` writes what the rules' pages show of it.

The items are those of the writers who saw neither rules nor lists (`vetting/gold/blind`). A finding is right where its code names the flaw
of its item (`codes.csv` beside them); an error or a warning is wrong where it does not, or the item is sound. Rules have been mended in
sight of most of these items, so the figures are no unseen ones; `docs/rules.md` has those by writer.
"""

from __future__ import annotations

import csv

from gapsmith.vetting import audit, read_gold, shipped_gold
from gapsmith.vetting.rules import BLIND_PRECISION_FILE, load_knowledge


def rows() -> list[dict[str, str]]:
    """A row for each rule that said something of a blind item."""
    items = [item for path in shipped_gold() if path.parent.name == "blind" for item in read_gold(path)]
    found = audit(items, load_knowledge())
    return [
        {"code": code, "total": str(one.right + one.wrong), "right": str(one.right), "items": str(len(items))}
        for code, one in sorted(found.codes.items())
        if one.right + one.wrong
    ]


def main() -> None:
    """Write the table."""
    with BLIND_PRECISION_FILE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ("code", "total", "right", "items"), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows())


if __name__ == "__main__":
    main()
