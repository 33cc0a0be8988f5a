"""Text for terminals."""

from __future__ import annotations

import json
import sys
import unicodedata

import pytest

from vecbleu.core.terminal import aligned, display_width, escaped, escaped_name

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


WIDTHS = {
    "": 0,
    "cat": 3,
    "na\u00efve nai\u0308ve": 11,
    "猫が座った。": 12,
    "か\u3099": 2,
    "ｶﾞ": 2,
    "Ｗ": 2,
    "한국": 4,
    "\u1112\u1161\u11ab": 2,
    "👩\u200d👧": 4,
    "❤\ufe0f": 1,
    "שלום": 4,
    "\u0661\u0600": 2,
    "soft\xadhyphen": 11,
}


@pytest.mark.parametrize("text", WIDTHS)
def test_columns_of_wide_characters_and_marks(text):
    width = WIDTHS[text]
    assert display_width(text) == width
    assert aligned(text, width) == aligned(text, width - 1) == aligned(text, 0, "right") == text
    assert aligned(text, width + 2) == f"{text}  "
    assert aligned(text, width + 2, "right") == f"  {text}"
