"""A chat as one Markdown text."""

from __future__ import annotations

from collections.abc import Iterable

from carrel.store.chats import Message
from carrel.work.export.telling import Options, Told, ending, made, summary, thought, when, who
from carrel.work.html.blocks import open_fence
from carrel.work.html.headings import below

SPEAKER = 2
"""The level of the headings that name who speaks; those of a reply stand below it."""


def markdown_of(told: Told, options: Options) -> str:
    """The text. What a reply leaves open at its end (a fence) is closed, so that it swallows nothing after it."""
    parts = [f"# {_line(told.chat.title) or 'Chat'}", f"*{summary(told)}*"]
    for message in told.shown:
        parts.extend(_message(told, message, options))
    return "\n\n".join(parts) + "\n"


def _message(told: Told, message: Message, options: Options) -> list[str]:
    parts = [f"{'#' * SPEAKER} {_line(who(told, message))} · {when(message.created_at)}"]
    draft = message.draft
    if message.role == "user" and draft.attachments:
        parts.append(f"Attached: {_names(a.name for a in draft.attachments)}")
    if message.role == "user" and draft.quoted_text:
        parts.append(_quoted(draft.quoted_text))
    if options.thinking and message.role == "assistant" and message.reply.thinking:
        parts.append(_quoted(f"**{thought(message)}**\n\n{_closed(below(message.reply.thinking, SPEAKER))}"))
    if message.text.strip():
        text = message.text.strip("\n")
        parts.append(_closed(below(text, SPEAKER) if message.role == "assistant" else text))
    if files := made(message):
        parts.append(f"Files: {_names(files)}")
    if words := ending(message):
        parts.append(f"*{words}*")
    return parts


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name.replace('`', '')}`" for name in names)


def _closed(text: str) -> str:
    fence = open_fence(text)
    return f"{text}\n{fence}" if fence else text


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.strip().split("\n"))


def _line(text: str) -> str:
    return " ".join(text.split())
