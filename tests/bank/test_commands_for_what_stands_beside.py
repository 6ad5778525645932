"""Rows of several people, rows that correct others, marks and remarks within lines, tables and letters over pages: the command that is printed
reads the items, and none is printed that takes a person, a day or a key for a condition."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from gapsmith.bank.formats import ForeignSet, SourceFile, read_foreign
from tests.bank.test_offered_commands import put, refused, sentences, taken
from tests.bank.test_shapes_of_strangers import commands
from tests.conftest import CommandOutcome

Run = Callable[..., CommandOutcome]
WORDS = (("porter", "trunk"), ("singer", "ladder"), ("miller", "barrel"), ("clerk", "parcel"), ("widow", "basket"))
PAIRS = [(f"The {one} has lifted the {thing}.", f"The {one} has lift the {thing}.") for one, thing in WORDS]
SORTED = sorted(sorted(pair) for pair in PAIRS)


def conditions(found: ForeignSet) -> dict[str, list[str]]:
    """The sentences of each condition."""
    return {c: [s.text for item in found.items for s in item.sentences if s.condition == c] for c in found.conditions}


def answers(title: str) -> str:
    """Three people's answers, of which the first and the last saw the same list."""
    rows = [
        (f"s{person}", place, "XY"[(place + person) % 2], n, PAIRS[n][(place + person) % 2], 600 + 7 * place)
        for person in (3, 4, 5)
        for place, n in enumerate(range(len(PAIRS)))
    ]
    head = "Subject\tTrial\tCond\tItemID\tStim\tProbe.RT\n"
    return title + head + "".join("\t".join(map(str, row)) + "\n" for row in rows)


@pytest.mark.parametrize("title", ["Made by the program of the laboratory.\n", "Pilot, spring\nTwo lists were shown.\n"])
def test_answers_below_a_title_come_in_by_their_condition_and_not_by_their_people(tmp_path: Path, title: str) -> None:
    path = put(tmp_path, "export.txt", answers(title))
    command, found = taken(path)
    assert "--once" in command
    assert "--headings" not in str(refused(path))
    assert sentences(found) == SORTED
    assert set(found.conditions) == {"X", "Y"}
    assert all(s.condition == ("Y" if " lift " in s.text else "X") for item in found.items for s in item.sentences)


@pytest.mark.parametrize("heading", ["Subject", "Participant", "List", "date"])
def test_who_saw_a_sentence_and_when_is_no_condition(tmp_path: Path, heading: str) -> None:
    values = ("2019-03-04", "2019-03-11") if heading == "date" else ("1", "2")
    rows = "".join(f"{n},{values[(n + k) % 2]},{text}\n" for n, pair in enumerate(PAIRS) for k, text in enumerate(pair))
    path = put(tmp_path, "a.csv", f"item,{heading},sentence\n{rows}")
    assert not [line for line in commands(refused(path)) if f"--condition-column {heading}" in line]


@pytest.mark.parametrize("remark", ["CORRECTED, please read this row", "use this one", "Korrektur vom Mai"])
@pytest.mark.parametrize("heading", ["version", "condition"])
def test_rows_that_a_remark_corrects_are_left_out(tmp_path: Path, remark: str, heading: str) -> None:
    rows = [(n, c, t, "2019-03-04", "") for n, own in enumerate(PAIRS, 1) for c, t in zip("ko", own, strict=True)]
    new = ("The miller has lifted the heavy barrel.", "The miller has lift the heavy barrel.")
    rows += [(3, c, t, "2019-05-20", remark) for c, t in zip("ko", new, strict=True)]
    lines = "".join(f'{n},{c},{t},{day},"{said}"\n' for n, c, t, day, said in rows)
    path = put(tmp_path, "a.csv", f"item,{heading},sentence,date,remark\n{lines}")
    command, found = taken(path)
    assert "--leave-out 6-7" in command
    assert "--condition-column date" not in str(refused(path))
    assert len(commands(refused(path))) == 1
    assert found.conditions == ("k", "o")
    assert sentences(found) == sorted(sorted(new if n == 2 else pair) for n, pair in enumerate(PAIRS))


def test_a_remark_that_is_asked_or_denied_corrects_nothing(tmp_path: Path) -> None:
    rows = [(n, c, t, "") for n, own in enumerate(PAIRS, 1) for c, t in zip("ko", own, strict=True)]
    rows += [(3, c, f"{t[:-1]} twice.", said) for c, t, said in zip("ko", PAIRS[2], ("not corrected", "corrected?"), strict=True)]
    lines = "".join(f"{n},{c},{t},{said}\n" for n, c, t, said in rows)
    printed = commands(refused(put(tmp_path, "a.csv", f"item,condition,sentence,remark\n{lines}")))
    assert len(printed) == 2  # the last ones or the first ones: nothing says which


MARKED = """A star stands where the trouble is.

1. The cook forgot *(that) Ruth sings daily.
2. Which guest did they claim (*that) broke the vase?
3. My uncles *owns a mill. / My uncles own a mill.
4. The class listened *(to) their teacher.
5. We made them (*to) sweep the attic.
"""


def test_what_is_marked_at_any_place_is_the_bad_one(tmp_path: Path) -> None:
    path = put(tmp_path, "marks.txt", MARKED)
    _, found = taken(path)
    assert not [line for line in commands(refused(path)) if "--take-out" in line]
    assert set(found.conditions) == {"good", "bad"}
    texts = {c: [text.lstrip("*") for text in own] for c, own in conditions(found).items()}
    assert texts["bad"] == [
        "The cook forgot Ruth sings daily.",
        "Which guest did they claim that broke the vase?",
        "My uncles owns a mill.",
        "The class listened their teacher.",
        "We made them to sweep the attic.",
    ]
    assert texts["good"][1:3] == ["Which guest did they claim broke the vase?", "My uncles own a mill."]


def test_a_star_that_says_which_one_is_bad_is_not_taken_out_of_places(tmp_path: Path) -> None:
    # In line 3 both are marked, so that nothing is the good one of it.
    path = put(tmp_path, "marks.txt", MARKED.replace("My uncles own a mill", "My uncles *own a mill"))
    assert not [line for line in commands(refused(path)) if "--take-out" in line]


def remarks(of_two: tuple[str, str], sign: str = "--") -> str:
    return "".join(
        f"{n} {c} {t}{f'   {sign} {said}' if n == 2 else ''}\n"
        for n, own in enumerate(PAIRS, 1)
        for c, t, said in zip("KO", own, of_two, strict=True)
    )


@pytest.mark.parametrize("sign", ["--", "//", "<-"])
def test_remarks_behind_sentences_are_taken_off(tmp_path: Path, gapsmith: Run, sign: str) -> None:
    path = put(tmp_path, "own.txt", remarks(("Nobody minds this.", "Is it so bad?"), sign))
    command, found = taken(path)
    assert "--strip-suffix" in command
    assert sentences(found) == SORTED
    # The sign begins as an option does, and is a value all the same.
    gapsmith("init", ".")
    outcome = gapsmith(*shlex.split(command)[1:], "--preview")
    assert outcome.code == 0


def test_a_dash_within_a_sentence_is_not_taken_for_one_before_a_remark(tmp_path: Path) -> None:
    text = remarks(("Nobody minds this.", "Is it so bad?")).replace("has lifted the trunk", "has -- at last -- lifted the trunk")
    path = put(tmp_path, "own.txt", text)
    assert not [line for line in commands(refused(path)) if "--..." in line]


def test_a_turn_of_talk_behind_every_sentence_is_no_remark(tmp_path: Path) -> None:
    rows = "".join(f"{n},{c},{t} -- Did you see it?\n" for n, own in enumerate(PAIRS, 1) for c, t in zip("ko", own, strict=True))
    path = put(tmp_path, "a.csv", f"item,condition,sentence\n{rows}")
    assert not [line for line in commands(refused(path)) if "--strip-suffix" in line]
    found = read_foreign(SourceFile(path), format="csv")
    assert all("Did you see it?" in s.text for item in found.items for s in item.sentences)


def test_practice_and_keys_of_answers_are_no_kind_of_rows_to_read(tmp_path: Path) -> None:
    rows = [("yes", 1, n, c, f"Somebody {v} a {n}.", key) for n, c, v, key in ((1, "k", "had", "z"), (2, "o", "have", "m"))]
    rows += [
        ("no", list_, n, "ko"[(n + list_) % 2], pair[(n + list_) % 2], "m") for list_ in (1, 2) for n, pair in enumerate(PAIRS, 1)
    ]
    lines = "".join(",".join(map(str, row)) + "\n" for row in rows)
    path = put(tmp_path, "loop.csv", f"practice,list_nr,item_nr,condition,sentence,correct_response\n{lines}")
    command, found = taken(path)
    assert "--only practice=no" in command
    assert not [line for line in commands(refused(path)) if "practice=yes" in line or "correct_response" in line]
    assert sentences(found) == SORTED


def test_a_table_over_pages_comes_in_without_heads_and_headings_again(tmp_path: Path) -> None:
    head = "Item\tperfect\tbare\tyes\n"
    body = [f"{n}\t{good}\t{bad}\t{9 + n}\n" for n, (good, bad) in enumerate(PAIRS, 1)]
    text = f"Page 1\n{head}{''.join(body[:2])}Page 2\n{head}{body[2]}\t(as above)\t\t\n{''.join(body[3:])}Total\t5 sentences\t5 sentences\t60\n"
    command, found = taken(put(tmp_path, "pages.txt", text))
    assert "--header-row 2 --leave-out 5-6,8,11" in command
    assert set(found.conditions) == {"perfect", "bare"}
    assert sentences(found) == SORTED


WRAPPED = """Materials of the second study

1. (a) The porter / lifted / the heavy trunk / before the moun-
tain / train left.
(b) The porter / lifted / the heavy trunk / before the mountain /
train melted.
2. (a) The singer / climbed / the old ladder / after the con-
cert / ended.
(b) The singer / climbed / the old ladder / after the concert /
evaporated.
3. (a) The miller / rolled / the full barrel / while the dog / barked.

MATERIALS                                  73

(b) The miller / rolled / the full barrel / while the dog / rusted.
"""


def test_the_rest_of_a_wrapped_sentence_is_never_said_to_be_of_none(tmp_path: Path) -> None:
    path = put(tmp_path, "appendix.txt", WRAPPED)
    error = refused(path)
    assert "take out lines 1, 13, which belong to no sentence" in str(error)
    _, found = taken(path)
    assert found.conditions == ("a", "b")
    assert sentences(found)[0] == [
        "The miller rolled the full barrel while the dog barked.",
        "The miller rolled the full barrel while the dog rusted.",
    ]
    assert "The porter lifted the heavy trunk before the mountain train left." in sentences(found)[1]
    assert sum(len(item.sentences) for item in found.items) == 6
