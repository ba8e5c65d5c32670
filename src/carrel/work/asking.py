"""What is asked of the service for a chat: one reply, or two side by side, each followed to its end."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable, Coroutine
from dataclasses import dataclass, replace
from typing import Any

from psygnal import Signal

from carrel.model import Event, Reply
from carrel.model.agents import generated_files_of
from carrel.model.draft import Draft
from carrel.store.chatrows import Pair
from carrel.store.chats import Chat, Message, snippet_of
from carrel.store.memory import new_id
from carrel.store.shelves import Shelves
from carrel.work.context import Context
from carrel.work.replying import Replying, follow_both
from carrel.work.writing import until_written
from carrel.work.zone import local_zone


@dataclass(frozen=True, slots=True)
class Question:
    """One request: what is sent, and the conversation that it continues (empty: it begins one)."""

    draft: Draft
    conversation_id: str


class Asking:
    """The replies that are under way. A chat has one at a time, or the two of a comparison."""

    reply_changed = Signal(str, str, Reply)
    reply_ended = Signal(str, str, Reply)

    def __init__(self, context: Context, store: Shelves, is_in_front: Callable[[str], bool]) -> None:
        """Ask the context's service; `is_in_front` says whether a person looks at a chat."""
        self._context, self._store, self._is_in_front = context, store, is_in_front
        self._streaming: dict[str, dict[str, Replying]] = {}

    def is_streaming(self, chat_id: str) -> bool:
        """Whether a reply of this chat is under way."""
        return chat_id in self._streaming

    def replying(self, chat_id: str, message_id: str) -> Replying | None:
        """What follows the stream of a reply, while one is under way."""
        return self._streaming.get(chat_id, {}).get(message_id)

    def stop(self, chat_id: str) -> bool:
        """Close what streams and keep what came; the service may go on. False where nothing was under way."""
        for replying in self._streaming.get(chat_id, {}).values():
            replying.is_stopped = True
        tasks = self._context.tasks
        return any([tasks.cancel(f"reply:{chat_id}"), tasks.cancel(f"beside:{chat_id}")])

    def ask(self, chat: Chat, answer: Message, question: Question) -> None:
        """Ask for one reply."""
        replying = self._begin(answer)
        self._start(f"reply:{chat.id}", replying.follow(self._events(question, replying.quiet)), answer)

    def ask_in_one_stream(self, chat: Chat, answers: tuple[Message, Message], question: Question) -> None:
        """Ask two models in one request; its stream says which model an event is of."""
        assert question.draft.comparison is not None, "only a comparison has two answers"
        left, right = self._begin(answers[0]), self._begin(answers[1])

        def quiet(seconds: float) -> None:
            left.quiet(seconds)
            right.quiet(seconds)

        events = self._events(question, quiet)
        self._start(f"reply:{chat.id}", follow_both(events, question.draft.comparison.models, left, right), *answers)

    def ask_beside(self, chat: Chat, answers: tuple[Message, Message], questions: tuple[Question, Question]) -> None:
        """Ask two models, each in a conversation of its own; the reply's task ends after both."""
        left, right = self._begin(answers[0]), self._begin(answers[1])
        beside = f"beside:{chat.id}"
        self._start(beside, right.follow(self._events(questions[1], right.quiet)), answers[1])
        first = left.follow(self._events(questions[0], left.quiet))
        self._context.tasks.start(f"reply:{chat.id}", self._follow_then_wait(first, answers[0], beside))

    async def _follow_then_wait(self, first: Coroutine[Any, Any, None], answer: Message, key: str) -> None:
        await self._follow(first, (answer,))
        await self._context.tasks.ended(key)

    def _begin(self, answer: Message) -> Replying:
        def changed(reply: Reply) -> None:
            self.reply_changed.emit(answer.chat_id, answer.id, reply)

        replying = Replying(self._context.tasks, self._store.of(answer.chat_id), answer.id, answer.reply, changed)
        self._streaming.setdefault(answer.chat_id, {})[answer.id] = replying
        self._context.tasks.start(f"journal:{answer.id}", replying.keep())
        return replying

    def _start(self, key: str, follow: Coroutine[Any, Any, None], *answers: Message) -> None:
        self._context.tasks.start(key, self._follow(follow, answers))

    async def _follow(self, follow: Coroutine[Any, Any, None], answers: tuple[Message, ...]) -> None:
        try:
            await follow
        finally:
            await self._context.tasks.to_the_end(self._settle(answers))

    async def _settle(self, answers: tuple[Message, ...]) -> None:
        """Write replies as they stay, and only then let them be under way no more, all that ended together at once."""
        for answer in answers:
            self._context.tasks.cancel(f"journal:{answer.id}")
        under_way = self._streaming[answers[0].chat_id]
        try:
            saved = [answer for answer in answers if await self._save(answer, under_way[answer.id])]
        finally:
            replies = {answer.id: self._ended(answer) for answer in answers}
        for answer in saved:
            self.reply_changed.emit(answer.chat_id, answer.id, replies[answer.id])
        for answer in saved:
            self.reply_ended.emit(answer.chat_id, answer.id, replies[answer.id])

    def _events(self, question: Question, quiet: Callable[[float], None]) -> AsyncGenerator[Event, None]:
        draft = question.draft
        if self._context.always_redacts:
            draft = draft.model_copy(update={"redact_pii": True})
        continues = bool(question.conversation_id)
        takes_zone = not continues or self._context.reference.continues_with("user_timezone")
        request = draft.request(local_zone() if takes_zone else None)
        service = self._context.service
        if continues:
            return service.continue_chat(question.conversation_id, request, on_quiet=quiet)
        return service.chat(request, on_quiet=quiet)

    def _ended(self, answer: Message) -> Reply:
        streaming = self._streaming[answer.chat_id]
        reply = streaming.pop(answer.id).reply
        if not streaming:
            del self._streaming[answer.chat_id]
        return reply

    async def _save(self, answer: Message, replying: Replying) -> bool:
        """Write a reply as it stays, however long the disk refuses it; False where its chat is gone."""

        async def write() -> bool:
            await replying.flush()
            return await self._write(answer, replying.reply)

        return await until_written(self._context.tasks, write)

    async def _write(self, answer: Message, reply: Reply) -> bool:
        store = self._store.of(answer.chat_id)
        chat = store.chat(answer.chat_id)
        if chat is None:
            return False
        values: dict[str, object] = {"updated_at": time.time()}
        snippet = snippet_of(reply.text) or ("" if answer.pair else _instead(reply))
        if snippet or not answer.pair:  # of two beside each other the one that says something is told
            values["snippet"] = snippet
        if not self._is_in_front(chat.id):
            values["unread"] = True
        await store.save_reply(answer.id, chat.id, reply, **values)
        return True


def _instead(reply: Reply) -> str:
    """What the list says of a reply without words."""
    if reply.state == "complete":
        files = ", ".join(file.filename for file in generated_files_of(reply.extra))
        return snippet_of(files) or "The service sent no words."
    return snippet_of(f"Failed: {reply.error}") if reply.state == "failed" else reply.state.capitalize()


def answers_to(asked: Message) -> tuple[Message, ...]:
    """The empty replies to a message: one, or two side by side."""
    sides = asked.draft.sides()
    pair: Pair = "open" if len(sides) == 2 else ""
    reply = Reply(asked_at=asked.created_at)
    return tuple(
        replace(asked, id=new_id(asked.chat_id), role="assistant", version=number, draft=draft, reply=reply, pair=pair)
        for number, draft in enumerate(sides, 1)
    )
