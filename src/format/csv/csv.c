/* SPDX-License-Identifier: MIT
 *
 * Comma-separated values: any columns of a trace, named in the first line. This is the text form
 * for reading, spreadsheets and golden files.
 *
 *   type,addr,size,time
 *   read,0x7ffe0010,8,1234
 *
 * Numbers are decimal, or hexadecimal after 0x; addresses, pages and similar columns are written in
 * hexadecimal. Types are words; those of the kernel begin with kernel-. The text of an event is
 * quoted, with quotes in it doubled; in the rows of references it is empty. Files of others, whose
 * columns have other names or none, are read by their names, --from csv:time=ts,addr=lbn, or by the
 * numbers of their columns, from 1: --from csv:time=2,addr=5 and header, if the first line has
 * names. Fields that are not named are skipped; a line with more fields than names is refused.
 *
 * A field in another unit has a factor: addr=lbn*512 for blocks of 512 bytes (or *4K, of 4096),
 * time=ts*1e6 to read seconds with decimals as microseconds. The result is exact, or the line is
 * refused. Fields can be added: addr=block*8M+offset, size=key_size+value_size. Codes for types are
 * separated by colons: type=op,read=28:88,write=2a:8a,ignore=12; an ignored line may have any other
 * fields, and a colon alone stands for an empty field. Words such as R, get and Store need no code.
 * With hash, keys that are texts become addresses, their XXH3; if fields are added, the first is
 * the text: hash,addr=file*4K+offset. A line that ends before its size is read if it is a delete.
 *
 * Tables with any number of blanks between fields need separator=blank; those with hexadecimal
 * addresses without 0x, hex; comment=# skips lines that begin with a text:
 *
 *   r ffe04540 4       --from csv:type=1,addr=2,size=3,hex,separator=blank
 *
 * With repeat=count, the field count of a line is its number of requests: it is read as that many
 * rows, at most 1,048,576, or as none.
 *
 * If the first line has no comma, fields may be separated by semicolons or tabs. Names, types and
 * numbers may be in quotes, and a byte order mark may come before the names, as other programs
 * write them. Texts cannot hold line feeds. Published tables of requests have formats of their own:
 * see msr.
 */
#include <assert.h>

#include "format/csv/csv_guess.h"
#include "format/csv/csv_names.h"
#include "format/csv/layout.h"
#include "format/print.h"

static_assert(sizeof(struct trc_csv_fields) <= TRC_FORMAT_STATE, "fits the state of a format");
static_assert(sizeof(struct trc_csv_from) <= TRC_FORMAT_SETTINGS, "fits the settings of a format");

static uint8_t *
header(const struct trc_meta *meta, uint32_t have, uint8_t *dst)
{
	char names[256];
	size_t len;

	(void)meta;
	trc_columns_text(have, names, sizeof(names));
	len = strlen(names);
	memcpy(dst, names, len);
	dst[len] = '\n';
	return dst + len + 1;
}

static uint8_t *
put_type(uint8_t *dst, uint8_t type)
{
	const char *name = trc_type_name[type & TRC_TYPE_MASK];

	if (type & TRC_KERNEL) {
		memcpy(dst, TRC_CSV_KERNEL, strlen(TRC_CSV_KERNEL));
		dst += strlen(TRC_CSV_KERNEL);
	}
	memcpy(dst, name, strlen(name));
	return dst + strlen(name);
}

static uint8_t *
put_event(uint8_t *dst, const char *text)
{
	*dst++ = '"';
	for (; *text; text++) {
		if (*text == '"')
			*dst++ = '"';
		*dst++ = (uint8_t)*text;
	}
	*dst++ = '"';
	return dst;
}

/* Fails with the reason why row `i` of the rows cannot be written; returns false if there is
 * none. */
static bool
refuse(const struct trc_batch *b, size_t i, struct trc_err *err)
{
	if (b->type && !trc_type_known(b->type[i])) {
		trc_format_refuse_type("csv", b->type[i], err);
		return true;
	}
	return strchr(trc_batch_event(b, i), '\n') &&
	       trc_fail(err, "csv cannot hold a line feed in an event; --drop event");
}

static uint8_t *
put_value(uint8_t *dst, enum trc_column c, const void *at, size_t i)
{
	const uint64_t v = trc_column[c].width == 1 ? ((const uint8_t *)at)[i] :
	                   trc_column[c].width == 4 ? ((const uint32_t *)at)[i] :
	                                              ((const uint64_t *)at)[i];

	if (!(TRC_CSV_HEX >> c & 1))
		return trc_text_put_dec(dst, v);
	memcpy(dst, "0x", 2);
	return trc_text_put_hex(dst + 2, v);
}

static uint8_t *
print(struct trc_rows *r, uint8_t *dst, struct trc_err *err)
{
	const struct trc_batch *b = r->b;

	if (r->have == 0) {
		trc_fail(err, "csv has no line for a record without any columns");
		return NULL;
	}
	for (size_t i = r->i; i < r->stop; i++) {
		if (refuse(b, i, err)) {
			r->i = i;
			return NULL;
		}
		for (int c = 0; c < TRC_COLUMNS; c++) {
			if (!(b->have >> c & 1))
				continue;
			if (c == TRC_COL_TYPE)
				dst = put_type(dst, b->type[i]);
			else if (c != TRC_COL_EVENT)
				dst = put_value(dst, (enum trc_column)c,
				                trc_batch_column(b, (enum trc_column)c), i);
			else if (trc_batch_is_event(b, i))
				dst = put_event(dst, trc_batch_event(b, i));
			*dst++ = ',';
		}
		if (b->have == TRC_HAS_EVENT) /* an empty line would be blank */
			*dst++ = '\n';
		else
			dst[-1] = '\n';
	}
	return dst;
}

static const char *
caution(const char *args)
{
	for (const char *p = args; (p = strchr(p, '/')); p++)
		if (p[1] >= '1' && p[1] <= '9')
			return "divided values are rounded down";
	return NULL;
}

static const struct trc_opt opts[] = {
#define COLUMN(NAME, name, ctype, doc)              \
	{ 0,                                        \
	  #name,                                    \
	  "NAME|N",                                 \
	  "field of the column; *512 if in blocks", \
	  TRC_OPT_FIELD,                            \
	  TRC_WORDS_NONE,                           \
	  offsetof(struct trc_csv_from, at) + sizeof(struct trc_opt_field) * TRC_COL_##NAME },
#include "batch/columns.def"
#undef COLUMN
	{ 0, "header", NULL, "skip the first line, which has names", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  offsetof(struct trc_csv_from, header) },
#define CODED(place, name, type, doc) \
	TRC_CODES_ROW(offsetof(struct trc_csv_from, codes), place, name, doc),
	/* clang-format off */
	TRC_CODED_TYPES(CODED)
/* clang-format on */
#undef CODED
	        { 0, "hash", NULL, "addr is a text: hash it with XXH3", TRC_OPT_FLAG,
	          TRC_WORDS_NONE, offsetof(struct trc_csv_from, hash) },
	{ 0, "coded", NULL, "do not recognise other words as types", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  offsetof(struct trc_csv_from, coded) },
	{ 0, "hex", NULL, "addresses are hexadecimal without 0x", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  offsetof(struct trc_csv_from, hex) },
	{ 0, "binary", NULL, "addresses are binary digits", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  offsetof(struct trc_csv_from, binary) },
	{ 0, "fetches", NULL, "all lines are fetches of instructions", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  offsetof(struct trc_csv_from, fetches) },
	{ 0, "taken", "NAME|N", "field with T or N, 1 or 0: lines are branches", TRC_OPT_FIELD,
	  TRC_WORDS_NONE, offsetof(struct trc_csv_from, taken) },
	{ 0, "comment", "TEXT:...", "strings that begin comments", TRC_OPT_WORD, TRC_WORDS_NONE,
	  offsetof(struct trc_csv_from, comment) },
	{ 0, "prefix", "TEXT", "text that numbers begin with", TRC_OPT_WORD, TRC_WORDS_NONE,
	  offsetof(struct trc_csv_from, prefix) },
	{ 0, "repeat", "NAME|N", "field with the number of rows of a line", TRC_OPT_FIELD,
	  TRC_WORDS_NONE, offsetof(struct trc_csv_from, repeat) },
	{ 0, "space", "NAME+...", "text fields that name the space", TRC_OPT_WORD, TRC_WORDS_NONE,
	  offsetof(struct trc_csv_from, space) },
	{ 0, "end", "NAME|N", "first byte after the request, in place of size", TRC_OPT_FIELD,
	  TRC_WORDS_NONE, offsetof(struct trc_csv_from, end) },
	{ 0, "last", "NAME|N", "last byte of the request, in place of size", TRC_OPT_FIELD,
	  TRC_WORDS_NONE, offsetof(struct trc_csv_from, last) },
	{ 0, "fields", "N|N+", "number of fields, or least number", TRC_OPT_WORD, TRC_WORDS_NONE,
	  offsetof(struct trc_csv_from, fields) },
	{ 0, "only", "FIELD:TEXT:...", "read only these lines", TRC_OPT_WORD, TRC_WORDS_NONE,
	  offsetof(struct trc_csv_from, only) },
	{ 0, "except", "FIELD:TEXT:...", "skip these lines", TRC_OPT_WORD, TRC_WORDS_NONE,
	  offsetof(struct trc_csv_from, except) },
	{ 0, "separator", TRC_CSV_SEPARATORS, "separator of fields", TRC_OPT_CHOICE, TRC_WORDS_NONE,
	  offsetof(struct trc_csv_from, separator) },
};

const struct trc_format_args trc_csv_args = { opts, TRC_COUNT(opts) };

const struct trc_format trc_family_csv[] = {
	{
	        .name = "csv",
	        .doc = "comma-separated values, columns named in the first line",
	        .ending = ".csv",
	        .holds = TRC_HAS_ALL,
	        TRC_LINES(
	                "type,addr,... with columns named in the first line, or --from csv:addr=N",
	                .parse = trc_csv_parse, .first = trc_layout_first),
	        .print = &(const struct trc_print_format){ print, 1024, NULL },
	        .more = TRC_ROW(trc_line_more, .explain = trc_csv_explain, .header = header),
	        .from = &trc_csv_args,
	        .check_from = trc_csv_check,
	        .caution = caution,
	        .suggest = trc_csv_suggest,
	        .propose = trc_csv_guess,
	        .amend = trc_csv_amend,
	},
	{ .name = NULL },
};
