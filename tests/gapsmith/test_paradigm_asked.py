"""`gapsmith paradigm new` at a terminal: what is asked, and that the file that the answers make checks."""

from __future__ import annotations

import os
import pty
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import pytest

from gapsmith.app.paradigm_check import check_paradigm
from gapsmith.templates import load_paradigm_file, realise, sample
from tests.processes import PATIENCE_S, Program, is_readable


def _asked(folder: Path, command: Sequence[str], answers: Sequence[tuple[str, str]]) -> tuple[int, str]:
    """What a program that is run at a terminal says, where each question, once it is there, is answered; and its exit code."""
    leader, follower = pty.openpty()
    seen, open_ones = "", list(answers)
    deadline = time.monotonic() + PATIENCE_S
    try:
        with Program(*command, folder=folder, terminal=os.ttyname(follower)) as program:
            while program.poll() is None and time.monotonic() < deadline:
                if is_readable(leader, 0.1):
                    seen += os.read(leader, 65536).decode(errors="replace")
                if open_ones and open_ones[0][0] in " ".join(seen.split()):
                    os.write(leader, open_ones.pop(0)[1].encode())
            assert open_ones == [], f"never asked: {open_ones[0][0]!r}\n{seen}"
            return program.wait(), seen
    finally:
        os.close(leader)
        os.close(follower)


@pytest.mark.full
def test_what_somebody_answers_at_a_terminal_makes_a_file_that_checks(tmp_path: Path) -> None:
    answers = (
        ("Factors, one a line", "number: sg, pl\nform: right, wrong\n\n"),
        (
            "Regions in reading order",
            "subject[number]: the {head} | the {head_pl}\nverb[number,form]: is | are | are | is\nend: late\n\n",
        ),
        ("{head}: noun, verb or determiner", "noun\n"),
        ("{head}: its words", "cook, maid, clerk, guard\n"),
        ("What does a native speaker say of sg_right", "ok\n"),
        ("What does a native speaker say of sg_wrong", "*\n"),
        ("What does a native speaker say of pl_right", "ok\n"),
        ("What does a native speaker say of pl_wrong", "*\n"),
        ("In which region is it measured", "verb\n"),
        ("Contrasts, as agreement", "agreement: sg_wrong - sg_right, positive\n\n"),
    )
    code, seen = _asked(tmp_path, ("paradigm", "new", "agreement"), answers)
    assert code == 0, seen
    paradigm = load_paradigm_file(tmp_path / "paradigms" / "agreement.toml")
    assert all(check.ok for check in check_paradigm(paradigm, tmp_path))
    assert {c.name: (c.expected, c.critical) for c in paradigm.conditions} == {
        "sg_right": ("ok", "verb"),
        "sg_wrong": ("*", "verb"),
        "pl_right": ("ok", "verb"),
        "pl_wrong": ("*", "verb"),
    }
    drawn = list(islice(sample(paradigm, 1), 4))
    assert {slots["head"]: slots["head_pl"] for slots in drawn} == {
        name: f"{name}s" for name in ("cook", "maid", "clerk", "guard")
    }
    texts = {s.condition: s.text for s in realise(paradigm, drawn[0])}
    assert texts["pl_wrong"].startswith(f"The {drawn[0]['head_pl']} is late")


@pytest.mark.full
def test_an_answer_that_makes_no_paradigm_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    answers = (
        ("Factors, one a line", "form: right, wrong\n\n"),
        ("Regions in reading order", "subject: the cook\nverb[form]: is | are\n\n"),
        ("say of right", "ok\n"),
        ("say of wrong", "*\n"),
        ("In which region is it measured", "nowhere\n"),
        ("Contrasts, as agreement", "\n"),
    )
    code, seen = _asked(tmp_path, ("paradigm", "new", "agreement"), answers)
    assert code == 2, seen
    assert "nowhere" in seen
    assert not (tmp_path / "paradigms" / "agreement.toml").exists()
