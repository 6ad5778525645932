"""How often the rules on pairs are right on published files: ``python -m tools.published_pairs FOLDER --out sheet.csv``.

Reads every file of pairs in a folder (BLiMP's JSON lines with ``sentence_good`` and ``sentence_bad``; POSH-BENCH's text files with two lines
a pair, the unacceptable one first), prints how many pairs each rule warns of, by file, and draws a sheet: up to so many warnings of each
rule and file, in an order that tells nothing, with an empty column ``right``. Somebody who knows neither rules nor code fills it with yes
or no: is what the message says true of the pair, and does it matter? Then ``python -m tools.published_pairs --judged sheet.csv`` prints
the precision of each rule with a Wilson interval, and fails where one lies below .9.

The files are not ours and are not in here: without a folder nothing is measured, and the last line says so.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from gapsmith.bank import Severity
from gapsmith.stats import wilson_interval
from gapsmith.templates import Paradigm, Source, align
from gapsmith.templates.loading import parse_paradigm
from gapsmith.vetting.loose_items import loose_item
from gapsmith.vetting.rules import Linter, load_knowledge

REACH = 0.9
"""The precision that each rule should have."""
_COLUMNS = ("code", "file", "good", "bad", "message", "right")
_PAIRS = """
name = "published_pairs"
title = "Pairs of a published file"
items = "given"
final_punctuation = ""
[conditions]
good = "good"
bad = "bad"
[status]
good = "ok"
bad = "*"
[designs.all]
conditions = "all"
"""


def pairs_of(path: Path) -> list[tuple[str, str]]:
    """(acceptable, unacceptable) of a file's pairs, in file order."""
    lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    if path.suffix == ".jsonl":
        rows = [json.loads(line) for line in lines]
        return [(row["sentence_good"], row["sentence_bad"]) for row in rows if "sentence_good" in row]
    return list(zip(lines[1::2], lines[::2], strict=False))


def warnings_of(paradigm: Paradigm, linter: Linter, good: str, bad: str) -> Iterator[tuple[str, str]]:
    """(code, message) of the errors and warnings about a pair."""
    texts = (("good", good), ("bad", bad))
    item = loose_item(paradigm, tuple(align(paradigm, name, text, {}, Source.IMPORTED) for name, text in texts))
    for finding in linter.check(item):
        if finding.severity.rank >= Severity.WARNING.rank:
            yield finding.code, finding.message


def lint_folder(folder: Path) -> dict[tuple[str, str], list[tuple[str, str, str]]]:
    """(file, code) to the pairs that are warned of, with the message."""
    paradigm = parse_paradigm(_PAIRS)
    linter = Linter(paradigm, load_knowledge())
    found: dict[tuple[str, str], list[tuple[str, str, str]]] = defaultdict(list)
    for path in sorted([*folder.rglob("*.jsonl"), *folder.rglob("*.txt")]):
        pairs = pairs_of(path)
        counts: Counter[str] = Counter()
        for good, bad in pairs:
            for code, message in warnings_of(paradigm, linter, good, bad):
                found[path.stem, code].append((good, bad, message))
                counts[code] += 1
        told = ", ".join(f"{code} {n}" for code, n in sorted(counts.items())) or "nothing"
        print(f"{path.name}: {len(pairs)} pairs; warned of: {told}")
    return found


def draw_sheet(found: Mapping[tuple[str, str], Sequence[tuple[str, str, str]]], most: int, seed: int) -> list[dict[str, str]]:
    """The rows to be judged, in an order that depends on the seed alone."""
    chance = random.Random(seed)
    rows = [
        {"file": file, "code": code, "good": good, "bad": bad, "message": message, "right": ""}
        for (file, code), hits in sorted(found.items())
        for good, bad, message in chance.sample(list(hits), min(most, len(hits)))
    ]
    chance.shuffle(rows)
    return rows


def precision_by_code(rows: Sequence[Mapping[str, str]]) -> dict[str, tuple[int, int]]:
    """Code to (right, judged), of the rows whose column ``right`` is filled. Raises `ValueError` for another word than yes or no."""
    counts: dict[str, tuple[int, int]] = {}
    for row in rows:
        said = row["right"].strip().casefold()
        if said not in {"", "yes", "no"}:
            raise ValueError(f"the column right holds {row['right']!r}; yes or no is wanted")
        if said:
            right, judged = counts.get(row["code"], (0, 0))
            counts[row["code"]] = right + (said == "yes"), judged + 1
    return counts


def _report(path: Path) -> int:
    with path.open(encoding="utf-8", newline="") as stream:
        counts = precision_by_code(list(csv.DictReader(stream)))
    for code, (right, judged) in sorted(counts.items()):
        low, high = wilson_interval(right, judged)
        print(f"{code}: {right} of {judged} right, {right / judged:.2f} [{low:.2f}, {high:.2f}]")
    short = [code for code, (right, judged) in counts.items() if right / judged < REACH]
    print(f"below {REACH}: {', '.join(sorted(short)) or 'none'}" if counts else "nothing is judged yet")
    return 1 if short else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Lint a folder and draw a sheet, or report on a sheet that is filled."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, help="the folder with the published files")
    parser.add_argument("--out", type=Path, help="the sheet to write")
    parser.add_argument("--most", type=int, default=100, help="warnings of a rule and file that are drawn at most (default 100)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--judged", type=Path, help="a sheet whose column right is filled")
    chosen = parser.parse_args(arguments)
    if chosen.judged is not None:
        return _report(chosen.judged)
    if chosen.folder is None or not chosen.folder.is_dir():
        print("no folder with published files: nothing was measured")
        return 1
    found = lint_folder(chosen.folder)
    if chosen.out is not None:
        with chosen.out.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, _COLUMNS)
            writer.writeheader()
            writer.writerows(draw_sheet(found, chosen.most, chosen.seed))
        print(f"wrote {chosen.out}; fill its column right with yes or no")
    return 0


if __name__ == "__main__":
    sys.exit(main())
