"""The linter measured on items whose flaws are known."""

from __future__ import annotations

import csv
import pickle
from hashlib import sha256
from pathlib import Path

import pytest
from filelock import FileLock
from typer.testing import CliRunner

from gapsmith.app.cli.app import app
from gapsmith.templates import FormatError
from gapsmith.vetting.auditing import Audit, AuditCounts, GoldItem, Wordhood, audit, read_gold, shipped_gold
from gapsmith.vetting.rules import RULES, load_knowledge
from tests.printed import result
from tools import build_gold
from tools.build_gold import COLUMNS, GOLD, build

DIGESTS = [
    "8a896c5a9becb7ce",
    "29fa9e01e10a3ba1",
    "e7897b0475004f24",
    "fef0e3c199a2faa1",
    "015e0c2d66e2a136",
    "50f62186452e4e74",
    "92d4ae221e750361",
]


@pytest.fixture(scope="session")
def shipped(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Audit:
    """The audit of the shipped gold sets; of several workers one makes it for all."""
    if worker_id == "master":
        return audit(_shipped_items(), load_knowledge())
    kept = tmp_path_factory.getbasetemp().parent / "shipped-audit.pickle"
    with FileLock(kept.with_suffix(".lock")):
        if not kept.exists():
            kept.write_bytes(pickle.dumps(audit(_shipped_items(), load_knowledge())))
        found = pickle.loads(kept.read_bytes())
    assert isinstance(found, Audit)
    return found


def _shipped_items() -> list[GoldItem]:
    return [item for path in shipped_gold() for item in read_gold(path)]


def test_the_gold_set_is_what_its_script_builds() -> None:
    """Nobody has edited the file by hand."""
    assert GOLD.read_text(encoding="utf-8") == build()


@pytest.mark.full
def test_a_new_row_of_the_gold_set_adds_an_item_and_changes_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever it stands below the line; above it, it is refused."""
    rows = {
        "flaws.csv": ["object drop,L201,subject_pg,verb,devour,", "irregular spaces,T033,subject_pg,cells,double,"],
        "clean.csv": ["We know,the,tale,about,is going to,enrage,eventually"],
        "embedded_clean.csv": ["We know,the tiger,devoured,the deer,at dawn"],
        "heldout.csv": ["held-out verb,,subject_pg,verb,devour"],
    }
    for name, new in rows.items():
        (tmp_path / name).write_text((GOLD.parent / name).read_text(encoding="utf-8") + "\n".join(new) + "\n", encoding="utf-8")
    monkeypatch.setattr(build_gold, "HERE", tmp_path)
    before, after = GOLD.read_text(encoding="utf-8"), build()
    assert after.startswith(before)
    added = list(csv.reader(after[len(before) :].splitlines()))
    assert len({row[1] for row in added}) == 5
    text = (tmp_path / "flaws.csv").read_text(encoding="utf-8")
    (tmp_path / "flaws.csv").write_text(text.replace(f"{rows['flaws.csv'][0]}\n", ""), encoding="utf-8")
    fewer = build().splitlines()
    assert fewer == [line for line in after.splitlines() if ",devour,," not in line or "held out" in line]
    for line, said in (("# The", "New rows go below it"), (rows["flaws.csv"][1], "is there twice")):
        (tmp_path / "flaws.csv").write_text(text.replace(line, f"{rows['flaws.csv'][1]}\n{line}"), encoding="utf-8")
        with pytest.raises(FormatError, match=said):
            build()


def test_a_gold_set_without_a_line_or_with_a_row_in_two_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An item is called by its row's words, so that of two rows that are the same one would be lost."""
    kind = "kind,expected,paradigm,slot,word"
    words = {
        "clean.csv": "matrix,determiner,noun,preposition,linker,verb,adverb",
        "embedded_clean.csv": "matrix,subject,verb,object,time",
    }
    for name in ("clean.csv", "embedded_clean.csv", "flaws.csv", "heldout.csv"):
        marked = f"{words.get(name, kind)}\n# The 0 rows above are dealt by their place.\n"
        (tmp_path / name).write_text(marked, encoding="utf-8")
    monkeypatch.setattr(build_gold, "HERE", tmp_path)
    monkeypatch.setattr(build_gold, "_planted", lambda *_: build_gold._Made("subject_pg", "", ()))
    row = "object drop,L201,subject_pg,verb,devour\n"
    for name in ("flaws.csv", "heldout.csv"):
        with (tmp_path / name).open("a", encoding="utf-8") as file:
            file.write(row)
    with pytest.raises(FormatError, match=f"two files have the row {row.strip()}"):
        build()
    (tmp_path / "flaws.csv").write_text(f"{kind}\n{row}", encoding="utf-8")
    with pytest.raises(FormatError, match=r"flaws.csv: no line says “# The N rows above"):
        build()


def test_the_gold_set_is_large_and_varied() -> None:
    """At least 300 items, a good third of them sound, and 30 kinds of flaws, each under a code that exists."""
    items = read_gold(shipped_gold()[0])
    flawed = [item for item in items if item.expected]
    assert len(items) >= 300
    assert len(items) - len(flawed) >= 150
    assert len({item.flaw for item in flawed}) >= 30
    assert {code for item in flawed for code in (*item.expected, *item.also)} <= set(RULES)


def test_the_blind_set_is_frozen() -> None:
    """508 items by seven writers, half of them sound; a changed byte would make every figure about it worthless."""
    blind = shipped_gold()[2:]
    digests = [sha256(path.read_bytes()).hexdigest()[:16] for path in blind]
    assert digests == DIGESTS
    items = [item for path in blind for item in read_gold(path)]
    assert len(items) == 508
    assert sum(not item.expected for item in items) == 254


@pytest.mark.full
def test_sources_are_counted_apart(shipped: Audit) -> None:
    """What was written with the lists at hand is no measure of what happens with words that nobody thought of."""
    assert shipped.sources == (
        "gold, with the lists",
        "gold, held out",
        "constructions",
        "blind writer1",
        "blind writer2",
        "blind writer3",
        "blind writer4",
        "blind writer5",
        "blind writer6",
        "blind writer7",
    )
    assert shipped.total("blind writer1").flawed == shipped.total("blind writer1").sound == 38
    assert shipped.total("blind writer1", Wordhood.UNKNOWN).flawed > 0


@pytest.mark.full
def test_mechanics_are_all_found(shipped: Audit) -> None:
    """Every planted flaw of family T."""
    found, planted = shipped.recall("T")
    assert found == planted >= 40


@pytest.mark.full
def test_lexical_flaws_written_with_the_lists(shipped: Audit) -> None:
    """98 % of them at the least: the easy case."""
    tally = shipped.total("gold, with the lists", Wordhood.KNOWN)
    assert tally.flawed >= 150
    assert tally.named / tally.flawed >= 0.98


@pytest.mark.full
def test_sound_items_of_the_lists_are_left_alone(shipped: Audit) -> None:
    """An error or a warning on 2 % of them at the most."""
    tally = shipped.total("gold, with the lists")
    assert tally.sound >= 150
    assert tally.sound_warned / tally.sound <= 0.02


def _left_out(shipped: Audit, *beginnings: str) -> AuditCounts:
    total = AuditCounts()
    for (source, _), tally in shipped.left_out.items():
        if source.startswith(beginnings):
            total.add(tally)
    return total


@pytest.mark.full
@pytest.mark.parametrize(
    "sources",
    [
        ("gold",),
        ("blind",),
        ("blind writer1", "blind writer2"),
        ("blind writer3",),
        ("blind writer4", "blind writer5"),
        ("blind writer6", "blind writer7"),
    ],
)
def test_words_in_no_list(shipped: Audit, sources: tuple[str, ...]) -> None:
    """With the flawed word taken out of the lists 85 % of the flaws are named by what was counted, and with one content word
    taken out 3 % of the sound items at the most are warned of, and as few because of it."""
    found = _left_out(shipped, *sources)
    assert found.named / found.flawed >= 0.85
    assert found.sound_warned / found.sound <= 0.03
    assert found.sound_warned_anew / found.sound <= 0.03


@pytest.mark.full
def test_remarks_on_sound_words_in_no_list(shipped: Audit) -> None:
    """15 % of the sound trials of those who wrote before the bound was set get a remark that the lists would not make. The two
    writers since, whom no rule was made in sight of, are beyond it at 20 %, and with them all sources are at 15.3 %."""
    before = _left_out(shipped, "gold", *(f"blind writer{number}" for number in range(1, 6)))
    assert before.sound >= 1900
    assert before.sound_remarked / before.sound <= 0.15
    assert _left_out(shipped, "").sound_remarked / _left_out(shipped, "").sound <= 0.16
    assert _left_out(shipped, "").sound_warned / _left_out(shipped, "").sound <= 0.03


@pytest.mark.full
def test_guesses_are_apart_from_what_nobody_knows(shipped: Audit) -> None:
    """Counted words are named far more often than words that the corpus does not have."""
    shares = {}
    for wordhood in (Wordhood.COUNTED, Wordhood.UNKNOWN):
        tallies = [tally for (_, own), tally in shipped.left_out.items() if own is wordhood]
        shares[wordhood] = sum(t.named for t in tallies) / sum(t.flawed for t in tallies)
    assert shares[Wordhood.COUNTED] > 0.85 > shares[Wordhood.UNKNOWN] + 0.1


def _slot_rows(path: Path, *rows: tuple[str, str, str, str, str]) -> Path:
    """A gold file of one row per item, given as (id, verb, sound, flaw_slot, flaw_kind)."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        names = ["matrix", "determiner", "noun", "preposition", "name1", "linker", "verb", "name2", "adverb"]
        writer.writerow(("id", *names, "sound", "flaw_slot", "flaw_kind"))
        for label, verb, sound, slot, kind in rows:
            words = ("I know", "the", "story", "about", "Maria", "is likely to", verb, "Anna", "soon")
            writer.writerow((label, *words, sound, slot, kind))
    (path.parent / "codes.csv").write_text("flaw_slot,flaw_kind,codes\nverb,optional,L201|L207\n", encoding="utf-8")
    return path


def test_a_row_for_each_item(tmp_path: Path) -> None:
    """Only a code that names the flaw counts as having named it, and an info finding does not count as a warning."""
    path = _slot_rows(
        tmp_path / "mine.csv",
        ("1", "win", "no", "verb", "optional"),
        ("2", "offend", "no", "verb", "optional"),
        ("3", "stun", "no", "verb", "optional"),
        ("4", "befog", "no", "verb", "optional"),
        ("5", "stun", "yes", "", ""),
        ("6", "befog", "yes", "", ""),
    )
    result = audit(read_gold(path), load_knowledge())
    known, unknown = (result.total(wordhood=words) for words in (Wordhood.KNOWN, Wordhood.UNKNOWN))
    assert (known.flawed, known.named, known.warned) == (3, 2, 1)
    assert (unknown.flawed, unknown.named, unknown.warned) == (1, 0, 0)
    assert (known.sound, known.sound_warned, unknown.sound, unknown.sound_warned) == (1, 0, 1, 0)


def test_a_flaw_that_no_code_is_said_to_name(tmp_path: Path) -> None:
    """The item and the file to mend are named; it is not counted as missed."""
    path = _slot_rows(tmp_path / "mine.csv", ("1", "win", "no", "verb", "boring"))
    with pytest.raises(FormatError, match=r"item 1: codes.csv has no line for verb, boring"):
        read_gold(path)


@pytest.mark.full
def test_constructions_are_read_from_their_words(shipped: Audit, tmp_path: Path) -> None:
    """All their flaws are named and nothing sound is; a row that lacks a word is named with it."""
    tally = shipped.total("constructions")
    assert tally.named == tally.warned == tally.flawed >= 35
    assert (tally.sound_warned, tally.wrong) == (0, 0)
    assert tally.sound >= 10
    path = tmp_path / "mine.csv"
    path.write_text("paradigm,expected,flaw,words\natb,,,matrix=I know; object=clock\n", encoding="utf-8")
    with pytest.raises(FormatError, match="item 1: subject has no value"):
        read_gold(path)


def _gold(path: Path, *items: tuple[str, str, str]) -> Path:
    """A gold file of two-by-two items given as (verb, expected, word)."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for number, (verb, expected, word) in enumerate(items, 1):
            for label, text in {
                "PFPG": f"I know who the story about is likely to {verb} soon.",
                "MFPG": f"I know that the story about Maria is likely to {verb} soon.",
                "PFMG": f"I know who the story about is likely to {verb} Anna soon.",
                "MFMG": f"I know that the story about Maria is likely to {verb} Anna soon.",
            }.items():
                flaw = "a flaw" if expected else ""
                writer.writerow(("subject_pg", number, "lan2x2", label, text, expected, flaw, word, "", "mine"))
    return path


def test_what_is_counted(tmp_path: Path) -> None:
    """Found, missed, known, unknown, and a false alarm, each once."""
    path = _gold(
        tmp_path / "gold.csv",
        ("win", "L201", "win"),
        ("befog", "L201", "befog"),
        ("stun", "L203", "stun"),
        ("eat", "", ""),
    )
    result = audit(read_gold(path), load_knowledge())
    assert result.recall("L201") == (1, 2)
    tallies = [result.total("mine", wordhood) for wordhood in (Wordhood.KNOWN, Wordhood.UNKNOWN)]
    assert [(tally.named, tally.flawed) for tally in tallies] == [(1, 2), (0, 1)]
    assert [item.word for item, _ in result.missed] == ["befog", "stun"]
    assert [item.label for item, _ in result.false_alarms] == ["4"]
    entry = result.codes["L201"]
    assert (entry.right, entry.wrong, entry.precision) == (1, 1, 0.5)


def test_the_command_prints_the_same_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As text and as JSON, for a file of the user's own; it needs no workspace."""
    path = _gold(tmp_path / "gold.csv", ("win", "L201", "win"), ("eat", "", ""))
    done = CliRunner().invoke(app, ["lint", "--audit", str(path), "--json"])
    assert done.exit_code == 0, done.output
    data = result(done.stdout)
    assert data["codes"]["L201"]["found"] == 1
    assert data["false_alarms"] == [{"item": "2", "codes": ["L201"]}]
    monkeypatch.setattr("gapsmith.app.stages.linting.shipped_gold", lambda: (path,))
    text = CliRunner().invoke(app, ["lint", "--audit", "shipped"]).stdout
    assert [line.split()[-1] for line in text.splitlines() if line.startswith("mine")][:1] == ["1/1"]
    assert data["left_out"][0]["words"] == "counted"


@pytest.mark.parametrize(
    ("content", "said"),
    [("item_id,condition\n1,PFPG\n", "sentence_type"), (None, "no such file")],
)
def test_a_file_that_is_no_gold_set(tmp_path: Path, content: str | None, said: str) -> None:
    """The missing column, or the missing file, is named."""
    path = tmp_path / "gold.csv"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(FormatError, match=said):
        read_gold(path)
