"""Words by frequency, against dictionaries and compare-mt's definition."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from corpora import read_lines
from hypothesis import given
from hypothesis import strategies as st
from strategies import odd_tokens, text_corpora, token_corpora

import vecbleu
from vecbleu.analysis import word_f_measures

DATA = Path(__file__).parent.parent / "data"
USUAL = (1, 2, 3, 4, 5, 10, 100, 1000)
BOUNDS = st.sets(st.integers(1, 12), min_size=1).map(sorted)
REFERENCES = ["the cat sat on the mat", "the dog sat down"]
SYSTEM = ["the cat sat on the mat", "the dog"]


def expected(systems, references, frequencies=None, bounds=USUAL):
    """Matches, words of systems, words of references: (systems, buckets), twice, (buckets,)."""
    text = chain.from_iterable(references) if frequencies is None else frequencies
    frequency = Counter(chain.from_iterable(text))
    matches, hyp_counts = ([[0] * (len(bounds) + 1) for _ in systems] for _ in range(2))
    ref_counts = [0] * (len(bounds) + 1)
    for segment, several in enumerate(references):
        most = Counter()
        for reference in several:
            most |= Counter(reference)
        for word, count in most.items():
            ref_counts[bisect_right(bounds, frequency[word])] += count
        for column, system in enumerate(systems):
            for word, count in Counter(system[segment]).items():
                bucket = bisect_right(bounds, frequency[word])
                matches[column][bucket] += min(count, most[word])
                hyp_counts[column][bucket] += count
    return matches, hyp_counts, ref_counts


def counts_of(found):
    return found.matches.tolist(), found.hyp_counts.tolist(), found.ref_counts.tolist()


def ratio(part, whole):
    return part / whole if part else 0.0


@pytest.mark.parametrize("tokens", [None, odd_tokens], ids=["strings", "hashables"])
@given(data=st.data(), bounds=BOUNDS)
def test_counts_are_those_of_dictionaries(tokens, data, bounds):
    hypotheses, references = data.draw(token_corpora(tokens))
    systems = [hypotheses, hypotheses[::-1], hypotheses[1:] + hypotheses[:1]]
    text = data.draw(st.none() | token_corpora(tokens).map(lambda corpus: corpus[0]))
    found = word_f_measures(systems, references, frequencies=text, bounds=bounds)
    assert counts_of(found) == expected(systems, references, text, bounds)
    for column, (matched, own) in enumerate(zip(found.matches, found.hyp_counts, strict=True)):
        for bucket, match in enumerate(matched.tolist()):
            precision = ratio(match, int(own[bucket]))
            recall = ratio(match, int(found.ref_counts[bucket]))
            assert found.precisions[column, bucket] == precision
            assert found.recalls[column, bucket] == recall
            measure = ratio(2 * precision * recall, precision + recall)
            assert found.f_measures[column, bucket] == pytest.approx(measure, rel=1e-15)


@given(text_corpora, st.booleans())
def test_strings_are_tokenized_as_for_scores(corpus, lowercase):
    hypotheses, references = (list(side) for side in zip(*corpus, strict=True))
    found = word_f_measures([hypotheses], references, lowercase=lowercase, frequencies=hypotheses)
    split = vecbleu.core.options.CountOptions.checked("13a").tokenize.split

    def tokens(strings):
        return [*split([one.lower() if lowercase else one for one in strings])]

    units = tokens(hypotheses), [*map(tokens, references)]
    assert counts_of(found) == expected([units[0]], units[1], units[0])


def compare_mt_measures(hypotheses, references, frequencies):
    """compare-mt's definition: precision, recall and F1 of each bucket, one reference each."""
    frequency = Counter(chain.from_iterable(map(str.split, frequencies)))
    sums = [[0, 0, 0] for _ in (*USUAL, None)]
    for hypothesis, reference in zip(hypotheses, references, strict=True):
        left = Counter(reference.split())
        for word in hypothesis.split():
            own = sums[bisect_right(USUAL, frequency[word])]
            own[1] += 1
            if left[word]:
                left[word] -= 1
                own[0] += 1
        for word in reference.split():
            sums[bisect_right(USUAL, frequency[word])][2] += 1
    for match, own, other in sums:
        precision, recall = ratio(match, own), ratio(match, other)
        yield precision, recall, ratio(2 * precision * recall, precision + recall)


def read(language, name):
    return read_lines(DATA / language / f"{name}.{language}")


@pytest.mark.parametrize("training", ["references", "text"])
@pytest.mark.parametrize("language", ["de", "en", "zh"])
def test_sample_data_have_the_measures_of_compare_mt(language, training):
    systems = {name: read(language, f"sys.{name}") for name in ("fair", "good", "poor")}
    references, other = read(language, "ref.A"), read(language, "ref.B")
    text = None if training == "references" else other
    found = word_f_measures(systems, references, frequencies=text, tokenize="none")
    for column, lines in enumerate(systems.values()):
        wanted = [*compare_mt_measures(lines, references, text or references)]
        measures = found.precisions[column], found.recalls[column], found.f_measures[column]
        np.testing.assert_allclose(np.array(measures).T, wanted, rtol=1e-14)


def test_sample_data_have_the_measures_that_compare_mt_computes():
    bucketers = pytest.importorskip("compare_mt.bucketers")
    references = [*map(str.split, read("en", "ref.A"))]
    bucketer = bucketers.FreqWordBucketer(freq_data=references)
    for name in ("fair", "good"):
        system = [*map(str.split, read("en", f"sys.{name}"))]
        found = word_f_measures([system], references)
        rows = [*bucketer.calc_bucketed_matches(references, system)]
        assert [row[:3] for row in rows] == [
            *zip(
                found.matches[0].tolist(),
                found.ref_counts.tolist(),
                found.hyp_counts[0].tolist(),
                strict=True,
            )
        ]
        measures = found.recalls[0], found.precisions[0], found.f_measures[0]
        wanted = np.array([row[3:] for row in rows])
        np.testing.assert_allclose(np.array(measures).T, wanted, rtol=1e-14)


def test_records_say_what_they_are():
    found = word_f_measures({"old": SYSTEM, "猫": REFERENCES}, REFERENCES)
    labels = ("< 1", "1", "2", "3", "4", "5-9", "10-99", "100-999", ">= 1000")
    assert found.labels == labels
    assert repr(found) == f"WordFMeasures(systems=2, labels={labels!r})"
    written = json.loads(json.dumps(found.to_dict()))
    assert written["f_measures"] == found.f_measures.tolist()
    assert written["ref_counts"] == found.ref_counts.tolist()
    width = vecbleu.core.terminal.display_width
    assert len({*map(width, str(found).splitlines()[1:])}) == 1
    assert found.f_measures[1, 1:4].tolist() == [1.0] * 3
    assert found == word_f_measures({"old": SYSTEM, "猫": REFERENCES}, REFERENCES)
    assert r"\textbf{100.0}" in found.to_latex()


def test_measures_become_a_data_frame():
    pytest.importorskip("pandas")
    found = word_f_measures({"old": SYSTEM, "same": REFERENCES}, REFERENCES)
    frame = found.to_dataframe().pivot(index="frequency", columns="system", values="f_measure")
    for column, name in enumerate(found.names):
        assert frame[name][[*found.labels]].tolist() == found.f_measures[column].tolist()


def test_ids_are_words_too():
    system, references = np.array([[1, 2, 2, 0]]), [np.array([[1, 2, 0], [2, 2, 3]])]
    found = word_f_measures([system], references, pad_id=0, frequencies=np.array([[3, 2, 2, 0]]))
    assert counts_of(found) == expected([[[1, 2, 2]]], [[[1, 2], [2, 2, 3]]], [[3, 2, 2]])


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"bounds": []}, TypeError, r"bounds is \[\], expected integers"),
        ({"bounds": [0, 1]}, ValueError, r"bounds is \[0, 1\], expected frequencies that increase"),
        ({"bounds": [2, 2]}, ValueError, r"bounds is \[2, 2\], expected frequencies that incr"),
        ({"bounds": [1.5]}, TypeError, r"bounds\[0\] is 1.5, expected an integer"),
        ({"frequencies": "text"}, TypeError, "frequencies is a single str"),
        ({"frequencies": [["a"]]}, TypeError, "holds strings but frequencies holds token"),
        ({"frequencies": ["a", None]}, TypeError, r"frequencies\[1\] is None"),
        ({"systems": []}, ValueError, "systems has 0, expected at least 1"),
    ],
)
def test_misuse_is_named(given, error, message):
    systems = given.pop("systems", [SYSTEM])
    with pytest.raises(error, match=message):
        word_f_measures(systems, REFERENCES, **given)
