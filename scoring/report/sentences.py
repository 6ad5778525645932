"""What contrasts and criteria came to, in whole sentences: the only place that says it. Every sentence follows from the results
it is given; none is fixed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import median

from gapsmith.scoring.analysis import (
    WORDS_UNKNOWN,
    Analysis,
    Conclusion,
    ContrastPart,
    ContrastResult,
    CriterionResult,
    WordsLeft,
    about,
    label,
)
from gapsmith.scoring.report.numbers import bits, interval, percent, percent_interval, unit_of
from gapsmith.templates import SENTENCE_PLACE, Comparison, Criterion, Operand, Paradigm, count, first_of, listed

_MARKS = {
    Conclusion.AS_EXPECTED: "✓",
    Conclusion.OPPOSITE: "✗",
    Conclusion.NO_EVIDENCE: "○",
    Conclusion.SMALL: "◇",
    Conclusion.ABSENT: "□",
    Conclusion.UNDECIDED: "○",
    Conclusion.ABOVE: "▲",
    Conclusion.BELOW: "▼",
    Conclusion.DESCRIBED: "·",
    Conclusion.UNLIKE: "·",
    Conclusion.UNDEFINED: "–",
}
_SILENT = (Conclusion.UNDEFINED, Conclusion.DESCRIBED, Conclusion.UNLIKE)
"""What says nothing of a prediction."""
_SIDES = {-1: "below", 1: "above"}
_NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


class PatternVerdict(StrEnum):
    """Whether a model shows the pattern that a paradigm tests."""

    SHOWN = "shown"
    PARTLY = "shown in part"
    NOT_SHOWN = "not shown"
    UNTESTED = "not tested"
    COUNTED = "counted"
    """The paradigm predicts no sign of a contrast; what it has are criteria, which are counted."""
    SELECTION = "a selection"
    """Only some of the paradigm's contrasts were asked for, so nothing is said of its pattern."""


@dataclass(frozen=True, slots=True)
class Headline:
    """A paradigm's result in one word and one or two sentences."""

    paradigm: str
    title: str
    model: str
    finding: PatternVerdict
    sentence: str
    over: str = ""
    """The items that everything counted is about, where these are not all: ``the 10 of 40 items with depth = 0``."""
    counted: str = ""
    """How often its criteria hold, in short, where it has nothing else."""
    but: str = ""
    """What the title alone would hide, in short: what the cells cannot tell apart, a word that it hangs on, words that are left out or
    unknown."""


def verdict_mark(verdict: Conclusion) -> str:
    """A sign that stands for a verdict without colour."""
    return _MARKS[verdict]


def outcome_of(analysis: Analysis) -> Headline:
    """Whether the model shows what the paradigm predicts.

    The predictions are the wh-effects with an expected sign, or, where there are none, the other contrasts with one that
    compare the same words.
    Shown: all came out as expected. Not shown: none did, or one ran the other way. Else: shown in part. Where there are
    criteria alone, it is said how often they hold. Where only some of the contrasts were asked for, nothing is said of the
    paradigm's pattern. What has an expected sign and is not counted is named, and so are the items where not all are in a test.
    """
    if analysis.selected:
        said = [_of_selection(analysis.contrasts)] if analysis.contrasts or not analysis.criteria else []
        sentence = " ".join([*said, *([_of_criteria(analysis)] if analysis.criteria else [])])
        told = _reserves(analysis, [r for r in analysis.contrasts if r.verdict not in _SILENT])
        sentence = " ".join([sentence, *(own.sentence for own in told)])
        but = "; ".join(own.short for own in told)
        return Headline(
            analysis.paradigm.name, analysis.title, analysis.scorer.model, PatternVerdict.SELECTION, sentence, but=but
        )
    predicted = [r for r in analysis.of_kind("wh-effect") if r.contrast.expected]
    what = "wh-effect"
    if not predicted:
        # A contrast of different words says as much of the words as of the grammar.
        predicted = [r for r in analysis.contrasts if r.contrast.expected and not r.n_unlike]
        what = "contrast"
    tested = [r for r in predicted if r.verdict not in _SILENT]
    right = [r for r in tested if r.verdict is Conclusion.AS_EXPECTED]
    opposite = [r for r in tested if r.verdict is Conclusion.OPPOSITE]
    of = f"{_number(len(tested))} predicted {what}s"
    over = _over(tested)
    which = f" in {over}" if over else ""
    scope = _speaks_for(tested)
    model, title = analysis.scorer.model, analysis.title
    if not predicted and analysis.criteria:
        finding, sentence = PatternVerdict.COUNTED, _of_criteria(analysis)
    elif not tested:
        finding, sentence = PatternVerdict.UNTESTED, f"No prediction of “{title}” could be tested with {model}."
    elif len(right) == len(tested):
        every = {1: f"the predicted {what} {label(tested[0].contrast)}", 2: f"both predicted {what}s"}.get(
            len(tested), f"all {of}"
        )
        finding = PatternVerdict.SHOWN
        sentence = f"{model} shows the pattern that “{title}” tests{which}: {every} came out as expected{scope}."
    elif not right or opposite:
        finding = PatternVerdict.NOT_SHOWN
        sentence = f"{model} does not show the pattern that “{title}” tests{which}: {_breakdown(tested, what, of)}{scope}."
    else:
        finding = PatternVerdict.PARTLY
        sentence = f"{model} shows the pattern that “{title}” tests only in part{which}: {_breakdown(tested, what, of)}{scope}."
    told = _reserves(analysis, tested)
    sentence = " ".join([sentence, *(own.sentence for own in told)])
    if tested:
        sentence += _not_counted(analysis, predicted) + _untested_items(analysis)
    counted = _counted(analysis) if finding is PatternVerdict.COUNTED else ""
    return Headline(analysis.paradigm.name, title, model, finding, sentence, over, counted, "; ".join(own.short for own in told))


@dataclass(frozen=True, slots=True)
class _Reserve:
    """What has to be said beside a verdict, whole and in short."""

    sentence: str
    short: str


def _reserves(analysis: Analysis, counted: Sequence[ContrastResult]) -> list[_Reserve]:
    """What the verdicts of these contrasts, and the criteria where there are none, cannot say by themselves."""
    return [
        *_inseparable(counted),
        *_hanging(counted),
        *_fewer_words(analysis, counted),
        *_unknown_words(analysis, counted),
    ]


_FOUND = (Conclusion.AS_EXPECTED, Conclusion.OPPOSITE, Conclusion.ABOVE, Conclusion.BELOW, Conclusion.SMALL)
"""An effect is there, on one side or the other."""


def _inseparable(counted: Sequence[ContrastResult]) -> list[_Reserve]:
    """What changes together in the cells of a contrast with an effect, where no other cells take it apart."""
    found: dict[tuple[str, int], list[str]] = {}
    for result in counted:
        if result.confounded and not result.paths and result.verdict in _FOUND:
            groups = " and ".join(listed(group) for group in result.together)
            n_cells = len({term.condition for term in result.contrast.terms})
            found.setdefault((groups, n_cells), []).append(label(result.contrast))
    return [
        _Reserve(
            f"In the {_number(n)} cells of {listed(names)}, {groups} vary together, so the design cannot tell which of them the effect is of.",
            f"{groups} vary together in these {_number(n)} cells",
        )
        for (groups, n), names in found.items()
    ]


_MOST_WORDS = 4


def _hanging(counted: Sequence[ContrastResult]) -> list[_Reserve]:
    """The single words without which the interval of an effect holds 0."""
    found = []
    for result in counted:
        if result.verdict in _FOUND and result.hangs_on:
            words = [f"{own.word!r} ({own.slot})" for own in result.hangs_on]
            one = words[0] if len(words) == 1 else f"any one of {first_of(words, _MOST_WORDS)}"
            name = label(result.contrast)
            side = "above" if result.estimate is not None and result.estimate > 0 else "below"
            said = f"Without {one}, the interval of {name} over the other words of that slot is not wholly {side} 0."
            found.append(_Reserve(said, f"{name} not without {one}"))
    return found


def _fewer_words(analysis: Analysis, counted: Sequence[ContrastResult]) -> list[_Reserve]:
    """How many words are left of slots that the verdicts speak for word by word, or of all where the paradigm stands for a whole grammar."""
    named = {name for result in counted for use in result.words.of_use("fixed") for name in (use.name, *use.also)}
    left = [own for own in analysis.items.words_left if analysis.paradigm.exhaustive or own.slot in named]
    if not left or not (counted or analysis.criteria):
        return []
    words = words_left(left)
    return [_Reserve(f"Of the words of the items before any was left out, {words} are left.", f"with {words}")]


def words_left(left: Sequence[WordsLeft]) -> str:
    """How many words are left of how many, by slot."""
    return listed([f"{own.n_left:,} of {own.n_all:,} of {own.slot!r}" for own in left])


def _unknown_words(analysis: Analysis, counted: Sequence[ContrastResult]) -> list[_Reserve]:
    """That which words the items have is not known, where it is not."""
    of: Sequence[ContrastResult | CriterionResult] = counted or analysis.criteria
    names = [label(own.contrast if isinstance(own, ContrastResult) else own.criterion) for own in of if own.mark]
    if not names:
        return []
    which = "" if len(names) == len(of) else f" of {listed(names)}"
    small = "p is too small" if counted else "intervals are too narrow"
    said = f"Which words the items{which} share is not known, so they are taken as independent: where words repeat, {small}."
    return [_Reserve(said, f"{WORDS_UNKNOWN}{which}")]


def _speaks_for(results: Sequence[ContrastResult]) -> str:
    """For which words the verdicts hold, where words repeat: one scope as it is, several where each contrast is told."""
    scopes = dict.fromkeys(
        result.words.in_short(result.main.scope) for result in results if result.words.these is not None and result.main.scope
    )
    if not scopes:
        return ""
    if len(scopes) == 1 and all(result.words.these is not None for result in results):
        (scope,) = scopes
        return f", {scope}"
    return ", each for the words that its own line names"


def _over(results: Sequence[ContrastResult]) -> str:
    """Which items all of these are about, where each is about the same part of the items; else empty."""
    parts = {tuple(own for own in result.restrictions if own.kind == "where") for result in results}
    (part,) = parts if len(parts) == 1 else ((),)
    if not part:
        return ""
    named = " and ".join(own.phrase for own in part)
    return f"the {part[-1].n_left:,} of {count(part[0].n_in, 'item')} with {named}"


def _not_counted(analysis: Analysis, counted: Sequence[ContrastResult]) -> str:
    """The contrasts that have an expected sign and are not among those counted, with why."""
    names = {result.contrast.name for result in counted}
    left = [result for result in analysis.contrasts if result.contrast.expected and result.contrast.name not in names]
    named = [
        f"{label(result.contrast)} ({'different words' if result.n_unlike else f'no {counted[0].contrast.kind}'})"
        for result in left
    ]
    return f" Not counted: {listed(named)}." if named else ""


def _untested_items(analysis: Analysis) -> str:
    """How many items no contrast is about, since each is about items of other kinds; empty where none."""
    tested = {key for result in analysis.contrasts for key in result.values}
    left = analysis.items.n_selected - len(tested)
    enters = "item enters" if left == 1 else "items enter"
    return f" {left:,} of {analysis.items.n_selected:,} {enters} no test of a contrast." if left > 0 else ""


def _of_selection(results: Sequence[ContrastResult]) -> str:
    """How many of the contrasts that were asked for came out as expected, and what became of the others."""
    expected = [r for r in results if r.contrast.expected]
    # A contrast of different words says as much of the words as of the grammar.
    predicted = [r for r in expected if not r.n_unlike]
    unlike = [label(r.contrast) for r in expected if r.n_unlike]
    left = f"{listed(unlike)} {'compares' if len(unlike) == 1 else 'compare'} different words and"
    left = f"{left} {'is' if len(unlike) == 1 else 'are'} not counted." if unlike else ""
    tested = [r for r in predicted if r.verdict not in _SILENT]
    if not results:
        return "The contrasts you asked for could not be computed."
    if not predicted and unlike:
        return left
    if not predicted:
        only = "The contrast you asked for is" if len(results) == 1 else "The contrasts you asked for are"
        return f"{only} exploratory, without an expected sign."
    right, opposite = (sum(r.verdict is v for r in tested) for v in (Conclusion.AS_EXPECTED, Conclusion.OPPOSITE))
    which = "" if len(expected) == len(results) else " that have an expected sign"
    parts = [f"{right} of {len(predicted)} came out as expected"]
    if opposite:
        parts.append(f"{opposite} ran the other way")
    if len(predicted) > len(tested):
        parts.append(f"{len(predicted) - len(tested)} could not be tested")
    return " ".join(filter(None, (f"Of the contrasts you asked for{which}, {listed(parts)}.", left)))


def _of_criteria(analysis: Analysis) -> str:
    """How often each criterion holds."""
    found = _each(analysis, analysis.criteria, _how_many)
    by_chance = "; by chance it would be half of them" if preferred(analysis) else ""
    return f"With {analysis.scorer.model}, {_joined(found)}{by_chance}."


_PREFERRED = {"sum": "is the more probable sentence than", "perplexity": "has the lower perplexity than"}
"""What a smaller value of a measure over the whole sentence says of it, in words."""


def _each(analysis: Analysis, results: Sequence[CriterionResult], how_many: Callable[[CriterionResult, str], str]) -> list[str]:
    """How often each of these criteria holds of which items, one pair of sentences after the other: by perplexity beside by probability."""
    pairs = {(own.criterion.formula, own.criterion.measure, tuple(own.criterion.where.items())): own for own in results}
    found = []
    for (formula, measure, where), result in pairs.items():
        says = preference(analysis.paradigm, result.criterion)
        by_probability, by_perplexity = (pairs.get((formula, name, where)) for name in _PREFERRED)
        if says and measure == "perplexity" and by_probability is not None and by_probability.share.n:
            continue
        if not result.share.n:
            found.append(f"{label(result.criterion)} has no value")
            continue
        found.append(f"{says or f'{label(result.criterion)} holds'} in {how_many(result, where_told(result.criterion))}")
        if says and measure == "sum" and by_perplexity is not None and by_perplexity.share.n:
            found[-1] += f", by perplexity in {how_many(by_perplexity, '')}"
    return found


_MOST_COUNTED = 3
"""With more criteria than this, the headline has where their shares lie."""


def _counted(analysis: Analysis) -> str:
    """What the criteria came to, for one line over a report; empty where none has a value."""
    found = [result for result in analysis.criteria if result.share.estimate is not None]
    if not found:
        return ""
    told = _each(analysis, found, _bare_count)
    if len(told) > _MOST_COUNTED:
        shares = sorted(result.share.estimate for result in found if result.share.estimate is not None)
        between = f"between {percent(shares[0])} and {percent(shares[-1])}" if shares[0] < shares[-1] else percent(shares[0])
        return f"its {len(found):,} criteria hold in {between} of their items, with a median of {percent(median(shares))}"
    return _joined(told)


def _joined(told: Sequence[str]) -> str:
    return "; ".join(told) if any(", " in one for one in told) else listed(told)


def preferred(analysis: Analysis) -> bool:
    """Whether a criterion of the analysis says which of two sentences is preferred, so that chance is half of the items."""
    return any(preference(analysis.paradigm, own.criterion) for own in analysis.criteria)


def preference(paradigm: Paradigm, criterion: Criterion) -> str:
    """What a criterion says in words where it compares two conditions' whole sentences by a measure that is read like this; else empty.
    Conditions are called as files have them."""
    match criterion.formula.root:
        case Comparison(relation, Operand(left, place), Operand(right, other)) if (
            relation in "<>" and place == other == SENTENCE_PLACE and criterion.measure in _PREFERRED
        ):
            first, second = (left, right) if relation == "<" else (right, left)
            one, two = (paradigm.condition(name).label for name in (first, second))
            return f"“{one}” {_PREFERRED[criterion.measure]} “{two}”"
    return ""


def _how_many(result: CriterionResult, where: str = "") -> str:
    return f"{_bare_count(result, where)} ({percent(result.share.estimate)})"


def _bare_count(result: CriterionResult, where: str = "") -> str:
    share = result.share
    assert share.estimate is not None
    # A share of items is a count over a count: copies have counted once in both.
    return f"{round(share.estimate * share.n):,} of {count(share.n, 'item')}{where}"


def where_told(criterion: Criterion) -> str:
    """The items that a criterion is about, where these are not all: `` where depth = 0``."""
    return f" where {' and '.join(f'{name} = {value}' for name, value in criterion.where.items())}" if criterion.where else ""


def criterion_legend(criterion: Criterion) -> str:
    """What a criterion compares, in a line: its title where it has one, its formula, and the items that it is about."""
    says = about(criterion)
    title = f"{says}: " if says not in (label(criterion), criterion.name) else ""
    where = where_told(criterion)
    return f"{label(criterion)}: {title}{criterion.formula}{',' if where else ''}{where}"


def criterion_sentence(paradigm: Paradigm, result: CriterionResult) -> str:
    """One criterion: what it compares, and how often it holds."""
    if not result.share.n:
        return f"{criterion_legend(result.criterion)}: of no item, because {result.share.undefined or 'none has a value'}."
    sure = "" if result.words.repeats else f" {percent_interval(*(result.share.ci or (None, None)))}"
    read = preference(paradigm, result.criterion)
    said = f", {read}" if read else ""
    return f"{criterion_legend(result.criterion)}{said}: holds in {_how_many(result)}{sure}."


def _breakdown(results: Sequence[ContrastResult], what: str, of: str) -> str:
    right, opposite = (sum(r.verdict is v for r in results) for v in (Conclusion.AS_EXPECTED, Conclusion.OPPOSITE))
    # A one-sided test that finds nothing has not looked at the other side.
    both_sides = all(result.alternative == "two-sided" for result in results)
    rest = ", and there is no evidence of the opposite either" if both_sides else ""
    if len(results) == 1:
        said = "ran the other way" if opposite else f"did not come out as expected{rest}"
        return f"the predicted {what} {label(results[0].contrast)} {said}"
    if not right and not opposite:
        return f"of {of}, none came out as expected{rest}"
    parts = [f"{_number(right)} came out as expected"]
    if opposite:
        parts.append(f"{_number(opposite)} ran the other way")
    absent = sum(result.verdict is Conclusion.ABSENT for result in results)
    small = sum(result.verdict is Conclusion.SMALL for result in results)
    if absent:
        parts.append(f"{_number(absent)} had no effect of a size that matters")
    if small:
        parts.append(f"{_number(small)} had an effect smaller than what matters")
    if left := len(results) - right - opposite - absent - small:
        rest = " either way" if both_sides else ""
        parts.append(f"{_number(left)} gave no evidence{rest}")
    return f"of {of}, {listed(parts)}"


def overall(outcomes: Sequence[Headline], *, toy: bool = False) -> str:
    """One sentence over all paradigms under one model; a `toy` is called small."""
    groups: list[str] = []
    kind = "small model" if toy else "model"
    if len(outcomes) == 1 and outcomes[0].counted:
        (only,) = outcomes
        return f"“{only.title}” under the {kind} {only.model}: {only.counted}{f' ({only.but})' if only.but else ''}."
    for finding, words in (
        (PatternVerdict.SHOWN, "shows {effect} of"),
        (PatternVerdict.PARTLY, "shows only in part {effect} of"),
        (PatternVerdict.NOT_SHOWN, "does not show {effect} of"),
        (PatternVerdict.SELECTION, "was tested on some of the contrasts of"),
        (PatternVerdict.COUNTED, "was held against the criteria of"),
        (PatternVerdict.UNTESTED, "was not tested on"),
    ):
        titles = [
            f"“{outcome.title}”"
            + (f" in {outcome.over}" if outcome.over else "")
            + (f" ({'; '.join(filter(None, (outcome.counted, outcome.but)))})" if outcome.counted or outcome.but else "")
            for outcome in outcomes
            if outcome.finding is finding
        ]
        if titles:
            said = words.format(effect="that" if groups else "the effect")
            groups.append(f"{said} {listed(titles)}")
    return f"The {kind} {outcomes[0].model} {listed(groups, last='but' if len(groups) == 2 else 'and')}."


def contrast_sentence(result: ContrastResult) -> str:
    """One contrast: what was expected, what was found, what that says."""
    test = result.main
    named, says = label(result.contrast), about(result.contrast)
    name = named if says in (named, result.contrast.name) else f"{named}, {says}"
    if result.verdict is Conclusion.UNDEFINED or test.estimate is None:
        return f"{name}: not tested, because {result.not_tested or 'it has no values'}."
    expected = {-1: "expected below 0", 0: "exploratory", 1: "expected above 0"}[result.contrast.expected]
    said = {
        Conclusion.AS_EXPECTED: "as expected",
        Conclusion.OPPOSITE: "the opposite of what was expected",
        Conclusion.NO_EVIDENCE: {
            "greater": "no evidence of a value above 0",
            "less": "no evidence of a value below 0",
        }.get(result.alternative, "no evidence of a difference"),
        Conclusion.SMALL: f"there, and smaller than the {result.contrast.delta} that matter",
        Conclusion.ABSENT: f"no effect of the {result.contrast.delta} that matter",
        Conclusion.UNDECIDED: f"neither an effect nor the absence of one of {result.contrast.delta}",
        Conclusion.ABOVE: "reliably above 0",
        Conclusion.BELOW: "reliably below 0",
        Conclusion.DESCRIBED: "described, and no verdict over words",
        Conclusion.UNLIKE: "different words are compared, so no verdict",
    }[result.verdict]
    mark = f" ({result.mark})" if result.mark else ""
    found = f"{bits(test.estimate)} {unit_of([result.contrast.measure])} {interval(*result.interval)}{mark}"
    over = "".join(f" ({own})" for own in result.restrictions if own.kind == "where")
    scope = ""
    if result.words.these is not None:
        speaks = result.words.in_short(test.scope)
        scope = f"; the mean is {speaks}" if result.verdict is Conclusion.UNLIKE else f" {speaks}"
    if result.words.none_vary:
        scope += ", all of them estimated as not varying by word"
    # A mean over few words can be that of no word among them.
    if result.words.modelled and result.words.both_sides:
        scope += f"; the model's means by word of {listed(result.words.both_sides)} lie on both sides of 0"
    if against := parts_against(result):
        scope += f"; {against}"
    return f"{name}{over}: {expected}, found {found}: {said}{scope}."


def parts_against(result: ContrastResult) -> str:
    """Which parts of a contrast that is taken apart are reliably on the other side than it; empty where none is."""
    parts = [
        f"that of {part.plan.changes} with {part.plan.holds} at {part.plan.at} is {bits(part.test.estimate)} "
        f"{interval(part.test.ci_low, part.test.ci_high)}"
        for part in result.against
    ]
    if not parts:
        return ""
    whose = "what is expected" if result.contrast.expected else "its mean"
    return f"taken apart, {listed(parts)}, wholly on the other side of 0 than {whose}"


def misleading(outcome: Headline, result: ContrastResult) -> bool:
    """Whether an interaction alone would have said that the model shows what, by its wh-effects, it does not."""
    sure = result.accuracy.ci_low is not None and result.accuracy.ci_low > 0.5
    silent = outcome.finding in (PatternVerdict.SHOWN, PatternVerdict.SELECTION)
    return bool(result.paths) and not silent and (sure or result.verdict is Conclusion.AS_EXPECTED)


def did_sentence(result: ContrastResult) -> str:
    """Where an interaction that changes two factors together gets its value from; empty where it has no parts."""
    if not result.paths or result.ttest.estimate is None:
        return ""
    first = result.paths[0]
    side = _SIDES[result.accuracy.details["direction"]]
    sure = "" if result.words.repeats else f" {percent_interval(result.accuracy.ci_low, result.accuracy.ci_high)}"
    share = f"{percent(result.accuracy.estimate)}{sure}"
    text = (
        f"{label(result.contrast)} is {side} 0 in {share} of the items, and its mean is {bits(result.estimate)} "
        f"{unit_of([result.contrast.measure])}. "
        f"Its conditions change {first[0].plan.changes} and {first[1].plan.changes} together; taken apart, "
        f"it is {' and '.join(_part(part, result) for part in first)}. The intervals of these parts are not corrected for several tests."
    )
    if any(part.test is not part.ttest for path in result.paths for part in path):
        text += " All means are estimates of models of the words, which need not add up."
    if _orders_disagree(result):
        other = result.paths[1]
        one, two = first[0].plan.changes, first[1].plan.changes
        return (
            f"{text} In the other order it is {' and '.join(_part(part, result) for part in other)}. The two orders are equally good "
            f"and do not say the same: {one} and {two} interact, and no part of the mean is the work of one of them alone."
        )
    reliable = [part for part in first if _reliable(part) == side]
    if result.verdict is Conclusion.AS_EXPECTED and len(reliable) == 1:
        idle = next(part for part in first if part is not reliable[0])
        text += f" Of the two parts, only that of {reliable[0].plan.changes} has its interval {side} 0; that of {idle.plan.changes} does not."
    return text


def _orders_disagree(result: ContrastResult) -> bool:
    """Whether the interval of a factor's part is on one side of 0 in one order of taking apart, and is not in another."""
    sides: dict[str, set[str]] = {}
    for path in result.paths:
        for part in path:
            sides.setdefault(part.plan.changes, set()).add(_reliable(part))
    return any(len(found) > 1 for found in sides.values())


def _part(part: ContrastPart, whole: ContrastResult) -> str:
    test, side = part.test, _reliable(part)
    if test.ci_low is None or test.ci_high is None:
        said = "not tested"
    else:
        said = f"interval {side} 0" if side else "interval holds 0"
    if part in whole.against:
        said += f", the other side than {'what is expected' if whole.contrast.expected else 'the mean'}"
    return f"{bits(test.estimate)} when {part.plan.changes} changes with {part.plan.holds} held at {part.plan.at} ({said})"


def _reliable(part: ContrastPart) -> str:
    """On which side of 0 the whole interval lies; empty where it holds 0 or there is none."""
    return _SIDES.get(part.side, "")


def _number(value: int) -> str:
    return _NUMBERS[value] if value < len(_NUMBERS) else f"{value:,}"
