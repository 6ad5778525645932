"""Items in frames that no paradigm of ours has, as their own drafted paradigm: sentences and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from gapsmith.bank import Finding
from gapsmith.templates import Paradigm, Sentence, Source, parse_paradigm, realise
from gapsmith.vetting.loose_items import loose_item
from gapsmith.vetting.roles import RoleReader
from gapsmith.vetting.rules import Knowledge, Linter, RuleSelection, load_knowledge

READER = RoleReader()


@cache
def drafted(conditions: tuple[str, ...], regions: str = "") -> Paradigm:
    """A paradigm as `gapsmith paradigm draft` writes one: conditions, and nothing about the words."""
    named = "\n".join(f'{name} = "{name}"' for name in conditions)
    return parse_paradigm(
        'name = "own_frame"\ntitle = "own frame"\ndescription = "given sentences"\nitems = "given"\nfinal_punctuation = "."\n'
        f'\n[conditions]\n{named}\n{regions}\n[designs.all]\nconditions = "all"\n'
    )


@cache
def _linter(paradigm_of: tuple[str, ...], knowledge_of: int, select: tuple[str, ...]) -> Linter:
    return Linter(drafted(paradigm_of), _KNOWN[knowledge_of], RuleSelection(select), reader=READER)


_KNOWN: dict[int, Knowledge] = {}


def lint_texts(texts: Mapping[str, str], *select: str, knowledge: Knowledge | None = None) -> list[Finding]:
    """What the rules say of sentences that came from elsewhere."""
    knowledge = knowledge or load_knowledge()
    _KNOWN[id(knowledge)] = knowledge
    linter = _linter(tuple(texts), id(knowledge), select)
    sentences = tuple(Sentence(name, text, None, Source.IMPORTED) for name, text in texts.items())
    return linter.check(loose_item(linter.paradigm, sentences, label="1"))


def lint_slots(filler: str, parts: Mapping[str, tuple[str, str]], *select: str) -> list[Finding]:
    """What the rules say of an item in slots (`words_in_slots`)."""
    paradigm, words = words_in_slots(filler, parts)
    return Linter(paradigm, load_knowledge(), RuleSelection(select)).check(
        replace(loose_item(paradigm, realise(paradigm, words), label="1"), slots=words)
    )


def words_in_slots(filler: str, parts: Mapping[str, tuple[str, str]]) -> tuple[Paradigm, dict[str, str]]:
    """Somebody's own paradigm, whose slots have names that no rule knows, and their words: `parts` has role and words of each, in the order
    of the sentence; the last is what the gap asks for, and stands there in the condition with *that*."""
    names = [f"zork{number}" for number in range(len(parts))]
    begin = "matrix" in parts
    front = f"{{{names[0]}}}" if begin else "I know"
    regions = "".join(f'[[regions]]\nname = "{name}"\ntext = "{{{name}}}"\n' for name in names[begin:-1])
    slots = "".join(
        f'[slots.{name}]\nrole = "{role}"\ndescription = "words"\nexample = "{word}"\nmax_words = 6\n'
        for name, (role, word) in zip(names, parts.values(), strict=True)
    )
    paradigm = parse_paradigm(
        'name = "own_slots"\ntitle = "own slots"\nfinal_punctuation = "."\n'
        '[factors.form]\nlevels = { open = "open", filled = "filled" }\n[status]\nopen = "ok"\nfilled = "ok"\n'
        f'[[regions]]\nname = "front"\ntext = "{front}"\n'
        f'[[regions]]\nname = "opener"\nrole = "filler"\nwhen = {{ open = "{filler}", filled = "that" }}\n{regions}'
        f'[[regions]]\nname = "gap"\nrole = "gap"\nwhen = {{ open = "", filled = "{{{names[-1]}}}" }}\n'
        f'[[regions]]\nname = "end"\ntext = "there"\n[critical]\nopen = "end"\nfilled = "gap"\n{slots}'
        '[designs.all]\nconditions = "all"\n'
    )
    return paradigm, dict(zip(names, (word for _, word in parts.values()), strict=True))


def texts_in_slots(texts: Mapping[str, str]) -> tuple[Paradigm, dict[str, str]]:
    """Somebody's own paradigm whose slots declare no role, so that roles are read from the sentences: each condition is one slot."""
    words = {f"zork_{name}": text.removesuffix(".") for name, text in texts.items()}
    when = ", ".join(f'{name} = "{{zork_{name}}}"' for name in texts)
    levels = ", ".join(f'{name} = "{name}"' for name in texts)
    statuses = "".join(f'{name} = "ok"\n' for name in texts)
    critical = "".join(f'{name} = "all"\n' for name in texts)
    slots = "".join(f'[slots.zork_{name}]\ndescription = "words"\nexample = "x"\nmax_words = 20\n' for name in texts)
    paradigm = parse_paradigm(
        'name = "own_texts"\ntitle = "own texts"\nfinal_punctuation = "."\n'
        f"[factors.form]\nlevels = {{ {levels} }}\n[status]\n{statuses}"
        f'[[regions]]\nname = "all"\nwhen = {{ {when} }}\n[critical]\n{critical}{slots}'
        '[designs.all]\nconditions = "all"\n'
    )
    return paradigm, words


def crossed(frame: str, filler: str, **gaps: str) -> dict[str, str]:
    """Every combination of filler or *that* with each gap open or filled: `frame` has {filler} and the gaps' names in braces."""
    texts: dict[str, str] = {}
    for asks in (filler, "that"):
        for number in range(2 ** len(gaps)):
            words = {name: "" if number >> i & 1 else value for i, (name, value) in enumerate(gaps.items())}
            texts[f"{asks}{number}"] = " ".join(frame.format(filler=asks, **words).split()) + "."
    return texts


def island(
    frame: str = "The neighbors found out",
    noun: str = "anecdote",
    linker: str = "was bound to",
    verb: str = "enrage",
    adverb: str = "eventually",
    name: str = "Maria",
    determiner: str = "the",
    preposition: str = "about",
) -> dict[str, str]:
    """A parasitic gap in an island with words of one's own."""
    text = f"{frame} {{filler}} {determiner} {noun} {preposition} {{one}} {linker} {verb} {{other}} {adverb}"
    return crossed(text, "who", one=name, other="Anna")


def question(
    frame: str = "The janitor remembered", verb: str = "humiliated", filler: str = "who", filled: str = "the tenants"
) -> dict[str, str]:
    """An embedded question about an object."""
    return crossed(f"{frame} {{filler}} two brokers had {verb} {{gap}} during the storm", filler, gap=filled)
