/* SPDX-License-Identifier: MIT
 *
 * The output of the valgrind tool lackey: a record per line, the address in hexadecimal with at
 * least eight digits, the size in decimal.
 *
 *   I  04001234,3     instruction fetch
 *    L 1ffeffe7e0,8   load
 *    S 1ffeffe7d8,8   store
 *    M 0421c7cc,4     modify: load and store in one
 *
 * Data lines follow the fetch of their instruction. Lines that begin with ==, --, **, vex or SCHED
 * are messages of valgrind, and are skipped; those before the first record describe the traced
 * program. Messages have the process number, but records do not: a log with messages of two
 * processes is refused, since their records are mixed. The format does not hold threads, times or
 * address spaces.
 */
#include "format/lines.h"

#include <stdio.h>

/* The four beginnings of a line, little-endian, each at the index that multiplication by HEAD_MUL
 * gives in the top two bits. */
static const struct head {
	uint32_t text;
	uint8_t type;
} heads[4] = {
	{ 0x202049, TRC_FETCH },  /* "I  " */
	{ 0x204d20, TRC_MODIFY }, /* " M " */
	{ 0x205320, TRC_WRITE },  /* " S " */
	{ 0x204c20, TRC_READ },   /* " L " */
};

#define HEAD_MUL UINT32_C(0xc386bbc5)
enum { HEAD_SHIFT = 30 };

/* A message without a process number. */
static bool
is_anonymous(const uint8_t *s, const uint8_t *e)
{
	return trc_text_begins(s, e, "vex ") || trc_text_begins(s, e, "SCHED");
}

static bool
is_own_line(const uint8_t *s, const uint8_t *e)
{
	return (e - s >= 2 && s[0] == s[1] && (s[0] == '=' || s[0] == '-' || s[0] == '*')) ||
	       is_anonymous(s, e);
}

/* Returns the process that wrote a message, "==8030== ..." or "==00:00:00:00.012 8030== ..."; 0 if
 * it is not a message, or has no number. */
static uint64_t
writer_of(const uint8_t *s, const uint8_t *e)
{
	const uint8_t *end = s + 2, *p;
	uint64_t pid;

	if (!is_own_line(s, e) || is_anonymous(s, e))
		return 0;
	while (e - end >= 2 && !(end[0] == *s && end[1] == *s))
		end++;
	for (p = end; p > s + 2 && p[-1] >= '0' && p[-1] <= '9'; p--)
		;
	return e - end >= 2 && trc_field_dec((struct trc_field){ p, (size_t)(end - p) }, UINT32_MAX,
	                                     &pid) ?
	               pid :
	               0;
}

static void
lackey_head(void *state, const uint8_t *s, const uint8_t *e, struct trc_meta *meta)
{
	(void)meta;
	*(uint64_t *)state = writer_of(s, e);
}

/* Passes `word`; returns false if [*s, e) does not begin with it. */
static bool
pass_word(const uint8_t **s, const uint8_t *e, const char *word)
{
	const bool does = trc_text_begins(*s, e, word);

	*s += does ? strlen(word) : 0;
	return does;
}

/* Adds an entry whose value ends at `end`, such as the comma in "AMD64, LittleEndian", or at the
 * end of the line. */
static void
put_entry(struct trc_provenance_entry *entry, const char *key, const uint8_t *s, const uint8_t *e,
          const char *end)
{
	size_t n = 0;

	while (s + n < e && s[n] != '\r' && !strchr(end, s[n]))
		n++;
	snprintf(entry->key, sizeof(entry->key), "%s", n ? key : "");
	entry->text = s;
	entry->len = n;
}

/* Parses messages such as "==8030== Command: ls", with --time-stamp=yes "==00:00:00:00.000 8030==
 * Command: ls"; those that begin with "--" are written with --verbose. */
static bool
lackey_origin(const uint8_t *s, const uint8_t *e, struct trc_provenance_entry *entry)
{
	static const uint8_t virtual[] = "virtual";
	static const struct {
		const char *before, *key, *end;
	} about[] = { { "Using ", "tracer", ";" },
		      { "Command: ", "command", "" },
		      { "Arch and hwcaps: ", "isa", "," },
		      { "Page sizes: currently ", "page-size", "," } };
	const uint8_t *text = s + 2;

	if (s == e || *s == '\r')
		return true;
	if (!is_own_line(s, e))
		return false;
	while (text + 2 < e && !(text[0] == *s && text[1] == *s && text[2] == ' '))
		text++;
	if (text + 2 >= e)
		return true;
	text += 3;
	if (pass_word(&text, e, "Lackey, "))
		put_entry(entry, "addresses", virtual, virtual + strlen("virtual"), "");
	for (size_t i = 0; i < TRC_COUNT(about); i++)
		if (pass_word(&text, e, about[i].before))
			put_entry(entry, about[i].key, text, e, about[i].end);
	return true;
}

/* Parses any line: with other blanks, capitals, 0x, a carriage return. */
static enum trc_line
lackey_line(const uint8_t *s, const uint8_t *e, struct trc_batch *b, size_t n)
{
	struct trc_field field[2], addr, size;
	size_t fields = trc_text_fields(s, e, field, 2);
	const uint8_t *comma;
	uint64_t bytes;

	if (fields == 0 || is_own_line(s, e))
		return TRC_LINE_SKIP;
	if (fields != 2 || field[0].len != 1)
		return TRC_LINE_BAD;
	switch (field[0].p[0]) {
	case 'I': b->type[n] = TRC_FETCH; break;
	case 'L': b->type[n] = TRC_READ; break;
	case 'S': b->type[n] = TRC_WRITE; break;
	case 'M': b->type[n] = TRC_MODIFY; break;
	default: return TRC_LINE_BAD;
	}
	comma = memchr(field[1].p, ',', field[1].len);
	if (!comma)
		return TRC_LINE_BAD;
	addr = (struct trc_field){ field[1].p, (size_t)(comma - field[1].p) };
	size = (struct trc_field){ comma + 1, field[1].len - addr.len - 1 };
	if (!trc_field_hex(addr, UINT64_MAX, &b->addr[n]) ||
	    !trc_field_dec(size, UINT32_MAX, &bytes))
		return TRC_LINE_BAD;
	b->size[n] = (uint32_t)bytes;
	return TRC_LINE_ROW;
}

/* Refuses messages of a process other than the first one's. */
static bool
lackey_one(const struct trc_lines *l, size_t i, struct trc_batch *b, const void *how)
{
	const uint64_t first = *(const uint64_t *)l->state;
	const uint64_t pid = writer_of(l->text + trc_line_start(l, i), l->text + l->eol[i]);

	(void)how;
	return (!first || !pid || pid == first) && trc_lines_parse_one(l, i, b, lackey_line);
}

/* Scans lines in canonical form with a size of one or two digits. Reads up to four characters from
 * the start of a line, and three before its end. */
static size_t
lackey_scan(const struct trc_lines *l, size_t from, struct trc_batch *b,
            struct trc_number_fields *hex)
{
	const uint32_t *eol = l->eol + from;
	const size_t n = l->n - from;
	uint8_t *type = b->type + b->n;
	uint32_t *size = b->size + b->n;
	uint32_t start = trc_line_start(l, from);
	size_t k;

	for (k = 0; k < n; k++) {
		const uint32_t head = trc_le32(l->text + start) & 0xffffff;
		const struct head *known = &heads[head * HEAD_MUL >> HEAD_SHIFT];
		const uint8_t *e = l->text + eol[k];
		const unsigned one = (unsigned)e[-1] - '0';
		uint32_t comma = eol[k] - 2;

		size[k] = one;
		if (e[-2] != ',') {
			size[k] = one + 10 * ((unsigned)e[-2] - '0');
			comma--;
			if (e[-3] != ',' || (unsigned)e[-2] - '0' > 9)
				break;
		}
		if (TRC_UNLIKELY((head != known->text) | (one > 9) | (comma - start > 3 + 16)))
			break;
		type[k] = known->type;
		hex->end[k] = comma;
		hex->len[k] = (uint8_t)(comma - start - 3);
		start = eol[k] + 1;
	}
	return k;
}

/* Most often the line is output of the traced program. It is not skipped, since a record on the
 * same line would be lost: "hello, I  04001234,3". */
static void
explain(const void *state, const uint8_t *s, const uint8_t *e, char *dst, size_t room)
{
	const bool record = e - s > 2 && strchr("I ", s[0]) && strchr(" LSM", s[1]) && s[2] == ' ';
	const uint64_t pid = writer_of(s, e);

	(void)state;
	if (pid)
		snprintf(dst, room,
		         "process %llu also writes here, but records do not name their process; "
		         "use valgrind with --child-silent-after-fork=yes, or with "
		         "--log-file=NAME.%%p for one log each; without '==' lines, this is read "
		         "as one process",
		         (unsigned long long)pid);
	else
		snprintf(dst, room, "%s",
		         record ? "" :
		                  "'valgrind --log-fd=9 ... 9>&1 >/dev/null' keeps the output of "
		                  "the traced program out");
}

static size_t
lackey_parse(const struct trc_lines *l, struct trc_batch *b)
{
	static const struct trc_lines_way way = { .scan = lackey_scan,
		                                  .number = { { TRC_COL_ADDR, 16 } } };

	return trc_lines_parse_many(l, b, trc_lines_scan, lackey_one, &way);
}

static uint8_t *
lackey_print(struct trc_rows *r, uint8_t *dst, struct trc_err *err)
{
	const struct trc_batch *b = r->b;
	static const char head[][4] = { " L ", " S ", "I  ", " M " };

	for (size_t i = r->i; i < r->stop; i++) {
		int digits = 16 - trc_clz64(b->addr[i] | 1) / 4;

		if (b->type[i] > TRC_MODIFY) {
			r->i = i;
			return trc_format_refuse_type("lackey", b->type[i], err);
		}
		memcpy(dst, head[b->type[i]], 3);
		memset(dst + 3, '0', 8);
		dst = trc_text_put_hex(dst + 3 + (digits < 8 ? 8 - digits : 0), b->addr[i]);
		*dst++ = ',';
		dst = trc_text_put_dec(dst, b->size[i]);
		*dst++ = '\n';
	}
	return dst;
}

const struct trc_format trc_family_lackey[] = {
	{
	        .name = "lackey",
	        .doc = "valgrind --tool=lackey --trace-mem=yes",
	        .base = 16,
	        .ending = ".lackey",
	        .holds = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE,
	        .needs = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE,
	        TRC_LINES("I|L|S|M ADDRESS,SIZE", .parse = lackey_parse),
	        .more = TRC_ROW(trc_line_more, .head = lackey_head, .origin = lackey_origin,
	                        .explain = explain),
	        .print = &(const struct trc_print_format){ lackey_print, 64, NULL },
	},
	{ .name = NULL },
};
