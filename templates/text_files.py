"""Plain text as it lies on disk, also packed with xz or gzip, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gapsmith.templates.boundary import UNREADABLE, open_packed, raw_lines
from gapsmith.templates.errors import FormatError


def packed_lines(path: Path) -> Iterator[str]:
    """The lines of a UTF-8 file without their ends. Raises `FormatError` naming file and line."""
    number = 0
    try:
        with open_packed(path) as stream:
            for number, raw in enumerate(raw_lines(path, stream), 1):
                text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
                yield text.rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise FormatError(
            f"{path}, line {number}: not UTF-8 ({error.reason} at byte {error.start})",
            hint="Convert the file, for instance with `iconv -f latin1 -t utf-8`.",
        ) from None
    except UNREADABLE as error:
        raise FormatError(f"{path}, after line {number}: cannot be read ({error})") from None
