# SPDX-License-Identifier: MIT
# What trc writes as Parquet, read by an independent reader, is what it writes as csv. The readers are
# pyarrow or duckdb of this python, duckdb in the folder READER, or DuckDB's package for node there;
# skipped without any. Each that there is reads every table.
# usage: parquet.py TRC READER TRACE...
import csv
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile

trc, reader = sys.argv[1:3]
traces = sys.argv[3:]
sys.path.append(reader)


def by_pyarrow(path):
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(path).to_pydict()
    return list(table), [list(row) for row in zip(*table.values())]


def by_duckdb(path):
    import duckdb

    table = duckdb.connect().execute(f"SELECT * FROM '{path}'")
    return [column[0] for column in table.description], [list(row) for row in table.fetchall()]


NODE = """
const { DuckDBInstance } = require("@duckdb/node-api");
(async () => {
  const db = await (await DuckDBInstance.create(":memory:")).connect();
  const table = await db.runAndReadAll(`SELECT * FROM '${process.argv[1]}'`);
  const plain = v => (typeof v === "bigint" ? String(v) : v);
  console.log(JSON.stringify([table.columnNames(), table.getRows().map(r => r.map(plain))]));
})();
"""


def run_node(*args):
    env = dict(os.environ, NODE_PATH=os.path.join(reader, "node_modules"))
    return subprocess.run(["node", "-e", *args], env=env, capture_output=True, text=True)


def by_node(path):
    import json

    done = run_node(NODE, path)
    assert done.returncode == 0, done.stderr
    names, rows = json.loads(done.stdout)
    texts = [name in ("type", "event") for name in names]
    return names, [[v if text or v is None else int(v) for v, text in zip(row, texts)]
                   for row in rows]


def expected(path):
    with open(path, newline="") as f:
        names, *rows = csv.reader(f)
    return names, [[(v or None) if name == "event" else v if name == "type" else int(v, 0)
                    for v, name in zip(row, names)] for row in rows]


readers = [read for name, read in (("pyarrow", by_pyarrow), ("duckdb", by_duckdb))
           if importlib.util.find_spec(name)]
if shutil.which("node") and run_node("require('@duckdb/node-api')").returncode == 0:
    readers.append(by_node)
if not readers:
    print("skipped: neither pyarrow nor duckdb is here, for python or node; `npm install --prefix "
          + reader + " @duckdb/node-api` gets one")
    sys.exit(77)

with tempfile.TemporaryDirectory() as folder:
    text = os.path.join(folder, "x.csv")
    for trace in traces:
        subprocess.run([trc, "encode", "-q", "--force", trace, text], check=True)
        want = expected(text)
        for pack in ("zst", "gz", "none"):
            path = os.path.join(folder, pack + ".parquet")
            done = subprocess.run([trc, "encode", "-q", "--force", "--to", "parquet:pack=" + pack,
                                   trace, path], capture_output=True, text=True)
            if "built without" in done.stderr:
                continue
            assert done.returncode == 0, done.stderr
            for read in readers:
                assert read(path) == want, (trace, pack, read.__name__)
print(len(traces), "tables by", *(read.__name__ for read in readers))
