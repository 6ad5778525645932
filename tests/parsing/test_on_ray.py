"""Parsing on a Ray of this machine: what is kept is what the parser says here, and a second run parses nothing."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gapsmith.app.workspace import make_workspace
from gapsmith.bank import Bank
from gapsmith.parsing import open_parser, parse_store
from tests.conftest import CommandOutcome
from tests.scoring.test_lm_run import fill

HAS_RAY = importlib.util.find_spec("ray") is not None
TEXTS = [
    f"The {kind} near the {place} knows who the {other} saw."
    for kind in ("teacher", "doctors")
    for place in ("park", "sea")
    for other in ("cat", "dogs", "child")
]

EXPORT = """
import json, os, signal, sys
from collections.abc import Callable
from pathlib import Path
import gapsmith.parsing.on_ray as on_ray
import ray
from gapsmith.parsing import Cluster, open_parser, parse_store
from gapsmith.bank import Bank

on_ray.SHARE = 2
ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
texts = json.loads(sys.stdin.read())
parser, killed = open_parser("embedded"), []
with Bank.open(Path(sys.argv[1])) as bank:
    store = parse_store(bank, parser)

    def kill_one(done):
        if not killed:
            rows = [line.split(None, 2) for line in os.popen("ps -eo pid,ppid,args")]
            own = {pid for pid, parent, args in rows if parent == str(os.getpid())}
            pids = [int(pid) for pid, parent, args in rows if parent in own and args.startswith("ray::_Parser")]
            killed.append(pids[0])
            os.kill(pids[0], signal.SIGKILL)

    store.put(parser.parse(texts[:1]))
    first = on_ray.parse_on(Cluster(), parser, store, texts, kill_one)
    again = on_ray.parse_on(Cluster(), parser, store, texts)
print(json.dumps([first, again, len(killed)]))
"""


@pytest.mark.full
@pytest.mark.skipif(not HAS_RAY, reason="Ray is not installed (the extra `ray`)")
def test_parses_are_those_of_this_machine_also_where_an_actor_is_killed(tmp_path: Path) -> None:
    make_workspace(tmp_path)
    bank_file = tmp_path / "bank.sqlite"
    done = subprocess.run(
        [sys.executable, "-c", EXPORT, str(bank_file)],
        input=json.dumps(TEXTS),
        env=os.environ | {"HOME": str(tmp_path), "RAY_USAGE_STATS_ENABLED": "0", "RAY_worker_niceness": "0"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == [len(TEXTS) - 1, 0, 1]
    parser = open_parser("embedded")
    with Bank.open(bank_file) as bank:
        kept = parse_store(bank, parser).get(TEXTS)
    assert kept == dict(zip(TEXTS, parser.parse(TEXTS), strict=True))


def test_a_place_to_parse_on_is_ray_and_says_what_is_parsed(tmp_path: Path, gapsmith: Callable[..., CommandOutcome]) -> None:
    make_workspace(tmp_path)
    with Bank.open(tmp_path / "bank.sqlite") as bank:
        fill(bank, [["One."]])
    for arguments, told in (
        (("export", "csv", "--all", "--on", "ray"), "conllu"),
        (("export", "conllu", "--all", "--on", "spark"), "--on ray"),
    ):
        found = gapsmith(*arguments, "-w", tmp_path)
        assert (found.code, told in found.err) == (2, True), (arguments, found.err)
