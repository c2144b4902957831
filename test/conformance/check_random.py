# SPDX-License-Identifier: MIT
"""check_random.py TRC BLOCKS COUNT [DECODER]: COUNT made-up traces of generate.py become
containers, which trc and, if it is there, DECODER decode, to what they were made of. Of reduced
traces, both decode to the same. TRC_TEST_SEED=N begins at another seed, TRC_TEST_STEP=N tries one in N (default 10)."""
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from decoder import Decoder
from check_set import STEP, first_difference
from generate import generate


class Job:
    def __init__(self, trc, blocks, other, folder):
        self.trc, self.blocks, self.folder = trc, blocks, folder
        self.decoders = [Decoder(p) for p in (trc, other) if p]

    def run(self, *words):
        r = subprocess.run(words, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, timeout=600)
        return r.stderr.decode() if r.returncode else None

    def make(self, seed):
        """Writes SEED.csv and SEED.trc; what went wrong, and the rows that it must decode to, None
        if it was reduced."""
        text, rows, settings, reduce = generate(seed)
        source, target = f"{seed}.csv", f"{seed}.trc"
        with open(os.path.join(self.folder, source), "w", encoding="ascii") as f:
            f.write(text)
        if reduce:
            wrong = self.run(self.trc, "reduce", "-q", *reduce, source, f"{seed}-reduced.trc")
            if wrong:
                return wrong, None
            source = f"{seed}-reduced.trc"
        return self.run(self.blocks, source, target, str(rows), settings), None if reduce else text

    def decode(self, seed, text):
        wanted = None if text is None else self.canonical(text, seed)
        for decoder in self.decoders:
            status, csv, sentence = decoder.decode(f"{seed}.trc", self.folder)
            if status:
                return sentence
            if wanted is not None and csv != wanted:
                return first_difference(csv, wanted)
            wanted = csv
        return None

    def canonical(self, text, seed):
        """The csv as trc writes it."""
        return subprocess.run([self.trc, "encode", "--to", "csv", f"{seed}.csv", "-"],
                              cwd=self.folder, check=True, stdout=subprocess.PIPE).stdout

    def wrong(self, seed):
        wrong, text = self.make(seed)
        wrong = wrong or self.decode(seed, text)
        for name in f"{seed}.csv", f"{seed}.trc", f"{seed}-reduced.trc":
            if os.path.exists(os.path.join(self.folder, name)):
                os.remove(os.path.join(self.folder, name))
        return f"seed {seed}: {wrong.strip()}" if wrong else None


def main():
    trc, blocks, *other = (os.path.abspath(p) for p in sys.argv[1:3] + sys.argv[4:])
    first = int(os.environ.get("TRC_TEST_SEED", 1))
    seeds = range(first, first + int(sys.argv[3]), STEP)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        job = Job(trc, blocks, other[0] if other else None, folder)
        wrong = [w for w in pool.map(job.wrong, seeds) if w]
    print(*wrong, f"{len(seeds) - len(wrong)} of {len(seeds)} containers decode", sep="\n")
    sys.exit(len(wrong) > 0)


if __name__ == "__main__":
    main()
