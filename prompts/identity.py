"""What makes two generation orders the same run: what is ordered, and what is sent.

A run is bound to what the provider is sent: the prompt as it reads before any word is used up, the schema of the answer, the
model's parameters; for the word lists, which are sent nothing, to the paradigm's form and words. A comment in a paradigm
file, a contrast or a title that no prompt shows changes none of it.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

from gapsmith.bank import Bank, BankError, RunRecord
from gapsmith.prompts.context import prompt_context
from gapsmith.prompts.files import PromptFile
from gapsmith.prompts.plan import GenerationPlan
from gapsmith.prompts.rendering import render_prompt
from gapsmith.prompts.request import Mode, ModelParameters
from gapsmith.prompts.schema import slot_schema
from gapsmith.templates import GapsmithError, Paradigm

_OLD = "0.1.0:"
"""How the migration marks the identities of runs of release 0.1.0."""


def order_digest(plan: GenerationPlan) -> str:
    """SHA-256 of what is ordered: everything that the user chose but the content of paradigm and prompt."""
    return _digest(_ordered(plan))


def identity_of(plan: GenerationPlan) -> str:
    """SHA-256 of what is ordered and what is sent."""
    if plan.resumed is not None:
        return plan.resumed
    return _digest({**_ordered(plan), "sent": _sent(plan)})


def _ordered(plan: GenerationPlan) -> dict[str, Any]:
    return {
        "paradigm": plan.paradigm.name,
        "provider": plan.provider,
        "base_url": plan.base_url,
        "n": plan.n,
        "mode": plan.mode.value,
        "design": plan.design,
        "parameters": {name: value for name, value in asdict(plan.parameters).items() if value is not None},
        "feedback": plan.feedback,
        "dataset": plan.dataset,
        "repeat": plan.repeat,
    }


def _sent(plan: GenerationPlan) -> dict[str, Any]:
    if plan.prompt is None:
        return {"form": plan.paradigm.form_digest, "words": plan.paradigm.words_digest}
    context = prompt_context(plan.paradigm, n=1, mode=plan.mode, design=plan.design)
    schema = slot_schema(plan.paradigm) if plan.mode is Mode.SLOTS else None
    return {"prompt": render_prompt(plan.prompt, context), "schema": schema}


def _digest(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def adopt_old_runs(bank: Bank) -> None:
    """Give the generation runs of release 0.1.0 the identities that they have by today's rules, so that they can be resumed.

    What they were sent is worked out from what the bank kept. A run of the word lists whose lists have changed since, or whose
    paradigm or prompt no longer reads, keeps its old identity: no order of today is the same."""
    for run in bank.runs.all():
        if run.kind != "generate" or not run.identity.startswith(_OLD):
            continue
        try:
            plan = plan_of(bank, run, resumed=False)
            if plan.prompt is None and _identity_0_1_0(plan) != run.identity.removeprefix(_OLD):
                continue
            identity = identity_of(plan)
        except (GapsmithError, BankError, KeyError, ValueError):
            continue
        if bank.runs.find(identity) is None:
            bank.runs.rename(run.id, identity, {**run.parameters, "order": order_digest(plan)})


def plan_of(bank: Bank, run: RunRecord, *, resumed: bool = True) -> GenerationPlan:
    """The plan of a run as far as the bank keeps it: everything that its answers are read with. Raises `BankError`."""
    said = dict(run.parameters)
    mode = Mode(said["mode"])
    prompt = None
    if run.prompt_name is not None:
        name, _, version = run.prompt_name.rpartition(".v")
        text = run.prompt_text or ""
        where = Path(run.prompt_name)
        if version.isdecimal() and name:
            prompt = PromptFile(name, int(version), mode, "", text, where, shipped=False)
        else:
            n = int(said["n_per_call"])
            prompt = PromptFile(run.prompt_name, 0, mode, "", text, where, shipped=False, plain=True, n=n)
    parameters = {f.name: said.get(f.name) for f in fields(ModelParameters)}
    paradigm = bank.paradigms.load(run.paradigm_id)
    return GenerationPlan(
        paradigm=paradigm.with_levels(said["levels"]) if said.get("levels") else paradigm,
        provider=run.provider,
        n=said["n"],
        n_per_call=said["n_per_call"],
        mode=mode,
        design=said["design"],
        parameters=replace(ModelParameters(), **parameters),
        base_url=said["base_url"],
        prompt=prompt,
        feedback=said["feedback"],
        dataset=said["dataset"],
        repeat=said["repeat"],
        api_version=said.get("api_version"),
        free=bool(said.get("free")),
        resumed=run.identity if resumed else None,
    )


def _identity_0_1_0(plan: GenerationPlan) -> str:
    """As release 0.1.0 worked it out for the word lists."""
    decisive = {
        "paradigm": plan.paradigm.digest,
        "provider": plan.provider,
        "base_url": plan.base_url,
        "n": plan.n,
        "mode": plan.mode.value,
        "design": plan.design,
        "parameters": {
            name: getattr(plan.parameters, name) for name in ("model", "temperature", "seed", "max_output_tokens", "thinking")
        },
        "prompt": None,
        "feedback": plan.feedback,
        "dataset": plan.dataset,
        "repeat": plan.repeat,
        "words": _words_0_1_0(plan.paradigm),
    }
    return hashlib.sha256(json.dumps(decisive, sort_keys=True).encode()).hexdigest()


def _words_0_1_0(paradigm: Paradigm) -> str:
    from gapsmith.templates import lexicon_contents

    contents = [entry for lexicon in lexicon_contents(paradigm) for entry in lexicon or ()]
    return hashlib.sha256(json.dumps(contents, ensure_ascii=False).encode()).hexdigest()
