"""Compute with integer arrays: rows of different lengths, hashes, n-gram keys, clipped matches.

Read `ragged`, `ngrams`, `matches` and `packed` in this order. Nothing here knows of text.
"""
