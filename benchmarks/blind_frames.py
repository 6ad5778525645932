"""What the linter says of 480 items in frames that no rule was made for, and how often it reads their roles as people do.

Items as somebody brings them: a table of sentences, no slots, no paradigm of ours (``vetting/gold/frames/``). *Warned*: an error or a
warning at the item, or one of the set that names it. *Named*: one whose message has a word that the writer named as the flaw; counted by
the words, by nobody's reading.

The roles are read with the embedded parser, on which the findings rest, and with every spaCy pipeline and Stanza's, as far as they are
there; a folder with a pipeline is named by the variable SPACY_PIPELINE. What is not there is said by name.
"""

from __future__ import annotations

import csv
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from gapsmith.bank import Finding, Severity
from gapsmith.parsing import MemoryParseStore, ParserError, open_parser
from gapsmith.templates import Sentence, Source, parse_paradigm
from gapsmith.vetting.loose_items import loose_item
from gapsmith.vetting.roles import ItemRoles, RoleReader
from gapsmith.vetting.rules import ItemView, Linter, load_knowledge

FRAMES = Path(__file__).parents[1] / "vetting" / "gold" / "frames"
FIRST = {
    "shipped frames, set 1": (32, 31, 60, 4, 60),
    "frames of their own, set 1": (19, 17, 60, 5, 60),
    "shipped frames, set 2": (51, 49, 60, 0, 60),
    "frames of their own, set 2": (44, 41, 60, 10, 60),
}
"""At the first measurement: flawed items warned of, named, all; sound ones warned of, all."""
_WRITERS = {
    "shipped frames, set 1": ("8", "9"),
    "frames of their own, set 1": ("10", "11"),
    "shipped frames, set 2": ("14", "15"),
    "frames of their own, set 2": ("12", "13"),
}
"""Who wrote what; others are counted one by one."""
_OURS = {
    "embedding_verb": ("matrix",),
    "island_head": ("noun", "adjunct_verb"),
    "island_preposition": ("preposition", "island", "adjunct_verb"),
    "gap_governor": ("verb", "verb_phrase"),
    "gap_filler": ("name", "object", "plural"),
    "linker": ("linker",),
    "after_gap": ("adverb", "time"),
    "controller": ("controller",),
    "target": ("target",),
    "attractor": ("attractor",),
    "licensor": ("licensor",),
    "licensee": ("licensee",),
}
"""What the readers called what `gapsmith.templates.ROLES` has other names for."""

Item = tuple[str, str, str]
"""Writer, design, number."""


def main() -> None:
    """Print what is warned of and named, first and today, and how often each role is read as both readers have it."""
    truth = {(row["writer"], row["design"], row["item"]): row for row in _truth()}
    warnings, roles = _linted()
    found = {key: [finding.message for finding in own] for key, own in warnings.items()}
    print(f"{'':34} {'warned':>12} {'named':>12} {'sound warned':>14}")
    newer = sorted({writer for writer, _, _ in truth} - {writer for own in _WRITERS.values() for writer in own}, key=int)
    for what, own in (*_WRITERS.items(), *((f"writer {writer}", (writer,)) for writer in newer)):
        flawed = [key for key, row in truth.items() if key[0] in own and row["verdict"] == "flawed"]
        sound = [key for key, row in truth.items() if key[0] in own and row["verdict"] == "sound"]
        named = sum(any(_words([truth[key]["words"]]) & _words([message]) for message in found[key]) for key in flawed)
        today = (sum(bool(found[key]) for key in flawed), named, len(flawed), sum(bool(found[key]) for key in sound), len(sound))
        told = (("first", FIRST[what]), ("today", today)) if what in FIRST else (("today", today),)
        for when, (warned, known, n, false, m) in told:
            print(f"{what + ', ' + when:34} {warned:3} of {n:3}   {known:3} of {n:3}   {false:3} of {m:3}")
    _print_roles("embedded", roles)
    for name in _others():
        try:
            open_parser(name)
        except ParserError as error:
            print(f"\nroles with {name}: not measured, since {str(error).splitlines()[0]}")
        else:
            _print_roles(name, _roles_with(name))


def _linted() -> tuple[dict[Item, list[Finding]], dict[Item, ItemRoles]]:
    """The errors and warnings of each item, with those of its set that name it, and its roles."""
    found: dict[Item, list[Finding]] = {}
    roles: dict[Item, ItemRoles] = {}
    for writer, design, items in _designs():
        names = list(dict.fromkeys(name for texts in items.values() for name in texts))
        head = 'name = "frames"\ntitle = "frames"\ndescription = "given sentences"\nitems = "given"\nfinal_punctuation = "."\n[conditions]\n'
        lines = "".join(f'{name} = "{name}"\n' for name in names)
        paradigm = parse_paradigm(head + lines + '[designs.all]\nconditions = "all"\n')
        store = MemoryParseStore()
        reader = RoleReader(lambda _, store=store: store)  # type: ignore[misc]  # the store of this design, not of the last one
        linter = Linter(paradigm, load_knowledge(), reader=reader)
        reader.look_ahead(items.values())
        facts = linter.new_set()
        keys: dict[int, Item] = {}
        for number, (item, texts) in enumerate(items.items(), 1):
            key = keys[number] = (writer, design, item)
            sentences = tuple(Sentence(name, text, None, Source.IMPORTED) for name, text in texts.items())
            view = ItemView(replace(loose_item(paradigm, sentences, label=item), id=number), paradigm)
            found[key] = _warnings(linter.check_view(view))
            roles[key] = reader.read(texts)
            if facts is not None:
                facts.add(view)
        for finding in linter.check_set(facts) if facts is not None else ():
            # Of items that are alike the first has a remark only.
            for number in finding.items[:1]:
                found[keys[number]] += _warnings([finding])
    return found, roles


@dataclass(frozen=True, slots=True)
class RightAndWrong:
    """Of how many items, and code to how many of them it named the flaw of with the writer's word, and how many it warned of in vain."""

    n_items: int
    codes: Mapping[str, tuple[int, int]]


def right_and_wrong() -> RightAndWrong:
    """How often the errors and warnings of each rule are right."""
    truth = {(row["writer"], row["design"], row["item"]): row for row in _truth()}
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    warnings, _ = _linted()
    for key, own in warnings.items():
        if key not in truth:
            continue
        flaw = _words([truth[key]["words"]]) if truth[key]["verdict"] == "flawed" else set()
        for code in {finding.code for finding in own}:
            is_right = any(flaw & _words([finding.message]) for finding in own if finding.code == code)
            (right if is_right else wrong)[code] += 1
    return RightAndWrong(len(truth), {code: (right[code], wrong[code]) for code in {*right, *wrong}})


def _others() -> list[str]:
    """The parsers beside the embedded one, by name: what is installed, and for either kind one that is asked for and not there."""
    try:
        from spacy.util import get_installed_models
    except ImportError:
        pipelines = []
    else:
        pipelines = list(get_installed_models())
    if folder := os.environ.get("SPACY_PIPELINE"):
        pipelines.append(folder)
    return [*(f"spacy:{name}" for name in pipelines or ["en_core_web_sm"]), "stanza"]


def _roles_with(parser: str) -> dict[Item, ItemRoles]:
    reader = RoleReader(parser=parser)
    found: dict[Item, ItemRoles] = {}
    for writer, design, items in _designs():
        reader.look_ahead(items.values())
        found |= {(writer, design, item): reader.read(texts) for item, texts in items.items()}
    return found


def _warnings(findings: Iterable[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.severity in (Severity.WARNING, Severity.ERROR)]


def _print_roles(parser: str, roles: Mapping[Item, ItemRoles]) -> None:
    both = [_marks(FRAMES / f"roles_reader{number}.csv") for number in (1, 2)]
    print(f"\nroles with {parser}")
    print(f"{'role':20} {'readers agree':>14} {'read so':>10} {'otherwise':>10} {'not read':>9}")
    for name, ours in _OURS.items():
        marked = [key for key in both[0] if key[1] == name]
        agreed = [key for key in marked if both[1].get(key) == both[0][key]]
        right = wrong = silent = 0
        for item, _ in agreed:
            read = [role.form for own in ours for role in roles[item].named(own)]
            wanted = _words(both[0][item, name])
            right += any(wanted <= _words([form]) for form in read)
            wrong += bool(read) and not any(wanted <= _words([form]) for form in read)
            silent += not read
        print(f"{name:20} {len(agreed):5} of {len(marked):4} {right:10} {wrong:10} {silent:9}")


def _designs() -> Iterator[tuple[str, str, Mapping[str, Mapping[str, str]]]]:
    for path in sorted(FRAMES.glob("writer*/design*.csv")):
        items: dict[str, dict[str, str]] = defaultdict(dict)
        for row in _rows(path):
            items[row["item"]][row["condition"]] = row["sentence"]
        yield path.parent.name.removeprefix("writer"), path.stem.removeprefix("design"), items


def _truth() -> Iterator[dict[str, str]]:
    for path in sorted(FRAMES.glob("writer*/truth.csv")):
        for row in _rows(path):
            yield {**row, "writer": path.parent.name.removeprefix("writer"), "design": row["design"].removeprefix("design")}


def _marks(path: Path) -> dict[tuple[Item, str], tuple[str, ...]]:
    found: dict[tuple[Item, str], list[str]] = defaultdict(list)
    for row in _rows(path):
        found[(row["writer"], row["design"].removeprefix("design"), row["item"]), row["role"]].append(
            row["words"].strip().casefold()
        )
    return {key: tuple(sorted(words)) for key, words in found.items()}


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _words(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for word in re.findall(r"[\w'’-]+", text.casefold())}


if __name__ == "__main__":
    main()
