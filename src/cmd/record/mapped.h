/* SPDX-License-Identifier: MIT
 *
 * The files whose code a recorded process executes. They are known from the mappings in the kernel
 * events of the recorder of systems, and from the addresses of fetches.
 */
#ifndef TRC_CMD_RECORD_MAPPED_H
#define TRC_CMD_RECORD_MAPPED_H

#include "batch/event.h"
#include "cmd/record/program.h"

/* The mappings and files. [lo, hi) are the addresses around the last instruction that have the same
 * mapping, or none. */
struct trc_record_mapped {
	struct trc_mapped *mapping;
	size_t n, cap;
	struct trc_mapped_file *file;
	size_t files, file_cap;
	uint64_t lo, hi;
	uint64_t pc; /* of the last instruction */
};

/* A zeroed struct has no mappings. */
void trc_record_mapped_release(struct trc_record_mapped *m);

/* Applies an event of the process that maps or unmaps memory, or executes a program. */
int trc_record_mapped_event(struct trc_record_mapped *m, const struct trc_event *e,
                            struct trc_err *err) TRC_MUST_USE;

/* Removes all mappings, but not the files. */
void trc_record_mapped_clear(struct trc_record_mapped *m);

/* Adds the mappings of `from`, whose files are not executed yet, to one without mappings. */
int trc_record_mapped_copy(struct trc_record_mapped *m, const struct trc_record_mapped *from,
                           struct trc_err *err) TRC_MUST_USE;

/* Looks up the mapping of an instruction outside [lo, hi). */
int trc_record_mapped_find(struct trc_record_mapped *m, uint64_t pc,
                           struct trc_err *err) TRC_MUST_USE;

/* Notes that the instruction at `pc` is executed. */
static inline int
trc_record_mapped_fetch(struct trc_record_mapped *m, uint64_t pc, struct trc_err *err)
{
	m->pc = pc;
	return TRC_LIKELY(pc - m->lo < m->hi - m->lo) ? 0 : trc_record_mapped_find(m, pc, err);
}

/* Reads the last instruction from its file, if its mapping has one. */
void trc_record_mapped_last(const struct trc_record_mapped *m, struct trc_tracee_insn *is);

/* Calls each(of, path, offset, pc) for the files; their byte at `offset` was executed at `pc`. */
int trc_record_mapped_files(const struct trc_record_mapped *m,
                            int (*each)(void *of, const char *path, uint64_t offset, uint64_t pc,
                                        struct trc_err *err),
                            void *of, struct trc_err *err) TRC_MUST_USE;

#endif
