# SPDX-License-Identifier: MIT
"""Whether the CSV and the JSON of each question are one answer: answers.py NAMES QUESTIONS, where NAMES
is what 'trc help columns' prints; the answers to line N of QUESTIONS are N.csv and N.json, what was said
beside them N.notes. load() reads the CSV of any question."""
import csv
import json
import re
import sys


def load(path):
    """The columns of any answer, and its rows, each a dict."""
    with open(path, newline='') as f:
        table = csv.DictReader(f)
        rows = list(table)
    return table.fieldnames, rows


def values(text):
    """The values of a JSON text, or of one a line; numbers as they are written."""
    read = json.JSONDecoder(parse_int=str, parse_float=str)
    while text.strip():
        value, end = read.raw_decode(text.lstrip())
        yield value
        text = text.lstrip()[end:]


def rows_of(value):
    if 'groups' in value:
        return [r for g in value['groups'] for r in rows_of(g)]
    return value.get('rows', [value])


def keys(value):
    """The names in a JSON value, but for those of a provenance, which are of whoever made the trace."""
    if isinstance(value, list):
        return {k for v in value for k in keys(v)}
    if isinstance(value, dict):
        return set(value) | {k for n, v in value.items() if n != 'provenance' for k in keys(v)}
    return set()


def cell(value):
    return {None: '', True: 'yes', False: 'no'}.get(value, value) if not isinstance(value, str) else value


def compare(columns, rows, objects):
    """What a question has, or in what its two forms differ."""
    if columns == ['name', 'value']:
        listed = objects[0].pop('provenance', [])
        facts = [(k, cell(v)) for o in objects + listed for k, v in o.items()]
        rows = [(r['name'], r['value']) for r in rows]
        return f'{len(rows)} facts' if facts == rows else f'differ: {sorted(set(facts) ^ set(rows))}'
    timed = {'encode_per_second', 'decode_per_second'}
    lists = [[[cell(r.get(n, '?')) for n in columns if n not in timed] for r in a] for a in (rows, objects)]
    return f'{len(columns)} columns, {len(rows)} rows' if lists[0] == lists[1] else 'differ: %s' % [
        pair for pair in zip(*lists) if pair[0] != pair[1]][:2]


def ask(number, question, known):
    columns, rows = load(f'{number}.csv')
    if columns is None:
        print(f'{question}: no answer', open(f'{number}.notes').read(), sep='\n')
        return
    text = open(f'{number}.json').read()
    unknown = sorted((keys(list(values(text))) | set(columns)) - known)
    if unknown:
        print('not in trc help columns:', *unknown)
    print(f'{question}:', compare(columns, rows, [r for v in values(text) for r in rows_of(v)]))


names = set(re.findall(r'^  (\w+) ', open(sys.argv[1]).read(), re.M)) | {'rows', 'groups'}
for place, line in enumerate(open(sys.argv[2]), 1):
    ask(place, line.rstrip('\n'), names)
