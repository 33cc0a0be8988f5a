"""Griffe's extension for parameters as this project's docstrings write them.

Parameters that share a sentence are one entry, and a type is shown in the words of the docstring.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

_SECTION = re.compile(r"^Parameters\n-+\n(.*?)(?=^[A-Z]\w+\n-+$|\Z)", re.MULTILINE | re.DOTALL)
# Names, which may go on in a second line, and their type.
_ENTRY = re.compile(r"^([*\w][^:\n]*(?:,\n[^:\n]+)*)(?: : (.*))?\n(?= )", re.MULTILINE)


class SharedEntries(griffe.Extension):
    """Puts together what Griffe takes apart."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Give a docstring the entries that it has written."""
        if obj.docstring is None or not (section := _SECTION.search(obj.docstring.value)):
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
