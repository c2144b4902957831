/* SPDX-License-Identifier: MIT
 *
 * The column of pages of a container, where it goes on from block to block: writing its frames.
 */
#ifndef TRC_FORMAT_TRC_PAGES_H
#define TRC_FORMAT_TRC_PAGES_H

#include "base/buf.h"
#include "batch/batch.h"
#include "codec/pages.h"

struct trc_paging {
	struct trc_pages *pages; /* NULL: begins anew */
	uint64_t began, end;     /* rows of the container that went through it */
	unsigned blocks;
	struct trc_buf payload;
};

void trc_paging_release(struct trc_paging *g);

/* Makes the payload of the frame of the pages of a block, the first row of which is row `first`,
 * unless they are better packed otherwise: *taken. *fresh becomes false if the frame needs those
 * before it. */
int trc_paging_make(struct trc_paging *g, const struct trc_batch *rows, uint32_t have,
                    uint64_t first, int level, bool *taken, bool *fresh,
                    struct trc_err *err) TRC_MUST_USE;

#endif
