"""The review in a browser."""

from gapsmith.vetting.web.server import Link, ReviewServer, listen

__all__ = ["Link", "ReviewServer", "listen"]
