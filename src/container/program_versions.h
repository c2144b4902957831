/* SPDX-License-Identifier: MIT
 *
 * The program grows from block to block, while blocks before are still read by what it was.
 */
#ifndef TRC_CONTAINER_PROGRAM_VERSIONS_H
#define TRC_CONTAINER_PROGRAM_VERSIONS_H

#include "codec/program/refs_reader.h"

/* One version of the program, which a block is read by. */
struct trc_program_version {
	const struct trc_program *program;
	uint64_t generation;     /* ordinal of its last part; 0: there is no program */
	struct trc_refs_old old; /* before the last part */
};

enum { TRC_VERSIONS_MOST = 5 };

/* Multiversion concurrency control, by copies: parts are added to the newest version; where blocks
 * are still read by that, it goes on in a copy. Which are free is up to the caller. */
struct trc_program_versions {
	struct trc_program program[TRC_VERSIONS_MOST];
	size_t at; /* the newest, which grows: */
	struct trc_program_version newest;
};

void trc_program_versions_release(struct trc_program_versions *v);

/* Goes on in a copy at place `to`, so that blocks can be read by the version in the place
 * before. */
int trc_program_versions_copy(struct trc_program_versions *v, size_t to,
                              struct trc_err *err) TRC_MUST_USE;

/* There is no program until a part resets it. */
void trc_program_versions_lose(struct trc_program_versions *v);

/* Adds the part `number`. One that is missing or fails leaves no program. */
int trc_program_versions_add(struct trc_program_versions *v, struct trc_view part, uint64_t number,
                             uint32_t have, struct trc_err *err) TRC_MUST_USE;

/* True if a part resets the program: nothing before it is needed. */
static inline bool
trc_program_resets(const uint8_t *part, uint64_t len)
{
	return len > 0 && part[0] & 1;
}

#endif
