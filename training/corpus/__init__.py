"""Corpora to train on, mixed from several sources."""

from __future__ import annotations

from gapsmith.training.corpus.mixing import SentenceFilter, mix_corpus
from gapsmith.training.corpus.readers import read_documents
from gapsmith.training.corpus.recipe import CorpusSource, Recipe, load_recipe, recipe_names

__all__ = [
    "Recipe",
    "SentenceFilter",
    "CorpusSource",
    "load_recipe",
    "mix_corpus",
    "read_documents",
    "recipe_names",
]
