"""The page of an evaluation: tables 3 and 8 with the printed ones, chi-squares, the Bayesian model, figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gapsmith.bank import request_line
from gapsmith.bank.formats import csv_text
from gapsmith.scoring.analysis import WORDS_UNKNOWN
from gapsmith.scoring.analysis.posh.evaluating import Evaluation, Seeds
from gapsmith.scoring.analysis.posh.mapping import CATEGORIES, FILES, POSH, SUBCATEGORIES
from gapsmith.scoring.analysis.posh.published import FORMULA, LEVELS, published_table
from gapsmith.scoring.report.drawing import Drawing
from gapsmith.scoring.report.effect_tables import results_table
from gapsmith.scoring.report.markdown import markdown_table, markdown_text
from gapsmith.scoring.report.number_tables import NumberTable
from gapsmith.scoring.report.numbers import NO_VALUE, p_value, plain
from gapsmith.scoring.report.posh_experiments import Learner, departure_lines, write_experiments
from gapsmith.scoring.report.posh_figures import children_figure, forest_figure, growth_figure, learning_figure, row_name
from gapsmith.scoring.report.tables import Table
from gapsmith.scoring.report.written import WrittenPage
from gapsmith.stats import BayesFit, Priors, Result, chi_square_chance, fit_bayes, posh_table_8
from gapsmith.templates import GAPSMITH, find_convention

_STARRED: Mapping[Seeds, str] = {
    "pooled": "over the counts of all seeds together",
    "fisher": "of each seed, their p combined by Fisher's method (1 where that is below .05 and seeds lie on both sides of chance)",
    "largest": "of each seed, the largest p of them (1 where seeds lie on both sides of chance)",
}
_STARS = (
    "Mean over seeds, SD in parentheses. Stars: two-sided chi-square against 50 % {how}, p corrected by Holm over the {family}, "
    "* p < .05, ** p < .01, *** p < .001; ↓: fewer than chance would have right. Printed rows and columns have the paper's stars, of p "
    "that is not corrected."
)
_NO_PLAN = (
    "No plan covers this evaluation (`gapsmith plan freeze` is for contrasts and criteria of `gapsmith analyze`): all of its tests are "
    "unplanned."
)
_OTHER_PAIRS = (
    "Our pairs are made from the templates of table 13 with words of ours, so they are other sentences: what is concluded of the benchmark "
    "is concluded of the pairs of files."
)
_OVERALL = "Overall is the mean of the four categories."
_EACH = (
    "Pooled counts and Fisher's combination take every answer as independent, and the seeds answer the same pairs. Where three seeds answer "
    "all of 500 pairs alike and nothing is known, p < .05 comes with a chance of .26 pooled, .12 by Fisher, .05 by the largest p; where "
    "pairs share half of what decides an answer, .14, .05 and less than .01. By the largest p a phenomenon differs from chance where each "
    "seed does by itself, on the same side. Holm of the largest p, over all rows and phenomena of this evaluation."
)
_CHILDREN = (
    "Children's accuracies are those of table 7, from studies with tasks of their own; the ages stand beside the words that "
    "a child may have heard by then. Models outside that training have no place on that scale; the last six rows are drawn."
)
_PRIOR = (
    "Size, source, filtering and the interactions do not depend on the prior; the category terms do, since nine phenomena in "
    "four categories leave them open. The effect of filtering on wanna is implied (minus the sum of the others); it is why "
    "filtering is positive on the whole. Counts other than table 8's are another data set: comparable, never equal."
)
_EXPERIMENTS = "Figures 2, 4 and 5, tables 4 to 6, 9 and 10, and what was not run: [experiments](experiments.md)."
_NO_EXPERIMENTS = (
    "Not run: no learner of a grid has been trained here, so figures 2, 4 and 5 are not drawn. `gapsmith study posh2026 --grid miniature` "
    "trains all kinds of them in small, half an hour on two processor cores; `--grid posh-corpora` and `--grid posh-biases` are the paper's, "
    "for a GPU and corpora of yours."
)
_CATEGORY_NAMES = ("Island", "Question formation", "Binding", "Wanna")
_LIMITS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))


def stars(p: float | None) -> str:
    """``***`` below .001, ``**`` below .01, ``*`` below .05, as the paper has them; none where there is no p."""
    return "" if p is None else next((marks for limit, marks in _LIMITS if p < limit), "")


def marks(p: float | None, own: Result) -> str:
    """The stars of a corrected p, and whether the share is fewer than chance would have right; in brackets where words repeat,
    with a question mark where they are not known."""
    found = stars(p)
    if found and own.estimate is not None and own.estimate < 0.5:
        found += "↓"
    if found and own.details["words"] == "unknown":
        found += "?"
    return f"({found})" if found and own.details["words"] == "described" else found


def category_table(found: Evaluation, benchmark: str | None = None) -> Table:
    """Table 3: our rows, then the printed ones."""
    cells: list[tuple[str, ...]] = []
    missing = [found.missing(category, benchmark) for category in CATEGORIES]
    for row in found.rows:
        own = [found.category(row, category, benchmark) for category in CATEGORIES]
        if any(share is not None for share in own):
            seeds = max(len(share.details["n"]) for share in own if share is not None)
            whole = [None if lacking else share for share, lacking in zip(own, missing, strict=True)]
            average = _average(found.average(row, of="categories", benchmark=benchmark))
            cells.append(
                (
                    row_name(row, found.rows),
                    str(seeds),
                    *(_share(found, share) for share in whole),
                    NO_VALUE if any(missing) else average,
                    *([_in_part(found, own, missing, average)] if any(missing) else []),
                )
            )
    printed = {(r["size"], r["source"], r["filtered"], r["category"]): r for r in published_table(3)}
    for size, source, filtered in dict.fromkeys(key[:3] for key in printed):
        values = [printed[size, source, filtered, category] for category in (*CATEGORIES, "overall")]
        shown = (f"{r['percent']}{'*' * int(r['stars'])} ({r['sd']})" for r in values)
        cells.append((f"printed: {_training(source, filtered)} {size}M", "3", *shown, *([NO_VALUE] if any(missing) else [])))
    return Table(
        f"Right by {_measured(found)}, % (table 3){_said_of(found, benchmark)}",
        ("model", "seeds", *_CATEGORY_NAMES, "Overall", *(["of what there is"] if any(missing) else [])),
        tuple(cells),
        frozenset(range(1, 7)),
        notes=(
            _STARS.format(how=_STARRED[found.seeds], family="categories of all models"),
            _OVERALL,
            _NO_PLAN,
            *_said_of_words(found, benchmark),
            *_said_of_missing(found, benchmark),
        ),
    )


def _in_part(found: Evaluation, own: Sequence[Result | None], missing: Sequence[Sequence[str]], average: str) -> str:
    """The means over what is there of categories, and of all, that lack a phenomenon: in no column with complete ones."""
    said = []
    for category, share, lacking in zip(CATEGORIES, own, missing, strict=True):
        if share is not None and lacking:
            n = sum(category == name for name, _, _ in SUBCATEGORIES.values())
            said.append(f"{category} {_share(found, share)}, {n - len(lacking)} of {n}")
    if average != NO_VALUE:
        n_whole = sum(not lacking for lacking in missing)
        said.append(f"mean {average}, {n_whole} of {len(CATEGORIES)} categories whole")
    return "; ".join(said) or NO_VALUE


def _said_of_words(found: Evaluation, benchmark: str | None) -> list[str]:
    """For which phenomena the chi-square takes for independent what is not, or may not be."""
    kinds = {
        part.name: own.details["words"]
        for (_, part), own in found.outcomes.items()
        if part.benchmark == (benchmark or found.posh)
    }
    repeat, unknown = ([name for name, own in kinds.items() if own == kind] for kind in ("described", "unknown"))
    said = [f"(*): words repeat over pairs, which the chi-square takes for independent, so no verdict: {', '.join(repeat)}."]
    said = said if repeat else []
    return said + (
        [f"?: {WORDS_UNKNOWN}, so pairs are taken as independent; where words repeat, p is too small: {', '.join(unknown)}."]
        if unknown
        else []
    )


def _said_of_missing(found: Evaluation, benchmark: str | None) -> list[str]:
    """Which phenomena of table 8 nobody has been measured on."""
    missing = found.missing(benchmark=benchmark)
    if not missing:
        return []
    n = len(SUBCATEGORIES)
    return [
        f"{n - len(missing)} of {n} phenomena are there; no mean stands beside the printed ones without {', '.join(missing)}."
    ]


def subcategory_table(found: Evaluation, benchmark: str | None = None) -> Table:
    """Table 8: subcategories down, our rows across, then two printed columns."""
    rows = found.rows
    parts = {part.name: part for part in found.parts(benchmark)}
    printed = {(r["phenomenon"], r["size"], r["source"], r["filtered"]): r for r in published_table(8)}
    beside = (("10", "baby", "yes"), ("100", "baby", "no"), ("100", "wiki", "no"))
    cells = []
    for name, (category, _, _) in SUBCATEGORIES.items():
        ours = [_share(found, found.outcomes.get((row, parts[name]))) if name in parts else NO_VALUE for row in rows]
        theirs = [printed[name, *key] for key in beside]
        cells.append((category, name, *ours, *(f"{r['percent']}{'*' * int(r['stars'])} ({r['sd']})" for r in theirs)))
    averages = [_average(found.average(row, of="subcategories", benchmark=benchmark)) for row in rows]
    missing = found.missing(benchmark=benchmark)
    means = [sum(float(printed[name, *key]["percent"]) for name in SUBCATEGORIES) / len(SUBCATEGORIES) for key in beside]
    if missing:
        n = len(SUBCATEGORIES)
        cells.append(("", f"average of the {n - len(missing)} that there are", *averages, *(NO_VALUE for _ in means)))
        averages = [NO_VALUE for _ in rows]
    cells.append(("", "average", *averages, *(plain(mean, 1) for mean in means)))
    return Table(
        f"Right by {_measured(found)}, % (table 8){_said_of(found, benchmark)}",
        (
            "category",
            "phenomenon",
            *(row_name(row, rows) for row in rows),
            *(f"printed: {_training(s, f)} {m}M" for m, s, f in beside),
        ),
        tuple(cells),
        frozenset(range(2, 2 + len(rows) + len(beside))),
        notes=(
            _STARS.format(how=_STARRED[found.seeds], family="phenomena of all models"),
            *_said_of_words(found, benchmark),
            *_said_of_missing(found, benchmark),
        ),
    )


def _measured(found: Evaluation) -> str:
    """By what pairs are right."""
    whole = find_convention(found.convention).whole
    if found.convention == GAPSMITH or whole is None:
        return "perplexity"
    return f"{'summed' if whole == 'sum' else 'mean'} log-probability, convention {found.convention}"


def convention_table(found: Evaluation) -> Table | None:
    """What other scoring conventions make of the same weights and pairs: every phenomenon of which the conclusion (above chance, below it, no
    difference) is not the same under all; None where nothing was scored for another."""
    every = {found.convention: found, **found.others}
    if len(every) < 2:
        return None
    cells, n_alike = [], 0
    for row in found.rows:
        for part in (*found.parts(POSH), *found.parts(FILES)):
            own = [one.outcomes.get((row, part)) for one in every.values()]
            sides = {_side(one, share) for one, share in zip(every.values(), own, strict=True) if share is not None}
            if len(sides) < 2:
                n_alike += 1
                continue
            shares = (_share(one, share) for one, share in zip(every.values(), own, strict=True))
            cells.append((row_name(row, found.rows), part.name + _said_of(found, part.benchmark), *shares))
    said = f"In {n_alike} other cases all conventions that were scored come to the same conclusion." if cells else ""
    nothing = "Under all conventions that were scored every phenomenon has the same conclusion."
    return Table(
        "Where the scoring convention decides, %",
        ("model", "phenomenon", *every),
        tuple(cells),
        frozenset(range(2, 2 + len(every))),
        notes=(said or nothing, *(f"{name}: {find_convention(name).title}." for name in every)),
    )


def pairs_table(found: Evaluation) -> Table | None:
    """Our pairs beside those of files, phenomenon by phenomenon, under every model that has scored both; None where no model has."""
    ours = {part.name: part for part in found.parts(POSH)}
    cells, n_alike = [], 0
    for row in found.rows:
        for part in found.parts(FILES):
            other = found.outcomes.get((row, ours[part.name])) if part.name in ours else None
            own = found.outcomes.get((row, part))
            if own is None or other is None or own.estimate is None or other.estimate is None:
                continue
            difference = other.estimate - own.estimate
            unlike = _side(found, own) != _side(found, other)
            n_alike += not unlike
            said = "another" if unlike else "the same"
            shares = (_share(found, own), _share(found, other), f"{100 * difference:+.1f}")
            cells.append((row_name(row, found.rows), part.name, *shares, said))
    if not cells:
        return None
    return Table(
        "Where our pairs differ from those of files, %",
        ("model", "phenomenon", "pairs of files", "pairs of ours", "ours less theirs", "conclusion"),
        tuple(cells),
        frozenset({2, 3, 4}),
        notes=(
            _STARS.format(how=_STARRED[found.seeds], family="phenomena of all models"),
            _OTHER_PAIRS,
            f"In {n_alike} of {len(cells)} cases ours come to the same conclusion: above chance, below it, or no difference.",
        ),
    )


def _side(found: Evaluation, own: Result) -> int:
    """1 for more right than by chance, -1 for fewer, 0 for no difference at p < .05."""
    p = found.starred(own).p
    return 0 if p is None or p >= 0.05 or own.estimate is None else 1 if own.estimate > 0.5 else -1


def _said_of(found: Evaluation, benchmark: str | None) -> str:
    if (benchmark or found.posh) == FILES:
        return ", the pairs of files"
    return ", pairs of ours" if found.posh == FILES else ""


def test_table(found: Evaluation) -> Table:
    """Chi-squares with and without pooling of the seeds."""
    cells = []
    for row in found.rows:
        for part in (*found.parts(POSH), *found.parts(FILES)):
            pooled = found.outcomes.get((row, part))
            if pooled is not None:
                each = found.by_seed[row, part]
                values = (
                    _percent(pooled.estimate),
                    p_value(pooled.p),
                    p_value(found.tests["fisher"][row, part].p),
                    p_value(each.p),
                    p_value(each.p_adj),
                    marks(each.p_adj, pooled),
                )
                named = part.name + _said_of(found, part.benchmark)
                cells.append((row_name(row, found.rows), named, str(len(pooled.details["n"])), *values))
    return Table(
        "Chi-squares against chance",
        ("model", "phenomenon", "seeds", "%", "p, seeds pooled", "p, Fisher", "p, largest of the seeds", "Holm", ""),
        tuple(cells),
        frozenset(range(2, 8)),
        notes=(_EACH, _NO_PLAN, *dict.fromkeys(note for own in (POSH, FILES) for note in _said_of_words(found, own))),
    )


def printed_test_table() -> Table:
    """The printed categories of table 3 tested over pooled counts, as there, and over those of one seed."""
    sizes = {category: sum(own == category for own, _, _ in SUBCATEGORIES.values()) * 500 for category in CATEGORIES}
    cells = []
    for r in published_table(3):
        if r["category"] in sizes:
            n = sizes[r["category"]]
            share = float(r["percent"]) / 100
            pooled, single = (chi_square_chance(round(share * m), m).p for m in (3 * n, n))
            if stars(pooled) != stars(single):
                name = f"{_training(r['source'], r['filtered'])} {r['size']}M"
                cells.append((name, r["category"], r["percent"], "*" * int(r["stars"]), p_value(pooled), p_value(single)))
    return Table(
        "Printed stars that hang on pooling the seeds (table 3)",
        ("training", "category", "%", "printed", "p, three seeds pooled", "p, the items of one seed"),
        tuple(cells),
        frozenset({2, 4, 5}),
    )


def benchmark_tables(found: Evaluation) -> list[Table]:
    """The same categories in other benchmarks, by the mapping of table 10."""
    tables = []
    for benchmark in found.benchmarks:
        parts = found.parts(benchmark)
        if benchmark in (POSH, FILES) or not parts:
            continue
        cells = [
            (part.category, part.name, *(_share(found, found.outcomes.get((row, part))) for row in found.rows)) for part in parts
        ]
        columns = ("category", "phenomenon", *(row_name(row, found.rows) for row in found.rows))
        notes = (_STARS.format(how=_STARRED[found.seeds], family="phenomena of all models"),)
        tables.append(Table(f"{benchmark}, %", columns, tuple(cells), frozenset(range(2, len(columns))), notes))
    return tables


def bayes_fits(
    counts: Mapping[str, Mapping[str, list[Any]]], *, method: Any = None, draws: int = 1_000
) -> list[tuple[str, BayesFit]]:
    """The model of table 12 on table 8's counts, and on counts of one's own by their names, which have seeds."""
    fits = [("table 8's counts", fit_bayes(FORMULA, posh_table_8(), levels=LEVELS, method=method, draws=draws))]
    formula = FORMULA.replace("(1 | phenomenon)", "(1 | seed) + (1 | phenomenon)")
    fits += [(name, fit_bayes(formula, own, levels=LEVELS, method=method, draws=draws)) for name, own in counts.items()]
    return fits


def bayes_tables(fits: Sequence[tuple[str, BayesFit]]) -> list[Table]:
    """Table 12 beside ours, and what the category terms owe to the prior."""
    printed = {r["term"]: r for r in published_table(12)}
    tables = []
    for label, fit in fits:
        cells = []
        for own in (*fit.coefficients, *fit.implied, *fit.group_sds):
            r = printed.get(own.name)
            theirs = f"{float(r['estimate']):+.2f} [{float(r['low']):+.2f}, {float(r['high']):+.2f}]" if r else "not printed"
            ours = f"{own.median:+.2f} [{own.ci[0]:+.2f}, {own.ci[1]:+.2f}]"
            rhat = plain(own.rhat, 3)
            ess = NO_VALUE if own.ess is None else f"{own.ess:,.0f}"
            implied = " (implied)" if own in fit.implied else ""
            cells.append((own.name + implied, theirs, ours, rhat, ess))
        how = (
            f"no-U-turn sampler, {fit.chains} chains of {fit.draws:,} draws, {fit.divergences} divergent transitions"
            if fit.method == "nuts"
            else "nested Laplace approximation: no chains, so no R-hat and no effective sample size"
        )
        notes = [f"{fit.n} rows of counts, {fit.n_trials:,} answers; {how}.", *fit.notes]
        columns = ("term", "printed, table 12", "ours", "R-hat", "effective draws")
        tables.append(Table(f"Bayesian mixed model, {label}", columns, tuple(cells), frozenset({1, 2, 3, 4}), notes=tuple(notes)))
    table = posh_table_8()
    sds = (0.3, 0.5, 5.0)
    other = [fit_bayes(FORMULA, table, levels=LEVELS, method="laplace", priors=Priors(coefficient=sd)) for sd in sds]
    shown = [own.name for own in other[0].coefficients if ":" not in own.name and own.name != "(Intercept)"]
    medians = tuple((name, *(f"{fit.posterior(name).median:+.2f}" for fit in other)) for name in shown)
    priors = ("term", *(f"prior SD {sd}" for sd in sds))
    tables.append(Table("What the prior decides (table 8's counts)", priors, medians, frozenset({1, 2, 3})))
    return tables


def write_evaluation(
    found: Evaluation, fits: Sequence[tuple[str, BayesFit]], folder: Path, learners: Sequence[Learner] = ()
) -> WrittenPage:
    """Write ``posh.md``, ``outcomes.csv``, ``tests.csv``, ``effects.csv`` and the figures into `folder`; what is there is replaced. Where there
    are `learners` of grids, ``experiments.md`` as well."""
    written = WrittenPage(folder)
    figures: list[Drawing] = [children_figure(found), forest_figure(fits)]
    curves = (learning_figure(found, model) for model in dict.fromkeys(row.model for row in found.rows))
    figures += [curve for curve in curves if curve is not None]
    grown = (growth_figure(found, alike) for alike in dict.fromkeys(row.trained_alike for row in found.rows if row.trained_alike))
    figures += [curve for curve in grown if curve is not None]
    for figure in figures:
        written.draw(figure)
    page = ["# POSH-BENCH: every model, every phenomenon", "", *departure_lines(learners)]
    convention = find_convention(found.convention)
    right = "A pair is right where the acceptable sentence has the lower perplexity (mean surprisal of its tokens)."
    if convention.name != GAPSMITH:
        right = f"A pair is right where the acceptable sentence has the higher {_measured(found).partition(',')[0]}."
    page += [f"{right} Scoring convention {convention.name}: {markdown_text(convention.title)}.", ""]
    page += [line for own in found.assumed for line in (markdown_text(own), "")]
    compared = convention_table(found)
    unlike = pairs_table(found)
    tables = (
        category_table(found),
        subcategory_table(found),
        *((unlike,) if unlike else ()),
        *((compared,) if compared else ()),
        *((category_table(found, POSH), subcategory_table(found, POSH)) if found.behind == POSH else ()),
        *benchmark_tables(found),
    )
    page += [markdown_table(table) for table in tables]
    page += ["## Children and models (figure 1)", "", _picture(figures[0])]
    page += [_CHILDREN, ""]
    page += [line for figure in figures[2:] for line in (f"## {markdown_text(figure.title)}", "", _picture(figure))]
    page += ["## Tests", "", markdown_table(test_table(found)), markdown_table(printed_test_table())]
    page += ["## Size, source and filtering (table 12, figure 3)", ""]
    page += [markdown_table(table) for table in bayes_tables(fits)]
    page += [_PRIOR, "", _picture(figures[1])]
    page += ["## Experiments 1 to 3", ""]
    page += [_EXPERIMENTS if learners else _NO_EXPERIMENTS, ""]
    if learners:
        write_experiments(found, learners, written)
    if found.notes:
        page += ["## Left out", "", *(f"- {markdown_text(note)}" for note in found.notes), ""]
    page += [said] if (said := request_line()) else []
    written.write("outcomes.csv", csv_text(outcome_rows(found), without_rows="model"))
    written.write("tests.csv", evaluation_tests(found).as_csv())
    effects = [
        {"data": label, **{k: v for k, v in asdict(own).items() if k != "ci"}, "low": own.ci[0], "high": own.ci[1]}
        for label, fit in fits
        for own in (*fit.coefficients, *fit.implied, *fit.group_sds)
    ]
    written.write("effects.csv", csv_text(effects, without_rows="model"))
    written.write("posh.md", "\n".join(page) + "\n")
    return written


def evaluation_tests(found: Evaluation) -> NumberTable:
    """Every test of the evaluation with all digits, as `export tests` has those of an analysis; for CSV, Markdown, LaTeX and Parquet."""
    return results_table("POSH-BENCH", found.results)


def outcome_rows(found: Evaluation) -> list[dict[str, object]]:
    """A row for every model, phenomenon and seed, as they go into ``outcomes.csv``."""
    return [
        {
            "model": row.model,
            "revision": row.revision,
            "benchmark": part.benchmark,
            "category": part.category,
            "phenomenon": part.name,
            "seed_number": seed,
            "correct": correct,
            "n": n,
        }
        for (row, part), own in found.outcomes.items()
        for seed, (correct, n) in enumerate(zip(own.details["correct"], own.details["n"], strict=True), 1)
    ]


def _percent(share: float | None) -> str:
    return NO_VALUE if share is None else plain(100 * share, 1)


def _share(found: Evaluation, own: Result | None) -> str:
    if own is None:
        return NO_VALUE
    sd = own.details["sd"]
    spread = f" ({_percent(sd)})" if sd is not None else ""
    return f"{_percent(own.estimate)}{marks(found.starred(own).p_adj, own)}{spread}"


def _average(average: tuple[float, float | None] | None) -> str:
    if average is None:
        return NO_VALUE
    mean, sd = average
    return plain(100 * mean, 1) + (f" ({plain(100 * sd, 1)})" if sd is not None else "")


def _training(source: str, filtered: str) -> str:
    return "WIKI" if source == "wiki" else "BABY-F" if filtered == "yes" else "BABY"


def _picture(figure: Drawing) -> str:
    return f"![{markdown_text(figure.alt)}]({figure.name}.png)\n"
