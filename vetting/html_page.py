"""Whole pages of plain HTML, for browsers of any size: their look, and forms. They run no script."""

from __future__ import annotations

import html

STYLE = """
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 25%, transparent); }
body { font: 1.15rem/1.5 system-ui, sans-serif; max-width: 52rem; margin: 0 auto; padding: 1rem; }
header { display: flex; justify-content: space-between; gap: 1rem; opacity: .8; font-size: .95rem; }
.sentence { font-size: 1.6rem; text-align: center; margin: 2.5rem 0; }
.answers { display: grid; gap: .6rem; }
button { font: inherit; min-height: 3.2rem; padding: .4rem 1rem; border: 2px solid var(--line); border-radius: .6rem;
  background: Canvas; color: CanvasText; text-align: left; width: 100%; touch-action: manipulation; cursor: pointer; }
button:focus-visible { outline: 3px solid Highlight; }
.answers button b { display: inline-block; min-width: 2rem; }
.quiet { margin-top: 2rem; }
.quiet button { text-align: center; border-style: dashed; width: auto; }
.told { border-left: .4rem solid Highlight; padding: .4rem 1rem; }
table { border-collapse: collapse; margin: .5rem 0 1.5rem; display: block; overflow-x: auto; }
th, td { text-align: left; padding: .25rem .8rem .25rem 0; border-bottom: 1px solid var(--line); white-space: nowrap; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
code { font-size: .95em; }
"""


def page_of(title: str, body: str) -> str:
    """A whole page."""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{STYLE}</style></head>'
        f"<body>{body}</body></html>"
    )


def form(action: str, inside: str, **hidden: str) -> str:
    """A form of this page; what is inside is HTML."""
    kept = "".join(f'<input type="hidden" name="{html.escape(name)}" value="{html.escape(own)}">' for name, own in hidden.items())
    return f'<form method="post" action="/{action}">{kept}{inside}</form>'
