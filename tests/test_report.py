"""The report as a file: what it is made from, what it refuses, and that data never are markup."""

from __future__ import annotations

import json
import re
from functools import partial
from html import unescape
from itertools import pairwise, permutations, product
from operator import itemgetter

import ngram_oracle
import numpy as np
import pytest
from command import REFERENCES, SYSTEMS, lines, run, write_lines
from corpora import noisy_systems
from hypothesis import example, given, settings
from hypothesis import strategies as st
from peers import TOKENIZE
from verdicts import points, verdict_of

import vecbleu
import vecbleu.chrf
import vecbleu.ter
from vecbleu import report, significance
from vecbleu.show.table import p_phrase
from vecbleu.significance.results import p_texts

UGLY_TEXT = st.text(st.sampled_from("<>&\"'\0\u2028\ud800😀 éİ$") | st.characters(), max_size=20)


def shown(piece):
    """The text of a piece, which may be an entity and its character."""
    return piece if isinstance(piece, str) else piece[0]


class Page:
    """A report: its markup, its text, and its data by name."""

    def __init__(self, path):
        page = path.read_text(encoding="utf-8")
        scripts = re.compile(r'<script(?: [^>]*id="([\w-]+)")?[^>]*>(.*?)</script>', re.DOTALL)
        self.scripts = dict(scripts.findall(page))
        self.markup = scripts.sub("", re.sub("<style>.*?</style>", "", page, flags=re.DOTALL))
        self.text = plain(self.markup)
        self.numbers = json.loads(self.scripts["numbers"])

    def rows(self, name):
        """What a block has of each segment."""
        return [json.loads(row) for row in self.scripts[name].strip().split("\n")]

    def outputs(self, place):
        """Texts of a system, their pieces joined."""
        return ["".join(map(shown, row)) for row in self.rows(f"outputs-{place}")]

    def section(self, name):
        """The markup of a section."""
        return self.markup.partition(f'<section id="{name}"')[2].partition("</section>")[0]


def written(folder, *arguments, **options):
    path = folder / "report.html"
    report.write(path, *arguments, **{"n_resamples": 20, **options})
    return Page(path)


MARKUP = "<script>alert(1)</script><b>&\"'"


@settings(max_examples=8)  # two reports each
@example(MARKUP, MARKUP, [MARKUP, "</script><img>"])
@given(UGLY_TEXT, UGLY_TEXT, st.lists(UGLY_TEXT, min_size=2, max_size=2))
def test_data_are_never_markup(tmp_path_factory, name, title, texts):
    folder = tmp_path_factory.mktemp("ugly")
    rows = [*texts, "a b c d e"]
    other = ["x", "y", "a b c d e"]
    systems = {f"1{name}": rows, f"2{name}": other}
    found = written(folder, systems, rows, source=rows, labels=rows, title=title)
    tame = written(folder, {"1": rows, "2": other}, rows, source=rows, labels=rows)
    signs = (re.findall('[<>"]', page.markup) for page in (found, tame))
    assert next(signs) == next(signs)
    assert found.rows("source") == rows
    assert [found.outputs(0), found.outputs(1)] in ([rows, other], [other, rows])
    data = "".join(text for name, text in found.scripts.items() if name)
    assert not re.search("[<>&\u2028\u2029\0]", data)
    if title.isprintable():
        assert " ".join(title.split()) in found.text


def cells(markup):
    """The cells of each row of the tables in some markup."""
    rows = re.findall("<tr[^>]*>(.*?)</tr>", markup)
    return [[plain(cell) for cell in re.findall("<t[dh][^>]*>(.*?)</t[dh]>", row)] for row in rows]


def plain(markup):
    return " ".join(unescape(re.sub("<[^>]*>", "", markup)).split())


def signed(value):
    return f"{value:+.2f}".replace("-", "−")


def percent(score):
    return f"{100 * score:.2f}"


def read_chart(chart):
    """Rows of a chart from the top: name, ends of the interval, kind and score of the dot, number.

    Scores are read from the ticks. Also the rows that begin below a border.
    """
    ticks = re.findall('class="tick" x="([^"]*)"[^>]*>([^<]*)<', chart)
    (left, low), (right, high) = (map(float, ticks[place]) for place in (0, -1))

    def score(x):
        return low + (float(x) - left) * (high - low) / (right - left)

    rows = []
    row_of_chart = re.compile(
        r'class="system"[^>]* y="(\d+)">[^<]*<title>([^<]*)<.*?'
        r'class="interval" d="M(\S+) (\d+)H(\S+)".*?'
        r'<circle class="(\w+)" cx="(\S+)" cy="(\d+)".*?class="number"[^>]* y="(\d+)">([^<]*)<'
    )
    for y, name, start, y_1, end, kind, x, y_2, y_3, number in row_of_chart.findall(chart):
        assert int(y) - 4 == int(y_1) == int(y_2) == int(y_3) - 4
        rows.append([int(y), unescape(name), score(start), score(end), kind, score(x), number])
    borders = [float(y) for y in re.findall(r'class="border" d="M0 (\S+)H', chart)]
    below = [next(row[1] for row in rows if row[0] > y) for y in borders]
    assert rows == sorted(rows)
    return [row[1:] for row in rows], below


def check_scores(markup, ranking, names, order):
    """The table of a metric, whose systems stand in the order of the first one."""
    own_order = sorted(
        range(len(names)),
        key=lambda place: (
            -ranking.scores[place] if ranking.higher_is_better else ranking.scores[place]
        ),
    )
    (caption,), metric = re.findall("<caption>(.*?)</caption>", markup), ranking.metric
    assert caption == f"{metric} of each system"
    head, *rows = cells(markup)
    tests = "difference", "lower", "upper", "p (best)", "p (above)", "cluster"
    assert head == ["system", metric, *tests, "score lower", "score upper"]
    matrices = ranking.differences, ranking.difference_lower, ranking.difference_upper
    clusters = ranking.clusters()
    for row, place in zip(rows, order, strict=True):
        rank = own_order.index(place)
        differences = [signed(100 * matrix[place, own_order[0]]) for matrix in matrices]
        others = np.array([own_order[0], own_order[rank - 1]])
        p = p_texts(ranking, (np.array([place] * 2), others))
        shown = [*differences, *p] if rank else [""] * 5
        bounds = (percent(bound[place]) for bound in (ranking.lower, ranking.upper))
        expected = [names[place], percent(ranking.scores[place]), *shown, f"{clusters[place]}"]
        assert row == [*expected, *bounds]
    marked = re.findall('<tr class="rule">.*?class="left">([^<]*)<', markup)
    below = []
    for at in range(1, len(order)):
        pairs = product(order[:at], order[at:])
        if all(clusters[upper] < clusters[lower] for upper, lower in pairs):
            below.append(names[order[at]])
    assert [*map(unescape, marked)] == below


REPEATED = "the the", "of. of."

# Systems by their shares of wrong words, how many segments, and how texts are changed.
SCREENS = {
    "two": ([0.5, 0.2], 60, None),
    "three, the first two close": ([0.21, 0.2, 0.4], 200, None),
    "twelve": (np.repeat([0.1, 0.3, 0.6], 4), 100, None),
    "twelve alike": (np.full(12, 0.3), 30, None),
    "six like the best": ([0.2] * 7 + [0.6], 60, "equal"),
    "two equal at the top": ([0.4, 0.2, 0.2], 60, "equal"),
    "all equal": ([0.2, 0.2], 30, "equal"),
    "one segment": ([0.2, 0.5], 1, None),
    "chrF first": ([0.5, 0.4, 0.25], 60, ["chrf", "bleu"]),
    "chrF beside": ([0.5, 0.4, 0.25], 60, ["bleu", "chrf"]),
    "TER first": ([0.6, 0.7, 0.7], 60, ["ter", "bleu"]),
    "TER beside": ([0.6, 0.7, 0.7], 60, ["bleu", "ter"]),
    "too long": ([0.1, 0.3, 0.5], 80, "long"),
}


@pytest.mark.parametrize("screen", SCREENS)
def test_the_first_screen_says_what_the_arrays_say(tmp_path, screen):
    shares, size, change = SCREENS[screen]
    references, texts = noisy_systems(size, shares)
    if change == "equal":
        texts = [texts[0] if share == shares[0] else texts[-1] for share in shares]
    if isinstance(change, list):
        # What BLEU does not like: chrF likes the words in a wrong order, TER every other word.
        step = -1 if "chrf" in change else 2
        texts[-1] = [" ".join(text.split()[::step]) for text in references]
    if change == "long":
        texts = [[f"{text} {REPEATED[row % 2]}" for row, text in enumerate(one)] for one in texts]
    names = [f"s<{number}>" for number in range(len(shares))]
    systems = dict(zip(names, texts, strict=True))
    labels = [f"<{row % 3}>" for row in range(size)]
    options = {"n_resamples": 100, "confidence_level": 0.9}
    metrics = change if isinstance(change, list) else ["bleu"]
    plus = {"chrf": {"word_order": 2}} if "chrf" in metrics else {}
    page = written(tmp_path, systems, references, **options, labels=labels, metrics=metrics, **plus)

    tables = {name: vecbleu.statistics(text, references) for name, text in systems.items()}
    count_chrf = partial(vecbleu.chrf.statistics, references=references, word_order=2)
    count_ter = partial(vecbleu.ter.statistics, references=references)
    counted = {"bleu": tables, "chrf": {name: count_chrf(text) for name, text in systems.items()}}
    counted["ter"] = {name: count_ter(text) for name, text in systems.items()}
    ranking, *others = (significance.rank(counted[metric], **options) for metric in metrics)
    assert all(other.order.tolist() != ranking.order.tolist() for other in others)
    scored = counted[metrics[0]]
    bleu = {"bleu": "BLEU", "chrf": "chrF2++", "ter": "TER"}[metrics[0]]
    sign = -1 if bleu == "TER" else 1  # of a gain
    order = sorted(range(len(names)), key=lambda place: (-sign * ranking.scores[place], place))
    best, second = ([*names, names[0]][place] for place in order[:2])
    scores, is_worse = 100 * ranking.scores, ranking.significant[order[0]]
    gain = sign * (scores[order[0]] - scores[order[1]])
    clusters = ranking.clusters()

    (verdict,) = re.findall('<p class="verdict">(.*?)</p>', page.markup)
    shown_rankings = [ranking, *others]
    assert plain(verdict) == verdict_of(shown_rankings, names, *order[:2])

    (chart,) = re.findall("<svg.*?</svg>", page.markup)
    rows, below = read_chart(chart)
    for row, place in zip(rows, order, strict=True):
        assert row[::3] == [names[place], "worse" if is_worse[place] else "dot"]
        assert row[-1] == f"{scores[place]:.1f}"
        ends = 100 * ranking.lower[place], 100 * ranking.upper[place], scores[place]
        assert (row[1], row[2], row[4]) == pytest.approx(ends, abs=0.3)
    ends = [lower for upper, lower in pairwise(order) if clusters[upper] != clusters[lower]]
    assert below == [names[place] for place in ends]
    assert f"{bleu} with 90% intervals" in page.text
    assert page.text.count("TER: lower is better. ") == ("ter" in metrics)
    assert f'aria-label="{bleu} of each system' in chart

    tables_shown = re.findall("<table.*?</table>", page.section("scores"))
    for shown_table, own in zip(tables_shown, shown_rankings, strict=True):
        check_scores(shown_table, own, names, order)

    lengths = tables[best].ref_len
    grams = [f"{n}-gram" for n in (1, 2, 3, 4)]
    expected = [["system", *grams, "brevity penalty", "tokens", "reference tokens", "ratio"]]
    for place in order:
        sums = tables[names[place]].array.sum(axis=0).tolist()
        total = tables[names[place]].score()
        hyp_len, ref_len, penalty = total.hyp_len, int(lengths.sum()), total.brevity_penalty
        assert penalty == pytest.approx(min(1, np.exp(1 - ref_len / hyp_len)))
        ratios = [f"{100 * value:.2f}" for value in total.precisions]
        assert hyp_len == sum(len(TOKENIZE["13a"](text)) for text in systems[names[place]])
        assert all(count in sums for count in (hyp_len, *total.matches, *total.totals))
        ends = [f"{penalty:.4f}", f"{hyp_len:,}", f"{ref_len:,}", f"{hyp_len / ref_len:.4f}"]
        expected.append([names[place], *ratios, *ends])
    assert cells(page.section("precisions")) == expected

    said = []
    by = f" by {ranking.metric}" if others else ""
    similar = [names[place] for place in order[1:] if not is_worse[place]]
    all_similar = len(similar) == len(names) - 1
    if similar and not all_similar:
        more = f" and {len(similar) - 5} more" if len(similar) > 5 else ""
        said.append(f"Not significantly worse than {best}{by}: {', '.join(similar[:5])}{more}.")
    if len(names) > 2:
        subject = "No system is" if all_similar else "All others are"
        said.append(f"{subject} significantly worse than {best}{by}.")
    shown = cells(page.section("groups"))
    bins = np.array(["< 10", "10-19", "20-29", "30-39"])
    sizes = bins[np.digitize(lengths, [10, 20, 30])].tolist()
    groupings = ("label", "", "label", labels), ("ref_len", " tokens", "length", sizes)
    for by, unit, word, groups in groupings:
        is_tested = any(groups.count(group) >= 10 for group in groups)
        ends = ["lower", "upper"] if is_tested else []
        titles = [by, "system", bleu, "difference", *ends, "p", "segments"]
        assert shown.pop(0) == titles
        found_groupings = page.numbers["groupings"]
        known = {name: [own[row] for row in rows] for name, own, rows, _ in found_groupings}
        assert known[by] == groups
        gains = []
        for group in (group for group in [*labels[:3], *bins] if group in groups):
            rows = [row for row in range(size) if groups[row] == group]
            part = {names[place]: scored[names[place]][rows] for place in order}
            found = [one.score() for one in part.values()]
            tested = significance.paired_bootstrap(part, **options) if len(rows) >= 10 else None
            for row, (name, score) in enumerate(zip(part, found, strict=True)):
                tests = [""] * (len(titles) - 4)
                if row and tested:
                    bounds = tested.differences, tested.difference_lower, tested.difference_upper
                    tests = [*(signed(100 * bound[row]) for bound in bounds), p_texts(tested)[row]]
                assert shown.pop(0) == [group, name, percent(score), *tests, f"{len(rows)}"]
            if len(rows) >= 20:
                gain = 100 * sign * float(found[0] - found[1])
                text = f"{group}{unit} ({points(gain, '+')} points, {len(rows)} segments)"
                gains.append((gain, text))
        if len({gain for gain, _ in gains}) > 1:
            (_, most), (_, least) = (end(gains, key=itemgetter(0)) for end in (max, min))
            said.append(
                f"By {word}, {best} gains most over {second} on {most}, and least on {least}."
            )
    assert shown == []
    for name in (best, second):
        hyp_len, ref_len = tables[name].hyp_len.sum(), lengths.sum()
        lost = 100 * (1 - np.exp(1 - ref_len / hyp_len))
        taken = f"the brevity penalty takes {lost:.2g}% of its BLEU"
        penalty = taken if hyp_len < ref_len else "its BLEU has no brevity penalty"
        share = 100 * hyp_len / ref_len
        said.append(f"{name} is {share:.1f}% as long as the references: {penalty}.")
    sides = [[TOKENIZE["13a"](text) for text in systems[name]] for name in (best, second)]
    several = [[TOKENIZE["13a"](reference)] for reference in references]
    ngrams = ngram_oracle.expected(sides, several, kinds=["match"], top=4)
    for column, (name, other) in enumerate(((best, second), (second, best))):
        listing = ", ".join(
            f"{' '.join(ngram)} ({more} against {less})"
            for _, having_more, ngram, (more, less), _ in ngrams
            if having_more == column
        )
        if listing:
            said.append(f"N-grams that {name} matches more often than {other}: {listing}.")
    gains = sign * (scored[best].scores() - scored[second].scores())
    for word, sign in (("ahead of", 1), ("behind", -1)):
        places = sorted(np.flatnonzero(sign * gains > 0), key=lambda row: (-sign * gains[row], row))
        if links := ", ".join(f"segment {row + 1}" for row in places[:8]):
            said.append(f"{best} is farthest {word} {second} at {links}.")
    found = [plain(text) for text in re.findall("<li>(.*?)</li>", page.markup)]
    assert found == said

    numbers = page.numbers
    assert numbers["names"] == [names[place] for place in order]
    assert numbers["higherIsBetter"] == (bleu != "TER")
    for place, name in enumerate(numbers["names"]):
        assert numbers["scores"][place] == np.round(100 * scored[name].scores(), 3).tolist()
    for (row, place), (column, other) in permutations(enumerate(order), 2):
        told = []
        for own in shown_rankings:
            parts = own.differences, own.difference_lower, own.difference_upper
            value, low, high = (points(100 * matrix[place, other], "+") for matrix in parts)
            (p_text,) = map(p_phrase, p_texts(own, ([place], [other])))
            told.append(f"{value} {own.metric} (90% interval {low} to {high}, {p_text})")
        assert numbers["tests"][row][column] == "; ".join(told)
    assert numbers["lengths"] == lengths.tolist()
    count = f"{len(names)} systems, {size:,} segment{'' if size == 1 else 's'}"
    fields = "nrefs:1|bs:100|sides:2|seed:12345|case:mixed|eff:"
    signatures = {
        "bleu": f"BLEU|{fields}no|tok:13a|smooth:exp|version:vecbleu-{vecbleu.__version__}",
        "chrf": f"chrF2++|{fields}yes|nc:6|nw:2|space:no|version:vecbleu-{vecbleu.__version__}",
        "ter": "TER|nrefs:1|bs:100|sides:2|seed:12345|case:lc|tok:tercom|norm:no|punct:yes|"
        f"asian:no|version:vecbleu-{vecbleu.__version__}",
    }
    assert page.text.partition(f" {count} ")[2].startswith(plain(verdict))
    own_signatures = " ".join(signatures[metric] for metric in metrics)
    assert f"how the scores were made: {own_signatures} Findings" in page.text


def test_each_of_several_labels_has_a_table_and_filters(tmp_path):
    references, (best, poor) = noisy_systems(40, [0.1, 0.6])
    labels = {"page": ["x", "y"] * 20, "<b>": ["a"] * 30 + ["b"] * 10}
    page = written(tmp_path, {"a": best, "b": poor}, references, labels=labels)
    found = page.numbers["groupings"]
    assert [by for by, *_ in found] == ["page", "<b>", "ref_len"]
    for name, own in labels.items():
        (known,) = [[kept[row] for row in rows] for by, kept, rows, _ in found if by == name]
        assert known == own
    captions = [unescape(one) for one in re.findall("<caption>(.*?)</caption>", page.markup)]
    assert captions[-3:] == ["BLEU by page", "BLEU by <b>", "BLEU by ref_len"]
    assert "By page, a gains most over b on" in page.text
    assert "first=1&amp;second=2&amp;by+page=" in page.markup
    with pytest.raises(ValueError, match=r"^labels has 1 "):
        written(tmp_path, {"a": best, "b": poor}, references, labels={"page": ["x"]})


def test_many_labels_are_cut_off_with_a_line_that_says_so(tmp_path):
    systems = {"one": ["a b c d"] * 300, "two": ["a b c e"] * 300}
    labels = [None, "None", float("nan"), *range(297)]
    page = written(tmp_path, systems, ["a b c d"] * 300, labels=labels)
    shown = [label for label, *_ in cells(page.section("groups"))[1:11]]
    assert shown == [label for label in ["None", "None", "nan", "0", "1"] for _ in range(2)]
    assert "label: the 60 largest of 300 groups" in page.text


def test_a_p_value_that_draws_do_not_decide_is_borderline(tmp_path):
    references, (best, poor) = noisy_systems(60, [0.1, 0.6])
    page = written(tmp_path, {"a": best, "b": poor, "c": poor}, references, n_resamples=19)
    assert "(p = 0.05, borderline): too close to call, so not significant; people" in page.text
    assert "people agree with BLEU in 88% of such cases" in page.text
    assert "Borderline, so not significantly worse: b, c. " in page.text
    assert cells(page.section("scores"))[2][5:7] == ["0.05, borderline"] * 2
    assert "No system is significantly worse than a." in page.text
    assert "paired bootstrap of segments against" in page.text
    assert '"worse"' not in page.markup
    page = written(tmp_path, {"a": poor, "b": poor}, references, documents=range(60))
    assert "Borderline, so" not in page.text
    assert "paired bootstrap of documents against" in page.text


def test_several_references_and_options_are_shown(tmp_path):
    references = [["A b c d", "a b"], "e f g h", ("i", "j", "k")]
    outputs = ["a b C d", "e f g x", "i"]
    options = {"tokenize": "char", "lowercase": True, "max_order": 2, "smoothing": "none"}
    page = written(tmp_path, {"one": iter(outputs), "two": outputs}, references, **options)
    shown = [["".join(text) for text in row] for row in page.rows("references")]
    assert shown == [["A b c d", "a b"], ["e f g h"], ["i", "j", "k"]]
    added = {"smoothing": "add-k", "smoothing_value": 3}
    smoothed = written(tmp_path, {"one": outputs, "two": outputs}, references, **options | added)
    for own, options_of_score in ((page, options), (smoothed, options | added)):
        precisions = vecbleu.corpus_bleu(outputs, references, **options_of_score).precisions
        shown = [f"{100 * value:.2f}" for value in precisions]
        assert cells(own.section("precisions"))[1][1:3] == shown
        # Sentences have effective order, and smoothing "exp", whatever that of corpora.
        counting = {name: options[name] for name in ("tokenize", "lowercase", "max_order")}
        sentences = vecbleu.sentence_bleu(outputs, references, **counting)
        assert own.numbers["scores"] == [np.round(100 * sentences, 3).tolist()] * 2
        groups = cells(own.section("groups"))
        whole = [100 * vecbleu.corpus_bleu(outputs, references, **options_of_score)]
        assert [row[2] for row in groups[-2:]] == [f"{value:.2f}" for value in whole * 2]
    assert "one is equal to two in BLEU (p = 1.000): not significant." in page.text
    assert (page.numbers["maxOrder"], page.numbers["lowercase"]) == (2, True)
    assert "case:lc|eff:no|tok:char|smooth:none|max_order:2" in page.text


@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("name", TOKENIZE)
def test_texts_are_cut_into_their_tokens_or_not_at_all(tmp_path, name, lowercase):
    texts = ["The cat (sat).", "İstanbul, 3.5 İİ!", "a &amp; B", "", "xİ,y.", "İ", "a &amp;lt; b"]
    page = written(tmp_path, {"a": texts, "b": texts}, texts, tokenize=name, lowercase=lowercase)
    assert page.outputs(0) == texts
    rows = page.rows("outputs-0")
    assert isinstance(rows[0], list)
    for text, row in zip(texts, rows, strict=True):
        fold = str.lower if lowercase else str
        words = []
        for piece in row:
            words += fold(piece).split() if shown(piece) == piece else piece[1:]
        assert isinstance(row, str) or words == TOKENIZE[name](fold(text))
        is_cut = name in ("13a", "none", "intl", "char", "zh") and not (lowercase and "İ" in text)
        assert isinstance(row, list) or not is_cut


def test_texts_are_shown_in_their_normal_form(tmp_path):
    """The page's script counts n-grams of what is shown, as the tables do."""
    texts = ["der Ka\u0308se &lt; \uff21, B", "gru\u0308n"]
    page = written(tmp_path, {"a": texts, "b": texts}, texts, normalize="NFKC")
    assert page.outputs(0) == ["der K\u00e4se &lt; A, B", "gr\u00fcn"]
    assert [*map("".join, page.rows("references")[1])] == ["gr\u00fcn"]
    assert "unicode:NFKC" in page.text


@pytest.mark.parametrize(("gap", "shown"), [(400, "0.4"), (40, "0.04"), (4, "0.0040")])
def test_a_lead_has_one_digit_or_as_many_as_it_needs(tmp_path, gap, shown):
    matches = 50_000 + gap, 50_000  # of 100,000: a gap in thousandths of a point
    best, second = (vecbleu.Statistics([[100_000, 100_000, own, 100_000]]) for own in matches)
    page = written(tmp_path, {"second": second, "best": best}, None)
    assert f"best is ahead of second by {shown} BLEU (p = " in page.text


ROWS = ["a b c d"] * 3
BOTH = {"metrics": ["bleu", "chrf"]}
PAIR = {"one": ROWS, "two": ROWS}
TABLE = vecbleu.statistics(ROWS, ROWS)
CHRF = vecbleu.chrf.statistics(ROWS, ROWS)


@pytest.mark.parametrize(
    ("kind", "systems", "options", "told"),
    [
        (ValueError, {"one": ROWS}, {}, "systems has 1, .* 2 "),
        (ValueError, PAIR, {"metrics": ["bleu", "comet"]}, r"metrics\[1\] is 'comet'"),
        (ValueError, PAIR, {"chrf": {"beta": 3}}, "chrf is .*beta"),
        (ValueError, PAIR, {**BOTH, "chrf": {"wordorder": 2}}, "chrf .*wordorder.*word_order"),
        (ValueError, PAIR, {"metrics": "chrf"}, "metrics is 'chrf', expected a list"),
        (ValueError, PAIR, {"metrics": []}, "metrics is \\[\\], expected a list"),
        (TypeError, {"one": TABLE, "two": TABLE}, {"metrics": ["chrf"]}, "one.* its text"),
        (TypeError, {"one": CHRF, "two": CHRF}, {"metrics": ["chrf"]}, "one.* its text"),
        (ValueError, PAIR, {"language_pair": "de"}, "language_pair is 'de'"),
        (ValueError, PAIR, {"language_pair": 'de-en"'}, "language_pair is 'de-en\"'"),
        (ValueError, PAIR, {"references": ROWS[:2]}, "references.* 2 .* 3"),
        (ValueError, [ROWS, ROWS[:2]], {}, r"systems\['1'\].* 2 .* 3"),
        (ValueError, PAIR, {"references": None}, r"systems\['one'\] .*references"),
        (TypeError, PAIR, {"title": 1}, "title"),
        (TypeError, PAIR, {"labels": {"x", "y", "z"}}, "labels is set"),
        (TypeError, {"one": [["a"]] * 3, "two": ROWS}, {}, r"systems\['one'\]\[0\]"),
        (TypeError, PAIR, {"references": [*ROWS[:2], [None]]}, r"references\[2\]\[0\]"),
        (ValueError, {"one": TABLE, "two": TABLE}, {"tokenize": "intl"}, "leave out options"),
        (ValueError, {"one": TABLE, "two": TABLE[:2]}, {"references": None}, "two.* 2 "),
        (ValueError, {1: ROWS, "1": ROWS}, {}, "systems"),
        (ValueError, {"one": [], "two": []}, {"references": []}, "0 "),
        (ValueError, {"one": ["x"] * 250_001, "two": ROWS}, {}, "2 systems.* 500002 .*500000"),
    ],
)
def test_mistakes_are_refused(tmp_path, kind, systems, options, told):
    path = tmp_path / "x.html"
    with pytest.raises(kind, match=told):
        report.write(path, systems, **{"references": ROWS, **options})
    with pytest.raises(FileNotFoundError):
        report.write(tmp_path / "no" / "x.html", PAIR, ROWS)
    assert not path.exists()


def test_the_command_writes_what_the_function_writes(tmp_path):
    """The same file by any number of processes; of statistics and several references too."""
    others = {"r": REFERENCES, "src": ["1", "2", "3", "4"], "l": ["x\r", "x", "y", "y\r"]}
    write_lines(tmp_path, SYSTEMS | others)
    options = {"source": others["src"], "labels": ["x", "x", "y", "y"], "title": "Trial"}
    options |= {"metrics": ["chrf", "bleu"], "chrf": {"word_order": 2, "eps_smoothing": True}}
    report.write(tmp_path / "y.html", SYSTEMS, REFERENCES, **options, n_resamples=99)
    arguments = "report r -i h s t -o x.html --source src --labels l --title Trial --resamples 99 "
    arguments += "-m chrf bleu --chrf-word-order 2 --chrf-eps-smoothing"
    for workers in "12":
        lines(run(tmp_path, *arguments.split(), "--workers", workers))
        assert (tmp_path / "x.html").read_bytes() == (tmp_path / "y.html").read_bytes()

    for name in "hs":
        lines(run(tmp_path, "stats", "r", "-i", name, "-o", f"{name}.npz"))
    lines(run(tmp_path, "report", "-i", "h.npz", "s.npz", "-o", "x.html", "--names", "A", "B"))
    page = Page(tmp_path / "x.html")
    assert (sorted(page.numbers["names"]), "outputs-0" in page.scripts) == (["A", "B"], False)
    assert "<title>Report</title>" in page.markup
    lines(run(tmp_path, "report", "r", "src", "-i", "h", "t", "-l", "en-zh-TW", "-o", "x.html"))
    page = Page(tmp_path / "x.html")
    assert len(page.rows("references")[0]) == 2
    assert "<title>r</title>" in page.markup
    assert 'data-languages="en-zh-TW"' in page.markup


def test_a_generator_has_no_seed_to_show(tmp_path):
    drawn = written(tmp_path, PAIR, ROWS, rng=np.random.default_rng(12345)).text
    assert "|bs:20|sides:2|case:mixed|" in drawn
    assert "|bs:20|sides:1|seed:7|case:" in written(tmp_path, PAIR, ROWS, rng=7, sides=1).text
    # Without a number of draws, at least so many are made.
    assert "|bs:1000|sides:2|seed:" in written(tmp_path, PAIR, ROWS, n_resamples=None).text


def test_as_many_outputs_as_are_allowed_are_written(tmp_path, monkeypatch):
    for most, error in (
        (6, None),
        (5, "2 systems of 3 segments are 6 outputs, expected at most 5"),
    ):
        monkeypatch.setattr("vecbleu.report.segments._MOST_OUTPUTS", most)
        if error is None:
            assert written(tmp_path, PAIR, ROWS).outputs(0) == ROWS
            continue
        with pytest.raises(ValueError, match=error):
            written(tmp_path, PAIR, ROWS)


def test_shared_references_are_refused(tmp_path):
    shared = vecbleu.SharedReferences(["a b", "c"])
    with pytest.raises(TypeError, match=r"^references is SharedReferences"):
        report.write(tmp_path / "x.html", {"one": ["a"], "two": ["b"]}, shared)
