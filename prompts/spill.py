"""Answers that the bank could not take (a full disk, a file that has become read-only) go to a file elsewhere, and into
the bank with the next go at the run: they have been paid for."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gapsmith.bank import folders_elsewhere, is_ours
from gapsmith.templates import read_json, text_of, text_sha256


@dataclass(frozen=True, slots=True)
class Spill:
    """The answers of one run that wait outside of its bank: a JSON object a line."""

    bank: Path
    identity: str

    def keep(self, answer: Mapping[str, Any]) -> Path | None:
        """Keep an answer, on disk when this returns; the file, or None where no place takes it."""
        line = json.dumps({"bank": str(self.bank.resolve()), "run": self.identity, **answer}) + "\n"
        for path in self._paths():
            try:
                path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                if not is_ours(path.parent):
                    continue
                with path.open("a", encoding="utf-8") as file:
                    file.write(line)
                    file.flush()
                    os.fsync(file.fileno())
            except OSError:
                continue
            return path
        return None

    def waiting(self) -> Iterator[tuple[Path, list[Mapping[str, Any]]]]:
        """The files there are, with their answers. A last line that broke off is left out."""
        for path in self._paths():
            try:
                lines = text_of(path, "utf-8").splitlines() if is_ours(path) else []
            except OSError:
                continue
            answers = [answer for line in lines if (answer := _answer(line)) is not None]
            yield path, [answer for answer in answers if self._is_for_us(answer)]

    def _is_for_us(self, answer: Mapping[str, Any]) -> bool:
        whole = isinstance(answer.get("number"), int) and isinstance(answer.get("outcome"), str)
        return whole and answer.get("bank") == str(self.bank.resolve()) and answer.get("run") == self.identity

    def _paths(self) -> list[Path]:
        # The user's own place first; the bank's own folder last, since it is most likely on the disk that is full.
        bank = text_sha256(str(self.bank.resolve()))
        name = f"gapsmith-spill-{bank[:12]}-{self.identity[:24]}.jsonl"
        return [folder / name for folder in (*folders_elsewhere(), self.bank.resolve().parent)]


def _answer(line: str) -> Mapping[str, Any] | None:
    try:
        answer = read_json(line)
    except ValueError:
        return None
    return answer if isinstance(answer, dict) else None
