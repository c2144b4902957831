/* SPDX-License-Identifier: MIT
 *
 *
 * damage TRIES [PERCENT]: what parity repairs. Makes containers of several sizes, of frames of
 * chance alone, with parity of PERCENT percent (default 2), damages each TRIES times in each way,
 * repairs it, and prints of how many each byte was as before, and what parity costs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io/in.h"
#include "container/frame/bands.h"
#include "container/frame/end.h"
#include "container/frame/kinds.h"
#include "container/frame/protected.h"
#include "container/frame/repair.h"

enum { BLOCK = 1 << 20 };

static uint64_t state = 1;

static uint64_t
chance(uint64_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state * 0x2545f4914f6cdd1d >> 16) % n;
}

static void
must(int failed, const struct trc_err *err)
{
	if (!failed)
		return;
	fprintf(stderr, "damage: %s\n", err->text);
	exit(1);
}

/* ---- containers ---- */

static void
put_frame(struct trc_protected_out *p, uint8_t kind, uint64_t number, size_t n)
{
	struct trc_buf payload = { 0 };
	struct trc_err err;

	must(trc_buf_room(&payload, n + 1, &err), &err);
	for (; payload.n < n; payload.n++)
		payload.p[payload.n] = (uint8_t)chance(256);
	must(trc_protected_frame(p, kind, number, &payload, &err), &err);
	trc_buf_release(&payload);
}

/* Frames of about `bytes` bytes: a header, blocks, an index, parity, an end. */
static void
write_container(const char *path, size_t bytes, unsigned percent)
{
	struct trc_err err;
	struct trc_protected_out p = { .out = trc_out_open(path, true, &err), .percent = percent };
	struct trc_end end = { .rows = 0 };
	struct trc_buf payload = { 0 };

	must(!p.out, &err);
	put_frame(&p, TRC_KIND_TRACE, 1, 20);
	for (size_t at = 100; at < bytes; at += BLOCK, end.rows++) {
		put_frame(&p, TRC_KIND_BLOCK, end.rows << TRC_ROW_BITS | 1,
		          bytes - at < BLOCK ? bytes - at : BLOCK);
		must(trc_protected_end(&p, false, &err), &err);
	}
	end.index = trc_out_offset(p.out);
	put_frame(&p, TRC_KIND_INDEX, end.rows, 60);
	must(trc_protected_end(&p, true, &err), &err);
	end.start = trc_out_offset(p.out);
	end.index = end.start - end.index;
	must(trc_end_write(&payload, &end, &err) ||
	             trc_frame_write(p.out, TRC_KIND_END, end.rows, &payload, &err) ||
	             trc_out_commit(p.out, &err),
	     &err);
	trc_out_close(p.out);
	trc_buf_release(&payload);
	trc_protected_release(&p);
}

static uint8_t *
read_file(const char *path, size_t *n)
{
	FILE *f = fopen(path, "rb");
	uint8_t *p = NULL;

	if (f && fseek(f, 0, SEEK_END) == 0 && (*n = (size_t)ftell(f)) > 0 && (p = malloc(*n))) {
		rewind(f);
		if (fread(p, 1, *n, f) != *n)
			exit(1);
	}
	if (!p)
		exit(1);
	fclose(f);
	return p;
}

static void
write_file(const char *path, const uint8_t *p, size_t n)
{
	FILE *f = fopen(path, "wb");

	if (!f || fwrite(p, 1, n, f) != n || fclose(f))
		exit(1);
}

/* True if the file, repaired, has these bytes. */
static bool
is_repaired(const char *path, const uint8_t *want, size_t n)
{
	struct trc_err err;
	struct trc_in *in = trc_in_open(path, &err);
	struct trc_repaired repaired;
	bool same = true;
	size_t at = 0;

	must(!in || trc_repair(in, 0, &repaired, &err), &err);
	while (same) {
		must(trc_in_fill(in, 1, &err), &err);
		if (in->p == in->end)
			break;
		same = (size_t)(in->end - in->p) <= n - at &&
		       memcmp(in->p, want + at, (size_t)(in->end - in->p)) == 0;
		at += (size_t)(in->end - in->p);
		in->p = in->end;
	}
	trc_in_close(in);
	return same && at == n;
}

/* ---- damage ---- */

/* Of `p`, with n bytes; returns how many there are then. */
typedef size_t damage(uint8_t *p, size_t n, double amount);

static size_t
flip(uint8_t *p, size_t n, double amount)
{
	for (unsigned i = 0; i < (unsigned)amount; i++)
		p[chance(n)] ^= (uint8_t)(1 << chance(8));
	return n;
}

static size_t
burst(uint8_t *p, size_t n, double amount)
{
	const size_t bytes = (size_t)((double)n * amount / 100), at = chance(n - bytes + 1);
	const uint64_t way = chance(3);

	for (size_t i = at; i < at + bytes; i++)
		p[i] = way == 0 ? 0 : way == 1 ? (uint8_t)~p[i] : (uint8_t)chance(256);
	return n;
}

static size_t
cut(uint8_t *p, size_t n, double amount)
{
	const size_t bytes = (size_t)((double)n * amount / 100), at = 64 + chance(n - bytes - 128);

	memmove(p + at, p + at + bytes, n - at - bytes);
	return n - bytes;
}

static size_t
sectors(uint8_t *p, size_t n, double amount)
{
	for (unsigned i = 0; i < (unsigned)amount; i++) {
		const size_t at = chance(n / 4096 + 1) * 4096;

		for (size_t b = at; b < n && b < at + 4096; b++)
			p[b] = (uint8_t)chance(256);
	}
	return n;
}

static void
try_damage(const char *path, const char *what, damage *d, double amount, unsigned tries)
{
	char harmed_path[4200];
	uint8_t *p, *harmed;
	unsigned good = 0;
	size_t n = 0;

	snprintf(harmed_path, sizeof(harmed_path), "%s.harmed", path);
	p = read_file(path, &n);
	harmed = malloc(n);
	if (!harmed)
		exit(1);
	for (unsigned t = 0; t < tries; t++) {
		memcpy(harmed, p, n);
		write_file(harmed_path, harmed, d(harmed, n, amount));
		good += is_repaired(harmed_path, p, n);
	}
	printf("  %s %g: %u of %u\n", what, amount, good, tries);
	fflush(stdout);
	unlink(harmed_path);
	free(p);
	free(harmed);
}

static void
try_all(const char *name, size_t bytes, unsigned percent, unsigned tries)
{
	static const double part[] = { 0.5, 1, 2, 2.3, 2.6, 3 };
	static const unsigned per[] = { 50, 100, 200, 400 };
	char path[4096];
	size_t n, plain;

	snprintf(path, sizeof(path), "%s-%zu-0", name, bytes);
	write_container(path, bytes, 0);
	free(read_file(path, &plain));
	unlink(path);
	snprintf(path, sizeof(path), "%s-%zu", name, bytes);
	write_container(path, bytes, percent);
	free(read_file(path, &n));
	printf("%zu bytes, with parity %.2f %% more\n", plain,
	       100.0 * (double)(n - plain) / (double)plain);
	for (size_t i = 0; i < TRC_COUNT(part); i++)
		try_damage(path, "burst, %", burst, part[i] * percent / 2, tries);
	for (size_t i = 0; bytes >= 4000 && i < TRC_COUNT(part); i++)
		try_damage(path, "missing, %", cut, part[i] * percent / 2, tries);
	for (size_t i = 0; i < TRC_COUNT(per); i++)
		if (per[i] * (bytes / 1e6) >= 1)
			try_damage(path, "flips", flip, per[i] * (bytes / 1e6), tries);
	for (size_t i = 1; bytes >= 400000 && i <= 32; i *= 2)
		try_damage(path, "sectors of 4 KiB", sectors, (double)i, tries);
	unlink(path);
}

int
main(int argc, char **argv)
{
	static const size_t size[] = { 1000, 10000, 100000, 1000000, 16000000, 100000000 };
	const unsigned tries = argc > 1 ? (unsigned)atoi(argv[1]) : 20;
	const unsigned percent = argc > 2 ? (unsigned)atoi(argv[2]) : 2;
	char name[] = "/tmp/damage-XXXXXX";
	const int fd = mkstemp(name);

	if (fd < 0)
		return 1;
	close(fd);
	for (size_t i = 0; i < TRC_COUNT(size); i++)
		try_all(name, size[i], percent, size[i] > 5000000 ? (tries + 9) / 10 : tries);
	unlink(name);
	return 0;
}
