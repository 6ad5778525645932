"""Files as researchers keep them: what stands beside sentences, above them and below, and labels that are slips."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gapsmith.bank.formats import differing_columns
from gapsmith.bank.formats.catalogue import FORMATS
from gapsmith.templates import FormatError
from tests.bank.test_lines_said_of_items import SAID, offered, put, read


def crossed(rows: str = "{n},{one},{other},{said} {one} {other}.", *, headings: str) -> str:
    """A table of four items with two factors of two levels."""
    body = [
        rows.format(n=n, said=said, one=one, other=other)
        for n, said in enumerate(SAID, 1)
        for one in ("now", "then")
        for other in ("here", "there")
    ]
    return "\n".join([headings, *body]) + "\n"


@pytest.mark.parametrize("place", ["first", "last"])
def test_a_line_of_every_block_that_shares_no_words_is_offered_as_an_attribute(tmp_path: Path, place: str) -> None:
    blocks = []
    for n, said in enumerate(SAID, 1):
        own = [f"{said} {end}." for end in ("now", "today", "at noon")]
        beside = f"Everybody laughed{' loudly' * n}!"
        blocks.append("\n".join([beside, *own] if place == "first" else [*own, beside]))
    text = "\n\n".join(blocks) + "\n"
    path = put(tmp_path, "a.txt", text)
    command, found = offered(path)
    name = "line_1" if place == "first" else "line_4"
    assert f"--per-item 4 --attribute {name}" in command
    assert found.conditions == tuple(f"line_{n}" for n in range(1, 5) if f"line_{n}" != name)
    assert [item.attributes[name] for item in found.items] == [f"Everybody laughed{' loudly' * n}!" for n in range(1, 5)]
    out = tmp_path / "out.txt"
    with out.open("w", encoding="utf-8") as stream:
        FORMATS.find("item_lines").write(stream, found)  # type: ignore[misc]
    assert out.read_text(encoding="utf-8") == text
    with pytest.raises(FormatError, match="all 4 lines"):
        read(path, per_item=4, attributes=tuple(f"line_{n}" for n in range(1, 5)))


def test_a_legend_of_several_blocks_stands_above(tmp_path: Path) -> None:
    legend = "Materials of May\n\nThree lines per item:\n  1  now\n  2  today\n  3  at noon\n  4  never\n\n"
    blocks = ["\n".join(f"{said} {end}." for end in ("now", "today", "at noon")) for said in SAID]
    command, found = offered(put(tmp_path, "a.txt", legend + "\n\n".join(blocks)))
    assert "--header-row 9 --per-item 3" in command
    assert [len(item.sentences) for item in found.items] == [3, 3, 3, 3]


def test_bars_part_cells_under_a_heading_with_a_remark(tmp_path: Path) -> None:
    text = crossed("{n} | {one} | {other} | {said} / {one} / {other}.", headings="n | tempo | luogo | frase (zone tra barre)")
    command, found = offered(put(tmp_path, "a.txt", text))
    assert "--item-column n" in command
    assert "--per-item" not in command
    assert (len(found.items), len(found.conditions), len(found.regions)) == (4, 4, 3)


def test_the_outer_key_is_the_item_and_the_inner_ones_its_factors(tmp_path: Path) -> None:
    document = {
        f"set{n}": {
            one: {two: {three: f"{said} {one} {two} {three}." for three in ("alone", "together")} for two in ("here", "there")}
            for one in ("now", "then")
        }
        for n, said in enumerate(SAID, 1)
    }
    command, found = offered(put(tmp_path, "a.json", json.dumps(document)))
    assert "--item-column key_1" in command
    assert [item.label for item in found.items] == ["set1", "set2", "set3", "set4"]


def test_lists_of_words_under_the_names_of_conditions_are_its_columns(tmp_path: Path) -> None:
    document = {"language": "English", **{end: [[*said.split(), end, "."] for said in SAID] for end in ("now", "today", "soon")}}
    found = read(put(tmp_path, "a.json", json.dumps(document)))
    assert found.conditions == ("now", "today", "soon")
    assert found.items[1].sentences[2].text == f"{SAID[1]} soon."
    assert any("language: English" in str(assumption) for assumption in found.assumptions)


@pytest.mark.parametrize("heading", ["ocena", "judgement"])
def test_a_column_of_marks_judges_and_is_asked_about_under_another_heading(tmp_path: Path, heading: str) -> None:
    rows = [
        f"{n},{c},{mark},{said} {c}."
        for n, said in enumerate(SAID, 1)
        for c, mark in (("now", ""), ("then", "*"), ("soon", "??"))
    ]
    path = put(tmp_path, "a.csv", "\n".join([f"item,condition,{heading},sentence", *rows]))
    # Under a heading that does not say so it is asked.
    found = read(path) if heading == "judgement" else offered(path)[1]
    assert dict(found.expected) == {"now": "ok", "then": "*", "soon": "?"}
    taken = next(assumption for assumption in found.assumptions if assumption.what == "expected")
    assert taken.sure == "assumed"
    # A condition that is marked in one item only is not decided.
    path.write_text(path.read_text(encoding="utf-8").replace("2,now,,", "2,now,*,"), encoding="utf-8")
    assert not (read(path) if heading == "judgement" else offered(path)[1]).expected


def test_what_differs_within_items_is_not_said_to_become_an_attribute(tmp_path: Path) -> None:
    text = crossed("{n},{one}-{other},{n}.{one},{said} {one} {other}.", headings="item,condition,words,sentence")
    found = read(put(tmp_path, "a.csv", text))
    assert not any("words" in note for note in found.notes)
    assert [said for said in differing_columns(found) if said.startswith("words differs within 4 items")]


def test_a_column_with_missing_sentences_is_a_condition_all_the_same(tmp_path: Path) -> None:
    rows = [
        f"{said} now.,{'n/a' if n % 2 else f'{said} then.'},{said} soon.,{'' if n else 'TO DO'}" for n, said in enumerate(SAID)
    ]
    rows = [
        f"{row.rsplit(',', 1)[0]},{said} at noon." if n else row for n, (row, said) in enumerate(zip(rows, SAID, strict=True))
    ]
    command, found = offered(put(tmp_path, "a.csv", "\n".join(["active,passive,cleft,other", *rows])))
    assert found.conditions == ("active", "passive", "cleft", "other")
    assert "3 sentences are missing there" in command
    assert [len(item.sentences) for item in found.items] == [3, 3, 4, 3]


def test_a_sign_of_repetition_below_a_line_that_is_left_out_is_refused(tmp_path: Path) -> None:
    rows = [f"{n},a,{said} now.\n〃,b,{said} then." for n, said in enumerate(SAID, 1)]
    path = put(tmp_path, "a.csv", "\n".join(["item,condition,sentence", *rows]) + "\n")
    with pytest.raises(FormatError, match="line 5: '〃' repeats what stands above it, and 4 is left out"):
        read(path, leave_out=("4",))
    for out in ("4-5", "item=2"):
        assert [item.label for item in read(path, leave_out=(out,)).items] == ["1", "3", "4"]
    # A word of the first row is none that repeats anything.
    path = put(tmp_path, "b.csv", path.read_text(encoding="utf-8").replace("now.", "idem."))
    assert "idem." in read(path).items[0].sentences[0].text


def test_a_remark_beside_the_number_of_an_item_is_asked_about(tmp_path: Path) -> None:
    rows = []
    for n, said in enumerate(SAID, 1):
        rows += [f"Item {n}{' - do not use' if n == 3 else ''},", f"a,{said} now.", f"b,{said} then."]
    path = put(tmp_path, "a.csv", "\n".join(["condition,sentence", *rows]))
    command, found = offered(path)
    assert "--leave-out 'remark=do not use'" in command
    assert [item.label for item in found.items] == ["1", "2", "4"]
    assert dict(read(path, format="csv").items[2].attributes) == {"remark": "do not use"}


def test_rows_that_count_are_told(tmp_path: Path) -> None:
    rows = []
    for n, said in enumerate(SAID, 1):
        rows += [f"Item {n},who,rest", f"a,{said},now.", f"b,{said},then.", "n = 2,,"]
    found = read(
        put(tmp_path, "a.csv", "\n".join(rows)), "region_columns", condition_columns=("row_label",), regions=("who", "rest")
    )
    assert any("counts the rows above it: line 4, 'n = 2'" in note for note in found.notes)


def test_numbers_below_the_number_of_an_item_are_its_conditions(tmp_path: Path) -> None:
    blocks = [f"Item {n}\n1\t{said} now.\n2\t*{said} then.\n3\t? {said} soon." for n, said in enumerate(SAID, 1)]
    found = read(put(tmp_path, "a.txt", "\n\n".join(["1 = now, 2 = then, 3 = soon", *blocks])))
    assert found.conditions == ("1", "2", "3")
    assert dict(found.expected) == {"1": "ok", "2": "*", "3": "?"}
    assert found.items[3].sentences[2].text == f"{SAID[3]} soon."


def test_letters_behind_each_other_in_a_line_are_a_legend(tmp_path: Path) -> None:
    blocks = [f"Item {n}\n  (b) {said} then.\n  (a) {said} now." for n, said in enumerate(SAID, 1)]
    found = read(put(tmp_path, "a.txt", "\n\n".join([*blocks, "(a) the present   (b) the past"])))
    assert [len(item.sentences) for item in found.items] == [2, 2, 2, 2]
    assert any("below the last example" in note for note in found.notes)


@pytest.mark.parametrize(("letters", "out", "left"), [("abbd", "--leave-out 8-11", 3), ("abbcd", "--leave-out 9", 4)])
def test_a_letter_twice_is_a_slip_where_another_one_lacks(tmp_path: Path, letters: str, out: str, left: int) -> None:
    blocks = []
    for n, said in enumerate(SAID, 1):
        own = letters if n == 2 else "abcd"
        blocks.append("\n".join([f"({n})" if n else "", *(f"{c}. {said} {c}{k}." for k, c in enumerate(own))]))
    command, found = offered(put(tmp_path, "a.txt", "\n\n".join(blocks)))
    assert out in command
    assert len(found.items) == left
    assert {len(item.sentences) for item in found.items} == {4}


def test_a_label_with_a_shortened_word_is_no_sentence(tmp_path: Path) -> None:
    text = crossed("{n};{one} {other}.;{said} {one} {other}.", headings="Item;Condition;Phrase")
    text = text.replace("now here.;", "clivée incong.;").replace("now there.;", "нет вин.;")
    assert len(read(put(tmp_path, "a.csv", text)).conditions) == 4


def test_a_long_table_of_regions_is_offered_by_its_headings(tmp_path: Path) -> None:
    rows = []
    for n, said in enumerate(SAID, 1):
        who, *rest = said.rsplit(" ", 2)
        for one in ("now", "then"):
            for other in ("here", "there"):
                words = [("who", who), ("rest", " ".join(rest)), ("when", one), ("where", f"{other}.")]
                rows += [f"{n},{one},{other},{k},{name},{own}" for k, (name, own) in enumerate(words)]
    command, found = offered(put(tmp_path, "a.csv", "\n".join(["item,time,place,region_number,region_name,content", *rows])))
    assert "--sentence-column" not in command
    assert [region.name for region in found.regions] == ["who", "rest", "when", "where"]


def test_an_item_number_that_comes_twice_is_named_where_it_comes_again(tmp_path: Path) -> None:
    rows = [row for n, said in zip((1, 2, 2, 3), SAID, strict=True) for row in (f"{n},a,{said} now.", f",b,{said} then.")]
    with pytest.raises(FormatError, match="line 6: item 2 begins here once more, as in line 4 before"):
        read(put(tmp_path, "a.csv", "\n".join(["item,condition,sentence", *rows])))


def test_numbers_of_rows_that_are_left_out_fill_no_other_ones(tmp_path: Path) -> None:
    rows = [
        f"{n},b,{said} then.\n,a,{said} now." if n % 2 else f"{n},a,{said} now.\n,b,{said} then."
        for n, said in enumerate(SAID, 1)
    ]
    path = put(tmp_path, "a.csv", "\n".join(["item,condition,sentence", *rows]))
    with pytest.raises(FormatError, match="of the rows that are left out line 4 above it has '2'"):
        read(path, only=("condition=b",))
    sorted_rows = [f",no,{said} now." for said in SAID] + [f"{n},yes,{said} then." for n, said in enumerate(SAID, 1)]
    path = put(tmp_path, "b.csv", "\n".join(["item,late,sentence", *sorted_rows]))
    with pytest.raises(FormatError, match="no row above says of which item it is"):
        read(path, condition_columns=("late",))


def test_what_is_filled_in_is_a_frame_and_no_condition(tmp_path: Path) -> None:
    rows = [
        f"{n},{said.rsplit(' ', 1)[0]} ___,{','.join(f'{said} {end}.' for end in ('now', 'then', 'soon'))}"
        for n, said in enumerate(SAID)
    ]
    command, found = offered(put(tmp_path, "a.csv", "\n".join(["item,frame,one,two,three", *rows])))
    assert found.conditions == ("one", "two", "three")
    assert "it is the frame of the others" in command


def test_a_column_of_judgements_stays_as_it_is_beside_marks(tmp_path: Path) -> None:
    rows = [
        f"{n},{c},{'*' if c == 'then' else 'ok'},{'*' if c == 'then' else ''}{said} {c}."
        for n, said in enumerate(SAID, 1)
        for c in ("now", "then")
    ]
    rows[4] = rows[4].replace(",ok,", ",*,")
    path = put(tmp_path, "a.csv", "\n".join(["item,condition,judgement,sentence", *rows]))
    with pytest.raises(FormatError, match=r"item 3: .* is \* in the column judgement, and not marked"):
        read(path)
    found = read(path, "csv")
    assert any("item 3: " in note and "not marked" in note for note in found.notes)
    assert found.items[2].attributes["judgement"] == "*"


def test_letters_in_a_list_are_no_alternatives(tmp_path: Path) -> None:
    blocks = [f"## Item {n}\n\n- (a) {said} now.\n- (b) {said} then." for n, said in enumerate(SAID, 1)]
    path = put(tmp_path, "a.md", "\n\n".join(["# Materials", "Conditions: (a) present; (b) past", *blocks]))
    found = read(path)
    assert [(item.label, len(item.sentences)) for item in found.items] == [(str(n), 2) for n in range(1, 5)]
    assert found.items[0].sentences[0].text == f"{SAID[0]} now."


def test_all_items_with_equal_sentences_are_named(tmp_path: Path) -> None:
    rows = [f"{n},{c},{said} {'now' if n in (2, 4) else c}." for n, said in enumerate(SAID, 1) for c in ("now", "then")]
    found = read(put(tmp_path, "a.csv", "\n".join(["item,condition,sentence", *rows])))
    assert any("(item 2: now, then; item 4: now, then)" in str(assumption) for assumption in found.assumptions)


def test_several_columns_cross_with_the_likeliest_item(tmp_path: Path) -> None:
    rows = []
    for n, said in enumerate(SAID, 1):
        for one in ("de", "con"):
            for other, word in (("alta", f"solo{n}"), ("baja", f"sola{n}")):
                rows.append(f"{n},{one},{other},{said} {one} {word}.,{word}")
    command, found = offered(put(tmp_path, "a.csv", "\n".join(["ítem,preposición,adjunción,oración,zona", *rows])))
    assert (len(found.items), len(found.conditions)) == (4, 4)
    assert "--item-column 'ítem'" in command


def test_a_grammar_is_asked_about_and_expanded_with_one_choice_for_all_conditions(tmp_path: Path) -> None:
    grammar = {
        "name": "gaps",
        "start": {"s_fg": ["PRE", "WHO", "SUBJ", "VERB", "."], "s": ["PRE", "COMP", "SUBJ", "VERB", "OBJ", "."]},
        "lexicon": {
            "PRE": ["I know", "she forgot"],
            "WHO": ["who"],
            "COMP": ["that"],
            "SUBJ": ["Ida", "our friend"],
            "VERB": ["saw"],
            "OBJ": ["Tom"],
        },
    }
    path = put(tmp_path, "a.json", json.dumps(grammar))
    command, found = offered(path)
    assert "PRE, SUBJ is an item, 4 in all" in command
    texts = {item.label: [s.text for s in item.sentences] for item in found.items}
    assert texts["1"] == ["I know who Ida saw.", "I know that Ida saw Tom."]
    assert texts["4"] == ["she forgot who our friend saw.", "she forgot that our friend saw Tom."]
    grammar["lexicon"]["PRE"] = ["PRE"]  # type: ignore[index]
    with pytest.raises(FormatError):
        read(put(tmp_path, "b.json", json.dumps(grammar)))


@pytest.mark.parametrize("names", [["tense", "fit"], ["set", "tense", "fit"], None])
def test_parts_of_sentences_under_keys_are_regions(tmp_path: Path, names: list[str] | None) -> None:
    stimuli = {
        f"item_{n}": {
            when: {fit: {"adverb": f"{when} again", "rest": said, "end": f"{fit} in {n} days."} for fit in ("well", "badly")}
            for when in ("Now", "Then")
        }
        for n, said in enumerate(SAID)
    }
    document = {"study": "x", **({"factors": names} if names else {}), "stimuli": stimuli}
    command, found = offered(put(tmp_path, "a.json", json.dumps(document)))
    assert ("--condition-column tense --condition-column fit" if names else "--condition-column key_2") in command
    assert [region.name for region in found.regions] == ["adverb", "rest", "end"]
    assert found.items[0].sentences[0].text == f"Now again {SAID[0]} well in 0 days."


def test_pairs_under_the_same_headings_get_names_of_their_own(tmp_path: Path) -> None:
    rows = [f"{n},{said} one.,{said} two.,{said} three.,{said} four." for n, said in enumerate(SAID)]
    command, _ = offered(put(tmp_path, "a.csv", "\n".join(["item,good,bad,good,bad", *rows])))
    assert "--headings item,good_1,bad_1,good_2,bad_2" in command


def test_regions_that_are_called_by_numbers_stand_in_their_order(tmp_path: Path) -> None:
    rows = [
        f"{c},{k},{own},{n}" for n, said in enumerate(SAID) for c in ("now", "then") for k, own in enumerate([said, f"{c}."], 1)
    ]
    found = read(put(tmp_path, "a.csv", "\n".join(["condition,region,content,item", *rows[::-1]])))
    assert {s.text for item in found.items for s in item.sentences} == {f"{said} {c}." for said in SAID for c in ("now", "then")}


def test_one_of_two_lists_in_a_text_is_offered(tmp_path: Path) -> None:
    lists = [
        "\n".join([f"Experiment {k}", "", *(f"{n}. {a}: {said} {a}.\n   {b}: {said} {b}." for n, said in enumerate(own, 1))])
        for k, own, a, b in ((1, SAID[:2], "now", "then"), (2, SAID[2:], "here", "there"))
    ]
    command, found = offered(put(tmp_path, "a.txt", "\n\n".join(lists)))
    assert "below 'Experiment 1'" in command
    assert found.conditions == ("now", "then")


@pytest.mark.parametrize(("head", "label"), [("Madde", "Soru"), ("Пример", "Вопрос"), ("Item", "Question")])
def test_items_and_questions_are_called_in_other_languages(tmp_path: Path, head: str, label: str) -> None:
    blocks = [f"{head} {n}\nA) {said} now.\nB) {said} then.\n{label}: Was it number {n}?" for n, said in enumerate(SAID, 1)]
    found = read(put(tmp_path, "a.txt", "\n\n".join(["A: present, B: past", *blocks])))
    assert [(item.label, len(item.sentences)) for item in found.items] == [(str(n), 2) for n in range(1, 5)]
    assert found.items[0].attributes[label.casefold()] == "Was it number 1?"


def test_contexts_above_letters_are_said_of_their_item(tmp_path: Path) -> None:
    blocks = [f"Context: It was day {n}.\na. {said} now.\nb. {said} then." for n, said in enumerate(SAID, 1)]
    text = "\n\n".join(blocks) + "\n"
    found = read(put(tmp_path, "a.txt", text))
    assert [item.attributes["context"] for item in found.items] == [f"It was day {n}." for n in range(1, 5)]
    out = tmp_path / "out.txt"
    with out.open("w", encoding="utf-8") as stream:
        FORMATS.find("numbered").write(stream, found)  # type: ignore[misc]
    assert out.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("label", ["nom.sg", "этот_вин", "が.を"])
@pytest.mark.parametrize("sign", [": ", " - ", "\t"])
def test_names_of_conditions_are_written_in_any_script(tmp_path: Path, label: str, sign: str) -> None:
    blocks = [f"Item {n}\n{label}{sign}{said} now.\n{label}2{sign}{said} then." for n, said in enumerate(SAID, 1)]
    found = read(put(tmp_path, "a.txt", "\n\n".join(blocks)))
    assert found.conditions == (label, f"{label}2")


@pytest.mark.parametrize("place", ["above", "below"])
def test_a_legend_as_long_as_an_item_is_none(tmp_path: Path, place: str) -> None:
    legend = "1 = now\n2 = then\n3 = soon"
    blocks = ["\n".join(f"{said} {end}." for end in ("now", "then", "soon")) for said in SAID]
    _, found = offered(put(tmp_path, "a.txt", "\n\n".join([legend, *blocks] if place == "above" else [*blocks, legend])))
    assert [len(item.sentences) for item in found.items] == [3, 3, 3, 3]
    assert all(s.text.endswith(".") for item in found.items for s in item.sentences)


def test_two_items_of_one_number_are_two_where_they_stand_below_each_other(tmp_path: Path) -> None:
    rows = [
        f"{n},{one},{other},{said} {one} {other}."
        for n, said in zip((1, 2, 2, 4), SAID, strict=True)
        for one in "ab"
        for other in "cd"
    ]
    command, found = offered(put(tmp_path, "a.csv", "\n".join(["nr,one,two,sentence", *rows])))
    assert "--leave-out" not in command
    assert [len(item.sentences) for item in found.items] == [4, 4, 4, 4]


def test_lines_in_no_order_are_no_items_by_their_places(tmp_path: Path) -> None:
    texts = [
        f"{said} {end}." for said in (*SAID, *(f"{one} twice" for one in SAID)) for end in ("now", "today", "at noon", "then")
    ]
    shuffled = [texts[(n * 11 + 5) % len(texts)] for n in range(len(texts))]
    with pytest.raises(FormatError) as caught:
        read(put(tmp_path, "a.txt", "\n".join(shuffled)))
    assert not getattr(caught.value, "answers", ())


def test_parts_of_sentences_beside_factors_are_no_words_of_one_sentence(tmp_path: Path) -> None:
    rows = [
        f"{n}\t{one}\t{other}\tThe\tman\t{said.lower()} {one}\t{other}."
        for n, said in enumerate(SAID, 1)
        for one in "ab"
        for other in "cd"
    ]
    command, found = offered(put(tmp_path, "a.tsv", "\n".join(["n\tone\ttwo\tR1\tR2\tR3\tR4", *rows])))
    assert "--item-column n" in command
    assert (len(found.items), len(found.conditions), len(found.regions)) == (4, 4, 4)


def test_a_legend_in_a_list_above_the_items_is_none_of_them(tmp_path: Path) -> None:
    legend = "Conditions:\n\n- (a) in the present, no comma\n- (b) in the past, no comma"
    blocks = [f"## Item {n}\n\n(a) {said} now.\n(b) {said} then.\n\n*Question:* Was it {n}?" for n, said in enumerate(SAID, 1)]
    found = read(put(tmp_path, "a.md", "\n\n".join(["# Materials", legend, *blocks])))
    assert [(item.label, item.attributes["question"]) for item in found.items] == [(str(n), f"Was it {n}?") for n in range(1, 5)]


def test_two_tables_in_a_sheet_are_two(tmp_path: Path) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for title, own, ends in (("Experiment 1", SAID[:2], "ab"), ("Experiment 2", SAID[2:], "cd")):
        sheet.append([title])
        sheet.append(["item", "condition", "sentence"])
        for n, said in enumerate(own, 1):
            for c in ends:
                sheet.append([n, c, f"{said} {c}."])
        sheet.append([])
    path = tmp_path / "a.xlsx"
    book.save(path)
    command, found = offered(path)
    assert "the table below 'Experiment 1'" in command
    assert found.conditions == ("a", "b")
    assert read(path, header_row=9).conditions == ("c", "d")


def test_what_stands_behind_whole_sentences_is_no_region(tmp_path: Path) -> None:
    rows = [
        f"{n},{c},{said} {c}.,{kind}"
        for n, said in enumerate(SAID, 1)
        for c, kind in (("now", "formal"), ("then", "plain"), ("soon", "low"))
    ]
    command, found = offered(put(tmp_path, "a.csv", "\n".join(["item,condition,phrase,register", *rows])))
    assert "--sentence-column phrase" in command
    assert found.items[0].sentences[0].text == f"{SAID[0]} now."


@pytest.mark.parametrize("heading", ["SubjectNumber", "Subject", "Sujeto"])
def test_the_number_of_a_subject_is_a_factor(tmp_path: Path, heading: str) -> None:
    rows = [
        f"{n},{one},{two},{said} {one} {two}."
        for n, said in enumerate(SAID, 1)
        for one in ("sg", "pl")
        for two in ("near", "far")
    ]
    command, found = offered(put(tmp_path, "a.csv", "\n".join([f"item,{heading},place,sentence", *rows])))
    assert f"--condition-column {heading} --condition-column place" in command
    assert len(found.conditions) == 4


def test_labels_that_are_slips_in_several_items_leave_these_out(tmp_path: Path) -> None:
    labels = {1: "abcd", 2: "abbd", 3: "abcd", 4: "abcd", 5: "aacd", 6: "abcd"}
    texts = [*SAID, *(f"{said} again" for said in SAID[:2])]
    rows = [f"{n},{c},{texts[n - 1]} {k}." for n, own in labels.items() for k, c in enumerate(own)]
    command, found = offered(put(tmp_path, "a.csv", "\n".join(["item,condition,sentence", *rows])))
    assert "items 2, 5 are left out" in command
    assert [item.label for item in found.items] == ["1", "3", "4", "6"]


def test_a_blank_before_a_full_stop_is_told(tmp_path: Path) -> None:
    rows = [f"{n},{c},{said} {c} ." for n, said in enumerate(SAID, 1) for c in ("now", "then")]
    found = read(put(tmp_path, "a.csv", "\n".join(["item,condition,sentence", *rows])))
    assert any("before a full stop or a comma in 8 of 8" in str(assumption) for assumption in found.assumptions)


def test_a_word_of_the_sentence_says_nothing_of_it(tmp_path: Path) -> None:
    words = ("dropped", "opened", "lost", "sold")
    rows = [f"{n},{c},{c} the man {word} the coat.,{word}" for n, word in enumerate(words, 1) for c in ("Now", "Then")]
    assert len(read(put(tmp_path, "a.csv", "\n".join(["item,condition,sentence,critical_word", *rows]))).items) == 4


def test_regions_in_a_list_may_hold_names(tmp_path: Path) -> None:
    rows = [
        json.dumps({"item": n, "one": one, "regions_it": [one, who, said, "today."]})
        for n, (who, said) in enumerate((("Marco", "came in"), ("the man", "left"), ("Ida", "sang"), ("a boy", "fell")), 1)
        for one in ("Here", "There")
    ]
    _, found = offered(put(tmp_path, "a.jsonl", "\n".join(rows)))
    assert {len(s.regions or ()) for item in found.items for s in item.sentences} == {4}


def test_contexts_of_which_it_is_not_clear_whose_they_are_are_not_taken(tmp_path: Path) -> None:
    own = [f"{n}a. {said} now.\n{n}b. {said} then.\n\nContext: It was day {n}." for n, said in enumerate(SAID, 1)]
    below = read(put(tmp_path, "a.txt", "\n\n".join(own)))
    assert [item.attributes["context"] for item in below.items] == [f"It was day {n}." for n in range(1, 5)]
    with pytest.raises(FormatError, match="above it or below it cannot be told"):
        read(put(tmp_path, "b.txt", "\n\n".join(["Context: It was day 0.", *own])))
    once = [text.partition("\n\n")[0] for text in own] + ["Context: all of this was said."]
    assert not any(item.attributes for item in read(put(tmp_path, "c.txt", "\n\n".join(once))).items)


def test_bars_between_regions_are_no_columns(tmp_path: Path) -> None:
    lines = [
        f"The {noun}{s} | that barked | {verb}."
        for noun in ("dog", "fox", "cat", "cow")
        for s, verb in (("", "sleeps"), ("s", "sleep"))
    ]
    found = read(put(tmp_path, "a.txt", "\n".join(lines)), per_item=2)
    assert (len(found.items), len(found.regions)) == (4, 3)


@pytest.mark.parametrize(
    "lexicon", [{"NP": ["NASA", "IBM"]}, {"NP": ["Ida", "Tom"], "V1": ["sang", "left"], "V2": ["sings", "leaves"]}]
)
def test_a_grammar_of_which_a_symbol_or_a_choice_is_not_clear_is_not_expanded(
    tmp_path: Path, lexicon: dict[str, list[str]]
) -> None:
    start = {"one": ["NP", "V1", "."], "two": ["NP", "V2", "."]}
    with pytest.raises(FormatError) as caught:
        read(put(tmp_path, "a.json", json.dumps({"start": start, "lexicon": lexicon})))
    assert "a grammar" not in str(caught.value)


def test_an_item_that_is_written_once_more_may_be_a_correction(tmp_path: Path) -> None:
    rows = [f"{n},{c},{said} {c}." for n, said in enumerate(SAID, 1) for c in ("now", "then")]
    again = [f"2,{c},The mayor walked home slowly {c}." for c in ("now", "then")]
    command, _ = offered(put(tmp_path, "a.csv", "\n".join(["item,condition,sentence", *rows[:4], *again, *rows[4:]])))
    assert "--leave-out" in command


def test_the_same_headings_below_a_title_head_another_table(tmp_path: Path) -> None:
    def part(own: tuple[str, ...], ends: str) -> str:
        return "item\tcondition\tsentence\n" + "".join(f"{n}\t{c}\t{said} {c}.\n" for n, said in enumerate(own, 1) for c in ends)

    path = put(tmp_path, "a.tsv", f"{part(SAID[:2], 'ab')}\nExperiment 2\n{part(SAID[2:], 'cd')}")
    command, found = offered(path)
    assert "the table above" in command
    assert found.conditions == ("a", "b")


def test_a_type_of_which_an_item_has_several_rows_is_no_condition(tmp_path: Path) -> None:
    rows = [f"{n},exp,{c},{said} {c}." for n, said in enumerate(SAID, 1) for c in ("now", "then")]
    rows += [f"{n},filler,now,Some birds number {n} sing." for n in range(1, 5)]
    command, found = offered(put(tmp_path, "a.csv", "\n".join(["item,type,version,text", *rows])))
    assert "--only type=exp --condition-column version" in command
    assert (len(found.items), found.conditions) == (4, ("now", "then"))


def test_rows_of_one_model_are_offered_where_several_read_the_same_regions(tmp_path: Path) -> None:
    rows = [
        f"{model},{n},{c},{k},{own}"
        for model in ("one", "two")
        for n, said in enumerate(SAID, 1)
        for c in ("now", "then")
        for k, own in enumerate((said, f"{c}."), 1)
    ]
    command, found = offered(put(tmp_path, "a.csv", "\n".join(["model,item,condition,region_number,content", *rows])))
    assert "--only model=one" in command
    assert [len(item.sentences) for item in found.items] == [2, 2, 2, 2]


def test_items_of_a_known_column_may_lack_conditions(tmp_path: Path) -> None:
    rows = [
        f"{n},{one},{two},I said that {said} {one} {two}." for n, said in enumerate(SAID * 2, 1) for one in "ab" for two in "cd"
    ]
    command, found = offered(put(tmp_path, "a.csv", "\n".join(["item,one,two,sentence", *rows[:9], *rows[10:25], *rows[26:]])))
    assert "2 of which lack a condition" in command
    assert len(found.items) == 8


def test_a_list_of_the_other_keys_is_said_of_them(tmp_path: Path) -> None:
    document = {
        "conditions": ["now", "then", "soon"],
        **{c: [[*said.split(), c, "."] for said in SAID] for c in ("now", "then", "soon")},
    }
    found = read(put(tmp_path, "a.json", json.dumps(document)))
    assert found.conditions == ("now", "then", "soon")
