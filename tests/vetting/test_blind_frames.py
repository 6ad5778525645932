"""The items in frames that no rule was made for are as they were written, and are read as well as at first."""

from __future__ import annotations

import re
from hashlib import sha256

import pytest

from benchmarks import blind_frames


def test_nobody_has_changed_them() -> None:
    found = sha256()
    for path in sorted(blind_frames.FRAMES.rglob("*.csv")):
        found.update(path.relative_to(blind_frames.FRAMES).as_posix().encode() + path.read_bytes())
    assert found.hexdigest()[:16] == "07c78f688d3f9e05"


def test_what_was_named_and_read_at_first_still_is(capsys: pytest.CaptureFixture[str]) -> None:
    blind_frames.main()
    printed = capsys.readouterr().out
    rows = re.findall(r"^(.+), (first|today) +(\d+) of +60 +(\d+) of +60 +(\d+) of +60$", printed, re.MULTILINE)
    counts = {(frames, when): [int(own) for own in numbers] for frames, when, *numbers in rows}
    assert len(counts) == 8
    for frames in blind_frames.FIRST:
        warned, named, false = counts[frames, "today"]
        first = counts[frames, "first"]
        assert warned >= first[0]
        assert named >= first[1]
        assert false <= first[2]
    embedded, *others = re.split(r"^roles with ", printed, flags=re.MULTILINE)[1:]
    assert {other.split(":")[0].split()[0] for other in others} == {"spacy", "stanza"}, (
        "a pipeline that is not there is said by name"
    )
    roles = {
        name: (int(agreed), int(right))
        for name, agreed, right in re.findall(r"^(\w+) +(\d+) of +\d+ +(\d+) ", embedded, re.MULTILINE)
    }
    agreed, right = roles["gap_governor"]
    assert right >= 0.95 * agreed
    agreed, right = roles["embedding_verb"]
    assert right >= 0.9 * agreed
