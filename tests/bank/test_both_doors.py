"""What is struck from the commands that are printed is offered at no other door: neither to whoever is asked, nor to a program."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import gapsmith
from gapsmith.bank.formats import FileAnswer, ForeignSet, ReadOptions, ReadServices, SourceFile, UndecidedError, read_foreign
from gapsmith.templates import FormatError, GapsmithError
from tests.bank.test_shapes_of_strangers import commands, said

NOUNS = ("porter", "singer", "miller", "clerk", "widow", "tailor")


def rows(line: Callable[[int, str], str], head: str = "") -> str:
    return head + "".join(line(n, noun) for n, noun in enumerate(NOUNS, 1))


def versions(n: int, noun: str) -> str:
    good, bad = f"The {noun} sleeps.", f"The {noun} sleep."
    pair = (good, 1.4, bad, 5.9) if n % 2 else (bad, 5.8, good, 1.3)
    return f"{n},A,{pair[0]},{pair[1]}\n{n},B,{pair[2]},{pair[3]}\n"


def judged(n: int, noun: str) -> str:
    pair = (f"The {noun} sleeps.", "ok", f"The {noun} sleep.", "*")
    one, other = (pair[:2], pair[2:]) if n % 2 else (pair[2:], pair[:2])
    return f"{n},1,{one[0]},{one[1]}\n{n},2,{other[0]},{other[1]}\n"


FILES = {
    "versions.csv": (rows(versions, "ID,Version,Sentence,M\n"), "--condition-column Version"),
    "judged.csv": (rows(judged, "item,version,sentence,judgment\n"), "--condition-column version"),
    "halves.csv": (
        rows(
            lambda n, noun: f"{n},a,The {noun} said that,it was cold.\n{n},b,The {noun} said when,it was cold.\n",
            "item,kind,first half,second half\n",
        ),
        "--sentence-column",
    ),
    "turning.txt": (
        "In odd pairs the good sentence comes first, in even pairs it comes second.\n\n"
        + rows(
            lambda n, noun: "".join(
                f"The {noun} {verb} here.\n" for verb in (("sleeps", "sleep") if n % 2 else ("sleep", "sleeps"))
            )
        ),
        "--first",
    ),
    "lettered.txt": (
        rows(lambda n, noun: f"{n}a. Is the {noun} here?\n{n}b. Are the {noun} here?\nDoes the {noun} stand here?\n"),
        "--strip-prefix",
    ),
}
"""Files with what no command for them may say."""


class Walk:
    """Every answer to every question of a file, one reading after another."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.flags: list[str] = []
        self.questions: list[str] = []

    def sets(self) -> Iterator[ForeignSet]:
        """The sets that the answers come to."""
        yield from self._after(())

    def _after(self, chosen: tuple[int, ...]) -> Iterator[ForeignSet]:
        counts: list[int] = []

        def ask(undecided: UndecidedError, _: Callable[[FileAnswer], str]) -> FileAnswer | None:
            step = len(counts)
            counts.append(len(undecided.answers))
            self.questions.append(undecided.question)
            self.flags += [answer.flags for answer in undecided.answers]
            return undecided.answers[chosen[step]] if step < len(chosen) else None

        try:
            yield read_foreign(SourceFile(self.path), services=ReadServices(ask=ask))
        except FormatError:
            for n in range(counts[-1] if len(counts) > len(chosen) else 0):
                yield from self._after((*chosen, n))


def sentences(found: ForeignSet) -> frozenset[tuple[str, str, str]]:
    return frozenset((item.label, s.condition, s.text) for item in found.items for s in item.sentences)


@pytest.mark.parametrize("name", FILES)
def test_no_door_offers_what_is_struck_at_another_one(tmp_path: Path, name: str) -> None:
    content, struck = FILES[name]
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    with pytest.raises(FormatError) as caught:
        read_foreign(SourceFile(path))
    error = caught.value
    printed = commands(error)
    assert not any(struck in command for command in printed)
    assert not any(struck in answer.flags for answer in getattr(error, "answers", ()))
    walk = Walk(path)
    asked = {sentences(found) for found in walk.sets()}
    assert not any(struck in flags for flags in (*walk.flags, *walk.questions))
    by_command = {sentences(read_foreign(SourceFile(path, said(one)[0]), format=said(one)[1])) for one in printed}
    assert asked <= by_command
    by_program = {
        sentences(read_foreign(SourceFile(path, ReadOptions().with_answer(answer)), format=answer.options.get("format")))
        for answer in getattr(error, "answers", ())
    }
    assert by_program == by_command


def test_python_is_told_the_same_commands(tmp_path: Path) -> None:
    content, struck = FILES["versions.csv"]
    path = tmp_path / "versions.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(GapsmithError) as caught, gapsmith.open_workspace(tmp_path / "own", create=True) as workspace:
        gapsmith.import_file(workspace, path)
    assert isinstance(caught.value, FormatError)
    assert not any(struck in command for command in commands(caught.value))
    assert "may be versions and no conditions" in str(caught.value.hint)
