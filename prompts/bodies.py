"""HTTP bodies as the bank keeps them: every byte but the keys, packed into text."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Sequence

from gapsmith.prompts.scrubbing import REMOVED

BODY = "http_body"
"""The name under which a call's details hold the body of its answer."""

EARLIER_BODIES = "earlier_http_bodies"
"""Those of the attempts before, as a list."""


def pack_body(body: bytes, secrets: Sequence[str] = ()) -> str:
    """Base64 of the deflated body; of a secret in it, only that it was there is kept."""
    for secret in secrets:
        body = body.replace(secret.encode(), REMOVED.encode())
    return base64.b64encode(zlib.compress(body, 9)).decode("ascii")


def unpack_body(packed: str) -> bytes:
    """The inverse of `pack_body`."""
    return zlib.decompress(base64.b64decode(packed))
