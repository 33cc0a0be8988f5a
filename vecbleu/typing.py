"""The types that signatures name, for programs that are type-checked."""

from __future__ import annotations

from vecbleu.core.files.sources import Path
from vecbleu.core.inputs.types import Array, Column, Hypotheses, References, Segment
from vecbleu.core.options import (
    CorpusArgs,
    CountArgs,
    Executor,
    IdArgs,
    Ids,
    PairArgs,
    RefLength,
    RunArgs,
    ScoreArgs,
    SegmentArgs,
    Smoothing,
    TextArgs,
    Tokenize,
    Weights,
)

__all__ = [
    "Array",
    "Column",
    "CorpusArgs",
    "CountArgs",
    "Executor",
    "Hypotheses",
    "IdArgs",
    "Ids",
    "PairArgs",
    "Path",
    "RefLength",
    "References",
    "RunArgs",
    "ScoreArgs",
    "Segment",
    "SegmentArgs",
    "Smoothing",
    "TextArgs",
    "Tokenize",
    "Weights",
]
