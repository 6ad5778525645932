"""The flags of commands, written by `python -m tools.doors` from the requests."""
