"""chrF and TER, which sacreBLEU computes: beside BLEU or by themselves."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import Any

from vecbleu.cli.messages import set_up_logging
from vecbleu.cli.reports import Column
from vecbleu.cli.sacrebleu_options import BLEU
from vecbleu.core.extras import import_extra


def load_metrics() -> Any:
    """The module of sacreBLEU's metrics; ImportError says what to install for them."""
    (module,) = import_extra("chrF and TER need", "sacrebleu", "sacrebleu.metrics")
    return module


class OtherMetrics:
    """Metrics of sacreBLEU that are not BLEU, on the lines of systems.

    Scores are formatted here, as sacreBLEU's objects do it, by the options of the command line.
    """

    def __init__(self, options: Namespace, columns: Sequence[Sequence[str]], systems: int) -> None:
        """Prepare the references, which come after the systems among the columns."""
        set_up_logging()  # of what sacreBLEU warns of
        self._options = options
        self._names = [name for name in options.metrics if name != BLEU]
        known = load_metrics().METRICS
        if not columns:
            raise ValueError(f"there are no segments to score by {', '.join(self._names)}")
        # Fields of a line of references keep their white space, as in sacreBLEU.
        stripped = [[line.rstrip() for line in column] for column in columns]
        self._systems = stripped[:systems]
        self._references = (stripped if options.num_refs == 1 else columns)[systems:]
        self._metrics: dict[str, Any] = {
            name: known[name.upper()](references=self._references, **_keywords(options, name))
            for name in self._names
        }

    def results(self, resamples: int = 1) -> list[str]:
        """One system's score by each metric, with an interval of more than one resample."""
        options, (system,) = self._options, self._systems
        is_json = options.format == "json"
        results = []
        for metric in self._in_order():
            score = metric.corpus_score(system, None, n_bootstrap=resamples)
            signature = metric.get_signature().format(options.short and not is_json)
            results.append(score.format(options.width, options.score_only, signature, is_json))
        return results

    def sentences(self) -> Iterator[str]:
        """The score of each line of one system by the only metric."""
        options, (system,), (metric,) = self._options, self._systems, self._metrics.values()
        for hypothesis, *references in zip(system, *self._references, strict=True):
            score = metric.sentence_score(hypothesis, references)
            signature = metric.get_signature().format(options.short)
            yield score.format(options.width, options.score_only, signature)

    def columns(self) -> list[Column]:
        """The scores of all systems by each metric."""
        columns = []
        for metric in self._in_order():
            scores = [metric.corpus_score(system, None) for system in self._systems]
            texts = [score.format(self._options.width, True) for score in scores]
            signature = metric.get_signature().format(self._options.short)
            columns.append(Column(scores[0].name, texts, signature))
        return columns

    def comparison(self, names: Sequence[str], test: str, count: int) -> dict[str, Column]:
        """The scores of all systems by each metric, with the p-values of a paired test."""
        jobs = self._options.paired_jobs
        (module,) = import_extra("paired tests need", "sacrebleu", "sacrebleu.significance")
        paired = module.PairedTest(
            [*zip(names, self._systems, strict=True)],
            self._metrics,
            None,
            test_type=test,
            n_samples=count,
            n_jobs=1 if jobs is None else jobs,
        )
        signatures, scores = paired()
        return {
            name: Column(title, [*map(_row, scores[title])], signature.format(self._options.short))
            for name, (title, signature) in zip(self._names, signatures.items(), strict=True)
        }

    def _in_order(self) -> list[Any]:
        """The metrics in the order in which sacreBLEU prints them."""
        return [self._metrics[name] for name in sorted(self._metrics)]


def _keywords(options: Namespace, metric: str) -> dict[str, Any]:
    """The options of a metric, by sacreBLEU's keywords."""
    prefix = f"{metric}_"
    given = vars(options).items()
    return {name.removeprefix(prefix): value for name, value in given if name.startswith(prefix)}


def _row(result: Any) -> dict[str, float | None]:
    """The numbers of a test, some of which NumPy has as float32, which JSON can't hold."""
    return {name: value if value is None else float(value) for name, value in vars(result).items()}
