"""Whether sources can run on CircuitPython 10 on a Pico: its grammar, its modules, their names, its built-in methods.

`check(sources, ours)` reads every source of a drive with `ast` and names what would fail there, by file and line, with
what would be right. What is known of the firmware is in devicecheck.json, which says how it was got.
"""

import ast
import builtins
import difflib
import functools
import io
import json
import tokenize
from pathlib import Path

MODULE_BYTES = 12_000  # a source of 16 kB failed to import in a heap of 64 kB

_known = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
MODULES = {name: set(names.split()) for name, names in _known["modules"].items()}
METHODS = set(_known["methods"].split())

PC_TYPES = (str, bytes, bytearray, memoryview, list, tuple, dict, set, frozenset, int, float, range)
PC_METHODS = {
    name for kind in PC_TYPES for name in dir(kind) if name[0] != "_" and callable(getattr(kind, name))
}
LACKING_METHODS = PC_METHODS - METHODS - {name for names in MODULES.values() for name in names}
LACKING_BUILTINS = {name for name in dir(builtins) if name[0] != "_"} - MODULES["builtins"] | {"__file__"}
LACKING_BUILTINS -= {"None", "True", "False"}

INSTEAD = {  # for modules that a PC has
    "dataclasses": "write a class with __init__",
    "enum": "use integers with names",
    "functools": "write the loop or keep the value",
    "itertools": "write the loop",
    "typing": "put it into try: ... except ImportError: pass",
}
# Statements that the firmware's compiler does not know, by the name of their node.
STATEMENTS = {
    "Match": ("no match statement", "if and elif"),
    "TryStar": ("no except*", "except"),
    "TypeAlias": ("no type statement", "leave it out"),
    "TemplateStr": ("no t-strings", "use %"),
}
# What it compiles but never calls.
UNCALLED = {"__setattr__": "set it in a method", "__init_subclass__": "call a function after the class"}
# Built-in functions that take less than on a PC: name, most arguments, keyword.
CALLS = (("iter", 1, None), ("next", 1, None), ("zip", None, "strict"))


def check(sources, ours=lambda path: True):
    """`sources`: {path on the drive: text}. `ours(path)`: whether the house's own rules hold for it too (size, no
    f-strings, no coroutines). Returns lines "path:line: what is wrong: what would be right", sorted."""
    drive = _Drive(sources)
    found = []
    for path, text in sources.items():
        try:
            tree = _parse(text)
        except SyntaxError as error:
            found.append((path, error.lineno or 1, "%s: CPython does not read it either" % error.msg))
            continue
        checker = _Checker(drive, path, text, tree, ours(path))
        checker.run()
        found += [(path, line, what) for line, what in checker.found]
    return ["%s:%d: %s" % entry for entry in sorted(set(found))]


def unresolved(sources):
    """The modules that `sources` import and neither the firmware nor the drive has, guarded imports (try: ... except
    ImportError) included, each once with the path that asks for it."""
    drive = _Drive(sources)
    wanted = {}
    for path, text in sources.items():
        for node, _ in _imports(text):
            for name in drive.modules_of(node, path):
                if drive.names(name) is None:
                    wanted.setdefault(name, path)
    return wanted


@functools.lru_cache(100)
def _parse(text):
    return ast.parse(text)


@functools.lru_cache(100)
def _imports(text):
    """(node, guarded) for each import of a source; none of one that cannot be read."""

    def walk(node, guarded):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node, guarded
        for field, value in ast.iter_fields(node):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    caught = (
                        isinstance(node, ast.Try) and field == "body" and any(map(_catches, node.handlers))
                    )
                    yield from walk(child, guarded or caught)

    try:
        return list(walk(_parse(text), False))
    except SyntaxError:
        return []


def _catches(handler):
    """Whether a handler catches an ImportError."""
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(kind is None or getattr(kind, "id", "") in ("ImportError", "Exception") for kind in kinds)


@functools.lru_cache(100)
def _bound(text):
    """The names that a source binds anywhere but by import."""
    names = set()
    for node in ast.walk(_parse(text)):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            names.add(node.attr)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            names.add(node.name)
    return names


class _Drive:
    """The modules of a drive and of the firmware, and the names in them."""

    def __init__(self, sources):
        self._names = {}
        self._open = set()  # modules that import *: anything may be in them
        self.bound = set()
        packages = {}
        for path, text in sources.items():
            inside = path[4:] if path.startswith("lib/") else path
            module = inside[:-3].replace("/", ".")
            module = module[: -len(".__init__")] if module.endswith(".__init__") else module
            try:
                names = set(_bound(text))
            except SyntaxError:
                names = set()
                self._open.add(module)
            self.bound |= names
            for node, _ in _imports(text):
                for alias in node.names:
                    names.add(alias.asname or alias.name.split(".")[0])
                    if alias.name == "*":
                        self._open.add(module)
            self._names[module] = names
            while "." in module:
                module, _, child = module.rpartition(".")
                packages.setdefault(module, set()).add(child)
        for module, children in packages.items():
            self._names.setdefault(module, set()).update(children)

    def names(self, module):
        """What may be imported from a module, or None where there is no such module."""
        found = self._names.get(module)
        return MODULES.get(module) if found is None else found

    def modules(self):
        return [*MODULES, *self._names]

    def has(self, module, name):
        known = self.names(module)
        return (
            known is None
            or module in self._open
            or name in known
            or name[:2] == "__"
            or module + "." + name in MODULES
        )

    def modules_of(self, node, path):
        """The modules that an import statement names."""
        if isinstance(node, ast.Import):
            return [alias.name for alias in node.names]
        if not node.level:
            return [node.module]
        inside = (path[4:] if path.startswith("lib/") else path).split("/")
        package = inside[: len(inside) - node.level]
        return [".".join([*package, *([node.module] if node.module else [])])]


class _Checker:
    def __init__(self, drive, path, text, tree, ours):
        self._drive = drive
        self._path = path
        self._text = text
        self._tree = tree
        self._ours = ours
        self._own = _bound(text)
        self._modules = {}  # names that stand for a module in this file
        self.found = []

    def _wrong(self, node, what, right):
        self.found.append((node if isinstance(node, int) else node.lineno, "%s: %s" % (what, right)))

    def run(self):
        size = len(self._text.encode())
        if self._ours and size >= MODULE_BYTES:
            self._wrong(
                1, "%d bytes" % size, "a module of the board has less than %d; divide it" % MODULE_BYTES
            )
        for node, guarded in _imports(self._text):
            self._import(node, guarded)
        for node in ast.walk(self._tree):
            self._node(node)
        if "with (" in self._text:
            self._with_in_brackets()

    def _import(self, node, guarded):
        for module in self._drive.modules_of(node, self._path):
            if self._drive.names(module) is None:
                if not guarded:
                    root = module.split(".")[0]
                    near = difflib.get_close_matches(module, self._drive.modules(), 1, 0.8)
                    hint = INSTEAD.get(root) or ("did you mean %s?" % near[0] if near else None)
                    hint = hint or "pin the library that has it in lib/requirements.txt, or ship its folder"
                    self._wrong(
                        node, "no module %s on CircuitPython 10 on a Pico, nor on the drive" % module, hint
                    )
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    if alias.asname or "." not in alias.name:
                        self._modules[alias.asname or alias.name] = alias.name
            else:
                for alias in node.names:
                    self._name_of(node, module, alias.name)
                    if (
                        module + "." + alias.name in MODULES
                        or self._drive.names(module + "." + alias.name) is not None
                    ):
                        self._modules[alias.asname or alias.name] = module + "." + alias.name

    def _name_of(self, node, module, name):
        if name != "*" and not self._drive.has(module, name):
            near = difflib.get_close_matches(name, self._drive.names(module), 1)
            hint = (
                "did you mean %s?" % near[0]
                if near
                else "it has %s" % ", ".join(sorted(self._drive.names(module))[:12])
            )
            self._wrong(node, "%s has no %s" % (module, name), hint)

    def _node(self, node):
        kind = type(node).__name__
        if kind in STATEMENTS:
            self._wrong(node if hasattr(node, "lineno") else 1, *STATEMENTS[kind])
        if getattr(node, "type_params", None):
            self._wrong(node, "no type parameters", "leave them out")
        handler = getattr(self, "see_" + kind.lower(), None)
        if handler:
            handler(node)

    def see_arguments(self, node):
        if node.posonlyargs:
            self._wrong(node.posonlyargs[0], "no positional-only /", "leave the / out")

    def see_list(self, node):
        if isinstance(node.ctx, ast.Load) and any(isinstance(e, ast.Starred) for e in node.elts):
            self._wrong(node, "no * inside a list or tuple", "add them: list(a) + [b]")

    see_tuple = see_list

    def see_set(self, node):
        if any(isinstance(e, ast.Starred) for e in node.elts):
            self._wrong(node, "no * inside a set", "use update()")

    def see_dict(self, node):
        if None in node.keys:
            self._wrong(node, "no ** inside a dict", "use update()")

    def see_subscript(self, node):
        if (
            isinstance(node.slice, ast.Slice)
            and node.slice.step is not None
            and not isinstance(node.ctx, ast.Load)
        ):
            self._wrong(node, "no assignment to a slice with a step", "write the loop")

    def see_comprehension(self, node):
        if node.is_async:
            self._wrong(node.target, "no async comprehension", "write the loop")

    def see_asyncfunctiondef(self, node):
        if self._ours:
            self._wrong(node, "no coroutines here", "the board turns one plain loop")

    def see_classdef(self, node):
        if node.keywords:
            self._wrong(node, "no keywords behind a class's name", "call a function after the class")
        self._decorators(node)

    def see_functiondef(self, node):
        if node.name in UNCALLED:
            self._wrong(node, "%s is never called" % node.name, UNCALLED[node.name])
        self._decorators(node)

    def _decorators(self, node):
        for decorator in node.decorator_list:
            inner = decorator.func if isinstance(decorator, ast.Call) else decorator
            while isinstance(inner, ast.Attribute):
                inner = inner.value
            if not isinstance(inner, ast.Name):
                self._wrong(decorator, "no such decorator", "give it a name first: @name or @name(...)")

    def see_joinedstr(self, node):
        if self._ours:
            self._wrong(node, "f-strings cost the board's compiler memory", "use %")
            return
        start = (ast.get_source_segment(self._text, node) or "").lower()[:2]
        if start in ("rf", "fr"):
            self._wrong(node, "no raw f-strings", "use %")
        for part in node.values:
            if isinstance(part, ast.FormattedValue) and any(
                isinstance(n, ast.JoinedStr) for n in ast.walk(part.value)
            ):
                self._wrong(node, "no f-string inside an f-string", "use %")

    def see_call(self, node):
        if not isinstance(node.func, ast.Name):
            return
        for name, most, keyword in CALLS:
            if node.func.id == name and name not in self._own:
                if most is not None and len(node.args) > most:
                    self._wrong(node, "%s() takes %d argument" % (name, most), "write the loop")
                if keyword and any(k.arg == keyword for k in node.keywords):
                    self._wrong(node, "%s() has no %s=" % (name, keyword), "leave it out")

    def see_name(self, node):
        if node.id in LACKING_BUILTINS and isinstance(node.ctx, ast.Load) and node.id not in self._own:
            right = "OSError, and its errno" if node.id.endswith("Error") else "do without"
            self._wrong(node, "no built-in %s" % node.id, right)

    def see_attribute(self, node):
        if (
            isinstance(node.value, ast.Name)
            and node.value.id in self._modules
            and node.value.id not in self._own
        ):
            self._name_of(node, self._modules[node.value.id], node.attr)
        elif node.attr in LACKING_METHODS and node.attr not in self._drive.bound:
            self._wrong(node, "no built-in type has %s" % node.attr, "write it out")
        elif node.attr in ("__doc__", "__qualname__", "__annotations__"):
            self._wrong(node, "%s is not kept" % node.attr, "do without")

    def _with_in_brackets(self):
        """with (a as b, c as d): the tree does not tell the brackets, the tokens do."""
        tokens = [
            t
            for t in tokenize.generate_tokens(io.StringIO(self._text).readline)
            if t.type not in (tokenize.NL, tokenize.COMMENT)
        ]
        for at, token in enumerate(tokens[:-1]):
            if token.type != tokenize.NAME or token.string != "with" or tokens[at + 1].string != "(":
                continue
            depth = 0
            for inner in tokens[at + 1 :]:
                depth += (inner.string in "([{") - (inner.string in ")]}") if inner.type == tokenize.OP else 0
                if depth == 0:
                    break
                if depth == 1 and inner.string == "as":
                    self._wrong(
                        token.start[0],
                        "no brackets round the items of with",
                        "one line, or one with in the other",
                    )
                    break
