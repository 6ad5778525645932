"""`gapsmith runs show`: one run with its calls, or one of these."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from gapsmith.app.cli.console import print_table, print_text
from gapsmith.app.cli.runs_list import cost_of
from gapsmith.app.generated import ranges
from gapsmith.app.stages.runs_told import RunShown, call_data
from gapsmith.bank import CallRecord, Looked, request_in_words
from gapsmith.prompts import BODY, EARLIER_BODIES, RunYield, unpack_body
from gapsmith.templates import count

_BODY_CHARS = 20_000


def show(found: RunShown) -> None:
    """Print the run and a table of its calls; or one call, in words or byte for byte."""
    if found.call is None:
        print_text(_run_text(found.worth, found.looked))
        _print_calls(found.calls)
    elif found.request.raw:
        body = found.body
        sys.stdout.flush()
        sys.stdout.buffer.write(body)
    else:
        print_text(_call_text(found.call))


def _run_text(y: RunYield, looked: Looked) -> str:
    run = y.run
    tokens = ", ".join(f"{count} {name.replace('_tokens', '')}" for name, count in y.usage.as_counts().items())
    lines = [
        f"run {run.id}: {run.kind} {run.paradigm}, {run.provider} {run.model or ''}".rstrip(),
        f"started {run.started_at}, " + (f"complete {run.finished_at}" if run.finished_at else "not complete"),
        f"prompt: {run.prompt_name or 'none'}" + (f" (sha256 {run.prompt_hash[:12]})" if run.prompt_hash else ""),
        "settings: " + ", ".join(f"{k}={v}" for k, v in run.settings.items() if v is not None),
        f"request: {request_in_words(run.request)}",
        f"asked {y.asked}, returned {y.returned}, kept {y.items}, read back {y.read_back}",
        f"{count(y.duplicates, 'duplicate')}, {y.unreadable} unreadable, {y.surplus} more than asked for",
        f"linted {y.linted}, clean {y.clean}, approved {y.approved}, excluded {y.excluded}",
        f"rules on words {looked.told}",
        f"{count(y.calls, 'call')}, {count(y.attempts, 'attempt')}, {y.failed_calls} failed; tokens: {tokens or 'not told'}",
        f"cost: {cost_of(y) or 'none'}"
        + (f", ${y.cost_per_approved_usd:.4f} per approved item" if y.cost_per_approved_usd is not None else ""),
    ]
    if y.sent_back:
        lines.append(f"repair: {y.sent_back} sent back to the model with their errors, {y.mended} came back without")
        lines.append(f"without an error: {y.sound_before} of {y.items} before repair, {y.sound_after} of {y.items} after")
    if y.awaited:
        lines.append(f"in a batch that is under way: calls {ranges(y.awaited)} (gapsmith runs watch {run.id})")
    if y.unanswered:
        lines.append(f"without an answer, may have been paid: calls {ranges(y.unanswered)}")
    return "\n".join(lines)


def _print_calls(calls: Sequence[CallRecord]) -> None:
    table = Table("call", "asked", "kept", "outcome", "finish", "attempts", "ms", "cost", "error")
    for c in calls:
        table.add_row(
            str(c.number),
            str(c.request.get("n", "")),
            str(c.usage.get("kept", "")),
            c.outcome or "no answer",
            c.finish_reason or "",
            str(c.attempts),
            "" if c.latency_ms is None else str(c.latency_ms),
            "unknown" if c.cost_usd is None and c.replied_at else f"${c.cost_usd or 0:.4f}",
            Text(c.error or ""),
        )
    print_table(table)


def _call_text(c: CallRecord) -> str:
    facts = [f"{k}: {v}" for k, v in call_data(c).items() if v is not None and k not in ("counts", "details")]
    # The model of the details is the version that answered, which may be another one than the run asked for.
    told = {k: v for k, v in c.details.items() if k not in (BODY, EARLIER_BODIES)}
    facts += [f"{'answered by' if k == 'model' else k}: {v}" for k, v in told.items()]
    facts.append("counts: " + ", ".join(f"{k} {v}" for k, v in c.usage.items()))
    prompt = c.request.get("prompt")
    parts = ["\n".join(facts)]
    if prompt:
        parts.append(f"--- the prompt ---\n{prompt}")
    if c.reply is None and BODY in c.details:
        body = unpack_body(c.details[BODY]).decode("utf-8", "replace")
        parts.append(f"--- the HTTP body (--raw gives every byte) ---\n{body[:_BODY_CHARS]}")
    else:
        parts.append(f"--- the raw answer ---\n{c.reply if c.reply is not None else '(none)'}")
    return "\n".join(parts)
