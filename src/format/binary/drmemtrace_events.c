/* SPDX-License-Identifier: MIT
 * Entries of DynamoRIO's traces that become events, and the entries of such events. */
#include "format/binary/drmemtrace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How a marker's value is written in its event. */
enum value { SILENT, NONE, DEC, HEX }; /* SILENT: there is no event */

/* The markers that have a name, by their number. */
static const struct {
	const char *name;
	enum value value;
} marker_row[] = {
	{ "kernel-event", HEX }, /* where the kernel interrupted the program: a signal */
	{ "kernel-xfer", HEX },
	{ "timestamp", SILENT }, /* a column */
	{ "cpu-id", DEC },
	{ "func-id", DEC }, /* from 2^32 on: a system call */
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
	{ "branch-target", SILENT }, /* the address of the next fetch */
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

/* "cpu-id 3", or "cpu-id unknown". */
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

/* The number of the marker of this name, or of none. */
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
