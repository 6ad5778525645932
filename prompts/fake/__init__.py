"""A stand-in for the providers on this machine: speaks their APIs, draws its words from the paradigm's lists."""

from gapsmith.prompts.fake.behaviour import Behaviour
from gapsmith.prompts.fake.server import FakeServer, RawAnswer, SeenRequest

__all__ = ["Behaviour", "FakeBatch", "FakeBatches", "FakeServer", "FakeWriter", "RawAnswer", "SeenRequest"]
