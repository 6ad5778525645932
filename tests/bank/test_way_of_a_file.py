"""The four steps of a file's way into the bank: each way to a paradigm, who is asked, and what is made before anything is kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from gapsmith.bank import Bank, Brought, ImportOrder, ImportPlace, ImportServices, ParadigmChoice, bring_in
from gapsmith.bank.choosing import ParadigmOrigin
from gapsmith.bank.formats import ForeignSet, OrderUnknownError, ReadOptions, UndecidedError
from gapsmith.templates import ConfigError, FormatError, load_paradigm, realise, sample

CELLS = "item,condition,sentence\n1,a,One came.\n1,b,One come.\n2,a,Two came.\n2,b,Two come.\n"
PAIRS = "The keys is here.\nThe keys are here.\n"


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def slot_lines(n: int, **more: str) -> str:
    drawn = islice(sample(load_paradigm("subject_pg"), 1), n)
    return "".join(
        json.dumps({"item": str(number), "slots": dict(slots), **more}) + "\n" for number, slots in enumerate(drawn, 1)
    )


def test_each_way_to_a_paradigm_is_taken_where_those_before_it_lead_to_none(tmp_path: Path) -> None:
    cells = written(tmp_path / "cells.csv", CELLS)
    alike = written(tmp_path / "alike.csv", CELLS.replace("came", "went").replace("come", "go"))
    one, two = (written(tmp_path / f"{name}.txt", PAIRS.replace("keys", name)) for name in ("cups", "pans"))
    bad_first = ReadOptions(first="bad")
    words = written(tmp_path / "words.jsonl", slot_lines(3))
    column = written(tmp_path / "column.jsonl", slot_lines(3, sentence_type="subject_pg"))
    orders = [
        (ImportOrder(cells), ParadigmOrigin.DRAFTED),
        (ImportOrder(cells, dataset="again"), ParadigmOrigin.AS_BEFORE),
        (ImportOrder(cells, dataset="again", update=True), ParadigmOrigin.BOUND),
        (ImportOrder(cells, "cells", dataset="named", update=True), ParadigmOrigin.NAMED),
        (ImportOrder(alike), ParadigmOrigin.DRAFTED),
        (ImportOrder(one, options=bad_first), ParadigmOrigin.DRAFTED),
        (ImportOrder(two, options=bad_first), ParadigmOrigin.AS_PAIRS),
        (ImportOrder(words), ParadigmOrigin.BY_WORDS),
        (ImportOrder(column), ParadigmOrigin.IN_COLUMN),
    ]
    with Bank.open(tmp_path / "bank.sqlite", create=True) as bank:
        done: list[tuple[Brought, ParadigmOrigin]] = [
            (bring_in(ImportPlace.of(tmp_path, bank), order), way) for order, way in orders
        ]
        assert list(bank.faults()) == []
    assert [brought.choice.way for brought, _ in done] == [way for _, way in done]
    assert {way for _, way in orders} == set(ParadigmOrigin)
    for brought, way in done:
        assert (brought.choice.drafted is not None) == (way is ParadigmOrigin.DRAFTED)
        assert len(brought.choice.items) == len(brought.found.items)


def place_to_be(folder: Path, made: list[str]) -> ImportPlace:
    @contextmanager
    def there() -> Iterator[Bank | None]:
        yield None

    @contextmanager
    def bank() -> Iterator[Bank]:
        made.append("bank")
        with Bank.open(folder / "bank.sqlite", create=True) as opened:
            yield opened

    return ImportPlace(folder, there, bank)


def test_what_is_found_out_is_told_in_order_and_the_bank_is_made_last(tmp_path: Path) -> None:
    happened: list[str] = []

    def shaped(found: ForeignSet) -> None:
        happened.append(f"{found.shape} of {len(found.items)}")

    def chosen(choice: ParadigmChoice) -> None:
        happened.append(f"{choice.way} {choice.fit.paradigm.name}")

    services = ImportServices(on_shape=shaped, on_choice=chosen)
    bring_in(place_to_be(tmp_path, happened), ImportOrder(written(tmp_path / "cells.csv", CELLS)), services)
    assert happened == ["csv of 2", "drafted cells", "bank"]


def test_the_answer_to_a_question_is_kept_with_the_import_and_without_one_nothing_is_made(tmp_path: Path) -> None:
    order = ImportOrder(written(tmp_path / "pairs.txt", PAIRS))
    made: list[str] = []
    place = place_to_be(tmp_path, made)
    with pytest.raises(OrderUnknownError):
        bring_in(place, order)
    assert (made, (tmp_path / "paradigms").exists()) == ([], False)
    brought = bring_in(place, order, ImportServices(ask=lambda unknown, _: unknown.answers[1]))
    assert [s.text for s in brought.found.items[0].sentences] == ["The keys are here.", "The keys is here."]
    assert brought.imported.run is not None
    assert brought.imported.run.parameters["first"] == "bad"
    with pytest.raises(FormatError, match="has no condition"):
        bring_in(place, replace(order, paradigm="subject_pg", options=ReadOptions(first="bad")))
    assert made == ["bank"]


def _half_read(folder: Path, odd: int, items: int = 4) -> Path:
    """Items of subject_pg as a table without `sentence_type`; in the last `odd` of them one sentence is another one."""
    paradigm = load_paradigm("subject_pg")
    rows = ["item,condition,sentence"]
    for number, slots in enumerate(islice(sample(paradigm, 1), items), 1):
        for place, sentence in enumerate(realise(paradigm, slots)):
            text = f"{sentence.text[:-1]} again ." if number > items - odd and not place else sentence.text
            rows.append(f'{number},{sentence.condition},"{text}"')
    return written(folder / "read.csv", "\n".join(rows) + "\n")


def test_words_decide_only_where_all_items_read_as_sentences_of_one_paradigm(tmp_path: Path) -> None:
    with Bank.open(tmp_path / "bank.sqlite", create=True) as bank:
        place = ImportPlace.of(tmp_path, bank)
        sure = bring_in(place, ImportOrder(_half_read(tmp_path, 0), dataset="sure"))
        assert (sure.choice.way, sure.paradigm.name) == (ParadigmOrigin.BY_WORDS, "subject_pg")
        odd = _half_read(tmp_path, 1)
        with pytest.raises(UndecidedError, match="3 of 4 items read as sentences of it") as asked:
            bring_in(place, ImportOrder(odd))
        assert f"gapsmith import {odd} --paradigm subject_pg " in asked.value.hint
        assert f"gapsmith import {odd} --own-paradigm " in asked.value.hint
        assert [dataset.name for dataset in bank.datasets.all()] == ["sure"]
        said = bring_in(place, ImportOrder(odd, "subject_pg", dataset="said"))
        assert (said.paradigm.name, len(said.unread)) == ("subject_pg", 1)
        own = bring_in(place, ImportOrder(odd, own_paradigm=True, dataset="own"))
        assert own.choice.way is ParadigmOrigin.DRAFTED

        def answered(word: str) -> ImportServices:
            return ImportServices(ask=lambda asked, _: next(one for one in asked.answers if one.word == word))

        chosen = bring_in(place, ImportOrder(odd, dataset="chosen"), answered("subject_pg"))
        assert chosen.choice.way is ParadigmOrigin.NAMED
        with pytest.raises(ConfigError, match="and of no paradigm that is here"):
            bring_in(place, ImportOrder(odd, "subject_pg", own_paradigm=True))


def test_an_odd_item_after_many_that_read_is_asked_about_too(tmp_path: Path) -> None:
    with Bank.open(tmp_path / "bank.sqlite", create=True) as bank:
        with pytest.raises(UndecidedError, match="44 of 45 items read as sentences of it"):
            bring_in(ImportPlace.of(tmp_path, bank), ImportOrder(_half_read(tmp_path, 1, 45)))
        assert bank.datasets.all() == []


def test_several_paradigms_that_make_the_sentences_are_asked_for(tmp_path: Path) -> None:
    shipped = Path(load_paradigm("subject_pg").path).read_text(encoding="utf-8")
    (tmp_path / "paradigms").mkdir()
    written(tmp_path / "paradigms" / "mine.toml", shipped.replace('name = "subject_pg"', 'name = "mine"', 1))
    with (
        Bank.open(tmp_path / "bank.sqlite", create=True) as bank,
        pytest.raises(UndecidedError, match="several paradigms make its sentences") as asked,
    ):
        bring_in(ImportPlace.of(tmp_path, bank), ImportOrder(_half_read(tmp_path, 0)))
    assert [answer.options.get("paradigm") for answer in asked.value.answers] == ["mine", "subject_pg", None]
