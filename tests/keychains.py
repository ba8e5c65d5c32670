"""Keychains of every kind, for tests: some keep, some forget, some hang, some talk."""

from __future__ import annotations

import threading
from typing import ClassVar


class Keeps:
    """Keeps what it is given."""

    name = "a good keychain"

    def __init__(self) -> None:
        self.held: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, name: str) -> str | None:
        return self.held.get((service, name))

    def set_password(self, service: str, name: str, text: str) -> None:
        self.held[service, name] = text

    def delete_password(self, service: str, name: str) -> None:
        del self.held[service, name]


class Forgets(Keeps):
    """Takes everything, keeps nothing, as keyring's null backend does."""

    def set_password(self, service: str, name: str, text: str) -> None:
        return


class Alters(Keeps):
    """Keeps only the first letters, as a store with a limit does."""

    def set_password(self, service: str, name: str, text: str) -> None:
        self.held[service, name] = text[:10]


class Talks(Keeps):
    """Refuses, and repeats the secret in its words."""

    def set_password(self, service: str, name: str, text: str) -> None:
        raise RuntimeError(f"no room for {text}")

    def delete_password(self, service: str, name: str) -> None:
        raise RuntimeError("no")


class Locks(Keeps):
    """Lets nothing go, as one whose prompt is dismissed."""

    def delete_password(self, service: str, name: str) -> None:
        raise RuntimeError("dismissed")


class Clings(Keeps):
    """Says that it let go, and did not."""

    def delete_password(self, service: str, name: str) -> None:
        return


class Hangs(Keeps):
    """Waits behind a prompt that nobody sees, until `let_go`."""

    def __init__(self) -> None:
        super().__init__()
        self.let_go = threading.Event()
        self.asked = 0

    def get_password(self, service: str, name: str) -> str | None:
        self.asked += 1
        self.let_go.wait()
        return super().get_password(service, name)

    def set_password(self, service: str, name: str, text: str) -> None:
        self.asked += 1
        self.let_go.wait()
        super().set_password(service, name, text)


class Chain:
    """Several backends, the first one first, as keyring's chainer."""

    name = "chain"
    backends: ClassVar[list[object]] = []
