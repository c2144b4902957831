/* SPDX-License-Identifier: MIT
 * Frames of pages: what goes on from which block, and when it begins anew. */
#include "format/trc_pages.h"

#include "codec/flat.h"
#include "format/trc.h"

static void
forget(struct trc_paging *g)
{
	trc_pages_close(g->pages);
	g->pages = NULL;
	g->blocks = 0;
}

void
trc_paging_release(struct trc_paging *g)
{
	forget(g);
	trc_buf_release(&g->payload);
}

/* Makes the payload; *fits is false if there are too many pages. */
static int
make_payload(struct trc_paging *g, const struct trc_batch *rows, uint32_t have, uint64_t first,
             int level, bool *fits, struct trc_err *err)
{
	const uint8_t column = TRC_COL_VPN;
	struct trc_buf *b = &g->payload;

	if (!g->pages) {
		g->pages = trc_pages_open(err);
		g->began = first;
	}
	b->n = 0;
	if (!g->pages || trc_buf_put_num(b, have, err) || trc_buf_put(b, &column, 1, err) ||
	    trc_buf_put_num(b, first - g->began, err))
		return -1;
	return trc_pages_write(g->pages, rows->vpn, rows->n, level, b, fits, err);
}

int
trc_paging_make(struct trc_paging *g, const struct trc_batch *rows, uint32_t have, uint64_t first,
                int level, bool *taken, bool *fresh, struct trc_err *err)
{
	*taken = false;
	if (g->blocks == TRC_ANEW_BLOCKS || g->end != first)
		forget(g);
	/* Pages that were good for it go on while the table has room, and then anew. */
	while (!*taken) {
		const bool anew = !g->pages;
		bool good = true;

		if (anew && trc_flat_indexed(rows->vpn, rows->n, &good, err))
			return -1;
		if (good && make_payload(g, rows, have, first, level, taken, err))
			return -1;
		if (*taken)
			break;
		forget(g);
		if (anew)
			return 0;
	}
	*fresh = *fresh && g->began == first;
	g->end = first + rows->n;
	g->blocks++;
	return 0;
}
