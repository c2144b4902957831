#!/bin/sh
# SPDX-License-Identifier: MIT
# A package of Debian out of the tarball that a release is, built by dh as a packager would, without
# the net; lintian finds no error in it, and what it installs runs.
#   sh debian.sh SOURCE-ROOT BUILD
set -u
root=$1 build=$2
for tool in dh dpkg-buildpackage lintian; do
	command -v "$tool" >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
[ "$(git -C "$root" rev-parse --show-prefix 2>&1)" = "" ] ||
	{ echo "skipped: a tarball is made where git has the sources"; exit 77; }
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM

version=$(sed -n "s/^  version: '\(.*\)',/\1/p" "$root/meson.build")
git -C "$root" archive --prefix="trc-$version/" HEAD | xz -0 >"$dir/trc_$version.orig.tar.xz" &&
	cd "$dir" && tar xf "trc_$version.orig.tar.xz" && cd "trc-$version" &&
	cp -R test/package/debian . || exit 1
cat >debian/changelog <<EOF
trc ($version-1) unstable; urgency=medium

  * As released.

 -- The trc maintainers <maintainers@trc.invalid>  $(date -R)
EOF
# Not optimised, nor with what debuggers know, and hardly packed: what is packaged is looked at.
DEB_BUILD_OPTIONS='noopt noautodbgsym' DEB_CFLAGS_APPEND=-g0 DPKG_DEB_COMPRESSOR_LEVEL=1 \
	dpkg-buildpackage -us -uc >"$dir/log" 2>&1 || { tail -n 40 "$dir/log"; exit 1; }
cd "$dir" || exit 1
lintian --fail-on error --allow-root --suppress-tags bogus-mail-host ./*.changes || exit 1

dpkg-deb -x trc_"$version"-1_*.deb there || exit 1
for file in usr/bin/trc usr/share/man/man1/trc.1.gz usr/share/bash-completion/completions/trc; do
	[ -f "there/$file" ] || { echo "the package has no $file"; exit 1; }
done
[ "$(there/usr/bin/trc --version | head -n 1 | grep -c "$version")" = 1 ] ||
	{ echo "the trc of the package is not version $version"; exit 1; }
