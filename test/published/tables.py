# SPDX-License-Identifier: MIT
# What trc writes as Parquet or Arrow, read by an independent program, is what it writes as csv; and
# what such programs write, trc reads. They are pyarrow or duckdb of this python, or packages for node
# in the folder READER: DuckDB's, Polars', Arrow's. Skipped without any. Each that there is reads every
# table; streams of Arrow come through a pipe.
# usage: tables.py parquet|arrow TRC READER TRACE...
import csv
import importlib.util
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

form, trc, reader = sys.argv[1:4]
traces = sys.argv[4:]
sys.path.append(reader)


def by_pyarrow(path):
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(path).to_pydict()
    return list(table), [list(row) for row in zip(*table.values())]


def by_duckdb(path):
    import duckdb

    table = duckdb.connect().execute(f"SELECT * FROM '{path}'")
    return [column[0] for column in table.description], [list(row) for row in table.fetchall()]


def stream_by_pyarrow(path):
    import pyarrow.ipc

    with open(path, "rb") as f:
        table = pyarrow.ipc.open_stream(f).read_all().to_pydict()
    return list(table), [list(row) for row in zip(*table.values())]


def run_node(what, *args, path=os.devnull):
    env = dict(os.environ, NODE_PATH=os.path.join(reader, "node_modules"))
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tables.js")
    with open(path, "rb") as f:
        done = subprocess.run(["node", script, what, form, *args], env=env, stdin=f,
                              capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout) if done.stdout else None


def by_node(name):
    def read(path):
        names, rows = run_node("read", name, path, path=path if form == "arrow" else os.devnull)
        texts = [name in ("type", "event") for name in names]
        return names, [[v if text or v is None else int(v) for v, text in zip(row, texts)]
                       for row in rows]

    read.__name__ = f"{name} of node"
    return read


def expected(path):
    with open(path, newline="") as f:
        names, *rows = csv.reader(f)
    return names, [[(v or None) if name == "event" else v if name == "type" else int(v, 0)
                    for v, name in zip(row, names)] for row in rows]


def encode(*args):
    return subprocess.run([trc, "encode", "-q", "--force", *args], capture_output=True, text=True)


def check_written(trace, want, folder):
    """Writes a trace in each packing, and has it read; returns one of the files."""
    packs = [":pack=" + pack for pack in ("zst", "gz", "none")] if form == "parquet" else [""]
    for pack in packs[:1] if len(want[1]) > 100000 else packs:
        path = os.path.join(folder, "written." + form)
        done = encode("--to", form + pack, trace, path)
        if "built without" in done.stderr:
            continue
        assert done.returncode == 0, done.stderr
        for read in readers:
            assert read(path) == want, (trace, pack, read.__name__)
    return path


def check_read(text, folder):
    """What the others wrote becomes the same text."""
    back = os.path.join(folder, "back.csv")
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        done = encode(path, back)
        if "built without" in done.stderr:
            continue
        assert done.returncode == 0, done.stderr
        with open(back) as f, open(text) as g:
            assert f.read() == g.read(), (text, name)
        os.remove(back)
        files.add(name)


node = run_node("has") if shutil.which("node") else []
pythons = {"parquet": (("pyarrow", by_pyarrow), ("duckdb", by_duckdb)),
           "arrow": (("pyarrow", stream_by_pyarrow),)}
readers = [read for name, read in pythons[form]
           if importlib.util.find_spec(name)] + [by_node(name) for name in node]
if not readers:
    print("skipped: no other program for such tables is here; `npm install --prefix " + reader
          + " @duckdb/node-api apache-arrow nodejs-polars` gets three")
    sys.exit(77)



def make(path):
    """A table of values that do not repeat, so that no writer has a dictionary for them."""
    random.seed(1)
    with open(path, "w") as f:
        print("type,addr,size,time,task,pc", file=f)
        for i in range(20000):
            print(random.choice(["read", "write"]), random.getrandbits(random.choice([12, 40, 64])),
                  random.randrange(1, 65), 1000 * i + random.randrange(1000), i // 1000,
                  random.getrandbits(48), sep=",", file=f)


files = set()
made = tempfile.NamedTemporaryFile(suffix=".csv")
make(made.name)
for trace in traces + [made.name]:
    with tempfile.TemporaryDirectory() as folder:
        text = os.path.join(folder, "x.csv")
        assert encode(trace, text).returncode == 0
        want = expected(text)
        path = check_written(trace, want, folder)
        others = os.path.join(folder, "others")
        os.mkdir(others)
        if node:
            run_node("write", path, others)
        check_read(text, others)
print(len(traces) + 1, "tables by", *(read.__name__ for read in readers), "and as", *sorted(files))
