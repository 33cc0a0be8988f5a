"""Types of vecbleu's signatures, for annotations in your programs."""

from __future__ import annotations

from vecbleu.core.files import Path as Path
from vecbleu.core.inputs.alignment import Array as Array
from vecbleu.core.inputs.alignment import Column as Column
from vecbleu.core.inputs.alignment import Hypotheses as Hypotheses
from vecbleu.core.inputs.alignment import References as References
from vecbleu.core.inputs.alignment import Segment as Segment
from vecbleu.core.options import CorpusArgs as CorpusArgs
from vecbleu.core.options import CountArgs as CountArgs
from vecbleu.core.options import Executor as Executor
from vecbleu.core.options import FileArgs as FileArgs
from vecbleu.core.options import IdArgs as IdArgs
from vecbleu.core.options import Ids as Ids
from vecbleu.core.options import PairArgs as PairArgs
from vecbleu.core.options import RefLength as RefLength
from vecbleu.core.options import RunArgs as RunArgs
from vecbleu.core.options import ScoreArgs as ScoreArgs
from vecbleu.core.options import SegmentArgs as SegmentArgs
from vecbleu.core.options import Smoothing as Smoothing
from vecbleu.core.options import StatisticsArgs as StatisticsArgs
from vecbleu.core.options import TextArgs as TextArgs
from vecbleu.core.options import Tokenize as Tokenize
from vecbleu.core.options import Weights as Weights
