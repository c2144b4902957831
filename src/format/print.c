/* SPDX-License-Identifier: MIT
 *
 * Writes a batch of rows at a time, and reports the row that could not be written.
 */
#include "format/print.h"

#include <stdlib.h>

enum { HEADER_ROOM = 1024, TRAILER_ROOM = 1024 };

/* A sink that prints rows one by one. */
struct print_sink {
	struct trc_sink sink;
	const struct trc_print_format *print;
	struct trc_out *out;
	uint64_t rows;
	struct trc_buf
	        bytes; /* of a clone, whose `out` is NULL; and why its last row was refused */
	struct trc_err why;
	uint32_t have;
	_Alignas(uint64_t) unsigned char state[TRC_FORMAT_STATE];
	_Alignas(uint64_t) unsigned char settings[TRC_FORMAT_SETTINGS];
};

static struct trc_rows
rows_of(struct print_sink *s, const struct trc_batch *b)
{
	return (struct trc_rows){ .b = b,
		                  .before = s->rows,
		                  .have = s->have,
		                  .state = s->state,
		                  .caveat = s->sink.caveat,
		                  .settings = s->settings };
}

/* Chooses rows [r->i, r->stop), as many as certainly fit into the output at once. Returns the bytes
 * that they may need. */
static size_t
choose_rows(struct trc_rows *r, size_t room)
{
	const size_t most = TRC_OUT_ROOM / room;
	size_t bytes = 0;

	if (!r->b->event) {
		r->stop = r->b->n - r->i < most ? r->b->n : r->i + most;
		return (r->stop - r->i) * room;
	}
	for (r->stop = r->i; r->stop < r->b->n; r->stop++) {
		const size_t more = room + 2 * strlen(trc_batch_event(r->b, r->stop));

		if (bytes + more > TRC_OUT_ROOM)
			break;
		bytes += more;
	}
	return bytes;
}

/* Returns room for `bytes` more bytes: in the output, or in the buffer of a clone; NULL on
 * failure. */
static uint8_t *
room_for(struct print_sink *s, size_t bytes, struct trc_err *err)
{
	if (s->out)
		return trc_out_room(s->out, bytes, err) ? NULL : s->out->p;
	return trc_buf_room(&s->bytes, bytes, err) ? NULL : s->bytes.p + s->bytes.n;
}

static int
print_rows(struct print_sink *s, struct trc_rows *r, struct trc_err *err)
{
	for (; r->i < r->b->n; r->i = r->stop) {
		uint8_t *end = room_for(s, choose_rows(r, s->print->room), err);

		if (!end)
			return -1;
		end = s->print->print(r, end, err);
		if (!end) {
			err->unfit = true;
			return -1;
		}
		if (s->out)
			s->out->p = end;
		else
			s->bytes.n = (size_t)(end - s->bytes.p);
	}
	return 0;
}

/* Adds the number of the row that cannot be written, the one after those written, to *err. */
static int
name_row(const struct print_sink *s, struct trc_err *err)
{
	return err->unfit ? trc_err_in(err, "record %llu", (unsigned long long)(s->rows + 1)) : -1;
}

static int
print_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct print_sink *s = (struct print_sink *)sink;
	struct trc_rows r = rows_of(s, b);
	const int ret = print_rows(s, &r, err);

	s->rows += r.i;
	if (ret == 0)
		return 0;
	s->why = *err;
	return s->out ? name_row(s, err) : -1;
}

static int
print_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct print_sink *s = (struct print_sink *)sink;

	if (s->print->trailer) {
		const struct trc_rows none = rows_of(s, NULL);

		if (trc_out_room(s->out, TRAILER_ROOM, err))
			return -1;
		s->out->p = s->print->trailer(&none, meta, s->out->p);
	}
	return trc_out_commit(s->out, err);
}

static void
print_close(struct trc_sink *sink)
{
	struct print_sink *s = (struct print_sink *)sink;

	trc_out_close(s->out);
	trc_buf_release(&s->bytes);
	free(s);
}

static struct trc_sink *
print_clone(struct trc_sink *sink, struct trc_err *err)
{
	const struct print_sink *from = (const struct print_sink *)sink;
	struct print_sink *s = trc_alloc(1, sizeof(*s), err);

	if (!s)
		return NULL;
	/* Other clones are absorbed meanwhile, so only constant members are read. */
	s->sink.put = print_put;
	s->sink.close = print_close;
	s->print = from->print;
	s->have = from->have;
	memcpy(s->settings, from->settings, sizeof(s->settings));
	return &s->sink;
}

static int
print_absorb(struct trc_sink *sink, struct trc_sink *clone, struct trc_err *err)
{
	struct print_sink *s = (struct print_sink *)sink, *from = (struct print_sink *)clone;

	if (trc_out_put(s->out, from->bytes.p, from->bytes.n, err))
		return -1;
	s->rows += from->rows;
	from->bytes.n = 0;
	from->rows = 0;
	if (from->why.code == TRC_OK)
		return 0;
	*err = from->why;
	return name_row(s, err);
}

static const struct trc_apart apart = { print_clone, print_absorb, true };

/* Returns true if a row of `type` can be printed after one of type `first`, or as the only row if
 * both are equal. */
static bool
takes_behind(const struct trc_format *f, const void *settings, struct trc_batch *b, uint8_t *dst,
             uint8_t first, uint8_t type)
{
	struct print_sink s = { .have = b->have };
	struct trc_err err;
	struct trc_rows r;

	memcpy(s.settings, settings, sizeof(s.settings));
	b->type[0] = first;
	b->type[1] = type;
	r = rows_of(&s, b);
	r.stop = first == type ? 1 : 2;
	return f->print->print(&r, dst, &err);
}

bool
trc_print_takes(const struct trc_format *f, const void *settings, uint32_t have, uint8_t type)
{
	enum { ROWS = 2, ADDRESS = 4096 };
	uint8_t *dst = malloc(2 * ROWS * f->print->room);
	struct trc_batch b;
	struct trc_err err;
	bool takes;

	if (!dst || trc_batch_init(&b, have | TRC_HAS_TYPE, ROWS, &err)) {
		free(dst);
		return true; /* the writer will run out of memory, too */
	}
	b.n = ROWS;
	for (size_t i = 0; i < ROWS; i++) {
		if (b.addr)
			b.addr[i] = ADDRESS;
		if (b.pc)
			b.pc[i] = ADDRESS;
		if (b.itime)
			b.itime[i] = 1;
		if (b.rtime)
			b.rtime[i] = 1;
		if (b.size)
			b.size[i] = 4;
	}
	takes = takes_behind(f, settings, &b, dst, type, type) ||
	        takes_behind(f, settings, &b, dst, TRC_FETCH | (type & TRC_KERNEL), type) ||
	        takes_behind(f, settings, &b, dst, TRC_READ, type);
	trc_batch_release(&b);
	free(dst);
	return takes;
}

struct trc_sink *
trc_print_sink(const struct trc_format *f, struct trc_out *out, uint32_t have,
               const struct trc_meta *meta, const void *settings, struct trc_err *err)
{
	struct print_sink *s = trc_alloc(1, sizeof(*s), err);

	if (!s)
		return NULL;
	if (f->more && f->more->header) {
		if (trc_out_room(out, HEADER_ROOM, err)) {
			free(s);
			return NULL;
		}
		out->p = f->more->header(meta, have, out->p);
	}
	s->sink = (struct trc_sink){ .put = print_put,
		                     .finish = print_finish,
		                     .close = print_close,
		                     .apart = f->chained_print ? NULL : &apart };
	s->print = f->print;
	s->out = out;
	s->have = have;
	memcpy(s->settings, settings, sizeof(s->settings));
	return &s->sink;
}
