"""Stories of a person who writes: drafts, files, prompts, chats that are not kept."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QMenu

from carrel.model.prompts import Prompt
from stage import Stage, play
from stories import ask, open_only_chat, pick_chat, requests, states, write_chat

FIRST = "What is the notice period?"


def test_the_new_chats_draft_and_options_are_there_after_a_restart(tmp_path: Path) -> None:
    async def first(stage: Stage) -> None:
        stage.hand.click("chat.think")
        stage.hand.click("chat.options")
        stage.hand.type("chat.language", "German")
        stage.hand.find("chat.options.popup").close()
        stage.hand.type("chat.composer", "typed in the last moment")

    async def second(stage: Stage) -> None:
        draft = stage.hand.find("composer").draft()
        assert draft.text == "typed in the last moment"
        assert draft.think
        assert draft.preferences.language == "German"
        stage.hand.click("chat.send")
        await stage.hand.until(lambda: states(stage) == ["complete"], "it was answered")
        assert '"language": "German"' in requests(stage)[0].replace('":"', '": "')
        stage.hand.click("chat.new")
        assert stage.hand.find("chat.composer").toPlainText() == ""

    play(tmp_path, first)
    play(tmp_path, second)


def test_a_chat_that_is_not_kept_says_so_and_is_gone_at_close(tmp_path: Path) -> None:
    secret = "zanzibar-4711"
    file = tmp_path / "quay.txt"
    file.write_text(secret)

    async def first(stage: Stage) -> None:
        stage.hand.click("chat.options")
        stage.hand.click("chat.unkept")
        stage.hand.find("chat.options.popup").close()
        assert stage.hand.sees("chat.not_kept")
        stage.window.presenter("chat").dropped([file])
        await stage.hand.until(lambda: stage.hand.find("composer").draft().attachments, "the file is attached")
        stage.hand.find("composer").image_pasted.emit(QImage(4, 4, QImage.Format.Format_RGB32))
        assert "not kept" in stage.hand.words("chat.hint")
        stage.hand.type("chat.composer", f"Tell me about {secret}")
        await stage.hand.settle(0.6)  # longer than the pause after which a draft is kept
        stage.hand.click("chat.send")
        await stage.hand.until(lambda: states(stage) == ["complete"], "it was answered")
        assert stage.hand.sees("chat.not_kept")
        await stage.hand.until(
            lambda: [i.tag for i in stage.hand.find("chat.list").items() if i.key] == ["Not kept"],
            "the list marks it too",
        )
        stage.hand.type("chat.composer", f"half a thought about {secret}")
        stage.hand.click("chat.new")
        assert not stage.hand.sees("chat.not_kept")
        assert stage.hand.find("chat.composer").toPlainText() == ""

    async def second(stage: Stage) -> None:
        assert stage.desk.session.chats.all() == []
        assert stage.desk.session.uploads.rows() == ()

    play(tmp_path, first)
    ours = [f for part in ("config", "data", "cache") for f in (tmp_path / part).rglob("*") if f.is_file()]
    kept = [f for f in ours if "service" not in f.relative_to(tmp_path).parts]  # the service keeps its own
    assert kept
    assert [f for f in kept if secret.encode() in f.read_bytes()] == []
    assert [f for f in kept if bytes(file) in f.read_bytes()] == []
    play(tmp_path, second)


def test_sending_waits_for_files_that_are_still_on_their_way(tmp_path: Path) -> None:
    note = tmp_path / "quay.txt"
    note.write_text("The quay lamp costs 412 euro.")

    async def story(stage: Stage) -> None:
        stage.hand.type("chat.composer", "What does the quay lamp cost?")
        stage.window.presenter("chat").dropped([note])
        stage.hand.click("chat.send")
        assert stage.hand.sees("chat.hint")
        assert requests(stage) == []
        await stage.hand.until(lambda: states(stage) == ["complete"], "it was sent, and answered")
        [message] = [m for c in stage.desk.session.chats.all() for m in stage.desk.session.chats.messages(c.id)][:1]
        [held] = message.draft.attachments
        assert (held.name, held.is_upload) == ("quay.txt", True)
        assert held.id in requests(stage)[0]
        assert not stage.hand.sees("chat.uploading")

    play(tmp_path / "home", story)


def test_a_chat_that_is_not_kept_stays_so_where_its_message_goes_while_another_chat_is_in_front(tmp_path: Path) -> None:
    note = tmp_path / "quay.txt"
    note.write_text("The quay lamp costs 412 euro.")

    async def story(stage: Stage) -> None:
        chats = stage.desk.session.chats
        await write_chat(stage, "lease", "The lease", [("What is the notice period?", "Six months.", "")])
        stage.hand.click("chat.options")
        stage.hand.click("chat.unkept")
        stage.hand.find("chat.options.popup").close()
        stage.hand.type("chat.composer", "What does the quay lamp cost?")
        stage.window.presenter("chat").dropped([note])
        stage.hand.click("chat.send")
        pick_chat(stage, "The lease")
        gone = lambda: [c for c in chats.all() if c.id != "lease"]  # noqa: E731  # asked for again and again
        await stage.hand.until(gone, "it was sent behind")
        [chat] = gone()
        assert not chats.is_kept(chat.id)
        assert [m.draft.text for m in chats.messages(chat.id) if m.role == "user"] == ["What does the quay lamp cost?"]
        stage.hand.click("chat.new")
        assert not stage.hand.sees("chat.not_kept")
        assert stage.hand.find("chat.composer").toPlainText() == ""
        await stage.hand.until(lambda: not chats.is_streaming(chat.id), "it was answered")

    play(tmp_path / "home", story)


def test_a_second_message_in_the_same_breath_stays_in_the_composer(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await write_chat(stage, "lease", "The lease", [("What is the notice period?", "Six months.", "")])
        pick_chat(stage, "The lease")
        for text in ("And the rent?", "And the deposit?"):
            stage.hand.type("chat.composer", text)
            stage.hand.click("chat.send")
        assert stage.hand.find("chat.composer").toPlainText() == "And the deposit?"
        await stage.hand.until(lambda: len(requests(stage)) == 1 and stage.hand.sees("chat.send"), "one was answered")
        assert stage.hand.find("chat.composer").toPlainText() == "And the deposit?"

    play(tmp_path, story)


def test_a_pasted_picture_and_a_long_paste_become_files(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        field = stage.hand.find("chat.composer")
        picture = QImage(40, 30, QImage.Format.Format_RGB32)
        picture.fill(Qt.GlobalColor.red)
        mime = QMimeData()
        mime.setImageData(picture)
        QApplication.clipboard().setMimeData(mime)
        field.paste()
        box = stage.hand.find("composer")
        await stage.hand.until(lambda: len(box.draft().attachments) == 1, "the picture is attached")
        long = "The lamp is green. " * 400
        stage.hand.type("chat.composer", "Mind this: ")
        QApplication.clipboard().setText(long)
        field.paste()
        assert field.toPlainText() == f"Mind this: {long}"
        stage.hand.click("chat.hint.as-file")
        await stage.hand.until(lambda: len(box.draft().attachments) == 2, "the text is attached")
        assert field.toPlainText() == "Mind this: "
        names = [a.name for a in box.draft().attachments]
        assert [n.rsplit(".", 1)[1] for n in names] == ["png", "txt"]
        await stage.hand.until(
            lambda: not [f for f in (tmp_path / "cache" / "pasted").rglob("*") if f.is_file()], "nothing is left"
        )

    play(tmp_path, story)


def test_a_hash_attaches_a_file_of_the_library(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        rows = stage.hand.find("chat.completions.list")
        await stage.desk.session.library.open()
        stage.hand.type("chat.composer", "Read #harbour")
        await stage.hand.until(lambda: "harbour-lease.pdf" in [r.words for r in rows.rows()], "the file is offered")
        stage.hand.key("chat.composer", Qt.Key.Key_Return)
        draft = stage.hand.find("composer").draft()
        assert draft.text == "Read "
        assert [(a.name, a.is_upload) for a in draft.attachments] == [("harbour-lease.pdf", False)]
        assert stage.desk.session.chats.all() == []
        stage.hand.click("chat.attach")
        menu = stage.hand.find("chat.attach.menu", QMenu)
        assert len(menu.actions()) == 2
        menu.actions()[1].trigger()
        menu.close()
        await stage.hand.until(lambda: stage.hand.sees("filepicker"), "the picker is open")
        stage.hand.find("filepicker").reject()

    play(tmp_path, story)


def test_a_slash_opens_saved_prompts_and_their_variables_are_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "prompts.json"

    async def story(stage: Stage) -> None:
        prompts = stage.desk.session.prompts
        rows = stage.hand.find("chat.completions.list")
        stage.hand.type("chat.composer", "/")
        assert [r.key for r in rows.rows()] == ["manage"]
        stage.hand.key("chat.composer", Qt.Key.Key_Return)
        await stage.hand.until(lambda: stage.hand.sees("prompts"), "the dialog is open")
        stage.hand.type("prompts.title", "Letter")
        stage.hand.type("prompts.text", "Write to {client}.")
        stage.hand.click("prompts.save")
        await stage.hand.until(prompts.all, "it is kept")
        stage.hand.click("prompts.close")
        await prompts.save(Prompt(title="Sum up", text="Sum up what is attached."))
        await prompts.write(file)
        stage.hand.type("chat.composer", "/lett")
        assert [r.words for r in rows.rows()] == ["Letter", "Manage prompts…"]
        stage.hand.key("chat.composer", Qt.Key.Key_Return)
        await stage.hand.until(lambda: stage.hand.sees("prompt.form"), "the form is open")
        stage.hand.type("prompt.form.client", "Ada")
        stage.hand.click("prompt.form.take")
        assert stage.hand.find("chat.composer").toPlainText() == "Write to Ada."

    async def elsewhere(stage: Stage) -> None:
        prompts = stage.desk.session.prompts
        assert prompts.all() == []
        assert await prompts.read(file) == 2
        assert await prompts.read(file) == 0
        assert [p.title for p in prompts.all()] == ["Letter", "Sum up"]

    play(tmp_path / "one", story)
    play(tmp_path / "two", elsewhere)


def test_a_lock_in_the_settings_makes_redaction_the_rule(tmp_path: Path) -> None:
    async def first(stage: Stage) -> None:
        stage.window.go("settings", "accounts")
        await stage.hand.settle()
        stage.hand.click("settings.always_redact")
        stage.window.go("chat")
        await stage.hand.settle()
        chip = stage.hand.find("chat.redact_pii")
        assert chip.isChecked()
        assert not chip.isEnabled()

    async def second(stage: Stage) -> None:
        assert not stage.hand.find("chat.redact_pii").isEnabled()
        await ask(stage, "Who is the tenant?")
        await stage.hand.until(lambda: states(stage) == ["complete"], "it was answered")
        assert "redact_pii" in requests(stage)[0]

    play(tmp_path, first)
    play(tmp_path, second)


def test_a_draft_in_each_chat_stays_with_its_chat(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await ask(stage, FIRST)
        await stage.hand.until(lambda: states(stage) == ["complete"], "it was answered")
        stage.hand.type("chat.composer", "for the first chat")
        stage.hand.click("chat.new")
        stage.hand.type("chat.composer", "for the new chat")
        await open_only_chat(stage)
        assert stage.hand.find("chat.composer").toPlainText() == "for the first chat"
        stage.hand.click("chat.new")
        await stage.hand.settle()
        assert stage.hand.find("chat.composer").toPlainText() == "for the new chat"

    play(tmp_path, story)
