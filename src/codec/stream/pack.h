/* SPDX-License-Identifier: MIT
 *
 * A packed stream: bytes by the method that makes them smallest, which is LZMA (raw LZMA1 by
 * liblzma), symbol ranking if they are indices, or, where its time to read is worth it, one of the
 * models of this folder; stored where nothing is smaller. container/SPEC.md, "Packed streams", has
 * the numbers of methods and their forms.
 *
 * Method 32 is for branches coded by the path model (codec/program/path.h): the first number is how
 * many there are, instead of raw bytes. They are packed and unpacked with the program.
 */
#ifndef TRC_CODEC_STREAM_PACK_H
#define TRC_CODEC_STREAM_PACK_H

#include "base/buf.h"

/* What a stream is made of, by which the properties worth trying are chosen. */
enum trc_pack_kind {
	TRC_PACK_BYTES,  /* bytes whose neighbours matter */
	TRC_PACK_WORDS2, /* fields of 2, 4 or 8 bytes, most significant byte first */
	TRC_PACK_WORDS4,
	TRC_PACK_WORDS8,
	TRC_PACK_TOKENS, /* numbers of 0 to 8 */
	TRC_PACK_INDEX1, /* numbers of 1 or 2 bytes that are just names */
	TRC_PACK_INDEX2,
};

enum {
	TRC_PACK_FAST = 1,     /* levels up to this are for speed, */
	TRC_PACK_SMALL = 7,    /* from this on for size */
	TRC_PACK_EXTREME = 16, /* added to a level: every method is tried that the level may use */
	TRC_PACK_PATH = 32,    /* method: see above */
};

static inline int
trc_pack_level(int level)
{
	return level % TRC_PACK_EXTREME;
}

/* Appends `n` bytes at `raw`, packed, to `out`. Levels are 0 to 9 as xz has them. */
int trc_pack(const uint8_t *raw, size_t n, enum trc_pack_kind kind, int level, struct trc_buf *out,
             struct trc_err *err) TRC_MUST_USE;

/* How much time reading may take for fewer bytes: nanoseconds more for each byte less, and in all.
 * New. */
struct trc_pack_budget {
	uint64_t byte, most;
};

/* Packs again by models, which read slowly, a stream that trc_pack() put into `out`, alone, and
 * replaces it where what is saved is worth the time. */
int trc_pack_by_models(const uint8_t *raw, size_t n, enum trc_pack_kind kind, int level,
                       const struct trc_pack_budget *budget, struct trc_buf *out,
                       struct trc_err *err) TRC_MUST_USE;

/* A packed stream that is not unpacked yet (our own): views. */
struct trc_packed {
	size_t n; /* bytes when unpacked */
	uint8_t method;
	const uint8_t *p;
	size_t len;
};

/* Takes a packed stream from `v`. One that claims more than `most` bytes is refused. */
int trc_packed_take(struct trc_view *v, size_t most, struct trc_packed *s,
                    struct trc_err *err) TRC_MUST_USE;

/* Bytes that unpacking takes besides those of the stream: its tables. */
size_t trc_packed_memory(const struct trc_packed *s);

/* Puts the bytes of a stream in place of what `raw` held; those of method 32 as they are. */
int trc_packed_unpack(const struct trc_packed *s, struct trc_buf *raw,
                      struct trc_err *err) TRC_MUST_USE;

/* The same, of which only the bytes from `from` up to before `to` need be right: what comes behind
 * takes no time, and what comes before no memory, where it can be left out. */
int trc_packed_unpack_part(const struct trc_packed *s, size_t from, size_t to, struct trc_buf *raw,
                           struct trc_err *err) TRC_MUST_USE;

/* Both in one. */
int trc_unpack(struct trc_view *v, size_t most, struct trc_buf *raw,
               struct trc_err *err) TRC_MUST_USE;
int trc_unpack_part(struct trc_view *v, size_t most, size_t from, size_t to, struct trc_buf *raw,
                    struct trc_err *err) TRC_MUST_USE;

#endif
