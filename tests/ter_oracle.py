"""The edits of TER, cell by cell: slow, short, and sharing nothing with the library."""

from __future__ import annotations

import math
from itertools import groupby, product

BEAM, FARTHEST, LONGEST, MOST = 25, 50, 10, 1000


def edits(hypothesis, reference):
    """Shift the block that helps most, again and again; then insert, delete and replace words."""
    words, reference = [*hypothesis], [*reference]
    if not words or not reference:
        return len(words) + len(reference)
    shifts = tried = 0
    while True:
        distance, path = edit_distance(words, reference)
        found = [*allowed_shifts(words, reference, path)]
        tried += len(found)
        if tried >= MOST:
            return shifts + distance
        ranks = [(0, 0, 0, 0)]
        for start, length, target in found:
            gain = distance - edit_distance(shifted(words, start, length, target), reference)[0]
            ranks.append((gain, length, -start, -target))
        gain, length, start, target = max(ranks)
        if gain <= 0:
            return shifts + distance
        words = shifted(words, -start, length, -target)
        shifts += 1


def edit_distance(words, reference):
    """The distance, and the edits on the path to it; only cells near the diagonal are reached."""
    n, m = len(words), len(reference)
    ratio = m / n
    width = BEAM if ratio / 2 <= BEAM else math.ceil(ratio / 2 + BEAM)
    cells = {(0, j): (j, "insert") for j in range(m + 1)}
    beyond = math.inf, ""
    for i, word in enumerate(words, 1):
        diagonal = math.floor(i * ratio)
        end = m + 1 if i == n else min(m + 1, diagonal + width)
        for j in range(max(0, diagonal - width), end):
            is_match = j > 0 and word == reference[j - 1]
            ways = [
                (cells.get((i - 1, j - 1), beyond)[0] + (not is_match), "match or replace"),
                (cells.get((i - 1, j), beyond)[0] + 1, "delete"),
                (cells.get((i, j - 1), beyond)[0] + 1, "insert"),
            ]
            cells[i, j] = min(ways, key=lambda way: way[0])  # the first of equal ones
    path, i, j = [], n, m
    while i or j:
        edit = cells[i, j][1]
        i -= edit != "insert"
        j -= edit != "delete"
        is_match = edit == "match or replace" and words[i] == reference[j]
        path.append("match" if is_match else edit)
    return cells[n, m][0], path[::-1]


def allowed_shifts(words, reference, path):
    """Yield start, length and target: blocks that the reference has, too, in places that differ."""
    places, wrong_words, wrong_targets, last = [], [], [], -1
    for edit in path:
        if edit != "insert":
            last += 1
            wrong_words.append(edit != "match")
        if edit != "delete":
            places.append(last)  # the word of the hypothesis that a reference word is aligned to
            wrong_targets.append(edit != "match")
    for start, first in product(range(len(words)), range(len(reference))):
        most = min(LONGEST, len(words) - start, len(reference) - first)
        for length in range(1, most + 1):
            end = start + length
            if abs(start - first) > FARTHEST or words[end - 1] != reference[first + length - 1]:
                break
            is_wrong = any(wrong_words[start:end]) and any(wrong_targets[first : first + length])
            if is_wrong and not start <= places[first] < end:
                targets = [-1, *places][first : first + length + 1]
                yield from ((start, length, target + 1) for target, _ in groupby(targets))


def shifted(words, start, length, target):
    """Move a block to before the target; inside itself, it moves right by as many words."""
    end = start + length
    rest = words[:start] + words[end:]
    place = target - length if target > end else target
    return rest[:place] + words[start:end] + rest[place:]
