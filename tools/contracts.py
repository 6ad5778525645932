"""Import contracts of our own, for `lint-imports`; pyproject.toml names them."""

from __future__ import annotations

from typing import Any

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class FacesContract(Contract):
    """A room is entered through a face: what one room imports of another is a package, never a module inside it.

    Names are imported lazily from a package's stub (`__init__.pyi`), so the graph sees the package and nothing behind it."""

    root: Any = fields.StringField()

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: ARG002
        """Every direct import that crosses two rooms and does not end at a package."""
        root = str(self.root)
        around: list[Any] = []
        for imported in graph.modules:
            if not imported.startswith(f"{root}.") or graph.find_children(imported):
                continue
            for importer in graph.find_modules_that_directly_import(imported):
                if self._room(importer) != self._room(imported):
                    around += graph.get_import_details(importer=importer, imported=imported)
        return ContractCheck(kept=not around, metadata={"around": around})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Each import with its file and line."""
        for found in sorted(check.metadata["around"], key=lambda found: (found["importer"], found["line_number"])):
            output.print_error(f"{found['importer']}:{found['line_number']}: {found['line_contents']}")
        output.print("Import the name from the package, and list it in that package's __init__.pyi where it is missing.")

    def _room(self, module: str) -> str:
        """The package itself and its `__main__` belong to the application."""
        room = ".".join(module.split(".")[:2])
        return f"{self.root}.app" if room in {self.root, f"{self.root}.__main__"} else room
