r"""TER in plain Python: count the edits of a pair of units, and score a row.

This is the definition, and the fastest way for a few segments.

**Edits.** TER counts the words to insert, to delete and to replace, and the blocks of words to
shift, until a hypothesis is its reference. Shifts are made one by one: of all that the rules allow
(`_shifts`), the one that lowers the edit distance most, until none lowers it.

**Rows as bits.** D[i, j] is the edit distance of the first i words of the hypothesis and the first
j words of the reference. Neighbors in a row differ by -1, 0 or 1, so two integers hold a row: bit j
of `rise` says that D[i, j] = D[i, j - 1] + 1, bit j of `fall` that D[i, j] = D[i, j - 1] - 1. Bit j
of `same` says that word i of the hypothesis is word j of the reference. From `same` and the row
before, `_rows_after` computes a row in some ten operations (Myers 1999, Hyyrö 2003), whatever its
length: the addition carries along the row what would be carried cell by cell. Two more integers
tell the edits: `stay`, where D[i, j] = D[i - 1, j - 1], and `delete`, where D[i, j] =
D[i - 1, j] + 1. The edit of a cell is the first that holds:

    match or replace if `same` or not `stay`; delete if `delete`; insert

Example: the hypothesis ``c a b`` and the reference ``a b c``; bits are written from bit 0 on.

    row     same   stay   delete  rise   fall   D[i, 0] to D[i, 3]
    0                             0111   1000   0 1 2 3
    1 c     0001   1001   1000    0010   1000   1 1 2 2
    2 a     0100   1100   1001    0011   1100   2 1 2 3
    3 b     0010   1111   1100    0001   1110   3 2 1 2

The distance is 2. Its edits are read from the end: at row 3 and column 3 insert c, at column 2
match b; in row 2 match a; in row 1 and column 0 delete c. One shift allows the same: c, to the end.
Then the distance is 0, so the pair has 1 edit.

**The beam.** Only columns near the diagonal are computed (`_beam`). What is left of them is made to
fall towards them, what is right of them to rise, so that no path leaves them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import groupby
from math import ceil, floor

from vecbleu.ter.columns import length_of_row, mean_length
from vecbleu.ter.options import TerOptions
from vecbleu.ter.tokenizer import split_reference, split_tercom

# sacreBLEU's limits: columns beside the diagonal, words of a shift, words between its places in
# both units, and shifts tried for a pair.
BEAM = 25
LONGEST_SHIFT = 10
FARTHEST_SHIFT = 50
MOST_SHIFTS = 1000

# The integers of a row: rise, fall, D[i, 0], same, stay, delete.
Row = tuple[int, int, int, int, int, int]
_FIRST_ROW: Row = -2, 1, 0, 0, 0, 0

# What a row needs of the beam: columns that can match; of the row before, what is left and right.
Masks = tuple[int, int, int]


def pair_edits(hypothesis: Sequence[Hashable], reference: Sequence[Hashable]) -> int:
    """Count the edits between two units: shifts, and the edit distance after them."""
    n, m = len(hypothesis), len(reference)
    if not n or not m:
        return n + m
    same = _same_words(hypothesis, reference)
    least = max(n, m) - _common_words(same)
    beam = _beam(n, m)
    rows = [_FIRST_ROW, *_rows_after(_FIRST_ROW, same, beam)]
    distance = _distance(rows[-1], m)
    shifts = tried = 0
    while distance > least:
        swaps: dict[tuple[int, int, int], tuple[int, int, int]] = {}  # with their best shift
        for start, length, target in _shifts(same, *_alignment(rows, beam, m)):
            tried += 1
            swap = _swap(start, length, target, n)
            rank = length, -start, -target
            swaps[swap] = max(rank, swaps.get(swap, rank))
        if tried >= MOST_SHIFTS:
            break
        best = 0, LONGEST_SHIFT + 1, 0, 0  # above all without gain
        for swap, rank in swaps.items():
            first, middle, last = swap
            words = same[middle:last] + same[first:middle] + same[last:]
            later = _rows_after(rows[first], words, beam[first:])
            gain = distance - _distance(later[-1], m)
            if (gain, *rank) > best:
                best = gain, *rank
                chosen = first, words, later
        if not best[0]:
            break
        first, words, later = chosen
        same[first:] = words
        rows[first + 1 :] = later
        distance -= best[0]
        shifts += 1
    return shifts + distance


def _same_words(hypothesis: Sequence[Hashable], reference: Sequence[Hashable]) -> list[int]:
    """Return the places in the reference of each word of the hypothesis, as bits from 1 on."""
    places: dict[Hashable, int] = {}
    for j, word in enumerate(reference, 1):
        places[word] = places.get(word, 0) | 1 << j
    return [places.get(word, 0) for word in hypothesis]


def _common_words(same: list[int]) -> int:
    """Count the words that both units have; no order of words makes more of them match."""
    used = 0
    for places in same:
        free = places & ~used
        used |= free & -free
    return used.bit_count()


def _beam(n: int, m: int) -> list[Masks]:
    """Return the masks of rows 1 to n."""
    if m < BEAM:  # all columns are in it
        return [(-1, 0, 0)] * n
    ratio = m / n
    width = BEAM if ratio / 2 <= BEAM else ceil(ratio / 2 + BEAM)
    first, end = 0, m + 1  # of the row before, then of the row
    masks = []
    for i in range(1, n + 1):
        first_before, end_before = first, end
        diagonal = floor(i * ratio)
        first = max(0, diagonal - width)
        end = m + 1 if i == n else min(m + 1, diagonal + width)
        first_match = max(first_before + 1, first)
        can_match = _columns(first_match, min(end_before + 1, end))
        masks.append((can_match, _columns(1, first_match), -1 << end_before))
    return masks


def _columns(first: int, end: int) -> int:
    """Return the bits from `first` to `end` - 1."""
    return (1 << end) - (1 << first)


def _rows_after(row: Row, words: list[int], beam: list[Masks]) -> list[Row]:
    """Return the row of each word, given the row before them."""
    rise, fall, distance = row[:3]
    rows = []
    for places, (can_match, left, right) in zip(words, beam, strict=True):
        if left:
            distance += (rise & left).bit_count() - (fall & left).bit_count() + left.bit_count()
            rise &= ~left
            fall |= left
        if right:
            rise |= right
            fall &= ~right
        same = places & can_match
        stay = (((same & rise) + rise) ^ rise) | same | fall
        delete = fall | ~(stay | rise)
        carried = delete << 1 | 1
        rise, fall = (stay & rise) << 1 | ~(stay | carried), stay & carried
        distance += 1
        rows.append((rise, fall, distance, same, stay, delete))
    return rows


def _distance(row: Row, m: int) -> int:
    """Return the last distance of a row."""
    rise, fall, distance, *_ = row
    columns = _columns(1, m + 1)
    return distance + (rise & columns).bit_count() - (fall & columns).bit_count()


def _alignment(
    rows: list[Row], beam: list[Masks], m: int
) -> tuple[list[int], list[int], list[int]]:
    """Read the edits from the end.

    Return how many words of the hypothesis there are up to the one that each word of the reference
    is aligned to, after that of no word (m + 1,); and for each word of the hypothesis, and of the
    reference, the first word from it on that does not match.
    """
    aligned = []
    hyp_error, ref_error = [], []
    column, matches, error = m, 0, _NEVER
    for i in range(len(beam), 0, -1):
        _, _, _, same, stay, delete = rows[i]
        diagonals = (same | ~stay) & beam[i - 1][0]
        stops = (diagonals | delete) & _columns(0, column + 1)
        reached = stops.bit_length() - 1  # insertions lead left to it
        is_diagonal = diagonals >> reached & 1
        if same >> reached & is_diagonal:
            matches |= 1 << reached
        else:
            error = i - 1
        hyp_error.append(error)
        aligned += [i] * (column - reached + is_diagonal)
        column = reached - is_diagonal
    error = _NEVER
    for j in range(m, 0, -1):
        if not matches >> j & 1:
            error = j - 1
        ref_error.append(error)
    aligned += [0] * (column + 1)
    return aligned[::-1], hyp_error[::-1], ref_error[::-1]


# Stands for no place.
_NEVER = 1 << 40


def _shifts(
    same: list[int], aligned: list[int], hyp_error: list[int], ref_error: list[int]
) -> Iterator[tuple[int, int, int]]:
    """Yield the start, the length and the target of each shift to try; some occur repeatedly.

    Words can be shifted if the reference has the same words, at most 50 words apart; if a word of
    both does not match; and if the first word of the reference is not aligned to one of them. They
    move behind a word that the reference's words, or the one before these, are aligned to.
    """
    runs: dict[int, int] = {}  # the number of equal words from each word of the reference on
    for start in range(len(same) - 1, -1, -1):
        places, later_runs, runs = same[start], runs, {}
        while places:
            j = places.bit_length() - 2
            places ^= 2 << j
            if abs(j - start) > FARTHEST_SHIFT:
                continue
            run = later_runs.get(j + 1, 0) + 1
            runs[j] = run
            longest = min(run, LONGEST_SHIFT)
            own = aligned[j + 1]
            if own > start:
                longest = min(longest, own - start - 1)
            shortest = max(hyp_error[start] - start, ref_error[j] - j) + 1
            for length in range(shortest, longest + 1):
                for target, _ in groupby(aligned[j : j + length + 1]):
                    yield start, length, target


def _swap(start: int, length: int, target: int, n: int) -> tuple[int, int, int]:
    """Return the two neighboring blocks that a shift swaps, as first, middle and last."""
    end = start + length
    if target < start:
        return target, start, end
    if target > end:
        return start, end, target
    return start, end, min(target + length, n)  # as sacreBLEU has it


def count_segments(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], options: TerOptions
) -> list[list[int]]:
    """Return the rows of segments: the fewest edits to a reference, and the mean length of all."""
    rows = []
    for hypothesis, lines in zip(hypotheses, references, strict=True):
        words = split_tercom(hypothesis, options)
        others = [split_reference(line, options) for line in lines]
        edits = min(pair_edits(words, other) for other in others)
        rows.append([edits, *mean_length(sum(map(len, others)), len(others))])
    return rows


def row_percent(row: Sequence[int]) -> float:
    """Compute TER of one row (3,), from 0 on; it is 100 if only the references are empty."""
    length = length_of_row(row)
    if length:
        return 100 * (row[0] / length)
    return 100.0 if row[0] else 0.0
