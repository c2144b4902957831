/* SPDX-License-Identifier: MIT
 *
 * The first entries of DynamoRIO's traces, by which they are recognised, the branches of its
 * instructions, and the entries that become events.
 */
#include "format/binary/drmemtrace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/provenance.h"

enum { VERSION_MOST = 63 };

/* ---- the first entries ---- */

bool
trc_drmemtrace_header(const uint8_t *p, size_t n)
{
	return n >= 2 * ENTRY && trc_le16(p) == HEADER && trc_le16(p + 2) == 0 &&
	       trc_le64(p + 4) <= VERSION_MOST && trc_le16(p + ENTRY) < TYPES;
}

unsigned
trc_drmemtrace_probe(const uint8_t *p, size_t n, bool whole)
{
	const unsigned next = trc_drmemtrace_header(p, n) ? trc_le16(p + ENTRY) : TYPES;

	(void)whole;
	return next == MARKER || next == THREAD || next == PROCESS ? TRC_BID_MOST / 2 : 0;
}

/* Schedules are stored beside traces. Their records have a thread, the microseconds since 1601, a
 * processor and a number of instructions, 8 bytes each. */
bool
trc_drmemtrace_suggest(const uint8_t *p, size_t n, char *dst, size_t room)
{
	enum { SCHEDULE = 32, PROCESSORS_MOST = 1 << 16 };
	const uint64_t year = UINT64_C(31556952000000);
	const uint64_t of_1601 = n < SCHEDULE ? 0 : trc_le64(p + 8) / year;

	if (of_1601 < 2005 - 1601 || of_1601 > 2100 - 1601)
		return false;
	for (const uint8_t *e = p + n; (size_t)(e - p) >= SCHEDULE; p += SCHEDULE)
		if (trc_le64(p + 8) / year - of_1601 > 1 || trc_le64(p + 16) >= PROCESSORS_MOST)
			return false;
	snprintf(dst, room,
	         "is a schedule of DynamoRIO, not a trace; the traces are the other files in its "
	         "folder");
	return true;
}

uint64_t
trc_drmemtrace_find(const struct trc_in *in, enum type wanted, enum marker marker)
{
	for (const uint8_t *p = in->p + ENTRY; in->end - p >= ENTRY; p += ENTRY) {
		const unsigned type = trc_le16(p);

		if (type == wanted && (type != MARKER || trc_le16(p + 2) == marker))
			return trc_le64(p + 4);
		if (type != MARKER && type != THREAD && type != PROCESS)
			break;
	}
	return 0;
}

int
trc_drmemtrace_origin(const struct trc_in *in, uint64_t type, bool made_up, struct trc_buf *origin,
                      struct trc_err *err)
{
	const uint64_t page = trc_drmemtrace_find(in, MARKER, PAGE_SIZE);
	const char *isa = type & REGDEPS ? "regdeps" :
	                  type & X86_64  ? "x86_64" :
	                  type & AARCH64 ? "aarch64" :
	                                   NULL;
	char tracer[64], bytes[24], bits[24];

	if (made_up)
		return isa ? trc_provenance_text(origin, "isa", isa, err) : 0;
	snprintf(tracer, sizeof(tracer), "DynamoRIO drmemtrace, version %llu",
	         (unsigned long long)trc_le64(in->p + 4));
	snprintf(bytes, sizeof(bytes), "%llu", (unsigned long long)page);
	snprintf(bits, sizeof(bits), "0x%llx", (unsigned long long)type);
	if (trc_provenance_text(origin, "tracer", tracer, err) ||
	    trc_provenance_text(origin, "file-type", bits, err) ||
	    (isa && trc_provenance_text(origin, "isa", isa, err)) ||
	    (page && trc_provenance_text(origin, "page-size", bytes, err)))
		return -1;
	return trc_provenance_text(origin, "addresses", "virtual", err);
}

/* ---- branches ---- */

const uint8_t trc_drmemtrace_branch[TYPES] = {
	[DIRECT_JUMP] = TRC_BRANCH | TRC_BRANCH_TAKEN | TRC_BRANCH_JUMP,
	[INDIRECT_JUMP] = TRC_BRANCH | TRC_BRANCH_TAKEN | TRC_BRANCH_INDIRECT,
	[CONDITIONAL_JUMP] = TRC_BRANCH | TRC_BRANCH_UNKNOWN | TRC_BRANCH_COND,
	[DIRECT_CALL] = TRC_BRANCH | TRC_BRANCH_TAKEN | TRC_BRANCH_CALL,
	[INDIRECT_CALL] = TRC_BRANCH | TRC_BRANCH_TAKEN | TRC_BRANCH_INDIRECT_CALL,
	[RETURN] = TRC_BRANCH | TRC_BRANCH_TAKEN | TRC_BRANCH_RETURN,
	[TAKEN_JUMP] = TRC_BRANCH | TRC_BRANCH_TAKEN | TRC_BRANCH_COND,
	[UNTAKEN_JUMP] = TRC_BRANCH | TRC_BRANCH_COND,
};

unsigned
trc_drmemtrace_fetch(uint8_t branch)
{
	if (branch == 0)
		return INSTR;
	for (unsigned type = 0; type < TYPES; type++)
		if (trc_drmemtrace_branch[type] == branch)
			return type;
	return 0;
}

/* ---- events ---- */

/* The form of a marker's value in its event. */
enum value { SILENT, NONE, DEC, HEX }; /* SILENT: no event */

/* The named markers, by number. */
static const struct {
	const char *name;
	enum value value;
} marker_row[] = {
	{ "kernel-event", HEX }, /* address where a signal interrupted the program */
	{ "kernel-xfer", HEX },
	{ "timestamp", SILENT }, /* a column */
	{ "cpu-id", DEC },
	{ "func-id", DEC }, /* a system call if at least 2^32 */
	{ "func-retaddr", HEX },
	{ "func-arg", HEX },
	{ "func-retval", HEX },
	{ "split-value", HEX },
	{ "filetype", HEX },
	{ "cache-line-size", DEC },
	{ "instruction-count", DEC },
	{ "version", DEC },
	{ "rseq-abort", HEX },
	{ "window-id", DEC },
	{ "physical-address", HEX },
	{ "physical-address-not-available", HEX },
	{ "virtual-address", HEX },
	{ "page-size", DEC },
	{ "syscall-idx", DEC },
	{ "chunk-instr-count", DEC },
	{ "chunk-footer", SILENT },
	{ "record-ordinal", SILENT },
	{ "filter-endpoint", NONE },
	{ "rseq-entry", HEX },
	{ "syscall", DEC },
	{ "maybe-blocking-syscall", NONE },
	{ "syscall-trace-start", DEC },
	{ "syscall-trace-end", DEC },
	{ "branch-target", SILENT }, /* address of the next fetch */
	{ "syscall-failed", DEC },
	{ "direct-thread-switch", DEC },
	{ "core-wait", NONE },
	{ "core-idle", NONE },
	{ "context-switch-start", DEC },
	{ "context-switch-end", DEC },
	{ "vector-length", DEC },
	{ "syscall-unschedule", DEC },
	{ "syscall-schedule", DEC },
	{ "syscall-arg-timeout", DEC },
	{ "signal-number", DEC },
	{ "uncompleted-instruction", HEX },
	{ "midblock-end-pc", HEX },
	{ "hardware-event", HEX },
	{ "hardware-context-return", NONE },
	{ "kernel-event-raw", HEX },
	{ "skipped-memref", HEX },
};

/* Writes a marker such as "cpu-id 3", or "cpu-id unknown". */
static void
name_marker(unsigned marker, uint64_t v, char dst[EVENT_ROOM])
{
	const enum value how = marker < TRC_COUNT(marker_row) ? marker_row[marker].value : HEX;
	char number[32];

	if (marker < TRC_COUNT(marker_row))
		snprintf(dst, EVENT_ROOM, "! %s", marker_row[marker].name);
	else
		snprintf(dst, EVENT_ROOM, "! marker-%u", marker);
	if (marker == CPU && v == UINT64_MAX)
		strcat(dst, " unknown");
	else if (how == DEC || how == HEX)
		strcat(dst, (snprintf(number, sizeof(number), how == HEX ? " 0x%llx" : " %llu",
		                      (unsigned long long)v),
		             number));
	else if (how == SILENT)
		*dst = 0;
}

void
trc_drmemtrace_event(const struct entry *e, char dst[EVENT_ROOM])
{
	if (e->type == MARKER)
		name_marker(e->marker, e->v, dst);
	else if (e->type == THREAD_EXIT)
		snprintf(dst, EVENT_ROOM, "! thread-exit %llu", (unsigned long long)e->v);
	else
		snprintf(dst, EVENT_ROOM, "! instr-flush 0x%llx %llu", (unsigned long long)e->v,
		         (unsigned long long)e->size);
}

/* Returns the number of the marker with this name; if there is none, that of no marker. */
static unsigned
number_of(const char *name, size_t len)
{
	unsigned k = 0;

	if (len > 7 && memcmp(name, "marker-", 7) == 0)
		return (unsigned)strtoul(name + 7, NULL, 10) & 0xffff;
	while (k < TRC_COUNT(marker_row) &&
	       (strlen(marker_row[k].name) != len || memcmp(marker_row[k].name, name, len) != 0))
		k++;
	return k;
}

bool
trc_drmemtrace_entry(const char *text, struct entry *e)
{
	const char *name = text[0] == '!' && text[1] == ' ' ? text + 2 : "";
	const size_t len = strcspn(name, " ");
	char again[EVENT_ROOM], *end;

	*e = (struct entry){ .type = MARKER, .v = strtoull(name + len, &end, 0) };
	if (len == 11 && memcmp(name, "thread-exit", len) == 0)
		e->type = THREAD_EXIT;
	else if (len == 11 && memcmp(name, "instr-flush", len) == 0)
		*e = (struct entry){ INSTR_FLUSH, 0, e->v, strtoull(end, NULL, 10) };
	else
		e->marker = number_of(name, len);
	if (e->type == MARKER && e->marker == CPU && strcmp(name + len, " unknown") == 0)
		e->v = UINT64_MAX;
	trc_drmemtrace_event(e, again);
	return strcmp(text, again) == 0;
}
