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
