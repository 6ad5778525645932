"""What a workspace needs now: runs that are not finished, items without findings, decisions or scores, and what to make of numbers."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from textwrap import indent
from typing import TYPE_CHECKING, Any

from gapsmith.app.chosen import preferred_model
from gapsmith.app.manifests import Used, written_of
from gapsmith.app.requests.guiding import NextStep
from gapsmith.app.services import QUIET, Services
from gapsmith.app.stages.publishing import SUMS
from gapsmith.app.stages.selecting import selection_of
from gapsmith.app.workspace import Workspace, find_workspace, first_designs
from gapsmith.bank import Bank, ItemFilter, ItemStatus, RunRecord, Scorer, awaited, handed_on, is_locked, unread
from gapsmith.prompts import Mode, default_prompt
from gapsmith.templates import ConfigError, GapsmithError, count, listed, to_add

if TYPE_CHECKING:
    import pandas

_NAMED = {
    "seed": "--seed",
    "model": "--model",
    "base_url": "--base-url",
    "design": "--design",
    "band": "--band",
    "temperature": "--temperature",
    "top_p": "--top-p",
    "thinking": "--thinking",
    "max_output_tokens": "--max-output-tokens",
    "api": "--api",
    "extra_body": "--extra-body",
    "tier": "--tier",
}
"""What a run keeps of how it was asked for, by the option that says it."""


@dataclass(frozen=True, slots=True)
class NeededStep:
    """Something that can be done now."""

    kind: str
    """make, bring in, go on, lint, decide, test, judge, lock, lead, adjudicate, score, report or publish; wait where others have something
    to do; done where nothing is left that gapsmith knows of."""
    why: str
    """What there is, in a sentence."""
    command: str
    """What to type."""


@dataclass(frozen=True, slots=True)
class Needed:
    """What a workspace needs, the most urgent first."""

    request: NextStep
    steps: tuple[NeededStep, ...]

    @property
    def command(self) -> str:
        """What to type now."""
        return self.steps[0].command

    @property
    def why(self) -> str:
        """Why that."""
        return self.steps[0].why

    def __iter__(self) -> Iterator[NeededStep]:
        return iter(self.steps)

    def __len__(self) -> int:
        return len(self.steps)

    def __getitem__(self, place: int) -> NeededStep:
        return self.steps[place]

    def to_frame(self) -> pandas.DataFrame:
        """A row for each step: kind, why, command."""
        import pandas

        return pandas.DataFrame([asdict(step) for step in self.steps])

    def _repr_html_(self) -> str:
        html: str = self.to_frame().to_html(index=False, escape=True)
        return html


def next_step(workspace: Workspace, request: NextStep, services: Services = QUIET) -> Needed:
    """What there is to do; ``.command`` is what to type first. Of others' decisions it goes by what the reader may see. Raises
    `GapsmithError` for a paradigm or data set that has no items."""
    bank = workspace.bank
    selection = selection_of(bank, request)
    if (request.paradigm or request.dataset) and not bank.items.count(selection):
        there = ", ".join(bank.paradigms.names()) or "none"
        raise GapsmithError("there are no such items here", hint=f"Paradigms with items: {there}.")
    if line := bank.gate.left_out(selection):
        services.note(line)
    looking = _Looking(workspace, request)
    items, people = [*looking.of_items()], [*looking.of_people()]
    numbers = [*looking.of_numbers()]
    if not items and not looking.anybody_awaited() and all(step.kind in {"lead", "wait"} for step in people):
        # The reading is done: the lead's page is no step any more, and what waits for others keeps nobody from the numbers.
        people, numbers = [], numbers + [step for step in people if step.kind == "wait"]
    steps = [*looking.unfinished(), *items, *looking.untested(), *people, *numbers] or looking.of_nothing()
    here = find_workspace()
    if here is None or here.resolve() != workspace.root:
        steps = [replace(step, command=f"{step.command} -w {shlex.quote(str(workspace.root))}") for step in steps]
    return Needed(request, tuple(steps))


class _Looking:
    """A look at the state of a workspace, one paradigm after the other."""

    def __init__(self, workspace: Workspace, request: NextStep) -> None:
        self._workspace, self._bank, self._request = workspace, workspace.bank, request
        self._preferred = preferred_model(workspace.settings)
        self._all = [name for name in self._bank.paradigms.names() if self._bank.items.count(ItemFilter(paradigm=name))]
        self._names = [name for name in self._all if self._count(name)]

    def _of(self, name: str, **more: Any) -> ItemFilter:
        return ItemFilter(paradigm=name, datasets=self._request.dataset, **more)

    def _count(self, name: str, **more: Any) -> int:
        wanted = not self._request.paradigm or name in self._request.paradigm
        return self._bank.items.count(self._of(name, **more)) if wanted else 0

    def _step(self, kind: str, of: dict[str, int], why: str, *words: str) -> list[NeededStep]:
        """A step for all paradigms that need it, by how many items do: one where these are all there are."""
        if not of:
            return []
        sets = self._sets()
        if list(of) == self._all and len(sets) < 3:
            return [_made(kind, f"{count(sum(of.values()), 'item')} {why}", *words, *sets)]
        chosen = [(name, n, own) for name, n in of.items() for own in (self._request.dataset or (None,))]
        return [
            _made(kind, f"{count(n, 'item')} of {name} {why}", *words, "-p", name, *(("-d", own) if own else ()))
            for name, n, own in chosen
        ]

    def of_nothing(self) -> list[NeededStep]:
        """Where there are no items, or none that was approved."""
        if any(self._count(name, standing=(ItemStatus.APPROVED,)) for name in self._names):
            said = "Nothing is left to do here: the items are read and scored, and the report and the published folder are of what is there."
            return [_made("done", f"{said} What would change them is told by:", "bank", "check", "--report", self._published)]
        if self._names:
            n = sum(map(self._count, self._names))
            why = f"{count(n, 'item')} {'is' if n == 1 else 'are'} decided on, and none is approved."
            return [_made("make", f"{why} More can be made.", "generate", name, "-n", "40") for name in self._names]
        why = "There are no items here yet."
        return [
            *(_made("make", why, "generate", name, "-n", "40", "--seed", "1") for name in first_designs(self._workspace.root)),
            _made("bring in", "Items of your own come from any file of sentences.", "import", "FILE"),
        ]

    def unfinished(self) -> Iterator[NeededStep]:
        """Runs that somebody began and that are not complete."""
        for run in self._bank.runs.all():
            if run.kind != "generate" or run.finished_at is not None:
                continue
            if self._request.paradigm and run.paradigm not in self._request.paradigm:
                continue
            if self._bank.batches.open(run.id) is not None:
                yield _made("go on", f"The batch of run {run.id} ({run.paradigm}) is under way.", "runs", "watch", str(run.id))
                continue
            again = _command_of(self._workspace, run)
            if again is None:
                why = f"Run {run.id} ({run.paradigm}) is not complete; the command that began it goes on with it."
                yield _made("go on", why, "runs", "show", str(run.id))
            else:
                cost = "" if run.provider == "lexicon" else " Say --max-cost too, if you did: a run does not keep it."
                yield _made("go on", f"Run {run.id} ({run.paradigm}) is not complete.{cost}", *again)

    def of_items(self) -> Iterator[NeededStep]:
        """Items that no rule has read, on which somebody has to decide."""
        bank = self._bank
        unlinted = {name: len(bank.findings.unlinted(self._of(name))) for name in self._names}
        yield from self._step("lint", _some(unlinted), _are("not linted", unlinted), "lint")
        mine = bank.assignments.of(bank.reader)
        pending = {name: self._waiting(name, mine) for name in self._names}
        why = _wait("for a decision", pending)
        if mine and any(pending.values()) and self._has_locked_some(mine):
            why = f"{why.removesuffix('.')}, and you have locked: L in the review takes that back, on record."
        yield from self._step("decide", _some(pending), why, "review")

    def untested(self) -> Iterator[NeededStep]:
        """Paradigms that say of none of their conditions which sentence is the more probable one."""
        for name in self._names:
            paradigm = self._bank.paradigms.newest(name)
            if paradigm.contrasts or paradigm.criteria:
                continue
            lines = indent(to_add(paradigm), "    ")
            where = paradigm.path or f"the file of {name}"
            why = f"{name} has nothing to test: it has no contrasts and no criteria. Lines such as these, in {where}, give it one:\n{lines}"
            yield _made("test", why, "paradigm", "check", paradigm.path or name)

    def of_people(self) -> Iterator[NeededStep]:
        """What several annotators have to do with each other: locks, the lead's page, disputes."""
        from gapsmith.vetting import who_adjudicates

        bank = self._bank
        yield from self._sheets()
        readers = bank.assignments.readers()
        if bank.reader == bank.gate.lead:
            people = {name for names in readers.values() for name in names} | set(bank.review.annotators())
            if readers or len(people) > 1:
                who = listed(sorted(people)) if len(people) < 4 else count(len(people), "person", "people")
                why = f"{who} {'reads' if len(people) == 1 else 'read'} items here: who has what, how far they are and how far they agree."
                yield _made("lead", why, "lab")
        elif readers:
            yield from self._of_share(bank.assignments.of(bank.reader) or frozenset())
        if not bank.gate.tells_origins:
            # What the rest counts leaves calibration items out, so that its numbers would tell which these are.
            return
        disputed = _some({name: self._count(name, statuses=(ItemStatus.DISPUTED,), in_results=True) for name in self._names})
        waiting = {name: self._awaited(name) for name in self._names}
        yield from self._too_soon(disputed, "disputed", waiting)
        soon = {name: n for name, n in disputed.items() if not waiting[name]}
        if others := bank.assignments.who_adjudicates_instead(bank.reader):
            yield from self._step("wait", soon, f"{_are('disputed', soon).removesuffix('.')}: {who_adjudicates(others)}.", "lab")
        else:
            yield from self._step("adjudicate", soon, _are("disputed", soon), "review", "--adjudicate")
        yield from self._edited()
        yield from self._flagged(waiting)

    def _sheets(self) -> Iterator[NeededStep]:
        """What the reader has still to judge in the studies whose files lie in the workspace."""
        from gapsmith.vetting.review import sheet_count, studies_in

        for file, study in studies_in(self._workspace.root).items():
            if self._bank.reader not in study.annotators:
                continue
            # What is not in this bank, or was edited, cannot be judged here.
            with suppress(ConfigError):
                sheet = sheet_count(study, self._bank, self._bank.reader)
                if sheet.left:
                    what = count(sheet.left, "pair" if study.task == "choice" else "sentence")
                    why = f"{what} of your sheet {'waits' if sheet.left == 1 else 'wait'} for your judgement ({sheet.words})."
                    yield _made("judge", why, "review", "--judge", file)

    def _edited(self) -> Iterator[NeededStep]:
        """Items that were edited in adjudication and have no verdict on their new text."""
        bank = self._bank
        ids = {item_id for name in self._names for item_id in bank.items.ids(self._of(name, in_results=True))}
        _, edited = handed_on(bank, ids)
        mine = {item_id for item_id, names in bank.assignments.adjudicators().items() if bank.reader in names}
        if bank.reader != bank.gate.lead:
            edited &= mine
        if edited:
            found = {"": len(edited)}
            why = f"{count(len(edited), 'item')} edited by who adjudicates {_wait('for a verdict there', found)}"
            labels = ",".join(bank.items.get(item_id).label for item_id in sorted(edited))
            yield _made("adjudicate", why, "review", "--adjudicate", "--show", f"item:{labels}")

    def _too_soon(self, found: dict[str, int], what: str, waiting: Mapping[str, frozenset[str]]) -> Iterator[NeededStep]:
        """Items that somebody is to adjudicate once all who have a share have locked."""
        from gapsmith.vetting import adjudication_waits

        late = {name: n for name, n in found.items() if waiting[name]}
        awaited_ones = sorted({one for name in late for one in waiting[name]})
        yield from self._step("wait", late, f"{_are(what, late)} {adjudication_waits(awaited_ones)}", "lab")

    def anybody_awaited(self) -> bool:
        """Whether somebody has a share and has not locked it."""
        return any(self._awaited(name) for name in self._names)

    def _awaited(self, name: str) -> frozenset[str]:
        """Who has to lock before items of a paradigm are adjudicated."""
        sets = self._request.dataset or (None,)
        return frozenset(one for dataset in sets for one in awaited(self._bank, paradigm=name, dataset=dataset))

    def _flagged(self, waiting: Mapping[str, frozenset[str]]) -> Iterator[NeededStep]:
        """Items that count as decided, of which somebody has still to say what becomes of them: for the lead, and who adjudicates."""
        bank = self._bank
        several = bool(bank.assignments.readers()) or len(bank.review.annotators()) > 1
        named = {name for names in bank.assignments.adjudicators().values() for name in names}
        if several and bank.reader != bank.gate.lead and bank.reader not in named:
            return
        flagged = _some({name: self._count(name, statuses=(ItemStatus.FLAGGED,), in_results=True) for name in self._names})
        yield from self._too_soon(flagged, "flagged", waiting)
        flagged = {name: n for name, n in flagged.items() if not waiting[name]}
        more = ("--adjudicate",) if several else ()
        kind = "adjudicate" if several else "decide"
        yield from self._step(kind, _some(flagged), _are("flagged", flagged), "review", *more, "--show", "status:flagged")

    def _of_share(self, mine: frozenset[int]) -> Iterator[NeededStep]:
        """What somebody has to do who has a share, and has decided on it, or has none."""
        from gapsmith.vetting import no_share, progress

        bank = self._bank
        if not mine:
            yield _made("wait", no_share(bank, bank.reader), "lab")
        elif not any(self._waiting(name, mine) for name in self._names):
            own = f"Your {count(len(mine), 'item')} {'is' if len(mine) == 1 else 'are'} decided"
            if any(one.author == bank.reader and one.locked for one in progress(bank)):
                if self.anybody_awaited():
                    yield _made("wait", f"{own} and locked; how far others are:", "lab")
            else:
                yield _made("lock", f"{own}. L in the review locks them, and shows what others say.", "review")

    def _has_locked_some(self, mine: frozenset[int]) -> bool:
        """Whether the reader has locked a data set in which items of theirs wait for them."""
        bank = self._bank
        decided = {label.item_id for label in bank.review.verdicts() if label.author == bank.reader}
        locks = bank.review.locks()
        return any(
            is_locked(locks, bank.reader, one.paradigm, one.name)
            and bool((mine - decided).intersection(bank.items.ids(ItemFilter(paradigm=one.paradigm, dataset=one.name))))
            for one in bank.datasets.all()
            if one.paradigm in self._names
        )

    def _waiting(self, name: str, mine: frozenset[int] | None) -> int:
        """How many items wait for a decision: of somebody's share those on which they have not decided, whatever others have."""
        if mine is None:
            return self._bank.items.count(self._of(name, statuses=(ItemStatus.PENDING,)))
        own = mine.intersection(self._bank.items.ids(self._of(name)))
        return len(unread(self._bank, {self._bank.reader: own})[self._bank.reader])

    def of_numbers(self) -> Iterator[NeededStep]:
        """Approved items without scores; scores that can be analysed. Not for who may not know which items calibrate: these are not
        scored, so that an approval that does not raise the number would tell."""
        if not self._bank.gate.tells_origins:
            return
        approved = {name: self._count(name, standing=(ItemStatus.APPROVED,), in_results=True) for name in self._names}
        scorer, missing = self._scored(list(_some(approved)))
        unscored = {name: n for name, n in missing.items() if n}
        model = () if scorer is None or self._preferred is not None else ("-m", scorer.model)
        yield from self._step("score", unscored, _are("approved and not scored", unscored), "score", *model)
        scored = {name: n for name, n in approved.items() if n and not missing[name]}
        sets = self._request.dataset or (None,)
        written = {name: [self._written(name, own, scorer) for own in sets] for name in scored}
        # Tests that are printed leave no trace, so that they can be no step by themselves: the report has all of them.
        fresh = {name: n for name, n in scored.items() if not all(written[name])}
        shows = _are("scored: a report shows what came out; `gapsmith analyze` prints the tests", fresh)
        yield from self._step("report", fresh, shows, "report")
        for name in scored.keys() - fresh.keys():
            for own, stages in zip(sets, written[name], strict=True):
                if "publish" not in stages:
                    why = f"The report is of the items of {own or name} as they are: a folder to give away has both."
                    which = [*(["-p", name] if len(self._all) > 1 else []), *(["-d", own] if own else [])]
                    yield _made("publish", why, "publish", *which)

    def _written(self, name: str, dataset: str | None, scorer: Scorer | None) -> frozenset[str]:
        """What there is in the workspace of items as they are now: report, publish, or nothing of it."""
        used = Used(name, dataset, () if scorer is None else (scorer.id,))
        return written_of(self._bank, self._workspace.root, used) & {"report", "publish"}

    def _sets(self) -> list[str]:
        return [word for name in self._request.dataset for word in ("-d", name)]

    @property
    def _published(self) -> str:
        """The folder in the workspace that was published last."""
        root = self._workspace.root
        found = max(root.glob(f"*/{SUMS}"), key=lambda path: path.stat().st_mtime, default=None)
        return str(found.parent.relative_to(root)) if found is not None else "published"

    def _scored(self, names: Sequence[str]) -> tuple[Scorer | None, dict[str, int]]:
        """The scorer that has measured most of the approved items, of the settings' model where they name one; and how many items
        it has not, by paradigm."""
        by_name: dict[str, dict[int, list[str]]] = {
            name: {item.id: [s.text for s in item.sentences] for item in self._bank.items.iterate(self._approved(name))}
            for name in names
        }
        best: tuple[Scorer | None, dict[str, int]] = (None, {name: len(items) for name, items in by_name.items()})
        for scorer in self._bank.scores.scorers():
            if self._preferred not in (None, scorer.model):
                continue
            missing = {name: _unmeasured(self._bank, scorer, items) for name, items in by_name.items()}
            if sum(missing.values()) < sum(best[1].values()):
                best = scorer, missing
        return best

    def _approved(self, name: str) -> ItemFilter:
        return self._of(name, standing=(ItemStatus.APPROVED,), in_results=True)


def _unmeasured(bank: Bank, scorer: Scorer, items: dict[int, list[str]]) -> int:
    """How many of the items have a text that the scorer was never asked for. What it has no value for, it was."""
    texts = [text for own in items.values() for text in own]
    lacking = {own.text for own in bank.scores.lacking(scorer.id) if not own.has_failed}
    absent = set(bank.scores.missing(scorer.id, texts)) - lacking
    return sum(any(text in absent for text in own) for own in items.values())


def _command_of(workspace: Workspace, run: RunRecord) -> list[str] | None:
    """What goes on with a run; None where what it keeps does not say."""
    said = run.parameters
    try:
        workspace.paradigm(run.paradigm)
        usual = default_prompt(run.paradigm, Mode(said.get("mode", Mode.SLOTS)), workspace.root).name
    except (GapsmithError, ValueError):
        return None
    if said.get("levels") is not None:
        return None
    words = ["generate", run.paradigm, *(["-n", str(said["n"])] if said.get("n") is not None else ["--all"])]
    words += ["--provider", run.provider]
    for name, flag in _NAMED.items():
        value = said.get(name)
        if value is not None:
            words += [flag, str(value)]
    if said.get("dataset") not in (None, "generated"):
        words += ["-d", str(said["dataset"])]
    if said.get("mode") not in (None, Mode.SLOTS.value):
        words += ["--mode", str(said["mode"])]
    if run.prompt_name is not None and run.prompt_name.partition(".")[0] != usual:
        words += ["--prompt", run.prompt_name]
    return words + ["--feedback"] * bool(said.get("feedback")) + ["--free"] * bool(said.get("free"))


def _made(kind: str, why: str, *words: str) -> NeededStep:
    return NeededStep(kind, why, shlex.join(("gapsmith", *words)))


def _some(found: dict[str, int]) -> dict[str, int]:
    return {name: n for name, n in found.items() if n}


def _are(what: str, found: dict[str, int]) -> str:
    return f"{'is' if sum(found.values()) == 1 else 'are'} {what}."


def _wait(what: str, found: dict[str, int]) -> str:
    return f"{'waits' if sum(found.values()) == 1 else 'wait'} {what}."
