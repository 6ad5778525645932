"""Writes the golden renderings anew: ``python -m tests.prompts.write_golden``. Look at the diff before committing."""

from __future__ import annotations

from pathlib import Path

from gapsmith.prompts import Mode, find_prompt, prompt_context, render_prompt
from gapsmith.prompts.context import Exclusion
from gapsmith.templates import load_paradigm

FOLDER = Path(__file__).parent / "golden"

OWN = ("embwhq", "cleft_adj", "cleft_noun", "comp_quant", "topic", "tough", "wh_positions", "adjunct_pg", "atb")
"""Paradigms with a prompt of their own."""

CASES = [
    *((f"{name}.v1", name, "") for name in OWN),
    ("tough.v2", "tough", ""),
    *(("slots.v1", name, "") for name in ("subject_pg", "lan_pg", "lan_atb", "embedded_wh")),
    *(("slots.v2", name, "") for name in ("subject_pg", "lan_pg", "lan_atb", "embedded_wh")),
    ("sentences.v1", "subject_pg", "full8"),
    ("sentences.v1", "subject_pg", "lan2x2"),
    ("quality2025.v1", "subject_pg", "lan2x2"),
    ("quality2025-printed.v1", "subject_pg", "lan2x2"),
    ("repair.v1", "subject_pg", ""),
    *(("sentences.v1", name, "") for name in ("lan_pg", "lan_atb", "embedded_wh")),
]
"""Prompt, paradigm, design (empty: the paradigm's first)."""


def rendered(prompt_name: str, paradigm_name: str, design: str) -> str:
    """The prompt for 10 items, with a used word and an exclusion to tell of."""
    prompt, paradigm = find_prompt(prompt_name), load_paradigm(paradigm_name)
    slot = next((s.name for s in paradigm.visible_slots if not s.closed), paradigm.visible_slots[0].name)
    context = prompt_context(
        paradigm,
        n=10,
        mode=Mode(prompt.mode),
        design=design or None,
        used={slot: ["first", "second"]},
        excluded=[Exclusion("A sentence that was thrown out.", "implausible", "who would say so?")],
    )
    if prompt.name == "repair":
        fault = {"code": "L201", "message": "“win” can do without its object", "remedy": "Use another verb."}
        context["faulty"] = [{"words": dict(context["example"]), "faults": [fault]}] * 2
    return render_prompt(prompt, context)


def main() -> None:
    """Write every case."""
    FOLDER.mkdir(exist_ok=True)
    for case in CASES:
        (FOLDER / f"{'.'.join(part for part in case if part)}.txt").write_text(rendered(*case), encoding="utf-8")


if __name__ == "__main__":
    main()
