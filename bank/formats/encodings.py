"""In which encoding bytes are a text that somebody may have written: the only place that weighs them. Nothing is decided here: those that
are likely are shown with words of the file, and a person says which is right."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise

_SCRIPTS = {
    **dict.fromkeys(("cp1252", "mac_roman", "cp1250", "cp1254", "cp1257"), "LATIN"),
    **dict.fromkeys(("cp1251", "koi8_r", "mac_cyrillic", "cp866", "iso8859_5"), "CYRILLIC"),
    "cp1253": "GREEK",
    "cp1255": "HEBREW",
    "cp1256": "ARABIC",
    "cp874": "THAI",
    "cp949": "HANGUL",
    **dict.fromkeys(("gb18030", "big5", "cp932", "euc_jp"), "CJK"),
}
"""The encodings that are tried, each with the script that it is made for; of two in which the text is the same, the first is shown."""
_LOOKED_AT = 100_000
"""So many bytes are looked at."""
_LIKELY = 0.7
"""What is at least this likely, compared with the likeliest, is shown, too."""
_MOST = 4
_NEIGHBOURS = 3
"""At most so many letters with signs stand side by side in a word of Latin letters."""
_VOWELS = frozenset("аеёиоуыэюяіїєўαεηιουωάέήίόύώϊϋ")
_WEST = frozenset("àâäáãåæçéèêëíìîïñóòôöõøœúùûüßªº")
_USUAL = {
    "cp1252": _WEST,
    "mac_roman": _WEST,
    "cp1250": frozenset("áčďéěíňóřšťúůýžąćęłńśźżäöüßôľĺŕőűăâîşţđ"),
    "cp1254": frozenset("çğıöşüâîûi\u0307"),
    "cp1257": frozenset("āčēģīķļņšūžąęėįųõäöü"),
}
"""Of encodings for several languages, the letters that these have."""
_MOST_USED = frozenset(
    "的一是不了在人有我他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然没日于起还发成"
    "只作当想看文无开手用主行方又如前所本见经头面公同三已老从动两长這個來們為說時會過學對裡後麼沒於還發當無開經頭從動兩長"
)
"""The Chinese characters of which every text has some."""
_UNUSUAL, _CAPITALS, _SIGN_BEFORE = 0.6, 0.7, 0.9
"""How much a letter counts that a language of the encoding does not have, a word of capitals, and one behind a sign."""
_COMMON = {
    "gb18030": ("gb2312", b"\xb0\xa1", b"\xd7\xfe"),
    "big5": ("big5", b"\xa4\x40", b"\xc6\x7e"),
    "cp932": ("euc_jp", b"\xb0\xa1", b"\xcf\xfe"),
    "euc_jp": ("euc_jp", b"\xb0\xa1", b"\xcf\xfe"),
}
"""Where each standard keeps the characters that are used most."""
_EAST_ASIAN = frozenset({"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "FULLWIDTH", "IDEOGRAPHIC"})
_WORD = re.compile(r"\S*[^\x00-\x7f\s]\S*")


def wide_encoding(raw: bytes) -> str:
    """The encoding of two bytes a character that a text without its mark seems to have: every other byte is nearly always 0."""
    head = raw[:4000]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if max(even, odd) * 2 < len(head) // 2 or min(even, odd) * 10 > max(even, odd):
        return ""
    return "utf-16-le" if odd > even else "utf-16-be"


def likely_encodings(raw: bytes) -> list[tuple[str, tuple[str, ...]]]:
    """The encodings in which the bytes may be a text, the likeliest first, each with three of its words that the others have
    otherwise; none where they are signs in all that are tried."""
    if wide := wide_encoding(raw):
        return [(wide, _words(raw.decode(wide, "replace")))]
    head = raw[:_LOOKED_AT]
    found: dict[str, tuple[float, str]] = {}
    for name in _SCRIPTS:
        text = _decoded(head, raw, name)
        if text is not None and text not in (other for _, other in found.values()):
            found[name] = (_likeness(text, name), text)
    best = max((worth for worth, _ in found.values()), default=0.0)
    ranked = sorted(found, key=lambda name: -found[name][0])
    kept = [name for name in ranked if found[name][0] >= _LIKELY * best > 0][:_MOST]
    # What all of them read alike tells nobody which one is right.
    shared = set.intersection(*(set(_beyond(found[name][1])) for name in kept)) if len(kept) > 1 else set()
    return [(name, _words(found[name][1], shared)) for name in kept]


def unlikely_words(raw: bytes, encoding: str) -> tuple[str, ...]:
    """Three words of the bytes in an encoding that somebody said, where they are no text in it and are one in another; else none."""
    if raw.isascii() or encoding.casefold().startswith("utf"):
        return ()
    text = raw[:_LOOKED_AT].decode(encoding, "ignore")
    likely = likely_encodings(raw)
    if not likely or any(raw[:_LOOKED_AT].decode(name, "ignore") == text for name, _ in likely):
        return ()
    return _words(text)


def _decoded(head: bytes, raw: bytes, name: str) -> str | None:
    try:
        raw.decode(name)
    except UnicodeDecodeError:
        return None
    return head.decode(name, "ignore")


def _beyond(text: str) -> Iterator[str]:
    """The words of a text that are not of ASCII alone, without what stands around them."""
    cut = (word.strip("\"'.,;:!?()[]{}<>*|") for word in re.split(r"[\s,;|\t]+", text) if not word.isascii())
    yield from filter(None, cut)


def _words(text: str, shared: Collection[str] = ()) -> tuple[str, ...]:
    """The first words of a text that are not of ASCII alone, those that are not shared before others."""
    found = list(dict.fromkeys(_beyond(text)))
    return tuple(sorted(found, key=lambda word: word in shared)[:3])


def _likeness(text: str, encoding: str) -> float:
    """Which share of the words with signs beyond ASCII may be words of the encoding's script, from 0 to 1."""
    worth = total = 0.0
    for word in _WORD.findall(text):
        for part in _parts(word):
            total += len(part)
            worth += len(part) * _worth(part, encoding)
    if _SCRIPTS[encoding] == "CJK":
        own = [character for character in text if _script(character) == "CJK"]
        has_kana = any("\u3040" <= character <= "\u30ff" for character in text)
        if has_kana != (encoding in ("cp932", "euc_jp")):
            return 0.0
        if not has_kana and own:
            worth *= min(1.0, _UNUSUAL + 2 * sum(character in _MOST_USED for character in own) / len(own))
    return worth / total if total else 0.0


def _parts(word: str) -> Iterator[str]:
    """The word, in parts where signs stand in it that part words."""
    yield from (
        part
        for part in re.split(r"[\x00-\x40\x5b-\x60\x7b-\x7f\uff01-\uff20\uff3b-\uff40\uff5b-\uff60]+", word)
        if part and not part.isascii()
    )


def _worth(word: str, encoding: str) -> float:
    """How far a word may be one, from 0 to 1."""
    letters = [character for character in word if unicodedata.category(character)[0] in "LM"]
    if not letters:
        return float(all(character in "“”‘’„«»‹›–—…¿¡·°€£§№•™©®±×÷´、。，？！：；「」『』（）《》〈〉" for character in word))
    bare = word.lstrip("“‘„«‹¿¡「『（《〈").rstrip("”’“»›…、。，？！：；」』）》〉—–")
    if any(unicodedata.category(character)[0] not in "LM" and character not in "’·" for character in _between(bare)):
        return 0.0
    before = _SIGN_BEFORE if bare and word[0] != bare[0] else 1.0
    own = _SCRIPTS[encoding]
    scripts = {_script(character) for character in letters} - {"COMBINING"}
    if own == "CJK":
        return before * _share(_is_common(c, encoding) for c in letters) if scripts <= _EAST_ASIAN else 0.0
    if own == "HANGUL":
        return before * _share(_is_there(c, "euc_kr") for c in letters) if scripts == {own} else 0.0
    if scripts != {own} or not _is_cased(bare):
        return 0.0
    worth = before * (_CAPITALS if len(letters) > 1 and bare.isupper() else 1.0)
    if own == "LATIN":
        if any(len(run) > _NEIGHBOURS for run in re.findall(r"[^\x00-\x7f]+", "".join(letters))):
            return 0.0
        return worth * _share(c.casefold()[0] in _USUAL[encoding] for c in letters if not c.isascii())
    if own in ("CYRILLIC", "GREEK"):
        sounds = [character.casefold() in _VOWELS for character in letters]
        if len(sounds) > 2 and (all(sounds) or not any(sounds)):
            return 0.0
    return worth * _share("а" <= c.casefold() <= "ё" for c in letters) if own == "CYRILLIC" else worth


def _between(word: str) -> str:
    """The word, a whole one in a script without spaces too, without the signs that part what it holds."""
    return re.sub("[、。，？！：；「」『』（）《》〈〉…—]", "", word) if any(_script(c) in _EAST_ASIAN for c in word) else word


def _share(said: Iterable[bool]) -> float:
    """The mean of what counts 1 where it is usual, and less elsewhere."""
    own = [1.0 if one else _UNUSUAL for one in said]
    return sum(own) / len(own) if own else 1.0


def _script(character: str) -> str:
    return unicodedata.name(character, "?").split()[0]


def _is_there(character: str, encoding: str) -> bool:
    try:
        character.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _is_common(character: str, encoding: str) -> bool:
    """Whether a character is one of those that are used most, by the standard of its country."""
    if _script(character) != "CJK":
        return True
    standard, first, last = _COMMON[encoding]
    return _is_there(character, standard) and first <= character.encode(standard) <= last


def _is_cased(word: str) -> bool:
    """Whether capitals stand as they do in words: none, all, or the first of a part."""
    parts: Sequence[str] = [part for part in re.split(r"[^\w]+", word) if part]
    return all(part.isupper() or not any(other.isupper() for _, other in pairwise(part)) for part in parts)
