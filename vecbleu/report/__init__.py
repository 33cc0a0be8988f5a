"""The report: one HTML file that shows which system is best, by how much and where."""

from __future__ import annotations

from vecbleu.report.page import write

__all__ = ["write"]
