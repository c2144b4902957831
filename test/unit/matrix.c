/* SPDX-License-Identifier: MIT
 *
 * Any format to any other: every good file of the corpus is read and written in every format. What
 * the format cannot hold or lacks is refused by name. With these columns dropped and filled it is
 * either written, and what both formats hold comes back (unless it can only be written), or a value
 * of it is refused with a sentence. The first argument is the folder of the corpus.
 */
#include <string.h>

#include "generate.h"
#include "test.h"

static struct {
	size_t written, refused;
} seen;

/* `rows` with the columns `have`, zeros where there was nothing. */
static struct trc_batch
reshape(const struct trc_batch *rows, uint32_t have)
{
	struct trc_batch b = generate_zeros(have, rows->n);

	b.n = 0;
	trc_batch_copy(&b, rows, have & rows->have, 0, rows->n);
	b.n = rows->n;
	return b;
}

static bool
names_a_column(const char *text, uint32_t columns)
{
	for (int c = 0; c < TRC_COLUMNS; c++)
		if (columns >> c & 1 && strstr(text, trc_column[c].name))
			return true;
	return false;
}

/* Leaves out events, which a format may write for what the trace had in another form: STF does for
 * modes of the processor. */
static void
leave_out_events(struct trc_batch *b)
{
	struct trc_batch rows = generate_zeros(b->have & ~(uint32_t)TRC_HAS_EVENT, b->n);

	rows.n = 0;
	for (uint32_t i = 0; i < b->n; i++)
		if (!trc_batch_is_event(b, i)) {
			trc_batch_copy(&rows, b, rows.have, i, 1);
			rows.n++;
		}
	trc_batch_release(b);
	*b = rows;
}

static void
check_writing(const char *file, const struct trc_batch *rows, const struct trc_format *g)
{
	const uint32_t lost = rows->have & ~(g->holds | g->takes), missing = g->needs & ~rows->have;
	struct trc_batch fits = reshape(rows, (rows->have & g->holds) | missing), back;
	struct generate_bytes bytes;
	struct trc_err err;
	char why[128];

	if (lost || missing) {
		CHECK_MSG(generate_write(g, rows, 4096, NULL, &bytes, &err) == -1, "%s to %s", file,
		          g->name);
		CHECK_MSG(names_a_column(err.text, lost ? lost : missing), "%s to %s: %s", file,
		          g->name, err.text);
	}
	if (generate_write(g, &fits, 4096, NULL, &bytes, &err)) {
		CHECK_MSG(err.code == TRC_FAILED && strlen(err.text) > 20, "%s to %s: %s", file,
		          g->name, err.text);
		seen.refused++;
	} else if (!trc_format_reads(g)) {
		free(bytes.p);
		seen.written++;
	} else {
		CHECK_MSG(generate_collect(generate_read(g, bytes.p, bytes.len, 4096, &err), 4096,
		                           &back, NULL, &err) == 0,
		          "%s to %s and back: %s", file, g->name, err.text);
		if (!(fits.have & TRC_HAS_EVENT))
			leave_out_events(&back);
		CHECK_MSG(generate_same(&fits, &back, fits.have & g->holds, why, sizeof(why)),
		          "%s to %s: %s", file, g->name, why);
		trc_batch_release(&back);
		free(bytes.p);
		seen.written++;
	}
	trc_batch_release(&fits);
}

/* The format of good-FORMAT-WHAT, the longest that fits. */
static const struct trc_format *
named_after(const char *file)
{
	const struct trc_format *f = NULL, *best = NULL;

	while ((f = trc_format_next(f))) {
		const size_t len = strlen(f->name);

		if (strncmp(file + strlen("good-"), f->name, len) == 0 &&
		    file[strlen("good-") + len] == '-' && (!best || len > strlen(best->name)))
			best = f;
	}
	return best;
}

static void
check_file(const char *path)
{
	static size_t turn;
	const char *file = strrchr(path, '/') + 1;
	const struct trc_format *f, *g = NULL;
	struct generate_bytes bytes;
	struct trc_batch rows;
	struct trc_source *src;
	struct trc_err err;
	struct trc_in *in;

	bytes = generate_corpus_bytes(path);
	generate_file(generate_path("bytes"), bytes.p, bytes.len);
	free(bytes.p);
	in = trc_in_open(generate_path("bytes"), &err);
	if (!in)
		return; /* packed, and this trc has not the library */
	f = trc_format_recognise(in, &err);
	if (!f) /* asked about */
		f = named_after(file);
	src = f ? trc_format_source(f, f->example, in, &err) : NULL;
	CHECK_MSG(src, "%s: %s", file, err.text);
	CHECK_MSG(generate_collect(src, 4096, &rows, NULL, &err) == 0, "%s: %s", file, err.text);
	while ((g = trc_format_next(g)))
		if (trc_format_writes(g) && !g->report && turn++ % test_step_most(2) == 0)
			check_writing(file, &rows, g);
	trc_batch_release(&rows);
}

static const char *folder;

static void
every_format_goes_into_every_other(void)
{
	CHECK(test_each_file(folder, "good-", check_file) > 0);
	printf("%zu conversions, %zu refused for a value\n", seen.written, seen.refused);
	CHECK(seen.written > seen.refused);
}

int
main(int argc, char **argv)
{
	folder = test_start_in(argc, argv);
	RUN(every_format_goes_into_every_other);
	return 0;
}
