"""Generation over HTTP against the ideal time, and its memory as a run grows tenfold.

The ideal time of a run is the number of rounds, calls / concurrency, times the latency: nothing but waiting. The
stand-in server has a process of its own, and the client is the real SDK. A bare client, which sends the same number of
requests and throws the answers away, shows what the machine and the server make of the ideal at that moment.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import resource
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path

from gapsmith.app.generation import carry_out
from gapsmith.bank import Bank
from gapsmith.prompts import Order, prepare
from gapsmith.prompts.fake import FakeServer
from gapsmith.templates import load_paradigm

_ITEMS = 1_000
_LATENCY_S = 0.2
_CONCURRENCY = 16
_PER_CALL = 10


def main() -> None:
    """Print the ratio for each SDK, and the growth of memory."""
    rounds = -(-_ITEMS // (_PER_CALL * _CONCURRENCY))
    ideal = rounds * _LATENCY_S
    for provider in ("gemini", "openai"):
        with _server("subject_pg", 3 * _ITEMS, _LATENCY_S) as url, tempfile.TemporaryDirectory() as folder:
            _run(provider, "subject_pg", url, 40, Path(folder) / "warm.sqlite")
            bare = asyncio.run(_bare(url, _ITEMS // _PER_CALL))
            seconds = _run(provider, "subject_pg", url, _ITEMS, Path(folder) / "bank.sqlite")
        print(
            f"  {provider}: {_ITEMS:,} items of eight sentences in {seconds / ideal:.2f} × the ideal time"
            f" (the bare client: {bare / ideal:.2f} ×)"
        )
    small, large = (_peak_mb(n) for n in (500, 5_000))
    print(f"  memory at its peak: {large / small:.2f} × as much for 5,000 items as for 500 ({small:.0f} MB)")


def _run(provider: str, paradigm: str, url: str, n: int, path: Path) -> float:
    order = Order(
        load_paradigm(paradigm),
        provider=provider,
        model="fake",
        base_url=url if provider == "gemini" else f"{url}/v1",
        n=n,
        n_per_call=_PER_CALL,
        concurrency=_CONCURRENCY,
    )
    with Bank.open(path, create=True) as bank:
        prepared = prepare(order, bank, workspace=None, environment={"GEMINI_API_KEY": "x" * 20})
        started = time.perf_counter()
        carry_out(prepared, bank)
        seconds = time.perf_counter() - started
        assert bank.items.count() == n
    return seconds


async def _bare(url: str, calls: int) -> float:
    host, port = url.removeprefix("http://").split(":")
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": f"exactly {_PER_CALL} items"}]})
    request = f"POST /v1/chat/completions HTTP/1.1\r\nHost: {host}\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    left = iter(range(calls))

    async def worker() -> None:
        reader, writer = await asyncio.open_connection(host, int(port))
        for _ in left:
            writer.write(request.encode())
            head = await reader.readuntil(b"\r\n\r\n")
            await reader.readexactly(int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0]))
        writer.close()

    started = time.perf_counter()
    await asyncio.gather(*(worker() for _ in range(_CONCURRENCY)))
    return time.perf_counter() - started


def _peak_mb(n: int) -> float:
    receiver, sender = multiprocessing.Pipe(duplex=False)
    with _server("lan_pg", 0, 0.0) as url:
        worker = multiprocessing.get_context("spawn").Process(target=_measure, args=(sender, url, n))
        worker.start()
        peak = float(receiver.recv())
        worker.join()
    return peak


def _measure(sender: Connection, url: str, n: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        _run("openai", "lan_pg", url, n, Path(folder) / "bank.sqlite")
    sender.send(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


@contextmanager
def _server(paradigm: str, ahead: int, latency_s: float) -> Iterator[str]:
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("spawn").Process(target=_serve, args=(sender, paradigm, ahead, latency_s), daemon=True)
    process.start()
    try:
        yield receiver.recv()
    finally:
        process.terminate()
        process.join()


def _serve(sender: Connection, paradigm: str, ahead: int, latency_s: float) -> None:
    with FakeServer(load_paradigm(paradigm), latency_s=latency_s) as fake:
        fake.writer.draw_ahead(ahead)
        sender.send(fake.url)
        fake.closing.wait()


if __name__ == "__main__":
    main()
