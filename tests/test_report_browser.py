"""The report in a browser: what is shown, filtered, sorted, linked and saved; text stays text."""

from __future__ import annotations

import csv
import random
import re
import shutil
from collections import Counter
from itertools import pairwise, product

import numpy as np
import pytest
from corpora import noisy_systems
from report_model import KINDS, PAIR, Model, Report, read

pandas = pytest.importorskip("pandas")
playwright = pytest.importorskip("playwright.sync_api")

import vecbleu  # noqa: E402
from vecbleu import report  # noqa: E402
from vecbleu.analysis import word_changes  # noqa: E402

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium"),
]


def corpus(systems, segments):
    """References, and systems by name, each with more errors than the one before."""
    references, outputs = noisy_systems(segments, 0.1 + 0.05 * np.arange(systems))
    return references, {f"system {number}": own for number, own in enumerate(outputs)}


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as driver:
        # Containers have no user namespaces for the sandbox; pages are this package's own.
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def opened(browser, tmp_path):
    """Write a report and open it; fails at any message, dialog or request of the page."""
    events = []

    def open_report(systems, references, fragment="", media=(), before=None, **options):
        path = tmp_path / "report.html"
        report.write(path, systems, references, **{"n_resamples": 50, **options})
        page = browser.new_page(**dict(media))
        page.on("console", lambda message: events.append(message.text))
        page.on("pageerror", lambda error: events.append(str(error)))
        page.on("dialog", lambda dialog: (events.append("dialog"), dialog.dismiss()))
        page.on("request", lambda request: events.append(request.url.partition("#")[0]))
        page.set_default_timeout(10_000)
        if before is not None:
            before(page)
        page.goto(f"{path.as_uri()}{fragment}")
        page.locator("html[data-ready]").wait_for()
        assert {*events} == {path.as_uri()}
        return page

    yield open_report
    for context in browser.contexts:
        context.close()
    assert {*events} <= {(tmp_path / "report.html").as_uri()}


def lines(page):
    """Numbers of the segments in the document, from the top."""
    titles = page.locator(".segment h3").all_inner_texts()
    return [int(title.removeprefix("Segment ")) for title in titles]


UGLY = [
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(2)>",
    "</style><b>bold</b> \"quoted\" 'single' &amp; &lt;i&gt;",
    "]]> <!-- --> {{ 7 * 7 }} {% raw %}",
    "‮reversed‬ ‫embedded",
    "nul \0, bell \a, half \ud800, separators \u2028 \u2029, \r\n and tab\t.",
    "`${alert(3)}` \\u003cscript\\u003e javascript:alert(4)",
    "",
]


CELLS = ['"', '"a" b', "=1", "+", "-", "@", "\t=", "\r", "'=", "\n", 'a\n"']  # of a spreadsheet

LOOK = """() => {
  const colors = {more: 'first', same: 'none', less: 'second'};
  const all = (parent, selector) => [...parent.querySelectorAll(selector)];
  const texts = (parent, selector) => all(parent, selector).map((one) => one.textContent);
  const [first, second, sort] = ['first', 'second', 'sort'].map(byId);
  const list = byId('list');
  return {
    address: location.hash,
    pair: [first, second].map((select) => select.selectedOptions[0].text),
    sorts: [sort.selectedIndex, ...texts(sort, 'option')],
    search: byId('search').value,
    others: byId('others').checked,
    chips: texts(document, '.chip'),
    status: byId('status').textContent,
    turns: all(document, '.pages button[value]').map((turn) => turn.disabled),
    outcome: byId('outcome').textContent,
    legend: texts(document, '#legend bdi'),
    bars: all(document, '.bar').map((bar) => [
      bar.title, colors[bar.firstChild.className], bar.disabled,
      Number(parseFloat(bar.firstChild.style.height).toFixed(1)),
    ]),
    segments: all(list, '.segment').map((one) => [
      one.id, one.matches('.target'), texts(one, '.facts > *'),
      texts(one, '.head').map((head, place) => [head, texts(one, '.text')[place]]),
    ]),
    list: all(list, '.segment').length ? '' : list.textContent,
  };
}"""

TABLES = """() => [...document.querySelectorAll('#lists table')].map((table) => {
  const rows = [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent));
  return [table.caption.textContent, rows[0], rows.slice(1)];
})"""

NAMES = """sort sort first second page page segment segment wins bar ngram ngram label ref_len
search constructor __proto__ map"""
VALUES = """constructor __proto__ toString NaN -1 0 1 2 3 -0 07 10 1e3 0.5 Infinity %zz % %E4 é
99999999999999999999 -99999999999999999999 match/2/the match/1/the+cat under/1/of over/2/x |||
under/2/. over/3/the match/1/ match/1/%20 length +1 ٣"""
ACTIONS = """sort sort pair pair search search search win bar group ngram ngram ngram ngram chip
chip chip turn turn turn turn turn key key key key others copy link section address travel travel
reload export export"""


class Walk:
    """Actions on a page and on its model; each is one click or key of a user."""

    def __init__(self, page, model, rng):
        self.page, self.model, self.rng = page, model, rng

    def hash(self):
        return self.page.evaluate("location.hash")

    def sort(self):
        chosen = self.rng.randrange(7)
        self.page.select_option("#sort", index=chosen)
        self.model.show(sort=chosen or "")

    def pair(self):
        side = self.rng.randrange(2)
        systems = range(len(self.model.report.names))
        system = self.rng.choice([own for own in systems if own != self.model.pair()[side]])
        self.page.select_option(f"#{PAIR[side]}", index=system)
        self.model.choose(side, system)

    def search(self):
        known = self.model.address.get("search", "")
        texts = {"THE", "Scho\u0308ne", "SOURCE 1", "Zebra", "np", ""} - {known}
        text = self.rng.choice(sorted(texts))
        self.page.fill("#search", "")
        box = self.page.locator("#search")
        box.press_sequentially(text)  # an "n" that is typed is text, too
        box.press("Enter")
        box.blur()
        self.model.show(replaces=True, search=text)

    def click(self, selector, place=0):
        """Click at once; a mouse would scroll, and wait until nothing moves."""
        self.page.locator(selector).nth(place).evaluate("one => one.click()")

    def filter(self, selector, place, **changes):
        self.click(selector, place)
        self.model.show(**changes)

    def win(self):
        place = self.rng.randrange(3)
        self.filter("#outcome button", place, wins=1 - place)

    def bar(self):
        bar = self.rng.choice(self.model.compared()[2])
        self.filter(".bar", bar + 10, bar=bar)

    def group(self):
        groupings = self.model.report.groupings
        place = self.rng.randrange(len(groupings))
        name, (labels, _) = list(groupings.items())[place]
        group = self.rng.randrange(len(labels))
        table = self.page.locator("#groups table").nth(place)
        systems = len(self.model.report.names)  # a row each
        shown = table.locator("tbody button").all_inner_texts()
        assert shown == [label for label in labels for _ in range(systems)]
        row = systems * group + self.rng.randrange(systems)
        table.locator("tbody button").nth(row).evaluate("one => one.click()")
        self.model.show(**{f"by {name}": group})

    def ngram(self):
        if not self.model.lists_ngrams or not self.page.locator("#lists button").count():
            self.click("#ngrams summary")
            self.model.lists_ngrams = not self.model.lists_ngrams
            return
        tables = self.page.evaluate(TABLES)
        found = [
            f"{kind}/{more}/{row[0]}"
            for (kind, more), (*_, rows) in zip(product(KINDS, (1, 2)), tables, strict=True)
            for row in rows
        ]
        place = self.rng.randrange(len(found))
        self.filter("#lists button", place, ngram=found[place])

    def chip(self):
        if filters := self.model.filters():
            place = self.rng.randrange(len(filters))
            self.filter(".chip", place, **{filters[place][0]: ""})

    def turn(self):
        turns = self.model.shown()["turns"]
        if places := [place for place in range(4) if not turns[place]]:
            place = self.rng.choice(places)
            self.click(".pages button[value]", place)
            self.model.turn([-1, 1][place % 2])

    def key(self):
        key = self.rng.choice(["n", "n", "p", "Shift", "Control+p"])
        self.page.evaluate("document.activeElement.blur()")
        if self.rng.random() < 0.5 and len(self.model.report.names) > 2:
            self.page.focus("#others")  # which takes no text
        self.page.keyboard.press(key)
        if key in "np":
            self.model.step(1 if key == "n" else -1)
            self.expect_target()

    def expect_target(self):
        if self.model.target() in self.model.order():
            target = self.page.locator(f"#segment-{self.model.target() + 1}.target")
            playwright.expect(target).to_be_in_viewport()

    def others(self):
        if len(self.model.report.names) > 2:
            self.click("#others")
            self.model.shows_others = not self.model.shows_others
            self.model.go(replaces=True)

    def copy(self):
        if segments := self.model.shown()["segments"]:
            place = self.rng.randrange(len(segments))
            self.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
            self.click(".facts button", place)
            segment = int(segments[place][0].removeprefix("segment-"))
            self.model.go(segment=segment)
            self.model.copied = segment - 1
            count(self.page, f"Segment {segment} is in the address")
            copied = self.page.evaluate("navigator.clipboard.readText()")
            assert copied == self.page.evaluate("location.href")

    def link(self):
        """Follow a link of the findings, or that of a segment."""
        selector = self.rng.choice(["#findings a", ".segment h3 a"])
        links = self.page.locator(selector)
        if links.count():
            place = self.rng.randrange(links.count())
            fragment, before = links.nth(place).get_attribute("href"), self.hash()
            self.click(selector, place)
            self.model.visit(read(fragment), replaces=fragment == before)
            self.expect_target()

    def section(self):
        self.click(*self.rng.choice([("nav", 0), *(("nav a", place) for place in range(6))]))

    def address(self):
        parts = {
            name: self.rng.choice(VALUES.split()) for name in self.rng.sample(NAMES.split(), 3)
        }
        before = self.hash()
        fragment = "&".join(f"{name}={value}" for name, value in parts.items())
        self.page.evaluate("fragment => { location.hash = fragment; }", fragment)
        self.model.visit(read(self.hash()), replaces=self.hash() == before)

    def travel(self):
        """Go back or forward."""
        step = self.rng.choice([-1, 1])
        if 0 <= self.model.place + step < len(self.model.history):
            before = self.hash()
            self.page.go_back() if step < 0 else self.page.go_forward()
            self.model.place += step
            if self.hash() != before:
                self.model.copied = None

    def reload(self):
        self.page.reload()
        self.model.copied, self.model.lists_ngrams = None, False
        self.model.shows_others = False

    def export(self):
        with self.page.expect_download() as download:
            self.click("#export")
        with open(download.value.path(), encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file, dialect="excel-tab"))
        assert rows == self.model.table()
        read_again = {"sep": "\t", "dtype": str, "keep_default_na": False}
        frame = pandas.read_csv(download.value.path(), **read_again)
        assert [list(frame.columns), *frame.to_numpy().tolist()] == rows

    def check(self):
        """Compare the page with the model, after at most two seconds."""
        expected = self.model.shown()
        for _ in range(100):
            shown = self.page.evaluate(LOOK)
            shown["address"] = read(shown["address"])
            if shown == expected:
                break
            self.page.wait_for_timeout(20)
        assert shown == expected
        if self.model.lists_ngrams:
            self.page.locator("#lists:not([aria-busy])").wait_for(state="attached")
            tables = self.page.evaluate(TABLES)
            note = self.page.locator("#ngrams-note").inner_text()
            assert (note, tables) == self.model.listed(tables)


class Reached:
    """Functions of the page's script, by their text, and whether they were called."""

    def __init__(self):
        self.functions = {}

    def start(self, page):
        self.session = page.context.new_cdp_session(page)
        self.session.send("Profiler.enable")
        exact = {"callCount": True, "detailed": True}
        self.session.send("Profiler.startPreciseCoverage", exact)

    def take(self, page):
        text = page.locator("script:not([type])").text_content()
        for script in self.session.send("Profiler.takePreciseCoverage")["result"]:
            if script["url"] == page.url.partition("#")[0]:
                for function in script["functions"]:
                    whole = function["ranges"][0]
                    own = text[whole["startOffset"] : whole["endOffset"]]
                    self.functions[own] = self.functions.get(own) or whole["count"] > 0


NOT_REACHED = {
    "() => {}",  # in a browser that does not let pages copy
    "() => URL.revokeObjectURL(href)",  # ten seconds later: only a slow walk gets there
}


def walked_reports():
    """Systems, references and options of the reports on which walks go."""
    references, outputs = corpus(3, 300)
    outputs = dict(zip([f"=1{UGLY[1]}", "two", UGLY[2]], outputs.values(), strict=True))
    for own in outputs.values():
        starts = [*UGLY, *CELLS] * 6
        own[: len(starts)] = map("".join, zip(starts, own, strict=False))
    references = [[one, f"zebra {one[9:]}"] if len(one) % 3 else one for one in references]
    source = [f"Source {row} Schöne" for row in range(300)]
    labels = [f"-{UGLY[0]}" if row % 3 else UGLY[1] for row in range(300)]
    yield outputs, references, {"source": source, "labels": labels, "title": UGLY[0]}
    few = {name: ["A b", "a, c &lt; d", "b"] * 3350 for name in ("one", "two")}
    few["two"][:30] = ["a B", "C"] * 15
    yield few, ["a b", "a, c", "c"] * 3350, {"lowercase": True}
    references, outputs = corpus(6, 60)
    tables = {name: vecbleu.statistics(own, references) for name, own in outputs.items()}
    yield tables, None, {}
    for row in range(0, 60, 3):  # more edits than words
        outputs[f"system {row // 3 % 6}"][row] += 90 * " word"
    yield outputs, references, {"metrics": ["ter"]}


def test_the_page_shows_what_a_model_says(opened):
    """After each of 50 random actions, which call all functions of the page's script."""
    reached = Reached()
    for seed, (systems, references, options) in enumerate(walked_reports()):
        page = opened(systems, references, before=reached.start, **options)
        told = Report(page.evaluate("numbers"), systems, references, options.get("source"))
        walk = Walk(page, Model(told), random.Random(seed))
        taken = []
        for action in walk.rng.sample(2 * ACTIONS.split(), 50):
            taken.append(action)
            if action == "reload":
                reached.take(page)
            getattr(walk, action)()
            walk.check()
        assert page.title() == page.locator("h1").inner_text() == options.get("title", "Report")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        reached.take(page)
        page.close()
    assert len(reached.functions) > 100
    assert {own for own, called in reached.functions.items() if not called} <= NOT_REACHED


def count(page, text):
    """Wait until the status begins so."""
    playwright.expect(page.locator("#status")).to_contain_text(text)


@pytest.mark.parametrize("lowercase", [False, True])
def test_ngrams_of_the_pair_are_those_of_the_library(opened, lowercase):
    references, outputs = corpus(3, 80)
    references = [[reference, f"{reference} cat"] for reference in references]
    for row in range(20, 50):
        outputs["system 2"][row] += " &amp; a Phrase of seven words, repeated"
    page = opened(outputs, references, fragment="#first=3&second=2", lowercase=lowercase)
    page.locator("#ngrams summary").click()
    names = page.locator("#outcome .name").all_inner_texts()
    pair = {name: outputs[name] for name in names}
    found = vecbleu.analysis.ngram_differences(
        pair, references, kinds=[*KINDS], top=12, lowercase=lowercase
    )
    page.locator("#lists table").first.wait_for()
    sides = product(KINDS, names)
    for (kind, name), (*_, rows) in zip(sides, page.evaluate(TABLES), strict=True):
        shown = [((int(own), int(less)), len(phrase.split())) for phrase, own, less in rows]
        expected = [
            (row.counts, len(row.ngram))
            for row in found.rows
            if (row.kind, row.more) == (kind, name)
        ]
        # Which of several n-grams with low scores are the last ones is not said.
        clear, listed = (
            Counter(row for row in rows if (row[0][0] + 1) / (sum(row[0]) + 2) > 0.75)
            for rows in (shown, expected)
        )
        assert clear == listed
    table = page.locator("#lists table").nth(2 if names[0] == "system 2" else 3)
    phrase = table.locator("tbody button").first
    assert "a phrase of seven words , repeated" in phrase.inner_text().lower()
    phrase.click()
    count(page, "30 of 80 segments")
    assert lines(page) == [*range(21, 51)]
    page.locator("#segment-21 span", has_text="&amp;").first.wait_for()
    page.goto(page.url.replace("Phrase", "nothing").replace("phrase", "nothing"))
    count(page, "0 of 80 segments")


def parts(page):
    """The texts of each segment, as pieces with their classes."""
    return page.evaluate(
        "() => [...document.querySelectorAll('.segment')].map((segment) => "
        "  [...segment.querySelectorAll('.text')].map((text) => "
        "    [...text.childNodes].map((part) => [part.textContent, part.className ?? ''])))"
    )


def test_words_are_marked(opened):
    texts = ["the dog sat on the mat, today", "the cat sat on a 😀 mat."]
    page = opened({"one": texts[:1], "two": texts[1:]}, ["the cat sat on the mat, today"])
    assert page.locator(".two .name").all_inner_texts() == ["one", "two"]
    ((given, one, two),) = parts(page)
    assert one[0] == ["the", "order-1"]
    assert ["dog", "order-0 changed"] in one
    assert [text for text, kind in one if "order-4" in kind] == ["sat on", "the", "mat", ", today"]
    assert [text for text, kind in two if "order-4" in kind] == ["the", "cat", "sat on"]
    assert ["a 😀", "order-0 changed"] in two
    missed = [["cat", "missed-1"], ["the", "missed-2"], [", today", "missed-2"]]
    assert [part for part in given if part[1]] == missed
    pairs = [
        ("none", "a b c d e", "d a b x c"),  # a word that is moved differs, too
        ("13a", "He said (yes), it's 3.5 km/h; x-y", "She said yes, it is 3.6 km/h (x-y)"),
        ("zh", "他说（3月）下雨，Foto-Pro 2.1。", "他说3月会下雪。Foto-Pro 2.2。"),
    ]
    for tokenize, *texts in pairs:
        page = opened({"one": texts[:1], "two": texts[1:]}, [texts[0]], tokenize=tokenize)
        ((_, *two),) = parts(page)
        for shown, pieces in zip(two, word_changes(texts), strict=True):
            marked = "".join(text for text, kind in shown if "changed" in kind)
            expected = "".join(text for text, flag in pieces if flag)
            assert "".join(marked.split()) == "".join(expected.split()) != ""
    page = opened({"one": ["a a a"], "two": ["b a b"]}, [["a x a y", "a b"]], tokenize="none")
    orders = [[part for part in text if part[1]] for text in parts(page)[0][2:]]
    assert orders == [
        [["a", "order-1"], ["a", "order-1 changed"], ["a", "order-0 changed"]],
        [["b", "order-1 changed"], ["a", "order-2"], ["b", "order-2 changed"]],
    ]


def test_marks_are_those_of_word_changes_at_any_length(opened):
    rng = np.random.default_rng(5)
    few = np.array(["the", "a", "of", "cat", "no", "x", "y"])
    sizes = [*rng.integers(9, size=(30, 2)).tolist(), (10_000, 9_000)]
    pairs = [[" ".join(rng.choice(few, size)) for size in pair] for pair in sizes]
    pairs += [["no " * 2000, "no , " * 1000], ["a b " * 4000, "b a c " * 2600]]
    pairs += [["x" * 1_000_000, "y z " + "x" * 1_000_000]]
    references = [f"the end of {one[:9000]} {two[:9000]}" for one, two in pairs]
    systems = dict(zip(("one", "two"), zip(*pairs, strict=True), strict=True))
    page = opened(systems, references, tokenize="none")
    names = page.locator("#outcome .name").all_inner_texts()
    for row, (given, *two) in enumerate(parts(page)):
        own = [systems[name][row] for name in names]
        for shown, pieces in zip(two, word_changes(own), strict=True):
            marked = [(word, "changed" in kind) for text, kind in shown for word in text.split()]
            flags = [(word, flag) for text, flag in pieces for word in text.split()]
            assert marked == (flags or [("empty", False)])
        missed = [
            [flag for text, flag in word_changes([references[row], text])[0] for _ in text.split()]
            for text in own
        ]
        kinds = ["", "missed-1", "missed-2", "missed-3"]
        expected = [kinds[one + 2 * other] for one, other in zip(*missed, strict=True)]
        assert [kind for text, kind in given for _ in text.split()] == expected


def test_a_hundred_systems_fit_on_a_phone_and_on_paper(opened):
    references, outputs = corpus(100, 12)
    tables = {name: vecbleu.statistics(own, references) for name, own in outputs.items()}
    media = {"viewport": {"width": 390, "height": 700}, "color_scheme": "dark"}
    page = opened(tables, None, media=media)
    for part, size in (("#scores tr", 101), (".chart .system", 100), ("#first option", 100)):
        assert page.locator(part).count() == size
    assert lines(page)[0] == 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    color = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(color)
    page.emulate_media(media="print")
    assert dark != page.evaluate(color) == "rgb(255, 255, 255)"
    assert page.locator("#controls").is_hidden()


def light(color):
    """Relative luminance of a color, with the 0.05 that WCAG 2 adds in its contrast."""
    shares = np.array(re.findall(r"\d+", color)[:3], float) / 255
    linear = np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722]) + 0.05


def contrast(one, other):
    low, high = sorted([light(one), light(other)])
    return high / low


@pytest.mark.parametrize(("width", "height", "scheme"), [(1280, 900, "light"), (390, 844, "dark")])
def test_everyone_can_read_it(opened, width, height, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    references, outputs = corpus(8, 60)
    labels = ["odd" if place % 2 else "even" for place in range(60)]
    media = {"viewport": {"width": width, "height": height}, "color_scheme": scheme}
    given = {"labels": labels, "source": references, "language_pair": "en-zh-TW"}
    page = opened(outputs, references, "#wins=1&segment=3", {**media, "bypass_csp": True}, **given)
    page.locator("#ngrams summary").click()
    faults = axe.run(page).response["violations"]
    grave = [fault for fault in faults if fault["impact"] in ("serious", "critical")]
    assert [(fault["id"], fault["nodes"][0]["html"]) for fault in grave] == []
    assert page.locator(".given .text").first.get_attribute("lang") == "en"
    assert page.locator(".two .text").first.get_attribute("lang") == "zh-TW"
    assert page.locator("table:not(:has(caption)), th:not([scope])").count() == 0
    assert page.locator("[tabindex='0']:not([aria-label])").count() == 0

    def style(selector, name):
        code = "(one, name) => getComputedStyle(one)[name]"
        return page.locator(selector).first.evaluate(code, name)

    back, text = style("body", "backgroundColor"), style("body", "color")
    marks = [f"#legend .order-{order}" for order in (1, 2, 3, 4)]
    colors = [back, *(style(mark, "backgroundColor") for mark in marks)]
    assert all(contrast(text, color) >= 4.5 for color in colors)
    # Lighter or darker from order to order, and told apart without any color.
    steps = np.diff([light(color) for color in colors])
    assert (np.sign(steps) == np.sign(steps[0])).all()
    assert all(contrast(*pair) > 1.05 for pair in pairwise(colors))
    assert len({style(mark, "borderTopWidth") for mark in marks}) == 4
    for part in ("select", "#search", ".pages button", ".scroll"):
        assert contrast(style(part, "borderTopColor"), back) >= 3


def test_what_decides_and_three_segments_are_on_the_first_screen(opened):
    """Sentences of 20 words, six systems and two metrics, in a window of 1280 x 900.

    With so few draws, all p-values are borderline, and take the most room.
    """
    text = "the committee said on Tuesday that it would look at the new proposal for the old bridge"
    names = "one.docs", "two.docs", "three.docs", "GPT4-5shot", "Lan-BridgeMT", "NLLB_MBR_BLEU"
    systems = {
        name: [f"{name} {text.replace('the', 'a', place)}."] * 4 for place, name in enumerate(names)
    }
    media, metrics = {"viewport": {"width": 1280, "height": 900}}, ("bleu", "chrf")
    options = {"media": media, "metrics": metrics, "chrf": {"word_order": 2}, "n_resamples": 19}
    page = opened(systems, [f"Yesterday {text} again."] * 4, **options)
    first, second = page.locator("#scores table").all()
    for part in (".verdict", ".chart", "#segment-1", "#segment-2", "#segment-3"):
        playwright.expect(page.locator(part)).to_be_in_viewport(ratio=1)
    for table, title in ((first, "BLEU"), (second, "chrF2++")):
        table.scroll_into_view_if_needed()
        titles = [" ".join(head.split()) for head in table.locator("thead th").all_inner_texts()]
        tests = "difference", "lower", "upper", "p (best)", "p (above)", "cluster"
        assert titles == ["system", title, *tests, "score lower", "score upper"]
        assert table.locator("small").count() == 10
        for cell in table.locator("tbody tr:last-child > *").all():
            playwright.expect(cell).to_be_in_viewport(ratio=0.95)
