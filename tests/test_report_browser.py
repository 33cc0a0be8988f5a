"""The report in a browser: what is shown, searched, sorted and linked, and that text stays text."""

from __future__ import annotations

import random
import shutil
import time

import numpy as np
import pytest

playwright = pytest.importorskip("playwright.sync_api")

import vecbleu  # noqa: E402
from vecbleu import report  # noqa: E402
from vecbleu.core.table import p_value  # noqa: E402

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium")

WORDS = ["the", "cat", "sat", "on", "a", "mat", "dog", "barked", "loudly", "today", "Ünï", "猫"]


def corpus(systems, segments, seed=0):
    """References, and systems by name, each with more errors than the one before."""
    rng = random.Random(seed)
    references = [" ".join(rng.choices(WORDS, k=rng.randint(1, 30))) for _ in range(segments)]
    outputs = {
        f"system {number}": [
            " ".join(
                "wrong" if rng.random() < 0.1 + 0.05 * number else word for word in line.split()
            )
            for line in references
        ]
        for number in range(systems)
    }
    return references, outputs


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


def test_fifty_thousand_segments_open_in_time(opened):
    references, outputs = corpus(3, 50_000)
    outputs["system 1"][321] += " needle"
    start = time.perf_counter()
    page = opened(outputs, references, fragment="#segment-50000")
    seconds = page.evaluate("performance.now()") / 1000
    assert seconds < min(10, time.perf_counter() - start)  # 2 where nothing else runs
    playwright.expect(page.locator("#segment-50000")).to_be_in_viewport()
    count(page, "50,000 segments, page 1000 of 1000")
    page.fill("#search", "NEEDLE")
    count(page, "1 of 50,000 segments")
    assert lines(page) == [322]


def test_segments_are_sorted_and_turned(opened):
    references, outputs = corpus(3, 120)
    page = opened(outputs, references)
    names, (one, other, _) = ranked(outputs, references)
    expected = {
        "line": np.arange(120),
        f"difference: {names[0]} gains most": np.argsort(other - one, kind="stable"),
        f"difference: {names[1]} gains most": np.argsort(one - other, kind="stable"),
        f"score of {names[1]}, lowest first": np.argsort(other, kind="stable"),
        f"score of {names[1]}, highest first": np.argsort(-other, kind="stable"),
    }
    for text, order in expected.items():
        page.select_option("#sort", label=text)
        assert lines(page) == (order[:50] + 1).tolist()
    assert page.locator("button:text('Previous')").first.is_disabled()
    page.locator("button:text('Next')").last.click()
    assert lines(page) == (order[50:100] + 1).tolist()
    page.locator("button:text('Next')").first.click()
    assert lines(page) == (order[100:] + 1).tolist()
    count(page, "120 segments, page 3 of 3")
    assert page.locator("button:text('Next')").last.is_disabled()
    page.locator("button:text('Previous')").first.click()
    count(page, "page 2 of 3")


def test_filters(opened):
    references, outputs = corpus(3, 200)
    labels = ["odd" if place % 2 else "even" for place in range(200)]
    page = opened(outputs, references, labels=labels)
    page.select_option("#label", label="odd")
    count(page, "100 of 200 segments")
    assert all(line % 2 == 0 for line in lines(page))
    page.select_option("#label", label="all")
    names, (one, other, _) = ranked(outputs, references)
    for text, passes in [("is better", one > other), ("score the same", one == other)]:
        page.select_option("#gains", label=f"{names[0]} {text}" if "is" in text else f"both {text}")
        count(page, f"{passes.sum()} of 200 segments")
    page.select_option("#gains", label="all segments")
    page.fill("#shortest", "7")
    page.fill("#longest", "9")
    lengths = vecbleu.statistics(references, references).ref_len
    count(page, f"{((lengths >= 7) & (lengths <= 9)).sum()} of 200 segments")
    longest = int(lengths.argmax()) + 1
    page.goto(f"{page.url}#segment-{longest}")  # which the filters leave out
    count(page, "200 segments")
    playwright.expect(page.locator(f"#segment-{longest}.target")).to_be_in_viewport()


def test_letters_with_accents_are_found_in_either_form(opened):
    outputs = {"one": ["Scho\u0308ne Tage", "x"], "two": ["x", "Sch\u00f6ne Tage"]}
    page = opened(outputs, ["x", "y"])
    for text in ("sch\u00f6ne", "SCHO\u0308NE"):
        page.fill("#search", text)
        count(page, "2 segments")
        page.fill("#search", text + "s")
        count(page, "0 of 2 segments")


def test_links_of_the_summary(opened):
    references, outputs = corpus(2, 200)
    page = opened(outputs, references)
    links = page.locator("#summary a")
    line = links.first.inner_text()
    _, (one, other) = ranked(outputs, references)
    assert int(line) == (one - other).argmax() + 1
    for _ in range(2):  # the address does not change the second time
        page.evaluate("scrollTo(0, 0)")
        links.first.click()
        playwright.expect(page.locator(f"#segment-{line}.target")).to_be_in_viewport()
    assert page.locator("#ngrams td a").first.get_attribute("href").startswith("#segment-")


def test_links_name_the_two_systems(opened):
    references, outputs = corpus(4, 60)
    page = opened(outputs, references, fragment="#segment-7/1/3")
    names, _ = ranked(outputs, references)

    def chosen():
        return [page.locator(f"#{one} option:checked").inner_text() for one in ("first", "second")]

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
    page.locator("#summary a").first.click()
    assert chosen() == names[:2]
    page.fill("#search", "stands nowhere")
    playwright.expect(page.locator("#list")).to_have_text("No segment passes all filters.")


def test_the_pair_is_chosen(opened):
    references, outputs = corpus(6, 60)
    page = opened(outputs, references, media={"viewport": {"width": 1280, "height": 800}})
    names, scores = ranked(outputs, references)

    def shown():
        return page.locator(".segment").first.locator(".two .name").all_inner_texts()

    assert shown() == names[:2]
    page.select_option("#second", label=names[0])  # which is the other one: they change places
    assert shown() == [names[1], names[0]]
    page.select_option("#first", label=names[4])
    assert shown() == [names[4], names[0]]
    left, right = (page.locator(".two > div").nth(place).bounding_box() for place in (0, 1))
    assert left["y"] == right["y"]
    assert left["x"] + left["width"] <= right["x"]
    gains = scores[4] - scores[0]
    wins, ties, losses = ((np.sign(gains) == sign).sum() for sign in (1, 0, -1))
    text = page.locator("#outcome").inner_text()
    assert f"{wins} wins, {ties} ties and {losses} losses" in text
    bars = [int(one.text_content().split()[0]) for one in page.locator("#histogram title").all()]
    edges = np.ceil(np.abs(gains).round(9) / 10) * np.sign(gains)
    assert bars == np.bincount(edges.astype(int) + 10, minlength=21).tolist()
    tables = {name: vecbleu.statistics(outputs[name], references) for name in outputs}
    found = vecbleu.significance.rank(tables, n_resamples=50)
    one, other = (found.names.index(names[place]) for place in (4, 0))
    assert f"{100 * found.differences[one, other]:+.2f} BLEU".replace("-", "−") in text
    assert f"p {p_value(found.p_values[one, other])}" in text.replace("p = ", "p ")
    assert page.locator(".others .name").count() == 0
    page.check("#others")
    assert page.locator(".segment").first.locator(".others .name").count() == 4


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
    legend = page.locator("#legend").inner_text()
    assert "words that one, two or both missed" in " ".join(legend.split())
    style = "getComputedStyle(document.querySelector('.text .order-4'))"
    colored = page.evaluate(f"{style}.backgroundColor")
    page.uncheck("#marks")
    assert page.evaluate(f"{style}.backgroundColor") != colored


def test_white_space_of_all_kinds_separates_words(opened):
    text = "a\u3000b\x1cc\x85d\ufeffe\tf"
    page = opened({"one": [text], "two": ["a b c"]}, [text], tokenize="none")
    assert page.locator(".two > div").first.locator(".order-4").all_inner_texts() != []
    assert spans(page.locator(".given"))[-1][1] == "missed-2"


def test_names_stay_in_view_in_long_segments(opened):
    wide = "lorem ipsum " * 9000
    page = opened({"one": [wide, "a b"], "two": [wide + "dolor", "a c"]}, [wide, "a b"])
    output = page.locator("#segment-1 .two > div").first
    page.evaluate(
        "box => scrollTo(0, box.getBoundingClientRect().top + scrollY + 2000)",
        output.element_handle(),
    )
    playwright.expect(output.locator(".name")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


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


@pytest.mark.parametrize("media", [{}, {"viewport": {"width": 390, "height": 700}}])
def test_hostile_text_is_only_shown(opened, media):
    names = [f"{name}{place}" for place, name in enumerate(UGLY[:-1])]
    plain = {f"name {place}": UGLY for place in range(len(names))}
    tame = opened(plain, UGLY, source=UGLY, labels=["x"] * len(UGLY), title="x")
    given = {"source": UGLY, "labels": UGLY, "title": UGLY[0]}
    page = opened(dict.fromkeys(names, UGLY), UGLY, media=media, **given)
    assert page.title() == page.locator("h1").inner_text() == UGLY[0]
    for tag in ("script", "style", "img", "b", "i", "meta", "title"):
        assert page.locator(f"html > * {tag}").count() == tame.locator(f"html > * {tag}").count(), (
            tag
        )
    source = page.locator(".given .text")
    for segment in (0, 1, 2, 3, 6):
        shown = page.locator(f"#segment-{segment + 1} .given .text").first
        assert shown.text_content() == UGLY[segment]
    assert source.count() == 2 * len(UGLY)
    text = page.locator("#segment-6 .given .text").first.text_content()
    assert text.startswith("nul \\u0000, bell \\u0007, half \\ud800, separators")
    assert page.locator("#label option").all_text_contents()[1:4] == UGLY[:3]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_light_dark_and_paper(opened):
    references, outputs = corpus(2, 30)
    page = opened(outputs, references, media={"color_scheme": "dark"})
    color = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(color)
    page.emulate_media(color_scheme="light")
    light = page.evaluate(color)
    assert dark != light == "rgb(255, 255, 255)"
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate(color) == light
    assert page.locator("#controls").is_hidden()
    assert page.pdf().startswith(b"%PDF")


def test_a_hundred_systems_on_a_phone(opened):
    references, outputs = corpus(100, 12)
    page = opened(outputs, references, media={"viewport": {"width": 390, "height": 700}})
    assert page.locator("#scores tr").count() == 101
    assert page.locator(".chart .system").count() == 100
    assert page.locator("#first option").count() == 100
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    left, right = (page.locator(".two > div").nth(place).bounding_box() for place in (0, 1))
    assert left["x"] == right["x"]


def test_systems_without_text(opened):
    references, outputs = corpus(3, 20)
    tables = {name: vecbleu.statistics(own, references) for name, own in outputs.items()}
    page = opened(tables, None)
    assert lines(page)[0] == 1
    assert "no text in this report" in page.locator(".two").first.inner_text()
    page = opened(outputs | {"system 0": tables["system 0"]}, references)
    assert page.locator("#segment-1 .text").count() == 4
    assert page.locator("#ngrams table").count() == 0
