"""What Activity shows of a call holds no secret, however it is written."""

from __future__ import annotations

import json
from urllib.parse import urlencode

import pytest

from carrel.api.record import HIDDEN, Scrubber
from carrel.model import Account

KEYS = ("ke/y+of=mine&0815", 'ke"y\\of-mine', "plain-key-of-mine", "a/b\"c\\d e'f")


@pytest.mark.parametrize("key", KEYS)
def test_a_secret_is_hidden_in_each_way_of_writing(key: str) -> None:
    account = Account(base_url="https://s.example", client_id="client-4711", api_key=key, secret="secret-1234")
    scrub = Scrubber(account)
    in_json = json.dumps({"you_sent": key})
    assert scrub(key) == HIDDEN
    assert scrub(urlencode({"key": key})) == f"key={HIDDEN}"
    assert json.loads(scrub(in_json)) == {"you_sent": HIDDEN}
    assert json.loads(scrub(in_json.replace("/", "\\/"))) == {"you_sent": HIDDEN}
