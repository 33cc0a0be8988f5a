"""Pictures of a report, as inline SVG."""

from __future__ import annotations
