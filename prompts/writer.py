"""Writes the prompt of each call, with the words that are used up so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gapsmith.bank import Bank, ItemFilter, ItemStatus, Severity
from gapsmith.prompts.context import Exclusion, UsedWords, exclusions, prompt_context
from gapsmith.prompts.plan import GenerationPlan
from gapsmith.prompts.rendering import render_prompt


class PromptWriter:
    """The prompts of one run. Without a prompt file it writes nothing, for providers that need no words."""

    def __init__(self, plan: GenerationPlan, bank: Bank | None = None) -> None:
        self._plan = plan
        self._used = UsedWords(plan.paradigm)
        self._excluded: list[Exclusion] = []
        self._written: dict[int, str] = {}
        if plan.prompt is not None and bank is not None:
            kept_before = ItemFilter(paradigm=plan.paradigm.name, dataset=plan.dataset)
            faulty = set(bank.items.ids(replace(kept_before, severity=Severity.ERROR)))
            # As the reader may see them: a prompt is shown and kept.
            approved = set(bank.items.ids(replace(kept_before, statuses=(ItemStatus.APPROVED,))))
            excluded = set(bank.items.ids(replace(kept_before, statuses=(ItemStatus.EXCLUDED,))))
            for item in bank.items.iterate(kept_before):
                # The words of items that were thrown out, or will be, are free.
                if (item.id not in faulty or item.id in approved) and item.id not in excluded:
                    self._used.add(item.slots)
            if plan.feedback:
                self._excluded = exclusions(bank, plan.paradigm.name)

    def note(self, slots: Mapping[str, str] | None) -> None:
        """Note the words of a new item."""
        self._used.add(slots)
        self._written.clear()

    def write(self, n_items: int) -> str:
        """The prompt of a call for so many items."""
        plan = self._plan
        if plan.prompt is None:
            return ""
        if n_items in self._written:
            return self._written[n_items]
        context = prompt_context(
            plan.paradigm,
            n=n_items,
            mode=plan.mode,
            design=plan.design,
            used=self._used.most_used(),
            excluded=self._excluded,
            advice=plan.advice,
        )
        self._written[n_items] = render_prompt(plan.prompt, context)
        return self._written[n_items]
