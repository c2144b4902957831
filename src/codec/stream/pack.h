/* SPDX-License-Identifier: MIT
 *
 * A packed stream: bytes packed by the method that makes them smallest. This is LZMA (raw LZMA1 by
 * liblzma), symbol ranking for indices or, if the time to read it is worthwhile, one of the models
 * in this directory; if nothing makes them smaller they are stored. container/SPEC.md, "Packed
 * streams", lists the numbers of methods and their formats.
 *
 * Method 32 is for branches coded by the path model (codec/program/path.h). Its first number is the
 * number of branches instead of raw bytes, and they are packed and unpacked with the program.
 */
#ifndef TRC_CODEC_STREAM_PACK_H
#define TRC_CODEC_STREAM_PACK_H

#include "base/buf.h"

/* The content of a stream, which determines the properties worth trying. */
enum trc_pack_kind {
	TRC_PACK_BYTES,  /* bytes correlated with their neighbours */
	TRC_PACK_WORDS2, /* fields of 2, 4 or 8 bytes, most significant byte first */
	TRC_PACK_WORDS4,
	TRC_PACK_WORDS8,
	TRC_PACK_TOKENS, /* numbers from 0 to 8 */
	TRC_PACK_INDEX1, /* numbers of 1 or 2 bytes that are only names */
	TRC_PACK_INDEX2,
};

enum {
	TRC_PACK_FAST = 1,     /* levels up to this are for speed */
	TRC_PACK_SMALL = 7,    /* levels from this on are for size */
	TRC_PACK_EXTREME = 16, /* flag in a level: try every method that the level may use */
	TRC_PACK_PATH = 32,    /* a method, see above */
};

static inline int
trc_pack_level(int level)
{
	return level % TRC_PACK_EXTREME;
}

/* Appends the `n` bytes at `raw`, packed, to `out`. Levels are 0 to 9 as in xz. */
int trc_pack(const uint8_t *raw, size_t n, enum trc_pack_kind kind, int level, struct trc_buf *out,
             struct trc_err *err) TRC_MUST_USE;

/* How much longer reading may take to save bytes: nanoseconds per byte saved, and in total. This is
 * new. */
struct trc_pack_budget {
	uint64_t byte, most;
};

/* Packs again, with models that are slow to read, a stream that trc_pack() wrote as the only
 * content of `out`. Replaces it if the bytes saved are worth the time. */
int trc_pack_by_models(const uint8_t *raw, size_t n, enum trc_pack_kind kind, int level,
                       const struct trc_pack_budget *budget, struct trc_buf *out,
                       struct trc_err *err) TRC_MUST_USE;

/* A packed stream that is not unpacked yet (our own); it points into the caller's data. */
struct trc_packed {
	size_t n; /* bytes after unpacking */
	uint8_t method;
	const uint8_t *p;
	size_t len;
};

/* Parses a packed stream from `v`. Fails if it claims more than `most` bytes. */
int trc_packed_take(struct trc_view *v, size_t most, struct trc_packed *s,
                    struct trc_err *err) TRC_MUST_USE;

/* Returns the bytes for tables that unpacking needs besides those of the stream. */
size_t trc_packed_memory(const struct trc_packed *s);

/* Replaces the contents of `raw` by the bytes of a stream; those of method 32 stay packed. */
int trc_packed_unpack(const struct trc_packed *s, struct trc_buf *raw,
                      struct trc_err *err) TRC_MUST_USE;

/* Does the same, but only the bytes from `from` up to, not including, `to` need be valid: where
 * possible, no time is spent on later bytes, and no memory is touched for earlier ones. */
int trc_packed_unpack_part(const struct trc_packed *s, size_t from, size_t to, struct trc_buf *raw,
                           struct trc_err *err) TRC_MUST_USE;

/* Parse and unpack a stream. */
int trc_unpack(struct trc_view *v, size_t most, struct trc_buf *raw,
               struct trc_err *err) TRC_MUST_USE;
int trc_unpack_part(struct trc_view *v, size_t most, size_t from, size_t to, struct trc_buf *raw,
                    struct trc_err *err) TRC_MUST_USE;

#endif
