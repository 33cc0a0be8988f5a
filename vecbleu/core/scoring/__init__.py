"""Compute BLEU from statistics: smoothing, the formula, and the score object."""
