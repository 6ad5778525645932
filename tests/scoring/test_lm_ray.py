"""Scoring on a Ray of this machine, with its HOME elsewhere: equal values, also where an actor is killed on the way."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gapsmith.app.workspace import make_workspace
from gapsmith.bank import Bank
from gapsmith.scoring.lm import Request, open_engine
from gapsmith.scoring.lm.on_ray import RayEngine
from gapsmith.templates.errors import ConfigError
from tests.conftest import CommandOutcome
from tests.scoring.measuring import bits, measured
from tests.scoring.test_lm_run import fill

pytestmark = pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray is not installed (the extra `ray`)")

SCORE = """
import json, os, signal, sys
import gapsmith.scoring.lm.on_ray as on_ray
from gapsmith.scoring.lm import Request, in_bits
import ray

on_ray.SHARD = 400
ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
texts = json.loads(sys.stdin.read())
engine = on_ray.RayEngine(name=sys.argv[1], device="cpu", notice=lambda message: None)
found, killed = {}, []
for chunk in engine.score([Request(text) for text in texts]):
    found |= {tokens.text: in_bits(tokens.values).tolist() for tokens in chunk}
    if not killed:
        rows = [line.split(None, 2) for line in os.popen("ps -eo pid,ppid,args")]
        own = {pid for pid, parent, args in rows if parent == str(os.getpid())}
        pids = [int(pid) for pid, parent, args in rows if parent in own and args.startswith("ray::_Scorer")]
        killed = pids[:1]
        os.kill(killed[0], signal.SIGKILL)
provenance = dict(engine.provenance)
with open(sys.argv[2], "w") as file:
    json.dump([found, killed, provenance], file)
"""


def on_ray(model: Path, texts: list[str], home: Path) -> tuple[dict[str, list[float]], list[int], dict[str, Any]]:
    """What Ray's actors say of the texts, in a process of its own; the first is killed when it has given its first chunk."""
    done = subprocess.run(
        [sys.executable, "-c", SCORE, str(model), str(home / "found.json")],
        input=json.dumps(texts),
        env=os.environ | {"HOME": str(home), "RAY_USAGE_STATS_ENABLED": "0", "RAY_worker_niceness": "0"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    found, killed, provenance = json.loads((home / "found.json").read_text("utf-8"))
    return found, killed, provenance


def test_values_are_those_of_this_machine_also_where_an_actor_is_killed(tiny_gpt2: Path, tmp_path: Path) -> None:
    texts = [f"I know who the story {n} is likely to amuse {word} soon." for n in range(20) for word in ("you", "me")]
    found, killed, provenance = on_ray(tiny_gpt2, texts, tmp_path)
    here = measured(open_engine(str(tiny_gpt2), device="cpu"), texts)
    assert found.keys() == here.keys()
    for text, values in found.items():
        assert values == pytest.approx(bits(here[text]), abs=1e-4)
    assert len(killed) == 1
    assert (provenance["on"], provenance["engine"]) == ("ray", "tree/1")


def test_a_place_or_an_engine_that_is_none_is_named(
    tiny_gpt2: Path, tmp_path: Path, gapsmith: Callable[..., CommandOutcome]
) -> None:
    make_workspace(tmp_path)
    with Bank.open(tmp_path / "bank.sqlite") as bank:
        fill(bank, [["One."]])
    done = gapsmith("score", "-m", "bundled", "--all", "--on", "spark", "-w", tmp_path)
    assert (done.code, "--on ray" in done.err) == (2, True), done.err
    with pytest.raises(ConfigError, match="no engine 'vine'"):
        RayEngine(name=str(tiny_gpt2), engine="vine", notice=print)


def test_requests_are_what_is_cut(tiny_gpt2: Path) -> None:
    from gapsmith.scoring.lm.slabs import slabs

    requests = [Request("b" * 30), Request("a" * 30, "c"), Request("c a"), Request("a" * 10)]
    cut = list(slabs(requests, 40))
    assert [request for slab in cut for request in slab] == [requests[3], requests[0], requests[2], requests[1]]
    assert [len(slab) for slab in cut] == [1, 3]
