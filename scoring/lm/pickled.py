"""The tensors of a file that torch.save wrote, read without running what is in it.

Such a file is a program for Python's unpickler, which can call whatever it names. Here it can name nothing but what is in `_inert`: ways to
put tensors together, and classes of networks, in whose places stand containers that only hold what they are given. Both forms are read:
that of torch before 1.6 (five pickles and the numbers behind them), and the zip file since.
"""

from __future__ import annotations

import io
import pickle
import struct
import zipfile
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from gapsmith.scoring.lm.errors import ModelError
from gapsmith.templates import bytes_of, expect_room

_MAGIC = 0x1950A86A20F9469CFC6C
_PROTOCOL = 1001
_KINDS = {
    "FloatStorage": "<f4",
    "DoubleStorage": "<f8",
    "HalfStorage": "<f2",
    "LongStorage": "<i8",
    "IntStorage": "<i4",
    "ShortStorage": "<i2",
    "CharStorage": "<i1",
    "ByteStorage": "<u1",
}
_NETWORKS = (
    ("model", "RNNModel"),
    ("torch.nn.modules.sparse", "Embedding"),
    ("torch.nn.modules.dropout", "Dropout"),
    ("torch.nn.modules.rnn", "LSTM"),
    ("torch.nn.modules.linear", "Linear"),
)
_DAMAGED = (
    pickle.UnpicklingError,
    zipfile.BadZipFile,
    struct.error,
    EOFError,
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    OverflowError,
    MemoryError,
    RecursionError,
    NotImplementedError,
    UnicodeDecodeError,
)
"""What the unpickler and the zip reader raise for bytes that are no such file."""


@dataclass(eq=False)
class _Storage:
    """Numbers in a row, of which tensors are parts; they come after the pickle that names them."""

    key: str
    kind: str
    size: int
    numbers: NDArray[Any] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _View:
    """A part of a storage as some tensors have it."""

    storage: _Storage
    start: int


@dataclass(frozen=True, slots=True, eq=False)
class _Tensor:
    """Which of a storage's numbers a tensor has."""

    place: _View
    shape: tuple[int, ...]
    stride: tuple[int, ...]

    def array(self) -> NDArray[Any]:
        """The tensor. Raises `ValueError` where it reaches beyond its storage."""
        storage = self.place.storage
        if storage.numbers is None or len(self.shape) != len(self.stride) or any(n < 0 for n in (*self.shape, *self.stride)):
            raise ValueError(f"a tensor of shape {self.shape} has no numbers")
        if prod(self.shape) > storage.size:
            # Strides of 0 would make a tensor of any size out of one number.
            raise ValueError(f"a tensor of shape {self.shape} has more entries than the {storage.size} numbers of its storage")
        last = self.place.start + sum((n - 1) * by for n, by in zip(self.shape, self.stride, strict=True))
        if prod(self.shape) and not 0 <= self.place.start <= last < storage.size:
            raise ValueError(f"a tensor of shape {self.shape} reaches beyond its {storage.size} numbers")
        width = storage.numbers.itemsize
        strided = np.lib.stride_tricks.as_strided
        return strided(storage.numbers[self.place.start :], self.shape, [by * width for by in self.stride], writeable=False)


class _RefusedError(Exception):
    """Names what the file wants to use."""


@dataclass(slots=True)
class _Reading:
    file: Path
    storages: dict[str, _Storage] = field(default_factory=dict)

    def unpickler(self, stream: IO[bytes]) -> pickle.Unpickler:
        """An unpickler of this file that can call nothing but what is inert."""
        known, find = _inert(), self.storage

        class Closed(pickle.Unpickler):
            def find_class(self, module: str, name: str, /) -> Any:
                if (module, name) not in known:
                    raise _RefusedError(f"{module}.{name}")
                return known[module, name]

            def persistent_load(self, pid: Any, /) -> Any:
                return find(pid)

        return Closed(stream, encoding="utf-8")

    def storage(self, told: Any) -> Any:
        """What a pickle refers to outside of itself: a storage, or a class beside which older files keep its source, unread."""
        kind, *rest = told
        if kind == "module":
            return rest[0]
        if kind != "storage":
            raise ValueError(f"it refers to a {kind!r}")
        (form, key, _, size), view = rest[:4], rest[4] if len(rest) > 4 else None
        own = self.storages.setdefault(str(key), _Storage(str(key), form.kind, int(size)))
        return _View(own, 0 if view is None else int(view[1]))


def _inert() -> dict[tuple[str, str], Any]:
    """What a file may name. Made anew for each, since a pickle can change what it is given."""

    class Held:
        """In the place of a network or a part of one."""

        def __setstate__(self, state: Any) -> None:
            self.state = state if isinstance(state, dict) else {}

    class Parameter:
        """In the place of a tensor that was trained; older files build it empty and fill it."""

        def __init__(self, data: Any = None, *_: Any) -> None:
            self.data = data

        def __setstate__(self, state: Any) -> None:
            if isinstance(state, tuple) and len(state) == 4:
                self.data = tensor(*state)
            elif isinstance(state, tuple) and len(state) == 5:
                self.data = state[0]

    def tensor(place: Any, start: int, shape: Any, stride: Any, *_: Any) -> _Tensor:
        if not isinstance(place, _View):
            raise pickle.UnpicklingError("a tensor has no storage")
        return _Tensor(_View(place.storage, place.start + int(start)), tuple(map(int, shape)), tuple(map(int, stride)))

    def nothing(*_: Any) -> None:
        """The functions that torch 0.3 computed with."""

    def storage_kind(name: str) -> Any:
        class Kind:
            kind = _KINDS[name]

        return Kind

    networks = {own: type(own[1], (Held,), {}) for own in _NETWORKS}
    kinds = {(module, name): storage_kind(name) for module in ("torch", "torch.cuda") for name in _KINDS}
    return {
        ("collections", "OrderedDict"): OrderedDict,
        ("__builtin__", "set"): set,
        ("builtins", "set"): set,
        ("torch", "Size"): tuple,
        ("torch._utils", "_rebuild_tensor"): tensor,
        ("torch._utils", "_rebuild_tensor_v2"): tensor,
        ("torch._utils", "_rebuild_parameter"): Parameter,
        ("torch.nn.parameter", "Parameter"): Parameter,
        ("torch.nn.backends.thnn", "_get_thnn_function_backend"): nothing,
        **networks,
        **kinds,
    }


def read_tensors(file: Path) -> Mapping[str, NDArray[Any]]:
    """The tensors of a checkpoint by their names in the network (``rnn.weight_ih_l0``), whether it holds a whole network or the
    dictionary of its state.

    Raises `ModelError` for a file that is not there, is none or is cut short, and for one that names anything but tensors and the parts
    of an `RNNModel`, saying which.
    """
    reading = _Reading(file)
    try:
        stream = io.BytesIO(bytes_of(file))
        found = (_read_zip if zipfile.is_zipfile(stream) else _read_legacy)(reading, stream)
        return {name: own.array() for name, own in _named(found, "", 0)}
    except OSError as error:
        raise ModelError(f"{file} cannot be read: {error.strerror or error}", hint="Check the path.") from None
    except _RefusedError as error:
        raise ModelError(
            f"{file} wants to use {error}, which no checkpoint of an RNNModel needs; nothing of it was run",
            hint="Take the file from where its authors published it. Files that do more than hold tensors are not read.",
        ) from None
    except _DAMAGED as error:
        raise ModelError(
            f"{file} is no checkpoint of torch, or is damaged or cut short: {str(error) or type(error).__name__}",
            hint="Fetch it again, and compare its size with the published one.",
        ) from None


def _read_legacy(reading: _Reading, stream: IO[bytes]) -> Any:
    stream.seek(0)
    head = [reading.unpickler(stream).load() for _ in range(3)]
    if head[0] != _MAGIC or head[1] != _PROTOCOL or head[2].get("little_endian") is not True:
        raise ValueError("it does not begin as checkpoints of torch do")
    found = reading.unpickler(stream).load()
    for key in reading.unpickler(stream).load():
        own = reading.storages[str(key)]
        (size,) = struct.unpack("<q", stream.read(8))
        _fill(own, stream.read(size * np.dtype(own.kind).itemsize) if size == own.size else b"")
    return found


def _read_zip(reading: _Reading, stream: IO[bytes]) -> Any:
    with zipfile.ZipFile(stream) as archive:
        expect_room(reading.file, archive)
        (pickled,) = (name for name in archive.namelist() if name.endswith("/data.pkl") and name.count("/") == 1)
        folder = pickled.removesuffix("data.pkl")
        order = f"{folder}byteorder"
        if order in archive.namelist() and archive.read(order) != b"little":
            raise ValueError("its numbers are in the order of another kind of processor")
        with archive.open(pickled) as inner:
            found = reading.unpickler(inner).load()
        for own in reading.storages.values():
            told = archive.getinfo(f"{folder}data/{own.key}")
            _fill(own, archive.read(told) if told.file_size == own.size * np.dtype(own.kind).itemsize else b"")
    return found


def _fill(storage: _Storage, numbers: bytes) -> None:
    if len(numbers) != storage.size * np.dtype(storage.kind).itemsize:
        raise ValueError(f"storage {storage.key} does not have the {storage.size} numbers it should")
    storage.numbers = np.frombuffer(numbers, dtype=storage.kind)


def _named(found: Any, before: str, depth: int) -> Iterator[tuple[str, _Tensor]]:
    """The tensors of a network, part by part, or of a dictionary."""
    if depth > 4:
        raise ValueError("parts of a network lie within each other without end")
    state = getattr(found, "state", None)
    if state is not None:
        for name, own in {**(state.get("_parameters") or {}), **(state.get("_buffers") or {})}.items():
            yield from _one(f"{before}{name}", own)
        for name, part in (state.get("_modules") or {}).items():
            yield from _named(part, f"{before}{name}.", depth + 1)
    elif isinstance(found, dict):
        for name, own in found.items():
            yield from _one(f"{before}{name}", own)
    else:
        raise ValueError("it holds neither a network nor the dictionary of its state")


def _one(name: str, own: Any) -> Iterator[tuple[str, _Tensor]]:
    held = getattr(own, "data", own)
    if isinstance(held, _Tensor):
        yield name, held
