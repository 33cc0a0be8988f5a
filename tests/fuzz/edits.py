"""The edits of TER by arrays and in plain Python; some of them are sacreBLEU's and the oracle's."""

from __future__ import annotations

import ter_oracle
from conftest import blocks_of
from sacrebleu.metrics.lib_ter import translation_edit_rate

from fuzz.cases import differences
from vecbleu import ter

SHARE = 0.03  # of the pairs that sacreBLEU and the oracle, which are slow, get


def check_edits(random, size):
    """Pairs of words, all at once as arrays, and one by one."""
    pairs = [draw_pair(random) for _ in range(size)]
    hypotheses, references = ([*map(text_of, side)] for side in zip(*pairs, strict=True))
    with blocks_of(random.choice([300, 5000, 50_000, 10**9])):
        arrays = ter.statistics(hypotheses, references, workers=1).array[:, 0].tolist()
    plain = [
        int(ter.statistics([one], [other]).array[0, 0])
        for one, other in zip(hypotheses, references, strict=True)
    ]
    yield from differences("words", pairs, arrays=arrays, plain=plain)
    for number, (pair, edits) in enumerate(zip(pairs, arrays, strict=True)):
        hypothesis, reference = pair
        cells = len(hypothesis) * len(reference)
        if random.random() < SHARE:
            found = {"sacreBLEU": [translation_edit_rate(*pair)[0]]} if reference else {}
            if cells < 300:
                found["oracle"] = [ter_oracle.edits(*pair)]
            for _, text in differences("words", [pair], **found, arrays=[edits]):
                yield number, text


def text_of(words):
    return " ".join(f"w{word}" for word in words)


def draw_pair(random):
    """Words of a hypothesis and of its reference, which most often shares blocks of them."""
    vocabulary = random.choice([1, 2, 2, 3, 5, 10, 30, 300])
    longest = random.choices([6, 12, 30, 70, 150], [40, 30, 20, 8, 2])[0]
    reference = draw_words(random, vocabulary, longest)
    kind = random.random()
    if kind < 0.1:
        return draw_words(random, vocabulary, longest), reference
    if kind < 0.13:  # the beam is as wide as the reference asks for
        size = random.randint(1, 3)
        reference = draw_words(random, vocabulary, 50 * size + random.choice([1, 5, 90]))
        start = random.randrange(len(reference) + 1)
        return reference[start : start + size] or [0] * size, reference
    if kind < 0.16:  # words leave the beam
        reference = random.choices(range(vocabulary), k=random.randint(55, 130))
        cut = random.randint(23, 50)
        return edited(random, reference[cut:] + reference[:cut], vocabulary), reference
    hypothesis = shuffled(random, reference)
    return edited(random, hypothesis, vocabulary), reference


def draw_words(random, vocabulary, longest):
    return random.choices(range(vocabulary), k=random.randint(0, longest))


def shuffled(random, words):
    """Some neighboring blocks of words swapped."""
    words = [*words]
    for _ in range(random.choice([0, 1, 1, 2, 3, 5])):
        first, middle, last = sorted(random.randint(0, len(words)) for _ in range(3))
        words[first:last] = words[middle:last] + words[first:middle]
    return words


def edited(random, words, vocabulary):
    """Some words replaced, repeated or left out."""
    for _ in range(random.randint(0, random.choice([0, 2, 5, 12]))):
        place, size = random.randint(0, len(words)), random.choice([1, 1, 1, 7])
        kind = random.choice(["replace", "insert", "delete"])
        word = random.randrange(vocabulary)
        if kind == "replace":
            words[place : place + 1] = [word]
        elif kind == "insert":
            words[place:place] = [word] * size
        else:
            del words[place : place + size]
    return words
