"""Telling listeners: a listener's fault stays its own and never becomes the call's."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import ParamSpec

Told = ParamSpec("Told")

_log = logging.getLogger("carrel.api")


def tell(listener: Callable[Told, object] | None, *told: Told.args, **named: Told.kwargs) -> None:
    """Call the listener, if there is one; what it raises is logged."""
    if listener is None:
        return
    try:
        listener(*told, **named)
    except Exception:  # noqa: BLE001 - a seam to foreign code
        _log.exception("a listener of the service failed")
