"""Tables in HTML, for notebooks: the text of others stays text."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from vecbleu.core.terminal import escaped


def safe_html(text: str) -> str:
    r"""Text in which nothing is markup or a control character.

    Examples
    --------
    >>> safe_html("<b>&\x1b")
    '&lt;b&gt;&amp;\\u001b'
    """
    from html import escape  # with its names of characters 6 ms

    return escape(escaped(text))


def html_table(
    header: Sequence[str],
    rows: Iterable[Sequence[str]],
    title: str = "",
    note: str = "",
    left: Collection[int] = (0,),
) -> str:
    """A table with a line above and one below; numbers stand right, the `left` columns left.

    All cells are text, which is escaped here.

    Examples
    --------
    >>> html_table(["a"], [["<"]], left=()).partition(">")[2]
    '<tr><th>a</th></tr><tr><td>&lt;</td></tr></table>'
    """
    lines = [_row(header, "th", left), *(_row(row, "td", left) for row in rows)]
    table = f'<table cellpadding="3" style="text-align:right">{"".join(lines)}</table>'
    above, below = (f"<p>{safe_html(text)}</p>" if text else "" for text in (title, note))
    return above + table + below


def _row(cells: Sequence[str], tag: str, left: Collection[int]) -> str:
    """A row of a table; a style of every cell would make most of a page."""
    style = ' style="text-align:left"'
    shown = [
        f"<{tag}{style if place in left else ''}>{safe_html(cell)}</{tag}>"
        for place, cell in enumerate(cells)
    ]
    return f"<tr>{''.join(shown)}</tr>"
