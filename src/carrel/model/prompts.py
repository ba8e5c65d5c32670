"""A saved prompt: a text with places in braces, such as {client}, that are filled in when it is used."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict

VARIABLE = re.compile(r"\{([^\W\d_][\w -]{0,39})\}")
"""A name of a letter and up to 39 letters, digits, spaces, dashes: what JSON and code put into braces is none."""


class Prompt(BaseModel):
    """A text under a title."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str = ""
    title: str
    text: str

    @property
    def variables(self) -> tuple[str, ...]:
        """The names in braces, each once, in their order."""
        return tuple(dict.fromkeys(VARIABLE.findall(self.text)))

    def filled(self, values: Mapping[str, str]) -> str:
        """The text with its variables filled in; a name without a value stays, and a value is never filled again."""
        return VARIABLE.sub(lambda found: values.get(found[1], found[0]), self.text)


class PromptFile(BaseModel):
    """What an exported file holds."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    carrel_prompts: int = 1
    prompts: tuple[Prompt, ...]
