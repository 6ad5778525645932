"""Every sign that the screens show beside words, with what it means: the help tells them all, and a test holds `docs/review.md` and
the screens against this list."""

from __future__ import annotations

from collections.abc import Mapping

SIGNS: Mapping[str, str] = {
    "·": "undecided; between two statements, only a space",
    "✓": "approved",
    "✗": "excluded; at a finding or a count of findings, an error; in a parse, what the design does not have",
    "⚑": "flagged",
    "↻": "the text was edited after you decided: it waits for you again",
    "p": "before a decision: only a policy made it (shown after you have locked)",
    "≠": "disputed; before a judgement, not as expected",
    "=": "before a judgement: as expected",
    "!": "a warning of the linter; in the line above the keys, something that did not work",
    "i": "a remark of the linter",
    "“": "in the queue: you have remarked on the item; in adjudication, somebody has",
    "▸": "the selected sentence, or the field in which you type",
    "‹›": "the filler, or the complementizer in its place",
    "__": "an open gap",
    "[]": "the critical region; in the queue's order by doubt, why it is doubtful",
    "{}": "what differs between the sentences of an item, by name or with all that stands there",
    "|": "between what stands there in one sentence and in another",
    "¹": "finding 1 is about this word (and so on: ², ³)",
    "ok": "what a speaker is expected to say: ok, ? (questionable) or * (bad)",
    "[-": "words that go, or are missing: [-words-]",
    "{+": "words that come, or are there instead: {+words+}",
    "→": "what can be done about a finding; in an edit, what a word became",
    "—": "there is no sentence, or no word",
    "…": "more than there is room for, or something is under way",
    "»": "what the last key did",
    "●": "a reason that is marked",
    "⟨⟩": "a character that cannot be seen, by its name or code; others have a sign of their own, such as ⇥ for a tab",
    "␣": "the space bar",
    "⌫": "backspace",
    "⏎": "enter",
    "↑": "the arrow up",
    "↓": "the arrow down",
}
