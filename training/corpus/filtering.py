"""What stays out of a corpus: rows of dependency patterns and of expressions over the text, read from a TOML file.

    title = "Questions whose subject has a relative clause"
    put_back = 0.002

    [words]
    aux = "do does did is are was were"

    [audit]                               # for `gapsmith train audit`
    what = "a question with two auxiliaries"
    text = '\\b({aux})\\b.*\\b({aux})\\b.*\\?'
    question = "Is the fronted auxiliary another than the first?"

    [[out]]
    pattern = 'subject[label=nsubj]; clause[label=acl:relcl]; subject < clause'
    text = '^({aux})\\b'

A sentence stays out where one row fits: its `pattern` (`gapsmith.parsing.patterns`) in the parse and its `text`, a regular expression
without regard to case, anywhere in the sentence. A row may have one of the two alone. `{name}` stands for the words of that name; a brace
that is meant is doubled. Only sentences whose text fits a row with a pattern are parsed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from gapsmith.parsing import Parser, Pattern, PatternError, Tree, open_parser, read_pattern
from gapsmith.templates import ConfigError, in_place, made_of, no_such
from gapsmith.training.corpus.named import read_named, shipped_names
from gapsmith.training.parses import Parses

_PACKAGE = "gapsmith.training.corpus.filters"
_KEYS = ("title", "source", "put_back", "words", "out", "audit")
_ROW_KEYS = ("why", "pattern", "text")
_AUDIT_KEYS = ("what", "text", "question", "published")


@dataclass(frozen=True, slots=True)
class FilterRow:
    """One reason for which a sentence stays out."""

    why: str
    pattern: Pattern | None
    text: re.Pattern[str] | None

    def may_fit(self, sentence: str) -> bool:
        """Whether it fits as far as the text tells."""
        return self.text is None or self.text.search(sentence) is not None


@dataclass(frozen=True, slots=True)
class FilterAudit:
    """How somebody finds out whether a filter has left something in."""

    what: str
    """The sentences that are drawn, in words."""
    text: re.Pattern[str]
    question: str
    """What is asked of each; yes is a leak."""
    published: tuple[int, int] | None = None
    """Leaks, and sentences that were read, in the paper that the filter is from."""


@dataclass(frozen=True, slots=True)
class CorpusFilter:
    """A filter that was read; `load_filter` makes it."""

    name: str
    title: str
    source: str
    digest: str
    """SHA-256 of its file."""
    rows: tuple[FilterRow, ...]
    put_back: float | None
    """The share of sentences that are put back where direct evidence is to be rare, or None where the file says none."""
    audit: FilterAudit | None

    def share_to_put_back(self) -> float:
        """`put_back`. Raises `ConfigError` where its file says none."""
        if self.put_back is None:
            raise ConfigError(f"the filter {self.name} says no share to put back", hint="Write put_back = 0.002 into its file.")
        return self.put_back

    def wants_parse(self, sentence: str) -> bool:
        """Whether a parse decides about a sentence."""
        if any(row.pattern is None and row.may_fit(sentence) for row in self.rows):
            return False
        return any(row.pattern is not None and row.may_fit(sentence) for row in self.rows)

    def takes(self, sentence: str, tree: Tree | None) -> bool:
        """Whether the sentence stays out; `tree` is None where none is wanted."""
        for row in self.rows:
            if not row.may_fit(sentence):
                continue
            if row.pattern is None or (tree is not None and row.pattern.fits(tree)):
                return True
        return False


@dataclass(frozen=True, slots=True)
class Filters:
    """Some filters with the parser that they ask."""

    of: tuple[CorpusFilter, ...]
    parser: Parser
    parses: Parses

    @property
    def shares(self) -> Mapping[str, float]:
        """Of each the share that is put back. Raises `ConfigError` where a file says none."""
        return {own.name: own.share_to_put_back() for own in self.of}

    def taken(self, sentences: Sequence[str]) -> list[str | None]:
        """Of each sentence the name of the first filter that takes it, or None."""
        wanted = [s for s in dict.fromkeys(sentences) if any(own.wants_parse(s) for own in self.of)]
        trees = {s: Tree(parse) for s, parse in self.parses(self.parser, wanted).items()} if wanted else {}
        return [next((own.name for own in self.of if own.takes(s, trees.get(s))), None) for s in sentences]


def open_filters(names: Sequence[str], parser: str, parses: Parses) -> Filters | None:
    """The filters of these names or files with the parser `parser`; None where none is named. Raises `ConfigError` where two have one name,
    by which what they take could not be told apart."""
    if not names:
        return None
    read = tuple(load_filter(name) for name in names)
    called = [own.name for own in read]
    for name in called:
        if called.count(name) > 1:
            raise ConfigError(
                f"two filters are called {name}", hint="Name each once; a file is called by its name without .toml."
            )
    return Filters(read, open_parser(parser), parses)


def filter_names() -> list[str]:
    """The filters that ship with gapsmith."""
    return shipped_names(_PACKAGE)


def load_filter(name: str) -> CorpusFilter:
    """The filter in the file `name`, or of that name. Raises `ConfigError` naming file, row and key."""
    text, _ = read_named("filter", name, _PACKAGE)
    return made_of(text, name, lambda told: _filter(told, text, name), what="a filter")


def _filter(told: Mapping[str, Any], text: str, name: str) -> CorpusFilter:
    called = name if name in filter_names() else Path(name).stem
    _only(name, told, _KEYS)
    words = {key: _alternatives(name, key, value) for key, value in _table(name, told, "words").items()}
    rows = told.get("out")
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        raise ConfigError(
            f"{name}: there is no [[out]]", hint="Each [[out]] has a pattern, a text, or both; one that fits is enough."
        )
    put_back = told.get("put_back")
    if put_back is not None and (isinstance(put_back, bool) or not isinstance(put_back, int | float) or not 0 < put_back < 1):
        message = f"{name}: put_back = {put_back!r} is no share between 0 and 1"
        raise ConfigError(message, hint="For example put_back = 0.002", place=("put_back",))
    made = []
    for number, row in enumerate(rows):
        with in_place("out", number):
            made.append(_row(f"{name}: [[out]] {number + 1}", row, words))
    return CorpusFilter(
        called,
        _string(name, told, "title") or called,
        _string(name, told, "source"),
        sha256(text.encode()).hexdigest(),
        tuple(made),
        None if put_back is None else float(put_back),
        _audit(name, told, words),
    )


def _row(where: str, told: Mapping[str, Any], words: Mapping[str, str]) -> FilterRow:
    _only(where, told, _ROW_KEYS)
    pattern, text = _string(where, told, "pattern"), _string(where, told, "text")
    if not pattern and not text:
        raise ConfigError(f"{where}: it has neither pattern nor text", hint="A row without both would take every sentence.")
    try:
        found = read_pattern(pattern) if pattern else None
    except PatternError as error:
        raise ConfigError(f"{where}: {error}", hint=error.hint) from None
    return FilterRow(_string(where, told, "why"), found, _expression(where, text, words) if text else None)


def _audit(name: str, told: Mapping[str, Any], words: Mapping[str, str]) -> FilterAudit | None:
    if "audit" not in told:
        return None
    where, own = f"{name}: [audit]", _table(name, told, "audit")
    with in_place("audit"):
        _only(where, own, _AUDIT_KEYS)
        needed = _AUDIT_KEYS[:3]
        what, text, question = (_string(where, own, key) for key in needed)
        if not (what and text and question):
            raise ConfigError(f"{where}: it needs {', '.join(needed)}")
        return FilterAudit(what, _expression(where, text, words), question, _published(where, own.get("published")))


def _published(where: str, told: object) -> tuple[int, int] | None:
    if told is None:
        return None
    match told:
        case [int(leaks), int(read)] if 0 <= leaks <= read and read > 0:
            return leaks, read
    raise ConfigError(f"{where}: published = {told!r} is not leaks and sentences read", hint="For example published = [6, 1000]")


def _expression(where: str, text: str, words: Mapping[str, str]) -> re.Pattern[str]:
    try:
        return re.compile(text.format_map(words), re.IGNORECASE)
    except (KeyError, ValueError, IndexError, AttributeError) as error:
        raise ConfigError(
            f"{where}: text = {text!r}: {{{error.args[0]}}} is no name of [words]"
            if isinstance(error, KeyError)
            else f"{where}: text = {text!r} has a brace that is not closed, or empty",
            hint="A brace that is meant is doubled: {{1,3}}.",
        ) from None
    except re.error as error:
        raise ConfigError(f"{where}: text = {text!r} is no regular expression ({error})") from None


def _alternatives(name: str, key: str, value: object) -> str:
    if not isinstance(value, str) or not value.split():
        message = f"{name}: words.{key} = {value!r} are no words"
        raise ConfigError(message, hint=f'For example {key} = "who what which"', place=("words", key))
    # The typographic apostrophe is the same letter.
    return "|".join(re.escape(word).replace("'", "['’]") for word in sorted(value.split(), key=len, reverse=True))


def _table(name: str, told: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = told.get(key, {})
    if not isinstance(value, dict):
        raise ConfigError(f"{name}: {key} is no table", hint=f"Write [{key}] on a line of its own.", place=(key,))
    return value


def _string(where: str, told: Mapping[str, Any], key: str) -> str:
    value = told.get(key, "")
    if not isinstance(value, str):
        raise ConfigError(f"{where}: {key} = {value!r} is no text", hint="Text stands in quotes.", place=(key,))
    return value


def _only(where: str, told: Mapping[str, Any], keys: Sequence[str]) -> None:
    for key in told:
        if key not in keys:
            raise no_such(f"{where}: {key}: there is no such key", "It takes", key, keys, place=(key,))
