"""Files read side by side in blocks of whole lines, which other processes can read again."""
