"""Score sets against sets; `vecbleu` has the public names."""
