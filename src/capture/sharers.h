/* SPDX-License-Identifier: MIT
 *
 * Which processes have a page of private memory. After a fork two have it; who stores to it first
 * gets a copy, and who is left, since all others got copies, unmapped it or are gone, stores to the
 * page itself. Only processes that come from each other by forks share such pages, so what is kept
 * is theirs: it is in memory that a fork inherits, and that a program which is executed does not
 * have.
 *
 * A page is a number. Which page of this process has which is the caller's business, whose record
 * of that a fork copies as well.
 */
#ifndef TRC_CAPTURE_SHARERS_H
#define TRC_CAPTURE_SHARERS_H

#include <stdbool.h>
#include <stdint.h>

/* A page that may be anybody's, too. */
#define TRC_SHARERS_UNKNOWN 0

/* Before all others. */
void trc_sharers_open(void);

/* A new page, of this process alone; or TRC_SHARERS_UNKNOWN, if there have been too many. */
uint32_t trc_sharers_new(void);

/* This process is about to store to a page: true if another has it, and it is not this one's any
 * more. */
bool trc_sharers_leave(uint32_t page);

/* This process unmapped it. */
void trc_sharers_drop(uint32_t page);

/* True if there is another process that may have what this one has. */
bool trc_sharers_others(void);

/* In the child of a fork, before its parent goes on: it is another process; then, that it has each
 * of the pages that its parent has. */
void trc_sharers_forked(void);
void trc_sharers_join(uint32_t page);

/* This process gives up its memory, by its end or by executing a program; that failed. */
void trc_sharers_end(void);
void trc_sharers_resume(void);

/* Process `pid` is gone, perhaps without a word. */
void trc_sharers_gone(uint32_t pid);

#endif
