"""An error as a value that can be kept, painted again after a restart, and compared."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from carrel.model.errors import Sent, ServiceError


class Failure(BaseModel):
    """The words and the facts of a `ServiceError`; `sent` says whether the service may have acted."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    title: str
    message: str = ""
    remedy: str = ""
    status: int | None = None
    code: str = ""
    sent: Sent = "yes"

    @classmethod
    def of(cls, error: ServiceError) -> Failure:
        """What is worth keeping of an error."""
        return cls(
            title=error.title,
            message=error.message,
            remedy=error.remedy,
            status=error.status,
            code=error.code,
            sent=error.sent,
        )

    @property
    def text(self) -> str:
        """Message and remedy, each once."""
        parts = dict.fromkeys((self.message, self.remedy))
        return " ".join(part for part in parts if part and part != self.title)

    @classmethod
    def from_json(cls, text: str | None) -> Failure | None:
        """What `to_json` made; None for nothing."""
        return cls.model_validate_json(text) if text else None


def to_json(value: BaseModel | None) -> str | None:
    """A value as the store keeps it; nothing stays nothing."""
    return None if value is None else value.model_dump_json()
