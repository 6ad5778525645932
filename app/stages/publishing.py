"""One folder with all that others need: items, decisions, plan, numbers, report, how to cite it, digests. Nothing is uploaded."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gapsmith.app.card import readers, shares
from gapsmith.app.chosen import preferred_model
from gapsmith.app.exporting import into_folder
from gapsmith.app.manifests import MANIFEST, Used, write_manifest
from gapsmith.app.requests.base import Unset, said, said_or_none
from gapsmith.app.requests.measuring import ReportRequest
from gapsmith.app.requests.outgoing import Export, Publish
from gapsmith.app.services import QUIET, Services
from gapsmith.app.stages.exports import GOING_OUT, export, unfinished_in
from gapsmith.app.stages.planning import plan_data
from gapsmith.app.stages.reporting import report
from gapsmith.app.stages.selecting import selection_of
from gapsmith.app.workspace import Workspace
from gapsmith.bank import ExportSource, ItemFilter, ItemStatus, Scorer, find_items, naming, only_paradigm
from gapsmith.bank.formats import csv_text
from gapsmith.scoring import FrameWish, scorers_of, scorers_to_tell
from gapsmith.scoring.analysis import FROZEN_LATE
from gapsmith.scoring.report import note_on
from gapsmith.templates import ConfigError, Paradigm, text_of

SUMS = "SHA256SUMS"
_ABOUT = {
    "data.jsonl": "the items, a row for each sentence or pair; the columns stand above",
    "data.csv": "the same as a table, with each item's uid and the digest of its texts",
    "paradigm": "the design: factors, conditions, word lists, contrasts; NAME-made-1.toml and so on: what items were made with, where the file"
    " has changed since",
    "left-out.csv": "the sentences of the items that are not in the data: excluded, flagged, disputed, or not decided on",
    "decisions.csv": "who decided what on each item, those that were left out as well; `opened` and `seconds`: whether and how long it was on"
    " screen; `blind`: whether it was said before its author could know what others say; where not, `said_blind` has what stood then,"
    " in a row without a decision where it was taken back",
    "shares.csv": "who was to read which item; state: `decided` by them, `settled` by others before, or `unread`",
    "plan.json": "what was to be analysed, and how, as it was frozen",
    "results/long.csv": "surprisal in bits: a row for each item, condition, region, model and measure",
    "results/tests.csv": "every test",
    "results/items.csv": "every contrast by item",
    "report": "report.html (open it in a browser), report.md, figures, and a page for every item",
    "CITATION.cff": "how to cite this set, for programs",
    "citation.bib": "the paper to cite",
    MANIFEST: "what all of it was made of; where the bank is, `gapsmith bank check --report FOLDER` says what has changed since",
    SUMS: f"digests of all files; `sha256sum -c {SUMS}` in this folder checks them and needs nothing else",
}


@dataclass(frozen=True, slots=True)
class Published:
    """A folder that can be given away."""

    out: Path
    files: tuple[str, ...]
    """Relative to the folder, sorted; `SHA256SUMS`, which has no digest of its own, is the last."""
    n_items: int
    headline: str
    """What came out; empty where nothing is scored."""
    lacks: tuple[str, ...]
    """What there is not, with what would bring it."""

    def as_data(self) -> dict[str, Any]:
        """The same as JSON takes it."""
        return {
            "out": str(self.out),
            "files": list(self.files),
            "items": self.n_items,
            "headline": self.headline,
            "lacks": list(self.lacks),
        }


def publish(workspace: Workspace, request: Publish, services: Services = QUIET) -> Published:
    """Write the folder, whole or not at all. Raises `GapsmithError` where no item is approved, for who may not know yet where items
    come from, and where the folder holds something."""
    bank = workspace.bank
    bank.gate.expect_to_tell_origins("publish")
    selection_of(bank, request)
    dataset = said_or_none(request.dataset)
    name = said_or_none(request.paradigm) or only_paradigm(bank, dataset)
    statuses = () if request.everything else (ItemStatus.APPROVED,)
    selection = ItemFilter(paradigm=name, dataset=dataset, statuses=statuses, in_results=not request.everything)
    source = find_items(bank, selection)
    scorer = _scorer(workspace, request, source, selection, services)
    shares = unfinished_in(bank, selection)
    left = shares.left(GOING_OUT)
    # Each file that is written would say it again, of the items that are in it.
    telling = replace(
        services, note=_without_paths(services.note), warn=_once(services.warn, shares.who or shares.told(GOING_OUT))
    )
    work = _Folder(workspace, request, name, dataset, scorer, telling)
    if left:
        work.lacks.append(left)
    if shares.settled_otherwise:
        services.note(shares.settled_otherwise)

    def fill(folder: Path) -> tuple[Path, ...]:
        work.items(folder, source.newest)
        work.left_out(folder)
        work.plans(folder)
        work.numbers(folder)
        work.citing(folder)
        work.card(folder)
        write_manifest(bank, [Used(name, dataset, () if scorer is None else (scorer.id,))], folder)
        return _summed(folder)

    out = said(request.out, workspace.root / "published")
    files = into_folder(out, "publish", fill)
    for line in work.lacks:
        services.note(line)
    n_items = bank.items.count(selection)
    names = tuple(path.as_posix() for path in files)
    return Published(out, names, n_items, work.headline, tuple(work.lacks))


def _scorer(
    workspace: Workspace, request: Publish, source: ExportSource, selection: ItemFilter, services: Services
) -> Scorer | None:
    """Whose numbers go out: one scorer's, so that tables and report have the same tests and one correction; None where nothing is scored.
    Raises `ConfigError` where several have measured the items and nobody says which, and `BankError` where what they measured would tell."""
    bank, preferred = workspace.bank, preferred_model(workspace.settings)
    wish = FrameWish(
        model=said_or_none(request.model),
        scorer=said_or_none(request.scorer),
        convention=request.convention,
        corrected=request.corrected,
    )
    conditions = tuple(condition.name for condition in source.common().conditions)
    wished = scorers_of(bank, source, conditions, wish)
    if request.everything:
        wished, withheld = scorers_to_tell(bank, wished, selection, "publish --all")
        for line in withheld:
            services.note(line)
    found = [bank.scores.scorer(own) for own in wished]
    if wish.model is None:
        found = [own for own in found if own.model == preferred] or found
    if len(found) > 1:
        raise ConfigError(
            f"{len(found)} scorers have measured these items: {', '.join(f'{own.id} ({own.model})' for own in found)}",
            hint="Say whose numbers go out: --scorer ID, in Python scorer=; the others go into folders of their own.",
        )
    return next(iter(found), None)


def _once(warn: Callable[[str], None], said: str) -> Callable[[str], None]:
    """Warnings, each one time, without those that begin with what is `said` elsewhere."""
    heard: set[str] = set()

    def told(text: str) -> None:
        if text not in heard and not (said and text.startswith(said)):
            heard.add(text)
            warn(text)

    return told


def _without_paths(note: Callable[[str], None]) -> Callable[[str], None]:
    """Notes without those that say where a file was written: the folder has another name until it is whole."""
    heard: set[str] = set()

    def told(text: str) -> None:
        if not text.startswith("Wrote ") and text not in heard:
            heard.add(text)
            note(text)

    return told


_LEFT_OUT = (ItemStatus.EXCLUDED, ItemStatus.FLAGGED, ItemStatus.DISPUTED, ItemStatus.PENDING)


class _Folder:
    """What goes into one folder, and what there is not."""

    def __init__(
        self, workspace: Workspace, request: Publish, name: str, dataset: str | None, scorer: Scorer | None, services: Services
    ) -> None:
        self._workspace, self._request, self._services = workspace, request, services
        self._name, self._scorer = name, scorer
        self._which: dict[str, Any] = {"paradigm": name, "everything": request.everything, "look": request.look}
        if dataset is not None:
            self._which["dataset"] = dataset
        self.headline = ""
        self.lacks: list[str] = []

    def items(self, folder: Path, paradigm: Paradigm) -> None:
        """The items with their card, the paradigm's file as it is and as items were made with, and the decisions."""
        own = self._request
        facts = {"title": self._title, "license": own.license, "language": own.language, "citation": own.citation}
        self._export("hub", folder, **facts)
        self._export("csv", folder / "data.csv", ids=True)
        (folder / "paradigm").mkdir()
        (folder / "paradigm" / f"{self._name}.toml").write_text(paradigm.text, encoding="utf-8")
        bank = self._workspace.bank
        made = [bank.paradigms.load(own) for own, _ in bank.paradigms.versions(self._name)]
        for number, older in enumerate((own for own in made if own.digest != paradigm.digest), 1):
            (folder / "paradigm" / f"{self._name}-made-{number}.toml").write_text(older.text, encoding="utf-8")
        self._export("decisions", folder / "decisions.csv")
        if rows := shares(bank, self._name, self._which.get("dataset")):
            (folder / "shares.csv").write_text(csv_text(rows), encoding="utf-8", newline="")

    def left_out(self, folder: Path) -> None:
        """The sentences of the items that do not go out as data. Items that calibrate are no part of the set."""
        if self._request.everything:
            return
        rows = [
            {
                "dataset": item.dataset,
                "item": item.label,
                **naming(item),
                "status": item.status.value,
                "reason": item.reason,
                "condition": sentence.condition,
                "sentence": sentence.text,
            }
            for item in self._workspace.bank.items.iterate(
                ItemFilter(paradigm=self._name, dataset=self._which.get("dataset"), statuses=_LEFT_OUT, in_results=True)
            )
            for sentence in item.sentences
        ]
        if rows:
            (folder / "left-out.csv").write_text(csv_text(rows), encoding="utf-8", newline="")

    def plans(self, folder: Path) -> None:
        """The plans that were frozen for the paradigm, oldest first."""
        if plans := self._workspace.bank.plans.of(self._name):
            text = json.dumps([plan_data(plan) for plan in plans], ensure_ascii=False, indent=1)
            (folder / "plan.json").write_text(text + "\n", encoding="utf-8")
            if all(plan.n_scored for plan in plans):
                self.lacks.append(f"Every plan was {FROZEN_LATE}.")
        else:
            self.lacks.append("No plan was frozen before the analysis: its tests are unplanned (`gapsmith plan freeze`).")

    def numbers(self, folder: Path) -> None:
        """Tables of numbers, and the report, of the same tests."""
        if self._scorer is None:
            self.lacks.append("No model has scored these items: there are no results (`gapsmith score`).")
            return
        own = self._request
        (folder / "results").mkdir()
        how: dict[str, Any] = {name: getattr(own, name) for name in ("design", "convention", "corrected", "unigram")} | {
            "scorer": self._scorer.id
        }
        corrected: dict[str, Any] = {"uncorrected": own.uncorrected}
        hidden = not own.everything and self._workspace.bank.gate.hidden(ItemFilter(paradigm=self._name))
        if hidden:
            self.lacks.append(
                f"{self._workspace.bank.reader} may not see yet what others decided: there is no table of every item (results/items.csv)."
            )
        for kind in ("long", "tests", *(() if hidden else ("items",))):
            self._export(kind, folder / "results" / f"{kind}.csv", **how, **(corrected if kind == "tests" else {}))
        which: dict[str, Any] = {name: (value,) if isinstance(value, str) else value for name, value in self._which.items()}
        asked = ReportRequest(**which, **how, **corrected, model=(self._scorer.model,), out=folder / "report")
        self.headline = report(self._workspace, asked, self._services).headline

    def citing(self, folder: Path) -> None:
        """How to cite the set. A licence or a name that nobody said is not made up."""
        own = self._request
        if not isinstance(own.citation, Unset):
            (folder / "citation.bib").write_text(text_of(own.citation), encoding="utf-8")
        if own.creator:
            lines = [
                "cff-version: 1.2.0",
                "message: If you use this set, please cite it.",
                "type: dataset",
                f"title: {json.dumps(self._title, ensure_ascii=False)}",
                "authors:",
                *(f"  - name: {json.dumps(name, ensure_ascii=False)}" for name in own.creator),
                f"date-released: {datetime.now(UTC).date().isoformat()}",
            ]
            (folder / "CITATION.cff").write_text("\n".join(lines) + "\n", encoding="utf-8")
        else:
            self.lacks.append("Nobody is named who made the set: there is no CITATION.cff (`--creator NAME`).")
        if not said_or_none(own.license):
            self.lacks.append("No licence is stated: others may not use the set (`--license cc-by-4.0`).")

    def card(self, folder: Path) -> None:
        """Add to the card what came out, which files there are, and what is not there."""
        there = [name for name in _ABOUT if name in (SUMS, MANIFEST) or (folder / name).exists()]
        card = folder / "README.md"
        found = readers(self._workspace.bank, self._name, self._which.get("dataset"))
        self.lacks += found.lacks
        parts = ["", "## Who decided on the items", "", *found.lines] if found.lines else [""]
        if self.headline and self._scorer is not None:
            model = note_on(self._scorer)
            parts += ["", "## Results", "", self.headline, "", f"{model.what} {model.worth}", ""]
        parts += ["## Files", "", "| file | |", "|---|---|", *(f"| `{name}` | {_ABOUT[name]} |" for name in there)]
        if self.lacks:
            parts += ["", "## What is not here", "", *(f"- {line}" for line in self.lacks)]
        card.write_text(card.read_text(encoding="utf-8") + "\n".join([*parts, ""]), encoding="utf-8")

    @property
    def _title(self) -> str:
        return said(self._request.title, self._which.get("dataset", self._name)) or self._name

    def _export(self, kind: str, out: Path, **more: Any) -> None:
        export(self._workspace, Export(kind=kind, out=out, **self._which, **more), self._services)


def _summed(folder: Path) -> tuple[Path, ...]:
    """Every file of the folder, once the digests of all are in `SUMS`, which comes last."""
    files = sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    sums = [f"{hashlib.sha256((folder / path).read_bytes()).hexdigest()}  {path.as_posix()}\n" for path in files]
    (folder / SUMS).write_text("".join(sums), encoding="utf-8")
    return (*files, Path(SUMS))
