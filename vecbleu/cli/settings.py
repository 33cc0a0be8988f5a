"""``vecbleu settings REF [REF ...] -i SYS --score X``: find the settings that give a score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from shlex import quote

from vecbleu.analysis.settings import settings_of_files
from vecbleu.analysis.settings.files import File
from vecbleu.cli import arguments as shared
from vecbleu.cli.arguments import Parser
from vecbleu.cli.systems import read_columns, sources_of

# Settings that are printed if none matches.
_NEAREST = 5


def run_settings(arguments: Sequence[str]) -> Iterator[str]:
    """Yield lines on the settings that give a score; end with status 1 if none does."""
    options = Parser("settings", "settings REF [REF ...] -i SYS --score X").parse(arguments)
    options.input = [options.input]
    shared.check_files(options)
    columns = read_columns(sources_of(options, options.input))
    named = zip([*options.input, *options.references], columns, strict=True)
    files = [File(quote(path), lines, options.encoding) for path, lines in named]
    found = settings_of_files(files, options.score, options.workers)
    matching = [setting for setting in found if not setting.distance]
    yield f"settings that give {options.score}: {len(matching)} (nearest first)"
    for setting in matching or found[:_NEAREST]:
        yield from ("", f"{setting.signature} = {100 * setting.score:.4f}", setting.command)
    if not matching:
        raise SystemExit(1)
