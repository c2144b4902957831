# SPDX-License-Identifier: MIT
#
# How long commands take that work on containers; begin.sh stands before it.

# Microseconds that a command takes, the median of RUNS (5).
time_of() {
	for run in $(seq "${RUNS:-5}"); do
		start=$(date +%s%N)
		"$@" >/dev/null || exit 1
		end=$(date +%s%N)
		echo $(((end - start) / 1000))
	done | sort -n | sed -n "$(((${RUNS:-5} + 1) / 2))p"
}

# The same, of processor time: what else the machine does matters less.
spent_by() {
	for run in $(seq "${RUNS:-5}"); do
		("$@" >/dev/null || exit 1
		times) | awk -F '[ms ]+' 'NR == 2 { printf "%.0f\n", 1e6 * (60 * ($1 + $3) + $2 + $4) }'
	done | sort -n | sed -n "$(((${RUNS:-5} + 1) / 2))p"
}

# seeks PLACES THREADS FILE RECORDS: milliseconds to read 1000 of the records of a container, at so
# many places that lie in no step with its blocks: the median, and the worst.
seeks() {
	for place in $(seq "$1"); do
		skip=$(awk "BEGIN { at = $place * 0.618034
		                    printf \"%d\", ($place - 1 + at - int(at)) * ($4 - 1000) / $1 }")
		time_of "$trc" encode -q "-T$2" -t null --skip "$skip" --limit 1000 "$3"
	done | sort -n | awk '{ t[NR] = $1 / 1000 }
	                      END { printf "%.0f %.0f\n", t[int((NR + 1) / 2)], t[NR] }'
}

# The number of records of a container.
records() {
	"$trc" stat --json "$1" | sed 's/.*"records": \([0-9]*\).*/\1/'
}
