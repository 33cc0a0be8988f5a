"""The calls of sacreBLEU for BLEU: streams of references, scores on 0 to 100, signatures.

``import vecbleu.sacrebleu as sacrebleu`` moves a program over. Names that are not of BLEU, such as
`CHRF`, `TER` and those of test sets, are passed on to sacreBLEU where it is installed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vecbleu.sacrebleu.installed import pass_on

if TYPE_CHECKING:
    from sacrebleu import CHRF as CHRF
    from sacrebleu import DATASETS as DATASETS
    from sacrebleu import SACREBLEU_DIR as SACREBLEU_DIR
    from sacrebleu import TER as TER
    from sacrebleu import corpus_chrf as corpus_chrf
    from sacrebleu import corpus_ter as corpus_ter
    from sacrebleu import download_test_set as download_test_set
    from sacrebleu import get_available_testsets as get_available_testsets
    from sacrebleu import get_langpairs_for_testset as get_langpairs_for_testset
    from sacrebleu import get_reference_files as get_reference_files
    from sacrebleu import get_source_file as get_source_file
    from sacrebleu import sentence_chrf as sentence_chrf
    from sacrebleu import sentence_ter as sentence_ter

    from vecbleu.sacrebleu import compat, metrics, significance, tokenizers, utils
    from vecbleu.sacrebleu import dataset as dataset
    from vecbleu.sacrebleu import version as version
    from vecbleu.sacrebleu.bleu import BLEU
    from vecbleu.sacrebleu.functions import corpus_bleu, raw_corpus_bleu, sentence_bleu
    from vecbleu.sacrebleu.ngrams import extract_char_ngrams, extract_word_ngrams
    from vecbleu.sacrebleu.score import BLEUScore
    from vecbleu.sacrebleu.signature import BLEUSignature
    from vecbleu.sacrebleu.utils import smart_open

__description__ = "BLEU with sacreBLEU's calls, tens of times faster"
__version__ = "2.6.0"  # of sacreBLEU, whose numbers these are; vecbleu's is `vecbleu.__version__`

__all__ = [
    "BLEU",
    "BLEUScore",
    "BLEUSignature",
    "__version__",
    "compat",
    "corpus_bleu",
    "extract_char_ngrams",
    "extract_word_ngrams",
    "metrics",
    "raw_corpus_bleu",
    "sentence_bleu",
    "significance",
    "smart_open",
    "tokenizers",
    "utils",
]

# Where names are defined, which are loaded when they are first used: the command line needs few.
_OWN = {
    "BLEU": "bleu",
    "BLEUScore": "score",
    "BLEUSignature": "signature",
    "compat": "compat",
    "corpus_bleu": "functions",
    "dataset": "dataset",
    "extract_char_ngrams": "ngrams",
    "extract_word_ngrams": "ngrams",
    "metrics": "metrics",
    "raw_corpus_bleu": "functions",
    "sentence_bleu": "functions",
    "significance": "significance",
    "smart_open": "utils",
    "tokenizers": "tokenizers",
    "utils": "utils",
    "version": "version",
}

_PASSED_ON = (
    "CHRF",
    "DATASETS",
    "SACREBLEU_DIR",
    "TER",
    "corpus_chrf",
    "corpus_ter",
    "download_test_set",
    "get_available_testsets",
    "get_langpairs_for_testset",
    "get_reference_files",
    "get_source_file",
    "sentence_chrf",
    "sentence_ter",
)

if not TYPE_CHECKING:  # else every name would be known, misspelled ones too
    __getattr__, __dir__ = pass_on(__name__, "", _PASSED_ON, _OWN)
