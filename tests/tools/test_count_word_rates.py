"""What the census counts, on trees by hand."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

from gapsmith.parsing.model import Parse
from gapsmith.vetting.wordrates import COLUMNS
from tests.parsing.trees import tree
from tools.count_word_rates import Census, sentences, write_tables


def count(*parses: Parse) -> Census:
    census = Census()
    for parse in parses:
        census.add(parse)
    return census


def row(census: Census, table: str, word: str) -> dict[str, int]:
    return dict(census.tables[table].get(word, {}))


def test_an_object_that_is_a_person() -> None:
    census = count(tree("It amused her .", "It PRON 2 nsubj", "amused VERB 0 root", "her PRON 2 obj", ". PUNCT 2 punct"))
    assert row(census, "verbs", "amuse") == {"n": 1, "active": 1, "object": 1, "person": 1}
    assert (census.words, census.sentences) == (3, 1)


def test_a_thing_is_no_person_and_a_given_name_is_one() -> None:
    thing = tree("It broke the cup", "It PRON 2 nsubj", "broke VERB 0 root", "the DET 4 det", "cup NOUN 2 obj")
    name = tree("It upset Anna", "It PRON 2 nsubj", "upset VERB 0 root", "Anna PROPN 2 obj")
    census = count(thing, name)
    assert row(census, "verbs", "break") == {"n": 1, "active": 1, "object": 1}
    assert row(census, "verbs", "upset") == {"n": 1, "active": 1, "object": 1, "person": 1}


def test_where_a_missing_object_means_nothing() -> None:
    passive = tree("She was amused", "She PRON 3 nsubj:pass", "was AUX 3 aux:pass", "amused VERB 0 root")
    relative = tree(
        "the story he told",
        *("the DET 2 det", "story NOUN 0 root", "he PRON 4 nsubj", "told VERB 2 acl:relcl"),
    )
    tough = tree(
        "easy to please",
        *("easy ADJ 0 root", "to PART 3 mark", "please VERB 1 xcomp"),
    )
    shared = tree(
        "She opened and read letters",
        *("She PRON 2 nsubj", "opened VERB 0 root", "and CCONJ 4 cc", "read VERB 2 conj", "letters NOUN 2 obj"),
    )
    census = count(passive, relative, tough, shared)
    assert row(census, "verbs", "amuse") == {"n": 1, "passive": 1}
    assert row(census, "verbs", "tell") == {"n": 1}
    assert row(census, "verbs", "please") == {"n": 1}
    assert row(census, "verbs", "open") == row(census, "verbs", "read") == {"n": 1, "active": 1, "object": 1}


def test_clauses_and_who_is_told() -> None:
    that = tree(
        "He told me that she left",
        *("He PRON 2 nsubj", "told VERB 0 root", "me PRON 2 iobj", "that SCONJ 6 mark", "she PRON 6 nsubj"),
        "left VERB 2 ccomp",
    )
    who = tree("I know who left", "I PRON 2 nsubj", "know VERB 0 root", "who PRON 4 nsubj", "left VERB 2 ccomp")
    when = tree(
        "I left when he came",
        *("I PRON 2 nsubj", "left VERB 0 root", "when ADV 5 advmod", "he PRON 5 nsubj", "came VERB 2 advcl"),
    )
    census = count(that, who, when)
    assert row(census, "verbs", "tell") == {"n": 1, "active": 1, "that": 1, "addressee": 1}
    assert row(census, "verbs", "know") == {"n": 1, "active": 1, "wh": 1, "who": 1}
    assert row(census, "verbs", "leave") == {"n": 3, "active": 3}


def test_a_verb_with_its_particle_has_a_row_of_its_own() -> None:
    census = count(
        tree(
            "It cheered up Mary",
            *("It PRON 2 nsubj", "cheered VERB 0 root", "up ADP 2 compound:prt", "Mary PROPN 2 obj"),
        )
    )
    assert row(census, "verbs", "cheer") == {"n": 1, "active": 1, "object": 1, "person": 1, "particle": 1}
    assert row(census, "particle_verbs", "cheer up") == {"n": 1, "active": 1, "object": 1, "person": 1}


def test_nouns_and_adjectives() -> None:
    picture = tree(
        "a picture of Anna",
        *("a DET 2 det", "picture NOUN 0 root", "of ADP 4 case", "Anna PROPN 2 nmod"),
    )
    rumors = tree(
        "rumors about it",
        *("rumors NOUN 0 root Number=Plur", "about ADP 3 case", "it PRON 1 nmod"),
    )
    clear = tree(
        "It is clear who won",
        *("It PRON 3 expl", "is AUX 3 cop", "clear ADJ 0 root", "who PRON 5 nsubj", "won VERB 3 csubj"),
    )
    likely = tree(
        "She is likely to win",
        *("She PRON 3 nsubj", "is AUX 3 cop", "likely ADJ 0 root", "to PART 5 mark", "win VERB 3 xcomp"),
    )
    fond = tree("fond of them", "fond ADJ 0 root", "of ADP 3 case", "them PRON 1 obl")
    census = count(picture, rumors, clear, likely, fond)
    assert row(census, "nouns", "picture") == {"n": 1, "a": 1, "of": 1, "of_person": 1}
    assert row(census, "nouns", "rumor") == {"n": 1, "plural": 1, "about": 1}
    assert row(census, "adjectives", "clear") == {"n": 1, "predicative": 1, "wh": 1, "who": 1, "it": 1}
    assert row(census, "adjectives", "likely") == {"n": 1, "predicative": 1, "to": 1}
    assert row(census, "adjectives", "fond") == {"n": 1, "of": 1}


def test_parts_divide_the_corpus_and_lose_nothing(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.txt.xz"
    corpus.write_bytes(lzma.compress(b"One came. Two went!\nThree left.\n\nFour slept, five ate.\n"))
    whole = [text for part in range(3) for text in sentences(corpus, part, 3)]
    assert sorted(whole) == ["Four slept, five ate.", "One came.", "Three left.", "Two went!"]
    assert list(sentences(corpus, 1, 3)) == ["Three left."]


def test_the_tables_add_up_the_parts(tmp_path: Path) -> None:
    parse = tree("It amused her", "It PRON 2 nsubj", "amused VERB 0 root", "her PRON 2 obj")
    rare = tree("It fazed her", "It PRON 2 nsubj", "fazed VERB 0 root", "her PRON 2 obj")
    census = count(*[parse] * 5, rare)
    state = json.loads(json.dumps({"words": census.words, "sentences": census.sentences, "tables": census.tables}))
    write_tables([state, state], tmp_path, 4, "a source")
    lines = lzma.decompress((tmp_path / "verbs.tsv.xz").read_bytes()).decode().splitlines()
    assert "# parts\t2 of 4" in lines
    assert "# words\t36" in lines
    assert lines[-1] == "amuse\t10\t10\t10\t10\t0\t0\t0\t0\t0\t0"
    assert sorted(path.name for path in tmp_path.glob("*.xz")) == sorted(f"{table}.tsv.xz" for table in COLUMNS)
