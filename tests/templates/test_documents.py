"""JSON and TOML that others wrote: whatever is wrong in it is said with its line, and read in one place."""

from __future__ import annotations

import ast
import json
import math
import tomllib
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gapsmith.templates.documents import DocumentError, read_json, read_toml, whole
from tests.rooms import ROOMS, trees_of, walked

pytestmark = pytest.mark.fast

LONG = "9" * 5_000
DEEP = 100_000

OUR_OWN = {
    "bank/asked.py",
    # A list that a script writes out, turned into the values that JSON has.
    "bank/formats/javascript.py",
    # Rows of a bank, which only the bank writes (and `bank check` vouches for).
    "bank/log.py",
    "bank/looks.py",
    "bank/merging.py",
    "bank/datasets.py",
    "bank/texts.py",
    "bank/review.py",
    "bank/projection.py",
    "bank/runs.py",
    "bank/findings.py",
    "bank/upgrade.py",
    "bank/decisions.py",
    "bank/scores.py",
    "bank/batches.py",
    "bank/saved_copies.py",
    "bank/seeing.py",
    "bank/store.py",
    "bank/items.py",
    "parsing/store.py",
    "bank/assignments.py",
    "bank/locks.py",
    "bank/plans.py",
    "bank/events.py",
    # A frozen copy of what release 0.1.0 did.
    "bank/release_0_1_0.py",
    # Text that was written by ourselves a moment before, to a file, a process of our own or the stand-in server.
    "bank/formats/style.py",
    "prompts/rendering.py",
    "prompts/template.py",
    "prompts/fake/fake_batches.py",
    "prompts/fake/server.py",
    "scoring/lm/golden.py",
    "scoring/lm/kernels.py",
    "training/grid.py",
    # Looked at before by `read_json`, when the order was checked.
    "prompts/providers/responses.py",
    "prompts/providers/openai_api.py",
    # The objects within a model's answer, each with what may go wrong in it.
    "prompts/replies.py",
    "vetting/judges/ask.py",
    "templates/documents.py",
}


def test_documents_of_others_are_read_in_one_place() -> None:
    found = set()
    for file, tree in trees_of(*ROOMS):
        for node in walked(tree):
            if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
                continue
            called = f"{node.value.id}.{node.attr}"
            if called in ("json.loads", "json.load", "json.JSONDecoder", "tomllib.loads", "tomllib.load"):
                found.add(file)
    assert found == OUR_OWN, "use gapsmith.templates.documents for what others wrote"


@pytest.mark.parametrize(
    ("text", "why", "line"),
    [
        ('{"a": [1,\n 2,\n ' + LONG + "]}", "a number of 5,000 digits", 3),
        ('{"a": "' + LONG + '",\n "b": -' + LONG + "}", "a number of 5,000 digits", 2),
        ('["NaN",\nNaN]', "NaN is not a number", 2),
        ("[1e999]", "1e999 is not a number", 1),
        ("[\n\n-Infinity]", "-Infinity is not a number", 3),
        ("[" * DEEP, "lists and objects stand more than 200 deep", None),
        ('{"a": ' * DEEP, "lists and objects stand more than 200 deep", None),
        ('{"a": 1,}', "not JSON", 1),
        ("", "not JSON", 1),
        ("\ufeff{}", "not JSON", 1),
    ],
)
def test_what_is_wrong_in_json_is_said_with_its_line(text: str, why: str, line: int | None) -> None:
    for content in (text, text.encode()):
        if content == text.encode() and text.startswith("\ufeff"):
            continue
        with pytest.raises(DocumentError) as caught:
            read_json(content)
        assert caught.value.why.startswith(why)
        assert caught.value.line == line
        assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("text", "why", "line"),
    [
        ("a = 1\nb = " + LONG, "a number of 5,000 digits", 2),
        ('a = "' + LONG + '" # nan\nb = [\n"inf", nan]', "nan is not a number", 3),
        ('a = """\nnan"""\nb = -inf', "-inf is not a number", 3),
        ("a = 1e999", "1e999 is not a number", 1),
        ("a = " + "[" * DEEP, "lists and objects stand more than 200 deep", None),
        ("a = 1\na = 2\n", "not TOML: cannot overwrite a value", 2),
    ],
)
def test_what_is_wrong_in_toml_is_said_with_its_line(text: str, why: str, line: int | None) -> None:
    with pytest.raises(DocumentError) as caught:
        read_toml(text)
    assert caught.value.why.startswith(why)
    assert caught.value.line == line
    assert len(str(caught.value)) < 200


def test_a_caller_may_refuse_odd_numbers_itself() -> None:
    assert math.isnan(read_toml("a = nan", odd_numbers=True)["a"])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(value=JSON)
def test_what_is_right_is_read_as_python_reads_it(value: object) -> None:
    assert read_json(json.dumps(value)) == value
    assert read_json(json.dumps(value).encode()) == value


@given(text=st.text(alphabet='{}[]"=:,.#\n \\-+eEnaif0123456789'))
def test_no_text_is_too_odd_to_be_refused(text: str) -> None:
    for read in (read_json, read_toml):
        with suppress(DocumentError):
            read(text)


@given(text=st.text(alphabet='ab="=\n 12#[]'))
def test_toml_that_is_right_is_read_as_python_reads_it(text: str) -> None:
    try:
        expected = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        with pytest.raises(DocumentError, match="not TOML"):
            read_toml(text)
        return
    assert read_toml(text) == expected


@pytest.mark.parametrize(("cell", "number"), [("7", 7), ("007", 7), ("٣", 3), ("²", None), ("-1", None), (LONG, None)])
def test_a_cell_of_digits_is_a_number_of_ours_or_none(cell: str, number: int | None) -> None:
    assert whole(cell) == number
