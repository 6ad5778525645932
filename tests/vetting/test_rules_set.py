"""Family C: what a set repeats, and how its conditions differ."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gapsmith.app.cli.app import app
from gapsmith.bank import Finding
from gapsmith.scoring.lm import token_counter
from gapsmith.templates import ConfigError, expand, load_paradigm, sample
from gapsmith.vetting.confound_page import confound_data, confound_text
from gapsmith.vetting.rules import ItemView, Linter, load_knowledge
from gapsmith.vetting.rules.setfacts import SetFacts, TokenCounter
from tests.printed import results
from tests.vetting.linting import SLOTS, stored, texts

PG = load_paradigm("subject_pg")


def facts_of(*slots: Mapping[str, str], tokens: TokenCounter | None = None) -> SetFacts:
    """The facts of a set of subject parasitic gaps."""
    facts = SetFacts(PG, load_knowledge(), tokens)
    for number, of in enumerate(slots, 1):
        item = stored(PG, texts(PG, of).items(), of)
        facts.add(ItemView(replace(item, id=number, label=str(number)), PG))
    return facts


def said(facts: SetFacts) -> list[Finding]:
    """What the rules say of the set."""
    return Linter(PG, load_knowledge()).check_set(facts)


def varied(count: int, **fixed: str) -> list[dict[str, str]]:
    """Sampled items, some of their words fixed."""
    return [{**slots, **fixed} for slots in islice(sample(PG, 3), count)]


def test_a_sampled_set_has_no_warning() -> None:
    """What gapsmith samples repeats nothing."""
    assert [f for f in said(facts_of(*varied(40))) if f.severity != "info"] == []


def test_near_duplicates_are_named_with_the_slot() -> None:
    """Two items that differ in the adverb alone."""
    items = [*varied(5), SLOTS, {**SLOTS, "adverb": "eventually"}]
    later, first = [f for f in said(facts_of(*items)) if f.code == "C100"]
    assert later.message == first.message == "items 6, 7 differ in adverb alone"
    assert (later.severity, first.severity) == ("warning", "info"), "one may stay"


def test_duplicates() -> None:
    """The same item twice is a duplicate."""
    assert "C101" in {f.code for f in said(facts_of(SLOTS, *varied(3), SLOTS))}


def test_items_that_share_only_some_cells_are_no_duplicates() -> None:
    """A slot that stands in some cells only: items that differ in it share the other cells."""
    one, other = SLOTS, {**SLOTS, "name2": "Zachary"}
    shared = {text for text in texts(PG, one).values() if text in texts(PG, other).values()}
    assert shared
    assert "C101" not in {f.code for f in said(facts_of(one, other))}
    longest = {**SLOTS, "adverb": "circumstantially"}
    assert "C101" not in {f.code for f in said(facts_of(longest, {**longest, "name2": "Kim"}))}


def test_an_overused_word() -> None:
    """One noun in all items, with its share."""
    findings = [f for f in said(facts_of(*varied(20, noun="story", preposition="about"))) if f.code == "C110"]
    assert [f.place.slot for f in findings] == ["noun"]
    assert "“story” fills noun in 20 of 20 items (100%)" in findings[0].message
    # The share is of the items that have the slot, and so are the numbers beside it.
    few = facts_of(*varied(20, noun="story", preposition="about"))
    few.used["noun"] = Counter({"story": 12})
    (own,) = [f for f in said(few) if f.code == "C110" and f.place.slot == "noun"]
    assert "in 12 of 12 items that have it (100%)" in own.message


@pytest.mark.parametrize(("times", "named"), [(3, False), (4, True)])
def test_three_uses_of_a_word_are_no_overuse_whatever_their_share(times: int, named: bool) -> None:
    """Of ten items three have the same word by chance; the fourth is one too many."""
    items = [{**slots, "noun": f"thing{n}"} for n, slots in enumerate(varied(10))]
    items = [{**slots, "noun": "story"} if n < times else slots for n, slots in enumerate(items)]
    found = [f for f in said(facts_of(*items)) if f.code == "C110" and f.place.slot == "noun"]
    assert bool(found) is named


def test_names_of_one_gender() -> None:
    """Women's names only."""
    women = ["Anna", "Maria", "Julia", "Nina", "Paula", "Laura", "Helen", "Emily", "Teresa", "Olga", "Megan"]
    items = [{**slots, "name2": name} for slots, name in zip(varied(11), women, strict=True)]
    (finding,) = [f for f in said(facts_of(*items)) if f.code == "C150" and f.place.slot == "name2"]
    assert "11 women's and 0 men's" in finding.message


def test_frequency_and_length_where_a_contrast_compares_different_words() -> None:
    """Delta compares a name with an adverb; the wh-effects compare a word with itself."""
    findings = said(facts_of(*varied(20, adverb="eventually", name2="Kim")))
    assert {f.message.split()[0] for f in findings if f.code in {"C120", "C140"}} == {"delta_pf", "delta_mf"}


def test_tokens_are_counted_only_when_asked() -> None:
    """A tokenizer that splits every letter makes every critical region one of several tokens."""
    assert "C130" not in {f.code for f in said(facts_of(*varied(3)))}
    facts = facts_of(*varied(3), tokens=len)
    assert len([f for f in said(facts) if f.code == "C130"]) == 8
    measured = facts.conditions["pf_pg1_pg2"]
    assert measured.tokens == measured.characters


def test_an_exhaustive_set_is_called_crossed() -> None:
    """Few words in many combinations, and no near-duplicates listed one by one."""
    paradigm = load_paradigm("lan_pg")
    linter = Linter(paradigm, load_knowledge())
    facts = linter.new_set()
    assert facts is not None
    for slots in islice(expand(paradigm), 0, 8064, 97):
        facts.add(ItemView(stored(paradigm, texts(paradigm, slots).items(), slots), paradigm))
    found = {f.code for f in linter.check_set(facts)}
    assert "C102" in found
    assert "C100" not in found


def test_the_page_has_every_condition_and_slot() -> None:
    """One page: means by condition, words by slot, names."""
    facts = facts_of(*varied(12))
    data = confound_data(facts)
    assert [entry["condition"] for entry in data["conditions"]] == list(PG.condition_by_name)
    assert all(entry["items"] == 12 for entry in data["conditions"])
    assert set(data["slots"]) == {slot.name for slot in PG.visible_slots}
    text = confound_text(facts)
    assert "+F +G1 +G2" in text
    assert max(len(line) for line in text.splitlines()) <= 130
    assert json.loads(json.dumps(data)) == data


def test_the_bundled_tokenizer_counts_tokens() -> None:
    """Without special tokens, and longer texts have more."""
    count = token_counter("bundled")
    assert count("I know") < count("I know who the story about is likely to enrage soon.")
    assert count("") == 0


def test_a_directory_without_a_tokenizer(tmp_path: Path) -> None:
    """The directory and the files that are missing are named."""
    with pytest.raises(ConfigError, match="holds no tokenizer"):
        token_counter(str(tmp_path))


def test_the_command_prints_the_page(tmp_path: Path) -> None:
    """From a bank, with tokens."""
    root = str(tmp_path / "ws")
    runner = CliRunner()
    assert runner.invoke(app, ["init", root]).exit_code == 0
    made = runner.invoke(app, ["generate", "subject_pg", "-n", "12", "--seed", "1", "--workspace", root])
    assert made.exit_code == 0, made.output
    shown = runner.invoke(app, ["lint", "--confounds", "--tokenizer", "bundled", "--workspace", root])
    assert shown.exit_code == 0, shown.output
    assert "critical tokens" in shown.stdout
    data = results(runner.invoke(app, ["lint", "--confounds", "--json", "--workspace", root]).stdout)
    assert data[0]["items"] == 12
