#!/bin/sh
# SPDX-License-Identifier: MIT
# A study of a corpus: the five questions of corpus.questions asked of each trace, and one table.
#   sh corpus.sh FOLDER TRACE...
# Each task of a job array asks all questions of one trace, with the most memory that any plan of these
# has; then table.csv is made of all answers, or traces are named whose answers are missing. Run again,
# only these are asked. Prints the numbers of both jobs.
set -e
here=$(cd "$(dirname "$0")" && pwd) folder=$1
shift
mkdir -p "$folder"
printf '%s\n' "$@" >"$folder/traces"
memory=0 missing=
for trace; do
	number=$((${number:-0} + 1))
	while read -r name question; do
		[ "$name" != "#" ] && [ ! -e "$folder/$number.$name.csv" ] || continue
		bytes=$(trc stat -q $question --shards 1 --csv "$trace" | sed -n 2p | cut -d , -f 4)
		[ "$bytes" -le "$memory" ] || memory=$bytes
		[ "${missing##*,}" = $number ] || missing=$missing,$number
	done <"$here/corpus.questions"
done
job=$(sbatch --parsable --array="${missing#,}" --mem=$((memory / 1048576 + 1))M "$here/corpus.sbatch" \
	"$folder" "$here")
echo "$job $(sbatch --parsable --dependency=afterany:"$job" "$here/corpus_table.sbatch" "$folder" "$here")"
