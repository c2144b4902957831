#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What --annotate aarch64 says of random words is what objdump's text of them says.
    a64.py TRC
Registers are found in operands, and their part by what the manual says of the mnemonic; SVE, SME and
memory tags, which trc does not decode, are left out. Skips without objdump for aarch64."""
import random
import re
import shutil
import subprocess
import sys
import tempfile

SP, FLAGS, IP, SP_OTHER, X0, V0 = 6, 25, 26, 27, 32, 64
KINDS = ['', 'cond', 'jump', 'indirect', 'call', 'icall', 'return']
BEGINS = {'cond': ({IP}, {IP}), 'jump': ({IP}, {IP}), 'indirect': ({IP}, set()), 'call': ({IP, SP}, {IP, SP}),
          'icall': ({IP, SP}, {IP, SP}), 'return': ({IP, SP}, {SP})}  # written, read
WRITES_FLAGS = set('''adds subs ands bics adcs sbcs ccmp ccmn fccmp fccmpe fcmp fcmpe setf8 setf16 rmif cfinv xaflag
    axflag fjcvtzs'''.split())
READS_FLAGS = set('''adc adcs sbc sbcs ccmp ccmn fccmp fccmpe csel csinc csinv csneg fcsel setf8 setf16 rmif cfinv
    xaflag axflag'''.split())
READS_ALL = set('ccmp ccmn fccmp fccmpe fcmp fcmpe setf8 setf16 rmif'.split())
# What the first operand has stays, or is an operand, too.
KEEPS = set('''movk bfm mla mls fmla fmls saba uaba sabal uabal sabal2 uabal2 smlal umlal smlsl umlsl smlal2 umlal2
    smlsl2 umlsl2 sqdmlal sqdmlsl sqdmlal2 sqdmlsl2 bit bif bsl suqadd usqadd sadalp uadalp addhn2 subhn2 raddhn2
    rsubhn2 xtn2 sqxtn2 uqxtn2 sqxtun2 fcvtn2 fcvtxn2 ssra usra srsra ursra sri sli shrn2 rshrn2 sqshrn2 uqshrn2
    sqrshrn2 uqrshrn2 sqshrun2 sqrshrun2 tbx aese aesd sha1c sha1m sha1p sha1su0 sha1su1 sha256h sha256h2 sha256su0
    sha256su1 sha512h sha512h2 sha512su0 sha512su1 sdot udot usdot sudot sqrdmlah sqrdmlsh fcmla fmlal fmlal2 fmlsl
    fmlsl2 bfdot bfmmla bfmlalb bfmlalt smmla ummla usmmla bfcvtn2 sm4e sm3tt1a sm3tt1b sm3tt2a sm3tt2b sm3partw1
    sm3partw2 ins pacia pacib pacda pacdb autia autib autda autdb paciza pacizb pacdza pacdzb autiza autizb autdza
    autdzb xpaci xpacd'''.split())
NONE = set('''nop hint dmb dsb isb brk svc hvc smc hlt clrex yield wfe wfi sev sevl dcps1 dcps2 dcps3 ssbb pssbb bti
    csdb esb psb tsb dgh sb udf drps'''.split())
UNKNOWN = re.compile(r'\b[zp]\d+\b|\bza|st[zg2]*gm?\b|ldgm?\b|irg|gmi|subp|addg|subg|cpy|set[gpme]|st64b|ld64b|udf')


def registers(operand):
    """Those of an operand, in order."""
    many = re.fullmatch(r'\{\s*v(\d+)\S*\s*-\s*v(\d+)\S*\s*\}(\[\d+\])?', operand)
    if many:
        first, last = int(many[1]), int(many[2])
        return [V0 + (first + i) % 32 for i in range((last - first) % 32 + 1)]
    found = []
    for name in re.findall(r'(?<!#)\b(?:wsp|sp|[xwbhsdqv]\d+)\b', operand):
        found.append(SP if name.endswith('sp') else int(name[1:]) + (X0 if name[0] in 'xw' else V0))
    return found


def operands(text):
    return [o.strip() for o in re.split(r',\s*(?![^\[{]*[\]}])', text)] if text else []


def of_branch(name, o):
    """Read, written, kind; None: it is no branch."""
    read = set(sum(map(registers, o), []))
    if name.startswith(('b.', 'bc.')):
        return {FLAGS}, set(), 'cond'
    if name in ('cbz', 'cbnz', 'tbz', 'tbnz'):
        return set(registers(o[0])), set(), 'cond'
    if name in ('b', 'bl'):
        return set(), {X0 + 30} if name == 'bl' else set(), 'jump' if name == 'b' else 'call'
    if re.fullmatch('br(a[ab]z?)?', name):
        return read, set(), 'indirect'
    if re.fullmatch('blr(a[ab]z?)?', name):
        return read, {X0 + 30}, 'icall'
    if re.fullmatch('ret(a[ab])?', name):
        return read or {X0 + 30}, set(), 'return'
    return (set(), set(), 'return') if re.fullmatch('eret(a[ab])?', name) else None


def of_memory(name, o, at):
    """Read and written, where operand `at` is the address."""
    base, data = registers(o[at]), [registers(x) for x in o[:at]]
    read, flat = set(base), sum(data, [])
    updates = o[at].endswith('!') or (at + 1 < len(o) and not name.startswith('ldra'))
    written = set(base[:1]) if updates else set()
    for other in o[at + 1:]:
        read |= set(registers(other))
    if name in ('prfm', 'prfum'):
        pass
    elif re.fullmatch('casp?[al]*[bh]?', name):
        pair = name.startswith('casp')
        read, written = read | set(flat), written | set(data[0] + (data[1] if pair else []))
    elif re.fullmatch('stl?x[rp][bh]?', name):
        read, written = read | set(sum(data[1:], [])), written | set(data[0])
    elif re.fullmatch('(swp|ld(add|clr|eor|set|smax|smin|umax|umin))[al]*[bh]?', name):
        read, written = read | set(data[0]), written | set(data[1])
    elif name.startswith('st'):
        read |= set(flat)
    else:
        written |= set(flat)
        read |= set(flat) if '}[' in o[0] else set()
    return read, written


def of_system(name, o):
    """Read and written; None: it is none of the system."""
    if re.fullmatch('(pac|aut)i[ab](sp|z)|xpaclri', name):
        return {X0 + 30} | ({SP} if name.endswith('sp') else set()), {X0 + 30}
    if re.fullmatch('(pac|aut)i[ab]1716', name):
        return {X0 + 17, X0 + 16}, {X0 + 17}
    if name == 'mrs':
        return {FLAGS} if o[1] == 'nzcv' else set(), set(registers(o[0]))
    if name == 'msr':
        return set(registers(o[1])), {FLAGS} if o[0] == 'nzcv' and registers(o[1]) else set()
    if name == 'sysl':
        return set(), set(registers(o[0]))
    if name in ('sys', 'ic', 'dc', 'at', 'tlbi'):
        return set(sum((registers(x) for x in o if re.fullmatch(r'x\d+', x)), [])), set()
    return (set(), set()) if name in NONE else None


def of_others(name, o):
    address = [i for i, x in enumerate(o) if x.startswith('[')]
    if address:
        read, written = of_memory(name, o, address[0])
    elif re.fullmatch('ldr(sw)?|adrp?|prfm', name):
        read, written = set(), set() if name == 'prfm' else set(registers(o[0]))
    else:
        first = [] if name in READS_ALL or not o else registers(o[0])
        read, written = set(sum((registers(x) for x in o[1 if first else 0:]), [])), set(first)
        inserts = name in ('orr', 'bic') and o[1].startswith('#')
        if name in KEEPS or inserts or (name == 'fmov' and '[' in o[0]):
            read |= set(first)
    return (read | ({FLAGS} if name in READS_FLAGS else set()),
            written | ({FLAGS} if name in WRITES_FLAGS else set()))


def wanted(name, text):
    """Read, written, kind."""
    o = operands(text)
    branch = of_branch(name, o)
    if not branch:
        return (*(of_system(name, o) or of_others(name, o)), '')
    read, written, kind = branch
    begins, begins_read = BEGINS[kind]
    read = set() if kind in ('jump', 'call') else read
    read = read if kind in ('icall', 'return') else {SP_OTHER if r == SP else r for r in read}
    if kind == 'cond':
        read = read or {FLAGS}
    elif kind in ('indirect', 'icall') and not read - begins_read:
        read = read | {1}
    return read | begins_read, written | begins, kind


def words():
    """Random ones, more of those whose encodings are close, and none of SVE."""
    r = random.Random(42)
    close = [0x08000000, 0x0a000000, 0x0c000000, 0x0e000000, 0x0e000000]
    for i in range(240000):
        w = r.getrandbits(32)
        w = w & 0xf1ffffff | r.choice(close) if i % 2 else w
        if w >> 25 & 15 not in (0, 2):
            yield w


def disassembled(tool, path):
    command = [tool, '-b', 'binary', '-m', 'aarch64', '-M', 'no-aliases', '-D', path]
    for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines():
        f = line.split('\t')
        if len(f) >= 3 and re.fullmatch('[0-9a-f]{8} ?', f[1]):
            text = f[3].split('//')[0].split(' <')[0].strip() if len(f) > 3 else ''
            yield int(f[1], 16), f[2].strip(), text


def annotated(trc, path):
    command = [trc, 'decode', '-q', '--annotate', 'aarch64', '--to', 'csv', path]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    names = lines[0].split(',')
    for line in lines[1:]:
        row = dict(zip(names, line.split(',')))
        regs = int(row['regs'], 16)
        sides = [{regs >> i & 255 for i in range(at, at + 32, 8)} - {0} for at in (32, 0)]
        yield (*sides, KINDS[int(row['branch']) >> 4])


def same(want, got):
    """Four of a side have a place."""
    return all(g == w or (len(w) > 4 and len(g) == 4 and g < w) for g, w in zip(got, want)) and got[2] == want[2]


def main():
    tool = shutil.which('aarch64-linux-gnu-objdump')
    if not tool:
        print('skipped: no objdump for aarch64')
        return 77
    with tempfile.TemporaryDirectory() as tmp:
        with open(f'{tmp}/words', 'wb') as f:
            f.writelines(w.to_bytes(4, 'little') for w in words())
        known = [i for i in disassembled(tool, f'{tmp}/words')
                 if not i[1].startswith('.') and 'undefined' not in i[1] + i[2] and
                 not re.search(r'\bs0_', i[2]) and not UNKNOWN.search(' '.join(i[1:]))]
        with open(f'{tmp}/words.execlog', 'w') as f:
            f.writelines(f'0, {4 * i:#x}, {w:#x}, "{name}"\n' for i, (w, name, _) in enumerate(known))
        wrong = n = 0
        for (word, name, text), got in zip(known, annotated(sys.argv[1], f'{tmp}/words.execlog')):
            n += 1
            want = wanted(name, text)
            if not same(want, got):
                wrong += 1
                if wrong < 20:
                    print(f'{word:08x} {name} {text}: {got}, not {want}')
    print(f'{n} instructions, {wrong} are wrong')
    return 1 if wrong or n < 50000 else 0


if __name__ == '__main__':
    sys.exit(main())
