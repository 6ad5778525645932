"""Phrase-structure trees in brackets, as the Penn Treebank has them, and patterns over them.

    (S (NP-SBJ (PRP They)) (VP (VBD knew) (SBAR (WHNP-1 (WP what)) (S …))))

A pattern is written as Tregex writes it (Levy & Andrew 2006), of which this reads what the five patterns of
`gapsmith.parsing.constructions` need. A node is a label (``NP-SBJ``, ``PP|SBAR`` for one of several, ``@NP`` for the category without its
functions, ``/WH/`` for a regular expression found anywhere in the label, a word for itself, ``__`` for any) with relations:

    A < B    A is the parent of B          A << B   A dominates B
    A $+ B   B is the next sister of A     A !< B   A has no such B (also !<<, !$+)

Several relations are all of the first node (``&`` may stand between them); round brackets group, and a bracket that begins with a
relation is about a node of any label. A tree has as many matches as it has nodes for which the whole pattern holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from gapsmith.parsing.errors import TreebankError
from gapsmith.templates import ConfigError, text_of

_PIECE = re.compile(r"\(|\)|[^\s()]+")
_MARK = re.compile(r"\s*(?P<piece>\(|\)|&|!?(?:<<|<|\$\+)|/[^/]*/|[^\s()&!<$]+)")
_FUNCTIONS = re.compile(r"(?<=.)[-=|].*")


@dataclass(slots=True, eq=False)
class Node:
    """A phrase, a part of speech over its word, or a word, which has no children."""

    label: str
    children: list[Node] = field(default_factory=list)

    def below(self) -> Iterator[Node]:
        """Every node below this one, from the left, a node before its children."""
        # No recursion: trees of strangers may be deep.
        waiting = self.children[::-1]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))


def read_brackets(path: Path) -> Iterator[Node]:
    """The trees of a file (``.mrg``, ``.parse``, ``.psd``, …). Raises `TreebankError` with file and line where brackets do not
    match or a node has no label."""
    try:
        text = text_of(path, "utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise TreebankError(f"{path} cannot be read: {problem}.", hint="Give a file of trees in brackets.") from problem

    def fail(at: int, what: str) -> TreebankError:
        line = text.count("\n", 0, at) + 1
        return TreebankError(f"{path}, line {line}: {what}.", hint="Repair the tree; nothing was counted.")

    open_nodes: list[Node] = []
    starts: list[int] = []
    for piece in _PIECE.finditer(text):
        value = piece.group()
        if value == "(":
            open_nodes.append(Node(""))
            starts.append(piece.start())
        elif value == ")":
            if not open_nodes:
                raise fail(piece.start(), "a bracket is closed that was never opened")
            done = open_nodes.pop()
            starts.pop()
            if not done.label and not done.children:
                raise fail(piece.start(), "a bracket without label")
            if open_nodes:
                open_nodes[-1].children.append(done)
            else:
                # The Penn Treebank puts a bracket without label around every sentence.
                yield done
        elif not open_nodes:
            raise fail(piece.start(), f"{value!r} stands outside of all brackets")
        elif not open_nodes[-1].label and not open_nodes[-1].children:
            open_nodes[-1].label = value
        else:
            open_nodes[-1].children.append(Node(value))
    if open_nodes:
        raise fail(starts[-1], "a bracket is never closed")


class _Place:
    """A node with its next sister."""

    __slots__ = ("next", "node")

    def __init__(self, node: Node, following: Node | None) -> None:
        self.node, self.next = node, following


_Test = Callable[[_Place], bool]


@dataclass(frozen=True, slots=True)
class BracketPattern:
    """A pattern that was read; `read_bracket_pattern` makes it."""

    text: str
    _test: _Test

    def count(self, tree: Node) -> int:
        """How many nodes of the tree it holds of."""
        return sum(self._test(place) for place in _places(tree))


def read_bracket_pattern(text: str) -> BracketPattern:
    """A pattern from its text. Raises `ConfigError` naming the character."""
    return BracketPattern(text, _Reader(text).read())


def _places(tree: Node) -> Iterator[_Place]:
    yield _Place(tree, None)
    for parent in (tree, *tree.below()):
        yield from _children(parent)


def _children(parent: Node) -> Iterator[_Place]:
    for position, child in enumerate(parent.children):
        following = parent.children[position + 1] if position + 1 < len(parent.children) else None
        yield _Place(child, following)


def _below(parent: Node) -> Iterator[_Place]:
    yield from _children(parent)
    for node in parent.below():
        yield from _children(node)


_RELATIONS: dict[str, Callable[[_Place, _Test], bool]] = {
    "<": lambda place, test: any(map(test, _children(place.node))),
    "<<": lambda place, test: any(map(test, _below(place.node))),
    "$+": lambda place, test: place.next is not None and test(_Place(place.next, None)),
}


class _Reader:
    """Reads a pattern from left to right."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def read(self) -> _Test:
        test = self._node()
        if self._peek():
            raise self._error(f"{self._peek()!r} is not understood")
        return test

    def _error(self, what: str) -> ConfigError:
        return ConfigError(f"The pattern's character {self.at + 1}: {what}.", hint="For instance: VP < (SBAR < /WH/ !<< who)")

    def _peek(self) -> str:
        found = _MARK.match(self.text, self.at)
        if found is None and self.text[self.at :].strip():
            raise self._error(f"{self.text[self.at :].strip()[0]!r} is not understood")
        return found["piece"] if found else ""

    def _take(self) -> str:
        found = _MARK.match(self.text, self.at)
        if found is None:
            raise self._error("the pattern ends too early")
        self.at = found.end()
        return found["piece"]

    def _node(self) -> _Test:
        """A label or a bracket, with the relations that follow it."""
        tests = []
        if not self._is_relation(self._peek()):
            tests.append(self._atom())
        while self._is_relation(self._peek()) or self._peek() == "&":
            if self._peek() == "&":
                self._take()
            tests.append(self._relation())
        return lambda place: all(test(place) for test in tests)

    def _atom(self) -> _Test:
        piece = self._take()
        if piece != "(":
            return _label(piece) if piece not in {")", "&"} else self._fail_at(piece)
        inner = self._node()
        if self._take() != ")":
            raise self._error("`)` is missing")
        return inner

    def _fail_at(self, piece: str) -> _Test:
        raise self._error(f"{piece!r} where a label is due")

    def _relation(self) -> _Test:
        mark = self._take()
        if not self._is_relation(mark):
            raise self._error(f"{mark!r} where a relation is due")
        negative = mark.startswith("!")
        relation = _RELATIONS[mark.removeprefix("!")]
        other = self._atom()
        return lambda place: relation(place, other) is not negative

    @staticmethod
    def _is_relation(piece: str) -> bool:
        return piece.removeprefix("!") in _RELATIONS


def _label(text: str) -> _Test:
    if text == "__":
        return lambda _: True
    if text.startswith("/"):
        pattern = re.compile(text.strip("/"))
        return lambda place: pattern.search(place.node.label) is not None
    names = frozenset(text.removeprefix("@").split("|"))
    if text.startswith("@"):
        return lambda place: bool(place.node.children) and _FUNCTIONS.sub("", place.node.label) in names
    return lambda place: place.node.label in names
