"""Named configurations for `gapsmith train lm --config NAME`, one TOML file each."""
