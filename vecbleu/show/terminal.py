"""Escape and align text for terminals."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Literal

# Control characters (but not the tab), line ends, marks of writing direction, surrogates, what XML
# can't hold, and the byte order mark, at which matplotlib's PDF fails. Joiners and variation
# selectors are safe, for emoji and some scripts; so is the backslash, for paths on Windows.
_UNSAFE = (  # not compiled: few texts need it
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]"
)


class Verbatim(str):
    """A line of output that is printed unchanged; all others are escaped."""

    __slots__ = ()


def escaped(text: str) -> str:
    r"""Escape control characters, such as line ends and colors.

    The escapes are those of JSON, so an escaped line of JSON has the same meaning.

    Parameters
    ----------
    text : str
        Text of unknown origin: a file name, a label, a segment, a field of a file.

    Returns
    -------
    str
        `text` itself if there is nothing to escape.

    Examples
    --------
    >>> print(escaped("two\nlines and \x1b[31mred, 猫 as it is"))
    two\nlines and \u001b[31mred, 猫 as it is
    """
    if text.isprintable():  # then it is safe
        return text
    import json  # few texts need it

    return re.sub(_UNSAFE, lambda match: json.dumps(match[0])[1:-1], text)


def escaped_name(text: str) -> str:
    r"""Escape a name for a table or a picture, including tabs, which would misalign it.

    Parameters
    ----------
    text : str
        The name of a system, or the label of a group.

    Returns
    -------
    str
        `text` itself if there is nothing to escape.

    Examples
    --------
    >>> print(escaped_name("a\tb"))
    a\tb
    """
    return escaped(text).replace("\t", r"\t")


def shortened_name(text: str, width: int) -> str:
    """Escape a name, and cut out its middle if it takes more columns than `width`.

    Parameters
    ----------
    text : str
        The name of a system, or the label of a group.
    width : int
        Columns, as `display_width` counts them.

    Returns
    -------
    str

    Examples
    --------
    >>> shortened_name("newstest2020.en-de.Online-A", 12)
    'newste…ine-A'
    """
    text = escaped_name(text)
    columns = max(len(text), display_width(text))
    if columns <= width:
        return text
    half = len(text) * width // columns // 2
    return f"{text[:half]}…{text[1 - half :]}"


def display_width(text: str) -> int:
    r"""Count the columns that a text takes on a terminal: two for wide characters, none for marks.

    Parameters
    ----------
    text : str
        Text of one line, as `escaped` returns it.

    Returns
    -------
    int
        East Asian characters of classes W and F (Unicode Standard Annex 11) take two columns.
        Combining marks, joiners, and Hangul vowels and final consonants take none.

    Examples
    --------
    >>> display_width("cat"), display_width("猫が"), display_width("e\u0301")
    (3, 4, 1)
    """
    if text.isascii():
        return len(text)
    return sum(map(_character_width, text))


def _character_width(character: str) -> int:
    """Count the columns of one character."""
    import unicodedata  # ASCII does not need it

    is_mark = unicodedata.category(character) in ("Mn", "Me", "Cf")
    if is_mark or "\u1160" <= character <= "\u11ff" or "\ud7b0" <= character <= "\ud7fb":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def padded(text: str, width: int, side: Literal["left", "right"] = "left") -> str:
    """Pad text to a number of columns on a terminal; do not cut wider text.

    Parameters
    ----------
    text : str
        Text of one line, as `escaped` returns it.
    width : int
        Columns.
    side : {"left", "right"}
        The side that the text is aligned to.

    Returns
    -------
    str

    Examples
    --------
    >>> padded("猫", 4) + "|", padded("猫", 4, "right") + "|"
    ('猫  |', '  猫|')
    """
    padding = " " * (width - display_width(text))
    return text + padding if side == "left" else padding + text


def table_lines(rows: Iterable[Sequence[str]], left: Collection[int] = (0,)) -> Iterator[str]:
    r"""Yield the lines of a table, two spaces between its columns.

    Parameters
    ----------
    rows : iterable of sequences of str
        The cells of each row, as `escaped_name` returns them.
    left : collection of int
        The indices of columns aligned to the left; the others are aligned to the right.

    Yields
    ------
    str

    Examples
    --------
    >>> print(*table_lines([["word", "count"], ["猫", "3"]]), sep="\n")
    word  count
    猫        3
    """
    rows = list(rows)
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    sides: list[Literal["left", "right"]] = ["right"] * len(widths)
    for column in left:
        sides[column] = "left"
    for row in rows:
        yield "  ".join(map(padded, row, widths, sides)).rstrip()
