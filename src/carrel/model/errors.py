"""What can go wrong with a service, as values that a person can read.

ServiceError
├── SignInNeeded      403 invalid_credentials: the service does not accept the credentials
├── NotFound          404, 410: no such file, conversation, or active published workflow
├── InvalidRequest    400, 413, 422, or refused here before it was sent
│   └── InvalidModel  400 invalid_model
├── RateLimited       429, after the waits that were allowed
├── TimedOut          408, or our own limit
├── Unreachable       no answer: name lookup, connection, TLS, proxy, reset
├── BadAnswer         an answer that the document does not allow
├── ServerFault       500 and above
├── StreamBroken      a stream ended without `done`
└── NotSupported      this generation of the interface cannot do it
"""

from __future__ import annotations

from typing import Literal

Sent = Literal["no", "yes", "perhaps"]


class ServiceError(Exception):
    """What happened, to what, and what can be done.

    `title` is a few words, `message` a sentence (the service's own where it gave one), `remedy` what a person can
    do. `status` and `code` are the answer's. `sent` says whether the service may have acted on the request.
    `retry_after` is in seconds. `error_id` is the service's own number of what happened, for its log; `details` is for
    ours and a bug report: the exception, or where a redirect led.
    """

    default_title = "The service could not do that"
    default_remedy = ""

    def __init__(
        self,
        message: str = "",
        *,
        title: str = "",
        remedy: str = "",
        status: int | None = None,
        code: str = "",
        sent: Sent = "yes",
        retry_after: float | None = None,
        error_id: str = "",
        details: str = "",
    ) -> None:
        """Keep the parts; none of them may hold a secret."""
        self.title = title or self.default_title
        self.message = message or self.title
        self.remedy = remedy or self.default_remedy
        self.status = status
        self.code = code
        self.sent = sent
        self.retry_after = retry_after
        self.error_id = error_id
        self.details = details
        super().__init__(self.message)

    def __repr__(self) -> str:
        """Class, status and code; the words are in the attributes."""
        return f"{type(self).__name__}(status={self.status}, code={self.code!r}, message={self.message!r})"


class SignInNeeded(ServiceError):
    """The credentials were refused, or the tenant is not the key owner's."""

    default_title = "Not signed in"
    default_remedy = "Check the client ID, API key and secret under Settings, Accounts."


class NotFound(ServiceError):
    """What was asked for does not exist (any more)."""

    default_title = "Not found"


class InvalidRequest(ServiceError):
    """The service, or Carrel before sending, refused what was asked."""

    default_title = "The request was refused"


class InvalidModel(InvalidRequest):
    """The model is not known to the service."""

    default_title = "Unknown model"
    default_remedy = "Choose another model."


class RateLimited(ServiceError):
    """Too many requests in this minute."""

    default_title = "Too many requests"
    default_remedy = "Wait a moment and try again."


class TimedOut(ServiceError):
    """A limit of time was reached: the service's (408) or ours."""

    default_title = "Took too long"


class Unreachable(ServiceError):
    """No answer came."""

    default_title = "The service cannot be reached"
    default_remedy = "Check the address and the network, then try again."


class BadAnswer(ServiceError):
    """The answer is not what the service's document promises."""

    default_title = "An answer that Carrel cannot read"
    default_remedy = "Check that the address is the service's own, not a sign-in page or a proxy."


class ServerFault(ServiceError):
    """The service failed on its side."""

    default_title = "The service failed"
    default_remedy = "Try again in a moment."


class StreamBroken(ServiceError):
    """The reply ended before the service said that it was done; what came is kept."""

    default_title = "The reply was interrupted"
    default_remedy = "What came is kept. Ask again to get a whole reply."


class NotSupported(ServiceError):
    """The account's interface generation has no such call."""

    default_title = "Not available on this account"

    def __init__(self, message: str = "", **parts: object) -> None:
        """Nothing was sent."""
        super().__init__(message, **{"sent": "no", **parts})  # type: ignore[arg-type]
