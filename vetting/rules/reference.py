"""The reference of all rules as one Markdown page: ``python -m gapsmith.vetting.rules.reference FILE`` writes it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from gapsmith.templates import GapsmithError
from gapsmith.vetting.rules.knowledge import load_knowledge
from gapsmith.vetting.rules.model import FAMILIES
from gapsmith.vetting.rules.packs import OWN, PACKS, page

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
    """Every rule with its severity and title, by family and group. The rest stands on the rule's own page."""
    lines = [
        "# All rules",
        "",
        "What the linter looks for. `gapsmith rule` lists the rules in whole sentences. `gapsmith rule CODE` shows what one flags and",
        "what it passes, why, what to do, the literature, and how often it was right; the site (`make docs`) has all that.",
        "[How to use rules](rules.md).",
    ]
    for about, groups in grouped():
        lines += ["", f"## {about}"]
        for title, codes in groups:
            lines += ["", f"### {title}", "", "|code|severity|what|", "|---|---|---|", *map(_entry, codes)]
    return "\n".join(lines) + "\n"


def grouped() -> Iterator[tuple[str, list[tuple[str, list[str]]]]]:
    """The families that have rules of ours, in words, each with its groups: a title and the codes of its rules."""
    for family, about in FAMILIES.items():
        codes = sorted(rule.code for rule in PACKS[OWN].rules if rule.code[0] == family)
        if codes:
            yield (
                f"{family}: {about}",
                [(_GROUPS[group], list(entry)) for group, entry in groupby(codes, key=lambda code: code[:2])],
            )


def _entry(code: str) -> str:
    severity = next(rule.severity for rule in PACKS[OWN].rules if rule.code == code)
    return f"|{code}|{severity.value}|{page(code).title}|"


def main(file: Path) -> None:
    """Write the page; what is wrong with the table, the pages or the lists is said in a sentence, as `gapsmith rule` says it."""
    try:
        load_knowledge()
        text = reference_text()
    except GapsmithError as error:
        raise SystemExit(f"error: {error}") from None
    file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
