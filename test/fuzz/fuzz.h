/* SPDX-License-Identifier: MIT
 * What a fuzzing engine calls; main.c calls it where there is no engine. */
#ifndef TRC_TEST_FUZZ_FUZZ_H
#define TRC_TEST_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t len);

#endif
