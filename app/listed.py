"""Lists that read well in Python: rows, a table in notebooks, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from gapsmith.app.requests.base import StageRequest

if TYPE_CHECKING:
    import pandas

Row = TypeVar("Row")
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Listed(Generic[Row]):
    """What was asked for, and its rows."""

    request: StageRequest
    rows: tuple[Row, ...]

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, place: int) -> Row:
        return self.rows[place]

    def row_data(self, row: Row) -> dict[str, Any]:
        """A row as JSON takes it."""
        found: dict[str, Any] = asdict(row)  # type: ignore[call-overload]  # rows that are no records have a reading of their own
        return found

    def as_data(self) -> list[dict[str, Any]]:
        """The rows as JSON takes them."""
        return [self.row_data(row) for row in self.rows]

    def to_frame(self) -> pandas.DataFrame:
        """A row for each."""
        import pandas

        return pandas.DataFrame(self.as_data())

    def _repr_html_(self) -> str:
        html: str = self.to_frame().to_html(index=False, escape=True, max_rows=_SHOWN)
        return html
