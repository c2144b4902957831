# SPDX-License-Identifier: MIT
"""zoo.py TRC TABLE...: does trc read each shape of the tables right, ask about it, or refuse it, as its row says?

A row is 'NAME: TEXT => OUTCOME'. TEXT is what the file has; \\n ends a line, and the last line stands for
LINES of them, in which
  {a|b|c}     one of these words            {x24}, {X24}  hexadecimal, of up to so many bits
  {d24}       decimal, of up to 24 bits     {08x24}       with leading zeros
  {t}         a time of 9 digits that rises {i}           the number of the line, from 0
  {s}         a size: 1, 2, 4 or 8          {b}           blocks of 512 bytes, up to 256
  {c}         the address of an instruction, most often after the one before
  {a32}       an address that {s} divides   A || B        lines like A, or like B
  {k}         a key, some of them often         {o}            the size of the object {k}
  {n}         numbers in order of first use  {w32}         an address of words of four bytes
  {l}         a line of 64 bytes, in decimal
OUTCOME is
  FORMAT               read as that, a record for each line; or FORMAT:N, N records
  asks FROM [| FROM]   refused; the message shows these commands first, and each reads all lines; or
                       asks:N, N records
  refused WORDS        refused, with these words in the message
Rows whose name ends in .EXT give the file that ending; the others are data.txt. Lines that begin with #
are comments. A new layout is a row here."""
import os
import random
import re
import subprocess
import sys
import tempfile

LINES = 200
FIELD = re.compile(r"\{([^{}]+)\}")


class Maker:
    """Makes the lines of one shape, the same ones each time."""

    def __init__(self, name):
        self.random = random.Random(name)
        self.time = 100000000
        self.code = 0x400000
        self.line = self.new = self.key = 0

    def field(self, match):
        text = match[1]
        number = re.fullmatch(r"(0\d+)?([xXd])(\d+)", text)
        if "|" in text:
            return self.random.choice(text.split("|"))
        if number:
            bits = int(number[3])
            return format(self.random.getrandbits(bits) | 1 << (bits - 1), (number[1] or "") + number[2])
        if text[0] in "aw":
            mask = 7 if text[0] == "a" else 3
            return format((self.random.getrandbits(int(text[1:])) | 1 << (int(text[1:]) - 1)) & ~mask, "x")
        if text == "c":
            jumps = self.random.randrange(8) == 0
            self.code = 0x400000 + 4 * self.random.randrange(1 << 14) if jumps else self.code + 4
            return format(self.code, "x")
        if text == "t":
            self.time += self.random.randrange(1, 5000)
            return str(self.time)
        if text == "k":
            self.key = int(300 * self.random.random() ** 3)
            return str(7 * self.key + 100000)
        if text == "l":
            return str(64 * self.random.getrandbits(40))
        if text == "o":
            return str(self.key % 40 * 4099 + 37)
        if text == "n":
            number = self.random.choice([self.new, self.random.randrange(self.new + 1)])
            self.new = max(self.new, number + 1)
            return str(number)
        return {
            "i": str(self.line),
            "s": str(1 << self.random.randrange(4)),
            "b": str(512 * self.random.randrange(1, 256)),
        }[text]

    def make(self, text):
        *head, line = text.replace("\\t", "\t").split("\\n")
        lines = list(head)
        for self.line in range(LINES):
            lines.append(FIELD.sub(self.field, self.random.choice(line.split(" || "))))
        return "\n".join(lines) + "\n"


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    return done.returncode, done.stdout, done.stderr


def records(out):
    found = re.search(r"^records +(\d+)", out, re.M)
    return int(found[1]) if found else 0


def commands(err):
    """What --from is in the commands of a message, and the filter before each."""
    found = re.findall(r"^  (?:(\w+ .*<) .* \| )?trc stat --from (?:'([^']+)'|(\S+)) ", err, re.M)
    return {(a or b): behind for behind, a, b in found}


def read(trc, path, wanted, behind):
    """What trc says of a file that is read as wanted, behind a filter of the shell if there is one."""
    if not behind:
        return run(trc, "stat", "--from", wanted, path)
    return run("sh", "-c", f'{behind} "$1" | "$2" stat --from "$3" -', "sh", path, trc, wanted)


def judge(trc, path, outcome):
    """What is wrong with what trc says of the file; empty if nothing is."""
    status, out, err = run(trc, "stat", path)
    kind, _, rest = outcome.partition(" ")
    if kind == "refused":
        return "" if status == 1 and rest in err else f"exit status {status}: {out[:60]}{err}"
    if kind.startswith("asks"):
        wanted_records = int(kind.partition(":")[2] or LINES)
        shown = commands(err)
        if status != 1:
            return f"not asked about, but read: {out[:60]}"
        for wanted in rest.split(" | "):
            if wanted not in shown:
                return f"'{wanted}' is not among the commands of: {err}"
            status, out, err = read(trc, path, wanted, shown[wanted])
            if status != 0 or records(out) != wanted_records:
                return f"'{wanted}' reads {records(out)} records, not {wanted_records}: {err}"
        return ""
    name, _, count = outcome.partition(":")
    count = int(count or LINES)
    found = re.search(r"^format +(\S+)", out, re.M)
    if status != 0 or not found or found[1] != name or records(out) != count:
        return f"exit status {status}, {records(out)} records of {found and found[1]}: {err}"
    return ""


def rows(paths):
    for path in paths:
        with open(path, encoding="utf-8") as table:
            for line in table:
                if line.strip() and not line.startswith("#"):
                    name, text, outcome = re.fullmatch(r"(\S+): (.*) => (.*)\n", line).groups()
                    yield name, text.rstrip(), outcome


def main():
    trc, *tables = sys.argv[1:]
    wrong = count = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, text, outcome in rows(tables):
            path = os.path.join(folder, name if "." in name else "data.txt")
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(Maker(name).make(text))
            fault = judge(trc, path, outcome)
            os.remove(path)
            count += 1
            if fault:
                wrong += 1
                print(f"{name}: {fault}")
    print(f"{count} shapes, {wrong} wrong")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
