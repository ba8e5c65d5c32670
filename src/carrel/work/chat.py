"""Chats: send, stop, ask again, edit; a reply belongs to its chat, whatever pane is in front."""

from __future__ import annotations

import time
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import replace
from typing import Any

from psygnal import Signal

from carrel.model import Event, Reply
from carrel.model.draft import Draft
from carrel.store.branches import Branches, Fork, Outline
from carrel.store.chats import Chat, ChatLine, Message, snippet_of
from carrel.store.db import StoreError
from carrel.store.exports import read_events
from carrel.store.memory import UNKEPT, new_id
from carrel.work.asking import Asking, Question, answers_to
from carrel.work.chatlist import TITLE, ChatList
from carrel.work.context import Context
from carrel.work.retelling import Retelling

__all__ = ["Chat", "ChatLine", "Chats", "Message", "title_of"]


class Chats(ChatList):
    """All chats of one account.

    `message_added` gives a new message, `reply_changed` the chat, the message and the reply's new value; `decided` the
    chat in which one of two replies was kept.
    """

    message_added = Signal(Message)
    reply_changed = Signal(str, str, Reply)
    reply_ended = Signal(str, str, Reply)
    decided = Signal(str)

    def __init__(self, context: Context) -> None:
        """Read from the context's store, send through its service."""
        super().__init__(context)
        self._context = context
        self._beginning: set[str] = set()
        self._asking = Asking(context, self._store, lambda chat_id: chat_id == self.in_front)
        self._retelling = Retelling(context, self._store, self._asking)
        self._asking.reply_changed.connect(self._reply_changed)
        self._asking.reply_ended.connect(self._reply_ended)

    def messages(self, chat_id: str) -> list[Message]:
        """All messages of a chat; a reply that streams stands as it is at this moment."""
        return [self._as_it_is(m) for m in self._store.of(chat_id).messages(chat_id)]

    def outline(self, chat_id: str) -> list[Outline]:
        """The messages on the branch in front, in order, without their words."""
        return self._store.of(chat_id).outline(chat_id)

    def branches(self, chat_id: str) -> Branches:
        """How the branches of a chat hang together."""
        return self._store.of(chat_id).branches(chat_id)

    def message(self, message_id: str) -> Message | None:
        """One message, as it is at this moment."""
        message = self._written(message_id)
        return self._as_it_is(message) if message else None

    def _written(self, message_id: str) -> Message | None:
        return self._store.of(message_id).message(message_id)

    async def events(self, message_id: str) -> list[Event]:
        """What the stream of a reply said, in order."""
        return await read_events(self.at(message_id), message_id)

    def versions(self, message: Message) -> list[Message]:
        """All replies of a reply's turn, oldest first."""
        held = self._store.of(message.id).versions(message.chat_id, message.branch, message.turn)
        return [self._as_it_is(m) for m in held]

    def wording(self, message: Message) -> Draft:
        """What was sent, with what was said before it: asked again, it begins a conversation of its own."""
        return self._retelling.wording(message)

    def _as_it_is(self, message: Message) -> Message:
        replying = self._asking.replying(message.chat_id, message.id)
        return replace(message, reply=replying.reply) if replying else message

    @property
    def always_redacts(self) -> bool:
        """Whether the account's lock makes redaction the rule, whatever a message asks."""
        return self._context.always_redacts

    def is_streaming(self, chat_id: str) -> bool:
        """Whether a reply of this chat is under way."""
        return self._asking.is_streaming(chat_id)

    def quiet_for(self, message: Message) -> float:
        """Seconds for which a reply's stream has said nothing, once that is long enough to be told."""
        replying = self._asking.replying(message.chat_id, message.id)
        return replying.quiet_for if replying else 0.0

    def compared(self, chat_id: str) -> tuple[Message, ...]:
        """The two replies, left and right, that a chat ends with and nobody has decided between; else none."""
        replies = self._store.of(chat_id).last_replies(chat_id) if chat_id else []
        if not replies or replies[-1].pair != "open":
            return ()
        return tuple(self._as_it_is(reply) for reply in replies if reply.pair == "open")

    async def recover(self) -> None:
        """Mark what a former session left streaming as interrupted, with all that had arrived; erase, behind whatever
        else is to be done, what was deleted long ago.
        """
        await self._store.of("").recover(time.time())
        self._context.tasks.start("chats.erase", self.erase_deleted())

    async def send(self, chat_id: str, draft: Draft, *, kept: bool = True, waiting_id: str = "") -> str:
        """Write the message and an empty reply down, then ask; gives the chat's id (`chat_id` empty: a new one).

        A new chat that is not `kept` lies in memory alone, and is gone when Carrel closes. `waiting_id` is the place
        in line that the message leaves; nothing is sent where it has left it already.
        """
        return await self._send(chat_id, draft, kept=kept, waiting_id=waiting_id)

    async def _send(
        self, chat_id: str, draft: Draft, *, kept: bool = True, waiting_id: str = "", fork: Fork | None = None
    ) -> str:
        now = time.time()
        held = self.chat(chat_id) if chat_id else None
        chat = held or Chat(new_id("" if kept else UNKEPT), "", title_of(draft.text), "", now, now)
        chat = replace(chat, updated_at=now, draft=draft.next_turn(), snippet=snippet_of(draft.text), archived=False)
        asked = Message(new_id(chat.id), chat.id, 0, 1, "user", now, draft.as_sent(), branch=chat.branch)

        async def begin() -> None:
            written = await self._store.add_turn(chat, (asked, *answers_to(asked)), waiting_id, fork=fork)
            if held is None:
                with suppress(StoreError):  # the message is written, and that counts
                    await self._new_drafts.save(Draft())
            if written:
                self.list_changed.emit()
                self.message_added.emit(written[0])
                own = replace(chat, conversation_id="") if fork else chat
                self._ask(own, written[0], tuple(written[1:]))

        await self._begin(chat.id, begin())
        return chat.id

    async def keep(self, message_id: str) -> None:
        """Of two replies side by side go on with this one; the other stays as an older version."""
        kept = self._written(message_id)
        if kept is None or self._is_busy(kept.chat_id):
            return
        await self._store.of(message_id).keep(message_id)
        self.list_changed.emit()
        self.decided.emit(kept.chat_id)

    async def ask_again(self, message_id: str, model: str | None = None) -> bool:
        """Ask for another version of a reply in the same conversation; the former one stays. Of two that nobody has
        decided between, the new one takes the former's side. False where a reply is under way, and nothing was asked.
        """
        former = self._written(message_id)
        chat = self.chat(former.chat_id) if former else None
        if former is None or chat is None or self._is_busy(chat.id):
            return False
        now = time.time()
        draft = former.draft if model is None else former.draft.model_copy(update={"model": model or None})
        answer = replace(
            former, id=new_id(chat.id), version=0, created_at=now, draft=draft, reply=Reply(asked_at=now), pair=""
        )
        chat = replace(chat, updated_at=now)
        if former.pair == "open":
            answer = replace(answer, pair="open")
            chat = replace(chat, conversation_id=former.reply.conversation_id or chat.conversation_id)
        await self._begin(chat.id, self._ask_once_more(chat, former, answer))
        return True

    async def _ask_once_more(self, chat: Chat, former: Message, answer: Message) -> None:
        written = await self._store.add_turn(chat, (answer,), in_place_of=former.id if answer.pair else "")
        self.list_changed.emit()
        self._ask(chat, former, tuple(written))

    async def _begin(self, chat_id: str, turn: Coroutine[Any, Any, None]) -> None:
        """Write a turn and ask, in one breath: what is written down is sent, also where a further press, or the end of
        whoever asked, comes between the two.
        """
        self._beginning.add(chat_id)

        async def begin() -> None:
            try:
                await turn
            finally:
                self._beginning.discard(chat_id)

        await self._context.tasks.to_the_end(begin())

    def _is_busy(self, chat_id: str) -> bool:
        """Whether a reply is under way, or about to be."""
        return chat_id in self._beginning or self.is_streaming(chat_id)

    async def edit(self, message_id: str, draft: Draft) -> bool:
        """Send another wording of an earlier message: a branch beside the old one, and a conversation of its own. False
        where a reply is under way, and nothing was sent.
        """
        former = self._written(message_id)
        if former is None or self._is_busy(former.chat_id):
            return False
        origin = self.branches(former.chat_id).origin(former.turn)
        await self._send(former.chat_id, draft, fork=Fork(origin, former.turn))
        return True

    async def show_branch(self, chat_id: str, number: int) -> None:
        """Bring another version of an edited message, and what followed it, to the front."""
        await self._store.of(chat_id).show_branch(chat_id, number)
        self.list_changed.emit()

    async def show_version(self, message_id: str) -> None:
        """Bring a version of a reply to the front: what is shown, found and exported of it, until another one comes."""
        await self._store.of(message_id).show_version(message_id)

    def stop(self, chat_id: str) -> bool:
        """Close the stream and keep what came; the service may go on. False where none was under way."""
        return self._asking.stop(chat_id)

    async def delete(self, chat_id: str) -> None:
        """Take a chat out of the list here; the service keeps its own copy."""
        self.stop(chat_id)
        await super().delete(chat_id)

    def _ask(self, chat: Chat, asked: Message, answers: tuple[Message, ...]) -> None:
        """Ask what a message says; `answers` are the empty replies that the store holds."""
        draft = asked.draft if len(answers) == 2 else answers[0].draft
        question = Question(draft, chat.conversation_id)
        if draft.comparison is None:
            self._asking.ask(chat, answers[0], question)
        elif draft.comparison.way == "stream":
            self._asking.ask_in_one_stream(chat, (answers[0], answers[1]), question)
        else:
            first, second = answers
            beside = self._retelling.question(asked, second)
            self._asking.ask_beside(chat, (first, second), (Question(first.draft, chat.conversation_id), beside))
        for answer in answers:
            self.message_added.emit(answer)

    def _reply_changed(self, chat_id: str, message_id: str, reply: Reply) -> None:
        self.reply_changed.emit(chat_id, message_id, reply)

    def _reply_ended(self, chat_id: str, message_id: str, reply: Reply) -> None:
        self.reply_ended.emit(chat_id, message_id, reply)
        self.list_changed.emit()


def title_of(text: str) -> str:
    """A title out of a first message: its first line, cut at a word."""
    line = next((ln.strip() for ln in text.splitlines() if ln.strip()), "")
    if len(line) <= TITLE:
        return line
    return line[:TITLE].rsplit(" ", 1)[0].rstrip(",;:") + "…"
