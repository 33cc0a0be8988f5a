"""Check the inputs of a report, and write its segments as JSON for the page's script."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from html import unescape
from itertools import compress, pairwise, repeat
from typing import Any, NamedTuple

import numpy as np

from vecbleu.arguments.errors import ArgumentError, ArgumentTypeError, argument
from vecbleu.arguments.options import RunOptions
from vecbleu.bleu.options import CountOptions
from vecbleu.bleu.results import Statistics
from vecbleu.core.count import count_table
from vecbleu.core.count_table import CountTable
from vecbleu.core.metric import Metric
from vecbleu.core.references import check_references
from vecbleu.inputs.alignment import PreparedReferences, align, listed_strings
from vecbleu.inputs.doubts import tokenizer_to_check
from vecbleu.significance.inference import checked_systems, named_systems
from vecbleu.text.text import Text
from vecbleu.text.tokenizer import ByteTokenizer

# Systems times segments; a page with so many outputs takes about 100 MB.
_MOST_OUTPUTS = 500_000

# Characters to escape: markup, line ends of old JavaScript, surrogates (UTF-8 can't encode them),
# and control characters (HTML replaces them).
_UNSAFE = re.compile("[<>&\x7f-\x9f\u2028\u2029\ud800-\udfff\ufdd0-\ufdef\ufeff\ufffe\uffff]")

# Made once: `json.dumps` makes an encoder in each call.
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)

# Segments cut and written at a time; all at once would take several times the memory of the page.
_AT_ONCE = 1000

# What 13a edits, a capital letter that is two in lower case, and the character that marks cuts.
_CUT = "\x7f"
_EDITED = re.compile(f"[&<\n{_CUT}\u0130]").search

# The entities that 13a replaces, and any other character.
_CHARACTERS = re.compile("&(?:quot|gt|lt|amp(?:;[lg]t)?);|.", re.DOTALL)


# A text, or its pieces: text, or an entity with its token.
Pieces = str | Sequence[str | tuple[str, str]]


class Inputs(NamedTuple):
    """Counts by metric and system, and the texts of the segments, if known."""

    tables: dict[str, dict[str, Any]]
    outputs: dict[str, list[str]]  # of systems passed as text
    references: list[tuple[str, ...]] | None
    source: list[str] | None


def checked_inputs(
    systems: Any,
    references: object,
    source: object,
    metrics: dict[str, Metric[Any]],
    run: RunOptions,
) -> Inputs:
    """Check what the user passed, and count systems passed as text for each metric."""
    if isinstance(references, PreparedReferences):
        kind = type(references).__name__
        raise ArgumentTypeError(f"is {kind}", "a list of texts", argument="references")
    named = named_systems(systems, "outputs")
    given = {str(name): system for name, system in named.items()}
    if len(given) < len(named):
        raise ValueError("systems has two names of the same text, such as 1 and '1'")
    outputs = {}
    for name, system in given.items():
        label = f"systems[{name!r}]"
        if not isinstance(system, CountTable):
            with argument(label):
                outputs[name] = listed_strings(system)
            if references is None:
                found = "is text, which needs references"
                raise ArgumentError(found, advice="pass them", argument=label)
        elif not isinstance(system, Statistics) or len(metrics) > 1:
            kind = type(system).__name__
            advice = "pass its text, or, for BLEU alone, its Statistics"
            raise ArgumentTypeError(f"is {kind}", advice=advice, argument=label)
    if source is not None:
        with argument("source"):
            source = listed_strings(source)
    size = len(next(iter((given | outputs).values())))
    total = size * len(given)
    if total > _MOST_OUTPUTS:
        raise ValueError(
            f"{len(given)} systems of {size} segments are {total} outputs, "
            f"expected at most {_MOST_OUTPUTS}; pass fewer systems, or a part of the segments"
        )
    columns = {f"systems[{name!r}]": texts for name, texts in outputs.items()}
    for label, values in {**columns, "references": references, "source": source}.items():
        if hasattr(values, "__len__") and len(values) != size:
            found = f"has {len(values)} segments but systems have {size}"
            raise ArgumentError(found, argument=label)
    listed = None
    if references is not None:
        flat: Any = align([""] * size, references)
        bounds = pairwise(flat.offsets.tolist())
        listed = [tuple(flat.references[low:high]) for low, high in bounds]
    tokenize = tokenizer_to_check(metric.tokenizer for metric in metrics.values())
    forms = [metric.signature(True, None).normalize for metric in metrics.values()]
    normalize = next(filter(None, forms), None)
    aligned = {
        name: align(texts, listed or [], tokenize=tokenize, normalize=normalize)
        for name, texts in outputs.items()
    }
    tables = {}
    for metric_name, metric in metrics.items():
        counted = {}
        for name, corpus in aligned.items():
            counted[name] = count_table(corpus, metric, run)
        tables[metric_name] = checked_systems(given | counted)
    if listed is not None and len(outputs) < len(given):
        placed = {("systems", name): given[name] for name in given if name not in outputs}
        hashes = {where: table.reference_hashes for where, table in placed.items()}
        check_references({("references",): flat.reference_hashes()} | hashes)
    return Inputs(tables, outputs, listed, source)


def json_text(value: object) -> str:
    r"""Return JSON on one line, safe inside an HTML file.

    >>> print(json_text({"</script>": "a & b"}))
    {"\u003c/script\u003e":"a \u0026 b"}
    """
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", _ENCODER.encode(value))


def segment_blocks(
    inputs: Inputs, names: Iterable[str], numbers: object, counting: CountOptions
) -> Iterator[str]:
    """Yield script elements: numbers first, then texts with one line of JSON per segment."""
    blocks: dict[str, Iterable[object]] = {"numbers": [numbers]}
    if inputs.source is not None:
        blocks["source"] = inputs.source
    if inputs.references is not None:
        pieces = cut_texts([text for entry in inputs.references for text in entry], counting)
        blocks["references"] = ([next(pieces) for _ in entry] for entry in inputs.references)
    for index, name in enumerate(names):
        if name in inputs.outputs:
            blocks[f"outputs-{index}"] = cut_texts(inputs.outputs[name], counting)
    for name, rows in blocks.items():
        yield f'<script type="application/json" id="{name}">'
        yield from (f"\n{json_text(row)}" for row in rows)
        yield "</script>\n"


def cut_texts(texts: Sequence[str], counting: CountOptions) -> Iterator[Pieces]:
    """Yield the pieces of each text, or the text itself if it does not contain its tokens.

    A piece ends where no white space separates two tokens. An entity that is replaced is a pair of
    its text and its token.

    >>> counting = CountOptions.checked()
    >>> [*cut_texts(["Hello, the world.", "a &lt; b", "<skipped>"], counting)]
    [['Hello', ', the world', '.'], ['a ', ('&lt;', '<'), ' b'], '<skipped>']
    """
    tokenizer: Any = counting.tokenize
    keeps_case = replace(counting, lowercase=False)
    for start in range(0, len(texts), _AT_ONCE):
        part = list(map(keeps_case.edit, texts[start : start + _AT_ONCE]))
        is_plain = [isinstance(tokenizer, ByteTokenizer) and not _EDITED(text) for text in part]
        edited = [text for text, plain in zip(part, is_plain, strict=True) if not plain]
        rows = map(_cut, edited, counting.split(edited), repeat(counting.lowercase))
        lines = _cut_at_once(list(compress(part, is_plain)), tokenizer) if any(is_plain) else rows
        yield from (next(lines if plain else rows) for plain in is_plain)


def _cut_at_once(texts: Sequence[str], tokenizer: ByteTokenizer) -> Iterator[Pieces]:
    """Yield the pieces of texts that contain their tokens, from the bytes of all of them."""
    text = Text.from_strings(texts)
    _, starts, ends, _ = tokenizer.spans(text)
    next_starts = starts[1:]
    touching = next_starts[next_starts == ends[:-1]]
    marked = np.insert(text.used, touching, ord(_CUT)).tobytes()
    lines = marked.decode("utf-8", "surrogatepass").split("\n")
    return (line.split(_CUT) for line in lines)


def _cut(text: str, tokens: Sequence[str], lowercase: bool) -> Pieces:
    """Return the pieces of a text that may hold entities."""
    searched = text.lower() if lowercase else text
    joined = "".join(tokens)
    starts: Sequence[int] = range(len(searched) + 1)
    if "".join(searched.split()) != joined:
        matches = list(_CHARACTERS.finditer(searched))
        starts = [match.start() for match in matches] + [len(searched)]
        searched = "".join(unescape(unescape(match[0])) for match in matches)
    has_tokens = "".join(searched.split()) == joined and "" not in tokens
    if not has_tokens or starts[-1] != len(text):
        return text
    pieces: list[str | tuple[str, str]] = []
    start = end = 0  # of the piece in `text`, of the last token in `searched`
    for token in tokens:
        first = searched.find(token, end)
        if first < 0:
            return text
        touches = first == end
        end = first + len(token)
        low, high = starts[first], starts[end]
        is_replaced = high - low > len(token)
        if low > start and (touches or is_replaced):
            pieces.append(text[start:low])
            start = low
        if is_replaced:
            pieces.append((text[low:high], token))
            start = high
    return [*pieces, text[start:]]
