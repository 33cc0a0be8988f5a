"""The segments as a page's script reads them: JSON that no HTML parser takes for markup."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import Any

import numpy as np

from vecbleu.analysis.marks import matched_orders, text_pieces
from vecbleu.core.arrays import Float64
from vecbleu.core.options import CountOptions, RunOptions
from vecbleu.core.tasks import map_tasks
from vecbleu.core.terminal import escaped_name
from vecbleu.report.data import ReportData
from vecbleu.report.inputs import Inputs

# What could end the script, or begin anything in it; ends of lines in old JavaScript; what has no
# bytes in UTF-8; and controls, which HTML replaces.
_UNSAFE = re.compile("[<>&\x7f-\x9f\u2028\u2029\ud800-\udfff\ufdd0-\ufdef\ufeff\ufffe\uffff]")

# Segments that are marked together, and the time that an output takes.
_SEGMENTS = 250
_SECONDS_AN_OUTPUT = 1e-4

# Orders have one letter each; those above look like the last.
_MOST_LEVELS = 9


def json_text(value: Any) -> str:
    r"""JSON that stands in an HTML file as it is, in a script element of type application/json.

    >>> print(json_text({"</script>": "a & b"}))
    {"\u003c/script\u003e":"a \u0026 b"}
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def segment_blocks(
    inputs: Inputs, data: ReportData, counting: CountOptions, run: RunOptions
) -> Iterator[tuple[str, Any]]:
    """Names and contents of the blocks of JSON: numbers first, then texts, one side a block."""
    yield "numbers", _numbers(inputs, data)
    if inputs.source is not None:
        yield "source", inputs.source
    if inputs.references is None:
        return
    has_one = all(len(entry) == 1 for entry in inputs.references)
    yield "references", [entry[0] if has_one else entry for entry in inputs.references]
    marks = _marks([*inputs.outputs.values()], inputs.references, counting, run)
    for (name, outputs), own in zip(inputs.outputs.items(), marks, strict=True):
        place = [*inputs.systems].index(name)
        yield f"outputs-{place}", outputs
        yield f"marks-{place}", own


def _marks(
    systems: Sequence[list[str]],
    references: list[tuple[str, ...]],
    counting: CountOptions,
    run: RunOptions,
) -> list[list[str]]:
    """The encoded marks of each system's outputs, by several processes where there are many."""
    blocks = (
        ([own[start : start + _SEGMENTS] for own in systems], references[start : start + _SEGMENTS])
        for start in range(0, len(references), _SEGMENTS)
    )
    total = len(systems) * len(references)
    if not counting.tokenize.is_portable:
        run = RunOptions(1, run.progress)
    task = partial(marks_of_block, counting.pinned())
    found: list[list[str]] = [[] for _ in systems]
    results = map_tasks(
        task,
        blocks,
        _SECONDS_AN_OUTPUT * total,
        run,
        total=total,
        size=lambda block: len(block[0]) * len(block[1]),
        unit="outputs",
        name="marking",
    )
    with closing(results):
        for marks in results:
            for own, more in zip(found, marks, strict=True):
                own += more
    return found


def marks_of_block(
    counting: CountOptions, block: tuple[list[list[str]], list[tuple[str, ...]]]
) -> list[list[str]]:
    """The encoded marks of some segments of each system, in any process."""
    systems, references = block
    split, lowercase = counting.tokenize.split, counting.lowercase

    def tokens_of(strings: Sequence[str]) -> list[Sequence[str]]:
        return split([one.lower() for one in strings] if lowercase else strings)

    tokens = [tokens_of(entry) for entry in references]
    found = []
    for outputs in systems:
        marks = []
        for output, own, others in zip(outputs, tokens_of(outputs), tokens, strict=True):
            orders = matched_orders(own, others, counting.max_order)
            marks.append(encoded_marks(output, own, orders, lowercase))
        found.append(marks)
    return found


def encoded_marks(text: str, tokens: Sequence[str], orders: Sequence[int], lowercase: bool) -> str:
    """Run lengths of the orders of a text: a letter ("a": 0, "b": 1, ...) and a number each.

    Lengths are in UTF-16 code units, as a script counts. White space between two tokens of one
    order is marked like them. Nothing if the tokens do not stand in the text as they are.

    >>> encoded_marks("the cat sat!", ["the", "cat", "sat", "!"], [2, 2, 0, 1], False)
    'c7a4b1'
    """
    pieces = text_pieces(text, tokens, lowercase)
    if "".join([piece for piece, _ in pieces]) != text:
        return ""
    is_wide = not text.isascii() and max(text) > "\uffff"
    runs: list[list[int]] = []  # orders and lengths
    waiting = 0  # length of white space whose order depends on what follows
    for piece, token in pieces:
        size = len(piece)
        if is_wide:
            size += sum(letter > "\uffff" for letter in piece)
        if token is None:
            waiting += size
            continue
        order = min(orders[token], _MOST_LEVELS)
        last = runs[-1] if runs else None
        if last and last[0] == order:
            last[1] += waiting + size
        elif last and last[0] == 0:
            last[1] += waiting
            runs.append([order, size])
        elif waiting and order:
            runs += [[0, waiting], [order, size]]
        else:
            runs.append([order, waiting + size])
        waiting = 0
    return "".join([f"{chr(97 + order)}{size}" for order, size in runs])


def _numbers(inputs: Inputs, data: ReportData) -> dict[str, Any]:
    """Names, and what segments are sorted and filtered by."""
    tables = [*inputs.systems.values()]
    labels, groups = _groups(inputs.labels)
    return {
        "names": data.names,
        "ranking": data.ranking,
        "best": data.best,
        "second": data.second,
        "shown": [name in inputs.outputs for name in inputs.systems],
        "orders": min(tables[0].max_order, _MOST_LEVELS),
        "lengths": tables[0].ref_len.tolist(),
        "labels": labels,
        "groups": groups,
        "scores": [_rounded(100 * row, 2) for row in data.sentences.scores],
    }


def _rounded(values: Float64, digits: int) -> list[Any]:
    """Numbers as short as they can be: 25 and not 25.0."""
    rounded = np.round(values, digits).tolist()
    return [int(one) if one == int(one) else one for one in rounded]


def _groups(labels: list[str] | None) -> tuple[list[str], list[int]]:
    """Names of labels, and the number of each segment's label; nothing without labels."""
    numbers: dict[str, int] = {}
    groups = [numbers.setdefault(label, len(numbers)) for label in labels or []]
    return [*map(escaped_name, numbers)], groups
