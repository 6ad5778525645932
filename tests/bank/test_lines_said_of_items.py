"""Lines that are said of an item, blanks around sentences, and marks and comments in places of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from gapsmith.bank.formats import ForeignSet, ReadOptions, SourceFile, UndecidedError, read_foreign
from gapsmith.bank.formats.catalogue import FORMATS
from gapsmith.templates import FormatError

NOUNS = ("nurse", "mayor", "miner", "tailor")
SAID = ("The nurse opened an umbrella", "The mayor went home by bus", "Our miner dried his boots", "A tailor sold seven coats")


def put(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def read(path: Path, format: str | None = None, **options: object) -> ForeignSet:
    return read_foreign(SourceFile(path, ReadOptions(**options)), format=format)  # type: ignore[arg-type]


def offered(path: Path) -> tuple[str, ForeignSet]:
    """The first command that is offered, and the set that it makes of the file."""
    with pytest.raises(UndecidedError) as caught:
        read(path)
    answer = caught.value.answers[0]
    command = next(line for line in caught.value.hint.splitlines() if line.startswith("  gapsmith import"))
    assert answer.flags in command
    return command, read_foreign(SourceFile(path, ReadOptions().with_answer(answer)), format=answer.options.get("format"))


@pytest.mark.parametrize(("label", "name"), [("C:", "context"), ("Kontext:", "context"), ("Place:", "place")])
def test_a_labelled_line_of_every_item_becomes_an_attribute(tmp_path: Path, label: str, name: str) -> None:
    blocks = [f"{label} It rained on the {noun}.\n  {said}.\n  #{said} again.\n" for noun, said in zip(NOUNS, SAID, strict=True)]
    command, found = offered(put(tmp_path, "a.txt", "\n".join(blocks)))
    assert "--strip-prefix" not in command
    assert [item.attributes for item in found.items] == [{name: f"It rained on the {noun}."} for noun in NOUNS]
    assert [(s.condition, s.text) for s in found.items[0].sentences] == [
        ("good", "The nurse opened an umbrella."),
        ("bad", "The nurse opened an umbrella again."),
    ]
    command, found = offered(put(tmp_path, "b.txt", "\n".join(blocks).replace("#", "")))
    assert [s.condition for s in found.items[0].sentences] == ["line_1", "line_2"]


def test_lines_with_attributes_go_out_as_they_came(tmp_path: Path) -> None:
    text = "\n".join(f"C: It rained on the {noun}.\nThe {noun} got wet.\nThe {noun} stayed dry.\n" for noun in NOUNS)
    path = put(tmp_path, "a.txt", text)
    found = read(path, per_item=2, attributes=("C:",))
    out = tmp_path / "out.txt"
    with out.open("w", encoding="utf-8") as stream:
        FORMATS.find("item_lines").write(stream, found)  # type: ignore[misc]
    assert out.read_text(encoding="utf-8") == text
    with pytest.raises(FormatError, match="no line begins with Q:"):
        read(path, per_item=2, attributes=("C:", "Q:"))
    put(tmp_path, "a.txt", text.replace("The nurse got wet.", "The nurse got wet.\nC: It was late."))
    with pytest.raises(FormatError, match="stands within an item"):
        read(path, per_item=2, attributes=("C:",))


def test_a_context_is_never_taken_off_a_sentence(tmp_path: Path) -> None:
    rows = "".join(
        f"{n},a,C: It rained on the {noun}.\n{n},b,The {noun} got wet.\n{n},c,The {noun} stays wet.\n"
        for n, noun in enumerate(NOUNS, 1)
    )
    with pytest.raises(FormatError) as caught:
        read(put(tmp_path, "a.csv", f"item,condition,sentence\n{rows}"))
    assert "as if it were a context" in caught.value.message
    assert "a column of its own" in str(caught.value.hint)
    assert "--strip-prefix" not in str(caught.value.hint)


def test_blanks_around_a_sentence_are_no_part_of_it(tmp_path: Path) -> None:
    lines = "\n".join(f"The {noun} near the cars was tired.\n   The {noun} near the cars were tired. \n" for noun in NOUNS)
    path = put(tmp_path, "a.txt", lines)
    found = read(path, first="good")
    assert [s.text for s in found.items[0].sentences] == [
        "The nurse near the cars was tired.",
        "The nurse near the cars were tired.",
    ]
    assert any("blanks before or behind 4 of 8 sentences" in str(told) for told in found.assumptions)
    out = tmp_path / "out.txt"
    with out.open("w", encoding="utf-8") as stream:
        FORMATS.find("pair_lines").write(stream, found)  # type: ignore[misc]
    assert "   The nurse near the cars were tired. \n" in out.read_text(encoding="utf-8")
    kept = read(path, first="good", as_it_is=True)
    assert kept.items[0].sentences[1].text == "   The nurse near the cars were tired. "
    rows = "".join(f'{n},"  The {noun} was tired.","The {noun} were tired. "\n' for n, noun in enumerate(NOUNS, 1))
    table = read(put(tmp_path, "b.csv", f"item,good,bad\n{rows}"))
    assert [s.text for s in table.items[0].sentences] == ["The nurse was tired.", "The nurse were tired."]


@pytest.mark.parametrize("mark", ["*", "* ", r"\#"])
def test_a_mark_before_glossed_lines_is_that_of_the_sentence(tmp_path: Path, mark: str) -> None:
    items = "".join(
        f"\\ex.\n\\a. \\gll Kedi {verb} geldi.\\\\\ncat {verb} came\\\\\n`The cat came.'\n"
        f"\\b. {mark}\\gll Kedi {verb} gelmek.\\\\\ncat {verb} come\\\\\n`The cat came.'\n\n"
        for verb in ("eve", "okula", "parka", "suya")
    )
    found = read(put(tmp_path, "a.tex", items))
    assert found.expected["a"] == "ok"
    assert found.expected["b"] != "ok"
    assert [s.text for s in found.items[0].sentences] == ["Kedi eve geldi.", "Kedi eve gelmek."]


def test_bars_part_cells_below_a_comment_line(tmp_path: Path) -> None:
    rows = "".join(f"{n}|gut|Die {noun} schlafen.|1,5\n{n}|schlecht|Die {noun} schläft.|5,1\n" for n, noun in enumerate(NOUNS, 1))
    path = put(tmp_path, "a.csv", f"# Skala: 1 = gut, 7 = schlecht\nFolge|Art|Wortlaut|Note\n{rows}")
    found = read(path, comment="#", item_columns=("Folge",), condition_columns=("Art",), sentence_columns=("Wortlaut",))
    assert found.conditions == ("gut", "schlecht")
    assert [s.text for s in found.items[0].sentences] == ["Die nurse schlafen.", "Die nurse schläft."]
    with pytest.raises(FormatError) as caught:
        read(path)
    assert "comma" not in caught.value.message


def test_two_columns_of_the_same_name_are_the_reason(tmp_path: Path) -> None:
    rows = "".join(f"{n};The {noun} slept.;4,1;The {noun} slept well.;3,9\n" for n, noun in enumerate(NOUNS, 1))
    path = put(tmp_path, "a.csv", f"no;sentence;rating;sentence;rating\n{rows}")
    with pytest.raises(FormatError, match="2 columns are called 'sentence'") as caught:
        read(path)
    assert "no, sentence_1, rating_1, sentence_2, rating_2" in str(caught.value.hint)
    put(tmp_path, "a.csv", f"no;sentence_1;rating_1;sentence_2;rating_2\n{rows}")
    found = read(path, item_columns=("no",), sentence_columns=("sentence_1", "sentence_2"))
    assert [s.text for s in found.items[0].sentences] == ["The nurse slept.", "The nurse slept well."]


def test_a_filler_of_ibex_has_no_number(tmp_path: Path) -> None:
    entries = [
        f'[["{c}", {n}], "DashedSentence", {{s: "The {noun} slept {c} well."}}]'
        for n, noun in enumerate(NOUNS, 1)
        for c in ("a", "b")
    ]
    entries.append('[["filler-1", null], "DashedSentence", {s: "A plumber fixed the old boiler."}]')
    path = put(tmp_path, "a.js", "var items = [\n" + ",\n".join(entries) + "\n];\n")
    found = read(path, only=("kind=items",))
    assert (len(found.items), found.conditions) == (4, ("a", "b"))


def test_names_before_lines_that_are_no_sentences_of_the_item_are_asked_about(tmp_path: Path) -> None:
    text = "\n".join(
        f"*** {n} ***\nCTX: It rained all day long.\nUP: {said} again.\nDOWN: {said} never.\nA: no\n"
        for n, said in enumerate(SAID, 1)
    )
    command, found = offered(put(tmp_path, "a.txt", text))
    assert "--attribute CTX: --attribute A:" in command
    assert found.conditions == ("UP", "DOWN")
    assert found.items[0].attributes == {"context": "It rained all day long.", "a": "no"}
    with pytest.raises(FormatError, match="no line begins with B:"):
        read(put(tmp_path, "b.txt", text), attributes=("B:",))


def test_a_legend_above_the_first_item_is_no_item(tmp_path: Path) -> None:
    items = "\n".join(f"Item {n}\n (a) {said} again.\n (b) {said} never.\n" for n, said in enumerate(SAID, 1))
    found = read(put(tmp_path, "a.txt", f"(a) again   (b) never\n\n{items}"))
    assert [len(item.sentences) for item in found.items] == [2, 2, 2, 2]
    assert any("(a) again   (b) never" in note for note in found.notes)
    with pytest.raises(UndecidedError, match="stand above the number of the first item"):
        read(put(tmp_path, "b.txt", f"(a) A cat slept again.\n(b) A cat slept never.\n\n{items}"))


def test_lines_whose_order_turns_are_not_taken_by_their_place(tmp_path: Path) -> None:
    def lines(noun: str, turn: int) -> str:
        own = [f"{one} {noun} {two}." for one in ("The", "No") for two in ("slept", "left")]
        return "\n".join([*own[turn:], *own[:turn]])

    text = "\n\n".join(lines(noun, n % 4) for n, noun in enumerate((*NOUNS, "clerk", "baker", "pilot", "nun")))
    with pytest.raises(FormatError, match="order of conditions seems to change") as caught:
        read(put(tmp_path, "a.txt", text))
    assert "--per-item" not in caught.value.hint


def test_one_list_of_an_experiment_is_asked_about(tmp_path: Path) -> None:
    rows = "\n".join(f"{n},{'ab'[n % 2]},{said}." for n, said in enumerate(SAID))
    command, found = offered(put(tmp_path, "a.csv", f"item,condition,sentence\n{rows}\n"))
    assert "--item-column item --condition-column condition" in command
    assert len(found.items) == 4


@pytest.mark.parametrize(("around", "end"), [("（{}）", "。"), ("【{}】", "。"), ("[{}]", "."), ("({}) ", ".")])
def test_names_of_conditions_in_brackets_are_no_words_of_the_sentences(tmp_path: Path, around: str, end: str) -> None:
    lines = [
        f"{n}{letter}. {around.format(name)}{said} {last}{end}"
        for n, said in enumerate(SAID, 1)
        for letter, name, last in (("a", "early, no that", "soon"), ("b", "late, no that", "at night"))
    ]
    found = read(put(tmp_path, "a.txt", "\n".join(lines)))
    assert found.conditions == ("early, no that", "late, no that")
    assert [s.text for s in found.items[0].sentences] == [f"{SAID[0]} soon{end}", f"{SAID[0]} at night{end}"]


def test_brackets_before_most_sentences_are_asked_about(tmp_path: Path) -> None:
    lines = [
        f"{n}{letter}. （{name}）{said} {last}."
        for n, said in enumerate(SAID, 1)
        for letter, name, last in (("a", "x; y", "now"), ("b", "z; y", "here"))
    ]
    command, found = offered(put(tmp_path, "a.txt", "\n".join(lines)))
    assert "--strip-prefix '（x; y）'" in command
    assert [(s.text, dict(s.attributes)) for s in found.items[0].sentences] == [
        (f"{SAID[0]} now.", {"in_brackets": "x; y"}),
        (f"{SAID[0]} here.", {"in_brackets": "z; y"}),
    ]


def test_a_column_that_is_filled_in_the_first_row_of_items_is_asked_about(tmp_path: Path) -> None:
    rows = ["item,condition,context,lead_in,critical,spillover"]
    for n, said in enumerate(SAID, 1):
        rows += [f"{n},pronoun,{said}.,Later that day,he,left.", ",name,,Later that day,Tom,left."]
    path = put(tmp_path, "a.csv", "\n".join(rows))
    with pytest.raises(
        UndecidedError, match="'context' is filled only in the first row of each item, as the number of the item is"
    ):
        read(path)
    found = read(path, attributes=("context",))
    assert [s.text for s in found.items[0].sentences] == [f"Later that day {name} left." for name in ("he", "Tom")]
    assert len(read(path, regions=("context", "lead_in", "critical", "spillover")).items) == 4


def test_two_lines_with_one_letter_are_a_message_and_no_traceback(tmp_path: Path) -> None:
    rows = [
        f"({n}) {letter}. {said} {end}." for n, said in enumerate(SAID, 1) for letter, end in zip("abbd", "uvwx", strict=True)
    ]
    with pytest.raises(FormatError, match="line 3: item 1 has 'b' already, in line 2"):
        read(put(tmp_path, "a.txt", "\n\n".join("\n".join(rows[n : n + 4]) for n in range(0, 16, 4))))


def test_items_of_one_row_are_one_list_with_all_their_factors(tmp_path: Path) -> None:
    cells = [("first", "now"), ("last", "now"), ("first", "then"), ("last", "then")]
    rows = [
        f"{n},{place},{when},{said} {when}." for n, (said, (place, when)) in enumerate(zip(SAID * 2, cells * 2, strict=True), 1)
    ]
    command, found = offered(put(tmp_path, "a.csv", "\n".join(["item,position,time,sentence", *rows])))
    assert "--condition-column position --condition-column time" in command
    assert (len(found.items), len(found.conditions)) == (8, 4)


def test_a_question_beside_a_sentence_is_no_other_sentence(tmp_path: Path) -> None:
    rows = [
        f"{n},{one},{other},{said} {one}{other}.,Did it rain?"
        for n, said in enumerate(SAID, 1)
        for one in (0, 1)
        for other in (0, 1)
    ]
    command, found = offered(put(tmp_path, "a.csv", "\n".join(["item,telic,adverb,Sentence,Question", *rows])))
    assert "--condition-column telic --condition-column adverb" in command
    assert (len(found.items), len(found.conditions)) == (4, 4)


def test_numbered_items_may_have_unequal_numbers_of_labelled_sentences(tmp_path: Path) -> None:
    cells = [("every", "not", "plain"), ("every", "not"), ("not", "plain"), ("every", "plain")]
    blocks = [
        "\n".join([f"Item {n}", *(f"[{label}] {said} {label}." for label in own)])
        for n, (said, own) in enumerate(zip(SAID, cells, strict=True), 1)
    ]
    found = read(put(tmp_path, "a.txt", "\n\n".join(["Scope materials", *blocks])))
    assert [[s.condition for s in item.sentences] for item in found.items] == [list(own) for own in cells]


def test_a_row_of_sentences_in_brackets_explains_no_headings(tmp_path: Path) -> None:
    rows = ["item,condition,sentence"]
    for n, said in enumerate(SAID, 1):
        rows += [f"({n}),(a),({said} now.)", f"({n}),(b),({said} then.)"]
    found = read(put(tmp_path, "a.csv", "\n".join(rows)), format="csv")
    assert [len(item.sentences) for item in found.items] == [2, 2, 2, 2]


def test_rows_with_the_labels_of_a_table_are_no_legend_below_it(tmp_path: Path) -> None:
    rows = ["item,condition,sentence"]
    for n, said in enumerate(SAID, 1):
        rows += [f"{n},a,{said} now.", f"{n},b,{said} then."]
    path = put(tmp_path, "a.csv", "\n".join([*rows, "", "six,a,Birds sing.", "six,b,Birds sang."]))
    assert [item.label for item in read(path, format="csv").items] == ["1", "2", "3", "4", "six"]
