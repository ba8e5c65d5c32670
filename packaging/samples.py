"""Makes the sample documents that are not plain text, out of the sources in packaging/samples/.

The plain ones (Markdown, CSV, SQL and the like) lie in resources/samples as they are. A second run writes the
same bytes: dates, identifiers and the order of archive members are fixed.

    python packaging/samples.py [FOLDER]
"""

import sys
from collections.abc import Callable
from pathlib import Path

import sample_office
import sample_pages
import sample_pictures
import sample_sheets
import sample_zip

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "samples"
DESTINATION = HERE.parent / "resources" / "samples"

# Where each document goes, what makes it, and the source it is made of.
DOCUMENTS: list[tuple[str, Callable[[Path], bytes], str]] = [
    ("Board/board-slides-october.pptx", sample_office.slides, "board-slides-october.md"),
    ("Compliance/policies.zip", sample_zip.folder, "policies"),
    ("Contracts/Property/harbour-lease.pdf", sample_pages.pdf, "harbour-lease.md"),
    ("Contracts/Property/landlord-correspondence.docx", sample_office.letter, "landlord-correspondence.md"),
    ("Contracts/Property/floor-plan.png", sample_pictures.floor_plan, "floor-plan.csv"),
    ("Contracts/Property/site-photo-04.webp", sample_pictures.site_photo, "site-photo-04.txt"),
    ("Contracts/Suppliers/supplier-quote-acme.docx", sample_office.letter, "supplier-quote-acme.md"),
    ("Contracts/Suppliers/supplier-quote-brill.docx", sample_office.letter, "supplier-quote-brill.md"),
    ("Finance/revenue-2026-q3.xlsx", sample_sheets.revenue, "revenue.csv"),
    ("Finance/budget-2026.xls", sample_sheets.budget, "budget.csv"),
    ("HR/handbook-2026.pdf", sample_pages.pdf, "handbook-2026.md"),
]


def make(destination: Path) -> list[Path]:
    """Write every made document under `destination` and return their paths."""
    paths = []
    for name, maker, source in DOCUMENTS:
        path = destination / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(maker(SOURCES / source))
        paths.append(path)
    return paths


if __name__ == "__main__":
    for made in make(Path(sys.argv[1]) if len(sys.argv) > 1 else DESTINATION):
        print(f"{made.stat().st_size:>8} {made}")
