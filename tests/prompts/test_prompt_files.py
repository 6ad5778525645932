"""Prompt files: finding, copying, overriding, rendering."""

from __future__ import annotations

from pathlib import Path

import pytest

from prompts import Mode, PromptError, copy_prompt, find_prompt, list_prompts, load_prompt_file, prompt_context
from prompts import render_prompt as render
from templates import Paradigm
from tests.prompts.write_golden import CASES, FOLDER, rendered


def _write(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("case", CASES, ids=lambda case: ".".join(part for part in case if part))
def test_every_shipped_prompt_renders_as_its_golden_file(case: tuple[str, str, str]) -> None:
    golden = (FOLDER / f"{'.'.join(part for part in case if part)}.txt").read_text(encoding="utf-8")
    assert rendered(*case) == golden, "if the change is meant: python -m tests.prompts.write_golden"


def test_every_shipped_prompt_has_a_golden_file_for_each_mode() -> None:
    assert {prompt.label for prompt in list_prompts()} == {case[0] for case in CASES}


def test_a_name_without_version_means_the_highest_one(tmp_path: Path) -> None:
    header = "{# mode: slots — mine #}\n"
    _write(tmp_path / "prompts", "mine.v2.jinja", header + "two")
    _write(tmp_path / "prompts", "mine.v10.jinja", header + "ten")
    assert find_prompt("mine", tmp_path).version == 10
    assert find_prompt("mine.v2", tmp_path).version == 2


def test_a_copy_in_the_workspace_takes_the_place_of_the_shipped_prompt(tmp_path: Path) -> None:
    original = find_prompt("slots")
    copied = copy_prompt(original, tmp_path / "prompts")
    assert find_prompt("slots", tmp_path).path == copied
    assert find_prompt("slots", tmp_path).hash == original.hash
    copied.write_text(copied.read_text(encoding="utf-8") + "\nBe brief.", encoding="utf-8")
    changed = find_prompt("slots", tmp_path)
    assert changed.label == original.label
    assert changed.hash != original.hash
    assert not changed.shipped


def test_copying_never_writes_over_a_file(tmp_path: Path) -> None:
    copy_prompt(find_prompt("slots"), tmp_path)
    with pytest.raises(PromptError, match="is there already"):
        copy_prompt(find_prompt("slots"), tmp_path)


def test_a_copy_may_have_a_name_of_its_own_but_only_a_proper_one(tmp_path: Path) -> None:
    assert copy_prompt(find_prompt("slots"), tmp_path / "kind.v3.jinja").name == "kind.v3.jinja"
    with pytest.raises(PromptError, match=r"NAME\.vN\.jinja"):
        copy_prompt(find_prompt("slots"), tmp_path / "kind.txt")


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("x.v1.jinja", "no header", "does not say what it asks for"),
        ("x.v1.jinja", "{# mode: poems — x #}\n", "mode 'poems'"),
        ("x.jinja", "{# mode: slots — x #}\n", r"NAME\.vN\.jinja"),
    ],
)
def test_a_malformed_file_is_refused_with_what_is_wrong(tmp_path: Path, name: str, text: str, complaint: str) -> None:
    with pytest.raises(PromptError, match=complaint):
        load_prompt_file(_write(tmp_path, name, text))


def test_an_unknown_prompt_is_met_with_the_known_ones() -> None:
    with pytest.raises(PromptError) as caught:
        find_prompt("slot")
    assert "Did you mean slots" in caught.value.hint


def test_a_missing_variable_is_an_error_that_names_all_of_them(tmp_path: Path, subject_pg: Paradigm) -> None:
    path = _write(tmp_path, "x.v1.jinja", "{# mode: slots — x #}\n{{ colour }} {{ n }} {{ shape }}")
    with pytest.raises(PromptError, match="colour, shape"):
        render(load_prompt_file(path), prompt_context(subject_pg, n=1, mode=Mode.SLOTS))


def test_a_missing_attribute_is_an_error_too(tmp_path: Path, subject_pg: Paradigm) -> None:
    path = _write(tmp_path, "x.v1.jinja", "{# mode: slots — x #}\n{{ paradigm.colour }}")
    with pytest.raises(PromptError, match="colour"):
        render(load_prompt_file(path), prompt_context(subject_pg, n=1, mode=Mode.SLOTS))


def test_a_syntax_error_names_the_line(tmp_path: Path, subject_pg: Paradigm) -> None:
    path = _write(tmp_path, "x.v1.jinja", "{# mode: slots — x #}\nfine\n{% if %}")
    with pytest.raises(PromptError, match="line 3"):
        render(load_prompt_file(path), prompt_context(subject_pg, n=1, mode=Mode.SLOTS))


def test_a_prompt_file_cannot_reach_into_python(tmp_path: Path, subject_pg: Paradigm) -> None:
    path = _write(tmp_path, "x.v1.jinja", "{# mode: slots — x #}\n{{ ''.__class__.__mro__[1].__subclasses__() }}")
    with pytest.raises(PromptError):
        render(load_prompt_file(path), prompt_context(subject_pg, n=1, mode=Mode.SLOTS))


def test_the_context_says_which_cells_are_bad_and_gives_closed_classes(subject_pg: Paradigm) -> None:
    context = prompt_context(subject_pg, n=4, mode=Mode.SENTENCES, design="lan2x2")
    assert [cell["label"] for cell in context["cells"]] == ["PFPG", "MFPG", "PFMG", "MFMG"]
    assert [cell["status"] for cell in context["cells"]] == ["ok", "*", "*", "ok"]
    assert {slot["name"]: slot["closed"] for slot in context["slots"]}["preposition"] == ["about", "of"]
    assert context["cells"][0]["example"] == "I know who the story about is likely to amuse soon."


HOSTILE = {
    "for ever": (
        "{% for a in range(99999) %}{% for b in range(99999) %}{% for c in range(99999) %}{% endfor %}{% endfor %}{% endfor %}",
        "no end",
    ),
    "much memory": ("{% set x = 'a' * 3000000000 %}{{ n }}", "MemoryError|more memory"),
    "long text": ("{% for a in range(90000) %}a long line of many words{% endfor %}", "characters, of at most"),
    "a power": ("{{ 9 ** (9 ** 9) }}", "no end|memory|Memory"),
    "a wrong type": ("{{ 1 + 'a' }}", "TypeError"),
    "no number": ("{{ paradigm / 2 }}", "TypeError"),
    "division": ("{{ 1 / 0 }}", "ZeroDivisionError"),
    "itself": ("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", "RecursionError"),
    "a way out": ("{{ ''.__class__.__mro__ }}", "unsafe"),
    "a bad filter": ("{{ n | nosuch }}", "nosuch"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_prompt_file_ends_in_a_message_and_the_next_one_works(
    name: str, tmp_path: Path, subject_pg: Paradigm, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("prompts.rendering.TIME_LIMIT_S", 6.0)
    text, complaint = HOSTILE[name]
    context = prompt_context(subject_pg, n=3, mode=Mode.SLOTS)
    bad, good = tmp_path / "bad.v1.jinja", tmp_path / "good.v1.jinja"
    bad.write_text(f"{{# mode: slots — x #}}\n{text}", encoding="utf-8")
    good.write_text("{# mode: slots — x #}\nexactly {{ n }} of „{{ paradigm.name }}“", encoding="utf-8")
    with pytest.raises(PromptError, match=complaint) as caught:
        render(load_prompt_file(bad), context)
    assert str(bad) in caught.value.message
    assert render(load_prompt_file(good), context) == "exactly 3 of „subject_pg“\n"
