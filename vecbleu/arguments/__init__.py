"""Check arguments, and define their errors and options; see `vecbleu.core`."""
