"""`BleuScore`: a number that keeps its parts, and its signature."""

from __future__ import annotations

import io
import json
import tempfile
from pathlib import Path

import numpy as np
import pytest
import sacrebleu
from corpora import COLUMNS, write_lines
from processes import output_of

import vecbleu
from vecbleu import chrf, ter

HYPOTHESES = ["the cat sat on the mat", "a dog barked"]
REFERENCES = ["the cat sat on a mat", "the dog barked"]
PEER = sacrebleu.corpus_bleu(HYPOTHESES, [REFERENCES])
SCORE = vecbleu.corpus_bleu(HYPOTHESES, REFERENCES)


def test_the_number_and_its_parts_are_sacrebleus():
    """Of more corpora in test_sacrebleu.py."""
    assert float(SCORE) == SCORE.percent / 100
    precisions = "/".join(f"{precision / 100:.4f}" for precision in PEER.precisions)
    line = f"BLEU = {PEER.score / 100:.4f} {precisions} {PEER._verbose.partition(' ')[2]}"
    assert repr(SCORE) == line
    shown = SCORE.table().to_dict()
    assert (shown["matches"], shown["total"]) == (PEER.counts, PEER.totals)
    assert shown["precision"] == pytest.approx([*SCORE.precisions])
    shown = f"{SCORE} {SCORE:.3f} {json.dumps(SCORE)}"
    assert shown == f"{float(SCORE)} {float(SCORE):.3f} {json.dumps(float(SCORE))}"
    assert type(SCORE + 1) is float
    with pytest.raises(AttributeError):
        SCORE.matches = ()


SCORES = [SCORE, chrf.corpus_chrf(HYPOTHESES, REFERENCES), ter.corpus_ter(HYPOTHESES, REFERENCES)]


@pytest.mark.parametrize("score", SCORES)
def test_a_score_keeps_what_it_was_made_of(score):
    made, (row, *others) = score.__reduce__()
    own = list(row)
    again = made(own, *others)
    own[:] = [0] * len(own)
    assert (again, again.table().to_dict()) == (score, score.table().to_dict())


@pytest.mark.parametrize("score", SCORES)
def test_json_keeps_what_is_named(score):
    assert type(score.to_dict()["score"]) is float
    kept = json.loads(json.dumps(score.to_dict()))
    assert (kept["percent"], kept["signature"]) == (score.percent, str(score.signature))


@pytest.mark.parametrize("score", SCORES)
def test_sacrebleus_attribute_is_refused_and_the_percentage_is_named(score):
    assert not hasattr(score, "score")
    with pytest.raises(AttributeError, match="percent"):
        score.score  # noqa: B018


@pytest.mark.parametrize("imports", ["yaml, vecbleu", "vecbleu, yaml"])
def test_yaml_writes_scores_as_numbers(imports):
    pytest.importorskip("yaml")
    code = f"""
        import pickle, {imports}
        for metric in vecbleu.corpus_bleu, vecbleu.chrf.corpus_chrf, vecbleu.ter.corpus_ter:
            score = metric(["the cat sat on the mat"], ["the cat sat on a mat"])
            for value in score, pickle.loads(pickle.dumps(score)), metric(["a"], ["b"]):
                for dumper in yaml.SafeDumper, getattr(yaml, "CSafeDumper", yaml.SafeDumper):
                    written = yaml.dump({{"score": value}}, Dumper=dumper)
                    assert written == yaml.safe_dump({{"score": float(value)}})
                    assert yaml.safe_load(written) == {{"score": value}}
    """
    assert output_of(code) == ""


TEXT = "case:mixed|eff:no|tok:13a|smooth:exp"
OTHERS = {"tokenize": "intl", "lowercase": True, "smoothing": "floor", "smoothing_value": 0.3}
OTHERS |= {"effective_order": True}


@pytest.mark.parametrize(
    ("given", "options", "expected"),
    [
        ((["a"], [["a", "b"]]), {}, f"nrefs:2|{TEXT}"),
        ((["a", "b"], [["a", "b"], "a"]), {}, f"nrefs:var|{TEXT}"),
        (([], []), {}, "eff:no|smooth:exp"),
        ((np.array([[1, 2]]), np.array([[[1, 2], [2, 1]]])), {}, "nrefs:2|eff:no|smooth:exp"),
        ((["a"], ["a"]), {"tokenize": str.split}, "nrefs:1|case:mixed|eff:no|smooth:exp"),
        ((["a"], ["a"]), {"max_order": 2}, f"nrefs:1|{TEXT}|max_order:2"),
        ((["a"], ["a"]), OTHERS, "nrefs:1|case:lc|eff:yes|tok:intl|smooth:floor[0.30]"),
        ((["a"], ["a"]), {"ref_length": "shortest"}, f"nrefs:1|{TEXT}|ref_length:shortest"),
        ((["a"], ["a"]), {"weights": [0.25] * 4}, f"nrefs:1|{TEXT}"),
        ((["a"], ["a"]), {"smoothing": "skip-zero"}, f"nrefs:1|{TEXT[:-3]}skip-zero"),
        ((["a"], ["a"]), {"weights": [0.75, 0.25]}, f"nrefs:1|{TEXT}|weights:0.75/0.25"),
        ((["a"], ["a"]), {"weights": np.array([0.75, 0.25])}, f"nrefs:1|{TEXT}|weights:0.75/0.25"),
        ((["a"], vecbleu.SharedReferences(["a", "b", "c"])), {}, f"nrefs:3|{TEXT}"),
        (map(COLUMNS["array"], (["a", "b"], [["a"], ["a", "b"]])), {}, f"nrefs:var|{TEXT}"),
    ],
)
def test_signatures_leave_out_what_is_not_known(given, options, expected):
    score = vecbleu.corpus_bleu(*given, **options)
    assert score.signature.format(version=False) == expected


# Each way to score a corpus: a function of both sides, options of counting, and of scoring.
WAYS = {
    "corpus": lambda h, r, counting, scoring: vecbleu.corpus_bleu(h, r, **counting, **scoring),
    "table": lambda h, r, counting, scoring: vecbleu.statistics(h, r, **counting).score(**scoring),
    "files": lambda h, r, counting, scoring: of_files(h, r, **counting).score(**scoring),
    "saved": lambda h, r, counting, scoring: saved(h, r, **counting).score(**scoring),
    "batches": lambda h, r, counting, scoring: in_batches(h, r, **counting, **scoring),
    "rows": lambda h, r, counting, scoring: next(
        vecbleu.statistics(h, r, **counting).row_scores(**scoring)
    ),
    "explained": lambda h, r, counting, scoring: (
        vecbleu.explain(h[0], r[0], **{"effective_order": False, **counting, **scoring}).score
    ),
    "shared": lambda h, r, counting, scoring: vecbleu.corpus_bleu(
        h, shared(r[0], **counting), **counting, **scoring
    ),
}


def of_files(hypotheses, references, **options):
    with tempfile.TemporaryDirectory() as folder:
        columns = [hypotheses, *zip(*references, strict=True)]
        paths = [write_lines(Path(folder) / str(at), side) for at, side in enumerate(columns)]
        return vecbleu.file_statistics(paths[0], paths[1:], **options)


def saved(hypotheses, references, **options):
    file = io.BytesIO()
    vecbleu.statistics(hypotheses, references, **options).save(file)
    file.seek(0)
    return vecbleu.Statistics.load(file)


def in_batches(hypotheses, references, **options):
    accumulator = vecbleu.Accumulator(**options)
    for segment in zip(hypotheses, references, strict=True):
        accumulator.update(*([one] for one in segment))
    return accumulator.compute()


def shared(references, ref_length=None, **options):
    return vecbleu.SharedReferences(references, **options)


# Options of counting and of scoring, and the fields of their signature.
SIGNED = [
    ({}, {}, TEXT),
    ({"tokenize": "zh"}, {}, "case:mixed|eff:no|tok:zh|smooth:exp"),
    ({"lowercase": True, "normalize": "NFD"}, {}, "case:lc|eff:no|tok:13a|smooth:exp|unicode:NFD"),
    ({"max_order": 2, "ref_length": "longest"}, {}, f"{TEXT}|max_order:2|ref_length:longest"),
    ({}, {"smoothing": "none"}, "case:mixed|eff:no|tok:13a|smooth:none"),
    ({}, {"smoothing": "add-k"}, "case:mixed|eff:no|tok:13a|smooth:add-k[1.00]"),
    ({}, {"smoothing": "floor", "smoothing_value": 0}, f"{TEXT[:-3]}floor[0.00]"),
    ({}, {"effective_order": True}, "case:mixed|eff:yes|tok:13a|smooth:exp"),
    ({"max_order": 3}, {"weights": (1, 0)}, f"{TEXT}|max_order:3|weights:1/0"),
]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("counting", "scoring", "expected"), SIGNED)
def test_every_way_has_the_same_score_and_signature(way, counting, scoring, expected):
    sides = ["the Cat sat on a mäx"], [["the cat sat on a ma\u0308x", "The cat lay on the mat now"]]
    score = WAYS[way](*sides, counting, scoring)
    assert score.signature.format(version=False) == f"nrefs:2|{expected}"
    assert score == vecbleu.corpus_bleu(*sides, **counting, **scoring)


def test_smoothed_precisions_are_shown_however_small():
    counts = [1000, 1000, 1000, 999, 998, 0, 1000, 999, 998, 997]
    shown = vecbleu.Statistics(counts).score().table().to_dict()
    assert shown["precision"][3] == 0
    assert shown["smoothed"][3] == pytest.approx(1 / 2 / 997)


@pytest.mark.parametrize("orders", [3, 5])
def test_counts_have_the_orders_that_their_signature_says(orders):
    signature = vecbleu.statistics(["a"], ["a"]).signature
    found = f"signature has max_order 4 but the array has {orders} orders"
    with pytest.raises(ValueError, match=found):
        vecbleu.Statistics([0] * (2 + 2 * orders), signature)


def test_statistics_are_added_to_statistics_or_to_the_0_of_sums():
    stats = vecbleu.statistics(["a"], ["a"])
    assert 0 + stats == stats
    for other in (1, 0.5, None, stats.array):
        with pytest.raises(TypeError):
            other + stats


@pytest.mark.parametrize("smoothing", ["none", "skip-zero", "exp", "floor", "add-k"])
def test_tables_show_smoothed_precisions_beside_the_others(smoothing):
    score = vecbleu.corpus_bleu(["a b x y"], ["a b y"], smoothing=smoothing, max_order=3)
    shown = score.table().to_dict()
    assert shown["precision"] == [3 / 4, 1 / 3, 0]
    of_short = vecbleu.corpus_bleu(["a b"], ["a b"], smoothing=smoothing, max_order=3).table()
    assert of_short.to_dict()["precision"] == [1, 1, 0]
    is_smoothed = smoothing not in ("none", "skip-zero")
    assert ("smoothed" in shown) == (score.precisions[2] > 0) == is_smoothed
    assert shown.get("smoothed", [*score.precisions]) == [*score.precisions]
