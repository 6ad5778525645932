"""Files that hold no text and no workbook: documents, pictures, packed files, data of statistics programs. The only place that knows them. None
is read; each is refused with what to save it as, and the command that takes what was saved."""

from __future__ import annotations

import io
import shlex
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path, PurePosixPath

from gapsmith.bank.formats.folder import HOLDING

_START = 4096
_NAMED = 3
"""At most so many commands are given for the files that are packed in one."""


@dataclass(frozen=True, slots=True)
class NoText:
    """What a file is that holds no text, and what to do with it."""

    what: str
    step: str
    commands: tuple[str, ...] = ()
    """What makes another file of it; ``{path}`` and ``{made}`` stand for both, quoted for a shell."""
    made: tuple[str, ...] = (".csv",)
    """The suffixes of the files to import then."""
    names: tuple[str, ...] = ()
    """The files to import then, where they have names of their own."""

    def hint(self, path: Path, command: str) -> str:
        """The step, and below it the commands in their order."""
        made = [shlex.quote(str(name)) for name in (self.names or [path.with_suffix(suffix) for suffix in self.made])]
        lines = [own.replace("{path}", shlex.quote(str(path))).replace("{made}", "".join(made[:1])) for own in self.commands]
        return "\n".join([self.step, *(f"  {line}" for line in [*lines, *(f"{command} {name}" for name in made)])])


def _in_r(read: str) -> str:
    return f"""Rscript -e 'a <- commandArgs(TRUE); write.csv({read}, a[2], row.names = FALSE)' {{path}} {{made}}"""


_DOCUMENT = NoText(
    "a document of a word processor",
    "Save it there as plain text in UTF-8 where its lines are sentences, or copy its table into a spreadsheet and save that as CSV UTF-8. What "
    "stands beside the table and says something of single items, such as a key that says which sentence is the good one, belongs into a column "
    "of that table; leave its cell empty where the key says nothing. Then, for the text or the table:",
    made=(".txt", ".csv"),
)
_SLIDES = NoText(
    "a document of slides", "Copy its sentences into a text or a table, and save that in UTF-8. Then:", made=(".txt", ".csv")
)
_PDF = NoText(
    "a PDF document",
    "Write its text into a file (in a reader of PDF: select all, copy; or as below), look whether every line is as it should be, and import it:",
    ("pdftotext -layout {path} {made}",),
    (".txt",),
)
_PICTURE = NoText(
    "a picture",
    "Type its sentences into a table with the columns item, condition and sentence, save that as CSV UTF-8, and import it:",
)
_SOUND = NoText(
    "a recording",
    "Write its sentences into a table with the columns item, condition and sentence, save that as CSV UTF-8, and import it:",
)
_SHEET = NoText("a workbook of another kind", "Open it in a spreadsheet program and save it as .xlsx. Then:", made=(".xlsx",))
_OLD_SHEET = replace(_SHEET, what="a workbook of the old kind (.xls)")
_SPSS = NoText(
    "a file of SPSS", "Save it there as CSV UTF-8, or in R as below, and import that:", (_in_r("haven::read_sav(a[1])"),)
)
_STATA = NoText(
    "a file of Stata",
    "Write it there with `export delimited`, or in R as below, and import that:",
    (_in_r("haven::read_dta(a[1])"),),
)
_SAS = NoText(
    "a file of SAS", "Write it there with PROC EXPORT, or in R as below, and import that:", (_in_r("haven::read_sas(a[1])"),)
)
_RDS = NoText("an object that R has saved", "Write it as CSV in R, and import that:", (_in_r("readRDS(a[1])"),))
_RDATA = NoText(
    "a workspace of R",
    "Write its table as CSV in R (below: the first object of the file; get(load(a[1])[2]) is the second), and import that:",
    (_in_r("get(load(a[1])[1])"),),
)
_PARQUET = NoText(
    "a Parquet file",
    "Write it as CSV, and import that:",
    ("""python3 -c 'import sys, pandas; pandas.read_parquet(sys.argv[1]).to_csv(sys.argv[2], index=False)' {path} {made}""",),
)
_FEATHER = NoText(
    "a Feather file",
    "Write it as CSV, and import that:",
    ("""python3 -c 'import sys, pandas; pandas.read_feather(sys.argv[1]).to_csv(sys.argv[2], index=False)' {path} {made}""",),
)
_PICKLE = NoText("an object that Python has saved", "Write its sentences as CSV with the program that made it, and import that:")
_MATLAB = NoText("a file of MATLAB", "Write its table there with writetable, and import that:")
_SQLITE = NoText(
    "a database of SQLite",
    "Write the table with the sentences as CSV (put its name in the place of TABLE), and import that:",
    ("sqlite3 -header -csv {path} 'SELECT * FROM TABLE' > {made}",),
)
_PACKED = NoText("a packed file", "Unpack it, and import what was in it:", ("gunzip --keep {path}",), ("",))

_SIGNED: tuple[tuple[bytes, NoText], ...] = (
    (b"%PDF", _PDF),
    (b"{\\rtf", _DOCUMENT),
    (b"SQLite format 3", _SQLITE),
    (b"$FL2", _SPSS),
    (b"$FL3", _SPSS),
    (b"<stata_dta>", _STATA),
    (b"PAR1", _PARQUET),
    (b"ARROW1", _FEATHER),
    (b"FEA1", _FEATHER),
    (b"RDX", _RDATA),
    (b"MATLAB 5.0", _MATLAB),
    (
        b"\x89HDF",
        replace(_MATLAB, what="a file in HDF", step="Write its table as CSV with the program that made it, and import that:"),
    ),
    (b"\x89PNG", _PICTURE),
    (b"\xff\xd8\xff", _PICTURE),
    (b"GIF8", _PICTURE),
    (b"II*\0", _PICTURE),
    (b"MM\0*", _PICTURE),
    (b"ID3", _SOUND),
    (b"OggS", _SOUND),
    (b"fLaC", _SOUND),
    (b"\x1f\x8b", _PACKED),
    (b"BZh", replace(_PACKED, commands=("bunzip2 --keep {path}",))),
    (b"\xfd7zXZ", replace(_PACKED, commands=("unxz --keep {path}",))),
    (b"7z\xbc\xaf", replace(_PACKED, commands=("7z x {path}",))),
    (b"Rar!", replace(_PACKED, commands=("unrar x {path}",))),
)
"""What such files begin with."""
_CALLED = {
    ".doc": _DOCUMENT,
    ".pages": _DOCUMENT,
    ".docx": _DOCUMENT,
    ".odt": _DOCUMENT,
    ".ppt": _SLIDES,
    ".pptx": _SLIDES,
    ".odp": _SLIDES,
    ".key": _SLIDES,
    ".ods": replace(_SHEET, commands=("soffice --headless --convert-to xlsx {path}",)),
    ".numbers": _SHEET,
    ".xlsb": _SHEET,
    ".xls": _OLD_SHEET,
    ".sav": _SPSS,
    ".por": _SPSS,
    ".dta": _STATA,
    ".sas7bdat": _SAS,
    ".rds": _RDS,
    ".rda": _RDATA,
    ".rdata": _RDATA,
    ".mat": _MATLAB,
    ".pkl": _PICKLE,
    ".pickle": _PICKLE,
    ".npy": _PICKLE,
    ".npz": _PICKLE,
    ".wav": _SOUND,
    ".mp3": _SOUND,
    ".mp4": _SOUND,
    ".m4a": _SOUND,
    ".bmp": _PICTURE,
    ".webp": _PICTURE,
    ".heic": _PICTURE,
}
"""What their names end with, where their bytes are no text."""
_OLD_OFFICE = b"\xd0\xcf\x11\xe0"
_ZIP = b"PK\x03\x04"


def no_text(path: Path, raw: bytes) -> NoText | None:
    """What a file is that holds neither text nor a workbook; None for all others, and for bytes that only might be something."""
    called = _CALLED.get(path.suffix.casefold())
    if raw.startswith(_ZIP):
        return _in_zip(path, raw, called)
    if raw.startswith(_OLD_OFFICE):
        return called or _OLD_SHEET
    for begin, kind in _SIGNED:
        if raw.startswith(begin):
            return _unpacked(path, kind) if kind.what == _PACKED.what and called is None else called or kind
    return called if b"\0" in raw[:_START] else None


def _unpacked(path: Path, kind: NoText) -> NoText:
    """A packed file, whose name without the last suffix is that of what is in it."""
    if path.suffix.casefold() not in (".gz", ".bz2", ".xz"):
        if path.suffix.casefold() == ".tgz":
            return replace(kind, commands=("tar -xf {path}",))
        return kind
    if path.stem.casefold().endswith(".tar"):
        return replace(kind, commands=("tar -xf {path}",))
    return kind


def _in_zip(path: Path, raw: bytes, called: NoText | None) -> NoText | None:
    try:
        names = [own.filename for own in zipfile.ZipFile(io.BytesIO(raw)).infolist() if own.filename[-1:] not in ("", "/")]
    except (zipfile.BadZipFile, NotImplementedError, ValueError):
        return called  # a damaged workbook, where its name says nothing else
    parts = set(names)
    if "xl/workbook.xml" in parts or ("[Content_Types].xml" in parts and any(name.startswith("xl/") for name in names)):
        return _CALLED[".xlsb"] if "xl/workbook.bin" in parts else None
    if any(name.startswith("word/") for name in names):
        return _DOCUMENT
    if any(name.startswith("ppt/") for name in names):
        return _SLIDES
    if called is not None or path.suffix.casefold() in (".xlsx", ".xlsm"):
        return called
    own = [
        name
        for name in names
        if PurePosixPath(name).suffix.casefold() in HOLDING
        and not name.startswith("__MACOSX/")
        and not PurePosixPath(name).name.casefold().startswith((".", "readme", "license", "licence"))
    ]
    return _folder_in(path, own)


def _folder_in(path: Path, names: Sequence[str]) -> NoText:
    """A packed folder: its files, or the folder where a few texts may be one of each condition."""
    target = path.with_suffix("")
    folders = {PurePosixPath(name).parent for name in names}
    several = len(names) > 1 and len(folders) == 1 and len({PurePosixPath(name).suffix.casefold() for name in names}) == 1
    at = [target / next(iter(folders))] if several else [target / name for name in islice(names, _NAMED)]
    listed = ", ".join(islice(names, 6)) + (" …" if len(names) > 6 else "") if names else "none that may hold items"
    return NoText(
        "a packed folder",
        f"Unpack it, and import what is in it ({listed}):",
        (f"python3 -m zipfile -e {{path}} {shlex.quote(str(target))}",),
        (),
        tuple(map(str, at)),
    )
