"""What a training run is to do: read from a TOML file, or from a named configuration that ships with gapsmith.

The sizes ``mini``, ``xs``, ``xxs`` and ``small`` and their schedule are those of POSH-BENCH (tables 5 and 6 of that paper),
``gulordava`` is the shape of the LSTM of Gulordava et al. (2018).
"""

from __future__ import annotations

import importlib.resources
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from gapsmith.templates import ConfigError, DocumentError, made_of, read_toml, text_of

_STRICT = ConfigDict(extra="forbid")
Count = Annotated[int, Field(gt=0)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]
Dropout = Annotated[float, Field(ge=0.0, lt=1.0)]


@dataclass(frozen=True, kw_only=True)
class Gpt2Shape:
    """GPT-2 (Radford et al. 2019), embeddings tied. Its window is the length of the rows."""

    __pydantic_config__ = _STRICT
    architecture: Literal["gpt2"] = "gpt2"
    hidden: Count
    layers: Count
    heads: Count
    feed_forward: Count | None = None
    """None: four times `hidden`."""
    dropout: Dropout = 0.1


@dataclass(frozen=True, kw_only=True)
class LstmShape:
    """An LSTM language model. Gulordava et al. (2018): two layers of 650 units, dropout 0.2."""

    __pydantic_config__ = _STRICT
    architecture: Literal["lstm"] = "lstm"
    hidden: Count = 650
    layers: Count = 2
    embedding: Count | None = None
    """None: as wide as `hidden`, which `tied` needs."""
    dropout: Dropout = 0.2
    tied: bool = True


@dataclass(frozen=True, kw_only=True)
class NgramShape:
    """Counts of n-grams of tokens within a sentence, smoothed."""

    __pydantic_config__ = _STRICT
    architecture: Literal["ngram"] = "ngram"
    order: Annotated[int, Field(ge=1, le=8)] = 3
    smoothing: Literal["add-one", "kneser-ney"] = "kneser-ney"


NetworkShape = Annotated[Gpt2Shape | LstmShape | NgramShape, Field(discriminator="architecture")]


@dataclass(frozen=True, kw_only=True)
class TokenizerChoice:
    """A byte-level BPE trained on the corpus, or a tokenizer that is there already."""

    __pydantic_config__ = _STRICT
    vocabulary: Annotated[int, Field(ge=257)] = 32_768
    """Entries of the BPE to train, the end-of-text token among them."""
    path: str | None = None
    """A directory with a tokenizer.json, or that file: used instead of training one."""


@dataclass(frozen=True, kw_only=True)
class Rows:
    """How the text becomes rows (`gapsmith.training.packing`). n-grams are counted within sentences instead."""

    __pydantic_config__ = _STRICT
    length: Annotated[int, Field(ge=8)] = 512
    """Tokens per row, the beginning-of-sequence token among them; of rows of sentences, the most."""
    unit: Literal["stream", "sentences"] = "stream"
    """``stream``: running text in rows of equal length. ``sentences``: a sentence per row, begun and ended by the end-of-text token,
    rows of like length in one batch; what goes beyond `length` is cut off."""
    end_within: Share = 0.0
    """Share of the sentence boundaries within paragraphs at which the text is cut by an end-of-text token as well."""
    validation_share: Annotated[float, Field(ge=0.0, lt=1.0)] = 0.01
    """Share of the paragraphs held out where no validation text is given."""
    validation_rows: Count = 400
    """At most so many rows are evaluated."""


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """The learning rate by step: up over `warmup`, then as `shape` says, from `learning_rate` down to 0 at the last step."""

    __pydantic_config__ = _STRICT
    shape: Literal["linear", "cosine", "constant", "trapezoid"] = "linear"
    """``trapezoid`` is constant and falls linearly over the last `decay` steps."""
    learning_rate: Annotated[float, Field(gt=0.0)] = 1e-4
    warmup: Annotated[int, Field(ge=0)] = 0
    decay: Annotated[int, Field(ge=0)] = 0


@dataclass(frozen=True, kw_only=True)
class Optimiser:
    """AdamW (Loshchilov & Hutter 2019); no decay for biases, norms and embeddings' one-dimensional relatives."""

    __pydantic_config__ = _STRICT
    weight_decay: Annotated[float, Field(ge=0.0)] = 0.1
    beta1: Share = 0.9
    beta2: Share = 0.999
    epsilon: Annotated[float, Field(gt=0.0)] = 1e-8
    clip: Annotated[float, Field(gt=0.0)] = 1.0
    """Largest norm of the gradient."""


@dataclass(frozen=True, kw_only=True)
class TrainingRun:
    """How long, in what steps, and what is looked at on the way."""

    __pydantic_config__ = _STRICT
    steps: Count = 100_000
    epochs: Count | None = None
    """With rows of sentences: train so many passes over the text, whatever `steps` says, and evaluate after each."""
    batch: Count = 32
    """Rows per step, over all devices."""
    accumulate: Count = 1
    """In so many parts a batch goes through the network, for devices with little memory."""
    seed: Annotated[int, Field(ge=0)] = 1
    precision: Literal["float32", "bfloat16"] = "float32"
    """bfloat16: matrix products in bfloat16, weights and their sums in float32."""
    choose: Literal["best", "last"] = "best"
    """The finished model's weights: those with the lowest validation loss, or the last ones."""
    store: Literal["float32", "float16"] = "float32"
    """The number format of the finished model's weights."""
    evaluate_every: Count = 1_000
    checkpoint_every: Count = 1_000
    patience: Annotated[int, Field(ge=0)] = 0
    """Stop when the validation loss has not fallen for so many steps; 0 never stops."""
    log_every: Count = 10


@dataclass(frozen=True, kw_only=True)
class Dyck:
    """Before the text, so many steps on the shuffled k-Dyck language (Hu et al. 2025): brackets of `types` kinds, which close in any order."""

    __pydantic_config__ = _STRICT
    steps: Count = 2_000
    types: Count = 64
    depth: Count = 16
    """At most so many brackets are open."""
    opening: Annotated[float, Field(gt=0.0, lt=1.0)] = 0.5
    """Probability of a further bracket where one could also close."""
    length: Count = 2_048
    """Symbols of a text; what goes beyond a row is cut off, and nothing is closed for that."""
    learning_rate: Annotated[float, Field(gt=0.0)] | None = None
    """None: that of the text. The rate has the text's shape, over the steps here."""
    warmup: Annotated[int, Field(ge=0)] = 0


@dataclass(frozen=True, kw_only=True)
class Planting:
    """Attention that is trained towards dependency trees as well (tree-planted Transformer, Yoshida et al. 2024)."""

    __pydantic_config__ = _STRICT
    weight: Annotated[float, Field(ge=0.0)] = 0.5
    """Of the divergence in the loss; their lambda."""
    layers: tuple[int, ...] = (-1,)
    """The layers, from 0; -1 is the last one."""
    heads: tuple[Annotated[int, Field(ge=0)], ...] = (0,)
    """The heads of these layers, from 0."""
    parser: str = "embedded"
    """``embedded``, ``spacy:NAME`` or ``stanza``: whose trees."""


@dataclass(frozen=True, kw_only=True)
class Recency:
    """Nearer tokens weigh more, less so with every epoch (Mita et al. 2025): the slope of epoch t, from 0, is start * rate ** t."""

    __pydantic_config__ = _STRICT
    start: Annotated[float, Field(ge=0.0)] = 1.0
    rate: Annotated[float, Field(gt=0.0, le=1.0)] = 0.6
    test_slope: Literal["trained", 0] = "trained"
    """With which slope the finished model is scored: that of the epoch its weights are of, or none."""


@dataclass(frozen=True, kw_only=True)
class Linear:
    """A control of `Recency`: the slope falls by the same amount with every epoch."""

    __pydantic_config__ = _STRICT
    start: Annotated[float, Field(ge=0.0)] = 1.0
    end: Annotated[float, Field(ge=0.0)] = 0.0
    """In the last epoch."""
    test_slope: Literal["trained", 0] = "trained"


@dataclass(frozen=True, kw_only=True)
class Constant:
    """A control of `Recency`: the slope stays."""

    __pydantic_config__ = _STRICT
    slopes: tuple[Annotated[float, Field(ge=0.0)], ...] | None = None
    """One for all heads, or one for each. None: 0.9 to the power of the head's number, from 1."""
    test_slope: Literal["trained", 0] = "trained"


@dataclass(frozen=True, kw_only=True)
class BiasTables:
    """The inductive biases of a learner: at most one in the data before the data, in the loss, and in attention."""

    __pydantic_config__ = _STRICT
    dyck: Dyck | None = None
    planting: Planting | None = None
    recency: Recency | None = None
    linear: Linear | None = None
    constant: Constant | None = None


@dataclass(frozen=True, kw_only=True)
class TrainingConfig:
    """Everything that decides the result besides the corpus. `network` None: the shape of the model to start from."""

    __pydantic_config__ = _STRICT
    network: NetworkShape | None = None
    tokenizer: TokenizerChoice | None = None
    rows: Rows = field(default_factory=Rows)
    schedule: Schedule = field(default_factory=Schedule)
    optimiser: Optimiser = field(default_factory=Optimiser)
    run: TrainingRun = field(default_factory=TrainingRun)
    bias: BiasTables = field(default_factory=BiasTables)

    def as_data(self) -> dict[str, Any]:
        """The configuration as JSON and TOML take it, without what is not set and what holds for nothing."""
        tables = _given(asdict(self))
        if not tables["bias"]:
            del tables["bias"]
        if self.run.epochs is not None:
            del tables["run"]["steps"], tables["run"]["evaluate_every"]
        return tables


def _given(table: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _plain(value) for name, value in table.items() if value is not None}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return _given(value)
    return list(value) if isinstance(value, tuple) else value


def config_names() -> list[str]:
    """The configurations that ship with gapsmith."""
    folder = importlib.resources.files("gapsmith.training.configs")
    return sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml"))


def load_config(name: str, overrides: Sequence[str] = ()) -> TrainingConfig:
    """The configuration in file `name`, or of that name; `overrides` are ``table.key=value`` with a TOML value.

    Raises `ConfigError` naming file and key.
    """
    if not overrides:
        return made_of(_config_text(name), name, _validated, what="a training configuration", model=TrainingConfig)
    tables = config_tables(name)
    for override in overrides:
        _override(tables, override)
    return parse_config(tables, name)


def config_tables(name: str) -> dict[str, Any]:
    """The tables of the configuration in file `name`, or of that name, as they are written. Raises `ConfigError`."""
    return made_of(_config_text(name), name, dict, what="a training configuration")


def _config_text(name: str) -> str:
    if name in config_names():
        return (importlib.resources.files("gapsmith.training.configs") / f"{name}.toml").read_text(encoding="utf-8")
    path = Path(name).expanduser()
    if not path.is_file():
        raise ConfigError(
            f"there is no training configuration {name!r}",
            hint=f"Give a TOML file, or one of {', '.join(config_names())}.",
        )
    try:
        return text_of(path, "utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{name}: cannot be read ({error})") from None


def _validated(tables: Mapping[str, Any]) -> TrainingConfig:
    return TypeAdapter(TrainingConfig).validate_python(dict(tables))


def parse_config(tables: Mapping[str, Any], where: str) -> TrainingConfig:
    """The configuration that `tables` describe; `where` is named in errors."""
    try:
        return _validated(tables)
    except ValidationError as error:
        first = error.errors()[0]
        # pydantic names the chosen member of a union as a step of its path.
        key = ".".join(str(part) for part in first["loc"] if part not in ("gpt2", "lstm", "ngram"))
        what = "there is no such key" if first["type"] == "unexpected_keyword_argument" else first["msg"]
        raise ConfigError(f"{where}: {key or 'configuration'}: {what}", hint=_hint(key)) from None


def _hint(key: str) -> str:
    table = key.split(".")[0]
    known: dict[str, type] = {"rows": Rows, "schedule": Schedule, "optimiser": Optimiser, "run": TrainingRun}
    known |= {"tokenizer": TokenizerChoice, "bias": BiasTables}
    biases: dict[str, type] = {"dyck": Dyck, "planting": Planting, "recency": Recency, "linear": Linear, "constant": Constant}
    part = key.split(".")[1] if key.count(".") > 1 else ""
    if table == "bias" and part in biases:
        # The types that meet here are known to go together.
        return f"[bias.{part}] takes {', '.join(biases[part].__dataclass_fields__)}."  # type: ignore[attr-defined]
    if table in known:
        # The types that meet here are known to go together.
        return f"[{table}] takes {', '.join(known[table].__dataclass_fields__)}."  # type: ignore[attr-defined]
    if table == "network":
        return "[network] takes architecture (gpt2, lstm, ngram) and the sizes of that architecture."
    return "The tables are network, tokenizer, rows, schedule, optimiser, run and bias."


def _override(tables: dict[str, Any], override: str) -> None:
    key, equals, value = override.partition("=")
    *tables_on_the_way, name = key.strip().split(".")
    if not (equals and tables_on_the_way and all((*tables_on_the_way, name))):
        raise ConfigError(f"--set {override!r} is not table.key=value", hint="For example --set run.steps=2000.")
    try:
        parsed = read_toml(f"value = {value}", odd_numbers=True)["value"]
    except DocumentError:
        parsed = value.strip()
    if isinstance(parsed, float) and not math.isfinite(parsed):
        raise ConfigError(f"--set {override!r}: {parsed} is not a number that can be counted with")
    entry = tables
    for table in tables_on_the_way:
        entry = entry.setdefault(table, {})
        if not isinstance(entry, dict):
            raise ConfigError(f"--set {override!r}: {table} is no table", hint=_hint(""))
    entry[name] = parsed
