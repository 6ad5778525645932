"""Filling in a prompt's template; on its own also the program that does so for prompt files that came from elsewhere.

A template is a program: it may loop for ever, or fill the memory. So one that does not ship with gapsmith is rendered in a
process of its own, with limits. That process runs this file and nothing else of gapsmith: import only Jinja2 here.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from jinja2 import StrictUndefined, Template, TemplateError, TemplateSyntaxError, meta
from jinja2.sandbox import SandboxedEnvironment

MAX_PROMPT_CHARS = 1_000_000
_MEMORY_BYTES = 2**30
_CPU_S = 3_600


@lru_cache(maxsize=1)
def _environment() -> SandboxedEnvironment:
    # A prompt is text for a model, not HTML: nothing is escaped.
    return SandboxedEnvironment(
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


@lru_cache(maxsize=32)
def _compiled(text: str) -> tuple[Template, frozenset[str]]:
    # A run renders the same file for every call, and compiling it takes longer than all the rest of a call.
    environment = _environment()
    tree = environment.parse(text)
    return environment.from_string(tree), frozenset(meta.find_undeclared_variables(tree))


def fill_in(text: str, context: Mapping[str, Any]) -> dict[str, Any]:
    """``{"text": …}``, or what is wrong: ``{"missing": [names]}``, or ``{"error": …, "line": number or None}``."""
    try:
        template, used = _compiled(text)
        missing = sorted(used - set(context))
        if missing:
            return {"missing": missing}
        filled = template.render(context)
    except TemplateSyntaxError as error:
        return {"error": error.message, "line": error.lineno}
    except TemplateError as error:
        return {"error": error.message, "line": None}
    except Exception as error:  # noqa: BLE001 - a template can raise whatever an expression can
        return {"error": f"{type(error).__name__}: {error}"[:500], "line": None}
    if len(filled) > MAX_PROMPT_CHARS:
        return {"error": f"the prompt has {len(filled):,} characters, of at most {MAX_PROMPT_CHARS:,}", "line": None}
    return {"text": filled}


def _limit() -> None:
    try:
        import resource
    except ImportError:
        # Windows has no such limits; the time is limited by whoever waits.
        return
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (_CPU_S, _CPU_S))


def _serve() -> None:
    _limit()
    for line in sys.stdin:
        asked = json.loads(line)
        sys.stdout.write(json.dumps(fill_in(asked["text"], asked["context"])) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _serve()
