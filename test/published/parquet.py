# SPDX-License-Identifier: MIT
# What trc writes as Parquet, read by pyarrow, is what it writes as csv; skipped without pyarrow.
# usage: parquet.py TRC TRACE
import csv
import os
import subprocess
import sys
import tempfile

try:
    import pyarrow.parquet
except ImportError:
    print("skipped: python3 has no pyarrow, the independent reader")
    sys.exit(77)

trc, trace = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    text = os.path.join(folder, "x.csv")
    subprocess.run([trc, "encode", "-q", trace, text], check=True)
    with open(text) as f:
        want = [[v if v.isalpha() else int(v, 0) for v in row] for row in list(csv.reader(f))[1:]]
    for pack in ("zst", "gz", "none"):
        path = os.path.join(folder, pack + ".parquet")
        subprocess.run([trc, "encode", "-q", "--to", "parquet:pack=" + pack, trace, path],
                       check=True)
        table = pyarrow.parquet.read_table(path).to_pydict()
        rows = [list(row) for row in zip(*table.values())]
        assert rows == want, pack
