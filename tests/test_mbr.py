"""Minimum Bayes risk: expected scores and `vecbleu mbr` against loops over sentence scores."""

from __future__ import annotations

import json
import math
import random
import re

import numpy as np
import pytest
from command import lines, run, write_lines

import vecbleu
from vecbleu import chrf
from vecbleu.sets import matrices, pairs

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
        weighted = zip(weights, scores, strict=True)
        found.append(math.fsum(weight * score for weight, score in weighted) / math.fsum(weights))
    return found


@pytest.mark.parametrize("metric", FUNCTIONS)
@pytest.mark.parametrize("batch", [1 << 17, 40, 1])
def test_weighted_and_left_out_means_are_those_of_all_pairs(monkeypatch, metric, batch):
    monkeypatch.setattr(matrices, "_BATCH", batch)
    monkeypatch.setattr(pairs, "_TOKENS", 5 * batch)  # of rows that are counted together
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


def test_only_differences_of_log_probabilities_matter():
    texts = ["the cat sat", "a dog", "the cat"]
    shifted = [
        vecbleu.expected_bleu([texts], log_probs=[[first, first - 1, first - 2]])[0].tolist()
        for first in (0, -5000, 5000)
    ]
    assert shifted == [shifted[0]] * 3
    far = vecbleu.expected_bleu([texts], log_probs=[[0, -2000, -3000]], leave_one_out=True)[0]
    assert far[1:].tolist() == vecbleu.sentence_bleu(texts[1:], [texts[0]] * 2).tolist()
    assert np.isfinite(far).all()


@pytest.mark.parametrize("metric", FUNCTIONS)
def test_sources_without_a_candidate_need_no_reference(metric):
    expected_scores, sentence_score = FUNCTIONS[metric]
    sources, references = [[], ["a cat"], [], []], [[], ["the cat"], ["a"], []]
    found = expected_scores(sources, references)
    score = float(sentence_score(["a cat"], ["the cat"])[0])
    assert [own.tolist() for own in found] == [[], [score], [], []]
    assert [len(own) for own in expected_scores(sources)] == [0, 1, 0, 0]


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


LISTED = [
    ["the cat sat on the mat", "a cat sat on the mat", "the cat sat on the mat"],
    ["", "it rained |", "it is raining"],
    ["naïve 猫\x85 cat", "naïve 猫"],
]
OTHERS = [["the cat sat on a mat"], ["it rains", "it rained", "rain"], ["naïve cats", "猫"]]


def listed(sources):
    """Lines of an n-best list, as Moses and Marian write them, and as simple programs do."""
    ends = " ||| F0= -2.5 LM= -1 ||| -0.5", " ||| 0-0 ||| F0= -9 ||| -3 ||| 1-1", "", " |||"
    found = []
    for number, texts in enumerate(sources):
        for text in texts:
            found.append(f"{number} ||| {text}{ends[len(found) % len(ends)]}")
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mbr")
    logs = {
        name: [f" {-number / 3} " for number in range(sum(map(len, sources)))]
        for name, sources in (("logs", LISTED), ("other-logs", OTHERS))
    }
    texts = {"list": listed(LISTED), "others": listed(OTHERS), "real": ["a cat", "it rains", "猫"]}
    write_lines(folder, texts | logs)
    return folder


@pytest.mark.parametrize(
    ("words", "references", "leave_one_out", "logs"),
    [
        ("-i list", None, False, None),
        ("-i list --leave-one-out", None, True, None),
        ("-i list --log-probs logs", None, False, "logs"),
        ("-i list --log-probs logs --leave-one-out", None, True, "logs"),
        ("others -i list --log-probs other-logs", OTHERS, False, "other-logs"),
        ("real -p 1 -i list", [["a cat"], ["it rains"], ["猫"]], False, None),
    ],
)
@pytest.mark.parametrize(
    ("metric", "further", "options"),
    [
        ("bleu", "", {}),
        ("bleu", "-s floor -lc", {"smoothing": "floor", "lowercase": True}),
        ("chrf", "-m chrf -cw 2 --chrf-beta 3", {"word_order": 2, "beta": 3}),
    ],
)
def test_lists_are_ranked_as_by_loops(
    folder, words, references, leave_one_out, logs, metric, further, options
):
    values = logs and [*map(float, (folder / logs).read_text().split())]
    expected = []
    for source, own in enumerate(LISTED):
        others = own if references is None else references[source]
        of_source = None
        if logs:
            of_source, values = values[: len(others)], values[len(others) :]
        scores = means(metric, own, others, of_source, leave_one_out, **options)
        order = sorted(range(len(own)), key=lambda k: -round(scores[k], 12))
        expected.append([(source, k, 100 * scores[k], own[k]) for k in order])
    command = f"mbr {words} {further}".split()
    best = [row[0] for row in expected]
    rows = [row for of_source in expected for row in of_source]
    texts = "".join(f"{text}\n" for *_, text in best)
    assert run(folder, *command).stdout.decode() == texts
    scored = "".join(f"{score:.2f}\t{text}\n" for _, _, score, text in best)
    assert run(folder, *command, "--scores").stdout.decode() == scored
    ranked = "".join(f"{source}\t{score:.2f}\t{text}\n" for source, _, score, text in rows)
    assert run(folder, *command, "--ranked").stdout.decode() == ranked
    name = {"bleu": "BLEU", "chrf": "chrF3++"}[metric]
    for flags, shown in (["--json"], best), (["--json", "--ranked"], rows):
        found = [json.loads(line) for line in lines(run(folder, *command, *flags))]
        assert [(row["source"], row["candidate"] - 1, row["text"]) for row in found] == [
            (source, k, text) for source, k, _, text in shown
        ]
        assert [row[name] for row in found] == pytest.approx([row[2] for row in shown], abs=1e-9)
        assert all(re.match(rf"{re.escape(name)}\|nrefs:1\|", row["signature"]) for row in found)


def test_records_name_the_file_without_its_folder(tmp_path):
    (tmp_path / "runs").mkdir()
    write_lines(tmp_path, {"runs/list": listed(LISTED)})
    found = [json.loads(line) for line in lines(run(tmp_path, "mbr", "-i", "runs/list", "--json"))]
    assert [row["system"] for row in found] == ["list"] * len(LISTED)
