"""The number of one sentence as other tools make it: recomputed from the model's logits, and asked of minicons where it is."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest
from typer.testing import CliRunner

from gapsmith.app.cli.app import app
from gapsmith.app.workspace import make_workspace
from gapsmith.bank import Bank, ItemFilter, NewItem
from gapsmith.scoring.explaining import TOOLS, explain
from gapsmith.scoring.lm import Engine, open_engine
from gapsmith.scoring.observations import NO_BOUNDARY, observe
from gapsmith.scoring.score_run import score_selected, select_texts
from gapsmith.templates import CRITICAL_PLACE, MEASURES, SENTENCE_PLACE, BosPolicy, load_paradigm, realise, sample
from gapsmith.templates.errors import ConfigError
from tests.printed import results
from tests.scoring.analysing import add_items

SENTENCE = "The story about John amused Mary."


@pytest.fixture(scope="module")
def engine_with(tiny_gpt2: Path) -> Any:
    @cache
    def opened(bos: bool) -> Engine:
        return open_engine(str(tiny_gpt2), bos=BosPolicy.BOS if bos else BosPolicy.NONE, engine="batches")

    return opened


@cache
def logs(directory: str, text: str, bos: bool) -> list[tuple[tuple[int, int], float]]:
    """Natural log-probabilities straight from transformers: (span, log p) of every token that has something before it."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(directory)
    model = AutoModelForCausalLM.from_pretrained(directory).train(False)
    encoded = tokenizer(text, return_offsets_mapping=True, add_special_tokens=False)
    ids, spans = list(encoded["input_ids"]), [tuple(pair) for pair in encoded["offset_mapping"]]
    if bos:
        ids = [tokenizer.bos_token_id, *ids]
    with torch.no_grad():
        found = model(torch.tensor([ids])).logits[0].double().log_softmax(-1)
    values = [float(found[place - 1, ids[place]]) for place in range(1, len(ids))]
    return list(zip(spans if bos else spans[1:], values, strict=True))


def logs_from(directory: Path) -> list[float]:
    """The values of the tokens from "amused" on."""
    start = SENTENCE.index("amused")
    return [value for (_, end), value in logs(str(directory), SENTENCE, False) if end > start]


def word_logs(directory: str, bos: bool, start: int, end: int) -> float:
    def first(span: tuple[int, int]) -> int:
        return next(n for n in range(span[0], span[1]) if not SENTENCE[n].isspace())

    return sum(value for span, value in logs(directory, SENTENCE, bos) if start <= first(span) < end)


def test_each_tool_by_its_own_recipe(engine_with: Any, tiny_gpt2: Path) -> None:
    here = str(tiny_gpt2)
    plain = [value for _, value in logs(here, SENTENCE, False)]
    behind_bos = [value for _, value in logs(here, SENTENCE, True)]
    spaced = [value for _, value in logs(here, f" {SENTENCE}", True)]
    wanted = {
        "minicons": sum(plain),
        "minicons-mean": sum(plain) / len(plain),
        "babylm": sum(plain),
        "lm-eval": sum(spaced),
        "lm-eval-norm": sum(spaced) / len(SENTENCE),
        "syntaxgym": -sum(behind_bos) / math.log(2),
        "pangoling": sum(plain),
    }
    assert set(wanted) == set(TOOLS)
    for name, number in wanted.items():
        found = explain(SENTENCE, TOOLS[name], engine_with)
        assert found.ours == pytest.approx(-sum(behind_bos) / math.log(2), abs=1e-4)
        assert found.theirs == pytest.approx(number, abs=1e-4), name


def test_a_word_with_the_mark_behind_it(engine_with: Any, tiny_gpt2: Path) -> None:
    here, start = str(tiny_gpt2), SENTENCE.index("Mary")
    found = explain(SENTENCE, TOOLS["pangoling"], engine_with, word="Mary")
    assert found.ours == pytest.approx(-word_logs(here, True, start, start + 4) / math.log(2), abs=1e-4)
    assert found.theirs == pytest.approx(word_logs(here, False, start, start + 5), abs=1e-4)
    assert [step.what for step in found.steps if not step.same] == ["BOS", "final mark", "base", "sign"]


@pytest.mark.parametrize("tool", list(TOOLS))
def test_the_differences_add_up(engine_with: Any, tool: str) -> None:
    found = explain(SENTENCE, TOOLS[tool], engine_with)
    assert found.ours is not None
    assert found.theirs is not None
    assert sum(step.difference or 0.0 for step in found.steps) == pytest.approx(found.theirs - found.ours, abs=1e-9)
    assert all(step.difference == 0.0 for step in found.steps if step.same)


def test_the_first_word_has_no_number_without_bos(engine_with: Any) -> None:
    found = explain(SENTENCE, TOOLS["minicons"], engine_with, word="The")
    assert found.ours is not None
    assert found.theirs is None
    assert found.reason


@pytest.mark.parametrize(
    ("tool", "word", "says"),
    [
        ("lm-eval", "Mary", "no number for a single word"),
        ("syntaxgym", "Joh", "is not in"),
        ("syntaxgym", "", "is not in"),
    ],
)
def test_what_cannot_be_asked(engine_with: Any, tool: str, word: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        explain(SENTENCE, TOOLS[tool], engine_with, word=word)


def test_our_number_may_be_a_corrected_one(engine_with: Any) -> None:
    plain, corrected = (explain(SENTENCE, TOOLS["syntaxgym"], engine_with, boundary=on) for on in (False, True))
    assert plain.ours == plain.theirs
    assert corrected.theirs == pytest.approx(plain.theirs, abs=1e-4)
    assert corrected.ours != pytest.approx(plain.ours, abs=1e-4)
    assert [step.what for step in corrected.steps if not step.same] == ["word boundary"]


def test_our_number_is_that_of_an_analysis(engine_with: Any, tmp_path: Path) -> None:
    """To the last bit, of the sentence and of its critical region, corrected or not: it is the value of the table."""
    make_workspace(tmp_path)
    with Bank.open(tmp_path / "bank.sqlite", create=True) as bank:
        paradigm = load_paradigm("embedded_wh")
        filling = next(sample(paradigm, 1))
        add_items(bank, paradigm, [NewItem(filling, realise(paradigm, filling))])
        scored = score_selected(bank, engine_with(True), select_texts(bank, ItemFilter(), everything=True), boundary=True)
        [item] = bank.items.iterate()
        table = observe(bank, [item], paradigm, bank.scores.scorer(scored.scorer_id))
    compared = 0
    for sentence in item.sentences:
        critical = paradigm.condition(sentence.condition).critical
        [word] = [sentence.text[own.start : own.end].strip() for own in sentence.regions or () if own.name == critical]
        for boundary in (False, True):
            for asked, place in ((None, SENTENCE_PLACE), (word, CRITICAL_PLACE)):
                found = explain(sentence.text, TOOLS["syntaxgym"], engine_with, word=asked, boundary=boundary)
                column = table.column(sentence.condition, place, MEASURES["sum"], corrected=boundary)
                assert found.ours == column.value[0]
                # The other tool's is ours without the correction, wherever nothing else differs.
                assert found.theirs == table.column(sentence.condition, place, MEASURES["sum"]).value[0]
                compared += 1
    assert compared == 4 * len(item.sentences)


def test_where_we_have_no_number_it_is_said_why(engine_with: Any) -> None:
    class Silent:
        """An engine that says nothing of word boundaries."""

        identity = engine_with(True).identity

        def score(self, requests: Any) -> Any:
            for chunk in engine_with(True).score(requests):
                yield [replace(tokens, boundary=None) for tokens in chunk]

    found = explain(SENTENCE, TOOLS["syntaxgym"], lambda _: cast(Engine, Silent()), boundary=True)
    assert (found.ours, found.ours_reason) == (None, NO_BOUNDARY)
    # Two runs of a model, one of them with boundaries, differ in the rounding of its arithmetic.
    assert found.theirs == pytest.approx(explain(SENTENCE, TOOLS["syntaxgym"], engine_with).ours, rel=1e-6)


@pytest.mark.filterwarnings("ignore")
def test_minicons_prints_that_number(engine_with: Any, tiny_gpt2: Path) -> None:
    scorer: Any = pytest.importorskip("minicons.scorer")
    theirs = scorer.IncrementalLMScorer(str(tiny_gpt2), "cpu")
    found = explain(SENTENCE, TOOLS["minicons"], engine_with)
    assert found.theirs == pytest.approx(theirs.sequence_score([SENTENCE])[0], abs=1e-4)
    [tokens] = theirs.token_score([SENTENCE])
    word = explain(SENTENCE, TOOLS["minicons"], engine_with, word="amused Mary.")
    assert word.theirs == pytest.approx(sum(value for _, value in tokens[-len(logs_from(tiny_gpt2)) :]), abs=1e-4)


def test_the_command(tiny_gpt2: Path) -> None:
    asked = ["explain-number", SENTENCE, "--like", "lm-eval", "--model", str(tiny_gpt2)]
    plain = CliRunner().invoke(app, [*asked, "--against", "Mary amused the story about John."])
    assert plain.exit_code == 0
    assert "leading space" in plain.stdout
    assert "stands first" in " ".join(plain.stdout.split())
    assert "More probable for gapsmith: the " in plain.stdout
    data = results(CliRunner().invoke(app, [*asked, "--json"]).stdout)
    assert data[0]["steps"][0]["what"] == "BOS"
    unknown = CliRunner().invoke(app, ["explain-number", SENTENCE, "--like", "nobody"])
    assert isinstance(unknown.exception, ConfigError)
    assert "pangoling" in unknown.exception.hint
