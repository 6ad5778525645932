"""Trees by hand: one line a word, with the form, the tag, the head (from 1) and the label."""

from __future__ import annotations

from gapsmith.parsing.model import Parse, Scheme, Token


def tree(text: str, *rows: str, scheme: Scheme = Scheme.UD) -> Parse:
    """`tree("They know", "They PRON 2 nsubj", "know VERB 0 root")`; words are looked for in the text in order."""
    tokens, at = [], 0
    for row in rows:
        form, upos, head, relation, *feats = row.split()
        start = text.index(form, at)
        at = start + len(form)
        tokens.append(Token(form, start, at, upos, int(head) - 1, relation, feats="|".join(feats)))
    return Parse(text, tuple(tokens), scheme)
