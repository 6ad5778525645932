"""Judge models: language models that are asked, blind, which sentence is better and whether a reading makes sense.

What they say is advisory. It is kept word by word in the bank as a run of its own; it becomes findings of family J, a table of
agreement with the rules and with people, and never a decision."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
