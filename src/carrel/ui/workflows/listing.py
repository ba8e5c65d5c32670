"""The list of workflows: asked for page by page, searched by the service, paged by what its reply says."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from carrel.model import ServiceError, Workflow, WorkflowPage, WorkflowQuery
from carrel.ui.presenter import Presenter
from carrel.ui.widgets.itemlist import Item
from carrel.ui.workflows.pane import WorkflowsPane


class Listing(QObject):
    """`chosen` gives the workflow that a person picked."""

    chosen = Signal(object)

    def __init__(self, presenter: Presenter, pane: WorkflowsPane) -> None:
        super().__init__(pane)
        self._presenter, self._pane = presenter, pane
        self._workflows = presenter.session.workflows
        self._found: dict[str, Workflow] = {}
        self._query = WorkflowQuery(page=1)
        self._has_said = False
        pane.workflow_chosen.connect(lambda group_id: self.chosen.emit(self._found[group_id]))
        pane.searched.connect(self._search)
        pane.page_asked.connect(self._turn)

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been listed yet."""
        return not self._found

    def load(self) -> None:
        """Ask for the page that is wanted."""
        self._pane.say_list(self.tr("Loading…"))
        self._presenter.start("workflows.list", self._list(self._query))

    def _search(self, text: str) -> None:
        self._query = WorkflowQuery(page=1, search=text) if text else WorkflowQuery(page=1)
        self.load()

    def _turn(self, step: int) -> None:
        self._query = self._query.model_copy(update={"page": max(1, self._query.page + step)})
        self.load()

    async def _list(self, query: WorkflowQuery) -> None:
        try:
            await self._workflows.learn()
            page, ignored = await self._workflows.page(query)
        except ServiceError as error:
            self._pane.say_list("")
            self._pane.list_note.say_error(error, (("reload", self.tr("Try again")),))
            return
        self._pane.list_note.hide()
        self._show(page)
        if ignored and not self._has_said:
            self._has_said = True
            self._say_paging(page)

    def _show(self, page: WorkflowPage) -> None:
        told = page.pagination
        self._found = {workflow.group_id: workflow for workflow in page.data}
        self._query = self._query.model_copy(update={"page": told.current_page})
        self._pane.show_list([_item(w) for w in self._found.values()], told.current_page, told.total_pages)

    def _say_paging(self, page: WorkflowPage) -> None:
        words = self.tr("The service pages in its own way: this is page {page}, with {size} a page.")
        told = page.pagination
        self._pane.list_note.say("info", "", words.format(page=told.current_page, size=told.page_size))


def _item(workflow: Workflow) -> Item:
    version = "" if workflow.version is None else f"v{workflow.version}"
    return Item(workflow.group_id, workflow.title or workflow.group_id, workflow.description, note=version)
