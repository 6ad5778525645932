"""File formats in and out."""

from gapsmith.bank.formats.decision_csv import AnnotationFile, DecisionRow, JudgementRow, read_annotations
from gapsmith.bank.formats.spreadsheet import defuse, looks_like_formula
from gapsmith.bank.formats.writing import CsvWriter

__all__ = [
    "AnnotationFile",
    "CsvWriter",
    "DecisionRow",
    "JudgementRow",
    "defuse",
    "looks_like_formula",
    "read_annotations",
]
