"""What a paradigm file may say, as pydantic models. Unknown keys are refused; nothing outside loading uses these."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from templates.model import DEFAULT_MEASURE

_NAME = r"^[a-z][a-z0-9_]*$"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


class FactorTable(_Strict):
    levels: dict[str, str] = Field(min_length=2)


class ChoiceTable(_Strict):
    levels: dict[str, dict[str, str | int | float | bool]] = Field(min_length=1)


class RegionTable(_Strict):
    name: str = Field(pattern=_NAME)
    title: str = ""
    role: Literal["frame", "filler", "gap"] = "frame"
    text: str | None = None
    when: dict[str, str] = Field(default_factory=dict)


class SlotTable(_Strict):
    description: str = Field(min_length=1)
    role: str = Field("", pattern=r"^[a-z_]*$")
    example: str = ""
    words: list[str] = Field(default_factory=list)
    lexicon: str | None = None
    only: dict[str, str] = Field(default_factory=dict)
    offered_by: str | None = Field(None, pattern=r"^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$")
    closed: list[str] = Field(default_factory=list)
    max_words: int = Field(1, ge=1, le=20)
    latent: bool = False

    @model_validator(mode="after")
    def _has_one_origin(self) -> SlotTable:
        origins = [bool(self.words), self.lexicon is not None, self.offered_by is not None]
        if sum(origins) > 1:
            raise ValueError("give one of `words`, `lexicon`, `offered_by`, not several")
        if self.only and self.lexicon is None:
            raise ValueError("`only` chooses from a `lexicon`, and there is none")
        return self


class ConstraintTable(_Strict):
    distinct: list[str] | None = Field(None, min_length=2)
    match: list[str] | None = Field(None, min_length=2, max_length=2)
    sample: list[str] | None = Field(None, min_length=2, max_length=2)

    @model_validator(mode="after")
    def _is_one_kind(self) -> ConstraintTable:
        if sum(given is not None for given in (self.distinct, self.match, self.sample)) != 1:
            raise ValueError("a constraint is either `distinct`, `match` or `sample`")
        return self


class DesignTable(_Strict):
    description: str = ""
    conditions: Literal["all"] | dict[str, str]


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
