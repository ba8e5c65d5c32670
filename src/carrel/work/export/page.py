"""A chat as one HTML page: no script, nothing remote, light or dark as the reader's system is."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from html import escape

from carrel.paths import resources
from carrel.store.chats import Message
from carrel.work.export.telling import Options, Told, ending, made, summary, thought, when, who
from carrel.work.html.rendering import Rendering


async def page_of(told: Told, options: Options) -> str:
    """The whole page."""
    title = escape(told.chat.title or "Chat")
    body = "".join([piece async for piece in pieces_of(told, options)])
    return (
        f'<!DOCTYPE html>\n<html lang="und">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<style>\n{style()}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )


async def pieces_of(told: Told, options: Options, *, folds: bool = True) -> AsyncIterator[str]:
    """The page's body, a message at a time. Without `folds` thinking stands open, as paper needs it."""
    title = escape(told.chat.title or "Chat")
    yield f'<div class="top"><h1>{title}</h1>\n<p class="when">{escape(summary(told))}</p></div>\n'
    async with Rendering() as rendering:
        for message in told.shown:
            body = await rendering.html(message.text) if message.role == "assistant" else _said(message)
            yield _message(told, message, body, options, folds=folds)


def style() -> str:
    """The page's own style sheet."""
    return (resources() / "export.css").read_text("utf-8")


def _message(told: Told, message: Message, body: str, options: Options, *, folds: bool) -> str:
    head = (
        f'<p class="who"><b>{escape(who(told, message))}</b> <span class="when">{when(message.created_at)}</span></p>'
    )
    thinking = _thinking(message, folds=folds) if options.thinking else ""
    words = ending(message)
    note = _files(made(message)) + (f'<p class="note">{escape(words)}</p>\n' if words else "")
    return f'<div class="message {message.role}">\n{head}\n{thinking}{body}\n{note}</div>\n'


def _said(message: Message) -> str:
    """A person's own words are shown as they were typed."""
    draft = message.draft
    quoted = f'<blockquote class="plain">{_plain(draft.quoted_text)}</blockquote>\n' if draft.quoted_text else ""
    files = _files(a.name for a in draft.attachments)
    return f'{quoted}<div class="plain">{_plain(message.text)}</div>\n{files}'.rstrip("\n")


def _files(names: Iterable[str]) -> str:
    chips = "".join(f'<span class="file">{escape(name)}</span> ' for name in names)
    return f'<p class="files">{chips}</p>\n' if chips else ""


def _thinking(message: Message, *, folds: bool) -> str:
    if message.role != "assistant" or not message.reply.thinking:
        return ""
    words = f'<div class="plain">{_plain(message.reply.thinking.strip())}</div>'
    if folds:
        return f'<details class="thinking"><summary>{thought(message)}</summary>{words}</details>\n'
    return f'<div class="thinking"><p><b>{thought(message)}</b></p>{words}</div>\n'


def _plain(text: str) -> str:
    return escape(text, quote=False).replace("\n", "<br>")
