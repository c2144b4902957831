/* SPDX-License-Identifier: MIT
 *
 * General-purpose compression of a trace: recognised by content on input, selected by name on
 * output. There is a row for each library. If the library was missing when trc was built, the row
 * still recognises its files and names, and reports the missing library.
 */
#ifndef TRC_BASE_IO_PACKING_H
#define TRC_BASE_IO_PACKING_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/io/stream.h"

/* State shared by the driver and the row of a library: the packed bytes available, and whether more
 * will follow. `unpack_step` converts some of them to at most `cap` bytes at `dst`. */
struct trc_unpacker {
	struct trc_stream stream;
	const struct trc_packing *row;
	struct trc_stream *inner;
	uint8_t *in; /* packed bytes in[at..len) are available */
	size_t at, len;
	uint64_t fed; /* packed bytes read so far, including these */
	bool ended;   /* there are no more after these */
	bool member;  /* inside a member, where the end would mean truncation */
	bool gave;    /* some data was produced */
	void *state;  /* of the library: unpack_room bytes, or what unpack_open made */

	/* For archives: the file to extract; "": the list of all files, each name followed by a
	 * NUL; NULL: the only file, or the chunks of a trace. */
	const char *file;
	bool found, done; /* that file has begun; it is complete */
	bool several;     /* the only file has begun */
	bool chunks;      /* that file is a chunk */
	const char *name; /* the rest of a name to produce */
	size_t name_left;
};

enum trc_step {
	TRC_STEP_NO_MEMORY = -3,
	TRC_STEP_DAMAGED,
	TRC_STEP_FAILED, /* with a message */
	TRC_STEP_MORE,   /* call again, with more input if it got nothing done */
	TRC_STEP_MEMBER, /* a member is complete; another may follow in the input */
};

/* The same state for packing. `pack_step` takes bytes from `src` and writes packed ones to `dst`,
 * advancing both. */
struct trc_packer {
	const struct trc_packing *row;
	int level;
	const uint8_t *src;
	uint8_t *dst;
	size_t len, room; /* bytes left at src; at dst */
	void *state;      /* of the library: pack_room bytes, or what pack_open made */
};

/* A kind of packing. */
struct trc_packing {
	const char *name;    /* "zst", as in --compress and the ending ".zst" */
	const char *program; /* "zstd", also accepted by --compress; NULL: no other name */
	const char *library; /* package to install if the functions are NULL */
	uint8_t magic[6];
	size_t magic_len;
	int level, least, most; /* for packing: default, minimum and maximum */
	bool unpacks_only, archive;

	/* The state of the library, which is zeroed before a member; 0: unpack_open makes it. That
	 * returns false without memory; unpack_close, which may be NULL, accepts what it left. */
	size_t unpack_room, pack_room;
	bool (*unpack_open)(struct trc_unpacker *u);
	enum trc_step (*unpack_step)(struct trc_unpacker *u, uint8_t *dst, size_t cap, size_t *got,
	                             struct trc_err *err);
	void (*unpack_close)(struct trc_unpacker *u);
	/* Returns the fraction of the unpacked data that was delivered, if the library unpacks
	 * ahead; NULL: all. */
	double (*unpack_given)(const struct trc_unpacker *u);

	/* With `last`, also writes what is buffered in the library; TRC_STEP_MEMBER means that all
	 * is written. The result depends only on the level and the data, not on the number of
	 * threads. */
	bool (*pack_open)(struct trc_packer *p);
	enum trc_step (*pack_step)(struct trc_packer *p, bool last, struct trc_err *err);
	void (*pack_close)(struct trc_packer *p);
};

extern const struct trc_packing trc_packing_xz, trc_packing_gz, trc_packing_bz2, trc_packing_zst,
        trc_packing_zip, trc_packing_zstf, trc_packing_tar, trc_packing_sz;

/* Bytes needed to recognise a tar archive; other packings need fewer. */
enum { TRC_PACKING_HEAD = 512 };
bool trc_packing_tar_is(const uint8_t *p, size_t len);

/* Returns the next row: the first for NULL, NULL after the last. */
const struct trc_packing *trc_packing_next(const struct trc_packing *row);

/* Return the row whose magic begins the `len` bytes at `p`; that is named by the `len` bytes at
 * `name`, its own name or that of its program; or whose name ends `path`. NULL: none. */
const struct trc_packing *trc_packing_of(const uint8_t *p, size_t len);
/* Fails if the bytes are in a known packing that is not supported, and names it. */
int trc_packing_refuse(const uint8_t *p, size_t len, struct trc_err *err) TRC_MUST_USE;
const struct trc_packing *trc_packing_named(const char *name, size_t len);
const struct trc_packing *trc_packing_ending(const char *path);

/* Sets *err to a message that the library of the row is missing; returns -1. */
int trc_packing_missing(const struct trc_packing *row, struct trc_err *err);

/* Wraps `inner`, whose first `len` bytes `head` were read already, in its unpacker. `file` is as in
 * struct trc_unpacker, and must outlive it. */
struct trc_stream *trc_unpack_open(const struct trc_packing *row, struct trc_stream *inner,
                                   const uint8_t *head, size_t len, const char *file,
                                   struct trc_err *err);

/* For archives: sets *takes if the file `name` should be extracted. `name` must stay valid until
 * the step ends; a step ends if it has names to produce. */
int trc_unpack_takes(struct trc_unpacker *u, const char *name, bool *takes,
                     struct trc_err *err) TRC_MUST_USE;

/* Skips *n packed bytes, or as many as are available; without reading them if possible. */
int trc_unpack_pass(struct trc_unpacker *u, uint64_t *n, struct trc_err *err) TRC_MUST_USE;

/* Moves packed bytes to `dst` after the first *n, until there are `want`; returns true if there
 * are. */
bool trc_unpack_collect(struct trc_unpacker *u, uint8_t *dst, size_t *n, size_t want);

/* Opens a packer at `level`. */
struct trc_packer *trc_pack_open(const struct trc_packing *row, int level,
                                 struct trc_err *err) TRC_MUST_USE;

/* Packs `n` bytes at `src` into a whole that can be unpacked alone, appended to `dst`. */
int trc_pack_whole(struct trc_packer *p, const uint8_t *src, size_t n, struct trc_buf *dst,
                   struct trc_err *err) TRC_MUST_USE;

/* NULL is allowed. */
void trc_pack_close(struct trc_packer *p);

#endif
