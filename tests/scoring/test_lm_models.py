"""Finding and loading models: what is refused, with which words, and that the hub is asked once and briefly."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gapsmith.scoring.lm import BUNDLED, ModelError, ModelNotInReachError, bundled_directory, find_source, open_engine
from gapsmith.templates.errors import ConfigError, GapsmithError
from tests.scoring import measuring
from tests.scoring.fake_hub import COMMIT, serve_hub

TEXT = "I know who the story is about."


def bits(model: str | Path) -> list[float | None]:
    """The surprisals of one sentence."""
    return measuring.bits(measuring.measured_one(open_engine(str(model), device="cpu"), TEXT))


def change_json(path: Path, change: Callable[[Any], None]) -> None:
    """Rewrite a JSON file."""
    content = json.loads(path.read_text("utf-8"))
    change(content)
    path.write_text(json.dumps(content), "utf-8")


@pytest.fixture
def copy(tiny_gpt2: Path, tmp_path: Path) -> Path:
    """A copy of the random GPT-2, to be damaged."""
    shutil.copytree(tiny_gpt2, tmp_path / "model")
    return tmp_path / "model"


def test_bundled_is_the_shipped_model_with_its_card_and_attributions() -> None:
    source = find_source(BUNDLED)
    assert (source.name, source.kind) == (BUNDLED, "bundled")
    assert source.directory == bundled_directory()
    shipped = {path.name for path in source.directory.iterdir()}
    assert {"MODEL_CARD.md", "SOURCES.tsv", "STORY_ATTRIBUTION.tsv", "TATOEBA_ATTRIBUTION.tsv.gz"} <= shipped
    assert {"config.json", "model.safetensors", "tokenizer.json", "golden.json"} <= shipped


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        ("./nowhere", "is not there", "--model bundled"),
        ("a/b/c", "is not there", "--model bundled"),
        ("two words", "neither a directory nor the name", "hub name"),
        ("", "neither a directory nor the name", "hub name"),
        ("gpt2.", "neither a directory nor the name", "hub name"),
        ("foo..bar", "neither a directory nor the name", "hub name"),
        ("x.git", "neither a directory nor the name", "hub name"),
        ("a--b", "neither a directory nor the name", "hub name"),
        ("own/" + "x" * 97, "neither a directory nor the name", "hub name"),
    ],
)
def test_a_name_that_is_no_model(name: str, message: str, hint: str) -> None:
    with pytest.raises(ModelError, match=message) as caught:
        find_source(name, download=False)
    assert hint in caught.value.hint
    assert caught.value.exit_code == 1


def test_a_file_is_not_a_directory(tiny_gpt2: Path) -> None:
    with pytest.raises(ModelNotInReachError, match="a file, not a directory"):
        find_source(str(tiny_gpt2 / "config.json"))


def test_a_revision_is_for_the_hub_only(tiny_gpt2: Path) -> None:
    for name in (BUNDLED, str(tiny_gpt2)):
        with pytest.raises(ConfigError, match="has no revisions"):
            find_source(name, revision="main")


def no_config(model: Path) -> None:
    """Not a model at all."""
    (model / "config.json").unlink()


def no_weights(model: Path) -> None:
    """Configuration and tokenizer only."""
    (model / "model.safetensors").unlink()


def pickle_only(model: Path) -> None:
    """Weights in a format that runs code."""
    (model / "model.safetensors").rename(model / "pytorch_model.bin")


def missing_shard(model: Path) -> None:
    """An index that names a file which is not there."""
    (model / "model.safetensors").unlink()
    index = {"weight_map": {"transformer.wte.weight": "model-00001-of-00002.safetensors"}}
    (model / "model.safetensors.index.json").write_text(json.dumps(index), "utf-8")


def index_outside(model: Path) -> None:
    """An index that names a file of another directory."""
    (model / "model.safetensors").unlink()
    index = {"weight_map": {"transformer.wte.weight": "../model.safetensors"}}
    (model / "model.safetensors.index.json").write_text(json.dumps(index), "utf-8")


def broken_index(model: Path) -> None:
    """An index that is none."""
    (model / "model.safetensors").unlink()
    (model / "model.safetensors.index.json").write_text("[]", "utf-8")


def no_tokenizer(model: Path) -> None:
    """No way to cut a text into tokens."""
    (model / "tokenizer.json").unlink()
    (model / "tokenizer_config.json").unlink()


def cut_short(model: Path) -> None:
    """Half of the weights."""
    path = model / "model.safetensors"
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def another_size(model: Path) -> None:
    """Weights that do not fit the configuration."""
    change_json(model / "config.json", lambda config: config.update(n_positions=32))


def another_layer(model: Path) -> None:
    """A layer that has no weights."""
    change_json(model / "config.json", lambda config: config.update(n_layer=3))


def foreign_code(model: Path) -> None:
    """An architecture that comes as a program."""

    def change(config: dict[str, Any]) -> None:
        config["model_type"] = "my_own"
        config["auto_map"] = {"AutoConfig": "own.Config", "AutoModelForCausalLM": "own.Model"}

    change_json(model / "config.json", change)


def encoder_decoder(model: Path) -> None:
    """A model that is not causal by design."""
    (model / "config.json").write_text(json.dumps({"model_type": "t5", "is_encoder_decoder": True}), "utf-8")


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (no_config, "holds no config.json"),
        (no_weights, "has no weights"),
        (pickle_only, "only in pickle files"),
        (missing_shard, "missing: model-00001-of-00002.safetensors"),
        (index_outside, "no safetensors file beside it"),
        (broken_index, "is not an index of weight files"),
        (no_tokenizer, "holds no tokenizer"),
        (cut_short, "the weights of .* cannot be loaded"),
        (another_size, "missing or of another shape|cannot be loaded"),
        (another_layer, "missing or of another shape"),
        (foreign_code, "needs program code from the hub"),
        (encoder_decoder, "encoder-decoder model"),
    ],
)
def test_a_model_that_cannot_be_used_says_why(copy: Path, damage: Callable[[Path], None], message: str) -> None:
    damage(copy)
    with pytest.raises(ModelError, match=message) as caught:
        bits(copy)
    assert caught.value.hint
    assert caught.value.exit_code == 1


def test_a_masked_language_model_is_no_causal_one(copy: Path) -> None:
    import torch

    transformers: Any = importlib.import_module("transformers")
    torch.manual_seed(1)
    config = transformers.BertConfig(
        vocab_size=8192,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        initializer_range=0.5,
    )
    transformers.BertForMaskedLM(config).save_pretrained(copy)
    with (
        pytest.warns(UserWarning, match="is run in batches"),
        pytest.raises(ModelError, match="is not a causal language model"),
    ):
        bits(copy)


@pytest.mark.full
def test_a_tokenizer_without_offsets_is_refused(copy: Path) -> None:
    (copy / "tokenizer.json").unlink()
    (copy / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "CanineTokenizer"}), "utf-8")
    with pytest.raises(ModelError, match="does not say which characters its tokens cover"):
        open_engine(str(copy))


def test_a_tokenizer_of_another_model_is_noticed(copy: Path) -> None:
    change_json(copy / "tokenizer.json", lambda t: t["model"]["vocab"].update({"Ġknow": 9000}))
    scores = measuring.measured_one(open_engine(str(copy)), TEXT)
    assert scores.ids == ()
    assert "do not belong together" in (scores.reason or "")


def test_a_tokenizer_without_any_special_token_needs_no_bos(copy: Path) -> None:
    change_json(copy / "tokenizer.json", lambda t: t.update(added_tokens=[]))
    (copy / "tokenizer_config.json").write_text('{"tokenizer_class": "PreTrainedTokenizerFast"}', "utf-8")
    with pytest.raises(ModelError, match="neither a beginning-of-sequence nor") as caught:
        open_engine(str(copy))
    assert "--no-bos" in caught.value.hint


def test_the_digest_follows_the_content_and_not_the_place(tiny_gpt2: Path, copy: Path) -> None:
    first = find_source(str(copy)).revision
    assert first == find_source(str(tiny_gpt2)).revision
    (copy / "README.md").write_text("a note", "utf-8")
    assert find_source(str(copy)).revision == first
    change_json(copy / "tokenizer_config.json", lambda config: config.update(model_max_length=7))
    second = find_source(str(copy)).revision
    assert second != first
    another_size(copy)
    assert find_source(str(copy)).revision not in (first, second)


def test_weights_in_several_files_are_all_read(tiny_gpt2: Path, copy: Path) -> None:
    transformers: Any = importlib.import_module("transformers")
    network = transformers.GPT2LMHeadModel.from_pretrained(tiny_gpt2)
    (copy / "model.safetensors").unlink()
    network.save_pretrained(copy, max_shard_size="300KB")
    assert len(list(copy.glob("model-*.safetensors"))) > 1
    assert bits(copy) == pytest.approx(bits(tiny_gpt2), abs=1e-6)


def test_dtypes_and_devices_that_are_none() -> None:
    with pytest.raises(ConfigError, match="no dtype 'int8'"):
        open_engine(BUNDLED, dtype="int8")
    for device in ("gpu", "cuda:99"):
        with pytest.raises(ConfigError, match=f"no device '{device}'"):
            open_engine(BUNDLED, device=device)


_ASK = """
import json, sys
from gapsmith.scoring.lm.sources import find_source
from gapsmith.templates.errors import GapsmithError
for name in sys.argv[1:]:
    name, _, revision = name.partition("@")
    try:
        source = find_source(name, revision=revision or None)
        print(json.dumps([str(source.directory), source.revision]))
    except GapsmithError as error:
        print(json.dumps([type(error).__name__, str(error)]))
"""


def ask(names: list[str], home: Path, **environment: str) -> list[list[str]]:
    """What `find_source` says of each name, in a process of its own, since HF_* variables are read at import."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("HF_")}
    done = subprocess.run(
        [sys.executable, "-c", _ASK, *names],
        env=kept | {"HF_HOME": str(home)} | environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_hub_model_is_fetched_once_and_then_found_without_a_network(tiny_gpt2: Path, tmp_path: Path) -> None:
    files = {path.name: path.read_bytes() for path in tiny_gpt2.iterdir()}
    with serve_hub({"test/tiny": files | {"pytorch_model.bin": b"never fetched"}}) as hub:
        ((directory, revision), again) = ask(["test/tiny", "test/tiny"], tmp_path, HF_ENDPOINT=hub.address)
        assert revision == COMMIT
        assert again == [directory, revision]
        assert sum("model.safetensors" in request for request in hub.requests if request.startswith("GET")) == 1
        assert not any("pytorch_model" in request for request in hub.requests)
        address = hub.address
    assert ask(["test/tiny"], tmp_path, HF_ENDPOINT=address) == [[directory, revision]]
    assert ask(["test/tiny"], tmp_path, HF_HUB_OFFLINE="1") == [[directory, revision]]
    assert bits(directory) == pytest.approx(bits(tiny_gpt2), abs=1e-6)


@pytest.mark.full
def test_what_the_hub_cannot_give_is_asked_for_once_and_explained(tmp_path: Path) -> None:
    models = {"test/pickled": {"config.json": b"{}", "pytorch_model.bin": b"x"}}
    names = ["test/pickled", "test/none", "test/gated", "test/broken", "test/pickled@no-such-revision"]
    with serve_hub(models) as hub:
        answers = ask(names, tmp_path, HF_ENDPOINT=hub.address)
        asked = [request for request in hub.requests if "/api/models/" in request]
        address = hub.address
    assert len(asked) == len(names), "one request each, no second try"
    for (kind, text), words in zip(
        answers, ("pickle", "has no model", "accepted its conditions", "not in reach", "no revision"), strict=True
    ):
        assert kind in ("ModelError", "ModelNotInReachError")
        assert words in text
    for environment in ({"HF_ENDPOINT": address}, {"HF_ENDPOINT": address, "HF_HUB_OFFLINE": "1"}):
        ((kind, text),) = ask(["gpt2"], tmp_path, **environment)
        assert kind == "ModelNotInReachError"
        assert "gpt2 is not in the cache" in text
        assert "--model bundled" in text


def test_errors_are_ours() -> None:
    assert issubclass(ModelNotInReachError, ModelError)
    assert issubclass(ModelError, GapsmithError)
