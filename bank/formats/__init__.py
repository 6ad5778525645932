"""File formats in and out."""

from bank.formats.decision_csv import DecisionRow, read_decision_csv
from bank.formats.sentence_csv import SentenceFile, from_texts, read_sentence_csv, write_sentence_csv
from bank.formats.slot_jsonl import read_slot_jsonl, write_slot_jsonl
from bank.formats.spreadsheet import defuse, looks_like_formula
from bank.formats.writing import CsvWriter

__all__ = [
    "CsvWriter",
    "DecisionRow",
    "SentenceFile",
    "defuse",
    "from_texts",
    "looks_like_formula",
    "read_decision_csv",
    "read_sentence_csv",
    "read_slot_jsonl",
    "write_sentence_csv",
    "write_slot_jsonl",
]
