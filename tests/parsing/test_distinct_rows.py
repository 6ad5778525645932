"""What is equal is multiplied once, and the parses stay what they were."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from thinc.backends.numpy_ops import NumpyOps

from gapsmith.parsing.distinct_rows import DistinctRowOps
from gapsmith.parsing.embedded import open_embedded
from gapsmith.templates import load_paradigm
from tests.vetting.linting import SLOTS, texts


def test_products_are_those_of_thinc() -> None:
    """With few rows, with many that are alike, with none alike, into an array that is there, and transposed."""
    random = np.random.default_rng(1)
    few = random.normal(size=(3, 8)).astype("float32")
    weights = random.normal(size=(8, 5)).astype("float32")
    alike = few[random.integers(0, 3, 500)]
    different = random.normal(size=(500, 8)).astype("float32")
    ours, theirs = DistinctRowOps(), NumpyOps()
    for rows in (few, alike, different):
        expected = theirs.gemm(rows, weights)
        assert np.allclose(ours.gemm(rows, weights), expected, atol=1e-5)
        assert np.allclose(ours.gemm(rows, np.ascontiguousarray(weights.T), trans2=True), expected, atol=1e-5)
        out = np.zeros_like(expected)
        assert ours.gemm(rows, weights, out=out) is out
        assert np.allclose(out, expected, atol=1e-5)
    assert np.allclose(ours.gemm(alike, alike, trans1=True), theirs.gemm(alike, alike, trans1=True), rtol=1e-4)


def test_rows_that_look_alike_and_are_not() -> None:
    """Two rows of which the one number by which they are told apart is the same."""
    rows = np.zeros((200, 2), dtype="float32")
    rows[::2] = [np.cos(np.float32(2)), -np.cos(np.float32(1))]
    weights = np.eye(2, dtype="float32")
    assert np.allclose(DistinctRowOps().gemm(rows, weights), rows)


@pytest.mark.full
def test_a_sentence_is_parsed_alike_alone_and_among_others(embedded: Path) -> None:
    """Items differ in a word or two, which must not be lost among what is equal."""
    paradigm = load_paradigm("subject_pg")
    nouns = ("story", "portrait", "rumor")
    sentences = [text for noun in nouns for text in texts(paradigm, {**SLOTS, "noun": noun}).values()]
    parser = open_embedded(embedded)
    together = list(parser.parse(sentences))
    assert together == [next(iter(parser.parse([sentence]))) for sentence in sentences]
