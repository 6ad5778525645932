"""Build the documentation as a folder of static pages: ``python -m tools.site [FOLDER]``, or ``make docs``.

The pages are those of the repository, which the tests carry out, at their places, with every file that they link to or show. Beside
them stand pages that are made of the program itself: commands (of the requests), paradigms, published numbers (of the studies).
The pages load nothing from elsewhere: `outside` names what would."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from gapsmith.app.requests.base import entries
from gapsmith.app.stages.catalogue import STAGES
from gapsmith.app.studies import shipped_studies
from gapsmith.templates import load_paradigm, paradigm_files, realise, sample

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
_LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
_LOADING = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src", "video": "src", "object": "data"}
_SETTINGS = """\
site_name: gapsmith
docs_dir: {source}
site_dir: {out}
use_directory_urls: false
theme:
  name: material
  font: false
  features: [navigation.tabs, navigation.sections, navigation.top, search.suggest, search.highlight, content.code.copy]
plugins: [search]
markdown_extensions: [admonition, tables, attr_list, pymdownx.superfences, {{toc: {{permalink: true}}}}]
extra: {{generator: false}}
validation: {{links: {{not_found: warn, anchors: warn}}, nav: {{omitted_files: ignore}}}}
nav:
{nav}
"""


def build(out: Path) -> None:
    """Make the site in a folder, whose earlier content goes. Raises `subprocess.CalledProcessError` where mkdocs objects to a page,
    such as to a link that leads nowhere."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "pages"
        gathered(source)
        settings = Path(folder) / "mkdocs.yml"
        settings.write_text(_SETTINGS.format(source=source, out=out.resolve(), nav="\n".join(_nav(source))), encoding="utf-8")
        command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--clean", "--config-file", str(settings)]
        # Without the notice that its theme prints about other programs.
        subprocess.run(command, check=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})


def gathered(source: Path) -> None:
    """Copy the pages and what they link to, and write those that are made."""
    waiting = [*(ROOT / name for name in PAGES), *sorted((ROOT / "docs").rglob("*.md"))]
    done: set[Path] = set()
    while waiting:
        page = waiting.pop()
        target = source / page.relative_to(ROOT)
        if page in done or not page.is_file():
            continue
        done.add(page)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(page, target)
        if page.suffix == ".md":
            links = _LINK.findall(page.read_text(encoding="utf-8"))
            waiting += [(page.parent / link).resolve() for link in links if "://" not in link]
    made = {
        "made/commands.md": _commands(),
        "made/paradigms.md": _gallery(),
        "made/numbers.md": _published(),
    }
    for name, lines in made.items():
        path = source / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _nav(source: Path) -> Iterator[str]:
    yield "  - Start: README.md"
    yield "  - I want to …: docs/README.md"
    yield "  - Tour: docs/tour.md"
    for title, folder in (("Tasks", "docs/tasks"), ("Pages", "docs"), ("Statistics", "docs/statistics")):
        yield f"  - {title}:"
        yield from (
            f"    - {page.relative_to(source)}" for page in sorted((source / folder).glob("*.md")) if page.name != "README.md"
        )
    yield "  - Reference:"
    yield "    - Commands: made/commands.md"
    yield "    - Paradigms: made/paradigms.md"
    yield "    - Published numbers: made/numbers.md"
    yield "    - Rules: docs/rules-reference.md"
    yield "  - Project:"
    yield from (f"    - {name}" for name in PAGES[1:])


def _commands() -> Iterator[str]:
    yield "# Commands\n\nMade of the requests: what each stage can be asked, from the command line, from Python and in a study's file."
    for name in sorted(STAGES):
        request = STAGES[name].request_type()
        yield f"\n## gapsmith {name}\n\n{_plain(request.__doc__ or '')}\n"
        yield from (f"    {example}" for example in request.examples)
        yield "\n| option | what it says |\n|---|---|"
        yield from (f"| `{entry.shown}` | {_plain(entry.option.help)} |" for entry in entries(request))


def _gallery() -> Iterator[str]:
    yield "# Paradigms\n\nMade of the paradigm files, each with one of its items."
    for paradigm in map(load_paradigm, sorted(paradigm_files())):
        yield f"\n## {paradigm.name}: {paradigm.title}\n\n{_plain(paradigm.description)}\n\nFollows: {_plain(paradigm.source) or 'nobody'}\n"
        yield f"    gapsmith generate {paradigm.name} -n 40 --seed 1\n"
        yield "| condition | | sentence |\n|---|---|---|"
        slots = next(iter(sample(paradigm, 1)))
        for condition, sentence in zip(paradigm.variant(slots).conditions, realise(paradigm, slots), strict=True):
            yield f"| {condition.label} | {_plain(condition.expected)} | {_plain(sentence.text)} |"


def _published() -> Iterator[str]:
    yield "# Published numbers\n\nMade of the studies' files; `gapsmith study NAME` puts ours beside them."
    for study in shipped_studies():
        yield f"\n## {study.name}: {_plain(study.title)}\n\n{_plain(study.about)}\n\nOf: {_plain(study.paper)}\n"
        yield "| what | published | of | where |\n|---|---|---|---|"
        for number in study.number:
            yield f"| {_plain(number.what)} | {number.published:.{number.decimals}f} | {number.model} | {_plain(number.at)} |"


def _plain(text: str) -> str:
    """A text on one line that no sign of which is markup of a table or a tag."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


class _Loads(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        value = given.get(_LOADING.get(tag, ""), "") or ""
        if re.match(r"(https?:)?//", value) and given.get("rel") != "canonical":
            self.found.append(f"{tag} {value}")


def outside(site: Path) -> list[str]:
    """What the pages or their styles would load from other hosts, each with the page; links that a reader follows are none."""
    found = []
    for page in sorted(site.rglob("*.html")):
        loads = _Loads()
        loads.feed(page.read_text(encoding="utf-8"))
        found += [f"{page.relative_to(site)}: {one}" for one in loads.found]
    for style in sorted(site.rglob("*.css")):
        text = style.read_text(encoding="utf-8")
        found += [
            f"{style.relative_to(site)}: {one}" for one in re.findall(r"(?:url\(|@import )['\"]?((?:https?:)?//[^)'\"]+)", text)
        ]
    return found


def main() -> None:
    """Build into the folder that is named, or ``build/site``."""
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "site"
    build(out)
    if elsewhere := outside(out):
        sys.exit("the site would load from elsewhere: " + "; ".join(elsewhere))
    print(f"To read it, with search: {sys.executable} -m http.server --directory {out} --bind 127.0.0.1")


if __name__ == "__main__":
    main()
