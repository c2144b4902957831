/* SPDX-License-Identifier: MIT
 *
 * Tasks, processes, address spaces and their mappings at every moment of a trace, derived from its
 * kernel events (S. F. Kaplan, "Laplace: Per-Process Merge Format"). The result is the canonical
 * page of each reference: a number that identifies a page permanently, whatever its virtual
 * addresses. Numbers are assigned from 1 in the order of first reference; the copy made by a copy
 * on write gets its number when it is forked or moved, if that is earlier. Pages are the same if
 * they are
 *
 *   of a file        the same page of the same (device, inode), until the file is deleted, or
 *                    truncated before that page
 *   shared memory    the same page of the same segment, until that is destroyed
 *   anonymous        touched before a fork, and not copied on write since
 *
 * The published description leaves some cases open, which are decided as follows. An anonymous page
 * that was not touched before a fork does not exist yet, so each process gets its own. A reference
 * outside all mappings is to an anonymous page; if the kernel makes it, to a page of the kernel
 * that is the same in all spaces. A task that gets an address space of its own becomes a process;
 * other forked tasks belong to the process of their parent. Tasks without an event for their start
 * existed before. A pid that is forked again is another task (stage/space/lives.h). A space whose
 * last task exited starts empty when a task gets it.
 */
#ifndef TRC_STAGE_SPACE_SPACE_H
#define TRC_STAGE_SPACE_SPACE_H

#include <stdbool.h>

#include "base/base.h"
#include "stage/space/recent.h"

struct trc_spaces;

struct trc_spaces *trc_spaces_open(unsigned page_bits, struct trc_err *err) TRC_MUST_USE;
void trc_spaces_close(struct trc_spaces *s);

/* Applies the kernel event `text`. Sets *task to the first task that it names or, if it names none,
 * to the running task, which is 0 if unknown. */
int trc_spaces_event(struct trc_spaces *s, const char *text, uint32_t *task,
                     struct trc_err *err) TRC_MUST_USE;

/* Returns the running task; *known is false before the first event that names it. */
uint32_t trc_spaces_running(const struct trc_spaces *s, bool *known);

/* Returns the process of a task, which is the task that the process began with. Tasks are those of
 * stage/space/lives.h. */
uint64_t trc_spaces_process(const struct trc_spaces *s, uint64_t task);

/* Returns the table of recent translations, for trc_spaces_page(). */
const struct trc_spaces_recent *trc_spaces_recent(const struct trc_spaces *s);

/* Returns the canonical page of a page of an address space; 0 if that fails. */
uint32_t trc_spaces_translate(struct trc_spaces *s, uint32_t space, uint64_t page, bool kernel,
                              struct trc_err *err);

/* Does the same, fast for recently touched pages. */
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
