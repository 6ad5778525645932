"""Reviewing without a screen: the session, the queue, the aligned grid, filters, edits and the guide."""

from gapsmith.vetting.review.edits import StaleItemError, changes, word_diff
from gapsmith.vetting.review.filters import Query, parse_query
from gapsmith.vetting.review.grid import Line, layout
from gapsmith.vetting.review.guide import GUIDE, ProtocolQuestion, load_guide
from gapsmith.vetting.review.item_view import SentenceRow, rows_of
from gapsmith.vetting.review.parsing import ParseLine, Parser
from gapsmith.vetting.review.queue import Queue
from gapsmith.vetting.review.session import LockedError, Scope, Session

__all__ = [
    "GUIDE",
    "Queue",
    "Session",
    "Line",
    "LockedError",
    "ParseLine",
    "Parser",
    "Query",
    "ProtocolQuestion",
    "SentenceRow",
    "Scope",
    "StaleItemError",
    "changes",
    "layout",
    "load_guide",
    "parse_query",
    "rows_of",
    "word_diff",
]
