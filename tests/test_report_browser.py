"""The report in a browser: what is shown, searched, sorted and linked, and that text stays text."""

from __future__ import annotations

import random
import shutil

import numpy as np
import pytest

from vecbleu.analysis import segment_differences

pytest.importorskip("jinja2")
playwright = pytest.importorskip("playwright.sync_api")

import vecbleu  # noqa: E402
from vecbleu import report  # noqa: E402

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
    return [int(text) for text in page.locator(".segment .line").all_inner_texts()]


def count(page, text):
    """Wait until the status says so."""
    playwright.expect(page.locator("#status")).to_have_text(text)


@pytest.mark.parametrize(("systems", "segments"), [(2, 500), (16, 2000), (3, 50_000)])
def test_a_report_of_any_size_can_be_used(opened, systems, segments):
    references, outputs = corpus(systems, segments)
    outputs["system 1"][321] += " needle"
    page = opened(outputs, references, source=references)
    assert 0 < page.locator(".segment").count() < 60
    count(page, f"{segments:,} segments")
    page.fill("#search", "NEEDLE")
    count(page, f"1 of {segments:,} segments")
    assert lines(page) == [322]
    page.fill("#search", "")
    count(page, f"{segments:,} segments")
    page.click("button[data-name=difference]")
    one, two = (vecbleu.statistics(outputs[f"system {k}"], references) for k in (1, 0))
    rounded = np.round(100 * segment_differences([one, two]).scores, 2)
    assert lines(page)[:3] == (np.argsort(rounded[0] - rounded[1], kind="stable") + 1)[:3].tolist()
    playwright.expect(page.locator("[aria-sort=descending]")).to_contain_text("Difference")
    page.click("button[data-name=difference]")
    shown = page.locator(".segment .difference").all_inner_texts()
    values = [float(text.split()[1].replace("−", "-")) for text in shown]
    assert values == sorted(values)
    last = page.locator(f"#segment-{segments}")
    page.goto(f"{page.url.partition('#')[0]}#segment-{segments}")
    playwright.expect(last).to_be_focused()
    playwright.expect(last).to_be_in_viewport()
    assert references[-1] in last.inner_text()


def test_all_segments_can_be_scrolled_to(opened):
    references, outputs = corpus(2, 300)
    page = opened(outputs, references, media={"viewport": {"width": 390, "height": 700}})
    seen = []
    page.evaluate("document.getElementById('list').scrollIntoView()")
    for _ in range(1000):
        shown = lines(page)
        assert shown == list(range(shown[0], shown[-1] + 1))
        seen += [line for line in shown if line not in seen]
        if 300 in seen:
            break
        page.mouse.wheel(0, 600)
        page.wait_for_timeout(10)
    assert seen == list(range(1, 301))
    # Rows come and go while the page is still scrolling: they are looked at until it stands.
    page.wait_for_function(
        """() => {
          const rows = [...document.querySelectorAll('.segment')];
          const boxes = rows.map((row) => row.getBoundingClientRect());
          return boxes.every((box, k) => !k || Math.abs(box.top - boxes[k - 1].bottom) <= 1);
        }"""
    )
    assert page.evaluate("document.documentElement.scrollWidth") == 390


# Whether a segment is the first one below the buttons that sort.
IS_FIRST_IN_VIEW = """(id) => {
  const edge = document.querySelector('.sticky').getBoundingClientRect().bottom + 1;
  const rows = [...document.querySelectorAll('.segment')];
  return rows.find((row) => row.getBoundingClientRect().bottom > edge)?.id === id;
}"""


def test_the_segment_in_view_stays_when_the_window_is_resized(opened):
    references, outputs = corpus(3, 3000)
    page = opened(outputs, references, fragment="#segment-1500")
    row = page.locator("#segment-1500")
    for width in (390, 1280, 700, 2000):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_timeout(200)
        page.wait_for_function(IS_FIRST_IN_VIEW, arg="segment-1500")
        playwright.expect(row).to_be_focused()
    page.evaluate("scrollTo(0, 0)")
    page.set_viewport_size({"width": 500, "height": 800})
    page.wait_for_timeout(200)
    assert page.evaluate("scrollY") == 0


def test_letters_with_accents_are_found_in_either_form(opened):
    outputs = {"one": ["Scho\u0308ne Tage", "x"], "two": ["x", "Sch\u00f6ne Tage"]}
    page = opened(outputs, ["x", "y"])
    for text in ("sch\u00f6ne", "SCHO\u0308NE"):
        page.fill("#search", text)
        count(page, "2 segments")
        page.fill("#search", text + "s")
        count(page, "0 of 2 segments")


def test_filters(opened):
    references, outputs = corpus(3, 200)
    labels = ["odd" if place % 2 else "even" for place in range(200)]
    page = opened(outputs, references, labels=labels)
    page.select_option("#label", label="odd")
    count(page, "100 of 200 segments")
    assert all(line % 2 == 0 for line in lines(page))
    page.select_option("#label", label="all")
    tables = [vecbleu.statistics(outputs[f"system {k}"], references) for k in (1, 0)]
    found = segment_differences(tables)
    shown = (100 * found.scores).round(2)
    better = (shown[1] > shown[0]).sum()
    page.select_option("#gains", "up")
    count(page, f"{better} of 200 segments")
    page.select_option("#gains", "all")
    page.fill("#shortest", "7")
    page.fill("#longest", "9")
    lengths = tables[0].ref_len
    count(page, f"{((lengths >= 7) & (lengths <= 9)).sum()} of 200 segments")
    longest = int(lengths.argmax()) + 1
    page.goto(f"{page.url}#segment-{longest}")  # which the filters leave out
    count(page, "200 segments")


def test_links_of_the_summary(opened):
    references, outputs = corpus(2, 200)
    page = opened(outputs, references)
    links = page.locator("#summary a")
    line = links.first.inner_text()
    tables = [vecbleu.statistics(outputs[f"system {k}"], references) for k in (1, 0)]
    assert int(line) == segment_differences(tables).gains(1)[0] + 1
    for _ in range(2):  # the address does not change the second time
        page.evaluate("scrollTo(0, 0)")
        links.first.click()
        row = page.locator(f"#segment-{line}")
        playwright.expect(row).to_be_in_viewport()
        playwright.expect(row).to_be_focused()


def test_systems_are_chosen(opened):
    references, outputs = corpus(6, 20)
    page = opened(outputs, references)
    first = page.locator(".segment").first
    assert first.locator(".output").count() == 4
    page.click("#choices summary")
    page.click("#show-all")
    assert first.locator(".output").count() == 6
    page.click("#show-pair")
    names = first.locator(".output .name").all_inner_texts()
    assert names == ["system 0", "system 1"]
    page.select_option("#baseline", label="system 0")  # which is the other one: they change places
    assert page.input_value("#system") == "1"
    page.select_option("#system", label="system 5")
    names = first.locator(".output .name").all_inner_texts()
    assert names[:2] == ["system 5", "system 0"]
    texts = page.locator("#gains option").all_inner_texts()
    assert texts[1:3] == ["where system 5 is better", "where system 0 is better"]


def test_keys(opened):
    references, outputs = corpus(2, 50)
    page = opened(outputs, references)
    page.keyboard.press("/")
    playwright.expect(page.locator("#search")).to_be_focused()
    page.keyboard.type("jk")  # which is text there
    count(page, "0 of 50 segments")
    page.fill("#search", "")
    count(page, "50 segments")
    page.keyboard.press("Escape")
    for key, line in [("j", 1), ("j", 2), ("ArrowDown", 3), ("k", 2), ("ArrowUp", 1), ("k", 1)]:
        page.keyboard.press(key)
        playwright.expect(page.locator(f"#segment-{line}")).to_be_focused()
    for _ in range(49):
        page.keyboard.press("j")
    playwright.expect(page.locator("#segment-50")).to_be_focused()
    page.keyboard.press("Tab")
    playwright.expect(page.locator("#segment-50 a")).to_be_focused()


def test_words_are_marked(opened):
    reference = "the cat sat on the mat"
    systems = {"one": ["the dog sat on the mat"], "two": ["the cat sat on a 😀 mat"]}
    page = opened(systems, [reference])
    output = page.locator(".output")
    named = {one.locator(".name").inner_text(): one.locator(".text") for one in output.all()}
    found = {
        name: [(one.inner_text(), one.get_attribute("class")) for one in text.locator("span").all()]
        for name, text in named.items()
    }
    baseline = page.locator("#baseline-name").inner_text()
    other = {"one": "two", "two": "one"}[baseline]
    assert all("changed" not in kind for _, kind in found[baseline])
    changed = "".join(text for text, kind in found[other] if "changed" in kind)
    assert changed == {"one": "dogthe", "two": "cata😀"}[other]
    marked = {
        name: [(text, kind.split()[0]) for text, kind in spans if "order" in kind]
        for name, spans in found.items()
    }
    assert "".join(text for text, kind in marked["one"] if kind == "order-4") == "sat on the mat"
    assert "".join(text for text, kind in marked["two"] if kind == "order-4") == "the cat sat on"
    assert marked["two"][-1] == ("mat", "order-1")
    page.uncheck("#marks")
    page.uncheck("#changes")
    assert page.locator(".output .text span").count() == 0


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
    names = {name: f"{name}{place}" for place, name in enumerate(UGLY[:-1])}
    plain = {f"name {place}": UGLY for place in range(len(names))}
    tame = opened(plain, UGLY, source=UGLY, labels=["x"] * len(UGLY), title="x")
    page = opened(
        dict.fromkeys(names.values(), UGLY),
        UGLY,
        source=UGLY,
        labels=UGLY,
        title=UGLY[0],
    )
    for one in (tame, page):
        one.locator("#segments").scroll_into_view_if_needed()
    assert page.title() == UGLY[0]
    assert page.locator("h1").inner_text() == UGLY[0]
    for tag in ("script", "style", "img", "b", "i", "meta", "title"):
        assert page.locator(tag).count() == tame.locator(tag).count(), tag
    for segment in (0, 1, 2, 3, 6):
        page.goto(f"{page.url.partition('#')[0]}#segment-{segment + 1}")
        shown = page.locator(f"#segment-{segment + 1} .source .text")
        assert shown.text_content() == UGLY[segment]
    page.goto(f"{page.url.partition('#')[0]}#segment-6")
    text = page.locator("#segment-6 .source .text").text_content()
    assert text.startswith("nul \\u0000, bell \\u0007, half \\ud800, separators")
    options = page.locator("#label option").all_text_contents()
    assert options[1:4] == UGLY[:3]


def test_a_megabyte_in_one_line(opened):
    wide, unbroken = "lorem ipsum " * 90_000, "x" * 1_000_000
    outputs = {"one": [wide, "a b", unbroken], "two": [wide[:-12] + "dolor", "a c", unbroken]}
    page = opened(outputs, [wide, "a b", unbroken])
    assert page.locator("#segment-1 .reference .text").inner_text().endswith("characters")
    page.locator("#segment-1 .reference .more").click()
    assert page.locator("#segment-1 .reference .text").text_content() == wide
    page.goto(f"{page.url}#segment-3")
    playwright.expect(page.locator("#segment-3")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_light_dark_and_paper(opened):
    references, outputs = corpus(2, 30)
    page = opened(outputs, references, media={"color_scheme": "dark"})
    color = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(color)
    page.click("#theme")
    light = page.evaluate(color)
    assert dark != light == "rgb(255, 255, 255)"
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(color) == light
    assert lines(page) == list(range(1, 31))
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("#controls").is_hidden()
    assert page.pdf().startswith(b"%PDF")


def test_a_hundred_systems(opened):
    references, outputs = corpus(100, 12)
    page = opened(outputs, references)
    assert page.locator(".matrix tbody tr").count() == 100
    assert page.locator("#shown input").count() == 100
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_systems_without_text(opened):
    references, outputs = corpus(3, 20)
    tables = {name: vecbleu.statistics(own, references) for name, own in outputs.items()}
    page = opened(tables, None)
    assert lines(page)[0] == 1
    assert page.locator(".text").count() == 0
    page = opened(outputs | {"system 0": tables["system 0"]}, references)
    assert page.locator("#segment-1 .output").count() == 2
