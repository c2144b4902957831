/* SPDX-License-Identifier: MIT */
#include "machine/bus/bus_text.h"

#include <ctype.h>
#include <stdio.h>

#include "base/text.h"

enum { FIELDS = 6 }; /* at most, of a line */

bool
trc_bus_text_probe(const uint8_t *p, size_t n)
{
	return n >= 4 && memcmp(p, "bus ", 4) == 0;
}

/* Splits a line into fields up to its comment; returns FIELDS + 1 if there are more. */
static size_t
fields_of(const uint8_t *p, const uint8_t *end, struct trc_field *field)
{
	const uint8_t *hash = p < end ? memchr(p, '#', (size_t)(end - p)) : NULL;

	return trc_text_fields(p, hash ? hash : end, field, FIELDS);
}

bool
trc_bus_text_blank(const uint8_t *p, const uint8_t *end)
{
	struct trc_field field[FIELDS + 1];

	return fields_of(p, end, field) == 0;
}

bool
trc_bus_text_record(const uint8_t *p, const uint8_t *end)
{
	struct trc_field field[FIELDS + 1];

	return fields_of(p, end, field) > 0 && field[0].len == 1 && isupper(field[0].p[0]);
}

static int
take_range(struct trc_bus_range *range, size_t *n, const struct trc_field *field, size_t fields,
           struct trc_err *err)
{
	struct trc_bus_range *r = &range[*n];

	if (*n == TRC_BUS_RANGES)
		return trc_fail(err, "more than %d ranges of one kind", TRC_BUS_RANGES);
	if (fields != 3 || !trc_field_hex(field[1], UINT64_MAX, &r->start) ||
	    !trc_field_hex(field[2], UINT64_MAX, &r->len) || r->len == 0 ||
	    r->len - 1 > UINT64_MAX - r->start)
		return trc_fail(err, "expected '%.*s START LENGTH', in hexadecimal",
		                (int)field[0].len, (const char *)field[0].p);
	++*n;
	return 0;
}

int
trc_bus_text_head(struct trc_bus_head *head, const uint8_t *p, const uint8_t *end,
                  struct trc_err *err)
{
	struct trc_field field[FIELDS + 1];
	const size_t n = fields_of(p, end, field);
	uint64_t v = 0;

	if (n == 0)
		return 0;
	if (trc_field_is(field[0], "ram"))
		return take_range(head->ram, &head->rams, field, n, err);
	if (trc_field_is(field[0], "io"))
		return take_range(head->io, &head->ios, field, n, err);
	if (trc_field_is(field[0], "user") && n == 1) {
		head->user = true;
		return 0;
	}
	if (n == 2 && trc_field_is(field[0], "isa") && field[1].len < sizeof(head->isa)) {
		snprintf(head->isa, sizeof(head->isa), "%.*s", (int)field[1].len,
		         (const char *)field[1].p);
		return 0;
	}
	if (n == 2 && trc_field_is(field[0], "bus")) {
		if (trc_field_hex(field[1], UINT64_MAX, &v) && v == TRC_BUS_VERSION)
			return 0;
		return trc_fail(err,
		                "this is a bus trace of version %.*s; only version %d is "
		                "supported",
		                (int)field[1].len, (const char *)field[1].p, TRC_BUS_VERSION);
	}
	if (n == 2 && trc_field_is(field[0], "line") && trc_field_hex(field[1], 4096, &v) &&
	    (v & (v - 1)) == 0) {
		head->line = (uint32_t)v;
		return 0;
	}
	if (n == 2 && trc_field_is(field[0], "window") &&
	    trc_field_hex(field[1], UINT64_MAX, &head->window))
		return 0;
	return trc_fail(err, "'%.*s' is not a header line of a bus trace",
	                (int)(end - p < 60 ? end - p : 60), (const char *)p);
}

static int
digit_of(uint8_t c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 32;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool
take_data(struct trc_field f, struct trc_buf *data, struct trc_err *err)
{
	if (f.len % 2 || f.len / 2 > TRC_BUS_DATA_MOST || trc_buf_room(data, f.len / 2, err))
		return false;
	for (size_t i = 0; i < f.len; i += 2) {
		const int high = digit_of(f.p[i]), low = digit_of(f.p[i + 1]);

		if (high < 0 || low < 0)
			return false;
		trc_buf_byte(data, (uint8_t)(high << 4 | low));
	}
	return true;
}

static bool
take_field(struct trc_bus_record *r, char what, struct trc_field f, struct trc_buf *data,
           struct trc_err *err)
{
	switch (what) {
	case 'k': return trc_field_hex(f, UINT64_MAX, &r->key);
	case 'v': return trc_field_hex(f, UINT64_MAX, &r->value);
	case 'a': return trc_field_hex(f, UINT64_MAX, &r->addr);
	default: return take_data(f, data, err);
	}
}

/* Fails with the grammar of the type, such as "TYPE COUNT KEY ADDRESS DATA". */
static int
fail_record(const char *fields, unsigned type, struct trc_err *err)
{
	char grammar[64];
	size_t len = (size_t)snprintf(grammar, sizeof(grammar), "%c COUNT", (int)type);

	if (err->code == TRC_NO_MEMORY)
		return -1;
	for (; *fields; fields++)
		len += (size_t)snprintf(grammar + len, sizeof(grammar) - len, " %s",
		                        *fields == 'k' ? "NUMBER" :
		                        *fields == 'v' ? "VALUE" :
		                        *fields == 'a' ? "ADDRESS" :
		                                         "DATA");
	return trc_fail(err, "expected '%s', in hexadecimal", grammar);
}

int
trc_bus_text_take(struct trc_bus_record *r, const uint8_t *p, const uint8_t *end,
                  struct trc_buf *data, struct trc_err *err)
{
	struct trc_field field[FIELDS + 1];
	const size_t n = fields_of(p, end, field);
	const uint64_t before = r->count;
	const char *fields = NULL;
	uint64_t delta;

	if (n > 0 && field[0].len == 1)
		fields = trc_bus_fields(field[0].p[0]);
	if (!fields)
		return trc_fail(err, "'%.*s' is not a bus trace record",
		                (int)(end - p < 60 ? end - p : 60), (const char *)p);
	*r = (struct trc_bus_record){ .type = field[0].p[0] };
	data->n = 0;
	err->code = TRC_OK;
	if (n != strlen(fields) + 2 || !trc_field_hex(field[1], UINT64_MAX - before, &delta))
		return fail_record(fields, r->type, err);
	r->count = before + delta;
	for (size_t i = 0; fields[i]; i++)
		if (!take_field(r, fields[i], field[i + 2], data, err))
			return fail_record(fields, r->type, err);
	r->data = data->p;
	r->len = (uint32_t)data->n;
	return 0;
}

int
trc_bus_text_put(const struct trc_bus_record *r, uint64_t before, struct trc_buf *text,
                 struct trc_err *err)
{
	const char *fields = trc_bus_fields(r->type);
	char word[24];

	snprintf(word, sizeof(word), "%c %llx", (int)r->type,
	         (unsigned long long)(r->count - before));
	if (trc_buf_put(text, word, strlen(word), err))
		return -1;
	for (; *fields; fields++) {
		if (trc_buf_room(text, 24 + 2 * (size_t)r->len, err))
			return -1;
		trc_buf_byte(text, ' ');
		if (*fields == 'd') {
			for (uint32_t i = 0; i < r->len; i++) {
				trc_buf_byte(text, (uint8_t)("0123456789abcdef"[r->data[i] >> 4]));
				trc_buf_byte(text, (uint8_t)("0123456789abcdef"[r->data[i] & 15]));
			}
			continue;
		}
		text->n = (size_t)(trc_text_put_hex(text->p + text->n, *fields == 'k' ? r->key :
		                                                       *fields == 'v' ? r->value :
		                                                                        r->addr) -
		                   text->p);
	}
	return trc_buf_put(text, "\n", 1, err);
}
