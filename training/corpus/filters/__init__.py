"""Filters of `gapsmith train corpus`, one TOML file each."""
