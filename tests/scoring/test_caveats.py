"""Every sentence that stands between numbers and their use has a case in which it is true, and stands there, and one in which it is not."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

import pytest

from gapsmith.bank import ItemStatus, OpenShare, Unfinished
from gapsmith.scoring.analysis import (
    Analysis,
    AnalysisOptions,
    Conclusion,
    ContrastResult,
    Excluded,
    PlanCheck,
    UnknownWords,
    analyze,
    caveats,
)
from gapsmith.scoring.analysis.contrasts import beside_words
from gapsmith.scoring.analysis.results import SetAside
from gapsmith.scoring.observations import RoleWords
from gapsmith.scoring.report.sections import section_of
from gapsmith.scoring.report.tables import contrast_tables
from gapsmith.stats import FixedWord, KindMean, Result, SlotUse, WordTest
from gapsmith.templates import SENTENCE_PLACE, Place, load_paradigm
from tests.scoring.analysing import filled_bank, published_bits

Words = list[dict[str, str]]
Change = Callable[[Analysis], Analysis]

APART = [{"verb": f"v{n}", "noun": f"n{n}"} for n in range(4)]
CROSSED = [{"verb": verb, "noun": noun} for verb in ("saw", "met", "left") for noun in ("cat", "dog", "cow")]
SAME: Change = lambda own: own  # noqa: E731  # an analysis as it is


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Analysis:
    """An analysis of which nothing has to be said: every caveat below is added to it, or not."""
    path = tmp_path_factory.mktemp("caveats") / "bank.sqlite"
    with filled_bank(path, "subject_pg", 33, published_bits) as bank:
        own = analyze(bank, "subject_pg", options=AnalysisOptions(by_region=False, permutations=19, contrasts=("P1", "did")))
    own = contrasts(n_unlike=0, together=(), words=WordTest("items"), n_straddling=0)(own)
    return account(n_unlinted=0, n_by_person=33)(own)


@pytest.fixture(scope="module")
def regions(tmp_path_factory: pytest.TempPathFactory) -> Analysis:
    """A contrast with its regions, for the figures of a report; nothing has to be said of its words."""
    path = tmp_path_factory.mktemp("regions") / "bank.sqlite"
    with filled_bank(path, "subject_pg", 12, published_bits) as bank:
        own = analyze(bank, "subject_pg", options=AnalysisOptions(permutations=19, contrasts=("P1",)))
    return contrasts(n_unlike=0, together=(), words=WordTest("items"), n_straddling=0)(own)


def contrasts(**fields: Any) -> Change:
    """Every contrast with these fields."""
    return lambda own: replace(own, contrasts=tuple(replace(result, **fields) for result in own.contrasts))


def items(**fields: Any) -> Change:
    return lambda own: replace(own, items=replace(own.items, **fields))


def unknown(word: str) -> Change:
    """One item has a word twice that the model does not know."""
    own = (UnknownWords("set", "1", {word: 2}),)
    return lambda analysis: items(unknown=own)(scorer(identity={"bos": "bos", "unknown": "<unk>"})(analysis))


def account(**fields: Any) -> Change:
    return lambda own: replace(own, account=replace(own.account, **fields))


def blind(change: Change) -> Change:
    """The same, read by one who may not know which items are approved."""
    return lambda own: items(all_items=False)(account(n_left_out=1)(change(own)))


def scorer(**fields: Any) -> Change:
    return lambda own: replace(own, scorer=replace(own.scorer, **fields))


def planned(**fields: Any) -> Change:
    check = PlanCheck(digest="abc", at="2026-01-02T03:04:05", author="lea", n_scored=0, number=1, deviations=())
    return lambda own: replace(own, plan=replace(check, **fields))


def has_tests(own: Analysis) -> Analysis:
    return replace(own, contrasts=tuple(replace(r, ttest=replace(r.ttest, interpretable=True)) for r in own.contrasts))


def second_plan() -> Change:
    return planned(number=2, first_at="2026-01-01T01:02:03")


def fewer(*, other_number: bool = True) -> Change:
    """Another number of items than planned, of which one was excluded."""
    aside = SetAside(ItemStatus.EXCLUDED, "implausible", ("lea",), ("3",), ())
    return both(planned(other_number=other_number), account(set_aside=(aside,)))


def by_roles(own: Analysis) -> Analysis:
    """With roles in the place of slots."""
    return replace(own, options=replace(own.options, roles=RoleWords({}, "role_verb in 3 of 3 items")))


def exhaustive(own: Analysis) -> Analysis:
    """Of a paradigm that stands for thousands of items."""
    return replace(own, paradigm=replace(load_paradigm("lan_pg"), contrasts=own.paradigm.contrasts))


def both(*changes: Change) -> Change:
    def every(own: Analysis) -> Analysis:
        for change in changes:
            own = change(own)
        return own

    return every


def turned(measure: str | None) -> Change:
    """What the file expects above 0 is expected below it, `measure` having been asked for."""

    def change(own: Analysis) -> Analysis:
        opposite = tuple(replace(r, contrast=replace(r.contrast, expected=-r.contrast.expected)) for r in own.contrasts)
        return replace(own, contrasts=opposite, options=replace(own.options, measure=measure))

    return change


def undefined(own: ContrastResult) -> ContrastResult:
    nothing = Result(test="t test", n=0, undefined="no items", interpretable=False)
    return replace(own, ttest=nothing, verdict=Conclusion.UNDEFINED, words=WordTest("items"))


def untested(own: Analysis) -> Analysis:
    return replace(own, contrasts=tuple(map(undefined, own.contrasts)))


def away(alternative: str) -> Change:
    """One-sided tests of contrasts that expect a value below 0."""

    def change(own: Analysis) -> Analysis:
        return replace(
            own,
            contrasts=tuple(
                replace(r, contrast=replace(r.contrast, expected=-1), alternative=alternative)  # type: ignore[arg-type]  # one of three
                for r in own.contrasts
            ),
        )

    return change


MODELLED = contrasts(words=WordTest("words", these=Result(test="mixed model of words", n=33, estimate=1.0, p=0.5)))


def by_object(*means: float, raw: tuple[float, ...] = ()) -> Change:
    """Words of a slot that are held fixed, with these means of the model, and raw ones beside them."""
    line = Result(test="mixed model of words", n=33, estimate=1.0, p=0.5)
    pairs = enumerate(zip(raw or means, means, strict=True))
    fixed = tuple(FixedWord("object", f"w{n}", 10, own, modelled=mean) for n, (own, mean) in pairs)
    return contrasts(words=WordTest("words", these=line, fixed=fixed))


def used(*uses: Literal["fixed", "random", "left out"]) -> Change:
    """A model of words of a slot for each of these uses."""
    line = Result(test="mixed model of words", n=33, estimate=1.0, p=0.5)
    slots = tuple(SlotUse(f"slot{n}", (), 8, (), closed=False, use=use) for n, use in enumerate(uses))
    return contrasts(words=WordTest("words", slots, these=line))


def combined(*, built: bool) -> Change:
    """A model with a fixed slot and a random one, the texts of which are built of it, or are not."""
    line = Result(test="mixed model of words", n=33, estimate=1.0, p=0.5)
    one = SlotUse("slot0", (), 3, ("a", "b", "c"), closed=True, use="fixed")
    two = SlotUse("slot1", (), 8, (), closed=False, use="random", built_of=("slot0",) if built else ())
    return contrasts(words=WordTest("words", (one, two), these=line))


def few_without_contrasts(analysis: Analysis) -> Analysis:
    return replace(items(n_selected=9)(analysis), contrasts=())


def longer(n: int) -> Change:
    """Pairs of different words, in so many of which one sentence is longer."""
    return contrasts(n_other_words=5, n_other_lengths=n)


def texts(*own: str) -> Change:
    """A model of words of a slot in which items have these texts."""
    model = used("random")

    def change(analysis: Analysis) -> Analysis:
        made = model(analysis)
        rows = {key: {"slot0": text} for key, text in zip(made.contrasts[0].values, own * 33, strict=False)}
        return contrasts(word_rows=rows)(made)

    return change


@dataclass(frozen=True)
class Case:
    """A piece of a sentence that stands in the code, what makes it true, and what is nearest to that and makes it false."""

    piece: str
    shown: str
    true: Change
    false: Change


def sized(*, fixed: bool) -> Change:
    """Contrasts with a δ, which was fixed before items were scored, or not."""
    return lambda own: replace(
        own,
        contrasts=tuple(replace(r, contrast=replace(r.contrast, delta=0.5), delta_fixed=fixed) for r in own.contrasts),
    )


def left_out(*, scored: bool) -> Change:
    return account(excluded=(Excluded("implausible", scored, planned=False),))


CASES = (
    Case(
        "{}: {} or below δ; intervals",
        "P1 and DiD: δ was fixed after items were scored, so nothing is called absent or below δ",
        sized(fixed=False),
        sized(fixed=True),
    ),
    Case("(`gapsmith plan freeze {}`)", "(`gapsmith plan freeze subject_pg`)", sized(fixed=False), SAME),
    Case(
        "Items are approved or left out so",
        "left out so: by two readers; by the linter.",
        planned(exclusion=("by two readers", "by the linter")),
        planned(),
    ),
    Case(
        "Left out after they had scores",
        "Left out after they had scores: 1 item (implausible 1).",
        left_out(scored=True),
        left_out(scored=False),
    ),
    Case("{} ({} for {} items)", "P1 (20 for 33 items); DiD (20 for 33 items)", contrasts(n_distinct=20), SAME),
    Case("{} ({} of {})", "P1 (4 of 33)", contrasts(n_overlapping=4), SAME),
    Case("{} in {} of {} items", "P1 in 2 of 33 items; DiD in 2", contrasts(n_straddling=2), SAME),
    Case("{} (in {} of {} items)", "(in 4 of 33 items)", contrasts(n_unlike=4), contrasts(n_unlike=33)),
    Case(
        "{} of its items had scores already", "when 3 of its items had scores already", planned(n_scored=3), planned(n_scored=0)
    ),
    Case("before any of its items had scores", "before any of its items", planned(n_scored=0), planned(n_scored=3)),
    Case("It is plan {} of {}", "It is plan 2 of subject_pg", planned(number=2), planned(number=1)),
    Case("plan 1 was frozen {}, {}", "holds; plan 1 was frozen 2026-01-01 01:02, before any", second_plan(), planned(number=1)),
    Case(
        "Items that are not in it: {}.", "Items that are not in it: 1 excluded (implausible).", fewer(), fewer(other_number=False)
    ),
    Case(
        "Of {} contrasts {} {} no verdict, so that {} not among the tests that are corrected together.",
        "Of 2 contrasts P1 and DiD get no verdict, so that they are not among the tests",
        both(planned(), has_tests, contrasts(n_unlike=4)),
        both(planned(), has_tests),
    ),
    Case("Nothing differs from it.", "Nothing differs from it.", planned(), planned(deviations=("40 items",))),
    Case("Planned: {}, frozen", "Planned: abc, frozen 2026-01-02 03:04 by lea", planned(), SAME),
    Case("Not as planned: {}", "Not as planned: 40 items.", planned(deviations=("40 items",)), planned()),
    Case("All {} items were", "All 33 items were analysed", items(all_items=True), items(all_items=False)),
    Case("The only item was", "The only item was", items(all_items=True, n_selected=1), items(all_items=True, n_selected=2)),
    Case("analysed, whatever was decided of", "decisions were not used", items(all_items=True), SAME),
    Case(
        "data sets are pooled",
        "2 data sets are pooled (a 3, b 4)",
        items(by_dataset={"a": 3, "b": 4}),
        items(by_dataset={"a": 7}),
    ),
    Case("with identical sentences in more than one", "2 items occur with identical", items(n_repeated=2), items(n_repeated=0)),
    Case("count {} once", "count each of them once", items(n_repeated=2), items(n_repeated=0)),
    Case("of the {} items as they stand", "read 3 of the 33 items", account(n_unlinted=3), account(n_unlinted=0)),
    Case("the item as it stands", "read the item as it", both(account(n_unlinted=1), items(n_total=1)), account(n_unlinted=3)),
    Case("Roles stand for the words of items without slots ({}).", "slots (role_verb in 3 of 3 items).", by_roles, SAME),
    Case("No lint has read", "No lint has read", account(n_unlinted=33), account(n_unlinted=0)),
    Case(
        "different versions of the paradigm file",
        "3 with aa, 4 with bb",
        items(versions={"aa": 3, "bb": 4}),
        items(versions={"aa": 7}),
    ),
    Case("few: intervals are wide, and", "9 items are few", items(n_selected=9), items(n_selected=10)),
    Case(
        "With {} no sign-flip test",
        "With 5 items no sign-flip test and no Wilcoxon test can give less than .0625,",
        contrasts(n_distinct=5),
        contrasts(n_distinct=6),
    ),
    Case("few: intervals are wide.", "9 items are few: intervals are wide.", few_without_contrasts, items(n_selected=9)),
    Case("any of these items", "No person has decided on any", account(n_by_person=0, n_left_out=0), account(n_by_person=1)),
    Case("the only item", "on the only item", both(account(n_by_person=0), items(n_selected=1)), account(n_by_person=1)),
    Case(
        "No person has decided on",
        "No person has decided",
        account(n_by_person=0, n_left_out=0),
        account(n_by_person=0, n_left_out=2),
    ),
    Case(
        ", only the polic{} {}",
        "any of these items, only the policies clean and kept;",
        account(n_by_person=0, by_policy=(("clean", 30), ("kept", 3))),
        account(n_by_person=0, by_policy=()),
    ),
    Case(
        "describes every combination of its words; the {} items",
        "lan_pg describes every combination",
        exhaustive,
        SAME,
    ),
    Case(
        "analysed are only some",
        "the 33 items analysed are only some",
        exhaustive,
        SAME,
    ),
    Case("so items are not independent", "P1 and DiD: the verdict is that of a model", MODELLED, SAME),
    Case("words{}", "of a model of these words.", MODELLED, contrasts(words=WordTest("described"))),
    Case("few words, and closed lists", "held fixed and named.", used("fixed"), used("random")),
    Case("the others are a sample", "named, the others are a sample.", used("fixed", "random"), used("random")),
    Case("they are a sample of those", "words; they are a sample of those", used("random"), used("fixed", "random")),
    Case("how parts are combined is random", "beside these (slot1 of slot0),", combined(built=True), combined(built=False)),
    Case("left out of one or more of these", "models: slot1.", used("random", "left out"), used("random")),
    Case(
        "takes each text of a slot for a word of its own",
        "'she' in 2 of 3 texts",
        texts("she saw", "she met", "he left"),
        texts("saw", "met"),
    ),
    Case("({} in {} of {} texts)", "slot0 ('she' in", texts("she saw", "she met", "he left"), texts("she saw", "she met")),
    Case(
        "so the mean over these words need not hold", "P1 by object; DiD by object", by_object(1.0, -2.0), by_object(-1.0, -2.0)
    ),
    Case(
        "them: {}. The tables by word have each",
        "of any of them",
        by_object(1.0, -2.0, raw=(1.0, 2.0)),
        by_object(1.0, 2.0, raw=(1.0, -2.0)),
    ),
    Case(
        "so there is a description and no verdict",
        "no verdict. Too few observations.",
        contrasts(words=WordTest("described", why="Too few observations.")),
        MODELLED,
    ),
    Case("which words the items have is not known", "is not known", contrasts(words=WordTest("unknown")), SAME),
    Case("a paradigm with slots, would tell", "intervals are too narrow", contrasts(words=WordTest("unknown")), MODELLED),
    Case("are one observation", "(20 for 33 items)", contrasts(n_distinct=20), contrasts(n_distinct=33)),
    Case(
        "Observations that share the text of at least one condition",
        "(4 of 33)",
        contrasts(n_overlapping=4),
        contrasts(n_overlapping=0),
    ),
    Case("separate: {}", "separate: P1", contrasts(n_overlapping=4), contrasts(n_overlapping=0)),
    Case("different sentences", "have no scores", items(n_unscored=5), items(n_unscored=0)),
    Case("Words that the model does not know", "in 1 of 33 items: gusto 2", unknown("gusto"), SAME),
    Case("Each is read as {}", "read as <unk>, whose", unknown("gusto"), SAME),
    Case("`--json` lists them by item", "word; `--json` lists", unknown("gusto"), blind(unknown("gusto"))),
    Case("from this scorer; run", "to complete them", items(n_unscored=1), items(n_unscored=0)),
    Case(
        "Scored without a beginning-of-sequence",
        "has no value",
        scorer(identity={"bos": "none"}),
        scorer(identity={"bos": "bos"}),
    ),
    Case(
        "Numbers are made as {} makes them",
        "as minicons makes them",
        lambda own: replace(own, options=replace(own.options, convention="minicons")),
        SAME,
    ),
    Case("How sentences began", "recorded as 'odd'", scorer(identity={"bos": "odd"}), scorer(identity={"bos": "bos"})),
    Case("items lack the conditions", "conditions: P9", lambda own: replace(own, omitted=("P9",)), SAME),
    Case("is expected or looked for is the other way", "the other way round", turned("slor"), turned(None)),
    Case("one grows", "P1, DiD", turned("slor"), SAME),
    Case("Tokens lie across the edge", "P1 in 2 of 33 items", contrasts(n_straddling=2), contrasts(n_straddling=0)),
    Case("Read those values with care", "with care", contrasts(n_straddling=1), contrasts(n_straddling=0)),
    Case(
        "Texts of different words are compared",
        "compared (P1 and DiD in 5 of 33 items)",
        contrasts(n_other_words=5),
        contrasts(n_other_words=0),
    ),
    Case("also of different numbers of words", "numbers of words (P1 and DiD in 2 of 33 items)", longer(2), longer(0)),
    Case("a baseline, the same words", "would take it away.", contrasts(n_other_words=5), SAME),
    Case("{} {} different critical words", "P1 (in 4 of 33 items) and DiD", contrasts(n_unlike=4), contrasts(n_unlike=0)),
    Case("these words are, and there is no verdict", "and how long", contrasts(n_unlike=33), contrasts(n_unlike=0)),
    Case("would be one.", "the items in which", contrasts(n_unlike=4), contrasts(n_unlike=33)),
    Case("away from the expected sign", "only find the opposite", away("greater"), away("less")),
    Case("what was expected.", "of what was expected", away("greater"), away("two-sided")),
    Case("can come from either", "P1 compares conditions that change a and b together", contrasts(together=(("a", "b"),)), SAME),
    Case("was not tested: {}", "P1 was not tested: no items", untested, SAME),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.piece)
def test_a_caveat_stands_where_it_is_true_and_nowhere_else(plain: Analysis, case: Case) -> None:
    said = " ".join(caveats.caveats_of(case.true(plain), APART))
    assert case.shown in said
    assert case.shown not in " ".join(caveats.caveats_of(case.false(plain), APART))


def test_combinations_of_words_are_said_where_every_one_is_there(plain: Analysis) -> None:
    (own,) = set(caveats.caveats_of(plain, CROSSED)) - set(caveats.caveats_of(plain, APART))
    assert own
    assert own not in caveats.caveats_of(plain, CROSSED[:-1])


def test_whose_share_is_not_read_stands_between_numbers_and_their_use(plain: Analysis) -> None:
    open_shares = (
        OpenShare("cy", 12, 8, locked=False),
        OpenShare("dan", 3, 0, locked=False),
        OpenShare("eve", 4, 1, locked=True),
    )
    (said,) = caveats.caveats_of(account(unfinished=Unfinished(open_shares, 9, 5))(plain), APART)
    assert said == (
        "Reading is not finished: cy has 8 of 12 items left and has not locked; dan has not locked; eve has locked with 1 of 4 items left."
        " 9 items lack a reader's verdict, 5 of them among those analysed."
    )


def test_where_nothing_has_to_be_said_nothing_is(plain: Analysis) -> None:
    assert caveats.caveats_of(plain, APART) == ()


def test_every_sentence_of_the_module_has_a_case() -> None:
    """What is written there in words, piece by piece as it stands between other pieces."""
    source = Path(inspect.getsourcefile(caveats) or "").read_text(encoding="utf-8")
    assert len([own for own in _written(source) if _is_sentence(own)]) > 20
    assert _without_case(source) == []


@pytest.mark.parametrize(
    "new",
    [
        "The items are of another colour than the sentences.",
        "Items are odd.",
        "{len(analysis.items.versions)} items of theirs lie far away from ours",
        # What has a piece of another one in it is another one.
        "No lint has read this, and nobody else has.",
    ],
)
def test_a_new_sentence_without_its_two_cases_is_found(new: str) -> None:
    source = Path(inspect.getsourcefile(caveats) or "").read_text(encoding="utf-8")
    planted = source.replace("    found = []\n", f'    found = [f"{new}"]\n', 1)
    assert planted != source
    assert len(_without_case(planted)) == 1


def test_a_case_of_a_sentence_that_is_gone_is_found() -> None:
    source = Path(inspect.getsourcefile(caveats) or "").read_text(encoding="utf-8")
    assert _without_case(source.replace("Read those values with care.", "")) == ["Read those values with care"]


def test_each_case_is_true_once_and_false_once() -> None:
    """A case has both, and they are not the same change."""
    assert [case.piece for case in CASES if case.true is case.false] == []


def _without_case(source: str) -> list[str]:
    """The sentences of a module that no case has for its own, and the cases that are of none, or of two."""
    written = sorted(set(_written(source)))
    left = [own for own in written if _is_sentence(own) and not any(case.piece in own for case in CASES)]
    return left + [case.piece for case in CASES if sum(case.piece in own for own in written) != 1]


def _is_sentence(text: str) -> bool:
    """Whether a text is a sentence, or so long a piece of one that it has a truth of its own."""
    words = [word for word in text.split() if re.search(r"[A-Za-z]", word)]
    return len(text.split()) > 3 or (len(words) > 1 and text.endswith("."))


def _written(source: str) -> Iterator[str]:
    """The texts in a module's functions that are no documentation, with {} for what is filled in."""
    tree = ast.parse(source)
    inside = {id(part) for own in ast.walk(tree) if isinstance(own, ast.JoinedStr) for part in own.values}
    documentation = {
        id(own.body[0].value)
        for own in ast.walk(tree)
        if isinstance(own, ast.FunctionDef | ast.Module) and isinstance(own.body[0], ast.Expr)
    }
    for own in ast.walk(tree):
        if isinstance(own, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in own.values)
        elif isinstance(own, ast.Constant) and isinstance(own.value, str) and id(own) not in inside | documentation:
            yield own.value


@pytest.mark.parametrize(
    ("piece", "true", "false"),
    [
        ("p two-sided", away("two-sided"), away("less")),
        ("p one-sided, below 0; intervals two-sided", away("less"), away("two-sided")),
        ("p one-sided, above 0; intervals two-sided", away("greater"), away("less")),
        ("the mean is on the other side", away("greater"), away("less")),
        ("mean: of the model of words", MODELLED, SAME),
        ("fewer than the items", contrasts(n_distinct=20), contrasts(n_distinct=33)),
    ],
)
def test_a_table_says_which_side_p_is_about_and_what_a_mean_is_of(
    plain: Analysis, piece: str, true: Change, false: Change
) -> None:
    def notes(change: Change) -> str:
        own = change(plain)
        only = replace(own, contrasts=tuple(r for r in own.contrasts if r.contrast.name == "P1"))
        return "\n".join(note for table in contrast_tables(only) for note in table.notes)

    assert piece in notes(true)
    assert piece not in notes(false)


def flips(p: float, method: str = "random") -> Change:
    found = Result(test="sign flips", n=33, estimate=1.0, p=p, details={"method": method, "n_permutations": 9_999})
    return contrasts(permutation=found)


def held(*means: float, expected: int = -1) -> Change:
    """Words that are held fixed, in contrasts with that expectation."""
    change = by_object(*means)
    return lambda own: replace(
        change(own),
        contrasts=tuple(replace(r, contrast=replace(r.contrast, expected=expected)) for r in change(own).contrasts),
    )


def wider(ci: tuple[float, float] | None) -> Change:
    """A second line over other words, with this interval."""
    these = Result(test="mixed model of words", n=33, estimate=1.0, p=0.5)
    why = None if ci is not None else "No interval over other words of the slot 'object': two words do not tell how words vary."
    others = Result(test="mixed model of words", n=33, estimate=1.0, ci=ci, undefined=why, interpretable=False)
    slots = (SlotUse("object", (), 2, ("us", "you"), closed=False, use="fixed"),)
    return contrasts(words=WordTest("words", slots, these=these, others=others))


def varying(sd: float) -> Change:
    """A random slot whose words vary so much."""
    line = Result(test="mixed model of words", n=33, estimate=1.0, p=0.5, scope="over other nouns", details={"sds": {"noun": sd}})
    return contrasts(words=WordTest("words", (SlotUse("noun", (), 8, (), closed=False, use="random"),), these=line))


def at(place: Place) -> Change:
    """Every contrast measured there."""

    def change(own: Analysis) -> Analysis:
        def moved(result: ContrastResult) -> ContrastResult:
            terms = tuple(replace(term, place=place) for term in result.contrast.terms)
            return replace(result, contrast=replace(result.contrast, terms=terms))

        return replace(own, contrasts=tuple(map(moved, own.contrasts)))

    return change


def whole(own: Analysis) -> Analysis:
    """Conditions that were measured over whole sentences."""
    return replace(own, conditions=tuple(replace(one, region="sentence") for one in own.conditions))


def kinds(*numbers: int) -> Change:
    """Items of which some have a slot and others another one, and none of their words repeats."""
    named = tuple(KindMean(f"with {name}", n, 1.0) for name, n in zip(("head", "heads"), numbers, strict=True))
    words = WordTest("items", kinds=named)

    def change(own: Analysis) -> Analysis:
        made = contrasts(words=words)(own)
        return replace(made, contrasts=tuple(replace(r, ttest=beside_words(r.ttest, words)) for r in made.contrasts))

    return change


UNKNOWN = contrasts(words=WordTest("unknown"))
UNLIKE = contrasts(verdict=Conclusion.UNLIKE)


@pytest.mark.parametrize(
    ("piece", "true", "false"),
    [
        ("no verdict of P1: different words are compared", UNLIKE, SAME),
        ("different words are compared, so no verdict", UNLIKE, SAME),
        ("≤ .0001", flips(0.0001), flips(0.0002)),
        ("no drawn assignment was as extreme", flips(0.0001), flips(0.0001, "exact")),
        ("and which words they have is not known", UNKNOWN, SAME),
        ("on both sides of 0", by_object(1.0, -1.0), by_object(1.0, 2.0)),
        ("with the sign", held(1.0, -1.0), held(1.0, -1.0, expected=0)),
        ("the sign that is expected: P1 < 0", held(1.0, -1.0), held(1.0, -1.0, expected=0)),
        ("other words too", wider((-1.0, 2.0)), wider(None)),
        ("two words do not tell how words vary", wider(None), wider((-1.0, 2.0))),
        ("over kinds of items by their number (9 with head and 3 with heads)", kinds(9, 3), SAME),
        ("these words", used("fixed"), used("random")),
        ("all of them estimated as not varying by word", varying(0.0), varying(1.0)),
        ("measured on the whole sentence: P1", at(SENTENCE_PLACE), SAME),
        ("not of these numbers but of the whole sentence", at(SENTENCE_PLACE), both(at(SENTENCE_PLACE), whole)),
        ("Conditions over the whole sentence", whole, SAME),
        ("Conditions at the critical region", SAME, whole),
        ("critical region, where surprisal is compared.", SAME, at(SENTENCE_PLACE)),
        ("It is not compared there; what is: P1", at(SENTENCE_PLACE), SAME),
        ("The mark beside is the estimate of the model of words", MODELLED, SAME),
        ("The mark beside is their mean", SAME, MODELLED),
        ("difference: mean over the items", MODELLED, SAME),
    ],
)
def test_a_report_says_of_its_numbers_what_is_true_of_them(
    said: Callable[[Change], str], piece: str, true: Change, false: Change
) -> None:
    assert piece in said(true)
    assert piece not in said(false)


@pytest.fixture(scope="module")
def said(regions: Analysis) -> Callable[[Change], str]:
    """What a report says of the analysis with a change."""

    @cache
    def texts(change: Change) -> str:
        section = section_of(change(regions))
        tables = [*section.tables, *filter(None, [section.more_tests])]
        tables += [table for figure in section.curves for table in figure.data]
        lines = [f"the critical region{section.compared}.", *(text for _, text in section.verdicts)]
        lines += [figure.caption for figure in section.figures]
        for table in tables:
            lines += [table.caption, *table.notes, *(cell for row in table.rows for cell in row)]
        return "\n".join(lines)

    return texts
