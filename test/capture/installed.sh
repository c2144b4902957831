#!/bin/sh
# SPDX-License-Identifier: MIT
# What is built for QEMU is installed, all of it: trc looks for its plugin there, and who records
# with another has only what is installed. usage: installed.sh BUILD
command -v meson >/dev/null || { echo "no meson here"; exit 77; }
to=$(mktemp -d) || exit 99
trap 'rm -rf "$to"' EXIT
DESTDIR=$to meson install --no-rebuild --quiet -C "$1" >"$to/log" 2>&1 || { cat "$to/log"; exit 1; }
missing=0
for plugin in bus machine system; do
	if ! find "$to" -path "*/trc/libtrc-$plugin.so" | grep -q .; then
		echo "libtrc-$plugin.so is not installed"
		missing=1
	fi
done
exit $missing
