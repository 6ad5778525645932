from .running import StudyRun as StudyRun
from .running import check_contrasts as check_contrasts
from .running import effects_beside as effects_beside
from .running import numbers_of as numbers_of
from .study import Study as Study
from .study import load_study as load_study
from .study import shipped_studies as shipped_studies
from .writing import write_study as write_study
