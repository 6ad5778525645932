"""Decisions on items from outside the review: a person's, by item or by filter, those of a file, and a policy's."""

from __future__ import annotations

from dataclasses import replace

from gapsmith.app.chosen import as_said, rulesets
from gapsmith.app.requests.base import Unset, said, said_or_none
from gapsmith.app.requests.deciding import Decide
from gapsmith.app.services import QUIET, Services
from gapsmith.app.stages.looking import look_or_say
from gapsmith.app.stages.selecting import selection_of
from gapsmith.app.workspace import Workspace
from gapsmith.bank import Bank, ItemFilter, ItemStatus, Severity, Verdict
from gapsmith.bank.formats import read_annotations
from gapsmith.templates import ConfigError, count, listed
from gapsmith.vetting import Decided, decide_by_file, decide_by_policy, decide_selected, resolve_labels
from gapsmith.vetting.review import load_guide


class _DryRunError(Exception):
    """Ends the transaction of a dry run, so that what was tried in earnest is taken back."""


def decide(workspace: Workspace, request: Decide, services: Services = QUIET) -> Decided:
    """What was decided, as one action. Raises `GapsmithError` where that cannot be; nothing is decided then."""
    workspace = as_said(workspace, request.by)
    bank = workspace.bank
    chosen = selection_of(bank, request)
    by_verdict = not isinstance(request.verdict, Unset)
    selection = replace(
        chosen,
        codes=request.code,
        severity=None if isinstance(request.severity, Unset) or not by_verdict else Severity(request.severity),
        statuses=tuple(map(ItemStatus, request.status)),
        text=said_or_none(request.text),
    )
    if request.status or request.policy or request.look:
        look_or_say(bank, selection, services, look=request.look)
    try:
        with bank.transaction():
            done = _carried_out(workspace, request, chosen, selection, services)
            if request.dry_run:
                raise _DryRunError
    except _DryRunError:
        services.note("a dry run: nothing was decided")
    would = "would be " if request.dry_run else ""
    services.note(
        f"{would}approved {done.approved:,}, excluded {done.excluded:,}, flagged {done.flagged:,};"
        f" left as they are {done.left:,}"
        + (f"; {would}judged {count(done.judged, 'sentence')}" if done.judged else "")
        + (f"; {would}kept {count(done.remarked, 'remark')}" if done.remarked else "")
        + (f"; {done.known:,} said so before" if done.known else "")
    )
    if done.looked:
        services.note(f"rules on words {done.looked}")
    if done.settled:
        services.note(
            f"{would}settled {count(done.settled, 'item')} of others' shares, as the lead or an adjudicator does: that counts as nobody's"
            " vote"
        )
    if done.unlocked:
        services.note(
            f"{'it would stay' if request.dry_run else 'it stays'} on record, in the card and in reports that this was before"
            f" {listed(done.unlocked)} had locked"
        )
    if done.overruled:
        services.warn(f"adjudicated otherwise before, and what was said last counts: {', '.join(done.overruled)}")
    if done.unread_remarks:
        services.note(
            f"{count(done.unread_remarks, 'line')} with remarks, which are not read from there: `gapsmith annotations remarks` writes a"
            " file of remarks that `gapsmith decide --csv` reads"
        )
    if done.changed:
        services.warn(f"left out, because they have other texts here: {', '.join(done.changed)}")
    return done


def _carried_out(workspace: Workspace, request: Decide, chosen: ItemFilter, selection: ItemFilter, services: Services) -> Decided:
    bank = workspace.bank
    if not isinstance(request.policy, Unset):
        severity = Severity(said(request.severity, Severity.WARNING))
        return decide_by_policy(bank, chosen, severity=severity, rulesets=rulesets(workspace))
    if not isinstance(request.csv, Unset):
        return decide_by_file(
            bank,
            request.csv,
            read_annotations(request.csv),
            chosen,
            author=bank.reader,
            our_ids=request.our_ids,
            early=request.early,
            skip_changed=request.skip_changed,
            reasons=load_guide(workspace.root).reasons,
        )
    assert not isinstance(request.verdict, Unset)
    return decide_selected(
        bank,
        _meant(bank, request, selection, services, narrowed=selection != chosen),
        Verdict(request.verdict),
        author=bank.reader,
        early=request.early,
        reason=said_or_none(request.reason),
        comment=said_or_none(request.comment),
        reasons=load_guide(workspace.root).reasons,
    )


def _meant(bank: Bank, request: Decide, selection: ItemFilter, services: Services, *, narrowed: bool) -> list[int]:
    """The items by their names, or those that fit a filter: of who has a share and does not lead the bank, those of their share."""
    if not request.items and not narrowed:
        raise ConfigError("which items?", hint="Name item ids, or narrow with --code, --severity, --status or --text.")
    if request.items:
        return resolve_labels(bank, request.items, selection)
    ids = bank.items.ids(selection)
    mine = bank.assignments.of(bank.reader)
    if mine and bank.reader != bank.gate.lead and (others := [one for one in ids if one not in mine]):
        ids = [one for one in ids if one in mine]
        services.note(f"{count(len(others), 'item')} of others' shares left out: a filter is about {bank.reader}'s own")
    if not ids:
        raise ConfigError("no item fits these filters", hint="Nothing was decided.")
    return ids
