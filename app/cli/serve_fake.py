"""`gapsmith serve-fake`: a stand-in for a model provider on this machine, to try the whole path without a key."""

from __future__ import annotations

from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import WorkspaceOption
from gapsmith.templates import COUNT, DELAY, PORT, SEED


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("serve-fake")(serve_fake)


def serve_fake(
    paradigm: Annotated[str, typer.Argument(help="The paradigm whose word lists the answers are drawn from.")],
    port: Annotated[int, typer.Option(parser=given(PORT), help="On this machine only; 0 takes any free one.")] = 8766,
    latency: Annotated[float, typer.Option(parser=given(DELAY), help="Seconds that each answer takes.")] = 0.2,
    misbehave: Annotated[
        str | None,
        typer.Option(help="Answer badly now and then: truncated, minute_limit, prose …", show_default=False),
    ] = None,
    every: Annotated[int, typer.Option(parser=given(COUNT), help="Misbehave in every so-manieth answer.")] = 3,
    seed: Annotated[int, typer.Option(parser=given(SEED), help="For the word lists.")] = 1,
    workspace: WorkspaceOption = None,
) -> None:
    """Speak the Gemini and the OpenAI API on this machine, with answers from a paradigm's word lists.

    No model is behind it and nothing is paid: it is for trying out `generate --provider gemini` or `openai`, and how
    gapsmith meets truncated answers, limits and failures. A batch has come back at the first look. Stop it with Ctrl-C."""
    import threading

    from gapsmith.app.cli.console import note, print_text
    from gapsmith.app.workspace import find_workspace
    from gapsmith.prompts.fake import Behaviour, FakeServer, SeenRequest
    from gapsmith.templates import ConfigError, expect_lexicons, load_paradigm

    if misbehave is not None and misbehave not in set(Behaviour):
        raise ConfigError(f"--misbehave {misbehave!r} is not known", hint=f"There are: {', '.join(Behaviour)}.")
    bad = Behaviour(misbehave or Behaviour.WELL)

    def script(seen: SeenRequest) -> Behaviour:
        return bad if seen.number % every == every - 1 else Behaviour.WELL

    answered = load_paradigm(paradigm, find_workspace(workspace))
    expect_lexicons(answered)
    try:
        server = FakeServer(
            answered,
            script=script,
            latency_s=latency,
            wait_s=2.0,
            seed=seed,
            port=port,
        )
    except OSError as error:
        raise ConfigError(f"port {port} cannot be used ({error.strerror})", hint="Give another --port.") from None
    with server:
        print_text(
            f"gapsmith generate {paradigm} --provider gemini --model fake --base-url {server.url}\n"
            f"gapsmith generate {paradigm} --provider openai --model fake --base-url {server.openai_url}"
        )
        note("Serving until Ctrl-C. No model is behind this: the words come from the paradigm's lists.")
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            note(f"{len(server.requests)} requests were answered.")
