"""The review screens, on Textual. Only the command that opens them imports this package."""

from gapsmith.vetting.tui.app import ReviewApp
from gapsmith.vetting.tui.keymap import COMMANDS, load_keys
from gapsmith.vetting.tui.norming_app import NormingApp

__all__ = ["COMMANDS", "NormingApp", "ReviewApp", "load_keys"]
