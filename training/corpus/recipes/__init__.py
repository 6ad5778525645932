"""Named recipes for `gapsmith train corpus`, one TOML file each."""
