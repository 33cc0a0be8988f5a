"""The report in a browser: what is shown, searched, sorted and linked, and that text stays text."""

from __future__ import annotations

import re
import shutil

import numpy as np
import pytest
from corpora import noisy_systems

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
    events, contexts = [], []

    def open_report(systems, references, fragment="", media=(), **options):
        path = tmp_path / "report.html"
        report.write(path, systems, references, n_resamples=50, **options)
        context = browser.new_context(**dict(media))
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: events.append(message.text))
        page.on("pageerror", lambda error: events.append(str(error)))
        page.on("dialog", lambda dialog: (events.append("dialog"), dialog.dismiss()))
        page.on("request", lambda request: events.append(request.url))
        page.goto(f"{path.as_uri()}{fragment}")
        page.locator("html[data-ready]").wait_for()
        assert events.pop(0).startswith(path.as_uri())
        return page

    yield open_report
    for context in contexts:
        context.close()
    assert events == []


def lines(page):
    """Numbers of the segments in the document, from the top."""
    return [int(text) for text in page.locator(".segment .facts a").all_inner_texts()]


def count(page, text):
    """Wait until the status begins so."""
    playwright.expect(page.locator("#status")).to_contain_text(text)


def ranked(outputs, references):
    """Names of the systems from the best down, and their sentence BLEU as the page has it."""
    tables = {name: vecbleu.statistics(own, references) for name, own in outputs.items()}
    found = vecbleu.significance.rank(tables, n_resamples=50)
    names = [found.names[place] for place in found.order]
    return names, np.round([100 * tables[name].scores() for name in names], 3)


def test_segments_are_sorted_searched_and_filtered(opened):
    references, outputs = corpus(3, 1200)
    outputs["system 1"][321] += " needle Scho\u0308ne"
    labels = ["odd" if place % 2 else "even" for place in range(1200)]
    page = opened(outputs, references, fragment="#segment-1200", labels=labels)
    playwright.expect(page.locator("#segment-1200")).to_be_in_viewport()
    count(page, "1,200 segments, page 24 of 24")
    names, (one, other, _) = ranked(outputs, references)
    keys = {"line": np.arange(1200)}
    for name, own, gains in ((names[0], one, one - other), (names[1], other, other - one)):
        keys[f"difference: {name} gains most"] = -gains
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
        assert lines(page) == [322]
    page.fill("#search", "stands nowhere")
    playwright.expect(page.locator("#list")).to_have_text("No segment passes all filters.")
    page.fill("#search", "")
    lengths = vecbleu.statistics(references, references).ref_len
    passes = np.arange(1200) % 2 == 1
    page.select_option("#label", label="odd")
    count(page, "600 of 1,200 segments")
    passes &= one > other
    page.select_option("#gains", label=f"{names[0]} is better")
    count(page, f"{passes.sum()} of 1,200 segments")
    passes &= (lengths >= 7) & (lengths <= 9)
    page.fill("#shortest", "7")
    page.fill("#longest", "9")
    count(page, f"{passes.sum()} of 1,200 segments")
    assert sorted(lines(page)) == (np.flatnonzero(passes)[:50] + 1).tolist()
    longest = int(lengths.argmax()) + 1
    page.goto(f"{page.url.partition('#')[0]}#segment-{longest}")  # which the filters leave out
    count(page, "1,200 segments")
    playwright.expect(page.locator(f"#segment-{longest}.target")).to_be_in_viewport()


def test_the_pair_is_chosen_by_links_and_by_hand(opened):
    references, outputs = corpus(6, 60)
    page = opened(outputs, references, fragment="#segment-7/1/3")
    names, scores = ranked(outputs, references)

    def chosen():
        return page.locator(".segment").first.locator(".two .name").all_inner_texts()

    assert chosen() == [names[1], names[3]]
    page.select_option("#first", names[2])
    assert page.locator("#segment-7 .facts a").get_attribute("href") == "#segment-7/2/3"
    table = page.locator("#ngrams details").filter(has_text=names[2]).first
    table.evaluate("one => one.open = true")
    link = table.locator("a").first
    line = link.inner_text()
    link.click()
    assert chosen() == [names[0], names[2]]
    playwright.expect(page.locator(f"#segment-{line}")).to_be_in_viewport()
    best = page.locator("#summary a").first
    place = (scores[0] - scores[1]).argmax() + 1
    assert best.inner_text() == f"segment {place}"
    for _ in range(2):  # the address does not change the second time
        page.evaluate("scrollTo(0, 0)")
        best.click()
        found = page.locator(f"#segment-{place}.target")
        playwright.expect(found).to_be_in_viewport()
    page.select_option("#second", label=names[0])  # which is the other one: they change places
    assert chosen() == [names[1], names[0]]
    page.select_option("#first", label=names[4])
    assert chosen() == [names[4], names[0]]
    page.check("#others")
    assert page.locator(".segment").first.locator(".others .name").count() == 4
    gains = scores[4] - scores[0]
    wins, ties, losses = ((np.sign(gains) == sign).sum() for sign in (1, 0, -1))
    text = page.locator("#outcome").inner_text()
    assert re.search(rf"\b{wins}\b.*\b{ties}\b.*\b{losses}\b", text)
    bars = [int(one.text_content().split()[0]) for one in page.locator("#histogram title").all()]
    edges = np.ceil(np.abs(gains).round(9) / 10) * np.sign(gains)
    assert bars == np.bincount(edges.astype(int) + 10, minlength=21).tolist()
    tables = {name: vecbleu.statistics(outputs[name], references) for name in outputs}
    found = vecbleu.significance.rank(tables, n_resamples=50)
    one, other = (found.names.index(names[place]) for place in (4, 0))
    assert f"{100 * found.differences[one, other]:+.2f} BLEU".replace("-", "−") in text
    assert f"p {p_value(found.p_values[one, other])}" in text.replace("p = ", "p ")


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
    words = {"one": ["a b c d e"], "two": ["d a b x c"]}  # a word that is moved differs, too
    page = opened(words, ["a b c d e"], tokenize="none")
    for index, pieces in enumerate(word_changes([text for (text,) in words.values()])):
        shown = spans(page.locator(".two > div").nth(index))
        marked = " ".join(text for text, kind in shown if "changed" in kind)
        assert marked.split() == " ".join(text for text, flag in pieces if flag).split()
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
    assert page.locator("#label option").all_text_contents()[1:4] == UGLY[:3]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_hundred_systems_without_text_on_a_phone_and_on_paper(opened):
    references, outputs = corpus(100, 12)
    tables = {name: vecbleu.statistics(own, references) for name, own in outputs.items()}
    media = {"viewport": {"width": 390, "height": 700}, "color_scheme": "dark"}
    page = opened(tables, None, media=media)
    for part, count in (("#scores tr", 101), (".chart .system", 100), ("#first option", 100)):
        assert page.locator(part).count() == count
    assert lines(page)[0] == 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    color = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(color)
    page.emulate_media(media="print")
    assert dark != page.evaluate(color) == "rgb(255, 255, 255)"
    assert page.locator("#controls").is_hidden()
