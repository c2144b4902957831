#!/bin/sh
# SPDX-License-Identifier: MIT
# What the tests need is built for `ninja test`, as `meson dist` runs it, and not by `ninja` alone, whatever this
# version of meson makes of build_by_default. usage: prerequisites.sh BUILD-FOLDER
cd "$1" || exit 1
[ -f build.ninja ] && command -v ninja >/dev/null || { echo "skipped: built without ninja"; exit 77; }
bad=0
ninja -t query meson-internal__test | grep -q meson-test-prereq ||
	{ echo "'ninja test' does not build the tests that it runs"; bad=1; }
ninja -t query all | sed '/outputs:/q' | grep -q -e meson-test-prereq -e test/unit &&
	{ echo "'ninja' alone builds tests"; bad=1; }
exit $bad
