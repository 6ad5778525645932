"""The names that programs of others go by: keys of results of ``--json``, of manifests and of logs, columns of exports and of tables beside
pages, and the bank's schema, each with the version in which they were last changed (``interface.json`` beside this).
``tests/gapsmith/test_printed.py`` and the walk over stages beside it hold against it what commands print and export.

Where a name changes, the version has to move (`templates/version.py`). Then::

    INTERFACE_SEEN=/tmp/seen python -m pytest tests/gapsmith/test_printed.py tests/gapsmith/test_results_name_their_request.py
    python -m tests.interface /tmp/seen

writes the names that were met. Names under the version that stands there already are not written again."""

from __future__ import annotations

import csv
import json
import os
import sys
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any, TypedDict

from gapsmith.templates import VERSION
from tests.printed import results

BY_DATA: Sequence[str] = (
    # What models, providers and samplers say of themselves; `details` is of one kind of test.
    *(f"--json *: *{name}" for name in ("identity", "provenance", "parameters*", "sampler*", "details*", "documents")),
    # Conditions, columns, data sets, people, codes, slots, numbers of tokens.
    *(
        f"--json *: *{name}"
        for name in ("where", "by_status", "versions", "by_dataset", "told", "titles", "designs*", "factors*")
    ),
    *(f"--json *: *{name}" for name in ("tokens", "looked_at.roles", "looked_at.rules", "could_not_look", "not_asked", "closed")),
    *(f"--json {name}" for name in ("show: slots", "judge new: sheets", "assign: loads", "packet take: decided")),
    *(f"--json {name}" for name in ("bank merge: added", "bank merge: renamed", "dataset load: decided")),
    *(f"--json {name}" for name in ("count-constructions: counts", "plan *: plan.contrasts", "plan *: plan.criteria")),
    *(f"--json {name}" for name in ("dataset recognise: datasets", "dataset recognise: refused")),
    # Of a log, what was said of an item in other forms, or by models and people.
    *(
        f"log: *: *{name}"
        for name in ("payload", "slots", "raw", "attributes", "meta", "request", "usage", "parameters", "details")
    ),
    # Packages, fields of a request, paths, uids.
    *(f"manifest: {name}" for name in ("program", "request", "files", "parts.items", "parts.scorers.observations")),
)
"""Objects whose keys are no names but what the data say, such as conditions; shell patterns over ``WHAT: PATH``."""
FILE = Path(__file__).with_name("interface.json")


class Names(TypedDict):
    """What a command or an export calls its parts."""

    version: str
    always: list[str]
    sometimes: list[str]


@cache
def known() -> dict[str, Names]:
    """What is promised, by ``--json STAGE`` or ``export KIND``."""
    found: dict[str, Names] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def expect_names(what: str, each: Iterable[Sequence[str]]) -> None:
    """Fail where names, an entry for each result, are not those that are promised, and the version is still the one of the promise."""
    if seen := os.environ.get("INTERFACE_SEEN"):
        with Path(seen).open("a", encoding="utf-8") as stream:
            stream.writelines(json.dumps([what, list(names)]) + "\n" for names in each)
        return
    for names in each:
        assert not (fault := fault_of(what, names)), fault


def expect_table(what: str, text: str) -> None:
    """Fail where the head of a table, as CSV, has not the columns that are promised."""
    expect_names(what, [next(csv.reader([text.splitlines()[0]]))])


def expect_document(what: str, said: object) -> None:
    """Fail where an object of a file of ours, or one within it, has not the keys that are promised."""
    met: dict[str, list[Sequence[str]]] = {}
    _meet(said, what, "", met)
    for place, names in met.items():
        expect_names(place, names)


def expect_results(printed: str) -> list[Any]:
    """The results of a command with ``--json``, of whose objects, those within others too, every name is one that is promised."""
    found = results(printed)
    stage = json.loads(printed)["request"]["stage"]
    expect_document(f"--json {stage}", found)
    return found


def _meet(value: object, what: str, path: str, met: dict[str, list[Sequence[str]]]) -> None:
    if isinstance(value, list):
        for own in value:
            _meet(own, what, path, met)
    elif isinstance(value, dict):
        is_by_data = any(fnmatchcase(f"{what}: {path}", pattern) for pattern in BY_DATA)
        if not is_by_data:
            met.setdefault(f"{what}: {path}" if path else what, []).append(list(value))
        for name, own in value.items():
            _meet(own, what, ".".join(filter(None, [path, "*" if is_by_data else name])), met)


def fault_of(what: str, names: Sequence[str]) -> str | None:
    """What is wrong with the names; None where nothing is."""
    own = known().get(what, Names(version="", always=[], sometimes=[]))
    new = [name for name in names if name not in {*own["always"], *own["sometimes"]}]
    gone = [name for name in own["always"] if name not in names]
    if not new and not gone:
        return None
    changed = "; ".join([f"new: {', '.join(new)}"] * bool(new) + [f"gone: {', '.join(gone)}"] * bool(gone))
    move = f"move the version ({VERSION}, templates/version.py) and " if own["version"] == VERSION else ""
    return f"{what}: its names are an interface, and they changed ({changed}): {move}write them anew as tests/interface.py says"


def written(seen: Iterable[tuple[str, Sequence[str]]], before: dict[str, Names], version: str) -> dict[str, Names]:
    """The promises with what was met, under this version. Raises `ValueError` where it changes names that stand under it already."""
    after = dict(before)
    for what, names in seen:
        own = before.get(what)
        if own is not None and set(own["always"]) <= set(names) <= {*own["always"], *own["sometimes"]}:
            continue
        if own is not None and own["version"] == version:
            raise ValueError(f"{what}: other names stand under {version} already: move the version in templates/version.py")
        known_now = after.get(what) if after.get(what) is not own else None
        always = [name for name in names if known_now is None or name in known_now["always"]]
        every = dict.fromkeys([*(known_now["always"] + known_now["sometimes"] if known_now else ()), *names])
        after[what] = Names(version=version, always=always, sometimes=[name for name in every if name not in always])
    return dict(sorted(after.items()))


if __name__ == "__main__":
    lines = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
    names = written((json.loads(line) for line in lines), known() if FILE.exists() else {}, VERSION)
    rows = (f" {json.dumps(what)}: {json.dumps(own, ensure_ascii=False)}" for what, own in names.items())
    FILE.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
