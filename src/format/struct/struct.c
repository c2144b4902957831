/* SPDX-License-Identifier: MIT
 *
 * Records of any fixed layout, given in the letters of Python's struct module, with the meaning of
 * each field:
 *
 *   --from struct:<IQI,time,addr,size
 *   --from struct:>QQ,_,addr
 *   --from 'struct:<BxHIQ,type,_,size,addr*512,read=0:2,write=1,skip=64'
 *
 * The first are records of 16 bytes: a number of 4 bytes, one of 8 and one of 4. The second are two
 * longs as Java writes them, one of which is skipped.
 *
 * The first letter is the byte order: < little-endian, > or ! big-endian, = little-endian; without
 * one, or with @, little-endian with fields aligned as C aligns them on 64-bit machines. Then a
 * letter for each field: b B (one byte), h H (2), i I l L (4; l and L are 8 if fields are aligned),
 * q Q (8), ? (1); e f d (2, 4, 8) and s (bytes) are skipped, x is a gap. Lower-case letters are
 * signed. A number before a letter repeats it, or is the length of s.
 *
 * Each field has a word, in the same order: a column, whose value may be multiplied (addr*512, or
 * addr*4K for 4096), or _ to skip it. A type needs its codes: read=0:2,write=1. Other codes are
 * refused; ignore has the codes of records to skip. skip=N skips a header.
 */
#include "format/struct/struct.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "format/codes.h"
#include "format/format.h"

enum {
	FIELDS_MOST = 24,
	CODES_MOST = 16,
	RECORD_MOST = 4096, /* bytes */
	UNKNOWN = TRC_TYPES,
};

/* The position of a column in a record. */
struct place {
	uint16_t at;
	uint8_t bytes, column;
	bool has_sign;
	uint32_t factor;
};

/* The settings. */
struct layout {
	struct place place[FIELDS_MOST];
	struct {
		uint32_t code;
		uint8_t type;
	} code[CODES_MOST];
	uint64_t skip;
	uint32_t have;
	uint16_t size; /* of a record */
	uint8_t places, codes;
	bool big;
};

_Static_assert(sizeof(struct layout) <= TRC_FORMAT_SETTINGS, "fits the settings of a format");

/* ---- the layout ---- */

/* Looks up the letter of a field: its size, and whether its number can go into a column. */
static bool
letter_of(char letter, bool aligned, uint8_t *bytes, bool *is_number)
{
	static const char known[] = "xcbB?shHeiIfqQdlL";
	static const uint8_t size[] = { 1, 1, 1, 1, 1, 1, 2, 2, 2, 4, 4, 4, 8, 8, 8, 4, 4 };
	const char *at = letter ? strchr(known, letter) : NULL;

	if (!at)
		return false;
	*bytes = size[at - known];
	if (aligned && (letter == 'l' || letter == 'L'))
		*bytes = 8;
	*is_number = strchr("bB?hHiIqQlL", letter) != NULL;
	return true;
}

/* Parses a layout one field at a time, together with the words that name them. */
struct reader {
	const char *p, *end; /* the rest of the layout */
	const char *word;    /* the next word; "" after the last */
	struct layout *to;
	bool aligned;
};

static int
take_factor(const char *text, size_t len, bool bytes, uint32_t *factor, struct trc_err *err)
{
	char number[32];
	uint64_t v;

	snprintf(number, sizeof(number), "%.*s", (int)len, text);
	if (len >= sizeof(number) || !trc_opt_number(number, bytes, &v) || v == 0 || v > UINT32_MAX)
		return trc_fail_as(err, TRC_USAGE, "struct: '%.*s' is not a factor", (int)len,
		                   text);
	*factor = (uint32_t)v;
	return 0;
}

/* Assigns a field to the column of the next word. */
static int
take_word(struct reader *r, struct place place, char letter, bool is_number, struct trc_err *err)
{
	const size_t len = strcspn(r->word, ","), name = strcspn(r->word, ",*");
	const uint32_t bit = trc_column_bit(r->word, name);
	struct layout *to = r->to;

	if (len == 0 || memchr(r->word, '=', len))
		return trc_fail_as(err, TRC_USAGE,
		                   "struct: field '%c' has no word; give a column, or _ to skip "
		                   "it",
		                   letter);
	place.factor = 1;
	if (name < len && take_factor(r->word + name + 1, len - name - 1,
	                              bit & (TRC_HAS_ADDR | TRC_HAS_SIZE), &place.factor, err))
		return -1;
	if (strncmp(r->word, "_", name) != 0) {
		if (!bit || bit == TRC_HAS_EVENT)
			return trc_fail_as(err, TRC_USAGE, "struct: '%.*s' is not a column",
			                   (int)name, r->word);
		if (to->have & bit)
			return trc_fail_as(err, TRC_USAGE, "struct: two fields are '%.*s'",
			                   (int)name, r->word);
		if (!is_number)
			return trc_fail_as(
			        err, TRC_USAGE,
			        "struct: a field '%c' cannot be '%.*s', only whole numbers can; _ "
			        "skips a field",
			        letter, (int)name, r->word);
		if (to->places == FIELDS_MOST)
			return trc_fail_as(err, TRC_USAGE, "struct: more than %d columns",
			                   FIELDS_MOST);
		to->have |= bit;
		place.column = (uint8_t)trc_ctz64(bit);
		to->place[to->places++] = place;
	}
	r->word += len + (r->word[len] == ',');
	return 0;
}

/* Parses one letter, with the number before it. */
static int
take_letter(struct reader *r, struct trc_err *err)
{
	struct layout *to = r->to;
	struct place place = { 0 };
	size_t times = 1, size = to->size;
	bool is_number;
	char letter;

	if (isdigit((unsigned char)*r->p))
		for (times = 0;
		     r->p < r->end && isdigit((unsigned char)*r->p) && times <= RECORD_MOST;)
			times = 10 * times + (size_t)(*r->p++ - '0');
	letter = r->p < r->end ? *r->p++ : 0;
	if (!letter_of(letter, r->aligned, &place.bytes, &is_number))
		return trc_fail_as(err, TRC_USAGE,
		                   "struct: '%c' is not a field; the letters are those of Python's "
		                   "struct module, such as B, H, I and Q",
		                   letter ? letter : ' ');
	if (r->aligned)
		size = (size + place.bytes - 1) / place.bytes * place.bytes;
	if (size + times * place.bytes > RECORD_MOST)
		return trc_fail_as(err, TRC_USAGE, "struct: records of more than %d bytes",
		                   RECORD_MOST);
	place.has_sign = letter != '?' && islower((unsigned char)letter);
	to->size = (uint16_t)(size + times * place.bytes);
	if (letter == 's')
		times = 1;
	for (size_t i = 0; i < times && letter != 'x'; i++) {
		place.at = (uint16_t)(size + i * place.bytes);
		if (take_word(r, place, letter, is_number, err))
			return -1;
	}
	return 0;
}

/* ---- codes ---- */

/* The arguments after the columns. */
struct others {
	struct trc_opt_field codes[TRC_CODED];
	uint64_t skip;
};

static const struct trc_opt other[] = {
#define CODED(place, name, type, doc) \
	TRC_CODES_ROW(offsetof(struct others, codes), place, name, doc),
	/* clang-format off */
	TRC_CODED_TYPES(CODED)
/* clang-format on */
#undef CODED
	        { 0, "skip", "N", "bytes of a header", TRC_OPT_OFFSET, TRC_WORDS_NONE,
	          offsetof(struct others, skip) },
};

static int
take_code(struct layout *to, struct trc_field f, uint8_t type, struct trc_err *err)
{
	char number[32];
	uint64_t code;

	snprintf(number, sizeof(number), "%.*s", (int)f.len, (const char *)f.p);
	if (!trc_opt_number(number, false, &code) || code > UINT32_MAX)
		return trc_fail_as(err, TRC_USAGE, "struct: '%s' is not the code of a type",
		                   number);
	for (size_t i = 0; i < to->codes; i++)
		if (to->code[i].code == code)
			return trc_fail_as(err, TRC_USAGE, "struct: code %s has two types", number);
	if (to->codes == CODES_MOST)
		return trc_fail_as(err, TRC_USAGE, "struct: more than %d codes", CODES_MOST);
	to->code[to->codes].code = (uint32_t)code;
	to->code[to->codes++].type = type;
	return 0;
}

/* Parses NAME=VALUE,... */
static int
take_others(struct layout *to, const char *words, struct trc_err *err)
{
	struct others o = { .skip = 0 };
	const size_t len = strcspn(words, ",");
	struct trc_field code;

	if (len > 0 && !memchr(words, '=', len))
		return trc_fail_as(err, TRC_USAGE,
		                   "struct: '%.*s': there are more words than fields", (int)len,
		                   words);
	if (trc_opt_parse_words(other, TRC_COUNT(other), "struct", words, &o, err))
		return -1;
	to->skip = o.skip;
	for (size_t i = 0; i < TRC_CODED; i++) {
		const char *p = o.codes[i].name, *e;

		if (!p)
			continue;
		e = p + o.codes[i].n;
		while (trc_codes_next(&p, e, &code))
			if (take_code(to, code, trc_coded[i].type, err))
				return -1;
	}
	return 0;
}

int
trc_struct_parse(const char *args, void *settings, struct trc_err *err)
{
	struct layout *to = settings;
	struct reader r = { .to = to };

	if (!args || !*args)
		return trc_fail_as(err, TRC_USAGE,
		                   "struct needs a layout: --from struct:<IQI,time,addr,size; "
		                   "'trc help struct'");
	r.p = args;
	r.end = args + strcspn(args, ",");
	r.word = r.end + (*r.end == ',');
	to->big = *r.p == '>' || *r.p == '!';
	r.aligned = !strchr("<>!=", *r.p);
	r.p += strchr("<>!=@", *r.p) != NULL;
	while (r.p < r.end)
		if (take_letter(&r, err))
			return -1;
	if (take_others(to, r.word, err))
		return -1;
	if (to->have == 0)
		return trc_fail_as(err, TRC_USAGE, "struct: no field is a column");
	if (!(to->have & TRC_HAS_TYPE) != (to->codes == 0))
		return trc_fail_as(err, TRC_USAGE,
		                   to->codes ?
		                           "struct: codes, but no field is 'type'" :
		                           "struct: a type needs its codes, as in read=0,write=1");
	return 0;
}

/* ---- records ---- */

int
trc_struct_begin(void *state, struct trc_in *in, const void *settings, struct trc_source *src,
                 struct trc_err *err)
{
	struct layout *l = state;

	memcpy(l, settings, sizeof(*l));
	src->have = l->have;
	for (uint64_t left = l->skip; left > 0;) {
		size_t n;

		if (trc_in_fill(in, 1, err))
			return trc_err_in(err, "%s", in->name);
		n = (size_t)(in->end - in->p);
		if (n == 0)
			return trc_fail(err, "%s: is shorter than the header that skip= skips",
			                in->name);
		n = n < left ? n : (size_t)left;
		in->p += n;
		left -= n;
	}
	return 0;
}

/* Returns the bits of a field, sign-extended if it is signed. */
static uint64_t
bits_of(const struct place *f, bool big, const uint8_t *p)
{
	switch (f->bytes) {
	case 1: return f->has_sign ? (uint64_t)(int8_t)*p : *p;
	case 2: {
		const uint16_t v = big ? trc_be16(p) : trc_le16(p);
		return f->has_sign ? (uint64_t)(int16_t)v : v;
	}
	case 4: {
		const uint32_t v = big ? trc_be32(p) : trc_le32(p);
		return f->has_sign ? (uint64_t)(int32_t)v : v;
	}
	default: return big ? trc_be64(p) : trc_le64(p);
	}
}

/* Returns the type of a code; UNKNOWN if it has none. */
static uint8_t
type_of(const struct layout *l, uint64_t code)
{
	for (size_t i = 0; i < l->codes; i++)
		if (l->code[i].code == code)
			return l->code[i].type;
	return UNKNOWN;
}

/* Stores a value in row `i` of its column; fails if it does not fit. */
static int
put(struct trc_batch *b, const struct place *f, size_t i, uint64_t v, struct trc_err *err)
{
	const enum trc_column c = (enum trc_column)f->column;
	const size_t width = trc_column[c].width;
	void *at = trc_batch_column(b, c);

	if (f->has_sign && v >> 63)
		return trc_fail(err, "%s is %lld, which is negative", trc_column[c].name,
		                (long long)v);
	if (v > UINT64_MAX / f->factor || (width < sizeof(v) && v * f->factor >> 8 * width != 0))
		return f->factor == 1 ?
		               trc_fail(err, "%s %llu does not fit its %zu bits",
		                        trc_column[c].name, (unsigned long long)v, 8 * width) :
		               trc_fail(err, "%s %llu times %lu does not fit its %zu bits",
		                        trc_column[c].name, (unsigned long long)v,
		                        (unsigned long)f->factor, 8 * width);
	v *= f->factor;
	if (width == 1)
		((uint8_t *)at)[i] = (uint8_t)v;
	else if (width == 4)
		((uint32_t *)at)[i] = (uint32_t)v;
	else
		((uint64_t *)at)[i] = v;
	return 0;
}

/* Appends the record at `p`, unless its type is ignored. */
static int
take_record(const struct layout *l, const uint8_t *p, struct trc_batch *b, struct trc_err *err)
{
	for (size_t k = 0; k < l->places; k++) {
		const struct place *f = &l->place[k];
		uint64_t v = bits_of(f, l->big, p + f->at);

		if (f->column == TRC_COL_TYPE) {
			const uint8_t type = type_of(l, v);

			if (type == TRC_CODE_IGNORED)
				return 0;
			if (type == UNKNOWN)
				return trc_fail(err,
				                "type %llu has no name; give it one, such as "
				                "read=%llu, or ignore=%llu",
				                (unsigned long long)v, (unsigned long long)v,
				                (unsigned long long)v);
			b->type[b->n] = type;
		} else if (put(b, f, b->n, v, err)) {
			return -1;
		}
	}
	b->n++;
	return 0;
}

int
trc_struct_records(void *state, const uint8_t **p, const uint8_t *end, struct trc_batch *b,
                   struct trc_err *err)
{
	const struct layout *l = state;

	for (; b->n < b->cap && (size_t)(end - *p) >= l->size; *p += l->size)
		if (take_record(l, *p, b, err))
			return -1;
	return 0;
}

const struct trc_packet_format trc_struct_packet = { .longest = RECORD_MOST,
	                                             .rows = 1,
	                                             .state = sizeof(struct layout),
	                                             .begin = trc_struct_begin,
	                                             .parse = trc_struct_records };

const struct trc_format trc_family_struct[] = {
	{
	        .name = "struct",
	        .doc = "records of a layout that is given, as Python's struct has it",
	        .holds = TRC_HAS_ALL & ~(uint32_t)TRC_HAS_EVENT,
	        .binary = true,
	        .packet = &trc_struct_packet,
	        .example = "<IQI,time,addr,size",
	        .parse_from = trc_struct_parse,
	        .propose = trc_struct_guess,
	},
	{ .name = NULL },
};
