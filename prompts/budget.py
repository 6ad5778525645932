"""What a run has cost so far, what the calls on their way may cost at worst, and whether another one fits: the only place that
says yes or no to a call that costs money."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gapsmith.bank import CallRecord
from gapsmith.prompts.pricing import Price
from gapsmith.prompts.usage import Usage
from gapsmith.templates import DOLLARS, ConfigError

RESERVED = "reserved_usd"
"""The name under which a call's request holds what was set aside for it."""

ASSUMED = "assumed_usd"
"""The name under which a call's details hold what its unanswered attempts may have cost."""

PRICE = "price"
"""The name under which the request of a call in a batch holds the price as it was when the batch was made."""

CHARS_PER_TOKEN = 3.0
"""English has four characters to a token or a little more; three keeps estimates on the dear side."""


def estimate_tokens(text: str) -> int:
    """About how many tokens a text has, rather too many than too few."""
    return int(len(text) / CHARS_PER_TOKEN) + 1


class Budget:
    """A hard cap: a call is let out only if it fits even where its answer is as long as it can be."""

    def __init__(
        self,
        price: Price | None,
        *,
        cap_usd: float | None,
        max_output_tokens: int | None,
        spent_usd: float = 0.0,
        model: str | None = None,
    ) -> None:
        if cap_usd is not None and price is None:
            raise ConfigError(
                f"--max-cost cannot be kept: the price of {model or 'this provider'} is not known",
                hint="Give its price in a prices.toml (see docs/generation.md), or leave --max-cost out.",
            )
        if cap_usd is not None and max_output_tokens is None:
            raise ConfigError("--max-cost needs a limit to what one answer may cost", hint="Give --max-output-tokens.")
        if cap_usd is not None:
            # Nothing is above a cap that is no number.
            DOLLARS.read(cap_usd, "--max-cost")
        self._price = price
        self._cap = cap_usd
        self._max_output = max_output_tokens or 0
        self.spent_usd = spent_usd
        self._reserved = 0.0

    def take_up(self, call: CallRecord) -> None:
        """Count a call of an earlier go at the run: what it cost, at its worst where nobody told, and what its attempts
        before may have cost."""
        worst = call.request.get(RESERVED, self.worst_case_usd(str(call.request.get("prompt", ""))))
        self.spent_usd += (worst if call.cost_usd is None else call.cost_usd) + call.details.get(ASSUMED, 0.0)

    def worst_case_usd(self, prompt: str, tier: str | None = None) -> float:
        """What a call with this prompt (and schema) costs if its answer is as long as allowed; 0 where no price is known."""
        if self._price is None:
            return 0.0
        worst = Usage(input_tokens=estimate_tokens(prompt), output_tokens=self._max_output)
        return self._price.cost_usd(worst, tier) or 0.0

    def reserve(self, amount_usd: float) -> bool:
        """Set so much aside for a call; False, and nothing set aside, where the cap does not allow it."""
        if self._cap is not None and self.spent_usd + self._reserved + amount_usd > self._cap + 1e-12:
            return False
        self._reserved += amount_usd
        return True

    def release(self, amount_usd: float) -> None:
        """Give back what was set aside for a call that was not sent."""
        self._reserved = max(0.0, self._reserved - amount_usd)

    def assume_spent(self, amount_usd: float) -> bool:
        """An attempt got no answer and may be charged: count it at its worst, and say whether another one fits."""
        self.spent_usd += amount_usd
        return self._cap is None or self.spent_usd + self._reserved <= self._cap + 1e-12

    def as_kept(self) -> dict[str, Any]:
        """The price for the request of a call whose answer may come when another one holds; nothing where none is known."""
        return {} if self._price is None else {PRICE: self._price.rates()}

    def settle(
        self, reserved_usd: float, usage: Usage, tier: str | None = None, *, kept: Mapping[str, Any] | None = None
    ) -> float | None:
        """Replace what was set aside for a call by what it cost, by the price that its request has `kept`, else by today's; the cost, or
        None where it is unknown."""
        self.release(reserved_usd)
        price = self._price if kept is None or PRICE not in kept else Price.of_rates(kept[PRICE])
        cost = price.cost_usd(usage, tier) if price is not None else None
        # Under a cap, a charge that nobody tells us of is taken to be the worst one.
        self.spent_usd += reserved_usd if cost is None and self._cap is not None else (cost or 0.0)
        return cost
