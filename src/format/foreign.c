/* SPDX-License-Identifier: MIT */
#include "format/foreign.h"

#include <string.h>

#include "base/base.h"
#include "base/text.h"

#define CAPTURE                                                                               \
	"is a packet capture; 'tshark -T fields -e FIELD...' prints the requests in it as a " \
	"table"

/* Data by its magic number; base/io/packing.c has the compressions. */
static const struct foreign {
	size_t at; /* offset of these bytes */
	const char *magic;
	const char *is;
} foreign_data[] = {
	{ 257, "ustar", "is a tar archive that is truncated in its first header" },
	{ 0, "PK\5\6", "is a zip archive without files" },
	{ 0,
	  "\x7f"
	  "ELF",
	  "is a program or a library, not a trace" },
	{ 0, "\atae",
	  "is a binary trace of blktrace; 'blkparse -i' prints the text that trc reads" },
	{ 0, "\xd4\xc3\xb2\xa1", CAPTURE },
	{ 0, "\xa1\xb2\xc3\xd4", CAPTURE },
	{ 0, "\x4d\x3c\xb2\xa1", CAPTURE },
	{ 0, "\n\r\r\n", CAPTURE },
	{ 0, "PERFILE2", "is data of perf; 'perf script' prints it as text" },
	{ 0, "\xc1\x1f\xfc\xc1",
	  "is a trace in the Common Trace Format, as of LTTng and memtrace, which trc does not read" },
};

#define SAMPLES                                                                 \
	": a sample of references; 'trc encode --record' records all of them, " \
	"and 'trc help recording' lists other tracers"

#define BLOCKS                                                                                \
	", without loads and stores; 'trc encode --record' records these, and QEMU's plugin " \
	"execlog logs them"

#define COMMANDS " a list of commands of a DRAM, which name banks and rows, not addresses"

/* Texts by the contents of one of their first lines; after ^, by what it begins with. */
static const char *const foreign_text[][2] = {
	{ "|OP ", "is output of perf mem" SAMPLES },
	{ ",ACT,", "is" COMMANDS },
	{ " ACT ", "is" COMMANDS },
	{ ", ACT,", "is" COMMANDS },
	{ "^ACT,", "is" COMMANDS },
	{ " activate ", "is" COMMANDS },
	{ "^Trace 0: 0x", "is a log of the blocks that QEMU runs (-d exec)" BLOCKS },
	{ "^IN: ", "is a list of the blocks that QEMU translates (-d in_asm)" BLOCKS },
	{ "^= Start", "is a log of mtrace, of allocations, not references" },
	{ "^BT9_SPA_TRACE_FORMAT",
	  "is a trace of branches (BT9, of the Championship Branch Prediction), "
	  "without loads and stores" },
	{ "mem-loads", "is output of perf script" SAMPLES },
	{ "mem-stores", "is output of perf script" SAMPLES },
	{ " T0 : @", "is a log of gem5 with symbols in place of addresses, which "
	             "'--debug-flags=Exec,-ExecSymbol' prints" },
	{ "arm_spe", "is output of perf for Arm SPE" SAMPLES },
};

/* Returns true if a text is in one of the first lines. */
static bool
has_text(const uint8_t *p, size_t n, const char *text)
{
	enum { LINES = 16 };
	const bool begins = *text == '^';
	const size_t len = strlen(text += begins);
	bool first = true;

	for (unsigned lines = 0; n >= len && lines < LINES; p++, n--) {
		if ((first || !begins) && memcmp(p, text, len) == 0)
			return true;
		first = *p == '\n';
		lines += first;
	}
	return false;
}

bool
trc_foreign_utf16(const uint8_t *p, size_t n)
{
	enum { LOOKED_AT = 16 };
	const bool little = n >= LOOKED_AT && p[0] == 0xff && p[1] == 0xfe;

	if (!little && !(n >= LOOKED_AT && p[0] == 0xfe && p[1] == 0xff))
		return false;
	for (size_t i = 2; i < LOOKED_AT; i += 2)
		if (p[i + little] != 0 || p[i + !little] == 0)
			return false;
	return true;
}

/* Returns true for text that has CR, but no LF. */
static bool
has_cr_lines(const uint8_t *p, size_t n)
{
	size_t ends = 0;

	for (size_t i = 0; i + 1 < n; i++) {
		if (p[i] < ' ' && p[i] != '\t' && p[i] != '\r')
			return false;
		ends += p[i] == '\r';
	}
	return ends > 0 && p[n - 1] != '\n';
}

const char *
trc_foreign_lines(const uint8_t *p, size_t n)
{
	if (trc_foreign_utf16(p, n))
		return "is text in UTF-16; convert it with 'iconv -f UTF-16 -t UTF-8'";
	if (has_cr_lines(p, n))
		return "has lines that end in CR alone; convert it with \"tr '\\r' '\\n'\"";
	return NULL;
}

const char *
trc_foreign_name(const char *name)
{
	static const char *const endings[][2] = {
		{ ".tracez",
		  "is a compressed trace of Accel-Sim, whose format is not public; use its "
		  ".traceg" },
		{ ".rep",
		  "is a trace of allocations, as of the malloc lab of CS:APP, without loads and "
		  "stores" },
	};
	const size_t len = strlen(name);

	for (size_t i = 0; i < TRC_COUNT(endings); i++) {
		const size_t n = strlen(endings[i][0]);

		if (len > n && strcmp(name + len - n, endings[i][0]) == 0)
			return endings[i][1];
	}
	return NULL;
}

const char *
trc_foreign(const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < TRC_COUNT(foreign_text); i++)
		if (has_text(p, n, foreign_text[i][0]))
			return foreign_text[i][1];
	for (size_t i = 0; i < TRC_COUNT(foreign_data); i++) {
		const struct foreign *s = &foreign_data[i];
		const size_t magic = strlen(s->magic);

		if (n >= s->at + magic && memcmp(p + s->at, s->magic, magic) == 0)
			return s->is;
	}
	return trc_foreign_lines(p, n);
}
