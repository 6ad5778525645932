"""What is recorded: sets of items, and for each the steps, which are commands with their arguments.

A step of a set works on the workspace that the steps before have left. `{data}` is the recorder's own files, `{server}` the
address of the stand-in server that the set has started."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from openpyxl import load_workbook

Before = Callable[[Path], None]

EXCEPTIONS: dict[tuple[str, ...], str] = {
    ("review",): "waits for keys in a terminal or for a browser; the tests play it with a pilot",
    ("train", "grid"): "says how fast the machine is; what it trains, `train lm` does",
    (
        "model",
        "convert",
    ): "its folder names the digest of a file that torch writes; tests/scoring/test_gulordava.py makes such files",
    ("next",): "prints commands, which tests/gapsmith/test_next.py follows",
}
"""Commands that are not recorded, with the reason."""

STUDIES = ("gaps2025", "quality2025", "context2023", "constructions2022", "posh2026")


def exceptions_of(*, quick: bool) -> dict[tuple[str, ...], str]:
    """Commands that a recording does without, with the reason."""
    return EXCEPTIONS | ({("study", name): "takes minutes" for name in STUDIES} if quick else {})


@dataclass(frozen=True)
class Step:
    """A command with its arguments; `before` is called with the set's folder first, a `server` runs until the set is done."""

    arguments: tuple[str, ...]
    before: Before | None = None
    server: bool = False


@dataclass(frozen=True)
class _Set:
    """A set of items: its paradigm, how its items come in, and which members of its pairs lm-eval compares."""

    name: str
    paradigm: str
    items: tuple[str, ...]
    dataset: str
    first: str
    pair: str


def plan_of(*, quick: bool) -> dict[str, list[Step]]:
    """The steps by set. Quick: smaller sets, one of them with every step, and no study of a paper."""
    lan = "lan_pg -n 24 --seed 1" if quick else "lan_pg --all"
    sets = (
        _Set(
            "eight",
            "subject_pg",
            _words("generate subject_pg -n 12 --seed 1"),
            "generated",
            "1",
            "pf_pg1_pg2,mf_pg1_pg2",
        ),
        _Set("lan", "lan_pg", _words(f"generate {lan}"), "generated", "1", "pfpg,mfpg"),
        _Set("embwhq", "embwhq", _words(f"generate embwhq -n {16 if quick else 120} --seed 1"), "generated", "1", ""),
        _Set("pairs", "minimal_pairs", ("import", "{data}/pairs.jsonl"), "pairs", "islands-0", "good,bad"),
        _Set("suite", "object_gap", ("import", "{data}/suite.json"), "suite", "1", "what_gap,that_gap"),
    )
    by_name = {
        of.name: _of_items(of, thorough=not quick or of.name == "eight", whole=not quick and of.name == "lan") for of in sets
    }
    plan = by_name | {"providers": _providers(), "alone": _alone(thorough=not quick)}
    if not quick:
        plan |= {study: _study(study) for study in STUDIES}
    # The longest first, so that the last to end does not run alone for long.
    first = ("context2023", "quality2025", "lan", "posh2026", "constructions2022", "eight", "alone")
    return {name: plan[name] for name in sorted(plan, key=lambda name: first.index(name) if name in first else len(first))}


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _study(name: str) -> list[Step]:
    return [Step(("study", name)), Step(("study", name, "--json"))]


class _Steps(list[Step]):
    """Steps in order; those that are only for thorough recordings are left out of others."""

    def __init__(self, *, thorough: bool) -> None:
        super().__init__()
        self.thorough = thorough

    def do(self, line: str, before: Before | None = None) -> None:
        """A step of every recording."""
        self.append(Step(_words(line), before))

    def also(self, line: str, before: Before | None = None) -> None:
        """A step of thorough recordings."""
        if self.thorough:
            self.do(line, before)


def _of_items(of: _Set, *, thorough: bool, whole: bool) -> list[Step]:
    """The way of a set through all commands that work on items; `whole`: it is so large that some steps are left out."""
    steps = _Steps(thorough=thorough)
    do, also = steps.do, steps.also
    do("init .")
    steps.append(Step(of.items))
    also(" ".join(of.items))
    _designs(of, steps)
    do("dataset list --json")
    also("dataset list")
    also(f"dataset rename {of.dataset} renamed --by lead")
    also("dataset undo --by lead")
    do(f"show {of.first}")
    do("show --json")
    _lint(steps, whole=whole)
    _decisions(of, steps, whole=whole)
    _scores(steps, whole=whole)
    _analyses(of, steps, whole=whole)
    _exports(of, steps, whole=whole)
    do("runs list --json")
    also("runs list")
    also("runs compare")
    do("runs show 1")
    also("runs show 1 --json")
    do(f"runs item {of.first}")
    _copies(of, steps)
    also(f"dataset remove {of.dataset} --by lead")
    also("dataset list --removed")
    also("analyze")
    also("power")
    do(f"plan freeze {of.paradigm} --items 40 --by lead")
    also("plan list")
    also("analyze")
    also("dataset undo --by lead")
    return steps


def _designs(of: _Set, steps: _Steps) -> None:
    steps.do(f"paradigm show {of.paradigm} --json")
    steps.also(f"paradigm show {of.paradigm}")
    steps.do(f"paradigm check {of.paradigm}")
    steps.also(f"paradigm diff {of.paradigm}")
    steps.also(f"paradigm update {of.paradigm} --by lead")
    if of.name == "suite":
        # Another form: a region goes by another name.
        steps.do(f"paradigm diff {of.paradigm} --json", _rename_region)
        steps.do(f"paradigm update {of.paradigm} --by lead --dry-run")
        steps.do(f"paradigm update {of.paradigm} --by lead")
        steps.do("import {data}/suite.json --preview -w previewed")
        steps.do("paradigm draft {data}/suite.json")
        steps.do("paradigm draft {data}/suite.json --name another -o another.toml")
    if of.name in ("eight", "embwhq"):
        steps.do(f"prompt show slots -p {of.paradigm} -n 4")
        steps.also(f"prompt show sentences -p {of.paradigm} -n 4")


def _lint(steps: _Steps, *, whole: bool) -> None:
    steps.do("lint --fail-on never")
    steps.do("lint --json --fail-on warning")
    steps.also("lint --full --level info --fail-on never")
    steps.do("lint --confounds --fail-on never")
    steps.also("lint --confounds --json --fail-on never")
    if not whole:
        steps.also("lint --parser embedded --tokenizer bundled --fail-on never")
    steps.also("lint --select L --ignore L3 --fail-on never")
    steps.also("lint --fix --fail-on never")


def _decisions(of: _Set, steps: _Steps, *, whole: bool) -> None:
    do, also = steps.do, steps.also
    also("decide --policy clean --dry-run")
    do("decide --policy clean")
    also(f"decide exclude {of.first} --reason ambiguous --by ann --json")
    also(f"decide flag {of.first} --by ben --comment odd")
    also("assign --to ann --to ben --by lead --overlap 0.5 --seed 1 --json")
    also("decide --csv decisions.csv --by ann", _write_decisions(of.first))
    if not whole:
        also("packet make packet.xlsx --for ben")
        also("packet take packet.xlsx", _fill_packet)
        also("packet take packet.xlsx --json")
        also("judge new study.toml --to ann --to ben --by lead")
        also("judge results study.toml --mine --by ann --json")
    do("lab --by lead")
    do("agreement --by lead --look")
    also("agreement --by lead --look --all --json")
    do("annotations decisions --by lead --look")
    also("annotations judgements --by lead --look")


def _scores(steps: _Steps, *, whole: bool) -> None:
    do, also = steps.do, steps.also
    also("score --model bundled --dry-run")
    do("score --model bundled --all --boundary")
    also("score --model bundled --all --json")
    if not whole:
        also("score --model bundled --no-bos --critical-only")
        do("export tokens --all -o tokens.csv --model bundled")
        do("import-scores tokens.csv --model elsewhere --unit bits")
        also("context draw drawn --type unrelated --lengths 20 --model bundled --seed 1")
        also("context add given {data}/contexts.txt --model bundled")
        also("context list --json")
        also("context list")
        also("context show drawn")
        also("context show given --json")
        also("score --model bundled --contexts drawn --critical-only")


def _analyses(of: _Set, steps: _Steps, *, whole: bool) -> None:
    do, also = steps.do, steps.also
    do("analyze --model bundled")
    do("analyze --model bundled --json")
    also("analyze --model bundled --all --uncorrected --json")
    also("analyze --model bundled --all --corrected --complete")
    also("analyze --model bundled --measure mean --alternative two-sided --json")
    do("analyze --model bundled --sensitivity")
    if not whole:
        also("analyze --model bundled --sensitivity --json")
        do("analyze --model bundled --model elsewhere --all")
        also("analyze --model bundled --model elsewhere --all --json")
        also("analyze --model bundled --contexts drawn --json")
    also("analyze --model bundled --by dataset --all --json")
    do("analyze --model bundled --formula auto --all --json")
    also("analyze --model bundled --formula auto --all")
    if of.name == "embwhq":
        do("study licensing --model bundled --all --out licensing")
        do("study licensing --model bundled --all --json --unigram {data}/text.txt")
    else:
        also("study licensing --model bundled --all")
    if of.name == "pairs":
        do("generate posh_wanna -n 12 --seed 1 -d posh_wanna")
        do("score --model bundled --all -d posh_wanna")
        do("study posh --model bundled --method laplace")
        do("study posh --model bundled --method laplace --json -o posh2")
        do("study context --model bundled --all --suites-by UID --lengths 20,40 -p minimal_pairs --dry-run")
        do("study context --model bundled --all --suites-by UID --lengths 20,40 -p minimal_pairs --perturbed 2 --crossed 2")
        do("study context --model bundled --all --suites-by UID --lengths 20,40 -p minimal_pairs --json -o study2")
    do("report --model bundled")
    if not whole:
        also("report --model bundled --model elsewhere --all --uncorrected --contexts drawn -o report-all")


def _exports(of: _Set, steps: _Steps, *, whole: bool) -> None:
    do, also = steps.do, steps.also
    own = f"-p {of.paradigm}"
    do(f"export {own} --all -o as-it-came")
    for shape in ("csv", "region_rows", "region_columns", "suite", "blimp", "pair_table", "pair_lines", "slots"):
        ending = {"suite": "json", "blimp": "jsonl", "slots": "jsonl", "pair_lines": "txt"}.get(shape, "csv")
        (do if shape in ("csv", "suite") else also)(f"export {shape} {own} --all -o {shape}.{ending}")
    also(f"export csv {own} --defuse --status approved")
    do(f"publish {own} --model bundled --all --license cc-by-4.0 -o set")
    do(f"export pcibex {own} --all --seed 1 -o pcibex.csv")
    if not whole:
        also(f"export csv {own} --all -o items.xlsx")
        also(f"export jspsych {own} --all --seed 1 -o jspsych")
        also(f"export hub {own} --all --title Items --license cc-by-4.0 -o hub")
        also(f"export lm-eval {own} --all --seed 1 -o lm-eval" + (f" --pair {of.pair}" if of.pair else ""))
        also(f"export conllu {own} --all -o parses.conllu")
        do(f"export long {own} --all --whole -o long.csv --model bundled")
        also(f"export long {own} --all --critical --contexts drawn -o critical.csv --measure sum --measure mean")
        also(f"export long {own} --all --corrected -o corrected.csv --model bundled")
        also(f"export words {own} --all -o words.csv --model bundled")
        also(f"export differences {own} --all --model bundled --model elsewhere --by model -o differences.csv")
    do(f"export long {own} --all -o long.parquet --model bundled")
    for table in ("tests", "items", "conditions"):
        do(f"export {table} {own} --model bundled -o {table}.csv")
    for ending in ("md", "tex"):
        also(f"export tests {own} --model bundled --uncorrected -o tests.{ending}")
    do(f"export decisions {own} -o decisions-out.csv")
    do(f"export r {own} --all --model bundled -o r")
    do(
        f"audit as-it-came --format {_SHAPES[of.name]} -o audit.html"
        + (" --model bundled" if of.name in ("pairs", "suite") else "")
    )
    also(f"audit as-it-came --format {_SHAPES[of.name]} -o audit2.html --json")


_SHAPES = {"eight": "csv", "lan": "csv", "embwhq": "csv", "pairs": "blimp", "suite": "suite"}


def _copies(of: _Set, steps: _Steps) -> None:
    do, also = steps.do, steps.also
    do("bank check")
    also("bank check --json")
    do("bank lead")
    do("bank log log.jsonl")
    also("bank backup copy.sqlite")
    also("init other")
    also("bank merge log.jsonl -w other --dry-run")
    also("bank merge log.jsonl -w other --json")
    also("bank check -w other")
    also(f"show {of.first} -w other")
    also("bank restore copy.sqlite -w other")
    also(f"show {of.first} -w other")


def _providers() -> list[Step]:
    """Generation from models: the stand-in server answers as Gemini and OpenAI do."""
    ask = "--model fake --concurrency 1"
    return [
        Step(_words("serve-fake subject_pg --port 0 --latency 0 --seed 1"), server=True),
        *(
            Step(_words(line))
            for line in (
                "init .",
                f"generate subject_pg --provider gemini {ask} --base-url {{server}} -n 8 --seed 1 -d gemini --dry-run",
                f"generate subject_pg --provider gemini {ask} --base-url {{server}} -n 8 --n-per-call 5 --seed 1 -d gemini",
                f"generate subject_pg --provider openai {ask} --base-url {{server}}/v1 -n 4 --free --mode sentences -d openai",
                f"generate subject_pg --provider gemini {ask} --base-url {{server}} -n 6 --seed 2 --batch -d batch",
                "runs watch 3 --every 1 --send-key-to 127.0.0.1",
                "lint --fail-on never",
                "decide --policy clean",
                "runs list",
                "runs list --json",
                "runs compare",
                "runs compare --json",
                "runs show 1",
                "runs show 1 --json",
                "runs show 1 --call 0",
                "runs show 1 --call 0 --raw",
                "runs item 1 -d gemini",
                "runs item 1 -d openai --json",
                "dataset list",
                "bank log log.jsonl",
                # After the log: a judge is asked four questions at once, and which answer it gets first is chance.
                "lint --judge openai:fake --base-url {server}/v1 --fail-on never -d openai",
            )
        ),
    ]


def _alone(*, thorough: bool) -> list[Step]:
    """Commands that need no set of items, and data sets that ship."""
    steps = _Steps(thorough=thorough)
    do, also = steps.do, steps.also
    do("init .")
    also("init .")
    also("doctor")
    do("doctor --json")
    do("paradigm list")
    do("paradigm list --json")
    do("prompt list")
    do("prompt list --json")
    do("prompt show slots")
    do("prompt copy slots")
    do("rule")
    do("rule --json")
    do("rule L101 P L8")
    do("lint --audit shipped")
    do(
        "paradigm new agree --factor 'form: right, wrong' --region 'subject: the {{head}}' --region 'verb[form]: is | are' "
        "--slot 'head noun: farmer, nurse' --status right=ok --status wrong=* --critical verb"
    )
    do("dataset recognise . --dry-run")
    do("dataset load gaps40")
    also("dataset load refined10")
    do("agreement --by lead --look")
    do("agreement --by lead --look --json")
    also("annotations decisions --by lead --look")
    also("score --model bundled -d gaps40")
    also("analyze --json")
    do("study count-constructions {data}/trees.mrg")
    do("study count-constructions {data}/trees.mrg --csv SAMPLE")
    do("study count-constructions {data}/treebank/xx-ud-train.conllu --json")
    do("train corpus {data}/recipe.toml --out corpus --json")
    do("train audit corpus --filter binding --out sheet.csv --json")
    do("train counts corpus --vocabulary 400 --json")
    also("train lm {data}/text.txt --config {data}/gpt2.toml --out gpt2 --device cpu")
    do("train lm {data}/text.txt --config add-one --out ngram --json")
    do("train parser {data}/treebank --out parser --steps 2 --json")
    do("score --model ngram -d gaps40 --all")
    do("analyze --model ngram --all --json")
    do("study list")
    also("study list --json")
    do("study {data}/study.toml")
    also("study {data}/study.toml --json")
    do("demo")
    sentence, other = "The story about John amused Mary.", "The story about amused Mary."
    explain = ("explain-number", sentence, "--like")
    steps.append(Step((*explain, "lm-eval", "--boundary", "--against", other)))
    if thorough:
        steps.append(Step((*explain, "minicons")))
        steps.append(Step((*explain, "pangoling", "--word", "Mary", "--json")))
    return steps


def _rename_region(folder: Path) -> None:
    path = folder / "paradigms" / "object_gap.toml"
    path.write_text(path.read_text("utf-8").replace('name = "time"', 'name = "when"'), "utf-8")


def _write_decisions(first: str) -> Before:
    def write(folder: Path) -> None:
        with (folder / "decisions.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([("item", "decision", "reason", "comment"), (first, "exclude", "typo", "of the recorder")])

    return write


def _fill_packet(folder: Path) -> None:
    """Approve the first item of a packet, exclude the second."""
    path = folder / "packet.xlsx"
    if not path.exists():  # `packet make` has said why
        return
    book = load_workbook(path)
    sheet = book["review"]
    heads = {str(cell.value): number for number, cell in enumerate(sheet[1], 1)}
    left = ["approve", "exclude"]
    items = set()
    for row in range(2, sheet.max_row + 1):
        item = sheet.cell(row, heads["item"]).value
        if item not in items and left:
            items.add(item)
            decision = left.pop(0)
            sheet.cell(row, heads["decision"]).value = decision
            if decision == "exclude":
                sheet.cell(row, heads["reason"]).value = "typo"
    book.save(path)
