"""File formats in and out."""

from bank.formats.decision_csv import AnnotationFile, DecisionRow, JudgementRow, read_annotations
from bank.formats.spreadsheet import defuse, looks_like_formula
from bank.formats.writing import CsvWriter

__all__ = [
    "AnnotationFile",
    "CsvWriter",
    "DecisionRow",
    "JudgementRow",
    "defuse",
    "looks_like_formula",
    "read_annotations",
]
