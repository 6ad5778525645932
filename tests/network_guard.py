"""No test reaches beyond this machine by accident: connections elsewhere, and the look-up of names, fail at once."""

from __future__ import annotations

import ipaddress
import socket
from typing import Any

import pytest

_LOCAL_NAMES = {"localhost", "", None}


class OutsideCallError(AssertionError):
    """A test tried to reach another machine."""


def keep_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let sockets connect to loopback and to files only, for as long as the patch lasts."""
    real_connect, real_connect_ex, real_lookup = (
        socket.socket.connect,
        socket.socket.connect_ex,
        socket.getaddrinfo,
    )

    def connect(self: socket.socket, address: Any) -> None:
        _check(self, address)
        real_connect(self, address)

    def connect_ex(self: socket.socket, address: Any) -> int:
        _check(self, address)
        return real_connect_ex(self, address)

    def getaddrinfo(host: Any, *rest: Any, **named: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else host
        if not _is_local(name):
            raise OutsideCallError(f"a test looked up {name!r}")
        return real_lookup(host, *rest, **named)

    monkeypatch.setattr(socket.socket, "connect", connect)
    monkeypatch.setattr(socket.socket, "connect_ex", connect_ex)
    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)


def _check(connecting: socket.socket, address: Any) -> None:
    inet = connecting.family in (socket.AF_INET, socket.AF_INET6)
    if inet and not _is_local(address[0]):
        raise OutsideCallError(f"a test tried to reach {address!r}")


def _is_local(host: Any) -> bool:
    if host in _LOCAL_NAMES:
        return True
    try:
        return ipaddress.ip_address(str(host)).is_loopback
    except ValueError:
        return False
