"""The report in a browser: what is shown, filtered, sorted, linked and saved; text stays text."""

from __future__ import annotations

import csv
import re
import shutil
from collections import Counter
from itertools import pairwise, product

import ngram_oracle
import numpy as np
import pytest
from corpora import noisy_systems
from peers import TOKENIZE

playwright = pytest.importorskip("playwright.sync_api")

import vecbleu  # noqa: E402
from vecbleu import report  # noqa: E402
from vecbleu.analysis import word_changes  # noqa: E402
from vecbleu.show.table import p_value  # noqa: E402

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

    def open_report(systems, references, fragment="", media=(), **options):
        path = tmp_path / "report.html"
        report.write(path, systems, references, n_resamples=50, **options)
        page = browser.new_page(**dict(media))
        page.on("console", lambda message: events.append(message.text))
        page.on("pageerror", lambda error: events.append(str(error)))
        page.on("dialog", lambda dialog: (events.append("dialog"), dialog.dismiss()))
        page.on("request", lambda request: events.append(request.url.partition("#")[0]))
        page.set_default_timeout(10_000)
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


def count(page, text):
    """Wait until the status begins so."""
    playwright.expect(page.locator("#status")).to_contain_text(text)


def ranked(outputs, references):
    """The ranking, the systems from the best down, and their sentence BLEU as the page has it."""
    tables = {name: vecbleu.statistics(own, references) for name, own in outputs.items()}
    ranking = vecbleu.significance.rank(tables, n_resamples=50)
    names = [ranking.names[place] for place in ranking.order]
    return ranking, names, np.round([100 * tables[name].scores() for name in names], 3)


def ngram_counts(texts, references, ngram, kind="match"):
    """How often each segment has an n-gram, by the oracle."""
    sides = [TOKENIZE["13a"](text) for text in texts]
    tokens = [[TOKENIZE["13a"](text) for text in several] for several in references]
    rows = ngram_oracle.counts_by_segment(sides, tokens, len(ngram))
    return [row[kind][ngram] for row in rows]


def test_segments_are_sorted_searched_and_filtered(opened):
    references, outputs = corpus(3, 1200)
    outputs["system 1"][321] += " needle Scho\u0308ne"
    labels = ["odd" if place % 2 else "even" for place in range(1200)]
    page = opened(outputs, references, fragment="#segment=1200", labels=labels)
    playwright.expect(page.locator("#segment-1200.target")).to_be_in_viewport()
    count(page, "1,200 segments, page 24 of 24")
    _, names, (one, other, _) = ranked(outputs, references)
    keys = {"segment": np.arange(1200)}
    for name, own, gains in ((names[0], one, one - other), (names[1], other, other - one)):
        keys[f"difference: {name} wins by most"] = -gains
        keys[f"score of {name}, lowest first"] = own
        keys[f"score of {name}, highest first"] = -own
    assert page.locator("#sort option").all_inner_texts() == [*keys]
    for text, key in keys.items():
        order = np.argsort(key, kind="stable")
        page.select_option("#sort", label=text)
        assert lines(page) == (order[:50] + 1).tolist()
    page.locator("button:text('Next')").last.click()
    assert lines(page) == (order[50:100] + 1).tolist()
    for text in ("NEEDLE", "sch\u00f6ne", "SCHO\u0308NE"):
        page.fill("#search", text)
        count(page, "1 of 1,200 segments")
        playwright.expect(page.locator("#chips")).to_contain_text(f"“{text}”")
        assert lines(page) == [322]
    page.fill("#search", "stands nowhere")
    playwright.expect(page.locator("#list")).to_have_text("No segment passes all filters.")
    page.locator(".chip").click()
    count(page, "1,200 segments")
    assert page.input_value("#search") == ""

    lengths = vecbleu.statistics(references, references).ref_len
    steps = np.ceil(np.abs(one - other).round(3) / 10) * np.sign(one - other)
    bar = page.locator(".bar").nth(11)
    counted = np.bincount(steps.astype(int) + 10, minlength=21)
    titles = page.locator(".bar").evaluate_all("bars => bars.map((bar) => bar.title)")
    assert [int(title.split()[0]) for title in titles] == counted.tolist()
    heights = page.locator(".bar span").evaluate_all(
        "bars => bars.map((bar) => parseFloat(bar.style.height))"
    )
    assert heights == pytest.approx(100 * counted / counted.max(), abs=0.01)
    page.select_option("#sort", label="segment")
    passes = np.ones(1200, bool)
    for target, chosen in (
        (page.get_by_role("button", name="odd", exact=True), np.arange(1200) % 2 == 1),
        (page.get_by_role("button", name="10-19", exact=True), (lengths >= 10) & (lengths < 20)),
        (page.get_by_role("button", name=f"{names[0]} wins"), one > other),
        (bar, steps == 1),
    ):
        target.click()
        passes &= chosen
        count(page, f"{passes.sum()} of 1,200 segments")
        assert lines(page) == (np.flatnonzero(passes)[:50] + 1).tolist()
    chips = page.locator(".chip").all_inner_texts()
    shown = [f"{names[0]} wins", "difference 0 to +10", "label odd", "reference tokens 10-19"]
    assert chips == [f"{text} ×" for text in shown]
    # A reload, an address that was sent, and the way back show the same.
    page.select_option("#sort", label=f"score of {names[1]}, lowest first")
    expected = lines(page)
    address = page.url
    page.reload()
    assert (lines(page), page.locator(".chip").all_inner_texts()) == (expected, chips)
    page.goto("about:blank")
    page.goto(address)
    assert lines(page) == expected
    page.go_back()
    page.go_forward()
    assert lines(page) == expected
    for index in range(4):
        page.locator(".chip").first.click()
        assert page.locator(".chip").count() == 3 - index
    count(page, "1,200 segments")
    page.goto(
        f"{address.partition('#')[0]}#label=7&sort=99&first=12&page=x&bar=z&ngram=q&segment=0"
    )
    assert lines(page) == [*range(1, 51)]  # what does not exist is left out
    assert page.locator(".chip").count() == 0


def test_keys_and_the_saved_table_go_through_the_segments_that_are_shown(opened, tmp_path):
    references, outputs = corpus(3, 130)
    outputs["system 0"][7] += " a\\tb\tc"
    source = [f"source {place}" for place in range(130)]
    page = opened(outputs, references, fragment="#sort=1", source=source)
    _, names, scores = ranked(outputs, references)
    order = (np.argsort(scores[1] - scores[0], kind="stable") + 1).tolist()
    page.fill("#search", "np")  # keys that are typed are text
    assert page.locator(".target").count() == 0
    page.locator(".chip").click()
    page.keyboard.press("n")
    playwright.expect(page.locator(f"#segment-{order[0]}.target")).to_be_in_viewport()
    page.goto(f"{page.url.partition('#')[0]}#sort=1&segment={order[48]}")
    for key, step in (("Shift", 48), ("n", 49), ("n", 50), ("p", 49)):
        page.keyboard.press(key)
        playwright.expect(page.locator(f"#segment-{order[step]}.target")).to_be_in_viewport()
        count(page, f"130 segments, page {1 + step // 50} of 3")

    page.get_by_role("button", name=f"{names[1]} wins").click()
    passing = [number for number in order if scores[1][number - 1] > scores[0][number - 1]]
    with page.expect_download() as download:
        page.click("#export")
    download.value.save_as(tmp_path / "segments.tsv")
    with open(tmp_path / "segments.tsv", encoding="utf-8", newline="\n") as file:
        rows = [*csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]
    head, *rows = rows
    assert head == [
        *("segment", "ref_len", *(f"BLEU of {name}" for name in names)),
        *("source", "references", *names),
    ]
    lengths = vecbleu.statistics(references, references).ref_len
    for number, row in zip(passing, rows, strict=True):
        place = number - 1
        texts = [source[place], references[place], *(outputs[name][place] for name in names)]
        assert row[5:] == [text.replace("\\", "\\\\").replace("\t", "\\t") for text in texts]
        assert [*map(float, row[2:5])] == scores[:, place].tolist()
        ends = [int(end) for end in re.findall(r"\d+", row[1])]
        assert ends[0] <= lengths[place] <= ends[-1] or row[1] == "< 10"
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy address").nth(2).click()
    count(page, f"Segment {passing[2]} is in the address")
    address = page.evaluate("navigator.clipboard.readText()")
    page.goto("about:blank")
    page.goto(address)
    playwright.expect(page.locator(f"#segment-{passing[2]}.target")).to_be_in_viewport()


@pytest.mark.parametrize("lowercase", [False, True])
def test_ngrams_of_the_pair_are_those_of_the_library(opened, lowercase):
    references, outputs = corpus(3, 80)
    references = [[reference, f"{reference} cat"] for reference in references]
    for row in range(20, 50):
        outputs["system 2"][row] += " &amp; a Phrase of seven words, repeated"
    page = opened(outputs, references, fragment="#first=3&second=2", lowercase=lowercase)
    page.locator("#ngrams summary").click()
    names = page.locator("#outcome .name").all_inner_texts()
    fold = str.lower if lowercase else str
    texts = {name: [*map(fold, outputs[name])] for name in names}
    several = [[*map(fold, row)] for row in references]
    pair = {name: outputs[name] for name in names}
    verbs = {"match": "matches more often", "over": "overuses", "under": "misses more often"}
    found = vecbleu.analysis.ngram_differences(
        pair, references, kinds=[*verbs], top=12, lowercase=lowercase
    )
    tables = page.locator("#lists table").all()
    for (kind, verb), columns in product(verbs.items(), (names, names[::-1])):
        table = tables.pop(0)
        assert table.locator("caption").inner_text() == f"{columns[0]} {verb}"
        assert table.locator("thead th").all_inner_texts() == ["n-gram", *columns]
        shown = []
        for row in table.locator("tbody tr").all_inner_texts():
            phrase, *counts = row.split("\t")
            ngram = tuple(phrase.split())
            sums = [sum(ngram_counts(texts[name], several, ngram, kind)) for name in columns]
            assert sums == [*map(int, counts)]
            shown.append((tuple(sums), len(ngram)))
        expected = [
            (row.counts, len(row.ngram))
            for row in found.rows
            if (row.kind, row.more) == (kind, columns[0])
        ]
        # Which of several n-grams with low scores are the last ones is not said.
        clear, listed = (
            Counter(row for row in rows if (row[0][0] + 1) / (sum(row[0]) + 2) > 0.75)
            for rows in (shown, expected)
        )
        assert clear == listed
    table = page.locator("#lists table").nth(2 if names[0] == "system 2" else 3)
    phrase = table.locator("tbody button").first
    assert fold("a Phrase of seven words , repeated") in phrase.inner_text()
    phrase.click()
    count(page, "30 of 80 segments")
    assert lines(page) == [*range(21, 51)]
    page.locator("#segment-21 span", has_text="&amp;").first.wait_for()
    page.goto(page.url.replace("Phrase", "nothing").replace("phrase", "nothing"))
    count(page, "0 of 80 segments")


def test_the_pair_is_chosen_by_links_and_by_hand(opened):
    references, outputs = corpus(6, 60)
    page = opened(outputs, references, fragment="#first=2&second=4&segment=7")
    ranking, names, scores = ranked(outputs, references)

    def chosen():
        return page.locator(".segment").first.locator(".two .name").all_inner_texts()

    assert chosen() == [names[1], names[3]]
    page.select_option("#first", names[2])
    link = page.locator("#segment-7 h3 a").get_attribute("href")
    assert link == "#first=3&second=4&segment=7"
    best = page.locator("#findings a[href*=segment]").first
    place = (scores[0] - scores[1]).argmax() + 1
    assert best.inner_text() == f"segment {place}"
    for _ in range(2):  # the address does not change the second time
        page.evaluate("scrollTo(0, 0)")
        best.click()
        found = page.locator(f"#segment-{place}.target")
        playwright.expect(found).to_be_in_viewport()
    assert chosen() == names[:2]
    page.select_option("#second", label=names[0])  # which is the other one: they change places
    assert chosen() == [names[1], names[0]]
    page.select_option("#first", label=names[4])
    assert chosen() == [names[4], names[0]]
    page.check("#others")
    assert page.locator(".segment").first.locator(".others .name").count() == 4
    gains = scores[4] - scores[0]
    wins, ties, losses = ((np.sign(gains) == sign).sum() for sign in (1, 0, -1))
    text = page.locator("#outcome").inner_text()
    expected = f"{names[4]} wins: {wins} ties: {ties} {names[0]} wins: {losses}"
    assert expected in " ".join(text.split())
    pair = ranking.order[4], ranking.order[0]
    assert f"{100 * ranking.differences[pair]:+.1f} BLEU (".replace("-", "−") in text
    assert f"p {p_value(ranking.p_values[pair])}" in text.replace("p = ", "p ")
    phrase = page.locator("#findings q a").first
    ngram = tuple(phrase.inner_text().split())
    phrase.click()
    several = [[reference] for reference in references]
    counts = [ngram_counts(outputs[name], several, ngram) for name in names[:2]]
    more = np.flatnonzero(np.greater(*counts)) + 1
    assert lines(page) == more.tolist()
    page.locator("nav a").first.click()  # the address keeps the filter
    assert lines(page) == more.tolist()
    assert "ngram=" in page.url


def spans(locator):
    return [
        (one.inner_text(), one.get_attribute("class"))
        for one in locator.locator(".text span").all()
    ]


def test_words_are_marked(opened):
    reference = "the cat sat on the mat, today"
    systems = {"one": ["the dog sat on the mat, today"], "two": ["the cat sat on a 😀 mat."]}
    page = opened(systems, [reference])
    assert page.locator(".two .name").all_inner_texts() == ["one", "two"]
    one, two = (spans(page.locator(".two > div").nth(place)) for place in (0, 1))
    assert one[0] == ("the", "order-1")
    assert ("dog", "order-0 changed") in one
    assert [text for text, kind in one if "order-4" in kind] == ["sat on", "the", "mat", ", today"]
    assert [text for text, kind in two if "order-4" in kind] == ["the", "cat", "sat on"]
    assert ("a 😀", "order-0 changed") in two
    given = spans(page.locator(".given"))
    assert given == [("cat", "missed-1"), ("the", "missed-2"), (", today", "missed-2")]
    pairs = [
        ("none", "a b c d e", "d a b x c"),  # a word that is moved differs, too
        ("13a", "He said (yes), it's 3.5 km/h; x-y", "She said yes, it is 3.6 km/h (x-y)"),
        ("zh", "他说（3月）下雨，Foto-Pro 2.1。", "他说3月会下雪。Foto-Pro 2.2。"),
    ]
    for tokenize, *texts in pairs:
        page = opened({"one": texts[:1], "two": texts[1:]}, [texts[0]], tokenize=tokenize)
        for index, pieces in enumerate(word_changes(texts)):
            shown = spans(page.locator(".two > div").nth(index))
            marked = "".join(text for text, kind in shown if "changed" in kind)
            expected = "".join(text for text, flag in pieces if flag)
            assert "".join(marked.split()) == "".join(expected.split()) != ""
    page = opened({"one": ["a a a"], "two": ["b a b"]}, [["a x a y", "a b"]], tokenize="none")
    orders = [spans(page.locator(".two > div").nth(place)) for place in (0, 1)]
    assert orders == [
        [("a", "order-1"), ("a", "order-1 changed"), ("a", "order-0 changed")],
        [("b", "order-1 changed"), ("a", "order-2"), ("b", "order-2 changed")],
    ]


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


def test_hostile_text_is_only_shown(opened):
    names = [f"{name}{place}" for place, name in enumerate(UGLY[:-1])]
    plain = {f"name {place}": UGLY for place in range(len(names))}
    tame = opened(plain, UGLY, source=UGLY, labels=["x"] * len(UGLY), title="x")
    given = {"source": UGLY, "labels": UGLY, "title": UGLY[0]}
    page = opened(dict.fromkeys(names, UGLY), UGLY, **given)
    assert page.title() == page.locator("h1").inner_text() == UGLY[0]
    for tag in ("script", "style", "img", "b", "i", "meta", "title"):
        found, expected = (one.locator(f"html > * {tag}").count() for one in (page, tame))
        assert found == expected, tag
    for segment in (0, 1, 2, 3, 6):
        shown = page.locator(f"#segment-{segment + 1} .given .text").first
        assert shown.text_content() == UGLY[segment]
    text = page.locator("#segment-6 .given .text").first.text_content()
    assert text.startswith("nul \\u0000, bell \\u0007, half \\ud800, separators")
    assert page.locator("#groups tbody th").all_text_contents()[:3] == UGLY[:3]
    page.locator("#groups tbody button").first.click()
    assert lines(page) == [1]
    page.locator("#ngrams summary").click()
    page.fill("#search", UGLY[1])
    count(page, "0 of 8")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


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
    """Sentences of 20 words, three systems and two metrics, in a window of 1280 x 900."""
    text = "the committee said on Tuesday that it would look at the new proposal for the old bridge"
    names = "one.docs", "two.docs", "three.docs"
    systems = {name: [f"{name} {text}."] * 4 for name in names}
    media, metrics = {"viewport": {"width": 1280, "height": 900}}, ("bleu", "chrf")
    page = opened(systems, [f"Yesterday {text} again."] * 4, media=media, metrics=metrics)
    tests = (f"#scores tbody tr:last-child :nth-child({column})" for column in range(1, 7))
    heads = page.locator("#scores thead th").all_inner_texts()[2:6]
    assert heads == ["difference", "lower", "upper", "p (best)"]
    for part in (".verdict", ".chart", *tests, "#segment-1", "#segment-2", "#segment-3"):
        playwright.expect(page.locator(part)).to_be_in_viewport(ratio=1)
