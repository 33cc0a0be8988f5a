"""Command lines: vecbleu prints what sacreBLEU prints, and fails where sacreBLEU fails.

Where the two differ on purpose ("Differences from sacreBLEU" in docs/from-sacrebleu.md), the
command is not drawn or the difference is taken out, beside a comment with the row's first words.
"""

from __future__ import annotations

import gzip
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff
from importlib.util import find_spec
from pathlib import Path
from random import Random

import sacrebleu
from command import run, run_sacrebleu
from peers import MECAB, TOKENIZE

import vecbleu
from fuzz.runner import Found
from fuzz.texts import draw_alphabet, draw_strings

CASES = 2_000
BATCH = 10

_WORDS = ["the", "cat", "sat", "on", "a", "mat.", "Mat", "3.5", "中文", "naïve"]

# A number; the first group is there where it is a p-value, with its asterisk.
_NUMBER = re.compile(r'(\(p=|"p_value":)?\d+\.\d+(?(1)\)?\*?)')


@dataclass(frozen=True)
class Command:
    """A command line, and the files that it reads; standard input is the file without a name."""

    arguments: list[str]
    files: dict[str, list[str]]
    encoding: str
    last_newline: bool

    def write(self, folder: Path) -> bytes:
        """Write the files; what stands on standard input."""
        for name, lines in self.files.items():
            end = "\n" if self.last_newline and lines else ""
            data = ("\n".join(lines) + end).encode(self.encoding, "replace")
            (folder / (name or "stdin")).write_bytes(
                gzip.compress(data) if name.endswith(".gz") else data
            )
        return (folder / "stdin").read_bytes() if "" in self.files else b""


def check(random: Random, size: int) -> Iterator[Found]:
    """Run each command here and there."""
    for case in range(size):
        command = _draw(random)
        if found := _difference(command):
            yield case, f"{command}\n{found}"


def _difference(command: Command) -> str:
    """What the two print where that differs."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        stdin = command.write(folder)
        theirs = _run_sacrebleu(folder, command.arguments, stdin)
        done = run(folder, *command.arguments, stdin=stdin)
    ours = done.stdout.decode() if done.returncode == 0 else None
    if (ours is None) != (theirs is None):
        return f"ours   {ours or done.stderr.decode()!a}\ntheirs {theirs!a}"
    if ours is None or theirs is None:
        return ""
    own, other = _comparable(ours), _comparable(theirs)
    if own == other or _are_alike(own, other, {*command.arguments}):
        return ""
    return "\n".join(unified_diff(theirs.split("\n"), ours.split("\n"), "theirs", "ours", n=0))


def _run_sacrebleu(folder: Path, arguments: list[str], stdin: bytes) -> str | None:
    """What it prints; None if it fails, in whatever way."""
    try:
        printed, _ = run_sacrebleu(folder, *arguments, stdin=stdin)
    except Exception:
        return None
    return printed or None


def _comparable(printed: str) -> str:
    """The same without the version, and without sentences about a test.

    "the explanation under a table of paired tests".
    """
    for version in (sacrebleu.__version__, f"vecbleu-{vecbleu.__version__}"):
        printed = printed.replace(f":{version}", "").replace(f': "{version}', "")
    below = r"( trials\n-+\n).*?\n(?=-+\nMetric signatures)"
    return re.sub(below, r"\1", printed, flags=re.DOTALL)


def _are_alike(ours: str, theirs: str, arguments: set[str]) -> bool:
    """Whether what tests print differs only in what is known to differ, and in the layout."""
    tests = {"-ci", "-pbs", "-par"} & arguments
    ours, theirs = (re.sub(r"[\s═─]+", "", printed) for printed in (ours, theirs))
    if not tests or _NUMBER.sub("", ours) != _NUMBER.sub("", theirs):
        return False
    pairs = [*zip(_NUMBER.finditer(ours), _NUMBER.finditer(theirs), strict=True)]
    scores = [own[0] for own, _ in pairs if not own[1]][:: 1 if tests == {"-par"} else 3]
    p_values = [(own[0], other[0]) for own, other in pairs if own[1]]
    for score, (own, other) in zip(scores[1:], p_values, strict=False):
        # "a system compared with its equal in a paired test"
        if own != other and not (score == scores[0] and "1.0" in own):
            return False
    # "resampling (`n_bootstrap`)": in float32; "the last digit from Python 3.12 on"
    close = 2e-3 if tests != {"-par"} else 1e-12 * (sys.version_info >= (3, 12))
    numbers = [(own[0], other[0]) for own, other in pairs if not own[1]]
    return all(abs(float(own) - float(other)) <= close for own, other in numbers)


def _draw(random: Random) -> Command:
    """A command line that is right more often than wrong."""
    options = _draw_options(random)
    encoding = random.choice(["utf-8"] * 8 + ["latin-1", "utf-16"])
    if encoding != "utf-8" or random.random() < 0.1:
        options += ["-e", encoding]
    reads_stdin = random.random() < 0.2
    systems = (
        1 if random.random() < 0.6 and not {"-pbs", "-par"} & {*options} else random.choice([2, 3])
    )
    fields = random.choice([1, 1, 1, 2, 3])
    references = 1 if fields > 1 else random.choice([1, 1, 2, 3])
    names = random.sample(["h", "sys.txt", "a_b%{x}", "$y^&#", "ü 系.gz", "z~"], systems)
    count = random.choice(
        [1, 2, 5, 12, 30]
    )  # "an empty list of hypotheses", "empty standard input"
    files = {f"r{k}": _draw_lines(random, count, fields) for k in range(references)}
    if reads_stdin:  # "empty standard input", "a bare CR on standard input"
        files[""] = [line.replace("\r", "") for line in _draw_lines(random, count, systems)]
    else:
        files |= {name: _draw_lines(random, count, 1) for name in names}
    if random.random() < 0.03:
        files[random.choice([*files])].append("one more")
    arguments = [name for name in files if name.startswith("r")]
    arguments += [] if reads_stdin else ["-i", *names]
    arguments += ["-nr", str(fields)] if fields > 1 else []
    last_newline = random.random() < 0.8 or (reads_stdin and count == 1)
    return Command(arguments + options, files, encoding, last_newline)


def _draw_options(random: Random) -> list[str]:
    """Options by chance; "output without `-f`" differs."""

    def perhaps(share: float, *words: str) -> list[str]:
        return [*words] if random.random() < share else []

    tests = [option for option in ("-ci", "-pbs", "-par") if random.random() < 0.1]
    tokenizers = [*TOKENIZE] * 4 + [
        name for name, (package, _) in MECAB.items() if find_spec(package)
    ]
    options = ["-f", random.choice(["text", "text", "json", "latex"])]
    options += perhaps(0.5, "-tok", random.choice(tokenizers))
    options += perhaps(0.1, "-l", random.choice(["en-de", "de-zh", "fr-en", "en-xx-yy"]))
    method = random.choice(["exp", "none", "floor", "add-k"])
    options += perhaps(0.5, "-s", method)
    if "-s" in options and method in ("floor", "add-k"):  # "`-sv` with a smoothing that takes no"
        values = ["0", "1", "3"]
        if method == "floor" or "-par" not in tests:  # "`-par` with add-k of a fraction"
            values += ["0.1", "0.5", "1e-9"]
        options += perhaps(0.5, "-sv", random.choice(values))
    for flag in ("-lc", "-b", "-sh", "--force", "-q", "-nc", "-sl"):
        options += perhaps(0.15, flag)
    options += perhaps(0.5, "-w", str(random.choice([1, 2, 3, 5, 8] + [0] * (not tests))))
    options += perhaps(0.1, "-m", "bleu")
    for flag in tests:  # "`-cin 1`"
        options += [flag, f"{flag}n", str(random.choice([2, 7, 50]))]
    return options


def _draw_lines(random: Random, count: int, fields: int) -> list[str]:
    """Lines of plain words, with something ugly in some of them."""
    ugly = [piece.replace("\n", "") for piece in draw_alphabet(random)]
    # "a NUL character under `ja-mecab`, `ko-mecab`"
    ugly = [piece.replace("\0", "") for piece in ugly]
    alphabet = _WORDS + random.choice([[], ugly])
    lines = []
    for _ in range(count):
        texts = [" ".join(random.choices(alphabet, k=random.randrange(9))) for _ in range(fields)]
        lines.append("\t".join(texts))
    if ugly and random.random() < 0.3:
        lines[: count // 2] = draw_strings(random, [*ugly, "x", "y"], count // 2, 6)
    return lines
