"""Lets words out at the pace of somebody writing, so that a stream has a middle in which it can be stopped."""

import asyncio
import re
import time
from collections.abc import AsyncGenerator

_CHUNK = re.compile(r"\s*\S+\s*")


async def paced(text: str, words_a_second: float) -> AsyncGenerator[str, None]:
    """The text word by word, nothing lost; 0 words a second means as fast as it can."""
    started = time.monotonic()
    for number, word in enumerate(_CHUNK.findall(text) if text.strip() else [text] if text else []):
        wait = number / words_a_second - (time.monotonic() - started) if words_a_second else 0
        # Even at full speed the loop gets its turn, so that a closed stream is noticed.
        await asyncio.sleep(max(0.0, wait))
        yield word
