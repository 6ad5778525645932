"""How often marks of parses and rules on parses are right: ``python -m tools.measure_parse_rules`` writes
``vetting/rules/parse_precision.csv``.

The items are the blind ones of the subject parasitic gap (`vetting/gold/blind`): words that nobody chose for a parser. A mark or a
finding is right where the item is flawed and the flawed word is among those that it is about; on a sound item it is wrong.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from gapsmith.bank import StoredItem
from gapsmith.parsing import MemoryParseStore, Tree, open_parser
from gapsmith.templates import Paradigm, load_paradigm, realise
from gapsmith.vetting.auditing import shipped_gold
from gapsmith.vetting.loose_items import loose_item
from gapsmith.vetting.rules import Linter, Parses, RuleSelection, load_knowledge
from gapsmith.vetting.rules.measured import PRECISION_FILE
from gapsmith.vetting.rules.parses import layout_of
from gapsmith.vetting.rules.structure import claims_of

_PARSER = "embedded"


def blind_items(paradigm: Paradigm) -> Iterator[tuple[StoredItem, frozenset[str]]]:
    """Each blind item with its slots, and the slots that are flawed."""
    for path in shipped_gold():
        if path.parent.name != "blind":
            continue
        with path.open(encoding="utf-8-sig", newline="") as file:
            for row in csv.DictReader(line for line in file if not line.startswith("#")):
                slots = {slot.name: row[slot.name] for slot in paradigm.visible_slots}
                flawed = frozenset(row["flaw_slot"].split("+")) if row["sound"] == "no" else frozenset()
                yield loose_item(paradigm, realise(paradigm, slots), slots, label=row["id"]), flawed


def measure() -> dict[tuple[str, str], tuple[int, int]]:
    """(code, ``mark`` or ``finding``) to how many there were and how many were right."""
    paradigm = load_paradigm("subject_pg")
    items = list(blind_items(paradigm))
    parser = open_parser(_PARSER)
    store = MemoryParseStore()
    parses = Parses([parser], [store])
    linter = Linter(paradigm, load_knowledge(), RuleSelection(("P",)), parses)
    linter.look_ahead([item for item, _ in items])
    claims = claims_of(paradigm)
    total: Counter[tuple[str, str]] = Counter()
    right: Counter[tuple[str, str]] = Counter()
    for item, flawed in items:
        slots = item.slots or {}
        for claim in claims:
            layout = layout_of(paradigm, paradigm.condition(claim.condition), slots)
            (tree,) = parses.trees([layout.text])
            if not claim.holds(Tree(tree.parse), layout):
                total[claim.code, "mark"] += 1
                right[claim.code, "mark"] += bool(flawed.intersection(_slots(paradigm, claim.places)))
        for finding in linter.check(item):
            total[finding.code, "finding"] += 1
            right[finding.code, "finding"] += finding.place.slot in flawed
    return {
        (claim.code, kind): (total[claim.code, kind], right[claim.code, kind]) for claim in claims for kind in ("mark", "finding")
    }


def _slots(paradigm: Paradigm, places: tuple[str, ...]) -> frozenset[str]:
    """The slots of places, which are slots or regions."""
    found = {place for place in places if place in paradigm.slot_by_name}
    for region in paradigm.regions:
        if region.name in places:
            found |= {
                slot.name
                for slot in paradigm.visible_slots
                for c in paradigm.conditions
                if f"{{{slot.name}}}" in c.regions[region.name]
            }
    return frozenset(found)


def main() -> None:
    """Write the table."""
    lines = ["code,kind,parser,items,total,right"]
    n = sum(1 for _ in blind_items(load_paradigm("subject_pg")))
    lines += [f"{code},{kind},{_PARSER},{n},{total},{right}" for (code, kind), (total, right) in sorted(measure().items())]
    head = f"# How often marks and findings of family P were right on blind items; {Path(__file__).stem} writes this file.\n"
    PRECISION_FILE.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
