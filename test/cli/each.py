# SPDX-License-Identifier: MIT
"""Whether a question answers, for each of several inputs, what it answers for it alone, behind its name:
each.py TRC WORD... -- INPUT...; what only some of the inputs have, the others may have, too."""
import csv
import io
import json
import re
import subprocess
import sys

at = sys.argv.index('--')
command, inputs = sys.argv[1:at], sys.argv[at + 1:]
TIMED = {'encode_per_second', 'decode_per_second'}


def ask(*words):
    run = subprocess.run([*command, *words], capture_output=True, text=True)
    return run.stdout if run.returncode == 0 else 'exit %d: %s' % (run.returncode, run.stderr)


def rows_of(text):
    return [{k: v for k, v in r.items() if k not in TIMED} for r in csv.DictReader(io.StringIO(text))]


def check_csv():
    several = rows_of(ask('--csv', *inputs))
    alone = [{'input': i, **r} for i in inputs for r in rows_of(ask('--csv', i))]
    same = len(several) == len(alone) and all(
        {k: v for k, v in a.items() if k in b} == b for a, b in zip(several, alone))
    return same and list(several[0])[0] == 'input'


def groups_of(text):
    if text.startswith('{"groups"'):
        return json.loads(text)['groups']
    decoder, values = json.JSONDecoder(), []
    while text.strip():
        value, end = decoder.raw_decode(text.lstrip())
        values.append(value)
        text = text.lstrip()[end:]
    return values


def holds(whole, part):
    """Whether all that `part` has is in `whole`."""
    if isinstance(part, dict):
        return all(k in TIMED or k in whole and holds(whole[k], v) for k, v in part.items())
    if isinstance(part, list):
        return len(part) == len(whole) and all(map(holds, whole, part))
    return whole == part


def check_json():
    several = groups_of(ask('--json', *inputs))
    alone = [{'input': i, **g} for i in inputs for g in groups_of(ask('--json', i))]
    return len(several) == len(alone) and all(map(holds, several, alone))


def bare(text):
    """A text; without speeds, where it is of these."""
    return re.sub(r'( +[0-9.]+)+$', '', text, flags=re.M) if '--formats' in command else text


def check_text():
    several = ask(*inputs)
    if bare(several) == bare('\n'.join(f'{i}:\n{ask(i)}' for i in inputs)):
        return 'as alone'
    if several.startswith('exit 2'):
        return 'refused'
    return several if several.startswith('exit') else 'side by side'


if ask(*inputs).startswith('exit 1'):
    sys.exit(ask(*inputs))
print('CSV', 'as alone' if check_csv() else 'differs', '- JSON', 'as alone' if check_json() else 'differs',
      '- text', check_text())
