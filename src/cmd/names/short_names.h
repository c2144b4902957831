/* SPDX-License-Identifier: MIT
 *
 * Short names for several files, for a table with a column or a picture with a curve per file.
 */
#ifndef TRC_CMD_NAMES_SHORT_NAMES_H
#define TRC_CMD_NAMES_SHORT_NAMES_H

#include <stddef.h>

enum { TRC_SHORT_NAME_ROOM = 48 };

/* Sets name[i] to the part of path[i] that differs from the others: "gcc" and "swm" for
 * "runs/gcc.din.xz" and "runs/swm.din.xz", "a" and "b" for "a/x.trc" and "b/x.trc". A single path
 * loses its folders. If a name is too long, a shared beginning or end becomes dots. Control
 * characters, which a terminal would obey, are replaced. */
void trc_short_names(const char *const *path, size_t n, char (*name)[TRC_SHORT_NAME_ROOM]);

#endif
