/* SPDX-License-Identifier: MIT
 *
 * What TRC_HART_SHOWN adds: reports of executed instructions, and where the data of a run were.
 * Blocks and translations are kept as always, so that little is lost of their speed. A fetch is
 * reported when a block is left in a way that is not linked yet.
 */
#include "machine/hart/core.h"
#include "base/map_find.h"

#include <stdlib.h>

static void
show(struct trc_core *core, uint64_t page, unsigned offset, unsigned len)
{
	struct trc_port *port = core->h.port;

	port->seen(port, &core->h, TRC_SEEN_FETCH, page << TRC_GUEST_PAGE_BITS | offset, len);
}

/* Reports `len` bytes from `off` bytes after the beginning of the running block. Only an
 * instruction at the end of the page crosses into the next one. */
static void
show_piece(struct trc_core *core, uint64_t off, unsigned len)
{
	const uint64_t va = core->base + off;
	const unsigned offset = va % TRC_GUEST_PAGE, left = TRC_GUEST_PAGE - offset;
	struct trc_page *next;

	show(core, core->running->page, offset, len < left ? len : left);
	if (len <= left)
		return;
	next = trc_core_fetched(core, va + left);
	if (next)
		show(core, next->number, 0, len - left);
	else
		core->shown.doubtful = true;
}

void
trc_shown_exit(struct trc_core *core, const struct trc_exit *exit)
{
	const struct trc_block *b = core->running;
	uint64_t first = 0;
	unsigned len = 0;

	for (unsigned i = 0; i < exit->rows; i++) {
		if (b->type[i] != TRC_FETCH)
			continue;
		if (len > 0 && b->off[i] != first + len) {
			show_piece(core, first, len);
			len = 0;
		}
		first = len ? first : b->off[i];
		len += b->size[i];
	}
	if (len > 0)
		show_piece(core, first, len);
}

static unsigned
context(const struct trc_core *core)
{
	return (unsigned)(core->tlb - core->context);
}

void
trc_shown_begin(struct trc_core *core)
{
	core->shown.context = context(core);
	core->shown.generation = core->generation;
}

bool
trc_shown_moved(const struct trc_core *core)
{
	return core->shown.context != context(core) || core->shown.generation != core->generation;
}

/* Whoever looks later cannot know when a translation changed that nothing had to forget. */
void
trc_shown_map(struct trc_core *core, uint64_t va, uint64_t pa)
{
	struct trc_shown *s = &core->shown;
	const uint64_t page = va >> TRC_GUEST_PAGE_BITS;
	const struct trc_map_entry *e = trc_map_find(&s->map, context(core), page);
	struct trc_shown_page is = { pa >> TRC_GUEST_PAGE_BITS, core->generation };
	struct trc_err err;

	if (e->value != TRC_MAP_NONE) {
		struct trc_shown_page *was = &s->page[e->value];

		s->doubtful |= was->number != is.number && was->generation == is.generation;
		*was = is;
	} else if (trc_grow(&s->page, &s->pages_cap, s->pages + 1, sizeof(is), &err) ||
	           trc_map_add(&s->map, context(core), page, (uint32_t)s->pages, &err)) {
		s->doubtful = true;
	} else {
		s->page[s->pages++] = is;
	}
}

uint64_t
trc_hart_translation(const struct trc_hart *h)
{
	const struct trc_shown *s = &((const struct trc_core *)h)->shown;

	return s->generation * TRC_HART_CONTEXTS + s->context;
}

bool
trc_hart_physical(const struct trc_hart *h, uint64_t va, uint64_t *pa)
{
	const struct trc_shown *s = &((const struct trc_core *)h)->shown;
	const struct trc_map_entry *e;

	*pa = va;
	if (h->flags & TRC_HART_USER)
		return true;
	e = trc_map_find(&s->map, s->context, va >> TRC_GUEST_PAGE_BITS);
	if (e->value == TRC_MAP_NONE)
		return false;
	*pa = s->page[e->value].number << TRC_GUEST_PAGE_BITS | va % TRC_GUEST_PAGE;
	return true;
}

bool
trc_hart_doubtful(const struct trc_hart *h)
{
	return ((const struct trc_core *)h)->shown.doubtful;
}
