# SPDX-License-Identifier: MIT
#
# What test/demo.sh begins with, for it to source: installing and building. For any POSIX shell. The
# caller says in `root` where the sources are.

packages_to_build='gcc libc6-dev meson ninja-build pkg-config
	libxxhash-dev liblzma-dev zlib1g-dev libbz2-dev libzstd-dev'

# install_missing PACKAGE...: asks apt for what is not there, and not at all if all is there.
install_missing()
{
	missing=
	for package; do
		status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)
		[ "$status" = installed ] || missing="$missing $package"
	done
	[ "$missing" ] || return 0
	sudo=
	[ "$(id -u)" = 0 ] || sudo=sudo
	# shellcheck disable=SC2086 # a list
	$sudo apt-get -q update && $sudo apt-get -qy install --no-install-recommends $missing
}

# build_in FOLDER: configures the folder if that was not done before, and builds.
build_in()
{
	[ -f "$1/build.ninja" ] || meson setup "$1" "$root" || return
	ninja -C "$1"
}
