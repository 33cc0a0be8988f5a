"""What calls leave behind: objects used twice, copies, errors of later blocks."""

from __future__ import annotations

import copy
import pickle
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from functools import partial

import numpy as np
import oracle
import pytest
import sacrebleu as peer
from conftest import blocks_of
from processes import process_pool
from test_public import CLASSES, RESULTS

import vecbleu
import vecbleu.sacrebleu as layer
from vecbleu import SharedReferences, chrf, nltk, ter
from vecbleu.show.table import plain

OUT = ["the cat sat on the mat", "a dog barked", "it rained", "x y z"] * 3
REF = ["the cat sat on a mat", "the dog barked", "it rained today", "x y"] * 3
STREAMS = {
    "one": [REF],
    "two": [REF, OUT[::-1]],
    "uneven": [REF, [*OUT[:3], *[None] * 9]],
    "three": [REF, OUT[::-1], REF[::-1]],
}
IDS = np.array([[1, 2, 3, 9], [4, 0, 5, 9]])


@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
def test_metrics_of_sacrebleu_remember_what_its_own_do(name):
    """And score what they are given, whatever came before, in a copy, too."""
    ours, theirs = getattr(layer, name)(), getattr(peer, name)()
    for number, streams in enumerate([*STREAMS.values(), *STREAMS.values()]):
        draws = 20 + number if number % 3 == 1 else 1
        expected = theirs.corpus_score(OUT, streams, draws)
        ours = pickle.loads(pickle.dumps(ours)) if number % 2 else copy.deepcopy(ours)
        assert ours.corpus_score(OUT, streams, draws).score == pytest.approx(expected.score)
        signatures = [str(one.get_signature()).partition("|version")[0] for one in (ours, theirs)]
        assert signatures[0] == signatures[1]


def test_accumulators_forget_the_references_that_they_reset():
    for accumulator, score in (
        (vecbleu.Accumulator(), vecbleu.corpus_bleu),
        (chrf.ChrfAccumulator(), chrf.corpus_chrf),
        (ter.TerAccumulator(), ter.corpus_ter),
    ):
        for streams in STREAMS.values():
            references = [
                [text for text in row if text is not None] for row in zip(*streams, strict=True)
            ]
            accumulator.reset()
            for part in slice(0, 5), slice(5, 12):
                accumulator.update(OUT[part], references[part])
            expected, found = score(OUT, references), accumulator.compute()
            assert found.table().columns == expected.table().columns
            if streams is not STREAMS["uneven"]:  # whose parts differ in their numbers
                assert found.signature == expected.signature


def test_shared_references_count_each_call_by_itself():
    """Strings after numbers, which number all tokens; counts of plain Python."""
    lines = [line.split() for line in REF]
    shared = SharedReferences(lines)
    for out in ([["cat", 1, "sat"]], [line.split() for line in OUT], [[1, 2.5]], lines):
        found = vecbleu.statistics(out, shared).array.tolist()
        assert found == [oracle.row(one, lines, 4, "closest") for one in out]


STATISTICS, CHRF = vecbleu.statistics(OUT, REF), chrf.statistics(OUT, REF, word_order=2, beta=3)
EDITS = ter.statistics(OUT, REF, no_punct=True)
SPECIAL = {"ignore_ids": 0, "eos_id": 9}


@pytest.mark.parametrize("table", [STATISTICS, CHRF, EDITS], ids=lambda table: table.metric)
def test_tables_made_of_an_array_have_the_signature_given_or_that_of_the_defaults(table):
    made = type(table)
    assert made(table.array, table.signature).signature == table.signature
    default = {"chrF": chrf, "TER": ter, "BLEU": vecbleu}[table.metric].statistics(OUT, REF)
    known = made(default.array).signature.to_dict()
    assert known.items() <= default.signature.to_dict().items()


def updated(accumulator):
    accumulator.update(OUT[:5], REF[:5])
    return accumulator


def scored(metric):
    with_interval = metric.corpus_score(OUT, None, n_bootstrap=20)
    return (
        with_interval.format(width=9),
        str(metric.get_signature()),
        metric.corpus_score(OUT, [REF]),
    )


def of_smoothing(smoothing):
    p_n = [nltk.Fraction(*counts) for counts in ((3, 4), (1, 3), (1, 2), (0, 1))]
    return [*map(float, smoothing.method6(p_n, [["a", "b"]], ["a", "b", "c"]))]


# By class, how an object is made, and what it does when it is used.
FIELDS = "is 0", "1 to 100", "pass {argument}=1"


def described(error):
    return str(error), vars(error)


OBJECTS = {
    "Accumulator": (
        lambda: updated(vecbleu.Accumulator(max_order=2, smoothing="floor")),
        lambda one: (updated(one).compute().to_dict(), one.state.tolist()),
    ),
    "BleuScore": (lambda: STATISTICS.score(weights=[1, 2]), lambda one: one.to_dict()),
    "ChrfAccumulator": (
        lambda: updated(chrf.ChrfAccumulator(word_order=1, beta=3)),
        lambda one: (updated(one).compute().table(), one.state.tolist()),
    ),
    "ChrfScore": (CHRF.score, lambda one: (float(one), one.name, one.table())),
    "ChrfStatistics": (lambda: CHRF[:5], lambda one: (one.to_dict(), one.score().table())),
    "Statistics": (lambda: STATISTICS[:5], lambda one: (one.to_dict(), one.score().to_dict())),
    "TerAccumulator": (
        lambda: updated(ter.TerAccumulator(normalized=True)),
        lambda one: (updated(one).compute().table(), one.state.tolist()),
    ),
    "TerScore": (EDITS.score, lambda one: (float(one), one.name, one.table())),
    "TerStatistics": (lambda: EDITS[:5], lambda one: (one.to_dict(), one.score().table())),
    "SharedReferences": (
        lambda: SharedReferences(IDS, **SPECIAL, max_order=3),
        lambda one: (vecbleu.statistics(IDS, one, **SPECIAL, max_order=3).to_dict(), one),
    ),
    "SmoothingFunction": (lambda: nltk.SmoothingFunction(0.2, 3, 4), of_smoothing),
    "Fraction": (lambda: nltk.Fraction(2, 4), lambda one: (one.numerator, one.denominator)),
    "BLEU": (lambda: layer.BLEU(lowercase=True, references=STREAMS["uneven"]), scored),
    "CHRF": (lambda: layer.CHRF(word_order=2, references=STREAMS["uneven"]), scored),
    "TER": (lambda: layer.TER(no_punct=True, references=STREAMS["uneven"]), scored),
    "BLEUScore": (lambda: layer.corpus_bleu(OUT, [REF]), lambda one: one.format(9, is_json=True)),
    "CHRFScore": (lambda: layer.corpus_chrf(OUT, [REF]), lambda one: one.format(9, is_json=True)),
    "TERScore": (lambda: layer.corpus_ter(OUT, [REF]), lambda one: (str(one), vars(one))),
    "ArgumentError": (partial(vecbleu.ArgumentError, *FIELDS, argument="x", index=(3,)), described),
    "ArgumentTypeError": (partial(vecbleu.ArgumentTypeError, *FIELDS, argument="x"), described),
    "InputWarning": (partial(vecbleu.InputWarning, *FIELDS, argument="x"), described),
}
# These are shown with all that they hold.
SHOWN = RESULTS | {
    "Setting": vecbleu.find_settings(REF, REF, 50)[0],
    "Ragged": vecbleu.Ragged.from_padded(IDS, ignore_ids=0),
    "Signature": CHRF.signature,
    "Table": CHRF.score().table(),
    "NgramDifference": RESULTS["NgramDifferences"].rows[0],
    "NgramCounts": RESULTS["Explanation"].orders[0].ngrams[0],
    "OrderCounts": RESULTS["Explanation"].orders[1],
    "BLEUSignature": layer.BLEU(references=[REF]).get_signature(),
    "CHRFSignature": layer.CHRF(references=[REF]).get_signature(),
    "TERSignature": layer.TER(references=[REF]).get_signature(),
}
OBJECTS |= {name: (partial(SHOWN.get, name), lambda one: (repr(one), one)) for name in SHOWN}


@pytest.mark.parametrize("name", OBJECTS)
def test_copies_do_what_a_new_object_does(name):
    make, use = OBJECTS[name]
    expected, one = plain(use(make())), make()
    copies = [pickle.loads(pickle.dumps(one, protocol)) for protocol in range(2, 6)]
    for each in (*copies, copy.copy(one), copy.deepcopy(one), one):
        assert type(each) is type(one)
        assert plain(use(each)) == expected


def test_every_class_is_copied():
    assert {name.rpartition(".")[2] for name in CLASSES} <= {*OBJECTS}


EXECUTORS = {
    "one process": lambda: nullcontext(1),
    "a late thread": lambda: ThreadPoolExecutor(1, initializer=time.sleep, initargs=(0.05,)),
    "two processes": lambda: nullcontext(2),
    "an executor of processes": process_pool,
}
SLOW = [pytest.param(name, marks=pytest.mark.slow) for name in [*EXECUTORS][2:]]
ANYWHERE = pytest.mark.parametrize("where", [*[*EXECUTORS][:2], *SLOW])
SEGMENTS = 30
UNEVEN = [[f"r{k} of {segment}" for k in range(1 + segment % 3)] for segment in range(SEGMENTS)]
BLOCK = {"text": 60, "tokens": 20}
SIDES = [f"segment {segment}" for segment in range(SEGMENTS)], UNEVEN


def refusing(text):
    return None if "bad" in text else text.split()


def split(text):
    """Tokens, which can't be hashed if they are bad."""
    return [{}] if "bad" in text else text.split()


@ANYWHERE
@pytest.mark.parametrize("place", [(28, -1), (28, 0), (28, 1), (29, 2), (0, 0), (13, 1)])
@pytest.mark.parametrize("kind", ["text", "tokens"])
def test_errors_of_any_block_name_the_unit(where, place, kind):
    """Segments have one to three references, and blocks about three segments."""
    segment, reference = place
    hypotheses, references = [*SIDES[0]], [[*some] for some in UNEVEN]
    side, index = (hypotheses, segment) if reference < 0 else (references[segment], reference)
    side[index] += " bad"
    if kind == "tokens":
        hypotheses = [*map(split, hypotheses)]
        references = [[*map(split, some)] for some in references]
    options = {"tokenize": refusing} if kind == "text" else {}
    expected = pytest.raises(TypeError)
    with EXECUTORS[where]() as workers, blocks_of(BLOCK[kind]), expected as raised:
        vecbleu.statistics(hypotheses, references, workers=workers, **options)
    assert raised.value.argument == ("hypotheses" if reference < 0 else "references")
    is_single = reference < 0 or len(references[segment]) == 1  # which could stand by itself
    assert raised.value.index == ((segment,) if is_single else place)


@ANYWHERE
def test_the_error_of_counting_comes_before_that_of_a_later_block(where, tmp_path):
    """Which can't be made, since it is not UTF-8, and is read before anything is counted."""
    pytest.importorskip("MeCab")
    lines = [line.encode() for line in SIDES[0]]
    lines[24], lines[29] = b"\0", b"\xff"
    paths = tmp_path / "h", tmp_path / "r"
    for path in paths:
        path.write_bytes(b"\n".join(lines))
    with EXECUTORS[where]() as workers, blocks_of(120):
        with pytest.raises(TypeError, match=r"line 25 .*NUL"):
            vecbleu.file_statistics(*paths, tokenize="ja-mecab", workers=workers)
        with pytest.raises(ValueError, match=r"line 30 is not UTF-8"):
            vecbleu.file_statistics(*paths, workers=workers)
