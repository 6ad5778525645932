"""From a number to its items, and from an item to all that was done with it: pages beside the report, in ``items/``.

A list for every contrast, criterion and condition has the value of each item; a record for every item has its sentences, the
run and call it came from, findings, edits, and who decided what after having seen what; a page for every run has its prompt
and the raw replies.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from gapsmith.bank import Bank, ItemFilter, StoredItem, naming, request_in_words
from gapsmith.scoring.analysis import Analysis, RunComparison, about, label
from gapsmith.scoring.observations import ItemKey
from gapsmith.scoring.report.comparison_items import compared_pages, csv_of, write_as_csv
from gapsmith.scoring.report.items import BY_TOTAL_ONLY, measured_in
from gapsmith.scoring.report.leftovers import remember, remove_earlier
from gapsmith.scoring.report.links import FOLDER, PER_PAGE, Trail, record_page
from gapsmith.scoring.report.numbers import NO_VALUE, bits, unit_of
from gapsmith.scoring.report.rendering import minus_markup, prose_markup
from gapsmith.scoring.report.tables import Table
from gapsmith.templates import DEFAULT_MEASURE

_LEFT_OUT = "what others said is left out"
_TRUTH = {True: "holds", False: "does not hold"}


@dataclass(frozen=True, slots=True)
class _Seen:
    """What somebody looked at before deciding."""

    place: int
    author: str
    what: str
    at: str


@cache
def _environment() -> Environment:
    # Reading the templates takes longer than filling in most pages.
    environment = Environment(
        loader=PackageLoader("gapsmith.scoring.report", "templates"), autoescape=True, undefined=StrictUndefined
    )
    environment.filters |= {"minus": minus_markup, "prose": prose_markup}
    return environment


def write_trail(
    bank: Bank, analyses: Sequence[Analysis], trail: Trail, folder: Path, comparisons: Sequence[RunComparison] = ()
) -> tuple[Path, ...]:
    """Write the pages into `folder`, in place of those of an earlier report, and of each comparison a table; the files.

    Raises OSError."""
    pages_folder = folder / FOLDER
    pages_folder.mkdir(parents=True, exist_ok=True)
    remove_earlier(pages_folder)
    environment = _environment()
    css = (resources.files("gapsmith.scoring.report") / "templates" / "style.css").read_text(encoding="utf-8")
    written = []
    compared = [page for found in comparisons for page in compared_pages(found, trail)]
    for name, template, values in chain(_pages(bank, analyses, trail), compared):
        file = pages_folder / name
        # Page by page and piece by piece: a list of all items is as large as all the rest.
        with file.open("w", encoding="utf-8") as out:
            out.writelines(environment.get_template(f"{template}.html.j2").generate(css=css, **values))
        written.append(file)
    for found in comparisons:
        file = pages_folder / csv_of(found.paradigm.name)
        file.write_text(write_as_csv(found), encoding="utf-8", newline="")
        written.append(file)
    remember(pages_folder, written)
    return tuple(written)


def _pages(bank: Bank, analyses: Sequence[Analysis], trail: Trail) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Name, template and contents of each page."""
    order = bank.review.order()
    hidden = frozenset(bank.gate.hidden())
    runs: dict[int, None] = {}
    for analysis in analyses:
        paradigm, part = analysis.paradigm.name, analysis.part
        yield from _lists(analysis, trail)
        ids = trail.ids[part]
        rows: list[tuple[str, str, str, str]] = []
        links: list[str] = []
        for first in range(0, len(ids), PER_PAGE):
            records = []
            for item in bank.items.iterate(ItemFilter(ids=tuple(ids[first : first + PER_PAGE]))):
                left_out = item.id in hidden
                records.append(_record(bank, analysis, item, order, left_out=left_out))
                runs[item.run_id] = None
                key = ItemKey(item.dataset, item.label)
                links.append(trail.item(paradigm, key))
                text = item.sentences[0].text if item.sentences else NO_VALUE
                known = analysis.texts.get(key)
                status = _LEFT_OUT if left_out else item.status.value
                # The text that the analysis has, where it is the same, is not kept twice.
                rows.append((analysis.shown(key), status, item.reason or NO_VALUE, known if known == text else text))
            title = f"{analysis.title}: items {first + 1} to {first + len(records)}"
            page = record_page(part, first)
            index = Trail.index(part)
            yield page, "items", {"title": title, "records": records, "scorer": _scorer(analysis), "index": index}
        columns = ("item", "status", "reason", "its first sentence")
        table = Table("Every item", columns, tuple(rows), links=tuple(links))
        title = f"{analysis.title}: all items"
        yield Trail.index(part), "list", {"title": title, "said": "", "tables": [table]}
    for run_id in runs:
        yield f"run-{run_id}.html", "run", _run(bank, run_id)


def _lists(analysis: Analysis, trail: Trail) -> Iterator[tuple[str, str, dict[str, Any]]]:
    part = analysis.part
    for result in analysis.contrasts:
        name = label(result.contrast)
        values = {key: bits(value) for key, value in result.values.items()} | dict(result.reasons)
        ranked = [*sorted(result.values, key=lambda key: result.values[key]), *result.reasons]
        said = f"{name}: {about(result.contrast)}. From the lowest value to the highest, then items without one."
        page = Trail.list_of(part, "contrast", result.contrast.name)
        unit = unit_of([result.contrast.measure])
        yield page, "list", _list(analysis, trail, name, said, {key: values[key] for key in ranked}, unit)
    unit = unit_of([analysis.options.measure or DEFAULT_MEASURE])
    for own in analysis.conditions:
        found = {key: bits(value, sign=False) for key, value in own.values.items()}
        said = f"At the critical region ({own.region}), in the order of the items."
        page = Trail.list_of(part, "condition", own.name)
        yield page, "list", _list(analysis, trail, own.label, said, found, unit)
    for criterion in analysis.criteria:
        name = label(criterion.criterion)
        truths = {key: _TRUTH[bool(value)] for key, value in criterion.holds.items()}
        besides = {what: _cells(own, sign=False) for what, own in measured_in(analysis, criterion).items()}
        if criterion.difference:
            besides["left side minus right side"] = _cells(criterion.difference)
        page = Trail.list_of(part, "criterion", criterion.criterion.name)
        yield page, "list", _list(analysis, trail, name, str(criterion.criterion.formula), truths, name, besides)


def _cells(values: Mapping[ItemKey, float], *, sign: bool = True) -> dict[ItemKey, str]:
    return {key: bits(value, sign=sign) for key, value in values.items()}


def _list(
    analysis: Analysis,
    trail: Trail,
    name: str,
    said: str,
    values: Mapping[ItemKey, str],
    column: str,
    besides: Mapping[str, Mapping[ItemKey, str]] = MappingProxyType({}),
) -> dict[str, Any]:
    """A row for each item with a value; `besides` has more columns, to the right of it."""
    if analysis.by_total_only:
        said, values = BY_TOTAL_ONLY, {}
    rows = tuple(
        (analysis.shown(key), value, *(own.get(key, NO_VALUE) for own in besides.values()), analysis.texts.get(key, NO_VALUE))
        for key, value in values.items()
    )
    links = tuple(trail.item(analysis.paradigm.name, key) for key in values)
    columns = ("item", column, *besides, "its first sentence")
    table = Table(f"{name}, item by item", columns, rows, frozenset(range(1, len(columns) - 1)), links=links)
    return {"title": f"{analysis.title}: {name}", "said": said, "tables": [table]}


def _record(bank: Bank, analysis: Analysis, item: StoredItem, order: Mapping[int, int], *, left_out: bool) -> dict[str, Any]:
    """Everything that the bank knows of an item; `left_out`: but for what others said of it, and whether it is analysed."""
    key = ItemKey(item.dataset, item.label)
    paradigm = analysis.paradigm
    at_critical = {own.name: own.values[key] for own in analysis.conditions if key in own.values}
    sentences = []
    for sentence in item.sentences:
        condition = paradigm.condition_by_name.get(sentence.condition)
        sentences.append(
            (
                condition.label if condition else sentence.condition,
                condition.expected if condition else "",
                sentence.text,
                bits(at_critical.get(sentence.condition), sign=False),
            )
        )
    values = [(label(r.contrast), bits(r.values[key])) for r in analysis.contrasts if key in r.values]
    for r in analysis.criteria:
        if key in r.holds:
            difference = f" (left side minus right side: {bits(r.difference[key])})" if r.difference else ""
            values.append((label(r.criterion), _TRUTH[bool(r.holds[key])] + difference))
            values += [(what, bits(own[key], sign=False)) for what, own in measured_in(analysis, r).items()]
    words = {**(item.slots or {}), **item.attributes}
    return {
        "id": item.id,
        "name": analysis.shown(key),
        "dataset": item.dataset,
        "names": naming(item),
        "status": _LEFT_OUT if left_out else item.status.value + (f", {item.reason}" if item.reason else ""),
        "analysed": key in analysis.texts,
        "left_out": left_out,
        "sentences": sentences,
        "values": values,
        "words": ", ".join(f"{name} = {value}" for name, value in words.items()),
        "run": item.run_id,
        "call": item.call_id,
        "created": item.created_at,
        "findings": [(f.code, f.severity.value, f.message) for f in bank.findings.for_item(item.id)],
        "looked_at": bank.findings.looked_at(item.id),
        "edits": _edits(bank, item) if item.revision_number > 1 else [],
        "decisions": _decisions(bank, item, order),
        "comments": [(own.author, own.at, own.text) for own in bank.review.comments(item.id)],
    }


def _edits(bank: Bank, item: StoredItem) -> list[dict[str, Any]]:
    """Each edit with the sentences that it changed: before and after."""
    revisions = {own.id: own for own in bank.items.history(item.id)}
    found = []
    for edit in bank.review.edits(item.id):
        before = {s.condition: s.text for s in revisions[edit.before].sentences}
        after = {s.condition: s.text for s in revisions[edit.after].sentences}
        changes = [
            (before.get(condition, NO_VALUE), after.get(condition, NO_VALUE))
            for condition in dict.fromkeys([*before, *after])
            if before.get(condition) != after.get(condition)
        ]
        found.append({"author": edit.author, "at": edit.at, "note": edit.note, "undone": edit.undone, "changes": changes})
    return found


def _decisions(bank: Bank, item: StoredItem, order: Mapping[int, int]) -> list[dict[str, Any]]:
    """Every decision with what its author had looked at before, and whether it counts now."""
    history = bank.decisions.history(item.id)
    if not history:
        return []
    counting = {decision.event_id for decision in bank.decisions.for_item(item.id)}
    seen = [_Seen(order[p.event_id], p.author, p.what, p.at) for p in bank.review.peeks(item.id)]
    return [
        {
            "verdict": d.verdict.value,
            "author": d.author,
            "kind": d.kind,
            "reason": d.reason,
            "comment": d.comment,
            "at": d.at,
            "counts": d.event_id in counting and d.revision_id == item.revision_id,
            "on_earlier_text": d.revision_id != item.revision_id,
            "before_time": d.before_time,
            "seen": list(dict.fromkeys(own.what for own in seen if own.author == d.author and own.place < order[d.event_id])),
        }
        for d in history
    ]


def _scorer(analysis: Analysis) -> list[tuple[str, str]]:
    scorer = analysis.scorer
    rows = [("model", scorer.model), ("revision", scorer.revision)]
    rows += [(name, str(value)) for name, value in scorer.identity.items()]
    for how, number in analysis.provenance:
        said = ", ".join(f"{name} {value}" for name, value in how.items())
        rows.append((f"computed ({number:,} texts)", said))
    rows += [(f"request ({number:,} texts)", request_in_words(request)) for request, number in analysis.requests]
    return rows


def _run(bank: Bank, run_id: int) -> dict[str, Any]:
    run = bank.runs.get(run_id)
    prompt = f"{run.prompt_name} {run.prompt_hash}" if run.prompt_name else NO_VALUE
    rows = [
        ("kind", run.kind),
        ("provider", run.provider),
        ("model", run.model or NO_VALUE),
        ("prompt", prompt),
        ("parameters", json.dumps(dict(run.settings), ensure_ascii=False)),
        ("request", request_in_words(run.request)),
        ("identity", run.identity),
        ("started", run.started_at),
        ("finished", run.finished_at or "not finished"),
    ]
    calls = [
        {
            "id": call.id,
            "number": call.number,
            "request": json.dumps(dict(bank.gate.shown_request(run, call.request)), ensure_ascii=False),
            "reply": call.reply,
            "outcome": call.outcome or "no answer",
            "at": call.replied_at or call.intended_at,
            "details": json.dumps(dict(call.details), ensure_ascii=False) if call.details else "",
        }
        for call in bank.runs.each_call(run_id)
    ]
    return {"title": f"Run {run_id}", "rows": rows, "prompt": run.prompt_text or "", "calls": calls}
