"""What is to be done, from what somebody said and from the settings: the only place that reads the fields of `Settings`.

A command and the function of the same name hand over what was said; what was not said is filled in here, once for both. So no
limit, address, model or rule of a settings file holds at one door and not at the other;
``tests/gapsmith/test_settings_everywhere.py`` walks all fields, commands and functions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gapsmith.app.requests.base import UNSET, Unset, said, said_or_none
from gapsmith.app.requests.filling import filled
from gapsmith.app.settings import Settings, user_settings_file
from gapsmith.templates import ConfigError

if TYPE_CHECKING:
    from gapsmith.app.advising import Adviser
    from gapsmith.app.requests.making import Generate
    from gapsmith.app.requests.parts import Asking, Reaching, Running
    from gapsmith.app.workspace import Workspace
    from gapsmith.bank import RunRecord
    from gapsmith.prompts import Order
    from gapsmith.scoring.lm import Engine
    from gapsmith.templates import BosPolicy, Paradigm
    from gapsmith.vetting.judges import JudgeOrder
    from gapsmith.vetting.rules import RuleSelection

LEXICON = "lexicon"
"""The provider that is no model."""


def as_said(workspace: Workspace, by: str | Unset) -> Workspace:
    """The same open workspace in the eyes of whoever a request says it is."""
    if isinstance(by, Unset):
        return workspace
    from gapsmith.bank import PERSON, as_name

    as_name(by, PERSON, slashes=True)
    return replace(workspace, bank=workspace.bank.read_by(by), settings=workspace.settings.with_flags(annotator=by))


def expect_name(workspace: Workspace, what: str) -> None:
    """Raise `ConfigError` where people have roles under their names, and who asks goes by what the account is called: so it would be
    for whoever began the workspace and has not said who they are."""
    name = workspace.bank.reader
    if workspace.settings.annotator is None and workspace.bank.gate.begun_unnamed:
        raise ConfigError(
            f"{what} goes by names, and {name} is only what this account is called",
            hint=f"Say your name with --by, or as annotator in {user_settings_file()}. Where {name} leads this bank:"
            " `gapsmith bank lead NAME` hands that on to it.",
        )


def generation_order(workspace: Workspace, asked: Generate, paradigm: Paradigm) -> Order:
    """The order that is asked for, with its provider, and all that goes with asking one, filled in. Raises `ConfigError`."""
    from gapsmith.prompts import Mode, Order

    own, chosen = workspace.settings, filled(asked, workspace.settings)
    provider = said(chosen.provider, LEXICON)
    if provider == LEXICON:
        # Settings for a model are no settings for the word lists.
        own, chosen = Settings(), asked
    levels = ";".join(asked.choose) or None
    paradigm = paradigm if levels is None else paradigm.with_levels(levels)
    mode = said_or_none(asked.mode)
    return Order(
        paradigm=paradigm,
        provider=provider,
        n=said_or_none(asked.n),
        everything=asked.everything,
        model=said_or_none(chosen.model),
        base_url=said_or_none(chosen.base_url),
        send_key=_agreed_to(chosen, asked, own),
        mode=None if mode is None else Mode(mode),
        design=said_or_none(asked.design),
        prompt=said_or_none(asked.prompt),
        seed=said_or_none(asked.seed),
        temperature=said_or_none(chosen.temperature),
        max_output_tokens=said_or_none(chosen.max_output_tokens),
        thinking=said_or_none(chosen.thinking),
        n_per_call=said_or_none(chosen.n_per_call),
        concurrency=said_or_none(chosen.concurrency),
        rpm=said_or_none(chosen.rpm),
        tpm=said_or_none(chosen.tpm),
        max_cost_usd=_limit(asked, chosen, workspace.settings),
        timeout_s=said_or_none(chosen.timeout),
        top_p=said_or_none(chosen.top_p),
        tier=said_or_none(chosen.tier),
        api=said_or_none(chosen.api),
        extra_body=said_or_none(chosen.extra_body),
        band=said_or_none(asked.band),
        levels=levels,
        batch=asked.batch,
        reuse=asked.reuse,
        repair=asked.repair,
        advice=None if provider == LEXICON else adviser(workspace.settings, paradigm, workspace.root).advice(),
        free=_is_free(chosen, own),
        feedback=asked.feedback,
        new_run=asked.new_run,
        resume=said_or_none(asked.resume),
        dataset=asked.dataset,
        price_files=price_files(workspace, _own_prices(asked)),
    )


def judge_order(workspace: Workspace, provider: str, asked: Asking, *, seed: int) -> JudgeOrder:
    """How a judge of this provider is asked. Raises `ConfigError`."""
    from gapsmith.prompts import FLEX_TIMEOUT_S, check_words
    from gapsmith.prompts.providers import DEFAULT_TIMEOUT_S
    from gapsmith.vetting.judges import JudgeOrder

    # An address in the settings, and what its API takes, are those of the provider in the settings, and of no other.
    own = workspace.settings
    if own.provider != provider:
        own = replace(own, base_url=None, api=None, extra_body=None)
    chosen = filled(asked, own)
    api, tier = said_or_none(chosen.api), said_or_none(chosen.tier)
    check_words(api, tier)
    usual = JudgeOrder()
    return JudgeOrder(
        base_url=said_or_none(chosen.base_url),
        send_key=_agreed_to(chosen, asked, own),
        timeout_s=said(chosen.timeout, FLEX_TIMEOUT_S if tier else DEFAULT_TIMEOUT_S),
        temperature=said_or_none(chosen.temperature),
        top_p=said_or_none(chosen.top_p),
        tier=tier,
        api=None if api == "chat" else api,
        extra_body=said_or_none(chosen.extra_body),
        thinking=said_or_none(chosen.thinking),
        max_output_tokens=said(chosen.max_output_tokens, usual.max_output_tokens),
        max_cost_usd=_limit(asked, chosen, workspace.settings),
        concurrency=said(chosen.concurrency, usual.concurrency),
        rpm=said_or_none(chosen.rpm),
        tpm=said_or_none(chosen.tpm),
        seed=seed,
        price_files=price_files(workspace, _own_prices(asked)),
        free=_is_free(chosen, own),
    )


@dataclass(frozen=True, slots=True)
class Watching:
    """How the batch of a run is looked after."""

    send_key: bool
    timeout_s: float | None
    price_files: tuple[Path, ...]


def watching(workspace: Workspace, run: RunRecord, asked: Reaching, environment: Mapping[str, str]) -> Watching:
    """How the batch of a run is looked after. Raises `ConfigError`."""
    from gapsmith.prompts.providers import Destination, addresses_in, may_send_key

    # The bank may be somebody else's, like a workspace's file.
    own = workspace.settings
    known = addresses_in(environment) | _named_by_the_owner(own)
    address = run.parameters.get("base_url")
    to = Destination(address, True, own_addresses=known, agreed=own.send_key_to or (), named=_own_word(asked, "send_key_to"))
    timeout_s = said_or_none(filled(asked, own).timeout)
    return Watching(may_send_key(to), timeout_s, price_files(workspace, _own_prices(asked)))


def _agreed_to(chosen: Asking, asked: Asking, settings: Settings) -> bool:
    """Whether keys may go to the address that is chosen. Raises `ConfigError`."""
    from gapsmith.prompts.providers import Destination, may_send_key

    of_a_file = "base_url" in asked.from_file or (asked.base_url is UNSET and settings.base_url_is_foreign)
    to = Destination(
        said_or_none(chosen.base_url),
        of_a_file,
        own_addresses=_named_by_the_owner(settings),
        agreed=settings.send_key_to or (),
        named=_own_word(asked, "send_key_to"),
    )
    return may_send_key(to)


def _named_by_the_owner(settings: Settings) -> set[str]:
    """The address of the user's own settings."""
    return {settings.base_url} if settings.base_url and not settings.base_url_is_foreign else set()


def _own_word(asked: Reaching, name: str) -> str | None:
    """What was said and is for the owner of the keys to say. Raises `ConfigError` where a file says it."""
    if name in asked.from_file:
        setting = "free_hosts" if name == "free" else name
        raise ConfigError(
            f"{name} is not for a file to say",
            hint=f"Say it yourself: --{name.replace('_', '-')}, in Python {name}=, or {setting} in {user_settings_file()}.",
        )
    return said_or_none(getattr(asked, name))


def _limit(asked: Asking, chosen: Asking, settings: Settings) -> float | None:
    """What may be spent: what was asked for, else the settings' limit. A file can lower it, and neither raise nor lift it."""
    limit = said_or_none(chosen.max_cost)
    if "max_cost" not in asked.from_file or settings.max_cost is None:
        return limit
    return settings.max_cost if limit is None else min(limit, settings.max_cost)


def _own_prices(asked: Reaching) -> Path | None:
    """The price file that was named. Raises `ConfigError` where a file names it, whose prices no limit could hold against."""
    return None if _own_word(asked, "prices") is None else said_or_none(asked.prices)


def _is_free(chosen: Asking, settings: Settings) -> bool:
    """Whether the server charges nothing, so that no limit holds. Raises `ConfigError` where a file says so."""
    from gapsmith.prompts.providers import is_host_of

    return bool(_own_word(chosen, "free")) or is_host_of(settings.free_hosts or (), said_or_none(chosen.base_url))


def price_files(workspace: Workspace, named: Path | None) -> tuple[Path, ...]:
    """The price files that count: the one named, the workspace's, the user's."""
    usual = [workspace.root / "prices.toml", user_settings_file().parent / "prices.toml"]
    return (*([named] if named else []), *(path for path in usual if path.is_file()))


@dataclass(frozen=True, slots=True)
class Scoring:
    """The model that scores and how it is run."""

    model: str
    engine: str
    dtype: str
    device: str
    batch_size: int
    kernel: str

    def open(
        self,
        *,
        revision: str | None = None,
        bos: BosPolicy | None = None,
        notice: Callable[[str], None] | None = None,
        opener: Callable[..., Engine] | None = None,
    ) -> Engine:
        """The engine; with `opener` one that is elsewhere."""
        from gapsmith.scoring.lm import open_engine

        more: dict[str, Any] = {"bos": bos, "notice": notice}
        return (opener or open_engine)(
            name=self.model,
            revision=revision,
            dtype=self.dtype,
            device=self.device,
            engine=self.engine,
            batch_size=self.batch_size,
            kernel=self.kernel,
            **{name: said for name, said in more.items() if said is not None},
        )


def scoring(settings: Settings, running: Running | None = None, *, model: str | None = None, engine: str = "auto") -> Scoring:
    """What scores. Raises `ConfigError` where the engine knows no model of its own and none is named."""
    from gapsmith.app.requests.parts import Running
    from gapsmith.scoring.lm import DEFAULT_BATCH_SIZE, model_for

    asked = filled(running or Running(), settings)
    return Scoring(
        # The settings' model is one of ours, which an engine of another package need not know.
        model_for(engine, model, settings.model),
        engine,
        said(asked.dtype, "float32"),
        said(asked.device, "auto"),
        said(asked.batch_size, DEFAULT_BATCH_SIZE),
        said(asked.kernel, "auto"),
    )


def device_for(settings: Settings, device: str | None) -> str:
    """Where something other than scores is computed."""
    return device or settings.device or "auto"


def preferred_model(settings: Settings) -> str | None:
    """Whose scores are analysed where nobody names a model."""
    return settings.model


def models_compared(settings: Settings, named: Sequence[str], *, all_side_by_side: bool = False) -> list[str]:
    """Whose scores are compared: those of the models that are named, else of the settings' one, unless all are asked for."""
    if named or settings.model is None or all_side_by_side:
        return list(named)
    return [settings.model]


def lint_rules(settings: Settings, select: Sequence[str] = (), ignore: Sequence[str] = ()) -> RuleSelection:
    """The rules that read items, and what their findings weigh."""
    from gapsmith.vetting.rules import RuleSelection

    return RuleSelection(tuple(select), tuple(ignore)).with_settings(settings.rules)


def rulesets(workspace: Workspace) -> dict[str, str]:
    """By paradigm, what a lint has to rest on to count for a policy."""
    from gapsmith.vetting import stored_ruleset
    from gapsmith.vetting.rules import load_knowledge

    knowledge, rules = load_knowledge(workspace.root), lint_rules(workspace.settings)
    names = workspace.bank.paradigms.names()
    return {name: stored_ruleset(workspace.bank, name, rules, knowledge) for name in names}


def linter_rules(workspace: Workspace) -> str:
    """The rules and word lists with which the linter reads items here, whatever paradigm they are of."""
    from gapsmith.vetting.rules import load_knowledge, ruleset_of

    return ruleset_of(lint_rules(workspace.settings), load_knowledge(workspace.root))


def adviser(settings: Settings, paradigm: Paradigm, root: Path | None) -> Adviser:
    """Who asks the linter about words, for prompts and repair."""
    from gapsmith.app.advising import Adviser

    return Adviser(paradigm, root, rules=lint_rules(settings))


def review_parser(settings: Settings) -> str:
    """Whose parses the review shows."""
    return settings.parser or "embedded"
