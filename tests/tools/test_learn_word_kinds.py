"""Words of one class stand beside the same words: what is learnt from a corpus that was made so."""

from __future__ import annotations

import lzma
from pathlib import Path

import numpy as np
import pytest

from tools.learn_word_kinds import Corpus, Lesson, Space, learn, read_corpus, write

WITH_OBJECT = ["bakes", "folds", "grips", "holds", "lifts", "packs", "rinses"]
WITHOUT = ["arrives", "dozes", "falls", "glows", "naps", "shivers", "waits"]
LISTED = {word: frozenset({"strict"}) for word in WITH_OBJECT[:-1]} | {word: frozenset({"intransitive"}) for word in WITHOUT[:-1]}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """Each word 24 times; one word too rare to be counted."""
    lines = [f"She {word} the box quickly. He often {word} the cup." for word in WITH_OBJECT for _ in range(12)]
    lines += [f"It {word}. They say it {word} soon." for word in WITHOUT for _ in range(12)]
    path = tmp_path_factory.mktemp("corpus") / "corpus.txt.xz"
    path.write_bytes(lzma.compress("\n".join([*lines, "He fazes the cat."]).encode()))
    return read_corpus(path)


def _lesson(labels: dict[str, frozenset[str]]) -> Lesson:
    words = [*WITH_OBJECT, *WITHOUT, "fazes"]
    return Lesson("verbs", labels, {word: [[word]] for word in words}, (1.0,), {word: [0.0] for word in words})


def test_neighbors_are_counted_by_place(corpus: Corpus) -> None:
    """Also the end of a line, which is no word; capitals inside a sentence are names'."""
    assert corpus.words == 7 * 12 * 12 + 7 * 12 * 9 + 5
    row = corpus.neighbors[corpus.index["bakes"]].toarray()
    assert row.sum() == 24 * 4
    assert "fazes" not in corpus.index


def test_a_word_in_no_list_gets_the_class_of_its_company(corpus: Corpus, tmp_path: Path) -> None:
    """Also a listed word, when its own entry is left out."""
    learnt = learn(_lesson(LISTED), Space(corpus))
    guesses = dict(zip(learnt.others.names, learnt.guesses.argmax(1), strict=True))
    assert {word: learnt.classes[place] for word, place in guesses.items()} == {
        "rinses": "strict",
        "waits": "intransitive",
    }
    without = [learnt.classes[place] for place in learnt.left_out.argmax(1)]
    assert dict(zip(learnt.listed.names, without, strict=True)) == {w: next(iter(c)) for w, c in LISTED.items()}
    assert set(learnt.likes["rinses"]) <= set(WITH_OBJECT)
    write(learnt, tmp_path / "kinds.tsv.xz", "a source", corpus.words, 1)
    table = lzma.decompress((tmp_path / "kinds.tsv.xz").read_bytes()).decode().splitlines()
    assert sum(not line.startswith(("#", "word")) for line in table) == 14


def test_a_listed_word_does_not_vouch_for_itself(corpus: Corpus) -> None:
    """A word that is listed wrongly is still guessed by its company."""
    wrong = LISTED | {"bakes": frozenset({"intransitive"})}
    learnt = learn(_lesson(wrong), Space(corpus))
    guess = learnt.left_out[learnt.listed.names.index("bakes")]
    assert learnt.classes[int(np.argmax(guess))] == "strict"
