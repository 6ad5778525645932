"""Studies of what stands before sentences, after Sinha et al. (2023)."""

from gapsmith.scoring.context_study.context_effects import StudyResults, effects_of, study_results
from gapsmith.scoring.context_study.outcomes import predictions_of
from gapsmith.scoring.context_study.page import effect_value, read_effects, write_contexts
from gapsmith.scoring.context_study.plan import CONDITIONS, StudyPlan, draw_study, log_lengths
from gapsmith.scoring.context_study.similarity import similarity_of

__all__ = [
    "CONDITIONS",
    "StudyPlan",
    "StudyResults",
    "draw_study",
    "effect_value",
    "effects_of",
    "log_lengths",
    "predictions_of",
    "read_effects",
    "similarity_of",
    "study_results",
    "write_contexts",
]
