# SPDX-License-Identifier: MIT
# Commands that are not built say what they will be: exit 2.
try trc split
