"""How long all rules take over Lan et al.'s 8,064 items, and whether that grows in proportion to their number."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

from gapsmith.bank import ItemStatus, StoredItem
from gapsmith.parsing import MemoryParseStore
from gapsmith.templates import Paradigm, Sentence, Source, expand, load_paradigm, parse_paradigm, realise
from gapsmith.vetting.loose_items import loose_item
from gapsmith.vetting.roles import RoleReader
from gapsmith.vetting.rules import ItemView, Linter, load_knowledge


def main() -> None:
    """Print the processor seconds for an eighth, a half and all of the items, each as a multiple of what proportion predicts; and the
    machine's load and the time on the clock, which say how far other work may have slowed them."""
    print(f"  load of the machine before: {os.getloadavg()[0]:.1f}")
    clock, processor = time.perf_counter(), time.process_time()
    paradigm = load_paradigm("lan_pg")
    for what, keep_slots in (("with their slots", True), ("read back from the sentences", False)):
        items = _items(paradigm, keep_slots=keep_slots)
        whole = _seconds(paradigm, items)
        sentences = sum(len(item.sentences) for item in items)
        print(
            f"  {len(items):,} items {what}: {whole:.2f} s, {whole / len(items) * 1e6:.0f} µs each,"
            f" {sentences / whole:,.0f} sentences a second"
        )
        for part in (8, 2):
            some = items[::part]
            seconds = _seconds(paradigm, some)
            print(f"  {len(some):,} items: {seconds:.2f} s, {seconds * part / whole:.2f} times the proportional share")
    _foreign()
    print(
        f"  in all, items made and parsed too: {time.process_time() - processor:.1f} s of the processor,"
        f" {time.perf_counter() - clock:.1f} s on the clock; load after: {os.getloadavg()[0]:.1f}"
    )


def _foreign() -> None:
    """Items whose sentences are a paradigm of their own, so that roles are read from them: the first time, and with the parses kept."""
    own = load_paradigm("lan_pg")
    texts = [{s.condition: s.text for s in item.sentences} for item in _items(own, keep_slots=False)[::4]]
    names = tuple(texts[0])
    head = 'name = "foreign"\ntitle = "foreign"\ndescription = "given sentences"\nitems = "given"\nfinal_punctuation = "."\n[conditions]\n'
    paradigm = parse_paradigm(head + "".join(f'{name} = "{name}"\n' for name in names) + '[designs.all]\nconditions = "all"\n')
    store = MemoryParseStore()
    for what in ("parsed the first time", "with their parses kept"):
        reader = RoleReader(lambda _: store)
        linter = Linter(paradigm, load_knowledge(), reader=reader)
        start = time.process_time()
        reader.look_ahead(texts)
        for item in texts:
            sentences = tuple(Sentence(name, text, None, Source.IMPORTED) for name, text in item.items())
            linter.check(loose_item(paradigm, sentences))
        seconds = time.process_time() - start
        n = sum(len(item) for item in texts)
        print(f"  {len(texts):,} items of no paradigm, {what}: {seconds:.2f} s, {n / seconds:,.0f} sentences a second")


def _items(paradigm: Paradigm, *, keep_slots: bool) -> list[StoredItem]:
    made = []
    for number, slots in enumerate(expand(paradigm), 1):
        sentences = realise(paradigm, slots)
        if not keep_slots:
            sentences = tuple(Sentence(s.condition, s.text, None, Source.IMPORTED) for s in sentences)
        made.append(
            StoredItem(
                id=number,
                uid=bytes(16),
                label=str(number),
                dataset="lan",
                paradigm=paradigm.name,
                paradigm_id=1,
                revision_id=number,
                revision_number=1,
                slots=slots if keep_slots else None,
                sentences=sentences,
                status=ItemStatus.PENDING,
                reason=None,
                expects=None,
                run_id=1,
                call_id=None,
                created_at="",
            )
        )
    return made


def _seconds(paradigm: Paradigm, items: Sequence[StoredItem]) -> float:
    """Processor time of all rules over the items and the set, with nothing remembered from an earlier run but the lists."""
    from gapsmith.vetting.rules import text_repair, view

    knowledge = load_knowledge()
    for cache in (text_repair.text_flaws, text_repair.bare_text, view._cached_readings):
        cache.cache_clear()
    knowledge.readings.clear()
    linter = Linter(paradigm, knowledge)
    facts = linter.new_set()
    start = time.process_time()
    for item in items:
        of = ItemView(item, paradigm)
        linter.check_view(of)
        if facts is not None:
            facts.add(of)
    if facts is not None:
        linter.check_set(facts)
    return time.process_time() - start


if __name__ == "__main__":
    main()
