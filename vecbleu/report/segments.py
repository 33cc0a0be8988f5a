"""Write segments as JSON for the page's script, escaped so that nothing is read as markup."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from vecbleu.analysis import Differences
from vecbleu.core.options import CountOptions
from vecbleu.report.inputs import Inputs
from vecbleu.show.table import p_phrase
from vecbleu.show.terminal import escaped_name
from vecbleu.significance import Ranking

# Characters to escape: markup, line ends of old JavaScript, surrogates (UTF-8 can't encode them),
# and control characters (HTML replaces them).
_UNSAFE = re.compile("[<>&\x7f-\x9f\u2028\u2029\ud800-\udfff\ufdd0-\ufdef\ufeff\ufffe\uffff]")

# Made once: `json.dumps` makes an encoder in each call.
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)

# Segments cut and written at a time; all at once would take several times the memory of the page.
_AT_ONCE = 1000


def json_text(value: Any) -> str:
    r"""Return JSON on one line, safe inside an HTML file.

    >>> print(json_text({"</script>": "a & b"}))
    {"\u003c/script\u003e":"a \u0026 b"}
    """
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", _ENCODER.encode(value))


def segment_blocks(
    inputs: Inputs, ranking: Ranking, differences: Differences, counting: CountOptions
) -> Iterator[str]:
    """Yield script elements: numbers first, then texts with one line of JSON per segment."""
    yield from _element("numbers", [_numbers(inputs, ranking, differences, counting)])
    if inputs.source is not None:
        yield from _element("source", inputs.source)
    if inputs.references is not None:
        flat = [text for entry in inputs.references for text in entry]
        pieces = cut_texts(flat, counting)
        listed = ([next(pieces) for _ in entry] for entry in inputs.references)
        yield from _element("references", listed)
    for index, name in enumerate(inputs.systems):
        if name in inputs.outputs:
            yield from _element(f"outputs-{index}", cut_texts(inputs.outputs[name], counting))


def _element(name: str, rows: Any) -> Iterator[str]:
    """Yield a script element of JSON lines."""
    yield f'<script type="application/json" id="{name}">'
    yield from (f"\n{json_text(row)}" for row in rows)
    yield "</script>\n"


def cut_texts(texts: Sequence[str], counting: CountOptions) -> Iterator[list[str] | str]:
    """Yield the pieces of each text, or the text itself if it does not contain its tokens.

    >>> counting = CountOptions.checked("13a")
    >>> [*cut_texts(["Hello, the world.", "a &amp; b"], counting)]
    [['Hello', ', the world', '.'], 'a &amp; b']
    """
    for start in range(0, len(texts), _AT_ONCE):
        part = texts[start : start + _AT_ONCE]
        searched = [text.lower() for text in part] if counting.lowercase else part
        yield from map(_cut, part, searched, counting.tokenize.split(searched))


def _cut(text: str, searched: str, tokens: Sequence[str]) -> list[str] | str:
    """Cut a text wherever no white space separates two tokens."""
    if len(searched) != len(text) or "".join(searched.split()) != "".join(tokens) or "" in tokens:
        return text
    pieces, start, end = [], 0, 0
    for token in tokens:
        first = searched.find(token, end)
        if first < 0:
            return text
        if first == end > start:
            pieces.append(text[start:end])
            start = end
        end = first + len(token)
    return [*pieces, text[start:]]


def _numbers(
    inputs: Inputs, ranking: Ranking, differences: Differences, counting: CountOptions
) -> dict[str, Any]:
    """Return names, tests, and numbers to sort and filter by; systems are in ranked order."""
    first = next(iter(inputs.systems.values()))
    systems = ranking.order
    return {
        "metric": first.metric,
        "names": [*map(escaped_name, inputs.systems)],
        "total": (100 * ranking.scores[systems]).tolist(),
        "tests": [[_tested(ranking, row, column) for column in systems] for row in systems],
        "maxOrder": first.max_order,
        "lowercase": counting.lowercase,
        "lengths": first.ref_len.tolist(),
        "labels": [escaped_name(str(label)) for label in inputs.labels],
        "groups": inputs.groups.tolist(),
        "scores": np.round(100 * differences.scores, 3).tolist(),
    }


def _tested(ranking: Ranking, system: int, other: int) -> str:
    """Return the difference of two systems with its interval and p-value, as text."""
    matrices = ranking.differences, ranking.difference_lower, ranking.difference_upper
    points = 100 * np.array(matrices, float)[:, system, other]
    gain, least, most = (f"{value:+.2f}".replace("-", "−") for value in points.tolist())
    interval = f"{100 * (ranking.confidence_level or 0):g}% interval {least} to {most}"
    p = p_phrase(float(ranking.adjusted[system, other]), ranking.level)
    return f"{gain} {ranking.metric} ({interval}), {p}"
