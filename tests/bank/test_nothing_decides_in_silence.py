"""What a file says twice and not alike, what would be left out, what would be read as signs: it is refused with the way out, or told."""

from __future__ import annotations

from pathlib import Path

import pytest

from gapsmith.bank.formats import ForeignSet, ReadOptions, SourceFile, differing_columns, read_foreign
from gapsmith.templates import FormatError
from tests.bank.test_shapes_of_strangers import commands, said

NOUNS = (("key", "cabinet"), ("road", "mountain"), ("picture", "child"), ("letter", "lawyer"), ("label", "bottle"))
PAIRS = [(f"The {a} near the {b} is old.", f"The {a} near the {b} are old.") for a, b in NOUNS]


def put(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def refused(path: Path, options: ReadOptions | None = None, format: str | None = None) -> FormatError:
    with pytest.raises(FormatError) as caught:
        read_foreign(SourceFile(path, options or ReadOptions()), format=format)
    return caught.value


def read(path: Path, command: str = "") -> ForeignSet:
    options, format = said(command) if command else (ReadOptions(), None)
    return read_foreign(SourceFile(path, options), format=format)


def texts(found: ForeignSet) -> list[list[str]]:
    return sorted(sorted(s.text for s in item.sentences) for item in found.items)


# ---- marks and what columns and conditions say


def columns_with_marks(odd: int | None) -> str:
    rows = [(f"*{b}", a) if n == odd else (a, f"*{b}") for n, (a, b) in enumerate(PAIRS)]
    return "pair,grammatical,ungrammatical\n" + "".join(f"{n},{one},{other}\n" for n, (one, other) in enumerate(rows, 1))


def rows_with_marks(odd: int | None, label: tuple[str, str]) -> str:
    lines = []
    for n, pair in enumerate(PAIRS, 1):
        pair = (pair[1], pair[0]) if n - 1 == odd else pair
        for name, text in zip(label, pair, strict=True):
            lines.append(f"{n},{name},{'*' if text.endswith('are old.') else ''}{text}\n")
    return "item,condition,sentence\n" + "".join(lines)


def named_with_marks(odd: int | None) -> str:
    lines = []
    for n, pair in enumerate(PAIRS):
        pair = (pair[1], pair[0]) if n == odd else pair
        for name, text in zip(("Grammatical", "Ungrammatical"), pair, strict=True):
            lines.append(f"{name}: {'*' if text.endswith('are old.') else ''}{text}\n")
        lines[-2] = f"Item {n + 1}\n{lines[-2]}"
    return "".join(lines)


@pytest.mark.parametrize(
    ("name", "content", "line", "stands"),
    [
        ("a.csv", columns_with_marks, 5, "under grammatical"),
        ("a.csv", lambda odd: rows_with_marks(odd, ("gram", "ungram")), 8, "under gram"),
        ("a.csv", lambda odd: rows_with_marks(odd, ("correct", "incorrect")), 8, "under correct"),
        ("a.txt", named_with_marks, 11, "under Grammatical"),
    ],
)
def test_a_mark_against_its_column_is_refused_by_item_and_line(
    tmp_path: Path, name: str, content, line: int, stands: str
) -> None:  # type: ignore[no-untyped-def]
    path = put(tmp_path, name, content(3))
    error = refused(path)
    assert error.message.startswith(
        f"{path}, line {line}: item 4: 'The letter near the lawyer are old.' is marked *, and {stands}"
    )
    (command,) = commands(error)
    taken = read(path, command)
    assert {s.attributes["judgement"] for s in taken.items[3].sentences} == {"*", "ok"}
    assert any("is marked *" in note for note in taken.notes)
    same = read(put(tmp_path, name, content(None)))
    assert sorted(same.expected.values()) == ["*", "ok"]
    assert [s.mark for s in same.items[3].sentences] == ["", "*"]
    assert differing_columns(same) == []


def test_a_mark_against_a_column_of_judgements_is_refused(tmp_path: Path) -> None:
    lines = [f"{n},a,yes,{one}\n{n},b,{'yes' if n == 2 else 'no'},*{two}\n" for n, (one, two) in enumerate(PAIRS, 1)]
    path = put(tmp_path, "a.csv", "item,condition,grammatical,sentence\n" + "".join(lines))
    assert (
        "line 5: item 2: 'The road near the mountain are old.' is marked *, and yes in the column grammatical"
        in refused(path).message
    )


def judged(values: tuple[str, ...]) -> str:
    lines = [f"{n}a,{one},ok\n{n}b,{two},{value}\n" for n, ((one, two), value) in enumerate(zip(PAIRS, values, strict=True), 1)]
    return "ID,Sentence,Judgement\n" + "".join(lines)


def test_a_doubtful_one_among_the_bad_ones_is_told_and_no_one_of_them_is_good(tmp_path: Path) -> None:
    path = put(tmp_path, "a.csv", judged(("*", "*", "??", "*", "*")))
    found = read(path)
    assert found.expected == {"a": "ok", "b": "*"}
    (taken,) = [a for a in found.assumptions if a.what == "expected"]
    assert taken.sure == "assumed"
    assert "Judgement says * of 4 and ?? of 1 sentences of b" in str(taken)
    assert differing_columns(found) == []
    assert [s.attributes["Judgement"] for s in found.items[2].sentences] == ["ok", "??"]
    good = read_foreign(SourceFile(path, ReadOptions(good=("Judgement=ok",))))
    assert good.expected == {"a": "ok", "b": "*"}


def test_where_a_column_says_both_of_one_condition_nothing_is_expected_and_it_is_said_why(tmp_path: Path) -> None:
    path = put(tmp_path, "a.csv", judged(("*", "ok", "*", "*", "*")))
    why = "nothing is expected of b, since Judgement says * of 4 and ok of 1 sentences of b"
    found = read(path)
    assert not found.expected
    assert any(note.startswith(why) for note in found.notes)
    good = read_foreign(SourceFile(path, ReadOptions(good=("Judgement=ok",))))
    assert any("nothing is expected of b, where Judgement is ok for some sentences" in note for note in good.notes)
    assert [s.attributes["judgement"] for s in good.items[1].sentences] == ["ok", "ok"]


@pytest.mark.parametrize(("good", "bad"), [("gram", "ungram"), ("correct", "incorrect"), ("верно", "неверно")])
def test_labels_that_say_what_is_acceptable_are_read_alone_and_as_a_factor(tmp_path: Path, good: str, bad: str) -> None:
    lines = [f"{n},{good},{one}\n{n},{bad},{two}\n" for n, (one, two) in enumerate(PAIRS, 1)]
    alone = read(put(tmp_path, "a.csv", "item,condition,sentence\n" + "".join(lines)))
    assert alone.expected == {good: "ok", bad: "*"}
    crossed = [
        f"{n},{number},{label},{text.replace(' near', 's near' if number == 'pl' else ' near')}\n"
        for n, pair in enumerate(PAIRS, 1)
        for number in ("sg", "pl")
        for label, text in zip((good, bad), pair, strict=True)
    ]
    path = put(tmp_path, "b.csv", "item,number,form,sentence\n" + "".join(crossed))
    found = read_foreign(SourceFile(path, ReadOptions(condition_columns=("number", "form"))))
    assert found.expected == {f"sg {good}": "ok", f"sg {bad}": "*", f"pl {good}": "ok", f"pl {bad}": "*"}
