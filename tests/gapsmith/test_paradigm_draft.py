"""`gapsmith paradigm draft`: from a file to a paradigm file."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import CommandOutcome

Run = Callable[..., CommandOutcome]
TABLE = "Item,Cond.,list,np,verb\n1,+filler +gap,A,the boy,slept\n" + "".join(
    f"1,{label},A,the boy,\n" for label in ("+filler -gap", "-filler +gap", "-filler -gap")
)


def test_a_draft_goes_to_stdout_or_to_a_file_of_the_name_that_is_said(gapsmith: Run, tmp_path: Path) -> None:
    (tmp_path / "My set.csv").write_text(TABLE)
    done = gapsmith("paradigm", "draft", "My set.csv")
    assert done.code == 0, done.err
    data = tomllib.loads(done.out)
    assert (data["name"], sorted(data["factors"])) == ("my_set", ["filler", "gap"])
    assert [region["name"] for region in data["regions"]] == ["np", "verb"]
    assert "columns list become attributes" in done.err
    assert "[status]" in done.err
    written = gapsmith("paradigm", "draft", "My set.csv", "-o", "mine.toml", "--name", "mine", "--attribute", "verb")
    assert written.code == 0, written.err
    data = tomllib.loads((tmp_path / "mine.toml").read_text())
    assert (data["name"], [region["name"] for region in data["regions"]]) == ("mine", ["np"])


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("set.csv", "-o", "there.toml"), "is there already"),
        (("set.csv", "--name", "My Set"), "is not one that can be"),
        (("none.csv",), "there is no such file"),
        (("slots.jsonl",), "holds slots and no sentences"),
    ],
)
def test_nothing_is_written_over_and_what_cannot_be_drafted_is_said(
    gapsmith: Run, tmp_path: Path, arguments: tuple[str, ...], says: str
) -> None:
    (tmp_path / "set.csv").write_text(TABLE)
    (tmp_path / "slots.jsonl").write_text('{"slots": {"verb": "be"}}\n')
    (tmp_path / "there.toml").write_text("mine")
    done = gapsmith("paradigm", "draft", *arguments)
    assert done.code == 2
    assert says in done.err
    assert (tmp_path / "there.toml").read_text() == "mine"
    assert done.out == ""
    if "-o" in arguments:
        assert gapsmith("paradigm", "draft", *arguments, "--force").code == 0
