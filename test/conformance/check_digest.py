# SPDX-License-Identifier: MIT
"""check_digest.py COUNT DIGEST...: the conformance set is never edited, only added to. The file
`sums` has the SHA-256 of each text, of the container NAME.trc that it makes, of each csv and json, in
the order in which they were added; its first COUNT lines have the SHA-256 DIGEST, of each version
that was released. Sentences may get better.

check_digest.py add: appends the files that `sums` lacks, and prints the count and digest of all."""
import hashlib
import os
import sys

from make import make

HERE = os.path.dirname(os.path.abspath(__file__))
SUMS = os.path.join(HERE, "sums")


def digest(path):
    made = path.endswith(".trc")
    with open(os.path.join(HERE, path[:-4] + ".txt" if made else path), "rb") as f:
        content = f.read()
    return hashlib.sha256(make(content.decode("ascii"), path) if made else content).hexdigest()


def all_files():
    files = {f"{folder}/{name}" for folder in ("good", "unusual", "faulty")
             for name in os.listdir(os.path.join(HERE, folder)) if not name.endswith(".error")}
    return files | {f[:-4] + ".trc" for f in files if f.endswith(".txt")}


def read_sums():
    with open(SUMS, encoding="ascii") as f:
        return f.readlines()


def digest_of(lines):
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def add():
    lines = read_sums() if os.path.exists(SUMS) else []
    listed = {line.split()[1] for line in lines}
    lines += [f"{digest(path)}  {path}\n" for path in sorted(all_files() - listed)]
    with open(SUMS, "w", encoding="ascii") as f:
        f.writelines(lines)
    print(len(lines), digest_of(lines))


def wrong(released):
    """What is wrong, in sentences."""
    lines, files = read_sums(), all_files()
    for count, whole in released:
        if digest_of(lines[:count]) != whole:
            yield f"the first {count} lines of `sums` are not those that were released"
    for line in lines:
        was, path = line.split()
        if path not in files:
            yield f"{path} is missing"
        elif digest(path) != was:
            yield f"{path} was edited; add another beside it"
        files.discard(path)
    for path in sorted(files):
        yield f"{path} is new: python3 test/conformance/check_digest.py add"


def main():
    if sys.argv[1:] == ["add"]:
        add()
        return
    released = [(int(n), d) for n, d in zip(sys.argv[1::2], sys.argv[2::2])]
    found = list(wrong(released))
    print(*found, sep="\n")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
