/* SPDX-License-Identifier: MIT
 *
 * Rankings, of what references or misses are most of, and their pictures: how much of all the first
 * so many have.
 */
#ifndef TRC_CMD_STAT_RANKING_H
#define TRC_CMD_STAT_RANKING_H

#include "cmd/names/functions.h"
#include "cmd/picture/answered.h"
#include "stage/profile/hot.h"

/* What is ranked, in the order of --top and --by. */
struct trc_ranked {
	const char *name;
	enum trc_hot_by by;
	enum trc_name column;
};

extern const struct trc_ranked trc_ranked[];

/* Whether instructions are summed up by their functions. */
bool trc_ranked_sums(const struct trc_ranked *r);

/* Whether a key is of a space: pages and instructions are. */
bool trc_ranked_in_space(const struct trc_ranked *r);

/* Fails where instructions are known by fetches, and a filter leaves out some of these. */
int trc_ranked_check(const struct trc_ranked *r, const struct trc_source *src,
                     struct trc_err *err) TRC_MUST_USE;

/* A key; pages and lines have 2^bits bytes. */
struct trc_value trc_ranked_value(const struct trc_ranked *r, uint64_t key, unsigned bits);

/* --functions, which names those of instructions in *f; `of` may be another ranking. */
extern const struct trc_opts trc_stat_opts_functions;
int trc_stat_functions(const struct trc_settings *all, const struct trc_ranked *of,
                       struct trc_functions *f, struct trc_err *err) TRC_MUST_USE;

/* Without --functions, adds what is known of the recorded program: by the provenance of the trace,
 * or what DynamoRIO keeps beside `path`. Notes what is lost, unless it is to be `quiet`. */
int trc_ranked_functions(struct trc_functions *f, const struct trc_ranked *of, const char *path,
                         struct trc_view provenance, bool quiet, struct trc_err *err) TRC_MUST_USE;

/* Fails if functions are ranked, and none are known. */
int trc_ranked_check_functions(const struct trc_functions *f, const struct trc_ranked *of,
                               struct trc_err *err) TRC_MUST_USE;

/* The function of an instruction, until the next is asked for. */
struct trc_value trc_ranked_function(struct trc_functions *f, uint64_t pc);

/* The name of a function by its number. */
struct trc_value trc_ranked_name(const struct trc_functions *f, size_t number);

extern const struct trc_opts trc_stat_opts_rows;
uint64_t trc_stat_rows(const struct trc_settings *all);

/* Makes an answer a ranking by `of`, "References" or "Misses", of as many rows as --rows has it,
 * whose picture is the share of all `what` that the first 1, 2, ... rows have. */
void trc_ranked_answer(const struct trc_ranked *r, const char *of, const char *what,
                       struct trc_answered *a);

#endif
