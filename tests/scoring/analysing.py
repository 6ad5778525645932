"""Banks with items whose surprisals are chosen region by region, so that every result is known beforehand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from gapsmith.bank import Bank, ItemFilter, NewItem, Scorer, Tokens, Verdict
from gapsmith.scoring.analysis import Analysis, ContrastResult
from gapsmith.templates import Paradigm, Sentence, load_paradigm, parse_paradigm, realise, sample
from tests.making import made_tokens, registered

SCORER = Scorer(0, "chosen", "r1", {"weights": "chosen", "dtype": "float32", "bos": "bos"})

RegionBits = Callable[[int, Sentence, str], float | None]
"""From an item's position, a sentence and a region's name to the region's surprisal in bits."""


def scored(sentence: Sentence, bits: Mapping[str, float | None], *, missing: str | None = None) -> Tokens:
    """One token per word; the first token of a region carries the region's bits, the others carry none."""
    tokens = []
    regions = sentence.regions or ()
    started: set[str] = set()
    for match in re.finditer(r"\w+(?:'\w+)?|[^\w\s]", sentence.text):
        region = next((span.name for span in regions if span.start <= match.start() < span.end), "")
        value = 0.0 if region in started else bits.get(region, 1.0)
        started.add(region)
        tokens.append((match.start(), match.end(), value))
    return made_tokens(sentence.text, tokens, missing)


def spread(mean: float, t: float, n: int) -> list[float]:
    """`n` values with exactly that mean and that one-sample t (up to rounding), without ties."""
    steps = [(2 * i - (n - 1)) / (n - 1) for i in range(n)]
    sd = (sum(step**2 for step in steps) / (n - 1)) ** 0.5
    wanted = abs(mean) * n**0.5 / abs(t)
    return [mean + step * wanted / sd for step in steps]


def add_items(bank: Bank, paradigm: Paradigm, items: Sequence[NewItem], *, identity: str = "one") -> list[int]:
    """Put items into the bank as a finished run; their ids."""
    run = bank.runs.begin(
        kind="generate",
        paradigm_id=bank.paradigms.register(paradigm),
        provider="lexicon",
        identity=f"{paradigm.name} {identity}",
        parameters={"seed": 1},
    )
    ids = bank.runs.reply(bank.runs.intend(run.id, 0, {}), outcome="ok", reply=None, items=items)
    bank.runs.finish(run.id)
    return ids


def approve(bank: Bank, ids: Sequence[int]) -> None:
    """Approve items as the policy that approves what is clean."""
    bank.decisions.decide(ids, Verdict.APPROVE, author="clean", kind="policy")


def score(bank: Bank, paradigm: str, bits: RegionBits, *, scorer: Scorer = SCORER, skip: frozenset[str] = frozenset()) -> int:
    """Score every sentence of the paradigm's items but those of the conditions in `skip`; the scorer's id."""
    scorer_id = registered(bank, scorer)
    found: dict[str, Tokens] = {}
    for position, item in enumerate(bank.items.iterate(ItemFilter(paradigm=paradigm))):
        for sentence in item.sentences:
            if sentence.condition not in skip:
                names = [span.name for span in sentence.regions or ()]
                values = {name: bits(position, sentence, name) for name in names}
                reason = "left out on purpose" if None in values.values() else None
                found[sentence.text] = scored(sentence, values, missing=reason)
    bank.scores.add(scorer_id, list(found.values()))
    return scorer_id


def filled_bank(path: Path, name: str, n: int, bits: RegionBits | None = None, *, approved: bool = True) -> Bank:
    """An open bank with `n` sampled items of a shipped paradigm, approved and, where `bits` is given, scored."""
    paradigm = load_paradigm(name)
    bank = Bank.open(path, create=True)
    stream = sample(paradigm, 1)
    slots = [next(stream) for _ in range(n)]
    ids = add_items(
        bank, paradigm, [NewItem(own, realise(paradigm, own), attributes=paradigm.attributes_of(own)) for own in slots]
    )
    if approved:
        approve(bank, ids)
    if bits is not None:
        score(bank, name, bits)
    return bank


# Published means and t values of GPT-2 on 33 items, P1 to P4.
PUBLISHED = {
    ("pg1", "pg2"): (-2.61, -5.95),
    ("mg1", "pg2"): (-3.50, -7.59),
    ("pg1", "mg2"): (1.32, 4.12),
    ("mg1", "mg2"): (4.22, 10.02),
}

SPREADS = {gaps: spread(mean, t, 33) for gaps, (mean, t) in PUBLISHED.items()}


def published_bits(position: int, sentence: Sentence, region: str) -> float:
    """Critical surprisals whose wh-effects have the published means and t values."""
    filler, gap1, gap2 = sentence.condition.split("_")
    if region != ("adverb" if gap2 == "pg2" else "gap2"):
        return 2.0
    return 20.0 + (SPREADS[gap1, gap2][position] if filler == "pf" else 0.0)


def by_name(analysis: Analysis) -> dict[str, ContrastResult]:
    """The results by the name of their contrast."""
    return {result.contrast.name: result for result in analysis.contrasts}


def slots_of(name: str) -> Iterator[dict[str, str]]:
    """The slots of sampled items of a shipped paradigm."""
    return sample(load_paradigm(name), 1)


CONTROL = "embedded_wh"


def control_version(*changes: tuple[str, str]) -> Paradigm:
    """Another version of the control: its text with these changes."""
    text = load_paradigm(CONTROL).text
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return parse_paradigm(text, path="control.toml")


def fill_control(bank: Bank, paradigm: Paradigm, dataset: str, first: int, n: int = 4, label: str = "") -> list[int]:
    """Approved items with words of their own, in a data set of their own."""
    items = [
        NewItem(slots, realise(paradigm, slots), dataset=dataset, label=f"{label}{number}")
        for number, slots in enumerate(islice(slots_of(CONTROL), first, first + n), 1)
    ]
    ids = add_items(bank, paradigm, items, identity=dataset)
    approve(bank, ids)
    return ids


def control_bits(position: int, sentence: Sentence, region: str) -> float:
    """Bits that differ between items, conditions and regions."""
    return 5.0 + position % 3 + len(sentence.condition) + len(region) + (position if "pf" in sentence.condition else 0)


def seeded(seed: int, by: float = 0.0) -> RegionBits:
    """The control's bits under a seed of a model, which has an effect of the filler of its own; and so much more of it."""
    return lambda n, s, r: control_bits(n, s, r) + (by + seed * (1 + (n * seed) % 3) / 4) * ("pf" in s.condition)
