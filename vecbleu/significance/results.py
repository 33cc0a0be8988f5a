"""Keep the old base of results until `vecbleu.analysis` has left it."""

from vecbleu.significance.record import Result as Result
