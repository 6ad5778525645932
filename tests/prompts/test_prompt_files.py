"""Prompt files: finding, copying, overriding, rendering."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from gapsmith.bank import Bank, ItemFilter
from gapsmith.prompts import (
    Ending,
    Mode,
    Order,
    PromptError,
    compare_runs,
    copy_prompt,
    default_prompt,
    find_prompt,
    list_prompts,
    load_prompt_file,
    prompt_context,
    run_yield,
)
from gapsmith.prompts import render_prompt as render
from gapsmith.prompts.fake import FakeServer
from gapsmith.templates import Paradigm, load_paradigm, text_sha256
from gapsmith.templates.errors import ConfigError, FormatError
from gapsmith.templates.lexicon import lexicon_for
from gapsmith.vetting.lint_run import lint_bank
from gapsmith.vetting.rules import load_knowledge
from tests.prompts.generating import generate, stored
from tests.prompts.write_golden import CASES, FOLDER, OWN, rendered


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


@pytest.mark.parametrize("name", OWN)
def test_a_paradigm_with_a_prompt_of_its_own_gets_it(name: str, tmp_path: Path) -> None:
    label = f"{name}.v{2 if name == 'tough' else 1}"
    assert default_prompt(name, Mode.SLOTS).label == label
    assert default_prompt(name, Mode.SENTENCES).name == "sentences"
    # One of that name for something else is none of it.
    _write(tmp_path / "prompts", f"{name}.v9.jinja", "{# mode: slots; paradigm: lan_pg — x #}\n")
    assert default_prompt(name, Mode.SLOTS, tmp_path).label == label


def test_what_is_sent_without_a_prompt_being_named(bank: Bank) -> None:
    for name, label in (("atb", "atb.v1"), ("lan_pg", "slots.v2")):
        paradigm = load_paradigm(name)
        with FakeServer(paradigm) as fake:
            outcome = generate(Order(paradigm, provider="openai", n=1, timeout_s=20.0), bank, fake)
        assert outcome.run.prompt_name == label


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


FOUR = """subject_pg,1,PFPG,I know who the story about is likely to amuse soon.
subject_pg,1,MFPG,I know that the story about Mary is likely to amuse soon.
subject_pg,1,PFMG,I know who the story about is likely to amuse Anna soon.
subject_pg,1,MFMG,I know that the story about Mary is likely to amuse Anna soon.
"""


def test_the_published_choices_are_all_in_the_prompt_and_their_answer_comes_in(bank: Bank) -> None:
    paradigm = load_paradigm("subject_pg")
    order = Order(paradigm, provider="openai", prompt="quality2025", n=1, timeout_s=20.0)
    with FakeServer(paradigm) as fake:
        body = {"choices": [{"message": {"content": FOUR.replace("soon", "eventually")}, "finish_reason": "stop"}]}
        fake.fixed_body = body
        outcome = generate(order, bank, fake)
        prompt = fake.requests[0].prompt
    assert outcome.ending is Ending.COMPLETE
    (item,) = stored(bank)
    assert item.expects == paradigm.design("lan2x2").conditions
    assert item.slots is not None
    assert (item.slots["noun"], item.slots["adverb"], item.slots["name2"]) == ("story", "eventually", "Anna")
    assert outcome.run.prompt_name == "quality2025.v1"
    assert "exactly 1 new" in prompt
    choices = [
        "I know",
        "She heard",
        "They believe",
        "The report suggested",
        "It is clear",
        "story",
        "report",
        "book",
        "article",
        "picture",
        "critique",
        "rumor",
        "discussion",
        "painting",
        "description",
        "about",
        "of",
        "is likely to",
        "is going to",
        "is expected to",
        "will probably",
        "might",
        "upset",
        "amuse",
        "delight",
        "interest",
        "surprise",
        "anger",
        "please",
        "concern",
        "bother",
        "disturb",
        "fascinate",
        "soon",
        "eventually",
        "Mary",
        "John",
        "Sarah",
        "the manager",
        "Anna",
        "Ben",
        "Chris",
        "Dana",
        "Leo",
        "Sara",
        "Tom",
        "Paul",
        "Nina",
    ]
    assert [choice for choice in choices if f'"{choice}"' not in prompt] == []
    named = set(re.findall(r'"([^"]+)"', prompt))
    assert named - set(choices) == {"who", "that", "Kim"}


def test_a_prompt_for_one_paradigm_is_refused_for_another(bank: Bank, lan_pg: Paradigm) -> None:
    with pytest.raises(ConfigError, match="is a prompt for subject_pg, not for lan_pg"), FakeServer(lan_pg) as fake:
        generate(Order(lan_pg, provider="openai", prompt="quality2025"), bank, fake)


def test_any_text_is_a_prompt_and_goes_out_as_it_stands(bank: Bank, tmp_path: Path) -> None:
    text = "Please write 2 unique item sets {{ like }} these {% and more\nfull_sentence PFPG MFPG PFMG MFMG"
    path = _write(tmp_path, "from a paper.txt", text)
    paradigm = load_paradigm("subject_pg")
    order = Order(paradigm, provider="openai", prompt=str(path), mode=Mode.SENTENCES, design="lan2x2", n=3, timeout_s=20.0)
    with FakeServer(paradigm) as fake:
        outcome = generate(replace(order, concurrency=1), bank, fake)
        assert {seen.prompt for seen in fake.requests} == {text + "\n"}
        assert len(fake.requests) == 2
    assert outcome.ending is Ending.COMPLETE
    assert len(stored(bank)) == 3
    assert outcome.run.prompt_name == "from a paper.txt"
    assert outcome.run.prompt_text == text
    with pytest.raises(ConfigError, match="asks for 2 items, and --n-per-call says 5"), FakeServer(paradigm) as fake:
        generate(replace(order, n_per_call=5), bank, fake)


PRINTED_SHA256 = "9a63777fa07ea272f0e5c959c9d165fe51adedac9118abf7869bf621c59c3e39"
"""Of the listing as the paper's page has it, without the white space around it."""


def test_the_papers_own_prompt_goes_out_word_for_word_and_the_run_says_so(bank: Bank, tmp_path: Path) -> None:
    paradigm = load_paradigm("subject_pg")
    order = Order(paradigm, provider="openai", prompt="quality2025-printed", n=12, timeout_s=20.0, concurrency=1)
    with FakeServer(paradigm) as fake:
        outcome = generate(order, bank, fake)
        assert {text_sha256(seen.prompt.strip()) for seen in fake.requests} == {PRINTED_SHA256}
        assert len(fake.requests) == 2
        with pytest.raises(ConfigError, match="asks for 10 items, and --n-per-call says 5"):
            generate(replace(order, n_per_call=5), bank, fake)
    quoted = find_prompt("quality2025-printed")
    assert (outcome.ending, outcome.run.prompt_name) == (Ending.COMPLETE, "quality2025-printed.v1")
    assert (outcome.run.prompt_hash, outcome.run.prompt_text) == (quoted.hash, quoted.text)
    assert [len(item.sentences) for item in stored(bank)] == [4] * 12
    assert "CC BY 4.0" in quoted.text
    ours = replace(order, prompt="quality2025", n=1)
    with FakeServer(paradigm, seed=9) as fake:
        assert generate(ours, bank, fake).run.prompt_name == "quality2025.v1"
    by_prompt = {line.prompt: line.prompt_hash for line in compare_runs([run_yield(bank, run) for run in bank.runs.all()])}
    assert by_prompt == {"quality2025-printed.v1": quoted.hash, "quality2025.v1": find_prompt("quality2025").hash}


def test_what_the_printed_prompt_offers_against_its_own_design_is_found(bank: Bank) -> None:
    """Its preambles, in the answer that it asks for: *believe* takes no question, *suggest* hardly one, *know* does."""
    paradigm = load_paradigm("subject_pg")
    cells = [
        "PFPG,{} who the rumor about",
        "MFPG,{} that the rumor about John",
        "PFMG,{} who the rumor about",
        "MFMG,{} that the rumor about John",
    ]
    ends = ["", "", " Anna", " Anna"]
    rows = [
        f"subject_pg,{number},{cell.format(preamble)} is likely to amuse{end} soon."
        for number, preamble in enumerate(("I know", "They believe", "The report suggested"), 1)
        for cell, end in zip(cells, ends, strict=True)
    ]
    order = Order(paradigm, provider="openai", prompt="quality2025-printed", n=3, timeout_s=20.0)
    with FakeServer(paradigm) as fake:
        fake.fixed_body = {"choices": [{"message": {"content": "\n".join(rows)}, "finish_reason": "stop"}]}
        generate(order, bank, fake)
    lint_bank(bank, ItemFilter(), knowledge=load_knowledge())
    severe = [
        {finding.severity.value for finding in bank.findings.for_item(item.id) if finding.code in ("L101", "L103")}
        for item in stored(bank)
    ]
    assert severe == [set(), {"error"}, {"warning"}]


@pytest.mark.parametrize(
    ("name", "content", "mode", "complaint"),
    [
        ("a.txt", b"Write 10 items", None, "nothing says what this text asks for"),
        ("b.txt", b"Write items", Mode.SLOTS, "how many items it asks for"),
        ("c.txt", b"  \n", Mode.SLOTS, "is empty"),
        ("d.txt", b"\x00\x01 10 items", Mode.SLOTS, "is no text"),
        ("e.txt", b"\xff\xfe", Mode.SLOTS, "UTF-8"),
        ("f.v1.jinja", b"{# mode: slots; n: 0 #}", None, "not a positive number"),
        ("g.v1.jinja", b"{# mode: slots; colour: red #}", None, "colour is not known"),
        ("h.v1.jinja", b"{# mode: slots; n: 3; text: free #}", None, "can only be fixed"),
        ("i.v1.jinja", b"{# mode: slots; text: fixed #}", None, "a fixed text needs n"),
        ("none.txt", None, Mode.SLOTS, "no such file"),
    ],
)
def test_a_text_that_is_no_prompt_is_refused(
    bank: Bank,
    subject_pg: Paradigm,
    tmp_path: Path,
    name: str,
    content: bytes | None,
    mode: Mode | None,
    complaint: str,
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigError, match=complaint), FakeServer(subject_pg) as fake:
        generate(Order(subject_pg, provider="openai", prompt=str(path), mode=mode), bank, fake)


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


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.full) if n == "a power" else n for n in HOSTILE])
def test_a_hostile_prompt_file_ends_in_a_message_and_the_next_one_works(
    name: str, tmp_path: Path, subject_pg: Paradigm, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, complaint = HOSTILE[name]
    monkeypatch.setattr("gapsmith.prompts.rendering.TIME_LIMIT_S", 1.5 if "no end" in complaint else 20.0)
    context = prompt_context(subject_pg, n=3, mode=Mode.SLOTS)
    bad, good = tmp_path / "bad.v1.jinja", tmp_path / "good.v1.jinja"
    bad.write_text(f"{{# mode: slots — x #}}\n{text}", encoding="utf-8")
    good.write_text("{# mode: slots — x #}\nexactly {{ n }} of „{{ paradigm.name }}“", encoding="utf-8")
    with pytest.raises(PromptError, match=complaint) as caught:
        render(load_prompt_file(bad), context)
    assert str(bad) in caught.value.message
    assert render(load_prompt_file(good), context) == "exactly 3 of „subject_pg“\n"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such devices here")
def test_pipes_and_devices_in_a_workspace_are_no_prompts_and_no_word_lists(tmp_path: Path) -> None:
    prompts = tmp_path / "prompts"
    prompts.mkdir()
    endless = prompts / "slots.v9.jinja"
    for make in (os.mkfifo, lambda path: path.symlink_to("/dev/zero")):
        make(endless)
        with pytest.raises(PromptError, match="and no file"):
            find_prompt("slots", tmp_path)
        endless.unlink()
    with pytest.raises(PromptError, match="and no file"):
        load_prompt_file(Path("/dev/zero"), mode=Mode.SENTENCES)
    words = tmp_path / "words.csv"
    os.mkfifo(words)
    with pytest.raises(FormatError, match="is a pipe and no file"):
        lexicon_for("words", str(tmp_path / "mine.toml"))
