# SPDX-License-Identifier: MIT
# Each program of --for, from four formats: what it gets can be read as its format, and lacks exactly
# what the note has. The same losses by options, as a table, are to be what the file has as a table.
printf 'type,addr,size,insn\nfetch,0x1000,1,0x90\n' >x86.csv
trc decode --annotate x86 x86.csv 2>&1 | grep -q 'built without' &&
	{ echo "skipped: built without Zydis"; exit 77; }
xz -dc "$SRC/test/data/sort.lackey.xz" | head -n 5000 >in.lackey
printf '2 1000\n0 8000\n3 9000\n2 1004\n1 8040\n4 8080\n2 1008\n' >in.din
assemble good-drmemtrace-entries >in.drmemtrace
printf 'type,addr,size,pc,time\nfetch,0x10,4,0x10,5\nread,0x100,8,0x10,6\nprefetch,0x140,8,0x10,7\nwrite,0x180,8,0x10,9\n' >in.csv

# From a note to the options that lose the same.
options()
{
	sed -n 's/^note: for [a-z0-9]*: //p' note | awk -v RS='; ' '
		{ sub(/\n$/, ""); sub(/, if there are any$/, "") }
		/^lost: /              { drop = drop comma substr($0, 7); comma = "," }
		/^left out: /          { drop = drop comma substr($0, 11); comma = "," }
		/by the kernel become/ { drop = drop comma "kernel"; comma = "," }
		/^a modify becomes/    { more = more " --split-modify" }
		/^made up: /           { sub(/^made up: /, ""); gsub(/, /, ",")
		                         sub(/branch \(from the path\)/, "branch=path")
		                         gsub(/ \(the references so far\)/, "=rtime"); gsub(/ \(/, "=")
		                         gsub(/ each\)/, ""); more = more " --fill " $0 }
		/^held by other/       { drop = drop comma substr($0, 24); comma = "," }
		/^instructions are c/   { counts = 1 }
		END { if (counts) drop = drop comma "fetch"
		      print (drop ? "--drop " drop : "") more }'
}
# Columns of the first table that the second lacks or has otherwise. A record that was split repeats its
# fetch.
compare()
{
	awk -F, -v split_too=$(grep -c 'become several' note) 'FNR == 1 { file++; n[file] = NF; for (i = 1; i <= NF; i++) { name[file, i] = $i; at[file, $i] = i }; fetch = ""; next }
		split_too && $1 == "fetch" { if ($2 == fetch) next; fetch = $2 }
		{ row[file]++; for (i = 1; i <= NF; i++) v[file, name[file, i], row[file]] = $i }
		END {
			if (row[1] != row[2]) print "  " row[1] + 0 " records, not " row[2] + 0
			for (i = 1; i <= n[1]; i++) {
				c = name[1, i]
				if (!((2, c) in at)) { print "  no column " c; continue }
				for (r = 1; r <= row[1]; r++)
					if (v[1, c, r] != v[2, c, r]) {
						print "  " c " of record " r " is " v[2, c, r] ", not " v[1, c, r]
						break
					}
			}
		}' "$1" "$2"
}
for program in $(trc --complete encode --for '' | cut -f 1); do
	for in in in.*; do
		rm -f out* want.csv
		echo "== $in for $program"
		trc encode --for $program $in out 2>note || { cat note; continue; }
		cat note
		format=$(trc help programs | tr -s '\n ' ' ' | sed "s/.* $program [^(]*(--to //; s/[:)].*//")
		trc encode -q --from "$format" --to csv out out.csv &&
			trc encode -q $(options) --to csv $in want.csv && compare want.csv out.csv
	done
done
