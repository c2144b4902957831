/* SPDX-License-Identifier: MIT */
#include "stage/space/page_map.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/io/in.h"
#include "base/map_find.h"
#include "base/text.h"

enum { NONE = 0 }; /* as a frame: no longer mapped; frames are stored + 1 */

int
trc_page_map_init(struct trc_page_map *p, unsigned bits, struct trc_err *err)
{
	*p = (struct trc_page_map){ .bits = bits };
	return trc_map_init(&p->at, err);
}

void
trc_page_map_release(struct trc_page_map *p)
{
	trc_map_release(&p->at);
	free(p->page);
	*p = (struct trc_page_map){ .n = 0 };
}

/* Sets the frame of a page; with `once`, fails if the page has another. */
static int
set(struct trc_page_map *p, uint32_t space, uint64_t page, uint64_t frame, bool once,
    struct trc_err *err)
{
	const uint32_t at = trc_map_find(&p->at, space, page)->value;

	if (at != TRC_MAP_NONE) {
		if (once && p->page[at] != frame)
			return trc_fail(err, "page 0x%llx of space %u has two physical pages",
			                (ull)page, space);
		p->page[at] = frame;
		return 0;
	}
	if (trc_grow(&p->page, &p->cap, p->n + 1, sizeof(*p->page), err) ||
	    trc_map_add(&p->at, space, page, (uint32_t)p->n, err))
		return -1;
	p->page[p->n++] = frame;
	return 0;
}

bool
trc_page_map_find(const struct trc_page_map *p, uint32_t space, uint64_t page, uint64_t *frame)
{
	const uint32_t at = trc_map_find(&p->at, p->spaces ? space : 0, page)->value;

	if (at == TRC_MAP_NONE || p->page[at] == NONE)
		return false;
	*frame = p->page[at] - 1;
	return true;
}

/* ---- files ---- */

/* The state of reading a file. In text protocol buffers, addresses are kept until the page size is
 * known. */
struct reading {
	struct trc_page_map *p;
	uint64_t page_size, virtual; /* page_size 0: not read yet */
	bool has_virtual;            /* `virtual` waits for its physical_address */
	bool proto, table;
};

static int
set_page_size(struct reading *r, uint64_t size, struct trc_err *err)
{
	if (size < 2 || size & (size - 1) || (r->page_size && r->page_size != size))
		return trc_fail(err,
		                "page_size %llu is not a power of two, or differs from the "
		                "previous one",
		                (ull)size);
	r->page_size = size;
	r->p->bits = (unsigned)trc_ctz64(size);
	return 0;
}

static int
set_address(struct reading *r, uint64_t physical, struct trc_err *err)
{
	const uint64_t page = r->virtual;

	if (!r->page_size || !r->has_virtual)
		return trc_fail(err, "a physical_address without page_size and virtual_address "
		                     "before it");
	r->has_virtual = false;
	if ((page | physical) & (r->page_size - 1))
		return trc_fail(err, "0x%llx to 0x%llx are not addresses of pages of %llu bytes",
		                (ull)page, (ull)physical, (ull)r->page_size);
	return set(r->p, 0, page >> r->p->bits, (physical >> r->p->bits) + 1, true, err);
}

static int
take_key(struct reading *r, struct trc_field key, uint64_t v, struct trc_err *err)
{
	if (trc_field_is(key, "page_size"))
		return set_page_size(r, v, err);
	if (trc_field_is(key, "physical_address"))
		return set_address(r, v, err);
	if (trc_field_is(key, "virtual_address")) {
		r->virtual = v;
		r->has_virtual = true;
	}
	return 0;
}

/* Returns the next word from *at on, up to one of `ends`, and moves *at past it. */
static struct trc_field
next_word(const uint8_t **at, const uint8_t *end, const char *ends)
{
	const uint8_t *s = *at, *e;

	while (s < end && strchr(ends, *s))
		s++;
	for (e = s; e < end && !strchr(ends, *e);)
		e++;
	*at = e;
	return (struct trc_field){ s, (size_t)(e - s) };
}

/* Parses a line of "key: number" and braces. */
static int
take_proto(struct reading *r, const uint8_t *s, const uint8_t *e, struct trc_err *err)
{
	struct trc_field word, key = { NULL, 0 };
	uint64_t v;

	r->proto = true;
	while ((word = next_word(&s, e, " \t\r\n:{},;")).len > 0) {
		if (!trc_field_dec(word, UINT64_MAX, &v))
			key = word;
		else if (take_key(r, key, v, err))
			return -1;
	}
	return 0;
}

/* Parses a line of a table; the first line may be a header. */
static int
take_row(struct reading *r, const uint8_t *s, const uint8_t *e, struct trc_err *err)
{
	uint64_t v[3] = { 0, 0, 0 };
	struct trc_field word;
	size_t n = 0;
	bool names = false, digits = true;
	uint64_t hex;

	for (; (word = next_word(&s, e, " \t\r\n,;")).len > 0; n++) {
		names |= n > 2 || !trc_field_dec(word, UINT64_MAX, &v[n]);
		digits = digits && trc_field_hex(word, UINT64_MAX, &hex);
	}
	if (n == 0 || (names && !digits && !r->table)) {
		r->table |= n > 0;
		return 0;
	}
	if (names || n < 2 || v[2] > UINT32_MAX || v[1] == UINT64_MAX)
		return trc_fail(err,
		                "expected 'virtual page, physical page[, space]' or a line of "
		                "v2p.textproto%s",
		                names && digits && n <= 3 ? "; hexadecimal numbers need 0x" : "");
	r->p->spaces |= n == 3;
	r->table = true;
	return set(r->p, (uint32_t)v[2], v[0], v[1] + 1, true, err);
}

static int
take_line(struct reading *r, const uint8_t *s, const uint8_t *e, struct trc_err *err)
{
	s = trc_text_pass(s, e, TRC_TEXT_BLANKS);
	if (s == e || *s == '#' || *s == '\n' || *s == '\r')
		return 0;
	if (!r->table &&
	    (r->proto || memchr(s, ':', (size_t)(e - s)) || memchr(s, '{', (size_t)(e - s))))
		return take_proto(r, s, e, err);
	return take_row(r, s, e, err);
}

static int
read_lines(struct reading *r, struct trc_in *in, struct trc_err *err)
{
	unsigned long long line = 0;
	const uint8_t *e;

	for (;; in->p = e) {
		if (trc_in_line(in, &e, err))
			return -1;
		if (e == in->p)
			return 0;
		line++;
		if (take_line(r, in->p, e, err))
			return trc_err_in(err, "line %llu", line);
	}
}

int
trc_page_map_read(struct trc_page_map *p, const char *path, struct trc_err *err)
{
	struct trc_in *in = trc_in_open(path, err);
	struct reading r = { .p = p };
	int ret;

	if (!in)
		return -1;
	ret = read_lines(&r, in, err);
	trc_in_close(in);
	if (ret == 0 && p->n == 0)
		ret = trc_fail(err, "has no pages");
	return ret ? trc_err_in(err, "%s", path) : 0;
}

/* ---- markers ---- */

/* Parses the number after the name of a marker; returns false if the marker has another name. */
static bool
marker(const char *event, const char *name, uint64_t *v)
{
	const size_t len = strlen(name);

	return strncmp(event, "! ", 2) == 0 && strncmp(event + 2, name, len) == 0 &&
	       event[2 + len] == ' ' &&
	       trc_field_dec((struct trc_field){ (const uint8_t *)event + 3 + len,
	                                         strcspn(event + 3 + len, " ") },
	                     UINT64_MAX, v);
}

int
trc_page_map_mark(struct trc_page_map *p, const struct trc_batch *b, size_t i, struct trc_err *err)
{
	const char *event = trc_batch_event(b, i);
	uint64_t v;

	if (marker(event, "page-size", &v) && v > 1 && !(v & (v - 1)) && p->n == 0)
		p->bits = (unsigned)trc_ctz64(v);
	else if (marker(event, "physical-address", &v))
		p->frame = (v >> p->bits) + 1;
	else if (marker(event, "physical-address-not-available", &v))
		return set(p, 0, v >> p->bits, NONE, false, err);
	else if (marker(event, "virtual-address", &v) && p->frame)
		return set(p, 0, v >> p->bits, p->frame, false, err);
	return 0;
}
