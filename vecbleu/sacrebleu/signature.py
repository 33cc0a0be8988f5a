"""Signatures: what was computed, in sacreBLEU's words."""

from __future__ import annotations

from typing import Any

import vecbleu

_SHORT = {
    "nrefs": "#",
    "bs": "bs",
    "ar": "ar",
    "seed": "rs",
    "test": "t",
    "lang": "l",
    "origlang": "o",
    "subset": "S",
    "case": "c",
    "eff": "e",
    "tok": "tok",
    "smooth": "s",
    "max_order": "n",
    "ref_length": "rl",
    "version": "v",
}


class BLEUSignature:
    """The fields of a signature, in sacreBLEU's order; the version, vecbleu's, comes last.

    Parameters
    ----------
    fields : dict
        Values by name; those that are None are left out.

    Examples
    --------
    >>> from vecbleu.sacrebleu import BLEU
    >>> metric = BLEU(references=[["The cat sat."]])
    >>> str(metric.get_signature()).partition("|version")[0]
    'nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp'
    >>> metric.get_signature().format(short=True).partition("|v:")[0]
    '#:1|c:mixed|e:no|tok:13a|s:exp'
    """

    def __init__(self, fields: dict[str, Any]) -> None:
        self.info: dict[str, Any] = {"version": f"vecbleu-{vecbleu.__version__}"}
        self.info.update(dict.fromkeys(name for name in _SHORT if name != "version"))
        self.info.update(fields)

    def format(self, short: bool = False) -> str:
        """Join the fields; `short` abbreviates their names."""
        names = [*(name for name in self.info if name != "version"), "version"]
        return "|".join(
            f"{_SHORT.get(name, name) if short else name}:{_yes_or_no(self.info[name])}"
            for name in names
            if self.info[name] is not None
        )

    def update(self, key: str, value: Any) -> None:
        """Add a field, or give it another value."""
        self.info[key] = value

    def __str__(self) -> str:
        return self.format()

    __repr__ = __str__


def _yes_or_no(value: Any) -> Any:
    """Booleans in words."""
    return ("yes" if value else "no") if isinstance(value, bool) else value


def smoothing_field(method: str, value: float | None) -> str:
    """The smoothing and its value, if it has one."""
    return method if value is None else f"{method}[{value:.2f}]"
