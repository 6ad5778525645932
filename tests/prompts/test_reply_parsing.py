"""Reading answers, good, bad and hostile."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gapsmith.prompts import Mode, SeenItems, harvest, parse_sentences, parse_slots
from gapsmith.prompts.replies import MAX_VALUE_CHARS
from gapsmith.templates import Paradigm, load_paradigm

pytestmark = pytest.mark.fast

PARADIGM = load_paradigm("subject_pg")
ITEM = {slot.name: slot.example for slot in PARADIGM.visible_slots}
OTHER = {**ITEM, "noun": "rumor", "name2": "Ben"}
CSV = """\
sentence_type,item_id,condition,full_sentence
subject_pg,1,PFPG,I know who the story about is likely to amuse soon.
subject_pg,1,MFPG,I know that the story about Mary is likely to amuse soon.
subject_pg,1,PFMG,I know who the story about is likely to amuse Anna soon.
subject_pg,1,MFMG,I know that the story about Mary is likely to amuse Anna soon.
"""


def _slots(text: str) -> list[Mapping[str, str]]:
    return list(parse_slots(text, PARADIGM).slots)


def _wrapped(*items: Mapping[str, object]) -> str:
    return json.dumps({"items": list(items)})


@pytest.mark.parametrize(
    "text",
    [
        _wrapped(ITEM, OTHER),
        json.dumps([ITEM, OTHER]),
        "\ufeff" + _wrapped(ITEM, OTHER),
        f"Here you are:\n```json\n{_wrapped(ITEM, OTHER)}\n```\nEnjoy {{them}} [all].",
        f"```\n{json.dumps(ITEM)}\n```\nand\n```\n{json.dumps(OTHER)}\n```",
        f"{json.dumps(ITEM)}\n{json.dumps(OTHER)}",
        json.dumps({"result": {"sets": [ITEM, OTHER]}}),
        _wrapped({**ITEM, "id": 1, "note": "x"}, OTHER),
        f"<think>maybe {json.dumps({**ITEM, 'noun': 'draft'})}?</think>{_wrapped(ITEM, OTHER)}",
        "Voici les éléments. 以下がアイテムです：" + _wrapped(ITEM, OTHER),
    ],
    ids=["object", "list", "bom", "fence", "two fences", "lines", "nested", "more keys", "thinking", "languages"],
)
def test_items_are_found_whatever_stands_around_them(text: str) -> None:
    assert _slots(text) == [ITEM, OTHER]


def test_keys_are_matched_without_regard_to_case_and_separators() -> None:
    item = {("Name 1" if key == "name1" else key.upper()): value for key, value in ITEM.items()}
    del item["Name 1"]
    assert _slots(_wrapped({**item, " Name1 ": "Mary"})) == [ITEM]


def test_whitespace_inside_a_value_becomes_single_spaces() -> None:
    assert _slots(_wrapped({**ITEM, "linker": " is\n likely\t to "}))[0]["linker"] == "is likely to"


@pytest.mark.parametrize("cut", range(20, 360, 33))
def test_of_half_a_document_the_whole_items_are_kept(cut: int) -> None:
    text = _wrapped(ITEM, OTHER)
    assert cut < len(text)
    found = _slots(text[:cut])
    assert found == [ITEM, OTHER][: len(found)]
    assert len(found) == text[:cut].count("}")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"noun": None}, "no value for noun"),
        ({"noun": 7}, "noun is int"),
        ({"noun": ["story"]}, "noun is list"),
        ({"noun": "  "}, "noun is blank"),
        ({"noun": "s" * (MAX_VALUE_CHARS + 1)}, "characters"),
    ],
)
def test_what_is_no_item_is_counted_with_a_reason(change: Mapping[str, object], reason: str) -> None:
    parsed = parse_slots(json.dumps({"items": [{**ITEM, **change}, OTHER]}), PARADIGM)
    assert list(parsed.slots) == [OTHER]
    assert len(parsed.unreadable) == 1
    assert reason in parsed.unreadable[0]
    assert parsed.returned == 2


@pytest.mark.parametrize("value", ["st\x1b[31mory\x07", "sto\u200bry", "\ud800", "\u202estory"])
def test_a_value_that_no_sentence_can_be_made_of_is_unreadable_too(value: str) -> None:
    crop = harvest(
        json.dumps({"items": [{**ITEM, "noun": value}, OTHER]}),
        PARADIGM,
        mode=Mode.SLOTS,
        design=None,
        wanted=10,
        seen=SeenItems(),
        dataset="x",
    )
    assert [item.slots for item in crop.items] == [OTHER]
    assert len(crop.unreadable) == 1
    assert "noun" in crop.unreadable[0]
    assert crop.unreadable[0].isprintable()


@pytest.mark.parametrize("text", ["", "   ", "I cannot do that.", "{}", "[]", "null", '{"items": []}', "{" * 50_000])
def test_an_answer_without_items_has_none(text: str) -> None:
    parsed = parse_slots(text, PARADIGM)
    assert parsed.returned == 0


@pytest.mark.parametrize("text", ["[" * 200_000, '{"a":' * 100_000, '{"a":"' * 100_000, "[1," * 300_000])
def test_deep_and_endless_nesting_comes_to_an_end(text: str) -> None:
    assert parse_slots(text, PARADIGM).returned == 0


@given(st.text())
def test_no_text_makes_the_readers_fail(text: str) -> None:
    parse_slots(text, PARADIGM)
    parse_sentences(text, PARADIGM, design="full8")


@given(
    st.lists(
        st.fixed_dictionaries({name: st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1) for name in ITEM}),
        max_size=4,
    ),
    st.text(st.characters(exclude_characters="{[", exclude_categories=["Cs"])),
)
def test_items_come_back_as_they_were_between_any_words(items: list[dict[str, str]], around: str) -> None:
    around = around.replace("<think", "")
    short = [item for item in items if all(len(value) <= MAX_VALUE_CHARS for value in item.values())]
    expected = [{key: " ".join(value.split()) for key, value in item.items()} for item in short]
    assert _slots(around + json.dumps({"items": short}) + around) == [e for e in expected if all(e.values())]


def _conditions(text: str, design: str = "lan2x2", *, cut: bool = False) -> list[list[str]]:
    parsed = parse_sentences(text, PARADIGM, design=design, cut=cut)
    return [[condition for condition, _ in found.sentences] for found in parsed.sentences]


FOUR = ["pf_pg1_pg2", "mf_mg1_pg2", "pf_pg1_mg2", "mf_mg1_mg2"]


@pytest.mark.parametrize(
    "text",
    [
        CSV,
        CSV.split("\n", 1)[1],
        "\ufeff" + CSV.replace("\n", "\r\n"),
        f"Sure, with commas, here:\n\n```csv\n{CSV}```\nThat is all, friends, goodbye, bye.",
        CSV.replace(",", ", "),
        CSV.replace(",", "\t"),
        CSV.replace(",", ";"),
        "\n".join(f"| {line.replace(',', ' | ')} |" for line in CSV.splitlines()),
        "\n".join(f"{n}. {line}" for n, line in enumerate(CSV.splitlines())),
        "\n".join(reversed(CSV.splitlines())),
        CSV.replace("PFPG", "pfpg").replace("MFMG", "mf_mg1_mg2"),
    ],
    ids=[
        "csv",
        "no header",
        "bom crlf",
        "fence",
        "spaces",
        "tabs",
        "semicolons",
        "table",
        "numbered",
        "order",
        "labels",
    ],
)
def test_csv_lines_are_found_whatever_stands_around_them(text: str) -> None:
    assert _conditions(text) == [FOUR]


def test_a_sentence_keeps_its_commas_with_and_without_quotes() -> None:
    plain = "I know, as we all do, who the story about is likely to amuse soon."
    for written in (plain, f'"{plain}"'):
        changed = CSV.replace("I know who the story about is likely to amuse soon.", written)
        parsed = parse_sentences(changed, PARADIGM, design="lan2x2")
        assert parsed.sentences[0].sentences[0][1] == plain


def test_eight_conditions_and_several_items_keep_their_groups() -> None:
    names = [condition.name for condition in PARADIGM.conditions]
    lines = [f"subject_pg,{item},{name},Sentence {item} {name}." for name in names for item in ("a", "b")]
    parsed = parse_sentences("\n".join(lines), PARADIGM, design="full8")
    assert [found.item_id for found in parsed.sentences] == ["a", "b"]
    assert all(len(found.sentences) == 8 for found in parsed.sentences)


LINES = CSV.splitlines()[1:]


@pytest.mark.parametrize("present", [[0, 1, 2], [1, 2, 3], [2]])
@pytest.mark.parametrize("blank", [False, True], ids=["line missing", "sentence missing"])
def test_an_item_with_missing_cells_is_kept_for_the_linter_to_see(present: list[int], blank: bool) -> None:
    emptied = [line.rsplit(",", 1)[0] + "," for line in LINES]
    lines = [LINES[k] if k in present else emptied[k] for k in range(4) if k in present or blank]
    parsed = parse_sentences("\n".join(lines), PARADIGM, design="lan2x2")
    assert parsed.unreadable == ()
    assert parsed.returned == 1
    assert [condition for condition, _ in parsed.sentences[0].sentences] == [FOUR[k] for k in present]


def test_an_item_without_a_single_sentence_is_unreadable() -> None:
    empty = "\n".join(line.rsplit(",", 1)[0] + ", " for line in LINES)
    parsed = parse_sentences(f"{CSV}{empty.replace(',1,', ',2,')}", PARADIGM, design="lan2x2")
    assert len(parsed.sentences) == 1
    assert parsed.unreadable == ("item 2 has no sentence that can be read",)


def test_a_doubled_cell_is_kept_for_the_linter_to_see() -> None:
    doubled = CSV + CSV.splitlines()[1].replace("amuse", "annoy")
    assert _conditions(doubled) == [["pf_pg1_pg2", *FOUR]]


def test_the_last_line_of_a_cut_answer_is_not_trusted() -> None:
    second = CSV.split("\n", 1)[1].replace(",1,", ",2,")
    assert _conditions(CSV + second[: len(second) - 20], cut=True) == [FOUR]
    assert _conditions(CSV + second[: len(second) - 20]) == [FOUR, FOUR]


def _numbered(item: int, *cells: int) -> list[str]:
    return [LINES[k].replace(",1,", f",{item},") for k in cells]


@pytest.mark.parametrize(
    ("lines", "whole", "cut_off"),
    [
        (_numbered(1, 0, 1, 2) + _numbered(2, 0, 1), ["1"], ["2"]),
        (_numbered(1, 0, 1, 2) + _numbered(2, 0), ["1"], ["2"]),
        ([*_numbered(1, 0, 1, 2, 3), LINES[0].replace(",1,", ",2,")[:15]], ["1"], []),
        (_numbered(1, 0, 1, 2, 3), [], ["1"]),
        (_numbered(1, 0) + _numbered(2, 0) + _numbered(1, 1) + _numbered(2, 1), [], ["1", "2"]),
        (_numbered(1, 0) + _numbered(2, 0) + _numbered(3, 0), [], ["1", "2", "3"]),
    ],
    ids=["in an item", "in a first line", "in an id", "in a last line", "by condition", "in a first condition"],
)
def test_of_a_cut_answer_only_what_was_being_written_is_unreadable(
    lines: list[str], whole: list[str], cut_off: list[str]
) -> None:
    parsed = parse_sentences("\n".join(lines)[:-3], PARADIGM, design="lan2x2", cut=True)
    assert [found.item_id for found in parsed.sentences] == whole
    assert [reason.split()[1] for reason in parsed.unreadable] == cut_off
    assert all("was cut off before" in reason for reason in parsed.unreadable)


def test_other_lines_are_ignored(subject_pg: Paradigm) -> None:
    noise = "subject_pg,1,XXXX,Not a label.\na,b,c,d\n" + "x" * 5_000 + ",1,PFPG,too long\n"
    assert _conditions(noise + CSV) == [FOUR]
