"""What contrasts, criteria and items are called on screen."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable

from gapsmith.scoring.observations import ItemKey
from gapsmith.templates import Contrast, Criterion


def label(contrast: Contrast | Criterion) -> str:
    """The name of a contrast or criterion as the literature writes it, where its title begins with one (``Delta(+F): …``)."""
    start = contrast.title.split(": ", 1)[0]
    return start if start != contrast.title and len(start) <= 10 and " " not in start else contrast.name


def item_name(key: ItemKey, *, several: bool) -> str:
    """What an item is called on screen: its label, after its data set where there are several."""
    return f"{key.dataset}/{key.label}" if several else key.label


def item_names(keys: Iterable[ItemKey], *, several: bool) -> dict[ItemKey, str]:
    """What items are called where a name has to be that of one item: where two would have one name, as ``a/b`` of the set ``a`` and
    ``b`` of a set ``a/…``, both parts are in quotes."""
    every = list(keys)
    often = Counter(item_name(key, several=several) for key in every)
    names = {}
    for key in every:
        name = item_name(key, several=several)
        names[key] = name if often[name] == 1 else " ".join(json.dumps(part, ensure_ascii=False) for part in key)
    return names


def about(contrast: Contrast | Criterion) -> str:
    """What its title says after its formula or name; its name where it has no title."""
    return contrast.title.split(": ", 1)[-1] or contrast.name
