# SPDX-License-Identifier: MIT
# --json is JSON, for every format.
needs python3
printf '0 10\n4 20\n' >a.din
printf 'R 5 4 9f8e7 9a8b7c6d\n' >a.laplace
printf '1\n' >a.page
trc reduce --quiet --sad 2 a.din a.sad
for file in a.din a.laplace a.page a.sad; do
	trc stat --json $file |
		python3 -c 'import json, sys; print(json.load(sys.stdin)["format"])'
done
trc replay run --quiet --json "$SRC/test/data/sort.bus" |
	python3 -c 'import json, sys; print(json.load(sys.stdin)["verdict"])'
