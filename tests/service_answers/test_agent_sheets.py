"""A table that an agent writes: numbers are numbers where nothing of them is lost, all else is words."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from openpyxl import load_workbook

from carrel_service.agent_tools import Tools
from carrel_service.context import Service, open_service
from carrel_service.settings import Settings
from carrel_service.turn import Turn

WORDS = ["00123", "0049301234", "1_000", "nan", "inf", "1E5", "+5", "--5", "5.", ".5", "1,000", "12345678901234567890"]
NUMBERS = ["0", "-7", "12", "0.5", "-3.25", "1200.50", " 84000 ", "123456789012345"]


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    made = open_service(tmp_path, "http://127.0.0.1:1", Settings(tmp_path))
    yield made
    made.close()


@pytest.mark.parametrize("cell", [*WORDS, *NUMBERS])
async def test_nothing_is_lost_of_what_the_agent_wrote(cell: str, service: Service) -> None:
    tools = Tools(service, Turn("Write a table."))
    await tools.write_file("parts.xlsx", f'"Part","No"\n"Housing","{cell}"\n')
    file_id = tools.files[0]["url"].split("/")[-2]
    path, _ = service.files.find(service.account, file_id)
    value = load_workbook(io.BytesIO(path.read_bytes())).active["B2"].value
    assert value == (cell if cell in WORDS else float(cell))


async def test_a_formula_stays_words(service: Service) -> None:
    tools = Tools(service, Turn("Write a table."))
    await tools.write_file("parts.xlsx", "=1+1\n")
    path, _ = service.files.find(service.account, tools.files[0]["url"].split("/")[-2])
    cell = load_workbook(io.BytesIO(path.read_bytes())).active["A1"]
    assert (cell.data_type, cell.value) == ("s", "'=1+1")
