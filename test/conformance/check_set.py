# SPDX-License-Identifier: MIT
"""check_set.py DECODER [NAME...]: makes each container of good/, unusual/ and faulty/ of its text,
or those named, and has DECODER, trc or a script of Python, decode it; a script only one in
TRC_TEST_STEP (default 10), since it is slow, and trc one in three if that is above 20, as with
sanitizers. What comes must be NAME.csv or, if there is none, it must be refused; and by trc, with
the sentence in NAME.error. If there is NAME.json, `trc stat --json` must report at least what is in it.

UPDATE=1 writes what trc decodes into files that are not there yet, and sentences."""
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from decoder import Decoder, is_refusal
from make import SLOW, TextError, make

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDERS = "good", "unusual", "faulty"
STEP = int(os.environ.get("TRC_TEST_STEP", 10))


def names():
    return sorted(f"{folder}/{f[:-4]}" for folder in FOLDERS
                  for f in os.listdir(os.path.join(HERE, folder)) if f.endswith(".txt"))


def read(path):
    try:
        with open(path, "rb") as f:
            return f.read()
    except FileNotFoundError:
        return None


def lacks(wanted, got, where=""):
    """What of a JSON value is not in another, as a place; None if nothing."""
    if isinstance(wanted, dict) and isinstance(got, dict):
        for key, value in wanted.items():
            missing = lacks(value, got.get(key), f"{where}.{key}")
            if missing:
                return missing
        return None
    return None if wanted == got else f"{where} is {got}, not {wanted}"


class Check:
    def __init__(self, decoder, folder, update):
        self.decoder, self.folder, self.update = decoder, folder, update

    def wrong(self, name):
        """What is wrong with a container; None if nothing."""
        base, file = os.path.join(HERE, name), os.path.basename(name) + ".trc"
        try:
            container = make(read(base + ".txt").decode("ascii"), base + ".txt")
        except TextError as e:
            return str(e)
        with open(os.path.join(self.folder, file), "wb") as f:
            f.write(container)
        status, csv, sentence = self.decoder.decode(file, self.folder)
        if self.update:
            self.write(base, status, csv, sentence)
        wanted = read(base + ".csv")
        if wanted is None:
            return self.wrong_refusal(base, status, sentence)
        if status or csv != wanted:
            if not self.decoder.is_trc and "-repaired" in name and is_refusal(status, sentence):
                return None
            return f"exit {status}, {sentence.strip()}: {first_difference(csv, wanted)}"
        return self.wrong_facts(base, file)

    def wrong_refusal(self, base, status, sentence):
        if not is_refusal(status, sentence):
            return f"exit {status} instead of a refusal: {sentence}"
        wanted = read(base + ".error")
        if self.decoder.is_trc and wanted != sentence.encode():
            return f"'{sentence.strip()}' instead of '{(wanted or b'').decode().strip()}'"
        return None

    def wrong_facts(self, base, file):
        wanted = read(base + ".json")
        if wanted is None or not self.decoder.is_trc:
            return None
        got = subprocess.run([self.decoder.words[0], "stat", "--json", file], cwd=self.folder,
                             check=True, stdout=subprocess.PIPE).stdout
        return lacks(json.loads(wanted), json.loads(got))

    @staticmethod
    def write(base, status, csv, sentence):
        if status == 1 and not os.path.exists(base + ".csv"):
            with open(base + ".error", "w", encoding="ascii") as f:
                f.write(sentence)
        elif status == 0 and not os.path.exists(base + ".csv") and "/faulty/" not in base:
            with open(base + ".csv", "wb") as f:
                f.write(csv)


def first_difference(a, b):
    for i, (x, y) in enumerate(zip(a.split(b"\n"), b.split(b"\n"))):
        if x != y:
            return f"line {i + 1} is {x[:80]!r}, not {y[:80]!r}"
    return f"{len(a)} bytes of csv, not {len(b)}"


def main():
    decoder, bad = Decoder(os.path.abspath(sys.argv[1])), 0
    some = sys.argv[2:] or (names()[::3 if STEP > 20 else 1] if decoder.is_trc else
                            [n for n in names() if os.path.basename(n) not in SLOW][::STEP])
    with tempfile.TemporaryDirectory() as folder:
        check = Check(decoder, folder, os.environ.get("UPDATE") == "1")
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            found = list(zip(some, pool.map(check.wrong, some)))
        for name, wrong in found:
            if wrong:
                print(f"{name}: {wrong}")
                bad += 1
    print(f"{len(some) - bad} of {len(some)} containers are as they should be")
    sys.exit(bad > 0 or not some)


if __name__ == "__main__":
    main()
