from .behaviour import Behaviour as Behaviour
from .server import FakeServer as FakeServer
from .server import RawAnswer as RawAnswer
from .server import SeenRequest as SeenRequest
