"""The formula grammar: what is read, what it comes to, and where an error points."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gapsmith.templates.formula import (
    EMPTY,
    SENTENCE_PLACE,
    Comparison,
    Empty,
    Formula,
    FormulaError,
    Junction,
    Negation,
    Node,
    Number,
    Operand,
    Place,
    Scaled,
    Sum,
    Term,
    both_sentence_readings,
    evaluate,
    parse_formula,
    renamed,
)

pytestmark = pytest.mark.fast

SUITE = Path(__file__).resolve().parents[3] / "shared" / "data" / "formats" / "suite.json"


def _numbers(**values: float | Empty | None):  # type: ignore[no-untyped-def]  # what it takes differs by case
    """A lookup over ``condition__region``; a condition alone is its critical region."""
    table = {tuple(key.split("__")) if "__" in key else (key, "critical"): value for key, value in values.items()}
    return lambda condition, place: table[condition, str(place)]


def _terms(text: str) -> list[tuple[str, str, str]]:
    return [(str(t.weight), t.condition, str(t.place)) for t in parse_formula(text).terms]


def test_a_contrast_is_a_weighted_sum_over_condition_and_place() -> None:
    assert _terms("a_b - c_d@region + e_f") == [
        ("1", "a_b", "critical"),
        ("-1", "c_d", "region"),
        ("1", "e_f", "critical"),
    ]
    assert _terms("1/2 a - 0.25*b@*") == [("1/2", "a", "critical"), ("-1/4", "b", "sentence")]
    assert _terms("-(a - 2 [b - c])") == [
        ("-1", "a", "critical"),
        ("2", "b", "critical"),
        ("-2", "c", "critical"),
    ]
    assert _terms("a@next(gap) - a@next( next(gap) )") == [("1", "a", "next(gap)"), ("-1", "a", "next(next(gap))")]


def test_like_terms_come_together_and_a_term_that_cancels_is_gone() -> None:
    assert _terms("a + b - 1/3 a - b") == [("2/3", "a", "critical")]
    assert _terms("a - b + 1 - 1") == [("1", "a", "critical"), ("-1", "b", "critical")]


def test_a_weight_stands_apart_from_the_name_and_2a_is_a_name() -> None:
    assert _terms("2 a - 2a") == [("2", "a", "critical"), ("-1", "2a", "critical")]


def test_quoted_names_hold_any_character_and_stray_spaces_do_not_matter() -> None:
    assert _terms("%+filler  -gap % @ %the object% - (6; % +filler +gap %)") == [
        ("1", "+filler -gap", "%the object%"),
        ("-1", "+filler +gap", "6"),
    ]
    assert _terms("%12% - %ø-1%@punctuation") == [("1", "12", "critical"), ("-1", "ø-1", "punctuation")]


@pytest.mark.parametrize(
    ("text", "character", "says"),
    [
        ("", 1, "missing"),
        ("a -", 4, "missing"),
        ("a b", 3, "'b'"),
        ("a - + b", 5, "'+'"),
        ("a <= b", 3, "'<='"),
        ("a == b", 3, "'=='"),
        ("a ≤ b", 3, "'≤'"),
        ("a − b", 3, "minus"),
        ("a < b < c", 7, "two sides"),
        ("(a - b", 1, "never closed"),
        ("(a - b]", 7, "')'"),
        ("[a > b) & c > d", 7, "']'"),
        ("a > b & c", 9, "a number"),
        ("(a > b) - c", 1, "true or false"),
        ("a + (b > c)", 5, "true or false"),
        ("%a - b", 1, "never closed"),
        ("%% - b", 1, "no name"),
        ("(6;what) > (6;%b%)", 4, "per cent"),
        ("(6;%a% > 1", 8, "')'"),
        ("a@", 3, "a region is missing"),
        ("a@next(*)", 3, "nothing comes after"),
        ("a@next(b", 9, "')'"),
        ("1/0 a", 3, "divided by 0"),
        ("1/a", 3, "divided by a number"),
        ("2 * 3", 5, "another number"),
        ("a * 2", 3, "before what it multiplies"),
        ("(" * 60 + "a" + ")" * 60, 51, "brackets"),
        ("a@" + "next(" * 60 + "b" + ")" * 60, 253, "brackets"),
    ],
)
def test_an_error_points_at_the_character(text: str, character: int, says: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse_formula(text)
    assert caught.value.at == character - 1
    assert says in caught.value.message
    first, line, caret = caught.value.message.splitlines()
    assert f"character {character}:" in first
    assert line.strip() == text.strip()
    assert caret.index("^") == character - 1 + 2
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("text", ["a > b", "a - a", "a - 3", "0 a"])
def test_what_is_no_contrast_has_no_terms(text: str) -> None:
    with pytest.raises(FormulaError):
        _ = parse_formula(text).terms


def test_an_empty_region_counts_0_in_a_criterion_and_is_undefined_alone() -> None:
    lookup = _numbers(a=2.0, b=EMPTY)
    assert evaluate(parse_formula("a > b"), lookup) is True
    assert evaluate(parse_formula("b = 0"), lookup) is True
    assert evaluate(parse_formula("a - b"), lookup) is None


def test_what_is_undefined_makes_a_criterion_undefined_even_where_the_rest_decides_it() -> None:
    lookup = _numbers(a=1.0, b=2.0, c=None)
    assert evaluate(parse_formula("a < b | c > a"), lookup) is None
    assert evaluate(parse_formula("a > b & c > a"), lookup) is None
    assert evaluate(parse_formula("a < b | a > b"), lookup) is True


def test_and_binds_tighter_than_or_and_brackets_of_both_kinds_group() -> None:
    lookup = _numbers(t=1.0, f=0.0)
    assert evaluate(parse_formula("t=1 | t=1 & f=1"), lookup) is True
    assert evaluate(parse_formula("[t=1 | t=1] & f=1"), lookup) is False
    assert evaluate(parse_formula("(t=1 | [f=1]) & [(t - f) = 1]"), lookup) is True


@pytest.mark.parametrize(
    ("right", "less", "equal", "greater"),
    [(1.0, False, True, False), (1.0 + 9e-10, False, True, False), (1.0 + 2e-9, True, False, False)],
)
def test_numbers_within_the_tolerance_are_equal_and_neither_is_less(right: float, less: bool, equal: bool, greater: bool) -> None:
    lookup = _numbers(a=1.0, b=right)
    outcomes = [evaluate(parse_formula(f"a {sign} b"), lookup) for sign in "<=>"]
    assert outcomes == [less, equal, greater]


def test_syntaxgym_adds_up_regions_where_the_sentence_is_measured_as_a_whole() -> None:
    # Means of two regions of two tokens and one: (1 + 3) / 2 and 8; over all tokens (1 + 3 + 8) / 3.
    means: dict[tuple[str, str], float | Empty | None] = {
        ("a", "1"): 2.0,
        ("a", "2"): 8.0,
        ("a", "sentence"): 4.0,
        ("b", "1"): 5.0,
        ("b", "2"): EMPTY,
    }
    means |= {("b", "sentence"): 5.0}
    regions = {"a": [Place("1"), Place("2")], "b": [Place("1"), Place("2")]}

    def lookup(condition: str, place: Place) -> float | Empty | None:
        return means[condition, str(place)]

    formula = parse_formula("(*;%a%) < (*;%b%)")
    assert both_sentence_readings(formula, lookup, regions.__getitem__) == (True, False)
    without = parse_formula("(1;%a%) < (1;%b%)")
    assert both_sentence_readings(without, lookup, regions.__getitem__) == (True, True)


@pytest.mark.shared
@pytest.mark.skipif(not SUITE.exists(), reason="the sample suite is not beside the checkout")
def test_the_sample_suites_formulas_give_what_a_spreadsheet_gives() -> None:
    formulas = [p["formula"] for p in json.loads(SUITE.read_text())["predictions"]]
    # Surprisals by condition in regions 1 to 9, as columns B to J of a sheet; rows are the conditions.
    sheet = {
        "what_nogap": [9.0, 7.5, 6.0, 8.25, 5.5, 12.75, 3.0, 9.5, 4.0],
        "that_nogap": [9.0, 4.5, 6.25, 8.0, 5.0, 11.25, 3.5, 9.0, 4.0],
        "what_gap": [9.0, 7.5, 6.0, 8.25, 5.5, 0.0, 6.0, 9.25, 4.25],
        "that_gap": [9.0, 4.5, 6.25, 8.0, 5.0, 0.0, 6.5, 9.5, 4.5],
    }
    empty = {("what_gap", "6"), ("that_gap", "6")}

    def lookup(condition: str, place: Place) -> float | Empty | None:
        if (condition, place.name) in empty:
            return EMPTY
        row = sheet[condition]
        return sum(row) if place == SENTENCE_PLACE else row[int(place.name) - 1]

    # =AND(12.75>11.25; 6<6.5); =(12.75-11.25)>(6-6.5); =SUM(that_nogap: 60.5)<SUM(what_nogap: 65.5)
    assert [evaluate(parse_formula(f), lookup) for f in formulas] == [True, True, True]
    sheet["what_gap"][6] = 6.5
    assert [evaluate(parse_formula(f), lookup) for f in formulas] == [False, True, True]
    sheet["what_gap"][6] = 8.5
    assert [evaluate(parse_formula(f), lookup) for f in formulas] == [False, False, True]
    sheet["that_nogap"][0] = 14.0
    assert [evaluate(parse_formula(f), lookup) for f in formulas] == [False, False, False]


# ---- properties over whole trees

_names = st.one_of(
    st.sampled_from(["a", "b_c", "2x", "next", "Élodie"]),
    st.text(st.characters(blacklist_characters="%", blacklist_categories=["Cs", "Cc"]), min_size=1, max_size=8)
    .map(lambda name: " ".join(name.split()))
    .filter(bool),
)
_places = st.builds(
    lambda name, steps, onwards: Place(name) if name in ("sentence", "punctuation") else Place(name, steps, onwards=onwards),
    st.one_of(st.sampled_from(["sentence", "punctuation", "critical", "6", "object"]), _names),
    st.integers(0, 2),
    st.booleans(),
)
_operands = st.builds(Operand, _names, _places)
_weights = st.fractions(0, 20, max_denominator=12)


def _numeric(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    return st.one_of(
        st.builds(Scaled, _weights, inner),
        st.builds(Negation, inner),
        st.builds(Sum, st.lists(inner, min_size=2, max_size=4).map(tuple)),
    )


_numerics = st.recursive(st.one_of(_operands, st.builds(Number, _weights)), _numeric, max_leaves=12)
_comparisons = st.builds(Comparison, st.sampled_from(["<", ">", "="]), _numerics, _numerics)
_truths = st.recursive(
    _comparisons,
    lambda inner: st.builds(Junction, st.sampled_from(["&", "|"]), st.lists(inner, min_size=2, max_size=3).map(tuple)),
    max_leaves=5,
)


@given(st.one_of(_numerics, _truths))
def test_what_is_written_reads_back_as_the_same_tree(root: Node) -> None:
    written = str(Formula("", root))
    assert parse_formula(written).root == root


@given(st.one_of(_numerics, _truths))
def test_other_names_for_conditions_and_regions_are_all_that_changes(root: Node) -> None:
    formula = Formula("", root)
    conditions = {o.condition: f"c{n}" for n, o in enumerate(formula.operands)}
    places = {o.place.name: f"r{n}" for n, o in enumerate(formula.operands)}
    there = renamed(formula, conditions, places)
    for own, made in zip(formula.operands, there.operands, strict=True):
        assert made.place == replace(own.place, name=places[own.place.name])
    back = renamed(there, {v: k for k, v in conditions.items()}, {v: k for k, v in places.items()})
    assert back.root == root


@given(_numerics, st.randoms(use_true_random=False))
def test_a_contrast_evaluates_to_its_weighted_sum(root: Node, random: object) -> None:
    formula = Formula(str(root), root)
    values = {(o.condition, o.place): float(i * i + 1) for i, o in enumerate(formula.operands)}
    try:
        terms: tuple[Term, ...] = formula.terms
    except FormulaError:
        return
    expected = sum(t.weight * Fraction(values[t.condition, t.place]) for t in terms)
    found = evaluate(formula, lambda condition, place: values[condition, place])
    assert found == pytest.approx(float(expected), rel=1e-9, abs=1e-6)


@given(_truths, st.data())
def test_a_criterion_evaluates_to_what_its_exact_arithmetic_says(root: Node, data: st.DataObject) -> None:
    formula = Formula(str(root), root)
    values = {(o.condition, o.place): data.draw(st.fractions(-9, 9, max_denominator=4), label=str(o)) for o in formula.operands}

    def exact(node: Node) -> Fraction | bool:
        match node:
            case Operand():
                return Fraction(values[node.condition, node.place])
            case Number():
                return node.value
            case Scaled():
                return node.weight * Fraction(exact(node.part))
            case Negation():
                return -Fraction(exact(node.part))
            case Sum():
                return sum((Fraction(exact(part)) for part in node.parts), Fraction(0))
            case Comparison(relation=relation):
                left, right = exact(node.left), exact(node.right)
                return {"<": left < right, ">": left > right, "=": left == right}[relation]
            case Junction():
                return (all if node.kind == "&" else any)(exact(part) for part in node.parts)

    assert evaluate(formula, lambda condition, place: float(values[condition, place])) is exact(root)


@given(st.text(alphabet="ab12 %@()[]<>=&|+-*/;._next", max_size=40))
def test_any_text_is_a_formula_or_an_error_inside_it(text: str) -> None:
    try:
        formula = parse_formula(text)
    except FormulaError as caught:
        error: FormulaError | None = caught
    else:
        error = None
        assert parse_formula(str(formula)) == formula
    assert error is None or 0 <= error.at <= len(text)
