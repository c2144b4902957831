# SPDX-License-Identifier: MIT
# A split that is stopped, or has no room, leaves nothing: neither a folder of the final name
# nor what it had begun, whether it reads, deals out or writes its parts.
mkfifo in
awk 'BEGIN { for (i = 1; i <= 40000; i++) printf "r %x 4 %x 1000\n", i, i }' >many
awk 'BEGIN { for (i = 1; i <= 300000; i++) printf "r %x 4 1 %x\n", i, i }' >long
printf 'S 1 7\n' >kernel
run()
{
	stop "$@" 2>"$tmp/said"
	# Where removing takes more than a second or two, the rest is left, and named.
	left=$(ls -d out.part-* 2>/dev/null)
	[ -z "$left" ] || { grep -q "rm -r '$left'" "$tmp/said" && rm -r "$left"; }
	grep -v '^trc: stopped before all of' "$tmp/said"
	ls
}
feed=long
for name in INT TERM HUP; do
	run $name 'ls out.part-*' trc split --from laplace --kernel kernel in out
done
run TERM 'ls out.part-*/2.laplace*' trc split --from laplace --every 100000 in out
feed=
run INT 'ls out.part-*/1.laplace' trc split --from laplace --by space many out
run TERM 'ls out.part-*/1.laplace' trc split --from laplace --by space many out
# timeout(1) sends its signal to the command and to its group: the second one ended the removal.
run 'TERM TERM' 'ls out.part-*/2000.laplace' trc split --from laplace --by space many out

# Files that may not grow: of the parts, then of what is dealt.
limited()
{
	echo "\$ $* (files of at most $blocks blocks)"
	(ulimit -f $blocks && "$@"; echo "exit $?") 2>&1 | sed 's/part-[0-9a-f]*/part-PID/'
	ls
}
blocks=64
limited trc split --from laplace --every 200000 long out
limited trc split --from laplace --kernel kernel long out
limited trc split --from laplace --kernel kernel --basic long out.basic
blocks=8000
limited trc split --from laplace --kernel kernel long out

# A disk that is full, where one may be made.
mkdir disk
if mount -t tmpfs -o size=1m tmpfs disk 2>/dev/null; then
	trap 'umount "$tmp/work/disk" 2>/dev/null' EXIT
	trc split --from laplace --kernel kernel long disk/out 2>/dev/null && echo "it had room"
	ls disk
	trc split --from laplace --by space many disk/out 2>/dev/null && echo "it had room"
	ls disk
	umount disk
fi
