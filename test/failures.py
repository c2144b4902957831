#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""failures.py FOLDER: what the tests of this build folder that failed in its last run are called,
how long they took, and the last lines that each has printed."""

import glob
import json
import sys

LINES = 25


def main(folder):
    lines = []
    for name in glob.glob(f"{folder}/meson-logs/testlog*.json"):
        with open(name, encoding="utf-8") as log:
            lines += log
    for line in lines:
        test = json.loads(line)
        if test["result"] in ("OK", "EXPECTEDFAIL", "SKIP"):
            continue
        print(f'--- {folder}: {test["name"]}: {test["result"]}, {test["duration"]:.0f} s')
        printed = test.get("stdout", "") + test.get("stderr", "")
        for output in printed.splitlines()[-LINES:]:
            print(output)


main(sys.argv[1])
