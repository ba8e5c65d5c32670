"""Messages as the transcript shows them: who, when, how it stands, and what can be done with it."""

from __future__ import annotations

from datetime import datetime
from math import ceil
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

from carrel.model import Reply
from carrel.model.redaction import redaction_of, related_questions
from carrel.ui.widgets.transcript import Entry, FileChip

if TYPE_CHECKING:
    from carrel.work.chat import Message


SOON = 3
"""Seconds from which on it is said for how long something goes on already (design: the look)."""


def tr(text: str) -> str:
    """Translate in this room's name."""
    return QCoreApplication.translate("entries", text)


def entry_of(
    message: Message,
    *,
    who: str,
    now: float,
    opened: bool | None = None,
    quiet: float = 0.0,
    held: float = 0.0,
    versions: tuple[int, int] = (1, 1),
    files: tuple[FileChip, ...] = (),
) -> Entry:
    """A message as an entry. `opened` is how the person left its thinking: None where they did not touch it.

    `quiet` are the seconds for which the service has said nothing, `held` those for which the request limit still holds
    the message back.
    """
    if message.role == "user":
        return Entry(
            message.id,
            "user",
            message.text,
            attachments=tuple(a.name for a in message.draft.attachments),
            quoted=message.draft.quoted_text,
            versions=versions,
        )
    reply = message.reply
    tag, tone = _tag(reply, now, quiet, held)
    note, note_tone = _note(reply)
    if _is_empty(reply) and not files:
        note = tr("The service sent no words.")
    if not note and reply.state == "complete" and message.version > 1 and not message.pair:
        note = tr("Asked again in the same conversation: the service has seen the former reply too.")
    thinks = bool(reply.thinking)
    return Entry(
        message.id,
        "assistant",
        reply.text,
        who=who,
        when=_clock(message.created_at),
        thinking=reply.thinking,
        thinking_title=_thinking_title(reply, now) if thinks else "",
        thinking_open=thinks and (opened if opened is not None else reply.state == "thinking"),
        tag=tag,
        tone=tone,
        note=note,
        note_tone=note_tone,
        actions=() if reply.is_open else _actions(reply, has_files=bool(files)),
        questions=() if reply.is_open else related_questions(reply.extra),
        files=files,
        versions=versions,
    )


def note_of(reply: Reply) -> str:
    """What there is to say of how a reply ended."""
    return _note(reply)[0]


def _tag(reply: Reply, now: float, quiet: float, held: float) -> tuple[str, str]:
    if held and reply.state == "waiting" and reply.first_event_at is None:
        return tr("Request limit reached, goes on in {n} s").format(n=max(1, ceil(held))), "warn"
    if reply.is_open and quiet:
        return tr("No data for {n} s").format(n=round(quiet)), "warn"
    return {
        "waiting": (_waiting(reply, now), "none"),
        "thinking": (tr("Thinking…"), "info"),
        "writing": (tr("Writing…"), "ok"),
        "stopped": (tr("Stopped"), "none"),
        "interrupted": (tr("Interrupted"), "warn"),
        "failed": (tr("Failed"), "danger"),
    }.get(reply.state, ("", "none"))


def _note(reply: Reply) -> tuple[str, str]:
    if reply.state == "failed":
        marks = " · ".join(m for m in (reply.error_code, reply.error_id) if m and m not in reply.error)
        return (f"{reply.error} ({marks})" if marks else reply.error), "danger"
    if reply.state == "interrupted":
        words = tr("The reply ended before the service said that it was done. What came is kept.")
        return f"{reply.error} {words}".strip() if reply.error else words, "warn"
    if reply.state == "stopped":
        if reply.first_event_at is None:
            return tr("You stopped before the service had begun to answer."), "muted"
        return tr("You stopped this reply. The service may have gone on."), "muted"
    return "", "muted"


def _waiting(reply: Reply, now: float) -> str:
    seconds = round(now - reply.asked_at) if reply.asked_at else 0
    return tr("Waiting… {n} s").format(n=seconds) if seconds >= SOON else tr("Waiting…")


def _is_empty(reply: Reply) -> bool:
    """Whether it ended well and says nothing."""
    return reply.state == "complete" and not reply.text.strip()


def _actions(reply: Reply, *, has_files: bool) -> tuple[tuple[str, str, str], ...]:
    said = bool(reply.text.strip())
    again = tr("Regenerate") if reply.state in {"complete", "stopped"} and (said or has_files) else tr("Try again")
    asking: tuple[tuple[str, str, str], ...] = (
        ("again", again, "refresh"),
        ("again_with", tr("With…"), "down"),
        ("details", tr("Details"), "clock"),
    )
    if reply.extra.get("needs") == "account":
        asking = (("settings", tr("Open Settings"), "settings"), *asking)
    if not said:
        failed = reply.state == "failed" and _note(reply)[0]
        return (("note_copy", tr("Copy the error"), "copy"), *asking) if failed else asking
    told = redaction_of(reply.extra)
    if told is not None:
        words = tr("Redaction · {n}").format(n=told.count) if told.count else tr("Redaction")
        asking = (*asking, ("redaction", words, "shield"))
    return (("copy", tr("Copy"), "copy"), ("quote", tr("Quote"), "quote"), *asking)


def _thinking_title(reply: Reply, now: float) -> str:
    seconds = round(reply.thought_for(now))
    if reply.state == "thinking":
        return tr("Thinking… {n} s").format(n=seconds)
    return tr("Thought for {n} s").format(n=seconds) if seconds else tr("Thought for a moment")


def _clock(at: float) -> str:
    when = datetime.fromtimestamp(at).astimezone()
    moment = QDateTime.fromSecsSinceEpoch(int(at))
    locale = QLocale()
    time = locale.toString(moment.time(), QLocale.FormatType.ShortFormat)
    if when.date() == datetime.now().astimezone().date():
        return time
    return f"{locale.toString(moment.date(), 'd MMM yyyy')} {time}"
