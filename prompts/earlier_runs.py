"""The plans of generation runs that the bank keeps, those of release 0.1.0 among them."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path

from gapsmith.bank import Bank, BankError, RunRecord
from gapsmith.prompts.files import PromptFile, versioned_prompt
from gapsmith.prompts.plan import GenerationPlan
from gapsmith.prompts.request import Mode, ModelParameters
from gapsmith.templates import GapsmithError, Paradigm, json_sha256, text_sha256

_OLD = "0.1.0:"
"""How the migration marks the identities of runs of release 0.1.0."""


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
            identity = plan.identity
        except (GapsmithError, BankError, KeyError, ValueError):
            continue
        if bank.runs.find(identity) is None:
            bank.runs.rename(run.id, identity, {**run.parameters, "order": plan.order_digest})


def plan_of(bank: Bank, run: RunRecord, *, resumed: bool = True) -> GenerationPlan:
    """The plan of a run as far as the bank keeps it: everything that its answers are read with. Raises `BankError`."""
    said = dict(run.parameters)
    mode = Mode(said["mode"])
    prompt = None
    if run.prompt_name is not None:
        name, _, version = run.prompt_name.rpartition(".v")
        text = run.prompt_text or ""
        if version.isdecimal() and name and text.startswith("{#"):
            prompt = versioned_prompt(Path(f"{run.prompt_name}.jinja"), text, name, int(version))
        else:
            n = int(said["n_per_call"])
            prompt = PromptFile(run.prompt_name, 0, mode, "", text, Path(run.prompt_name), shipped=False, plain=True, n=n)
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
    return json_sha256(decisive, ascii_only=True)


def _words_0_1_0(paradigm: Paradigm) -> str:
    contents = [entry for lexicon in paradigm.lexicon_contents for entry in lexicon or ()]
    return text_sha256(json.dumps(contents, ensure_ascii=False))
