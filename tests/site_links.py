"""Check the built documentation: `python -m tests.site_links FOLDER`.

Every link and every file that a page loads is in the folder, so that it is read without a network.
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADS = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src")}


class Page(HTMLParser):
    """The anchors of a page, its links, and the files that it loads."""

    def __init__(self, path):
        super().__init__()
        self.anchors, self.links, self.loads = {"", "top"}, [], []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id":
                self.anchors.add(value)
            elif (tag, name) in LOADS:
                self.loads.append(value)
            elif (tag, name) == ("a", "href"):
                self.links.append(value)


def dead(folder):
    """Yield what is wrong with the pages of a folder, a line each."""
    paths = [path for path in folder.rglob("*.html") if "_static" not in path.parts]
    pages = {path.resolve(): Page(path) for path in paths}
    for path, page in pages.items():
        for link in page.links + page.loads:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.loads and parts.scheme != "data":
                    yield f"{path}: loads {link} from another host"
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file():
                yield f"{path}: {link} does not exist"
            elif target in pages and unquote(parts.fragment) not in pages[target].anchors:
                yield f"{path}: {link} has no such section"
    if not pages:
        yield f"{folder} has no pages"


if __name__ == "__main__":
    sys.exit("\n".join(dead(Path(sys.argv[1]))) or None)
