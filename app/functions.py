"""The stages as functions of an open workspace. Written by `python -m tools.doors` from `gapsmith.app.requests`; changes are made there.

What is not said is what the settings say, as on the command line. See `gapsmith.app.requests` for what each keyword can be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any

from gapsmith.app.requests.base import UNSET, Unset
from gapsmith.templates import (
    CONFIDENCE,
    COUNT,
    COUNT_OR_NONE,
    DOLLARS,
    DRAWS,
    FACTOR,
    MINUTES,
    NUMBER_IN_BANK,
    PART,
    PER_MINUTE,
    REPAIRS,
    SECONDS_BETWEEN,
    SEED,
    SHARE_OR_ITEMS,
    SIZE,
    TEMPERATURE,
    TIMEOUT,
    TOP_P,
)

if TYPE_CHECKING:
    from pandas import DataFrame

    from gapsmith.app.analyzed import Analyzed
    from gapsmith.app.exporting import Exported
    from gapsmith.app.generated import Generated
    from gapsmith.app.linted import Linted
    from gapsmith.app.report_files import Reported
    from gapsmith.app.services import Services
    from gapsmith.app.stages.acceptability import Judged, JudgingMade
    from gapsmith.app.stages.agreeing import Agreed, AnnotationTable
    from gapsmith.app.stages.assigning import Assigned
    from gapsmith.app.stages.bank_keeping import BankChecked, BankCopied, BankLead, BankLogged, BankRestored
    from gapsmith.app.stages.constructions import ConstructionsCounted, Licensed
    from gapsmith.app.stages.context_effects import ContextsStudied
    from gapsmith.app.stages.context_sets import ContextSets, ContextsShown
    from gapsmith.app.stages.converting import ModelConverted
    from gapsmith.app.stages.data_sets import DatasetChanged, Datasets, LoadedDataset, TakenBack
    from gapsmith.app.stages.designs import ParadigmChecked, ParadigmDiffers, Paradigms, ParadigmShown, ParadigmUpdated
    from gapsmith.app.stages.drafting import Drafted
    from gapsmith.app.stages.guide import Needed
    from gapsmith.app.stages.lab_view import LabSeen
    from gapsmith.app.stages.learner_grid import GridMade
    from gapsmith.app.stages.merging_banks import MergedBanks
    from gapsmith.app.stages.new_paradigms import ParadigmWritten
    from gapsmith.app.stages.other_tools import NumbersExplained
    from gapsmith.app.stages.packing import PacketMade, PacketTaken
    from gapsmith.app.stages.planning import PlanFrozen, PlansListed
    from gapsmith.app.stages.posh_bench import PoshCompared
    from gapsmith.app.stages.power import PowerPlanned
    from gapsmith.app.stages.prompt_files import PromptCopied, Prompts, PromptShown
    from gapsmith.app.stages.published import Audited
    from gapsmith.app.stages.publishing import Published
    from gapsmith.app.stages.recognising import Recognised
    from gapsmith.app.stages.reproducing import Reproduced
    from gapsmith.app.stages.runs_told import ItemTraced, Runs, RunsCompared, RunShown
    from gapsmith.app.stages.scoring import Scored
    from gapsmith.app.stages.training import CorporaCounted, CorpusAudited, CorpusMade, ModelMade, ParserMade
    from gapsmith.app.stages.what_there_is import Examined, ItemsShown, Rules, StudyList, WorkspaceMade
    from gapsmith.app.workspace import Workspace
    from gapsmith.bank import Bank, Brought
    from gapsmith.scoring import Drawn, ScoresReport
    from gapsmith.templates import Paradigm
    from gapsmith.vetting import Decided


def _carried_out(stage: str, source: Any, services: Services | None, given: Mapping[str, Any]) -> Any:
    from gapsmith.app.services import QUIET
    from gapsmith.app.stages.catalogue import STAGES
    from gapsmith.templates import Paradigm

    known, told = STAGES[stage], QUIET if services is None else services
    said = {name: value for name, value in given.items() if value is not UNSET}
    if live := {name: said[name] for name in known.live if isinstance(said[name], Paradigm)}:
        said |= {name: paradigm.name for name, paradigm in live.items()}
        told = replace(told, hand={**(told.hand or {}), **live})
    return known.carry_out(source, known.request_type().of(said), told)


def draft_paradigm(
    file: str | PathLike[str],
    *,
    alternatives: str | Unset = UNSET,
    attribute: str | Sequence[str] = (),
    blank_rows: bool = False,
    clean: str | Sequence[str] = (),
    comment: str | Unset = UNSET,
    condition_column: str | Sequence[str] = (),
    encoding: str | Unset = UNSET,
    first: str | Unset = UNSET,
    force: bool = False,
    format: str | Unset = UNSET,
    frame: str | Sequence[str] = (),
    gap_mark: str | Sequence[str] = (),
    good: str | Sequence[str] = (),
    header_row: Annotated[int | Unset, COUNT] = UNSET,
    header_rows: Annotated[int | Unset, COUNT] = UNSET,
    headings: str | Unset = UNSET,
    item_column: str | Sequence[str] = (),
    items_by_words: bool = False,
    leave_out: str | Sequence[str] = (),
    mapping: str | PathLike[str] | Unset = UNSET,
    missing: str | Sequence[str] = (),
    name: str | Unset = UNSET,
    once: bool = False,
    only: str | Sequence[str] = (),
    out: str | PathLike[str] | Unset = UNSET,
    per_item: Annotated[int | Unset, COUNT] = UNSET,
    region: str | Sequence[str] = (),
    region_mark: str | Unset = UNSET,
    sentence_column: str | Sequence[str] = (),
    sheet: str | Sequence[str] = (),
    stack: bool = False,
    strip_prefix: str | Sequence[str] = (),
    strip_suffix: str | Sequence[str] = (),
    table: str | Unset = UNSET,
    take_out: str | Sequence[str] = (),
    transpose: bool = False,
    wrapped: bool = False,
    services: Services | None = None,
) -> Drafted:
    """Draft a paradigm from a file: its conditions, regions, and what its predictions say, to be read and gone on with.

    The draft, written to `out` where that is named. Raises `FormatError` for a file that cannot be understood, `ConfigError`
    where `out` is there already.

    Args:
        file: A suite, pairs, regions, or a table of sentences.
        alternatives: Sentences hold alternatives, such as was/*were or {is|are}, each a condition: crossed with those of other places, or parallel to them (the first with the first).
        attribute: A column that is no region; of lines, a label such as C: whose lines are said of their items (repeatable).
        blank_rows: Blank rows part sentences or items: what stands between them is numbered in a column block.
        clean: What is taken out of sentences, being no word of them: lists, html, markdown, latex, escapes, encoding, subwords, special, tags, capitals, indices, underscores, invisible, brackets, blanks (repeatable).
        comment: What lines begin with that are comments, such as #; several signs with a space between, such as '# ;'.
        condition_column: A column of the condition, one per factor (repeatable).
        encoding: Its encoding, if not UTF-8: cp1252, latin-1.
        first: Which member of a pair comes first, where the file does not say it: good or bad.
        force: Write over a file that is there.
        format: What the file is, where that is not found out.
        frame: A column of sentences with a blank, such as ___ or [MASK], or of what they begin or end with: the words of --sentence-column go into it (repeatable).
        gap_mark: What stands in sentences for a gap, where a word would be, such as __: it is taken out (repeatable).
        good: The value of a column that says that a sentence is acceptable, or, in a row with two sentences, that the first one is; high or low of ratings; or the acceptable condition alone (repeatable).
        header_row: The row of the headings, or of the first sentence of a text, where something stands above it.
        header_rows: How many rows of headings there are, if several.
        headings: The headings of a table that has none, such as item,condition,sentence.
        item_column: The column of the item; several name it together (repeatable).
        items_by_words: Nothing numbers the items: the sentences of an item are those whose words are much more alike than those of other items.
        leave_out: What is not read: rows with this value in that column, or lines and rows by the numbers that messages give them, such as 4,7-9 ('SHEET!4' where several sheets are read; repeatable).
        mapping: A file that says all this, as --save-mapping writes it; options go before it.
        missing: What a cell holds where there is no sentence, such as n/a (repeatable).
        name: The paradigm's name: small letters, digits and _, a letter first (default: after the file).
        once: Rows that repeat an item's sentence, one for each participant, are read once; columns of answers, and all that differ between these rows, are left out.
        only: Only rows with this value in that column; several of one column are either (repeatable).
        out: The file to write (default: stdout).
        per_item: How many lines or rows an item has, where nothing in the file names it.
        region: A column that is a region all the same; beside --sentence-column, the one that counts or names the words of rows (repeatable).
        region_mark: What stands between the regions of a sentence, such as /.
        sentence_column: The column of the sentences; several are a column per condition (repeatable).
        sheet: Which sheet of a spreadsheet; several are one table, with the name of the sheet in a column sheet (repeatable).
        stack: Columns that stand side by side several times, such as list1_cond, list1_sentence, list2_cond, list2_sentence, are rows below each other, and so are several columns of --sentence-column; what tells them apart stands in a column part.
        strip_prefix: What stands before sentences and is no part of them, such as A: (repeatable; a number in it is any number, dots in brackets anything).
        strip_suffix: What stands behind sentences and is no part of them, such as '[...]' (repeatable; dots in brackets are anything).
        table: Which table of a document is meant, from 1; or all, if they have the same columns.
        take_out: What is taken out wherever it stands in sentences, such as '<...>' (repeatable; a number in it is any number, dots in brackets anything).
        transpose: Rows are columns and columns are rows.
        wrapped: An indented line goes on with the sentence in the line above, and a cell that begins with a space with the cell before it.
    """
    found: Drafted = _carried_out(
        "paradigm draft",
        None,
        services,
        {
            "file": file,
            "alternatives": alternatives,
            "attribute": attribute,
            "blank_rows": blank_rows,
            "clean": clean,
            "comment": comment,
            "condition_column": condition_column,
            "encoding": encoding,
            "first": first,
            "force": force,
            "format": format,
            "frame": frame,
            "gap_mark": gap_mark,
            "good": good,
            "header_row": header_row,
            "header_rows": header_rows,
            "headings": headings,
            "item_column": item_column,
            "items_by_words": items_by_words,
            "leave_out": leave_out,
            "mapping": mapping,
            "missing": missing,
            "name": name,
            "once": once,
            "only": only,
            "out": out,
            "per_item": per_item,
            "region": region,
            "region_mark": region_mark,
            "sentence_column": sentence_column,
            "sheet": sheet,
            "stack": stack,
            "strip_prefix": strip_prefix,
            "strip_suffix": strip_suffix,
            "table": table,
            "take_out": take_out,
            "transpose": transpose,
            "wrapped": wrapped,
        },
    )
    return found


def new_paradigm(
    source: Workspace,
    name: str,
    *,
    contrast: str | Sequence[str] = (),
    critical: str | Sequence[str] = (),
    factor: str | Sequence[str] = (),
    final_mark: str = ".",
    force: bool = False,
    out: str | PathLike[str] | Unset = UNSET,
    region: str | Sequence[str] = (),
    slot: str | Sequence[str] = (),
    status: Mapping[str, str] = MappingProxyType({}),
    title: str | Unset = UNSET,
    services: Services | None = None,
) -> ParadigmWritten:
    """Write a paradigm of your own: asks at a terminal for what is not said, writes the file, and checks it.

    A region is one text for all conditions, or one for each level of the factors in brackets, in their order, with | between them. A word in
    braces is a slot; {head_pl} is the plural of the slot head, where its kind is noun.

    The file, written. Raises `ConfigError`, and writes nothing, where something is not said or does not check.

    Args:
        name: What it is called: small letters, digits and _, a letter first.
        contrast: 'NAME: FORMULA, negative|positive|exploratory' (repeatable).
        critical: Where conditions are measured: a region, or LEVEL=REGION (repeatable).
        factor: A factor and its levels: 'number: sg, pl' (repeatable).
        final_mark: The mark at the end of the sentences.
        force: Write over a file that is there.
        out: The file to write (default: paradigms/NAME.toml of the workspace).
        region: A region, in reading order: 'subject: the {head}', or 'verb[number]: is | are' (repeatable).
        slot: A slot with its words: 'head: farmer, nurse', or 'head noun: …' where its other forms are used (repeatable).
        status: What a native speaker says of a condition: sg_right=ok, ? or * (repeatable).
        title: Its title (default: its name).
    """
    found: ParadigmWritten = _carried_out(
        "paradigm new",
        source,
        services,
        {
            "name": name,
            "contrast": contrast,
            "critical": critical,
            "factor": factor,
            "final_mark": final_mark,
            "force": force,
            "out": out,
            "region": region,
            "slot": slot,
            "status": status,
            "title": title,
        },
    )
    return found


def import_file(
    source: Workspace,
    file: str | PathLike[str],
    *,
    alternatives: str | Unset = UNSET,
    attribute: str | Sequence[str] = (),
    blank_rows: bool = False,
    clean: str | Sequence[str] = (),
    comment: str | Unset = UNSET,
    condition_column: str | Sequence[str] = (),
    critical: str | Sequence[str] = (),
    dataset: str | Unset = UNSET,
    encoding: str | Unset = UNSET,
    first: str | Unset = UNSET,
    format: str | Unset = UNSET,
    frame: str | Sequence[str] = (),
    gap_mark: str | Sequence[str] = (),
    good: str | Sequence[str] = (),
    header_row: Annotated[int | Unset, COUNT] = UNSET,
    header_rows: Annotated[int | Unset, COUNT] = UNSET,
    headings: str | Unset = UNSET,
    item_column: str | Sequence[str] = (),
    items_by_words: bool = False,
    leave_out: str | Sequence[str] = (),
    mapping: str | PathLike[str] | Unset = UNSET,
    missing: str | Sequence[str] = (),
    once: bool = False,
    only: str | Sequence[str] = (),
    our_ids: bool = False,
    own_paradigm: bool = False,
    paradigm: str | Unset = UNSET,
    per_item: Annotated[int | Unset, COUNT] = UNSET,
    preview: bool = False,
    region: str | Sequence[str] = (),
    region_mark: str | Unset = UNSET,
    save_mapping: str | PathLike[str] | Unset = UNSET,
    sentence_column: str | Sequence[str] = (),
    sheet: str | Sequence[str] = (),
    stack: bool = False,
    strip_prefix: str | Sequence[str] = (),
    strip_suffix: str | Sequence[str] = (),
    table: str | Unset = UNSET,
    take_out: str | Sequence[str] = (),
    transpose: bool = False,
    update: bool = False,
    wrapped: bool = False,
    services: Services | None = None,
) -> Brought:
    """Bring items in, from any file of sentences. Their ids are kept.

    What the file is, is found out and said, and --preview shows it. What it does not say is asked, or the file is refused with the
    options that say it. Without --paradigm the fitting one is taken, or one is drafted into the workspace's paradigms/. A file that
    cannot be understood (columns, encoding, a label that means no condition) is refused with the line, and nothing is imported.
    Missing, doubled or malformed sentences come in, and `gapsmith lint` says what is wrong.

    What came in. Raises `GapsmithError` where the file cannot be understood; nothing is imported then.

    Args:
        file: A suite, pairs, regions, slots, or a table of sentences; CSV, xlsx, JSON, text.
        alternatives: Sentences hold alternatives, such as was/*were or {is|are}, each a condition: crossed with those of other places, or parallel to them (the first with the first).
        attribute: A column that is no region; of lines, a label such as C: whose lines are said of their items (repeatable).
        blank_rows: Blank rows part sentences or items: what stands between them is numbered in a column block.
        clean: What is taken out of sentences, being no word of them: lists, html, markdown, latex, escapes, encoding, subwords, special, tags, capitals, indices, underscores, invisible, brackets, blanks (repeatable).
        comment: What lines begin with that are comments, such as #; several signs with a space between, such as '# ;'.
        condition_column: A column of the condition, one per factor (repeatable).
        critical: In which region this data set is measured, where that is not where its paradigm says: for all conditions, or CONDITION=REGION (repeatable).
        dataset: The data set they go into (default: the file's name).
        encoding: Its encoding, if not UTF-8: cp1252, latin-1.
        first: Which member of a pair comes first, where the file does not say it: good or bad.
        format: What the file is, where that is not found out.
        frame: A column of sentences with a blank, such as ___ or [MASK], or of what they begin or end with: the words of --sentence-column go into it (repeatable).
        gap_mark: What stands in sentences for a gap, where a word would be, such as __: it is taken out (repeatable).
        good: The value of a column that says that a sentence is acceptable, or, in a row with two sentences, that the first one is; high or low of ratings; or the acceptable condition alone (repeatable).
        header_row: The row of the headings, or of the first sentence of a text, where something stands above it.
        header_rows: How many rows of headings there are, if several.
        headings: The headings of a table that has none, such as item,condition,sentence.
        item_column: The column of the item; several name it together (repeatable).
        items_by_words: Nothing numbers the items: the sentences of an item are those whose words are much more alike than those of other items.
        leave_out: What is not read: rows with this value in that column, or lines and rows by the numbers that messages give them, such as 4,7-9 ('SHEET!4' where several sheets are read; repeatable).
        mapping: A file that says all this, as --save-mapping writes it; options go before it.
        missing: What a cell holds where there is no sentence, such as n/a (repeatable).
        once: Rows that repeat an item's sentence, one for each participant, are read once; columns of answers, and all that differ between these rows, are left out.
        only: Only rows with this value in that column; several of one column are either (repeatable).
        our_ids: The file names items by their ids alone, and these are ids of this bank as it is now.
        own_paradigm: They are of no paradigm that is here: one is drafted for them.
        paradigm: What the items are: a paradigm's name, or a .toml file (default: the one that fits, else a new one).
        per_item: How many lines or rows an item has, where nothing in the file names it.
        preview: Show three items, the counts and what was taken for what; keep nothing.
        region: A column that is a region all the same; beside --sentence-column, the one that counts or names the words of rows (repeatable).
        region_mark: What stands between the regions of a sentence, such as /.
        save_mapping: Write what was said and found out of the columns to this file, for --mapping.
        sentence_column: The column of the sentences; several are a column per condition (repeatable).
        sheet: Which sheet of a spreadsheet; several are one table, with the name of the sheet in a column sheet (repeatable).
        stack: Columns that stand side by side several times, such as list1_cond, list1_sentence, list2_cond, list2_sentence, are rows below each other, and so are several columns of --sentence-column; what tells them apart stands in a column part.
        strip_prefix: What stands before sentences and is no part of them, such as A: (repeatable; a number in it is any number, dots in brackets anything).
        strip_suffix: What stands behind sentences and is no part of them, such as '[...]' (repeatable; dots in brackets are anything).
        table: Which table of a document is meant, from 1; or all, if they have the same columns.
        take_out: What is taken out wherever it stands in sentences, such as '<...>' (repeatable; a number in it is any number, dots in brackets anything).
        transpose: Rows are columns and columns are rows.
        update: Items whose ids are there already get a new revision from the file.
        wrapped: An indented line goes on with the sentence in the line above, and a cell that begins with a space with the cell before it.
    """
    found: Brought = _carried_out(
        "import",
        source,
        services,
        {
            "file": file,
            "alternatives": alternatives,
            "attribute": attribute,
            "blank_rows": blank_rows,
            "clean": clean,
            "comment": comment,
            "condition_column": condition_column,
            "critical": critical,
            "dataset": dataset,
            "encoding": encoding,
            "first": first,
            "format": format,
            "frame": frame,
            "gap_mark": gap_mark,
            "good": good,
            "header_row": header_row,
            "header_rows": header_rows,
            "headings": headings,
            "item_column": item_column,
            "items_by_words": items_by_words,
            "leave_out": leave_out,
            "mapping": mapping,
            "missing": missing,
            "once": once,
            "only": only,
            "our_ids": our_ids,
            "own_paradigm": own_paradigm,
            "paradigm": paradigm,
            "per_item": per_item,
            "preview": preview,
            "region": region,
            "region_mark": region_mark,
            "save_mapping": save_mapping,
            "sentence_column": sentence_column,
            "sheet": sheet,
            "stack": stack,
            "strip_prefix": strip_prefix,
            "strip_suffix": strip_suffix,
            "table": table,
            "take_out": take_out,
            "transpose": transpose,
            "update": update,
            "wrapped": wrapped,
        },
    )
    return found


def import_scores(
    source: Workspace,
    file: str | PathLike[str],
    model: str,
    *,
    column: Mapping[str, str] = MappingProxyType({}),
    dataset: str | Sequence[str] = (),
    log_probabilities: bool | Unset = UNSET,
    our_ids: bool = False,
    paradigm: str | Sequence[str] = (),
    unit: str | Unset = UNSET,
    services: Services | None = None,
) -> ScoresReport:
    """Take in surprisals from elsewhere for items that are here, and analyse them like any model's.

    What was taken in. Raises `GapsmithError` for a table that cannot be read, or is of no item that was chosen; nothing is
    kept then.

    Args:
        file: CSV, TSV or xlsx with a row per token or per region.
        model: What the values are to be called, such as gpt2.
        column: What a column is, where its heading does not say it: value, token, region, start, end, item, condition or sentence (repeatable).
        dataset: Only items of this data set (repeatable).
        log_probabilities: What the values are, where the heading does not say it.
        our_ids: The file names items by their ids alone, and these are ids of this bank as it is now.
        paradigm: Only items of this paradigm (repeatable; default: all).
        unit: bits or nats, where the heading does not say it.
    """
    found: ScoresReport = _carried_out(
        "import-scores",
        source,
        services,
        {
            "file": file,
            "model": model,
            "column": column,
            "dataset": dataset,
            "log_probabilities": log_probabilities,
            "our_ids": our_ids,
            "paradigm": paradigm,
            "unit": unit,
        },
    )
    return found


def decide(
    source: Workspace,
    verdict: str | Unset = UNSET,
    items: str | Sequence[str] = (),
    *,
    by: str | Unset = UNSET,
    code: str | Sequence[str] = (),
    comment: str | Unset = UNSET,
    csv: str | PathLike[str] | Unset = UNSET,
    dataset: str | Sequence[str] = (),
    dry_run: bool = False,
    early: bool = False,
    look: bool = False,
    our_ids: bool = False,
    paradigm: str | Sequence[str] = (),
    policy: str | Unset = UNSET,
    reason: str | Unset = UNSET,
    severity: str | Unset = UNSET,
    skip_changed: bool = False,
    status: str | Sequence[str] = (),
    text: str | Unset = UNSET,
    services: Services | None = None,
) -> Decided:
    """Decide on items by id, by filter, from a CSV file, or by policy.

    What was decided, as one action. Raises `GapsmithError` where that cannot be; nothing is decided then.

    Args:
        verdict: approve, exclude or flag.
        items: Item ids.
        by: Who does this (default: `annotator` of the settings, else you).
        code: Items with a finding of this code or family (repeatable).
        comment: Anything to add.
        csv: A file that `annotations` or `export decisions` wrote, or one with the columns item, decision, reason, comment, author, and item_uid and text_digest or the sentence.
        dataset: Only items of this data set (repeatable).
        dry_run: Only say how many items it would be.
        early: Settle items of others' shares, as the lead or an adjudicator does, also while somebody who has a share has not locked.
        look: Look at what others decided before you have locked; that is recorded for every item.
        our_ids: The file names items by their ids alone, and these are ids of this bank as it is now.
        paradigm: Only items of this paradigm (repeatable; default: all).
        policy: clean: approve pending items that have no warning or error.
        reason: Why; an exclusion needs one.
        severity: Items with a finding at or above error, warning or info. With --policy clean: what keeps an item from being approved (warning unless said otherwise).
        skip_changed: Leave out items that have other texts here than the file is about.
        status: Items that are pending, approved, … (repeatable).
        text: Items that contain this.
    """
    found: Decided = _carried_out(
        "decide",
        source,
        services,
        {
            "verdict": verdict,
            "items": items,
            "by": by,
            "code": code,
            "comment": comment,
            "csv": csv,
            "dataset": dataset,
            "dry_run": dry_run,
            "early": early,
            "look": look,
            "our_ids": our_ids,
            "paradigm": paradigm,
            "policy": policy,
            "reason": reason,
            "severity": severity,
            "skip_changed": skip_changed,
            "status": status,
            "text": text,
        },
    )
    return found


def generate(
    source: Workspace,
    paradigm: str | Paradigm,
    n: Annotated[int | Unset, COUNT] = UNSET,
    *,
    api: str | Unset = UNSET,
    band: str | Unset = UNSET,
    base_url: str | Unset = UNSET,
    batch: bool = False,
    choose: str | Sequence[str] = (),
    concurrency: Annotated[int | Unset, COUNT] = UNSET,
    dataset: str = "generated",
    design: str | Unset = UNSET,
    dry_run: bool = False,
    everything: bool = False,
    extra_body: str | Unset = UNSET,
    feedback: bool = False,
    free: bool = False,
    max_cost: Annotated[float | Unset | None, DOLLARS] = UNSET,
    max_output_tokens: Annotated[int | Unset, COUNT] = UNSET,
    mode: str | Unset = UNSET,
    model: str | Unset = UNSET,
    n_per_call: Annotated[int | Unset, COUNT] = UNSET,
    new_run: bool = False,
    prices: str | PathLike[str] | Unset = UNSET,
    prompt: str | Unset = UNSET,
    provider: str | Unset = UNSET,
    repair: Annotated[int, REPAIRS] = 0,
    resume: Annotated[int | Unset, NUMBER_IN_BANK] = UNSET,
    reuse: bool = False,
    rpm: Annotated[float | Unset, PER_MINUTE] = UNSET,
    seed: Annotated[int | Unset, SEED] = UNSET,
    send_key_to: str | Unset = UNSET,
    temperature: Annotated[float | Unset, TEMPERATURE] = UNSET,
    thinking: str | Unset = UNSET,
    tier: str | Unset = UNSET,
    timeout: Annotated[float | Unset, TIMEOUT] = UNSET,
    top_p: Annotated[float | Unset, TOP_P] = UNSET,
    tpm: Annotated[float | Unset, PER_MINUTE] = UNSET,
    services: Services | None = None,
) -> Generated:
    """Make new items for a paradigm and keep them in the bank.

    The same command run again goes on where it stopped, and does nothing where it was complete.

    A `Paradigm` that was made or changed in Python can stand in the place of a name.

    Raises `gapsmith.app.generated.UnfinishedRunError`, whose `generated` says what there is, where the run ends before everything is
    there: a limit of cost, a provider that fails. Raises `ConfigError` for what nobody can do.

    Args:
        paradigm: A paradigm's name, or the path of a file ending in .toml.
        n: How many new items (default: 40).
        api: With openai: chat (the default) or responses.
        band: How frequent the drawn words are: plain (once in a million words or more; the default), frequent (ten times), rare (less than once), any.
        base_url: A server that speaks the provider's API.
        batch: Send all calls together: half the price, answers within a day; see `gapsmith runs watch`.
        choose: Only items with these levels of a choice of the paradigm, as `--choose embedding=none` (repeatable); `*` is as many of each.
        concurrency: Calls side by side (default: 4).
        dataset: The data set to add to.
        design: The conditions to ask for in sentence mode.
        dry_run: Only say how many calls, tokens, dollars; show a prompt.
        everything: Every item of an exhaustive paradigm.
        extra_body: Members for the request beside ours, for servers that take them, such as min_p.
        feedback: Tell the model why items were excluded.
        free: The server at --base-url charges nothing.
        max_cost: US dollars, for the whole run; none: no limit, whatever the settings say.
        max_output_tokens: Per answer, thinking included.
        mode: slots (words, the default) or sentences (CSV).
        model: The model's name.
        n_per_call: Items per call.
        new_run: Ask once more although this run is complete.
        prices: A price file of your own, before the others.
        prompt: A prompt's name or file; see `gapsmith prompt list`.
        provider: lexicon (the paradigm's own word lists; the default), gemini, openai …
        repair: Send items with errors back to the model, so many times at most, with what the linter says.
        resume: Go on with this unfinished run although paradigm or prompt have changed since it began.
        reuse: Take answers that earlier runs got to the very same requests, at no cost.
        rpm: Requests per minute.
        seed: For the word lists (default: 1), or sent to the model.
        send_key_to: Send your key to this host although only the workspace's file names it.
        temperature: 0 to 2.
        thinking: Tokens (a number), or minimal, low, medium, high.
        tier: flex: half the price, answered when there is room.
        timeout: Seconds to wait for an answer (default: 120).
        top_p: Above 0, at most 1.
        tpm: Tokens per minute.
    """
    found: Generated = _carried_out(
        "generate",
        source,
        services,
        {
            "paradigm": paradigm,
            "n": n,
            "api": api,
            "band": band,
            "base_url": base_url,
            "batch": batch,
            "choose": choose,
            "concurrency": concurrency,
            "dataset": dataset,
            "design": design,
            "dry_run": dry_run,
            "everything": everything,
            "extra_body": extra_body,
            "feedback": feedback,
            "free": free,
            "max_cost": max_cost,
            "max_output_tokens": max_output_tokens,
            "mode": mode,
            "model": model,
            "n_per_call": n_per_call,
            "new_run": new_run,
            "prices": prices,
            "prompt": prompt,
            "provider": provider,
            "repair": repair,
            "resume": resume,
            "reuse": reuse,
            "rpm": rpm,
            "seed": seed,
            "send_key_to": send_key_to,
            "temperature": temperature,
            "thinking": thinking,
            "tier": tier,
            "timeout": timeout,
            "top_p": top_p,
            "tpm": tpm,
        },
    )
    return found


def runs_watch(
    source: Workspace,
    run: Annotated[int, NUMBER_IN_BANK],
    *,
    every: Annotated[float, SECONDS_BETWEEN] = 60.0,
    give_up: bool = False,
    once: bool = False,
    prices: str | PathLike[str] | Unset = UNSET,
    send_key_to: str | Unset = UNSET,
    timeout: Annotated[float | Unset, TIMEOUT] = UNSET,
    services: Services | None = None,
) -> Generated:
    """Wait for the batch of a run, and take in what it brings, each answer into its call.

    Ctrl-C ends the waiting and not the batch.

    Raises `gapsmith.app.generated.UnfinishedRunError`, whose `generated` says what there is, where the batch is gone and items are
    missing. Raises `ConfigError` where the run has no batch.

    Args:
        run: The run's number in `gapsmith runs list`.
        every: Seconds between looks.
        give_up: End the batch: take in what is finished, so that calls can ask for the rest.
        once: Look once; do not wait for the end.
        prices: A price file of your own, before the others.
        send_key_to: Send your key to this host although only the workspace's file names it.
        timeout: Seconds to wait for an answer (default: 120).
    """
    found: Generated = _carried_out(
        "runs watch",
        source,
        services,
        {
            "run": run,
            "every": every,
            "give_up": give_up,
            "once": once,
            "prices": prices,
            "send_key_to": send_key_to,
            "timeout": timeout,
        },
    )
    return found


def lint(
    source: Workspace,
    paradigm: str | Sequence[str] = (),
    *,
    api: str | Unset = UNSET,
    audit: str | Unset = UNSET,
    base_url: str | Unset = UNSET,
    concurrency: Annotated[int | Unset, COUNT] = UNSET,
    dataset: str | Sequence[str] = (),
    extra_body: str | Unset = UNSET,
    fix: bool = False,
    free: bool = False,
    ignore: str | Sequence[str] = (),
    items: str | Sequence[str] = (),
    judge: str | Sequence[str] = (),
    judge_by: str = "choice",
    judge_seed: Annotated[int, SEED] = 1,
    max_cost: Annotated[float | Unset | None, DOLLARS] = UNSET,
    max_output_tokens: Annotated[int | Unset, COUNT] = UNSET,
    parser: str | Sequence[str] = (),
    prices: str | PathLike[str] | Unset = UNSET,
    rpm: Annotated[float | Unset, PER_MINUTE] = UNSET,
    select: str | Sequence[str] = (),
    send_key_to: str | Unset = UNSET,
    temperature: Annotated[float | Unset, TEMPERATURE] = UNSET,
    thinking: str | Unset = UNSET,
    tier: str | Unset = UNSET,
    timeout: Annotated[float | Unset, TIMEOUT] = UNSET,
    tokenizer: str | Unset = UNSET,
    top_p: Annotated[float | Unset, TOP_P] = UNSET,
    tpm: Annotated[float | Unset, PER_MINUTE] = UNSET,
    services: Services | None = None,
) -> Linted:
    """Read items with all rules, show what they find, and keep it in the bank.

    Each code is explained by `gapsmith rule CODE`. With --judge, language models are asked as well; what they cost and how they
    are asked is said by the same options as in `gapsmith generate`.

    What the rules find; with `audit`, how good the linter is, and no item of the workspace is read.

    Raises `GapsmithError` where there are no items, and `ConfigError` for what nobody can do.

    Args:
        paradigm: Only items of this paradigm (repeatable; default: all).
        api: With openai: chat (the default) or responses.
        audit: Measure the linter itself on a gold file, or on `shipped`.
        base_url: A server that speaks the provider's API.
        concurrency: Calls side by side (default: 4).
        dataset: Only items of this data set (repeatable).
        extra_body: Members for the request beside ours, for servers that take them, such as min_p.
        fix: Repair spaces, capitals, final punctuation, invisible characters first.
        free: The server at --base-url charges nothing.
        ignore: All rules but these (repeatable).
        items: Item ids (default: all).
        judge: Ask a language model as well, blind (repeatable). Advisory; may cost money.
        judge_by: choice (of two sentences) or rating (1 to 7).
        judge_seed: Of the order of questions and sentences.
        max_cost: US dollars, for the whole run; none: no limit, whatever the settings say.
        max_output_tokens: Per answer, thinking included.
        parser: Also run the rules on parses, with this parser: embedded, spacy:NAME, stanza (repeatable: a second opinion).
        prices: A price file of your own, before the others.
        rpm: Requests per minute.
        select: Only these rules: codes or prefixes, L,T020 (repeatable).
        send_key_to: Send your key to this host although only the workspace's file names it.
        temperature: 0 to 2.
        thinking: Tokens (a number), or minimal, low, medium, high.
        tier: flex: half the price, answered when there is room.
        timeout: Seconds to wait for an answer (default: 120).
        tokenizer: Count tokens as this model does: bundled, gpt2, a path.
        top_p: Above 0, at most 1.
        tpm: Tokens per minute.
    """
    found: Linted = _carried_out(
        "lint",
        source,
        services,
        {
            "paradigm": paradigm,
            "api": api,
            "audit": audit,
            "base_url": base_url,
            "concurrency": concurrency,
            "dataset": dataset,
            "extra_body": extra_body,
            "fix": fix,
            "free": free,
            "ignore": ignore,
            "items": items,
            "judge": judge,
            "judge_by": judge_by,
            "judge_seed": judge_seed,
            "max_cost": max_cost,
            "max_output_tokens": max_output_tokens,
            "parser": parser,
            "prices": prices,
            "rpm": rpm,
            "select": select,
            "send_key_to": send_key_to,
            "temperature": temperature,
            "thinking": thinking,
            "tier": tier,
            "timeout": timeout,
            "tokenizer": tokenizer,
            "top_p": top_p,
            "tpm": tpm,
        },
    )
    return found


def audit(
    file: str | PathLike[str],
    *,
    alternatives: str | Unset = UNSET,
    attribute: str | Sequence[str] = (),
    batch_size: Annotated[int | Unset, COUNT] = UNSET,
    blank_rows: bool = False,
    clean: str | Sequence[str] = (),
    comment: str | Unset = UNSET,
    condition_column: str | Sequence[str] = (),
    device: str | Unset = UNSET,
    dtype: str | Unset = UNSET,
    encoding: str | Unset = UNSET,
    first: str | Unset = UNSET,
    format: str | Unset = UNSET,
    frame: str | Sequence[str] = (),
    gap_mark: str | Sequence[str] = (),
    good: str | Sequence[str] = (),
    header_row: Annotated[int | Unset, COUNT] = UNSET,
    header_rows: Annotated[int | Unset, COUNT] = UNSET,
    headings: str | Unset = UNSET,
    item_column: str | Sequence[str] = (),
    items_by_words: bool = False,
    kernel: str | Unset = UNSET,
    leave_out: str | Sequence[str] = (),
    mapping: str | PathLike[str] | Unset = UNSET,
    missing: str | Sequence[str] = (),
    model: str | Unset = UNSET,
    once: bool = False,
    only: str | Sequence[str] = (),
    out: str | PathLike[str] | Unset = UNSET,
    per_item: Annotated[int | Unset, COUNT] = UNSET,
    region: str | Sequence[str] = (),
    region_mark: str | Unset = UNSET,
    sentence_column: str | Sequence[str] = (),
    sheet: str | Sequence[str] = (),
    stack: bool = False,
    strip_prefix: str | Sequence[str] = (),
    strip_suffix: str | Sequence[str] = (),
    table: str | Unset = UNSET,
    take_out: str | Sequence[str] = (),
    transpose: bool = False,
    wrapped: bool = False,
    services: Services | None = None,
) -> Audited:
    """Read a published set with the rules that need no paradigm; one HTML page and a CSV, no workspace.

    Raises `GapsmithError` where the file cannot be read; nothing is written then.

    Args:
        file: A suite, pairs, regions, or a table of sentences; CSV, xlsx, JSON, text.
        alternatives: Sentences hold alternatives, such as was/*were or {is|are}, each a condition: crossed with those of other places, or parallel to them (the first with the first).
        attribute: A column that is no region; of lines, a label such as C: whose lines are said of their items (repeatable).
        batch_size: Sentences per forward pass of batches (default 32).
        blank_rows: Blank rows part sentences or items: what stands between them is numbered in a column block.
        clean: What is taken out of sentences, being no word of them: lists, html, markdown, latex, escapes, encoding, subwords, special, tags, capitals, indices, underscores, invisible, brackets, blanks (repeatable).
        comment: What lines begin with that are comments, such as #; several signs with a space between, such as '# ;'.
        condition_column: A column of the condition, one per factor (repeatable).
        device: auto (default), cpu, cuda, cuda:1, mps.
        dtype: float32 (default), bfloat16 or float16.
        encoding: Its encoding, if not UTF-8: cp1252, latin-1.
        first: Which member of a pair comes first, where the file does not say it: good or bad.
        format: What the file is, where that is not found out.
        frame: A column of sentences with a blank, such as ___ or [MASK], or of what they begin or end with: the words of --sentence-column go into it (repeatable).
        gap_mark: What stands in sentences for a gap, where a word would be, such as __: it is taken out (repeatable).
        good: The value of a column that says that a sentence is acceptable, or, in a row with two sentences, that the first one is; high or low of ratings; or the acceptable condition alone (repeatable).
        header_row: The row of the headings, or of the first sentence of a text, where something stands above it.
        header_rows: How many rows of headings there are, if several.
        headings: The headings of a table that has none, such as item,condition,sentence.
        item_column: The column of the item; several name it together (repeatable).
        items_by_words: Nothing numbers the items: the sentences of an item are those whose words are much more alike than those of other items.
        kernel: What multiplies float32 matrices on the processor: auto (default: the faster of default and packed), default (torch's), packed (oneDNN's, as exact), or bf16 (oneDNN's, in bfloat16 where that is faster: another scorer).
        leave_out: What is not read: rows with this value in that column, or lines and rows by the numbers that messages give them, such as 4,7-9 ('SHEET!4' where several sheets are read; repeatable).
        mapping: A file that says all this, as --save-mapping writes it; options go before it.
        missing: What a cell holds where there is no sentence, such as n/a (repeatable).
        model: Also how often a model is right, with and without the faulty items.
        once: Rows that repeat an item's sentence, one for each participant, are read once; columns of answers, and all that differ between these rows, are left out.
        only: Only rows with this value in that column; several of one column are either (repeatable).
        out: The page to write (default: FILE.audit.html here).
        per_item: How many lines or rows an item has, where nothing in the file names it.
        region: A column that is a region all the same; beside --sentence-column, the one that counts or names the words of rows (repeatable).
        region_mark: What stands between the regions of a sentence, such as /.
        sentence_column: The column of the sentences; several are a column per condition (repeatable).
        sheet: Which sheet of a spreadsheet; several are one table, with the name of the sheet in a column sheet (repeatable).
        stack: Columns that stand side by side several times, such as list1_cond, list1_sentence, list2_cond, list2_sentence, are rows below each other, and so are several columns of --sentence-column; what tells them apart stands in a column part.
        strip_prefix: What stands before sentences and is no part of them, such as A: (repeatable; a number in it is any number, dots in brackets anything).
        strip_suffix: What stands behind sentences and is no part of them, such as '[...]' (repeatable; dots in brackets are anything).
        table: Which table of a document is meant, from 1; or all, if they have the same columns.
        take_out: What is taken out wherever it stands in sentences, such as '<...>' (repeatable; a number in it is any number, dots in brackets anything).
        transpose: Rows are columns and columns are rows.
        wrapped: An indented line goes on with the sentence in the line above, and a cell that begins with a space with the cell before it.
    """
    found: Audited = _carried_out(
        "audit",
        None,
        services,
        {
            "file": file,
            "alternatives": alternatives,
            "attribute": attribute,
            "batch_size": batch_size,
            "blank_rows": blank_rows,
            "clean": clean,
            "comment": comment,
            "condition_column": condition_column,
            "device": device,
            "dtype": dtype,
            "encoding": encoding,
            "first": first,
            "format": format,
            "frame": frame,
            "gap_mark": gap_mark,
            "good": good,
            "header_row": header_row,
            "header_rows": header_rows,
            "headings": headings,
            "item_column": item_column,
            "items_by_words": items_by_words,
            "kernel": kernel,
            "leave_out": leave_out,
            "mapping": mapping,
            "missing": missing,
            "model": model,
            "once": once,
            "only": only,
            "out": out,
            "per_item": per_item,
            "region": region,
            "region_mark": region_mark,
            "sentence_column": sentence_column,
            "sheet": sheet,
            "stack": stack,
            "strip_prefix": strip_prefix,
            "strip_suffix": strip_suffix,
            "table": table,
            "take_out": take_out,
            "transpose": transpose,
            "wrapped": wrapped,
        },
    )
    return found


def make_packet(
    source: Workspace,
    file: str | PathLike[str],
    annotator: str,
    *,
    by: str | Unset = UNSET,
    dataset: str | Unset = UNSET,
    judge: str | PathLike[str] | Unset = UNSET,
    order: str = "came",
    paradigm: str | Unset = UNSET,
    run: Annotated[int | Unset, NUMBER_IN_BANK] = UNSET,
    seed: Annotated[int, SEED] = 0,
    show: str = "status:undecided",
    services: Services | None = None,
) -> PacketMade:
    """Write the items on which somebody has not decided yet, with cells for decision, reason and comment.

    The lead makes it for anybody, others for themselves: how much is left tells how far somebody is. Nothing of what others,
    policies, the linter or models say is in it.

    What was written. Raises `GapsmithError` where no item fits, the file is there already, or somebody else than the lead makes it for
    another person.

    Args:
        file: The spreadsheet to write: NAME.xlsx.
        annotator: Who will decide.
        by: Who does this (default: `annotator` of the settings, else you).
        dataset: Only items of this data set.
        judge: The file of an acceptability study: the annotator's sheet, with a cell for each answer.
        order: came (default), random or text.
        paradigm: Only items of this paradigm.
        run: Only items of this run.
        seed: Of the random order, which is each annotator's own (default: 0).
        show: Which items, as in the queue of the review (default: status:undecided).
    """
    found: PacketMade = _carried_out(
        "packet make",
        source,
        services,
        {
            "file": file,
            "annotator": annotator,
            "by": by,
            "dataset": dataset,
            "judge": judge,
            "order": order,
            "paradigm": paradigm,
            "run": run,
            "seed": seed,
            "show": show,
        },
    )
    return found


def take_packet(
    source: Workspace,
    file: str | PathLike[str],
    *,
    annotator: str | Unset = UNSET,
    by: str | Unset = UNSET,
    judge: str | PathLike[str] | Unset = UNSET,
    lock: bool = False,
    skip_changed: bool = False,
    services: Services | None = None,
) -> PacketTaken:
    """Take in the decisions of a packet, all or none; what was taken in before is not taken in again.

    They are the decisions of whom the packet was made for: another name in it is refused.

    What was taken in. Raises `GapsmithError` for what is not filled in as it should be; nothing is taken in then.

    Args:
        file: The spreadsheet that came back.
        annotator: Whose it is; needed only for packets that release 0.1 made.
        by: Who does this (default: `annotator` of the settings, else you).
        judge: The file of the acceptability study that the packet is of.
        lock: Lock the decisions on the data sets of the packet, and of earlier ones where nothing is left, for whom it was made for, as L does in the review.
        skip_changed: Leave out items that have other texts here than the file is about.
    """
    found: PacketTaken = _carried_out(
        "packet take",
        source,
        services,
        {"file": file, "annotator": annotator, "by": by, "judge": judge, "lock": lock, "skip_changed": skip_changed},
    )
    return found


def agreement(
    source: Workspace,
    *,
    by: str | Unset = UNSET,
    calibration: bool = False,
    dataset: str | Unset = UNSET,
    everything: bool = False,
    full: bool = False,
    look: bool = False,
    paradigm: str | Unset = UNSET,
    services: Services | None = None,
) -> Agreed:
    """How far annotators agree: raw agreement, Cohen's and Fleiss' kappa, Krippendorff's alpha.

    On decisions, on each reason for exclusion, and on the sentence judgements of each condition. Counts only what was decided
    blind, on the texts that people read. Shown to those who have locked, or who look on record.

    Raises `GapsmithError` where the reader may not see what others decided.

    Args:
        by: Who does this (default: `annotator` of the settings, else you).
        calibration: Count calibration items in agreement, too: items whose right verdict was known before.
        dataset: Only items of this data set.
        everything: Count labels that were not given blind, too.
        full: Print every two people on each reason and sentence, too; JSON always has them.
        look: Look at what others decided before you have locked; that is recorded for every item.
        paradigm: Only items of this paradigm.
    """
    found: Agreed = _carried_out(
        "agreement",
        source,
        services,
        {
            "by": by,
            "calibration": calibration,
            "dataset": dataset,
            "everything": everything,
            "full": full,
            "look": look,
            "paradigm": paradigm,
        },
    )
    return found


def annotation_table(
    source: Workspace,
    what: str,
    *,
    by: str | Unset = UNSET,
    dataset: str | Unset = UNSET,
    defuse: bool = False,
    look: bool = False,
    mine: bool = False,
    paradigm: str | Unset = UNSET,
    services: Services | None = None,
) -> AnnotationTable:
    """Decisions, judgements or remarks as CSV, with times: `gapsmith annotations decisions > decisions.csv`.

    Of decisions: whether the item was opened, how long it was on screen, how many of its rows were. Of judgements: the scale, and
    the seconds where the sentence was shown alone. Of remarks (c in the review): the words, and on which text.

    Raises `GapsmithError` where the reader may not see what others decided.

    Args:
        what: decisions, judgements or remarks.
        by: Who does this (default: `annotator` of the settings, else you).
        dataset: Only items of this data set.
        defuse: Put ' before cells that a spreadsheet would run as formulas.
        look: Look at what others decided before you have locked; that is recorded for every item.
        mine: Only your own; needs no lock.
        paradigm: Only items of this paradigm.
    """
    found: AnnotationTable = _carried_out(
        "annotations",
        source,
        services,
        {"what": what, "by": by, "dataset": dataset, "defuse": defuse, "look": look, "mine": mine, "paradigm": paradigm},
    )
    return found


def assign(
    source: Workspace,
    to: str | Sequence[str],
    *,
    adjudicator: str | Sequence[str] = (),
    by: str | Unset = UNSET,
    dataset: str | Sequence[str] = (),
    dry_run: bool = False,
    known: str | PathLike[str] | Unset = UNSET,
    our_ids: bool = False,
    overlap: Annotated[float | Unset, SHARE_OR_ITEMS] = UNSET,
    paradigm: str | Sequence[str] = (),
    readers: Annotated[int | Unset, COUNT] = UNSET,
    replace: bool = False,
    seed: Annotated[int, SEED] = 0,
    services: Services | None = None,
) -> Assigned:
    """Share items out: every item has a reader, some have several, and `gapsmith review` shows everybody their own.

    Once anything is assigned, whoever has no share sees an empty queue. A later assignment of the same items takes the place of an
    earlier one, after showing what that changes for whom; decisions stay. It keeps the data sets, the overlap and the readers of
    that one unless they are said.

    Who reads how many. Raises `GapsmithError` where that cannot be, and for items that would be taken away from people without
    `replace` or a yes; nothing is assigned then.

    Args:
        to: Who reads (repeatable).
        adjudicator: Who alone decides where these readers disagree, beside the lead (repeatable; default: as these items are assigned now, else whoever asks).
        by: Who does this (default: `annotator` of the settings, else you).
        dataset: Only items of this data set (repeatable).
        dry_run: Show what changes for whom; assign nothing.
        known: Calibration items, which everybody reads: a file with the columns item and decision, as for `decide --csv` (7,approve).
        our_ids: The file names items by their ids alone, and these are ids of this bank as it is now.
        overlap: Items that several people read: a share from 0 to 1, or a number of items from 2 on (default: as these items are assigned now, else 0.2).
        paradigm: Only items of this paradigm (repeatable; default: all).
        readers: How many people read an item of the overlap (default: as these items are assigned now, else 2).
        replace: Take items away from people who have them now, without asking.
        seed: Of who gets what (default: 0).
    """
    found: Assigned = _carried_out(
        "assign",
        source,
        services,
        {
            "to": to,
            "adjudicator": adjudicator,
            "by": by,
            "dataset": dataset,
            "dry_run": dry_run,
            "known": known,
            "our_ids": our_ids,
            "overlap": overlap,
            "paradigm": paradigm,
            "readers": readers,
            "replace": replace,
            "seed": seed,
        },
    )
    return found


def lab(
    source: Workspace,
    *,
    by: str | Unset = UNSET,
    dataset: str | Unset = UNSET,
    out: str | PathLike[str] | Unset = UNSET,
    paradigm: str | Unset = UNSET,
    services: Services | None = None,
) -> LabSeen:
    """Who has what, how fast they are, how far they overlap and agree, what drifts, what is disputed, and what to do next.

    The lead sees everybody, and so does who has locked; any other sees themselves. Nothing is changed.

    Who has what, and where it stands. Raises `GapsmithError` for a data set that is not there.

    Args:
        by: Who does this (default: `annotator` of the settings, else you).
        dataset: Only items of this data set.
        out: Write the page as HTML here.
        paradigm: Only items of this paradigm.
    """
    found: LabSeen = _carried_out("lab", source, services, {"by": by, "dataset": dataset, "out": out, "paradigm": paradigm})
    return found


def new_judging(
    source: Workspace,
    file: str | PathLike[str],
    to: str | Sequence[str],
    *,
    anchor: str | Sequence[str] = (),
    apart: Annotated[int, COUNT] = 10,
    by: str | Unset = UNSET,
    condition: str | Sequence[str] = (),
    dataset: str | Sequence[str] = (),
    fillers: str | Sequence[str] = (),
    n: Annotated[int | Unset, COUNT] = UNSET,
    paradigm: str | Sequence[str] = (),
    pause_every: Annotated[int, COUNT] = 50,
    points: Annotated[int, COUNT] = 7,
    practice: str | Sequence[str] = (),
    question: str | Unset = UNSET,
    seed: Annotated[int, SEED] = 0,
    shown: str = "one",
    status: str | Sequence[str] = (),
    task: str = "scale",
    services: Services | None = None,
) -> JudgingMade:
    """Write the one file that decides an acceptability study: sentences, scale, annotators, order, fillers, practice.

    Every annotator gets a sheet of their own: each item in one condition, by Latin square. The file is read by `review --judge`, in
    the terminal and with --web, by `packet make --judge` and by `judge results`.

    What was written. Raises `GapsmithError` for what cannot be a study, and where the file is there already.

    Args:
        file: The file to write: NAME.toml.
        to: Who judges (repeatable).
        anchor: What a point is called, from the worst: once for every point (repeatable; default: from completely unnatural to completely natural).
        apart: With --shown all: places between sentences of one item (default: 10).
        by: Who does this (default: `annotator` of the settings, else you).
        condition: Conditions that are judged (repeatable; default: all). A choice is between two.
        dataset: Only items of this data set (repeatable).
        fillers: Data sets whose items are fillers (repeatable).
        n: How many items, drawn at random by --seed, as many of each paradigm and data set as of the others (default: all).
        paradigm: Only items of this paradigm (repeatable; default: all).
        pause_every: Answers from one break to the next (default: 50).
        points: Of a scale (default: 7).
        practice: A sentence to practise on, in the place of ours (repeatable).
        question: What is asked of every sentence (default: how natural it is).
        seed: Of the orders, and of what is drawn (default: 0).
        shown: one (default): each item in one condition, by Latin square; all: in every condition.
        status: Only items that are approved, pending, …, as far as you may see (repeatable; default: approved as soon as some are).
        task: scale (default), categories (ok, questionable, bad) or choice (the better one of two).
    """
    found: JudgingMade = _carried_out(
        "judge new",
        source,
        services,
        {
            "file": file,
            "to": to,
            "anchor": anchor,
            "apart": apart,
            "by": by,
            "condition": condition,
            "dataset": dataset,
            "fillers": fillers,
            "n": n,
            "paradigm": paradigm,
            "pause_every": pause_every,
            "points": points,
            "practice": practice,
            "question": question,
            "seed": seed,
            "shown": shown,
            "status": status,
            "task": task,
        },
    )
    return found


def judging_results(
    source: Workspace,
    file: str | PathLike[str],
    *,
    by: str | Unset = UNSET,
    csv: str | PathLike[str] | Unset = UNSET,
    look: bool = False,
    mine: bool = False,
    services: Services | None = None,
) -> Judged:
    """What came of an acceptability study: every answer with its by-person z-score, and marks for answers that came too fast or in
    long runs of the same.

    Nothing is left out: marks are for you to decide on. Others' answers are shown to those who may see them, as in `agreement`.

    What came of a study. Raises `GapsmithError` where the reader may not see what others answered.

    Args:
        file: The study's file.
        by: Who does this (default: `annotator` of the settings, else you).
        csv: Write a row for each answer here.
        look: Look at what others decided before you have locked; that is recorded for every item.
        mine: Only your own, which needs no lock; items, conditions and fillers are named once your sheet is finished.
    """
    found: Judged = _carried_out(
        "judge results", source, services, {"file": file, "by": by, "csv": csv, "look": look, "mine": mine}
    )
    return found


def load_dataset(source: Workspace, name: str, *, services: Services | None = None) -> LoadedDataset:
    """Put a vetted data set that comes with gapsmith into the workspace, with the decisions of its two readers.

    What came in; a second time only what is lacking. Raises `GapsmithError`.

    Args:
        name: gaps40 or refined10.
    """
    found: LoadedDataset = _carried_out("dataset load", source, services, {"name": name})
    return found


def recognise_datasets(
    source: Workspace,
    folder: str | PathLike[str],
    *,
    benchmark: str | Unset = UNSET,
    changed: bool = False,
    dry_run: bool = False,
    first: str | Unset = UNSET,
    services: Services | None = None,
) -> Recognised:
    """Bring in a published benchmark as it was downloaded: BLiMP, SyntaxGym's suites, POSH-BENCH.

    The folder's files are checked against a manifest of names, counts and digests. Every file becomes a data set, its items with
    the attributes phenomenon and category. What is missing, or not as published, is said.

    What came in. Raises `GapsmithError` where the folder is no benchmark that is known, or where nothing says which member of
    its pairs is the good one.

    Args:
        folder: The folder as it was downloaded and unpacked.
        benchmark: Which one it is (default: found out by its files).
        changed: Bring in files that are not as published, too.
        dry_run: Only say what is there, missing and changed.
        first: Which member of a pair comes first, where its files do not say it: good or bad.
    """
    found: Recognised = _carried_out(
        "dataset recognise",
        source,
        services,
        {"folder": folder, "benchmark": benchmark, "changed": changed, "dry_run": dry_run, "first": first},
    )
    return found


def rename_dataset(
    source: Workspace,
    name: str,
    new: str,
    *,
    by: str | Unset = UNSET,
    paradigm: str | Unset = UNSET,
    services: Services | None = None,
) -> DatasetChanged:
    """Give a data set another name. `gapsmith dataset undo` takes it back.

    What it is called now. Raises `GapsmithError` where there is no such data set, or the name is taken.

    Args:
        name: The data set's name.
        new: Its new name.
        by: Who does this (default: `annotator` of the settings, else you).
        paradigm: Of this paradigm, where several have a data set of that name.
    """
    found: DatasetChanged = _carried_out(
        "dataset rename", source, services, {"name": name, "new": new, "by": by, "paradigm": paradigm}
    )
    return found


def remove_dataset(
    source: Workspace, name: str, *, by: str | Unset = UNSET, paradigm: str | Unset = UNSET, services: Services | None = None
) -> DatasetChanged:
    """Take a data set out of all lists, scores and analyses. Nothing is deleted: `gapsmith dataset undo` brings it back.

    What is out. Raises `GapsmithError` where there is no such data set.

    Args:
        name: The data set's name.
        by: Who does this (default: `annotator` of the settings, else you).
        paradigm: Of this paradigm, where several have a data set of that name.
    """
    found: DatasetChanged = _carried_out("dataset remove", source, services, {"name": name, "by": by, "paradigm": paradigm})
    return found


def undo_dataset(source: Workspace, *, by: str | Unset = UNSET, services: Services | None = None) -> TakenBack:
    """Take back the last renaming or removal, where that was the last thing you did.

    What was taken back. Raises `GapsmithError` where the last thing that was done is something else.

    Args:
        by: Who does this (default: `annotator` of the settings, else you).
    """
    found: TakenBack = _carried_out("dataset undo", source, services, {"by": by})
    return found


def merge_banks(
    source: Workspace,
    sources: str | PathLike[str] | Sequence[str | PathLike[str]],
    *,
    dry_run: bool = False,
    services: Services | None = None,
) -> MergedBanks:
    """Bring in what was done in copies of this bank, or in other banks: items, edits, decisions, judgements, comments.

    The other bank is not touched. What is known stays; a second merge of the same finds nothing. An item that two people edited
    apart is disputed: `gapsmith review --adjudicate` shows both versions. Nobody sees more of the others' decisions than before.
    From a bank.rescued-TIME.sqlite, scores and parses come in, too.

    What came in from all sources, or nothing. Raises `GapsmithError` for one that is no bank, or damaged.

    Args:
        sources: Other workspaces, their bank.sqlite, or files of `gapsmith bank log`.
        dry_run: Say what would come in; change nothing.
    """
    found: MergedBanks = _carried_out("bank merge", source, services, {"sources": sources, "dry_run": dry_run})
    return found


def convert_model(
    checkpoint: str | PathLike[str],
    vocabulary: str | PathLike[str],
    *,
    out: str | PathLike[str],
    services: Services | None = None,
) -> ModelConverted:
    """Make a folder of a checkpoint of Gulordava et al. (2018), a word-level LSTM, which `gapsmith score --model` takes then.

    The checkpoint is a pickle, which could run code: only tensors are read of it, and what wants to use anything else is refused by name.

    Raises `ModelError` for what is no such checkpoint, wants to use what none needs, or does not go with the vocabulary, and `ConfigError`
    where the folder cannot be made.

    Args:
        checkpoint: The checkpoint (.pt): a whole RNNModel, or the dictionary of its state.
        vocabulary: The vocab.txt that was published beside it.
        out: The new folder.
    """
    found: ModelConverted = _carried_out(
        "model convert", None, services, {"checkpoint": checkpoint, "vocabulary": vocabulary, "out": out}
    )
    return found


def score(
    source: Workspace,
    model: str | Unset = UNSET,
    *,
    batch_size: Annotated[int | Unset, COUNT] = UNSET,
    bos: bool = True,
    boundary: bool = False,
    contexts: str | Sequence[str] = (),
    convention: str | Sequence[str] = (),
    critical_only: bool = False,
    dataset: str | Sequence[str] = (),
    device: str | Unset = UNSET,
    dry_run: bool = False,
    dtype: str | Unset = UNSET,
    engine: str = "auto",
    everything: bool = False,
    kernel: str | Unset = UNSET,
    on: str | Unset = UNSET,
    paradigm: str | Sequence[str] = (),
    profile: bool = False,
    remove_downloads: bool = False,
    revision: str | Sequence[str] = (),
    services: Services | None = None,
) -> Scored:
    """Score the approved items with a language model: the surprisal of every token, in bits.

    Each distinct sentence is scored once and kept at once. Run it again to go on after a stop: what the same model has scored
    with the same settings is not scored again.

    Raises `gapsmith.scoring.FailedScoresError`, whose `report` says what was done, where the computation failed for a sentence, in
    this run or an earlier one, or no sentence has a value; what has values is kept. Raises `ConfigError` for what nobody can do.

    Args:
        model: A model of the Hugging Face hub, a directory, or `bundled` (default: `model` of the settings, else gpt2); with an engine of an installed package, what that one takes (default: its own).
        batch_size: Sentences per forward pass of batches (default 32).
        bos: Put one beginning-of-sequence token before each sentence.
        boundary: Measure the probability of word boundaries too, for `analyze --corrected`; adds to what was scored without.
        contexts: In the contexts of this set too (`gapsmith context`); repeatable.
        convention: What this scoring convention (minicons, minicons-mean, lm-eval, babylm, gapsmith) needs, in place of what --bos says; conventions that need the same are one scorer (repeatable).
        critical_only: Only the words that contrasts and criteria are about: faster; a later run without it adds the rest.
        dataset: Only items of this data set (repeatable).
        device: auto (default), cpu, cuda, cuda:1, mps.
        dry_run: Say how many tokens that is and how long it will take; keep nothing.
        dtype: float32 (default), bfloat16 or float16.
        engine: tree (what sentences share is computed once), batches, or auto: tree where the model can be run so; or an engine of an installed package, by its name in `gapsmith doctor`.
        everything: Every item, whatever was decided of it, not only the approved ones.
        kernel: What multiplies float32 matrices on the processor: auto (default: the faster of default and packed), default (torch's), packed (oneDNN's, as exact), or bf16 (oneDNN's, in bfloat16 where that is faster: another scorer).
        on: ray: all processors or GPUs of this machine, one model each; ray=ADDRESS: those of a running cluster.
        paradigm: Only items of this paradigm (repeatable; default: all).
        profile: Say what took how long, by phase, in wall and processor time.
        remove_downloads: Remove each revision that had to be fetched, once it has scored everything.
        revision: Commit, tag or branch of a model of the hub; may be given several times, and each is a scorer of its own.
    """
    found: Scored = _carried_out(
        "score",
        source,
        services,
        {
            "model": model,
            "batch_size": batch_size,
            "bos": bos,
            "boundary": boundary,
            "contexts": contexts,
            "convention": convention,
            "critical_only": critical_only,
            "dataset": dataset,
            "device": device,
            "dry_run": dry_run,
            "dtype": dtype,
            "engine": engine,
            "everything": everything,
            "kernel": kernel,
            "on": on,
            "paradigm": paradigm,
            "profile": profile,
            "remove_downloads": remove_downloads,
            "revision": revision,
        },
    )
    return found


def analyze(
    source: Workspace | Bank,
    paradigm: str | Sequence[str] = (),
    *,
    alternative: str | Unset = UNSET,
    by: str | Sequence[str] = (),
    complete: bool = False,
    confidence: Annotated[float, CONFIDENCE] = 0.95,
    contexts: str | Sequence[str] = (),
    contrast: str | Sequence[str] = (),
    convention: str = "gapsmith",
    corrected: bool = False,
    dataset: str | Sequence[str] = (),
    design: str | Unset = UNSET,
    double_bar: str = "contrasts",
    everything: bool = False,
    formula: str | Sequence[str] = (),
    kinds: str | PathLike[str] | Unset = UNSET,
    look: bool = False,
    measure: str | Unset = UNSET,
    model: str | Sequence[str] = (),
    permutations: Annotated[int, COUNT] = 9999,
    reduce: bool | Unset = UNSET,
    regions: bool | Unset = UNSET,
    rows: str = "observations",
    scorer: Annotated[int | Unset, NUMBER_IN_BANK] = UNSET,
    seed: Annotated[int, SEED] = 20250,
    sensitivity: bool = False,
    ties: str = "wrong",
    uncorrected: bool = False,
    unigram: str | PathLike[str] | Unset = UNSET,
    where: Mapping[str, str] = MappingProxyType({}),
    words: str = "slots",
    services: Services | None = None,
) -> Analyzed:
    """Test the contrasts of every scored paradigm over its approved items.

    Prints for each contrast the mean in bits, t, df, p, a two-sided interval, dz and n, the share of items with the expected
    sign, and what that says. Several models or data sets, and --by, put results side by side.

    What was asked for: the analyses of all paradigms under one model, or a comparison, mixed models, or checks.

    Raises `GapsmithError` where nothing is scored, a paradigm that was named has no items, and for words that nothing has.

    Args:
        paradigm: Only items of this paradigm (repeatable; default: all).
        alternative: expected (the side that is predicted), two-sided, greater or less, for every test (default: what the paradigm says). Intervals stay two-sided.
        by: Side by side: model, revision, dataset, context, or an attribute or slot of the items (repeatable).
        complete: Only items that have a value for every contrast, so that n is the same.
        confidence: Of intervals (0.95: they hold in 95 of 100 samples).
        contexts: In the contexts of this set, side by side with no context (repeatable; --by context: of every set).
        contrast: Only this contrast, by its name or as tables show it (repeatable).
        convention: How numbers are made of tokens: gapsmith (default), or as another program makes them: minicons, minicons-mean, lm-eval, babylm. `gapsmith score --convention` computes what it needs.
        corrected: Move the probability mass of word boundaries to where words end.
        dataset: Only items of this data set (repeatable).
        design: Only the contrasts of this design.
        double_bar: (x || g) in the mixed model: contrasts (default), each of x varies by itself; split: as lme4 reads it.
        everything: Every item, whatever was decided of it, not only the approved ones.
        formula: A mixed model over the critical regions, in R's notation, such as 'surprisal ~ filler*gap2 + (1|item)'; logistic for 'correct ~ ...'; auto: what the design calls for. Several are compared (repeatable).
        kinds: What the models are (CSV: model, then a column for each thing they differ in, such as family and size; seed tells alike ones apart): means over models, and how kinds differ (default: seeds by the names, NAME-seed1).
        look: Look at what others decided before you have locked; that is recorded for every item.
        measure: What a region's tokens come to: sum (default), mean, max, …
        model: Scores of this model (default: `model` of the settings, else what measured most of the items); several are compared (repeatable).
        permutations: How many sign flips are drawn for the permutation test.
        reduce: Leave out random slopes and correlations that the data do not call for, step by step (default: for auto only).
        regions: Means of every region too (default: wherever no table is printed).
        rows: A row of the mixed model: each observation once, or all items and sentences, whose repeats published analyses counted (default: observations).
        scorer: Scores of this scorer, where one model scored with several settings.
        seed: Of these draws.
        sensitivity: What the contrasts hang on: outliers, single items and words, measure, word boundaries, BOS, status.
        ties: What a difference of exactly 0 comes to in the share of items that are as expected: wrong (default), or excluded from it.
        uncorrected: Verdicts follow p as it is, instead of Holm's over all tests of the run, or of each family that the paradigm names.
        unigram: The text that the model was trained on, in which slor counts tokens (also .xz, .gz).
        where: Only items with this attribute, or word in a slot (repeatable).
        words: What the words of items are: slots (regions, where items came as sentences), or roles as well, read from sentences that have no slots.
    """
    found: Analyzed = _carried_out(
        "analyze",
        source,
        services,
        {
            "paradigm": paradigm,
            "alternative": alternative,
            "by": by,
            "complete": complete,
            "confidence": confidence,
            "contexts": contexts,
            "contrast": contrast,
            "convention": convention,
            "corrected": corrected,
            "dataset": dataset,
            "design": design,
            "double_bar": double_bar,
            "everything": everything,
            "formula": formula,
            "kinds": kinds,
            "look": look,
            "measure": measure,
            "model": model,
            "permutations": permutations,
            "reduce": reduce,
            "regions": regions,
            "rows": rows,
            "scorer": scorer,
            "seed": seed,
            "sensitivity": sensitivity,
            "ties": ties,
            "uncorrected": uncorrected,
            "unigram": unigram,
            "where": where,
            "words": words,
        },
    )
    return found


def power(
    source: Workspace,
    paradigm: str | Sequence[str] = (),
    *,
    confidence: Annotated[float, CONFIDENCE] = 0.95,
    contrast: str | Sequence[str] = (),
    convention: str = "gapsmith",
    dataset: str | Sequence[str] = (),
    effect: Annotated[float | Unset, SIZE] = UNSET,
    everything: bool = False,
    kinds: str | PathLike[str] | Unset = UNSET,
    look: bool = False,
    model: str | Sequence[str] = (),
    out: str | PathLike[str] | Unset = UNSET,
    power: Annotated[float, CONFIDENCE] = 0.8,
    services: Services | None = None,
) -> PowerPlanned:
    """Say what more items, words or models would show: the smallest effect that is found, from the variances of items that are scored.

    With --effect, or where a contrast's file says the smallest effect that matters (delta), also with what chance and by how many items
    it is found; and, where the words are too few for any number of items, how many words would do. Several data sets and models stand
    by themselves, models that are seeds of one kind together as well. --out draws the curves.

    Several data sets and models are each a pilot of their own; the seeds of a kind of model are one more, in which models are a sample.

    Raises `GapsmithError` where nothing is scored, and `ConfigError` where the files cannot be written.

    Args:
        paradigm: Only items of this paradigm (repeatable; default: all).
        confidence: Of intervals and tests (0.95: p < .05).
        contrast: Only this contrast, by its name or as tables show it (repeatable).
        convention: How numbers are made of tokens: gapsmith (default), or as another program makes them: minicons, minicons-mean, lm-eval, babylm. `gapsmith score --convention` computes what it needs.
        dataset: Only items of this data set (repeatable).
        effect: The effect to find, in the unit of the contrasts (bits), above 0 (default: what their file says matters).
        everything: Every item, whatever was decided of it, not only the approved ones.
        kinds: What the models are (CSV: model, then a column for each thing they differ in, such as family and size; seed tells alike ones apart): means over models, and how kinds differ (default: seeds by the names, NAME-seed1).
        look: Look at what others decided before you have locked; that is recorded for every item.
        model: Scores of this model (default: `model` of the settings, else what measured most of the items); several are compared (repeatable).
        out: A folder for power.csv and the curves, a figure for each table.
        power: The chance with which an effect is to be found.
    """
    found: PowerPlanned = _carried_out(
        "power",
        source,
        services,
        {
            "paradigm": paradigm,
            "confidence": confidence,
            "contrast": contrast,
            "convention": convention,
            "dataset": dataset,
            "effect": effect,
            "everything": everything,
            "kinds": kinds,
            "look": look,
            "model": model,
            "out": out,
            "power": power,
        },
    )
    return found


def freeze_plan(
    source: Workspace,
    paradigm: str,
    *,
    alternative: str | Unset = UNSET,
    by: str | Unset = UNSET,
    complete: bool = False,
    confidence: Annotated[float, CONFIDENCE] = 0.95,
    contrast: str | Sequence[str] = (),
    convention: str = "gapsmith",
    corrected: bool = False,
    dataset: str | Sequence[str] = (),
    everything: bool = False,
    exclude_rule: str | Sequence[str] = (),
    items: Annotated[int | Unset, COUNT] = UNSET,
    measure: str | Unset = UNSET,
    model: str | Sequence[str] = (),
    ties: str = "wrong",
    uncorrected: bool = False,
    where: Mapping[str, str] = MappingProxyType({}),
    services: Services | None = None,
) -> PlanFrozen:
    """Freeze what is to be analysed, and how, before it is: it is kept in the bank with the time, and never changed.

    The plan takes contrasts, their sides, families and δ from the paradigm's file as it stands, and the rest from here. From then on
    δ and the tests that are corrected together are the plan's; analyses and reports say what is not as planned.

    Raises `GapsmithError` for what the paradigm does not have, and where its newest plan says the same.

    Args:
        paradigm: Whose items are to be analysed.
        alternative: expected (the side that is predicted), two-sided, greater or less, for every test (default: what the paradigm says).
        by: Who does this (default: `annotator` of the settings, else you).
        complete: Only items that have a value for every contrast.
        confidence: Of intervals and tests (0.95: p < .05).
        contrast: Only this contrast or criterion (repeatable; default: all of the paradigm's).
        convention: How numbers are made of tokens: gapsmith (default), or as another program makes them: minicons, minicons-mean, lm-eval, babylm. `gapsmith score --convention` computes what it needs.
        corrected: Move the probability mass of word boundaries to where words end.
        dataset: Only items of this data set (repeatable; default: all).
        everything: Every item, whatever was decided of it, not only the approved ones.
        exclude_rule: By which rule items are approved or left out, in your words (repeatable); the linter's rules are kept with it.
        items: How many items are to be analysed (default: any number).
        measure: Every contrast by this measure (default: its own).
        model: Scores of this model (repeatable; default: any model).
        ties: What a difference of exactly 0 comes to in the share of items that are as expected: wrong (default), or excluded from it.
        uncorrected: Verdicts are to follow p as it is.
        where: Only items with this attribute, or word in a slot (repeatable).
    """
    found: PlanFrozen = _carried_out(
        "plan freeze",
        source,
        services,
        {
            "paradigm": paradigm,
            "alternative": alternative,
            "by": by,
            "complete": complete,
            "confidence": confidence,
            "contrast": contrast,
            "convention": convention,
            "corrected": corrected,
            "dataset": dataset,
            "everything": everything,
            "exclude_rule": exclude_rule,
            "items": items,
            "measure": measure,
            "model": model,
            "ties": ties,
            "uncorrected": uncorrected,
            "where": where,
        },
    )
    return found


def list_plans(source: Workspace, paradigm: str | Unset = UNSET, *, services: Services | None = None) -> PlansListed:
    """Show the plans that were frozen, oldest first; the last one of a paradigm holds.

    The plans there are. Raises `GapsmithError` for one that does not agree with its digest.

    Args:
        paradigm: Only plans of this paradigm.
    """
    found: PlansListed = _carried_out("plan list", source, services, {"paradigm": paradigm})
    return found


def next_step(
    source: Workspace, paradigm: str | Sequence[str] = (), *, dataset: str | Sequence[str] = (), services: Services | None = None
) -> Needed:
    """Say what this workspace needs now, with the command to type.

    The first line is what to do; what follows can be done as well, or comes after it. Nothing is changed.

    What there is to do; ``.command`` is what to type first. Of others' decisions it goes by what the reader may see. Raises
    `GapsmithError` for a paradigm or data set that has no items.

    Args:
        paradigm: Only items of this paradigm (repeatable; default: all).
        dataset: Only items of this data set (repeatable).
    """
    found: Needed = _carried_out("next", source, services, {"paradigm": paradigm, "dataset": dataset})
    return found


def train_corpus(
    recipe: str,
    *,
    out: str | PathLike[str],
    filters: str | Sequence[str] = (),
    licences: Mapping[str, str] = MappingProxyType({}),
    parser: str = "embedded",
    put_back: bool = False,
    scale: Annotated[float, FACTOR] = 1.0,
    seed: Annotated[int, SEED] = 1,
    sources: Mapping[str, str] = MappingProxyType({}),
    valid_share: Annotated[float, PART] = 0.01,
    services: Services | None = None,
) -> CorpusMade:
    """Mix a corpus from several sources: so many words of each, one sentence on a line, with a manifest.

    The recipes that come along are the corpora of POSH-BENCH: its mixture, BABY-F, BABY and WIKI; you say where your CHILDES, BNC and
    so on lie. With --filter, or in a recipe that names filters, sentences stay out that show a learner directly what it is to find out
    by itself. Parses are kept beside the new folder: the same command goes on where it was stopped, and the next corpus of the same
    text needs none.

    Mix the corpus into a folder that is not there yet. Raises `ConfigError` where a source is missing, and `GapsmithError`
    where one has too few words.

    Args:
        recipe: A TOML file, or posh-10m, posh-baby-f-10m, posh-baby-10m, posh-wiki-10m (30m, 50m, 100m).
        out: The new folder: train.txt, valid.txt, manifest.json.
        filters: Leave out what this filter takes: question-formation, binding, or a TOML file of yours (repeatable).
        licences: The licence of a source (repeatable).
        parser: Who parses for --filter: embedded, spacy:NAME, stanza.
        put_back: With --filter: replace as many sentences by some that were taken out as each filter's put_back says.
        scale: Times all word counts of the recipe.
        seed: Decides which stretches of the sources are taken (default: 1).
        sources: Where a source of the recipe lies (repeatable).
        valid_share: Further words for validation, as a share of each source's (default: 0.01).
    """
    found: CorpusMade = _carried_out(
        "train corpus",
        None,
        services,
        {
            "recipe": recipe,
            "out": out,
            "filters": filters,
            "licences": licences,
            "parser": parser,
            "put_back": put_back,
            "scale": scale,
            "seed": seed,
            "sources": sources,
            "valid_share": valid_share,
        },
    )
    return found


def train_audit(
    corpus: str | PathLike[str],
    *,
    answers: str | PathLike[str] | Unset = UNSET,
    filters: str | Sequence[str] = (),
    out: str | PathLike[str] | Unset = UNSET,
    seed: Annotated[int | Unset, SEED] = UNSET,
    sentences: Annotated[int | Unset, COUNT] = UNSET,
    services: Services | None = None,
) -> CorpusAudited:
    """Draw sentences of a filtered corpus for somebody to read, and count from the filled sheet what a filter has left in.

    With --out, a sheet of the sentences that each filter's [audit] is about, at most --sentences of each: POSH-BENCH drew 1,000. A reader
    writes yes, no or ? into its column `leak`. With --answers, the share of leaks with its exact 95 % interval.

    Draw the sheet, or count what it says. Raises `ConfigError` where corpus and filters do not go together or the sheet is there already,
    and `FormatError` for a sheet that was drawn from something else or is not filled in.

    Args:
        corpus: A folder of `gapsmith train corpus`.
        answers: The sheet, filled in.
        filters: Only this filter, or one that the corpus was made without: a name, or a TOML file of yours (repeatable).
        out: The sheet to write (CSV).
        seed: With --out: decides which sentences are drawn (default: 1).
        sentences: With --out: so many of each filter (default: 1000).
    """
    found: CorpusAudited = _carried_out(
        "train audit",
        None,
        services,
        {"corpus": corpus, "answers": answers, "filters": filters, "out": out, "seed": seed, "sentences": sentences},
    )
    return found


def train_counts(
    corpora: str | PathLike[str] | Sequence[str | PathLike[str]],
    *,
    vocabulary: Annotated[int | Sequence[int], COUNT] = (),
    services: Services | None = None,
) -> CorporaCounted:
    """Count sentences, words and tokens of corpora, beside POSH-BENCH's tables 4 and 9 where a corpus is of one of its recipes.

    Tokens are those of a tokenizer trained on the corpus itself, for each size of vocabulary that is named; the paper has 8192, 32768,
    49152 and 65536.

    Count the corpora. Raises `ConfigError` for a folder that is none.

    Args:
        corpora: Folders of `gapsmith train corpus`.
        vocabulary: Count tokens under a vocabulary of this size (repeatable).
    """
    found: CorporaCounted = _carried_out("train counts", None, services, {"corpora": corpora, "vocabulary": vocabulary})
    return found


def train_lm(
    source: Workspace | str | PathLike[str] | None,
    corpora: str | PathLike[str] | Sequence[str | PathLike[str]],
    *,
    config: str,
    out: str | PathLike[str],
    device: str | Unset = UNSET,
    evaluate: str | Sequence[str] = (),
    everything: bool = False,
    finish: bool = False,
    init: str | Unset = UNSET,
    lines: str = "paragraphs",
    overrides: str | Sequence[str] = (),
    valid: str | PathLike[str] | Sequence[str | PathLike[str]] = (),
    services: Services | None = None,
) -> ModelMade:
    """Train a language model: a GPT-2, an LSTM or n-grams.

    Run the same command again to go on after a stop: it comes to the same losses and weights. What is made is an
    ordinary model folder that `gapsmith score --model` takes.

    Train, or go on with the run that is in the folder. `source` is a workspace or where one is (None: from here upwards): its
    settings hold, and its items are those of `evaluate`.

    What `services.hand` has under ``training``, is opened with the number of steps and gives what is told of each of them. Raises
    `ConfigError` where the folder holds another run or something else, and `TrainingError`.

    Args:
        corpora: Text files (.txt, also .xz, .gz) or folders of `train corpus`.
        config: A TOML file, or mini, xs, xxs, small, gulordava, kneser-ney, add-one.
        out: The model's folder; a stopped run in it goes on.
        device: auto (default), cpu, cuda, cuda:1, mps.
        evaluate: At every evaluation, also the accuracy on the workspace's items of this paradigm or data set (repeatable).
        everything: With --evaluate: all items, not only approved ones.
        finish: Train no further: make the model from the best checkpoint there is.
        init: Start from this model, with its shape and tokenizer.
        lines: What a line of the files is: paragraphs (default) or sentences.
        overrides: Change the configuration: run.steps=2000 (repeatable).
        valid: Text for validation (repeatable; default: a share of the corpus).
    """
    found: ModelMade = _carried_out(
        "train lm",
        source,
        services,
        {
            "corpora": corpora,
            "config": config,
            "out": out,
            "device": device,
            "evaluate": evaluate,
            "everything": everything,
            "finish": finish,
            "init": init,
            "lines": lines,
            "overrides": overrides,
            "valid": valid,
        },
    )
    return found


def train_grid(
    source: Workspace | str | PathLike[str] | None,
    file: str | PathLike[str],
    *,
    out: str | PathLike[str],
    cell: str | Sequence[str] = (),
    device: str | Unset = UNSET,
    dry_run: bool = False,
    evaluate: str | Sequence[str] = (),
    everything: bool = False,
    minutes: Annotated[float | Unset, MINUTES] = UNSET,
    on: str | Unset = UNSET,
    price: Annotated[float | Unset, DOLLARS] = UNSET,
    score: str | Sequence[str] = (),
    workers: Annotated[int | Unset, COUNT] = UNSET,
    services: Services | None = None,
) -> GridMade:
    """Train the learners of a grid: its cells, each with several seeds, each in a folder of its own.

    First it says how long that takes. Run the same command again to go on after a stop: cells that are done stay as they are.
    With --score, the models score the workspace's items, as `gapsmith score` does, for `gapsmith study posh`.

    Train the cells that are not done, and score the workspace's items where that is asked for. `source` is a workspace or where one is
    (None: from here upwards): its settings hold.

    Raises `ConfigError` for a grid that does not go together, before anything is trained, and `GapsmithError` where a cell failed, once all
    others are trained.

    Args:
        file: A TOML file, or miniature, posh-corpora, posh-biases.
        out: The folder for the models; a stopped grid in it goes on.
        cell: Only this cell, with all its seeds (repeatable).
        device: auto (default), cpu, cuda, cuda:1, mps.
        dry_run: Say how long it takes and what it costs; train nothing.
        evaluate: At every evaluation, also the accuracy on the workspace's items of this paradigm or data set, such as posh_* (repeatable).
        everything: With --score and --evaluate: all items, not only approved ones.
        minutes: Make words and steps of a grid that was made for other minutes so much fewer, or more: miniature was made for 30.
        on: ray: all processors or GPUs of this machine; ray=ADDRESS: those of a running cluster.
        price: Dollars for an hour of one process, to say what it costs.
        score: Afterwards, score the workspace's items of this paradigm or data set, such as posh_*, with every model (repeatable).
        workers: Processes, with one thread each (default: one for each processor core; one in all on a GPU).
    """
    found: GridMade = _carried_out(
        "train grid",
        source,
        services,
        {
            "file": file,
            "out": out,
            "cell": cell,
            "device": device,
            "dry_run": dry_run,
            "evaluate": evaluate,
            "everything": everything,
            "minutes": minutes,
            "on": on,
            "price": price,
            "score": score,
            "workers": workers,
        },
    )
    return found


def train_parser(
    treebank: str | PathLike[str],
    *,
    out: str | PathLike[str],
    seed: Annotated[int, SEED] = 1,
    steps: Annotated[int, COUNT] = 2400,
    services: Services | None = None,
) -> ParserMade:
    """Train a parser and a tagger on a UD treebank, measure them on its test sentences, and write them with a card.

    With the defaults and UD English-EWT this makes the parser that ships: about twenty minutes on one processor core.
    What is written stands under the terms of the treebank: `MODEL_CARD.md` in the folder says which sentences it learnt from.

    Train the parser and write it into a folder that is new or empty. Raises `GapsmithError`.

    Args:
        treebank: The folder of one UD treebank: train, dev and test as .conllu or .conllu.xz.
        out: A new or empty folder for the parser.
        seed: Decides the first weights, the order and the dropout (default: 1).
        steps: Updates of the weights (default: 2,400).
    """
    found: ParserMade = _carried_out(
        "train parser", None, services, {"treebank": treebank, "out": out, "seed": seed, "steps": steps}
    )
    return found


def publish(
    source: Workspace,
    out: str | PathLike[str] | Unset = UNSET,
    paradigm: str | Unset = UNSET,
    *,
    citation: str | PathLike[str] | Unset = UNSET,
    convention: str = "gapsmith",
    corrected: bool = False,
    creator: str | Sequence[str] = (),
    dataset: str | Unset = UNSET,
    design: str | Unset = UNSET,
    everything: bool = False,
    language: str = "en",
    license: str | Unset = UNSET,
    look: bool = False,
    model: str | Unset = UNSET,
    scorer: Annotated[int | Unset, NUMBER_IN_BANK] = UNSET,
    title: str | Unset = UNSET,
    uncorrected: bool = False,
    unigram: str | PathLike[str] | Unset = UNSET,
    services: Services | None = None,
) -> Published:
    """Write one folder that can be given to OSF, Zenodo or the Hugging Face hub. Nothing is uploaded.

    In it: the approved items (data.jsonl, data.csv) with a card, the paradigm's file, who decided what, the frozen plan, the numbers and
    the report of one model, how to cite it, and SHA256SUMS with a digest of every file. What there is not, such as scores or a plan, is
    said in the card. The folder has to be new or empty.

    Write the folder, whole or not at all. Raises `GapsmithError` where no item is approved, for who may not know yet where items
    come from, and where the folder holds something.

    Args:
        out: The folder to write, new or empty (default: published/ in the workspace).
        paradigm: Whose items; not needed if the bank has one paradigm.
        citation: A BibTeX file with the paper to cite.
        convention: How numbers are made of tokens: gapsmith (default), or as another program makes them: minicons, minicons-mean, lm-eval, babylm. `gapsmith score --convention` computes what it needs.
        corrected: Move the probability mass of word boundaries to where words end.
        creator: Who made the set, as they are to be cited (repeatable).
        dataset: Only items of this data set.
        design: Only the contrasts of this design.
        everything: Every item, whatever was decided of it, not only the approved ones.
        language: The language of the sentences.
        license: Under which licence others may use it, such as cc-by-4.0.
        look: Look at what others decided before you have locked; that is recorded for every item.
        model: Whose numbers (default: `model` of the settings where it has scored the items, else the only one that has).
        scorer: Scores of this scorer, where one model scored with several settings.
        title: What the set is called (default: its data set's or paradigm's name).
        uncorrected: Verdicts of tests follow p as it is, as in analyze --uncorrected.
        unigram: The text that the model was trained on, in which slor counts tokens (also .xz, .gz).
    """
    found: Published = _carried_out(
        "publish",
        source,
        services,
        {
            "out": out,
            "paradigm": paradigm,
            "citation": citation,
            "convention": convention,
            "corrected": corrected,
            "creator": creator,
            "dataset": dataset,
            "design": design,
            "everything": everything,
            "language": language,
            "license": license,
            "look": look,
            "model": model,
            "scorer": scorer,
            "title": title,
            "uncorrected": uncorrected,
            "unigram": unigram,
        },
    )
    return found


def report(
    source: Workspace,
    out: str | PathLike[str] | Unset = UNSET,
    paradigm: str | Sequence[str] = (),
    *,
    alternative: str | Unset = UNSET,
    by: str | Sequence[str] = (),
    complete: bool = False,
    confidence: Annotated[float, CONFIDENCE] = 0.95,
    contexts: str | Sequence[str] = (),
    contrast: str | Sequence[str] = (),
    convention: str = "gapsmith",
    corrected: bool = False,
    dataset: str | Sequence[str] = (),
    design: str | Unset = UNSET,
    double_bar: str = "contrasts",
    everything: bool = False,
    formula: str | Sequence[str] = (),
    kinds: str | PathLike[str] | Unset = UNSET,
    look: bool = False,
    measure: str | Unset = UNSET,
    model: str | Sequence[str] = (),
    permutations: Annotated[int, COUNT] = 9999,
    reduce: bool | Unset = UNSET,
    rows: str = "observations",
    scorer: Annotated[int | Unset, NUMBER_IN_BANK] = UNSET,
    seed: Annotated[int, SEED] = 20250,
    sensitivity: bool = False,
    ties: str = "wrong",
    uncorrected: bool = False,
    unigram: str | PathLike[str] | Unset = UNSET,
    where: Mapping[str, str] = MappingProxyType({}),
    words: str = "slots",
    services: Services | None = None,
) -> Reported:
    """Write report.html (one file, no network needed), report.md, figures/ and items/, to which its numbers lead.

    Says in plain words what was asked, which model this was and what came out, then shows tables, figures, exclusions with their
    reasons, and how every number was made. Several models or data sets, --contexts and --by add a part that puts them side by
    side, with a curve over the revisions of a model or the lengths of contexts; the other parts are about the first of the
    models, each data set that is named by itself. A report that is already there is replaced.

    Write ``report.html``, ``report.md``, figures and a page for every item. Raises `GapsmithError`; what was there stays then.

    Args:
        out: Folder to write it into (default: report/ in the workspace).
        paradigm: Only items of this paradigm (repeatable; default: all).
        alternative: expected (the side that is predicted), two-sided, greater or less, for every test (default: what the paradigm says). Intervals stay two-sided.
        by: Side by side: model, revision, dataset, context, or an attribute or slot of the items (repeatable).
        complete: Only items that have a value for every contrast, so that n is the same.
        confidence: Of intervals (0.95: they hold in 95 of 100 samples).
        contexts: In the contexts of this set, side by side with no context (repeatable; --by context: of every set).
        contrast: Only this contrast, by its name or as tables show it (repeatable).
        convention: How numbers are made of tokens: gapsmith (default), or as another program makes them: minicons, minicons-mean, lm-eval, babylm. `gapsmith score --convention` computes what it needs.
        corrected: Move the probability mass of word boundaries to where words end.
        dataset: Only items of this data set (repeatable).
        design: Only the contrasts of this design.
        double_bar: (x || g) in the mixed model: contrasts (default), each of x varies by itself; split: as lme4 reads it.
        everything: Every item, whatever was decided of it, not only the approved ones.
        formula: A mixed model over the critical regions, in R's notation, such as 'surprisal ~ filler*gap2 + (1|item)'; logistic for 'correct ~ ...'; auto: what the design calls for. Several are compared (repeatable).
        kinds: What the models are (CSV: model, then a column for each thing they differ in, such as family and size; seed tells alike ones apart): means over models, and how kinds differ (default: seeds by the names, NAME-seed1).
        look: Look at what others decided before you have locked; that is recorded for every item.
        measure: What a region's tokens come to: sum (default), mean, max, …
        model: Scores of this model (default: `model` of the settings, else what measured most of the items); several are compared (repeatable).
        permutations: How many sign flips are drawn for the permutation test.
        reduce: Leave out random slopes and correlations that the data do not call for, step by step (default: for auto only).
        rows: A row of the mixed model: each observation once, or all items and sentences, whose repeats published analyses counted (default: observations).
        scorer: Scores of this scorer, where one model scored with several settings.
        seed: Of these draws.
        sensitivity: What the contrasts hang on: outliers, single items and words, measure, word boundaries, BOS, status.
        ties: What a difference of exactly 0 comes to in the share of items that are as expected: wrong (default), or excluded from it.
        uncorrected: Verdicts follow p as it is, instead of Holm's over all tests of the run, or of each family that the paradigm names.
        unigram: The text that the model was trained on, in which slor counts tokens (also .xz, .gz).
        where: Only items with this attribute, or word in a slot (repeatable).
        words: What the words of items are: slots (regions, where items came as sentences), or roles as well, read from sentences that have no slots.
    """
    found: Reported = _carried_out(
        "report",
        source,
        services,
        {
            "out": out,
            "paradigm": paradigm,
            "alternative": alternative,
            "by": by,
            "complete": complete,
            "confidence": confidence,
            "contexts": contexts,
            "contrast": contrast,
            "convention": convention,
            "corrected": corrected,
            "dataset": dataset,
            "design": design,
            "double_bar": double_bar,
            "everything": everything,
            "formula": formula,
            "kinds": kinds,
            "look": look,
            "measure": measure,
            "model": model,
            "permutations": permutations,
            "reduce": reduce,
            "rows": rows,
            "scorer": scorer,
            "seed": seed,
            "sensitivity": sensitivity,
            "ties": ties,
            "uncorrected": uncorrected,
            "unigram": unigram,
            "where": where,
            "words": words,
        },
    )
    return found


def frame(
    source: Workspace | Bank,
    paradigm: str | Unset = UNSET,
    *,
    contexts: str | Sequence[str] = (),
    convention: str = "gapsmith",
    corrected: bool = False,
    critical_only: bool = False,
    dataset: str | Unset = UNSET,
    design: str | Unset = UNSET,
    everything: bool = False,
    look: bool = False,
    measure: str | Sequence[str] = (),
    model: str | Unset = UNSET,
    scorer: Annotated[int | Unset, NUMBER_IN_BANK] = UNSET,
    unigram: str | PathLike[str] | Unset = UNSET,
    whole: bool = False,
    services: Services | None = None,
) -> DataFrame:
    """The long frame: one row per item, condition, region, model and measure, as `gapsmith export long` writes it.

    The columns are described in docs/analysis.md; `observation` names what a value was computed from, so that
    ``table.query("critical").drop_duplicates(["condition", "observation"])`` has each measurement once. Approved items, or with
    `everything` all of them; every model that measured any of them, or `model`.

    A frame is of one form: raises `GapsmithError` where no item is approved or the items were made with forms whose factors or
    conditions differ, and `ConfigError` for an unknown paradigm, data set, measure or model.

    ``attrs["notes"]`` of the frame says what was counted for SLOR; a warning, where that is a stand-in, or lacking.

    Args:
        paradigm: Whose items; not needed if the bank has one paradigm.
        contexts: In the contexts of this set too, in the frame (repeatable).
        convention: How numbers are made of tokens: gapsmith (default), or as another program makes them: minicons, minicons-mean, lm-eval, babylm. `gapsmith score --convention` computes what it needs.
        corrected: Move the probability mass of word boundaries to where words end.
        critical_only: Only critical regions, in the frame.
        dataset: Only items of this data set.
        design: The conditions and labels, e.g. lan2x2 (default: all conditions).
        everything: Every item, whatever was decided of it, not only the approved ones.
        look: Look at what others decided before you have locked; that is recorded for every item.
        measure: What a stretch's tokens come to in the frame: sum (default), mean, slor, … (repeatable); in tests and items, in place of each contrast's own.
        model: Scores of this model only (default: of each that measured some of it).
        scorer: Scores of this scorer, where one model scored with several settings.
        unigram: The text that the model was trained on, in which slor counts tokens (also .xz, .gz).
        whole: The whole sentence too, as region *, in the frame.
    """
    found: DataFrame = _carried_out(
        "frame",
        source,
        services,
        {
            "paradigm": paradigm,
            "contexts": contexts,
            "convention": convention,
            "corrected": corrected,
            "critical_only": critical_only,
            "dataset": dataset,
            "design": design,
            "everything": everything,
            "look": look,
            "measure": measure,
            "model": model,
            "scorer": scorer,
            "unigram": unigram,
            "whole": whole,
        },
    )
    return found


def export(
    source: Workspace | Bank,
    out: str | PathLike[str] | Unset = UNSET,
    kind: str | Unset = UNSET,
    *,
    by: str | Unset = UNSET,
    check_minutes: Annotated[float, MINUTES] = 10.0,
    checked: bool = False,
    citation: str | PathLike[str] | Unset = UNSET,
    conditions: str | Sequence[str] = (),
    contexts: str | Sequence[str] = (),
    convention: str = "gapsmith",
    corrected: bool = False,
    critical_only: bool = False,
    dataset: str | Unset = UNSET,
    defuse: bool = False,
    design: str | Unset = UNSET,
    double_bar: str = "contrasts",
    everything: bool = False,
    excel: bool = False,
    fillers: str | PathLike[str] | Unset = UNSET,
    formula: str | Unset = UNSET,
    ids: bool = False,
    language: str = "en",
    license: str | Unset = UNSET,
    look: bool = False,
    measure: str | Sequence[str] = (),
    model: str | Sequence[str] = (),
    on: str | Unset = UNSET,
    pair: str | Sequence[str] = (),
    paradigm: str | Unset = UNSET,
    parser: str = "embedded",
    reduce: bool | Unset = UNSET,
    rows: str = "observations",
    scorer: Annotated[int | Unset, NUMBER_IN_BANK] = UNSET,
    seed: Annotated[int, SEED] = 1,
    status: str | Unset = UNSET,
    title: str | Unset = UNSET,
    uncorrected: bool = False,
    unigram: str | PathLike[str] | Unset = UNSET,
    whole: bool = False,
    services: Services | None = None,
) -> Exported:
    """Write item sets and numbers for other programs. Approved items, unless you say otherwise.

    Without FORMAT a data set goes out as the file that it came from: equal to it, where nobody edited anything.

    Item sets: csv (a row per sentence), region_columns, region_rows, suite, blimp, pair_table, pair_lines, slots; tables become
    spreadsheets for `-o NAME.xlsx`. Experiments: pcibex and jspsych, Latin squares. Folders: hub (a data set with a card),
    lm-eval (tasks). Parses: conllu. Numbers: long (or parquet), one row per item, condition, region, model and measure;
    tokens, words; tests, items and conditions of the analysis; differences by item between models, data sets or contexts;
    decisions, also those against an item; r: a folder with a script for lme4 and its data.
    The ending of --out (.csv, .parquet, .md, .tex) says how a table of numbers is written.

    Write the selected items, or their numbers, to the file or folder `out`; without one, what comes out has the `content`.

    Approved means: as far as who reads the bank may see; a warning says so where what others decided is left out. Raises
    `GapsmithError`; what was there stays then.

    Args:
        out: The file or folder to write (default: stdout).
        kind: csv, xlsx by the name of --out, suite, slots, long, tests …; see below (default: as the file that came in).
        by: Tasks: one for each value of this attribute. Differences: model, revision, dataset or context.
        check_minutes: With --check: how long R may take (default: 10).
        checked: r: run the script where R with lme4 is, and compare it with the fit here; an error where they differ.
        citation: Hub: a BibTeX file.
        conditions: Lists: the conditions, with commas between them.
        contexts: In the contexts of this set too, in the frame (repeatable).
        convention: How numbers are made of tokens: gapsmith (default), or as another program makes them: minicons, minicons-mean, lm-eval, babylm. `gapsmith score --convention` computes what it needs.
        corrected: Move the probability mass of word boundaries to where words end.
        critical_only: Only critical regions, in the frame.
        dataset: Only items of this data set.
        defuse: Put an apostrophe before cells that a spreadsheet would run.
        design: The conditions and labels, e.g. lan2x2 (default: all conditions).
        double_bar: (x || g) in the mixed model: contrasts (default), each of x varies by itself; split: as lme4 reads it.
        everything: Every item, whatever was decided of it, not only the approved ones.
        excel: Put a byte-order mark first, for Excel.
        fillers: Lists: a file of other sentences.
        formula: The mixed model for r (default: what the design calls for).
        ids: Item sets: also each item's uid and the digest of its texts, by which it is found again when the file comes back. Everything else has them anyway.
        language: Hub: the language of the sentences.
        license: Hub: such as cc-by-4.0.
        look: Look at what others decided before you have locked; that is recorded for every item.
        measure: What a stretch's tokens come to in the frame: sum (default), mean, slor, … (repeatable); in tests and items, in place of each contrast's own.
        model: Scores of this model only, in the long table (default: of each that measured some of it); of several, for differences (repeatable).
        on: conllu: where sentences are parsed. ray: all processors or GPUs of this machine; ray=ADDRESS: those of a running cluster.
        pair: Tasks: two conditions, the better one first (repeatable).
        paradigm: Whose items; not needed if the bank has one paradigm.
        parser: Who parses, for conllu: embedded, spacy:NAME, stanza.
        reduce: Leave out random slopes and correlations that the data do not call for, step by step (default: for auto only).
        rows: A row of the mixed model: each observation once, or all items and sentences, whose repeats published analyses counted (default: observations).
        scorer: Scores of this scorer, where one model scored with several settings.
        seed: Lists and tasks: the seed of their order.
        status: Items that are approved, pending, … (default: approved; of decisions: all, whatever was decided).
        title: Hub: the title on the card.
        uncorrected: Verdicts of tests follow p as it is, as in analyze --uncorrected.
        unigram: The text that the model was trained on, in which slor counts tokens (also .xz, .gz).
        whole: The whole sentence too, as region *, in the frame.
    """
    found: Exported = _carried_out(
        "export",
        source,
        services,
        {
            "out": out,
            "kind": kind,
            "by": by,
            "check_minutes": check_minutes,
            "checked": checked,
            "citation": citation,
            "conditions": conditions,
            "contexts": contexts,
            "convention": convention,
            "corrected": corrected,
            "critical_only": critical_only,
            "dataset": dataset,
            "defuse": defuse,
            "design": design,
            "double_bar": double_bar,
            "everything": everything,
            "excel": excel,
            "fillers": fillers,
            "formula": formula,
            "ids": ids,
            "language": language,
            "license": license,
            "look": look,
            "measure": measure,
            "model": model,
            "on": on,
            "pair": pair,
            "paradigm": paradigm,
            "parser": parser,
            "reduce": reduce,
            "rows": rows,
            "scorer": scorer,
            "seed": seed,
            "status": status,
            "title": title,
            "uncorrected": uncorrected,
            "unigram": unigram,
            "whole": whole,
        },
    )
    return found


def licensing(
    source: Workspace,
    paradigm: str | Sequence[str] = (),
    *,
    convention: str = "gapsmith",
    counts: str | PathLike[str] | Sequence[str | PathLike[str]] = (),
    dataset: str | Sequence[str] = (),
    everything: bool = False,
    model: str | Sequence[str] = (),
    out: str | PathLike[str] | Unset = UNSET,
    unigram: str | PathLike[str] | Unset = UNSET,
    services: Services | None = None,
) -> Licensed:
    """Test licensor × gap designs: flips, divisions, interaction, islands and depth under three metrics.

    For the paradigms that cross a licensor with a gap (embwhq, cleft_adj, cleft_noun, comp_quant, topic, tough, wh_positions, and
    yours): local surprisal, global surprisal of the clause after the licensor by word, and SLOR, each with mixed models over
    items.

    Raises `ConfigError` where no paradigm has such a design, and `GapsmithError` where nothing is scored.

    Args:
        paradigm: Only items of this paradigm (repeatable; default: all).
        convention: How numbers are made of tokens: gapsmith (default), or as another program makes them: minicons, minicons-mean, lm-eval, babylm. `gapsmith score --convention` computes what it needs.
        counts: How often corpora have the constructions, as `gapsmith study count-constructions --csv` writes it; beside the counts that ship (repeatable).
        dataset: Only items of this data set (repeatable).
        everything: Every item, whatever was decided of it, not only the approved ones.
        model: Scores of this model (default: `model` of the settings, else what measured most of the items); several are compared (repeatable).
        out: A folder for licensing.md, effects.csv, cells.csv and figures.
        unigram: The text that the model was trained on, in which slor counts tokens (also .xz, .gz).
    """
    found: Licensed = _carried_out(
        "licensing",
        source,
        services,
        {
            "paradigm": paradigm,
            "convention": convention,
            "counts": counts,
            "dataset": dataset,
            "everything": everything,
            "model": model,
            "out": out,
            "unigram": unigram,
        },
    )
    return found


def count_constructions(
    files: str | PathLike[str] | Sequence[str | PathLike[str]], *, services: Services | None = None
) -> ConstructionsCounted:
    """Count five filler-gap constructions in a treebank, by patterns over dependencies or over trees in brackets.

    Over trees in brackets, such as the Penn Treebank's, the patterns are the published ones.

    Raises `GapsmithError` for a file that cannot be read.

    Args:
        files: CoNLL-U files (.conllu, .conllu.xz), or files of trees in brackets.
    """
    found: ConstructionsCounted = _carried_out("count-constructions", None, services, {"files": files})
    return found


def draw_contexts(
    source: Workspace,
    name: str,
    *,
    lengths: Annotated[int | Sequence[int], COUNT],
    type: str,
    dataset: str | Unset = UNSET,
    everything: bool = False,
    from_suite: str | Sequence[str] = (),
    lines: bool = False,
    member: str = "acceptable",
    model: str | Unset = UNSET,
    paradigm: str | Unset = UNSET,
    perturb: str = "none",
    seed: Annotated[int, SEED] = 1,
    shared_contexts: Annotated[int | Unset, COUNT] = UNSET,
    suites_by: str = "",
    text: str | PathLike[str] | Unset = UNSET,
    services: Services | None = None,
) -> Drawn:
    """Draw a context for every item, grown sentence by sentence to each of the lengths, and keep them under a name.

    Raises `ConfigError` for a name that is taken by contexts drawn otherwise, and `GapsmithError` where nothing can be drawn.

    Args:
        name: The name of the context set.
        lengths: Tokens to grow to, with commas between them.
        type: matched (other items of the same suite), mismatched (of other suites), unrelated (sentences of running text).
        dataset: Only items of this data set.
        everything: Every item, whatever was decided of it, not only the approved ones.
        from_suite: For mismatched: only of this suite (repeatable).
        lines: The file has one sentence a line.
        member: Which sentences of items: acceptable (default) or unacceptable.
        model: Whose tokens are counted, and whose window bounds contexts (default: `model` of the settings, else gpt2).
        paradigm: Whose items; not needed if the bank has one paradigm.
        perturb: What is added to each sentence: none (default), adverb-before, adverb-after, phrase-before, clause-before, clause-after, quote, all.
        seed: The same seed draws the same contexts (default 1).
        shared_contexts: So many contexts for all items of a suite, not one each.
        suites_by: An attribute that takes data sets apart into suites (BLiMP's UID); else a data set is one.
        text: For unrelated: a file of running text (default: a sample that comes along).
    """
    found: Drawn = _carried_out(
        "context draw",
        source,
        services,
        {
            "name": name,
            "lengths": lengths,
            "type": type,
            "dataset": dataset,
            "everything": everything,
            "from_suite": from_suite,
            "lines": lines,
            "member": member,
            "model": model,
            "paradigm": paradigm,
            "perturb": perturb,
            "seed": seed,
            "shared_contexts": shared_contexts,
            "suites_by": suites_by,
            "text": text,
        },
    )
    return found


def study_contexts(
    source: Workspace,
    *,
    batch_size: Annotated[int | Unset, COUNT] = UNSET,
    contrast: str | Sequence[str] = (),
    convention: str = "gapsmith",
    crossed: Annotated[int, COUNT_OR_NONE] = 10,
    dataset: str | Sequence[str] = (),
    device: str | Unset = UNSET,
    dry_run: bool = False,
    dtype: str | Unset = UNSET,
    everything: bool = False,
    kernel: str | Unset = UNSET,
    lengths: Annotated[int | Sequence[int], COUNT] = (),
    lines: bool = False,
    model: str | Unset = UNSET,
    name: str = "study",
    out: str | PathLike[str] | Unset = UNSET,
    paradigm: str | Sequence[str] = (),
    perturbed: Annotated[int, COUNT_OR_NONE] = 10,
    sample: Annotated[int | Unset, COUNT] = UNSET,
    seed: Annotated[int, SEED] = 1,
    shared_contexts: Annotated[int | Unset, COUNT] = UNSET,
    suites_by: str = "",
    text: str | PathLike[str] | Unset = UNSET,
    services: Services | None = None,
) -> ContextsStudied:
    """Score items behind matched, mismatched and unrelated contexts of growing length, and write what that does to judgements.

    Suites are data sets, or the values of --suites-by. Accuracy by length and type, a mixed logistic regression, perturbed
    contexts, suites behind each other, similarity of context and item; as a page with figures and tables for R. Run it again to
    go on.

    Raises `GapsmithError` where no context can be drawn, and `gapsmith.scoring.FailedScoresError` where scores fail.

    Args:
        batch_size: Sentences per forward pass of batches (default 32).
        contrast: What counts as right (repeatable; default: all that expect something).
        convention: How numbers are made of tokens: gapsmith (default), or as another program makes them: minicons, minicons-mean, lm-eval, babylm. `gapsmith score --convention` computes what it needs.
        crossed: So many items of each suite behind each other suite alone (default 10).
        dataset: Only items of this data set (repeatable).
        device: auto (default), cpu, cuda, cuda:1, mps.
        dry_run: Say how long scoring will take; score nothing, and keep nothing.
        dtype: float32 (default), bfloat16 or float16.
        everything: Every item, whatever was decided of it, not only the approved ones.
        kernel: What multiplies float32 matrices on the processor: auto (default: the faster of default and packed), default (torch's), packed (oneDNN's, as exact), or bf16 (oneDNN's, in bfloat16 where that is faster: another scorer).
        lengths: Tokens to grow to, with commas between them (default: what the window allows, at most 1000, and 1/2, 1/4, 1/8 of it).
        lines: The file has one sentence a line.
        model: The model (default: `model` of the settings, else gpt2).
        name: What the study's context sets are called (default: study).
        out: The folder of the page (default: the study's name in the workspace).
        paradigm: Only items of this paradigm (repeatable; default: all).
        perturbed: So many items of each suite behind perturbed contexts too (default 10).
        sample: Only so many items of each suite, drawn by the seed, behind contexts of all of them (default: all).
        seed: The same seed draws the same contexts (default 1).
        shared_contexts: So many contexts for all items of a suite, not one each.
        suites_by: An attribute that takes data sets apart into suites (BLiMP's UID); else a data set is one.
        text: For unrelated: a file of running text (default: a sample that comes along).
    """
    found: ContextsStudied = _carried_out(
        "context study",
        source,
        services,
        {
            "batch_size": batch_size,
            "contrast": contrast,
            "convention": convention,
            "crossed": crossed,
            "dataset": dataset,
            "device": device,
            "dry_run": dry_run,
            "dtype": dtype,
            "everything": everything,
            "kernel": kernel,
            "lengths": lengths,
            "lines": lines,
            "model": model,
            "name": name,
            "out": out,
            "paradigm": paradigm,
            "perturbed": perturbed,
            "sample": sample,
            "seed": seed,
            "shared_contexts": shared_contexts,
            "suites_by": suites_by,
            "text": text,
        },
    )
    return found


def explain_number(
    sentence: str,
    like: str,
    *,
    against: str | Unset = UNSET,
    boundary: bool = False,
    model: str = "bundled",
    word: str | Unset = UNSET,
    services: Services | None = None,
) -> NumbersExplained:
    """Show a sentence's number as another tool makes it, and what each difference to ours comes to.

    Raises `ConfigError` where the word is not there exactly once, or the tool has no number for a word.

    Args:
        sentence: The sentence, in quotes.
        like: minicons, minicons-mean, lm-eval, babylm, lm-eval-norm, syntaxgym or pangoling.
        against: A second sentence: which of the two does each tool prefer?
        boundary: Our number with the word-boundary correction.
        model: A model of the hub, a directory, or `bundled` (the default).
        word: A word of the sentence, instead of all of it.
    """
    found: NumbersExplained = _carried_out(
        "explain-number",
        None,
        services,
        {"sentence": sentence, "like": like, "against": against, "boundary": boundary, "model": model, "word": word},
    )
    return found


def reproduce(
    study: str,
    *,
    convention: str | Unset = UNSET,
    grid: str | Sequence[str] = (),
    minutes: Annotated[float | Unset, MINUTES] = UNSET,
    model: str | Sequence[str] = (),
    one_convention: bool = False,
    out: str | PathLike[str] | Unset = UNSET,
    record: str | PathLike[str] | Unset = UNSET,
    services: Services | None = None,
) -> Reproduced:
    """Do a published study again: the same design and tests, the published numbers beside ours.

    Each step is printed as the command that you could type yourself. Running it again repeats nothing that is done.

    Raises `ConfigError` for a study's file that is wrong, before anything is done, and what the stages raise.

    Args:
        study: `list`, a study's name, or a study's file.
        convention: How numbers are made of tokens: gapsmith, minicons, minicons-mean, lm-eval or babylm (default: what the study names).
        grid: Where the study trains learners (posh2026): those of this grid, miniature, posh-corpora, posh-biases or a file, too (repeatable).
        minutes: With --grid miniature: text and training for so many minutes, instead of 30.
        model: May be given several times (default: the study's own).
        one_convention: Leave out the second scoring convention that the study names beside its own, which takes as long again.
        out: The folder for everything (default: the study's name).
        record: Write what came out under one model, and who measured it how, as a small JSON file that can be contributed; in `records/` of a study's folder it is shown as its author's.
    """
    found: Reproduced = _carried_out(
        "reproduce",
        None,
        services,
        {
            "study": study,
            "convention": convention,
            "grid": grid,
            "minutes": minutes,
            "model": model,
            "one_convention": one_convention,
            "out": out,
            "record": record,
        },
    )
    return found


def make_workspace(directory: str | PathLike[str] = ".", *, services: Services | None = None) -> WorkspaceMade:
    """Make a workspace: a directory with a settings file and a bank. What is there already stays as it is.

    Raises `ConfigError` where it cannot be made.

    Args:
        directory: Where the workspace should be (default: here).
    """
    found: WorkspaceMade = _carried_out("init", None, services, {"directory": directory})
    return found


def list_paradigms(source: Workspace | str | PathLike[str] | None, *, services: Services | None = None) -> Paradigms:
    """The paradigms that come with gapsmith, and those of the workspace.

    A file that cannot be read is listed with its fault, and the exit code is then 2.

    A file that cannot be read is a row with its fault. `source` is a workspace or where one is (None: from here upwards);
    without one there are those that ship.

    Args:

    """
    found: Paradigms = _carried_out("paradigm list", source, services, {})
    return found


def show_paradigm(
    source: Workspace | str | PathLike[str] | None, name: str, *, services: Services | None = None
) -> ParadigmShown:
    """One paradigm: its conditions with an example, slots, constraints and contrasts.

    Raises `ConfigError` where there is none of that name, or its file cannot be read.

    Args:
        name: A paradigm's name, or the path of a file ending in .toml.
    """
    found: ParadigmShown = _carried_out("paradigm show", source, services, {"name": name})
    return found


def check_paradigm(
    source: Workspace | str | PathLike[str] | None,
    name: str,
    *,
    n: Annotated[int | None, COUNT] = None,
    services: Services | None = None,
) -> ParadigmChecked:
    """Check a paradigm file and say exactly what was checked.

    Each check with what it found. Raises `ConfigError` for a file that cannot be read at all.

    Args:
        name: A paradigm's name, or the path of a file ending in .toml.
        n: Items that you mean to make, for the interval that they would give (default: as many as `gapsmith generate` makes).
    """
    found: ParadigmChecked = _carried_out("paradigm check", source, services, {"name": name, "n": n})
    return found


def diff_paradigm(source: Workspace, name: str, *, services: Services | None = None) -> ParadigmDiffers:
    """How a paradigm's file differs from what its items were made with.

    A row for each content of the file that items were made with. Raises `GapsmithError` where the paradigm has no items.

    Args:
        name: A paradigm with items here.
    """
    found: ParadigmDiffers = _carried_out("paradigm diff", source, services, {"name": name})
    return found


def update_paradigm(
    source: Workspace, name: str, *, by: str | Unset = UNSET, dry_run: bool = False, services: Services | None = None
) -> ParadigmUpdated:
    """Bring the items of a paradigm to the form that its file has now; decisions and scores stay where the texts do.

    One undo takes it back. Raises `GapsmithError` where the paradigm has no items.

    Args:
        name: A paradigm with items here.
        by: Who does this (default: `annotator` of the settings, else you).
        dry_run: Only say what would change.
    """
    found: ParadigmUpdated = _carried_out("paradigm update", source, services, {"name": name, "by": by, "dry_run": dry_run})
    return found


def list_prompts(source: Workspace | str | PathLike[str] | None, *, services: Services | None = None) -> Prompts:
    """The prompts that come with gapsmith, and those of the workspace.

    `source` is a workspace or where one is (None: from here upwards); without one there are those that ship.

    Args:

    """
    found: Prompts = _carried_out("prompt list", source, services, {})
    return found


def show_prompt(
    source: Workspace | str | PathLike[str] | None,
    name: str,
    *,
    design: str | Unset = UNSET,
    n: Annotated[int, COUNT] = 10,
    paradigm: str | Unset = UNSET,
    services: Services | None = None,
) -> PromptShown:
    """A prompt's template, or with -p the text that a model would get.

    Raises `ConfigError` where there is no such prompt or paradigm.

    Args:
        name: A prompt's name (slots, slots.v1), or the path of a .jinja file.
        design: The conditions, in sentence mode.
        n: How many items it asks for (default: 10).
        paradigm: Render it for this paradigm.
    """
    found: PromptShown = _carried_out(
        "prompt show", source, services, {"name": name, "design": design, "n": n, "paradigm": paradigm}
    )
    return found


def copy_prompt(
    source: Workspace | str | PathLike[str] | None,
    name: str,
    target: str | PathLike[str] | Unset = UNSET,
    *,
    services: Services | None = None,
) -> PromptCopied:
    """Copy a prompt for editing. In the workspace's prompts/, a copy takes the place of the original.

    Raises `ConfigError` where there is no such prompt, no workspace to copy it into, or the file is there already.

    Args:
        name: A prompt's name (slots, slots.v1), or the path of a .jinja file.
        target: A folder, or a file NAME.vN.jinja (default: the workspace's prompts/).
    """
    found: PromptCopied = _carried_out("prompt copy", source, services, {"name": name, "target": target})
    return found


def list_datasets(
    source: Workspace, *, paradigm: str | Sequence[str] = (), removed: bool = False, services: Services | None = None
) -> Datasets:
    """The data sets, with how many items each has, and what people had to say of their files.

    Oldest first.

    Args:
        paradigm: Only those of this paradigm (repeatable).
        removed: Also those that were taken out.
    """
    found: Datasets = _carried_out("dataset list", source, services, {"paradigm": paradigm, "removed": removed})
    return found


def check_bank(
    source: Workspace | str | PathLike[str] | None,
    file: str | PathLike[str] | Unset = UNSET,
    *,
    report: str | PathLike[str] | Unset = UNSET,
    services: Services | None = None,
) -> BankChecked:
    """Whether a bank is whole: the file, every row against its checksum, references, and what follows from its events.

    Nothing is changed. The exit code is 1 where something is wrong. Checksums tell accident, decay and other programs; they
    cannot tell what was changed before they were computed, which is said with the date.

    Nothing is changed. `source` is a workspace or where one is (None: from here upwards). Raises `GapsmithError` where there is
    no bank, or one that is too damaged to be opened.

    Args:
        file: A bank's file or a workspace (default: the bank here).
        report: Also say what has changed since this report, study or export was written: its folder, or the manifest.json in it.
    """
    found: BankChecked = _carried_out("bank check", source, services, {"file": file, "report": report})
    return found


def back_up_bank(
    source: Workspace | str | PathLike[str] | None, to: str | PathLike[str] | Unset = UNSET, *, services: Services | None = None
) -> BankCopied:
    """Copy the bank, whole and as of one moment, also while others write to it.

    Copying bank.sqlite by hand loses what still lies in bank.sqlite-wal, most of all after a kill. The copy is one file.

    Raises `GapsmithError` where the copy is there already or cannot be written.

    Args:
        to: A file that is not there yet, or a folder (default: beside the bank).
    """
    found: BankCopied = _carried_out("bank backup", source, services, {"to": to})
    return found


def restore_bank(
    source: Workspace | str | PathLike[str] | None, file: str | PathLike[str], *, services: Services | None = None
) -> BankRestored:
    """Put a copy in the bank's place, after looking through it. The bank that was there is kept under another name.

    Where there is no workspace yet, one is made around the copy.

    `source` is where the workspace is or is to be. Raises `ConfigError` for one that is open, and `GapsmithError` where the copy
    is not whole, or another program has the bank open; then everything is as it was.

    Args:
        file: A copy that `gapsmith bank backup` or an upgrade made.
    """
    found: BankRestored = _carried_out("bank restore", source, services, {"file": file})
    return found


def lead_bank(
    source: Workspace, name: str | Unset = UNSET, *, by: str | Unset = UNSET, services: Services | None = None
) -> BankLead:
    """Who leads the bank, and so sees what others decide before locking; with a name, hand that on, which only the lead does.

    The lead is who began the bank, in banks of older releases its first author. Whoever neither leads nor has locked gets lists,
    reports and exports without what others decided, or looks on record (--look). All this protects from accident: who opens
    the file with a database tool, or borrows a name, sees everything.

    Who leads it; after handing on, who leads it now. Raises `GapsmithError` where somebody else leads it.

    Args:
        name: Who leads from now on (default: say who does).
        by: Who does this (default: `annotator` of the settings, else you).
    """
    found: BankLead = _carried_out("bank lead", source, services, {"name": name, "by": by})
    return found


def log_bank(source: Workspace, file: str | PathLike[str], *, services: Services | None = None) -> BankLogged:
    """Write all that was recorded to a file, one JSON object a line, for `gapsmith bank merge` elsewhere.

    Everybody's decisions are in it; where you may not see these yet, it is sealed, and only who leads the bank can merge it or a copy of
    the bank. Scores are not in it: the other side computes those that it lacks.

    Raises `GapsmithError` where the file is there already or cannot be written.

    Args:
        file: Where to write it, a .jsonl file that is not there yet.
    """
    found: BankLogged = _carried_out("bank log", source, services, {"file": file})
    return found


def show_items(
    source: Workspace,
    items: str | Sequence[str] = (),
    *,
    by: str | Unset = UNSET,
    dataset: str | Sequence[str] = (),
    look: bool = False,
    paradigm: str | Sequence[str] = (),
    services: Services | None = None,
) -> ItemsShown:
    """Show items: their sentences with gaps (__) and critical regions ([ ]), findings and decisions.

    What others decided is left out where the reader may not see it. Raises `GapsmithError` where there are no such items.

    Args:
        items: Item ids (default: all).
        by: Who does this (default: `annotator` of the settings, else you).
        dataset: Only items of this data set (repeatable).
        look: Look at what others decided before you have locked; that is recorded for every item.
        paradigm: Only items of this paradigm (repeatable; default: all).
    """
    found: ItemsShown = _carried_out(
        "show", source, services, {"items": items, "by": by, "dataset": dataset, "look": look, "paradigm": paradigm}
    )
    return found


def explain_rules(codes: str | Sequence[str] = (), *, roles: bool = False, services: Services | None = None) -> Rules:
    """Explain a rule: what it finds, an example, the reason, the remedy, the literature.

    With those of the table of word rules of the workspace that one stands in; or the roles. Raises `ConfigError` for a code that no rule
    has.

    Args:
        codes: Codes (L101) or prefixes (L, T03); none lists all.
        roles: Instead the roles of words that rules ask for, and where each is read.
    """
    found: Rules = _carried_out("rule", None, services, {"codes": codes, "roles": roles})
    return found


def add_contexts(
    source: Workspace,
    name: str,
    file: str | PathLike[str],
    *,
    dataset: str | Unset = UNSET,
    everything: bool = False,
    model: str | Unset = UNSET,
    paradigm: str | Unset = UNSET,
    running: bool = False,
    services: Services | None = None,
) -> Drawn:
    """Keep the texts of a file as contexts: every item is scored behind each of them.

    Raises `ConfigError` for a name that is taken by other contexts, and `GapsmithError` where there are no items.

    Args:
        name: The name of the context set.
        file: A file with one context a line.
        dataset: Only items of this data set.
        everything: Every item, whatever was decided of it, not only the approved ones.
        model: Whose tokens are counted, and whose window bounds contexts (default: `model` of the settings, else gpt2).
        paradigm: Whose items; not needed if the bank has one paradigm.
        running: The whole file is one context, a running text.
    """
    found: Drawn = _carried_out(
        "context add",
        source,
        services,
        {
            "name": name,
            "file": file,
            "dataset": dataset,
            "everything": everything,
            "model": model,
            "paradigm": paradigm,
            "running": running,
        },
    )
    return found


def list_contexts(source: Workspace, *, services: Services | None = None) -> ContextSets:
    """The context sets, with how they were drawn.

    Oldest first.

    Args:

    """
    found: ContextSets = _carried_out("context list", source, services, {})
    return found


def show_contexts(
    source: Workspace,
    name: str,
    *,
    item: str | Unset = UNSET,
    limit: Annotated[int | Unset, COUNT] = UNSET,
    services: Services | None = None,
) -> ContextsShown:
    """Show how a set was drawn, and the contexts of its first items, with their real lengths.

    Of a set that was drawn for approved items, and from them, nothing is shown to who may not know which these are. Raises
    `GapsmithError` where there is no such set, or it has no context for the item, or it would tell which items calibrate.

    Args:
        name: The name of the context set.
        item: Only the contexts of the item with this id.
        limit: At most so many items (default: 3 where they are printed for people, else all).
    """
    found: ContextsShown = _carried_out("context show", source, services, {"name": name, "item": item, "limit": limit})
    return found


def list_runs(source: Workspace, *, paradigm: str | Sequence[str] = (), services: Services | None = None) -> Runs:
    """Every run with its yield: asked, returned, read back, clean, approved, and what an approved item cost.

    Oldest first; counts of decisions are those that the reader may see. Raises `GapsmithError` where it would tell which items
    calibrate: after a decision of one's own the count of its run is another.

    Args:
        paradigm: Only runs of this paradigm (repeatable).
    """
    found: Runs = _carried_out("runs list", source, services, {"paradigm": paradigm})
    return found


def compare_runs(
    source: Workspace,
    runs: Annotated[int | Sequence[int], NUMBER_IN_BANK] = (),
    *,
    paradigm: str | Sequence[str] = (),
    services: Services | None = None,
) -> RunsCompared:
    """Prompts and models side by side: what their runs brought, and what an approved item cost with each.

    Generations only. Raises `GapsmithError` for a run that is not there, and where it would tell which items calibrate.

    Args:
        runs: These runs (default: all generations).
        paradigm: Only runs of this paradigm (repeatable).
    """
    found: RunsCompared = _carried_out("runs compare", source, services, {"runs": runs, "paradigm": paradigm})
    return found


def show_run(
    source: Workspace,
    run: Annotated[int, NUMBER_IN_BANK],
    *,
    call: Annotated[int | Unset, COUNT_OR_NONE] = UNSET,
    services: Services | None = None,
) -> RunShown:
    """One run: its settings, its yield and its calls; with --call, one call with its raw answer.

    Raises `GapsmithError` for a run or a call that is not there, and where it would tell which items calibrate.

    Args:
        run: The run's number in `gapsmith runs list`.
        call: Show this call: its prompt and its raw answer.
    """
    found: RunShown = _carried_out("runs show", source, services, {"run": run, "call": call})
    return found


def trace_item(
    source: Workspace,
    label: str,
    *,
    dataset: str | Unset = UNSET,
    paradigm: str | Unset = UNSET,
    services: Services | None = None,
) -> ItemTraced:
    """Where an item is from: run, prompt version, call and raw answer.

    Raises `GapsmithError` where no item, or more than one, is called so, and where it would tell which items calibrate.

    Args:
        label: The item's id in its data set, as `gapsmith lint` shows it.
        dataset: Only items of this data set.
        paradigm: Only items of this paradigm.
    """
    found: ItemTraced = _carried_out("runs item", source, services, {"label": label, "dataset": dataset, "paradigm": paradigm})
    return found


def list_studies(*, services: Services | None = None) -> StudyList:
    """List the studies that ship, with what each is about and its paper.

    Each can be done again with `reproduce`.

    Args:

    """
    found: StudyList = _carried_out("studies", None, services, {})
    return found


def doctor(source: Workspace | str | PathLike[str] | None, *, online: bool = False, services: Services | None = None) -> Examined:
    """Say what is installed, which models and parsers are in reach, which keys are set, and check surprisals.

    Surprisals of the bundled model are compared with values from a separate computation. The exit code is 1 where something
    is wrong; what only some tasks need is a note. Values of keys are never shown. In a workspace, its bank is checked too.

    `source` is a workspace or where one is (None: from here upwards).

    Args:
        online: Also ask the Hugging Face hub for an answer.
    """
    found: Examined = _carried_out("doctor", source, services, {"online": online})
    return found


def posh(
    source: Workspace,
    model: str | Sequence[str] = (),
    *,
    convention: str = "gapsmith",
    counts: str | PathLike[str] | Unset = UNSET,
    draws: Annotated[int, DRAWS] = 1000,
    grid: str | PathLike[str] | Sequence[str | PathLike[str]] = (),
    method: str = "auto",
    out: str | PathLike[str] | Unset = UNSET,
    seeds: str = "pooled",
    services: Services | None = None,
) -> PoshCompared:
    """Compare all models on POSH-BENCH: right by perplexity, by phenomenon and category, with tests and figures.

    Every model that has scored all pairs of a phenomenon is a row: seeds of a model (NAME-seed1, NAME-seed2) are taken together,
    revisions apart. BLiMP, Zorro and SCaMP files count where their data set is called by benchmark and phenomenon. The authors' scripts
    score by minicons-mean; all conventions that were scored stand side by side where the conclusion differs.

    All items count, whatever was decided of them. Writes a page with its tables and figures.

    Raises `GapsmithError` where no pair belongs to a phenomenon, or no model has scored any.

    Args:
        model: Only this model (repeatable; default: all with scores).
        convention: How numbers are made of tokens: gapsmith (default), or as another program makes them: minicons, minicons-mean, lm-eval, babylm. `gapsmith score --convention` computes what it needs.
        counts: Counts of right answers by corpus, size, filtering, seed and phenomenon (CSV), fitted beside table 8's.
        draws: Draws of each of the four chains (nuts; default 1000).
        grid: Learners of `gapsmith train grid` (its --out): figures 2, 4 and 5, and their counts fitted as well (repeatable; default: what is in learners/ of the workspace).
        method: How the Bayesian model is fitted: nuts, laplace, or auto: nuts where numpyro is installed.
        out: The folder of the page (default: posh/ in the workspace).
        seeds: Which test the tables star where a model has several seeds: pooled, the counts of all seeds together (as the printed tables); fisher, Fisher's combination of each seed's p (as the authors' script); largest, the largest p of the seeds.
    """
    found: PoshCompared = _carried_out(
        "posh",
        source,
        services,
        {
            "model": model,
            "convention": convention,
            "counts": counts,
            "draws": draws,
            "grid": grid,
            "method": method,
            "out": out,
            "seeds": seeds,
        },
    )
    return found
