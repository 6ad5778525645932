"""Rules of ours about the code itself, which no linter has."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator

import pytest

from tests.rooms import ROOMS, ROOT, trees_of, walked

NUMBERS = ("app/studies", "scoring/analysis", "scoring/context_study", "scoring/report", "stats")
"""Where numbers are worked out, shown and drawn."""

_NOT_TOLD = "what a provider does not tell of tokens or money is unknown where it is shown; sums are over what is told"
EXCEPTIONS: dict[tuple[str, str], str] = {
    ("app/cli/runs_show.py", "c.cost_usd or 0"): "a call that nobody has answered has cost nothing yet",
    ("app/cli/train_lm.py", "task.total or 0"): "a progress bar",
    ("prompts/budget.py", "cost or 0.0"): _NOT_TOLD,
    ("prompts/budget.py", "max_output_tokens or 0"): _NOT_TOLD,
    ("prompts/budget.py", "self._price.cost_usd(worst, tier) or 0.0"): _NOT_TOLD,
    ("prompts/engine.py", "cost or 0.0"): _NOT_TOLD,
    ("prompts/pricing.py", "usage.cached_tokens or 0"): _NOT_TOLD,
    ("prompts/providers/gemini.py", "usage.candidates_token_count or 0"): _NOT_TOLD,
    ("prompts/providers/openai_api.py", "thinking or 0"): _NOT_TOLD,
    ("prompts/providers/responses.py", "thinking or 0"): _NOT_TOLD,
    ("prompts/repair.py", "cost or 0.0"): _NOT_TOLD,
    ("prompts/usage.py", "mine or 0"): _NOT_TOLD,
    ("prompts/usage.py", "theirs or 0"): _NOT_TOLD,
    ("prompts/usage.py", "self.output_tokens or 0"): _NOT_TOLD,
    ("prompts/usage.py", "self.thinking_tokens or 0"): _NOT_TOLD,
    ("prompts/yields.py", "known_cost or 0.0"): _NOT_TOLD,
    ("prompts/yields.py", "one.cost_usd or 0.0"): _NOT_TOLD,
    ("scoring/context_study/outcomes.py", "cell.step.target or 0"): "a text as it stands aims at no number of tokens",
    ("templates/file_errors.py", "line or 0"): "a fault without a line comes first",
    ("tools/build_gold.py", "keep.start or 0"): "a slice without a start",
    ("training/learning.py", "self.state.step or -1"): "before the first step there is nothing in the log to keep",
    ("vetting/judges/ask.py", "call.cost_usd or 0.0"): _NOT_TOLD,
    ("vetting/web/server.py", "width or 80"): "a screen that does not say how wide it is",
    ("vetting/web/server.py", "height or 24"): "a screen that does not say how high it is",
}
"""By file and expression, why nothing that is undefined becomes a number there."""


def stands_in(node: ast.expr) -> ast.expr | None:
    """What a number stands in for where it is None: the ``p`` of ``p or 0.0``, and of ``0.0 if p is None else p``."""
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) and _is_number(node.values[-1]):
        left = node.values[-2]
        # A sum or a length is always a number.
        counted = isinstance(left, ast.Call) and isinstance(left.func, ast.Name) and left.func.id == "len"
        return None if counted or isinstance(left, (ast.BinOp, ast.UnaryOp)) else left
    return None


def chosen_for_none(node: ast.expr) -> ast.expr | None:
    """What is None where a number is taken in ``0.0 if p is None else p``, and ``p if p is not None else 0.0``."""
    if not isinstance(node, ast.IfExp) or not isinstance(node.test, ast.Compare) or len(node.test.ops) != 1:
        return None
    (right,) = node.test.comparators
    if not (isinstance(right, ast.Constant) and right.value is None):
        return None
    taken = node.body if isinstance(node.test.ops[0], ast.Is) else node.orelse
    return node.test.left if _is_number(taken) else None


def _is_number(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool)


def expressions(*folders: str) -> Iterator[tuple[str, ast.expr]]:
    """File and expression, of all code of ours in these folders."""
    for name, tree in trees_of(*folders):
        for node in walked(tree):
            if isinstance(node, ast.expr):
                yield name, node


def test_no_number_stands_in_for_what_is_undefined() -> None:
    """``p or 0.0`` makes the most significant p of one that does not exist, and draws a mean that nobody has at 0."""
    found = {(file, ast.unparse(node)) for file, node in expressions(*ROOMS, "tools") if stands_in(node) is not None}
    assert found - EXCEPTIONS.keys() == set(), "keep None and say why there is none; or give the reason in EXCEPTIONS"
    assert EXCEPTIONS.keys() - found == set(), "these are gone: take them out of EXCEPTIONS"


def test_no_number_is_chosen_for_what_is_undefined_where_numbers_are_shown() -> None:
    found = [(file, ast.unparse(node)) for file, node in expressions(*NUMBERS) if chosen_for_none(node) is not None]
    assert not found


@pytest.mark.parametrize(
    ("code", "caught"),
    [
        ("p or 0.0", True),
        ("result.p or 0", True),
        ("test(a, b).p or 1.0", True),
        ("mean or -1", True),
        ("0.0 if p is None else p", True),
        ("p if p is not None else 1", True),
        ("sd or None", False),
        ("name or ''", False),
        ("len(rows) or 2", False),
        ("high - low or 1.0", False),
        ("None if p is None else 2 * p", False),
        ("flag or True", False),
    ],
)
def test_the_rule_knows_what_it_forbids(code: str, caught: bool) -> None:
    node = ast.parse(code, mode="eval").body
    assert (stands_in(node) is not None or chosen_for_none(node) is not None) is caught


def test_every_room_that_ships_says_that_it_is_typed() -> None:
    """Without ``py.typed`` a type checker takes what is imported from a package for Any; the one of gapsmith holds for all below."""
    there = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"benchmarks", "tests", "tools"}
    assert there == set(ROOMS)
    assert (ROOT / "src" / "gapsmith" / "py.typed").is_file()


def test_no_dependency_is_listed_twice() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for name, wanted in {"": project["dependencies"], **project.get("optional-dependencies", {})}.items():
        names = [re.split(r"[\[<>=!~; ]", one, maxsplit=1)[0].lower() for one in wanted]
        assert len(names) == len(set(names)), name
