/* SPDX-License-Identifier: MIT
 *
 * A list of files as one trace, in order, and the positions where it can be cut into shards:
 *
 *   containers       at blocks, by their index. If a shard begins in the middle of a program, it
 *                    first reads the program, so blocks that start one are preferred.
 *   lines            at any line, if none but the first influences how others are read; and records
 *                    of a fixed size at any record
 *   other files      only at their ends, because they are packed or stored as differences
 *
 * Cut i of N is near the point where i/N of the work of reading is done. The work is estimated in
 * rows, or in the bytes of text that take as long as a row. A cut depends only on the files and on
 * N.
 */
#ifndef TRC_CMD_JOB_SLICES_H
#define TRC_CMD_JOB_SLICES_H

#include "batch/index.h"
#include "cmd/job/job.h"
#include "cmd/names/manifest.h"

/* Where a file can be cut. */
enum trc_slice_by { TRC_SLICE_FILES, TRC_SLICE_BLOCKS, TRC_SLICE_LINES, TRC_SLICE_RECORDS };

/* A file of the trace, or a range of its rows. */
struct trc_sliced {
	const char *path; /* owned by the caller or by `entry` */
	                  /* The manifest that names the file, or NULL; owned by the caller. */
	const char *manifest;
	struct trc_manifest_file entry; /* the file's entry in that manifest */
	/* If entry.ranged: the rows before the range, and the rows in it; most UINT64_MAX: up to
	 * the end. */
	uint64_t skip, most;
	const struct trc_format *format;
	enum trc_slice_by by;
	const char *why;          /* why a file is cut only at its ends: "it is packed" */
	uint64_t size;            /* in bytes, as stored */
	uint64_t fingerprint;     /* of samples of the stored bytes (slices.c) */
	bool marked;              /* the fingerprint is known: whoever opens the file compares it */
	uint64_t identity;        /* of the fingerprint and the range of rows */
	uint64_t unit;            /* bytes of a record */
	uint64_t rows;            /* of a container, within the range */
	uint64_t all_rows;        /* in the whole file */
	struct trc_counts counts; /* from the index; pages may be an upper bound, or 0 */
	uint64_t ahead;           /* weight of all files before this one */
	struct trc_part *part;
	size_t parts;
	/* An opened input that can be read only once, such as a pipe, until it is read. */
	struct trc_job job;
};

/* A position between two rows: before row or byte `at` of a file, at its start or inside of it. */
struct trc_place {
	uint64_t file, at;
};

/* The files of a trace, or the consecutive files that a shard reads. Zeroed memory is an empty
 * list. */
struct trc_slices {
	struct trc_sliced *file;
	size_t n, cap;
	uint64_t first;   /* files of the trace before these; positions count them as well */
	const char *plan; /* the plan that describes the files; NULL: they were examined here */
	const struct trc_job_in *in;
	const struct trc_format *format; /* of the first file */
	char changes[TRC_JOB_NOTE];      /* as in struct trc_job */
	uint32_t have;                   /* columns, of all */
	bool meta_at_end;                /* of any file: its metadata is complete only at its end */
};

static inline struct trc_sliced *
trc_slices_at(const struct trc_slices *s, uint64_t file)
{
	return &s->file[file - s->first];
}

/* Opens and describes files, including those that manifests name. All must have the same columns.
 * Where they can be cut is examined only if `cut` is set; otherwise some may be pipes. `in` must
 * outlive *s. */
int trc_slices_init(struct trc_slices *s, const char *const *path, size_t n,
                    const struct trc_job_in *in, bool cut, struct trc_err *err) TRC_MUST_USE;
void trc_slices_release(struct trc_slices *s);

/* Adds a file as described. Takes over the path of its entry, even on failure. */
int trc_slices_add(struct trc_slices *s, struct trc_sliced f, struct trc_err *err) TRC_MUST_USE;

/* Removes all files, so others can be added. */
void trc_slices_forget(struct trc_slices *s);

/* Prefixes an error with the file's manifest and the line that names it; returns -1. */
int trc_sliced_fail(const struct trc_sliced *f, struct trc_err *err);

static inline bool
trc_sliced_by_bytes(const struct trc_sliced *f)
{
	return f->by == TRC_SLICE_LINES || f->by == TRC_SLICE_RECORDS;
}

/* Returns the position after the last row of a file. */
uint64_t trc_sliced_end(const struct trc_sliced *f);

/* Returns a fingerprint of all files in their order. */
uint64_t trc_slices_identity(const struct trc_slices *s);

/* Estimates the work of reading all files, in bytes of text. */
uint64_t trc_slices_weight(const struct trc_slices *s);

/* Finds cut `i` of `of`; 0 is the start, `of` the end. */
int trc_slices_cut(const struct trc_slices *s, uint64_t i, uint64_t of, struct trc_place *place,
                   struct trc_err *err) TRC_MUST_USE;

/* Fails if the file of `stream` changed since it was described. `plan` is named in the message;
 * NULL: it changed while being read. */
int trc_sliced_unchanged(const struct trc_sliced *f, struct trc_stream *stream, const char *plan,
                         struct trc_err *err) TRC_MUST_USE;

/* Computes the sum in struct trc_begun from the current bytes of the files. Fails if a file
 * changed. */
int trc_slices_sum(const struct trc_slices *s, struct trc_place from, struct trc_place to,
                   uint64_t *sum, struct trc_err *err) TRC_MUST_USE;

/* Sets the bytes, and if known the rows, between two positions. */
void trc_slices_measure(const struct trc_slices *s, struct trc_place from, struct trc_place to,
                        uint64_t *bytes, uint64_t *rows, bool *known);

/* What is known about a trace when only a part of it is read. At the end of the source, it covers
 * the files that begin in that part. */
struct trc_begun {
	bool any;
	struct trc_meta meta;   /* without facts, gaps and provenance */
	struct trc_buf origins; /* what trc_origin_put() writes for each of these files, in order */
	uint64_t sum;           /* of all bytes read from files that are cut by bytes */
};

/* Opens a source of the rows between two positions. *s and *begun, which is zeroed, must outlive
 * it; the caller releases both, and closes job->src. */
int trc_slices_open(struct trc_job *job, struct trc_slices *s, struct trc_place from,
                    struct trc_place to, struct trc_begun *begun, struct trc_err *err) TRC_MUST_USE;

void trc_begun_release(struct trc_begun *b);

/* Returns the provenance of a trace of one file, valid as long as *b; otherwise an empty view. */
struct trc_view trc_begun_provenance(const struct trc_begun *b);

/* Adds what is known about the files that follow. */
int trc_begun_join(struct trc_begun *b, const struct trc_begun *next,
                   struct trc_err *err) TRC_MUST_USE;

#endif
