/* SPDX-License-Identifier: MIT
 *
 * Stripping for caches of several ways. The sets of a cache with s sets and w ways are LRU memories
 * of w lines, each with references of its own. In a cache with a power-of-two multiple of s sets,
 * and at least w ways, each set sees some of the lines of one of those sets: a private space of a
 * mixed trace. SAD with r = w in each set (sad.c) is exact for these caches: misses, replaced
 * lines, and write-backs. Stripping with the most recent line of each set first (strip.c) does not
 * change that, and leaves few references, of one line each.
 *
 * Between these stages lines are represented as pages: in a split cache the half is the lowest bit,
 * so there are twice as many memories. The instruction time of a row stores whether the reference
 * covers its line. A reference that misses is not changed, so what a cache requests from below is
 * not changed either.
 */
#include "stage/reduce/strip.h"

#include "base/bytes.h"
#include "stage/reduce/guarantee.h"
#include "stage/wrap.h"

/* The stage that converts lines to pages, and the one that converts them back. */
struct lines {
	struct trc_wrap wrap;
	unsigned line_bits;
	bool split;
	uint64_t rows;
	struct trc_guarantee guarantee;
};

/* ---- lines to pages ---- */

static enum trc_flow
lines_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct lines *s = (struct lines *)src;
	struct trc_batch *in = &s->wrap.in;
	const enum trc_flow flow = trc_wrap_pull_for(&s->wrap, b, err);

	if (flow != TRC_FLOW_ROWS)
		return flow;
	for (size_t i = 0; i < in->n; i++) {
		const uint8_t type = in->type[i] & TRC_TYPE_MASK;
		const uint64_t line = in->addr[i] >> s->line_bits;

		if (type == TRC_COPY_BACK || type == TRC_INVALIDATE) {
			trc_fail(
			        err,
			        "the trace has an operation on caches (%s), which only a cache with "
			        "one way can strip; drop such records with 'trc encode --drop "
			        "%s'",
			        trc_type_name[type], trc_type_name[type]);
			return TRC_FLOW_FAILED;
		}
		b->vpn[i] = s->split ? line << 1 | (type == TRC_FETCH) : line;
		b->itime[i] = in->size && in->size[i] == UINT64_C(1) << s->line_bits;
		b->rtime[i] = ++s->rows;
	}
	/* These two columns are used for other values here. */
	trc_batch_copy(b, in, b->have & in->have & ~(uint32_t)(TRC_HAS_ITIME | TRC_HAS_RTIME), 0,
	               in->n);
	b->n = in->n;
	return TRC_FLOW_ROWS;
}

struct trc_source *
trc_stage_lines(struct trc_source *from, const struct trc_cache_shape *shape, size_t shapes,
                struct trc_err *err)
{
	const uint32_t kept = TRC_HAS_TYPE | TRC_HAS_TIME | TRC_HAS_ASID | TRC_HAS_TASK |
	                      TRC_HAS_EVENT;
	struct lines *s = trc_wrap_open(sizeof(*s), from,
	                                TRC_HAS_VPN | TRC_HAS_ITIME | TRC_HAS_RTIME |
	                                        (from->have & kept),
	                                lines_next, err);

	if (!s)
		return NULL;
	s->line_bits = (unsigned)trc_ctz64(shape->line);
	s->split = shapes > 1;
	return &s->wrap.src;
}

/* ---- pages to addresses ---- */

static enum trc_flow
unlines_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct lines *s = (struct lines *)src;
	struct trc_batch *in = &s->wrap.in;
	const enum trc_flow flow = trc_wrap_pull_for(&s->wrap, b, err);

	if (flow == TRC_FLOW_END && trc_guarantee_cache(&src->meta.guarantee, &s->guarantee, err))
		return TRC_FLOW_FAILED;
	if (flow != TRC_FLOW_ROWS)
		return flow;
	for (size_t i = 0; i < in->n; i++) {
		const uint64_t line = UINT64_C(1) << s->line_bits;

		b->addr[i] = in->vpn[i] >> s->split << s->line_bits;
		if (b->size)
			b->size[i] = in->itime[i] ? (uint32_t)line : trc_strip_part(line);
	}
	trc_batch_copy(b, in, b->have & in->have, 0, in->n);
	b->n = in->n;
	return TRC_FLOW_ROWS;
}

struct trc_source *
trc_stage_unlines(struct trc_source *from, const struct trc_cache_shape *shape, size_t shapes,
                  bool sizes, struct trc_err *err)
{
	const uint32_t pages = TRC_HAS_VPN | TRC_HAS_ITIME | TRC_HAS_RTIME;
	struct lines *s = trc_wrap_open(sizeof(*s), from,
	                                (from->have & ~pages) | TRC_HAS_ADDR |
	                                        (sizes ? (uint32_t)TRC_HAS_SIZE : 0),
	                                unlines_next, err);

	if (!s)
		return NULL;
	s->line_bits = (unsigned)trc_ctz64(shape->line);
	s->split = shapes > 1;
	s->guarantee = trc_cache_guarantee(shape, shapes, false);
	return &s->wrap.src;
}
