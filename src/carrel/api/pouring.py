"""A body of known length from a bare socket into a file, in a thread: as fast as the system copies bytes."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable

PIECE = 1 << 20

TURN = 0.5
"""Seconds after which a thread that waits for bytes looks whether it is still wanted."""


class Pour:
    """`into` runs in a thread; `cut` may be called from any other."""

    def __init__(self, connected: socket.socket, length: int) -> None:
        """`length` bytes are to come. The thread has a descriptor of its own, so that nobody closes it under it."""
        self._socket, self._length = connected.dup(), length
        self._lock = threading.Lock()
        self._wanted, self._has_begun = True, False
        self.done = 0
        """Bytes that were written."""

    def into(self, write: Callable[[memoryview], None]) -> None:
        """Give `write` what comes, until all of it or no more; whose `done` is short then, the connection broke."""
        with self._lock:
            if not self._wanted:
                return
            self._has_begun = True
        room = memoryview(bytearray(min(PIECE, self._length)))
        with self._socket:
            self._socket.settimeout(TURN)
            while self._wanted and (left := self._length - self.done):
                count = self._received(room[:left])
                if count == 0:
                    return
                if count is not None:
                    write(room[:count])
                    self.done += count

    def _received(self, room: memoryview) -> int | None:
        """Bytes that came: 0 at the end, however the connection ended; None where there are none yet."""
        try:
            return self._socket.recv_into(room)
        except TimeoutError:
            return None
        except OSError:
            return 0

    def cut(self) -> None:
        """No more is wanted: wakes the thread; of one that never began, nothing is left behind."""
        with self._lock:
            self._wanted = False
            if not self._has_begun:
                self._socket.close()
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
