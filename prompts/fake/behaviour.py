"""How the stand-in answers: well, or badly in one of the ways that real servers and models do."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Behaviour"]


class Behaviour(StrEnum):
    """One way to answer one request."""

    WELL = "well"
    PROSE = "prose"
    """The items, with words around them and in a Markdown fence."""
    TRUNCATED = "truncated"
    """The first part of the items, and the finish reason that says so."""
    HALF = "half"
    """The first part of the items, and a finish reason that claims it is all."""
    DUPLICATES = "duplicates"
    """The same items every time."""
    SURPLUS = "surplus"
    """Twice as many items as were asked for."""
    EMPTY = "empty"
    UNREADABLE = "unreadable"
    """Polite words in another language, and no items."""
    WRONG_SCHEMA = "wrong_schema"
    """Good JSON with the wrong keys."""
    HOSTILE = "hostile"
    """Items with control characters, markup and very long values among good ones."""
    SAFETY = "safety"
    PROMPT_BLOCKED = "prompt_blocked"
    RECITATION = "recitation"
    MINUTE_LIMIT = "minute_limit"
    DAILY_QUOTA = "daily_quota"
    NO_FUNDS = "no_funds"
    BAD_KEY = "bad_key"
    FORBIDDEN = "forbidden"
    UNKNOWN_MODEL = "unknown_model"
    BAD_REQUEST = "bad_request"
    NO_JSON_SCHEMA = "no_json_schema"
    """Refuses requests for a JSON schema, and answers others well."""
    NO_STRUCTURE = "no_structure"
    """Refuses every request for structured output, and answers others well."""
    SERVER_ERROR = "server_error"
    OVERLOADED = "overloaded"
    REDIRECT = "redirect"
    """Sends the request on to another address, method and body unchanged (307)."""
    NOT_JSON = "not_json"
    """A web page, with status 200."""
    HANG = "hang"
    """No answer at all."""
    BREAK = "break"
    """Half of an answer, and then the connection is closed."""
