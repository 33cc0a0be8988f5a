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

# Programs, which nobody imports.
WITHOUT = {"sacrebleu.__main__", "sacrebleu.dataset.__main__"}
NAMES = {info.name for info in pkgutil.walk_packages(peer.__path__, "sacrebleu.")}
MODULES = sorted({"sacrebleu"} | NAMES - WITHOUT)

# Private names that programs use.
PRIVATE = {
    "sacrebleu.metrics.bleu": ["_TOKENIZERS", "_get_tokenizer"],
    "sacrebleu.significance": ["_bootstrap_resample", "_compute_p_value"],
}

# What is vecbleu's, wherever it is asked for; all else is the installed sacreBLEU's own object.
OURS = {
    *("BLEU", "BLEUScore", "BLEUSignature", "corpus_bleu", "raw_corpus_bleu", "sentence_bleu"),
    *("BaseTokenizer", "NoneTokenizer", "Tokenizer13a", "TokenizerChar", "TokenizerJaMecab"),
    *("TokenizerKoMecab", "TokenizerRegexp", "TokenizerSPM", "TokenizerV14International"),
    *("TokenizerZh", "Flores101Tokenizer", "Flores200Tokenizer", "spBLEU1KTokenizer"),
    *("extract_all_char_ngrams", "extract_all_word_ngrams", "extract_char_ngrams"),
    *("extract_word_ngrams", "_TOKENIZERS", "_get_tokenizer"),
}
# Modules that are sacreBLEU's with all that they import.
PASSED_ON = ("dataset", "metrics.chrf", "metrics.ter", "sacrebleu", "tokenizers.tokenizer_ter")


def names_of(module):
    """Public names of one of sacreBLEU's modules: not those of other packages."""
    for name, value in vars(module).items():
        source = getattr(value, "__module__", None) or ""
        is_foreign = isinstance(value, ModuleType) or not source.startswith("sacrebleu")
        is_constant = name.isupper() and not callable(value)
        if not name.startswith("_") and (is_constant or not is_foreign):
            yield name


@pytest.mark.parametrize("name", MODULES)
def test_names_are_where_sacrebleu_has_them(name):
    theirs, ours = import_module(name), import_module(f"vecbleu.{name}")
    for found in [*names_of(theirs), *PRIVATE.get(name, [])]:
        is_ours = found in OURS and not name.partition(".")[2].startswith(PASSED_ON)
        assert (getattr(ours, found) is getattr(theirs, found)) != is_ours, found
        assert found in dir(ours)


@pytest.mark.parametrize(
    ("module", "name"),
    [("", "BLEU"), (".metrics", "CHRF"), (".tokenizers.tokenizer_13a", "Tokenizer13a")],
)
def test_all_names_are_imported_at_once(module, name):
    for package in ("sacrebleu", "vecbleu.sacrebleu"):
        names = {}
        exec(f"from {package}{module} import *", names)
        assert names[name] is getattr(import_module(package + module), name)


def test_versions():
    assert layer.__version__ == layer.version.__version__ == peer.__version__
    assert "BLEU" in layer.__description__
    metric = layer.BLEU(references=[["a"]])
    assert str(metric.get_signature()).endswith(f"|version:vecbleu-{vecbleu.__version__}")


@pytest.mark.parametrize(
    "value",
    [
        layer.BLEU,
        layer.BLEU(references=[["a b c"]]),
        layer.corpus_bleu(["a b"], [["a c"]]),
        layer.BLEU(references=[["a b c"]]).get_signature(),
        layer.tokenizers.tokenizer_13a.Tokenizer13a(),
    ],
)
def test_what_is_copied_and_pickled(value):
    for again in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert type(again) is type(value)
        assert getattr(again, "__dict__", {}).keys() == getattr(value, "__dict__", {}).keys()


def test_unknown_names():
    for module in (layer, layer.metrics, layer.utils, layer.dataset, layer.metrics.bleu):
        assert not hasattr(module, "no_such_name")
        assert not hasattr(module, "__wrapped__")
    with pytest.raises(ImportError, match="cannot import name 'no_such_name'"):
        from vecbleu.sacrebleu import no_such_name  # noqa: F401
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        import_module("vecbleu.sacrebleu.metrics.no_such_module")


def test_sacrebleu_is_loaded_when_it_is_used():
    code = """
        import sys
        import vecbleu.sacrebleu as sacrebleu
        from vecbleu.sacrebleu import BLEU, compat, dataset, metrics, significance, utils
        import vecbleu.sacrebleu.metrics.bleu
        import vecbleu.sacrebleu.metrics.helpers
        from vecbleu.sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
        metric = BLEU(references=[["a b c d"] * 9])
        metric.tokenizer = Tokenizer13a()
        metric.corpus_score(["a b c d"] * 9, None, n_bootstrap=9)
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


@pytest.mark.parametrize(
    ("line", "error", "name"),
    [
        ("from vecbleu.sacrebleu import BLEU, CHRF", "ImportError", "CHRF"),
        ("sacrebleu.CHRF", "AttributeError", "CHRF"),
        ("from vecbleu.sacrebleu.metrics import BLEU, TER", "ImportError", "TER"),
        ("from vecbleu.sacrebleu.dataset import DATASETS", "ImportError", "DATASETS"),
        ("from vecbleu.sacrebleu.significance import PairedTest", "ImportError", "PairedTest"),
    ],
)
def test_without_sacrebleu_errors_say_what_to_install(line, error, name):
    code = f"""{WITHOUT_SACREBLEU}
    try:
        {line}
    except (AttributeError, ImportError) as error:
        print(type(error).__name__, error)
    """
    printed = output_of(code).strip()
    assert printed.startswith(error)
    assert name in printed
    assert printed.endswith('pip install "vecbleu[sacrebleu]"')


def test_without_sacrebleu_bleu_is_all_there():
    code = f"""{WITHOUT_SACREBLEU}
    from vecbleu.sacrebleu.metrics.bleu import BLEU
    for module in (sacrebleu, sacrebleu.metrics, sacrebleu.utils, sacrebleu.dataset):
        assert not hasattr(module, "CHRF") and getattr(module, "TER", None) is None
        assert all(hasattr(module, name) for name in dir(module))
    score = sacrebleu.compat.corpus_bleu(["a b c d"] * 9, [["a b c d"] * 9])
    print(score.score, BLEU().corpus_score(["a b c d"] * 9, [["a b c d"] * 9], 9).score)
    """
    assert output_of(code) == "100.00000000000004 100.00000000000004\n"


def test_in_the_place_of_sacrebleu():
    """A program can have this module where it imports sacreBLEU from."""
    code = """
        import sys
        import vecbleu.sacrebleu
        sys.modules["sacrebleu"] = vecbleu.sacrebleu
        import sacrebleu
        from sacrebleu.metrics import BLEU
        from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
        assert BLEU is vecbleu.sacrebleu.BLEU is sacrebleu.BLEU
        assert type(BLEU().tokenizer) is Tokenizer13a
        print(BLEU().corpus_score(["a b c d"], [["a b c d"]]).score)
        try:
            from sacrebleu import CHRF
        except ImportError as error:
            print(error)
    """
    score, error = output_of(code).splitlines()
    assert score == "100.00000000000004"
    assert "CHRF" in error
    assert "hides" in error


def test_modules_of_this_package_stay_theirs():
    assert sys.modules["sacrebleu"] is peer
