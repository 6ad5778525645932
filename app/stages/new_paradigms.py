"""Writing a paradigm of one's own from what somebody says of it: factors, regions, words."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from gapsmith.app.exporting import write_whole
from gapsmith.app.paradigm_check import CheckResult, check_paradigm
from gapsmith.app.requests.base import said, said_or_none, toml_value
from gapsmith.app.requests.bringing import NewParadigm
from gapsmith.app.services import QUIET, Services
from gapsmith.app.workspace import Workspace
from gapsmith.templates import ConfigError, parse_paradigm

_KINDS = ("noun", "verb", "determiner")
_ENTRY = re.compile(r"(?P<name>[a-z][a-z0-9_]*)\s*(?:\[(?P<by>[^\]]*)\])?(?:\s+(?P<kind>[a-z]+))?\s*:\s*(?P<rest>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ParadigmWritten:
    """A paradigm file that was written, and what its check says."""

    path: Path
    text: str
    checks: tuple[CheckResult, ...]


def new_paradigm(workspace: Workspace, request: NewParadigm, services: Services = QUIET) -> ParadigmWritten:
    """The file, written. Raises `ConfigError`, and writes nothing, where something is not said or does not check."""
    path = said(request.out, workspace.root / "paradigms" / f"{request.name}.toml")
    if path.exists() and not request.force:
        raise ConfigError(f"{path}: is there already", hint="Name another file with --out, or write over it with --force.")
    text = text_of(request)
    paradigm = parse_paradigm(text, path=str(path))
    checks = tuple(check_paradigm(paradigm, workspace.root))
    if failed := [check for check in checks if not check.ok]:
        raise ConfigError(f"{request.name}: {failed[0].what}: {failed[0].detail}", hint="Nothing was written.")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, text.encode())
    for check in checks:
        if check.warns:
            services.warn(f"{check.what}: {check.detail}")
    services.note(f"Wrote {path}; next: gapsmith generate {shlex.quote(request.name)} -n 20")
    return ParadigmWritten(path, text, checks)


def conditions_of(factors: Sequence[str]) -> list[str]:
    """The conditions that the factors of a request make, by name. Raises `ConfigError`."""
    return ["_".join(levels) for levels in product(*_factors(factors).values())]


def text_of(request: NewParadigm) -> str:
    """The paradigm file that a request asks for. Raises `ConfigError` naming what is not said."""
    factors = _factors(request.factor)
    names = ["_".join(levels) for levels in product(*factors.values())]
    for what, given in (("--region", request.region), ("--critical", request.critical)):
        if not given:
            raise ConfigError(f"{request.name}: nothing says {what}", hint=f"For instance: {NewParadigm.examples[0]}")
    if missing := [name for name in names if name not in request.status]:
        raise ConfigError(
            f"{request.name}: nothing says what a native speaker says of {', '.join(missing)}",
            hint=" ".join(f"--status {name}=ok" for name in missing) + " (ok, ? or *)",
        )
    lines = [
        f"name = {toml_value(request.name)}",
        f"title = {toml_value(said_or_none(request.title) or request.name)}",
        'items = "sampled"',
        f"final_punctuation = {toml_value(request.final_mark)}",
        "",
    ]
    for factor, levels in factors.items():
        shown = ", ".join(f"{level} = {toml_value(level)}" for level in levels)
        lines += [f"[factors.{factor}]", f"levels = {{ {shown} }}", ""]
    lines += ["[status]", *(f"{name} = {toml_value(request.status[name])}" for name in names), ""]
    for region in request.region:
        lines += [*_region(region, factors), ""]
    lines += ["[critical]", *_critical(request.critical, factors), ""]
    for slot in request.slot:
        lines += [*_slot(slot), ""]
    lines += ["[designs.all]", 'conditions = "all"', ""]
    for contrast in request.contrast:
        lines += [*_contrast(contrast), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _read(entry: str, what: str, example: str) -> re.Match[str]:
    found = _ENTRY.fullmatch(entry.strip())
    if found is None:
        raise ConfigError(f"{what} {entry!r} cannot be read", hint=f"For instance {what} {shlex.quote(example)}.")
    return found


def _factors(given: Sequence[str]) -> dict[str, list[str]]:
    if not given:
        raise ConfigError("nothing says which factors there are", hint="For instance --factor 'number: sg, pl'.")
    factors = {}
    for entry in given:
        found = _read(entry, "--factor", "number: sg, pl")
        levels = [level.strip() for level in found["rest"].split(",") if level.strip()]
        if len(levels) < 2:
            raise ConfigError(f"--factor {entry!r} has fewer than two levels", hint="For instance --factor 'number: sg, pl'.")
        factors[found["name"]] = levels
    return factors


def _region(entry: str, factors: Mapping[str, Sequence[str]]) -> Iterator[str]:
    found = _read(entry, "--region", "verb[number]: is | are")
    yield "[[regions]]"
    yield f"name = {toml_value(found['name'])}"
    if found["by"] is None:
        yield f"text = {toml_value(found['rest'].strip())}"
        return
    by = [name.strip() for name in found["by"].split(",")]
    if unknown := [name for name in by if name not in factors]:
        raise ConfigError(f"--region {entry!r}: there is no factor {unknown[0]!r}", hint=f"Factors: {', '.join(factors)}.")
    keys = ["_".join(levels) for levels in product(*(factors[name] for name in by))]
    texts = [text.strip() for text in found["rest"].split("|")]
    if len(texts) != len(keys):
        raise ConfigError(
            f"--region {entry!r} has {len(texts)} texts, and {len(keys)} are needed",
            hint=f"One each for {', '.join(keys)}, in this order, with | between them; nothing between two | is an empty region.",
        )
    yield f"when = {{ {', '.join(f'{key} = {toml_value(text)}' for key, text in zip(keys, texts, strict=True))} }}"


def _critical(given: Sequence[str], factors: Mapping[str, Sequence[str]]) -> Iterator[str]:
    for entry in given:
        key, equals, region = entry.partition("=")
        if equals:
            yield f"{key.strip()} = {toml_value(region.strip())}"
        else:
            yield from (f"{level} = {toml_value(entry.strip())}" for level in next(iter(factors.values())))


def _slot(entry: str) -> Iterator[str]:
    found = _read(entry, "--slot", "head noun: farmer, nurse")
    words = [word.strip() for word in found["rest"].split(",") if word.strip()]
    kind = found["kind"]
    if kind is not None and kind not in _KINDS:
        raise ConfigError(f"--slot {entry!r}: there is no kind {kind!r}", hint=f"Kinds: {', '.join(_KINDS)}.")
    if not words:
        raise ConfigError(f"--slot {entry!r} has no words", hint="For instance --slot 'head noun: farmer, nurse'.")
    yield f"[slots.{found['name']}]"
    yield f"description = {toml_value(f'a {kind}' if kind else found['name'])}"
    yield f"example = {toml_value(words[0])}"
    if kind:
        yield f"kind = {toml_value(kind)}"
    if (most := max(len(word.split()) for word in words)) > 1:
        yield f"max_words = {most}"
    yield f"words = {toml_value(words)}"


def _contrast(entry: str) -> Iterator[str]:
    found = _read(entry, "--contrast", "agreement: wrong - right, positive")
    formula, _, expected = found["rest"].rpartition(",")
    if expected.strip() not in ("negative", "positive", "exploratory") or not formula.strip():
        raise ConfigError(
            f"--contrast {entry!r} does not end with what is expected",
            hint="For instance --contrast 'agreement: wrong - right, positive' (negative, positive or exploratory).",
        )
    yield "[[contrasts]]"
    yield f"name = {toml_value(found['name'])}"
    yield f"formula = {toml_value(formula.strip())}"
    yield f"expected = {toml_value(expected.strip())}"
    yield 'design = "all"'
