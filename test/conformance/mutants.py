# SPDX-License-Identifier: MIT
"""mutants.py [COUNT [SEED [TRC...]]]: changes decode.py in COUNT (default 100) places, one at a time, chosen by
SEED: a comparison, a constant, an operator becomes another, a term is dropped, branches are exchanged.
Prints of each which container of the set it decodes wrongly, or which of the files TRC, of those that
the set does not catch. One that is left says something of the text that the set does not show. What
means the same is in mutants_same.txt, with the reason, and is not chosen; nor is what changes only the
sentence of a refusal. Ends with exit status 1 if one is left."""
import ast
import functools
import hashlib
import io
import os
import signal
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor

from make import make_quick

HERE = os.path.dirname(os.path.abspath(__file__))
DECODER = os.path.join(HERE, "decode.py")
OTHER = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
         ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn,
         ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add,
         ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
         ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr}
TERMS = ast.Add, ast.Sub, ast.BitOr, ast.BitXor, ast.BitAnd


@functools.lru_cache(maxsize=None)
def source():
    with open(DECODER, encoding="ascii") as f:
        return f.read()


@functools.lru_cache(maxsize=None)
def lines():
    return source().splitlines()


# ---- changes: each is a function that changes a node, or gives another in its place ----

def other_op(node):
    node.op = OTHER[type(node.op)]()


def other_comparison(i):
    def change(node):
        node.ops[i] = OTHER[type(node.ops[i])]()
    return change


def other_constant(by):
    def change(node):
        node.value += by
    return change


def exchanged(node):
    node.body, node.orelse = node.orelse, node.body


def without_operand(i):
    def change(node):
        del node.values[i]
        return node.values[0] if len(node.values) == 1 else None
    return change


def changes_of(node):
    """Pairs of a change of a node and its name."""
    if isinstance(node, ast.Compare):
        yield from ((other_comparison(i), f"{type(op).__name__} to {OTHER[type(op)].__name__}")
                    for i, op in enumerate(node.ops))
    elif isinstance(node, ast.BinOp) and type(node.op) in OTHER:
        yield other_op, f"{type(node.op).__name__} to {OTHER[type(node.op)].__name__}"
        if isinstance(node.op, TERMS):
            yield lambda n: n.left, "right term dropped"
            yield lambda n: n.right, "left term dropped"
    elif isinstance(node, ast.BoolOp):
        yield other_op, f"{type(node.op).__name__} to {OTHER[type(node.op)].__name__}"
        yield from ((without_operand(i), f"condition {i + 1} dropped")
                    for i in range(len(node.values)))
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield other_constant(1), f"{node.value} to {node.value + 1}"
        yield other_constant(-1), f"{node.value} to {node.value - 1}"
    elif isinstance(node, ast.IfExp):
        yield exchanged, "branches exchanged"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        yield lambda n: n.operand, "sign dropped"


class Apply(ast.NodeTransformer):
    """Changes the node of a number."""

    def __init__(self, number, change):
        self.number, self.change, self.at = number, change, -1

    def visit(self, node):
        self.at += 1
        if self.at == self.number:
            return self.change(node) or node
        return self.generic_visit(node)


def is_sentence(parent, node):
    """Whether a node is what a reader says when it refuses something."""
    return isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and \
        parent.func.id in ("need", "Damaged") and node is parent.args[-1]


def numbered(tree):
    """The nodes of a tree in the order of a visit, each with its innermost function, and whether it is in a
    sentence."""
    def walk(node, function, said):
        function = node if isinstance(node, ast.FunctionDef) else function
        yield node, function, said
        for child in ast.iter_child_nodes(node):
            yield from walk(child, function, said or is_sentence(node, child))
    return enumerate(walk(tree, None, False))


class Mutant:
    def __init__(self, number, node, function, change, name):
        self.number, self.change, self.name = number, change, name
        self.line, self.column = node.lineno, node.col_offset
        self.node = node
        self.function = function and (function.name, min(
            [function.lineno] + [d.lineno for d in function.decorator_list]))

    def names(self):
        """The names of the changed decoder."""
        tree = Apply(self.number, self.change).visit(ast.parse(source()))
        return run_module(ast.fix_missing_locations(tree))

    def key(self):
        """What it is, whatever stands in other lines."""
        line = lines()[self.line - 1]
        indent = len(line) - len(line.lstrip())
        name = self.function[0] if self.function else "-"
        return f"{name} {self.column - indent}: {self.name}: {line.strip()}"

    def __str__(self):
        text = " ".join((ast.get_source_segment(source(), self.node) or "").split())
        return f"{self.line}:{self.column}: {self.name}: {text[:60]}"


def same():
    """The keys of those that mean the same; each has a line, and the reason in an indented one."""
    with open(os.path.join(HERE, "mutants_same.txt"), encoding="ascii") as f:
        return {line.rstrip("\n") for line in f if line[:1] not in "# \n"}


def all_mutants():
    found, left, tree = [], same(), ast.parse(source())
    for number, (node, function, said) in numbered(tree):
        if hasattr(node, "lineno") and not said and (
                function is None or function.name not in ("main", "fixed")):
            found += [Mutant(number, node, function, *c) for c in changes_of(node)]
    moved = left - {m.key() for m in found}
    if moved:
        sys.exit("mutants_same.txt: nothing is like this any more: " + "; ".join(sorted(moved)))
    return [m for m in found if m.key() not in left]


def chosen(mutants, count, seed):
    """So many of them; those that change a line are others when the line is, but no others."""
    def order(i):
        return hashlib.sha256(f"{seed} {mutants[i].key()}".encode()).digest()
    return sorted(sorted(range(len(mutants)), key=order)[:count])


# ---- decoding ----

def run_module(tree):
    names = {"__name__": "decoder"}
    exec(compile(tree, DECODER, "exec"), names)
    return names


class TooSlow(BaseException):
    pass


def too_slow(*_):
    raise TooSlow


def decode(names, path):
    """What comes of a container: csv, or that it is refused, or what went wrong."""
    out, was = io.BytesIO(), (sys.stdout, sys.stderr)
    sys.stdout, sys.stderr = io.TextIOWrapper(out), io.StringIO()
    try:
        status = names["main"]([path])
        sys.stdout.flush()
        return out.getvalue() if status == 0 else "refused"
    except TooSlow:
        return "without end"
    except Exception as e:
        return type(e).__name__
    finally:
        sys.stdout, sys.stderr = was


def called_by(run, *args):
    """What a function gives, and the functions of the decoder that it calls."""
    called = set()

    def note(frame, event, _):
        if event == "call" and frame.f_code.co_filename == DECODER:
            called.add((frame.f_code.co_name, frame.f_code.co_firstlineno))
    sys.setprofile(note)
    try:
        return run(*args), called
    finally:
        sys.setprofile(None)


def wanted(paths):
    """Of containers: what comes of each, the functions that it calls, and seconds."""
    (names, tables), out = called_by(run_module, ast.parse(source())), []
    for path in paths:
        begin = time.time()
        content, called = called_by(decode, names, path)
        out.append((path, content, called | tables, time.time() - begin))
    return out


def caught(mutant, files):
    """The first of some files that a mutant decodes wrongly, and how; or None."""
    signal.signal(signal.SIGALRM, too_slow)
    signal.setitimer(signal.ITIMER_REAL, 20)
    try:
        names = mutant.names()
    except (Exception, TooSlow) as e:
        return "(all)", type(e).__name__
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    for path, content, called, seconds in files:
        if mutant.function is None or mutant.function in called:
            signal.setitimer(signal.ITIMER_REAL, 5 + 10 * seconds)
            try:
                got = decode(names, path)
            except TooSlow:
                got = "without end"
            signal.setitimer(signal.ITIMER_REAL, 0)
            if got != content:
                how = got if isinstance(got, str) else "other rows" if content != "refused" else "rows"
                return os.path.relpath(path, os.path.dirname(os.path.dirname(path)))[:-4], how
    return None


def judge(number):
    return number, caught(MUTANTS[number], FILES)


MUTANTS, FILES = [], []  # of each process: those of the one that forked it


def main():
    count, seed = (int(v) for v in (sys.argv[1:3] + ["100", "1"][len(sys.argv[1:3]):]))
    MUTANTS.extend(all_mutants())
    with tempfile.TemporaryDirectory() as folder:
        paths = make_quick(folder)
        with ProcessPoolExecutor() as pool:
            for some in paths, sys.argv[3:]:
                FILES.extend(sorted(sum(pool.map(wanted, [some[i::8] for i in range(8)]), []),
                                    key=lambda f: f[3]))
        some, left = chosen(MUTANTS, count, seed), 0
        with ProcessPoolExecutor() as pool:
            for number, how in pool.map(judge, some):
                print(f"{MUTANTS[number]}  |  {' '.join(how[::-1]) if how else 'NOT CAUGHT'}", flush=True)
                left += how is None
    print(f"{count - left} of {count} mutants are caught, of {len(MUTANTS)}")
    return left > 0


if __name__ == "__main__":
    sys.exit(main())
