"""What the name of a model says: seed, step, size and training. It is assumed from the name and said so, or told by a file.

Names are read by three patterns: those of the POSH-BENCH authors' repository (``gpt2_mini_baby_10Mf_32768_42``: architecture, size, corpus,
millions of words, f where direct evidence was filtered out, vocabulary, seed), a seed (``mini-seed1``, ``mini_seed1``), and a step
(``…/checkpoint-500``, ``mini-step1000``). A file ``models.toml`` of the workspace says it outright, and then nothing is read from the name::

    ["runs/a"]
    model = "mini"      # what the seeds and steps of one model have in common
    seed = 1
    step = 500
    words = "10M"       # any other key is what models differ in
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from gapsmith.templates import ConfigError, made_of, text_of

FILE: Final = "models.toml"
_POSH = re.compile(
    r"(?P<base>(?P<architecture>[A-Za-z0-9]+)_(?P<size>[a-z]+)_(?P<corpus>[a-z]+)_(?P<words>\d+M)(?P<filtered>f?)_(?P<vocabulary>\d+))"
    r"_(?P<seed>\d+)(?=$|[-_/])"
)
_SEED = re.compile(r"[-_./]?seed[-_=]?(\d+)", re.IGNORECASE)
_STEP = re.compile(r"(?:/checkpoints)?[-_/.]((?:step|checkpoint|epoch)[-_]?\d+)(?=$|[-_/.])(?:/$)?", re.IGNORECASE)
_OWN = ("model", "seed", "step")


@dataclass(frozen=True, slots=True)
class ModelName:
    """A model, as one of those that differ in seed and step only."""

    name: str
    """As it was scored."""
    model: str
    """Without seed and step."""
    seed: str = ""
    step: str = ""
    """As in the name: ``checkpoint-500``; empty where it has none."""
    training: Mapping[str, str] = field(default_factory=dict)
    """What it was trained on and how large it is: architecture, size, corpus, words, filtered, vocabulary; or what the file tells."""
    is_told: bool = False
    """Whether a file tells it, and nothing is assumed."""
    whole: str = ""
    """What all steps of its training are called together: the name without its step."""

    @property
    def assumed(self) -> str:
        """What was read from the name, in words; empty where nothing was, or a file tells it."""
        if self.is_told:
            return ""
        parts = [f"{key} {value}" for key, value in self.training.items()]
        parts += [f"seed {self.seed}"] if self.seed else []
        parts += [self.step] if self.step else []
        return f"{self.name}: {', '.join(parts)}" if parts else ""


Told = Mapping[str, ModelName]
"""What a file tells of models, by the names that they were scored by."""


def read_model_name(name: str, told: Told | None = None) -> ModelName:
    """What a model is, by the file, else by its name. Raises `ConfigError` for a name that can be read in two ways, with the line of the
    file that decides."""
    if told is not None and name in told:
        return told[name]
    posh, seeds, steps = _POSH.search(name), list(_SEED.finditer(name)), list(_STEP.finditer(name))
    readings = [f"seed {posh['seed']} at the end of {posh[0]}"] if posh else []
    readings += [f"seed {one[1]} in {one[0]}" for one in seeds]
    if len(readings) > 1:
        raise _unclear(name, readings)
    if len(steps) > 1:
        raise _unclear(name, [f"the step {one[1]}" for one in steps])
    step, whole = "", name
    if steps:
        step, whole = steps[0][1], name[: steps[0].start()] + name[steps[0].end() :]
    model = _SEED.sub("", whole, count=1)
    if posh is None:
        return ModelName(name, model, seeds[0][1] if seeds else "", step, whole=whole)
    model = model.replace(posh[0], posh["base"], 1)
    keys = ("architecture", "size", "corpus", "words", "filtered", "vocabulary")
    training = {key: posh[key] for key in keys} | {"filtered": "yes" if posh["filtered"] else "no"}
    return ModelName(name, model, posh["seed"], step, training, whole=whole)


def _unclear(name: str, readings: Iterable[str]) -> ConfigError:
    return ConfigError(
        f"the name {name} can be read in two ways: {' or '.join(readings)}",
        hint=f'Say it in {FILE} of the workspace: ["{name}"], below it model = "…" and seed = … (or step = …).',
    )


def models_told(folder: Path) -> Told:
    """What ``models.toml`` of a folder tells; nothing where there is none. Raises `ConfigError`, naming the file and the model."""
    file = folder / FILE
    if not file.is_file():
        return {}
    try:
        text = text_of(file, "utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: cannot be read as UTF-8 text ({error})") from None
    return made_of(text, str(file), _told, what="a file of models")


def _told(said: Mapping[str, object]) -> Told:
    found = {}
    for name, own in said.items():
        if not isinstance(own, dict):
            raise ConfigError(f"{name} is no table", hint=f'Write ["{name}"], and below it model = "…", seed = 1.', place=(name,))
        odd = next((key for key, value in own.items() if not isinstance(value, (str, int, float, bool))), None)
        if odd is not None:
            raise ConfigError(f"{name}: {odd} is neither a text nor a number", place=(name, odd))
        step, seed, model = own.get("step", ""), str(own.get("seed", "")), str(own.get("model", name))
        one = ModelName(
            name,
            model,
            seed,
            f"step{step}" if isinstance(step, int) else str(step),
            {key: _text(value) for key, value in own.items() if key not in _OWN},
            is_told=True,
            whole=f"{model}-seed{seed}" if seed and step != "" else model if step != "" else name,
        )
        found[name] = one
        found.setdefault(one.whole, replace(one, name=one.whole, step=""))
    return found


def _text(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def names_assumed(names: Iterable[ModelName]) -> list[str]:
    """A sentence on what was assumed from the names of models; none where nothing was."""
    said = list(dict.fromkeys(own.assumed for own in names if own.assumed))
    return [f"Assumed from the names of models ({FILE} of the workspace says otherwise): {'; '.join(said)}."] if said else []
