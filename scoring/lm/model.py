"""A causal language model: tokenizer and settings at once, weights when they are first needed.

A model of kind ``gpt2`` is run by `gpt2`; every other one, and each variant of it, by transformers, which is not imported before it is
needed, and inside functions only: it takes seconds to load and reads HF_* variables when it is imported.
"""

from __future__ import annotations

import importlib
import inspect
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from gapsmith.scoring.lm.boundary import word_beginnings
from gapsmith.scoring.lm.encoding import Encoded, encode_requests
from gapsmith.scoring.lm.engine import Request
from gapsmith.scoring.lm.errors import ModelError
from gapsmith.scoring.lm.files import TOKENIZER_FILES
from gapsmith.scoring.lm.kernels import AUTO, BF16, DEFAULT, PACKED, Kernel, check_kernel, products_in, with_kernel
from gapsmith.scoring.lm.own import register_own_architectures
from gapsmith.scoring.lm.phases import phase
from gapsmith.scoring.lm.sources import ModelSource
from gapsmith.scoring.lm.vocabulary import Vocabulary, gpt2_vocabulary
from gapsmith.templates import BosPolicy, ConfigError

if TYPE_CHECKING:
    import torch

DTYPES = ("float32", "bfloat16", "float16")
"""The number formats a model can be computed in, whatever its weights are stored in."""

BF16_PRODUCTS = "float32, bf16 products"
"""What is called the number format of a model in float32 whose layers may multiply in bfloat16."""

_WINDOW_NAMES = ("max_position_embeddings", "n_positions", "n_ctx", "max_seq_len", "max_sequence_length", "seq_length")


@dataclass(frozen=True, slots=True)
class Beginning:
    """The token that serves as the beginning of the sequence."""

    token_id: int
    token: str
    origin: str
    """``bos`` where the tokenizer names one; ``eos`` where its end-of-sequence token stands in."""


@dataclass(frozen=True, slots=True)
class UnknownWord:
    """The token that a tokenizer of whole words gives for every word it does not know."""

    token_id: int
    token: str


class LanguageModel:
    """A causal LM with its tokenizer.

    Raises `ModelError` where tokenizer or weights are missing, unreadable, incomplete, need code from the hub, or where
    the tokenizer gives no character offsets; `ConfigError` for an unknown dtype or device.
    """

    def __init__(
        self,
        source: ModelSource,
        *,
        dtype: str = "float32",
        device: str = "auto",
        bos: BosPolicy = BosPolicy.BOS,
        kernel: str = DEFAULT,
    ) -> None:
        if dtype not in DTYPES:
            raise ConfigError(f"there is no dtype {dtype!r}", hint=f"Choose one of {', '.join(DTYPES)}.")
        self.source = source
        with phase("import of torch"):
            from gapsmith.scoring.lm.gpt2 import gpt2_shape
        self.device = choose_device(device)
        check_kernel(kernel, device=self.device, dtype=dtype)
        self._loaded_in = dtype
        self._asked_kernel = kernel if self.device == "cpu" and dtype == "float32" else DEFAULT
        self.dtype = BF16_PRODUCTS if kernel == BF16 else dtype
        """The number format, as it is part of what a scorer is."""
        self.kernel: Kernel | None = None
        """What the network multiplies with; None until it is loaded."""
        self._n_weights = 0
        self.bos = bos
        self._shape = gpt2_shape(source)
        if self._shape is None:
            _import_transformers()
        with phase("tokenizer"):
            _expect_tokenizer(source)
            self.text_config: Any = self._shape or _config(source).get_text_config()
            """The configuration, of the text part where there are others: `Gpt2Sizes`, or one of transformers."""
            self._tokenizer = (gpt2_vocabulary(source.directory) if self._shape else None) or _tokenizer(source)
        self.vocabulary = int(self.text_config.vocab_size)
        """Number of rows of the embedding."""
        self.window = _window(self.text_config)
        """How many tokens the model can read at once, BOS included; None where its configuration sets no limit."""
        self.unknown = _unknown(self._tokenizer.backend)
        """The token that stands for every word that the vocabulary lacks, of a model of whole words; None of others, whose tokens spell all."""
        self.rounding: Mapping[str, Any] | None = None
        """In half precision, how far values are from float32, once that was measured; for `provenance`."""
        self.beginning = None if bos is BosPolicy.NONE else _beginning(source, self._tokenizer)

    def encode(self, requests: Sequence[Request]) -> list[Encoded]:
        """The tokens of every request, without BOS; see `encode_requests`."""
        space = self.bos is BosPolicy.SPACE
        return encode_requests(self._tokenizer.backend, requests, vocabulary=self.vocabulary, space=space)

    @cached_property
    def adds_bos(self) -> bool:
        """Whether the tokenizer, asked as it comes, puts its beginning-of-sequence token before every text."""
        return self._tokenizer.adds_bos

    def pieces(self, ids: Sequence[int]) -> tuple[str, ...]:
        """The entries of the vocabulary, such as ``Ġknow``."""
        return self._tokenizer.pieces(ids)

    @cached_property
    def beginnings(self) -> Any:
        """A tensor (k,) on the model's device: the tokens that begin a word, and the ends of a text; see `boundary`.

        Raises `ConfigError` where the tokenizer does not mark beginnings by a leading space, or its tokens are whole words.
        """
        import torch

        if self.unknown is not None:
            raise ConfigError(
                f"{self.source.name} knows whole words, so a word's probability ends with it and there is no word-boundary correction",
                hint="Score without the boundary mass.",
            )
        tokenizer = self._tokenizer
        end = tokenizer.id_of(tokenizer.eos)
        found = word_beginnings(
            self.source.name,
            self.pieces(range(min(tokenizer.backend.get_vocab_size(), self.vocabulary))),
            special=tokenizer.special,
            ends=[] if end is None else [end],
        )
        return torch.tensor(found, dtype=torch.long, device=self.device)

    @cached_property
    def network(self) -> Any:
        """The network, a `Gpt2` or a PreTrainedModel, on its device, in its dtype, in evaluation mode, with the kernel that was asked
        for; loaded on first use. It is run within `running`."""
        with phase("weights"):
            network = self._loaded()
            _check_causal(self.source, network, self.vocabulary)
        self._n_weights = sum(weight.numel() for weight in network.parameters())
        with phase("kernel: choice and layout"):
            found = with_kernel(network, self._asked_kernel, self.vocabulary, self.window)
        if isinstance(found, str):
            if self._asked_kernel != AUTO:
                raise ModelError(
                    f"{self.source.name} cannot be run with --kernel {self._asked_kernel}: {found}", hint="Leave --kernel out."
                )
            network = self._loaded()
            found = network, Kernel(DEFAULT, found)
        network, self.kernel = found
        return network

    def _loaded(self) -> Any:
        if self._shape is None:
            return _load_network(self.source, self._loaded_in, self.device)
        import torch

        from gapsmith.scoring.lm.gpt2 import load_gpt2

        with _loading(self.source, "weights"):
            return load_gpt2(self.source, self._shape, dtype=getattr(torch, self._loaded_in), device=self.device)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Within it the network is run: no gradients, nothing printed, float32 products in float32 whatever the process has set."""
        import torch

        with quiet(), torch.inference_mode(), products_in():
            yield

    @property
    def takes_padding(self) -> bool:
        """Whether the network is to be told which tokens are padding; ours sees none of what stands behind a token."""
        return self._shape is None

    @property
    def runs_side_by_side(self) -> bool:
        """Whether threads may run the network at the same time: ours, on a processor, in products that are the same for all of them."""
        kernel = None if self.kernel is None else self.kernel.name
        return self._shape is not None and self.device == "cpu" and kernel in (DEFAULT, PACKED)

    @cached_property
    def takes_positions(self) -> bool:
        """Whether the network lets the caller say which position each token has."""
        return "position_ids" in inspect.signature(self.network.forward).parameters

    def identity(self) -> Mapping[str, Any]:
        """What a scorer is, for `Engine.identity`."""
        described: dict[str, Any] = {
            "weights": self.source.weights,
            "tokenizer": self.source.tokenizer,
            "dtype": self.dtype,
            "bos": self.bos.value,
            "window": self.window,
            "over_window": "undefined",
        }
        if self.beginning is not None:
            described |= {"bos_token": self.beginning.token, "bos_from": self.beginning.origin}
        if self.unknown is not None:
            described |= {"unknown": self.unknown.token, "unknown_id": self.unknown.token_id}
        return described

    def provenance(self) -> Mapping[str, Any]:
        """What computes the values, for `Engine.provenance`."""
        used = ("torch", "tokenizers", *(["transformers"] if self._shape is None or self._tokenizer.by_transformers else []))
        libraries = {name: version(name) for name in used}
        if self._shape is not None:
            from gapsmith.scoring.lm.gpt2 import NAME

            libraries["network"] = NAME
        rounding = {} if self.rounding is None else {"rounding": self.rounding}
        own = {"adds_bos": True} if self.adds_bos else {}
        kernel: dict[str, Any] = {} if self.kernel is None else dict(self.kernel.provenance())
        if self.device.startswith("cuda") and self.dtype == "float32":
            kernel["tf32"] = "off"
        return {"device": self.device.split(":")[0], "dtype": self.dtype, **libraries, **kernel, **rounding, **own}

    def free_on_gpu(self) -> int | None:
        """Bytes that are free on the model's GPU; None where it is on none that says so."""
        import torch

        return int(torch.cuda.mem_get_info(self.device)[0]) if self.device.startswith("cuda") else None

    def in_float32(self) -> LanguageModel | None:
        """The same model in float32 on the same device, or None where it would take over half of the memory."""
        assert self.network is not None
        needed = 4 * self._n_weights
        free = self.free_on_gpu()
        if free is None:
            free = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        return None if needed > free / 2 else LanguageModel(self.source, device=self.device, bos=self.bos)


def choose_device(name: str) -> str:
    """The torch device for `name`; ``auto`` is a CUDA device where there is one, else the processor.

    Raises `ConfigError` where this machine has no such device.
    """
    import torch

    if name == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    kind = name.split(":")[0]
    reachable = {"cpu": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if not re.fullmatch(r"(cpu|mps|cuda(:\d+)?)", name):
        raise ConfigError(f"there is no device {name!r}", hint="Choose auto, cpu, cuda, cuda:0 (and so on) or mps.")
    if not reachable[kind] or (":" in name and int(name.split(":")[1]) >= torch.cuda.device_count()):
        raise ConfigError(f"this machine has no device {name!r} that torch can use", hint="Leave --device out, or say cpu.")
    return name


@contextmanager
def quiet() -> Iterator[None]:
    """Keep transformers' advice and progress bars off the screen; its errors are exceptions and still come through. Where it was not
    imported it says nothing."""
    if sys.modules.get("transformers") is None:
        yield
        return
    logging: Any = importlib.import_module("transformers.utils.logging")
    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()


@contextmanager
def _loading(source: ModelSource, what: str) -> Iterator[None]:
    """Turn what transformers raises for unreadable files into a `ModelError` that names the model."""
    from safetensors import SafetensorError

    try:
        with quiet():
            yield
    except (
        OSError,
        ValueError,
        ImportError,
        RuntimeError,
        KeyError,
        TypeError,
        AttributeError,
        SafetensorError,
    ) as error:
        text = str(error).strip()
        hint = "Check the files, or fetch the model again. `gapsmith doctor` lists the models that are in reach."
        if "trust_remote_code" in text:
            text, hint = "it needs program code from the hub, which gapsmith does not run", "Choose another model."
        first = text.splitlines()[0] if text else type(error).__name__
        raise ModelError(f"the {what} of {source.name} cannot be loaded from {source.directory}: {first}", hint=hint) from error


def _import_transformers() -> None:
    with phase("import of transformers"):
        register_own_architectures()


_OPTIONS = {"local_files_only": True, "trust_remote_code": False}


def _expect_tokenizer(source: ModelSource) -> None:
    if not any((source.directory / file).is_file() for file in TOKENIZER_FILES):
        raise ModelError(
            f"{source.directory} holds no tokenizer", hint="Put the model's tokenizer.json there, or fetch it again."
        )


def _config(source: ModelSource) -> Any:
    from transformers import AutoConfig

    with _loading(source, "configuration"):
        config = AutoConfig.from_pretrained(source.directory, **_OPTIONS)
    if config.is_encoder_decoder:
        raise ModelError(
            f"{source.name} is an encoder-decoder model ({config.model_type}); surprisal needs a causal one",
            hint="Choose a causal language model such as gpt2.",
        )
    return config


def _tokenizer(source: ModelSource) -> Vocabulary:
    _import_transformers()
    from transformers import AutoTokenizer

    with _loading(source, "tokenizer"):
        tokenizer = AutoTokenizer.from_pretrained(source.directory, **_OPTIONS)
    if not getattr(tokenizer, "is_fast", False):
        raise ModelError(
            f"the tokenizer of {source.name} ({type(tokenizer).__name__}) does not say which characters its tokens "
            "cover, so that surprisal could not be given to regions",
            hint="Give a model that has a tokenizer.json.",
        )
    return Vocabulary.from_transformers(tokenizer)


def _window(config: Any) -> int | None:
    for name in _WINDOW_NAMES:
        value = getattr(config, name, None)
        if isinstance(value, int) and value > 0:
            return value
    return None


def _unknown(tokenizer: Any) -> UnknownWord | None:
    model = tokenizer.model
    if type(model).__name__ != "WordLevel" or model.unk_token is None:
        return None
    number = model.token_to_id(model.unk_token)
    return None if number is None else UnknownWord(int(number), str(model.unk_token))


def _beginning(source: ModelSource, tokenizer: Vocabulary) -> Beginning:
    for token, origin in ((tokenizer.bos, "bos"), (tokenizer.eos, "eos")):
        number = tokenizer.id_of(token)
        if token is not None and number is not None:
            return Beginning(number, token, origin)
    raise ModelError(
        f"the tokenizer of {source.name} has neither a beginning-of-sequence nor an end-of-sequence token",
        hint="Score without one: --no-bos. The first token of every sentence is then undefined.",
    )


def trainable_network(source: ModelSource) -> Any:
    """The PreTrainedModel of a causal language model, on the processor, in float32, which training goes on from. Raises as `LanguageModel`."""
    _import_transformers()
    network = _load_network(source, "float32", "cpu")
    _check_causal(source, network, int(_config(source).get_text_config().vocab_size))
    return network


def _load_network(source: ModelSource, dtype: str, device: str) -> Any:
    import torch
    from transformers import AutoModelForCausalLM

    loader: Any = AutoModelForCausalLM
    with _loading(source, "weights"):
        network, info = loader.from_pretrained(
            source.directory,
            dtype=getattr(torch, dtype),
            use_safetensors=True,
            trust_remote_code=False,
            local_files_only=True,
            output_loading_info=True,
        )
    # transformers fills what is missing with random numbers and only warns.
    absent = sorted(str(key) for name in ("missing_keys", "mismatched_keys") for key in info.get(name, ()))
    if absent:
        raise ModelError(
            f"the weights of {source.name} do not fit its configuration: {absent[0]} "
            f"{'is' if len(absent) == 1 else f'and {len(absent) - 1} more are'} missing or of another shape",
            hint="Fetch the model again, or choose another; this one would give random numbers.",
        )
    if getattr(network, "_hf_peft_config_loaded", False):
        raise ModelError(
            f"the adapter beside the weights of {source.name} was put into them by an installed package (peft)",
            hint="Its values would go under the name of the weights. Merge it into them and save that, or move adapter_config.json away.",
        )
    return network.to(device).eval()


def _check_causal(source: ModelSource, network: Any, vocabulary: int) -> None:
    """Refuse a network whose first position can see the second: it is no causal model, and its values no surprisals."""
    import torch

    ids = torch.tensor([[0, 1 % vocabulary], [0, 2 % vocabulary]], device=network.device)
    with torch.inference_mode(), products_in():
        first: torch.Tensor = network(input_ids=ids).logits[:, 0].float()
    limit = (1e-3 if network.dtype == torch.float32 else 5e-2) * (1.0 + float(first.abs().max()))
    if float((first[0] - first[1]).abs().max()) > limit:
        raise ModelError(
            f"{source.name} ({type(network).__name__}) is not a causal language model: what it predicts at a word "
            "depends on the words after it",
            hint="Choose a causal language model such as gpt2.",
        )
