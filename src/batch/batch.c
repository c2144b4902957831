/* SPDX-License-Identifier: MIT
 * Batches: one allocation, with one column after another. */
#include "batch/batch.h"

#include <stdio.h>
#include <stdlib.h>

const struct trc_column_info trc_column[TRC_COLUMNS] = {
#define COLUMN(NAME, field, type, doc) { #field, doc, sizeof(type) },
#include "batch/columns.def"
#undef COLUMN
};

const char *const trc_type_name[TRC_TYPES] = { "read",       "write",    "fetch",
	                                       "modify",     "misc",     "copy-back",
	                                       "invalidate", "prefetch", "event" };

/* The alignment of columns: the width of the widest vector loads. */
enum { ALIGN = 64 };

static size_t
column_bytes(enum trc_column c, size_t cap)
{
	return (trc_column[c].width * cap + ALIGN - 1) / ALIGN * ALIGN;
}

static int
init(struct trc_batch *b, uint32_t have, size_t cap, bool zeros, struct trc_err *err)
{
	size_t total = ALIGN;
	char *at;

	*b = (struct trc_batch){ .have = have, .cap = cap };
	for (int c = 0; c < TRC_COLUMNS; c++)
		if (have >> c & 1)
			total += column_bytes((enum trc_column)c, cap);
	b->mem = zeros ? trc_alloc(total, 1, err) : trc_alloc_room(total, 1, err);
	if (!b->mem)
		return -1;
	at = (char *)b->mem + ALIGN - (uintptr_t)b->mem % ALIGN;
#define COLUMN(NAME, field, type, doc)                   \
	if (have & TRC_HAS_##NAME) {                     \
		b->field = (type *)(void *)at;           \
		at += column_bytes(TRC_COL_##NAME, cap); \
	}
#include "batch/columns.def"
#undef COLUMN
	return 0;
}

int
trc_batch_init(struct trc_batch *b, uint32_t have, size_t cap, struct trc_err *err)
{
	return init(b, have, cap, true, err);
}

int
trc_batch_init_room(struct trc_batch *b, uint32_t have, size_t cap, struct trc_err *err)
{
	return init(b, have, cap, false, err);
}

int
trc_batch_grow(struct trc_batch *b, size_t cap, struct trc_err *err)
{
	struct trc_batch to;

	if (init(&to, b->have, cap, false, err))
		return -1;
	/* A batch that was never filled has no columns to copy. */
	if (b->n > 0)
		trc_batch_copy(&to, b, b->have & ~(uint32_t)TRC_HAS_EVENT, 0, b->n);
	if (b->n > 0 && b->event)
		memcpy(to.event, b->event, b->n * sizeof(*to.event));
	to.n = b->n;
	to.text = b->text;
	to.text_n = b->text_n;
	to.text_cap = b->text_cap;
	to.text_lost = b->text_lost;
	free(b->mem);
	*b = to;
	return 0;
}

void
trc_batch_release(struct trc_batch *b)
{
	free(b->mem);
	free(b->text);
	*b = (struct trc_batch){ 0 };
}

void
trc_batch_clear(struct trc_batch *b)
{
	b->n = 0;
	b->text_n = 0;
	b->text_lost = false;
}

int
trc_batch_check(const struct trc_batch *b, struct trc_err *err)
{
	return b->text_lost ?
	               trc_fail_as(err, TRC_NO_MEMORY, "not enough memory for kernel events") :
	               0;
}

int
trc_batch_fail_past_end(const struct trc_batch *b, size_t i, struct trc_err *err)
{
	return trc_fail(err,
	                "a reference to %lu bytes at 0x%llx goes past the last address; "
	                "'trc stat --check' names such records",
	                (unsigned long)b->size[i], (ull)b->addr[i]);
}

void
trc_batch_put_event(struct trc_batch *b, size_t i, const char *text, size_t len)
{
	struct trc_err err;

	b->event[i] = 0;
	if (b->text_n == 0)
		b->text_n = 1;
	if (b->text_n + len >= UINT32_MAX ||
	    trc_grow(&b->text, &b->text_cap, b->text_n + len + 1, 1, &err)) {
		b->text_lost = true;
		return;
	}
	b->text[0] = 0;
	b->event[i] = (uint32_t)b->text_n;
	memcpy(b->text + b->text_n, text, len);
	b->text[b->text_n + len] = 0;
	b->text_n += len + 1;
}

/* Gives row `to` of `b` the event of row `from` of `src`, if there is one. */
static inline void
copy_event(struct trc_batch *b, size_t to, const struct trc_batch *src, size_t from)
{
	if (TRC_LIKELY(!src->event[from]))
		b->event[to] = 0;
	else
		trc_batch_put_event(b, to, trc_batch_event(src, from),
		                    strlen(trc_batch_event(src, from)));
}

void *
trc_batch_column(const struct trc_batch *b, enum trc_column c)
{
	switch (c) {
#define COLUMN(NAME, field, type, doc) \
	case TRC_COL_##NAME:           \
		return b->field;
#include "batch/columns.def"
#undef COLUMN
	case TRC_COLUMNS: break;
	}
	return NULL;
}

void
trc_batch_copy(struct trc_batch *b, const struct trc_batch *src, uint32_t have, size_t from,
               size_t n)
{
	b->text_lost |= src->text_lost;
#define COLUMN(NAME, field, type, doc)                        \
	if (have & ~(uint32_t)TRC_HAS_EVENT & TRC_HAS_##NAME) \
		memcpy(b->field + b->n, src->field + from, n * sizeof(type));
#include "batch/columns.def"
#undef COLUMN
	if (have & TRC_HAS_EVENT)
		for (size_t i = 0; i < n; i++)
			copy_event(b, b->n + i, src, from + i);
}

void
trc_batch_append(struct trc_batch *b, const struct trc_batch *src, size_t from, size_t n)
{
	trc_batch_copy(b, src, b->have, from, n);
	b->n += n;
}

void
trc_batch_pick(struct trc_batch *b, const struct trc_batch *src, const uint32_t *row, size_t n)
{
#define COLUMN(NAME, field, type, doc)                           \
	if (b->have & ~(uint32_t)TRC_HAS_EVENT & TRC_HAS_##NAME) \
		for (size_t i = 0; i < n; i++)                   \
			b->field[b->n + i] = src->field[row[i]];
#include "batch/columns.def"
#undef COLUMN
	b->text_lost |= src->text_lost;
	for (size_t i = 0; b->event && i < n; i++)
		copy_event(b, b->n + i, src, row[i]);
	b->n += n;
}

char *
trc_columns_text(uint32_t have, char *dst, size_t room)
{
	size_t len = 0;

	dst[0] = 0;
	for (int c = 0; c < TRC_COLUMNS && len < room; c++)
		if (have >> c & 1)
			len += (size_t)snprintf(dst + len, room - len, "%s%s", len ? "," : "",
			                        trc_column[c].name);
	return dst;
}

uint32_t
trc_column_bit(const char *name, size_t len)
{
	for (int c = 0; c < TRC_COLUMNS; c++)
		if (strlen(trc_column[c].name) == len && memcmp(trc_column[c].name, name, len) == 0)
			return UINT32_C(1) << c;
	return 0;
}

int
trc_types_check(const uint8_t *type, size_t n, struct trc_err *err)
{
	bool strange = false;

	for (size_t i = 0; i < n; i++)
		strange |= !trc_type_known(type[i]);
	return strange ? trc_fail(err, "a record has an unknown type") : 0;
}
