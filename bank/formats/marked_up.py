"""Items in XML and TOML, and in sections with a line for each condition (``[item1]``, ``good = …``): as JSON and as rows."""

from __future__ import annotations

import json
import re
from typing import Any
from xml.etree import ElementTree

from gapsmith.templates import DocumentError, limits, nested_too_deep, read_toml

_SECTION = re.compile(r"\[(?P<name>[^]\[\"'{}]+)\]\s*")
_ENTRY = re.compile(r"(?P<name>[^\s=\[\]][^=]{0,40}?)\s*=\s*(?P<text>\S.*?)\s*")
_DECLARED = re.compile(r"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_DEEPEST = 400
"""Whatever the limit: elements are gone through by calls within calls."""


def json_of_xml(text: str) -> str | None:
    """An XML document as JSON: attributes and elements under their names; None where it is none. Raises `DocumentError` with the line for one
    that is broken, or declares what its words stand for."""
    if not text.lstrip().startswith("<") or re.match(r"\s*<(?:!doctype\s+html|html)\b", text, re.IGNORECASE):
        return None
    if _DECLARED.search(text):
        raise DocumentError("declares what its words stand for (DOCTYPE, ENTITY), which is not read: take the declaration out")
    try:
        root = ElementTree.fromstring(text.lstrip())
    except ElementTree.ParseError as error:
        raise DocumentError(f"not XML: {error}", error.position[0]) from None
    return json.dumps(_value(root, 0), ensure_ascii=False, indent=1) + "\n"


def json_of_toml(text: str) -> str:
    """A TOML document as JSON, dates as text. Raises `DocumentError` with the line for one that is broken."""
    found = read_toml(text)
    return json.dumps(found, ensure_ascii=False, indent=1, default=str) + "\n"


def _value(element: Any, depth: int) -> Any:
    if depth > min(limits().depth, _DEEPEST):
        raise DocumentError(nested_too_deep())
    own = {_name(key): value for key, value in element.attrib.items()}
    beside = [element.text, *(child.tail for child in element)]
    if not len(element) or any(text and text.strip() for text in beside):
        # Words with some of them in elements of their own are one text.
        within = " ".join("".join(element.itertext()).split())
        return {**own, "text": within} if own else within
    found: dict[str, Any] = dict(own)
    for child in element:
        name = _name(child.tag) if isinstance(child.tag, str) else ""
        if name:
            found.setdefault(name, []).append(_value(child, depth + 1))
    return {
        name: value[0] if isinstance(value, list) and len(value) == 1 and isinstance(value[0], str) else value
        for name, value in found.items()
    }


def _name(tag: str) -> str:
    return tag.rpartition("}")[2]


def rows_of_sections(text: str) -> tuple[list[list[str]], list[int]] | None:
    """Sections with a line for each condition as rows under headings, and the line of each; None where a line is no such."""
    rows, places = [["item", "condition", "sentence"]], [1]
    section = ""
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.lstrip()[:1] in "#;":
            continue
        if (head := _SECTION.fullmatch(line)) is not None:
            section = head["name"].strip()
        elif section and (entry := _ENTRY.fullmatch(line)) is not None:
            rows.append([section, entry["name"].strip(), entry["text"].strip("\"'")])
            places.append(number)
        else:
            return None
    told = {row[1] for row in rows[1:]}
    return (rows, places) if len({row[0] for row in rows[1:]}) > 1 and len(told) * 2 <= len(rows) - 1 else None
