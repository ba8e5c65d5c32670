"""What the benches of the built-in service share: its memory and processor time, and how a figure is told."""

import re
from pathlib import Path

from running import RunningService


def memory(service: RunningService, field: str = "VmRSS") -> float:
    """Megabytes of the service's process, now or (VmHWM) at its highest."""
    status = Path(f"/proc/{service.process.pid}/status").read_text()
    found = re.search(rf"{field}:\s+(\d+)", status)
    assert found
    return int(found[1]) / 1000


def processor_time(service: RunningService) -> float:
    """Seconds of processor time that the process has used."""
    fields = Path(f"/proc/{service.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def say(part: str, told: str) -> None:
    """One line of the report."""
    print(f"{part:<9} {told}", flush=True)
