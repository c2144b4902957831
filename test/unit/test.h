/* SPDX-License-Identifier: MIT
 *
 * The harness: a test program is a list of RUN(name), each a function that CHECKs. The first check
 * that fails ends the program, with the name, the place and the seed. TRC_TEST_SEED in the
 * environment replaces the seed. Exit status as meson understands it: 0 passed, 1 failed, 77
 * skipped.
 */
#ifndef TRC_TEST_UNIT_TEST_H
#define TRC_TEST_UNIT_TEST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"

extern const char *test_name;
extern uint64_t test_seed;

#define CHECK(what) CHECK_MSG(what, "%s", "")

/* CHECK with the values that explain a failure, as for printf. */
#define CHECK_MSG(what, ...) ((what) ? (void)0 : test_fail(__FILE__, __LINE__, #what, __VA_ARGS__))

#define RUN(function) (test_name = #function, function())
#define SKIP(why) (printf("skipped: %s\n", why), exit(77))

_Noreturn void test_fail(const char *file, int line, const char *what, const char *fmt, ...)
        TRC_PRINTF(4, 5);

/* Begins a test program: takes the seed. */
void test_start(void);

/* The same for a program whose only argument is a folder; returns it. */
const char *test_start_in(int argc, char **argv);

/* Calls for the path of each file of a folder whose name has `part`, but hidden ones; returns how
 * many there are. */
size_t test_each_file(const char *folder, const char *part, void (*check)(const char *path));

/* Random numbers of 31 bits, by the seed. */
uint64_t test_random(void);

/* A sum of bytes that goes on from `sum`, for bytes that a test keeps as they are. */
uint64_t test_sum(uint64_t sum, const uint8_t *p, size_t n);

/* True if memory is not what it is without a sanitizer. */
bool test_sanitized(void);

enum { TEST_STEP = 10 }; /* so few cases find most mistakes (test/mutants) */

/* One case in so many is to be tried: TRC_TEST_STEP, 1 for all, more where machines are slow. */
size_t test_step(void);

/* The same where cases are few, or differ much: one of `most` at least; above 20, where a sanitizer
 * or an emulator finds in any case what it is there for, one of five times as many. */
size_t test_step_most(size_t most);

/* True where TRC_TEST_STEP is above 100: what is asked there is what another machine or C library
 * does otherwise, and not what is large, or damaged. */
bool test_is_elsewhere(void);

#endif
