"""POSH-BENCH over the models of a bank: counts, tests, tables and figures, on outcomes that are chosen beforehand."""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from importlib import resources
from inspect import signature
from itertools import islice
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from scipy import stats as scipy_stats
from typer.testing import CliRunner, Result

from gapsmith import check_bank
from gapsmith.app.cli.app import app
from gapsmith.bank import Bank, ItemFilter, NewItem, Scorer, Tokens
from gapsmith.scoring.analysis.posh import BENCHMARKS, CATEGORIES, Evaluation, evaluate, part_of, read_posh_counts
from gapsmith.scoring.analysis.posh.evaluating import Seeds, every_seed, fishers, share_right
from gapsmith.scoring.analysis.posh.mapping import FILES, POSH, SUBCATEGORIES, Part
from gapsmith.scoring.analysis.posh.published import published_table
from gapsmith.scoring.report import evaluation_tests, posh_pages
from gapsmith.scoring.report.numbers import plain
from gapsmith.scoring.report.posh_figures import children_figure, growth_figure, learning_figure, row_name
from gapsmith.scoring.report.posh_pages import benchmark_tables, category_table, marks, stars, subcategory_table
from gapsmith.stats import Result as Share
from gapsmith.stats import fisher_combined, holm, posh_table_8
from gapsmith.templates import load_paradigm, realise, sample
from gapsmith.templates.errors import ConfigError, FormatError, GapsmithError
from tests.interface import expect_results, expect_table
from tests.making import made_tokens, registered
from tests.printed import results
from tests.scoring.analysing import add_items

N = 8
MODELS = {
    # Model, revision and its right answers of the 8 pairs of each phenomenon.
    ("mini-seed1", None): 8,
    ("mini-seed2", None): 6,
    ("big", "step100"): 2,
    ("big", "step900"): 7,
    ("runs/own-seed3/checkpoints/step-00000050", None): 4,
}


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with eight pairs of each phenomenon, and two models with seeds and revisions, besides a checkpoint."""
    root = tmp_path_factory.mktemp("posh") / "work"
    assert run("init", str(root)).exit_code == 0
    blimp = "\n".join(
        json.dumps(
            {
                "sentence_good": f"Who did Tom say {name} saw?",
                "sentence_bad": f"Who did Tom ask if {name} saw?",
                "UID": uid,
            }
        )
        for name, uid in (("Ann", "wh_island"), ("Bob", "wh_island"), ("Jo", "anaphor_number_agreement"))
    )
    (root / "some.jsonl").write_text(blimp + "\n", encoding="utf-8")
    assert run("import", str(root / "some.jsonl"), "-w", str(root)).exit_code == 0
    wanna = "".join(f"Who does {name} wanna wait?\nWhy does {name} wanna wait?\n" for name in ("Tom", "Anna", "Ben"))
    (root / "wanna.txt").write_text(wanna, encoding="utf-8")
    # Three pairs that differ in a name only could be the six sentences of one item; and they read as sentences of posh_wanna.
    said = ("--format", "pair_lines", "--first", "bad", "--paradigm", "minimal_pairs")
    assert run("import", str(root / "wanna.txt"), *said, "-w", str(root)).exit_code == 0
    with Bank.open(root / "bank.sqlite") as bank:
        for name, (_, own, _) in SUBCATEGORIES.items():
            paradigm = load_paradigm(own)
            fillings = islice(sample(paradigm, 5), N)
            items = [NewItem(filling, realise(paradigm, filling), dataset=own) for filling in fillings]
            add_items(bank, paradigm, items, identity=name)
        for number, ((model, revision), right) in enumerate(MODELS.items()):
            identity = {"weights": f"{model} {revision}", "dtype": "float32", "bos": "bos"}
            scorer = registered(bank, Scorer(0, model, f"sha256:{number:08x}", identity))
            block = bank.scores.block(scorer, {"revision": revision} if revision else {})
            bank.scores.add(scorer, list(_scores(bank, right)), block=block)
    return root


def _scores(bank: Bank, right: int) -> Iterator[Tokens]:
    """Every sentence, one token a word; of each phenomenon the acceptable one is the better in the first `right` pairs."""
    for name in bank.paradigms.names():
        for position, item in enumerate(bank.items.iterate(ItemFilter(paradigm=name))):
            for sentence in item.sentences:
                bits = 2.0 if (sentence.condition == "good") == (position < right) else 3.0
                words = sentence.text.split()
                starts = [len(" ".join(words[:i])) + bool(i) for i in range(len(words))]
                spans = [(start, start + len(word), bits) for start, word in zip(starts, words, strict=True)]
                yield made_tokens(sentence.text, spans, None)


@pytest.fixture(scope="module")
def found(workspace: Path) -> Evaluation:
    """Everything in the workspace."""
    with Bank.open(workspace / "bank.sqlite") as bank:
        return evaluate(bank)


def test_seeds_stand_together_and_revisions_apart(found: Evaluation) -> None:
    assert [row_name(row, found.rows) for row in found.rows] == ["mini", "big step100", "big step900", "runs/own"]
    assert found.rows[-1].revision == "step-00000050"
    mini = found.rows[0]
    wanna = found.outcomes[mini, Part(POSH, "wanna", "wanna")]
    assert (wanna.details["correct"], wanna.details["n"]) == ((8, 6), (8, 8))
    assert (wanna.n, wanna.n_given, wanna.unit) == (16, 16, "share")
    assert wanna.estimate == pytest.approx(0.875)
    assert wanna.details["sd"] == pytest.approx(0.25 / 2**0.5)
    island = found.category(mini, "island")
    assert island is not None
    assert (island.details["correct"], island.details["n"]) == ((24, 18), (24, 24))
    assert found.average(mini, of="categories") == pytest.approx((0.875, 0.25 / 2**0.5))
    assert found.average(found.rows[1], of="subcategories") == (0.25, None)
    assert found.notes == ()
    # What was read from names is said, and that a file says otherwise.
    (assumed,) = found.assumed
    assert "mini-seed1: seed 1" in assumed
    assert "models.toml" in assumed


def test_names_of_the_authors_repository_join_seeds_and_sizes_and_a_file_says_otherwise(workspace: Path, tmp_path: Path) -> None:
    root = tmp_path / "named"
    shutil.copytree(workspace, root)
    names = [f"org/gpt2_mini_baby_{words}Mf_32768_{seed}" for words in (10, 30) for seed in (42, 53)]
    with Bank.open(root / "bank.sqlite") as bank:
        for number, model in enumerate(names, 50):
            identity = {"weights": model, "dtype": "float32", "bos": "bos"}
            scorer = registered(bank, Scorer(0, model, f"sha256:{number:08x}", identity))
            bank.scores.add(scorer, list(_scores(bank, 4)), block=bank.scores.block(scorer, {}))
        found = evaluate(bank, models=names)
        assert [(row.model, row.millions) for row in found.rows] == [(f"org/gpt2_mini_baby_{n}Mf_32768", n) for n in (10, 30)]
        assert all(len(own.details["n"]) == 2 for own in found.outcomes.values())
        assert "architecture gpt2, size mini, corpus baby, words 10M, filtered yes, vocabulary 32768, seed 42" in found.assumed[0]
        curve = growth_figure(found, found.rows[0].trained_alike)
        assert curve is not None
        assert "gpt2 baby filtered" in curve.title
        assert "10 50.0 %, 30 50.0 %" in curve.alt
        # A name with two seeds is no guess: it is refused with the lines that decide.
        double = f"{names[0]}-seed7"
        scorer = registered(bank, Scorer(0, double, "sha256:0000ffff", {"weights": double, "dtype": "float32", "bos": "bos"}))
        bank.scores.add(scorer, list(_scores(bank, 4)), block=bank.scores.block(scorer, {}))
        with pytest.raises(ConfigError, match=r"can be read in two ways: seed 42 at the end of .* or seed 7") as refused:
            evaluate(bank, models=[double])
        assert "models.toml" in str(refused.value.hint)
        (root / "models.toml").write_text(
            f'["{double}"]\nmodel = "ours"\nseed = 7\nstep = 500\nwords = "10M"\n', encoding="utf-8"
        )
        told = evaluate(bank, models=[double])
        assert [(row.model, row.revision, row.millions) for row in told.rows] == [("ours", "step500", 10)]
        assert told.assumed == ()
        (root / "models.toml").write_text("x = 1\n", encoding="utf-8")
        with pytest.raises(ConfigError, match="x is no table"):
            evaluate(bank)


def test_files_of_the_published_names_go_before_ours_and_the_page_says_where_ours_differ(
    found: Evaluation, tmp_path: Path
) -> None:
    assert (found.posh, found.behind) == (POSH, FILES)
    # As if the published files had all come in, with other answers in one phenomenon.
    theirs = {
        (row, replace(part, benchmark=FILES)): share_right([1] * len(own.details["n"]), own.details["n"])
        if part.name == "wanna"
        else own
        for (row, part), own in found.outcomes.items()
        if part.benchmark == POSH
    }
    ours = {key: own for key, own in found.outcomes.items() if key[1].benchmark == POSH}
    both = Evaluation({**ours, **theirs}, ())
    assert (both.posh, both.behind) == (FILES, POSH)
    assert "the pairs of files" in category_table(both).caption
    assert "pairs of ours" in category_table(both, POSH).caption
    table = posh_pages.pairs_table(both)
    assert table is not None
    rows = {(cells[0], cells[1]): cells[2:] for cells in table.rows}
    assert rows["mini", "wanna"][0].startswith("12.5")
    assert rows["mini", "wanna"][2:] == ("+75.0", "another")
    assert rows["mini", "locality"][2:] == ("+0.0", "the same")
    page = posh_pages.write_evaluation(both, posh_pages.bayes_fits({}, method="laplace"), tmp_path / "page").page.read_text(
        encoding="utf-8"
    )
    assert (
        page.index("the pairs of files") < page.index("Where our pairs differ from those of files") < page.index("pairs of ours")
    )


def test_other_benchmarks_come_in_by_the_mapping_of_table_10(found: Evaluation) -> None:
    assert found.benchmarks[0] == POSH
    assert set(found.benchmarks) == {POSH, FILES, "BLiMP"}
    (blimp,) = benchmark_tables(found)
    assert [row[:2] for row in blimp.rows] == [("island", "wh_island")]
    named = {
        ("minimal_pairs", "scamp-wh_island"): Part("SCaMP (plausible)", "island", "wh_island"),
        ("minimal_pairs", "scamp-implausible/wh_island"): Part("SCaMP (implausible)", "island", "wh_island_implausible"),
        ("minimal_pairs", "scamp_principle_A_domain_3_implausible"): Part(
            "SCaMP (implausible)", "binding", "principle_A_domain_3_implausible"
        ),
        ("minimal_pairs", "island-effects-adjunct_island"): Part("Zorro", "island", "island-effects-adjunct_island"),
        ("minimal_pairs", "blimp complex_NP_island"): Part("BLiMP", "island", "complex_NP_island"),
        ("minimal_pairs", "question-formation_rr"): Part(FILES, "question formation", "reduced relative"),
        ("minimal_pairs", "posh/principle_a_command"): Part(FILES, "binding", "c-command"),
        ("posh_wanna", "anything"): Part(POSH, "wanna", "wanna"),
    }
    for (paradigm, dataset), part in named.items():
        assert part_of(paradigm, dataset) == part
    # Two benchmarks have a phenomenon of this name, and nothing says which is meant.
    assert part_of("minimal_pairs", "wh_island") is None
    assert part_of("minimal_pairs", "wh_island", uid="wh_island") == Part("BLiMP", "island", "wh_island")
    assert part_of("subject_pg", "main") is None
    # A file that reads as sentences of our paradigm is a file all the same.
    assert part_of("posh_wanna", "wanna", made=False) == Part(FILES, "wanna", "wanna")
    names = [name for parts in BENCHMARKS.values() for own in parts.values() for name in own]
    assert len(names) == 9 + 7 + 2 + 6 + 6


def test_the_stars_are_those_of_both_printed_tables() -> None:
    """Chi-squares of counts pooled over three seeds; a count is any that rounds to the printed percentage."""
    sizes = {category: sum(own == category for own, _, _ in SUBCATEGORIES.values()) for category in CATEGORIES}
    rows = [(r["percent"], r["stars"], 1_500) for r in published_table(8)]
    rows += [(r["percent"], r["stars"], 1_500 * sizes[r["category"]]) for r in published_table(3) if r["category"] in sizes]
    assert len(rows) == 99 + 44
    exact = 0
    for percent, printed, n in rows:
        counts = [c for c in range(n + 1) if abs(100 * c / n - float(percent)) <= 0.0501]
        possible = {len(stars(share_right([c], [n]).p)) for c in counts}
        assert int(printed) in possible, (percent, printed, n)
        exact += possible == {int(printed)}
    assert exact >= 135
    # Not pooled, the binding of WIKI at ten million words is no different from chance.
    assert share_right([1428], [3000]).p == pytest.approx(0.0086, abs=0.0001)
    assert share_right([476], [1000]).p == pytest.approx(0.13, abs=0.005)


def test_seeds_that_are_not_pooled(found: Evaluation) -> None:
    split = share_right([400, 100], [500, 500])
    assert (split.p, every_seed(split).p) == (1.0, 1.0)
    both = share_right([300, 270], [500, 500])
    assert both.p is not None
    assert both.p < 0.0001
    assert every_seed(both).p == pytest.approx(share_right([270], [500]).p)
    for key, own in found.by_seed.items():
        each = every_seed(found.outcomes[key]).p
        assert own.p == each is not None
        assert own.p_adj is not None
        assert own.p_adj >= each
        assert own.family
    assert len(found.results) == 3 * len(found.outcomes)
    assert all(own.family for own in found.results)


def test_fishers_combination_is_the_authors(found: Evaluation) -> None:
    """As scipy combines; 1 only where that is below .05 and seeds lie on both sides of chance, and as it is elsewhere."""
    for correct in ([270, 275, 260], [300, 200, 250], [251, 249, 250], [260, 240, 252]):
        own = fishers(share_right(correct, [500] * 3))
        ps = [share_right([c], [500]).p for c in correct]
        scipys = scipy_stats.combine_pvalues([p for p in ps if p is not None], method="fisher")
        mixed = min(correct) < 250 < max(correct)
        assert own.statistic == pytest.approx(float(scipys.statistic))
        assert own.p == (1.0 if mixed and scipys.pvalue < 0.05 else pytest.approx(float(scipys.pvalue)))
    # Both branches of the rule were taken.
    assert fishers(share_right([300, 200, 250], [500] * 3)).p == 1.0
    undecided = fishers(share_right([251, 249, 250], [500] * 3)).p
    assert undecided is not None
    assert 0.05 < undecided < 1.0
    assert fishers(share_right([500] * 3, [500] * 3)).p == pytest.approx(0.0, abs=1e-100)
    assert fishers(share_right([300, 0], [500, 0])).p is None
    with pytest.raises(ValueError, match="no test"):
        fisher_combined([], mixed=False)
    # The tables star what the study's file names.
    for rule, test in (("pooled", lambda own: own), ("fisher", fishers), ("largest", every_seed)):
        table = subcategory_table(Evaluation(found.outcomes, (), rule))  # type: ignore[arg-type]  # each is one
        row, part = next(key for key in found.outcomes if key[1].name == "adjunct island" and key[1].benchmark == found.posh)
        own = found.outcomes[row, part]
        shown = table.rows[0][2 + found.rows.index(row)]
        raw = {str(number): p for number, one in enumerate(found.outcomes.values()) if (p := test(one).p) is not None}
        corrected = holm(raw)[str(list(found.outcomes).index((row, part)))]
        assert shown.split(" ")[0] == f"{plain(100 * (own.estimate or 0), 1)}{marks(corrected, own)}"
    assert len({category_table(Evaluation(found.outcomes, (), rule)).notes[0] for rule in get_args(Seeds)}) == 3


@pytest.mark.parametrize(
    ("shared", "pooled", "fisher", "largest"), [(0.0, 0.05, 0.01, 0.0), (0.5, 0.14, 0.05, 0.0), (1.0, 0.26, 0.12, 0.05)]
)
def test_what_each_way_of_testing_seeds_is_worth_where_they_share_their_pairs(
    shared: float, pooled: float, fisher: float, largest: float
) -> None:
    """Three seeds that know nothing, 500 pairs, 2,000 sets: how often p < .05 comes, as the page of an evaluation says it. `shared` is the
    share of what decides an answer that the seeds have in common."""
    rng = np.random.default_rng(7)
    often = dict.fromkeys(get_args(Seeds), 0)
    for _ in range(2_000):
        answers = rng.normal(0, shared**0.5, 500) + rng.normal(0, (1 - shared) ** 0.5, (3, 500)) > 0
        own = share_right([int(count) for count in answers.sum(axis=1)], [500] * 3)
        for rule, test in (("pooled", own), ("fisher", fishers(own)), ("largest", every_seed(own))):
            often[rule] += test.p is not None and test.p < 0.05
    expected = {"pooled": pooled, "fisher": fisher, "largest": largest}
    assert {rule: count / 2_000 for rule, count in often.items()} == pytest.approx(expected, abs=0.025)


def test_a_mean_over_some_of_a_category_is_in_no_figure_as_the_whole(found: Evaluation) -> None:
    kept = ("wanna", "wh-island", "adjunct island")
    some = Evaluation({key: own for key, own in found.outcomes.items() if key[1].name in kept}, ())
    said = children_figure(some).alt
    assert "question formation: children" in said
    assert "ours none" in said.split("question formation:")[1]
    assert "ours none" not in said.split("complex NP island:")[0]
    stepped = {(replace(row, revision=f"step{step}"), part): own for (row, part), own in some.outcomes.items() for step in (1, 2)}
    curve = learning_figure(Evaluation(stepped, ()), "mini")
    assert curve is not None
    assert "island (2 of 3 phenomena): 1 " in curve.alt
    assert "wanna: 1 " in curve.alt


def test_a_p_that_does_not_exist_is_no_p_and_has_no_star(found: Evaluation) -> None:
    """A seed without answers: as 0, its p would be the most significant of all, in the cell and in Holm's correction."""
    for nothing in (share_right([0], [0]), share_right([300, 0], [500, 0])):
        assert (nothing.p, nothing.estimate, every_seed(nothing).p) == (None, None, None)
        assert nothing.undefined
    assert stars(None) == ""
    key = next(iter(found.outcomes))
    lacking = Evaluation({**found.outcomes, key: share_right([0], [0])}, ())
    assert (lacking.by_seed[key].p, lacking.by_seed[key].p_adj) == (None, None)
    assert {other for other, own in lacking.by_seed.items() if own.p_adj is not None} == found.outcomes.keys() - {key}


def test_the_tables_have_ours_and_the_printed_ones(found: Evaluation) -> None:
    three, eight = category_table(found), subcategory_table(found)
    assert three.rows[0][:3] == ("mini", "2", "87.5(***) (17.7)")
    assert len(three.rows) == 4 + 11
    assert three.rows[4] == (
        "printed: BABY-F 10M",
        "3",
        "72.0*** (4.6)",
        "53.7*** (2.6)",
        "55.0*** (0.9)",
        "80.0*** (7.9)",
        "65.2 (2.2)",
    )
    assert [row[1] for row in eight.rows] == [*SUBCATEGORIES, "average"]
    assert eight.rows[-1][-3] == "63.0"
    # What came in as files stands in tables of its own.
    files = subcategory_table(found, FILES)
    assert files.caption.endswith("the pairs of files")
    assert files.rows[8][:3] == ("wanna", "wanna", "100.0 (0.0)")
    assert eight.rows[-1][2] == "87.5 (17.7)"


def test_an_evaluation_says_that_it_stands_outside_plans(found: Evaluation) -> None:
    assert {own.family for own in found.results} == {"all phenomena of all models, unplanned"}
    for table in (category_table(found), posh_pages.test_table(found)):
        assert any(note.startswith("No plan covers this evaluation") for note in table.notes)
    assert {row["family"] for row in evaluation_tests(found).rows} == {"all phenomena of all models, unplanned"}


def test_what_nothing_is_concluded_from_is_in_no_family_of_what_something_is(found: Evaluation) -> None:
    """Pairs whose words repeat do not make the correction of the others stricter, nor these of theirs."""

    def corrected(repeating: int) -> list[tuple[bool, float | None, float | None]]:
        kinds = ["described"] * repeating + ["unknown"] * (len(found.outcomes) - repeating)
        outcomes = {
            key: share_right([290], [500 + 2 * n], words)  # type: ignore[arg-type]  # each is one of these words
            for n, (key, words) in enumerate(zip(found.outcomes, kinds, strict=True))
        }
        return [(own.interpretable, own.p, own.p_adj) for own in Evaluation(outcomes, ()).tests["pooled"].values()]

    for repeating in (0, 3):
        rows = corrected(repeating)
        for concluded in (True, False):
            own = {str(n): p for n, (kind, p, _) in enumerate(rows) if kind is concluded and p is not None}
            assert {str(n): adj for n, (kind, _, adj) in enumerate(rows) if kind is concluded} == holm(own)
            assert len(own) == (len(rows) - repeating if concluded else repeating)


def _sixty_times(own: Share) -> Share:
    correct, n = ([60 * count for count in own.details[name]] for name in ("correct", "n"))
    return share_right(
        correct,
        n,
        own.details["words"],
        **{name: getattr(own, name) for name in ("model", "group", "dataset", "design", "contrast")},
    )


def test_all_stars_of_ours_are_of_corrected_p_and_say_so(found: Evaluation) -> None:
    """In every table that has stars; a further function of this page that makes one is walked, too."""
    makers = [
        own
        for name, own in vars(posh_pages).items()
        if re.fullmatch(r"[a-z]+_tables?", name) and own.__module__ == posh_pages.__name__
    ]
    assert len(makers) >= 5
    found = Evaluation({key: _sixty_times(own) for key, own in found.outcomes.items()}, ())
    starred = 0
    for make in makers:
        made = make(found) if signature(make).parameters.keys() & {"found"} else make() if not signature(make).parameters else ()
        for table in made if isinstance(made, list) else [made] if made else []:
            if any("*" in cell for row in table.rows for cell in row) and make is not posh_pages.printed_test_table:
                starred += 1
                assert any("Holm" in said for said in (*table.notes, *table.columns)), table.caption
    assert starred >= 4
    # Of phenomena and of categories it is the p that is corrected over all of them.
    key, own = next((key, own) for key, own in found.outcomes.items() if stars(own.p) and found.starred(own).p_adj != own.p)
    assert found.starred(own).p_adj == found.tests["pooled"][key].p_adj
    row = found.rows[0]
    whole = [found.category(one, name, of) for one in found.rows for of in found.benchmarks for name in CATEGORIES]
    ps = {str(n): own.p for n, own in enumerate(whole) if own is not None and own.p is not None}
    first = found.category(row, CATEGORIES[0])
    assert first is not None
    assert found.starred(first).p_adj == pytest.approx(holm(ps)[str(whole.index(first))])
    assert found.starred(first).p == first.p


def test_means_over_some_of_the_phenomena_stand_in_no_column_with_complete_ones(found: Evaluation) -> None:
    """As where three of the nine are there: no category of table 3 but wanna is whole, and no average of table 8."""
    kept = ("wanna", "wh-island", "adjunct island")
    some = Evaluation({key: own for key, own in found.outcomes.items() if key[1].name in kept}, ())
    assert some.missing("wanna") == ()
    assert some.missing("island") == ("complex NP island",)
    three, eight = category_table(some, POSH), subcategory_table(some, POSH)
    assert three.columns[-2:] == ("Overall", "of what there is")
    for row in three.rows[: len(some.rows)]:
        assert row[2:5] == ("–",) * 3
        assert row[6] == "–"
        assert "island" in row[-1]
        assert "2 of 3" in row[-1]
    assert three.rows[0][5].startswith("87.5")
    assert all(row[-1] == "–" for row in three.rows[len(some.rows) :])
    assert any("complex NP island" in note for note in three.notes)
    assert [row[1] for row in eight.rows[-2:]] == ["average of the 3 that there are", "average"]
    assert set(eight.rows[-1][2 : 2 + len(some.rows)]) == {"–"}
    assert eight.rows[-1][-3] == "63.0"
    # Of a benchmark that is whole nothing is said.
    assert category_table(found).columns[-1] == "Overall"


def test_what_is_below_chance_is_marked() -> None:
    given = ((0.001, 1, "items"), (0.001, 3, "unknown"), (0.2, 1, "items"), (None, 0, "items"), (0.001, 1, "described"))
    said = [marks(p, share_right([correct], [4 if correct else 0], words)) for p, correct, words in given]  # type: ignore[arg-type]
    assert said == ["**↓", "**?", "", "", "(**↓)"]


def test_pairs_whose_words_repeat_bear_no_verdict(found: Evaluation) -> None:
    """Ours are made of few words, so their stars are in brackets and the table says why; with words unknown that is said instead."""
    for own in found.outcomes.values():
        assert own.interpretable is (own.details["words"] != "described")
    table = category_table(found)
    assert any(note.startswith("(*): words repeat over pairs") for note in table.notes)
    row = found.rows[0]
    whole = found.category(row, next(part.category for _, part in found.outcomes))
    assert whole is not None
    assert whole.details["words"] == "described"
    assert not whole.interpretable


def test_learning_curves_are_for_models_with_several_revisions(found: Evaluation) -> None:
    """The curve of a model with two is on the page that the command writes."""
    assert learning_figure(found, "mini") is None
    assert learning_figure(found, "runs/own") is None


@pytest.mark.usefixtures("painted")
def test_the_command_writes_page_figures_and_tables(workspace: Path) -> None:
    counts = workspace / "counts.csv"
    rows = [
        f"{source},{size},{filtered},{seed},{file},{250 + 10 * seed + number},500"
        for number, (_, _, file) in enumerate(SUBCATEGORIES.values())
        for source, filtered in (("baby", "yes"), ("baby", "no"), ("wiki", "no"))
        for size in (10, 50)
        for seed in (1, 2)
    ]
    counts.write_text("corpus,size_million,filtered,seed,phenomenon,correct,n\n" + "\n".join(rows) + "\n", encoding="utf-8")
    done = run("study", "posh", "-w", str(workspace), "--method", "laplace", "--counts", str(counts), "--json")
    assert done.exit_code == 0, done.output
    assert expect_results(done.stdout)
    folder = workspace / "posh"
    assert check_bank(workspace, report=folder).changed == ()
    assert set(json.loads((folder / "manifest.json").read_text("utf-8"))["files"]) == {
        own.name for own in folder.iterdir() if own.name != "manifest.json"
    }
    page = (folder / "posh.md").read_text(encoding="utf-8").replace("\\", "")
    assert "| category[wanna]:filtered[yes] (implied) | not printed | +0.45 [+0.42, +0.48] |" in page
    assert "wanna: 100 25.0 %, 900 87.5 %" in page
    assert "nested Laplace approximation" in page
    assert "counts.csv" in page
    assert "SD of seed" in page
    for name in ("children-and-models", "effects", "learning-big"):
        assert (folder / f"{name}.png").stat().st_size > 20_000
        assert f"({name}.png)" in page
    for name in ("outcomes", "effects"):
        expect_table(f"{name}.csv of posh", (folder / f"{name}.csv").read_text(encoding="utf-8"))
    with (folder / "outcomes.csv").open(encoding="utf-8") as file:
        outcomes = list(csv.DictReader(file))
    assert len(outcomes) == 5 * 11
    assert {row["n"] for row in outcomes if row["benchmark"] == POSH} == {"8"}


def _bad_counts(change: Callable[[str], str]) -> str:
    return change("corpus,size_million,filtered,seed,phenomenon,correct,n\nbaby,10,no,1,wanna,250,500\n")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda text: text.replace("corpus,", "text,"), "no column corpus"),
        (lambda text: text.splitlines()[0], "there is no row"),
        (lambda text: text.replace("wanna", "gonna"), "line 2: 'gonna' is no phenomenon"),
        (lambda text: text.replace("baby", "books"), "line 2: corpus is 'books'"),
        (lambda text: text.replace("250", "many"), "line 2: correct: many is not a whole number from 0 to"),
        (lambda text: text.replace("250", "501"), "line 2: 501 correct of 500"),
    ],
)
def test_counts_that_are_none_are_refused(tmp_path: Path, change: Callable[[str], str], says: str) -> None:
    file = tmp_path / "counts.csv"
    file.write_text(_bad_counts(change), encoding="utf-8")
    with pytest.raises(FormatError, match=says):
        read_posh_counts(file)


def test_a_workspace_without_pairs_or_scores_says_what_to_do(tmp_path: Path) -> None:
    run("init", str(tmp_path / "w"))
    with ExitStack() as stack:
        bank = stack.enter_context(Bank.open(tmp_path / "w" / "bank.sqlite"))
        with pytest.raises(GapsmithError, match="No items here belong to POSH-BENCH"):
            evaluate(bank)
        paradigm = load_paradigm("posh_wanna")
        filling = next(sample(paradigm, 1))
        add_items(bank, paradigm, [NewItem(filling, realise(paradigm, filling))])
        with pytest.raises(GapsmithError, match="No model has scored all pairs"):
            evaluate(bank)


def test_the_shipped_counts_are_those_of_the_study() -> None:
    """Every set of the study stands beside the printed share of its phenomenon."""
    from gapsmith.app.studies import load_study

    study = load_study("posh2026")
    table = posh_table_8()
    printed = {
        (p, size): percent
        for p, size, source, filtered, percent in zip(
            *(table[name] for name in ("phenomenon", "size", "source", "filtered", "percent")), strict=True
        )
        if source == "baby" and (filtered == "yes") == (size == 10)
    }
    by_paradigm = {own: name for name, (_, own, _) in SUBCATEGORIES.items()}
    sets = {one.name: by_paradigm[one.paradigm] for one in study.set}
    assert len(sets) == 9
    for number in study.number:
        size = 100 if "100M" in number.what else 10
        assert 100 * number.published == pytest.approx(printed[sets[number.set], size])


@pytest.mark.full
def test_the_study_makes_scores_and_compares(tmp_path: Path, tiny_gpt2: Path) -> None:
    """`reproduce posh2026` with four pairs of each phenomenon, a random model, and the approximation."""
    file = tmp_path / "small.toml"
    text = (Path(str(resources.files("gapsmith.app.studies"))) / "posh2026.toml").read_text(encoding="utf-8")
    assert text.count("n = 500\n") == 9
    text = text.replace("n = 500\n", "n = 4\n").replace("[step.posh]", '[step.posh]\nmethod = "laplace"')
    file.write_text(text, encoding="utf-8")
    done = run("study", str(file), "--model", str(tiny_gpt2), "--out", str(tmp_path / "out"), "--json")
    assert done.exit_code == 0, done.output
    rows = results(done.stdout)
    assert len(rows) == 18
    assert {row["expected"] for row in rows} == {"comparable"}
    shares = {row["set"]: row["ours"] for row in rows}
    with (tmp_path / "out" / "posh" / "outcomes.csv").open(encoding="utf-8") as opened:
        outcomes = {row["phenomenon"]: int(row["correct"]) / int(row["n"]) for row in csv.DictReader(opened)}
    # Perplexity and mean surprisal say the same of every pair.
    assert sorted(shares.values()) == sorted(outcomes.values())
    assert len(outcomes) == 9
    # Scores that were made elsewhere are a row as well.
    there = ("-w", str(tmp_path / "out"))
    tokens = str(tmp_path / "tokens.csv")
    assert run("export", "tokens", "--all", "-p", "posh_wanna", "-o", tokens, *there).exit_code == 0
    with Path(tokens).open(encoding="utf-8", newline="") as opened:
        every = list(csv.DictReader(opened))
    with Path(tokens).open("w", encoding="utf-8", newline="") as opened:
        # The other scorer is what the authors' scripts do, without BOS.
        writer = csv.DictWriter(opened, list(every[0]))
        writer.writeheader()
        writer.writerows(row for row in every if row["scorer"] == every[0]["scorer"])
    assert run("import-scores", tokens, "--model", "elsewhere", "--unit", "bits", "-d", "posh_wanna", *there).exit_code == 0
    with Bank.open(tmp_path / "out" / "bank.sqlite") as bank:
        found = evaluate(bank)
    own, imported = (found.category(row, "wanna") for row in found.rows)
    assert own is not None
    assert imported is not None
    assert replace(imported, model=own.model, group=own.group) == own
