/* SPDX-License-Identifier: MIT
 *
 * Files in order as one trace, and where it can be cut into shards:
 *
 *   containers       at blocks, by their index. A shard that begins in the middle of a program
 *                    reads that from where it begins anew, so such blocks are preferred.
 *   lines            whose format has no line that depends on others but the first, and records of
 *                    one size
 *   all other files  at their ends: what is packed, or in differences
 *
 * Cut i of N is near i/N of what reading takes, which a row, or a few bytes of text, stand for. It
 * depends on the files and N alone.
 */
#ifndef TRC_CMD_JOB_SLICES_H
#define TRC_CMD_JOB_SLICES_H

#include "batch/index.h"
#include "cmd/job/job.h"
#include "cmd/names/manifest.h"

/* How a file can be cut. */
enum trc_slice_by { TRC_SLICE_FILES, TRC_SLICE_BLOCKS, TRC_SLICE_LINES, TRC_SLICE_RECORDS };

/* A file of the trace, or some of its rows. */
struct trc_sliced {
	const char *path;               /* the caller's, or of the entry */
	const char *manifest;           /* that names it, the caller's; NULL: none does */
	struct trc_manifest_file entry; /* of that */
	uint64_t skip, most;            /* rows in front of those, and how many these are, if
	                                 * entry.ranged; most UINT64_MAX: to the end */
	const struct trc_format *format;
	enum trc_slice_by by;
	const char *why;          /* a file is cut at its ends alone: "it is packed" */
	uint64_t size;            /* bytes as they are stored */
	uint64_t fingerprint;     /* of some of these (slices.c), */
	bool marked;              /* if it is known: whoever opens the file compares it */
	uint64_t identity;        /* the fingerprint, and of which rows */
	uint64_t unit;            /* bytes of a record */
	uint64_t rows;            /* of a container, */
	uint64_t all_rows;        /* and of its file */
	struct trc_counts counts; /* by its index; pages may be the most there can be, or 0 */
	uint64_t ahead;           /* weight of all files in front of it */
	struct trc_part *part;
	size_t parts;
	struct trc_job job; /* of what is there only once, as a pipe, until it is read */
};

/* A place between two rows: in front of row or byte `at` of a file, which is 0 or inside of it. */
struct trc_place {
	uint64_t file, at;
};

/* The files of a trace, or the neighbours among them that a shard reads. Zeroed memory is none. */
struct trc_slices {
	struct trc_sliced *file;
	size_t n, cap;
	uint64_t first;   /* how many of the trace are in front of these; places count all */
	const char *plan; /* that has what the files were; NULL: they were looked at here */
	const struct trc_job_in *in;
	const struct trc_format *format; /* of the first */
	char changes[TRC_JOB_NOTE];      /* as in struct trc_job */
	uint32_t have;                   /* columns, of all */
	bool meta_at_end;                /* as of a source, of any of them */
};

static inline struct trc_sliced *
trc_slices_at(const struct trc_slices *s, uint64_t file)
{
	return &s->file[file - s->first];
}

/* Looks at files, and at those that manifests among them name, which must have the same columns; at
 * how they can be cut only if they will be. If not, some may be pipes. */
int trc_slices_init(struct trc_slices *s, const char *const *path, size_t n,
                    const struct trc_job_in *in, bool cut, struct trc_err *err) TRC_MUST_USE;
void trc_slices_release(struct trc_slices *s);

/* Adds a file as it is, and takes over the path of its entry, also where that fails. */
int trc_slices_add(struct trc_slices *s, struct trc_sliced f, struct trc_err *err) TRC_MUST_USE;

/* Forgets the files, to add others. */
void trc_slices_forget(struct trc_slices *s);

/* Puts in front of an error what manifest the file is of, and its line there; returns -1. */
int trc_sliced_fail(const struct trc_sliced *f, struct trc_err *err);

static inline bool
trc_sliced_by_bytes(const struct trc_sliced *f)
{
	return f->by == TRC_SLICE_LINES || f->by == TRC_SLICE_RECORDS;
}

/* The place behind the last row of a file, where the next one begins. */
uint64_t trc_sliced_end(const struct trc_sliced *f);

/* A fingerprint of all files, in their order. */
uint64_t trc_slices_identity(const struct trc_slices *s);

/* What reading all files takes, as bytes of text. */
uint64_t trc_slices_weight(const struct trc_slices *s);

/* Cut `i` of `of`: 0 is the beginning, `of` the end. */
int trc_slices_cut(const struct trc_slices *s, uint64_t i, uint64_t of, struct trc_place *place,
                   struct trc_err *err) TRC_MUST_USE;

/* Fails if what a stream reads is no longer the file that it was when it was looked at. */
int trc_sliced_unchanged(const struct trc_sliced *f, struct trc_stream *stream, const char *plan,
                         struct trc_err *err) TRC_MUST_USE;

/* The sum of struct trc_begun, of the bytes that are there now; the files must be what they
 * were. */
int trc_slices_sum(const struct trc_slices *s, struct trc_place from, struct trc_place to,
                   uint64_t *sum, struct trc_err *err) TRC_MUST_USE;

/* Bytes, and rows if they are known, from one place to another. */
void trc_slices_measure(const struct trc_slices *s, struct trc_place from, struct trc_place to,
                        uint64_t *bytes, uint64_t *rows, bool *known);

/* What is known of a trace of which only some is read: at the end of the source, of all files that
 * begin in it. */
struct trc_begun {
	bool any;
	struct trc_meta meta;   /* without facts, gaps and provenance */
	struct trc_buf origins; /* of each of these files, in order, what trc_origin_put() has */
	uint64_t sum;           /* of all bytes that were read of what is cut by bytes */
};

/* Opens a source of the rows from one place to another, which *s and *begun, zeroed, must outlive,
 * and both are to be released. job->src is to be closed. */
int trc_slices_open(struct trc_job *job, struct trc_slices *s, struct trc_place from,
                    struct trc_place to, struct trc_begun *begun, struct trc_err *err) TRC_MUST_USE;

void trc_begun_release(struct trc_begun *b);

/* The provenance of a trace of one file; otherwise none. Valid as long as *b. */
struct trc_view trc_begun_provenance(const struct trc_begun *b);

/* Adds what is known of files that follow. */
int trc_begun_join(struct trc_begun *b, const struct trc_begun *next,
                   struct trc_err *err) TRC_MUST_USE;

#endif
