"""Counts the tokens of the bundled model in its training text: ``python -m tools.count_unigrams CORPUS.txt.xz``."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from gapsmith.scoring.lm import BUNDLED, bundled_directory, find_source, load_tokenizer
from gapsmith.scoring.unigrams import BUNDLED_FILE, count_lines
from gapsmith.templates import packed_lines


def main() -> None:
    """Read the corpus named on the command line and write the table beside the model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    counts = count_lines(packed_lines(parser.parse_args().corpus), load_tokenizer(bundled_directory()))
    np.savez_compressed(
        bundled_directory() / BUNDLED_FILE, counts=counts.astype(np.uint32), tokenizer=find_source(BUNDLED).tokenizer
    )
    print(f"{counts.sum():,} tokens of {np.count_nonzero(counts):,} kinds")


if __name__ == "__main__":
    main()
