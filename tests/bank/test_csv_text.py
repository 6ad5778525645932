"""A table as CSV: the one way in which tables of ours are written."""

from __future__ import annotations

import csv
import io

import pytest

from gapsmith.bank.formats import csv_text

pytestmark = pytest.mark.fast


def test_columns_are_those_of_the_first_row_unless_named() -> None:
    rows: list[dict[str, object]] = [{"b": 1, "a": "x, y"}, {"b": None, "a": "two\nlines"}]
    assert csv_text(rows) == 'b,a\n1,"x, y"\n,"two\nlines"\n'
    assert csv_text(rows, ("a", "c")) == 'a,c\n"x, y",\n"two\nlines",\n'
    assert list(csv.DictReader(io.StringIO(csv_text(rows), newline="")))[1] == {"b": "", "a": "two\nlines"}


def test_a_table_without_rows_has_its_heading() -> None:
    assert csv_text([], ("a", "b")) == "a,b\n"
    assert csv_text([], without_rows="model") == "model\n"
