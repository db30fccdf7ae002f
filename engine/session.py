"""The commands of the line protocol. One that cannot be done answers {"error": ...} and changes nothing."""

import json

import engine
from engine import is_whole
from engine.position import put_up
from engine.protocol import write_drop, write_position, write_turn
from engine.state import SAVED

COMMANDS = "new, play, drop, next, set, state, think, games, quit"


class Session:
    """One reader's game and what he may do with it. Commands raise ValueError with the answer's text."""

    def __init__(self, write):
        self.write = write
        self.game = None
        self.before = bytearray(SAVED)

    def _need_game(self):
        if self.game is None:
            raise ValueError("no game yet: new GAME begins one; the games are %s" % ", ".join(engine.names()))
        return self.game

    def games(self, words):
        self._alone("games", words)
        comma = '{"games":['
        for name in engine.names():  # in pieces, which a small heap has room for
            kind = engine.find(name)
            self.write('%s{"name":"%s","board":"%s","options":{' % (comma, name, kind.BOARD))
            comma = ""
            for option in sorted(kind.OPTIONS):  # MicroPython's dicts keep no order
                self.write('%s"%s":%s' % (comma, option, json.dumps(kind.OPTIONS[option])))
                comma = ","
            self.write("}}")
            comma = ","
        self.write("]}\n")

    def new(self, words):
        if not words:
            raise ValueError("new GAME: the games are %s" % ", ".join(engine.names()))
        options = {}
        for word in words[1:]:
            name, equals, value = word.partition("=")
            if not equals:
                raise ValueError("%s: options are written option=value" % word)
            if name in options:
                raise ValueError("%s is said twice: once is right" % name)
            options[name] = value
        starter = options.pop("starter", "0")
        if starter not in ("0", "1"):
            raise ValueError("starter=%s: 0 or 1 is right" % starter)
        kind = engine.find(words[0]).variant(options)
        options = kind.whole(options)
        self.game = None  # a heap of 64 kB has no room for two
        self.game = game = kind(options)
        game.start(int(starter))
        write_position(self.write, game)

    def play(self, words):
        game = self._need_game()
        if len(words) != 1 or not is_whole(words[0]):
            raise ValueError("play HOLE: one ring number, 0 to %d" % (game.n - 1))
        game.play(int(words[0]))
        write_turn(self.write, game)

    def drop(self, words):
        game = self._need_game()
        if not game.races:
            raise ValueError("drop: only in the race opening, which new sulus_aidi race=1 has")
        if (
            not 1 <= len(words) <= 2
            or words[0] not in ("0", "1")
            or not all([is_whole(word) for word in words])
        ):
            raise ValueError("drop PLAYER [HOLE]: player 0 or 1, and a ring number, 0 to %d" % (game.n - 1))
        player = int(words[0])
        hole = int(words[1]) if len(words) > 1 else -1
        here = game.next_drop(player)
        did = game.drop(player, hole)
        write_drop(self.write, game, player, did, here, hole if here < 0 else here)

    def next(self, words):
        game = self._need_game()
        self._alone("next", words)
        game.next()
        write_position(self.write, game)

    def state(self, words):
        game = self._need_game()
        self._alone("state", words)
        write_position(self.write, game)

    def set(self, text):
        game = self._need_game()
        if game.race:
            raise ValueError("set: not during a race; drop until both players are done")
        try:
            position = json.loads(text)
        except (ValueError, RuntimeError):  # RuntimeError: nested too deeply
            position = None
        if not isinstance(position, dict):
            raise ValueError('set JSON: an object such as {"seeds": [...], "mover": 0}')
        game.save(self.before)
        try:
            put_up(game, position)
        except ValueError:
            game.load(self.before)
            raise
        if not game.over:
            game.settle()
        write_position(self.write, game)

    def think(self, words):
        game = self._need_game()
        from engine import thinking  # here, for a small heap that has no use for it

        thinking.answer(self.write, game, words)

    def _alone(self, command, words):
        if words:
            raise ValueError("%s stands alone" % command)

    def answer(self, line):
        """Do what one line (text) says; False ends the session."""
        try:
            parts = line.split(None, 1)
            if not parts:
                return True
            word = parts[0]
            rest = parts[1] if len(parts) > 1 else ""
            if word == "quit" and not rest.strip():
                return False
            if word == "set":
                self.set(rest)
            elif word in ("new", "play", "drop", "next", "state", "think", "games", "quit"):
                if word == "quit":
                    self._alone("quit", rest)
                getattr(self, word)(rest.split())
            else:
                raise ValueError("no command %s; there are %s" % (word[:40], COMMANDS))
        except ValueError as problem:
            self.error(problem)
        except MemoryError:
            self.error("out of memory: start again with a larger heap")
        return True

    def error(self, problem):
        self.write(json.dumps({"error": str(problem)}) + "\n")
