/* SPDX-License-Identifier: MIT
 * Declares the options of inputs and outputs, and checks their values before anything is opened. */
#include "cmd/job/job.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/io/packing.h"
#include "base/suggest.h"

/* The options of an output. */
struct out_settings {
	const char *to, *compress, *preset;
};

static const struct trc_opt opts_out[] = {
	{ 't', "to", "FORMAT[:ARGS]", "format of OUTPUT (default: by its name)", TRC_OPT_TEXT,
	  TRC_WORDS_WRITE, offsetof(struct out_settings, to) },
	{ 0, "for", "PROGRAM", "write what PROGRAM reads; drop what it cannot hold", TRC_OPT_TEXT,
	  TRC_WORDS_PRESET, offsetof(struct out_settings, preset) },
	{ 0, "compress", "HOW[:LEVEL]", "pack OUTPUT: xz, gz, bz2, zst (default: by its name)",
	  TRC_OPT_TEXT, TRC_WORDS_PACKING, offsetof(struct out_settings, compress) },
};

/* Options of containers. They become arguments of the same names of that format. */
struct container {
	bool extreme, no_verify;
	uint64_t parity; /* 1 + percent; 0: not given */
	uint64_t block_size;
};

/* 1 + the level; 0: not given. */
/* Stages before an output, active if one of their options is given. */
#define STAGE(name) extern const struct trc_stage_row trc_stage_row_##name;
#include "stages.def"
#undef STAGE

static const struct trc_opts *const stage_opts[] = {
#define STAGE(name) &trc_stage_row_##name.opts,
#include "stages.def"
#undef STAGE
	NULL,
};

const struct trc_opts trc_job_opts_in =
        TRC_OPTS(struct trc_job_in,
                 { 'f', "from", "FORMAT[:ARGS]", "format of INPUT (default: recognise it)",
                   TRC_OPT_TEXT, TRC_WORDS_READ, offsetof(struct trc_job_in, from) },
                 { 0, "skip", "N[i]", "skip N records (Ni: instructions) after filtering",
                   TRC_OPT_SKIP, TRC_WORDS_NONE, offsetof(struct trc_job_in, skip) },
                 { 0, "limit", "N[i]", "read N records (Ni: instructions) after filtering",
                   TRC_OPT_EXTENT, TRC_WORDS_NONE, offsetof(struct trc_job_in, limit) },
                 { 0, "from-time", "T", "start at cycle T; --skip applies after that",
                   TRC_OPT_NUMBER, TRC_WORDS_NONE, offsetof(struct trc_job_in, from_time) },
                 { 0, "to-time", "T", "stop before cycle T", TRC_OPT_COUNT, TRC_WORDS_NONE,
                   offsetof(struct trc_job_in, to_time) },
                 { 0, "only", "TYPE,...", "read only records of these types", TRC_OPT_TEXT,
                   TRC_WORDS_TYPE, offsetof(struct trc_job_in, filter.only) },
                 { 0, "addr", "LO-HI,...", "read only records with these addresses", TRC_OPT_TEXT,
                   TRC_WORDS_NONE, offsetof(struct trc_job_in, filter.addr) },
                 { 0, "pc", "LO-HI,...", "read only records of these instructions", TRC_OPT_TEXT,
                   TRC_WORDS_NONE, offsetof(struct trc_job_in, filter.pc) },
                 { 0, "task", "N,...", "read only records of these tasks", TRC_OPT_TEXT,
                   TRC_WORDS_NONE, offsetof(struct trc_job_in, filter.task) },
                 { 0, "space", "N,...", "read only records of these address spaces", TRC_OPT_TEXT,
                   TRC_WORDS_NONE, offsetof(struct trc_job_in, filter.space) },
                 { 0, "salvage", NULL, "recover intact parts of a damaged or truncated file",
                   TRC_OPT_FLAG, TRC_WORDS_NONE, offsetof(struct trc_job_in, salvage) },
                 { 0, "memlimit", "BYTES", "memory limit for reading a container (default 1.5G)",
                   TRC_OPT_BYTES, TRC_WORDS_NONE, offsetof(struct trc_job_in, memlimit) },
                 { 'v', "verbose", NULL, "report the format, ratio and time", TRC_OPT_FLAG,
                   TRC_WORDS_NONE, offsetof(struct trc_job_in, verbose) },
                 { 'T', "threads", "N", "use N threads (default: one per core if worth it)",
                   TRC_OPT_NUMBER, TRC_WORDS_NONE, offsetof(struct trc_job_in, threads) });
const struct trc_opts trc_job_opts_out = { opts_out, TRC_COUNT(opts_out),
	                                   sizeof(struct out_settings), stage_opts };
const struct trc_opts trc_job_opts_level =
        TRC_OPTS(uint64_t, { 0, "level", "0-9", "container, package: -0 fast, -9 small (default 6)",
                             TRC_OPT_LEVEL, TRC_WORDS_NONE, 0 });
const struct trc_opts trc_job_opts_container =
        TRC_OPTS(struct container,
                 { 'e', "extreme", NULL, "container: also try every packing; slow", TRC_OPT_FLAG,
                   TRC_WORDS_NONE, offsetof(struct container, extreme) },
                 { 0, "no-verify", NULL, "container: do not verify blocks after writing",
                   TRC_OPT_FLAG, TRC_WORDS_NONE, offsetof(struct container, no_verify) },
                 { 0, "parity", "N%", "container: repair a burst of N% (default 2%)",
                   TRC_OPT_PERCENT, TRC_WORDS_NONE, offsetof(struct container, parity) },
                 { 0, "block-size", "BYTES", "container: approximate packed size of a block",
                   TRC_OPT_BYTES, TRC_WORDS_NONE, offsetof(struct container, block_size) });
const struct trc_opts trc_job_opts_publish =
        TRC_OPTS(struct trc_job_publish,
                 { 0, "force", NULL, "replace OUTPUT if it exists", TRC_OPT_FLAG, TRC_WORDS_NONE,
                   offsetof(struct trc_job_publish, force) },
                 { 0, "no-sync", NULL, "do not wait for the disk", TRC_OPT_FLAG, TRC_WORDS_NONE,
                   offsetof(struct trc_job_publish, no_sync) });
const struct trc_opts trc_job_opts_note = TRC_OPTS(struct trc_opt_list,
                                                   { 0, "note", "KEY=VALUE",
                                                     "container: store this note; can be repeated",
                                                     TRC_OPT_LIST, TRC_WORDS_NONE, 0 });
const struct trc_opts trc_job_opts_quiet = TRC_OPTS(bool, { 'q', "quiet", NULL, "print errors only",
                                                            TRC_OPT_FLAG, TRC_WORDS_NONE, 0 });

const struct trc_job_in *
trc_job_in(const struct trc_settings *settings)
{
	return trc_settings_of(settings, &trc_job_opts_in);
}

const struct trc_job_publish *
trc_job_publish(const struct trc_settings *settings)
{
	return trc_settings_of(settings, &trc_job_opts_publish);
}

int
trc_job_level(const struct trc_settings *settings, int otherwise)
{
	const uint64_t level = *(const uint64_t *)trc_settings_of(settings, &trc_job_opts_level);

	return level ? (int)level - 1 : otherwise;
}

struct trc_job_out
trc_job_out(const struct trc_settings *settings)
{
	const struct out_settings *own = trc_settings_of(settings, &trc_job_opts_out);
	const struct trc_preset *preset = own->preset ? trc_preset_named(own->preset) : NULL;

	return (struct trc_job_out){
		.to = preset ? preset->to : own->to,
		.compress = own->compress,
		.publish = *trc_job_publish(settings),
		.quiet = *(const bool *)trc_settings_of(settings, &trc_job_opts_quiet),
		.settings = settings,
		.preset = preset,
	};
}

#define FORMATS_LIST "; 'trc help formats' lists them"

/* Returns a hint for a word that is not a format but that users try, or NULL. */
static const char *
meant_by(const char *word)
{
	static const char *const meant[][2] = {
		{ "auto", "without --from, the format is recognised" },
		{ "text", "'trc decode INPUT' writes plain text; csv is a table" },
		{ "txt", "'trc decode INPUT' writes plain text; csv is a table" },
		{ "json", "for tables use csv or parquet; for counts, 'trc stat --json'" },
		{ "native", "the container format is trc" },
		{ "container", "the container format is trc" },
		{ "valgrind", "its tracer lackey writes lackey" },
		{ "dinero", "did you mean 'din', or with sizes 'xdin'?" },
		{ "libcachesim", "did you mean 'oracle'?" },
		{ "oraclegeneral", "did you mean 'oracle'?" },
		{ "dynamorio", "did you mean 'drmemtrace'?" },
		{ "ramulator", "use ramulator-inst, ramulator-dram, ramulator2-ls or "
		               "ramulator2-rw" },
	};

	for (size_t i = 0; i < TRC_COUNT(meant); i++)
		if (strcasecmp(meant[i][0], word) == 0)
			return meant[i][1];
	return trc_packing_named(word, strlen(word)) ?
	               "to pack, use --compress or a name like X.din.xz" :
	               NULL;
}

const struct trc_format *
trc_job_format_named(const char *name, struct trc_err *err)
{
	const struct trc_format *f = trc_format_named(name);
	char word[64];
	struct trc_suggest suggest = { .word = word };

	if (f)
		return f;
	snprintf(word, sizeof(word), "%.*s", (int)strcspn(name, ":"), name);
	if (meant_by(word)) {
		trc_fail_as(err, TRC_USAGE, "unknown format '%s'; %s", word, meant_by(word));
		return NULL;
	}
	while ((f = trc_format_next(f)))
		trc_suggest_offer(&suggest, f->name);
	trc_suggest_fail(&suggest, "", FORMATS_LIST, err, "unknown format '%s'", word);
	return NULL;
}

/* An unknown format may be a file: in other programs, -f replaces a file or is followed by one. */
int
trc_job_check_formats(const struct trc_settings *settings, struct trc_err *err)
{
	for (size_t i = 0; i < settings->rows.n; i++) {
		const struct trc_opt *o = &settings->rows.row[i];
		const bool reads = o->words == TRC_WORDS_READ;
		const char *name;

		if (!settings->given[i] ||
		    (!reads && o->words != TRC_WORDS_WRITE && o->words != TRC_WORDS_PRESET))
			continue;
		memcpy(&name, settings->block + o->at, sizeof(name));
		if (o->words == TRC_WORDS_PRESET) {
			if (trc_settings_named(settings, "to"))
				return trc_fail_as(err, TRC_USAGE,
				                   "--for and --to exclude each other");
			if (trc_preset_check(name, err))
				return -1;
			continue;
		}
		if (trc_format_named(name))
			continue;
		if (access(name, F_OK))
			return trc_job_format_named(name, err) ? 0 :
			                                         trc_err_in(err, "--%s", o->name);
		return trc_fail_as(err, TRC_USAGE,
		                   "-%c means --%s FORMAT, but '%s' is a file, not a format; %s",
		                   o->letter, o->name, name,
		                   reads ? "inputs need no option, and --force replaces OUTPUT" :
		                           "to check files, use trc stat --check");
	}
	return 0;
}

const char *
trc_job_output(const struct trc_action *action, const struct trc_settings *settings,
               const struct trc_args *args)
{
	(void)action, (void)settings;
	return args->n > 1 ? args->word[args->n - 1] : "-";
}

int
trc_job_words(const struct trc_args *args, size_t least, size_t most, struct trc_err *err)
{
	if (args->n < least)
		return trc_fail_as(err, TRC_USAGE, "%s",
		                   args->n == 0 ?
		                           "needs an input: a file, or - for standard input" :
		                           "needs an output: a file, or - for standard output");
	for (size_t i = 0; i < args->n; i++)
		if (!*args->word[i])
			return trc_fail_as(err, TRC_USAGE, "'' is not a file name");
	if (args->n > most)
		return trc_fail_as(err, TRC_USAGE, "unexpected argument '%s'", args->word[most]);
	return 0;
}

int
trc_job_page_bits(uint64_t bytes, unsigned *bits, struct trc_err *err)
{
	if (bytes == 0 || bytes & (bytes - 1))
		return trc_fail_as(err, TRC_USAGE, "--page-size: %llu is not a power of two",
		                   (ull)bytes);
	for (*bits = 0; bytes >>= 1; ++*bits)
		;
	return 0;
}
