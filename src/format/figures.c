/* SPDX-License-Identifier: MIT */
#include "format/figures.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

enum {
	LINES = 500, /* limit */
	OFTEN = 8,   /* up to one line in this many may be an exception */
};

static bool
is_power(uint64_t v)
{
	return v > 0 && (v & (v - 1)) == 0;
}

/* Returns the index of a number among the different ones. */
static size_t
index_of(const struct trc_field_figures *s, uint64_t v)
{
	size_t i = 0;

	while (i < s->values && s->value[i] != v)
		i++;
	return i;
}

/* Notes a number; returns false if it occurred before. */
static bool
note(struct trc_field_figures *s, uint64_t v)
{
	const size_t i = index_of(s, v);

	if (i < TRC_FIGURES_VALUES)
		s->seen[i]++;
	if (i == s->values && i < TRC_FIGURES_VALUES) {
		s->value[s->values++] = v;
		return true;
	}
	return i == TRC_FIGURES_VALUES;
}

void
trc_figures_note_size(trc_figures_sizes sizes, uint64_t addr, uint64_t size)
{
	if (is_power(size) && size < 1 << TRC_FIGURES_BITS)
		sizes[trc_ctz64(size)][trc_ctz64(addr | 1 << (TRC_FIGURES_BITS - 1))]++;
}

/* Returns how many lines have an address that ends in this many zeros. */
static size_t
count_aligned(trc_figures_sizes sizes, int zeros)
{
	size_t lines = 0;

	for (int size = 0; size < TRC_FIGURES_BITS; size++)
		for (int k = zeros; k < TRC_FIGURES_BITS; k++)
			lines += sizes[size][k];
	return lines;
}

unsigned
trc_figures_align(trc_figures_sizes sizes)
{
	const double lines = (double)count_aligned(sizes, 0);
	double bits = 0;

	for (int size = 1; size < TRC_FIGURES_BITS; size++) {
		const double chance = (double)count_aligned(sizes, size) / lines;
		const double rule = 1 - (1 - chance) / OFTEN;

		for (int zeros = 0; zeros < TRC_FIGURES_BITS; zeros++)
			if (sizes[size][zeros])
				bits += (double)sizes[size][zeros] *
				        log2(zeros >= size ? rule / chance : 1.0 / OFTEN);
	}
	return bits < 0 ? 0 : bits < 999 ? (unsigned)bits : 999;
}

/* Returns how many of the four low digits differ from those of the previous number by more than a
 * step up. */
static size_t
changed_digits(struct trc_field f, struct trc_field last)
{
	size_t n = 0;

	for (size_t k = 1; k <= 4 && k <= f.len && k <= last.len; k++) {
		const uint8_t a = f.p[f.len - k] | 0x20, b = last.p[last.len - k] | 0x20;

		n += a != b && a != b + 1;
	}
	return n;
}

/* Returns the range of an address in a 32-bit program, for struct trc_field_figures; 3: none. */
static int
place_in_process(uint64_t v)
{
	return v >= 0x08048000 && v < 0x0c000000 ? 0 :
	       v >= 0xb7000000 && v < 0xb8000000 ? 1 :
	       v >= 0xbf000000 && v < 0xc0000000 ? 2 :
	                                           3;
}

static bool
is_padded(struct trc_field f)
{
	const size_t at = trc_field_is_marked(f) ? 2 : 0;

	return f.len > at + 1 && f.p[at] == '0' && isxdigit(f.p[at + 1]);
}

static void
count_number(struct trc_field_figures *s, struct trc_field f, uint64_t v)
{
	const bool marked = trc_field_is_marked(f);
	bool letters = false;

	s->marked |= marked;
	for (size_t i = 0; i < f.len; i++) {
		s->above |= f.p[i] > '1';
		letters |= isalpha(f.p[i]);
		s->letters |= isalpha(f.p[i]) && !strchr("eExX", f.p[i]);
	}
	s->bare |= !marked && !letters && f.len > 1;
	s->unmarked |= !marked && letters;
	s->wide |= f.len > 1;
	s->padded |= is_padded(f);
	if (note(s, v) && s->numbers > 0)
		s->digits += changed_digits(f, s->text);
	s->falls += s->numbers > 0 && v < s->last;
	s->powers += is_power(v);
	s->zeros += v == 0;
	(*(place_in_process(v) < 3 ? &s->process[place_in_process(v)] : &s->elsewhere))++;
	s->most = v > s->most ? v : s->most;
	s->bits |= v;
	s->last = v;
	s->text = f;
	s->numbers++;
}

/* Parses the number in a field, without a following colon or other punctuation, which belongs to
 * the grammar, or a comma and another number. */
static bool
take_number(struct trc_field *f, unsigned base, uint64_t *v)
{
	const uint8_t *comma = memchr(f->p, ',', f->len);

	f->len = comma ? (size_t)(comma - f->p) : f->len;
	while (f->len > 0 && strchr(":;,", f->p[f->len - 1]))
		f->len--;
	return base == 10 ? trc_field_dec(*f, UINT64_MAX, v) : trc_field_hex(*f, UINT64_MAX, v);
}

static void
count_case(struct trc_figures *n, struct trc_field type)
{
	if (type.len == 1 && isalpha(*type.p))
		*(islower(*type.p) ? &n->lower : &n->upper) |= UINT32_C(1) << (*type.p & 31);
}

static bool
is_request(struct trc_field type)
{
	static const char *const words[] = { "r", "w", "read", "write" };

	for (size_t i = 0; i < TRC_COUNT(words); i++)
		if (type.len == strlen(words[i]) &&
		    strncasecmp((const char *)type.p, words[i], type.len) == 0)
			return true;
	return false;
}

struct last_fetch {
	uint64_t addr, size;
	bool any;
};

/* Counts relations between type, address and size of a line. */
static void
count_together(struct trc_figures *n, struct trc_field type, uint64_t addr, uint64_t size,
               struct last_fetch *last)
{
	const unsigned label = type.len == 1 ? (unsigned)*type.p - '0' : TRC_FIGURES_LABELS;

	if (label < TRC_FIGURES_LABELS)
		n->label[label]++;
	trc_figures_note_size(n->size, addr, size);
	if (label != 2 && !(type.len == 1 && (*type.p | 0x20) == 'i')) {
		n->lowest = addr < n->lowest ? addr : n->lowest;
		n->data += last->any;
		n->amid += last->any && addr - last->addr + 4096 < 2 * 4096;
		return;
	}
	n->code++;
	n->fetched = addr > n->fetched ? addr : n->fetched;
	n->fetches += last->any;
	n->near += last->any && addr - last->addr - 1 < 16;
	n->next += last->any && size > 0 && addr == last->addr + last->size;
	*last = (struct last_fetch){ addr, size, true };
}

/* Counts whether the first number occurred before with the same second number. */
static void
count_again(struct trc_figures *n, const uint64_t v[2])
{
	const size_t at = index_of(&n->field[0], v[0]);

	if (at < n->field[0].values) {
		n->same += n->companion[at] == v[1];
		n->other += n->companion[at] != v[1];
	} else if (at < TRC_FIGURES_VALUES) {
		n->companion[at] = v[1];
	}
}

static void
count_line(struct trc_figures *n, struct trc_field *field, size_t fields, unsigned base,
           struct last_fetch *last, int addr, int size)
{
	uint64_t v[TRC_FIGURES_FIELDS] = { 0 };
	bool number[TRC_FIGURES_FIELDS];
	size_t k = 0;

	for (; k < fields && k < TRC_FIGURES_FIELDS && !strchr("#;/%", field[k].p[0]); k++)
		number[k] = take_number(&field[k], base, &v[k]);
	fields = k;
	count_again(n, v);
	for (k = 0; k < fields; k++) {
		n->field[k].lines++;
		if (number[k])
			count_number(&n->field[k], field[k], v[k]);
	}
	n->requests += fields > 1 && is_request(field[addr == 0]);
	count_case(n, field[addr == 0 && fields > 1]);
	count_together(n, field[0], addr < 0 ? 0 : v[addr], size < 0 ? 0 : v[size], last);
	n->least = fields < n->least ? fields : n->least;
	n->most = fields > n->most ? fields : n->most;
	n->lines++;
}

/* Returns the end of the line at `p`; NULL if it is incomplete. */
static const uint8_t *
line_end(const struct trc_probe *probe, const uint8_t *p)
{
	const uint8_t *end = probe->p + probe->n, *lf = memchr(p, '\n', (size_t)(end - p));

	return lf || !probe->whole ? lf : end;
}

void
trc_figures_count_several(struct trc_figures_several *n, const struct trc_probe *probe, int at)
{
	const uint8_t *end = probe->p + probe->n, *lf;
	struct trc_field field[TRC_FIGURES_FIELDS];
	uint64_t decimal, hex;

	*n = (struct trc_figures_several){ .lines = 0 };
	for (const uint8_t *p = probe->p; p < end && (lf = line_end(probe, p)); p = lf + 1) {
		const size_t fields = trc_text_fields(p, lf, field, TRC_FIGURES_FIELDS);
		const struct trc_field size = field[at];

		if (fields <= (size_t)at || size.len < 2 || !trc_field_hex(size, UINT32_MAX, &hex))
			continue;
		n->lines++;
		if (!trc_field_dec(size, UINT32_MAX, &decimal)) {
			n->letters++;
			continue;
		}
		n->both += decimal == 10;
		n->decimal += (decimal > 10 && decimal < 16) ||
		              (decimal >= 16 && is_power(decimal));
		n->hex += hex > 16 && is_power(hex);
	}
}

void
trc_figures_count(struct trc_figures *n, const struct trc_probe *probe, unsigned base, int addr,
                  int size)
{
	const uint8_t *p, *end = probe->p + probe->n, *lf;
	struct last_fetch last = { 0, 0, false };

	*n = (struct trc_figures){ .least = TRC_FIGURES_FIELDS, .lowest = UINT64_MAX };
	p = trc_lines_pass_mark(probe->p, end);
	for (int i = 0; i < LINES && p < end && (lf = line_end(probe, p)); i++, p = lf + 1) {
		struct trc_field field[TRC_FIGURES_FIELDS];
		const size_t fields = trc_text_fields(p, lf, field, TRC_FIGURES_FIELDS);
		n->described |= lf - p > 6 && memcmp(p, "# trc ", 6) == 0;
		if (fields > 0 && field[0].p[0] != '#')
			count_line(n, field, fields, base, &last, addr, size);
	}
}
