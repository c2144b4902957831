#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sh test/run.sh [OPTION...]: installs what is missing (Debian), builds in build/, runs all tests,
# and ends with a line that counts them. The options are those of `meson test`.
set -u

root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/test/setup.sh"

# shellcheck disable=SC2086 # lists
install_missing $packages_to_build $packages_to_test
if build_in "$root/build"; then
	test_in "$root/build" "$@"
else
	echo "cannot build; nothing was tested"
	failed=1
fi
close_count
