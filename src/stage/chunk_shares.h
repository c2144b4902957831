/* SPDX-License-Identifier: MIT
 *
 * Lets several threads work on one slice. While a thread is alone, it makes the rows as it works on
 * them, in its cache, as a single chunk. When another thread joins, that chunk ends; from then on
 * the threads take turns reading lists, each of which is a chunk. So threads share no more than
 * necessary, and none is idle at the end.
 */
#ifndef TRC_STAGE_CHUNK_SHARES_H
#define TRC_STAGE_CHUNK_SHARES_H

#include "stage/chunk_parts.h"

/* Works on a slice until it has no more rows, or until others work on it and there is something
 * more urgent to do, which the caller always has. The lock is held on entry and on return. */
void trc_chunk_share(struct trc_chunks *p, struct trc_chunk_place *place, bool caller);

/* Returns a slice that is being worked on, or NULL. The lock is held. */
struct trc_chunk_place *trc_chunk_shared(struct trc_chunks *p);

#endif
