/* SPDX-License-Identifier: MIT
 * Drives the unpacking libraries: input, consecutive members, and the end. */
#include "base/io/packing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hugepages.h"

enum {
	IN_ROOM = 64 << 10,
	WINDOW = 8 << 20, /* what libraries look back on in general */
};

static int
feed(struct trc_unpacker *u, struct trc_err *err)
{
	size_t got;

	if (u->at < u->len || u->ended)
		return 0;
	if (u->inner->read(u->inner, u->in, IN_ROOM, &got, err))
		return -1;
	u->at = 0;
	u->len = got;
	u->fed += got;
	u->ended = got == 0;
	return 0;
}

/* Begins a member. */
static int
begin(struct trc_unpacker *u, struct trc_err *err)
{
	const size_t room = u->row->unpack_room;

	u->state = room ? memset(u + 1, 0, room) : NULL;
	return u->row->unpack_open(u) ? 0 :
	                                trc_fail_as(err, TRC_NO_MEMORY,
	                                            "not enough memory to unpack %s", u->row->name);
}

static void
end(struct trc_unpacker *u)
{
	if (u->row->unpack_close)
		u->row->unpack_close(u);
}

/* Called between members: sets *more if another begins. Zero bytes are the padding of tapes and
 * block devices; anything else must be a member, or the library reports that it is not. */
static int
next_member(struct trc_unpacker *u, bool *more, struct trc_err *err)
{
	*more = false;
	for (;;) {
		if (feed(u, err))
			return -1;
		while (u->at < u->len && u->in[u->at] == 0)
			u->at++;
		if (u->at < u->len)
			break;
		if (u->ended)
			return 0;
	}
	end(u);
	u->member = *more = true;
	return begin(u, err);
}

/* Fails, and adds to the message how far the packed data was good. This is approximate, because a
 * library may have read ahead of the damage. */
static int
fail_at(const struct trc_unpacker *u, enum trc_step step, struct trc_err *err)
{
	size_t len;

	if (step == TRC_STEP_NO_MEMORY)
		trc_fail_as(err, TRC_NO_MEMORY, "not enough memory to unpack %s", u->row->name);
	else if (step == TRC_STEP_DAMAGED)
		trc_fail(err, "the %s data is damaged", u->row->name);
	len = strlen(err->text);
	if (err->code == TRC_FAILED && u->gave)
		snprintf(err->text + len, sizeof(err->text) - len,
		         "; --salvage recovers what precedes it");
	return trc_err_in(err, "near byte %llu", (ull)(u->fed - (u->len - u->at)));
}

/* Estimates how many bytes of the file the delivered data represents, as a share of those read. */
static void
set_passed(struct trc_unpacker *u)
{
	const double used = (double)(u->fed - (u->len - u->at));
	const double given = u->row->unpack_given && u->member ? u->row->unpack_given(u) : 1;

	u->stream.passed = (uint64_t)((double)u->inner->passed * given * used / (double)u->fed);
}

/* Delivers the rest of a name; returns true if there is some, or if nothing more will come. */
static bool
give_name(struct trc_unpacker *u, uint8_t *dst, size_t cap, size_t *got)
{
	*got = u->name_left < cap ? u->name_left : cap;
	if (*got == 0)
		return u->done;
	memcpy(dst, u->name, *got);
	u->name += *got;
	u->name_left -= *got;
	return true;
}

/* Called at the end of an archive: fails if the file was not found. */
static int
check_found(const struct trc_unpacker *u, struct trc_err *err)
{
	return u->file && *u->file && !u->found ?
	               trc_fail(err, "the %s archive has no such file", u->row->name) :
	               0;
}

static int
unpack_read(struct trc_stream *s, uint8_t *dst, size_t cap, size_t *got, struct trc_err *err)
{
	struct trc_unpacker *u = (struct trc_unpacker *)s;
	bool more = true;

	if (give_name(u, dst, cap, got))
		return 0;
	while (*got == 0) {
		if (!u->member) {
			if (next_member(u, &more, err))
				return -1;
			if (!more)
				return check_found(u, err);
		}
		if (feed(u, err))
			return -1;

		size_t at = u->at;
		bool ended = u->ended;
		enum trc_step step = u->row->unpack_step(u, dst, cap, got, err);

		if (step < TRC_STEP_MORE)
			return fail_at(u, step, err);
		if (*got == 0 && give_name(u, dst, cap, got))
			break;
		if (step == TRC_STEP_MEMBER)
			u->member = false;
		else if (ended && *got == 0 && u->at == at) {
			trc_fail(err, "the %s data is truncated", u->row->name);
			return fail_at(u, TRC_STEP_FAILED, err);
		}
	}
	set_passed(u);
	u->gave = true;
	return 0;
}

static void
unpack_close(struct trc_stream *s)
{
	struct trc_unpacker *u = (struct trc_unpacker *)s;

	end(u);
	trc_stream_close(u->inner);
	free(u->in);
	free(u);
}

struct trc_stream *
trc_unpack_open(const struct trc_packing *r, struct trc_stream *inner, const uint8_t *head,
                size_t len, const char *file, struct trc_err *err)
{
	struct trc_unpacker *u;

	if (!r->unpack_open) {
		trc_packing_missing(r, err);
		return NULL;
	}
	trc_hugepages_expect(WINDOW);
	u = trc_alloc(1, sizeof(*u) + r->unpack_room, err);
	if (!u)
		return NULL;
	u->in = trc_alloc(len > IN_ROOM ? len : IN_ROOM, 1, err);
	if (!u->in)
		goto out;
	u->stream = (struct trc_stream){ .read = unpack_read, .close = unpack_close };
	u->row = r;
	u->file = file;
	memcpy(u->in, head, len);
	u->len = u->fed = len;
	u->member = true;
	u->inner = inner;
	if (begin(u, err) == 0)
		return &u->stream;
	end(u);
out:
	free(u->in);
	free(u);
	return NULL;
}
