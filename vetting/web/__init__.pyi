from .server import Link as Link
from .server import ReviewServer as ReviewServer
from .server import listen as listen
