"""The two shapes of all words: a request refuses what is out of range, an answer tolerates what it does not know."""

from __future__ import annotations

from typing import Annotated, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, BaseModel, ConfigDict, model_validator

from carrel.model.texts import mended_all


class Request(BaseModel):
    """Something that a person asks for: frozen, only documented fields, checked before it leaves.

    Half a character, from a cut paste, is mended: neither an address nor the disk could hold it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    @model_validator(mode="before")
    @classmethod
    def _mend(cls, value: Any) -> Any:
        return mended_all(value)

    def body(self) -> dict[str, Any]:
        """What goes on the wire: the fields that were set, never a null."""
        return self.model_dump(mode="json", exclude_none=True, exclude_unset=True)


class Answer(BaseModel):
    """Something that the service said: frozen, unknown fields kept, a null counts as absent."""

    model_config = ConfigDict(frozen=True, extra="allow", coerce_numbers_to_str=True, hide_input_in_errors=True)

    @model_validator(mode="before")
    @classmethod
    def _drop_nulls(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        fields = cls.model_fields
        return {k: v for k, v in value.items() if v is not None or k not in fields}


def _known_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError("not an IANA time zone name, such as Europe/Berlin") from None
    return name


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty")
    return text


TimeZone = Annotated[str, AfterValidator(_known_zone)]
Text = Annotated[str, AfterValidator(_not_blank)]
