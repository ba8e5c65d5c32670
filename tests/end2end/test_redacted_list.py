"""A chat with redacted messages looks so in the list."""

from __future__ import annotations

from pathlib import Path

from scripted import ask, tell
from stage import Stage


def test_a_redacted_chat_says_so_in_the_list(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        def items() -> dict[str, tuple[str, str]]:
            return {item.title: (item.icon, item.snippet) for item in stage.hand.find("chat.list").items() if item.key}

        await ask(stage, 'Plainly, with “"redact_pii":true” in its words')
        stage.window.presenter("chat").new()
        stage.hand.click("chat.redact_pii")
        await ask(stage, "Secretly")
        await stage.hand.until(
            lambda: items().get("Secretly") == ("shield", "Redacted · Served in writing."), "it says so"
        )
        [plain] = [said for title, said in items().items() if title.startswith("Plainly")]
        assert plain == ("", "Served in writing.")

    tell(tmp_path, story, {})
