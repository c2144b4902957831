/* SPDX-License-Identifier: MIT */
#include "container/frame/protected.h"

#include <stdlib.h>

#include "container/frame/bands.h"
#include "container/frame/kinds.h"

void
trc_protected_release(struct trc_protected_out *p)
{
	trc_buf_release(&p->group);
}

int
trc_protected_frame(struct trc_protected_out *p, uint8_t kind, uint64_t number,
                    const struct trc_buf *payload, struct trc_err *err)
{
	const size_t at = p->group.n;

	if (p->percent == 0)
		return trc_frame_write(p->out, kind, number, payload, err);
	if (trc_frame_put(&p->group, kind, number, payload, err))
		return -1;
	return trc_out_put(p->out, p->group.p + at, p->group.n - at, err);
}

static int
write_frame(const struct trc_protected_out *p, const struct trc_bands *b, uint8_t *parity,
            unsigned nth, struct trc_err *err)
{
	const struct trc_buf bands = { .p = parity + trc_bands_first(b, nth) * b->band,
		                       .n = trc_bands_bytes(b, nth) };

	return trc_frame_write(p->out, TRC_KIND_BANDS, trc_bands_number(b, nth), &bands, err);
}

int
trc_protected_end(struct trc_protected_out *p, bool last, struct trc_err *err)
{
	struct trc_bands b;
	uint8_t *parity;
	int ret;

	if (p->group.n == 0 || (!last && p->group.n < TRC_BANDS_GROUP))
		return 0;
	if (p->group.n > UINT32_MAX)
		return trc_fail(err, "frames of 4 GiB cannot have parity; use --parity 0");
	b = trc_bands_choose(p->group.n, p->percent, last);
	parity = trc_alloc_room(b.parity, b.band, err);
	if (!parity)
		return -1;
	ret = trc_bands_parity(&b, p->group.p, parity, err);
	for (unsigned nth = 0; ret == 0 && nth < b.frames; nth++)
		ret = write_frame(p, &b, parity, nth, err);
	p->group.n = 0;
	free(parity);
	return ret;
}
