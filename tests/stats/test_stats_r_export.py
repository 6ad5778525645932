"""What is written for R is run in R, where there is one, and gives what our own fit gives."""

from __future__ import annotations

import csv
import itertools
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from gapsmith.stats import ModelFormulaError, default_formula, export_r, fit_mixed, one_sample_t
from gapsmith.stats.r_export import RMaterial
from tests.parts import first_of

FILLER, OPEN, FILLED = ("that", "who"), "open", "filled"
DESIGNS = {"eight": ("filler", "gap1", "gap2"), "four": ("filler", "gap2"), "islands": ("filler", "island")}
REFERENCE = Path(__file__).parent.parent / "reference" / "mixed_data.csv"


@cache
def r_with_lme4() -> str | None:
    """Why R cannot run here, or None."""
    program = shutil.which("Rscript")
    if program is None:
        return "Rscript is not installed"
    asked = 'quit(status = !(requireNamespace("lme4", quietly = TRUE) && requireNamespace("lmerTest", quietly = TRUE)))'
    done = subprocess.run([program, "-e", asked], capture_output=True, check=False)
    return None if done.returncode == 0 else "R has no lme4 or no lmerTest"


@pytest.fixture(scope="session")
def r_here() -> None:
    """Skips where there is no R with lme4."""
    reason = r_with_lme4()
    if reason:
        pytest.skip(reason)


def scored(design: str, model: int, dataset: int) -> pd.DataFrame:
    """Sentences of a design whose values have effects of the item, of its critical word and of a slope; a seed for each."""
    rng = np.random.default_rng([7, len(design), model, dataset])
    n = (24, 33)[dataset]
    level, noise = ((12.0, 1.0), (9.0, 1.6))[model]
    names = DESIGNS[design]
    levels_of = {"filler": FILLER, "island": ("none", "whether", "adjunct")}
    cells = list(itertools.product(*(levels_of.get(name, (FILLED, OPEN)) for name in names)))
    rows: list[dict[str, Any]] = []
    for item in range(n):
        intercept, slope = rng.normal(0, 1.3), rng.normal(0, 0.7)
        words = {FILLED: ("Anna's", "Kim", "you")[item % 3], OPEN: ("soon", "eventually")[item % 2]}
        of_word = {gap: rng.normal(0, 1.5) for gap in words}
        for levels in cells:
            row: dict[str, Any] = dict(zip(names, levels, strict=True))
            gap = row.get("gap2", OPEN)
            filled = 1 if row["filler"] == "who" else -1
            value = level + intercept + slope * filled + of_word[gap] + (4 if gap == OPEN else 0)
            value += filled * (1.0 if gap == FILLED else -1.5) * (0.5 if row.get("island", "none") != "none" else 1)
            value += 0.4 if row.get("gap1") == OPEN else 0
            rows.append(
                {
                    "item": f"NA {item}" if item else "NA",
                    "critical word": words[gap],
                    **row,
                    "surprisal": value + rng.normal(0, noise),
                }
            )
    return pd.DataFrame(rows)


def run_in_r(folder: Path, materials: dict[str, RMaterial]) -> dict[str, tuple[list[dict[str, str]], dict[str, str]]]:
    """The coefficients and the fit that R writes for each script; one R for all of them."""
    for name, material in materials.items():
        (folder / name).mkdir()
        (folder / name / "model.R").write_text(material.script, encoding="utf-8")
        (folder / name / material.data_file).write_text(material.data, encoding="utf-8")
    loop = 'home <- getwd(); for (name in list.dirs(".", recursive = FALSE)) { setwd(name); source("model.R"); setwd(home) }'
    done = subprocess.run(["Rscript", "-e", loop], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = {}
    for name in materials:
        tables = []
        for file in ("coefficients.csv", "fit.csv"):
            with (folder / name / file).open(encoding="utf-8") as opened:
                tables.append(list(csv.DictReader(opened)))
        found[name] = (tables[0], tables[1][0])
    return found


@pytest.mark.full
@pytest.mark.parametrize("models_and_sets", first_of([[(0, 0)], [(0, 1), (1, 0), (1, 1)]]))
def test_three_designs_two_models_two_sets_agree_with_r(
    r_here: None, tmp_path: Path, models_and_sets: list[tuple[int, int]]
) -> None:
    frames = {(d, m, s): scored(d, m, s) for d in DESIGNS for m, s in models_and_sets}
    formulas, materials = {}, {}
    for key, frame in frames.items():
        # The islands have one critical word per item, so by-item slopes are what is left to vary.
        structure: Any = "slopes" if key[0] == "islands" else "words"
        formulas[key] = default_formula(frame, factors=DESIGNS[key[0]], word="critical word", structure=structure)
        materials["-".join(map(str, key))] = export_r(formulas[key], frame)
    first = models_and_sets[0]
    assert formulas["eight", *first] == "surprisal ~ filler * gap1 * gap2 + (1 | item) + (1 | item:`critical word`)"
    assert formulas["islands", *first] == "surprisal ~ filler * island + (filler + island | item)"
    for name, (rows, summary) in run_in_r(tmp_path, materials).items():
        design, model, dataset = name.split("-")
        key = (design, int(model), int(dataset))
        fit = fit_mixed(formulas[key], frames[key])
        assert fit.n == int(summary["rows"]) == len(frames[key])
        assert fit.log_likelihood == pytest.approx(float(summary["log_likelihood"]), rel=1e-6)
        assert fit.singular == (summary["singular"] == "TRUE")
        assert len(rows) == len(fit.coefficients)
        for own, row in zip(fit.coefficients, rows, strict=True):
            assert own.estimate == pytest.approx(float(row["Estimate"]), rel=1e-3, abs=1e-4)
            # Where a variance is zero both stop on a flat boundary, and the likelihood is what can be compared.
            if not fit.singular:
                assert own.se == pytest.approx(float(row["Std. Error"]), rel=1e-3)
                assert own.df == pytest.approx(float(row["df"]), rel=1e-3)
                assert own.statistic == pytest.approx(float(row["t value"]), rel=1e-3, abs=1e-3)


@pytest.mark.full
def test_missing_values_transforms_and_logistic_models_agree_with_r(r_here: None, tmp_path: Path) -> None:
    data = pd.read_csv(REFERENCE)
    data["surprisal"] = data["surprisal"].astype(object)
    data.loc[[2, 50, 51], "surprisal"] = None
    data["length"] = data["length"].astype(object)
    data.loc[60, "length"] = None
    data["right"] = data["correct"] == 1
    asked: dict[str, tuple[str, dict[str, Any]]] = {
        "missing": ("log(surprisal) ~ filler * center(length) + C(depth) + (1 | item)", {}),
        "levels": (
            "surprisal ~ filler * gap + (1 | item)",
            {"levels": {"filler": ["who", "that"]}, "coding": "treatment"},
        ),
        "likelihood": ("surprisal ~ gap + (1 | item) + (1 | word)", {"reml": False}),
        "shares": ("right ~ filler + (1 | item)", {"family": "binomial"}),
        "counts": ("cbind(hits, misses) ~ filler + gap + (1 | item)", {"family": "binomial"}),
    }
    found = run_in_r(tmp_path, {name: export_r(formula, data, **options) for name, (formula, options) in asked.items()})
    for name, (formula, options) in asked.items():
        fit = fit_mixed(formula, data, **options)
        rows, summary = found[name]
        assert fit.n == int(summary["rows"])
        assert fit.log_likelihood == pytest.approx(float(summary["log_likelihood"]), rel=1e-5)
        assert [own.estimate for own in fit.coefficients] == pytest.approx(
            [float(row["Estimate"]) for row in rows], rel=2e-3, abs=1e-4
        )
    assert fit_mixed(*asked["missing"][:1], data).n_undefined == 4


def test_the_words_of_an_item_get_an_intercept_of_their_own() -> None:
    """One intercept for the adverb and the name drowns a contrast that the paired test finds."""
    frame = scored("four", 1, 1)
    rng = np.random.default_rng(5)
    # The adverb and the name of an item differ far more than the conditions do.
    of_word = {(item, gap): rng.normal(0, 8) for item in frame["item"].unique() for gap in (FILLED, OPEN)}
    frame["surprisal"] += [of_word[key] for key in zip(frame["item"], frame["gap2"], strict=True)]
    wide = frame.pivot_table(index="item", columns=["filler", "gap2"], values="surprisal")
    difference = (wide["who", FILLED] - wide["that", FILLED]) - (wide["who", OPEN] - wide["that", OPEN])
    paired = one_sample_t(difference.to_numpy()).statistic
    assert paired is not None

    def interaction(formula: str) -> float:
        return abs(fit_mixed(formula, frame).coefficient("filler[that]:gap2[filled]").statistic)

    formula = default_formula(frame, factors=("filler", "gap2"), word="critical word")
    assert formula == "surprisal ~ filler * gap2 + (1 | item) + (1 | item:`critical word`)"
    assert interaction(formula) == pytest.approx(abs(paired), rel=0.15)
    # The recipe that gives the items one intercept and a slope of the filler misses it.
    assert interaction("surprisal ~ filler * gap2 + (1 + filler | item)") < 0.35 * abs(paired)


def test_in_a_crossed_set_contrasts_are_tested_against_how_they_vary_with_the_words() -> None:
    """The long model with slopes by slot gives what a model of the items' contrasts gives; intercepts do not."""
    rng = np.random.default_rng(1)
    sizes = {"noun": 6, "verb": 5, "linker": 4}
    effects = {(slot, effect): rng.normal(0, 1, n) for slot, n in sizes.items() for effect in ("level", "a", "b", "ab")}
    rows, contrasts, words = [], [], []
    for number, chosen in enumerate(itertools.product(*(range(n) for n in sizes.values()))):
        own = dict(zip(sizes, chosen, strict=True))
        words.append({slot: str(word) for slot, word in own.items()})
        of = {e: sum(effects[slot, e][word] for slot, word in own.items()) for e in ("level", "a", "b", "ab")}
        cells = {}
        for a, b in itertools.product((-0.5, 0.5), repeat=2):
            cells[a, b] = 10 + of["level"] + a * of["a"] + b * (4 + of["b"]) + 2 * a * b * (1 + of["ab"]) + rng.normal()
            rows.append({"item": number, "a": a, "b": b, "surprisal": cells[a, b], **words[-1]})
        contrasts.append(cells[0.5, 0.5] - cells[-0.5, 0.5] - cells[0.5, -0.5] + cells[-0.5, -0.5])
    frame = pd.DataFrame(rows)
    short = pd.DataFrame({"contrast": contrasts, **{slot: [own[slot] for own in words] for slot in sizes}})
    (tested,) = fit_mixed("contrast ~ 1 + (1 | noun) + (1 | verb) + (1 | linker)", short).coefficients
    formula = default_formula(frame, factors=("a", "b"), word=None, slots=tuple(sizes))
    assert formula == "surprisal ~ a * b + (1 | item) + (a * b || noun) + (a * b || verb) + (a * b || linker)"
    long = fit_mixed(formula, frame).coefficient("a:b")
    assert long.estimate == pytest.approx(tested.estimate)
    assert long.statistic == pytest.approx(tested.statistic, rel=0.02)
    assert long.df == pytest.approx(tested.df, rel=0.1)
    intercepts = fit_mixed("surprisal ~ a * b + (1 | item) + (1 | noun) + (1 | verb) + (1 | linker)", frame)
    assert abs(intercepts.coefficient("a:b").statistic) > 3 * abs(long.statistic)


def test_slots_and_groups_have_several_rows() -> None:
    frame = scored("four", 0, 0)
    frame["verb"] = [f"v{row % 3}" for row in range(len(frame))]
    crossed = default_formula(frame, factors=("filler",), word=None, slots=("verb",), held=("gap2",), structure="uncorrelated")
    assert crossed == "surprisal ~ filler * gap2 + (filler || item) + (filler || verb)"
    three = default_formula(frame, factors=("filler", "gap2"), word=None, structure="uncorrelated")
    # The slope of the interaction by item would be the residuals.
    assert three == "surprisal ~ filler * gap2 + (filler + gap2 || item)"
    once = frame.drop_duplicates("item")
    assert default_formula(once, factors=(), word="critical word", slots=("verb",)) == "surprisal ~ 1 + (1 | verb)"
    with pytest.raises(ModelFormulaError, match="nothing to group by"):
        default_formula(once, factors=(), word=None)
    with pytest.raises(ModelFormulaError, match="no column 'gap9'"):
        default_formula(frame, factors=("gap9",))


def test_the_script_quotes_what_it_writes() -> None:
    frame = {
        "y": [1.0, 2.5, None, 4.0, 3.0],
        "item": ['a "b"', "a\\", "NA", "", 'a "b"'],
        "f": ["ü", "x", "x", "ü", "x"],
    }
    material = export_r("y ~ f + (1 | item)", frame)
    assert material.data.splitlines()[:4] == ['"y","f","item"', '1.0,"ü","a ""b"""', '2.5,"x","a\\"', '<NA>,"x","NA"']
    assert 'levels = c("x", "ü")' in material.script
    with pytest.raises(ModelFormulaError, match="depth is a number and a factor in one formula"):
        export_r("surprisal ~ depth + C(depth):filler + (1 | item)", pd.read_csv(REFERENCE))
    with pytest.raises(ModelFormulaError, match="no column 'z'"):
        export_r("y ~ z + (1 | item)", frame)
