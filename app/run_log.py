"""What a failed run asked of whom and what came back, in a file beside the bank: to look into, or to show to somebody.

Without headers, and without keys: whatever in the environment or in the texts is one is taken out by `gapsmith.prompts.scrub`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from gapsmith.bank import Bank, CallRecord, RunRecord, request_in_words
from gapsmith.prompts import BODY, EARLIER_BODIES, keys_in, scrub, unpack_body, visible
from gapsmith.templates import VERSION

_OK = "ok"
_BODY_CHARS = 20_000


def write_run_log(bank: Bank, run_id: int, why: str, environment: Mapping[str, str]) -> Path | None:
    """Write ``run-RUN.log`` beside the bank, in the place of an earlier one; None where nothing was asked, or the disk refuses."""
    run, calls = bank.runs.get(run_id), list(bank.runs.each_call(run_id))
    if not calls:
        return None
    lines = [*_about(run, why), *(line for call in calls for line in _of_call(bank, run, call))]
    path = bank.path.resolve().parent / f"run-{run_id}.log"
    try:
        path.write_text(visible(scrub("\n".join(lines) + "\n", keys_in(environment))), encoding="utf-8")
    except OSError:
        # The failure itself is what has to be told.
        return None
    return path


def _about(run: RunRecord, why: str) -> list[str]:
    told = {name: value for name, value in run.settings.items() if value is not None}
    return [
        f"gapsmith {VERSION}, run {run.id} ({run.kind} {run.paradigm}), begun {run.started_at}",
        f"asked: {run.provider} {run.model or ''}".rstrip() + f" at {run.parameters.get('base_url') or 'the service itself'}",
        f"request: {request_in_words(run.request)}",
        f"prompt: {run.prompt_name or 'none'}",
        *(f"{name}: {value}" for name, value in told.items() if name != "base_url"),
        f"ended: {why}",
    ]


def _of_call(bank: Bank, run: RunRecord, call: CallRecord) -> list[str]:
    head = f"call {call.number}: asked {call.intended_at}, answered {call.replied_at or 'never: it may have been paid'}"
    facts = {
        "outcome": call.outcome,
        "finish reason": call.finish_reason,
        "attempts": call.attempts,
        "ms": call.latency_ms,
        "cost in dollars": call.cost_usd,
        "counts": dict(call.usage) or None,
        "error": call.error,
        **{name: value for name, value in call.details.items() if name not in (BODY, EARLIER_BODIES)},
    }
    lines = ["", head, *(f"  {name}: {value}" for name, value in facts.items() if value is not None)]
    if call.outcome == _OK:
        return lines
    prompt = bank.gate.shown_request(run, call.request).get("prompt")
    bodies = [*call.details.get(EARLIER_BODIES, ()), *([call.details[BODY]] if BODY in call.details else ())]
    lines += ["  --- asked ---", str(prompt)] if prompt else []
    for body in bodies:
        lines += ["  --- came back ---", unpack_body(body).decode("utf-8", "replace")[:_BODY_CHARS]]
    return lines
