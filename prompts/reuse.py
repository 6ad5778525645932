"""A cache by request: where the very same request was answered before, the answer is taken from the bank, and said so.

The same request: the same service and address, model and parameters (the call's own seed too), prompt and schema. Each kept
answer is taken at most once by a run, so that calls that happen to ask alike do not all get one answer.
"""

from __future__ import annotations

from collections import defaultdict

from gapsmith.bank import Bank, CallRecord
from gapsmith.prompts.plan import GenerationPlan
from gapsmith.prompts.request import CallRequest, Reply
from gapsmith.templates import json_sha256

DIGEST = "digest"
"""The name under which a call's request holds what stands for everything that is sent."""

REUSED = "reused"
"""The name under which a call's details hold the bank id of the call whose answer it took."""


def request_digest(plan: GenerationPlan, request: CallRequest) -> str:
    """SHA-256 of what is sent, and to whom."""
    content = {
        "provider": plan.provider,
        "base_url": plan.base_url,
        "api_version": plan.api_version,
        "parameters": request.parameters.as_record(),
        "prompt": request.prompt,
        "schema": request.schema,
    }
    return json_sha256(content)


class KeptAnswers:
    """The good answers that other runs of the bank got, by request."""

    def __init__(self, bank: Bank, run_id: int) -> None:
        self._bank = bank
        taken = {int(call.details[REUSED]) for call in bank.runs.each_call(run_id) if REUSED in call.details}
        self._by_digest: dict[str, list[int]] = defaultdict(list)
        for call_id, digest in bank.runs.good_requests(DIGEST, except_run=run_id):
            if call_id not in taken:
                self._by_digest[digest].append(call_id)

    def take(self, digest: str) -> tuple[Reply, CallRecord] | None:
        """The oldest answer to this request that was not taken yet, and the call that it was given to."""
        waiting = self._by_digest.get(digest)
        if not waiting:
            return None
        call = self._bank.runs.call(waiting.pop(0))
        details = {name: value for name, value in call.details.items() if name in ("model", "structure", "response_id")}
        return Reply(call.reply or "", call.finish_reason or "", details={**details, REUSED: str(call.id)}), call
