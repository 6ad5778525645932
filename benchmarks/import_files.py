"""What files cost on their way in: text lists by the same CSV (at most twice), 67,000 pairs by 6,700 (about ten times), the peak of 200,000."""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROUNDS = 3
N_ITEMS = 2_500
N_PAIRS = 67_000
N_MOST = 200_000
ALLOWED_GIB = 1.5
_LETTERS = "abcdefghijklmnoprstuv"
_READ = (
    "import sys; from pathlib import Path; from gapsmith.bank.formats import ReadOptions, SourceFile, read_foreign; "
    "per = int(sys.argv[2]) or None; options = ReadOptions(per_item=per, first=sys.argv[3] or None); "
    "print(len(read_foreign(SourceFile(Path(sys.argv[1]), options)).items))"
)
_PEAK = (
    "import resource, subprocess, sys; done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE); "
    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); sys.exit(done.returncode)"
)


def main() -> None:
    """Print the ratios of the least CPU time over several rounds, taken in turns, and the peak of memory."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _lists(folder)
        _pairs(folder)


def _lists(folder: Path) -> None:
    rng = random.Random(1)
    items = [_four(rng) for _ in range(N_ITEMS)]
    pairs = [(good, bad) for good, bad, *_ in items]
    files = {
        "four.csv": "item,condition,sentence\n"
        + "".join(f"{n},{c},{text}\n" for n, item in enumerate(items, 1) for c, text in zip("abcd", item, strict=True)),
        "four.txt": "\n".join("".join(f"{text}\n" for text in item) for item in items),
        "numbered.txt": "".join(
            f"{n}{c}. {text}\n" for n, item in enumerate(items, 1) for c, text in zip("abcd", item, strict=True)
        ),
        "pairs.csv": "sentence_good,sentence_bad\n" + "".join(f"{good},{bad}\n" for good, bad in pairs),
        "pairs.txt": "".join(f"{good}\n{bad}\n" for good, bad in pairs),
    }
    for file, text in files.items():
        (folder / file).write_text(text, encoding="utf-8")
    nothing = folder / "one.csv"
    nothing.write_text("item,condition,sentence\n1,a,He came.\n1,b,He come.\n", encoding="utf-8")
    least = dict.fromkeys([*files, nothing.name], float("inf"))
    for _ in range(ROUNDS):
        for file in least:
            said = ("4" if file == "four.txt" else "0", "good" if file == "pairs.txt" else "")
            own = [sys.executable, "-c", _READ, str(folder / file), *said]
            least[file] = min(least[file], _cpu_seconds(own))
    start = least.pop(nothing.name)
    for text, table in (("four.txt", "four.csv"), ("numbered.txt", "four.csv"), ("pairs.txt", "pairs.csv")):
        print(f"{text}: {(least[text] - start) / (least[table] - start):.2f} times {table}", flush=True)


def _pairs(folder: Path) -> None:
    rng = random.Random(2)
    seconds = {}
    for number in (N_PAIRS // 10, N_PAIRS):
        file = _written(folder / f"pairs_{number}.txt", number, rng)
        seconds[number] = _cpu_seconds(_import(folder / f"bank_{number}", file))
    print(f"{N_PAIRS:,} pairs imported: {seconds[N_PAIRS] / seconds[N_PAIRS // 10]:.1f} times {N_PAIRS // 10:,}", flush=True)
    file = _written(folder / "most.txt", N_MOST, rng)
    done = subprocess.run(
        [sys.executable, "-c", _PEAK, *_import(folder / "most", file)], stdout=subprocess.PIPE, text=True, check=True
    )
    gib = int(done.stdout) * (1 if sys.platform == "darwin" else 1024) / 2**30
    print(f"{N_MOST:,} pairs imported: {gib:.2f} GiB at most ({ALLOWED_GIB} allowed)", flush=True)


def _import(workspace: Path, file: Path) -> list[str]:
    program = [sys.executable, "-m", "gapsmith"]
    subprocess.run([*program, "init", str(workspace)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return [*program, "import", str(file), "--first", "good", "--workspace", str(workspace)]


def _written(file: Path, number: int, rng: random.Random) -> Path:
    with file.open("w", encoding="utf-8") as stream:
        for _ in range(number):
            good, bad, *_ = _four(rng)
            stream.write(f"{good}\n{bad}\n")
    return file


def _four(rng: random.Random) -> tuple[str, str, str, str]:
    """A sentence of made words in four conditions."""
    noun, other, verb, thing = ("".join(rng.choices(_LETTERS, k=6)) for _ in range(4))
    text = f"The {noun} that the {other} {verb} has seen the {thing}."
    return text, text.replace(" has ", " have "), text.replace(" has ", " had "), text.replace(" has ", " will have ")


def _cpu_seconds(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
