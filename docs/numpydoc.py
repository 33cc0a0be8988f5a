"""Griffe's extension for docstrings as this project writes them.

Parameters that share a sentence are one entry, a type is shown in the words of the docstring, and
public names in single backticks are links.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import griffe

_SECTION = re.compile(r"^Parameters\n-+\n(.*?)(?=^[A-Z]\w+\n-+$|\Z)", re.MULTILINE | re.DOTALL)
# Names, which may go on in a second line, and their type.
_ENTRY = re.compile(r"^([*\w][^:\n]*(?:,\n[^:\n]+)*)(?: : (.*))?\n(?= )", re.MULTILINE)
_NAME = re.compile(r"(?<![`\[])`([A-Za-z][\w.]*)`(?!`)")

_PAGES = (Path(__file__).parent / "reference").glob("*.md")
_TEXTS = [path.read_text(encoding="utf-8") for path in _PAGES]
_LINKED = {name for text in _TEXTS for name in re.findall(r"^::: (.*)$", text, flags=re.M)}


class AsWritten(griffe.Extension):
    """Shows what a docstring has written, where Griffe reads something else."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Give a docstring the entries that it has written."""
        if obj.docstring is None:
            return
        obj.docstring.value = _NAME.sub(lambda name: _linked(name, obj), obj.docstring.value)
        if not (section := _SECTION.search(obj.docstring.value)):
            return
        written = [(" ".join(names.split()), type_) for names, type_ in _ENTRY.findall(section[1])]
        # Griffe reads names from one line.
        joined = _ENTRY.sub(lambda entry: entry[0].replace(",\n", ", "), section[1])
        obj.docstring.value = obj.docstring.value.replace(section[1], joined)
        for part in obj.docstring.parsed:
            if part.kind is griffe.DocstringSectionKind.parameters:
                read = {parameter.name: parameter for parameter in part.value}
                part.value = [_entry(names, type_, read) for names, type_ in written]


def _entry(
    names: str, type_: str, read: dict[str, griffe.DocstringParameter]
) -> griffe.DocstringParameter:
    """One entry: of a single name with its default, of several with what they share."""
    first = read[names.split(", ")[0]]
    if first.name == names:
        annotation = type_.removesuffix(", optional") or first.annotation
        is_read_well = str(first.annotation) == annotation  # with links to the classes in it
        first.annotation = first.annotation if is_read_well else annotation
        return first
    return griffe.DocstringParameter(names, description=first.description, annotation=type_ or None)


def _linked(name: re.Match[str], obj: griffe.Object) -> str:
    """A public name as a link to where it is described; any other name as it is."""
    package = ".".join(obj.path.split(".")[:2])
    for target in (name[1], f"{package}.{name[1]}", f"vecbleu.{name[1]}"):
        if target in _LINKED:
            return f"[{name[0]}][{target}]"
    return name[0]
