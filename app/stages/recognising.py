"""Bringing in a published benchmark that is known by the files of its folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from gapsmith.app.known_sets import InFolder, KnownFile, in_folder
from gapsmith.app.requests.base import said_or_none
from gapsmith.app.requests.keeping import RecogniseDatasets
from gapsmith.app.services import QUIET, Services
from gapsmith.app.stages.reading import asking
from gapsmith.app.workspace import Workspace
from gapsmith.bank import Brought, ImportOrder, ImportPlace, ImportServices, bring_in
from gapsmith.bank.formats import Member, OrderUnknownError, ReadOptions
from gapsmith.templates import GapsmithError, count

_SHOWN = 6


@dataclass(frozen=True, slots=True)
class Recognised:
    """What became of a folder."""

    benchmark: str
    folder: Path
    brought: tuple[Brought, ...]
    """A data set for every file that came in, or was there."""
    missing: tuple[str, ...]
    """Files of the benchmark that the folder does not have."""
    changed: tuple[str, ...]
    """Files that are not as they were published, and were left out unless they were asked for."""
    refused: dict[str, str]
    """Files that could not be read, or hold another number of items, with the reason."""

    def as_data(self) -> dict[str, object]:
        """As JSON takes it."""
        return {
            "benchmark": self.benchmark,
            "folder": str(self.folder),
            "datasets": {one.dataset: {"paradigm": one.paradigm.name, "items": len(one.choice.items)} for one in self.brought},
            "missing": list(self.missing),
            "changed": list(self.changed),
            "refused": self.refused,
        }


def recognise(workspace: Workspace, request: RecogniseDatasets, services: Services = QUIET) -> Recognised:
    """What came in. Raises `GapsmithError` where the folder is no benchmark that is known, or where nothing says which member of
    its pairs is the good one."""
    if request.dry_run:
        return dry_run(request, services)
    found = in_folder(request.folder, said_or_none(request.benchmark))
    _say_found(found, request, services)
    brought: list[Brought] = []
    refused = _refused(found)
    first = cast("Member | None", said_or_none(request.first))
    wanted = [file for file in found.known.files if file.name in found.found and file.name not in refused]
    wanted = [file for file in wanted if request.changed or file.name not in found.changed]
    with services.progress(f"bringing in {found.known.title}", len(wanted)) as advance:
        for done, file in enumerate(wanted, 1):
            try:
                came = _brought(workspace, found, file, first, services)
            except OrderUnknownError:
                raise
            except GapsmithError as error:
                refused[file.name] = error.message
            else:
                brought.append(came)
            advance(done)
    _say_refused(found, refused, services)
    if not brought:
        services.warn("nothing was brought in")
    else:
        items = sum(len(one.choice.items) for one in brought)
        services.note(f"{found.known.title}: {count(len(brought), 'data set')} with {count(items, 'item')}")
    return Recognised(found.known.name, request.folder, tuple(brought), found.missing, found.changed, dict(refused))


def dry_run(request: RecogniseDatasets, services: Services = QUIET) -> Recognised:
    """What the folder has of a benchmark; nothing is brought in. Raises `ConfigError` where it is none that is known."""
    found = in_folder(request.folder, said_or_none(request.benchmark))
    _say_found(found, request, services)
    refused = _refused(found)
    _say_refused(found, refused, services)
    return Recognised(found.known.name, request.folder, (), found.missing, found.changed, refused)


def _refused(found: InFolder) -> dict[str, str]:
    """Files that are not read, since they are none or the folder does not say which is meant, with the reason."""
    return {name: f"is {what}, as a download leaves it in the place of a file" for name, what in found.no_files.items()} | {
        name: f"is there several times, each with other bytes (in {', '.join(places)}); leave only the one that is meant"
        for name, places in found.several.items()
    }


def _say_refused(found: InFolder, refused: Mapping[str, str], services: Services) -> None:
    reasons: dict[str, list[str]] = {}
    for name, why in refused.items():
        reasons.setdefault(why.removeprefix(str(found.found[name])).lstrip(",: "), []).append(name)
    for why, names in reasons.items():
        services.warn(f"left out: {_listed(tuple(names))}: {why}")


def _brought(workspace: Workspace, found: InFolder, file: KnownFile, first: Member | None, services: Services) -> Brought:
    path = found.found[file.name]
    known = found.known
    dataset = f"blimp_{file.stem}" if known.name == "blimp" else file.stem
    # What is byte for byte as published is no file that something happened to: its odd sentences are its own.
    as_published = bool(file.digests) and file.name not in found.changed
    if first is None and as_published:
        first = known.first
    order = ImportOrder(
        path,
        dataset=dataset,
        format=known.format,
        options=ReadOptions(first=first if known.is_order_open else None, as_it_is=as_published),
        attributes=file.attributes,
        expected_items=file.items,
        own_paradigm=True,
    )
    return bring_in(ImportPlace.of(workspace.root, workspace.bank), order, replace(ImportServices(), ask=asking(services)))


def _say_found(found: InFolder, request: RecogniseDatasets, services: Services) -> None:
    known = found.known
    sure = sum(bool(file.digests) for file in known.files if file.name in found.found) - len(found.changed)
    of_those = f", {sure} of them byte for byte as published" if any(file.digests for file in known.files) else ""
    services.note(f"{request.folder}: {known.title} ({known.about}); {len(found.found)} of {len(known.files)} files{of_those}")
    if found.missing:
        services.warn(f"missing: {_listed(found.missing)}")
    if found.changed:
        left = "brought in all the same" if request.changed else "left out; --changed brings them in"
        services.warn(f"not as published: {_listed(found.changed)}; {left}")
    if found.others:
        services.note(f"not read: {_listed(found.others)}")


def _listed(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{', '.join(names[:_SHOWN])}{more}"
