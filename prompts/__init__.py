"""Generation: prompts, providers, reading answers, and runs that can be interrupted at any moment."""

from gapsmith.prompts.advice import Check
from gapsmith.prompts.budget import Budget
from gapsmith.prompts.context import prompt_context
from gapsmith.prompts.engine import Generation
from gapsmith.prompts.failures import RULES, Action, FailureKind, PromptError, ProviderError
from gapsmith.prompts.files import copy_prompt, default_prompt, find_prompt, list_prompts, load_prompt_file
from gapsmith.prompts.intake import SeenItems, harvest
from gapsmith.prompts.order import Estimate, Order, Prepared, prepare, prepare_watch
from gapsmith.prompts.pricing import Price, find_price, load_prices
from gapsmith.prompts.progress import Ending, GenerationOutcome, Observer, Quiet, RunCounts
from gapsmith.prompts.providers import DEFAULT_TIMEOUT_S, Provider, ProviderOptions, build_provider, provider_names
from gapsmith.prompts.rendering import render_prompt
from gapsmith.prompts.repair import Repaired
from gapsmith.prompts.replies import parse_sentences, parse_slots
from gapsmith.prompts.request import CallRequest, Mode, ModelParameters, Reply
from gapsmith.prompts.schema import slot_schema
from gapsmith.prompts.scrubbing import scrub, visible
from gapsmith.prompts.usage import Usage
from gapsmith.prompts.yields import PooledYield, RunYield, compare_runs, run_yield

__all__ = [
    "DEFAULT_TIMEOUT_S",
    "RULES",
    "Action",
    "Budget",
    "CallRequest",
    "Check",
    "PooledYield",
    "Ending",
    "Estimate",
    "FailureKind",
    "Generation",
    "Mode",
    "ModelParameters",
    "Observer",
    "Order",
    "GenerationOutcome",
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
    "RunCounts",
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
