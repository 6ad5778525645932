"""An acceptability study as one file: which sentences, who judges, on which scale, in which order.

The file decides the study at every door: the terminal (`gapsmith review --judge FILE`), the browser (`--web`), packets, and the
results. It names its items by uid and by the digest of their texts, so that an edit made since is refused and not mixed in.

A sheet is what one annotator judges: every item in one condition, by Latin square, or in all conditions with siblings well apart;
fillers between them. Cowart, W. (1997). Experimental Syntax. Sage. Chapters 4 and 7, for lists, fillers and practice.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from gapsmith.bank import Bank, ItemFilter, StoredItem, code_of, digest_of
from gapsmith.templates import ConfigError, count, did_you_mean, first_of, made_of, newer_needed, no_such, text_of
from gapsmith.vetting.assignment import like_name

VERSION = 1
"""Of the file; one of a later release is refused."""
TASKS = ("scale", "categories", "choice")
MIN_POINTS, MAX_POINTS = 2, 9
ANCHORS: Mapping[int, tuple[str, ...]] = {
    2: ("unnatural", "natural"),
    3: ("unnatural", "in between", "natural"),
    4: ("very unnatural", "rather unnatural", "rather natural", "very natural"),
    5: ("very unnatural", "rather unnatural", "in between", "rather natural", "very natural"),
    6: ("completely unnatural", "very unnatural", "rather unnatural", "rather natural", "very natural", "completely natural"),
    7: (
        "completely unnatural",
        "very unnatural",
        "rather unnatural",
        "in between",
        "rather natural",
        "very natural",
        "completely natural",
    ),
}
"""What the points of a scale are called where nobody says it."""
PRACTICE = (
    "The gardener watered the roses before breakfast.",
    "Roses the breakfast before watered gardener the.",
    "That she had left he told to me yesterday.",
)
"""Sentences to practise on where nobody gives others: one good, one bad, one in between."""
_CATEGORIES = ("ok", "questionable", "bad")
_SHOWN = ("one", "all")
_TRIES = 200


@dataclass(frozen=True, slots=True)
class StudyItem:
    """An item of a study, by the names that hold in every copy of the bank."""

    item: str
    """What it is called, for people."""
    uid: str
    texts: str
    """The digest of its texts."""


@dataclass(frozen=True, slots=True)
class AcceptabilityStudy:
    """What the file says. Raises `ConfigError` for what cannot be."""

    name: str
    task: str
    """``scale``, ``categories`` (ok, questionable, bad) or ``choice`` (the better one of two)."""
    question: str
    conditions: tuple[str, ...]
    """Those that are judged; for a choice the two."""
    annotators: tuple[str, ...]
    """Who judges; the first gets the first list, and so on round."""
    items: tuple[StudyItem, ...]
    fillers: tuple[StudyItem, ...] = ()
    points: int = 7
    """Of a scale."""
    anchors: tuple[str, ...] = ()
    """What every point is called, from the worst."""
    shown: str = "one"
    """``one`` condition of each item (Latin square), or ``all``."""
    apart: int = 10
    """So many places at least from one sentence of an item to its next one."""
    practice: tuple[str, ...] = PRACTICE
    pause_every: int = 50
    """After so many answers a break is offered."""
    fastest_words_per_second: float = 10.0
    """Who answers faster than one can read so many words a second is marked as too fast."""
    straight_run: int = 10
    """So many equal answers in a row are marked as straight-lining."""
    seed: int = 0

    def __post_init__(self) -> None:
        if self.task not in TASKS:
            raise no_such(f"there is no task {self.task!r}", "There are", self.task, TASKS, place=("task",))
        if self.shown not in _SHOWN:
            raise no_such(f"shown is one or all, not {self.shown!r}", "There are", self.shown, _SHOWN, place=("shown",))
        if not self.items:
            raise ConfigError("a study has items", hint="Check --paradigm, --dataset and --status.")
        if len(set(self.conditions)) < len(self.conditions) or not self.conditions:
            raise ConfigError("the conditions of a study are all different, and there is one at least")
        if self.task == "choice" and len(self.conditions) != 2:
            raise ConfigError(
                f"a choice is between two conditions, not {len(self.conditions)}",
                hint="Name the two: --condition A --condition B.",
            )
        if self.task == "scale":
            if not MIN_POINTS <= self.points <= MAX_POINTS:
                raise ConfigError(
                    f"a scale of {self.points} points cannot be typed with one digit",
                    hint=f"Take {MIN_POINTS} to {MAX_POINTS}.",
                )
            if len(self.anchors) != self.points or not all(anchor.strip() for anchor in self.anchors):
                raise ConfigError(
                    f"a scale of {self.points} points wants a name for each point, and has {len(self.anchors)}",
                    hint="Say --anchor once for every point, from the worst to the best.",
                )
        names = self.annotators
        if not names or len(set(names)) < len(names) or not all(name.strip() for name in names):
            raise ConfigError("annotators need a name each, all different", hint="For example --to ann --to ben.")
        for name in ("apart", "pause_every", "straight_run"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} is 1 at least, not {getattr(self, name)}")
        if not 0 < self.fastest_words_per_second < float("inf"):
            raise ConfigError("fastest_words_per_second is a number above 0")
        if {one.uid for one in self.items} & {one.uid for one in self.fillers}:
            raise ConfigError("an item is not a filler as well", hint="Take the fillers from another data set.")

    @property
    def values(self) -> tuple[str, ...]:
        """What can be answered, as it is kept."""
        if self.task == "choice":
            return ("1", "2")
        return ("ok", "?", "*") if self.task == "categories" else tuple(str(point) for point in range(1, self.points + 1))

    @property
    def names(self) -> tuple[str, ...]:
        """What each answer is called."""
        if self.task == "choice":
            return ("the first is better", "the second is better")
        return _CATEGORIES if self.task == "categories" else self.anchors

    @property
    def digest(self) -> str:
        """16 hexadecimal digits of all that decides what is shown and how it is answered; judgements carry them. Who judges may
        grow at the end without another digest."""
        said = {
            name: value
            for name, value in asdict(self).items()
            if name not in ("annotators", "pause_every", "fastest_words_per_second", "straight_run", "practice")
        }
        return hashlib.sha256(json.dumps(said, sort_keys=True, separators=(",", ":")).encode()).hexdigest()[:16]


THE_LAST = (
    "This is the last one. Your answer finishes your sheet: the others' answers are open to you then, and yours are not changed any more"
    " once somebody else has answered. Take answers back before."
)
"""What is said where the last sentence of a sheet stands."""


@dataclass(frozen=True, slots=True)
class SheetTrial:
    """What is shown at once."""

    place: int
    """On the annotator's sheet, from 1; 0 for practice."""
    item_id: int
    revision_id: int
    label: str
    condition: str
    text: str
    filler: bool = False
    other_condition: str = ""
    """For a choice: of the sentence that stands second."""
    other_text: str = ""
    of: int = 0
    """How many places the sheet has."""

    @property
    def practice(self) -> bool:
        """Whether it is not kept."""
        return not self.place

    @property
    def words(self) -> int:
        """How many words there are to read."""
        return len(self.text.split()) + len(self.other_text.split())


def study_item(item: StoredItem, bank: Bank) -> StudyItem:
    """An item as a study names it. Annotators have its file, so that where some items calibrate it calls items as their screens do."""
    return StudyItem(code_of(item.uid) if bank.gate.calibrates else item.label, item.uid.hex(), digest_of(item.sentences))


def load_study(path: Path) -> AcceptabilityStudy:
    """Read a study's file. Raises `ConfigError` naming the file, and the key that cannot be."""
    try:
        text = text_of(path, "utf-8-sig")
    except FileNotFoundError:
        meant = did_you_mean(path.name, [one.name for one in path.parent.glob("*.toml")])
        hint = f"{meant}Make one: gapsmith judge new FILE --to ann --to ben."
        raise ConfigError(f"{path}: there is no such file", hint=hint) from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read as UTF-8 text ({error})") from None
    return made_of(text, str(path), _study, what="a study")


def _study(said: Mapping[str, Any]) -> AcceptabilityStudy:
    found = dict(said)
    version = found.pop("version", VERSION)
    if version != VERSION:
        raise ConfigError(f"has version {version!r}", hint=f"Version {VERSION} is read. {newer_needed()}", place=("version",))
    known = {field.name: field for field in fields(AcceptabilityStudy)}
    values = {}
    for name, value in found.items():
        if name not in known:
            raise no_such(f"unknown key {name!r}", "There are", name, known, place=(name,))
        values[name] = _read(name, value)
    lacking = [name for name in ("name", "task", "question", "conditions", "annotators", "items") if name not in values]
    if lacking:
        raise ConfigError(f"lacks {', '.join(lacking)}", hint="gapsmith judge new writes a whole one.")
    return AcceptabilityStudy(**values)


def studies_in(folder: Path) -> dict[str, AcceptabilityStudy]:
    """The studies whose files lie in a folder itself, by the path of the file from where we are; other TOML files, and what cannot be
    read, are none."""
    found = {}
    for path in sorted(folder.glob("*.toml")):
        with suppress(ConfigError):
            found[os.path.relpath(path)] = load_study(path)
    return found


_TEXTS = ("conditions", "annotators", "anchors", "practice")
_NUMBERS = ("points", "apart", "pause_every", "straight_run", "seed")


def _read(name: str, value: object) -> Any:
    kind: Any = int if name in _NUMBERS else (int, float) if name == "fastest_words_per_second" else str
    one = {int: "a whole number", str: "a text, in quotes"}.get(kind, "a number")
    many = {"items": "a list of tables with item, uid and texts", "fillers": "a list of tables with item, uid and texts"}
    what = many.get(name, "a list of texts, none of them empty" if name in _TEXTS else one)
    hint = "Compare with a file that `gapsmith judge new` writes."
    wrong = ConfigError(f"{name} is not what it should be: {what}", hint=hint, place=(name,))
    if name in ("items", "fillers"):
        if not isinstance(value, list) or not all(
            isinstance(one, dict) and set(one) == {"item", "uid", "texts"} for one in value
        ):
            raise wrong
        if not all(isinstance(part, str) for one in value for part in one.values()):
            raise wrong
        return tuple(StudyItem(**one) for one in value)
    if name in _TEXTS:
        if not isinstance(value, list) or not all(isinstance(one, str) and one.strip() for one in value):
            raise wrong
        return tuple(value)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise wrong
    return float(value) if name == "fastest_words_per_second" else value


_COMMENTS = {
    "name": "An acceptability study: `gapsmith review --judge FILE` shows it, in a browser with --web; `gapsmith packet make --judge`"
    " sends it\n# out; `gapsmith judge results FILE` says what came of it. Everything that is shown follows from this file.",
    "task": "scale, categories (ok, questionable, bad) or choice (the better one of two)",
    "anchors": "what every point is called, from the worst",
    "shown": "one: every item in one condition, by Latin square; all: in every condition",
    "apart": "so many places at least from one sentence of an item to its next one",
    "annotators": "the first gets the first list, and so on round; more can be added at the end",
    "practice": "shown first, and not kept",
    "pause_every": "answers from one break to the next",
    "fastest_words_per_second": "who answers faster than one can read so is marked",
    "straight_run": "so many equal answers in a row are marked",
    "items": "by uid and digest of their texts: an item that was edited since is refused",
}


def study_text(study: AcceptabilityStudy) -> str:
    """The file of a study, which `load_study` reads without loss."""
    lines = [f"version = {VERSION}"]
    for name, value in asdict(study).items():
        if study.task != "scale" and name in ("points", "anchors"):
            continue
        if name in _COMMENTS:
            lines += ["", f"# {_COMMENTS[name]}"]
        if name in ("items", "fillers"):
            lines.append(f"{name} = [")
            lines += [
                f"  {{ item = {_quoted(one['item'])}, uid = {_quoted(one['uid'])}, texts = {_quoted(one['texts'])} }},"
                for one in value
            ]
            lines.append("]")
        elif isinstance(value, tuple):
            lines.append(f"{name} = [{', '.join(map(_quoted, value))}]")
        else:
            lines.append(f"{name} = {_quoted(value) if isinstance(value, str) else value}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    # What JSON escapes, TOML escapes alike; but it wants the one character escaped that JSON leaves alone.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


# Sheets


def list_number(study: AcceptabilityStudy, annotator: str) -> int:
    """Which list of the square somebody gets, from 0. Raises `ConfigError` for one who is not in the study."""
    if annotator not in study.annotators:
        other = like_name(annotator, study.annotators)
        meant = f"Are you {other}? Then say so: {other}. " if other is not None else ""
        raise ConfigError(
            f"{annotator} has no sheet in the study {study.name!r}",
            hint=f"{meant}It has {', '.join(study.annotators)}; add a name at the end of `annotators` in its file.",
        )
    return study.annotators.index(annotator)


def sheet(study: AcceptabilityStudy, bank: Bank, annotator: str, *, as_made: bool = False) -> list[SheetTrial]:
    """What somebody judges, in order, without practice. It depends on the file alone. With `as_made`, for what came of a study, items
    have the texts that they had when it was made, whatever became of them. Raises `ConfigError` for one who is not in the study, an
    item that is not in this bank, or was edited since (with `as_made`: whose text of then is not in this bank), and siblings that
    cannot stand so far apart."""
    number = list_number(study, annotator)
    found = _items_of(study, bank)
    if (changed := _changed(study, found)) and not as_made:
        raise ConfigError(
            f"study {study.name!r}: edited since the study was made: {_named([found[one.uid].label for one in changed])}",
            hint="Take the edits back, or make the study anew with `gapsmith judge new`; what was answered so far is in"
            " `gapsmith judge results`.",
        )
    found |= {one.uid: _as_made(study, bank, found[one.uid], one) for one in changed}
    rng = random.Random(f"{study.seed}|{annotator}|{study.digest}")
    fillers = [
        _trial(found[one.uid], _turn([s.condition for s in _unique(found[one.uid])], place + number), filler=True)
        for place, one in enumerate(study.fillers)
    ]
    if study.task == "choice":
        trials = [_pair(found[one.uid], study.conditions, rng) for one in study.items]
        blocks = [[*trials, *[_filler_pair(found[one.uid], rng) for one in study.fillers]]]
    elif study.shown == "one":
        blocks = [
            [_trial(found[one.uid], _turn(study.conditions, place + number)) for place, one in enumerate(study.items)] + fillers
        ]
    else:
        rounds = len(study.conditions)
        blocks = [
            [_trial(found[one.uid], _turn(study.conditions, place + number + turn)) for place, one in enumerate(study.items)]
            + fillers[turn::rounds]
            for turn in range(rounds)
        ]
    ordered = _spread(blocks, study.apart if len(blocks) > 1 else 1, rng)
    return [replace(one, place=place, of=len(ordered)) for place, one in enumerate(ordered, 1)]


def practice_trials(study: AcceptabilityStudy) -> list[SheetTrial]:
    """What is shown before; none of it is kept."""
    if study.task == "choice":
        pairs = zip(study.practice[::2], study.practice[1::2], strict=False)
        return [SheetTrial(0, 0, 0, "practice", "", first, other_condition="-", other_text=second) for first, second in pairs]
    return [SheetTrial(0, 0, 0, "practice", "", text) for text in study.practice]


def _items_of(study: AcceptabilityStudy, bank: Bank) -> dict[str, StoredItem]:
    wanted = {one.uid: one for one in (*study.items, *study.fillers)}
    found = {uid: item for item in bank.items.iterate(ItemFilter()) if (uid := item.uid.hex()) in wanted}
    if missing := [one.item for uid, one in wanted.items() if uid not in found]:
        raise ConfigError(
            f"study {study.name!r}: not in this bank: {_named(missing)}",
            hint="Bring it in with `gapsmith bank merge`, or make the study anew.",
        )
    return found


def _changed(study: AcceptabilityStudy, found: Mapping[str, StoredItem]) -> list[StudyItem]:
    return [one for one in (*study.items, *study.fillers) if digest_of(found[one.uid].sentences) != one.texts]


def edited_since(study: AcceptabilityStudy, bank: Bank) -> tuple[str, ...]:
    """What those of the study's items and fillers are called to the reader that have other texts now. Raises `ConfigError` for one that is
    not in this bank."""
    found = _items_of(study, bank)
    return tuple(found[one.uid].label for one in _changed(study, found))


def edit_of_judged(labels: Sequence[str]) -> str:
    """What an edit of these items means, which have answers in studies (`gapsmith.bank.review.ReviewTable.judged_in_studies`)."""
    has, their = ("has", "its") if len(labels) == 1 else ("have", "their")
    return (
        f"{_named(labels).capitalize()} {has} answers in an acceptability study. These stay answers to {their} earlier text, and sheets of the"
        " study that are not finished are refused until the edit is taken back."
    )


def _as_made(study: AcceptabilityStudy, bank: Bank, item: StoredItem, one: StudyItem) -> StoredItem:
    for revision in bank.items.history(item.id):
        if digest_of(revision.sentences) == one.texts:
            return bank.items.at(item.id, revision.id)
    raise ConfigError(
        f"study {study.name!r}: the text that was judged is not in this bank: {_named([item.label])}",
        hint="Merge the bank in which the study was made: gapsmith bank merge FILE.",
    )


def expect_conditions(items: Sequence[StoredItem], conditions: Sequence[str]) -> None:
    """Raise `ConfigError` where an item lacks one of the conditions."""
    for item in items:
        have = {sentence.condition for sentence in item.sentences}
        if lacking := [name for name in conditions if name not in have]:
            raise ConfigError(
                f"item {item.label} has no sentence in the condition {lacking[0]!r}",
                hint=f"Leave it out, or name the conditions that are judged with --condition. It has: {', '.join(sorted(have))}.",
            )


def _named(labels: Sequence[str]) -> str:
    return f"{'item' if len(labels) == 1 else 'items'} {first_of(labels, 10)}"


def _turn(names: Sequence[str], number: int) -> str:
    return names[number % len(names)]


def _unique(item: StoredItem) -> list[Any]:
    return list({sentence.condition: sentence for sentence in reversed(item.sentences)}.values())[::-1]


def _trial(item: StoredItem, condition: str, *, filler: bool = False) -> SheetTrial:
    sentence = item.sentence(condition)
    if sentence is None:
        raise ConfigError(f"item {item.label} has no sentence in the condition {condition!r}")
    return SheetTrial(-1, item.id, item.revision_id, item.label, condition, sentence.text, filler)


def _pair(item: StoredItem, conditions: Sequence[str], rng: random.Random, *, filler: bool = False) -> SheetTrial:
    first, second = rng.sample(list(conditions), 2)
    one, other = _trial(item, first, filler=filler), _trial(item, second)
    return SheetTrial(-1, one.item_id, one.revision_id, one.label, first, one.text, filler, second, other.text)


def _filler_pair(item: StoredItem, rng: random.Random) -> SheetTrial:
    conditions = [sentence.condition for sentence in _unique(item)]
    if len(conditions) < 2:
        raise ConfigError(f"filler {item.label} has one sentence, and a choice wants two", hint="Take other fillers.")
    return _pair(item, conditions[:2], rng, filler=True)


def _spread(blocks: Sequence[Sequence[SheetTrial]], apart: int, rng: random.Random) -> list[SheetTrial]:
    """One block after the other, each in random order, so that the same item comes again no sooner than `apart` places later."""
    shortest = min(map(len, blocks))
    if shortest < apart:
        raise ConfigError(
            f"sentences of one item cannot stand {apart} apart: {count(shortest, 'sentence')} in a round",
            hint=f"Take --apart {shortest}, more items, or more fillers (one for each sentence that lacks, in every round).",
        )
    ordered = rng.sample(blocks[0], len(blocks[0]))
    before = len(ordered)
    for block in blocks[1:]:
        last = {one.item_id: place for place, one in enumerate(ordered)}
        for _ in range(_TRIES):
            if (more := _one_round(block, last, len(ordered), apart, rng)) is not None:
                break
        else:
            more = _as_before(block, ordered[-before:])
        ordered += more
        before = len(more)
    return ordered


def _as_before(block: Sequence[SheetTrial], earlier: Sequence[SheetTrial]) -> list[SheetTrial]:
    """A round in the order of the one before it, fillers in the places of fillers: every item is a whole round away from itself."""
    own = {one.item_id: one for one in block if not one.filler}
    fillers = [one for one in block if one.filler]
    ordered: list[SheetTrial] = []
    for one in earlier:
        if not one.filler:
            ordered.append(own[one.item_id])
        elif fillers:
            ordered.append(fillers.pop())
    return ordered + fillers


def _one_round(
    block: Sequence[SheetTrial], last: Mapping[int, int], start: int, apart: int, rng: random.Random
) -> list[SheetTrial] | None:
    left = list(block)
    done: list[SheetTrial] = []
    while left:
        place = start + len(done)
        free = [number for number, one in enumerate(left) if place - last.get(one.item_id, -apart) >= apart]
        if not free:
            return None
        done.append(left.pop(rng.choice(free)))
    return done
