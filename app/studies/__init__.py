"""Studies: published papers done again by one command, with the published numbers beside ours."""

from gapsmith.app.studies.running import StudyRun, check_contrasts, effects_beside, numbers_of, steps_of
from gapsmith.app.studies.study import Study, load_study, shipped_studies
from gapsmith.app.studies.writing import write_study

__all__ = [
    "Study",
    "StudyRun",
    "check_contrasts",
    "effects_beside",
    "load_study",
    "numbers_of",
    "shipped_studies",
    "steps_of",
    "write_study",
]
