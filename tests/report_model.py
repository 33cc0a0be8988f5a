"""What the page of a report shows: a plain state machine of its address, clicks and keys."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from decimal import ROUND_HALF_UP, Decimal
from functools import cache, partial
from itertools import product
from math import ceil
from urllib.parse import parse_qsl

import numpy as np
import oracle
from peers import TOKENIZE

PAGE, MOST = 50, 10_000
PAIR = "first", "second"
GROUPS = {"ref_len": "reference tokens"}
KINDS = {
    "match": ("matched", "matches more often", lambda count, limit: min(count, limit)),
    "over": ("overused", "overuses", lambda count, limit: max(count - limit, 0)),
    "under": ("missed", "misses more often", lambda count, limit: max(limit - count, 0)),
}
UNSEEN = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


@cache
def rounded(number, digits):
    """A number with some digits, rounded as JavaScript rounds."""
    return Decimal(number).quantize(Decimal(10) ** -digits, ROUND_HALF_UP)


def signed(number, digits):
    return ("+" if number > 0 else "") + str(rounded(number, digits)).replace("-", "−")


def folded(text):
    return unicodedata.normalize("NFC", text).lower()


def read(fragment):
    """The parts of an address."""
    return dict(parse_qsl(fragment.removeprefix("#"), keep_blank_values=True))


def several(reference):
    return [reference] if isinstance(reference, str) else list(reference)


class Report:
    """What a report shows; its numbers are those that tests/test_report.py holds to the arrays."""

    def __init__(self, numbers, systems, references, source=None):
        self.names, self.scores = numbers["names"], numbers["scores"]
        self.metric = numbers["metric"]
        self.gain = 1 if numbers["higherIsBetter"] else -1  # the sign of its differences
        self.lengths, self.tests = numbers["lengths"], numbers["tests"]
        self.lowercase = numbers["lowercase"]
        self.groupings = {
            by: (labels, [labels[group] for group in groups])
            for by, labels, groups, _ in numbers["groupings"]
        }
        self.texts = [systems[name] for name in self.names] if references else None
        self.references = [several(reference) for reference in references or []]
        self.source = source
        self.counts, self.amounts = cache(self._counts), cache(self._amounts)
        self.compared = cache(self._compared)

    def all_texts(self, segment):
        """Every text of a segment."""
        found = [] if self.source is None else [self.source[segment]]
        found += self.references[segment] if self.references else []
        return found + [own[segment] for own in self.texts or []]

    def text(self, system, segment):
        return self.texts[system][segment] if self.texts else "(no text in this report)"

    def labels(self):
        """The labels of segments, if there are any."""
        return [groups for name, (_, groups) in self.groupings.items() if name != "ref_len"]

    def _compared(self, first, second):
        """Difference, who wins, and bar of each segment."""
        differences = np.subtract(self.scores[first], self.scores[second])
        signs = np.sign(differences).astype(int)
        sizes = [min(ceil(rounded(abs(value), 3) / 10), 10) for value in differences.tolist()]
        return differences.tolist(), (self.gain * signs).tolist(), (signs * sizes).tolist()

    def _counts(self, text, order):
        text = text.lower() if self.lowercase else text
        return oracle.ngrams(TOKENIZE["13a"](text), order)

    def _amounts(self, kind, ngram, system):
        """What a kind counts of an n-gram in each output of a system."""
        segments = [*zip(self.texts[system], map(tuple, self.references), strict=True)]
        amounts = {}
        for text, references in {*segments}:
            own, *others = (self.counts(one, len(ngram))[ngram] for one in (text, *references))
            amounts[text, references] = KINDS[kind][2](own, max(others))
        return np.array([amounts[segment] for segment in segments])


class Model:
    """The page of a report."""

    def __init__(self, report):
        self.report = report
        self.history, self.place = [{}], 0  # addresses
        self.shows_others = self.lists_ngrams = False
        self.copied = None  # the segment whose address was just copied

    @property
    def address(self):
        return self.history[self.place]

    def visit(self, address, *, replaces=False):
        self.copied = None
        if replaces:
            self.history[self.place] = address
        else:
            self.place += 1
            self.history[self.place :] = [address]

    def go(self, *, replaces=False, **changes):
        """Change some parts of the address; without a text, a part goes."""
        address = {**self.address, **{name: str(value) for name, value in changes.items()}}
        kept = {name: value for name, value in address.items() if value or name not in changes}
        self.visit(kept, replaces=replaces)

    def show(self, **changes):
        self.go(page="", segment="", **changes)

    def number(self, name, low, high):
        """A whole number in the address, if it is from `low` to `high`."""
        text = self.address.get(name, "")
        is_known = re.fullmatch("-?[0-9]+", text) and low <= int(text) <= high
        return int(text) if is_known else None

    def pair(self):
        first, second = (self.number(name, 1, len(self.report.names)) for name in PAIR)
        first = (first or 1) - 1
        if second in (None, first + 1):
            return first, 0 if first else 1
        return first, second - 1

    def choose(self, side, system):
        """Choose another first or second system; the two change places if it is the other one."""
        pair = list(self.pair())
        if system == pair[1 - side]:
            pair[1 - side] = pair[side]
        pair[side] = system
        systems = {name: system + 1 for name, system in zip(PAIR, pair, strict=True)}
        self.show(**systems, wins="", bar="", ngram="")

    def compared(self):
        return self.report.compared(*self.pair())

    def win_name(self, sign):
        return f"{self.report.names[self.pair()[sign < 0]]} wins" if sign else "ties"

    def bar_name(self, bar):
        inner = bar - 1 if bar > 0 else bar + 1
        if abs(bar) == 10:
            return f"difference beyond {signed(10 * inner, 0)}"
        ends = signed(10 * inner, 0), signed(10 * bar, 0)
        return "difference {} to {}".format(*ends) if bar else "ties"

    def filters(self):
        """Name, text and test of each filter."""
        found = []
        _, signs, bars = self.compared()
        for by, (labels, groups) in self.report.groupings.items():
            name = f"by {by}"
            if (group := self.number(name, 0, len(labels) - 1)) is not None:
                text = f"{GROUPS.get(by, by)} {labels[group]}"
                found.append((name, text, [one == labels[group] for one in groups].__getitem__))
        if (sign := self.number("wins", -1, 1)) is not None:
            found.append(("wins", self.win_name(sign), lambda row: signs[row] == sign))
        if (bar := self.number("bar", -10, 10)) is not None:
            found.append(("bar", self.bar_name(bar), lambda row: bars[row] == bar))
        if needle := self.address.get("search"):
            found.append(("search", f"“{needle}”", partial(self.holds, folded(needle))))
        match = re.fullmatch("(match|over|under)/([12])/(.+)", self.address.get("ngram", ""), re.S)
        if match and (ngram := tuple(match[3].split())):
            more, less = self.pair() if match[2] == "1" else self.pair()[::-1]
            text = f"“{' '.join(ngram)}” {KINDS[match[1]][0]} more by {self.report.names[more]}"
            own, other = (self.report.amounts(match[1], ngram, system) for system in (more, less))
            found.append(("ngram", text, (own > other).tolist().__getitem__))
        return found

    def holds(self, needle, segment):
        return any(needle in folded(text) for text in self.report.all_texts(segment))

    def passing(self, *without):
        """Segments that pass all filters, or all but some."""
        rows = range(len(self.report.lengths))
        for name, _, test in self.filters():
            if name not in without:
                rows = list(filter(test, rows))
        return rows

    def sorts(self):
        """Text and key of each sort order."""
        found = [("segment", lambda row: row)]
        differences, *_ = self.compared()
        for system, sign in zip(self.pair(), (-1, 1), strict=True):
            name, scores = self.report.names[system], self.report.scores[system]
            gains = [self.report.gain * sign * difference for difference in differences]
            found.append((f"difference: {name} wins by most", gains.__getitem__))
            found.append((f"score of {name}, lowest first", scores.__getitem__))
            found.append((f"score of {name}, highest first", [-own for own in scores].__getitem__))
        return found

    def order(self):
        _, key = self.sorts()[self.number("sort", 0, 6) or 0]
        return sorted(self.passing(), key=key)

    def target(self):
        return (self.number("segment", 1, len(self.report.lengths)) or 0) - 1

    def page(self, order):
        """The page that is shown, and the last one, from 0."""
        last = max(ceil(len(order) / PAGE), 1) - 1
        if self.target() in order:
            return order.index(self.target()) // PAGE, last
        return (self.number("page", 1, last + 1) or 1) - 1, last

    def turn(self, step):
        self.go(page=self.page(self.order())[0] + 1 + step, segment="")

    def step(self, step):
        """Go to the next segment, or to the previous one."""
        order = self.order()
        at = PAGE * self.page(order)[0]
        if self.target() in order:
            at = order.index(self.target()) + step
        if 0 <= at < len(order):
            self.go(replaces=True, segment=order[at] + 1, page="")

    def shown(self):
        """What is shown, but for lists of n-grams."""
        report, order = self.report, self.order()
        first, second = self.pair()
        one, other = report.names[first], report.names[second]
        test = report.tests[first][second]
        page, last = self.page(order)
        all_rows = range(len(report.lengths))
        counts = "" if len(order) == len(all_rows) else f"{len(order):,} of "
        status = f"{counts}{noun(len(all_rows))}, page {page + 1} of {last + 1}"
        if self.copied is not None:
            status = f"Segment {self.copied + 1} is in the address"
        signs, bars = map(Counter, self.compared()[1:])
        wins = [f"{self.win_name(sign)}: {signs[sign]}" for sign in (1, 0, -1)]
        rows = order[PAGE * page : PAGE * (page + 1)]
        return {
            "address": self.address,
            "pair": [one, other],
            "sorts": [self.number("sort", 0, 6) or 0, *(text for text, _ in self.sorts())],
            "search": self.address.get("search", ""),
            "others": self.shows_others,
            "chips": [f"{text} ×" for _, text, _ in self.filters()],
            "status": status,
            "turns": 2 * [page == 0, page == last],
            "outcome": f"{one} against {other}: {test}. "
            f"Sentence {report.metric}: {' '.join(wins)} ",
            "legend": [one, other],
            "bars": [
                [
                    f"{noun(bars[bar])}, {self.bar_name(bar)}",
                    ("first" if bar * report.gain > 0 else "second") if bar else "none",
                    not bars[bar],
                    height(bars, bar),
                ]
                for bar in range(-10, 11)
            ],
            "segments": [self.segment(row) for row in rows],
            "list": "" if rows else "No segment passes all filters.",
        }

    def segment(self, row):
        """What is shown of a segment: its number, facts, and texts with what stands above them."""
        report, pair = self.report, self.pair()
        length = report.lengths[row]
        facts = [f"Segment {row + 1}", *(groups[row] for groups in report.labels())]
        facts.append("1 token" if length == 1 else f"{length} tokens")
        facts += [f"difference {signed(self.compared()[0][row], 1)}", "Copy address"]
        rest = [place for place in range(len(report.names)) if place not in pair]
        systems = [*pair, *(rest if self.shows_others else [])]
        given = [] if report.source is None else [["Source", report.source[row]]]
        references = report.references[row] if report.references else []
        for number, text in enumerate(references, 1):
            given.append([f"Reference {number}" if len(references) > 1 else "Reference", text])
        for place in systems:
            score = rounded(report.scores[place][row], 1)
            given.append([f"{report.names[place]}{score}", report.text(place, row)])
        texts = [[head, UNSEEN.sub(escape, text) or "empty"] for head, text in given]
        return [f"segment-{row + 1}", row == self.target(), facts, texts]

    def listed(self, tables):
        """Note and tables, with the sums of the n-grams that are in the page's tables."""
        pair, rows = self.pair(), list(self.passing("ngram"))
        if not self.report.texts:
            return "There are no texts to compare.", []
        part = f"the first {MOST:,} of " if len(rows) > MOST else ""
        expected = []
        for (kind, more), (_, _, lines) in zip(product(KINDS, (0, 1)), tables, strict=True):
            columns = pair if more == 0 else pair[::-1]
            names = [self.report.names[system] for system in columns]
            sums = []
            for ngram, *_ in lines:
                own, less = (self.sums(kind, ngram, system, rows[:MOST]) for system in columns)
                assert own > less
                sums.append([ngram, f"{own}", f"{less}"])
            expected.append([f"{names[0]} {KINDS[kind][1]}", ["n-gram", *names], sums])
        return f"Segments: {part}{len(rows):,}.", expected

    def sums(self, kind, phrase, system, rows):
        """The sum of an n-gram; a phrase of more words is joined from n-grams of the same sum."""
        words = phrase.split()
        (found,) = {
            self.report.amounts(kind, (*words[start : start + 4],), system)[rows].sum()
            for start in range(max(len(words) - 3, 1))
        }
        return found

    def table(self):
        """The cells that are exported."""
        report = self.report
        titles = [*report.groupings, *(f"{report.metric} of {name}" for name in report.names)]
        rows = [["segment", *titles, *map(defused, ("source", "references", *report.names))]]
        for row in self.order():
            groups = [defused(groups[row]) for _, groups in report.groupings.values()]
            scores = [f"{scores[row]:g}" for scores in report.scores]
            source = report.source[row] if report.source else ""
            references = " ||| ".join(report.references[row]) if report.references else ""
            texts = [source, references]
            texts += [own[row] if report.texts else "" for own in report.texts or report.names]
            rows.append([f"{row + 1}", *groups, *scores, *map(defused, texts)])
        return rows


def height(bars, bar):
    """The height of a bar, in percent."""
    return float(rounded(100 * bars[bar] / max(bars.values()), 1))


def noun(count):
    return f"{count:,} segment" if count == 1 else f"{count:,} segments"


def escape(match):
    return f"\\u{ord(match[0]):04x}"


def defused(text):
    """A text that no spreadsheet takes for a formula; half of a pair of surrogates is no text."""
    whole = re.sub("[\ud800-\udfff]", "\ufffd", text)
    return f"'{whole}" if whole.startswith(("=", "+", "-", "@", "\t", "\r")) else whole
