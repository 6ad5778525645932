"""Make alike what differs between two runs of one program on one machine, and nothing else.

The list is `SUBSTITUTIONS`, in the order in which it is applied, after the folders and before the days of the recording. Each
says which form it takes for what, and is so narrow that no number of a result (an integer, or one with at most one point) has it.
What is a duration or an id by the name of its column or key, and could be a number otherwise, is in `BY_NAME`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from tools.recorder.recorded import Recording

Replacement = str | Callable[[re.Match[str]], str]


@dataclass(frozen=True)
class Substitution:
    """What a pattern finds is written as `by`."""

    of: str
    pattern: re.Pattern[str]
    by: Replacement


_HEX_BEFORE, _HEX_AFTER = r"(?<![\w.])", r"(?![\w.]|[-+]\d)"

SUBSTITUTIONS: tuple[Substitution, ...] = (
    Substitution("pictures within a page", re.compile(r"data:image/png;base64,[\w+/=]+"), "<png>"),
    Substitution(
        "times: a date, T or a space, and a time of day",
        re.compile(r"(?<!\d)\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?"),
        "<time>",
    ),
    Substitution("times in names of files", re.compile(r"(?<!\d)20\d{6}T\d{6}(?!\d)"), "<time>"),
    Substitution(
        "ids within vector graphics, which hang on what is drawn to the last digit",
        re.compile(r"(?<=-)[mp][0-9a-f]{10}(?=[\")])"),
        "<id>",
    ),
    Substitution(
        "keys of a packet's rows: packet, item, texts and signature",
        re.compile(r"(?<![\w.])[0-9a-f]{16}(?:-[0-9a-f]{32}){2,3}(?=-\d+(?![\w.]))"),
        "<key>",
    ),
    Substitution("ports of this machine", re.compile(r"(?<=127\.0\.0\.1:)\d+"), "<port>"),
    Substitution("addresses", re.compile(r"(?<![\w.])127\.0\.0\.1(?![\w.])"), "<host>"),
    Substitution("digests that say so, short ones too", re.compile(r"\bsha256[: ]\s?[0-9a-f]{6,64}\b"), "sha256:<digest>"),
    Substitution("revisions of a model in a sentence", re.compile(r"(?<=\brevision )[0-9a-f]{8,12}(?![\w.])"), "<digest>"),
    Substitution(
        "digests of 40 or 64 places",
        re.compile(rf"{_HEX_BEFORE}(?:[0-9a-f]{{64}}|[0-9a-f]{{40}}){_HEX_AFTER}"),
        "<digest>",
    ),
    Substitution("uids and digests of 32 places", re.compile(rf"{_HEX_BEFORE}[0-9a-f]{{32}}{_HEX_AFTER}"), "<uid>"),
    Substitution(
        "versions: three numbers or more with points between",
        re.compile(r"(?<![\w.])v?\d+\.\d+\.\d+(?:[.+\w-]*\w)?"),
        "<version>",
    ),
    Substitution("how fast a model scored just now", re.compile(r"\bat [\d,]+ (?=tokens/s, measured now)"), "at <rate> "),
    Substitution(
        "which products were faster just now",
        re.compile(r"\b(?:packed|default): packed products are [\d.]+ times as fast as torch's default ones"),
        "<kernel>: packed products are <rate> times as fast as torch's default ones",
    ),
    Substitution("how long training will take", re.compile(r"\b\d+ min left\b"), "<duration> left"),
    Substitution("how long a call took", re.compile(r"(?<=\blatency_ms: )\d+"), "<duration>"),
    Substitution(
        "how long scoring took or will take",
        re.compile(r"\b(scored now in|that takes about) \d[\d,.]* (?:ms|s|min|h)\b"),
        r"\1 <duration>",
    ),
)

BY_NAME: Mapping[str, str] = {
    "ms": "<duration>",
    "latency_ms": "<duration>",
    "seconds": "<duration>",
    "packet": "<uid>",
    "http_body": "<packed>",
}
"""Columns and keys whose values are durations or ids whatever they look like, and packed bodies of replies, which have the
server's clock in them: `gapsmith runs show --raw` has them in plain."""

_VERSION = re.compile(r"\d+(?:\.\d+)+\S*")
"""What `gapsmith doctor --json` says of a package, under the key `detail`."""


_DIGESTS = frozenset({"revision", "revision_name", "observation"})
_SHORT_DIGEST = re.compile(r"[0-9a-f]{8,64}")
"""Of a table of scores that was made from what the program wrote, which names items by their uids: the table's digest, and what
follows from it."""


class Alike:
    """The substitutions for one recording: the general ones, its folders and its days."""

    def __init__(self, recording: Recording) -> None:
        self._substitutions = [*_folders(recording.roots), *SUBSTITUTIONS, _days(recording.begun, recording.ended)]

    def text(self, text: str) -> str:
        """The text with everything made alike that needs no knowledge of columns."""
        for substitution in self._substitutions:
            text = substitution.pattern.sub(substitution.by, text)
        return text

    def cell(self, name: str, text: str) -> str:
        """A cell of the column of this name."""
        return BY_NAME[name] if text and name in BY_NAME else self._named(name, self.text(text))

    def value(self, name: str, value: Any) -> Any:
        """A JSON value under this key, with all that is in it."""
        if isinstance(value, dict):
            return {self.text(key): self.value(key, one) for key, one in value.items()}
        if isinstance(value, list):
            return [self.value(name, one) for one in value]
        if value is None or isinstance(value, bool):
            return value
        if name in BY_NAME:
            return BY_NAME[name]
        return self._named(name, self.text(value)) if isinstance(value, str) else value

    @staticmethod
    def _named(name: str, text: str) -> str:
        if name in _DIGESTS and _SHORT_DIGEST.fullmatch(text):
            return "<digest>"
        return "<version>" if name == "detail" and _VERSION.fullmatch(text) else text

    def printed(self, text: str) -> str:
        """The same of what is printed or of a page, where a table in a box may have columns of `BY_NAME`."""
        return self.text("\n".join(_boxes(text.split("\n"))))


def _folders(roots: Mapping[str, str]) -> Iterator[Substitution]:
    """Of a path below the work and the recorder's files, what is below stays; of one below checkout and interpreter only the
    last name does, since where a file lies in them is what may change. The longest root is first: one may lie in another."""
    for name, root in sorted(roots.items(), key=lambda pair: -len(pair[1])):
        root = re.escape(root.replace("\\", "/").rstrip("/"))
        if name in ("work", "recorder"):
            yield Substitution(f"the folder {name}", re.compile(rf"{root}(?![\w-])"), f"<{name}>")
        else:
            pattern = re.compile(rf"{root}(?![\w-])(?:/(?:[^\s/'\"`:,;()<>]+/)*([^\s/'\"`:,;()<>]*))?")
            yield Substitution(f"the folder {name}", pattern, lambda found, name=name: f"<{name}>/{found[1] or ''}")  # type: ignore[misc]  # mypy takes a lambda with a default for another type


def _days(begun: str, ended: str) -> Substitution:
    """The dates on which it was recorded; other dates are data."""
    first, last = (datetime.fromisoformat(moment).date() for moment in (begun, ended))
    days = [first + timedelta(n) for n in range((last - first).days + 1)]
    return Substitution("today", re.compile(rf"(?<![\d-])(?:{'|'.join(map(date.isoformat, days))})(?![\d-])"), "<today>")


_RULES = str.maketrans(dict.fromkeys("━─", "─"))


def _boxes(lines: Iterable[str]) -> Iterator[str]:
    """The lines; where a box has a column of `BY_NAME`, without its widths and with what stands for the column's values."""
    names: list[str] | None = None
    box: list[str] = []

    def done() -> Iterator[str]:
        if names is not None and any(name in BY_NAME for name in names):
            for line in box:
                cells = re.split(r"[│┃]", line)[1:-1]
                if not cells:
                    yield re.sub(r"─+", "─", line.translate(_RULES))
                else:
                    yield " │ ".join(
                        BY_NAME[name] if name in BY_NAME and "│" in line else cell.strip()
                        for name, cell in zip(names, cells, strict=False)
                    )
        else:
            yield from box

    for line in lines:
        if line.lstrip().startswith("┏"):
            yield from done()
            names, box = None, [line]
        elif box and line.lstrip()[:1] in tuple("┃┡│├└"):
            if names is None and "┃" in line:
                names = [cell.strip() for cell in re.split("┃", line)[1:-1]]
            box.append(line)
        else:
            yield from done()
            names, box = None, []
            yield line
    yield from done()
