/* SPDX-License-Identifier: MIT
 *
 * trc replay record: runs our own machine, and records the traffic on its bus.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/io/in.h"
#include "cmd/geometry.h"
#include "cmd/record/program.h"
#include "cmd/replay/replay.h"
#include "machine/board/board.h"

enum {
	RAM = 128 << 20,
	CACHE = 64 << 10,
	WAYS = 8,
	LINE = 64,
	FILE_MOST = 1 << 30, /* most bytes of an image, a disk, or the input */
	SECTOR = 512,
	MACHINE_USER = 2, /* index in "virt|user" */
};

/* The settings of a recording. */
struct settings {
	const char *firmware, *tree, *cache, *type, *disk;
	uint64_t seed;
};

static const struct trc_opts opts_record =
        TRC_OPTS(struct settings,
                 { 0, "firmware", "FILE", "firmware; it starts IMAGE at offset 2 MiB of RAM",
                   TRC_OPT_TEXT, TRC_WORDS_FILE, offsetof(struct settings, firmware) },
                 { 0, "dtb", "FILE", "device tree for the firmware", TRC_OPT_TEXT, TRC_WORDS_FILE,
                   offsetof(struct settings, tree) },
                 { 0, "cache", "SIZE:WAYS:LINE", "cache of the machine (default 64K:8:64)",
                   TRC_OPT_TEXT, TRC_WORDS_NONE, offsetof(struct settings, cache) },
                 { 0, "type", "FILE", "input of the serial line", TRC_OPT_TEXT, TRC_WORDS_FILE,
                   offsetof(struct settings, type) },
                 { 0, "disk", "FILE", "contents of the disk; FILE is not modified", TRC_OPT_TEXT,
                   TRC_WORDS_FILE, offsetof(struct settings, disk) },
                 { 0, "seed", "N", "seed for the delays of devices", TRC_OPT_NUMBER, TRC_WORDS_NONE,
                   offsetof(struct settings, seed) });

/* Reads a whole file; nothing if `path` is NULL. */
static int
read_file(const char *path, struct trc_buf *to, struct trc_err *err)
{
	struct trc_in *in;
	int ret = 0;

	if (!path)
		return 0;
	in = trc_in_open(path, err);
	if (!in)
		return -1;
	while (ret == 0) {
		ret = trc_in_fill(in, 1, err);
		if (ret || in->p == in->end)
			break;
		if ((size_t)(in->end - in->p) > FILE_MOST - to->n)
			ret = trc_fail(err, "%s: larger than %d MiB", path, FILE_MOST >> 20);
		else
			ret = trc_buf_put(to, in->p, (size_t)(in->end - in->p), err);
		in->p = in->end;
	}
	trc_in_close(in);
	return ret;
}

static int
cache_of(const char *word, struct trc_board_how *how, struct trc_err *err)
{
	struct trc_cache_shape shape;

	how->cache = CACHE;
	how->ways = WAYS;
	how->line = LINE;
	if (!word)
		return 0;
	if (trc_geometry_parse(word, &shape, err))
		return -1;
	if (shape.policy != TRC_CACHE_LRU || shape.prefetch.how)
		return trc_fail_as(err, TRC_USAGE,
		                   "--cache: the machine only has LRU, and no prefetcher");
	if (shape.line < TRC_CACHE_LINE_REDUCED)
		return trc_fail_as(err, TRC_USAGE, "--cache: its lines have at least %d bytes",
		                   TRC_CACHE_LINE_REDUCED);
	how->cache = shape.size;
	how->ways = (uint32_t)(shape.ways ? shape.ways : shape.size / shape.line);
	how->line = (uint32_t)shape.line;
	return 0;
}

/* Pads a disk to whole sectors. */
static int
pad(struct trc_buf *disk, struct trc_err *err)
{
	static const uint8_t zeros[SECTOR];

	return disk->n % SECTOR ? trc_buf_put(disk, zeros, SECTOR - disk->n % SECTOR, err) : 0;
}

static void
report_run(const struct trc_board_report *r)
{
	fprintf(stderr, "%llu instructions, %llu interrupts; %llu fills, %llu write-backs; %s\n",
	        (ull)r->count, (ull)r->interrupts, (ull)r->fills, (ull)r->backs,
	        r->finished ? "the machine powered off" : "ended by --limit");
}

/* A machine that fails writes 0x3333 to its finisher, with an exit status in the upper 16 bits. */
static int
check_code(const struct trc_board_report *r, const char *path, struct trc_err *err)
{
	enum { FAILED = 0x3333, SHIFT = 16 };
	const uint32_t status = r->code >> SHIFT;

	if (!r->finished || (r->code & 0xffff) != FAILED || !status)
		return 0;
	trc_fail(err, "the machine exited with status %u; '%s' has its trace", status, path);
	err->status = status < 256 ? (int)status : 1;
	return -1;
}

static int
record(const struct trc_replay_options *s, struct trc_board_how *how, const char *path,
       struct trc_err *err)
{
	const size_t len = strlen(path);
	const bool text = len > 4 && strcmp(path + len - 4, ".txt") == 0;
	struct trc_out *out = trc_job_create(path, &s->publish, err);
	struct trc_board_report report;
	struct trc_progress progress;
	int ret;

	if (!out)
		return -1;
	trc_progress_init(&progress, "instructions", s->quiet);
	progress.of = how->limit;
	how->count = &progress.watch;
	ret = trc_board_record(how, out, text, &report, err);
	trc_progress_end(&progress);
	if (report.output.n && !s->quiet) { /* needed most of all if the run failed */
		fwrite(report.output.p, 1, report.output.n, stdout);
		fflush(stdout); /* before the report */
	}
	if (ret == 0 && !s->quiet)
		report_run(&report);
	trc_buf_release(&report.output);
	return ret ? -1 : check_code(&report, path, err);
}

static int
do_record(const struct trc_settings *settings, const struct trc_args *args, struct trc_err *err)
{
	const struct trc_replay_options replay = trc_replay_of(settings), *s = &replay;
	const struct settings *own = trc_settings_of(settings, &opts_record);
	struct trc_buf image = { 0 }, firmware = { 0 }, tree = { 0 }, typed = { 0 }, disk = { 0 };
	struct trc_board_how how = { .ram = s->memory ? s->memory : RAM,
		                     .seed = own->seed,
		                     .limit = s->limit };
	const unsigned machine = *(const unsigned *)trc_settings_of(settings,
	                                                            &trc_replay_opts_machine);
	const char *path = trc_replay_output(s, args, 2, NULL);
	int ret;

	if (machine == MACHINE_USER)
		return trc_program_own(trc_replay_record_user(settings, args, err), err);
	if (trc_replay_words(s, args, err))
		return -1;
	if (args->n < 2)
		return trc_fail_as(err, TRC_USAGE, "record needs the image of a system");
	if (!path || strcmp(path, "-") == 0)
		return trc_fail_as(err, TRC_USAGE,
		                   "record needs a file for the bus trace: -o FILE");
	ret = cache_of(own->cache, &how, err) || read_file(args->word[1], &image, err) ||
	      read_file(own->firmware, &firmware, err) || read_file(own->tree, &tree, err) ||
	      read_file(own->type, &typed, err) || read_file(own->disk, &disk, err) ||
	      pad(&disk, err);
	how.boot = (struct trc_boot){ trc_buf_view(&firmware), trc_buf_view(&image),
		                      trc_buf_view(&tree) };
	how.typed = trc_buf_view(&typed);
	how.disk = own->disk ? &disk : NULL;
	if (ret == 0)
		ret = record(s, &how, path, err);
	trc_buf_release(&image);
	trc_buf_release(&firmware);
	trc_buf_release(&tree);
	trc_buf_release(&typed);
	trc_buf_release(&disk);
	return ret ? -1 : 0;
}

const struct trc_action trc_replay_record = {
	.name = "record",
	.takes = TRC_TAKES(&trc_replay_opts_machine, &opts_record, &trc_replay_opts_limit,
	                   &trc_replay_opts_memory, &trc_replay_opts_output, &trc_job_opts_publish,
	                   &trc_job_opts_quiet, &trc_replay_opts_work),
	.run = do_record
};
