#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sh test/bench/record.sh [COMMAND...]: what recording in one line takes, of each COMMAND, a line of
# sh without quotes. Seconds, medians of RUNS (3), which are paired: of the plugin alone, with its
# text in a file and read by cat; of `trc split --record`, until the program ended and until all was
# written; that as a multiple of the file and of cat; bytes of text and of containers; and the bytes
# and seconds of encoding these at the usual level. For a build with -Dcapture=enabled.
set -u

here=$(cd "$(dirname "$0")" && pwd)
. "$here/begin.sh"

plugin=$build/src/libtrc-system.so
name=qemu-$(uname -m)
qemu=$(command -v "$name") || { echo "no $name" >&2; exit 1; }
[ -e "$plugin" ] || { echo "build first: no $plugin" >&2; exit 1; }

if [ $# -eq 0 ]; then
	awk 'BEGIN { for (i = 1; i <= 4000; i++) print i * 7919 % 1009, "line", i }' >"$tmp/in.txt"
	cat "$root"/src/container/*.c >"$tmp/source"
	set -- "sort $tmp/in.txt" "gzip -c $tmp/source" "ls -R /usr/share/doc" \
		"awk 1 $tmp/in.txt | sort | uniq -c | sort -n"
fi

# An emulator that notes when it ended, for trc to find.
mkdir "$tmp/bin"
cat >"$tmp/bin/$name" <<END
#!/bin/sh
"$qemu" "\$@"
status=\$?
date +%s%N >"$tmp/ended"
exit \$status
END
chmod +x "$tmp/bin/$name"

# Seconds of a command, to the end.
seconds() {
	start=$(date +%s%N)
	"$@" >/dev/null || exit 1
	awk "BEGIN { print ($(date +%s%N) - $start) / 1e9 }"
}

in_file() {
	"$qemu" -plugin "$plugin,out=$tmp/text" "$program" "$@"
}

by_cat() {
	mkfifo "$tmp/text.laplace"
	cat "$tmp/text.laplace" &
	"$qemu" -plugin "$plugin,out=$tmp/text,pipe=on" "$program" "$@"
	wait $!
}

recorded() {
	PATH=$tmp/bin:$PATH "$trc" split --record "$tmp/parts" -- "$program" "$@"
}

median() {
	cut -d ' ' -f "$1" "$tmp/runs" | sort -n | awk '{ t[NR] = $1 } END { print t[int((NR + 1) / 2)] }'
}

processor
printf '%-28s %6s %6s %6s %6s %6s %6s %11s %9s %9s %6s\n' command file cat ended done /file /cat \
	text parts level6 s
for line; do
	case $line in
	*'|'*) program=$(command -v sh) words='-c' ;;
	*) program=$(command -v "${line%% *}") words=${line#* } ;;
	esac
	set --
	[ "$words" = -c ] && set -- -c "$line"
	# Words of a line without quotes.
	[ "$words" = -c ] || set -- $words
	: >"$tmp/runs"
	for run in $(seq "${RUNS:-3}"); do
		rm -rf "$tmp"/text* "$tmp/parts"
		file=$(seconds in_file "$@")
		bytes=$(wc -c <"$tmp/text.laplace")
		rm -rf "$tmp"/text*
		cat=$(seconds by_cat "$@")
		start=$(date +%s%N)
		all=$(seconds recorded "$@")
		echo "$file $cat $(awk "BEGIN { print ($(cat "$tmp/ended") - $start) / 1e9 }") $all" >>"$tmp/runs"
	done
	rm -f "$tmp/small.trc"
	small=$(seconds "$trc" encode -q "$tmp/parts" "$tmp/small.trc")
	awk "BEGIN { printf \"%-28.28s %6.2f %6.2f %6.2f %6.2f %6.2f %6.2f %11.0f %9d %9d %6.2f\\n\",
		\"$line\", $(median 1), $(median 2), $(median 3), $(median 4), $(median 4) / $(median 1),
		$(median 4) / $(median 2), $bytes, $(cat "$tmp"/parts/*/*.trc | wc -c),
		$(wc -c <"$tmp/small.trc"), $small }"
done
