"""gapsmith: make, vet and score minimal-pair stimuli for filler-gap research on language models.

The public API, imported on first use so that ``import gapsmith`` costs nothing. Each stage of the pipeline is a function of an
open workspace (`gapsmith.app.functions`)::

    import gapsmith

    with gapsmith.open_workspace("study", create=True) as study:
        gapsmith.generate(study, "embedded_wh", n=40, seed=1)
        gapsmith.lint(study)
        gapsmith.decide(study, policy="clean")
        gapsmith.score(study, "bundled")
        analysis = gapsmith.analyze(study, "embedded_wh")
        table = gapsmith.frame(study, "embedded_wh")
        gapsmith.export(study, "items.csv")
        gapsmith.report(study)

Items of one's own come in with `import_file`. `load_paradigm`, `sample`, `expand`, `realise` and `read_back` make sentences
without a workspace; `open_engine` opens a model by itself; `Bank` is the store.
"""

from pathlib import Path as _Path

import lazy_loader as _lazy_loader

if (_Path(__file__).parent / "templates").is_file():
    raise ImportError(
        "this checkout of gapsmith has text files in the place of symbolic links: switch on developer mode where this is Windows,"
        " then run `git config core.symlinks true` and `git checkout -- src`; the released wheel needs no links"
    )

__getattr__, __dir__, __all__ = _lazy_loader.attach_stub(__name__, __file__)
