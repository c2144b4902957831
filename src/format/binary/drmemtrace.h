/* SPDX-License-Identifier: MIT
 *
 * The entries of DynamoRIO's traces and their markers by number, for reading and for writing them:
 * drmemtrace.c has the form.
 */
#ifndef TRC_FORMAT_BINARY_DRMEMTRACE_H
#define TRC_FORMAT_BINARY_DRMEMTRACE_H

#include "format/format.h"

enum {
	ENTRY = 12,
	DRMEMTRACE_HOLDS = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TIME |
	                   TRC_HAS_ASID | TRC_HAS_TASK | TRC_HAS_PC | TRC_HAS_INSN |
	                   TRC_HAS_BRANCH | TRC_HAS_EVENT,
	DRMEMTRACE_TYPES = 1 << TRC_READ | 1 << TRC_WRITE | 1 << TRC_FETCH | 1 << TRC_PREFETCH |
	                   1 << TRC_INVALIDATE
};

enum type {
	READ,
	WRITE,
	PREFETCH_FIRST = 2,
	PREFETCH_LAST = 9,
	INSTR = 10,
	DIRECT_JUMP,
	INDIRECT_JUMP,
	CONDITIONAL_JUMP,
	DIRECT_CALL,
	INDIRECT_CALL,
	RETURN,
	BUNDLE,
	INSTR_FLUSH,
	INSTR_FLUSH_END,
	DATA_FLUSH,
	DATA_FLUSH_END,
	THREAD,
	THREAD_EXIT,
	PROCESS,
	HEADER,
	FOOTER,
	HARDWARE_PREFETCH,
	MARKER,
	NO_FETCH,
	MAYBE_FETCH,
	SYSENTER,
	MORE_PREFETCH_FIRST = 32,
	MORE_PREFETCH_LAST = 46,
	ENCODING,
	TAKEN_JUMP,
	UNTAKEN_JUMP,
	TYPES,
};

enum marker {
	KERNEL_EVENT,
	KERNEL_XFER,
	TIMESTAMP,
	CPU,
	FILETYPE = 9,
	CACHE_LINE_SIZE,
	INSTRUCTION_COUNT,
	VERSION,
	WINDOW = 14,
	PAGE_SIZE = 18,
	CHUNK_INSTR_COUNT = 20,
	CHUNK_FOOTER,
	SYSCALL_START = 27,
	SYSCALL_END,
	BRANCH_TARGET,
	SWITCH_START = 34,
	SWITCH_END,
	HARDWARE_EVENT = 43,
	HARDWARE_RETURN,

	/* Ours, of the numbers that DynamoRIO leaves to others: its tools pass them over. */
	OWN_COLUMNS = 29810, /* those that the trace had, and whether all before it is made up */
	OWN_QUIET,           /* the next entry is made up */
	OWN_TIME,            /* of what follows, where a timestamp may not stand */
	OWN_PC,              /* of the references that follow, not that of the last fetch */
};

#define OWN_HEAD (UINT64_C(1) << 63) /* the flag of OWN_COLUMNS */
#define OWN_ZERO (UINT64_C(1) << 32) /* thread or process 0, which DynamoRIO has none of */

enum {
	VERSION_OF_BRANCHES = 5, /* the first that has their outcomes */
	VERSION_NEWEST = 7,
};

/* Bits of the file type. */
enum {
	FILTERED = 0x1, /* as some of the first versions have it */
	AARCH64 = 0x8,
	ARM_32 = 0x10,
	X86_32 = 0x20,
	X86_64 = 0x40,
	FETCHES_FILTERED = 0x80, /* no version has outcomes of these */
	ENCODINGS = 0x200,
	CORE_SHARDED = 0x10000, /* threads that take turns */
	REGDEPS = 0x20000,      /* encodings of an architecture made up to hide the true one */
};

/* True if a header stands at `p`, and behind it what may stand there. */
bool trc_drmemtrace_header(const uint8_t *p, size_t n);

/* As struct trc_format has them. */
unsigned trc_drmemtrace_probe(const uint8_t *p, size_t n, bool whole);
bool trc_drmemtrace_suggest(const uint8_t *p, size_t n, char *dst, size_t room);

/* The value of an entry among the first ones, which are markers, thread and process; 0 for none. */
uint64_t trc_drmemtrace_find(const struct trc_in *in, enum type wanted, enum marker marker);

/* Appends what the first entries have of the recording; `type` is the file type. */
int trc_drmemtrace_origin(const struct trc_in *in, uint64_t type, struct trc_buf *origin,
                          struct trc_err *err) TRC_MUST_USE;

/* An entry that becomes an event, or was one. */
struct entry {
	unsigned type, marker; /* of MARKER, else 0 */
	uint64_t v, size;      /* the size of flushes */
};

/* Puts the text of the event that an entry becomes into `dst`; "" if it becomes none. */
enum { EVENT_ROOM = 96 };
void trc_drmemtrace_event(const struct entry *e, char dst[EVENT_ROOM]);

/* The entry of which this is the text; false if it is that of none. */
bool trc_drmemtrace_entry(const char *text, struct entry *e);

/* What an encoding of REGDEPS has. */
struct trc_regdeps {
	uint64_t regs, insn; /* columns */
	bool more;           /* registers than column regs has room for */
};

/* Finds it in the `n` bytes at `p`, of an instruction with this column branch. */
int trc_drmemtrace_regdeps(const uint8_t *p, unsigned n, uint8_t branch, struct trc_regdeps *is,
                           struct trc_err *err) TRC_MUST_USE;

extern const struct trc_format_args trc_drmemtrace_to;

struct trc_sink *trc_drmemtrace_sink(struct trc_out *out, uint32_t have,
                                     const struct trc_meta *meta, const void *settings,
                                     struct trc_err *err);

#endif
