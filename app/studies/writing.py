"""What a study leaves behind: a page with the published numbers beside ours, a table of them, and a figure."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from gapsmith.app.studies.conventions import Beside, beside_rows, beside_tables
from gapsmith.app.studies.records import StudyRecord, form_of
from gapsmith.app.studies.running import ComparedEffect, NumberComparison, StudyRun, WordRow
from gapsmith.app.studies.study import Study
from gapsmith.app.studies.study_figures import figures_of
from gapsmith.bank import request_line
from gapsmith.bank.formats import csv_text
from gapsmith.scoring.analysis import ContrastResult, label
from gapsmith.scoring.report import Table, degrees, markdown_table, markdown_text, model_folder, p_value, plain
from gapsmith.templates import count, find_convention, listed

_INTERVALS = (
    "(Lines are 95 % intervals; published ones were printed, or follow from a share and its n by Wilson's formula, or from a "
    "mean, its t and its n. A share of items that cross the same few words has none: they are no independent items.)"
)


_PLAIN = (
    "In all of these tables ours are over items, each counted alike, by the paper's test. Where words repeat, what they allow is another "
    "number: the study's page has both in a table, and its figures of means have that one."
)


_LARGER = (
    "what the words allow has the larger t and the fewer df. The paper's test counts all that differs between items as error; the model takes "
    "out of it what the words do that it holds fixed, so its error is smaller, and df say how few words the rest is estimated from. Such a t "
    "is about these words, and does not make the effect larger."
)


@dataclass(frozen=True, slots=True)
class _Written:
    page: Path
    numbers: Path


def write_study(
    study: Study,
    runs: Sequence[StudyRun],
    rows: Sequence[NumberComparison],
    folder: Path,
    *,
    effects: Sequence[ComparedEffect] = (),
    records: Sequence[StudyRecord] = (),
    beside: Beside | None = None,
) -> _Written:
    """Write ``study.md``, ``numbers.csv``, ``by_word.csv``, ``effects.csv``, ``conventions.csv`` and the
    figure into `folder`, as far as the study has
    them; what is there is replaced."""
    folder.mkdir(parents=True, exist_ok=True)
    words = [row for run in runs for asked in study.by_word for row in run.rows_by_word(asked)]
    page = [
        f"# {markdown_text(study.title)}",
        "",
        markdown_text(study.paper),
        "",
        *(f"{own}\n" for own in checked_here(study, rows, effects, beside)),
    ]
    page += [study.about.strip(), ""]
    if study.set:
        page += ["## The sets", "", markdown_table(_set_table(study, runs))]
    page += ["## Published and ours", ""]
    tables = (*comparison_tables(rows), *words_tables(study, runs), *effect_tables(effects), *record_tables(study, records))
    if beside is not None and study.beside is not None:
        tables = (*tables, *beside_tables(beside))
        (folder / "conventions.csv").write_text(csv_text(beside_rows(beside), without_rows="what"), encoding="utf-8")
    page += [markdown_table(table) for table in tables]
    if effects:
        (folder / "effects.csv").write_text(csv_text([asdict(own) for own in effects], without_rows="what"), encoding="utf-8")
        pages: dict[str, list[str]] = {}
        for place, model in dict.fromkeys((f"{own.folder}/{own.page}", run.model) for own in study.effect for run in runs):
            link = posixpath.normpath(f"../{place.format(name=model_folder(model), by='')}")
            pages.setdefault(link, []).append(markdown_text(model))
        page += [*(f"- [all of {', '.join(models)}]({link})" for link, models in pages.items()), ""]
    for title, whose, figure in figures_of(study, runs):
        (folder / f"{figure.name}.svg").write_text(figure.svg, encoding="utf-8")
        (folder / f"{figure.name}.png").write_bytes(figure.png)
        page += [f"![{markdown_text(figure.alt)}]({figure.name}.png)", "", f"*{markdown_text(title)}* {whose}{_INTERVALS}", ""]
    if words:
        page += ["## By word", "", *(markdown_table(table) for table in _word_tables(words, runs[0]))]
        (folder / "by_word.csv").write_text(csv_text([asdict(row) for row in words], without_rows="what"), encoding="utf-8")
    if study.set:
        page += ["## Items set aside", "", *(f"- {markdown_text(line)}" for line in _set_aside(runs)), ""]
    page += [
        "## What to know with these numbers",
        "",
        *(f"- {markdown_text(line)}" for line in _caveats(runs, rows)),
    ]
    page += ["", said] if (said := request_line()) else []
    numbers = folder / "numbers.csv"
    numbers.write_text(
        csv_text([{**asdict(row), "difference": row.difference, "agrees": row.agrees} for row in rows], without_rows="what"),
        encoding="utf-8",
    )
    written = folder / "study.md"
    written.write_text("\n".join(page) + "\n", encoding="utf-8")
    return _Written(written, numbers)


def checked_here(
    study: Study, rows: Sequence[NumberComparison], effects: Sequence[ComparedEffect], beside: Beside | None = None
) -> tuple[str, ...]:
    """How many of the published numbers this run measured and could check, how many follow by arithmetic and how many it could not check;
    then by which convention its numbers are made, and how many conclusions are others by the one beside it."""
    follow: dict[tuple[str, ...], list[bool]] = {}
    others: dict[tuple[str, ...], list[bool]] = {}
    for row in rows:
        agrees = () if row.agrees is None else (row.agrees,)
        (others if row.model else follow).setdefault((row.what, row.set, row.at), []).extend(agrees)
    for own in effects:
        others.setdefault((own.what,), [])
    measured = [own for own in others.values() if own]
    left = len(others) - len(measured)
    were = "was" if len(measured) == 1 else "were"
    said = [f"{len(measured) or 'none'} {were} checked by measuring or counting here{_agreeing(measured)}"]
    if follow:
        what = "follows" if len(follow) == 1 else "follow"
        said.append(f"{len(follow)} {what} from others of them by arithmetic{_agreeing(list(follow.values()))}")
    if left:
        said.append(
            f"{left} could not be checked: of models or sentences that are not here, or without a number of ours; what there is of ours "
            "stands beside them, comparable only"
        )
    convention = find_convention(study.convention)
    made = f"Scoring convention {convention.name}: {convention.title}."
    other = "" if beside is None else beside.said
    return f"{count(len(follow) + len(others), 'published number')}: {'; '.join(said)}.", f"{made} {other}".strip()


def _agreeing(checked: Sequence[Sequence[bool]]) -> str:
    """How many of the numbers that could be held against ours agree, under every model."""
    agree = sum(map(all, checked))
    if not checked:
        return ""
    return " (all agree)" if agree == len(checked) else f" ({agree} agree, {len(checked) - agree} do not)"


def record_tables(study: Study, records: Sequence[StudyRecord]) -> list[Table]:
    """A table of what others found who did the study elsewhere."""
    if not records:
        return []
    cells = []
    for own in records:
        agree, n = own.agreeing
        form = "this one" if own.form == form_of(study) else f"an older one ({own.form})"
        equal = f"{agree} of {n}" if n else "none should be"
        cells.append(
            (own.by, own.at, own.model, str(own.scorer.get("revision", ""))[:19], own.convention, equal, form, own.gapsmith)
        )
    columns = ("by", "on", "model", "weights", "convention", "equal to the published", "form of the study", "gapsmith")
    return [Table("As others found it", columns, tuple(cells), frozenset())]


def comparison_tables(rows: Sequence[NumberComparison]) -> list[Table]:
    """Arithmetic, and a table for each of our models and each place in the paper."""
    found = []
    for model, at in dict.fromkeys((row.model, row.at if row.model else "") for row in rows):
        chosen = [row for row in rows if row.model == model and (row.at == at or not model)]
        caption = f"Under {model}" if model else "What follows from the published numbers alone"
        caption = f"{at}: {caption[0].lower()}{caption[1:]}" if at else caption
        cells = tuple(
            (
                row.what,
                row.set,
                _shown(row.published, row.decimals),
                row.published_model,
                _shown(row.ours, row.decimals),
                _shown(row.difference, row.decimals, sign=True),
                _judged(row),
            )
            for row in chosen
        )
        columns = ("what", "set", "published", "of", "ours", "difference", "they should be")
        found.append(Table(caption, columns, cells, frozenset({2, 4, 5})))
    if any(row.model for row in rows):
        found[-1] = replace(found[-1], notes=(_PLAIN,))
    return found


def words_tables(study: Study, runs: Sequence[StudyRun]) -> list[Table]:
    """A table for each of our models: every contrast that has a published number, by the paper's test and by what its words allow, with a
    sentence where the second has the larger t and the fewer df."""
    asked = list(dict.fromkeys((one.set, one.contrast) for one in study.number))
    titles = {one.name: one.title for one in study.set}
    found = []
    for run in runs:
        rows = []
        scopes: dict[str, dict[str, None]] = {}
        larger: list[str] = []
        every = [run.result(name, contrast) for name, contrast in asked]
        for (name, contrast), own in zip(asked, every, strict=True):
            # Where words leave too little to test with they allow no test, and the paper's stands alone.
            allowed = None if own.words.kind == "described" else own.main
            numbers = [
                (None,) * 4 if test is None else (test.estimate, test.statistic, test.df, test.p) for test in (own.ttest, allowed)
            ]
            cells = [cell for mean, t, df, p in numbers for cell in (plain(mean), plain(t), degrees(df), p_value(p))]
            rows.append((titles[name], contrast, *cells, own.verdict))
            scopes.setdefault(own.words.why or own.main.scope, {}).setdefault(f"{titles[name]}, {contrast}")
            if _is_larger(own):
                larger.append(f"{titles[name]}, {contrast}")
        columns = (
            "set",
            "contrast",
            "published test: mean",
            "t",
            "df",
            "p",
            "what the words allow: mean",
            "t",
            "df",
            "p",
            "verdict",
        )
        notes = tuple(f"{'; '.join(which)}: {scope}" for scope, which in scopes.items() if scope)
        if larger:
            notes += (f"{'; '.join(larger)}: {_LARGER}",)
        if families := dict.fromkeys(one.family for one in every if one.p != one.p_raw):
            notes += (
                f"p is not corrected in this table; verdicts go by p corrected over {listed(list(families))}. {_OTHER_FAMILY}",
            )
        caption = f"Under {run.model}: the paper's test takes words as given; beside it the test that they allow"
        found.append(Table(caption, columns, tuple(rows), frozenset(range(2, 10)), notes))
    return found if asked else []


_OTHER_FAMILY = "The report of one set corrects over its own tests, so its verdict on the same test can be another."


def _is_larger(own: ContrastResult) -> bool:
    """Whether a model that holds words fixed has a larger t than the paper's test, with fewer degrees of freedom."""
    paper, model = own.ttest, own.words.these
    if model is None or not any(use.use == "fixed" for use in own.words.slots):
        return False
    if paper.statistic is None or paper.df is None or model.statistic is None or model.df is None:
        return False
    return abs(model.statistic) > abs(paper.statistic) and model.df < paper.df


def effect_tables(effects: Sequence[ComparedEffect]) -> list[Table]:
    """A table for each of our models: what was published of contexts, as it was printed, and ours."""
    found = []
    for model in dict.fromkeys(own.model for own in effects):
        of_this = [own for own in effects if own.model == model]
        cells: list[tuple[str, ...]] = [(own.what, own.published, own.published_model, own.ours) for own in of_this]
        columns: tuple[str, ...] = ("what", "published", "of", "ours")
        if any(own.over_words for own in of_this):
            columns = (*columns, "ours, by what the words allow")
            cells = [(*row, own.over_words) for row, own in zip(cells, of_this, strict=True)]
        found.append(Table(f"Under {model}, comparable only", columns, tuple(cells), frozenset({3})))
    return found


def _judged(row: NumberComparison) -> str:
    if row.agrees is None:
        return "comparable only"
    return "equal, and are" if row.agrees else "equal, and are NOT"


def _shown(number: float | None, decimals: int, *, sign: bool = False) -> str:
    if number is not None and decimals > 3 and 0.0 < number < 0.5 * 10.0**-decimals and not sign:
        return f"< {10.0**-decimals:.{decimals}f}"
    # Adding 0 takes the sign from a zero.
    return "none" if number is None else f"{round(number, decimals) + 0.0:{'+' if sign else ''}.{decimals}f}"


def _set_table(study: Study, runs: Sequence[StudyRun]) -> Table:
    said = {
        "published": "those of the paper",
        "inferred": "our reading of the paper's",
        "sampled": "a sample of the paper's",
        "ours": "ours, of the same design",
    }
    rows = []
    for one in study.set:
        n_items = runs[0].analyses[one.name].items.n_selected
        n_sentences = runs[0].n_sentences(one.name)
        rows.append((one.title, one.paradigm, f"{n_items:,}", f"{n_sentences:,}", said[one.stimuli]))
    return Table("Sets of items", ("set", "paradigm", "items", "sentences", "the sentences are"), tuple(rows), frozenset({2, 3}))


def _word_tables(words: Sequence[WordRow], run: StudyRun) -> list[Table]:
    found = []
    titles = {one.name: one.title for one in run.study.set}
    for key in dict.fromkeys((row.set, row.model, row.contrast) for row in words):
        rows = [row for row in words if (row.set, row.model, row.contrast) == key]
        cells = tuple((row.slot, row.word, f"{row.n:,}", f"{100 * row.share:.1f} %", f"{row.mean:+.2f}") for row in rows)
        called = label(run.result(key[0], key[2]).contrast)
        caption = f"{called} in the set {titles[key[0]]} under {key[1]}, by word"
        found.append(Table(caption, ("slot", "word", "items", "above 0", "mean (bits)"), cells, frozenset({2, 3, 4})))
    return found


def _set_aside(runs: Sequence[StudyRun]) -> list[str]:
    found = []
    for one in runs[0].study.set:
        if one.approved:
            for aside in runs[0].analyses[one.name].account.set_aside:
                by = ", ".join(aside.decided_by) or "nobody"
                found.append(
                    f"{one.title}: {aside.status.value} by {by}, {aside.reason or 'no reason'}: {', '.join(aside.labels)}"
                )
    return list(dict.fromkeys(found)) or ["none"]


def _caveats(runs: Sequence[StudyRun], rows: Sequence[NumberComparison]) -> list[str]:
    titles = {one.name: one.title for one in runs[0].study.set}
    sets: dict[str, dict[str, None]] = {}
    for run in runs:
        for name, analysis in run.analyses.items():
            for caveat in analysis.caveats:
                sets.setdefault(caveat, {})[titles[name]] = None
    said = [f"{caveat} ({'; '.join(of)})" for caveat, of in sets.items()]
    said += [f"{row.what}: {row.note.removesuffix('.')}." for row in rows if row.note and row.note != "arithmetic"]
    if any(run.model == "bundled" for run in runs):
        said.insert(0, "The bundled model is small and was trained for gapsmith; its numbers say nothing about other models.")
    return list(dict.fromkeys(said))
