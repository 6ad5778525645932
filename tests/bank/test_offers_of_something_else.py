"""Commands that would bring in something else than the file has are not offered, and the right one is where there is one."""

from __future__ import annotations

from pathlib import Path

import pytest

from gapsmith.bank.formats import ForeignSet, ReadOptions, SourceFile, read_foreign
from gapsmith.bank.formats.asking import flags_of
from gapsmith.templates import FormatError

NOUNS = ("porter", "singer", "miller", "clerk", "widow")


def put(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def said(path: Path) -> FormatError:
    with pytest.raises(FormatError) as caught:
        read_foreign(SourceFile(path))
    return caught.value


def printed(error: FormatError) -> list[str]:
    return [line.strip() for line in error.hint.splitlines() if line.startswith("  gapsmith import") and "   (" in line]


def taken(path: Path, **options: object) -> ForeignSet:
    """The set with the options of a command, which has to be among those that are printed."""
    error = said(path)
    assert any(flags_of(options) in line for line in printed(error)), error.hint
    return read_foreign(SourceFile(path, ReadOptions(**options)))  # type: ignore[arg-type]


def test_what_measures_a_sentence_names_no_condition(tmp_path: Path) -> None:
    rows = [
        f"{n};{label};{text};0,{n}{k}\n"
        for n, noun in enumerate(NOUNS, 1)
        for k, (label, text) in enumerate(
            (label, f"The {noun} {how}{verb}.") for how in ("", "who left ") for label, verb in (("K", "slept"), ("I", "melted"))
        )
    ]
    error = said(put(tmp_path, "norms.csv", f"item;condition;sentence;cloze\n{''.join(rows)}"))
    assert "--condition-column cloze" not in error.hint
    assert "such as K_1 and K_2" in error.hint


JAPANESE = (
    ("先生", "学生", "本", "渡した"),
    ("母", "弟", "手紙", "送った"),
    ("店員", "客", "傘", "貸した"),
    ("社長", "秘書", "花束", "贈った"),
)


def test_sentences_of_a_script_without_blanks_are_no_words_of_one(tmp_path: Path) -> None:
    rows = [
        f"{n},{order},{mark},{text},{'はい' if n % 2 else 'いいえ'}\n"
        for n, (one, other, thing, verb) in enumerate(JAPANESE, 1)
        for order, parts in (("基本", "{0}{4}／{1}に／{2}を／{3}。"), ("かき混ぜ", "{2}を／{0}{4}／{1}に／{3}。"))
        for mark in ("が", "は")
        for text in [parts.format(one, other, thing, verb, mark)]
    ]
    path = put(tmp_path, "a.csv", f"項目,語順,主語,文,正答\n{''.join(rows)}")
    found = taken(path, condition_columns=("語順", "主語"), sentence_columns=("文",))
    assert [s.text for s in found.items[0].sentences][:2] == ["先生が学生に本を渡した。", "先生は学生に本を渡した。"]
    assert {len(s.regions or ()) for item in found.items for s in item.sentences} == {4}
    assert not any("region_rows" in line or "正答" in line for line in printed(said(path)))


MEASURED = (
    ("他昨天买了一", "书", "本", "条", "很有意思的"),
    ("桌子上放着三", "茶", "杯", "件", "刚刚泡好的"),
    ("我们看见了两", "马", "匹", "辆", "跑得很快的"),
    ("她试穿了这", "衣服", "件", "杯", "非常漂亮的"),
)


def test_regions_of_a_script_without_blanks_are_joined_without(tmp_path: Path) -> None:
    items = ",".join(
        f'"第{n}组":{{"{a}":{{"near":["{begin}","{x}","","{noun}","。"],"far":["{begin}","{x}","{more}","{noun}","。"]}},'
        f'"{b}":{{"near":["{begin}","{y}","","{noun}","。"],"far":["{begin}","{y}","{more}","{noun}","。"]}}}}'
        for n, (begin, noun, x, y, more) in enumerate(MEASURED, 1)
        for a, b in [("匹配", "不匹配")]
    )
    found = taken(
        put(tmp_path, "a.json", f'{{"items":{{{items}}}}}'), condition_columns=("key_2", "key_3"), item_columns=("key_1",)
    )
    assert [s.text for s in found.items[0].sentences][:2] == ["他昨天买了一本书。", "他昨天买了一本很有意思的书。"]


def test_two_sentences_in_a_cell_are_not_joined_to_one(tmp_path: Path) -> None:
    rows = [
        f"{n},{'home' if n % 2 else 'court'},The {noun} slept well. // The {noun} slept the bed.\n"
        for n, noun in enumerate(NOUNS, 1)
    ]
    error = said(put(tmp_path, "pairs.csv", f"nr,Context,pair (ok // not ok)\n{''.join(rows)}"))
    assert not any("--take-out" in line or "Context" in line for line in printed(error))


def test_labels_that_stand_beside_sentences_are_their_conditions(tmp_path: Path) -> None:
    labels = (
        ("act", "The {0} saw the dog."),
        ("pass", "The dog was seen by the {0}."),
        ("cleft", "It was the {0} that saw the dog."),
    )
    rows = [
        f"{n};{';'.join(f'{label};{text.format(noun)}' for label, text in (*labels[n % 3 :], *labels[: n % 3]))}\n"
        for n, noun in enumerate(NOUNS, 1)
    ]
    path = put(tmp_path, "turned.csv", f"item;c1;s1;c2;s2;c3;s3\n{''.join(rows)}")
    found = taken(path, stack=True, condition_columns=("c",), sentence_columns=("s",))
    assert {s.text for item in found.items for s in item.sentences if s.condition == "pass"} == {
        f"The dog was seen by the {noun}." for noun in NOUNS
    }
    assert not any("s1" in line for line in printed(said(path)))


def test_fillers_of_a_list_are_no_condition(tmp_path: Path) -> None:
    texts = {
        "crit": [
            "The clerk handed the key over.", "Grandma knitted them two scarves.", "A spy passed some notes along.",
            "My cousin wrote an angry letter.", "Our nurse brought lukewarm tea.", "That farmer sold a fat goose.",
        ],
        "fill": ["The swans hissed loudly.", "By noon it rained.", "Neither umbrella survived.", "Someone ate his lunch."],
        "prac": ["Please read this sentence."],
    }  # fmt: skip
    rows = [(kind, text) for kind, own in texts.items() for text in own]
    lines = [f"{kind},{90 - n},{'DP'[n % 2] if kind == 'crit' else '-'},{text}\n" for n, (kind, text) in enumerate(rows)]
    path = put(tmp_path, "list.csv", f"kind,no,cond,text\n{''.join(lines)}")
    found = taken(
        path, item_columns=("no",), condition_columns=("cond",), sentence_columns=("text",), leave_out=("kind=fill", "kind=prac")
    )
    assert set(found.conditions) == {"D", "P"}
    assert len(found.items) == len(texts["crit"])
    assert not any("--condition-column kind" in line for line in printed(said(path)))


def test_experiments_below_each_other_are_not_mixed(tmp_path: Path) -> None:
    one = "".join(f"{n},a,The {noun} sleeps.\n{n},b,The {noun} slept.\n" for n, noun in enumerate(NOUNS, 1))
    other = "".join(f"{n},a,A {noun} who ran fell.\n{n},b,A {noun} who walks fell.\n" for n, noun in enumerate(NOUNS, 1))
    path = put(
        tmp_path,
        "both.csv",
        f"Experiment 1 (tense),,\nitem,cond,sentence\n{one}\n,,\nExperiment 2 (verbs),,\n{other}Fillers (both),,\n1,f,Milk has gone sour.\n",
    )
    lines = printed(said(path))
    assert len(lines) == 2
    assert not any("--per-item 1" in line for line in lines)
    for line in lines:
        answer = next(part.split(" ")[1] for part in line.split("--")[1:] if part.startswith("leave-out"))
        found = read_foreign(SourceFile(path, ReadOptions(header_row=2, leave_out=(answer,), headings="item,condition,sentence")))
        assert len(found.items) == len(NOUNS)
        assert found.conditions == ("a", "b")
        assert len({s.text.split()[0] for item in found.items for s in item.sentences}) == 1


def test_versions_of_which_a_rating_says_which_is_better_are_no_conditions(tmp_path: Path) -> None:
    rows = [
        f"{n}\t{label}\tThe {noun} {verb}.\t{rating}\n"
        for n, noun in enumerate((*NOUNS, "mule"), 1)
        for label, verb, rating in (("A", "sleeps", 1.5 if n % 2 else 6.2), ("B", "sleep", 5.9 if n % 2 else 1.2))
    ]
    path = put(tmp_path, "norms.tsv", f"ID\tVersion\tSentence\tM\n{''.join(rows)}")
    error = said(path)
    assert not printed(error)
    assert "M is clearly higher for A in 3 items (such as 2) and for B in 3 (such as 1)" in error.hint


def test_what_was_refused_is_no_way_out(tmp_path: Path) -> None:
    rows = "".join(f"ad{n % 3}\t{n % 2}\t\tThe {noun} signed form {n}.\n" for n, noun in enumerate(NOUNS))
    path = put(tmp_path, "rows.tsv", rows)
    assert f"gapsmith import {path}" not in said(path).hint.splitlines()[-1:]
    assert not any(line.strip() == f"gapsmith import {path}" for line in said(path).hint.splitlines())


def test_headings_that_stand_again_and_are_others_are_named(tmp_path: Path) -> None:
    one = "".join(f"{n};match;The {noun} sleeps.;1\n{n};mismatch;The {noun} sleep.;0\n" for n, noun in enumerate(NOUNS, 1))
    other = "".join(f"{n};The {noun}s rest.;match;0\n{n};The {noun}s rests.;mismatch;1\n" for n, noun in enumerate(NOUNS, 6))
    error = said(put(tmp_path, "two.csv", f"item;cond;sentence;ok\n{one};;;\nitem;sentence;cond;error\n{other}"))
    assert "line 13: the headings stand here once more, and are others: item, sentence, cond, error" in error.message
    assert any("--leave-out 13-23" in line for line in printed(error))
