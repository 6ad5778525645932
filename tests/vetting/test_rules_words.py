"""L2 to L6: verbs, linkers, nouns, fillers, adverbs, each rule on words that have its flaw and on words that do not."""

from __future__ import annotations

from pathlib import Path

import pytest

import gapsmith.templates
from gapsmith.templates import lexicon_for, load_paradigm
from gapsmith.vetting.rules import Linter, RuleSelection, load_knowledge
from tests.vetting.linting import SLOTS, codes, lint, stored, texts, with_words

pytestmark = pytest.mark.fast

LINKERS = (
    "is likely to|is going to|is expected to|is bound to|is sure to|seems likely to|will|will probably|could well"
    "|is very likely to|is almost certain to|will likely|has to|is to|ought to|appears to|is said to|should"
)


@pytest.mark.parametrize(
    ("slot", "code", "words"),
    [
        ("verb", "L200", "bumfuzzle|zorch"),
        ("verb", "L201", "eat|sing|win|paint|read|attack|call"),
        ("verb", "L202", "worry|calm|cheer|sadden|break|melt"),
        ("verb", "L203", "sleep|arrive|matter|laugh|disappear"),
        ("verb", "L204", "postpone|peel|solve|publish"),
        ("verb", "L205", "cheer up|put off"),
        ("verb", "L206", "cost|convince|remind|tell|persuade"),
        ("verb", "L207", "offend|amuse|shock|upset|annoy"),
        ("verb", "L208", "please|welcome|thank"),
        ("verb", "L209", "amused|amuses|embarrassing|stunned|told"),
        ("verb", "L211", "hug|interview|arrest|admire|fear"),
        ("linker", "L250", "is wont to"),
        ("linker", "L251", "is easy to|is hard to|is fun to|is very difficult to|would be easy to"),
        ("linker", "L252", "is ready to|is available to"),
        ("linker", "L253", "is too long to|is interesting enough to"),
        ("linker", "L254", "is eager to|wants to|is trying to|decided to|is hoping to|is not willing to"),
        ("linker", "L255", "promises to|threatens to"),
        ("linker", "L256", "are likely to|seem likely to|have to"),
        ("linker", "L257", "is meant to|was designed to"),
        ("linker", "L262", "inspires us to|forces the editor to|is making them to"),
        ("linker", "L259", "is unlikely to|will never|is not likely to"),
        ("linker", "L260", "is likely|will to|is bound|seems likely"),
        ("linker", "L261", "begins to|continues to"),
        ("linker", "L313", "is about to|is just about to"),
        ("linker", "L314", "might|will probably|may well"),
        ("determiner", "L315", "that"),
        ("determiner", "L408", "her|this|my"),
        ("determiner", "L410", "an"),
        ("noun", "L400", "gribble"),
        ("noun", "L401", "portrait|statue|critique|photo"),
        ("noun", "L402", "table|garden|engine|stethoscope|resemblance"),
        ("noun", "L403", "stories|rumors|biographies"),
        ("noun", "L404", "friend|mother|king"),
        ("noun", "L409", "recipe|map|price"),
        ("name2", "L500", "Zorblax"),
        ("name2", "L501", "him|you|herself|everyone|whom"),
        ("name2", "L502", "Will|Mark|Grace|May|Rose"),
        ("name1", "L502", "Bill|Hope"),
        ("name2", "L504", "the manager|Mary Smith"),
        ("name2", "L505", "anna|zelda"),
        ("name2", "L506", "teachers|story"),
        ("name2", "L507", "Paris|Napoleon"),
        ("adverb", "L600", "zoonly"),
        ("adverb", "L601", "enough|more|everybody|themselves"),
        ("adverb", "L602", "before|since|inside|after|while"),
        ("adverb", "L603", "very soon|next week"),
        ("adverb", "L604", "yesterday|recently|lately"),
        ("adverb", "L605", "probably|deeply|very|together|now|always"),
        ("adverb", "L606", "quick|happy"),
        ("adverb", "L608", "anymore|never|already|ever|hardly"),
        (
            "matrix",
            "L112",
            "The editors knows|We was told|Us noticed|They knows|The magistrate know|He have learned|My friends has heard",
        ),
        ("matrix", "L701", "The nagging wives know|The gossipy old spinsters know"),
        ("noun", "L412", "obituary|autopsy|eulogy"),
        ("noun", "L700", "bullshit"),
        ("name1", "L507", "Helsinki|Toyota|Monday|Einstein"),
        ("verb", "L702", "embarass|humilate|infurate"),
        ("noun", "L702", "rumuor|storry|biogrpahy"),
    ],
)
def test_each_rule_finds_its_flaw(slot: str, code: str, words: str) -> None:
    """Words with the flaw, one at a time, in an otherwise sound item."""
    for word in words.split("|"):
        found = [f for f in lint(with_words(**{slot: word}), "L") if f.code == code]
        assert found, (word, codes(with_words(**{slot: word}), "L"))
        assert found[0].place.slot == slot or code == "L401"


@pytest.mark.parametrize(
    ("slot", "words"),
    [
        ("verb", "rattle|shake|stir|enrage|humiliate|discredit|baffle|horrify|stun|incriminate"),
        ("linker", LINKERS),
        ("linker", "was meant to|is intended to|was designed to|was planned to"),
        ("determiner", "the|a|every|some"),
        ("noun", "story|rumor|news|gossip|police report|article"),
        ("name2", "Ernest|Hazel|Elena|Omar|Priya|Kim|Tom|John"),
        ("adverb", "once|soon|eventually|someday|shortly|later|immediately"),
    ],
)
def test_sound_words_pass(slot: str, words: str) -> None:
    """No error and no warning on words that are fine there."""
    for word in words.split("|"):
        serious = [f.message for f in lint(with_words(**{slot: word}), "L") if f.severity != "info"]
        assert serious == [] or (slot, word) == ("determiner", "every"), (word, serious)


@pytest.mark.parametrize(
    ("noun", "preposition"),
    [
        ("portrait", "of"),
        ("posters", "of"),
        ("tattoo", "of"),
        ("poster", "about"),
        ("rumor", "about"),
        ("story", "of"),
        ("biography", "of"),
    ],
)
def test_the_preposition_that_the_noun_takes(noun: str, preposition: str) -> None:
    """Portrait of, rumor about; with the other one it is an error that names the right one."""
    assert codes(with_words(noun=noun, preposition=preposition), "L401") == []


def test_the_wrong_preposition_is_corrected_in_words() -> None:
    """The message says what the noun takes."""
    (finding,) = lint(with_words(noun="portrait"), "L401")
    assert "“portrait of”" in finding.message


def test_a_name_in_the_frame() -> None:
    """The same person in frame and gap, with or without a possessive, but not as part of another word."""
    assert "L503" in codes(with_words(matrix="Anna told us"), "L")
    assert "L503" in codes(with_words(matrix="Anna's brother knows"), "L")
    assert "L503" in codes(with_words(matrix="Chris told us", name1="Chris"), "L")
    assert "L503" not in codes(with_words(matrix="Annabel told us"), "L")


def test_a_plural_with_a_modal_agrees() -> None:
    """A modal shows no number, so there is nothing to disagree with."""
    assert "L403" not in codes(with_words(noun="stories", linker="might"), "L")


def test_mass_nouns_take_no_indefinite_article() -> None:
    """A gossip, every news; the gossip is fine."""
    assert "L410" in codes(with_words(noun="gossip", determiner="a"), "L")
    assert "L410" in codes(with_words(noun="news", determiner="every"), "L")
    assert "L410" not in codes(with_words(noun="gossip"), "L")


@pytest.mark.parametrize(
    ("noun", "article"),
    [("story", "a"), ("article", "an"), ("obituary", "an"), ("eulogy", "a"), ("x-ray", "an"), ("hour", "an")],
)
def test_articles_follow_the_sound(noun: str, article: str) -> None:
    """A eulogy, an article, an x-ray."""
    other = "an" if article == "a" else "a"
    assert "L410" not in codes(with_words(noun=noun, determiner=article), "L")
    assert "L410" in codes(with_words(noun=noun, determiner=other), "L")


def test_noun_and_verb_that_are_not_paired() -> None:
    """A statue exonerates nobody; a pair with an unlisted word is left alone."""
    assert codes(with_words(noun="statue", preposition="of", verb="exonerate"), "L406") == ["L406"]
    assert codes(with_words(noun="report", verb="exonerate"), "L406") == []
    assert codes(with_words(noun="statue", preposition="of", verb="amuse"), "L406") == []


@pytest.mark.parametrize(
    ("verb", "code"),
    [
        ("ate", "L201"),
        ("painted", "L201"),
        ("broke", "L202"),
        ("slept", "L203"),
        ("devoured", None),
        ("wore", None),
        ("saw", None),
    ],
)
def test_past_tense_verbs_of_the_control(verb: str, code: str | None) -> None:
    """Past forms are traced to their verb; that the object is a thing is what this paradigm wants."""
    words = {"matrix": "I know", "subject": "the lion", "verb": verb, "object": "the gazelle", "time": "at noon"}
    assert codes(with_words("embedded_wh", **words), "L2") == ([code] if code else [])


LAN = {
    "name1": "John",
    "np": "decision to talk to",
    "name2": "Mary",
    "linker": "is likely to",
    "verb": "annoy",
    "object": "Kim",
}


@pytest.mark.parametrize(
    ("np", "code"),
    [
        ("talking to", "L310"),
        ("waiting for", "L310"),
        ("intent to talk to", "L311"),
        ("decision to call", "L312"),
        ("failure to meet", "L312"),
        ("decision to talk to", None),
        ("painting of", None),
        ("refusal to insult", None),
    ],
)
def test_islands_with_a_second_parse(np: str, code: str | None) -> None:
    """Possessive gerunds, intent to, and infinitives that need no gap."""
    item = with_words("lan_pg", **{**LAN, "np": np, "adverb": "soon"})
    serious = {f.code for f in lint(item, "L3") if f.severity != "info"}
    assert serious == ({code} if code else set())


def test_pronouns_that_a_paradigm_lists_are_for_the_record() -> None:
    """Lan et al.'s *you* and *us* are information, a pronoun for a name is an error."""
    (finding,) = lint(with_words("lan_pg", **{**LAN, "object": "you", "adverb": "soon"}), "L501")
    assert finding.severity == "info"
    (finding,) = lint(with_words(name2="you"), "L501")
    assert finding.severity == "error"


def test_adverbs_of_the_past_fit_a_clause_about_the_past() -> None:
    """In across-the-board movement the first adverb follows a past verb, the second a future one."""
    paradigm = load_paradigm("lan_atb")
    slots = {"vp1": "met", "adverb1": "recently", "vp2": "hug", "object": "Kim", "adverb2": "soon"}
    assert codes(stored(paradigm, texts(paradigm, slots).items(), slots), "L604") == []
    slots["adverb2"] = "lately"
    assert codes(stored(paradigm, texts(paradigm, slots).items(), slots), "L604") == ["L604"]


def test_words_are_judged_as_the_sentences_have_them() -> None:
    """Without slots the words are read back from the sentences; particles and long adverbs stay where they belong."""
    paradigm = load_paradigm("subject_pg")
    for slot, word, code in (
        ("verb", "cheer up", "L205"),
        ("adverb", "very soon", "L603"),
        ("name2", "the manager", "L504"),
    ):
        item = stored(paradigm, texts(paradigm, {**SLOTS, slot: word}).items())
        assert code in codes(item, "L"), word


@pytest.mark.parametrize("name", ["Zoë", "José", "Zoe", "Jose", "Chloé"])
def test_names_with_and_without_accents(name: str) -> None:
    """One name, whichever way it is spelt."""
    assert codes(with_words(name1=name), "L500") == []


def test_places_brands_and_people_are_told_apart() -> None:
    """Each is called what it is; a given name that is a place as well is only noted."""
    said = {name: lint(with_words(name2=name), "L507")[0] for name in ("Helsinki", "France", "Adidas", "Monday", "Paris")}
    assert ["a city" in said["Helsinki"].message, "a country" in said["France"].message] == [True, True]
    assert ["a company" in said["Adidas"].message, "a day" in said["Monday"].message] == [True, True]
    assert (said["Helsinki"].severity, said["Paris"].severity) == ("warning", "info")
    assert codes(with_words(name2="Mary"), "L507") == []


@pytest.mark.parametrize(
    ("slot", "lexicon", "column"),
    [
        ("matrix", "matrix_frames", "form"),
        ("verb", "experiencer_verbs", "form"),
        ("linker", "linkers", "form"),
        ("name2", "names", "form"),
        ("adverb", "post_gap_adverbs", "form"),
    ],
)
def test_the_prompt_offers_nothing_that_the_linter_objects_to(slot: str, lexicon: str, column: str) -> None:
    """Every word that generation samples from, in an item that suits it."""
    paradigm = load_paradigm("subject_pg")
    for entry in lexicon_for(lexicon, paradigm.path).entries:
        item = with_words(**{slot: entry.form})
        serious = [f for f in lint(item, "L") if f.severity != "info" and f.code != "L313"]
        assert serious == [], entry.form


@pytest.mark.parametrize(
    "word", ["antagonise", "demoralise", "humour", "unnerve", "rehumanize", "bewilderingly", "storytelling", "tractor"]
)
def test_a_rare_word_is_no_misspelling(word: str) -> None:
    """British spelling, prefixes and suffixes, and words that are in the dictionary only."""
    assert codes(with_words(verb=word), "L702") == []


def test_a_misspelling_says_what_was_meant() -> None:
    """The word and the remedy."""
    (finding,) = lint(with_words(verb="embarass"), "L702")
    assert "“embarrass”" in finding.message
    assert "“embarrass”" in finding.remedy


@pytest.mark.parametrize(
    ("filler", "code", "said"),
    [
        ("where", "L114", "“where …” may be the place that one can notice"),
        ("whatever", "L114", "“I noticed whatever …” is a free relative"),
        ("why", None, ""),
        ("which animal", None, ""),
    ],
)
def test_free_relatives_by_filler(tmp_path: Path, filler: str, code: str | None, said: str) -> None:
    """What begins a free relative in English, and what does not; the messages name the paradigm's own question word."""
    shipped = Path(gapsmith.templates.__file__).parent / "paradigms" / "embedded_wh.toml"
    text = shipped.read_text(encoding="utf-8").replace('"what"', f'"{filler}"').replace('"embedded_wh"', '"other"')
    (tmp_path / "paradigms").mkdir()
    (tmp_path / "paradigms" / "other.toml").write_text(text, encoding="utf-8")
    paradigm = load_paradigm("other", tmp_path)
    words = {"matrix": "I noticed", "subject": "the lion", "verb": "ate", "object": "the gazelle", "time": "at noon"}
    item = stored(paradigm, texts(paradigm, words).items(), words)
    found = Linter(paradigm, load_knowledge(), RuleSelection(("L114",))).check(item)
    assert [finding.code for finding in found] == ([code] if code else [])
    assert all(said in finding.message for finding in found)
    believed = {**words, "matrix": "I believe"}
    (wrong,) = Linter(paradigm, load_knowledge(), RuleSelection(("L101",))).check(
        stored(paradigm, texts(paradigm, believed).items(), believed)
    )
    assert f"no {filler.split()[0]}-question" in wrong.message


def test_fillers_other_than_who() -> None:
    """Under *what* the object is no person, a place phrase may belong to it, and a thing can be discovered."""
    words = {
        "matrix": "I noticed",
        "subject": "the lion",
        "verb": "devoured",
        "object": "the gazelle",
        "time": "at sunrise",
    }
    paradigm = load_paradigm("embedded_wh")
    item = stored(paradigm, texts(paradigm, words).items(), words)
    assert codes(item, "L114", "L508", "L607") == ["L114"]
    other = {**words, "matrix": "I know", "object": "the teacher", "time": "in the garden"}
    found = codes(stored(paradigm, texts(paradigm, other).items(), other))
    assert {"L508", "L607"} <= set(found)
    assert "L114" not in found
