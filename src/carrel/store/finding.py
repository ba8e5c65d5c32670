"""Finds words in all that was said, thought and given back, through the index of words (FTS5)."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable
from itertools import islice

from carrel.model.finding import ChatHit, Found, MessageHit, RunHit, Snippet
from carrel.store.db import Database

MOST_LOOKED_AT = 1000
"""Messages with the words that are counted; older ones are not looked at."""

MOST_SHOWN = 60
"""Messages of which a snippet is made."""

MOST_OF_ONE = 3
"""Of these, messages of one chat: a long chat shall not hide the others."""

AROUND = 16
"""Words of a snippet."""

_OPEN, _CLOSE = "\x02", "\x03"
_MARKDOWN = re.compile(r"[*`#|~]+")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
"""Scripts that put no spaces between words: the index knows only whole runs of them."""


class FindStore:
    """Searches the chats and the runs of one account."""

    def __init__(self, db: Database, account: str) -> None:
        """Use `db` for the texts of `account`."""
        self._db, self._account = db, account

    async def everywhere(self, words: str) -> Found:
        """What has all of these words, each as the beginning of a word; "two words" in quotes stand side by side."""
        match = match_of(words)
        if not match:
            return Found()
        return await self._db.ask(lambda db: self._everywhere(db, words, match))

    async def texts(self, chat_id: str) -> dict[str, tuple[str, str]]:
        """Text and thinking of all messages of a chat, by their ids."""
        sql = "SELECT id, text, thinking FROM messages WHERE chat_id = ?"
        return await self._db.ask(
            lambda db: {row["id"]: (row["text"], row["thinking"]) for row in db.execute(sql, (chat_id,))}
        )

    def _everywhere(self, db: sqlite3.Connection, words: str, match: str) -> Found:
        look = _Scan(words) if _UNSPACED.search(words) else _Index(match)
        rows = look.messages(db, self._account)
        shown, counts = _chosen(rows)
        return Found(
            chats=self._titles(db, words),
            messages=tuple(look.message_hits(db, shown)),
            runs=tuple(look.runs(db, self._account)),
            counts=tuple(counts.items()),
        )

    def _titles(self, db: sqlite3.Connection, words: str) -> tuple[ChatHit, ...]:
        wanted = [w.casefold() for w in words.replace('"', " ").split()]
        rows = db.execute(
            "SELECT id, title, updated_at FROM chats WHERE account = ? AND deleted_at IS NULL ORDER BY updated_at DESC",
            (self._account,),
        )
        found = (ChatHit(*row) for row in rows if all(w in row["title"].casefold() for w in wanted))
        return tuple(islice(found, MOST_SHOWN // 3))


def match_of(words: str) -> str:
    """The words as an FTS5 expression; empty where there are fewer than two letters to look for."""
    phrases = [
        (phrase or word, "" if phrase else "*")
        for phrase, word in re.findall(r'"([^"]+)"|([^\s"]+)', words)
        if any(c.isalnum() for c in phrase or word)
    ]
    letters = sum(len(phrase) for phrase, _ in phrases)
    if letters < 2 and not _UNSPACED.search(words):
        return ""
    return " AND ".join(f'"{phrase}"{ending}' for phrase, ending in phrases)


def _chosen(rows: Iterable[sqlite3.Row]) -> tuple[list[int], dict[str, int]]:
    """The numbers of the messages to show, and how many there are of each chat."""
    shown: list[int] = []
    counts: dict[str, int] = {}
    for row in rows:
        held = counts[row["chat_id"]] = counts.get(row["chat_id"], 0) + 1
        if held <= MOST_OF_ONE and len(shown) < MOST_SHOWN:
            shown.append(row["number"])
    return shown, counts


_MESSAGES = """SELECT m.number, m.chat_id FROM {source} JOIN chats c ON c.id = m.chat_id
    WHERE {condition} AND c.account = ? AND c.deleted_at IS NULL ORDER BY {order} DESC LIMIT ?"""

_HITS = """SELECT m.id, m.chat_id, c.title, m.role, m.created_at, {text} AS text, {thinking} AS thinking
    FROM {source} JOIN chats c ON c.id = m.chat_id WHERE {condition} AND +m.number IN ({numbers})
    ORDER BY m.number DESC"""

_RUNS = """SELECT a.id, a.title, a.started_at, {output} AS output, {prompt} AS prompt FROM {source}
    WHERE {condition} AND a.account = ? ORDER BY a.number DESC LIMIT ?"""


class _Index:
    """Looks into the index of words."""

    def __init__(self, match: str) -> None:
        self._match = match

    def messages(self, db: sqlite3.Connection, account: str) -> Iterable[sqlite3.Row]:
        sql = _MESSAGES.format(
            source="message_words JOIN messages m ON m.number = message_words.rowid",
            condition="message_words MATCH ?",
            order="message_words.rowid",
        )
        return db.execute(sql, (self._match, account, MOST_LOOKED_AT))

    def message_hits(self, db: sqlite3.Connection, numbers: list[int]) -> Iterable[MessageHit]:
        sql = _HITS.format(
            text=_snippet("message_words", 0),
            thinking=_snippet("message_words", 1),
            source="message_words JOIN messages m ON m.number = message_words.rowid",
            condition="message_words MATCH ?",
            numbers=",".join(map(str, numbers)),
        )
        return (_message_hit(row, _marked) for row in db.execute(sql, (self._match,)))

    def runs(self, db: sqlite3.Connection, account: str) -> Iterable[RunHit]:
        sql = _RUNS.format(
            output=_snippet("run_words", 1),
            prompt=_snippet("run_words", 0),
            source="run_words JOIN agent_runs a ON a.number = run_words.rowid",
            condition="run_words MATCH ?",
        )
        return (_run_hit(row, _marked) for row in db.execute(sql, (self._match, account, MOST_SHOWN // 3)))


class _Scan:
    """Reads the texts themselves, for scripts that the index cannot cut into words."""

    def __init__(self, words: str) -> None:
        self._words = [w for w in words.replace('"', " ").split() if w]
        self._likes = ["%" + re.sub(r"([%_\\])", r"\\\1", w) + "%" for w in self._words]

    def messages(self, db: sqlite3.Connection, account: str) -> Iterable[sqlite3.Row]:
        sql = _MESSAGES.format(
            source="messages m", condition=self._has("m.text || ' ' || m.thinking"), order="m.number"
        )
        return db.execute(sql, (*self._likes, account, MOST_LOOKED_AT))

    def message_hits(self, db: sqlite3.Connection, numbers: list[int]) -> Iterable[MessageHit]:
        sql = _HITS.format(
            text="m.text",
            thinking="m.thinking",
            source="messages m",
            condition="1",
            numbers=",".join(map(str, numbers)),
        )
        return (_message_hit(row, self._around) for row in db.execute(sql))

    def runs(self, db: sqlite3.Connection, account: str) -> Iterable[RunHit]:
        sql = _RUNS.format(
            output="t.output",
            prompt="t.prompt",
            source="run_texts t JOIN agent_runs a ON a.number = t.number",
            condition=self._has("t.prompt || ' ' || t.output"),
        )
        return (_run_hit(row, self._around) for row in db.execute(sql, (*self._likes, account, MOST_SHOWN // 3)))

    def _has(self, text: str) -> str:
        return " AND ".join([rf"{text} LIKE ? ESCAPE '\'"] * len(self._likes))

    def _around(self, text: str) -> Snippet:
        """The place of the first word, marked."""
        at = min((text.find(w) for w in self._words if w in text), default=-1)
        if at < 0:
            return Snippet(text[: 3 * AROUND])
        start = max(0, at - AROUND)
        part = text[start : at + 3 * AROUND]
        marks = sorted((m.start(), len(w)) for w in self._words for m in re.finditer(re.escape(w), part))
        return Snippet(part, tuple(marks))


def _snippet(table: str, column: int) -> str:
    return f"snippet({table}, {column}, '{_OPEN}', '{_CLOSE}', '…', {AROUND})"


def _marked(text: str) -> Snippet:
    """A snippet of SQLite as words and marks, without the marks of Markdown."""
    words, marks, length = [], [], 0
    for number, piece in enumerate(re.split(f"[{_OPEN}{_CLOSE}]", _MARKDOWN.sub("", text))):
        if number % 2:
            marks.append((length, len(piece)))
        words.append(piece)
        length += len(piece)
    return Snippet("".join(words), tuple(marks))


def _message_hit(row: sqlite3.Row, cut: Callable[[str], Snippet]) -> MessageHit:
    said, thought = cut(row["text"]), cut(row["thinking"])
    is_thought = bool(thought.marks) and not said.marks
    return MessageHit(
        chat_id=row["chat_id"],
        message_id=row["id"],
        title=row["title"],
        role=row["role"],
        at=row["created_at"],
        where="thinking" if is_thought else "text",
        snippet=thought if is_thought else said,
    )


def _run_hit(row: sqlite3.Row, cut: Callable[[str], Snippet]) -> RunHit:
    given, asked = cut(row["output"]), cut(row["prompt"])
    return RunHit(row["id"], row["title"], row["started_at"], given if given.marks or not asked.marks else asked)
