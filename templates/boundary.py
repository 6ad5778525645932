"""Files that others made, on their way in: the only place that opens one. What is no file, or larger than what is read here, is refused
before it is read, with the limit and the setting that moves it.

Limits are above what this program's own scale needs (200,000 items with every token's value, corpora of a hundred gigabytes): a file
beyond them is broken or meant to be. A file that is read as a whole (a table, JSON, TOML, a workbook) is held to `Limits.file_mb`, one
that is read line by line to `Limits.corpus_mb` and `Limits.line_mb`, both of what it unpacks to. What is within them and takes for
ever all the same is ended by `Limits.seconds`."""

from __future__ import annotations

import gzip
import io
import lzma
import re
import signal
import stat
import sys
import threading
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import IO, Any
from zipfile import ZipFile

from gapsmith.templates.errors import ConfigError, FormatError

UNREADABLE = (OSError, EOFError, lzma.LZMAError, zlib.error)
"""What reading a damaged or packed file may raise besides errors of ours."""
_MB = 1_000_000
_MOST_DIGITS = 4_300
_LONGEST_HEADER = 100_000_000
"""Bytes that the header of a safetensors file can have, by its format."""
SHEET_ROWS = 1_048_576
"""The rows that a sheet of a workbook can have, by its format."""


@dataclass(frozen=True)
class Limits:
    """How large what is read may be; ``[limits]`` of the user's own settings, or ``GAPSMITH_LIMITS=file_mb=1000,depth=50``."""

    file_mb: int = 512
    """Megabytes of a file that is read as a whole, unpacked."""
    corpus_mb: int = 100_000
    """Megabytes of a file that is read line by line, unpacked."""
    line_mb: int = 16
    """Megabytes of one line of such a file."""
    rows: int = 10_000_000
    """Rows of a table."""
    columns: int = 5_000
    """Columns of a table."""
    depth: int = 200
    """How deep lists and objects of JSON and TOML may stand in one another."""
    digits: int = 1_000
    """Digits of a number. Python itself writes and reads whole numbers of at most 4,300."""
    seconds: int = 3_600
    """Seconds that finding out what a file is and reading it may take; of one that is read line by line without what is done with its
    lines."""


class FileLimitError(FormatError):
    """A file is larger than what is read."""


_LIMITS: ContextVar[Limits] = ContextVar("limits")
_DEFAULT = Limits()
_UNTIL: ContextVar[float] = ContextVar("until")
"""When the time for the file that is being read is over, by `time.monotonic`."""


def limits() -> Limits:
    """Those that hold now."""
    return _LIMITS.get(_DEFAULT)


@contextmanager
def within(limited: Limits) -> Iterator[None]:
    """Let other limits hold for what is read inside."""
    token = _LIMITS.set(limited)
    try:
        yield
    finally:
        _LIMITS.reset(token)


def limits_of(said: dict[str, Any], where: str) -> Limits:
    """Limits from names and numbers. Raises `ConfigError` for a name that is none, and for what is no whole number above 0."""
    known = [field.name for field in fields(Limits)]
    for name, value in said.items():
        if name not in known:
            raise ConfigError(f"{where}: there is no limit {name!r}", hint=f"There are: {', '.join(known)}.")
        if type(value) is not int or value < 1:
            raise ConfigError(f"{where}: {name} = {value!r} should be a whole number above 0")
        if name == "digits" and value > _MOST_DIGITS:
            raise ConfigError(f"{where}: {name} = {value}: numbers of more than {_MOST_DIGITS:,} digits cannot be read at all")
    return replace(_DEFAULT, **said)


def refused(place: str, found: str, name: str) -> FileLimitError:
    """What is said of a file that is larger than one of the `Limits`: what was found, and how the limit is moved."""
    allowed: int = getattr(limits(), name)
    unit = {"file_mb": " MB", "corpus_mb": " MB", "line_mb": " MB", "seconds": " s"}.get(name, "")
    verb = "is" if allowed == 1 and name != "seconds" else "are"
    return FileLimitError(
        f"{place}: {found}, and at most {allowed:,}{unit} {verb} {'given to a file' if name == 'seconds' else 'read'} (limit {name})",
        hint=f"If the file is right as it is, give the limit more room: {name} = NUMBER below [limits] in your own settings, or"
        f" GAPSMITH_LIMITS={name}=NUMBER in the environment.",
    )


class _TimeOverError(BaseException):
    """No error of a reader, so that none takes it for one of the file's."""


@contextmanager
def in_time(place: str) -> Iterator[None]:
    """Hold what is done inside to `Limits.seconds`, unless something outside is held already. A timer of the system ends it wherever it
    is, within a regular expression too; where there is none to be had (on Windows, in a thread, in a program that has one of its own)
    the next row does (`expect_row`). Raises `FileLimitError`."""
    if _UNTIL.get(None) is not None:
        yield
        return
    seconds = limits().seconds
    token = _UNTIL.set(time.monotonic() + seconds)
    try:
        with _alarm(seconds):
            yield
    except _TimeOverError:
        raise _too_long(place) from None
    finally:
        _UNTIL.reset(token)


if sys.platform == "win32":

    @contextmanager
    def _alarm(seconds: int) -> Iterator[None]:  # noqa: ARG001 - as the other one is called
        yield

else:

    @contextmanager
    def _alarm(seconds: int) -> Iterator[None]:
        is_free = threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGALRM) == signal.SIG_DFL
        if not is_free or signal.getitimer(signal.ITIMER_REAL)[0]:
            yield
            return

        def end(*_: object) -> None:
            raise _TimeOverError

        signal.signal(signal.SIGALRM, end)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)


def _too_long(place: str) -> FileLimitError:
    return refused(place, "reading it takes longer", "seconds")


def expect_file(path: Path) -> int:
    """The bytes of a file. Raises `FormatError` for a pipe, a socket or a device, which may have no end, and `OSError` for what is not
    there."""
    found = path.stat()
    if not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):
        kinds = ((stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"))
        kind = next((kind for test, kind in kinds if test(found.st_mode)), "a device")
        raise FormatError(
            f"{path}: is {kind} and no file", hint="Name a file; what a program prints can be written into one first."
        )
    return found.st_size


def expect_small(path: Path) -> None:
    """Raise `FormatError` for what is no file, or larger than what is read as a whole; `OSError` for what is not there."""
    if (size := expect_file(path)) > limits().file_mb * _MB:
        raise refused(str(path), f"{size / _MB:,.0f} MB", "file_mb")


def bytes_of(path: Path) -> bytes:
    """All of a file. Raises `FormatError` for what is no file, or too large; `OSError` as reading does."""
    expect_small(path)
    most = limits().file_mb * _MB
    with path.open("rb") as stream:
        # Some files say of themselves that they are empty and go on (/proc).
        content = stream.read(most + 1)
    if len(content) > most:
        raise refused(str(path), f"more than {most // _MB:,} MB", "file_mb")
    return content


def text_of(path: Path, encoding: str = "utf-8", *, newline: str | None = None) -> str:
    """All of a text, its line ends made ``\\n`` unless `newline` says otherwise, as to `open`. Raises as `bytes_of` does, and
    `UnicodeDecodeError`."""
    return io.TextIOWrapper(io.BytesIO(bytes_of(path)), encoding=encoding, newline=newline).read()


def unpacked_bytes_of(path: Path) -> bytes:
    """All of a file that is packed where its name ends in .xz or .gz. Raises as `bytes_of` does, and what the packing raises."""
    expect_file(path)
    most = limits().file_mb * _MB
    with _opened(path) as stream:
        content = stream.read(most + 1)
    if len(content) > most:
        raise refused(str(path), f"more than {most // _MB:,} MB, unpacked", "file_mb")
    return content


@contextmanager
def open_packed(path: Path) -> Iterator[IO[bytes]]:
    """The bytes of a file to go through, unpacked where its name ends in .xz or .gz. Whoever reads them holds them to the limits:
    `raw_lines` does."""
    expect_file(path)
    with _opened(path) as stream:
        yield stream


def _opened(path: Path) -> IO[bytes]:
    if path.suffix == ".xz":
        return lzma.open(path)
    if path.suffix == ".gz":
        return gzip.open(path)  # type: ignore[return-value]  # a GzipFile reads bytes like any binary file
    return path.open("rb")


def raw_lines(path: Path, stream: IO[bytes]) -> Iterator[bytes]:
    """The lines of a stream of `open_packed`, held to the limits of what is read line by line."""
    most, longest = limits().corpus_mb * _MB, limits().line_mb * _MB
    total = number = 0
    left = float(limits().seconds)
    while True:
        begun = time.monotonic()
        if not (line := stream.readline(longest + 1)):
            return
        left -= time.monotonic() - begun
        number += 1
        total += len(line)
        if left < 0:
            raise _too_long(f"{path}, line {number:,}")
        if len(line) > longest:
            raise refused(f"{path}, line {number:,}", f"a line of more than {longest // _MB:,} MB", "line_mb")
        if total > most:
            raise refused(f"{path}, line {number:,}", f"more than {most // _MB:,} MB", "corpus_mb")
        yield line


class Held:
    """A stream of `open_packed` to be read as a whole by somebody else, such as a reader of XML, held to `Limits.file_mb`."""

    def __init__(self, path: Path, stream: IO[bytes]) -> None:
        self._path = path
        self._stream = stream
        self._left = limits().file_mb * _MB
        self._seconds = float(limits().seconds)

    def read(self, n: int = -1) -> bytes:
        """The next bytes. Raises `FileLimitError` where there are more than are read."""
        begun = time.monotonic()
        got = self._stream.read(n if 0 <= n <= self._left else self._left + 1)
        self._seconds -= time.monotonic() - begun
        if self._seconds < 0:
            raise _too_long(str(self._path))
        self._left -= len(got)
        if self._left < 0:
            raise refused(str(self._path), f"more than {limits().file_mb:,} MB, unpacked", "file_mb")
        return got


def expect_room(path: Path, archive: ZipFile) -> None:
    """Raise `FileLimitError` where the files of an archive, such as a workbook, unpack to more than is read."""
    unpacked = sum(part.file_size for part in archive.infolist())
    if unpacked > limits().file_mb * _MB:
        raise refused(str(path), f"unpacks to {unpacked / _MB:,.0f} MB", "file_mb")


def expect_row(place: str, number: int, cells: Sequence[str]) -> None:
    """Raise `FileLimitError` for a row beyond the last one that is read, with more columns than are, with a number of more digits, or
    when its time is over."""
    held = limits()
    if number > held.rows:
        raise refused(place, f"more than {held.rows:,} rows", "rows")
    if len(cells) > held.columns:
        raise refused(place, f"a row of {len(cells):,} columns", "columns")
    for cell in cells:
        if len(cell) > held.digits:
            expect_digits(place, cell, of_lines=False)
    if (until := _UNTIL.get(None)) is not None and time.monotonic() > until:
        raise _too_long(place)


def expect_digits(place: str, text: str, *, of_lines: bool = True) -> None:
    """Raise `FileLimitError` for a text, of lines that are numbered from 1, with a number of more digits than are read."""
    if (found := re.search(rf"\d(?<!\d\d)\d{{{limits().digits},}}", text)) is not None:
        at = f"{place}, line {text.count(chr(10), 0, found.start()) + 1:,}" if of_lines else place
        raise refused(at, f"a number of {len(found[0]):,} digits", "digits")


def has_long_number(text: str) -> bool:
    """Whether a text has a word that begins with a digit, as numbers of any base do, and has more signs than a number may have digits."""
    # The digit stands first, for which the text is looked through at the speed of the disk, and not what may not stand before it.
    return re.search(rf"\d(?<!\w\d)\w{{{limits().digits},}}", text) is not None


def header_of(path: Path) -> bytes:
    """The header of a safetensors file, without a weight being read. Raises `FormatError` for what is none, or not whole, and for a
    header that is larger than its format allows; `OSError` as reading does."""
    size = expect_file(path)
    with path.open("rb") as stream:
        length = int.from_bytes(stream.read(8), "little")
        if not 0 < length <= size - 8:
            raise FormatError(
                f"{path}: is no safetensors file, or not all of one: it has {size:,} bytes, and {length:,} should be its header",
                hint="Fetch or copy it again.",
            )
        if length > (most := min(_LONGEST_HEADER, limits().file_mb * _MB)):
            raise refused(str(path), f"a header of {length:,} bytes, where there can be {most:,}", "file_mb")
        return stream.read(length)


_NESTING = (list, dict)


def is_too_deep(value: object) -> bool:
    """Whether lists and objects stand deeper in one another than is read."""
    # Tuples of types, not unions, which take twice as long: a tokenizer has tens of thousands of lists.
    level = [value] if isinstance(value, _NESTING) else []
    for _ in range(limits().depth):
        if not level:
            return False
        level = [own for one in level for own in (one.values() if isinstance(one, dict) else one) if isinstance(own, _NESTING)]
    return bool(level)
