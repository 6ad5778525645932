"""`gapsmith annotations`: what annotators said, as CSV."""

from __future__ import annotations

import sys

from gapsmith.app.stages.agreeing import AnnotationTable


def as_data(found: AnnotationTable) -> object:
    """A row for each decision, judgement or remark, as JSON takes it."""
    return found.to_frame().to_dict("records")


def show(found: AnnotationTable) -> None:
    """Print the table."""
    sys.stdout.write(found.csv)
