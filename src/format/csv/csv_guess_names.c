/* SPDX-License-Identifier: MIT
 *
 * Guesses the columns of a table by the names in its first line.
 */
#include "format/csv/csv_guess.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "format/csv/csv_table.h"

#define PROCESSES "pid process processid"
#define WRITES "ismodify iswrite isstore modify write dirty"
#define FLAGS ",read=false,write=true"

enum {
	NAME_MOST = 24,
	BLOCK = 512, /* bytes of a disk block */
	MILLIONTHS = 1000000,
};

/* Names of fields, in lower-case letters and digits, the most likely first; an asterisk means
 * blocks of 512 bytes. And what longer names may end with, if one alone does. */
static const struct {
	enum trc_column column;
	const char *names, *ends;
} known[] = {
	{ TRC_COL_TIME,
	  "time timestamp ts clocktime arrivaltime arrival issuetime requesttime reqtime "
	  "starttime optime timestampus timestampns timestampms timeus timens timems timesec "
	  "clock cycle cycles date datetime when headertimestamp times t ",
	  "timestamp timestampus timestampms timestampns timeus timems timens" },
	{ TRC_COL_ADDR,
	  "addr address offset byteoffset startoffset offsetb offsetbytes lba* lbn* startlba* sector* "
	  "startsector* sectorno* lsn* iolba* blkno* blocknumber* blocknum* block* objid "
	  "objectid object obj key objkey "
	  "objectkey cachekey itemid blockid virtualaddress vaddr virtaddr physicaladdress paddr "
	  "physaddr memoryaddress memaddr memaddress va vaddress effectiveaddress id fileid url uri "
	  "blobname filename file path filepath pathname ",
	  "address offset blobname objectname objectid objectkey cachekey" },
	{ TRC_COL_VPN,
	  "page vpn pageno pagenum pagenumber pageid virtualpage virtualpagenumber lpn ", "" },
	{ TRC_COL_SIZE,
	  "size len length bytes nbytes iosize reqsize requestsize transfersize objsize "
	  "objectsize valuesize sz blocks* nblocks* numblocks* sectors* nsectors* "
	  "numsectors* blkcnt* iolen* ",
	  "bytes length size" },
	{ TRC_COL_TYPE,
	  "type op opcode iotype rw operation cmd command optype reqtype requesttype "
	  "direction dir rwflag " WRITES " iooperation t ",
	  "optype opcode operation iotype" },
	{ TRC_COL_TASK, "tid thread threadid task taskid core coreid cpu cpuid processor ",
	  "threadid" },
	{ TRC_COL_PC, "pc ip rip eip instructionpointer programcounter insnaddr ", "" },
	{ TRC_COL_ASID,
	  "asid deviceid volumeid volume diskid disknumber disk device dev asu vol lun filename "
	  "file path filepath pathname fileid inode ino hostname host node server namespace pid "
	  "process processid ",
	  "diskid deviceid volumeid" },
	{ TRC_COL_TASK, PROCESSES " ", "" }, /* where addresses are not of memory */
	{ TRC_COL_BRANCH,
	  "taken istaken branchtaken outcome branchoutcome actualoutcome actualdirection actualtaken ",
	  "" },
};

/* Reduces a name to lower-case letters and digits, for comparison. */
static void
simplify(struct trc_field f, char name[NAME_MOST])
{
	size_t n = 0;

	f = trc_csv_unquote(f);
	for (size_t i = 0; i < f.len && n + 1 < NAME_MOST; i++)
		if (isalnum(f.p[i]))
			name[n++] = (char)tolower(f.p[i]);
	name[n] = 0;
}

enum trc_column
trc_csv_column_named(struct trc_field f, bool *blocks)
{
	char name[NAME_MOST];

	simplify(f, name);
	for (size_t k = 0; k < TRC_COUNT(known) && *name; k++)
		for (const char *p = known[k].names; *p;) {
			const size_t len = strcspn(p, "* ");

			*blocks = p[len] == '*';
			if (strlen(name) == len && memcmp(name, p, len) == 0)
				return known[k].column;
			p += len + *blocks + 1;
		}
	return TRC_COLUMNS;
}

/* Finds the field with this name, which is one of `known`, given by its length; -1: none. */
static int
find_name(const struct trc_csv_table *t, const char *want, size_t len)
{
	const uint8_t *p = t->names;
	struct trc_field f;
	char name[NAME_MOST];

	for (int at = 0; (f = trc_csv_next(&p, t->names_end, t->by)).p; at++) {
		simplify(f, name);
		if (strlen(name) == len && memcmp(name, want, len) == 0)
			return at;
	}
	return -1;
}

/* Finds the only field whose name ends with one of `ends`; -1: none, or several. */
static int
find_end(const struct trc_csv_table *t, const char *ends)
{
	const uint8_t *p = t->names;
	struct trc_field f;
	char name[NAME_MOST];
	int found = -1;

	for (int at = 0; (f = trc_csv_next(&p, t->names_end, t->by)).p; at++) {
		simplify(f, name);
		for (const char *end = ends; *end; end += strspn(end, " ")) {
			const size_t len = strcspn(end, " "), n = strlen(name);

			if (n > len && memcmp(name + n - len, end, len) == 0) {
				if (found >= 0)
					return -1;
				found = at;
				break;
			}
			end += len;
		}
	}
	return found;
}

/* Returns the field of column `k` of `known`; sets *blocks if it is in blocks. */
static int
find_field(const struct trc_csv_table *t, size_t k, bool *blocks)
{
	for (const char *p = known[k].names; *p;) {
		const size_t len = strcspn(p, "* ");
		const int at = find_name(t, p, len);

		*blocks = p[len] == '*';
		if (at >= 0)
			return at;
		p += len + *blocks + 1;
	}
	*blocks = false;
	return find_end(t, known[k].ends);
}

/* Returns true if a column of addresses is hexadecimal without 0x. Keys may be any text. */
static bool
is_bare(const struct trc_csv_table *t, enum trc_column c, unsigned at)
{
	const struct trc_csv_values v = trc_csv_table_look(t, at);
	char name[NAME_MOST];

	simplify(trc_csv_table_field(t, t->names, t->names_end, at), name);
	return (c != TRC_COL_ADDR || strstr(name, "addr")) && TRC_CSV_HEX >> c & 1 &&
	       v.marked == 0 && trc_csv_is_number(&v) && (v.hex > 0 || v.padded > 0);
}

/* Returns true if a field after `at` has the same name. */
static bool
has_again(const struct trc_csv_table *t, struct trc_field name, unsigned at)
{
	struct trc_field f;

	while (name.p && (f = trc_csv_table_field(t, t->names, t->names_end, ++at)).p)
		if (f.len == name.len && memcmp(f.p, name.p, f.len) == 0)
			return true;
	return false;
}

/* Returns true if a field has outcomes of branches, and nothing in `from` shows that lines may be
 * anything else. */
static bool
shows_outcomes(const struct trc_csv_table *t, unsigned at, const char *from)
{
	const struct trc_csv_values v = trc_csv_table_look(t, at);

	return (trc_csv_are_outcomes(&v) || trc_csv_is_bit(&v)) && !strstr(from, "type=") &&
	       strstr(from, "addr=");
}

/* Returns true if one of the names of a list, between blanks, is this. */
static bool
is_one_of(const char *list, const char *name)
{
	const size_t len = strlen(name);

	for (const char *p = list; len > 0 && (p = strstr(p, name)); p += len)
		if ((p == list || p[-1] == ' ') && (p[len] == ' ' || !p[len]))
			return true;
	return false;
}

static bool
is_field_of(const struct trc_csv_table *t, int at, const char *list)
{
	char name[NAME_MOST];

	simplify(trc_csv_table_field(t, t->names, t->names_end, (unsigned)at), name);
	return is_one_of(list, name);
}

/* Returns the first field whose name is one of addresses or pages, and which; -1: none. */
static int
find_address(const struct trc_csv_table *t, enum trc_column *column)
{
	bool blocks;
	int at;

	for (size_t k = 0; k < TRC_COUNT(known); k++) {
		*column = known[k].column;
		if ((*column == TRC_COL_ADDR || *column == TRC_COL_VPN) &&
		    (at = find_field(t, k, &blocks)) >= 0)
			return at;
	}
	return -1;
}

/* Returns true if addresses belong to a process; blocks, keys and offsets do not. */
static bool
in_memory(const struct trc_csv_table *t)
{
	enum trc_column column;
	const int at = find_address(t, &column);
	char name[NAME_MOST];

	if (at < 0)
		return true;
	simplify(trc_csv_table_field(t, t->names, t->names_end, (unsigned)at), name);
	return column == TRC_COL_VPN || strstr(name, "addr") || is_one_of("va rva", name);
}

/* Prints a column and its field, by its name, or its number if that is in doubt, and marks the
 * field in *used. */
static void
put_field(const struct trc_csv_table *t, const char *column, int at, uint64_t *used, char *dst,
          size_t room)
{
	const struct trc_field f = trc_csv_table_field(t, t->names, t->names_end, (unsigned)at);
	const bool first = dst[strlen(dst) - 1] == ':' || *column == '+';
	char number[12] = "";

	if (t->made || has_again(t, f, (unsigned)at))
		snprintf(number, sizeof(number), "%d", at + 1);
	trc_csv_put(dst, room, ",", !first);
	trc_csv_put(dst, room, column, strlen(column));
	trc_csv_put(dst, room, "=", *column != '+');
	trc_csv_put(dst, room, *number ? number : (const char *)f.p,
	            *number ? strlen(number) : f.len);
	*used |= UINT64_C(1) << at;
}

/* Prints types whose words are not known: flags by the name. */
static void
put_types(const struct trc_csv_table *t, int at, char *dst, size_t room)
{
	if (trc_csv_table_has_flags(t, (unsigned)at) && is_field_of(t, at, WRITES))
		trc_csv_put(dst, room, FLAGS, strlen(FLAGS));
	else
		trc_csv_table_put_codes(t, (unsigned)at, dst, room);
}

/* Prints the unit of a column; that of times of day is also the one of their day. */
static void
put_unit(const struct trc_csv_table *t, enum trc_column c, int at, bool blocks, uint64_t *used,
         char *dst, size_t room)
{
	const size_t from = strlen(dst);
	const int day = c == TRC_COL_TIME ? trc_csv_table_day_of(t, (unsigned)at) : -1;
	char unit[16];

	trc_csv_table_put_factor(t, c, (unsigned)at, blocks, dst, room);
	snprintf(unit, sizeof(unit), "%s", dst + from);
	if (day < 0 || *used >> day & 1)
		return;
	put_field(t, "+", day, used, dst, room);
	trc_csv_put(dst, room, unit, strlen(unit));
}

/* Prints a column of this table, if a field has its name. */
static bool
put_column(const struct trc_csv_table *t, size_t k, uint64_t *used, char *dst, size_t room)
{
	const enum trc_column c = known[k].column;
	const char *name = trc_column[c].name;
	bool blocks, text, bare;
	const int at = find_field(t, k, &blocks);

	if (at < 0 || *used >> at & 1 || (c == TRC_COL_VPN && strstr(dst, "addr=")) ||
	    (c == TRC_COL_BRANCH && !shows_outcomes(t, (unsigned)at, dst)))
		return false;
	/* What has pcs, and no other addresses, is instructions; an ip may be of a network. */
	if (c == TRC_COL_PC && !strstr(dst, "addr=") && !strstr(dst, "vpn=")) {
		if (find_name(t, "ip", 2) == at)
			return false;
		name = "addr";
	} else if (c == TRC_COL_BRANCH) {
		name = "taken";
	}
	bare = is_bare(t, c, (unsigned)at);
	text = c != TRC_COL_TYPE && c != TRC_COL_BRANCH && !bare &&
	       trc_csv_table_decimals(t, (unsigned)at) < 0;
	if (is_field_of(t, at, PROCESSES) && (c == TRC_COL_ASID) != in_memory(t))
		return false;
	if (text && c == TRC_COL_ASID)
		name = "space";
	else if ((text && c != TRC_COL_ADDR) || (c == TRC_COL_TASK && strstr(dst, "task=")))
		return false;
	put_field(t, name, at, used, dst, room);
	if (c == TRC_COL_TYPE)
		put_types(t, at, dst, room);
	else if (!bare && c != TRC_COL_BRANCH)
		put_unit(t, c, at, blocks, used, dst, room);
	return true;
}

/* Prints the first field that is of types, whatever its name is. */
static bool
put_unnamed_types(const struct trc_csv_table *t, uint64_t *used, char *dst, size_t room)
{
	const unsigned fields = trc_csv_table_fields(t);

	for (unsigned at = 0; at < fields && !strstr(dst, "type="); at++) {
		const struct trc_csv_values v = trc_csv_table_look(t, at);

		if (*used >> at & 1 || !trc_csv_are_types(&v) || trc_csv_have_doubt(&v))
			continue;
		put_field(t, trc_column[TRC_COL_TYPE].name, (int)at, used, dst, room);
		trc_csv_table_put_codes(t, at, dst, room);
		return true;
	}
	return false;
}

/* Prints the ends of requests in place of their sizes, and where they begin. */
static void
put_ends(const struct trc_csv_table *t, uint64_t *used, char *dst, size_t room)
{
	static const char *const pairs[][2] = {
		{ "start", "end" },
		{ "start", "stop" },
		{ "begin", "end" },
		{ "first", "last" },
		{ "from", "to" },
		{ "low", "high" },
		{ "startlba", "endlba" },
		{ "startaddr", "endaddr" },
		{ "startoffset", "endoffset" },
		{ "offset", "end" },
		{ "address", "end" },
		{ "addr", "end" },
	};

	for (size_t i = 0; i < TRC_COUNT(pairs) && !strstr(dst, "size="); i++) {
		const int addr = find_name(t, pairs[i][0], strlen(pairs[i][0]));
		const int end = find_name(t, pairs[i][1], strlen(pairs[i][1]));
		const char *unit = strstr(pairs[i][1], "lba") ? "*512" : "";
		const char *word = addr < 0 || end < 0 ? NULL :
		                                         trc_csv_table_ends(t, addr, end, 0, 1);

		if (!word || *used >> end & 1 || (strstr(dst, "addr=") && !(*used >> addr & 1)))
			continue;
		if (!(*used >> addr & 1))
			put_field(t, trc_column[TRC_COL_ADDR].name, addr, used, dst, room);
		put_field(t, word, end, used, dst, room);
		trc_csv_put(dst, room, unit, strlen(unit));
		return;
	}
}

bool
trc_csv_take_names(struct trc_csv_table *t, const uint8_t *p, size_t n)
{
	const uint8_t *const end = p + n;
	unsigned fields = 0;
	struct trc_field f;
	uint64_t v;

	*t = (struct trc_csv_table){ .end = end };
	p = trc_csv_table_begin(t, trc_lines_pass_mark(p, end));
	t->names = p;
	t->rows = p ? memchr(p, '\n', (size_t)(end - p)) : NULL;
	if (!t->rows)
		return false;
	t->by = trc_csv_separator(p, t->rows);
	if (!memchr(p, t->by, (size_t)(t->rows - p)))
		t->by = ' ';
	t->names_end = trc_csv_end(p, t->rows++, t->by);
	while (t->by != ' ' && t->names_end > p && t->names_end[-1] == t->by)
		t->names_end--; /* names of no fields, as spreadsheets write them */
	for (; (f = trc_csv_next(&p, t->names_end, t->by)).p; fields++) {
		f = trc_csv_unquote(f);
		/* The index column of pandas has an empty name. */
		if ((f.len == 0 && fields > 0) || f.len >= 40 || fields == TRC_CSV_FIELDS_MOST ||
		    (f.len > 0 && isdigit(*f.p) && trc_field_hex(f, UINT64_MAX, &v)) ||
		    trc_csv_take_number(f, NULL, &v, NULL) != TRC_NUMBER_NONE)
			return false;
		for (size_t i = 0; i < f.len; i++)
			if (!isalnum(f.p[i]) && !strchr("_-. #()/", f.p[i]))
				return false;
	}
	return fields > 1;
}

/* Returns true if the name implies the unit of its numbers: blocks may have any size, which the
 * other values must show. */
static bool
has_unit(const struct trc_csv_table *t, unsigned at, bool sizes_in_bytes)
{
	static const char bytes[] =
	        "page vpn addr address offset byteoffset objid objectid obj object key "
	        "objkey objectkey cachekey itemid";
	static const char sectors[] = "lba lbn startlba sector startsector sectorno";
	const struct trc_field f = trc_csv_table_field(t, t->names, t->names_end, at);
	char name[NAME_MOST];

	simplify(f, name);
	return is_one_of(bytes, name) || (sizes_in_bytes && is_one_of(sectors, name));
}

/* Returns true if a field has the line numbers, from 0, as pandas writes them, or from 1. */
static bool
is_index(const struct trc_csv_values *v)
{
	const size_t different = v->lines <= TRC_CSV_FEW ? v->lines : TRC_CSV_FEW + 1;

	return v->rises && v->lines > 1 && v->n == different && v->first <= MILLIONTHS &&
	       v->first % MILLIONTHS == 0 &&
	       v->last - v->first == (v->lines - 1) * (uint64_t)MILLIONTHS;
}

/* Returns true if an unused field may be left out: it is the same in all of many lines. */
static bool
is_constant(const struct trc_csv_table *t, unsigned at)
{
	const struct trc_csv_values v = trc_csv_table_look(t, at);

	return is_index(&v) || (trc_csv_is_constant(&v) && v.lines >= TRC_CSV_LEAST);
}

bool
trc_csv_is_data(struct trc_field f)
{
	char name[NAME_MOST];

	simplify(f, name);
	return is_one_of("value data", name);
}

bool
trc_csv_is_end(struct trc_field f)
{
	char name[NAME_MOST];

	simplify(f, name);
	return is_one_of("end stop last endlba endaddr endaddress endoffset", name);
}

/* Returns true if each name occurs once, and is known, or that of a field that may be left out. */
static bool
are_known(const struct trc_csv_table *t, uint64_t used)
{
	const uint8_t *p = t->names;
	struct trc_field f;
	char name[NAME_MOST];

	for (unsigned at = 0; (f = trc_csv_next(&p, t->names_end, t->by)).p; at++) {
		simplify(f, name);
		if ((*name && find_name(t, name, strlen(name)) != (int)at) ||
		    (!(used >> at & 1) && !trc_csv_is_data(f) && !is_constant(t, at)))
			return false;
	}
	return trc_csv_table_is_even(t, trc_csv_table_fields(t));
}

/* Returns true if the words of a field are types, or its name shows what 0 and 1 are. */
static bool
shows_types(const struct trc_csv_table *t, unsigned at)
{
	const struct trc_csv_values v = trc_csv_table_look(t, at);
	char name[NAME_MOST];

	simplify(trc_csv_table_field(t, t->names, t->names_end, at), name);
	return (trc_csv_table_has_types(t, at) && !trc_csv_have_doubt(&v)) ||
	       (is_one_of(WRITES, name) && trc_csv_table_has_flags(t, at)) ||
	       (is_one_of("ismodify iswrite isstore", name) && v.decimals == v.lines &&
	        v.most <= 1);
}

/* Returns true if the addresses, or else the pages or pcs, are hexadecimal without 0x. */
static bool
has_bare(const struct trc_csv_table *t)
{
	bool blocks;

	for (size_t k = 0; k < TRC_COUNT(known); k++) {
		const enum trc_column c = known[k].column;
		const int at = c == TRC_COL_ADDR || c == TRC_COL_VPN || c == TRC_COL_PC ?
		                       find_field(t, k, &blocks) :
		                       -1;

		if (at >= 0)
			return is_bare(t, c, (unsigned)at);
	}
	return false;
}

/* Returns true if all names and their units are known, and words are types. */
static bool
names_are_sure(const struct trc_csv_table *t, uint64_t used)
{
	bool blocks, other_blocks, sizes_in_bytes = false, other = false;
	int addr = -1;

	for (size_t k = 0; k < TRC_COUNT(known); k++) {
		const int at = find_field(t, k, &blocks);

		if (at < 0)
			continue;
		if (trc_csv_column_named(trc_csv_table_field(t, t->names, t->names_end,
		                                             (unsigned)at),
		                         &other_blocks) == TRC_COLUMNS)
			return false;
		other |= known[k].column != TRC_COL_ADDR && known[k].column != TRC_COL_VPN;
		if (known[k].column == TRC_COL_ADDR || (known[k].column == TRC_COL_VPN && addr < 0))
			addr = at;
		if (known[k].column == TRC_COL_TYPE && !shows_types(t, (unsigned)at))
			return false;
		if (TRC_CSV_HEX >> known[k].column & 1) {
			const struct trc_csv_values v = trc_csv_table_look(t, (unsigned)at);

			if (v.padded + v.rounded > 0 || (v.marked > 0 && v.bare > 0))
				return false;
		}
		if (known[k].column == TRC_COL_SIZE)
			sizes_in_bytes = !blocks &&
			                 trc_csv_table_look(t, (unsigned)at).bits % BLOCK == 0;
	}
	return other && addr >= 0 && !has_bare(t) &&
	       trc_csv_table_decimals(t, (unsigned)addr) == 0 &&
	       has_unit(t, (unsigned)addr, sizes_in_bytes) && are_known(t, used);
}

bool
trc_csv_guess_by_names(const struct trc_csv_table *t, struct trc_reading *r)
{
	const uint8_t *p = t->names;
	enum trc_column column;
	struct trc_field f;
	uint64_t used = 0;
	bool numbered = false; /* a column is given by the number of its field */

	snprintf(r->from, sizeof(r->from), "csv:");
	for (size_t k = 0; k < TRC_COUNT(known); k++)
		put_column(t, k, &used, r->from, sizeof(r->from));
	r->sure = !put_unnamed_types(t, &used, r->from, sizeof(r->from)) && names_are_sure(t, used);
	put_ends(t, &used, r->from, sizeof(r->from));
	snprintf(r->what, sizeof(r->what), "%s",
	         t->made ? "its comment names its fields" : "these are its fields");
	for (unsigned at = 0; (f = trc_csv_next(&p, t->names_end, t->by)).p; at++) {
		struct trc_csv_values v;

		if (used >> at & 1) {
			numbered |= has_again(t, f, at);
			continue;
		}
		v = trc_csv_table_look(t, at);
		trc_csv_table_leave_out(r, trc_csv_unquote(f), at, r->sure ? &v : NULL);
	}
	if (strstr(r->from, "addr=") && !strstr(r->from, "type=") && !strstr(r->from, "taken=") &&
	    find_address(t, &column) < 0)
		trc_csv_put(r->from, sizeof(r->from), ",fetches", 8);
	if (has_bare(t))
		trc_csv_put(r->from, sizeof(r->from), ",hex", 4);
	if (numbered)
		trc_csv_put(r->from, sizeof(r->from), ",header", 7);
	trc_csv_table_put(t, r->from, sizeof(r->from));
	return strstr(r->from, "addr=") || strstr(r->from, "vpn=");
}
