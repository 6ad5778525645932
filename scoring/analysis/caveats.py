"""What stands between the numbers of an analysis and their use, found in the data and the design; whole sentences. The only place
that decides on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice

from gapsmith.bank import in_frequency
from gapsmith.scoring.analysis.names import label
from gapsmith.scoring.analysis.planned import excluded_in_words
from gapsmith.scoring.analysis.results import DELTA_LATE, Analysis, Conclusion, ContrastResult, CriterionResult
from gapsmith.stats import describe_crossing
from gapsmith.templates import GAPSMITH, MEASURES, Paradigm, ParadigmError, count, expand, find_convention, listed

_SIDES = {"greater": 1, "less": -1}


def caveats_of(analysis: Analysis, words: Sequence[dict[str, str]]) -> tuple[str, ...]:
    """All that holds for `analysis`; `words` are the slots of the analysed items, where they have slots."""
    return (
        *plan_lines(analysis),
        *_late_sizes(analysis),
        *_selection(analysis),
        *_independence(analysis, words),
        *_scores(analysis),
        *turned_predictions(analysis),
        *_contrasts(analysis.contrasts),
        *_other_words(analysis),
        *_straddling(analysis),
    )


def plan_lines(analysis: Analysis) -> list[str]:
    """When a plan was frozen, and every difference from it: what stands before the numbers of an analysis."""
    plan = analysis.plan
    if plan is None:
        return []
    later = ""
    if plan.number > 1:
        first = f"plan 1 was frozen {_when(plan.first_at)}, {_before(plan.first_scored)}"
        later = f" It is plan {plan.number} of {analysis.paradigm.name}, and holds; {first}. `gapsmith plan list` shows all."
    rules = f" Items are approved or left out so: {'; '.join(plan.exclusion)}." if plan.exclusion else ""
    met = "" if plan.deviations else " Nothing differs from it."
    said = [f"Planned: {plan.digest}, frozen {_when(plan.at)} by {plan.author}, {_before(plan.n_scored)}.{later}{rules}{met}"]
    said += [f"Not as planned: {own}." for own in plan.deviations]
    if plan.other_number and analysis.account.set_aside and not analysis.items.all_items:
        aside = [
            f"{len(row.labels):,} {row.status.value}" + (f" ({row.reason})" if row.reason else "")
            for row in analysis.account.set_aside
        ]
        said.append(f"Items that are not in it: {', '.join(aside)}.")
    no_test = [label(own.contrast) for own in analysis.contrasts if not own.main.interpretable or own.n_unlike]
    if no_test:
        get, they = ("gets", "it is") if len(no_test) == 1 else ("get", "they are")
        said.append(
            f"Of {len(analysis.contrasts):,} contrasts {listed(no_test)} {get} no verdict, so that {they} not among the tests that are corrected"
            " together."
        )
    return said


def after_plan(analysis: Analysis) -> tuple[str, ...]:
    """The caveats without the lines about the plan, which stand before the numbers."""
    lines = plan_lines(analysis)
    return tuple(said for said in analysis.caveats if said not in lines)


def _before(n_scored: int) -> str:
    return f"when {n_scored:,} of its items had scores already" if n_scored else "before any of its items had scores in that bank"


def _when(at: str) -> str:
    return at[:16].replace("T", " ")


def _late_sizes(analysis: Analysis) -> list[str]:
    """That δ came after scores, where it did, and how it comes before."""
    late = [label(own.contrast) for own in analysis.contrasts if own.delta_late]
    if not late:
        return []
    name = analysis.paradigm.name
    said = (
        f"{listed(late)}: {DELTA_LATE} or below δ; intervals and Bayes factors stand. Before any item is scored, a plan fixes δ"
    )
    return [f"{said} (`gapsmith plan freeze {name}`), or the paradigm's file as it is when the items are made."]


def _selection(analysis: Analysis) -> list[str]:
    items = analysis.items
    found = []
    if items.all_items:
        which = "The only item was" if items.n_selected == 1 else f"All {items.n_selected:,} items were"
        of = "it" if items.n_selected == 1 else "them"
        found.append(f"{which} analysed, whatever was decided of {of}; decisions were not used.")
    found += _decided(analysis)
    if left := analysis.account.unfinished.told("analysed"):
        found.append(left)
    late = [own for own in analysis.account.excluded if own.scored]
    if late and not items.all_items:
        found.append(f"Left out after they had scores: {excluded_in_words(late)}.")
    if len(items.by_dataset) > 1:
        parts = ", ".join(f"{name} {number:,}" for name, number in items.by_dataset.items())
        found.append(f"The items of {len(items.by_dataset)} data sets are pooled ({parts}); --dataset NAME takes one.")
    if items.n_repeated:
        what = "item occurs" if items.n_repeated == 1 else "items occur"
        found.append(
            f"{items.n_repeated:,} {what} with identical sentences in more than one data set. Tests, shares and means "
            f"count {'it' if items.n_repeated == 1 else 'each of them'} once."
        )
    if analysis.account.n_unlinted:
        unread = "any" if analysis.account.n_unlinted == items.n_total else f"{analysis.account.n_unlinted:,}"
        which = f"{unread} of the {items.n_total:,} items as they stand" if items.n_total > 1 else "the item as it stands"
        found.append(f"No lint has read {which} now.")
    if len(items.versions) > 1:
        parts = ", ".join(f"{count:,} with {digest[:12]}" for digest, count in items.versions.items())
        found.append(f"The items were made with different versions of the paradigm file: {parts}.")
    if 0 < items.n_selected < 10:
        few = "One item is" if items.n_selected == 1 else f"{items.n_selected} items are"
        if analysis.contrasts:
            found.append(f"{few} few: intervals are wide, and t tests lean on normality.")
        else:
            found.append(f"{few} few: intervals are wide.")
    return found + _least(analysis)


def _least(analysis: Analysis) -> list[str]:
    """That no test without normality can reach the level in so few items, where a t test over them has a verdict."""
    level = 1 - analysis.options.confidence
    least = {
        r.n_distinct: 2.0 ** ((r.alternative == "two-sided") - r.n_distinct)
        for r in analysis.contrasts
        if r.words.these is None and r.main.p is not None and r.n_distinct
    }
    return [
        f"With {count(n, 'item')} no sign-flip test and no Wilcoxon test can give less than {f'{p:.4g}'.removeprefix('0')}, whatever the "
        "values are: a verdict rests on normality alone."
        for n, p in sorted(least.items())
        if p >= level
    ]


def _decided(analysis: Analysis) -> list[str]:
    """That no person decided on any of the items, where none did, as far as the reader may know."""
    account = analysis.account
    if account.n_by_people or account.n_left_out:
        return []
    policies = " and ".join(name for name, _ in account.by_policy)
    which = "the only item" if analysis.items.n_selected == 1 else "any of these items"
    but = f", only the polic{'y' if len(account.by_policy) == 1 else 'ies'} {policies}" if policies else ""
    return [f"No person has decided on {which}{but}; read them with `gapsmith review`."]


def _independence(analysis: Analysis, words: Sequence[dict[str, str]]) -> list[str]:
    crossing = describe_crossing(words)
    found = []
    if crossing.is_exhaustive:
        found.append(crossing.describe())
    if analysis.paradigm.exhaustive and words:
        n_different = len({tuple(sorted(row.items())) for row in words})
        if _has_more(analysis.paradigm, n_different):
            found.append(
                f"{analysis.paradigm.name} describes every combination of its words; the {analysis.items.n_selected:,} items "
                "analysed are only some of them."
            )
    if analysis.options.roles is not None:
        found.append(f"Roles stand for the words of items without slots ({analysis.options.roles.told}).")
    modelled = [result for result in analysis.contrasts if result.words.these is not None and result.words.these.p is not None]
    tested = [label(result.contrast) for result in modelled]
    described: dict[str, list[str]] = {}
    for result in analysis.contrasts:
        if result.words.kind == "described":
            described.setdefault(result.words.why, []).append(label(result.contrast))
    unknown = [label(result.contrast) for result in analysis.contrasts if result.words.kind == "unknown"]
    if tested:
        found.append(
            f"Words repeat over the items, so items are not independent. {listed(tested)}: the verdict is that of a model of these "
            f"words{_uses(modelled)}."
        )
    sharing = _sharing(analysis)
    if sharing:
        found.append(
            f"The model takes each text of a slot for a word of its own, and some share words: {'; '.join(sharing)}. What such a word "
            "does is then counted as what several do; `parts` of a slot in the paradigm's file tell them apart."
        )
    mixed = [
        f"{label(result.contrast)} by {listed(result.words.both_sides)}"
        for result in analysis.contrasts
        if result.words.modelled and result.words.both_sides
    ]
    if mixed:
        found.append(
            "The model's means by word that is held fixed lie on both sides of 0, so the mean over these words need not hold of any of "
            f"them: {'; '.join(mixed)}. The tables by word have each."
        )
    for why, names in described.items():
        found.append(f"{listed(names)}: words repeat, so there is a description and no verdict. {why}")
    if unknown:
        found.append(
            f"{listed(unknown)}: which words the items have is not known, so the tests take the items for independent: "
            "where words repeat, intervals are too narrow and p is too small. Regions, or a paradigm with slots, would tell, and "
            "`--words roles` reads what plays which part from the sentences."
        )
    shared = [
        f"{label(result.contrast)} ({result.n_distinct:,} for {result.n_items:,} items)"
        for result in analysis.contrasts
        if result.n_distinct < result.n_items
    ]
    shared += [
        f"{label(result.criterion)} ({result.share.n:,} for {result.n_items:,} items)"
        for result in analysis.criteria
        if result.share.n < result.n_items
    ]
    if shared:
        found.append(
            f"Items that agree in all that the model reads before its value is taken are one observation: {'; '.join(shared)}."
        )
    overlapping = [
        f"{label(result.contrast)} ({result.n_overlapping:,} of {result.n_distinct:,})"
        for result in analysis.contrasts
        if result.n_overlapping
    ]
    if overlapping:
        found.append(
            "Observations that share the text of at least one condition with another observation, but not of all, are counted as "
            f"separate: {'; '.join(overlapping)}."
        )
    return found


def _sharing(analysis: Analysis) -> list[str]:
    """Each slot in a model of words whose texts have a word that stands in several of them, and not in all: the word that stands in most,
    unless the slot's parts are told or are in the model themselves."""
    texts: dict[str, set[str]] = {}
    for result in analysis.contrasts:
        names = [use.name for use in result.words.slots if result.words.these is not None and use.use != "left out"]
        for name in names:
            texts.setdefault(name, set()).update(filter(None, (row.get(name, "") for row in result.word_rows.values())))
    apart = {name for slot in analysis.paradigm.slots if slot.parts for name in (slot.name, *(part.name for part in slot.parts))}
    found = []
    for name, own in texts.items():
        counts = Counter(word for text in sorted(own) for word in sorted(set(text.split())))
        shared = {word: n for word, n in counts.items() if 1 < n < len(own)}
        if shared and name not in apart:
            word = max(shared, key=lambda word: shared[word])
            found.append(f"{name} ({'a word' if analysis.by_total_only else repr(word)} in {shared[word]} of {len(own)} texts)")
    return found


def _uses(results: Sequence[ContrastResult]) -> str:
    """What the models of words do with them, each part where any of the models does it."""
    slots = [use for result in results for use in result.words.slots]
    used = {use.use for use in slots if not use.built_of}
    parts = []
    if "fixed" in used:
        parts.append("few words, and closed lists, are held fixed and named")
    if "random" in used:
        parts.append("the others are a sample" if "fixed" in used else "they are a sample of those that could stand there")
    combined = dict.fromkeys(f"{use.name} of {listed(use.built_of)}" for use in slots if use.use == "random" and use.built_of)
    if combined:
        parts.append(f"how parts are combined is random beside these ({', '.join(combined)}), and stands for no other words")
    said = ", ".join(parts)
    left = dict.fromkeys(name for use in slots if use.use == "left out" for name in (use.name, *use.also))
    if left:
        said = "; ".join(filter(None, [said, f"left out of one or more of these models: {', '.join(left)}"]))
    return f"; {said}" if said else ""


def _has_more(paradigm: Paradigm, n_different: int) -> bool:
    """Whether the paradigm's lists make more combinations than that; no where they do not say."""
    try:
        # One more is enough to know, however many there are.
        return sum(1 for _ in islice(expand(paradigm), n_different + 1)) > n_different
    except ParadigmError:
        return False


def _scores(analysis: Analysis) -> list[str]:
    found = []
    if analysis.items.n_unscored:
        found.append(
            f"{analysis.items.n_unscored:,} of {analysis.items.n_distinct_texts:,} different sentences "
            f"{'has' if analysis.items.n_unscored == 1 else 'have'} no scores "
            f"from this scorer; run `gapsmith score{' --all' if analysis.items.all_items else ''}` again to complete them."
        )
    found += _unknown(analysis)
    convention = find_convention(analysis.options.convention)
    if convention.name != GAPSMITH:
        found.append(f"Numbers are made as {convention.name} makes them: {convention.title}.")
    elif analysis.scorer.bos == "none":
        found.append("Scored without a beginning-of-sequence token: the first token of a sentence has no value.")
    elif analysis.scorer.bos != "bos":
        is_known = "bos" in analysis.scorer.identity
        said = f"recorded as {analysis.scorer.bos!r}" if is_known else "not recorded"
        found.append(f"How sentences began when they were scored is {said}.")
    if analysis.omitted:
        found.append(f"Not computed, because the items lack the conditions: {', '.join(analysis.omitted)}.")
    return found


def _unknown(analysis: Analysis) -> list[str]:
    """That a model of whole words did not know some of the words."""
    items = analysis.items.unknown
    if not items:
        return []
    counts: Counter[str] = Counter()
    for own in items:
        counts.update(own.words)
    n, token = analysis.items.n_selected, analysis.scorer.identity.get("unknown")
    said = f"Words that the model does not know, in {len(items):,} of {n:,} items"
    which, where = ("", "") if analysis.by_total_only else (f": {in_frequency(counts)}", "; `--json` lists them by item")
    return [f"{said}{which}. Each is read as {token}, whose surprisal says nothing of that word{where}."]


def turned_predictions(analysis: Analysis) -> list[str]:
    """Which predictions turned, because the measure that was asked for grows as that of the paradigm falls."""
    before = {one.name: one for one in analysis.paradigm.contrasts}
    formulas = {one.name: str(one.formula) for one in analysis.paradigm.criteria}
    # What expects nothing can look to one side, where the options do not say to which.
    looks = analysis.options.alternative is None
    contrasts = [(r.contrast, before[r.contrast.name]) for r in analysis.contrasts]
    named = [
        label(own)
        for own, other in contrasts
        if own.expected != other.expected or (looks and own.alternative != other.alternative)
    ]
    named += [label(r.criterion) for r in analysis.criteria if str(r.criterion.formula) != formulas[r.criterion.name]]
    if analysis.options.measure is None or not named:
        return []
    by = MEASURES.find(analysis.options.measure)
    said = (
        f"By {by.title}, what is expected or looked for is the other way round than in the file, whose measure falls as this "
        "one grows"
    )
    return [f"{said}: {', '.join(named)}."]


def _straddling(analysis: Analysis) -> list[str]:
    """Where tokens lie across the edge of what is measured, since their surprisal cannot be divided."""
    counts = [(label(r.contrast), r.n_straddling, r.n_items) for r in analysis.contrasts]
    counts += [(label(r.criterion), r.n_straddling, r.n_items) for r in analysis.criteria]
    found = [f"{name} in {count:,} of {n:,} items" for name, count, n in counts if count]
    if not found:
        return []
    said = "Tokens lie across the edge of a region that is measured, and count whole where they begin"
    return [f"{said}: {'; '.join(found)}. Read those values with care."]


def _other_words(analysis: Analysis) -> list[str]:
    """That sentences of a pair are of different words, or lengths, where they are: nothing then takes these words away."""
    compared: list[tuple[str, ContrastResult | CriterionResult]] = [(label(own.contrast), own) for own in analysis.contrasts]
    compared += [(label(own.criterion), own) for own in analysis.criteria]
    having = [(name, own) for name, own in compared if own.n_other_words]
    if not having:
        return []
    words = _in_items([(name, own.n_other_words, own.n_items) for name, own in having], len(compared))
    longer = _in_items([(name, own.n_other_lengths, own.n_items) for name, own in having if own.n_other_lengths], len(compared))
    lengths = "" if not longer else ", and also of different numbers of words" + ("" if longer == words else f" ({longer} items)")
    noun = "item" if all(own.n_items == 1 for _, own in having) else "items"
    said = (
        f"Texts of different words are compared ({words} {noun}){lengths}. What the model expects of these words by themselves is in the"
        " value"
    )
    return [f"{said}; a baseline, the same words where nothing is violated, would take it away."]


_NAMED = 3


def _in_items(counts: Sequence[tuple[str, int, int]], n_all: int) -> str:
    """In how many items each of these has something, told once where all have it in as many; of `n_all` there are, many are not named."""
    told: dict[tuple[int, int], list[str]] = {}
    for name, n, of in counts:
        told.setdefault((n, of), []).append(name)
    return "; ".join(
        " in ".join(
            (
                f"all {n_all:,} comparisons" if _NAMED < len(names) == n_all else listed(names),
                f"{f'{n:,} of' if n < of else 'all'} {of:,}",
            )
        )
        for (n, of), names in told.items()
    )


def _contrasts(results: Sequence[ContrastResult]) -> list[str]:
    found = []
    unlike = [
        label(r.contrast) if r.n_unlike == r.n_items else f"{label(r.contrast)} (in {r.n_unlike:,} of {r.n_items:,} items)"
        for r in results
        if r.n_unlike
    ]
    if unlike:
        what = "compares" if len(unlike) == 1 else "compare"
        there = (
            " Over the items in which the words are the same there would be one."
            if any(0 < r.n_unlike < r.n_items for r in results)
            else ""
        )
        found.append(
            f"{listed(unlike)} {what} different critical words, so the value also holds the difference in how frequent and how long "
            f"these words are, and there is no verdict.{there}"
        )
    away = [label(r.contrast) for r in results if _SIDES.get(r.alternative, 0) * r.contrast.expected < 0]
    if away:
        tests, what = ("test", "looks") if len(away) == 1 else ("tests", "look")
        found.append(
            f"The one-sided {tests} of {' and '.join(away)} {what} away from the expected sign and can only find the opposite of "
            "what was expected."
        )
    for result in results:
        name = label(result.contrast)
        if result.confounded:
            groups = "; ".join(" and ".join(group) for group in result.together)
            found.append(f"{name} compares conditions that change {groups} together: its value can come from either.")
        if result.verdict is Conclusion.UNDEFINED and result.not_tested:
            found.append(f"{name} was not tested: {result.not_tested}.")
    return found
