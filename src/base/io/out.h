/* SPDX-License-Identifier: MIT
 *
 * Buffered output that is there whole or not at all. A file is written beside its target, under a
 * name of base/io/temporary.h, and renamed by trc_out_commit(); closing without commit removes it.
 * The target of a link is what it leads to. Standard output and targets that are no regular files
 * (/dev/null, a pipe) are written directly. All of it may be packed on its way.
 *
 * What this run reads is never replaced, by whatever name (base/io/reads.h): that is refused when
 * the output is opened, and again at its commit, for what was opened meanwhile.
 */
#ifndef TRC_BASE_IO_OUT_H
#define TRC_BASE_IO_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/io/packing.h"
#include "base/io/temporary.h"

enum { TRC_OUT_ROOM = 256 << 10 };

/* An output: a buffer in front of a file, packed on the way, or not. */
struct trc_out {
	uint8_t *p, *end; /* free room of the buffer; write at p and move it */
	const char *name; /* for messages */

	/* Private. */
	uint8_t *buf;
	uint64_t flushed;          /* bytes that left buf */
	struct trc_packer *packer; /* NULL: bytes are written without packing */
	uint8_t *packed;
	int fd;
	bool force, sync, over_input;
	char *path;                /* as the user gave it; NULL for standard output */
	struct trc_temporary part; /* none when written directly */
};

/* Opens `path`, "-" for standard output. A target that exists is refused unless `force`. */
struct trc_out *trc_out_open(const char *path, bool force, struct trc_err *err) TRC_MUST_USE;

/* The same for an output that has all of the input that it replaces, and replaces it. */
struct trc_out *trc_out_open_over_input(const char *path, struct trc_err *err) TRC_MUST_USE;

/* Packs all that will be written; nothing was yet. */
int trc_out_pack(struct trc_out *out, const struct trc_packing *row, int level,
                 struct trc_err *err) TRC_MUST_USE;

/* Makes room for at least `n` <= TRC_OUT_ROOM bytes at p. */
int trc_out_room(struct trc_out *out, size_t n, struct trc_err *err) TRC_MUST_USE;

/* Appends `n` bytes, any number. */
int trc_out_put(struct trc_out *out, const void *bytes, size_t n, struct trc_err *err) TRC_MUST_USE;

/* Writes what waits in the buffer, so that it is in the part file if the run is killed, and readers
 * of a pipe see it. */
int trc_out_flush(struct trc_out *out, struct trc_err *err) TRC_MUST_USE;

/* Bytes written so far, before packing. */
uint64_t trc_out_offset(const struct trc_out *out);

/* Leaves it to the system when what was written is stored: for files of a folder that is
 * synchronised as a whole, and for who asks for it. */
void trc_out_no_sync(struct trc_out *out);

/* Flushes and gives the file its name. Only now is the output there; it is there after a loss of
 * power, too. */
int trc_out_commit(struct trc_out *out, struct trc_err *err) TRC_MUST_USE;

/* Frees; what was not committed is removed. NULL is allowed. */
void trc_out_close(struct trc_out *out);

/* Makes it standard output, so that what is written there comes to this file. */
int trc_out_stand_in(struct trc_out *out, struct trc_err *err) TRC_MUST_USE;

/* True if the output is a terminal. */
bool trc_out_terminal(const struct trc_out *out);

#endif
