#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""commands.py FILE [LINES...]: seconds of processor time that trc takes on one thread for the first 100000,
1000000 and 10000000 lines of a text, or so many LINES; and of the most lines, how many times that of wc -l
it is, and seconds by the clock of one thread and of two. Beside them wc -l, cat through a pipe, zstd -1. Each
is the least of RUNS (6), in turn. TRC is the trc that is measured (build/src/trc); BEFORE another one, whose
figures follow in brackets."""
import os
import resource
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TRC = os.environ.get("TRC", os.path.join(HERE, "../../build/src/trc"))
BEFORE = os.environ.get("BEFORE")
PEERS = ["wc -l <text", "cat text | cat", "zstd -q -1 -f text -o text.zst"]
COMMANDS = ["stat text", "reduce --sad 64 --to null text", "stat --mrc --line-size 64 text",
            "stat --cache 32K:8:64 text", "encode -1 --force text out.trc",
            "encode -1 --no-verify --force text out.trc", "encode --force text out.trc",
            "decode --to null text.trc", "decode text.trc - | cat"]


def taken(command, folder):
    """Seconds of the processor, by the command and all that it starts, and by the clock."""
    was, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(["sh", "-c", command], cwd=folder, stdout=subprocess.DEVNULL, check=True)
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    return now.ru_utime + now.ru_stime - was.ru_utime - was.ru_stime, time.monotonic() - start


def least(folder):
    """The least that each command took: by command, trc and threads."""
    best = {}
    for turn in range(int(os.environ.get("RUNS", "6"))):
        for command in PEERS + COMMANDS:
            # In turn the first: memory that nobody had for a while is cleared at the expense of who comes.
            for who in ([TRC] + ([BEFORE] if BEFORE and command in COMMANDS else []))[::1 - turn % 2 * 2]:
                for threads in (1, 2) if command in COMMANDS else (1,):
                    how = command.replace(" ", f" -q -T{threads} ", 1)
                    line = command if command in PEERS else f"{who} {how}"
                    cpu, clock = taken(line, folder)
                    had = best.get((command, who, threads), (cpu, clock))
                    best[command, who, threads] = min(cpu, had[0]), min(clock, had[1])
    return best


def cell(of, command, threads, which, scale=1.0):
    """A figure, and that of before in brackets."""
    v = [of[command, who, threads][which] / scale for who in (TRC, BEFORE) if (command, who, threads) in of]
    digits = 1 if scale != 1 else 3
    return "" if not v else f"{v[0]:.{digits}f}" + (f" ({v[1]:.{digits}f})" if len(v) > 1 else "")


def measure(text, lines):
    """What commands take for the first lines of the text."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "text"), "wb") as f:
            subprocess.run(["head", "-n", str(lines), text], stdout=f, check=True)
        subprocess.run([TRC, "encode", "-q", "text", "text.trc"], cwd=folder, check=True)
        return least(folder)


def main():
    sizes = [int(n) for n in sys.argv[2:]] or [100000, 1000000, 10000000]
    of = [measure(sys.argv[1], n) for n in sizes]
    with open("/proc/cpuinfo") as f:
        print(next(line.split(": ")[1] for line in f if line.startswith("model name")))
    print("| lines: | " + " | ".join(f"{n:,}" for n in sizes) + " | times `wc -l` | clock | clock, `-T2` |")
    print("|---" + "|---:" * (len(sizes) + 3) + "|")
    for c in PEERS + COMMANDS:
        wc = of[-1][PEERS[0], TRC, 1][0]
        name = (c if c in PEERS else "trc " + c).replace("|", "\\|")
        print(f"| `{name}` | " + " | ".join([cell(o, c, 1, 0) for o in of] + [
            cell(of[-1], c, 1, 0, wc), cell(of[-1], c, 1, 1), cell(of[-1], c, 2, 1)]) + " |")


if __name__ == "__main__":
    TRC = os.path.abspath(TRC)
    main()
