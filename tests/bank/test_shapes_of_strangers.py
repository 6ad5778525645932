"""One study in the shapes in which strangers keep it: it comes in right at once, or with the first command that is printed, as it is
printed; what cannot be read is refused by its name, and nothing comes in wrong."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from gapsmith.bank.formats import ForeignSet, ReadOptions, SourceFile, read_foreign, written
from gapsmith.bank.formats.asking import FLAGS
from gapsmith.templates import FormatError
from tests.conftest import CommandOutcome

Run = Callable[..., CommandOutcome]
LABELS = ("what_gap", "that_gap", "what_nogap", "that_nogap")
WORDS = (("tailor", "mended", "coat", "at dawn"), ("nurse", "hid", "letter", "for days"), ("pilot", "sold", "engine", "too soon"))
ITEMS = [
    (
        f"We heard what the {noun} {verb} {tail}.",
        f"We heard that the {noun} {verb} {tail}.",
        f"We heard what the {noun} {verb} the {thing} {tail}.",
        f"We heard that the {noun} {verb} the {thing} {tail}.",
    )
    for noun, verb, thing, tail in WORDS
]
NUMBERED = list(enumerate(ITEMS, 1))
SORTED = sorted(sorted(item) for item in ITEMS)
MAPPED = [(n, dict(zip(LABELS, item, strict=True))) for n, item in NUMBERED]


def tokens(text: str) -> list[str]:
    return [*text.removesuffix(".").split(), "."]


def rows(line: Callable[[int, int, str, str], str], head: str = "") -> str:
    """A line for each sentence, of the item's number, the condition's, its label and the sentence."""
    return head + "".join(
        line(n, k, label, text) + "\n" for n, item in NUMBERED for k, (label, text) in enumerate(zip(LABELS, item, strict=True))
    )


def words(line: Callable[[int, str, int, str], str], head: str) -> str:
    """A line for each word."""
    return head + "".join(
        line(n, label, place, word) + "\n"
        for n, item in MAPPED
        for label, text in item.items()
        for place, word in enumerate(text.split(), 1)
    )


def blocks(between: str, item: Callable[[Sequence[str]], str] = "\n".join) -> str:
    return between.join(item(one) + "\n" for one in ITEMS)


def wrapped(text: str, indent: str) -> str:
    first, last = text.split(" the ", 1)
    return f"{first} the\n{indent}{last}"


def table(head: str, items: Sequence[Sequence[str]]) -> str:
    lines = [f"| {head} | {' | '.join(LABELS)} |", "|---" * 5 + "|"]
    return "\n".join([*lines, *(f"| {n} | {' | '.join(item)} |" for n, item in enumerate(items, 1))]) + "\n"


LISTS = "Liste;Item;Typ;Satz\n" + "".join(
    f"{one};{n};{LABELS[(n + one) % 4]};{item[(n + one) % 4]}\n{one};F{n};filler;Nobody slept in room {n}.\n"
    for one in range(1, 5)
    for n, item in NUMBERED
)


def ibex(n: int, label: str, text: str) -> list[Any]:
    shown = {"s": text.split() if n % 2 else text}
    return [[label, n], "DashedSentence", shown, "Question", {"q": "Was it heard?", "as": ["Yes", "No"]}]


IBEX = [ibex(n, label, text) for n, item in MAPPED for label, text in item.items()]
SCREENS: list[Any] = [["sep", "Separator", {"transfer": 1000}], ["intro", "Message", {"html": "Please read each sentence."}]]
FILLERS = [["filler", "DashedSentence", {"s": "Nobody slept."}], [["filler", 90], "DashedSentence", {"s": "It rained all day."}]]
AT_ONCE: dict[str, Any] = {
    "ibex.json": [*SCREENS, *IBEX],
    "under_headings.txt": "\n".join(
        f"{label}\n" + "".join(f"{n}. {item[k]}\n" for n, item in NUMBERED[:: 1 - 2 * (k % 2)]) for k, label in enumerate(LABELS)
    ),
    "items_under_keys.json": {"items": {f"i{n}": {"conditions": item} for n, item in MAPPED}},
    "meta_and_data.json": {"meta": {"by": "us"}, "data": {"items": [{"id": n, "sentences": item} for n, item in MAPPED]}},
    "columns.json": {
        "item": [n for n, _ in NUMBERED for _ in LABELS],
        "condition": [label for _ in ITEMS for label in LABELS],
        "sentence": [text for item in ITEMS for text in item],
    },
    "rows.json": [["item", "condition", "sentence"], *([n, label, text] for n, item in MAPPED for label, text in item.items())],
    "sets.jsonl": "".join(json.dumps({"id": n, "sentences": item}) + "\n" for n, item in MAPPED),
    "list_sets.jsonl": "".join(
        json.dumps({"id": n, "sentences": [{"cond": label, "text": text} for label, text in item.items()]}) + "\n"
        for n, item in MAPPED
    ),
    "named_ids.jsonl": "".join(
        json.dumps({"id": f"{n}-{label}", "text": text}) + "\n" for n, item in MAPPED for label, text in item.items()
    ),
    "tok.json": {str(n): {label: tokens(text) for label, text in item.items()} for n, item in MAPPED},
    "token_regions.json": [
        {
            "item": n,
            "conditions": {label: [tokens(text)[:2], tokens(text)[2:5], tokens(text)[5:]] for label, text in item.items()},
        }
        for n, item in MAPPED
    ],
    "token_rows.jsonl": rows(
        lambda n, _, label, text: json.dumps({"set": n, "cond": label, "tokens": tokens(text), "tags": ["X"] * 9})
    ),
    "items.yaml": "items:\n"
    + "".join(
        f"- id: {n}\n  conditions:\n" + "".join(f"    {label}: {text}\n" for label, text in item.items()) for n, item in MAPPED
    ),
    "labels.yml": rows(
        lambda n, k, _, text: f"- item: {n}\n  condition: {('yes', 'no', 'on', 'off')[k]}\n  sentence: {text}", "# made by hand\n"
    ),
    "named_blocks.txt": "\n// ---\n".join("".join(f"{label}: {text}\n" for label, text in item.items()) for _, item in MAPPED),
    "signs_in_cells.csv": "item,condition,sentence\n"
    + "---,---,---\n".join("".join(f"{n},{label},{text}\n" for label, text in item.items()) for n, item in MAPPED),
}
"""Files that say all."""

ASKED: dict[str, tuple[Any, str]] = {
    "nested_factors.json": (
        [{"item": n, "what": {"gap": s[0], "nogap": s[2]}, "that": {"gap": s[1], "nogap": s[3]}} for n, s in NUMBERED],
        "--condition-column key_1 --condition-column key_2",
    ),
    "conditions_first.json": (
        {label: {str(n): item[label] for n, item in MAPPED} for label in LABELS},
        "--condition-column key_1 --item-column key_2",
    ),
    "factors_in_an_object.jsonl": (
        rows(
            lambda n, _, label, text: json.dumps(
                {"item": n, "is": dict(zip(("filler", "gap"), label.split("_"), strict=True)), "sentence": text}
            )
        ),
        "--condition-column filler --condition-column gap",
    ),
    "names_in_lists.json": (
        {"items": [[n, [list(one) for one in item.items()]] for n, item in MAPPED]},
        "--condition-column key_2",
    ),
    "one_object.json": ({f"{n}_{label}": text for n, item in MAPPED for label, text in item.items()}, "--item-column key_1"),
    "lists_of_lists.json": (ITEMS, "--per-item 4"),
    "lines_of_lists.jsonl": (rows(lambda n, _, label, text: json.dumps([n, label, text])), "--headings item,condition,sentence"),
    "places.json": ([{"id": n, "sentences": item} for n, item in NUMBERED], "--condition-column position"),
    "word_rows.csv": (words(lambda n, c, p, w: f"{n},{c},{p},{w}", "stim,cond,pos,tok\n"), "--sentence-column tok --region pos"),
    "word_rows.tsv": (words(lambda n, c, p, w: f"{c}\t{n}\t{p}\t{w}", "Type\tTrial\tWord#\tW\n"), "--item-column Trial"),
    "words_in_order.csv": (words(lambda n, c, _, w: f"{n};{c};{w}", "Satz;Bed;Wort\n"), "--format region_rows"),
    "words_known.csv": (
        words(lambda n, c, p, w: f"{n},{c},{p},{w}", "item,condition,word_number,word\n"),
        "--region word_number",
    ),
    "words_of_trials.csv": (
        "Trial,Word#,W\n"
        + "".join(
            f"{t},{p},{w}\n" for t, text in enumerate((s for i in ITEMS for s in i), 1) for p, w in enumerate(text.split())
        ),
        "--item-column Trial --per-item 4",
    ),
    "numbers.csv": (rows(lambda n, k, _, text: f"{n},{k % 2},{k // 2},{text}", "set,wh,gap,text\n"), "--condition-column wh"),
    "halves.csv": (
        rows(lambda n, k, _, text: f"{n};{k % 2 - 0.5};{k // 2 - 0.5};{text}", "nr;F1;F2;stimulus\n"),
        "--item-column nr",
    ),
    "gaps.csv": (rows(lambda n, _, label, t: f"{n},{label},{t[:-1]} __.", "item,condition,sentence\n"), "--gap-mark __"),
    "gaps.txt": (rows(lambda n, k, _, t: f"{n}{'abcd'[k]}. {t.replace(' the ', ' / the ', 1)} / ___"), "--gap-mark ___"),
    "gaps.json": (
        [{"item": n, "condition": label, "sentence": f"[gap] {t}"} for n, item in MAPPED for label, t in item.items()],
        "--gap-mark '[gap]'",
    ),
    "gap_regions.csv": (
        rows(lambda n, _, label, t: f"{n},{label},{t[:9]},_,{t[9:]}", "item,condition,region1,region2,region3\n"),
        "--gap-mark _",
    ),
    "decimals.csv": (
        "no,sentence\n" + "".join(f"{n}.{k},{t}\n" for n, item in NUMBERED for k, t in enumerate(item, 1)),
        "--item-column no",
    ),
    "lists.csv": (LISTS, "--condition-column Typ --only Typ="),
    "two_headings.csv": (
        ",grammatical,,ungrammatical,\nItem,short,long,short,long\n" + "".join(f"{n},{','.join(item)}\n" for n, item in NUMBERED),
        "--header-rows 2",
    ),
    "ibex_fillers.json": ([*SCREENS, *IBEX, *FILLERS], "--only kind=items"),
    "norms.csv": (
        rows(lambda n, k, label, text: f'{n},{label},"{text} [{7 - k}/high]"', "item,condition,sentence\n"),
        "--strip-suffix",
    ),
    "norms.txt": (
        blocks("\n", lambda item: "\n".join(f"({6.1 - k:.1f}) {text}" for k, text in enumerate(item))),
        "--strip-prefix",
    ),
    "norms_numbered.txt": (rows(lambda n, k, _, text: f"{n}{'abcd'[k]}. {text} ({k}.5)"), "--strip-suffix"),
    "wrapped.txt": (rows(lambda n, k, _, text: wrapped(f"{n}{'abcd'[k]}. {text}", "     ")), "--wrapped"),
    "wrapped_blocks.txt": (blocks("\n", lambda item: "\n".join(wrapped(text, "  ") for text in item)), "--wrapped --per-item 4"),
    "slashes.txt": (blocks("// ---\n"), "--per-item 4"),
    "dashes.txt": (blocks("-----\n"), "--per-item 4"),
    "headed.txt": ("".join(f"=== {n} ===\n" + "\n".join(item) + "\n" for n, item in NUMBERED), "--per-item 4"),
    "lines.txt": (blocks(""), "--per-item 4"),
    "several.md": (f"# Labels\n\n| label | is |\n|---|---|\n| gap | good |\n\n# Items\n\n{table('item', ITEMS)}", "--table 2"),
    "each.md": (
        "\n".join(
            f"{n}\n\n| cond | sentence |\n|---|---|\n" + "".join(f"| {c} | {t} |\n" for c, t in item.items())
            for n, item in MAPPED
        ),
        "--table all --condition-column cond --item-column table",
    ),
    "notes.csv": (
        f"item,{','.join(LABELS)},notes\n"
        + "".join(f"{n},{','.join(item)},This one was hard to norm.\n" for n, item in NUMBERED),
        "--sentence-column that_nogap",
    ),
    "with_fillers.json": (
        {
            "items": [{"id": n, "sentences": item} for n, item in MAPPED],
            "fillers": [{"id": 9, "sentence": "He went home late."}] * 3,
        },
        "--only key_1=items --condition-column key_2",
    ),
    "two_good_ones.csv": (
        "good,bad,other,fourth\n" + "".join(f"{','.join(item)}\n" for item in ITEMS),
        "--sentence-column good --sentence-column bad --sentence-column other --sentence-column fourth",
    ),
    "bare.tsv": (
        "".join("\t".join(item) + "\n" for item in ITEMS),
        "--headings condition_1,condition_2,condition_3,condition_4 --sentence-column condition_1",
    ),
    "repeated.csv": (
        "item,condition,sentence,word\n"
        + "".join(f"{n},{label},{text},{word}\n" for n, item in MAPPED for label, text in item.items() for word in text.split()),
        "--sentence-column word --format region_rows",
    ),
    "turned.csv": (
        ",item 1,item 2,item 3\n" + "".join(f"{label},{','.join(item[k] for item in ITEMS)}\n" for k, label in enumerate(LABELS)),
        "--transpose",
    ),
}
"""Files that do not say all, to what the first command says besides."""

REFUSED: dict[str, tuple[str, str]] = {
    "items.tex": ("\\documentclass{article}\n\\begin{document}\nWe came.\n\\end{document}\n", "is LaTeX, and not read"),
    "items.js": ('var items = [\n[["a", 1], "Dashed", {s: "We came."}],\n];\n', "is JavaScript, and not read"),
    "bare.json": ("[{item: 1, condition: 'a', sentence: 'We came.'\n", "not JSON"),
    "twice.json": ('{"1": {"a": "We came in."}, "1": {"a": "We went in."}}', "the key '1' is there twice"),
    "twice.yaml": ("1:\n  a: We came in.\n1:\n  a: We went in.\n", "line 3: the key '1' is there twice"),
    "deep.yaml": ("a: " + "[" * 20_000 + "]" * 20_000, "limit depth"),
    "starred.yaml": ("1:\n  a: We came in.\n  b: *We comes in.\n", "line 3: not YAML"),
    "equal_labels.jsonl": (
        rows(lambda n, k, _, t: json.dumps({"item": n, "condition": "ab"[k % 2], "sentence": t})),
        "have a condition twice",
    ),
    "other_order.json": (
        json.dumps([item if n != 2 else [item[1], item[0], *item[2:]] for n, item in NUMBERED]),
        "stand in another order",
    ),
    "one_is_missing.txt": (f"{blocks('---' + chr(10))}---\n" + "\n".join(ITEMS[0][:3]) + "\n", "the one that begins here has 3"),
    "two_lists.txt": (
        "EXPERIMENT 1\n"
        + rows(lambda n, k, _, t: f"{n}{'abcd'[k]}. {t}")
        + "\nEXPERIMENT 2: more\n"
        + rows(lambda n, k, _, t: f"{n}{'abcd'[k]}. Perhaps {t}"),
        "line 15: the numbers begin anew below 'EXPERIMENT 2: more'",
    ),
    "two_lists_of_one.txt": (
        "Study A\n1. Tom sang.\n2. We left the old house at noon.\n\nStudy B\n1. Is it raining in Rome today?\n2. Nobody ever came back here.\n",
        "line 5: the numbers begin anew below 'Study B'",
    ),
    "results.jsonl": ('{"participant": 1, "item": 1, "response": 3, "rt": 700}\n' * 3, "holds what people answered"),
}
"""Files that are not read, or would come in wrong, to what is said."""


def put(folder: Path, name: str, content: Any) -> Path:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def said(command: str) -> tuple[ReadOptions, str | None]:
    """What a printed command says of a file."""
    typed = shlex.split(command)[3:]
    names = {flag: name for name, flag in FLAGS.items()}
    kinds = {field.name: field.type for field in fields(ReadOptions)}
    found: dict[str, Any] = {}
    while typed:
        name = names[typed.pop(0)]
        kind = str(kinds.get(name, "str"))
        value: Any = True if kind == "bool" else typed.pop(0)
        if kind.startswith("tuple"):
            value = (*found.get(name, ()), value)
        found[name] = int(value) if kind.startswith("int") else value
    format = found.pop("format", None)
    return ReadOptions(**found), format


def commands(error: FormatError) -> list[str]:
    """The commands that take the file itself; one that takes what somebody makes of it has no remark behind it."""
    lines = [line.strip().partition("   (") for line in error.hint.splitlines() if line.startswith("  gapsmith import")]
    return [command for command, remark, _ in lines if remark]


def sentences(found: ForeignSet) -> list[list[str]]:
    return sorted(sorted(s.text for s in item.sentences) for item in found.items)


@pytest.mark.parametrize("name", AT_ONCE)
def test_what_says_all_comes_in_at_once(tmp_path: Path, name: str) -> None:
    found = read_foreign(SourceFile(put(tmp_path, name, AT_ONCE[name])))
    assert sentences(found) == SORTED
    assert len(found.conditions) == len(LABELS)
    again = tmp_path / f"again{Path(name).suffix if found.shape in ('json', 'tuples') else '.txt'}"
    again.write_bytes(written(found).content)
    assert sentences(read_foreign(SourceFile(again))) == SORTED


@pytest.mark.parametrize("name", ASKED)
def test_the_first_command_that_is_printed_takes_what_is_asked_about(tmp_path: Path, name: str) -> None:
    content, flags = ASKED[name]
    path = put(tmp_path, name, content)
    with pytest.raises(FormatError) as caught:
        read_foreign(SourceFile(path))
    first = commands(caught.value)[0]
    assert flags in first
    options, format = said(first)
    found = read_foreign(SourceFile(path, options), format=format)
    assert sentences(found) == SORTED
    assert len(found.conditions) == len(LABELS)


@pytest.mark.parametrize("name", REFUSED)
def test_what_would_come_in_wrong_is_refused(tmp_path: Path, name: str) -> None:
    content, says = REFUSED[name]
    with pytest.raises(FormatError) as caught:
        read_foreign(SourceFile(put(tmp_path, name, content)))
    assert says in caught.value.message


def test_a_turned_table_of_old_text_takes_one_command(tmp_path: Path) -> None:
    names = ("Zoé", "André", "Chloé")
    text = "cond,item1,item2,item3\n" + "".join(
        f"{label},{','.join(f'Le café {word} {name} préfère est fermé.' for name in names)}\n"
        for label, word in (("ou", "où"), ("que", "que"))
    )
    for encoding in ("cp1252", "mac_roman"):
        path = tmp_path / f"{encoding}.csv"
        path.write_bytes(text.encode(encoding))
        with pytest.raises(FormatError, match="is not UTF-8 text") as caught:
            read_foreign(SourceFile(path))
        first = commands(caught.value)[0]
        assert f"--encoding {encoding} --transpose" in first
        assert "Le café où Zoé" in caught.value.hint
        found = read_foreign(SourceFile(path, said(first)[0]))
        assert found.items[1].sentences[0].text == "Le café où André préfère est fermé."
        assert [s.condition for s in found.items[1].sentences] == ["ou", "que"]


def test_sheets_and_titles_are_asked_about_at_once(tmp_path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    book.active.append(["These are the items of the study."])  # type: ignore[union-attr]  # a new workbook has a sheet
    sheet = book.create_sheet("Items")
    for row in (
        ["Experiment 1"],
        [],
        ["item", "condition", "sentence"],
        *([n, c, t] for n, item in MAPPED for c, t in item.items()),
    ):
        sheet.append(row)
    book.save(tmp_path / "items.xlsx")
    with pytest.raises(FormatError, match="several sheets") as caught:
        read_foreign(SourceFile(tmp_path / "items.xlsx"))
    only = commands(caught.value)
    assert [command.partition(".xlsx ")[2] for command in only] == ["--sheet Items --header-row 3"]
    assert sentences(read_foreign(SourceFile(tmp_path / "items.xlsx", said(only[0])[0]))) == SORTED


def test_what_brackets_hold_is_kept_and_goes_out_again(tmp_path: Path) -> None:
    path = put(tmp_path, "norms.csv", ASKED["norms.csv"][0])
    found = read_foreign(SourceFile(path, ReadOptions(strip_suffixes=("[...]",))))
    assert [s.attributes["in_brackets"] for s in found.items[0].sentences] == ["7/high", "6/high", "5/high", "4/high"]
    assert written(found).content == path.read_bytes()
    bare = put(tmp_path, "bare.csv", rows(lambda n, _, label, text: f"{n},{label},{text}", "item,condition,sentence\n"))
    with pytest.raises(FormatError, match="no sentence ends with"):
        read_foreign(SourceFile(bare, ReadOptions(strip_suffixes=("<...>",))))


def test_a_blank_line_within_an_item_is_refused_where_lines_are_counted(tmp_path: Path) -> None:
    one, two, three = ITEMS
    text = "\n".join("\n".join(block) + "\n" for block in (one, two[:3], (two[3], *three)))
    with pytest.raises(FormatError, match="line 10: what parts the blocks stands within an item"):
        read_foreign(SourceFile(put(tmp_path, "own.txt", text), ReadOptions(per_item=4)))


def test_a_cell_of_signs_alone_is_no_sentence(tmp_path: Path) -> None:
    text = rows(lambda n, k, c, t: f"{n},{c},{t if (n, k) != (2, 1) else '---'}", "item,condition,sentence\n")
    with pytest.raises(FormatError, match=r"item 2 holds '---' for that_gap") as caught:
        read_foreign(SourceFile(put(tmp_path, "own.csv", text)))
    assert "--missing ---" in commands(caught.value)[0]


def test_what_is_assumed_is_said_and_printed_commands_run(gapsmith: Run, tmp_path: Path) -> None:
    put(tmp_path, "wide.csv", f"item,{','.join(LABELS)}\n" + "".join(f"{n},{','.join(item)}\n" for n, item in NUMBERED))
    done = gapsmith("import", str(tmp_path / "wide.csv"), "--own-paradigm")
    assert done.code == 0
    assert "assumed conditions: the columns what_gap, that_gap" in done.err
    assert "--sentence-column says otherwise" in done.err
    for name in ("word_rows.csv", "wrapped_blocks.txt", "nested_factors.json", "several.md"):
        path = put(tmp_path, name, ASKED[name][0])
        refused = gapsmith("import", str(path))
        assert refused.code != 0
        command = next(line.strip() for line in refused.err.splitlines() if line.startswith("  gapsmith import"))
        assert gapsmith(*shlex.split(command.partition("   (")[0])[1:], "--own-paradigm").code == 0, refused.err


def test_a_gap_in_a_region_of_its_own_leaves_an_empty_region(tmp_path: Path) -> None:
    text = rows(lambda n, k, _, t: f"{n}{'abcd'[k]}. {t.replace(' the ', ' / the ', 1).replace('.', ' / __ / ok.')}")
    path = put(tmp_path, "own.txt", text)
    found = read_foreign(SourceFile(path, ReadOptions(gap_marks=("__",))))
    regions = found.items[0].sentences[0].regions or ()
    assert [region.content(found.items[0].sentences[0].text).strip() for region in regions][2:] == ["", "ok."]
    assert found.items[0].sentences[0].text.endswith(" ok.")
    with pytest.raises(FormatError, match="in the place of a word"):
        read_foreign(SourceFile(path, ReadOptions(gap_marks=("[gap]",))))
    kept = read_foreign(SourceFile(path), format="numbered")
    assert "__" in kept.items[0].sentences[0].text


def test_a_key_of_the_good_sentence_is_no_attribute_in_silence(tmp_path: Path) -> None:
    pairs = [(n, *((item[0], item[2]) if n != 2 else (item[2], item[0])), int(n == 2)) for n, item in NUMBERED]
    for keys in (("sent1", "sent2", "label"), ("option_a", "option_b", "key")):
        text = "".join(json.dumps(dict(zip(("idx", *keys), own, strict=True))) + "\n" for own in pairs)
        path = put(tmp_path, f"{keys[0]}.jsonl", text)
        with pytest.raises(FormatError, match="may say which of") as caught:
            read_foreign(SourceFile(path))
        *keyed, as_they_are = commands(caught.value)
        options, format = said(as_they_are)
        assert read_foreign(SourceFile(path, options), format=format).conditions == keys[:2]
        # The first sentence is the good one where the key is 0, but in the second item.
        options, format = said(next(way for way in keyed if f"--good {keys[2]}=0" in way))
        found = read_foreign(SourceFile(path, options), format=format)
        assert [item.sentences[0].text for item in found.items] == [item[0] for _, item in NUMBERED]
    told = [{"item": n, "list": key, "conditions": {"a": one, "b": other}} for n, one, other, key in pairs]
    told_too = [
        {"item": n, "list": k, "condition": c, "sentence": t} for n, *own, k in pairs for c, t in zip("ab", own, strict=True)
    ]
    for n, document in enumerate((told, told_too)):
        assert read_foreign(SourceFile(put(tmp_path, f"told_{n}.json", document))).conditions == ("a", "b")


def test_numbers_are_no_sentences_of_pairs(tmp_path: Path) -> None:
    path = put(tmp_path, "own.csv", ASKED["decimals.csv"][0])
    with pytest.raises(FormatError, match="no, sentence are headings"):
        read_foreign(SourceFile(path), format="pair_table")
    bare = put(tmp_path, "bare.csv", ASKED["decimals.csv"][0].partition("\n")[2])
    with pytest.raises(FormatError, match="holds numbers, and no sentence"):
        read_foreign(SourceFile(bare, ReadOptions(first="good")), format="pair_table")
    found = read_foreign(SourceFile(path, ReadOptions(item_columns=("no",))))
    assert [item.label for item in found.items] == ["1", "2", "3"]
    assert found.conditions == ("1", "2", "3", "4")
    assert written(found).content == path.read_bytes()


def test_rows_of_either_value_are_read_and_none_is_said(tmp_path: Path) -> None:
    path = put(tmp_path, "own.csv", rows(lambda n, _, c, t: f"{n},{c},{t}", "item,condition,sentence\n"))
    some = read_foreign(SourceFile(path, ReadOptions(only=("item=1", "item=3"))))
    assert [item.label for item in some.items] == ["1", "3"]
    with pytest.raises(FormatError, match="no row has item=9"):
        read_foreign(SourceFile(path, ReadOptions(only=("item=9",))))


def test_a_filler_of_several_lists_is_one_sentence(tmp_path: Path) -> None:
    path = put(tmp_path, "own.csv", LISTS)
    with pytest.raises(FormatError, match="is called as practice and fillers are") as caught:
        read_foreign(SourceFile(path, ReadOptions(condition_columns=("Typ",))))
    assert "Typ=filler" not in commands(caught.value)[0]
    path = put(tmp_path, "own.csv", LISTS.replace("filler", "other"))
    found = read_foreign(SourceFile(path, ReadOptions(condition_columns=("Typ",))))
    assert {item.label: len(item.sentences) for item in found.items} == {"1": 4, "2": 4, "3": 4, "F1": 1, "F2": 1, "F3": 1}
    assert any("9 rows" in str(taken) and taken.sure == "assumed" for taken in found.assumptions)


def test_a_column_without_a_heading_gets_one_in_the_command(tmp_path: Path) -> None:
    text = "item,grammatical,,ungrammatical\n" + "".join(f"{n},{item[0]},{item[1]},{item[2]}\n" for n, item in NUMBERED)
    with pytest.raises(FormatError, match="column 3 has no heading") as caught:
        read_foreign(SourceFile(put(tmp_path, "own.csv", text)))
    assert all("--headings item,grammatical,column_3,ungrammatical" in way for way in commands(caught.value))
    for command in commands(caught.value):
        options, format = said(command)
        read_foreign(SourceFile(tmp_path / "own.csv", options), format=format)


def test_a_row_that_goes_on_with_the_one_above_is_called_so(tmp_path: Path) -> None:
    text = rows(lambda n, _, c, t: f"{n},{c},{t[:9]},{t[9:20]}\n,,{t[20:-4]},{t[-4:]}", "item,cond,r1,r2\n")
    with pytest.raises(FormatError, match="the column 'cond' is empty") as caught:
        read_foreign(SourceFile(put(tmp_path, "own.csv", text)))
    assert "went on with the sentence of the row above it" in caught.value.hint
