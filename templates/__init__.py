"""Paradigms: what an item set is, how slots become sentences, and how sentences are read back into slots."""

from templates.catalogue import find_paradigm_file, load_paradigm, paradigm_files
from templates.digest import read_as
from templates.errors import ConfigError, FormatError, GapsmithError, ParadigmError
from templates.formula import Term
from templates.lexicon import Entry, Lexicon, lexicon_for, load_lexicon, shipped_lexicons
from templates.loading import load_paradigm_file, parse_paradigm
from templates.model import (
    CRITICAL,
    ROLES,
    Alignment,
    AttributeValue,
    Choice,
    Condition,
    Constraint,
    Contrast,
    Criterion,
    Design,
    Factor,
    Paradigm,
    Region,
    RegionSpan,
    Sentence,
    Slot,
    Source,
    Status,
)
from templates.readback import Mismatch, ReadBack, align, carried, read_back, realign, settled_slots, unreadable
from templates.realise import PUNCTUATION, realise, realise_condition
from templates.sample import count_expansions, expand, sample, violated_constraint

__all__ = [
    "CRITICAL",
    "PUNCTUATION",
    "ROLES",
    "Alignment",
    "AttributeValue",
    "Choice",
    "Mismatch",
    "Condition",
    "ConfigError",
    "Constraint",
    "Contrast",
    "Criterion",
    "Design",
    "Entry",
    "Factor",
    "FormatError",
    "GapsmithError",
    "Lexicon",
    "Paradigm",
    "ParadigmError",
    "ReadBack",
    "Region",
    "RegionSpan",
    "Sentence",
    "Slot",
    "Source",
    "Status",
    "Term",
    "align",
    "count_expansions",
    "expand",
    "find_paradigm_file",
    "lexicon_for",
    "load_lexicon",
    "load_paradigm",
    "load_paradigm_file",
    "paradigm_files",
    "parse_paradigm",
    "read_as",
    "carried",
    "read_back",
    "realign",
    "realise",
    "realise_condition",
    "sample",
    "settled_slots",
    "shipped_lexicons",
    "unreadable",
    "violated_constraint",
]
