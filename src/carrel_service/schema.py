"""Collects every module's tables, in the order in which they are made; a change is a new entry at the end."""

from . import conversation_store, files, library, passage_rows, workflow_runs
from .redaction import tokens

MIGRATIONS: tuple[tuple[str, str], ...] = (
    ("library 1", library.SCHEMA),
    ("index 1", passage_rows.SCHEMA),
    ("files 1", files.SCHEMA),
    ("conversations 1", conversation_store.SCHEMA),
    ("workflow runs 1", workflow_runs.SCHEMA),
    ("redaction 1", tokens.SCHEMA),
)
