"""Offline sampling: reproducible, distinct, within the constraints, and even."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from templates import FormatError, load_lexicon, load_paradigm, sample, violated_constraint
from templates.lexicon import lexicon_for

pytestmark = pytest.mark.fast

SAMPLED = ["subject_pg", "embedded_wh"]


@pytest.mark.parametrize("name", SAMPLED)
def test_the_same_seed_gives_the_same_items_and_another_seed_others(name: str) -> None:
    paradigm = load_paradigm(name)
    one = list(islice(sample(paradigm, 1), 40))
    assert one == list(islice(sample(paradigm, 1), 40))
    assert one != list(islice(sample(paradigm, 2), 40))


@pytest.mark.parametrize("name", SAMPLED)
def test_items_are_distinct_and_satisfy_the_constraints(name: str) -> None:
    paradigm = load_paradigm(name)
    items = list(islice(sample(paradigm, 3), 300))
    assert len({tuple(item.items()) for item in items}) == 300
    assert all(violated_constraint(paradigm, item) is None for item in items)


def test_nouns_take_their_own_preposition_and_suit_their_verb() -> None:
    paradigm = load_paradigm("subject_pg")
    nouns, verbs = lexicon_for("island_nouns"), lexicon_for("experiencer_verbs")
    for item in islice(sample(paradigm, 5), 300):
        noun, verb = nouns.get(item["noun"]), verbs.get(item["verb"])
        assert noun is not None
        assert verb is not None
        assert item["preposition"] in noun.values("preposition")
        assert set(noun.values("kind")) & set(verb.values("kind"))
        assert item["name1"] != item["name2"]


@pytest.mark.parametrize("slot", ["matrix", "noun", "name1", "name2", "linker", "adverb"])
def test_words_are_reused_evenly(slot: str) -> None:
    paradigm = load_paradigm("subject_pg")
    items = list(islice(sample(paradigm, 7), 120))
    counts = Counter(item[slot] for item in items)
    words = len(lexicon_for(str(paradigm.slot_by_name[slot].lexicon)).entries)
    assert max(counts.values()) <= 120 // words + 3


def test_a_small_paradigm_ends_when_it_is_exhausted(tmp_path: Path) -> None:
    text = Path(load_paradigm("embedded_wh").path).read_text(encoding="utf-8")
    (tmp_path / "lexicons").mkdir()
    (tmp_path / "lexicons" / "scenes.csv").write_text(
        "form,subject,verb,object,time\nlion,the lion,devoured,the gazelle|the goat,at dawn\n", encoding="utf-8"
    )
    (tmp_path / "lexicons" / "factive_frames.csv").write_text("form\nI know\n", encoding="utf-8")
    (tmp_path / "small.toml").write_text(text, encoding="utf-8")
    items = list(sample(load_paradigm(str(tmp_path / "small.toml")), 1))
    assert sorted(item["object"] for item in items) == ["the gazelle", "the goat"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "empty"),
        ("word\nx\n", "called `form`"),
        ("form,kind\nstory\n", "line 2: 1 cells"),
        ("form\nstory\nstory\n", "line 3: 'story' is there twice"),
        ("# a comment\nform\ntwo  spaces\n", "line 3"),
    ],
)
def test_a_broken_lexicon_is_refused_with_its_line(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "words.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(FormatError, match=r"words\.csv") as caught:
        load_lexicon(path)
    assert message in str(caught.value)


def test_the_lists_are_as_large_as_promised() -> None:
    assert len(lexicon_for("matrix_frames").entries) >= 30
    assert len(lexicon_for("island_nouns").entries) >= 50
    assert len(lexicon_for("experiencer_verbs").entries) >= 50
    assert len(lexicon_for("names").entries) >= 60
    assert all(" " not in entry.form for entry in lexicon_for("names").entries)
