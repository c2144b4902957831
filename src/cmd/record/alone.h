/* SPDX-License-Identifier: MIT
 *
 * One process of those that a recorder of systems follows, and what the others are called.
 */
#ifndef TRC_CMD_RECORD_ALONE_H
#define TRC_CMD_RECORD_ALONE_H

#include "base/buf.h"
#include "batch/flow.h"

/* The references of the first process in `from`, through whatever it executes, without events. Puts
 * the programs that others execute into `names`, each with a NUL behind; *any: there were others.
 * Takes `from` over if it succeeds. */
struct trc_source *trc_record_alone(struct trc_source *from, struct trc_buf *names, bool *any,
                                    struct trc_err *err) TRC_MUST_USE;

#endif
