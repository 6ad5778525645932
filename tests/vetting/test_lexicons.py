"""The word lists: what samples are drawn from, what the linter knows, and what a user adds."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

import gapsmith as api
from gapsmith import vetting
from gapsmith.app.doctor import CheckState, examine
from gapsmith.bank import Severity
from gapsmith.templates import (
    BANDS,
    FormatError,
    drawn_words,
    lexicon_for,
    load_dictionary,
    load_paradigm,
    sample,
    shipped_lexicons,
)
from gapsmith.vetting.frequency import load_frequencies
from gapsmith.vetting.rules import Linter, load_knowledge
from gapsmith.vetting.rules.inflection import GERUND, PARTICIPLE, PAST, PRESENT, plural_of, verb_forms
from gapsmith.vetting.rules.knowledge import LISTS as KNOWN
from tests.conftest import CommandOutcome
from tests.vetting.linting import stored, texts, with_words
from tools.build_frequencies import count_words, table_text
from tools.lexicon_rates import LISTS, with_rates

pytestmark = pytest.mark.fast


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("matrix_frames", 36),
        ("island_nouns", 60),
        ("experiencer_verbs", 100),
        ("linkers", 10),
        ("names", 70),
        ("scenes", 60),
        ("factive_frames", 30),
    ],
)
def test_there_is_enough_to_sample_from(name: str, least: int) -> None:
    """Lists long enough for sets in which no word comes back often."""
    assert len(lexicon_for(name).entries) >= least


def test_every_verb_has_nouns_to_go_with_and_the_other_way_round() -> None:
    """A kind that only one side has would never be drawn."""
    nouns = Counter(kind for entry in lexicon_for("island_nouns").entries for kind in entry.values("kind"))
    verbs = Counter(kind for entry in lexicon_for("experiencer_verbs").entries for kind in entry.values("kind"))
    assert set(nouns) == set(verbs)
    assert min(nouns.values()) >= 3


def test_judged_pairs_are_within_the_lists_and_make_sense_to_the_linter() -> None:
    """Every noun that a verb is judged with is listed, and the coarse kinds allow the pair; enough of both are plain."""
    nouns, adverbs = lexicon_for("island_nouns"), lexicon_for("post_gap_adverbs")
    plain: Counter[str] = Counter()
    for verb in lexicon_for("experiencer_verbs").entries:
        assert bool(verb.values("nouns")) == bool(verb.values("adverbs")), verb.form
        assert all(adverbs.get(adverb) for adverb in verb.values("adverbs")), verb.form
        for form in verb.values("nouns"):
            noun = nouns.by_form[form]
            assert set(noun.values("kind")) & set(verb.values("kind")), (form, verb.form)
            assert noun.values("adverbs"), form
            if (verb.per_million or 0.0) >= 1:
                plain[form] += 1
    assert len(plain) >= 50
    assert min(plain.values()) >= 2


def test_the_rates_of_the_lists_are_those_of_the_table() -> None:
    """Else run ``python -m tools.lexicon_rates``."""
    table = load_frequencies()
    for name, column in LISTS.items():
        text = (shipped_lexicons() / f"{name}.csv").read_text(encoding="utf-8")
        assert with_rates(text, column, table) == text, name


def test_scenes_have_no_verb_that_can_do_without_its_object() -> None:
    """As the linter's list of verbs judges them."""
    knowledge = load_knowledge()
    for scene in lexicon_for("scenes").entries:
        (verb,) = scene.values("verb")
        lemmas = {form.lemma for form in knowledge.verb_forms[verb]}
        classes = [knowledge.classes("verbs", lemma) for lemma in lemmas]
        assert any(classes), verb
        bad = {"object_drop", "inchoative", "intransitive", "reciprocal", "clausal", "homograph"}
        assert not any(bad & each for each in classes), verb


@pytest.mark.parametrize("band", BANDS)
def test_what_is_drawn_needs_its_object_and_leaves_nothing_open(band: str) -> None:
    """No verb with a generic missing object, no bare possibility, no expectation of others; no firm judgment is found out."""
    knowledge = load_knowledge()
    drawn = drawn_words(load_paradigm("subject_pg"), band)
    assert [verb for verb in drawn["verb"] if "generic" in knowledge.classes("verbs", verb)] == []
    assert [words for words in drawn["linker"] if {"might", "may", "could", "expected"} & set(words.split())] == []
    for item in islice(sample(load_paradigm("subject_pg"), 3, band), 150):
        if item["linker"].split()[-1] in ("surely", "certainly", "probably"):
            assert not {"found", "discovered", "learned", "heard"} & set(item["matrix"].split()), item


def test_no_scene_repeats_the_verb_of_its_main_clause() -> None:
    """As in "they found out what the bear found"."""
    said = {word for frame in lexicon_for("factive_frames").entries for word in frame.form.split()}
    assert not said & {verb for scene in lexicon_for("scenes").entries for verb in scene.values("verb")}


def test_names_are_balanced() -> None:
    """As many women's names as men's."""
    genders = Counter(entry.values("gender")[0] for entry in lexicon_for("names").entries)
    assert abs(genders["f"] - genders["m"]) <= 2


@pytest.mark.parametrize("paradigm", ["subject_pg", "embedded_wh"])
def test_sampled_items_pass_the_linter(paradigm: str) -> None:
    """Every word of the sampling lists, in the company in which it is drawn, has no error and no warning."""
    loaded = load_paradigm(paradigm)
    linter = Linter(loaded, load_knowledge())
    used: Counter[str] = Counter()
    for slots in islice(sample(loaded, 11), 160):
        found = linter.check(stored(loaded, texts(loaded, slots).items(), slots))
        serious = [f.message for f in found if f.severity is not Severity.INFO]
        assert serious == [], slots
        unknown = {"L105", "L200", "L250", "L400", "L500", "L600"} & {f.code for f in found}
        assert not unknown, slots
        used.update(slots.values())
    frames = lexicon_for(loaded.slot_by_name["matrix"].lexicon or "")
    assert all(used[entry.form] for entry in frames.entries)


def test_each_list_explains_the_classes_that_it_has() -> None:
    """In its head, which is where the linter takes them from."""
    for name, classes in KNOWN.items():
        had = {value for entry in load_knowledge().lists[name].values() for value in entry.values("class")}
        assert classes - had == set(), f"{name}: explained, and nothing has it"


@pytest.mark.full
def test_a_class_and_a_list_need_nothing_but_the_list(tmp_path: Path) -> None:
    """In a copy of the room, as an engineer changes it; what lacks is said in a sentence."""
    package = tmp_path / "gapsmith"
    package.mkdir()
    room = Path(vetting.__path__[0])
    for entry in Path(api.__path__[0]).iterdir():
        if entry.name != "vetting":
            (package / entry.name).symlink_to(entry.resolve())
    shutil.copytree(room, package / "vetting", ignore=shutil.ignore_patterns("gold", "__pycache__"))
    (package / "vetting" / "gold").symlink_to((room / "gold").resolve())

    def told() -> str:
        line = [sys.executable, "-m", "gapsmith.vetting.rules.reference", str(tmp_path / "page.md")]
        ran = subprocess.run(line, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)}, capture_output=True, text=True)
        assert "Traceback" not in ran.stderr
        return ran.stderr

    lists, rules = package / "vetting" / "lexicons", package / "vetting" / "rules"
    nouns, table, pages = lists / "nouns.csv", rules / "word_rules.csv", rules / "pages" / "L4.toml"
    head, entries = nouns.read_text(encoding="utf-8").split("#   thing")
    nouns.write_text(f"{head}#   thing{entries}gist of it,gist_class,of\n", encoding="utf-8")
    assert re.search(r"nouns\.csv, line \d+: 'gist of it' has the class 'gist_class'", said := told())
    assert "A new one takes a line in the comment at its top" in said
    nouns.write_text(
        f"{head}#   gist_class says what it comes to\n#   thing{entries}gist of it,gist_class,of\n", encoding="utf-8"
    )
    (lists / "gists.csv").write_text("# Gists.\n# Classes:\n#   short  in a word\nform,class\nsum,short\n", encoding="utf-8")
    rows = "L480,noun,nouns,gist_class,,info,,“{word}”,\nL480,noun,gists,short,,info,,“{word}”,\n"
    table.write_text(table.read_text(encoding="utf-8") + rows, encoding="utf-8")
    assert "L480: there is a rule and no page for it" in told()
    page = (
        pages.read_text(encoding="utf-8")
        + '\n[L480]\ntitle = "Gist"\nsummary = "Gists."\nbad = ["a"]\ngood = ["b"]\nremedy = "Look."\n'
    )
    pages.write_text(page + 'reason = "short"\nliterature = []\n', encoding="utf-8")
    assert "L4.toml, [L480]: reason has 5 characters" in told()
    pages.write_text(page + f'reason = "{"A gist says what it comes to. " * 3}"\nliterature = []\n', encoding="utf-8")
    assert told() == ""
    assert "|L480|info|Gist|" in (tmp_path / "page.md").read_text(encoding="utf-8")


def test_a_workspace_adds_and_overrides(tmp_path: Path) -> None:
    """A new word becomes known, a shipped one can be judged otherwise."""
    (tmp_path / "lexicons").mkdir()
    (tmp_path / "lexicons" / "verbs.csv").write_text("form,class\nbumfuzzle,strict\nwin,strict\n", encoding="utf-8")
    knowledge = load_knowledge(tmp_path)
    linter = Linter(load_paradigm("subject_pg"), knowledge)
    shipped = Linter(load_paradigm("subject_pg"), load_knowledge())
    for verb, before in (("bumfuzzle", "L200"), ("win", "L201")):
        assert before in {f.code for f in shipped.check(with_words(verb=verb))}
        assert not [f for f in linter.check(with_words(verb=verb)) if f.code.startswith("L2")]
    assert knowledge.digest != load_knowledge().digest
    assert linter.ruleset != shipped.ruleset


def test_what_a_workspace_takes_out_of_our_lists_is_said(tmp_path: Path, gapsmith: Callable[..., CommandOutcome]) -> None:
    """With what it was and is; not of new words, nor of entries that say the same."""
    gapsmith("init", ".")
    path = tmp_path / "lexicons" / "verbs.csv"
    path.parent.mkdir(exist_ok=True)
    path.write_text("form,class\nbumfuzzle,strict\nabandon,agentive\ncost,reciprocal\n", encoding="utf-8")
    (told,) = load_knowledge(tmp_path).replaced
    assert "1 entry of ours: cost (thing_object|clausal, now reciprocal)" in told
    gapsmith("generate", "subject_pg", "-n", "1", "--seed", "1")
    for said in (gapsmith("lint", "--select", "T001"), gapsmith("rule", "L204")):
        assert told in " ".join(said.err.split())
    check = next(check for check in examine(workspace=tmp_path) if check.area == "word lists")
    assert (check.state, check.detail) == (CheckState.NOTE, told)


def test_a_changed_list_is_read_again(tmp_path: Path) -> None:
    """Editing a list takes effect in the same process, as in a review that lints after an edit."""
    (tmp_path / "lexicons").mkdir()
    path = tmp_path / "lexicons" / "names.csv"
    path.write_text("form,class,gender\nZorblax,given,m\n", encoding="utf-8")
    assert load_knowledge(tmp_path).entry("names", "Zorblax") is not None
    path.write_text("form,class,gender\nZorblaxina,given,f\n", encoding="utf-8")
    again = load_knowledge(tmp_path)
    assert again.entry("names", "Zorblax") is None
    assert again.entry("names", "Zorblaxina") is not None


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("verbs.csv", "form,class\nbumfuzzle,transitive\n", "transitive"),
        ("verbs.csv", "form,class\nbumfuzzle,\n", "no class"),
        ("verb.csv", "form,class\nbumfuzzle,strict\n", "no word list of that name"),
    ],
)
def test_a_bad_list_is_refused_with_its_name(tmp_path: Path, name: str, content: str, said: str) -> None:
    """The file, the entry and the classes there are."""
    (tmp_path / "lexicons").mkdir()
    (tmp_path / "lexicons" / name).write_text(content, encoding="utf-8")
    with pytest.raises(FormatError, match=said) as caught:
        load_knowledge(tmp_path)
    assert name in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize(
    ("verb", "forms"),
    [
        ("amuse", ("amuses", "amused", "amused", "amusing")),
        ("worry", ("worries", "worried", "worried", "worrying")),
        ("stun", ("stuns", "stunned", "stunned", "stunning")),
        ("sing", ("sings", "sang", "sung", "singing")),
        ("vex", ("vexes", "vexed", "vexed", "vexing")),
        ("die", ("dies", "died", "died", "dying")),
        ("annoy", ("annoys", "annoyed", "annoyed", "annoying")),
        ("go", ("goes", "went", "gone", "going")),
        ("appal", ("appals", "appalled", "appalled", "appalling")),
        ("zib", ("zibs", "zibbed", "zibbed", "zibbing")),
    ],
)
def test_inflection(verb: str, forms: tuple[str, str, str, str]) -> None:
    """By the dictionary, the list of irregular verbs, and for a verb that neither has, by spelling."""
    found = list(verb_forms(verb, load_knowledge().lists["irregular_verbs"], load_dictionary().verbs))
    for kind, form in zip((PRESENT, PAST, PARTICIPLE, GERUND), forms, strict=True):
        assert (kind, form) in found


@pytest.mark.parametrize(
    ("noun", "plural"), [("story", "stories"), ("speech", "speeches"), ("photo", "photos"), ("essay", "essays")]
)
def test_plurals(noun: str, plural: str) -> None:
    """Regular plurals of the nouns that people use."""
    assert plural_of(noun) == plural


def test_every_list_says_where_it_comes_from() -> None:
    """A comment at the top names the source and explains each class."""
    folders = [Path(__file__).parents[2] / "vetting" / "lexicons", Path(__file__).parents[2] / "templates" / "lexicons"]
    for path in [path for folder in folders for path in folder.glob("*.csv")]:
        head = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
        assert any("Source:" in line for line in head), path.name


def test_frequencies() -> None:
    """Function words above content words above rare ones; the rarest are not in the table."""
    table = load_frequencies()
    values = [table.log_per_million(word) for word in ("the", "soon", "someday")]
    assert all(value is not None for value in values)
    assert values == sorted(values, key=lambda value: -(value or 0))
    assert table.log_per_million("Mary") == table.log_per_million("mary")
    assert table.log_per_million("bumfuzzle") is None


def test_counting_words() -> None:
    """Case is folded, a genitive cut off, words with inner marks kept whole, rare ones dropped."""
    counts = count_words(["Mary's well-known story.", "MARY don't, don’t"])
    assert counts == {"mary": 2, "well-known": 1, "story": 1, "don't": 2}
    assert table_text(counts, 2, "a test").splitlines() == [
        "# source\ta test",
        "# total\t6",
        "# minimum\t2",
        "don't\t2",
        "mary\t2",
    ]
