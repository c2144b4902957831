/* SPDX-License-Identifier: MIT
 *
 * General compression around a trace: recognised by content on input, chosen by name on output. A
 * row for each library; a row whose library was not there when trc was built still recognises its
 * files and names, and reports what is missing.
 */
#ifndef TRC_BASE_IO_PACKING_H
#define TRC_BASE_IO_PACKING_H

#include <stdbool.h>

#include "base/io/stream.h"

/* What the driver and a library's row share: the packed bytes that wait, and whether more will
 * come. `step` turns some of them into at most `cap` bytes at `dst`. */
struct trc_unpacker {
	struct trc_stream stream;
	const struct trc_packing *row;
	struct trc_stream *inner;
	uint8_t *in; /* packed bytes in[at..len) wait */
	size_t at, len;
	uint64_t fed; /* packed bytes that came, those that wait included */
	bool ended;   /* nothing comes after them */
	bool member;  /* inside a member: the end here would be a truncation */
	bool gave;    /* data came out */
	void *state;  /* the library's */

	/* Of an archive: the file that is to come out; "": the names of all files, each with a NUL
	 * at its end; NULL: the only file, or the chunks of one. */
	const char *file;
	bool found, done; /* it has begun, and it is out */
	bool several;     /* the only file has begun, */
	bool chunks;      /* one of its chunks */
	const char *name; /* what is left of a name to come out */
	size_t name_left;
};

enum trc_step {
	TRC_STEP_FAILED = -1,
	TRC_STEP_MORE,   /* call again, with more input if it was used up and nothing came */
	TRC_STEP_MEMBER, /* one member is complete; in input another may follow */
};

/* The same for the other direction. `pack_step` takes bytes from `src` and puts packed ones at
 * `dst`, moving both. */
struct trc_packer {
	const struct trc_packing *row;
	int level;
	const uint8_t *src;
	uint8_t *dst;
	size_t len, room; /* bytes left at src and dst */
	void *state;      /* the library's */
};

/* The row of a packing. */
struct trc_packing {
	const char *name;    /* "zst", as in --compress and the ending ".zst" */
	const char *program; /* "zstd", as in --compress, too; NULL: no other name */
	const char *library; /* what to install when the functions are NULL */
	uint8_t magic[6];
	size_t magic_len;
	int level, least, most; /* of packing: the default, and the bounds */
	bool unpacks_only, archive;

	int (*unpack_open)(struct trc_unpacker *u, struct trc_err *err);
	enum trc_step (*unpack_step)(struct trc_unpacker *u, uint8_t *dst, size_t cap, size_t *got,
	                             struct trc_err *err);
	void (*unpack_close)(struct trc_unpacker *u);
	/* Which part of what it has unpacked it has given, where it unpacks ahead; NULL: all. */
	double (*unpack_given)(const struct trc_unpacker *u);

	/* With `last`, what waits in the library is written too; TRC_STEP_MEMBER means that all of
	 * it is. The bytes depend on the level and what is packed, nothing else: not on the number
	 * of threads. */
	int (*pack_open)(struct trc_packer *p, struct trc_err *err);
	enum trc_step (*pack_step)(struct trc_packer *p, bool last, struct trc_err *err);
	void (*pack_close)(struct trc_packer *p);
};

extern const struct trc_packing trc_packing_xz, trc_packing_gz, trc_packing_bz2, trc_packing_zst,
        trc_packing_zip, trc_packing_zstf, trc_packing_tar, trc_packing_sz;

/* Bytes at the beginning that show what a tar archive is; all others show it with fewer. */
enum { TRC_PACKING_HEAD = 512 };
bool trc_packing_tar_is(const uint8_t *p, size_t len);

/* All rows: the first for NULL, NULL after the last. */
const struct trc_packing *trc_packing_next(const struct trc_packing *row);

/* The row whose magic begins the `len` bytes at `p`, or that is called by the `len` bytes at
 * `name`, by its own or its program's, or whose name ends `path`; NULL for none. */
const struct trc_packing *trc_packing_of(const uint8_t *p, size_t len);
/* Fails if they are packed by what is known, but not unpacked here, with a sentence that names
 * it. */
int trc_packing_refuse(const uint8_t *p, size_t len, struct trc_err *err) TRC_MUST_USE;
const struct trc_packing *trc_packing_named(const char *name, size_t len);
const struct trc_packing *trc_packing_ending(const char *path);

/* Sets *err to a message that the library of the row is missing; returns -1. */
int trc_packing_missing(const struct trc_packing *row, struct trc_err *err);

/* Wraps `inner`, whose first `len` bytes at `head` were read already, in its unpacker. `file` is as
 * in struct trc_unpacker, and has to outlive it. */
struct trc_stream *trc_unpack_open(const struct trc_packing *row, struct trc_stream *inner,
                                   const uint8_t *head, size_t len, const char *file,
                                   struct trc_err *err);

/* For archives: whether the file `name`, which has to stay until the step ends, is to come out. A
 * step that leaves names to come out ends there. */
int trc_unpack_takes(struct trc_unpacker *u, const char *name, bool *takes,
                     struct trc_err *err) TRC_MUST_USE;

/* Passes over *n packed bytes, or as many as have come; without reading them where that is
 * possible. */
int trc_unpack_pass(struct trc_unpacker *u, uint64_t *n, struct trc_err *err) TRC_MUST_USE;

/* Moves packed bytes behind the first *n at `dst`, until these are `want`; true if they are. */
bool trc_unpack_collect(struct trc_unpacker *u, uint8_t *dst, size_t *n, size_t want);

/* Opens a packer of the row at `level`. */
struct trc_packer *trc_pack_open(const struct trc_packing *row, int level,
                                 struct trc_err *err) TRC_MUST_USE;

/* NULL is allowed. */
void trc_pack_close(struct trc_packer *p);

#endif
