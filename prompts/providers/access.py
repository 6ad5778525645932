"""The only place that decides whether a key goes to a host; settled once, before the first call, and told to the user.

The invariant: a key of the environment goes to its service's own host, and to another one only where the owner of the keys has
said so: by naming the address (a flag, an argument, a variable, the user's own settings), or by agreeing to its host
(``send_key_to``). A workspace's file and its bank may be somebody else's, and name no host for a key. Who hands over an order says
where its address comes from (`Destination`) and decides nothing; `may_send_key` decides whether the owner has agreed, and
`open_access` what goes along then. Where no key may go, nothing else that an SDK picks up from the environment goes either.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from gapsmith.prompts.providers.base import ProviderOptions
from gapsmith.prompts.scrubbing import scrub
from gapsmith.templates import ConfigError

NO_KEY = "no-key-needed"
"""What the SDKs are given in place of a key where there is none, because they do not start without."""

OPENAI_ADDRESS = "OPENAI_BASE_URL"
GEMINI_ADDRESS = "GOOGLE_GEMINI_BASE_URL"
_LOCAL_HOSTS = {"localhost", "127.0.0.1", "::1"}


@dataclass(frozen=True, slots=True)
class Destination:
    """Where requests are to go and who says so: what whether a key may go along is decided by."""

    address: str | None
    """None: nobody names one, and requests go to the service itself, or to where a variable of the environment says."""
    from_workspace: bool
    """A workspace's file or its bank names the address."""
    own_addresses: Collection[str | None] = ()
    """The addresses that the owner of the keys has named for requests like these."""
    agreed: Collection[str] = ()
    """The hosts (``host`` or ``host:port``) of the user's own ``send_key_to``."""
    named: str | None = None
    """The host of ``--send-key-to``."""


def may_send_key(to: Destination) -> bool:
    """Whether the owner of the keys agrees that they go there. Raises `ConfigError` for a ``--send-key-to`` that is not the host of
    the address."""
    if to.named is not None and not is_host_of((to.named,), to.address):
        raise ConfigError(
            f"--send-key-to {to.named}: that is not where requests go ({to.address or 'the service itself'})",
            hint="Name the host of base_url in gapsmith.toml, or leave the flag out.",
        )
    if to.address is None or not to.from_workspace or to.address in to.own_addresses:
        return True
    return to.named is not None or is_host_of(to.agreed, to.address)


def addresses_in(environment: Mapping[str, str]) -> set[str]:
    """The addresses that the owner of the keys has put into the environment."""
    return {environment[name] for name in (OPENAI_ADDRESS, GEMINI_ADDRESS) if environment.get(name)}


def is_host_of(hosts: Collection[str], base_url: str | None) -> bool:
    """Whether one of the hosts (``host`` or ``host:port``) is that of the address; not so where the address is none, which the
    provider tells."""
    try:
        parts = urlsplit(base_url or "")
        found = {str(parts.hostname), f"{parts.hostname}:{parts.port}"} if parts.hostname else set()
    except ValueError:
        return False
    return bool({host.casefold() for host in hosts} & found)


@dataclass(frozen=True, slots=True)
class Service:
    """A provider's own service."""

    title: str
    url: str
    """Its own base URL."""
    url_variable: str
    """Names another one."""
    key_variables: tuple[str, ...]
    """The first that is set wins."""
    hint: str
    """What to do where there is no key."""


@dataclass(frozen=True, slots=True)
class Access:
    """What a provider may use."""

    address: str | None
    """The base URL where it is not the service's own, else None."""
    key: str | None
    """The key that goes with requests, or None."""
    bare: bool
    """Nothing else that an SDK picks up from the environment goes along either."""
    secrets: tuple[str, ...]
    """Every key that was found, whether or not it is sent."""
    notes: tuple[str, ...]
    """For the user: the host, and the variable that the key came from; never its value."""


def open_access(service: Service, options: ProviderOptions) -> Access:
    """Settle address and key. Raises `ConfigError` for an address that is none, and where the service needs a key and has none."""
    environment = options.environment
    base_url = (options.base_url or environment.get(service.url_variable, "")).strip() or service.url
    parts = _split(base_url)
    host = host_of(base_url)
    at_service = parts.scheme == "https" and host == host_of(service.url)
    present = [name for name in service.key_variables if environment.get(name, "").strip()]
    key = environment[present[0]].strip() if present else None
    if at_service and key is None:
        raise ConfigError(f"there is no key for {service.title}", hint=service.hint)
    bare = not at_service and not options.send_key
    withheld = bare and key is not None
    sent = None if withheld else key
    return Access(
        address=None if at_service else base_url,
        key=sent,
        bare=bare,
        secrets=(key,) if key else (),
        notes=(_told(host, present, withheld=withheld), *_warnings(parts, sent)),
    )


def host_of(base_url: str) -> str:
    """Host, with the port where one is given, in lower case. Raises `ConfigError` where `base_url` is no address."""
    parts = _split(base_url)
    return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)


def _split(base_url: str) -> SplitResult:
    try:
        parts = urlsplit(base_url)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise ConfigError(f"--base-url {base_url!r} is not an address", hint="It begins with http:// or https://.")
    if parts.username or parts.password:
        raise ConfigError("--base-url holds a user name or password", hint="Put the key into the provider's variable instead.")
    if scrub(base_url) != base_url:
        raise ConfigError(
            "--base-url holds a key, and the bank keeps it", hint="Put the key into the provider's variable instead."
        )
    return parts


def _told(host: str, present: list[str], *, withheld: bool) -> str:
    if withheld:
        return (
            f"warning: requests go to {host}, without the key in {present[0]}: it was not you who named that address, but"
            f" the workspace (its gapsmith.toml or its bank). To send the key there, give --send-key-to {host}, or write"
            f' send_key_to = ["{host}"] into your own settings file.'
        )
    if not present:
        return f"Requests go to {host}, without a key."
    unused = f" ({present[1]} is set too and is not used)" if len(present) > 1 else ""
    return f"Requests go to {host}, with the key in {present[0]}{unused}."


def _warnings(parts: SplitResult, key: str | None) -> tuple[str, ...]:
    if key is not None and parts.scheme == "http" and parts.hostname not in _LOCAL_HOSTS:
        return (f"warning: the key goes to {parts.hostname} unencrypted (http, not https).",)
    return ()
