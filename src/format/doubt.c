/* SPDX-License-Identifier: MIT
 *
 * A format with few numbers per line also accepts lines that other programs mean differently. So
 * the values of its fields must show what they are. Each check here is for a word of the grammar.
 * It records what it counted, and raises a doubt if more than one text in 4,000 would give the same
 * by chance. Short texts have fewer odds.
 *
 * The other programs, and files that they wrote, are:
 *
 *   0 0x7f00      thread and address: Pin tools that print %d %p
 *   2 0x1c        cycles between loads and stores: NUS's CS4223
 *   3 7f00        of another processor: PSU's ECE 485
 *   R 4096 8      sectors, in decimal: blkparse, fio, DiskSim, SPC and their derivatives
 *   0 0x7f00      instructions, then a load: Ramulator, with 0x or in decimal
 *   R 0x7f00 3    an address and a thread: CMU's 15-418
 *
 * Lines that no program was found to write are not considered: sectors or times with 0x or with
 * letters a to f, decimal numbers with leading zeros, and threads, processors or counts before a
 * hexadecimal address without 0x.
 */
#include "format/doubt.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "format/figures.h"

enum {
	SURE = 12,        /* bits: by chance once in 4,096 */
	DIGITS_SURE = 20, /* numbers with only digits 0 to 9 of 16: (10/16)^20, once in 12,000 */
	RISING_SURE = 7,  /* lines with numbers that never decrease: 1/7!, once in 5,040 */
	SIZES_SURE = 12,  /* the same for five sizes: 1820 of 5^12, once in 130,000 */
	OFTEN = 8,        /* up to one line in this many may be an exception */
	UNEVEN = 16,
	KINDS = 4, /* up to this many different numbers are types or processes, not counts */

	/* Fetches at most 16 bytes after the previous one; of all steps within 64 KiB, one in 4,096
	 * is. */
	NEAR_SURE = 6,

	COUNTS_LEAST = 20,     /* least number of lines to recognise counts */
	COUNTS_OTHERS = 128,   /* limit for processors and disks, */
	GAPS = 4,              /* more than this fraction of whose numbers occur */
	COUNT_MOST = 10000000, /* limit for instructions between two loads */
	LINE = 64,             /* bytes of a cache line */
	BLOCK = 512,           /* bytes of a disk block */
	CYCLES_MOST = 65536,   /* limit for cycles between two loads */
	BINARY_LEAST = 8,      /* digits of a binary number */
};

/* Another meaning of such lines, and the --from that reads it, or what of csv it is. */
static const struct rival {
	const char *what, *from;
} time_first = { "its first field is a time", "time=1,addr=2" },
  cycles = { "2 is before cycles, 0 loads and 1 stores; cycles are left out",
	     "coded,type=1,read=0,write=1,ignore=2,addr=2" },
  instructions = { "its first field counts instructions before a load", "ramulator-inst" },
  others = { "from 3 on it is of other processors", "psu" },
  smpcache = { "2 loads, 3 stores and 0 fetches", "smpcache" },
  task_first = { "its first field is a processor or a thread", "task=1,addr=2" },
  size_first = { "its first field is a size", "size=1,addr=2" },
  time_third = { "its third field is a time", "type=1,addr=2,time=3" },
  task_third = { "its third field is a thread", "type=1,addr=2,task=3" },
  sectors = { "its numbers are sectors", "type=1,addr=2*512" },
  sectors_first = { "its numbers are sectors", "type=2,addr=1*512" },
  sectors_third = { "its numbers are sectors", "type=1,addr=2*512,size=3*512" },
  decimal_pairs = { "its addresses are decimal", "csv:type=1,addr=2,size=3,separator=any" },
  decimal_sizes = { "its sizes are decimal", "xdin:decimal" };

struct weighing {
	const struct trc_format *f;
	const struct trc_probe *probe;
	struct trc_figures n;
	int addr; /* index of the address field; -1: none */
	struct trc_doubt *doubt;
	struct trc_evidence *evidence;
	bool open;
};

void
trc_evidence_add(struct trc_evidence *evidence, bool against, const struct trc_format *f,
                 const char *what)
{
	const size_t len = evidence ? strlen(evidence->text) : 0;

	if (evidence)
		snprintf(evidence->text + len, sizeof(evidence->text) - len, "%s %s: %s\n",
		         against ? "against" : "for", f->name, what);
}

/* Records evidence for the format. */
TRC_PRINTF(2, 3)
static void
support(struct weighing *w, const char *fmt, ...)
{
	char text[sizeof(w->doubt->why)];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	trc_evidence_add(w->evidence, false, w->f, text);
}

/* Records what else is equally likely, if there is room. */
static void
add_rival(struct trc_doubt *d, const struct rival *rival)
{
	size_t i = 0;

	while (i < TRC_RIVALS && d->from[i] && d->from[i] != rival->from)
		i++;
	if (i < TRC_RIVALS) {
		d->what[i] = rival->what;
		d->from[i] = rival->from;
	}
}

/* Records evidence against the format, which it then doubts, and what is equally likely; NULL:
 * unknown. */
TRC_PRINTF(3, 4)
static void
doubt(struct weighing *w, const struct rival *rival, const char *fmt, ...)
{
	char text[sizeof(w->doubt->why)];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	trc_evidence_add(w->evidence, true, w->f, text);
	if (!w->open)
		memcpy(w->doubt->why, text, sizeof(text));
	if (rival)
		add_rival(w->doubt, rival);
	w->open = true;
}

/* Returns the index of a word among the fields of a grammar that are checked; -1: not there. */
static int
place_of(const char *grammar, const char *word)
{
	const size_t len = strlen(word);
	int at = 0;

	for (const char *p = grammar; *p && at < TRC_FIGURES_FIELDS;
	     p += strcspn(p, " "), p += *p == ' ', at++)
		if (strncmp(p, word, len) == 0 && strchr(" ;,", p[len]))
			return at;
	return -1;
}

static bool
rises(const struct trc_field_figures *s)
{
	return s->falls == 0;
}

/* Returns true if numbers may be times: they never decrease, or only in few of many lines. */
static bool
are_times(const struct trc_field_figures *s)
{
	if (s->values < KINDS)
		return false;
	return (s->falls == 0 && s->lines >= RISING_SURE &&
	        (s->lines >= SIZES_SURE || s->values + 1 >= s->lines)) ||
	       (s->falls * OFTEN <= s->lines && s->lines >= 4 * OFTEN);
}

static void
weigh_fields(struct weighing *w)
{
	size_t fields = 1;

	for (const char *p = w->f->line->grammar; *p; p++)
		fields += *p == ' ';
	w->doubt->part = w->doubt->later = w->n.least > fields;
	if (w->n.least > fields)
		doubt(w, NULL, "it would read %zu fields of a line and skip the others", fields);
}

static bool
is_binary(const struct trc_field_figures *s)
{
	return !s->above && s->values > 1 && s->text.len >= BINARY_LEAST;
}

static void
weigh_base(struct weighing *w, int at)
{
	/* Few programs write such pairs: some digits are no doubt. */
	const bool pairs = strstr(w->f->line->grammar, "ADDRESS,");
	bool marked = false, letters = false, wide = false, padded = false;
	size_t digits = 0;

	for (int k = 0; k < TRC_FIGURES_FIELDS; k++) {
		const struct trc_field_figures *s = &w->n.field[k];

		if (s->numbers < s->lines) /* words */
			continue;
		marked |= k == at && s->marked;
		letters |= w->f->base == 16 && s->letters;
		padded |= s->padded;
		wide |= s->wide;
		digits += s->digits;
	}
	if (marked && w->n.field[at].bare && !w->n.field[at].unmarked) {
		w->doubt->base = true;
		doubt(w, NULL, "only some of its numbers have 0x, the others may be decimal");
	} else if (!wide && !letters && !marked && place_of(w->f->line->grammar, "PAGE") == at) {
		doubt(w, NULL, "its numbers, of one digit each, may be addresses");
	} else if (is_binary(&w->n.field[at])) {
		w->doubt->base = w->doubt->later = true;
		doubt(w, NULL, "its numbers, of digits 0 and 1 only, may be binary");
	} else if (marked || letters || !wide || (padded && w->f->base == 16) ||
	           (pairs && digits < DIGITS_SURE)) {
		support(w, "%s",
		        marked  ? "0x before numbers" :
		        letters ? "letters in hexadecimal numbers" :
		        padded  ? "zeros in front of numbers" :
		                  "digits that are the same in all bases");
	} else if (w->f->base == 10 && digits >= DIGITS_SURE && !padded) {
		support(w, "%zu low digits and no letter (by chance 1 in 2^%zu in hexadecimal)",
		        digits, digits * 2 / 3);
	} else {
		w->doubt->base = !w->open;
		w->doubt->later |= w->f->base == 16 && digits >= DIGITS_SURE;
		doubt(w,
		      padded || digits < DIGITS_SURE              ? NULL :
		      pairs                                       ? &decimal_pairs :
		      place_of(w->f->line->grammar, "LABEL") == 0 ? &instructions :
		                                                    NULL,
		      "its numbers may be decimal or hexadecimal (%zu low digits, no letter)",
		      digits);
	}
}

/* Returns true if the numbers after label 2 are rather cycles than addresses of code, which are
 * consecutive. No program with threads has code or data in the first 64 KiB. */
static bool
are_cycles(const struct trc_figures *n)
{
	return n->label[2] > 0 && n->fetched < CYCLES_MOST && n->near * 2 <= n->fetches;
}

/* Threads are small numbers, too, and so are codes of other programs. But only labels have one
 * value whose addresses are consecutive, as those of code, with other addresses elsewhere. */
static void
weigh_marked_label(struct weighing *w, const struct trc_field_figures *s)
{
	const struct trc_figures *n = &w->n;
	const size_t other = n->label[3] + n->label[4] + n->label[5];
	const bool cycled = are_cycles(n);
	const struct rival *rival = cycled ? &cycles : &task_first;

	w->doubt->later |= cycled;
	w->doubt->sure = cycled && n->label[2] >= SURE && n->lowest >= CYCLES_MOST &&
	                 n->label[0] + n->label[1] >= SURE && other == 0;
	if (s->values == 1)
		doubt(w, rival, "its first field is the same in all lines (%zu)", s->lines);
	else if (rises(s))
		doubt(w, cycled ? rival : &time_first,
		      "its first field never decreases in %zu lines, so it may be a time",
		      s->lines);
	else if (other * OFTEN > s->lines)
		doubt(w, rival,
		      "its first field is above 2 in %zu of %zu lines, so it may not be a label",
		      other, s->lines);
	else if (n->near < NEAR_SURE || n->near * 2 < n->fetches || n->data < NEAR_SURE ||
	         n->amid * 2 > n->data)
		doubt(w, rival,
		      "its first field may not be a label (%zu of %zu fetches continue in code, "
		      "%zu of %zu others are there)",
		      n->near, n->fetches, n->amid, n->data);
	else
		support(w, "%zu of %zu fetches continue in code, %zu of %zu others are there",
		        n->near, n->fetches, n->amid, n->data);
	if (w->open && n->label[2] > 0 && n->fetched < CYCLES_MOST)
		add_rival(w->doubt, &cycles);
}

/* Before hexadecimal numbers without 0x there are only labels, but those from 3 on differ. */
static void
weigh_label(struct weighing *w, int at)
{
	const struct trc_field_figures *s = &w->n.field[at];
	const size_t other = w->n.label[3] + w->n.label[4] + w->n.label[5];
	const bool no_writes = w->n.label[1] == 0 && w->n.label[3] == other;

	if (w->n.field[w->addr].marked)
		weigh_marked_label(w, s);
	else if (other > 0 && (w->n.near < NEAR_SURE || other * OFTEN > s->lines || no_writes))
		doubt(w, no_writes ? &smpcache : &others,
		      "its first field is above 2 in %zu of %zu lines", other, s->lines);
	else if (s->values > 1 && s->values == s->lines && rises(s))
		doubt(w, &time_first, "its first field rises in all lines (%zu)", s->lines);
	else if (!w->n.field[w->addr].wide)
		doubt(w, &task_first, "no number shows that it is hexadecimal");
	else
		support(w, "0, 1 or 2 before hexadecimal numbers without 0x");
}

/* Returns true if all addresses are in two of the ranges of 32-bit programs: addresses of a disk
 * are in one by chance once in 64, in another once in 256. */
static bool
are_in_process(const struct trc_field_figures *s)
{
	size_t places = 0;

	for (size_t i = 0; i < TRC_COUNT(s->process); i++)
		places += s->process[i] >= SURE;
	return s->elsewhere == 0 && places > 1;
}

/* Reads and writes of a disk have decimal sectors. */
static void
weigh_sectors(struct weighing *w, const struct rival *rival)
{
	const struct trc_field_figures *s = &w->n.field[w->addr];

	if (w->n.requests < w->n.lines || s->padded || s->marked || s->letters)
		return;
	doubt(w, rival, "its numbers may be sectors (maximum 0x%llx)", (unsigned long long)s->most);
	w->doubt->hex = false;
}

/* Sizes of several digits are those of dineroIV, or decimal. */
static void
weigh_size_base(struct weighing *w, int at)
{
	struct trc_figures_several n;

	if (w->open || w->addr != 1 || w->f->base != 16)
		return;
	trc_figures_count_several(&n, w->probe, at);
	if (n.lines == 0) {
		w->doubt->from[0] = "xdin:digit";
	} else if (n.letters > 0 || (n.hex > 0 && n.hex + n.both == n.lines)) {
		support(w, "hexadecimal sizes");
	} else {
		w->doubt->later = n.decimal > n.hex;
		w->doubt->sure = n.decimal > 0 && n.decimal + n.both == n.lines;
		doubt(w, &decimal_sizes,
		      "its sizes may be decimal (%zu of %zu with several digits fit that, %zu "
		      "hexadecimal)",
		      n.decimal, n.lines, n.hex);
	}
}

static void
weigh_size(struct weighing *w, int at)
{
	const struct trc_field_figures *s = &w->n.field[at];
	const unsigned bits = trc_figures_align(w->n.size);

	if (s->zeros > 0 && w->addr == at - 1)
		doubt(w, at == 2 ? &task_third : NULL,
		      "its field %d is 0 in %zu of %zu lines, so it may not be a size", at + 1,
		      s->zeros, s->lines);
	if (at != 2)
		return;
	if (w->addr == 1 && (!rises(s) || s->values == 1))
		weigh_sectors(w, &sectors_third);
	if (w->n.next >= NEAR_SURE && w->n.next * 2 > w->n.fetches)
		support(w, "%zu of %zu fetches begin where the one before ended", w->n.next,
		        w->n.fetches);
	else if (w->n.code > 0 && w->n.code < s->lines && !s->wide)
		support(w, "%zu of %zu lines are fetches, whose third field is always a size",
		        w->n.code, s->lines);
	else if (rises(s) && s->values > 1 && w->addr == 1)
		doubt(w, &time_third,
		      "its third field never decreases in %zu lines, so it may be "
		      "a time",
		      s->lines);
	else if (s->powers * 4 < s->lines * 3)
		doubt(w,
		      w->addr == 1 && (s->zeros > 0 || s->most < COUNTS_OTHERS) ? &task_third :
		                                                                  NULL,
		      "its third field may not be a size (%zu of %zu are powers of two)", s->powers,
		      s->lines);
	else if (w->addr == 1 && bits < SURE)
		doubt(w, &task_third,
		      "its third field may not be a size (it divides addresses, by chance 1 in 2^%u)",
		      bits);
	else if (w->addr == 1)
		support(w, "sizes divide the addresses (by chance 1 in 2^%u)", bits);
	weigh_size_base(w, at);
}

/* Counts are small, of many different values, and 0 if loads are consecutive. Sizes are never 0;
 * there are fewer processors or disks, or more of their numbers are used; and a load is of a cache
 * line, not a disk block. Or stores are present in some lines only. */
static void
weigh_count(struct weighing *w, int at)
{
	const struct trc_field_figures *s = &w->n.field[at], *load = s + 1, *store = s + 2;
	const bool stores = store->numbers > 0 && w->n.least < w->n.most;

	if (s->marked || load->marked || store->marked || s->most > COUNT_MOST)
		doubt(w, NULL, "its first field may not be an instruction count");
	else if (rises(s))
		doubt(w, &time_first,
		      "its first field never decreases in %zu lines, so it may be "
		      "a time",
		      s->lines);
	else if (rises(load) && load->values > 1)
		doubt(w, NULL,
		      "its second field never decreases in %zu lines, so it may be a "
		      "time",
		      s->lines);
	else if (stores && s->values > KINDS)
		support(w, "%zu of %zu lines have a store", store->numbers, s->lines);
	else if (s->lines < COUNTS_LEAST || s->zeros == 0 ||
	         (s->most < COUNTS_OTHERS && s->values * GAPS > s->most) || store->numbers > 0 ||
	         load->bits % LINE > 0 || load->bits % BLOCK == 0 || w->n.other < NEAR_SURE ||
	         w->n.other < w->n.same)
		doubt(w, &size_first,
		      "its first field may not be a count (%zu lines, %zu of them with 0, maximum "
		      "%llu)",
		      s->lines, s->zeros, (unsigned long long)s->most);
	else
		support(w,
		        "counts from 0 to %llu in any order in %zu lines, with lines of %d bytes",
		        (unsigned long long)s->most, s->lines, LINE);
}

/* r and R may differ, as by who made the reference; no program was found that writes both. Lackey
 * has M among L and S; alone it is rather a miss. */
static void
weigh_case(struct weighing *w)
{
	const uint32_t any = w->n.lower | w->n.upper, modify = UINT32_C(1) << ('M' & 31);
	const uint32_t load_or_store = UINT32_C(1) << ('L' & 31) | UINT32_C(1) << ('S' & 31);

	if (any & modify && !(any & load_or_store))
		doubt(w, NULL, "its type M may be a miss");
	if (w->n.lower & w->n.upper)
		doubt(w, NULL, "its types are in lower and in upper case, which may differ");
}

/* Decimal numbers after R or W are more often sectors and keys than addresses, and never have 0x.
 * Numbers with 0x before the letter are those of Ramulator. */
static void
weigh_letter(struct weighing *w, int at)
{
	const struct trc_field_figures *s = &w->n.field[w->addr];

	weigh_case(w);
	if (w->f->base == 16)
		weigh_sectors(w, at < w->addr ? &sectors : &sectors_first);
	if (w->f->base != 10 || s->marked)
		return;
	if (are_in_process(s))
		support(w, "addresses where programs of 32 bits have code and stack");
	else if (s->most < TRC_FIGURES_NO_SECTOR)
		doubt(w, &sectors, "its numbers may be sectors or keys (maximum %llu)",
		      (unsigned long long)s->most);
	else if (s->falls * OFTEN < s->lines)
		doubt(w, NULL, "its numbers hardly decrease in %zu lines, so they may be times",
		      s->lines);
	else
		support(w, "addresses up to %llu, beyond the sectors of any disk",
		        (unsigned long long)s->most);
}

static void
weigh_time(struct weighing *w, int at)
{
	const struct trc_field_figures *s = &w->n.field[at];

	if (are_times(s))
		support(w, "times in field %d decrease in %zu of %zu lines", at + 1, s->falls,
		        s->lines);
	else
		doubt(w, NULL, "its field %d may not be a time (it decreases in %zu of %zu lines)",
		      at + 1, s->falls, s->lines);
}

/* Times are hexadecimal, so one of them has a letter. */
static void
weigh_hex_time(struct weighing *w, int at)
{
	const struct trc_field_figures *s = &w->n.field[at];

	weigh_time(w, at);
	if (!s->letters && !s->marked)
		doubt(w, NULL, "its field %d may be decimal (%zu low digits, no letter)", at + 1,
		      s->digits);
}

/* One of several times, which may be unknown. */
static void
weigh_clock(struct weighing *w, int at)
{
	const struct trc_field_figures *s = &w->n.field[at];

	if (s->falls * OFTEN > s->lines)
		doubt(w, NULL, "its field %d decreases in %zu of %zu lines, so it is not a time",
		      at + 1, s->falls, s->lines);
}

/* Numbers of instructions between references: no other program has a number after l or s and an
 * address. But if all are powers of two, not only 1 and 2, they may be sizes; if they never
 * decrease, times; and processors share the work so that none has less than a sixteenth of its
 * part. */
static void
weigh_gap(struct weighing *w, int at)
{
	const struct trc_field_figures *s = &w->n.field[at];
	size_t least = s->lines;

	for (size_t i = 0; i < s->values; i++)
		least = s->seen[i] < least ? s->seen[i] : least;
	if (s->values > 1 &&
	    ((s->powers == s->lines && s->most > 2) ||
	     (rises(s) && s->lines >= RISING_SURE && s->values > KINDS) ||
	     (s->lines >= SURE && s->values <= KINDS && least * s->values * UNEVEN >= s->lines)))
		doubt(w, NULL,
		      "its field %d may not be an instruction count (%zu lines, %zu of them with "
		      "0, %zu different)",
		      at + 1, s->lines, s->zeros, s->values);
	else
		support(w, "%zu of %zu lines have no power of two in field %d",
		        s->lines - s->powers, s->lines, at + 1);
}

static void
weigh_space(struct weighing *w, int at)
{
	const struct trc_field_figures *s = &w->n.field[at];

	if (s->values * 2 > s->lines)
		doubt(w, NULL, "its field %d may not be a space (%zu different in %zu lines)",
		      at + 1, s->values, s->lines);
}

static void
weigh_word(struct weighing *w, int at)
{
	(void)at;
	weigh_case(w);
	weigh_sectors(w, &sectors);
}

/* Only the leading comment shows a canonical page. */
static void
weigh_comment(struct weighing *w, int at)
{
	doubt(w, NULL, "no leading comment says that its field %d is a canonical page", at + 1);
}

static const struct {
	const char *word;
	void (*weigh)(struct weighing *w, int at);
} checks[] = {
	{ "ADDRESS", weigh_base },    { "PAGE", weigh_base },
	{ "LABEL", weigh_label },     { "SIZE", weigh_size },
	{ "COUNT", weigh_count },     { "R|W", weigh_letter },
	{ "TIME", weigh_hex_time },   { "CYCLE", weigh_time },
	{ "CYCLES", weigh_clock },    { "INSTRUCTIONS", weigh_clock },
	{ "REFERENCES", weigh_time }, { "SPACE", weigh_space },
	{ "READ", weigh_base },       { "CANONICAL-PAGE", weigh_comment },
	{ "WORD", weigh_word },       { "GAP", weigh_gap },
};

bool
trc_doubt(const struct trc_format *f, const struct trc_probe *probe, struct trc_doubt *d,
          struct trc_evidence *evidence)
{
	const char *grammar = f->line->grammar;
	struct weighing w = { .f = f,
		              .probe = probe,
		              .doubt = d,
		              .evidence = evidence,
		              .addr = place_of(grammar, "ADDRESS") };

	*d = (struct trc_doubt){ .base = false };
	if (!f->base)
		return false;
	trc_figures_count(&w.n, probe, f->base, w.addr, place_of(grammar, "SIZE"));
	d->hex = f->base == 16 && (w.addr < 0 || !w.n.field[w.addr].marked);
	if (w.n.described || w.n.lines == 0)
		return false;
	weigh_fields(&w);
	for (size_t i = 0; i < TRC_COUNT(checks); i++) {
		const int at = place_of(grammar, checks[i].word);

		if (at >= 0)
			checks[i].weigh(&w, at);
	}
	return w.open;
}
