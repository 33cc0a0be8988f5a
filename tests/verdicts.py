"""What is said of two systems, from the arrays of their rankings."""

from __future__ import annotations

import numpy as np

from vecbleu.show.table import p_phrase


def points(value, sign=""):
    """A difference with one digit, or as many as it needs."""
    digits = 1 if abs(value) >= 0.095 else 2 if abs(value) >= 0.0095 else 4
    return f"{value:{sign}.{digits}f}".replace("-", "−") if value else "0.0"


def verdict_of(rankings, names, best, second):
    """What is said of two systems: by each metric who is ahead, and whether all say the same."""
    said, decisions = {}, []
    for ranking in rankings:
        gain = ranking.scores[best] - ranking.scores[second]
        gain *= 100 if ranking.higher_is_better else -100
        kind = ("equal to {} in", "ahead of {} by", "behind {} by")[int(np.sign(gain))]
        p = ranking.p_values[best, second]
        size = f"{points(abs(gain))} " if gain else ""
        said.setdefault(kind, []).append(f"{size}{ranking.metric} ({p_phrase(p)})")
        decisions.append(np.sign(gain) * (p < 0.05))
    conclusion = "significant" if all(decisions) else "not significant"
    if len({*decisions}) > 1:
        conclusion = "the metrics do not agree"
    parts = (f"{kind.format(names[second])} {' and '.join(each)}" for kind, each in said.items())
    return f"{names[best]} is {', '.join(parts)}: {conclusion}."
