"""What works on this machine: packages, models, parsers, keys, and whether surprisals come out right.

Nothing is sent anywhere unless it is asked for, and no value of a key is ever looked at beyond being there.
"""

from __future__ import annotations

import os
import platform
import re
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from importlib import metadata
from pathlib import Path
from typing import Any

from gapsmith.templates import VERSION, count


class CheckState(StrEnum):
    """How a check came out. Only a problem makes `gapsmith doctor` fail."""

    OK = "ok"
    NOTE = "note"
    """Something is not there that only some tasks need."""
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at."""

    area: str
    name: str
    state: CheckState
    detail: str
    hint: str = ""
    """What to do; empty where nothing is to be done."""


def examine(*, online: bool = False, workspace: Path | None = None) -> Iterator[Check]:
    """Look at everything, in order; each check comes as soon as it is made. `online` also asks the hub for an answer; the
    bank of `workspace`, where one is given, is checked too."""
    parts: dict[str, Callable[[], Iterator[Check]]] = {
        "machine": _machine,
        "leftovers": lambda: _leftovers(workspace),
        "packages": _packages,
        "plug-ins": _plugins,
        "word lists": lambda: _word_lists(workspace),
        "device": _device,
        "kernels": lambda: _kernels(workspace),
        "models": _models,
        "network": _network,
        "parsers": _parsers,
        "keys": _keys,
        "surprisal": lambda: _surprisal(workspace),
        "bank": lambda: _bank(workspace),
    }
    if workspace is None:
        del parts["word lists"], parts["bank"]
    if not online:
        del parts["network"]
    for area, part in parts.items():
        try:
            yield from part()
        except ImportError as error:
            # A broken installation is what this is for, so it is reported like everything else.
            yield Check(area, error.name or "import", CheckState.PROBLEM, str(error), "Install gapsmith and its packages again.")


def _bank(workspace: Path | None) -> Iterator[Check]:
    from gapsmith.bank import Bank, uncopied_bytes
    from gapsmith.templates import GapsmithError

    assert workspace is not None
    path = workspace / "bank.sqlite"
    mend = "Keep this file as it is, and go on with a copy: gapsmith bank restore FILE. Copies made at upgrades end in .backup."
    try:
        with Bank.open_copy(path) as opened:
            found = opened.faults()
            items = opened.items.count() if not found else 0
    except GapsmithError as error:
        yield Check("bank", str(path), CheckState.PROBLEM, error.message, error.hint or mend)
        return
    for fault in found:
        yield Check("bank", str(path), CheckState.PROBLEM, fault, mend)
    if not found:
        detail = f"whole: {count(items, 'item')}; file, rows, references, texts and events agree"
        yield Check("bank", str(path), CheckState.OK, detail)
    if waiting := uncopied_bytes(path):
        detail = f"{waiting / 1024:,.0f} KB of it are in {path.name}-wal, which a copy of {path.name} alone would lack"
        yield Check("copies", str(path), CheckState.OK, f"{detail}; `gapsmith bank backup` copies all of it")


def _word_lists(workspace: Path | None) -> Iterator[Check]:
    from gapsmith.templates import GapsmithError
    from gapsmith.vetting.rules import load_knowledge

    assert workspace is not None
    try:
        replaced = load_knowledge(workspace).replaced
    except GapsmithError as error:
        yield Check("word lists", "of the workspace", CheckState.PROBLEM, error.message, error.hint)
        return
    for told in replaced:
        yield Check("word lists", "of the workspace", CheckState.NOTE, told)
    if not replaced:
        yield Check("word lists", "of the workspace", CheckState.OK, "none takes the place of an entry of ours")


def _leftovers(workspace: Path | None) -> Iterator[Check]:
    """What killed commands left, which nobody holds any more, is taken away; what nobody can tell of is named."""
    import tempfile

    from gapsmith.bank import PREFIX, free_leases, take_away

    places = [(Path(tempfile.gettempdir()), PREFIX)]
    places += [] if workspace is None else [(workspace, f".{PREFIX}")]
    gone: list[Path] = []
    for folder, prefix in places:
        try:
            gone += take_away(folder, prefix)
        except OSError as error:
            yield Check("leftovers", str(folder), CheckState.NOTE, f"cannot be looked through ({error.strerror})")
    if workspace is not None:
        gone += free_leases(workspace)
        for path in sorted(workspace.glob("*.partial")):
            hint = "Nobody can tell whether it is being written: where no gapsmith is at work here, delete it."
            yield Check("leftovers", str(path), CheckState.NOTE, "a copy that an older version did not finish", hint)
    said = f"taken away: {count(len(gone), 'file or folder', 'files or folders')} that killed commands left" if gone else "none"
    yield Check("leftovers", "of killed commands", CheckState.OK, said)


def _machine() -> Iterator[Check]:
    yield Check("machine", "python", CheckState.OK, f"{platform.python_version()} on {platform.platform(terse=True)}")
    yield Check("machine", "sqlite", CheckState.OK, sqlite3.sqlite_version)


def _packages() -> Iterator[Check]:
    try:
        yield Check("packages", "gapsmith", CheckState.OK, VERSION)
        required = metadata.requires("gapsmith") or []
    except metadata.PackageNotFoundError:
        yield Check("packages", "gapsmith", CheckState.PROBLEM, "not installed", "Install it: pip install gapsmith")
        return
    for requirement in required:
        if "extra ==" in requirement:
            continue
        name = re.split(r"[\s\[<>=!~;(]", requirement, maxsplit=1)[0]
        try:
            yield Check("packages", name, CheckState.OK, metadata.version(name))
        except metadata.PackageNotFoundError:
            yield Check("packages", name, CheckState.PROBLEM, "not installed", f"Install it: pip install '{requirement}'")


def _plugins() -> Iterator[Check]:
    from gapsmith.bank.formats import FORMATS
    from gapsmith.prompts.providers import PROVIDERS
    from gapsmith.scoring.lm import ENGINES
    from gapsmith.templates import MEASURES, ConfigError, Registry, remove
    from gapsmith.vetting.rules import PACKS, check_packs

    registries: tuple[Registry[Any], ...] = (PROVIDERS, PACKS, FORMATS, ENGINES, MEASURES)
    for registry in registries:
        faulty = False
        for plugin in registry.installed:
            called = f"{plugin.what} {plugin.name}"
            try:
                registry.find(plugin.name)
            except ConfigError as error:
                faulty = True
                yield Check("plug-ins", called, CheckState.PROBLEM, error.message, error.hint)
            else:
                yield Check(
                    "plug-ins", called, CheckState.OK, f"of {plugin.package} {_version(plugin.package)}".strip() + ", used"
                )
        for plugin in registry.shadowed:
            yield Check(
                "plug-ins",
                f"{plugin.what} {plugin.name}",
                CheckState.NOTE,
                f"of {plugin.package}, not used: the name is taken by gapsmith's own",
                f"Its author can give it another name. To remove it: {remove(plugin.package)}",
            )
        if registry is PACKS and not faulty:
            try:
                check_packs()
            except ConfigError as error:
                yield Check("plug-ins", "rule packs", CheckState.PROBLEM, error.message, error.hint)


def _device() -> Iterator[Check]:
    import torch

    threads = f"{torch.get_num_threads()} threads of {os.cpu_count()} cores"
    yield Check("device", "cpu", CheckState.OK, threads)
    if torch.cuda.is_available():
        for number in range(torch.cuda.device_count()):
            yield Check("device", f"cuda:{number}", CheckState.OK, torch.cuda.get_device_name(number))
    if torch.backends.mps.is_available():
        yield Check("device", "mps", CheckState.OK, "ask for it with --device mps")


def _kernel(workspace: Path | None) -> str:
    """What is to multiply, by the settings."""
    from gapsmith.app.settings import load_settings

    return load_settings(None if workspace is None else workspace / "gapsmith.toml").kernel or "auto"


def _kernels(workspace: Path | None) -> Iterator[Check]:
    """What multiplies float32 matrices on the processor: for the bundled model, and for all for which it was chosen here before."""
    from gapsmith.scoring.lm import BUNDLED, LanguageModel, find_source, kernel_cache, known_choices
    from gapsmith.templates import GapsmithError

    try:
        model = LanguageModel(find_source(BUNDLED), device="cpu", kernel=_kernel(workspace))
        assert model.network is not None
    except GapsmithError as error:
        yield Check("kernels", BUNDLED, CheckState.PROBLEM, error.message, error.hint)
        return
    assert model.kernel is not None
    yield Check("kernels", BUNDLED, CheckState.OK, f"{model.kernel.name}{model.kernel.because and ': '}{model.kernel.because}")
    for choice in known_choices():
        yield Check("kernels", "chosen", CheckState.OK, choice.in_words)
    yield Check("kernels", "kept in", CheckState.OK, f"{kernel_cache()}; measured again where the file is deleted")


def _models() -> Iterator[Check]:
    from gapsmith.scoring.lm import BUNDLED, ModelError, cached_models, find_source

    try:
        source = find_source(BUNDLED)
        yield Check("models", BUNDLED, CheckState.OK, f"{source.directory}, {source.revision[:19]}")
    except ModelError as error:
        yield Check("models", BUNDLED, CheckState.PROBLEM, error.message, "Install gapsmith again.")
    cached = cached_models()
    for model in cached:
        yield Check("models", model.name, CheckState.OK, f"in the cache, {model.size_bytes / 1e6:,.0f} MB, {model.commit[:10]}")
    if not any(model.name in ("gpt2", "openai-community/gpt2") for model in cached):
        yield Check(
            "models",
            "gpt2",
            CheckState.NOTE,
            "not in the cache of this machine",
            "`gapsmith score --model gpt2` fetches it (550 MB) where there is a network; HF_HOME says where it is kept.",
        )


def _network() -> Iterator[Check]:
    from gapsmith.scoring.lm import hub_answers

    problem = hub_answers()
    if problem is None:
        yield Check("network", "hub", CheckState.OK, "the Hugging Face hub answers")
    else:
        yield Check("network", "hub", CheckState.NOTE, f"the Hugging Face hub does not answer: {problem}")


def _parsers() -> Iterator[Check]:
    pipelines = sorted(entry.name for entry in metadata.entry_points(group="spacy_models"))
    if pipelines:
        yield Check("parsers", "spacy", CheckState.OK, ", ".join(f"{name} {_version(name)}" for name in pipelines))
    else:
        hint = "spaCy's site lists pipelines for English; they are installed with pip."
        yield Check("parsers", "spacy", CheckState.NOTE, "no pipeline is installed", hint)
    directory = _stanza_directory()
    languages = sorted(path.name for path in directory.iterdir() if path.is_dir()) if directory.is_dir() else []
    if languages:
        yield Check("parsers", "stanza", CheckState.OK, f"{', '.join(languages)} in {directory}")
    else:
        hint = "With a network: python -c \"import stanza; stanza.download('en')\""
        yield Check("parsers", "stanza", CheckState.NOTE, f"no models in {directory}", hint)


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def _stanza_directory() -> Path:
    from stanza.resources.common import DEFAULT_MODEL_DIR

    return Path(str(DEFAULT_MODEL_DIR))


_KEYS = (
    ("GEMINI_API_KEY", "gapsmith generate --provider gemini"),
    ("GOOGLE_API_KEY", "gapsmith generate --provider gemini"),
    ("OPENAI_API_KEY", "gapsmith generate --provider openai"),
    ("OPENAI_BASE_URL", "a server that speaks OpenAI's API, such as vLLM or Ollama"),
    ("HF_TOKEN", "models of the hub that ask for an account"),
)


def _keys() -> Iterator[Check]:
    for variable, use in _KEYS:
        is_set = bool(os.environ.get(variable))
        yield Check("keys", variable, CheckState.OK if is_set else CheckState.NOTE, "set" if is_set else "not set", f"For {use}.")


def _surprisal(workspace: Path | None) -> Iterator[Check]:
    from gapsmith.scoring.lm import TOLERANCE_BITS, check_golden
    from gapsmith.templates import GapsmithError

    advice = "Do not trust surprisals from this machine. Install torch and transformers again, then run this again."
    try:
        check = check_golden(kernel=_kernel(workspace))
    except GapsmithError as error:
        yield Check("surprisal", "golden values", CheckState.PROBLEM, error.message, error.hint)
        return
    if check.problem is not None:
        yield Check("surprisal", "golden values", CheckState.PROBLEM, check.problem, advice)
        return
    yield Check(
        "surprisal",
        "golden values",
        CheckState.OK,
        f"{check.n_values} values of {check.n_texts} sentences are right to {check.largest_difference_bits:.0e} bits "
        f"(allowed: {TOLERANCE_BITS:g})",
    )
