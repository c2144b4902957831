/* SPDX-License-Identifier: MIT
 *
 * Rankings by references or misses, and their pictures: the cumulative share of the first rows.
 */
#ifndef TRC_CMD_STAT_RANKING_H
#define TRC_CMD_STAT_RANKING_H

#include "cmd/names/functions.h"
#include "cmd/picture/answered.h"
#include "stage/profile/hot.h"

/* The kinds of keys, in the order of --top and --by. */
struct trc_ranked {
	const char *name;
	enum trc_hot_by by;
	enum trc_name column;
};

extern const struct trc_ranked trc_ranked[];

/* Returns true if instructions are summed up by their functions. */
bool trc_ranked_sums(const struct trc_ranked *r);

/* Returns true if keys belong to a space: pages and instructions do. */
bool trc_ranked_in_space(const struct trc_ranked *r);

/* Fails if instructions are known from fetches, and a filter drops some of these. */
int trc_ranked_check(const struct trc_ranked *r, const struct trc_source *src,
                     struct trc_err *err) TRC_MUST_USE;

/* Returns the value of a key; pages and lines have 2^bits bytes. */
struct trc_value trc_ranked_value(const struct trc_ranked *r, uint64_t key, unsigned bits);

/* The option --functions. Reads the functions of instructions into *f; `of` may be another
 * ranking. */
extern const struct trc_opts trc_stat_opts_functions;
int trc_stat_functions(const struct trc_settings *settings, const struct trc_ranked *of,
                       struct trc_functions *f, struct trc_err *err) TRC_MUST_USE;

/* Without --functions, adds the functions of the recorded program: from the provenance of the
 * trace, or from the files that DynamoRIO keeps beside `path`. Notes what is lost, unless
 * `quiet`. */
int trc_ranked_functions(struct trc_functions *f, const struct trc_ranked *of, const char *path,
                         struct trc_view provenance, bool quiet, struct trc_err *err) TRC_MUST_USE;

/* Fails if functions are ranked, but none are known. */
int trc_ranked_check_functions(const struct trc_functions *f, const struct trc_ranked *of,
                               struct trc_err *err) TRC_MUST_USE;

/* Returns the function of an instruction, valid until the next call. */
struct trc_value trc_ranked_function(struct trc_functions *f, uint32_t space, uint64_t pc);

/* Returns the name of a function by its number. */
struct trc_value trc_ranked_name(const struct trc_functions *f, size_t number);

extern const struct trc_opts trc_stat_opts_rows;
uint64_t trc_stat_rows(const struct trc_settings *settings);

/* Makes an answer a ranking by `of`, "References" or "Misses", with at most `rows` rows. Its
 * picture shows the share of all `what` that the first 1, 2, ... rows have. */
void trc_ranked_answer(const struct trc_ranked *r, const char *of, const char *what, uint64_t rows,
                       struct trc_answered *a);

#endif
