/* SPDX-License-Identifier: MIT
 *
 * The markers of DynamoRIO's traces by their numbers, and what becomes of their values: for
 * drmemtrace.c alone.
 */
#ifndef TRC_FORMAT_BINARY_DRMEMTRACE_MARKERS_H
#define TRC_FORMAT_BINARY_DRMEMTRACE_MARKERS_H

/* How a marker's value is written in its event. */
enum value { SILENT, NONE, DEC, HEX }; /* SILENT: there is no event */

/* The markers that have a name, by their number. */
static const struct marker_row {
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

#endif
