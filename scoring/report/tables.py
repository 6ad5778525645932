"""The tables of an analysis as rows of text: the terminal, the Markdown and the HTML report show the same cells."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from gapsmith.scoring.analysis import (
    DELTA_LATE,
    FROZEN_LATE,
    TABLES,
    Analysis,
    Conclusion,
    ContrastPart,
    ContrastResult,
    CriterionResult,
    label,
)
from gapsmith.scoring.observations import ItemKey
from gapsmith.scoring.report.numbers import (
    NO_VALUE,
    bits,
    interval,
    p_value,
    percent,
    percent_interval,
    plain,
    plain_interval,
    share,
    titled,
    unit_of,
)
from gapsmith.scoring.report.sentences import parts_against
from gapsmith.stats import WANTED, Alternative, FixedWord, Result
from gapsmith.templates import CRITICAL_PLACE, DEFAULT_MEASURE, MEASURES, SENTENCE_PLACE, count, first_of, listed

_MOST_NAMED = 5
_MOST_CONTRASTS = 7
_SHOWN_ALONE = (
    "sentences shown one at a time, without their expected status. A rating is the mean over the sentences of the mean over "
    "their judges; the model's mean is over the n rated sentences that it has a value for, at the critical region."
)
EXPECTED = {-1: "< 0", 0: "–", 1: "> 0"}


@dataclass(frozen=True, slots=True)
class Table:
    """Cells as text, with a caption. `numeric` columns are aligned to the right."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: frozenset[int] = frozenset()
    notes: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    """Where the first cell of each row leads, empty for nowhere; none at all where no row leads anywhere."""

    @property
    def compact(self) -> bool:
        """Whether all cells are short, so that none needs to be broken into lines."""
        return all(len(cell) <= 28 for row in self.rows for cell in row)


def with_links(table: Table, links: Mapping[str, str], *, otherwise: str = "") -> Table:
    """The table with a link from every row whose first cell is among `links`; from the others to `otherwise`."""
    return replace(table, links=tuple(links.get(row[0], otherwise) if row[0] else "" for row in table.rows))


def contrast_tables(analysis: Analysis) -> list[Table]:
    """The wh-effects, other contrasts, and preferences with interactions, where the paradigm has them."""
    confidence = f"{100 * analysis.options.confidence:g}%"
    tables = []
    effects, choices, others = (analysis.of_kind(*kinds) for kinds in TABLES)
    if effects:
        tables.append(effect_table(f"wh-effects ({_unit(effects)})", effects, confidence))
    if choices:
        tables.append(accuracy_table(f"Preferences and interactions ({_unit(choices)})", choices, confidence))
    if others:
        tables.append(effect_table(f"Other contrasts ({_unit(others)})", others, confidence))
    return tables


def _unit(results: Sequence[ContrastResult]) -> str:
    return unit_of(result.contrast.measure for result in results)


def criteria_table(analysis: Analysis) -> Table | None:
    """The share of items for which each criterion holds, its Wilson interval and n; None where there are no criteria."""
    results = analysis.criteria
    if not results:
        return None
    # SyntaxGym's reading has a column only where it says something else.
    other = any(_differs(result) for result in results)
    rows = [
        (
            label(result.criterion),
            analysis.measured_as(result.criterion.measure),
            percent(result.share.estimate),
            bracketed(percent_interval(*(result.share.ci or (None, None))), result.words.may_repeat),
            f"{result.share.n:,}",
            f"{result.share.n_undefined:,}",
            *((_as_syntaxgym(result),) if other else ()),
        )
        for result in results
    ]
    columns = (
        "",
        "measure",
        "holds",
        f"Wilson {100 * analysis.options.confidence:g}%",
        "n",
        "undefined",
        *(("as SyntaxGym",) if other else ()),
    )
    notes = ["holds: share of items of which the criterion is true"]
    notes += bracket_notes(results)
    # What is said alike of several criteria is said once.
    said: dict[str, list[str]] = {}
    for result in results:
        for note in _said_of(analysis, result):
            said.setdefault(note, []).append(label(result.criterion))
    notes += [
        f"{'all' if _MOST_NAMED < len(names) == len(results) else first_of(names, _MOST_NAMED)}: {note}"
        for note, names in said.items()
    ]
    return Table("Criteria", columns, tuple(rows), frozenset({2, 3, 4, 5, 6} if other else {2, 3, 4, 5}), tuple(notes))


def _said_of(analysis: Analysis, result: CriterionResult) -> Iterator[str]:
    """What is to be said of a criterion below its table."""
    yield from (str(own) for own in result.restrictions if own.kind == "where")
    for entry in result.undefined:
        yield f"{count(entry.count, 'item')} without a value ({entry.condition}: {entry.reason})"
    if result.share.undefined:
        yield result.share.undefined
    if result.syntaxgym is not None and result.syntaxgym.lacking:
        yield _lacking(analysis, result)
    if _differs(result):
        yield _difference(analysis, result)
    elif (
        analysis.paradigm.regions
        and result.syntaxgym is not None
        and result.syntaxgym.n
        and not MEASURES.find(result.criterion.measure).additive
    ):
        yield f"as SyntaxGym reads *, the sum of each region's {result.criterion.measure}, it is the same" + (
            f" for the other {count(result.syntaxgym.n, 'item')}" if result.syntaxgym.lacking else ""
        )


def _differs(result: CriterionResult) -> bool:
    found = result.syntaxgym
    return found is not None and bool(found.differing)


def _as_syntaxgym(result: CriterionResult) -> str:
    found = result.syntaxgym
    return NO_VALUE if found is None or not found.n else share(found.n_holds, found.n)


def _difference(analysis: Analysis, result: CriterionResult) -> str:
    """What SyntaxGym would have said instead, and of which items."""
    assert result.syntaxgym is not None
    keys, by = result.syntaxgym.differing, result.criterion.measure
    return (
        f"SyntaxGym takes * as the sum of each region's {by}, here it is the {by} over the whole "
        f"sentence; the two do not agree for {count(len(keys), 'item')}{_named(analysis, keys)}"
    )


def _lacking(analysis: Analysis, result: CriterionResult) -> str:
    """Of which items SyntaxGym's reading says nothing, and why."""
    assert result.syntaxgym is not None
    lacking, by = result.syntaxgym.lacking, result.criterion.measure
    return (
        f"as SyntaxGym reads *, the sum of each region's {by}, there is no value for "
        f"{count(len(lacking), 'item')}, because a region has none ({next(iter(lacking.values()))})"
        f"{_named(analysis, tuple(lacking))}"
    )


def _named(analysis: Analysis, keys: Sequence[ItemKey]) -> str:
    """Which items these are, as far as the reader may know it."""
    return "" if analysis.by_total_only else ": " + first_of([analysis.shown(key) for key in keys], _MOST_NAMED)


def effect_table(caption: str, results: Sequence[ContrastResult], confidence: str) -> Table:
    """Mean, interval, t, df, p, dz, n and verdict of each contrast."""
    corrected = _corrected(results)
    rows = [
        (
            label(result.contrast),
            EXPECTED[result.contrast.expected],
            bits(result.estimate),
            bracketed(interval(*result.interval), is_doubted(result)),
            plain(result.statistic),
            degrees(result.df),
            *_p_cells(result, corrected),
            bracketed(bits(result.ttest.effect), result.words.may_repeat),
            f"{result.n_distinct:,}",
            result.verdict.value,
        )
        for result in results
    ]
    columns = (
        "",
        "exp",
        "mean",
        f"{confidence} CI",
        "t",
        "df",
        *_p_columns(corrected),
        "dz",
        "n",
        "verdict",
    )
    return Table(caption, columns, tuple(rows), frozenset(range(2, len(columns) - 1)), _test_notes(results, corrected))


_IN_BRACKETS = "in brackets: it takes the items for independent, and their words repeat"
UNKNOWN_WORDS = (
    "it takes the items for independent, and which words they have is not known; where they repeat, intervals are too narrow and p is too "
    "small"
)


NOT_CORRECTED = (
    "intervals are not corrected for several tests, so one may leave 0 out where its verdict, by p Holm, finds nothing"
)


def bracket_notes(results: Sequence[ContrastResult | CriterionResult]) -> list[str]:
    """Why something stands in brackets, where something does."""
    kinds = {result.words.kind for result in results if result.words.may_repeat}
    return ([_IN_BRACKETS] if kinds - {"unknown"} else []) + ([f"in brackets: {UNKNOWN_WORDS}"] if "unknown" in kinds else [])


def is_doubted(result: ContrastResult) -> bool:
    """Whether the first test takes items for independent that need not be."""
    return result.words.these is None and result.words.may_repeat


def _flips_p(flips: Result) -> str:
    """p of sign flips; ≤ where it is the smallest that the drawn assignments can give."""
    least = flips.p is not None and flips.details["method"] == "random" and flips.p * (flips.details["n_permutations"] + 1) < 1.5
    return f"≤ {p_value(flips.p)}" if least else p_value(flips.p)


def bracketed(text: str, repeats: bool) -> str:
    """In brackets what takes items for independent whose words repeat."""
    return f"({text})" if repeats and text != "–" else text


def accuracy_table(caption: str, results: Sequence[ContrastResult], confidence: str) -> Table:
    """Mean, share of items with the expected sign and its Wilson interval, t, df, p, n and verdict."""
    corrected = _corrected(results)
    rows = [
        (
            label(result.contrast),
            EXPECTED[result.contrast.expected],
            bits(result.estimate),
            percent(result.accuracy.estimate),
            bracketed(percent_interval(result.accuracy.ci_low, result.accuracy.ci_high), result.words.may_repeat),
            plain(result.statistic),
            degrees(result.df),
            *_p_cells(result, corrected),
            f"{result.n_distinct:,}",
            result.verdict.value,
        )
        for result in results
    ]
    columns = (
        "",
        "exp",
        "mean",
        "share",
        f"Wilson {confidence}",
        "t",
        "df",
        *_p_columns(corrected),
        "n",
        "verdict",
    )
    notes = ["share: items whose value has the expected sign (above 0 where exploratory), with Wilson's interval"]
    if any(result.accuracy.details["ties"] for result in results):
        rule = results[0].accuracy.details["tie_rule"]
        ties = ", ".join(f"{label(r.contrast)}: {r.accuracy.details['ties']:,}" for r in results if r.accuracy.details["ties"])
        how = "count as misses" if rule == "wrong" else "are left out of the share"
        notes.append(f"values of exactly 0 {how} ({ties})")
    notes += _test_notes(results, corrected)
    return Table(caption, columns, tuple(rows), frozenset(range(2, len(columns) - 1)), tuple(notes))


def _corrected(results: Sequence[ContrastResult]) -> bool:
    """Whether a correction changes any p."""
    return any(result.p_holm != result.p_raw for result in results if result.p_holm is not None)


def _p_columns(corrected: bool) -> tuple[str, ...]:
    return ("p", "p Holm") if corrected else ("p",)


def _p_cells(result: ContrastResult, corrected: bool) -> tuple[str, ...]:
    """Without a blank where two stand beside each other, so that a terminal of 80 columns has them."""
    cells = (p_value(result.p_raw), p_value(result.p_holm)) if corrected else (p_value(result.p_raw),)
    return tuple(bracketed(p.replace(" ", "") if corrected else p, is_doubted(result)) for p in cells)


def condition_table(analysis: Analysis) -> Table:
    """Mean, SD, interval and n of each condition at its critical region."""
    repeats = any(result.words.may_repeat for result in analysis.contrasts)
    rows = [
        (
            own.label,
            own.status,
            own.region,
            bits(own.result.estimate, sign=False),
            plain(own.result.sd),
            bracketed(plain_interval(own.result.ci_low, own.result.ci_high), repeats),
            f"{own.result.n:,}",
        )
        for own in analysis.conditions
    ]
    columns = ("condition", "status", "region", "M", "SD", f"{100 * analysis.options.confidence:g}% CI", "n")
    notes = ["n: distinct observations; conditions with different critical regions are measured on different words"]
    kept = dict.fromkeys(f"{one}, as in the contrasts" for own in analysis.conditions for one in own.restrictions)
    notes += kept
    if any(len(own.statuses) > 1 for own in analysis.conditions):
        notes.append(
            "status: what is expected differs between items; beside each, in how many sentences (those alike up to what is measured count once)"
        )
    notes += bracket_notes(analysis.contrasts) + _elsewhere(analysis)
    undefined = [f"{own.label} {own.result.n_undefined:,}" for own in analysis.conditions if own.result.n_undefined]
    if undefined:
        notes.append(f"items without a value: {', '.join(undefined)}")
    where = (
        "over the whole sentence" if all(own.region == "sentence" for own in analysis.conditions) else "at the critical region"
    )
    return Table(
        f"Conditions {where}: {titled(analysis.options.measure or DEFAULT_MEASURE)}",
        columns,
        tuple(rows),
        frozenset({3, 4, 5, 6}),
        tuple(notes),
    )


def _elsewhere(analysis: Analysis) -> list[str]:
    """Which contrasts are not of the numbers of the table of conditions, but of other places of the sentences."""
    if not any(own.region != "sentence" for own in analysis.conditions):
        return []
    found: dict[str, list[str]] = {}
    for result in analysis.contrasts:
        if places := places_apart(result):
            found.setdefault(places, []).append(label(result.contrast))
    return [f"{', '.join(names)}: not of these numbers but of {places}" for places, names in found.items()]


def places_apart(result: ContrastResult) -> str:
    """The places that a contrast is measured at, where these are not the critical region alone: ``the whole sentence``."""
    places = dict.fromkeys(term.place for term in result.contrast.terms)
    if set(places) == {CRITICAL_PLACE}:
        return ""
    return listed(["the whole sentence" if place == SENTENCE_PLACE else str(place) for place in places])


def rating_tables(analysis: Analysis) -> list[Table]:
    """What people said of the sentences alone beside what the model says of them, a table for each scale."""
    by = MEASURES.find(analysis.options.measure or DEFAULT_MEASURE)
    confidence = f"{100 * analysis.options.confidence:g}%"
    tables = []
    for scale in analysis.ratings:
        rows = [
            (
                own.label,
                own.status,
                plain(own.rating.estimate),
                plain_interval(own.rating.ci_low, own.rating.ci_high),
                f"{own.n_ratings:,}",
                plain(own.measure),
                f"{own.n_measured:,}",
            )
            for own in scale.conditions
        ]
        name = f"1 to {scale.points}" if scale.points is not None else "* = 1, ? = 2, ok = 3"
        rho = scale.correlation
        said = (
            f"Rank correlation of a sentence's mean rating and its {by.title}, over {rho.n:,} sentences: {rho.undefined}."
            if rho.estimate is None
            else f"Rank correlation of a sentence's mean rating and its {by.title}, over {rho.n:,} sentences of "
            f"{count(rho.n if rho.n_given is None else rho.n_given, 'item')}: rho = {bits(rho.estimate)}, {confidence} interval "
            f"{interval(rho.ci_low, rho.ci_high)} (leaving out one item after the other)."
        )
        tables.append(
            Table(
                f"Acceptability ({name}) beside {titled(by.name)}",
                ("condition", "status", "rating M", f"{confidence} CI", "ratings", f"{by.title} M", "n"),
                tuple(rows),
                frozenset({2, 3, 4, 5, 6}),
                (f"{count(scale.n_people, 'person', 'people')}; {_SHOWN_ALONE}", said),
            )
        )
    return tables


def more_tests(analysis: Analysis) -> Table:
    """Tests that do not lean on normality, beside the t tests, and the interval of dz."""
    rows = []
    for result in analysis.contrasts:
        signed, flips = result.wilcoxon, result.permutation
        dz = result.ttest.effect_ci
        rows.append(
            (
                label(result.contrast),
                bracketed(
                    NO_VALUE if dz is None or result.words.repeats else f"{bits(result.ttest.effect)} {interval(*dz)}",
                    result.words.may_repeat,
                ),
                plain(signed.statistic, 1),
                bracketed(p_value(signed.p), result.words.may_repeat),
                plain(signed.effect),
                signed.details["method"],
                bracketed(_flips_p(flips), result.words.may_repeat),
                f"{flips.details['n_permutations']:,} {flips.details['method']}",
            )
        )
    columns = ("", "dz", "W+", "p", "rank r", "method", "p flips", "sign flips")
    caption = "Without normality: Wilcoxon's signed ranks and sign flips of the same values"
    notes = ["rank r: matched-pairs rank-biserial correlation, from -1 to 1; p for the same alternative as the t test"]
    if any(_flips_p(result.permutation).startswith("≤") for result in analysis.contrasts):
        notes.append("≤: no drawn assignment was as extreme, so p is the smallest that so many can give")
    notes += bracket_notes(analysis.contrasts)
    return Table(caption, columns, tuple(rows), frozenset({1, 2, 3, 4, 6}), tuple(notes))


def parts_table(result: ContrastResult) -> Table | None:
    """The contrast taken apart, one pair of rows for each way to do it; None where it cannot be."""
    if not result.paths:
        return None
    repeats = any(part.test is not part.ttest for path in result.paths for part in path)
    rows = [
        _part_row(part, "" if position else f"way {number}", repeats)
        for number, path in enumerate(result.paths, start=1)
        for position, part in enumerate(path)
    ]
    columns = (
        "",
        "changes",
        "held",
        "mean",
        *(("model",) if repeats else ()),
        f"{100 * result.ttest.confidence:g}% CI",
        "t",
        "p",
        f"share {EXPECTED[result.accuracy.details['direction']]}",
    )
    total = f"{bits(result.ttest.estimate)} {_unit([result])}"
    caption = f"{label(result.contrast)} taken apart: in either way, the two parts add up to {total}"
    notes = [f"p: of the change in {label(result.contrast)}'s value when the factor changes; not corrected for several tests"]
    if repeats:
        notes.append("mean: over the items; model, interval, t and p: by the words that repeat")
    if against := parts_against(result):
        notes.append(against)
    return Table(caption, columns, tuple(rows), frozenset(range(3, len(columns))), tuple(notes))


def _part_row(part: ContrastPart, way: str, repeats: bool) -> tuple[str, ...]:
    test = part.test
    return (
        way,
        part.plan.changes,
        f"{part.plan.holds} at {part.plan.at}",
        bits(part.ttest.estimate),
        *((bits(test.estimate),) if repeats else ()),
        interval(test.ci_low, test.ci_high),
        plain(test.statistic),
        p_value(test.p),
        share(part.accuracy.details["successes"], part.accuracy.n),
    )


def degrees(value: float | None) -> str:
    """Degrees of freedom: whole for a t test, with one decimal for a mixed model."""
    return plain(value, 0 if value is None or float(value).is_integer() else 1)


def _test_notes(results: Sequence[ContrastResult], corrected: bool) -> tuple[str, ...]:
    """What a reader has to know about the p values and the missing items of these rows."""
    notes = ["exp: the side that knowledge of the grammar predicts"]
    notes += _sides(results)
    fewer = [label(result.contrast) for result in results if result.n_distinct < result.n_items]
    if fewer:
        which = "" if len(fewer) == len(results) else f" for {', '.join(fewer)}"
        notes.append(f"n: distinct observations, fewer than the items{which}")
    notes += bracket_notes(results)
    if corrected:
        follow = "it" if results[0].by_holm else "p"
        notes.append(f"p Holm: corrected over {_families(results)}; verdicts follow {follow}")
        # Only tables that show intervals of means, or shares, have a reader who could hold them against a verdict.
        notes.append(NOT_CORRECTED)
    if unlike := [label(result.contrast) for result in results if result.verdict is Conclusion.UNLIKE]:
        notes.append(f"no verdict of {', '.join(unlike)}: different words are compared")
    for places in dict.fromkeys(filter(None, map(places_apart, results))):
        notes.append(f"measured on {places}: {', '.join(label(r.contrast) for r in results if places_apart(r) == places)}")
    notes += _scope_notes(results)
    notes += [f"{label(result.contrast)}: {against}" for result in results if (against := parts_against(result))]
    if len({frozenset(result.values) for result in results}) > 1:
        notes.append(
            "the contrasts are not over the same items: each takes those that have a value for it; --complete takes those that "
            "have all"
        )
    measures = {result.contrast.measure for result in results}
    alike = len(measures) == 1 < len(results)
    if alike and measures != {DEFAULT_MEASURE}:
        notes.append(f"differences in {titled(*measures)}")
    for result in results:
        notes += [f"{label(result.contrast)}: {own}" for own in result.restrictions if own.kind == "where"]
        if not alike and result.contrast.measure != DEFAULT_MEASURE:
            notes.append(f"{label(result.contrast)}: differences in {titled(result.contrast.measure)}")
        for undefined in result.undefined:
            notes.append(
                f"{label(result.contrast)}: {undefined.count:,} without a value ({undefined.condition}: {undefined.reason})"
            )
    return tuple(notes)


_SIDED: Mapping[Alternative, str] = {
    "two-sided": "two-sided",
    "less": "one-sided, below 0",
    "greater": "one-sided, above 0",
}


def _sides(results: Sequence[ContrastResult]) -> list[str]:
    """Which side p is about, and what a mean is of."""
    by_side: dict[Alternative, list[str]] = {}
    for result in results:
        by_side.setdefault(result.alternative, []).append(label(result.contrast))
    if set(by_side) == {"two-sided"}:
        found = ["p two-sided"]
    else:
        several = len(by_side) > 1
        said = [_SIDED[side] + (f": {', '.join(names)}" if several else "") for side, names in by_side.items()]
        found = [f"p {'; '.join(said)}; intervals two-sided"]
    away = [
        label(r.contrast)
        for r in results
        if r.alternative != "two-sided"
        and r.estimate is not None
        and (r.estimate > 0) is (r.alternative == "less")
        and r.estimate
    ]
    if away:
        found.append(f"{', '.join(away)}: the mean is on the other side, of which a one-sided test says nothing")
    modelled = [label(r.contrast) for r in results if r.words.these is not None]
    if modelled:
        which = "" if len(modelled) == len(results) else f" of {', '.join(modelled)}"
        rest = "" if len(modelled) == len(results) else "; of the others over the items"
        found.append(f"mean{which}: of the model of words{rest}")
    return found


def _scope_notes(results: Sequence[ContrastResult]) -> list[str]:
    """What each verdict speaks for, those that speak for the same together."""
    said: dict[str, list[str]] = {}
    for result in results:
        if result.verdict is Conclusion.DESCRIBED:
            text = f"described, no verdict: {result.words.why}"
        elif result.words.kind == "items" and result.words.kinds:
            text = result.main.scope
        elif result.words.these is not None:
            text = result.main.scope + (", all of them estimated as not varying by word" if result.words.none_vary else "")
        else:
            continue
        said.setdefault(text.rstrip("."), []).append(label(result.contrast))
    if len(said) == 1 and len(next(iter(said.values()))) == len(results):
        return list(said)
    return [f"{', '.join(names)}: {text}" for text, names in said.items()]


def lines_table(analysis: Analysis) -> Table | None:
    """What each contrast says for these words, for other words too, and with the words taken as given; None where none repeat."""
    rows = []
    notes: dict[str, list[str]] = {}
    wider = any(r.words.others is not None and "half_width_wanted" in r.words.others.details for r in analysis.contrasts)
    for result in analysis.contrasts:
        words, named = result.words, label(result.contrast)
        if words.these is None:
            continue
        # Where no word is held fixed, none is named that the mean would be of.
        lines = [("these words" if words.of_use("fixed") else "other words", words.these)]
        # Without an interval nothing is said of other words, and a mean there would be that of these.
        lines += [("other words too", words.others)] if words.others is not None and words.others.ci is not None else []
        lines.append(("items alone", result.ttest))
        for number, (says, own) in enumerate(lines):
            # Over a few sampled words there is an estimate, and no verdict.
            test = ("–", degrees(own.df), "–") if own is words.others else _tested(own)
            more = own.details.get("half_width_wanted") if own is words.others else None
            cells = (bits(own.estimate), interval(own.ci_low, own.ci_high), *test)
            rows.append(
                ("" if number else named, says, *cells, *((NO_VALUE if more is None else f"± {more:.2f}",) if wider else ()))
            )
        for use in words.of_use("left out"):
            notes.setdefault(f"not in the model, since {use.why}: {', '.join((use.name, *use.also))}", []).append(named)
        for slot in words.zero:
            notes.setdefault(f"in the model, and estimated as not varying by word: {slot}", []).append(named)
        if words.others is not None:
            reason = f"no verdict over other words: {words.few}" if words.others.ci is not None else words.others.undefined or "–"
            notes.setdefault(f"{reason[0].lower()}{reason[1:].rstrip('.')}", []).append(named)
    if not rows:
        return None
    columns: tuple[str, ...] = ("", "speaks for", "mean", f"{100 * analysis.options.confidence:g}% CI", "t", "df", "p")
    first = ["the verdict follows the first line of each contrast; items alone: the t test, which takes them for independent"]
    if wider:
        columns = (*columns, f"at {WANTED}")
        first.append(f"at {WANTED}: half the interval over other words, were there {WANTED} words where there are three to five")
    said = (f"{', '.join(names)}: {note}" for note, names in notes.items())
    numeric = frozenset(range(2, len(columns)))
    return Table("What the means speak for", columns, tuple(rows), numeric, (*first, *said))


def absence_table(analysis: Analysis) -> Table | None:
    """What speaks against an effect of δ; None where no contrast has a δ."""
    rows = []
    for result in analysis.contrasts:
        if result.contrast.delta is None:
            continue
        own = result.absence
        if own is None:
            rows.append((label(result.contrast), plain(result.contrast.delta), *(NO_VALUE,) * 5, result.verdict.value))
            continue
        factors = [odds(log) for log in (own.log_bayes_factor, *(log for _, log in own.around))]
        rows.append(
            (
                label(result.contrast),
                plain(own.delta),
                interval(*own.interval),
                p_value(own.p),
                factors[0],
                factors[1],
                factors[2],
                result.verdict.value,
            )
        )
    if not rows:
        return None
    columns = ("", "δ", "90% CI", "p of < δ", "BF", "δ/2", "2δ", "verdict")
    factor = (
        "BF: how much likelier the mean is under an effect of about δ than under none (prior: Normal(0, δ), half of it on the "
    )
    file = "the paradigm's file"
    plan = f"the plan, {FROZEN_LATE}," if analysis.plan is not None and analysis.plan.late else "the plan"
    notes = (
        f"δ: the smallest effect that matters, as {file if analysis.plan is None else plan} says",
        "p of < δ: of two one-sided tests; absent: the 90% interval is inside ±δ, or short of δ on the predicted side",
        f"{factor}predicted side); beside it with half and twice that width",
        *(
            f"{listed(late)}: {DELTA_LATE}"
            for late in [[label(own.contrast) for own in analysis.contrasts if own.delta_late]]
            if late
        ),
    )
    return Table(f"Is there an effect of δ? ({_unit(analysis.contrasts)})", columns, tuple(rows), frozenset(range(1, 7)), notes)


def odds(log: float) -> str:
    """A Bayes factor of that natural logarithm, with two digits; below 1 as 1 / it."""
    size = math.exp(min(abs(log), 700))
    shown = "> 1e6" if size > 1e6 else f"{size:,.0f}" if size >= 100 else f"{size:.2g}" if size >= 10 else f"{size:.1f}"
    return shown if log >= 0 else f"1/{shown}" if size <= 1e6 else "< 1e-6"


def _tested(own: Result) -> tuple[str, str, str]:
    return plain(own.statistic), degrees(own.df), p_value(own.p)


def fixed_word_tables(analysis: Analysis) -> list[Table]:
    """The means by word that is held fixed, those of the model where there is one, and how many of them have the sign: a table for each slot
    and some contrasts; and the means by the slots that items have, where not all have the same."""
    if analysis.by_total_only:
        # A word that few items have tells whether these are among the approved ones.
        return []
    slots = dict.fromkeys(own.slot for result in analysis.contrasts for own in result.words.fixed)
    found = []
    for slot in slots:
        for modelled in (True, False):
            having = [
                (r, {own.word: own for own in r.words.fixed if own.slot == slot})
                for r in analysis.contrasts
                if r.words.modelled is modelled
            ]
            having = [(result, words) for result, words in having if words]
            for start in range(0, len(having), _MOST_CONTRASTS):
                found.append(_fixed_word_table(slot, having[start : start + _MOST_CONTRASTS], modelled=modelled))
    return [*found, *_kind_tables(analysis)]


def _fixed_word_table(slot: str, some: Sequence[tuple[ContrastResult, Mapping[str, FixedWord]]], *, modelled: bool) -> Table:
    words = sorted({word for _, own in some for word in own})
    rows = [(word or "none", *(bits(own[word].best) if word in own else NO_VALUE for _, own in some)) for word in words]
    signs = [result.accuracy.details["direction"] for result, _ in some]
    hits = [sum(one.best * sign > 0 for one in own.values()) for (_, own), sign in zip(some, signs, strict=True)]
    predicted = [bool(result.contrast.expected) for result, _ in some]
    counted = zip(hits, some, predicted, strict=True)
    rows.append(("with the sign", *(f"{n} of {len(own)}" if has_sign else NO_VALUE for n, (_, own), has_sign in counted)))
    sides = ", ".join(
        f"{label(result.contrast)} {EXPECTED[sign]}"
        for (result, _), sign, has_sign in zip(some, signs, predicted, strict=True)
        if has_sign
    )
    if not sides:
        rows.pop()
    whose = "means of the model" if modelled else "raw means of items"
    how = ("of the model: the other fixed words weigh alike",) if modelled else ()
    return Table(
        f"By word of {slot}, held fixed: {whose} ({_unit([result for result, _ in some])})",
        ("", *(label(result.contrast) for result, _ in some)),
        tuple(rows),
        frozenset(range(1, len(some) + 1)),
        (*how, *((f"the sign that is expected: {sides}",) if sides else ())),
    )


def _kind_tables(analysis: Analysis) -> list[Table]:
    """The mean of each kind of items, where some have slots that others lack; each kind counts alike in the mean of a model of words."""
    rows = [
        (label(result.contrast) if not number else "", own.named, bits(own.mean), f"{own.n:,}")
        for result in analysis.contrasts
        for number, own in enumerate(result.words.kinds)
    ]
    if not rows:
        return []
    caption = f"By kind of item: raw mean over the items that have the same slots ({_unit(analysis.contrasts)})"
    return [Table(caption, ("", "items", "mean", "n"), tuple(rows), frozenset({2, 3}), ("n: distinct observations",))]


def _families(results: Sequence[ContrastResult]) -> str:
    return ", ".join(dict.fromkeys(result.family for result in results if result.family))


def render_text(table: Table, *, width: int = 80) -> str:
    """The table as lines for a terminal, columns two spaces apart, or one where it would be wider than `width`."""
    lines = [table.columns, *table.rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(table.columns))]
    gap = "  " if sum(widths) + 2 * (len(widths) - 1) <= width else " "
    shown = [table.caption]
    for line in lines:
        cells = (cell.rjust(widths[i]) if i in table.numeric else cell.ljust(widths[i]) for i, cell in enumerate(line))
        shown.append(gap.join(cells).rstrip())
    return "\n".join(shown) + "\n"
