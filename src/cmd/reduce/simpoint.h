/* SPDX-License-Identifier: MIT
 *
 * Representative regions of a trace, for `trc reduce --simpoint`. simpoint.c chooses the regions,
 * simpoint_cut.c writes them, simpoint_report.c prints their data.
 */
#ifndef TRC_CMD_REDUCE_SIMPOINT_H
#define TRC_CMD_REDUCE_SIMPOINT_H

#include "cmd/answer/answer.h"
#include "cmd/job/job.h"
#include "cmd/names/folder.h"
#include "stage/phase/misses.h"

enum { TRC_SIMPOINT_LINE_BITS = 6 }; /* log2 of the line size of the simulated memories */

/* How far a region was read. */
enum trc_simpoint_state {
	TRC_SIMPOINT_AHEAD,
	TRC_SIMPOINT_WARMING,
	TRC_SIMPOINT_INSIDE,
	TRC_SIMPOINT_DONE,
};

/* A region: an interval of the trace. */
struct trc_simpoint_region {
	uint64_t interval; /* number of the interval, from 0 */

	/* Positions in instructions: begin of the warm-up, of the region, and its end. */
	uint64_t warm, from, to;
	uint64_t weight; /* number of instructions that it represents */

	/* Its records, without the warm-up: index of the first, from 0, and number. */
	uint64_t first, records;

	/* Its misses from a cold start, and after the warm-up. */
	struct trc_misses_count cold, warmed;

	/* While it is read: */
	enum trc_simpoint_state state;
	struct trc_misses *alone, *warming; /* from a cold start; after the warm-up */
	struct trc_sink *sink;
};

/* The choice of regions. */
struct trc_simpoint {
	uint64_t most, every, seed; /* most clusters; instructions per interval; random seed */
	uint64_t warmup;            /* instructions of warm-up before a region */
	bool keeps_warmup;          /* the warm-up is written with the region */

	/* Sizes of the simulated memories: in bytes as given, and in lines. */
	uint64_t bytes[TRC_MISSES_SIZES], lines[TRC_MISSES_SIZES];
	size_t sizes;

	uint64_t insns, intervals, blocks;
	struct trc_misses_count whole;

	/* In order of position; number n represents cluster n. */
	struct trc_simpoint_region *region;
	size_t n;
};

/* Sets the file name of a region. */
void trc_simpoint_name(const struct trc_simpoint_region *r, const struct trc_format *format,
                       const struct trc_job_out *out, char *dst, size_t room);

/* Where and how regions are written. */
struct trc_simpoint_to {
	const struct trc_format *format;
	const struct trc_job_out *out;
	const struct trc_folder *folder;
	const struct trc_meta *known; /* the properties of the whole trace */
};

/* Cuts the regions out of job->src, which starts after `insns` instructions and `rows` records of
 * the trace, and writes each to the folder. */
int trc_simpoint_cut(struct trc_simpoint *s, struct trc_job *job, uint64_t insns, uint64_t rows,
                     const struct trc_simpoint_to *to, struct trc_err *err) TRC_MUST_USE;

/* Writes the files `simpoints` and `weights` of SimPoint, and regions.tsv and errors.tsv. */
int trc_simpoint_files(const struct trc_simpoint *s, const struct trc_folder *folder,
                       struct trc_err *err) TRC_MUST_USE;

/* Prints the same data on standard output. */
int trc_simpoint_print(const struct trc_simpoint *s, const struct trc_format *format,
                       const struct trc_job_out *settings, enum trc_form form,
                       struct trc_err *err) TRC_MUST_USE;

#endif
