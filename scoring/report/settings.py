"""How every number was made: design, items, model and statistics, as tables of names and values."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from gapsmith.bank import RunRecord, request_in_words, request_line
from gapsmith.scoring.analysis import Analysis, ContrastResult
from gapsmith.scoring.report.tables import Table, degrees
from gapsmith.stats import EXACT_FLIPS
from gapsmith.templates import DEFAULT_MEASURE, VERSION, Contrast, find_convention, weighted_sum

_COLUMNS = ("setting", "value")
_SHOWN = frozenset({"revision", "dtype", "bos"})
_PACKAGES = ("gapsmith", "numpy", "scipy", "matplotlib")


def settings_tables(analysis: Analysis) -> tuple[Table, ...]:
    """Design, runs, scorer and statistics of one analysis."""
    return (
        _design(analysis),
        *(_run(run, number) for run, number in analysis.account.runs),
        _scorer(analysis),
        _tests(analysis),
    )


def software_table() -> Table:
    """The versions that computed and drew the report, and the request by which it was made."""
    rows = [*software().items()]
    rows += [("request", said)] if (said := request_line()) else []
    return Table("Software", _COLUMNS, tuple(rows))


def software() -> dict[str, str]:
    """The version of Python, of gapsmith and of what computes and draws for it, by name."""
    return {"Python": platform.python_version(), **{name: _version(name) for name in _PACKAGES}}


def _design(analysis: Analysis) -> Table:
    paradigm, items = analysis.paradigm, analysis.items
    rows = [
        ("paradigm", f"{paradigm.name}, version {paradigm.version}"),
        ("digest of its file (SHA-256)", paradigm.digest),
        (
            "digests of form, words, predictions",
            f"{paradigm.form_digest}, {paradigm.words_digest}, {paradigm.predictions_digest}",
        ),
        ("source", paradigm.source),
        ("design", analysis.options.design or ", ".join(_designs(analysis))),
        ("items", "all" if items.all_items else "approved"),
        ("data set", analysis.options.dataset or "all"),
        # Sentences about words call the slots by these names.
        *((f"slot {slot.name}", slot.description) for slot in paradigm.slots if slot.description),
    ]
    for result in analysis.contrasts:
        rows.append((f"contrast {result.contrast.name}", _formula(result.contrast)))
    rows += [
        (f"criterion {r.criterion.name}", f"{r.criterion.formula} ({analysis.measured_as(r.criterion.measure)})")
        for r in analysis.criteria
    ]
    return Table("Design", _COLUMNS, tuple(rows))


def _designs(analysis: Analysis) -> list[str]:
    used = [r.contrast.design for r in analysis.contrasts] + [r.criterion.design for r in analysis.criteria]
    return list(dict.fromkeys(used))


def _formula(contrast: Contrast) -> str:
    what = "S" if contrast.measure == DEFAULT_MEASURE else contrast.measure
    return weighted_sum(contrast.terms, lambda term: f"{what}({term.condition}, {term.place})")


def _run(run: RunRecord, number: int) -> Table:
    rows = [
        ("items from it", f"{number:,}"),
        ("provider", run.provider),
        ("model", run.model or "none"),
        ("prompt", f"{run.prompt_name} ({run.prompt_hash})" if run.prompt_name else "none"),
        ("parameters", _with_values(run.settings)),
        ("request", request_in_words(run.request)),
        ("begun", run.started_at),
        ("finished", run.finished_at or "not finished"),
    ]
    return Table(f"Run {run.id} ({run.kind})", _COLUMNS, tuple(rows))


def _scorer(analysis: Analysis) -> Table:
    scorer = analysis.scorer
    bos = {
        "bos": "one beginning-of-sequence token before each sentence",
        "none": "nothing before a sentence",
        "bos, space": "one beginning-of-sequence token and a space before each sentence",
    }
    convention = find_convention(analysis.options.convention)
    rows = [
        ("convention", f"{convention.name}: {convention.title} ({convention.source})"),
        ("model", scorer.model),
        ("revision", scorer.revision),
        # Engines of packages and tables need not say how they compute.
        *((("number format", scorer.dtype),) if "dtype" in scorer.identity else ()),
        *((("beginning", f"{bos.get(scorer.bos, scorer.bos)} ({scorer.bos})"),) if "bos" in scorer.identity else ()),
        (
            "unit",
            "bits" if scorer.is_table else "bits: -log2 p(token | all before it), summed over the tokens of a region",
        ),
        *((name.replace("_", " "), str(value)) for name, value in sorted(scorer.identity.items()) if name not in _SHOWN),
        *(("computed by", f"{_with_values(how)} ({number:,} texts)") for how, number in analysis.provenance),
        *(("request", f"{request_in_words(request)} ({number:,} texts)") for request, number in analysis.requests),
    ]
    return Table("Scoring", _COLUMNS, tuple(rows))


def _tests(analysis: Analysis) -> Table:
    options = analysis.options
    alternatives = "; ".join(f"{r.contrast.name} {r.alternative}" for r in analysis.contrasts)
    ties = {"wrong": "a value of exactly 0 is a miss", "excluded": "items with a value of exactly 0 are left out"}
    over_items = [r.contrast.name for r in analysis.contrasts if r.words.these is None]
    modelled = [r for r in analysis.contrasts if r.words.these is not None]
    # Where words repeat the t test stands beside the model, and no verdict is from it.
    of = f"of {', '.join(over_items)}; " if over_items and modelled else "" if over_items else "no verdict is from it; "
    rows = [
        *((f"test of {result.contrast.name}", _model(result)) for result in modelled),
        ("t test", f"{of}one-sample, over items, against 0; dz = mean / standard deviation"),
        ("alternatives", alternatives + (" (asked for)" if options.alternative else " (the paradigm's)")),
        ("confidence", f"{100 * options.confidence:g}%, two-sided whatever the alternative"),
        ("verdicts", f"from {'p as corrected' if options.holm else 'p, not corrected'}, at alpha = {1 - options.confidence:.3g}"),
        (
            "several tests",
            "Holm's, within each family; where none is named over all tests of the run" if options.holm else "not corrected",
        ),
        ("shares", f"Wilson score interval; {ties[options.ties]}"),
        (
            "sign flips",
            f"{options.permutations:,} drawn with seed {options.seed} and the contrast's name; all up to {EXACT_FLIPS} items",
        ),
        (
            "Wilcoxon",
            "exact up to 50 items; else normal with tie and continuity corrections; zeros dropped",
        ),
    ]
    return Table("Statistics", _COLUMNS, tuple(rows))


def _model(result: ContrastResult) -> str:
    """The model of words that a contrast's verdict is from: its parts, how they were estimated, and what words were found to do."""
    words, test = result.words, result.words.these
    assert test is not None
    random = words.of_use("random")
    parts = [f"{test.test}, value = mean"]
    parts += [f"{use.named} fixed (sum coded)" for use in words.of_use("fixed")]
    parts += [f"a random intercept by {use.named}" for use in random]
    model = " + ".join([*parts, "residual"])
    scope = f"; speaks {test.scope}" if test.scope else ""
    if test.undefined is not None:
        return f"{model}{scope}; not estimated: {test.undefined}"
    how = "restricted likelihood (REML), t against 0 with Satterthwaite's" if random else "least squares, t against 0 with"
    sds: Mapping[str, float] = test.details.get("sds", {})
    variances = [f"{use.named} {sds[use.name] ** 2:.3g}" for use in random if use.name in sds]
    if "residual_sd" in test.details:
        variances.append(f"residual {test.details['residual_sd'] ** 2:.3g}")
    found = f"; variances: {', '.join(variances)}" if variances else ""
    return f"{model}{scope}; {how} df = {degrees(test.df)}{found}"


def _with_values(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in sorted(values.items())) or "none"


def _version(package: str) -> str:
    if package == "gapsmith":
        return VERSION
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed as a package"
