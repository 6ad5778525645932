"""`gapsmith paradigm diff`: how a file differs from what items were made with."""

from __future__ import annotations

from gapsmith.app.cli.console import note, print_text
from gapsmith.app.requests.designing import DiffParadigm
from gapsmith.app.stages.designs import ParadigmDiffers
from gapsmith.templates import count


def show(found: ParadigmDiffers) -> None:
    """Print every difference, and what one can do about it."""
    for difference in found:
        print_text(f"{difference.items:,} of {count(found.n_items, 'item')}: another {', '.join(difference.parts)}")
        print_text("\n".join(f"  {line}" for line in difference.changes))
    assert isinstance(found.request, DiffParadigm)
    name = found.request.name
    if not found.rows:
        note(f"{name}: its file is what all {found.n_items:,} items were made with")
    elif any("form" in difference.parts for difference in found):
        note(f"`gapsmith paradigm update {name}` brings the items to the file's form")
    else:
        note("today's predictions and words hold for all items; there is nothing to update")
