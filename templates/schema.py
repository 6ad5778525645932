"""What a paradigm file may say, as pydantic models. Unknown keys are refused; nothing outside loading uses these."""

from __future__ import annotations

import re
from itertools import product
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from gapsmith.templates.errors import ConfigError
from gapsmith.templates.file_errors import UnfitError
from gapsmith.templates.formula import DEFAULT_MEASURE
from gapsmith.templates.spelling import no_such

_NAME = r"^[a-z][a-z0-9_]*$"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


def _labelled(value: Any) -> Any:
    """A list of names as the table in which each is its own label; anything else as it is."""
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        return value
    if doubled := next((name for name in value if value.count(name) > 1), None):
        raise UnfitError(ConfigError(f"{doubled!r} is there twice"))
    return {name: name for name in value}


class FactorTable(_Strict):
    levels: Annotated[dict[str, str], BeforeValidator(_labelled)] = Field(min_length=2)


_Attributes = dict[str, str | int | float | bool]

NO_PARTS = "none"
"""The level of a sequence without any part."""


class ChoiceTable(_Strict):
    levels: dict[str, _Attributes] = Field(default_factory=dict)
    sequence: dict[str, _Attributes] = Field(default_factory=dict)
    longest: int = Field(0, ge=0, le=4)
    balance: str = ""

    @model_validator(mode="after")
    def _has_levels(self) -> ChoiceTable:
        if bool(self.levels) == bool(self.sequence) or bool(self.sequence) != bool(self.longest):
            raise ValueError("give either `levels`, or a `sequence` of parts and how many there are at the `longest`")
        for length in range(self.longest + 1) if self.sequence else ():
            for parts in product(self.sequence, repeat=length):
                self.levels["".join(parts) or NO_PARTS] = {"depth": length, **self._together(parts)}
        without = [level for level, own in self.levels.items() if self.balance and self.balance not in own]
        if without:
            shared = [name for name in self.levels[without[0]] if all(name in own for own in self.levels.values())]
            raise UnfitError(
                no_such(
                    f"`balance` names an attribute that every level has, and {without[0]} has no {self.balance!r}",
                    "Attributes of every level",
                    self.balance,
                    shared,
                    place=("balance",),
                )
            )
        return self

    def _together(self, parts: tuple[str, ...]) -> _Attributes:
        """The attributes of parts in a row: what is true of one is true of all of them, words are joined."""
        found: _Attributes = {}
        for name, value in ((n, v) for part in self.sequence.values() for n, v in part.items()):
            values = [self.sequence[part][name] for part in parts if name in self.sequence[part]]
            found[name] = any(values) if isinstance(value, bool) else " + ".join(map(str, values)) or NO_PARTS
        return found

    def held(self, level: str) -> tuple[str, ...]:
        """What `when`, `status` and `critical` can name of a level: itself; of a sequence also each part with its place
        (``b1``, ``c2``) and the attributes that are true."""
        if not self.sequence:
            return (level,)
        parts = [] if level == NO_PARTS else re.findall("|".join(sorted(self.sequence, key=len, reverse=True)), level)
        true = [name for name, value in self.levels[level].items() if value is True]
        return (level, *(f"{part}{place}" for place, part in enumerate(parts, 1)), *true)


class RegionTable(_Strict):
    name: str = Field(pattern=_NAME)
    title: str = ""
    role: str = "frame"
    text: str | None = None
    when: dict[str, str] = Field(default_factory=dict)


class SlotTable(_Strict):
    description: str = Field(min_length=1)
    role: str = ""
    example: str = ""
    words: list[str] = Field(default_factory=list)
    lexicon: str | None = None
    where: dict[str, str] = Field(default_factory=dict)
    copies: int = Field(1, ge=1, le=9)
    offered_by: str | None = Field(None, pattern=r"^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$")
    closed: list[str] = Field(default_factory=list)
    max_words: int = Field(1, ge=1, le=20)
    kind: Literal["", "noun", "verb", "determiner"] = ""
    forms: dict[str, dict[str, str]] = Field(default_factory=dict)
    latent: bool = False
    parts: dict[str, dict[str, str]] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _has_one_origin(self) -> SlotTable:
        origins = [bool(self.words), self.lexicon is not None, self.offered_by is not None]
        if sum(origins) > 1:
            raise ValueError("give one of `words`, `lexicon`, `offered_by`, not several")
        if self.where and self.lexicon is None:
            raise ValueError("`where` chooses among the entries of a `lexicon`, and there is none")
        if self.forms and not self.kind:
            raise ValueError('`forms` says how words are inflected, and needs the `kind` of the words: kind = "noun"')
        return self


class ConstraintTable(_Strict):
    distinct: list[str] | None = Field(None, min_length=2)
    match: list[str] | None = Field(None, min_length=2, max_length=2)
    sample: list[str] | None = Field(None, min_length=2, max_length=2)
    agree: list[str] | None = Field(None, min_length=2, max_length=2)

    @model_validator(mode="after")
    def _is_one_kind(self) -> ConstraintTable:
        if sum(given is not None for given in (self.distinct, self.match, self.sample, self.agree)) != 1:
            raise ValueError("a constraint is either `distinct`, `match`, `sample` or `agree`")
        return self


class DesignTable(_Strict):
    description: str = ""
    conditions: Annotated[Literal["all"] | dict[str, str], BeforeValidator(_labelled)]


class ContrastTable(_Strict):
    name: str = Field(min_length=1)
    title: str = ""
    formula: str = Field(min_length=1)
    expected: Literal["negative", "positive", "exploratory"]
    alternative: Literal["two-sided", "greater", "less"] = "two-sided"
    design: str
    shares_critical: bool = False
    kind: Literal["wh-effect", "preference", "did", "contrast"] = "contrast"
    where: dict[str, str | int | float | bool] = Field(default_factory=dict)
    measure: str = DEFAULT_MEASURE
    family: str = ""
    delta: float | None = Field(None, gt=0, allow_inf_nan=False)


class CriterionTable(_Strict):
    name: str = Field(min_length=1)
    title: str = ""
    formula: str = Field(min_length=1)
    measure: str = DEFAULT_MEASURE
    design: str
    where: dict[str, str | int | float | bool] = Field(default_factory=dict)


class ParadigmFile(_Strict):
    """The whole file."""

    name: str = Field(pattern=_NAME)
    title: str = Field(min_length=1)
    version: int = Field(1, ge=1)
    description: str = ""
    source: str = ""
    items: Literal["sampled", "exhaustive", "given"] = "sampled"
    final_punctuation: str = Field(".", max_length=3)
    one_word_critical: bool = False
    clause: str = ""
    factors: dict[str, FactorTable] = Field(default_factory=dict)
    conditions: dict[str, str] = Field(default_factory=dict)
    choices: dict[str, ChoiceTable] = Field(default_factory=dict)
    status: dict[str, Literal["ok", "?", "*"]] = Field(default_factory=dict)
    regions: list[RegionTable] = Field(default_factory=list)
    critical: dict[str, str] = Field(default_factory=dict)
    slots: dict[str, SlotTable] = Field(default_factory=dict)
    constraints: list[ConstraintTable] = Field(default_factory=list)
    designs: dict[str, DesignTable] = Field(min_length=1)
    contrasts: list[ContrastTable] = Field(default_factory=list)
    criteria: list[CriterionTable] = Field(default_factory=list)

    @model_validator(mode="after")
    def _copy_slots(self) -> ParadigmFile:
        """A slot with `copies = 3` is three, numbered from 1, whose words differ; what its words are offered by is of the same
        number."""
        slots: dict[str, SlotTable] = {}
        for name, table in self.slots.items():
            if table.copies == 1:
                slots[name] = table
                continue
            names = [f"{name}{number}" for number in range(1, table.copies + 1)]
            if taken := next((one for one in names if one in self.slots), None):
                raise ValueError(f"`slots.{taken}` is there, and a copy of `slots.{name}` is called so")
            for number, one in enumerate(names, 1):
                offered = table.offered_by
                source, _, column = (offered or "").partition(".")
                if source in self.slots and self.slots[source].copies > 1:
                    offered = f"{source}{number}.{column}"
                slots[one] = table.model_copy(update={"copies": 1, "offered_by": offered})
            self.constraints.append(ConstraintTable(distinct=names, match=None, sample=None, agree=None))
        self.slots = slots
        return self
