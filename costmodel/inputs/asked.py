"""How an input is asked for: its type, bounds, unit, label and help, read once from the model that declares it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal, get_args, get_origin

import annotated_types
from pydantic import BaseModel, ConfigDict, Field

Auto = Literal["auto"]


class InputGroup(BaseModel):
    """Inputs of one subject. Only the Scenario that joins the groups is ever built."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


def ask(
    default: Any = ...,
    *,
    key: str,
    label: str,
    unit: str = "",
    help: str,
    ge: float | None = None,
    gt: float | None = None,
    le: float | None = None,
    max_length: int | None = None,
) -> Any:
    """A field of a model that inputs_of can read. `key` is its name in links."""
    return Field(
        default,
        alias=key,
        title=label,
        description=help,
        ge=ge,
        gt=gt,
        le=le,
        max_length=max_length,
        json_schema_extra={"unit": unit},
    )


Kind = Literal["number", "number_or_auto", "whole", "date", "choice", "text", "list"]


@dataclass(frozen=True)
class Input:
    """One input as the link and the page need it."""

    name: str
    key: str
    label: str
    unit: str
    help: str
    kind: Kind
    choices: tuple[str, ...]
    low: Any
    high: Any
    low_is_open: bool
    longest: int | None
    required: bool
    optional: bool
    default: Any


def inputs_of(model: type[BaseModel]) -> Iterator[Input]:
    """Every input a model declares with `ask`, in its order."""
    for name, field in model.model_fields.items():
        options = get_args(field.annotation) if get_origin(field.annotation) is not Literal else ()
        types = [option for option in options if option is not type(None)] or [field.annotation]
        limits = list(field.metadata)
        kind: Kind = "text"
        choices: tuple[str, ...] = ()
        if Auto in types:
            kind = "number_or_auto"
            limits += get_args(types[0])[1:]
        elif get_origin(types[0]) is Literal:
            kind, choices = "choice", get_args(types[0])
        elif get_origin(field.annotation) is tuple:
            kind = "list"
        elif float in types:
            kind = "number"
        elif int in types:
            kind = "whole"
        elif date in types:
            kind = "date"
        bounds = {type(limit): limit for limit in limits}
        low, high = bounds.get(annotated_types.Ge), bounds.get(annotated_types.Le)
        above, longest = bounds.get(annotated_types.Gt), bounds.get(annotated_types.MaxLen)
        extra = field.json_schema_extra
        yield Input(
            name=name,
            key=field.alias or name,
            label=field.title or name,
            unit=str(extra.get("unit", "")) if isinstance(extra, dict) else "",
            help=field.description or "",
            kind=kind,
            choices=choices,
            low=low.ge if low else above.gt if above else None,
            high=high.le if high else None,
            low_is_open=above is not None,
            longest=longest.max_length if longest else None,
            required=field.is_required(),
            optional=type(None) in options,
            default=None if field.is_required() else field.default,
        )
