"""YAML as JSON: texts stay what they are (``no`` is a label and 01 a number of an item), and what YAML would settle by itself is refused."""

from __future__ import annotations

import json
import re
from typing import Any

from gapsmith.templates import DocumentError, nested_too_deep

_BEHIND = re.compile(r"\S\s+#")


def json_of(text: str) -> tuple[str, list[str]]:
    """The document as JSON, and what is to be said of it. Raises `DocumentError` with the line: where it is no YAML, has a key twice, or
    says one thing in two places by a reference."""
    import yaml

    try:
        found = [_value(node, set()) for node in yaml.compose_all(text, Loader=yaml.SafeLoader) if node is not None]
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        why = f"not YAML: {error.problem or error.context}; a text that begins with a sign such as * or holds a colon stands in quotes"
        raise DocumentError(why, mark.line + 1 if mark is not None else None) from None
    except yaml.YAMLError as error:
        raise DocumentError(f"not YAML: {error}") from None
    except RecursionError:
        raise DocumentError(nested_too_deep()) from None
    if not found:
        raise DocumentError("there is nothing in it")
    document = found[0] if len(found) == 1 else found
    comments = sum(_BEHIND.search(line) is not None for line in text.split("\n"))
    said = [f"YAML{f'; what stands behind a space and # is a comment there ({comments} lines)' if comments else ''}"]
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n", said


def _value(node: Any, seen: set[int]) -> Any:
    import yaml

    if id(node) in seen:
        raise DocumentError("refers to what stands elsewhere (& and *): write it out, or put quotes around the text", _line(node))
    seen.add(id(node))
    if isinstance(node, yaml.ScalarNode):
        return node.value
    if isinstance(node, yaml.SequenceNode):
        return [_value(one, seen) for one in node.value]
    found: dict[str, Any] = {}
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise DocumentError("a key is no text", _line(key))
        if key.value in found:
            raise DocumentError(f"the key {key.value!r} is there twice", _line(key))
        found[key.value] = _value(value, seen)
    return found


def _line(node: Any) -> int:
    return int(node.start_mark.line) + 1
