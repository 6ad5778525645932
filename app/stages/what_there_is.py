"""What there is: items, rules, studies, and what works on this machine; and a new workspace."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gapsmith.app import item_view
from gapsmith.app.chosen import as_said
from gapsmith.app.listed import Listed
from gapsmith.app.requests.telling import Examine, ExplainRules, ListStudies, MakeWorkspace, ShowItems
from gapsmith.app.services import QUIET, Services
from gapsmith.app.settings import user_settings_file
from gapsmith.app.stages.looking import look_or_say
from gapsmith.app.stages.selecting import selection_of
from gapsmith.app.workspace import Workspace, bank_file, find_workspace, first_designs, is_workspace, make_workspace, root_of
from gapsmith.bank import Bank, StoredItem
from gapsmith.templates import ConfigError, GapsmithError
from gapsmith.vetting import resolve_labels
from gapsmith.vetting.roles import RoleRow, role_rows
from gapsmith.vetting.rules import RulePage, RuleSelection, load_knowledge, measurements_of, precision_of, rule_page

if TYPE_CHECKING:
    import pandas

    from gapsmith.app.doctor import Check


@dataclass(frozen=True, slots=True)
class WorkspaceMade:
    """A workspace that is there now."""

    request: MakeWorkspace
    root: Path

    def as_data(self) -> dict[str, Any]:
        """Where it is, as JSON takes it."""
        return {"workspace": str(self.root)}


@dataclass(frozen=True, slots=True)
class ItemsShown:
    """Items as they stand; the workspace has to be open where they are put into words."""

    request: ShowItems
    bank: Bank = field(repr=False)
    items: tuple[StoredItem, ...]

    def __iter__(self) -> Iterator[StoredItem]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, place: int) -> StoredItem:
        return self.items[place]

    def texts(self) -> Iterator[str]:
        """Each item in words."""
        return (item_view.as_text(self.bank, item) for item in self.items)

    def __str__(self) -> str:
        return "\n".join(self.texts())

    def as_data(self) -> list[dict[str, Any]]:
        """Everything about the items, as JSON takes it."""
        return list(self.each_as_data())

    def each_as_data(self) -> Iterator[dict[str, Any]]:
        """The same, one after the other."""
        return (item_view.as_data(self.bank, item) for item in self.items)

    def to_frame(self) -> pandas.DataFrame:
        """A row for each sentence: item, dataset, paradigm, status, condition, expected, text."""
        import pandas

        columns = ("item", "dataset", "paradigm", "status")
        return pandas.DataFrame(
            [
                {**{name: entry[name] for name in columns}, **{name: own[name] for name in ("condition", "expected", "text")}}
                for entry in self.as_data()
                for own in entry["sentences"]
            ]
        )

    def _repr_html_(self) -> str:
        html: str = self.to_frame().to_html(index=False, escape=True, max_rows=60)
        return html


@dataclass(frozen=True, slots=True)
class Rules(Listed[RulePage]):
    """Rules, each with its page."""

    roles: tuple[RoleRow, ...] = ()
    """The roles of words, where these were asked for instead."""

    def as_data(self) -> list[dict[str, Any]]:
        """The rules, or the roles, as JSON takes them."""
        return [asdict(role) for role in self.roles] or [self.row_data(row) for row in self.rows]

    def row_data(self, row: RulePage) -> dict[str, Any]:
        """A rule's page as JSON takes it."""
        return {
            "code": row.code,
            "severity": row.severity.value,
            "also": row.also,
            "title": row.title,
            "summary": row.summary,
            "bad": list(row.bad),
            "good": list(row.good),
            "reason": row.reason,
            "remedy": row.remedy,
            "literature": list(row.literature),
            "precision": None if (found := precision_of(row.code)) is None else found.share,
            "measured": measurements_of(row.code),
        }


@dataclass(frozen=True, slots=True)
class StudyRow:
    """A study that ships."""

    name: str
    title: str
    paper: str


class StudyList(Listed[StudyRow]):
    """The studies that ship."""

    __slots__ = ()


class Examined(Listed["Check"]):
    """What works on this machine."""

    __slots__ = ()

    @property
    def problems(self) -> tuple[Check, ...]:
        """What is wrong."""
        from gapsmith.app.doctor import CheckState

        return tuple(row for row in self.rows if row.state is CheckState.PROBLEM)


def init(request: MakeWorkspace, services: Services = QUIET) -> WorkspaceMade:
    """Raises `ConfigError` where it cannot be made."""
    where = request.directory.resolve()
    above = next((folder for folder in where.parents if is_workspace(folder)), None)
    make_workspace(request.directory)
    services.note(f"Workspace ready in {where}")
    if above is not None:
        services.note(
            f"It lies in the workspace {above}: commands in {where.name} and below mean this one, all others the one above."
        )
    for name in first_designs(where):
        services.note(f"Next: gapsmith generate {shlex.quote(name)} -n 40 --seed 1")
    with Bank.open(bank_file(where)) as bank:
        if bank.gate.begun_unnamed:
            services.note(
                f"{bank.gate.lead}, as this account is called, leads it. Where several people take part, say who you are: annotator"
                f' = "NAME" in {user_settings_file()}, then gapsmith bank lead NAME --by {bank.gate.lead}.'
            )
    return WorkspaceMade(request, where)


def show_items(workspace: Workspace, request: ShowItems, services: Services = QUIET) -> ItemsShown:
    """What others decided is left out where the reader may not see it. Raises `GapsmithError` where there are no such items."""
    bank = as_said(workspace, request.by).bank
    selection = selection_of(bank, request)
    if request.items:
        selection = replace(selection, ids=tuple(resolve_labels(bank, list(request.items), selection)))
    look_or_say(bank, selection, services, look=request.look)
    found = tuple(bank.items.iterate(selection))
    if not found:
        raise GapsmithError("there are no items here", hint="Make some with `gapsmith generate`.")
    if not bank.gate.tells_origins:
        # In the order in which items came, those that calibrate stand together.
        found = tuple(sorted(found, key=bank.gate.called))
        services.note(
            "Items are called as on the screens, and no data set or run is named before you have locked: some items calibrate."
        )
    return ItemsShown(request, bank, found)


def rules(request: ExplainRules, services: Services = QUIET) -> Rules:
    """With those of the table of word rules of the workspace that one stands in; or the roles. Raises `ConfigError` for a code that no rule
    has."""
    if request.roles:
        if request.codes:
            raise ConfigError(
                "roles are of no one rule", hint="gapsmith rule CODE tells of a rule, gapsmith rule --roles of the roles."
            )
        return Rules(request, (), role_rows())
    knowledge = load_knowledge(find_workspace())
    for told in knowledge.replaced:
        services.note(told)
    chosen = RuleSelection(tuple(code.upper() for code in request.codes))
    return Rules(request, tuple(rule_page(rule, knowledge) for rule in chosen.rules(knowledge)))


def studies(request: ListStudies, _services: Services = QUIET) -> StudyList:
    """Each can be done again with `reproduce`."""
    from gapsmith.app.studies import shipped_studies

    return StudyList(request, tuple(StudyRow(one.name, one.title, one.paper) for one in shipped_studies()))


def doctor(source: Workspace | str | os.PathLike[str] | None, request: Examine, _services: Services = QUIET) -> Examined:
    """`source` is a workspace or where one is (None: from here upwards)."""
    from gapsmith.app.doctor import examine

    return Examined(request, tuple(examine(online=request.online, workspace=root_of(source))))
