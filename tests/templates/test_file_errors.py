"""A broken paradigm file is told of in its own language: line, table, key, what can stand there, and what was meant."""

from __future__ import annotations

import copy
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gapsmith.templates import ParadigmError, file_errors, load_paradigm, paradigm_files, parse_paradigm
from gapsmith.templates.schema import ParadigmFile
from gapsmith.templates.spelling import did_you_mean, nearest, those_there_are
from gapsmith.templates.toml_places import key_lines, line_of, place_shown

PG = paradigm_files()["subject_pg"].read_text(encoding="utf-8")
FILES = sorted(path.read_text(encoding="utf-8") for path in paradigm_files().values())

_LIBRARY = re.compile(
    r"Field required|Input should|[Ee]xtra inputs|pydantic|valid(ation| string| integer| list| dictionary)|Value error|"
    r"should match pattern|should have at|literal\[|dict\[|type=|unable to parse|ensure this",
)
"""What a reader of TOML should never have to read."""


def _wrong(old: str, new: str, text: str = PG) -> ParadigmError:
    assert old in text
    with pytest.raises(ParadigmError) as caught:
        parse_paradigm(text.replace(old, new, 1), path="mine.toml")
    return caught.value


def _line(fragment: str, text: str = PG) -> int:
    return text[: text.index(fragment)].count("\n") + 1


@pytest.mark.parametrize(
    ("old", "new", "message", "hint"),
    [
        ('text = "{linker}"\n', "", "line {gap}: `regions.linker` has no `text`", 'items = "given"'),
        ('text = "{linker}"', 'txt = "{linker}"', "[regions.linker] has no key `txt`", "Did you mean text?"),
        ("version = 1", 'version = "one"', 'line 6: `version` is "one"; it has to be a whole number', ""),
        ("version = 1", "version = 0", "line 6: `version` is 0; it has to be 1 or more", ""),
        ('name = "subject_pg"\n', "", "mine.toml: `name` is missing", ""),
        ('name = "subject_pg"', 'name = "Subject-PG"', "small letters, digits and _, a letter first", ""),
        ('items = "sampled"', 'items = "sample"', 'has to be "sampled", "exhaustive" or "given"', ""),
        ('levels = { pf = "+F", mf = "-F" }', 'levels = { pf = "+F" }', "`levels` in [factors.filler] needs at least 2", ""),
        ('levels = { pf = "+F", mf = "-F" }', "levels = 3", "is 3; it has to be a table", ""),
        ('conditions = "all"', 'conditions = "al"', '`conditions` in [designs.full8] is "al"; it has to be "all", or', ""),
        ('role = "gap"', 'role = "hole"', "`regions.gap1.role`: there is no role 'hole'", "Roles: frame, filler, gap."),
        ('role = "gap"', 'role = "verb"', "no role 'verb' of regions; give it to the slot", "Roles: frame, filler, gap."),
        ("[slots.verb]\n", "[slots.verb]\nmax_word = 2\n", "[slots.verb] has no key `max_word`", "Did you mean max_words?"),
        ("[factors.gap1]", "[factor.gap1]", "line 19: a paradigm file has no key `factor`", "Did you mean factors?"),
        ('final_punctuation = "."', 'final_punctuation = "....."', "it has 3 characters at most", ""),
        ('["name1", "name2"]', '["name1", "nam2"]', "`constraints.1.distinct`: there is no slot 'nam2'", "Did you mean name2?"),
        ('mg2 = "gap2"', 'mg2 = "gapp2"', "`critical`: there is no region 'gapp2'", "Did you mean gap2?"),
        ("version = 1", "version = ", "mine.toml, line 6: not valid TOML: invalid value, at character 11", "quotes"),
        ("- mf_pg1_pg2", "- mf_pg1_pg3", "no condition 'mf_pg1_pg3'", "Did you mean mf_pg1_pg2?"),
        ('design = "full8"', 'design = "ful8"', "there is no design 'ful8'", "Did you mean full8?"),
    ],
)
def test_what_is_wrong_is_said_with_its_line_and_what_was_meant(old: str, new: str, message: str, hint: str) -> None:
    error = _wrong(old, new)
    assert message.replace("{gap}", str(_line('[[regions]]\nname = "linker"'))) in error.message
    assert hint in error.hint
    assert error.message.startswith("mine.toml")
    assert not _LIBRARY.search(error.message)


@pytest.mark.parametrize(
    ("old", "new", "at"),
    [
        ('when = { pf = "who", mf = "that" }', 'when = { pf = "who" }', '[[regions]]\nname = "filler"'),
        ('pf_pg1_pg2 = "ok"', 'pf_pg1_pg2 = "fine"', 'pf_pg1_pg2 = "ok"'),
        ('formula = "pf_pg1_pg2 - mf_pg1_pg2"', 'formula = "pf_pg1_pg2 -"', 'formula = "pf_pg1_pg2 - mf_pg1_pg2"'),
        ('offered_by = "noun.preposition"', 'offered_by = "nuon.preposition"', 'offered_by = "noun.preposition"'),
        ('role = "noun"', 'role = "nuon"', 'role = "noun"'),
    ],
)
def test_the_line_is_that_of_the_key_or_of_its_table(old: str, new: str, at: str) -> None:
    assert f"mine.toml, line {_line(at)}: " in _wrong(old, new).message


def test_several_faults_are_told_in_the_order_of_the_file() -> None:
    error = _wrong('title = "', 'titel = "', PG.replace("version = 1", "version = 'one'"))
    told = error.message
    assert told.index("`title` is missing") < told.index("no key `titel`") < told.index("line 6: `version` is")


_VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.text(max_size=5),
    st.just([]),
    st.just({}),
    st.just([1]),
    st.just({"x": 1}),
    st.just([{}]),
    st.just({"x": {"y": []}}),
)


@pytest.mark.parametrize("examples", [15, pytest.param(400, marks=pytest.mark.full)])
def test_whatever_stands_in_a_file_no_library_speaks(examples: int) -> None:
    """Any key of the file is given another value, another name, or taken out."""
    settings(max_examples=examples, deadline=None)(given(st.data())(_no_library_speaks))()


def _no_library_speaks(data: st.DataObject) -> None:
    content: dict[str, Any] = copy.deepcopy(tomllib.loads(PG))
    here: Any = content
    while True:
        keys = list(here) if isinstance(here, dict) else list(range(len(here)))
        key = data.draw(st.sampled_from(keys))
        inside = here[key]
        if not isinstance(inside, dict | list) or not inside or data.draw(st.booleans()):
            break
        here = inside
    how = data.draw(st.sampled_from(["value", "name", "out"]))
    if how == "value":
        value = data.draw(_VALUES)
        here[key] = "x" if value is None else value
    elif how == "name" and isinstance(here, dict):
        here[data.draw(st.text("abc_XY-", min_size=1, max_size=4))] = here.pop(key)
    else:
        del here[key]
    said = _said(_toml(content))
    assert not _LIBRARY.search(said)
    assert not said or said.startswith("paradigm")


def _refused(text: str) -> ParadigmError | None:
    """The error of a text; None where it loads."""
    try:
        parse_paradigm(text)
    except ParadigmError as error:
        return error
    return None


def _said(text: str) -> str:
    """What is said of a text; empty where it loads."""
    refused = _refused(text)
    return "" if refused is None else refused.message


def _toml(table: dict[str, Any]) -> str:
    """Every top key with its value in one line."""
    return "\n".join(f"{json.dumps(key)} = {_value(value)}" for key, value in table.items())


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_value(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value).replace("\x7f", "\\u007f")


def test_lines_of_keys_are_found_in_any_way_of_writing() -> None:
    text = 'a = 1\nb."c d" = """\nx = 2\n[no.table]\n"""\n[t]\nk = "[u]"\n[[l]]\nname = "one"\n'
    text += "[l.s]\nz = 1\n[[l]]\nname = 3\n[u.v.w]\n"
    lines = key_lines(text)
    assert lines[("b", "c d")] == 2
    assert ("no", "table") not in lines
    assert (lines[("t", "k")], lines[("l", 0)], lines[("l", 0, "s", "z")], lines[("l", 1, "name")]) == (7, 8, 11, 13)
    assert (lines[("u",)], lines[("u", "v", "w")]) == (14, 14)
    assert line_of(("t", "missing"), lines) == 6
    assert line_of(("nothing",), lines) is None
    assert [place_shown(p, tomllib.loads(text)) for p in (("l", 0), ("l", 1), ("b", "c d"))] == [
        "[l.one]",
        "[l.2]",
        "[b.'c d']",
    ]


def test_brackets_without_end_are_no_traceback(tmp_path: Path) -> None:
    path = tmp_path / "deep.toml"
    path.write_text(f"x = {'[' * 100_000}", encoding="utf-8")
    with pytest.raises(ParadigmError, match="not valid TOML"):
        load_paradigm(str(path))


def test_a_near_name_is_guessed_whatever_its_case_and_a_far_one_is_not() -> None:
    assert nearest("Regoins", ["regions", "designs"]) == "regions"
    assert did_you_mean("PREFERED", ["Preferred"]) == "Did you mean Preferred? "
    assert did_you_mean("zzz", ["regions"]) == ""
    assert those_there_are("Regions", "gpa", ["gap", "verb"]) == "Did you mean gap? Regions: gap, verb"


def _mended(text: str, hint: str) -> str:
    """A file's text with the lines in place that a hint says can stand there."""
    lines = text.splitlines()
    for number, line in re.findall(r"^Line (\d+) can read:\n  (.*)$", hint, re.MULTILINE):
        lines[int(number) - 1] = line
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('text = "{linker}"', 'txt = "{linker}"'),
        ("[slots.verb]\n", "[slots.verb]\nmax_wrds = 1\n"),
        ('final_punctuation = "."', "final_punctuation = 1"),
        ('title = "', "title = 2 # "),
        ('items = "sampled"', "items = sampled  # from lists"),
        ("[factors.gap1]", "[factor.gap1]"),
        ('["name1", "name2"]', '["name1", "nam2"]'),
        ('mg2 = "gap2"', 'mg2 = "gapp2"'),
        ('text = "{linker}"', 'text = "{linkr}"'),
        ('pf_pg1_pg2 = "', 'pf-pg1-pg2 = "'),
        ("version = 1", "version = True"),
        ('title = "', "title = C:\\dir # "),
        ('levels = { pf = "+F", mf = "-F" }', 'levels = { pf = 1, mf = "-F" }'),
        ('words = ["the"]', 'words = "the, \\"a\\""'),
        ('formula = "pf_pg1_pg2 - mf_pg1_pg2"', 'formula = "pf_pg1_pg2@verbb - mf_pg1_pg2@verbb"'),
        ('when = { pf = "who", mf = "that" }', 'when = { pff = "who", mf = "that" }'),
    ],
)
def test_the_lines_that_a_refusal_shows_mend_the_file(old: str, new: str) -> None:
    text = PG.replace(old, new, 1)
    assert text != PG
    with pytest.raises(ParadigmError) as refused:
        parse_paradigm(text, path="mine.toml")
    parse_paradigm(_mended(text, refused.value.hint), path="mine.toml")


@pytest.mark.parametrize("examples", [12, pytest.param(600, marks=pytest.mark.full)])
def test_shown_lines_mend_what_they_are_shown_for_in_any_file(examples: int) -> None:
    settings(max_examples=examples, deadline=None)(given(st.data())(_shown_lines_mend))()


def _shown_lines_mend(data: st.DataObject) -> None:
    """A slip of the hand in any line of a shipped paradigm: a letter of a word, a quote, a word for a number, a number for a word."""
    text = data.draw(st.sampled_from(FILES))
    lines = text.splitlines()
    at = data.draw(st.sampled_from([n for n, line in enumerate(lines) if line.strip() and not line.startswith("#")]))
    line = lines[at]
    places = [m.span() for m in re.finditer(r"\w+", line)]
    start, end = data.draw(st.sampled_from(places or [(0, len(line))]))
    word = line[start:end]
    slip = data.draw(st.sampled_from(["less", "more", "number", "bare", "quoted"]))
    new = {"less": word[:-1] or "x", "more": f"{word}{word[-1:]}", "number": "7", "bare": word, "quoted": f'"{word}"'}[slip]
    lines[at] = f"{line[:start]}{new}{line[end:]}" if slip != "bare" else line.replace('"', "")
    broken = "\n".join(lines)
    refused = _refused(broken)
    if refused is not None and (number := re.search(r"Line (\d+) can read", refused.hint)):
        mended = _mended(broken, refused.hint)
        assert mended != broken
        left = _said(mended)
        assert left != refused.message
        assert f"line {number[1]}:" not in left


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("version = 1", "version = tru"),
        ("version = 1", "version = 1,5"),
        ("version = 1", "version = 2020-13-45"),
        ('final_punctuation = "."', "final_punctuation = true"),
        ('name = "subject_pg"', "name = 12"),
        ('words = ["the"]', 'words = """the\na"""'),
        ("max_words = 4", 'max_words = "four"'),
    ],
)
def test_no_line_is_shown_that_would_not_do(old: str, new: str) -> None:
    assert "can read" not in _wrong(old, new).hint


def test_single_brackets_in_the_place_of_double_ones_are_named() -> None:
    assert _wrong("[[contrasts]]", "[contrasts]").hint.startswith("There are several contrasts: each begins with [[contrasts]]")
    first, _, _ = PG.partition("[[contrasts]]")
    error = _wrong("[[constraints]]", "[constraints]", first.replace("[[constraints]]", "", first.count("[[constraints]]") - 1))
    assert "[[constraints]], in double brackets" in error.message + error.hint


def test_what_files_call_a_condition_is_no_name_for_formulas() -> None:
    text = paradigm_files()["agreement_pp"].read_text(encoding="utf-8")
    text = text.replace('conditions = { right = "right", wrong = "wrong" }', 'conditions = { good = "right", wrong = "wrong" }')
    error = _wrong('formula = "right@sentence', 'formula = "good@sentence', text)
    assert "has no condition 'good': that is what files call 'right'" in error.message
    parse_paradigm(_mended(text.replace('formula = "right@sentence', 'formula = "good@sentence', 1), error.hint))


def test_a_status_that_no_condition_has_is_no_status() -> None:
    text = paradigm_files()["agreement_pp"].read_text(encoding="utf-8")
    error = _wrong('[status]\nright = "ok"\n', '[status]\nright = "ok"\nwrnog = "?"\n', text)
    assert "`status`: 'wrnog' is no level" in error.message
    assert "Did you mean wrong?" in error.hint


def test_every_pattern_of_a_paradigm_file_is_told_in_words() -> None:
    patterns = re.findall(r'"pattern": "((?:[^"\\\\]|\\\\.)*)"', json.dumps(ParadigmFile.model_json_schema()))
    assert patterns
    assert {json.loads(f'"{pattern}"') for pattern in patterns} <= set(file_errors._WHAT)


@pytest.mark.parametrize("end", ["\nname = [\n", '\ntitle = """\n', "\nx = \n\n", "\nx =", '\nx = "\n', "\r\nx = {"])
def test_a_file_that_breaks_off_is_no_traceback(end: str) -> None:
    assert "not valid TOML" in _said(f"version = 1{end}")


def test_a_table_of_a_list_is_shown_as_one() -> None:
    assert "It can read:\n  [[contrasts]]\n  name =" in _wrong('expected = "', 'text = "').hint
    lacking = _wrong('when = { pf = "who", mf = "that" }', "when = { pf = 'so \"who\"' }").hint
    assert 'when = { pf = "so \\"who\\"", mf = "…" }' in lacking


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        ('name = "subject_pg"\n', "", 'name = "…"'),
        ("[slots.verb]\n", '[slots.more]\nwords = ["a"]\n\n[slots.verb]\n', '[slots.more]\n  description = "…"'),
        ('text = "{linker}"\n', "", '[[regions]]\n  name = "linker"\n  text = "…"'),
        ('text = "{linker}"', 'text = "{linker} {elsewhere}"', '[slots.elsewhere]\n  description = "…"\n  words = ["…", "…"]'),
    ],
)
def test_lines_that_lack_are_shown(old: str, new: str, lines: str) -> None:
    assert f"It can read:\n  {lines}" in _wrong(old, new).hint


def test_a_name_is_not_put_where_it_stands_already() -> None:
    shown = _wrong('text = "{linker}"', 'text = "{linker} {linkers}"').hint
    assert "{linker} {linker}" not in shown
    assert "[slots.linkers]" in shown
