"""The engine that runs every distinct prefix of all texts and contexts through the network once.

The requests become a trie of tokens, which is run stretch by stretch: some hundred prefixes side by side in one forward
pass, in which a mask lets each see its own ancestors only. Keys and values of the path that leads to the next stretch are
kept, so that a long context runs once for all texts behind it. The output layer is applied only where the next token is
wanted.

On processors the texts are divided into as many tries as torch has threads, where there are texts enough: each is run by a thread of
its own, since threads that divide each small product of one trie among them wait for each other for a third of the time.

Memory beside the weights: token ids of at most `SLAB` characters of text; keys and values of one path (at most a window)
and of one stretch, twice while they are copied, and `LOGITS` logits in float32, for each of at most `STREAMS` tries. On a GPU with room,
stretches and logits are larger (`launch_sizes`), so that a trie takes few launches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from queue import Queue
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import numpy as np

from gapsmith.bank import Tokens
from gapsmith.scoring.lm.batches import BatchEngine
from gapsmith.scoring.lm.canary import measure_rounding, tree_fault
from gapsmith.scoring.lm.encoding import merged
from gapsmith.scoring.lm.engine import Request
from gapsmith.scoring.lm.errors import ModelError
from gapsmith.scoring.lm.kernels import products_in
from gapsmith.scoring.lm.model import LanguageModel
from gapsmith.scoring.lm.phases import phase
from gapsmith.scoring.lm.rows import TokenRow, prepared
from gapsmith.scoring.lm.slabs import slabs
from gapsmith.scoring.lm.trie import Trie
from gapsmith.templates import ConfigError

if TYPE_CHECKING:
    import torch

ARCHITECTURES = ("gpt2", "gapsmith_gpt2", "gpt_neox", "opt", "llama", "qwen2", "qwen3")
"""The kinds of models that are known, and tested, to heed a mask over pairs of tokens and positions that are given."""

DEFAULT_STRETCH = 256
"""Prefixes in one forward pass: enough for fast matrix products, few enough that the pairs of them cost little."""

LOGITS = 2**23
"""The most logits at a time: 32 MiB in float32, the largest block that the C library keeps for the next one."""

GPU_STRETCH, GPU_LOGITS = 2**11, 2**28
"""The same where the model is on a GPU, and has room: 1 GiB of logits."""
_BYTES_PER_LOGIT = 64
"""Free bytes of a GPU for each of its logits: three copies take 12 of them, and the rest is for what the network computes."""

BLOCK = 2**18
"""Logits that are summed at a time, so that they stay in the processor's cache over the passes of the sum."""

STREAMS, STREAM_TEXTS = 8, 512
"""The most tries that are run side by side, and the fewest texts of one: contexts at the edge of a trie are run in both."""

SLAB = 2**23
"""The most characters that are tokenised at a time. Prefixes are shared within a slab; texts are sorted before."""


def why_no_tree(config: Any) -> str | None:
    """Why a model with this configuration (of its text part) cannot be run as a tree, or None."""
    kind = str(config.model_type)
    if kind not in ARCHITECTURES:
        return f"models of kind {kind} are not known to take a tree of prefixes"
    layers = set(getattr(config, "layer_types", None) or ("full_attention",))
    if layers != {"full_attention"} or getattr(config, "use_sliding_window", False):
        return "its attention does not reach back to the beginning of the text"
    rope = getattr(config, "rope_parameters", None) or {}
    if rope.get("rope_type", "default") in ("dynamic", "longrope"):
        return f"its positions ({rope['rope_type']}) change with the length of the text"
    return None


def launch_sizes(free: int | None) -> tuple[int, int]:
    """The most prefixes in one forward pass and the most logits at a time, with so many bytes free on the GPU; None: on a processor."""
    if free is None:
        return DEFAULT_STRETCH, LOGITS
    logits = min(GPU_LOGITS, max(LOGITS, free // _BYTES_PER_LOGIT))
    return max(DEFAULT_STRETCH, GPU_STRETCH * logits // GPU_LOGITS), logits


class TreeEngine:
    """Scores a trie of prefixes.

    When the weights are loaded, five texts are scored in small stretches and one by one; where the two differ, `notice`
    is told and everything is scored in batches.
    """

    name = "tree/1"

    def __init__(
        self,
        model: LanguageModel,
        *,
        notice: Callable[[str], None],
        stretch: int | None = None,
        fallback: BatchEngine | None = None,
    ) -> None:
        """`stretch` is the largest number of prefixes in one forward pass, else what suits the device; raises `ConfigError` below 1."""
        if stretch is not None and stretch < 1:
            raise ConfigError(f"a stretch of {stretch} prefixes is not possible", hint="Give 1 or more.")
        self.language_model = model
        self._asked_stretch = stretch
        self.stretch, self._logits = launch_sizes(None)
        self.model = model.source.name
        self.revision = model.source.revision
        self._notice = notice
        self._fallback = fallback or BatchEngine(model)
        self._fault: str | None = None
        self._checked = False

    @property
    def identity(self) -> Mapping[str, Any]:
        """See `Engine.identity`."""
        return self.language_model.identity()

    @property
    def provenance(self) -> Mapping[str, Any]:
        """See `Engine.provenance`."""
        if self._fault is not None:
            return {**self._fallback.provenance, "instead_of": self.name, "because": self._fault}
        return {"engine": self.name, "stretch": self.stretch, **self.language_model.provenance()}

    def pieces(self, ids: Sequence[int]) -> tuple[str, ...]:
        """See `Engine.pieces`."""
        return self.language_model.pieces(ids)

    def score(self, requests: Sequence[Request]) -> Iterator[list[Tokens]]:
        """See `Engine.score`. Texts that need no network first, slab by slab; then in the order of their tokens."""
        if not self._checked:
            with phase("check of the model"):
                self._check()
        if self._fault is not None:
            yield from self._fallback.score(requests)
            return
        # Now that the weights are there.
        self.stretch, self._logits = launch_sizes(self.language_model.free_on_gpu())
        self.stretch = self._asked_stretch or self.stretch
        for slab in slabs(merged(requests), SLAB):
            done, rows = prepared(self.language_model, slab)
            if done:
                yield done
            n = self._streams(len(rows))
            if n > 1:
                yield from self._side_by_side(rows, n)
            elif rows:
                with phase("tree of prefixes"):
                    trie = Trie.from_rows(rows)
                yield from self._run(trie, self.stretch)

    def _check(self) -> None:
        self._checked = True
        if self.language_model.dtype != "float32":
            self._notice(f"{self.model}: {measure_rounding(self.language_model)}.")
        self._fault = tree_fault(self.language_model, lambda rows: list(self._run(Trie.from_rows(rows), 7)))
        if self._fault is not None:
            self._notice(
                f"{self.model} cannot be run as a tree of prefixes here ({self._fault}); it is run in batches, which is "
                "slower and as exact. Please report it, with the versions of torch and transformers."
            )

    def _streams(self, n_rows: int) -> int:
        import torch

        if not self.language_model.runs_side_by_side:
            return 1
        return max(1, min(torch.get_num_threads(), STREAMS, n_rows // STREAM_TEXTS))

    def _side_by_side(self, rows: Sequence[TokenRow], n: int) -> Iterator[list[Tokens]]:
        """The rows in `n` tries, each run by a thread; chunks come as they are done, and few wait. Nothing runs on once this is closed."""
        import torch

        in_order = sorted(rows, key=lambda row: row.ids)
        cuts = [round(number * len(in_order) / n) for number in range(n + 1)]
        n_threads = torch.get_num_threads()
        done: Queue[list[Tokens] | BaseException | None] = Queue(2 * n)
        closed = Event()

        def run(some: Sequence[TokenRow]) -> None:
            try:
                # torch counts threads for each thread that asks.
                torch.set_num_threads(max(1, n_threads // n))
                for chunk in self._run(Trie.from_rows(some), self.stretch):
                    if closed.is_set():
                        break
                    done.put(chunk)
            except BaseException as error:  # noqa: BLE001 - raised again by whoever waits
                done.put(error)
            finally:
                done.put(None)

        running = 0
        # How products are computed is said for the whole process, so it holds until all threads are through.
        with products_in():
            try:
                for low, high in pairwise(cuts):
                    Thread(target=run, args=(in_order[low:high],), daemon=True).start()
                    running += 1
                while running:
                    with phase("network"):
                        chunk = done.get()
                    if chunk is None:
                        running -= 1
                    elif isinstance(chunk, BaseException):
                        raise chunk
                    else:
                        yield chunk
            finally:
                closed.set()
                while running:
                    running -= done.get() is None
                torch.set_num_threads(n_threads)

    def _run(self, trie: Trie, stretch: int) -> Iterator[list[Tokens]]:
        import torch

        run = _Run(self.language_model, trie, self._logits)
        emitted = 0
        for start, end in trie.stretches(stretch):
            try:
                with phase("network"), self.language_model.running():
                    run.advance(start, end)
            except torch.OutOfMemoryError as error:
                raise ModelError(
                    f"{end - start} prefixes of up to {int(trie.depth[start:end].max()) + 1} tokens do not fit into the "
                    f"memory of {self.language_model.device}",
                    hint="Score with --dtype bfloat16 or --device cpu. What is scored so far is kept.",
                ) from error
            finished = emitted
            while finished < len(trie.rows) and trie.last_step[finished] < end:
                finished += 1
            if finished > emitted:
                yield [run.tokens(number) for number in range(emitted, finished)]
                emitted = finished
        if emitted < len(trie.rows):
            yield [run.tokens(number) for number in range(emitted, len(trie.rows))]


class _Run:
    """One trie on its way through the network."""

    def __init__(self, model: LanguageModel, trie: Trie, logits: int) -> None:
        network = model.network
        self._most = max(1, logits // model.vocabulary)
        """Rows of logits at a time."""
        self._model, self._trie = model, trie
        self._body: Any = network.base_model
        self._head: Any = network.get_output_embeddings()
        self._activations = _slow_activations(network)
        self._device: torch.device = network.device
        self._cache: Any = None
        self._path: list[int] = []
        """The steps whose keys and values the cache holds: the path to the next step."""
        self._values = np.zeros(len(trie.tokens), dtype=np.float32)
        self._masses = np.zeros(len(trie.tokens), dtype=np.float32)
        self._head_steps = np.union1d(trie.predictors, trie.mass_steps)
        self._massed = bool(len(trie.mass_steps))

    def tokens(self, number: int) -> Tokens:
        """The tokens of a row all of whose steps are done."""
        row, nodes = self._trie.rows[number], self._trie.nodes[number]
        n = len(row.text.ids) - row.n_undefined
        values = np.zeros(n, dtype=np.float32)
        computed = self._values[nodes[row.first + row.n_undefined :]]
        values[: len(computed)] = computed
        masses = None
        if row.text.boundary:
            masses = np.zeros(n + 1, dtype=np.float32)
            after = self._masses[nodes[row.first + row.n_undefined - 1 :]]
            masses[: len(after)] = after
        return row.tokens(values, masses, self._model.pieces)

    def advance(self, start: int, end: int) -> None:
        """Run the steps from `start` up to `end`."""
        import torch

        trie, device = self._trie, self._device
        on_path = len(self._path)
        ids = torch.from_numpy(trie.tokens[trie.step_nodes[start:end]]).to(device)
        # What the next stretch stands behind.
        keep = trie.path(end) if end < len(trie.step_nodes) else []
        with _fused(self._activations):
            read: Any = self._body(
                input_ids=ids[None],
                attention_mask=self._mask(start, end),
                position_ids=torch.from_numpy(trie.depth[start:end]).to(device)[None],
                cache=self._cache,
                use_cache=bool(keep) or self._cache is not None,
            )
        self._predict(read.last_hidden_state[0], start, end)
        columns = [place if step < start else on_path + step - start for place, step in enumerate(keep)]
        self._cache = _columns(read.cache, columns) if keep else None
        self._path = keep

    def _mask(self, start: int, end: int) -> torch.Tensor:
        """(1, 1 or heads, steps, path and steps): 0 where a step sees another, or what a bias of the network adds at their distance in
        the text, which is that of their depths; else the lowest number of the network's dtype.

        Additive and not boolean: eager attention adds whatever it is given.
        """
        import torch

        seen = np.concatenate([np.array(self._path, dtype=np.int64), np.arange(start, end)])
        steps = torch.arange(start, end, device=self._device)[:, None]
        columns = torch.from_numpy(seen).to(self._device)[None, :]
        ends = torch.from_numpy(self._trie.end[seen]).to(self._device)[None, :]
        visible = (columns <= steps) & (steps < ends)
        dtype = self._model.network.dtype
        mask = torch.full(visible.shape, torch.finfo(dtype).min, dtype=dtype, device=self._device)
        mask = mask.masked_fill_(visible, 0.0)[None, None]
        distances = getattr(self._model.network, "distance_bias", None)
        if distances is None:
            return mask
        from gapsmith.scoring.lm.biased import with_distances

        queries, keys = (torch.from_numpy(self._trie.depth[of]).to(self._device) for of in (np.arange(start, end), seen))
        return with_distances(mask, distances(queries, keys))

    def _predict(self, hidden: torch.Tensor, start: int, end: int) -> None:
        """`hidden` (steps, width): the values that these steps predict."""
        trie = self._trie
        low, high = np.searchsorted(self._head_steps, (start, end))
        for steps in np.array_split(self._head_steps[low:high], -(-(high - low) // self._most) or 1):
            if len(steps):
                self._predict_some(hidden, start, steps, trie)

    def _predict_some(self, hidden: torch.Tensor, start: int, steps: Any, trie: Trie) -> None:
        import torch

        logits: torch.Tensor = self._head(hidden[torch.from_numpy(steps - start).to(self._device)]).float()
        low, high = np.searchsorted(trie.predictors, (steps[0], steps[-1] + 1))
        targets = trie.targets[low:high]
        rows = torch.from_numpy(np.searchsorted(steps, trie.predictors[low:high])).to(self._device)
        ids = torch.from_numpy(trie.tokens[targets]).to(self._device)
        predicted = logits[rows, ids]
        beginnings = torch.logsumexp(logits[:, self._model.beginnings], dim=-1) if self._massed else None
        totals = _logsumexp(logits)
        self._values[targets] = (totals[rows] - predicted).cpu().numpy()
        if beginnings is not None:
            self._masses[trie.step_nodes[steps]] = (totals - beginnings).cpu().numpy()


def _logsumexp(logits: torch.Tensor) -> torch.Tensor:
    """(rows,) of (rows, vocabulary), block by block, in place: what was in `logits` is lost."""
    import torch

    if logits.device.type != "cpu":
        return torch.logsumexp(logits, dim=-1)
    largest = logits.new_empty(len(logits))
    totals = logits.new_empty(len(logits))
    size = max(1, BLOCK // logits.shape[1])
    for start in range(0, len(logits), size):
        block, top = logits[start : start + size], largest[start : start + size]
        torch.amax(block, dim=-1, out=top)
        torch.sum(block.sub_(top[:, None]).exp_(), dim=-1, out=totals[start : start + size])
    return totals.log_().add_(largest)


@contextmanager
def _fused(activations: list[tuple[Any, str, Any]]) -> Iterator[None]:
    """With these activations computed by one kernel, which gives the same up to rounding."""
    import torch

    for module, name, _ in activations:
        setattr(module, name, torch.nn.GELU(approximate="tanh"))
    try:
        yield
    finally:
        for module, name, activation in activations:
            setattr(module, name, activation)


def _slow_activations(network: Any) -> list[tuple[Any, str, Any]]:
    """(module, name, activation) of GPT-2's GELU, which transformers writes out in eight passes over the memory."""
    return [
        (module, name, child)
        for module in network.modules()
        for name, child in module.named_children()
        if type(child).__name__ == "NewGELUActivation"
    ]


def _columns(cache: Any, columns: list[int]) -> Any:
    """A cache of keys and values of these places only."""
    import torch

    is_start = columns == list(range(len(columns)))
    if is_start and not isinstance(cache, tuple):
        surplus = cache.get_seq_length() - len(columns)
        if surplus:
            cache.crop(-surplus)
        return cache
    layers = [(keys, values) for keys, values, *_ in cache]
    kept: Any = slice(len(columns)) if is_start else torch.tensor(columns, device=layers[0][0].device)
    layers = [(keys[:, :, kept], values[:, :, kept]) for keys, values in layers]
    if isinstance(cache, tuple):
        return tuple(layers)
    from transformers import DynamicCache

    return DynamicCache(layers)
