/* SPDX-License-Identifier: MIT
 * Laws that hold for every registered format. */
#include <string.h>

#include <xxhash.h>

#include "base/bytes.h"
#include "base/io/packing.h"
#include "for_each_format.h"
#include "format/print.h"
#include "batch/fingerprint.h"
#include "test.h"

static const size_t cuts[] = { 2, 7, 4096 };

/* Reads `bytes` back and compares them with the rows that they were made of. */
static void
check_reading(const struct trc_format *f, const struct trc_batch *rows,
              const struct generate_bytes *bytes, size_t step, size_t pull)
{
	struct trc_batch back;
	struct trc_err err;
	char why[128];

	CHECK_MSG(generate_collect(generate_read(f, bytes->p, bytes->len, step, &err), pull, &back,
	                           NULL, &err) == 0,
	          "%s: %s", f->name, err.text);
	CHECK_MSG(generate_same(rows, &back, rows->have, why, sizeof(why)), "%s: %s", f->name, why);
	CHECK((back.have & ~f->holds) == 0);
	trc_batch_release(&back);
}

static void
check_reads_back(const struct trc_format *f, const struct trc_batch *rows)
{
	static const size_t n[] = { 0, 1, 2, 257, 4095, 4096, 4097 };
	struct trc_batch some = *rows;
	struct generate_bytes bytes;
	struct trc_err err;

	if (for_each_left_out(f))
		return;
	for (size_t i = 0; i < TRC_COUNT(n); i += test_step_most(2)) {
		some.n = n[i];
		CHECK_MSG(generate_write(f, &some, 4096, NULL, &bytes, &err) == 0, "%s: %s",
		          f->name, err.text);
		check_reading(f, &some, &bytes, SIZE_MAX, 4096);
		free(bytes.p);
	}
}

static void
what_is_written_reads_back(void)
{
	for_each_format(check_reads_back);
}

static void
check_cuts(const struct trc_format *f, const struct trc_batch *rows)
{
	static const size_t step[] = { 1, 7, 65536 };
	struct generate_bytes first, bytes;
	struct trc_err err;

	if (for_each_left_out(f))
		return;
	CHECK(generate_write(f, rows, 4096, NULL, &first, &err) == 0);
	for (size_t i = 0; i < TRC_COUNT(cuts); i++) {
		CHECK(generate_write(f, rows, cuts[i], NULL, &bytes, &err) == 0);
		CHECK_MSG(bytes.len == first.len && memcmp(bytes.p, first.p, first.len) == 0,
		          "%s, batches of %zu", f->name, cuts[i]);
		free(bytes.p);
		for (size_t k = 0; k < TRC_COUNT(step); k++)
			check_reading(f, rows, &first, step[k], cuts[i]);
	}
	free(first.p);
}

static void
cuts_do_not_matter(void)
{
	for_each_format(check_cuts);
}

/* The format of the bytes, in a file of this name. */
static const struct trc_format *
recognise(const struct generate_bytes *bytes, const char *name, struct trc_err *err)
{
	struct trc_in *in = generate_in(bytes->p, bytes->len, 65536);
	const struct trc_format *found;

	in->name = name;
	found = trc_format_recognise(in, err);
	CHECK(trc_in_offset(in) == 0);
	trc_in_close(in);
	return found;
}

static void
check_recognised(const struct trc_format *f, const struct trc_batch *rows)
{
	static const size_t n[] = { 1, 20, 300, FOR_EACH_ROWS };
	const struct trc_meta meta = { .page_bits = 12 };
	struct trc_batch some = *rows;
	struct generate_bytes bytes;
	struct trc_err err;
	char name[64];

	snprintf(name, sizeof(name), "made%s", f->ending ? f->ending : "");
	for (size_t i = 0; i < TRC_COUNT(n); i++) {
		const struct trc_format *found;

		some.n = n[i];
		CHECK(generate_write(f, &some, 4096, &meta, &bytes, &err) == 0);
		/* Rows of a binary format that are no program, and the like, show nothing. */
		found = recognise(&bytes, "made", &err);
		CHECK_MSG(
		        found == f || n[i] < for_each_least_rows(f) || (!found && f->binary) ||
		                (!found && generate_asks(&err, f)) ||
		                (!found && strstr(err.text, "could be any of") &&
		                 strstr(err.text, f->name)),
		        "%s, %zu rows: %s; more words in its grammar, a `likely` or a probe make "
		        "it surer, and what has to be longer has its row in limits of for_each_format.c",
		        f->name, n[i], found ? found->name : err.text);
		found = recognise(&bytes, name, &err);
		CHECK_MSG(found == f || !f->ending, "%s, %zu rows: %s", name, n[i],
		          found ? found->name : err.text);
		free(bytes.p);
	}
}

static void
what_is_written_is_recognised(void)
{
	for_each_format(check_recognised);
}

/* Extended din takes anything behind its three fields, so it takes these two formats, too. */
static void
strict_formats_win_over_loose_ones(void)
{
	static const char *const name[] = { "sad", "laplace" };

	for (size_t i = 0; i < TRC_COUNT(name); i++) {
		const struct trc_format *f = trc_format_named(name[i]);
		struct generate_spec spec = {
			.have = f->holds, .rows = FOR_EACH_ROWS, .types = 3, .forward = true
		};
		struct generate_bytes bytes;
		struct trc_batch rows;
		struct trc_err err;
		struct trc_in *in;

		spec.bits[TRC_COL_ITIME] = 30;
		spec.bits[TRC_COL_ASID] = 3;
		generate_rows(&rows, &spec, test_seed);
		for (size_t k = 0; rows.size && k < rows.n; k++)
			rows.size[k] = 1 << (rows.addr[k] & 3);
		CHECK(generate_write(f, &rows, 4096, NULL, &bytes, &err) == 0);
		in = generate_in(bytes.p, bytes.len, 65536);
		CHECK_MSG(trc_format_recognise(in, &err) == f, "%s", err.text);
		trc_in_close(in);
		free(bytes.p);
		trc_batch_release(&rows);
	}
}

/* Decoding what was encoded, and encoding it again, gives the same bytes. */
static void
check_canonical(const struct trc_format *f, const struct trc_batch *rows)
{
	struct generate_bytes once, twice;
	struct trc_meta meta;
	struct trc_batch back;
	struct trc_err err;

	if (for_each_left_out(f))
		return;
	CHECK(generate_write(f, rows, 4096, NULL, &once, &err) == 0);
	CHECK(generate_collect(generate_read(f, once.p, once.len, 4096, &err), 4096, &back, &meta,
	                       &err) == 0);
	CHECK(generate_write(f, &back, 4096, &meta, &twice, &err) == 0);
	CHECK_MSG(once.len == twice.len && memcmp(once.p, twice.p, once.len) == 0, "%s", f->name);
	trc_batch_release(&back);
	free(once.p);
	free(twice.p);
}

static void
canonical_text_stays_as_it_is(void)
{
	for_each_format(check_canonical);
}

/* A file of records cut anywhere is an error, but where a record ends. */
static void
check_cut_record(const struct trc_format *f, const struct trc_batch *rows)
{
	struct trc_batch back, some = *rows;
	struct generate_bytes bytes;
	struct trc_err err;

	if (!f->record)
		return;
	some.n = 5;
	CHECK(generate_write(f, &some, 4096, NULL, &bytes, &err) == 0);
	CHECK(bytes.len == 5 * f->record->size);
	for (size_t len = 0; len < bytes.len; len++) {
		struct trc_source *src = generate_read(f, bytes.p, len, 4096, &err);
		int ret = generate_collect(src, 2, &back, NULL, &err);

		CHECK((ret == 0) == (len % f->record->size == 0));
		CHECK(ret == 0 || strstr(err.text, "truncated"));
		trc_batch_release(&back);
	}
	free(bytes.p);
}

static void
cut_records_are_refused(void)
{
	for_each_format(check_cut_record);
}

static void
columns_that_do_not_fit_are_refused(void)
{
	const struct trc_format *f = NULL;

	while ((f = trc_format_next(f))) {
		struct generate_spec all = { .have = TRC_HAS_ALL, .rows = 1 };
		struct generate_spec none = { .have = 0, .rows = 1 };
		struct generate_bytes bytes;
		struct trc_batch b;
		struct trc_err err;

		if (!trc_format_writes(f))
			continue;
		CHECK((f->needs & ~f->holds) == 0);
		generate_rows(&b, &all, test_seed);
		if (f->holds != TRC_HAS_ALL) {
			CHECK(generate_write(f, &b, 1, NULL, &bytes, &err) == -1);
			CHECK_MSG(strstr(err.text, "cannot hold '"), "%s", err.text);
		}
		trc_batch_release(&b);
		generate_rows(&b, &none, test_seed);
		if (f->needs) {
			CHECK(generate_write(f, &b, 1, NULL, &bytes, &err) == -1);
			CHECK_MSG(strstr(err.text, "needs '"), "%s", err.text);
		}
		trc_batch_release(&b);
	}
}

/* Those that others give such files, packed or not; some are only packed. */
static void
known_endings_find(const struct trc_format *f)
{
	const struct trc_format *g;
	char path[64];

	for (const char *s = f->known; s && *s; s += strspn(s, " ")) {
		const size_t len = strcspn(s, " ");

		snprintf(path, sizeof(path), "x/y%.*s", (int)len, s);
		CHECK_MSG(trc_format_stem(path, &g) == strlen("x/y") && g == f, "%s", path);
		if (!trc_packing_ending(path)) {
			snprintf(path, sizeof(path), "x/y%.*s.xz", (int)len, s);
			CHECK_MSG(trc_format_stem(path, &g) == strlen("x/y") && g == f, "%s", path);
		}
		s += len;
	}
}

static void
names_and_endings_find_their_rows(void)
{
	const struct trc_format *f = NULL, *g;
	char path[64];

	while ((f = trc_format_next(f))) {
		CHECK(trc_format_named(f->name) == f);
		CHECK_MSG(f->doc && strlen(f->doc) + 17 <= 80, "%s", f->name);
		CHECK_MSG(trc_format_reads(f) || trc_format_writes(f), "%s", f->name);
		CHECK_MSG(!f->report || !trc_format_reads(f), "%s", f->name);
		CHECK_MSG(!!f->line + !!f->record + !!f->packet + !!f->member + !!f->source <= 1,
		          "%s", f->name);
		for (g = trc_format_next(f); g; g = trc_format_next(g))
			CHECK_MSG(!f->ending || !g->ending || strcmp(f->ending, g->ending) != 0,
			          "%s and %s", f->name, g->name);
		if (!f->ending)
			continue;
		snprintf(path, sizeof(path), "x/y%s", f->ending);
		CHECK(trc_format_ending(path) == f);
		CHECK(trc_format_ending(f->ending) == NULL);
		known_endings_find(f);
	}
	CHECK(!trc_format_named("no such format"));
}

/* The fingerprint is the same on every machine and for all batches; that of these rows is known. */
static void
fingerprints_are_the_same_everywhere(void)
{
	static const char want[] = "rows 9999\n"
	                           "type c3f094fdb3de9540\n"
	                           "addr bef6f41e18ad1ec1\n"
	                           "size 2a7158d4cec8e05a\n"
	                           "time a28f529c96369de7\n"
	                           "asid 7f48a988ee30736c\n"
	                           "task 103eeef37024fa48\n"
	                           "pc f7d8d9fe5b8b487a\n"
	                           "itime de8812d871fb81c8\n"
	                           "rtime f2ac7217ca4b7d61\n"
	                           "vpn 5ef3b3c2825d3496\n"
	                           "cpn cf3b4141f63a7864\n"
	                           "insn 375367d2da6fce53\n"
	                           "branch 6d9bb6c4ee960cbe\n"
	                           "regs 651e9e067b9a3ff4\n"
	                           "event 73fbd7e60cde5c22\n"
	                           "ttl 074f03d44ebd0ecd\n";
	struct generate_spec spec = { .have = TRC_HAS_ALL, .rows = 9999 };
	struct generate_bytes bytes;
	struct trc_batch rows;
	struct trc_err err;

	generate_rows(&rows, &spec, 1);
	for (size_t i = 0; i < TRC_COUNT(cuts); i++) {
		CHECK(generate_write(trc_format_named("hash"), &rows, cuts[i], NULL, &bytes,
		                     &err) == 0);
		CHECK_MSG(bytes.len == strlen(want) && memcmp(bytes.p, want, bytes.len) == 0,
		          "batches of %zu:\n%.*s", cuts[i], (int)bytes.len, bytes.p);
		free(bytes.p);
	}
	trc_batch_release(&rows);
}

/* The vectors of this processor or none: this program runs in both forms. */
static void
fingerprints_are_those_of_the_library(void)
{
	enum { ROWS = 5003 };
	const struct generate_spec spec = { .have = TRC_HAS_TYPE | TRC_HAS_ADDR, .rows = ROWS };
	struct trc_fingerprint fingerprint;
	struct trc_batch rows;
	struct trc_err err;

	generate_rows(&rows, &spec, test_seed);
	CHECK(trc_fingerprint_init(&fingerprint, spec.have, &err) == 0);
	for (size_t step = 1; step < ROWS; step = step * 7 + 1) {
		trc_fingerprint_reset(&fingerprint);
		for (size_t at = 0; at < ROWS; at += step)
			trc_fingerprint_update(&fingerprint, &rows, at,
			                       step < ROWS - at ? step : ROWS - at);
		CHECK(trc_fingerprint_column(&fingerprint, TRC_COL_TYPE) ==
		      XXH3_64bits(rows.type, ROWS));
		for (size_t i = 0; i < ROWS; i++)
			trc_put_le64((uint8_t *)&rows.addr[i], rows.addr[i]);
		CHECK(trc_fingerprint_column(&fingerprint, TRC_COL_ADDR) ==
		      XXH3_64bits(rows.addr, ROWS * sizeof(*rows.addr)));
		for (size_t i = 0; i < ROWS; i++)
			rows.addr[i] = trc_le64((const uint8_t *)&rows.addr[i]);
	}
	trc_fingerprint_release(&fingerprint);
	trc_batch_release(&rows);
}

/* What `trc decode` writes: no trace of addresses becomes one of a format that refuses its fetches,
 * however early that stands in the list. */
static void
plain_text_takes_every_reference(void)
{
	const struct trc_format *f = NULL;
	size_t refuse = 0;

	while ((f = trc_format_next(f))) {
		const struct trc_format *plain = trc_format_plain(f->holds);

		refuse += f->line && f->print && f->holds & TRC_HAS_ADDR &&
		          !trc_format_takes(f, NULL, f->holds, TRC_FETCH);
		if (plain && plain->print && f->holds & TRC_HAS_ADDR)
			CHECK_MSG(trc_format_takes(plain, NULL, f->holds, TRC_FETCH) ||
			                  !trc_format_takes(plain, NULL, f->holds, TRC_READ),
			          "%s as %s", f->name, plain->name);
	}
	CHECK(refuse > 0);
}

int
main(void)
{
	test_start();
	RUN(fingerprints_are_those_of_the_library);
	RUN(names_and_endings_find_their_rows);
	RUN(columns_that_do_not_fit_are_refused);
	RUN(plain_text_takes_every_reference);
	RUN(what_is_written_reads_back);
	RUN(cuts_do_not_matter);
	RUN(canonical_text_stays_as_it_is);
	RUN(cut_records_are_refused);
	RUN(what_is_written_is_recognised);
	RUN(strict_formats_win_over_loose_ones);
	RUN(fingerprints_are_the_same_everywhere);
	return 0;
}
