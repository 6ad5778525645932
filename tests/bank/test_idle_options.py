"""What somebody says of a file is looked at, or the file is refused: nothing is said in vain and in silence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gapsmith.bank.formats import ForeignSet, ReadOptions, SourceFile, read_foreign
from gapsmith.bank.formats.asking import FLAGS
from gapsmith.templates import FormatError
from tests.bank.test_every_reader_is_looked_over import CLEAN

ITEMS = CLEAN[:3]
SUITE = {
    "meta": {"name": "a", "metric": "sum"},
    "region_meta": {"1": "subject", "2": "verb"},
    "predictions": [{"type": "formula", "formula": "(2;%pl%) > (2;%sg%)"}],
    "items": [
        {
            "item_number": n,
            "conditions": [
                {
                    "condition_name": c,
                    "regions": [{"region_number": 1, "content": t[:-4]}, {"region_number": 2, "content": t[-4:]}],
                }
                for c, t in zip(("sg", "pl"), pair, strict=True)
            ],
        }
        for n, pair in enumerate(ITEMS, 1)
    ],
}
FILES: dict[str, str] = {
    "suite.json": json.dumps(SUITE),
    "pairs.jsonl": "".join(json.dumps({"sentence_good": one, "sentence_bad": other}) + "\n" for one, other in ITEMS),
    "tuples.json": json.dumps([{"s_fg": one.split(), "s_xg": other.split()} for one, other in ITEMS]),
    "items.json": json.dumps(
        [{"item": n, "condition": c, "sentence": t} for n, own in enumerate(ITEMS, 1) for c, t in zip("ab", own, strict=True)]
    ),
    "blocks.txt": "".join(f"# agr {n} {c}\n{t}\n" for n, own in enumerate(ITEMS, 1) for c, t in zip("ab", own, strict=True)),
}
SAID: dict[str, Any] = {
    "sheets": ("one",),
    "first": "good",
    "per_item": 2,
    "region_mark": "~",
    "header_row": 2,
    "headings": "a,b",
    "header_rows": 2,
    "table": "2",
    "transpose": True,
    "stack": True,
    "items_by_words": True,
    "blank_rows": True,
    "comment": "%%",
    "once": True,
}
APART = {"encoding", "paradigm", "own_paradigm", "format", "wrapped", "clean", "alternatives"}
"""What the file may be all the same, or what becomes of it and not how it is read."""


def _read(path: Path, **said: Any) -> ForeignSet:
    return read_foreign(SourceFile(path, ReadOptions(**said)))


def _said(path: Path, **said: Any) -> object:
    """What a file is read as, and what is told of it; why it is refused."""
    try:
        found = _read(path, **said)
    except FormatError as refused:
        return refused.message
    return found.items, found.assumptions


@pytest.mark.parametrize("name", FILES)
def test_what_is_said_in_vain_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(FILES[name])
    plain = _said(path)
    for option in set(FLAGS) - APART:
        assert _said(path, **{option: SAID.get(option, ("none=1",))}) != plain, f"{option} is said in vain"


def test_of_keys_that_are_named_like_columns_the_way_to_read_them_so_is_offered(tmp_path: Path) -> None:
    path = tmp_path / "items.json"
    path.write_text(FILES["items.json"])
    with pytest.raises(FormatError, match="has no use for --condition-column condition") as refused:
        _read(path, condition_columns=("condition",))
    assert "--condition-column condition --format csv" in str(refused.value)
    found = read_foreign(SourceFile(path, ReadOptions(condition_columns=("condition",))), format="csv")
    assert [item.label for item in found.items] == ["1", "2", "3"]
