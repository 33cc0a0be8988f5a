"""Pictures as elements of an HTML page: one SVG element that brings nothing else along."""

from __future__ import annotations

import hashlib
import io
import math
import re
import warnings
from typing import TYPE_CHECKING, Any
from unicodedata import east_asian_width

from vecbleu.plots.drawing import Axes, load_matplotlib

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_NAMESPACES = re.compile(r"^\{[^}]*\}")
_REFERENCE = re.compile(r"url\(#([^)]*)\)")

# Text's size and font, as matplotlib writes them: in one property, or since 3.11 in several.
_FONT = re.compile(r"\bfont: ([^;]*?)([\d.]+px)[^;]*|\bfont-family: [^;]*(?:; )?")
_SIZE = re.compile(r"\bfont-size: ([\d.]+)px")
_TURN = re.compile(r"rotate\((\S+) ")
_BLACK = re.compile(r"#000000\b")

# Parts of the font's size that letters take, East Asian ones and others.
_WIDE, _NARROW = 1.0, 0.62


def svg(ax: Axes, label: str = "") -> str:
    """Write the figure of a picture as one SVG element, to stand inside an HTML page.

    Text stays text, in the page's own font. What is black elsewhere has the color of the
    text around it (`currentColor`), and there is no background, so that a picture fits light and
    dark pages. Identifiers begin with a digest of the picture: several pictures in one page do not
    meet, and the same picture is the same text every time.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        What a function of this package has returned.
    label : str
        What the picture shows, in words, for those who cannot see it.

    Returns
    -------
    str
        ``<svg ...>...</svg>``, without a prolog, styles or metadata.

    Raises
    ------
    TypeError
        There are no Axes.
    ImportError
        matplotlib is not installed.

    Examples
    --------
    >>> import vecbleu
    >>> from vecbleu.plots import plot_precisions, svg
    >>> stats = vecbleu.statistics(["the cat sat on it"], ["the cat sat on a mat"])
    >>> text = svg(plot_precisions({"mine": stats}), "precisions of each order")
    >>> text[:4], text[-6:], "mine</text>" in text
    ('<svg', '</svg>', True)
    """
    from xml.etree import ElementTree

    package = load_matplotlib()
    if not isinstance(ax, package.axes.Axes):
        raise TypeError(f"ax is {type(ax).__name__}, expected matplotlib.axes.Axes")
    file = io.BytesIO()
    figure: Any = ax.figure.figure
    options = {"svg.hashsalt": "vecbleu", "svg.fonttype": "none"}
    with package.rc_context(options), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # the page has fonts of its own
        figure.savefig(file, format="svg", transparent=True, metadata={"Date": None})
    picture = file.getvalue()
    root = ElementTree.fromstring(picture)
    _simplify(root, f"p{hashlib.sha256(picture).hexdigest()[:10]}-")
    _make_wide_letters_fit(root)
    root.attrib |= {"role": "img", "aria-label": label} if label else {"aria-hidden": "true"}
    text: str = ElementTree.tostring(root, encoding="unicode")
    return text.strip()


def _simplify(root: Element, prefix: str) -> None:
    """Take out what is for files, and make colors, fonts and identifiers those of a page."""
    kept = {"viewBox", "width", "height"}
    root.attrib = {name: value for name, value in root.attrib.items() if name in kept}
    root.attrib |= {"xmlns": "http://www.w3.org/2000/svg", "fill": "currentColor"}
    root.attrib |= {"stroke-linejoin": "round", "stroke-linecap": "butt"}
    for parent in [*root.iter()]:
        for child in [*parent]:
            if child.tag.endswith(("}metadata", "}style")):
                parent.remove(child)
    elements = [*root.iter()]
    for element in elements:
        element.tag = _NAMESPACES.sub("", element.tag)
        given = [(_NAMESPACES.sub("", name), value) for name, value in element.attrib.items()]
        element.attrib = {name: _for_page(name, value, prefix) for name, value in given}
    used = {one.get("href") for one in elements}
    used |= {f"#{found}" for one in elements for found in _REFERENCE.findall(str(one.attrib))}
    for element in elements:
        if "id" in element.attrib and f"#{element.attrib['id']}" not in used:
            del element.attrib["id"]


def _for_page(name: str, value: str, prefix: str) -> str:
    """The value of an attribute as it is written inside a page."""
    if name == "id":
        return prefix + value
    if name == "href":
        return value.replace("#", f"#{prefix}", 1)
    if name == "style":
        value = _BLACK.sub("currentColor", _FONT.sub(_font_size, value))
    return _REFERENCE.sub(rf"url(#{prefix}\1)", value)


def _font_size(found: re.Match[str]) -> str:
    """A font's weight and size, without its name, which pages do not have."""
    if found[2] is None:
        return ""
    weight = "font-weight: bold; " if "bold" in found[1] or "700" in found[1] else ""
    return f"{weight}font-size: {found[2]}"


def _make_wide_letters_fit(root: Element) -> None:
    """Enlarge the picture where East Asian letters would be cut off.

    matplotlib's own font does not have them, and what it shows in their place is narrower.
    """
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    ends = [(left, top), (left + width, top + height)]
    for element in root.iter("text"):
        letters = element.text or ""
        n_wide = sum(east_asian_width(letter) in "FW" for letter in letters)
        style = element.attrib.get("style", "")
        size, turn = _SIZE.search(style), _TURN.match(element.attrib.get("transform", ""))
        if n_wide and size and turn:
            length = float(size[1]) * (_WIDE * n_wide + _NARROW * (len(letters) - n_wide))
            before = {"middle": 0.5, "end": 1.0}.get(style.partition("text-anchor: ")[2], 0.0)
            angle = math.radians(float(turn[1]))
            for part in (-before, 1 - before):
                x = float(element.attrib["x"]) + part * length * math.cos(angle)
                y = float(element.attrib["y"]) + part * length * math.sin(angle)
                ends.append((x, y))
    (left, right), (top, bottom) = ((min(one), max(one)) for one in zip(*ends, strict=True))
    root.attrib["viewBox"] = f"{left:g} {top:g} {right - left:g} {bottom - top:g}"
    root.attrib |= {"width": f"{right - left:g}pt", "height": f"{bottom - top:g}pt"}
