/* SPDX-License-Identifier: MIT
 *
 * General compression, recognised by content. A row for each library; a row whose library was not
 * there when trc was built still recognises its files, and says what is missing.
 */
#ifndef TRC_BASE_UNPACK_H
#define TRC_BASE_UNPACK_H

#include <stdbool.h>

#include "base/stream.h"

/* What the driver and a library's row share: the packed bytes that wait, and whether more will
 * come. `step` turns some of them into at most `cap` bytes at `dst`. */
struct trc_unpacker {
	struct trc_stream stream;
	const struct trc_unpack *row;
	struct trc_stream *inner;
	uint8_t *in;     /* packed bytes in[at..len) wait */
	size_t at, len;
	uint64_t fed;    /* packed bytes that came, those that wait included */
	bool ended;      /* nothing comes after them */
	bool member;     /* inside a member: the end here would be a truncation */
	void *state;     /* the library's */
};

enum trc_step {
	TRC_STEP_FAILED = -1,
	TRC_STEP_MORE,   /* call again, with more input if it was used up and nothing came */
	TRC_STEP_MEMBER, /* one member is complete; another may follow */
};

struct trc_unpack {
	const char *name;    /* "xz", as in --compress and the ending ".xz" */
	const char *library; /* what to install when open is NULL */
	uint8_t magic[6];
	size_t magic_len;
	int (*open)(struct trc_unpacker *u, struct trc_err *err);
	enum trc_step (*step)(struct trc_unpacker *u, uint8_t *dst, size_t cap, size_t *got,
	                      struct trc_err *err);
	void (*close)(struct trc_unpacker *u);
};

extern const struct trc_unpack trc_unpack_xz, trc_unpack_gz, trc_unpack_bz2, trc_unpack_zst;

/* The row whose magic begins the `len` bytes at `p`, or NULL. */
const struct trc_unpack *trc_unpack_find(const uint8_t *p, size_t len);

/* The row called `name`, or NULL. */
const struct trc_unpack *trc_unpack_named(const char *name);

/* Wraps `inner`, whose first `len` bytes at `head` were read already, in its unpacker. */
struct trc_stream *trc_unpack_open(const struct trc_unpack *row, struct trc_stream *inner,
                                   const uint8_t *head, size_t len, struct trc_err *err);

#endif
