"""Types of vecbleu's signatures, for annotations in your programs."""

from __future__ import annotations

from vecbleu.arguments.options import Executor as Executor
from vecbleu.arguments.options import Ids as Ids
from vecbleu.bleu.options import RefLength as RefLength
from vecbleu.bleu.options import ScoreArgs as ScoreArgs
from vecbleu.bleu.options import Smoothing as Smoothing
from vecbleu.bleu.options import Tokenize as Tokenize
from vecbleu.bleu.options import Weights as Weights
from vecbleu.files.sources import Path as Path
from vecbleu.inputs.alignment import Array as Array
from vecbleu.inputs.alignment import Column as Column
from vecbleu.inputs.alignment import Hypotheses as Hypotheses
from vecbleu.inputs.alignment import References as References
from vecbleu.inputs.alignment import Segment as Segment
from vecbleu.text.edits import Normalize as Normalize
