"""Commands that would bring in what is no item are not offered, and a file that none takes is refused with a step that is right for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gapsmith.bank.formats import ForeignSet, ReadOptions, SourceFile, UndecidedError, read_foreign
from gapsmith.templates import FormatError


def put(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def read(path: Path, **options: object) -> ForeignSet:
    return read_foreign(SourceFile(path, ReadOptions(**options)))  # type: ignore[arg-type]


def refused(path: Path) -> str:
    with pytest.raises(FormatError) as caught:
        read(path)
    return f"{caught.value.message}\n{caught.value.hint}"


def taken(path: Path) -> ForeignSet:
    """The set with the first of the commands that are offered."""
    with pytest.raises(UndecidedError) as caught:
        read(path)
    command = next(line for line in caught.value.hint.splitlines() if line.startswith("  gapsmith import"))
    answer = next(one for one in caught.value.answers if one.flags in command)
    return read_foreign(SourceFile(path, ReadOptions().with_answer(answer)), format=answer.options.get("format"))


JUDGED = (r"\ljudge*", r"\ljudge{*}", r"\judge*", r"\judge{*}", r"\ljudge {*}", "[*]")


@pytest.mark.parametrize("mark", JUDGED)
def test_a_judgement_of_latex_is_that_of_its_sentence(tmp_path: Path, mark: str) -> None:
    items = "".join(
        f"\\pex\n\\a The {noun} sleeps.\n\\a {mark} The {noun} sleep.\n\\xe\n\n" for noun in ("girl", "lion", "nurse", "mule")
    )
    assert read(put(tmp_path, "a.tex", items)).expected == {"a": "ok", "b": "*"}
    glossed = items.replace("\\a The", "\\a \\begingl \\gla The").replace(f"{mark} The", f"{mark} \\begingl \\gla The")
    glossed = glossed.replace("sleeps.", "sleeps. //\n\\endgl").replace("sleep.", "sleep. //\n\\endgl")
    found = read(put(tmp_path, "b.tex", glossed))
    assert found.expected == {"a": "ok", "b": "*"}
    assert [s.text for s in found.items[0].sentences] == ["The girl sleeps.", "The girl sleep."]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (r"The girl\textsubscript{i} sleeps.", r"\textsubscript{i}"),
        (r"The girl$_i$ sleeps.", "$_i$"),
        (r"The girl \phantom{often} sleeps.", r"\phantom{often}"),
        (r"The girl sleeps. \hfill (spoken)", r"behind \hfill: (spoken)"),
        (r"The \oddthing{girl} sleeps.", r"\oddthing"),
        (r"\oddsign* The girl sleeps.", r"\oddsign*"),
        (r"[labeltype=alpha] The girl sleeps.", "[labeltype=alpha]"),
    ],
)
def test_what_latex_loses_of_a_sentence_is_told(tmp_path: Path, given: str, told: str) -> None:
    items = "".join(f"\\pex\n\\a {given.replace('girl', noun)}\n\\a The {noun} slept.\n\\xe\n\n" for noun in ("girl", "lion"))
    found = read(put(tmp_path, "a.tex", items))
    assert found.items[0].sentences[0].text == "The girl sleeps."
    assert any(told in note for note in found.notes)


def test_a_raised_star_of_latex_is_no_index(tmp_path: Path) -> None:
    items = "".join(f"\\ex. \\a. The {noun} sleeps.\n\\b. $^*$The {noun} sleep.\n\n" for noun in ("girl", "lion", "nurse"))
    assert read(put(tmp_path, "a.tex", items)).expected == {"a": "ok", "b": "*"}


NOUNS = ("girl", "lion", "nurse", "mule", "baker", "clerk")


def test_pairs_whose_order_changes_are_not_offered_as_if_it_did_not(tmp_path: Path) -> None:
    pairs = [(f"The {noun} sleeps here.", f"The {noun} sleep here.") for noun in NOUNS]
    lines = "".join("\n".join(pair if n % 2 else pair[::-1]) + "\n" for n, pair in enumerate(pairs, 1))
    path = put(
        tmp_path, "a.txt", f"In odd-numbered pairs the good sentence stands first, in even-numbered pairs second.\n\n{lines}"
    )
    said = refused(path)
    assert "--first" not in said
    assert "write * before the bad sentence" in said
    # Nor is it taken without a word where somebody says it.
    found = read_foreign(SourceFile(path, ReadOptions(header_row=3, first="good")), format="pair_lines")
    assert any("the order of good and bad changes" in taken.taken for taken in found.assumptions)


def test_numbers_and_tabs_are_brought_in_by_no_command(tmp_path: Path) -> None:
    pairs = "".join(f"{n}\tThe {noun} sleeps here.\n\tThe {noun} sleep here.\n" for n, noun in enumerate(NOUNS, 1))
    path = put(
        tmp_path, "a.txt", f"Agreement, as it was shown\nAll of it in small groups,\nand on paper. {'word ' * 8}\n\n{pairs}"
    )
    with pytest.raises(FormatError) as caught:
        read(path)
    for answer in getattr(caught.value, "answers", ()):
        found = read_foreign(SourceFile(path, ReadOptions().with_answer(answer)), format=answer.options.get("format"))
        texts = [s.text for item in found.items for s in item.sentences]
        assert not any("\t" in text or text[0].isdigit() or text.endswith(",") for text in texts)


def test_sections_and_remarks_among_numbered_lines_are_no_items(tmp_path: Path) -> None:
    path = put(
        tmp_path,
        "a.txt",
        "Practice\nP1 The shop is open.\nP2 The shop are open.\nTarget\n1 The girl sleeps here.\n1 *The girl sleep here.\n"
        "// Two of them are new.\n2 The lion sleeps here.\n2 *The lion sleep here.\nFiller\nF1 Rain fell.\nF2 *Fell rain.\nThis is the end.\n",
    )
    said = refused(path)
    assert "What would take it" not in said
    assert "into a table with the columns item, condition and sentence" in said


def test_a_first_row_of_sentences_is_no_row_of_headings(tmp_path: Path) -> None:
    rows = "".join(f"bad|The {noun} sleep here.|k{n}|The {noun} sleeps here.|good\n" for n, noun in enumerate(NOUNS, 1))
    path = put(tmp_path, "a.psv", rows)
    assert "The girl sleep here.'" not in refused(path)
    found = taken(path)
    assert [item.label for item in found.items] == [f"k{n}" for n in range(1, 7)]
    assert {s.condition: s.text for s in found.items[0].sentences} == {
        "good": "The girl sleeps here.",
        "bad": "The girl sleep here.",
    }


def test_primes_of_labels_are_taken_off_with_them(tmp_path: Path) -> None:
    pairs = "".join(f"{n}) The {noun} sleeps here.\n{n}') The {noun} sleep here.\n" for n, noun in enumerate(NOUNS, 1))
    found = taken(put(tmp_path, "a.txt", f"Agreement, from old notes\n\n{pairs}"))
    assert [s.text for s in found.items[0].sentences] == ["The girl sleeps here.", "The girl sleep here."]


def test_a_star_in_brackets_stands_for_two_sentences(tmp_path: Path) -> None:
    rows = "".join(f"{n},a,The {noun} slept.\n{n},b,The {noun} slept (*the bed).\n" for n, noun in enumerate(NOUNS, 1))
    assert "stands for two sentences" in refused(put(tmp_path, "a.csv", f"item,condition,sentence\n{rows}"))


def test_regions_of_several_words_that_are_counted_are_offered(tmp_path: Path) -> None:
    regions = {"one": ("the doctor", "had seen"), "two": ("had seen", "the doctor")}
    rows = "".join(
        f"{n}\t{cond}\t{k}\t{text}\n"
        for n, noun in enumerate(NOUNS[:4], 1)
        for cond, held in regions.items()
        for k, text in enumerate((f"The {noun}", *held, "left home."), 1)
    )
    found = taken(put(tmp_path, "a.tsv", f"item\tcond\tnr\tpart\n{rows}"))
    assert {s.condition: s.text for s in found.items[0].sentences} == {
        "one": "The girl the doctor had seen left home.",
        "two": "The girl had seen the doctor left home.",
    }


def test_words_below_the_first_row_of_their_sentence_are_offered(tmp_path: Path) -> None:
    rows = "".join(
        (f"{n}\t{cond}" if not k else "\t") + f"\t{k + 1}\t{word}\n"
        for n, noun in enumerate(NOUNS[:4], 1)
        for cond, verb in (("x", "sleeps"), ("y", "sleep"))
        for k, word in enumerate(("The", noun, verb, "here."))
    )
    found = taken(put(tmp_path, "a.tsv", f"stuk\tsoort\tplek\twoord\n{rows}"))
    assert len(found.items) == 4
    assert {s.condition: s.text for s in found.items[0].sentences} == {"x": "The girl sleeps here.", "y": "The girl sleep here."}


def test_headings_that_stand_again_in_another_order_are_named(tmp_path: Path) -> None:
    first = "".join(f"{n},x,The {noun} sleeps.\n{n},y,The {noun} sleep.\n" for n, noun in enumerate(NOUNS[:3], 1))
    second = "".join(f"x,{n},The {noun} sleeps.\ny,{n},The {noun} sleep.\n" for n, noun in enumerate(NOUNS[3:], 4))
    said = refused(put(tmp_path, "a.csv", f"item,cond,sentence\n{first}cond,item,sentence\n{second}"))
    assert "line 8" in said
    assert "in another order: cond, item, sentence" in said
    assert "lines 1 to 7, lines 8 to 14" in said


def test_lists_below_each_other_are_not_joined_by_their_numbers(tmp_path: Path) -> None:
    def listed(name: str, turn: int) -> str:
        rows = "".join(
            f"{n}\t{'xy'[(n + turn) % 2]}\tThe {noun} {('sleeps', 'sleep')[(n + turn) % 2]}.\n" for n, noun in enumerate(NOUNS)
        )
        return f"{name}\n\nno.\tcond\tsentence\n{rows}\n"

    said = refused(put(tmp_path, "a.txt", listed("List 1", 0) + listed("List 2", 1)))
    assert "the file has 2 tables, under 'List 1' and 'List 2'" in said
    assert "numbers are places in a list and not items" in said


def test_codes_of_item_and_condition_are_taken_apart_or_said_to_be_split(tmp_path: Path) -> None:
    def rows(one: str, other: str) -> str:
        forms = ((one, "sleeps"), (other, "sleep"))
        return "".join(f"K{n:02}{c}\tThe {noun} {verb}.\n" for n, noun in enumerate(NOUNS, 1) for c, verb in forms)

    path = put(tmp_path, "a.tsv", f"key\tsentence\n{rows('pa', 'pb')}")
    assert "--item-column key" in refused(path)
    found = read_foreign(SourceFile(path, ReadOptions(item_columns=("key",))))
    assert [(item.label, item.sentences[1].condition, item.sentences[1].text) for item in found.items] == [
        (f"K{n:02}", "pb", f"The {noun} sleep.") for n, noun in enumerate(NOUNS, 1)
    ]
    said = refused(put(tmp_path, "b.tsv", f"key\tsentence\n{rows('pa1x', 'pb1x')}"))
    assert "K01pa1x would be item 01, condition pa1x (6 items, each with 2 conditions: pa1x, pb1x)" in said
    assert "=MID(A2,2,2) and =MID(A2,4,9)" in said


def test_a_document_of_a_word_processor_is_called_so(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    path.write_bytes(b"PK\x03\x04" + bytes(40))
    with pytest.raises(FormatError) as caught:
        read(path)
    assert "document of a word processor" in str(caught.value)
    assert f"gapsmith import {path.with_suffix('.txt')}" in str(caught.value.hint)


def test_japanese_with_wide_signs_is_known_by_its_encoding(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("（１）ａ．犬が猫を見た。\n（１）ｂ．＊犬が猫が見た。\n（２）ａ．母が本を買った。\n".encode("cp932"))
    assert "--encoding cp932" in refused(path)
