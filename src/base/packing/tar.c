/* SPDX-License-Identifier: MIT
 *
 * Unpacks one file of a .tar archive, as POSIX (ustar and pax) and GNU tar write it: blocks of 512
 * bytes, for each file a header and its data, and two blocks of zeros at the end. Not written.
 *
 *   0  name, 100 bytes    124  size, 12, octal; or binary after a byte 0x80, highest byte first
 * 148  sum of all bytes of the header, with these 8 as blanks, octal
 * 156  kind: '0', '7' or 0 a file; 'L' the name of the next file; 'x' records "LEN KEY=VALUE\n",
 *      including path and size, for the next file; 'S' a sparse file; all others have no data that
 *      is needed
 * 257  "ustar"           345  what precedes the name and a slash, 155; GNU: something else
 */
#include "base/io/packing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = TRC_PACKING_HEAD, ROOM = 16 * BLOCK };

/* What is expected next. */
enum part { HEADER, TEXT, DATA };

/* The state of reading an archive. */
struct tar {
	enum part part;
	uint8_t bytes[ROOM + 1]; /* a header, or metadata about the next file */
	size_t n, want;
	uint64_t pass;       /* bytes to skip before that */
	uint64_t left;       /* bytes of data left */
	uint64_t extra;      /* bytes of padding after them, up to the next block */
	uint64_t size;       /* of the next file, from metadata; 0: use the header */
	char name[ROOM + 1]; /* of the next file, from metadata; "": use the header */
	char path[ROOM + 1]; /* of the current file */
	uint8_t kind;
};

/* Reads an octal number, or the last 8 bytes as a binary one if the first byte is 0x80, which is
 * not octal. */
static uint64_t
number(const uint8_t *p, size_t len)
{
	const bool binary = *p == 0x80;
	uint64_t v = 0;

	for (size_t i = binary ? len - 8 : 0; i < len && (binary || p[i]); i++)
		if (binary || (p[i] >= '0' && p[i] <= '7'))
			v = binary ? v << 8 | p[i] : v << 3 | (uint64_t)(p[i] - '0');
	return v;
}

/* Returns true if the checksum of a header matches. */
static bool
is_header(const uint8_t *p)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < BLOCK; i++)
		sum += i >= 148 && i < 156 ? ' ' : p[i];
	return number(p + 148, 8) == sum;
}

bool
trc_packing_tar_is(const uint8_t *p, size_t len)
{
	return len >= BLOCK && memcmp(p + 257, "ustar", 5) == 0 && is_header(p);
}

static void
expect(struct tar *s, enum part part, size_t want, uint64_t pass)
{
	s->part = part;
	s->n = 0;
	s->want = want;
	s->pass = pass;
}

static bool
tar_open(struct trc_unpacker *u)
{
	expect(u->state, HEADER, BLOCK, 0);
	return true;
}

/* Sets the name from preceding metadata, or from the header. */
static void
take_name(struct tar *s)
{
	const bool posix = memcmp(s->bytes + 257, "ustar\0", 6) == 0;
	const char *front = (char *)s->bytes + 345, *name = (char *)s->bytes;

	if (*s->name)
		memcpy(s->path, s->name, sizeof(s->path));
	else if (posix && *front)
		snprintf(s->path, sizeof(s->path), "%.155s/%.100s", front, name);
	else
		snprintf(s->path, sizeof(s->path), "%.100s", name);
	*s->name = 0;
}

/* Begins a file, from its header and preceding metadata. Links and folders have no data, whatever
 * size they state. */
static int
begin_file(struct trc_unpacker *u, struct tar *s, uint64_t size, struct trc_err *err)
{
	const bool is_file = s->kind == '0' || s->kind == '7' || s->kind == 0;
	bool takes = false;

	s->left = s->size ? s->size : s->kind >= '1' && s->kind <= '6' ? 0 : size;
	s->extra = -s->left % BLOCK;
	s->size = 0;
	take_name(s);
	if (s->kind == 'S' || strstr(s->path, "GNUSparseFile."))
		return trc_fail(err, "the tar archive has a sparse file (tar -S), which is not "
		                     "supported");
	if (is_file && s->left > 0 && trc_unpack_takes(u, s->path, &takes, err))
		return -1;
	if (takes)
		expect(s, DATA, 0, 0);
	else
		expect(s, HEADER, BLOCK, s->left + s->extra);
	return 0;
}

static int
fail_damaged(struct trc_err *err)
{
	return trc_fail(err, "the tar archive is damaged: expected the header of a file here");
}

static int
take_header(struct trc_unpacker *u, struct tar *s, struct trc_err *err)
{
	const uint64_t size = number(s->bytes + 124, 12);

	if (!is_header(s->bytes) || size > INT64_MAX)
		return fail_damaged(err);
	s->kind = s->bytes[156];
	if (s->kind != 'L' && s->kind != 'x')
		return begin_file(u, s, size, err);
	if (size > ROOM)
		return trc_fail(err, "the tar archive has %llu bytes of metadata for one file",
		                (ull)size);
	s->extra = -size % BLOCK;
	expect(s, TEXT, (size_t)size, 0);
	return 0;
}

static int
take_text(struct tar *s, struct trc_err *err)
{
	char *p = (char *)s->bytes, *end = p + s->n, *key;

	*end = 0;
	if (s->kind == 'L')
		memcpy(s->name, p, s->n + 1);
	for (size_t len; s->kind == 'x' && p < end; p += len) {
		len = strtoul(p, &key, 10);
		if (len == 0 || len > (size_t)(end - p) || p[len - 1] != '\n')
			return fail_damaged(err);
		p[len - 1] = 0;
		if (strncmp(key, " path=", 6) == 0)
			snprintf(s->name, sizeof(s->name), "%s", key + 6);
		else if (strncmp(key, " size=", 6) == 0)
			s->size = strtoull(key + 6, NULL, 10) & INT64_MAX;
	}
	expect(s, HEADER, BLOCK, s->extra);
	return 0;
}

static bool
is_zero(const struct tar *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->bytes[i])
			return false;
	return true;
}

/* Delivers data of the wanted file. */
static void
deliver(struct trc_unpacker *u, struct tar *s, uint8_t *dst, size_t cap, size_t *got)
{
	const size_t have = u->len - u->at;

	*got = have < cap ? have : cap;
	*got = *got < s->left ? *got : (size_t)s->left;
	memcpy(dst, u->in + u->at, *got);
	u->at += *got;
	s->left -= *got;
	if (s->left == 0) {
		u->done = u->file;
		expect(s, HEADER, BLOCK, s->extra);
	}
}

static enum trc_step
tar_step(struct trc_unpacker *u, uint8_t *dst, size_t cap, size_t *got, struct trc_err *err)
{
	struct tar *s = u->state;

	*got = 0;
	if (s->part == DATA) {
		deliver(u, s, dst, cap, got);
		return TRC_STEP_MORE;
	}
	while (u->name_left == 0 && s->part != DATA) {
		if (trc_unpack_pass(u, &s->pass, err))
			return TRC_STEP_FAILED;
		if (s->pass > 0 || !trc_unpack_collect(u, s->bytes, &s->n, s->want))
			break;
		if (s->part == HEADER && is_zero(s))
			return TRC_STEP_MEMBER;
		if (s->part == HEADER ? take_header(u, s, err) : take_text(s, err))
			return TRC_STEP_FAILED;
	}
	return TRC_STEP_MORE;
}

const struct trc_packing trc_packing_tar = {
	.name = "tar",
	.unpacks_only = true,
	.archive = true,
	.unpack_room = sizeof(struct tar),
	.unpack_open = tar_open,
	.unpack_step = tar_step,
};
