"""Finding constructions in parses: words with properties, and relations between them.

    verb[lemma=know|tell] -complement-clause-> clause; clause -marker-> [text=that]
    no clause -object-> [upos=NOUN|PROPN|PRON]
    verb < clause

Statements are separated by `;` or line ends; `#` begins a comment.

- A word is a name, properties in brackets, or both. The same name is the same word everywhere, different names are different
  words.
- Properties: `text` (as written), `lower`, `lemma`, `upos`, `xpos`, `label` (the parser's own relation to its head), `role` (the
  same in the one vocabulary of `gapsmith.parsing.relations`), `place` (1 is the first word) and `back` (1 is the last), and features by
  their names (`Number=Plur`). `=` one of the values joined by
  `|`, `!=` none of them, `~` a regular expression over the whole value. Values with other characters stand in double quotes.
- `a -object-> b`: b is the object of a; several roles are joined by `|`. `a -> b`: any role. `a ->> b`: b lies anywhere below a.
- `a < b`: a stands before b. `a . b`: right before it.
- `no …`: nothing fits. Names that occur nowhere else are free.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from gapsmith.parsing.lemmas import lemma_of
from gapsmith.parsing.model import ROOT, Parse, Token
from gapsmith.parsing.relations import Role, relations
from gapsmith.templates import ConfigError

Match = Mapping[str, int]
"""Name to word (from 0). Words without a name are not in it."""


class PatternError(ConfigError):
    """A pattern that cannot be read; says where."""


class Tree:
    """A parse with its relations looked up once, to be matched with several patterns."""

    def __init__(self, parse: Parse) -> None:
        self.parse = parse
        self.roles: dict[int, Role] = {}
        self.heads: dict[int, int] = {}
        self.below: dict[int, list[int]] = {}
        """Word to the words that hang on it, in the order of the sentence."""
        for relation in relations(parse):
            self.roles[relation.dependent] = relation.role
            self.heads[relation.dependent] = relation.head
            self.below.setdefault(relation.head, []).append(relation.dependent)

    def dominates(self, head: int, word: int) -> bool:
        """Whether `word` lies somewhere below `head`."""
        for _ in self.parse.tokens:
            word = self.heads[word]
            if word in {head, ROOT}:
                break
        return word == head

    @cached_property
    def features(self) -> list[Mapping[str, str]]:
        """The features of each word by name."""
        return [dict(part.split("=", 1) for part in token.feats.split("|") if "=" in part) for token in self.parse.tokens]


@dataclass(frozen=True)
class _Property:
    key: str
    fits: Callable[[str], bool]

    def holds(self, tree: Tree, word: int) -> bool:
        return self.fits(_value(tree, word, self.key))


@dataclass(frozen=True)
class _Link:
    """A statement about two words."""

    left: str
    right: str
    holds: Callable[[Tree, int, int], bool]


@dataclass(frozen=True)
class _Absence:
    """What must not be there, with the words that are its own."""

    words: Mapping[str, tuple[_Property, ...]]
    link: _Link | None


@dataclass(frozen=True)
class Pattern:
    """A pattern that was read; `read_pattern` makes it."""

    text: str
    words: Mapping[str, tuple[_Property, ...]]
    links: tuple[_Link, ...]
    absences: tuple[_Absence, ...]

    def matches(self, tree: Tree | Parse) -> Iterator[Match]:
        """Every way in which the pattern fits, in the order of the sentence."""
        tree = tree if isinstance(tree, Tree) else Tree(tree)
        for found in _assignments(tree, self.words, self.links, {}):
            if not any(_fits(tree, absence, found) for absence in self.absences):
                yield {name: word for name, word in found.items() if not name.startswith("[")}

    def fits(self, tree: Tree | Parse) -> bool:
        """Whether it fits at all."""
        return next(self.matches(tree), None) is not None


def _fits(tree: Tree, absence: _Absence, found: Match) -> bool:
    links = () if absence.link is None else (absence.link,)
    return next(_assignments(tree, absence.words, links, found), None) is not None


def _assignments(
    tree: Tree, words: Mapping[str, Sequence[_Property]], links: Sequence[_Link], bound: Match
) -> Iterator[dict[str, int]]:
    """Every extension of `bound` over `words`, in depth-first order."""
    places: dict[str, list[int]] = {}
    for name, properties in words.items():
        among = [bound[name]] if name in bound else range(len(tree.parse.tokens))
        places[name] = [word for word in among if all(entry.holds(tree, word) for entry in properties)]
        if not places[name]:
            return
    if _links_hold(tree, links, bound):
        yield from _extensions(tree, [name for name in words if name not in bound], places, links, bound)


def _extensions(
    tree: Tree, free: Sequence[str], places: Mapping[str, Sequence[int]], links: Sequence[_Link], bound: Match
) -> Iterator[dict[str, int]]:
    if not free:
        yield dict(bound)
        return
    taken = set(bound.values())
    for word in places[free[0]]:
        extended = {**bound, free[0]: word}
        if word not in taken and _links_hold(tree, links, extended):
            yield from _extensions(tree, free[1:], places, links, extended)


def _links_hold(tree: Tree, links: Sequence[_Link], bound: Match) -> bool:
    return all(
        link.holds(tree, bound[link.left], bound[link.right]) for link in links if link.left in bound and link.right in bound
    )


def _value(tree: Tree, word: int, key: str) -> str:
    token: Token = tree.parse.tokens[word]
    match key:
        case "text":
            return token.text
        case "lower":
            return token.text.lower()
        case "lemma":
            return token.lemma or lemma_of(token.text, token.upos)
        case "upos":
            return token.upos
        case "xpos":
            return token.xpos
        case "label":
            return token.relation
        case "role":
            return tree.roles[word].value
        case "place":
            return str(word + 1)
        case "back":
            return str(len(tree.parse.tokens) - word)
    return tree.features[word].get(key, "")


_TOKEN = re.compile(
    r"""(?P<space>[ \t]+)|(?P<comment>\#[^\n]*)|(?P<end>[;\n])
      |(?P<below>->>)|(?P<any>->)|-(?P<roles>[a-z|-]+?)->
      |(?P<before><)|(?P<next>\.)|(?P<open>\[)|(?P<close>\])|(?P<comma>,)
      |(?P<test>!=|=|~)|(?P<bar>\|)|"(?P<quoted>[^"\n]*)"|(?P<word>[^\s\[\],;=!~|"<>.\#-]+(?:[.-][^\s\[\],;=!~|"<>.\#-]+)*)""",
    re.VERBOSE,
)
_KEYS = ("text", "lower", "lemma", "upos", "xpos", "label", "role", "place", "back")
_FEATURE = re.compile(r"[A-Z][A-Za-z]*(?:\[[a-z]+\])?")
_ROLES = frozenset(role.value for role in Role)


@dataclass
class _Reader:
    """Reads a pattern from left to right."""

    text: str
    at: int = 0
    pieces: list[tuple[str, str, int]] = field(default_factory=list)
    anonymous: int = 0

    def __post_init__(self) -> None:
        position = 0
        while position < len(self.text):
            found = _TOKEN.match(self.text, position)
            if found is None:
                raise self.error(f"{self.text[position]!r} is not understood", position)
            kind = found.lastgroup or ""
            if kind not in {"space", "comment"}:
                self.pieces.append((kind, found[kind], position))
            position = found.end()
        self.pieces.append(("end", "", len(self.text)))

    def error(self, what: str, position: int) -> PatternError:
        line = self.text.count("\n", 0, position) + 1
        column = position - (self.text.rfind("\n", 0, position) + 1) + 1
        return PatternError(
            f"The pattern's line {line}, character {column}: {what}.",
            hint="For instance: verb[lemma=know] -complement-clause-> clause; no clause -object-> [upos=NOUN]",
        )

    def read(self) -> Pattern:
        words: dict[str, tuple[_Property, ...]] = {}
        links: list[_Link] = []
        absences: list[tuple[dict[str, tuple[_Property, ...]], _Link | None]] = []
        while self.at < len(self.pieces):
            if self._taken("end") is not None:
                continue
            negative = self.pieces[self.at][:2] == ("word", "no") and self.pieces[self.at + 1][0] in {"word", "open"}
            self.at += negative
            own: dict[str, tuple[_Property, ...]] = {}
            link = self._statement(own)
            if negative:
                absences.append((own, link))
            else:
                for name, properties in own.items():
                    words[name] = (*words.get(name, ()), *properties)
                links += [link] if link is not None else []
            if self._taken("end") is None:
                kind, value, position = self.pieces[self.at]
                raise self.error(f"{value or kind!r} where `;` or the line's end is due", position)
        if not words:
            raise self.error("it names no word that has to be there", 0)
        return Pattern(self.text, words, tuple(links), tuple(_Absence(own, link) for own, link in absences))

    def _statement(self, words: dict[str, tuple[_Property, ...]]) -> _Link | None:
        left = self._word(words)
        kind, value, position = self.pieces[self.at]
        if kind not in {"any", "below", "roles", "before", "next"}:
            return None
        self.at += 1
        right = self._word(words)
        if left == right:
            raise self.error(f"{left} stands on both sides", position)
        return _Link(left, right, self._relation(kind, value, position))

    def _relation(self, kind: str, value: str, position: int) -> Callable[[Tree, int, int], bool]:
        match kind:
            case "any":
                return lambda tree, left, right: tree.heads[right] == left
            case "below":
                return lambda tree, left, right: tree.dominates(left, right)
            case "before":
                return lambda _, left, right: left < right
            case "next":
                return lambda _, left, right: left + 1 == right
        roles = frozenset(value.split("|"))
        if unknown := sorted(roles - _ROLES):
            raise self.error(f"there is no role {unknown[0]!r}; the roles are {', '.join(sorted(_ROLES))}", position)
        return lambda tree, left, right: tree.heads[right] == left and tree.roles[right].value in roles

    def _word(self, words: dict[str, tuple[_Property, ...]]) -> str:
        kind, value, position = self.pieces[self.at]
        name = self._taken("word")
        if name is None:
            if kind != "open":
                raise self.error(f"{value!r} where a word is due" if value else "a word is missing", position)
            self.anonymous += 1
            name = f"[{self.anonymous}"
        properties: list[_Property] = []
        if self._taken("open") is not None:
            while self._taken("close") is None:
                properties.append(self._property())
                if self._taken("comma") is None and self.pieces[self.at][0] != "close":
                    raise self.error("`]` is missing", self.pieces[self.at][2])
        words[name] = (*words.get(name, ()), *properties)
        return name

    def _property(self) -> _Property:
        _, _, position = self.pieces[self.at]
        key = self._taken("word")
        if key is None or not (key in _KEYS or _FEATURE.fullmatch(key)):
            raise self.error(f"{key or 'that'!r} is no property; take {', '.join(_KEYS)} or a feature such as Number", position)
        test = self._taken("test")
        if test is None:
            raise self.error(f"=, != or ~ is missing after {key}", self.pieces[self.at][2])
        values = [self._plain()]
        while self._taken("bar") is not None:
            values.append(self._plain())
        if test == "~":
            try:
                pattern = re.compile("|".join(values))
            except re.error as problem:
                raise self.error(f"{'|'.join(values)!r} is no regular expression ({problem})", position) from problem
            return _Property(key, lambda value: pattern.fullmatch(value) is not None)
        allowed = frozenset(values)
        if test == "=":
            return _Property(key, lambda value: value in allowed)
        return _Property(key, lambda value: value not in allowed)

    def _plain(self) -> str:
        kind, value, position = self.pieces[self.at]
        if kind not in {"word", "quoted"}:
            raise self.error("a value is missing (in double quotes where it has other characters)", position)
        self.at += 1
        return value

    def _taken(self, kind: str) -> str | None:
        if self.at < len(self.pieces) and self.pieces[self.at][0] == kind:
            self.at += 1
            return self.pieces[self.at - 1][1]
        return None


def read_pattern(text: str) -> Pattern:
    """A pattern from its text. Raises PatternError naming line and character."""
    return _Reader(text).read()
