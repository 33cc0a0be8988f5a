"""Random cases in volume, each against an oracle: `python -m tests.fuzz`."""
