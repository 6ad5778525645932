"""What a study leaves behind: a page with the published numbers beside ours, a table of them, and a figure."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gapsmith.studies.running import Compared, ComparedEffect, StudyRun, WordRow, folder_name
from gapsmith.studies.study import Study
from scoring.report.drawing import Drawing, draw
from scoring.report.markdown import markdown_table, markdown_text
from scoring.report.tables import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class _Written:
    page: Path
    numbers: Path


def write_study(
    study: Study,
    runs: Sequence[StudyRun],
    rows: Sequence[Compared],
    folder: Path,
    *,
    effects: Sequence[ComparedEffect] = (),
) -> _Written:
    """Write ``study.md``, ``numbers.csv``, ``by_word.csv``, ``effects.csv`` and the figure into `folder`, as far as the study has
    them; what is there is replaced."""
    folder.mkdir(parents=True, exist_ok=True)
    words = [row for run in runs for asked in study.by_word for row in run.rows_by_word(asked)]
    figure = effects_figure(study, rows)
    page = [f"# {markdown_text(study.title)}", "", markdown_text(study.paper), "", study.about.strip(), ""]
    if study.set:
        page += ["## The sets", "", markdown_table(_set_table(study, runs))]
    page += ["## Published and ours", ""]
    page += [markdown_table(table) for table in (*comparison_tables(rows), *effect_tables(effects))]
    if effects:
        (folder / "effects.csv").write_text(_csv([asdict(own) for own in effects]), encoding="utf-8")
        places = dict.fromkeys((own.folder, run.model) for own in study.effect for run in runs)
        pages = {f"../{place.format(name=folder_name(model))}/contexts.md": model for place, model in places}
        page += [*(f"- [all of {markdown_text(model)}]({link})" for link, model in pages.items()), ""]
    if figure is not None:
        (folder / "numbers.svg").write_text(figure.svg, encoding="utf-8")
        (folder / "numbers.png").write_bytes(figure.png)
        page += [f"![{markdown_text(figure.alt)}](numbers.png)", ""]
    if words:
        page += ["## By word", "", *(markdown_table(table) for table in _word_tables(words))]
        (folder / "by_word.csv").write_text(_csv([asdict(row) for row in words]), encoding="utf-8")
    if study.set:
        page += ["## Items set aside", "", *(f"- {markdown_text(line)}" for line in _set_aside(runs)), ""]
    page += [
        "## What to know with these numbers",
        "",
        *(f"- {markdown_text(line)}" for line in _caveats(runs, rows)),
    ]
    numbers = folder / "numbers.csv"
    numbers.write_text(
        _csv([{**asdict(row), "difference": row.difference, "agrees": row.agrees} for row in rows]), encoding="utf-8"
    )
    written = folder / "study.md"
    written.write_text("\n".join(page) + "\n", encoding="utf-8")
    return _Written(written, numbers)


def comparison_tables(rows: Sequence[Compared]) -> list[Table]:
    """Arithmetic, and a table for each of our models."""
    found = []
    for model in dict.fromkeys(row.model for row in rows):
        chosen = [row for row in rows if row.model == model]
        caption = f"Under {model}" if model else "What follows from the published numbers alone"
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
    return found


def effect_tables(effects: Sequence[ComparedEffect]) -> list[Table]:
    """A table for each of our models: what was published of contexts, as it was printed, and ours."""
    found = []
    for model in dict.fromkeys(own.model for own in effects):
        cells = tuple((own.what, own.published, own.published_model, own.ours) for own in effects if own.model == model)
        columns = ("what", "published", "of", "ours")
        found.append(Table(f"Under {model}, comparable only", columns, cells, frozenset({3})))
    return found


def _judged(row: Compared) -> str:
    if row.agrees is None:
        return "comparable only"
    return "equal, and are" if row.agrees else "equal, and are NOT"


def _shown(number: float | None, decimals: int, *, sign: bool = False) -> str:
    # Adding 0 takes the sign from a zero.
    return "none" if number is None else f"{round(number, decimals) + 0.0:{'+' if sign else ''}.{decimals}f}"


def _set_table(study: Study, runs: Sequence[StudyRun]) -> Table:
    said = {
        "published": "those of the paper",
        "inferred": "our reading of the paper's",
        "ours": "ours, of the same design",
    }
    rows = []
    for one in study.set:
        items = runs[0].analyses[one.name].items
        rows.append((one.title, one.paradigm, f"{items.n_selected:,}", f"{items.n_sentences:,}", said[one.stimuli]))
    return Table(
        "Sets of items", ("set", "paradigm", "items", "sentences", "the sentences are"), tuple(rows), frozenset({2, 3})
    )


def _word_tables(words: Sequence[WordRow]) -> list[Table]:
    found = []
    for key in dict.fromkeys((row.set, row.model, row.contrast) for row in words):
        rows = [row for row in words if (row.set, row.model, row.contrast) == key]
        cells = tuple(
            (row.slot, row.word, f"{row.n:,}", f"{100 * row.share:.1f} %", f"{row.mean:+.2f}") for row in rows
        )
        caption = f"{key[2]} in {key[0]} under {key[1]}, by word"
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


def _caveats(runs: Sequence[StudyRun], rows: Sequence[Compared]) -> list[str]:
    said = [caveat for run in runs for analysis in run.analyses.values() for caveat in analysis.caveats]
    said += [f"{row.what}: {row.note}." for row in rows if row.note and row.note != "arithmetic"]
    if any(run.model == "bundled" for run in runs):
        said.insert(
            0, "The bundled model is small and was trained for gapsmith; its numbers say nothing about other models."
        )
    return list(dict.fromkeys(said))


def effects_figure(study: Study, rows: Sequence[Compared]) -> Drawing | None:
    """Published and our means in bits, side by side; None where none were published."""
    means = {
        (n.what, next(s.title for s in study.set if s.name == n.set)) for n in study.number if n.statistic == "mean"
    }
    drawn = [row for row in rows if (row.what, row.set) in means and row.ours is not None]
    if not drawn:
        return None
    labels = list(dict.fromkeys(f"{row.what} ({row.set})" for row in drawn))
    models = list(dict.fromkeys(row.model for row in drawn))

    def paint(figure: Figure) -> None:
        axes = figure.subplots()
        places = {label: len(labels) - 1 - number for number, label in enumerate(labels)}
        axes.axvline(0.0, linewidth=0.8, color="black")
        once = {f"{row.what} ({row.set})": row.published for row in drawn}
        axes.plot(list(once.values()), [places[label] for label in once], "D", color="black", label="published")
        for number, model in enumerate(models):
            mine = [row for row in drawn if row.model == model]
            heights = [places[f"{row.what} ({row.set})"] - 0.18 * (number + 1) for row in mine]
            axes.plot([row.ours or 0.0 for row in mine], heights, "o", label=model)
        axes.set_yticks(list(places.values()), list(places))
        axes.set_xlabel("mean, bits")
        axes.legend(frameon=False)

    size = (7.5, 1.2 + 0.45 * len(labels))
    alt = "; ".join(f"{r.what} ({r.set}): published {r.published:+.2f}, {r.model} {r.ours:+.2f}" for r in drawn)
    return draw(f"{study.name}-numbers", "Published means and ours", alt, size=size, paint=paint)


def _csv(rows: Sequence[dict[str, object]]) -> str:
    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(rows[0]) if rows else ["what"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()
