"""Files that hold items in a shape of their own: sheets of a workbook, alternatives within sentences, words parted by blank rows, labels
of which nothing says which is good. Nothing is decided silently: the first command that is printed takes them, and takes them right."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook

from gapsmith.bank.formats import ForeignSet, ReadOptions, SourceFile, UndecidedError, read_foreign, written
from gapsmith.templates import FormatError
from tests.bank.test_shapes_of_strangers import ITEMS, LABELS, NUMBERED, commands, said

NOUNS = (("key", "cabinets", "rusty"), ("label", "bottles", "old"), ("picture", "walls", "faded"), ("report", "crimes", "long"))
PAIRS = [(f"The {one} to the {many} was {last}.", f"The {one} to the {many} were {last}.") for one, many, last in NOUNS]
AGREEMENT = sorted(PAIRS)
GAPS = sorted(ITEMS)
Rows = Sequence[Sequence[object]]


def agreed(form: str) -> list[str]:
    return [form.format(*nouns) for nouns in NOUNS]


def lines(texts: Sequence[str], head: str = "") -> str:
    return head + "".join(f"{text}\n" for text in texts)


def numbered(form: str, head: str) -> str:
    return lines([f"{n},{text}" for n, text in enumerate(agreed(form), 1)], head)


def put(folder: Path, name: str, content: Any) -> Path:
    path = folder / name
    if isinstance(content, Mapping) and name.endswith(".xlsx"):
        book = Workbook()
        first = book.active
        assert first is not None
        book.remove(first)
        for sheet, rows in content.items():
            page = book.create_sheet(sheet)
            for row in rows:
                page.append(list(row))
        book.save(path)
    elif isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def asked(path: Path, options: ReadOptions | None = None) -> UndecidedError:
    with pytest.raises(UndecidedError) as caught:
        read_foreign(SourceFile(path, options or ReadOptions()))
    return caught.value


def taken(path: Path, number: int = 0) -> ForeignSet:
    """What the file is with one of the commands that are printed."""
    options, format = said(commands(asked(path))[number])
    return read_foreign(SourceFile(path, options), format=format)


def texts(found: ForeignSet) -> list[tuple[str, ...]]:
    """The sentences of each item in the order of the conditions."""
    order = list(found.conditions)
    return sorted(tuple(s.text for s in sorted(item.sentences, key=lambda s: order.index(s.condition))) for item in found.items)


# ---- sheets


def sheet(k: int, head: Sequence[str] = ("Item", "Sentence")) -> Rows:
    return [head, *([n, item[k]] for n, item in NUMBERED)]


SHEETS: dict[str, dict[str, Rows]] = {
    "conditions.xlsx": {label: sheet(k) for k, label in enumerate(LABELS)},
    "other_words.xlsx": {"README": [["Ask us."]], **{label: sheet(k, ("nr", "Satz")) for k, label in enumerate(LABELS)}},
    "sentences_only.xlsx": {label: [row[1:] for row in sheet(k)] for k, label in enumerate(LABELS)},
    "no_headings.xlsx": {label: sheet(k)[1:] for k, label in enumerate(LABELS)},
    "other_order.xlsx": {label: sheet(k) if k else [row[::-1] for row in sheet(k)] for k, label in enumerate(LABELS)},
    "under_titles.xlsx": {label: [[f"Condition {label}"], *sheet(k)] for k, label in enumerate(LABELS)},
    "with_fillers.xlsx": {
        **{label: sheet(k) for k, label in enumerate(LABELS)},
        "Fillers": [("Item", "Sentence"), (1, "Nobody slept."), (2, "It rained all day.")],
    },
}


@pytest.mark.parametrize("name", SHEETS)
def test_a_sheet_per_condition_is_taken_with_the_first_command(tmp_path: Path, name: str) -> None:
    found = taken(put(tmp_path, name, SHEETS[name]))
    assert found.conditions == LABELS
    assert texts(found) == GAPS


def test_sheets_of_lists_are_items_with_all_their_conditions(tmp_path: Path) -> None:
    def shown(one: int) -> Rows:
        return [("item", "cond", "text"), *((n, LABELS[(n + one) % 4], item[(n + one) % 4]) for n, item in NUMBERED)]

    found = taken(put(tmp_path, "lists.xlsx", {f"List {one}": shown(one) for one in range(1, 5)}))
    assert {s.condition: s.text for s in found.items[0].sentences} == dict(zip(LABELS, ITEMS[0], strict=True))
    assert len(found.items) == len(ITEMS)


def test_items_of_two_experiments_are_never_made_one(tmp_path: Path) -> None:
    def experiment(pairs: Sequence[tuple[str, str]]) -> Rows:
        rows = [(n, name, text) for n, pair in enumerate(pairs, 1) for name, text in zip(("sg", "pl"), pair, strict=True)]
        return [("item", "condition", "sentence"), *rows]

    path = put(tmp_path, "both.xlsx", {"Exp 1": experiment(PAIRS[:2]), "Exp 2": experiment(PAIRS[2:])})
    assert texts(taken(path)) == AGREEMENT
    assert not any("--condition-column" in command for command in commands(asked(path)))
    other = [("item", "condition", "sentence"), *((n, label, item[k]) for n, item in NUMBERED for k, label in enumerate(LABELS))]
    apart = put(tmp_path, "other.xlsx", {"Exp 1": experiment(PAIRS), "Exp 2": other})
    assert [texts(taken(apart, n)) for n in range(2)] == [AGREEMENT, GAPS]


def test_sheets_with_other_columns_are_refused_by_name(tmp_path: Path) -> None:
    path = put(tmp_path, "odd.xlsx", {"a": sheet(0), "b": [["x", "y", "z"], [1, 2, 3]]})
    with pytest.raises(FormatError, match="the sheets a and b have other columns"):
        read_foreign(SourceFile(path, ReadOptions(sheets=("a", "b"))))


# ---- alternatives

ALTERNATIVES = {
    "starred.txt": lines(agreed("The {0} to the {1} was/*were {2}.")),
    "starred_apart.txt": lines(agreed("The {0} to the {1} was / *were {2}.")),
    "braces.txt": lines(agreed("The {0} to the {1} {{was|were}} {2}.")),
    "listed.txt": lines(agreed("The {0} to the {1} {{was, were}} {2}.")),
    "numbers.txt": lines([f"({n}) {text}" for n, text in enumerate(agreed("The {0} to the {1} (was/were) {2}."), 1)]),
    "brackets.csv": numbered("The {0} to the {1} [was / were] {2}.", "Nr,Satz\n"),
    "bare.csv": numbered("The {0} to the {1} was/were {2}.", "item,sentence\n"),
    "starred.csv": numbered("The {0} to the {1} {{was/*were}} {2}.", "id,text\n"),
    "sentences.csv": lines(agreed("The {0} to the {1} (was/*were) {2}."), "sentence\n"),
    "records.jsonl": lines(
        [json.dumps({"id": n, "text": t}) for n, t in enumerate(agreed("The {0} to the {1} {{was|were}} {2}."))]
    ),
}


@pytest.mark.parametrize("name", ALTERNATIVES)
def test_alternatives_within_sentences_are_conditions_if_somebody_says_so(tmp_path: Path, name: str) -> None:
    found = taken(put(tmp_path, name, ALTERNATIVES[name]))
    assert found.conditions == ("was", "were")
    assert texts(found) == AGREEMENT
    assert found.expected == ({"was": "ok", "were": "*"} if "*" in ALTERNATIVES[name] else {})


def test_alternatives_of_several_places_are_crossed_or_go_together(tmp_path: Path) -> None:
    path = put(tmp_path, "two.csv", numbered("The {0}/{0}s to the {1} was/were {2}.", "item,sentence\n"))
    crossed, together = taken(path, 0), taken(path, 1)
    assert [s.text.split(" to ")[0] for s in crossed.items[0].sentences] == ["The key", "The key", "The keys", "The keys"]
    assert len(crossed.conditions) == 4
    assert [s.text for s in together.items[0].sentences] == [
        "The key to the cabinets was rusty.",
        "The keys to the cabinets were rusty.",
    ]


def test_alternatives_cross_with_the_condition_of_their_row(tmp_path: Path) -> None:
    rows = "".join(
        f"{n},{c},The {o} {p} was/*were {a}.\n"
        for n, (o, m, a) in enumerate(NOUNS)
        for c, p in (("far", f"to the {m}"), ("no", "here"))
    )
    found = taken(put(tmp_path, "attraction.csv", f"item,condition,sentence\n{rows}"))
    assert found.conditions == ("far was", "far were", "no was", "no were")
    assert [found.expected[name] for name in found.conditions] == ["ok", "*", "ok", "*"]


def test_words_that_differ_from_sentence_to_sentence_are_good_and_bad_by_their_star(tmp_path: Path) -> None:
    path = put(tmp_path, "verbs.txt", "The dogs bark/*barks at us.\nThe cat *sleep/sleeps at home.\nMy friends go/*goes out.\n")
    found = taken(path)
    assert [(s.condition, s.text) for s in found.items[1].sentences] == [
        ("bad", "The cat sleep at home."),
        ("good", "The cat sleeps at home."),
    ]


@pytest.mark.parametrize(
    "form", ["The {0} / to the {1} / {3} / {2}.", "The {0} to the {1} {3} {2} and/or dusty.", "The {0}/to the {1}/{3} so/{2}."]
)
def test_a_slash_that_parts_regions_is_no_alternative(tmp_path: Path, form: str) -> None:
    rows = [f"{n},{verb},{form.format(*nouns, verb)}" for n, nouns in enumerate(NOUNS) for verb in ("was", "were")]
    path = put(tmp_path, "regions.csv", lines(rows, "item,condition,sentence\n"))
    found = read_foreign(SourceFile(path, ReadOptions(region_mark="/") if form.startswith("The {0}/") else ReadOptions()))
    assert found.conditions == ("was", "were")
    assert found.items[0].sentences[0].text.startswith("The key to the cabinets was ")


# ---- words


def words(item: Sequence[str], row: str, blank: str) -> str:
    return blank.join(
        "".join(f"{row.format(w, n, LABELS[k])}\n" for n, w in enumerate(text.split(), 1)) for k, text in enumerate(item)
    )


WORDS = {
    "sentences.csv": "condition,number,word\n" + ",,\n".join(words(item, "{2},{1},{0}", ",,\n") for item in ITEMS),
    "two.tsv": "Word\tCond\n" + "\n".join(words(item, "{0}\t{2}", "\n") for item in ITEMS),
    "items.csv": "word;pos;condition\n" + "\n".join(words(item, "{0};{1};{2}", "") for item in ITEMS),
    "book.xlsx": {
        "data": [
            ("Cond", "Word"),
            *(
                row
                for item in ITEMS
                for k, text in enumerate(item)
                for row in [*((LABELS[k], w) for w in text.split()), (None, None)]
            ),
        ]
    },
}


@pytest.mark.parametrize("name", WORDS)
def test_blank_rows_between_words_part_sentences_or_items(tmp_path: Path, name: str) -> None:
    found = taken(put(tmp_path, name, WORDS[name]))
    assert found.conditions == LABELS
    assert texts(found) == GAPS
    assert all(s.regions for item in found.items for s in item.sentences)


def test_pairs_of_sentences_between_blank_rows_need_no_condition(tmp_path: Path) -> None:
    pairs = [text for pair in PAIRS for text in pair]
    rows = ";\n".join("".join(f"{word};{n}\n" for n, word in enumerate(text.split(), 1)) for text in pairs)
    found = taken(put(tmp_path, "pairs.csv", f"word;region\n{rows}"))
    assert texts(found) == AGREEMENT
    for format in (None, "csv"):
        again = put(tmp_path, "again.csv", written(found, format).content)
        assert texts(read_foreign(SourceFile(again))) == AGREEMENT


# ---- what is good

GOOD = {
    "label.csv": (
        lines([f"{text},{k}" for pair in PAIRS for k, text in zip((1, 0), pair, strict=True)], "sentence,label\n"),
        "label=1",
    ),
    "items.csv": (
        lines(
            [f"{n},{text},{k}" for n, pair in enumerate(PAIRS) for k, text in zip("10", pair, strict=True)],
            "item,sentence,Gold\n",
        ),
        "Gold=1",
    ),
    "violation.csv": (
        lines(
            [f"{n},{t},{k}" for n, pair in enumerate(PAIRS) for k, t in zip("01", pair, strict=True)], "item,sentence,violation\n"
        ),
        "violation=0",
    ),
    "beside.csv": (
        lines(
            [f"{n},{c},{t},{k}" for n, pair in enumerate(PAIRS) for c, t, k in zip(("sg", "pl"), pair, "TF", strict=True)],
            "item,condition,sentence,target\n",
        ),
        "target=F",
    ),
    "records.jsonl": (
        lines([json.dumps({"text": t, "label": k}) for pair in PAIRS for k, t in zip((1, 0), pair, strict=True)]),
        "label=1",
    ),
}


@pytest.mark.parametrize("name", GOOD)
def test_which_value_is_good_is_asked_where_nothing_says_it(tmp_path: Path, name: str) -> None:
    content, value = GOOD[name]
    path = put(tmp_path, name, content)
    ways = [said(command)[0].good for command in commands(asked(path))]
    # What names a fault says by itself that 0 is none.
    assert len(ways) == (1 if name == "violation.csv" else 2)
    assert (value,) in ways
    for number, way in enumerate(ways):
        found = taken(path, number)
        status = [(found.expected[s.condition], " was " in s.text) for item in found.items for s in item.sentences]
        assert all((said_of == "ok") == (is_first == (way == (value,))) for said_of, is_first in status) or name == "beside.csv"
    with pytest.raises(FormatError, match="has no column for --good"):
        read_foreign(SourceFile(path, ReadOptions(**{**said(commands(asked(path))[0])[0].said(), "good": ("colour=red",)})))


@pytest.mark.parametrize(
    ("name", "value"), [("grammatical", "1"), ("Acceptability", "acceptable"), ("judgement", "good"), ("acceptable", "TRUE")]
)
def test_a_heading_or_word_that_leaves_no_doubt_is_not_asked_about(tmp_path: Path, name: str, value: str) -> None:
    other = {"1": "0", "acceptable": "unacceptable", "good": "bad", "TRUE": "FALSE"}[value]
    rows = [
        f"{n},{c},{t},{k}" for n, pair in enumerate(PAIRS) for c, t, k in zip(("sg", "pl"), pair, (value, other), strict=True)
    ]
    found = read_foreign(SourceFile(put(tmp_path, "said.csv", lines(rows, f"item,condition,sentence,{name}\n"))))
    assert found.expected == {"sg": "ok", "pl": "*"}


def test_a_column_may_say_row_by_row_which_of_two_sentences_is_good(tmp_path: Path) -> None:
    rows = [f"{one},{other},0" if n % 2 else f"{other},{one},1" for n, (one, other) in enumerate(PAIRS)]
    path = put(tmp_path, "either.csv", lines(rows, "sentence1,sentence2,label\n"))
    found = taken(path)
    assert texts(found) == AGREEMENT
    assert found.expected == {"good": "ok", "bad": "*"}
    assert texts(taken(path, 1)) == sorted(pair[::-1] for pair in PAIRS)


def test_labels_that_are_words_say_what_is_expected(tmp_path: Path) -> None:
    rows = [f"{n},{c},{t}" for n, pair in enumerate(PAIRS) for c, t in zip(("Acceptable", "Unacceptable"), pair, strict=True)]
    found = read_foreign(SourceFile(put(tmp_path, "words.csv", lines(rows, "item,condition,sentence\n"))))
    assert found.expected == {"Acceptable": "ok", "Unacceptable": "*"}


# ---- JSON, encodings, LaTeX, scripts

SHOWN = [{"item": n, "condition": label, "sentence": item[k]} for n, item in NUMBERED for k, label in enumerate(LABELS)]
TOLD = [{"uid": n, "sentence_good": good, "sentence_bad": bad} for n, (good, bad) in enumerate(PAIRS)]
SERVED: dict[str, Any] = {
    "served.json": {
        "features": [{"feature_idx": n, "name": name} for n, name in enumerate(SHOWN[0])],
        "rows": [{"row_idx": n, "row": row, "truncated_cells": []} for n, row in enumerate(SHOWN)],
        "num_rows_total": len(SHOWN),
        "partial": False,
    },
    "frame.json": {name: {str(n): row[name] for n, row in enumerate(SHOWN)} for name in SHOWN[0]},
    "split.json": {"columns": list(SHOWN[0]), "index": list(range(len(SHOWN))), "data": [list(row.values()) for row in SHOWN]},
    "index.json": {str(n): row for n, row in enumerate(SHOWN)},
    "header.jsonl": lines([json.dumps(row) for row in [{"name": "gaps", "version": 2, "licence": "free"}, *SHOWN]]),
    "bare.txt": "[\n"
    + lines([f"  {{item: {r['item']}, condition: '{r['condition']}', sentence: \"{r['sentence']}\"}}," for r in SHOWN])
    + "]\n",
    "utf16.csv": b"\xff\xfe"
    + lines([",".join(map(str, r.values())) for r in SHOWN], "item,condition,sentence\n").encode("utf-16-le"),
    "utf32.csv": lines([",".join(map(str, r.values())) for r in SHOWN], "item,condition,sentence\n").encode("utf-32"),
    "gb4e.tex": "\\begin{exe}\n"
    + "".join(
        f"\\ex\\label{{ex:{n}}} % an item\n\\begin{{xlist}}\n" + "".join(f"\\ex[]{{{t}}}\n" for t in item) + "\\end{xlist}\n"
        for n, item in NUMBERED
    )
    + "\\end{exe}\n",
    "linguex.tex": "".join(
        "\\ex. "
        + "".join(f"\\{'abcd'[k]}.\\label{{{n}{k}}} {t.replace('what', chr(92) + 'textit{what}')}\n" for k, t in enumerate(item))
        + "\n"
        for n, item in NUMBERED
    ),
    "tabular.tex": "\\begin{tabular}{l l p{5cm}}\n\\toprule\nItem & Cond & Sentence \\\\ \\midrule\n"
    + "".join(
        f"{n} & {label.replace('_', chr(92) + '_')} & {item[k]} \\\\\n" for n, item in NUMBERED for k, label in enumerate(LABELS)
    )
    + "\\bottomrule\n\\end{tabular}\n",
    "ibex.js": 'var shuffleSequence = seq("intro", randomize(anyOf("a")));\nvar defaults = ["DashedSentence", {mode: "speeded"}];\n'
    "var items = [\n"
    '["sep", "Separator", {transfer: 1000, ignoreFailure: true}], // between\n'
    + "".join(
        f"[['{label}', [{n}, 1]], \"DashedSentence\", {{s: \"{item[k]}\"}}, Question, {{q: 'Did it?'}}],\n"
        for n, item in NUMBERED
        for k, label in enumerate(LABELS)
    )
    + "];\n",
    "fragment.txt": lines(
        [f'[["{label}", {n}], DS, {{s: "{item[k]}"}}],' for n, item in NUMBERED for k, label in enumerate(LABELS)]
    ),
    "inline.js": "AddTable('items', `group,item,condition,sentence\n"
    + lines([f"{'ABCD'[(n + k) % 4]},{n},{label},{item[k]}" for n, item in NUMBERED for k, label in enumerate(LABELS)])
    + "`)\nTemplate('items', row => newTrial(row.condition))\n",
}


@pytest.mark.parametrize("name", SERVED)
def test_what_programs_write_comes_in_as_it_is(tmp_path: Path, name: str) -> None:
    found = read_foreign(SourceFile(put(tmp_path, name, SERVED[name])))
    assert texts(found) == GAPS
    assert len(found.conditions) == len(LABELS)


def test_questions_of_a_script_stay_with_their_sentences_and_fillers_are_asked_about(tmp_path: Path) -> None:
    script = SERVED["ibex.js"].replace("];\n", '["f1", "DashedSentence", {s: "Nobody slept at all."}],\n];\n')
    found = taken(put(tmp_path, "with_fillers.js", script))
    assert texts(found) == GAPS
    assert found.items[0].attributes.get("question", found.items[0].sentences[0].attributes.get("question")) == "Did it?"


def test_a_script_without_items_names_the_table_that_has_them(tmp_path: Path) -> None:
    (tmp_path / "chunk_includes").mkdir()
    put(tmp_path, "chunk_includes/items.csv", SERVED["utf32.csv"].decode("utf-32"))
    path = put(tmp_path, "main.js", 'PennController.ResetPrefix(null)\nTemplate("items.csv", row => newTrial("x"))\n')
    with pytest.raises(FormatError, match="reads its items from items") as caught:
        read_foreign(SourceFile(path))
    assert texts(read_foreign(SourceFile(Path(commands(caught.value)[0].split()[2])))) == GAPS


def test_marks_in_latex_say_what_is_expected(tmp_path: Path) -> None:
    text = "".join(f"\\ex. \\a. {good}\\\\\n\\b. *{bad}\\hfill (Ross 1967)\n\n" for good, bad in PAIRS)
    found = read_foreign(SourceFile(put(tmp_path, "pairs.tex", text)))
    assert texts(found) == AGREEMENT
    assert found.expected == {"a": "ok", "b": "*"}
    alone = "\\begin{exe}\n" + "".join(f"\\ex {good}\n\\ex[*]{{{bad}}}\n" for good, bad in PAIRS) + "\\end{exe}\n"
    assert texts(read_foreign(SourceFile(put(tmp_path, "alone.tex", alone)))) == AGREEMENT


def test_letters_with_accents_and_indices_in_latex(tmp_path: Path) -> None:
    first = "\\a. Le gar\\c{c}on$_i$ a \\'et\\'e vu~hier \\& ici\\footnote{Or not.}.\n"
    text = f"\\ex. {first}\\b. Le gar\\c con$_i$ a \\'{{e}}t\\'{{e}} vus hier \\& ici.\n"
    found = read_foreign(SourceFile(put(tmp_path, "accents.tex", text + "\n" + text.replace("hier", "demain"))))
    assert [s.text for s in found.items[0].sentences] == ["Le garçon a été vu hier & ici.", "Le garçon a été vus hier & ici."]


@pytest.mark.parametrize(("encoding", "shown"), [("latin-1", "cp1252"), ("utf-16-le", "utf-16-le"), ("utf-16-be", "utf-16-be")])
def test_an_encoding_that_no_mark_says_is_asked_with_a_line_as_it_would_be(tmp_path: Path, encoding: str, shown: str) -> None:
    rows = [f"{n},{c},{t.replace('key', 'clé')}" for n, pair in enumerate(PAIRS) for c, t in zip(("sg", "pl"), pair, strict=True)]
    path = put(tmp_path, "kept.csv", lines(rows, "item,condition,sentence\n").encode(encoding))
    assert f"--encoding {shown}" in asked(path).hint
    assert taken(path).items[0].sentences[0].text == "The clé to the cabinets was rusty."


def test_pairs_below_the_names_of_phenomena_are_good_and_bad(tmp_path: Path) -> None:
    by_name = {"agreement": [{"good": g, "bad": b} for g, b in PAIRS[:2]], "more": [{"good": g, "bad": b} for g, b in PAIRS[2:]]}
    found = taken(put(tmp_path, "phenomena.json", by_name))
    assert texts(found) == AGREEMENT
    assert found.expected == {"good": "ok", "bad": "*"}
    assert {item.attributes["key_1"] for item in found.items} == {"agreement", "more"}
    as_lists = put(tmp_path, "lists.json", {"agreement": PAIRS[:2], "more": PAIRS[2:]})
    assert texts(taken(as_lists)) == AGREEMENT
    assert [[*taken(as_lists, n).expected.values()] for n in range(2)] == [["ok", "*"], ["*", "ok"]]


# ---- lists, numbers that begin anew, and what holds no items


def test_numbers_that_begin_anew_are_other_items(tmp_path: Path) -> None:
    rows = [f"{n % 2},{c},{t}" for n, pair in enumerate(PAIRS) for c, t in zip(("sg", "pl"), pair, strict=True)]
    assert texts(taken(put(tmp_path, "anew.csv", lines(rows, "item,condition,sentence\n")))) == AGREEMENT
    headed = put(
        tmp_path, "headed.csv", lines([f"{n // 4},{row}" for n, row in enumerate(rows)], "experiment,item,condition,sentence\n")
    )
    assert texts(taken(headed)) == AGREEMENT
    assert len(commands(asked(headed))) == 1


def test_places_in_lists_are_not_taken_for_items(tmp_path: Path) -> None:
    rows = [f"{one},{n},{LABELS[(n + one) % 4]},{ITEMS[(n + one) % 3][(n + one) % 4]}" for one in range(4) for n in range(3)]
    path = put(tmp_path, "trials.csv", lines(rows, "list,item,condition,sentence\n"))
    assert "about different things over list" in asked(path).message
    assert all(len(item.sentences) == 1 for item in taken(path).items)
    square = [f"{one},{n},{LABELS[(n + one) % 4]},{item[(n + one) % 4]}" for one in range(4) for n, item in NUMBERED]
    found = taken(put(tmp_path, "square.csv", lines(square, "list,trial,condition,sentence\n")))
    assert {s.condition: s.text for s in found.items[0].sentences} == dict(zip(LABELS, ITEMS[0], strict=True))


@pytest.mark.parametrize(
    ("name", "head", "row", "told"),
    [
        ("regions.csv", "Item,Cond,region,surprisal", "1,{0},verb,3.5", "--model regions --unit bits"),
        ("tokens.tsv", "sentence\ttoken\tsurp_bits", "He came in.\t{0}\t3.5", "--model tokens --column value=surp_bits"),
        (
            "models.csv",
            "item,condition,Word,GPT2_surprisal",
            "1,a,{0},3.5",
            "--model gpt2 --unit bits --column value=GPT2_surprisal",
        ),
        ("numbers.csv", "sentence_id,token,surprisal_nats", "1,{0},3.5", "--model numbers --column sentence=sentence_id"),
    ],
)
def test_surprisals_are_refused_with_the_command_that_takes_them(
    tmp_path: Path, name: str, head: str, row: str, told: str
) -> None:
    path = put(tmp_path, name, lines([row.format(word) for word in ("He", "came", "in.")], f"{head}\n"))
    with pytest.raises(FormatError, match="holds what a model computed") as caught:
        read_foreign(SourceFile(path))
    assert f"gapsmith import-scores {path} {told}" in caught.value.hint


@pytest.mark.parametrize(
    ("name", "content", "said_of_it"),
    [
        ("works.bib", "@article{a,\n title = {The key to the cabinets},\n}\n", "is a bibliography"),
        ("works.txt", "@book{b,\n title = {Syntax},\n year = 1999\n}\n", "is a bibliography"),
        (
            "works.csv",
            'Key,Author,Title,Publication Year\nA1,"Ross, J.",Constraints on variables in syntax,1967\n',
            "is a list of publications",
        ),
        (
            "people.csv",
            "id,condition,list,age,gender,L1,comments\nP1,B,2,20,m,English,\nP2,A,3,26,f,Dutch,Long.\n",
            "is a list of people",
        ),
        ("whole.csv", "sentence,perplexity\nThe key was rusty.,31.2\nThe keys was rusty.,88.1\n", "of whole sentences"),
    ],
)
def test_what_holds_no_items_is_refused_as_what_it_is(tmp_path: Path, name: str, content: str, said_of_it: str) -> None:
    with pytest.raises(FormatError, match=said_of_it):
        read_foreign(SourceFile(put(tmp_path, name, content)))


def test_traces_with_an_index_are_no_words(tmp_path: Path) -> None:
    text = "".join(
        f"\\ex.\\a. Who$_i$ did {name} say t$_i$ left?\n\\b. *Who$_i$ did {name} say that t$_{{i}}$ left?\n"
        for name in ("Ann", "Bo")
    )
    found = read_foreign(SourceFile(put(tmp_path, "handout.tex", f"\\documentclass{{article}}\n{text}")))
    assert [own.text for own in found.items[0].sentences] == ["Who did Ann say left?", "Who did Ann say that left?"]
    assert any("traces of gaps" in note for note in (*found.notes, *map(str, found.assumptions)))


# ---- other shapes that people keep

OTHERS: dict[str, Any] = {
    "items.xml": "<items>\n"
    + "".join(
        f' <item id="{n}">\n'
        + "".join(f'  <sentence condition="{label}">{item[k]}</sentence>\n' for k, label in enumerate(LABELS))
        + " </item>\n"
        for n, item in NUMBERED
    )
    + "</items>\n",
    "items.ini": "\n".join(
        f"[item {n}]\n" + "".join(f"{label} = {item[k]}\n" for k, label in enumerate(LABELS)) for n, item in NUMBERED
    ),
    "items.org": "* Items\n| item | condition | sentence |\n|------+-----------+----------|\n"
    + "".join(f"| {n} | {label} | {item[k]} |\n" for n, item in NUMBERED for k, label in enumerate(LABELS)),
    "items.py": "import random\nITEMS = [\n" + "".join(f"    {row!r},\n" for row in SHOWN) + "]\nrandom.shuffle(ITEMS)\n",
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_shapes_come_in_as_they_are(tmp_path: Path, name: str) -> None:
    found = read_foreign(SourceFile(put(tmp_path, name, OTHERS[name])))
    assert texts(found) == GAPS
    assert found.conditions == LABELS


def test_words_in_elements_of_their_own_stay_in_their_sentence(tmp_path: Path) -> None:
    text = OTHERS["items.xml"].replace("heard ", "<b>heard</b> ")
    assert texts(read_foreign(SourceFile(put(tmp_path, "bold.xml", text)))) == GAPS


def test_broken_or_declaring_xml_is_refused(tmp_path: Path) -> None:
    for text, told in (("<items><item></items>", "not XML"), ('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "declares")):
        with pytest.raises(FormatError, match=told):
            read_foreign(SourceFile(put(tmp_path, "broken.xml", text)))


def test_a_context_or_question_of_whole_sentences_is_no_region(tmp_path: Path) -> None:
    rows = [f"{n},{label},Somebody was there.,{item[k]},Did it happen?" for n, item in NUMBERED for k, label in enumerate(LABELS)]
    found = taken(put(tmp_path, "context.csv", lines(rows, "Item,Cond,Context,Target,Question\n")))
    assert texts(found) == GAPS
    assert found.items[0].attributes == {"Context": "Somebody was there.", "Question": "Did it happen?"}


def test_two_sentences_in_a_line_and_words_that_may_be_left_out(tmp_path: Path) -> None:
    for sign in ("/", "vs.", "|", "->"):
        assert texts(taken(put(tmp_path, "two.txt", lines([f"{good} {sign} {bad}" for good, bad in PAIRS])))) == AGREEMENT
    starred = taken(put(tmp_path, "star.txt", lines([f"{good} / *{bad}" for good, bad in PAIRS])))
    assert starred.expected == {"good": "ok", "bad": "*"}
    found = taken(put(tmp_path, "that.txt", "I think (*that) Tom left.\nWe know (*that) Sue sang.\n"))
    assert [s.text for s in found.items[0].sentences] == ["I think that Tom left.", "I think Tom left."]
    assert found.expected == {"that": "*", "none": "ok"}


def test_item_and_condition_on_the_first_row_of_a_sentence_hold_for_its_words(tmp_path: Path) -> None:
    rows = [
        f"{'' if n or k else number},{'' if n else label},{word}"
        for number, item in NUMBERED
        for k, label in enumerate(LABELS)
        for n, word in enumerate(item[k].split())
    ]
    assert texts(taken(put(tmp_path, "first_rows.csv", lines(rows, "item,cond,word\n")))) == GAPS
