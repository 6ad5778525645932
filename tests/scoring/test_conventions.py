"""Every scoring convention against a plain loop over a model's logits, and at every door that makes numbers."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import math
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from gapsmith.app.cli.app import app
from gapsmith.app.stages.catalogue import STAGES
from gapsmith.app.workspace import make_workspace
from gapsmith.bank import Bank, ItemFilter
from gapsmith.scoring import TOOLS
from gapsmith.scoring.analysis import AnalysisOptions, analyze
from gapsmith.scoring.analysis.posh import evaluate
from gapsmith.scoring.analysis.posh.mapping import SUBCATEGORIES
from gapsmith.scoring.observations import begins_as
from gapsmith.templates import (
    CONVENTIONS,
    GAPSMITH,
    BosPolicy,
    ConfigError,
    GapsmithError,
    find_convention,
    or_equal,
    parse_formula,
)
from tests.parts import first_of
from tests.scoring.conftest import save_tiny_gpt2

PARADIGM = "posh_wanna"


def _run(folder: Path, *order: str, code: int = 0) -> Any:
    done = CliRunner().invoke(app, [*order, "--workspace", str(folder)])
    assert done.exit_code == code, done.output
    return done


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_gpt2(tmp_path_factory.mktemp("tiny"), n_positions=64)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, model: Path) -> Path:
    """Pairs that were scored for all conventions."""
    made = tmp_path_factory.mktemp("conventions")
    make_workspace(made)
    _run(made, "generate", PARADIGM, "-n", "6", "--seed", "1")
    every = [word for name in CONVENTIONS for word in ("--convention", name)]
    _run(made, "score", "--all", "--model", str(model), *every)
    return made


@cache
def _logs(directory: str, text: str, bos: bool) -> list[float]:
    """Natural log-probabilities straight from transformers: of every token that has something before it."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(directory)
    model = AutoModelForCausalLM.from_pretrained(directory).train(False)
    ids = list(tokenizer(text, add_special_tokens=False)["input_ids"])
    ids = [tokenizer.bos_token_id, *ids] if bos else ids
    with torch.no_grad():
        found = model(torch.tensor([ids])).logits[0].double().log_softmax(-1)
    return [float(found[place - 1, ids[place]]) for place in range(1, len(ids))]


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


LOOPS: dict[str, Callable[[str, str], float]] = {
    # The paradigm has a mean by token, and counts what perplexity, its power, says.
    GAPSMITH: lambda here, text: -_mean(_logs(here, text, True)) / math.log(2),
    "minicons": lambda here, text: -sum(_logs(here, text, False)) / math.log(2),
    "minicons-mean": lambda here, text: -_mean(_logs(here, text, False)) / math.log(2),
    "lm-eval": lambda here, text: -sum(_logs(here, f" {text}", True)) / math.log(2),
    "babylm": lambda here, text: -sum(_logs(here, text, False)) / math.log(2),
}
"""What each convention makes of a sentence, by a loop of its own; the acceptable sentence should have the lower number."""


def test_the_list_is_closed_and_every_entry_has_its_source() -> None:
    assert set(CONVENTIONS) == set(LOOPS)
    assert all(own.version and own.file and own.called for own in CONVENTIONS.values())
    assert set(CONVENTIONS) - set(TOOLS) == {GAPSMITH}
    with pytest.raises(ConfigError, match="no scoring convention 'surprisal'"):
        find_convention("surprisal")


@pytest.mark.parametrize("name", list(CONVENTIONS))
def test_numbers_and_choices_are_those_of_a_plain_loop(folder: Path, model: Path, name: str) -> None:
    here, loop = str(model), LOOPS[name]
    with Bank.open(folder / "bank.sqlite") as bank:
        analysis = analyze(bank, PARADIGM, options=AnalysisOptions(all_items=True, convention=name))
        pairs = {
            item.label: {s.condition: s.text for s in item.sentences}
            for item in bank.items.iterate(ItemFilter(paradigm=PARADIGM))
        }
    (margin,) = analysis.contrasts
    (criterion,) = analysis.criteria
    assert margin.contrast.measure == {"minicons-mean": "mean", GAPSMITH: "mean"}.get(name, "sum")
    good, bad = "good", "bad"
    for key, value in margin.values.items():
        texts = pairs[key.label]
        own, other = loop(here, texts[good]), loop(here, texts[bad])
        assert value == pytest.approx(other - own, abs=2e-4, rel=1e-5)
        assert criterion.holds[key] == (own < other)
    assert len(margin.values) == 6


@pytest.mark.parametrize("name", first_of(sorted(CONVENTIONS, key=lambda name: name != "minicons")))
def test_right_answers_by_phenomenon_are_those_of_a_plain_loop(tmp_path: Path, model: Path, name: str) -> None:
    """Pairs of ours of each phenomenon of table 8, counted as the page of POSH-BENCH counts them."""
    make_workspace(tmp_path)
    ours = {own: paradigm for own, (_, paradigm, _) in SUBCATEGORIES.items()}
    for paradigm in ours.values():
        _run(tmp_path, "generate", paradigm, "-n", "3", "--seed", "4")
    _run(tmp_path, "score", "--all", "--model", str(model), "--convention", name)
    loop, ties = LOOPS[name], CONVENTIONS[name].ties == "good"
    with Bank.open(tmp_path / "bank.sqlite") as bank:
        found = evaluate(bank, convention=name)
        counts = {part.name: own.details["correct"] for (_, part), own in found.outcomes.items()}
        for own, paradigm in ours.items():
            right = 0
            for item in bank.items.iterate(ItemFilter(paradigm=paradigm)):
                numbers = {s.condition: loop(str(model), s.text) for s in item.sentences}
                right += numbers["good"] < numbers["bad"] or (ties and numbers["good"] == numbers["bad"])
            assert counts[own] == (right,), own


def test_conventions_that_read_the_same_share_one_run_of_the_model(folder: Path) -> None:
    with Bank.open(folder / "bank.sqlite") as bank:
        scorers = bank.scores.scorers()
        assert [scorer.bos for scorer in scorers] == [BosPolicy.BOS, BosPolicy.NONE, BosPolicy.SPACE]
        serving = {name: [s.bos for s in scorers if begins_as(bank, s, own)] for name, own in CONVENTIONS.items()}
    assert serving == {
        GAPSMITH: ["bos"],
        "minicons": ["none"],
        "minicons-mean": ["none"],
        "lm-eval": ["bos, space"],
        "babylm": ["none"],
    }


def test_what_numbers_hang_on_is_told_of_another_convention_too(folder: Path) -> None:
    """Word boundaries are moved by ours alone; the other ways are tried all the same."""
    said = _run(folder, "analyze", "--all", "-p", PARADIGM, "--sensitivity", "--convention", "minicons").stdout
    assert "all items" in said or "approved" in said
    assert "corrected for word boundaries" not in said
    with Bank.open(folder / "bank.sqlite") as bank:
        spaced = next(one for one in bank.scores.scorers() if one.bos == BosPolicy.SPACE)
        analysis = analyze(bank, PARADIGM, scorer_id=spaced.id, options=AnalysisOptions(all_items=True))
    assert analysis.measured_as("mean") == "mean, a space before"


def test_equal_sentences_are_right_where_the_convention_says_so() -> None:
    own = or_equal(parse_formula("good@sentence < bad@sentence"))
    assert str(own) == "good@sentence < bad@sentence | good@sentence = bad@sentence"
    assert {name for name, one in CONVENTIONS.items() if one.ties == "good"} == {"lm-eval", "babylm"}


def test_what_was_not_scored_is_refused_with_the_command_that_scores_it(tmp_path: Path, model: Path) -> None:
    make_workspace(tmp_path)
    _run(tmp_path, "generate", PARADIGM, "-n", "3", "--seed", "1")
    _run(tmp_path, "score", "--all", "--model", str(model))
    refused = _run(tmp_path, "analyze", "--all", "--convention", "minicons", code=1)
    assert f"gapsmith score --model {model} --all --convention minicons" in refused.exception.hint
    _run(tmp_path, "score", "--all", "--model", str(model), "--convention", "minicons")
    _run(tmp_path, "analyze", "--all", "--convention", "minicons")
    _run(tmp_path, "analyze", "--all", "--convention", "minicons", "--corrected", code=1)
    _run(tmp_path, "score", "--all", "--model", str(model), "--convention", "minicons", "--no-bos", code=1)


def test_a_later_run_without_bos_changes_no_number_of_ours(tmp_path: Path, model: Path) -> None:
    make_workspace(tmp_path)
    _run(tmp_path, "generate", PARADIGM, "-n", "4", "--seed", "1")
    _run(tmp_path, "score", "--all", "--model", str(model))
    before = _run(tmp_path, "study", "posh", "--json").stdout
    _run(tmp_path, "score", "--all", "--model", str(model), "--no-bos")
    after = _run(tmp_path, "study", "posh", "--json")
    assert json.loads(after.stdout) == json.loads(before)
    assert "newest" not in after.output
    other = json.loads(_run(tmp_path, "study", "posh", "--convention", "minicons-mean", "--json").stdout)
    assert other != json.loads(before)
    page = (tmp_path / "posh" / "posh.md").read_text(encoding="utf-8")
    assert "Right by mean log-probability, convention minicons-mean" in page
    assert "Where the scoring convention decides" in page


def test_a_tokenizer_that_begins_every_text_itself_is_taken_as_it_comes(tmp_path: Path, model: Path) -> None:
    """Other programs take what the tokenizer gives, which may have a BOS token."""
    from tokenizers.processors import TemplateProcessing
    from transformers import AutoTokenizer

    own = save_tiny_gpt2(tmp_path / "own", n_positions=64)
    tokenizer = AutoTokenizer.from_pretrained(own)
    begin = (tokenizer.bos_token, tokenizer.bos_token_id)
    tokenizer.backend_tokenizer.post_processor = TemplateProcessing(single=f"{begin[0]} $A", special_tokens=[begin])
    tokenizer.save_pretrained(own)
    room = tmp_path / "room"
    make_workspace(room)
    _run(room, "generate", PARADIGM, "-n", "3", "--seed", "1")
    done = _run(room, "score", "--all", "--model", str(own), "--convention", "minicons")
    assert "puts a BOS token before every text unasked" in " ".join(done.output.split())
    with Bank.open(room / "bank.sqlite") as bank:
        (scorer,) = bank.scores.scorers()
        assert scorer.bos == "bos"
        analysis = analyze(bank, PARADIGM, options=AnalysisOptions(all_items=True, convention="minicons"))
        texts = [{s.condition: s.text for s in item.sentences} for item in bank.items.iterate(ItemFilter(paradigm=PARADIGM))]
    (margin,) = analysis.contrasts
    good, bad = "good", "bad"
    wanted = [(sum(_logs(str(own), one[good], True)) - sum(_logs(str(own), one[bad], True))) / math.log(2) for one in texts]
    assert list(margin.values.values()) == pytest.approx(wanted, abs=2e-4)


def _measures(text: str) -> set[str]:
    return {row["measure"] for row in csv.DictReader(io.StringIO(text)) if row.get("measure")}


def test_tables_of_numbers_name_the_convention(folder: Path) -> None:
    for kind in ("long", "tests", "items", "conditions"):
        said = _measures(_run(folder, "export", kind, "--all", "-p", PARADIGM, "--convention", "babylm").stdout)
        assert said, kind
        assert all(name.endswith(", babylm") for name in said), (kind, said)
    page = _run(folder, "report", "--all", "--convention", "minicons", "-o", str(folder / "rep"))
    assert page.exit_code == 0
    text = (folder / "rep" / "report.md").read_text(encoding="utf-8")
    assert find_convention("minicons").title in text


def test_every_stage_that_measures_takes_a_convention() -> None:
    """A stage whose request has a measure, or that tests what models say, has the option; what has none is named with its reason."""
    without = {
        "judge results": "people's ratings",
    }
    for name, stage in STAGES.items():
        fields = {own.name for own in dataclasses.fields(stage.request_type())}
        if (
            "measure" in fields
            or "scorer" in fields
            or name in ("licensing", "posh", "power", "context study", "reproduce", "score")
        ):
            assert "convention" in fields or name in without, name
    assert all(name in STAGES for name in without), without


@pytest.mark.parametrize("study", ["constructions2022", "context2023", "gaps2025", "posh2026", "quality2025"])
def test_every_study_names_its_convention_and_can_switch_it(study: str) -> None:
    from gapsmith.app.stages.study_steps import steps_of
    from gapsmith.app.studies import load_study

    ours = load_study(study)
    assert "convention" in ours.model_fields_set
    other = ours.model_copy(update={"convention": "babylm"})
    given = [getattr(step.request, "convention", None) for step in steps_of(other, "folder", ["bundled"])]
    of_each = [said for said in given if said is not None]
    assert all("babylm" in said or ours.beside in said for said in of_each)
    # What is asked by the convention beside it is asked by its own, too.
    assert sum("babylm" in said for said in of_each) >= sum("babylm" not in said for said in of_each)


def test_nothing_is_scored_and_none_fits(tmp_path: Path) -> None:
    make_workspace(tmp_path)
    _run(tmp_path, "generate", PARADIGM, "-n", "3", "--seed", "1")
    with Bank.open(tmp_path / "bank.sqlite") as bank, pytest.raises(GapsmithError, match="has been scored"):
        analyze(bank, PARADIGM, options=AnalysisOptions(all_items=True, convention="minicons"))


def test_the_page_has_every_convention_as_it_is() -> None:
    """The table of docs/other-tools.md against the list."""
    page = (Path(__file__).parents[2] / "docs" / "other-tools.md").read_text(encoding="utf-8")
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page.splitlines() if line.startswith("| `")]
    rows = {own[0].strip("`"): own for own in cells if own[0].strip("`") in CONVENTIONS}
    assert set(rows) == set(CONVENTIONS)
    before = {BosPolicy.BOS: "one BOS token", BosPolicy.NONE: "nothing", BosPolicy.SPACE: "one BOS token and a space"}
    whole = {None: "what the paradigm says", "sum": "the sum", "mean": "the mean over the tokens that are left"}
    for name, own in CONVENTIONS.items():
        first = "left out" if own.leaves_out_first else "counts"
        ties = "the good one" if own.ties == "good" else "neither is preferred"
        assert rows[name][1:5] == [before[own.beginning], first, whole[own.whole], ties], name
