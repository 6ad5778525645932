"""`gapsmith licensing`: what models know of filler-gap constructions; `gapsmith count-constructions`: how frequent these are."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.options import (
    AllItemsOption,
    DatasetOption,
    JsonOption,
    ModelsOption,
    ParadigmsOption,
    UnigramOption,
    WorkspaceOption,
)


def register(root: typer.Typer) -> None:
    """Add the commands."""
    root.command("licensing")(licensing)
    root.command("count-constructions")(count_constructions)


def licensing(
    paradigm: ParadigmsOption = None,
    dataset: DatasetOption = None,
    model: ModelsOption = None,
    all_items: AllItemsOption = False,
    unigram: UnigramOption = None,
    counts: Annotated[
        list[Path] | None,
        typer.Option(
            "--counts",
            help="How often corpora have the constructions, as `gapsmith count-constructions --csv` writes it; beside the counts "
            "that ship (repeatable).",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="A folder for licensing.md, effects.csv, cells.csv and figures.", show_default=False),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Test licensor × gap designs: flips, divisions, interaction, islands and depth under three metrics.

    For the paradigms that cross a licensor with a gap (embwhq, cleft_adj, cleft_noun, comp_quant, topic, tough, wh_positions, and
    yours): local surprisal, global surprisal of the clause after the licensor by word, and SLOR, each with mixed models over
    items. Examples: `gapsmith licensing`, `gapsmith licensing -m gpt2 -m bundled --out licensing`.
    """
    from dataclasses import asdict

    from gapsmith.app.chosen import preferred_model
    from gapsmith.app.cli.console import note, print_json, print_text
    from gapsmith.app.slor import slor_tables
    from gapsmith.app.studies.study import shipped_counts
    from gapsmith.app.workspace import open_workspace
    from gapsmith.scoring.analysis import analyze_licensing, correlations, read_construction_counts
    from gapsmith.scoring.report import correlation_table, render_text, verdict_table, write_licensing

    frequencies = read_construction_counts([shipped_counts(), *(counts or ())])
    with open_workspace(workspace) as ws:
        results = [
            analyze_licensing(
                ws.bank,
                paradigm or (),
                model=name,
                dataset=dataset,
                all_items=all_items,
                unigrams=slor_tables(ws.root, unigram),
            )
            for name in model or (preferred_model(ws.settings),)
        ]
    found = correlations(results, frequencies)
    for said in dict.fromkeys(said for result in results for said in result.notes):
        note(said)
    if as_json:
        print_json({"models": [asdict(result) for result in results], "correlations": [asdict(one) for one in found]})
    else:
        tables = [verdict_table(result) for result in results] + ([correlation_table(found)] if found else [])
        print_text("\n\n".join(map(render_text, tables)))
    if out is not None:
        written = write_licensing(results, found, out)
        note(f"Written: {written}")


def count_constructions(
    files: Annotated[list[Path], typer.Argument(help="CoNLL-U files (.conllu, .conllu.xz), or files of trees in brackets.")],
    csv: Annotated[
        str | None,
        typer.Option(
            "--csv",
            metavar="NAME",
            help="Print CSV for `licensing --counts`, the corpus being called so.",
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Count five filler-gap constructions in a treebank, by patterns over dependencies or over trees in brackets.

    Over trees in brackets, such as the Penn Treebank's, the patterns are the published ones. Examples: `gapsmith
    count-constructions en_ewt-ud-train.conllu`, `gapsmith count-constructions wsj_0001.mrg wsj_0002.mrg --csv WSJ > counts.csv`.
    """
    from rich.table import Table
    from rich.text import Text

    from gapsmith.app.cli.console import note, print_json, print_table, print_text
    from gapsmith.app.studies.study import shipped_counts
    from gapsmith.parsing import count_constructions as count_in
    from gapsmith.scoring.analysis import read_construction_counts

    found = count_in(files)
    if as_json:
        print_json({"counts": dict(found.counts), "sentences": found.n_sentences, "patterns_over": found.how})
        return
    note(f"{found.n_sentences:,} sentences, patterns over {found.how}")
    if csv is not None:
        paradigms = {one.construction: "|".join(one.paradigms) for one in read_construction_counts([shipped_counts()])}
        lines = [f"{name},{paradigms[name]},{n}" for name, n in found.counts.items()]
        print_text("\n".join([f"construction,paradigms,{csv}", *lines]))
        return
    table = Table("construction", "count")
    table.columns[1].justify = "right"
    for name, n in found.counts.items():
        table.add_row(Text(name), f"{n:,}")
    print_table(table)
