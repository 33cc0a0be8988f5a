"""Minimum Bayes risk: expected scores and `vecbleu mbr` against loops over sentence scores."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

import vecbleu
from vecbleu import chrf
from vecbleu.sets import matrices

WORDS = "a", "the", "cat", "", "ab c", "x y z w v", "naïve\u2028", "\x00"
FUNCTIONS = {
    "bleu": (vecbleu.expected_bleu, vecbleu.sentence_bleu),
    "chrf": (chrf.expected_chrf, chrf.sentence_chrf),
}


def means(metric, own, others, log_probs, leave_one_out, **options):
    """The expected score of each candidate of a source, pair by pair."""
    _, sentence_score = FUNCTIONS[metric]
    most = max(map(float, log_probs)) if log_probs is not None and len(log_probs) else 0
    found = []
    for number, candidate in enumerate(own):
        kept = [k for k in range(len(others)) if not (leave_one_out and k == number)]
        scores = [float(sentence_score([candidate], [others[k]], **options)[0]) for k in kept]
        weights = [1 if log_probs is None else math.exp(log_probs[k] - most) for k in kept]
        pairs = zip(weights, scores, strict=True)
        found.append(math.fsum(weight * score for weight, score in pairs) / math.fsum(weights))
    return found


@pytest.mark.parametrize("metric", FUNCTIONS)
@pytest.mark.parametrize("batch", [1 << 17, 40, 1])
def test_weighted_and_left_out_means_are_those_of_all_pairs(monkeypatch, metric, batch):
    monkeypatch.setattr(matrices, "_BATCH", batch)
    random_ = random.Random(batch)
    expected_scores, _ = FUNCTIONS[metric]

    def text():
        return " ".join(random_.choices(WORDS, k=random_.randrange(7)))

    for _ in range(40):
        leave_one_out = random_.random() < 0.5
        sizes = [random_.randrange(2 * leave_one_out, 7) for _ in range(random_.randrange(1, 5))]
        sources = [[text() for _ in range(size)] for size in sizes]
        references = None
        if not leave_one_out and random_.random() < 0.5:
            references = [[text() for _ in range(random_.randrange(1, 5))] for _ in sizes]
        log_probs = [
            np.array([random_.uniform(-9, 3) for _ in several]) for several in references or sources
        ]
        log_probs = random_.choice([None, log_probs, [row.tolist() for row in log_probs]])
        found = expected_scores(
            sources, references, log_probs=log_probs, leave_one_out=leave_one_out
        )
        for number, own in enumerate(sources):
            others = own if references is None else references[number]
            row = None if log_probs is None else log_probs[number]
            expected = means(metric, own, others, row, leave_one_out)
            assert found[number].tolist() == pytest.approx(expected, rel=0, abs=1e-13)


def test_far_less_probable_others_still_have_a_mean():
    texts = ["the cat sat", "a dog", "the cat"]
    far = vecbleu.expected_bleu([texts], log_probs=[[0, -2000, -3000]], leave_one_out=True)[0]
    assert far[1:].tolist() == vecbleu.sentence_bleu(texts[1:], [texts[0]] * 2).tolist()
    assert np.isfinite(far).all()


MISTAKES = [
    ({"log_probs": [[1, 2]]}, "log_probs has 1 candidates 2"),
    ({"log_probs": [[1, 2], [1, 2]]}, "log_probs[1] 2 candidates[1] 1"),
    ({"log_probs": [[1, 2], [math.inf]]}, "log_probs[1][0] inf"),
    ({"log_probs": [[1, "x"], [1]]}, "log_probs[0][1] 'x' number"),
    ({"log_probs": 3}, "log_probs 3"),
    ({"log_probs": [[1], [2]], "references": [["a"], ["b", "c"]]}, "log_probs[1] references[1] 2"),
    ({"leave_one_out": True}, "candidates[1] 1 2 leave_one_out"),
    ({"leave_one_out": True, "references": [["a"], ["b"]]}, "leave_one_out True references"),
    ({"leave_one_out": "yes"}, "leave_one_out 'yes'"),
]


@pytest.mark.parametrize("metric", FUNCTIONS)
@pytest.mark.parametrize(("arguments", "told"), MISTAKES)
def test_a_mistake_names_the_argument(metric, arguments, told):
    with pytest.raises((ValueError, TypeError)) as raised:
        FUNCTIONS[metric][0]([["a", "b"], ["c"]], **arguments)
    assert all(part in str(raised.value) for part in told.split())
