"""`gapsmith runs item`: where an item is from."""

from __future__ import annotations

from gapsmith.app.cli.console import print_text
from gapsmith.app.stages.runs_told import ItemTraced
from gapsmith.bank import request_in_words


def show(found: ItemTraced) -> None:
    """Print run, prompt and call, and the raw answer."""
    origin = found.origin()
    answer = origin.pop("reply")
    lines = [f"{name}: {value}" for name, value in origin.items() if value is not None]
    lines.append(f"request: {request_in_words(found.run.request)}")
    print_text("\n".join(lines) + (f"\n--- the raw answer ---\n{answer}" if answer else ""))
