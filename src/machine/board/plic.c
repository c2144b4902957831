/* SPDX-License-Identifier: MIT
 *
 * The interrupt controller: selects the most urgent of the raised lines.
 */
#include "machine/board/device.h"

enum {
	PENDING = 0x1000,
	ENABLED = 0x2000,
	ENABLED_STEP = 0x80,
	CONTEXT = 0x200000,
	CONTEXT_STEP = 0x1000,
	CONTEXT_CLAIM = 4,
};

/* Returns the source that context `c` would claim; 0: none. */
static uint32_t
best_of(const struct trc_plic *p, unsigned c)
{
	const uint32_t pending = p->raised & ~p->claimed & p->enabled[c];
	uint32_t best = 0;

	for (uint32_t i = 1; i < TRC_PLIC_SOURCES; i++)
		if (pending >> i & 1 && p->priority[i] > (best ? p->priority[best] : 0))
			best = i;
	return best;
}

bool
trc_plic_interrupts(const struct trc_plic *p, unsigned c)
{
	return p->priority[best_of(p, c)] > p->threshold[c];
}

static uint32_t
claim(struct trc_plic *p, unsigned c)
{
	const uint32_t source = best_of(p, c);

	if (source)
		p->claimed |= UINT32_C(1) << source;
	return source;
}

uint32_t
trc_plic_load(struct trc_plic *p, uint32_t offset)
{
	const uint32_t c = (offset - CONTEXT) / CONTEXT_STEP, e = (offset - ENABLED) / ENABLED_STEP;

	if (offset < 4 * TRC_PLIC_SOURCES)
		return p->priority[offset / 4];
	if (offset == PENDING)
		return p->raised & ~p->claimed;
	if (offset >= CONTEXT && c < TRC_PLIC_CONTEXTS) {
		if (offset % CONTEXT_STEP == 0)
			return p->threshold[c];
		return offset % CONTEXT_STEP == CONTEXT_CLAIM ? claim(p, c) : 0;
	}
	if (offset >= ENABLED && e < TRC_PLIC_CONTEXTS && offset % ENABLED_STEP == 0)
		return p->enabled[e];
	return 0;
}

void
trc_plic_store(struct trc_plic *p, uint32_t offset, uint32_t value)
{
	const uint32_t c = (offset - CONTEXT) / CONTEXT_STEP, e = (offset - ENABLED) / ENABLED_STEP;

	if (offset < 4 * TRC_PLIC_SOURCES) {
		if (offset >= 4)
			p->priority[offset / 4] = value & 7;
	} else if (offset >= CONTEXT && c < TRC_PLIC_CONTEXTS) {
		if (offset % CONTEXT_STEP == 0)
			p->threshold[c] = value & 7;
		else if (offset % CONTEXT_STEP == CONTEXT_CLAIM && value < TRC_PLIC_SOURCES)
			p->claimed &= ~(UINT32_C(1) << value);
	} else if (offset >= ENABLED && e < TRC_PLIC_CONTEXTS && offset % ENABLED_STEP == 0) {
		p->enabled[e] = value & ~UINT32_C(1);
	}
}
