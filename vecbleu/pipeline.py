"""The story: blocks of segments -> token ids -> n-gram matches -> statistics -> BLEU."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from vecbleu.files import Path, read_blocks
from vecbleu.inputs import Corpus, align
from vecbleu.lengths import REF_LENGTHS, reference_lengths
from vecbleu.ngrams import clipped_matches
from vecbleu.ragged import Int64, Ragged
from vecbleu.scores import BleuScore, Weights, bleu, corpus_score, resolve_formula
from vecbleu.statistics import Statistics
from vecbleu.text import Text
from vecbleu.tokenizers import TOKENIZERS
from vecbleu.tokens import UnitError, sequence_ids, span_ids

Tokenize = str | Callable[[str], Sequence[str]]

# Bytes read from each file at a time.
_FILE_BLOCK = 1 << 18


@dataclass(frozen=True, slots=True)
class Counting:
    """The checked options of counting: everything that the statistics depend on."""

    tokenize: Tokenize = "13a"
    lowercase: bool = False
    max_order: int = 4
    ref_length: str = "closest"

    def __post_init__(self) -> None:
        if not callable(self.tokenize) and self.tokenize not in TOKENIZERS:
            raise ValueError(
                f"tokenize is {self.tokenize!r}, expected one of {', '.join(sorted(TOKENIZERS))}, "
                "or a callable from str to a list of str"
            )
        if self.ref_length not in REF_LENGTHS:
            raise ValueError(
                f"ref_length is {self.ref_length!r}, expected one of {', '.join(REF_LENGTHS)}"
            )
        if not isinstance(self.max_order, (int, np.integer)):
            raise TypeError(f"max_order is {self.max_order!r}, expected an integer")
        if self.max_order < 1:
            raise ValueError(f"max_order is {self.max_order}, expected at least 1")

    def text_ids(self, text: Text) -> Ragged:
        """Tokenize a text and turn its tokens into ids."""
        if self.lowercase:
            text = text.lower()
        if callable(self.tokenize):
            return sequence_ids([*map(self._call, range(len(text)), text.strings())])
        return span_ids(TOKENIZERS[self.tokenize](text))

    def _call(self, unit: int, string: str) -> Sequence[str]:
        """Run the user's tokenizer on one unit."""
        assert callable(self.tokenize)
        tokens = self.tokenize(string)
        if not isinstance(tokens, (list, tuple)):
            raise UnitError(unit, f"tokenize returned {type(tokens).__name__}, expected a list")
        return tokens

    def block_ids(self, block: Corpus) -> Ragged:
        """The ids of a block of any kind."""
        if isinstance(block.units, Ragged):
            return block.units
        try:
            if block.kind == "text":
                return self.text_ids(Text.from_strings(block.units))
            return sequence_ids(block.units)
        except UnitError as error:
            raise TypeError(f"{block.locate(error.unit)}: {error}") from None

    def count(self, units: Ragged, segments: Int64) -> Statistics:
        """Statistics of segments whose units are each a hypothesis and its references."""
        lengths = units.lengths
        is_hypothesis = np.zeros(len(lengths), bool)
        is_hypothesis[segments[:-1]] = True
        hyp_len = lengths[is_hypothesis]
        ref_len = reference_lengths(
            hyp_len, lengths[~is_hypothesis], np.diff(segments) - 1, self.ref_length
        )
        totals = np.maximum(hyp_len[:, None] - np.arange(self.max_order), 0)  # (segments, orders)
        return Statistics(
            hyp_len, ref_len, clipped_matches(units, segments, self.max_order), totals
        )

    def gather(self, blocks: Iterable[Statistics]) -> Statistics:
        """The rows of all blocks; none of them are rows too."""
        return Statistics.concatenate(
            [*blocks] or [self.count(Ragged.from_arrays([]), np.zeros(1, np.int64))]
        )


def count_corpus(corpus: Corpus, counting: Counting) -> Statistics:
    """Statistics of aligned segments, block by block."""
    return counting.gather(
        counting.count(counting.block_ids(block), block.segments) for block in corpus.blocks()
    )


def count_files(paths: Sequence[Path], counting: Counting) -> Iterable[Statistics]:
    """Statistics of the lines of a hypothesis file and its reference files, block by block."""
    files, first = len(paths), 1
    for text in read_blocks(paths, _FILE_BLOCK):
        size = len(text) // files
        try:
            ids = counting.text_ids(text)
        except UnitError as error:
            file, line = divmod(error.unit, size)
            raise TypeError(f"{paths[file]}: line {first + line}: {error}") from None
        by_segment = np.arange(files * size).reshape(files, size).T.reshape(-1)
        yield counting.count(ids.take(by_segment), np.arange(0, files * size + 1, files))
        first += size


def statistics(
    hypotheses: Any,
    references: Any,
    *,
    tokenize: Tokenize = "13a",
    lowercase: bool = False,
    max_order: int = 4,
    ref_length: str = "closest",
    pad_id: int | None = None,
) -> Statistics:
    """Count what BLEU is computed from: one row a segment.

    Parameters
    ----------
    hypotheses : sequence (segments,)
        Strings (they are tokenized); or sequences of hashable tokens, compared with ``==``; or
        1-D integer arrays; or one 2-D integer array (segments, width); or a `Ragged`.
    references : sequence (segments,)
        ``references[i]`` is what belongs to segment i: one reference of the kind that the
        hypotheses are, or a sequence of any number of them. For 2-D arrays also (segments, width)
        or (segments, references, width).
    tokenize : {"13a", "none"} or callable
        mteval-v13a as sacreBLEU runs it; `str.split`; or any function from a string to a list of
        strings. Token sequences are never tokenized again.
    lowercase : bool
        Apply `str.lower` to the strings first.
    max_order : int
        The longest n-gram counted, N.
    ref_length : {"closest", "shortest", "average", "longest"}
        Which of several references' lengths counts; "closest" takes the shorter of two that are
        equally close.
    pad_id : int, optional
        In integer arrays, this id is no token, wherever it stands.

    Returns
    -------
    Statistics
        S rows of lengths, matches and totals.

    Raises
    ------
    TypeError
        Something is not a string, a sequence of hashable tokens, or an integer array.
    ValueError
        The sides differ in length, a segment has no reference, or an option is unknown.

    Examples
    --------
    >>> import vecbleu
    >>> stats = vecbleu.statistics(["the cat", "a dog!"], ["the cat", ["a dog!", "some dog!"]])
    >>> stats.matches.tolist()
    [[2, 1, 0, 0], [3, 2, 1, 0]]
    >>> vecbleu.statistics([[3, 1, 4]], [[[3, 1], [1, 4, 1]]], max_order=2).ref_len.tolist()
    [3]
    """
    counting = Counting(tokenize, lowercase, max_order, ref_length)
    corpus = align(hypotheses, references, pad_id=pad_id)
    if lowercase and corpus.kind != "text" and len(corpus):
        raise ValueError("lowercase is for strings; hypotheses holds token sequences or ids")
    return count_corpus(corpus, counting)


def file_statistics(
    hypothesis_path: Path,
    reference_paths: Path | Sequence[Path],
    *,
    tokenize: Tokenize = "13a",
    lowercase: bool = False,
    max_order: int = 4,
    ref_length: str = "closest",
) -> Statistics:
    r"""Count the statistics of text files, one segment a line, in constant memory.

    Lines end with ``\n`` and nothing else, as in sacreBLEU; a carriage return is white space.
    Files whose names end in ``.gz`` are decompressed; ``"-"`` is standard input.

    Parameters
    ----------
    hypothesis_path : path
        UTF-8 text.
    reference_paths : path, or sequence of paths
        One file for each reference.
    tokenize, lowercase, max_order, ref_length
        As for `statistics`.

    Returns
    -------
    Statistics
        A row a line.

    Raises
    ------
    OSError
        A file can't be opened.
    ValueError
        The files differ in their numbers of lines, or one is not UTF-8; the message names path
        and line.

    Examples
    --------
    >>> import pathlib, tempfile, vecbleu
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "hyp").write_text("the cat\na dog\n")
    >>> _ = (folder / "ref").write_text("the cat\nthe dog\n")
    >>> vecbleu.file_statistics(folder / "hyp", folder / "ref").matches[:, 0].tolist()
    [2, 1]
    """
    counting = Counting(tokenize, lowercase, max_order, ref_length)
    paths = [hypothesis_path, *as_paths(reference_paths)]
    return counting.gather(count_files(paths, counting))


def as_paths(paths: Path | Sequence[Path]) -> list[Path]:
    """One path or several as a list."""
    several = list(paths) if isinstance(paths, (list, tuple)) else [paths]
    if not several:
        raise ValueError("reference_paths is empty: there are 0 reference files")
    return several  # type: ignore[return-value]


def corpus_bleu(
    hypotheses: Any,
    references: Any,
    *,
    tokenize: Tokenize = "13a",
    lowercase: bool = False,
    max_order: int = 4,
    weights: Weights | None = None,
    smoothing: str = "none",
    smoothing_value: float | None = None,
    effective_order: bool = False,
    ref_length: str = "closest",
    pad_id: int | None = None,
) -> BleuScore | tuple[BleuScore, ...]:
    """Score a corpus: BLEU of the sum of all segments' statistics.

    Parameters
    ----------
    hypotheses, references, tokenize, lowercase, max_order, ref_length, pad_id
        As for `statistics`.
    weights, smoothing, smoothing_value, effective_order
        As for `bleu`.

    Returns
    -------
    BleuScore, or a tuple of them
        One for each of several sets of weights. ``float(score)`` is on 0 to 1. An empty corpus
        scores 0.

    Raises
    ------
    TypeError, ValueError
        As `statistics` and `bleu` do.

    Examples
    --------
    >>> import vecbleu
    >>> score = vecbleu.corpus_bleu(["The cat sat on the mat."], ["The cat sat on a mat."])
    >>> round(float(score), 4)
    0.4889
    """
    formula = resolve_formula(max_order, weights, smoothing, smoothing_value, effective_order)
    counted = statistics(
        hypotheses,
        references,
        tokenize=tokenize,
        lowercase=lowercase,
        max_order=max_order,
        ref_length=ref_length,
        pad_id=pad_id,
    )
    return corpus_score(counted.sum(), formula)


def sentence_bleu(
    hypotheses: Any,
    references: Any,
    *,
    tokenize: Tokenize = "13a",
    lowercase: bool = False,
    max_order: int = 4,
    weights: Weights | None = None,
    smoothing: str = "none",
    smoothing_value: float | None = None,
    effective_order: bool = False,
    ref_length: str = "closest",
    pad_id: int | None = None,
) -> Any:
    """Score every segment by itself, all in one call.

    Parameters
    ----------
    hypotheses, references, tokenize, lowercase, max_order, ref_length, pad_id
        As for `statistics`: many segments, not one.
    weights, smoothing, smoothing_value, effective_order
        As for `bleu`.

    Returns
    -------
    float64 array (segments,), or (segments, W) for W sets of weights
        On 0 to 1.

    Raises
    ------
    TypeError, ValueError
        As `statistics` and `bleu` do.

    Examples
    --------
    >>> import vecbleu
    >>> hypotheses = ["the cat sat on the mat", "a dog barked"]
    >>> references = ["the cat sat on a mat", "the dog barked"]
    >>> vecbleu.sentence_bleu(hypotheses, references, smoothing="exp").round(4).tolist()
    [0.5373, 0.0]
    >>> vecbleu.sentence_bleu(
    ...     hypotheses, references, smoothing="exp", effective_order=True
    ... ).round(4).tolist()
    [0.5373, 0.5503]
    """
    counted = statistics(
        hypotheses,
        references,
        tokenize=tokenize,
        lowercase=lowercase,
        max_order=max_order,
        ref_length=ref_length,
        pad_id=pad_id,
    )
    return bleu(
        counted,
        weights=weights,
        smoothing=smoothing,
        smoothing_value=smoothing_value,
        effective_order=effective_order,
    )
