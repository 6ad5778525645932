"""The paradigms of docs/cookbook load, check, give items, and the linter finds no error in these."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

from gapsmith.app.paradigm_check import check_paradigm
from gapsmith.bank import Bank, ItemFilter, Severity
from gapsmith.templates import load_paradigm, sample
from tests.conftest import CommandOutcome

BOOK = Path(__file__).resolve().parents[1] / "docs" / "cookbook"
FILES = sorted(path.stem for path in BOOK.glob("*.toml"))
ITEMS = 20


def test_there_are_ten_and_the_page_names_them_with_their_study() -> None:
    page = (BOOK / "README.md").read_text(encoding="utf-8")
    assert len(FILES) == 10
    for name in FILES:
        assert f"({name}.toml)" in page
        assert load_paradigm(str(BOOK / f"{name}.toml")).source.startswith("design after ")


@pytest.mark.parametrize("name", FILES)
def test_a_paradigm_of_the_cookbook_is_sound_and_its_items_too(
    name: str, gapsmith: Callable[..., CommandOutcome], tmp_path: Path
) -> None:
    path = BOOK / f"{name}.toml"
    paradigm = load_paradigm(str(path))
    assert [check.what for check in check_paradigm(paradigm) if not check.ok] == []
    assert gapsmith("init", "ws").code == 0
    if paradigm.given:
        assert gapsmith("import", path.with_suffix(".csv"), "-p", path, "-w", "ws").code == 0
    else:
        assert len(list(islice(sample(paradigm, 1), ITEMS))) == ITEMS
        assert gapsmith("generate", path, "-n", str(ITEMS), "--seed", "1", "-w", "ws").code == 0
    assert gapsmith("lint", "-w", "ws", "--fail-on", "error").code == 0
    with Bank.open(tmp_path / "ws" / "bank.sqlite") as bank:
        items = list(bank.items.iterate(ItemFilter()))
        assert len(items) >= (5 if paradigm.given else ITEMS)
        assert all(s.regions is not None for item in items for s in item.sentences)
        assert Severity.ERROR not in {f.severity for item in items for f in bank.findings.for_item(item.id)}
