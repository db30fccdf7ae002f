"""The virtual board from end to end: its own process, and a real browser."""
