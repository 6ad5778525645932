"""Two corpora that stand in for child-directed and for expository text (`gapsmith.training.corpus.stand_in`); made by ``tools/stand_ins.py``."""
