"""How often the rules on pairs are right on published files: ``python -m tools.published_pairs FOLDER --sheet sheet.csv --key key.csv``.

Reads every file of pairs in a folder (BLiMP's JSON lines with ``sentence_good`` and ``sentence_bad``; text files with two lines a pair, the
unacceptable one first, as in POSH-BENCH and Zorro; tables with tabs, the acceptable one first, as in SCaMP) and prints how many pairs each
rule warns of, by file. A set is a folder directly in it, or the folder itself. From each set and rule up to so many warnings are drawn,
from its files in turn, in an order that tells nothing. The sheet has the pair and what is claimed of it; rule and file stand in the key
alone. Somebody who knows neither fills two columns: is the claim ``true`` of the pair, and does that ``matter`` (yes, no or unclear)?
``--judged sheet.csv --key key.csv`` then prints the precision of each rule with a Wilson interval, and fails where one lies below .9: right
is what is true and of matter, and a verdict of unclear is not right. ``--keep reading.csv`` writes the verdicts without a word of the files.

With ``--reading``, the warnings of today are compared with verdicts that are kept (without a file, those that ship, of each rule the
newest): whoever has the files repeats the figures so. Rules whose warnings are remarks on pairs, for what a reader said, count as warnings
here. ``--table`` writes what the rules' pages and reports say of it. The files are not ours and are not in here: without a folder nothing
is measured, and the last line says so.

Claims that somebody invented may be mixed into the sheet, with the code ``invented`` in the key: whether readers refuse them shows whether
they read. They count for no rule.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import zip_longest
from pathlib import Path

from gapsmith.bank import Severity
from gapsmith.stats import wilson_interval
from gapsmith.templates import Paradigm, Source, align
from gapsmith.templates.loading import parse_paradigm
from gapsmith.vetting.loose_items import loose_item
from gapsmith.vetting.rules import PAIR_PRECISION_FILE, Linter, RuleSelection, load_knowledge

READINGS = tuple(sorted((Path(str(resources.files("gapsmith.vetting.gold"))) / "published").glob("reading*.csv")))
"""The verdicts that ship, the newest last."""
SHIPPED = Path("-")
"""Stands for the verdicts that ship."""
INVENTED = "invented"
"""The code of claims that are false on purpose."""
_ASKED = ("T", "L", "G", "C")
"""Families that are asked for, so that what a reader made a remark counts as what the rule says."""
REACH = 0.9
"""The precision that each rule should have."""
_SHEET = ("id", "acceptable", "unacceptable", "claim", "true", "matters", "note")
_KEY = ("id", "set", "file", "pair", "code", "digest")
_READING = ("set", "file", "pair", "code", "digest", "true", "matters")
_TABLE = ("code", "total", "right", "total_today", "right_today")
_ANSWERS = ("yes", "no", "unclear")
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


@dataclass(frozen=True, slots=True)
class Warned:
    """One warning about one pair of a file; ``pair`` counts from 1."""

    set: str
    file: str
    pair: int
    code: str
    good: str
    bad: str
    message: str

    @property
    def digest(self) -> str:
        """What the verdict is about, without its words: twelve hexadecimal digits of rule and texts. A message that is worded otherwise
        keeps its verdict, so that no rule gets better by another wording."""
        whole = "\n".join((self.code, self.good, self.bad))
        return hashlib.sha256(whole.encode()).hexdigest()[:12]


def pairs_of(path: Path) -> list[tuple[str, str]]:
    """(acceptable, unacceptable) of a file's pairs, in file order."""
    lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    if path.suffix == ".jsonl":
        rows = [json.loads(line) for line in lines]
        return [(row["sentence_good"], row["sentence_bad"]) for row in rows if "sentence_good" in row]
    if path.suffix == ".tsv":
        cells = [line.split("\t") for line in lines]
        return [(row[0].strip(), row[1].strip()) for row in cells if len(row) == 2]
    return list(zip(lines[1::2], lines[::2], strict=False))


def warnings_of(paradigm: Paradigm, linter: Linter, good: str, bad: str) -> Iterator[tuple[str, str]]:
    """(code, message) of the errors and warnings about a pair."""
    texts = (("good", good), ("bad", bad))
    item = loose_item(paradigm, tuple(align(paradigm, name, text, {}, Source.IMPORTED) for name, text in texts))
    for finding in linter.check(item):
        if finding.severity.rank >= Severity.WARNING.rank:
            yield finding.code, finding.message


def lint_folder(folder: Path) -> list[Warned]:
    """What is warned of in a folder's files; prints a line for each file."""
    paradigm = parse_paradigm(_PAIRS)
    linter = Linter(paradigm, load_knowledge(), RuleSelection(_ASKED))
    found: list[Warned] = []
    for path in sorted(path for end in ("jsonl", "txt", "tsv") for path in folder.rglob(f"*.{end}")):
        within = path.relative_to(folder).parts
        of_set = within[0] if len(within) > 1 else folder.name
        pairs = pairs_of(path)
        here = [
            Warned(of_set, path.stem, number, code, good, bad, message)
            for number, (good, bad) in enumerate(pairs, 1)
            for code, message in warnings_of(paradigm, linter, good, bad)
        ]
        told = ", ".join(f"{code} {n}" for code, n in sorted(Counter(w.code for w in here).items())) or "nothing"
        print(f"{path.name}: {len(pairs)} pairs; warned of: {told}", flush=True)
        found += here
    return found


def draw(found: Iterable[Warned], most: int, seed: int) -> list[Warned]:
    """Up to ``most`` of each set and rule, its files in turn, in an order that depends on the seed alone."""
    chance = random.Random(seed)
    by_rule: dict[tuple[str, str], dict[str, list[Warned]]] = defaultdict(lambda: defaultdict(list))
    for warned in found:
        by_rule[warned.set, warned.code][warned.file].append(warned)
    drawn: list[Warned] = []
    for _, files in sorted(by_rule.items()):
        shuffled = [chance.sample(hits, len(hits)) for _, hits in sorted(files.items())]
        in_turn = [warned for one_each in zip_longest(*shuffled) for warned in one_each if warned is not None]
        drawn += in_turn[:most]
    chance.shuffle(drawn)
    return drawn


def sheet_rows(drawn: Sequence[Warned]) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    """The sheet's rows, with what readers may see, and the key's."""
    sheet, key = [], []
    for number, warned in enumerate(drawn, 1):
        known = {"id": f"{number:03}"}
        sheet.append(known | {"acceptable": warned.good, "unacceptable": warned.bad, "claim": warned.message})
        key.append(known | {name: str(getattr(warned, name)) for name in _KEY[1:]})
    return sheet, key


def reading_of(sheet: Iterable[Mapping[str, str]], key: Iterable[Mapping[str, str]]) -> list[dict[str, str]]:
    """The verdicts with what the key knows of them, without texts. Rows without a verdict are left out.

    Raises:
        ValueError: another answer than yes, no or unclear, or a row that the key does not know.
    """
    known = {row["id"]: row for row in key}
    reading = []
    for row in sheet:
        answers = {column: row[column].strip().casefold() for column in ("true", "matters")}
        if not answers["true"]:
            continue
        for column, answer in answers.items():
            if answer not in _ANSWERS and not (column == "matters" and not answer and answers["true"] == "no"):
                raise ValueError(f"row {row['id']}, column {column}: {row[column]!r}; {', '.join(_ANSWERS)} are wanted")
        if row["id"] not in known:
            raise ValueError(f"row {row['id']} is not in the key")
        reading.append({name: known[row["id"]][name] for name in _KEY[1:]} | answers)
    return reading


def precision_by_code(reading: Iterable[Mapping[str, str]]) -> dict[str, tuple[int, int]]:
    """Code to (right, judged), without claims that were invented."""
    counts: dict[str, tuple[int, int]] = {}
    for row in reading:
        if row["code"] == INVENTED:
            continue
        right, judged = counts.get(row["code"], (0, 0))
        counts[row["code"]] = right + (row["true"] == "yes" and row["matters"] == "yes"), judged + 1
    return dict(sorted(counts.items()))


def still_said(reading: Iterable[Mapping[str, str]], found: Iterable[Warned]) -> list[Mapping[str, str]]:
    """The rows of a kept reading of whose pair the same rule warns today."""
    today = {(warned.file, warned.digest) for warned in found}
    return [row for row in reading if (row["file"], row["digest"]) in today]


def newest(readings: Iterable[Iterable[Mapping[str, str]]]) -> list[Mapping[str, str]]:
    """The verdicts of the newest reading that has any of a rule, for each rule; readings come the newest last."""
    found: dict[str, list[Mapping[str, str]]] = {}
    for reading in readings:
        by_code: dict[str, list[Mapping[str, str]]] = defaultdict(list)
        for row in reading:
            by_code[row["code"]].append(row)
        found |= by_code
    return [row for _, rows in sorted(found.items()) for row in rows]


def table_rows(kept: Iterable[Mapping[str, str]], said: Iterable[Mapping[str, str]]) -> list[dict[str, str]]:
    """Each rule as it was when it was judged, and those of the judged warnings that it gives today."""
    first, today = precision_by_code(kept), precision_by_code(said)
    return [
        {"code": code, "total": str(judged), "right": str(right)}
        | dict(zip(("right_today", "total_today"), map(str, today.get(code, (0, 0))), strict=True))
        for code, (right, judged) in first.items()
    ]


def _read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(line for line in stream if not line.startswith("#")))


def _write(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _report(reading: Sequence[Mapping[str, str]]) -> int:
    """Print the precision of each rule; 1 where one lies below the reach, or where there is nothing to tell from."""
    counts = precision_by_code(reading)
    for code, (right, judged) in counts.items():
        low, high = wilson_interval(right, judged)
        print(f"{code}: {right} of {judged} right, {right / judged:.2f} [{low:.2f}, {high:.2f}]")
    invented = [row["true"] for row in reading if row["code"] == INVENTED]
    if invented:
        print(f"of {len(invented)} claims that were invented {invented.count('no')} were refused")
    short = [code for code, (right, judged) in counts.items() if right / judged < REACH]
    print(f"below {REACH}: {', '.join(short) or 'none'}" if counts else "nothing is judged yet")
    return 1 if short or not counts else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Lint a folder and draw a sheet, or report on a sheet that is filled."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, help="the folder with the published files")
    parser.add_argument("--sheet", type=Path, help="the sheet for readers to write")
    parser.add_argument("--key", type=Path, help="rule and file of each row of the sheet")
    parser.add_argument("--most", type=int, default=100, help="warnings of a set and rule that are drawn at most (default 100)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--judged", type=Path, help="a sheet whose columns true and matters are filled; wants --key")
    parser.add_argument("--keep", type=Path, help="with --judged: write the verdicts without texts")
    parser.add_argument(
        "--reading",
        type=Path,
        nargs="?",
        const=SHIPPED,
        help="kept verdicts (those that ship, without a file): those on warnings of today",
    )
    parser.add_argument(
        "--table", action="store_true", help=f"with --reading: write {PAIR_PRECISION_FILE.name}, beside the rules"
    )
    chosen = parser.parse_args(arguments)
    if chosen.key is None and (chosen.judged or chosen.sheet):
        parser.error("a sheet has a key beside it: --key key.csv")
    if chosen.judged is not None:
        reading = reading_of(_read(chosen.judged), _read(chosen.key))
        if chosen.keep is not None:
            _write(chosen.keep, _READING, reading)
        return _report(reading)
    if chosen.folder is None or not chosen.folder.is_dir():
        print("no folder with published files: nothing was measured")
        return 1
    found = lint_folder(chosen.folder)
    if chosen.sheet is not None:
        sheet, key = sheet_rows(draw(found, chosen.most, chosen.seed))
        _write(chosen.sheet, _SHEET, sheet)
        _write(chosen.key, _KEY, key)
        print(f"wrote {chosen.sheet} ({len(sheet)} rows); readers fill its columns true and matters with {', '.join(_ANSWERS)}")
    if chosen.reading is not None:
        files = READINGS if chosen.reading == SHIPPED else (chosen.reading,)
        kept = [row for row in newest(map(_read, files)) if row["code"] != INVENTED]
        said = still_said(kept, found)
        print(f"{len(said)} of {len(kept)} judged warnings are given today, of {len(found)} in all")
        if chosen.table:
            _write(PAIR_PRECISION_FILE, _TABLE, table_rows(kept, said))
        return _report(said)
    return 0


if __name__ == "__main__":
    sys.exit(main())
