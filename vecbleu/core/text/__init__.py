"""Text as bytes and offsets, tokens as spans of bytes, and the ids of tokens."""
