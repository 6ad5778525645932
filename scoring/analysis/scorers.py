"""Which scorer's values are taken, and what is said of the others."""

from __future__ import annotations

from collections.abc import Sequence

from bank import Bank, ScorerSettings
from templates.errors import ConfigError, GapsmithError

__all__ = ["describe_scorer", "find_scorer"]


def find_scorer(
    bank: Bank, texts: Sequence[str], model: str | None = None, *, scorer_id: int | None = None
) -> tuple[int, ScorerSettings, list[str]]:
    """The scorer to take for these texts, and what to say about the choice.

    That is the one that measured most of them, the newest of several: so one whose run was stopped does not replace one
    that is complete. Raises `ConfigError` for a model or scorer that is not there, `GapsmithError` where none has scored
    these texts.
    """
    scorers = _candidates(bank, model, scorer_id)
    wanted = list(dict.fromkeys(texts))
    measured = {own: len(wanted) - len(bank.scores.missing(own, wanted)) for own, _ in scorers}
    having = [(own, settings) for own, settings in scorers if measured[own]]
    if not having:
        known = list(dict.fromkeys(settings.model for _, settings in scorers))
        asked = model is not None or scorer_id is not None
        run = known[-1] if known else "gpt2"
        offline = "" if run == "bundled" else "; without a network, `gapsmith score --model bundled`"
        raise GapsmithError(
            f"None of these items has been scored{f' by {known[0]}' if asked else ''}.",
            hint=f"Run `gapsmith score --model {run}` first{offline}.",
        )
    having.sort(key=lambda entry: (measured[entry[0]], entry[0]), reverse=True)
    own, settings = having[0]
    if len(having) == 1:
        return own, settings, []
    why = "the newest" if measured[having[1][0]] == measured[own] else "the one that measured most of them"
    sentences = f"{len(wanted):,} sentence{'' if len(wanted) == 1 else 's'}"
    others = "; ".join(
        f"scorer {other}, {measured[other]:,} of {sentences}, {_unlike(theirs, settings)}"
        for other, theirs in having[1:]
    )
    note = (
        f"Several scorers measured these items; this is {why}: scorer {own}, {describe_scorer(settings)}, "
        f"{measured[own]:,} of {sentences}. Others, which --scorer takes: {others}."
    )
    return own, settings, [note]


def describe_scorer(settings: ScorerSettings) -> str:
    """A scorer in one phrase: model, revision, dtype, BOS policy."""
    return f"{settings.model} (revision {_short(settings.revision)}, {settings.dtype}, {settings.bos})"


def _candidates(bank: Bank, model: str | None, scorer_id: int | None) -> list[tuple[int, ScorerSettings]]:
    """The scorers of the bank that are asked for, oldest first."""
    scorers = bank.scores.scorers()
    names = list(dict.fromkeys(settings.model for _, settings in scorers))
    if model is not None and model not in names:
        known = f"Models with scores here: {', '.join(names)}." if names else "No model has scored anything here yet."
        raise ConfigError(f"There are no scores by {model!r}.", hint=f"{known} Run `gapsmith score --model {model}`.")
    if scorer_id is not None and scorer_id not in [own for own, _ in scorers]:
        known = "; ".join(f"{own}: {describe_scorer(settings)}" for own, settings in scorers) or "none yet"
        raise ConfigError(f"There is no scorer {scorer_id}.", hint=f"Scorers here: {known}.")
    found = [(own, s) for own, s in scorers if scorer_id in (None, own) and model in (None, s.model)]
    if not found and scorer_id is not None:
        own_model = dict(scorers)[scorer_id].model
        raise ConfigError(f"Scorer {scorer_id} is {own_model}, not {model}.", hint="Leave --model or --scorer out.")
    return found


def _short(revision: str) -> str:
    return revision.removeprefix("sha256:")[:12]


def _unlike(other: ScorerSettings, taken: ScorerSettings) -> str:
    """In what the settings of another scorer differ from those of the one that is taken, in its own terms."""
    ours, theirs = _flat(taken), _flat(other)
    if other.model != taken.model:
        return describe_scorer(other)
    unlike = [
        f"{name} {theirs.get(name, 'not recorded')} instead of {ours.get(name, 'not recorded')}"
        for name in dict.fromkeys((*theirs, *ours))
        if theirs.get(name) != ours.get(name)
    ]
    return f"{other.model} with {', '.join(unlike)}"


def _flat(settings: ScorerSettings) -> dict[str, str]:
    named = {
        "revision": _short(settings.revision),
        "dtype": settings.dtype,
        "BOS": settings.bos,
        "engine": settings.engine,
    }
    return named | {name.replace("_", " "): str(value) for name, value in sorted(settings.extra.items())}
