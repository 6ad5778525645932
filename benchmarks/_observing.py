"""What `benchmarks.observations` has a process of its own do: ``python _observing.py CASE FOLDER``, with whichever checkout's
gapsmith is on its path. Prints seconds of the processor, the peak of memory, and whether torch was loaded, as JSON.

It uses what has stayed the same since the commit that it is compared with.
"""

from __future__ import annotations

import json
import os
import random
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from typing import Any

import gapsmith

N_PAIRS = 67_000
_WORD = re.compile(r"\w+(?:'\w+)?|[^\w\s]")
_IDENTITY = {"weights": "made", "tokenizer": "made", "dtype": "float32", "bos": "bos"}


def main() -> None:
    """Run one case."""
    case, folder = sys.argv[1], Path(sys.argv[2])
    work = CASES[case]
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        began = time.process_time()
        said = work(folder)
        seconds = time.process_time() - began
    print(
        json.dumps({"seconds": seconds, "peak": _peak(), "torch": "torch" in sys.modules, "of": gapsmith.__file__, "said": said})
    )


def _peak() -> int:
    """Bytes of memory at most. After `exec` the peak that `getrusage` gives may still be the parent's, Linux' own is not."""
    status = Path("/proc/self/status")
    if status.is_file() and (found := re.search(r"VmHWM:\s*(\d+) kB", status.read_text())):
        return int(found[1]) * 1024
    return getrusage(RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _tokens(text: str, rng: random.Random, *, elsewhere: bool = False) -> Any:
    """A text cut into words, with surprisals that nobody computed: of an engine of ours, or from `elsewhere`."""
    import numpy as np

    from gapsmith.bank import Tokens

    words = list(_WORD.finditer(text))
    return Tokens(
        text=text,
        context="",
        spans=np.array([word.span() for word in words], dtype=np.int32),
        ids=None if elsewhere else tuple(len(word[0]) for word in words),
        values=np.array([rng.uniform(0.5, 12.0) for _ in words], dtype=np.float64 if elsewhere else np.float32),
    )


def _build(folder: Path, *, elsewhere: bool) -> str:
    """A workspace with all of Lan's items, every sentence scored."""
    from gapsmith.app.cli.app import app
    from gapsmith.bank import Bank, NewItem
    from gapsmith.templates import expand, load_paradigm, realise

    app(["init", str(folder)], standalone_mode=False)
    paradigm, rng = load_paradigm("lan_pg"), random.Random(1)
    items = [NewItem(slots, realise(paradigm, slots)) for slots in expand(paradigm)]
    with Bank.open(folder / "bank.sqlite", create=True) as bank:
        run = bank.runs.begin(
            kind="generate", paradigm_id=bank.paradigms.register(paradigm), provider="lexicon", identity="made", parameters={}
        )
        bank.runs.reply(bank.runs.intend(run.id, 0, {}), outcome="ok", reply=None, items=items)
        bank.runs.finish(run.id)
        scorer = bank.scores.register("made", "r1", _IDENTITY)
        texts = dict.fromkeys(sentence.text for item in items for sentence in item.sentences)
        block = bank.scores.block(scorer, {} if elsewhere else {"engine": "tree/1"})
        bank.scores.add(scorer, [_tokens(text, rng, elsewhere=elsewhere) for text in texts], block=block)
    return f"{len(items):,} items, {len(texts):,} sentences"


def _read(folder: Path) -> str:
    """The same items and scores, read and nothing more."""
    from gapsmith.bank import Bank

    with Bank.open(folder / "bank.sqlite") as bank:
        items = list(bank.items.iterate())
        (scorer,) = bank.scores.scorers()
        found = bank.scores.get(scorer.id, (sentence.text for item in items for sentence in item.sentences))
        return str(sum(len(tokens.bits) for tokens in found.values()))


def _analyze(folder: Path) -> str:
    from gapsmith.app.cli.app import app

    app(["analyze", "--all", "-w", str(folder)], standalone_mode=False)
    return ""


def _long(folder: Path) -> str:
    from gapsmith.app.cli.app import app

    out = folder / "long.csv"
    out.unlink(missing_ok=True)
    app(["export", "long", "--all", "-o", str(out), "-w", str(folder)], standalone_mode=False)
    return f"{out.stat().st_size:,} bytes"


def _pairs(folder: Path) -> str:
    """A file of pairs, good and bad, of which no two are alike."""
    rng = random.Random(2)
    nouns = [f"{first}{last}" for first in ("bar", "cor", "dan", "fel", "mar", "pel", "ran", "tol") for last in _ENDINGS]
    pairs: dict[tuple[str, str], None] = {}
    while len(pairs) < N_PAIRS:
        one, other, verb = rng.choice(nouns), rng.choice(nouns), rng.choice(nouns)
        when = rng.choice(("today", "at noon", "last week", "again"))
        pairs[f"The {one} {verb}s the {other} {when}.", f"The {one} {verb} the {other} {when}."] = None
    lines = ["sentence_good,sentence_bad", *(f"{good},{bad}" for good, bad in pairs)]
    (folder / "pairs.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return f"{len(pairs):,} pairs"


_ENDINGS = ("bin", "din", "ker", "lan", "mer", "ner", "ser", "ter", "tor", "ver")


class MadeEngine:
    """An engine that computes nothing."""

    model, revision = "made", "r1"
    identity: Mapping[str, Any] = _IDENTITY
    provenance: Mapping[str, Any] = {}

    def pieces(self, ids: Sequence[int]) -> tuple[str, ...]:
        """None has a name."""
        return tuple(map(str, ids))

    def score(self, requests: Sequence[Any]) -> Iterator[list[Any]]:
        """In chunks, as engines do."""
        rng = random.Random(3)
        for first in range(0, len(requests), 1_000):
            yield [_tokens(request.text, rng) for request in requests[first : first + 1_000]]


def _audit(folder: Path, *, model: str | None) -> str:
    from gapsmith.app.requests.base import UNSET
    from gapsmith.app.requests.checking import AuditSet
    from gapsmith.app.services import Services
    from gapsmith.app.stages.published import audit

    request = AuditSet(file=folder / "pairs.csv", out=folder / f"{model}.html", model=UNSET if model is None else model)
    found = audit(request, Services(warn=lambda _: None, hand={"engine": lambda *_, **__: MadeEngine()}))
    return str([(row.measure, row.n) for row in found.file.accuracies])


CASES: dict[str, Callable[[Path], str]] = {
    "build": lambda folder: _build(folder / "ours", elsewhere=False),
    "build elsewhere": lambda folder: _build(folder / "elsewhere", elsewhere=True),
    "read": lambda folder: _read(folder / "ours"),
    "analyze": lambda folder: _analyze(folder / "ours"),
    "long": lambda folder: _long(folder / "ours"),
    "analyze elsewhere": lambda folder: _analyze(folder / "elsewhere"),
    "long elsewhere": lambda folder: _long(folder / "elsewhere"),
    "pairs": _pairs,
    "rules": lambda folder: _audit(folder, model=None),
    "audit": lambda folder: _audit(folder, model="made"),
}

if __name__ == "__main__":
    main()
