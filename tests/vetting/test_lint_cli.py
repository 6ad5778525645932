"""`gapsmith lint` and `gapsmith rule` as programs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import gapsmith as api
from gapsmith.app.cli.app import app
from gapsmith.bank import NAMING
from gapsmith.templates import FormatError, GapsmithError, load_paradigm
from gapsmith.vetting.rules import RULES, all_pages, load_knowledge, plain
from gapsmith.vetting.rules.reference import reference_text
from gapsmith.vetting.rules.rule_pages import hold_pages, read_pages
from tests.printed import results
from tests.vetting.linting import lint, with_words

_SLOT_ROLE = re.compile(r'role = "(?!frame|filler|gap|punctuation)')
HEADER = "sentence_type,item_id,condition,full_sentence\n"
FOUR = {
    "PFPG": "I know who the story about is likely to enrage soon.",
    "MFPG": "I know that the story about Maria is likely to enrage soon.",
    "PFMG": "I know who the story about is likely to enrage Anna soon.",
    "MFMG": "I know that the story about Maria is likely to enrage Anna soon.",
}


STARRED = FOUR["MFPG"] + " *"
"""With a star behind it; one before it would be a judgement, which an import takes off."""


def run(workspace: Path, *arguments: str) -> Result:
    """Run the program in a workspace."""
    return CliRunner().invoke(app, [*arguments, "--workspace", str(workspace)])


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace with a sound item 7 and an item 8 with a star in one cell and two spaces in another."""
    root = tmp_path / "ws"
    assert CliRunner().invoke(app, ["init", str(root)]).exit_code == 0
    rows = [f"subject_pg,7,{label},{text}\n" for label, text in FOUR.items()]
    flawed = {**FOUR, "MFPG": STARRED, "PFPG": FOUR["PFPG"].replace(" soon", "  soon")}
    rows += [f"subject_pg,8,{label},{text}\n" for label, text in flawed.items()]
    (tmp_path / "four.csv").write_text(HEADER + "".join(rows), encoding="utf-8")
    # The star behind a sentence is meant here, which an import is told by the format.
    imported = run(root, "import", str(tmp_path / "four.csv"), "--paradigm", "subject_pg", "--format", "csv")
    assert imported.exit_code == 0, imported.output
    return root


def test_json_has_one_object_per_finding(workspace: Path) -> None:
    """The imported id as text, the condition, the code, the severity, the message, and the place in the text."""
    result = run(workspace, "lint", "--json", "--fail-on", "never")
    assert result.exit_code == 0
    found = {entry["code"]: entry for entry in results(result.stdout) if entry["severity"] == "error"}
    assert set(found) == {"T031", "T037"}
    star = found["T037"]
    assert (star["item"], star["paradigm"], star["condition"]) == ("8", "subject_pg", "mf_mg1_pg2")
    assert (star["start"], star["end"]) == (len(STARRED) - 2, len(STARRED))
    assert star["message"]
    assert star["remedy"]


@pytest.mark.parametrize(("fail_on", "code"), [("error", 1), ("warning", 1), ("never", 0)])
def test_fail_on(workspace: Path, fail_on: str, code: int) -> None:
    """Exit code 1 where a finding reaches the threshold, 0 where none can."""
    assert run(workspace, "lint", "--fail-on", fail_on).exit_code == code


def test_ignored_rules_do_not_fail(workspace: Path) -> None:
    """Select and ignore take codes and prefixes, several at a time."""
    assert run(workspace, "lint", "--ignore", "T031,T037").exit_code == 0
    assert run(workspace, "lint", "--select", "T02", "--select", "T00").exit_code == 0
    assert run(workspace, "lint", "--select", "T03", "--ignore", "T031").exit_code == 1


def test_an_item_can_be_named(workspace: Path) -> None:
    """Only the named item is read."""
    assert run(workspace, "lint", "7").exit_code == 0
    assert run(workspace, "lint", "8").exit_code == 1


def test_an_unknown_code_is_a_usage_error(workspace: Path) -> None:
    """A misspelt code is not silently an empty selection."""
    result = run(workspace, "lint", "--select", "Q9")
    assert isinstance(result.exception, GapsmithError)
    assert result.exception.exit_code == 2


def test_human_output_groups_by_item_and_counts(workspace: Path) -> None:
    """The item, its findings with codes, and the counts at the end."""
    result = run(workspace, "lint")
    assert "subject_pg item 8" in result.stdout
    assert "item 7" not in result.stdout
    assert "2 items read; 1 without an error or a warning" in result.stdout


@pytest.mark.full
def test_findings_of_a_kind_are_shown_once_and_in_full_on_request(tmp_path: Path) -> None:
    """One example in full, the others named; every code has an example; JSON and --full have all of them."""
    root = tmp_path / "ws"
    assert CliRunner().invoke(app, ["init", str(root)]).exit_code == 0
    made = run(root, "generate", "lan_pg", "-n", "1200", "--seed", "1")
    assert made.exit_code == 0, made.output
    short = run(root, "lint", "--fail-on", "never")
    found = results(run(root, "lint", "--json", "--fail-on", "never").stdout)
    serious = [entry for entry in found if entry["severity"] != "info"]
    assert {entry["code"] for entry in serious} == {"L310", "L311", "L312"}
    for code in ("L310", "L311", "L312"):
        items = {entry["item"] for entry in serious if entry["code"] == code}
        assert f"and {len(items) - 1:,} more items: " in short.stdout
    assert short.stdout.count("lan_pg item ") <= 3
    assert f"{len(found) - len(serious):,} findings are below warning and only counted above" in short.stderr
    full = run(root, "lint", "--full", "--fail-on", "never")
    assert full.stdout.count("lan_pg item ") == len({entry["item"] for entry in serious})
    assert "more items" not in full.stdout


def test_the_summary_counts_warnings_about_the_set(tmp_path: Path) -> None:
    """Items without a finding, and beside them what is said of the set alone."""
    root = tmp_path / "ws"
    assert CliRunner().invoke(app, ["init", str(root)]).exit_code == 0
    rows = [f"subject_pg,{number},{label},{text}\n" for number in range(1, 13) for label, text in FOUR.items()]
    (tmp_path / "alike.csv").write_text(HEADER + "".join(rows), encoding="utf-8")
    assert run(root, "import", str(tmp_path / "alike.csv"), "--paradigm", "subject_pg", "--format", "csv").exit_code == 0
    found = results(run(root, "lint", "--json").stdout)
    warnings = sum(entry["severity"] == "warning" for entry in found if entry["item"] is None)
    assert warnings
    said = f"12 items read; 1 without an error or a warning; {warnings} warning{'s' if warnings > 1 else ''} about the set"
    assert said in run(root, "lint").stdout


def test_words_in_no_list_are_named_with_what_follows(tmp_path: Path) -> None:
    root = tmp_path / "ws"
    assert CliRunner().invoke(app, ["init", str(root)]).exit_code == 0
    rows = [f"subject_pg,7,{label},{text}\n" for label, text in FOUR.items()]
    rows += [f"subject_pg,8,{label},{text.replace(' soon', ' glimly')}\n" for label, text in FOUR.items()]
    (tmp_path / "two.csv").write_text(HEADER + "".join(rows), encoding="utf-8")
    assert run(root, "import", str(tmp_path / "two.csv"), "--paradigm", "subject_pg", "--format", "csv").exit_code == 0
    said = "1 word in 1 item is in no list: glimly. A rule that goes by what a word is guesses the word, or says nothing of it"
    page = tmp_path / "page.html"
    assert f"{said}." in " ".join(CliRunner().invoke(app, ["audit", str(tmp_path / "two.csv"), "-o", str(page)]).stderr.split())
    assert f"{said}." in page.read_text(encoding="utf-8")
    said += ";"
    assert said in " ".join(run(root, "lint").stdout.split())
    with api.open_workspace(root) as study:
        linted = api.lint(study)
        assert said in linted.in_no_list
        assert [found.code for found in linted] == [found.code for found in linted.findings]
        assert ("8", "L702") in {(found.item, found.code) for found in linted}
        assert len(linted) == len(linted.findings)
        assert linted[0] == linted.findings[0]
        for found, row in zip(linted, linted.as_data(), strict=True):
            own = {name: value for name, value in row.items() if name not in NAMING}
            assert {name: getattr(found, name) or None for name in own} == {name: value or None for name, value in own.items()}
        assert api.lint(study, items=["7"]).in_no_list == ""


def test_words_are_looked_at_where_no_slot_has_a_role(tmp_path: Path) -> None:
    """L rules go by the roles of slots; where none has any, by what the sentences show, and it is said what they looked at."""
    root = tmp_path / "ws"
    assert CliRunner().invoke(app, ["init", str(root)]).exit_code == 0
    text = Path(load_paradigm("subject_pg").path).read_text(encoding="utf-8")
    bare = "\n".join(line for line in text.splitlines() if not _SLOT_ROLE.match(line)).replace("subject_pg", "roleless")
    (root / "paradigms").mkdir(exist_ok=True)
    (root / "paradigms" / "roleless.toml").write_text(bare, encoding="utf-8")
    for name in ("roleless", "subject_pg"):
        made = run(root, "generate", name, "-n", "3", "--seed", "1")
        assert made.exit_code == 0, made.output
    for name in ("roleless", "subject_pg"):
        said = " ".join(run(root, "lint", "-p", name).stdout.split())
        assert "looked at 3 items: matrix frames in 3" in said
        assert "verbs before gaps in 3" in said
        assert "on words apply to these items, the others to what none has" in said
    assert "looked at nothing: no rule on words was asked" in run(root, "lint", "--select", "T").stdout


def test_an_item_whose_words_could_not_be_read_is_named(tmp_path: Path) -> None:
    """As a remark, and beside the items without an error; where no word of any item was looked at, that is said first."""
    root = tmp_path / "ws"
    assert CliRunner().invoke(app, ["init", str(root)]).exit_code == 0
    sentences = "1,a,I heard who the accident cost.\n1,b,I heard that the accident cost Mary.\n"
    (tmp_path / "two.csv").write_text(f"item,condition,sentence\n{sentences}2,a,He ate.\n2,b,\n", encoding="utf-8")
    (tmp_path / "one.csv").write_text("item,condition,sentence\n1,x,I heard it.\n2,x,He slept.\n", encoding="utf-8")
    for name in ("two.csv", "one.csv"):
        brought = run(root, "import", str(tmp_path / name), "--own-paradigm")
        assert brought.exit_code == 0, brought.output
    said = " ".join(run(root, "lint", "-p", "two", "--level", "info").stdout.split())
    assert "T013 the parser does not tell which verb or preposition a gap belongs to" in said
    assert "(item 1)" in said
    lines = [" ".join(line.split()) for line in run(root, "lint", "-p", "one").stdout.splitlines() if line.strip()]
    assert lines[0].startswith("looked at no words in 2 items, since it has one sentence only")
    assert lines[-1].endswith("2 without an error or a warning; of these 2, 2 not looked at for words, or not for all of them")


def test_fix(workspace: Path) -> None:
    """The double space is mended, the star is not."""
    result = run(workspace, "lint", "--fix", "--json")
    assert {e["code"] for e in results(result.stdout) if e["severity"] == "error"} == {"T037"}


def test_rule_lists_all_and_explains_each() -> None:
    """Every rule has a page with a reason and a remedy, and every page has a rule."""
    assert set(all_pages()) == set(RULES)
    rows = load_knowledge().rows
    extending = (Path(__file__).parents[2] / "docs" / "extending.md").read_text(encoding="utf-8")
    assert f"Of our {len(RULES)} codes {len(rows)} are rows" in " ".join(extending.split())
    listed = results(CliRunner().invoke(app, ["rule", "--json"]).stdout)
    assert [entry["code"] for entry in listed] == sorted(RULES)
    assert "John's talking" in CliRunner().invoke(app, ["rule", "L310"]).stdout


_PAGE = """[L101]
title = "One"
summary = "It finds one."
bad = ["*Two"]
good = ["One"]
reason = "What an item shows is then another thing than what its conditions say that it shows."
remedy = "Take another."
literature = []
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('title = "One"\n', "", "title is lacking"),
        ("remedy", "remody", "there is no 'remody'"),
        ("It finds one.", "It finds one", "summary is no sentence with a full stop"),
        ("than what its conditions say that it shows", "", "reason has 42 characters"),
        ('["One"]', '"One"', "good is no list of texts"),
        ("[L101]", "L101 = 1", "L101]: it is no table"),
        ("[L101]", "[L101", "L1.toml: not TOML"),
    ],
)
def test_a_page_that_lacks_something_is_refused_in_a_sentence(tmp_path: Path, old: str, new: str, said: str) -> None:
    """By file and code, with what a page is made of."""
    file = tmp_path / "L1.toml"
    file.write_text(_PAGE, encoding="utf-8")
    assert read_pages(tmp_path)["L101"].title == "One"
    hold_pages(read_pages(tmp_path), {"L101"}, {"L101"})
    for codes, rows, why in (((), (), "no rule"), (("L101", "L102"), ("L101",), "no page"), (("L101",), (), "`computes`")):
        with pytest.raises(FormatError, match=why):
            hold_pages(read_pages(tmp_path), codes, rows)
    text = _PAGE.split("title")[0].replace(old, new) if "L101" in old and "1 = " in new else _PAGE.replace(old, new)
    file.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError) as error:
        read_pages(tmp_path)
    assert said in str(error.value)
    assert "L1.toml" in error.value.message


def test_rule_pages_print_no_emphasis_as_stars() -> None:
    """A star before a word means that it is bad: only flagged examples have one, and a status named by itself."""
    for code, entry in all_pages().items():
        shown = CliRunner().invoke(app, ["rule", code]).stdout
        stars = sum(text.count("*") for text in (*entry.bad, *entry.good))
        assert shown.count("*") == stars + entry.remedy.count(" * "), code
    assert plain("*Fear* and *be glad* rather than * here") == "‘Fear’ and ‘be glad’ rather than * here"
    assert plain("*I know that soon.") == "*I know that soon."
    assert "who" in CliRunner().invoke(app, ["rule", "L101"]).stdout


def test_a_rule_with_two_severities_says_so() -> None:
    """*Today* is a warning of a rule whose findings are errors otherwise."""
    (finding,) = lint(with_words(verb="postpone", adverb="today"), "L601")
    assert finding.severity == "warning"
    assert RULES["L601"].severity == "error"
    assert "(error; warning for days and times of day after a verb" in CliRunner().invoke(app, ["rule", "L601"]).stdout


def test_the_reference_page_is_what_the_rules_say() -> None:
    """`python -m gapsmith.vetting.rules.reference docs/rules-reference.md` has been run since the last change."""
    written = Path(__file__).parents[2] / "docs" / "rules-reference.md"
    assert written.read_text(encoding="utf-8") == reference_text()


def test_rules_in_the_settings(workspace: Path) -> None:
    """A table in gapsmith.toml; what it says of no rule, or what no severity is, is named with the file."""
    settings = workspace / "gapsmith.toml"
    before = settings.read_text(encoding="utf-8")
    settings.write_text(before + '\n[rules]\nT031 = "off"\nT037 = "info"\n', encoding="utf-8")
    result = run(workspace, "lint", "--json")
    assert result.exit_code == 0, result.output
    assert {e["code"]: e["severity"] for e in results(result.stdout) if e["code"][0] == "T"} == {"T037": "info"}
    settings.write_text(before + '\n[rules]\nX9 = "off"\n', encoding="utf-8")
    assert "no rule has a code that starts with 'X9'" in str(run(workspace, "lint").exception)
    settings.write_text(before + '\n[rules]\nT031 = "never"\n', encoding="utf-8")
    assert "T031 = 'never'" in str(run(workspace, "lint").exception)
