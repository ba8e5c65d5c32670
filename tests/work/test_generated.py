"""Files that a reply made: what of its last event is understood, and what an export says of them."""

from __future__ import annotations

from carrel.model import Reply
from carrel.model.agents import generated_files_of
from carrel.model.draft import Draft
from carrel.store.chats import Chat, Message
from carrel.work.export.page import _message as html_of
from carrel.work.export.telling import Options, Told
from carrel.work.export.texts import markdown_of


def test_whatever_stands_there_nothing_breaks() -> None:
    told = [{"url": "https://s/a/b%20c.txt"}, {"url": "https://s/a/b%20c.txt"}, {"filename": "x"}, 7, None, {"url": ""}]
    [file] = generated_files_of({"generated_files": told})
    assert (file.filename, file.size) == ("b c.txt", None)
    assert generated_files_of({"generated_files": {"url": "x"}}) == ()
    assert generated_files_of({}) == ()


def test_an_export_names_them() -> None:
    files = [{"url": "https://s/1", "filename": "a<b>.pdf"}, {"url": "https://s/2", "filename": "two.csv"}]
    reply = Reply(state="complete", extra={"generated_files": files})
    message = Message("m", "c", 1, 1, "assistant", 1.0, Draft(), reply)
    told = Told(Chat("c", "", "Title", "", 1.0, 1.0), (message,), (), lambda _: "Model")
    assert "Files: `a<b>.pdf`, `two.csv`" in markdown_of(told, Options())
    page = html_of(told, message, "", Options(), folds=True)
    assert '<span class="file">a&lt;b&gt;.pdf</span>' in page
