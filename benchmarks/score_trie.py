"""The trie engine against the bound of its matrix products and against minicons, with a random GPT-2 small, one thread.

Times are seconds of the processor, so that a busy machine disturbs them little. minicons is installed into an environment of
its own in a temporary directory; it scores samples, from which its time for the whole set is taken by proportion. Behind
contexts of up to 1,000 tokens its batches are of 1 and 8: its logits of 32 such texts do not fit into 16 GB.
"""

from __future__ import annotations

import importlib
import json
import random
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
import venv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from gapsmith.scoring.contexts import Counter, grow
from gapsmith.scoring.lm import LanguageModel, Request, TreeEngine, bundled_directory, find_source, token_counter
from gapsmith.scoring.lm.encoding import merged
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


def main() -> None:
    """Print the table: needed multiply-adds, the bound, our time, minicons' time, and what follows."""
    import torch

    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory(prefix="gapsmith-bench-") as directory:
        path = Path(directory)
        model = LanguageModel(_random_gpt2(path / "model"), device="cpu")
        engine = TreeEngine(model, notice=print)
        list(engine.score([Request("It is warm.")]))
        other = _minicons(path)
        if other is None:
            print("minicons could not be installed here, so there is no comparison with it")
        head = (
            "set",
            "sentences",
            "needed 10^9",
            "bound s",
            "ours s",
            "of bound",
            "minicons s",
            "ratio",
            "differ by bits",
        )
        print("".join(f"{name:>15}" for name in head))
        for case in _cases(token_counter(str(path / "model"))):
            _measure(case, engine, other)
        if other is not None:
            other.kill()


def _measure(case: Case, engine: TreeEngine, other: subprocess.Popen[str] | None) -> None:
    rates, ours, theirs, apart = [_gemm_rate()], list[float](), list[float](), 0.0
    needed, n_tokens, n_sampled = _needed(engine.language_model, case)
    rounds = 1 if len(case.requests) > 1000 or case.name.startswith("study") else ROUNDS
    for _ in range(rounds):
        start = time.process_time()
        found = {(t.context, t.text): t for chunk in engine.score(case.requests) for t in chunk}
        ours.append(time.process_time() - start)
        rates.append(_gemm_rate())
        if other is not None:
            texts = [f"{r.context} {r.text}" if r.context else r.text for r in case.sampled]
            for size in (1, 8) if case.name.startswith("study") else (8, 32):
                seconds, values = _ask(other, size, texts)
                theirs.append(seconds * n_tokens / n_sampled)
                rates.append(_gemm_rate())
            for request, bits in zip(case.sampled, values, strict=True):
                own = found[request.context, request.text]
                nats = [value * 0.6931471805599453 for value in bits[len(bits) - len(own.values) :]]
                for place, value in enumerate(own.values.tolist()):
                    if own.asked is None or own.asked[place]:
                        apart = max(apart, abs(value - nats[place]) / 0.6931471805599453)
    rate = statistics.median(rates)
    bound, best = needed / rate, min(ours)
    print(
        f"{case.name:>15}{len(case.requests):>15,}{needed / 1e9:>15,.0f}{bound:>15.2f}{best:>15.2f}{bound / best:>15.2f}"
        + (f"{min(theirs):>15.1f}{min(theirs) / best:>15.1f}{apart:>15.0e}" if theirs else ""),
        flush=True,
    )
    print(f"{'':>15}GEMM {2 * rate / 1e9:.0f} GFLOP/s, from {2 * min(rates) / 1e9:.0f} to {2 * max(rates) / 1e9:.0f}")


def _needed(model: LanguageModel, case: Case) -> tuple[float, int, int]:
    """Multiply-adds of products with weights once prefixes are shared; tokens without sharing, in all and of the sample."""
    _, rows = prepared(model, merged(case.requests))
    trie = Trie.from_rows(rows)
    heads = len(set(trie.predictors.tolist()))
    needed = len(trie.step_nodes) * 12.0 * WIDTH * WIDTH * LAYERS + heads * float(WIDTH) * VOCABULARY
    _, some = prepared(model, case.sampled)
    return needed, sum(len(row.ids) for row in rows), sum(len(row.ids) for row in some)


def _gemm_rate() -> float:
    """Multiply-adds a second of products like those of a stretch of 256 prefixes, each layer with weights of its own."""
    import torch

    x = torch.randn(256, WIDTH)
    weights = [torch.randn(WIDTH, 4 * WIDTH) for _ in range(LAYERS)]
    with torch.inference_mode():
        for weight in weights:
            torch.mm(x, weight)
        start = time.process_time()
        for _ in range(4):
            for weight in weights:
                torch.mm(x, weight)
        seconds = time.process_time() - start
    return 4 * LAYERS * 256 * WIDTH * 4 * WIDTH / seconds


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


def _minicons(directory: Path) -> subprocess.Popen[str] | None:
    """minicons with the random model, waiting for sentences; None where it cannot be had."""
    venv.create(directory / "venv", with_pip=True)
    (site,) = (directory / "venv").glob("lib/python*/site-packages")
    # torch and transformers are those that gapsmith runs with, so that both compute with the same kernels.
    (site / "of-gapsmith.pth").write_text(sysconfig.get_path("purelib"), "utf-8")
    python = str(directory / "venv" / "bin" / "python")
    installed = subprocess.run([python, "-m", "pip", "install", "--quiet", "minicons"], capture_output=True, check=False)
    if installed.returncode:
        print(installed.stderr.decode()[-500:], file=sys.stderr)
        return None
    process = subprocess.Popen(
        [python, "-c", MINICONS, str(directory / "model")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    for line in process.stdout:
        if line.strip() == "ready":
            return process
    return None


def _ask(process: subprocess.Popen[str], size: int, texts: list[str]) -> tuple[float, list[list[float]]]:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps([size, texts]) + "\n")
    process.stdin.flush()
    seconds, values = json.loads(process.stdout.readline())
    return float(seconds), values


if __name__ == "__main__":
    main()
