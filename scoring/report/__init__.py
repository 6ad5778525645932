"""Figures, sentences, tables and the report, all made from an `Analysis` alone."""

from scoring.report.build import Report, make_report, render_html, render_markdown, write_report
from scoring.report.links import Trail
from scoring.report.models import note_on
from scoring.report.tables import Table, contrast_tables, parts_table, render_text
from scoring.report.terminal import analysis_text
from scoring.report.trail import write_trail
from scoring.report.words import contrast_sentence, did_sentence, outcome_of, overall

__all__ = [
    "Report",
    "Table",
    "Trail",
    "analysis_text",
    "contrast_sentence",
    "contrast_tables",
    "did_sentence",
    "make_report",
    "note_on",
    "outcome_of",
    "overall",
    "parts_table",
    "render_html",
    "render_markdown",
    "render_text",
    "write_report",
    "write_trail",
]
