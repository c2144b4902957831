/* SPDX-License-Identifier: MIT
 *
 * Short names of several files, where each is a column of a table or a curve of a picture.
 */
#ifndef TRC_CMD_NAMES_APART_H
#define TRC_CMD_NAMES_APART_H

#include <stddef.h>

enum { TRC_APART_ROOM = 48 };

/* Sets name[i] to what sets path[i] apart from the others: of "runs/gcc.din.xz" and "runs/swm.din.xz"
 * "gcc" and "swm", of "a/x.trc" and "b/x.trc" "a" and "b". A single one is without its folders.
 * Where one is too long, what all begin or end with is dots. What a terminal would obey is
 * replaced. */
void trc_names_apart(const char *const *path, size_t n, char (*name)[TRC_APART_ROOM]);

#endif
