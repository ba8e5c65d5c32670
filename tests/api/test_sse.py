"""Conformance of the stream reader: the web platform's EventSource cases that apply, whole and byte by byte."""

import pytest

from carrel.api.sse import Events, Told, typed
from carrel.model import Content, Done, StreamBroken, Unknown

LONG = "x" * 2000

CASES: dict[str, tuple[str | bytes, list[tuple[str, str]]]] = {
    "one event": ("data: 1\n\n", [("message", "1")]),
    "named": ("event:test\ndata:x\n\ndata:x\n\n", [("test", "x"), ("message", "x")]),
    "empty name": ("event: \ndata:data\n\n", [("message", "data")]),
    "last name counts": ("event:a\nevent:b\ndata:x\n\n", [("b", "x")]),
    "byte order mark": ("\ufeffdata:1\n\n\ufeffdata:2\n\ndata:3\n\n", [("message", "1"), ("message", "3")]),
    "two marks": ("\ufeff\ufeffdata:1\n\ndata:2\n\n", [("message", "2")]),
    "comments": (
        f"data:1\r:\0\n:\r\ndata:2\n:{LONG}\rdata:3\n:data:fail\r:{LONG}\ndata:4\n\n",
        [("message", "1\n2\n3\n4")],
    ),
    "no blank line at the end": ("retry:1000\ndata:test1\n\nid:test\ndata:test2", [("message", "test1")]),
    "no blank line, line ended": ("data:1\n\ndata:2\n", [("message", "1")]),
    "data without a value": ("data\ndata\n\ndata:test\n\n", [("message", "\n"), ("message", "test")]),
    "empty data is no event": ("data:\n\ndata: \n\nevent:x\n\ndata:1\n\n", [("message", "1")]),
    "keep-alive after an id": ("id:1\n\n: ping\n\n: ping\n\ndata:1\n\n", [("message", "1")]),
    "name without data is forgotten": ("event:x\n\ndata:1\n\n", [("message", "1")]),
    "fields": (
        "data:\0\ndata:  2\rData:1\ndata\0:2\ndata:1\r\0data:4\nda-ta:3\rdata_5\ndata:3\rdata:\r\n data:32\ndata:4\n\n",
        [("message", "\0\n 2\n1\n3\n\n4")],
    ),
    "unknown fields": (
        "data:test\n data\ndata\nfoobar:xxx\njustsometext\n:thisisacommentyay\ndata:test\n\n",
        [("message", "test\n\ntest")],
    ),
    "one leading space": ("data:\ttest\rdata: \ndata:  test\n\n", [("message", "\ttest\n\n test")]),
    "line ends": ("data:test\r\ndata\ndata:test\r\n\r\n", [("message", "test\n\ntest")]),
    "CR alone": ("data:1\r\rdata:2\r\r", [("message", "1"), ("message", "2")]),
    "LF after an ended CR": ("data:1\r\n\r\ndata:2\n\n", [("message", "1"), ("message", "2")]),
    "CR CR LF": ("data:1\r\r\ndata:2\n\n", [("message", "1"), ("message", "2")]),
    "null": ("data:\0\n\n\n\n", [("message", "\0")]),
    "retry": ("retry:3000\nretry:bogus\nretry\ndata:1\n\n", [("message", "1")]),
    "id with null": ("id:a\0b\ndata:1\n\n", [("message", "1")]),
    "colon in the value": ("data:a:b: c\n\n", [("message", "a:b: c")]),
    "other separators end no line": (
        "data:a\u2028b\u2029c\u0085d\x0be\x0cf\x1cg\n\n",
        [("message", "a\u2028b\u2029c\u0085d\x0be\x0cf\x1cg")],
    ),
    "UTF-8": ("data:öäü€😀\n\n", [("message", "öäü€😀")]),
    "bad bytes": (b"data:a\xffb\xc3\n\n", [("message", "a\ufffdb\ufffd")]),
    "bad bytes before a line end": (b"data:\xe2\x82\r\n\r\n", [("message", "\ufffd")]),
    "only comments": (":\n:\n\n:x\n\n", []),
    "nothing": ("", []),
    "blank lines": ("\n\n\r\r\n\n", []),
}


def _bytes(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode()


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("size", [1, 2, 3, 7, 1 << 20], ids=["bytes", "pairs", "threes", "sevens", "whole"])
def test_conforms(case: str, size: int) -> None:
    text, expected = CASES[case]
    data = _bytes(text)
    reader = Events(1 << 20)
    got = [told for at in range(0, len(data), size) for told in reader.feed(data[at : at + size])]
    assert got == [Told(*event) for event in expected]


def test_an_event_is_given_as_soon_as_its_blank_line_ends() -> None:
    reader = Events(1000)
    assert list(reader.feed(b"data:1\r\n\r")) == [Told("message", "1")]
    assert list(reader.feed(b"\ndata:2\n\n")) == [Told("message", "2")]


@pytest.mark.parametrize("filler", [b"data:" + b"x" * 100 + b"\n", b"x" * 100], ids=["lines", "one line"])
def test_too_large_an_event_breaks_the_stream_after_what_came_before(filler: bytes) -> None:
    reader = Events(2000)
    events: list[Told] = []

    def feed_all() -> None:
        for chunk in [b"data:1\n\n", *[filler] * 30]:
            events.extend(reader.feed(chunk))

    with pytest.raises(StreamBroken):
        feed_all()
    assert events == [Told("message", "1")]


def test_many_events_are_not_one_large_one() -> None:
    reader = Events(2000)
    assert len(list(reader.feed(b"data:x\n\n" * 5000))) == 5000


def test_payloads_become_typed_events_that_keep_them() -> None:
    content = typed(Told("content", '{"content": "hello", "model": "m"}'))
    assert content == Content("hello", raw={"content": "hello", "model": "m"})
    assert content.at > 0
    done = typed(Told("done", '{"conversation_id": 7, "message_id": null, "more": [1]}'))
    assert isinstance(done, Done)
    assert (done.conversation_id, done.message_id, done.raw["more"]) == ("7", "", [1])


@pytest.mark.parametrize("data", ["{", "[1]", '"text"', "[" * 100_000])
def test_a_documented_event_that_cannot_be_read_breaks_the_stream(data: str) -> None:
    with pytest.raises(StreamBroken):
        typed(Told("content", data))


@pytest.mark.parametrize(
    ("data", "raw"), [('{"a": 1}', {"a": 1}), ("plain", {"data": "plain"}), ("[1]", {"data": [1]})]
)
def test_an_unknown_event_is_kept_whatever_it_holds(data: str, raw: dict[str, object]) -> None:
    assert typed(Told("weather", data)) == Unknown("weather", raw=raw)
