"""How a number is made of a model's probabilities, by the names under which other programs and papers make it.

The same weights give the same sentence other numbers in other programs: something stands before the first token or nothing, the first
token counts or not, tokens are summed or averaged, and where two sentences have the same number one of them is taken or none. A
**convention** fixes all of these. The list is closed: a convention is here only with the file and version in which it was read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final, Literal

from gapsmith.templates.errors import ConfigError


class BosPolicy(StrEnum):
    """What stands before a sentence: one beginning-of-sequence token; nothing; that token, and a space before the first word."""

    BOS = "bos"
    NONE = "none"
    SPACE = "bos, space"


@dataclass(frozen=True, slots=True)
class Convention:
    """One way from the tokens of a text to a number, and from two numbers to a choice."""

    name: str
    title: str
    beginning: BosPolicy
    """What its numbers are made with. Where that is nothing, the first token has no value and is left out of every sum and mean, unless
    the model's tokenizer puts a beginning-of-sequence token before each text unasked."""
    whole: str | None
    """The measure by which whole sentences are compared; None: what the paradigm says."""
    ties: Literal["neither", "good"]
    """Which of two sentences with the same number counts as preferred: neither, so that the pair is not right, or the one that is given
    first, which is the good one."""
    boundary: str
    """Where the probability that a word ends is counted."""
    version: str
    """Of the program in which it was read."""
    file: str
    """Where it stands there."""
    called: str
    """What is called there to get the number of a sentence."""

    @property
    def source(self) -> str:
        """Where it was read, in one phrase."""
        return f"{self.called}; {self.file}, {self.version}"

    @property
    def leaves_out_first(self) -> bool:
        """Whether the first token of a text has no value and no part in any number."""
        return self.beginning is BosPolicy.NONE


GAPSMITH: Final = "gapsmith"

CONVENTIONS: Final[Mapping[str, Convention]] = MappingProxyType(
    {
        own.name: own
        for own in (
            Convention(
                GAPSMITH,
                "one BOS token before the sentence, every token counts; measures as the paradigm says; of equal sentences neither is preferred",
                BosPolicy.BOS,
                None,
                "neither",
                "with the token that begins a word; --corrected moves it to the end of the word before",
                "this release",
                "docs/other-tools.md",
                "gapsmith score",
            ),
            Convention(
                "minicons",
                "nothing before the sentence, its first token left out; log-probabilities summed",
                BosPolicy.NONE,
                "sum",
                "neither",
                "with the token that begins a word",
                "0.3.39",
                "minicons/scorer.py",
                "IncrementalLMScorer.sequence_score with a reduction that sums; of a word the sum over its tokens in token_score",
            ),
            Convention(
                "minicons-mean",
                "nothing before the sentence, its first token left out; log-probabilities averaged over the tokens that are left",
                BosPolicy.NONE,
                "mean",
                "neither",
                "with the token that begins a word",
                "0.3.39",
                "minicons/scorer.py",
                "IncrementalLMScorer.sequence_score as it comes; of a word the sum over its tokens in token_score",
            ),
            Convention(
                "lm-eval",
                "one BOS token and a space before the sentence; log-probabilities summed; of equal sentences the good one is taken",
                BosPolicy.SPACE,
                "sum",
                "good",
                "with the token that begins a word",
                "0.4.13",
                "lm_eval/tasks/blimp/_template_yaml",
                "the log-likelihood behind `acc` of multiple_choice: an empty doc_to_text, the good sentence first, the usual"
                " target_delimiter of one space",
            ),
            Convention(
                "babylm",
                "nothing before the sentence, its first token left out; log-probabilities summed; of equal sentences the good one is taken",
                BosPolicy.NONE,
                "sum",
                "good",
                "with the token that begins a word",
                "babylm/evaluation-pipeline-2025, commits 5182e30e and 248fbccc",
                "evaluation_pipeline/sentence_zero_shot/dataset.py and compute_results.py",
                "process_causal_sentences, compute_causal_results and rank_and_evaluate, at temperature 1",
            ),
        )
    }
)
"""The conventions by name."""


def check_convention(name: str, *, corrected: bool) -> None:
    """Raise `ConfigError` for a name that is none of them, and for a correction that another program does not make."""
    if find_convention(name).name != GAPSMITH and corrected:
        raise ConfigError(
            f"the mass of word boundaries is moved in the convention {GAPSMITH} alone, and not as {name} makes numbers",
            hint="Leave --corrected or --convention out.",
        )


def find_convention(name: str) -> Convention:
    """Raises `ConfigError` for a name that is none of them."""
    if name not in CONVENTIONS:
        raise ConfigError(f"there is no scoring convention {name!r}", hint=f"There are: {', '.join(CONVENTIONS)}.")
    return CONVENTIONS[name]
