"""The tables, as a row of migrations: what stands here is never changed, only added to."""

from __future__ import annotations

FIRST = """
CREATE TABLE chats (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    conversation_id TEXT NOT NULL DEFAULT '',
    branch INTEGER NOT NULL DEFAULT 0,
    title TEXT NOT NULL DEFAULT '',
    snippet TEXT NOT NULL DEFAULT '',
    draft TEXT NOT NULL DEFAULT '{}',
    created_at REAL NOT NULL,
    updated_at REAL NOT NULL,
    pinned INTEGER NOT NULL DEFAULT 0,
    archived INTEGER NOT NULL DEFAULT 0,
    unread INTEGER NOT NULL DEFAULT 0,
    deleted_at REAL
);
CREATE INDEX chats_by_time ON chats (account, updated_at DESC);

-- One turn is a person's message and its replies; a regenerated reply is a further version in the same turn.
-- `number` is what the index of words knows a message by. `pair` marks the two replies of a comparison: open while
-- nobody has decided, then kept and other. `in_front` marks the version that a person turned back to; where none is
-- marked, the newest is in front.
CREATE TABLE messages (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    chat_id TEXT NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    branch INTEGER NOT NULL DEFAULT 0,
    turn INTEGER NOT NULL,
    version INTEGER NOT NULL DEFAULT 1,
    pair TEXT NOT NULL DEFAULT '',
    in_front INTEGER NOT NULL DEFAULT 0,
    role TEXT NOT NULL,
    text TEXT NOT NULL DEFAULT '',
    thinking TEXT NOT NULL DEFAULT '',
    state TEXT NOT NULL DEFAULT '',
    request TEXT NOT NULL DEFAULT '{}',
    reply TEXT NOT NULL DEFAULT '{}',
    created_at REAL NOT NULL,
    UNIQUE (chat_id, branch, turn, role, version)
);
CREATE INDEX compared ON messages (chat_id) WHERE pair <> '';
CREATE INDEX redacted ON messages (chat_id) WHERE instr(request, '"redact_pii":true');

-- A message that was edited and sent again begins a branch: a conversation of its own from that turn on.
CREATE TABLE branches (
    chat_id TEXT NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    parent INTEGER,
    from_turn INTEGER NOT NULL DEFAULT 1,
    conversation_id TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (chat_id, number)
) WITHOUT ROWID;

-- What a stream said, as it came: one row a batch, one JSON line an event.
CREATE TABLE journal (
    message_id TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    batch INTEGER NOT NULL,
    events TEXT NOT NULL,
    PRIMARY KEY (message_id, batch)
) WITHOUT ROWID;

-- Messages that wait until the reply before them has ended.
CREATE TABLE waiting (
    id TEXT PRIMARY KEY,
    chat_id TEXT NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    draft TEXT NOT NULL
);
CREATE INDEX waiting_by_chat ON waiting (chat_id, position);

-- What is typed into a chat that has no row yet.
CREATE TABLE new_drafts (
    account TEXT PRIMARY KEY,
    draft TEXT NOT NULL
) WITHOUT ROWID;

-- What a service's own description told, beyond the document.
CREATE TABLE learned (
    account TEXT PRIMARY KEY,
    learned TEXT NOT NULL,
    read_at REAL NOT NULL
) WITHOUT ROWID;

CREATE TABLE styles (
    account TEXT NOT NULL,
    name TEXT NOT NULL,
    preferences TEXT NOT NULL,
    PRIMARY KEY (account, name)
) WITHOUT ROWID;

CREATE TABLE prompts (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    saved_at REAL NOT NULL
);

CREATE TABLE agent_runs (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    account TEXT NOT NULL,
    title TEXT NOT NULL DEFAULT '',
    request TEXT NOT NULL,
    documents TEXT NOT NULL DEFAULT '{}',
    state TEXT NOT NULL,
    result TEXT,
    error TEXT,
    started_at REAL NOT NULL,
    ended_at REAL
);
CREATE INDEX agent_runs_by_time ON agent_runs (account, started_at DESC);

CREATE TABLE workflow_runs (
    account TEXT NOT NULL,
    run_id TEXT NOT NULL,
    group_id TEXT NOT NULL,
    title TEXT NOT NULL DEFAULT '',
    version INTEGER,
    request TEXT NOT NULL,
    state TEXT NOT NULL,
    answer TEXT,
    error TEXT,
    created_at REAL NOT NULL,
    learned_at REAL,
    PRIMARY KEY (account, run_id)
);
CREATE INDEX workflow_runs_by_group ON workflow_runs (account, group_id, created_at DESC);

CREATE TABLE workflow_forms (
    account TEXT NOT NULL,
    group_id TEXT NOT NULL,
    form TEXT NOT NULL,
    version INTEGER,
    workflow_id TEXT NOT NULL DEFAULT '',
    first_step_id TEXT NOT NULL DEFAULT '',
    saved_at REAL NOT NULL,
    PRIMARY KEY (account, group_id)
);

CREATE TABLE transfers (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    direction TEXT NOT NULL,
    name TEXT NOT NULL,
    folder TEXT NOT NULL DEFAULT '',
    path TEXT NOT NULL,
    url TEXT NOT NULL DEFAULT '',
    size INTEGER,
    moved INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL,
    file_id TEXT NOT NULL DEFAULT '',
    origin TEXT NOT NULL DEFAULT '',
    error TEXT NOT NULL DEFAULT '',
    note TEXT NOT NULL DEFAULT '',
    position REAL NOT NULL,
    created_at REAL NOT NULL,
    ended_at REAL,
    replaces INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX transfers_by_state ON transfers (account, direction, state, position);

-- What was uploaded from here, by its SHA-256: it outlives the rows that a person clears.
CREATE TABLE contents (
    account TEXT NOT NULL,
    digest TEXT NOT NULL,
    size INTEGER NOT NULL,
    name TEXT NOT NULL,
    file_id TEXT NOT NULL DEFAULT '',
    uploaded_at REAL NOT NULL,
    PRIMARY KEY (account, digest)
) WITHOUT ROWID;
CREATE INDEX contents_by_size ON contents (account, size);

-- Where a file lies that was downloaded, by who asked for it: it outlives the rows that a person clears.
CREATE TABLE fetched (
    account TEXT NOT NULL,
    origin TEXT NOT NULL,
    path TEXT NOT NULL,
    PRIMARY KEY (account, origin)
) WITHOUT ROWID;

-- The library's mirror: what the service has listed so far; `file` is the whole item as JSON.
CREATE TABLE files (
    account TEXT NOT NULL,
    id TEXT NOT NULL,
    file_name TEXT NOT NULL,
    folder TEXT NOT NULL DEFAULT '',
    provider TEXT NOT NULL DEFAULT '',
    state TEXT NOT NULL DEFAULT '',
    is_shared INTEGER NOT NULL DEFAULT 0,
    added REAL NOT NULL DEFAULT 0,
    file TEXT NOT NULL,
    seen_at REAL NOT NULL,
    PRIMARY KEY (account, id)
);
CREATE INDEX files_by_time ON files (account, added DESC);

-- How far the walk through the whole listing has come; one row an account.
CREATE TABLE library_walks (
    account TEXT PRIMARY KEY,
    started_at REAL NOT NULL,
    page INTEGER NOT NULL,
    total INTEGER NOT NULL,
    ended_at REAL
) WITHOUT ROWID;

CREATE TABLE searches (
    account TEXT NOT NULL,
    keyword TEXT NOT NULL,
    query TEXT NOT NULL,
    searched_at REAL NOT NULL,
    PRIMARY KEY (account, keyword)
) WITHOUT ROWID;
"""

WORDS = """
-- All that was said and thought in chats, word by word. The texts themselves stay in their own tables.
CREATE VIRTUAL TABLE message_words USING fts5 (
    text, thinking, content = 'messages', content_rowid = 'number', tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TRIGGER message_words_added AFTER INSERT ON messages BEGIN
    INSERT INTO message_words (rowid, text, thinking) VALUES (new.number, new.text, new.thinking);
END;
CREATE TRIGGER message_words_changed AFTER UPDATE OF text, thinking ON messages BEGIN
    INSERT INTO message_words (message_words, rowid, text, thinking)
    VALUES ('delete', old.number, old.text, old.thinking);
    INSERT INTO message_words (rowid, text, thinking) VALUES (new.number, new.text, new.thinking);
END;
CREATE TRIGGER message_words_gone AFTER DELETE ON messages BEGIN
    INSERT INTO message_words (message_words, rowid, text, thinking)
    VALUES ('delete', old.number, old.text, old.thinking);
END;

-- What agents were asked and what they gave.
CREATE VIEW run_texts AS SELECT number, coalesce(json_extract(request, '$.prompt'), '') AS prompt,
    coalesce(json_extract(result, '$.output'), '') AS output FROM agent_runs;
CREATE VIRTUAL TABLE run_words USING fts5 (
    prompt, output, content = 'run_texts', content_rowid = 'number', tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TRIGGER run_words_added AFTER INSERT ON agent_runs BEGIN
    INSERT INTO run_words (rowid, prompt, output) SELECT number, prompt, output FROM run_texts
    WHERE number = new.number;
END;
CREATE TRIGGER run_words_changed BEFORE UPDATE OF request, result ON agent_runs BEGIN
    INSERT INTO run_words (run_words, rowid, prompt, output) SELECT 'delete', number, prompt, output FROM run_texts
    WHERE number = old.number;
END;
CREATE TRIGGER run_words_changed_to AFTER UPDATE OF request, result ON agent_runs BEGIN
    INSERT INTO run_words (rowid, prompt, output) SELECT number, prompt, output FROM run_texts
    WHERE number = new.number;
END;
CREATE TRIGGER run_words_gone BEFORE DELETE ON agent_runs BEGIN
    INSERT INTO run_words (run_words, rowid, prompt, output) SELECT 'delete', number, prompt, output FROM run_texts
    WHERE number = old.number;
END;
"""

MIGRATIONS = (FIRST + WORDS,)
