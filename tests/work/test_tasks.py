"""Tasks by key: the newest ends the former, closing waits, a failure is told."""

from __future__ import annotations

import asyncio

import pytest
from psygnal import Signal

from carrel.work.tasks import Tasks


class Told:
    """What happened, in order."""

    def __init__(self) -> None:
        self.words: list[str] = []

    async def work(self, name: str, ending: float = 0.0) -> None:
        self.words.append(f"{name} began")
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(ending)
            self.words.append(f"{name} ended")


async def test_the_newest_under_a_key_ends_the_former() -> None:
    told, tasks = Told(), Tasks()
    former = tasks.start("a", told.work("first"))
    await asyncio.sleep(0)
    newest = tasks.start("a", told.work("second"))
    await asyncio.wait([former])
    await asyncio.sleep(0)
    assert former.cancelled()
    assert not newest.done()
    assert tasks.keys() == ["a"]
    assert sorted(told.words) == ["first began", "first ended", "second began"]
    await tasks.close()


async def test_a_former_one_that_ends_late_does_not_hide_the_newest() -> None:
    told, tasks = Told(), Tasks()
    former = tasks.start("a", told.work("first", ending=0.05))
    await asyncio.sleep(0)
    tasks.start("a", told.work("second"))
    await asyncio.wait([former])
    await asyncio.sleep(0)
    assert tasks.running("a")
    await tasks.close()
    assert not tasks.running("a")


async def test_closing_waits_for_every_finally() -> None:
    told, tasks = Told(), Tasks()
    for name in ("a", "b", "c"):
        tasks.start(name, told.work(name, ending=0.05))
    await asyncio.sleep(0)
    tasks.cancel("a")
    await tasks.close()
    assert {w for w in told.words if w.endswith("ended")} == {"a ended", "b ended", "c ended"}
    assert tasks.keys() == []


async def test_closing_a_part_leaves_the_others() -> None:
    told, tasks = Told(), Tasks()
    for key in ("reply:1", "reply:2", "library"):
        tasks.start(key, told.work(key))
    await asyncio.sleep(0)
    await tasks.close("reply:")
    assert tasks.keys() == ["library"]
    await tasks.close()


async def test_a_task_that_is_cancelled_before_it_began_comes_to_its_finally() -> None:
    told, tasks = Told(), Tasks()
    tasks.start("a", told.work("a"))
    tasks.cancel("a")
    await tasks.close()
    assert told.words == ["a began", "a ended"]


async def test_closing_also_ends_what_a_finally_starts() -> None:
    told, tasks = Told(), Tasks()

    async def begets() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            tasks.start("child", told.work("child"))

    tasks.start("parent", begets())
    await asyncio.sleep(0)
    await tasks.close()
    assert told.words == ["child began", "child ended"]


async def test_a_task_may_close_the_others_and_live() -> None:
    told, tasks = Told(), Tasks()

    async def closer() -> str:
        await tasks.close()
        return "done"

    tasks.start("other", told.work("other"))
    assert await tasks.start("closer", closer()) == "done"
    assert told.words == ["other began", "other ended"]


async def test_a_failure_is_told_with_its_key_and_logged(log_watch) -> None:
    log_watch.expect("task sums failed")
    tasks, failed = Tasks(), []
    tasks.failed.connect(lambda key, error: failed.append((key, error)))

    async def wrong() -> float:
        return 1 / 0

    task = tasks.start("sums", wrong())
    with pytest.raises(ZeroDivisionError):
        await task
    await asyncio.sleep(0)
    [(key, error)] = failed
    assert key == "sums"
    assert isinstance(error, ZeroDivisionError)
    assert not tasks.running("sums")


async def test_a_failure_behind_a_signal_is_told_as_it_is_and_without_anyones_variables(log_watch) -> None:
    class Speaker:
        said = Signal()

    def listener() -> None:
        private = "what a person wrote"
        raise KeyError(len(private))

    log_watch.expect("task signal failed")
    tasks, failed, speaker = Tasks(), [], Speaker()
    tasks.failed.connect(lambda _, error: failed.append(error))
    speaker.said.connect(listener)

    async def speak() -> None:
        speaker.said.emit()

    await asyncio.wait([tasks.start("signal", speak())])
    await asyncio.sleep(0)
    assert [type(e) for e in failed] == [KeyError]
    assert not any("what a person wrote" in line.partition("Traceback")[0] for line in log_watch.seen)
    assert not any("Local variables" in line for line in log_watch.seen)


async def test_a_failure_while_closing_is_told_too(log_watch) -> None:
    log_watch.expect("task last failed")
    tasks, failed = Tasks(), []
    tasks.failed.connect(lambda key, _: failed.append(key))

    async def breaks_at_the_end() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            raise RuntimeError("in the finally")

    tasks.start("last", breaks_at_the_end())
    await asyncio.sleep(0)
    await tasks.close()
    await asyncio.sleep(0)
    assert failed == ["last"]


async def test_a_cancel_is_no_failure_and_an_unknown_key_is_none() -> None:
    told, tasks, failed = Told(), Tasks(), []
    tasks.failed.connect(lambda key, _: failed.append(key))
    tasks.start("a", told.work("a"))
    await asyncio.sleep(0)
    assert tasks.cancel("a")
    assert not tasks.cancel("a")
    assert not tasks.cancel("never")
    await tasks.close()
    assert failed == []


async def test_closing_in_the_moment_when_a_task_has_ended() -> None:
    async def short() -> None:
        pass

    tasks = Tasks()
    task = tasks.start("a", short())
    tasks.cancel("a")
    await asyncio.sleep(0)
    assert task.done()
    await tasks.close()
    await tasks.ended("a")
    assert not tasks.running("a")


async def test_what_goes_to_the_end_is_not_broken_off() -> None:
    told, tasks = Told(), Tasks()

    async def ending() -> None:
        told.words.append("writing")
        await asyncio.sleep(0.05)
        told.words.append("written")

    async def work() -> None:
        await tasks.to_the_end(ending())
        told.words.append("never said")

    tasks.start("a", work())
    await asyncio.sleep(0.01)
    tasks.cancel("a")
    await tasks.ended("a")
    assert told.words == ["writing", "written"]
    await tasks.close()


async def test_a_failure_of_what_goes_to_the_end_is_told(log_watch) -> None:
    log_watch.expect("task a failed")
    tasks = Tasks()

    async def ending() -> None:
        await asyncio.sleep(0.02)
        raise OSError("the disk is gone")

    for cancelled in (True, False):
        tasks.start("a", tasks.to_the_end(ending()))
        await asyncio.sleep(0.01)
        if cancelled:
            tasks.cancel("a")
        await tasks.ended("a")
        await tasks.close()
    assert len(log_watch.seen) == 2
