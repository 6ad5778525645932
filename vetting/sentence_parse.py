"""The parse of one sentence beside what the design says of its regions, for the review."""

from __future__ import annotations

from threading import Lock

from gapsmith.bank import Bank, StoredItem
from gapsmith.parsing import ROOT, Tree, open_parser, parse_store, parsed
from gapsmith.parsing import Parser as SentenceParser
from gapsmith.templates import Paradigm, Sentence
from gapsmith.vetting.review.parsing import ParseLine, Parser
from gapsmith.vetting.rules.measured import precision_of
from gapsmith.vetting.rules.parses import layout_of
from gapsmith.vetting.rules.structure import claims_of


def parser_for_review(name: str) -> Parser:
    """A parser for the review, by a name as `gapsmith lint --parser` takes it; it is opened by the first parse, which takes
    seconds, and kept. Parses are asked for in several threads; one is made after the other."""
    opened: list[SentenceParser] = []
    one_by_one = Lock()

    def parse(bank: Bank, item: StoredItem, paradigm: Paradigm, sentence: Sentence) -> list[ParseLine]:
        with one_by_one:
            if not opened:
                opened.append(open_parser(name))
            found = parsed(parse_store(bank, opened[0]), opened[0], [sentence.text])
        return sentence_parse(Tree(found[sentence.text]), item, paradigm, sentence)

    return parse


def sentence_parse(tree: Tree, item: StoredItem, paradigm: Paradigm, sentence: Sentence) -> list[ParseLine]:
    """A line for each word. What family P would object to is marked at the word that is not read as it should be, where nine in ten such
    marks on blind items were right, with how many were."""
    against = _against(tree, item, paradigm, sentence)
    lines = []
    for index, token in enumerate(tree.parse.tokens):
        head = tree.heads.get(index, ROOT)
        depth, above = 0, head
        while above != ROOT and depth < len(tree.parse.tokens):
            depth, above = depth + 1, tree.heads.get(above, ROOT)
        role = tree.roles[index].value if index in tree.roles else token.relation
        over = "" if head == ROOT else tree.parse.tokens[head].text
        lines.append(ParseLine(token.text, token.upos, role, over, depth, against.get(index, "")))
    return lines


def _against(tree: Tree, item: StoredItem, paradigm: Paradigm, sentence: Sentence) -> dict[int, str]:
    variant = paradigm.variant(item.slots)
    slots = item.slots or {}
    if sentence.condition not in variant.condition_by_name or any(s.name not in slots for s in variant.visible_slots):
        return {}
    layout = layout_of(variant, variant.condition(sentence.condition), slots)
    if layout.text != sentence.text:
        return {}
    found: dict[int, str] = {}
    for claim in claims_of(variant):
        precision = precision_of(claim.code, "mark")
        if precision is None or not precision.is_enough:
            continue
        if claim.condition == sentence.condition and not claim.holds(tree, layout):
            for word in layout.words(tree, claim.places[:1])[:1]:
                said = f"{claim.says(layout)} ({precision})"
                found[word] = f"{found[word]}; {said}" if word in found else said
    return found
