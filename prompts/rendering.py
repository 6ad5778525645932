"""Rendering a prompt file. A variable that is not there is an error, never an empty string."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from jinja2 import StrictUndefined, Template, TemplateError, TemplateSyntaxError, meta
from jinja2.sandbox import SandboxedEnvironment

from prompts.failures import PromptError
from prompts.files import PromptFile

__all__ = ["render_prompt"]


@lru_cache(maxsize=1)
def _environment() -> SandboxedEnvironment:
    # A prompt is text for a model, not HTML: nothing is escaped. The sandbox is for prompt files that were passed on.
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


def render_prompt(prompt: PromptFile, context: Mapping[str, Any]) -> str:
    """The prompt as it is sent. Raises `PromptError` with the line, and with every variable that is missing."""
    try:
        template, used = _compiled(prompt.text)
        missing = sorted(used - set(context))
        if missing:
            raise PromptError(
                f"{prompt.path}: the prompt uses {', '.join(missing)}, which there is not",
                hint=f"A prompt may use: {', '.join(sorted(context))}.",
            )
        return template.render(context).strip() + "\n"
    except TemplateSyntaxError as error:
        raise PromptError(f"{prompt.path}, line {error.lineno}: {error.message}") from None
    except TemplateError as error:
        raise PromptError(
            f"{prompt.path}: {error.message}", hint="See docs/generation.md for what a prompt may use."
        ) from None
