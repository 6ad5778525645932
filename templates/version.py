"""The version of gapsmith: it stands here and nowhere else; the package's metadata is made from it."""

VERSION = "0.2.2"


def newer_needed(program: object = None) -> str:
    """What to do with a file whose form this version does not know. `program`: the version that wrote it, where the file says so."""
    needed = f"gapsmith {program}" if isinstance(program, str) and program else "the gapsmith that wrote it,"
    return f"This is gapsmith {VERSION}: install {needed} or a later one."
