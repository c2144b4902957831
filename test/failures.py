#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""failures.py FOLDER: what the tests of this build folder that failed in its last run are called,
how long they took, and the last lines that each has printed."""

import json
import sys

LINES = 25


def main(folder):
    try:
        log = open(f"{folder}/meson-logs/testlog.json", encoding="utf-8")
    except FileNotFoundError:
        return
    with log:
        for line in log:
            test = json.loads(line)
            if test["result"] in ("OK", "EXPECTEDFAIL", "SKIP"):
                continue
            print(f'--- {folder}: {test["name"]}: {test["result"]}, {test["duration"]:.0f} s')
            printed = test.get("stdout", "") + test.get("stderr", "")
            for output in printed.splitlines()[-LINES:]:
                print(output)


main(sys.argv[1])
