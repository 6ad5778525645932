"""What docs/review.md says is so. Behaviour is tested where it belongs; here are its keys, filters, files and commands."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from gapsmith.app.workspace import make_workspace
from gapsmith.bank import Bank, NewItem, Verdict
from gapsmith.templates import load_paradigm, realise
from gapsmith.vetting.review import GUIDE, Session, load_guide, parse_query
from gapsmith.vetting.review.card import card_lines
from gapsmith.vetting.review.filters import STATUSES
from gapsmith.vetting.tui import COMMANDS, ReviewApp, load_keys
from tests.conftest import CommandOutcome
from tests.vetting.reviewing import fill_bank
from tests.vetting.test_review_grid import SLOTS

PAGE = Path(__file__).parents[2] / "docs" / "review.md"
TEXT = PAGE.read_text(encoding="utf-8")
KEYS = {key for command in COMMANDS for key in command.keys}
COMMAND_LINES = re.findall(r"^    (gapsmith .+)$", TEXT, flags=re.MULTILINE)


def table(heading: str) -> list[tuple[str, str]]:
    """The first table of a section, as pairs of cells."""
    section = TEXT.split(f"## {heading}\n")[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    return [(row[0].strip(), row[1].strip()) for row in rows if "---" not in row[0] and row[0].strip()]


def test_every_key_of_the_page_is_a_key_of_the_review() -> None:
    rows = table("Deciding")
    assert len(rows) > 12
    digits = {str(number) for number in range(1, 10)}
    for cell, _ in rows:
        for key in re.findall(r"`([^`]+)`", cell):
            assert key.lower() in {one.lower() for one in KEYS} | digits | {"ctrl+p"}, key
    for key in "eEgsAXFLvT=":
        assert f"`{key}`" in TEXT
        assert key in KEYS


@pytest.mark.parametrize(("cell", "meaning"), table("The queue")[1:])
def test_every_filter_of_the_page_can_be_typed(cell: str, meaning: str) -> None:
    for line in re.findall(r"`([^`]+)`", cell):
        assert parse_query(line).text == line
    if "also" in meaning:
        for status in meaning.removeprefix("also ").split(", "):
            assert status in STATUSES


def test_the_files_of_the_page_can_be_read(tmp_path: Path) -> None:
    blocks = re.findall(r"((?:^    .+\n)+)", TEXT, flags=re.MULTILINE)
    (guide,) = [block for block in blocks if "reasons = " in block]
    (keys,) = [block for block in blocks if "approve = " in block]
    (tmp_path / "review.toml").write_text(guide.replace("    ", ""), encoding="utf-8")
    (tmp_path / "keys.toml").write_text(keys.replace("    ", ""), encoding="utf-8")
    loaded = load_guide(tmp_path)
    assert loaded.reasons == (*GUIDE.reasons, "needs a context")
    assert loaded.questions[-1].text == "Would you say this yourself?"
    assert load_keys([tmp_path / "keys.toml"])["approve"] == ("y",)


@pytest.mark.parametrize("line", COMMAND_LINES)
def test_every_command_of_the_page_has_these_options(line: str, gapsmith: Callable[..., object]) -> None:
    words = shlex.split(line.split(">")[0])[1:]
    shown = gapsmith(*words[: 2 if words[0] == "packet" else 1], "--help")
    assert shown.code == 0  # type: ignore[attr-defined]  # an CommandOutcome
    for word in words[1:]:
        if word.startswith("-"):
            assert word in shown.out + shown.err  # type: ignore[attr-defined]  # a fixture or screen that is known here


def test_the_marks_of_the_page_are_on_the_screen(session: Session, bank: Bank) -> None:
    from gapsmith.vetting.review.finding_groups import group_findings
    from gapsmith.vetting.review.grid import layout

    view = session.view(1)
    paradigm = load_paradigm("subject_pg")
    expected = {sentence.condition: sentence for sentence in realise(paradigm, {**SLOTS})}
    session.judge(view, view.rows[0], "ok")
    session.judge(view, view.rows[1], "?")
    view = session.view(1)
    groups = group_findings(view.rows, view.paradigm, view.findings)
    plain = "\n".join(line.text for line in layout(view.rows, view.paradigm, groups, width=100).lines)
    for mark in ("‹who›", "__", "ok =ok", "≠?", "¹"):
        assert mark in plain
    assert re.search(r"\[\w+\]", plain)
    deviating = layout(view.rows, view.paradigm, groups, width=200, expected=expected).lines
    assert any("[-" in line.text and "{+" in line.text for line in deviating)


def test_the_pictures_are_those_that_are_compared() -> None:
    pictures = re.findall(r"\(([^)]+\.svg)\)", TEXT)
    assert len(pictures) >= 5
    for picture in pictures:
        path = (PAGE.parent / picture).resolve()
        assert path.is_file()
        assert path.parent == Path(__file__).parent / "snapshots"


def sentences() -> list[str]:
    """What the page says in running text."""
    found = []
    for block in re.sub(r"```.*?```", "", TEXT, flags=re.DOTALL).split("\n\n"):
        if block.startswith(("    ", "#", "|", "![")):
            continue
        for part in re.split(r"\n- ", f"\n{block}") if block.startswith("- ") else [block]:
            found += re.split(r"(?<=[.:]) (?=[A-Z`])", " ".join(part.split()))
    return [one for one in found if one]


def test_every_claim_of_the_page_is_executed() -> None:
    claims = {}
    for line in (Path(__file__).parent / "review_claims.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            beginning, _, names = line.rpartition(" | ")
            claims[beginning] = names.split()
    said = sentences()
    for sentence in said:
        assert any(sentence.startswith(claim) for claim in claims), f"no test is named for: {sentence}"
    for claim, tests in claims.items():
        assert any(sentence.startswith(claim) for sentence in said), f"the page does not say: {claim}"
        assert tests
        for test in tests:
            *folder, file, name = test.split(".")
            path = Path(__file__).parents[1] / (folder[0] if folder else "vetting") / f"test_{file.removeprefix('test_')}.py"
            assert re.search(rf"^(async )?def {name}\(", path.read_text(encoding="utf-8"), flags=re.MULTILINE), test


async def test_the_review_opens_at_the_first_item_that_waits(session: Session) -> None:
    session.decide({i: session.row(i).revision_id for i in (1, 2)}, Verdict.APPROVE)
    app = ReviewApp(session)
    async with app.run_test(size=(80, 24)):
        assert app.queue.position == 2


def test_the_card_of_the_page_is_the_card_of_the_review(session: Session, bank: Bank) -> None:
    paradigm = load_paradigm("subject_pg")
    run = bank.runs.begin(
        kind="import", paradigm_id=bank.paradigms.register(paradigm), provider="file", identity="card", parameters={}
    )
    item = NewItem(SLOTS, realise(paradigm, SLOTS))
    (item_id,) = bank.runs.reply(bank.runs.intend(run.id, 0, {}), outcome="ok", reply=None, items=[item])
    (line,) = card_lines(session.view(item_id), 120)
    assert f"    {line.text}\n" in TEXT


def test_keys_beside_ones_own_settings_are_read(
    gapsmith: Callable[..., CommandOutcome], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_workspace(tmp_path / "ws")
    (tmp_path / "ws" / "bank.sqlite").unlink()
    fill_bank(tmp_path / "ws" / "bank.sqlite", 1).close()
    monkeypatch.setenv("GAPSMITH_CONFIG", str(tmp_path / "config.toml"))
    (tmp_path / "keys.toml").write_text('aprove = "y"\n', encoding="utf-8")
    refused = gapsmith("review", "-w", tmp_path / "ws", "--by", "ann")
    assert refused.code == 2
    assert "Did you mean approve?" in refused.err
    for command in COMMANDS:
        assert re.search(rf"\b{command.name}\b", refused.err)
