# SPDX-License-Identifier: MIT
"""The decoders of containers: trc, and one of another language."""
import contextlib
import importlib.util
import io
import multiprocessing
import os
import subprocess
import traceback
from concurrent.futures import ProcessPoolExecutor


class Decoder:
    def __init__(self, program):
        """A program, or a script of Python, with a main(words) that returns the exit status. The
        script is loaded once, which takes longer than most containers; processes that are forked
        here, before there are threads, run it."""
        self.is_trc = not program.endswith(".py")
        self.words = [program, "decode", "--to", "csv"]
        if not self.is_trc:
            self.pool = ProcessPoolExecutor(os.cpu_count(), multiprocessing.get_context("fork"),
                                            load, (program,))
            self.pool.submit(os.getpid).result()

    def decode(self, name, folder):
        """Exit status, csv, and sentence, of a container in a folder."""
        if not self.is_trc:
            return self.pool.submit(run_script, name, folder).result(timeout=600)
        r = subprocess.run(self.words + [name], cwd=folder, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)
        return r.returncode, r.stdout, r.stderr.decode(errors="replace")


def load(program):
    global script  # pylint: disable=global-variable-undefined
    spec = importlib.util.spec_from_file_location("script", program)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)


def run_script(name, folder):
    """What Decoder.decode() returns, of the script that was loaded."""
    rows, sentence = io.TextIOWrapper(io.BytesIO()), io.StringIO()
    os.chdir(folder)
    with contextlib.redirect_stdout(rows), contextlib.redirect_stderr(sentence):
        try:
            status = script.main([name])
        except Exception:  # pylint: disable=broad-exception-caught
            traceback.print_exc()
            status = 1
    rows.flush()
    return status, rows.buffer.getvalue(), sentence.getvalue()


def is_refusal(status, sentence):
    """True for exit status 1 with a sentence: one that is not the trace of an exception."""
    return status == 1 and sentence.strip() != "" and "Traceback" not in sentence
