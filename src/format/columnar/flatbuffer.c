/* SPDX-License-Identifier: MIT */
#include "format/columnar/flatbuffer.h"

/* Opens the table at `at`: the distance back to the list of its offsets, then its fields. */
static bool
open_table(const uint8_t *p, size_t n, size_t at, struct trc_flatbuffer *t)
{
	uint32_t back;
	size_t list;

	if (at > n || n - at < 4)
		return false;
	back = trc_le32(p + at);
	list = at - (size_t)(int64_t)(int32_t)back;
	if (list > n || n - list < 4 || trc_le16(p + list) < 4 || trc_le16(p + list) > n - list)
		return false;
	*t = (struct trc_flatbuffer){ p,        n,
		                      at,       trc_le16(p + list + 2),
		                      list + 4, trc_le16(p + list) / 2u - 2 };
	return t->size <= n - at;
}

bool
trc_flatbuffer_root(const uint8_t *p, size_t n, struct trc_flatbuffer *t)
{
	return n >= 4 && open_table(p, n, trc_le32(p), t);
}

/* Returns the position of a field of `bytes` bytes; 0: not present. */
static size_t
field_position(const struct trc_flatbuffer *t, unsigned field, size_t bytes)
{
	const size_t offset = field < t->places ? trc_le16(t->p + t->fields + 2 * field) : 0;

	return offset > 0 && offset <= t->size && t->size - offset >= bytes ? t->at + offset : 0;
}

uint64_t
trc_flatbuffer_number(const struct trc_flatbuffer *t, unsigned field, unsigned bytes, uint64_t none)
{
	const size_t at = field_position(t, field, bytes);
	uint64_t v = 0;

	for (unsigned i = 0; at > 0 && i < bytes; i++)
		v |= (uint64_t)t->p[at + i] << 8 * i;
	return at > 0 ? v : none;
}

/* Returns the target of the offset at `at`; t->n: there is none. */
static size_t
follow(const struct trc_flatbuffer *t, size_t at)
{
	const uint32_t far = trc_le32(t->p + at);

	return far <= t->n - at ? at + far : t->n;
}

bool
trc_flatbuffer_table(const struct trc_flatbuffer *t, unsigned field, struct trc_flatbuffer *to)
{
	const size_t at = field_position(t, field, 4);

	return at > 0 && open_table(t->p, t->n, follow(t, at), to);
}

bool
trc_flatbuffer_list(const struct trc_flatbuffer *t, unsigned field, size_t width,
                    struct trc_view *list)
{
	const size_t slot = field_position(t, field, 4), at = slot ? follow(t, slot) : t->n;

	*list = (struct trc_view){ t->p, t->p };
	if (slot == 0)
		return true;
	if (t->n - at < 4 || trc_le32(t->p + at) > (t->n - at - 4) / width)
		return false;
	list->p = t->p + at + 4;
	list->end = list->p + width * trc_le32(t->p + at);
	return true;
}

bool
trc_flatbuffer_text(const struct trc_flatbuffer *t, unsigned field, struct trc_field *text)
{
	struct trc_view v;
	const bool good = trc_flatbuffer_list(t, field, 1, &v);

	*text = (struct trc_field){ v.p, (size_t)(v.end - v.p) };
	return good;
}

bool
trc_flatbuffer_entry(const struct trc_flatbuffer *t, const struct trc_view *list, size_t i,
                     struct trc_flatbuffer *to)
{
	return open_table(t->p, t->n, follow(t, (size_t)(list->p - t->p) + 4 * i), to);
}

/* ---- writing ---- */

/* Appends zeros so that what follows the next `n` bytes is aligned to 8. */
static int
align(struct trc_buf *b, size_t n, struct trc_err *err)
{
	static const uint8_t zeros[8];

	return trc_buf_put(b, zeros, (0 - (b->n + n)) & 7, err);
}

static void
note(struct trc_buf *b, size_t slot)
{
	trc_put_le32(b->p + slot, (uint32_t)(b->n - slot));
}

int
trc_flatbuffer_put(struct trc_buf *b, size_t slot, struct trc_flatbuffer_field *field, size_t n,
                   struct trc_err *err)
{
	enum { ROOM = 8 + 10 * 8 }; /* for tables of at most 8 fields */
	size_t size = 4, list;

	if (align(b, 2 * n + 4 + 4, err) || trc_buf_room(b, ROOM, err))
		return -1;
	list = b->n;
	b->n += 4 + 2 * n;
	memset(b->p + list, 0, ROOM);
	note(b, slot);
	trc_put_le32(b->p + b->n, (uint32_t)(4 + 2 * n));
	/* Wide fields come before narrow ones, so that each is aligned. */
	for (unsigned bytes = 8; bytes > 0; bytes /= 2)
		for (size_t i = 0; i < n; i++)
			if (field[i].bytes == bytes) {
				uint8_t value[8];

				trc_put_le16(b->p + list + 4 + 2 * i, (uint16_t)size);
				trc_put_le64(value, field[i].value);
				memcpy(b->p + b->n + size, value, bytes);
				field[i].slot = b->n + size;
				size += bytes;
			}
	trc_put_le16(b->p + list, (uint16_t)(4 + 2 * n));
	trc_put_le16(b->p + list + 2, (uint16_t)size);
	b->n += size;
	return 0;
}

int
trc_flatbuffer_put_list(struct trc_buf *b, size_t slot, size_t n, struct trc_err *err)
{
	uint8_t count[4];

	trc_put_le32(count, (uint32_t)n);
	if (align(b, 4, err))
		return -1;
	note(b, slot);
	return trc_buf_put(b, count, 4, err);
}

int
trc_flatbuffer_put_text(struct trc_buf *b, size_t slot, const char *text, struct trc_err *err)
{
	return trc_flatbuffer_put_list(b, slot, strlen(text), err) ||
	                       trc_buf_put(b, text, strlen(text) + 1, err) ?
	               -1 :
	               0;
}
