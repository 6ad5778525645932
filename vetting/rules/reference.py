"""The reference of all rules as one Markdown page: ``python -m gapsmith.vetting.rules.reference FILE`` writes it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from gapsmith.vetting.rules.model import FAMILIES
from gapsmith.vetting.rules.packs import page
from gapsmith.vetting.rules.registry import OWN_PACK, RULES
from gapsmith.vetting.rules.rule_pages import RulePage

_GROUPS = {
    "T0": "Conditions and texts",
    "T1": "Slots",
    "L1": "Matrix frame",
    "L2": "Embedded verb and linker",
    "L3": "Ambiguity",
    "L4": "Island noun",
    "L5": "Fillers",
    "L6": "Adverb",
    "P1": "Sound conditions",
    "L7": "Wording",
    "L8": "Minimal pairs",
    "L9": "Licensors and embedded clauses",
    "G1": "Whole sentences",
    "G2": "Words as they stand",
    "G3": "Other readings of starred conditions",
    "C1": "The set",
    "J1": "Sentences",
    "J2": "Words",
}


def reference_text() -> str:
    """Every rule with its severity, what it looks for, an example of each kind and the remedy, by family and group."""
    lines = [
        "# All rules",
        "",
        "What each rule looks for and what to do; ✗ is flagged, ✓ is fine. `gapsmith rule CODE` also tells the reason, more examples, the",
        "literature, and how often it was right where somebody measured that. How to use rules: [rules.md](rules.md).",
    ]
    for family, about in FAMILIES.items():
        codes = sorted(rule.code for rule in OWN_PACK.rules if rule.code[0] == family)
        lines += ["", f"## {family}: {about}"] if codes else []
        for group, entry in groupby(codes, key=lambda code: code[:2]):
            lines += ["", f"### {_GROUPS[group]}"]
            for code in entry:
                lines += _rule(page(code), RULES[code].severity.value)
    return "\n".join(lines) + "\n"


def _rule(entry: RulePage, severity: str) -> Iterator[str]:
    also = f"; {entry.also}" if entry.also else ""
    yield ""
    yield f"#### {entry.code} {entry.title} ({severity}{also})"
    yield ""
    yield f"{entry.summary} **{entry.remedy}**"
    yield ""
    yield from (f"- ✗ {example}" for example in entry.bad[:1])
    yield from (f"- ✓ {example}" for example in entry.good[:1])


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(reference_text(), encoding="utf-8")
