"""Small sets of awkward shape through the commands: no traceback, and no sentence that is not true of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gapsmith.bank import Bank, ItemFilter, NewItem
from gapsmith.scoring import FrameWish
from gapsmith.scoring.analysis import AUTO, AnalysisOptions, analyze, fit_formula, sentence_frame
from gapsmith.templates import Alignment, RegionSpan, Sentence, Source, parse_paradigm
from tests.making import made_scorer, made_tokens, registered
from tests.scoring.analysing import SCORER, add_items, approve, score

Bits = Callable[[int, str], float]

_REGIONS = "\n".join(f'[[regions]]\nname = "{name}"' for name in ("start", "adverb", "noun", "verb", "crit", "tail"))
_TWO = f"""
name = "odd"
title = "Two conditions"
items = "given"
final_punctuation = ""
[conditions]
a = "first"
b = "second"
{_REGIONS}
[critical]
a = "crit"
b = "crit"
[designs.all]
conditions = "all"
[[contrasts]]
name = "d"
design = "all"
formula = "b - a"
expected = "positive"
"""
_FOUR = (
    _TWO.replace('[conditions]\na = "first"\nb = "second"\n', "")
    .replace(
        '[[regions]]\nname = "start"',
        '[factors.f]\nlevels = { u = "u", v = "v" }\n[factors.g]\nlevels = { x = "x", y = "y" }\n[[regions]]\nname = "start"',
    )
    .replace('a = "crit"\nb = "crit"', 'u_x = "crit"\nu_y = "crit"\nv_x = "crit"\nv_y = "crit"')
    .replace('"b - a"', '"(v_y - v_x) - (u_y - u_x)"')
)
_PAIRS = """
name = "odd"
title = "Pairs"
items = "given"
[conditions]
good = "acceptable"
bad = "unacceptable"
[designs.all]
conditions = "all"
[[criteria]]
name = "lower"
design = "all"
formula = "good@sentence < bad@sentence"
"""


def made(
    folder: Path,
    text: str,
    rows: Sequence[dict[str, str]],
    bits: Bits,
    *,
    models: Sequence[str] = ("m",),
    lacking: Callable[[int, str], bool] = lambda *_: False,
) -> None:
    """A workspace with an item for each row of words by region."""
    (folder / "gapsmith.toml").touch()
    (folder / "paradigms").mkdir()
    file = folder / "paradigms" / "odd.toml"
    file.write_text(text, encoding="utf-8")
    paradigm = parse_paradigm(text, path=str(file))
    items = []
    for number, row in enumerate(rows):
        sentences = []
        for condition in paradigm.conditions:
            if lacking(number, condition.name):
                continue
            words = {"start": condition.name, **row, "crit": "crit", "tail": f"t{number}"}
            at, regions = 0, []
            for name, word in words.items():
                regions.append(RegionSpan(name, at, at + len(word)))
                at += len(word) + 1
            whole = " ".join(words.values())
            sentences.append(Sentence(condition.name, whole, tuple(regions), Source.IMPORTED, Alignment.GIVEN))
        items.append(NewItem(None, tuple(sentences), label=f"{number:03}"))
    with Bank.open(folder / "bank.sqlite", create=True) as bank:
        approve(bank, add_items(bank, paradigm, items))
        for at, model in enumerate(models):
            score(
                bank,
                "odd",
                lambda number, sentence, region, at=at: bits(number + 100 * at, sentence.condition) if region == "crit" else 1.0,  # type: ignore[misc]
                scorer=made_scorer(SCORER, model=model),
            )


def drawn(effect: float = 0.5, size: float = 1.0) -> Bits:
    """Values around an effect in the conditions that end in b or are v_y."""

    def bits(number: int, condition: str) -> float:
        own = np.random.default_rng([number, sum(map(ord, condition))])
        item = np.random.default_rng(number % 100).normal(8, 1)
        return float(size * (item + own.normal(0, 0.5) + effect * (condition in ("b", "v_y"))))

    return bits


def words(n: int) -> list[dict[str, str]]:
    return [{"adverb": f"a{number % 3}", "noun": f"n{number}", "verb": f"v{number % 7}"} for number in range(n)]


def _oneword(folder: Path) -> None:
    made(folder, _TWO, [{**row, "adverb": "soon"} for row in words(24)], drawn())


def _together(folder: Path) -> None:
    made(folder, _TWO, [{**row, "noun": f"n{row['adverb']}"} for row in words(24)], drawn())


def _texts(folder: Path) -> None:
    (folder / "gapsmith.toml").touch()
    (folder / "paradigms").mkdir()
    (folder / "paradigms" / "odd.toml").write_text(_PAIRS, encoding="utf-8")
    paradigm = parse_paradigm(_PAIRS, path=str(folder / "paradigms" / "odd.toml"))
    with Bank.open(folder / "bank.sqlite", create=True) as bank:
        items = [
            NewItem(
                None,
                tuple(
                    Sentence(c.name, f"This {c.name} sentence is {n}.", None, Source.IMPORTED, Alignment.NONE)
                    for c in paradigm.conditions
                ),
                label=str(n),
            )
            for n in range(12)
        ]
        approve(bank, add_items(bank, paradigm, items))
        scorer = registered(bank, SCORER)
        tokens = [
            made_tokens(sentence.text, [(0, len(sentence.text), drawn(1.0)(place, sentence.condition))], None)
            for place, item in enumerate(bank.items.iterate(ItemFilter(paradigm="odd")))
            for sentence in item.sentences
        ]
        bank.scores.add(scorer, tokens)


def _halves(folder: Path) -> None:
    rows = [{**({"adverb": f"a{n % 3}"} if n < 16 else {"noun": f"n{n % 4}"}), "verb": f"v{n % 7}"} for n in range(32)]
    made(folder, _TWO, rows, drawn())


SETS: dict[str, Callable[[Path], None]] = {
    "one word in a slot": _oneword,
    "a slot word by word with another": _together,
    "nothing but texts": _texts,
    "five items": lambda folder: made(folder, _TWO, words(5), drawn()),
    "two halves": _halves,
    "all alike": lambda folder: made(folder, _TWO, words(21), lambda *_: 5.0),
    "1e200": lambda folder: made(folder, _TWO, words(21), drawn(size=1e200)),
    "2 seeds, 7 items": lambda folder: made(folder, _TWO, words(7), drawn(), models=("x-seed1", "x-seed2")),
    "7 seeds, 2 items": lambda folder: made(folder, _TWO, words(2), drawn(), models=[f"x-seed{n}" for n in range(1, 8)]),
    "a cell is missing": lambda folder: made(folder, _FOUR, words(30), drawn(), lacking=lambda n, c: n % 5 == 0 and c == "v_y"),
}


@pytest.mark.full
@pytest.mark.parametrize("name", SETS)
def test_every_command_says_what_it_can(tmp_path: Path, gapsmith: Callable[..., Any], name: str) -> None:
    SETS[name](tmp_path)
    by = ("--by", "model") if "seeds" in name else ()
    for command in (("analyze", *by), ("plan", "freeze", "odd"), ("report", *by), ("power",), ("analyze", "--formula", "auto")):
        outcome = gapsmith(*command)
        said = outcome.out + outcome.err
        assert "Traceback" not in said, command
        assert " nan" not in said.lower(), command
        assert outcome.code == (2 if name == "nothing but texts" and command[-1] in ("power", "auto") else 0), command
        assert max(map(len, said.splitlines())) < 600, command


def test_numbers_beyond_a_table_are_told_by_their_power_of_ten(tmp_path: Path, gapsmith: Callable[..., Any]) -> None:
    SETS["1e200"](tmp_path)
    said = gapsmith("analyze").out
    assert "e+199" in said or "e+200" in said
    assert max(map(len, said.splitlines())) < 120
    # There is no verdict, so it is none of a model.
    assert "the verdict is that of a model" not in said
    assert "too large to compute with" in said
    power = gapsmith("power").out
    assert "too large to compute" in power
    assert "a band" not in power


def test_power_is_not_that_of_criteria(tmp_path: Path, gapsmith: Callable[..., Any]) -> None:
    SETS["nothing but texts"](tmp_path)
    outcome = gapsmith("power")
    assert outcome.code == 2
    assert "power is that of contrasts" in outcome.err
    assert "the contrast is b@sentence - a@sentence" in outcome.err


def test_auto_has_the_conditions_where_no_factor_makes_them(tmp_path: Path) -> None:
    """And gives the effect, df and p of the test of the contrast, words that some items lack among them."""
    SETS["two halves"](tmp_path)
    with Bank.open(tmp_path / "bank.sqlite") as bank:
        fit = fit_formula(AUTO, sentence_frame(bank, ItemFilter(paradigm="odd"), FrameWish()))
        these = analyze(bank, "odd", options=AnalysisOptions(by_region=False)).contrasts[0].words.these
    assert fit.formula.startswith("surprisal ~ condition * (adverb_1 + adverb_2 + noun_1 + noun_2 + noun_3 + with_adverb) + ")
    own = fit.coefficient("condition[a]")
    assert these is not None
    assert (-2 * own.estimate, own.df, own.p) == pytest.approx((these.estimate, these.df, these.p), rel=1e-3)


def test_a_missing_cell_is_no_other_word(tmp_path: Path) -> None:
    """What stands before in each condition is its own, and the items that lack a condition have no other."""
    SETS["a cell is missing"](tmp_path)
    with Bank.open(tmp_path / "bank.sqlite") as bank:
        frame = sentence_frame(bank, ItemFilter(paradigm="odd"), FrameWish())
    assert str(frame.default).startswith("surprisal ~ f_code * g_code * adverb + (")
    assert "start" not in str(frame.default)
