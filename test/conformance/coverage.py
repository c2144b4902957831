# SPDX-License-Identifier: MIT
"""coverage.py BUILD: prints the lines of the coders, src/codec and src/container, that no container
of the set and of the generator reached: of a build with -Db_coverage=true that has run both checks.
Lines that only refuse, or only write, are among them."""
import collections
import glob
import gzip
import json
import os
import subprocess
import sys


def main():
    build = os.path.abspath(sys.argv[1])
    reached = collections.defaultdict(dict)
    for data in glob.glob(build + "/src/*.p/co[dn]*_*.gcda"):
        out = subprocess.run(["gcov", "--json-format", "--stdout", data], cwd=build, check=True,
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        out = gzip.decompress(out) if out[:2] == b"\x1f\x8b" else out
        for file in json.loads(out)["files"]:
            if "src/codec" in file["file"] or "src/container" in file["file"]:
                lines = reached[os.path.normpath(os.path.join(build, file["file"]))]
                for line in file["lines"]:
                    n = line["line_number"]
                    lines[n] = max(lines.get(n, 0), line["count"])
    for path, lines in sorted(reached.items()):
        with open(path, encoding="ascii") as f:
            text = f.read().split("\n")
        never = [n for n, count in lines.items() if not count]
        print(f"{path[path.index('src/'):]}: {len(lines) - len(never)} of {len(lines)} lines")
        for n in sorted(never):
            print(f"  {n}: {text[n - 1].strip()}")


if __name__ == "__main__":
    main()
