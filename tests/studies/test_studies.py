"""Studies: published numbers beside ours, and what is said of whether they should be equal."""

from __future__ import annotations

import csv
import json
import shlex
from collections import Counter
from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from gapsmith import check_bank
from gapsmith.app.cli.app import app
from gapsmith.app.cli.reproduce import show
from gapsmith.app.requests.instruments import Reproduce
from gapsmith.app.stages.reproducing import Reproduced
from gapsmith.app.stages.study_steps import old_steps, steps_of
from gapsmith.app.studies import (
    Beside,
    Study,
    StudyRun,
    beside_tables,
    by_both,
    form_of,
    load_study,
    numbers_of,
    read_record,
    shipped_studies,
    write_study,
)
from gapsmith.app.studies.conventions import Concluded
from gapsmith.app.studies.running import NumberComparison
from gapsmith.bank import Bank
from gapsmith.scoring.analysis import Conclusion, ContrastResult
from gapsmith.scoring.analysis.licensing_effects import EFFECTS, METRICS, is_licensing
from gapsmith.scoring.report import p_value
from gapsmith.stats import SlotUse
from gapsmith.templates import Sentence, load_paradigm
from gapsmith.templates.errors import ConfigError
from tests.interface import expect_results, expect_table
from tests.printed import results
from tests.scoring.analysing import filled_bank

SMALL = """
name = "small"
title = "A small study"
paper = "nobody's"
about = "Twelve items of a crossed set."
beside = "minicons"

[[step]]
say = "Items."
[step.generate]
paradigm = "lan_pg"
n = 12
dataset = "some"

[[step]]
say = "One decision."
once = true
[step.decide]
verdict = "exclude"
items = "1"
reason = "verb selection"
by = "anna"

[[step]]
say = "Scores of {model}."
[step.score]
everything = true
model = "{model}"
convention = ["{convention}", "{beside}"]

[[set]]
name = "all"
title = "all twelve"
paradigm = "lan_pg"
dataset = "some"
stimuli = "published"
published_n = 40

[[set]]
name = "fewer"
title = "without some"
paradigm = "lan_pg"
dataset = "some"
without = { np = ["talking to", "intent to *"] }
stimuli = "inferred"

[[number]]
what = "items"
set = "all"
contrast = "did"
statistic = "n"
published = 12
model = ""
decimals = 0

[[number]]
what = "DiD (bits)"
set = "fewer"
contrast = "did"
statistic = "mean"
published = 99.0
model = "gpt2"

[[number]]
what = "DiD (share)"
set = "all"
contrast = "did"
statistic = "share"
published = 0.5
model = "gpt2"
at = "Table 2"

[[surprisal]]
what = "difference of two conditions"
set = "all"
weights = { pf_mg = 1, pf_pg = -1 }
published = 0
model = "gpt2"
at = "Table 2"

[[figure]]
title = "Figure 1: shares"
statistic = "share"
sets = ["all"]
contrasts = ["did"]

[[figure]]
title = "Figure 2: means"
statistic = "mean"
sets = ["fewer"]
contrasts = ["did"]

[[compared]]
what = "chi-square"
first = "all"
second = "fewer"
contrast = "did"
published = 1.0
model = "gpt2"

[[arithmetic]]
what = "chi-square of counts"
how = "yates"
values = [452, 8064, 404, 5760]
published = 11.2381
decimals = 4

[[by_word]]
set = "all"
contrasts = ["did"]
slots = ["verb"]
"""


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory, tiny_gpt2: Path) -> tuple[Path, Path]:
    """The file of the small study and the folder in which it was run."""
    root = tmp_path_factory.mktemp("study")
    file = root / "small.toml"
    file.write_text(SMALL, encoding="utf-8")
    found = run("study", str(file), "--model", str(tiny_gpt2), "--out", str(root / "out"))
    assert found.exit_code == 0, found.output
    return file, root / "out"


def test_what_should_be_equal_and_what_is_only_comparable(done: tuple[Path, Path], tiny_gpt2: Path) -> None:
    study = load_study(str(done[0]))
    with Bank.open(done[1] / "bank.sqlite") as bank:
        rows = {row.what: row for row in numbers_of(study, [StudyRun(study, bank, str(tiny_gpt2))])}
    assert (rows["items"].ours, rows["items"].agrees) == (12.0, True)
    assert (rows["chi-square of counts"].expected, rows["chi-square of counts"].agrees) == ("equal", True)
    assert rows["DiD (bits)"].agrees is None
    assert rows["DiD (bits)"].difference == pytest.approx((rows["DiD (bits)"].ours or 0.0) - 99.0)
    assert "not independent" in rows["chi-square"].note


COUNTED = """
name = "counted"
title = "Counts"
paper = "nobody's"
about = "How many items are as expected."

[[set]]
name = "all"
title = "all"
paradigm = "subject_pg"
dataset = "generated"
stimuli = "ours"

[[number]]
what = "below"
set = "all"
contrast = "P1"
statistic = "count"
published = 1
model = "gpt2"

[[number]]
what = "above"
set = "all"
contrast = "P4"
statistic = "count"
published = 1
model = "gpt2"
"""


def test_a_count_is_of_the_items_on_the_side_that_is_expected(tmp_path: Path) -> None:
    """Below 0 where that is expected: of 12 items nine are, under P1 and under P4."""
    file = tmp_path / "counted.toml"
    file.write_text(COUNTED, encoding="utf-8")
    study = load_study(str(file))

    def bits(position: int, sentence: Sentence, region: str) -> float:
        filler = 2.0 if sentence.condition.startswith("pf") else 0.0
        sign = -1.0 if sentence.condition.startswith(("pf_pg1", "mf_pg1")) else 1.0
        return 10.0 + (sign if position < 9 else -sign) * filler

    with filled_bank(tmp_path / "bank.sqlite", "subject_pg", 12, bits) as bank:
        by_word = {row.what: row.ours for row in numbers_of(study, [StudyRun(study, bank, "chosen")])}
        signs = {own.name: own.expected for own in load_paradigm("subject_pg").contrasts}
    assert (signs["P1"], signs["P4"]) == (-1, 1)
    assert by_word == {"below": 9.0, "above": 9.0}


def test_the_same_sentences_under_the_same_model_should_be_equal(done: tuple[Path, Path], tiny_gpt2: Path) -> None:
    text = SMALL.replace('model = "gpt2"', f"model = {json.dumps(str(tiny_gpt2))}")
    file = done[0].with_name("same.toml")
    file.write_text(text, encoding="utf-8")
    found = run("study", str(file), "--model", str(tiny_gpt2), "--out", str(done[1]), "--json")
    assert found.exit_code == 1
    rows = {row["what"]: row for row in expect_results(found.stdout)}
    assert check_bank(done[1], report=done[1] / "study").changed == ()
    assert rows["DiD (bits)"]["agrees"] is False
    assert "our reading" in rows["DiD (bits)"]["note"]


def test_sets_leave_out_items_by_their_words(done: tuple[Path, Path], tiny_gpt2: Path) -> None:
    study = load_study(str(done[0]))
    with Bank.open(done[1] / "bank.sqlite") as bank:
        runs = StudyRun(study, bank, str(tiny_gpt2))
        nps = {(item.slots or {})["np"] for item in runs._items("all")}
        kept = {(item.slots or {})["np"] for item in runs._items("fewer")}
        by_word = list(runs.rows_by_word(study.by_word[0]))
    assert kept == {np for np in nps if np != "talking to" and not np.startswith("intent to")}
    assert sum(row.n for row in by_word) == 12
    assert {row.word for row in by_word} <= {"bother", "annoy", "disturb"}


def test_surprisals_and_figures_of_the_paper_stand_beside_ours(done: tuple[Path, Path], tiny_gpt2: Path) -> None:
    study = load_study(str(done[0]))
    with Bank.open(done[1] / "bank.sqlite") as bank:
        runs = StudyRun(study, bank, str(tiny_gpt2))
        delta = runs.result("all", "delta_pf")
        item, value = next(iter(delta.values.items()))
        text = next(i for i in runs._items("all") if i.label == item.label).sentence("mf_mg")
        assert text is not None
        own = study.surprisal[0]
        assert runs.surprisal(own) == pytest.approx(sum(delta.values.values()) / len(delta.values))
        assert runs.surprisal(own.model_copy(update={"sentence": text.text})) == pytest.approx(value)
        assert runs.surprisal(own.model_copy(update={"sentence": "No such sentence."})) is None
    page = (done[1] / "study" / "study.md").read_text(encoding="utf-8")
    assert "**Table 2: under " in page
    # No interval of Wilson's, which takes items for independent whose words repeat.
    assert "published: 50 %." in page or "published: 50 %;" in page or "published: 50 %," in page
    assert "Figure 1: shares" in page
    assert (done[1] / "study" / "numbers-2.png").read_bytes()[:4] == b"\x89PNG"


def test_running_it_again_decides_nothing_twice(done: tuple[Path, Path], tiny_gpt2: Path) -> None:
    with Bank.open(done[1] / "bank.sqlite") as bank:
        before = len(list(bank.decisions.current()))
    again = run("study", str(done[0]), "--model", str(tiny_gpt2), "--out", str(done[1]))
    assert again.exit_code == 0
    with Bank.open(done[1] / "bank.sqlite") as bank:
        assert len(list(bank.decisions.current())) == before == 1
        assert len(bank.decisions.history(1)) == 1
    # As it was remembered before flags were written out.
    kept = done[1] / "study-steps.json"
    kept.write_text(
        kept.read_text(encoding="utf-8").replace("--by", "-w elsewhere --by").replace("--dataset", "-d"), encoding="utf-8"
    )
    assert run("study", str(done[0]), "--model", str(tiny_gpt2), "--out", str(done[1])).exit_code == 0
    with Bank.open(done[1] / "bank.sqlite") as bank:
        assert len(bank.decisions.history(1)) == 1


def test_a_study_stops_where_its_lint_fails_and_braces_that_name_nothing_stay(tmp_path: Path) -> None:
    head, *_ = CONTEXTS.split("[[step]]")
    file = tmp_path / "s.toml"
    file.write_text(
        head
        + '[[step]]\nsay = "Items {{}} {n}."\n[step.generate]\nparadigm = "lan_pg"\nn = 3\n'
        + '[[step]]\nsay = "Lint."\n[step.lint]\nfail_on = "info"\n'
        + '[[step]]\nsay = "Decide."\n[step.decide]\npolicy = "clean"\n',
        encoding="utf-8",
    )
    stopped = run("study", str(file), "--out", str(tmp_path / "out"))
    assert stopped.exit_code != 0
    assert "step 3, lint" in f"{stopped.exception} {stopped.output}"
    assert "Items {{}} {n}." in stopped.output
    with Bank.open(tmp_path / "out" / "bank.sqlite") as bank:
        assert not list(bank.decisions.current())


def test_the_page_and_its_table(done: tuple[Path, Path]) -> None:
    page = (done[1] / "study" / "study.md").read_text(encoding="utf-8")
    assert "| DiD \\(bits\\)" in page or "| DiD (bits)" in page
    assert "comparable only" in page
    rows = list(csv.DictReader((done[1] / "study" / "numbers.csv").read_text(encoding="utf-8").splitlines()))
    assert rows[0]["what"] == "chi-square of counts"
    for name in ("numbers", "conventions"):
        expect_table(f"{name}.csv of study", (done[1] / "study" / f"{name}.csv").read_text(encoding="utf-8"))
    assert (done[1] / "study" / "numbers.png").read_bytes()[:4] == b"\x89PNG"


def test_both_conventions_are_told_where_the_conclusion_differs(done: tuple[Path, Path], tiny_gpt2: Path) -> None:
    """Every conclusion is in `conventions.csv`, those that differ on the page; the two columns are what each convention alone comes to."""
    study = load_study(str(done[0]))
    with Bank.open(done[1] / "bank.sqlite") as bank:
        run_of = {name: StudyRun(study.by_convention(name), bank, str(tiny_gpt2)) for name in ("gapsmith", "minicons")}
        found = by_both(study, [run_of["gapsmith"]], done[1])
        means = {name: own.result("all", "did").ttest.estimate for name, own in run_of.items()}
    assert len(found.rows) == 2
    assert found.lacking == ()
    row = next(row for row in found.rows if row.set == "all twelve")
    assert means["gapsmith"] != means["minicons"]
    assert row.own.shown.startswith(f"{means['gapsmith']:+.2f} bits")
    assert row.other.shown.startswith(f"{means['minicons']:+.2f} bits")
    kept = list(csv.DictReader((done[1] / "study" / "conventions.csv").read_text(encoding="utf-8").splitlines()))
    assert [own["what"] for own in kept] == [own.what for own in found.rows]
    page = (done[1] / "study" / "study.md").read_text(encoding="utf-8")
    assert "Where the scoring convention decides" in page
    assert "Beside it minicons" in page
    # As if the other convention had come to the opposite: a row, with both.
    turned = replace(row, other=Concluded("-9.00 bits", ("below", "opposite", "below")))
    (table,) = beside_tables(Beside(study, (turned, *found.rows[1:])))
    assert table.columns[-2:] == ("gapsmith", "minicons")
    assert (turned.what, "-9.00 bits") in {(cells[0], cells[-1]) for cells in table.rows}
    # The other way round they change places.
    assert (study.by_convention("minicons").convention, study.by_convention("minicons").beside) == ("minicons", "gapsmith")


@pytest.mark.parametrize("study", shipped_studies(), ids=lambda study: study.name)
def test_every_shipped_study_measures_by_two_conventions(study: Study, tmp_path: Path) -> None:
    """A study without a second convention, or one that scores or measures effects by one only, fails here."""
    assert study.beside not in (None, study.convention)
    lines = [shlex.split(step.line) for step in steps_of(study, str(tmp_path), ["bundled"])]
    assert any(study.beside in line for line in lines)
    alone = steps_of(study.model_copy(update={"beside": None}), str(tmp_path), ["bundled"])
    assert not [step.line for step in alone if str(study.beside) in shlex.split(step.line)]
    assert {step.stage for step in alone} == {step.stage for step in steps_of(study, str(tmp_path), ["bundled"])}
    places = {asked.folder.format(name="bundled", by=own) for asked in study.effect for own in ("", f"-{study.beside}")}
    outs = [Path(line[line.index("--out") + 1]).relative_to(tmp_path) for line in lines if "--out" in line]
    assert all(any(Path(place).is_relative_to(out) for out in outs) for place in places)


CONTEXTS = """
name = "behind"
title = "A small study of contexts"
paper = "nobody's"
about = "Two suites of four pairs."

[[step]]
say = "Pairs."
once = true
[step.generate]
paradigm = "npi_ever"
n = 4
dataset = "one"

[[step]]
say = "More pairs."
once = true
[step.generate]
paradigm = "participle"
n = 4
dataset = "two"

[[step]]
say = "Contexts under {model}."
[step.context.study]
everything = true
model = "{model}"
lengths = [15, 30]
perturbed = 0
crossed = 0
name = "c"
out = "{folder}/c-{name}"

[[effect]]
what = "acceptable, matched"
effect = "delta matched acceptable"
folder = "c-{name}"
published = "at least +15"
model = "gpt2"
"""


@pytest.mark.full
def test_effects_of_contexts_stand_beside_the_published_ones(tmp_path: Path, tiny_gpt2: Path) -> None:
    file = tmp_path / "behind.toml"
    file.write_text(CONTEXTS, encoding="utf-8")
    found = run("study", str(file), "--model", str(tiny_gpt2), "--out", str(tmp_path / "out"), "--json")
    assert found.exit_code == 0, found.output
    (row,) = results(found.stdout)
    (folder,) = (tmp_path / "out").glob("c-*")
    effects = {own["name"]: own for own in json.loads((folder / "effects.json").read_text(encoding="utf-8"))["effects"]}
    assert row["value"] == effects["delta matched acceptable"]["estimate"]
    assert (row["published"], row["published_model"]) == ("at least +15", "gpt2")
    page = (tmp_path / "out" / "study" / "study.md").read_text(encoding="utf-8")
    assert "at least +15" in page
    assert f"](../{folder.name}/contexts.md)" in page
    file.write_text(CONTEXTS.replace("delta matched acceptable", "delta nosuch"), encoding="utf-8")
    wrong = run("study", str(file), "--model", str(tiny_gpt2), "--out", str(tmp_path / "out"))
    assert isinstance(wrong.exception, ConfigError)
    assert "delta nosuch" in wrong.exception.message


@pytest.mark.parametrize("study", shipped_studies(), ids=lambda study: study.name)
def test_shipped_studies_agree_with_their_own_arithmetic(study: Study, tmp_path: Path) -> None:
    loaded = load_study(study.name)
    assert all(row.agrees for row in numbers_of(loaded, []))
    for step in steps_of(loaded, str(tmp_path), ["bundled"]):
        assert "{" not in step.line
        for part in shlex.split(step.line):
            if part.startswith(str(loaded.data)):
                assert Path(part).is_file(), part


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (('set = "all"', 'set = "nobody"'), "there is no set 'nobody'"),
        (('statistic = "n"', 'statistic = "median"'), "`statistic` in [number.1] is"),
        (('title = "A small study"', 'titel = "x"'), "titel"),
        (('title = "A small study"', "title = "), "line 3: not valid TOML"),
        (('name = "small"', 'name = "../b7"'), "its name is that of a folder: one word, no path"),
    ],
)
def test_a_file_that_is_wrong_is_named(tmp_path: Path, change: tuple[str, str], says: str) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(SMALL.replace(*change, 1), encoding="utf-8")
    with pytest.raises(ConfigError) as raised:
        load_study(str(file))
    assert says in raised.value.message
    assert str(file) in raised.value.message


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("everything = true", "all = true"), "step 3 (score): score has no 'all'"),
        (("[step.score]", "[step.scores]"), "step 3: there is no stage 'scores'"),
        (("[step.score]", "[step.score]\nbatch_size = 0"), "step 3 (score): batch_size: 0 is not a whole number from 1"),
        (('verdict = "exclude"', 'verdict = "exclude"\npolicy = "clean"'), "say what to decide, in one way"),
        (
            ('say = "Items."\n[step.generate]\nparadigm = "lan_pg"\nn = 12\ndataset = "some"', 'say = "Items."'),
            "step 1: asks for nothing",
        ),
    ],
)
def test_a_step_that_asks_for_what_a_stage_has_not_is_refused_before_anything_runs(
    tmp_path: Path, change: tuple[str, str], says: str
) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(SMALL.replace(*change, 1), encoding="utf-8")
    error = run("study", str(file), "--out", str(tmp_path / "out")).exception
    assert isinstance(error, ConfigError)
    assert says in error.message
    assert not (tmp_path / "out").exists()


def test_steps_as_the_words_of_commands_are_read_with_a_note_that_says_how_to_write_them(tmp_path: Path) -> None:
    """As files were written before: the same requests."""
    (tmp_path / "new.toml").write_text(CONTEXTS, encoding="utf-8")
    old = tmp_path / "old.toml"
    head, *_ = CONTEXTS.split("[[step]]")
    steps = {
        "Make a place.": ["init", "{folder}"],
        "Pairs.": ["generate", "npi_ever", "-n", "4", "-d", "one", "-w", "{folder}"],
        "More pairs.": ["generate", "participle", "-n", "4", "-d", "two", "-w", "{folder}"],
        "Contexts under {model}.": [
            *("context", "study", "--all", "--model", "{model}", "--lengths", "15,30", "--perturbed", "0", "--crossed=0"),
            *("--name", "c", "--out", "{folder}/c-{name}", "-w", "{folder}"),
        ],
    }
    old.write_text(
        head + "".join(f"[[step]]\nsay = {json.dumps(why)}\nrun = {json.dumps(words)}\n" for why, words in steps.items())
    )
    before, now = (steps_of(load_study(str(tmp_path / name)), "here", ["m"]) for name in ("old.toml", "new.toml"))
    assert [step.request for step in before] == [step.request for step in now]
    first, *_ = old_steps(load_study(str(old)))
    assert first == (
        f"{old}: step 2 (generate): `run = [...]` is read in this release only; write instead\n"
        '[step.generate]\nparadigm = "npi_ever"\nn = 4\ndataset = "one"'
    )


@pytest.mark.parametrize(
    "change",
    [('contrast = "did"', 'contrast = "dld"'), ('contrasts = ["did"]', 'contrasts = ["dld"]')],
    ids=["number", "figure"],
)
def test_a_contrast_that_is_not_there_is_refused_before_anything_runs(tmp_path: Path, change: tuple[str, str]) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(SMALL.replace(*change, 1), encoding="utf-8")
    error = run("study", str(file), "--out", str(tmp_path / "out")).exception
    assert isinstance(error, ConfigError)
    assert "has no contrast 'dld'" in error.message
    assert "did" in error.hint
    assert not (tmp_path / "out").exists()


def test_the_list_and_an_unknown_study() -> None:
    listed = results(run("study", "list", "--json").stdout)
    assert {"gaps2025", "quality2025"} <= {one["name"] for one in listed}
    assert isinstance(run("study", "nosuch.toml").exception, ConfigError)


def test_a_vetted_set_comes_with_its_readers_decisions_once(tmp_path: Path) -> None:
    root = str(tmp_path / "ws")
    assert run("init", root).exit_code == 0
    for _ in range(2):
        assert run("dataset", "load", "gaps40", "-w", root).exit_code == 0
    with Bank.open(tmp_path / "ws" / "bank.sqlite") as bank:
        items = list(bank.items.iterate())
        statuses = Counter(item.status.value for item in items)
        decided = [d for item in items for d in bank.decisions.history(item.id)]
    assert (len(items), len(decided)) == (40, 80)
    assert statuses == {"approved": 26, "disputed": 7, "excluded": 7}
    assert {d.author for d in decided} == {"reader1", "reader2"}
    assert all(d.reason for d in decided if d.verdict.value == "exclude")
    assert isinstance(run("dataset", "load", "nosuch", "-w", root).exception, ConfigError)


@pytest.mark.full
def test_the_study_of_quality_in_small(tmp_path: Path, tiny_gpt2: Path) -> None:
    """The shipped file with 30 of its 8,064 items: every step runs, and the number of items is what is found wrong."""
    shipped = Path(str(resources.files("gapsmith.app.studies"))) / "quality2025.toml"
    text = shipped.read_text(encoding="utf-8").replace("everything = true", "n = 30", 1)
    assert "n = 30" in text.split("[step.import]")[0]
    (tmp_path / "small.toml").write_text(text, encoding="utf-8")
    (tmp_path / "data").symlink_to(shipped.parent / "data")
    found = run("study", str(tmp_path / "small.toml"), "--model", str(tiny_gpt2), "--out", str(tmp_path / "q"), "--json")
    rows = results(found.stdout)
    assert found.exit_code == 1, found.output
    assert {(row["set"], row["ours"]) for row in rows if row["agrees"] is False and row["what"] == "items"} >= {("original", 30)}
    page = (tmp_path / "q" / "study" / "study.md").read_text(encoding="utf-8")
    # Four of each refined item's eight sentences are of the design.
    assert "| refined, ten of ours | subject\\_pg | 10 | 40 |" in page
    assert "**Delta(+F) in the set original under" in page.replace("\\", "")
    assert ".." not in page.split("## What to know")[1].replace("...", "")
    # One published item is hardly among the thirty.
    assert not [row for row in rows if row["ours"] is None and "item 2" not in row["at"]]
    assert list((tmp_path / "q").glob("report-lan-*/report.html"))


@pytest.mark.full
def test_the_study_of_gaps(tmp_path: Path, tiny_gpt2: Path) -> None:
    """The shipped file as it is; only the model is smaller, and nothing is drawn."""
    found = run("study", "gaps2025", "--model", str(tiny_gpt2), "--out", str(tmp_path / "g"), "--json")
    assert found.exit_code == 0, found.output
    rows = results(found.stdout)
    kept = {row["what"]: row for row in rows if row["set"] == "kept by both readers"}
    assert (kept["items kept of forty"]["ours"], kept["items kept of forty"]["published"]) == (26, 33)
    assert {row["expected"] for row in kept.values()} == {"comparable"}
    beside = "Section 5, accuracy on Lan et al.'s items and on these"
    assert {row["at"] for row in kept.values()} == {"Section 3.1", "Section 4.1 and Figure 1", "Table 4", beside}
    accuracy = [(row["published"], row["set"]) for row in rows if row["at"] == beside]
    sets = ("200 of Lan et al.'s 8,064", "kept by both readers")
    assert accuracy == [(0.0561, sets[0]), (0.515, sets[1]), (0.6875, sets[0]), (0.879, sets[1])]
    assert not [row for row in rows if row["ours"] is None]
    page = (tmp_path / "g" / "study" / "study.md").read_text(encoding="utf-8")
    assert "Figure 1: accuracy by direct preference and by DiD" in page
    assert "P4, all forty, published: 4.22 bits [3.362, 5.078]" in page.replace("\\", "")
    assert "excluded by reader1 (file), reader2 (file)" in page


@pytest.mark.gpt2
def test_gpt2_gives_the_published_counts(tmp_path: Path) -> None:
    found = run("study", "quality2025", "--model", "gpt2", "--out", str(tmp_path / "q"), "--json")
    rows = [row for row in results(found.stdout) if row["expected"] == "equal"]
    assert {(row["published"], row["ours"]) for row in rows if row["what"].endswith("items")} >= {
        (452.0, 452.0),
        (5544.0, 5544.0),
        (404.0, 404.0),
        (4201.0, 4201.0),
    }


def test_the_study_of_constructions_asks_for_what_licensing_leaves() -> None:
    study = load_study("constructions2022")
    for asked in study.effect:
        head, *rest = asked.effect.split(" ")
        if head == "r":
            metric, corpus, unit = rest
            assert corpus in {"Brown", "WSJ"}
            assert unit in {"construction", "set"}
        else:
            assert head in EFFECTS
            metric = rest[-1]
            name, _, position = " ".join(rest[:-1]).partition(", ")
            paradigm = load_paradigm(name)
            assert is_licensing(paradigm)
            levels = paradigm.choices[0].levels.values()
            assert not position or position in {str(value) for level in levels for value in level.values()}
        assert metric in {one.name for one in METRICS}
    steps = steps_of(study, "here", ["a", "b/c"])
    assert [step.line for step in steps if step.stage == "licensing"] == [
        "study licensing --all --model a --model b/c --out here/licensing -w here",
        "study licensing --convention minicons --all --model a --model b/c --out here/licensing-minicons -w here",
    ]
    assert sum(step.stage == "score" for step in steps) == 2
    # 30 items for each of the paper's 40 patterns, whatever the files balance by default.
    made = [line for step in steps if (line := step.line).startswith("generate ") and " -n 1200 " in line]
    assert len(made) == 6
    assert all("--choose 'embedding=*'" in line for line in made)


def test_a_page_says_first_how_many_numbers_could_be_checked(done: tuple[Path, Path]) -> None:
    _, out = done
    lines = (out / "study" / "study.md").read_text(encoding="utf-8").splitlines()
    with (out / "study" / "numbers.csv").open(encoding="utf-8", newline="") as opened:
        rows = list(csv.DictReader(opened))
    measured: dict[tuple[str, str, str], set[str]] = {}
    for row in rows:
        if row["model"]:
            measured.setdefault((row["what"], row["set"], row["at"]), set()).add(row["agrees"])
    checked = sum(own != {""} for own in measured.values())
    follow = {row["what"] for row in rows if not row["model"]}
    said = next(line for line in lines if "published numbers: " in line)
    assert (checked, len(follow), len(measured) - checked) == (1, 1, 4)
    assert said.startswith("6 published numbers: 1 was checked by measuring or counting here (all agree); 1 follows from others")
    assert "by arithmetic (all agree); 4 could not be checked: " in said
    assert lines.index(said) < 6
    assert any(line.startswith("Scoring convention gapsmith: ") for line in lines[:8])


def test_where_words_repeat_a_page_says_which_number_is_whose(done: tuple[Path, Path], tiny_gpt2: Path, tmp_path: Path) -> None:
    """As if the items were enough for a model of their words: the p beside a verdict is the one that decides it."""

    class Modelled(StudyRun):
        def result(self, set_name: str, contrast: str) -> ContrastResult:
            own = super().result(set_name, contrast)
            model = replace(own.ttest, estimate=7.25, statistic=-148.06, df=4.5, p=0.125)
            slots = (SlotUse("verb", (), 2, ("eat", "see"), closed=True, use="fixed"),)
            words = replace(own.words, kind="words", these=model, slots=slots)
            return replace(own, words=words, p_holm=0.25, by_holm=True, family="the 2 tests", verdict=Conclusion.NO_EVIDENCE)

    study = load_study(str(done[0]))
    with Bank.open(done[1] / "bank.sqlite") as bank:
        plain, modelled = (kind(study, bank, str(tiny_gpt2)) for kind in (StudyRun, Modelled))
        paper = plain.result("all", "did").ttest
        first = by_both(study, [modelled], done[1]).rows[0]
        rows = numbers_of(study, [modelled])
        write_study(study, [modelled], rows, tmp_path)
    decides = "no evidence, p .2500 by the model of the words, corrected over the 2 tests"
    assert first.own.shown.startswith(f"{paper.estimate:+.2f} bits, p {p_value(paper.p)} by the paper's test; {decides}")
    page = (tmp_path / "study.md").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if line.startswith("| all twelve | did |"))
    assert [cell.strip() for cell in row.split("|")][3:11] == [
        f"{paper.estimate:.2f}",
        f"{paper.statistic:.2f}",
        "11",
        p_value(paper.p),
        "7.25",
        "-148.06",
        "4.5",
        ".1250",
    ]
    assert "what the words allow has the larger t and the fewer df" in page
    shares, means = (line for line in page.splitlines() if line.startswith("*Figure"))
    assert "ours is the mean of the model of these words" in means
    assert "model of these words" not in shares
    assert "ours are over items, each counted alike, by the paper's test" in page


def test_the_last_line_in_the_terminal_says_how_many_were_checked(
    done: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    study = load_study(str(done[0]))
    arithmetic = NumberComparison("a difference", "", "", 3.93, "", 3.93, 2, "equal", "arithmetic")
    theirs = NumberComparison("P1", "all", "bundled", 0.5, "gpt2", 0.7, 2, "comparable")
    show(Reproduced(Reproduce(study="small"), study, ("bundled",), (arithmetic, theirs), (), done[1], Beside(study, ())))
    *_, last = capsys.readouterr().out.splitlines()
    assert last.startswith(
        "2 published numbers: none were checked by measuring or counting here; 1 follows from others of them by"
    )
    assert "1 could not be checked" in last


def test_what_somebody_found_is_recorded_and_shown_as_theirs(tmp_path: Path, tiny_gpt2: Path) -> None:
    file, out, record = tmp_path / "small.toml", tmp_path / "out", tmp_path / "theirs.json"
    file.write_text(SMALL, encoding="utf-8")
    asked = ("study", str(file), "--model", str(tiny_gpt2), "--out", str(out))
    assert "As others found it" not in (run(*asked, "--record", str(record)).output + (out / "study" / "study.md").read_text())
    own = read_record(record)
    assert own.study == "small"
    assert own.form == form_of(load_study(str(file)))
    assert own.scorer["bos"] == "bos"
    assert own.scorer["weights"]
    with (out / "study" / "numbers.csv").open(encoding="utf-8", newline="") as opened:
        ours = [float(row["ours"]) for row in csv.DictReader(opened) if row["model"] == own.model and row["ours"]]
    assert [one.ours for one in own.numbers if one.ours is not None] == pytest.approx(ours)
    (out / "records").mkdir()
    said = json.loads(record.read_text(encoding="utf-8"))
    (out / "records" / "ruth.json").write_text(json.dumps({**said, "by": "Ruth", "at": "2020-01-02"}), encoding="utf-8")
    assert run(*asked).exit_code in (0, 1)
    page = (out / "study" / "study.md").read_text(encoding="utf-8")
    assert "As others found it" in page
    assert "| Ruth | 2020-01-02 |" in page
    (out / "records" / "odd.json").write_text('{"study": "small"}', encoding="utf-8")
    with pytest.raises(ConfigError, match=r"odd\.json: is no record of a study"):
        read_record(out / "records" / "odd.json")
    both = run("study", str(file), "--model", str(tiny_gpt2), "--model", "bundled", "--out", str(out), "--record", str(record))
    assert isinstance(both.exception, ConfigError)
