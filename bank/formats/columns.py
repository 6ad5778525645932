"""The only place that says what the columns of a table are: what somebody said, what headings say, what the cells leave no doubt
about. Where that is not enough, `propose` asks, with what the cells allow."""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, islice, pairwise
from typing import NoReturn

from gapsmith.bank.formats.alternatives import COLUMN, CROSSED
from gapsmith.bank.formats.answers import is_answer, is_person
from gapsmith.bank.formats.asking import Assumption, FileAnswer, flags_of
from gapsmith.bank.formats.composing import plain, unspaced_in
from gapsmith.bank.formats.foreign import ForeignItem, ForeignSentence, ForeignSet, Json
from gapsmith.bank.formats.frames import BLANK, ENDING, FRAME, choice_of
from gapsmith.bank.formats.grouping import CODES, LETTERED, Columns, attribute_columns, code_of, first_seen, letter_of, number_of
from gapsmith.bank.formats.headings import ANY_MEMBER, JUDGES, NOTES, fold, is_of_no_item, roles_of
from gapsmith.bank.formats.leaving_out import as_numbers
from gapsmith.bank.formats.likeness import groups_of, likeness_of, shared_within
from gapsmith.bank.formats.marks import acceptability_of
from gapsmith.bank.formats.places import place_ways
from gapsmith.bank.formats.sheets import SHEET
from gapsmith.bank.formats.side_by_side import PART, side_by_side
from gapsmith.bank.formats.source import BLOCK, SourceFile, TableRow
from gapsmith.bank.formats.steps import template_step
from gapsmith.bank.formats.suspicious import is_date, is_not_to_be_used, listed_columns, says_corrected, says_missing
from gapsmith.templates import FormatError

_FACTOR = re.compile(r"(?:^|_)(?:condition|cond|factor|manipulation|bedingung|conditie|condicion)_?(?:\d{1,2}|[a-z])?(?:$|_)")
_WEAK_ITEMS = (
    "group",
    "group_id",
    "quadruplet",
    "quartet",
    "octet",
    "sextet",
    "triplet",
    "tuple",
    "pair",
    "pair_number",
    "set_number",
    "frame",
    "lexicalization",
    "lexicalisation",
    "token_set",
    "example",
    "example_number",
    "nr",
    "no",
    "num",
    "number",
    "n",
    "index",
    "idx",
)
"""Headings that name the item where the cells bear it out: every value of the column has every condition once."""
_COUNTED = frozenset({"number", "num", "n", "no"})
"""Those of them that may mean singular and plural, too."""
_PARTS_OF_ITEMS = frozenset(
    {"experiment", "exp", "study", "group", "list", "block", "set", "uid", "paradigm", "file", "source", "sheet"}
    | {"phenomenon", "construction", "subset"}
)
"""Headings of what items are numbered within."""
_EXPERIMENTS = frozenset({"experiment", "exp", "expt", "experiment_id", "experiment_name", "exp_id", "study", "sub_experiment"})
"""Headings of what has conditions of its own."""
_ENDED = re.compile(r"[.?!…。？！][\"'”’»)\]]*\Z")
_ITEM_HEADING = re.compile(r"(?:item|set|sentence|stimulus|frame|satz|no|nr)?[ _.-]*\d{1,4}", re.IGNORECASE)
_NAMED = 6
"""So many items are named."""
_FEW_KINDS = 4
"""At most so many kinds of rows an experiment has: items, fillers, practice, distractors."""
_ALIKE_IN = 200
"""So many items, and sentences of one, say how alike the sentences of an item are."""
_MUCH_LESS = 2.0
"""Sentences of an item that share so many times less than those of another way are of no item."""
_CODE = re.compile(r"[A-Za-z]{0,4}[-_.]?\d{1,5}")
_MEASURE = re.compile(r"[-+]?\d+(?:[.,]\d+)?")
_NUMBERED = re.compile(r"\d+(?:\.0+)?")
_LISTS = frozenset(
    {"list", "latin_list", "list_id", "list_no", "list_number", "list_nr", "liste", "lista", "lijst", "presentation_list"}
)
"""Headings of the lists of an experiment, each of which a participant sees."""
_OF_TRIALS = _LISTS | {"trigger", "trial", "order", "presentation_order", "row", "position", "reihenfolge", "volgorde", "orden"}
"""Headings of what a sentence has as a trial."""
_OTHER_WHOLE_ITEMS = 0.9
_OTHER_ITEMS = 0.6
"""What shares less than this much of what the sentences of an item share is another item."""
_OWN = 1.4
"""The sentences of an item share this many times what sentences of different items share."""
_LEVELS = 12
"""At most so many values of a column are proposed as conditions."""
_KINDS = 6
"""At most so many values of a column are said to be kinds of rows."""
_KIND_WORDS = 3
"""A value of so many words at most says of what kind rows are."""
_BY_WORDS = 300
"""Among more sentences no way by their words alone is thought of; somebody may say it of more."""
_PARTNERS = 60
"""So many sentences are compared with each other."""
_THERE = 0.6
"""So many of the sentences that items would have with all their conditions are there."""
LOOKED_AT = 5000
"""So many rows are looked at where what a column is follows from its cells."""


@dataclass(frozen=True)
class Roles:
    """What the columns of a table are, by number."""

    header: tuple[str, ...]
    item: tuple[int, ...] = ()
    condition: tuple[int, ...] = ()
    sentence: tuple[int, ...] = ()
    """Several are a column per condition."""
    other: Mapping[str, int] = field(default_factory=dict)
    """region_number, region_name, content, good, bad, where headings name them."""
    per_item: int | None = None
    lettered: re.Pattern[str] | None = None
    """How the cells of the item's column name the condition, too."""
    placed: bool = False
    """Whether the place of a row within its item names the condition."""
    assumptions: tuple[Assumption, ...] = ()

    def columns(self, *ours: int) -> Columns:
        """The columns as readers take them; `ours` are no attributes either."""
        own = {*self.item, *self.condition, *ours}
        extra = tuple(column for column in range(len(self.header)) if column not in own)
        return Columns(self.header, self.item, self.condition, extra, self.per_item, self.lettered, self.placed)

    @property
    def is_long(self) -> bool:
        """Whether rows are of an item and a condition."""
        return bool((self.item or self.per_item) and (self.condition or self.lettered or self.placed))


def roles(source: SourceFile) -> Roles:
    """The roles that are said or certain. Raises `FormatError` for a said column that is not there."""
    if "roles" not in source.known:
        source.known["roles"] = _roles(source)
    found: Roles = source.known["roles"]
    return found


def said_columns(source: SourceFile, header: Sequence[str], names: Sequence[str]) -> tuple[int, ...]:
    """The columns that somebody named, as they are written or nearly so. Refuses a name that is no column's."""
    folded = [fold(heading) for heading in header]
    found = []
    for name in names:
        exact = [column for column, heading in enumerate(header) if heading.strip() == name.strip()]
        alike = [column for column, heading in enumerate(folded) if heading == fold(name)]
        if not (exact or alike):
            source.refuse(1, f"there is no column {name!r}", hint=f"Columns: {', '.join(h for h in header if h)}.\n{source.head}")
        found.append((exact or alike)[0])
    return tuple(dict.fromkeys(found))


def _roles(source: SourceFile) -> Roles:
    header = tuple(cell.strip() for cell in source.first_row)
    known = roles_of(header)
    options = source.options
    said: list[Assumption] = []

    def told(role: str, names: Sequence[str]) -> tuple[int, ...]:
        if not names:
            return ()
        columns = said_columns(source, header, names)
        said.append(Assumption(role, _named(header, columns), "as said", "said"))
        return columns

    item = told("item", options.item_columns)
    condition = told("condition", options.condition_columns)
    sentence = told("sentence", source.sentences_said)
    if options.per_item is not None and not item:
        said.append(Assumption("item", f"every {options.per_item} rows", "as said", "said"))
    taken = {*item, *condition, *sentence}
    if "item" not in known and "sentence" in known and _are_codes(body_of(source), known["sentence"]):
        # Such as stim, over s1, s2, s3: what numbers the items.
        number = known.pop("sentence")
        known.setdefault("item", number)
    if "sentence" in known and _is_elsewhere(source, known["sentence"]):
        # Such as stim, over 1a_sg, beside a column of sentences.
        known.pop("sentence")
    if not sentence and "sentence" in known and known["sentence"] not in taken:
        sentence = (known["sentence"],)
        said.append(_by_heading("sentence", header, sentence, "--sentence-column"))
    if not sentence and options.alternatives and (own := source.known.get("alternatives_in")) in header:
        sentence = (header.index(own),)
        said.append(
            Assumption(
                "sentence", _named(header, sentence), "its sentences hold the alternatives", "certain", "--sentence-column"
            )
        )
    if not item and options.per_item is None and "item" in known and known["item"] not in taken | set(sentence):
        item = (known["item"],)
        said.append(_by_heading("item", header, item, "--item-column"))
    taken = {*item, *condition, *sentence}
    if "condition" in known and known["condition"] not in taken and _is_of_all(source, known["condition"], item):
        known.pop("condition")
    if "condition" in known and known["condition"] not in taken and _is_of_kinds(source, known["condition"], item):
        known.pop("condition")
    placed = bool(options.item_columns and options.per_item and len(sentence) == 1 and not condition)
    placed = placed and not {"content", "region_number"} & set(known) - {"content" if known.get("content") in sentence else ""}
    if placed:
        said.append(_by_place_said(options.per_item))
    elif not condition:
        condition, why = _conditions(source, header, known, item, taken)
        is_open = "item" not in known or tells_apart(source, (known["item"],))
        placed = bool(options.per_item and not item and not condition and len(sentence) == 1 and is_open)
        if placed:
            said.append(_by_place_said(options.per_item))
        if condition:
            said.append(Assumption("condition", _named(header, condition), why, "certain", "--condition-column"))
    if options.alternatives and COLUMN in header and header.index(COLUMN) not in condition:
        condition = (*condition, header.index(COLUMN))
        said.append(Assumption("condition", "the alternatives within the sentences", "as said", "said", "--alternatives"))
    if not item and options.per_item is None and condition:
        item = _weak_item(source, header, condition, sentence)
        if item:
            why = "every one of its values has every condition once"
            said.append(Assumption("item", _named(header, item), why, "certain", "--item-column"))
    if not sentence and item and condition and not {"content", "region_number"} & set(known):
        sentence = _only_text(source, {*item, *condition})
        if sentence:
            said.append(
                Assumption(
                    "sentence", _named(header, sentence), "the only column of several words", "assumed", "--sentence-column"
                )
            )
    lettered = None
    if len(item) == 1 and not condition and not placed and len(sentence) == 1:
        lettered = _is_lettered(source, item[0], CODES if options.item_columns else CODES[:1])
    if lettered and not options.item_columns and _is_said_again(source, item[0], sentence[0]):
        item, lettered = (), None
    if lettered:
        said.append(Assumption("condition", f"what stands beside the number in {header[item[0]]}", "every row has one"))
    other = {role: column for role, column in known.items() if role not in ("item", "condition", "sentence")}
    if len(source.sentences_said) == 1 and (options.regions or source.known.get("format") == "region_rows"):
        # A row per region: what is called a sentence are its words, and the regions the columns that number or name them.
        other = {"content": sentence[0]} | {
            _kind_of_region(source, column): column for column in told("regions", options.regions)
        }
        sentence = ()
    return Roles(header, item, condition, sentence, other, options.per_item, lettered, placed, tuple(said))


def _is_of_kinds(source: SourceFile, column: int, item: tuple[int, ...]) -> bool:
    """Whether a column that is called type says of what kind each row is, fillers among them, and not in which condition: most items have
    several rows of a kind."""
    body = body_of(source)
    own = {row.cells[column].strip() for row in body}
    if not item or fold(source.first_row[column]) != "type" or not any(map(is_of_no_item, own)) or len(own) > _FEW_KINDS:
        return False
    times = Counter(_cells(row, (*item, column)) for row in body)
    several = {key[:-1] for key, count in times.items() if count > 1}
    return len(several) * 2 > len({key[:-1] for key in times})


def _by_place_said(size: int | None) -> Assumption:
    return Assumption("condition", f"row_1 to row_{size}, by the place of a row within its item", "as said", "said")


def _is_elsewhere(source: SourceFile, sentence: int) -> bool:
    """Whether nothing or codes of one word stand under the heading of the sentences, and sentences stand under another one."""
    body = body_of(source)
    others = [column for column in range(len(source.first_row)) if column != sentence]
    cells = [row.cells[sentence].strip() for row in body]
    are_codes = all(len(cell.split()) < 2 and re.search(r"\d", cell) for cell in cells)
    return (are_codes or not any(cells)) and any(_has_text(body, column) for column in others)


def _is_of_all(source: SourceFile, column: int, item: tuple[int, ...]) -> bool:
    """Whether a column that may say of what kind something is, such as `type`, says the same of all rows, several of which are of an item
    or of none that is known: it is no condition."""
    body = body_of(source)
    if fold(source.first_row[column]) not in ("type", "cell") or len(body) < 2:
        return False
    return len({plain(row.cells[column]) for row in body}) == 1 and not (item and tells_apart(source, item))


def _kind_of_region(source: SourceFile, column: int) -> str:
    """Whether a column numbers regions, or names them."""
    cells = [row.cells[column].strip() for row in body_of(source)]
    return "region_number" if all(_NUMBERED.fullmatch(cell) for cell in cells) else "region_name"


def _by_heading(role: str, header: Sequence[str], columns: tuple[int, ...], option: str) -> Assumption:
    return Assumption(role, _named(header, columns), "by its heading", "certain", option)


def _named(header: Sequence[str], columns: Sequence[int]) -> str:
    what = "column" if len(columns) == 1 else "columns"
    return f"{what} {', '.join(header[column] for column in columns)}"


def _conditions(
    source: SourceFile, header: Sequence[str], known: Mapping[str, int], item: tuple[int, ...], taken: set[int]
) -> tuple[tuple[int, ...], str]:
    """The columns of the condition by their headings: one that is called so, or several that name it together."""
    factors = tuple(
        column for column, heading in enumerate(header) if column not in taken and _FACTOR.search(fold(heading)) is not None
    )
    one = known.get("condition")
    regions = [known[role] for role in ("region_number", "region_name") if role in known]
    if (
        one is not None
        and one not in taken
        and (len(factors) < 2 or one not in factors or not item or tells_apart(source, (*item, one, *regions)))
    ):
        return (one,), "by its heading"
    if len(factors) > 1:
        return factors, "by their headings, a factor each"
    return ((one,), "by its heading") if one is not None and one not in taken else ((), "")


def body_of(source: SourceFile) -> list[TableRow]:
    """The first rows below the headings, as far as they can be told apart."""
    if "body" not in source.known:
        rows: list[TableRow] = []
        # What cannot be told apart further down is refused where the rows are read.
        with contextlib.suppress(FormatError):
            rows.extend(islice(source.rows(), 1, LOOKED_AT))
        # A row may hold more cells than there are headings; here all have as many, so that any column can be looked at.
        width = max((len(row.cells) for row in rows), default=0)
        width = max(width, len(list(source.first_row)) if source.first_row else 0)
        source.known["body"] = [replace(row, cells=row.cells + ("",) * (width - len(row.cells))) for row in rows]
    found: list[TableRow] = source.known["body"]
    return found


def _cells(row: TableRow, columns: Sequence[int]) -> tuple[str, ...]:
    return tuple(plain(row.cells[column]) for column in columns)


def tells_apart(source: SourceFile, columns: Sequence[int]) -> bool:
    """Whether no two rows have the same cells in these columns."""
    seen = Counter(_cells(row, columns) for row in body_of(source))
    return bool(seen) and max(seen.values()) == 1


def _weak_item(
    source: SourceFile, header: Sequence[str], condition: tuple[int, ...], sentence: tuple[int, ...]
) -> tuple[int, ...]:
    folded = [fold(heading) for heading in header]
    for name in _WEAK_ITEMS:
        if name in _COUNTED and name in folded and not _are_codes(body_of(source), folded.index(name)):
            continue
        if (
            name in folded
            and (column := folded.index(name)) not in {*condition, *sentence}
            and _is_crossed(source, column, condition)
        ):
            return (column,)
    return ()


def _is_crossed(source: SourceFile, item: int, condition: Sequence[int]) -> bool:
    """Whether every value of a column has every condition once, there being several of both."""
    return _is_crossed_by(body_of(source), (item,), condition)


def _is_crossed_by(body: Sequence[TableRow], item: Sequence[int], condition: Sequence[int]) -> bool:
    by_item: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for row in body:
        by_item.setdefault(_cells(row, item), []).append(_cells(row, condition))
    if len(body) == LOOKED_AT - 1 and len(by_item) > 2:
        by_item.pop(_cells(body[-1], item))  # its other rows may stand below those that are looked at
    sets = {frozenset(own) for own in by_item.values()}
    alone = all(len(set(own)) == len(own) for own in by_item.values())
    return len(by_item) > 1 and len(sets) == 1 and alone and len(next(iter(sets))) > 1 and ("",) * len(item) not in by_item


def _has_text(body: Sequence[TableRow], column: int) -> bool:
    """Whether nearly all cells of a column have several words, not looking at those that say that there is no sentence."""
    cells = [cell for row in body if (cell := row.cells[column].strip()) and not says_missing(cell)]
    long = sum(len(cell.split()) > 2 or len(unspaced_in(cell)) > 7 for cell in cells)
    return len(cells) * 2 > len(body) and long >= 0.8 * len(cells)


_TICKS = frozenset({"x", "✓", "✔", "✗", "✘", "☑", "•", "+", "ok"})


def is_ticked(body: Sequence[TableRow], column: int) -> bool:
    """Whether a column holds one sign for yes and nothing else: what somebody ticked is no word."""
    cells = {cell for row in body if (cell := row.cells[column].strip().casefold())}
    return len(body) > 1 and len(cells) == 1 and cells <= _TICKS


def _are_codes(body: Sequence[TableRow], column: int) -> bool:
    """Whether all cells are numbers, or letters with a number."""
    return bool(body) and all(_CODE.fullmatch(row.cells[column].strip()) for row in body)


def _only_text(source: SourceFile, taken: set[int]) -> tuple[int, ...]:
    """The one column that can be of sentences: whole ones, beside no column that could be a part of them."""
    body = body_of(source)
    columns = [column for column in range(len(source.first_row)) if column not in taken]
    found = [column for column in columns if _has_text(body, column) and _are_whole(body, column)]
    if len(found) != 1 or any(
        _is_wordy(body, column) and not _is_within(body, column, found[0]) for column in columns if column != found[0]
    ):
        return ()
    # One of s1, s2, s3 is a part of a sentence.
    stems = [re.sub(r"\d+\Z", "", fold(heading)) for heading in source.first_row]
    if re.search(r"\d\Z", source.first_row[found[0]].strip()) and stems.count(stems[found[0]]) > 1:
        return ()
    return (found[0],)


def _is_within(body: Sequence[TableRow], column: int, sentence: int) -> bool:
    """Whether the words of a column stand in the sentence of their row, in nearly all rows: such as a target word."""
    rows = [(row.cells[column].strip().casefold(), row.cells[sentence].casefold()) for row in body if row.cells[column].strip()]
    held = sum(re.search(rf"(?<!\w){re.escape(word.strip('.,;:!?'))}(?!\w)", text) is not None for word, text in rows)
    return bool(rows) and held >= 0.8 * len(rows)


def _are_whole(body: Sequence[TableRow], column: int) -> bool:
    """Whether nearly all cells begin as sentences do, and end so or have many words."""
    cells = [row.cells[column].strip() for row in body if row.cells[column].strip()]
    begun = [cell for cell in cells if not cell.lstrip("*?#%\"'“‘«¿¡([ ")[:1].islower()]
    ended = [cell for cell in cells if _ENDED.search(cell) or len(cell.split()) > 4]
    return len(begun) >= 0.8 * len(cells) and len(ended) >= 0.8 * len(cells)


def _is_wordy(body: Sequence[TableRow], column: int) -> bool:
    """Whether the cells of a column may be parts of sentences: words, and more than the two that a judgement has."""
    cells = [row.cells[column].strip() for row in body if row.cells[column].strip()]
    words = [cell for cell in cells if re.search(r"[^\W\d_]{2}", cell)]
    return len(words) * 2 > len(cells) > 0 and len(set(cells)) > 2


def _is_lettered(source: SourceFile, item: int, codes: Sequence[re.Pattern[str]] = CODES) -> re.Pattern[str] | None:
    """How all items are numbers with a letter or name beside them, no one twice, and every letter is that of several; None where they are
    not."""
    return code_of([plain(row.cells[item]) for row in body_of(source)], codes)


def _is_said_again(source: SourceFile, coded: int, sentence: int) -> bool:
    """Whether what a column of codes such as wh.1.a says stands in columns of its own, too: the items in one, and the letters in several that
    are factors."""
    rows = [row.cells for row in body_of(source)]
    matches = [match for cells in rows if (match := LETTERED.fullmatch(plain(cells[coded]))) is not None]
    numbers, letters = [match[1] for match in matches], [letter_of(match) for match in matches]
    others = [c for c in range(len(source.first_row)) if c not in (coded, sentence) and source.first_row[c].strip()]
    values = {c: [plain(cells[c]) for cells in rows] for c in others}
    items = [c for c in others if len(set(values[c])) == len(set(numbers)) == len(set(zip(values[c], numbers, strict=True)))]
    factors = [c for c in others if c not in items and 1 < len(set(values[c])) < len(set(letters))]
    factors = [c for c in factors if len(set(zip(letters, values[c], strict=True))) == len(set(letters))]
    combined = set(zip(*(values[c] for c in factors), strict=True)) if len(factors) > 1 else set()
    return bool(items) and len(combined) == len(set(letters))


# ---- what the cells allow


def propose(source: SourceFile) -> None:
    """Ask what the columns of a table are, where the cells allow something: item and condition, or a column per condition. Gives
    nothing back where they do not."""
    if source.options.header_row is None:
        is_title = False
        before: TableRow | None = None
        for number, row in enumerate(islice(source.rows(), 12)):
            filled = [cell for cell in row.cells if cell.strip()]
            if not number:
                is_title = len(filled) == 1
            are_known = len(roles_of(row.cells)) > 1 or (is_title and not any(len(cell.split()) > 3 for cell in filled))
            if number and are_known and len(filled) > 2:
                alone = FileAnswer("yes", "the headings stand there; what stands above is left out", {"header_row": row.line})
                source.ask(
                    row.line,
                    f"the headings seem to stand here: {', '.join(cell.strip() for cell in row.cells[:8])}",
                    f"Do the headings stand in {source.place(row.line)}? What stands above it would be left out.",
                    [*_under_others(source, before, row), alone],
                )
            before = row
    found, body = roles(source), body_of(source)
    if not found.sentence and numbered_parts(source) and (regions := list(region_ways(source))):
        _ask(source, regions)
    if not found.condition:
        _expect_no_key(source, [c for c, heading in enumerate(found.header) if heading and _has_text(body, c)])
    _propose_rows(source)
    header = found.header
    while header and not header[-1] and not any(row.cells[len(header) - 1].strip() for row in body):
        header = header[:-1]
    if len(header) < 2 or not body:
        return
    found = replace(found, header=header)
    texts = list(found.sentence) or [c for c in range(len(header)) if c not in found.item and _has_text(body, c)]
    if len(several := [c for c in texts if len({row.cells[c] for row in body}) > 1]) > 1:
        texts = several  # the others say something of the file as a whole
    if not found.assumptions and any(_reads_as_sentence(header[column]) for column in texts):
        _ask_headings(source, header, texts)
    if not all(header):
        return
    if (contexts := list(context_ways(source))) and not source.options.regions:
        _ask(source, contexts)
    begun = [cell.lstrip()[:1] for row in body for cell in [row.cells[texts[0]]] if cell.strip()] if len(texts) == 1 else []
    if begun and not found.sentence and sum(map(str.islower, begun)) * 2 > len(begun) and (regions := list(region_ways(source))):
        _ask(source, regions)  # the end of sentences, which begin in other columns
    if len(texts) == 1:
        answers = list(_lettered(source, found, texts[0]) or _long(source, found, texts[0]))
        if not answers and not found.condition:
            answers = list(place_ways(header, body, found.item, texts[0])) or list(_one_list(source, found, texts[0]))
        if answers:
            _ask(source, answers)
    elif len(texts) > 1 and not found.condition:
        _expect_no_key(source, texts)
        if (labelled := labels_beside(source)[1]) and not source.options.sentence_columns:
            _ask(source, labelled)
        pairs = [(row.cells[one], row.cells[other]) for row in body for one, other in pairwise(texts)]
        likeness = likeness_of([pair for pair in pairs if all(cell.strip() for cell in pair)])
        told = [
            c for c in texts if _CONTEXT.fullmatch(fold(header[c])) is None and fold(header[c]) not in NOTES | _OTHER_TEXTS
        ] or texts
        if likeness.alike * 2 < likeness.pairs and (answers := [way for text in told for way in _long(source, found, text)]):
            # What stands beside the sentence is another text, such as a question about it.
            _ask(source, answers[:3])
        alike = _alike(body, texts)
        if crossed := crossed_ways(source, texts):
            _ask(source, crossed)
        choices = [[*texts, *sparse] for sparse in _choices(source, found, texts)]
        left = [header[column] for column in texts if column not in alike]
        if 1 < len(alike) < len(texts) and not _are_crossed([header[column] for column in alike], left):
            of_notes = any(fold(header[column]) in NOTES for column in texts if column not in alike)
            choices = [alike, *choices] if of_notes else [*choices, alike]
        ways = [tuple(header[column] for column in sorted(choice)) for choice in choices]
        numbering = None if found.item else _numbering(body, range(len(header)), {*texts, *_sparse(source, found, texts)})
        own: dict[str, object] = {} if numbering is None else {"item_columns": (header[numbering],)}
        if listed_columns(ways[0]):
            message = (
                f"{', '.join(ways[0])} are called as the lists of an experiment are, where the condition changes from row to row"
            )
            source.refuse(
                1,
                message,
                hint="Nothing here says which condition a sentence is in. Make a table with a row per sentence and the columns item, condition, "
                f"sentence and list.\nIf every column is one condition all the same, name them: --sentence-column.\n{source.head}\n",
                ways=stacked_ways(source),
            )
        _ask(
            source,
            [
                FileAnswer("", f"a row is an item, and {', '.join(w)} are its conditions", {"sentence_columns": w, **own})
                for w in ways
            ],
        )


def _are_crossed(some: Sequence[str], others: Sequence[str]) -> bool:
    """Whether headings are cells of one design, as two rows of headings make them: every one of the others shares a part with one of some."""
    parts = {part for heading in some for part in heading.split("_")}
    return len(others) > 1 and all("_" in heading and parts & set(heading.split("_")) for heading in others)


def _under_others(source: SourceFile, above: TableRow | None, row: TableRow) -> list[FileAnswer]:
    """That the row above headings is of them, too, where it holds something above several of them and only both together tell the columns
    apart."""
    own = [cell.strip() for cell in row.cells if cell.strip()]
    if above is None or source.options.header_rows is not None or len(set(own)) == len(own) or above.line != row.line - 1:
        return []
    joined = [cell for cell in next(source.under_one([above, row])).cells if cell]
    if len([cell for cell in above.cells if cell.strip()]) < 2 or len(set(joined)) < len(joined):
        return []
    means = f"the headings are two rows, together {', '.join(joined[:6])}; what stands above is left out"
    return [FileAnswer("both", means, {"header_row": above.line, "header_rows": 2})]


def _propose_rows(source: SourceFile) -> None:
    """Ask whether a table is turned, or has two rows of headings."""
    options = source.options
    rows = list(islice(source.rows(), 3))
    if len(rows) < 2 or len(rows[0].cells) < 3:
        return
    top = rows[0].cells
    numbered = [_ITEM_HEADING.fullmatch(cell.strip()) for cell in top]
    under_conditions = "condition" in roles_of(top[:1]) or not top[0].strip()
    stems = {re.sub(r"[\W_]*\d+\Z", "", cell.strip()) for cell in top[1:] if re.search(r"\d\Z", cell.strip())}
    are_alike = (
        under_conditions
        and len(stems) == 1
        and len(set(top[1:])) == len(top) - 1 > 1
        and all(cell[-1:].isdigit() for cell in top[1:])
    )
    item = roles(source).item
    are_numbered = bool(item) and tells_apart(source, item) and not under_conditions
    if not options.transpose and not are_numbered and (sum(map(bool, numbered)) >= max(2, len(top) - 1) or are_alike):
        source.ask(
            1,
            f"its columns seem to be items: {', '.join(cell.strip() for cell in top[:5])}",
            "The columns seem to be items, and the rows conditions. Is the table turned?",
            [FileAnswer("yes", "its rows are columns, and its columns rows", {"transpose": True})],
        )
    expect_one_heading(source)


def expect_one_heading(source: SourceFile) -> None:
    """Ask whether a table has two rows of headings: the first is above several columns each, and the second says one thing several times."""
    options = source.options
    rows = list(islice(source.rows(), 2))
    if len(rows) < 2 or len(rows[0].cells) < 3:
        return
    top, second = rows[0].cells, rows[1].cells
    filled = [cell for cell in top if cell.strip()]
    below = [cell for cell in second if cell.strip()]
    cells = list(zip(top, (*second, *[""] * (len(top) - len(second))), strict=False))
    spans = any(cell.strip() and not above.strip() for above, cell in cells)
    are_names = len(set(below)) < len(below) and not any(_NUMBERED.fullmatch(cell.strip()) for cell in below)
    is_above = len(filled) > 0 and spans and are_names and len(below) * 2 > len(second)
    # A heading that stands over several columns, each of which has its own name below.
    twice = [n for n, cell in enumerate(top) if cell.strip() and list(top).count(cell) > 1]
    own = [second[n].strip() if n < len(second) else "" for n in twice]
    joined_apart = len(set(next(source.under_one(rows)).cells)) == len(top) if rows else False
    is_over = bool(twice) and all(own) and not set(own) & {top[n].strip() for n in twice} and joined_apart
    is_above = is_above or (is_over and not any(len(cell.split()) > 3 or _ENDED.search(cell) for cell in below))
    if options.header_rows is None and options.headings is None and is_above and not any(len(cell.split()) > 3 for cell in below):
        _expect_no_third(source)
        joined = next(source.under_one(rows[:2])).cells
        source.ask(
            1,
            f"there seem to be two rows of headings: {', '.join(joined[:6])}",
            f"Are the first two rows headings, together {', '.join(joined[:6])}?",
            [FileAnswer("yes", f"the headings are {', '.join(joined[:6])}", {"header_rows": 2})],
        )


def _expect_no_third(source: SourceFile) -> None:
    """Refuse a table whose headings stand in three rows, the third of which numbers what the second names: conditions over regions."""
    rows = list(islice(source.rows(), 3))
    if len(rows) < 3:
        return
    top, names, third = ([cell.strip() for cell in row.cells] for row in rows)
    under = [cell for above, cell in zip(names, third, strict=False) if above]
    if len(under) < 4 or not all(_NUMBERED_HEADING.fullmatch(cell) for cell in under) or len(set(under)) == len(under):
        return
    conditions, regions = first_seen(cell for cell in top if cell), first_seen(cell for cell in names if cell)
    lines = f"{source.place(rows[0].line)} to {source.place(rows[2].line)}"
    joined = next(source.under_one(rows)).cells
    ways = []
    if (found := side_by_side(joined)) is not None and set(found.parts) == set(conditions):
        items = [joined[c] for c in found.shared if "item" in roles_of([joined[c]]) or fold(joined[c]) in _ITEM_NUMBERS]
        options = {
            "header_rows": 3,
            "stack": True,
            "item_columns": tuple(items[:1]),
            "condition_columns": (PART,),
            "regions": found.roles,
            "attributes": tuple(joined[c] for c in found.shared if joined[c] not in items[:1]),
        }
        means = f"{', '.join(conditions)} are conditions, each with the regions {', '.join(found.roles)}"
        ways = [FileAnswer("yes", means, {key: value for key, value in options.items() if value})]
    source.refuse(
        rows[0].line,
        f"there are three rows of headings ({lines}): conditions ({', '.join(conditions)}) over regions ({', '.join(regions)}) over their "
        "numbers",
        ways=ways,
        hint="Put the conditions below each other: one row of headings, and for every item a row per condition, such as\n"
        f"  {','.join(['item', 'condition', *regions])}\n"
        + "".join(f"  1,{condition},{','.join('…' for _ in regions)}\n" for condition in conditions[:2])
        + f"Then the table comes in as it is.\n{source.head}\n",
    )


_ITEM_NUMBERS = frozenset({"no", "nr", "number", "num", "n", "nummer", "numero"})
_NUMBERED_HEADING = re.compile(r"[^\W\d_]{0,7}[ _.-]?\d{1,2}")


def _ask_headings(source: SourceFile, header: Sequence[str], texts: Sequence[int]) -> NoReturn:
    """Ask for the headings of a table without any, or refuse it: which column is which where the rows are crossed."""
    message = "the first row seems to be no headings, but a sentence with what belongs to it"
    rows = [TableRow(1, tuple(source.first_row)), *body_of(source)]
    others = [column for column in range(len(header)) if column not in texts]
    ways = [
        (item, condition)
        for item in others
        for condition in others
        if item != condition and len(texts) == 1 and _crosses(rows, item, condition)
    ]
    alike = {way: _likeness(rows, texts[0], way[:1]) for way in ways}
    # Where the two are exchanged, the sentences of an item are about different things.
    ways = [way for way in sorted(ways, key=lambda way: -alike[way])[:2] if alike[way] * _OWN >= max(alike.values())]
    answers: list[FileAnswer] = []
    for item, condition in ways:
        names = {item: "item", condition: "condition", texts[0]: "sentence"}
        headings = _headings_said(source, [names.get(column, f"column_{column + 1}") for column in range(len(header))])
        means = f"items {rows[0].cells[item]} …, conditions {rows[0].cells[condition]} …"
        answers.append(FileAnswer(str(len(answers) + 1) if len(ways) > 1 else "yes", means, {"headings": headings}))
    if answers:
        source.ask(1, message, f"{message[0].upper()}{message[1:]}. Are these its columns?", answers)
    if len(texts) > 1 and len(others) < 2:
        names = {column: f"condition_{n}" for n, column in enumerate(texts, 1)}
        # What is the same in several rows numbers none.
        is_item = {c: tells_apart(source, (c,)) and not _is_measure(row.cells[c] for row in rows) for c in others}
        names |= {column: "item" if is_item[column] else f"column_{column + 1}" for column in others}
        options = {
            "headings": _headings_said(source, [names[c] for c in range(len(header))]),
            "sentence_columns": tuple(names[c] for c in texts),
        }
        source.ask(
            1,
            message,
            f"{message[0].upper()}{message[1:]}. Is every row an item, with its conditions in the same order everywhere?",
            [FileAnswer("yes", "a row is an item; its conditions are called by the place of their column", options)],
        )
    judging = next((c for c in others if {row.cells[c].strip() for row in rows} == {"0", "1"}), None)
    marks = [c for c in others if (own := {row.cells[c].strip() for row in rows}) <= _MARKS and "*" in own and c != judging]
    called = dict.fromkeys(texts, "sentence") | dict.fromkeys(marks, "mark") | ({} if judging is None else {judging: "label"})
    single = _single_ways(rows, judging, marks) if len(texts) == 1 else []
    unnamed = {"headings": _headings_said(source, [called.get(column, f"column_{column + 1}") for column in range(len(header))])}
    source.refuse(
        1,
        message,
        hint=f"Say its headings, with item and condition where they stand, such as --headings {unnamed['headings']}. Where no column "
        f"says which sentences are of one item, write one that does.\n{source.head}\n",
        ways=[
            replace(way, options={**unnamed, **way.options})
            for named in [replace(source, options=replace(source.options, headings=unnamed["headings"]), known={})]
            for way in (
                *long_ways(named),
                *(single if single else row_ways(named)),
                *place_ways(named.first_row, body_of(named), (), texts[0]),
            )
        ],
    )


_MARKS = frozenset({"", "*", "?", "??", "*?", "?*", "#", "%", "ok", "**", "???"})


def _single_ways(rows: Sequence[TableRow], judging: int | None, marks: Sequence[int]) -> list[FileAnswer]:
    """That every row is an item of its own, as in a list of judged sentences: where a column of 0 and 1 says one of them more often than the
    other, so that they are no pairs. Which of them is good, a column of marks may say."""
    if judging is None:
        return []
    times = Counter(row.cells[judging].strip() for row in rows)
    if len(set(times.values())) == 1:
        return []
    options: dict[str, object] = {"per_item": 1, "condition_columns": ("label",), "sentence_columns": ("sentence",)}
    bad = {row.cells[judging].strip() for row in rows for c in marks if "*" in row.cells[c]}
    if len(bad) == 1:
        options["good"] = (f"label={'1' if bad == {'0'} else '0'}",)
    return [FileAnswer("", "every row is an item of its own, a single sentence, with its condition by label", options)]


def _headings_said(source: SourceFile, names: Sequence[str]) -> str:
    """Headings as one says them: nothing for columns that hold nothing before others."""
    places = {source.column_number(column): name for column, name in enumerate(names)}
    return ",".join(places.get(number, "") for number in range(1, max(places) + 1))


def _crosses(rows: Sequence[TableRow], item: int, condition: int) -> bool:
    by_item: dict[str, list[str]] = {}
    for row in rows:
        by_item.setdefault(plain(row.cells[item]), []).append(plain(row.cells[condition]))
    sets = {tuple(sorted(own)) for own in by_item.values()}
    return len(by_item) > 1 and len(sets) == 1 and len(set(next(iter(sets)))) == len(next(iter(sets))) > 1


def beside_pairs(source: SourceFile, pair: Sequence[int]) -> tuple[int, ...]:
    """Other columns of sentences that are not called notes: an item may have more than two."""
    header, body = roles(source).header, body_of(source)
    others = [c for c in range(len(header)) if header[c] and c not in pair and fold(header[c]) not in NOTES]
    return tuple(c for c in others if _has_text(body, c) and _are_sentences(body, c))


def _alike(body: Sequence[TableRow], texts: Sequence[int]) -> list[int]:
    """The most columns whose sentences differ in a few words from those of one of them; notes beside the sentences do not."""

    def like(one: int) -> list[int]:
        others = [c for c in texts if c != one]
        found = {
            c: likeness_of([(row.cells[one], row.cells[c]) for row in body if row.cells[one].strip() and row.cells[c].strip()])
            for c in others
        }
        return [c for c in texts if c == one or (found[c].pairs and found[c].alike * 2 > found[c].pairs)]

    return max(map(like, texts), key=len)


def _choices(source: SourceFile, found: Roles, texts: Sequence[int]) -> list[tuple[int, ...]]:
    """Which columns that few rows have may be conditions beside those of all rows: all of them, or none."""
    sparse = _sparse(source, found, texts)
    return [sparse, ()] if sparse else [()]


_REMARK_BEHIND = re.compile(r"(?<=\w) \([^()]*\)\Z")
"""A remark in brackets that ends a heading, such as what the bars in its column are."""


def _reads_as_sentence(heading: str) -> bool:
    words = len(_REMARK_BEHIND.sub("", heading).split())
    return words > 5 or (words > 3 and heading.rstrip("\"'”’») ").endswith((".", "?", "!")))


def _key(source: SourceFile, texts: Sequence[int]) -> tuple[str, list[str]] | None:
    """The heading of a column that says row by row which of two columns is meant, and its values; None where there is no such."""
    header, body = [cell.strip() for cell in source.first_row], body_of(source)
    if len(texts) != 2:
        return None
    asked = [c for c in texts if all(row.cells[c].strip().endswith("?") for row in body)]
    if len(asked) == 1 or any(fold(header[column]) in NOTES | _OTHER_TEXTS for column in texts):
        # A question about a sentence is no other sentence.
        return None
    names = {fold(header[column]) for column in texts} | {fold(header[column]).rpartition("_")[2] for column in texts}
    names |= {"a", "b", "1", "2", "0", "first", "second", "left", "right"}
    for column, heading in enumerate(header):
        said = {fold(row.cells[column]) for row in body}
        if column not in texts and len(said) == 2 and said <= names and not tells_apart(source, (column,)):
            other = fold(header[texts[1]])
            values = sorted(first_seen(row.cells[column].strip() for row in body))
            # A value that names the other column says nothing else than the one that names the first.
            return heading, [value for value in values if fold(value) != other.rpartition("_")[2] and not _numbers(value, other)]
    return None


def _numbers(value: str, heading: str) -> bool:
    """Whether a value is the number at the end of a heading, such as 2 of option2."""
    return value.isdecimal() and re.search(r"(?<!\d)" + value + r"\Z", heading) is not None


def _expect_no_key(source: SourceFile, texts: Sequence[int]) -> None:
    """Ask about a table in which another column says row by row which of two sentences is meant: its columns are no conditions."""
    if (key := _key(source, texts)) is None:
        return
    heading, values = key
    one, other = (source.first_row[text].strip() for text in texts)
    message = f"the column {heading!r} seems to say row by row which of {one!r} and {other!r} is meant"
    source.ask(
        1,
        message,
        f"{message[0].upper()}{message[1:]}. Where is {one} the good one?",
        [
            FileAnswer(
                value,
                f"where {heading} is {value}, {one} is the good sentence, elsewhere {other}",
                {"sentence_columns": (one, other), "good": (f"{heading}={value}",)},
            )
            for value in values
        ],
        hint=f"If the columns are conditions, say {flags_of({'sentence_columns': (one, other), 'format': 'condition_columns'})}.",
    )


def _ask(source: SourceFile, answers: list[FileAnswer]) -> NoReturn:
    if len(answers) > 1:
        answers = [FileAnswer(str(n), answer.means, answer.options) for n, answer in enumerate(answers, 1)]
    else:
        answers = [FileAnswer("yes", answers[0].means, answers[0].options)]
    listed = "\n".join(f"  {answer.word}: {answer.means}" for answer in answers)
    source.ask(
        1,
        f"cannot tell what its columns are: {', '.join(cell.strip() for cell in source.first_row[:10])}",
        f"Its columns do not say which item and condition a row is of. It could be:\n{listed}",
        answers,
    )


def _numbering(body: Sequence[TableRow], columns: Sequence[int], taken: set[int]) -> int | None:
    """The first column whose cells are all there and all different, and short."""
    for column in columns:
        cells = [row.cells[column].strip() for row in body]
        if column not in taken and all(cells) and len(set(cells)) == len(cells) and max(map(len, cells)) < 20:
            return column
    return None


def long_ways(source: SourceFile) -> Iterator[FileAnswer]:
    """Ways to take a table of which nothing is known with a row per item and condition, for each column of sentences."""
    found, body = roles(source), body_of(source)
    if len(found.header) < 2 or not body or not all(found.header):
        return
    if not source.options.regions and (ways := list(context_ways(source))):
        yield from ways
        return
    parts = numbered_parts(source)
    known = [c for c in range(len(found.header)) if c not in {*found.item, *parts} and _has_text(body, c)]
    beside = [c for c in known if _CONTEXT.fullmatch(fold(found.header[c])) or fold(found.header[c]) in NOTES | _OTHER_TEXTS]
    if not found.sentence and beside and len(beside) < len(known):
        for text in (c for c in known if c not in beside):
            yield from _long(source, found, text)
        return
    for text in found.sentence or [c for c in range(len(found.header)) if c not in {*found.item, *parts} and _has_text(body, c)]:
        yield from _long(source, found, text)


def context_ways(source: SourceFile) -> Iterator[FileAnswer]:
    """That a column of contexts and one of sentences are one text, each a region: where every item has one sentence in all of its
    conditions, and another context in each."""
    found, body = roles(source), _held_down(body_of(source))
    header = found.header
    texts = [
        c for c in range(len(header)) if c not in {*found.item, *found.condition} and _has_text(body, c) and _are_whole(body, c)
    ]
    # A question behind the sentence is put to people; one before it is its context.
    asked = [c for c in texts if c > min(texts) and all(row.cells[c].strip().endswith("?") for row in body)]
    texts = [c for c in texts if c not in asked and fold(header[c]) not in _OTHER_TEXTS]
    stems = {re.sub(r"[\W_]*\d+\Z", "", fold(header[c])) for c in texts}
    are_numbered = len(stems) == 1 and all(header[c].strip()[-1:].isdigit() for c in texts)
    # Sentences of one text, which are numbered alike, may be more than two.
    if not 2 <= len(texts) <= (_LEVELS if are_numbered else 2) or (found.item and tells_apart(source, found.item)):
        return
    items = [found.item] if found.item else [(c,) for c in range(len(header)) if c not in texts and _is_numbered(body, c)]
    for item in items:
        by_item: dict[tuple[str, ...], list[TableRow]] = {}
        for row in body:
            by_item.setdefault(_cells(row, item), []).append(row)
        same = [c for c in texts if all(len({plain(row.cells[c]) for row in rows}) == 1 for rows in by_item.values())]
        other = [
            c for c in texts if all(len({plain(row.cells[c]) for row in rows}) == len(rows) > 1 for rows in by_item.values())
        ]
        able = [found.condition] if found.condition else [(c,) for c in factors_of(source, item, body) if c not in texts]
        conditions = [own for own in able if _is_crossed_by(body, item, own)]
        if len(same) != len(texts) - 1 or len(other) != 1 or not conditions:
            continue
        if not are_numbered and other[0] > same[0] and _CONTEXT.fullmatch(fold(header[other[0]])) is None:
            continue  # one context for all of its sentences
        taken = {*item, *conditions[0], *texts}
        options: dict[str, object] = {
            **({} if found.item and not found.sentence else {"item_columns": tuple(header[c] for c in item)}),
            "condition_columns": tuple(header[c] for c in conditions[0]),
            "regions": tuple(header[c] for c in sorted(texts)),
            "attributes": tuple(header[c] for c in range(len(header)) if c not in taken and header[c]),
            "format": "region_columns",
        }
        names = " and ".join(header[c] for c in sorted(texts))
        kept = " and ".join(header[c] for c in same)
        are = "is" if len(same) == 1 else "are"
        means = f"{names} are one text, in this order, each a region: {kept} {are} the same in all conditions of an item"
        yield FileAnswer("", means, options)
        return


_CONTEXT = re.compile(
    r"(?:.*_)?(?:context|ctx|discourse|preamble|background|scenario|vignette|kontext|contexte|contexto)(?:_.*)?"
)
_OTHER_TEXTS = NOTES - {"context"} | {"probe", "task", "instruction", "instructions"}
"""Headings of texts that stand neither before nor behind a sentence."""


def stacked_ways(source: SourceFile) -> list[FileAnswer]:
    """That columns which stand side by side several times are rows below each other; none where there are no such."""
    found = None if source.options.stack else side_by_side(source.first_row)
    if found is None:
        return []
    body = body_of(source)
    if not any(all(_has_text(body, columns[role]) for columns in found.parts.values()) for role in range(len(found.roles))):
        return []
    means = f"{', '.join(found.roles)} of {', '.join(islice(found.parts, _KINDS))} are rows below each other"
    return [FileAnswer("", means, {"stack": True})]


def labels_beside(source: SourceFile) -> tuple[tuple[int, ...], list[FileAnswer]]:
    """The columns of labels that stand beside the sentences of a row, such as c1, s1, c2, s2, where each row has the same few labels, not all
    in one order; and that every label with its sentence is a row. None where no columns are such."""
    found = None if source.options.stack else side_by_side(source.first_row)
    body = body_of(source)
    if found is None or len(body) < 2:
        return (), []
    texts = [n for n in range(len(found.roles)) if all(_has_text(body, columns[n]) for columns in found.parts.values())]
    for label in [n for n in range(len(found.roles)) if n not in texts] if len(texts) == 1 else ():
        columns = tuple(own[label] for own in found.parts.values())
        rows = {tuple(plain(row.cells[column]) for column in columns) for row in body}
        if any(_is_measure(row.cells[column] for row in body) for column in columns):
            continue
        if len(rows) > 1 and len({tuple(sorted(row)) for row in rows}) == 1 and len(set(next(iter(rows)))) == len(columns):
            names = found.roles[label], found.roles[texts[0]]
            means = (
                f"each sentence is of the condition that the {names[0]} beside it says ({', '.join(sorted(next(iter(rows))))})"
            )
            options = {"stack": True, "condition_columns": names[:1], "sentence_columns": names[1:]}
            return columns, [FileAnswer("yes", means, options)]
    return (), []


def numbered_parts(source: SourceFile) -> tuple[int, ...]:
    """The columns that are numbered alike, such as r1 to r5, from 1 or 0 on, three or more, and hold words that are no whole sentences each:
    parts of one sentence; none where there are no such."""
    by_stem: dict[str, dict[int, int]] = {}
    for column, heading in enumerate(source.first_row):
        if (match := _PART.fullmatch(fold(heading))) is not None:
            by_stem.setdefault(match["stem"], {})[int(match["number"])] = column
    body = body_of(source)
    for own in by_stem.values():
        columns = tuple(own[number] for number in sorted(own))
        is_run = sorted(own) in (list(range(len(own))), list(range(1, len(own) + 1)))
        cells = [row.cells[column] for row in body for column in columns if row.cells[column].strip()]
        are_words = all(re.search(r"[^\W\d_]", cell) for cell in cells)
        if len(own) > 2 and is_run and cells and are_words and not all(_are_whole(body, column) for column in columns):
            return columns
    return ()


_PART = re.compile(r"(?P<stem>r|reg|region|rgn|w|word|wort|mot|woord|seg|segment|chunk|part|phrase|p)_?(?P<number>\d{1,2})")
"""What the parts of a sentence are called where they are numbered."""


def region_ways(source: SourceFile) -> Iterator[FileAnswer]:
    """The way to take a table whose columns are parts of sentences: the first columns that cross with the item are the condition."""
    found, body = roles(source), _held_down(body_of(source))
    header = found.header
    if found.sentence or found.condition or not body or not all(header) or len(header) < 4:
        return
    parts = numbered_parts(source)
    items = [found.item] if found.item else [(c,) for c in range(len(header)) if _are_codes(body, c)]
    for item in items:
        able = [column for column in factors_of(source, item, body) if column not in parts]
        for condition in (own for size in (1, 2, 3) for own in combinations(able[:6], size)):
            rest = [c for c in range(len(header)) if c not in {*item, *condition} and (c in parts or _is_wordy(body, c))]
            if len(rest) < 2 or not _is_crossed_by(body, item, condition):
                continue
            options: dict[str, object] = {"condition_columns": tuple(header[column] for column in condition)}
            if not found.item:
                options["item_columns"] = tuple(header[column] for column in item)
            if parts:
                options["regions"] = tuple(header[column] for column in parts)
            means = f"items by {_listed(header, item)}, conditions by {_listed(header, condition)}, and a column per region"
            yield FileAnswer("", means, options)
            return


def _is_measure(cells: Iterable[str]) -> bool:
    """Whether cells measure something, such as a mean: numbers with decimals, which are no codes of a contrast such as .5 and -.5."""
    own = {cell.strip().replace(",", ".") for cell in cells if cell.strip()}
    if not own or not all(map(_MEASURE.fullmatch, own)) or all(_NUMBERED.fullmatch(cell) for cell in own):
        return False
    numbers = {float(cell) for cell in own}
    return len(numbers) > 3 or numbers != {-number for number in numbers}


def is_measure(source: SourceFile, column: int) -> bool:
    """Whether the cells of a column measure something, such as a mean, or are called as judgements are."""
    return fold(source.first_row[column]) in JUDGES or _is_measure(row.cells[column] for row in body_of(source))


def is_of_people(heading: str, cells: Iterable[str]) -> bool:
    """Whether a column says who saw a sentence, in which list, or on which day: that is no condition of it."""
    own = [cell for cell in cells if cell.strip()]
    says_who = is_person(heading) and not _names_levels(heading, own)
    return says_who or fold(heading) in _LISTS or (bool(own) and all(map(is_date, own)))


def _names_levels(heading: str, cells: Sequence[str]) -> bool:
    """Whether a heading that may mean the subject of a sentence stands over a few words, such as sg and pl, and not over codes of people."""
    own = {cell.strip() for cell in cells}
    words = [cell for cell in own if re.search(r"[a-zß-ÿ]{2}", cell) and not re.search(r"\d", cell)]
    may_be_grammatical = fold(heading).startswith(("subj", "sujet", "sujeto", "soggetto", "onderwerp"))
    return may_be_grammatical and 1 < len(own) <= 4 and len(words) == len(own)


def factors_of(source: SourceFile, item: Sequence[int], body: Sequence[TableRow] = ()) -> list[int]:
    """The columns that say the same few things in every item, and several: not one of words, which say other things in other items."""
    found = []
    body = body or body_of(source)
    for column, heading in enumerate(source.first_row):
        own: dict[tuple[str, ...], set[str]] = {}
        for row in body:
            own.setdefault(_cells(row, item), set()).add(plain(row.cells[column]))
        said = {frozenset(values) for values in own.values()}
        if heading.strip() and column not in item and len(own) > 1 and len(said) == 1 and 1 < len(next(iter(said))) <= _LEVELS:
            found.append(column)
    return found


def kinds_of(source: SourceFile) -> Iterator[FileAnswer]:
    """Of columns that say of what kind each row is, which rows are read, those with most rows first: not of one whose values are
    conditions, in which the sentences of an item share their words."""
    own, body = roles(source), body_of(source)
    factors = factors_of(source, own.item) if own.item and not own.sentence else []
    beside, _ = labels_beside(source)
    for column, heading in enumerate(own.header):
        times = Counter(row.cells[column].strip() for row in body)
        if (
            not heading
            or column in {*own.item, *own.condition, *factors, *beside}
            # What was to be answered, or who answered, says of no kind that a row is.
            or _KEY.fullmatch(fold(heading))
            or is_person(heading)
            # What is written in words of its own says something of one row, and of no kind of them.
            or any(len(value.split()) > _KIND_WORDS for value in times)
            or not 1 < len(times) <= _KINDS
            or len(times) * 2 > len(body)
        ):
            continue
        if _is_count(heading, times) or _are_items(heading, times) or _is_within_items(source, column):
            continue
        if _parts_a_design(own, body, column):
            continue
        for value, count in times.most_common():
            if value and _PRACTICE.match(value) is None and not is_of_no_item(value) and not is_not_to_be_used(heading, value):
                yield FileAnswer(
                    "", f"rows whose {heading} is {value}, {count:,} of {len(body):,}", {"only": (f"{heading}={value}",)}
                )


_ROW_NUMBERS = frozenset({"number", "no", "nr", "num"})
"""Headings of numbers that may be those of items."""
_KEY = re.compile(
    r"(?:(?:corr|correct|expected|right)_?)?(?:ans|answer|resp|response)s?|(?:corr|correct|expected|right)_?keys?|(?:ans|answer|resp|response)_?key"
)
"""Headings of the right answers to questions."""
_PRACTICE = re.compile(r"prac|train|exercise|warm|demo|übung|ubung|oefen|entra[iî]n|prueba|prova|probe(?!s)", re.IGNORECASE)
"""What rows for practice are called, which are never what a file is for."""


def _are_items(heading: str, times: Mapping[str, int]) -> bool:
    """Whether the numbers of a column are those of items, not of kinds: there are as many of them as any of them has rows."""
    is_named = fold(heading) in _PARTS_OF_ITEMS | _LISTS | _EXPERIMENTS
    return not is_named and len(times) >= max(times.values()) and all(value.isdecimal() for value in times)


def _parts_a_design(own: Roles, body: Sequence[TableRow], column: int) -> bool:
    """Whether a column that is called neither list nor experiment has several values under each of which whole items have the same conditions:
    to leave one out would throw items of one design away."""
    if own.item and own.condition and _are_latin_lists(own, body, column):
        return True
    if fold(own.header[column]) in _PARTS_OF_ITEMS | _LISTS | _EXPERIMENTS:
        return False
    if not own.item:
        numbers = [c for c, heading in enumerate(own.header) if fold(heading) in _ROW_NUMBERS and c != column]
        return any(_is_crossed_by(body, (c,), (column,)) for c in numbers)
    if not own.condition:
        return False
    items: dict[tuple[str, ...], tuple[set[tuple[str, ...]], set[str]]] = {}
    for row in body:
        conditions, values = items.setdefault(_cells(row, own.item), (set(), set()))
        conditions.add(_cells(row, own.condition))
        values.add(plain(row.cells[column]))
    designs: dict[frozenset[tuple[str, ...]], set[str]] = {}
    for conditions, values in items.values():
        if len(values) == 1 and len(conditions) > 1:
            designs.setdefault(frozenset(conditions), set()).update(values)
    return any(len(values) > 1 for values in designs.values())


def _are_latin_lists(own: Roles, body: Sequence[TableRow], column: int) -> bool:
    """Whether most items have each of their conditions under another value of a column, and the values share two conditions or more: each
    participant sees one of these lists, and one list alone lacks conditions of every item."""
    items: dict[tuple[str, ...], dict[str, set[tuple[str, ...]]]] = {}
    seen: dict[str, set[tuple[str, ...]]] = {}
    for row in body:
        value, condition = plain(row.cells[column]), _cells(row, own.condition)
        items.setdefault(_cells(row, own.item), {}).setdefault(value, set()).add(condition)
        seen.setdefault(value, set()).add(condition)
    parted = [lists for lists in items.values() if len(lists) > 1 and not set.intersection(*lists.values())]
    return len(parted) * 2 > len(items) and len(set.intersection(*seen.values())) > 1


def _is_count(heading: str, values: Iterable[str]) -> bool:
    """Whether a column counts or measures something, such as words, so that its values are no kinds of rows: numbers that are not those of
    lists or experiments, and do not number kinds from 0 or 1 on."""
    own = {value.strip() for value in values if value.strip()}
    if not own or fold(heading) in _PARTS_OF_ITEMS | _LISTS | _EXPERIMENTS or not all(map(_MEASURE.fullmatch, own)):
        return False
    numbers = sorted({float(value.replace(",", ".")) for value in own})
    return numbers[0] not in (0, 1) or numbers != [numbers[0] + n for n in range(len(numbers))]


def _is_within_items(source: SourceFile, column: int) -> bool:
    """Whether sentences of an item share more over the values of a column than sentences of neighbouring items do."""
    own, body = roles(source), body_of(source)
    texts = own.sentence or tuple(c for c in range(len(own.header)) if _has_text(body, c))
    if not own.item or len(texts) != 1 or column in texts:
        return False
    by_item: dict[tuple[str, ...], dict[str, str]] = {}
    for row in body:
        by_item.setdefault(_cells(row, own.item), {}).setdefault(row.cells[column].strip(), row.cells[texts[0]])
    several = [list(values.values()) for values in by_item.values() if len(values) > 1]
    if len(several) < 2:
        return False
    others = [[one[0], other[-1]] for one, other in zip(several, [*several[1:], several[0]], strict=True)]
    return shared_within(several) > _OWN * shared_within(others)


def block_ways(source: SourceFile) -> Iterator[FileAnswer]:
    """That what stands between blank rows is an item, where no column says the item and all such blocks have as many rows, two or more."""
    if source.options.blank_rows or roles(source).item or source.options.per_item:
        return
    sizes: list[int] = []
    for number, row in enumerate(body_of(source)):
        if row.is_begin or not number:
            sizes.append(0)
        sizes[-1] += 1
    if len(sizes) > 1 and len(set(sizes)) == 1 and sizes[0] > 1:
        options = {"blank_rows": True, "item_columns": (BLOCK,)}
        yield FileAnswer("", f"what stands between blank rows is an item, {len(sizes):,} of {sizes[0]} rows", options)


def row_ways(source: SourceFile) -> Iterator[FileAnswer]:
    """Ways to take a table with a column of sentences in which every row is an item of its own."""
    found, body = roles(source), body_of(source)
    texts = [c for c, heading in enumerate(found.header) if heading and _has_text(body, c)]
    if len(texts) != 1 or found.item or source.options.alternatives:
        return
    by_words = list(_by_words(source, found, texts[0]))
    yield from by_words
    if by_words or _have_partners(body, texts[0]):
        return  # items whose rows are shuffled
    numbers = [c for c, heading in enumerate(found.header) if fold(heading) in _ROW_NUMBERS and _is_own_number(body, c)]
    for column, heading in sorted(enumerate(found.header), key=lambda own: fold(own[1]) not in JUDGES):
        values = {row.cells[column].strip() for row in body}
        if heading and column not in texts and 1 < len(values) <= _KINDS and len(values) * 2 <= len(body) and "" not in values:
            item = {"item_columns": (found.header[numbers[0]],)} if numbers else {"per_item": 1}
            options = {**item, "condition_columns": (heading,), "sentence_columns": (found.header[texts[0]],)}
            yield FileAnswer("", f"every row is an item of its own, with its condition by {heading}", options)


def _is_own_number(body: Sequence[TableRow], column: int) -> bool:
    """Whether a column has another number in every row."""
    cells = [row.cells[column].strip() for row in body]
    return all(map(str.isdecimal, cells)) and len(set(cells)) == len(cells)


def _by_words(source: SourceFile, found: Roles, text: int) -> Iterator[FileAnswer]:
    """Ways to take a table in which nothing numbers the items and their sentences stand apart: by their words, with every condition once."""
    body = body_of(source)
    numbers = groups_of([row.cells[text] for row in body]) if 2 < len(body) <= _BY_WORDS else (0, 0)
    if isinstance(numbers, tuple):
        return
    # The list that a sentence stands in is a condition only where nothing else is.
    of_lists = [fold(heading) in _OF_TRIALS | _PARTS_OF_ITEMS | set(_WEAK_ITEMS) for heading in found.header]
    ways: list[tuple[bool, FileAnswer]] = []
    for column, heading in enumerate(found.header):
        own: dict[int, list[str]] = {}
        for number, row in zip(numbers, body, strict=True):
            own.setdefault(number, []).append(plain(row.cells[column]))
        several = [values for values in own.values() if len(values) > 1 and len(set(values)) == len(values)]
        usual = Counter(frozenset(values) for values in several).most_common(1)
        if (
            not heading
            or column == text
            or is_of_people(heading, [row.cells[column] for row in body])
            or not usual
            or usual[0][1] * 2 <= len(own)
            or not all(usual[0][0])
        ):
            continue
        options = {"items_by_words": True, "condition_columns": (heading,), "sentence_columns": (found.header[text],)}
        means = f"sentences that differ in a few words are an item, with its condition by {heading}"
        ways.append((of_lists[column], FileAnswer("", means, options)))
    yield from (way for is_list, way in ways[:_LEVELS] if not is_list or all(one for one, _ in ways))


def _have_partners(body: Sequence[TableRow], text: int) -> bool:
    """Whether nearly all sentences have one that differs from it in a few words."""
    texts = [row.cells[text] for row in body[:_PARTNERS]]
    alike = [any(likeness_of([(one, other)]).alike for m, other in enumerate(texts) if m != n) for n, one in enumerate(texts)]
    return len(texts) > 3 and sum(alike) >= 0.9 * len(texts)


def _long(source: SourceFile, found: Roles, sentence: int) -> Iterator[FileAnswer]:
    """Ways to take a table with one column of sentences: which columns are item and condition."""
    header, body = found.header, _held_down(body_of(source))
    values = {column: [plain(row.cells[column]) for row in body] for column in range(len(header)) if column != sentence}
    few = [
        column
        for column, cells in values.items()
        if column not in found.item
        and all(cells)
        and 2 <= len(set(cells)) <= _LEVELS
        and len(set(cells)) < len(cells)
        and not _has_text(body, column)
        and not _is_measure(cells)
        and not is_of_people(header[column], cells)
    ]
    # What counts something, such as words, and says the same as another column does, names no condition beside it.
    counted = [
        c for c in few if _is_count(header[c], values[c]) and any(_say_the_same(values[c], values[o]) for o in few if o != c)
    ]
    few = [column for column in few if column not in counted or all(o in counted for o in few)]
    few.sort(key=lambda column: (fold(header[column]) in JUDGES, column))
    choices = [found.condition] if found.condition else [own for size in (1, 2, 3) for own in combinations(few[:8], size)]
    given = (
        [found.item]
        if found.item
        else [
            (c,)
            for c, cells in values.items()
            if all(cells)
            and 1 < len(set(cells)) < len(cells)
            and not _is_measure(cells)
            # What is said of a sentence numbers no item.
            and not (fold(header[c]) in JUDGES and all(acceptability_of(cell) for cell in set(cells)))
        ]
    )
    # What numbers the lists or places of trials also crosses with the condition; the sentences of an item are alike.
    # What is called number and holds words is one of grammar.
    weak = {
        c
        for c, heading in enumerate(header)
        if fold(heading) in _WEAK_ITEMS and (fold(heading) not in _COUNTED or _are_codes(body, c))
    }
    given = sorted(given, key=lambda own: (own[0] not in weak, -_likeness(body, sentence, own)))
    ways: list[tuple[tuple[int, ...], FileAnswer]] = []
    taken: list[tuple[tuple[int, ...], set[int]]] = []
    # That of a judgement crosses with another factor only where nothing else tells the rows of an item apart.
    judged = [len(own) > 1 and any(fold(header[column]) in JUDGES for column in own) for own in choices]
    tried = [
        (item, condition)
        for is_judged in (False, True)
        for item in given
        for condition, own in zip(choices, judged, strict=True)
        if own == is_judged
    ]
    if corrected := _corrected(source, found, sentence, given, choices):
        yield from corrected
        return
    pairs = [(list_, own) for (list_,) in given for (own,) in given if list_ != own and fold(header[list_]) in _PARTS_OF_ITEMS]
    in_parts = [] if found.item else [(item, condition) for item in pairs for condition in choices]
    # Items may be numbered anew on every list; where nothing crosses, some may lack a condition.
    for candidates, whole in (([*tried, *in_parts], True), (tried, False)):
        if ways:
            break
        for item, condition in candidates:
            if set(item) & set(condition) or any(item == known and own <= set(condition) for known, own in taken):
                continue
            if ways and judged[choices.index(condition)]:
                continue
            if not whole and fold(header[condition[0]]) in _OF_TRIALS | JUDGES:
                continue
            told = _counted(body, sentence, item, condition, whole=whole, is_known=bool(found.item))
            if told is None:
                continue
            options: dict[str, object] = {"condition_columns": tuple(header[column] for column in condition)}
            if not found.item:
                options["item_columns"] = tuple(header[column] for column in item)
            if not found.sentence:
                options["sentence_columns"] = (header[sentence],)
            means = f"{told[0]:,} items by {_listed(header, item)}, {told[1]} conditions by {_listed(header, condition)}"
            lacking = f", {told[2]:,} of which lack a condition" if told[2] else ""
            ways.append((condition, FileAnswer("", means + lacking, options)))
            taken.append((item, set(condition)))
    if not ways:
        ways += _twice(source, found, sentence, given, choices)
    if not ways and not found.condition:
        ways += _numbered_again(source, found, sentence, given, choices)
    ways += _of_one_kind(source, found, sentence, given, [own for own in choices if len(own) == 1])
    if len(ways) > 1:
        # Where the roles of two columns are exchanged, the sentences of an item are about different things; headings say more.
        items = [found.item or _columns_of(header, answer) for _, answer in ways]
        counts = [
            tuple(len({_cells(row, own) for row in body}) for own in (item, condition))
            for item, (condition, _) in zip(items, ways, strict=True)
        ]
        # What counts from 1 on and has more values than any other column numbers items.
        most = max((len(set(values[c])) for own in items for c in own), default=0)
        counting = {c for own in items for c in own if len(set(values[c])) == most and all(map(str.isdecimal, values[c]))}
        rank = [(own[-1] in weak, own[-1] in counting, _likeness(body, sentence, own)) for own in items]
        exchanged = {
            n
            for n, (condition, _) in enumerate(ways)
            for m, (other, _) in enumerate(ways)
            if set(items[m]) & set(condition)
            and rank[n] < rank[m]
            # What numbers the items of a likelier way is no condition of fewer items.
            and (set(items[n]) & set(other) or counts[n][0] < counts[n][1])
        }
        # What is called a list or a trigger names a condition only where nothing else does.
        of_trials = [
            any(
                re.sub(r"_\d+\Z", "", fold(header[c])) in _OF_TRIALS and all(len(cell) < 4 for cell in values[c])
                for c in condition
            )
            for condition, _ in ways
        ]
        # What judges a sentence follows from its condition, where another column names that.
        judging = {n for n, (condition, _) in enumerate(ways) if all(fold(header[c]) in JUDGES for c in condition)}
        judging = {n for n in judging if any(items[m] == items[n] for m in range(len(ways)) if m not in judging)}
        likeness = [share for *_, share in rank]
        # Where the sentences of its items share much less than those of another way do, they are no items.
        unlike = {n for n in range(len(ways)) if likeness[n] * _MUCH_LESS < max(likeness)}
        groups = [_grouped(body, own) for own in items]
        again = {
            n
            for n, (condition, _) in enumerate(ways)
            for m, (other, _) in enumerate(ways)
            if items[m] != items[n] and condition == other and groups[n] == groups[m] and (rank[m], -m) > (rank[n], -n)
        }
        kept = (
            n for n in range(len(ways)) if n not in exchanged | unlike | again | judging and (not of_trials[n] or all(of_trials))
        )
        ways = [ways[n] for n in sorted(kept, key=lambda n: rank[n], reverse=True)]
        ways = _without_the_same(header, body, found, ways)
    yield from (answer for _, answer in ways[:3])
    if not ways and not found.item:
        for condition in choices:
            if any(
                fold(header[c]) in _OF_TRIALS or fold(header[c]) in _WEAK_ITEMS or fold(header[c]) == SHEET for c in condition
            ):
                continue  # the place of a row, which says nothing of its sentence
            own = [_cells(row, condition) for row in body]
            size = len(set(own))
            blocks = [own[n : n + size] for n in range(0, len(own), size)]
            texts = [[row.cells[sentence] for row in body[n : n + size]] for n in range(0, len(own), size)]
            are_alike = shared_within(texts) > _OWN * shared_within([list(one) for one in zip(*texts, strict=False)])
            if size > 1 and len(own) % size == 0 and are_alike and all(block == blocks[0] for block in blocks):
                options = {"condition_columns": tuple(header[column] for column in condition)}
                if not found.sentence:
                    options["sentence_columns"] = (header[sentence],)
                numbers = _numbers_of_blocks(values, size)
                if numbers is not None:
                    # A number that comes again is the same item, corrected, or the numbers begin anew: that is asked about.
                    options["item_columns"] = (header[numbers],)
                    means = f"items by {header[numbers]}, conditions by {_listed(header, condition)}"
                else:
                    options["per_item"] = size
                    means = f"every {size} rows are an item, with conditions by {_listed(header, condition)}"
                yield FileAnswer("", means, options)
                return


def _one_list(source: SourceFile, found: Roles, sentence: int) -> Iterator[FileAnswer]:
    """That items of one row each are those of one list of an experiment, in the conditions that all columns of few values make."""
    header, body = found.header, body_of(source)
    values = {c: [plain(row.cells[c]) for row in body] for c in range(len(header)) if c != sentence and c not in found.item}
    few = [c for c, own in values.items() if header[c] and all(own) and 1 < len(set(own)) <= _LEVELS and not _is_measure(own)]
    few = [c for c in few if fold(header[c]) not in JUDGES and not is_of_people(header[c], values[c])]
    # What numbers the places or lists of trials is no factor; a factor of words may be called so.
    few = [c for c in few if fold(header[c]) not in _OF_TRIALS or not all(own.isdecimal() for own in values[c])]
    times = Counter(_cells(row, few) for row in body)
    if not found.item or not tells_apart(source, found.item) or not few or min(times.values()) < 2 or len(times) < 2:
        return
    columns = {"item_columns": found.item, "condition_columns": few, "sentence_columns": (sentence,)}
    yield FileAnswer(
        "",
        f"as one list of an experiment: {len(body):,} items by {_listed(header, found.item)} with one sentence each, in one of {len(times)} "
        f"conditions by {_listed(header, few)}; their other {len(body) * (len(times) - 1):,} sentences are not here",
        {name: tuple(header[column] for column in own) for name, own in columns.items()},
    )


def _without_the_same(
    header: Sequence[str], body: Sequence[TableRow], found: Roles, ways: Sequence[tuple[tuple[int, ...], FileAnswer]]
) -> list[tuple[tuple[int, ...], FileAnswer]]:
    """The ways without those that say less than another one: what is called a list or group where factors have columns of their own, and items
    that are parts of those of another way, with some of its conditions."""
    cells = [[_cells(row, found.item or _columns_of(header, way)) for row in body] for _, way in ways]

    def says_less(n: int, m: int) -> bool:
        (condition, _), (other, _) = ways[n], ways[m]
        items, there = cells[n], cells[m]
        weak = {*_WEAK_ITEMS, *_PARTS_OF_ITEMS, *_LISTS}
        is_weak = len(condition) == 1 and fold(header[condition[0]]) in weak
        if items == there and is_weak and not any(fold(header[column]) in weak for column in other):
            return True
        is_part = len(set(zip(items, there, strict=True))) == len(set(items)) > len(set(there))
        numbering = set(found.item or _columns_of(header, ways[n][1]))
        return is_part and set(condition) < set(other) and not numbering & set(other)

    return [way for n, way in enumerate(ways) if not any(says_less(n, m) for m in range(len(ways)) if m != n)]


def _say_the_same(some: Sequence[str], others: Sequence[str]) -> bool:
    """Whether every value of one column stands beside one value of the other, and the other way round."""
    pairs = set(zip(some, others, strict=True))
    return len(pairs) == len(set(some)) == len(set(others))


def _corrected(
    source: SourceFile, found: Roles, sentence: int, given: Sequence[tuple[int, ...]], choices: Sequence[tuple[int, ...]]
) -> list[FileAnswer]:
    """Ways to take a table in which a remark says of some rows that they take the place of others: those are left out by their numbers, and
    what is left is whole."""
    header, body = found.header, body_of(source)
    new = {row.line for row in body if any(map(says_corrected, header, row.cells))}
    if not new or (source.is_spreadsheet and len(source.options.sheets) > 1):
        return []
    for item, condition in ((item, own) for item in given for own in choices if not set(item) & set(own)):
        keys = {_cells(row, (*item, *condition)) for row in body if row.line in new}
        gone = [row.line for row in body if row.line not in new and _cells(row, (*item, *condition)) in keys]
        left = [row for row in body if row.line not in gone]
        told = _counted(left, sentence, item, condition, whole=True, is_known=bool(found.item)) if gone else None
        if told is None:
            continue
        options: dict[str, object] = {
            "condition_columns": tuple(header[column] for column in condition),
            **({} if found.item else {"item_columns": tuple(header[column] for column in item)}),
            **({} if found.sentence else {"sentence_columns": (header[sentence],)}),
            "leave_out": (*source.options.leave_out, as_numbers(gone)),
        }
        means = f"{told[0]:,} items by {_listed(header, item)}, {told[1]} conditions by {_listed(header, condition)}"
        return [FileAnswer("", f"{means}; {_without(header, body, new, gone)}", options)]
    return []


def _without(header: Sequence[str], body: Sequence[TableRow], new: Collection[int], gone: Sequence[int]) -> str:
    """That rows are left out which others take the place of, with what is said of those."""
    remark = next(
        cell.strip()
        for row in body
        if row.line in new
        for name, cell in zip(header, row.cells, strict=False)
        if says_corrected(name, cell)
    )
    others = as_numbers(new)
    rows = "rows" if len(gone) > 1 else "row"
    take, are = "take" if len(new) > 1 else "takes", "are" if len(gone) > 1 else "is"
    return f"{rows} {as_numbers(gone)}, which {others} ({remark[:60]}) {take} the place of, {are} left out"


def _numbers_of_blocks(values: Mapping[int, Sequence[str]], size: int) -> int | None:
    """The first column of numbers that says one number of every so many rows, and not the same of all; None where there is none."""
    for column, cells in values.items():
        blocks = [set(cells[n : n + size]) for n in range(0, len(cells), size)]
        several = len(set(cells)) * 2 > len(blocks) or len(set(cells)) > 2
        if several and all(len(block) == 1 for block in blocks) and all(cell.isdecimal() for cell in cells):
            return column
    return None


def _held_down(body: Sequence[TableRow]) -> Sequence[TableRow]:
    """The rows with short cells that are empty filled from above, as those of merged cells are, where the first row has them all."""
    if not body or all(cell.strip() for row in body for cell in row.cells):
        return body
    able = [
        column
        for column, cell in enumerate(body[0].cells)
        if cell.strip() and not _has_text(body, column) and len({row.cells[column] for row in body}) > 2
    ]
    held, filled = list(body[0].cells), []
    for row in body:
        held = [cell if cell.strip() or n not in able else held[n] for n, cell in enumerate(row.cells)]
        filled.append(replace(row, cells=tuple(held)))
    return filled


def _counted(
    body: Sequence[TableRow], sentence: int, item: Sequence[int], condition: Sequence[int], *, whole: bool, is_known: bool
) -> tuple[int, int, int] | None:
    """How many items and conditions two columns make, and how many items lack one; None where they make none. Where they need not be
    `whole`, the sentences of an item share more than those of a condition."""
    by_item: dict[tuple[str, ...], set[tuple[str, ...]]] = {}
    for row in body:
        own = by_item.setdefault(_cells(row, item), set())
        before = len(own)
        own.add(_cells(row, condition))
        if len(own) == before:
            return None
    if len(by_item) < 2:
        return None
    every = {one for own in by_item.values() for one in own}
    lacking = sum(len(own) < len(every) for own in by_item.values())
    if len(every) < 2 or (whole and lacking) or _says_nothing(body, sentence, item, condition):
        return None
    if not whole:
        # Where a heading says which column numbers the items, their sentences need not show it.
        is_alike = is_known or _likeness(body, sentence, item) > _OWN * _likeness(body, sentence, condition)
        if len(body) < _THERE * len(by_item) * len(every) or not is_alike:
            return None
    return len(by_item), len(every), lacking


def _says_nothing(body: Sequence[TableRow], sentence: int, item: Sequence[int], condition: Sequence[int]) -> bool:
    """Whether one of the columns of a condition can go, and every sentence of an item is the same all the same: who spoke it, or its list."""
    others = [c for c in range(len(body[0].cells) if body else 0) if c != sentence and c not in condition and _has_text(body, c)]
    for gone in condition:
        # A context that changes with it is what it says.
        if any(_differs_by(body, other, item, gone) for other in others):
            continue
        texts: dict[tuple[str, ...], list[str]] = {}
        for row in body:
            key = _cells(row, (*item, *(column for column in condition if column != gone)))
            texts.setdefault(key, []).append(plain(row.cells[sentence]))
        if any(len(own) > 1 for own in texts.values()) and all(len(set(own)) == 1 for own in texts.values()):
            return True
    return False


def _differs_by(body: Sequence[TableRow], text: int, item: Sequence[int], gone: int) -> bool:
    """Whether another text of a row changes within an item with one column of the condition, and with no other one."""
    own: dict[tuple[str, ...], dict[str, set[str]]] = {}
    for row in body:
        own.setdefault(_cells(row, item), {}).setdefault(plain(row.cells[gone]), set()).add(plain(row.cells[text]))
    return bool(own) and all(
        len(texts) > 1
        and all(len(same) == 1 for same in texts.values())
        and len({next(iter(s)) for s in texts.values()}) == len(texts)
        for texts in own.values()
    )


def _twice(
    source: SourceFile, found: Roles, sentence: int, given: Sequence[tuple[int, ...]], choices: Sequence[tuple[int, ...]]
) -> Iterator[tuple[tuple[int, ...], FileAnswer]]:
    """Conditions of items whose sentences stand in several rows each, as spoken by several people: they are read once."""
    header, body = found.header, body_of(source)
    for item in given:
        for condition in choices:
            texts: dict[tuple[str, ...], dict[tuple[str, ...], list[str]]] = {}
            for row in body:
                own = texts.setdefault(_cells(row, item), {})
                own.setdefault(_cells(row, condition), []).append(plain(row.cells[sentence]))
            names = {frozenset(own) for own in texts.values()}
            sizes = {len(same) for own in texts.values() for same in own.values()}
            is_one = all(len(set(same)) == 1 for own in texts.values() for same in own.values())
            differ = all(len({same[0] for same in own.values()}) == len(own) for own in texts.values())
            if set(item) & set(condition) or len(texts) < 2 or len(names) > 1 or not (is_one and differ):
                continue
            if len(next(iter(names))) < 2 or len(sizes) > 1 or sizes == {1}:
                continue
            options: dict[str, object] = {
                "condition_columns": tuple(header[column] for column in condition),
                "once": True,
                **({} if found.item else {"item_columns": tuple(header[column] for column in item)}),
                **({} if found.sentence else {"sentence_columns": (header[sentence],)}),
            }
            means = (
                f"{len(texts):,} items by {_listed(header, item)}, {len(next(iter(names)))} conditions by {_listed(header, condition)}; "
                f"every sentence stands in {next(iter(sizes))} rows, and is read once"
            )
            yield condition, FileAnswer("", means, options)
            return


def _numbered_again(
    source: SourceFile, found: Roles, sentence: int, given: Sequence[tuple[int, ...]], choices: Sequence[tuple[int, ...]]
) -> Iterator[tuple[tuple[int, ...], FileAnswer]]:
    """Conditions of items of which a few have all of them several times, as where two have one number: that is asked about then."""
    header, body = found.header, _held_down(body_of(source))
    for item in given:
        for condition in choices:
            if set(item) & set(condition):
                continue
            own: dict[tuple[str, ...], Counter[tuple[str, ...]]] = {}
            for row in body:
                own.setdefault(_cells(row, item), Counter())[_cells(row, condition)] += 1
            names = {frozenset(times) for times in own.values()}
            several = [times for times in own.values() if max(times.values()) > 1]
            are_even = all(len(set(times.values())) == 1 for times in own.values())
            if len(names) != 1 or len(next(iter(names))) < 2 or not are_even or not 0 < len(several) * 3 <= len(own):
                continue
            if _says_nothing(body, sentence, item, condition):
                continue
            options: dict[str, object] = {"condition_columns": tuple(header[column] for column in condition)}
            if not found.item:
                options["item_columns"] = tuple(header[column] for column in item)
            if not found.sentence:
                options["sentence_columns"] = (header[sentence],)
            means = f"items by {_listed(header, item)}, {len(next(iter(names)))} conditions by {_listed(header, condition)}"
            yield condition, FileAnswer("", means, options)
            return


def _of_one_kind(
    source: SourceFile, found: Roles, sentence: int, given: Sequence[tuple[int, ...]], choices: Sequence[tuple[int, ...]]
) -> list[tuple[tuple[int, ...], FileAnswer]]:
    """Conditions that some items have, each once or in several lists, beside items of another kind such as fillers."""
    header, body = found.header, body_of(source)
    ways = []
    for item in given:
        for condition in choices:
            if set(item) & set(condition) or fold(header[condition[0]]) in _OF_TRIALS:
                continue
            texts: dict[tuple[str, ...], dict[str, set[str]]] = {}
            for row in body:
                own = texts.setdefault(_cells(row, item), {})
                own.setdefault(plain(row.cells[condition[0]]), set()).add(plain(row.cells[sentence]))
            several = {frozenset(own) for own in texts.values() if len(own) > 1}
            lone = {name for own in texts.values() if len(own) == 1 for name in own}
            if len(several) != 1 or not lone or any(len(same) > 1 for own in texts.values() for same in own.values()):
                continue
            names = first_seen(name for own in texts.values() if len(own) > 1 for name in own)
            count = sum(len(own) > 1 for own in texts.values())
            if lone & set(names) or count < 2:
                continue
            if any(_goes_on(row.cells) for row in body if plain(row.cells[condition[0]]) in lone):
                continue
            options: dict[str, object] = {
                "condition_columns": (header[condition[0]],),
                "only": (*source.options.only, *(f"{header[condition[0]]}={name}" for name in names)),
                **({} if found.item else {"item_columns": (header[item[0]],)}),
                **({} if found.sentence else {"sentence_columns": (header[sentence],)}),
            }
            without = ", ".join(name or "rows that say none" for name in sorted(lone))
            means = f"{count:,} items by {header[item[0]]}, {len(names)} conditions by {header[condition[0]]}, without {without}"
            ways.append((condition, FileAnswer("", means, options)))
    return ways


def _goes_on(cells: Sequence[str]) -> bool:
    """Whether a row is the end of a line that a page was too narrow for: several words in its first cell, and nothing in all others."""
    first, *others = cells
    return len(first.split()) > 1 and not any(map(str.strip, others))


def _folded(items: Sequence[ForeignItem]) -> tuple[tuple[ForeignItem, ...], tuple[Assumption, ...]]:
    """The items with each sentence of a condition once, and without the columns of answers and those that differ between its rows."""
    found: list[list[ForeignSentence]] = []
    names = attribute_columns(items)
    gone = {name for name in names if is_answer(name)}
    for item in items:
        kept: dict[tuple[str, str], ForeignSentence] = {}
        for sentence in item.sentences:
            first = kept.setdefault((sentence.condition, plain(sentence.text)), sentence)
            gone |= {name for name in sentence.attributes if sentence.attributes[name] != first.attributes.get(name)}
        found.append(list(kept.values()))

    def left(attributes: Mapping[str, Json]) -> dict[str, Json]:
        return {name: value for name, value in attributes.items() if name not in gone}

    read = tuple(
        replace(
            item,
            sentences=tuple(replace(s, attributes=left(s.attributes)) for s in sentences),
            attributes=left(item.attributes),
        )
        for item, sentences in zip(items, found, strict=True)
    )
    rows = sum(len(item.sentences) for item in items)
    without = f", without {', '.join(name for name in names if name in gone)}" if gone else ""
    taken = f"{rows - sum(map(len, found)):,} of {rows:,} rows repeat a sentence of an item, and are read once{without}"
    return read, (Assumption("rows that repeat a sentence", taken, "as said", "said", "--once"),)


def read_once(source: SourceFile, items: Sequence[ForeignItem]) -> tuple[tuple[ForeignItem, ...], tuple[Assumption, ...]]:
    """The items with a sentence once that several lists of an experiment have, such as a filler; with all of them once where somebody
    said so."""
    if source.options.once:
        return _folded(items)
    if source.known.get("format") or source.options.as_it_is:
        return tuple(items), ()
    found, gone = [], []
    for item in items:
        kept: list[ForeignSentence] = []
        for sentence in item.sentences:
            first = next((s for s in kept if (s.condition, plain(s.text)) == (sentence.condition, plain(sentence.text))), None)
            if first is not None and any(
                fold(name) in _LISTS and first.attributes.get(name) != value for name, value in sentence.attributes.items()
            ):
                gone.append(sentence)
            else:
                kept.append(sentence)
        found.append(item if len(kept) == len(item.sentences) else replace(item, sentences=tuple(kept)))
    if not gone:
        return tuple(items), ()
    lines = ", ".join(source.place(s.line) for s in gone[:4]) + (" …" if len(gone) > 4 else "")
    taken = f"once, {len(gone):,} rows ({lines}) are the same sentence in another list"
    return tuple(found), (
        Assumption("sentences of several lists", taken, "text and condition are the same", "assumed", "--format"),
    )


def _lettered(source: SourceFile, found: Roles, sentence: int) -> list[FileAnswer]:
    """A column whose cells say item and condition together, such as 1a or 1.2, where no other says either."""
    header = found.header
    if found.condition or (found.item and not tells_apart(source, found.item)):
        return []
    for column in found.item or range(len(header)):
        if column != sentence and _is_lettered(source, column) and not _is_said_again(source, column, sentence):
            cell = plain(body_of(source)[0].cells[column])
            options = {"item_columns": (header[column],), **({} if found.sentence else {"sentence_columns": (header[sentence],)})}
            code = _is_lettered(source, column)
            match = None if code is None else code.fullmatch(cell)
            taken = "" if match is None else f": {number_of(match)} the item and {letter_of(match)} the condition"
            return [FileAnswer("", f"{header[column]} says item and condition, as in {cell}{taken}", options)]
    return []


def _columns_of(header: Sequence[str], answer: FileAnswer) -> tuple[int, ...]:
    return tuple(header.index(name) for name in answer.options.get("item_columns", ()))


def _grouped(body: Sequence[TableRow], item: Sequence[int]) -> tuple[int, ...]:
    """Which rows are of one item, by the first row of each."""
    first: dict[tuple[str, ...], int] = {}
    return tuple(first.setdefault(_cells(row, item), n) for n, row in enumerate(body))


def _likeness(body: Sequence[TableRow], sentence: int, item: Sequence[int]) -> float:
    """How much the sentences of an item share, neighbours or those that stand half of the item apart, whichever share less: rows of several
    items that are taken for one are alike from one to the next only."""
    by_item: dict[tuple[str, ...], list[str]] = {}
    for row in body:
        by_item.setdefault(_cells(row, item), []).append(row.cells[sentence])
    groups = [own[:_ALIKE_IN] for own in islice((own for own in by_item.values() if len(own) > 1), _ALIKE_IN)]
    apart = [[own[n // 2 + (n % 2) * (len(own) // 2)] for n in range(len(own) - len(own) % 2)] for own in groups if len(own) > 3]
    return min(shared_within(groups), shared_within(apart) if apart else 1.0)


def _listed(header: Sequence[str], columns: Sequence[int]) -> str:
    return " and ".join(header[column] for column in columns)


# ---- a column per condition


def numbering_of(source: SourceFile, texts: Sequence[int]) -> int | None:
    """A column that is called as items are numbered and whose cells are all different."""
    header = roles(source).header
    found = [column for column, heading in enumerate(header) if fold(heading) in _WEAK_ITEMS]
    return _numbering(body_of(source), found, set(texts))


def sentence_columns(source: SourceFile) -> tuple[int, ...]:
    """The columns of a table with a column per condition: said, or several whose sentences are alike row by row."""
    found = roles(source)
    if len(found.sentence) > 1:
        return found.sentence
    if found.sentence or found.condition or {"content", "region_number"} & set(found.other):
        return ()
    body = body_of(source)
    texts = [c for c in range(len(found.header)) if c not in found.item and found.header[c] and _has_text(body, c)]
    if any(_reads_as_sentence(found.header[column]) for column in texts):
        return ()  # a row like the others
    if len(texts) < 2 or listed_columns([found.header[column] for column in texts]) or _sparse(source, found, texts):
        return ()
    pairs = [
        (row.cells[one], row.cells[other])
        for row in body
        for one, other in pairwise(texts)
        if row.cells[one].strip() and row.cells[other].strip()
    ]
    # What is called sentence 1 and sentence 2 is two sentences in some order, and perhaps another one in every row.
    is_named = not any(ANY_MEMBER.fullmatch(fold(found.header[column])) for column in texts)
    return tuple(texts) if likeness_of(pairs).is_minimal and len(found.header) >= 3 and is_named else ()


def _sparse(source: SourceFile, found: Roles, texts: Sequence[int]) -> tuple[int, ...]:
    """Columns of whole sentences that most rows do not have: conditions of some items only, or something else."""
    body = body_of(source)
    others = [c for c, heading in enumerate(found.header) if c not in found.item and c not in texts and heading]
    others = [c for c in others if len({row.cells[c] for row in body}) > 1]  # the same everywhere is said of the file
    return tuple(c for c in others if any(_is_whole(row.cells[c]) for row in body) and _are_sentences(body, c))


def _are_sentences(body: Sequence[TableRow], column: int) -> bool:
    """Whether those cells of a column that hold more than a word or sign begin and end as sentences do."""
    cells = [row.cells[column].strip() for row in body]
    long = [cell for cell in cells if len(cell.split()) > 2]
    return bool(long) and all(_is_whole(cell) for cell in long)


def _is_whole(cell: str) -> bool:
    """Whether a cell has several words, and begins and ends as a sentence does."""
    cell = cell.strip()
    return len(cell.split()) > 2 and not cell[:1].islower() and _ENDED.search(cell) is not None


def expect_conditions(source: SourceFile) -> None:
    """Ask which rows are meant where some have no condition and a column says of what kind each row is."""
    found, body = roles(source), body_of(source)
    if source.options.only or not found.condition or not body:
        return
    header = found.header
    empty = [row for row in body if not all(_cells(row, found.condition))]
    if not empty or len(empty) == len(body):
        return
    for column, heading in enumerate(header):
        values = first_seen(plain(row.cells[column]) for row in body)
        if column in {*found.item, *found.condition, *found.sentence} or not 1 < len(values) <= 6 or "" in values:
            continue
        if len(values) == len(body) or _is_count(heading, values):
            continue
        lacking = {plain(row.cells[column]) for row in empty}
        whole = [value for value in values if value not in lacking and _PRACTICE.match(value) is None]
        if not whole:
            continue
        source.ask(
            empty[0].line,
            f"the column {header[found.condition[0]]!r} is empty where {heading} is {', '.join(sorted(lacking))}",
            f"Some rows have no condition. Which rows are the items, by {heading}?",
            [FileAnswer(value, f"rows whose {heading} is {value}", {"only": (f"{heading}={value}",)}) for value in whole],
        )


def expect_parts(source: SourceFile) -> None:
    """Ask which column has the sentences where several hold whole ones, beside items and conditions: a context or a question is no region."""
    found, body = roles(source), body_of(source)
    taken = {*found.item, *found.condition}
    texts = [c for c, heading in enumerate(found.header) if c not in taken and heading and _has_text(body, c)]
    strict = [c for c in texts if all(_is_whole(row.cells[c]) for row in body if row.cells[c].strip())]
    # Beside whole sentences, words that end as these do without beginning so are others, such as those of a maze task.
    ended = [c for c in texts if all(_ENDED.search(row.cells[c].strip()) for row in body if row.cells[c].strip())]
    whole = [c for c in texts if c in strict or (strict and c in ended)]
    wordy = [c for c in range(len(found.header)) if c not in taken and c not in whole and _is_wordy(body, c)]
    if len(strict) == 1 == len(whole) and wordy and min(wordy) > whole[0] and len(body) > 1:
        # Behind the end of a whole sentence no part of it stands.
        name, others = found.header[whole[0]], ", ".join(found.header[c] for c in wordy)
        means = f"{name} has the sentences, and {others} says something of them"
        source.ask(
            1,
            f"{name} holds whole sentences, so that {others} behind it seems to be no part of them",
            f"{name} holds whole sentences. Is {others} said of them?",
            [FileAnswer("yes", means, {"sentence_columns": (name,)})],
            hint="If they are regions all the same, say --format region_columns.",
        )
    if len(whole) < 2 or wordy or len(body) < 2:
        return
    if contexts := list(context_ways(source)):
        _ask(source, contexts)
    whole.sort(key=lambda c: (fold(found.header[c]) in NOTES, -len({row.cells[c] for row in body})))
    named = ", ".join(found.header[c] for c in sorted(whole))
    # What stands before or beside a sentence is one only where nothing else is.
    own = [c for c in whole if fold(found.header[c]) not in NOTES and c in strict] or whole
    source.ask(
        1,
        f"several of its columns hold whole sentences: {named}",
        f"Several columns hold whole sentences: {named}. Which one has the items' sentences?",
        [
            *(replace(way, word="stack") for way in stacked_ways(source)),
            *(
                FileAnswer(
                    found.header[c],
                    f"{found.header[c]} has the sentences, the others say something of them",
                    {"sentence_columns": (found.header[c],)},
                )
                for c in own[:3]
            ),
            *(
                FileAnswer(
                    "all",
                    f"{named} are one text, in this order",
                    {"regions": tuple(found.header[c] for c in sorted(whole)), "format": "region_columns"},
                )
                # Two languages are no one text.
                for _ in range(len(whole) == len(strict) and not any(_LANGUAGE.fullmatch(fold(found.header[c])) for c in whole))
            ),
        ],
    )


_LANGUAGE = re.compile(
    r"(?:.*_)?(?:english|german|french|spanish|italian|dutch|chinese|japanese|russian|arabic|hebrew|turkish|hindi|deutsch|englisch|anglais|"
    r"français|francais|español|espanol|italiano|nederlands|translation|en|de|fr|es|it|nl|zh|ja|ru|l1|l2)(?:_.*)?"
)
"""Folded headings of sentences in a language."""


def frame_of(source: SourceFile) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """The columns of sentences with a blank, or of what sentences begin and end with, and those of the words that go into it; None where there
    are no such."""
    header, body = source.first_row, body_of(source)
    if not body or len(header) < 2:
        return None
    known = roles_of(header)
    filled = [c for c in range(len(header)) if header[c].strip() and all(row.cells[c].strip() for row in body)]
    frames = tuple(c for c in filled if _has_text(body, c) and all(BLANK.search(row.cells[c]) for row in body))
    longest = 4
    if len(frames) > 1:
        return None
    if not frames:
        begins = [c for c in filled if FRAME.fullmatch(fold(header[c])) and not any(_ENDED.search(row.cells[c]) for row in body)]
        # In rows of an item and a condition each such a column is a region.
        if (
            len(begins) != 1
            or "condition" in known
            or source.options.condition_columns
            or any(_are_whole(body, c) for c in filled if c not in begins)
        ):
            return None
        ends = [c for c in filled if ENDING.fullmatch(fold(header[c])) and all(_ENDED.search(row.cells[c]) for row in body)]
        frames, longest = (*begins, *ends[:1]), 12
    taken = {*frames, *(known[role] for role in ("item", "condition") if role in known)}
    able = [
        c
        for c in filled
        if c not in taken
        and fold(header[c]) not in _OF_TRIALS | NOTES
        and not (fold(header[c]) in JUDGES and all(acceptability_of(row.cells[c].strip()) for row in body))
        and not _are_codes(body, c)
        and not _is_measure(row.cells[c] for row in body)
        and not is_ticked(body, c)
        and all(len(row.cells[c].split()) <= longest and re.search(r"[^\W\d_]", row.cells[c]) for row in body)
        and not all(re.search(r"\d", row.cells[c]) for row in body)
    ]
    members = [c for c in able if c in (known.get("good"), known.get("bad"))]
    words = tuple(members if len(members) == 2 else able)
    # Without a blank several ways to go on show that a column is a beginning.
    are_choices = len(words) == 1 and all(choice_of(row.cells[words[0]]) for row in body)
    is_single = are_choices or (len(words) == 1 and longest == 4 and "condition" in known)
    return (frames, words) if len(words) > 1 or is_single else None


def expect_no_frames(source: SourceFile) -> None:
    """Ask about a table whose sentences have a blank, or end in several ways, with the words for it in columns of their own."""
    options = source.options
    if options.frames or options.alternatives or options.gap_marks:
        return
    if (
        template := template_step(source.first_row, [row.cells for row in body_of(source)], is_table=source.has_own_rows)
    ) is not None:
        source.refuse(body_of(source)[0].line, template[1], hint=f"{template[2]}\n{source.head}\n")
    if (found := frame_of(source)) is None:
        return
    header, (frames, words) = source.first_row, found
    named = {"frames": tuple(header[c].strip() for c in frames), "sentence_columns": tuple(header[c].strip() for c in words)}
    keys: list[tuple[str, dict[str, object]]] = [("", {})]
    if (said := _key(source, words)) is not None:
        first = header[words[0]].strip()
        keys = [
            (f"; where {said[0]} is {v}, that of {first} is the good sentence", {"good": (f"{said[0]}={v}",)}) for v in said[1]
        ]
    are_listed = len(words) == 1 and all(choice_of(row.cells[words[0]]) for row in body_of(source))
    more = {"alternatives": CROSSED} if are_listed else {}
    is_blank = BLANK.search(body_of(source)[0].cells[frames[0]]) is not None
    own, others = (", ".join(repr(header[c].strip()) for c in columns) for columns in (frames, words))
    message = (
        f"the sentences of {own} have a blank to be filled in, with words of {others} it seems"
        if is_blank
        else f"{own} seems to be what sentences begin{' and end' if len(frames) > 1 else ''} with, and {others} how they go on"
    )
    source.ask(
        body_of(source)[0].line,
        message,
        f"{message[0].upper()}{message[1:]}. Are these the sentences?",
        [
            FileAnswer(
                "yes" if len(keys) < 2 else f"{n}", f"the words of {others} are put into {own}{means}", {**named, **more, **key}
            )
            for n, (means, key) in enumerate(keys, 1)
        ],
        hint="If other columns have the words, name them with --sentence-column.",
    )


def crossed_ways(source: SourceFile, texts: Sequence[int]) -> list[FileAnswer]:
    """That columns of sentences are one factor and other columns another: where every item has several rows, which these tell apart."""
    options = source.options
    if options.stack or options.condition_columns or len(texts) < 2:
        return []
    header, body = source.first_row, _held_down(body_of(source))
    found = roles(source)
    others = [c for c in range(len(header)) if c not in texts and header[c].strip()]
    items = list(found.item) if len(found.item) == 1 else [c for c in others if _is_numbered(body, c)]
    for item in items:
        able = [
            c
            for c in others
            if c != item
            and fold(header[c]) not in _OF_TRIALS | NOTES
            and 1 < len({row.cells[c].strip() for row in body}) <= _LEVELS
        ]
        for own in (own for size in (1, 2) for own in combinations(able[:6], size)):
            if _is_crossed_by(body, (item,), own):
                names = tuple(header[c].strip() for c in own)
                sentences = tuple(header[c].strip() for c in texts)
                count = len({plain(row.cells[item]) for row in body})
                means = f"{count:,} items by {header[item].strip()}; conditions by {' and '.join(names)}, and by column: {', '.join(sentences)}"
                said = {
                    "item_columns": (header[item].strip(),),
                    "condition_columns": (*names, PART),
                    "sentence_columns": sentences,
                }
                return [FileAnswer("yes", means, {"stack": True, **said})]
    return []


def _is_numbered(body: Sequence[TableRow], column: int) -> bool:
    """Whether a column has numbers, each several times."""
    times = Counter(row.cells[column].strip() for row in body)
    return len(times) > 1 and min(times.values()) > 1 and all(map(str.isdecimal, times))


# ---- what shows when items are made


def expect_one_each(source: SourceFile, found: ForeignSet) -> None:
    """Ask about a table in which an item has a condition twice: another column tells these apart. Where none does, it is refused:
    they would be two conditions under one label, or two items, or a slip."""
    doubled = [item for item in found.items if len({s.condition for s in item.sentences}) < len(item.sentences)]
    if not doubled or source.known.get("format") or source.options.as_it_is:
        # Whoever names the format takes the rows as they are; lint says what is wrong with them.
        return
    item = doubled[0]
    twice = Counter(s.condition for s in item.sentences).most_common(1)[0][0]
    lines = [s.line for s in item.sentences if s.condition == twice][:2]
    own = roles(source)
    items = tuple(own.header[column] for column in own.item)
    conditions = tuple(own.header[column] for column in own.condition)
    names = [
        name
        for name in doubled[0].sentences[0].attributes
        if _resolves(found, name) and not (is_person(name) or _KEY.fullmatch(fold(name)))
    ]
    # What is written in words of its own says something of a sentence, and names nothing.
    own_values = {name: [str(s.attributes.get(name, "")) for one in doubled for s in one.sentences] for name in names}
    names = [name for name in names if all(len(value.split()) <= _KIND_WORDS for value in own_values[name])]
    # Nor does what measures a sentence.
    names = [name for name in names if not all(map(is_date, own_values[name])) and not _is_measure(own_values[name])]
    kinds = _kinds_without(source, doubled)
    # Practice and fillers are no conditions, and no rows to be corrected.
    has_others = any(is_of_no_item(value) for way in kinds for value in _others_of(source, way))
    if has_others:
        names = []
    # Fillers that several lists have are another kind of rows, where a column says so.
    if not kinds and all(_repeats(one) for one in doubled):
        kinds = [
            FileAnswer("", "rows that repeat a sentence are read once; what differs between them is left out", {"once": True})
        ]
        names = []
    answers = list(kinds) if len(doubled) < len(found.items) or not names else []
    for name in names[:2]:
        of_items = all(_is_parted(item, name) for item in doubled)
        as_condition = FileAnswer("", f"{name} names the condition too", {"condition_columns": (*conditions, name)})
        as_item = FileAnswer("", f"{name} names the item too", {"item_columns": (*items, name)})
        if of_items and _are_about_different_things(doubled, name):
            answers.append(as_item)
            continue
        both = [as_item, as_condition] if fold(name) in _PARTS_OF_ITEMS else [as_condition, as_item]
        answers += both if of_items else [as_condition]
    two_items = next((one for one in doubled if _are_two_items(one)), None)
    message = (
        f"item {item.label} has {twice} in {source.place(lines[0])} and {source.place(lines[-1])}, and {len(doubled):,} of "
        f"{len(found.items):,} items have a condition twice"
    )
    if two_items is not None and len(doubled) * 2 < len(found.items):
        message += f"; {_numbered_twice(source, found, two_items)}"
    if (way := _correcting(source, doubled)) is not None:
        source.ask(
            0, message, f"{message[0].upper()}{message[1:]}. A remark says which row counts: {way.means}. Is that so?", [way]
        )
    if not names:
        every = first_seen(s.condition for one in found.items for s in one.sentences)
        lacking = [condition for condition in every if condition not in {s.condition for s in item.sentences}]
        if (size := _rounds(doubled, found)) and not own.per_item:
            means = f"every {size} rows are an item: its numbers begin anew"
            source.ask(
                0,
                f"{message}: the numbers seem to begin anew",
                f"{message[0].upper()}{message[1:]}. Do the numbers begin anew, so that every {size} rows are an item?",
                [FileAnswer("yes", means, {"per_item": size, "condition_columns": conditions})],
            )
        other = next((one for one in doubled if _are_two_items(one)), None)
        two = (
            f"The sentences of item {other.label} are about different things, as if two items had one number: give each its own. "
            if other
            else ""
        )
        # One label that is missing beside one that is there twice: to leave a row out would keep the wrong label.
        slips = [
            one
            for one in doubled
            if not _repeats(one) and len(one.sentences) == len(every) > len({s.condition for s in one.sentences})
        ]
        is_slip = len(slips) == len(doubled)
        without = (
            {one.label: [c for c in every if c not in {s.condition for s in one.sentences}] for one in slips} if is_slip else {}
        )
        without = without or ({item.label: lacking} if lacking else {})
        told = "; item ".join(f"{label} has no {', '.join(names)}" for label, names in islice(without.items(), _NAMED))
        slip = f"Item {told}: one of the two may be that. " if told else ""
        source.refuse(
            0,
            message,
            hint=f"{slip}{two}Two conditions cannot have one label: give each its own, such as {twice}_1 and {twice}_2. If the same "
            f"sentence or item is there twice, take one out. To take the rows as they are, say --format {found.shape}.\n{source.head}\n",
            ways=kinds
            if has_others
            else [*kinds, *_without_items(source, found, slips)]
            if is_slip
            else [*kinds, *_replaced(source, found, doubled), *_by_place(source, found)],
        )
    answers = [FileAnswer(str(n), answer.means, answer.options) for n, answer in enumerate(answers[:4], 1)]
    if len(answers) == 1:
        answers = [FileAnswer("yes", answers[0].means, answers[0].options)]
    listed = "\n".join(f"  {answer.word}: {answer.means}" for answer in answers)
    source.ask(0, message, f"{message[0].upper()}{message[1:]}. It could be:\n{listed}", answers)


def _without_items(source: SourceFile, found: ForeignSet, slips: Sequence[ForeignItem]) -> list[FileAnswer]:
    """That items whose labels are slips are left out: which sentence has the wrong one, the file does not say."""
    if len(slips) * 2 > len(found.items) or (source.is_spreadsheet and len(source.options.sheets) > 1):
        return []
    out = as_numbers(s.line for item in slips for s in item.sentences)
    named = ", ".join(item.label for item in slips)
    which = f"items {named} are" if len(slips) > 1 else f"item {named} is"
    means = f"{which} left out, where a label stands twice and another one is lacking"
    return [FileAnswer("", means, {"leave_out": (*source.options.leave_out, out)})]


def _by_place(source: SourceFile, found: ForeignSet) -> list[FileAnswer]:
    """That the rows of an item are its conditions by their place, where it has one condition for all of them, or where every item has the same
    ones in the same order, some of them twice."""
    own = roles(source)
    if len(own.sentence) != 1:
        return []
    orders = {tuple(s.condition for s in item.sentences) for item in found.items}
    if any(len(set(order)) > 1 for order in orders) and (len(orders) > 1 or len(own.item) != 1 or own.per_item):
        return []
    return list(place_ways(own.header, body_of(source), own.item, own.sentence[0]))


def _correcting(source: SourceFile, doubled: Sequence[ForeignItem]) -> FileAnswer | None:
    """That of the rows with the same item and condition those are left out which a remark beside another one says are not to be used; None
    where such remarks do not leave one row of each."""
    rows = [(item.label, s.condition, s.line, {**item.attributes, **s.attributes}) for item in doubled for s in item.sentences]
    new = {line for *_, line, own in rows if any(says_corrected(name, str(value)) for name, value in own.items())}
    times = Counter((label, condition) for label, condition, *_ in rows)
    kept = Counter((label, condition) for label, condition, line, _ in rows if line in new)
    if not new or any(kept[key] != 1 for key, n in times.items() if n > 1):
        return None
    if source.is_spreadsheet and len(source.options.sheets) > 1:
        return None
    gone = [line for label, condition, line, _ in rows if times[label, condition] > 1 and line not in new]
    out = {"leave_out": (*source.options.leave_out, as_numbers(gone))}
    return FileAnswer("yes", _without(source.first_row, body_of(source), new, gone), out)


def _replaced(source: SourceFile, found: ForeignSet, doubled: Sequence[ForeignItem]) -> list[FileAnswer]:
    """That of the rows with the same item and condition all but the last one are left out, as where it corrects the others, or all but the
    first one; of a few items only."""
    if len(doubled) * 2 > len(found.items) or (source.is_spreadsheet and len(source.options.sheets) > 1):
        return []
    said = source.options.leave_out
    first: list[int] = []
    last: list[int] = []
    for item in doubled:
        lines: dict[str, list[int]] = {}
        for s in item.sentences:
            lines.setdefault(s.condition, []).append(s.line)
        for own in lines.values():
            first += sorted(own)[1:]
            last += sorted(own)[:-1]
    other = next((item for item in doubled if _are_two_items(item)), None)
    if other is not None and (by_rows := _by_rows(source, found, other)):
        return by_rows  # neither of the two corrects the other
    but = f"; but {_numbered_twice(source, found, other)}" if other else ""
    return [
        FileAnswer(
            "",
            f"of rows with the same item and condition the {kept} one is taken; "
            f"{as_numbers(own)} {'is' if len(own) == 1 else 'are'} left out{but}",
            {"leave_out": (*said, as_numbers(own))},
        )
        for kept, own in (("last", last), ("first", first))
    ]


def _by_rows(source: SourceFile, found: ForeignSet, twice: ForeignItem) -> list[FileAnswer]:
    """That every so many rows are an item, whatever its number, where they all have every condition once."""
    own = roles(source)
    size = len(found.conditions)
    rows = sorted((s for item in found.items for s in item.sentences), key=lambda s: s.line)
    parts = batched_of(rows, size)
    lines = [s.line for s in twice.sentences]
    if any(min(lines) < s.line < max(lines) for item in found.items if item is not twice for s in item.sentences):
        return []  # what stands further down may be the same item, corrected
    numbers = {item.label for item in found.items}
    if not twice.label.isdecimal() or str(int(twice.label) + 1) in numbers:
        return []  # the numbers have no gap behind it, where the second one may belong
    if own.per_item or not own.condition or any({s.condition for s in part} != set(found.conditions) for part in parts):
        return []
    means = f"every {size} rows are an item, numbered in their order, so that the two that are called {twice.label} are two"
    options: dict[str, object] = {"per_item": size, "condition_columns": tuple(own.header[column] for column in own.condition)}
    if source.options.item_columns:
        options["item_columns"] = ()
    return [FileAnswer("", means, options)]


def _are_two_items(item: ForeignItem) -> bool:
    """Whether an item has every condition as often, and what comes first of them shares much less with what comes again than among itself."""
    rounds: list[list[str]] = []
    seen: Counter[str] = Counter()
    for sentence in item.sentences:
        place = seen[sentence.condition]
        seen[sentence.condition] += 1
        rounds += [[] for _ in range(place + 1 - len(rounds))]
        rounds[place].append(sentence.text)
    if len(set(seen.values())) > 1 or len(seen) < 2:
        return False
    across = shared_within([[own[n] for own in rounds] for n in range(len(seen))])
    lines = [s.line for s in item.sentences]
    # Whole items that stand below each other are no corrections of single rows.
    are_whole = lines == sorted(lines) and len({s.text for s in item.sentences}) == len(lines)
    are_whole = are_whole and all(len({s.condition for s in part}) == len(seen) for part in batched_of(item.sentences, len(seen)))
    return across < (_OTHER_WHOLE_ITEMS if are_whole else _OTHER_ITEMS) * shared_within(rounds)


def batched_of(sentences: Sequence[ForeignSentence], size: int) -> list[Sequence[ForeignSentence]]:
    """The sentences in parts of so many."""
    return [sentences[n : n + size] for n in range(0, len(sentences), size)]


def _numbered_twice(source: SourceFile, found: ForeignSet, item: ForeignItem) -> str:
    """That two items have one number, with their rows, and which number no item has."""
    half = len(item.sentences) // 2
    lines = sorted(s.line for s in item.sentences)
    first, second = (f"{source.place(own[0])} to {source.place(own[-1])}" for own in (lines[:half], lines[half:]))
    numbers = {int(one.label) for one in found.items if one.label.isdecimal()}
    free = [n for n in range(min(numbers), max(numbers) + 2) if n not in numbers] if numbers else []
    may = (
        f": write {free[0]} into that column there, if that is its number"
        if len(free) == 1 or (free and free[0] <= max(numbers))
        else ""
    )
    return f"two items seem to be called {item.label}, {first} and {second}{may}"


def _repeats(item: ForeignItem) -> bool:
    """Whether an item has the same sentence wherever it has a condition again."""
    return len({(s.condition, plain(s.text)) for s in item.sentences}) == len({s.condition for s in item.sentences})


def _others_of(source: SourceFile, way: FileAnswer) -> Iterator[str]:
    """The values of the column of which a way takes one."""
    for said in way.options.get("only", ()):
        name, _, value = said.partition("=")
        column = roles(source).header.index(name)
        yield from first_seen(cell for row in body_of(source) if (cell := plain(row.cells[column])) != value)


def _kinds_without(source: SourceFile, doubled: Sequence[ForeignItem]) -> list[FileAnswer]:
    """Which rows may be read where only those of one kind, such as fillers, have a condition twice."""
    kinds = [] if source.options.only else list(kinds_of(source))
    found = []
    for way in kinds:
        name, _, value = way.options["only"][0].partition("=")
        left = (
            [s.condition for s in item.sentences if plain(str({**item.attributes, **s.attributes}.get(name, value))) == value]
            for item in doubled
        )
        if all(len(set(own)) == len(own) for own in left):
            found.append(way)
    return found or _others_than_items(source, doubled)


def _others_than_items(source: SourceFile, doubled: Sequence[ForeignItem]) -> list[FileAnswer]:
    """That the rows of one condition are left out which alone stands twice, has the same sentence there, and which no other item has: they are
    fillers, under the number of an item."""
    own, body = roles(source), body_of(source)
    if len(own.condition) != 1 or source.options.leave_out:
        return []
    twice = {c for item in doubled for c, n in Counter(s.condition for s in item.sentences).items() if n > 1}
    by_item: dict[tuple[str, ...], set[str]] = {}
    for row in body:
        by_item.setdefault(_cells(row, own.item), set()).add(plain(row.cells[own.condition[0]]))
    left = {frozenset(names - twice) for names in by_item.values()} - {frozenset()}
    lone = sum(bool(names & twice) for names in by_item.values())
    if len(twice) != 1 or lone * 2 > len(by_item) or len(left) != 1 or len(next(iter(left))) < 2:
        return []
    (name,), heading = twice, own.header[own.condition[0]]
    count = sum(plain(row.cells[own.condition[0]]) == name for row in body)
    means = f"without the rows whose {heading} is {name}, {count:,} of {len(body):,}; every other item has {', '.join(sorted(next(iter(left))))}"
    return [FileAnswer("", means, {"leave_out": (f"{heading}={name}",)})]


def expect_one_experiment(source: SourceFile, found: ForeignSet) -> None:
    """Ask which experiment of a table is meant where a column numbers several and these have other conditions: items of one number
    would be one item."""
    if source.known.get("format") or source.options.only:
        return
    rows = [(item, {**item.attributes, **s.attributes}, s.condition) for item in found.items for s in item.sentences]
    for name in first_seen(name for _, said, _ in rows for name in said):
        if fold(name) not in _EXPERIMENTS:
            continue
        own: dict[str, set[str]] = {}
        for _, said, condition in rows:
            own.setdefault(plain(str(said.get(name, ""))), set()).add(condition)
        if len(own) < 2 or "" in own or len({frozenset(conditions) for conditions in own.values()}) == 1:
            continue
        several = ", ".join(own)
        source.ask(
            0,
            f"the column {name!r} says that it holds {len(own)} experiments with different conditions: {several}",
            f"The column {name!r} says that the file holds several experiments with different conditions. Which one is to be read?",
            [
                FileAnswer(value, f"{value}: conditions {', '.join(conditions)}", {"only": (f"{name}={value}",)})
                for value in islice(own, _LEVELS)
                for conditions in [first_seen(c for _, said, c in rows if plain(str(said.get(name, ""))) == value)]
            ],
        )


def expect_other_texts(source: SourceFile, found: ForeignSet) -> None:
    """Refuse a table in whose items every condition has the same sentence: what differs stands in another column."""
    several = [item for item in found.items if len(item.sentences) > 1]
    if len(several) < 2 or source.known.get("format"):
        return
    if any(len({plain(s.text) for s in item.sentences}) > 1 or not plain(item.sentences[0].text) for item in several):
        return
    item = several[0]
    differing = [name for name, value in item.sentences[0].attributes.items() if item.sentences[1].attributes.get(name) != value]
    what = f"What differs seems to stand in {', '.join(repr(name) for name in differing)}. " if differing else ""
    ways = _parts_of_sentences(source, differing) or [replace(way, word="yes") for way in context_ways(source)]
    if ways:
        source.ask(
            item.sentences[1].line,
            f"the conditions of an item have the same sentence, in all {len(several):,} items: {_listed_conditions(item)}",
            f"The conditions of an item have the same sentence. {what}Are the columns {', '.join(ways[0].options['regions'])} its parts?",
            ways,
            hint=what,
        )
    source.refuse(
        item.sentences[1].line,
        f"the conditions of an item have the same sentence, in all {len(several):,} items: {_listed_conditions(item)}",
        hint=f"{what}If that stands before the sentence, as a context does, write the two into one cell; or name the column of the "
        f"sentences with --sentence-column. To take the sentences as they are, say --format {found.shape}.\n{source.head}\n",
    )


def _parts_of_sentences(source: SourceFile, differing: Sequence[str]) -> list[FileAnswer]:
    """That columns side by side are the parts of sentences: the one that was taken for them, those that differ, and what ends them."""
    own, body = roles(source), body_of(source)
    if not source.known.get("is_table") or len(own.sentence) != 1 or source.options.sentence_columns or not own.is_long:
        return []
    taken = {*own.item, *own.condition}
    words = [
        column
        for column, heading in enumerate(own.header)
        if column not in taken
        and heading
        and fold(heading) not in NOTES | JUDGES
        and not _is_measure(row.cells[column] for row in body)
        and not is_ticked(body, column)
        and any(re.search(r"[^\W\d_]", row.cells[column]) for row in body)
    ]
    wanted = {own.header[c] for c in own.sentence} | set(differing)
    is_whole = all(_ENDED.search(row.cells[own.sentence[0]].strip()) for row in body)
    if (
        is_whole
        or not wanted <= {own.header[c] for c in words}
        or words != list(range(words[0], words[-1] + 1))
        or len(words) < 2
    ):
        return []
    if not all(_ENDED.search(row.cells[words[-1]].strip()) for row in body):
        return []
    names = tuple(own.header[column] for column in words)
    return [FileAnswer("yes", f"{', '.join(names)} are the parts of a sentence", {"regions": names, "format": "region_columns"})]


def _listed_conditions(item: ForeignItem) -> str:
    return f"item {item.label}, {' and '.join(s.condition for s in item.sentences[:3])}"


def _resolves(found: ForeignSet, name: str) -> bool:
    if fold(name) in JUDGES:
        return False
    for item in found.items:
        keys = [(s.condition, s.attributes.get(name)) for s in item.sentences]
        if len(set(keys)) < len(keys):
            return False
    return True


def _rounds(doubled: Sequence[ForeignItem], found: ForeignSet) -> int:
    """How many rows an item has where the conditions of every item come round in blocks of rows of their own; 0 elsewhere."""
    if len(doubled) < len(found.items) or not found.conditions:
        return 0
    size = len(found.conditions)
    rows = sorted(((s.line, item.label, s.condition) for item in found.items for s in item.sentences), key=lambda row: row[0])
    blocks = [rows[n : n + size] for n in range(0, len(rows), size)]
    are_items = all(len({label for _, label, _ in block}) == 1 and len({c for *_, c in block}) == size for block in blocks)
    if not are_items or size < 2:
        return 0
    texts = {(s.line, item.label): s.text for item in found.items for s in item.sentences}
    of_blocks = [[texts[line, label] for line, label, _ in block] for block in blocks]
    of_labels: dict[str, list[str]] = {}
    for block, own in zip(blocks, of_blocks, strict=True):
        of_labels.setdefault(block[0][1], []).append(own[0])
    # What shares as much over blocks as within them is one item, whose conditions have equal labels.
    return size if shared_within(list(of_labels.values())) < _OTHER_ITEMS * shared_within(of_blocks) else 0


def expect_alike(source: SourceFile, found: ForeignSet) -> None:
    """Ask about items whose sentences stand in different lists and are about different things: a number may be that of a trial."""
    if source.known.get("format") or source.options.item_columns or source.options.as_it_is or len(found.items) < 2:
        return
    several = [item for item in found.items if len(item.sentences) > 1]
    if len(several) * 2 < len(found.items):
        return
    for name in first_seen(name for item in several[:1] for s in item.sentences for name in s.attributes):
        if fold(name) not in _LISTS | _EXPERIMENTS | {"group"}:
            continue
        if any(len({s.attributes.get(name) for s in item.sentences}) < len(item.sentences) for item in several):
            continue
        within = shared_within([[s.text for s in item.sentences] for item in several])
        across = shared_within([[item.sentences[n % len(item.sentences)].text for item in several] for n in range(3)])
        if within > _OWN * across:
            continue
        own = tuple(roles(source).header[column] for column in roles(source).item)
        item = several[0]
        some = " / ".join(s.text for s in item.sentences[:2])
        message = f"the sentences of an item are about different things over {name}: item {item.label}, {some}"
        source.ask(
            item.sentences[0].line,
            message,
            f"{message[0].upper()}{message[1:]}. Are these other items?",
            [FileAnswer("yes", f"{name} names the item too", {"item_columns": (*own, name)})],
            hint=f"If they are one item all the same, say --format {found.shape}.",
        )


def _are_about_different_things(doubled: Sequence[ForeignItem], name: str) -> bool:
    """Whether sentences of one number share much less over the values of a column than within one: they are other items."""
    parts: list[dict[object, list[str]]] = []
    for item in doubled:
        own: dict[object, list[str]] = {}
        for sentence in item.sentences:
            own.setdefault(sentence.attributes.get(name), []).append(sentence.text)
        parts.append(own)
    within = shared_within([texts for own in parts for texts in own.values()])
    across = shared_within([[texts[0] for texts in own.values()] for own in parts])
    return across < _OTHER_ITEMS * within


def _is_parted(item: ForeignItem, name: str) -> bool:
    """Whether every value of the column has the same conditions within an item: it may be two items of one number."""
    sets: dict[object, set[str]] = {}
    for sentence in item.sentences:
        sets.setdefault(sentence.attributes.get(name), set()).add(sentence.condition)
    return len({frozenset(own) for own in sets.values()}) == 1
