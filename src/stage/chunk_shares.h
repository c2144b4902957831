/* SPDX-License-Identifier: MIT
 *
 * A piece that several threads work on. One that is alone makes rows as it works on them, in its
 * cache, all of them as one chunk. When another comes, that chunk ends; from then on they read
 * lists by turns, each a chunk. So threads share no more than they have to, and none is idle at the
 * end.
 */
#ifndef TRC_STAGE_CHUNK_SHARES_H
#define TRC_STAGE_CHUNK_SHARES_H

#include "stage/chunk_parts.h"

/* Works on a piece until it has no more rows, or others can do that and there is something better
 * to do, as there always is for the caller. Called and left under the lock. */
void trc_chunk_share(struct trc_chunks *p, struct trc_chunk_place *place, bool caller);

/* A piece that is worked on; NULL if there is none. Under the lock. */
struct trc_chunk_place *trc_chunk_shared(struct trc_chunks *p);

#endif
