"""What an analysis gives back: frozen values from which tables, figures and sentences are made.

All surprisals are in bits. Values that do not exist are None, and are counted with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Annotated, Any, Literal

from gapsmith.bank import ItemStatus, RunRecord, Scorer, Severity, StoredFinding, StoredItem, Unfinished
from gapsmith.scoring.analysis.names import item_name
from gapsmith.scoring.observations import ItemKey, RoleWords, Undefined, measure_name
from gapsmith.stats import Absence, Alternative, FixedWord, Restriction, Result, SetComparison, TieRule, WordTest
from gapsmith.templates import CONFIDENCE, COUNT, GAPSMITH, SEED, Contrast, Criterion, Paradigm, check_convention, check_fields

TABLES: tuple[tuple[str, ...], ...] = (("wh-effect",), ("preference", "did"), ("contrast",))
"""The kinds of contrast that share a table; p is corrected over the tests of one table, unless they name families."""

WORDS_UNKNOWN = "shared words unknown"
"""The mark of what takes items for independent whose words nobody knows, wherever it is shown outside of a table's brackets."""

FROZEN_LATE = "frozen after the first score"
"""What is said of a plan that was frozen when some of its items had scores, wherever its tests are spoken of."""

DELTA_LATE = "δ was fixed after items were scored, so nothing is called absent"
"""Whatever says something of a δ that came late says this."""


class Conclusion(StrEnum):
    """What a test says of a prediction, in the words that tables show."""

    AS_EXPECTED = "as expected"
    OPPOSITE = "opposite"
    NO_EVIDENCE = "no evidence"
    ABOVE = "above 0"
    """Exploratory contrasts only."""
    BELOW = "below 0"
    """Exploratory contrasts only."""
    SMALL = "below δ"
    """There, and smaller than what was said beforehand to matter."""
    ABSENT = "absent"
    """No effect of the size that matters, nor a larger one."""
    UNDECIDED = "undecided"
    """Neither an effect nor its absence, though the size that matters was said."""
    DESCRIBED = "described"
    """No verdict: the words that repeat leave too little to test with, or do not come apart."""
    UNLIKE = "no verdict"
    """Different words are compared, so the side of 0 says nothing of what was predicted."""
    UNDEFINED = "undefined"


@dataclass(frozen=True, slots=True)
class AnalysisOptions:
    """The choices that decide every number of an analysis besides items and scorer."""

    all_items: bool = False
    """Every item whatever was decided of it, instead of the approved ones."""
    dataset: str | None = None
    """Only the items of this data set."""
    design: str | None = None
    """Only the contrasts and criteria of this design."""
    contrasts: tuple[str, ...] = ()
    """Only these contrasts and criteria; empty means all."""
    alternative: Alternative | Literal["expected"] | None = None
    """Overrides the alternative of every contrast; ``expected`` looks at the side that is predicted, at both where none is."""
    confidence: Annotated[float, CONFIDENCE] = 0.95
    holm: bool = True
    """Judge by p as corrected over the tests of a family (`gapsmith.scoring.analysis.families`)."""
    permutations: Annotated[int, COUNT] = 9_999
    seed: Annotated[int, SEED] = 20_250
    """Each contrast's sign flips are drawn from this and its name, so that their order does not matter."""
    ties: TieRule = "wrong"
    complete: bool = False
    """Only items that have a value for every contrast that is analysed, so that all tests are over the same ones."""
    where: Mapping[str, str] = field(default_factory=dict)
    """Only items whose attributes, or words in slots, have these values, compared as text."""
    measure: str | None = None
    """What a place's tokens come to, whatever contrasts and criteria say; see `gapsmith.templates.measures`. Expected signs and
    comparisons turn where it grows as theirs falls."""
    corrected: bool = False
    """Whether the mass of word boundaries is moved to where words end."""
    convention: str = GAPSMITH
    """How numbers are made of tokens: a name in `gapsmith.templates.CONVENTIONS`."""
    by_region: bool = True
    """Whether means of every region are computed, which tables of contrasts do not need."""
    by_word: bool = False
    """Whether the mean of every word is computed, which only figures need."""
    roles: RoleWords | None = None
    """The words of roles that join those of items without slots; None where roles do not join."""

    def __post_init__(self) -> None:
        check_fields(self)
        check_convention(self.convention, corrected=self.corrected)


@dataclass(frozen=True, slots=True)
class PartPlan:
    """A contrast that does one part of another one's work: it changes one factor and holds the other."""

    changes: str
    """The factor that changes."""
    holds: str
    """The factor that is held."""
    at: str
    """The level at which it is held, as shown to people."""
    contrast: Contrast


@dataclass(frozen=True, slots=True)
class ContrastPart:
    """One of the parts that add up to a contrast, item by item."""

    plan: PartPlan
    ttest: Result
    """Over items, two-sided; its estimates add up."""
    test: Result
    """The model of the words that repeat, where they do; else the t test."""
    accuracy: Result

    @property
    def side(self) -> int:
        """On which side of 0 its whole interval lies: 1, -1; 0 where it holds 0 or there is none."""
        low, high = self.test.ci_low, self.test.ci_high
        if low is None or high is None:
            return 0
        return 1 if low > 0 else -1 if high < 0 else 0


@dataclass(frozen=True, slots=True)
class ContrastResult:
    """One contrast over the items."""

    contrast: Contrast
    alternative: Alternative
    n_items: int
    """Items with a value."""
    n_undefined: int
    undefined: tuple[Undefined, ...]
    n_distinct: int
    """Distinct observations: different texts up to the ends of the regions that are measured. Fewer than `n_items` where items
    agree in all that the model has read for their values."""
    n_overlapping: int
    """How many of `n_distinct` share a measured text with another one, but not all of theirs: they are counted as two."""
    values: Mapping[ItemKey, float]
    """Bits by item, in the items' order."""
    reasons: Mapping[ItemKey, str]
    """Why the other items have no value, by item."""
    evidence: Mapping[ItemKey, int]
    """What each value was computed from, as a number; items with the same are one observation."""
    restrictions: tuple[Restriction, ...]
    """Why it is about fewer items than were analysed."""
    ttest: Result
    p_holm: float | None
    """Corrected over the tests of its family; None where p is undefined or may not be interpreted, or different words are compared."""
    family: str
    """What it was corrected with, such as ``the 6 tests of this run``."""
    wilcoxon: Result
    permutation: Result
    accuracy: Result
    """Of the expected sign; of a value above 0 where the contrast is exploratory."""
    verdict: Conclusion
    together: tuple[tuple[str, ...], ...]
    """What its conditions change together: factors, or a filler and a gap; see `gapsmith.scoring.analysis.aliasing`."""
    n_unlike: int
    """Items with a value in which it compares different words, so that it also holds how frequent these are. A word that is
    added and taken away, as in a difference in differences, cancels."""
    paths: tuple[tuple[ContrastPart, ...], ...] = ()
    """Ways to take the contrast apart where it changes several factors at once."""
    words: WordTest = field(default_factory=lambda: WordTest("unknown"))
    """What becomes of the words that repeat, and the model of them on which the verdict then rests."""
    word_rows: Mapping[ItemKey, Mapping[str, str]] = field(default_factory=dict)
    """The words that were read for each value, by slot or region, where they are known."""
    n_straddling: int = 0
    """Items with a value of which a token lies across the edge of what is measured; its surprisal counts where it begins."""
    n_other_words: int = 0
    """Items with a value in which it holds whole sentences of different words against each other."""
    n_other_lengths: int = 0
    """Those of them whose numbers of words differ, too."""

    by_holm: bool = True
    """Whether the verdict follows the corrected p."""
    delta_fixed: bool = False
    """Whether δ was fixed before any of the items had scores (`gapsmith.scoring.analysis.planned.fixed_before`); where it was not,
    nothing is called absent or below δ."""
    absence: Absence | None = None
    """What speaks against an effect of the contrast's δ; None where no δ was said, or nothing may be concluded."""

    @property
    def main(self) -> Result:
        """The test that the words allow: the model of those that repeat, else the t test over items."""
        return self.ttest if self.words.these is None else self.words.these

    @property
    def delta_late(self) -> bool:
        """Whether there is a δ that was fixed only after items had scores."""
        return self.contrast.delta is not None and not self.delta_fixed

    @property
    def p_raw(self) -> float | None:
        """The p value of the test that the words allow, not corrected."""
        return self.main.p

    @property
    def statistic(self) -> float | None:
        """Its t."""
        return self.main.statistic

    @property
    def df(self) -> float | None:
        """Its degrees of freedom; Satterthwaite's for a model of words, and then no whole number."""
        return self.main.df

    @property
    def interval(self) -> tuple[float | None, float | None]:
        """Its two-sided confidence interval for the mean, in bits."""
        return self.main.ci_low, self.main.ci_high

    @property
    def not_tested(self) -> str | None:
        """Why there is no p."""
        return self.main.undefined

    @property
    def p(self) -> float | None:
        """The p value that the verdict rests on."""
        return self.p_holm if self.by_holm and self.p_holm is not None else self.p_raw

    @property
    def estimate(self) -> float | None:
        """The mean, in bits: over the items, or over the words that the model holds fixed."""
        return self.main.estimate

    @property
    def ci(self) -> tuple[float | None, float | None]:
        """Its two-sided confidence interval, in bits."""
        return self.interval

    @property
    def n(self) -> int:
        """How many items have a value."""
        return self.n_items

    @property
    def mark(self) -> str:
        """`WORDS_UNKNOWN` where the words of its items are not known; else empty."""
        return WORDS_UNKNOWN if self.words.kind == "unknown" and self.n_items else ""

    @property
    def side(self) -> int:
        """The side of 0 that its verdict is about: the expected one, else that of the mean; 0 where there is no mean."""
        if self.contrast.expected or self.estimate is None:
            return self.contrast.expected
        return (self.estimate > 0) - (self.estimate < 0)

    @property
    def hangs_on(self) -> tuple[FixedWord, ...]:
        """The words that are held fixed without which its interval is not wholly on the side that it is on with them."""
        low, high = self.interval
        if self.words.these is None or low is None or high is None or low <= 0 <= high:
            return ()
        return self.words.hangs_on(1 if low > 0 else -1)

    @property
    def against(self) -> tuple[ContrastPart, ...]:
        """Its parts, where it is taken apart, whose interval is wholly on the other side of 0 than the one that its verdict is about."""
        return tuple(part for path in self.paths for part in path if part.side == -self.side != 0)

    @property
    def confounded(self) -> bool:
        """Whether its conditions change two things together, so that its value can come from either."""
        return bool(self.together)


@dataclass(frozen=True, slots=True)
class SyntaxGymReading:
    """What comes out where ``*`` is read as SyntaxGym does: the sum of the metric over a sentence's regions."""

    n: int
    """Distinct observations of which the criterion is true or false so."""
    n_holds: int
    differing: tuple[ItemKey, ...]
    """Items for which the two readings give different answers."""
    lacking: Mapping[ItemKey, str]
    """Items of which the criterion is true or false here and neither so, with the region that has no value, and why."""


@dataclass(frozen=True, slots=True)
class CriterionResult:
    """One criterion over the items."""

    criterion: Criterion
    share: Result
    """The share of items for which it holds, with Wilson's interval. `n` counts distinct observations, `n_given` items."""
    holds: Mapping[ItemKey, bool]
    """Its truth by item, in the items' order; items without one are counted in `undefined`."""
    undefined: tuple[Undefined, ...]
    """Items of which it is neither true nor false, by the first thing that has no value."""
    reasons: Mapping[ItemKey, str]
    """That thing and why, by item."""
    n_straddling: int
    """Items of which a token lies across the edge of what is measured; its surprisal counts where it begins."""
    evidence: Mapping[ItemKey, int]
    """What each truth was computed from, and the truth, as a number: items with the same are one observation."""
    restrictions: tuple[Restriction, ...]
    """Why it is about fewer items than were analysed."""
    syntaxgym: SyntaxGymReading | None
    """None where the formula does not measure whole sentences."""
    words: WordTest = field(default_factory=lambda: WordTest("unknown"))
    """Whether words repeat over the items, which the share's interval takes for independent."""
    word_rows: Mapping[ItemKey, Mapping[str, str]] = field(default_factory=dict)
    """The words that were read for each item with a truth."""
    n_other_words: int = 0
    """Items in which the two places that it compares have different words."""
    n_other_lengths: int = 0
    """Those of them whose numbers of words differ, too."""
    measured: Mapping[str, Mapping[ItemKey, float]] = field(default_factory=dict)
    """What it compares, as its formula says it (``good@sentence``), to the value of each item with a truth, in the measure's unit."""
    difference: Mapping[ItemKey, float] = field(default_factory=dict)
    """Its left side minus its right side, by item, where it is one comparison: below 0 where ``a < b`` holds."""

    @property
    def mark(self) -> str:
        """`WORDS_UNKNOWN` where the words of its items are not known; else empty."""
        return WORDS_UNKNOWN if self.words.kind == "unknown" and self.n_items else ""

    @property
    def n_items(self) -> int:
        """Items of which it is true or false."""
        return len(self.holds)

    @property
    def n_holds(self) -> int:
        """Items of which it is true."""
        return sum(self.holds.values())


@dataclass(frozen=True, slots=True)
class ConditionMean:
    """The measure at the critical region of one condition, over the items."""

    name: str
    label: str
    region: str
    """The critical region."""
    result: Result
    """Its mean over distinct observations; no p, since no hypothesis is about a mean of 0."""
    n_straddling: int
    """Items in which a token crosses the edge of the critical region, so that its surprisal is counted whole."""
    values: Mapping[ItemKey, float] = field(default_factory=dict)
    """The measure by item, in the items' order."""
    statuses: tuple[tuple[str, int], ...] = ()
    """What a speaker is expected to say of it, with the number of sentences of which it is, those alike up to what is measured once."""
    restrictions: tuple[Restriction, ...] = ()
    """Which items they are, where the contrasts are about some only."""

    @property
    def status(self) -> str:
        """What is expected of it, in a cell; where sentences differ, of how many."""
        if len(self.statuses) == 1:
            return self.statuses[0][0]
        return ", ".join(f"{status or 'not said'} in {number:,}" for status, number in self.statuses)


@dataclass(frozen=True, slots=True)
class ConditionRating:
    """What people said of the sentences of one condition, beside the measure at its critical region."""

    name: str
    label: str
    n_ratings: int
    rating: Result
    """The mean of the sentences' mean ratings, over the sentences; `n` counts distinct values as `one_sample_t` does."""
    n_measured: int
    """Rated sentences that the model has a value for."""
    measure: float | None
    """The mean of the measure over those."""
    status: str = ""
    """What is expected of it, as `ConditionMean.status` of all items has it."""


@dataclass(frozen=True, slots=True)
class RatedScale:
    """All ratings on one scale."""

    points: int | None
    """How many points a Likert scale has; None for ``*``, ``?``, ``ok``, counted as 1, 2, 3."""
    n_people: int
    conditions: tuple[ConditionRating, ...]
    correlation: Result
    """Of a sentence's mean rating and its measure, by ranks, over the rated sentences that have both."""


@dataclass(frozen=True, slots=True)
class RegionMean:
    """Mean surprisal of a region in a condition, over distinct observations, with its two-sided interval."""

    condition: str
    region: str
    n: int
    """Distinct observations: different texts up to the region's end."""
    n_undefined: int
    """Items without a value."""
    mean: float | None
    ci_low: float | None
    ci_high: float | None
    contrast: str = ""
    """The contrast whose items it is over, where these are not all; empty for all of them."""


@dataclass(frozen=True, slots=True)
class WordMean:
    """Mean surprisal of a word's place in a condition, over distinct observations, with its two-sided interval."""

    condition: str
    region: str
    number: int
    """Of the word in its region, from 1."""
    word: str
    """The example's word there."""
    n: int
    mean: float
    ci_low: float | None
    ci_high: float | None


@dataclass(frozen=True, slots=True)
class WordDifference:
    """A contrast of two conditions at a word that both have: the mean of the items' differences, in bits, over distinct
    observations, with its two-sided interval."""

    contrast: str
    region: str
    number: int
    """Of the word in its region, from 1."""
    word: str
    """The example's word there."""
    n: int
    mean: float
    ci_low: float | None
    ci_high: float | None


@dataclass(frozen=True, slots=True)
class RegionDifference:
    """A contrast of two conditions in a region where both have the same words: the mean of the items' differences, in bits,
    over distinct observations."""

    contrast: str
    region: str
    n: int
    mean: float | None
    ci_low: float | None
    ci_high: float | None
    restrictions: tuple[Restriction, ...] = ()
    """What the contrast is restricted to."""


@dataclass(frozen=True, slots=True)
class UnknownWords:
    """An item's words that the model does not know."""

    dataset: str
    item: str
    words: Mapping[str, int]
    """With the number of times that each stands in the item's sentences."""


@dataclass(frozen=True, slots=True)
class WordsLeft:
    """A slot, or part of one, of which the analysed items have fewer words than the items that they were chosen from."""

    slot: str
    n_left: int
    n_all: int


@dataclass(frozen=True, slots=True)
class ItemSelection:
    """Which items went in."""

    all_items: bool
    n_selected: int
    n_total: int
    by_status: Mapping[ItemStatus, int]
    """Of the items whose status the reader may see."""
    n_sentences: int
    """Sentences of the selected items."""
    n_distinct_texts: int
    """Different texts among them."""
    n_unscored: int
    """Different texts that this scorer has not scored."""
    versions: Mapping[str, int] = field(default_factory=dict)
    """Items by digest of the form that they were made with."""
    datasets: tuple[str, ...] = ()
    """The data sets of all the items, analysed or not, by name."""
    by_dataset: Mapping[str, int] = field(default_factory=dict)
    """Analysed items by data set, in the order of their names."""
    told: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What people had to say of the files of data sets, by data set: which member of a pair comes first."""
    restrictions: tuple[Restriction, ...] = ()
    """Why the selected ones are not all."""
    n_repeated: int = 0
    """Different items that more than one data set has with the very same sentences."""
    unknown: tuple[UnknownWords, ...] = ()
    """The items with words that a model of whole words does not know."""
    words_left: tuple[WordsLeft, ...] = ()
    """The slots of which all items with some word are left out."""


@dataclass(frozen=True, slots=True)
class SetAside:
    """Items that are not approved, for the same reason and by the same people or policy."""

    status: ItemStatus
    reason: str
    """Empty where none was given, as for items that nobody has decided yet."""
    decided_by: tuple[str, ...]
    """Who decided; a policy is given as ``policy NAME``. Empty for pending items."""
    labels: tuple[str, ...]
    """Item labels, with the data set before them where the items are of several."""
    comments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Excluded:
    """An item that was excluded or flagged, and what one could know when the last decision made it so."""

    reason: str
    scored: bool
    """Whether it had a score by then."""
    planned: bool
    """Whether the plan that holds was frozen by then."""


@dataclass(frozen=True, slots=True)
class ItemAccount:
    """Where the items came from and what was said of them: all of the paradigm's items, approved or not."""

    set_aside: tuple[SetAside, ...]
    findings: tuple[tuple[str, Severity, int, int | None], ...]
    """Code, severity, items with such a finding, and how many of those were analysed; None where that is not for the reader to know."""
    n_unlinted: int
    """Items that no lint has read as they stand now."""
    looked: str
    """What the rules on words looked at in the analysed items, and what not."""
    runs: tuple[tuple[RunRecord, int], ...]
    """Each run with the number of its items."""
    by_policy: tuple[tuple[str, int], ...] = ()
    """Policies with the number of analysed items that they alone decided on."""
    n_by_person: int = 0
    """Analysed items, as they stand now, on which a person decided who had them on screen, adjudications included."""
    n_unopened: int = 0
    """Analysed items on which people decided without opening them: many at once, or from the command line."""
    n_elsewhere: int = 0
    """Analysed items on which people decided in packets or files only: whether they opened them is not known."""
    n_elsewhere_and_here: int = 0
    """Of these, how many people decided on here, too, without opening them."""
    unfinished: Unfinished = field(default_factory=Unfinished)
    """What of people's shares is unread or not locked; its `taken` are analysed."""
    of_sets: tuple[StoredFinding, ...] = ()
    """What the linter found in the data sets as wholes, by data set, worst first."""
    titles: Mapping[str, str] = field(default_factory=dict)
    """Code to what the rule looks for, for the codes above."""
    excluded: tuple[Excluded, ...] = ()
    """The excluded and flagged items, of which the reader may know it."""
    n_left_out: int = 0
    """Items of which others have said something that the reader may not see; who decided and set aside is told of the rest."""

    @property
    def n_by_people(self) -> int:
        """Analysed items on which people decided, however."""
        return self.n_by_person + self.n_unopened + self.n_elsewhere


@dataclass(frozen=True, slots=True)
class KeptComparison:
    """What setting items aside did to an accuracy: the items analysed against all that have a value."""

    contrast: str
    direction: int
    comparison: SetComparison


@dataclass(frozen=True, slots=True)
class PlanCheck:
    """The plan that was frozen for a paradigm's analysis, and what is not as it says."""

    digest: str
    at: str
    author: str
    n_scored: int
    """Items that had scores in the bank when it was frozen."""
    number: int
    """The how manieth plan of the paradigm it is."""
    deviations: tuple[str, ...]
    exclusion: tuple[str, ...] = ()
    """By which rules items are approved or left out, as the plan says it in words."""
    first_at: str = ""
    """When the first plan of the paradigm was frozen."""
    first_scored: int = 0
    """Items that had scores then."""
    other_number: bool = False
    """Whether another number of items was planned."""

    @property
    def late(self) -> bool:
        """Whether some of its items had scores when it was frozen."""
        return self.n_scored > 0


@dataclass(frozen=True, slots=True)
class Analysis:
    """Everything computed for one paradigm under one scorer."""

    paradigm: Paradigm
    scorer_id: int
    scorer: Scorer
    provenance: tuple[tuple[Mapping[str, Any], int], ...]
    """How the scorer's values were computed, with the number of texts: engine, device, library versions."""
    requests: tuple[tuple[Mapping[str, Any], int], ...]
    """By which requests they were computed or taken in, with the number of texts."""
    options: AnalysisOptions
    items: ItemSelection
    contrasts: tuple[ContrastResult, ...]
    omitted: tuple[str, ...]
    """Contrasts left out because none of the items has their conditions."""
    conditions: tuple[ConditionMean, ...]
    regions: tuple[RegionMean, ...]
    differences: tuple[RegionDifference, ...]
    comparisons: tuple[KeptComparison, ...]
    account: ItemAccount
    caveats: tuple[str, ...]
    example: StoredItem
    """The item of the first name that was analysed and made with this version of the paradigm."""
    texts: Mapping[ItemKey, str]
    """One sentence per item, by the same keys as the contrasts' values: that of its first condition."""
    names: Mapping[ItemKey, Mapping[str, str]] = field(default_factory=dict)
    """The uid and the digest of the texts of each item, as columns of tables (`gapsmith.bank.item_names`)."""
    criteria: tuple[CriterionResult, ...] = ()
    words: tuple[WordMean, ...] = ()
    """Of every condition, where they were asked for."""
    word_differences: tuple[WordDifference, ...] = ()
    """Of every contrast of two conditions, where words were asked for."""
    notes: tuple[str, ...] = ()
    """Choices that were made because nothing was asked for, such as which scorer was taken."""
    ratings: tuple[RatedScale, ...] = ()
    """What people said of the sentences alone, one entry for each scale; empty where nobody did."""
    revision_name: str = ""
    """What the scorer's revision was called when it was scored (``step1000``), else the first digits of its digest."""
    context: str = ""
    """What stood before the sentences, as tables call it; empty for nothing."""
    contrast_regions: tuple[RegionMean, ...] = ()
    """The means by region over the items of a contrast, for contrasts that are about some of them only."""
    context_length: float | None = None
    """Its tokens, on average over the items."""
    plan: PlanCheck | None = None
    """None where none was frozen."""
    apart: bool = False
    """Whether the paradigm has analyses of other data sets beside this one."""

    def measured_as(self, measure: str) -> str:
        """What tables call a measure here: with the convention by which it was made, where that is not the usual one."""
        return measure_name(measure, self.scorer, corrected=self.options.corrected, convention=self.options.convention)

    @property
    def part(self) -> str:
        """What names it among the analyses of a report."""
        return f"{self.paradigm.name}-{self.options.dataset}" if self.apart else self.paradigm.name

    @property
    def title(self) -> str:
        """The paradigm's title, with the data set where there are analyses of others."""
        return f"{self.paradigm.title}, data set {self.options.dataset}" if self.apart else self.paradigm.title

    @property
    def by_total_only(self) -> bool:
        """Whether the reader may not know which items are approved: then no value of a single item is shown, since other tables have it
        under the item's name."""
        return self.account.n_left_out > 0 and not self.items.all_items

    def for_reader(self) -> Analysis:
        """The analysis without values and words of single items where the reader may not know which are approved (`by_total_only`). Of how
        many a criterion holds stays, in an order that tells of none."""
        if not self.by_total_only:
            return self
        nothing: dict[str, Any] = {"reasons": {}, "evidence": {}, "word_rows": {}}
        return replace(
            self,
            texts={},
            names={},
            items=replace(self.items, unknown=()),
            account=replace(self.account, findings=tuple((*own[:3], None) for own in self.account.findings)),
            contrasts=tuple(replace(own, values={}, words=replace(own.words, fixed=()), **nothing) for own in self.contrasts),
            conditions=tuple(replace(own, values={}) for own in self.conditions),
            criteria=tuple(
                replace(own, holds=_counted(own.holds), measured={}, difference={}, syntaxgym=_bare(own.syntaxgym), **nothing)
                for own in self.criteria
            ),
        )

    def shown(self, key: ItemKey) -> str:
        """The item's label, with its data set before it where there are several; for people, since it can be ambiguous."""
        return item_name(key, several=len(self.items.datasets) > 1)

    @property
    def dataset_name(self) -> str:
        """The data sets that were analysed, as one text."""
        return self.options.dataset or ", ".join(self.items.by_dataset)

    @property
    def selected(self) -> bool:
        """Whether contrasts or criteria of the paradigm were left out because others, or a design, were asked for."""
        asked = bool(self.options.contrasts or self.options.design)
        there = len(self.paradigm.contrasts) + len(self.paradigm.criteria)
        return asked and len(self.contrasts) + len(self.omitted) + len(self.criteria) < there

    def of_kind(self, *kinds: str) -> tuple[ContrastResult, ...]:
        """The contrasts of these kinds, in the paradigm's order."""
        return tuple(result for result in self.contrasts if result.contrast.kind in kinds)


def _counted(holds: Mapping[ItemKey, bool]) -> dict[ItemKey, bool]:
    """As many truths by numbers that are no items' names, in no order of items."""
    return {ItemKey("", str(number)): truth for number, truth in enumerate(sorted(holds.values(), reverse=True), 1)}


def _bare(read: SyntaxGymReading | None) -> SyntaxGymReading | None:
    """The same of as many items by numbers."""
    if read is None:
        return None
    differing = tuple(ItemKey("", str(number)) for number in range(1, len(read.differing) + 1))
    lacking = {ItemKey("", str(number)): why for number, why in enumerate(sorted(read.lacking.values()), 1)}
    return replace(read, differing=differing, lacking=lacking)
