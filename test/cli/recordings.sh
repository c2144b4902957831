# SPDX-License-Identifier: MIT
# The folder that drrun leaves, as it lies around: its threads are one trace, in order of their times;
# schedules and logs are not traces, and what is in raw/ is not one yet.
needs gz
python3 - <<'EOP'
import gzip, os, struct, zipfile
PROCESS, TIMES = 77, 0x2f000000000000
def entry(kind, size, value):
    return struct.pack('<HHQ', kind, size, value)
def head(thread):
    return entry(25, 0, 7) + entry(28, 12, 7) + entry(28, 9, 0x40) + entry(22, 4, thread) + entry(24, 4, PROCESS)
def burst(at, thread, pc):
    return entry(28, 2, TIMES + at) + entry(28, 3, thread % 2) + b''.join(
        entry(10, 4, pc + 4 * i) + entry(i % 2, 8, 4096 * thread + 8 * i) for i in range(3))
def trace(thread, bursts):
    return head(thread) + b''.join(burst(at, thread, 0x400000 + at) for at in bursts) + entry(23, 4, thread) + entry(26, 0, 0)
def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    open(path, 'wb').write(data)
def packed(path, *chunks):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED) as z:
        for i, chunk in enumerate(chunks):
            z.writestr('chunk.%04d' % i, chunk)
whole = [trace(1, [100, 400, 500]), trace(2, [200, 300, 600]), trace(3, [250])]
folder = 'drmemtrace.app.77.0001.dir'
name = folder + '/trace/drmemtrace.app.77.000%d.trace'
cut = 5 * 12 + 8 * 12
packed(name % 1 + '.zip', whole[0][:cut], whole[0][cut:])
write(name % 2 + '.gz', gzip.compress(whole[1]))
write(name % 3, whole[2])
schedule = struct.pack('<QQQQ', 1, TIMES + 100, 1, 3)
with zipfile.ZipFile(folder + '/trace/cpu_schedule.bin.zip', 'w') as z:
    z.writestr('0', schedule)
    z.writestr('1', schedule)
write(folder + '/trace/serial_schedule.bin.gz', gzip.compress(schedule))
write(folder + '/trace/funclist.log', b'1,1,0x401000,malloc\n')
write(folder + '/aux/v2p.textproto', b'address_mapping { virtual_address: 0x1000 physical_address: 0x3000 }\n')
for part in folder, 'raw only/drmemtrace.app.78.0001.dir':
    write(part + '/raw/drmemtrace.app.77.0001.raw.lz4', b'\x04\x22\x4d\x18lz4')
    write(part + '/raw/drmemtrace.app.77.0002.raw', struct.pack('<QQ', 6 << 61 | 7 << 48, 2 << 61 | 1))
    write(part + '/raw/modules.log', b'Module Table: version 5, count 1\n')
    write(part + '/raw/encodings.bin', b'\0' * 32)
    write(part + '/raw/funclist.log', b'')
# As Google publishes them, and in windows.
for thread in 1, 2:
    packed('charlie/trace/0badcafe.%d.memtrace.zip' % thread, whole[thread - 1])
write('charlie/aux/v2p.textproto', b'address_mapping { virtual_address: 0x1000 physical_address: 0x3000 }\n')
write('charlie/trace/serial_schedule.bin.gz', gzip.compress(schedule))
for i in 0, 1:
    for thread in 1, 2:
        write('windows/trace/window.000%d/drmemtrace.app.77.000%d.trace' % (i, thread), trace(thread, [100 + 500 * i + 10 * thread]))
# Two runs, and traces that are of nobody's folder.
for run in 1, 2:
    write('runs/%d/drmemtrace.app.7%d.0001.trace' % (run, run), trace(run, [100 * run]))
os.makedirs('other')
for i in 1, 2:
    write('other/raw/%d.din' % i, b'0 %d0\n' % i)
    write('other/trace/%d.din' % i, b'1 %d0\n' % i)
EOP
dir=drmemtrace.app.77.0001.dir
try trc stat $dir
for where in $dir/trace charlie windows; do
	trc encode --to csv --only read,write $where - | cut -d , -f 2,4,6
done
trc encode --to hash $dir - >hash
tar cf recording.tar $dir
tar czf recording.tar.gz $dir
for archive in recording.tar recording.tar.gz; do
	trc encode --to hash $archive - | cmp - hash && echo "$archive: the same"
done
try trc stat --check charlie
try trc stat 'raw only'
try trc stat --mrc 'raw only'
try trc stat --mrc 'raw only/drmemtrace.app.78.0001.dir/raw'
try trc stat --mrc $dir/raw
try trc stat $dir/raw/drmemtrace.app.77.0001.raw.lz4
try trc stat $dir/trace/serial_schedule.bin.gz
try trc stat -q --csv runs
try trc stat --csv runs
# Names alone make nothing disappear.
try trc stat --csv other
