"""Wrong calls: one line on standard error, with what is wrong and the numbers."""

from __future__ import annotations

import os
import re

import pytest
from command import REFERENCES, SYSTEMS, error, lines, run, write_lines

import vecbleu
from vecbleu import chrf, ter
from vecbleu.cli.program import COMMANDS


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("errors")
    texts = {
        "r": REFERENCES,
        "short": ["a", "b"],
        "empty": [],
        "seven": ["x"] * 7,
        "two": ["a\tb"] * 4,
        "more": ["a", "b", "c\td", "e"],
        "less": ["a\tb", "c"],
        "list": ["0 ||| a", "0 ||| b", "1 ||| a", "1 ||| b", "2 ||| a"],
        "gap": ["0 ||| a", "2 ||| b"],
        "shuffled": ["0 ||| a", "1 ||| b", "0 ||| a"],
        "from1": ["1 ||| a"],
        "broken": ["0 ||| a", "a ||| b"],
        "infinite": ["-inf", "0"],
        "r.html": REFERENCES,
    }
    write_lines(folder, SYSTEMS | texts)
    (folder / "utf16").write_bytes("a\nb\n".encode("utf-16"))
    (folder / "latin1").write_bytes("a\ncafé au\nb .\nc\n".encode("latin-1"))
    for name in ("folder.npz", "folder.png"):
        (folder / name).mkdir()
    for name in "hs":
        vecbleu.file_statistics(folder / name, folder / "r").save(folder / f"{name}.npz")
    vecbleu.file_statistics(folder / "s", folder / "r", tokenize="char").save(folder / "c.npz")
    chrf.file_statistics(folder / "h", folder / "r", word_order=1).save(folder / "f.npz")
    ter.file_statistics(folder / "h", folder / "r").save(folder / "e.npz")
    vecbleu.Statistics.load(folder / "h.npz").sum().save(folder / "sum.npz")
    return folder


# Commands, and words of what is told, in this order.
ERRORS = [
    # Files
    ("r -i none", "none:"),
    ("r -i short", "short 2 r 4"),
    ("r -i seven -sl", "seven 7 r 4"),
    ("r < short", "2 r 4"),
    ("r < more", "line 3"),
    ("r < less", "line 2"),
    ("r -i latin1", "latin1 line 2 0xe9 --encoding utf-16"),
    ("r -i utf16", "utf16 line 1 0xff --encoding utf-16"),
    ("r -i h -e hex", "--encoding 'hex'"),
    ("- -i -", "input 2"),
    ("-i h", "vecbleu REF"),
    ("r -i h h", "'h' twice"),
    ("r -nr 2 -i h", "r line 1 1 2"),
    # Options
    ("r -i h --max-order 0", "--max-order 0 1 100"),
    ("r -i h -s floor -sv -1", "--smooth-value -1.0 0"),
    ("r -i h --lower", "--lower --lowercase"),
    ("r -i h --tokenizer=zh", "no option --tokenizer=zh write --tokenize"),
    ("rank r -i h s --lower-case", "no option --lower-case write --lowercase"),
    ("compare r -i h s --normalise NFC", "no option --normalise write --normalize"),
    ("stats r -i h -o x.npz --baseline h", "no option --baseline compare"),
    ("compare r -i h s --test t", "--test 't' 'bootstrap', 'randomization'"),
    ("compare r -i h s --latex cluster", "--latex cluster BLEU, difference, interval, p"),
    ("rank r -i h s --test randomization --latex interval -q", "--latex interval"),
    ("rank r -i h s --latex cluster interval", "interval which column? difference"),
    ("rank r -i h s --latex p interval", "interval which column? difference"),
    ("r -i h -sl --latex", "sentence"),
    ("rank r -i h s -to none", "-to"),
    ("explain r -i h -m chrf", "no option -m vecbleu REF, rank, report -m NAME -sl --json"),
    ("explain r -i h --metrics=ter", "no option --metrics vecbleu REF -m NAME -sl --json"),
    ("explain r -i h -cw 2", "no option -cw vecbleu REF, rank, report"),
    ("plot precisions r -i h -o x.svg -m chrf", "no option -m compare plot scores, plot pairs"),
    ("plot groups r -i h -o x.svg --sides=1", "no option --sides rank plot scores, plot pairs"),
    ("r -i h -tok 14a", "--tokenize '14a' 13a char"),
    ("r -i h -l en", "--language-pair 'en'"),
    ("r h s < empty", "input 0 references -i"),
    ("mbr -n 1 -i - < empty", "standard input 0 lines"),
    ("explain --hyp a --ref b --labels r", "no option --labels REF, rank, plot groups"),
    ("help rnak", "rnak: no command rank, compare"),
    ("rnak r h", "rnak: no command rank, compare, explain, report, plot, stats, mbr"),
    ("rank r", "required: -i/--input write: vecbleu rank REF"),
    ("r -i h --nothing 2", "no --nothing sacreBLEU unrecognized --nothing"),
    ("r -i h -t wmt20 --json", "no -t wmt20 sacreBLEU --json"),
    ("r -i h h.npz -t wmt20 -l en-de", "h.npz statistics -t wmt20"),
    ("rank r -i h s -m comet", "-m 'comet' bleu chrf ter"),
    ("r -i h -m chrf --ter-no-punct", "--ter-no-punct -m ter"),
    ("r -i h -m ter -lc", "--lowercase -m ter alone"),
    ("r -i h -m ter -tok zh", "--tokenize zh -m ter alone"),
    ("e.npz -i h", "e.npz references behind -i"),
    ("-i e.npz", "e.npz TER BLEU write -m ter"),
    ("-i e.npz -m ter --ter-case-sensitive", "e.npz lowercase True command line False"),
    ("-i e.npz -m ter --ter-normalized", "e.npz normalized False command line True"),
    ("r -i h --chrf-word-order 2", "--chrf-word-order 2 -m chrf"),
    ("r -i h --chrf-lowercase", "--chrf-lowercase -m chrf"),
    ("r -i h -m chrf -cc 0", "--chrf-char-order 0 1 100"),
    ("r -i h -m bleu chrf -sl", "metric sentence"),
    ("r -sl < two", "one system"),
    ("r -i h -sl -ci", "sentence"),
    # Tests
    ("-i h.npz -ci -cin 99999999999", "--confidence-n 99999999999 1 2147483648"),
    ("r -i h -pbs", "-ci one system"),
    ("r -i h s -pbs -par", "-par -pbs"),
    ("r -i h s -pbs --resamples 3", "--resamples"),
    ("r -i h s -ci", "-ci one system vecbleu rank"),
    ("r -i h s -pbs -parn 7", "--paired-ar-n 7 --paired-ar"),
    ("rank r -i h s --level 1", "--level 1"),
    ("rank r -i h s --adjust bonferroni", "--adjust 'bonferroni' none holm benjamini_hochberg"),
    ("rank r -i h s --seed -1", "--seed -1"),
    ("rank r -i h s --human-agreement -lc -q", "--human-agreement sacreBLEU's defaults only"),
    ("rank r -i h s --human-agreement -m ter -q", "--human-agreement not for every metric"),
    # Names
    ("r -i h s --names x", "--names 1 2"),
    ("r -i h s --names x x", "'x' twice"),
    ("report r -i h s -o x.html --names one \u2003", "--names blank"),
    # Statistics in place of text
    ("h.npz -i h", "h.npz references behind -i"),
    ("-i h.npz -tok char", "h.npz tokenize '13a' command line 'char'"),
    ("r r -i h.npz", "h.npz references 1 command line 2"),
    ("-i h.npz -m chrf", "h.npz not chrF"),
    ("-i f.npz", "f.npz chrF BLEU"),
    ("-i f.npz", "f.npz chrF BLEU write -m chrf"),
    ("compare -i f.npz f.npz --names a b", "f.npz chrF BLEU write -m chrf"),
    ("report -i f.npz f.npz --names a b -o x.html", "f.npz chrF BLEU a report of chrF takes text"),
    ("-i f.npz -m chrf -cw 0", "f.npz word_order 1 command line 0"),
    ("-i f.npz -m chrf -cw 2", "f.npz word_order 1 command line 2"),
    ("r -i h.npz -m bleu chrf", "h.npz -m"),
    ("short -i h.npz", "h.npz 4 short 2"),
    ("short -i short h.npz", "h.npz 4 short 2"),
    ("-i sum.npz -ci", "sum.npz"),
    ("r -i sum.npz", "sum.npz"),
    # stats
    ("stats r -i h -m bleu chrf -o x.npz", "--metrics 2"),
    ("plot pairs r -i h s -m bleu chrf -o x.svg", "--metrics 2 one"),
    ("stats r -i h -o x", "'x' .npz"),
    ("stats r -i never -o folder.npz", "folder.npz:"),
    ("stats r -i h s -o x.npz", "2"),
    ("stats -i h.npz c.npz -o x.npz", "c.npz tokenize 'char' h.npz '13a'"),
    ("stats -i h.npz sum.npz -o x.npz", "sum.npz"),
    ("stats -i h.npz s.npz -o ./h.npz", "'./h.npz'"),
    ("stats -i h.npz s.npz --max-order 2 -o x.npz", "h.npz max_order 4 2"),
    # compare
    ("compare r -i h -", "input 2"),
    (f"compare empty -i empty {os.devnull}", os.devnull),
    ("compare r -i h s --labels=", "--labels ''"),
    ("report r -i h s -o x.html --source=", "--source ''"),
    ("rank r -i h.npz s.npz --workers 2", "--workers 2 statistics"),
    ("report -i h.npz s.npz -o x.html --workers 2", "--workers 2"),
    ("explain r -i h --line 1 --workers 2", "no option --workers"),
    ("compare r -i h s --baseline t", "--baseline 't' 'h', 's'"),
    ("compare r -i h s --labels r --edges 3", "--edges --labels"),
    ("compare r -i h s --edges 0", "--edges[0] 0 1"),
    ("compare r -i h s --labels short", "short 2 h 4"),
    ("compare r -i h s -m chrf --edges 3", "--edges [3] chrF2 no reference lengths -m"),
    ("compare r -i h s -m chrf --min-length 3", "--min-length 3 chrF2 no reference lengths -m"),
    # rank, plot and report
    ("rank r -i h s --json --latex", "--latex --json"),
    ("plot bars r -i h -o x.svg", "'bars' scores pairs precisions groups"),
    ("plot precisions r -i never -o folder.png", "folder.png:"),
    ("report r -i h s -o x.pdf", "'x.pdf' .html"),
    ("report r.html -i h s -o r.html", "output 'r.html' input"),
    ("report r -i r.html h -o ./r.html", "output './r.html' input"),
    ("report r -i h s --documents r.html -o r.html", "output 'r.html' input"),
    ("report r -i h s --labels r.html -o r.html", "output 'r.html' input"),
    ("report r -i h s --source r.html -o r.html", "output 'r.html' input"),
    ("report r -i h s -o x.html --source short", "h 4 s 4 short 2"),
    # explain
    ("explain", "--hyp --ref --line"),
    ("explain r --line 1", "-i --line"),
    ("explain -i h --line 1", "vecbleu explain REF"),
    ("explain r -i h.npz --line 1", "h.npz"),
    ("explain r -i h", "--line"),
    ("explain --hyp -a --ref b", "--hyp --option=-value"),
    ("explain r -i h --line 5", "--line 5 r 4"),
    ("explain --hyp a --ref b --names x", "--hyp --ref --line"),
    ("stats -i h.npz ./h.npz -o x.npz", "h.npz twice"),
    # mbr
    ("mbr seven -i seven -n 7", "seven 1 n-best -p"),
    ("mbr -i seven -n 7 -p 7", "one REF -p none"),
    ("mbr -i seven", "seven 1 n-best NUMBER TEXT -n"),
    ("mbr -i list -n 1", "list 1 n-best leave out -n"),
    ("mbr list -p 1 -i list", "list 1 n-best leave out -p"),
    ("mbr -i gap", "gap 2 source 2 next 1"),
    ("mbr -i shuffled", "shuffled 3 source 0 next 2"),
    ("mbr -i from1", "from1 1 source 1 next 0"),
    ("mbr -i broken", "broken 2 n-best"),
    ("mbr list -i gap", "gap 2 source 2 next 1"),
    ("mbr short -p 1 -i list", "list 3 references 2"),
    ("mbr -i list --leave-one-out", "list[2] 1 2 leave_one_out"),
    ("mbr -i seven -n 1 --leave-one-out", "seven[0] 1 2 leave_one_out"),
    ("mbr short -p 1 -i r -n 2 --leave-one-out", "--leave-one-out True references"),
    ("mbr -i list --log-probs short", "short 2 5 pseudo-references"),
    ("mbr short -p 1 -i r -n 2 --log-probs r", "r 4 2 pseudo-references"),
    ("mbr short -p 1 -i r -n 2 --log-probs short", "short 1 number"),
    ("mbr short -p 1 -i r -n 2 --log-probs infinite", "infinite 1 '-inf' finite"),
    ("mbr -i - -n 1 --log-probs -", "input 2"),
    ("mbr -i list --log-probs=", "--log-probs ''"),
    ("mbr -i list -m ter", "-m/--metrics 'ter' bleu chrf"),
    ("mbr -i list -m bleu chrf", "--metrics 2 one"),
    ("mbr -i list --ter-no-punct", "--ter-no-punct"),
    ("mbr seven -i seven -p 2 -n 7 -- seven", "one REF -p"),
    ("mbr - -i - -n 1 -p 1", "input 2"),
    ("mbr -i seven -n 3", "seven 7 3 -n"),
    ("mbr seven -i r -n 2 -p 2", "seven 7 2 -p"),
    ("mbr seven -i r -n 2 -p 7", "r 2 references 1"),
]


# Options that are refused beside these others, or with these values; the last one is named.
REFUSED = {
    "r -i h -ci": "--confidence-n 0",
    "r r -i h": "--num-refs 2",
    "r -i h": "--names x, --smooth-value 2, --format latex, --sides 1, --seed 0, --resamples 9, "
    "--confidence-level 0.9, --num-refs 0, --workers 0, --width -1, --max-order 101",
    "rank r -i h s --test randomization": "--confidence-level 0.9, --sides 1",
    "rank r -i h s": "--sides 3, --smooth-value 2",
    "rank r -i h s -m chrf": "--tokenize none, --language-pair en-zh, --lowercase, --max-order 2, "
    "--smooth-method none, --effective-order",
    "r -i h -m chrf": "--tokenize none, --lowercase, --max-order 2, --smooth-method none, --force",
    "stats r -i h -m chrf -o x.npz": "--tokenize none, --lowercase, --max-order 2",
    "compare r -i h s -m chrf": "--tokenize none, --smooth-method none, --effective-order",
    "plot scores r -i h s -m chrf -o x.svg": "--lowercase, --max-order 2, --effective-order",
    "compare r -i h s": "--chrf-lowercase, --segments -1, --min-length -1, --ngrams -1, "
    "--smooth-value 2",
    "r -i h s": "--score-only, --json --width 3, --json --score-only, --json --short, "
    "--latex --score-only, -f json --short, -pbs -f json --width 2, --json --format latex, "
    "--latex --format json",
    "r -i h -sl": "--format json, --effective-order, --names x",
    "r -i h -b": "--short",
    "mbr -i h -n 2 --json": "--scores",
    "mbr -i h -n 2": "--chrf-word-order 2, -m chrf --lowercase, -m chrf --max-order 2, "
    "-s floor --smooth-value -1, --ranked --scores",
    "compare r -i h s --json": "--full",
    "compare r -i h s --segments 0": "--source r, --min-length 2, --full",
    "compare -i h.npz s.npz --labels latin1 -e latin-1": "--workers 2",
    "-i h.npz s.npz": "--encoding latin-1, --workers 2",
    "rank -i h.npz s.npz": "--encoding latin-1, --workers 2, --num-refs 2",
    "plot pairs r -i h s -o x.svg": "--confidence-level 0.9",
    "-i h.npz": "--num-refs 2",
    "compare r -i h s --latex": "--segments 1, --ngrams 1, --source r, --min-length 2, --full",
    "compare": "r -i h.npz s t --ngrams 1, r -i h s.npz --ngrams 1, -i h.npz s.npz --ngrams 1",
    "explain --hyp a --ref b": "--line 1, --num-refs 2, --encoding latin-1, --workers 2",
    "explain r -i h": "--line 0",
    "mbr": "-i seven -n 0, -i seven -n 7 -p 7, seven -i seven -n 7 -p 0",
    "stats -i h.npz s.npz -o x.npz": "--num-refs 2, --encoding latin-1, --workers 2",
}
ERRORS += [
    (f"{command} {options}", re.findall(r"(?<!\S)--?[a-z]\S*", options)[-1])
    for command, refused in REFUSED.items()
    for options in refused.split(", ")
]
for command in ("rank", "compare", "report -o x.html", "plot pairs -o x.svg"):
    name = command.partition(" -")[0]
    ERRORS += [(f"{command} -i h h.npz", f"{name} REF"), (f"{command} r -i h", "-i 1 2")]


# Calls whose mistake shows after matplotlib was imported.
ERRORS_OF_PLOTS = [
    ("plot precisions -i f.npz -o x.svg", "f.npz chrF BLEU rank -m chrf"),
    ("plot groups r -i h -m chrf -o x.svg", "--labels chrF no reference lengths"),
]


@pytest.mark.parametrize(("command", "told"), ERRORS)
def test_a_wrong_call_is_told_in_one_line(folder, command, told):
    command, _, stdin = command.partition(" < ")
    words = command.split(" ")
    program = f"vecbleu {words[0]}" if words[0] in COMMANDS else "vecbleu"
    found = error(run(folder, *words, stdin=(folder / stdin).read_bytes() if stdin else b""))
    assert found.startswith(f"{program}: error: ")
    message = found.partition("error: ")[2]
    assert re.search(".*".join(map(re.escape, told.split(" "))), message), message
    assert not [*folder.glob("x*")]


@pytest.mark.parametrize(("command", "told"), ERRORS_OF_PLOTS)
def test_a_wrong_plot_is_told_in_one_line(folder, command, told):
    pytest.importorskip("matplotlib")
    test_a_wrong_call_is_told_in_one_line(folder, command, told)


@pytest.mark.parametrize("command", ["stats r -i h -o x.npz", "plot precisions r -i h -o x.svg"])
def test_outputs_are_replaced_and_stay_links(folder, tmp_path, command):
    if command.startswith("plot"):
        pytest.importorskip("matplotlib")
    old, link = tmp_path / "old", folder / command[-5:]
    old.write_bytes(b"old")
    link.symlink_to(old)
    with old.open("rb") as opened:
        lines(run(folder, *command.split()))
        assert opened.read() == b"old"
    assert link.is_symlink()
    link.unlink()
    assert len(old.read_bytes()) > 3
    assert [*tmp_path.iterdir()] == [old]
