"""sacreBLEU's names: where they are here, what is passed on, and what happens without sacreBLEU."""

from __future__ import annotations

import copy
import pickle
import pkgutil
import sys
from importlib import import_module
from types import ModuleType

import pytest
import sacrebleu as peer
from processes import output_of

import vecbleu
import vecbleu.sacrebleu as layer
from vecbleu.sacrebleu.metrics import base

# Modules that are not here, and why.
WITHOUT = {
    "sacrebleu.__main__": "`python -m vecbleu` is the command line",
    "sacrebleu.dataset.__main__": "a program that checks sacreBLEU's list of test sets",
}
NAMES = [info.name for info in pkgutil.walk_packages(peer.__path__, "sacrebleu.")]
MODULES = ["sacrebleu", *(name for name in NAMES if name not in WITHOUT)]

# Private names that programs use.
PRIVATE = {
    "sacrebleu.metrics.bleu": ["_TOKENIZERS", "_get_tokenizer"],
    "sacrebleu.significance": ["_bootstrap_resample", "_compute_p_value"],
}
METHODS = [
    "_aggregate_and_compute",
    "_cache_references",
    "_compute_score_from_stats",
    "_compute_segment_statistics",
    "_extract_corpus_statistics",
    "_extract_reference_info",
    "_get_closest_ref_len",
    "_preprocess_segment",
]

# Modules of which all is sacreBLEU's.
PASSED_ON = ["dataset", "metrics.chrf", "metrics.ter", "metrics.lib_ter", "sacrebleu"]
PASSED_ON += ["tokenizers.tokenizer_ter"]

# What is of BLEU in the others, and so not sacreBLEU's own object.
OURS = {
    *("BLEU", "BLEUScore", "BLEUSignature", "Metric", "Score", "Signature", "METRICS"),
    *("corpus_bleu", "raw_corpus_bleu", "sentence_bleu", "BaseTokenizer", "Tokenizer13a"),
    *("TokenizerChar", "TokenizerJaMecab", "TokenizerKoMecab", "TokenizerRegexp", "TokenizerSPM"),
    *("TokenizerV14International", "TokenizerZh", "NoneTokenizer", "Flores101Tokenizer"),
    *("Flores200Tokenizer", "spBLEU1KTokenizer", "PairedTest", "Result", "estimate_ci"),
    *("extract_all_char_ngrams", "extract_all_word_ngrams", "extract_char_ngrams"),
    *("extract_word_ngrams", "my_log", "smart_open", "sum_of_lists"),
}


def names_of(module):
    """Public names of one of sacreBLEU's modules: not those of other packages."""
    for name, value in vars(module).items():
        source = getattr(value, "__module__", None) or ""
        is_foreign = isinstance(value, ModuleType) or not source.startswith("sacrebleu")
        is_constant = name.isupper() and not callable(value)
        if not name.startswith("_") and (is_constant or not is_foreign):
            yield name


def here(name):
    return import_module(f"vecbleu.{name}")


@pytest.mark.parametrize("name", MODULES)
def test_names_are_where_sacrebleu_has_them(name):
    theirs, ours = import_module(name), here(name)
    is_of_bleu = not any(name.startswith(f"sacrebleu.{module}") for module in PASSED_ON)
    private = PRIVATE.get(name, [])
    for found in [*names_of(theirs), *private]:
        is_ours = is_of_bleu and (found in OURS or found in private)
        assert (getattr(ours, found) is getattr(theirs, found)) != is_ours, found
        assert found in dir(ours)


def test_modules_that_are_left_out_exist():
    assert {*WITHOUT} <= {*NAMES}
    found = {public for name in MODULES for public in names_of(import_module(name))}
    assert found >= OURS


@pytest.mark.parametrize("name", METHODS)
def test_methods_that_programs_call(name):
    assert callable(getattr(layer.BLEU, name))
    assert hasattr(peer.BLEU, name)


def test_versions():
    assert layer.__version__ == layer.version.__version__ == layer.version.version
    assert "BLEU" in layer.__description__
    assert layer.__version__ == peer.__version__ == ".".join(map(str, layer.version.version_tuple))
    metric = layer.BLEU(references=[["a"]])
    assert str(metric.get_signature()).endswith(f"|version:vecbleu-{vecbleu.__version__}")


def test_objects_are_of_the_base_classes():
    metric = layer.BLEU()
    score = metric.corpus_score(["a b"], [["a b"]])
    assert isinstance(metric, base.Metric)
    assert isinstance(score, base.Score)
    assert isinstance(metric.get_signature(), base.Signature)
    assert isinstance(metric.tokenizer, layer.tokenizers.BaseTokenizer)
    theirs = layer.CHRF()
    assert type(theirs) is peer.CHRF
    assert isinstance(theirs, base.Metric)
    assert isinstance(theirs.sentence_score("a", ["a"]), base.Score)
    assert isinstance(theirs.get_signature(), base.Signature)
    assert not isinstance(theirs, layer.BLEU)


def test_metrics_by_name():
    expected = {"BLEU": layer.BLEU, "CHRF": peer.CHRF, "TER": peer.metrics.TER}
    assert expected == layer.metrics.METRICS


@pytest.mark.parametrize(
    "value",
    [
        layer.BLEU,
        base.Metric,
        base.Score("BLEU", 1.0),
        layer.BLEU(references=[["a b c"]]),
        layer.corpus_bleu(["a b"], [["a c"]]),
        layer.BLEU(references=[["a b c"]]).get_signature(),
        layer.tokenizers.tokenizer_13a.Tokenizer13a(),
        layer.significance.Result(1.5, 0.5),
    ],
)
def test_what_is_copied_and_pickled(value):
    for again in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert type(again) is type(value)
        if not isinstance(value, (type, layer.BLEU, layer.tokenizers.BaseTokenizer)):
            assert str(again) == str(value)


def test_unknown_names():
    for module in (layer, layer.metrics, layer.utils, layer.dataset):
        assert not hasattr(module, "no_such_name")
        assert not hasattr(module, "__wrapped__")
    with pytest.raises(ImportError, match="cannot import name 'no_such_name'"):
        from vecbleu.sacrebleu import no_such_name  # noqa: F401


def test_sacrebleu_is_loaded_when_it_is_used():
    code = """
        import sys
        import vecbleu.sacrebleu as sacrebleu
        from vecbleu.sacrebleu import BLEU, compat, dataset, metrics, significance, utils
        import vecbleu.sacrebleu.metrics.bleu
        import vecbleu.sacrebleu.metrics.helpers
        assert not hasattr(sacrebleu, "no_such_name")
        assert "CHRF" in dir(sacrebleu)
        systems = [("a", ["a b c d"] * 9), ("b", ["a b c"] * 9)]
        metric = BLEU(references=[systems[0][1]])
        metric.corpus_score(systems[1][1], None, n_bootstrap=9)
        significance.PairedTest(systems, {"BLEU": metric}, None, "bs", 9)()
        assert "sacrebleu" not in sys.modules
        sacrebleu.CHRF
        assert "sacrebleu" in sys.modules
    """
    assert output_of(code) == ""


WITHOUT_SACREBLEU = """
    import sys
    sys.modules["sacrebleu"] = None  # as if it were not installed
    import vecbleu.sacrebleu as sacrebleu
"""


def test_without_sacrebleu_errors_say_what_to_install():
    code = f"""{WITHOUT_SACREBLEU}
    for line in ("from vecbleu.sacrebleu import BLEU, CHRF", "sacrebleu.CHRF",
                 "from vecbleu.sacrebleu.metrics import TER",
                 "from vecbleu.sacrebleu.dataset import DATASETS",
                 "from vecbleu.sacrebleu.utils import print_results_table",
                 "sacrebleu.significance.PairedTest([('a', ['a'])], dict(m=object()), None)()"):
        try:
            exec(line)
        except (AttributeError, ImportError) as error:
            print(type(error).__name__, error)
    """
    lines = output_of(code).splitlines()
    assert [line.partition(" ")[0] for line in lines] == [
        *("ImportError", "AttributeError", "ImportError", "ImportError", "ImportError"),
        "ImportError",
    ]
    for line, name in zip(lines, ["CHRF", "CHRF", "TER", "DATASETS", "print_", "m"], strict=True):
        assert name in line
        assert "is sacreBLEU's, which can't be imported" in line or "tested by sacreBLEU" in line
        assert line.endswith('pip install "vecbleu[sacrebleu]"')


def test_without_sacrebleu_bleu_is_all_there():
    code = f"""{WITHOUT_SACREBLEU}
    assert not hasattr(sacrebleu, "CHRF")
    assert not hasattr(sacrebleu.utils, "print_results_table")
    assert getattr(sacrebleu, "TER", None) is None
    for module in (sacrebleu, sacrebleu.metrics, sacrebleu.utils, sacrebleu.dataset):
        assert all(hasattr(module, name) for name in dir(module))
    assert "CHRF" not in dir(sacrebleu)
    assert {{*sacrebleu.metrics.METRICS}} == {{"BLEU"}}
    print(sacrebleu.compat.corpus_bleu(["a b c d"], [["a b c d"]]).score)
    """
    assert output_of(code) == "100.00000000000004\n"


def test_in_the_place_of_sacrebleu():
    """A program can have this module where it imports sacreBLEU from."""
    code = """
        import sys
        import vecbleu.sacrebleu
        sys.modules["sacrebleu"] = vecbleu.sacrebleu
        import sacrebleu
        from sacrebleu.metrics import BLEU
        from sacrebleu.metrics.base import Metric
        from sacrebleu.significance import PairedTest
        from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
        assert BLEU is vecbleu.sacrebleu.BLEU is sacrebleu.BLEU
        metric = BLEU()
        assert isinstance(metric, Metric) and type(metric.tokenizer) is Tokenizer13a
        print(metric.corpus_score(["a b c d"], [["a b c d"]]).score)
        try:
            from sacrebleu import CHRF
        except ImportError as error:
            print(error)
    """
    score, error = output_of(code).splitlines()
    assert score == "100.00000000000004"
    assert error == (
        "vecbleu.sacrebleu.CHRF is sacreBLEU's, which vecbleu.sacrebleu hides: "
        "sys.modules['sacrebleu'] is that module"
    )


def test_modules_of_this_package_stay_theirs():
    assert sys.modules["sacrebleu"] is peer
