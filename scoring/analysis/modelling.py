"""Mixed models over the items of a bank: the frame that a formula is about, the model that a design calls for, and both for R."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from gapsmith.bank import Bank, ItemFilter, StoredItem, find_items
from gapsmith.scoring.analysis.results import Analysis
from gapsmith.scoring.analysis.scorers import find_scorer
from gapsmith.scoring.frame_wish import FrameWish
from gapsmith.scoring.long_frame import factor_columns, long_table
from gapsmith.scoring.observations import UnigramSource
from gapsmith.stats import MixedFit, ModelFormulaError, RMaterial, default_formula, describe_crossing, export_r, fit_mixed
from gapsmith.templates import DEFAULT_MEASURE, ConfigError

AUTO = "auto"
"""The formula that stands for the one that the design calls for."""
CORRECT = "correct"
"""The response of a logistic model: 1 where an item's value has the sign that is expected, 0 where it has not."""
_OWN = ("surprisal", "value", "critical_word", "condition", "item", "dataset", "model")


@dataclass(frozen=True)
class ModelFrame:
    """The columns that a formula can name, all of one length."""

    columns: Mapping[str, list[Any]]
    levels: Mapping[str, tuple[str, ...]]
    """The levels of the factors in the order of the design."""
    default: str | None
    """What the design calls for; None where nothing could be grouped."""
    notes: tuple[str, ...] = ()


def sentence_frame(bank: Bank, selection: ItemFilter, wish: FrameWish, unigrams: UnigramSource | None = None) -> ModelFrame:
    """One row per distinct observation of each condition at its critical region, under the model that is wished for, else
    the one that measured most.

    Columns: ``surprisal`` (the measure; also ``value``), ``item``, ``dataset``, ``condition``, ``critical_word``, ``model``, the
    factors and their codes ``FACTOR_code`` (``factor_FACTOR`` where another column is called so), and by their own names the
    items' attributes and slots, where no other column has the name. `unigrams` is what SLOR takes away. Raises `GapsmithError`.
    """
    source = find_items(bank, selection)
    paradigm = source.common()
    conditions = source.design(wish.design).conditions
    taken, notes = find_scorer(bank, source.texts(conditions), wish.model, scorer_id=wish.scorer)
    table = long_table(
        bank,
        selection,
        scorers=[taken.id],
        conditions=conditions,
        measures=wish.measures[:1] or (DEFAULT_MEASURE,),
        corrected=wish.corrected,
        critical_only=True,
        unigrams=unigrams,
    )
    notes += unigrams.notes if unigrams is not None else ()
    rows = [row for row in table.rows if row["critical"]]
    if not rows:
        raise ConfigError(
            f"no condition of {paradigm.name} has a critical region, so there is nothing to model",
            hint=f"Name it for each condition under [critical] in the file of {paradigm.name}.",
        )
    seen: dict[tuple[str, str], None] = {}
    kept: list[dict[str, Any]] = []
    for row in rows:
        key = (row["condition"], row["observation"] or f"undefined {len(kept)}")
        if key not in seen:
            seen[key] = None
            kept.append(row)
    several = len(source.datasets) > 1
    made: list[dict[str, Any]] = []
    names = [factor.name for factor in paradigm.factors]
    there, here = factor_columns(names), factor_columns(names, _OWN, ())
    for row in kept:
        entry = {
            "surprisal": row["value"],
            "value": row["value"],
            "critical_word": row["content"],
            "condition": row["condition"],
            "item": f"{row['dataset']}/{row['item']}" if several else row["item"],
            "dataset": row["dataset"],
            "model": row["model"],
        }
        for name in names:
            for ours, theirs in zip(here[name], there[name], strict=True):
                entry[ours] = row[theirs]
        made.append(_with_item(entry, row))
    columns = _columns(made)
    if len(kept) < len(rows):
        notes.append(f"{len(rows):,} rows give {len(kept):,} distinct observations; each counts once.")
    levels = {here[factor.name][0]: factor.levels for factor in paradigm.factors}
    slots = describe_crossing([dict(item.slots or {}) for item in bank.items.iterate(selection)])
    default: str | None = None
    varying = [both for both in here.values() if len(set(columns[both[0]])) > 1]
    try:
        if slots.is_crossed:
            crossed = [name for name in slots.varying if name in columns]
            default = default_formula(columns, factors=[code for _, code in varying], slots=crossed)
        else:
            default = default_formula(columns, factors=[column for column, _ in varying])
    except ModelFormulaError as error:
        notes.append(f"No model is proposed: {error}.")
    return ModelFrame(columns, levels, default, tuple(notes))


def item_frame(chosen: Iterable[StoredItem], analyses: Iterable[Analysis]) -> ModelFrame:
    """One row per distinct observation of each contrast with an expected sign: ``correct`` (1 or 0), ``value``, ``contrast``,
    ``item``, ``dataset``, ``model``, and the attributes and slots of the `chosen` items by their own names."""
    items = {(item.dataset, item.label): item for item in chosen}
    several = len({dataset for dataset, _ in items}) > 1
    made = []
    for analysis in analyses:
        for result in analysis.contrasts:
            if not result.contrast.expected:
                continue
            seen: set[Any] = set()
            for key, value in result.values.items():
                if result.evidence[key] in seen:
                    continue
                seen.add(result.evidence[key])
                item = items[key.dataset, key.label]
                entry = {
                    CORRECT: int(value * result.contrast.expected > 0),
                    "value": value,
                    "contrast": result.contrast.name,
                    "item": f"{key.dataset}/{key.label}" if several else key.label,
                    "dataset": key.dataset,
                    "model": analysis.scorer.model,
                }
                extra = {f"attr_{name}": found for name, found in item.attributes.items()}
                extra |= {f"slot_{name}": found for name, found in (item.slots or {}).items()}
                made.append(_with_item(entry, extra))
    if not made:
        raise ConfigError(f"no contrast here has an expected sign, so nothing is {CORRECT}", hint="Name one with --contrast.")
    return ModelFrame(_columns(made), {}, None)


def fit_formula(formula: str, frame: ModelFrame) -> MixedFit:
    """The mixed model: logistic where the response is ``correct``. ``auto`` is what the design calls for. Raises `ConfigError`
    for a formula that cannot be read or a column that is not there, and for a model that the data do not allow."""
    chosen = _chosen(formula, frame)
    try:
        fit = fit_mixed(chosen, frame.columns, levels=frame.levels, family=_family(chosen))
    except (ModelFormulaError, ValueError) as error:
        raise ConfigError(f"the model {chosen!r} cannot be fitted: {error}", hint=_hint(frame)) from None
    return replace(fit, notes=(*frame.notes, *fit.notes))


def r_material(formula: str, frame: ModelFrame) -> RMaterial:
    """The same model as a script for R's lme4 and its data. Raises as `fit_formula` does."""
    chosen = _chosen(formula, frame)
    try:
        return export_r(chosen, frame.columns, levels=frame.levels, family=_family(chosen))
    except (ModelFormulaError, ValueError) as error:
        raise ConfigError(f"the model {chosen!r} cannot be written for R: {error}", hint=_hint(frame)) from None


def _family(formula: str) -> Any:
    return "binomial" if formula.split("~")[0].strip() == CORRECT else "gaussian"


def _chosen(formula: str, frame: ModelFrame) -> str:
    if formula != AUTO:
        return formula
    if frame.default is None:
        raise ConfigError("the design calls for no mixed model", hint=" ".join(frame.notes) or "Write one with --formula.")
    return frame.default


def _hint(frame: ModelFrame) -> str:
    return f"Columns: {', '.join(frame.columns)}."


def _with_item(entry: dict[str, Any], row: Mapping[str, Any]) -> dict[str, Any]:
    """The row with attributes and slots under their own names, where these are free."""
    for prefix in ("attr_", "slot_"):
        for name, value in row.items():
            if name.startswith(prefix):
                entry.setdefault(name.removeprefix(prefix), value)
    return entry


def _columns(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}
