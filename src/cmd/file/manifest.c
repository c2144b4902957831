/* SPDX-License-Identifier: MIT
 * trc stat --manifest: prints a manifest of the inputs, which can be given wherever a file is
 * expected. */
#include "cmd/names/manifest.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io/out.h"
#include "cmd/conventions.h"
#include "cmd/names/files.h"
#include "cmd/report.h"
#include "cmd/job/slices.h"
#include "cmd/stat/stat.h"

static const struct trc_opts opts = TRC_OPTS_FLAG("manifest",
                                                  "print a manifest that joins all INPUTs");

/* Writes a name so that it cannot be mistaken for a comment, a blank or a key. */
static int
put_name(struct trc_out *out, const char *path, struct trc_err *err)
{
	const bool plain = *path != '#' && *path != ' ' && *path != '\t' && !strchr(path, '=');
	const size_t len = strlen(path);

	if (strchr(path, '\n') || (len && path[len - 1] == '\r'))
		return trc_fail(err, "'%s': a manifest cannot hold a name with a line break", path);
	if (*path != '/' && !plain && trc_out_put(out, "./", 2, err))
		return -1;
	return trc_out_put(out, path, len, err) || trc_out_put(out, "\n", 1, err) ? -1 : 0;
}

static int
put_file(struct trc_out *out, const struct trc_sliced *f, const char *answer, struct trc_err *err)
{
	const struct trc_manifest_file *entry = &f->entry;
	char *name;
	int ret;

	if (trc_report(out, err, "bytes=%llu fingerprint=%016llx ", (ull)f->size,
	               (ull)f->fingerprint))
		return -1;
	if (entry->ranged && trc_report(out, err, "%s=%llu-", entry->blocks ? "blocks" : "records",
	                                (ull)entry->first))
		return -1;
	if (entry->ranged && entry->last < UINT64_MAX &&
	    trc_report(out, err, "%llu", (ull)entry->last))
		return -1;
	if (entry->ranged && trc_out_put(out, " ", 1, err))
		return -1;
	name = trc_manifest_name(answer, f->path, err);
	ret = name ? put_name(out, name, err) : -1;
	free(name);
	return ret;
}

static int
put_all(const struct trc_slices *s, const char *answer, struct trc_err *err)
{
	struct trc_out *out = trc_out_open("-", false, err);
	int ret = out ? trc_report(out, err, TRC_MANIFEST_BEGINNING " 1\n") : -1;

	for (size_t i = 0; ret == 0 && i < s->n; i++)
		ret = put_file(out, &s->file[i], answer, err);
	if (ret == 0)
		ret = trc_out_commit(out, err);
	trc_out_close(out);
	return ret;
}

/* Sets the cells of the same data as a table. */
static void
row(void *of, size_t i, size_t k, struct trc_value *cell)
{
	const struct trc_sliced *f = &((const struct trc_slices *)of)->file[k];
	const struct trc_manifest_file *e = &f->entry;
	const bool records = e->ranged && !e->blocks, blocks = e->ranged && e->blocks;
	const bool ends = e->last < UINT64_MAX;

	(void)i;
	TRC_VALUES(cell, trc_word(f->path), trc_count(f->size),
	           trc_value(TRC_VALUE_HASH, f->fingerprint), trc_count_if(records, e->first),
	           trc_count_if(records && ends, e->last), trc_count_if(blocks, e->first),
	           trc_count_if(blocks && ends, e->last));
}

static int
print_table(struct trc_slices *s, enum trc_form form, struct trc_err *err)
{
	static const struct trc_column_decl column[] = {
		{ TRC_NAMED(file) },         { TRC_NAMED(bytes) },       { TRC_NAMED(fingerprint) },
		{ TRC_NAMED(first_record) }, { TRC_NAMED(last_record) }, { TRC_NAMED(first_block) },
		{ TRC_NAMED(last_block) },
	};

	return trc_answer_print(
	        &(const struct trc_answer){
	                .form = form, TRC_TABLE(column), .rows = s->n, .of = s, .row = row },
	        err);
}

/* Returns false if a file found in a folder is a manifest, or the file that this manifest is
 * written to. */
static bool
is_trace(const char *path)
{
	struct stat st, out;

	return !trc_manifest_is(path) &&
	       !(stat(path, &st) == 0 && fstat(STDOUT_FILENO, &out) == 0 &&
	         st.st_dev == out.st_dev && st.st_ino == out.st_ino);
}

static int
print_files(const struct trc_files *files, const struct trc_job_in *in, const char *answer,
            enum trc_form form, struct trc_err *err)
{
	const char **path = trc_alloc(files->n + 1, sizeof(*path), err);
	struct trc_slices s;
	size_t n = 0;
	int ret;

	if (!path)
		return -1;
	for (size_t i = 0; i < files->n; i++)
		if (!files->file[i].found || is_trace(files->file[i].path))
			path[n++] = files->file[i].path;
	ret = trc_slices_init(&s, path, n, in, true, err);
	if (ret == 0) {
		ret = form == TRC_FORM_TEXT ? put_all(&s, answer, err) : print_table(&s, form, err);
		trc_slices_release(&s);
	}
	free(path);
	return ret;
}

/* Refuses options that select records: a range belongs to one file, in its line of the manifest. */
static int
check_whole(const struct trc_settings *settings, struct trc_err *err)
{
	static const char *const part[] = { "skip", "limit", "from-time", "to-time", "salvage" };

	for (size_t i = 0; i < TRC_COUNT(part); i++)
		if (trc_settings_named(settings, part[i]))
			return trc_fail_as(err, TRC_USAGE,
			                   "--%s: a manifest lists files; to select records, put "
			                   "records=FIRST-LAST before a name",
			                   part[i]);
	return 0;
}

static int
answer(const struct trc_settings *settings, const struct trc_args *args, struct trc_err *err)
{
	const struct trc_job_in *in = trc_job_in(settings);
	struct trc_files files = { 0 };
	int ret = trc_job_words(args, 1, SIZE_MAX, err) || check_whole(settings, err) ? -1 : 0;

	for (size_t i = 0; ret == 0 && i < args->n; i++) {
		const size_t before = files.n;

		ret = trc_job_again(args->word[i], "a manifest is for reading inputs again", err) ||
		                      trc_files_named(&files, args->word[i], err) ?
		              -1 :
		              0;
		if (ret == 0 && files.n == before)
			ret = trc_fail(err, "'%s' contains no files", args->word[i]);
	}
	if (ret == 0)
		ret = print_files(&files, in, trc_conventions_answer(settings),
		                  trc_answer_form(settings), err);
	trc_files_release(&files);
	return ret;
}

const struct trc_action trc_stat_manifest = {
	.name = "--manifest",
	.takes = TRC_TAKES(&opts, &trc_answer_opts, &trc_job_opts_in, &trc_conventions_opts_answer,
	                   &trc_stat_opts_quiet),
	.run = answer,
	.no_shards = "it reads no records; run it without "
	             "--shard"
};
