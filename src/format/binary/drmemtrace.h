/* SPDX-License-Identifier: MIT
 *
 * The numbers of entries and markers in DynamoRIO's traces, for reading and writing: drmemtrace.c
 * describes the format.
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

	/* Ours, with numbers that DynamoRIO leaves to its users: its tools skip them. */
	/* Columns of the trace, and whether all entries before it are made up. */
	OWN_COLUMNS = 29810,
	OWN_QUIET, /* the next entry is made up */
	OWN_TIME,  /* time of what follows, if a timestamp is not allowed */
	OWN_PC,    /* pc of the following references, if it is not that of the last fetch */
};

#define OWN_HEAD (UINT64_C(1) << 63) /* the flag in OWN_COLUMNS */
#define OWN_ZERO (UINT64_C(1) << 32) /* thread or process 0, which DynamoRIO does not have */

enum {
	VERSION_OF_BRANCHES = 5, /* the first with outcomes of branches */
	VERSION_NEWEST = 7,
};

/* Bits of the file type. */
enum {
	FILTERED = 0x1, /* in some of the first versions */
	AARCH64 = 0x8,
	ARM_32 = 0x10,
	X86_32 = 0x20,
	X86_64 = 0x40,
	FETCHES_FILTERED = 0x80, /* in these, no version has outcomes of branches */
	ENCODINGS = 0x200,
	CORE_SHARDED = 0x10000, /* threads take turns */
	REGDEPS = 0x20000, /* encodings of an artificial architecture that hides the real one */
};

/* Returns true if a header is at `p`, followed by valid entries. */
bool trc_drmemtrace_header(const uint8_t *p, size_t n);

/* Like the functions of struct trc_format. */
unsigned trc_drmemtrace_probe(const uint8_t *p, size_t n, bool whole);
bool trc_drmemtrace_suggest(const uint8_t *p, size_t n, char *dst, size_t room);

/* Returns the value of an entry among the first ones, which are markers, thread and process; 0:
 * none. */
uint64_t trc_drmemtrace_find(const struct trc_in *in, enum type wanted, enum marker marker);

/* Appends what the first entries record about the trace; `type` is the file type. A header that trc
 * made up has only the machine. */
int trc_drmemtrace_origin(const struct trc_in *in, uint64_t type, bool made_up,
                          struct trc_buf *origin, struct trc_err *err) TRC_MUST_USE;

/* Column branch of an instruction by the type of its entry; 0 if it is not a branch. */
extern const uint8_t trc_drmemtrace_branch[TYPES];

/* Returns the type of entry of a fetch with this branch; 0: there is none. */
unsigned trc_drmemtrace_fetch(uint8_t branch);

/* An entry that becomes an event, or was one. */
struct entry {
	unsigned type, marker; /* for MARKER, else 0 */
	uint64_t v, size;      /* size of a flush */
};

/* Writes the text of the event of an entry to `dst`; "" if it has none. */
enum { EVENT_ROOM = 96 };
void trc_drmemtrace_event(const struct entry *e, char dst[EVENT_ROOM]);

/* Parses the text of an event; returns false if it is not one of an entry. */
bool trc_drmemtrace_entry(const char *text, struct entry *e);

/* The contents of an encoding of REGDEPS. */
struct trc_regdeps {
	uint64_t regs, insn; /* columns */
	bool more;           /* more registers than the column holds */
};

/* Parses the `n` bytes at `p`, of an instruction with this column branch. */
int trc_drmemtrace_regdeps(const uint8_t *p, unsigned n, uint8_t branch, struct trc_regdeps *is,
                           struct trc_err *err) TRC_MUST_USE;

extern const struct trc_format_args trc_drmemtrace_to;

/* The member `sink` of the format. */
struct trc_sink *trc_drmemtrace_sink(struct trc_out *out, uint32_t have,
                                     const struct trc_meta *meta, const void *settings,
                                     struct trc_err *err);

#endif
