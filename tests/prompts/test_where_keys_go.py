"""One function decides whether a key goes to a host, and every door only says where the address comes from."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from gapsmith.app.chosen import judge_order
from gapsmith.app.requests.parts import Asking
from gapsmith.app.workspace import make_workspace, open_workspace
from gapsmith.prompts.providers import Destination, may_send_key
from gapsmith.prompts.providers.access import Service, open_access
from gapsmith.prompts.providers.base import ProviderOptions
from gapsmith.templates import ConfigError, load_paradigm
from tests.rooms import ROOMS, trees_of, walked

HERE = "http://here.example:8000/v1"


@pytest.mark.parametrize(
    ("to", "agreed"),
    [
        (Destination(None, False), True),
        (Destination(None, True), True),
        (Destination(HERE, False), True),
        (Destination(HERE, True), False),
        (Destination(HERE, True, own_addresses=(HERE,)), True),
        (Destination(HERE, True, own_addresses=("http://here.example:9000/v1", None)), False),
        (Destination(HERE, True, agreed=("here.example",)), True),
        (Destination(HERE, True, agreed=("HERE.example:8000",)), True),
        (Destination(HERE, True, agreed=("here.example:80", "example", "there.example")), False),
        (Destination(HERE, True, named="here.example:8000"), True),
        (Destination("http://[not an address", True, agreed=("here.example",)), False),
        (Destination("", True, agreed=("None", "")), False),
    ],
)
def test_the_owner_of_the_keys_says_where_they_go(to: Destination, agreed: bool) -> None:
    assert may_send_key(to) is agreed


@pytest.mark.parametrize("address", [HERE, None])
def test_a_host_that_is_named_has_to_be_that_of_the_address(address: str | None) -> None:
    with pytest.raises(ConfigError, match="not where requests go"):
        may_send_key(Destination(address, True, named="there.example"))


@pytest.mark.parametrize(
    ("address", "send_key", "key", "bare"),
    [
        (None, False, "k", False),
        ("https://service.example/v1", False, "k", False),
        ("http://service.example/v1", False, None, True),
        ("http://service.example/v1", True, "k", False),
        (HERE, False, None, True),
        (HERE, True, "k", False),
    ],
)
def test_what_goes_along(address: str | None, send_key: bool, key: str | None, bare: bool) -> None:
    service = Service("Ours", "https://service.example/v1", "OURS_BASE_URL", ("OURS_KEY",), "")
    options = ProviderOptions(load_paradigm("subject_pg"), base_url=address, send_key=send_key, environment={"OURS_KEY": "k"})
    access = open_access(service, options)
    assert (access.key, access.bare, access.secrets) == (key, bare, ("k",))


def test_the_address_of_a_workspace_is_no_matter_of_a_judge_of_another_provider(tmp_path: Path) -> None:
    make_workspace(tmp_path / "ws")
    (tmp_path / "ws" / "gapsmith.toml").write_text(f'provider = "openai"\nbase_url = "{HERE}"\n', encoding="utf-8")
    with open_workspace(tmp_path / "ws") as workspace:
        assert judge_order(workspace, "openai", Asking(), seed=1).send_key is False
        assert judge_order(workspace, "gemini", Asking(), seed=1).send_key is True


# The one place

DECIDES = "prompts/providers/access.py"
HANDED_ON = {"prompts/order.py", "vetting/judges/ask.py", "app/stages/watching.py"}
"""Where the answer is handed on as it came."""
ASKS = {"app/chosen.py"}
"""Where it is asked for, with where the address comes from."""


def test_no_other_place_decides_it() -> None:
    asking, handing, stripping, foreign = set(), set(), set(), set()
    for name, tree in trees_of(*ROOMS):
        for node in walked(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "may_send_key":
                asking.add(name)
            elif isinstance(node, ast.keyword) and node.arg == "send_key":
                said = node.value
                if isinstance(said, ast.Call) and getattr(said.func, "id", None) == "_agreed_to":
                    asking.add(name)
                else:
                    assert getattr(said, "attr", getattr(said, "id", None)) == "send_key", (name, ast.unparse(said))
                    handing.add(name)
            elif isinstance(node, ast.Attribute) and node.attr in ("send_key", "key_variables"):
                stripping.add(name)
            elif isinstance(node, ast.Attribute) and node.attr == "base_url_is_foreign":
                foreign.add(name)
    assert asking == ASKS
    assert handing == HANDED_ON
    # Nobody else looks whether it may go, or which variables hold keys.
    assert stripping == {DECIDES, *HANDED_ON}
    assert foreign == {"app/settings.py", *ASKS}
