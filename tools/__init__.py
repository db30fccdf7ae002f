"""Programs for people."""
