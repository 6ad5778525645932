"""Judging stimuli: the linter, decisions, review."""
