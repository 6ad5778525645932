"""The only place where what was not said of a request is filled in from the settings: flags, keywords and study files stand over
the environment, the workspace's file and the user's, in that order."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gapsmith.app.requests.base import UNSET, R, entries
from gapsmith.app.settings import Settings


def filled(request: R, settings: Settings) -> R:
    """The request with the settings in the place of what was not said."""
    changes: dict[str, Any] = {}
    for entry in entries(type(request)):
        if entry.option.setting is not None and getattr(request, entry.name) is UNSET:
            value = getattr(settings, entry.option.setting)
            if value is not None:
                changes[entry.name] = value
    return replace(request, **changes)
