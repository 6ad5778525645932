"""The command line: one module per command, imported when its command is asked for."""

from __future__ import annotations

from typing import NamedTuple

from gapsmith.app.stages.catalogue import MOVED, typed

__all__ = ["COMMANDS", "GROUPS", "MOVED", "STUDY", "Command", "typed"]


class Command(NamedTuple):
    """Where a command is, and the first paragraph of its own help, which `gapsmith --help` shows without importing it. No module:
    a group whose commands are all stages."""

    module: str
    help: str


COMMANDS = {
    "next": Command("", "Say what this workspace needs now, with the command to type."),
    "init": Command(
        "init", "Make a workspace: a directory with a settings file and a bank. What is there already stays as it is."
    ),
    "paradigm": Command("", "The designs: list them, show one, check a file of your own."),
    "prompt": Command("", "The texts that models are asked with: list, show, copy for editing."),
    "generate": Command("generate", "Make new items for a paradigm and keep them in the bank."),
    "import": Command("import_", "Bring items in, from any file of sentences. Their ids are kept."),
    "dataset": Command("", "Data sets: list them, load a vetted one, rename one, take one out."),
    "bank": Command("", "The bank: check it, copy it, go back to a copy, bring in what others did."),
    "show": Command(
        "show",
        "Show items: their sentences with gaps (__) and critical regions ([ ]), findings and decisions.",
    ),
    "lint": Command("lint", "Read items with all rules, show what they find, and keep it in the bank."),
    "rule": Command("rule", "Explain a rule: what it finds, an example, the reason, the remedy, the literature."),
    "audit": Command(
        "audit",
        "Read a published set with the rules that need no paradigm; one HTML page and a CSV, no workspace.",
    ),
    "review": Command(
        "review",
        "Vet items in the terminal, or in a browser: one key each to approve, exclude or flag; F1 explains everything.",
    ),
    "lab": Command(
        "lab",
        "Who has what, how fast they are, how far they overlap and agree, what drifts, what is disputed, and what to do next.",
    ),
    "judge": Command("", "Acceptability studies: make the file that decides one, and see what came of it."),
    "agreement": Command(
        "agreement", "How far annotators agree: raw agreement, Cohen's and Fleiss' kappa, Krippendorff's alpha."
    ),
    "annotations": Command(
        "annotations_",
        "Decisions, judgements or remarks as CSV, with times: `gapsmith annotations decisions > decisions.csv`.",
    ),
    "assign": Command(
        "assign",
        "Share items out: every item has a reader, some have several, and `gapsmith review` shows everybody their own.",
    ),
    "packet": Command("", "Review packets: spreadsheets for annotators who have no bank, out and back."),
    "decide": Command("decide", "Decide on items by id, by filter, from a CSV file, or by policy."),
    "context": Command("", "What stands before items when they are scored: draw contexts, list and show them."),
    "model": Command("", "Models in the forms of others: make a folder that `gapsmith score --model` takes."),
    "score": Command("score", "Score the approved items with a language model: the surprisal of every token, in bits."),
    "import-scores": Command(
        "import_scores", "Take in surprisals from elsewhere for items that are here, and analyse them like any model's."
    ),
    "analyze": Command("analyze", "Test the contrasts of every scored paradigm over its approved items."),
    "plan": Command("", "Freeze what is to be analysed, and how, before it is; reports say what is not as planned."),
    "power": Command(
        "power",
        "Say what more items, words or models would show: the smallest effect that is found, from the variances of items that are scored.",
    ),
    "licensing": Command(
        "licensing",
        "Test licensor × gap designs: flips, divisions, interaction, islands and depth under three metrics.",
    ),
    "count-constructions": Command(
        "count_constructions",
        "Count five filler-gap constructions in a treebank, by patterns over dependencies or over trees in brackets.",
    ),
    "report": Command(
        "report",
        "Write report.html (one file, no network needed), report.md, figures/ and items/, to which its numbers lead.",
    ),
    "publish": Command(
        "publish", "Write one folder that can be given to OSF, Zenodo or the Hugging Face hub. Nothing is uploaded."
    ),
    "posh": Command(
        "posh",
        "Compare all models on POSH-BENCH: right by perplexity, by phenomenon and category, with tests and figures.",
    ),
    "studies": Command("studies", "List the studies that ship, with what each is about and its paper."),
    "reproduce": Command(
        "reproduce", "Do a published study again: the same design and tests, the published numbers beside ours."
    ),
    "export": Command("export", "Write item sets and numbers for other programs. Approved items, unless you say otherwise."),
    "runs": Command("", "Runs: list them, show one and its calls, trace an item, watch a batch."),
    "train": Command("", "Train models, and make the corpora they learn from."),
    "explain-number": Command(
        "explain_number",
        "Show a sentence's number as another tool makes it, and what each difference to ours comes to.",
    ),
    "doctor": Command(
        "doctor",
        "Say what is installed, which models and parsers are in reach, which keys are set, and check surprisals.",
    ),
    "demo": Command("demo", "Show the whole pipeline, offline: generate, lint, decide, score, analyze, report."),
    "serve-fake": Command(
        "serve_fake",
        "Speak the Gemini and the OpenAI API on this machine, with answers from a paradigm's word lists.",
    ),
}
"""By the name of the stage or the module that carries it out; `GROUPS` says which `--help` shows, and `MOVED` which are typed otherwise."""
STUDY = Command("study", "Do a published study again, or use the instruments of one with items of your own.")
"""The special instruments, one level down (`gapsmith.app.cli.study_group`)."""
GROUPS: dict[str, tuple[str, ...]] = {
    "Make": ("init", "paradigm", "prompt", "generate", "train"),
    "Bring in": ("import", "import-scores"),
    "Judge": ("show", "lint", "rule", "audit", "review", "judge", "decide"),
    "Measure": ("context", "model", "score", "explain-number"),
    "Test": ("plan", "power", "analyze", "study"),
    "Publish": ("report", "export", "publish"),
    "People": ("lab", "assign", "packet", "agreement", "annotations"),
    "Look after": ("next", "dataset", "bank", "runs", "doctor", "demo", "serve-fake"),
}
"""What `--help` shows, under headings and in this order. Every command that is typed by one word is in one of them."""
