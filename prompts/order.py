"""From what a user asks for to a run that can start: names looked up, defaults filled in, contradictions refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Any

from gapsmith.bank import DEFAULT_DATASET, Bank, RunRecord
from gapsmith.prompts.advice import Advice, Check
from gapsmith.prompts.batches import BatchGeneration
from gapsmith.prompts.budget import Budget, estimate_tokens
from gapsmith.prompts.earlier_runs import adopt_old_runs, plan_of
from gapsmith.prompts.engine import Generation
from gapsmith.prompts.files import PromptFile, default_prompt, find_prompt, list_prompts
from gapsmith.prompts.limits import RateGate
from gapsmith.prompts.plan import GenerationPlan, RequestPace
from gapsmith.prompts.pricing import FLEX, Price, find_price, load_prices
from gapsmith.prompts.progress import Observer
from gapsmith.prompts.providers import DEFAULT_TIMEOUT_S, Provider, ProviderOptions, build_provider, provider_class
from gapsmith.prompts.providers.batching import Batching
from gapsmith.prompts.repair import Repair
from gapsmith.prompts.request import Mode, ModelParameters
from gapsmith.prompts.schema import slot_schema
from gapsmith.prompts.writer import PromptWriter
from gapsmith.templates import (
    BANDS,
    COUNT,
    DEFAULT_BAND,
    DOLLARS,
    NUMBER_IN_BANK,
    PER_MINUTE,
    REPAIRS,
    SEED,
    TEMPERATURE,
    TIMEOUT,
    TOP_P,
    VERSION,
    ConfigError,
    Paradigm,
    check_fields,
    count_expansions,
    expect_lexicons,
    expect_words,
    sample,
)

DEFAULT_SEED = 1
"""Of the samplers that need one; a model is asked without a seed unless one is given."""

DEFAULT_N = 40
"""How many new items a run adds where nobody says."""

FLEX_TIMEOUT_S = 900.0
"""Both services ask for patience of about a quarter of an hour at the flex tier."""

_ITEMS_PER_CALL = {Mode.SLOTS: 10, Mode.SENTENCES: 5}
_ITEMS_PER_FREE_CALL = 500
_OWN_ADDRESS_MAX_OUTPUT = 16_384
_TOKENS_PER_VALUE = 8
_TOKENS_PER_SENTENCE = 30


@dataclass(frozen=True, slots=True)
class Order:
    """What a user asks for. None: the default."""

    paradigm: Paradigm
    provider: str = "lexicon"
    n: Annotated[int | None, COUNT] = None
    everything: bool = False
    """Every item that an exhaustive paradigm has."""
    model: str | None = None
    base_url: str | None = None
    send_key: bool = True
    """Whether the owner of the keys named `base_url`, or agreed to its host."""
    mode: Mode | None = None
    design: str | None = None
    prompt: str | None = None
    seed: Annotated[int | None, SEED] = None
    temperature: Annotated[float | None, TEMPERATURE] = None
    max_output_tokens: Annotated[int | None, COUNT] = None
    thinking: str | None = None
    n_per_call: Annotated[int | None, COUNT] = None
    concurrency: Annotated[int | None, COUNT] = None
    rpm: Annotated[float | None, PER_MINUTE] = None
    tpm: Annotated[float | None, PER_MINUTE] = None
    max_cost_usd: Annotated[float | None, DOLLARS] = None
    timeout_s: Annotated[float | None, TIMEOUT] = None
    top_p: Annotated[float | None, TOP_P] = None
    tier: str | None = None
    api: str | None = None
    """``chat`` (the default) or ``responses``."""
    extra_body: str | None = None
    band: str | None = None
    """How frequent the words of the word lists are."""
    levels: str | None = None
    """Which levels of the paradigm's choices are wanted, as ``embedding=none|b``."""
    batch: bool = False
    """Send the calls together, for half the price and an answer within a day or so. Not part of what makes a run."""
    reuse: bool = False
    """Take answers that the bank has to the very same requests."""
    repair: Annotated[int, REPAIRS] = 0
    """How often items with errors go back to the model, at most."""
    advice: Advice | None = None
    """What prompts say of good and bad words."""
    free: bool = False
    """The server at `base_url` charges nothing."""
    feedback: bool = False
    new_run: bool = False
    resume: Annotated[int | None, NUMBER_IN_BANK] = None
    """The run to go on with, although the paradigm or the prompt has changed since it began."""
    dataset: str = DEFAULT_DATASET
    price_files: tuple[Path, ...] = ()

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run would take, before it runs. Tokens are counted roughly, on the dear side."""

    calls: int
    input_tokens: int
    output_tokens: int
    """Without thinking, which cannot be foreseen."""
    cost_usd: float | None
    prompt: str
    """The prompt of the first call."""


@dataclass(frozen=True)
class Prepared:
    """A run that can start."""

    plan: GenerationPlan
    provider: Provider
    pace: RequestPace
    price: Price | None
    batch: bool = False
    reuse: bool = False

    def generation(self, bank: Bank, observer: Observer | None = None) -> Generation:
        """The run over this bank. Raises `ConfigError` where a cost limit cannot be kept."""
        common: dict[str, Any] = {
            "pace": self.pace,
            "budget": self._budget(),
            "software": software_of(self.plan.provider),
            "observer": observer,
        }
        if self.batch:
            return BatchGeneration(bank, self.plan, self.provider, **common)
        return Generation(bank, self.plan, self.provider, reuse=self.reuse, **common)

    def watch(
        self, bank: Bank, *, every_s: float | None, give_up: bool = False, observer: Observer | None = None
    ) -> BatchGeneration:
        """The run's open batch, looked at every so many seconds until it has ended, or once; see `BatchGeneration`."""
        return BatchGeneration(
            bank,
            self.plan,
            self.provider,
            budget=self._budget(),
            software=software_of(self.plan.provider),
            observer=observer,
            every_s=every_s,
            only_watch=True,
            give_up=give_up,
        )

    def repair(self, bank: Bank, check: Check, *, rounds: int = 1, observer: Observer | None = None) -> Repair:
        """The repair of the run's items, within the same cost limit and at the same pace."""
        gate = RateGate(rpm=self.pace.rpm, tpm=self.pace.tpm)
        return Repair(bank, self.plan, self.provider, check, budget=self._budget(), rounds=rounds, observer=observer, gate=gate)

    def estimate(self, bank: Bank) -> Estimate:
        """Calls, tokens and cost of the run as if nothing of it were there yet."""
        plan = self.plan
        self._budget()
        prompt = PromptWriter(plan, bank).write(plan.n_per_call)
        n = count_expansions(plan.paradigm) if plan.n is None else plan.n
        calls = -(-n // plan.n_per_call)
        if plan.mode is Mode.SLOTS:
            per_item = _TOKENS_PER_VALUE * len(plan.paradigm.visible_slots)
        else:
            per_item = _TOKENS_PER_SENTENCE * len(plan.paradigm.design(plan.design or "").conditions)
        schema = json.dumps(slot_schema(plan.paradigm, plan.advice)) if plan.mode is Mode.SLOTS and prompt else ""
        input_tokens, output_tokens = calls * estimate_tokens(prompt + schema), n * per_item
        if not self.provider.paid:
            return Estimate(calls, 0, 0, 0.0, prompt)
        cost = (input_tokens * self.price.input + output_tokens * self.price.output) / 1e6 if self.price else None
        if cost is not None and self.batch and self.price is not None:
            cost *= self.price.batch
        return Estimate(calls, input_tokens, output_tokens, cost, prompt)

    def _budget(self) -> Budget:
        return Budget(
            self.price,
            cap_usd=self.pace.max_cost_usd if self.provider.paid else None,
            max_output_tokens=self.plan.parameters.max_output_tokens,
            model=self.plan.parameters.model,
        )


def prepare(order: Order, bank: Bank, *, workspace: Path | None, environment: Mapping[str, str]) -> Prepared:
    """Check an order and build its provider. Raises `ConfigError` with what to change."""
    if order.levels is not None:
        order = replace(order, paradigm=order.paradigm.with_levels(order.levels))
    expect_words(order.paradigm)
    expect_lexicons(order.paradigm)
    wanted = provider_class(order.provider)
    check_words(order.api, order.tier)
    _check_band(order, wanted)
    if order.provider == "lexicon":
        _check_no_model_flags(order)
    prompt, mode = _prompt_and_mode(order, wanted, workspace)
    if order.repair and (wanted.finite or mode is not Mode.SLOTS):
        raise ConfigError(
            "--repair sends words back to a model, and here there are none",
            hint="It goes with --mode slots and a provider that is a model.",
        )
    if order.batch and not issubclass(wanted, Batching):
        raise ConfigError(
            f"provider {order.provider!r} takes no batches",
            hint="Leave out --batch, or give --provider gemini or openai.",
        )
    if order.batch and order.tier is not None:
        raise ConfigError("--batch and --tier are two ways to pay less", hint="Leave out one of them.")
    if order.reuse and (order.batch or prompt is None):
        raise ConfigError(
            "--reuse goes with single calls to a model", hint="Leave out --batch, and name a provider that is a model."
        )
    if order.everything and (order.n is not None or not wanted.finite):
        raise ConfigError(
            "--all means every item of an exhaustive paradigm",
            hint="Leave out -n, and use the lexicon provider; or give -n instead of --all.",
        )
    if order.everything and not order.paradigm.exhaustive:
        raise ConfigError(f"{order.paradigm.name} is sampled: it has no end that --all could reach", hint="Say how many with -n.")
    options = ProviderOptions(
        paradigm=order.paradigm,
        model=order.model,
        base_url=order.base_url,
        send_key=order.send_key,
        timeout_s=order.timeout_s or (FLEX_TIMEOUT_S if order.tier == FLEX else DEFAULT_TIMEOUT_S),
        seed=DEFAULT_SEED if order.seed is None else order.seed,
        exhaustive=order.everything,
        band=order.band or DEFAULT_BAND,
        environment=environment,
    )
    if wanted.finite and not order.everything:
        # What the word lists cannot give is said before a run has begun.
        for own in order.paradigm.variants.values() or (order.paradigm,):
            next(sample(own, options.seed, options.band), None)
    provider = build_provider(order.provider, options)
    if order.free:
        if provider.address is None:
            raise ConfigError(
                "--free is for a server of your own, and requests go to the service itself",
                hint="Give its address with --base-url, or leave --free out.",
            )
        provider.paid = False
    adopt_old_runs(bank)
    plan = _plan(order, provider, prompt, mode, options.seed)
    if order.prompt is None and not order.new_run and order.resume is None:
        plan = _begun_before(plan, bank, workspace)
    plan = _numbered(plan, bank, order)
    provider.check(plan.parameters)
    pace = RequestPace(
        concurrency=order.concurrency or (4 if provider.paid else 1),
        rpm=order.rpm,
        tpm=order.tpm,
        max_cost_usd=order.max_cost_usd,
    )
    price = find_price(load_prices(order.price_files), order.provider, order.model, provider.address)
    return Prepared(plan, provider, pace, price, order.batch, order.reuse)


def prepare_watch(
    bank: Bank,
    run: RunRecord,
    *,
    send_key: bool,
    environment: Mapping[str, str],
    price_files: tuple[Path, ...] = (),
    timeout_s: float | None = None,
) -> Prepared:
    """A run as it was ordered, from what the bank keeps of it, to be looked after. `send_key` says whether the owner of the
    keys agrees to the address that the bank names. Raises `ConfigError` where requests would go elsewhere than before."""
    if run.kind != "generate":
        raise ConfigError(f"run {run.id} is an import", hint="`gapsmith runs list` shows what each run is.")
    adopt_old_runs(bank)
    plan = plan_of(bank, run)
    options = ProviderOptions(
        paradigm=plan.paradigm,
        model=plan.parameters.model,
        base_url=plan.base_url,
        send_key=send_key,
        timeout_s=timeout_s or DEFAULT_TIMEOUT_S,
        environment=environment,
    )
    provider = build_provider(run.provider, options)
    if provider.address != plan.base_url:
        raise ConfigError(
            f"run {run.id} went to the service itself, and requests would go to {provider.address} now",
            hint="Unset the variable that names that address.",
        )
    provider.paid = provider.paid and not plan.free
    price = find_price(load_prices(price_files), run.provider, plan.parameters.model, provider.address)
    return Prepared(plan, provider, RequestPace(), price, batch=True)


def software_of(provider: str) -> str:
    """Name and version of the library behind a provider."""
    package = {"gemini": "google-genai", "openai": "openai"}.get(provider, "gapsmith")
    try:
        return f"{package} {VERSION if package == 'gapsmith' else version(package)}"
    except PackageNotFoundError:
        return package


def _plan(order: Order, provider: Provider, prompt: PromptFile | None, mode: Mode, seed: int) -> GenerationPlan:
    own_limit = _OWN_ADDRESS_MAX_OUTPUT if provider.paid and provider.address is None else None
    parameters = ModelParameters(
        model=order.model,
        temperature=order.temperature,
        seed=seed if provider.finite else order.seed,
        max_output_tokens=order.max_output_tokens or own_limit,
        thinking=order.thinking,
        top_p=order.top_p,
        tier=order.tier,
        api=None if order.api == "chat" else order.api,
        extra_body=order.extra_body,
        band=None if order.band == DEFAULT_BAND else order.band,
        levels=order.levels,
    )
    design = None
    if mode is Mode.SENTENCES:
        wanted = order.design or (prompt.design if prompt else None)
        design = order.paradigm.design(wanted).name if wanted else order.paradigm.designs[0].name
    elif order.design is not None:
        raise ConfigError(
            "--design chooses the conditions of --mode sentences; in slot mode every condition is made from the words",
            hint="Leave it out here, and give it to `gapsmith analyze` or `gapsmith export`.",
        )
    n = None if order.everything else order.n or DEFAULT_N
    default = _ITEMS_PER_CALL[mode] if not provider.finite else _ITEMS_PER_FREE_CALL
    fixed = prompt.n if prompt is not None else None
    if prompt is not None and prompt.plain:
        if fixed is None and order.n_per_call is None:
            raise ConfigError(
                f"{prompt.path} does not say how many items it asks for",
                hint="Say how many an answer to it brings with --n-per-call.",
            )
        if fixed is not None and order.n_per_call not in (None, fixed):
            raise ConfigError(
                f"{prompt.path} asks for {fixed} items, and --n-per-call says {order.n_per_call}",
                hint="A plain text is sent as it stands: change the number in it, or leave the flag out.",
            )
    n_per_call = order.n_per_call or fixed or default
    return GenerationPlan(
        paradigm=order.paradigm,
        provider=order.provider,
        n=n,
        n_per_call=n_per_call if n is None or (prompt is not None and prompt.plain) else min(n_per_call, n),
        mode=mode,
        design=design,
        parameters=parameters,
        base_url=provider.address,
        prompt=prompt,
        feedback=order.feedback,
        dataset=order.dataset,
        advice=order.advice if prompt is not None else None,
        api_version=provider.api_version,
        free=order.free,
    )


def _begun_before(plan: GenerationPlan, bank: Bank, workspace: Path | None) -> GenerationPlan:
    """The plan with the version of its prompt that a run of it has already, so that a newer version of gapsmith does not pay
    once more for the same command."""
    if plan.prompt is None or bank.runs.find(plan.identity) is not None:
        return plan
    others = [p for p in list_prompts(workspace) if p.name == plan.prompt.name and p.version < plan.prompt.version]
    for older in reversed(others):
        earlier = replace(plan, prompt=older)
        if bank.runs.find(earlier.identity) is not None:
            return earlier
    return plan


def _numbered(plan: GenerationPlan, bank: Bank, order: Order) -> GenerationPlan:
    if order.resume is not None:
        return _resumed(plan, bank.runs.get(order.resume))
    # The same command goes on with the last repetition; --new-run begins one more once that is finished.
    last = None
    first = plan
    while (run := bank.runs.find(plan.identity)) is not None:
        last, plan = (plan, run), replace(plan, repeat=plan.repeat + 1)
    if last is not None:
        return plan if order.new_run and last[1].finished_at is not None else last[0]
    others = {run.parameters.get("order"): run for run in bank.runs.all() if run.kind == "generate"}
    unfinished = others.get(first.order_digest)
    if unfinished is None or order.new_run:
        # A new run beside an unfinished one of the same order needs a number of its own.
        while plan.order_digest in others:
            plan = replace(plan, repeat=plan.repeat + 1)
        return plan
    if unfinished.finished_at is not None:
        return plan
    raise ConfigError(
        f"run {unfinished.id} of the same order is not finished, and the paradigm or the prompt has changed since it began",
        hint=f"Go on with it, and send what they say now, with --resume {unfinished.id}; or begin anew with --new-run.",
    )


def _resumed(plan: GenerationPlan, run: RunRecord) -> GenerationPlan:
    repeat = run.parameters.get("repeat", 1)
    asked = replace(plan, repeat=repeat)
    if run.kind != "generate" or run.parameters.get("order") != asked.order_digest:
        raise ConfigError(
            f"run {run.id} was another order than this one",
            hint=f"`gapsmith runs show {run.id}` shows how it was asked for; give the same options again.",
        )
    return replace(asked, resumed=run.identity)


def _prompt_and_mode(order: Order, wanted: type[Provider], workspace: Path | None) -> tuple[PromptFile | None, Mode]:
    if wanted.finite and order.prompt is None:
        mode, prompt = order.mode or Mode.SLOTS, None
    else:
        prompt = (
            find_prompt(order.prompt, workspace, mode=order.mode)
            if order.prompt is not None
            else default_prompt(order.paradigm.name, order.mode or Mode.SLOTS, workspace)
        )
        mode = prompt.mode
        if prompt.paradigm not in (None, order.paradigm.name):
            raise ConfigError(
                f"{prompt.path} is a prompt for {prompt.paradigm}, not for {order.paradigm.name}",
                hint="See `gapsmith prompt list` for others.",
            )
    if order.mode is not None and order.mode is not mode:
        raise ConfigError(
            f"--mode {order.mode.value} does not go with {prompt.path if prompt else 'this provider'}",
            hint=f"That prompt asks for {mode.value}. Leave out --mode, or give another --prompt.",
        )
    if mode not in wanted.modes:
        raise ConfigError(
            f"provider {order.provider!r} gives no {mode.value}",
            hint=f"It gives: {', '.join(sorted(m.value for m in wanted.modes))}. For whole sentences, use a model.",
        )
    return prompt, mode


def _check_no_model_flags(order: Order) -> None:
    given = {
        "--model": order.model,
        "--base-url": order.base_url,
        "--temperature": order.temperature,
        "--thinking": order.thinking,
        "--max-output-tokens": order.max_output_tokens,
        "--prompt": order.prompt,
        "--top-p": order.top_p,
        "--tier": order.tier,
        "--extra-body": order.extra_body,
        "--api": order.api,
        "--free": order.free or None,
        "--feedback": order.feedback or None,
    }
    for flag, value in given.items():
        if value is not None:
            raise ConfigError(
                f"{flag} is for asking a model, and the word lists are none",
                hint="Name the provider too: --provider gemini or --provider openai.",
            )


def _check_band(order: Order, wanted: type[Provider]) -> None:
    if order.band is None:
        return
    if order.band not in BANDS:
        raise ConfigError(f"--band {order.band!r} is not known", hint=f"There are: {', '.join(BANDS)}.")
    if not wanted.finite or order.everything or order.paradigm.exhaustive:
        raise ConfigError(
            "--band is about what is drawn from word lists, and here nothing is",
            hint="It goes with the provider lexicon and a paradigm whose items are sampled.",
        )


APIS, TIERS = ("chat", "responses"), (FLEX,)
"""The ways to ask a server of OpenAI's kind, the first unless another is named; and the tiers that cost less than the usual one."""


def check_words(api: str | None, tier: str | None) -> None:
    """Refuse an API or a tier that there is not. Raises `ConfigError`."""
    if api not in (None, *APIS):
        raise ConfigError(f"--api {api!r} is not known", hint="There are: chat (the default) and responses.")
    if tier not in (None, *TIERS):
        raise ConfigError(f"--tier {tier!r} is not known", hint="There is: flex. Leave it out for the usual one.")
