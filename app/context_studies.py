"""A study of contexts over the items of a workspace: contexts drawn, everything scored behind them, a page written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

from gapsmith.app.predicting import ScoringEstimate, predict
from gapsmith.app.workspace import is_folder_name
from gapsmith.bank import Bank, ItemFilter, ItemStatus, StoredItem
from gapsmith.parsing import open_parser
from gapsmith.scoring import (
    Progress,
    ScoreReport,
    Selected,
    expect_suites,
    read_lines,
    read_running,
    score_selected,
    select_texts,
    wording,
)
from gapsmith.scoring.context_study import (
    DrawnStudy,
    StudyPlan,
    StudyResults,
    draw_study,
    least_length,
    log_lengths,
    predictions_of,
    similarity_of,
    study_results,
    write_contexts,
)
from gapsmith.scoring.lm import Engine, token_counter, tokenizer_of
from gapsmith.scoring.observations import APPROVED
from gapsmith.scoring.report import WrittenPage
from gapsmith.stats import Restriction
from gapsmith.templates import ConfigError, GapsmithError

_LOOKED_AT = 2_000
"""So many sentences say how long sentences are."""
LONGEST = 1_000
"""Tokens of the longest contexts where the window allows them, as in the paper."""


def sample_of_running_text() -> Path:
    """The running text that comes with gapsmith (`scoring/running_text/SOURCES.md`)."""
    return Path(str(resources.files("gapsmith.scoring.running_text"))) / "sample.txt"


@dataclass(frozen=True)
class ContextStudy:
    """A study over items of a bank, under one model."""

    bank: Bank
    engine: Engine
    model: str
    plan: StudyPlan
    items: tuple[StoredItem, ...]
    drawn: DrawnStudy
    before: tuple[Restriction, ...] = ()
    """Why these are not all items of the paradigms and data sets."""

    @classmethod
    def of(
        cls,
        bank: Bank,
        engine: Engine,
        model: str,
        plan: StudyPlan,
        *,
        paradigms: Sequence[str] = (),
        datasets: Sequence[str] = (),
        text: Path | None = None,
        lines: bool = False,
        say: Callable[[str], None] = lambda _: None,
    ) -> ContextStudy:
        """Draw the contexts, or take those that an earlier run of the same study drew. Without lengths in the plan they follow
        from the window: the longest that fits before every sentence, at most `LONGEST`, and its half, quarter and eighth. Raises
        `GapsmithError`.
        """
        expect_suites(bank, plan.suites_by, everything=plan.everything)
        items, others = _items(bank, paradigms, datasets, everything=plan.everything)
        _check(plan, items)
        predictions_of(bank, (item.paradigm for item in items), plan.predictions)
        count = token_counter(model)
        window = engine.identity.get("window")
        longest = max(count(f" {sentence.text}") for item in items for sentence in item.sentences)
        room = LONGEST if window is None else min(LONGEST, window - 1 - longest)
        if room < 1:
            raise GapsmithError(
                f"The longest sentence has {longest} tokens, and the window of {model} is {window}: no context fits before it.",
                hint="Take a model with a longer window, or fewer items with --dataset.",
            )
        if window is not None and room < LONGEST and (not plan.lengths or plan.lengths[-1] >= room):
            say(f"The window of {model} is {window} tokens and the longest sentence has {longest}: contexts go to {room} tokens.")
        say(f"contexts for {len(items):,} items")
        source = text or sample_of_running_text()
        sentences = read_lines(source) if lines else read_running(source)
        if not plan.lengths:
            kinds = ([sentence.text for item in items for sentence in item.sentences], sentences)
            least = max(least_length([count(f" {own}") for own in texts[:_LOOKED_AT]]) for texts in kinds)
            plan = replace(plan, lengths=log_lengths(room, least=least))
            if least > max(1, room >> 3):
                say(
                    f"The shortest contexts have about {plan.lengths[0]} tokens: nine in ten sentences are too long for shorter ones."
                )
        drawn = draw_study(
            bank,
            plan,
            items,
            count,
            window=window,
            tokenizer=model,
            texts=sentences,
            about={"source": {"file": source.name, "texts": len(sentences)}},
        )
        before = (Restriction("decision", len(drawn.items) + others, others, APPROVED),) if others else ()
        return cls(bank, engine, model, plan, tuple(item for item in items if item.id in drawn.items), drawn, before)

    @property
    def selected(self) -> Selected:
        """What is to be scored."""
        return self._behind(self.drawn.names)

    def _behind(self, names: Sequence[str]) -> Selected:
        ids = tuple(item.id for item in self.items)
        return select_texts(self.bank, ItemFilter(ids=ids), everything=True, contexts=list(names))

    def predicted(self) -> ScoringEstimate:
        """How long scoring will take."""
        return predict(self.bank, self.engine, self.selected, self.model)

    def predicted_of_all(self) -> ScoringEstimate:
        """How long scoring all items would take, of which these are a sample. Perturbed and crossed contexts are of so many items of each
        suite however many there are; they are counted as they stand, and the sample has to be as large."""
        types = [own.made.name for own in self.drawn.conditions.values()]
        of_types = predict(self.bank, self.engine, self._behind(types), self.model)
        rest = [name for name in self.drawn.names if name not in types]
        nothing = ScoringEstimate(self.model, 0, 0, 0, None, None)
        fixed = predict(self.bank, self.engine, self._behind(rest), self.model) if rest else nothing
        return of_types.of_all(fixed, self.drawn.n_all, len(self.items))

    def score(self, selected: Selected, *, progress: Progress | None = None) -> ScoreReport:
        """Score what is not there yet."""
        return score_selected(self.bank, self.engine, selected, progress=progress)

    def results(self, scorer_id: int) -> StudyResults:
        """What was found."""
        return study_results(self.bank, self.plan, self.drawn, scorer_id, self.model, before=self.before)

    def write(self, results: StudyResults, folder: Path) -> WrittenPage:
        """Compare prefixes and targets, and write the page with its tables and figures. Raises OSError."""
        tokenizer = tokenizer_of(self.model)

        def tokens(text: str) -> Sequence[int]:
            return tokenizer.encode(f" {text}", add_special_tokens=False).ids

        found = similarity_of(self.bank, results, tokens, open_parser("embedded"))
        return write_contexts(results, found, folder)


def study_size(bank: Bank, plan: StudyPlan, paradigms: Sequence[str] = (), datasets: Sequence[str] = ()) -> int:
    """How many items a study would be of, copies counted."""
    selection = ItemFilter(paradigms=tuple(paradigms), datasets=tuple(datasets), in_results=not plan.everything)
    return bank.items.count(replace(selection, standing=() if plan.everything else (ItemStatus.APPROVED,)))


def _check(plan: StudyPlan, items: Sequence[StoredItem]) -> None:
    if not is_folder_name(plan.name):
        raise ConfigError(f"a study cannot be called {plan.name!r}", hint="Its name is that of a folder: one word, no path.")
    by = plan.suites_by
    if by and not any(by in item.attributes for item in items):
        known = sorted({name for item in items for name in item.attributes})
        raise ConfigError(
            f"no item has an attribute {by!r}, so it takes nothing apart",
            hint=f"There are: {', '.join(known)}." if known else "These items have no attributes.",
        )


def _items(
    bank: Bank, paradigms: Sequence[str], datasets: Sequence[str], *, everything: bool
) -> tuple[tuple[StoredItem, ...], int]:
    """The items for a study, and how many others there are, of sentences of their own, that are not approved."""
    named: Mapping[str, Sequence[str]] = {"paradigm": paradigms, "data set": datasets}
    known = {
        "paradigm": bank.paradigms.names(),
        "data set": sorted({own for p in bank.paradigms.names() for own in bank.items.datasets(p)}),
    }
    for what, asked in named.items():
        for name in asked:
            if name not in known[what]:
                raise GapsmithError(f"There is no {what} {name!r} here.", hint=f"There are: {', '.join(known[what])}.")
    every = ItemFilter(paradigms=tuple(paradigms), datasets=tuple(datasets), in_results=not everything)
    approved = replace(every, standing=() if everything else (ItemStatus.APPROVED,))
    found = tuple(bank.items.iterate(approved))
    if not found:
        raise GapsmithError("There are no items for a study.", hint="Approve items first, or take them undecided with --all.")
    others = 0 if everything else len(set(map(wording, bank.items.iterate(every))) - set(map(wording, found)))
    return found, others
