"""Which sentences belong to which phenomenon: our paradigms, published files, and those of other benchmarks (table 10)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

CATEGORIES = ("island", "question formation", "binding", "wanna")
POSH = "POSH"
"""Pairs made from our paradigms."""
FILES = "POSH (files)"
"""Pairs that came in as files, such as the published ones."""

SUBCATEGORIES: Mapping[str, tuple[str, str, str]] = {
    "adjunct island": ("island", "posh_island_adjunct", "island-adjunct"),
    "complex NP island": ("island", "posh_island_complex_np", "island-complex-np"),
    "wh-island": ("island", "posh_island_wh", "island-wh"),
    "object relative": ("question formation", "posh_question_object", "question-formation_or"),
    "reduced relative": ("question formation", "posh_question_reduced", "question-formation_rr"),
    "subject relative": ("question formation", "posh_question_subject", "question-formation_sr"),
    "c-command": ("binding", "posh_binding_command", "principle_a_command"),
    "locality": ("binding", "posh_binding_locality", "principle_a_locality"),
    "wanna": ("wanna", "posh_wanna", "wanna"),
}
"""Subcategory, as table 8 has it, to its category, our paradigm and the name of the published file."""

BENCHMARKS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    FILES: {category: tuple(file for own, _, file in SUBCATEGORIES.values() if own == category) for category in CATEGORIES},
    "BLiMP": {
        "island": ("adjunct_island", "wh_island", "complex_NP_island"),
        "binding": ("principle_A_c_command", "principle_A_case_2", "principle_A_domain_2", "principle_A_domain_3"),
    },
    "Zorro": {"island": ("island-effects-adjunct_island",), "binding": ("binding-principle_a",)},
    "SCaMP (plausible)": {
        "island": ("complex_np_island", "wh_island", "adjunct_island"),
        "binding": ("principle_A_domain_2", "principle_A_domain_3", "principle_A_c_command"),
    },
    "SCaMP (implausible)": {
        "island": ("complex_np_island_implausible", "wh_island_implausible", "adjunct_island_implausible"),
        "binding": (
            "principle_A_domain_2_implausible",
            "principle_A_domain_3_implausible",
            "principle_A_c_command_implausible",
        ),
    },
}
"""Benchmark to category to its phenomena, as they are called there (the paper's table 10)."""

_HEADS = {
    "posh": (FILES,),
    "blimp": ("BLiMP",),
    "zorro": ("Zorro",),
    "scamp": ("SCaMP (implausible)", "SCaMP (plausible)"),
}


@dataclass(frozen=True, slots=True)
class Part:
    """A phenomenon of a benchmark."""

    benchmark: str
    category: str
    name: str
    """Of ours and of the published files, the subcategory as table 8 has it."""


def part_of(paradigm: str, dataset: str, uid: str | None = None, *, made: bool = True) -> Part | None:
    """What the items of a data set are evaluated as, or None for anything else.

    Ours are known by their paradigm, and by being `made` from its words and not brought in. Files are known by the name of
    their data set, which is that of the file unless ``import --dataset`` gives another: the phenomenon, with the benchmark
    before it where two have one of that name (``scamp-wh_island``; ``blimp`` alone where each item has a `UID`). An item
    with a `UID` and no benchmark is BLiMP's.
    """
    for name, (category, own, _) in SUBCATEGORIES.items():
        if paradigm == own:
            return Part(POSH if made else FILES, category, name)
    plain = _plain(dataset)
    head = next((h for h in _HEADS if plain == h or plain.startswith(f"{h}_")), None)
    if head is not None:
        rest = _plain(uid) if uid else plain.removeprefix(head).strip("_").removeprefix("plausible_").removeprefix("implausible_")
        implausible = head == "scamp" and "implausible" in plain
        named = f"{rest}_implausible" if implausible and not rest.endswith("_implausible") else rest
        return next((part for name, part in _names(_HEADS[head]) if name == named), None)
    if uid:
        return next((part for name, part in _names(("BLiMP",)) if name == _plain(uid)), None)
    found = [part for name, part in _names(tuple(BENCHMARKS)) if name == plain]
    return found[0] if len(found) == 1 else None


def _names(benchmarks: tuple[str, ...]) -> Iterator[tuple[str, Part]]:
    by_file = {file: name for name, (_, _, file) in SUBCATEGORIES.items()}
    for benchmark in benchmarks:
        for category, names in BENCHMARKS[benchmark].items():
            for name in names:
                yield _plain(name), Part(benchmark, category, by_file[name] if benchmark == FILES else name)


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", text.casefold()).strip("_")
