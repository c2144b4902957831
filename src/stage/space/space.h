/* SPDX-License-Identifier: MIT
 *
 * Tasks, processes, address spaces, and what is mapped where at every moment of a trace, learned
 * from its kernel events (S. F. Kaplan, "Laplace: Per-Process Merge Format"). It gives the
 * canonical page behind each reference: a number that names a page once and for all, whatever its
 * virtual addresses, handed out from 1 in the order of first reference; to a copy on write, when it
 * is forked or moved, if that is earlier. Pages are the same if they are
 *
 *   of a file        the same page of the same (device, inode); until the file is deleted, or
 *                    truncated before that page
 *   shared memory    the same page of the same segment; until that is destroyed
 *   anonymous        touched before a fork, and not copied on write since
 *
 * What the published description leaves open is settled so: an anonymous page that nobody touched
 * before a fork is none yet, and each process gets its own. A reference outside of all mappings is
 * to an anonymous page; one by the kernel, to a page of the kernel's own, the same in all spaces. A
 * process is what a task became that got an address space of its own; other tasks that were forked
 * belong to the process of their parent. Tasks without an event for their start have been there
 * before. A pid that is forked again is another task (stage/space/lives.h). A space whose last task
 * exited begins anew when a task gets it.
 */
#ifndef TRC_STAGE_SPACE_SPACE_H
#define TRC_STAGE_SPACE_SPACE_H

#include <stdbool.h>

#include "base/base.h"
#include "stage/space/recent.h"

struct trc_spaces;

struct trc_spaces *trc_spaces_open(unsigned page_bits, struct trc_err *err) TRC_MUST_USE;
void trc_spaces_close(struct trc_spaces *s);

/* Applies the kernel event `text`. *task becomes the task that it names first, or if it names none
 * the running one, 0 if that is not known. */
int trc_spaces_event(struct trc_spaces *s, const char *text, uint32_t *task,
                     struct trc_err *err) TRC_MUST_USE;

/* The task that runs; *known false before the first event that names one. */
uint32_t trc_spaces_running(const struct trc_spaces *s, bool *known);

/* The process of a task: the task that it began with. Tasks are as of stage/space/lives.h. */
uint64_t trc_spaces_process(const struct trc_spaces *s, uint64_t task);

/* The table of the last translations, for trc_spaces_page(). */
const struct trc_spaces_recent *trc_spaces_recent(const struct trc_spaces *s);

/* The canonical page of a page of a space; 0 if that fails. */
uint32_t trc_spaces_translate(struct trc_spaces *s, uint32_t space, uint64_t page, bool kernel,
                              struct trc_err *err);

/* The same, fast for pages touched lately. */
static inline uint32_t
trc_spaces_page(struct trc_spaces *s, const struct trc_spaces_recent *recent, uint32_t space,
                uint64_t page, bool kernel, struct trc_err *err)
{
	const uint64_t key = kernel ? ~page : page;
	const struct trc_spaces_recent *r = &recent[trc_spaces_slot(space, key)];

	if (TRC_LIKELY(r->number && r->key == key && r->space == space))
		return r->number;
	return trc_spaces_translate(s, space, page, kernel, err);
}

#endif
