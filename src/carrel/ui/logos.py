"""The logos of models' makers, which are supplied: the service tells a logo's file name, and no place to fetch it."""

from __future__ import annotations

import re
from functools import lru_cache

from carrel.model.models import Model
from carrel.paths import resources

OTHER_NAMES = {
    "alibaba": "qwen",
    "amazon": "aws",
    "azure": "microsoft",
    "bedrock": "aws",
    "chatglm": "zhipu",
    "chatgpt": "openai",
    "google": "gemini",
    "gemma": "gemini",
    "gpt": "openai",
    "granite": "ibm",
    "grok": "xai",
    "hf": "huggingface",
    "kimi": "moonshot",
    "llama": "meta",
    "mistralai": "mistral",
    "moonshotai": "moonshot",
    "nova": "aws",
    "phi": "microsoft",
    "tongyi": "qwen",
}
"""What makers and their models go by beside the names of the files in resources/logos."""


def logo_of(model: Model) -> str:
    """The logo to show for a model (a file of resources/logos, without its ending); empty where none is supplied.

    Its logo's file name says it best, then the vendor group.
    """
    stem = model.image.rpartition("/")[2].rpartition(".")[0] or model.image
    return _named(stem) or _named(model.group_name)


@lru_cache(maxsize=256)
def _named(text: str) -> str:
    """The logo that one of the words names, or all of them in one; a word may end in a version ("gpt4", "claude-3")."""
    words = re.findall(r"[^\W\d_]+", text.casefold())
    for word in ("".join(words), *words):
        name = OTHER_NAMES.get(word, word)
        if name in _supplied():
            return name
    return ""


@lru_cache(maxsize=1)
def _supplied() -> frozenset[str]:
    return frozenset(file.stem for file in (resources() / "logos").glob("*.svg"))
