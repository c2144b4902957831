#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The texts of the manual as C: the head comment of a format's file, for each format in it, the text of
each command, and topics. usage: embed.py OUTPUT FILE...

A file NAME.txt has a line with its licence, then the title of a topic, or an empty line if NAME is a
command, then paragraphs. Each paragraph is a string of its own, because C limits their length.
"""

import pathlib
import re
import sys


def head_of(source):
    """The first comment, without its frame and the licence."""
    comment = source[: source.index("*/")].replace("/* SPDX-License-Identifier: MIT", "", 1)
    lines = [re.sub(r"^ \* ?", "", line).rstrip() for line in comment.split("\n")]
    return "\n".join(lines).strip("\n")


def text_of(path):
    """(names, doc or None, text) of a file: all formats in it share its text."""
    source = path.read_text(encoding="ascii")
    if path.suffix == ".txt":
        doc, text = source.split("\n", 2)[1:]
        return [path.stem], doc or None, text.strip("\n")
    names = re.findall(r'^\s+\.name = "([^"]+)"', source, re.MULTILINE)
    return names, None, head_of(source)


def literal(text):
    """A string, a line of it on each line."""
    lines = text.replace("\\", "\\\\").replace('"', '\\"').split("\n")
    return "\n".join(f'\t"{line}\\n"' for line in lines)


def main():
    """Writes the table, in the order of the files."""
    rows, arrays = [], []
    for file in sys.argv[2:]:
        names, doc, text = text_of(pathlib.Path(file))
        array = "text_" + re.sub(r"[^a-z0-9]", "_", names[0])
        arrays.append(f"static const char *const {array}[] = {{")
        arrays += [literal(part) + "," for part in re.split(r"\n\n+", text)] + ["\tNULL,", "};"]
        shown = f'"{doc}"' if doc else "NULL"
        rows += [f'\t{{ "{name}", {shown}, {array} }},' for name in names]
    out = ["/* SPDX-License-Identifier: MIT", " * Made by cmd/manual/embed.py. */"]
    out += ['#include "cmd/manual/manual.h"', ""] + arrays
    out += ["const struct trc_manual_text trc_manual_text[] = {"] + rows + ["\t{ NULL, NULL, NULL },", "};"]
    pathlib.Path(sys.argv[1]).write_text("\n".join(out) + "\n", encoding="ascii")


main()
