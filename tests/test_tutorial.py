"""The notebook of the documentation: its cells run, in order and in an empty folder, and print what stands below them."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.documented import ROOT

NOTEBOOK = ROOT / "docs" / "tutorial.ipynb"


@pytest.mark.full
def test_the_cells_print_what_stands_below_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``UPDATE_SNAPSHOTS=1`` writes what they print into the notebook."""
    monkeypatch.chdir(tmp_path)
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile("".join(cell["source"]), cell["id"], "exec"), names)
        printed = out.getvalue().splitlines(keepends=True)
        if os.environ.get("UPDATE_SNAPSHOTS"):
            cell["outputs"] = [{"name": "stdout", "output_type": "stream", "text": printed}] if printed else []
        assert [line for output in cell["outputs"] for line in output["text"]] == printed, cell["id"]
    if os.environ.get("UPDATE_SNAPSHOTS"):
        NOTEBOOK.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def test_links_of_the_notebook_lead_somewhere() -> None:
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    targets = re.findall(r"\]\(([^)#\s]+)", "".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"))
    assert targets
    assert [target for target in targets if not (NOTEBOOK.parent / target).exists()] == []
