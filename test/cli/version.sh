# SPDX-License-Identifier: MIT
# The version, by both names of the option.
try trc --version | sed 's/[0-9][0-9.]*/N/'
try trc -V | sed 's/[0-9][0-9.]*/N/'
