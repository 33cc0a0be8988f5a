"""The report as a file: what it is made from, what it refuses, and that data never are markup."""

from __future__ import annotations

import json
import re
from html import unescape

import numpy as np
import pytest
from command import REFERENCES, SYSTEMS, lines, run, write_lines
from corpora import noisy_systems
from hypothesis import example, given, settings
from hypothesis import strategies as st
from peers import TOKENIZE

import vecbleu
from vecbleu import report, significance
from vecbleu.analysis import ngram_differences, score_buckets

UGLY = [*"<>&\"'\0\u2028\ud800😀 éİ$"]
UGLY_TEXT = st.text(st.sampled_from(UGLY) | st.characters(), max_size=20)


class Page:
    """A report: its markup, its text, and its data by name."""

    def __init__(self, path):
        page = path.read_text(encoding="utf-8")
        scripts = re.compile(r'<script(?: [^>]*id="([\w-]+)")?[^>]*>(.*?)</script>', re.DOTALL)
        self.scripts = dict(scripts.findall(page))
        self.markup = scripts.sub("", re.sub("<style>.*?</style>", "", page, flags=re.DOTALL))
        self.text = " ".join(unescape(re.sub("<[^>]*>", "", self.markup)).split())

    def rows(self, name):
        """What a block has of each segment."""
        return [json.loads(row) for row in self.scripts[name].strip().split("\n")]

    def outputs(self, place):
        """Texts of a system, their pieces joined."""
        return ["".join(row) for row in self.rows(f"outputs-{place}")]

    @property
    def numbers(self):
        return json.loads(self.scripts["numbers"])


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


@pytest.mark.parametrize("sides", [1, 2])
def test_numbers_are_those_of_the_library(tmp_path, sides):
    references, texts = noisy_systems(60, [0.4, 0.1, 0.3, 0.12])
    systems = dict(zip(["one", "two", "three", "four"], texts, strict=True))
    options = {"n_resamples": 200, "sides": sides, "confidence_level": 0.9}
    page = written(tmp_path, systems, references, **options)
    tables = {name: vecbleu.statistics(own, references) for name, own in systems.items()}
    found = significance.rank(tables, **options)
    table = found.table().to_html(css_class="numbers").partition("<p>")[0]
    assert table in page.markup
    order = found.order
    numbers = page.numbers
    assert numbers["names"] == [found.names[place] for place in order]
    assert numbers["total"] == (100 * found.scores[order]).tolist()
    for place, name in enumerate(numbers["names"]):
        sentences = vecbleu.sentence_bleu(systems[name], references)
        assert numbers["scores"][place] == np.round(100 * sentences, 3).tolist()
    assert numbers["lengths"] == tables["one"].ref_len.tolist()
    shown, (best, second) = page.text, order[:2]
    ends = f"{100 * found.lower[best]:.1f} to {100 * found.upper[best]:.1f}"
    assert f": {100 * found.scores[best]:.1f} BLEU (90% interval {ends})" in shown
    assert f"is {100 * found.differences[best, second]:.1f} points ahead" in shown
    assert ("not significant" in shown) == (found.p_values[best, second] >= 0.05)
    bounds = found.difference_lower[best, second], found.difference_upper[best, second]
    ends = " to ".join(f"{100 * bound:.1f}".replace("-", "−") for bound in bounds)
    assert f"(90% interval of the difference {ends})" in shown
    assert f"nrefs:1|bs:200|sides:{sides}|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp" in shown


def test_ngrams_and_groups_are_those_of_the_library(tmp_path):
    references, (better, worse) = noisy_systems(300, [0.1, 0.4])
    systems, labels = {"good": better, "bad": worse}, [f"label {k // 2 * 7}" for k in range(297)]
    labels += [None, "None", float("nan")]
    page = written(tmp_path, systems, references, labels=labels)
    tables = {name: vecbleu.statistics(texts, references) for name, texts in systems.items()}
    assert score_buckets(tables, labels).table().to_html(css_class="numbers") in page.markup
    kinds = {"match": "matches more often", "over": "overuses", "under": "misses more often"}
    rows = ngram_differences(systems, references, kinds=kinds, top=12).rows
    lists = [part.split("</h3>") for part in page.markup.split("<h3>")[1:]]
    shown = {
        re.sub("<[^>]*>", "", title): re.findall("<td.*?>(.*?)</td>", cells)
        for title, cells in lists
    }
    for more, less in (("good", "bad"), ("bad", "good")):
        for kind, title in kinds.items():
            listed = [row for row in rows if row[:3] == (kind, more, less)]
            cells = [
                (
                    " ".join(row.ngram),
                    *map(str, row.counts),
                    ", ".join(str(k + 1) for k in row.examples),
                )
                for row in listed
            ]
            assert [*zip(*[iter(shown[f"{more} {title}"])] * 4, strict=True)] == cells != []
            phrases = ", ".join("{} ({} against {})".format(*row) for row in cells[:4])
            sentence = f"N-grams that {more} matches more often than {less}: {phrases}."
            assert (sentence in page.text) == (kind == "match")
    many = written(tmp_path, systems, references, labels=range(300))
    assert "and 100 more rows" in many.text


def test_the_chart_marks_clusters_and_systems_that_are_worse(tmp_path):
    references, texts = noisy_systems(200, [0.1, 0.1, 0.4, 0.6])
    systems = dict(zip("abcd", texts, strict=True))
    page = written(tmp_path, systems, references, n_resamples=200)
    tables = {name: vecbleu.statistics(own, references) for name, own in systems.items()}
    found = significance.rank(tables, n_resamples=200)
    (chart,) = re.findall("<svg.*?</svg>", page.markup)
    worse = (found.p_values[found.order[0]] < 0.05).sum()
    assert (chart.count('"worse"'), chart.count('"dot"')) == (worse, 4 - worse)
    assert chart.count('"border"') == found.clusters().max() - 1
    assert all(f"<title>{name}</title>" in chart for name in systems)


def test_a_p_value_at_the_level_is_not_significant(tmp_path):
    references, (best, poor) = noisy_systems(60, [0.1, 0.6])
    with pytest.warns(UserWarning, match="too few"):
        page = written(tmp_path, {"a": best, "b": poor, "c": poor}, references, n_resamples=19)
    assert "not significant: p = 0.050 (" in page.text
    assert "No system is significantly worse than a." in page.text
    assert '"worse"' not in page.markup


def test_several_references_and_options_of_counting(tmp_path):
    references = [["A b c d", "a b"], "e f g h", ("i", "j", "k")]
    outputs = ["a b C d", "e f g x", "i"]
    options = {"tokenize": "char", "lowercase": True, "max_order": 2, "smoothing": "none"}
    page = written(tmp_path, {"one": outputs, "two": outputs}, references, **options)
    shown = [["".join(text) for text in row] for row in page.rows("references")]
    assert shown == [["A b c d", "a b"], ["e f g h"], ["i", "j", "k"]]
    score = vecbleu.corpus_bleu(outputs, references, **options)
    assert page.numbers["total"] == [100 * score] * 2
    assert (page.numbers["maxOrder"], page.numbers["lowercase"]) == (2, True)
    assert "case:lc|eff:no|tok:char|smooth:none|max_order:2" in page.text


@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("name", TOKENIZE)
def test_texts_are_cut_into_their_tokens_or_not_at_all(tmp_path, name, lowercase):
    texts = ["The cat (sat).", "İstanbul, 3.5 İİ!", "a &amp; B", "", "xİ,y.", "İ"]
    page = written(tmp_path, {"a": texts, "b": texts}, texts, tokenize=name, lowercase=lowercase)
    assert page.outputs(0) == texts
    rows = page.rows("outputs-0")
    assert isinstance(rows[0], list)
    for text, row in zip(texts, rows, strict=True):
        fold = str.lower if lowercase else str
        words = [fold(word) for piece in row for word in piece.split()]
        assert isinstance(row, str) or words == TOKENIZE[name](fold(text))


@pytest.mark.parametrize(("gap", "shown"), [(400, "0.4"), (40, "0.04"), (4, "0.0040")])
def test_a_lead_has_one_digit_or_as_many_as_it_needs(tmp_path, gap, shown):
    matches = 50_000 + gap, 50_000  # of 100,000: a gap in thousandths of a point
    best, second = (vecbleu.Statistics([[100_000, 100_000, own, 100_000]]) for own in matches)
    page = written(tmp_path, {"second": second, "best": best}, None)
    assert f" is {shown} points ahead of second " in page.text
    page = written(tmp_path, {"second": second, "best": second}, None)
    assert "have the same score: 50.0 BLEU." in page.text


ROWS = ["a b c d"] * 3
PAIR = {"one": ROWS, "two": ROWS}
TABLE = vecbleu.statistics(ROWS, ROWS)


@pytest.mark.parametrize(
    ("kind", "arguments", "options", "told"),
    [
        (ValueError, ({"one": ROWS}, ROWS), {}, "systems.* 1, .*100"),
        (ValueError, ({str(k): ROWS for k in range(101)}, ROWS), {}, "systems.* 101, .*100"),
        (ValueError, (PAIR, ROWS[:2]), {}, "references.* 2 .* 3 "),
        (ValueError, ({"one": ROWS, "two": ROWS[:2]}, ROWS), {}, r"systems\['two'\].* 2 .* 3 "),
        (ValueError, (PAIR,), {}, r"systems\['one'\] .*references"),
        (TypeError, (PAIR, ROWS), {"title": 1}, "title"),
        (TypeError, (PAIR, ROWS), {"labels": {"x", "y", "z"}}, "labels is set"),
        (TypeError, ({"one": [["a"]] * 3, "two": ROWS}, ROWS), {}, r"systems\['one'\]\[0\]"),
        (ValueError, (PAIR, [*ROWS[:2], []]), {}, r"references\[2\]"),
        (TypeError, (PAIR, [*ROWS[:2], [None]]), {}, r"references\[2\]\[0\]"),
        (ValueError, ({"one": TABLE, "two": TABLE[:2]},), {}, "two.* 2 "),
        (ValueError, ({1: ROWS, "1": ROWS}, ROWS), {}, "systems"),
        (ValueError, ({"one": [], "two": []}, []), {}, "0 "),
        (ValueError, ({"one": ["x"] * 100_001, "two": ROWS}, ROWS), {}, "100001 .*100000"),
    ],
)
def test_what_is_refused(tmp_path, kind, arguments, options, told):
    path = tmp_path / "x.html"
    with pytest.raises(kind, match=told):
        report.write(path, *arguments, **options)
    with pytest.raises(FileNotFoundError):
        report.write(tmp_path / "no" / "x.html", PAIR, ROWS)
    assert not path.exists()


def test_the_command_writes_what_the_function_writes(tmp_path):
    """The same file every time, by any number of processes."""
    others = {"r": REFERENCES, "src": ["1", "2", "3", "4"], "l": ["x\r", "x", "y", "y\r"]}
    write_lines(tmp_path, SYSTEMS | others)
    options = {"source": others["src"], "labels": ["x", "x", "y", "y"], "title": "Trial"}
    report.write(tmp_path / "y.html", SYSTEMS, REFERENCES, **options, n_resamples=99)
    arguments = "report r -i h s t -o x.html --source src --labels l --title Trial --resamples 99"
    for workers in "12":
        lines(run(tmp_path, *arguments.split(), "--workers", workers))
        assert (tmp_path / "x.html").read_bytes() == (tmp_path / "y.html").read_bytes()


def test_the_command_reads_statistics_and_several_references(tmp_path):
    write_lines(tmp_path, SYSTEMS | {"r": REFERENCES, "src": ["1", "2", "3", "4"]})
    for name in "hs":
        lines(run(tmp_path, "stats", "r", "-i", name, "-o", f"{name}.npz"))
    lines(run(tmp_path, "report", "-i", "h.npz", "s.npz", "-o", "x.html", "--names", "A", "B"))
    page = Page(tmp_path / "x.html")
    assert (sorted(page.numbers["names"]), "outputs-0" in page.scripts) == (["A", "B"], False)
    lines(run(tmp_path, "report", "r", "src", "-i", "h", "t", "-o", "x.html"))
    page = Page(tmp_path / "x.html")
    assert len(page.rows("references")[0]) == 2
