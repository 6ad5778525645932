"""A study that has been run: what came out, beside what was published."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Literal

import scipy

from gapsmith.app.studies.study import (
    Arithmetic,
    ByWord,
    PublishedNumber,
    SetsCompared,
    Statistic,
    Study,
    StudySet,
    SurprisalNumber,
)
from gapsmith.bank import Bank, StoredItem
from gapsmith.scoring.analysis import (
    Analysis,
    AnalysisOptions,
    Chosen,
    ContrastResult,
    analyze_chosen,
    choose,
    chosen_predictions,
    corrected_together,
)
from gapsmith.scoring.observations import Grouping, ItemKey
from gapsmith.scoring.report import OVER_WORDS, effect_number, effect_value, model_folder, p_value, read_effects
from gapsmith.stats import ItemOutcomes, Result, SetComparison, chi_square_2x2, compare_sets
from gapsmith.templates import ConfigError, Contrast, GapsmithError, load_paradigm, paradigm_files

Expected = Literal["equal", "comparable"]


@dataclass(frozen=True, slots=True)
class NumberComparison:
    """A published number and ours."""

    what: str
    set: str
    model: str
    """Ours; empty for arithmetic."""
    published: float
    published_model: str
    ours: float | None
    decimals: int
    expected: Expected
    """``equal``: arithmetic, or the same sentences under the same model; else only ``comparable``."""
    note: str = ""
    at: str = ""
    """Where the published number stands in the paper."""

    @property
    def difference(self) -> float | None:
        """Ours minus the published one."""
        return None if self.ours is None else self.ours - self.published

    @property
    def agrees(self) -> bool | None:
        """Whether ours, rounded as printed, is the published one; None where that is not to be expected."""
        if self.expected != "equal" or self.ours is None:
            return None
        return math.isclose(self.ours, self.published, abs_tol=0.5000001 * 10.0**-self.decimals)


@dataclass(frozen=True, slots=True)
class WordRow:
    """A contrast over the items that have one word in one slot."""

    set: str
    model: str
    contrast: str
    slot: str
    word: str
    n: int
    share: float
    """Of items with a value above 0."""
    mean: float
    """Bits."""


@dataclass(frozen=True, slots=True)
class ComparedEffect:
    """What was published of an effect, and ours; comparable, never equal."""

    what: str
    model: str
    """Ours."""
    published: str
    published_model: str
    ours: str
    """By the paper's test."""
    value: float | None
    over_words: str = ""
    """By the test that the words allow, with its p; empty where the effect has no other."""


def effects_beside(study: Study, folder: Path, models: Sequence[str]) -> list[ComparedEffect]:
    """Every published effect of the study beside ours, as the study's commands left it. Raises `GapsmithError`."""
    found = []
    for model in models:
        effects = effects_left(study, folder, model)
        for asked in study.effect:
            if asked.effect not in effects:
                raise ConfigError(f"{study.name}: there is no effect {asked.effect!r}", hint=f"There are: {', '.join(effects)}.")
            own = effects[asked.effect]
            other = effects.get(asked.effect + OVER_WORDS)
            said = "" if other is None else f"{effect_value(other)}, p {p_value(other.p)}" if other.p is not None else "described"
            found.append(
                ComparedEffect(asked.what, model, asked.published, asked.model, effect_value(own), effect_number(own), said)
            )
    return found


def effects_left(study: Study, folder: Path, model: str, *, beside: bool = False) -> dict[str, Result]:
    """The effects that the study's commands left for a model, by name: by its own convention, or by the one beside it. Raises
    `GapsmithError` where they left nothing."""
    by = f"-{study.beside}" if beside else ""
    found: dict[str, Result] = {}
    for place in dict.fromkeys(folder / asked.folder.format(name=model_folder(model), by=by) for asked in study.effect):
        try:
            found |= read_effects(place)
        except OSError as error:
            raise GapsmithError(f"{place}: what the study's commands should have left is not there ({error.strerror})") from None
    return found


def check_contrasts(study: Study, folder: Path) -> None:
    """Refuse a contrast that its set's paradigm lacks, before anything is run in the folder. A paradigm that only the study's
    commands will bring is not known yet. Raises `ConfigError`."""
    sets = {one.name: one for one in study.set}
    for name, contrast in study.asked_contrasts:
        asked = sets[name]
        if asked.paradigm not in paradigm_files(folder):
            continue
        known, _ = chosen_predictions(load_paradigm(asked.paradigm, folder), _options(asked, study.convention))
        if contrast not in (one.name for one in known):
            raise _no_contrast(study, name, contrast, known)


def _no_contrast(study: Study, set_name: str, contrast: str, known: Iterable[Contrast]) -> ConfigError:
    names = ", ".join(one.name for one in known)
    return ConfigError(f"{study.name}: the set {set_name!r} has no contrast {contrast!r}", hint=f"There are: {names or 'none'}.")


@dataclass(frozen=True)
class StudyRun:
    """A study's sets in a bank, analysed under one model."""

    study: Study
    bank: Bank
    model: str

    @cached_property
    def analyses(self) -> dict[str, Analysis]:
        """By the name of the set. Raises `GapsmithError` where nothing has been scored."""
        together = corrected_together([self._analysis(one) for one in self.study.set])
        return {one.name: own for one, own in zip(self.study.set, together, strict=True)}

    def _analysis(self, asked: StudySet) -> Analysis:
        chosen = self._chosen[asked.name]
        if not chosen.picked:
            raise GapsmithError(f"the set {asked.name!r} of {self.study.name} has no items")
        return analyze_chosen(self.bank, chosen, _options(asked, self.study.convention), model=self.model)

    @cached_property
    def _chosen(self) -> dict[str, Chosen]:
        """The items of each set, by its name; sets of one data set are read together."""
        read: dict[tuple[str, str], Chosen] = {}
        found = {}
        for asked in self.study.set:
            key = asked.paradigm, str(_options(asked, self.study.convention))
            if key not in read:
                read[key] = choose(self.bank, asked.paradigm, _options(asked, self.study.convention))
            picked = tuple(item for item in read[key].picked if _is_in(item, asked))
            found[asked.name] = replace(read[key], picked=picked)
        return found

    @cached_property
    def published(self) -> dict[str, float]:
        """Of each set whose published sentences are there, by its name: the share of their pairs that are right by perplexity, or as the
        convention compares whole sentences. Empty for sets without them, and where the model has scored none."""
        found = {}
        for asked in self.study.set:
            for name in self.bank.paradigms.names() if asked.published else ():
                paradigm = self.bank.paradigms.current(name).paradigm
                by = next((one.name for one in paradigm.criteria if one.measure == "perplexity"), None)
                if by is None or asked.published not in self.bank.items.datasets(name):
                    continue
                options = AnalysisOptions(
                    all_items=True, dataset=asked.published, contrasts=(by,), by_region=False, convention=self.study.convention
                )
                analysis = analyze_chosen(self.bank, choose(self.bank, name, options), options, model=self.model)
                share = analysis.criteria[0].share.estimate
                if share is not None:
                    found[asked.name] = share
        return found

    def result(self, set_name: str, contrast: str) -> ContrastResult:
        """A contrast over a set. Raises `ConfigError`."""
        found = [r for r in self.analyses[set_name].contrasts if r.contrast.name == contrast]
        if not found:
            raise _no_contrast(self.study, set_name, contrast, (r.contrast for r in self.analyses[set_name].contrasts))
        return found[0]

    def surprisal(self, asked: SurprisalNumber) -> float | None:
        """The weighted sum at the critical regions, over the items that have them all, or of the one with a sentence of that
        wording; None where there is none. Raises `ConfigError` for a condition that is not there."""
        conditions = {one.name: one.values for one in self.analyses[asked.set].conditions}
        unknown = [name for name in asked.weights if name not in conditions]
        if unknown:
            raise ConfigError(f"{self.study.name}: the set {asked.set!r} has no condition {unknown[0]!r}")
        keys = [
            ItemKey(item.dataset, item.label)
            for item in self._items(asked.set)
            if not asked.sentence or asked.sentence in [sentence.text for sentence in item.sentences]
        ]
        values = [
            sum(weight * conditions[name][key] for name, weight in asked.weights.items())
            for key in keys[: 1 if asked.sentence else None]
            if all(key in conditions[name] for name in asked.weights)
        ]
        return math.fsum(values) / len(values) if values else None

    def compared_sets(self, asked: SetsCompared) -> SetComparison:
        """The two sets' shares by chi-square with Yates' correction, and what there is to say of their overlap."""
        return compare_sets(
            self._outcomes(asked.first, asked.contrast),
            self._outcomes(asked.second, asked.contrast),
            correction="yates",
        )

    def _outcomes(self, set_name: str, contrast: str) -> ItemOutcomes:
        values = self.result(set_name, contrast).values
        return ItemOutcomes(self._titles[set_name], {f"{k.dataset!r} {k.label!r}": value > 0.0 for k, value in values.items()})

    @cached_property
    def _titles(self) -> dict[str, str]:
        return {one.name: one.title for one in self.study.set}

    def rows_by_word(self, asked: ByWord) -> Iterator[WordRow]:
        """The contrasts by each word of each slot, in the order of first use."""
        items = {ItemKey(item.dataset, item.label): item for item in self._items(asked.set)}
        for slot in asked.slots:
            for name in asked.contrasts:
                groups = Grouping((f"slot:{slot}",)).split(
                    self.result(asked.set, name).values.items(),
                    lambda one, key: (items[one[0]].slots or {}).get(key.partition(":")[2], ""),
                )
                for (word,), own in groups.items():
                    values = [value for _, value in own]
                    hits = sum(value > 0.0 for value in values)
                    yield WordRow(
                        asked.set,
                        self.model,
                        name,
                        slot,
                        word,
                        len(values),
                        hits / len(values),
                        sum(values) / len(values),
                    )

    def n_sentences(self, set_name: str) -> int:
        """The sentences of a set's items in the conditions that its contrasts compare."""
        conditions = {term.condition for r in self.analyses[set_name].contrasts for term in r.contrast.terms}
        return sum(sentence.condition in conditions for item in self._items(set_name) for sentence in item.sentences)

    def _items(self, set_name: str) -> tuple[StoredItem, ...]:
        return self._chosen[set_name].picked


def numbers_of(study: Study, runs: Sequence[StudyRun]) -> list[NumberComparison]:
    """Every published number of the study beside ours: arithmetic first, then each model's."""
    found = [_arithmetic(one) for one in study.arithmetic]
    titles = {one.name: one for one in study.set}
    for run in runs:
        for number in study.number:
            if number.set in run.published and number.statistic == "share":
                theirs = titles[number.set].model_copy(
                    update={"title": f"{titles[number.set].title}, the published pairs", "stimuli": "published"}
                )
                found.append(_number(number, theirs, run.model, run.published[number.set]))
            result = run.result(number.set, number.contrast)
            found.append(_number(number, titles[number.set], run.model, _statistic(result, number.statistic)))
        for one in study.surprisal:
            number = PublishedNumber(
                what=one.what,
                set=one.set,
                contrast="",
                statistic="mean",
                published=one.published,
                model=one.model,
                decimals=one.decimals,
                at=one.at,
            )
            found.append(_number(number, titles[one.set], run.model, run.surprisal(one)))
        for pair in study.compared:
            comparison = run.compared_sets(pair)
            number = PublishedNumber(
                what=pair.what,
                set=pair.second,
                contrast=pair.contrast,
                statistic="t",
                published=pair.published,
                model=pair.model,
                decimals=pair.decimals,
                at=pair.at,
            )
            row = _number(number, titles[pair.second], run.model, comparison.test.statistic)
            found.append(replace(row, set=f"{titles[pair.first].title} / {row.set}", note=" ".join(comparison.caveats)))
    return found


def _number(number: PublishedNumber, asked: StudySet, model: str, ours: float | None) -> NumberComparison:
    same = asked.stimuli in ("published", "inferred") and number.model in ("", model)
    return NumberComparison(
        number.what,
        asked.title,
        model,
        number.published,
        number.model,
        ours,
        number.decimals,
        "equal" if same else "comparable",
        "which items these are is our reading" if same and asked.stimuli == "inferred" else "",
        number.at,
    )


def _statistic(result: ContrastResult, asked: Statistic) -> float | None:
    test, hits = result.ttest, result.accuracy
    if asked == "count":
        sign = -1.0 if result.contrast.expected < 0 else 1.0
        return float(sum(sign * value > 0.0 for value in result.values.values()))
    values: dict[str, float | None] = {
        "mean": test.estimate,
        "t": test.statistic,
        "df": test.df,
        "p": test.p,
        "dz": test.effect,
        "ci_low": test.ci_low,
        "ci_high": test.ci_high,
        "share": hits.estimate,
        "n": float(result.n_items),
    }
    return values[asked]


def _arithmetic(asked: Arithmetic) -> NumberComparison:
    values = asked.values
    if asked.how == "yates":
        a, n, b, m = (int(value) for value in values)
        ours = chi_square_2x2(((a, n - a), (b, m - b)), correction="yates").statistic
    elif asked.how == "dz":
        ours = values[0] / math.sqrt(values[1])
    elif asked.how == "difference":
        ours = values[0] - values[1]
    else:
        ours = float(scipy.stats.t.sf(abs(values[0]), values[1])) * (2.0 if asked.how == "p_two_sided" else 1.0)
    return NumberComparison(asked.what, "", "", asked.published, "", ours, asked.decimals, "equal", "arithmetic", asked.at)


def _options(asked: StudySet, convention: str) -> AnalysisOptions:
    return AnalysisOptions(
        all_items=not asked.approved,
        dataset=asked.dataset,
        design=asked.design,
        alternative="expected" if asked.alternative == "expected" else None,
        by_region=False,
        convention=convention,
    )


def _is_in(item: StoredItem, asked: StudySet) -> bool:
    words = item.slots or {}
    return not any(fnmatchcase(words.get(slot, ""), pattern) for slot, patterns in asked.without.items() for pattern in patterns)
