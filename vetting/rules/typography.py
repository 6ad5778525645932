"""T03: the characters of the sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gapsmith.bank import Severity
from gapsmith.vetting.rules.hits import Hit
from gapsmith.vetting.rules.model import ItemRule
from gapsmith.vetting.rules.pairs import mark_of_pair_member
from gapsmith.vetting.rules.text_repair import TextFlaw, text_flaws
from gapsmith.vetting.rules.view import ItemView

_CODES = {
    "T030": Severity.ERROR,
    "T031": Severity.ERROR,
    "T032": Severity.ERROR,
    "T033": Severity.ERROR,
    "T034": Severity.ERROR,
    "T035": Severity.ERROR,
    "T036": Severity.ERROR,
    "T037": Severity.ERROR,
    "T038": Severity.ERROR,
    "T039": Severity.WARNING,
    "T040": Severity.ERROR,
}


def _checker(code: str) -> Callable[[ItemView], Iterator[Hit]]:
    def check(view: ItemView) -> Iterator[Hit]:
        if code == "T040" and view.paradigm.given:
            # What people write may well have commas; what is made from words has none.
            return
        for name, found in view.flaws if code != "T032" else _flaws_of_members(view):
            flaws = [flaw for flaw in found if flaw.code == code]
            if flaws:
                yield Hit(
                    f"{view.label(name)} {'; '.join(dict.fromkeys(f.message for f in flaws))}",
                    condition=name,
                    start=flaws[0].start,
                    end=flaws[-1].end,
                )

    return check


def _flaws_of_members(view: ItemView) -> Iterator[tuple[str, tuple[TextFlaw, ...]]]:
    """Condition and flaws of each text, which as a member of a pair may end with a mark of its own."""
    for name, texts in view.texts.items():
        for text in texts:
            if text.strip():
                yield name, text_flaws(text, mark_of_pair_member(view, text), view.own_marks)


RULES = tuple(ItemRule(code, severity, _checker(code)) for code, severity in _CODES.items())
