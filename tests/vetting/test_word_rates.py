"""The tables of what words occur with, as they ship."""

from __future__ import annotations

from pathlib import Path

from gapsmith.vetting.wordrates import MINIMUM, Rate, load_word_rates

FOLDER = Path(__file__).parents[2] / "vetting" / "wordrates"


def test_the_tables_are_small_and_say_where_they_come_from() -> None:
    assert sum(path.stat().st_size for path in FOLDER.glob("*.xz")) < 700_000
    rates = load_word_rates()
    assert rates.words > 100_000
    assert "CC0" in rates.source
    assert min(row.n for row in rates.verbs.values()) == MINIMUM


def test_counts_are_parts_of_counts() -> None:
    rates = load_word_rates()
    for verb in (*rates.verbs.values(), *rates.particle_verbs.values()):
        assert verb.n >= verb.active >= verb.object >= verb.person
        assert verb.wh >= verb.who
        assert verb.addressee <= verb.that + verb.wh
    for noun in rates.nouns.values():
        assert noun.n >= noun.of >= noun.of_person
    for adjective in rates.adjectives.values():
        assert adjective.n >= adjective.predicative


def test_they_know_what_everybody_knows() -> None:
    rates = load_word_rates()
    verbs, nouns, adjectives = rates.verbs, rates.nouns, rates.adjectives
    assert verbs["find"].object_rate.interval()[0] > verbs["sleep"].object_rate.interval()[1]
    assert verbs["know"].wh_rate.interval()[0] > verbs["put"].wh_rate.interval()[1]
    assert verbs["thank"].person_rate.interval()[0] > verbs["make"].person_rate.interval()[1]
    assert verbs["tell"].addressee_rate.interval()[0] > verbs["know"].addressee_rate.interval()[1]
    assert nouns["part"].of_rate.interval()[0] > nouns["water"].of_rate.interval()[1]
    assert adjectives["glad"].to_rate.interval()[0] > adjectives["old"].to_rate.interval()[1]
    assert rates.per_million(verbs["know"]) > 300


def test_words_are_looked_up_in_any_case_and_with_their_particle() -> None:
    rates = load_word_rates()
    assert rates.verb("Know") is rates.verbs["know"]
    assert rates.verb("get up") is rates.particle_verbs["get up"]
    assert rates.noun("Part") is rates.nouns["part"]
    assert rates.adjective("GLAD") is rates.adjectives["glad"]
    for lookup in (rates.verb, rates.noun, rates.adjective):
        assert lookup("frobnicate") is None


def test_a_rate_over_nothing() -> None:
    assert Rate(0, 0).share is None
    assert Rate(0, 0).interval() == (0.0, 1.0)
    assert str(Rate(12, 3400)) == "12 of 3,400"
