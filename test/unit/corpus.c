/* SPDX-License-Identifier: MIT
 *
 * The corpus, by its names: good-FORMAT-WHAT is a trace of FORMAT that is read to its end, and is
 * recognised as that; bad-FORMAT-WHAT is refused by FORMAT with a sentence. The first argument is
 * the folder.
 */
#include <string.h>

#include "generate.h"
#include "test.h"

static char seen[256][32]; /* formats that have a good file */
static size_t seens;

/* The format of a name, the longest that fits: laplace-bin, not laplace. */
static const struct trc_format *
format_of(const char *name)
{
	const struct trc_format *f = NULL, *best = NULL;

	name = strchr(name, '-') + 1;
	while ((f = trc_format_next(f))) {
		size_t len = strlen(f->name);

		if (strncmp(name, f->name, len) == 0 && name[len] == '-' &&
		    (!best || len > strlen(best->name)))
			best = f;
	}
	return best;
}

/* Opens the bytes of a corpus file as a file, so that they are unpacked. */
static int
read_as(const struct trc_format *f, const char *name, bool recognise, struct trc_err *err)
{
	struct trc_in *in = trc_in_open(generate_path("bytes"), err);
	struct trc_source *src;
	struct trc_batch all;
	int ret;

	if (!in)
		return -1;
	if (recognise && !f->example) {
		const struct trc_format *found = trc_format_recognise(in, err);

		CHECK_MSG(found == f || (!found && generate_asks(err, f)),
		          "%s is recognised as %s, not as %s; more words in the grammar of %s, a "
		          "`likely` or a probe make it surer, `loose` the other less so",
		          name, found ? found->name : err->text, f->name, f->name);
	}
	src = trc_format_source(f, f->example, in, err);
	if (!src) {
		trc_in_close(in);
		return -1;
	}
	ret = generate_collect(src, 7, &all, NULL, err);
	CHECK(ret || all.n > 0);
	trc_batch_release(&all);
	return ret;
}

static void
check_file(const char *path)
{
	const char *name = strrchr(path, '/') + 1;
	const struct trc_format *f = format_of(name);
	bool good = strncmp(name, "good-", 5) == 0;
	const struct trc_packing *packing;
	struct generate_bytes bytes;
	struct trc_err err;

	CHECK_MSG(good || strncmp(name, "bad-", 4) == 0, "%s", name);
	CHECK_MSG(
	        f,
	        "%s is named for no format; is the word of its family in formats of src/meson.build?",
	        name);
	bytes = generate_corpus_bytes(path);
	generate_file(generate_path("bytes"), bytes.p, bytes.len);
	/* What this trc cannot unpack it refuses, however good it is. */
	packing = trc_packing_of(bytes.p, bytes.len);
	good = good && (!packing || packing->unpack_open);
	err.text[0] = 0;
	CHECK_MSG((read_as(f, name, good, &err) == 0) == good, "%s: %s", name, err.text);
	CHECK_MSG(good || err.code == TRC_FAILED, "%s: %s", name, err.text);
	free(bytes.p);
	if (good && seens < TRC_COUNT(seen))
		snprintf(seen[seens++], sizeof(seen[0]), "%s", f->name);
}

static void
every_format_has_a_file(void)
{
	const struct trc_format *f = NULL;

	while ((f = trc_format_next(f))) {
		bool found = !trc_format_reads(f);

		for (size_t i = 0; i < seens; i++)
			found |= strcmp(seen[i], f->name) == 0;
		CHECK_MSG(found,
		          "format %s is in no file of test/corpus; put a few records there as "
		          "good-%s-example.%s, or .hex",
		          f->name, f->name, f->name);
	}
}

int
main(int argc, char **argv)
{
	CHECK(test_each_file(test_start_in(argc, argv), "", check_file) > 0);
	RUN(every_format_has_a_file);
	return 0;
}
