"""The form of a new agent run."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from zoneinfo import available_timezones

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QCompleter, QGridLayout, QLineEdit, QPlainTextEdit, QWidget

from carrel.model import AgentRequest, Model
from carrel.ui.presenter import Document
from carrel.ui.theme import theme
from carrel.ui.widgets.choice import Choice, Number
from carrel.ui.widgets.codeview import CodeView
from carrel.ui.widgets.controls import Switch, column, label, named, restyle, row
from carrel.ui.widgets.flow import ChipRow
from carrel.work.agents import LONGEST


@dataclass(frozen=True, slots=True)
class Filled:
    """What the form holds: fields of an `AgentRequest` as typed, the names of its files, and what is wrong by field."""

    fields: dict[str, Any]
    documents: dict[str, str]
    wrong: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Written:
    """All that stands in the form, also where it could not be sent."""

    prompt: str = ""
    agent: str = ""
    model: str | None = None
    zone: str = ""
    limit: int = 600
    redact: bool = False
    extra: str = ""
    documents: tuple[tuple[str, str], ...] = ()


class RunForm(QWidget):
    """Prompt first, the rest below; `files_asked` wants the library's picker, `run_asked` is Ctrl+Enter."""

    files_asked = Signal()
    run_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        named(self, "agents.form", self.tr("New run"))
        self._documents: dict[str, str] = {}
        self._is_locked = self._redacts = False
        self._build()
        self._lay_out()
        self._began = self.written()
        self._files.asked.connect(self.files_asked)
        self._files.removed.connect(self._drop)

    def fill(self, request: AgentRequest | None, documents: dict[str, str], zone: str) -> None:
        """Begin anew, or with what a former run was asked; `zone` is that of this computer."""
        if request is None:
            begun = Written(zone=zone)
        else:
            extra = dict(request.additional_metadata or {})
            begun = Written(
                prompt=request.prompt,
                agent=request.agent_id or "",
                model=request.model,
                zone=request.user_timezone or zone,
                limit=request.timeout_seconds,
                redact=extra.pop("redact_pii", False) is True,
                extra=json.dumps(extra, indent=2, ensure_ascii=False) if extra else "",
                documents=tuple(documents.items()),
            )
        self.put(begun)
        self._began = self.written()

    def put(self, written: Written) -> None:
        """Set everything to what once stood there."""
        self.prompt.setPlainText(written.prompt)
        self._agent.setText(written.agent)
        self._zone.setText(written.zone)
        self._limit.setValue(written.limit)
        self._show_redaction(written.redact)
        self._extra.show_code(written.extra)
        self._choose(written.model)
        self._documents = dict(written.documents)
        self._files.show_chips(self._documents)
        self.mark({})

    def written(self) -> Written:
        """What stands there by now."""
        return Written(
            prompt=self.prompt.toPlainText(),
            agent=self._agent.text(),
            model=self._model.currentData(),
            zone=self._zone.text(),
            limit=self._limit.value(),
            redact=self._wished_redaction(),
            extra=self._extra.toPlainText(),
            documents=tuple(self._documents.items()),
        )

    @property
    def is_touched(self) -> bool:
        """Whether something was written since `fill`, and not sent."""
        return self.written() != self._began

    def show_models(self, models: Sequence[Model]) -> None:
        """Offer these beside the service's own choice."""
        chosen = self._model.currentData()
        self._model.clear()
        self._model.addItem(self.tr("Service default"), None)
        for model in models:
            words = model.label if model.is_available else self.tr("{model} (not available)").format(model=model.label)
            self._model.addItem(words, model.id)
        self._choose(chosen)

    def lock_redaction(self, locked: bool) -> None:
        """Where redaction is the account's rule, nobody can switch it off here."""
        wished = self._wished_redaction()
        self._is_locked = locked
        self._show_redaction(wished)

    def add(self, documents: Sequence[Document]) -> None:
        """Add files of the library."""
        self._documents |= {d.id: d.name for d in documents}
        self._files.show_chips(self._documents)

    def filled(self) -> Filled:
        """What the form holds by now."""
        wrong: dict[str, str] = {}
        fields: dict[str, Any] = {
            "prompt": self.prompt.toPlainText(),
            "agent_id": self._agent.text().strip() or None,
            "model": self._model.currentData(),
            "document_ids": tuple(self._documents) or None,
            "user_timezone": self._zone.text().strip() or None,
            "timeout_seconds": self._limit.value(),
            "additional_metadata": self._metadata(wrong) or None,
        }
        return Filled({k: v for k, v in fields.items() if v is not None}, dict(self._documents), wrong)

    def mark(self, wrong: dict[str, str]) -> None:
        """Show which fields are wrong."""
        marked = {
            "prompt": self.prompt,
            "user_timezone": self._zone,
            "agent_id": self._agent,
            "additional_metadata": self._extra,
        }
        for name, widget in marked.items():
            if bool(widget.property("wrong")) != (name in wrong):
                widget.setProperty("wrong", name in wrong)
                restyle(widget)
        first = next((marked[name] for name in marked if name in wrong), None)
        if first is not None:
            first.setFocus()

    def _metadata(self, wrong: dict[str, str]) -> dict[str, Any]:
        text = self._extra.toPlainText().strip()
        try:
            extra = json.loads(text) if text else {}
            if not isinstance(extra, dict):
                wrong["additional_metadata"] = self.tr("More data must be a JSON object, in braces.")
                extra = {}
        except (ValueError, RecursionError) as error:
            wrong["additional_metadata"] = self.tr("More data is not JSON: {why}.").format(why=error)
            extra = {}
        return extra | ({"redact_pii": True} if self._redact.isChecked() else {})

    def _wished_redaction(self) -> bool:
        """What a person chose here, whatever the account's rule makes of it."""
        return self._redacts if self._is_locked else self._redact.isChecked()

    def _show_redaction(self, wished: bool) -> None:
        self._redacts = wished
        self._redact.setEnabled(not self._is_locked)
        self._redact.setChecked(self._is_locked or wished)
        words = self.tr("Redact personal data, as this account always does")
        self._redact.setText(words if self._is_locked else self.tr("Redact personal data"))
        self._redact.setToolTip(self.tr("This account always redacts: Settings, Accounts") if self._is_locked else "")

    def _build(self) -> None:
        self.prompt = QPlainTextEdit()
        named(self.prompt, "agents.prompt", self.tr("Prompt"))
        self.prompt.setPlaceholderText(self.tr("What shall the agent do? It works on its own and makes files."))
        self.prompt.setProperty("look", "field")
        self.prompt.setTabChangesFocus(True)
        theme.keep(self.prompt, lambda: self.prompt.setFixedHeight(theme.px(140)))
        send = QShortcut(QKeySequence("Ctrl+Return"), self.prompt, context=Qt.ShortcutContext.WidgetShortcut)
        send.activated.connect(self.run_asked)
        self._files = ChipRow("agents.file", self.tr("Add from library"))
        self._agent = QLineEdit()
        named(self._agent, "agents.agent", self.tr("Agent id"))
        self._agent.setPlaceholderText(self.tr("Default agent"))
        self._model = Choice("agents.model", self.tr("Model"))
        self._model.addItem(self.tr("Service default"), None)
        self._zone = QLineEdit()
        named(self._zone, "agents.zone", self.tr("Time zone"))
        zones = QCompleter(sorted(available_timezones()), self._zone)
        zones.setFilterMode(Qt.MatchFlag.MatchContains)
        zones.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._zone.setCompleter(zones)
        self._limit = Number("agents.limit", self.tr("Stop after, in seconds"), 1, LONGEST)
        self._limit.setSingleStep(60)
        self._limit.setSuffix(self.tr(" s"))
        self._redact = Switch(self.tr("Redact personal data"), "agents.redact")
        self._extra = CodeView("agents.extra", self.tr("More data, as JSON"), editable=True)
        theme.keep(self._extra, lambda: self._extra.setFixedHeight(theme.px(84)))
        self._extra.setPlaceholderText('{"key": "value"}')

    def _lay_out(self) -> None:
        pairs = QWidget()
        grid = QGridLayout(pairs)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(10)
        grid.addLayout(_field(self.tr("Agent id"), self._agent), 0, 0)
        grid.addLayout(_field(self.tr("Model"), self._model), 0, 1)
        grid.addLayout(_field(self.tr("Time zone"), self._zone), 1, 0)
        grid.addLayout(_field(self.tr("Stop after (at most 30 minutes)"), self._limit), 1, 1)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        self.setLayout(
            column(
                _field(self.tr("Prompt"), self.prompt),
                _field(self.tr("Files to work on; without any, the agent looks in the library"), self._files),
                pairs,
                row(self._redact, 1),
                _field(self.tr("More data for the model, as JSON (additional_metadata)"), self._extra),
                1,
                spacing=14,
            )
        )

    def _choose(self, model_id: str | None) -> None:
        place = self._model.findData(model_id)
        if place < 0 and model_id:
            self._model.addItem(model_id, model_id)
            place = self._model.count() - 1
        self._model.setCurrentIndex(max(0, place))

    def _drop(self, file_id: str) -> None:
        self._documents.pop(file_id, None)
        self._files.show_chips(self._documents)


def _field(words: str, widget: QWidget) -> object:
    return column(label(words, "field", wrap=True), widget, spacing=4)
