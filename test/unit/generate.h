/* SPDX-License-Identifier: MIT
 *
 * Made-up traces, and the ways between rows in memory, sources, and bytes. What cannot fail in a
 * sound trc ends the test program when it does.
 */
#ifndef TRC_TEST_UNIT_GENERATE_H
#define TRC_TEST_UNIT_GENERATE_H

#include "format/registry.h"

/* Random numbers (splitmix64): the same on every machine. */
struct generator {
	uint64_t state;
};

uint64_t generate_random(struct generator *m);
uint64_t generate_below(struct generator *m, uint64_t n); /* 0 to n - 1 */

/* A value of at most `bits` bits as traces have them: small, near the last one, or an extreme. */
uint64_t generate_value(struct generator *m, uint64_t last, unsigned bits);

/* What made-up rows look like; bits 0 stands for the full width of a column. */
struct generate_spec {
	uint32_t have;
	size_t rows;
	uint32_t types; /* a bit for each type that may occur; 0: all */
	bool forward;   /* times never go back, and no space is 0: for differences */
	bool within;    /* no reference goes past the last address, no invalidate is of all */
	unsigned bits[TRC_COLUMNS];
};

/* Fills a new batch with as much room as rows. */
void generate_rows(struct trc_batch *b, const struct generate_spec *spec, uint64_t seed);

/* A new batch of `n` rows of zeros, to be filled in. */
struct trc_batch generate_zeros(uint32_t have, size_t n);

/* What a made-up program is like: loops of fetches, loads and stores. */
struct generate_program {
	uint32_t have;
	size_t rows;
	unsigned ops;   /* of the code of each task */
	unsigned tasks; /* that take turns; each has a space, too */
	size_t wild;    /* rows from this one on are no program, but random; 0: none */
	bool data;      /* without fetches */
};

/* Fills a new batch with the references of such a program. */
void generate_program_rows(struct trc_batch *b, const struct generate_program *spec, uint64_t seed);

/* A new batch of a loop that looks nodes up, in random order: one instruction loads a node, and one
 * what the node has, or now and then one of a few others. All lie anywhere, but for the second,
 * only the first time that a node is met is news. */
struct trc_batch generate_lookups(uint32_t have, size_t n, uint64_t seed);

/* A source over `rows`, which must outlive it, in batches of at most `most`. It checks that it is
 * used as flow.h specifies, and ends properly as often as it is called. */
struct trc_source *generate_source(const struct trc_batch *rows, size_t most);

/* The same, whose rows can be taken as slices: each row is made of a line. */
struct trc_source *generate_pieces(const struct trc_batch *rows, size_t most);

/* The number of rows that a source of generate_source() has given. */
size_t generate_given(const struct trc_source *src);

/* All rows of `src` in one new batch, pulled `most` at a time; closes it. -1 if it fails, or if
 * it is NULL because opening it failed. */
int generate_collect(struct trc_source *src, size_t most, struct trc_batch *all,
                     struct trc_meta *meta, struct trc_err *err);

/* Checks that both have the same rows in the columns `have`; puts what differs into `why`. */
bool generate_same(const struct trc_batch *a, const struct trc_batch *b, uint32_t have, char *why,
                   size_t room);

/* Whether a refusal asks if the data is of that format. */
bool generate_asks(const struct trc_err *err, const struct trc_format *f);

struct generate_bytes {
	uint8_t *p;
	size_t len;
};

/* The path of a file `name` in a folder of this process, which is removed at its end. */
const char *generate_path(const char *name);

struct generate_bytes generate_file_bytes(const char *path);
void generate_file(const char *path, const void *p, size_t len);

/* The bytes of a corpus file. Those whose names end in .hex hold bytes in hexadecimal, two digits
 * each, and comments from # to the end of the line. */
struct generate_bytes generate_corpus_bytes(const char *path);

/* `rows` as a file of format `f`, put `most` rows at a time; or of format "NAME:ARGUMENTS". */
int generate_write(const struct trc_format *f, const struct trc_batch *rows, size_t most,
                   const struct trc_meta *meta, struct generate_bytes *out, struct trc_err *err);
int generate_write_as(const char *name, const struct trc_batch *rows, size_t most,
                      const struct trc_meta *meta, struct generate_bytes *out, struct trc_err *err);

/* An input over bytes, which must outlive it, that come `step` at a time. */
struct trc_in *generate_in(const void *p, size_t len, size_t step);

/* A source over such an input; NULL, with *err set, if the format refuses to open it. */
struct trc_source *generate_read(const struct trc_format *f, const void *p, size_t len, size_t step,
                                 struct trc_err *err);
struct trc_source *generate_read_as(const char *name, const void *p, size_t len, size_t step,
                                    struct trc_err *err);

/* A container opened with `args`, or NULL; a `pipe` can only be read from front to back. */
struct trc_source *generate_container(const void *p, size_t len, const char *args, bool pipe,
                                      struct trc_err *err);

/* The bytes of `rows` as `to`, checked to be the same whatever the batches, and to be the same rows
 * again when they are read as `from`. */
struct generate_bytes generate_round_trip(const char *to, const char *from,
                                          const struct trc_batch *rows);

#endif
