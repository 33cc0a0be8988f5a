"""sacreBLEU's own paired tests and intervals with vecbleu's BLEU."""

from __future__ import annotations

import pytest
import sacrebleu as peer
from corpora import noisy_systems
from peers import same_digits
from sacrebleu.significance import PairedTest

import vecbleu.sacrebleu as layer

REFERENCES, OUTPUTS = noisy_systems(60, (0.3, 0.35, 0.6))
SYSTEMS = [*zip(("one", "two", "three"), OUTPUTS, strict=True)]
STREAMS = [REFERENCES, [None, *REFERENCES[:0:-1]]]


def same_results(found, expected):
    """Equal scores and p-values; resampled float32 sums are scored in float32 by sacreBLEU."""
    assert found.keys() == expected.keys()
    assert found["System"] == expected["System"]
    for name in {*found} - {"System"}:
        for one, other in zip(found[name], expected[name], strict=True):
            assert same_digits(one.score, other.score)
            assert one.p_value == other.p_value
            for part in ("mean", "ci"):
                resampled, rounded = getattr(one, part), getattr(other, part)
                assert resampled == (rounded and pytest.approx(rounded, rel=1e-5, abs=1e-4)), part


@pytest.mark.parametrize("test", ["ar", "bs"])
@pytest.mark.parametrize("options", [{}, {"smooth_method": "add-k", "lowercase": True}])
@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_paired_tests(test, options, jobs, monkeypatch):
    for seed, confidence in (("12345", 50), ("007", -1)):
        monkeypatch.setenv("SACREBLEU_SEED", seed)
        results = []
        for module in (layer, peer):
            cached = {"cached BLEU": module.BLEU(references=STREAMS)}
            metrics = {"BLEU": module.BLEU(**options), "chrF": module.CHRF()}
            samples = 199, confidence, jobs
            signatures, scores = PairedTest(SYSTEMS, metrics, STREAMS, test, *samples)()
            named = {name: str(one).split("|version")[0] for name, one in signatures.items()}
            results.append((named, scores, PairedTest(SYSTEMS, cached, None, test, *samples)()[1]))
        assert results[0][0] == results[1][0]
        same_results(results[0][1], results[1][1])
        same_results(results[0][2], results[1][2])
