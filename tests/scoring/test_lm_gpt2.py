"""GPT-2's network and tokenizer as they are read here, against transformers; and what is left to it."""

from __future__ import annotations

import importlib
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gapsmith.scoring.lm import BUNDLED, find_source, open_engine
from gapsmith.scoring.lm.gpt2 import NAME, gpt2_shape, load_gpt2
from gapsmith.scoring.lm.vocabulary import Vocabulary, gpt2_vocabulary
from gapsmith.training.tokenizer import END, save_tokenizer, train_bpe
from tests.scoring.conftest import CORPUS, save_tiny_gpt2
from tests.scoring.measuring import bits, measured_one

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data" / "gpt2-tokenizer"
TEXTS = (
    *CORPUS,
    " a space before, and two  spaces\tand a tab\n",
    "They'll remember whom we've met in 1987, won't they?",
    "The naïve waiter — 😀 — brought 日本 to Zoë's café. e\u0301",
    f"What looks like {END} is text.{END}",
    "",
)


def change_json(path: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    content = json.loads(path.read_text("utf-8"))
    change(content)
    path.write_text(json.dumps(content), "utf-8")


@pytest.fixture
def model(tiny_gpt2: Path, tmp_path: Path) -> Path:
    shutil.copytree(tiny_gpt2, tmp_path / "model")
    return tmp_path / "model"


def change_weights(model: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    from safetensors.torch import load_file, save_file

    weights: Any = load_file(model / "model.safetensors")
    change(weights)
    save_file(weights, model / "model.safetensors", metadata={"format": "pt"})


def test_a_gpt2_is_scored_without_transformers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    for engine in ("tree", "batches"):
        opened = open_engine(BUNDLED, device="cpu", engine=engine, kernel="default")
        assert None not in bits(measured_one(opened, CORPUS[0]))
        assert opened.provenance["network"] == NAME
        assert "transformers" not in opened.provenance


def test_the_network_is_that_of_transformers(tmp_path: Path) -> None:
    """Alone, and behind keys and values with an additive mask in which tokens stand side by side."""
    import torch

    loader: Any = importlib.import_module("transformers").GPT2LMHeadModel
    save_tiny_gpt2(tmp_path, n_inner=48, n_head=4, layer_norm_epsilon=1e-3)
    source = find_source(str(tmp_path))
    theirs = loader.from_pretrained(tmp_path).eval()
    shape = gpt2_shape(source)
    assert shape is not None
    ours = load_gpt2(source, shape, dtype=torch.float32, device="cpu")
    assert {name: weight.shape for name, weight in ours.named_parameters()} == {
        name: weight.shape for name, weight in theirs.named_parameters()
    }
    ids, places = torch.tensor([[0, 5, 70, 800, 9]]), torch.tensor([[0, 1, 2, 2, 3]])
    mask = torch.zeros(1, 1, 5, 5).masked_fill_(torch.ones(5, 5).triu(1).bool(), torch.finfo(torch.float32).min)
    mask[..., 3:, 2] = torch.finfo(torch.float32).min
    with torch.inference_mode():
        for more in ({}, {"attention_mask": mask, "position_ids": places}):
            both = [torch.log_softmax(network(ids, **more).logits.double(), -1) for network in (ours, theirs)]
            assert float((both[0] - both[1]).abs().max()) < 1e-5
        start: Any = {"attention_mask": mask[:, :, :2, :2], "position_ids": places[:, :2], "use_cache": True}
        rest: Any = {"attention_mask": mask[:, :, 2:], "position_ids": places[:, 2:]}
        before = ours.base_model(ids[:, :2], **start)
        behind = ours.base_model(ids[:, 2:], cache=before.cache, **rest).last_hidden_state
        whole = ours.base_model(ids, attention_mask=mask, position_ids=places).last_hidden_state
        assert float((behind - whole[:, 2:]).abs().max()) < 1e-5
    for wrong in ({"attention_mask": torch.ones(1, 5)}, {"cache": before.cache}):
        with pytest.raises(ValueError, match="a mask of four dimensions"):
            ours.base_model(ids, **wrong)


def test_names_and_masks_of_old_files_are_read(model: Path) -> None:
    """As in the file of GPT-2 itself on the hub."""
    import torch

    expected = bits(measured_one(open_engine(str(model), device="cpu"), TEXTS[0]))

    def older(weights: dict[str, Any]) -> None:
        for name in list(weights):
            weights[name.removeprefix("transformer.")] = weights.pop(name)
        weights["h.0.attn.bias"] = torch.ones(1, 1, 64, 64).tril()

    change_weights(model, older)
    change_json(model / "config.json", lambda config: config.update(n_ctx=64, task_specific_params={"a": 1}))
    opened = open_engine(str(model), device="cpu")
    assert bits(measured_one(opened, TEXTS[0])) == expected
    assert opened.provenance["network"] == NAME


CONFIGURATIONS: dict[str, dict[str, Any]] = {
    "another activation": {"activation_function": "gelu"},
    "unscaled": {"scale_attn_weights": False},
    "scaled by layer": {"scale_attn_by_inverse_layer_idx": True},
    "in another order": {"reorder_and_upcast_attn": True},
    "two sides": {"add_cross_attention": True},
    "no tied head": {"tie_word_embeddings": False},
    "for sequences": {"architectures": ["GPT2ForSequenceClassification"]},
    "smaller numbers": {"quantization_config": {"quant_method": "bitsandbytes", "load_in_8bit": True}},
    "not known": {"attention_sinks": 4},
    "no number": {"n_head": "2"},
    "no truth value": {"scale_attn_weights": 1},
    "uneven": {"n_head": 3},
    "another kind": {"model_type": "gapsmith_gpt2"},
    "other names": {"hidden_size": 32},
    "too many layers": {"n_layer": 10**9},
    "too wide": {"n_embd": 2 * 10**18},
}


@pytest.mark.parametrize("change", CONFIGURATIONS.values(), ids=CONFIGURATIONS)
def test_a_variant_is_left_to_transformers(change: dict[str, Any], model: Path) -> None:
    assert gpt2_shape(find_source(str(model))) is not None
    change_json(model / "config.json", lambda config: config.update(change))
    assert gpt2_shape(find_source(str(model))) is None


def extra(weights: dict[str, Any]) -> None:
    weights["transformer.h.0.attn.gate"] = weights["transformer.ln_f.bias"].clone()


def two_names(weights: dict[str, Any]) -> None:
    weights["ln_f.bias"] = weights.pop("transformer.ln_f.bias")


def another_shape(weights: dict[str, Any]) -> None:
    weights["transformer.ln_f.bias"] = weights["transformer.ln_f.bias"][:-1].clone()


def other_numbers(weights: dict[str, Any]) -> None:
    weights["transformer.ln_f.bias"] = weights["transformer.ln_f.bias"].double()


@pytest.mark.parametrize("change", [extra, two_names, another_shape, other_numbers, lambda weights: weights.popitem()])
def test_weights_that_do_not_fit_are_left_to_transformers(change: Callable[[dict[str, Any]], Any], model: Path) -> None:
    change_weights(model, change)
    assert gpt2_shape(find_source(str(model))) is None


def test_an_adapter_is_left_to_transformers_and_so_are_parts(model: Path) -> None:
    source = find_source(str(model))
    (model / "adapter_config.json").write_text("{}", "utf-8")
    assert gpt2_shape(source) is None
    (model / "adapter_config.json").unlink()
    (model / "model.safetensors").rename(model / "model-00001-of-00001.safetensors")
    assert gpt2_shape(source) is None


def test_what_is_left_to_transformers_is_scored_by_it(model: Path) -> None:
    """The same formula under another name: what ran is said, and the values are the same."""
    expected = bits(measured_one(open_engine(str(model), device="cpu"), TEXTS[0]))
    change_json(model / "config.json", lambda config: config.update(activation_function="gelu_pytorch_tanh"))
    opened = open_engine(str(model), device="cpu")
    assert bits(measured_one(opened, TEXTS[0])) == pytest.approx(expected, abs=1e-5)
    assert opened.provenance["engine"] == "tree/1"
    assert "network" not in opened.provenance
    assert opened.provenance["transformers"]


def _rebuilt(folder: Path) -> None:
    """Read by GPT-2's own class."""
    change_json(folder / "tokenizer_config.json", lambda own: own.update(tokenizer_class="GPT2TokenizerFast"))


def _unnamed(folder: Path) -> None:
    """No settings, as in the first models of the hub."""
    (folder / "tokenizer_config.json").write_text('{"model_max_length": 64}', "utf-8")


def _none(folder: Path) -> None:
    (folder / "tokenizer_config.json").unlink()


def _older(folder: Path) -> None:
    """As transformers 4 saved it."""
    token = {"content": END, "lstrip": False, "normalized": True, "rstrip": False, "single_word": False}
    change_json(
        folder / "tokenizer_config.json",
        lambda own: own.update(
            tokenizer_class="GPT2Tokenizer",
            add_bos_token=False,
            add_prefix_space=False,
            added_tokens_decoder={"0": {**token, "special": True}},
            bos_token={"__type": "AddedToken", **token},
            additional_special_tokens=[],
        ),
    )
    (folder / "special_tokens_map.json").write_text('{"bos_token": null, "unk_token": "<unk>"}', "utf-8")


def _mapped(folder: Path) -> None:
    """Told in a file of its own, which is over the settings."""
    change_json(folder / "tokenizer_config.json", lambda own: own.update(bos_token=None, eos_token=None))
    token = {"content": END, "lstrip": False, "normalized": False, "rstrip": False, "single_word": False}
    (folder / "special_tokens_map.json").write_text(json.dumps({"eos_token": token}), "utf-8")


def _no_bos(folder: Path) -> None:
    change_json(folder / "tokenizer_config.json", lambda own: own.update(bos_token=None, eos_token=None))


def _another(folder: Path) -> None:
    """Two special tokens, of which one begins and one ends, and BOS before every text."""

    def change(own: dict[str, Any]) -> None:
        own["added_tokens"].append({**own["added_tokens"][0], "id": 8192, "content": "<s>"})
        one: dict[str, Any] = {"SpecialToken": {"id": "<s>", "type_id": 0}}
        text, other = ({"Sequence": {"id": name, "type_id": 0}} for name in "AB")
        known = {"<s>": {"id": "<s>", "ids": [8192], "tokens": ["<s>"]}}
        own["post_processor"] = {
            "type": "TemplateProcessing",
            "single": [one, text],
            "pair": [text, other],
            "special_tokens": known,
        }

    change_json(folder / "tokenizer.json", change)
    change_json(folder / "tokenizer_config.json", lambda own: own.update(bos_token="<s>"))


def _trained(folder: Path) -> None:
    """Of a model that was trained here."""
    save_tokenizer(train_bpe(CORPUS, 320), folder, window=64)


def _gpt2s(folder: Path) -> None:
    """GPT-2's own."""
    if not SHARED.is_dir():
        pytest.skip("needs the GPT-2 tokenizer files beside the checkout")
    transformers: Any = importlib.import_module("transformers")
    transformers.GPT2TokenizerFast(vocab=str(SHARED / "vocab.json"), merges=str(SHARED / "merges.txt")).save_pretrained(folder)


def same(found: Vocabulary, folder: Path) -> None:
    """As transformers reads it."""
    loader: Any = importlib.import_module("transformers").AutoTokenizer
    theirs = loader.from_pretrained(folder)
    expected = Vocabulary.from_transformers(theirs)
    assert (found.bos, found.eos, found.special) == (expected.bos, expected.eos, expected.special)
    assert found.id_of(found.bos) == theirs.bos_token_id
    assert found.backend.get_vocab() == theirs.get_vocab()
    assert (
        found.adds_bos
        == expected.adds_bos
        == (theirs.bos_token_id is not None and theirs("a").input_ids[0] == theirs.bos_token_id)
    )
    assert found.pieces(range(len(theirs))) == tuple(theirs.convert_ids_to_tokens(list(range(len(theirs)))))
    for own in (found.backend, expected.backend):
        own.encode_special_tokens = True
    for text in TEXTS:
        for begun in (False, True):
            ours, other = (own.encode(text, add_special_tokens=begun) for own in (found.backend, expected.backend))
            assert (ours.ids, ours.offsets) == (other.ids, other.offsets)


READ = [
    lambda _: None,
    _rebuilt,
    _unnamed,
    _none,
    _older,
    _mapped,
    _no_bos,
    _another,
    _trained,
    pytest.param(_gpt2s, marks=pytest.mark.shared),
]


@pytest.mark.parametrize("change", READ)
def test_a_tokenizer_is_that_of_transformers(change: Callable[[Path], None], model: Path) -> None:
    change(model)
    found = gpt2_vocabulary(model)
    assert found is not None
    same(found, model)


def settings(**more: Any) -> Callable[[Path], None]:
    return lambda folder: change_json(folder / "tokenizer_config.json", lambda own: own.update(more))


def parts(**more: Any) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        _rebuilt(folder)
        change_json(folder / "tokenizer.json", lambda own: own.update(more))

    return change


def _plain_word(folder: Path) -> None:
    """A token that was added and stands for a word of texts."""
    change_json(
        folder / "tokenizer.json",
        lambda own: own["added_tokens"].append({**own["added_tokens"][0], "id": 8192, "content": "story", "special": False}),
    )


def _no_bytes(folder: Path) -> None:
    """A vocabulary that lacks a byte."""
    _rebuilt(folder)
    change_json(folder / "tokenizer.json", lambda own: own["model"]["vocab"].pop("Ġ"))


LEFT = {
    "a space before": settings(add_prefix_space=True),
    "more tokens": settings(extra_special_tokens=["<x>"]),
    "a token that is not added": settings(pad_token="<pad>"),
    "one more name": settings(image_token=END),
    "another class": settings(tokenizer_class="LlamaTokenizer"),
    "not known": settings(normalize=True),
    "added elsewhere": settings(added_tokens_decoder={"1": {"content": "<x>", "special": True}}),
    "a normaliser": parts(normalizer={"type": "NFC"}),
    "other words": parts(pre_tokenizer={"type": "Whitespace"}),
    "padding": parts(padding={"strategy": {"Fixed": 4}, "direction": "Right", "pad_id": 0, "pad_type_id": 0, "pad_token": END}),
    "a plain word": _plain_word,
    "no bytes": _no_bytes,
    "a file of words": lambda folder: (folder / "added_tokens.json").write_text('{"<x>": 8192}', "utf-8"),
    "no file": lambda folder: (folder / "tokenizer.json").unlink(),
    "a broken file": lambda folder: (folder / "tokenizer.json").write_text("{", "utf-8"),
    "an empty file": lambda folder: (folder / "tokenizer.json").write_text("{}", "utf-8"),
}


@pytest.mark.parametrize("change", LEFT.values(), ids=LEFT)
def test_an_odd_tokenizer_is_left_to_transformers(change: Callable[[Path], Any], model: Path) -> None:
    assert gpt2_vocabulary(model) is not None
    change(model)
    assert gpt2_vocabulary(model) is None


def test_a_tokenizer_is_left_to_transformers_and_its_network_is_not(model: Path) -> None:
    _plain_word(model)
    opened = open_engine(str(model), device="cpu")
    assert opened.provenance["network"] == NAME
    assert opened.provenance["transformers"]
