/* SPDX-License-Identifier: MIT */
#include "machine/bus/record.h"

#include "machine/bus/truth.h"

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

/* Writes back those of the `len` bytes at offset `from` of a page that the bus has not shown. */
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

/* Fills a line, whose bytes are given. */
static int
fill(struct trc_recorder *r, uint64_t count, enum trc_bus_agent agent, uint64_t addr,
     const uint8_t *line, struct trc_err *err)
{
	const struct trc_bus_record rec = { .type = TRC_BUS_FILL,
		                            .count = count,
		                            .key = agent,
		                            .addr = addr,
		                            .data = line,
		                            .len = TRC_RECORD_LINE };
	const struct trc_shadow_page *here = trc_shadow_find(&r->here, addr / TRC_SHADOW_PAGE);

	if (here && write_back(r, count, here, addr % TRC_SHADOW_PAGE, TRC_RECORD_LINE, err))
		return -1;
	if (trc_shadow_write(&r->there, addr, rec.data, rec.len, err) ||
	    trc_shadow_write(&r->here, addr, rec.data, rec.len, err))
		return -1;
	return trc_bus_put(r->bus, &rec, err);
}

/* Puts the page of these bytes into the direct-mapped table. */
static void
keep(struct trc_recorder *r, uint64_t addr)
{
	const uint64_t page = addr / TRC_SHADOW_PAGE;

	r->slot[page % TRC_RECORD_SLOTS] = trc_shadow_find(&r->here, page);
}

int
trc_record_saw(struct trc_recorder *r, uint64_t count, enum trc_bus_agent agent, uint64_t addr,
               const uint8_t *data, uint32_t len, struct trc_err *err)
{
	uint8_t line[TRC_RECORD_LINE];

	for (uint64_t at = addr, n; len > 0; at += n, data += n, len -= (uint32_t)n) {
		const uint64_t skip = at % TRC_RECORD_LINE, left = TRC_RECORD_LINE - skip;

		n = len < left ? len : left;
		if (trc_shadow_same(&r->here, at, data, (uint32_t)n))
			continue;
		memcpy(line, r->memory + (at - skip), sizeof(line));
		memcpy(line + skip, data, n);
		if (fill(r, count, agent, at - skip, line, err))
			return -1;
	}
	keep(r, addr);
	return 0;
}

int
trc_record_read(struct trc_recorder *r, uint64_t count, enum trc_bus_agent agent, uint64_t addr,
                uint32_t len, struct trc_err *err)
{
	return trc_record_saw(r, count, agent, addr, r->memory + addr, len, err);
}

int
trc_record_left(struct trc_recorder *r, uint64_t addr, const uint8_t *data, uint32_t len,
                struct trc_err *err)
{
	if (trc_shadow_write(&r->here, addr, data, len, err))
		return -1;
	keep(r, addr);
	return 0;
}

int
trc_record_write(struct trc_recorder *r, uint64_t addr, uint32_t len, struct trc_err *err)
{
	return trc_record_left(r, addr, r->memory + addr, len, err);
}

int
trc_record_move(struct trc_recorder *r, uint64_t count, uint64_t from, uint64_t to, uint64_t len,
                struct trc_err *err)
{
	const struct trc_bus_record rec = {
		.type = TRC_BUS_MOVE, .count = count, .key = len, .value = from, .addr = to
	};

	if (trc_shadow_move(&r->here, from, to, len, err) ||
	    trc_shadow_move(&r->there, from, to, len, err))
		return -1;
	return trc_bus_put(r->bus, &rec, err);
}

void
trc_record_rows(struct trc_recorder *r, const uint64_t *row, size_t n)
{
	uint64_t sum = 0, key = r->rows * TRC_TRUTH_KEY;

	for (size_t i = 0; i < n; i++, key += TRC_TRUTH_KEY)
		sum += trc_truth_half(row[i], key);
	r->rows += n;
	r->hash += sum * TRC_TRUTH_FACTOR;
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
