/* SPDX-License-Identifier: MIT
 *
 * Reads and writes packages: package.md.
 */

#include "base/io/frame.h"
#include "codec/stream/pack.h"
#include "machine/bus/event_columns.h"

enum {
	KIND_HEAD = 'k',
	KIND_REGISTERS = 'g',
	KIND_IMAGE = 'm',
	KIND_EVENTS = 'v',
	KIND_TRUTH = 'h',
	KIND_CHECKPOINT = 'c',

	VERSION = 1,         /* events as streams */
	VERSION_COLUMNS = 2, /* events as columns */

	FLAG_PRUNED = 1,
	FLAG_TRUTH_REGISTERS = 2,
	FLAG_CHECKPOINTS = 4,
	FLAG_TASKS = 8, /* makes programs that do not support tasks refuse the package */
	FLAGS = 15,

	SMALL = 1 << 16, /* streams of up to this many bytes use slow, strong packing */
	FEW = 1 << 16,   /* up to this many bytes of events, both forms are tried */
	FAST = 3,        /* the highest level that favours speed */
	LEVEL_SMALL = 9,
	HEAD_MOST = 1 << 16, /* limit of the bytes of the header, and of the registers */
};

/* Returns the level for a stream of `n` bytes: by default, strong packing for streams that are not
 * long. */
static int
level_for(int level, size_t n)
{
	if (level <= FAST)
		return level;
	return level >= TRC_PACK_SMALL || n <= SMALL ? LEVEL_SMALL : level;
}

static int
pack(const struct trc_buf *raw, int level, struct trc_buf *out, struct trc_err *err)
{
	return trc_pack(raw->p, raw->n, TRC_PACK_BYTES, level_for(level, raw->n), out, err);
}

static int
write_head(const struct trc_package *p, struct trc_out *out, struct trc_buf *b, struct trc_err *err)
{
	const uint64_t flags = (p->pruned ? FLAG_PRUNED : 0) |
	                       (p->truth_registers ? FLAG_TRUTH_REGISTERS : 0) |
	                       (p->checkpoints.n ? FLAG_CHECKPOINTS : 0) |
	                       (trc_events_have(&p->events, TRC_BUS_TASK) ? FLAG_TASKS : 0);

	b->n = 0;
	if (trc_bus_head_put(&p->head, b, err) || trc_buf_put(b, "", 1, err) ||
	    trc_buf_put_num(b, flags, err) || trc_buf_put_num(b, p->count, err) ||
	    trc_buf_room(b, 8, err))
		return -1;
	trc_put_le64(b->p + b->n, p->digest);
	b->n += 8;
	if (p->checkpoints.n && trc_buf_put_num(b, p->checkpoints.n, err))
		return -1;
	return trc_frame_write(out, KIND_HEAD, p->packed.columns ? VERSION_COLUMNS : VERSION, b,
	                       err);
}

static int
put_registers(const struct trc_register_set *s, struct trc_buf *b, struct trc_err *err)
{
	if (trc_buf_put_num(b, s->n, err))
		return -1;
	for (size_t i = 0; i < s->n; i++)
		if (trc_buf_put_num(b, s->r[i].reg, err) || trc_buf_put_num(b, s->r[i].value, err))
			return -1;
	return 0;
}

static int
write_registers(const struct trc_package *p, struct trc_out *out, struct trc_buf *raw,
                struct trc_buf *b, struct trc_err *err)
{
	raw->n = b->n = 0;
	if (put_registers(&p->first, raw, err) || put_registers(&p->last, raw, err) ||
	    pack(raw, TRC_PACKAGE_LEVEL, b, err))
		return -1;
	return trc_frame_write(out, KIND_REGISTERS, 1, b, err);
}

static int
pack_streams(const struct trc_events *e, int level, struct trc_buf *out, struct trc_err *err)
{
	for (int i = 0; i < TRC_EVENTS_DATA; i++)
		if (pack(&e->stream[i], level, out, err))
			return -1;
	return 0;
}

/* Packs events as streams or as columns. Long lists are smaller as columns, short ones are not. */
int
trc_events_pack(const struct trc_events *e, int level, struct trc_buf *out, bool *columns,
                struct trc_err *err)
{
	struct trc_buf streams = { 0 };
	const size_t start = out->n;
	size_t bytes = 0;
	int ret;

	for (int i = 0; i < TRC_EVENTS_DATA; i++)
		bytes += e->stream[i].n;
	ret = trc_event_columns_pack(e, bytes <= FEW ? level_for(level, bytes) : level, out, err);
	if (ret == 0 && bytes <= FEW)
		ret = pack_streams(e, level, &streams, err);
	*columns = bytes > FEW || out->n - start < streams.n;
	if (ret == 0 && !*columns) {
		out->n = start;
		ret = trc_buf_put(out, streams.p, streams.n, err);
	}
	trc_buf_release(&streams);
	return ret || pack(&e->stream[TRC_EVENTS_DATA], level, out, err) ? -1 : 0;
}

int
trc_package_pack(struct trc_package *p, int level, struct trc_err *err)
{
	struct trc_packed_lists *to = &p->packed;
	struct trc_buf raw = { 0 };
	int ret;

	to->image.n = 0;
	ret = trc_image_pack(&p->image, level_for(level, p->image.bytes.n), &raw, &to->image,
	                     err) ||
	      (to->events.n == 0 &&
	       trc_events_pack(&p->events, level, &to->events, &to->columns, err));
	to->done = ret == 0;
	trc_buf_release(&raw);
	return ret ? -1 : 0;
}

static int
write_truth(const struct trc_package *p, struct trc_out *out, struct trc_buf *raw,
            struct trc_buf *b, struct trc_err *err)
{
	uint64_t count = 0;

	raw->n = b->n = 0;
	for (size_t i = 0; i < p->truths; i++) {
		if (trc_buf_put_num(raw, p->truth[i].count - count, err))
			return -1;
		count = p->truth[i].count;
	}
	if (pack(raw, TRC_PACKAGE_LEVEL, b, err) || trc_buf_room(b, 4 * p->truths, err))
		return -1;
	for (size_t i = 0; i < p->truths; i++, b->n += 4)
		trc_put_le32(b->p + b->n, p->truth[i].hash);
	return trc_frame_write(out, KIND_TRUTH, p->truths, b, err);
}

static int
write_checkpoints(const struct trc_package *p, struct trc_out *out, struct trc_err *err)
{
	for (size_t i = 0; i < p->checkpoints.n; i++)
		if (trc_frame_write(out, KIND_CHECKPOINT, p->checkpoints.c[i].count,
		                    &p->checkpoints.c[i].packed, err))
			return -1;
	return 0;
}

int
trc_package_write(struct trc_package *p, int level, struct trc_out *out, struct trc_err *err)
{
	struct trc_buf raw = { 0 }, b = { 0 };
	int ret;

	if (!p->packed.done && trc_package_pack(p, level, err))
		return -1;
	ret = write_head(p, out, &b, err) || write_registers(p, out, &raw, &b, err) ||
	      trc_frame_write(out, KIND_IMAGE, p->image.runs, &p->packed.image, err) ||
	      trc_frame_write(out, KIND_EVENTS, p->events.n, &p->packed.events, err) ||
	      write_truth(p, out, &raw, &b, err) || write_checkpoints(p, out, err) ||
	      trc_out_commit(out, err);
	trc_buf_release(&raw);
	trc_buf_release(&b);
	return ret ? -1 : 0;
}

bool
trc_package_probe(const uint8_t *p, size_t n)
{
	struct trc_frame f;

	return trc_frame_head(p, n, &f) && f.kind == KIND_HEAD;
}

/* Reads the next frame, which must be of this kind. Its payload stays in the window. */
static int
take_frame(struct trc_in *in, uint8_t kind, uint64_t most, struct trc_frame *f, struct trc_view *v,
           struct trc_err *err)
{
	const enum trc_frame_found found = trc_frame_read(in, most, f, err);

	if (found == TRC_FRAME_FAILED && err->code == TRC_FAILED)
		return trc_fail(err,
		                "a part of the package at byte %llu needs more memory than "
		                "--memory allows",
		                (unsigned long long)f->offset);
	if (found == TRC_FRAME_FAILED)
		return -1;
	if (found == TRC_FRAME_END || found == TRC_FRAME_CUT)
		return trc_fail(err, "the package is truncated at byte %llu",
		                (unsigned long long)f->offset);
	if (found == TRC_FRAME_BAD || f->kind != kind)
		return trc_fail(err, "the package is damaged at byte %llu",
		                (unsigned long long)f->offset);
	*v = (struct trc_view){ f->payload, f->payload + f->len };
	return 0;
}

static int
fail_part(const char *what, struct trc_err *err)
{
	if (err->code == TRC_NO_MEMORY)
		return -1;
	return err->code ? trc_err_in(err, "its %s", what) :
	                   trc_fail(err, "its %s is unknown in a package", what);
}

/* Parses the rest of a header after its text; sets *checkpoints to their number. */
static int
take_head(struct trc_package *p, struct trc_view v, uint64_t *checkpoints)
{
	const uint8_t *digest;
	uint64_t flags;

	*checkpoints = 0;
	if (!trc_view_num(&v, &flags) || flags > FLAGS || !trc_view_num(&v, &p->count) ||
	    !(digest = trc_view_bytes(&v, 8)) ||
	    (flags & FLAG_CHECKPOINTS && !trc_view_num(&v, checkpoints)) || v.p != v.end)
		return -1;
	p->pruned = flags & FLAG_PRUNED;
	p->truth_registers = flags & FLAG_TRUTH_REGISTERS;
	p->digest = trc_le64(digest);
	return 0;
}

static int
read_head(struct trc_package *p, struct trc_in *in, uint64_t *checkpoints, struct trc_err *err)
{
	const uint8_t *nul;
	struct trc_frame f;
	struct trc_view v;

	if (take_frame(in, KIND_HEAD, HEAD_MOST, &f, &v, err))
		return -1;
	if (f.number != VERSION && f.number != VERSION_COLUMNS)
		return trc_fail(err, "the package has version %llu; only %d and %d are supported",
		                (unsigned long long)f.number, VERSION, VERSION_COLUMNS);
	p->packed.columns = f.number == VERSION_COLUMNS;
	nul = v.p < v.end ? memchr(v.p, '\0', (size_t)(v.end - v.p)) : NULL;
	if (!nul)
		return fail_part("head", err);
	if (trc_bus_head_take(&p->head, v.p, (size_t)(nul - v.p), err))
		return -1;
	v.p = nul + 1;
	return take_head(p, v, checkpoints) ? fail_part("head", err) : 0;
}

static int
take_registers(struct trc_register_set *s, struct trc_view *v, struct trc_err *err)
{
	uint64_t n, reg, value;

	if (!trc_view_num(v, &n) || n > TRC_BUS_REGISTERS)
		return fail_part("state", err);
	while (n-- > 0) {
		if (!trc_view_num(v, &reg) || reg >= TRC_BUS_REGISTERS || !trc_view_num(v, &value))
			return fail_part("state", err);
		if (trc_register_set_put(s, (uint32_t)reg, value, err))
			return -1;
	}
	return 0;
}

static int
read_registers(struct trc_package *p, struct trc_in *in, struct trc_buf *raw, struct trc_err *err)
{
	struct trc_frame f;
	struct trc_view v;

	if (take_frame(in, KIND_REGISTERS, HEAD_MOST, &f, &v, err) ||
	    trc_unpack(&v, 2 * HEAD_MOST, raw, err))
		return -1;
	v = trc_buf_view(raw);
	if (take_registers(&p->first, &v, err) || take_registers(&p->last, &v, err))
		return -1;
	return v.p == v.end ? 0 : fail_part("state", err);
}

static int
read_image(struct trc_package *p, struct trc_in *in, uint64_t most, struct trc_buf *raw,
           struct trc_err *err)
{
	struct trc_frame f;
	struct trc_view v;

	if (take_frame(in, KIND_IMAGE, most, &f, &v, err))
		return -1;
	if (trc_image_unpack(&p->image, &v, f.number, most, raw, err) || v.p != v.end)
		return fail_part("image", err);
	return 0;
}

static int
read_events(struct trc_package *p, struct trc_in *in, uint64_t most, struct trc_err *err)
{
	struct trc_events *e = &p->events;
	struct trc_bus_record r;
	struct trc_events_at at;
	enum trc_flow flow;
	struct trc_frame f;
	struct trc_view v;

	if (take_frame(in, KIND_EVENTS, most, &f, &v, err))
		return -1;
	e->n = f.number;
	if (p->packed.columns && trc_event_columns_unpack(e, &v, most, err))
		return -1;
	for (int i = p->packed.columns ? TRC_EVENTS_DATA : 0; i < TRC_EVENTS_STREAMS; i++)
		if (trc_unpack(&v, (size_t)most, &e->stream[i], err))
			return -1;
	trc_events_begin(e, &at);
	while ((flow = trc_events_next(&at, &r, err)) == TRC_FLOW_ROWS)
		e->count = r.count;
	if (flow == TRC_FLOW_FAILED)
		return -1;
	for (int i = 0; i < TRC_EVENTS_STREAMS; i++)
		if (at.stream[i].p != at.stream[i].end)
			return fail_part("list of events", err);
	return v.p == v.end && e->count <= p->count ? 0 : fail_part("list of events", err);
}

static int
read_truth(struct trc_package *p, struct trc_in *in, uint64_t most, struct trc_buf *raw,
           struct trc_err *err)
{
	struct trc_frame f;
	struct trc_view v, counts;
	uint64_t count = 0, delta;

	if (take_frame(in, KIND_TRUTH, most, &f, &v, err) || trc_unpack(&v, (size_t)most, raw, err))
		return -1;
	if ((uint64_t)(v.end - v.p) != 4 * f.number || f.number > raw->n ||
	    trc_grow(&p->truth, &p->truths_cap, (size_t)f.number, sizeof(*p->truth), err))
		return fail_part("list of hashes", err);
	counts = trc_buf_view(raw);
	for (; p->truths < f.number; p->truths++) {
		if (!trc_view_num(&counts, &delta) || delta > p->count - count)
			return fail_part("list of hashes", err);
		count += delta;
		p->truth[p->truths] = (struct trc_truth){ count, trc_le32(v.p + 4 * p->truths) };
	}
	return counts.p == counts.end ? 0 : fail_part("list of hashes", err);
}

static int
read_checkpoints(struct trc_package *p, struct trc_in *in, uint64_t most, uint64_t n,
                 struct trc_err *err)
{
	struct trc_checkpoints *all = &p->checkpoints;
	struct trc_frame f;
	struct trc_view v;

	for (uint64_t count = 0; n > 0; n--) {
		if (take_frame(in, KIND_CHECKPOINT, most, &f, &v, err))
			return -1;
		if (f.number <= count || f.number > p->count)
			return fail_part("list of checkpoints", err);
		if (trc_grow(&all->c, &all->cap, all->n + 1, sizeof(*all->c), err))
			return -1;
		count = f.number;
		all->c[all->n] = (struct trc_checkpoint){ .count = count };
		if (trc_buf_put(&all->c[all->n++].packed, f.payload, (size_t)f.len, err))
			return -1;
		most -= f.len;
	}
	return 0;
}

int
trc_package_read(struct trc_package *p, struct trc_in *in, uint64_t most, struct trc_err *err)
{
	struct trc_buf raw = { 0 };
	uint64_t checkpoints;
	int ret;

	*p = (struct trc_package){ 0 };
	err->code = TRC_OK;
	ret = read_head(p, in, &checkpoints, err) || read_registers(p, in, &raw, err) ||
	      read_image(p, in, most, &raw, err) || read_events(p, in, most, err) ||
	      read_truth(p, in, most, &raw, err) ||
	      read_checkpoints(p, in, most, checkpoints, err) || trc_checkpoints_place(p, err) ||
	      trc_in_fill(in, 1, err);
	if (ret == 0 && in->p != in->end)
		ret = trc_fail(err, "there is data after the end of the package");
	trc_buf_release(&raw);
	if (ret == 0)
		return 0;
	trc_package_release(p);
	return trc_err_in(err, "%s", in->name);
}
