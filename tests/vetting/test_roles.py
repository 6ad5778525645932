"""Roles read from sentences: where the gaps are, what governs them, and that every row of the table of word rules speaks of items in
frames that no paradigm of ours has."""

from __future__ import annotations

import ast
import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gapsmith import vetting
from gapsmith.bank import Severity
from gapsmith.templates import ROLES, FormatError, Paradigm, Source, align, load_paradigm, parse_paradigm, realise
from gapsmith.vetting.auditing import read_gold, shipped_gold
from gapsmith.vetting.loose_items import loose_item
from gapsmith.vetting.roles import FROM_PAIRS, FROM_SENTENCES, Origin, RoleReader, has_determiner, role_rows
from gapsmith.vetting.rules import RULES, ItemView, Knowledge, Linter, RuleSelection, load_knowledge
from gapsmith.vetting.rules.knowledge import shipped_rows
from gapsmith.vetting.rules.model import Word, WordRule
from gapsmith.vetting.rules.role_rules import words_of
from gapsmith.vetting.rules.word_rows import RuleRow
from tests.vetting.foreign_frames import READER, drafted, island, lint_texts, question
from tests.vetting.linting import stored
from tests.vetting.planted import planted
from tests.vetting.test_rules_pairs import GIVEN

pytestmark = pytest.mark.fast

_KNOWN = load_knowledge()


@pytest.mark.parametrize("row", shipped_rows(), ids=lambda row: f"{row.code}-{'|'.join(row.roles)}-{row.severity.value}")
def test_every_row_speaks_of_items_in_foreign_frames(row: RuleRow) -> None:
    """The flaw of each row, planted in a drafted paradigm without slots or with slots of other names, is named: a row that needs a shipped
    paradigm fails here, and so does one for which nobody has planted a flaw."""
    for role, items in planted(row).items():
        said = [{finding.code for finding in item.findings(row.code)} for item in items]
        assert sum(row.code in codes for codes in said) * 2 >= len(said) > 0, (role, items)


class _Noted(dict[str, tuple[Word, ...]]):
    """Words by role that note which roles were asked for."""

    def __init__(self, words: Mapping[str, tuple[Word, ...]]) -> None:
        super().__init__(words)
        self.asked: set[str] = set()

    def get(self, role: str, default: Any = None) -> Any:
        self.asked.add(role)
        return super().get(role, default)

    def __getitem__(self, role: str) -> tuple[Word, ...]:
        self.asked.add(role)
        return super().__getitem__(role)


def test_a_rule_on_words_reads_only_the_roles_by_which_its_answer_is_kept() -> None:
    """One answer serves all items with the same words in these roles; a rule that read another would speak of an item that came before."""
    rules = [rule for rule in RULES.values() if isinstance(rule, WordRule)]
    for row in shipped_rows():
        for item in (next(iter(items)) for items in planted(row).values()):
            paradigm, given = item.in_slots()
            linter = Linter(paradigm, _KNOWN, RuleSelection(("T",)), reader=READER)
            view = ItemView(loose_item(paradigm, realise(paradigm, given), given), paradigm)
            words = words_of(linter.roles(view), _KNOWN)
            for rule in (rule for rule in rules if not words.by_role.keys().isdisjoint(rule.needs)):
                noted = _Noted(words.by_role)
                list(rule.check(replace(words, by_role=noted, read={})))
                assert noted.asked <= set(rule.roles), rule.code


@pytest.mark.parametrize(
    ("modules", "named"), [(("roles/parsed.py",), FROM_SENTENCES), (("rules/pair_phenomena.py", "rules/pairs.py"), FROM_PAIRS)]
)
def test_the_table_of_roles_has_where_each_is_read(modules: tuple[str, ...], named: frozenset[str]) -> None:
    """As the modules that read them name them, beside slots and regions that declare any."""
    trees = [ast.parse((Path(vetting.__path__[0]) / name).read_text(encoding="utf-8")) for name in modules]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    makes = [
        c
        for c in calls
        if getattr(c.func, "attr", getattr(c.func, "id", "")) in {"add", "_placed", "PairRole", "ItemRole", "get"}
    ]
    said = {n.value for call in makes for a in call.args for n in ast.walk(a) if isinstance(n, ast.Constant) and n.value in ROLES}
    assert said - {"object", "name"} == named - {"object", "name"}
    told = {row.role: (row.from_sentences, row.from_pairs) for row in role_rows()}
    assert set(told) == set(ROLES)


def _blind() -> Iterator[tuple[dict[str, str], dict[str, str]]]:
    """Words as their writers gave them, and the texts alone; every fourth item."""
    for path in shipped_gold():
        if path.parent.name == "blind":
            with path.open(encoding="utf-8-sig", newline="") as file:
                rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
            for row, item in list(zip(rows, read_gold(path), strict=True))[::4]:
                yield row, dict(item.texts)


def test_roles_are_read_from_sentences() -> None:
    """Without a slot, and in words that nobody chose for it: each kind of word is right in 97 of 100 items."""
    reader = RoleReader()
    items = list(_blind())
    reader.look_ahead(texts for _, texts in items)
    right: Counter[str] = Counter()
    for row, texts in items:
        roles = reader.read(texts)
        for name in ("matrix", "noun", "preposition", "linker", "verb"):
            right[name] += [role.form for role in roles.named(name)] == [row[name]]
    assert len(items) > 100
    assert min(right.values()) >= 0.97 * len(items), right


@pytest.mark.parametrize(
    ("before", "has"),
    [
        (
            "the|Anna's old|the extremely old|an extremely tired and hungry|the 12|the apple|the old, tired|the singing|the self-made",
            True,
        ),
        ("one of the three old wise|such a|no such|this tired|someone's|James'|the other tall|the freshly painted", True),
        ("|I know that the doctor met|He's|That’s|the doctors praise|the man hit|the doctor will help|the nurse and", False),
        ("the book about|She likes baking|the man who praised|this hit|what praised|met the man,|the doctor often met", False),
    ],
)
def test_a_determiner_may_have_words_after_it(before: str, has: bool) -> None:
    """And what looks like one is none: a verb after a pronoun, a subject with its verb."""
    assert [words for words in before.split("|") if has_determiner(words.split()) is not has] == []


def test_a_complementizer_is_no_determiner() -> None:
    """The next word may be one."""

    def determined(role: str, gap: str, filled: str) -> bool:
        (word,) = words_of(
            READER.read({"gap": f"I know {gap} yesterday.", "filled": f"I know {filled} yesterday."}), _KNOWN
        ).by_role[role]
        return word.determined

    assert not determined("subject", "who bakers annoyed", "that bakers annoyed Anna")
    for before in ("the", "that", "the old"):
        about = f"{before} story about"
        assert determined("noun", f"who {about} annoyed Anna", f"that {about} Ben annoyed Anna"), before
    assert not determined("noun", "who story about annoyed Anna", "that story about Ben annoyed Anna")


def test_a_role_has_its_place_in_every_condition() -> None:
    """The words of a gap lie where they stand, and nowhere where it is open."""
    texts = island()
    roles = READER.read(texts)
    (host,) = [role for role in roles.named("name") if role.form == "Anna"]
    places = roles.places(host)
    assert {name for name, place in places.items() if place is None} == {
        name for name, text in texts.items() if "Anna" not in text
    }
    for role in roles.roles:
        for name, place in roles.places(role).items():
            assert place is None or texts[name][slice(*place)] == role.form
    assert {role.origin for role in roles.roles} == {Origin.DIFFERENCE, Origin.PARSE}


def test_a_finding_says_where_in_the_sentence() -> None:
    """No slot has a name, so the condition and the characters are given."""
    texts = question(verb="slept")
    (finding,) = lint_texts(texts, "L203")
    place = finding.place
    assert place.condition is not None
    assert texts[place.condition][place.start : place.end] == "slept"
    assert place.slot is None


@pytest.mark.parametrize(
    ("texts", "code"),
    [
        (question(verb="succeeded"), "L201"),
        (question(frame="The janitor cannot believe"), "L101"),
        (island(frame="It is still unclear"), "L102"),
        (question(filled="the table"), "L509"),
        (question(frame="The janitors remembers"), "L112"),
        (island(noun="anecdotes"), "L403"),
        (island(noun="refusal to sleep", preposition=""), "L312"),
        (island(determiner="these"), "L410"),
        (island(name="Anna"), "L511"),
        (island(adverb="enough"), "L601"),
        (island(adverb="tommorow"), "L702"),
    ],
)
def test_flaws_in_foreign_frames_are_named(texts: dict[str, str], code: str) -> None:
    """By a warning or an error."""
    assert code in {finding.code for finding in lint_texts(texts) if finding.severity is not Severity.INFO}


@pytest.mark.parametrize(
    "texts",
    [
        island(),
        question(),
        question(filler="what", verb="devoured", filled="the lobster"),
        island(noun="campaign", preposition="against", adverb="before the election"),
        island(noun="refusal to pardon", preposition="", linker="was going to"),
        island(determiner="three", noun="portraits", preposition="of", linker="were sure to", adverb="after all these years"),
        island(determiner="certain", noun="anecdotes", linker="were bound to"),
        island(determiner="old", noun="anecdotes", linker="were bound to"),
        island(frame="It was never clear"),
        island(frame="It became quite clear"),
        island(frame="My aunt told us", linker="will probably", adverb="at family dinners"),
    ],
)
def test_sound_items_in_foreign_frames_are_not_warned_of(texts: dict[str, str]) -> None:
    """Prepositions, infinitives, plurals and adverbials that no paradigm of ours has are no faults."""
    assert [f for f in lint_texts(texts) if f.severity is not Severity.INFO] == []


def test_an_item_is_read_alike_whatever_is_read_beside_it() -> None:
    """Alone, among others, and in another order of its conditions."""
    texts = question(verb="slept")
    alone = RoleReader().read(texts)
    reader = RoleReader()
    reader.look_ahead([island(), texts, question()])
    assert reader.read(texts).roles == alone.roles
    turned = RoleReader().read(dict(reversed(texts.items())))
    assert [(role.name, role.form) for role in turned.roles] == [(role.name, role.form) for role in alone.roles]


def test_what_could_not_be_looked_at_is_counted() -> None:
    """Of an item without a gap the rules on verbs say nothing, and that is told."""
    texts = {"one": "The key to the cabinet is rusty.", "two": "The key to the cabinets is rusty."}
    linter = Linter(drafted(tuple(texts)), _KNOWN, RuleSelection(("L2",)), reader=READER)
    from gapsmith.templates import Sentence, Source

    sentences = tuple(Sentence(name, text, None, Source.IMPORTED) for name, text in texts.items())
    assert linter.check(loose_item(linter.paradigm, sentences, label="1")) == []
    assert "L201" in linter.looked.blind
    told = linter.looked.told
    assert told.startswith("looked at no words in 1 item, since no condition leaves out words")
    assert "no gap can be told" in told


def test_a_named_region_declares_a_role() -> None:
    """What a file says of a region goes before what is read."""
    from gapsmith.templates import RegionSpan, Sentence, Source

    text = "The janitor remembered who two brokers had slept during the storm."
    regions = '[[regions]]\nname = "start"\n[[regions]]\nname = "middle"\nrole = "verb"\n[[regions]]\nname = "end"\n'
    paradigm = drafted(("one", "two"), regions)
    start = text.index("slept")
    spans = (
        RegionSpan("start", 0, start - 1),
        RegionSpan("middle", start, start + 5),
        RegionSpan("end", start + 6, len(text)),
    )
    sentences = tuple(Sentence(name, text, spans, Source.IMPORTED) for name in ("one", "two"))
    (finding,) = Linter(paradigm, _KNOWN, RuleSelection(("L203",)), reader=READER).check(
        loose_item(paradigm, sentences, label="1")
    )
    assert "“slept” takes no object" in finding.message


def _own_table(folder: Path, *rows: str) -> Knowledge:
    (folder / "lexicons").mkdir(exist_ok=True)
    head = "code,role,list,property,when,severity,guess,message,remedy\n"
    (folder / "lexicons" / "word_rules.csv").write_text(head + "".join(f"{row}\n" for row in rows), encoding="utf-8")
    return load_knowledge(folder)


def test_a_workspace_adds_rows(tmp_path: Path) -> None:
    """Under a code of its own, which is selected and shown like any other, and under one of ours."""
    known = _own_table(
        tmp_path,
        "XMY001,verb,verbs,strict,,warning,,“{word}” is what everybody takes,Take another verb.",
        "L201,verb,verbs,strict,,info,,“{word}” of mine,",
        "XMY002,noun,nouns,content,verb:verbs:strict !verbs:strict,info,,“{word}” before “{other}”,",
        "XMY003,noun,nouns,content,!verb:verbs:strict,info,,“{word}”,",
    )
    found = {f.code: f for f in lint_texts(island(), "XMY", "L201", knowledge=known)}
    mine = found["XMY001"]
    assert (mine.message, mine.severity, mine.remedy) == (
        "“enrage” is what everybody takes",
        Severity.WARNING,
        "Take another verb.",
    )
    assert found["L201"].message == "“enrage” of mine"
    assert found["XMY002"].message == "“anecdote” before “enrage”"
    assert "XMY003" not in found
    assert known.digest != _KNOWN.digest


def test_the_word_that_only_the_starred_sentence_of_a_pair_has_is_looked_at(tmp_path: Path) -> None:
    """By rows of one's own, in its base form, and where it stands; our rows on all words look at the sound sentence, as they were measured."""
    (tmp_path / "lexicons").mkdir()
    (tmp_path / "lexicons" / "ours.csv").write_text("form,class\nelapse,odd\ngoose,odd\n", encoding="utf-8")
    known = _own_table(
        tmp_path,
        "XMY001,*,ours,*,!ours:?,info,,all {word},",
        "XMY002,changed,ours,odd,,info,,changed {word},",
        "XMY003,rest,ours,odd,,info,,rest {word},",
        "XMY004,verb,ours,odd,,info,,verb {word},",
    )
    pairs = parse_paradigm(GIVEN)
    linter = Linter(pairs, known, RuleSelection(("XMY",)))

    def said(good: str, bad: str) -> set[tuple[str, str | None, int | None]]:
        found = linter.check(stored(pairs, [("good", good), ("bad", bad)]))
        return {(finding.message, finding.place.condition, finding.place.start) for finding in found}

    clock = "The teacher bought the clock.", "The teacher elapsed the clock."
    assert said(*clock) == {("all elapsed", "bad", 12), ("changed elapsed", "bad", 12)}
    assert said(*reversed(clock)) == {("all elapsed", "good", 12), ("rest elapsed", "good", 12)}
    assert said("The geese ran.", "The geese run.") == {("all geese", "good", 4), ("rest geese", "good", 4)}
    assert "XMY004 reads the role verb, which is not in" not in linter.looked.told
    assert linter.looked.blind == ("XMY004",)
    slur = next(f for f, e in _KNOWN.lists["offensive"].items() if e.values("class") == ("slur",) and f.isalpha())
    ours = Linter(pairs, _KNOWN, RuleSelection(("L700",)))
    pair = ("The teacher saw a man.", f"The teacher saw a {slur}.")
    assert [len(ours.check(stored(pairs, zip(("good", "bad"), own, strict=True)))) for own in (pair, pair[::-1])] == [0, 1]


@pytest.mark.parametrize(
    ("before", "told"),
    [
        ("the ", set()),
        ("Anna's quick ", set()),
        ("{which} ", set()),
        ("", {"L510", "G104"}),
        ("quick ", {"L510"}),
        ("beside ", {"L510", "G104"}),
    ],
)
def test_a_determiner_may_stand_before_a_slot(before: str, told: set[str]) -> None:
    """In the text of its region, or in a slot of which no role says what it holds: then the noun is no bare one."""
    paradigm = parse_paradigm(
        'name = "own"\ntitle = "own"\nfinal_punctuation = "."\n'
        '[factors.form]\nlevels = { open = "open", filled = "filled" }\n[status]\nopen = "ok"\nfilled = "ok"\n'
        '[[regions]]\nname = "front"\ntext = "I know"\n'
        '[[regions]]\nname = "opener"\nrole = "filler"\nwhen = { open = "what", filled = "that" }\n'
        f'[[regions]]\nname = "who"\ntext = "{before}{{who}}"\n[[regions]]\nname = "does"\ntext = "{{does}}"\n'
        f'[[regions]]\nname = "gap"\nrole = "gap"\nwhen = {{ open = "", filled = "{before}{{thing}}" }}\n'
        '[[regions]]\nname = "end"\ntext = "there"\n[critical]\nopen = "end"\nfilled = "gap"\n'
        '[slots.who]\nrole = "subject"\ndescription = "x"\nexample = "baker"\n'
        '[slots.does]\nrole = "verb"\ndescription = "x"\nexample = "repaired"\n'
        '[slots.thing]\nrole = "object"\ndescription = "x"\nexample = "car"\n'
        + ('[slots.which]\ndescription = "x"\nexample = "the"\n' if "which" in before else "")
        + '[designs.all]\nconditions = "all"\n'
    )
    words = {"who": "baker", "does": "repaired", "thing": "car", **({"which": "the"} if "which" in before else {})}
    item = replace(loose_item(paradigm, realise(paradigm, words), label="1"), slots=words)
    found = Linter(paradigm, _KNOWN, RuleSelection(("L510", "G104"))).check(item)
    assert {finding.code for finding in found} == told


def test_a_row_asks_a_list_of_the_workspace_own(tmp_path: Path) -> None:
    """A verb is found in its base form, with or without classes in the list; a list that no row asks is still refused."""
    (tmp_path / "lexicons").mkdir()
    rows = "XMY001,verb,ours,!?,,warning,,“{word}” is one of ours,\nXMY002,verb,ours,odd,ours:odd,info,,odd,\nXMY003,verb,ours,?,,info,,x,\n"
    head = "code,role,list,property,when,severity,guess,message,remedy\n"
    (tmp_path / "lexicons" / "word_rules.csv").write_text(head + rows, encoding="utf-8")
    (tmp_path / "lexicons" / "ours.csv").write_text("form,class\nresemble,odd\n", encoding="utf-8")
    words = {"verb": "resembling", "linker": "is on the verge of"}
    found = {f.code: f.message for f in lint_texts(island(**words), "XMY", knowledge=load_knowledge(tmp_path))}
    assert found == {"XMY001": "“resembling” is one of ours", "XMY002": "odd"}
    (tmp_path / "lexicons" / "word_rules.csv").write_text(head + rows.replace(",ours,odd", ",ours,even"), encoding="utf-8")
    with pytest.raises(FormatError, match="there is no 'even'"):
        load_knowledge(tmp_path)
    (tmp_path / "lexicons" / "word_rules.csv").write_text(head, encoding="utf-8")
    with pytest.raises(FormatError, match=r"ours\.csv: .* no row of word_rules\.csv asks it"):
        load_knowledge(tmp_path)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("L999,verb,verbs,strict,,info,,x,", "column code: 'L999' is no code of the table"),
        ("XMY001,verbs,verbs,strict,,info,,x,", "column role: there is no 'verbs'"),
        ("XMY001,verb,verb,strict,,info,,x,", "column list: there is no 'verb'"),
        ("XMY001,verb,verbs,stric,,info,,x,", "column property: there is no 'stric'"),
        ("XMY001,verb,verbs,strict,persons,info,,x,", "column when: there is no 'persons'"),
        ("XMY001,verb,verbs,strict,noun:nouns:persons,info,,x,", "column when: there is no 'persons'"),
        ("XMY001,verb,verbs,strict,nuon:nouns:person,info,,x,", "column when: there is no 'nuon'"),
        ("XMY001,verb,verbs,strict,a:noun:nouns:person,info,,x,", "column when: 'a:noun:nouns:person'"),
        ("XMY001,verb,verbs,strict,,bad,,x,", "column severity: there is no 'bad'"),
        ("XMY001,verb,verb_uses,saying,,info,info,x,", "column guess: nothing is guessed of words that verb_uses"),
        ("XMY001,verb,verbs,strict,,info,,{what},", "column message: there is no 'what'"),
        ("XMY001,verb,verbs,strict,,info,,,", "column message: it is empty"),
        ("XMY001,verb,verbs,strict,,info,,{word}, which is bad,", "10 cells where the header has 9"),
        ("XMY001,verb,verbs,strict,,info,,{word}", "8 cells where the header has 9"),
    ],
)
def test_a_row_that_cannot_be_read_is_refused_by_its_line(tmp_path: Path, row: str, said: str) -> None:
    """File, line and column, and what there is instead."""
    with pytest.raises(FormatError) as error:
        _own_table(tmp_path, row)
    assert "word_rules.csv, line 2" in error.value.message
    assert said in error.value.message
    assert error.value.hint


def _renamed(paradigm: Paradigm) -> tuple[Paradigm, Mapping[str, str]]:
    """A shipped paradigm whose slots have names that no rule knows, and these names to its own."""
    text = Path(paradigm.path).read_text(encoding="utf-8")
    names = {slot.name: f"zork{number}" for number, slot in enumerate(paradigm.slots) if f"[slots.{slot.name}]" in text}
    any_of = "|".join(sorted(names, key=len, reverse=True))
    text = re.sub(rf"(\[slots\.|\{{)({any_of})(?=[\]}}.])", lambda found: found[1] + names[found[2]], text)
    text = re.sub(
        r"(?m)^(?:distinct|match|sample|offered_by) = .*$",
        lambda line: re.sub(rf'"({any_of})(?=["./])', lambda found: f'"{names[found[1]]}', line[0]),
        text,
    )
    return parse_paradigm(text, path=paradigm.path), {other: own for own, other in names.items()}


def test_no_rule_but_those_of_a_paradigms_form_knows_a_slot_by_its_name() -> None:
    """An item of each flaw says the same whatever its paradigm calls its slots."""
    known = load_knowledge()
    linters: dict[str, tuple[Linter, Linter, Mapping[str, str]]] = {}
    tried: set[str] = set()
    for gold in (item for path in shipped_gold() if path.parent.name != "blind" for item in read_gold(path)):
        if gold.expected[:1] and (gold.expected[0] in tried or gold.expected[0][0] == "T"):
            continue
        paradigm = load_paradigm(gold.paradigm)
        if paradigm.given or not paradigm.visible_slots or not gold.expected:
            continue
        if gold.paradigm not in linters:
            renamed, names = _renamed(paradigm)
            asked = RuleSelection(("L", "G", "C"))
            linters[gold.paradigm] = Linter(paradigm, known, asked), Linter(renamed, known, asked), names
        *both, names = linters[gold.paradigm]
        own, other = (
            {
                (found.code, found.severity, found.message, names.get(found.place.slot or "", found.place.slot))
                for found in linter.check(
                    loose_item(
                        linter.paradigm,
                        tuple(align(linter.paradigm, name, text, {}, Source.IMPORTED) for name, text in gold.texts),
                        label="1",
                    )
                )
            }
            for linter in both
        )
        assert own == other, gold
        tried |= {code for code, *_ in own}
    assert len(tried) > 60


def test_no_rule_asks_for_a_slot_by_a_name_of_its_own() -> None:
    """Not in a module of a rule that is about words: what stands in ``slots[...]`` comes from the paradigm."""
    own = {"conditions.py", "slots.py", "shape.py"}
    for path in (path for room in ("rules", "roles") for path in (Path(vetting.__file__).parent / room).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if path.name not in own else ():
            match node:
                case ast.Subscript(value=ast.Attribute(attr="slots" | "words" | "slot_by_name"), slice=ast.Constant(value=str())):
                    asked = True
                case ast.Call(
                    func=ast.Attribute(value=ast.Attribute(attr="slots" | "words"), attr="get"), args=[ast.Constant(), *_]
                ):
                    asked = True
                case ast.Compare(left=ast.Attribute(value=ast.Name(id="slot"), attr="name"), comparators=[ast.Constant(), *_]):
                    asked = True
                case _:
                    asked = False
            assert not asked, f"{path.name}: {ast.unparse(node)}"
