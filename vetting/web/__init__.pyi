from .guard import Link as Link
from .guard import listen as listen
from .judging import JudgingDesk as JudgingDesk
from .lab_desk import LabDesk as LabDesk
from .pages import PageServer as PageServer
from .server import ReviewServer as ReviewServer
