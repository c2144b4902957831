# SPDX-License-Identifier: MIT
"""The decoders of containers: trc, and one of another language."""
import subprocess
import sys


class Decoder:
    def __init__(self, program):
        """A program, or a script of Python."""
        self.is_trc = not program.endswith(".py")
        script = [sys.executable, program]
        self.words = [program, "decode", "--to", "csv"] if self.is_trc else script

    def decode(self, name, folder):
        """Exit status, csv, and sentence, of a container in a folder."""
        r = subprocess.run(self.words + [name], cwd=folder, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)
        return r.returncode, r.stdout, r.stderr.decode(errors="replace")


def is_refusal(status, sentence):
    """True for exit status 1 with a sentence: one that is not the trace of an exception."""
    return status == 1 and sentence.strip() != "" and "Traceback" not in sentence
