"""An account: where a service is, which generation it speaks, and the three credentials."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator

Generation = Literal["current", "earlier"]


CREDENTIAL_HEADERS: Mapping[Generation, tuple[str, str, str]] = {
    "current": ("X-Client-ID", "X-API-Key", "X-Secret"),
    "earlier": ("client-id", "private-key", "secret"),
}
"""The headers that carry client id, key and secret (document: Authentication)."""


class WireNames(BaseModel):
    """Names that the service's document does not show; a later answer is a change of one value here.

    Defaults are those of the design's list of unknowns; each can be edited under Settings, Advanced.
    """

    model_config = ConfigDict(frozen=True)

    workflow_page: str = "page"
    workflow_page_size: str = "page_size"
    workflow_search: str = "search"
    send_message: str = "message"
    continue_message: str = "message"


class Account(BaseModel):
    """One way to reach a service.

    `base_url` excludes `/api` for the earlier interface. Secrets print as stars, and a refused value is never
    repeated in the error, since a pasted key may be what was refused.
    """

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    base_url: str
    client_id: str = Field(repr=False)
    api_key: SecretStr
    secret: SecretStr
    generation: Generation = "current"
    tenant_id: str | None = None
    name: str = ""
    names: WireNames = WireNames()
    use_reference: bool = True
    """Whether the live reference (`/external-docs/docs`) may be read once to learn what the document leaves out."""

    @field_validator("base_url")
    @classmethod
    def _address(cls, value: str) -> str:
        value = value.strip().rstrip("/")
        try:
            parts = urlsplit(value)
            complete = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
        except ValueError:
            complete = False
        if not complete or any(c.isspace() for c in value):
            raise ValueError("must be a whole address, such as https://service.example.com")
        if parts.username or parts.password:
            raise ValueError("must not hold a user name or password")
        return value

    @field_validator("client_id", "api_key", "secret", mode="before")
    @classmethod
    def _header_text(cls, value: Any) -> Any:
        text = value.get_secret_value() if isinstance(value, SecretStr) else value
        if not isinstance(text, str):
            return value
        text = text.strip()
        if not text:
            raise ValueError("must not be empty")
        if not (text.isascii() and text.isprintable()):
            raise ValueError("holds a character that no key has, such as a curly quote or a line break: paste it again")
        return text

    @field_validator("tenant_id", mode="before")
    @classmethod
    def _tenant(cls, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        value = value.strip()
        if not (value.isascii() and value.isprintable()):
            raise ValueError("holds a character that no tenant id has")
        return value or None

    @property
    def origin(self) -> tuple[str, str, int]:
        """Scheme, host and port: the only place where this account's credentials go."""
        return origin_of(self.base_url)

    def secrets(self) -> tuple[str, ...]:
        """The texts that no log, error or copy may contain."""
        return (self.client_id, self.api_key.get_secret_value(), self.secret.get_secret_value())


def origin_of(url: str) -> tuple[str, str, int]:
    """Scheme, host and port of an address, the port filled in; ValueError where it is no http address."""
    parts = urlsplit(url)
    usual = {"http": 80, "https": 443}.get(parts.scheme)
    if usual is None or not parts.hostname:
        raise ValueError("not an http or https address")
    return parts.scheme, parts.hostname.lower(), parts.port or usual
