"""Read files side by side as segments, save tables, and replace files as a whole."""
