"""One file a game, each with a `GAME`, a subclass of `engine.core.Game`; `engine.names` lists this folder."""
