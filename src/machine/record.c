/* SPDX-License-Identifier: MIT */
#include "machine/record.h"

#include "machine/truth.h"

int
trc_recorder_init(struct trc_recorder *r, struct trc_bus_writer *bus, struct trc_err *err)
{
	*r = (struct trc_recorder){ .bus = bus };
	if (trc_shadow_init(&r->here, err))
		return -1;
	if (trc_shadow_init(&r->there, err) == 0)
		return 0;
	trc_shadow_release(&r->here);
	return -1;
}

void
trc_recorder_release(struct trc_recorder *r)
{
	trc_shadow_release(&r->here);
	trc_shadow_release(&r->there);
}

/* Writes back those of the `len` bytes from `from` of a page that the bus does not have. */
static int
write_back(struct trc_recorder *r, uint64_t count, const struct trc_shadow_page *here,
           uint32_t from, uint32_t len, struct trc_err *err)
{
	const struct trc_shadow_page *there = trc_shadow_find(&r->there, here->page);
	struct trc_bus_record rec = { .type = TRC_BUS_WRITE, .count = count };

	for (uint32_t i = from, n; i < from + len; i += n) {
		n = 1;
		if (!trc_shadow_is_known(here, i) ||
		    (there && trc_shadow_is_known(there, i) && there->byte[i] == here->byte[i]))
			continue;
		while (i + n < from + len && trc_shadow_is_known(here, i + n) &&
		       !(there && trc_shadow_is_known(there, i + n) &&
		         there->byte[i + n] == here->byte[i + n]))
			n++;
		rec.addr = here->page * TRC_SHADOW_PAGE + i;
		rec.data = here->byte + i;
		rec.len = n;
		if (trc_bus_put(r->bus, &rec, err) ||
		    trc_shadow_write(&r->there, rec.addr, rec.data, n, err))
			return -1;
		there = trc_shadow_find(&r->there, here->page);
	}
	return 0;
}

static int
show(struct trc_recorder *r, const struct trc_bus_record *fill, struct trc_err *err)
{
	const struct trc_shadow_page *here;

	for (uint32_t k = 0, n; k < fill->len; k += n) {
		const uint64_t addr = fill->addr + k;
		const uint32_t i = addr % TRC_SHADOW_PAGE;

		n = fill->len - k < TRC_SHADOW_PAGE - i ? fill->len - k : TRC_SHADOW_PAGE - i;
		here = trc_shadow_find(&r->here, addr / TRC_SHADOW_PAGE);
		if (here && write_back(r, fill->count, here, i, n, err))
			return -1;
	}
	if (trc_shadow_write(&r->there, fill->addr, fill->data, fill->len, err))
		return -1;
	return trc_bus_put(r->bus, fill, err);
}

int
trc_record_read(struct trc_recorder *r, uint64_t count, enum trc_bus_agent agent, uint64_t addr,
                const uint8_t *data, uint32_t len, struct trc_err *err)
{
	const struct trc_bus_record fill = { .type = TRC_BUS_FILL, .count = count, .key = agent,
		                             .addr = addr, .data = data, .len = len };

	if (TRC_LIKELY(trc_shadow_same(&r->here, addr, data, len)))
		return 0;
	if (show(r, &fill, err))
		return -1;
	return trc_shadow_write(&r->here, addr, data, len, err);
}

int
trc_record_write(struct trc_recorder *r, uint64_t addr, const uint8_t *data, uint32_t len,
                 struct trc_err *err)
{
	return trc_shadow_write(&r->here, addr, data, len, err);
}

void
trc_record_row(struct trc_recorder *r, uint64_t addr, bool store)
{
	r->hash += trc_truth_mix(addr ^ (uint64_t)store << 63, r->rows++);
}

int
trc_record_end(struct trc_recorder *r, uint64_t count, struct trc_err *err)
{
	struct trc_bus_record end = { .type = TRC_BUS_END, .count = count };

	for (size_t i = 0; i < r->here.n; i++)
		if (write_back(r, count, r->here.page[i], 0, TRC_SHADOW_PAGE, err))
			return -1;
	end.value = trc_shadow_digest(&r->here);
	return trc_bus_put(r->bus, &end, err);
}
