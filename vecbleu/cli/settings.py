"""``vecbleu settings REF [REF ...] -i SYS --score X``: find the settings that give a score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from shlex import quote

from vecbleu.analysis.settings import settings_of_files
from vecbleu.analysis.settings.files import File
from vecbleu.cli import arguments as shared
from vecbleu.cli.arguments import Parser
from vecbleu.cli.systems import read_columns, sources_of
from vecbleu.files.sources import decoder_of

# Settings that are printed if none matches.
_NEAREST = 5


def run_settings(arguments: Sequence[str]) -> Iterator[str]:
    """Yield lines on the settings that give a score; end with status 1 if none does."""
    options = Parser("settings", "settings REF [REF ...] -i SYS --score X").parse(arguments)
    shared.check_files(options)
    paths = [*options.input, *options.references]
    sources = sources_of(options, options.input)
    columns = read_columns(sources)
    if len(options.input) > 1:
        raise ValueError(f"-i has {len(options.input)} systems, expected one")
    if len(columns) > len(paths):
        read = f"{len(columns) - 1} references in {len(paths) - 1} files"
        raise ValueError(f"there are {read}; write each into a file of its own")
    files = []
    for path, lines, source in zip(paths, columns, sources, strict=True):
        file = File(quote(path), lines, options.encoding)
        if source.format or decoder_of(options.encoding):
            reader = f"python -m vecbleu.files {file.name} {options.encoding}"
            file = file._replace(reader=reader)
        files.append(file)
    found = settings_of_files(files, options.score, options.workers)
    matching = [setting for setting in found if not setting.distance]
    yield f"settings that give {options.score}: {len(matching) or '0; the nearest:'}"
    for setting in matching or found[:_NEAREST]:
        yield from ("", f"{setting.signature} = {100 * setting.score:.4f}", setting.command)
    if not matching:
        raise SystemExit(1)
