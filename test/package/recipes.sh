#!/bin/sh
# SPDX-License-Identifier: MIT
# The formula of Homebrew and the expression of Nix can be read by those who will, and are of this
# version.
#   sh recipes.sh SOURCE-ROOT VERSION
cd "$1/test/package" || exit 1
grep -q "trc-$2.tar" trc.rb && grep -q "version = \"$2\"" trc.nix ||
	{ echo "trc.rb and trc.nix are not of version $2, as meson.build is"; exit 1; }
checked=0
if command -v ruby >/dev/null; then
	ruby -c trc.rb || exit 1
	checked=1
fi
if command -v nix-instantiate >/dev/null; then
	nix-instantiate --parse trc.nix >/dev/null || exit 1
	checked=1
fi
[ $checked = 1 ] || { echo "skipped: neither ruby nor nix-instantiate"; exit 77; }
