"""The audit of installed packages: what is known is told and fails; what could not be asked is said and does not."""

from __future__ import annotations

import json
import subprocess
from types import SimpleNamespace

import pytest

from tools import audit

REPORT = {
    "dependencies": [
        {
            "name": "a",
            "version": "1",
            "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1"]}, {"id": "GHSA-2", "fix_versions": []}],
        },
        {"name": "b", "version": "2", "vulns": []},
        {"name": "gapsmith", "skip_reason": "is editable"},
    ],
    "fixes": [],
}


@pytest.mark.parametrize(
    ("out", "err", "code", "said"),
    [
        (json.dumps(REPORT), "", 1, "a 1: PYSEC-1; mended in 1.1"),
        (json.dumps(REPORT), "", 1, "mended in no version yet"),
        (json.dumps({"dependencies": REPORT["dependencies"][1:]}), "", 0, "1 packages audited: nothing known"),
        (json.dumps(REPORT), "", 1, "1 packages not audited, such as: is editable"),
        (json.dumps({"dependencies": REPORT["dependencies"][2:]}), "", 0, "1 packages not audited, such as: is editable\n"),
        ("", "ConnectionError: no route\n", 0, "packages not audited: ConnectionError: no route"),
        ("", "No module named pip_audit", 0, "packages not audited: No module named pip_audit"),
        ("{}", "", 0, "packages not audited: no report"),
    ],
)
def test_what_is_known_fails_and_what_cannot_be_asked_is_said(
    out: str, err: str, code: int, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: SimpleNamespace(stdout=out, stderr=err))
    assert audit.main() == code
    assert said in capsys.readouterr().out
