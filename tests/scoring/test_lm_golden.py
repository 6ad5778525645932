"""The bundled model against values from a separate computation."""

from __future__ import annotations

import importlib.util
import json
import shutil
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from gapsmith.scoring.lm import BUNDLED, LanguageModel, bundled_directory, find_source, open_engine
from gapsmith.scoring.lm.golden import TOLERANCE_BITS, check_golden
from gapsmith.templates import BosPolicy
from tests.scoring.measuring import bits, measured


@pytest.fixture(scope="module")
def reference() -> ModuleType:
    """tests/reference/golden_bundled.py."""
    path = Path(__file__).parents[1] / "reference" / "golden_bundled.py"
    spec = importlib.util.spec_from_file_location("golden_bundled", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_bundled_model_gives_the_golden_values() -> None:
    check = check_golden()
    assert check.problem is None
    assert check.n_texts == 9
    assert check.n_values > 250
    assert check.largest_difference_bits is not None
    assert 0.0 < check.largest_difference_bits < 1e-4 < TOLERANCE_BITS


@pytest.mark.full
def test_the_golden_file_is_what_the_reference_computes(reference: Any) -> None:
    kept = json.loads((bundled_directory() / "golden.json").read_text("utf-8"))["entries"]
    now = reference.compute()
    assert [entry["text"] for entry in kept] == [entry["text"] for entry in now]
    for a, b in zip(kept, now, strict=True):
        assert (a["ids"], a["spans"]) == (b["ids"], b["spans"])
        assert a["bits_bos"] == pytest.approx(b["bits_bos"], abs=1e-9)
        assert a["bits_none"][1:] == pytest.approx(b["bits_none"][1:], abs=1e-9)


def test_the_reference_uses_neither_torch_nor_transformers(reference: ModuleType) -> None:
    used = {value.__name__.split(".")[0] for value in vars(reference).values() if isinstance(value, ModuleType)}
    source = Path(str(reference.__file__)).read_text("utf-8")
    assert used.isdisjoint({"torch", "transformers", "tokenizers", "safetensors", "scoring"})
    assert "import torch" not in source
    assert "from scoring" not in source


def test_a_changed_weight_is_noticed(tmp_path: Path) -> None:
    import torch
    from safetensors.torch import load_file, save_file

    shutil.copytree(bundled_directory(), tmp_path, dirs_exist_ok=True)
    weights = load_file(tmp_path / "model.safetensors")
    weights["transformer.h.3.ln_1.weight"] *= torch.tensor(1.02, dtype=torch.float16)
    save_file(weights, tmp_path / "model.safetensors", metadata={"format": "pt"})
    check = check_golden(str(tmp_path))
    assert check.problem is not None
    assert "bits" in check.problem
    assert check.largest_difference_bits is not None
    assert check.largest_difference_bits > TOLERANCE_BITS


def test_a_changed_tokenizer_is_noticed(tmp_path: Path) -> None:
    shutil.copytree(bundled_directory(), tmp_path, dirs_exist_ok=True)
    content = json.loads((tmp_path / "tokenizer.json").read_text("utf-8"))
    content["model"]["merges"] = content["model"]["merges"][:2000]
    (tmp_path / "tokenizer.json").write_text(json.dumps(content), "utf-8")
    problem = check_golden(str(tmp_path)).problem
    assert problem is not None
    assert "becomes the tokens" in problem


def test_the_bundled_model_knows_the_simple_filler_gap_dependency() -> None:
    """What the model card says of it: "what" helps where there is a gap and hurts where the gap is filled."""
    frames = [("devoured", "the lion", "gazelle"), ("found", "the boy", "letter"), ("broke", "the girl", "window")]
    texts = {
        (filler, gap, verb): f"I know {filler} {subject} {verb}{gap and f' the {noun}'} at sunrise."
        for verb, subject, noun in frames
        for filler in ("what", "that")
        for gap in ("", "filled")
    }
    scores = measured(open_engine(BUNDLED), list(texts.values()))

    def critical(filler: str, gap: str, verb: str) -> float:
        """The first word after the verb."""
        text = texts[filler, gap, verb]
        start = text.index(verb) + len(verb)
        starts = scores[text].spans[:, 0].tolist()
        return next(v for at, v in zip(starts, bits(scores[text]), strict=True) if at >= start and v is not None)

    interactions = [
        (critical("what", "filled", verb) - critical("that", "filled", verb))
        - (critical("what", "", verb) - critical("that", "", verb))
        for verb, _, _ in frames
    ]
    assert sum(interactions) / len(interactions) > 0.5


def test_half_precision_weights_are_computed_in_float32() -> None:
    import torch

    model = LanguageModel(find_source(BUNDLED), bos=BosPolicy.BOS)
    assert model.network.dtype is torch.float32


def test_importing_the_package_imports_no_torch() -> None:
    import subprocess

    code = "import sys, gapsmith.scoring.lm, gapsmith.scoring.observations.values; print(sorted({'torch', 'transformers'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.gpt2
def test_gpt2_gives_the_published_tuple() -> None:
    """One tuple of Lan et al. with its GPT-2 surprisals of the critical word, in bits, as published."""
    published = {
        "I know who John's talking to is about to annoy you soon": ("you", 4.14),
        "I know who John's talking to is about to annoy soon": ("soon", 22.98),
        "I know that John's talking to Mary is about to annoy you soon": ("you", 5.77),
        "I know that John's talking to Mary is about to annoy soon": ("soon", 23.34),
    }
    scores = measured(open_engine("gpt2"), list(published))
    for text, (word, expected) in published.items():
        start = text.index(f" {word}")
        spans = scores[text].spans.tolist()
        (place,) = (n for n, (a, b) in enumerate(spans) if a in (start, start + 1) and b == start + 1 + len(word))
        assert bits(scores[text])[place] == pytest.approx(expected, abs=0.02)
