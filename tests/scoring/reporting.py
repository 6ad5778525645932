"""Analyses with effects that are known beforehand, and a reader of the pages made from them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from html.parser import HTMLParser
from pathlib import Path

from gapsmith.scoring.analysis import Analysis, analyze
from gapsmith.templates import Sentence
from tests.scoring.analysing import filled_bank, spread

DAY = date(2026, 11, 21)


VOID = {"meta", "link", "br", "img", "input", "hr"}


def effects(*means: float, n: int = 20, t: float = 6.0) -> Callable[[int, Sentence, str], float]:
    """Surprisals of `subject_pg` whose wh-effects P1 to P4 have these means, each with |t| = `t` (0 mean: no effect)."""
    order = [("pg1", "pg2"), ("mg1", "pg2"), ("pg1", "mg2"), ("mg1", "mg2")]
    values = {
        gaps: spread(mean, t, n) if mean else [v - 1.0 for v in spread(1.0, 2.0, n)]
        for gaps, mean in zip(order, means, strict=True)
    }

    def chosen(position: int, sentence: Sentence, region: str) -> float:
        filler, gap1, gap2 = sentence.condition.split("_")
        if region != ("adverb" if gap2 == "pg2" else "gap2"):
            return 2.0 + position / 10
        return 20.0 + (values[gap1, gap2][position] if filler == "pf" else 0.0)

    return chosen


def analysed(path: Path, *means: float, n: int = 20) -> Analysis:
    """The analysis of a bank with these wh-effects."""
    with filled_bank(path, "subject_pg", n, effects(*means, n=n)) as bank:
        return analyze(bank, "subject_pg")


class Page(HTMLParser):
    """Collects tags, attributes and text, and checks that elements are closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.words.append(data)

    @property
    def text(self) -> str:
        """All words on the page."""
        return " ".join(" ".join(self.words).split())


def flat(*_: object) -> float:
    """The same surprisal everywhere: no variance anywhere."""
    return 3.0
