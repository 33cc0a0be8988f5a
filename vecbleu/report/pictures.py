"""Pictures of a report, as inline SVG."""

from __future__ import annotations

from vecbleu import plots
from vecbleu.core.options import ScoreOptions
from vecbleu.core.records import dataclass
from vecbleu.report.data import ReportData
from vecbleu.report.inputs import Inputs
