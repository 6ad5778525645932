"""`gapsmith paradigm new`: a paradigm file, from what somebody says of it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import replace

from gapsmith.app.cli.console import note, say_where
from gapsmith.app.cli.door import Terminal
from gapsmith.app.cli.printable import said_already as show
from gapsmith.app.requests.bringing import NewParadigm
from gapsmith.app.stages.new_paradigms import ParadigmWritten, conditions_of, new_paradigm
from gapsmith.app.workspace import open_workspace


def run(request: NewParadigm, terminal: Terminal) -> None:
    """Ask for what is not said, where somebody sits at a terminal, and write the file."""
    if sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty():
        request = asked(request)
    with open_workspace(terminal.workspace, create=True) as workspace:
        say_where(workspace)
        done = new_paradigm(workspace, request, terminal.services)
    if terminal.as_json:
        terminal.print_json(request, as_data(done))
    else:
        show(done)


def as_data(done: ParadigmWritten) -> dict[str, object]:
    """The file and what its check says, as JSON takes it."""
    checks = [{"check": check.what, "ok": check.ok, "warns": check.warns, "detail": check.detail} for check in done.checks]
    return {"path": str(done.path), "text": done.text, "checks": checks}


def asked(request: NewParadigm) -> NewParadigm:
    """The request with the answers of whoever sits there."""
    factors = request.factor or tuple(_lines("Factors, one a line, as number: sg, pl (an empty line ends them)"))
    conditions = conditions_of(factors)
    note(f"Conditions: {', '.join(conditions)}")
    regions = request.region or tuple(
        _lines("Regions in reading order, as subject: the {head} or verb[number]: is | are (an empty line ends them)")
    )
    said = " ".join((*request.slot, ""))
    slots = list(request.slot)
    for name in dict.fromkeys(re.findall(r"\{([a-z][a-z0-9_]*?)(?:_(?:pl|s|past|part|ing))?\}", " ".join(regions))):
        if not re.search(rf"(?:^| ){name}(?: |:)", said):
            slots.append(f"{name}{_slot_answer(name)}")
    status = dict(request.status)
    for condition in conditions:
        if condition not in status:
            status[condition] = _line(f"What does a native speaker say of {condition}: ok, ? or *")
    critical = request.critical or (_line("In which region is it measured"),)
    contrasts = request.contrast or tuple(
        _lines("Contrasts, as agreement: sg_wrong - sg_right, positive (an empty line ends them)")
    )
    return replace(
        request, factor=factors, region=regions, slot=tuple(slots), status=status, critical=critical, contrast=contrasts
    )


def _slot_answer(name: str) -> str:
    kind = _line(f"{{{name}}}: noun, verb or determiner, where other forms of it are used; else nothing")
    words = _line(f"{{{name}}}: its words, with commas between them")
    return f"{f' {kind}' if kind else ''}: {words}"


def _line(question: str) -> str:
    note(f"{question}:")
    return sys.stdin.readline().strip()


def _lines(question: str) -> Iterator[str]:
    note(f"{question}:")
    while line := sys.stdin.readline().strip():
        yield line
