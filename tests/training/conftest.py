"""A small corpus and configurations that train in seconds."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

GPT2 = """
[network]
architecture = "gpt2"
hidden = 16
layers = 1
heads = 2
dropout = 0.1

[tokenizer]
vocabulary = 300

[rows]
length = 48
validation_share = 0.1

[schedule]
learning_rate = 1e-2
warmup = 2

[run]
steps = 12
batch = 4
evaluate_every = 4
checkpoint_every = 2
log_every = 1
"""

LSTM = GPT2.replace('"gpt2"', '"lstm"').replace("heads = 2\n", "")


def some_text(n: int, seed: int = 3) -> str:
    """`n` paragraphs of up to four sentences."""
    rng = random.Random(seed)
    names, verbs, things = (
        ("Ann", "Bob", "Kim", "Lee"),
        ("saw", "took", "wanted", "left"),
        ("ball", "book", "cat", "tree"),
    )

    def sentence() -> str:
        return f"{rng.choice(names)} {rng.choice(verbs)} the {rng.choice(things)}{rng.choice(['', ' again', ' at home'])}."

    return "".join(" ".join(sentence() for _ in range(rng.randint(1, 4))) + "\n" for _ in range(n))


@pytest.fixture(autouse=True)
def _curves_are_not_rendered(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures of a training are put together and not rendered, which takes as long as the training; who looks at them asks for
    `painted`."""
    if "painted" not in request.fixturenames:
        monkeypatch.setattr("matplotlib.figure.Figure.savefig", lambda _, path, **__: Path(path).write_text("not rendered"))


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A file of 80 paragraphs."""
    path = tmp_path / "text.txt"
    path.write_text(some_text(80), encoding="utf-8")
    return path


@pytest.fixture
def gpt2_config(tmp_path: Path) -> Path:
    """The configuration of a GPT-2 of 12 steps."""
    path = tmp_path / "gpt2.toml"
    path.write_text(GPT2, encoding="utf-8")
    return path


@pytest.fixture
def lstm_config(tmp_path: Path) -> Path:
    """The configuration of an LSTM of 12 steps."""
    path = tmp_path / "lstm.toml"
    path.write_text(LSTM, encoding="utf-8")
    return path
