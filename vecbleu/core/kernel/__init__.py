"""Compute with integer arrays: rows of different lengths, hashes, n-gram keys, clipped matches.

Read `ragged`, `hashing`, `ngrams` and `matches` in this order. Nothing here knows of text.
"""
