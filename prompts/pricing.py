"""What tokens cost, the only place that says it: a small dated file, which the user's own files override. An unknown price is an
unknown cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from importlib import resources
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from gapsmith.prompts.usage import Usage
from gapsmith.templates import FormatError, made_of, text_of

FLEX = "flex"
"""The tier that OpenAI and Google serve at half the price, when they have time."""

BATCH = "batch"
"""What requests cost that were sent together is told apart like a tier."""


_RATES = ("input", "output", "cached_input", "flex", "batch")
"""What of a price decides a cost."""


class _PriceEntry(BaseModel):
    model_config = ConfigDict(extra="forbid")

    provider: str
    model: str
    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached_input: float | None = Field(default=None, ge=0)
    base_url: str | None = None
    as_of: date
    valid_until: date | None = None
    flex: float = Field(default=0.5, ge=0, le=1)
    batch: float = Field(default=0.5, ge=0, le=1)
    source: str = ""


class _PriceFile(BaseModel):
    model_config = ConfigDict(extra="forbid")

    price: list[_PriceEntry] = []


@dataclass(frozen=True, slots=True)
class Price:
    """What one model costs, in US dollars per million tokens."""

    provider: str
    model: str
    input: float
    output: float
    """Thinking is charged at this rate too."""
    cached_input: float | None
    """None: cached tokens are charged like others."""
    base_url: str | None
    """None in a shipped entry means the provider's own address; in a user's entry, any address."""
    as_of: date
    valid_until: date | None
    shipped: bool
    flex: float = 0.5
    """What a request costs that was served at the flex tier, as a part of the full price."""
    batch: float = 0.5
    """The same for one that came in a batch."""

    def rates(self) -> dict[str, Any]:
        """What decides a cost, as a call's request keeps it."""
        return {"as_of": self.as_of.isoformat(), **{name: getattr(self, name) for name in _RATES}}

    @classmethod
    def of_rates(cls, kept: Mapping[str, Any]) -> Price:
        """The price of rates that were kept."""
        own = {name: kept[name] for name in _RATES}
        return cls("", "", base_url=None, as_of=date.fromisoformat(kept["as_of"]), valid_until=None, shipped=False, **own)

    def cost_usd(self, usage: Usage, tier: str | None = None) -> float | None:
        """The cost of so many tokens, served at this tier, or None where the provider gave no counts."""
        if usage.input_tokens is None or usage.output_tokens is None:
            return None
        cached = min(usage.cached_tokens or 0, usage.input_tokens)
        cached_rate = self.input if self.cached_input is None else self.cached_input
        fresh = usage.input_tokens - cached
        full = (fresh * self.input + cached * cached_rate + usage.charged_output * self.output) / 1e6
        return full * {FLEX: self.flex, BATCH: self.batch}.get(tier or "", 1.0)


def load_prices(user_files: Sequence[Path] = ()) -> list[Price]:
    """The prices in the user's files, then the shipped ones; earlier entries win. Raises `FormatError`."""
    shipped = Path(str(resources.files("gapsmith.prompts"))) / "prices.toml"
    prices: list[Price] = []
    for path in [*user_files, shipped]:
        prices += _load(path, shipped=path == shipped)
    return prices


def find_price(
    prices: Sequence[Price], provider: str, model: str | None, base_url: str | None, *, today: date | None = None
) -> Price | None:
    """The first entry for this provider, model and address, or None. A dated model name (``gpt-5-2025-08-07``) has
    the price of the name without the date. An entry past its `valid_until` does not count."""
    day = today or datetime.now(UTC).date()
    for price in prices:
        if price.provider != provider or model is None or not _same_model(price.model, model):
            continue
        if price.valid_until is not None and day > price.valid_until:
            continue
        if price.base_url is None and price.shipped and base_url is not None:
            continue
        if price.base_url is not None and price.base_url.rstrip("/") != (base_url or "").rstrip("/"):
            continue
        return price
    return None


def _load(path: Path, *, shipped: bool) -> list[Price]:
    try:
        text = text_of(path, "utf-8-sig")
    except OSError as error:
        raise FormatError(f"{path}: the price file cannot be read ({error.strerror})") from None
    except UnicodeDecodeError as error:
        raise FormatError(f"{path}: cannot be read as UTF-8 text ({error})") from None
    found = made_of(text, str(path), _PriceFile.model_validate, what="a price file", error=FormatError, model=_PriceFile)
    entries = found.price
    return [Price(**{**entry.model_dump(exclude={"source"}), "shipped": shipped}) for entry in entries]


def _same_model(priced: str, asked: str) -> bool:
    name = asked.removeprefix("models/")
    if name == priced:
        return True
    rest = name.removeprefix(f"{priced}-")
    return rest != name and rest.replace("-", "").isdigit() and len(rest) >= 8
