"""Rendering a prompt file. A variable that is not there is an error, never an empty string."""

from __future__ import annotations

import atexit
import json
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from queue import Empty, Queue
from typing import Any

from gapsmith.prompts import template
from gapsmith.prompts.failures import PromptError
from gapsmith.prompts.files import PromptFile

TIME_LIMIT_S = 10.0
"""A template that takes longer has no end."""


def render_prompt(prompt: PromptFile, context: Mapping[str, Any]) -> str:
    """The prompt as it is sent. Raises `PromptError` with the line, and with every variable that is missing.

    A prompt that does not ship with gapsmith is rendered in a process of its own, with limits of time and memory."""
    if prompt.plain:
        return prompt.as_sent
    filled = template.fill_in(prompt.text, context) if prompt.shipped else _workshop.fill_in(prompt.text, context)
    if "missing" in filled:
        raise PromptError(
            f"{prompt.path}: the prompt uses {', '.join(filled['missing'])}, which there is not",
            hint=f"A prompt may use: {', '.join(sorted(context))}.",
        )
    if "error" in filled:
        line = f", line {filled['line']}" if filled["line"] else ""
        raise PromptError(f"{prompt.path}{line}: {filled['error']}", hint="See docs/generation.md for what a prompt may use.")
    return str(filled["text"]).strip() + "\n"


class _Workshop:
    """The process in which templates of others are filled in; started when it is needed, and again when it had to be
    stopped."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._lines: Queue[str] = Queue()
        self._lock = threading.Lock()

    def fill_in(self, text: str, context: Mapping[str, Any]) -> dict[str, Any]:
        """As `template.fill_in`."""
        with self._lock:
            process = self._started()
            assert process.stdin is not None
            try:
                process.stdin.write(json.dumps({"text": text, "context": dict(context)}) + "\n")
                process.stdin.flush()
                line = self._lines.get(timeout=TIME_LIMIT_S)
            except Empty:
                self._stop()
                return {"error": f"the template has no end: it was stopped after {TIME_LIMIT_S:g} s", "line": None}
            except OSError:
                line = ""
            if not line:
                self._stop()
                return {"error": "the template takes more memory than it may", "line": None}
            filled: dict[str, Any] = json.loads(line)
            return filled

    def _started(self) -> subprocess.Popen[str]:
        if self._process is None:
            # -I: neither the user's environment nor the directory we are in has a say in what it imports.
            self._process = subprocess.Popen(
                [sys.executable, "-I", str(Path(template.__file__))],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
            )
            self._lines = Queue()
            threading.Thread(target=_pass_on, args=(self._process, self._lines), daemon=True).start()
            atexit.register(self._stop)
        return self._process

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        atexit.unregister(self._stop)
        process.kill()
        process.wait()
        if process.stdin is not None:
            try:
                process.stdin.close()
            except OSError:
                # What could not be written any more is not needed either.
                return


def _pass_on(process: subprocess.Popen[str], lines: Queue[str]) -> None:
    assert process.stdout is not None
    with process.stdout as out:
        for line in out:
            lines.put(line)
    lines.put("")


_workshop = _Workshop()
