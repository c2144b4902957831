#!/bin/sh
# SPDX-License-Identifier: MIT
# guests.sh TRC PLUGIN SOURCE GUEST COMPILER...: records the program SOURCE on each GUEST, which
# COMPILER compiles for, and looks for each event that it announced. Skips without any of them.
trc=$1 plugin=$2 source=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
. "$here/laws.sh"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" && tmp=$(pwd -P) || exit 1
yes 'some line' | head -c 10000 >file

# Every event that was announced is one that was logged: a line of the first file begins one of the
# second, without its time.
cat >told.awk <<'END'
FILENAME == ARGV[1] { want[NR] = $0; n = NR; next }
{
	$2 = ""
	sub(/  /, " ")
	told[++m] = $0
}
END {
	for (i = 1; i <= n; i++) {
		for (k = 1; k <= m && index(told[k] " ", want[i] (want[i] ~ / $/ ? "" : " ")) != 1; k++)
			;
		if (k > m) {
			print "not told: " want[i]
			bad = 1
		}
	}
	exit bad || n < 30
}
END

status=0 tried=0
while [ $# -gt 1 ]; do
	guest=$1 cc=$2
	shift 2
	qemu=qemu-$guest
	command -v "$cc" >/dev/null && command -v "$qemu" >/dev/null || continue
	# QEMU 7.2 hangs where a dynamic program for i386 forks, with or without a plugin.
	[ "$guest" = i386 ] && link=-static || link=
	"$cc" -O1 $link -o "$guest" "$source" -pthread 2>"$guest.log" ||
		{ echo "$cc compiles nothing"; continue; }
	tried=$((tried + 1))
	"$qemu" -L "/usr/${cc%-gcc}" -plugin "$plugin,out=$guest-trace" "$tmp/$guest" "$tmp/file" \
		>"$guest.want" || complain "$guest: ends with $?"
	grep -v '^adds' "$guest.want" >"$guest.events"
	read -r _ times word <<-END
		$(grep '^adds' "$guest.want")
	END
	for kind in r w; do
		[ "$(grep -c "^$kind .* 0*$word\$" "$guest-trace.laplace")" -ge "${times:-1}" ] ||
			complain "$guest: atomics of threads lack what they $kind"
	done
	awk -f told.awk "$guest.events" "$guest-trace.laplace-kernel" ||
		complain "$guest: above $(grep -c . "$guest.events") events were to be told"
	[ ! -e "$guest-trace.shared" ] || complain "$guest: left what is shared"
	laws "$guest-trace" "$guest-parts"
	echo "$guest: $(grep -c . "$guest-trace.laplace") references," \
		"$(ls "$guest-parts" | grep -c .) processes"
done
[ $tried -gt 0 ] || { echo "skipped: no compiler and emulator of the same processor"; exit 77; }
exit $status
