"""What people answered in an experiment, and what models computed: the only place that decides that a file holds such and no
sentences, so that it never becomes items.

Programs for experiments write a row per answer, with who gave it, how long it took and which trial it was: jsPsych (de Leeuw
2015), PCIbex (Zehr & Schwarz 2018), Qualtrics, Gorilla, PsychoPy, Prolific, Mechanical Turk. One such column may be an attribute
of sentences, such as a mean reading time; two of different kinds are answers.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from gapsmith.bank.formats.asking import FileAnswer
from gapsmith.bank.formats.headings import SCORE_HEADINGS, fold, roles_of
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
_SURPRISAL = re.compile(
    r"(?:^|_)(?:surprisals?|surp|logprobs?|log_probs?|log_probability|log_probabilities|logp|metric_value)(?:_|$)"
)
_SUM = re.compile(r'"metric_value"\s*:\s*\{[^{}]*?:\s*(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)')
_VALUE = re.compile(r'"metric_value"\s*:\s*(?!null)[^{\s]|"metric_value"\s*:\s*\{[^{}]*:\s*-?\d')
"""A value of a model in a suite; one that has yet to be computed is null."""
_PERPLEXITY = re.compile(r"(?:^|_)(?:perplexity|ppl|pseudo_perplexity|log_likelihood|loglik|nll)(?:_|$)")
_WORKS = _names(
    "author authors title year publication_year journal doi publisher issn isbn volume publication_title item_type abstract"
)
"""Headings of lists of publications."""
_PEOPLE = _names(
    "age gender sex handedness hand l1 native_language first_language mother_tongue education dialect vision prolific_id worker_id"
)
"""Headings of lists of those who took part."""
_REGIONS = _names("region region_number region_name region_no region_index")
_SCORES = "First import the sentences of these items, {}; then `gapsmith import-scores` takes the surprisals for the items that are here:\n{}\n"
_SCORES_AFTER = "`gapsmith import-scores` takes surprisals for items that are here:\n{}\n"
_SENTENCE_NUMBERS = _names("sentence_id sent_id sentid sentence_number sentence_index sent_index sent_no sentence_no sentence_nr")
_TOKENS = _names("token tokens token_text word words piece pieces subword wordpiece")
_PIECE = re.compile(r"[ĠĊ▁]|##|<\||\[(?:CLS|SEP)\]")
"""How a model writes pieces of words."""
_LOOKED_AT = 500
_COMMANDS = (
    "gapsmith reads the sentences that people were shown, and no command takes their ratings or times: import the list of the "
    "sentences themselves (item, condition, sentence), and bring numbers together with the answers by item and condition after "
    "`gapsmith export`. If these are sentences all the same, take the named columns out or call them otherwise."
)


def _has_values(text: str) -> bool:
    """Whether a suite has values of a model: where all are 0, nothing was computed yet."""
    return any(float(match[1]) for match in _SUM.finditer(text)) or _SUM.search(text) is None


def refuse_answers(source: SourceFile, of_words: Callable[[SourceFile], list[FileAnswer]]) -> None:
    """Refuse a file of people's answers or of surprisals, naming by which columns it was known; beside surprisals of whole words, the ways
    in which these make sentences. Raises `FormatError`."""
    if not source.is_spreadsheet:
        comments = [line for line in islice(source.lines, 60) if line.startswith("#")]
        if told := [line.lstrip("# ").strip() for line in comments if _PCIBEX.match(line)]:
            named = ", ".join(dict.fromkeys(told[:3]))
            source.refuse(0, f"holds what people answered, not sentences: the comments of PCIbex ({named})", hint=_COMMANDS)
        if (
            source.start.lstrip().startswith("{")
            and source.known.get("format") != "suite"
            and _VALUE.search(source.text)
            and _has_values(source.text)
        ):
            source.refuse(
                0,
                "is a suite with a model's surprisals in it (metric_value)",
                hint=f"The sentences come in with `{source.command} {shlex.quote(str(source.path))} --format suite`, then the values: "
                + _SCORES_AFTER.format(
                    f"  gapsmith import-scores {shlex.quote(str(source.path))} --model NAME --unit bits   (or --unit nats)"
                ),
            )
    records = _records(source)
    if records is not None:
        _refuse_by(source, records, of_words)
        return
    top, body = _table(source)
    if top is None:
        return
    headings = [cell.strip() for cell in top.cells]
    _refuse_by(source, [dict(zip(headings, row.cells, strict=False)) for row in body] or [dict.fromkeys(headings, "")], of_words)


def is_open_as_region(heading: str) -> bool:
    """Whether a column of that name is rather an answer than a part of sentences."""
    return fold(heading) in OPEN_AS_REGIONS


def _refuse_by(
    source: SourceFile, records: Sequence[Mapping[str, Any]], of_words: Callable[[SourceFile], list[FileAnswer]]
) -> None:
    found: dict[str, list[str]] = {}
    columns = list(dict.fromkeys(name for record in records for name in record))
    values = [name for name in columns if _SURPRISAL.search(fold(name))]
    tokens = [name for name in columns if fold(name) in _TOKENS]
    regions = [name for name in columns if fold(name) in _REGIONS]
    is_content = "content" in {fold(name) for name in columns}
    places = tokens or (regions if not is_content else [])
    if {"prediction_id", "result"} <= {fold(name) for name in columns}:
        source.refuse(
            0,
            "holds whether predictions came true under a model, not sentences: its columns are prediction_id and result",
            hint="The sentences are in the suite itself, a JSON file with items; `gapsmith analyze` says whether its predictions hold.",
        )
    said = {fold(name) for name in source.sentences_said}
    known = roles_of(columns)
    # Values of words stand in several rows of a sentence; one row for each is a word and a norm of a sentence.
    keys = [known[name] for name in ("item", "condition", "sentence") if name in known]
    is_once = len({tuple(str(record.get(columns[key])) for key in keys) for record in records}) == len(records)
    has_text = ("sentence" in known and (not tokens or is_once)) or (
        "content" in known and not (tokens and columns[known["content"]] in tokens)
    )
    if values and places and not has_text and not said & {fold(name) for name in places}:
        words = [str(record.get(name) or "") for record in records for name in tokens]
        ways = of_words(source) if any(words) and not any(map(_PIECE.match, words)) else []
        source.refuse(
            0,
            f"holds what a model computed, not sentences: its columns are {values[0]} and {places[0]}",
            hint=_SCORES.format(
                "from here by a command below, or from the file that has them" if ways else "from the file that has them",
                "\n".join(_score_commands(source, columns, values, tokens, regions)),
            ),
            ways=ways,
        )
    ppl = [name for name in columns if _PERPLEXITY.search(fold(name))]
    if ppl and "sentence" in known and not {"item", "condition"} & set(known):
        source.refuse(
            0,
            f"holds what a model computed of whole sentences ({ppl[0]}), and nothing says which of these are an item",
            hint="`gapsmith import-scores` takes values of tokens or regions, for items that are here; import the items from the file that "
            "has their items and conditions.",
        )
    works = [name for name in columns if fold(name) in _WORKS]
    if len(works) > 2 and not {"item", "condition", "sentence"} <= set(known):
        source.refuse(
            0,
            f"is a list of publications, and holds no sentences: its columns are {', '.join(works[:5])}",
            hint="Name the file of the items.",
        )
    people = [name for name in columns if fold(name) in _PEOPLE]
    if len(people) > 2 and "sentence" not in known and not source.options.sentence_columns:
        source.refuse(
            0,
            f"is a list of people, and holds no sentences: its columns are {', '.join(people[:5])}",
            hint="Name the file of the items; where one of its columns holds sentences, name it with --sentence-column.",
        )
    for name in columns:
        if (kind := _kind(name, [record.get(name) for record in records])) is not None:
            found.setdefault(kind, []).append(name)
    if len(found) < 2 and not (_WHO in found and _is_repeated(records, found[_WHO][0])):
        return
    if source.options.once and "sentence" in known:
        return
    named = "; ".join(f"{kind} ({', '.join(names[:4])})" for kind, names in found.items())
    folded = FileAnswer("", "every sentence of an item is read once; what people answered is left out", {"once": True})
    source.refuse(
        0,
        f"holds what people answered, not sentences: its columns say {named}",
        hint=f"{_COMMANDS}\n{source.head}\n",
        ways=[folded] if "sentence" in known and _WHO in found else [],
    )


def is_answer(heading: str) -> bool:
    """Whether a column of that name says who answered, what, when, or in which trial."""
    return fold(heading) in OPEN_AS_REGIONS | _SUBJECTS


def is_person(heading: str) -> bool:
    """Whether a column of that name says who answered."""
    return fold(heading) in _KINDS[_WHO] | _SUBJECTS


def _score_commands(
    source: SourceFile, columns: Sequence[str], values: Sequence[str], tokens: Sequence[str], regions: Sequence[str]
) -> list[str]:
    """The commands that take a table of surprisals, a value's column each, with what its headings do not say."""
    file = shlex.quote(str(source.path))
    folded = [fold(name) for name in columns]
    given = {role for role, names in SCORE_HEADINGS.items() if any(name in folded for name in names)}
    known = roles_of(columns)
    needed = {"token": tokens[0] if tokens else "", "region": regions[0] if regions and not tokens else ""}
    needed |= {role: columns[known[role]] if role in known else "" for role in ("item", "condition")}
    if tokens and not {"sentence", "item"} & given:
        # Sentences that are numbered are found by what their tokens spell.
        needed = {**needed, "item": "", "sentence": next((name for name in columns if fold(name) in _SENTENCE_NUMBERS), "")}
    beside = [f"--column {shlex.quote(f'{role}={name}')}" for role, name in needed.items() if name and role not in given]
    ways = []
    for value in values[:2]:
        said = (
            [] if value == values[0] and fold(value) in SCORE_HEADINGS["value"] else [f"--column {shlex.quote(f'value={value}')}"]
        )
        bare = re.sub(
            r"_?(?:surprisals?|surp|logprobs?|log_probs?|bits|nats|log_probability|logp|metric_value)_?", "_", fold(value)
        ).strip("_")
        sign = ["--log-prob"] if "log" in fold(value) and fold(value) not in ("logprob", "log_prob") else []
        units = [""] if fold(value).endswith(("bits", "nats")) else ["--unit bits", "--unit nats"]
        for unit in units:
            parts = [
                "gapsmith import-scores",
                file,
                f"--model {shlex.quote(bare or source.path.stem)}",
                unit,
                *sign,
                *said,
                *beside,
            ]
            ways.append(f"  {' '.join(filter(None, parts))}")
    return ways


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
    if not source.may_be_json:
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
