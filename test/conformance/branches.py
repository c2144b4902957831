# SPDX-License-Identifier: MIT
"""branches.py [TRC...]: prints the branches of decode.py that no container of the set takes, nor those
of the files TRC. A branch is a way in which something comes out that the decoder asks: a condition, and each part
of one joined by `and` and `or`, is true or false; the least or the greatest of several is one or another;
a loop has turns, or none; what is looked up is there, or not."""
import ast
import contextlib
import io
import os
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor

from make import make_quick

HERE = os.path.dirname(os.path.abspath(__file__))
DECODER = os.path.join(HERE, "decode.py")
LEAST = {"min": min, "max": max}


class Watch(ast.NodeTransformer):
    """Has each question of a program tell how it came out."""

    def __init__(self, text):
        self.text, self.ways = text, {}  # by place: what is asked, and all ways

    def ask(self, node, name, *ways):
        place = self.place(node, name, ways)
        call = ast.Call(ast.Name("_" + name, ast.Load()), [ast.Constant(place), node], [])
        return ast.copy_location(call, node)

    def condition(self, node):
        node = self.visit(node)
        known = isinstance(node, (ast.BoolOp, ast.Constant))
        return node if known else self.ask(node, "if", True, False)

    def visit_test(self, node):
        old = node.test
        node.test = None
        self.generic_visit(node)
        node.test = self.condition(old)
        return node

    visit_If = visit_While = visit_IfExp = visit_test

    def visit_BoolOp(self, node):
        node.values = [self.condition(v) for v in node.values]
        return node

    def visit_comprehension(self, node):
        ifs, node.ifs = node.ifs, []
        self.generic_visit(node)
        node.ifs = [self.condition(i) for i in ifs]
        return node

    def visit_FunctionDef(self, node):
        return node if node.name == "clamp" else self.generic_visit(node)

    def visit_For(self, node):
        self.generic_visit(node)
        node.iter = self.ask(node.iter, "for", True)
        return node

    def visit_Call(self, node):
        name = getattr(node.func, "id", getattr(node.func, "attr", None))
        if name == "need":
            node.args = [self.condition(node.args[0])] + node.args[1:]
            return node
        self.generic_visit(node)
        if name in LEAST and len(node.args) > 1:
            node.args = [ast.Constant(self.place(node, name, range(len(node.args))))] + node.args
            node.func.id = "_" + name
        elif name == "clamp":
            node.args = [ast.Constant(self.place(node, name, range(3)))] + node.args
            node.func.id = "_clamp"
        elif name == "get" or name == "next" and len(node.args) > 1:
            node = self.look_up(node, name)
        return node

    def place(self, node, name, ways):
        place = node.lineno, node.col_offset, node.end_lineno, node.end_col_offset, name
        self.ways[place] = ast.get_source_segment(self.text, node), tuple(ways)
        return place

    def look_up(self, node, name):
        place = self.place(node, name, (True, False))
        of = [node.func.value] if name == "get" else []
        call = ast.Call(ast.Name("_" + name, ast.Load()), [ast.Constant(place)] + of + node.args, [])
        return ast.copy_location(call, node)


class Seen:
    """What a watched program calls."""

    def __init__(self):
        self.seen = set()

    def ask(self, place, value):
        self.seen.add((place, bool(value)))
        return value

    def turns(self, place, items):
        for item in items:
            self.seen.add((place, True))
            yield item

    def least(self, place, function, *values):
        v = function(values)
        self.seen.add((place, values.index(v)))
        return v

    def clamp(self, place, v, least, most):
        self.seen.add((place, 1 if v < least else 2 if v > most else 0))
        return least if v < least else most if v > most else v

    def get(self, place, table, key, default=None):
        self.seen.add((place, key in table))
        return table.get(key, default)

    def next(self, place, items, default):
        none = object()
        v = next(items, none)
        self.seen.add((place, v is not none))
        return default if v is none else v

    def names(self):
        return {"_if": self.ask, "_for": self.turns, "_clamp": self.clamp, "_get": self.get,
                "_next": self.next, "_min": lambda place, *v: self.least(place, min, *v),
                "_max": lambda place, *v: self.least(place, max, *v)}


def watched():
    """The decoder, watched: its names, what it saw, and all ways."""
    with open(DECODER, encoding="ascii") as f:
        text = f.read()
    watch, seen = Watch(text), Seen()
    tree = ast.fix_missing_locations(watch.visit(ast.parse(text)))
    names = dict(seen.names(), __name__="watched")
    exec(compile(tree, DECODER, "exec"), names)
    return names, seen, watch.ways


def reach(paths):
    names, seen, _ = watched()
    for path in paths:
        sys.stdout = out = io.TextIOWrapper(io.BytesIO())
        with contextlib.redirect_stderr(out):
            names["main"]([path])
        sys.stdout = sys.__stdout__
    return seen.seen


def main():
    with tempfile.TemporaryDirectory() as folder:
        paths = make_quick(folder) + sys.argv[1:]
        with ProcessPoolExecutor() as pool:
            seen = set().union(*pool.map(reach, [paths[i::8] for i in range(8)]))
    ways = watched()[2]
    missing = [(place, way) for place, (_, all_ways) in sorted(ways.items()) for way in all_ways
               if (place, way) not in seen]
    for place, way in missing:
        print(f"{place[0]}:{place[1]}: {place[4]} never {way}: {' '.join(ways[place][0].split())}")
    total = sum(len(all_ways) for _, all_ways in ways.values())
    print(f"{total - len(missing)} of {total} branches are taken")


if __name__ == "__main__":
    main()
