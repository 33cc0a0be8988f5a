"""What is said of two systems, from the arrays of their rankings."""

from __future__ import annotations

import numpy as np

from vecbleu.show.table import p_phrase
from vecbleu.significance import human_agreement
from vecbleu.significance.results import p_texts


def points(value, sign=""):
    """A difference with one digit, or as many as it needs."""
    digits = 1 if abs(value) >= 0.095 else 2 if abs(value) >= 0.0095 else 4
    return f"{value:{sign}.{digits}f}".replace("-", "−") if value else "0.0"


def verdict_of(rankings, names, best, second):
    """What is said of two systems: who is ahead, by which metrics, if by chance, and who agrees."""
    said, decisions, people, metrics = {}, [], [], []
    for ranking in rankings:
        gain = ranking.scores[best] - ranking.scores[second]
        gain *= 100 if ranking.higher_is_better else -100
        kind = ("equal to {} in", "ahead of {} by", "behind {} by")[int(np.sign(gain))]
        (p,) = p_texts(ranking, ([best], [second]))
        is_significant = ranking.p_upper[best, second] < 0.05
        is_borderline = ranking.p_lower[best, second] < 0.05 and not is_significant
        if ranking.human_agreement is not None and gain:
            share = human_agreement(gain, ranking.metric.removesuffix("2"))
            people.append(f"with {ranking.metric} in {share:.0f}%")
        size = f"{points(abs(gain))} " if gain else ""
        said.setdefault(kind, []).append(f"{size}{ranking.metric} ({p_phrase(p)})")
        decisions.append(np.sign(gain) if is_significant else "?" if is_borderline else 0)
        metrics += [ranking.metric] if is_significant else []
    kinds = {
        0: "not significant, so it can be chance",
        "?": "too close to call, so not significant",
    }
    conclusion = kinds.get(decisions[0], "significant, so hardly chance")
    if {1, -1} <= {*decisions}:
        conclusion = "the metrics contradict each other"
    elif len({*decisions}) > 1:
        conclusion = f"significant by {' and '.join(metrics)} only" if metrics else kinds[0]
    if all(kind.startswith("equal") for kind in said):
        conclusion = "not significant"
    parts = (f"{kind.format(names[second])} {' and '.join(each)}" for kind, each in said.items())
    agreed = f"; people agree {' and '.join(people)} of such cases (at random: 50%)"
    return f"{names[best]} is {', '.join(parts)}: {conclusion}{agreed if people else ''}."
