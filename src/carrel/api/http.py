"""The wire: sends a call with what the rules of sending demand, and lets nothing but errors of ours through."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, TypeVar

import httpx

from carrel.api.answer import Answer, understood
from carrel.api.budget import MARGIN, limiter_of
from carrel.api.call import Call, Tries
from carrel.api.clients import client_for
from carrel.api.faults import refusal, seam
from carrel.api.limits import Limits
from carrel.api.links import joined
from carrel.api.ratelimit import resets_after, retry_after
from carrel.api.record import Record, Scrubber
from carrel.api.sending import sending
from carrel.api.watch import Watch
from carrel.model import Account, Budget, Exchange, InvalidRequest, RateLimited, ServiceError
from carrel.model.account import CREDENTIAL_HEADERS, origin_of

T = TypeVar("T")

AGENT = "Carrel/0.1"


class Wire:
    """One account's connections. Streams, agent runs and transfers each have one of their own; short calls share."""

    def __init__(
        self,
        account: Account,
        *,
        observer: Callable[[Exchange], None] | None,
        budget: Callable[[Budget], None] | None,
        limits: Limits,
        tls: ssl.SSLContext | None,
    ) -> None:
        """Keep what calls need; nothing is opened yet."""
        self.account, self.limits = account, limits
        self._observer, self._tls = observer, tls
        self._scrub = Scrubber(account)
        self.limiter = limiter_of(account)
        self._silence = self.limiter.listen(budget) if budget is not None else lambda: None
        self._shared: httpx.AsyncClient | None = None

    async def aclose(self) -> None:
        """Close the connections that short calls share, and end telling the budget."""
        self._silence()
        if self._shared is not None:
            await self._shared.aclose()

    def url(self, path: str) -> str:
        """The whole address of a path of the service."""
        return self.account.base_url + path

    def full(self, link: str) -> str:
        """The whole address of a link that the service gave, which may be relative to its own; `InvalidRequest`."""
        return joined(self.account.base_url + "/", link)

    async def ask(self, call: Call, make: Callable[[Any], T], on_quiet: Callable[[float], None] | None = None) -> T:
        """What `make` makes of the answer's JSON; a call that only reads is repeated."""
        record = Record(call, self.account, self._scrub, self.limits.told)
        tries = Tries(self.limits, call.again, held=call.counted)
        with record.told_to(self._observer):
            while True:
                try:
                    async with self._once(call, record, tries, on_quiet, whole=self._whole(call)) as answer:
                        body = await answer.whole()
                    return await understood(body, answer.status, make)
                except ServiceError as error:
                    await asyncio.sleep(tries.pause(_cautious(error, call)))

    @asynccontextmanager
    async def opened(self, call: Call, on_quiet: Callable[[float], None] | None = None) -> AsyncIterator[Answer]:
        """The answer of a call, once its head has come and was no refusal."""
        record = Record(call, self.account, self._scrub, self.limits.told)
        tries = Tries(self.limits, call.again, held=call.counted)
        with record.told_to(self._observer):
            async with AsyncExitStack() as stack:
                yield await self._open(call, record, tries, stack, on_quiet)

    async def _open(
        self,
        call: Call,
        record: Record,
        tries: Tries,
        stack: AsyncExitStack,
        on_quiet: Callable[[float], None] | None,
    ) -> Answer:
        while True:
            try:
                return await stack.enter_async_context(self._once(call, record, tries, on_quiet))
            except ServiceError as error:
                await asyncio.sleep(tries.pause(_cautious(error, call)))

    @asynccontextmanager
    async def _once(
        self,
        call: Call,
        record: Record,
        tries: Tries,
        on_quiet: Callable[[float], None] | None = None,
        *,
        whole: float | None = None,
    ) -> AsyncIterator[Answer]:
        """One try: a place in the budget, a client, the head of the answer; closed when the block ends."""
        progress = record.begin()
        async with AsyncExitStack() as stack:
            if call.counted:
                await self.limiter.take()
            headers: Mapping[str, str] | None = None
            try:
                with seam(progress):
                    silence = call.answer or self.limits.answer
                    watch = Watch(silence, whole=whole, quiet=self.limits.quiet, on_quiet=on_quiet)
                    stack.enter_context(watch)
                    response = await self._head(call, record, watch, stack)
                headers = response.headers
                record.answered(response.status_code, headers)
            finally:
                if call.counted:
                    self.limiter.answered(headers)
            answer = Answer(response, record, watch, self.limits.body)
            if not answer.ok and answer.status not in call.takes:
                raise await self._refused(answer, tries, call.counted)
            yield answer

    async def _head(self, call: Call, record: Record, watch: Watch, stack: AsyncExitStack) -> httpx.Response:
        """Send the call and wait for the head of the answer; `stack` closes what was opened."""
        content: bytes | AsyncGenerator[bytes, None] = record.content
        if call.body is not None:
            watch.idle = self.limits.write
            content = sending(call.body, record, watch, after=call.answer or self.limits.answer)
            stack.push_async_callback(content.aclose)
        client = self._client(call)
        if call.own:
            # Closed before the body is: that cuts the socket at once, before anything that could be cancelled again.
            stack.push_async_callback(client.aclose)
        request = client.build_request(
            call.method,
            call.url,
            params=call.params,
            headers=self._headers(call, record),
            content=content or None,
            extensions={"trace": record.trace},
        )
        response = await watch.over(client.send(request, stream=True))
        if not call.own:
            stack.push_async_callback(response.aclose)
        return response

    def _whole(self, call: Call) -> float | None:
        """Seconds that a call with a whole answer may last: one that comes by the drop is not waited for."""
        return None if call.body is not None else call.answer or 4 * self.limits.answer

    def _client(self, call: Call) -> httpx.AsyncClient:
        if call.own:
            return client_for(call.url, self.limits, self._tls, bare=call.bare)
        if self._shared is None:
            self._shared = client_for(self.account.base_url, self.limits, self._tls)
        return self._shared

    def _headers(self, call: Call, record: Record) -> dict[str, str]:
        headers = {"User-Agent": AGENT, "Accept": call.accept, "Accept-Encoding": "identity" if call.own else "gzip"}
        if call.known and origin_of(call.url) == self.account.origin:
            headers |= credentials(self.account)
        if call.body is not None:
            headers |= {"Content-Type": call.body.content_type, "Content-Length": str(call.body.length)}
        elif call.json is not None:
            headers["Content-Type"] = "application/json"
            record.sent = len(record.content)
        headers |= call.headers or {}
        record.headers = headers
        return headers

    async def _refused(self, answer: Answer, tries: Tries, counted: bool) -> ServiceError:
        error = refusal(answer.status, answer.headers, await answer.whole())
        error.retry_after = retry_after(answer.headers)
        if isinstance(error, RateLimited):
            wait = error.retry_after
            reset = resets_after(answer.headers)
            if wait is None:
                wait = tries.refused_backoff() if reset is None else reset + MARGIN
            error.retry_after = wait
            if counted:
                self.limiter.refused(min(wait, self.limits.longest_wait))
        return error


def credentials(account: Account) -> dict[str, str]:
    """The headers that say who asks (document: Authentication)."""
    headers = dict(zip(CREDENTIAL_HEADERS[account.generation], account.secrets(), strict=True))
    if account.tenant_id and account.generation == "current":
        headers["X-Tenant-ID"] = account.tenant_id
    return headers


def _cautious(error: ServiceError, call: Call) -> ServiceError:
    """The error with a word of warning where the service may have acted on what must not go twice."""
    if error.sent == "perhaps" and not call.again and not isinstance(error, InvalidRequest):
        error.remedy = "The service may have received it. Look there first: Carrel does not send it again by itself."
    return error
