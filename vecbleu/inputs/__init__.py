"""What users pass, made into checked and aligned segments; errors name the segment."""

from vecbleu.inputs.alignment import AnyCorpus, align
from vecbleu.inputs.frames import complete_values, is_column, reference_rows, values_of
from vecbleu.inputs.values import are_strings

__all__ = [
    "AnyCorpus",
    "align",
    "are_strings",
    "complete_values",
    "is_column",
    "reference_rows",
    "values_of",
]
