"""The recorder: what it finds between two recordings, what it makes alike, and that it knows every command."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import pytest

from tests.conftest import CommandOutcome
from tests.parts import first_of
from tools.recorder.__main__ import main
from tools.recorder.alike import Alike
from tools.recorder.comparing import CompareError, Comparison, compare, told
from tools.recorder.plan import exceptions_of, plan_of
from tools.recorder.recorded import Recorded, Recording
from tools.recorder.recording import record
from tools.recorder.walking import Command, WalkError, called_in, called_now, check_covered, commands_of

STDOUT = """\
wh-effects (bits)
    exp   mean     t  df      p   n  verdict
P1  < 0  -0.41  8.71  39  .0003  40  as expected
P4  > 0  +0.20  4.66  39  .0004  40  as expected
96 scored now in 0.5 s by bundled (revision sha256:07c8d33951dc), in /tmp/one/eight.
"""
RESULT = {
    "at": "2026-03-01T10:11:12.130+00:00",
    "run": "0822a24c3b9d84d39341954664d27f00",
    "latency_ms": 57,
    "contrasts": [{"name": "P1", "mean": -0.4111111111111, "p": 0.00031, "n": 40, "df": 39.0, "verdict": "expected"}],
    "reason": None,
}
CSV = "item,condition,value,n,df\n1,pfpg,3.25,40,39.5\n2,mfpg,1.75,40,39.5\n3,pfmg,7.5,40,39.5\n"
SVG = '<svg>\n<path d="M 1.25 3.5 L 2.75 4.25" clip-path="url(#words-p6724d1b6d8)"/>\n</svg>\n'
FILES = {
    "out.json": json.dumps(RESULT),
    "log.jsonl": json.dumps(RESULT) + "\n" + json.dumps({**RESULT, "reason": "too short"}) + "\n",
    "long.csv": CSV,
    "figure.svg": SVG,
    "report.html": f"<p>40 items, mean -0.41</p>\n{SVG}<p>Made 2026-03-01.</p>\n",
    "figure.png": "pixels",
    "weights": "a\0b",
}


def recorded(
    folder: Path,
    *,
    stdout: str = STDOUT,
    code: int = 0,
    files: Mapping[str, str] = FILES,
    work: str = "/tmp/one",
    day: str = "2026-03-01",
    steps: int = 1,
    quick: bool = True,
) -> Path:
    """A made-up recording of a step or two."""
    made = []
    for number in range(steps):
        step = folder / "eight" / f"{number}"
        (step / "files").mkdir(parents=True)
        (step / "stdout").write_text(stdout.replace("/tmp/one", work), "utf-8")
        (step / "stderr").write_text("", "utf-8")
        for name, text in files.items():
            (step / "files" / name).write_text(text, "utf-8")
        kept = {name: not name.endswith(".png") for name in files}
        made.append(Recorded("eight", ["analyze", "--json"], f"eight/{number}", code, 1.5, kept))
    Recording(
        quick=quick,
        sets=["eight"],
        begun=f"{day}T10:00:00+00:00",
        ended=f"{day}T10:05:00+00:00",
        seconds=300.0,
        commit=None,
        roots={"work": work, "checkout": "/home/x/gapsmith", "python": "/home/x/gapsmith/.venv"},
        commands=["analyze"],
        steps=made,
    ).write(folder)
    return folder


def both_ways(tmp_path: Path, **changed: Any) -> Comparison:
    """The comparison of a recording with a changed one; the other way round it has to find as much, with sides exchanged."""
    a, b = recorded(tmp_path / "a"), recorded(tmp_path / "b", **changed)
    there, back = compare(a, b), compare(b, a)
    assert sorted((d.a, d.b) for d in there.differences) == sorted((d.b, d.a) for d in back.differences)
    return there


def with_file(name: str, old: str, new: str, count: int = 1) -> dict[str, Any]:
    assert old in FILES[name]
    return {"files": {**FILES, name: FILES[name].replace(old, new, count)}}


@pytest.mark.parametrize(
    ("changed", "kind", "sides"),
    [
        (with_file("out.json", "-0.4111111111111", "-0.4111111121111"), "json: number mean", ("-0.411", "-0.411")),
        (
            with_file("out.json", '"verdict": "expected"', '"verdict": "opposite"'),
            "json: value verdict",
            ("exp", "opp"),
        ),
        (with_file("out.json", '"n": 40', '"n": 41'), "json: number n", ("40", "41")),
        (with_file("out.json", '"df": 39.0', '"df": 39.000000000000007'), "json: number df", ("39.0", "39.00")),
        (with_file("out.json", '"reason": null', '"reason": "no items"'), "json: value reason", ("", "no items")),
        (with_file("out.json", '"p": 0.00031, ', ""), "json: key p", ("is there", "")),
        (with_file("out.json", '"p": 0.00031', '"p": null'), "json: value p", ("0.00031", "")),
        (with_file("log.jsonl", "too short", "too long"), "jsonl: value reason", ("too short", "too long")),
        (with_file("long.csv", "1.75", "1.7500001"), "csv: number value", ("1.75", "1.7500001")),
        (with_file("long.csv", "mfpg,1.75,40,39.5", "mfpg,1.75,39,39.5"), "csv: value n", ("40", "39")),
        (with_file("long.csv", "1.75,40,39.5", "1.75,40,39.50000000000001"), "csv: number df", ("39.5", "39.5")),
        (with_file("long.csv", "1.75", ""), "csv: value value", ("1.75", "")),
        (with_file("long.csv", "value,n", "values,n"), "csv: the header", ("", "")),
        (with_file("figure.svg", "4.25", "4.25001"), "svg: numbers of a line", ("<path", "<path")),
        (with_file("report.html", "mean -0.41", "mean -0.42"), "html: numbers of a line", ("<p>40", "<p>40")),
        ({"stdout": STDOUT.replace("-0.41", "-0.42")}, "stdout: numbers of a line", ("P1", "P1")),
        ({"stdout": STDOUT.replace("as expected", "opposite", 1)}, "stdout: words of a line", ("P1", "P1")),
        ({"stdout": STDOUT.replace("P4", "note: two\nP4")}, "stdout: a line in B only", ("", "note: two")),
        (
            {"files": {name: text for name, text in FILES.items() if name != "long.csv"}},
            "csv: a file",
            ("is there", ""),
        ),
        (
            {"files": {name: text for name, text in FILES.items() if name != "figure.png"}},
            "png: a file",
            ("is there", ""),
        ),
        ({"code": 1}, "exit code: of a command", ("0", "1")),
        ({"steps": 2}, "a step", ("", "is there")),
    ],
)
def test_a_difference_is_found_and_named(changed: dict[str, Any], kind: str, sides: tuple[str, str], tmp_path: Path) -> None:
    (found,) = both_ways(tmp_path, **changed).differences
    assert found.kind == kind
    assert found.a.startswith(sides[0])
    assert found.b.startswith(sides[1])
    assert "eight: gapsmith analyze --json" in found.step


@pytest.mark.parametrize(
    "changed",
    [
        {},
        with_file("out.json", "-0.4111111111111", "-0.41111111111112"),
        with_file("log.jsonl", "-0.4111111111111", "-0.41111111111112"),
        with_file("long.csv", "1.75", "1.7500000000001"),
        with_file("figure.svg", "4.25", "4.2500000000001"),
        with_file("report.html", "4.25", "4.250001"),
        with_file("figure.svg", "-p6724d1b6d8", "-p8612eacb20"),
        with_file("figure.png", "pixels", "other pixels"),
        with_file("weights", "a", "c"),
        with_file("out.json", "10:11:12.130", "23:59:00.001"),
        with_file("out.json", "0822a24c3b9d84d39341954664d27f00", "11112222333344445555666677778888"),
        with_file("out.json", '"latency_ms": 57', '"latency_ms": 1204'),
        {"stdout": STDOUT.replace("in 0.5 s", "in 12 s")},
        {"stdout": STDOUT.replace("07c8d33951dc", "aaaaaaaaaaaa")},
        {"work": "/tmp/another"},
        {"day": "2027-01-31", **with_file("report.html", "2026-03-01", "2027-01-31")},
    ],
)
def test_what_may_differ_is_alike(changed: dict[str, Any], tmp_path: Path) -> None:
    assert both_ways(tmp_path, **changed).differences == []


def test_rows_in_another_order_are_one_difference(tmp_path: Path) -> None:
    head, *rows = CSV.splitlines(keepends=True)
    swapped = head + "".join([rows[1], rows[0], rows[2]])
    (found,) = both_ways(tmp_path, files={**FILES, "long.csv": swapped}).differences
    assert found.kind == "csv: order of lines"
    assert found.where == "2 from line 2"


def test_a_new_row_does_not_hide_behind_numbers_that_moved(tmp_path: Path) -> None:
    grown = CSV.replace("3.25", "3.5").replace("7.5", "7.75").replace("2,mfpg", "4,other,1.5,40,39.5\n2,mfpg")
    found = both_ways(tmp_path, files={**FILES, "long.csv": grown}).differences
    assert [one.kind for one in found] == ["csv: number value", "csv: a line in B only", "csv: number value"]


def test_tables_that_are_no_text(tmp_path: Path) -> None:
    a, b = recorded(tmp_path / "a"), recorded(tmp_path / "b")
    for folder, value, noise in ((a, 2.5, 1.0), (b, 3.5, 1.0 + 1e-12)):
        files = folder / "eight" / "0" / "files"
        pd.DataFrame({"item": ["1", "2"], "value": [noise, value]}).to_parquet(files / "long.parquet")
        book = openpyxl.Workbook()
        for row in (["item", "value"], ["1", noise], ["2", value]):
            book.worksheets[0].append(row)
        book.save(files / "items.xlsx")
        said = json.loads((folder / "recording.json").read_text("utf-8"))
        said["steps"][0]["files"] |= {"long.parquet": True, "items.xlsx": True}
        (folder / "recording.json").write_text(json.dumps(said), "utf-8")
    found = compare(a, b).differences
    assert [(one.kind, one.a, one.b) for one in found] == [
        ("xlsx: number value", "2.5", "3.5"),
        ("parquet: number value", "2.5", "3.5"),
    ]


def test_differences_are_told_by_kind_with_an_example_and_a_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a = recorded(tmp_path / "a")
    b = recorded(tmp_path / "b", code=2, files={**FILES, "long.csv": CSV.replace(".75", ".5").replace("3.25", "3.5")})
    assert main(["compare", str(a), str(a)]) == 0
    assert "no differences" in capsys.readouterr().out
    assert main(["compare", str(a), str(b)]) == 1
    said = capsys.readouterr().out
    assert "3 differences of 2 kinds" in said
    assert "csv: number value (2)" in said
    assert said.count("column value") == 1
    assert "    A: 3.25\n    B: 3.5" in said
    assert told(compare(a, b), every=True).count("column value") == 2


def test_recordings_of_different_plans_or_unfinished_ones_are_refused(tmp_path: Path) -> None:
    quick, full = recorded(tmp_path / "a"), recorded(tmp_path / "b", quick=False)
    with pytest.raises(CompareError, match="different plans"):
        compare(quick, full)
    (full / "recording.json").unlink()
    with pytest.raises(CompareError, match="not finished"):
        compare(quick, full)
    assert main(["compare", str(quick), str(full)]) == 2


def alike_of(tmp_path: Path) -> Alike:
    recorded(tmp_path / "a")
    said = json.loads((tmp_path / "a" / "recording.json").read_text("utf-8"))
    said.pop("format")
    return Alike(Recording(**said))


@pytest.mark.parametrize(
    "text",
    [
        "P1 -0.41 [-0.31, +0.50] t 8.71 df 39 p .0003 n 40",
        "0.12345678901234567890123456789012 1.2e-05 1.0e+16 12345678901234567890 0.1234567e-05",
        "p = 2.220446049250313e-16, chi2 5544.0, 8,064 items, 62.5% of 40",
        "12 to 26 tokens, between 3.5 and 4, in 12 of 40 items, in 3 samples",
        "Lan et al. 2024; published 2025-11-30; table 4, 10-12, 1/2",
        "3 ms 500 s in 5 min about 7 s 0.20261122191917 20261122191917",
    ],
)
def test_no_number_of_a_result_is_made_alike(text: str, tmp_path: Path) -> None:
    assert alike_of(tmp_path).printed(text) == text


def test_folders_times_ids_and_columns_of_durations_are_made_alike(tmp_path: Path) -> None:
    alike = alike_of(tmp_path)
    assert alike.text("/tmp/one/eight/bank.sqlite: whole") == "<work>/eight/bank.sqlite: whole"
    assert alike.text("in /home/x/gapsmith/a/b/CARD.md.") == "in <checkout>/CARD.md."
    assert alike.text("/home/x/gapsmith/.venv/lib/x.py") == "<python>/x.py"
    assert alike.text("torch 2.13.0+cpu, 127.0.0.1:36191") == "torch <version>, <host>:<port>"
    widths = []
    for duration in ("7", "1204"):
        edge = "━" * (len(duration) + 2)
        box = [f"┏━━━━━━┳{edge}┓", f"┃ kept ┃ {'ms':{len(duration)}} ┃", f"┡━━━━━━╇{edge}┩", f"│ 6    │ {duration} │"]
        widths.append(alike.printed("\n".join([*box, f"└──────┴{edge.replace('━', '─')}┘", "after"])))
    assert widths[0] == widths[1]
    assert "6 │ <duration>" in widths[0]
    plain = "┏━━━━━━┓\n┃ kept ┃\n┡━━━━━━┩\n│ 6    │\n└──────┘"
    assert alike.printed(plain) == plain


HELP = {
    (): "Usage: gapsmith [OPTIONS] COMMAND [ARGS]...\n\nOptions:\n  --help  Help.\n\nJudge:\n  lint   Read items\n         with all rules.\n"
    "\nLook after:\n  runs   Runs.\n",
    ("lint",): "Usage: gapsmith lint [OPTIONS]\n",
    ("runs",): " Usage: gapsmith runs [OPTIONS] COMMAND [ARGS]...\n\n╭─ Options ─╮\n│ --help    │\n╰───────────╯\n"
    "╭─ Commands ─────╮\n│ list  All.     │\n│ show  One,     │\n│       or none. │\n╰────────────────╯\n",
    ("runs", "list"): "Usage: gapsmith runs list [OPTIONS]\n",
    ("runs", "show"): "Usage: gapsmith runs show [OPTIONS]\n",
}


def test_commands_are_walked_through_groups() -> None:
    assert commands_of(HELP.__getitem__) == [("lint",), ("runs", "list"), ("runs", "show")]
    with pytest.raises(WalkError, match="gapsmith runs --help"):
        commands_of({**HELP, ("runs",): "Usage: gapsmith runs COMMAND [ARGS]...\n"}.__getitem__)


@pytest.mark.parametrize(
    ("steps", "exceptions", "message"),
    [
        ([("lint", "--json"), ("runs", "list")], {}, r"no step of the plan records `gapsmith runs show`"),
        ([("lint",), ("runs", "list")], {("runs", "show"): "why", ("web",): "why"}, r"`gapsmith web` is excepted, and"),
        ([("lint",), ("runs", "list"), ("runs", "show", "1"), ("old",)], {}, r"no command of this program: old"),
        ([("lint",), ("runs", "list")], {("runs", "show"): "why", ("lint",): "why"}, r"a step records it"),
    ],
)
def test_a_command_that_is_not_listed_ends_the_recording(
    steps: list[Command], exceptions: dict[Command, str], message: str
) -> None:
    with pytest.raises(WalkError, match=message):
        check_covered(commands_of(HELP.__getitem__), steps, exceptions)


@pytest.mark.parametrize("quick", first_of([True, False]))
def test_every_command_of_the_program_is_recorded_or_excepted(quick: bool, gapsmith: Callable[..., CommandOutcome]) -> None:
    commands = commands_of(lambda command: gapsmith(*command, "--help").out)
    assert len(commands) > 50
    steps = [step.arguments for of_set in plan_of(quick=quick).values() for step in of_set]
    check_covered(commands, steps, exceptions_of(quick=quick))
    for command in commands[:3]:
        with pytest.raises(WalkError, match=" ".join(command)):
            check_covered(commands, [step for step in steps if step[: len(command)] != command], exceptions_of(quick=quick))


def test_a_command_that_moved_is_one_command_in_programs_of_before_and_of_now() -> None:
    before = [("lint",), ("licensing",), ("context", "study"), ("reproduce",)]
    now = [("lint",), ("study", "list"), ("study", "licensing"), ("study", "context")]
    for new, old in (
        (("study", "licensing", "--all"), ("licensing", "--all")),
        (("study", "context"), ("context", "study")),
        (("study", "gaps2025", "--json"), ("reproduce", "gaps2025", "--json")),
        (("lint",), ("lint",)),
    ):
        assert (called_now(old), called_now(new)) == (new, new)
        assert (called_in(before, new), called_in(now, new)) == (old, new)


@pytest.mark.full
def test_two_recordings_of_one_checkout_are_equal(tmp_path: Path) -> None:
    checkout = Path(__file__).resolve().parents[2]
    for name in ("a", "b"):
        record(tmp_path / name, checkout=checkout, python=None, quick=True, only=("alone", "pairs", "suite"))
    comparison = compare(tmp_path / "a", tmp_path / "b")
    assert comparison.differences == [], told(comparison)
    assert comparison.files > 100
