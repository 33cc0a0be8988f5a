"""Files: open them, read their lines side by side, and make segments of these."""
