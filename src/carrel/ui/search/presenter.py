"""Joins the search pane to the session: asks, shows what was found, takes hits into a chat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import ValidationError
from PySide6.QtCore import QLocale, QObject

from carrel.model import SearchHit, SearchQuery, ServiceError
from carrel.ui.amounts import took
from carrel.ui.presenter import AskAbout, Document, Presenter
from carrel.ui.search.pane import SearchPane
from carrel.ui.search.results import Card
from carrel.work.search import Found, Place

if TYPE_CHECKING:
    from carrel.ui.shell import Shell
    from carrel.work.session import Session

QUOTE = 4_000
"""Characters of the passages that go into a chat as a quotation."""


class SearchPresenter(Presenter, QObject):
    """One search at a time; a new one takes the place of the former."""

    def __init__(self, session: Session, shell: Shell) -> None:
        QObject.__init__(self)
        Presenter.__init__(self, session, shell)
        self.pane = SearchPane()
        self._search = session.search
        self._found: Found | None = None
        self._recent: list[SearchQuery] = []
        self._connect()
        self._show_recent()
        if not self._search.has_options:
            self.pane.show_options(self.tr("This account’s interface takes only the words; the ranking is its own."))

    def shown(self) -> None:
        self.pane.focus_query()

    def new(self) -> None:
        self._found = None
        self.pane.query.clear()
        self.pane.note.hide()
        self.pane.show_empty("start")
        self.pane.focus_query()

    def find(self) -> None:
        self.pane.focus_query()

    def _connect(self) -> None:
        self.pane.asked.connect(self._ask)
        self.pane.options_changed.connect(self._options_changed)
        self.pane.recent_chosen.connect(self._ask_again)
        self.pane.forget_asked.connect(lambda: self.start("search.forget", self._search.forget()))
        self.pane.about_asked.connect(self._about)
        self.pane.acted.connect(self._acted)
        self.hear(self._search.remembered, self._show_recent)

    def _ask(self, words: str) -> None:
        try:
            query = SearchQuery(keyword=words, **self._options())
        except ValidationError:
            self.pane.note.say("warn", self.tr("Nothing to search for"), self.tr("Type a word or a question first."))
            self.pane.focus_query()
            return
        self.pane.show_going()
        self.start("search", self._run(query))

    async def _run(self, query: SearchQuery) -> None:
        try:
            found = await self._search.search(query)
        except ServiceError as error:
            self._say_former()
            self.pane.note.say_error(error, (("again", self.tr("Try again")),))
            return
        self._found = found
        if not found.hits:
            self.pane.show_empty("nothing", self._what_may_help(query))
            return
        self.pane.show_results(self._cards(found), self._status(found))
        if await self._search.locate(found.hits):
            self.pane.results.change(self._cards(found))

    def _say_former(self) -> None:
        """The search has failed: what was found before stays, and it is said for which words that was."""
        if self._found is not None and self._found.hits:
            told = self.tr("{results} from before, for “{words}”")
            self.pane.say_status(told.format(results=self._count(self._found), words=self._found.query.keyword))
        else:
            self.pane.show_empty("start")

    def _options(self) -> dict[str, object]:
        return self.pane.options.values() if self._search.has_options else {}

    def _options_changed(self) -> None:
        if self._found is not None and self.pane.words.strip():
            self._ask(self.pane.words)

    def _ask_again(self, number: int) -> None:
        self.pane.show_query(self._recent[number])
        self._ask(self._recent[number].keyword)

    def _acted(self, key: str) -> None:
        self.pane.focus_query()  # what was pressed goes
        if key == "wider":
            self.pane.options.show_query(SearchQuery(keyword="wider", relative_threshold=0.3, bm25_weight=0.5))
        self._ask(self.pane.words)

    def _show_recent(self) -> None:
        self._recent = self._search.recent()
        self.pane.show_recent([query.keyword for query in self._recent])

    def _cards(self, found: Found) -> list[Card]:
        best, places = max(hit.score for hit in found.hits), self._search.places(found.hits)
        return [self._card(hit, found.query.keyword, places.get(hit.id), best) for hit in found.hits]

    def _card(self, hit: SearchHit, words: str, place: Place | None, best: float) -> Card:
        where = " / ".join(place.folder.split("/")) if place and place.folder else self._kind(hit, place is not None)
        share = min(1.0, max(0.0, hit.score / best)) if best > 0 else 0.0
        score = QLocale().toString(hit.score, "f", 2)
        title = hit.title or (place.name if place else "") or self.tr("Untitled")
        return Card(title, where, hit.content, words, score, share)

    def _kind(self, hit: SearchHit, is_known: bool) -> str:
        if is_known:
            return ""
        words = {"workflow": self.tr("Workflow"), "conversation": self.tr("Chat"), "library": "", "file": ""}
        return words.get(hit.type, hit.type)

    def _status(self, found: Found) -> str:
        return self.tr("{results} in {time}").format(results=self._count(found), time=took(found.took))

    def _count(self, found: Found) -> str:
        count = len(found.hits)
        return self.tr("1 result") if count == 1 else self.tr("{n} results").format(n=count)

    def _what_may_help(self, query: SearchQuery) -> str:
        if query.types is not None or query.relative_threshold > 0.3:
            return self.tr("Try other words, look in all kinds, or keep weaker results too.")
        return ""

    def _about(self, numbers: list[int]) -> None:
        """Take hits into a chat: files of the library as documents, and the passages as a quotation."""
        if self._found is not None:
            self.start("search.about", self._take_along([self._found.hits[n] for n in numbers]))

    async def _take_along(self, hits: list[SearchHit]) -> None:
        places = await self._search.resolve(hits)
        documents = {h.id: Document(h.id, places[h.id].name) for h in hits if h.id in places}
        unknown = [h.title or h.id for h in hits if h.id not in places]
        note = ""
        if unknown:
            note = self.tr("Only the passage came along, not the whole document: {names}.").format(
                names=", ".join(dict.fromkeys(unknown))
            )
        self.shell.go("chat", AskAbout(tuple(documents.values()), quote_of(hits), note))


def quote_of(hits: list[SearchHit]) -> str:
    """The passages, each under its title, cut to what a message can bear."""
    room = QUOTE // max(1, len(hits))
    return "\n\n".join(f"{hit.title}:\n{hit.content.strip()[:room]}" for hit in hits)
