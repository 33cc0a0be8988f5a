"""Systems in clusters, as in WMT's official rankings: text, JSON or LaTeX."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from vecbleu.cli.reports import json_lines
from vecbleu.core.terminal import escaped_name

if TYPE_CHECKING:
    from vecbleu.significance import AllPairs


def ranking_lines(found: AllPairs, options: Namespace, signature: str) -> list[str]:
    """The systems from the best down, each with its score and its cluster."""
    if options.format == "latex" and not options.json:
        table = found.to_latex(decimals=options.width).rstrip("\n").split("\n")
        return [f"% BLEU|{signature}", *table]
    scores, groups = found.percents.tolist(), found.clusters().tolist()
    entries = [
        {"system": name, "score": score, "cluster": cluster}
        for name, score, cluster in zip(found.names, scores, groups, strict=True)
    ]
    entries.sort(key=lambda entry: -float(entry["score"]))
    if options.json or options.format == "json":
        return json_lines({"signature": signature, "systems": entries})
    texts = [f"{entry['score']:.{options.width}f}" for entry in entries]
    width = max(len("BLEU"), *map(len, texts))
    lines = [
        f"{entry['cluster']:>7}  {text:>{width}}  {escaped_name(str(entry['system']))}"
        for entry, text in zip(entries, texts, strict=True)
    ]
    return [f"BLEU|{signature}", "", f"cluster  {'BLEU':>{width}}  system", *lines]
