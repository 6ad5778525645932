"""What somebody writes by hand is taken as meant, or refused with the file, the line, what can stand there, and the line as it can read: of
every kind of file that a user writes, with a slip of the hand in any line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import pytest

from gapsmith.app.few_items import few_items
from gapsmith.app.requests.bringing import Import
from gapsmith.app.settings import load_settings
from gapsmith.app.stages.reading import with_mapping
from gapsmith.app.stages.study_steps import steps_of
from gapsmith.app.studies import load_study
from gapsmith.prompts import load_prices
from gapsmith.scoring.analysis import models_told
from gapsmith.templates import ConfigError, expect_lexicons, load_paradigm, parse_paradigm, read_toml
from gapsmith.training import load_config, read_grid
from gapsmith.training.corpus import load_filter, load_recipe
from gapsmith.vetting.review import load_guide
from gapsmith.vetting.review import load_study as load_judges
from gapsmith.vetting.rules import load_knowledge
from gapsmith.vetting.tui.keymap import load_keys

HERE = Path(__file__).parent / "written"


@dataclass(frozen=True)
class Kind:
    """A kind of file that a user writes."""

    name: str
    """Below the workspace."""
    text: str
    read: Callable[[Path], object]
    closed: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """A text of the file in which a letter too many makes another value, and what is then shown of the set."""
    open_keys: str = "$^"
    """Lines whose key may be anything."""


def _paradigm(path: Path) -> None:
    expect_lexicons(load_paradigm(str(path)))


def _study(path: Path) -> None:
    steps_of(load_study(str(path)), str(path.parent), ["bundled"])


def _mapping(path: Path) -> None:
    with_mapping(Import(file=path.parent / "items.csv", mapping=path))


NO_EVER, RC, GP = ((HERE / f"{name}.toml").read_text(encoding="utf-8") for name in ("no_ever", "rc_three", "gp_two"))
_OPEN = r"\w+ = \"(ok|\?|\*)\"|\w+ = \"(adverb|main|disambiguation)\"|short|long|forms\."

KINDS = {
    "npi": Kind(
        "no_ever.toml",
        NO_EVER,
        _paradigm,
        {
            'kind = "noun': ("noun", "verb", "determiner"),
            'items = "exhaustive': ("sampled", "exhaustive", "given"),
            'expected = "negative': ("negative", "positive", "exploratory"),
            'measure = "sum': ("sum", "mean", "perplexity"),
            'no_often = "ok': ('"ok"', '"?"', '"*"'),
            "{thing_pl": ("thing_pl", "verb_part", "person"),
            "{person": ("person", "thing"),
            'design = "npi': ("npi", "all"),
            'ever = "adverb': ("subject", "adverb", "rest"),
            "when = { ever": ("ever", "often", "no", "the"),
            "the_often": ("the_often", "no_ever"),
            'formula = "no_ever': ("no_ever", "the_often"),
            'bad = "the_ever': ("the_ever", "no_often"),
        },
        _OPEN,
    ),
    "relative clause": Kind(
        "rc_three.toml",
        RC,
        _paradigm,
        {
            'role = "filler': ("frame", "filler", "gap"),
            'role = "noun': ("noun", "matrix", "verb"),
            'alternative = "greater': ("two-sided", "greater", "less"),
            'distinct = ["head': ("head", "other"),
            "or@clause - sr@clause": ("head", "clause", "main", "end"),
        },
        _OPEN,
    ),
    "garden path": Kind(
        "gp_two.toml",
        GP,
        _paradigm,
        {
            'balance = "words': ("words", "long"),
            "forms.smell": ("smell", "look"),
            "= { past": ("past", "part", "ing"),
            'kind = "did': ("wh-effect", "preference", "did", "contrast"),
            "{ short_com": ("short", "com", "noc"),
        },
        _OPEN,
    ),
    "words of a list": Kind(
        "with_lists.toml",
        NO_EVER.replace('kind = "noun"\nwords = ["car", "house"]', 'lexicon = "names"\nwhere = { gender = "f" }').replace(
            "thing_pl", "thing"
        ),
        _paradigm,
        {'lexicon = "names': ("names", "times"), "{ gender": ("form", "gender"), 'gender = "f': ("f", "m")},
        _OPEN,
    ),
    "settings": Kind(
        "gapsmith.toml",
        'model = "gpt2"\ndtype = "float32"\nfail_on = "warning"\nbatch_size = 8\nmax_cost = 0.5\napi = "chat"\n\n[rules]\nL207 = "off"\n',
        load_settings,
        {
            'dtype = "float32': ("float32", "bfloat16"),
            'fail_on = "warning': ("error", "warning", "info", "never"),
            'api = "chat': ("chat", "responses"),
            'L207 = "off': ("off", "info", "warning", "error"),
        },
        "L207",
    ),
    "keys": Kind(
        "keys.toml", 'approve = "y"\nexclude = ["x", "delete"]\n', lambda path: load_keys([path]), {'["x", "delete': ("delete",)}
    ),
    "guide": Kind(
        "review.toml",
        'reasons = ["needs a context", "odd verb"]\nquestions = ["Would you say this yourself?"]\n',
        lambda path: load_guide(path.parent),
    ),
    "prices": Kind(
        "prices.toml",
        '[[price]]\nprovider = "openai"\nmodel = "m"\ninput = 2.0\noutput = 8.0\nas_of = 2026-01-01\n',
        lambda path: load_prices([path]),
    ),
    "models": Kind(
        "models.toml",
        '["runs/a"]\nmodel = "mini"\nseed = 1\nwords = "10M"\n',
        lambda path: models_told(path.parent),
        open_keys="model|seed|words",
    ),
    "mapping": Kind(
        "mapping.toml",
        'format = "csv"\nitem_column = ["item"]\ncondition_column = ["gap", "filler"]\nfirst = "good"\nper_item = 4\nwrapped = true\n',
        _mapping,
        {'first = "good': ("good", "bad"), 'format = "csv': ("csv", "pair_table")},
    ),
    "study": Kind(
        "my-study.toml",
        'name = "mine"\ntitle = "Embedded questions"\npaper = "the paper"\nabout = "Eight items."\nconvention = "gapsmith"\n\n[[step]]\n'
        'say = "Items."\n[step.generate]\nparadigm = "embedded_wh"\nn = 8\n\n[[step]]\nsay = "Lint."\n[step.lint]\n'
        'fail_on = "never"\n\n[[set]]\nname = "all"\ntitle = "all eight"\nparadigm = "embedded_wh"\ndataset = "generated"\n'
        'stimuli = "ours"\n\n[[number]]\nwhat = "wh-effect"\nset = "all"\ncontrast = "W1"\nstatistic = "mean"\npublished = -3.1\n'
        'model = "gpt2"\n',
        _study,
        {
            'statistic = "mean': ("mean", "dz", "share"),
            'stimuli = "ours': ("published", "ours"),
            'convention = "gapsmith': ("gapsmith", "minicons"),
            'set = "all': ("all",),
            "[step.lint": ("lint", "score"),
            'fail_on = "never': ("error", "never"),
        },
    ),
    "judges": Kind(
        "judges.toml",
        'version = 1\nname = "j"\ntask = "categories"\nquestion = "Is it good?"\nconditions = ["a", "b"]\nannotators = ["ann", "ben"]\n'
        'shown = "one"\napart = 5\nitems = [\n  { item = "1", uid = "u1", texts = "t1" },\n  { item = "2", uid = "u2", texts = "t2" },\n]\n',
        load_judges,
        {'task = "categories': ("scale", "categories", "choice"), 'shown = "one': ("one", "all")},
    ),
    "training": Kind(
        "config.toml",
        '[network]\narchitecture = "gpt2"\nhidden = 32\nlayers = 1\nheads = 2\n\n[tokenizer]\nvocabulary = 300\n\n[rows]\nlength = 16\n\n'
        "[schedule]\nlearning_rate = 3e-3\nwarmup = 8\n\n[run]\nsteps = 10\nbatch = 4\n",
        lambda path: load_config(str(path)),
        {'architecture = "gpt2': ("gpt2", "lstm", "ngram")},
    ),
    "recipe": Kind(
        "recipe.toml",
        '[[source]]\nname = "CHILDES"\nformat = "chat"\nwords = 4_000\npath = "childes/"\nlicence = "CC BY"\n',
        lambda path: load_recipe(str(path)),
        {'format = "chat': ("plain", "chat", "bnc")},
    ),
    "filter": Kind(
        "filter.toml",
        'title = "Questions"\nsource = "ours"\nput_back = 0.002\n\n[words]\nwh = "who what"\n\n[[out]]\nwhy = "a question"\ntext = "({wh})"\n',
        lambda path: load_filter(str(path)),
        open_keys="wh",
    ),
    "grid": Kind(
        "grid.toml",
        '[grid]\nseeds = [1, 2]\nminutes = 30\nconfig = "mini"\nnote = "small"\n\n[cell.one]\ncorpus = "folder"\n',
        read_grid,
        open_keys="corpus",
    ),
}

_VALUE = re.compile(r"(\s*[\w.\"-]+\s*=\s*)(.*)")
SLIPS = ("key", "type", "bare", "typographic", "no end", "no begin", "no equals")


def _slipped(line: str, slip: str) -> str | None:
    """A line with a slip of the hand; None where it has no place for it."""
    parts = _VALUE.fullmatch(line)
    if parts is None or line.startswith("#"):
        return None
    head, value = parts.groups()
    first, _, rest = value.partition('"')
    match slip:
        case "key":
            key = head.partition("=")[0].strip()
            return line.replace(key, f"{key}{key[-1]}", 1) if re.fullmatch(r"\w{3,}", key) else None
        case "type":
            # What stands in several lines would be left without its beginning.
            return None if value == "[" else f"{head}7" if '"' in value or value[:1] in "[{" else f'{head}"seven"'
        case "bare":
            return line.replace('"', "") if re.search(r'"[a-z]', line) else None
        case "typographic":
            return re.sub(r'"([^"]*)"', r"“\1”", line) if '"' in value else None
        case "no end":
            return f"{head}{value[: value.rindex(chr(34))]}{value[value.rindex(chr(34)) + 1 :]}" if '"' in value else None
        case "no begin":
            return f"{head}{first}{rest}" if '"' in value else None
        case "no equals":
            return line.replace(" = ", " ", 1)
    raise AssertionError(slip)


def _refused(kind: Kind, text: str, folder: Path) -> ConfigError | None:
    """The error for a text of the file; None where it is read. Anything else that is raised is a traceback for its user."""
    path = folder / kind.name
    path.write_text(text, encoding="utf-8")
    try:
        kind.read(path)
    except ConfigError as error:
        return error
    return None


def _shown(hint: str) -> dict[int, str]:
    return {int(number): line for number, line in re.findall(r"^Line (\d+) can read:\n  (.*)$", hint, re.MULTILINE)}


def _with(text: str, lines: dict[int, str]) -> str:
    return "\n".join(lines.get(number, line) for number, line in enumerate(text.splitlines(), 1)) + "\n"


def _places() -> Iterator[tuple[str, int, str]]:
    for name, kind in KINDS.items():
        for number, line in enumerate(kind.text.splitlines(), 1):
            yield from ((name, number, slip) for slip in SLIPS if _slipped(line, slip) not in (None, line))


def _walk(folder: Path, name: str, number: int, slip: str) -> None:
    kind = KINDS[name]
    line = kind.text.splitlines()[number - 1]
    slipped = _slipped(line, slip)
    assert slipped is not None
    text = _with(kind.text, {number: slipped})
    error = _refused(kind, text, folder)
    if error is None:
        # Taken as meant: a number in quotes, a key that may be called anything, or a line that is no less sound.
        assert slip == "type" or (slip == "key" and re.match(kind.open_keys, line.strip())), slipped
        return
    said = f"{error.message}\n{error.hint}"
    assert kind.name in error.message, said
    shown = _shown(error.hint)
    mended = _with(text, shown)
    if slip in ("typographic", "no end", "no begin", "no equals"):
        assert f"line {number}: not valid TOML" in error.message, said
        assert number in shown, said
    if slip == "type" or (slip == "key" and not re.match(kind.open_keys, line.strip())):
        assert f"line {number}" in said or "lacks" in said, said
    for at, own in shown.items():
        assert own != text.splitlines()[at - 1].strip()
    if shown:
        with suppress(ConfigError):
            read_toml(mended)
        left = _refused(kind, mended, folder)
        assert left is None or left.message != error.message, said


@pytest.mark.parametrize("every", [29, pytest.param(1, marks=pytest.mark.full)])
def test_a_slip_of_the_hand_in_any_line(tmp_path: Path, every: int) -> None:
    for place in islice(_places(), 0, None, every):
        _walk(tmp_path, *place)


@pytest.mark.parametrize("name", KINDS)
def test_what_is_sound_is_read(tmp_path: Path, name: str) -> None:
    assert _refused(KINDS[name], KINDS[name].text, tmp_path) is None


@pytest.mark.parametrize(("name", "old"), [(name, old) for name, kind in KINDS.items() for old in kind.closed])
def test_a_value_of_a_closed_set_that_is_off_by_a_letter(tmp_path: Path, name: str, old: str) -> None:
    kind = KINDS[name]
    assert kind.text.count(old), old
    text = kind.text.replace(old, f"{old}{'x' if old[-1].isdigit() else old[-1]}", 1)
    line = text[: kind.text.index(old)].count("\n") + 1
    error = _refused(kind, text, tmp_path)
    assert error is not None
    said = f"{error.message}\n{error.hint}"
    assert f"{kind.name}, line " in error.message, said
    assert all(own in said for own in kind.closed[old]), said
    assert "Did you mean" in said or line in _shown(error.hint), said


RULE = "code,role,list,property,when,severity,guess,message,remedy\nXMY001,verb,verbs,reciprocal,,warning,,“{word}” it is,Take another.\n"
NOUNS = "form,class\nteapot,thing\n"


@pytest.mark.parametrize(
    ("name", "text", "old", "new", "line", "shown"),
    [
        ("word_rules", RULE, "role,", "rol,", 1, "Columns: code, role, list"),
        ("word_rules", RULE, "verb,verbs", "verbb,verbs", 2, "Did you mean verb?"),
        ("word_rules", RULE, "verbs,", "verbz,", 2, "Did you mean verbs?"),
        ("word_rules", RULE, "reciprocal", "reciprocl", 2, "Did you mean reciprocal?"),
        ("word_rules", RULE, "warning", "warn", 2, "Did you mean warning? There are: error, info, warning"),
        ("word_rules", RULE, "{word}", "{wrd}", 2, "Did you mean word?"),
        ("word_rules", RULE, "reciprocal,,", "reciprocal,", 2, "double quotes"),
        ("word_rules", RULE, "XMY001", "MY001", 2, "A code of your own is X"),
        ("nouns", NOUNS, "form,", "from,", 1, "The header begins with form"),
        ("nouns", NOUNS, "form,class", "form;class", 1, "commas"),
        ("nouns", NOUNS, "thing", "thng", 2, "Did you mean thing?"),
        ("nouns", NOUNS, "teapot", "“teapot”", 2, "without quotes"),
        ("nouns", NOUNS, "teapot,", '"teapot,', 2, "double quotes"),
        ("nouns", NOUNS, "teapot,thing", "teapot,thing,more", 2, "double quotes"),
        ("nouns", NOUNS, "teapot,thing", "teapot,thing\nteapot,thing", 3, ""),
    ],
)
def test_word_lists_and_word_rules(tmp_path: Path, name: str, text: str, old: str, new: str, line: int, shown: str) -> None:
    (tmp_path / "lexicons").mkdir()
    (tmp_path / "lexicons" / f"{name}.csv").write_text(text, encoding="utf-8")
    load_knowledge(tmp_path)
    (tmp_path / "lexicons" / f"{name}.csv").write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ConfigError) as refused:
        load_knowledge(tmp_path)
    assert f"{name}.csv, line {line}" in refused.value.message
    assert shown in refused.value.hint


MISTAKES = {
    "npi": [
        ('the_ever = "*"', 'ever_the = "*"'),
        ('["nurse", "lawyer", "farmer"]', "[nurse, lawyer, farmer]"),
        ('["nurse", "lawyer", "farmer"]', '["nurse" "lawyer", "farmer"]'),
        ('["nurse", "lawyer", "farmer"]', '["nurse", "lawyer", "farmer"'),
        ('["nurse", "lawyer", "farmer"]', '("nurse", "lawyer")'),
        ('["nurse", "lawyer", "farmer"]', '["nurse", "lawyer", "(farmer|baker"]'),
        ('{ no = "no {person}", the', '{ no: "no {person}", the'),
        ('{ no = "no {person}", the = "the {person}" }', "{ no = no {person}, the = the {person} }"),
        ('no = "no {person}"', 'no = "no [person]"'),
        ("{thing_pl}", "{thing_plural}"),
        ("{thing_pl}", "{thing pl}"),
        ("{thing_pl}", "(thing_pl)"),
        ("shares_critical = true", "shares_critical = yes"),
        ("no_ever - the_ever", "no-ever – ever_the"),
        ('{ good = "no_ever", bad = "the_ever" }', '{ "no_ever", "the_ever" }'),
        ("[factors.licensor]", "[factors licensor]"),
        ('[[regions]]\nname = "adverb"', '[regions]\nname = "adverb"'),
        ("[slots.person]", "[[slots.person]]"),
        ('name = "no_ever"', 'name: "no_ever"'),
    ],
    "relative clause": [
        ('role = "filler"', 'role = "Filler"'),
        ('role = "gap"', "role = gap  # where it is"),
        ('distinct = ["head", "other"]', 'distinct = "head", "other"'),
        ("[[constraints]]", "[constraints]"),
        ('["arrive", "laugh"]', '["arrive"; "laugh"]'),
        ('["arrive", "laugh"]', "['arrive', 'laugh\"]"),
        ('"{adverb}"', "'it's {adverb}'"),
        ('"{adverb}"', '"{adverb}”'),
        ("max_words", "max words"),
        ('pr = "?"', "pr = ?"),
    ],
    "garden path": [
        ("delta = 0.5", "delta = 0,5"),
        ("{ long = true }", "long = True"),
        ("opt_noc@spill", "opt_noc.spil"),
        ("(intr_noc - intr_com)", "(intr_noc - intr_com"),
        ("short_com = ", "shrt_com = "),
        ("forms.smell", "forms.smel"),
        ("{ past = ", "{ pst = "),
        ('final_punctuation = "."', "final_punctuation = ."),
        ('["soup", "letter"]', '["soup", "letter"]]'),
        ("{thing} in the old house", "{thing in the old house"),
        ("[choices.length]", "[choice.length]"),
        ('kind = "did"', 'kind = "DID"'),
    ],
}
"""What somebody who does not program writes instead, who has the page on paradigms only."""


@pytest.mark.parametrize(("name", "old", "new"), [(name, *own) for name, all_ in MISTAKES.items() for own in all_])
def test_the_line_that_is_shown_mends_a_paradigm(tmp_path: Path, name: str, old: str, new: str) -> None:
    kind = KINDS[name]
    assert old in kind.text
    text = kind.text.replace(old, new, 1)
    error = _refused(kind, text, tmp_path)
    assert error is not None
    left = _refused(kind, _with(text, _shown(error.hint)), tmp_path)
    assert left is None, f"{error}\n{left}"


def test_names_can_be_lists_and_a_table_in_several_lines_is_shown_in_one(tmp_path: Path) -> None:
    listed = NO_EVER.replace('levels = { no = "no", the = "the" }', 'levels = ["no", "the"]')
    listed = listed.replace('{ good = "no_ever", bad = "the_ever" }', '["no_ever", "the_ever"]')
    assert parse_paradigm(listed).conditions == parse_paradigm(NO_EVER).conditions
    assert parse_paradigm(listed).designs[1].labels == {"no_ever": "no_ever", "the_ever": "the_ever"}
    several = NO_EVER.replace('{ ever = "has ever", often = "has often" }', '{\n  ever = "has ever",\n  often = "has often",\n}')
    error = _refused(KINDS["npi"], several, tmp_path)
    assert error is not None
    assert 'Lines 23 to 26 can read:\n  when = { ever = "has ever", often = "has often" }' in error.hint


def test_an_attribute_that_no_level_has_is_said_with_those_that_there_are() -> None:
    (said,) = few_items(parse_paradigm(GP.replace("where = { long = true }", "where = { lng = true }")), 40)
    assert said.endswith("no item that is made from words has that. Did you mean long? The choices give length, words, long")


def test_what_is_hardly_meant_is_read_where_items_were_made_with_it() -> None:
    text = RC.replace("max_words = 2", "max_words = 1").replace("the {head} that", "the {head} [other] that")
    with pytest.raises(ConfigError, match="'last week' has 2 words"):
        parse_paradigm(text)
    assert parse_paradigm(text, kept=True).regions
