"""Read text files side by side, in blocks of whole lines."""
