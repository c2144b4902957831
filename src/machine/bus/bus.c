/* SPDX-License-Identifier: MIT
 *
 * Reads and writes bus traces, binary and text: bus.md.
 */
#include "machine/bus/bus.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/io/frame.h"
#include "machine/bus/bus_text.h"

enum {
	KIND_HEAD = 'b',
	KIND_RECORDS = 'r',
	/* Of records, after which a frame is written; the last record also ends a frame. */
	FRAME_BYTES = 1 << 20,
	FRAME_MOST = FRAME_BYTES + TRC_BUS_DATA_MOST + 64,
};

int
trc_bus_head_put(const struct trc_bus_head *head, struct trc_buf *text, struct trc_err *err)
{
	char line[128];

	snprintf(line, sizeof(line), "bus %d\nisa %s\n%sline %x\nwindow %llx\n", TRC_BUS_VERSION,
	         head->isa, head->user ? "user\n" : "", (unsigned)head->line,
	         (unsigned long long)head->window);
	if (trc_buf_put(text, line, strlen(line), err))
		return -1;
	for (size_t i = 0; i < head->rams + head->ios; i++) {
		const bool ram = i < head->rams;
		const struct trc_bus_range *r = ram ? &head->ram[i] : &head->io[i - head->rams];

		snprintf(line, sizeof(line), "%s %llx %llx\n", ram ? "ram" : "io",
		         (unsigned long long)r->start, (unsigned long long)r->len);
		if (trc_buf_put(text, line, strlen(line), err))
			return -1;
	}
	return 0;
}

int
trc_bus_head_take(struct trc_bus_head *head, const uint8_t *p, size_t n, struct trc_err *err)
{
	const uint8_t *end = p + n;

	*head = (struct trc_bus_head){ 0 };
	if (!trc_bus_text_probe(p, n))
		return trc_fail(err, "its header does not begin with 'bus'");
	while (p < end) {
		const uint8_t *eol = memchr(p, '\n', (size_t)(end - p));

		if (trc_bus_text_head(head, p, eol ? eol : end, err))
			return -1;
		p = eol ? eol + 1 : end;
	}
	return 0;
}

/* A reader of a bus trace. */
struct trc_bus {
	struct trc_in *in;
	struct trc_bus_head head;
	bool text, ended;
	uint64_t count;         /* count of the last record */
	uint64_t records, line; /* records and lines read so far */
	struct trc_view view;   /* the rest of a frame, or of the lines in the window */
	struct trc_buf data;    /* data of the last record of a text; else a copy of the frame */
};

const struct trc_bus_head *
trc_bus_head(const struct trc_bus *bus)
{
	return &bus->head;
}

void
trc_bus_where(const struct trc_bus *bus, char *dst, size_t room)
{
	if (bus->text)
		snprintf(dst, room, "%s:%llu", bus->in->name, (unsigned long long)bus->line);
	else
		snprintf(dst, room, "%s: record %llu, before byte %llu", bus->in->name,
		         (unsigned long long)bus->records,
		         (unsigned long long)trc_in_offset(bus->in));
}

static int
fail_at(const struct trc_bus *bus, struct trc_err *err)
{
	char where[400];

	if (err->code != TRC_FAILED)
		return -1;
	trc_bus_where(bus, where, sizeof(where));
	return trc_err_in(err, "%s", where);
}

/* Makes bus->view begin with a whole line; it is empty at the end of the data. */
static int
fill_lines(struct trc_bus *bus, struct trc_err *err)
{
	const uint8_t *stop;

	if (bus->view.p != bus->view.end)
		return 0;
	if (bus->view.p)
		bus->in->p = bus->view.end;
	if (trc_in_lines(bus->in, &stop, err))
		return -1;
	bus->view = (struct trc_view){ bus->in->p, stop };
	return 0;
}

static int
open_text(struct trc_bus *bus, struct trc_err *err)
{
	bus->text = true;
	for (;; bus->line++) {
		const uint8_t *eol;

		if (fill_lines(bus, err))
			return -1;
		if (bus->view.p == bus->view.end)
			break;
		eol = memchr(bus->view.p, '\n', (size_t)(bus->view.end - bus->view.p));
		if (trc_bus_text_record(bus->view.p, eol))
			break;
		if (trc_bus_text_head(&bus->head, bus->view.p, eol, err)) {
			bus->line++;
			return fail_at(bus, err);
		}
		bus->view.p = eol + 1;
	}
	return 0;
}

static int
fail_frame(const struct trc_bus *bus, enum trc_frame_found found, const struct trc_frame *f,
           struct trc_err *err)
{
	if (found == TRC_FRAME_FAILED)
		return -1;
	return trc_fail(err, "%s: %s at byte %llu, after %llu good records", bus->in->name,
	                found == TRC_FRAME_END ? "the bus trace ends without its end record" :
	                found == TRC_FRAME_CUT ? "the bus trace is truncated in a frame" :
	                                         "the bus trace is damaged",
	                (unsigned long long)f->offset, (unsigned long long)bus->records);
}

static int
open_binary(struct trc_bus *bus, struct trc_err *err)
{
	struct trc_frame f;
	const enum trc_frame_found found = trc_frame_read(bus->in, FRAME_MOST, &f, err);

	if (found == TRC_FRAME_BAD || found == TRC_FRAME_END ||
	    (found == TRC_FRAME_GOOD && f.kind != KIND_HEAD))
		return trc_fail(err,
		                "%s: not a bus trace ('trc replay record' writes them; text ones "
		                "begin with 'bus 1')",
		                bus->in->name);
	if (found != TRC_FRAME_GOOD)
		return fail_frame(bus, found, &f, err);
	if (trc_bus_head_take(&bus->head, f.payload, (size_t)f.len, err))
		return trc_err_in(err, "%s", bus->in->name);
	return 0;
}

bool
trc_bus_probe(const uint8_t *p, size_t n)
{
	struct trc_frame f;

	return trc_bus_text_probe(p, n) || (trc_frame_head(p, n, &f) && f.kind == KIND_HEAD);
}

struct trc_bus *
trc_bus_open(struct trc_in *in, struct trc_err *err)
{
	struct trc_bus *bus = trc_alloc(1, sizeof(*bus), err);
	int ret;

	if (!bus)
		return NULL;
	bus->in = in;
	ret = trc_in_fill(in, 4, err);
	if (ret == 0)
		ret = trc_bus_text_probe(in->p, (size_t)(in->end - in->p)) ? open_text(bus, err) :
		                                                             open_binary(bus, err);
	if (ret) {
		trc_buf_release(&bus->data);
		free(bus);
		return NULL;
	}
	return bus;
}

static enum trc_flow
next_text(struct trc_bus *bus, struct trc_bus_record *r, struct trc_err *err)
{
	for (;;) {
		const uint8_t *p, *eol;

		if (fill_lines(bus, err))
			return TRC_FLOW_FAILED;
		p = bus->view.p;
		if (p == bus->view.end) {
			trc_fail(err,
			         "%s: the bus trace ends without its end record, after line %llu",
			         bus->in->name, (unsigned long long)bus->line);
			return TRC_FLOW_FAILED;
		}
		eol = memchr(p, '\n', (size_t)(bus->view.end - p));
		bus->view.p = eol + 1;
		bus->line++;
		if (trc_bus_text_blank(p, eol))
			continue;
		r->count = bus->count;
		if (trc_bus_text_take(r, p, eol, &bus->data, err)) {
			fail_at(bus, err);
			return TRC_FLOW_FAILED;
		}
		return TRC_FLOW_ROWS;
	}
}

/* Reads the next frame, and sets bus->view to its records. */
static int
next_frame(struct trc_bus *bus, struct trc_err *err)
{
	struct trc_frame f;
	const enum trc_frame_found found = trc_frame_read(bus->in, FRAME_MOST, &f, err);
	uint64_t count;

	if (found != TRC_FRAME_GOOD)
		return fail_frame(bus, found, &f, err);
	bus->data.n = 0;
	if (trc_buf_put(&bus->data, f.payload, (size_t)f.len, err))
		return -1;
	bus->view = trc_buf_view(&bus->data);
	if (f.kind != KIND_RECORDS || f.number != bus->records ||
	    !trc_view_num(&bus->view, &count) || count != bus->count ||
	    bus->view.p == bus->view.end)
		return trc_fail(err,
		                "%s: the frame at byte %llu does not follow the %llu records "
		                "before it; something is missing",
		                bus->in->name, (unsigned long long)f.offset,
		                (unsigned long long)bus->records);
	return 0;
}

static bool
take_binary(struct trc_view *v, struct trc_bus_record *r, const char *fields)
{
	uint64_t len;

	for (; *fields; fields++) {
		if (*fields == 'd') {
			if (!trc_view_num(v, &len) || len > TRC_BUS_DATA_MOST)
				return false;
			r->len = (uint32_t)len;
			r->data = trc_view_bytes(v, (size_t)len);
			if (!r->data)
				return false;
		} else if (!trc_view_num(v, *fields == 'k' ? &r->key :
		                            *fields == 'v' ? &r->value :
		                                             &r->addr)) {
			return false;
		}
	}
	return true;
}

static enum trc_flow
next_binary(struct trc_bus *bus, struct trc_bus_record *r, struct trc_err *err)
{
	const char *fields;
	uint64_t delta;

	if (bus->view.p == bus->view.end && next_frame(bus, err))
		return TRC_FLOW_FAILED;
	*r = (struct trc_bus_record){ .type = *bus->view.p++ };
	fields = trc_bus_fields(r->type);
	if (!fields || !trc_view_num(&bus->view, &delta) || delta > UINT64_MAX - bus->count ||
	    !take_binary(&bus->view, r, fields)) {
		trc_fail(err, "the frame holds no records of a bus trace here");
		fail_at(bus, err);
		return TRC_FLOW_FAILED;
	}
	r->count = bus->count + delta;
	return TRC_FLOW_ROWS;
}

/* Checks the rules that a record must satisfy by itself. */
static int
check(const struct trc_bus *bus, const struct trc_bus_record *r, struct trc_err *err)
{
	const uint32_t line = bus->head.line;

	if (r->type == TRC_BUS_STATE && r->key >= TRC_BUS_REGISTERS)
		return trc_fail(err, "register %llx does not exist", (unsigned long long)r->key);
	if (r->type == TRC_BUS_FILL && r->key >= TRC_BUS_AGENTS)
		return trc_fail(err, "a fill by agent %llx; agents are 0 to %d",
		                (unsigned long long)r->key, TRC_BUS_AGENTS - 1);
	if (r->len == 0 && strchr(trc_bus_fields(r->type), 'd'))
		return trc_fail(err, "record %c without data", (int)r->type);
	if ((r->type == TRC_BUS_FILL || r->type == TRC_BUS_BACK) && line &&
	    (r->len != line || r->addr % line))
		return trc_fail(err, "%u bytes at %llx is not one cache line (%u bytes)",
		                (unsigned)r->len, (unsigned long long)r->addr, (unsigned)line);
	if (r->len && r->len - 1 > UINT64_MAX - r->addr)
		return trc_fail(err, "%u bytes at %llx end past the last address", (unsigned)r->len,
		                (unsigned long long)r->addr);
	return 0;
}

enum trc_flow
trc_bus_next(struct trc_bus *bus, struct trc_bus_record *r, struct trc_err *err)
{
	enum trc_flow flow;

	if (bus->ended)
		return TRC_FLOW_END;
	flow = bus->text ? next_text(bus, r, err) : next_binary(bus, r, err);
	if (flow != TRC_FLOW_ROWS)
		return flow;
	bus->records++;
	bus->count = r->count;
	bus->ended = r->type == TRC_BUS_END;
	if (check(bus, r, err)) {
		fail_at(bus, err);
		return TRC_FLOW_FAILED;
	}
	return flow;
}

void
trc_bus_close(struct trc_bus *bus)
{
	if (!bus)
		return;
	trc_in_close(bus->in);
	trc_buf_release(&bus->data);
	free(bus);
}

/* A writer of a bus trace. */
struct trc_bus_writer {
	struct trc_out *out;
	bool text;

	/* Count of the last record; records before the current frame, or in all. */
	uint64_t count, records;
	uint64_t first;     /* number of records before the frame */
	struct trc_buf buf; /* records that were not written yet */
};

struct trc_bus_writer *
trc_bus_create(struct trc_out *out, const struct trc_bus_head *head, bool text, struct trc_err *err)
{
	struct trc_bus_writer *w = trc_alloc(1, sizeof(*w), err);
	int ret;

	if (!w)
		return NULL;
	w->text = text;
	ret = trc_bus_head_put(head, &w->buf, err);
	if (ret == 0)
		ret = text ? trc_out_put(out, w->buf.p, w->buf.n, err) :
		             trc_frame_write(out, KIND_HEAD, 0, &w->buf, err);
	if (ret) {
		trc_buf_release(&w->buf);
		free(w);
		return NULL;
	}
	w->buf.n = 0;
	w->out = out;
	return w;
}

static int
flush(struct trc_bus_writer *w, struct trc_err *err)
{
	int ret;

	if (w->buf.n == 0)
		return 0;
	ret = w->text ? trc_out_put(w->out, w->buf.p, w->buf.n, err) :
	                trc_frame_write(w->out, KIND_RECORDS, w->first, &w->buf, err);
	w->first = w->records;
	w->buf.n = 0;
	return ret;
}

static int
put_binary(struct trc_bus_writer *w, const struct trc_bus_record *r, struct trc_err *err)
{
	const uint8_t type = (uint8_t)r->type;

	if (w->buf.n == 0 && trc_buf_put_num(&w->buf, w->count, err))
		return -1;
	if (trc_buf_put(&w->buf, &type, 1, err) ||
	    trc_buf_put_num(&w->buf, r->count - w->count, err))
		return -1;
	for (const char *field = trc_bus_fields(type); *field; field++) {
		if (trc_buf_put_num(&w->buf,
		                    *field == 'k' ? r->key :
		                    *field == 'v' ? r->value :
		                    *field == 'a' ? r->addr :
		                                    r->len,
		                    err))
			return -1;
		if (*field == 'd' && trc_buf_put(&w->buf, r->data, r->len, err))
			return -1;
	}
	return 0;
}

int
trc_bus_put(struct trc_bus_writer *w, const struct trc_bus_record *r, struct trc_err *err)
{
	assert(r->count >= w->count && r->len <= TRC_BUS_DATA_MOST);
	if (w->text ? trc_bus_text_put(r, w->count, &w->buf, err) : put_binary(w, r, err))
		return -1;
	w->count = r->count;
	w->records++;
	return w->buf.n >= FRAME_BYTES ? flush(w, err) : 0;
}

int
trc_bus_commit(struct trc_bus_writer *w, struct trc_err *err)
{
	if (flush(w, err))
		return -1;
	return trc_out_commit(w->out, err);
}

void
trc_bus_abandon(struct trc_bus_writer *w)
{
	if (!w)
		return;
	trc_out_close(w->out);
	trc_buf_release(&w->buf);
	free(w);
}
