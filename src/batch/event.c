/* SPDX-License-Identifier: MIT */
#include "batch/event.h"

#include <string.h>

#include "base/text.h"

const struct trc_event_tag trc_event_tag[] = {
	{ 'S', "context switch", { "pid" } },
	{ 'F', "fork", { "child", "parent" } },
	{ 'X', "exec", { "pid", "inode", "major", "minor" } },
	{ 'T', "exit", { "pid" } },
	{ 'A', "address space", { "pid", "space" } },
	{ 'D', "duplicate", { "space", "new-space", "address", "end-address" } },
	{ 'M', "map file", { "pid", "address", "length", "inode", "major", "minor", "offset" } },
	{ 'm', "map memory", { "pid", "address", "length" } },
	{ '@', "remap", { "pid", "address", "length", "old-address", "old-length" } },
	{ 'U', "unmap", { "pid", "address", "length" } },
	{ 'u', "unmap all", { "space" } },
	{ 'C', "copy on write", { "pid", "address" } },
	{ 's', "attach shared memory", { "pid", "address", "length", "shm" } },
	{ '/', "destroy shared memory", { "pid", "shm" } },
	{ '(', "open", { "pid", "inode", "major", "minor" } },
	{ ')', "close", { "pid", "inode", "major", "minor" } },
	{ '<', "file read", { "pid", "inode", "major", "minor", "offset", "length" } },
	{ '>', "file write", { "pid", "inode", "major", "minor", "offset", "length" } },
	{ '-', "delete", { "inode", "major", "minor" } },
	{ 't', "truncate", { "inode", "major", "minor", "new-length" } },
	{ 'a', "accept", { "pid" } },
	{ 0, NULL, { NULL } },
};

static inline bool
same_text(const char *a, const char *b)
{
	return *a == *b && strcmp(a, b) == 0;
}

static inline size_t
blanks(const char *s)
{
	size_t n = 0;

	while (s[n] == ' ' || s[n] == '\t')
		n++;
	return n;
}

static inline size_t
no_blanks(const char *s)
{
	size_t n = 0;

	while (s[n] && s[n] != ' ' && s[n] != '\t')
		n++;
	return n;
}

/* Fields of 32 bits: numbers of tasks, spaces and devices. Other fields have 64 bits. */
static const char *const narrow[] = { "pid",       "child", "parent", "space",
	                              "new-space", "major", "minor" };

static uint64_t
largest(const char *name)
{
	for (size_t i = 0; i < TRC_COUNT(narrow); i++)
		if (same_text(narrow[i], name))
			return UINT32_MAX;
	return UINT64_MAX;
}

const struct trc_event_tag *
trc_event_tag_named(char tag)
{
	const struct trc_event_tag *row = trc_event_tag;

	while (row->tag && row->tag != tag)
		row++;
	return row->tag ? row : NULL;
}

int
trc_event_field(const struct trc_event *e, const char *name)
{
	for (int i = 0; e->row && i < TRC_EVENT_FIELDS && e->row->field[i]; i++)
		if (same_text(e->row->field[i], name))
			return i;
	return -1;
}

/* Checks that ranges end within the addresses, and parts of files within the range of offsets. */
static int
check_range(const struct trc_event *e, const char *from, const char *length, struct trc_err *err)
{
	const int a = trc_event_field(e, from), n = trc_event_field(e, length);

	if (a < 0 || n < 0 || e->field[n] == 0 || e->field[a] <= UINT64_MAX - (e->field[n] - 1))
		return 0;
	return trc_fail(err, "'%c' (%s): %s %llx with %s %llx ends past the last address", e->tag,
	                e->row->what, from, (ull)e->field[a], length, (ull)e->field[n]);
}

static int
check_ranges(const struct trc_event *e, struct trc_err *err)
{
	const int length = trc_event_field(e, "length");

	if (check_range(e, "address", "length", err) || check_range(e, "offset", "length", err) ||
	    check_range(e, "old-address", "old-length", err))
		return -1;
	if (e->tag == 'D' && e->field[3] < e->field[2])
		return trc_fail(err, "'D' (duplicate): end-address %llx is below address %llx",
		                (ull)e->field[3], (ull)e->field[2]);
	if ((e->tag == '<' || e->tag == '>') && e->field[length] > UINT32_MAX)
		return trc_fail(err, "'%c' (%s): length %llx does not fit 32 bits", e->tag,
		                e->row->what, (ull)e->field[length]);
	return 0;
}

static int
bad_field(const struct trc_event *e, int i, struct trc_field f, struct trc_err *err)
{
	const char *name = e->row->field[i];

	/* Fields 1 and 2 of a line are the tag and the time. */
	if (f.len == 0)
		return trc_fail(err, "'%c' (%s) lacks field %d, %s", e->tag, e->row->what, i + 3,
		                name);
	return trc_fail(err,
	                "'%c' (%s): field %d, %s: '%.*s' is not a hexadecimal number of %d "
	                "bits",
	                e->tag, e->row->what, i + 3, name, (int)(f.len < 40 ? f.len : 40),
	                (const char *)f.p, largest(name) == UINT32_MAX ? 32 : 64);
}

int
trc_event_parse(struct trc_event *e, const char *text, struct trc_err *err)
{
	const char *at = text;

	*e = (struct trc_event){ .tag = *text };
	at += *at != 0;
	if (e->tag <= ' ' || e->tag > '~' || (*at && *at != ' ' && *at != '\t'))
		return trc_fail(err, "'%.8s' is not an event tag, which is one character", text);
	e->row = trc_event_tag_named(e->tag);
	for (int i = 0; e->row && i < TRC_EVENT_FIELDS && e->row->field[i]; i++) {
		struct trc_field f;

		at += blanks(at);
		f = (struct trc_field){ (const uint8_t *)at, no_blanks(at) };
		if (!trc_field_hex(f, largest(e->row->field[i]), &e->field[i]))
			return bad_field(e, i, f, err);
		at += f.len;
	}
	e->rest = at + blanks(at);
	return check_ranges(e, err);
}
