"""Learn from the word lists what kind of word each other word is: the tables `kinds-*` of `vetting/wordrates`, and count the
subjects of words with an infinitive: the tables `subjects-*`.

    python -m tools.learn_word_kinds CORPUS.txt.xz

Words of one class stand beside the same words: kernel ridge regression on what stands one and two places before and after a word
(positive pointwise mutual information, cosine) and on the rates of `tools.count_word_rates`, with one output for each class of a
list, made into probabilities by a logistic regression on the scores that listed words get **when they are left out** (the
leave-one-out scores of ridge regression are exact: Rifkin & Lippert 2007). For a listed word the table holds the guess that was
made without it, so that an audit that takes the word out of its list sees what an unlisted word would get.

Who tries or is eager is a person, and what is likely or seems may be a thing (Perlmutter 1970): before *to* and an infinitive the
personal pronouns and *it, there, that, this, which* are counted as subjects.
"""

from __future__ import annotations

import argparse
import io
import lzma
import re
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from gapsmith.templates import load_dictionary
from gapsmith.vetting.rules.knowledge import Knowledge, load_knowledge
from gapsmith.vetting.wordrates import KIND_TABLES, load_word_rates

Array = Any
_TOKEN = re.compile(r"[a-z]+(?:['’-][a-z]+)*|[.,;:!?\"“”()]|[0-9]+")
_CLITIC = re.compile(r"(n't|'(?:s|re|ve|ll|d|m))$")
_MID_CAPITAL = re.compile(r"(?<=[a-z,;] )([A-Z][a-z]+)\b")
_OFFSETS = (-2, -1, 1, 2)
_CONTEXTS = 1500
"""The words that count as neighbors; all rarer ones are one."""
_RARE, _BREAK = -1, -2
_LEAST = 5
"""Forms that are rarer are left out."""
MINIMUM = 10
"""Words whose forms occur less often together teach nothing and get no guess, listed or not."""
_NAMES = 5
"""The same for names, which are rarer and have one form."""
_RIDGE = 1.5
_SMALLEST = 8
"""Probabilities below this percentage are not kept."""
_STEP = 2
"""Percentages are rounded to this: the tables ship."""
_LIKE = 2


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# Context words whose own rates count: ``-he`` right before the word, ``+that`` right after it.
_ROLES = _words("-he -she -they -it -that +him +me +them +it +. +the +by +to +up +that +himself +themselves")
_CLAUSES = _words("+that +who +what +whether +if +how +to +of +about +him +me +the +.")
_SUBJECTS = _words("-it -that -this -which -there -i -we -you -he -she")
_IN_NOUNS = _words(
    "+of +about +for +on +to +with +in +by +from +who +said +was +is +that +'s +. -the -a -his -her -my -of -some -this"
)
_IN_ADVERBS = _words(
    "+. +, +a +the +and +to +be +been +he +i +of +in +had +was -. -, -and -have -had -has -was -is -will -be -the -a -of -in -on"
    " -years -days -him -it -her -them -very -so"
)
_IN_NAMES = _words(
    "+said +was +had +and +'s +, +is -in -at -from -to -near -of -with -that -for -by -and -said -mr -mrs -miss -sir -dear -poor"
    " -lord -lady -king -captain -the -a -an -his -her -new -old -little"
)
_THINGS = _words("it there that this which these those")
_PERSONS = _words("i we you he she who")
_BE = _words("is was are were be been being 's 're 'm am")
_BETWEEN = _words("not n't so very also quite more most always only almost still just")


@dataclass(frozen=True)
class Corpus:
    """What stands beside each word form, by position."""

    index: Mapping[str, int]
    counts: Array
    neighbors: Any
    """Form by (position, context word): how often."""
    capitals: Mapping[str, int]
    """How often a word has a capital inside a sentence."""
    words: int
    subjects: Mapping[str, tuple[Array, Array]]
    """Of each form before *to*, how often its subject was a thing, how often a person: ``a`` after a form of *be*, ``v`` else."""


def _tokens(line: str) -> Iterator[str]:
    for found in _TOKEN.findall(line.lower().replace("’", "'")):
        clitic = _CLITIC.search(found)
        if clitic is not None and clitic.start() > 0:
            yield found[: clitic.start()]
            yield clitic.group()
        else:
            yield found


def read_corpus(path: Path) -> Corpus:
    """Count the neighbors of every word form."""
    counts: Counter[str] = Counter()
    capitals: Counter[str] = Counter()
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            capitals.update(word.lower() for word in _MID_CAPITAL.findall(line))
            counts.update(_tokens(line))
    forms = [word for word, n in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])) if n >= _LEAST]
    index = {word: place for place, word in enumerate(forms)}
    text = array("i")
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            text.extend((_BREAK, _BREAK))
            text.extend(index.get(word, _RARE) for word in _tokens(line))
    numbers = np.frombuffer(text, dtype=np.int32)
    blocks = []
    for offset in _OFFSETS:
        here, there = (numbers[-offset:], numbers[:offset]) if offset < 0 else (numbers[:-offset], numbers[offset:])
        at = here >= 0
        context = there[at].astype(np.int64)
        context = np.where((context >= _CONTEXTS) | (context == _RARE), _CONTEXTS, context)
        context = np.where(context == _BREAK, _CONTEXTS + 1, context)
        pairs, n = np.unique(here[at].astype(np.int64) * (_CONTEXTS + 2) + context, return_counts=True)
        where = (pairs // (_CONTEXTS + 2), pairs % (_CONTEXTS + 2))
        blocks.append(sparse.csr_matrix((n.astype(np.float64), where), shape=(len(forms), _CONTEXTS + 2)))
    found = sparse.hstack(blocks, format="csr")
    frequencies = np.array([counts[word] for word in forms])
    return Corpus(index, frequencies, found, capitals, sum(counts.values()), _subjects(numbers, index))


def _subjects(numbers: Array, index: Mapping[str, int]) -> Mapping[str, tuple[Array, Array]]:
    def are(places: Array, words: tuple[str, ...]) -> Array:
        return np.isin(places, [index[word] for word in words if word in index])

    at = np.flatnonzero(numbers[1:] == index.get("to", _BREAK - 1))
    at = at[(at > 3) & (numbers[at] >= 0)]
    near, far = are(numbers[at - 1], _BE), are(numbers[at - 2], _BE) & are(numbers[at - 1], _BETWEEN)
    subject = np.where(near, numbers[at - 2], np.where(far, numbers[at - 3], numbers[at - 1]))

    def count(chosen: Array) -> Array:
        return np.bincount(numbers[at[chosen]], minlength=len(index))

    return {
        name: (count(kind & are(subject, _THINGS)), count(kind & are(subject, _PERSONS)))
        for name, kind in (("a", near | far), ("v", ~(near | far)))
    }


@dataclass(frozen=True)
class Words:
    """Words with what is known of them: a row for each form (unit length, sparse), and rates."""

    names: Sequence[str]
    rows: Sequence[Any]
    rates: Array

    def only(self, chosen: Array) -> Words:
        """Some of them."""
        return Words([self.names[i] for i in chosen], [row[chosen] for row in self.rows], self.rates[chosen])


class Space:
    """Words as points: what stands beside their forms, and their rates."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        marginal = np.asarray(corpus.neighbors.sum(0)).ravel() ** 0.75
        self._chance = marginal / marginal.reshape(len(_OFFSETS), -1).sum(1).repeat(_CONTEXTS + 2)

    def count(self, forms: Sequence[str]) -> int:
        """How often the forms occur together."""
        places = {self.corpus.index[form] for form in forms if form in self.corpus.index}
        return int(sum(self.corpus.counts[place] for place in places))

    def rows(self, groups: Sequence[Sequence[str]]) -> Any:
        """A unit row for each group of forms, of positive mutual information, discounted where it rests on few."""
        index = self.corpus.index
        pairs = [(i, index[form]) for i, group in enumerate(groups) for form in sorted(set(group)) if form in index]
        ones = np.ones(len(pairs))
        where = ([i for i, _ in pairs], [j for _, j in pairs])
        chosen = sparse.csr_matrix((ones, where), shape=(len(groups), len(index)))
        found = (chosen @ self.corpus.neighbors).tocoo()
        totals = np.maximum(np.asarray(found.sum(1)).ravel() / len(_OFFSETS), 1)
        values = np.log(found.data / totals[found.row] / self._chance[found.col]) * found.data / (found.data + 1)
        kept = values > 0
        rows = sparse.csr_matrix((values[kept], (found.row[kept], found.col[kept])), shape=found.shape)
        length = np.sqrt(np.asarray(rows.multiply(rows).sum(1)).ravel())
        return sparse.diags(1 / np.where(length == 0, 1, length)) @ rows

    def beside(self, words: Sequence[Sequence[Sequence[str]]], contexts: Sequence[str]) -> Array:
        """Standardised log odds of context words, over all forms of each word: words x contexts."""
        index = self.corpus.index
        pairs = [(i, index[f]) for i, groups in enumerate(words) for f in sorted({f for g in groups for f in g} & index.keys())]
        where = ([i for i, _ in pairs], [j for _, j in pairs])
        chosen = sparse.csr_matrix((np.ones(len(pairs)), where), shape=(len(words), len(index)))
        n = np.asarray(chosen @ self.corpus.counts).ravel()
        found = []
        for context in contexts:
            block = _OFFSETS.index(-1 if context[0] == "-" else 1)
            column = self.corpus.neighbors[:, block * (_CONTEXTS + 2) + index[context[1:]]]
            count = np.asarray((chosen @ column).todense()).ravel()
            odds = np.log((count + 0.5) / (n - count + 10))
            found.append((odds - odds.mean()) / (odds.std() + 1e-9))
        return np.array(found).T.reshape(len(words), len(contexts))


@dataclass(frozen=True)
class Lesson:
    """What a table is learnt from: words of a list with their classes, and who else may be asked about."""

    table: str
    labels: Mapping[str, frozenset[str]]
    forms: Mapping[str, Sequence[Sequence[str]]]
    """Of every word, listed or not, its forms in groups."""
    weights: tuple[float, ...]
    """What each group counts."""
    counts: Mapping[str, Sequence[float]]
    """Log odds from the parsed corpus."""
    beside: tuple[str, ...] = ()
    """Context words whose own rates count: ``-he`` right before the word, ``+that`` right after it."""
    least: int = MINIMUM
    """Words whose forms occur less often together are left out."""


def kernel(left: Words, right: Words, lesson: Lesson) -> Array:
    """How alike words are: 7 is a word and itself; of that, 1 is for the rates."""
    beside = sum(weight * (a @ b.T).toarray() for weight, a, b in zip(lesson.weights, left.rows, right.rows, strict=True)) / sum(
        lesson.weights
    )
    squares = (left.rates**2).sum(1)[:, None] + (right.rates**2).sum(1)[None] - 2 * left.rates @ right.rates.T
    near = np.exp(-np.maximum(squares, 0) / (1.2 * left.rates.shape[1]))
    return 6 * np.maximum(beside, 0) ** 1.5 + near


def lessons(knowledge: Knowledge, corpus: Corpus) -> Iterator[Lesson]:
    """One for each table."""
    dictionary, rates = load_dictionary(), load_word_rates()
    lists = knowledge.lists

    def verb_forms(verb: str) -> list[Sequence[str]]:
        past, participle, gerund, third = dictionary.verbs.get(
            verb, ((verb + "ed",), (verb + "ed",), (verb + "ing",), (verb + "s",))
        )
        return [[verb], [*past, *participle], gerund, third]

    verb_rates = {
        word: _odds(
            (c.object, c.active),
            (c.person, c.object),
            (c.passive, c.n),
            (c.particle, c.n),
            (c.that, c.n),
            (c.wh, c.n),
            (c.addressee, c.that + c.wh),
        )
        for word, c in rates.verbs.items()
    }
    noun_rates = {
        word: _odds((c.plural, c.n), (c.a, c.n), (c.of, c.n), (c.about, c.n), (c.of_person, c.of))
        for word, c in rates.nouns.items()
    }
    adjective_rates = {
        word: _odds(
            (c.predicative, c.n),
            (c.to, c.predicative),
            (c.that, c.predicative),
            (c.wh, c.predicative),
            (c.it, c.to + c.that + c.wh),
            (c.of, c.n),
            (c.about, c.n),
        )
        for word, c in rates.adjectives.items()
    }
    verbs = {verb: verb_forms(verb) for verb in {*dictionary.verbs, *_single(lists["verbs"])}}
    adjectives = {word: [[word]] for word in dictionary.adjectives}
    in_verbs = (1.0, 1.0, 0.5, 0.5)

    yield Lesson("verbs", _classes(lists["verbs"]), verbs, in_verbs, verb_rates, _ROLES)

    nouns = {}
    for form, entry in _single(lists["nouns"]).items():
        nouns[form] = frozenset({*entry.values("class"), *(f"+{p}" for p in entry.values("preposition"))})
    noun_forms = {word: [[word], plurals] for word, plurals in dictionary.nouns.items()}
    noun_forms |= {word: [[word], [word + "s"]] for word in nouns if word not in noun_forms}
    yield Lesson("nouns", nouns, noun_forms, (1.0, 0.7), noun_rates, _IN_NOUNS)

    embedding = {w: c for w, c in _classes(lists["predicates"]).items() if "v" in lists["predicates"][w].values("pos")}
    # Verbs that no one thought of as predicates take no clause, as a rule; a part of them is enough.
    without = sorted(w for w in _single(lists["verbs"]) if w not in lists["predicates"])[::6]
    embedding = {w: frozenset({"none"}) for w in without} | embedding
    clause_rates = {
        w: [*odds, *_odds((rates.verbs[w].wh, rates.verbs[w].wh + rates.verbs[w].that))] for w, odds in verb_rates.items()
    }
    yield Lesson("predicates-v", embedding, verbs, in_verbs, clause_rates, _CLAUSES)
    clear = {w: c for w, c in _classes(lists["predicates"]).items() if "a" in lists["predicates"][w].values("pos")}
    yield Lesson("predicates-a", clear, adjectives | {w: [[w]] for w in clear}, (1.0,), adjective_rates, _CLAUSES)
    link = _classes(lists["linkers"])
    ready = {w: c for w, c in link.items() if "a" in lists["linkers"][w].values("pos")}
    subject_of = {w: _odds(_pair(corpus, "a", [[w]])) for w in {*adjectives, *ready}}
    unknown = list(np.mean(list(adjective_rates.values()), 0))
    linker_rates = {w: [*adjective_rates.get(w, unknown), *odds, *odds] for w, odds in subject_of.items()}
    yield Lesson("linkers-a", ready, adjectives | {w: [[w]] for w in ready}, (1.0,), linker_rates, _CLAUSES)
    seem = {w: c for w, c in link.items() if "v" in lists["linkers"][w].values("pos")}
    linking = verbs | {w: verb_forms(w) for w in seem}
    seem_rates = {w: [*odds, *_odds(_pair(corpus, "v", linking[w]))] for w, odds in verb_rates.items() if w in linking}
    yield Lesson("linkers-v", seem, linking, in_verbs, seem_rates, (*_CLAUSES, *_SUBJECTS))

    kinds = (dictionary.nouns, dictionary.verbs, dictionary.adjectives, dictionary.adverbs)
    of_dictionary = {word: [float(word in kind) for kind in kinds] + [_small_share(word, corpus)] for word in corpus.index}
    adverbs = _classes(lists["adverbs"])
    candidates = {*dictionary.adverbs, *adverbs}
    yield Lesson("adverbs", adverbs, {w: [[w]] for w in candidates}, (1.0,), of_dictionary, _IN_ADVERBS)

    names: dict[str, frozenset[str]] = {}
    for name in ("names", "proper_names"):
        for word, classes in _classes(lists[name]).items():
            names[word] = names.get(word, frozenset()) | classes
    written = {w for w in corpus.index if corpus.capitals.get(w, 0) >= MINIMUM}
    yield Lesson("names", names, {w: [[w]] for w in {*written, *names}}, (1.0,), of_dictionary, _IN_NAMES, _NAMES)


def _single(entries: Mapping[str, Any]) -> dict[str, Any]:
    return {word: entry for word, entry in entries.items() if " " not in word and word.isascii()}


def _classes(entries: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    return {word: frozenset(entry.values("class")) for word, entry in _single(entries).items()}


def _odds(*rates: tuple[int, int]) -> list[float]:
    return [float(np.log((count + 0.5) / (max(total - count, 0) + 5))) for count, total in rates]


def _pair(corpus: Corpus, table: str, groups: Sequence[Sequence[str]]) -> tuple[int, int]:
    """(things, all) of the subjects that a word with an infinitive was seen with."""
    places = [corpus.index[form] for form in sorted({f for group in groups for f in group}) if form in corpus.index]
    things, persons = corpus.subjects[table]
    return int(things[places].sum()), int(things[places].sum() + persons[places].sum())


def _small_share(word: str, corpus: Corpus) -> float:
    n = corpus.counts[corpus.index[word]]
    return float(np.log((corpus.capitals.get(word, 0) + 1) / (n + 2)))


@dataclass(frozen=True)
class Learnt:
    """A table: each word's classes with their probabilities, and the listed words that are most like it."""

    classes: Sequence[str]
    listed: Words
    labels: Array
    left_out: Array
    """Of each listed word, the probabilities that it gets without its own entry."""
    others: Words
    guesses: Array
    likes: Mapping[str, tuple[str, ...]]


def learn(lesson: Lesson, space: Space) -> Learnt:
    """Fit, leave each word out, and guess the others."""

    def often(word: str) -> int:
        return space.count([form for group in lesson.forms[word] for form in group])

    everyone = {word: groups for word, groups in lesson.forms.items() if often(word) >= lesson.least}
    listed = sorted(word for word in lesson.labels if word in everyone)
    others = sorted(word for word in everyone if word not in lesson.labels and word.isascii())
    names = [*listed, *others]
    rows = [space.rows([everyone[word][i] for word in names]) for i in range(len(lesson.weights))]
    known = np.array([lesson.counts[word] for word in names if word in lesson.counts])
    mean, spread = known.mean(0), known.std(0) + 1e-9
    parsed = np.array([(np.array(lesson.counts.get(word, mean)) - mean) / spread for word in names])
    rates = np.hstack([parsed, space.beside([everyone[word] for word in names], lesson.beside)])
    words = Words(names, rows, rates)
    inside, outside = words.only(np.arange(len(listed))), words.only(np.arange(len(listed), len(names)))
    classes = sorted({name for word in listed for name in lesson.labels[word]})
    labels = np.array([[name in lesson.labels[word] for name in classes] for word in listed], dtype=float)

    likeness = kernel(inside, inside, lesson)
    inverse = np.linalg.inv(likeness + _RIDGE * np.eye(len(listed)))
    weights = inverse @ (labels - labels.mean(0))
    without = labels - weights / np.diag(inverse)[:, None]
    across = kernel(outside, inside, lesson)
    scores = across @ weights + labels.mean(0)
    left_out, guesses = np.empty_like(without), np.empty_like(scores)
    for place in range(len(classes)):
        slope, offset = _logistic(without[:, place], labels[:, place])
        left_out[:, place] = 1 / (1 + np.exp(-slope * without[:, place] - offset))
        guesses[:, place] = 1 / (1 + np.exp(-slope * scores[:, place] - offset))
    likes: dict[str, tuple[str, ...]] = {}
    np.fill_diagonal(likeness, 0)
    for some, near, found in ((inside, likeness, left_out), (outside, across, guesses)):
        for i, word in enumerate(some.names):
            best = near[i] * labels[:, found[i].argmax()]
            likes[word] = tuple(inside.names[j] for j in np.argsort(-best)[:_LIKE] if best[j] > 0)
    return Learnt(classes, inside, labels, left_out, outside, guesses, likes)


def _logistic(scores: Array, labels: Array) -> tuple[float, float]:
    """(slope, offset) of a logistic regression (Platt 1999), by Newton's method with a little ridge."""
    design = np.stack([scores, np.ones_like(scores)], 1)
    found = np.array([4.0, -2.0])
    for _ in range(50):
        p = 1 / (1 + np.exp(-design @ found))
        gradient = design.T @ (labels - p) - 1e-3 * found
        hessian = (design * (p * (1 - p))[:, None]).T @ design + 1e-3 * np.eye(2)
        found = found + np.linalg.solve(hessian, gradient)
    return float(found[0]), float(found[1])


def write(learnt: Learnt, path: Path, source: str, words: int, least: int) -> None:
    """A row for each word: its classes with percentages, the likeliest first; the listed words that are most like it."""
    out = io.StringIO()
    out.write(f"# source\t{source}\n# words\t{words}\n# minimum\t{least}\n")
    out.write("word\tkinds\tlike\n")
    rows = [
        *zip(learnt.listed.names, learnt.left_out, strict=True),
        *zip(learnt.others.names, learnt.guesses, strict=True),
    ]
    for word, shares in sorted(rows, key=lambda row: row[0]):
        percent = {name: _STEP * round(100 * share / _STEP) for name, share in zip(learnt.classes, shares, strict=True)}
        kept = sorted((n for n in percent if percent[n] >= _SMALLEST), key=lambda name: -percent[name])
        cells = " ".join(f"{name}:{percent[name]}" for name in kept)
        out.write(f"{word}\t{cells}\t{' '.join(learnt.likes[word])}\n")
    _pack(out.getvalue(), path)


def write_subjects(table: str, groups: Mapping[str, Sequence[Sequence[str]]], corpus: Corpus, path: Path, source: str) -> None:
    """A row for each word that was seen with an infinitive: how many of its subjects were things, and how many there were."""
    out = io.StringIO()
    out.write(f"# source\t{source}\n# words\t{corpus.words}\n# minimum\t{MINIMUM}\nword\tthings\tsubjects\n")
    for word in sorted(groups):
        things, subjects = _pair(corpus, table, groups[word])
        if word.isascii() and subjects >= MINIMUM:
            out.write(f"{word}\t{things}\t{subjects}\n")
    _pack(out.getvalue(), path)


def _pack(text: str, path: Path) -> None:
    path.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


def main() -> None:
    """Learn every table and write it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent.parent / "vetting" / "wordrates")
    parser.add_argument("--source", default="running English: CC0, public-domain and CC-BY texts")
    asked = parser.parse_args()
    corpus = read_corpus(asked.corpus)
    space = Space(corpus)
    for lesson in lessons(load_knowledge(), corpus):
        assert lesson.table in KIND_TABLES
        learnt = learn(lesson, space)
        write(learnt, asked.out / f"kinds-{lesson.table}.tsv.xz", asked.source, corpus.words, lesson.least)
        if lesson.table.startswith("linkers"):
            table = lesson.table[-1]
            write_subjects(table, lesson.forms, corpus, asked.out / f"subjects-{table}.tsv.xz", asked.source)
        top = learnt.labels[np.arange(len(learnt.labels)), learnt.left_out.argmax(1)].mean()
        print(
            f"{lesson.table}: {len(learnt.listed.names):,} of {len(lesson.labels):,} listed words counted, likeliest class right"
            f" for {top:.1%} when left out; {len(learnt.others.names):,} others",
            flush=True,
        )


if __name__ == "__main__":
    main()
