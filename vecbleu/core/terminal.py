"""Text for terminals: what would move the cursor, start a line or reorder letters is escaped."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Literal

# Control characters but the tab; ends of lines; controls of the direction of writing; surrogates,
# which no output can encode; what XML can't hold; the byte order mark, at which matplotlib's PDF
# fails (3.11). Joiners and variation selectors stay: emoji and several scripts are written with
# them. So does the backslash, which Windows has in every path, at the cost of two texts that can
# look alike.
_UNSAFE = (  # compiling it takes 1 ms, and text seldom needs it
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]"
)


class Verbatim(str):
    """A line that is the result itself, such as a sentence that was chosen among others.

    A program that reads it gets every character. Only a terminal gets it escaped.
    """

    __slots__ = ()


def escaped(text: str) -> str:
    r"""Escape what is no text to a terminal, such as ends of lines and colors.

    The sequences are JSON's, so that a line of JSON says the same as before.

    Parameters
    ----------
    text : str
        Text of somebody else: a file name, a label, a segment, a field of a file.

    Returns
    -------
    str
        `text` itself if it holds nothing to be escaped.

    Examples
    --------
    >>> print(escaped("two\nlines and \x1b[31mred, 猫 as it is"))
    two\nlines and \u001b[31mred, 猫 as it is
    """
    if text.isprintable():  # as nothing unsafe is; this takes a tenth of the search's time
        return text
    import json  # 2 ms, which text seldom needs

    return re.sub(_UNSAFE, lambda found: json.dumps(found[0])[1:-1], text)


def escaped_name(text: str) -> str:
    r"""Escape a name in a table or a picture: also tabs, which would misalign it.

    Parameters
    ----------
    text : str
        The name of a system, or the label of a group.

    Returns
    -------
    str
        `text` itself if it holds nothing to be escaped.

    Examples
    --------
    >>> print(escaped_name("a\tb"))
    a\tb
    """
    return escaped(text).replace("\t", r"\t")


# Characters of format that are drawn: a hyphen, and signs that stand above or below numbers.
_DRAWN_FORMATS = frozenset(
    "\xad\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
)


def display_width(text: str) -> int:
    r"""Count the columns that a text takes on a terminal: two for wide characters, none for marks.

    Parameters
    ----------
    text : str
        Text of one line, as `escaped` returns it.

    Returns
    -------
    int
        Wide are East Asian characters of classes W and F (Unicode Standard Annex 11); marks that
        are put on the character before, joiners, and vowels of Hangul that follow a consonant
        take no column of their own.

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
    import unicodedata  # 1 ms, which ASCII need not wait for

    kind = unicodedata.category(character)
    is_mark = kind in ("Mn", "Me") or (kind == "Cf" and character not in _DRAWN_FORMATS)
    if is_mark or "\u1160" <= character <= "\u11ff" or "\ud7b0" <= character <= "\ud7fb":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def aligned(text: str, width: int, side: Literal["left", "right"] = "left") -> str:
    """Pad text to a number of columns on a terminal; wider text stays as it is.

    Parameters
    ----------
    text : str
        Text of one line, as `escaped` returns it.
    width : int
        Columns.
    side : {"left", "right"}
        Where the text stands.

    Returns
    -------
    str

    Examples
    --------
    >>> aligned("猫", 4) + "|", aligned("猫", 4, "right") + "|"
    ('猫  |', '  猫|')
    """
    padding = " " * (width - display_width(text))
    return text + padding if side == "left" else padding + text


def table_lines(rows: Iterable[Sequence[str]], left: Collection[int] = (0,)) -> Iterator[str]:
    r"""Yield the lines of a table, two spaces between its columns.

    Parameters
    ----------
    rows : iterable of sequences of str
        The cells of each line, each of one line, as `escaped_name` returns it.
    left : collection of int
        The columns that are aligned to the left; the others are to the right.

    Yields
    ------
    str

    Examples
    --------
    >>> print(*table_lines([["word", "count"], ["猫", "3"]]), sep="\n")
    word  count
    猫        3
    """
    rows = [*rows]
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    sides: list[Literal["left", "right"]] = ["right"] * len(widths)
    for column in left:
        sides[column] = "left"
    for row in rows:
        yield "  ".join(map(aligned, row, widths, sides)).rstrip()
