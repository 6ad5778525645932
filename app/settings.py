"""The only place that decides which setting wins: a flag, then GAPSMITH_*, then the workspace's gapsmith.toml, then the user's
file.

| where                        | example                      |
|------------------------------|------------------------------|
| flag                         | ``--model gpt2``             |
| environment                  | ``GAPSMITH_MODEL=gpt2``      |
| ``gapsmith.toml`` (workspace)| ``model = "gpt2"``           |
| ``config.toml`` (user)       | ``model = "gpt2"``           |
"""

from __future__ import annotations

import os
import typing
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Annotated, Any

from gapsmith.templates import (
    COUNT,
    DOLLARS,
    TEMPERATURE,
    TIMEOUT,
    TOP_P,
    ConfigError,
    GapsmithWarning,
    Limits,
    RealNumber,
    WholeNumber,
    did_you_mean,
    in_place,
    limits_of,
    made_of,
    no_such,
    ranges_of,
    text_of,
    whole,
)


class SettingsWarning(GapsmithWarning):
    """A variable of the environment looks like a setting and is none."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What can be set once instead of on every command. None means: not set, the command's own default holds."""

    model: str | None = None
    """The language model that scores."""
    device: str | None = None
    dtype: str | None = None
    kernel: str | None = None
    batch_size: Annotated[int | None, COUNT] = None
    annotator: str | None = None
    """Who decides, where no name is given."""
    provider: str | None = None
    """Who proposes the words."""
    provider_model: str | None = None
    base_url: str | None = None
    send_key_to: tuple[str, ...] | None = None
    """Hosts (``host`` or ``host:port``) that may get a key although only a workspace's file names them. Not a setting of
    a workspace: it is for the owner of the keys to say."""
    temperature: Annotated[float | None, TEMPERATURE] = None
    top_p: Annotated[float | None, TOP_P] = None
    tier: str | None = None
    api: str | None = None
    extra_body: str | None = None
    free_hosts: tuple[str, ...] | None = None
    """Hosts whose servers charge nothing; for the user's own settings, as `send_key_to`."""
    thinking: str | None = None
    """Tokens as a number, or ``minimal``, ``low``, ``medium``, ``high``."""
    max_output_tokens: Annotated[int | None, COUNT] = None
    timeout: Annotated[float | None, TIMEOUT] = None
    """Seconds to wait for an answer."""
    n_per_call: Annotated[int | None, COUNT] = None
    concurrency: Annotated[int | None, COUNT] = None
    rpm: Annotated[int | None, COUNT] = None
    """Requests per minute."""
    tpm: Annotated[int | None, COUNT] = None
    """Tokens per minute."""
    max_cost: Annotated[float | None, DOLLARS] = None
    """US dollars per run."""
    parser: str | None = None
    fail_on: str | None = None
    rules: Mapping[str, str] | None = None
    """What `lint` makes of a rule for good: code or its beginning to ``off``, ``info``, ``warning`` or ``error``. A table
    ``[rules]`` in a file; ``L207=off,L4=info`` in the environment. The files add up, entry by entry."""
    limits: Mapping[str, int] | None = None
    """How large files of others may be, by the names of `gapsmith.templates.Limits`: a table ``[limits]`` in the user's own file,
    ``file_mb=1000,depth=50`` in the environment; a workspace may be somebody else's, and says nothing of it."""
    base_url_is_foreign: bool = field(default=False, metadata={"derived": True})
    """Whether `base_url` comes from a workspace's file, which may be somebody else's."""

    def with_flags(self, **flags: Any) -> Settings:
        """These settings with the flags that were given on the command line in their place."""
        given = {name: value for name, value in flags.items() if value is not None}
        if "base_url" in given:
            given["base_url_is_foreign"] = False
        return replace(self, **given)


def user_settings_file() -> Path:
    """Where the user's own settings are read from; ``GAPSMITH_CONFIG`` names another file."""
    named = os.environ.get("GAPSMITH_CONFIG")
    if named:
        return Path(named)
    import platformdirs

    return platformdirs.user_config_path("gapsmith") / "config.toml"


def load_settings(workspace_file: Path | None = None) -> Settings:
    """Settings from the user's file, the workspace's file and the environment, the later winning.

    Raises `ConfigError` naming the file and the key for an unknown key or a value of the wrong kind."""
    settings = Settings()
    user_file = user_settings_file()
    if _is_said(user_file):
        settings = _from_file(user_file, lambda values: _merged(settings, values, str(user_file)))
    if workspace_file is not None and _is_said(workspace_file):

        def on_top(values: Mapping[str, Any]) -> Settings:
            for name in _FOR_THE_USER_TO_SAY & set(values):
                message = f"{workspace_file}: {name} is not for a workspace to say"
                raise ConfigError(message, hint=f"Write it into {user_file}.", place=(name,))
            return replace(_merged(settings, values, str(workspace_file)), base_url_is_foreign="base_url" in values)

        settings = _from_file(workspace_file, on_top)
    for name in os.environ:
        if name.startswith("GAPSMITH_") and name not in _OTHER_VARIABLES:
            _warn_of_unknown(name)
    environment = {
        name.removeprefix("GAPSMITH_").lower(): value
        for name, value in os.environ.items()
        if name.startswith("GAPSMITH_") and name.removeprefix("GAPSMITH_").lower() in _TYPES and value
    }
    foreign = settings.base_url_is_foreign and "base_url" not in environment
    return replace(_merged(settings, environment, _ENVIRONMENT), base_url_is_foreign=foreign)


def load_limits() -> Limits:
    """How large files of others may be, by the user's own file and the environment. Raises `ConfigError` as `load_settings` does."""
    settings, user_file = Settings(), user_settings_file()
    if _is_said(user_file):

        def limits_alone(values: Mapping[str, Any]) -> Settings:
            return _merged(Settings(), {name: own for name, own in values.items() if name == "limits"}, str(user_file))

        settings = _from_file(user_file, limits_alone)
    if said := os.environ.get("GAPSMITH_LIMITS"):
        settings = _merged(settings, {"limits": said}, _ENVIRONMENT)
    return limits_of(dict(settings.limits or {}), "limits")


def _warn_of_unknown(variable: str) -> None:
    """A variable may be another version's, or a wrapper's: no reason to end a command, which may have begun."""
    if variable.removeprefix("GAPSMITH_").lower() not in _TYPES:
        guess = did_you_mean(variable, [f"GAPSMITH_{name.upper()}" for name in _TYPES])
        warnings.warn(
            f"the environment variable {variable} is no setting of gapsmith and changes nothing. {guess}".strip(),
            SettingsWarning,
            stacklevel=3,
        )


def _type_of(hint: Any) -> type:
    kind: type = next(t for t in typing.get_args(hint) if t is not type(None))
    return typing.get_origin(kind) or kind


_HINTS = typing.get_type_hints(Settings)
_TYPES: dict[str, type] = {f.name: _type_of(_HINTS[f.name]) for f in fields(Settings) if not f.metadata.get("derived")}

WORDS: Mapping[str, tuple[str, ...]] = {
    "dtype": ("float32", "bfloat16", "float16"),
    "kernel": ("auto", "default", "packed", "bf16"),
    "fail_on": ("error", "warning", "info", "never"),
}
"""What can be said of settings that are closed sets; requests take their words from here."""

_RANGES: dict[str, WholeNumber | RealNumber] = ranges_of(Settings.__annotations__, globals())

_FOR_THE_USER_TO_SAY = {"send_key_to", "free_hosts", "limits"}

_ENVIRONMENT = "environment"

_OTHER_VARIABLES = frozenset({"GAPSMITH_CONFIG", "GAPSMITH_WORKSPACE"})
"""Variables that say where things are, and are no settings."""


def _is_said(path: Path) -> bool:
    """Whether there is something to read, or what should not be there; the device for nothing is how one says that there is nothing."""
    return path.exists() and path != Path(os.devnull)


def _from_file(path: Path, make: Callable[[Mapping[str, Any]], Settings]) -> Settings:
    try:
        text = text_of(path, "utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read as UTF-8 text ({error})") from None
    # A number that is none is refused by the name of its setting, with what it may be.
    return made_of(text, str(path), make, what="a settings file", odd_numbers=True)


def _merged(settings: Settings, values: Mapping[str, Any], where: str) -> Settings:
    accepted: dict[str, Any] = {}
    for name, value in values.items():
        with in_place(name):
            _known(name, where)
            label = f"GAPSMITH_{name.upper()}" if where == _ENVIRONMENT else f"{where}: {name}"
            tables = {"rules": _rules, "limits": _limits}
            accepted[name] = tables[name](settings, value, label) if name in tables else _converted(name, value, label)
    return replace(settings, **accepted)


def _known(name: str, where: str) -> None:
    if name not in _TYPES:
        raise no_such(f"{where}: unknown setting {name!r}", "There are", name, _TYPES)


_RULE_VALUES = ("off", "info", "warning", "error")


def _rules(settings: Settings, value: Any, label: str) -> Mapping[str, str]:
    """The rules of this place on top of those of the places before it."""
    if isinstance(value, str):
        pairs = [entry.partition("=") for entry in value.split(",") if entry.strip()]
        value = {code.strip(): said.strip() for code, _, said in pairs}
    if not isinstance(value, Mapping):
        raise ConfigError(f"{label} should be a table", hint='Write it as [rules] and then lines such as L207 = "off".')
    for code, said in value.items():
        if said not in _RULE_VALUES:
            raise no_such(f"{label}: {code} = {said!r} is not understood", "Use one of", str(said), _RULE_VALUES, place=(code,))
    return {**(settings.rules or {}), **{code.upper(): said for code, said in value.items()}}


def _limits(settings: Settings, value: Any, label: str) -> Mapping[str, int]:
    """The limits of this place on top of those of the places before it."""
    if isinstance(value, str):
        pairs = [entry.partition("=") for entry in value.split(",") if entry.strip()]
        value = {name.strip(): whole(said.strip()) or said.strip() for name, _, said in pairs}
    if not isinstance(value, Mapping):
        raise ConfigError(f"{label} should be a table", hint="Write it as [limits] and then lines such as file_mb = 1000.")
    limits_of(dict(value), label)
    return {**(settings.limits or {}), **value}


def _converted(name: str, value: Any, label: str) -> Any:
    wanted = _TYPES[name]
    if wanted is tuple:
        listed = [part.strip() for part in value.split(",")] if isinstance(value, str) else value
        if not isinstance(listed, list) or not all(isinstance(part, str) and part for part in listed):
            raise ConfigError(f"{label} = {value!r} should be a list of texts")
        return tuple(listed)
    if name in _RANGES:
        return _RANGES[name].read(value, label)
    if name == "thinking" and type(value) is int:
        return str(value)
    if not isinstance(value, str):
        raise ConfigError(f"{label} = {value!r} should be a text, in quotes")
    if (words := _words_of(name)) and value.strip().casefold() not in words:
        raise no_such(f"{label}: there is no {value!r}", "There are", value, words)
    return value


def _words_of(name: str) -> Sequence[str]:
    """The values that a setting can have, where these are a closed set."""
    if name in WORDS:
        return WORDS[name]
    if name in ("api", "tier"):
        from gapsmith.prompts import APIS, TIERS

        return APIS if name == "api" else TIERS
    return ()


def author_of(settings: Settings, by: str | None) -> str | None:
    """Who decides: the name that was given, else the settings' annotator."""
    return by if by is not None else settings.annotator
