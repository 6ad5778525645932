"""Figures, sentences, tables and the report, all made from an `Analysis` alone."""

from gapsmith.scoring.report.build import Report, make_report, render_html, render_markdown, write_report
from gapsmith.scoring.report.links import Trail
from gapsmith.scoring.report.models import note_on
from gapsmith.scoring.report.sentences import contrast_sentence, did_sentence, outcome_of, overall
from gapsmith.scoring.report.tables import Table, contrast_tables, parts_table, render_text
from gapsmith.scoring.report.terminal import analysis_text
from gapsmith.scoring.report.trail import write_trail

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
