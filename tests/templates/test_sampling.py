"""Offline sampling: reproducible, distinct, within the constraints, and even."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from gapsmith.templates import (
    BANDS,
    FormatError,
    ParadigmError,
    load_lexicon,
    load_paradigm,
    paradigm_files,
    sample,
    violated_constraint,
)
from gapsmith.templates.lexicon import lexicon_for

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


@pytest.mark.parametrize("band", BANDS)
def test_only_pairs_that_were_judged_are_drawn(band: str) -> None:
    """Noun and verb, verb and adverb, noun and adverb, tense of the main clause and of the linker."""
    paradigm = load_paradigm("subject_pg")
    lists = {slot.name: lexicon_for(slot.lexicon) for slot in paradigm.slots if slot.lexicon}
    for item in islice(sample(paradigm, 5, band), 200):
        said = {name: lists[name].by_form[item[name].casefold()] for name in lists}
        assert item["noun"] in said["verb"].values("nouns")
        for name in ("verb", "noun", "linker"):
            assert item["adverb"] in said[name].values("adverbs")
        assert set(said["matrix"].values("linker")) & set(said["linker"].values("kind"))
        past = item["linker"].split()[0] in ("was", "would")
        assert not past or any(kind.startswith("then") for kind in said["matrix"].values("linker"))


def test_the_default_gives_plain_words() -> None:
    """No verb is rarer than once in a million words, and the median is above ten times."""
    paradigm = load_paradigm("subject_pg")
    verbs = lexicon_for("experiencer_verbs")
    rates = sorted(verbs.by_form[item["verb"]].per_million or 0.0 for item in islice(sample(paradigm, 9), 120))
    assert rates[0] >= 1
    assert rates[60] > 10


@pytest.mark.parametrize("band", BANDS)
def test_a_band_of_frequency_holds_for_every_word_that_has_one(band: str) -> None:
    least, most = BANDS[band]
    rates = {}
    for item in islice(sample(load_paradigm("subject_pg"), 2, band), 150):
        rates[item["verb"]] = lexicon_for("experiencer_verbs").by_form[item["verb"]].per_million
    assert all(rate is not None and least <= rate < most for rate in rates.values())
    assert len(rates) > 12
    if band == "any":
        assert min(rates.values(), key=lambda rate: rate or 0.0) == 0.0


def _pairs(tmp_path: Path, nouns: str, verbs: str, constraint: str) -> str:
    """A paradigm of two words drawn from these lists."""
    text = (Path(__file__).parent / "pairs.toml").read_text(encoding="utf-8").replace("CONSTRAINT", constraint)
    (tmp_path / "nouns.csv").write_text(nouns, encoding="utf-8")
    (tmp_path / "verbs.csv").write_text(verbs, encoding="utf-8")
    (tmp_path / "pairs.toml").write_text(text, encoding="utf-8")
    return str(tmp_path / "pairs.toml")


def test_a_word_without_judged_partners_is_known_but_not_drawn(tmp_path: Path) -> None:
    """Nothing is held against it: it violates no constraint."""
    nouns, verbs = "form\ndog\ncat\nfish\n", "form,nouns\nbarks,dog\npurrs,cat\nsits,dog|cat\nsings,\n"
    paradigm = load_paradigm(_pairs(tmp_path, nouns, verbs, 'sample = ["noun.form", "verb.nouns"]'))
    drawn = {(item["noun"], item["verb"]) for item in sample(paradigm, 1)}
    assert drawn == {("dog", "barks"), ("cat", "purrs"), ("dog", "sits"), ("cat", "sits")}
    assert violated_constraint(paradigm, {"noun": "fish", "verb": "sings"}) is None


@pytest.mark.parametrize(
    ("verbs", "said"),
    [
        ("form\nbarks\n", "verbs of slot 'verb' has no column 'nouns'"),
        ("form,nouns\nbarks,\nsits,horse\n", "no word of 'noun' goes with any word of 'verb'"),
    ],
)
def test_lists_that_leave_nothing_to_draw_are_an_error(tmp_path: Path, verbs: str, said: str) -> None:
    paradigm = load_paradigm(_pairs(tmp_path, "form\ndog\n", verbs, 'sample = ["noun.form", "verb.nouns"]'))
    with pytest.raises(ParadigmError, match=said) as caught:
        next(sample(paradigm, 1))
    assert caught.value.hint


def test_a_band_without_words_is_an_error_that_names_the_list(tmp_path: Path) -> None:
    nouns, verbs = "form,per_million\ndog,0.4\n", "form\nbarks\n"
    paradigm = load_paradigm(_pairs(tmp_path, nouns, verbs, 'distinct = ["noun", "verb"]'))
    with pytest.raises(ParadigmError, match="nouns of slot 'noun' has no word of the band 'plain'") as caught:
        next(sample(paradigm, 1))
    assert "rare" in caught.value.hint
    assert [item["noun"] for item in sample(paradigm, 1, "rare")] == ["dog"]


@pytest.mark.parametrize(
    ("constraint", "said"),
    [
        ('sample = ["noun", "verb.nouns"]', "two references like"),
        ('sample = ["noun.form", "noun.kind"]', "names 'noun' twice"),
        ('sample = ["noun.form", "thing.nouns"]', "no slot 'thing'"),
        ('sample = ["noun.form", "verb.nouns"]\ndistinct = ["noun", "verb"]', "either"),
    ],
)
def test_a_constraint_that_makes_no_sense_is_refused(tmp_path: Path, constraint: str, said: str) -> None:
    with pytest.raises(ParadigmError, match=said):
        load_paradigm(_pairs(tmp_path, "form\ndog\n", "form,nouns\nbarks,dog\n", constraint))


@pytest.mark.parametrize("slot", ["matrix", "noun", "name1", "name2", "linker"])
def test_words_are_reused_evenly(slot: str) -> None:
    paradigm = load_paradigm("subject_pg")
    items = list(islice(sample(paradigm, 7), 120))
    counts = Counter(item[slot] for item in items)
    words = len({item[slot] for item in islice(sample(paradigm, 8), 400)})
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
        ("form,per_million\nstory,often\n", "line 2: per_million is 'often'"),
        ("form,per_million\nstory,-1\n", "line 2: per_million is '-1'"),
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


def test_only_some_words_of_a_list(tmp_path: Path) -> None:
    """`where` draws the words whose column says so, from a list that other slots may use whole."""
    folder = tmp_path / "lexicons"
    folder.mkdir()
    (folder / "nouns.csv").write_text("form,gender\nking,m\nqueen,f\nlady,f\n", encoding="utf-8")
    (folder / "verbs.csv").write_text("form\nwaits\n", encoding="utf-8")
    text = (Path(__file__).parent / "pairs.toml").read_text(encoding="utf-8").split("[[constraints]]")
    file = tmp_path / "pairs.toml"
    chosen = text[0].replace('lexicon = "nouns"', 'lexicon = "nouns"\nwhere = { gender = "f" }')
    file.write_text(chosen + text[1].replace("CONSTRAINT", ""), encoding="utf-8")
    assert {item["noun"] for item in sample(load_paradigm(str(file)), 1)} == {"queen", "lady"}
    file.write_text(file.read_text(encoding="utf-8").replace('"f"', '"x"'), encoding="utf-8")
    with pytest.raises(ParadigmError, match="no word of the lexicon nouns has the gender 'x'"):
        next(sample(load_paradigm(str(file)), 1))
    file.write_text(file.read_text(encoding="utf-8").replace('lexicon = "nouns"', ""), encoding="utf-8")
    with pytest.raises(ParadigmError, match="`where` chooses among the entries of a `lexicon`"):
        load_paradigm(str(file))


_COPIED = re.compile("lan_|posh_")
"""Paradigms with lists as they were published."""


@pytest.mark.parametrize("name", sorted(name for name in paradigm_files() if not _COPIED.match(name)))
def test_every_list_of_our_own_paradigms_reaches_beyond_its_words(name: str) -> None:
    """Twelve words or more wherever a list is a sample, so that a verdict can be about other words too; not counted are the clauses
    that may stand between a licensor and its gap."""
    paradigm = load_paradigm(name)
    crossed = "embedding" in {choice.name for choice in paradigm.choices}
    designs = [own for levels, own in paradigm.variants.items() if not crossed or "none" in levels] or [paradigm]
    used: dict[str, set[str]] = {}
    for own in designs:
        for item in islice(sample(own, 4), 120):
            for slot in own.visible_slots:
                assert len(item[slot.name].split()) <= slot.max_words
                if not slot.closed:
                    used.setdefault(slot.name, set()).add(item[slot.name])
    short = {slot: len(words) for slot, words in used.items() if len(words) < 12}
    assert used
    assert not short, f"{name}: {short}; add words that fit, or say `closed` if there are no more"
