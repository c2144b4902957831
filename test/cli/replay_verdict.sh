# SPDX-License-Identifier: MIT
# A replay in which nothing differs is proved only if all was compared. Without hashes a trace that
# was changed may replay as another one: that is consistent, and what was not compared is named.
needs xz
cp "$SRC/test/data/kernel.bus.xz" "$SRC/test/data/sort.bus" .

try trc replay --strict kernel.bus.xz
try trc replay run --json kernel.bus.xz
trc replay extract --quiet kernel.bus.xz kernel.pkg
try trc replay run --strict kernel.pkg
try trc replay run --strict --quiet --against kernel.bus.xz kernel.pkg kernel.trc
try trc replay run --strict --limit 2000000 kernel.pkg part.trc

# A write returned 5 and not 18, of which nothing at the end shows.
sed '/^H/d' sort.bus >unhashed.bus
try trc replay --json unhashed.bus
sed 's/^Y 1 40 18$/Y 1 40 5/' unhashed.bus >other.bus
try trc replay other.bus
try trc replay --strict other.bus other.trc
try trc replay run --json unhashed.bus --to csv
try trc replay run --json unhashed.bus - --to csv
# The format null writes nothing that could be in the way.
try trc replay run --json unhashed.bus --to null
try trc replay run --json --quiet unhashed.bus out.csv
ls
