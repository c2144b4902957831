/* SPDX-License-Identifier: MIT
 *
 * The writer of DynamoRIO's traces, shared by drmemtrace_write.c and by drmemtrace_head.c, which
 * writes the header.
 */
#ifndef TRC_FORMAT_BINARY_DRMEMTRACE_WRITE_H
#define TRC_FORMAT_BINARY_DRMEMTRACE_WRITE_H

#include "base/bytes.h"
#include "format/binary/drmemtrace.h"
#include "format/binary/instruction_table.h"

/* The sink of the writer, and what it knows of the reader. */
struct trc_drmemtrace_writer {
	struct trc_sink sink;
	struct trc_out *out;
	struct trc_buf buf;  /* entries that are not written yet */
	struct trc_buf meta; /* the provenance, for the header */
	uint32_t have;
	bool core;
	bool leaves; /* out events of other tracers */
	bool pads;   /* instruction words, which are those of x86; leaves out times */
	uint64_t rows;

	/* The header. */
	bool begun, made_up, regdeps;
	bool strange; /* from another machine than x86-64 */
	unsigned version;
	uint64_t filetype;
	size_t filetype_at; /* position of the file type until the first reference; 0: decided */

	/* The state that the reader will have. */
	uint32_t task, asid;
	bool has_process, exited, kernel;
	uint64_t time, stamp; /* the last timestamp, which DynamoRIO sees */
	uint64_t pc, window, fetches;
	struct trc_insns insns;

	/* The last instruction. */
	bool waits;         /* for the next instruction */
	bool by_path;       /* a branch if the next one is elsewhere */
	size_t hold, at;    /* positions of its first entry, and of its instruction entry */
	unsigned type;      /* type of its entry */
	uint64_t fall;      /* the address after it */
	bool branches;      /* no timestamp may follow it */
	uint64_t next;      /* address of the next fetch; 0: any */
	uint64_t next_user; /* the same for the last one outside of the kernel */
};

/* Appends an entry; the buffer has room for those of a row. */
static inline void
trc_drmemtrace_put(struct trc_drmemtrace_writer *s, unsigned type, unsigned size, uint64_t v)
{
	uint8_t *p = s->buf.p + s->buf.n;

	trc_put_le16(p, (uint16_t)type);
	trc_put_le16(p + 2, (uint16_t)size);
	trc_put_le64(p + 4, v);
	s->buf.n += ENTRY;
}

static inline void
trc_drmemtrace_marker(struct trc_drmemtrace_writer *s, enum marker marker, uint64_t v)
{
	trc_drmemtrace_put(s, MARKER, marker, v);
}

/* Returns a thread or process as DynamoRIO requires it: there 0 is none, and -1 is that of an idle
 * processor. */
static inline uint64_t
trc_drmemtrace_number(uint32_t v)
{
	return v == 0 ? OWN_ZERO : v == UINT32_MAX ? UINT64_MAX : v;
}

/* Returns true if fetches, or loads and stores, were filtered. */
static inline bool
trc_drmemtrace_filtered(const struct trc_drmemtrace_writer *s)
{
	return s->filetype & (FILTERED | FETCHES_FILTERED);
}

/* Writes the header, or the entries before the markers of the header that the trace has. `b` is
 * NULL in a trace without rows. */
void trc_drmemtrace_begin(struct trc_drmemtrace_writer *s, const struct trc_batch *b, size_t i);

/* Drops instruction words of REGDEPS, which are not those of x86, if words are padded. */
void trc_drmemtrace_leave_words(struct trc_drmemtrace_writer *s);

/* Called with the first reference, or at the end: decides the file type. */
void trc_drmemtrace_settle(struct trc_drmemtrace_writer *s, bool fetch);

#endif
