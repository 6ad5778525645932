"""What can go wrong in a call, and the only place that says what follows from it: try the same call again, ask anew, or stop the
run.

    RETRY      the same call is sent again after a wait: nothing was answered
    ASK_AGAIN  an answer came and is kept, but it is no good: a later call asks for what is missing
    STOP       no further call can help until a person has done something

A wait that a server asks for is obeyed up to `MAX_WAIT_S`. One that asks for more, with whatever status and for whatever reason,
is met as one whose quota for the day is used up.

Provider SDKs do not retry on their own here; `gapsmith.prompts.retry` is the only place that does, and it follows this table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from gapsmith.prompts.usage import Usage
from gapsmith.templates import ConfigError, GapsmithError

MAX_WAIT_S = 300.0
"""The longest wait that is obeyed, in seconds."""


class Action(StrEnum):
    """What a failure leads to."""

    RETRY = "retry"
    ASK_AGAIN = "ask again"
    STOP = "stop"


class FailureKind(StrEnum):
    """Why a call gave no usable answer; also the `outcome` of the call in the bank."""

    MINUTE_LIMIT = "minute_limit"
    DAILY_QUOTA = "daily_quota"
    NO_FUNDS = "no_funds"
    BAD_KEY = "bad_key"
    FORBIDDEN = "forbidden"
    UNKNOWN_MODEL = "unknown_model"
    REDIRECTED = "redirected"
    NO_SUCH_TIER = "no_such_tier"
    NO_CAPACITY = "no_capacity"
    BAD_REQUEST = "bad_request"
    SAFETY = "safety"
    RECITATION = "recitation"
    TRUNCATED = "truncated"
    EMPTY = "empty"
    GARBLED = "garbled"
    ODD_ENDING = "odd_ending"
    UNREADABLE = "unreadable"
    INTERNAL = "internal"
    SERVER_ERROR = "server_error"
    TIMEOUT = "timeout"
    CONNECTION = "connection"
    NOT_DONE = "not_done"


@dataclass(frozen=True, slots=True)
class FailureRule:
    """How one kind of failure is met."""

    action: Action
    message: str
    """What happened, in a sentence."""
    hint: str
    """What the user can do."""
    attempts: int = 1
    """How often the same call is sent in all, where the action is RETRY."""
    first_wait_s: float = 0.0
    """The wait before the second attempt where the server names none; it doubles from there."""
    may_be_paid: bool = False
    """The provider may have worked, and charge, although no answer arrived."""


RULES: Mapping[FailureKind, FailureRule] = {
    FailureKind.MINUTE_LIMIT: FailureRule(
        Action.RETRY,
        "too many requests or tokens per minute",
        "Lower --rpm, --tpm or --concurrency; the same command continues this run.",
        attempts=6,
        first_wait_s=5.0,
    ),
    FailureKind.DAILY_QUOTA: FailureRule(
        Action.STOP,
        "the quota for the day is used up",
        "Run the same command again when the quota is renewed: it continues this run.",
    ),
    FailureKind.NO_FUNDS: FailureRule(
        Action.STOP,
        "the account has no credit left, or a spending limit is reached",
        "Add credit or raise the limit with the provider, then run the same command again.",
    ),
    FailureKind.BAD_KEY: FailureRule(
        Action.STOP,
        "the provider does not accept the key",
        "Check the key: GEMINI_API_KEY or GOOGLE_API_KEY for gemini, OPENAI_API_KEY for openai.",
    ),
    FailureKind.FORBIDDEN: FailureRule(
        Action.STOP,
        "the key is not allowed to do this",
        "The project or region of the key may not use this model; see the provider's console.",
    ),
    FailureKind.UNKNOWN_MODEL: FailureRule(
        Action.STOP,
        "the provider has no such model, or nothing at this address",
        "Check --model and --base-url.",
    ),
    FailureKind.REDIRECTED: FailureRule(
        Action.STOP,
        "the address answers with a redirect, and none is followed",
        "Nothing was sent to the other address. If your key and your prompts may go there, name it with --base-url.",
    ),
    FailureKind.NO_SUCH_TIER: FailureRule(
        Action.STOP,
        "the model is not served at this tier",
        "Leave out --tier, or take another model.",
    ),
    FailureKind.NO_CAPACITY: FailureRule(
        Action.RETRY,
        "the provider has no room for requests of this tier now",
        "Try again later: the same command continues this run. Without --tier it is another run, at the full price.",
        attempts=30,
        first_wait_s=15.0,
    ),
    FailureKind.BAD_REQUEST: FailureRule(
        Action.STOP,
        "the provider refuses the request as it is",
        "The provider's words say why; often a parameter that this model does not take, such as --temperature.",
    ),
    FailureKind.SAFETY: FailureRule(
        Action.STOP,
        "the provider blocked the prompt or the answer as unsafe",
        "See the call with `gapsmith runs show`; change the prompt's wording or its words, or use another model.",
    ),
    FailureKind.RECITATION: FailureRule(
        Action.ASK_AGAIN,
        "the answer was stopped because it repeats a source word for word",
        "Ask for fewer items per call, or raise --temperature.",
    ),
    FailureKind.TRUNCATED: FailureRule(
        Action.ASK_AGAIN,
        "the answer was cut off at the limit of output tokens",
        "Lower --n-per-call or --thinking, or raise --max-output-tokens.",
    ),
    FailureKind.EMPTY: FailureRule(
        Action.ASK_AGAIN,
        "the answer was empty",
        "Some models answer nothing when thinking used up all tokens: lower --thinking or raise --max-output-tokens.",
    ),
    FailureKind.GARBLED: FailureRule(
        Action.ASK_AGAIN,
        "the answer is not in the form of this API",
        "See it with `gapsmith runs show`. If it is a web page, --base-url names no such service.",
    ),
    FailureKind.ODD_ENDING: FailureRule(
        Action.ASK_AGAIN,
        "the answer ended for a reason that gapsmith does not know",
        "What is whole in it is kept; see it with `gapsmith runs show`.",
    ),
    FailureKind.UNREADABLE: FailureRule(
        Action.ASK_AGAIN,
        "no item could be read from the answer",
        "See the raw answer with `gapsmith runs show`; a stronger model or a clearer prompt helps.",
    ),
    FailureKind.INTERNAL: FailureRule(
        Action.STOP,
        "something happened that gapsmith did not reckon with",
        "This is a fault of gapsmith or of the provider's library: please report it. The same command continues this run.",
        may_be_paid=True,
    ),
    FailureKind.SERVER_ERROR: FailureRule(
        Action.RETRY,
        "the provider's server failed",
        "Try again later: the same command continues this run.",
        attempts=5,
        first_wait_s=2.0,
    ),
    FailureKind.TIMEOUT: FailureRule(
        Action.RETRY,
        "the provider did not answer in time",
        "Raise --timeout or lower --n-per-call; the unanswered attempts may have been charged.",
        attempts=3,
        first_wait_s=1.0,
        may_be_paid=True,
    ),
    FailureKind.CONNECTION: FailureRule(
        Action.RETRY,
        "the connection to the provider failed",
        "Check the network and --base-url; for a local server, that it runs.",
        attempts=4,
        first_wait_s=1.0,
        may_be_paid=True,
    ),
    FailureKind.NOT_DONE: FailureRule(
        Action.RETRY,
        "the batch ended before it was this request's turn",
        "Nothing was charged for it. The same command asks for what is missing, with or without --batch.",
    ),
}


_IN_OUR_WORDS = {FailureKind.GARBLED, FailureKind.ODD_ENDING, FailureKind.REDIRECTED, FailureKind.INTERNAL}
"""Kinds whose detail is not what the provider said."""


class PromptError(ConfigError):
    """A prompt file is missing, malformed, or asks for a variable that is not there."""


class ProviderError(GapsmithError):
    """A call failed, in one of the known ways. `detail` holds the provider's own words, with keys removed.

    `reply`, `finish_reason`, `usage` and `details` are those of an answer that came and is no good, `body` is the HTTP body
    whatever it is; `unsent` says that the provider never saw the request. What may pass in `retry_after_s` seconds, and these are
    more than `MAX_WAIT_S`, is of the kind `DAILY_QUOTA`."""

    exit_code = 3

    def __init__(
        self,
        kind: FailureKind,
        detail: str = "",
        *,
        retry_after_s: float | None = None,
        status: int | None = None,
        reply: str | None = None,
        finish_reason: str | None = None,
        usage: Usage | None = None,
        details: Mapping[str, str] | None = None,
        unsent: bool = False,
        provider: str = "",
    ) -> None:
        # What was perhaps paid for stays so, however long the server asks to wait.
        self.may_be_paid = RULES[kind].may_be_paid and not unsent
        if RULES[kind].action is Action.RETRY and retry_after_s is not None and retry_after_s > MAX_WAIT_S:
            kind = FailureKind.DAILY_QUOTA
        rule = RULES[kind]
        where = f"{provider}: " if provider else ""
        code = f" (HTTP {status})" if status else ""
        speaker = "" if kind in _IN_OUR_WORDS else "The provider says: "
        super().__init__(f"{where}{rule.message}{code}.{f' {speaker}{detail}' if detail else ''}", hint=rule.hint)
        self.kind = kind
        self.detail = detail
        self.retry_after_s = retry_after_s
        self.status = status
        self.reply = reply
        self.finish_reason = finish_reason
        self.usage = usage or Usage()
        self.details = details or {}
        self.body: bytes | None = None

    @property
    def rule(self) -> FailureRule:
        """The rule for this kind of failure."""
        return RULES[self.kind]
