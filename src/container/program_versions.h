/* SPDX-License-Identifier: MIT
 *
 * The versions of the program: it grows from block to block, while earlier blocks are still being
 * read with earlier versions.
 */
#ifndef TRC_CONTAINER_PROGRAM_VERSIONS_H
#define TRC_CONTAINER_PROGRAM_VERSIONS_H

#include "codec/program/refs_reader.h"

/* The version of the program with which a block is read. */
struct trc_program_version {
	const struct trc_program *program;
	uint64_t generation;     /* number of its last part; 0: there is no program */
	struct trc_refs_old old; /* the sizes before the last part was added */
};

enum { TRC_VERSIONS_MOST = 5 };

/* Multiversion concurrency control with copies: parts are added to the newest version, or to a copy
 * of it while blocks are still being read with it. The caller determines which places are free. */
struct trc_program_versions {
	struct trc_program program[TRC_VERSIONS_MOST];
	size_t at; /* the place of the newest version */
	struct trc_program_version newest;
};

void trc_program_versions_release(struct trc_program_versions *v);

/* Copies the newest version to place `to` and continues there, so that blocks can still be read
 * with the version in the previous place. */
int trc_program_versions_copy(struct trc_program_versions *v, size_t to,
                              struct trc_err *err) TRC_MUST_USE;

/* Drops the program until a part resets it. */
void trc_program_versions_lose(struct trc_program_versions *v);

/* Adds part `number`. If the part is invalid or one before it is missing, fails and leaves no
 * program. */
int trc_program_versions_add(struct trc_program_versions *v, struct trc_view part, uint64_t number,
                             uint32_t have, struct trc_err *err) TRC_MUST_USE;

/* Returns true if a part resets the program, so that nothing before it is needed. */
static inline bool
trc_program_resets(const uint8_t *part, uint64_t len)
{
	return len > 0 && part[0] & 1;
}

#endif
