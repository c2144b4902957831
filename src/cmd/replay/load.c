/* SPDX-License-Identifier: MIT
 *
 * Code shared by the actions of trc replay: the memory limit, the output, and loading a package.
 */
#include "cmd/replay/replay.h"

#include <stdio.h>

#include "cmd/names/overwrite.h"
#include "machine/bus/extract.h"

enum { MEMORY = 1 << 30 }; /* default of --memory, in bytes */

const struct trc_opts trc_replay_opts_work =
        TRC_OPTS(struct trc_replay_work,
                 { 'v', "verbose", NULL, "print the time taken", TRC_OPT_FLAG, TRC_WORDS_NONE,
                   offsetof(struct trc_replay_work, verbose) },
                 { 'T', "threads", "N", "pack OUTPUT with N threads (default: one per core)",
                   TRC_OPT_NUMBER, TRC_WORDS_NONE, offsetof(struct trc_replay_work, threads) });
const struct trc_opts trc_replay_opts_machine =
        TRC_OPTS(unsigned, { 0, "machine", "virt|user", "record a system (default) or a program",
                             TRC_OPT_CHOICE, TRC_WORDS_NONE, 0 });
const struct trc_opts trc_replay_opts_output =
        TRC_OPTS(char *, { 'o', "output", "FILE", "write to FILE instead of the last argument",
                           TRC_OPT_TEXT, TRC_WORDS_OUTPUT, 0 });
const struct trc_opts trc_replay_opts_limit =
        TRC_OPTS(uint64_t, { 0, "limit", "N", "stop after N instructions", TRC_OPT_COUNT,
                             TRC_WORDS_NONE, 0 });
const struct trc_opts trc_replay_opts_memory =
        TRC_OPTS(uint64_t, { 0, "memory", "BYTES", "limit of guest memory (default 1G)",
                             TRC_OPT_BYTES, TRC_WORDS_NONE, 0 });
const struct trc_opts trc_replay_opts_checkpoints = TRC_OPTS(
        uint64_t, { 0, "checkpoints", "N", "extract, prune: store the state every N instructions",
                    TRC_OPT_COUNT, TRC_WORDS_NONE, 0 });

struct trc_replay_options
trc_replay_of(const struct trc_settings *settings)
{
	return (struct trc_replay_options){
		.output = *(const char *const *)trc_settings_of(settings, &trc_replay_opts_output),
		.limit = *(const uint64_t *)trc_settings_of(settings, &trc_replay_opts_limit),
		.memory = *(const uint64_t *)trc_settings_of(settings, &trc_replay_opts_memory),
		.checkpoints = *(const uint64_t *)trc_settings_of(settings,
		                                                  &trc_replay_opts_checkpoints),
		.threads = ((const struct trc_replay_work *)trc_settings_of(settings,
		                                                            &trc_replay_opts_work))
		                   ->threads,
		.level = trc_job_level(settings, TRC_PACKAGE_LEVEL),
		.publish = *trc_job_publish(settings),
		.quiet = *(const bool *)trc_settings_of(settings, &trc_job_opts_quiet),
	};
}

int
trc_replay_words(const struct trc_replay_options *s, const struct trc_args *args,
                 struct trc_err *err)
{
	if (trc_job_words(args, 1, 3, err))
		return -1;
	if (s->output && args->n > 2)
		return trc_fail_as(err, TRC_USAGE, "-o %s and '%s' both name the output", s->output,
		                   args->word[2]);
	return args->n > 1 ? trc_overwrite_add(args->word[1], true, err) : 0;
}

uint64_t
trc_replay_memory(const struct trc_replay_options *s)
{
	return s->memory ? s->memory : MEMORY;
}

const char *
trc_replay_output(const struct trc_replay_options *s, const struct trc_args *args, size_t at,
                  const char *otherwise)
{
	return s->output ? s->output : args->n > at ? args->word[at] : otherwise;
}

static void
report_extract(const struct trc_extract_counts *k)
{
	fprintf(stderr,
	        "%llu records: %llu fills, %llu write-backs; image of %llu bytes; "
	        "%llu runs of DMA found in inconsistent reads, %llu bytes\n",
	        (ull)k->records, (ull)k->fills, (ull)k->backs, (ull)k->image, (ull)k->dma_runs,
	        (ull)k->dma_bytes);
}

static int
extract(const struct trc_replay_options *s, struct trc_in *in, struct trc_package *p,
        struct trc_err *err)
{
	struct trc_extract_counts counts;
	struct trc_bus *bus = trc_bus_open(in, err);
	struct trc_progress progress;
	int ret;

	if (!bus) {
		trc_in_close(in);
		return -1;
	}
	trc_progress_init(&progress, "records extracted", s->quiet);
	progress.raw_at = &in->raw_at;
	progress.raw_size = in->raw_size;
	progress.packed = trc_in_size(in) == 0;
	ret = trc_extract(bus, p, &progress.watch, &counts, err);
	trc_progress_end(&progress);
	trc_bus_close(bus);
	if (ret == 0 && !s->quiet)
		report_extract(&counts);
	return ret;
}

int
trc_replay_load(const struct trc_replay_options *s, const char *path, struct trc_package *p,
                bool *bus, struct trc_err *err)
{
	struct trc_in *in = trc_in_open(path, err);
	bool package;
	int ret;

	if (!in)
		return -1;
	if (trc_in_fill(in, 64, err)) {
		trc_in_close(in);
		return -1;
	}
	package = trc_package_probe(in->p, (size_t)(in->end - in->p));
	if (bus)
		*bus = !package;
	if (!package && !trc_bus_probe(in->p, (size_t)(in->end - in->p))) {
		trc_fail(err,
		         "%s: neither a package ('trc replay extract' writes them) nor a bus "
		         "trace ('trc replay record' writes them)",
		         in->name);
		trc_in_close(in);
		return -1;
	}
	if (!package)
		return extract(s, in, p, err);
	ret = trc_package_read(p, in, trc_replay_memory(s), err);
	trc_in_close(in);
	return ret;
}
