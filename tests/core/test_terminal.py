"""Text for terminals."""

from __future__ import annotations

import json
import sys
import unicodedata

import pytest

from vecbleu.core.terminal import escaped, escaped_name

# The directions of writing, by their classes in Unicode.
DIRECTIONS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
OTHERS = "\u061c\u200e\u200f\ufeff\ufffe\uffff"  # marks without such a class; not in PDF or XML


def test_what_is_no_text_to_a_terminal_is_escaped():
    for code in range(sys.maxunicode + 1):
        text = f"a{chr(code)}b"
        unsafe = unicodedata.category(text[1]) in {"Cc", "Cs", "Zl", "Zp"} and text[1] != "\t"
        unsafe |= unicodedata.bidirectional(text[1]) in DIRECTIONS or text[1] in OTHERS
        shown = escaped(text)
        assert (shown != text) == unsafe
        if unsafe:
            assert shown.isascii()
            assert shown.isprintable()
            assert json.loads(f'"{shown}"') == text


TEXTS = ["", "猫が座った", "e\u0301", "👩\u200d👩\u200d👧", "שלום", "C:\\new", "\U000e0067"]


@pytest.mark.parametrize("text", TEXTS)
def test_other_text_stays_as_it_is(text):
    assert escaped(text) == escaped_name(text) == text


def test_tabs_are_text_but_not_in_names():
    assert escaped("a\tb\n") == "a\tb\\n"
    assert escaped_name("a\tb\n") == "a\\tb\\n"
