/* SPDX-License-Identifier: MIT
 * The list of packings, and the packer. */
#include "base/io/packing.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/bytes.h"

static const struct trc_packing *const list[] = { &trc_packing_xz,  &trc_packing_gz,
	                                          &trc_packing_bz2, &trc_packing_zst,
	                                          &trc_packing_zip, &trc_packing_zstf,
	                                          &trc_packing_tar, &trc_packing_sz };

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

/* Returns the bytes of skippable frames at the beginning, at most `len`. zstd and lz4 have 16
 * magics for them; pzstd writes one before each frame. */
static size_t
skippable(const uint8_t *p, size_t len)
{
	size_t at = 0;

	while (len - at >= 8 && (p[at] & 0xf0) == 0x50 && p[at + 1] == 0x2a && p[at + 2] == 0x4d &&
	       p[at + 3] == 0x18) {
		const uint64_t bytes = 8 + (uint64_t)trc_le32(p + at + 4);

		at = bytes < len - at ? at + (size_t)bytes : len;
	}
	return at;
}

/* Magics of packings that are not supported, and the commands that unpack them. */
static const struct foreign {
	const char *is, *command;
	uint8_t magic[9];
	size_t magic_len;
} foreign[] = {
	{ "is packed by lz4", "lz4 -dc", { 0x04, 0x22, 0x4d, 0x18 }, 4 },
	{ "is packed by lz4", "lz4 -dc", { 0x02, 0x21, 0x4c, 0x18 }, 4 },
	{ "is packed by lzip", "lzip -dc", { 'L', 'Z', 'I', 'P', 1 }, 5 },
	{ "is packed by lzop", "lzop -dc", { 0x89, 'L', 'Z', 'O', 0, '\r', '\n', 0x1a, '\n' }, 9 },
	{ "is a 7-Zip archive", "7z x -so", { '7', 'z', 0xbc, 0xaf, 0x27, 0x1c }, 6 },
	{ "is a RAR archive", "unrar p -inul", { 'R', 'a', 'r', '!', 0x1a, 7 }, 6 },
	{ "is packed by lrzip", "lrzcat", { 'L', 'R', 'Z', 'I', 0 }, 5 },
	{ "is packed by bzip3", "bzip3 -dc", { 'B', 'Z', '3', 'v', '1' }, 5 },
	{ "is packed by zpaq", "zpaq x", { '7', 'k', 'S', 't', 0xa0, 0x31, 0x83, 0xd3, 0x8c }, 9 },
	{ "is packed by zstd before 0.8", "zstd -dc", { 0x27, 0xb5, 0x2f, 0xfd }, 4 },
};

/* Recognises two more, whose magics are short, so the fields after them must be valid as well: lzma
 * of unknown size, and compress with 9 to 16 bits. */
static const struct foreign *
foreign_by_fields(const uint8_t *p, size_t len)
{
	static const struct foreign lzma = { .is = "is packed by lzma", .command = "xz -dc" },
	                            compress = { .is = "is packed by compress",
		                                 .command = "gzip -dc" };

	if (len >= 14 && p[0] == 0x5d && p[1] == 0 && p[2] == 0 && trc_le64(p + 5) == UINT64_MAX &&
	    p[13] == 0)
		return &lzma;
	if (len >= 3 && p[0] == 0x1f && p[1] == 0x9d && (p[2] & 0x60) == 0 && (p[2] & 0x1f) >= 9 &&
	    (p[2] & 0x1f) <= 16)
		return &compress;
	return NULL;
}

int
trc_packing_refuse(const uint8_t *p, size_t len, struct trc_err *err)
{
	const size_t at = skippable(p, len);
	const struct foreign *f = foreign_by_fields(p, len);

	for (size_t i = 0; !f && i < TRC_COUNT(foreign); i++)
		if (len - at >= foreign[i].magic_len &&
		    memcmp(p + at, foreign[i].magic, foreign[i].magic_len) == 0)
			f = &foreign[i];
	return f ? trc_fail(err, "%s; '%s' unpacks it", f->is, f->command) : 0;
}

const struct trc_packing *
trc_packing_of(const uint8_t *p, size_t len)
{
	const struct trc_packing *row = NULL;

	if (skippable(p, len) > 0)
		return &trc_packing_zst;
	if (trc_packing_tar_is(p, len))
		return &trc_packing_tar;
	while ((row = trc_packing_next(row)))
		if (row->magic_len && len >= row->magic_len &&
		    memcmp(p, row->magic, row->magic_len) == 0)
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
	                "this trc was built without the library for %s; install %s and rebuild",
	                row->name, row->library);
}

struct trc_packer *
trc_pack_open(const struct trc_packing *row, int level, struct trc_err *err)
{
	struct trc_packer *p;

	if (row->unpacks_only) {
		trc_fail_as(err, TRC_USAGE,
		            row == &trc_packing_zstf ?
		                    "%s is not written as a packing, but by --to zstf; use xz, gz, "
		                    "bz2 or zst" :
		                    "%s archives can be read but not written; use xz, gz, bz2 or "
		                    "zst",
		            row->name);
		return NULL;
	}
	if (!row->pack_open) {
		trc_packing_missing(row, err);
		return NULL;
	}
	p = trc_alloc(1, sizeof(*p) + row->pack_room, err);
	if (!p)
		return NULL;
	p->row = row;
	p->level = level;
	p->state = row->pack_room ? p + 1 : NULL;
	if (!row->pack_open(p)) {
		trc_fail_as(err, TRC_NO_MEMORY, "not enough memory to pack %s", row->name);
		free(p);
		return NULL;
	}
	return p;
}

int
trc_pack_whole(struct trc_packer *p, const uint8_t *src, size_t n, struct trc_buf *dst,
               struct trc_err *err)
{
	enum trc_step step = TRC_STEP_MORE;

	p->src = src;
	p->len = n;
	while (step == TRC_STEP_MORE) {
		if (trc_buf_room(dst, p->len / 2 + 4096, err))
			return -1;
		p->dst = dst->p + dst->n;
		p->room = dst->cap - dst->n;
		step = p->row->pack_step(p, true, err);
		dst->n = (size_t)(p->dst - dst->p);
	}
	return step == TRC_STEP_MEMBER ? 0 : -1;
}

void
trc_pack_close(struct trc_packer *p)
{
	if (!p)
		return;
	p->row->pack_close(p);
	free(p);
}
