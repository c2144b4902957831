/* SPDX-License-Identifier: MIT
 * The list of packings, and packers. */
#include "base/io/packing.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct trc_packing *const list[] = { &trc_packing_xz, &trc_packing_gz,
	                                          &trc_packing_bz2, &trc_packing_zst,
	                                          &trc_packing_zip };

const struct trc_packing *
trc_packing_next(const struct trc_packing *row)
{
	if (!row)
		return list[0];
	for (size_t i = 0; i + 1 < TRC_COUNT(list); i++)
		if (list[i] == row)
			return list[i + 1];
	return NULL;
}

const struct trc_packing *
trc_packing_of(const uint8_t *p, size_t len)
{
	const struct trc_packing *row = NULL;

	while ((row = trc_packing_next(row)))
		if (len >= row->magic_len && memcmp(p, row->magic, row->magic_len) == 0)
			break;
	return row;
}

static bool
is_called(const char *name, const char *word, size_t len)
{
	return name && strlen(name) == len && strncasecmp(word, name, len) == 0;
}

const struct trc_packing *
trc_packing_named(const char *name, size_t len)
{
	const struct trc_packing *row = NULL;

	while ((row = trc_packing_next(row)))
		if (is_called(row->name, name, len) || is_called(row->program, name, len))
			break;
	return row;
}

const struct trc_packing *
trc_packing_ending(const char *path)
{
	const struct trc_packing *row = NULL;
	const char *dot = strrchr(path, '.');

	while (dot && (row = trc_packing_next(row)))
		if (is_called(row->name, dot + 1, strlen(dot + 1)))
			break;
	return row;
}

int
trc_packing_missing(const struct trc_packing *row, struct trc_err *err)
{
	return trc_fail(err,
	                "%s needs a library that this trc was built without; install %s and "
	                "build again",
	                row->name, row->library);
}

struct trc_packer *
trc_pack_open(const struct trc_packing *row, int level, struct trc_err *err)
{
	struct trc_packer *p;

	if (row->unpacks_only) {
		trc_fail_as(err, TRC_USAGE,
		            "%s archives are read, not written; xz, gz, bz2 and "
		            "zst are",
		            row->name);
		return NULL;
	}
	if (!row->pack_open) {
		trc_packing_missing(row, err);
		return NULL;
	}
	p = trc_alloc(1, sizeof(*p), err);
	if (!p)
		return NULL;
	p->row = row;
	p->level = level;
	if (row->pack_open(p, err)) {
		free(p);
		return NULL;
	}
	return p;
}

void
trc_pack_close(struct trc_packer *p)
{
	if (!p)
		return;
	p->row->pack_close(p);
	free(p);
}
