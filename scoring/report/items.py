"""The items of a report: which were analysed, who set which aside, what the linter found, and each one's values."""

from __future__ import annotations

from collections.abc import Mapping

from gapsmith.bank import ItemStatus
from gapsmith.scoring.analysis import Analysis, label
from gapsmith.scoring.analysis.results import CriterionResult
from gapsmith.scoring.observations import ItemKey
from gapsmith.scoring.report.numbers import NO_VALUE, bits, p_value, percent, plain, titled, unit_of
from gapsmith.scoring.report.tables import Table
from gapsmith.templates import count, first_of

_MOST_ITEMS = 100
_ENDS = 10
_MOST_LABELS = 12


def item_sentences(analysis: Analysis) -> tuple[str, ...]:
    """How many items there are, where they stand and how many were analysed."""
    items = analysis.items
    # Behind contexts, items that are not approved are none of the analysis; the restriction has counted them.
    decision = next((own for own in items.restrictions if own.kind == "decision"), None)
    n_all, decided = (items.n_total, items.n_total) if decision is None else (decision.n_in, decision.n_left)
    standing = ", ".join(f"{number:,} {status.value}" for status, number in items.by_status.items())
    others = [f"{number:,} {s.value}" for s, number in items.by_status.items() if s is not ItemStatus.APPROVED]
    if items.all_items:
        which = "The only item was" if items.n_total == 1 else f"All {items.n_total:,} items were"
        entry = "it" if items.n_total == 1 else "them"
        by = _left_out(analysis) or _people(analysis, "decided ")
        stand = f"{standing}; {by}" if standing else by
        done = "taken" if items.restrictions else "analysed"
        first = f"{which} {done}, whatever was decided of {entry} ({stand})."
    else:
        was = "was" if decided == 1 else "were"
        how = "; ".join(part for part in (approvals(analysis), ", ".join(others), _left_out(analysis)) if part)
        first = f"{count(decided, 'approved item')} of {n_all:,} {was} analysed ({how})."
    first += "".join(f" {own}." for own in items.restrictions if own.kind != "decision")
    unlike = "all" if items.n_distinct_texts == items.n_sentences else f"{items.n_distinct_texts:,} of them"
    holds = "It holds" if items.n_selected == 1 else "They hold"
    different = f", {unlike} different" if items.n_sentences > 1 else ""
    sentences = f"{holds} {count(items.n_sentences, 'sentence')}{different}."
    return (first, sentences, f"The linter's rules on words {analysis.account.looked}.")


def approvals(analysis: Analysis) -> str:
    """Who approved the analysed items: ``39 by policy clean, 2 by a person, 5 in packets or files, opened or not``;
    empty where some of that is not for the reader to see."""
    account = analysis.account
    if account.n_left_out:
        return ""
    policies = [f"{number:,} by policy {name}" for name, number in account.by_policy]
    return ", ".join([*policies, _people(analysis)])


def _left_out(analysis: Analysis) -> str:
    number = analysis.account.n_left_out
    return f"what others said of {count(number, 'item')} is left out" if number else ""


def _people(analysis: Analysis, decided: str = "") -> str:
    """How many items people decided on, by how they looked at them; `decided` is the verb, said once."""
    account = analysis.account
    elsewhere, number = account.n_elsewhere, account.n_unopened
    said = []
    # That no person opened any is said where no person decided either; else it reads as if none had.
    if account.n_by_person or not (elsewhere or number):
        said.append(f"{account.n_by_person:,} {decided}by a person")
    if elsewhere:
        here = account.n_elsewhere_and_here
        also = f" ({here:,} of them also here, unopened)" if here else ""
        said.append(f"{elsewhere:,} {'' if said else decided}in packets or files, opened or not{also}")
    if number:
        said.append(f"{number:,} {'' if said else decided}by people who did not open {'it' if number == 1 else 'them'}")
    return ", ".join(said)


def dataset_line(analysis: Analysis) -> str:
    """The data sets that are pooled, each with its number of items, and what people had to say of their files; empty where
    there is only one, of which nothing had to be said."""
    datasets = analysis.items.by_dataset
    lines = []
    if len(datasets) > 1:
        lines.append(f"Data sets: {', '.join(f'{name} (n = {number:,})' for name, number in datasets.items())}.")
    lines += [f"Of data set {name}: {'; '.join(told)}." for name, told in analysis.items.told.items() if told]
    return " ".join(lines)


def item_tables(analysis: Analysis) -> tuple[Table, ...]:
    """Who set what aside and why, what the linter found, and what setting aside did."""
    tables = []
    account = analysis.account
    if account.set_aside:
        rows = tuple(
            (
                row.status.value,
                row.reason or ("not decided yet" if row.status is ItemStatus.PENDING else "no reason given"),
                ", ".join(row.decided_by) or "–",
                f"{len(row.labels):,}",
                first_of(row.labels, _MOST_LABELS),
                " / ".join(row.comments) or "–",
            )
            for row in account.set_aside
        )
        caption = "Items that are not approved" + (", analysed all the same" if analysis.items.all_items else "")
        tables.append(Table(caption, ("status", "reason", "decided by", "items", "which", "comment"), rows, frozenset({3})))
    if account.findings:
        titles = account.titles
        found = tuple(
            (code, titles.get(code, "–"), severity.value, f"{number:,}", NO_VALUE if within is None else f"{within:,}")
            for code, severity, number, within in account.findings
        )
        columns = ("code", "finding", "severity", "items", "of them analysed")
        tables.append(Table("What the linter found", columns, found, frozenset({3, 4})))
    if account.of_sets:
        several = len({entry.dataset for entry in account.of_sets}) > 1
        whole = tuple(
            (
                *((entry.dataset,) if several else ()),
                entry.finding.code,
                entry.finding.title or "–",
                entry.finding.severity.value,
                entry.finding.message,
            )
            for entry in account.of_sets
        )
        said = (*(("data set",) if several else ()), "code", "finding", "severity", "what it says")
        tables.append(Table("What the linter found in the items as a whole", said, whole))
    return (*tables, *_comparison_tables(analysis))


def _comparison_tables(analysis: Analysis) -> list[Table]:
    if not analysis.comparisons:
        return []
    names = {result.contrast.name: label(result.contrast) for result in analysis.contrasts}
    rows = []
    for found in analysis.comparisons:
        entry = found.comparison
        removed = entry.n_first - entry.n_second
        hits = entry.successes_first - entry.successes_second
        sign = "> 0" if found.direction > 0 else "< 0"
        rest = entry.remainder
        rows.append(
            (
                f"{names[found.contrast]} {sign}",
                f"{percent(entry.successes_first / entry.n_first)} of {entry.n_first:,}",
                f"{percent(entry.successes_second / entry.n_second)} of {entry.n_second:,}",
                f"{percent(hits / removed)} of {removed:,}",
                plain(entry.test.statistic),
                p_value(entry.test.p),
                plain(rest.statistic if rest else None),
                p_value(rest.p if rest else None),
            )
        )
    notes = tuple(dict.fromkeys(caveat for found in analysis.comparisons for caveat in found.comparison.caveats))
    columns = ("", "all scored", "kept", "removed", "χ²(1) all, kept", "p", "χ²(1) kept, removed", "p")
    caption = "What setting items aside did to the shares (2x2 chi-square, df = 1, Yates' correction)"
    return [Table(caption, columns, tuple(rows), frozenset(range(1, 8)), notes)]


_TRUTH = {True: "holds", False: "does not", None: NO_VALUE}


BY_TOTAL_ONLY = "Values of single items are left out: they would tell which items others approved."


def value_table(analysis: Analysis) -> Table:
    """Every item's values; of more than a hundred items, the ends of the first contrast."""
    results = analysis.contrasts
    keys = [] if analysis.by_total_only else list(analysis.texts)
    caption = "Items and their values" + (f" ({unit_of(result.contrast.measure for result in results)})" if results else "")
    if len(keys) > _MOST_ITEMS and not results:
        keys = keys[:_MOST_ITEMS]
        caption = f"The first {_MOST_ITEMS} of {len(analysis.texts):,} items"
    elif len(keys) > _MOST_ITEMS:
        ranked = sorted(results[0].values, key=lambda key: results[0].values[key])
        keys = [*ranked[:_ENDS], *ranked[-_ENDS:]]
        by, unit = label(results[0].contrast), unit_of([results[0].contrast.measure])
        caption = f"The {_ENDS} lowest and the {_ENDS} highest of {len(analysis.texts):,} items by {by} ({unit})"
    # Of criteria about different items, one column has the same operand.
    measured: dict[str, list[Mapping[ItemKey, float]]] = {}
    for own in analysis.criteria:
        for name, values in measured_in(analysis, own).items():
            measured.setdefault(name, []).append(values)
    rows = tuple(
        (
            analysis.shown(key),
            analysis.texts[key],
            *(bits(result.values.get(key)) for result in results),
            *(bits(next((own[key] for own in some if key in own), None), sign=False) for some in measured.values()),
            *(cell for result in analysis.criteria for cell in (*_difference(result, key), _TRUTH[result.holds.get(key)])),
        )
        for key in keys
    )
    columns = (
        "item",
        "its first sentence",
        *(label(result.contrast) for result in results),
        *measured,
        *(
            name
            for result in analysis.criteria
            for own in [label(result.criterion)]
            for name in ([f"{own}: difference"] if result.difference else []) + [own]
        ),
    )
    notes = (BY_TOTAL_ONLY,) if analysis.by_total_only else _what_differs(analysis)
    words = {1, *(place for place, name in enumerate(columns) if name in {label(own.criterion) for own in analysis.criteria})}
    return Table(caption, columns, rows, frozenset(range(1, len(columns))) - words, notes)


def measured_in(analysis: Analysis, criterion: CriterionResult) -> dict[str, Mapping[ItemKey, float]]:
    """What a criterion compares, with its measure and unit, by item."""
    by = titled(analysis.options.measure or criterion.criterion.measure)
    return {f"{name}: {by}": values for name, values in criterion.measured.items()}


def _difference(result: CriterionResult, key: ItemKey) -> tuple[str, ...]:
    return (bits(result.difference.get(key)),) if result.difference else ()


def _what_differs(analysis: Analysis) -> tuple[str, ...]:
    """What the columns of differences take from what."""
    compared = [own for own in analysis.criteria if own.difference]
    return tuple(
        f"{label(own.criterion)}: holds where {own.criterion.formula}; difference: the left side minus the right side"
        for own in compared
    )
