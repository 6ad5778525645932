"""What lm-evaluation-harness itself makes of a folder of tasks; run it with the Python of an environment that has lm_eval.

    python tests/reference/lm_eval_requests.py FOLDER

Prints a JSON object: task to its documents, each with the requests that the harness builds and the accuracy that it works out
where the choice named by ``gold`` has the greater log-probability, and where the other one has.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any


def main(folder: str) -> None:
    """Build the requests of every task of the folder."""
    from lm_eval.tasks import TaskManager, get_task_dict  # type: ignore[import-not-found]  # in an environment of its own

    os.chdir(folder)
    names = sorted(file.stem for file in Path().glob("[!_]*.yaml"))
    found: dict[str, list[dict[str, Any]]] = {}
    for name, task in get_task_dict(names, TaskManager(include_path=".")).items():
        task.build_all_requests(limit=None, rank=0, world_size=1)
        found[name] = []
        for doc in task.eval_docs:
            own = [one for one in task.instances if one.doc == doc]
            right = [(-1.0 if place == doc["gold"] else -2.0, False) for place in range(2)]
            found[name].append(
                {
                    "item": doc["item"],
                    "requests": [list(one.arguments) for one in own],
                    "right": task.process_results(doc, right)["acc"],
                    "wrong": task.process_results(doc, right[::-1])["acc"],
                }
            )
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1])
