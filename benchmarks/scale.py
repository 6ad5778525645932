"""Every command over pairs at 10, 50 and 200 thousand items: processor time as a ratio for four times the items, and the peak of memory.

    python -m benchmarks scale
    python -m benchmarks.scale [--folder DIR] [--sizes 10000,50000,200000] [--only NAME …]

Commands are run as people run them, one process each, in the order of `STEPS`, on one workspace for each size. What a command took
is written to ``times.jsonl`` in the folder at once: with ``--folder`` a run that was ended goes on where it stopped. Times are
processor seconds of the process and its children, less those of a program that only starts; the ratio for four times the items is
`seconds(large) / seconds(small)` to the power of `log 4 / log(large / small)`, so that 50,000 against 10,000 and 200,000 against
50,000 are held to the same limit. Memory is the largest resident set of the process, less what torch takes by being imported where
the command runs a model or a parser, or rules that parse. Commands of models and parsers are measured at 10 and 50 thousand only.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

SIZES = (10_000, 50_000, 200_000)
MODELS_TO = 50_000
"""Commands that run a model or a parser are measured up to here."""
ALLOWED_RATIO = 4.6
ALLOWED_GIB = 1.5
BASE_S = 2.0
"""A command that takes less than this at the larger size has no ratio: what it takes is its start."""


@dataclass(frozen=True)
class Step:
    """A command, by its arguments; `{n}` is the number of items."""

    name: str
    line: str
    model: bool = False
    """Whether it runs a model or a parser."""
    parses: bool = False
    """Whether rules of it parse sentences of their own accord: what parses imports torch, too."""
    large: bool = False
    """Whether it is measured at all sizes, though it runs a model."""
    exits: tuple[int, ...] = (0,)
    """Exit codes that are success here."""
    whole: bool = True
    """Whether its work grows with the items; of others only the memory is held to a limit."""


STEPS: tuple[Step, ...] = (
    Step("init", "init .", whole=False),
    Step("audit", "audit {file} --format pair_table -o audit.html", exits=(0, 1), parses=True),
    Step("paradigm draft", "paradigm draft {file} --first good -o drafted.toml"),
    Step("import --preview", "import {file} --first good --preview"),
    Step("import", "import {file} --first good -d pairs"),
    Step("import --update", "import {file} --first good -d pairs --update"),
    Step("dataset list", "dataset list"),
    Step("next", "next"),
    Step("lint", "lint --fail-on never", parses=True),
    Step("lint, unchanged", "lint --fail-on never"),
    Step("lint --json", "lint --json --fail-on never"),
    Step("lint --fix", "lint --fix --fail-on never"),
    Step("lint --parser", "lint --parser embedded --fail-on never", model=True),
    Step("show", "show"),
    Step("show --json", "show --json"),
    Step("show ITEM", "show 7", whole=False),
    Step("decide --dry-run", "decide --policy clean --dry-run"),
    Step("decide --policy", "decide --policy clean"),
    Step("decide --text", "decide approve --text near"),
    Step("assign", "assign --to ann --to ben --overlap 0.1 --seed 1"),
    Step("review, opened", "", whole=False),
    Step("lab", "lab"),
    Step("agreement", "agreement --look"),
    Step("annotations", "annotations decisions --look"),
    Step("judge new", "judge new study.toml --to cyd"),
    Step("judge results", "judge results study.toml", exits=(0, 1)),
    Step("packet make", "packet make packet.xlsx --for ben"),
    Step("packet take", "packet take packet.xlsx", exits=(0, 1)),
    Step("score --dry-run", "score --model bundled --dry-run --all", model=True, large=True),
    Step("import-scores", "import-scores {scores} --model elsewhere --unit bits"),
    Step("import-scores, others", "import-scores {scores} --model other --unit bits"),
    Step("score", "score --model bundled --all", model=True),
    Step("score, again", "score --model bundled --all", model=True),
    Step("context draw", "context draw near --type matched --lengths 20 --model bundled --seed 1 --all", model=True),
    Step("context list", "context list", whole=False),
    Step("context show", "context show near", model=True),
    Step("plan freeze", "plan freeze minimal_pairs --items {n}", exits=(0, 1), whole=False),
    Step("analyze", "analyze --model elsewhere"),
    Step("analyze --json", "analyze --model elsewhere --json"),
    Step("report", "report --model elsewhere -o report"),
    Step("bank check --report", "bank check --report report"),
    Step("publish", "publish --model elsewhere -o published"),
    Step("export csv", "export csv --all -o out.csv"),
    Step("export blimp", "export blimp --all -o out.jsonl"),
    Step("export xlsx", "export csv --all -o out.xlsx"),
    Step("export pcibex", "export pcibex --all --seed 1 -o pcibex.csv"),
    Step("export jspsych", "export jspsych --all --seed 1 -o jspsych"),
    Step("export lm-eval", "export lm-eval --all --seed 1 --pair good,bad -o lm-eval"),
    Step("export hub", "export hub --all --title Items --license cc-by-4.0 -o hub"),
    Step("export decisions", "export decisions --look -o decisions.csv"),
    Step("decide --csv", "decide --csv decisions.csv --early", exits=(0, 1)),
    Step("export long", "export long --all --model elsewhere -o long.csv"),
    Step("export words", "export words --all --model elsewhere -o words.csv"),
    Step("export tokens", "export tokens --all --model elsewhere -o tokens.csv"),
    Step("export differences", "export differences --all --model elsewhere --model other -o differences.csv"),
    Step("export tests", "export tests --all --model elsewhere -o tests.csv"),
    Step("export items", "export items --all --model elsewhere -o items.csv"),
    Step("export conditions", "export conditions --all --model elsewhere -o conditions.csv"),
    Step("export conllu", "export conllu --all -o parses.conllu", model=True),
    Step("study context", "study context --model bundled --all --lengths 20 -p minimal_pairs --dry-run", model=True),
    Step("paradigm show", "paradigm show minimal_pairs", whole=False),
    Step("paradigm check", "paradigm check minimal_pairs", whole=False),
    Step("paradigm diff", "paradigm diff minimal_pairs"),
    Step("paradigm update", "paradigm update minimal_pairs"),
    Step("runs list", "runs list", whole=False),
    Step("runs compare", "runs compare"),
    Step("runs show", "runs show 1"),
    Step("runs item", "runs item 7", whole=False),
    Step("bank check", "bank check"),
    Step("bank log", "bank log log.jsonl"),
    Step("init other", "init other", whole=False),
    Step("bank merge", "bank merge log.jsonl -w other"),
    Step("bank backup", "bank backup copy.sqlite"),
    Step("bank restore", "bank restore copy.sqlite -w other"),
    Step("dataset rename", "dataset rename pairs renamed"),
    Step("dataset remove", "dataset remove renamed"),
    Step("dataset undo", "dataset undo"),
    Step("generate", "generate subject_pg -n {tenth} --seed 1 -d made"),
)

SETTINGS = {"HF_HUB_OFFLINE": "1", "GAPSMITH_ANNOTATOR": "lead"}
"""What the steps find in the environment: a name, since the account's own is nobody's, and no network."""

EXCEPTIONS: dict[str, str] = {
    "runs watch": "waits for a service",
    "train corpus": "reads texts, no items",
    "train audit": "reads texts, no items",
    "train counts": "reads texts, no items",
    "train lm": "reads texts, no items",
    "train grid": "reads texts, no items",
    "power": "that of contrasts, and pairs have a criterion",
    "train parser": "reads a treebank, no items",
    "model convert": "reads a model, no items",
    "study count-constructions": "reads a treebank, no items",
    "study licensing": "designs that cross a licensor with a gap, which pairs do not",
    "study posh": "the sets of one benchmark, which has a size",
    "study list": "lists what ships",
    "paradigm new": "writes a design, no items",
    "paradigm list": "lists what ships and the workspace's designs",
    "prompt list": "lists texts",
    "prompt show": "shows a text",
    "prompt copy": "copies a text",
    "rule": "shows a page",
    "doctor": "looks at what is installed",
    "explain-number": "one sentence",
    "context add": "takes in a file of contexts, as large as somebody makes it",
    "plan list": "lists plans",
    "bank lead": "one name",
    "dataset recognise": "reads the files of published benchmarks, which have a size",
    "dataset load": "loads sets that ship",
    "demo": "two small sets",
    "serve-fake": "a server",
}
"""Commands that are not measured, with the reason."""

_OPEN_REVIEW = """
import asyncio, sys
from pathlib import Path
from gapsmith.bank import Bank
from gapsmith.vetting.review import Session
from gapsmith.vetting.tui import ReviewApp
async def open_it(bank):
    app = ReviewApp(Session(bank, "ann"))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
with Bank.open(Path("bank.sqlite")) as bank:
    asyncio.run(open_it(bank))
"""
_NOUNS = (
    "teacher doctor pilot farmer singer painter writer baker lawyer driver nurse student artist dancer waiter actor child guest"
    " uncle sailor"
)
_ADJECTIVES = "tall old young clever quiet kind rich poor proud tired happy angry calm brave shy strict famous lazy busy strong"
_PLACES = (
    "garden kitchen office station museum library village market harbor church theater school park hotel castle bridge tower"
    " forest meadow cellar"
)
_VERBS = "smile laugh sing sleep wait work read write cook dance swim shout whisper cough sneeze jump run walk kneel rest"
_MEASURE = (
    "import json, resource, subprocess, sys; done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,"
    " stdin=subprocess.DEVNULL, text=True); used = resource.getrusage(resource.RUSAGE_CHILDREN);"
    " print(json.dumps([used.ru_utime + used.ru_stime, used.ru_maxrss, done.returncode, done.stderr[-2000:]]))"
)


@dataclass(frozen=True)
class Taken:
    """What a command took."""

    seconds: float
    """Of the processor."""
    gib: float
    """The largest resident set."""
    code: int
    said: str


def command_of(step: Step) -> str:
    """The command that a step runs, without its options: what `STAGES` and `COMMANDS` list."""
    return " ".join(word for word in step.line.split() if word[:1].isalpha() and word.islower())


def measured(arguments: Sequence[str], folder: Path) -> Taken:
    """Run a program and wait for it."""
    done = subprocess.run([sys.executable, "-c", _MEASURE, *arguments], cwd=folder, stdout=subprocess.PIPE, text=True, check=True)
    seconds, peak, code, said = json.loads(done.stdout)
    return Taken(seconds, peak * (1 if sys.platform == "darwin" else 1024) / 2**30, code, said)


def ratio_for_four(small: float, large: float, times: float) -> float:
    """What four times the items cost, where `times` as many cost `large / small`."""
    return math.pow(large / small, math.log(4) / math.log(times))


def write_pairs(folder: Path, n: int) -> None:
    """`n` pairs that differ in the number of the verb, and a table of a value for each sentence."""
    rng = random.Random(1)
    lists = [words.split() for words in (_ADJECTIVES, _NOUNS, _ADJECTIVES, _PLACES, _VERBS)]
    seen: set[tuple[int, ...]] = set()
    with (
        (folder / "pairs.csv").open("w", encoding="utf-8", newline="") as pairs,
        (folder / "scores.csv").open("w", encoding="utf-8", newline="") as scores,
    ):
        table, values = csv.writer(pairs), csv.writer(scores)
        table.writerow(["sentence_good", "sentence_bad"])
        values.writerow(["item", "condition", "token", "surprisal"])
        while len(seen) < n:
            at = tuple(rng.randrange(20) for _ in range(5))
            if at in seen:
                continue
            seen.add(at)
            adjective, noun, other, place, verb = (words[n] for words, n in zip(lists, at, strict=True))
            start = f"The {adjective} {noun} near the {other} {place} {verb}"
            good, bad = f"{start}s.", f"{start}."
            table.writerow([good, bad])
            for condition, text, mean in (("good", good, 40.0), ("bad", bad, 41.0)):
                values.writerow([len(seen), condition, text, f"{rng.gauss(mean, 4):.4f}"])


def run_all(folder: Path, sizes: Sequence[int], only: Sequence[str]) -> dict[int, dict[str, Taken]]:
    """What each step took at each size; what ``times.jsonl`` has is not run again."""
    kept = folder / "times.jsonl"
    found: dict[int, dict[str, Taken]] = {n: {} for n in sizes}
    if kept.exists():
        for line in kept.read_text("utf-8").splitlines():
            n, name, *taken = json.loads(line)
            if n in found:
                found[n][name] = Taken(*taken)
    with kept.open("a", encoding="utf-8") as times:
        for n in sizes:
            home = folder / str(n)
            if not home.exists():
                home.mkdir()
                write_pairs(home, n)
            for step in STEPS:
                if step.name in found[n] or (step.model and not step.large and n > MODELS_TO) or (only and step.name not in only):
                    continue
                taken = measured(_arguments(step, n), home)
                found[n][step.name] = taken
                times.write(json.dumps([n, step.name, taken.seconds, taken.gib, taken.code, taken.said]) + "\n")
                times.flush()
                told = "" if taken.code in step.exits else f"  exit code {taken.code}: {taken.said.strip()[:300]}"
                print(
                    f"  {n:>7,}  {step.name:<20}{taken.seconds:>9.1f} s {taken.gib:>6.2f} GiB{told}", file=sys.stderr, flush=True
                )
    return found


def _arguments(step: Step, n: int) -> list[str]:
    if not step.line:
        return [sys.executable, "-c", _OPEN_REVIEW]
    line = step.line.format(n=n, tenth=n // 10, file="pairs.csv", scores="scores.csv")
    return [sys.executable, "-m", "gapsmith", *line.split()]


def table(found: dict[int, dict[str, Taken]]) -> tuple[list[str], list[str]]:
    """Lines to print, and what does not hold."""
    start = measured([sys.executable, "-m", "gapsmith", "--version"], Path()).seconds
    torch = measured([sys.executable, "-c", "import torch"], Path()).gib
    sizes = sorted(found)
    lines = [f"{'command':<22}" + "".join(f"{f'{n:,}':>18}" for n in sizes) + "".join(f"{f'×4 at {n:,}':>16}" for n in sizes[1:])]
    failed = []
    for step in STEPS:
        cells, ratios = [], []
        for n in sizes:
            taken = found[n].get(step.name)
            gib = 0.0 if taken is None else max(0.0, taken.gib - (torch if step.model or step.parses else 0.0))
            cells.append(f"{'–':>18}" if taken is None else f"{max(0.0, taken.seconds - start):>9.1f} s {gib:>5.2f} G")
            if taken is not None and taken.code not in step.exits:
                failed.append(f"{step.name} at {n:,}: exit code {taken.code}: {taken.said.strip()[:200]}")
            if gib > ALLOWED_GIB:
                failed.append(f"{step.name} at {n:,}: {gib:.2f} GiB")
        for small, large in pairwise(sizes):
            one, other = found[small].get(step.name), found[large].get(step.name)
            if one is None or other is None or other.seconds - start < BASE_S:
                ratios.append(f"{'–':>16}")
                continue
            ratio = ratio_for_four(max(0.05, one.seconds - start), other.seconds - start, large / small)
            ratios.append(f"{ratio:>16.1f}")
            if ratio > ALLOWED_RATIO and step.whole:
                failed.append(f"{step.name} at {large:,}: ×{ratio:.1f} for ×4")
        lines.append(f"{step.name:<22}" + "".join(cells) + "".join(ratios))
    return lines, failed


def main(arguments: Sequence[str] = ()) -> None:
    """Run all, print the table, and end with 1 where something does not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--only", nargs="*", default=[])
    given = parser.parse_args(list(arguments))
    sizes = [int(size) for size in given.sizes.split(",")]
    os.environ |= SETTINGS
    if given.folder is not None:
        given.folder.mkdir(parents=True, exist_ok=True)
        found = run_all(given.folder.resolve(), sizes, given.only)
    else:
        with tempfile.TemporaryDirectory() as name:
            found = run_all(Path(name), sizes, given.only)
    lines, failed = table(found)
    print("\n".join(lines))
    print(
        f"allowed: ×{ALLOWED_RATIO} for ×4, {ALLOWED_GIB} GiB; " + ("all hold" if not failed else f"{len(failed)} do not hold:")
    )
    for line in failed:
        print(f"  {line}")
    if failed:
        raise SystemExit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
