"""The page of POSH-BENCH's experiments 1 to 3: learners of grids beside what is printed, figures 2, 4 and 5, and what was not run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

from gapsmith.scoring.analysis import read_model_name
from gapsmith.scoring.analysis.posh.evaluating import Evaluation, PhenomenonRow, shares_right
from gapsmith.scoring.analysis.posh.mapping import BENCHMARKS, CATEGORIES, FILES, POSH, SUBCATEGORIES, Part, part_of
from gapsmith.scoring.analysis.posh.published import published_table
from gapsmith.scoring.report.drawing import Drawing, draw
from gapsmith.scoring.report.markdown import markdown_table, markdown_text
from gapsmith.scoring.report.numbers import NO_VALUE, plain
from gapsmith.scoring.report.style import DARK, GREY, INK, PAIR
from gapsmith.scoring.report.tables import Table
from gapsmith.scoring.report.written import WrittenPage
from gapsmith.templates import count, listed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SLOPE_0 = ", slope 0"
_COLORS = (DARK, str(PAIR[1]["color"]), INK, "#2f7d4f", "#7a3e8f", GREY, "#b5651d", "#1f6f8b", "#8b1f4f", "#6b6b00")
_MARKS = "osD^vPX<>h"

_PRINTED_SETTINGS: Mapping[str, tuple[str, str, str]] = {
    "hidden size": ("network.hidden", "512", "768"),
    "heads": ("network.heads", "8", "12"),
    "layers": ("network.layers", "4", "12"),
    "feed-forward size": ("network.feed_forward", "2048", "3072"),
    "vocabulary": ("tokenizer.vocabulary", "32768", "32768"),
    "learning rate": ("schedule.learning_rate", "0.0001", "0.0001"),
    "schedule": ("schedule.shape", "linear", "linear"),
    "warm-up steps": ("schedule.warmup", "4000", "4000"),
    "steps": ("run.steps", "100000", "100000"),
    "batch": ("run.batch", "32", "32"),
    "context": ("rows.length", "512", "512"),
    "patience": ("run.patience", "6000", "6000"),
    "dropout": ("network.dropout", "0.1", "0.1"),
    "weight decay": ("optimiser.weight_decay", "0.1", "0.1"),
}
"""Tables 5 and 6: our key, and what mini (at ten million words) and small (above) have."""
_PRINTED_BIASES: Mapping[str, str] = {
    "run.epochs": "10",
    "rows.unit": "sentences",
    "schedule.warmup": "0",
    "run.steps": "",
    "run.patience": "",
    "rows.length": "32",
    "run.batch": "512",
}
"""What experiment 3 has instead: ten epochs of sentences, no warm-up; context and batch are printed for recency alone. Empty: nothing, since
epochs decide how long it trains."""
CONDITIONS: Mapping[str, tuple[str, ...]] = {
    "none": (),
    "Dyck": ("dyck",),
    "trees (TPT)": ("planting",),
    "dynamic recency": ("recency",),
    "linear control (constant slopes)": ("constant",),
    "Dyck, dynamic recency": ("dyck", "recency"),
    "Dyck, linear control": ("constant", "dyck"),
}
"""Experiment 3's conditions, and the biases that are in each."""
_TRAININGS = {("baby", "yes"): "BABY-F", ("baby", "no"): "BABY", ("wiki", "no"): "WIKI"}
_NOT_PRINTED = "The paper has these numbers as a drawing only, so nothing printed stands beside them but tables 3 and 8."
_SD = "Mean over seeds, SD in parentheses; no tests: `posh.md` has those of every row."


@dataclass(frozen=True)
class Learner:
    """A cell of a grid that was trained."""

    kind: str
    """Its seeds are of one kind."""
    seed: str
    folder: str
    """The model, as it was scored."""
    facts: Mapping[str, str]
    """``corpus``, ``size_million`` and ``filtered``, where it is one of experiments 1 and 2."""
    settings: Mapping[str, Any]
    """The tables of its configuration."""
    measured: tuple[Mapping[str, float | None], ...] = ()
    """At each evaluation on the way, shares by the name of a paradigm or data set and its criterion."""
    note: str = ""
    """What its grid says of all its cells."""
    read: Mapping[str, int] = field(default_factory=dict)
    """``sentences``, ``words`` and ``tokens`` of its text, and ``vocabulary``, the entries of its tokenizer; empty where not known."""

    @property
    def biases(self) -> tuple[str, ...]:
        """Those that act, by name."""
        return tuple(sorted(self.settings.get("bias", {})))

    @property
    def of_corpora(self) -> bool:
        """Whether it is one of experiments 1 and 2."""
        return bool(self.facts.get("corpus"))

    @property
    def training(self) -> tuple[str, str, str]:
        """Source, filtering, millions of words."""
        return self.facts["corpus"], self.facts["filtered"], _plain(self.facts["size_million"])

    def setting(self, key: str) -> str:
        """A setting as it is printed, empty where there is none."""
        table, _, name = key.partition(".")
        value = self.settings.get(table, {}).get(name)
        if key == "network.feed_forward" and value is None and "hidden" in self.settings.get("network", {}):
            value = 4 * self.settings["network"]["hidden"]
        return "" if value is None else _plain(value)


@dataclass(frozen=True)
class _Kind:
    """Learners that differ in their seed, with one slope at test."""

    name: str
    learners: tuple[Learner, ...]
    row: PhenomenonRow | None
    """What was scored of it; None where nothing was."""
    slope_0: bool = False

    @property
    def seeds(self) -> str:
        """How many were trained."""
        return str(len(self.learners))


@dataclass(frozen=True)
class Experiments:
    """What there is of experiments 1 to 3."""

    found: Evaluation
    learners: Sequence[Learner]
    corpora: tuple[_Kind, ...] = field(init=False)
    biases: tuple[_Kind, ...] = field(init=False)

    def __post_init__(self) -> None:
        rows = {row.model: row for row in self.found.rows}
        kinds: dict[tuple[str, str], list[Learner]] = defaultdict(list)
        for own in self.learners:
            kinds[str(Path(own.folder).parent), own.kind].append(own)
        several = len({folder for folder, _ in kinds}) > 1
        made: list[_Kind] = []
        for (folder, kind), members in kinds.items():
            name = f"{Path(folder).name}/{kind}" if several else kind
            for below, said in (("", ""), ("/slope-0", _SLOPE_0), ("/slope-trained", ", slope as trained")):
                row = rows.get(read_model_name(f"{members[0].folder}{below}").model)
                if row is not None or not below:
                    made.append(_Kind(name + said, tuple(members), row, said == _SLOPE_0))
        object.__setattr__(self, "corpora", tuple(own for own in made if own.learners[0].of_corpora))
        object.__setattr__(self, "biases", tuple(own for own in made if not own.learners[0].of_corpora))

    @property
    def benchmarks(self) -> list[str]:
        """Those that any learner has scored."""
        scored = {own.row for own in (*self.corpora, *self.biases) if own.row is not None}
        there = {part.benchmark for row, part in self.found.outcomes if row in scored}
        return [name for name in (POSH, *BENCHMARKS) if name in there]

    def seeds(self, kind: _Kind, category: str, benchmark: str) -> list[float]:
        """The share of each seed in a category; empty where a phenomenon that others have is not there."""
        own = None if kind.row is None else self.found.category(kind.row, category, benchmark)
        return [] if own is None else list(shares_right(own))

    def overall(self, kind: _Kind, benchmark: str) -> list[float]:
        """The mean of each seed over the benchmark's categories."""
        every = [self.seeds(kind, category, benchmark) for category in self.categories(benchmark)]
        if not every or not all(every) or len({len(own) for own in every}) > 1:
            return []
        return [fmean(own) for own in zip(*every, strict=True)]

    def titles(self, benchmark: str) -> list[str]:
        """The categories as columns are called: of how many of their phenomena, where some are not there."""
        whole = {name: sum(own == name for own, _, _ in SUBCATEGORIES.values()) for name in CATEGORIES}
        if benchmark not in (POSH, FILES):
            whole = {category: len(names) for category, names in BENCHMARKS[benchmark].items()}
        counts = {category: len(self.found.parts(benchmark, category)) for category in self.categories(benchmark)}
        return [name if n == whole[name] else f"{name} ({n} of {whole[name]} phenomena)" for name, n in counts.items()]

    def mean_of(self, benchmark: str) -> str:
        """What the column of means is called: those over a part of what the paper has are of something else."""
        return "mean of these" if benchmark not in (POSH, FILES) or self.found.missing(benchmark=benchmark) else "mean"

    def categories(self, benchmark: str) -> list[str]:
        """Those that anybody has scored there."""
        return [category for category in CATEGORIES if self.found.parts(benchmark, category)]


def departures(learners: Sequence[Learner]) -> list[str]:
    """In what the learners' settings are not those of tables 5 and 6, a phrase each; empty where they are, or there is none."""
    said: dict[str, list[str]] = {}
    for own in learners:
        small = own.of_corpora and own.training[2] not in ("10",) and own.training[2] in ("30", "50", "100")
        for name, (key, mini, large) in _PRINTED_SETTINGS.items():
            printed = large if small else mini
            if not own.of_corpora:
                printed = _PRINTED_BIASES.get(key, printed)
            value = own.setting(key)
            if value != printed and (printed or value not in ("", "0")):
                said.setdefault(name, []).append(f"{value or 'none'} (printed {printed or 'none'})")
    sizes = {own.training[2] for own in learners if own.of_corpora} - {"10", "30", "50", "100"}
    found = [f"{name} {listed(list(dict.fromkeys(values)))}" for name, values in said.items()]
    if sizes:
        found.append(f"millions of words {listed(sorted(sizes, key=float))} (printed 10, 30, 50, 100)")
    return found


def departure_lines(learners: Sequence[Learner]) -> list[str]:
    """The paragraph that pages with such learners begin with; none where all is as printed."""
    found = departures(learners)
    if not found:
        return []
    notes = dict.fromkeys(own.note for own in learners if own.note)
    said = f"**These learners are not the paper's.** They depart from tables 5 and 6: {'; '.join(found)}."
    return [" ".join((said, *notes)), ""]


def not_run(found: Experiments) -> list[str]:
    """A sentence for each thing of the paper's that is not here."""
    said = []
    there: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for kind in found.corpora:
        if kind.row is not None:
            there[kind.learners[0].training].update(own.seed for own in kind.learners)
    printed = list(dict.fromkeys((r["source"], r["filtered"], r["size"]) for r in published_table(8)))
    lacking = [f"{_TRAININGS[s, f]} {size}M" for s, f, size in printed if (s, f, size) not in there]
    if lacking:
        said.append(
            f"Experiments 1 and 2: of the paper's {len(printed)} trainings {len(lacking)} were not run: {', '.join(lacking)}."
        )
    said += [
        f"{_TRAININGS[s, f]} {size}M has {count(len(there[s, f, size]), 'seed')} of 3."
        for s, f, size in printed
        if 0 < len(there[s, f, size]) < 3
    ]
    kinds = {kind.learners[0].biases: kind for kind in found.biases if kind.row is not None}
    without = [name for name, biases in CONDITIONS.items() if biases not in kinds]
    if without:
        said.append(f"Experiment 3: of {len(CONDITIONS)} conditions {len(without)} were not run: {'; '.join(without)}.")
    if kinds and min(len(kind.learners) for kind in kinds.values()) < 3:
        said.append("Experiment 3 has fewer than three seeds.")
    if kinds and not any(_trajectory(kind) for kind in found.biases):
        said.append("Nothing was measured at the end of epochs, so the curves of figure 4 are not there: train with --evaluate.")
    unscored = [kind.name for kind in (*found.corpora, *found.biases) if kind.row is None]
    if unscored:
        said.append(f"Trained and not scored: {', '.join(unscored)}.")
    for benchmark, categories in BENCHMARKS.items():
        names = [name for own in categories.values() for name in own]
        here = found.found.parts(benchmark) if benchmark in found.benchmarks else ()
        if not here:
            said.append(
                "No learner has scored the published pairs of POSH-BENCH; the pairs are of our making."
                if benchmark == FILES
                else f"{benchmark} was not run: its files are not in this workspace."
            )
        elif len(here) < len(names):
            said.append(f"{benchmark}: {len(here)} of table 10's {len(names)} phenomena are here.")
    return said


def settings_table(learners: Sequence[Learner]) -> Table:
    """Tables 5 and 6 beside the learners' settings."""
    parts = [[own for own in learners if own.of_corpora], [own for own in learners if not own.of_corpora]]
    rows = []
    for name, (key, mini, small) in {
        **_PRINTED_SETTINGS,
        "epochs": ("run.epochs", "", ""),
        "rows": ("rows.unit", "", ""),
    }.items():
        ours = (", ".join(dict.fromkeys(own.setting(key) or NO_VALUE for own in part)) or NO_VALUE for part in parts)
        rows.append((name, mini or NO_VALUE, small or NO_VALUE, _PRINTED_BIASES.get(key, mini) or NO_VALUE, *ours))
    return Table(
        "Settings (tables 5 and 6)",
        ("", "printed: mini", "printed: small", "printed: experiment 3", "ours: experiments 1 and 2", "ours: experiment 3"),
        tuple(rows),
        frozenset(range(1, 6)),
        notes=("Context and batch of experiment 3 are printed for recency alone.",),
    )


def texts_table(found: Experiments) -> Table:
    """Tables 4 and 9 beside the texts that the learners of experiments 1 and 2 read, a row for each text and vocabulary."""
    sizes = {(r["source"], r["filtered"], r["size"]): r for r in published_table(4)}
    tokens = {(r["source"], r["size"], r["vocabulary"]): r["tokens"] for r in published_table(9)}
    rows = []
    for own in dict.fromkeys((own.training, tuple(own.read.items())) for kind in found.corpora for own in kind.learners):
        (source, filtered, size), read = own[0], dict(own[1])
        printed = sizes.get((source, filtered, size), {})
        vocabulary = read.get("vocabulary")
        rows.append(
            (
                f"{_TRAININGS.get((source, filtered), source)} {size}M",
                _count(read.get("sentences")),
                printed.get("sentences", NO_VALUE),
                plain(read["words"] / read["sentences"], 2) if read.get("sentences") else NO_VALUE,
                printed.get("words_per_sentence", NO_VALUE),
                _count(vocabulary),
                _count(read.get("tokens")),
                tokens.get((source, size, str(vocabulary)), NO_VALUE) if filtered == "no" else NO_VALUE,
            )
        )
    return Table(
        "Texts of experiments 1 and 2 (tables 4 and 9)",
        ("text", "sentences", "printed", "words a sentence", "printed", "vocabulary", "tokens", "printed"),
        tuple(rows),
        frozenset(range(1, 8)),
        notes=(
            "Tokens without ends of sentences; whether the printed ones have them is not said.",
            "`gapsmith train counts` counts them under every vocabulary of table 9.",
        ),
    )


def corpora_table(found: Experiments, benchmark: str) -> Table:
    """Categories by size, source and filtering; the printed rows of table 3 below those of the pairs of POSH-BENCH."""
    categories = found.categories(benchmark)
    cells = [
        (
            f"{_name(kind.learners[0])} ({kind.name})",
            kind.seeds,
            *(_mean(found.seeds(kind, category, benchmark)) for category in categories),
            _mean(found.overall(kind, benchmark)),
        )
        for kind in found.corpora
        if kind.row is not None
    ]
    if benchmark in (POSH, FILES):
        printed = {(r["source"], r["filtered"], r["size"], r["category"]): r for r in published_table(3)}
        for source, filtered, size in dict.fromkeys(key[:3] for key in printed):
            whole = ("overall",) if found.mean_of(benchmark) == "mean" else ()
            shown = [printed[source, filtered, size, category] for category in (*categories, *whole)]
            cells.append(
                (
                    f"printed: {_TRAININGS[source, filtered]} {size}M",
                    "3",
                    *(f"{r['percent']} ({r['sd']})" for r in shown),
                    *([] if whole else [NO_VALUE]),
                )
            )
    return Table(
        f"Experiments 1 and 2: right in {_pairs(benchmark)}, %",
        ("training", "seeds", *found.titles(benchmark), found.mean_of(benchmark)),
        tuple(cells),
        frozenset(range(1, 3 + len(categories))),
        notes=(_SD, *(() if benchmark in (POSH, FILES) else (_NOT_PRINTED,))),
    )


def biases_table(found: Experiments) -> Table:
    """Where each bias ends: the categories of the pairs, and the mean of every benchmark."""
    benchmark = next((name for name in found.benchmarks if name in (POSH, FILES)), POSH)
    categories = found.categories(benchmark)
    others = [name for name in found.benchmarks if name != benchmark]
    cells = [
        (
            kind.name,
            ", ".join(kind.learners[0].biases) or "none",
            kind.seeds,
            *(_mean(found.seeds(kind, category, benchmark)) for category in categories),
            _mean(found.overall(kind, benchmark)),
            *(_mean(found.overall(kind, name)) for name in others),
        )
        for kind in found.biases
        if kind.row is not None
    ]
    return Table(
        f"Experiment 3: right in {_pairs(benchmark)}, %",
        ("learner", "bias", "seeds", *found.titles(benchmark), found.mean_of(benchmark), *others),
        tuple(cells),
        frozenset(range(2, 4 + len(categories) + len(others))),
        notes=(
            _SD,
            _NOT_PRINTED,
            "Means of other benchmarks are over table 10's phenomena, by category; the paper's are over all that they have.",
        ),
    )


def phenomena_table(found: Experiments) -> Table:
    """Figure 5 as numbers: islands and binding in each benchmark, by bias."""
    kinds = [kind for kind in found.biases if kind.row is not None]
    cells = [
        (benchmark, part.category, part.name, *(_mean(_of_part(found, kind, part)) for kind in kinds))
        for benchmark, part in _island_and_binding(found)
    ]
    return Table(
        "Islands and binding by bias, % (figure 5)",
        ("benchmark", "category", "phenomenon", *(kind.name for kind in kinds)),
        tuple(cells),
        frozenset(range(3, 3 + len(kinds))),
        notes=(_SD, _NOT_PRINTED),
    )


def mapping_table(found: Experiments) -> Table:
    """Table 10, and how many pairs of each phenomenon are here."""
    pairs = {part: max(own.details["n"]) for (_, part), own in found.found.outcomes.items()}
    mine = {category: tuple(n for n, (own, _, _) in SUBCATEGORIES.items() if own == category) for category in CATEGORIES}
    cells = []
    for category in CATEGORIES:
        for benchmark, names in ((POSH, mine), *((b, m) for b, m in BENCHMARKS.items() if b != FILES)):
            for name in names.get(category, ()):
                here = [pairs.get(Part(own, category, name)) for own in ((POSH, FILES) if benchmark == POSH else (benchmark,))]
                cells.append((category, "POSH" if benchmark == POSH else benchmark, name, *(str(n or NO_VALUE) for n in here)))
    rows = tuple(row if len(row) == 5 else (*row[:3], NO_VALUE, row[3]) for row in cells)
    return Table(
        "Benchmarks and phenomena (table 10)",
        ("category", "benchmark", "phenomenon", "pairs of ours", "pairs of files"),
        rows,
        frozenset({3, 4}),
        notes=("Table 11 names for each category the benchmarks that had it before; there is nothing in it to compute.",),
    )


# --- figures ---


def size_figure(found: Experiments) -> Drawing | None:
    """Figure 2: categories by the words of the training, for each benchmark; the printed curves of table 3 beside ours. None where no learner
    of experiments 1 and 2 was scored."""
    kinds = [kind for kind in found.corpora if kind.row is not None and not kind.slope_0]
    if not kinds:
        return None
    lines: dict[tuple[str, str, str], list[tuple[float, list[float]]]] = defaultdict(list)
    for benchmark in found.benchmarks:
        for kind in kinds:
            source, filtered, size = kind.learners[0].training
            for category in found.categories(benchmark):
                if own := found.seeds(kind, category, benchmark):
                    lines[benchmark, category, _TRAININGS.get((source, filtered), source)].append((float(size), own))
    printed: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    for r in published_table(3):
        printed[r["category"], _TRAININGS[r["source"], r["filtered"]]].append((float(r["size"]), float(r["percent"])))
    said = "; ".join(
        f"{benchmark}, {category}, {name}: " + ", ".join(f"{x:g}M {100 * fmean(own):.1f} %" for x, own in sorted(points))
        for (benchmark, category, name), points in lines.items()
    )

    def paint(figure: Figure) -> None:
        from matplotlib.ticker import NullFormatter

        panels = figure.subplots(len(found.benchmarks), len(CATEGORIES), sharex=True, sharey=True, squeeze=False)
        names = list(_TRAININGS.values())
        for benchmark, row in zip(found.benchmarks, panels, strict=True):
            for category, axes in zip(CATEGORIES, row, strict=True):
                axes.axhline(50, color=GREY, linestyle=":", linewidth=1)
                axes.set_title(f"{category}, {benchmark}", fontsize=9)
                for number, name in enumerate(names):
                    points = sorted(lines.get((benchmark, category, name), ()))
                    if points:
                        spread = [100 * stdev(own) if len(own) > 1 else 0.0 for _, own in points]
                        axes.errorbar(
                            [x for x, _ in points],
                            [100 * fmean(own) for _, own in points],
                            yerr=spread,
                            marker=_MARKS[number],
                            color=_COLORS[number],
                            label=name,
                        )
                    if benchmark in (POSH, FILES) and (theirs := sorted(printed.get((category, name), ()))):
                        axes.plot(
                            *zip(*theirs, strict=True),
                            linestyle="--",
                            linewidth=1,
                            color=_COLORS[number],
                            label=f"{name} (printed)",
                        )
                axes.set_xscale("log")
                axes.xaxis.set_major_formatter("{x:g}")
                axes.xaxis.set_minor_formatter(NullFormatter())
        panels[0][0].set_ylim(0, 100)
        figure.supxlabel("millions of words", fontsize=9)
        figure.supylabel("right, %", fontsize=9)
        handles, labels = panels[0][0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center", ncols=3, fontsize=8)

    inches = (10.5, 1.6 + 2.4 * len(found.benchmarks))
    return draw("size-and-source", "Categories by size, source and filtering", said, size=inches, paint=paint)


def epochs_figure(found: Experiments) -> Drawing | None:
    """Figure 4: each category, and the mean of each benchmark, over the epochs of every bias. None where nothing was measured on the way."""
    curves = {kind.name: own for kind in found.biases if (own := _trajectory(kind))}
    if not curves:
        return None
    ways = [_shares_on_the_way(own, slope_0=kind.slope_0) for kind in found.biases for own in kind.learners]
    measured = {part for way in ways for shares in way for part in shares}
    top = [(POSH, category) for category in CATEGORIES]
    benchmarks = [name for name in (POSH, *BENCHMARKS) if any((name, "") in own for own in curves.values())]
    bottom = [(name, "") for name in benchmarks]
    said = "; ".join(
        f"{name}, {category or benchmark + ' mean'}: last {100 * fmean(own[benchmark, category][-1]):.1f} %"
        for name, own in curves.items()
        for benchmark, category in (*top, *bottom)
        if (benchmark, category) in own
    )

    learners = list(dict.fromkeys(map(_learner, curves)))

    def paint(figure: Figure) -> None:
        n = max(len(top), len(bottom))
        panels = figure.subplots(2, n, sharex=True, sharey=True, squeeze=False)
        for row, keys in zip(panels, (top, bottom), strict=True):
            for axes in row[len(keys) :]:
                axes.set_visible(False)
            for axes, key in zip(row, keys, strict=False):
                axes.axhline(50, color=GREY, linestyle=":", linewidth=1)
                axes.set_title(_panel(key, measured), fontsize=9)
                axes.tick_params(labelbottom=True)
                for name, own in curves.items():
                    values = own.get(key)
                    if values is None:
                        continue
                    epochs = range(1, len(values) + 1)
                    middle = [100 * fmean(seeds) for seeds in values]
                    spread = [100 * stdev(seeds) if len(seeds) > 1 else 0.0 for seeds in values]
                    style = {"color": _COLORS[learners.index(_learner(name)) % len(_COLORS)]}
                    line = "--" if name.endswith(_SLOPE_0) else "-"
                    axes.plot(epochs, middle, label=name, linewidth=2.2 if name == "none" else 1.2, linestyle=line, **style)
                    low, high = ([m + sign * s for m, s in zip(middle, spread, strict=True)] for sign in (-1, 1))
                    axes.fill_between(epochs, low, high, alpha=0.1, linewidth=0, **style)
        panels[0][0].set_ylim(0, 100)
        figure.supxlabel("epoch", fontsize=9)
        figure.supylabel("right, %", fontsize=9)
        handles, labels = panels[0][0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center", ncols=4, fontsize=8)

    return draw("biases-by-epoch", "Biases over epochs", said, size=(10.5, 6.0), paint=paint)


def _panel(key: tuple[str, str], measured: Collection[Part]) -> str:
    """What a panel is of: of how many phenomena of a category, where not all were measured after epochs."""
    benchmark, category = key
    if not category:
        return f"{benchmark}, mean"
    n = sum((part.benchmark, part.category) == key for part in measured)
    whole = sum(own == category for own, _, _ in SUBCATEGORIES.values())
    return category if n == whole else f"{category}\n({n} of {whole} phenomena)"


def _learner(name: str) -> str:
    """The learner without its slope at test: both are drawn alike but for the line or the filling."""
    return name.removesuffix(_SLOPE_0)


def phenomena_figure(found: Experiments) -> Drawing | None:
    """Figure 5: islands and binding in each benchmark, by bias. None where no learner of experiment 3 was scored."""
    kinds = [kind for kind in found.biases if kind.row is not None]
    parts = _island_and_binding(found)
    if not kinds or not parts:
        return None
    values = {(kind.name, part): own for kind in kinds for _, part in parts if (own := _of_part(found, kind, part))}
    said = "; ".join(
        f"{benchmark}, {part.name}: "
        + ", ".join(f"{k.name} {100 * fmean(values[k.name, part]):.1f} %" for k in kinds if (k.name, part) in values)
        for benchmark, part in parts
    )

    learners = list(dict.fromkeys(_learner(kind.name) for kind in kinds))

    def paint(figure: Figure) -> None:
        axes = figure.subplots()
        axes.axvline(50, color=GREY, linestyle=":", linewidth=1)
        places = range(len(parts), 0, -1)
        for number, kind in enumerate(kinds):
            points = [
                (100 * fmean(values[kind.name, part]), y)
                for y, (_, part) in zip(places, parts, strict=True)
                if (kind.name, part) in values
            ]
            shift = 0.5 * (number / max(1, len(kinds) - 1) - 0.5)
            axes.plot(
                [x for x, _ in points],
                [y - shift for _, y in points],
                marker=_MARKS[learners.index(_learner(kind.name)) % len(_MARKS)],
                color=_COLORS[learners.index(_learner(kind.name)) % len(_COLORS)],
                fillstyle="none" if kind.name.endswith(_SLOPE_0) else "full",
                linestyle="none",
                markersize=5,
                label=kind.name,
            )
        axes.set_yticks(list(places), [f"{benchmark}: {part.name}" for benchmark, part in parts], fontsize=8)
        axes.set_xlim(0, 100)
        axes.set_xlabel("right, %")
        figure.legend(loc="outside upper center", ncols=3, fontsize=8)

    return draw("islands-and-binding", "Islands and binding by bias", said, size=(9.0, 2.0 + 0.45 * len(parts)), paint=paint)


def write_experiments(found: Evaluation, learners: Sequence[Learner], written: WrittenPage) -> None:
    """Write ``experiments.md`` and its figures."""
    all_of = Experiments(found, learners)
    page = ["# POSH-BENCH: experiments 1 to 3", "", *departure_lines(learners)]
    page += ["## What was not run", ""]
    page += [*(f"- {markdown_text(line)}" for line in not_run(all_of)), ""]
    page += ["Nothing stands in for what was not run: no number below is of another model than its row says.", ""]
    figures = [size_figure(all_of), epochs_figure(all_of), phenomena_figure(all_of)]
    page += ["## Experiments 1 and 2: size, source, direct evidence", ""]
    if figures[0] is not None:
        page += ["Figure 2 with the printed curves of table 3:", "", _picture(figures[0])]
        page += [markdown_table(corpora_table(all_of, benchmark)) for benchmark in all_of.benchmarks]
        page += ["[Table 8 and the tests](posh.md), and below them table 12's model over these learners' counts.", ""]
    else:
        page += ["Not run.", ""]
    page += ["## Experiment 3: biases", ""]
    if any(kind.row is not None for kind in all_of.biases):
        page += [_picture(figure) for figure in figures[1:] if figure is not None]
        page += [markdown_table(biases_table(all_of)), markdown_table(phenomena_table(all_of))]
    else:
        page += ["Not run.", ""]
    page += ["## Settings, texts and benchmarks", "", markdown_table(settings_table(learners))]
    page += [markdown_table(texts_table(all_of))] if all_of.corpora else []
    page += [markdown_table(mapping_table(all_of))]
    for figure in figures:
        if figure is not None:
            written.draw(figure)
    written.write("experiments.md", "\n".join(page) + "\n")


# --- what these are made of ---


def _trajectory(kind: _Kind) -> dict[tuple[str, str], list[list[float]]]:
    """By benchmark and category (empty: the mean of the categories) at each evaluation the share of each seed; nothing where seeds were not
    measured alike."""
    own = [_shares_on_the_way(learner, slope_0=kind.slope_0) for learner in kind.learners]
    n = min((len(each) for each in own), default=0)
    curves: dict[tuple[str, str], list[list[float]]] = {}
    for benchmark in (POSH, *BENCHMARKS):
        every = {}
        for category in CATEGORIES:
            values = [[_mean_of(each[at], benchmark, category) for each in own] for at in range(n)]
            if values and all(share is not None for seeds in values for share in seeds):
                every[category] = [[share for share in seeds if share is not None] for seeds in values]
        curves |= {(benchmark, category): values for category, values in every.items()}
        if every:
            curves[benchmark, ""] = [[fmean(s) for s in zip(*at, strict=True)] for at in zip(*every.values(), strict=True)]
    return curves


def _mean_of(shares: Mapping[Part, float], benchmark: str, category: str) -> float | None:
    own = [share for part, share in shares.items() if (part.benchmark, part.category) == (benchmark, category)]
    return fmean(own) if own else None


def _shares_on_the_way(learner: Learner, *, slope_0: bool) -> list[dict[Part, float]]:
    found = []
    for entry in learner.measured:
        shares = {}
        for name, share in entry.items():
            if share is None or name.endswith(_SLOPE_0) != slope_0:
                continue
            title, _, criterion = name.removesuffix(_SLOPE_0).rpartition(" ")
            # A data set of several paradigms has that of the items behind it.
            of, _, owner = title.partition(", ")
            part = part_of(owner or of, of) if criterion == "correct" else None
            if part is not None:
                shares[part] = share
        found.append(shares)
    return [shares for shares in found if shares]


def _island_and_binding(found: Experiments) -> list[tuple[str, Part]]:
    return [
        (benchmark, part)
        for benchmark in found.benchmarks
        for category in ("island", "binding")
        for part in found.found.parts(benchmark, category)
    ]


def _of_part(found: Experiments, kind: _Kind, part: Part) -> list[float]:
    own = None if kind.row is None else found.found.outcomes.get((kind.row, part))
    return [] if own is None else list(shares_right(own))


def _mean(shares: Sequence[float]) -> str:
    if not shares:
        return NO_VALUE
    return plain(100 * fmean(shares), 1) + (f" ({plain(100 * stdev(shares), 1)})" if len(shares) > 1 else "")


def _name(learner: Learner) -> str:
    source, filtered, size = learner.training
    return f"{_TRAININGS.get((source, filtered), source)} {size}M"


def _count(n: int | None) -> str:
    return NO_VALUE if n is None else f"{n:,}"


def _pairs(benchmark: str) -> str:
    return {POSH: "pairs of ours", FILES: "the published pairs"}.get(benchmark, benchmark)


def _plain(value: Any) -> str:
    """A number as short as can be, whatever wrote it."""
    try:
        return f"{float(value):.10g}"
    except (TypeError, ValueError):
        return str(value)


def _picture(figure: Drawing) -> str:
    return f"![{markdown_text(figure.alt)}]({figure.name}.png)\n"
