"""Tables as LaTeX, with the rules of the package booktabs."""

from __future__ import annotations

from gapsmith.scoring.report.numbers import minus
from gapsmith.scoring.report.tables import Table

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "−": "$-$",
    "–": "--",
    "“": "``",
    "”": "''",
}


def latex_text(text: str) -> str:
    """The text with every character that LaTeX reads otherwise written out, and true minus signs before numbers."""
    return "".join(_ESCAPES.get(character, character) for character in minus(" ".join(text.split())))


def latex_table(table: Table) -> str:
    """A ``table`` environment: caption, heading, rows and notes. It needs ``\\usepackage{booktabs}``."""
    form = "".join("r" if column in table.numeric else "l" for column in range(len(table.columns)))
    lines = ["% needs \\usepackage{booktabs}", "\\begin{table}", "\\centering"]
    if table.caption:
        lines.append(f"\\caption{{{latex_text(table.caption)}}}")
    lines += [f"\\begin{{tabular}}{{{form}}}", "\\toprule", _row(table.columns), "\\midrule"]
    lines += [_row(row) for row in table.rows]
    lines += ["\\bottomrule", "\\end{tabular}"]
    lines += [f"\\\\ \\footnotesize {latex_text(note)}" for note in table.notes]
    return "\n".join([*lines, "\\end{table}"]) + "\n"


def _row(cells: tuple[str, ...]) -> str:
    return " & ".join(map(latex_text, cells)) + r" \\"
