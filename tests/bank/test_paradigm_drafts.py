"""Drafts of paradigms from files: factors where labels are made of levels, names that are names, predictions as criteria."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gapsmith.bank.formats.draft import ParadigmDraft, draft_paradigm
from gapsmith.bank.formats.foreign import ForeignItem, ForeignRegion, ForeignSentence, ForeignSet
from gapsmith.templates import FormatError, parse_paradigm
from gapsmith.templates.formula import parse_formula

pytestmark = pytest.mark.fast


def _set(conditions: tuple[str, ...], **more: Any) -> ForeignSet:
    return ForeignSet("suite", (), conditions, name=more.pop("name", "My set"), **more)


def _drafted(*conditions: str, **more: Any) -> tuple[ParadigmDraft, dict[str, Any]]:
    draft = draft_paradigm(_set(conditions, **more), file="my.json")
    return draft, tomllib.loads(draft.text)


@pytest.mark.parametrize(
    ("labels", "factors", "names"),
    [
        (
            ("+filler +gap", "-filler +gap", "+filler -gap", "-filler -gap"),
            {"filler": {"pfiller": "+filler", "mfiller": "-filler"}, "gap": {"pgap": "+gap", "mgap": "-gap"}},
            ("pfiller_pgap", "mfiller_pgap", "pfiller_mgap", "mfiller_mgap"),
        ),
        (
            ("what_nogap", "that_nogap", "what_gap", "that_gap"),
            {"factor_1": {"what": "what", "that": "that"}, "gap": {"nogap": "nogap", "gap": "gap"}},
            ("what_nogap", "that_nogap", "what_gap", "that_gap"),
        ),
        (
            ("A A", "A B", "B A", "B B"),
            {
                "factor_1": {"factor1a": "A", "factor1b": "B"},
                "factor_2": {"factor2a": "A", "factor2b": "B"},
            },
            ("factor1a_factor2a", "factor1a_factor2b", "factor1b_factor2a", "factor1b_factor2b"),
        ),
        (
            ("qué A", "que A", "qué B", "que B"),
            {"factor_1": {"que2": "qué", "que": "que"}, "factor_2": {"a": "A", "b": "B"}},
            ("que2_a", "que_a", "que2_b", "que_b"),
        ),
    ],
)
def test_labels_made_of_levels_become_factors(labels: tuple[str, ...], factors: dict[str, Any], names: tuple[str, ...]) -> None:
    draft, data = _drafted(*labels)
    assert {name: table["levels"] for name, table in data["factors"].items()} == factors
    assert tuple(draft.conditions[label] for label in labels) == names
    assert "conditions" not in data
    labelled = data["designs"]["all"]["conditions"]
    assert labelled == "all" if labels == names else labelled == dict(zip(labels, names, strict=True))


def test_levels_that_two_columns_share_are_called_by_their_headings_and_where_it_is_said_they_are_measured() -> None:
    levels = {f"{one} {two}": (one, two) for one in ("sg", "pl") for two in ("sg", "pl")}
    shared = {
        "factors": {"Subj": ("sg", "pl"), "Attr": ("sg", "pl")},
        "levels": levels,
        "regions": (ForeignRegion("Verb"), ForeignRegion("Rest")),
    }
    found = _set(tuple(levels), **shared)
    names = ("subjsg_attrsg", "subjsg_attrpl", "subjpl_attrsg", "subjpl_attrpl")
    for said, critical in (((), None), (("Verb",), dict.fromkeys(names, "verb")), (("pl pl=Rest",), {names[3]: "rest"})):
        draft = draft_paradigm(found, file="my.csv", critical=said)
        data = tomllib.loads(draft.text)
        assert tuple(draft.conditions.values()) == names
        assert data["factors"]["attr"]["levels"] == {"attrsg": "sg", "attrpl": "pl"}
        assert data.get("critical") == critical
        assert any(note.startswith("[critical]") for note in draft.notes) is (critical is None or len(critical) < len(names))
        assert [condition.label for condition in parse_paradigm(draft.text).conditions] == list(levels)


@pytest.mark.parametrize(
    ("labels", "names"),
    [
        (("PFPG", "MFPG"), ("pfpg", "mfpg")),
        (("a b", "a c", "d b"), ("a_b", "a_c", "d_b")),
        (("+", "-"), ("condition_1", "condition_2")),
        (("Ä b", "a_b", "1st"), ("a_b_2", "a_b", "x_1st")),
        (("qué", "que", "-wh", "wh"), ("que_2", "que", "wh_2", "wh")),
    ],
)
def test_other_labels_become_conditions_by_name(labels: tuple[str, ...], names: tuple[str, ...]) -> None:
    draft, data = _drafted(*labels)
    assert parse_paradigm(draft.text).given
    assert "factors" not in data
    assert data["conditions"] == dict(zip(names, labels, strict=True))
    assert tuple(draft.conditions.values()) == names


def test_predictions_become_criteria_over_the_names_of_the_paradigm() -> None:
    regions = (ForeignRegion("The NP", "1"), ForeignRegion("critical", "2"), ForeignRegion("the np", "3"))
    draft, data = _drafted(
        "a-1",
        "b",
        regions=regions,
        metric="mean",
        predictions=(
            *("(2;% a-1 %) > (3;%b%)", "(*;%b%) - (1;%b%)", "(9;%b%) > 1", "(1;%c%) > 1", "(1;%b%"),
            "(1;%b%) - (1;%b%)",
        ),
    )
    assert [region["name"] for region in data["regions"]] == ["the_np", "critical_2", "the_np_2"]
    assert data["criteria"] == [
        {"name": "prediction_1", "formula": "a_1@critical_2 > b@the_np_2", "measure": "mean", "design": "all"}
    ]
    assert data["contrasts"] == [
        {
            "name": "prediction_2",
            "formula": "b@sentence - b@the_np",
            "measure": "mean",
            "expected": "exploratory",
            "design": "all",
        }
    ]
    assert [note.partition(":")[0] for note in draft.notes] == [
        "[status]",
        "[critical]",
        "prediction_3 is left out",
        "prediction_4 is left out",
        "prediction_5 is left out",
        "prediction_6 is left out",
    ]
    assert "# prediction_4: (1;%c%) > 1" in draft.text


def test_a_prediction_over_the_rest_of_a_sentence_stays_one() -> None:
    regions = (ForeignRegion("NP", "1"), ForeignRegion("VP", "2"), ForeignRegion("end", "3"))
    _, data = _drafted("a", "b", regions=regions, predictions=("(from(2);%a%) < (from(next(1));%b%)",))
    assert [own["formula"] for own in data["criteria"]] == ["a@from(vp) < b@from(next(np))"]


def test_pairs_have_their_status_and_are_compared_by_sum_and_by_perplexity() -> None:
    regions = (ForeignRegion("prefix", "1"), ForeignRegion("word", "2"), ForeignRegion("rest", "3"))
    draft, data = _drafted("good", "bad", regions=regions, expected={"good": "ok", "bad": "*"})
    assert data["status"] == {"good": "ok", "bad": "*"}
    assert data["critical"] == {"good": "word", "bad": "word"}
    assert [(c["formula"], c["measure"]) for c in data["criteria"]] == [
        ("good@sentence < bad@sentence", "sum"),
        ("good@sentence < bad@sentence", "perplexity"),
    ]
    assert draft.notes == ()


def test_labels_that_no_file_could_tell_apart_are_refused() -> None:
    with pytest.raises(FormatError, match=r"my.json: the labels 'What_gap' and 'what_gap' differ in case or spaces only"):
        _drafted("What_gap", "that_gap", "what_gap")
    sentences = tuple(ForeignSentence(label, "A.", line=line) for line, label in enumerate(("What_gap", "what_gap"), 2))
    found = ForeignSet("csv", (ForeignItem("1", sentences),), ("What_gap", "what_gap"), encoding="xlsx")
    with pytest.raises(FormatError, match=r"labels 'What_gap' \(row 2\) and 'what_gap' \(row 3\) differ"):
        draft_paradigm(found, file="my.xlsx")


def test_slots_alone_make_no_paradigm() -> None:
    with pytest.raises(FormatError, match="holds slots"):
        draft_paradigm(ForeignSet("slots", (ForeignItem("1", (), {}, {"verb": "be"}),), ()), file="my.jsonl")


def _folded(label: str) -> str:
    return label.casefold().replace(" ", "")


_labels = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="%"), min_size=1, max_size=10)


@given(
    st.lists(_labels.map(lambda label: " ".join(label.split())).filter(bool), min_size=1, max_size=6, unique_by=_folded),
    st.lists(_labels, max_size=4, unique=True),
    _labels,
)
@example(["0"], ["\r"], "\r")
def test_any_labels_make_a_file_with_names_that_are_names(labels: list[str], regions: list[str], name: str) -> None:
    predictions = tuple(f"(1;%{label}%) > (*;%{labels[0]}%)" for label in labels) if regions else ()
    draft, data = _drafted(
        *labels,
        name=name,
        regions=tuple(ForeignRegion(title, str(number)) for number, title in enumerate(regions, 1)),
        predictions=predictions,
    )
    assert re.fullmatch(r"[a-z][a-z0-9_]*", data["name"])
    for names in (draft.conditions, draft.regions):
        assert len(set(names.values())) == len(names)
        assert all(re.fullmatch(r"[a-z][a-z0-9_]*", made) for made in names.values())
    paradigm = parse_paradigm(draft.text)
    assert {label: paradigm.resolve_label(label) for label in labels} == dict(draft.conditions)
    assert len(data.get("criteria", [])) == len(predictions)
    for criterion in data.get("criteria", []):
        formula = parse_formula(criterion["formula"])
        assert {o.condition for o in formula.operands} <= set(draft.conditions.values())
        assert {o.place.name for o in formula.operands} <= {"sentence", *draft.regions.values()}
