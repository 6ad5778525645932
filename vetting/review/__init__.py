"""Reviewing without a screen: the desk, the deck, the aligned grid, filters, edits and the guide."""

from vetting.review.deck import Deck
from vetting.review.desk import Desk, LockedError, Scope, Step
from vetting.review.edits import StaleItemError, changes, word_diff
from vetting.review.filters import ORDERS, Query, parse_query
from vetting.review.grid import Grid, Line, layout
from vetting.review.guide import GUIDE, Guide, Question, load_guide
from vetting.review.parsing import ParseLine, Parser, installed_parser
from vetting.review.sheet import Row, Sheet, rows_of

__all__ = [
    "GUIDE",
    "ORDERS",
    "Deck",
    "Desk",
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
    "Sheet",
    "StaleItemError",
    "Step",
    "changes",
    "installed_parser",
    "layout",
    "load_guide",
    "parse_query",
    "rows_of",
    "word_diff",
]
