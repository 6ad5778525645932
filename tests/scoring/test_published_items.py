"""Items that may not ship come in by the files of others in exactly their shape: Wilcox et al.'s study 1, and the sample of appendix A of the
paper on eight permutations. The sentences here are invented."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gapsmith.app.workspace import open_workspace
from gapsmith.bank import ItemFilter, anchor
from tests.conftest import CommandOutcome
from tests.documented import ROOT
from tests.printed import results

Run = Callable[..., CommandOutcome]

HEAD = "item,condition,prefix,comp,apposotive,np1,verb,np2,prep,np3,end"
PARTS = (
    ("Lea saw", "what", "with delight", "our baker", "sold", "the bread", "to", "the nurse", "at noon"),
    ("I recall", "who", "with regret", "the coach", "sent", "the rower", "to", "the doctor", "last week"),
    ("You told us", "what", "in secret", "a sailor", "hid", "the rope", "behind", "the crates", "yesterday"),
    ("We know", "what", "by chance", "the cook", "burnt", "the rice", "before", "the feast", "on Monday"),
)
OPEN = {"subject": ("np1", "verb"), "object": ("np2", "prep"), "pp": ("np3", "end")}
"""Which region is empty by position, and which follows it."""


def _table(position: str) -> str:
    names = HEAD.split(",")[2:]
    rows = [HEAD]
    for number, parts in enumerate(PARTS, 1):
        for gap in ("nogap", "gap"):
            for comp in ("what", "that"):
                own = dict(zip(names, parts, strict=True))
                own["comp"] = own["comp"] if comp == "what" else "that"
                own[OPEN[position][0]] = "" if gap == "gap" else own[OPEN[position][0]]
                rows.append(",".join([str(number), f"{comp}_{gap}", *own.values()]))
    return "\n".join(rows) + "\n"


@pytest.fixture
def place(gapsmith: Run, tmp_path: Path) -> str:
    """A workspace; the file that the page on constructions offers for the objects, as text."""
    gapsmith("init", ".")
    return (ROOT / "docs" / "wilcox_object.toml").read_text(encoding="utf-8")


def test_study_one_of_wilcox_et_al_gives_the_licensing_interaction(place: str, gapsmith: Run, tmp_path: Path) -> None:
    """Each position comes in by the file of the page; the interaction is the sum of the four regions' surprisals, item by item; the
    instrument for licensing takes them, too."""
    for position, (filled, after) in OPEN.items():
        own = (
            place.replace("wilcox_object", f"wilcox_{position}")
            .replace('"np2"\n', f'"{filled}"\n')
            .replace('"prep"\n', f'"{after}"\n')
        )
        (tmp_path / f"wilcox_{position}.toml").write_text(own, encoding="utf-8")
        (tmp_path / f"basic_{position}.csv").write_text(_table(position), encoding="utf-8")
        outcome = gapsmith("import", f"basic_{position}.csv", "-p", f"wilcox_{position}.toml")
        assert (outcome.code, "Imported 4 items" in outcome.err) == (0, True), outcome.err
    assert gapsmith("score", "--all", "--model", "bundled", "-p", "wilcox_object").code == 0
    (frame,) = results(gapsmith("analyze", "-p", "wilcox_object", "--all", "--json").out)
    (values,) = (c["values"] for c in frame["contrasts"] if c["contrast"]["name"] == "did")
    found = {value["item"]: value["bits"] for value in values}
    assert found == pytest.approx(_interaction_by_hand(tmp_path), abs=1e-6)
    (model,) = results(gapsmith("study", "licensing", "--all", "-p", "wilcox_object", "--json").out)
    (effect,) = (e for e in model["effects"] if (e["metric"], e["effect"]) == ("local", "interaction"))
    assert effect["estimate"] == pytest.approx(-sum(found.values()) / len(found), abs=1e-6)


def _interaction_by_hand(folder: Path) -> dict[str, float]:
    """By item: bits of the tokens that begin in *prep* behind the gap, or in *np2* where it is filled, added and taken away."""
    signs = {"what_nogap": 1, "that_nogap": -1, "what_gap": -1, "that_gap": 1}
    total: dict[str, float] = {}
    with open_workspace(folder) as workspace:
        bank = workspace.bank
        for item in bank.items.iterate(ItemFilter(paradigm="wilcox_object")):
            for sentence in item.sentences:
                region = "prep" if sentence.condition.endswith("_gap") else "np2"
                (span,) = (own for own in sentence.regions or () if own.name == region)
                tokens = bank.scores.get(1, [sentence.text])[sentence.text]
                for (start, _), bits in zip(tokens.spans.tolist(), tokens.bits.tolist(), strict=True):
                    if span.start <= anchor(sentence.text, start) < span.end:
                        total[item.label] = total.get(item.label, 0.0) + signs[sentence.condition] * bits
    return total


@pytest.mark.parametrize(
    ("shown", "turned", "said"),
    [
        (
            'gap = "+G", nogap = "-G"',
            'nogap = "-G", gap = "+G"',
            "[factors.gap] should have the level with it first, and has nogap",
        ),
        (
            'what = "+L", that = "-L"',
            'that = "-L", what = "+L"',
            "[factors.licensor] should have the level with it first, and has that",
        ),
    ],
)
def test_levels_in_the_other_order_are_refused_and_turn_no_sign(
    shown: str, turned: str, said: str, place: str, gapsmith: Run, tmp_path: Path
) -> None:
    (tmp_path / "wilcox_object.toml").write_text(place.replace(shown, turned), encoding="utf-8")
    (tmp_path / "basic_object.csv").write_text(_table("object"), encoding="utf-8")
    gapsmith("import", "basic_object.csv", "-p", "wilcox_object.toml")
    outcome = gapsmith("study", "licensing", "--all")
    assert (outcome.code != 0, said in " ".join(outcome.err.split())) == (True, True), outcome.err


EIGHT = """sentence_type,item_id,condition,full_sentence
subject_pg,1,+F+G1+G2,We heard who the article about might please soon.
subject_pg,1,-F+G1+G2,We heard that the article about might please soon.
subject_pg,1,+F-G1+G2,We heard who the article about Sarah might please soon.
subject_pg,1,-F-G1+G2,We heard that the article about Sarah might please soon.
subject_pg,1,+F+G1-G2,We heard who the article about might please Leo soon.
subject_pg,1,-F+G1-G2,We heard that the article about might please Leo soon.
subject_pg,1,+F-G1-G2,We heard who the article about Sarah might please Leo soon.
subject_pg,1,-F-G1-G2,We heard that the article about Sarah might please Leo soon.
"""
FOUR = """sentence_type,item_id,condition,full_sentence
subject_pg,1,PFPG,We heard who the article about might please soon.
subject_pg,1,MFPG,We heard that the article about Sarah might please soon.
subject_pg,1,PFMG,We heard who the article about might please Leo soon.
subject_pg,1,MFMG,We heard that the article about Sarah might please Leo soon.
subject_pg,2,PFPG,They believed who the picture of will probably anger eventually.
subject_pg,2,MFPG,They believed that the picture of John will probably anger eventually.
subject_pg,2,PFMG,They believed who the picture of will probably anger Nina eventually.
subject_pg,2,MFMG,They believed that the picture of John will probably anger Nina eventually.
"""


@pytest.mark.parametrize(("text", "items", "conditions"), [(EIGHT, 1, 8), (FOUR, 2, 4), (EIGHT.replace("-", "\u2212"), 1, 8)])
def test_an_appendix_in_its_four_columns_comes_in(
    text: str, items: int, conditions: int, place: str, gapsmith: Run, tmp_path: Path
) -> None:
    """With the labels of four or of eight conditions, and with the minus that typesetting makes of a hyphen; every sentence reads back into
    its words, and the lint finds the verb that takes no question."""
    (tmp_path / "appendix.csv").write_text(text, encoding="utf-8")
    outcome = gapsmith("import", "appendix.csv", "-p", "subject_pg")
    assert outcome.code == 0
    with open_workspace(tmp_path) as workspace:
        found = list(workspace.bank.items.iterate())
        assert [len(item.sentences) for item in found] == [conditions] * items
        assert all(item.slots is not None for item in found)
    assert ("L101" in gapsmith("lint").out) == (text is FOUR)


def test_rows_that_a_narrow_page_cut_are_not_offered_without_their_ends(place: str, gapsmith: Run, tmp_path: Path) -> None:
    """Copied from a page, the end of a long sentence stands in a line of its own; no command is printed that would leave it out."""
    lines = [line for row in FOUR.splitlines() for line in (row[:46], row[46:].strip()) if line]
    (tmp_path / "copied.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    outcome = gapsmith("import", "copied.csv", "-p", "subject_pg")
    assert outcome.code != 0
    assert "copied.csv, line 3" in outcome.err
    assert "--only" not in outcome.err
