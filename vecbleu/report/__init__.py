"""Write a report: one HTML file on which system is best, by how much and where."""

from __future__ import annotations

from vecbleu.report.page import write

__all__ = ["write"]
