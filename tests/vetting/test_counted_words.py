"""What the rules say of words that are in no list, by what was counted in the corpus."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gapsmith.bank import Finding, Severity
from gapsmith.templates import load_paradigm
from gapsmith.vetting.rules import Linter, RuleSelection, load_knowledge
from gapsmith.vetting.rules.counted import SURE, counted
from gapsmith.vetting.wordrates import KIND_TABLES, load_kinds, load_word_rates
from tests.vetting.linting import with_words


def without(code: str, *forms: str, **words: str) -> list[Finding]:
    """The findings with that code where the lists do not have the forms."""
    item = with_words(**words)
    less = load_knowledge().without(frozenset(forms))
    return Linter(load_paradigm(item.paradigm), less, RuleSelection((code,))).check(item)


@pytest.mark.parametrize(
    ("code", "form", "slot", "value"),
    [
        ("L201", "read", "verb", "read"),
        ("L203", "sleep", "verb", "sleep"),
        ("L204", "postpone", "verb", "postpone"),
        ("L211", "interview", "verb", "interview"),
        ("L402", "table", "noun", "table"),
        ("L404", "mother", "noun", "mother"),
        ("L101", "hope", "matrix", "She hopes"),
        ("L106", "repair", "matrix", "They repaired"),
        ("L106", "beat", "matrix", "They beat"),  # an adjective as well, but not here
        ("L110", "inform", "matrix", "The clerk informed"),
        ("L251", "easy", "linker", "is easy to"),
        ("L254", "eager", "linker", "is eager to"),
        ("L254", "decide", "linker", "decided to"),
        ("L502", "mark", "name2", "Mark"),
        ("L602", "since", "adverb", "since"),
    ],
)
def test_a_flaw_is_named_by_the_company_that_the_word_keeps(code: str, form: str, slot: str, value: str) -> None:
    assert [f.code for f in without(code, form, **{slot: value})] == [code]
    (found,) = without(code, form, **{slot: value})
    assert re.search(r"\(a guess, \d+%", found.message), found.message
    assert found.severity in {Severity.INFO, Severity.WARNING}


def test_the_counts_stand_in_the_message() -> None:
    (found,) = without("L204", "postpone", verb="postpone")
    rates = load_word_rates().verbs["postpone"]
    assert f"an object in {rates.object_rate}" in found.message
    assert "used like “" in found.message
    (unknown,) = without("L200", "postpone", verb="postpone")
    assert f"an object in {rates.object_rate}" in unknown.message


def test_only_what_is_sure_is_a_warning() -> None:
    sure = counted("nouns", "mother")
    assert sure is not None
    assert sure.guess.share("person") >= SURE
    assert [f.severity for f in without("L404", "mother", noun="mother")] == [Severity.WARNING]
    doubtful = counted("verbs", "steal")
    assert doubtful is not None
    assert doubtful.guess.share("object_drop") < SURE
    assert [f.severity for f in without("L201", "steal", verb="steal")] == [Severity.INFO]


def test_the_lists_have_the_last_word() -> None:
    (found,) = Linter(load_paradigm("subject_pg"), load_knowledge(), RuleSelection(("L404",))).check(with_words(noun="mother"))
    assert "guess" not in found.message


def test_a_workspace_may_list_a_word_that_was_guessed(tmp_path: Path) -> None:
    word = next(
        word
        for word, guess in sorted(load_kinds("verbs").items())
        if guess.share("intransitive") >= SURE and word not in load_knowledge().lists["verbs"]
    )
    item = with_words(verb=word)
    paradigm = load_paradigm("subject_pg")
    guessed = Linter(paradigm, load_knowledge(), RuleSelection(("L203",))).check(item)
    assert [f.code for f in guessed] == ["L203"]
    (tmp_path / "lexicons").mkdir()
    (tmp_path / "lexicons" / "verbs.csv").write_text(f"form,class\n{word},strict\n", encoding="utf-8")
    assert Linter(paradigm, load_knowledge(tmp_path), RuleSelection(("L2",))).check(item) == []


def test_a_word_that_nobody_counted_stays_unknown() -> None:
    (found,) = Linter(load_paradigm("subject_pg"), load_knowledge(), RuleSelection(("L2",))).check(with_words(verb="zorble"))
    assert (found.code, found.message) == ("L200", "“zorble” is in no list of verbs")


@pytest.mark.parametrize(
    ("form", "slot", "value"),
    [
        ("will", "linker", "will probably"),  # a modal is no verb that somebody may not have listed
        ("expected", "linker", "is expected to"),  # whoever expects is a person; what is expected is not
        ("find out", "matrix", "They found out"),  # another verb than find
        ("clear", "matrix", "It became clear"),  # and not become
        ("see", "matrix", "He saw"),  # and not the verb saw
    ],
)
def test_sound_words_are_not_warned_of(form: str, slot: str, value: str) -> None:
    found = without("L", form, **{slot: value})
    assert [f for f in found if f.severity is not Severity.INFO] == []


def test_the_tables_hold_probabilities() -> None:
    """Of every table: words in small letters, shares between 0 and 1, the likeliest first; listed neighbors."""
    for table in KIND_TABLES:
        kinds = load_kinds(table)
        assert len(kinds) > 1000
        for word, guess in kinds.items():
            shares = list(guess.kinds.values())
            assert word == word.casefold()
            assert all(0 < share <= 1 for share in shares)
            assert shares == sorted(shares, reverse=True)
            assert word not in guess.like


@pytest.mark.parametrize(
    ("code", "form", "slot", "value"),
    [
        ("L102", "know", "matrix", "I know"),  # likelier responsive than rogative
        ("L605", "eventually", "adverb", "eventually"),  # likelier of time than of manner
        ("L601", "tomorrow", "adverb", "tomorrow"),  # a day: whether it can be an object depends on the verb
        ("L254", "sure", "linker", "is sure to"),  # a third of its subjects are things
        ("L401", "story", "preposition", "of"),  # counted with of more often than with about
    ],
)
def test_a_guess_yields_to_what_is_far_likelier(code: str, form: str, slot: str, value: str) -> None:
    """A remark on a sound word is noise: none where a class that the slot asks for is twice as probable, or the counts say it."""
    assert without(code, form, **{slot: value}) == []


def test_what_is_sure_has_been_right_nine_times_in_ten() -> None:
    """The threshold of a warning, on listed words whose guess was made without their entry."""
    knowledge = load_knowledge()
    right = sure = 0
    for table in ("verbs", "nouns", "adverbs", "predicates-v", "predicates-a", "linkers-v", "linkers-a"):
        name, _, part = table.partition("-")
        for word, guess in load_kinds(table).items():
            entry = knowledge.lists[name].get(word)
            if entry is None or (part and part not in entry.values("pos")):
                continue
            for kind, share in guess.kinds.items():
                if share >= SURE and not kind.startswith("+"):
                    sure += 1
                    right += kind in entry.values("class")
    assert sure > 1000
    assert right / sure >= 0.9


def test_how_often_an_unknown_word_occurs() -> None:
    (found,) = without("L200", "postpone", verb="postpone")
    rates = load_word_rates()
    assert f"{rates.per_million(rates.verbs['postpone']):,.2g} per million words" in found.message


def test_an_object_of_a_particle_verb_is_counted_with_its_particle() -> None:
    rates = load_word_rates().particle_verbs
    for verb in ("doze off", "jot down"):
        (found,) = without("L205", verb=verb)
        assert found.message.endswith(f"(an object in {rates[verb].object_rate})")
    assert without("L205", verb="zorble off")[0].message.endswith("the verb and the gap")


def test_closed_classes_need_no_list() -> None:
    """Modals, the periphrastic future, the days beside today and the adverbs of phase are grammar."""
    assert [f.code for f in without("L608", "anymore", adverb="anymore")] == ["L608"]
    assert [f.code for f in without("L608", "already", adverb="already")] == ["L608"]
    assert [f.code for f in without("L258", "used", "tomorrow", linker="used to", adverb="tomorrow")] == ["L258"]
    assert [f.code for f in without("L604", "will", "yesterday", linker="will", adverb="yesterday")] == ["L604"]
    assert [f.code for f in without("L260", "should", linker="should to")] == ["L260"]
    assert without("L25", "going", linker="is going to") == []


def test_what_cannot_feel_may_be_guessed() -> None:
    """A ballad does not grow sad, listed or not."""
    assert [f.severity for f in without("L202", noun="ballad", verb="sadden")] == [Severity.INFO]
    assert [f.severity for f in without("L202", "ballad", noun="ballad", verb="sadden")] == [Severity.INFO]


def test_what_the_counts_say_by_themselves() -> None:
    """Hardly any thing as subject, hardly any that-clause, another preposition: named whatever a word is used like."""
    (control,) = without("L254", "try", linker="tries to")
    assert re.search(r"a thing as subject in \d+ of [\d,]+", control.message)
    (rogative,) = without("L102", "define", matrix="They defined")
    assert "a that-clause in 0 of" in rogative.message
    (preposition,) = without("L401", "rumor", "rumour", noun="rumor", preposition="of")
    assert "“rumor about”" in preposition.message


def test_names_of_cities_and_vulgar_compounds_need_no_list() -> None:
    assert [f.message for f in without("L507", "nairobi", name2="Nairobi")] == [
        "“Nairobi” is also a city, after which a time zone is named"
    ]
    assert [f.code for f in without("L700", "bullshit", noun="bullshit")] == ["L700"]
    for innocent in ("cocktail", "peacock", "assassination", "Scunthorpe", "classmate"):
        assert without("L700", noun=innocent) == []
