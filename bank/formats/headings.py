"""The headings of tables as people write them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

ROLES_OF_HEADINGS: Mapping[str, tuple[str, ...]] = {
    "item": (
        "item",
        "item_id",
        "itemid",
        "item_number",
        "item_no",
        "item_nr",
        "item_index",
        "item_num",
        "itemnum",
        "itm",
        "itemnumber",
        "sent_index",
        "sentence_index",
        "stimulus_id",
        "stim_id",
        "set",
        "set_id",
        "quadruple",
        "pair_id",
        "pairid",
        "id",
        "编号",
        "项目",
        "項目",
        "番号",
        "문항",
        "번호",
    ),
    "condition": (
        "condition",
        "condition_name",
        "cond",
        "cnd",
        "condition_label",
        "condition_id",
        "bedingung",
        "kondition",
        "conditie",
        "condicion",
        "condición",
        "condizione",
        "condicao",
        "condição",
        "condições",
        "bedingungen",
        "koşul",
        "warunek",
        "betingelse",
        "betingelser",
        "ehto",
        "条件",
        "條件",
        "조건",
        "условие",
        # What may say of which kind a row is, too, comes last.
        "cell",
        "type",
    ),
    "sentence": (
        "sentence",
        "full_sentence",
        "sentence_text",
        "sent",
        "stimulus",
        "stim",
        "string",
        "text",
        "sentences",
        "satz",
        "zin",
        "frase",
        "oracion",
        "oración",
        "句子",
        "例句",
        "例文",
        "문장",
        "предложение",
    ),
    "region_number": ("region_number", "region_no", "region_nr", "region_index", "region_id"),
    "region_name": ("region_name", "region", "region_label"),
    "content": ("content", "region_content", "region_text", "words", "text"),
    "good": (
        "sentence_good",
        "good_sentence",
        "good",
        "grammatical",
        "acceptable",
        "grammatical_sentence",
        "acceptable_sentence",
        "sentence_grammatical",
        "correct",
        "sent_less",
    ),
    "bad": (
        "sentence_bad",
        "bad_sentence",
        "bad",
        "ungrammatical",
        "unacceptable",
        "ungrammatical_sentence",
        "unacceptable_sentence",
        "sentence_ungrammatical",
        "incorrect",
        "sent_more",
    ),
}
"""What a column is, to the headings that say so; the earlier one wins where a table has several."""
SCORE_HEADINGS: Mapping[str, tuple[str, ...]] = {
    "sentence": ("sentence", "text", "stimulus", "full_sentence"),
    "item": ("item", "item_id", "label", "item_number"),
    "condition": ("condition", "cond", "condition_name"),
    "region": ("region", "region_name", "region_number"),
    "token": ("token", "piece", "word"),
    "start": ("start", "char_start"),
    "end": ("end", "char_end"),
    "value": ("surprisal", "surprisal_bits", "surprisal_nats", "surp", "logprob", "log_prob", "metric_value", "value"),
}
"""What a column of a table of scores is, to the headings that say so."""
NOTES = frozenset(
    {"note", "notes", "comment", "comments", "remark", "remarks", "question", "comprehension_question", "context", "translation"}
    | {"gloss", "source", "paraphrase", "answer", "title", "description"}
)
"""Headings of texts beside sentences."""
HIGH, LOW = "high", "low"
"""What ``--good`` says of a column of ratings: that of two sentences the one with the higher, or the lower, rating is the good one."""
JUDGES = frozenset(
    {"grammatical", "grammaticality", "ungrammatical", "acceptable", "acceptability", "judgement", "judgment"}
    | {"status", "expected", "label", "correct", "rating", "mean", "ok"}
)
"""Headings of what is said of a sentence, which follows from its condition and is none."""
ANY_MEMBER = re.compile(
    r"(?:sentence|sent|s|stimulus|stim|option|text|version|member|alternative|choice|item|phrase|satz|frase|phrase|zin)?_?"
    r"(?:[a-h]|\d{1,2}|one|two|first|second|left|right|top|bottom|upper|lower|links|rechts|gauche|droite|izquierda|derecha)"
)
"""Headings that number sentences and say nothing of them."""

NO_ITEM = (
    r"(?!(?:exp|list|block|part|section|version|page|study|condition|cond|session|group|trial|practice|filler|chapter|table|figure|day|"
    r"teil|liste|seite|studie|bedingung|gruppe|lista|parte|bloque|página|estudio|bloc|partie|deel|bölüm|часть|список|блок)\w*\b)"
)
"""What no word before a number that is the name of an item begins with, as a pattern."""


@lru_cache(maxsize=4096)
def fold(heading: str) -> str:
    """A heading without what people write differently: case, spaces, hyphens, dots, brackets."""
    if heading.strip() in ("#", "№"):
        return "number"
    # A sign for number behind a word makes another heading of it.
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", heading.strip().replace("№", "_no"))
    return re.sub(r"[\W_]+", "_", spaced.casefold()).strip("_")


def roles_of(header: Sequence[str]) -> dict[str, int]:
    """The columns that are known, by what they are; a column may be known as two things, such as sentence and content."""
    folded = [fold(heading) for heading in header]
    squeezed = [heading.replace("_", "") for heading in folded]
    found = {}
    for role, names in ROLES_OF_HEADINGS.items():
        for name in names:
            if name in folded:
                found[role] = folded.index(name)
                break
            if name.replace("_", "") in squeezed:
                found[role] = squeezed.index(name.replace("_", ""))
                break
    return found


_OF_NO_ITEM = re.compile(
    r"(?:[\w]{0,6}[\W_])?(?:prac(?:t|tice|tise)?s?|training|warm[ _-]?up|fill(?:ers?)?|distract[oe]rs?|foils?|dumm(?:y|ies)|"
    r"catch(?:[ _-]trials?)?|attention[ _-]checks?|oefen\w*|übung\w*|füller|ablenker|entra[iî]nement\w*|remplisseurs?|relleno|"
    r"distractores|riempitiv\w+|vuller)(?:[ _-]?(?:items?|trials?|sentences?|set|list))?(?:[\W_]*\d*[a-z]?)"
)
"""What sentences beside the items of an experiment are called."""


def is_of_no_item(label: str) -> bool:
    """Whether something is called as what is shown beside the items of an experiment is: practice, fillers."""
    return _OF_NO_ITEM.fullmatch(label.strip().casefold()) is not None
