"""The trie engine with torch's default products and with the chosen ones, side by side, against the bound of the best products found here
and against minicons, as it comes and with the same products; with a random GPT-2 small, one thread.

Bound, engines and minicons take turns in one run. The bound is the multiply-adds that are left after sharing over the better of two
rates, each the median of its measurements: torch's default products and oneDNN's packed ones, in float32. Times are seconds of the
processor, so that a busy machine disturbs them little; ``python -m benchmarks.score_trie "Lan, all"`` measures some sets only. minicons is
installed into an environment of its own in a temporary directory; it scores samples, from which its time for the whole set is taken by
proportion. Behind contexts of up to 1,000 tokens its batches are of 1 and 8: its logits of 32 such texts do not fit into 16 GB.
"""

from __future__ import annotations

import importlib
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from gapsmith.bank import Tokens
from gapsmith.scoring.contexts import Counter, grow
from gapsmith.scoring.lm import (
    LanguageModel,
    Request,
    TreeEngine,
    bundled_directory,
    find_source,
    in_bits,
    known_choices,
    token_counter,
)
from gapsmith.scoring.lm.encoding import merged
from gapsmith.scoring.lm.kernels import _packing, products_in
from gapsmith.scoring.lm.rows import prepared
from gapsmith.scoring.lm.trie import Trie
from gapsmith.templates import Paradigm, Sentence, expand, load_paradigm, realise, sample

ROUNDS = 3
LENGTHS = (62, 125, 250, 500, 1000)
WIDTH, LAYERS, VOCABULARY = 768, 12, 50257
TOKENIZER = Path(__file__).resolve().parents[2] / "shared" / "data" / "gpt2-tokenizer"

MINICONS = """
import json, sys, time, warnings
warnings.filterwarnings("ignore")
import torch
torch.set_num_threads(1)
from minicons import scorer
model = scorer.IncrementalLMScorer(sys.argv[1], "cpu")
if sys.argv[2] != "default":
    from gapsmith.scoring.lm.kernels import packed
    model.model, _ = packed(model.model, sys.argv[2])
model.token_score(["It is warm."], bos_token=True, prob=False, surprisal=True, base_two=True)
print("ready", flush=True)
for line in sys.stdin:
    size, texts = json.loads(line)
    start = time.process_time()
    values = []
    for first in range(0, len(texts), size):
        values += model.token_score(texts[first : first + size], bos_token=True, prob=False, surprisal=True, base_two=True)
    print(json.dumps([time.process_time() - start, [[v for _, v in pairs[1:]] for pairs in values]]), flush=True)
"""


@dataclass(frozen=True, slots=True)
class Case:
    """A set of requests, and the texts that stand for it where all of it would take too long."""

    name: str
    requests: tuple[Request, ...]
    sampled: tuple[Request, ...]


def main(sets: Sequence[str] = ()) -> None:
    """Print the table, of these sets or of all: needed multiply-adds, the bound, our times, minicons' times, and what follows."""
    import torch

    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory(prefix="gapsmith-bench-") as directory:
        path = Path(directory)
        source = _random_gpt2(path / "model")
        engines = {}
        for kernel in ("default", "auto"):
            model = LanguageModel(source, device="cpu", kernel=kernel)
            engines[kernel] = TreeEngine(model, notice=print)
            list(engines[kernel].score([Request("It is warm.")]))
        chosen = engines["auto"].language_model.kernel
        assert chosen is not None
        print(f"chosen: {chosen.name} {chosen.because}")
        for choice in known_choices():
            print(f"  {choice.in_words}")
        others = _minicons(path, ("default", chosen.name) if chosen.name != "default" else ("default",))
        if not others:
            print("minicons could not be installed here, so there is no comparison with it")
        print("".join(f"{name:>15}" for name in _COLUMNS))
        for case in _cases(token_counter(str(path / "model"))):
            if not sets or case.name in sets:
                _measure(case, engines, others)
        for other in others.values():
            other.kill()


_COLUMNS = (
    "set",
    "sentences",
    "needed 10^9",
    "bound s",
    "default s",
    "chosen s",
    "of default",
    "bound/chosen",
    "apart, bits",
    "minicons s",
    "ratio",
    "with chosen s",
    "ratio",
    "apart, bits",
)


def _measure(case: Case, engines: Mapping[str, TreeEngine], others: Mapping[str, subprocess.Popen[str]]) -> None:
    rates: dict[str, list[float]] = {"default": [], "packed": []}
    ours: dict[str, list[float]] = {kernel: [] for kernel in engines}
    theirs: dict[str, list[float]] = {kernel: [] for kernel in others}
    found: dict[str, dict[tuple[str, str], Tokens]] = {}
    between, apart = 0.0, 0.0
    needed, n_tokens, n_sampled = _needed(engines["default"].language_model, case)
    rounds = 1 if len(case.requests) > 1000 or case.name.startswith("study") else ROUNDS
    _rate(rates)
    for _ in range(rounds):
        for kernel, engine in engines.items():
            start = time.process_time()
            found[kernel] = {(t.context, t.text): t for chunk in engine.score(case.requests) for t in chunk}
            ours[kernel].append(time.process_time() - start)
            _rate(rates)
        for key, own in found["default"].items():
            between = max(between, float(np.abs(in_bits(own.values) - in_bits(found["auto"][key].values)).max(initial=0.0)))
        for kernel, other in others.items():
            texts = [f"{r.context} {r.text}" if r.context else r.text for r in case.sampled]
            for size in (1, 8) if case.name.startswith("study") else (8, 32):
                seconds, values = _ask(other, size, texts)
                theirs[kernel].append(seconds * n_tokens / n_sampled)
                _rate(rates)
            apart = max(apart, _apart(case, found["auto"], values))
    medians = {kernel: statistics.median(measured) for kernel, measured in rates.items()}
    bound, least = needed / max(medians.values()), {kernel: min(taken) for kernel, taken in ours.items()}
    cells = [f"{case.name:>15}", f"{len(case.requests):>15,}", f"{needed / 1e9:>15,.0f}", f"{bound:>15.2f}"]
    cells += [f"{least['default']:>15.2f}", f"{least['auto']:>15.2f}", f"{least['auto'] / least['default']:>15.2f}"]
    cells += [f"{bound / least['auto']:>15.2f}", f"{between:>15.0e}"]
    cells += [f"{min(taken):>15.1f}{min(taken) / least['auto']:>15.1f}" for taken in theirs.values()]
    print("".join([*cells, *([f"{apart:>15.0e}"] if others else [])]), flush=True)
    told = (
        f"{kernel} {2 * m / 1e9:.0f} ({2 * min(rates[kernel]) / 1e9:.0f} to {2 * max(rates[kernel]) / 1e9:.0f})"
        for kernel, m in medians.items()
    )
    print(f"{'':>15}products, GFLOP/s: {', '.join(told)}", flush=True)


def _apart(case: Case, found: Mapping[tuple[str, str], Tokens], values: Sequence[Sequence[float]]) -> float:
    """The largest difference from minicons' values, in bits."""
    largest = 0.0
    for request, bits in zip(case.sampled, values, strict=True):
        own = found[request.context, request.text]
        for place, value in enumerate(in_bits(own.values).tolist()):
            if own.asked is None or own.asked[place]:
                largest = max(largest, abs(value - bits[len(bits) - len(own.values) + place]))
    return largest


def _needed(model: LanguageModel, case: Case) -> tuple[float, int, int]:
    """Multiply-adds of products with weights once prefixes are shared; tokens without sharing, in all and of the sample."""
    _, rows = prepared(model, merged(case.requests))
    trie = Trie.from_rows(rows)
    heads = len(set(trie.predictors.tolist()))
    needed = len(trie.step_nodes) * 12.0 * WIDTH * WIDTH * LAYERS + heads * float(WIDTH) * VOCABULARY
    _, some = prepared(model, case.sampled)
    return needed, sum(len(row.ids) for row in rows), sum(len(row.ids) for row in some)


def _rate(rates: dict[str, list[float]]) -> None:
    """Add to `rates` the multiply-adds a second of products like those of a stretch of 256 prefixes, each layer with weights of its own, by
    kernel."""
    import torch

    packing = _packing()
    x = torch.randn(256, WIDTH)
    weights = [torch.randn(4 * WIDTH, WIDTH) for _ in range(LAYERS)]
    layers = {
        "default": [weight.t().contiguous() for weight in weights],
        "packed": [packing(weight, None, "ieee") for weight in weights],
    }
    with torch.inference_mode(), products_in():
        for kernel, own in layers.items():
            multiply = torch.mm if kernel == "default" else lambda rows, layer: layer(rows)
            for layer in own:
                multiply(x, layer)
            start = time.process_time()
            for _ in range(4):
                for layer in own:
                    multiply(x, layer)
            rates[kernel].append(4 * LAYERS * 256 * WIDTH * 4 * WIDTH / (time.process_time() - start))


def _cases(count: Counter) -> list[Case]:
    lan, subject = load_paradigm("lan_pg"), load_paradigm("subject_pg")
    of_lan = [(lan, sentence) for slots in expand(lan) for sentence in realise(lan, slots)]
    of_subject = [(subject, sentence) for slots in islice(sample(subject, 1), 40) for sentence in realise(subject, slots)]
    whole = _distinct([Request(sentence.text) for _, sentence in of_lan])
    critical = _distinct([Request(s.text, spans=(_critical(paradigm, s),)) for paradigm, s in of_lan])
    eight = _distinct([Request(sentence.text) for _, sentence in of_subject])
    words_of_eight = _distinct([Request(s.text, spans=(_critical(paradigm, s),)) for paradigm, s in of_subject])
    words = " ".join(request.text for request in eight[:120])
    contexts = [" ".join(words[200 * n :].split()[1:680]) for n in range(10)]
    behind = tuple(Request(request.text, context) for context in contexts for request in eight[:40])
    step = len(whole) // 160
    return [
        *_study_cases(count),
        Case("Lan, all", whole, whole[::step]),
        Case("Lan, critical", critical, critical[::step]),
        Case("eight, all", eight, eight[::4]),
        Case("eight, critical", words_of_eight, words_of_eight[::4]),
        Case("10 contexts", behind, behind[::50]),
    ]


def _study_cases(count: Counter) -> list[Case]:
    """A study of contexts: pairs behind five types of contexts of five lengths.

    A context for each pair: pairs share nothing, so one stands for 2,000. Shared contexts: each of ten is apart from the others,
    so one stands for ten; 20 pairs stand for the 200 of a suite, which would share more."""
    pairs = [[s.text for s in realise(paradigm, slots)] for paradigm, slots in _pairs()]
    texts = [text for pair in pairs for text in pair]
    rng = random.Random(1)
    own: list[Request] = []
    for _ in range(5):
        chain = grow(rng.sample(texts[40:], len(texts) - 40), LENGTHS, count)
        own += [Request(text, " ".join(context)) for context in chain for text in pairs[0]]
    shared = grow(rng.sample(texts[40:], len(texts) - 40), LENGTHS, count)
    behind = [Request(text, " ".join(context)) for context in shared for text in texts[:40]]
    return [
        Case("study, own", tuple(own), tuple(own[:20])),
        Case("study, shared", tuple(behind), tuple(behind[::13])),
    ]


def _pairs() -> Iterator[tuple[Paradigm, dict[str, str]]]:
    for name in ("agreement_pp", "reflexive_number", "npi_ever"):
        paradigm = load_paradigm(name)
        yield from ((paradigm, slots) for slots in islice(sample(paradigm, 1), 40))


def _distinct(requests: Sequence[Request]) -> tuple[Request, ...]:
    return tuple({request.text: request for request in requests}.values())


def _critical(paradigm: Paradigm, sentence: Sentence) -> tuple[int, int]:
    name = paradigm.condition(sentence.condition).critical
    return next((span.start, span.end) for span in sentence.regions or () if span.name == name)


def _random_gpt2(directory: Path) -> Any:
    """GPT-2 small with random weights; with the tokenizer of GPT-2 where it is at hand, else with that of `bundled`."""
    import torch

    transformers: Any = importlib.import_module("transformers")
    torch.manual_seed(0)
    transformers.GPT2LMHeadModel(transformers.GPT2Config()).save_pretrained(directory)
    if TOKENIZER.is_dir():
        files = {"vocab": str(TOKENIZER / "vocab.json"), "merges": str(TOKENIZER / "merges.txt")}
        transformers.GPT2TokenizerFast(**files).save_pretrained(directory)
    else:
        print("the tokenizer of GPT-2 is not at hand; that of the bundled model cuts words into more tokens")
        transformers.AutoTokenizer.from_pretrained(bundled_directory()).save_pretrained(directory)
    return find_source(str(directory))


def _minicons(directory: Path, kernels: Sequence[str]) -> dict[str, subprocess.Popen[str]]:
    """minicons with the random model for each of these kernels, waiting for sentences; none where it cannot be had."""
    venv.create(directory / "venv", with_pip=True)
    (site,) = (directory / "venv").glob("lib/python*/site-packages")
    # torch, transformers and gapsmith's kernels are those that gapsmith runs with, so that both compute with the same products.
    homes = {Path(importlib.import_module(name).__file__ or "").parents[1] for name in ("torch", "transformers", "gapsmith")}
    (site / "of-gapsmith.pth").write_text("".join(f"{home}\n" for home in sorted(homes)), "utf-8")
    python = str(directory / "venv" / "bin" / "python")
    installed = subprocess.run([python, "-m", "pip", "install", "--quiet", "minicons"], capture_output=True, check=False)
    if installed.returncode:
        print(installed.stderr.decode()[-500:], file=sys.stderr)
        return {}
    processes = {}
    for kernel in kernels:
        process = subprocess.Popen(
            [python, "-c", MINICONS, str(directory / "model"), kernel],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert process.stdout is not None
        if any(line.strip() == "ready" for line in iter(process.stdout.readline, "")):
            processes[kernel] = process
        else:
            print(f"minicons does not start with {kernel} products")
    return processes


def _ask(process: subprocess.Popen[str], size: int, texts: list[str]) -> tuple[float, list[list[float]]]:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps([size, texts]) + "\n")
    process.stdin.flush()
    seconds, values = json.loads(process.stdout.readline())
    return float(seconds), values


if __name__ == "__main__":
    main(sys.argv[1:])
