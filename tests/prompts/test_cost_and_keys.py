"""Prices, budgets, token counts, and keys that are taken out of texts."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gapsmith.prompts import Budget, Price, Usage, find_price, load_prices, scrub, visible
from gapsmith.prompts.providers.wire import duration_s, told_wait_s
from gapsmith.prompts.scrubbing import REMOVED
from gapsmith.templates.errors import ConfigError, FormatError

pytestmark = pytest.mark.fast

DAY = date(2026, 11, 1)


def _write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


ENTRY = '[[price]]\nprovider = "openai"\nmodel = "m"\ninput = 2.0\noutput = 8.0\nas_of = 2026-01-01\n'


def _price(**changes: object) -> Price:
    values: dict[str, object] = {
        "provider": "openai",
        "model": "m",
        "input": 2.0,
        "output": 8.0,
        "cached_input": None,
        "base_url": None,
        "as_of": DAY,
        "valid_until": None,
        "shipped": True,
    }
    return Price(**{**values, **changes})  # type: ignore[arg-type]  # the table is of many types


def test_the_shipped_prices_are_dated_and_have_a_place_to_check_them() -> None:
    prices = load_prices()
    assert prices
    assert all(price.as_of.year >= 2025 and price.shipped and price.output >= price.input > 0 for price in prices)


def test_the_user_s_price_comes_first(tmp_path: Path) -> None:
    own = _write(tmp_path / "prices.toml", ENTRY.replace('"m"', '"gpt-5"'))
    price = find_price(load_prices([own]), "openai", "gpt-5", None, today=DAY)
    assert price is not None
    assert (price.input, price.shipped) == (2.0, False)


def test_a_dated_name_has_the_price_of_its_model_and_other_names_have_none() -> None:
    prices = [_price(model="gpt-5")]
    assert find_price(prices, "openai", "gpt-5-2025-08-07", None, today=DAY) is not None
    assert find_price(prices, "gemini", "gpt-5", None, today=DAY) is None
    for name in ("gpt-5-mini", "gpt-50", "gpt", "gpt-5-1", None):
        assert find_price(prices, "openai", name, None, today=DAY) is None


def test_a_shipped_price_says_nothing_of_other_addresses() -> None:
    url = "http://localhost:11434/v1"
    assert find_price([_price()], "openai", "m", url, today=DAY) is None
    assert find_price([_price(shipped=False)], "openai", "m", url, today=DAY) is not None
    assert find_price([_price(base_url=url + "/")], "openai", "m", url, today=DAY) is not None
    assert find_price([_price(base_url=url)], "openai", "m", None, today=DAY) is None


def test_a_price_that_has_run_out_is_unknown() -> None:
    price = _price(valid_until=date(2026, 10, 31))
    assert find_price([price], "openai", "m", None, today=date(2026, 10, 31)) is price
    assert find_price([price], "openai", "m", None, today=DAY) is None


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[[price]\n", "line 1: not valid TOML"),
        (ENTRY.replace("input", "inputs"), "no key `inputs`"),
        (ENTRY.replace("2.0", "-2.0"), "it has to be 0.0 or more"),
        (ENTRY.replace("as_of = 2026-01-01\n", ""), "as_of"),
        ("colour = 1\n", "colour"),
    ],
)
def test_a_malformed_price_file_is_refused_with_the_place(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(FormatError, match=complaint):
        load_prices([_write(tmp_path / "prices.toml", text)])


def test_a_price_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cannot be read"):
        load_prices([tmp_path / "nowhere.toml"])


def test_cost_is_input_cached_input_output_and_thinking() -> None:
    price = _price(cached_input=0.5)
    usage = Usage(input_tokens=1_000_000, cached_tokens=400_000, output_tokens=100_000, thinking_tokens=50_000)
    assert price.cost_usd(usage) == pytest.approx(0.6 * 2.0 + 0.4 * 0.5 + 0.15 * 8.0)
    assert price.cost_usd(Usage()) is None


counts = st.one_of(st.none(), st.integers(0, 10**6))
usages = st.builds(Usage, counts, counts, counts, counts)


@given(usages, usages)
def test_usage_adds_up_and_comes_back_from_its_counts(one: Usage, other: Usage) -> None:
    assert one + other == other + one
    assert one + Usage() == one
    assert Usage.from_counts(one.as_counts()) == one
    assert (one + other).charged_output == one.charged_output + other.charged_output


@given(st.lists(st.tuples(st.integers(0, 3_000), st.integers(0, 1_000)), max_size=40), st.floats(0.01, 1.0))
def test_a_budget_is_never_exceeded_by_calls_that_keep_their_limit(calls: list[tuple[int, int]], cap: float) -> None:
    price = _price(input=10.0, output=100.0)
    budget = Budget(price, cap_usd=cap, max_output_tokens=1_000)
    underway: list[tuple[float, Usage]] = []
    for prompt_chars, output in calls:
        worst = budget.worst_case_usd("x" * prompt_chars)
        if budget.reserve(worst):
            underway.append((worst, Usage(input_tokens=prompt_chars // 4, output_tokens=output)))
        if len(underway) > 3:
            budget.settle(*underway.pop(0))
    for flight in underway:
        budget.settle(*flight)
    assert budget.spent_usd <= cap + 1e-9


def test_what_is_set_aside_for_calls_on_their_way_is_not_there_for_others() -> None:
    budget = Budget(_price(), cap_usd=1.0, max_output_tokens=1_000)
    assert budget.reserve(0.4)
    assert budget.reserve(0.4)
    assert not budget.reserve(0.4)
    assert not budget.assume_spent(0.4), "with 0.8 set aside, 0.4 spent leaves no room for another attempt"
    budget.release(0.4)
    assert not budget.reserve(0.4)
    assert budget.reserve(0.2)


def test_under_a_cap_an_unknown_charge_is_taken_to_be_the_worst() -> None:
    budget = Budget(_price(), cap_usd=1.0, max_output_tokens=10_000)
    worst = budget.worst_case_usd("prompt")
    assert budget.reserve(worst)
    assert budget.settle(worst, Usage()) is None
    assert budget.spent_usd == pytest.approx(worst)
    assert budget.assume_spent(worst)
    assert not budget.assume_spent(1.0)


def test_a_cap_without_a_price_or_a_limit_of_length_is_refused() -> None:
    with pytest.raises(ConfigError, match="price of m is not known"):
        Budget(None, cap_usd=1.0, max_output_tokens=10, model="m")
    with pytest.raises(ConfigError, match="limit to what one answer"):
        Budget(_price(), cap_usd=1.0, max_output_tokens=None)


@pytest.mark.parametrize(
    "text",
    [
        "Incorrect API key provided: sk-proj-abcdefghijklmnop123456.",
        "GET https://x/y?key=abcdef&alt=json",
        "Authorization: Bearer abcdefghijkl",
        "AIzaSyA1234567890abcdefghijklmnopqrstuv is bad",
        "the secret is hunter22",
    ],
)
def test_keys_are_taken_out_of_texts(text: str) -> None:
    clean = scrub(text, ("hunter22",))
    assert REMOVED in clean
    for secret in ("sk-proj-abc", "abcdef&", "abcdefghijkl", "AIzaSyA123", "hunter22"):
        assert secret not in clean


def test_control_and_direction_characters_are_written_out() -> None:
    assert visible("a\x1b[31mb\u202ec\u200bd\te\nf") == "a\\x1b[31mb\\u202ec\\u200bd\te\nf"
    assert visible("Grüße 😀 日本") == "Grüße 😀 日本"


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("34s", 34.0), ("1m30s", 90.0), ("250ms", 0.25), ("2h", 7_200.0), ("soon", None), ("1.2.3s", None)],
)
def test_durations_are_read(text: str, seconds: float | None) -> None:
    assert duration_s(text) == seconds


@pytest.mark.parametrize(
    ("headers", "message", "seconds"),
    [
        ({"retry-after": "12"}, "", 12.0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, "", 1.5),
        ({"retry-after": "nonsense"}, "", None),
        ({}, "Limit reached. Please try again in 6.5s.", 6.5),
        ({}, "no word of it", None),
    ],
)
def test_the_wait_is_read_from_headers_or_words(headers: dict[str, str], message: str, seconds: float | None) -> None:
    assert told_wait_s(headers, message) == seconds


def test_a_wait_until_a_date_in_the_past_is_none() -> None:
    assert told_wait_s({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, "") == 0.0
