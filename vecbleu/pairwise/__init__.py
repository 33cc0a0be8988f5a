"""Sets against sets; the public names are those of `vecbleu`."""
