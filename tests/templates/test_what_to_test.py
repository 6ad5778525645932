"""Lines that say what is tested: where an import draws them up, where a paradigm lacks them, and that they are read as they stand."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from gapsmith.templates import load_paradigm, preferences
from tests.conftest import CommandOutcome

Run = Callable[..., CommandOutcome]
PAIRS = "".join(
    f"({n}) a. Who do you think left the {what} early?\n    b. *Who do you think that left the {what} early?\n"
    for n, what in enumerate(("party", "dinner", "meeting", "concert", "lecture"), 1)
)
PLAIN = "item,kind,sentence\n1,x y,He left.\n1,z,He leave.\n2,x y,She ran.\n2,z,She run.\n"


@pytest.mark.parametrize(
    ("expected", "levels", "pairs"),
    [
        ({"a": "ok", "b": "*"}, None, [("a", "b")]),
        ({"a": "ok", "b": "*", "c": "*"}, None, [("a", "b"), ("a", "c")]),
        ({"a": "ok", "b": "ok", "c": "*", "d": "*"}, None, []),
        ({"a": "ok", "b": "?"}, None, []),
        (
            {"a": "ok", "b": "*", "c": "ok", "d": "*"},
            {"a": ("sg", "is"), "b": ("sg", "are"), "c": ("pl", "is"), "d": ("pl", "are")},
            [("a", "b"), ("c", "d")],
        ),
        # Which sentence is acceptable hangs on both factors together: each has partners in either.
        (
            {"a": "ok", "b": "*", "c": "*", "d": "ok"},
            {"a": ("sg", "is"), "b": ("sg", "are"), "c": ("pl", "is"), "d": ("pl", "are")},
            [],
        ),
    ],
)
def test_a_preference_is_asked_of_partners_alone(
    expected: dict[str, str], levels: dict[str, tuple[str, ...]] | None, pairs: list[tuple[str, str]]
) -> None:
    assert preferences(expected, levels) == pairs


def test_a_list_with_stars_has_something_to_test(gapsmith: Run, tmp_path: Path) -> None:
    (tmp_path / "pairs.txt").write_text(PAIRS, encoding="utf-8")
    done = gapsmith("import", "pairs.txt")
    assert done.code == 0, done.err
    paradigm = load_paradigm(str(tmp_path / "paradigms" / "pairs.toml"))
    assert [(own.name, str(own.formula)) for own in paradigm.criteria] == [
        ("preferred", "a@sentence < b@sentence"),
        ("preferred_by_perplexity", "a@sentence < b@sentence"),
    ]


def test_where_nothing_is_tested_every_door_says_what_to_add(gapsmith: Run, tmp_path: Path) -> None:
    (tmp_path / "plain.csv").write_text(PLAIN, encoding="utf-8")
    done = gapsmith("import", "plain.csv", "--condition-column", "kind")
    assert done.code == 0, done.err
    assert "nothing is tested yet" in done.err
    asked = gapsmith("next")
    assert "has nothing to test" in asked.out
    assert "gapsmith paradigm check" in asked.out
    assert gapsmith("score", "--model", "bundled", "--all").code == 0
    refused = gapsmith("analyze", "--all")
    assert refused.code == 2
    file = tmp_path / "paradigms" / "plain.toml"
    assert str(file) in refused.err
    lines = refused.err[refused.err.index("[[criteria]]") :].splitlines()
    lines = lines[: next(n for n, line in enumerate(lines) if line.startswith("# ")) + 1]
    names = [condition.name for condition in load_paradigm(str(file)).conditions]
    assert all(name in lines[-1] for name in names)
    # They are lines of the file as they stand, with two names in the place of the words.
    said = "\n".join(lines).replace("MORE_PROBABLE", names[0]).replace("LESS_PROBABLE", names[1])
    assert tomllib.loads(said)
    file.write_text(f"{file.read_text(encoding='utf-8')}\n{said}\n", encoding="utf-8")
    assert gapsmith("paradigm", "update", "plain").code == 0
    told = " ".join(gapsmith("analyze", "--all").out.split())
    shown = [condition.label for condition in load_paradigm(str(file)).conditions]
    (holds,) = re.findall(
        rf"“(?:{names[0]}|{shown[0]})” is the more probable sentence than “(?:{names[1]}|{shown[1]})” in (\d) of 2 items", told
    )
    (row,) = re.findall(r"preferred sum ([\d.]+)%", told)
    assert int(holds) == round(2 * float(row) / 100)
