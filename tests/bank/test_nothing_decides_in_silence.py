"""What a file says twice and not alike, what would be left out, what would be read as signs: it is refused with the way out, or told."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from gapsmith.bank.formats import ForeignSet, ReadOptions, SourceFile, differing_columns, read_foreign, written
from gapsmith.templates import FormatError
from tests.bank.test_shapes_by_option import put as put_sheets
from tests.bank.test_shapes_of_strangers import commands, said
from tests.conftest import CommandOutcome
from tests.printed import results

Run = Callable[..., CommandOutcome]

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
    tmp_path: Path, name: str, content: Callable[[int | None], str], line: int, stands: str
) -> None:
    path = put(tmp_path, name, content(3))
    error = refused(path)
    assert error.message.startswith(
        f"{path}, line {line}: item 4: 'The letter near the lawyer are old.' is marked *, and {stands}"
    )
    by_marks, by_labels = commands(error)
    turned = read(path, by_marks)
    good, bad = ({turned.expected[s.condition]: s.text for s in turned.items[3].sentences}[status] for status in ("ok", "*"))
    assert (good, bad) == PAIRS[3]
    assert texts(turned) == sorted(sorted(pair) for pair in PAIRS)
    assert any(note.startswith("the sentences of item 4") and "are exchanged" in note for note in turned.notes)
    taken = read(path, by_labels)
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


# ---- what is left out


def practice_and_items(fillers: int) -> str:
    own = "".join(f"# rc {n} sg\n{one}\n\n# rc {n} pl\n{two}\n\n" for n, (one, two) in enumerate(PAIRS, 1))
    rest = "".join(
        f"# filler {n} -\nSome{n} clouds{n} passed{n} over{n} the{n} hills{n} at{n} dawn{n}.\n\n" for n in range(fillers)
    )
    return f"# practice 1 -\nThe old clock stopped.\n\n{own}{rest}"


@pytest.mark.parametrize("fillers", [2, 80])
def test_the_first_part_that_is_offered_has_conditions_and_what_stays_out_is_counted(tmp_path: Path, fillers: int) -> None:
    path = put(tmp_path, "a.itm", practice_and_items(fillers))
    printed = commands(refused(path))
    assert [command.split("experiment=")[1].split()[0] for command in printed] == ["rc"]
    note = f"left out, as said with --only: {fillers + 1} blocks (experiment=practice 1, experiment=filler {fillers})"
    assert note in read(path, printed[0]).notes


def test_rows_left_out_are_counted_with_what_they_say(tmp_path: Path) -> None:
    lines = [
        f"{n},{kind},{c},{text}\n"
        for kind in ("crit", "fill")
        for n, p in enumerate(PAIRS, 1)
        for c, text in zip("ab", p, strict=True)
    ]
    path = put(tmp_path, "a.csv", "item,kind,condition,sentence\n" + "".join(lines))
    found = read_foreign(SourceFile(path, ReadOptions(only=("kind=crit",))))
    assert "left out, as said with --only: 10 rows (kind=fill)" in found.notes


def test_only_is_refused_where_nothing_is_left_out_by_it(tmp_path: Path) -> None:
    path = put(tmp_path, "a.txt", "".join(f"{n}a. {one}\n{n}b. *{two}\n" for n, (one, two) in enumerate(PAIRS, 1)))
    assert "has no columns for --only kind=x" in refused(path, ReadOptions(only=("kind=x",))).message


def test_two_conditions_under_one_label_are_never_offered_without_one_of_them(tmp_path: Path) -> None:
    lines = [
        f"{n},gram,{one}\n{n},ungram,{two}\n{n},ungram,{one.replace('The ', 'These ')}\n" for n, (one, two) in enumerate(PAIRS, 1)
    ]
    path = put(tmp_path, "a.csv", "item,condition,sentence\n" + "".join(lines))
    error = refused(path)
    for command in commands(error):
        options, format = said(command)
        found = read_foreign(SourceFile(path, options), format=format)
        assert sum(len(item.sentences) for item in found.items) == len(PAIRS) * 3
        assert found.conditions == ("row_1", "row_2", "row_3")
    assert "such as ungram_1 and ungram_2" in error.hint


TOTALS = ("Total: 10 sentences", "Total,10", '"Sum, all"')


@pytest.mark.parametrize("total", TOTALS)
def test_a_row_below_the_table_is_left_out_and_named(tmp_path: Path, total: str) -> None:
    lines = [f"{n},{name},{text},yes\n" for n, pair in enumerate(PAIRS, 1) for name, text in zip("ab", pair, strict=True)]
    path = put(
        tmp_path, "a.csv", "item,condition,sentence,checked\n" + "".join(lines) + total + ("" if "," in total else ",,") + "\n"
    )
    found = read(path)
    assert texts(found) == sorted(sorted(pair) for pair in PAIRS)
    word = total.split(",")[0].strip('"')
    assert any(note.startswith(f"left out, since it stands below the table: line 12, '{word}") for note in found.notes)


@pytest.mark.parametrize("last", ["6,a,,", "6", "x6,a"])
def test_a_row_that_may_be_one_of_the_table_is_not_left_out(tmp_path: Path, last: str) -> None:
    lines = [f"{n},{name},{text},yes\n" for n, pair in enumerate(PAIRS, 1) for name, text in zip("ab", pair, strict=True)]
    path = put(tmp_path, "a.csv", "item,condition,sentence,checked\n" + "".join(lines) + last + "\n")
    if last == "6,a,,":
        assert read(path).items[-1].label == "6"
    else:
        assert "line 12" in refused(path).message


def test_only_leaves_rows_out_before_they_are_looked_at(tmp_path: Path) -> None:
    lines = [f"{n},{name},{text}\n" for n, pair in enumerate(PAIRS, 1) for name, text in zip("ab", pair, strict=True)]
    path = put(tmp_path, "a.csv", "item,condition,sentence\n" + "".join(lines) + "7\n")
    found = read_foreign(SourceFile(path, ReadOptions(only=("condition=a", "condition=b"))))
    assert texts(found) == sorted(sorted(pair) for pair in PAIRS)
    assert "left out, as said with --only: 1 rows (condition=)" in found.notes


# ---- regions


def region_rows(*, shifted: bool, twice: bool = False) -> str:
    lines = []
    for n, (a, b) in enumerate(NOUNS, 1):
        gap = [("start", "I know"), ("comp", "what"), ("subj", f"the {a}"), ("end", f"hid at {n}.")]
        full = [*gap[:3], ("obj", f"a {b}"), gap[3]]
        if twice:
            gap, full = ([(name if name != "start" else "comp", text) for name, text in own] for own in (gap, full))
        for condition, own in (("gap", gap), ("nogap", full)):
            for place, (name, text) in enumerate(own, 1):
                number = place if shifted or name != "end" else len(full)
                lines.append(f"{n}\t{condition}\t{number}\t{name}\t{text}\n")
    return "item\tcondition\tregion_nr\tregion_name\ttext\n" + "".join(lines)


def test_regions_of_one_name_are_one_region_where_another_is_missing_before_it(tmp_path: Path) -> None:
    path = put(tmp_path, "a.tsv", region_rows(shifted=True))
    found = read(path)
    assert [region.name for region in found.regions] == ["start", "comp", "subj", "obj", "end"]
    assert [[r.name for r in s.regions or ()] for s in found.items[0].sentences] == [
        ["start", "comp", "subj", "end"],
        ["start", "comp", "subj", "obj", "end"],
    ]
    assert any("regions go by region_name: end is region 4 in line 5 and region 5 in line 10" in note for note in found.notes)
    assert written(found).content == path.read_bytes()
    suite = json.loads(written(found, "suite").content)
    assert suite["region_meta"] == {"1": "start", "2": "comp", "3": "subj", "4": "obj", "5": "end"}
    gap = suite["items"][0]["conditions"][0]["regions"]
    assert [(r["region_number"], r["content"]) for r in gap] == [
        (1, "I know"),
        (2, "what"),
        (3, "the key"),
        (4, ""),
        (5, "hid at 1."),
    ]


def test_without_numbers_the_regions_stand_in_the_order_of_the_words(tmp_path: Path) -> None:
    lines = [line.split("\t") for line in region_rows(shifted=True).splitlines()]
    path = put(tmp_path, "a.tsv", "".join("\t".join([*own[:2], *own[3:]]) + "\n" for own in lines))
    assert [region.name for region in read(path).regions] == ["start", "comp", "subj", "obj", "end"]


def test_regions_that_neither_name_nor_number_tells_apart_are_refused_with_a_command(tmp_path: Path) -> None:
    path = put(tmp_path, "a.tsv", region_rows(shifted=True, twice=True))
    error = refused(path)
    assert "end is region 4 in line 5 and region 5 in line 10" in error.message
    assert "comp stands twice in the sentence of line 3" in error.message
    (command,) = commands(error)
    assert len(read(path, command).regions) == 5
    # Where every number has one name, a name that is there twice is two regions, as before.
    assert len(read(put(tmp_path, "b.tsv", region_rows(shifted=False, twice=True))).regions) == 5


def test_a_column_of_words_is_never_shown_as_one_of_conditions(tmp_path: Path) -> None:
    lines = [
        f"{n},{kind},{['While', 'After', 'When'][n % 3]},the {a},{verb},the {b},fell off,the shelf.\n"
        for n, (a, b) in enumerate(NOUNS, 1)
        for kind, verb in (("amb", "hid"), ("unamb", '"hid,"'))
    ]
    path = put(tmp_path, "a.csv", "item,ambiguity,intro,subject,verb,object,late,rest\n" + "".join(lines))
    error = refused(path)
    (command,) = commands(error)
    assert said(command)[0].condition_columns == ("ambiguity",)
    assert "--condition-column intro" not in error.hint
    found = read(path, command)
    assert found.conditions == ("amb", "unamb")
    assert [region.name for region in found.regions] == ["intro", "subject", "verb", "object", "late", "rest"]
    # A factor that no item has twice is no way to take it, and words are none either.
    alone = put(
        tmp_path, "b.csv", "item,intro,subject,verb\n" + "".join(f"{n},Now,the {a},fell.\n" for n, (a, _) in enumerate(NOUNS, 1))
    )
    assert "--condition-column intro" not in refused(alone).hint


def test_headings_are_never_thrown_away_where_the_columns_can_be_named(tmp_path: Path) -> None:
    lines = [f"{text};agreement;{c};;{n}\n" for n, p in enumerate(PAIRS, 1) for c, text in zip(("juste", "faux"), p, strict=True)]
    path = put(tmp_path, "a.csv", "phrase;type;accord;remarques;n° phrase\n" + "".join(lines))
    printed = commands(refused(path))
    assert not any("--headings" in command or "--header-row" in command for command in printed)
    found = read(path, printed[0])
    assert texts(found) == sorted(sorted(pair) for pair in PAIRS)
    assert written(found).content == path.read_bytes()


# ---- lines below sentences


def glossed(gloss: str) -> str:
    parts = []
    for n in range(1, 4):
        parts.append(
            f"({n}) a.  Çocuk-lar okul{n}-a gid-iyor-lar.\n        child-PL school{n}-DAT {gloss}\n        ‘The children go.’\n"
        )
        parts.append(f"    b. *Çocuk okul{n}-a gid-iyor-lar.\n        child school{n}-DAT {gloss}\n\n")
    return "".join(parts)


def test_a_gloss_below_each_sentence_and_a_translation_below_some_are_attributes(tmp_path: Path) -> None:
    path = put(tmp_path, "a.txt", glossed("go-PROG-3PL"))
    found = read(path)
    assert [s.text for s in found.items[0].sentences] == ["Çocuk-lar okul1-a gid-iyor-lar.", "Çocuk okul1-a gid-iyor-lar."]
    assert found.expected == {"a": "ok", "b": "*"}
    assert found.items[0].sentences[0].attributes == {
        "gloss": "child-PL school1-DAT go-PROG-3PL",
        "translation": "‘The children go.’",
    }
    assert found.items[0].sentences[1].attributes == {"gloss": "child school1-DAT go-PROG-3PL"}
    assert differing_columns(found) == []
    assert written(found).content == path.read_bytes()


def test_lines_below_letters_that_may_go_on_are_no_conditions(tmp_path: Path) -> None:
    path = put(tmp_path, "a.txt", glossed("go PROG 3PL").replace("‘The children go.’", "and so on and on."))
    error = refused(path)
    assert "numbered examples stand among other lines" in error.message
    assert not any("--per-item" in command for command in commands(error))
    options, format = said(commands(error)[0])
    found = read_foreign(SourceFile(path, options), format=format)
    assert not any("3PL" in s.text or "so on" in s.text for item in found.items for s in item.sentences)


# ---- encodings

WRITTEN = {
    "cp1252": ("Der Bäcker hat größere Brötchen gebacken.", "Die Ärztin hat den Bürgermeister geküsst."),
    "mac_roman": ("Le garçon regarde la télé.", "Les filles regardent la télé près de l’élève."),
    "cp1250": ("Książka leży na łóżku.", "Chłopiec zjadł żółte jabłko."),
    "cp1254": ("Öğrenci kitabı okudu.", "İşçi köprüyü yaptı."),
    "cp1251": ("Студент читал книгу в парке.", "Девочка увидела большую собаку."),
    "koi8_r": ("Студент читал книгу в парке.", "Девочка увидела большую собаку."),
    "mac_cyrillic": ("Студент читал книгу в парке.", "Девочка увидела большую собаку."),
    "cp1253": ("Ο φοιτητής διάβασε το βιβλίο.", "Η γυναίκα είδε τον σκύλο."),
    "cp1255": ("הסטודנט קרא את הספר בפארק.", "הילדה ראתה כלב גדול."),
    "cp1256": ("قرأ الطالب الكتاب في الحديقة.", "رأت البنت كلبا كبيرا."),
    "gb18030": ("张三 认为 李四 批评 了 自己 。", "王五 告诉 赵六 经理 批评 了 自己 。"),
    "big5": ("張三認為李四批評了自己。", "老師告訴校長學生喜歡蘋果。"),
    "cp932": ("太郎が花子に本をあげた。", "先生は学生が書いた論文を読んだ。"),
    "euc_jp": ("太郎が花子に本をあげた。", "先生は学生が書いた論文を読んだ。"),
    "cp949": ("철수가 영희에게 책을 주었다.", "선생님은 학생이 쓴 논문을 읽었다."),
}


@pytest.mark.parametrize("encoding", WRITTEN)
def test_the_first_encoding_that_is_offered_is_that_of_the_words(tmp_path: Path, encoding: str) -> None:
    one, two = WRITTEN[encoding]
    text = f"item,condition,sentence\n1,a,{one}\n1,b,{two}\n2,a,{two}\n2,b,{one}\n"
    error = refused(put(tmp_path, "a.csv", text.encode(encoding)))
    first = commands(error)[0]
    assert read(tmp_path / "a.csv", first).items[0].sentences[0].text == one
    assert said(first)[0].encoding == encoding
    shown = next(word.strip(".,。") for word in one.split() if not word.isascii())
    assert shown in next(line for line in error.hint.splitlines() if first in line).removeprefix(first)


def test_what_would_be_signs_is_not_offered_and_is_told_where_somebody_says_it(tmp_path: Path) -> None:
    one, two = WRITTEN["gb18030"]
    path = put(tmp_path, "a.csv", f"item,condition,sentence\n1,a,{one}\n1,b,{two}\n".encode("gb18030"))
    assert not any(name in refused(path).hint for name in ("cp1252", "mac_roman", "latin"))
    found = read_foreign(SourceFile(path, ReadOptions(encoding="cp1252")))
    assert any("as gb18030, 张三, 认为, 李四: --encoding gb18030" in note for note in found.notes)
    right = read_foreign(SourceFile(path, ReadOptions(encoding="gb2312")))
    assert not any("--encoding" in note for note in right.notes)


def test_bytes_that_are_words_in_no_encoding_are_refused_without_a_command(tmp_path: Path) -> None:
    error = refused(put(tmp_path, "a.csv", b"item,condition,sentence\n1,a,\x8f\xb1\x98\xf7\xf7\n"))
    assert "is not UTF-8 text" in error.message
    assert commands(error) == []
    assert "--encoding NAME" in error.hint


# ---- what the first line of a refusal is about


def test_the_output_of_a_statistics_program_is_called_so(tmp_path: Path) -> None:
    lines = (
        "Linear mixed model fit by REML ['lmerMod']\nFormula: rt ~ gram + (1 | item)\n\nScaled residuals:\n   Min      1Q  Median\n-3.211 -0.601"
        "  -0.087\n\nRandom effects:\n Groups Name Variance\n item (Intercept) 0.1\n\nFixed effects:\n            Estimate\ngram 0.2\n"
    )
    error = refused(put(tmp_path, "a.txt", lines))
    assert error.message.endswith("a.txt: is the output of a statistics program, and holds no sentences")


@pytest.mark.parametrize("quoted", [True, False])
def test_a_table_is_asked_about_as_a_table_whatever_its_file_is_called(tmp_path: Path, quoted: bool) -> None:
    body = [
        (n, number, form, f"{text[:-1]} {number}.")
        for n, p in enumerate(PAIRS, 1)
        for number in "sp"
        for form, text in zip("xy", p, strict=True)
    ]
    if quoted:
        head = '"item" "attractor" "form" "sentence"\n'
        text = head + "".join(f'"{k}" {n} "{a}" "{f}" "{t}"\n' for k, (n, a, f, t) in enumerate(body, 1))
    else:
        text = "item,attractor,form,sentence\n" + "".join(f"{n},{a},{f},{t}\n" for n, a, f, t in body)
    error = refused(put(tmp_path, "a.txt", text))
    assert "line 1: cannot tell what its columns are" in error.message
    assert said(commands(error)[0])[0].condition_columns == ("attractor", "form")


def test_the_item_that_has_more_is_named_and_not_the_others(tmp_path: Path) -> None:
    lines = [f"{n},{c},{text}\n" for n, p in enumerate(PAIRS, 1) for c, text in zip("ab", p, strict=True)]
    path = put(tmp_path, "a.csv", "item,condition,sentence\n" + "".join(lines) + "4,why,The letter is why.\n")
    notes = read(path).notes
    assert "1 of 5 items has a condition that the others do not have (item 4: why)" in notes
    assert not any("lack" in note for note in notes)
    short = put(tmp_path, "b.csv", "item,condition,sentence\n" + "".join(lines[:3] + lines[4:]))
    assert "1 of 5 items lacks a condition (item 2: b)" in read(short).notes


# ---- rows that repeat a sentence


def ratings(*, odd: bool = False) -> str:
    lines = [
        f"p{who},{n},{c},{text if not (odd and who == 3 and n == 2) else text.replace('old', 'new')},{who + n},{900 + who}\n"
        for who in range(1, 5)
        for n, pair in enumerate(PAIRS, 1)
        for c, text in zip("ab", pair, strict=True)
        if (who + n + (c == "b")) % 2
    ]
    return "participant,item,condition,sentence,rating,rt_ms\n" + "".join(lines)


def test_what_people_answered_is_read_once_for_each_sentence_with_the_command_that_is_printed(tmp_path: Path) -> None:
    path = put(tmp_path, "a.csv", ratings())
    error = refused(path)
    assert "As it was read:" in error.hint
    (command,) = commands(error)
    found = read(path, command)
    assert texts(found) == sorted(sorted(pair) for pair in PAIRS)
    assert "10 of 20 rows repeat a sentence of an item, and are read once, without participant, rating, rt_ms" in found.notes
    assert written(found).content.startswith(b"item,condition,sentence\n1,")
    # Other words under one condition are another sentence, and which is meant nothing says.
    other = put(tmp_path, "b.csv", ratings(odd=True))
    assert "item 2 has a in line" in refused(other, ReadOptions(once=True)).message


def test_rows_without_answers_that_repeat_are_read_once_when_said(tmp_path: Path) -> None:
    lines = [",".join(line.split(",")[1:4]) + "\n" for line in ratings().splitlines()]
    path = put(tmp_path, "a.csv", "".join(lines))
    (command,) = commands(refused(path))
    assert texts(read(path, command)) == sorted(sorted(pair) for pair in PAIRS)
    assert "has no use for --once" in refused(put(tmp_path, "a.txt", named_with_marks(None)), ReadOptions(once=True)).message


def test_two_sheets_under_one_name_are_told_with_the_command_that_parts_them(gapsmith: Run, tmp_path: Path) -> None:
    rows: list[tuple[str, ...]] = [("item", "cond", "sentence")]
    first = [(str(n), c, text) for n, p in enumerate(PAIRS, 1) for c, text in zip(("gram", "ungram"), p, strict=True)]
    second = [(n, {"gram": "lic", "ungram": "unlic"}[c], text.replace("The", "No")) for n, c, text in first]
    put_sheets(tmp_path, "both.xlsx", {"Exp 1": [*rows, *first], "Exp 2": [*rows, *second]})
    gapsmith("init", ".")
    gapsmith("import", "both.xlsx", "--sheet", "Exp 1")
    done = gapsmith("import", "both.xlsx", "--sheet", "Exp 2")
    assert "is called so, too" in done.err
    command = next(line for line in done.err.splitlines() if "dataset rename" in line).split("To keep them apart: gapsmith ")[1]
    gapsmith(*shlex.split(command))
    assert {one["name"] for one in results(gapsmith("dataset", "list", "--json").out)} == {"both", "both_Exp_2"}


# ---- glosses in LaTeX, signs that may be text, cells without a sentence, columns of numbers

GLOSSED = (("Ali kitap okudu.", "Ali book read", "Ali read."), ("Ali kitap okudu mu?", "Ali book read Q", "Did Ali read?"))
OTHER = (("Can elma yedi.", "Can apple ate", "Can ate."), ("Can elma yedi mi?", "Can apple ate Q", "Did Can eat?"))


def linguex(item: tuple[tuple[str, str, str], ...]) -> str:
    own = (rf"\{'ab'[n]}g. {one}\\" + "\n" + rf" {two}\\" + f"\n `{three}'\n" for n, (one, two, three) in enumerate(item))
    return rf"\ex. {''.join(own)}" + "\n"


def in_braces(item: tuple[tuple[str, str, str], ...]) -> str:
    own = "".join(
        rf"\ex[{'*' * n}]{{\gll {one} \\ {two}\\ \{('glt', 'trans')[n]} `{three}'}}" + "\n"
        for n, (one, two, three) in enumerate(item)
    )
    return f"\\begin{{exe}}\n\\ex \\begin{{xlist}}\n{own}\\end{{xlist}}\n\\end{{exe}}\n"


def expex(item: tuple[tuple[str, str, str], ...]) -> str:
    own = "".join(
        rf"\a \ljudge{{{'*' * n}}}\begingl \gla {one}//" + f"\n \\glb {two}//\n \\glft `{three}'//\\endgl\n"
        for n, (one, two, three) in enumerate(item)
    )
    return f"\\pex\n{own}\\xe\n"


@pytest.mark.parametrize("written_so", [linguex, in_braces, expex])
def test_glosses_and_translations_in_latex_are_no_part_of_sentences(tmp_path: Path, written_so: Callable[..., str]) -> None:
    found = read(put(tmp_path, "a.tex", written_so(GLOSSED) + written_so(OTHER)))
    for item, given in zip(found.items, (GLOSSED, OTHER), strict=True):
        held = [(s.text, s.attributes["gloss"], s.attributes["translation"]) for s in item.sentences]
        assert held == list(given)
    assert list(found.expected.values()) == ([] if written_so is linguex else ["ok", "*"])


def test_lines_below_a_sentence_in_latex_that_nothing_names_are_told(tmp_path: Path) -> None:
    plain = (linguex(GLOSSED) + linguex(OTHER)).replace("g.", ".")
    (note,) = (note for note in read(put(tmp_path, "a.tex", plain)).notes if "several lines" in note)
    assert "4 with several lines" in note
    assert "first in line 1: Ali kitap okudu. Ali book read" in note
    ended = "".join(f"\\ex. \\a. {one}\\\\\n\\b. {two}\\\\\n\n" for one, two in PAIRS)
    assert not any("several lines" in note for note in read(put(tmp_path, "b.tex", ended)).notes)


def rows_of(*texts: str) -> str:
    return "item\tcondition\tsentence\n" + "".join(f"{n // 2 + 1}\t{'ab'[n % 2]}\t{text}\n" for n, text in enumerate(texts))


HASHED = ("#MeToo has changed films.", "#MeToo have changed films.")
PLAIN = ("The key was old.", "The key were old.")


@pytest.mark.parametrize(
    "others", [PLAIN, ("The key was old.", "*The key were old."), ("#TopTen is a list.", "#TopTen are a list.")]
)
def test_a_sign_that_all_sentences_of_an_item_have_before_a_word_is_text(tmp_path: Path, others: tuple[str, str]) -> None:
    path = put(tmp_path, "a.tsv", rows_of(*HASHED, *others))
    for format in ("", "--format csv"):
        found = read(path, f"gapsmith import {path} {format}" if format else "")
        assert [s.text for s in found.items[0].sentences] == list(HASHED)
        assert [s.text for s in found.items[1].sentences] == [text.removeprefix("*") for text in others]
        assert not any(note.startswith("taken off") for note in found.notes)


def test_a_sign_before_words_that_stand_elsewhere_without_it_is_a_mark_and_told(tmp_path: Path) -> None:
    pairs = [text for one, two in PAIRS for text in (one, f"#{two}")]
    found = read(put(tmp_path, "a.tsv", rows_of(*pairs)))
    assert {s.text[0] for item in found.items for s in item.sentences} == {"T"}
    assert found.expected == {"a": "ok", "b": "?"}
    assert "taken off: # in 5 sentences" in found.notes
    spaced = read(put(tmp_path, "b.tsv", rows_of("He left.", "# Yesterday he leaves.", PLAIN[0], "# The key were old.")))
    assert [s.text for s in spaced.items[0].sentences] == ["He left.", "Yesterday he leaves."]
    assert "taken off: # in 2 sentences" in spaced.notes


def test_a_sign_before_a_word_that_may_be_either_is_asked_for(tmp_path: Path) -> None:
    path = put(tmp_path, "a.tsv", rows_of("He left.", "#Yesterday he leaves.", *PLAIN))
    error = refused(path)
    assert error.message.startswith(f"{path}, line 3: # stands before a word, such as in '#Yesterday he leaves.'")
    kept, taken_off = commands(error)
    assert read(path, kept).items[0].sentences[1].text == "#Yesterday he leaves."
    assert read(path, taken_off).items[0].sentences[1].text == "Yesterday he leaves."


def test_a_row_without_a_sentence_is_a_lacking_condition_by_item_condition_and_line(tmp_path: Path, gapsmith: Run) -> None:
    path = put(tmp_path, "a.tsv", rows_of("He left.", "He leave.", "She came.", " ", "We slept.", "We sleeps."))
    for more in (["--preview"], []):
        told = gapsmith("import", str(path), *more)
        assert told.code == 0
        assert "1 row has no sentence, and its condition is lacking (item 2: b, line 5)" in told.out + told.err
        assert "3 items, 5 sentences" in told.out + told.err
        assert "1 of 3 items lacks a condition (item 2: b)" in told.out + told.err


def counted(above: str = "") -> str:
    lines = [
        f"{n};{label};{text};{9 + n % 2}\n"
        for n, pair in enumerate(PAIRS, 1)
        for label, text in zip(("sg", "pl"), pair, strict=True)
    ]
    return f"{above}item;condition;sentence;n\n{''.join(lines)}Total;;10 sentences;128\n"


@pytest.mark.parametrize("above", ["", "Stimuli;;;\nAuthors: M. K.;;;\n;;;\n"])
def test_a_column_of_counts_names_no_kinds_of_rows(tmp_path: Path, above: str) -> None:
    path = put(tmp_path, "a.csv", counted(above))
    offered = commands(refused(path))
    assert offered
    assert not any("--only n=" in command for command in offered)
    assert texts(read(path, offered[0])) == sorted(sorted(pair) for pair in PAIRS)


def test_two_items_of_one_number_are_told_as_such(tmp_path: Path) -> None:
    rows = [f"{n},{'ab'[k]},{text}\n" for n, pair in enumerate((*PAIRS, *PAIRS[1:2]), 1) for k, text in enumerate(pair)]
    rows[10:] = [row.replace("6,", "2,", 1) for row in rows[10:]]
    other = ["3,a,No senators voted for this bill.\n", "3,b,No senators votes for this bill.\n"]
    path = put(tmp_path, "a.csv", "item,condition,sentence\n" + "".join([*rows, *other]))
    error = refused(path)
    assert "The sentences of item 3 are about different things, as if two items had one number" in (error.hint or "")
    path = put(tmp_path, "b.csv", "item,condition,sentence\n" + "".join(rows))
    assert "about different things" not in (refused(path).hint or "")


def test_pairs_whose_marks_change_places_are_read_by_their_marks(tmp_path: Path) -> None:
    lines = [f"*{two}\n{one}\n\n" if n % 2 else f"{one}\n*{two}\n\n" for n, (one, two) in enumerate(PAIRS)]
    found = read(put(tmp_path, "a.txt", "".join(lines)))
    assert [{s.condition: s.text for s in item.sentences} for item in found.items] == [{"good": a, "bad": b} for a, b in PAIRS]


# ---- the last look: what stands in sentences, and what shows in a set whatever its shape


def in_table(change: Callable[[int, str, str], str], names: tuple[str, str] = ("sg", "pl")) -> str:
    rows = [(n, name, change(n, name, text)) for n, pair in enumerate(PAIRS, 1) for name, text in zip(names, pair, strict=True)]
    return "item\tcondition\tsentence\n" + "".join(f"{n}\t{name}\t{text}\n" for n, name, text in rows)


def one_of(number: int, change: Callable[[str], str]) -> Callable[[int, str, str], str]:
    return lambda n, _, text: change(text) if n == number else text


MENDED: dict[str, tuple[Callable[[int, str, str], str], str]] = {
    "html": (lambda _n, _c, t: t.replace("old", "<b>old</b>").replace("The", "<!-- x -->The", 1), "--clean html"),
    "html in one": (one_of(3, lambda t: t.replace("child is", "child&nbsp;is")), "--clean html"),
    "index in html": (lambda _n, _c, t: t.replace(" near", "<sub>i</sub> near"), "--clean html"),
    "markdown": (lambda _n, _c, t: t.replace("old", "**old**").replace("near", "*near*"), "--clean markdown"),
    "latex": (lambda _n, _c, t: t.replace("old", "\\textit{old}"), "--clean latex"),
    "escapes": (lambda _n, _c, t: t.replace("old", "\\u006fld"), "--clean escapes"),
    "subwords": (lambda _n, _c, t: t.replace("old", "o ##ld"), "--clean subwords"),
    "tags": (lambda _n, _c, t: " ".join(f"{word}/NN" for word in t.split()), "--clean tags"),
    "capitals": (lambda _n, _c, t: t.replace(" is ", " IS ").replace(" are ", " ARE "), "--clean capitals"),
    "indices": (lambda _n, _c, t: t.replace(" near", "_i near").replace(" old", " t_i old"), "--clean indices"),
    "brackets": (lambda _n, _c, t: t.replace("The", "[NP The", 1).replace(" near", "] near"), "--clean brackets"),
    "special": (lambda _n, _c, t: t.replace(" near", " <|endoftext|> near"), "--clean special"),
    "times": (lambda _n, _c, t: t.replace(" near", "(320) near"), "--take-out '(320)'"),
    "judged within": (lambda _n, c, t: t.replace("are", "*are") if c == "pl" else t, "--take-out '*'"),
    "judged behind": (lambda _n, c, t: f"{t} ??" if c == "pl" else t, "--strip-suffix '??'"),
    "in brackets": (lambda _n, c, t: t[:-1] + " (bad)." if c == "pl" else t, "--take-out '(bad)'"),
    "signs": (one_of(2, lambda t: t.replace(" near", " ~ near")), "--take-out '~'"),
    "condition before": (lambda _n, c, t: f"{c} - {t}", "--strip-prefix 'sg -'"),
    "number before": (lambda n, _c, t: f"{n} {t}", "--strip-prefix 1"),
    "code before": (lambda n, c, t: f"S{n}{c} {t}", "--strip-prefix S1sg"),
    "speaker before": (lambda _n, _c, t: f"Mary: {t}", "--strip-prefix Mary:"),
    "quotes around": (lambda _n, _c, t: f"«{t}»", "--strip-prefix '«' --strip-suffix '»'"),
    "number behind": (lambda n, _c, t: f"{t} {n}.5", "--strip-suffix 1.1"),
    "word behind": (lambda _n, c, t: f"{t} {'OK' if c == 'sg' else 'BAD'}", "--strip-suffix"),
    "gap": (lambda _n, _c, t: t.replace(" old", " [e] old"), "--gap-mark '[e]'"),
}  # fmt: skip


@pytest.mark.parametrize("name", MENDED)
def test_what_is_no_word_of_a_sentence_is_asked_about_and_one_command_takes_it_out(tmp_path: Path, name: str) -> None:
    change, flags = MENDED[name]
    path = put(tmp_path, "a.tsv", in_table(change))
    command = commands(refused(path))[0]
    assert flags in command
    assert texts(read(path, command)) == sorted(sorted(pair) for pair in PAIRS)
    # Whoever names the format takes the sentences as they are, and is told.
    as_it_is = read_foreign(SourceFile(path), format="csv")
    assert texts(as_it_is) != texts(read(path, command))
    assert any(taken.sure == "assumed" for taken in as_it_is.assumptions)


def test_damage_of_an_encoding_is_mended_where_it_can_be_and_refused_where_a_letter_is_lost(tmp_path: Path) -> None:
    word = "café".encode().decode("cp1252")
    path = put(tmp_path, "a.tsv", in_table(one_of(2, lambda t: t.replace("road", word))))
    command = commands(refused(path))[0]
    assert "--clean encoding" in command
    assert [s.text for s in read(path, command).items[1].sentences] == [t.replace("road", "café") for t in PAIRS[1]]
    for lost in ("caf\ufffd", "caf?s"):
        path = put(tmp_path, "b.tsv", in_table(one_of(2, lambda t, lost=lost: t.replace("road", lost))))  # type: ignore[misc]
        error = refused(path)
        assert "a letter is lost" in error.message
        assert commands(error) == []


REFUSED = {
    "placeholder": (lambda _n, _c, t: t.replace("old", "$ADJ"), "stands for a word that is not there"),
    "mask": (lambda _n, _c, t: t.replace("old", "<mask>"), "stands for a word that is not there"),
    "tree": (lambda _n, _c, t: f"(S (NP {t[:-1]}) (. .))", "a parse stands in the place of a sentence"),
    "file": (lambda n, c, _t: f"item{n}{c}.wav", "which is no sentence"),
    "arrow": (one_of(2, lambda t: f"It was so. => {t}"), "=> stands between words"),
    "to do": (one_of(2, lambda t: t.replace("old", "TODO old")), "TODO stands in"),
    "cut": (lambda _n, _c, t: (t[:-1] + " and very" * 9)[:60], "60 letters, none has more"),
    "label": (lambda _n, _c, t: t, "'sg' and 'SG' are two conditions"),
    "moved": (lambda n, c, t: PAIRS[4][1] if (n, c) == (2, "pl") else t, "shares its words with item 5 and stands at item 2"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_no_answer_mends_is_refused_with_its_item(tmp_path: Path, name: str) -> None:
    change, says = REFUSED[name]
    content = in_table(change)
    if name == "label":
        content = content.replace("3\tsg", "3\tSG").replace("4\tsg", "4\tSG")
    path = put(tmp_path, "a.tsv", content)
    error = refused(path)
    assert says in error.message
    assert "--format csv" in error.hint
    taken = read_foreign(SourceFile(path), format="csv")
    assert any(says in str(one) for one in taken.assumptions if one.sure == "assumed")


def test_what_may_well_be_so_comes_in_and_is_told(tmp_path: Path) -> None:
    def told(content: str, says: str) -> bool:
        found = read(put(tmp_path, "a.tsv", content))
        return any(says in str(taken) and taken.sure == "assumed" for taken in found.assumptions)

    assert told(in_table(one_of(2, lambda t: t.replace(" old", "\u00a0old"))), "blanks of another kind")
    assert told(in_table(one_of(2, lambda t: t[:-1])), "no mark ends 2 of 10 sentences")
    assert told(in_table(one_of(2, lambda _: PAIRS[1][0])), "the same sentence in several conditions")
    assert told(in_table(lambda n, c, t: PAIRS[n - 1][c == "sg"] if n == 4 else t), "item 4 may have each other's labels")
    long = " And so it went on for many a year in that part of the world, and nobody asked about it."
    assert told(in_table(lambda n, c, t: t + long if (n, c) == (2, "sg") else t), "sentences of very different length")
    assert told(
        in_table(lambda n, c, t: f"{t}\t{t[::-1]} {n} {c} a b").replace("sentence\n", "sentence\tmore\n"),
        "'more' holds several words",
    )
    assert told(in_table(lambda _n, _c, t: t).replace("4\tpl", "04\tpl"), "'4', '04' are items of their own")
    clean = read(put(tmp_path, "a.tsv", in_table(lambda _n, _c, t: t)))
    assert [taken for taken in clean.assumptions if taken.sure == "assumed"] == []


def test_what_says_that_the_members_of_a_pair_changed_places_is_asked_about(tmp_path: Path) -> None:
    rows = "".join(f"{pair[n % 2]},{pair[1 - n % 2]},{n % 2}\n" for n, pair in enumerate(PAIRS))
    path = put(tmp_path, "a.csv", f"good,bad,flipped\n{rows}")
    assert "flipped" in refused(path).message
    found = read(path, commands(refused(path))[0])
    assert [s.text for item in found.items for s in item.sentences if s.condition == "good"] == [good for good, _ in PAIRS]


def test_regions_stay_in_their_places_when_something_is_taken_out(tmp_path: Path) -> None:
    rows = "".join(f"{n},{c},The <b>{a}</b>,near the {b}_i,is old.\n" for n, (a, b) in enumerate(NOUNS, 1) for c in ("a", "b"))
    path = put(tmp_path, "a.csv", f"item,condition,subject,place,rest\n{rows}".replace(",b,The", ",b,This"))
    found = read(path, commands(refused(path))[0])
    first = found.items[0].sentences[0]
    assert first.text == "The key near the cabinet is old."
    assert [first.text[r.start : r.end] for r in first.regions or ()] == ["The key", "near the cabinet", "is old."]
    assert "<b>" not in written(found).content.decode()


# ---- shapes in which people keep sentences: what is offered brings them in as they are meant


def three_rows_of_headings() -> str:
    rows = [f"{n};x;The {a};near the {b};is old.;The {a};near the {b};are old.\n" for n, (a, b) in enumerate(NOUNS, 1)]
    return ";;sg;;;pl;;\n;;head;noun;verb;head;noun;verb\nNo.;checked;R1;R2;R3;R1;R2;R3\n" + "".join(rows)


def lines_of(form: str, top: str = "") -> str:
    rows = [(n, name, text) for n, pair in enumerate(PAIRS, 1) for name, text in zip(("sg", "pl"), pair, strict=True)]
    return top + "".join(form.format(n=n, c=c, t=t, v=t.split()[-2], r=t.rpartition(f" {t.split()[-2]}")[0]) for n, c, t in rows)


def blank_of(text: str) -> str:
    return text.replace(f" {word(text)} ", " ___ ")


def word(text: str) -> str:
    return text.split()[-2]


BROUGHT_IN: dict[str, tuple[str, str, list[str]]] = {
    "three rows of headings": (
        "a.csv",
        three_rows_of_headings(),
        [
            "--header-rows 3 --stack --item-column No. --condition-column part --region head --region noun --region verb --attribute checked"
        ],
    ),
    "codes of several parts": ("a.csv", lines_of("{n}a_{c},{t}\n", "code,text\n"), ["--item-column code"]),
    "labels before colons": ("a.txt", lines_of("S{n}_{c}: {t}\n"), []),
    "cells in lines": ("a.txt", lines_of("{n}\n{c}\n{t}\n", "Item\nCondition\nSentence\n"), []),
    "blocks of conditions": (
        "a.txt",
        "".join(f"# Condition: {c}\n" + "".join(f"{pair[k]}\n" for pair in PAIRS) + "\n" for k, c in enumerate(("sg", "pl"))),
        ["--format csv"],
    ),
    "judged before": ("a.txt", "".join(f"ok {one}\nbad {two}\n" for one, two in PAIRS), ["--format csv"]),
    "codes of an experiment": ("a.csv", lines_of("exp1_item0{n}_{c},{t}\n", "code,sentence\n"), ["--item-column code"]),
    "the condition before the number": (
        "a.csv",
        lines_of("{c}{n},{t}\n", "stim,text\n"),
        ["--item-column stim --sentence-column text"],
    ),
    "codes without headings": ("a.txt", lines_of("{n}a_{c}\t{t}\n"), ["--headings code,sentence --item-column code"]),
    "words for a blank": (
        "a.csv",
        "item,frame,sg,pl\n" + "".join(f"{n},{blank_of(one)},{word(one)},{word(two)}\n" for n, (one, two) in enumerate(PAIRS, 1)),
        ["--frame frame --sentence-column sg --sentence-column pl"],
    ),
    "words for a blank in a cell": (
        "a.csv",
        "frame,options\n" + "".join(f"{blank_of(one)},{word(one)} / {word(two)}\n" for one, two in PAIRS),
        ["--frame frame --sentence-column options --alternatives crossed"],
    ),
    "words below a blank": (
        "a.txt",
        "".join(f"Frame: {blank_of(one)}\nFillers: {word(one)}, {word(two)}\n\n" for one, two in PAIRS),
        ["--alternatives crossed"],
    ),
    "words behind a blank": (
        "a.txt",
        "".join(f"{n}. {blank_of(one)} ({word(one)}/{word(two)})\n" for n, (one, two) in enumerate(PAIRS, 1)),
        ["--alternatives crossed"],
    ),
    "how sentences go on": (
        "a.csv",
        "prefix,sg,pl,ending\n"
        + "".join(",".join([*blank_of(one).split(" ___ ")[:1], word(one), word(two), "old."]) + "\n" for one, two in PAIRS),
        ["--frame prefix --frame ending --sentence-column sg --sentence-column pl"],
    ),
    "a mark behind": (
        "a.txt",
        "".join(f"({n}a) {one}\n({n}b) {two} *\n" for n, (one, two) in enumerate(PAIRS, 1)),
        ["--strip-suffix '*'"],
    ),
    "words listed in cells": (
        "a.csv",
        "item,cond,tokens\n"
        + "".join(
            f'{n},{c},"{[*t.rstrip(".").split(), "."]}"\n'
            for n, pair in enumerate(PAIRS, 1)
            for c, t in zip(("a", "b"), pair, strict=True)
        ),
        ["--clean lists"],
    ),
    "a blank heading each": (
        "a.md",
        "# Stimuli\n\n"
        + "\n".join(f"## {c}\n\n" + "".join(f"- {pair[k]}\n" for pair in PAIRS) for k, c in enumerate(("sg", "pl"))),
        ["--format csv"],
    ),
    "labels of rows": (
        "a.csv",
        "id,text,label\n" + "".join(f"{2 * n},{one},1\n{2 * n + 1},{two},0\n" for n, (one, two) in enumerate(PAIRS)),
        ["--per-item 2 --sentence-column text --good label=1", "--per-item 2 --sentence-column text --good label=0"],
    ),
    "dashes between": ("a.txt", lines_of("{n} - {c} - {t}\n"), []),
    "questions among names": (
        "a.txt",
        "".join(f"Item {n}\nsg: {one}\npl: {two}\nQuestion: Is it old? (yes)\n\n" for n, (one, two) in enumerate(PAIRS, 1)),
        [],
    ),
    "a tick beside regions": (
        "a.csv",
        lines_of("{n},{c},x,{r},{v},old.\n", "item,cond,seen,head,verb,rest\n"),
        ["--region head --region verb --region rest --format region_columns"],
    ),
    "headings in Chinese": ("a.csv", lines_of("{n},{c},{t}\n", "编号,条件,句子\n"), []),
    "words of a maze": (
        "a.csv",
        lines_of("{n},{c},{t},x-x-x map who trek oust the yarn.\n", "item,cond,words,distractors\n"),
        ["--sentence-column words"],
    ),
    "a question behind": ("a.csv", lines_of("{n},{c},{t} What is old?\n", "item,cond,sentence\n"), ["--strip-suffix 'What...?'"]),
    "a word in brackets": ("a.csv", lines_of("{n},{c},{r} [{v}] old.\n", "item,cond,sentence\n"), ["--clean brackets"]),
    "parts beside": (
        "a.csv",
        lines_of("{n},{c},{r},{v},old.\n", "item,cond,pre,critical,post\n"),
        ["--region pre --region critical --region post --format region_columns"],
    ),
}


@pytest.mark.parametrize("kind", BROUGHT_IN)
def test_what_is_offered_brings_the_sentences_in(tmp_path: Path, kind: str) -> None:
    name, content, offered = BROUGHT_IN[kind]
    path = put(tmp_path, name, content)
    if offered:
        assert [command.partition(f"{path} ")[2] for command in commands(refused(path))] == offered
    found = read(path, commands(refused(path))[0]) if offered else read(path)
    assert texts(found) == sorted(sorted(pair) for pair in PAIRS)
    assert len(found.items) == len(PAIRS)


ROWS_AND_COLUMNS = "licensor,with ever,without\n"


@pytest.mark.parametrize("heading", ["item", "#", "pair no."])
def test_conditions_in_rows_and_columns_are_offered_as_two_factors(tmp_path: Path, heading: str) -> None:
    nouns = ("baker", "pilot", "nurse", "judge")
    told = [(f"No {a} has ever slept.", f"No {a} has slept.", f"The {a} has ever slept.", f"The {a} has slept.") for a in nouns]
    body = "".join(f"{n},yes,{a},{b}\n{n},no,*{c},{d}\n" for n, (a, b, c, d) in enumerate(told, 1))
    path = put(tmp_path, "a.csv", f"{heading},{ROWS_AND_COLUMNS}{body}")
    (offered,) = commands(refused(path))
    found = read(path, offered)
    assert texts(found) == sorted(map(sorted, told))
    assert found.levels["no with ever"] == ("no", "with ever")
    assert found.expected == {"yes with ever": "ok", "yes without": "ok", "no with ever": "*", "no without": "ok"}


def test_a_mark_behind_says_what_is_expected(tmp_path: Path) -> None:
    name, content, _ = BROUGHT_IN["a mark behind"]
    path = put(tmp_path, name, content)
    assert read(path, commands(refused(path))[0]).expected == {"a": "ok", "b": "*"}


def test_sentences_with_commas_that_nobody_quoted_are_put_together(tmp_path: Path) -> None:
    told = [(f"As the {a} slept, the {b} fell.", f"As the {a} slept the {b} fell.") for a, b in NOUNS]
    body = "".join(f"{n},{c},{t},own\n" for n, pair in enumerate(told, 1) for c, t in zip("ab", pair, strict=True))
    path = put(tmp_path, "a.csv", f"item,cond,sentence,source\n{body}")
    (offered,) = commands(refused(path))
    assert offered.endswith("--wrapped")
    found = read(path, offered)
    assert texts(found) == sorted(map(sorted, told))
    assert any("go on with the ones before them" in note for note in found.notes)


def test_options_of_a_key_are_the_good_ones_where_it_says_so(tmp_path: Path) -> None:
    rows = [
        {
            "qID": f"x{n}",
            "sentence": f"The {a} hit the {b} as the _ was here.",
            "option1": a,
            "option2": b,
            "answer": str(1 + n % 2),
        }
        for n, (a, b) in enumerate(NOUNS)
    ]
    path = put(tmp_path, "a.json", json.dumps(rows))
    (offered,) = commands(refused(path))
    assert offered.endswith("--frame sentence --sentence-column option1 --sentence-column option2 --good answer=1")
    good = [next(s.text for s in item.sentences if s.condition == "good") for item in read(path, offered).items]
    assert good == [f"The {a} hit the {b} as the {(a, b)[n % 2]} was here." for n, (a, b) in enumerate(NOUNS)]


@pytest.mark.parametrize(
    "content", ["The cook ran\nA lion hid\nOur nurse sang\nYour mule fell\n", "u: He ran.; It fell.\nv: He run.; It fall.\n"]
)
def test_no_pairs_are_offered_of_lines_that_are_none(tmp_path: Path, content: str) -> None:
    assert not any(
        "gapsmith import" in command and "--first" in command for command in commands(refused(put(tmp_path, "a.txt", content)))
    )


def test_a_bar_between_words_is_never_taken_out(tmp_path: Path) -> None:
    path = put(tmp_path, "a.csv", lines_of("{n},{c},{r}|{v}|old.\n", "item,cond,sentence\n").replace("is|old", "is old"))
    assert not any("--take-out" in command for command in commands(refused(path)))


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("item,frame,a,b\n1,The ___ of the ___ is old.,key,keys\n2,The ___ of the ___ is new.,door,doors\n", "two blanks"),
        ("item,frame,a,b\n1,The ___ is old.,key,keys\n2,The ___ is new.,door,doors\n", "no column 'c'"),
    ],
)
def test_frames_that_cannot_be_filled_in_are_refused(tmp_path: Path, content: str, why: str) -> None:
    path = put(tmp_path, "a.csv", content)
    wanted = "c" if "no column" in why else "b"
    with pytest.raises(FormatError, match=why):
        read_foreign(SourceFile(path, ReadOptions(frames=("frame",), sentence_columns=("a", wanted))))


def test_codes_are_not_read_for_what_columns_of_factors_say(tmp_path: Path) -> None:
    cells = [("sg", "low"), ("sg", "high"), ("pl", "low"), ("pl", "high")]
    rows = [
        f"w.{n}.{letter},{n},{number},{pitch},{pair[number == 'pl'][:-1]} ({pitch}).\n".replace(" (low)", "").replace(
            "(high)", "now"
        )
        for n, pair in enumerate(PAIRS, 1)
        for letter, (number, pitch) in zip("abcd", cells, strict=True)
    ]
    path = put(tmp_path, "a.csv", "ID,Frame,Number,Pitch,Sentence\n" + "".join(rows))
    offered = commands(refused(path))
    assert ["--condition-column Number --condition-column Pitch --item-column Frame" in command for command in offered] == [True]
    assert len(read(path, offered[0]).items) == len(PAIRS)


def test_practice_and_answers_are_offered_as_no_conditions(tmp_path: Path) -> None:
    top = "list\ttype\titem\tcond\tsentence\tanswer\n"
    rows = []
    for place, name in enumerate("AB"):
        rows += [f"{name}\tpractice\t1\t-\tThe sun rose.\tY\n", f"{name}\tfiller\t1\t-\tSnow fell.\tN\n"]
        rows += [
            f"{name}\texp\t{n}\t{('sg', 'pl')[(n + place) % 2]}\t{pair[(n + place) % 2]}\tY\n" for n, pair in enumerate(PAIRS, 1)
        ]
    path = put(tmp_path, "a.tsv", top + "".join(rows))
    (offered,) = commands(refused(path))
    assert offered.endswith("--only type=exp")
    assert texts(read(path, offered)) == sorted(sorted(pair) for pair in PAIRS)
