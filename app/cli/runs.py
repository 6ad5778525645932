"""`gapsmith runs`: what was asked for, what came back, what it was worth, and where an item is from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import DatasetOption, JsonOption, ParadigmOption, WorkspaceOption
from gapsmith.templates import COUNT_OR_NONE, NUMBER_IN_BANK, count

if TYPE_CHECKING:
    from rich.text import Text

    from gapsmith.bank import Bank, CallRecord
    from gapsmith.prompts import PooledYield, RunYield

_BODY_CHARS = 20_000
_COUNTS = ("asked", "re-\nturned", "read\nback", "items", "clean", "ap-\nproved", "cost", "per ap-\nproved")

app = typer.Typer(help="Runs: list them, show one and its calls, trace an item, watch a batch.", no_args_is_help=True)


def register(root: typer.Typer) -> None:
    """Add the commands."""
    root.add_typer(app, name="runs")


@app.command("list")
def list_runs(paradigm: ParadigmOption = None, workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """Every run with its yield: asked, returned, read back, clean, approved, and what an approved item cost."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Column, Table

    from gapsmith.app.cli.console import note, print_json, print_table
    from gapsmith.app.cli.door import spoken
    from gapsmith.app.stages.looking import look_or_say
    from gapsmith.app.workspace import open_workspace
    from gapsmith.bank import ItemFilter
    from gapsmith.prompts import run_yield

    with open_workspace(workspace) as ws:
        look_or_say(ws.bank, ItemFilter(paradigm=paradigm), spoken(), look=False)
        runs = [run for run in ws.bank.runs.all() if paradigm in (None, run.paradigm)]
        yields = [run_yield(ws.bank, run) for run in runs]
    if as_json:
        print_json([_yield_data(y) for y in yields])
        return
    if not yields:
        note("There are no runs yet.")
        return
    # What has words shares one column, one line for each, so that nothing is cut on a terminal of 80 columns.
    what = Column("paradigm\nprovider, model\nprompt", overflow="fold")
    table = Table(Column("run", no_wrap=True), what, box=SIMPLE_HEAD, padding=0, show_edge=False, leading=1)
    for name in _COUNTS:
        table.add_column(name, justify="right", no_wrap=True, vertical="top")
    for y in yields:
        table.add_row(*_yield_row(y))
    print_table(table)


@app.command("compare")
def compare(
    runs: Annotated[
        list[int] | None,
        typer.Argument(parser=given(NUMBER_IN_BANK), metavar="[RUN]...", help="These runs (default: all generations)."),
    ] = None,
    paradigm: ParadigmOption = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Prompts and models side by side: what their runs brought, and what an approved item cost with each."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Column, Table

    from gapsmith.app.cli.console import note, print_json, print_table
    from gapsmith.app.cli.door import spoken
    from gapsmith.app.stages.looking import look_or_say
    from gapsmith.app.workspace import open_workspace
    from gapsmith.bank import ItemFilter
    from gapsmith.prompts import compare_runs, run_yield

    with open_workspace(workspace) as ws:
        look_or_say(ws.bank, ItemFilter(paradigm=paradigm), spoken(), look=False)
        chosen = [ws.bank.runs.get(number) for number in dict.fromkeys(runs)] if runs else ws.bank.runs.all()
        made = [run for run in chosen if run.kind == "generate" and paradigm in (None, run.paradigm)]
        compared = compare_runs([run_yield(ws.bank, run) for run in made])
    if as_json:
        print_json([line.as_data() for line in compared])
        return
    if not compared:
        note("There are no generations to compare.")
        return
    what = Column("paradigm\nprovider, model\nprompt", overflow="fold")
    table = Table(what, box=SIMPLE_HEAD, padding=0, show_edge=False, leading=1)
    for name in _COUNTS:
        table.add_column(name, justify="right", no_wrap=True, vertical="top")
    for line in compared:
        table.add_row(*_compared_row(line))
    print_table(table)


@app.command("show")
def show(
    run_id: Annotated[
        int,
        typer.Argument(parser=given(NUMBER_IN_BANK), metavar="RUN", help="The run's number in `gapsmith runs list`."),
    ],
    call: Annotated[
        int | None,
        typer.Option(parser=given(COUNT_OR_NONE), help="Show this call: its prompt and its raw answer.", show_default=False),
    ] = None,
    raw: Annotated[bool, typer.Option("--raw", help="With --call: the HTTP body, byte for byte.")] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """One run: its settings, its yield and its calls; with --call, one call with its raw answer."""
    from dataclasses import replace

    from gapsmith.app.cli.console import print_json, print_text
    from gapsmith.app.cli.door import spoken
    from gapsmith.app.stages.looking import look_or_say
    from gapsmith.app.workspace import open_workspace
    from gapsmith.bank import ItemFilter
    from gapsmith.prompts import run_yield
    from gapsmith.templates import ConfigError

    with open_workspace(workspace) as ws:
        run = ws.bank.runs.get(run_id)
        calls = list(ws.bank.runs.each_call(run_id))
        if call is not None:
            chosen = next((c for c in calls if c.number == call), None)
            if chosen is None:
                raise ConfigError(f"run {run_id} has no call {call}", hint=f"It has the calls 0 to {len(calls) - 1}.")
            chosen = replace(chosen, request=ws.bank.gate.shown_request(run, chosen.request))
            if raw:
                _print_body(chosen)
            elif as_json:
                print_json(_call_data(chosen, full=True))
            else:
                print_text(_call_text(chosen))
            return
        look_or_say(ws.bank, ItemFilter(run_id=run_id), spoken(), look=False)
        worth = run_yield(ws.bank, run)
        if as_json:
            print_json({**_yield_data(worth), "calls_made": [_call_data(c) for c in calls]})
            return
        print_text(_run_text(worth))
        _print_calls(calls)


@app.command("item")
def item(
    label: Annotated[str, typer.Argument(help="The item's id in its data set, as `gapsmith lint` shows it.")],
    paradigm: ParadigmOption = None,
    dataset: DatasetOption = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Where an item is from: run, prompt version, call and raw answer."""
    from gapsmith.app.cli.console import print_json, print_text
    from gapsmith.app.workspace import open_workspace
    from gapsmith.bank import ItemFilter, naming
    from gapsmith.templates import ConfigError

    with open_workspace(workspace) as ws:
        found = list(ws.bank.items.iterate(ItemFilter(paradigm=paradigm, dataset=dataset, labels=(label,))))
        if len(found) != 1:
            several = ", ".join(f"{i.paradigm}/{i.dataset}" for i in found)
            raise ConfigError(
                f"{len(found)} items are called {label!r}" + (f": {several}" if several else ""),
                hint="Narrow it with -p PARADIGM and -d DATASET." if found else "`gapsmith lint` lists the items.",
            )
        origin = _origin(ws.bank, found[0].run_id, found[0].call_id)
    if as_json:
        print_json(
            {
                "item": label,
                **naming(found[0]),
                "paradigm": found[0].paradigm,
                "dataset": found[0].dataset,
                **origin,
            }
        )
        return
    answer = origin.pop("reply", None)
    lines = [f"{name}: {value}" for name, value in origin.items() if value is not None]
    print_text("\n".join(lines) + (f"\n--- the raw answer ---\n{answer}" if answer else ""))


def _origin(bank: Bank, run_id: int, call_id: int | None) -> dict[str, Any]:
    run = bank.runs.get(run_id)
    call = bank.runs.call(call_id) if call_id is not None else None
    return {
        "run": run.id,
        "kind": run.kind,
        "provider": run.provider,
        "model": run.model,
        "prompt": run.prompt_name,
        "prompt_hash": run.prompt_hash,
        "call": call.number if call else None,
        "finish_reason": call.finish_reason if call else None,
        "answered_by": call.details.get("model") if call else None,
        "at": call.replied_at if call else run.started_at,
        "reply": call.reply if call else None,
    }


def _yield_data(y: RunYield) -> dict[str, Any]:
    from dataclasses import asdict

    run = y.run
    counts = {name: value for name, value in asdict(y).items() if name not in ("run", "usage")}
    return {
        "run": run.id,
        "kind": run.kind,
        "paradigm": run.paradigm,
        "provider": run.provider,
        "model": run.model,
        "prompt": run.prompt_name,
        "prompt_hash": run.prompt_hash,
        "parameters": dict(run.parameters),
        "started_at": run.started_at,
        "finished_at": run.finished_at,
        **counts,
        "tokens": y.usage.as_counts(),
        "cost_per_approved_usd": y.cost_per_approved_usd,
    }


def _yield_row(y: RunYield) -> list[str | Text]:
    from rich.text import Text

    run = y.run
    by = run.provider if run.model is None else f"{run.provider} {run.model}"
    what = (run.paradigm, by, run.prompt_name, None if run.finished_at else "(open)")
    generated = run.kind == "generate"
    return [
        str(run.id),
        Text("\n".join(words for words in what if words)),
        str(y.asked) if generated else "",
        str(y.returned) if generated else "",
        str(y.read_back),
        str(y.items),
        str(y.clean) if y.linted == y.items else f"{y.clean}\nof {y.linted}" if y.linted else "?",
        str(y.approved),
        _cost(y).replace(" $", "\n$"),
        "" if y.cost_per_approved_usd is None else f"${y.cost_per_approved_usd:.4f}",
    ]


def _compared_row(line: PooledYield) -> list[str | Text]:
    from rich.text import Text

    by = f"{line.provider} {line.model or ''}".strip()
    cost, each = line.cost_usd, line.cost_per_approved_usd
    return [
        Text("\n".join(words for words in (line.paradigm, by, line.prompt) if words)),
        *(str(count) for count in (line.asked, line.returned, line.read_back, line.items)),
        f"{line.clean}\nof {line.linted}" if line.linted else "?",
        str(line.approved),
        "unknown" if cost is None else f"${cost:.4f}",
        "" if each is None else f"${each:.4f}",
    ]


def _cost(y: RunYield) -> str:
    if y.calls == 0:
        return ""
    if y.cost_usd is None:
        return "unknown"
    atleast = "at least " if y.calls_of_unknown_cost or y.unanswered else ""
    return f"{atleast}${y.cost_usd:.4f}"


def _run_text(y: RunYield) -> str:
    from gapsmith.app.generated import ranges

    run = y.run
    tokens = ", ".join(f"{count} {name.replace('_tokens', '')}" for name, count in y.usage.as_counts().items())
    lines = [
        f"run {run.id}: {run.kind} {run.paradigm}, {run.provider} {run.model or ''}".rstrip(),
        f"started {run.started_at}, " + (f"complete {run.finished_at}" if run.finished_at else "not complete"),
        f"prompt: {run.prompt_name or 'none'}" + (f" (sha256 {run.prompt_hash[:12]})" if run.prompt_hash else ""),
        "settings: " + ", ".join(f"{k}={v}" for k, v in run.parameters.items() if v is not None),
        f"asked {y.asked}, returned {y.returned}, kept {y.items}, read back {y.read_back}",
        f"{count(y.duplicates, 'duplicate')}, {y.unreadable} unreadable, {y.surplus} more than asked for",
        f"linted {y.linted}, clean {y.clean}, approved {y.approved}, excluded {y.excluded}",
        f"{count(y.calls, 'call')}, {count(y.attempts, 'attempt')}, {y.failed_calls} failed; tokens: {tokens or 'not told'}",
        f"cost: {_cost(y) or 'none'}"
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


def _print_calls(calls: list[CallRecord]) -> None:
    from rich.table import Table
    from rich.text import Text

    from gapsmith.app.cli.console import print_table

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


def _print_body(c: CallRecord) -> None:
    import sys

    from gapsmith.prompts import BODY, unpack_body
    from gapsmith.templates import ConfigError

    if BODY not in c.details:
        raise ConfigError(f"call {c.number} has no HTTP body", hint="Leave out --raw to see what there is.")
    sys.stdout.flush()
    sys.stdout.buffer.write(unpack_body(c.details[BODY]))


def _call_data(c: CallRecord, *, full: bool = False) -> dict[str, Any]:
    from gapsmith.prompts import BODY, EARLIER_BODIES

    data: dict[str, Any] = {
        "call": c.number,
        "asked": c.request.get("n"),
        "intended_at": c.intended_at,
        "replied_at": c.replied_at,
        "outcome": c.outcome,
        "finish_reason": c.finish_reason,
        "counts": dict(c.usage),
        "attempts": c.attempts,
        "latency_ms": c.latency_ms,
        "cost_usd": c.cost_usd,
        "error": c.error,
        "details": {name: value for name, value in c.details.items() if name not in (BODY, EARLIER_BODIES)},
    }
    return {**data, "request": dict(c.request), "reply": c.reply} if full else data


def _call_text(c: CallRecord) -> str:
    from gapsmith.prompts import BODY, EARLIER_BODIES, unpack_body

    facts = [f"{k}: {v}" for k, v in _call_data(c).items() if v is not None and k not in ("counts", "details")]
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
