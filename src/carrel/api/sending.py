"""A body on its way: counted and watched, and given up as soon as the service answers before its end."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

import httpcore

from carrel.api.call import Body
from carrel.api.record import Record
from carrel.api.watch import Watch


async def sending(body: Body, record: Record, watch: Watch, after: float) -> AsyncGenerator[bytes, None]:
    """The body's bytes; `after` is the longest silence in seconds once all of them have left.

    An answer that comes early is a refusal (413, 403). A write error makes httpcore stop sending and read it.
    """
    async with aclosing(body.chunks()) as chunks:
        async for chunk in chunks:
            if record.early_answer():
                raise httpcore.WriteError("an answer came before the end of the body")
            record.sent += len(chunk)
            yield chunk
            watch.beat()
    watch.idle = after
