"""How long and how much: every limit of the wire in one frozen value, so that a test can shorten it."""

from __future__ import annotations

from dataclasses import dataclass

MB = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds and bytes. The figures are those of the design's reliability rules.

    `connect` bounds the way to a connection, TLS included; `answer` a short call's wait for its next byte; `idle` that
    of a stream, and `quiet` is when a stream's silence is told; `write` that of a transfer, and `taken` what a service
    may need to take a whole upload in; `agent_grace` is added to an agent's own limit.
    `body` is the most of an answer that is no stream, unpacked, and `event` the most of one event of a stream.
    `again` is how often a read is repeated, `refusals` how often a 429 is waited out, `longest_wait` the longest
    single wait for a 429 that is believed. The first pause before a repeat is `backoff`, before that of a 429 that
    says no time `refused_backoff`; each further one doubles, up to `most_backoff`.
    `keepalive` are TCP's: seconds of silence before the first probe, seconds between two, and how many go unanswered.
    `chunk` is what is read of a file at once while it is uploaded, `progress` the least time between two tellings of
    it, `breath` the longest that a stream's events keep the loop to themselves.
    """

    connect: float = 10.0
    answer: float = 30.0
    write: float = 60.0
    taken: float = 300.0
    idle: float = 90.0
    quiet: float = 15.0
    agent_grace: float = 60.0
    body: int = 32 * MB
    event: int = 4 * MB
    again: int = 2
    backoff: float = 0.5
    refusals: int = 4
    refused_backoff: float = 1.0
    most_backoff: float = 30.0
    longest_wait: float = 120.0
    keepalive: tuple[int, int, int] = (20, 10, 3)
    chunk: int = MB
    progress: float = 0.05
    breath: float = 0.004
    told: int = 64 * 1024
    """Characters of a body that an `Exchange` keeps."""


DEFAULT = Limits()
