"""Reviewing without a screen: the session, the queue, the aligned grid, filters, edits and the guide."""

from vetting.review.edits import StaleItemError, changes, word_diff
from vetting.review.filters import ORDERS, Query, parse_query
from vetting.review.grid import Grid, Line, layout
from vetting.review.guide import GUIDE, Guide, Question, load_guide
from vetting.review.item_view import ItemView, Row, rows_of
from vetting.review.parsing import ParseLine, Parser
from vetting.review.queue import Queue
from vetting.review.session import LockedError, Scope, Session, Step

__all__ = [
    "GUIDE",
    "ORDERS",
    "Queue",
    "Session",
    "Grid",
    "Guide",
    "Line",
    "LockedError",
    "ParseLine",
    "Parser",
    "Query",
    "Question",
    "Row",
    "Scope",
    "ItemView",
    "StaleItemError",
    "Step",
    "changes",
    "layout",
    "load_guide",
    "parse_query",
    "rows_of",
    "word_diff",
]
