/* SPDX-License-Identifier: MIT
 * Shared by readers of archives: selects which file is extracted, and skips bytes. */
#include <string.h>

#include "base/io/packing.h"

/* Returns true for names that folders skip as well: those that begin with a dot, and additions of
 * macOS. */
static bool
is_hidden(const char *name)
{
	for (const char *p = name; p; p = strchr(p, '/') ? strchr(p, '/') + 1 : NULL)
		if ((p[0] == '.' && !strchr("./", p[1])) || strncmp(p, "__MACOSX/", 9) == 0)
			return true;
	return false;
}

int
trc_unpack_takes(struct trc_unpacker *u, const char *name, bool *takes, struct trc_err *err)
{
	*takes = false;
	while (name[0] == '.' && name[1] == '/')
		name += 2;
	if (is_hidden(name))
		return 0;
	if (!u->file) {
		if (u->several)
			return trc_fail_as(err, TRC_SYSTEM, /* not damage, so not salvaged */
			                   "the %s archive has several files, which are not one "
			                   "trace; unpack it, or name one as ARCHIVE/FILE",
			                   u->row->name);
		*takes = u->several = true;
	} else if (*u->file) {
		*takes = strcmp(name, u->file) == 0;
		u->found |= *takes;
	} else {
		u->name = name;
		u->name_left = strlen(name) + 1;
	}
	return 0;
}

int
trc_unpack_pass(struct trc_unpacker *u, uint64_t *n, struct trc_err *err)
{
	const size_t have = u->len - u->at, here = *n < have ? (size_t)*n : have;
	struct trc_stream *s = u->inner;

	u->at += here;
	*n -= here;
	/* Skipping past the end of the file is left to the next read, which fails. */
	if (*n == 0 || !s->skip || !s->read_at || *n > s->size - s->passed)
		return 0;
	if (s->skip(s, *n, err))
		return -1;
	u->fed += *n;
	*n = 0;
	return 0;
}

bool
trc_unpack_collect(struct trc_unpacker *u, uint8_t *dst, size_t *n, size_t want)
{
	const size_t have = u->len - u->at, here = have < want - *n ? have : want - *n;

	memcpy(dst + *n, u->in + u->at, here);
	u->at += here;
	*n += here;
	return *n == want;
}
