/* SPDX-License-Identifier: MIT
 *
 * Which processes share a page of private memory. After a fork two processes have it. A process
 * that stores to it first gets a copy; the last one that has it, since all others got copies,
 * unmapped it or ended, stores to the page itself. Only processes that descend from each other by
 * forks share such pages. So these data are in memory that a fork inherits, and that an executed
 * program does not have.
 *
 * A page is identified by a number. The caller records which page of this process has which number;
 * a fork copies that record, too.
 */
#ifndef TRC_CAPTURE_SHARERS_H
#define TRC_CAPTURE_SHARERS_H

#include <stdbool.h>
#include <stdint.h>

/* A page that any process may have. */
#define TRC_SHARERS_UNKNOWN 0

/* Call it before all others. */
void trc_sharers_open(void);

/* Returns a new page, which only this process has, or TRC_SHARERS_UNKNOWN if there are too many. */
uint32_t trc_sharers_new(void);

/* Call it before this process stores to a page. Returns true if another process has it, and this
 * one does not have it any more. */
bool trc_sharers_leave(uint32_t page);

/* This process unmapped the page. */
void trc_sharers_drop(uint32_t page);

/* Returns true if another process may have pages of this one. */
bool trc_sharers_others(void);

/* For the child of a fork, before its parent continues: the first makes it a process of its own,
 * the second notes a page that it has from its parent. */
void trc_sharers_forked(void);
void trc_sharers_join(uint32_t page);

/* Call these when this process gives up its memory, because it ends or executes a program; and when
 * executing failed. */
void trc_sharers_end(void);
void trc_sharers_resume(void);

/* Process `pid` is gone, perhaps without notice. */
void trc_sharers_gone(uint32_t pid);

#endif
