"""Integers only: hashing, rows of different lengths, n-gram matching, reference lengths."""
