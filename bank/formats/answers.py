"""What people answered in an experiment, and what models computed: the only place that decides that a file holds such and no
sentences, so that it never becomes items.

Programs for experiments write a row per answer, with who gave it, how long it took and which trial it was: jsPsych (de Leeuw
2015), PCIbex (Zehr & Schwarz 2018), Qualtrics, Gorilla, PsychoPy, Prolific, Mechanical Turk. One such column may be an attribute
of sentences, such as a mean reading time; two of different kinds are answers.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from gapsmith.bank.formats.headings import fold, roles_of
from gapsmith.bank.formats.source import SourceFile, TableRow
from gapsmith.templates import DocumentError, FormatError, read_json

_WHO, _WHAT, _WHEN, _TRIAL = "who answered", "what was answered", "when or how fast", "in which trial"


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_KINDS: Mapping[str, frozenset[str]] = {
    _WHO: _names(
        "participant participants participant_id participant_number participant_nr participant_no participant_code "
        "participant_private_id participant_public_id participant_name prolific_pid prolific_id subject_id subject_nr "
        "subject_number subject_no subj_id subjid worker worker_id workerid respondent respondent_id response_id "
        "responseid submission_id assignment_id hitid hit_id session_id study_id recording_session_label rater rater_id "
        "informant informant_id annotator annotator_id reviewer ip_address ipaddress visitor_id "
        "md5_hash_of_participant_s_ip_address"
    ),
    _WHAT: _names(
        "response responses resp answer answers choice rating ratings judgment judgement judgments judgements likert "
        "key_press keypress button_pressed key_resp_keys slider_response acceptability_rating acceptability_judgment "
        "acceptability_judgement naturalness rating_response stim_resp response_value verdict decision decisions"
    ),
    _WHEN: _names(
        "rt rts reaction_time reaction_times response_time reading_time reading_times latency rt_ms time_elapsed event_time "
        "eventtime utc_timestamp local_timestamp timestamp key_resp_rt duration_in_seconds recorded_date recordeddate "
        "start_date end_date startdate enddate started_at completed_at time_taken results_reception_time submit_time "
        "submission_time stim_rt date_submitted accept_time work_time_in_seconds fixation_duration rating_rt response_rt "
        "completion_code finished"
    ),
    _TRIAL: _names(
        "trial_type trial_index trial_number trial_nr trial_num trial_no trial_id internal_node_id order_number_of_item "
        "inner_element_number controller_name penn_element_type penn_element_name event_index screen_name zone_name "
        "zone_type trials_this_n spreadsheet_row"
    ),
}
"""Kinds of columns of answers, to the headings by which they are known."""
OPEN_AS_REGIONS: frozenset[str] = _KINDS[_WHAT] | _KINDS[_WHEN] | _KINDS[_TRIAL] | _KINDS[_WHO]
_SUBJECTS = frozenset({"subject", "subjects", "subj", "user", "judge", "id_participant"})
"""Headings that may be a part of a sentence too, and are people where the cells are numbers or codes."""
_CODE = re.compile(r"[A-Za-z]{0,12}[-_ ]?\d+|[0-9a-f]{6,64}", re.IGNORECASE)
_PCIBEX = re.compile(
    r"#\s*(?:Results on\b|USER AGENT\b|\d+\.\s*(?:Results reception time|MD5 hash of participant|Controller name))",
    re.I,
)
_SURPRISALS = _names(
    "surprisal surprisals logprob log_prob logprobs log_probability surprisal_bits surprisal_nats metric_value surp"
)
_REGIONS = _names("region region_number region_name region_no region_index")
_SCORES = "`gapsmith import-scores {} --model NAME` takes surprisals for items that are here."
_TOKENS = _names("token tokens token_id token_index word word_number")
_LOOKED_AT = 500
_COMMANDS = (
    "gapsmith reads the sentences that people were shown, and no command takes their ratings or times: import the list of the "
    "sentences themselves (item, condition, sentence), and bring numbers together with the answers by item and condition after "
    "`gapsmith export`. If these are sentences all the same, take the named columns out or call them otherwise."
)


def refuse_answers(source: SourceFile) -> None:
    """Refuse a file of people's answers or of surprisals, naming by which columns it was known. Raises `FormatError`."""
    if not source.is_spreadsheet:
        comments = [line for line in islice(source.lines, 60) if line.startswith("#")]
        if told := [line.lstrip("# ").strip() for line in comments if _PCIBEX.match(line)]:
            named = ", ".join(dict.fromkeys(told[:3]))
            source.refuse(0, f"holds what people answered, not sentences: the comments of PCIbex ({named})", hint=_COMMANDS)
        if source.start.lstrip().startswith("{") and source.known.get("format") != "suite" and '"metric_value"' in source.text:
            source.refuse(
                0,
                "is a suite with a model's surprisals in it (metric_value)",
                hint=f"The sentences come in with `{source.command} {shlex.quote(str(source.path))} --format suite`, then the values: "
                + _SCORES.format(shlex.quote(str(source.path))),
            )
    records = _records(source)
    if records is not None:
        _refuse_by(source, records)
        return
    top, body = _table(source)
    if top is None:
        return
    headings = [cell.strip() for cell in top.cells]
    _refuse_by(source, [dict(zip(headings, row.cells, strict=False)) for row in body] or [dict.fromkeys(headings, "")])


def is_open_as_region(heading: str) -> bool:
    """Whether a column of that name is rather an answer than a part of sentences."""
    return fold(heading) in OPEN_AS_REGIONS


def _refuse_by(source: SourceFile, records: Sequence[Mapping[str, Any]]) -> None:
    found: dict[str, list[str]] = {}
    columns = list(dict.fromkeys(name for record in records for name in record))
    of_models = [next((name for name in columns if fold(name) in known), None) for known in (_SURPRISALS, _TOKENS)]
    of_regions = [name for name in columns if fold(name) in _REGIONS]
    if of_models[0] is not None and of_regions and "content" not in {fold(name) for name in columns}:
        of_models[1] = of_regions[0]
    if {"prediction_id", "result"} <= {fold(name) for name in columns}:
        source.refuse(
            0,
            "holds whether predictions came true under a model, not sentences: its columns are prediction_id and result",
            hint="The sentences are in the suite itself, a JSON file with items; `gapsmith analyze` says whether its predictions hold.",
        )
    if None not in of_models and not {"sentence", "content"} & set(roles_of(columns)):
        source.refuse(
            0,
            f"holds what a model computed, not sentences: its columns are {' and '.join(map(str, of_models))}",
            hint=_SCORES.format(source.path),
        )
    for name in columns:
        if (kind := _kind(name, [record.get(name) for record in records])) is not None:
            found.setdefault(kind, []).append(name)
    if len(found) < 2 and not (_WHO in found and _is_repeated(records, found[_WHO][0])):
        return
    named = "; ".join(f"{kind} ({', '.join(names[:4])})" for kind, names in found.items())
    source.refuse(0, f"holds what people answered, not sentences: its columns say {named}", hint=_COMMANDS)


def _kind(name: str, cells: Iterable[Any]) -> str | None:
    heading = fold(name)
    for kind, names in _KINDS.items():
        if heading in names or (kind == _WHAT and heading.startswith("answer_")):
            return kind
    if heading in _SUBJECTS:
        texts = [str(cell).strip() for cell in cells if cell is not None and str(cell).strip()]
        return _WHO if texts and all(map(_CODE.fullmatch, texts)) else None
    return None


def _is_repeated(records: Sequence[Mapping[str, Any]], who: str) -> bool:
    """Whether two people have rows of the same item and condition."""
    columns = list(dict.fromkeys(name for record in records for name in record))
    roles = roles_of(columns)
    if "item" not in roles or "condition" not in roles:
        return False
    first: dict[tuple[str, str], str] = {}
    for record in records:
        key = str(record.get(columns[roles["item"]])), str(record.get(columns[roles["condition"]]))
        if first.setdefault(key, str(record.get(who))) != str(record.get(who)):
            return True
    return False


def _records(source: SourceFile) -> list[dict[str, Any]] | None:
    """The objects of a JSON file, whether in one list or a line each; None where it is no JSON."""
    if source.is_spreadsheet or source.start.lstrip()[:1] not in ("{", "["):
        return None
    texts = [source.text] if source.start.lstrip().startswith("[") else list(islice(filter(str.strip, source.lines), _LOOKED_AT))
    records: list[dict[str, Any]] = []
    for text in texts:
        try:
            value = read_json(text)
        except DocumentError:
            # What is broken is said by whoever reads it.
            return records
        entries = value if isinstance(value, list) else [value]
        # A list of participants, each a list of trials.
        flat = [inner for entry in entries for inner in (entry if isinstance(entry, list) else [entry])]
        records += [entry for entry in flat if isinstance(entry, dict)][:_LOOKED_AT]
    return records


def _table(source: SourceFile) -> tuple[TableRow | None, list[TableRow]]:
    """The headings and the first rows, as far as they can be told apart."""
    rows: list[TableRow] = []
    try:
        rows.extend(islice(source.rows(), _LOOKED_AT))
    except FormatError:
        # What is broken is said by whoever reads it.
        return (rows[0], rows[1:]) if rows else (None, [])
    return (rows[0], rows[1:]) if rows else (None, [])
