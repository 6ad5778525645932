"""`gapsmith plan list`: the plans that were frozen."""

from __future__ import annotations

from gapsmith.app.cli.console import print_text
from gapsmith.app.stages.planning import PlansListed
from gapsmith.bank import FrozenPlan


def show(found: PlansListed) -> None:
    """Print each plan in words."""
    print_text("\n\n".join(map(_in_words, found)))


def _in_words(frozen: FrozenPlan) -> str:
    plan = frozen.plan
    lines = [f"{frozen.paradigm}: {frozen.digest}, frozen {frozen.at[:16].replace('T', ' ')} by {frozen.author}"]
    for name, own in plan["contrasts"].items():
        expected = {-1: "below 0 expected", 0: "nothing expected", 1: "above 0 expected"}[own["expected"]]
        more = "".join(f", {key} {own[key]}" for key in ("family", "delta") if own[key] not in ("", None))
        lines.append(f"  {name}: {own['formula']} ({own['measure']}; {expected}, {own['alternative']}{more})")
    lines += [f"  {name}: {own['formula']} ({own['measure']})" for name, own in plan["criteria"].items()]
    n_items = "any number of" if plan["n_items"] is None else f"{plan['n_items']:,}"
    where = "".join(f", {name} = {value}" for name, value in plan["where"].items())
    sets = f" of data set {', '.join(plan['datasets'])}" if plan["datasets"] else ""
    models = ", ".join(plan["models"]) or "any model"
    lines.append(f"  {n_items} {plan['items']} items{sets}{where}; {models}; correction: {plan['correction']}")
    lines += [f"  items are approved or left out so: {rule}" for rule in plan.get("exclusion", ())]
    return "\n".join(lines)
