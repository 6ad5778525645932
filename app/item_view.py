"""One item in words, for `gapsmith show`."""

from __future__ import annotations

from typing import Any

from gapsmith.bank import NOT_KEPT, Bank, ItemFilter, StoredItem, Verdict, is_on_texts_of, naming
from gapsmith.vetting import marked


def as_data(bank: Bank, item: StoredItem) -> dict[str, Any]:
    """Everything about the item, as plain values for JSON."""
    paradigm = bank.datasets.measured(bank.paradigms.reading(item.paradigm_id), item.dataset).variant(item.slots)
    tells = bank.gate.tells_origins
    look = bank.findings.look(item.id)
    return {
        "item": bank.gate.called(item),
        **naming(item),
        "paradigm": item.paradigm,
        "dataset": item.dataset if tells else None,
        "status": item.status.value,
        "calibrates": known.value if (known := _known(bank, item)) is not None else None,
        "reason": item.reason,
        "others_left_out": _left_out(bank, item),
        "revision": item.revision_number if tells else None,
        "run": item.run_id if tells else None,
        "slots": dict(item.slots) if item.slots is not None else None,
        "sentences": [
            {
                "condition": s.condition,
                "expected": paradigm.condition(s.condition).status if s.condition in paradigm.condition_by_name else None,
                "text": s.text,
                "source": s.source.value,
                "aligned": s.regions is not None,
            }
            for s in item.sentences
        ],
        "findings": [
            {"code": f.code, "severity": f.severity.value, "message": f.message} for f in bank.findings.for_item(item.id)
        ],
        "looked_at": {"said": NOT_KEPT} if look is None else look.as_data(),
        "decisions": [
            {
                "verdict": d.verdict.value,
                "by": d.author,
                "kind": d.kind,
                "reason": d.reason,
                "at": d.at,
                "on_earlier_text": not is_on_texts_of(d, item),
                "unlocked": list(d.unlocked),
                "unread": list(d.unread),
            }
            for d in bank.decisions.for_item(item.id)
        ],
        "remarks": [
            {
                "by": one.author,
                "at": one.at,
                "condition": one.condition,
                "text": one.text,
                "on_earlier_text": not is_on_texts_of(one, item),
            }
            for one in bank.review.comments(item.id)
        ],
    }


def _left_out(bank: Bank, item: StoredItem) -> bool:
    """Whether others have said something of the item that the reader may not see."""
    return bool(bank.gate.hidden(ItemFilter(ids=(item.id,))))


def _known(bank: Bank, item: StoredItem) -> Verdict | None:
    """The verdict that is known of an item that calibrates, to those who may know it."""
    return bank.assignments.known_verdicts().get(item.id) if bank.gate.calibrates and bank.gate.tells_origins else None


def as_text(bank: Bank, item: StoredItem) -> str:
    """The same for people."""
    paradigm = bank.datasets.measured(bank.paradigms.reading(item.paradigm_id), item.dataset)
    # An item that was edited before it was given out may calibrate.
    edited = f", revision {item.revision_number}" if item.revision_number > 1 and bank.gate.tells_origins else ""
    status = f"{item.status.value} without what others said" if _left_out(bank, item) else item.status.value
    if (known := _known(bank, item)) is not None:
        # People may well disagree; nobody has to decide between them.
        status = f"calibrates ({known.value} is known)"
    place, run = (f" ({item.dataset})", f", from run {item.run_id}") if bank.gate.tells_origins else ("", "")
    lines = [f"{item.paradigm} item {bank.gate.called(item)}{place}, {status}{run}{edited}"]
    design = paradigm.design_of(item.expects) if item.expects is not None else None
    labels = dict(design.labels) if design is not None else {}
    names = {condition: label for label, condition in labels.items() if label != condition}
    for sentence in item.sentences:
        condition = paradigm.condition_by_name.get(sentence.condition)
        label = f"{names.get(sentence.condition, '')} {condition.label if condition else sentence.condition}".strip()
        status = condition.expected if condition else ""
        lines.append(f"  {label:<18} {status:<2}  {marked(sentence, paradigm)}")
    lines += [f"  {f.severity.value} {f.code}: {f.message}" for f in bank.findings.for_item(item.id)]
    lines.append(f"  rules on words {bank.findings.looked_at(item.id)}")
    for decision in bank.decisions.for_item(item.id):
        reason = f", {decision.reason}" if decision.reason else ""
        kind = "" if decision.kind in ("person", "policy") else f" ({decision.kind})"
        old = "" if is_on_texts_of(decision, item) else ", on an earlier text: it does not count"
        lines.append(f"  {decision.verdict.value} by {decision.author}{kind}{reason}, {decision.at[:16]}{old}")
        if decision.before_time:
            lines[-1] += f", {decision.before_time}"
    for one in bank.review.comments(item.id):
        old = "" if is_on_texts_of(one, item) else ", on an earlier text"
        lines.append(f"  remark by {one.author}, {one.at[:16]}{old}: {' '.join(one.text.split())}")
    return "\n".join(lines)
