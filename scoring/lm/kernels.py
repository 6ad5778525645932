"""What multiplies a model's matrices on a processor: torch's default products, or oneDNN's, for which weights are laid out once.

Both compute in float32 and lie as far from float64, so values of one are those of the other up to rounding, and both are one
scorer. Which is faster depends on processor, version of torch and shapes: where nobody names one, both are timed on the model's own
shapes, once; the choice is kept in the user's cache folder. A setting that lets oneDNN multiply in bfloat16 (`BF16`) is never
chosen, only named, and is another scorer.

torch keeps for the whole process with how many bits float32 matrices may be multiplied, and a program that imports gapsmith may have
lowered it; `products_in` says for a stretch of code what holds there.
"""

from __future__ import annotations

import importlib
import json
import os
import platform
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gapsmith.bank import written_whole
from gapsmith.scoring.lm.errors import ModelError
from gapsmith.templates import ConfigError

if TYPE_CHECKING:
    import torch

AUTO, DEFAULT, PACKED, BF16 = "auto", "default", "packed", "bf16"
KERNELS = (AUTO, DEFAULT, PACKED, BF16)
"""What can be asked for."""

FASTER = 1.1
"""How many times as fast as torch's default products others must be to take their place."""

ROWS = 256
"""Rows that are multiplied at a time when kernels are timed: a stretch of the tree of prefixes."""
_PRODUCT = 2**22
"""The most outputs of a product that is timed (16 MiB): wide output layers are timed on fewer rows."""
_FEW_ROWS = 16
"""Rows that are held against float64."""
_ROUNDS = 3

MORE_BITS = 1e-6
"""How much farther from float64, beside twice the default's distance, packed products may lie: root mean square, in bits of
log probabilities."""

LIMIT_BITS = {PACKED: 1e-3, BF16: 0.25}
"""By how much the mean of a model's values may differ from those with the default products before a kernel is taken for faulty;
packed products make about 1e-6."""

_MEMORY_SHARE = 0.5
"""The most of the memory that is free which copies of weights may take where nobody named the kernel."""


@dataclass(frozen=True, slots=True)
class KernelChoice:
    """Which kernel was faster for some shapes, and how far each lies from float64."""

    kernel: str
    times_as_fast: float
    """Packed products against the default ones, in processor time."""
    bits: float
    """The packed products' distance from float64: root mean square, in bits."""
    default_bits: float
    shapes: tuple[tuple[int, int], ...]
    """(inputs, outputs) of the matrices that were timed: the model's smallest and largest."""

    @property
    def in_words(self) -> str:
        """In words."""
        small, large = (f"{a:,}×{b:,}" for a, b in (self.shapes[0], self.shapes[-1]))
        return (
            f"{self.kernel}: packed products are {self.times_as_fast:.2f} times as fast as torch's default ones ({small} to {large}) and "
            f"{self.bits:.1e} bits from float64 (default {self.default_bits:.1e})"
        )


@dataclass(frozen=True, slots=True)
class Kernel:
    """What a loaded network multiplies with."""

    name: str
    because: str = ""
    """Why it is not the one that was asked for, or that is fastest; empty where it is."""
    more_bytes: int = 0
    """Memory of copies of weights that are there in the other layout too, such as an output layer tied to the embedding."""

    def provenance(self) -> Mapping[str, Any]:
        """For `Engine.provenance`."""
        why = {"kernel_because": self.because} if self.because else {}
        return {"kernel": self.name, **why, **({"kernel_more_bytes": self.more_bytes} if self.more_bytes else {})}


def check_kernel(kernel: str, *, device: str, dtype: str) -> None:
    """Raise `ConfigError` where a kernel is unknown, or is named where it cannot be had."""
    if kernel not in KERNELS:
        raise ConfigError(f"there is no kernel {kernel!r}", hint=f"Choose one of {', '.join(KERNELS)}.")
    if kernel in (PACKED, BF16) and (device != "cpu" or dtype != "float32"):
        raise ConfigError(
            f"--kernel {kernel} is for float32 on the processor, not for {dtype} on {device}",
            hint="Leave --kernel out. --dtype bfloat16 computes all of the model in bfloat16.",
        )


@contextmanager
def products_in(precision: str = "ieee") -> Iterator[None]:
    """Within it float32 matrices are multiplied in float32 on every device (``ieee``; no TF32), or, with ``bf16``, in bfloat16 where
    oneDNN multiplies; afterwards what held before holds again."""
    import torch

    backends: Any = torch.backends
    if not hasattr(backends.mkldnn, "matmul"):
        # Before torch 2.9 one setting was for all.
        before = torch.get_float32_matmul_precision()
        torch.set_float32_matmul_precision("medium" if precision == "bf16" else "highest")
        try:
            yield
        finally:
            torch.set_float32_matmul_precision(before)
        return
    places = [(backends.mkldnn.matmul, precision)]
    places += [(place, "ieee") for place in (backends.cuda.matmul, backends.cudnn.conv, backends.cudnn.rnn)]
    held = [(place, place.fp32_precision) for place, _ in places]
    for place, wanted in places:
        place.fp32_precision = wanted
    try:
        yield
    finally:
        for place, was in held:
            place.fp32_precision = was


def _holds(precision: str) -> bool:
    """Whether oneDNN multiplies so just now."""
    import torch

    backends: Any = torch.backends
    return hasattr(backends.mkldnn, "matmul") and backends.mkldnn.matmul.fp32_precision == precision


def packed(network: Any, kernel: str) -> Any:
    """The network with its linear layers multiplied by oneDNN with weights that are laid out for it: (network, memory in bytes of
    what is now there twice). The layers are replaced in place, and have no weights that could be saved."""
    packing = _packing()
    sources: list[Any] = []
    n_packed: dict[int, int] = {}
    for parent, name, layer in _linear_layers(network):
        weight = layer.weight
        rows = weight.detach().t() if type(layer).__name__ == "Conv1D" else weight.detach()
        layer_packed = packing(rows.contiguous(), layer.bias, "bf16" if kernel == BF16 else "ieee")
        setattr(parent, name, layer_packed)
        sources.append(weight)
        n_packed[id(weight)] = n_packed.get(id(weight), 0) + layer_packed.n_bytes
    left = {id(weight) for weight in network.parameters()}
    return network, sum(size for own, size in n_packed.items() if own in left)


def with_kernel(network: Any, asked: str, vocabulary: int, window: int | None = None) -> tuple[Any, Kernel] | str:
    """The network, which reads at most `window` tokens, multiplied as asked, and what that is; or why packed products cannot be had for it,
    after which the network is no longer of use. Raises `ModelError` where the kernel that was named has nothing to multiply."""
    if asked == DEFAULT:
        return network, Kernel(DEFAULT)
    shapes = sorted(
        {(layer_in, layer_out) for layer_in, layer_out in map(_shape, _layers(network))}, key=lambda s: (s[0] * s[1], s)
    )
    if not shapes or not _has_packed():
        why = "its layers are none that could be packed" if not shapes else "this build of torch has no packed products (oneDNN)"
        if asked != AUTO:
            raise ModelError(f"--kernel {asked} cannot be used here: {why}", hint="Leave --kernel out.")
        return network, Kernel(DEFAULT, why)
    if asked == AUTO:
        if chosen_for((shapes[0], shapes[-1])).kernel == DEFAULT:
            return network, Kernel(DEFAULT)
        free = _free_memory()
        if free is None:
            return network, Kernel(DEFAULT, "this system does not say how much memory is free for copies of the weights")
        if _twice(network) > _MEMORY_SHARE * free:
            return network, Kernel(DEFAULT, "copies of the weights would take over half of the memory that is free")
    kernel = PACKED if asked == AUTO else asked
    before = _sample_bits(network, vocabulary, window)
    try:
        network, more = packed(network, kernel)
        difference = float((_sample_bits(network, vocabulary, window) - before).abs().mean())
    except (RuntimeError, AttributeError, TypeError, ValueError, NotImplementedError) as error:
        lines = str(error).strip().splitlines()
        return f"the network fails with packed products ({type(error).__name__}: {lines[0] if lines else ''})"
    if not difference <= LIMIT_BITS[kernel]:
        return f"with packed products its values differ by {difference:.2g} bits a token"
    return network, Kernel(kernel, more_bytes=more)


def _sample_bits(network: Any, vocabulary: int, window: int | None) -> torch.Tensor:
    """(2, 24), or as many as the window holds: surprisals of some tokens, in bits."""
    import torch

    n_read = 24 if window is None else min(24, window)
    ids = ((torch.arange(50).reshape(2, 25) * 7919 + 13) % vocabulary)[:, : n_read + 1]
    with torch.inference_mode(), products_in():
        logits: torch.Tensor = network(input_ids=ids[:, :-1], use_cache=False).logits.double()
    bits: torch.Tensor = -torch.log_softmax(logits, -1).gather(-1, ids[:, 1:, None])[..., 0] / 0.6931471805599453
    return torch.nan_to_num(bits)


def _linear_layers(network: Any) -> list[tuple[Any, str, Any]]:
    """(parent, name, layer) of the layers that are a product with one matrix, and nothing derived from them."""
    from torch import nn

    from gapsmith.scoring.lm.gpt2 import Conv1D, Gpt2, OutputLayer

    kinds = [nn.Linear, OutputLayer, Conv1D]
    if not isinstance(network, Gpt2):
        kinds.append(importlib.import_module("transformers.pytorch_utils").Conv1D)
    found = []
    for parent in network.modules():
        for name, layer in parent.named_children():
            if type(layer) in kinds:
                found.append((parent, name, layer))
    return found


def _layers(network: Any) -> list[Any]:
    return [layer for _, _, layer in _linear_layers(network)]


def _shape(layer: Any) -> tuple[int, int]:
    """(inputs, outputs); a Conv1D has its matrix the other way round."""
    first, second = layer.weight.shape
    return (int(first), int(second)) if type(layer).__name__ == "Conv1D" else (int(second), int(first))


def _twice(network: Any) -> int:
    """The bytes of weights that would be there twice."""
    layers = _layers(network)
    own = {id(layer) for layer in layers}
    elsewhere = {
        id(weight) for module in network.modules() if id(module) not in own for weight in module.parameters(recurse=False)
    }
    sizes = {id(layer.weight): int(layer.weight.nbytes) for layer in layers}
    # While layers are packed one after the other, one more is there twice.
    return sum(size for own, size in sizes.items() if own in elsewhere) + max(sizes.values())


def _free_memory() -> int | None:
    """Bytes of memory that nothing uses; None where the system does not say, as outside of Linux."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None


@cache
def _has_packed() -> bool:
    import torch

    library: Any = torch.backends.mkldnn
    if not library.is_available():
        return False
    try:
        _packing()(torch.ones(8, 8), None, "ieee")(torch.ones(1, 8))
    except (RuntimeError, AttributeError, NotImplementedError):
        return False
    return True


@cache
def _packing() -> type:
    """The layer; made here, since torch is imported in functions only."""
    import torch
    from torch import nn

    operators: Any = torch.ops.mkldnn

    class PackedLinear(nn.Module):
        """A linear layer of oneDNN; `weight` (outputs, inputs) is copied into its layout. For inference only."""

        def __init__(self, weight: torch.Tensor, bias: torch.Tensor | None, precision: str) -> None:
            super().__init__()
            self.out_features, self.in_features = (int(size) for size in weight.shape)
            self.precision = precision
            # Plain attributes, so that neither is saved or trained.
            with torch.inference_mode():
                layout = operators._reorder_linear_weight(weight, ROWS)
                self._held = (layout, None if bias is None else bias.detach().clone())
                self.n_bytes = int(operators._nbytes(layout)) if hasattr(operators, "_nbytes") else weight.nbytes

        def forward(self, inputs: torch.Tensor) -> torch.Tensor:
            """(…, inputs) to (…, outputs); in the precision that was chosen, whatever holds outside."""
            return self._made(inputs, "none", "")

        def then_gelu(self, inputs: torch.Tensor) -> torch.Tensor:
            """The same and GELU's tanh form of it, without another way through the memory."""
            return self._made(inputs, "gelu", "tanh")

        def _made(self, inputs: torch.Tensor, after: str, form: str) -> torch.Tensor:
            weight, bias = self._held
            # Where that precision holds already, as it does while an engine scores, asking for it again would take as long as a small
            # product.
            with nullcontext() if _holds(self.precision) else products_in(self.precision):
                made: torch.Tensor = operators._linear_pointwise(inputs, weight, bias, after, [], form)
            return made

        def extra_repr(self) -> str:
            return f"in_features={self.in_features}, out_features={self.out_features}, products={self.precision}"

    return PackedLinear


def chosen_for(shapes: Sequence[tuple[int, int]]) -> KernelChoice:
    """The kernel for a model whose smallest and largest matrices have these shapes: from the cache, else measured and kept."""
    import torch

    place = kernel_cache()
    key = _key(shapes)
    known = _kept(place)
    found = _read(known.get(key))
    if found is None:
        with torch.inference_mode():
            found = measure(tuple(shapes))
        # Read again: another process may have added its own in the meantime.
        _keep(place, {**_kept(place), key: asdict(found)})
    return found


def known_choices() -> list[KernelChoice]:
    """What was chosen on this processor with this version of torch, for any model."""
    start = _key(())
    return [found for key, kept in sorted(_kept(kernel_cache()).items()) if key.startswith(start) and (found := _read(kept))]


def kernel_cache() -> Path:
    """Where choices are kept; the file may be deleted at any time."""
    import platformdirs

    return platformdirs.user_cache_path("gapsmith") / "kernels.json"


def measure(shapes: tuple[tuple[int, int], ...]) -> KernelChoice:
    """Time both kernels on random matrices of these shapes, in turns, in processor time; the least of some rounds counts. Packed products
    win where all shapes together are `FASTER` and none is slower."""
    import torch

    generator = torch.Generator().manual_seed(1)
    seconds = {DEFAULT: 0.0, PACKED: 0.0}
    never_slower = True
    apart = {DEFAULT: 0.0, PACKED: 0.0}
    for n_in, n_out in dict.fromkeys(shapes):
        weight = torch.randn(n_out, n_in, generator=generator) * n_in**-0.5
        rows = torch.randn(max(_FEW_ROWS, min(ROWS, _PRODUCT // n_out)), n_in, generator=generator)
        layer = torch.nn.Linear(n_in, n_out, bias=False)
        layer.weight = torch.nn.Parameter(weight, requires_grad=False)
        layers = {DEFAULT: layer, PACKED: _packing()(weight, None, "ieee")}
        exact = _bits_of(rows[:_FEW_ROWS].double() @ weight.double().t())
        with products_in("ieee"):
            for name, own in layers.items():
                off = _bits_of(own(rows[:_FEW_ROWS]).double()) - exact
                apart[name] = max(apart[name], float(off.square().mean().sqrt()))
            repeats = max(1, 2**28 // (len(rows) * n_in * n_out))
            least = dict.fromkeys(layers, float("inf"))
            for _ in range(_ROUNDS):
                for name, own in layers.items():
                    own(rows)
                    began = time.process_time()
                    for _ in range(repeats):
                        own(rows)
                    least[name] = min(least[name], (time.process_time() - began) / repeats)
        for name, taken in least.items():
            seconds[name] += taken
        never_slower &= least[PACKED] <= least[DEFAULT]
    ratio = seconds[DEFAULT] / max(seconds[PACKED], 1e-12)
    wins = ratio >= FASTER and never_slower and apart[PACKED] <= 2 * apart[DEFAULT] + MORE_BITS
    return KernelChoice(PACKED if wins else DEFAULT, round(ratio, 3), apart[PACKED], apart[DEFAULT], tuple(shapes))


def _bits_of(logits: torch.Tensor) -> torch.Tensor:
    import torch

    return torch.log_softmax(logits, -1) / 0.6931471805599453


def _key(shapes: Sequence[tuple[int, int]]) -> str:
    import torch

    sizes = " ".join(f"{n_in}x{n_out}" for n_in, n_out in shapes)
    return f"{_processor()} | torch {torch.__version__} | float32 | {sizes}"


@cache
def _processor() -> str:
    """Model and abilities of the processor."""
    import torch

    known: dict[str, str] = {}
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text("utf-8").split("\n\n")[0].splitlines():
            name, _, value = line.partition(":")
            known[name.strip()] = value.strip()
    names = [known[name] for name in ("model name", "cpu family", "model", "stepping") if name in known]
    return " ".join([*(names or [platform.processor() or platform.machine()]), torch.backends.cpu.get_cpu_capability()])


def _kept(place: Path) -> dict[str, Any]:
    """What the cache holds; nothing where it is not there or broken, so that it is made again."""
    try:
        found = json.loads(place.read_text("utf-8"))["choices"]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return dict(found) if isinstance(found, dict) else {}


def _read(kept: Any) -> KernelChoice | None:
    """A choice as it was kept, or None where it is none."""
    try:
        shapes = tuple((int(n_in), int(n_out)) for n_in, n_out in kept["shapes"])
        ratio, bits, default_bits = (float(kept[name]) for name in ("times_as_fast", "bits", "default_bits"))
    except (KeyError, TypeError, ValueError):
        return None
    if kept.get("kernel") not in (DEFAULT, PACKED) or not shapes:
        return None
    return KernelChoice(kept["kernel"], ratio, bits, default_bits, shapes)


def _keep(place: Path, choices: Mapping[str, Any]) -> None:
    """Write the cache in one go; where nobody may write, the next start measures again."""
    with suppress(OSError), written_whole(place) as made:
        made.write_text(json.dumps({"version": 1, "choices": dict(choices)}, indent=1, sort_keys=True), encoding="utf-8")
