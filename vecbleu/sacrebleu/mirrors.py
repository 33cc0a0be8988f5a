"""Mirror sacreBLEU's modules: BLEU comes from vecbleu, all else from the installed sacreBLEU.

Programs import names from many modules of sacreBLEU. Each module gets a mirror when it is imported.
The table `MIRRORS` lists vecbleu's names in it; all others are looked up in sacreBLEU.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

_OWN = "vecbleu.sacrebleu"
_PEER = "sacrebleu"

_CALLS = "BLEU BLEUScore corpus_bleu raw_corpus_bleu sentence_bleu"
_NGRAMS = "extract_all_char_ngrams extract_all_word_ngrams extract_char_ngrams extract_word_ngrams"
_NO_BLEU = """
    dataset dataset.base dataset.fake_sgml dataset.iwslt_xml dataset.plain_text dataset.tsv
    dataset.wmt_xml metrics.base metrics.chrf metrics.lib_ter metrics.ter sacrebleu significance
    tokenizers.tokenizer_ter utils
"""

# Names that are vecbleu's, by module of sacreBLEU.
MIRRORS = dict.fromkeys(_NO_BLEU.split(), "") | {
    "": f"{_CALLS} BLEUSignature extract_char_ngrams extract_word_ngrams",
    "compat": _CALLS,
    "metrics": "BLEU BLEUScore",
    "metrics.bleu": "BLEU BLEUScore BLEUSignature MAX_NGRAM_ORDER _TOKENIZERS _get_tokenizer "
    "extract_all_word_ngrams",
    "metrics.helpers": _NGRAMS,
    "tokenizers": "BaseTokenizer",
    "tokenizers.tokenizer_13a": "BaseTokenizer Tokenizer13a TokenizerRegexp",
    "tokenizers.tokenizer_base": "BaseTokenizer",
    "tokenizers.tokenizer_char": "BaseTokenizer TokenizerChar",
    "tokenizers.tokenizer_intl": "BaseTokenizer TokenizerV14International",
    "tokenizers.tokenizer_ja_mecab": "BaseTokenizer TokenizerJaMecab",
    "tokenizers.tokenizer_ko_mecab": "BaseTokenizer TokenizerKoMecab",
    "tokenizers.tokenizer_none": "BaseTokenizer NoneTokenizer",
    "tokenizers.tokenizer_re": "BaseTokenizer TokenizerRegexp",
    "tokenizers.tokenizer_spm": "BaseTokenizer TokenizerSPM Flores101Tokenizer Flores200Tokenizer "
    "spBLEU1KTokenizer",
    "tokenizers.tokenizer_zh": "BaseTokenizer TokenizerRegexp TokenizerZh",
    "version": "__version__",
}

# Names by the module of this package that defines them; all others are in `tokenizer`.
_DEFINED = {
    "": "__version__",
    "bleu": f"{_CALLS} MAX_NGRAM_ORDER",
    "ngrams": _NGRAMS,
    "score": "BLEUScore",
    "signature": "BLEUSignature",
}
_HOMES = {name: module for module, names in _DEFINED.items() for name in names.split()}
_MODULES = {*_DEFINED, "options", "streams", "tokenizer"}


def find(path: str, name: str) -> Any:
    """Look up a name in the mirror of a module."""
    if name in MIRRORS[path].split():
        return getattr(import_module(_below(_OWN, _HOMES.get(name, "tokenizer"))), name)
    if _below(path, name) in {*MIRRORS, *_MODULES}:
        return import_module(f"{_OWN}.{_below(path, name)}")
    reason = ""
    if not name.startswith("__"):
        try:
            found = getattr(_installed(path, name), name)
            return _metrics() if name == "METRICS" else found
        except ImportError as error:
            reason = f": {error}"
        except AttributeError:
            pass
    raise AttributeError(f"module {_below(_OWN, path)!r} has no attribute {name!r}{reason}")


@cache
def _metrics() -> Any:
    """Return sacreBLEU's metrics by name, with vecbleu's BLEU."""
    return _installed("metrics").METRICS | {"BLEU": find("", "BLEU")}


def names_of(path: str) -> list[str]:
    """List the names in the mirror of a module."""
    names = {*MIRRORS[path].split()}
    names |= {one.rpartition(".")[2] for one in MIRRORS if one and one.rpartition(".")[0] == path}
    with suppress(ImportError):
        names |= {*dir(_installed(path))}
    return sorted(names)


def _below(module: str, name: str) -> str:
    return f"{module}.{name}".strip(".")


def _installed(path: str, name: str = "") -> ModuleType:
    """Import a module of the installed sacreBLEU; an ImportError says what to install."""
    if _is_in_place():
        raise ImportError(f"{name!r} needs sacreBLEU, which sys.modules[{_PEER!r}] hides")
    try:
        return import_module(_below(_PEER, path))
    except ImportError as error:
        raise ImportError(
            f"{name!r} needs sacreBLEU, which can't be imported ({error}): "
            'pip install "vecbleu[sacrebleu]"'
        ) from None


def _is_in_place() -> bool:
    """Tell whether a program has replaced sacreBLEU by this package in `sys.modules`."""
    return getattr(sys.modules.get(_PEER), "__name__", None) == _OWN


class _Mirror(ModuleType):
    """Module with the names in `MIRRORS`, and all others of sacreBLEU's module."""

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":
            return [one for one in dir(self) if not one.startswith("_")]
        return find(self.__name__.partition(f"{_PEER}.")[2], name)

    def __dir__(self) -> list[str]:
        return names_of(self.__name__.partition(f"{_PEER}.")[2])


class _Finder:
    """Finder of mirrors, for imports.

    ``from module import name`` looks for a submodule if the module has no such attribute. Then the
    finder raises an error that says what to install.
    """

    def find_spec(self, fullname: str, *_others: Any) -> ModuleSpec | None:
        """Return the spec of a mirror; None for other modules."""
        package, _, path = fullname.partition(f"{_PEER}.")
        if not path or not (package == "vecbleu." or (not package and _is_in_place())):
            return None
        if path in MIRRORS:
            loader: Any = self
            return ModuleSpec(fullname, loader, is_package=True)
        parent, _, name = path.rpartition(".")
        if parent in MIRRORS:
            _installed(parent, name)
        return None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Make a mirror."""
        return _Mirror(spec.name, "Mirror of a module of sacreBLEU.")

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: names are looked up when they are used."""


sys.meta_path.append(_Finder())
