"""The midend: touches become moves, moves become light."""
