/* SPDX-License-Identifier: MIT
 *
 * The header of DynamoRIO's traces as it is written: that of the recording, or a made-up one.
 */
#include "format/binary/drmemtrace_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/provenance.h"

enum { LINE = 64, PAGE = 4096 };

/* Returns the text of the provenance with this key; "" if there is none. */
static const char *
recorded(const struct trc_drmemtrace_writer *s, const char *key, char text[64])
{
	struct trc_provenance_entry e;

	*text = 0;
	if (trc_provenance_last(trc_buf_view(&s->meta), key, &e))
		snprintf(text, 64, "%.*s", (int)e.len, (const char *)e.text);
	return text;
}

void
trc_drmemtrace_leave_words(struct trc_drmemtrace_writer *s)
{
	if (s->pads && s->regdeps)
		s->have &= ~(uint32_t)TRC_HAS_INSN;
}

/* Returns the file type of a machine, which valgrind names in capitals. */
static uint64_t
machine_of(const char *isa)
{
	if (strcmp(isa, "x86_64") == 0 || strcmp(isa, "AMD64") == 0)
		return X86_64;
	return strcmp(isa, "aarch64") == 0 || strcmp(isa, "ARM64") == 0 ? AARCH64 : 0;
}

/* Uses the provenance of a trace that was recorded by DynamoRIO, of which this may be a part. */
static uint64_t
find_recording(struct trc_drmemtrace_writer *s)
{
	char text[64];
	uint64_t page;

	s->version = VERSION_NEWEST;
	(void)sscanf(recorded(s, "tracer", text), "DynamoRIO drmemtrace, version %u", &s->version);
	s->filetype = strtoull(recorded(s, "file-type", text), NULL, 16);
	s->regdeps = s->filetype & REGDEPS;
	trc_drmemtrace_leave_words(s);
	s->filetype &= ~(uint64_t)(ENCODINGS | REGDEPS);
	recorded(s, "isa", text);
	s->filetype |= machine_of(text);
	s->strange = *text && machine_of(text) != X86_64;
	page = strtoull(recorded(s, "page-size", text), NULL, 10);
	return page ? page : PAGE;
}

/* Writes a made-up header; the process follows with the first reference. */
static void
put_made_up(struct trc_drmemtrace_writer *s, uint64_t time)
{
	const uint64_t page = find_recording(s);

	s->filetype |= (s->have & TRC_HAS_INSN ? ENCODINGS : 0) | (s->core ? CORE_SHARDED : 0);
	s->made_up = true;
	s->time = s->stamp = time ? time : 1; /* 0 means none to DynamoRIO */
	trc_drmemtrace_put(s, HEADER, 0, s->version);
	trc_drmemtrace_marker(s, VERSION, s->version);
	s->filetype_at = s->buf.n;
	trc_drmemtrace_marker(s, FILETYPE, s->filetype);
	trc_drmemtrace_put(s, THREAD, 4, trc_drmemtrace_number(s->task));
	trc_drmemtrace_marker(s, CACHE_LINE_SIZE, LINE);
	trc_drmemtrace_marker(s, CHUNK_INSTR_COUNT, 0); /* there are no chunks */
	trc_drmemtrace_marker(s, PAGE_SIZE, page);
	trc_drmemtrace_marker(s, TIMESTAMP, s->stamp);
	trc_drmemtrace_marker(s, CPU, UINT64_MAX);
	trc_drmemtrace_marker(s, OWN_COLUMNS, OWN_HEAD | s->have);
}

/* Writes the header, or the entries before the markers of the header that the trace has. */
void
trc_drmemtrace_begin(struct trc_drmemtrace_writer *s, const struct trc_batch *b, size_t i)
{
	const uint64_t time = b && b->time ? b->time[i] : 0;
	struct entry e;

	s->begun = true;
	s->task = b && b->task ? b->task[i] : 1;
	if (!b || !trc_drmemtrace_entry(trc_batch_event(b, i), &e) || e.type != MARKER ||
	    e.marker != VERSION || e.v > VERSION_NEWEST) {
		put_made_up(s, time);
		return;
	}
	s->version = (unsigned)e.v;
	trc_drmemtrace_put(s, HEADER, 0, e.v);
	trc_drmemtrace_put(s, THREAD, 4, trc_drmemtrace_number(s->task));
	if (s->have != DRMEMTRACE_HOLDS)
		trc_drmemtrace_marker(s, OWN_COLUMNS, s->have);
}

/* The first reference decides whether fetches are filtered: loads and stores before a fetch belong
 * to instructions that are not in the trace. */
void
trc_drmemtrace_settle(struct trc_drmemtrace_writer *s, bool fetch)
{
	if (s->filetype_at && !fetch)
		s->filetype |= FETCHES_FILTERED;
	if (s->filetype_at)
		trc_put_le64(s->buf.p + s->filetype_at + 4, s->filetype);
	s->filetype_at = 0;
}
