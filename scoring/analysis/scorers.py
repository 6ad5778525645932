"""The only place that decides which scorer's values an analysis takes, and what is said of the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gapsmith.bank import Bank, Scorer
from gapsmith.scoring.observations import begins_as
from gapsmith.templates import GAPSMITH, ConfigError, GapsmithError, find_convention

_SAID_ALREADY = frozenset({"revision", "dtype", "bos", "release", "number"})


def find_scorer(
    bank: Bank,
    texts: Sequence[str],
    model: str | None = None,
    *,
    scorer_id: int | None = None,
    everything: bool = False,
    by_context: Mapping[int, Sequence[str]] | None = None,
    convention: str = GAPSMITH,
) -> tuple[Scorer, list[str]]:
    """The scorer to take for these texts, and what to say about the choice.

    That is the one that measured most of them, the newest of several: so one whose run was stopped does not replace one
    that is complete. With `by_context`, the texts that are asked for by their context, what it measured of those comes first:
    a run without contexts does not replace one with them. Scorers whose texts begin otherwise than `convention` has them begin come
    last under ours, where tables then say so, and are none of another. Raises `ConfigError` for a model or scorer that is not there,
    `GapsmithError` where none has scored these texts; its advice scores `everything` where all items are asked for,
    whatever was decided of them.
    """
    scorers = _candidates(bank, model, scorer_id)
    wanted = list(dict.fromkeys(texts))
    measured = {scorer.id: bank.scores.measured(scorer.id, wanted) for scorer in scorers}
    having = [scorer for scorer in scorers if measured[scorer.id]]
    by = find_convention(convention)
    fitting = {scorer.id for scorer in having if begins_as(bank, scorer, by)}
    if convention != GAPSMITH and having and not fitting:
        own = having[-1].model
        raise GapsmithError(
            f"No scores of these items were made as {convention} makes them ({by.title}).",
            hint=f"Run `gapsmith score --model {own}{' --all' if everything else ''} --convention {convention}` first.",
        )
    if convention != GAPSMITH:
        having = [scorer for scorer in having if scorer.id in fitting]
    if not having:
        known = list(dict.fromkeys(scorer.model for scorer in scorers))
        asked = model is not None or scorer_id is not None
        run = known[-1] if known else "gpt2"
        flag = " --all" if everything else ""
        offline = "" if run == "bundled" else f"; without a network, `gapsmith score --model bundled{flag}`"
        raise GapsmithError(
            f"None of these items has been scored{f' by {known[0]}' if asked else ''}.",
            hint=f"Run `gapsmith score --model {run}{flag}` first{offline}.",
        )
    if len(having) == 1:
        return having[0], []
    n_behind = sum(len(own) for own in (by_context or {}).values())
    in_context = {
        scorer.id: sum(bank.scores.measured(scorer.id, own, context=context) for context, own in (by_context or {}).items())
        for scorer in having
    }
    having.sort(
        key=lambda own: (own.id in fitting, in_context[own.id], measured[own.id], own.id),
        reverse=True,
    )
    taken, second = having[0], having[1]
    why = "the newest" if measured[second.id] == measured[taken.id] else "the one that measured most of them"
    if in_context[second.id] < in_context[taken.id]:
        why = "the one that measured most of them behind these contexts"
    if taken.id in fitting and second.id not in fitting:
        why = f"the one whose sentences begin as the convention {convention} has them begin"
    sentences = f"{len(wanted):,} sentence{'' if len(wanted) == 1 else 's'}"
    counts = {
        scorer.id: f"{measured[scorer.id]:,} of {sentences}"
        + (f" and {in_context[scorer.id]:,} of {n_behind:,} behind contexts" if n_behind else "")
        for scorer in having
    }
    others = "; ".join(f"scorer {other.id}, {counts[other.id]}, {_unlike(other, taken)}" for other in having[1:])
    note = (
        f"Several scorers measured these items; this is {why}: scorer {taken.id}, {describe_scorer(taken)}, "
        f"{counts[taken.id]}. Others, which --scorer takes: {others}."
    )
    return taken, [note]


def describe_scorer(scorer: Scorer) -> str:
    """A scorer in one phrase: model, revision, dtype, BOS policy."""
    # Engines of installed packages need not know of number formats and tokens.
    known = [value for name, value in (("dtype", scorer.dtype), ("bos", scorer.bos)) if name in scorer.identity]
    return f"{scorer.model} ({', '.join([f'revision {_short(scorer.revision)}', *known])})"


def _candidates(bank: Bank, model: str | None, scorer_id: int | None) -> list[Scorer]:
    """The scorers of the bank that are asked for, oldest first."""
    scorers = bank.scores.scorers()
    names = list(dict.fromkeys(scorer.model for scorer in scorers))
    if model is not None and model not in names:
        known = f"Models with scores here: {', '.join(names)}." if names else "No model has scored anything here yet."
        raise ConfigError(f"There are no scores by {model!r}.", hint=f"{known} Run `gapsmith score --model {model}`.")
    if scorer_id is not None and scorer_id not in [scorer.id for scorer in scorers]:
        known = "; ".join(f"{scorer.id}: {describe_scorer(scorer)}" for scorer in scorers) or "none yet"
        raise ConfigError(f"There is no scorer {scorer_id}.", hint=f"Scorers here: {known}.")
    found = [scorer for scorer in scorers if scorer_id in (None, scorer.id) and model in (None, scorer.model)]
    if not found and scorer_id is not None:
        own_model = bank.scores.scorer(scorer_id).model
        raise ConfigError(f"Scorer {scorer_id} is {own_model}, not {model}.", hint="Leave --model or --scorer out.")
    return found


def _short(revision: str) -> str:
    return revision.removeprefix("sha256:")[:12]


def _unlike(other: Scorer, taken: Scorer) -> str:
    """In what another scorer differs from the one that is taken, in its own terms."""
    ours, theirs = _flat(taken), _flat(other)
    if other.model != taken.model:
        return describe_scorer(other)
    unlike = [
        f"{name} {theirs.get(name, 'not recorded')} instead of {ours.get(name, 'not recorded')}"
        for name in dict.fromkeys((*theirs, *ours))
        if theirs.get(name) != ours.get(name)
    ]
    return f"{other.model} with {', '.join(unlike)}"


def _flat(scorer: Scorer) -> dict[str, str]:
    named = {"revision": _short(scorer.revision), "dtype": scorer.dtype, "BOS": scorer.bos}
    rest = {name: value for name, value in sorted(scorer.identity.items()) if name not in _SAID_ALREADY}
    return named | {name.replace("_", " "): _short(str(value)) for name, value in rest.items()}
