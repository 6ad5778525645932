"""What `gapsmith paradigm new` and `paradigm check` say of a design of one's own whose numbers will be worth less than it seems."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from gapsmith.app.cli.app import app

AGREEMENT = (
    *("--factor", "number: sg, pl", "--factor", "form: right, wrong", "--critical", "verb", "--slot", "rest: here, outside"),
    *("--region", "subject[number]: the {head} | the {head_pl}", "--region", "verb[number,form]: is | are | are | is"),
    *("--region", "rest: {rest}", "--slot", "head noun: farmer, nurse, pilot, doctor"),
    *("--status", "sg_right=ok", "--status", "sg_wrong=*", "--status", "pl_right=ok", "--status", "pl_wrong=*"),
)


def test_words_that_do_not_cancel_and_slots_that_come_too_late_are_warned_of(tmp_path: Path) -> None:
    turned = "crossed: sg_wrong - sg_right + pl_wrong - pl_right, positive"
    made = CliRunner().invoke(
        app,
        [
            *("paradigm", "new", "attr", *AGREEMENT, "-w", str(tmp_path)),
            *("--contrast", "agreement: sg_wrong - sg_right, positive", "--contrast", turned),
        ],
    )
    assert made.exit_code == 0, made.output
    said = " ".join(made.output.split())
    assert "warning: slots that come only after what is measured: rest comes only after what is measured" in said
    assert "warning: contrasts without a verdict, since different words are compared: agreement (such as are, is; in " in said
    assert "never gives a verdict" in said
    # In these, is and are come on both sides.
    assert "crossed (" not in said
    checked = CliRunner().invoke(app, ["paradigm", "check", str(tmp_path / "paradigms" / "attr.toml"), "-w", str(tmp_path)])
    marks = {line[6:].partition(":")[0]: line[:4] for line in checked.output.splitlines()[1:] if line[4:6] == "  "}
    assert marks["contrasts without a verdict, since different words are compared"] == "warn"
