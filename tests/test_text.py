from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import ugly_text

from vecbleu.text import PADDING, Text


@given(st.lists(ugly_text, max_size=8))
def test_strings_come_back(strings):
    text = Text.from_strings(strings)
    assert len(text) == len(strings)
    assert text.strings() == strings
    assert len(text.data) >= text.offsets[-1] + len(PADDING)


@given(st.lists(ugly_text, max_size=8))
def test_every_segment_ends_with_a_newline_of_its_own(strings):
    text = Text.from_strings(strings)
    assert bytes(text.data[text.offsets[1:] - 1]) == b"\n" * len(strings)


@given(st.lists(ugly_text, max_size=8))
def test_lower_is_str_lower_of_each_segment(strings):
    assert Text.from_strings(strings).lower().strings() == [s.lower() for s in strings]


@given(st.lists(st.text(alphabet="aéB \r中", max_size=6), max_size=6))
def test_lines_are_segments(lines):
    text = Text.from_lines("".join(line + "\n" for line in lines).encode())
    assert text.strings() == lines


def test_anything_but_strings_is_a_type_error():
    with pytest.raises(TypeError):
        Text.from_strings(["a", 1])  # type: ignore[list-item]
