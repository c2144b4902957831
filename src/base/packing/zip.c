/* SPDX-License-Identifier: MIT
 *
 * Unpacks .zip with zlib, if available: one file of an archive, or the chunks of a DynamoRIO trace
 * (chunk.0000 and so on), in the order in which they are stored. It is read forward, by the headers
 * of the files; the directory at the end must only be present. It is not written.
 *
 *   PK 3 4  26 bytes, name, extra: a file. At 2 flags, 4 method, 10 CRC, 14 and 18 sizes, 22 and 24
 *           the lengths of name and extra
 *   PK 1 2  42 bytes, name, extra, comment: its entry in the directory
 *   PK 6 6  8 bytes of length, and as many bytes; PK 6 7  16 bytes: large archives
 *   PK 5 6  18 bytes, comment: the end
 */
#include "base/io/packing.h"

#ifdef TRC_WITH_ZLIB
#include <string.h>
#include <zlib.h>

#include "base/bytes.h"

enum { STORED = 0, DEFLATED = 8 };

enum { ENCRYPTED = 1, DESCRIPTOR = 8 }; /* flags; DESCRIPTOR: sizes and CRC follow the data */

enum { NAME_MOST = 4096 };

#define SIGNATURE(a, b) (UINT32_C(0x4b50) | (uint32_t)(a) << 16 | (uint32_t)(b) << 24)

static const char chunk[] = "chunk.";

/* What is expected next. */
enum part {
	PART,
	FILE_HEADER,
	NAME,
	EXTRA,
	EXTRA_64,
	DATA,
	PASS,
	TAIL,
	ENTRY,
	LARGE,
	LOCATOR,
	END,
	COMMENT
};

/* The state of unpacking an archive. */
struct zip {
	z_stream z;
	enum part part;
	uint8_t bytes[NAME_MOST + 1]; /* the bytes of it read so far */
	size_t n, want;
	uint64_t pass; /* bytes to skip before it */
	unsigned flags, method;
	uint32_t crc, crc_seen;
	uint64_t packed, size; /* from the header */
	uint64_t seen, left;   /* bytes unpacked; packed bytes left, if known */
	size_t name, extra;    /* bytes of name and extra fields left */
	bool large;            /* sizes after the data have 64 bits */
	bool takes;            /* the data is wanted */
	uint64_t files, entries;
};

static bool
zip_open(struct trc_unpacker *u)
{
	struct zip *s = u->state;

	s->want = 4;
	return inflateInit2(&s->z, -15) == Z_OK;
}

static void
zip_close(struct trc_unpacker *u)
{
	inflateEnd(&((struct zip *)u->state)->z);
}

static void
expect(struct zip *s, enum part part, size_t want, uint64_t pass)
{
	s->part = part;
	s->n = 0;
	s->want = want;
	s->pass = pass;
}

static int
take_signature(struct zip *s, struct trc_err *err)
{
	switch (trc_le32(s->bytes)) {
	case SIGNATURE(3, 4): expect(s, FILE_HEADER, 26, 0); break;
	case SIGNATURE(1, 2): expect(s, ENTRY, 42, 0); break;
	case SIGNATURE(6, 6): expect(s, LARGE, 8, 0); break;
	case SIGNATURE(6, 7): expect(s, LOCATOR, 16, 0); break;
	case SIGNATURE(5, 6): expect(s, END, 18, 0); break;
	default:
		return trc_fail(err, "the zip archive is damaged: expected the header of a part "
		                     "here");
	}
	return 0;
}

static int
take_header(struct zip *s, struct trc_err *err)
{
	s->flags = trc_le16(s->bytes + 2);
	s->method = trc_le16(s->bytes + 4);
	s->crc = trc_le32(s->bytes + 10);
	s->packed = trc_le32(s->bytes + 14);
	s->size = trc_le32(s->bytes + 18);
	s->name = trc_le16(s->bytes + 22);
	s->extra = trc_le16(s->bytes + 24);
	s->large = false;
	if (s->name > NAME_MOST)
		return trc_fail(err, "a file of the zip archive has a name of %zu bytes", s->name);
	expect(s, NAME, s->name, 0);
	return 0;
}

/* Fails if the data of a file cannot be unpacked. Skipping it only needs its size. */
static int
check_method(const struct zip *s, struct trc_err *err)
{
	if (!s->takes && !(s->flags & DESCRIPTOR))
		return 0;
	if (s->flags & ENCRYPTED)
		return trc_fail(err, "the zip archive is encrypted");
	if (s->method != DEFLATED && (s->method != STORED || s->flags & DESCRIPTOR))
		return trc_fail(err,
		                s->method == STORED ?
		                        "the size of a file stored in the zip archive is not "
		                        "known" :
		                        "a file of the zip archive is packed by method %u; only "
		                        "deflate is supported",
		                s->method);
	return 0;
}

/* Decides whether a file is wanted. Folders are files without data. */
static int
take_name(struct trc_unpacker *u, struct zip *s, struct trc_err *err)
{
	const bool is_chunk = s->n > strlen(chunk) && memcmp(s->bytes, chunk, strlen(chunk)) == 0;

	s->bytes[s->n] = 0;
	expect(s, EXTRA, s->extra >= 4 ? 4 : 0, 0);
	s->takes = false;
	if (s->size == 0 && !(s->flags & DESCRIPTOR))
		return 0;
	if (u->chunks && is_chunk) /* all chunks count as one file */
		u->several = false;
	if (trc_unpack_takes(u, (char *)s->bytes, &s->takes, err))
		return -1;
	u->chunks |= is_chunk;
	return check_method(s, err);
}

static void
begin_data(struct zip *s, uint64_t pass)
{
	const bool passes = !s->takes && !(s->flags & DESCRIPTOR);

	s->files++;
	if (passes) {
		expect(s, PASS, 0, pass);
		return;
	}
	expect(s, DATA, 0, pass);
	inflateReset(&s->z);
	s->crc_seen = 0;
	s->seen = 0;
	s->left = s->packed;
}

/* Handles an extra field: 64-bit sizes, or one to skip. */
static void
take_extra(struct zip *s)
{
	size_t len;

	if (s->want == 0) { /* the rest is too short for a field */
		begin_data(s, s->extra);
		return;
	}
	len = trc_le16(s->bytes + 2);
	s->extra -= 4;
	if (len > s->extra)
		len = s->extra;
	s->extra -= len;
	if (trc_le16(s->bytes) == 1 && len >= 16) {
		s->large = true;
		expect(s, EXTRA_64, 16, 0);
		s->extra += len - 16;
		return;
	}
	expect(s, EXTRA, s->extra >= 4 ? 4 : 0, len);
}

static int
fail_length(struct trc_err *err)
{
	return trc_fail(err,
	                "the zip archive is damaged: the length or checksum of a file does not "
	                "match");
}

/* Verifies a file at the end of its data. */
static int
check_file(struct trc_unpacker *u, struct zip *s, struct trc_err *err)
{
	if (s->crc != s->crc_seen || s->size != s->seen)
		return fail_length(err);
	u->done = s->takes && u->file;
	expect(s, PART, 4, 0);
	return 0;
}

static size_t
tail_bytes(const struct zip *s)
{
	return s->large ? 4 + 16 : 4 + 8;
}

/* Reads CRC and sizes after the data, with or without a signature. */
static int
take_tail(struct trc_unpacker *u, struct zip *s, struct trc_err *err)
{
	const uint8_t *p = s->bytes;

	if (s->want == tail_bytes(s) && trc_le32(p) == SIGNATURE(7, 8)) {
		s->want += 4;
		return 0;
	}
	if (s->want > tail_bytes(s))
		p += 4;
	s->crc = trc_le32(p);
	s->size = s->large ? trc_le64(p + 12) : trc_le32(p + 8);
	if (!s->large)
		s->seen &= UINT32_MAX;
	return check_file(u, s, err);
}

static int
take_end(struct zip *s, struct trc_err *err)
{
	if (s->entries != s->files || (s->files < UINT16_MAX && s->files != trc_le16(s->bytes + 6)))
		return trc_fail(err, "the zip archive is damaged: its directory does not match "
		                     "its files");
	expect(s, COMMENT, 0, trc_le16(s->bytes + 16));
	return 0;
}

/* Handles a part that was read completely. */
static int
end_part(struct trc_unpacker *u, struct zip *s, struct trc_err *err)
{
	switch (s->part) {
	case PART: return take_signature(s, err);
	case FILE_HEADER: return take_header(s, err);
	case NAME: return take_name(u, s, err);
	case EXTRA: take_extra(s); return 0;
	case EXTRA_64:
		if (s->size == UINT32_MAX)
			s->size = trc_le64(s->bytes);
		if (s->packed == UINT32_MAX)
			s->packed = trc_le64(s->bytes + 8);
		expect(s, EXTRA, s->extra >= 4 ? 4 : 0, 0);
		return 0;
	case PASS: expect(s, PART, 4, s->packed); return 0;
	case TAIL: return take_tail(u, s, err);
	case ENTRY:
		s->entries++;
		expect(s, PART, 4,
		       (uint64_t)trc_le16(s->bytes + 24) + trc_le16(s->bytes + 26) +
		               trc_le16(s->bytes + 28));
		return 0;
	case LARGE: expect(s, PART, 4, trc_le64(s->bytes)); return 0;
	case LOCATOR: expect(s, PART, 4, 0); return 0;
	case END: return take_end(s, err);
	case DATA:
	case COMMENT: break;
	}
	return 0;
}

/* Inflates data of the file, but no more than its header states, so a file cannot exceed its
 * size. */
static int
inflate_data(struct trc_unpacker *u, struct zip *s, uint8_t *dst, size_t cap, size_t *got,
             bool *ended, struct trc_err *err)
{
	const bool known = !(s->flags & DESCRIPTOR);
	const size_t have = u->len - u->at, n = known && s->left < have ? (size_t)s->left : have;
	int ret;

	s->z.next_in = u->in + u->at;
	s->z.avail_in = (uInt)n;
	s->z.next_out = dst;
	s->z.avail_out = (uInt)cap;
	ret = inflate(&s->z, Z_NO_FLUSH);
	u->at += n - s->z.avail_in;
	s->left -= known ? n - s->z.avail_in : 0;
	*got = (size_t)(s->z.next_out - dst);
	*ended = ret == Z_STREAM_END;
	if (ret == Z_MEM_ERROR)
		return trc_fail_as(err, TRC_NO_MEMORY, "not enough memory to unpack zip");
	if (ret != Z_OK && ret != Z_STREAM_END && ret != Z_BUF_ERROR)
		return trc_fail(err, "the data of the zip archive is damaged");
	if (known &&
	    (*got > s->size - s->seen || (*ended ? s->left > 0 : s->left == 0 && *got == 0)))
		return fail_length(err);
	return 0;
}

/* Unpacks data of the file; sets *ended at its end. */
static int
unpack(struct trc_unpacker *u, struct zip *s, uint8_t *dst, size_t cap, size_t *got, bool *ended,
       struct trc_err *err)
{
	const size_t have = u->len - u->at;

	cap = cap < UINT32_MAX ? cap : UINT32_MAX;
	if (s->method == STORED) {
		size_t n = have < cap ? have : cap;

		n = n < s->left ? n : (size_t)s->left;
		memcpy(dst, u->in + u->at, n);
		u->at += n;
		s->left -= n;
		*got = n;
		*ended = s->left == 0;
	} else if (inflate_data(u, s, dst, cap, got, ended, err)) {
		return -1;
	}
	s->crc_seen = (uint32_t)crc32(s->crc_seen, dst, (uInt)*got);
	s->seen += *got;
	if (!s->takes)
		*got = 0;
	return 0;
}

static enum trc_step
zip_step(struct trc_unpacker *u, uint8_t *dst, size_t cap, size_t *got, struct trc_err *err)
{
	struct zip *s = u->state;
	bool ended = false;

	*got = 0;
	for (;;) {
		if (trc_unpack_pass(u, &s->pass, err))
			return TRC_STEP_FAILED;
		if (s->pass > 0 || !trc_unpack_collect(u, s->bytes, &s->n, s->want))
			break;
		if (s->part == COMMENT)
			return TRC_STEP_MEMBER;
		if (s->part != DATA) {
			if (end_part(u, s, err))
				return TRC_STEP_FAILED;
			if (u->name_left > 0)
				break;
			continue;
		}
		if (unpack(u, s, dst, cap, got, &ended, err))
			return TRC_STEP_FAILED;
		if (ended && s->flags & DESCRIPTOR)
			expect(s, TAIL, tail_bytes(s), 0);
		else if (ended && check_file(u, s, err))
			return TRC_STEP_FAILED;
		if (*got > 0 || !ended || u->done)
			break;
	}
	return TRC_STEP_MORE;
}
#endif

const struct trc_packing trc_packing_zip = {
	.name = "zip",
	.library = "zlib1g-dev",
	.magic = { 'P', 'K', 3, 4 },
	.magic_len = 4,
	.unpacks_only = true,
	.archive = true,
#ifdef TRC_WITH_ZLIB
	.unpack_room = sizeof(struct zip),
	.unpack_open = zip_open,
	.unpack_step = zip_step,
	.unpack_close = zip_close,
#endif
};
