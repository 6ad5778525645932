"""What more items, words or models would show: as tables, and as curves."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from gapsmith.scoring.analysis import ContrastPower, label
from gapsmith.scoring.report.drawing import Drawing, draw, figure_name
from gapsmith.scoring.report.numbers import NO_VALUE, minus, percent, plain, unit_of
from gapsmith.scoring.report.style import DARK, GREY, INK, PAIR
from gapsmith.scoring.report.tables import Table
from gapsmith.templates import listed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MARKERS = "osD^vPX*"
_LINES = ("-", (0, (5, 2)), (0, (1, 1)), (0, (5, 1, 1, 1)))
_COLORS = (DARK, str(PAIR[1]["color"]), INK, GREY)


def power_tables(found: Sequence[ContrastPower], power: float) -> list[Table]:
    """The smallest effect that numbers of items, and of models where these are a sample, find; and, where an effect is asked for, with
    what chance, and the items, words and models that find it."""
    unit = unit_of(own.contrast.measure for own in found)
    notes = []
    if any(not own.reason for own in found):
        notes.append("∞: ever more items with the words that there are; a band: all variances at the ends of their 80% intervals")
        notes.append("one test by itself: correction for several tests takes more items")
    rows: list[tuple[str, ...]] = []
    scopes: dict[str, list[str]] = {}
    bounds: dict[tuple[str, ...], list[str]] = {}
    said: dict[str, list[str]] = {}
    asked = [own for own in found if own.effect is not None and not own.reason]
    for own in found:
        if own.reason:
            notes.append(f"{label(own.contrast)}: nothing can be said, since {own.reason[0].lower()}{own.reason[1:]}")
            continue
        for at in own.sizes:
            cells = (_number(at.n), f"± {plain(at.half_width)}", plain(at.smallest), _band(at.band), _chance(at.power))
            rows.append((label(own.contrast) if at is own.sizes[0] else "", *cells))
        scopes.setdefault(own.scope, []).append(label(own.contrast))
        for about in _of_items(own):
            said.setdefault(about, []).append(label(own.contrast))
        if own.bounds:
            bounds.setdefault(own.bounds, []).append(label(own.contrast))
    notes += [f"{', '.join(names)}: {scope}" for scope, names in scopes.items() if scope]
    notes += [
        f"{', '.join(names)}: estimated as 0, and taken at the upper end of {'its' if len(slots) == 1 else 'their'} 80% interval: "
        f"{listed(slots)}"
        for slots, names in bounds.items()
    ]
    notes += [f"{', '.join(names)}: {about}" for about, names in said.items()]
    tables = []
    if rows:
        columns = ("", "items", "interval", f"found with {power:.0%}", "band", "chance")
        caption = f"The smallest effect that is found ({unit})"
        tables.append(_without_last(Table(caption, columns, tuple(rows), frozenset({1, 2, 3, 4, 5}), tuple(notes)), bool(asked)))
    if any(own.by_models for own in found):
        tables.append(_without_last(_by_models(found, power, unit), bool(asked)))
    if asked:
        tables.append(_needed(asked, power, unit))
    if not tables:
        tables.append(Table("The smallest effect that is found", ("",), (), frozenset(), tuple(notes)))
    return tables


def _of_items(own: ContrastPower) -> Iterator[str]:
    """What is to be known of the items that are counted, and of words whose variance the pilot does not tell."""
    if own.restrictions:
        yield f"{'; '.join(map(str, own.restrictions))}. Items are counted after that"
    if not own.words_known:
        yield "which words the items have is not known: what these do is taken for what items do, and ∞ for ever more words, too"
    elif own.own_words:
        yield (
            f"each item, or nearly each, has its own word of {listed(own.own_words)}: what these do is within what items do, and ∞ is for ever "
            "more of these words, too"
        )


def _without_last(table: Table, keep: bool) -> Table:
    """The table without its last column, which is of an effect, where none is asked for."""
    if keep:
        return Table(table.caption, table.columns, table.rows, table.numeric, (*table.notes, "chance: that the effect is found"))
    last = len(table.columns) - 1
    return Table(
        table.caption, table.columns[:last], tuple(row[:last] for row in table.rows), table.numeric - {last}, table.notes
    )


def _by_models(found: Sequence[ContrastPower], power: float, unit: str) -> Table:
    rows = []
    for own in found:
        for at in own.by_models:
            name = label(own.contrast) if at is own.by_models[0] else ""
            cells = (f"± {plain(at.half_width)}", plain(at.smallest), _band(at.band), _chance(at.power))
            rows.append((name, _number(at.models), *cells))
    ns = dict.fromkeys(f"{own.n:,}" for own in found if own.by_models)
    return Table(
        f"The same over other numbers of models, with {' or '.join(ns)} items ({unit})",
        ("", "models", "interval", f"found with {power:.0%}", "band", "chance"),
        tuple(rows),
        frozenset({1, 2, 3, 4, 5}),
        ("∞: ever more models of the kind, with the items that there are",),
    )


def _needed(found: Sequence[ContrastPower], power: float, unit: str) -> Table:
    rows = []
    over = any(own.by_models for own in found)
    for own in found:
        enough = [f"{one.slot}: {one.n_needed:,} (now {plain(one.n_now, 0)})" for one in own.words if one.n_needed is not None]
        words = ", or ".join(enough) or ("more words in several slots" if own.n_needed is None and own.words else NO_VALUE)
        band = " to ".join(_items(n) for n in own.n_band)
        models = (_items(own.models_needed),) if over else ()
        rows.append((label(own.contrast), plain(own.effect), _items(own.n_needed), band, *models, words))
    return Table(
        f"Items that find an effect with {power:.0%} ({unit})",
        ("", "effect", "items", "band", *(("models",) if over else ()), "words that would do"),
        tuple(rows),
        frozenset({1, 2}),
        (
            "none: the words" + (" or the models" if over else "") + " are too few for any number of items",
            *(
                ("models: so many find it with the items that there are; none: the items or their words are too few",)
                if over
                else ()
            ),
        ),
    )


def _items(n: int | None) -> str:
    return "none" if n is None else f"{n:,}"


def _number(n: float) -> str:
    return "∞" if math.isinf(n) else f"{n:,.0f}"


def _band(ends: tuple[float, float]) -> str:
    return f"{plain(ends[0])} to {plain(ends[1])}"


def _chance(power: float | None) -> str:
    return NO_VALUE if power is None else percent(power)


def power_figure(title: str, found: Sequence[ContrastPower], power: float) -> Drawing | None:
    """The smallest effect over the number of items, with its band and, dotted, what no number of items changes; beside it the chance that
    the effect is found, where one is asked for. None where nothing can be said of any contrast."""
    shown = [own for own in found if own.sizes and not own.reason]
    if not shown:
        return None
    unit = unit_of(own.contrast.measure for own in shown)
    asked = [own for own in shown if own.effect is not None]
    alt = f"The smallest effect in {unit} that is found with {power:.0%}, over the number of items. " + " ".join(
        f"{label(own.contrast)}: {', '.join(f'{plain(at.smallest)} with {_number(at.n)}' for at in own.sizes)}." for own in shown
    )
    if asked:
        alt += " The chance that the effect is found. " + " ".join(
            f"{label(own.contrast)}, {plain(own.effect)}: {', '.join(f'{_chance(at.power)} with {_number(at.n)}' for at in own.sizes)}."
            for own in asked
        )

    def paint(figure: Figure) -> None:
        plots = figure.subplots(1, 2 if asked else 1, squeeze=False)[0]
        for number, own in enumerate(shown):
            style = {
                "color": _COLORS[number % len(_COLORS)],
                "marker": _MARKERS[number % len(_MARKERS)],
                "linestyle": _LINES[number // len(_COLORS) % len(_LINES)],
                "markersize": 4,
            }
            points = [at for at in own.sizes if not math.isinf(at.n)]
            x = [at.n for at in points]
            plots[0].plot(x, [at.smallest for at in points], label=minus(label(own.contrast)), **style)
            # An effect of no size has no place on this scale.
            low = [max(at.band[0], at.smallest / 100) for at in points]
            plots[0].fill_between(x, low, [at.band[1] for at in points], color=style["color"], alpha=0.12, linewidth=0)
            for at in own.sizes:
                if math.isinf(at.n) and at.smallest > 0:
                    plots[0].axhline(at.smallest, color=style["color"], linewidth=0.8, linestyle=(0, (1, 2)))
            if own.effect is not None:
                plots[1].plot(
                    x,
                    [at.power for at in points if at.power is not None],
                    label=f"{minus(label(own.contrast))}, {own.effect:g}",
                    **style,
                )
        _axes(plots[0], [at.n for own in shown for at in own.sizes])
        plots[0].set_yscale("log")
        plots[0].yaxis.set_major_formatter(lambda value, _: f"{value:g}")
        plots[0].yaxis.set_minor_formatter(lambda _, __: "")
        plots[0].set_ylabel(f"smallest effect found with {power:.0%}, {unit}")
        if asked:
            _axes(plots[1], [at.n for own in asked for at in own.sizes])
            plots[1].axhline(power, color=INK, linewidth=0.8, linestyle=(0, (1, 2)))
            plots[1].set_ylim(0, 1.02)
            plots[1].set_ylabel("chance that the effect is found")

    name = figure_name("power", title)
    return draw(name, f"What more items would show: {title}", alt, size=(10.4 if asked else 6.4, 4.4), paint=paint)


def _axes(axes: Axes, sizes: Iterable[float]) -> None:
    ticks = sorted({n for n in sizes if not math.isinf(n)})
    axes.set_xscale("log")
    axes.set_xticks(ticks, [f"{n:g}" for n in ticks])
    axes.set_xticks([], minor=True)
    axes.set_xlabel("items")
    axes.legend(fontsize=8)
