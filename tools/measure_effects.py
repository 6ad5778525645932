"""What the bundled model does on the paradigms that ship with gapsmith, written into its card.

    python -m tools.measure_effects                  # rewrites the table in scoring/bundled/MODEL_CARD.md
    python -m tools.measure_effects --model DIR      # prints the table for another model

Per paradigm 40 items from its own word lists (seed 1), none set aside; every contrast in bits, by the test that the words allow,
two-sided and not corrected. Where they allow none, t and p are over items that are taken as independent; these, and those of contrasts
that compare different words, are in brackets.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from gapsmith.app.cli.app import app
from gapsmith.app.workspace import open_workspace
from gapsmith.bank import Bank
from gapsmith.scoring.analysis import AnalysisOptions, analyze
from gapsmith.scoring.lm import BUNDLED, bundled_directory
from gapsmith.templates import load_paradigm, paradigm_files

N_ITEMS = 40
SEED = 1
BEGIN, END = "<!-- measured -->", "<!-- end of measured -->"


def main() -> None:
    """Measure, then print the table or write it into the card."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default=BUNDLED)
    model = parser.parse_args().model
    table = "\n".join(measured(model))
    if model != BUNDLED:
        print(table)
        return
    card = bundled_directory() / "MODEL_CARD.md"
    text, n = re.subn(rf"{BEGIN}.*?{END}", f"{BEGIN}\n{table}\n{END}", card.read_text("utf-8"), flags=re.DOTALL)
    if n != 1:
        raise SystemExit(f"{card} has no place for the table, between {BEGIN} and {END}")
    card.write_text(text, encoding="utf-8")


def measured(model: str) -> Iterator[str]:
    """The rows of a Markdown table."""
    yield "| paradigm | contrast | expected | mean (bits) | t | df | p | items as expected |"
    yield "|---|---|---|---|---|---|---|---|"
    with TemporaryDirectory() as folder:
        workspace = Path(folder) / "workspace"
        app(["init", str(workspace)], standalone_mode=False)
        for name in sorted(paradigm_files()):
            sample = ("-n", str(N_ITEMS), "--seed", str(SEED), "--provider", "lexicon")
            # The contrasts of the constructions are about items without clauses between licensor and gap.
            plain = any(choice.name == "embedding" for choice in load_paradigm(name).choices)
            only = ("--choose", "embedding=none") if plain else ()
            app(["generate", name, *sample, *only, "-w", str(workspace)], standalone_mode=False)
        app(["score", "--model", model, "--all", "-w", str(workspace)], standalone_mode=False)
        with open_workspace(workspace) as opened:
            for name in sorted(paradigm_files()):
                yield from _rows(opened.bank, name)


def _rows(bank: Bank, paradigm: str) -> Iterator[str]:
    analysis = analyze(bank, paradigm, options=AnalysisOptions(all_items=True, alternative="two-sided"))
    for result in analysis.contrasts:
        test, share = result.main, result.accuracy
        expected = {1: "> 0", -1: "< 0"}.get(result.contrast.expected, "–")
        p = "< .0001" if test.p is not None and test.p < 1e-4 else _number(test.p, ".4f").removeprefix("0")
        numbers: tuple[str, ...] = (_number(test.statistic, ".1f"), _number(test.df, ".1f"), p)
        if result.n_unlike or (result.words.may_repeat and result.words.these is None):
            numbers = tuple(f"({number})" for number in numbers)
        hits = f"{share.details['successes']} of {share.n}" if expected != "–" else "–"
        yield " | ".join((f"| {paradigm}", result.contrast.name, expected, _number(test.estimate, "+.2f"), *numbers, f"{hits} |"))


def _number(value: float | None, form: str) -> str:
    return "undefined" if value is None else format(value, form).replace("-", "−")


if __name__ == "__main__":
    main()
