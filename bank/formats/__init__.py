"""File formats in and out."""

from bank.formats.decision_csv import DecisionRow, read_decision_csv
from bank.formats.spreadsheet import defuse, looks_like_formula
from bank.formats.writing import CsvWriter

__all__ = ["CsvWriter", "DecisionRow", "defuse", "looks_like_formula", "read_decision_csv"]
