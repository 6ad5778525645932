"""Pages for a browser: the code in our sentences is shown as code, and nothing of theirs becomes markup."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

import gapsmith as api
from gapsmith.bank import ItemFilter
from gapsmith.scoring.report.tables import Table, with_links
from gapsmith.templates import prose_html

_SILENT = {"code", "pre", "style", "svg", "script"}


class _Shown(HTMLParser):
    """What a page shows outside of code, and the code."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self._within: list[str] = []
        self.text = ""
        self.code: list[str] = []
        self.links: list[str] = []
        self._in_link = False
        self.feed(page)

    def handle_starttag(self, tag: str, _attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SILENT:
            self._within.append(tag)
        if tag == "a":
            self._in_link = True
            self.links.append("")

    def handle_endtag(self, tag: str) -> None:
        if self._within[-1:] == [tag]:
            self._within.pop()
        self._in_link = self._in_link and tag != "a"

    def handle_data(self, data: str) -> None:
        if self._in_link:
            self.links[-1] += data.strip()
        if not self._within:
            self.text += data
        elif self._within[-1] == "code":
            self.code.append(data)


def _pages(root: Path) -> Iterator[tuple[str, str]]:
    """A page by each way in which one is written: report, its lists, its items, the lab, the audit of a file."""
    with api.open_workspace(str(root / "study"), create=True) as study:
        api.generate(study, "subject_pg", n=2, seed=1)
        study.bank.assignments.assign(dict.fromkeys(study.bank.items.ids(ItemFilter()), ("ann", "ben")), by=study.bank.reader)
        api.score(study, "bundled", everything=True)
        api.report(study, out=root / "report", everything=True)
        yield "lab", api.lab(study).html
    for path in sorted((root / "report").rglob("*.html")):
        yield path.name, path.read_text(encoding="utf-8")
    (root / "pairs.csv").write_text("item,good,bad\n1,The cat <b>sees</b> it.,The cat <b>see</b> it.\n", encoding="utf-8")
    api.audit(root / "pairs.csv", out=root / "audit.html")
    yield "audit.html", (root / "audit.html").read_text(encoding="utf-8")


@pytest.mark.full
def test_code_in_our_sentences_is_code_on_every_page(tmp_path: Path) -> None:
    shown = {name: _Shown(page) for name, page in _pages(tmp_path)}
    assert {"lab", "report.html", "subject_pg.html", "run-1.html", "audit.html"} <= shown.keys()
    theirs = "The cat <b>sees</b> it."
    for name, page in shown.items():
        assert "`" not in page.text, name
        # Somebody who goes by Tab would stop at a link that shows nothing.
        assert all(page.links), name
    assert any(code.startswith("gapsmith ") for code in shown["report.html"].code)
    assert "gapsmith lint" in shown["subject_pg-records-1.html"].code
    assert theirs in shown["audit.html"].text


def test_a_row_that_goes_on_with_the_one_above_has_no_link_of_its_own() -> None:
    table = Table("parts", ("", "part"), (("way 1", "a"), ("", "b"), ("other", "c")))
    assert with_links(table, {"way 1": "x.html"}, otherwise="y.html").links == ("x.html", "", "y.html")


def test_what_is_no_pair_of_backticks_stays_and_all_is_escaped() -> None:
    assert prose_html("see `a <b>` & ``b'' or `") == "see <code>a &lt;b&gt;</code> &amp; ``b&#x27;&#x27; or `"
