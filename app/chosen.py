"""What is to be done, from what somebody said and from the settings: the only place that reads the fields of `Settings`.

A command and the function of the same name hand over what was said; what was not said is filled in here, once for both. So no
limit, address, model or rule of a settings file holds at one door and not at the other;
``tests/gapsmith/test_settings_everywhere.py`` walks all fields, commands and functions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from gapsmith.app.settings import Settings, user_settings_file
from gapsmith.templates import COUNT, DOLLARS, PER_MINUTE, TEMPERATURE, TIMEOUT, TOP_P, check_fields

if TYPE_CHECKING:
    from gapsmith.app.advising import Adviser
    from gapsmith.app.workspace import Workspace
    from gapsmith.bank import RunRecord
    from gapsmith.prompts import Order
    from gapsmith.scoring.lm import BosPolicy, Engine
    from gapsmith.templates import Paradigm
    from gapsmith.vetting.judges import JudgeOrder
    from gapsmith.vetting.rules import RuleSelection

LEXICON = "lexicon"
"""The provider that is no model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """What was said of asking a model. None: nothing, and the settings hold. Raises `ConfigError` for a number that none of these
    can be."""

    provider: str | None = None
    model: str | None = None
    base_url: str | None = None
    send_key_to: str | None = None
    """A host that may get the key although only a workspace names it."""
    temperature: Annotated[float | None, TEMPERATURE] = None
    top_p: Annotated[float | None, TOP_P] = None
    tier: str | None = None
    api: str | None = None
    extra_body: str | None = None
    thinking: str | None = None
    max_output_tokens: Annotated[int | None, COUNT] = None
    timeout: Annotated[float | None, TIMEOUT] = None
    n_per_call: Annotated[int | None, COUNT] = None
    concurrency: Annotated[int | None, COUNT] = None
    rpm: Annotated[float | None, PER_MINUTE] = None
    tpm: Annotated[float | None, PER_MINUTE] = None
    max_cost: Annotated[float | None, DOLLARS] = None
    free: bool = False
    prices: Path | None = None

    def __post_init__(self) -> None:
        check_fields(self)

    def over(self, settings: Settings) -> Settings:
        """The settings with what was said in their place."""
        other = ("model", "send_key_to", "free", "prices")
        said = {entry.name: getattr(self, entry.name) for entry in fields(self) if entry.name not in other}
        return settings.with_flags(**said, provider_model=self.model)


def generation_order(workspace: Workspace, order: Order, asked: Asking) -> Order:
    """The order with its provider, and all that goes with asking one, filled in. Raises `ConfigError`."""
    chosen = asked.over(workspace.settings)
    if chosen.provider in (None, LEXICON):
        # Settings for a model are no settings for the word lists.
        chosen = asked.over(Settings())
    provider = chosen.provider or LEXICON
    paradigm = order.paradigm if order.levels is None else order.paradigm.with_levels(order.levels)
    return replace(
        order,
        paradigm=paradigm,
        provider=provider,
        model=chosen.provider_model,
        base_url=chosen.base_url,
        send_key=_agreed_to(chosen, asked),
        temperature=chosen.temperature,
        top_p=chosen.top_p,
        tier=chosen.tier,
        api=chosen.api,
        extra_body=chosen.extra_body,
        thinking=chosen.thinking,
        max_output_tokens=chosen.max_output_tokens,
        timeout_s=chosen.timeout,
        n_per_call=chosen.n_per_call,
        concurrency=chosen.concurrency,
        rpm=chosen.rpm,
        tpm=chosen.tpm,
        max_cost_usd=chosen.max_cost,
        free=asked.free or _is_free(chosen),
        advice=None if provider == LEXICON else adviser(workspace.settings, paradigm, workspace.root).advice(),
        price_files=price_files(workspace, asked.prices),
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
    chosen = asked.over(own)
    check_words(chosen.api, chosen.tier)
    usual = JudgeOrder()
    return JudgeOrder(
        base_url=chosen.base_url,
        send_key=_agreed_to(chosen, asked),
        timeout_s=chosen.timeout or (FLEX_TIMEOUT_S if chosen.tier else DEFAULT_TIMEOUT_S),
        temperature=chosen.temperature,
        top_p=chosen.top_p,
        tier=chosen.tier,
        api=None if chosen.api == "chat" else chosen.api,
        extra_body=chosen.extra_body,
        thinking=chosen.thinking,
        max_output_tokens=chosen.max_output_tokens or usual.max_output_tokens,
        max_cost_usd=chosen.max_cost,
        concurrency=chosen.concurrency or usual.concurrency,
        rpm=chosen.rpm,
        tpm=chosen.tpm,
        seed=seed,
        price_files=price_files(workspace, asked.prices),
        free=_is_free(chosen),
    )


@dataclass(frozen=True, slots=True)
class Watching:
    """How the batch of a run is looked after."""

    send_key: bool
    timeout_s: float | None
    price_files: tuple[Path, ...]


def watching(workspace: Workspace, run: RunRecord, asked: Asking, environment: Mapping[str, str]) -> Watching:
    """How the batch of a run is looked after. Raises `ConfigError`."""
    from gapsmith.prompts.providers import Destination, addresses_in, may_send_key

    # The bank may be somebody else's, like a workspace's file.
    own = workspace.settings
    known = addresses_in(environment) | ({own.base_url} if own.base_url and not own.base_url_is_foreign else set())
    address = run.parameters.get("base_url")
    to = Destination(address, True, own_addresses=known, agreed=own.send_key_to or (), named=asked.send_key_to)
    return Watching(may_send_key(to), own.timeout, price_files(workspace, asked.prices))


def _agreed_to(chosen: Settings, asked: Asking) -> bool:
    """Whether keys may go to the address that is chosen. Raises `ConfigError`."""
    from gapsmith.prompts.providers import Destination, may_send_key

    to = Destination(chosen.base_url, chosen.base_url_is_foreign, agreed=chosen.send_key_to or (), named=asked.send_key_to)
    return may_send_key(to)


def _is_free(chosen: Settings) -> bool:
    from gapsmith.prompts.providers import is_host_of

    return is_host_of(chosen.free_hosts or (), chosen.base_url)


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
            **{name: said for name, said in more.items() if said is not None},
        )


def scoring(
    settings: Settings,
    *,
    model: str | None = None,
    dtype: str | None = None,
    device: str | None = None,
    batch_size: int | None = None,
    engine: str = "auto",
) -> Scoring:
    """What scores. Raises `ConfigError` where the engine knows no model of its own and none is named."""
    from gapsmith.scoring.lm import DEFAULT_BATCH_SIZE, model_for

    chosen = settings.with_flags(dtype=dtype, device=device, batch_size=batch_size)
    return Scoring(
        model_for(engine, model, chosen.model),
        engine,
        chosen.dtype or "float32",
        chosen.device or "auto",
        DEFAULT_BATCH_SIZE if chosen.batch_size is None else chosen.batch_size,
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


def adviser(settings: Settings, paradigm: Paradigm, root: Path | None) -> Adviser:
    """Who asks the linter about words, for prompts and repair."""
    from gapsmith.app.advising import Adviser

    return Adviser(paradigm, root, rules=lint_rules(settings))


def lint_fails_from(settings: Settings, said: str | None) -> str:
    """The severity from which on `lint` fails, or ``never``."""
    return (said or settings.fail_on or "error").strip().casefold()


def review_parser(settings: Settings) -> str:
    """Whose parses the review shows."""
    return settings.parser or "embedded"
