from .app import ReviewApp as ReviewApp
from .frame import end_by as end_by
from .keymap import COMMANDS as COMMANDS
from .keymap import load_keys as load_keys
from .norming_app import NormingApp as NormingApp
