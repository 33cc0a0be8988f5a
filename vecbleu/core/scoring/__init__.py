"""Statistics to BLEU: smoothing, the formula, and the score object."""
