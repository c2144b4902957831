/* SPDX-License-Identifier: MIT
 *
 * Objects by number, as stage/simulate/pages.h has pages, in 13 to 15 bytes each: the first object
 * is 0, the next new one 1, and so on. A zeroed struct may be released.
 */
#ifndef TRC_STAGE_SIMULATE_OBJECT_NAMES_H
#define TRC_STAGE_SIMULATE_OBJECT_NAMES_H

#include <stdint.h>

#include "base/base.h"

enum { TRC_NAMES_MOST = 1 << 30 };

/* An entry of the small cache in front of the table. */
struct trc_recent_name {
	uint64_t name;
	uint32_t space, id;
};

struct trc_names {
	uint32_t n; /* number of objects so far, at most TRC_NAMES_MOST */
	uint64_t *name;

	/* Private. */
	uint32_t *space;      /* NULL: all are in space 0 */
	size_t names, spaces; /* room */
	uint32_t *place;      /* 1 + the number, with bits of the hash above; 0: free */
	size_t places;
	unsigned bits; /* bits of an entry that hold the number */
	struct trc_recent_name *recent;
};

int trc_names_init(struct trc_names *t, struct trc_err *err) TRC_MUST_USE;
void trc_names_release(struct trc_names *t);

/* Returns the entries of the table of `n` objects. */
size_t trc_names_places(size_t n);

/* Sets id[] to the numbers of `n` objects. New objects get the next numbers. On failure some of
 * them may have got theirs. */
int trc_names_number(struct trc_names *t, const uint64_t *name, const uint32_t *space, size_t n,
                     uint32_t *id, struct trc_err *err) TRC_MUST_USE;

static inline uint32_t
trc_names_space(const struct trc_names *t, uint32_t id)
{
	return t->space ? t->space[id] : 0;
}

#endif
