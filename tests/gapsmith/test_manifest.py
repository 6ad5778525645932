"""`manifest.json` beside reports, studies and folders of items: what has changed since is named by kind and item."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import gapsmith as api
from gapsmith.app.stages.bank_keeping import BankChecked
from gapsmith.app.workspace import Workspace
from gapsmith.templates.errors import ConfigError, FormatError


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with three approved items, of which the first was edited and the second decided anew after the report was written, and
    a fourth came in; beside it what was written before: report, exported folder, published folder."""
    home = tmp_path_factory.mktemp("home")
    with api.open_workspace(str(home / "study"), create=True, reader="ann") as made:
        api.generate(made, "embedded_wh", n=3, seed=1)
        api.decide(made, "approve", ["1", "2", "3"])
        api.score(made, "bundled")
        api.report(made, out=home / "report")
        api.export(made, "hub", out=home / "hub")
        api.publish(made, home / "set")
        fresh = api.check_bank(made, report=home / "report")
        assert fresh.changed == ()
        item = next(iter(made.bank.items.iterate()))
        text = item.sentences[0].text
        made.bank.items.edit(
            item.id, {item.sentences[0].condition: text.replace(" ", " really ", 1)}, author="ann", base_revision_id=item.revision_id
        )
        api.decide(made, "exclude", ["2"], reason="odd")
        api.generate(made, "embedded_wh", n=4, seed=2)
        api.freeze_plan(made, "embedded_wh")
        api.score(made, "bundled")
    return home


def _found(checked: BankChecked) -> set[tuple[str, str, str]]:
    assert checked.changed is not None
    return {(own.kind, own.what, own.said) for own in checked.changed}


@pytest.mark.parametrize("folder", ["report", "hub", "set"])
def test_what_changed_since_is_named_by_kind_and_item(reported: Path, folder: str) -> None:
    with api.open_workspace(str(reported / "study"), reader="ann") as study:
        names = {item.label: f"{item.dataset}/{item.label}" for item in study.bank.items.iterate()}
        found = _found(api.check_bank(study, report=reported / folder))
    kinds = {kind for kind, _, _ in found}
    assert kinds == {"item", "decisions", "plan"}
    assert ("item", names["1"], "its sentences were changed") in found
    assert ("decisions", names["2"], "what was decided or judged of it is another") in found
    assert not [own for own in found if own[1] == names["3"]]
    assert {what for kind, what, said in found if said == "is new"} == set(names.values()) - {names[n] for n in "123"}
