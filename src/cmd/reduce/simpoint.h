/* SPDX-License-Identifier: MIT
 *
 * Regions that stand for a whole trace: what `trc reduce --simpoint` chooses, writes and measures.
 * simpoint.c chooses, simpoint_cut.c writes the regions, simpoint_report.c what is known of them.
 */
#ifndef TRC_CMD_REDUCE_SIMPOINT_H
#define TRC_CMD_REDUCE_SIMPOINT_H

#include "cmd/answer/answer.h"
#include "cmd/job/job.h"
#include "cmd/names/folder.h"
#include "stage/phase/misses.h"

enum { TRC_SIMPOINT_LINE_BITS = 6 }; /* of the memories that are simulated */

/* How far a region has been read. */
enum trc_simpoint_state {
	TRC_SIMPOINT_AHEAD,
	TRC_SIMPOINT_WARMING,
	TRC_SIMPOINT_INSIDE,
	TRC_SIMPOINT_DONE,
};

/* An interval of the trace. */
struct trc_simpoint_region {
	uint64_t interval;       /* its number, from 0 */
	uint64_t warm, from, to; /* instructions: where it is warmed up, where it begins, ends */
	uint64_t weight;         /* instructions that it stands for */
	uint64_t first, records; /* its own records: the first, from 0, and how many */

	/* Of it by itself, and behind what is before it. */
	struct trc_misses_count cold, warmed;

	/* While it is read. */
	enum trc_simpoint_state state;
	struct trc_misses *alone, *behind;
	struct trc_sink *sink;
};

/* The choice. */
struct trc_simpoint {
	uint64_t most, every, seed; /* clusters, instructions of an interval */
	uint64_t warmup;            /* instructions before a region that warm it up */
	bool keeps_warmup;          /* and are written with it */

	/* Sizes of the memories, in bytes as they were given, and in lines. */
	uint64_t bytes[TRC_MISSES_SIZES], lines[TRC_MISSES_SIZES];
	size_t sizes;

	uint64_t insns, intervals, blocks;
	struct trc_misses_count whole;
	struct trc_simpoint_region *region; /* in order; the n-th stands for cluster n */
	size_t n;
};

/* The name of the file of a region. */
void trc_simpoint_name(const struct trc_simpoint_region *r, const struct trc_format *format,
                       const struct trc_job_out *out, char *dst, size_t room);

/* Cuts the regions out of job->src, whose next row is the first one behind `insns` instructions and
 * `rows` records, and writes each to the folder. `known` is what is known of the whole trace. */
int trc_simpoint_cut(struct trc_simpoint *s, struct trc_job *job, uint64_t insns, uint64_t rows,
                     const struct trc_format *format, const struct trc_job_out *out,
                     const struct trc_folder *folder, const struct trc_meta *known,
                     struct trc_err *err) TRC_MUST_USE;

/* Writes the files `simpoints` and `weights` of SimPoint, regions.tsv and errors.tsv. */
int trc_simpoint_files(const struct trc_simpoint *s, const struct trc_folder *folder,
                       struct trc_err *err) TRC_MUST_USE;

/* The same on standard output. */
int trc_simpoint_print(const struct trc_simpoint *s, const struct trc_format *format,
                       const struct trc_job_out *settings, enum trc_form form,
                       struct trc_err *err) TRC_MUST_USE;

#endif
