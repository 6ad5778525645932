"""Generation: prompts, providers, reading answers, and runs that can be interrupted at any moment."""

from prompts.advice import Check
from prompts.budget import Budget
from prompts.context import prompt_context
from prompts.engine import Generation
from prompts.failures import RULES, Action, FailureKind, PromptError, ProviderError
from prompts.files import copy_prompt, default_prompt, find_prompt, list_prompts, load_prompt_file
from prompts.intake import SeenItems, harvest
from prompts.order import Estimate, Order, Prepared, prepare, prepare_watch
from prompts.pricing import Price, find_price, load_prices
from prompts.progress import Ending, Observer, Outcome, Quiet, Tally
from prompts.providers import DEFAULT_TIMEOUT_S, Provider, ProviderOptions, build_provider, provider_names
from prompts.rendering import render_prompt
from prompts.repair import Repaired
from prompts.replies import parse_sentences, parse_slots
from prompts.request import CallRequest, Mode, ModelParameters, Reply
from prompts.schema import slot_schema
from prompts.scrub import scrub, visible
from prompts.usage import Usage
from prompts.yields import Compared, RunYield, compare_runs, run_yield

__all__ = [
    "DEFAULT_TIMEOUT_S",
    "RULES",
    "Action",
    "Budget",
    "CallRequest",
    "Check",
    "Compared",
    "Ending",
    "Estimate",
    "FailureKind",
    "Generation",
    "Mode",
    "ModelParameters",
    "Observer",
    "Order",
    "Outcome",
    "Prepared",
    "Price",
    "PromptError",
    "Provider",
    "ProviderError",
    "ProviderOptions",
    "Quiet",
    "Repaired",
    "Reply",
    "RunYield",
    "SeenItems",
    "Tally",
    "Usage",
    "build_provider",
    "compare_runs",
    "copy_prompt",
    "find_price",
    "default_prompt",
    "find_prompt",
    "harvest",
    "list_prompts",
    "load_prices",
    "load_prompt_file",
    "parse_sentences",
    "parse_slots",
    "prepare",
    "prepare_watch",
    "prompt_context",
    "provider_names",
    "render_prompt",
    "run_yield",
    "scrub",
    "slot_schema",
    "visible",
]
