"""Writing results into Markdown pages, between two comments."""

from __future__ import annotations

from pathlib import Path


def replace_between(page: Path, name: str, text: str) -> None:
    """Put text between ``<!-- name: start -->`` and ``<!-- name: end -->``."""
    start, end = f"<!-- {name}: start -->", f"<!-- {name}: end -->"
    before, found, following = page.read_text(encoding="utf-8").partition(start)
    _, found_end, after = following.partition(end)
    if not (found and found_end):
        raise SystemExit(f"{page} has no {start} and {end}")
    page.write_text(f"{before}{start}\n{text}\n{end}{after}", encoding="utf-8")
