"""What a call came to: the answer read, the new items in it, and what to make of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gapsmith.prompts.bodies import BODY, EARLIER_BODIES, pack_body
from gapsmith.prompts.budget import ASSUMED, Budget
from gapsmith.prompts.failures import Action, FailureKind, ProviderError
from gapsmith.prompts.intake import Harvest, SeenItems, harvest
from gapsmith.prompts.plan import GenerationPlan
from gapsmith.prompts.request import CallRequest
from gapsmith.prompts.retry import Answer
from gapsmith.prompts.reuse import REUSED
from gapsmith.prompts.scrubbing import scrub
from gapsmith.prompts.usage import Usage

_REASONS_KEPT = 5
_LONGEST_ANSWER = 1_000_000
_HIDDEN_PROMPT = 20_000
"""Tokens that a server may put before our prompt. A token has at least one byte, so what is longer was not ours."""
_DIGITS_KEPT = 40
_KEPT = {"outcome", "reply", "finish_reason", "usage", "attempts", "latency_ms", "cost_usd", "error", "details"}
_READ_ANYHOW = {FailureKind.TRUNCATED, FailureKind.ODD_ENDING}


@dataclass(frozen=True, slots=True)
class CallResult:
    """One call, read. `failure` is set wherever the call was not a success, also where it brought items."""

    answer: Answer
    text: str | None
    """The raw answer, without keys; None where there was none."""
    usage: Usage
    """As far as it is plausible."""
    failure: ProviderError | None
    harvest: Harvest
    details: Mapping[str, Any]
    """Who answered and how it was asked, and what came over the wire, without keys."""

    @property
    def exhausted(self) -> bool:
        """The provider has nothing more to give."""
        return self.failure is None and self.answer.finish_reason == "exhausted"

    @property
    def refused(self) -> bool:
        """The provider said no before it did any work, so that nothing was charged."""
        failure = self.failure
        if failure is None or failure.rule.action is Action.ASK_AGAIN or failure.may_be_paid:
            return False
        return self.text is None and not self.usage.is_reported

    def record(self, cost_usd: float | None, *, secrets: Sequence[str], assumed_usd: float = 0.0) -> dict[str, Any]:
        """As the bank keeps it beside the call (`gapsmith.bank.runs.reply`), without the items."""
        failure = self.failure
        error = failure.message if failure else "; ".join(self.harvest.unreadable[:_REASONS_KEPT])
        counts = {**self.usage.as_counts(), **self.harvest.as_counts()}
        if self.answer.unanswered:
            counts["unanswered_attempts"] = self.answer.unanswered
        return {
            "outcome": failure.kind.value if failure else "ok",
            "reply": self.text,
            "finish_reason": self.answer.finish_reason,
            "usage": counts,
            "attempts": self.answer.attempts,
            "latency_ms": self.answer.latency_ms,
            "cost_usd": cost_usd,
            "error": scrub(error, secrets) if error else None,
            "details": {**self.details, ASSUMED: assumed_usd} if assumed_usd else dict(self.details),
        }


def result_of(
    answer: Answer,
    request: CallRequest,
    plan: GenerationPlan,
    *,
    wanted: int,
    seen: SeenItems,
    secrets: Sequence[str],
) -> CallResult:
    """Read an answer; at most `wanted` of its items are new ones, and they are noted in `seen`."""
    failure = answer.failure
    text = None if answer.text is None else _storable(answer.text, secrets)
    usage = _plausible(answer.usage, request)
    try:
        found = _harvest(text, failure, request, plan, wanted, seen)
    except Exception as error:  # noqa: BLE001 - an answer that nobody can read must not take the others down with it
        found = Harvest((), 0, 0, 0, ())
        failure = ProviderError(FailureKind.INTERNAL, f"{type(error).__name__}: {error}", provider=plan.provider)
    readable = bool(found.items) or found.duplicates > 0 or found.surplus > 0
    if failure is None and not readable and answer.finish_reason != "exhausted":
        failure = ProviderError(FailureKind.UNREADABLE, reply=text, usage=usage, provider=plan.provider)
    details = _details(answer, secrets)
    if usage != answer.usage:
        details["usage_told"] = {name: str(count)[:_DIGITS_KEPT] for name, count in answer.usage.as_counts().items()}
    return CallResult(answer, text, usage, failure, found, details)


def settled(
    budget: Budget, reserved_usd: float, result: CallResult, *, paid: bool, kept: Mapping[str, Any] | None = None
) -> float | None:
    """Replace what was set aside for a call by what it cost; the cost, or None where it is unknown. `kept` is its request, where that
    says the price."""
    if not paid:
        return 0.0
    if result.refused or REUSED in result.details:
        budget.release(reserved_usd)
        return 0.0
    return budget.settle(reserved_usd, result.usage, result.details.get("tier"), kept=kept)


def kept_again(answer: Mapping[str, Any], plan: GenerationPlan, *, wanted: int, seen: SeenItems) -> dict[str, Any]:
    """What the bank keeps of an answer that it could not take before: as it was then, with its items made anew."""
    kept = {name: value for name, value in answer.items() if name in _KEPT}
    text, outcome = answer.get("reply"), str(answer["outcome"])
    if text is None or outcome not in {"ok", *(kind.value for kind in _READ_ANYHOW)}:
        return kept
    found = harvest(
        text,
        plan.paradigm,
        mode=plan.mode,
        design=plan.design,
        wanted=wanted,
        seen=seen,
        dataset=plan.dataset,
        cut=outcome != "ok",
    )
    return {**kept, "items": found.items, "usage": {**answer.get("usage", {}), **found.as_counts()}}


def _plausible(usage: Usage, request: CallRequest) -> Usage:
    # A server that tells nonsense must neither spend a budget nor fill it up again.
    most_written = 2 * request.parameters.max_output_tokens if request.parameters.max_output_tokens else _LONGEST_ANSWER
    most_read = len(request.charged_text.encode("utf-8", "replace")) + _HIDDEN_PROMPT
    return usage.within(input_tokens=most_read, output_tokens=most_written)


def _details(answer: Answer, secrets: Sequence[str]) -> dict[str, Any]:
    source = answer.reply or answer.failure
    if source is None:
        return {}
    details: dict[str, Any] = {
        scrub(name, secrets): _storable(scrub(str(value), secrets), secrets) for name, value in source.details.items()
    }
    if source.body is not None:
        details[BODY] = pack_body(source.body, secrets)
    earlier = [pack_body(failure.body, secrets) for failure in answer.earlier if failure.body]
    return {**details, EARLIER_BODIES: earlier} if earlier else details


def _harvest(
    text: str | None,
    failure: ProviderError | None,
    request: CallRequest,
    plan: GenerationPlan,
    wanted: int,
    seen: SeenItems,
) -> Harvest:
    # What is whole in an answer that broke off has been paid for and is kept; a blocked answer is not looked at.
    if text is None or (failure is not None and failure.kind not in _READ_ANYHOW):
        return Harvest((), 0, 0, 0, ())
    return harvest(
        text,
        plan.paradigm,
        mode=request.mode,
        design=plan.design,
        wanted=min(wanted, request.n_items),
        seen=seen,
        dataset=plan.dataset,
        cut=failure is not None,
    )


def _storable(text: str, secrets: Sequence[str]) -> str:
    # Half a surrogate pair is no text that can be stored; its escape can.
    return scrub(text.encode("utf-8", "backslashreplace").decode("utf-8"), secrets, guess=False)
