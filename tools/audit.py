"""Whether anything is known against the packages that are installed here: ``python -m tools.audit``, a part of ``make check``.

It asks the database that pip-audit asks. Where that cannot be reached, or pip-audit is not installed, it says so, and that is no failure:
nothing was looked at. What is known against a package is."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

_SECONDS = 300
_COMMAND = (sys.executable, "-m", "pip_audit", "--format", "json", "--progress-spinner", "off", "--skip-editable")


def told(printed: str) -> tuple[list[str], int, list[str]]:
    """From what pip-audit prints: a line for each thing that is known against a package, how many packages were looked at, and why others
    were not. Raises `ValueError` for what is no such report."""
    report: Any = json.loads(printed)
    try:
        packages = [own for own in report["dependencies"] if "vulns" in own]
        lines = [
            f"{own['name']} {own['version']}: {found['id']}; mended in {', '.join(found['fix_versions']) or 'no version yet'}"
            for own in packages
            for found in own["vulns"]
        ]
        skipped = [str(own["skip_reason"]) for own in report["dependencies"] if "skip_reason" in own]
    except (KeyError, TypeError) as error:
        raise ValueError(f"no report of pip-audit: {error}") from None
    return lines, len(packages), skipped


def main() -> int:
    """1 where something is known against a package."""
    try:
        done = subprocess.run(_COMMAND, capture_output=True, text=True, check=False, timeout=_SECONDS)
        lines, n_packages, skipped = told(done.stdout)
    except (ValueError, OSError, subprocess.TimeoutExpired) as error:
        reason = str(error)
        if isinstance(error, ValueError):
            reason = next((line for line in reversed(done.stderr.strip().splitlines()) if line), reason)
        print(f"packages not audited: {reason[:300]}")
        return 0
    for line in lines:
        print(line)
    if skipped:
        # A mirror that knows packages but no advisories has all of them skipped, and pip-audit calls that success.
        print(f"{len(skipped)} packages not audited, such as: {skipped[0]}")
    if n_packages:
        print(f"{n_packages} packages audited: {len(lines) or 'nothing'} known against them")
    return 1 if lines else 0


if __name__ == "__main__":
    raise SystemExit(main())
