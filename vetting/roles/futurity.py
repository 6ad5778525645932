"""Which slots stand in a clause about the future, judged by what comes before them."""

from __future__ import annotations

from collections.abc import Mapping

from gapsmith.templates import Paradigm, slots_in

_MARKS = ("going to", "will", "about to")


def future_slots(paradigm: Paradigm) -> Mapping[str, bool]:
    """Slot name to whether a linker slot, or fixed words such as *is going to*, stand before it in the sentence."""
    future = False
    found: dict[str, bool] = {}
    for region in paradigm.regions:
        for condition in paradigm.conditions:
            text = condition.regions.get(region.name, "")
            for name in slots_in(text):
                found.setdefault(name, future)
                future = future or paradigm.slot_by_name[name].role == "linker"
            future = future or any(f" {mark} " in f" {text} " for mark in _MARKS)
    return found
