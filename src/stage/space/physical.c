/* SPDX-License-Identifier: MIT
 *
 * Translates virtual addresses to physical ones with a map of pages. A reference across pages that
 * are not adjacent in physical memory becomes several, even if it is a fetch. Column pc stays
 * virtual; address spaces are dropped, because there is only one physical memory.
 */
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "batch/provenance.h"
#include "base/map_find.h"
#include "stage/space/page_map.h"
#include "stage/stage.h"
#include "stage/wrap.h"

/* The treatment of references to pages that the map lacks. */
enum unmapped { REFUSE, DROP, KEEP };

struct settings {
	const char *path;
	uint64_t page_size;
	unsigned unmapped;
};

/* The stage. */
struct v2p {
	struct trc_wrap wrap;
	struct trc_page_map map;
	const char *path;
	enum unmapped unmapped;
	uint64_t done; /* bytes of the current row that were written */
	bool begun;
	uint32_t only; /* space of the first reference, if the map has no spaces */

	struct trc_map missing; /* pages that the map lacks -> their number */
	uint64_t lost, split;   /* references without a physical page; extra ones from splitting */
	uint64_t page;          /* the first page that the map lacks */
	uint32_t space;         /* the space of that page */
	struct trc_buf provenance;
};

/* Returns true if a row has an address; copy-backs and invalidates of everything have none. */
static bool
has_address(const struct trc_batch *b, size_t i)
{
	const uint8_t type = trc_batch_type(b, i);

	return !trc_batch_is_event(b, i) &&
	       !((type == TRC_COPY_BACK || type == TRC_INVALIDATE) && b->size && b->size[i] == 0);
}

static int
miss(struct v2p *s, uint32_t space, uint64_t page, struct trc_err *err)
{
	if (trc_map_find(&s->missing, space, page)->value != TRC_MAP_NONE)
		return 0;
	if (s->missing.n == 0) {
		s->page = page;
		s->space = space;
	}
	return trc_map_add(&s->missing, space, page, (uint32_t)s->missing.n, err);
}

/* A part of a reference: contiguous bytes, and their address. */
struct piece {
	uint64_t addr, size;
	bool mapped;
};

/* Finds the physical page of the page of an address; records pages that have none. */
static int
page_of(struct v2p *s, uint32_t space, uint64_t addr, struct piece *piece, struct trc_err *err)
{
	const uint64_t within = addr & ((UINT64_C(1) << s->map.bits) - 1);
	uint64_t frame;

	piece->size = (UINT64_C(1) << s->map.bits) - within;
	piece->mapped = trc_page_map_find(&s->map, space, addr >> s->map.bits, &frame);
	piece->addr = piece->mapped ? frame << s->map.bits | within : addr;
	return piece->mapped ? 0 : miss(s, space, addr >> s->map.bits, err);
}

/* Finds the contiguous bytes from an address on, up to `size`. */
static int
take_piece(struct v2p *s, uint32_t space, uint64_t addr, uint64_t size, struct piece *piece,
           struct trc_err *err)
{
	struct piece next;

	if (page_of(s, space, addr, piece, err))
		return -1;
	while (piece->size < size) {
		if (page_of(s, space, addr + piece->size, &next, err))
			return -1;
		if (next.mapped != piece->mapped || next.addr != piece->addr + piece->size)
			break;
		piece->size += next.size;
	}
	piece->size = piece->size < size ? piece->size : size;
	return 0;
}

/* Fails if the trace has several spaces but the map has none. */
static int
check_space(struct v2p *s, uint32_t space, struct trc_err *err)
{
	if (!s->begun)
		s->only = space;
	s->begun = true;
	if (s->map.spaces || s->only == space)
		return 0;
	return trc_fail(err,
	                "--v2p: the trace has address spaces %u and %u, but %s does not record "
	                "which "
	                "of them its pages belong to; --space %u chooses one",
	                s->only, space, s->path, s->only);
}

/* Writes the next part of the current row, unless it is dropped. */
static int
put_part(struct v2p *s, struct trc_batch *b, struct trc_err *err)
{
	const struct trc_batch *in = &s->wrap.in;
	const size_t i = s->wrap.at;
	const uint64_t size = in->size && in->size[i] ? in->size[i] : 1;
	const uint32_t space = in->asid ? in->asid[i] : 0;
	struct piece piece;

	if (trc_batch_past_end(in, i))
		return trc_batch_fail_past_end(in, i, err);
	if (check_space(s, space, err) ||
	    take_piece(s, s->map.spaces ? space : 0, in->addr[i] + s->done, size - s->done, &piece,
	               err))
		return -1;
	s->lost += !piece.mapped;
	s->split += s->done > 0;
	if (piece.mapped || s->unmapped == KEEP) {
		trc_batch_copy(b, in, b->have, i, 1);
		b->addr[b->n] = piece.addr;
		if (b->size && in->size[i])
			b->size[b->n] = (uint32_t)piece.size;
		b->n++;
	}
	s->done += piece.size;
	if (s->done < size)
		return 0;
	s->done = 0;
	s->wrap.at++;
	return 0;
}

static enum trc_flow
v2p_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct v2p *s = (struct v2p *)src;
	struct trc_wrap *w = &s->wrap;

	while (b->n == 0) {
		const enum trc_flow flow = trc_wrap_pull(w, err);

		if (flow != TRC_FLOW_ROWS)
			return flow;
		while (w->at < w->in.n && b->n < b->cap) {
			if (has_address(&w->in, w->at)) {
				if (put_part(s, b, err))
					return TRC_FLOW_FAILED;
				continue;
			}
			if (s->map.marked && trc_batch_is_event(&w->in, w->at) &&
			    trc_page_map_mark(&s->map, &w->in, w->at, err))
				return TRC_FLOW_FAILED;
			trc_batch_copy(b, &w->in, b->have, w->at++, 1);
			b->n++;
		}
	}
	return TRC_FLOW_ROWS;
}

static int
fail_missing(const struct v2p *s, struct trc_err *err)
{
	char space[32] = "";

	if (s->map.spaces)
		snprintf(space, sizeof(space), " of space %u", s->space);
	return trc_fail(
	        err,
	        "--v2p: %s has no physical page for %zu pages of %llu bytes (the first is "
	        "0x%llx%s) with %llu references; --unmapped drop drops these, keep leaves them "
	        "virtual",
	        s->path, s->missing.n, 1ull << s->map.bits, (ull)s->page, space, (ull)s->lost);
}

/* Adds to the provenance that addresses are physical. */
static int
note(struct v2p *s, struct trc_err *err)
{
	const struct trc_view was = s->wrap.from->meta.provenance;

	s->provenance.n = 0;
	if ((was.p < was.end &&
	     trc_buf_put(&s->provenance, was.p, (size_t)(was.end - was.p), err)) ||
	    trc_provenance_text(&s->provenance, "addresses", "physical", err))
		return -1;
	s->wrap.src.meta.provenance = trc_buf_view(&s->provenance);
	return 0;
}

static int
v2p_meta(struct trc_wrap *w, bool ended, struct trc_err *err)
{
	struct v2p *s = (struct v2p *)w;
	const struct trc_caveat
	        lost = { s->unmapped == DROP ?
		                 "references to pages without a physical one, dropped" :
		                 "references to pages without a physical one, which "
		                 "stay virtual",
		         s->lost, TRC_HAS_ADDR },
	        split = { "more records, of references across pages that are not "
		          "physical neighbours",
		          s->split, TRC_HAS_ADDR };

	if (note(s, err))
		return -1;
	if (!ended)
		return 0;
	if (s->lost && s->unmapped == REFUSE)
		return fail_missing(s, err);
	if (!trc_guarantee_none(&w->src.meta.guarantee))
		return trc_fail(err,
		                "--v2p: the trace was reduced for its virtual pages; translate "
		                "the original, then reduce that");
	if (s->lost || s->split)
		trc_meta_filtered(&w->src.meta);
	trc_caveat_add(w->src.meta.caveat, &lost);
	trc_caveat_add(w->src.meta.caveat, &split);
	return 0;
}

static void
v2p_close(struct trc_source *src)
{
	struct v2p *s = (struct v2p *)src;

	trc_page_map_release(&s->map);
	trc_map_release(&s->missing);
	trc_buf_release(&s->provenance);
	trc_wrap_close(src);
}

/* Reads the map from a file, or checks that the trace can build it. */
static int
open_map(struct v2p *s, const struct settings *own, const struct trc_source *from,
         struct trc_err *err)
{
	const uint64_t size = own->page_size ? own->page_size : 4096;

	if (size < 2 || size & (size - 1))
		return trc_fail_as(err, TRC_USAGE, "--v2p-page: %llu is not a power of two",
		                   (ull)size);
	if (trc_map_init(&s->missing, err) ||
	    trc_page_map_init(&s->map, (unsigned)trc_ctz64(size), err))
		return -1;
	s->map.marked = strcmp(own->path, "markers") == 0;
	if (s->map.marked)
		return from->have & TRC_HAS_EVENT ?
		               0 :
		               trc_fail_as(
		                       err, TRC_USAGE,
		                       "--v2p markers: the trace has no kernel events, which are "
		                       "the markers of drmemtrace");
	if (trc_page_map_read(&s->map, own->path, err))
		return trc_err_in(err, "--v2p");
	return s->map.spaces && !(from->have & TRC_HAS_ASID) ?
	               trc_fail(
	                       err,
	                       "--v2p: %s has pages of address spaces, but the trace has no spaces",
	                       own->path) :
	               0;
}

static struct trc_source *
wrap(struct trc_source *from, const void *settings, struct trc_err *err)
{
	const struct settings *own = settings;
	struct v2p *s;

	if (!own->path) {
		trc_fail_as(err, TRC_USAGE, "--v2p-page and --unmapped need --v2p");
		return NULL;
	}
	if (!(from->have & TRC_HAS_ADDR) || from->have & (TRC_HAS_VPN | TRC_HAS_CPN)) {
		trc_fail(err, "--v2p: needs a trace of addresses; one of pages was reduced");
		return NULL;
	}
	s = trc_wrap_open(sizeof(*s), from, from->have & ~(uint32_t)TRC_HAS_ASID, v2p_next, err);
	if (!s)
		return NULL;
	s->wrap.src.close = v2p_close;
	s->wrap.take_meta = v2p_meta;
	s->path = own->path;
	s->unmapped = (enum unmapped)own->unmapped;
	/* The next fetch of a task is no longer where its last instruction ends. */
	s->wrap.src.fetched |= TRC_FETCHED_GAPS;
	if (open_map(s, own, from, err) || note(s, err))
		return trc_wrap_fail(&s->wrap.src);
	return &s->wrap.src;
}

const struct trc_stage_row trc_stage_row_physical = {
	.opts = TRC_OPTS(struct settings,
	                 { 0, "v2p", "FILE|markers", "write physical addresses, by a map of pages",
	                   TRC_OPT_TEXT, TRC_WORDS_FILE, offsetof(struct settings, path) },
	                 { 0, "v2p-page", "BYTES", "page size of a --v2p table (default 4096)",
	                   TRC_OPT_BYTES, TRC_WORDS_NONE, offsetof(struct settings, page_size) },
	                 { 0, "unmapped", "drop|keep",
	                   "with --v2p: drop or keep references to other pages", TRC_OPT_CHOICE,
	                   TRC_WORDS_NONE, offsetof(struct settings, unmapped) }),
	.wrap = wrap,
};
