"""Sets of segments against sets of segments; the public names are those of `vecbleu`."""
