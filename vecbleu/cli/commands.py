"""Most commands: each parses its options and yields its lines."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

from vecbleu.arguments.checks import import_extra
from vecbleu.bleu.options import CountOptions, ScoreOptions
from vecbleu.cli import arguments as shared
from vecbleu.cli.arguments import Parser
from vecbleu.cli.groups import group_lines, group_records, read_column, read_labels, score_groups
from vecbleu.cli.metrics import given_options, score_fields
from vecbleu.cli.systems import (
    Systems,
    json_lines,
    read_columns,
    read_segments,
    result_lines,
    sources_of,
)
from vecbleu.core.corpus import TextCorpus
from vecbleu.files.replace import replaced_file
from vecbleu.files.sources import label_of
from vecbleu.show.table import plain

PICTURES = {
    "scores": "scores with their intervals and clusters",
    "pairs": "differences of all pairs, and their p-values",
    "precisions": "precision of each n-gram order",
    "groups": "scores of groups of segments",
}

# Metadata to leave out of each format: dates differ from run to run.
_UNDATED: dict[str, object] = {".png": {}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}

# Fields of an explanation in JSON.
_TEXTS = "hypothesis", "references", "tokens", "reference_tokens"


def run_rank(arguments: Sequence[str]) -> Iterator[str]:
    """Rank systems, with tests and clusters."""
    from vecbleu.significance import rank
    from vecbleu.significance.results import verdict

    parser = Parser("rank", "rank REF [REF ...] -i SYS SYS [SYS ...]")
    options = parser.parse(arguments, systems=2)
    systems = Systems(options)
    keywords, fields = shared.draw_options(options)
    rule = {"level": options.level, "adjust": options.adjust}
    keywords |= {"test": options.test or "bootstrap", **rule}
    results, rankings, groups = [], [], []
    tables_of = systems.tables()
    rows = tables_of[0][systems.names[0]]
    documents = read_column(options, options.documents, rows)
    if documents is not None:
        fields["docs"] = len(set(documents))
    labels = read_labels(options, options.labels, rows)
    for metric, tables in zip(systems.metrics, tables_of, strict=True):
        ranking = rank(tables, groups=documents, **keywords, **metric.scoring)
        rankings.append(ranking)
        best_first = [systems.names[index] for index in ranking.order]
        ranked = {name: tables[name] for name in best_first}
        tested = {"baseline": best_first[0], "documents": documents}
        own = score_groups(options, metric, ranked, labels, **tested)
        groups += own
        order = rankings[0].order
        table = ranking.table(order, people=options.human_agreement)
        pairs = ranking.pairs().records()
        more = []
        for row in table.records():
            better = [pair for pair in pairs if pair["better"] == row["system"]]
            more.append({"pairs": better, "groups": group_records(own, row["system"]), **rule})
        results.append((table, metric.describe(**fields), more))
    if all(ranking.human_agreement is None for ranking in rankings):
        reason = "it is known for sacreBLEU's defaults only, and not for every metric"
        shared.refuse(options, "human_agreement", reason)
    said = verdict(rankings, systems.names, *order[:2].tolist())
    yield from result_lines(options, results, [said])
    yield from group_lines(options, groups)


def run_report(arguments: Sequence[str]) -> Iterator[str]:
    """Write an HTML page, and yield a line about it."""
    from vecbleu import report

    parser = Parser("report", "report REF [REF ...] -i SYS SYS [SYS ...] -o FILE.html")
    options = parser.parse(arguments, systems=2)
    shared.check_output(options, ".html", ".htm")
    systems = Systems(options)
    columns: dict[str, Any] = {**systems.loaded_rows()}
    texts = [path for path in options.input if path not in columns]
    files = [*texts, *filter(None, [options.source])]
    lines = read_columns(sources_of(options, files))
    references = list(zip(*lines[len(files) :], strict=True))
    if len(texts) < len(options.input):  # the texts are counted with these references
        firsts = [row[0] for row in references]
        known = TextCorpus.of_lists(firsts, references).reference_hashes()
        systems.check_references(known if options.references else None)
    columns |= zip(files, lines, strict=False)
    title = options.title
    if title is None:
        title = "Report"
        if options.references and os.path.isfile(options.references[0]):
            title = os.path.basename(options.references[0]).removesuffix(".gz")
    segments = columns[options.input[0]]
    others = set(options.metrics) - {"bleu"}  # whose options the function has by itself
    of_metrics: Any = {name: given_options(options, name) for name in others}
    report.write(
        options.output,
        {name: columns[path] for name, path in zip(systems.names, options.input, strict=True)},
        references if options.references else None,
        source=columns.get(options.source),
        labels=read_labels(options, options.labels, segments),
        documents=read_column(options, options.documents, segments),
        metrics=options.metrics,
        title=title,
        language_pair=options.language_pair,
        workers=options.workers,
        **shared.draw_options(options)[0],
        **(shared.given_of(options, CountOptions) if texts else {}),
        **shared.given_of(options, ScoreOptions),
        **of_metrics,
    )
    yield f"{options.output}: report of {len(systems.names)} systems"


def run_plot(arguments: Sequence[str]) -> Iterator[str]:
    """Draw the systems into a file, and yield a line about it."""
    usage = "plot {} REF [REF ...] -i SYS {}[SYS ...] -o FILE".format
    kinds = "\n".join(f"  {name:<12}{what}" for name, what in PICTURES.items())
    parser = Parser("plot", usage("KIND", ""), kinds)
    parser.add_argument(
        "kind", choices=list(PICTURES), metavar="KIND", help="what to draw; KIND -h has its options"
    )
    kind = parser.parse_args(arguments[:1]).kind
    is_test = kind in ("scores", "pairs")
    one_more = "SYS " if is_test else ""
    parser = Parser(f"plot-{kind}", usage(kind, one_more), f"Draw {PICTURES[kind]}.")
    options = parser.parse(arguments[1:], systems=2 if is_test else 1)
    shared.check_output(options, *_UNDATED)
    matplotlib, pyplot = import_extra("plots need", "plot", "matplotlib", "matplotlib.pyplot")
    matplotlib.use("Agg")
    from vecbleu import plots
    from vecbleu.analysis import score_buckets
    from vecbleu.significance import rank
    from vecbleu.significance.inference import checked_systems

    systems = Systems(options)
    keywords, fields = shared.draw_options(options) if is_test else ({}, {})
    (metric,) = systems.metrics
    (tables,) = systems.tables()
    if is_test:
        ranking = rank(tables, test=options.test or "bootstrap", **keywords, **metric.scoring)
        ax = (plots.plot_scores if kind == "scores" else plots.plot_pairs)(ranking)
    elif kind == "precisions":
        checked_systems(tables, least=1)
        scores = {name: table.score(**metric.scoring) for name, table in tables.items()}
        ax = plots.plot_bars(scores)
    else:
        labels = read_column(options, options.labels, next(iter(tables.values())))
        ax = plots.plot_bars(score_buckets(tables, labels, edges=options.edges, **metric.scoring))
    figure: Any = ax.figure
    ending = os.path.splitext(options.output)[1].lower()
    salted = matplotlib.rc_context({"svg.hashsalt": "vecbleu"})  # equal pictures, equal bytes
    with replaced_file(options.output) as file, salted:
        figure.savefig(file, format=ending[1:], dpi=200, metadata=_UNDATED[ending])
    pyplot.close(figure)
    yield f"{options.output}: {kind}, {metric.describe(**fields)}"


def run_stats(arguments: Sequence[str]) -> Iterator[str]:
    """Write the statistics of a system or of parts, and yield a line about them."""
    parts = "       vecbleu stats -i PART.npz PART.npz [PART.npz ...] -o FILE.npz"
    parser = Parser("stats", f"stats REF [REF ...] -i SYS -o FILE.npz [options]\n{parts}")
    options = parser.parse(arguments, systems=1)
    shared.check_output(options, ".npz")
    if options.references and len(options.input) > 1:
        raise ValueError(f"-i has {len(options.input)} systems, expected one to count")
    files = list(map(os.path.realpath, options.input))
    for path, file in zip(options.input, files, strict=True):
        if files.count(file) > 1:
            raise ValueError(f"{path!r} is given twice, and would be counted twice")
    systems = Systems(options)
    tables = systems.tables()[0] if options.references else systems.loaded_rows()
    statistics = systems.metrics[0].metric.table.concatenate(tables.values())
    statistics.save(options.output)
    yield f"{options.output}: {statistics!r}, {statistics.signature!r}"


def run_explain(arguments: Sequence[str]) -> Iterator[str]:
    """Explain a segment of each system, n-gram by n-gram."""
    from vecbleu.analysis.explain import explain

    given = "       vecbleu explain --hyp TEXT --ref TEXT [--ref TEXT ...]"
    usage = f"explain REF [REF ...] -i SYS [SYS ...] --line N [options]\n{given}"
    parser = Parser("explain", usage)
    options = parser.parse(arguments)
    text, files = (options.hyp, options.ref), (options.input, options.line)
    if None not in text and not any([*files, options.references, options.names]):
        shared.refuse_reading(options)
        texts = {"": (options.hyp, options.ref)}
    elif None in files or any(text):
        raise ValueError(
            "expected --hyp TEXT and --ref TEXT, or REF -i SYS --line N; see vecbleu explain --help"
        )
    else:
        shared.check_files(options)
        saved = list(filter(shared.is_statistics_file, options.input))
        if saved:
            raise ValueError(f"{saved[0]} is a file of statistics, which has no text to explain")
        segments, lines = read_segments(options, [options.line - 1])
        if not segments:
            label = label_of(options.references[0])
            raise ValueError(f"--line is {options.line} but {label} has {lines} lines")
        ((_, references, outputs),) = segments.values()
        named = zip(shared.system_names(options), outputs, strict=True)
        texts = {name: (output or "", references) for name, output in named}
    chosen = given_options(options, "bleu")
    explained = {system: explain(*segment, **chosen) for system, segment in texts.items()}
    signature = f"BLEU|{next(iter(explained.values())).score.signature}"
    if options.json:
        records = []
        for system, explanation in explained.items():
            record = {
                "system": system or None,
                "line": options.line,
                **score_fields(explanation.score),
                "corpus_BLEU": explanation.corpus_score.percent,
                **{name: getattr(explanation, name) for name in _TEXTS},
                "ngrams": [order.ngrams for order in explanation.orders],
                "signature": signature,
            }
            records.append(plain(record))
        yield from json_lines(records)
        return
    for system, explanation in explained.items():
        if system:
            yield f"{system}, line {options.line}"
        yield from (*str(explanation).split("\n"), "")
    yield signature
