"""Reviewing without a screen: the session, the queue, the aligned grid, filters, edits and the guide."""

from vetting.review.edits import StaleItemError, changes, word_diff
from vetting.review.filters import Query, parse_query
from vetting.review.grid import Line, layout
from vetting.review.guide import GUIDE, Question, load_guide
from vetting.review.item_view import Row, rows_of
from vetting.review.parsing import ParseLine, Parser
from vetting.review.queue import Queue
from vetting.review.session import LockedError, Scope, Session

__all__ = [
    "GUIDE",
    "Queue",
    "Session",
    "Line",
    "LockedError",
    "ParseLine",
    "Parser",
    "Query",
    "Question",
    "Row",
    "Scope",
    "StaleItemError",
    "changes",
    "layout",
    "load_guide",
    "parse_query",
    "rows_of",
    "word_diff",
]
