/* SPDX-License-Identifier: MIT
 * Batches: one allocation, columns one behind the other. */
#include "batch/batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct trc_column_info trc_column[TRC_COLUMNS] = {
#define COLUMN(NAME, field, type, doc) { #field, doc, sizeof(type) },
#include "batch/columns.def"
#undef COLUMN
};

const char *const trc_type_name[TRC_TYPES] = { "read", "write",     "fetch",      "modify",
	                                       "misc", "copy-back", "invalidate", "prefetch" };

/* Columns begin at multiples of this, the width of the widest vector loads. */
enum { ALIGN = 64 };

static size_t
column_bytes(enum trc_column c, size_t cap)
{
	return (trc_column[c].width * cap + ALIGN - 1) / ALIGN * ALIGN;
}

int
trc_batch_init(struct trc_batch *b, uint32_t have, size_t cap, struct trc_err *err)
{
	size_t total = ALIGN;
	char *at;

	*b = (struct trc_batch){ .have = have, .cap = cap };
	for (int c = 0; c < TRC_COLUMNS; c++)
		if (have >> c & 1)
			total += column_bytes((enum trc_column)c, cap);
	b->mem = trc_alloc(total, 1, err);
	if (!b->mem)
		return -1;
	at = (char *)b->mem + ALIGN - (uintptr_t)b->mem % ALIGN;
#define COLUMN(NAME, field, type, doc)              \
	if (have & TRC_HAS_##NAME) {                      \
		b->field = (type *)(void *)at;            \
		at += column_bytes(TRC_COL_##NAME, cap);  \
	}
#include "batch/columns.def"
#undef COLUMN
	return 0;
}

void
trc_batch_release(struct trc_batch *b)
{
	free(b->mem);
	*b = (struct trc_batch){ 0 };
}

void *
trc_batch_column(const struct trc_batch *b, enum trc_column c)
{
	switch (c) {
#define COLUMN(NAME, field, type, doc) \
	case TRC_COL_##NAME: return b->field;
#include "batch/columns.def"
#undef COLUMN
	case TRC_COLUMNS: break;
	}
	return NULL;
}

void
trc_batch_append(struct trc_batch *b, const struct trc_batch *src, size_t from, size_t n)
{
#define COLUMN(NAME, field, type, doc) \
	if (b->have & TRC_HAS_##NAME)        \
		memcpy(b->field + b->n, src->field + from, n * sizeof(type));
#include "batch/columns.def"
#undef COLUMN
	b->n += n;
}

void
trc_batch_pick(struct trc_batch *b, const struct trc_batch *src, const uint32_t *row, size_t n)
{
#define COLUMN(NAME, field, type, doc)          \
	if (b->have & TRC_HAS_##NAME)           \
		for (size_t i = 0; i < n; i++)  \
			b->field[b->n + i] = src->field[row[i]];
#include "batch/columns.def"
#undef COLUMN
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
