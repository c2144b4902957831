# SPDX-License-Identifier: MIT
#
# What test/run.sh, test/demo.sh and .ci/run begin with, for them to source: installing, building,
# and counting tests. For any POSIX shell. The caller sets `root` to where the sources are.

packages_to_build='gcc libc6-dev meson ninja-build pkg-config
	libxxhash-dev liblzma-dev zlib1g-dev libbz2-dev libzstd-dev libzydis-dev'
packages_to_test='python3 file zsh fish xz-utils gzip bzip2 zstd groff-base mandoc'

passed=0 failed=0 skipped=0
failures= # what failed, for the end of a long output

as_root()
{
	if [ "$(id -u)" = 0 ]; then
		"$@"
	else
		sudo "$@"
	fi
}

# install_missing PACKAGE...: asks apt for what is not there, and not at all if all is there. What
# cannot be installed is told and left to the build, which may have found it elsewhere.
install_missing()
(
	missing=
	for package; do
		status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)
		[ "$status" = installed ] || missing="$missing $package"
	done
	[ "$missing" ] || exit 0

	echo "installing:$missing"
	# shellcheck disable=SC2086 # a list
	as_root apt-get -q update &&
		as_root env DEBIAN_FRONTEND=noninteractive \
			apt-get -qy install --no-install-recommends $missing ||
		echo "could not install all of:$missing; going on without" >&2
)

# configure_in FOLDER [SETTING...]: configures the folder with meson's settings if that was not done
# before. What tests said of an earlier build no longer holds.
configure_in()
(
	folder=$1
	shift
	rm -f "$folder"/meson-logs/testlog*.json
	[ -f "$folder/build.ninja" ] || meson setup "$@" "$folder" "$root"
)

# build_in FOLDER [SETTING...]: configures it, and builds what is installed.
build_in()
{
	configure_in "$@" && ninja -C "$1"
}

# test_in FOLDER [OPTION...]: builds what the tests need and was not built there, runs them, and
# counts them.
test_in()
{
	meson test --print-errorlogs -C "$@"
	count_in "$1" $?
}

# A setup of tests has a log of its own, testlog-NAME.json: of those there, one run is counted.
#
# count_in FOLDER STATUS: adds what the tests there came to, to $passed, $failed and $skipped. A
# status that is not 0 without a test that failed, as of a build that broke, is one failure.
count_in()
{
	good=$(results "$1" 'OK|EXPECTEDFAIL') left=$(results "$1" SKIP) all=$(results "$1" '[A-Z]+')
	bad=$((all - good - left))
	[ "$2" = 0 ] || [ "$bad" -gt 0 ] || bad=1
	failed_here=$(python3 "$root/test/failures.py" "$1")
	[ -z "$failed_here" ] || failures="$failures$failed_here

"
	passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + left))
}

results()
{
	grep -hsE "\"result\": \"($2)\"" "$1"/meson-logs/testlog*.json | wc -l
}

# Prints what failed once more, and the closing line; fails if a test did.
close_count()
{
	[ -z "$failures" ] || printf '%s' "$failures"
	if [ "$skipped" -gt 0 ]; then
		echo "$passed passed, $failed failed, $skipped skipped"
	else
		echo "$passed passed, $failed failed"
	fi
	[ "$failed" = 0 ]
}
