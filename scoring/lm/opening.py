"""One call from a model's name to an engine."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated

from gapsmith.scoring.lm.batches import DEFAULT_BATCH_SIZE, BatchEngine
from gapsmith.scoring.lm.engine import Engine
from gapsmith.scoring.lm.files import ADAPTER
from gapsmith.scoring.lm.held import HeldEngine
from gapsmith.scoring.lm.kernels import AUTO
from gapsmith.scoring.lm.model import LanguageModel
from gapsmith.scoring.lm.own import OWN_KINDS
from gapsmith.scoring.lm.phases import phase
from gapsmith.scoring.lm.sources import find_source
from gapsmith.scoring.lm.tree import TreeEngine, why_no_tree
from gapsmith.templates import COUNT, BosPolicy, ConfigError, Plugin, Registry, check_fields


def _warn(message: str) -> None:
    warnings.warn(message, stacklevel=4)


USUAL_KERNEL = AUTO
"""What multiplies where nobody says: see `EngineOptions.kernel`."""


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """How a model is to be run."""

    revision: str | None = None
    dtype: str = "float32"
    device: str = "auto"
    bos: BosPolicy = BosPolicy.BOS
    batch_size: Annotated[int, COUNT] = DEFAULT_BATCH_SIZE
    """For batches only."""
    download: bool = True
    notice: Callable[[str], None] = _warn
    """Told where batches stand in for a tree, and how exact half precision is."""
    kernel: str = AUTO
    """What multiplies: ``auto`` (the faster of those within float32's rounding, on the processor), ``default``, ``packed``, ``bf16``."""

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True, slots=True)
class EngineKind:
    """A way of computing surprisal. A package offers one by an entry point in the group ``gapsmith.engines``."""

    title: str
    open: Callable[[str, EngineOptions], Engine]
    """From a model's name, as people type it, to its engine. Raises `ModelError` or `ConfigError`, each with what to do."""
    default: str | None = None
    """The model that is opened where none is named; None where one has to be."""


def _model(name: str, options: EngineOptions) -> LanguageModel:
    with phase("files of the model"):
        source = find_source(name, revision=options.revision, download=options.download)
    if (source.directory / ADAPTER).is_file():
        options.notice(
            f"{name} has an adapter beside its weights ({ADAPTER}): the weights score without it. Merge it into them to score both."
        )
    return LanguageModel(source, dtype=options.dtype, device=options.device, bos=options.bos, kernel=options.kernel)


def _batches(model: LanguageModel, options: EngineOptions) -> BatchEngine:
    return BatchEngine(model, batch_size=options.batch_size, notice=options.notice)


def _open_auto(name: str, options: EngineOptions) -> Engine:
    model = _model(name, options)
    reason = why_no_tree(model.text_config)
    if reason is None:
        return TreeEngine(model, notice=options.notice, fallback=_batches(model, options))
    if model.text_config.model_type not in OWN_KINDS:
        options.notice(f"{name} is run in batches: {reason}. That is as exact and takes longer.")
    return _batches(model, options)


def _open_tree(name: str, options: EngineOptions) -> Engine:
    model = _model(name, options)
    reason = why_no_tree(model.text_config)
    if reason is not None:
        raise ConfigError(f"{name} cannot be run as a tree of prefixes: {reason}", hint="Leave --engine out.")
    return TreeEngine(model, notice=options.notice, fallback=_batches(model, options))


def _open_batches(name: str, options: EngineOptions) -> Engine:
    return _batches(_model(name, options), options)


_DEFAULT = "gpt2"


def _held(kind: EngineKind, plugin: Plugin) -> EngineKind:
    """An engine of an installed package: what it opens has to be one."""

    def opened(name: str, options: EngineOptions) -> Engine:
        with plugin.at_work(f": open({name!r}, …) failed"):
            engine = kind.open(name, options)
        return HeldEngine(engine, plugin)

    return replace(kind, open=opened)


ENGINES: Registry[EngineKind] = Registry(
    "gapsmith.engines",
    "engine",
    EngineKind,
    {
        "auto": EngineKind("a tree of prefixes where the model can be run so, else batches", _open_auto, _DEFAULT),
        "tree": EngineKind("every distinct prefix once", _open_tree, _DEFAULT),
        "batches": EngineKind("texts side by side", _open_batches, _DEFAULT),
    },
    held=_held,
)
"""The engines by name."""


def adds_bos(engine: Engine) -> bool:
    """Whether one of our engines here has a tokenizer that puts a beginning-of-sequence token before every text unasked; of others it is not
    known."""
    return isinstance(engine, TreeEngine | BatchEngine) and engine.language_model.adds_bos


def model_for(engine: str, asked: str | None, configured: str | None = None) -> str:
    """The name of the model that an engine is to open: the one that was `asked` for, else the `configured` one, else the
    engine's own default. What is configured is meant for our engines: one of an installed package may compute no such model.

    Raises `ConfigError` where there is none."""
    kind = ENGINES.find(engine)
    name = asked or (configured if ENGINES.is_own(engine) else None) or kind.default
    if name is None:
        raise ConfigError(f"{ENGINES.plugin(engine)} does not say which model it scores with", hint="Name it with --model.")
    return name


def open_engine(
    name: str,
    *,
    revision: str | None = None,
    dtype: str = "float32",
    device: str = "auto",
    bos: BosPolicy = BosPolicy.BOS,
    engine: str = "auto",
    batch_size: Annotated[int, COUNT] = DEFAULT_BATCH_SIZE,
    download: bool = True,
    notice: Callable[[str], None] = _warn,
    kernel: str | None = None,
) -> Engine:
    """The engine that scores with model `name` (``bundled``, a directory, or a hub name; with an engine of an installed
    package, what that one takes).

    Finds the files and reads the tokenizer; the weights are loaded when the first text is scored. The other arguments are
    those of `EngineOptions`. Raises `ModelError` or `ConfigError`, each with what to do next.
    """
    kind = ENGINES.find(engine)
    return kind.open(name, EngineOptions(revision, dtype, device, bos, batch_size, download, notice, kernel or USUAL_KERNEL))
