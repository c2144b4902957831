# SPDX-License-Identifier: MIT
# Files and folders that this user must not touch.
if [ "$(id -u)" -eq 0 ]; then
	echo "root may read everything"
	exit 77
fi
printf '0 10\n' >a.din
printf '0 10\n' >secret.din
chmod 0 secret.din
mkdir -m 500 folder
try trc stat secret.din
try trc encode a.din folder/b.din
