"""`gapsmith context draw`: a context for every item, grown sentence by sentence."""

from __future__ import annotations

from gapsmith.app.cli.printable import said_already as show
from gapsmith.scoring import Drawn

__all__ = ["as_data", "show"]


def as_data(drawn: Drawn) -> object:
    """How many contexts of which lengths, as JSON takes it."""
    realised = {str(target): list(found) for target, found in drawn.realised.items()}
    return {"name": drawn.made.name, "items": drawn.n_items, "contexts": drawn.n_contexts, "tokens": realised}
