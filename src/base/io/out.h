/* SPDX-License-Identifier: MIT
 *
 * Buffered output that appears complete or not at all. A file is written next to its target, under
 * a temporary name (base/io/temporary.h), and renamed by trc_out_commit(); closing it without a
 * commit removes it. If the target is a link, the file it points to is the target. Standard output
 * and targets that are not regular files (/dev/null, a pipe) are written directly. Output may be
 * packed on the way.
 *
 * A file that this run reads is never replaced, under any name (base/io/reads.h). This is checked
 * when the output is opened, and again at its commit, because other inputs may have been opened
 * meanwhile.
 */
#ifndef TRC_BASE_IO_OUT_H
#define TRC_BASE_IO_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/io/packing.h"
#include "base/io/temporary.h"

enum { TRC_OUT_ROOM = 256 << 10 };

/* An output: a buffer in front of a file, optionally with packing in between. */
struct trc_out {
	uint8_t *p, *end; /* free room of the buffer: write at p and advance it */
	const char *name; /* for messages */

	/* Private. */
	uint8_t *buf;
	uint64_t flushed;          /* bytes that have left buf */
	struct trc_packer *packer; /* NULL: no packing */
	uint8_t *packed;
	int fd;
	bool force, sync, over_input;
	char *path;                /* as given by the user; NULL for standard output */
	struct trc_temporary part; /* unused if the output is written directly */
};

/* Opens `path` ("-": standard output). Refuses an existing target unless `force`. */
struct trc_out *trc_out_open(const char *path, bool force, struct trc_err *err) TRC_MUST_USE;

/* Does the same for an output that replaces its input and keeps all of it. */
struct trc_out *trc_out_open_over_input(const char *path, struct trc_err *err) TRC_MUST_USE;

/* Packs everything that will be written. Nothing may have been written yet. */
int trc_out_pack(struct trc_out *out, const struct trc_packing *row, int level,
                 struct trc_err *err) TRC_MUST_USE;

/* Makes room for at least `n` <= TRC_OUT_ROOM bytes at p. */
int trc_out_room(struct trc_out *out, size_t n, struct trc_err *err) TRC_MUST_USE;

/* Appends any number of bytes. */
int trc_out_put(struct trc_out *out, const void *bytes, size_t n, struct trc_err *err) TRC_MUST_USE;

/* Writes the contents of the buffer, so that they are in the temporary file if the process is
 * killed, and visible to the reader of a pipe. */
int trc_out_flush(struct trc_out *out, struct trc_err *err) TRC_MUST_USE;

/* Returns true if the output is a new file or /dev/null, whose bytes that have left the buffer can
 * be written anew; trc_out_rewrite() does that with `n` bytes `at` an offset. */
bool trc_out_rewritable(const struct trc_out *out);
int trc_out_rewrite(struct trc_out *out, uint64_t at, const void *bytes, size_t n,
                    struct trc_err *err) TRC_MUST_USE;

/* Returns the bytes written so far, before packing. */
uint64_t trc_out_offset(const struct trc_out *out);

/* Lets the system decide when the output is stored: for files in a folder that is synchronised as a
 * whole, and at the user's request. */
void trc_out_no_sync(struct trc_out *out);

/* Flushes and gives the file its name. Only now does the output exist, and it survives a loss of
 * power. */
int trc_out_commit(struct trc_out *out, struct trc_err *err) TRC_MUST_USE;

/* Frees the output, and removes it unless committed. NULL is allowed. */
void trc_out_close(struct trc_out *out);

/* Makes the output standard output, so what is written there goes to this file. */
int trc_out_replace_stdout(struct trc_out *out, struct trc_err *err) TRC_MUST_USE;

/* Returns true if the output is a terminal. */
bool trc_out_terminal(const struct trc_out *out);

#endif
