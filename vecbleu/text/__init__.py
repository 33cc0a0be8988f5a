"""Tokenize text: units as bytes and offsets, tokens as spans of bytes, and token ids."""
