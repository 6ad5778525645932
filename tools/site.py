"""Build the documentation as a folder of static pages: ``python -m tools.site [FOLDER]``, or ``make docs``.

The pages are those of the repository, which the tests carry out, at their places, with every file that they link to or show. Beside
them stand pages that are made of the program itself: commands (of the requests), rules, paradigms with a figure of each (of forty items
and the bundled model), and a page for each published number (of the studies).
The pages load nothing from elsewhere: `outside` names what would."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path

import gapsmith
from gapsmith.app.requests.base import entries
from gapsmith.app.stages.catalogue import STAGES
from gapsmith.app.studies import Study, shipped_studies
from gapsmith.scoring.report.figures import effects_drawn, summary_figure
from gapsmith.templates import Contrast, Paradigm, load_paradigm, paradigm_files, realise, sample, weighted_sum
from gapsmith.templates.formula import CRITICAL_PLACE
from gapsmith.vetting.rules import measurements_of, packs, plain
from gapsmith.vetting.rules.reference import grouped
from gapsmith.vetting.rules.registry import RULES

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
_LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
_NAMED_BLOCK = re.compile(r"^(```\w+) ([\w./-]+)$", re.MULTILINE)
_LOADING = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src", "video": "src", "object": "data"}
ITEMS = 40
FIGURES = Path("made") / "figures"
_STIMULI = {
    "published": "the sentences of the paper",
    "inferred": "our reading of which sentences the paper had",
    "sampled": "a sample of the paper's sentences",
    "ours": "other sentences of the same design",
}
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
        draw(source / FIGURES)
        write_gallery(source)
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
        if page.suffix != ".md":
            shutil.copyfile(page, target)
            continue
        text = page.read_text(encoding="utf-8")
        # A block that is a file: mkdocs takes no name behind the language, and would show the rest of the page as code.
        target.write_text(_NAMED_BLOCK.sub(r'\1 title="\2"', text), encoding="utf-8")
        waiting += [(page.parent / link).resolve() for link in _LINK.findall(text) if "://" not in link]
    made = {"commands": _commands(), "rules": _rules(), **_published()}
    for name, lines in made.items():
        _write(source / "made" / f"{name}.md", lines)
    write_gallery(source)


def _write(path: Path, lines: Iterator[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def draw(folder: Path, names: Sequence[str] = ()) -> None:
    """A figure for each paradigm (or those that are named) that has effects to draw: the contrasts of what the command on its page
    makes, under the bundled model. Takes minutes for all."""
    folder.mkdir(parents=True, exist_ok=True)
    chosen = names or sorted(paradigm_files())
    with tempfile.TemporaryDirectory() as place, gapsmith.open_workspace(place, create=True) as workspace:
        with warnings.catch_warnings():
            # That some contrasts are of few of the items, which the figure says itself.
            warnings.simplefilter("ignore")
            for name in chosen:
                gapsmith.generate(workspace, name, n=ITEMS, seed=1)
            gapsmith.score(workspace, "bundled", everything=True)
        for name in chosen:
            (analysis,) = gapsmith.analyze(workspace, name, everything=True)
            if effects := effects_drawn(analysis):
                (folder / f"{name}.svg").write_text(summary_figure(analysis, effects).svg, encoding="utf-8")


def write_gallery(source: Path) -> None:
    """The page of paradigms, with the figures that are there."""
    figures = {path.stem for path in (source / FIGURES).glob("*.svg")}
    _write(source / "made" / "paradigms.md", _gallery(figures))


def _nav(source: Path) -> Iterator[str]:
    yield "  - Start: README.md"
    yield "  - I want to …: docs/README.md"
    yield "  - Tour: docs/tour.md"
    # In the order of the index of tasks, which leads to all of them.
    index = (source / "docs" / "README.md").read_text(encoding="utf-8")
    for title, folder in (("Tasks", "docs/tasks"), ("Pages", "docs"), ("Statistics", "docs/statistics")):
        yield f"  - {title}:"
        pages = (page for page in sorted((source / folder).glob("*.md")) if page != source / "docs" / "README.md")
        for page in sorted(pages, key=lambda page: index.find(f"({page.relative_to(source / 'docs').as_posix()}") % len(index)):
            yield f"    - {page.relative_to(source)}"
    yield "  - Reference:"
    yield "    - Commands: made/commands.md"
    yield "    - Paradigms: made/paradigms.md"
    yield "    - Published numbers: made/numbers.md"
    yield "    - Rules: made/rules.md"
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


def _rules() -> Iterator[str]:
    yield "# Rules\n\nMade of the rules' pages, which `gapsmith rule CODE` shows; [how to use them](../docs/rules.md)."
    for about, groups in grouped():
        yield f"\n## {_plain(about)}"
        for title, codes in groups:
            yield f"\n### {title}"
            for entry in map(packs.page, codes):
                yield f"\n#### {entry.code} {_plain(entry.title)} ({RULES[entry.code].severity.value})\n\n{_plain(plain(entry.summary))}\n"
                yield from (f"- flagged: {_plain(example)}" for example in entry.bad)
                yield from (f"- fine: {_plain(example)}" for example in entry.good)
                yield f"\n{_plain(plain(entry.reason))} **{_plain(plain(entry.remedy))}**\n"
                yield from (f"{_plain(one)[:1].upper()}{_plain(one)[1:]}.\n" for one in measurements_of(entry.code))
                yield from (f"- {_plain(one)}" for one in entry.literature)


def _gallery(figures: set[str]) -> Iterator[str]:
    yield "# Paradigms\n\nMade of the paradigm files: what each compares, one of its items, the command that makes more, and the paper."
    for paradigm in map(load_paradigm, sorted(paradigm_files())):
        yield f"\n## {paradigm.name}: {paradigm.title}\n\n{_plain(paradigm.description)}\n\nFollows: {_plain(paradigm.source) or 'nobody'}\n"
        yield f"    gapsmith generate {paradigm.name} -n {ITEMS} --seed 1\n"
        yield from _grid(paradigm)
        if paradigm.name in figures:
            yield f"\n![{_plain(paradigm.title)}: the contrasts of {ITEMS} items under the bundled model](figures/{paradigm.name}.svg)"


def _grid(paradigm: Paradigm) -> Iterator[str]:
    """A sentence for each condition, what is expected of it and where it is measured; below, what is compared."""
    yield "| condition | | sentence | measured at |\n|---|---|---|---|"
    slots = next(iter(sample(paradigm, 1)))
    for condition, sentence in zip(paradigm.variant(slots).conditions, realise(paradigm, slots), strict=True):
        yield f"| {condition.label} | {_plain(condition.expected)} | {_plain(sentence.text)} | {condition.critical or 'the sentence'} |"
    yield ""
    for contrast in paradigm.contrasts:
        expected = {-1: "below 0", 1: "above 0"}.get(contrast.expected, "no sign")
        yield f"- {contrast.name} ({_plain(contrast.title)}): `{_sum(contrast)}`, expected: {expected}"
    for criterion in paradigm.criteria:
        yield f"- {criterion.name}: `{criterion.formula}`"


def _published() -> dict[str, Iterator[str]]:
    """The list of published numbers, and a page for each."""
    pages = {f"numbers/{study.name}-{at}": lines for study in shipped_studies() for at, lines in enumerate(_numbers(study), 1)}
    return {"numbers": _list_of_numbers(), **{name: iter(lines) for name, (_, _, lines) in pages.items()}}


def _list_of_numbers() -> Iterator[str]:
    yield "# Published numbers\n\nMade of the studies' files; `gapsmith study NAME` puts ours beside them."
    for study in shipped_studies():
        yield f"\n## {study.name}: {_plain(study.title)}\n\n{_plain(study.about)}\n\nOf: {_plain(study.paper)}\n"
        yield "| what | published |\n|---|---|"
        for at, (what, value, _) in enumerate(_numbers(study), 1):
            yield f"| [{_plain(what)}](numbers/{study.name}-{at}.md) | {_plain(value)} |"


def _numbers(study: Study) -> Iterator[tuple[str, str, list[str]]]:
    """What was published, as printed, and the lines of its page, for every number of a study."""
    sets = {one.name: one for one in study.set}

    def lines(what: str, value: str, told: dict[str, str]) -> tuple[str, str, list[str]]:
        rows = [f"| {name} | {_plain(text)} |" for name, text in told.items() if text]
        head = [f"# {_plain(what)}: {_plain(value)}", "", "| | |", "|---|---|", f"| paper | {_plain(study.paper)} |", *rows]
        return what, value, [*head, "", f"    gapsmith study {study.name}", "", "puts ours beside it."]

    def items(name: str) -> str:
        return f"{sets[name].title}: {_STIMULI[sets[name].stimuli]}"

    for one in study.number:
        told = {
            "model": one.model,
            "where": one.at,
            "items": items(one.set),
            "contrast": _formula(sets[one.set].paradigm, one.contrast),
        }
        yield lines(one.what, f"{one.published:.{one.decimals}f}", {**told, "statistic": one.statistic})
    for surprisal in study.surprisal:
        weighed = " ".join(f"{weight:+g}·{condition}" for condition, weight in surprisal.weights.items())
        told = {"model": surprisal.model, "where": surprisal.at, "items": items(surprisal.set), "sentence": surprisal.sentence}
        yield lines(surprisal.what, f"{surprisal.published:.{surprisal.decimals}f}", {**told, "surprisal, in bits, of": weighed})
    for two in study.compared:
        told = {"model": two.model, "where": two.at, "first set": items(two.first), "second set": items(two.second)}
        contrast = _formula(sets[two.first].paradigm, two.contrast)
        yield lines(two.what, f"{two.published:.{two.decimals}f}", {**told, "contrast": contrast})
    for sum_ in study.arithmetic:
        told = {"where": sum_.at, "follows from": f"{sum_.how} of {', '.join(f'{value:g}' for value in sum_.values)}"}
        yield lines(sum_.what, f"{sum_.published:.{sum_.decimals}f}", told)
    for effect in study.effect:
        yield lines(effect.what, effect.published, {"model": effect.model, "ours is called": effect.effect})


def _formula(paradigm: str, name: str) -> str:
    """A contrast or criterion with its formula, where the paradigm ships."""
    if paradigm not in paradigm_files():
        return name
    loaded = load_paradigm(paradigm)
    formulas = {one.name: _sum(one) for one in loaded.contrasts} | {one.name: str(one.formula) for one in loaded.criteria}
    return f"{name}: {formulas[name]}" if name in formulas else name


def _sum(contrast: Contrast) -> str:
    """A contrast's formula."""
    return weighted_sum(contrast.terms, lambda term: term.condition + ("" if term.place == CRITICAL_PLACE else f"@{term.place}"))


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
