"""One noun in both numbers, one verb in its forms, and words that agree."""

from __future__ import annotations

from itertools import islice

import pytest

from gapsmith.templates import Paradigm, ParadigmError, expand, parse_paradigm, read_back, realise, sample, violated_constraint

HEAD = """
name = "agree"
title = "Agreement"
items = "{items}"

[factors.number]
levels = {{ sg = "sg", pl = "pl" }}

[status]
sg = "ok"
pl = "ok"

[[regions]]
name = "subject"
when = {{ sg = "the {{head}}", pl = "the {{head_pl}}" }}

[[regions]]
name = "verb"
when = {{ sg = "{{see_s}}", pl = "{{see}}" }}

[[regions]]
name = "object"
text = "{{det}} {{thing_pl}}"

[critical]
sg = "verb"
pl = "verb"

[slots.head]
description = "a person"
example = "farmer"
kind = "noun"
words = {words}
{forms}

[slots.see]
description = "a verb"
example = "see"
kind = "verb"
words = ["see", "carry", "give up"]
max_words = 2

[slots.det]
description = "a determiner"
example = "these"
kind = "determiner"
words = ["these", "this", "the"]

[slots.thing]
description = "a thing"
example = "box"
kind = "noun"
words = ["box", "old knife"]
max_words = 2

[[constraints]]
agree = ["det", "thing_pl"]

[designs.all]
conditions = "all"
"""


def paradigm(*, items: str = "sampled", words: str = '["farmer", "child"]', forms: str = "") -> Paradigm:
    return parse_paradigm(HEAD.format(items=items, words=words, forms=forms))


def test_a_slot_has_the_other_forms_of_its_words() -> None:
    found = paradigm()
    seen = set()
    for filling in islice(sample(found, 1), 12):
        sg, pl = (sentence.text for sentence in realise(found, filling))
        seen.add((filling["head"], filling["head_pl"]))
        seen.add((filling["see"], filling["see_s"]))
        assert filling["det"] != "this"
        assert violated_constraint(found, filling) is None
        assert read_back(found, {"sg": sg, "pl": pl}).slots == filling
    assert {("farmer", "farmers"), ("child", "children"), ("carry", "carries"), ("give up", "gives up")} <= seen


def test_every_combination_has_its_forms() -> None:
    found = paradigm(items="exhaustive")
    fillings = list(expand(found))
    assert len(fillings) == 2 * 3 * 2 * 2
    assert all(filling["thing_pl"] in ("boxes", "old knives") for filling in fillings)


def test_a_pair_of_forms_that_are_not_one_words_is_violated() -> None:
    found = paradigm()
    filling = {**next(sample(found, 1)), "head": "farmer", "head_pl": "children"}
    violated = violated_constraint(found, filling)
    assert violated is not None
    assert violated.slots == ("head", "head_pl")


def test_a_form_that_is_not_certain_has_to_be_said() -> None:
    found = paradigm(words='["farmer", "person"]')
    with pytest.raises(ParadigmError) as caught:
        next(sample(found, 1))
    assert "'person' has persons and person" in caught.value.message
    assert '[slots.head.forms]\nperson = { pl = "persons" }' in caught.value.hint
    said = paradigm(words='["person"]', forms='forms.person = { pl = "people" }')
    assert next(sample(said, 1))["head_pl"] == "people"


def test_nothing_is_guessed_of_a_word_that_the_table_lacks() -> None:
    with pytest.raises(ParadigmError, match="'blorf' is not in the table of word forms"):
        next(sample(paradigm(words='["blorf"]'), 1))


def test_agreement_needs_to_know_the_number_of_words() -> None:
    text = HEAD.format(items="sampled", words='["farmer"]', forms="").replace('kind = "determiner"\n', "")
    with pytest.raises(ParadigmError) as caught:
        parse_paradigm(text)
    assert "nothing says which number the words of 'det' have" in caught.value.message
    assert '[slots.det]\nkind = "noun"' in caught.value.hint
